//! Beliefs that count people, where records show groups and some people have several rows.
//!
//! Who knows the values of somebody in the known columns, row by row, sees which records of which groups could be theirs, and
//! believes that the person has a value in at least one row with a probability that `own_records.rs` says. Known values
//! that share no group tell of the person independently of each other: what they leave open multiplies.
//!
//! * *homogeneity*: the belief in the value that the person has most likely, true or not;
//! * *truth*: the belief in the person's own value; of several the one that is believed most;
//! * *proximity*: the belief that one of the person's values is within epsilon of one of the person's own.

use super::belief::{BeliefSums, FLOAT_ERROR};
use super::by_person::PersonBag;
use super::own_records::{OwnGroup, OwnRecords};
use super::{ColumnAttack, Inference};
use crate::attack::{Matching, SourcePersons};
use crate::group_counts::GroupCounts;
use rayon::prelude::*;
use scumble_release::SUPPRESSED;
use scumble_table::{Code, Ratio, Result, rows_by_group};
use std::collections::BTreeMap;

/// More steps than this are not gone: some seconds of work. Rows are counted then.
const MOST_STEPS: u128 = 4_000_000_000;

/// Known values of a person that share groups, with how many of the person's rows have them.
type Connected = Vec<(u32, u32)>;

/// Values of groups, by code.
struct GroupBags {
    bags: Vec<Vec<(Code, u32)>>,
}

impl GroupBags {
    fn new(groups: &GroupCounts, published: &[Code]) -> GroupBags {
        let bag = |group: u32| {
            let mut bag: Vec<(Code, u32)> =
                groups.values(group).iter().map(|&(code, n)| (published[code as usize], n)).collect();
            bag.sort_unstable();
            bag.chunk_by(|a, b| a.0 == b.0).map(|run| (run[0].0, run.iter().map(|one| one.1).sum())).collect()
        };
        GroupBags { bags: (0..groups.sizes.len() as u32).map(bag).collect() }
    }

    /// Members of a group that have a value from the first code to before the second.
    fn within(&self, group: u32, (from, to): (Code, Code)) -> u32 {
        let bag = &self.bags[group as usize];
        let first = bag.partition_point(|entry| entry.0 < from);
        bag[first..].iter().take_while(|entry| entry.0 < to).map(|entry| entry.1).sum()
    }
}

/// What is believed of a person, and how many people have it.
#[derive(Clone, Copy)]
struct Belief {
    share: f64,
    prior: u64,
}

impl Belief {
    /// Whether more is believed, or the same and less was before.
    fn beats(self, other: Belief) -> bool {
        let same = (self.share - other.share).abs() <= FLOAT_ERROR;
        if same { self.prior < other.prior } else { self.share > other.share }
    }
}

