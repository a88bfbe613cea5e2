//! Answers over exact quasi-identifiers (`permute`, `anatomy`): hits per group, then bounds from the group's values.

mod set;
mod tally;

use crate::answer::{AggregateAnswer, AnswerRow, QueryAnswer};
use crate::columns::Columns;
use crate::engine::{self, Engine};
use crate::question::{Asked, Question, columns_of};
use crate::value::Unit;
use arrow_array::{ArrayRef, RecordBatch};
use rayon::prelude::*;
use scumble_answer::Confidence;
use scumble_release::{Exact, GroupedValues, PlacedValues, SUPPRESSED, ShownColumn};
use scumble_table::{Error, NULL, Result, quoted_list};
pub(crate) use set::Set;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, OnceLock};
use tally::{Chosen, Tally};

/// Rows that a condition is put to at once.
const BATCH: usize = 1 << 16;

/// People of a release, ready for questions.
pub(crate) struct PeopleIndex {
    people: Vec<ShownColumn>,
    values: Vec<PlacedValues>,
    /// The columns as Arrow arrays, made when they are first asked for.
    arrays: Vec<OnceLock<ArrayRef>>,
    sets: Vec<Set>,
    n_rows: usize,
    suppressed: u64,
}

impl PeopleIndex {
    pub(crate) fn new(exact: Exact) -> Self {
        let values: Vec<PlacedValues> = exact.groupings.iter().map(GroupedValues::placed).collect();
        let row_group = values.first().map_or(&[][..], |set| &set.row_group);
        let suppressed = row_group.iter().filter(|&&group| group == SUPPRESSED).count() as u64;
        let n_rows = row_group.len();
        let arrays = exact.people.iter().map(|_| OnceLock::new()).collect();
        let sets = values.iter().map(Set::new).collect();
        PeopleIndex { people: exact.people, values, arrays, sets, n_rows, suppressed }
    }

    /// Answers a question.
    pub(crate) fn answer(
        &self,
        question: &Question,
        columns: &Columns,
        engine: &Engine,
        confidence: Option<Confidence>,
    ) -> Result<QueryAnswer> {
        let chosen = self.chosen(question, columns, engine)?;
        let keys: Vec<&ShownColumn> =
            question.keys.iter().map(|&at| self.person_column(columns.name(at))).collect::<Result<_>>()?;
        let combinations = keys.iter().try_fold(1u128, |all, column| all.checked_mul(column.domain.n_codes() as u128));
        if combinations.is_none() {
            return Err(Error::request("question", "GROUP BY", "there are too many columns to group by"));
        }
        // Each set has groups of its own; hits are counted once for each that is asked about.
        let mut tallies: HashMap<usize, Tally> = HashMap::new();
        let mut rows: Vec<AnswerRow> = Vec::new();
        for (at, asked) in question.aggregates.iter().enumerate() {
            let used = question.sensitive_columns(asked, columns);
            let set = self.set_of(&used, columns)?;
            let tally = match tallies.entry(set) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(Tally::of(&self.values[set], &chosen, &keys)),
            };
            if at == 0 {
                rows = tally.keys.iter().map(|key| AnswerRow { keys: key.clone(), answers: Vec::new() }).collect();
            }
            let figures = self.figures(set, asked, question, tally, columns, engine, confidence)?;
            for (row, figure) in rows.iter_mut().zip(figures) {
                row.answers.push(figure);
            }
        }
        Ok(QueryAnswer::new(question, |at| columns.name(at).to_string(), rows, self.suppressed))
    }

    /// Whether a sensitive column has nulls.
    pub(crate) fn has_null(&self, name: &str) -> bool {
        let columns = self.values.iter().flat_map(|set| &set.columns);
        columns.filter(|column| column.column.name() == name).any(|column| column.codes.iter().any(|code| code == NULL))
    }

    /// Which people the question chooses; nothing where it chooses all.
    fn chosen(&self, question: &Question, columns: &Columns, engine: &Engine) -> Result<Chosen> {
        let Some(condition) = &question.people else { return Ok(Chosen::All(self.n_rows)) };
        let used = columns_of(condition, columns);
        let mut arrays = Vec::with_capacity(used.len());
        for &at in &used {
            let place = self.person_place(columns.name(at))?;
            let column = &self.people[place];
            if self.arrays[place].get().is_none() {
                let made = engine::array(&column.domain, column.codes.iter())?;
                let _ = self.arrays[place].set(made);
            }
            let array = self.arrays[place].get().ok_or_else(|| Error::bug("an array was lost"))?;
            arrays.push((columns.name(at), Arc::clone(array)));
        }
        let whole = engine::batch(arrays, self.n_rows)?;
        let condition = engine.compile(condition, &whole.schema())?;
        let starts: Vec<usize> = (0..self.n_rows).step_by(BATCH).collect();
        let masks = starts.into_par_iter().map(|start| {
            let part: RecordBatch = whole.slice(start, BATCH.min(self.n_rows - start));
            condition.evaluate(&part)
        });
        Ok(Chosen::Some(masks.collect::<Result<Vec<_>>>()?))
    }

    fn person_place(&self, name: &str) -> Result<usize> {
        let place = self.people.iter().position(|column| column.column.name() == name);
        place.ok_or_else(|| Error::bug(format!("column {name} is not a person's")))
    }

    fn person_column(&self, name: &str) -> Result<&ShownColumn> {
        self.person_place(name).map(|place| &self.people[place])
    }

    /// The set that holds all these sensitive columns.
    fn set_of(&self, used: &[usize], columns: &Columns) -> Result<usize> {
        let has = |set: &PlacedValues, at: usize| set.columns.iter().any(|c| c.column.name() == columns.name(at));
        self.values.iter().position(|set| used.iter().all(|&at| has(set, at))).ok_or_else(|| {
            let names: Vec<&str> = used.iter().map(|&at| columns.name(at)).collect();
            Error::request("question", quoted_list(&names, 8), "these columns were permuted each on its own")
                .hint("ask about one of them at a time; `publish «together»` keeps sensitive columns together")
        })
    }

    #[allow(clippy::too_many_arguments, reason = "all of them are the question")]
    fn figures(
        &self,
        set: usize,
        asked: &Asked,
        question: &Question,
        tally: &Tally,
        columns: &Columns,
        engine: &Engine,
        confidence: Option<Confidence>,
    ) -> Result<Vec<AggregateAnswer>> {
        let (data, ready) = (&self.values[set], &self.sets[set]);
        let place = asked.column.map(|at| {
            data.columns
                .iter()
                .position(|column| column.column.name() == columns.name(at))
                .ok_or_else(|| Error::bug("a sensitive column is in no set"))
        });
        let place = place.transpose()?;
        let pool = ready.pool(data, place)?;
        let matches = match &question.sensitive {
            Some(condition) => Some(ready.matches(data, condition, columns, engine)?),
            None => None,
        };
        let matching = pool.matching(matches.as_deref())?;
        let unit = match place {
            Some(place) => Unit::of(&data.columns[place].column, data.columns[place].domain.scale()),
            None => Unit::Number(0),
        };
        let answers = (0..tally.keys.len()).into_par_iter().map(|key| {
            Ok(AggregateAnswer::of(asked, &matching.answer(asked.aggregate, tally.hits(key), confidence)?, &unit))
        });
        answers.collect()
    }
}
