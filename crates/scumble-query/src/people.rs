//! Answers over exact quasi-identifiers (`permute`, `anatomy`): hits per group, then bounds from the group's values.

use crate::answered::{Answered, AnsweredRow, Figure};
use crate::columns::Columns;
use crate::engine::{self, Engine};
use crate::question::{Asked, Question};
use crate::value::{Unit, Value, units};
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch};
use rayon::prelude::*;
use scumble_release::answer::{Confidence, Pool};
use scumble_release::{People, SUPPRESSED, SensitiveSet, ShownColumn};
use scumble_table::{Code, Error, NULL, Result, quoted_list};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// Rows that a condition is put to at once.
const BATCH: usize = 1 << 16;

/// People of a release, ready for questions.
pub(crate) struct Crowd {
    people: People,
    /// The columns as Arrow arrays, made when they are first asked for.
    arrays: Vec<OnceLock<ArrayRef>>,
    sets: Vec<Set>,
    n_rows: usize,
    suppressed: u64,
}

/// A set of sensitive columns, ready for questions.
struct Set {
    /// Key of each place: the combination of values there.
    keys: Vec<u32>,
    /// Number of keys.
    n_keys: usize,
    /// Code of each key, by column.
    key_codes: Vec<Vec<Code>>,
    starts: Vec<u32>,
    /// Pools by column of the set, made when they are first asked for.
    pools: Mutex<HashMap<Option<usize>, Arc<Pool>>>,
}

impl Crowd {
    pub(crate) fn new(people: People) -> Self {
        let n_rows = people.sets.first().map_or(0, |set| set.row_group.len());
        let suppressed =
            people.sets.first().map_or(0, |set| set.row_group.iter().filter(|&&group| group == SUPPRESSED).count());
        let arrays = people.columns.iter().map(|_| OnceLock::new()).collect();
        let sets = people.sets.iter().map(Set::new).collect();
        Crowd { people, arrays, sets, n_rows, suppressed: suppressed as u64 }
    }

