//! What it tells that Mondrian stopped (minimality; Wong, Fu, Wang, Pei, VLDB 2007).
//!
//! A published group is a node that was not cut, so every cut of it failed. Which cuts there are follows from the
//! quasi-identifiers of its people; whether they pass, from who has which value. An attacker weighs all ways to give the values of the group
//! to its people by the probability that the search stops there: the posterior of a person for a value is the
//! weight of the ways that give it to the person. Cuts further up have the whole group on one side, so that they
//! weigh all ways alike, but for the choice among cuts that divide it.

use super::dice::Dice;
use super::lots::Lots;
use super::people::People;
use super::seen::Seen;
use rayon::prelude::*;

/// The largest group that is attacked. Larger ones stop for many reasons at once, so that nothing follows for one person,
/// and there are too many ways to give them their values.
pub const LARGEST: usize = 12;
/// As many ways are weighed one by one; more are sampled, this many of them.
const WAYS: usize = 2_000;
/// The number of ways tried first where weighing one is slow, and [`WAYS`] only if some belief comes near the least of
/// [`ABOVE`], by [`NEAR`].
const FIRST: usize = 200;
const NEAR: f64 = 0.12;
/// A sample may put a belief above the least of [`ABOVE`] by chance. Where one comes within this distance of it, or lies above, the belief
/// is estimated again from [`MANY`] ways.
const DOUBTFUL: f64 = 0.03;
/// The number of ways that settles a doubtful belief.
const MANY: usize = 40_000;
/// A value that more of a group have is believed without any search: what stopping tells is asked of the others.
const MOST: f64 = 0.5;
/// Beliefs that are counted.
pub const ABOVE: [f64; 2] = [0.75, 0.9];

/// What the halves of a cut must have, with its l.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Diversity {
    /// Each value has at most one in l people.
    Frequency(usize),
    /// There are at least l values.
    Distinct(usize),
}

/// What the search is known to do with a node.
#[derive(Clone, Copy)]
pub enum Search<'a> {
    /// It stops where no cut leaves two halves that are diverse, and nowhere else.
    Certain(Diversity),
    /// The least number of people in both halves of a cut, where the search also stops by lot.
    ByLot(usize, &'a Lots),
}

/// People believed to have a value with more than each probability of [`ABOVE`], because their group was not cut.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Stops {
    /// People.
    pub people: [usize; 2],
    /// Right beliefs.
    pub right: [usize; 2],
    /// Shares of the believed values in their groups, added up.
    pub claimed: [f64; 2],
    /// Right beliefs in the control, where values were drawn inside groups.
    pub control: [usize; 2],
}

/// Finds the people about whom stopping tells most.
pub fn attack(seen: &Seen, people: &People, search: Search<'_>, truth: &[u32], control: &[u32], seed: u64) -> Stops {
    let orders = Orders::new(people);
    let groups = seen.box_rows();
    let found: Vec<Stops> = groups
        .par_iter()
        .enumerate()
        .map(|(group, rows)| {
            let mut found = Stops::default();
            let persons: Vec<usize> = rows.iter().map(|&row| seen.person[row as usize] as usize).collect();
            let values = &seen.batches[group];
            let Some(posterior) =
                posterior(people, &orders, &persons, values, search, &mut Dice::new(seed, group as u64))
            else {
                return found;
            };
            for (&row, beliefs) in rows.iter().zip(&posterior) {
                for (&(value, n), &belief) in values.iter().zip(beliefs) {
                    let share = f64::from(n) / persons.len() as f64;
                    for (at, &above) in ABOVE.iter().enumerate() {
                        if belief > above && share <= MOST {
                            found.people[at] += 1;
                            found.claimed[at] += share;
                            found.right[at] += usize::from(truth[row as usize] == value);
                            found.control[at] += usize::from(control[row as usize] == value);
                        }
                    }
                }
            }
            found
        })
        .collect();
    found.iter().fold(Stops::default(), |mut sum, one| {
        for at in 0..ABOVE.len() {
            sum.people[at] += one.people[at];
            sum.right[at] += one.right[at];
            sum.claimed[at] += one.claimed[at];
            sum.control[at] += one.control[at];
        }
        sum
    })
}

