//! Answers over generalized quasi-identifiers: every row matches for certain, perhaps, or not at all.
//!
//! A row lies somewhere in its box, anywhere with equal chance. The cells of each column (`column_cells`) are put into classes
//! that no part of the condition tells apart, and the box of a group has a share of each class; what the condition says
//! of every combination of classes is worked out once.

mod classes;
mod column_cells;
mod conditions;
mod pieces;

use crate::answer::{AggregateAnswer, AnswerRow, QueryAnswer};
use crate::columns::place_of;
use crate::context::QueryContext;
use crate::engine;
use crate::value::{Value, units};
use classes::{QuestionSpace, RowShare};
use scumble_answer::{Confidence, UncertainRows};
use scumble_release::Boxed;
use scumble_table::{GroupedRows, Result, rows_by_group};
use std::collections::BTreeMap;

/// Rows of a generalized release, ready for questions.
pub(crate) struct BoxIndex {
    boxed: Boxed,
    /// Rows of each group.
    members: GroupedRows,
}

/// How a row matches, for one combination of keys.
#[derive(Clone, Copy)]
pub(crate) struct RowMatch {
    pub(crate) row: u32,
    /// The part of its box that matches.
    pub(crate) share: f64,
    /// Whether the whole box does.
    pub(crate) certain: bool,
}

/// The rows that may match a question.
pub(crate) struct MatchedRows {
    /// For each combination of keys, in the order of the keys.
    pub(crate) by_key: Vec<(Vec<Value>, Vec<RowMatch>)>,
    /// What a reader should know of how they were found.
    pub(crate) notes: Vec<String>,
}

impl BoxIndex {
    pub(crate) fn new(boxed: Boxed) -> Self {
        BoxIndex { members: rows_by_group(&boxed.row_group, boxed.sizes.len()), boxed }
    }

    /// Answers a question.
    pub(crate) fn answer(&self, context: QueryContext<'_>, confidence: Option<Confidence>) -> Result<QueryAnswer> {
        let wanted = self.wanted(context)?;
        let found = self.matches(context, |row| wanted[row as usize])?;
        let mut rows = Vec::with_capacity(found.by_key.len());
        for (keys, matches) in found.by_key {
            context.monitor.check()?;
            let answers = context.question.aggregates.iter().map(|asked| {
                let place =
                    asked.column.map(|at| place_of(&self.boxed.values, context.columns.name(at))).transpose()?;
                let shown = place.map(|place| &self.boxed.values[place]);
                let mut rows = UncertainRows::new();
                for RowMatch { row, share, certain } in &matches {
                    let number = shown.and_then(|shown| units(shown, shown.codes.get(*row as usize)));
                    if *certain {
                        rows.add_certain(number);
                    } else {
                        rows.add_uncertain(number, share.clamp(0.0, 1.0))?;
                    }
                }
                // That people are spread evenly over their boxes is a model.
                let answer = rows.answer(asked.aggregate, confidence)?.without_guarantee();
                Ok(AggregateAnswer::new(asked, &answer, shown))
            });
            rows.push(AnswerRow { keys, answers: answers.collect::<Result<_>>()? });
        }
        let mut answer = QueryAnswer::new(context, rows, self.suppressed());
        answer.notes.extend(found.notes);
        Ok(answer)
    }

    /// Rows without a group.
    pub(crate) fn suppressed(&self) -> u64 {
        (self.boxed.row_group.len() - self.members.rows.len()) as u64
    }

    /// The quasi-identifying columns that it shows.
    pub(crate) fn quasi(&self) -> impl Iterator<Item = &str> {
        self.boxed.quasi.iter().map(|column| column.column.name())
    }

    /// Whether it shows a column, in boxes or as it is.
    pub(crate) fn shows(&self, name: &str) -> bool {
        self.quasi().any(|known| known == name) || self.boxed.values.iter().any(|known| known.column.name() == name)
    }

    /// Which of the `wanted` rows may match the question's condition on people, and how.
    pub(crate) fn matches(&self, context: QueryContext<'_>, wanted: impl Fn(u32) -> bool) -> Result<MatchedRows> {
        let space = QuestionSpace::new(context, &self.boxed)?;
        let mut found: BTreeMap<Vec<u32>, Vec<RowMatch>> = BTreeMap::new();
        if context.question.keys.is_empty() {
            found.insert(Vec::new(), Vec::new());
        }
        let mut place = |row: u32, shares: &[RowShare]| {
            for share in shares {
                let matches = found.entry(share.key.clone()).or_default();
                matches.push(RowMatch { row, share: share.share, certain: share.certain });
            }
        };
        let looks_at_rows = space.looks_at_rows();
        for (group, rows) in self.members.groups().enumerate() {
            context.monitor.check()?;
            let shares = if looks_at_rows { Vec::new() } else { space.shares(group, None)? };
            for &row in rows.iter().filter(|&&row| wanted(row)) {
                if looks_at_rows {
                    place(row, &space.shares(group, Some(row))?);
                } else {
                    place(row, &shares);
                }
            }
        }
        let by_key = found.into_iter().map(|(key, matches)| (space.key_values(&key), matches)).collect();
        let whole =
            |name: &str| format!("`{name}` is taken to hold whole numbers, as all that the release shows of it are");
        let notes = space.taken_as_whole().map(whole).collect();
        Ok(MatchedRows { by_key, notes })
    }

    /// Which rows satisfy the condition on sensitive columns, whose values are exact.
    fn wanted(&self, context: QueryContext<'_>) -> Result<Vec<bool>> {
        let n_rows = self.boxed.row_group.len();
        let Some(condition) = &context.question.sensitive else { return Ok(vec![true; n_rows]) };
        context.satisfied(condition, n_rows, |name| {
            let column = &self.boxed.values[place_of(&self.boxed.values, name)?];
            engine::array(&column.domain, column.codes.iter())
        })
    }
}
