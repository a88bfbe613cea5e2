//! A random table, what is asked of its groups, and two judges.

use crate::dice::Dice;
use crate::fraction::Fraction;
use crate::measured;
use scumble_method::Coins;
use scumble_method::{Profile, Task, Variant, XColor};
use scumble_principle::{BoundRequirements, Group, JointColumns, LoadedDistance, Requirement};
use scumble_table::{
    Attribute, Bag, Code, Codes, Decimal, Domain, Error, Hierarchy, Monitor, Partition, Result, Role, Schema, Table,
};
use std::sync::Arc;
use std::time::Duration;

/// A variant and a profile.
pub(crate) type Way = (Variant, Profile);

pub(crate) const PAPER: Way = (Variant::Paper, Profile::Standard);
pub(crate) const HARDENED: Way = (Variant::Ours, Profile::Hardened);
pub(crate) const STANDARD: Way = (Variant::Ours, Profile::Standard);
pub(crate) const MAX_UTILITY: Way = (Variant::Ours, Profile::MaxUtility);
pub(crate) const WAYS: [Way; 4] = [PAPER, HARDENED, STANDARD, MAX_UTILITY];

/// Deltas with both ends and such as floats get wrong.
pub(crate) const DELTAS: [&str; 14] = [
    "0",
    "0.1",
    "0.2",
    "0.3333333333333333",
    "0.34",
    "0.5",
    "0.6",
    "0.66666666666666666667",
    "0.7",
    "0.75",
    "0.8",
    "0.9",
    "0.99",
    "1",
];

/// A table with a distance over its sensitive columns, which are `c0`, `c1` and so on.
pub(crate) struct World {
    pub(crate) measured: measured::Table,
    pub(crate) table: Table,
    pub(crate) ruler: LoadedDistance,
}

/// Epsilon, delta and k.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) epsilon: Decimal,
    pub(crate) delta: Decimal,
    pub(crate) k: u64,
}

impl Asked {
    pub(crate) fn text(self) -> String {
        format!("dissimilarity({}, {}, {})", self.epsilon, self.delta, self.k)
    }

    /// The least size of a group, k and never one.
    pub(crate) fn least(self) -> u64 {
        self.k.max(2)
    }
}

impl World {
    pub(crate) fn random(dice: &mut Dice, n: usize) -> World {
        let mut measured = measured::Table::random(dice);
        let same = dice.once_in(12);
        let often = dice.between(0, 3);
        let mut rows: Vec<Vec<Code>> = Vec::with_capacity(n);
        for at in 0..n {
            let known = at > 0 && (same || dice.below(4) < often);
            let row = match known {
                true => rows[dice.below(at)].clone(),
                false => measured.domains.iter().map(|domain| dice.below(domain.n_codes()) as Code).collect(),
            };
            rows.push(row);
        }
        (measured.rows, measured.published) = (rows, vec![true; n]);
        World::from_measured(measured, dice)
    }

    /// A table with the given sensitive values and random quasi-identifiers.
    pub(crate) fn from_measured(measured: measured::Table, dice: &mut Dice) -> World {
        let n = measured.rows.len();
        let mut attributes = Vec::new();
        let mut columns: Vec<Codes> = Vec::new();
        for at in 0..dice.between(1, 3) {
            let domain = quasi(dice);
            let least = Code::from(!dice.once_in(3));
            let codes = (0..n).map(|_| dice.between(least as usize, domain.len()) as Code).collect();
            attributes.push(Attribute { name: format!("q{at}"), role: Role::Quasi, domain });
            columns.push(codes);
        }
        for (at, domain) in measured.domains.iter().enumerate() {
            attributes.push(Attribute { name: format!("c{at}"), role: Role::Sensitive, domain: domain.clone() });
            columns.push(measured.rows.iter().map(|row| row[at]).collect());
        }
        let table = Table::new(Schema::new(attributes).unwrap(), columns, n).unwrap();
        let ruler = measured.ruler();
        World { measured, table, ruler }
    }

    pub(crate) fn n(&self) -> usize {
        self.table.n_rows()
    }

    /// What may be asked of this table: an epsilon at, below or above a distance that occurs, and a k up to all rows.
    pub(crate) fn asked(&self, dice: &mut Dice) -> Asked {
        let (a, b) = (dice.below(self.n()), dice.below(self.n()));
        let scale = *dice.pick(&[1, 3, 9]);
        let units = self.measured.distance(a, b).units(scale, self.measured.combine == "l2");
        let epsilon = match dice.below(12) {
            0..=3 => Decimal::ZERO,
            4 => Decimal::from(1),
            5..=6 => Decimal::new(dice.between(1, 9) as i128, 1),
            _ => Decimal::new((units.min(i128::from(u64::MAX)) + dice.below(3) as i128 - 1).max(0), scale),
        };
        let k = if dice.once_in(6) { dice.between(self.n() / 2 + 1, self.n()) } else { dice.between(1, 6) };
        // What is easier to meet more often.
        let delta = dice.below(DELTAS.len()).min(dice.below(DELTAS.len()));
        let delta = Decimal::parse(DELTAS[delta]).unwrap();
        Asked { epsilon, delta, k: k.min(self.n()) as u64 }
    }

    fn requirements(texts: &[String]) -> Vec<Requirement> {
        texts.iter().map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
    }

