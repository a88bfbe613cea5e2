//! Beliefs that count people, where some of them have several rows.
//!
//! The bag of candidates is their set of distinct (person, value) pairs: the belief in a value is the share of the candidates
//! who have it, in whichever of their rows. Where records show groups, each candidate's group has such a share of its own,
//! and the belief is the mean over the candidates. A person with several rows is believed of as in the row of which most is
//! believed, and of equal ones in the row of which least was before.

use super::belief::Sums;
use super::shares::unit;
use super::value_order::ValueOrder;
use super::{Asked, Inference};
use crate::attack::{Candidates, Disclosure, SourcePersons};
use scumble_table::{Code, Decimal, Persons, Ratio, Result, rows_by_group};
use scumble_verify::Membership;

/// Distinct pairs of persons and values.
struct PersonBag {
    people: u64,
    /// Codes with the people who have them, and those who have some value near, by rising code.
    codes: Vec<(Code, u64, u64)>,
    /// The pairs by rising code, for values that are not in the bag.
    pairs: Vec<(Code, u32)>,
}

impl PersonBag {
    fn new(mut pairs: Vec<(Code, u32)>, order: &ValueOrder, seen: &mut Vec<u32>) -> PersonBag {
        pairs.sort_unstable();
        pairs.dedup();
        let mut persons: Vec<u32> = pairs.iter().map(|pair| pair.1).collect();
        persons.sort_unstable();
        persons.dedup();
        let mut codes: Vec<(Code, u64, u64)> =
            pairs.chunk_by(|a, b| a.0 == b.0).map(|run| (run[0].0, run.len() as u64, 0)).collect();
        if order.is_measured() {
            // What is near rises with the value, so that one window slides over all pairs.
            seen.clear();
            seen.resize(persons.len(), 0);
            let place = |person: u32| persons.partition_point(|&other| other < person);
            let (mut from, mut to, mut inside) = (0, 0, 0u64);
            for entry in &mut codes {
                let (first, end) = order.near(entry.0);
                while to < pairs.len() && pairs[to].0 < end {
                    let count = &mut seen[place(pairs[to].1)];
                    inside += u64::from(*count == 0);
                    *count += 1;
                    to += 1;
                }
                while from < to && pairs[from].0 < first {
                    let count = &mut seen[place(pairs[from].1)];
                    *count -= 1;
                    inside -= u64::from(*count == 0);
                    from += 1;
                }
                entry.2 = inside;
            }
        }
        PersonBag { people: persons.len() as u64, codes, pairs }
    }

    fn most(&self) -> u64 {
        self.codes.iter().map(|entry| entry.1).max().unwrap_or(0)
    }

    /// People who have a value, and people who have one near it.
    fn with(&self, code: Code, order: &ValueOrder) -> (u64, u64) {
        match self.codes.binary_search_by_key(&code, |entry| entry.0) {
            Ok(at) => (self.codes[at].1, self.codes[at].2),
            Err(_) if order.is_measured() => {
                let (first, end) = order.near(code);
                let from = self.pairs.partition_point(|pair| pair.0 < first);
                let to = self.pairs.partition_point(|pair| pair.0 < end);
                let mut near: Vec<u32> = self.pairs[from..to].iter().map(|pair| pair.1).collect();
                near.sort_unstable();
                near.dedup();
                (0, near.len() as u64)
            }
            Err(_) => (0, 0),
        }
    }
}

/// A belief: so many parts of so many, where so many people had it of all before.
#[derive(Clone, Copy)]
struct Belief {
    part: i64,
    whole: i64,
    prior: u64,
}

impl Belief {
    /// Whether more is believed, or the same and less was before.
    fn beats(self, other: Belief) -> bool {
        let (own, others) =
            (i128::from(self.part) * i128::from(other.whole), i128::from(other.part) * i128::from(self.whole));
        own > others || own == others && self.prior < other.prior
    }
}

/// What is believed of a row: by homogeneity, truth and proximity.
type RowBeliefs = [Belief; 3];