/// For each person the posterior of each value of the group; nothing where stopping tells nothing.
fn posterior(
    people: &People,
    orders: &Orders,
    persons: &[usize],
    values: &[(u32, u32)],
    search: Search<'_>,
    dice: &mut Dice,
) -> Option<Vec<Vec<f64>>> {
    let n = persons.len();
    let least = match search {
        Search::Certain(Diversity::Frequency(l) | Diversity::Distinct(l)) | Search::ByLot(l, _) => l,
    };
    let cuts = orders.cuts(people, persons, least);
    if cuts.is_empty() {
        return None;
    }
    match search {
        Search::Certain(diversity) => {
            let stops = |way: &[u8]| if cuts.iter().any(|&cut| passes(way, cut, diversity)) { 0.0 } else { 1.0 };
            weighed(values, n, WAYS, dice, stops)
        }
        Search::ByLot(_, lots) => {
            let stops = |way: &[u8]| {
                let held: Vec<u32> = way.iter().map(|&at| values[usize::from(at)].0).collect();
                // The table of a group can be made wherever that of all people could.
                lots.stop(people, persons, &held).unwrap_or(f64::NAN)
            };
            let mut found = weighed(values, n, FIRST, dice, stops)?;
            for (near, ways) in [(NEAR, WAYS), (DOUBTFUL, MANY)] {
                // What most of the group have may be believed as it is.
                let asked = |at: usize| f64::from(values[at].1) <= MOST * n as f64;
                let is_near = |(at, belief): (usize, &f64)| asked(at) && (belief.is_nan() || *belief > ABOVE[0] - near);
                if found.iter().any(|beliefs| beliefs.iter().enumerate().any(is_near)) {
                    found = weighed(values, n, ways, dice, stops)?;
                }
            }
            Some(found)
        }
    }
}

/// Weighs the ways to give values to `n` people, up to a limit.
fn weighed(
    values: &[(u32, u32)],
    n: usize,
    most: usize,
    dice: &mut Dice,
    stops: impl Fn(&[u8]) -> f64,
) -> Option<Vec<Vec<f64>>> {
    let mut way: Vec<u8> = Vec::with_capacity(n);
    for (at, &(_, count)) in values.iter().enumerate() {
        way.extend(std::iter::repeat_n(at as u8, count as usize));
    }
    let mut weights = vec![vec![0.0; values.len()]; n];
    let mut sum = 0.0;
    let mut weigh = |way: &[u8]| {
        let weight = stops(way);
        sum += weight;
        for (person, &value) in way.iter().enumerate() {
            weights[person][usize::from(value)] += weight;
        }
    };
    if n_ways(values, n) <= most as f64 {
        loop {
            weigh(&way);
            if !next_way(&mut way) {
                break;
            }
        }
    } else {
        for _ in 0..most {
            dice.shuffle(&mut way);
            weigh(&way);
        }
    }
    // No sampled way may stop; then the attacker has learned nothing that the sample can tell.
    if sum == 0.0 {
        return None;
    }
    weights.iter_mut().flatten().for_each(|weight| *weight /= sum);
    Some(weights)
}

/// Whether both sides of a cut are diverse.
fn passes(way: &[u8], cut: u16, diversity: Diversity) -> bool {
    let mut counts = [[0usize; LARGEST]; 2];
    let mut sizes = [0usize; 2];
    for (person, &value) in way.iter().enumerate() {
        let side = usize::from(cut >> person & 1);
        counts[side][usize::from(value)] += 1;
        sizes[side] += 1;
    }
    counts.iter().zip(sizes).all(|(counts, size)| match diversity {
        Diversity::Frequency(l) => counts.iter().all(|&count| count * l <= size),
        Diversity::Distinct(l) => counts.iter().filter(|&&count| count > 0).count() >= l,
    })
}

/// In how many different ways the values can be given to the people.
fn n_ways(values: &[(u32, u32)], n: usize) -> f64 {
    let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
    factorial(n) / values.iter().map(|&(_, count)| factorial(count as usize)).product::<f64>()
}

/// The next arrangement in the order of the alphabet; false after the last.
fn next_way(way: &mut [u8]) -> bool {
    let Some(at) = (1..way.len()).rev().find(|&i| way[i - 1] < way[i]) else { return false };
    let other = (at..way.len()).rev().find(|&i| way[i] > way[at - 1]).unwrap_or(at);
    way.swap(at - 1, other);
    way[at..].reverse();
    true
}

/// The order in which cuts follow labels: common ones first.
struct Orders {
    rank: Vec<Vec<u32>>,
}

