//! Answers over angel releases: people in boxes, and their sensitive values known batch by batch.
//!
//! Every table of boxes shows all people beside their batches, so any that has the columns of a question can answer it. The
//! one with the fewest others is taken (section 5 of the paper): the fewer columns share the cuts, the narrower the boxes
//! are in those that matter.
//!
//! In a batch `B`, `L` people lie inside the question for certain and `P` perhaps, and `a` of its values match: between
//! `max(0, L + a - |B|)` and `min(L + P, a)` of the values that match are theirs. For the estimate people are spread
//! evenly over their boxes, and every assignment of the values of a batch to its people is equally likely, which
//! makes the expected COUNT formula 8 of the paper times the number of people.

use crate::answer::{AggregateAnswer, AnswerRow, QueryAnswer};
use crate::boxes::{Match, Rows};
use crate::columns::Columns;
use crate::engine::Engine;
use crate::people::Set;
use crate::question::{Asked, Question, columns_of};
use crate::rewrite::{BoxConditions, ToldBy};
use crate::value::Unit;
use rayon::prelude::*;
use scumble_answer::{Confidence, MatchingValues, Pool, Selection};
use scumble_release::{Angelized, PlacedValues};
use scumble_table::{Error, Result, Role};
use std::sync::Arc;

/// The tables of an angel release, ready for questions.
pub(crate) struct Batches {
    batches: PlacedValues,
    set: Set,
    /// The tables of boxes: the one over all quasi-identifiers first.
    tables: Vec<Boxes>,
}

/// A table of boxes beside batch numbers.
struct Boxes {
    name: String,
    rows: Rows,
    /// Batch of each row.
    row_batch: Vec<u32>,
}

impl Batches {
    pub(crate) fn new(angel: Angelized) -> Self {
        let batches = angel.placed();
        let set = Set::new(&batches);
        let tables = angel.views.into_iter().map(|view| Boxes {
            name: view.name,
            rows: Rows::new(view.boxed),
            row_batch: view.row_batch,
        });
        Batches { set, tables: tables.collect(), batches }
    }

    /// The table that answers a question.
    pub(crate) fn table(&self, question: &Question, columns: &Columns) -> Result<&str> {
        self.best(question, columns).map(|boxes| boxes.name.as_str())
    }

    /// Answers a question.
    pub(crate) fn answer(
        &self,
        question: &Question,
        columns: &Columns,
        engine: &Engine,
        confidence: Option<Confidence>,
    ) -> Result<QueryAnswer> {
        let boxes = self.best(question, columns)?;
        let found = boxes.rows.matches(question, columns, engine, |_| true)?;
        let marks = match &question.sensitive {
            Some(condition) => Some(self.set.matches(&self.batches, condition, columns, engine)?),
            None => None,
        };
        let places = question.aggregates.iter().map(|asked| self.place(asked, columns));
        let places = places.collect::<Result<Vec<Option<usize>>>>()?;
        let pools = places.iter().map(|place| self.set.pool(&self.batches, *place));
        let pools = pools.collect::<Result<Vec<Arc<Pool>>>>()?;
        let matching =
            pools.iter().map(|pool| pool.matching(marks.as_deref())).collect::<Result<Vec<MatchingValues>>>()?;
        let row = |(keys, matches): (Vec<crate::Value>, Vec<Match>)| {
            let person = |found: &Match| {
                let open = (!found.certain).then(|| found.share.clamp(0.0, 1.0));
                (boxes.row_batch[found.row as usize], open)
            };
            let selection = Selection::new(matches.iter().map(person).collect())?;
            let figures = question.aggregates.iter().zip(&matching).zip(&places).map(|((asked, matching), place)| {
                let unit = match place.map(|place| &self.batches.columns[place]) {
                    Some(shown) => Unit::of(&shown.column, shown.domain.scale()),
                    None => Unit::Number(0),
                };
                Ok(AggregateAnswer::of(
                    asked,
                    &matching.answer_uncertain(asked.aggregate, &selection, confidence)?,
                    &unit,
                ))
            });
            Ok(AnswerRow { keys, answers: figures.collect::<Result<Vec<AggregateAnswer>>>()? })
        };
        let rows = found.by_key.into_par_iter().map(row).collect::<Result<Vec<AnswerRow>>>()?;
        let name = |at: usize| columns.name(at).to_string();
        let mut answered = QueryAnswer::new(question, name, rows, boxes.rows.suppressed());
        answered.table = Some(boxes.name.clone());
        answered.notes.extend(found.notes);
        Ok(answered)
    }

    /// The table that answers a question, and its conditions put to the texts there.
    pub(crate) fn conditions(
        &self,
        question: &Question,
        columns: &Columns,
        engine: &Engine,
    ) -> Result<(&str, BoxConditions)> {
        let boxes = self.best(question, columns)?;
        Ok((&boxes.name, boxes.rows.conditions(question, columns, engine, ToldBy::Text)?))
    }

    /// The table that has all columns of the question and the fewest quasi-identifiers besides; the first of several.
    fn best(&self, question: &Question, columns: &Columns) -> Result<&Boxes> {
        let mut used = question.people.as_ref().map_or(Vec::new(), |condition| columns_of(condition, columns));
        used.extend(&question.keys);
        used.sort_unstable();
        used.dedup();
        let wanted = used.iter().filter(|&&at| columns.get(at).role() == Role::Quasi).count();
        let fit = self.tables.iter().filter(|boxes| used.iter().all(|&at| boxes.rows.shows(columns.name(at))));
        fit.min_by_key(|boxes| boxes.rows.quasi().count() - wanted)
            .ok_or_else(|| Error::bug("no table has the columns of a question"))
    }

    /// The place of an aggregate's column among the sensitive ones.
    fn place(&self, asked: &Asked, columns: &Columns) -> Result<Option<usize>> {
        let Some(at) = asked.column else { return Ok(None) };
        let place = self.batches.columns.iter().position(|column| column.column.name() == columns.name(at));
        place.map(Some).ok_or_else(|| Error::bug("a sensitive column is in no batch"))
    }
}