    /// Answers a question.
    pub(crate) fn answer(
        &self,
        question: &Question,
        columns: &Columns,
        engine: &Engine,
        confidence: Option<Confidence>,
    ) -> Result<Answered> {
        let chosen = self.chosen(question, columns, engine)?;
        let keys: Vec<&ShownColumn> =
            question.keys.iter().map(|&at| self.person_column(columns.name(at))).collect::<Result<_>>()?;
        let combinations = keys.iter().try_fold(1u128, |all, column| all.checked_mul(column.domain.n_codes() as u128));
        if combinations.is_none() {
            return Err(Error::request("question", "GROUP BY", "there are too many columns to group by"));
        }
        // Each set has groups of its own; hits are counted once for each that is asked about.
        let mut tallies: HashMap<usize, Tally> = HashMap::new();
        let mut rows: Vec<AnsweredRow> = Vec::new();
        for (at, asked) in question.aggregates.iter().enumerate() {
            let used = question.sensitive_columns(asked, columns);
            let set = self.set_of(&used, columns)?;
            let tally = match tallies.entry(set) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(new) => {
                    new.insert(Tally::of(&self.people.sets[set], &chosen, &keys))
                }
            };
            if at == 0 {
                rows = tally.keys.iter().map(|key| AnsweredRow { keys: key.clone(), answers: Vec::new() }).collect();
            }
            let figures = self.figures(set, asked, question, tally, columns, engine, confidence)?;
            for (row, figure) in rows.iter_mut().zip(figures) {
                row.answers.push(figure);
            }
        }
        Ok(Answered::new(question, |at| columns.name(at).to_string(), rows, self.suppressed))
    }

    /// Whether a sensitive column has nulls.
    pub(crate) fn has_null(&self, name: &str) -> bool {
        let columns = self.people.sets.iter().flat_map(|set| &set.columns);
        columns.filter(|column| column.column.name() == name).any(|column| column.codes.iter().any(|code| code == NULL))
    }

    /// Which people the question chooses; nothing where it chooses all.
    fn chosen(&self, question: &Question, columns: &Columns, engine: &Engine) -> Result<Chosen> {
        let Some(condition) = &question.people else { return Ok(Chosen::All(self.n_rows)) };
        let used = crate::question::columns_of(condition, columns);
        let mut arrays = Vec::with_capacity(used.len());
        for &at in &used {
            let place = self.person_place(columns.name(at))?;
            let column = &self.people.columns[place];
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
        let place = self.people.columns.iter().position(|column| column.column.name() == name);
        place.ok_or_else(|| Error::bug(format!("column {name} is not a person's")))
    }

    fn person_column(&self, name: &str) -> Result<&ShownColumn> {
        self.person_place(name).map(|place| &self.people.columns[place])
    }

    /// The set that holds all these sensitive columns.
    fn set_of(&self, used: &[usize], columns: &Columns) -> Result<usize> {
        let has = |set: &SensitiveSet, at: usize| set.columns.iter().any(|c| c.column.name() == columns.name(at));
        self.people.sets.iter().position(|set| used.iter().all(|&at| has(set, at))).ok_or_else(|| {
            let names: Vec<&str> = used.iter().map(|&at| columns.name(at)).collect();
            Error::request("question", quoted_list(&names, 8), "these columns were permuted each on its own")
                .hint("ask about one of them at a time; `publish --together` keeps sensitive columns together")
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
    ) -> Result<Vec<Figure>> {
        let (data, ready) = (&self.people.sets[set], &self.sets[set]);
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
        let answers = (0..tally.keys.len())
            .into_par_iter()
            .map(|key| Ok(Figure::of(asked, &matching.answer(asked.aggregate, tally.hits(key), confidence)?, &unit)));
        answers.collect()
    }
}

/// Who was chosen.
enum Chosen {
    /// Everybody, so many.
    All(usize),
    /// Those for whom the condition is true, batch by batch.
    Some(Vec<BooleanArray>),
}

impl Chosen {
    /// Calls with every row that was chosen.
    fn each(&self, mut call: impl FnMut(usize)) {
        match self {
            Chosen::All(n) => (0..*n).for_each(call),
            Chosen::Some(masks) => {
                let mut base = 0;
                for mask in masks {
                    let truth = mask.values();
                    match mask.nulls() {
                        None => truth.set_indices().for_each(|i| call(base + i)),
                        Some(known) => truth.set_indices().filter(|&i| known.is_valid(i)).for_each(|i| call(base + i)),
                    }
                    base += mask.len();
                }
            }
        }
    }
}

/// Hits per group for each combination of keys.
struct Tally {
    keys: Vec<Vec<Value>>,
    starts: Vec<usize>,
    hits: Vec<(u32, u32)>,
}

impl Tally {
    fn of(set: &SensitiveSet, chosen: &Chosen, keys: &[&ShownColumn]) -> Tally {
        if keys.is_empty() {
            return Tally::whole(set, chosen);
        }
        let radix = |column: &ShownColumn| column.domain.n_codes() as u128;
        // Null, which has code 0, comes last.
        let digit = |column: &ShownColumn, row: usize| match column.codes.get(row) {
            NULL => radix(column) - 1,
            code => u128::from(code) - 1,
        };
        let mut found: Vec<(u128, u32)> = Vec::new();
        chosen.each(|row| {
            let group = set.row_group[row];
            if group != SUPPRESSED {
                found.push((keys.iter().fold(0, |key, column| key * radix(column) + digit(column, row)), group));
            }
        });
        found.par_sort_unstable();
        let mut tally = Tally { keys: Vec::new(), starts: vec![0], hits: Vec::new() };
        for alike in found.chunk_by(|a, b| a.0 == b.0) {
            let mut rest = alike[0].0;
            let mut values = Vec::with_capacity(keys.len());
            for column in keys.iter().rev() {
                let code = ((rest % radix(column)) as Code + 1) % radix(column) as Code;
                values.push(Value::of_code(&column.domain, code));
                rest /= radix(column);
            }
            values.reverse();
            tally.keys.push(values);
            tally.hits.extend(alike.chunk_by(|a, b| a.1 == b.1).map(|run| (run[0].1, run.len() as u32)));
            tally.starts.push(tally.hits.len());
        }
        tally
    }

    /// Without keys there is one row whatever was chosen.
    fn whole(set: &SensitiveSet, chosen: &Chosen) -> Tally {
        let mut counts = vec![0u32; set.n_groups];
        chosen.each(|row| {
            if let Some(count) = counts.get_mut(set.row_group[row] as usize) {
                *count += 1;
            }
        });
        let hits: Vec<(u32, u32)> = (0u32..).zip(counts).filter(|&(_, count)| count > 0).collect();
        Tally { keys: vec![Vec::new()], starts: vec![0, hits.len()], hits }
    }

    fn hits(&self, key: usize) -> &[(u32, u32)] {
        &self.hits[self.starts[key]..self.starts[key + 1]]
    }
}

impl Set {
    fn new(set: &SensitiveSet) -> Set {
        let mut starts = vec![0u32; set.n_groups + 1];
        for &group in set.place_group.iter().filter(|&&group| group != SUPPRESSED) {
            starts[group as usize + 1] += 1;
        }
        for group in 0..set.n_groups {
            starts[group + 1] += starts[group];
        }
        let mut next = starts.clone();
        let mut order = vec![0u32; starts[set.n_groups] as usize];
        for (place, &group) in set.place_group.iter().enumerate() {
            if group != SUPPRESSED {
                order[next[group as usize] as usize] = place as u32;
                next[group as usize] += 1;
            }
        }
        let (keys, key_codes) = keys_of(set, &order);
        let n_keys = key_codes.first().map_or(0, Vec::len);
        Set { keys, n_keys, key_codes, starts, pools: Mutex::default() }
    }

    /// The pool of a column of the set; of any for COUNT(*).
    fn pool(&self, data: &SensitiveSet, column: Option<usize>) -> Result<Arc<Pool>> {
        let mut pools = self.pools.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(pool) = pools.get(&column) {
            return Ok(Arc::clone(pool));
        }
        let numbers: Vec<Option<i128>> = match column.map(|at| &data.columns[at]) {
            None => vec![None; self.n_keys],
            Some(shown) => {
                let codes = column.map_or(&[][..], |at| &self.key_codes[at]);
                codes.iter().map(|&code| units(&shown.column, &shown.domain, code)).collect()
            }
        };
        let pool = Pool::new(self.starts.clone(), &self.keys, self.n_keys, |key| numbers[key as usize])?;
        let pool = Arc::new(pool);
        pools.insert(column, Arc::clone(&pool));
        Ok(pool)
    }

    /// Which keys satisfy a condition on sensitive columns.
    fn matches(
        &self,
        data: &SensitiveSet,
        condition: &datafusion::sql::sqlparser::ast::Expr,
        columns: &Columns,
        engine: &Engine,
    ) -> Result<Vec<bool>> {
        let used = crate::question::columns_of(condition, columns);
        let mut arrays = Vec::new();
        for at in used {
            let place = data.columns.iter().position(|column| column.column.name() == columns.name(at));
            let place = place.ok_or_else(|| Error::bug("a sensitive column is in no set"))?;
            let codes = self.key_codes[place].iter().copied();
            arrays.push((columns.name(at), engine::array(&data.columns[place].domain, codes)?));
        }
        let batch = engine::batch(arrays, self.n_keys)?;
        let truth = engine.compile(condition, &batch.schema())?.evaluate(&batch)?;
        Ok((0..truth.len()).map(|i| truth.is_valid(i) && truth.value(i)).collect())
    }
}

/// The key of each place of `order`, and the codes of each key by column. A single column is its own key.
fn keys_of(set: &SensitiveSet, order: &[u32]) -> (Vec<u32>, Vec<Vec<Code>>) {
    if let [column] = set.columns.as_slice() {
        let keys = order.iter().map(|&place| column.codes.get(place as usize)).collect();
        return (keys, vec![(0..column.domain.n_codes() as Code).collect()]);
    }
    let mut known: HashMap<Vec<Code>, u32> = HashMap::new();
    let mut key_codes: Vec<Vec<Code>> = vec![Vec::new(); set.columns.len()];
    let keys = order.iter().map(|&place| {
        let codes: Vec<Code> = set.columns.iter().map(|column| column.codes.get(place as usize)).collect();
        let next = known.len() as u32;
        *known.entry(codes).or_insert_with_key(|codes| {
            for (column, &code) in key_codes.iter_mut().zip(codes) {
                column.push(code);
            }
            next
        })
    });
    (keys.collect(), key_codes)
}
