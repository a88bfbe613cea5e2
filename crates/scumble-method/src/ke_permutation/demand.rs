//! What is asked of the groups: the column that drives the partition, k and e.

use scumble_principle::{BoundRequirements, DistinctLDiversity, KeAnonymity};
use scumble_table::{Error, Result, Role, Table};

/// The (k, e)-anonymity that the optimum is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Demand {
    /// The column, among the sensitive ones.
    pub(super) place: usize,
    /// The column of the table.
    pub(super) column: usize,
    pub(super) k: u64,
    /// In units of the column.
    pub(super) e: u128,
}

impl Demand {
    /// The first column of which (k, e)-anonymity is required, with all that is required of its
    /// different numbers and their span: several such requirements are the same as one with the
    /// greatest k and the greatest e.
    pub(super) fn new(bound: &BoundRequirements, table: &Table, algorithm: &str) -> Result<Self> {
        let asked = |requirement: usize| &bound.requirements()[requirement];
        let driver = bound.tests().iter().find(|test| asked(test.requirement()).is::<KeAnonymity>());
        let Some(place) = driver.and_then(|test| test.column()) else {
            let reason = "no requirement is `ke-anonymity(k, e)`, and these groups are made for it";
            return Err(Error::request("algorithm", algorithm, reason)
                .hint("require for example \"ke-anonymity(4, 100)\" of a sensitive number, or leave «algorithm» out"));
        };
        let column = table.schema().of_role(Role::Sensitive)[place];
        let scale = table.attribute(column).domain.scale();
        let (mut k, mut e) = (1, 0);
        for test in bound.tests().iter().filter(|test| test.column() == Some(place)) {
            let requirement = asked(test.requirement());
            if let Some(one) = requirement.get::<KeAnonymity>() {
                (k, e) = (k.max(one.k()), e.max(one.e_in_units(scale)));
            }
            if let Some(one) = requirement.get::<DistinctLDiversity>() {
                k = k.max(one.l());
            }
        }
        Ok(Demand { place, column, k, e })
    }

    /// True if every row may be a group of its own.
    pub(super) fn is_nothing(&self) -> bool {
        self.k <= 1 && self.e == 0
    }
}
