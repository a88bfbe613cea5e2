//! Rules applied to a table.

use super::change::{self, Effect};
use super::condition::Fault;
use super::lookup::matching;
use super::predicate::{self, BoundCondition};
use super::value::Scale;
use super::working::WorkingColumn;
use super::{Rule, RuleCount, Rules, reach};
use rayon::prelude::*;
use scumble_io::Order;
use scumble_table::{Error, Monitor, Result, RowMask, Schema, Table};

/// What rules must know about a column besides its domain.
pub struct RuleColumn<'a> {
    /// The whole order of its labels, where a list gives it.
    pub order: Option<&'a Order>,
    /// Texts that mean a missing value, besides the empty one.
    pub nulls: &'a [String],
    /// Loaded for the rules alone; it is not in the table that they leave.
    pub unpublished: bool,
}

/// A rule that knows its columns.
pub(super) struct BoundRule<'a> {
    pub(super) rule: &'a Rule,
    /// All records where there is none.
    pub(super) when: Option<BoundCondition>,
    pub(super) effect: Effect,
}

/// Applies rules to a table; `columns` holds what the table does not tell about each of its columns.
///
/// # Errors
/// If a rule does not suit the columns or could never do anything, if no record is left, and [`Error::Cancelled`].
pub fn apply(
    rules: &Rules,
    table: Table,
    columns: &[RuleColumn<'_>],
    monitor: Monitor<'_>,
) -> Result<(Table, Vec<RuleCount>)> {
    if rules.is_empty() {
        return Ok((table, Vec::new()));
    }
    let attributes = table.schema().attributes().iter().zip(columns);
    let scales: Vec<Scale> = attributes.map(|(a, column)| Scale::new(a, column)).collect();
    let bound = rules.rules.iter().map(|rule| {
        let when = rule.when.as_ref().map(|when| predicate::bind(&when.0, &scales)).transpose();
        let effect = change::bind(&rule.actions, &scales);
        when.and_then(|when| Ok(BoundRule { rule, when, effect: effect? })).map_err(|fault| rules.error(rule, fault))
    });
    let bound = bound.collect::<Result<Vec<_>>>()?;
    if let Some((at, fault)) = reach::unreachable(&bound, &scales, monitor) {
        return Err(rules.error(bound[at].rule, fault));
    }
    let n_rows = table.n_rows();
    let mut state = State {
        columns: table
            .into_columns()
            .into_iter()
            .map(|(attribute, codes)| WorkingColumn::new(attribute, codes))
            .collect(),
        scales: &scales,
        staying: RowMask::all(n_rows),
    };
    let mut counts = Vec::with_capacity(bound.len());
    for rule in &bound {
        monitor.check()?;
        counts.push(state.run(rule).map_err(|fault| rules.error(rule.rule, fault))?);
    }
    let n_left = state.staying.count() as usize;
    if n_left == 0 {
        let reason = format!("the rules delete all {n_rows} records, and nothing is left to publish");
        return Err(Error::data(&rules.file, reason).hint("let fewer records meet the conditions of `delete`"));
    }
    Ok((state.finish(n_left, &rules.file, monitor)?, counts))
}

/// A table while rules are applied to it.
struct State<'a> {
    columns: Vec<WorkingColumn>,
    scales: &'a [Scale],
    staying: RowMask,
}

impl State<'_> {
    fn run(&mut self, rule: &BoundRule<'_>) -> Result<RuleCount, Fault> {
        let rows = match &rule.when {
            Some(when) => matching(when, &mut self.columns, self.scales, &self.staying),
            None => self.staying.clone(),
        };
        let mut count =
            RuleCount { name: rule.rule.name.clone(), matched: rows.count(), changed: 0, deleted: 0, cells: 0 };
        match &rule.effect {
            Effect::Delete => {
                self.staying.remove(&rows);
                count.deleted = count.matched;
            }
            Effect::Change(changes) => {
                let mut any = RowMask::none(self.columns.first().map_or(0, |column| column.codes.len()));
                for change in changes {
                    let changed = self.columns[change.column].change(change, &self.scales[change.column], &rows)?;
                    count.cells += changed.count();
                    any.add(&changed);
                }
                count.changed = any.count();
            }
        }
        Ok(count)
    }

    /// The table that is left, without the columns that were there for the rules alone.
    fn finish(self, n_rows: usize, file: &str, monitor: Monitor<'_>) -> Result<Table> {
        let State { columns, scales, staying } = self;
        let kept: Vec<(WorkingColumn, &Scale)> =
            columns.into_iter().zip(scales).filter(|(_, scale)| !scale.unpublished).collect();
        let finish = |(column, scale): (WorkingColumn, &Scale)| {
            monitor.check()?;
            let finished = column.finish(scale, &staying);
            // Bounds can bring in digits that the column has no room for.
            finished.map_err(|error| match error {
                Error::Request { reason, .. } => Error::data(file, format!("after the rules, {reason}"))
                    .at(None, Some(&scale.name))
                    .hint("give bounds and steps with fewer digits"),
                // Its message could show values of people.
                Error::Data { .. } => Error::bug(format!("rules gave `{}` a value that is no leaf", scale.name)),
                other => other,
            })
        };
        let finished: Vec<Result<_>> = kept.into_par_iter().with_max_len(1).map(finish).collect();
        let (attributes, codes) = finished.into_iter().collect::<Result<(Vec<_>, Vec<_>)>>()?;
        Table::new(Schema::new(attributes)?, codes, n_rows)
    }
}
