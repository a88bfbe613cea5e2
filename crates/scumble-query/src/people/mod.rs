//! Answers over exact quasi-identifiers (`permute`, `anatomy`): hits per group, then bounds from the group's values.

mod chosen;
mod sensitive_set;
mod tally;

use crate::answer::{AggregateAnswer, AnswerRow, QueryAnswer};
use crate::columns::place_of;
use crate::context::QueryContext;
use crate::question::AskedAggregate;
use arrow_array::ArrayRef;
use rayon::prelude::*;
use scumble_answer::Confidence;
use scumble_release::{Exact, GroupedValues, SUPPRESSED, ShownColumn};
use scumble_table::{Error, NULL, Result, quoted_list};
pub(crate) use sensitive_set::SensitiveSet;
use std::collections::HashMap;
use std::sync::OnceLock;
use tally::{KeyHits, tally};

/// People of a release, ready for questions.
pub(crate) struct PeopleIndex {
    people: Vec<ShownColumn>,
    /// The columns as Arrow arrays, made when they are first compared with each other.
    arrays: Vec<OnceLock<ArrayRef>>,
    sets: Vec<SensitiveSet>,
    n_rows: usize,
    suppressed: u64,
}

impl PeopleIndex {
    pub(crate) fn new(exact: Exact) -> Self {
        let sets: Vec<SensitiveSet> =
            exact.groupings.iter().map(GroupedValues::placed).map(SensitiveSet::new).collect();
        let row_group = sets.first().map_or(&[][..], |set| &set.values.row_group);
        let suppressed = row_group.iter().filter(|&&group| group == SUPPRESSED).count() as u64;
        let n_rows = row_group.len();
        let arrays = exact.people.iter().map(|_| OnceLock::new()).collect();
        PeopleIndex { people: exact.people, arrays, sets, n_rows, suppressed }
    }

    /// Answers a question.
    pub(crate) fn answer(&self, context: QueryContext<'_>, confidence: Option<Confidence>) -> Result<QueryAnswer> {
        let question = context.question;
        let chosen = self.chosen_rows(context)?;
        let key = |&at: &usize| Ok(&self.people[place_of(&self.people, context.columns.name(at))?]);
        let keys = question.keys.iter().map(key).collect::<Result<Vec<&ShownColumn>>>()?;
        let combinations = keys.iter().try_fold(1u128, |all, column| all.checked_mul(column.domain.n_codes() as u128));
        if combinations.is_none() {
            return Err(Error::request("question", "GROUP BY", "there are too many columns to group by"));
        }
        // Each set has groups of its own; hits are counted once for each that is asked about.
        let mut tallies: HashMap<usize, Vec<KeyHits>> = HashMap::new();
        let mut rows: Vec<AnswerRow> = Vec::new();
        for (at, asked) in question.aggregates.iter().enumerate() {
            context.monitor.check()?;
            let set = self.set_with(&question.sensitive_columns(asked, context.columns), context)?;
            let tally = tallies.entry(set).or_insert_with(|| tally(&self.sets[set].values, &chosen, &keys));
            if at == 0 {
                let row = |found: &KeyHits| AnswerRow { keys: found.key.clone(), answers: Vec::new() };
                rows = tally.iter().map(row).collect();
            }
            let answers = self.sets[set].answers(asked, tally, context, confidence)?;
            rows.iter_mut().zip(answers).for_each(|(row, answer)| row.answers.push(answer));
        }
        Ok(QueryAnswer::new(context, rows, self.suppressed))
    }

    /// Whether a sensitive column has nulls.
    pub(crate) fn has_null(&self, name: &str) -> bool {
        let columns = self.sets.iter().flat_map(|set| &set.values.columns);
        columns.filter(|column| column.column.name() == name).any(|column| column.codes.iter().any(|code| code == NULL))
    }

    /// The set that holds all these sensitive columns.
    fn set_with(&self, used: &[usize], context: QueryContext<'_>) -> Result<usize> {
        let names: Vec<&str> = used.iter().map(|&at| context.columns.name(at)).collect();
        let holds_all = |set: &SensitiveSet| names.iter().all(|name| place_of(&set.values.columns, name).is_ok());
        self.sets.iter().position(holds_all).ok_or_else(|| {
            Error::request("question", quoted_list(&names, 8), "these columns were permuted each on its own")
                .hint("ask about one of them at a time; `publish «together»` keeps sensitive columns together")
        })
    }
}

impl SensitiveSet {
    /// One aggregate for each combination of keys.
    fn answers(
        &self,
        asked: &AskedAggregate,
        tally: &[KeyHits],
        context: QueryContext<'_>,
        confidence: Option<Confidence>,
    ) -> Result<Vec<AggregateAnswer>> {
        let place = self.place(context, asked.column)?;
        let pool = self.pool(place)?;
        let matching = pool.matching(self.matching_keys(context)?.as_deref())?;
        let shown = place.map(|place| &self.values.columns[place]);
        let answers = tally.par_iter().map(|found| {
            context.monitor.check()?;
            Ok(AggregateAnswer::new(asked, &matching.answer(asked.aggregate, &found.hits, confidence)?, shown))
        });
        answers.collect()
    }
}