impl ColumnAttack<'_> {
    /// The figures over people by the group of each record and the values of groups; nothing where too much is possible to be
    /// gone through.
    pub(super) fn by_group(
        &self,
        own: &SourcePersons,
        matching: Matching<'_>,
        (group_of_record, groups): (&[u32], &GroupCounts),
        own_code: impl Fn(usize) -> Code + Sync,
    ) -> Result<Option<Vec<Inference>>> {
        let (persons, order) = (&own.persons, self.order);
        let (records, known) = matching.records_with_people()?;
        let members = own.groups.iter().find(|(name, _)| *name == self.column.name).map(|(_, members)| members);
        let is_there = |row: usize| {
            (known[row] as usize) < records.len()
                && members.is_none_or(|members| members.group_of_row[row] != SUPPRESSED)
        };
        // The groups of the records that show the same known values, each with how many of them it has.
        let of_known: Vec<Vec<(u32, u32)>> = rows_by_group(&records.of_row, records.len())
            .groups()
            .map(|rows| {
                let mut here: Vec<u32> = rows.iter().map(|&row| group_of_record[row as usize]).collect();
                here.sort_unstable();
                here.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
            })
            .collect();
        self.monitor.check()?;
        let rows: Vec<u32> = (0..known.len() as u32).filter(|&row| is_there(row as usize)).collect();
        let pair = |&row: &u32| (own_code(row as usize), persons.of(row));
        let whole = PersonBag::new(rows.iter().map(pair).collect(), order, &mut Vec::new());
        let mut of_person: Vec<Vec<(u32, Code)>> = vec![Vec::new(); persons.n()];
        for &row in &rows {
            of_person[persons.of(row) as usize].push((known[row as usize], own_code(row as usize)));
        }
        // What is the same of several people is worked out once, and so is everything that is connected.
        let own: Vec<Connected> = of_person.par_iter().map(|rows| counted(rows)).collect();
        let mut different: Vec<&Connected> = own.iter().filter(|own| !own.is_empty()).collect();
        different.par_sort_unstable();
        different.dedup();
        let looked_at = |own: &&Connected| -> u128 {
            if own.len() < 2 { 1 } else { own.iter().map(|one| of_known[one.0 as usize].len() as u128).sum() }
        };
        if different.par_iter().map(looked_at).sum::<u128>() > MOST_STEPS {
            return Ok(None);
        }
        let parts: Vec<Vec<Connected>> = different.par_iter().map(|own| connected(own, &of_known)).collect();
        self.monitor.check()?;
        let mut all: Vec<&Connected> = parts.iter().flatten().collect();
        all.par_sort_unstable();
        all.dedup();
        let place = |part: &Connected| all.partition_point(|other| *other < part);
        let places: Vec<Vec<usize>> = parts.par_iter().map(|parts| parts.iter().map(place).collect()).collect();
        let places_of = |own: &Connected| &places[different.partition_point(|other| *other < own)];
        let bags = GroupBags::new(groups, &order.published);
        let own_records: Vec<OwnRecords> =
            all.par_iter().map(|part| own_records_of(part, &of_known, &groups.sizes)).collect();
        let steps = own_records.par_iter().map(|one| {
            let values: u128 = one.groups.iter().map(|group| bags.bags[group.group as usize].len() as u128).sum();
            // Every value of a group asks for the steps of that group.
            one.steps() * values / (one.groups.len() as u128).max(1)
        });
        if steps.sum::<u128>() > MOST_STEPS {
            return Ok(None);
        }
        let left_open: Vec<BTreeMap<Code, f64>> = own_records
            .par_iter()
            .map(|one| {
                self.monitor.check()?;
                Ok(left_open(one, &bags))
            })
            .collect::<Result<_>>()?;
        let near = match order.is_measured() {
            false => Vec::new(),
            true => {
                let of_one = |(rows, own): (&Vec<(u32, Code)>, &Connected)| -> Vec<(usize, Code)> {
                    let places = if rows.is_empty() { &[][..] } else { places_of(own) };
                    places.iter().flat_map(|&at| rows.iter().map(move |row| (at, row.1))).collect()
                };
                let mut asked: Vec<(usize, Code)> = of_person.par_iter().zip(&own).flat_map_iter(of_one).collect();
                asked.par_sort_unstable();
                asked.dedup();
                if asked.par_iter().map(|one| own_records[one.0].steps()).sum::<u128>() > MOST_STEPS {
                    return Ok(None);
                }
                let open = |&(at, code): &(usize, Code)| {
                    self.monitor.check()?;
                    Ok(((at, code), own_records[at].none_has(|group| bags.within(group.group, order.near(code)))))
                };
                asked.par_iter().map(open).collect::<Result<Vec<_>>>()?
            }
        };
        let near_open = |at: usize, code: Code| {
            near.binary_search_by_key(&(at, code), |one| one.0).map_or(1.0, |found| near[found].1)
        };
        let told = of_person.par_iter().zip(&own).map(|(rows, own)| {
            self.monitor.check()?;
            if rows.is_empty() {
                return Ok(None);
            }
            let places = places_of(own);
            let mut codes: Vec<Code> = rows.iter().map(|row| row.1).collect();
            codes.sort_unstable();
            codes.dedup();
            let open = |code: Code| -> f64 {
                places.iter().map(|&at| left_open[at].get(&code).copied().unwrap_or(1.0)).product()
            };
            let mut reachable: Vec<Code> = places.iter().flat_map(|&at| left_open[at].keys().copied()).collect();
            reachable.sort_unstable();
            reachable.dedup();
            let most = reachable.into_iter().map(open).fold(1.0, f64::min);
            let homogeneity = Belief { share: belief(most), prior: whole.most() };
            let truth =
                codes.iter().map(|&code| Belief { share: belief(open(code)), prior: whole.with(code, order).0 });
            let near = codes.iter().map(|&code| {
                let open: f64 = places.iter().map(|&at| near_open(at, code)).product();
                Belief { share: belief(open), prior: whole.with(code, order).1 }
            });
            let best = |a: Belief, b: Belief| if b.beats(a) { b } else { a };
            let (truth, near) = (truth.reduce(best), near.reduce(best));
            Ok(Some([homogeneity, truth.unwrap_or(homogeneity), near.unwrap_or(homogeneity)]))
        });
        let told: Vec<Option<[Belief; 3]>> = told.collect::<Result<_>>()?;
        let mut sums = [(); 3].map(|()| BeliefSums::new(Ratio::from(self.options.belief), whole.people));
        for told in told.iter().flatten() {
            sums.iter_mut().zip(told).for_each(|(sums, told)| sums.add_belief(told.share, told.prior));
        }
        Ok(Some(self.figures_of_people(sums)))
    }
}

