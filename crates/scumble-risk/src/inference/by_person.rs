//! Beliefs that count people, where some of them have several rows.
//!
//! The bag of candidates is their set of distinct (person, value) pairs: the belief in a value is the share of the candidates
//! who have it, in whichever of their rows. A person with several rows is believed of as in the row of which most is believed,
//! and of equal ones in the row of which least was before. This is for records that show values; for those that show groups
//! see `by_group.rs`.

use super::belief::BeliefSums;
use super::value_order::ValueOrder;
use super::{ColumnAttack, Inference};
use crate::attack::{Candidates, SourcePersons};
use scumble_table::{Code, Decimal, Persons, Ratio, Result, rows_by_group};

/// Distinct pairs of persons and values.
pub(super) struct PersonBag {
    pub(super) people: u64,
    /// Codes with the people who have them, and those who have some value near, by rising code.
    codes: Vec<(Code, u64, u64)>,
    /// The pairs by rising code, for values that are not in the bag.
    pairs: Vec<(Code, u32)>,
}

impl PersonBag {
    pub(super) fn new(mut pairs: Vec<(Code, u32)>, order: &ValueOrder, seen: &mut Vec<u32>) -> PersonBag {
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

    pub(super) fn most(&self) -> u64 {
        self.codes.iter().map(|entry| entry.1).max().unwrap_or(0)
    }

    /// People who have a value, and people who have one near it.
    pub(super) fn with(&self, code: Code, order: &ValueOrder) -> (u64, u64) {
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

/// A belief: some parts of all parts, and some people of all who had the value before.
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

impl ColumnAttack<'_> {
    /// The figures over people; nothing where it is not certain whose values a release shows.
    pub(super) fn by_person(
        &self,
        own: &SourcePersons,
        at: usize,
        candidates: &Candidates<'_>,
        own_code: impl Fn(usize) -> Code + Sync,
    ) -> Result<Option<Vec<Inference>>> {
        let members = own.boxes.get(at).and_then(Option::as_ref);
        let Some(members) = members.filter(|members| members.is_complete()) else { return Ok(None) };
        let (persons, order) = (&own.persons, self.order);
        let n_groups = members.open.len();
        let is_published = |row: u32| (members.group_of_row[row as usize] as usize) < n_groups;
        let pair = |row: u32| (own_code(row as usize), persons.of(row));
        let published = (0..members.group_of_row.len() as u32).filter(|&row| is_published(row));
        let whole = PersonBag::new(published.map(pair).collect(), order, &mut Vec::new());
        self.monitor.check()?;
        let rows_of_known = rows_by_group(&candidates.known, candidates.n_known);
        let tell = |room: &mut Scratch, point: u32, behind: &[u32], _records: u64| {
            let behind = behind.iter().copied().filter(|&row| is_published(row));
            let told = PersonBag::new(behind.map(pair).collect(), order, &mut room.seen);
            if told.people == 0 {
                return;
            }
            let most = told.most();
            let belief = |part: u64, prior: u64| Belief { part: part as i64, whole: told.people as i64, prior };
            for &row in rows_of_known.group(point as usize) {
                let code = own_code(row as usize);
                let (own, near) = told.with(code, order);
                let (prior, prior_near) = whole.with(code, order);
                room.told.push((row, [belief(most, whole.most()), belief(own, prior), belief(near, prior_near)]));
            }
        };
        let found = candidates.visit(Scratch::default, tell, self.monitor)?;
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
        let mut sums = [(); 3].map(|()| BeliefSums::new(Ratio::from(self.options.belief), total));
        for told in best.iter().flatten() {
            for (sums, belief) in sums.iter_mut().zip(told) {
                sums.add(1, (belief.part, belief.whole), belief.prior);
            }
        }
        self.figures_of_people(sums)
    }

    /// The figures of people who were added up for homogeneity, truth and proximity.
    pub(super) fn figures_of_people(&self, sums: [BeliefSums; 3]) -> Vec<Inference> {
        let [homogeneity, truth, proximity] = sums;
        let mut found = vec![("homogeneity", None, homogeneity), ("truth", None, truth)];
        if let (true, Some(epsilon)) = (self.order.is_measured(), self.options.epsilon) {
            found.push(("proximity", Some(epsilon), proximity));
        }
        let finished = |(attack, epsilon, sums): (&'static str, Option<Decimal>, BeliefSums)| {
            sums.finish_people(&self.column.name, self.table.name.clone(), attack, epsilon)
        };
        found.into_iter().map(finished).collect()
    }
}

#[derive(Default)]
struct Scratch {
    seen: Vec<u32>,
    told: Vec<(u32, RowBeliefs)>,
}
