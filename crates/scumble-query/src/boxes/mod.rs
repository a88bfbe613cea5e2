//! Answers over generalized quasi-identifiers: every row matches for certain, perhaps, or not at all.
//!
//! A row lies somewhere in its box, anywhere with equal chance. The cells of each column (`line`) are put into classes
//! that no part of the condition tells apart, and the box of a group has a share of each class; what the condition says
//! of every combination of classes is worked out once.

mod classes;
mod conditions;
mod line;
mod pieces;
mod tree;

use crate::answer::{AggregateAnswer, AnswerRow, QueryAnswer};
use crate::columns::Columns;
use crate::engine::{self, Engine};
use crate::question::{Question, columns_of};
use crate::value::{Unit, Value, units};
use arrow_array::Array;
use classes::Share;
use classes::Space;
use scumble_answer::{Confidence, UncertainRows};
use scumble_release::{Boxed, SUPPRESSED, ShownColumn};
use scumble_table::{Error, Result};
use std::collections::BTreeMap;

/// Rows of a generalized release, ready for questions.
pub(crate) struct Rows {
    boxed: Boxed,
    /// Rows of each group.
    members: Vec<Vec<u32>>,
    suppressed: u64,
}

/// How a row matches, for one combination of keys.
#[derive(Clone, Copy)]
pub(crate) struct Match {
    pub(crate) row: u32,
    /// The part of its box that matches.
    pub(crate) share: f64,
    /// Whether the whole box does.
    pub(crate) certain: bool,
}

/// The rows that may match a question.
pub(crate) struct Found {
    /// For each combination of keys, in the order of the keys.
    pub(crate) by_key: Vec<(Vec<Value>, Vec<Match>)>,
    /// What a reader should know of how they were found.
    pub(crate) notes: Vec<String>,
}

impl Rows {
    pub(crate) fn new(boxed: Boxed) -> Self {
        let mut members = vec![Vec::new(); boxed.sizes.len()];
        let mut suppressed = 0;
        for (row, &group) in boxed.row_group.iter().enumerate() {
            match members.get_mut(group as usize) {
                Some(rows) => rows.push(row as u32),
                None => suppressed += u64::from(group == SUPPRESSED),
            }
        }
        Rows { boxed, members, suppressed }
    }

    /// Answers a question.
    pub(crate) fn answer(
        &self,
        question: &Question,
        columns: &Columns,
        engine: &Engine,
        confidence: Option<Confidence>,
    ) -> Result<QueryAnswer> {
        let wanted = self.wanted(question, columns, engine)?;
        let found = self.matches(question, columns, engine, |row| wanted[row as usize])?;
        let mut rows = Vec::with_capacity(found.by_key.len());
        for (keys, matches) in found.by_key {
            let answers = question.aggregates.iter().map(|asked| {
                let column = asked.column.map(|at| self.value_column(columns.name(at))).transpose()?;
                let mut likely = UncertainRows::new();
                for Match { row, share, certain } in &matches {
                    let number =
                        column.and_then(|shown| units(&shown.column, &shown.domain, shown.codes.get(*row as usize)));
                    if *certain {
                        likely.add_certain(number);
                    } else {
                        likely.add_uncertain(number, share.clamp(0.0, 1.0))?;
                    }
                }
                let unit = column.map_or(Unit::Number(0), |shown| Unit::of(&shown.column, shown.domain.scale()));
                let mut figure = AggregateAnswer::of(asked, &likely.answer(asked.aggregate, confidence)?, &unit);
                // That people are spread evenly over their boxes is a model: it guarantees nothing.
                if let Some(interval) = &mut figure.interval {
                    interval.guaranteed = None;
                }
                Ok(figure)
            });
            let answers = answers.collect::<Result<Vec<AggregateAnswer>>>()?;
            rows.push(AnswerRow { keys, answers });
        }
        let mut answered = QueryAnswer::new(question, |at| columns.name(at).to_string(), rows, self.suppressed);
        answered.notes.extend(found.notes);
        Ok(answered)
    }

    /// Rows without a group.
    pub(crate) fn suppressed(&self) -> u64 {
        self.suppressed
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
    pub(crate) fn matches(
        &self,
        question: &Question,
        columns: &Columns,
        engine: &Engine,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Found> {
        let space = Space::new(question, columns, &self.boxed, engine)?;
        let mut found: BTreeMap<Vec<u32>, Vec<Match>> = BTreeMap::new();
        if question.keys.is_empty() {
            found.insert(Vec::new(), Vec::new());
        }
        let mut place = |row: u32, shares: &[Share]| {
            for share in shares {
                let matches = found.entry(share.key.clone()).or_default();
                matches.push(Match { row, share: share.share, certain: share.certain });
            }
        };
        let looks_at_rows = space.looks_at_rows();
        for (group, rows) in self.members.iter().enumerate() {
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
        let notes = space.taken_as_whole().into_iter().map(whole).collect();
        Ok(Found { by_key, notes })
    }

    fn value_column(&self, name: &str) -> Result<&ShownColumn> {
        let found = self.boxed.values.iter().find(|column| column.column.name() == name);
        found.ok_or_else(|| Error::bug(format!("column {name} shows no values")))
    }

    /// Which rows satisfy the condition on sensitive columns, whose values are exact.
    fn wanted(&self, question: &Question, columns: &Columns, engine: &Engine) -> Result<Vec<bool>> {
        let n_rows = self.boxed.row_group.len();
        let Some(condition) = &question.sensitive else { return Ok(vec![true; n_rows]) };
        let mut arrays = Vec::new();
        for at in columns_of(condition, columns) {
            let column = self.value_column(columns.name(at))?;
            arrays.push((columns.name(at), engine::array(&column.domain, column.codes.iter())?));
        }
        let batch = engine::batch(arrays, n_rows)?;
        let truth = engine.compile(condition, &batch.schema())?.evaluate(&batch)?;
        Ok((0..n_rows).map(|row| truth.is_valid(row) && truth.value(row)).collect())
    }
}