/// What is believed where so much is left open. Only what leaves nothing open is certain, whatever rounding makes of it.
fn belief(open: f64) -> f64 {
    if open > 0.0 { (1.0 - open).min(1.0 - f64::EPSILON) } else { 1.0 }
}

/// For each value of the groups, the probability that the person has it in no row.
fn left_open(own: &OwnRecords, bags: &GroupBags) -> BTreeMap<Code, f64> {
    // Groups by value, so that only those are looked at in which somebody has it.
    let mut having: BTreeMap<Code, Vec<(usize, u32)>> = BTreeMap::new();
    for (at, group) in own.groups.iter().enumerate() {
        for &(code, n) in &bags.bags[group.group as usize] {
            having.entry(code).or_default().push((at, n));
        }
    }
    having
        .into_iter()
        .map(|(code, groups)| {
            let some = OwnRecords {
                drawn: own.drawn.clone(),
                groups: groups.iter().map(|&(at, _)| own.groups[at].clone()).collect(),
            };
            let place = |group: &OwnGroup| some.groups.partition_point(|other| other.group < group.group);
            (code, some.none_has(|group| groups[place(group)].1))
        })
        .collect()
}

/// The known values of a person's rows, each with how many rows have it.
fn counted(rows: &[(u32, Code)]) -> Connected {
    let mut known: Vec<u32> = rows.iter().map(|row| row.0).collect();
    known.sort_unstable();
    known.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
}

/// The known values of a person in parts that share no group.
fn connected(own: &Connected, of_known: &[Vec<(u32, u32)>]) -> Vec<Connected> {
    if own.len() < 2 {
        return vec![own.clone()];
    }
    let mut parts: Vec<(Connected, Vec<u32>)> = Vec::new();
    for &(known, n) in own {
        let mut groups: Vec<u32> = of_known[known as usize].iter().map(|one| one.0).collect();
        let mut part = vec![(known, n)];
        let (touched, apart): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|(_, others)| others.iter().any(|group| groups.binary_search(group).is_ok()));
        for (others, more) in touched {
            part.extend(others);
            groups.extend(more);
        }
        part.sort_unstable();
        groups.sort_unstable();
        groups.dedup();
        parts = apart;
        parts.push((part, groups));
    }
    parts.into_iter().map(|(part, _)| part).collect()
}

/// The records that could be a person's, by known values that share groups.
fn own_records_of(part: &Connected, of_known: &[Vec<(u32, u32)>], sizes: &[u32]) -> OwnRecords {
    let mut groups: BTreeMap<u32, OwnGroup> = BTreeMap::new();
    let mut drawn = Vec::new();
    for &(known, n) in part {
        let records = &of_known[known as usize];
        let all: u32 = records.iter().map(|one| one.1).sum();
        let position = drawn.len();
        // Somebody some of whose rows are suppressed has no more records than there are.
        if n < all {
            drawn.push((n, all));
        }
        for &(group, here) in records {
            let entry = groups.entry(group).or_insert_with(|| OwnGroup {
                group,
                size: sizes[group as usize],
                ..OwnGroup::default()
            });
            match n < all {
                true => entry.records.push((position, here)),
                false => entry.certain += here,
            }
        }
    }
    OwnRecords { drawn, groups: groups.into_values().collect() }
}
