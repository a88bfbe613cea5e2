//! Measures, cuts, contexts and levels compared with naive definitions.

mod build;
mod contexts;
mod cuts;
mod measures;
mod nesting;
mod random_tables;

use scumble_table::{Attribute, Codes, Decimal, Domain, Role, Schema, Table};

/// A column of whole numbers, `None` for a missing one.
pub(super) fn numbers(name: &str, values: &[Option<i64>]) -> (Attribute, Codes) {
    let domain = Domain::numbers(values.iter().flatten().map(|&value| Decimal::from(value)).collect()).unwrap();
    coded(name, domain, values.iter().map(|value| value.map(|value| value.to_string())))
}

/// A column of labels, `None` for a missing one.
pub(super) fn labels(name: &str, values: &[Option<&str>]) -> (Attribute, Codes) {
    let domain = Domain::nominal(values.iter().flatten().map(|&value| value.into()).collect());
    coded(name, domain, values.iter().map(|value| value.map(String::from)))
}

fn coded(name: &str, domain: Domain, values: impl Iterator<Item = Option<String>>) -> (Attribute, Codes) {
    let codes = values.map(|value| domain.code_of(&value.unwrap_or_default()).unwrap()).collect();
    (Attribute { name: name.into(), role: Role::Quasi, domain }, codes)
}

pub(super) fn table(columns: Vec<(Attribute, Codes)>) -> Table {
    let n_rows = columns[0].1.len();
    let (attributes, codes) = columns.into_iter().unzip();
    Table::new(Schema::new(attributes).unwrap(), codes, n_rows).unwrap()
}

/// A generator that is enough for test data: the same numbers everywhere.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// About a bell around a middle: the sum of four draws.
    pub(super) fn bell(&mut self, middle: i64, spread: u64) -> i64 {
        middle + (0..4).map(|_| self.below(spread + 1) as i64).sum::<i64>() - 2 * spread as i64
    }
}
