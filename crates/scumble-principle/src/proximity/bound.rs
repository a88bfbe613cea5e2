//! A proximity principle tied to a column.

use super::theory::{epsilon_largest, epsilon_supremum, largest_m, maxsize, relative_largest, relative_supremum};
use super::{Near, Neighbourhood};
use crate::exact::{Round, rounded};
use crate::{Attained, Test};
use scumble_table::{Bag, Decimal, Domain, Ratio};

/// The test of a group by the neighbourhoods of its numbers.
#[derive(Debug)]
pub(super) struct Bound {
    neighbourhood: Neighbourhood,
    m: u64,
    /// The greatest usable epsilon for this m on the whole column: `None` where every epsilon will
    /// do, `Some(None)` where none will.
    epsilon: Option<Option<Decimal>>,
}

impl Bound {
    pub(super) fn new(neighbourhood: Neighbourhood, near: Near, m: u64, domain: &Domain, whole: &Bag) -> Self {
        let epsilon = match near {
            Near::Interval { .. } => epsilon_supremum(domain, whole, m).map(|sup| epsilon_largest(sup, domain.scale())),
            Near::Relative(_) => relative_supremum(domain, whole, m).map(relative_largest),
        };
        Bound { neighbourhood, m, epsilon }
    }
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        group.size() >= self.m && at_most(self.neighbourhood.most_near(group), self.m, group)
    }

    /// Theorem 1 says whether there is a division into passing groups, and two of them need two
    /// times m rows. With as many, the division of its proof has two groups or more, or the rows do
    /// not conflict at all and any halves pass.
    fn divisible(&self, group: &Bag) -> bool {
        group.size() / 2 >= self.m && self.generalizable(group)
    }

    fn attained(&self, group: &Bag) -> Attained {
        attained(self.neighbourhood.most_near(group), group)
    }

    fn least_size(&self) -> u64 {
        self.m
    }

    fn generalizable(&self, group: &Bag) -> bool {
        group.size() >= self.m && at_most(maxsize(group, &self.neighbourhood), self.m, group)
    }

    /// The greatest m for this epsilon, the greatest epsilon for this m (empty where there is none),
    /// and the share of the longest run of conflicting rows.
    fn best(&self, whole: &Bag) -> Attained {
        let (most, size) = (maxsize(whole, &self.neighbourhood), whole.size());
        let m = largest_m(whole, &self.neighbourhood);
        let share = if size == 0 { (1, 1) } else { (u128::from(most), u128::from(size)) };
        let (epsilon, shown) = match self.epsilon {
            Some(Some(epsilon)) => (Ratio::from(epsilon), epsilon.to_string()),
            _ => (Ratio::new(-1, 1), String::new()),
        };
        Attained::from_parts(
            vec![m.into(), epsilon.into(), Ratio::new(share.1 as i128, share.0 as i128).into()],
            vec![("m", m.to_string()), ("epsilon", shown), ("share", rounded(share.0, share.1, Round::Up))],
        )
    }

    fn neighbourhood(&self) -> Option<(&Neighbourhood, u64)> {
        Some((&self.neighbourhood, self.m))
    }
}

/// What a group attains if at most `near` of its rows are near one of them.
pub(crate) fn attained(near: u64, group: &Bag) -> Attained {
    let size = group.size();
    if size == 0 {
        return Attained::new(0, vec![("m", "0".into()), ("near", "1".into())]);
    }
    Attained::new(
        Ratio::new(size.into(), near.into()),
        vec![("m", (size / near).to_string()), ("near", rounded(near.into(), size.into(), Round::Up))],
    )
}

/// Whether `rows` are at most one in m of the group.
pub(crate) fn at_most(rows: u64, m: u64, group: &Bag) -> bool {
    u128::from(rows) * u128::from(m) <= u128::from(group.size())
}
