//! A set of sensitive columns whose values move together.

use crate::columns::Columns;
use crate::engine::{self, Engine};
use crate::question::columns_of;
use crate::value::units;
use arrow_array::Array;
use datafusion::sql::sqlparser::ast::Expr;
use scumble_answer::Pool;
use scumble_release::{PlacedValues, SUPPRESSED};
use scumble_table::{Code, Error, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A set of sensitive columns, ready for questions.
pub(crate) struct Set {
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

impl Set {
    pub(crate) fn new(set: &PlacedValues) -> Set {
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
    pub(crate) fn pool(&self, data: &PlacedValues, column: Option<usize>) -> Result<Arc<Pool>> {
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
    pub(crate) fn matches(
        &self,
        data: &PlacedValues,
        condition: &Expr,
        columns: &Columns,
        engine: &Engine,
    ) -> Result<Vec<bool>> {
        let used = columns_of(condition, columns);
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
fn keys_of(set: &PlacedValues, order: &[u32]) -> (Vec<u32>, Vec<Vec<Code>>) {
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