    /// Requirements tied to some rows, or to all.
    pub(crate) fn bind(&self, texts: &[String], rows: Option<&[u32]>) -> Result<BoundRequirements> {
        let (requirements, schema) = (World::requirements(texts), self.table.schema());
        let all: Vec<u32> = (0..self.n() as u32).collect();
        let rows = rows.unwrap_or(&all);
        let together = JointColumns::new(&requirements, schema, Some(&self.ruler), |at| self.table.column(at))?;
        let together = together.map(|together| together.restricted_to(rows));
        let whole = |at: usize| Bag::from_codes(rows.iter().map(|&row| self.table.column(at).get(row as usize)));
        BoundRequirements::bind_joint(&requirements, schema, whole, together.as_ref())
    }

    /// Groups of all rows; fewer where rows may be left out.
    pub(crate) fn partition(
        &self,
        texts: &[String],
        (variant, profile): Way,
        seed: u64,
        most_suppressed: usize,
        time_limit: Option<Duration>,
    ) -> Result<Partition> {
        let bound = self.bind(texts, None)?;
        let task = Task {
            table: &self.table,
            bound: &bound,
            rebind: &|rows| self.bind(texts, Some(rows)),
            most_suppressed,
            coins: &Coins::from_seed(seed),
            monitor: Monitor::silent(),
        };
        XColor::new(variant, profile, time_limit).partition(&task)
    }

    /// True if a group passes as a verifier sees it.
    pub(crate) fn holds(&self, bound: &BoundRequirements, rows: &[u32]) -> bool {
        let bag = |at: usize| Bag::from_codes(rows.iter().map(|&row| self.table.column(at).get(row as usize)));
        let mut bags: Vec<Bag> = self.table.schema().of_role(Role::Sensitive).into_iter().map(bag).collect();
        bags.extend(bound.joint().map(|together| together.bag(rows)));
        bound.holds(Group { size: rows.len() as u64, bags: &bags })
    }

    /// Which rows are near which, by the definition of the distance over what is published.
    pub(crate) fn near(&self, epsilon: Decimal) -> Vec<Vec<bool>> {
        let bound = Fraction::decimal(epsilon);
        let bound = if self.measured.combine == "l2" { bound.times(&bound) } else { bound };
        let (n, published) = (self.n(), &self.measured.published);
        let mut near = vec![vec![false; n]; n];
        for a in (0..n).filter(|&a| published[a]) {
            for b in (0..a).filter(|&b| published[b]) {
                let equal = self.measured.rows[a] == self.measured.rows[b];
                near[a][b] = equal || self.measured.distance(a, b) <= bound;
                near[b][a] = near[a][b];
            }
        }
        near
    }
}

/// Definition 7 with "at most" for "less than", in fractions.
pub(crate) fn passes(near: &[Vec<bool>], asked: Asked, rows: &[u32]) -> bool {
    let others = rows.len().saturating_sub(1);
    if (rows.len() as u64) < asked.k || others == 0 {
        return false;
    }
    rows.iter().all(|&a| {
        let count = rows.iter().filter(|&&b| near[a as usize][b as usize]).count();
        Fraction::new(count, others).plus(&Fraction::decimal(asked.delta)) <= Fraction::new(1, 1)
    })
}

/// The most others that are near one row.
pub(crate) fn max_degree(near: &[Vec<bool>]) -> u64 {
    near.iter().map(|row| row.iter().filter(|near| **near).count() as u64).max().unwrap_or(0)
}

/// Every row once.
pub(crate) fn is_whole(partition: &Partition, n: usize) -> bool {
    let mut rows: Vec<u32> = partition.groups().flatten().copied().collect();
    rows.sort_unstable();
    rows == (0..n as u32).collect::<Vec<_>>()
}

/// The figures of a failure, which must be one of this kind.
pub(crate) fn report(error: &Error) -> &[(String, String)] {
    let Error::NotFound { report, .. } = error else { panic!("not the failure of a search: {error}") };
    for name in
        ["status", "max_degree", "guaranteed_degree", "clique", "clique_capacity", "failing_classes", "violators"]
    {
        assert!(report.iter().any(|(known, _)| known == name), "{name} is not in {report:?}");
    }
    report
}

pub(crate) fn status(error: &Error) -> &str {
    &report(error).iter().find(|(name, _)| name == "status").unwrap().1
}

/// A quasi-identifier of some shape: numbers, decimals, dates, labels with and without an order, trees.
fn quasi(dice: &mut Dice) -> Domain {
    let n = dice.between(1, 9);
    let labels = || (0..n).map(|at| format!("l{at}").into()).collect::<Vec<Box<str>>>();
    let squares =
        |scale: u8| Domain::numbers((0..n).map(|at| Decimal::new((at * at) as i128 - 3, scale)).collect()).unwrap();
    let tree = |domain: Domain, short: bool| {
        let line = |(at, code): (usize, Code)| {
            let above = if short && at + 2 >= n { "*".into() } else { format!("pair {}", at / 2) };
            vec![domain.text(code).into_owned(), above, "*".into()]
        };
        let lines: Vec<Vec<String>> = domain.codes().enumerate().map(line).collect();
        let tree = Arc::new(Hierarchy::from_rows("h", &lines, &[]).unwrap());
        domain.with_hierarchy("h", "q", tree).unwrap()
    };
    match dice.below(8) {
        0 => squares(0),
        1 => squares(1),
        2 => Domain::dates((0..n as i32).map(|at| at * at - 5).collect()),
        3 => Domain::ordinal(labels()),
        4 => Domain::nominal(labels()),
        5 => tree(Domain::nominal(labels()), false),
        6 => tree(Domain::nominal(labels()), true),
        _ => tree(squares(0), false),
    }
}
