//! Rules applied to a table.

use super::change::{self, Change, Deed};
use super::condition::Fault;
use super::mask::{Mask, matching};
use super::predicate::{self, Bound};
use super::value::Scale;
use super::working::{Changed, Working};
use super::{Rule, RuleCount, Rules, reach};
use rayon::prelude::*;
use scumble_io::Order;
use scumble_table::{Error, Monitor, Result, Schema, Table};

/// What is known about a column beside its domain.
pub struct RuleColumn<'a> {
    /// The whole order of its labels, where a list gives it.
    pub order: Option<&'a Order>,
    /// Texts that mean a missing value, beside the empty one.
    pub nulls: &'a [String],
    /// Loaded for the rules alone; it is not in the table that they leave.
    pub unpublished: bool,
}

/// A rule that knows its columns.
pub(super) struct BoundRule<'a> {
    pub(super) rule: &'a Rule,
    /// All records where there is none.
    pub(super) when: Option<Bound>,
    pub(super) deed: Deed,
}

/// Applies rules to a table; `columns` tells of each of its columns what the table does not.
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
    let scales: Vec<Scale> = attributes.map(|(a, column)| Scale::of(a, column)).collect();
    let bound = rules.rules.iter().map(|rule| {
        let when = rule.when.as_ref().map(|when| predicate::bind(&when.0, &scales)).transpose();
        let deed = change::bind(&rule.actions, &scales);
        when.and_then(|when| Ok(BoundRule { rule, when, deed: deed? })).map_err(|fault| rules.error(rule, fault))
    });
    let bound = bound.collect::<Result<Vec<_>>>()?;
    if let Some((at, fault)) = reach::unreachable(&bound, &scales) {
        return Err(rules.error(bound[at].rule, fault));
    }
    let n_rows = table.n_rows();
    let mut state = State {
        columns: table.into_columns().into_iter().map(|(attribute, codes)| Working::new(attribute, codes)).collect(),
        scales: &scales,
        staying: Mask::all(n_rows),
    };
    let counts = bound.iter().map(|rule| state.run(rule).map_err(|fault| rules.error(rule.rule, fault)));
    let counts = counts.collect::<Result<Vec<_>>>()?;
    let n_left = state.staying.count() as usize;
    if n_left == 0 {
        let reason = format!("the rules delete all {n_rows} records, and nothing is left to publish");
        return Err(Error::data(&rules.file, reason).hint("let fewer records meet the conditions of `delete`"));
    }
    Ok((state.finish(n_left, &rules.file)?, counts))
}

/// A table that rules are at work on.
struct State<'a> {
    columns: Vec<Working>,
    scales: &'a [Scale],
    staying: Mask,
}

impl State<'_> {
    fn run(&mut self, rule: &BoundRule<'_>) -> Result<RuleCount, Fault> {
        let rows = match &rule.when {
            Some(when) => matching(when, &mut self.columns, self.scales, &self.staying),
            None => self.staying.clone(),
        };
        let mut count =
            RuleCount { name: rule.rule.name.clone(), matched: rows.count(), changed: 0, deleted: 0, cells: 0 };
        match &rule.deed {
            Deed::Delete => {
                self.staying.remove(&rows);
                count.deleted = count.matched;
            }
            Deed::Change(changes) => {
                let mut any = Mask::none(self.columns.first().map_or(0, |column| column.codes.len()));
                for change in changes {
                    let changed = self.change(change, &rows)?;
                    count.cells += changed.count();
                    any.add(&changed);
                }
                count.changed = any.count();
            }
        }
        Ok(count)
    }

    fn change(&mut self, change: &Change, rows: &Mask) -> Result<Mask, Fault> {
        let scale = &self.scales[change.column];
        match self.columns[change.column].change(change, scale, rows) {
            Changed::Rows(changed) => Ok(changed),
            Changed::TooFine => Err(Fault::new(format!(
                "`generalize`: a number of column `{}` and the step have more than 38 digits together",
                scale.name
            ))
            .hint("give a step with fewer digits")),
            Changed::NoLeaf => Err(Fault::new(format!(
                "`generalize`: a step of column `{}` begins at a value that is no leaf of its hierarchy",
                scale.name
            ))
            .hint("give a step whose first values the hierarchy lists")),
        }
    }

    /// The table that is left, without the columns that were there for the rules alone.
    fn finish(self, n_rows: usize, file: &str) -> Result<Table> {
        let State { columns, scales, staying } = self;
        let kept: Vec<(Working, &Scale)> =
            columns.into_iter().zip(scales).filter(|(_, scale)| !scale.unpublished).collect();
        let finish = |(column, scale): (Working, &Scale)| {
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
        let (mut attributes, mut codes) = (Vec::new(), Vec::new());
        for column in finished {
            let (attribute, column) = column?;
            attributes.push(attribute);
            codes.push(column);
        }
        Table::new(Schema::new(attributes)?, codes, n_rows)
    }
}
