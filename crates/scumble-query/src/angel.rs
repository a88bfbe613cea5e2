//! Answers over angel releases: people in boxes, and their sensitive values known batch by batch.
//!
//! Every table of boxes shows all people with their batches, so any that has the columns of a question can answer it. The
//! one with the fewest others is taken (section 5 of the paper): the fewer columns share the cuts, the narrower the boxes
//! are in those that matter.
//!
//! In a batch `B`, `L` people lie inside the question for certain and `P` perhaps, and `a` of its values match: between
//! `max(0, L + a - |B|)` and `min(L + P, a)` of the values that match are theirs. For the estimate people are spread
//! evenly over their boxes, and every assignment of the values of a batch to its people is equally likely, which
//! makes the expected COUNT formula 8 of the paper times the number of people.

use crate::answer::{AggregateAnswer, AnswerRow, QueryAnswer};
use crate::boxes::{BoxIndex, RowMatch};
use crate::columns::Columns;
use crate::context::QueryContext;
use crate::people::SensitiveSet;
use crate::question::{Question, columns_of};
use crate::rewrite::{BoxConditions, IdentifiedBy};
use rayon::prelude::*;
use scumble_answer::{Confidence, MatchingValues, Pool, Selection};
use scumble_release::Angelized;
use scumble_table::{Error, Result, Role};
use std::sync::Arc;

/// The tables of an angel release, ready for questions.
pub(crate) struct BatchIndex {
    set: SensitiveSet,
    /// The tables of boxes: the one over all quasi-identifiers first.
    views: Vec<BoxView>,
}

/// A table of boxes with batch numbers.
struct BoxView {
    name: String,
    boxes: BoxIndex,
    /// Batch of each row.
    row_batch: Vec<u32>,
}

impl BatchIndex {
    pub(crate) fn new(angel: Angelized) -> Self {
        let set = SensitiveSet::new(angel.placed());
        let views = angel.views.into_iter().map(|view| BoxView {
            name: view.name,
            boxes: BoxIndex::new(view.boxed),
            row_batch: view.row_batch,
        });
        BatchIndex { set, views: views.collect() }
    }

    /// The table that answers a question.
    pub(crate) fn table(&self, question: &Question, columns: &Columns) -> Result<&str> {
        self.best_view(question, columns).map(|view| view.name.as_str())
    }

    /// Answers a question.
    pub(crate) fn answer(&self, context: QueryContext<'_>, confidence: Option<Confidence>) -> Result<QueryAnswer> {
        let aggregates = &context.question.aggregates;
        let view = self.best_view(context.question, context.columns)?;
        let found = view.boxes.matches(context, |_| true)?;
        let marks = self.set.matching_keys(context)?;
        let places = aggregates.iter().map(|asked| self.set.place(context, asked.column));
        let places = places.collect::<Result<Vec<Option<usize>>>>()?;
        let pools = places.iter().map(|place| self.set.pool(*place)).collect::<Result<Vec<Arc<Pool>>>>()?;
        let matching =
            pools.iter().map(|pool| pool.matching(marks.as_deref())).collect::<Result<Vec<MatchingValues>>>()?;
        let person = |found: &RowMatch| {
            let open = (!found.certain).then(|| found.share.clamp(0.0, 1.0));
            (view.row_batch[found.row as usize], open)
        };
        let rows = found.by_key.into_par_iter().map(|(keys, matches)| {
            context.monitor.check()?;
            let selection = Selection::new(matches.iter().map(person).collect())?;
            let answers = aggregates.iter().zip(&matching).zip(&places).map(|((asked, matching), place)| {
                let answer = matching.answer_uncertain(asked.aggregate, &selection, confidence)?;
                Ok(AggregateAnswer::new(asked, &answer, place.map(|place| &self.set.values.columns[place])))
            });
            Ok(AnswerRow { keys, answers: answers.collect::<Result<_>>()? })
        });
        let rows = rows.collect::<Result<Vec<AnswerRow>>>()?;
        let mut answer = QueryAnswer::new(context, rows, view.boxes.suppressed());
        answer.table = Some(view.name.clone());
        answer.notes.extend(found.notes);
        Ok(answer)
    }

    /// The table that answers a question, and its conditions put to the texts there.
    pub(crate) fn conditions(&self, context: QueryContext<'_>) -> Result<(&str, BoxConditions)> {
        let view = self.best_view(context.question, context.columns)?;
        Ok((&view.name, view.boxes.conditions(context, IdentifiedBy::Text)?))
    }

    /// The table that has all columns of the question and the fewest other quasi-identifiers; the first of several.
    fn best_view(&self, question: &Question, columns: &Columns) -> Result<&BoxView> {
        let mut used = question.people.as_ref().map_or(Vec::new(), |condition| columns_of(condition, columns));
        used.extend(&question.keys);
        used.sort_unstable();
        used.dedup();
        let wanted = used.iter().filter(|&&at| columns.get(at).role() == Role::Quasi).count();
        let fit = self.views.iter().filter(|view| used.iter().all(|&at| view.boxes.shows(columns.name(at))));
        fit.min_by_key(|view| view.boxes.quasi().count() - wanted)
            .ok_or_else(|| Error::bug("no table has the columns of a question"))
    }
}
