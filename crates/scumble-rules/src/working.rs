//! A column while rules change it.
//!
//! Values that a rule brings in are appended, so that no other row has to be renumbered; the order of codes is put
//! right once, at the end.

use super::change::{Change, TooFine};
use super::condition::Fault;
use super::value::{Scale, Value};
use rayon::prelude::*;
use scumble_table::{Attribute, BLOCK_ROWS, Code, Codes, NULL, Result, RowMask, Width, with_codes};
use std::collections::BTreeMap;

pub(super) struct WorkingColumn {
    pub(super) attribute: Attribute,
    pub(super) codes: Codes,
    /// The values behind the codes, from 1, where a rule asks about them or changes them.
    values: Option<Values>,
    /// Whether any cell was changed.
    changed: bool,
}

struct Values {
    /// Those of the domain in its order, then those that were appended.
    all: Vec<Value>,
    n_sorted: usize,
    appended: BTreeMap<Value, Code>,
}

impl Values {
    /// The code of a value, which is known or becomes so.
    fn code(&mut self, value: Value) -> Code {
        if let Ok(at) = self.all[..self.n_sorted].binary_search(&value) {
            return at as Code + 1;
        }
        let next = self.all.len() as Code + 1;
        let code = *self.appended.entry(value.clone()).or_insert(next);
        if code == next {
            self.all.push(value);
        }
        code
    }
}

impl WorkingColumn {
    pub(super) fn new(attribute: Attribute, codes: Codes) -> Self {
        WorkingColumn { attribute, codes, values: None, changed: false }
    }

    /// Makes the values behind the codes known.
    pub(super) fn load(&mut self, scale: &Scale) {
        self.loaded(scale);
    }

    fn loaded(&mut self, scale: &Scale) -> &mut Values {
        self.values.get_or_insert_with(|| {
            let all = scale.values(&self.attribute.domain);
            Values { n_sorted: all.len(), all, appended: BTreeMap::new() }
        })
    }

    /// A bit for each code, null first: whether the test holds. The column must be loaded.
    pub(super) fn bits(&self, test: impl Fn(Option<&Value>) -> bool + Sync) -> Vec<bool> {
        let values = self.values.as_ref().map_or(&[][..], |values| &values.all);
        let mut bits = vec![test(None); values.len() + 1];
        bits[1..].par_iter_mut().zip(values).with_min_len(1 << 12).for_each(|(bit, value)| *bit = test(Some(value)));
        bits
    }

    /// Changes the cells of the chosen rows; gives the rows whose cell is another now. After a fault nothing was changed.
    pub(super) fn change(&mut self, change: &Change, scale: &Scale, rows: &RowMask) -> Result<RowMask, Fault> {
        let n_codes = self.loaded(scale).all.len() + 1;
        let present = used(&self.codes, n_codes, rows);
        let (values, name) = (self.loaded(scale), &scale.name);
        let mut map: Vec<Code> = (0..=values.all.len() as Code).collect();
        // Only values that the chosen rows have: others might not even be allowed to change.
        for (at, code) in (1..map.len()).filter(|&at| present[at]).map(|at| (at, at as Code)) {
            map[at] = match change.apply(&values.all[code as usize - 1]) {
                Err(TooFine) => {
                    let reason = format!("a number of column `{name}` and the step have more than 38 digits together");
                    return Err(Fault::new(format!("`generalize`: {reason}")).hint("give a step with fewer digits"));
                }
                Ok(None) => NULL,
                Ok(Some(value)) if value == values.all[code as usize - 1] => code,
                Ok(Some(value)) if !scale.allows(&value) => {
                    let reason =
                        format!("a step of column `{name}` begins at a value that is no leaf of its hierarchy");
                    let hint = "give a step whose first values the hierarchy lists";
                    return Err(Fault::new(format!("`generalize`: {reason}")).hint(hint));
                }
                Ok(Some(value)) => values.code(value),
            };
        }
        let greatest = values.all.len() as Code;
        self.widen(greatest);
        let mut changed = RowMask::none(self.codes.len());
        with_codes!(&mut self.codes, |s| {
            s.par_chunks_mut(BLOCK_ROWS).zip(rows.blocks()).zip(changed.blocks_mut()).for_each(
                |((cells, rows), changed)| {
                    for ((cells, &rows), changed) in cells.chunks_mut(64).zip(rows).zip(changed) {
                        for (at, cell) in cells.iter_mut().enumerate().filter(|(at, _)| rows >> at & 1 == 1) {
                            let new = map[*cell as usize];
                            *changed |= u64::from(new != Code::from(*cell)) << at;
                            *cell = new as _;
                        }
                    }
                },
            );
        });
        self.changed |= changed.count() > 0;
        Ok(changed)
    }

    fn widen(&mut self, greatest: Code) {
        if self.codes.width() < Width::for_greatest(greatest) {
            self.codes = self.codes.mapped(&(0..=greatest).collect::<Vec<_>>());
        }
    }

    /// The column of the rows that stay, with no value in its domain that none of them has.
    pub(super) fn finish(mut self, scale: &Scale, staying: &RowMask) -> Result<(Attribute, Codes)> {
        let all_stay = staying.count() == self.codes.len() as u64;
        if all_stay && !self.changed {
            return Ok((self.attribute, self.codes));
        }
        let n_codes = self.loaded(scale).all.len() + 1;
        let present = used(&self.codes, n_codes, staying);
        let all = self.values.take().map(|values| values.all).unwrap_or_default();
        let mut kept: Vec<(Value, Code)> =
            all.into_iter().zip(1..).filter(|(_, code)| present[*code as usize]).collect();
        kept.par_sort_unstable();
        let mut map = vec![NULL; n_codes];
        for ((_, code), rank) in kept.iter().zip(1..) {
            map[*code as usize] = rank;
        }
        let domain = scale.domain(kept.into_iter().map(|(value, _)| value).collect(), &self.attribute.domain)?;
        let codes = match all_stay {
            true => self.codes.mapped(&map),
            false => self.codes.gather(&staying.rows()).mapped(&map),
        };
        Ok((Attribute { domain, ..self.attribute }, codes))
    }
}

/// Which codes some rows have.
fn used(codes: &Codes, n_codes: usize, rows: &RowMask) -> Vec<bool> {
    let mut used = vec![false; n_codes];
    with_codes!(codes, |s| for (cells, &rows) in s.chunks(64).zip(rows.words()) {
        for (_, &cell) in cells.iter().enumerate().filter(|(at, _)| rows >> at & 1 == 1) {
            used[cell as usize] = true;
        }
    });
    used
}
