//! Bounds that a table and its groups would give, without a release.

use super::{AskedWidths, BoundQuestions, GroupedNumbers, RankSwapped, Truth, bound_widths};
use crate::partition::{code_numbers, table_positions};
use crate::{Positions, row_groups};
use scumble_table::{Domain, Error, Monitor, Partition, Result, Table};

/// The widths of both forms that the same groups may take.
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionWidths {
    /// With exact quasi-identifiers: permuted or anatomy.
    pub exact: Vec<AskedWidths>,
    /// With the least boxes of the groups: generalized.
    pub boxed: Vec<AskedWidths>,
}

/// Measures a partition of a table by the bounds of its sensitive numbers, over ranges of an ordered column where one is named.
/// All partitions of a table are asked the same questions.
///
/// # Errors
/// If a column is not there, the sensitive one has no numbers, the range column no order, or a question cannot be asked.
pub fn bounds_of_partition(
    table: &Table,
    partition: &Partition,
    sensitive: &str,
    range_over: Option<&str>,
    questions: &BoundQuestions,
    monitor: Monitor<'_>,
) -> Result<PartitionWidths> {
    let columns = Columns::new(table, sensitive, range_over)?;
    let row_group = row_groups(partition);
    let codes: Vec<u32> = table.column(columns.sensitive).iter().collect();
    let scale = columns.domain.scale();
    let mut grouped =
        GroupedNumbers::new(row_group.clone(), partition.n_groups(), &codes, &code_numbers(columns.domain), scale)?;
    if let Some(column) = &columns.range {
        grouped = grouped.with_places(column, &row_group);
    }
    let truth = columns.truth(table);
    Ok(PartitionWidths {
        exact: bound_widths(&grouped.exact(), &truth, questions, monitor)?,
        boxed: bound_widths(&grouped.boxed(), &truth, questions, monitor)?,
    })
}

/// Measures rank-based swapping of the same numbers under (k, e), `e` in units of the sensitive column.
///
/// # Errors
/// As [`bounds_of_partition`], and if all numbers together do not satisfy (k, e).
pub fn bounds_of_rank_swap(
    table: &Table,
    ke: (u64, i128),
    sensitive: &str,
    range_over: Option<&str>,
    questions: &BoundQuestions,
    monitor: Monitor<'_>,
) -> Result<Vec<AskedWidths>> {
    let columns = Columns::new(table, sensitive, range_over)?;
    let numbers = code_numbers(columns.domain);
    let people: Vec<Option<i128>> = table.column(columns.sensitive).iter().map(|code| numbers[code as usize]).collect();
    let mut swapped = RankSwapped::new(&people, ke, columns.domain.scale(), questions.seed, monitor)?;
    if let Some(column) = &columns.range {
        swapped = swapped.with_places(column.clone());
    }
    bound_widths(&swapped, &columns.truth(table), questions, monitor)
}

/// The columns of a table that bounds are about.
struct Columns<'a> {
    sensitive: usize,
    domain: &'a Domain,
    range: Option<Positions>,
}

impl<'a> Columns<'a> {
    fn new(table: &'a Table, sensitive: &str, range_over: Option<&str>) -> Result<Self> {
        let at = table.schema().position("sensitive", sensitive)?;
        let domain = &table.attribute(at).domain;
        if !domain.is_empty() && domain.number(1).is_none() {
            return Err(no_numbers(sensitive));
        }
        let range = range_over.map(|name| {
            let at = table.schema().position("range_over", name)?;
            let kind = table.attribute(at).domain.kind();
            if !kind.is_ordered() {
                return Err(no_order(name));
            }
            Ok(table_positions(table, at))
        });
        Ok(Columns { sensitive: at, domain, range: range.transpose()? })
    }

    fn truth(&self, table: &Table) -> Truth {
        let numbers: Vec<f64> = table.column(self.sensitive).iter().map(|code| self.domain.place(code)).collect();
        match &self.range {
            Some(column) => Truth::new(numbers.clone()).with_range(column, numbers.into_iter()),
            None => Truth::new(numbers),
        }
    }
}

/// Sums need numbers.
pub(in super::super) fn no_numbers(column: &str) -> Error {
    Error::request("bounds", column, "the values of this column are no numbers")
        .hint("name a sensitive column of numbers in «sensitive»")
}

/// Ranges need an order.
pub(in super::super) fn no_order(column: &str) -> Error {
    Error::request("range_over", column, "this column has no order to take ranges of")
        .hint("name a quasi-identifier of numbers, dates or ordinal labels")
}
