//! A release and its source, ready for questions about bounds.

use super::{ComparedSource, Comparison, Estimator};
use crate::bounds::{no_numbers, no_order};
use crate::partition::code_numbers;
use crate::{GroupedNumbers, RankSwapped, Truth, row_groups};
use scumble_release::SUPPRESSED;
use scumble_table::{
    Attribute, Codes, Domain, Error, Kind, Monitor, Partition, Result, Role, Schema, Table, did_you_mean,
};

/// Published numbers by group.
pub(super) struct PublishedNumbers {
    /// Group of each place, or [`SUPPRESSED`], and the code of its number.
    pub(super) group: Vec<u32>,
    pub(super) codes: Vec<u32>,
    /// Number of each code in units of `10^-scale`.
    pub(super) numbers: Vec<Option<i128>>,
    pub(super) scale: u8,
}

/// Boxes and batches bound an answer together, one question at a time.
fn not_of_angel() -> Error {
    Error::request("bounds", "", "widths of bounds are not measured on angel releases")
        .hint("`scumble query` answers them with bounds")
}

impl Comparison {
    /// The quasi-identifier to take ranges of: the named one, or the first that has an order.
    ///
    /// # Errors
    /// If there is no such quasi-identifier, or it has no order.
    pub fn range_column(&self, name: Option<&str>) -> Result<Option<usize>> {
        let Some(name) = name else { return Ok(self.ordered.iter().position(|(_, ordered)| *ordered)) };
        match self.ordered.iter().position(|(known, _)| known == name) {
            Some(at) if self.ordered[at].1 => Ok(Some(at)),
            Some(_) => Err(no_order(name)),
            None => Err(self.no_quasi("range_over", name)),
        }
    }

    /// That no quasi-identifier has a name that a field of the request gives.
    pub(super) fn no_quasi(&self, field: &str, name: &str) -> Error {
        let names: Vec<&str> = self.ordered.iter().map(|(name, _)| name.as_str()).collect();
        Error::request(field, name, "the release has no quasi-identifier of this name")
            .hint(did_you_mean(name, &names, "they are"))
    }

    /// The release as bounds know it, with true answers of the source. Arbitrary questions are about the published rows, whose
    /// values are assigned inside groups (see [`GroupedNumbers::new`]), ranges about the source.
    ///
    /// # Errors
    /// If the sensitive values are no numbers, or the work was cancelled.
    pub fn grouped(&self, range_over: Option<usize>, monitor: Monitor<'_>) -> Result<(GroupedNumbers, Truth)> {
        let Some(source) = &self.source else {
            return Err(Error::request("bounds", "", "the release has no sensitive column").hint("leave «bounds» out"));
        };
        let Some(PublishedNumbers { group, codes, numbers, scale }) = &self.numbers else {
            return Err(no_numbers(&source.sensitive));
        };
        if let Estimator::Angel(_) = &self.estimator {
            return Err(not_of_angel());
        }
        // Suppressed rows of a generalized table show no value, so no question is about them.
        let shown = || group.iter().zip(codes).filter(|(group, _)| **group != SUPPRESSED);
        let (groups, codes): (Vec<u32>, Vec<u32>) = shown().unzip();
        monitor.check()?;
        let mut grouped = GroupedNumbers::new(groups, self.sizes.len(), &codes, numbers, *scale)?;
        monitor.check()?;
        let mut truth = Truth::new(grouped.numbers());
        if let Some(at) = range_over {
            grouped = match &self.estimator {
                Estimator::Generalized(table) => grouped.with_boxes(table.boxes()[at].clone()),
                Estimator::Anatomy(table) => grouped.with_places(&table.quasi()[at], &table.row_groups()),
                Estimator::Angel(_) => return Err(not_of_angel()),
            };
            truth = truth.with_range(&source.microdata.quasi()[at], source.places());
        }
        Ok((grouped, truth))
    }
}

impl ComparedSource {
    /// The sensitive column alone as a table, for methods that group by it; nothing where it has no numbers.
    ///
    /// # Errors
    /// Never, if the source was read as it should be.
    pub fn table(&self) -> Result<Option<Table>> {
        let Some((domain, codes)) = self.numbers() else { return Ok(None) };
        let attribute = Attribute { name: self.sensitive.clone(), role: Role::Sensitive, domain: domain.clone() };
        Table::new(Schema::new(vec![attribute])?, vec![codes.clone()], codes.len()).map(Some)
    }

    /// The source under a partition, with true answers: as an exact release of these groups would be asked.
    ///
    /// # Errors
    /// If the sensitive values are no numbers, or the work was cancelled.
    pub fn grouped(
        &self,
        partition: &Partition,
        range_over: Option<usize>,
        monitor: Monitor<'_>,
    ) -> Result<GroupedNumbers> {
        let Some((domain, codes)) = self.numbers() else { return Err(no_numbers(&self.sensitive)) };
        let row_group = row_groups(partition);
        let (codes, numbers): (Vec<u32>, _) = (codes.iter().collect(), code_numbers(domain));
        let grouped = GroupedNumbers::new(row_group.clone(), partition.n_groups(), &codes, &numbers, domain.scale())?;
        monitor.check()?;
        Ok(match range_over {
            Some(at) => grouped.with_places(&self.microdata.quasi()[at], &row_group),
            None => grouped,
        })
    }

    /// The source after rank-based swapping under (k, e), `e` in units of the sensitive column.
    ///
    /// # Errors
    /// If the sensitive values are no numbers, or do not satisfy (k, e) all together, or the work was cancelled.
    pub fn rank_swapped(
        &self,
        ke: (u64, i128),
        seed: u64,
        range_over: Option<usize>,
        monitor: Monitor<'_>,
    ) -> Result<RankSwapped> {
        let Some((domain, codes)) = self.numbers() else { return Err(no_numbers(&self.sensitive)) };
        let people: Vec<Option<i128>> = codes.iter().map(|code| domain.number(code)).collect();
        let swapped = RankSwapped::new(&people, ke, domain.scale(), seed, monitor)?;
        Ok(match range_over {
            Some(at) => swapped.with_places(self.microdata.quasi()[at].clone()),
            None => swapped,
        })
    }

    /// True answers about the source's own rows.
    pub fn truth(&self, range_over: Option<usize>) -> Truth {
        let truth = Truth::new(self.places().collect());
        match range_over {
            Some(at) => truth.with_range(&self.microdata.quasi()[at], self.places()),
            None => truth,
        }
    }

    /// Digits after the point of the sensitive numbers; nothing where they are none.
    pub fn scale(&self) -> Option<u8> {
        self.numbers().map(|(domain, _)| domain.scale())
    }

    fn numbers(&self) -> Option<(&Domain, &Codes)> {
        let (domain, _) = self.values.as_ref().filter(|(domain, _)| domain.kind() == Kind::Number)?;
        Some((domain, self.codes.as_ref()?))
    }

    /// The sensitive number of each row, NaN where null.
    fn places(&self) -> impl Iterator<Item = f64> + '_ {
        let sensitive = self.microdata.sensitive();
        (0..sensitive.len()).map(|row| sensitive.place(row))
    }
}