impl Asked<'_> {
    /// The figures over people; nothing where it is not certain whose values a release shows.
    pub(super) fn by_person(
        &self,
        own: &SourcePersons,
        at: usize,
        candidates: &Candidates<'_>,
        own_code: impl Fn(usize) -> Code + Sync,
    ) -> Result<Option<Vec<Inference>>> {
        let (groups, members) = match &self.column.disclosure {
            Disclosure::Value(_) => (false, own.boxes.get(at).and_then(Option::as_ref)),
            Disclosure::Group { .. } => {
                let of_column = own.groups.iter().find(|(name, _)| *name == self.column.name);
                (true, of_column.map(|(_, members)| members))
            }
        };
        let Some(members) = members.filter(|members| members.is_complete()) else { return Ok(None) };
        let (persons, order) = (&own.persons, self.order);
        let n_groups = members.open.len();
        let is_published = |row: u32| (members.group_of_row[row as usize] as usize) < n_groups;
        let pair = |row: u32| (own_code(row as usize), persons.of(row));
        let published = (0..members.group_of_row.len() as u32).filter(|&row| is_published(row));
        let whole = PersonBag::new(published.map(pair).collect(), order, &mut Vec::new());
        self.monitor.check()?;
        let bags = if groups { Some(GroupBags::new(members, order, &pair)) } else { None };
        let rows_of_known = rows_by_group(&candidates.known, candidates.n_known);
        let tell = |room: &mut Room, point: u32, behind: &[u32], _records: u64| {
            let behind = || behind.iter().copied().filter(|&row| is_published(row));
            let told = match &bags {
                None => Told::One(PersonBag::new(behind().map(pair).collect(), order, &mut room.seen)),
                Some(bags) => {
                    let mut pairs: Vec<(u32, u32)> =
                        behind().map(|row| (persons.of(row), members.group_of_row[row as usize])).collect();
                    pairs.sort_unstable();
                    pairs.dedup();
                    Told::Groups(bags, pairs.into_iter().map(|pair| pair.1).collect())
                }
            };
            if told.is_nothing() {
                return;
            }
            let most = told.most();
            for &row in rows_of_known.group(point as usize) {
                let code = own_code(row as usize);
                let (own, near) = told.with(code, order);
                let all = told.whole();
                let (prior, prior_near) = whole.with(code, order);
                let belief = |part: i64, prior: u64| Belief { part, whole: all, prior };
                room.told.push((row, [belief(most, whole.most()), belief(own, prior), belief(near, prior_near)]));
            }
        };
        let found = candidates.visit(Room::default, tell, self.monitor)?;
        let beliefs = found.into_iter().flat_map(|room| room.told);
        Ok(Some(self.sums(persons, beliefs, whole.people)))
    }

    /// Adds up what is believed of people, by the row of which most is.
    fn sums(&self, persons: &Persons, beliefs: impl Iterator<Item = (u32, RowBeliefs)>, total: u64) -> Vec<Inference> {
        let mut best: Vec<Option<RowBeliefs>> = vec![None; persons.n()];
        for (row, told) in beliefs {
            let known = best[persons.of(row) as usize].get_or_insert(told);
            for (known, told) in known.iter_mut().zip(told) {
                if told.beats(*known) {
                    *known = told;
                }
            }
        }
        let mut sums = [(); 3].map(|()| Sums::new(Ratio::from(self.options.belief), total));
        for told in best.iter().flatten() {
            for (sums, belief) in sums.iter_mut().zip(told) {
                sums.add(1, (belief.part, belief.whole), belief.prior);
            }
        }
        let [homogeneity, truth, proximity] = sums;
        let mut found = vec![("homogeneity", None, homogeneity), ("truth", None, truth)];
        if let (true, Some(epsilon)) = (self.order.is_measured(), self.options.epsilon) {
            found.push(("proximity", Some(epsilon), proximity));
        }
        let finished = |(attack, epsilon, sums): (&'static str, Option<Decimal>, Sums)| {
            sums.finish_people(&self.column.name, self.table.name.clone(), attack, epsilon)
        };
        found.into_iter().map(finished).collect()
    }
}

#[derive(Default)]
struct Room {
    seen: Vec<u32>,
    told: Vec<(u32, RowBeliefs)>,
}

/// The bags of all groups, with a unit that their numbers of people divide.
struct GroupBags {
    bags: Vec<PersonBag>,
    unit: u64,
}

impl GroupBags {
    fn new(members: &Membership, order: &ValueOrder, pair: &(impl Fn(u32) -> (Code, u32) + Sync)) -> GroupBags {
        let mut seen = Vec::new();
        let rows = members.members();
        let bag = |rows: &[u32]| PersonBag::new(rows.iter().map(|&row| pair(row)).collect(), order, &mut seen);
        let bags: Vec<PersonBag> = rows.groups().map(bag).collect();
        let unit = unit(bags.iter().map(|bag| bag.people), members.group_of_row.len() as u64);
        GroupBags { bags, unit }
    }
}

/// What the candidates tell.
enum Told<'a> {
    /// Their own values.
    One(PersonBag),
    /// The groups of candidates, each as often as it has some.
    Groups(&'a GroupBags, Vec<u32>),
}

impl Told<'_> {
    fn is_nothing(&self) -> bool {
        match self {
            Told::One(bag) => bag.people == 0,
            Told::Groups(_, groups) => groups.is_empty(),
        }
    }

    fn whole(&self) -> i64 {
        match self {
            Told::One(bag) => bag.people as i64,
            Told::Groups(bags, groups) => bags.unit as i64 * groups.len() as i64,
        }
    }

    fn with(&self, code: Code, order: &ValueOrder) -> (i64, i64) {
        match self {
            Told::One(bag) => {
                let (own, near) = bag.with(code, order);
                (own as i64, near as i64)
            }
            Told::Groups(bags, groups) => groups.iter().fold((0, 0), |sum, &group| {
                let bag = &bags.bags[group as usize];
                let (own, near) = bag.with(code, order);
                (sum.0 + bags.units(own, bag), sum.1 + bags.units(near, bag))
            }),
        }
    }

    fn most(&self) -> i64 {
        match self {
            Told::One(bag) => bag.most() as i64,
            Told::Groups(bags, groups) => {
                let of_group = |&group: &u32| {
                    let bag = &bags.bags[group as usize];
                    bag.codes.iter().map(move |entry| (entry.0, bags.units(entry.1, bag)))
                };
                let mut all: Vec<(Code, i64)> = groups.iter().flat_map(of_group).collect();
                all.sort_unstable();
                let sums = all.chunk_by(|a, b| a.0 == b.0).map(|run| run.iter().map(|entry| entry.1).sum());
                sums.max().unwrap_or(0)
            }
        }
    }
}

impl GroupBags {
    /// The share that some people are of a group, in units, to the nearest.
    fn units(&self, people: u64, bag: &PersonBag) -> i64 {
        let size = u128::from(bag.people.max(1));
        ((u128::from(people) * u128::from(self.unit) + size / 2) / size) as i64
    }
}
