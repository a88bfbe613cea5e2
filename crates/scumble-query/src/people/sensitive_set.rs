//! A set of sensitive columns whose values move together.

use crate::columns::place_of;
use crate::context::QueryContext;
use crate::engine;
use crate::value::units;
use scumble_answer::Pool;
use scumble_release::{PlacedValues, ShownColumn};
use scumble_table::{Code, Result, rows_by_group};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A set of sensitive columns, ready for questions.
pub(crate) struct SensitiveSet {
    pub(crate) values: PlacedValues,
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

impl SensitiveSet {
    pub(crate) fn new(values: PlacedValues) -> SensitiveSet {
        let places = rows_by_group(&values.place_group, values.n_groups);
        let (keys, key_codes) = keys_of(&values.columns, &places.rows);
        let n_keys = key_codes.first().map_or(0, Vec::len);
        SensitiveSet { values, keys, n_keys, key_codes, starts: places.starts, pools: Mutex::default() }
    }

    /// The place of a column of the set; `None` stays `None`, as for COUNT(*).
    pub(crate) fn place(&self, context: QueryContext<'_>, column: Option<usize>) -> Result<Option<usize>> {
        column.map(|at| place_of(&self.values.columns, context.columns.name(at))).transpose()
    }

    /// The pool of a column of the set; of any for COUNT(*).
    pub(crate) fn pool(&self, column: Option<usize>) -> Result<Arc<Pool>> {
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = pools.get(&column) {
            return Ok(Arc::clone(pool));
        }
        let numbers: Vec<Option<i128>> = match column {
            None => vec![None; self.n_keys],
            Some(at) => self.key_codes[at].iter().map(|&code| units(&self.values.columns[at], code)).collect(),
        };
        let pool = Arc::new(Pool::new(self.starts.clone(), &self.keys, self.n_keys, |key| numbers[key as usize])?);
        pools.insert(column, Arc::clone(&pool));
        Ok(pool)
    }

    /// Which keys satisfy the question's condition on sensitive columns; `None` where it has none.
    pub(crate) fn matching_keys(&self, context: QueryContext<'_>) -> Result<Option<Vec<bool>>> {
        let judged = context.question.sensitive.as_ref().map(|condition| {
            context.satisfied(condition, self.n_keys, |name| {
                let place = place_of(&self.values.columns, name)?;
                engine::array(&self.values.columns[place].domain, self.key_codes[place].iter().copied())
            })
        });
        judged.transpose()
    }
}

/// The key of each place of `order`, and the codes of each key by column. A single column is its own key.
fn keys_of(columns: &[ShownColumn], order: &[u32]) -> (Vec<u32>, Vec<Vec<Code>>) {
    if let [column] = columns {
        let keys = order.iter().map(|&place| column.codes.get(place as usize)).collect();
        return (keys, vec![(0..column.domain.n_codes() as Code).collect()]);
    }
    let mut known: HashMap<Vec<Code>, u32> = HashMap::new();
    let mut key_codes: Vec<Vec<Code>> = vec![Vec::new(); columns.len()];
    let keys = order.iter().map(|&place| {
        let codes: Vec<Code> = columns.iter().map(|column| column.codes.get(place as usize)).collect();
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