impl Orders {
    fn new(people: &People) -> Self {
        let rank = people.quasi.iter().map(|column| {
            let mut held = vec![0u32; column.n_values()];
            column.codes[..people.inside].iter().for_each(|&code| held[code as usize] += 1);
            let mut order: Vec<u32> = (0..column.n_values() as u32).collect();
            if !column.is_number {
                order.sort_by_key(|&code| (std::cmp::Reverse(held[code as usize]), code));
            }
            let mut rank = vec![0; order.len()];
            order.iter().enumerate().for_each(|(at, &code)| rank[code as usize] = at as u32);
            rank
        });
        Orders { rank: rank.collect() }
    }

    /// The people on one side of each cut that a node offers, as bits, where both sides have at least `least` people.
    fn cuts(&self, people: &People, persons: &[usize], least: usize) -> Vec<u16> {
        let n = persons.len();
        let mut cuts = Vec::new();
        if n > LARGEST || n < 2 * least {
            return cuts;
        }
        for (column, rank) in people.quasi.iter().zip(&self.rank) {
            let mut bins: Vec<(u32, u16)> = Vec::new();
            for (at, &person) in persons.iter().enumerate() {
                let place = rank[column.codes[person] as usize];
                match bins.iter_mut().find(|bin| bin.0 == place) {
                    Some(bin) => bin.1 |= 1 << at,
                    None => bins.push((place, 1 << at)),
                }
            }
            // Labels are cut off in the order of how many people of the node have them.
            let common = |bin: &(u32, u16)| if column.is_number { 0 } else { u32::MAX - bin.1.count_ones() };
            bins.sort_by_key(|bin| (common(bin), bin.0));
            let mut below = 0;
            for (at, &(_, bin)) in bins.iter().enumerate() {
                if at > 0 {
                    cuts.push(below);
                    if !column.is_number && at + 1 < bins.len() {
                        cuts.push(bin);
                    }
                }
                below |= bin;
            }
        }
        cuts.retain(|cut| (least..=n - least).contains(&(cut.count_ones() as usize)));
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::people::Column;
    use crate::with_task;
    use scumble_method::Mondrian;
    use scumble_table::{Attribute, Decimal, Domain, Role, Schema, Table};

    const L2: Search<'_> = Search::Certain(Diversity::Frequency(2));

    fn made(quasi: &[(&str, bool, Vec<u32>)], secret: &[u32]) -> (People, Seen) {
        let n = secret.len();
        let column = |name: &str, is_number: bool, codes: &[u32]| {
            let texts: Vec<String> = codes.iter().map(|code| format!("{code:03}")).collect();
            Column::new(name, is_number, texts.iter().map(String::as_str)).unwrap()
        };
        let people = People {
            quasi: quasi.iter().map(|(name, is_number, codes)| column(name, *is_number, codes)).collect(),
            secrets: vec![column("secret", false, secret)],
            inside: n,
        };
        let mut counts = std::collections::BTreeMap::new();
        people.secrets[0].codes.iter().for_each(|&code| *counts.entry(code).or_insert(0u32) += 1);
        let seen = Seen {
            person: (0..n as u32).collect(),
            box_of: vec![0; n],
            batch_of: vec![0; n],
            batches: vec![counts.into_iter().collect()],
            boxes: Vec::new(),
        };
        (people, seen)
    }

    #[test]
    fn a_failed_cut_tells_who_has_what() {
        // Two and two people by age, values h, h, x, y. Had the two h been apart, the cut would have passed. So they are
        // together, but on which side is not told; nor is anything above one half.
        let (people, seen) = made(&[("age", true, vec![1, 1, 2, 2])], &[7, 7, 8, 9]);
        let cuts = Orders::new(&people).cuts(&people, &[0, 1, 2, 3], 2);
        assert_eq!(cuts, [0b0011]);
        let orders = Orders::new(&people);
        let found = posterior(&people, &orders, &[0, 1, 2, 3], &seen.batches[0], L2, &mut Dice::new(1, 1)).unwrap();
        assert!(found.iter().all(|one| (one[0] - 0.5).abs() < 1e-12), "{found:?}");
        // Of two people and four, h, h and four others: only if both h are the two does the cut fail.
        let (people, seen) = made(&[("age", true, vec![1, 1, 2, 2, 2, 2])], &[7, 7, 1, 2, 3, 4]);
        let truth = seen.truth(&people.secrets[0]);
        let other: Vec<u32> = truth.iter().rev().copied().collect();
        let found = attack(&seen, &people, L2, &truth, &other, 1);
        assert_eq!((found.people, found.right, found.control), ([2, 2], [2, 2], [0, 0]));
        assert!((found.claimed[0] - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_search_that_stops_by_lot_tells_little() {
        let (people, seen) = made(&[("age", true, vec![1, 1, 2, 2, 2, 2])], &[7, 7, 1, 2, 3, 4]);
        let truth = seen.truth(&people.secrets[0]);
        assert_eq!(attack(&seen, &people, L2, &truth, &truth, 1).people, [2, 2]);
        let lots = Lots::new(&people, &people.secrets[0], "frequency-l-diversity(2)").unwrap();
        let by_lot = Search::ByLot(2, &lots);
        assert_eq!(attack(&seen, &people, by_lot, &truth, &truth, 1).people, [0, 0]);
        // The odds of a value against another are within a factor 2.9 of their counts.
        let persons: Vec<usize> = (0..6).collect();
        let orders = Orders::new(&people);
        let found = posterior(&people, &orders, &persons, &seen.batches[0], by_lot, &mut Dice::new(1, 1)).unwrap();
        assert!(found[0][4] > 1.0 / 3.0, "something is told: {found:?}");
        for beliefs in &found {
            for (a, (_, n)) in beliefs.iter().zip(&seen.batches[0]) {
                for (b, (_, m)) in beliefs.iter().zip(&seen.batches[0]) {
                    assert!(a / b <= 2.9 * f64::from(*n) / f64::from(*m), "{found:?}");
                }
            }
        }
    }

    #[test]
    fn all_ways_are_gone_through_once() {
        let mut way = vec![0, 0, 1, 2];
        let mut n = 1;
        while next_way(&mut way) {
            n += 1;
        }
        assert_eq!((n, n_ways(&[(0, 2), (1, 1), (2, 1)], 4)), (12, 12.0));
    }

    /// The library's search on the people of a node.
    fn groups(people: &People) -> usize {
        let domain = |column: &Column| match column.is_number {
            true => Domain::numbers(column.labels.iter().map(|text| Decimal::parse(text).unwrap()).collect()).unwrap(),
            false => Domain::nominal(column.labels.iter().map(|text| text.as_str().into()).collect()),
        };
        let attribute = |column: &Column, role| Attribute { name: column.name.clone(), role, domain: domain(column) };
        let columns = || people.quasi.iter().map(|c| (c, Role::Quasi)).chain([(&people.secrets[0], Role::Sensitive)]);
        let schema = Schema::new(columns().map(|(column, role)| attribute(column, role)).collect()).unwrap();
        let codes = columns().map(|(column, _)| column.codes.iter().map(|code| code + 1).collect()).collect();
        let table = Table::new(schema, codes, people.inside).unwrap();
        let required = ["frequency-l-diversity(2)".parse().unwrap()];
        with_task(&table, &required, 1, |task| Mondrian::default().partition(task)).unwrap().n_groups()
    }

    #[test]
    fn stops_are_those_of_the_library() {
        let mut dice = Dice::new(9, 9);
        let (mut stopped, mut cut) = (0, 0);
        for _ in 0..3_000 {
            let n = 4 + dice.below(6);
            let column = |dice: &mut Dice, most: usize| (0..n).map(|_| dice.below(most) as u32).collect::<Vec<u32>>();
            let quasi = [
                ("age", true, column(&mut dice, 4)),
                ("city", false, column(&mut dice, 4)),
                ("sex", false, column(&mut dice, 2)),
            ];
            let secret = column(&mut dice, 4);
            let (people, seen) = made(&quasi, &secret);
            if seen.batches[0].iter().any(|pair| pair.1 as usize * 2 > n) {
                continue;
            }
            let persons: Vec<usize> = (0..n).collect();
            let way: Vec<u8> = people.secrets[0].codes.iter().map(|&code| code as u8).collect();
            let stops = !Orders::new(&people)
                .cuts(&people, &persons, 2)
                .iter()
                .any(|&cut| passes(&way, cut, Diversity::Frequency(2)));
            assert_eq!(stops, groups(&people) == 1, "{quasi:?} {secret:?}");
            stopped += usize::from(stops);
            cut += usize::from(!stops);
        }
        assert!(stopped > 100 && cut > 100, "{stopped} {cut}");
    }
}
