//! Which records are a person's, as far as the known values tell, and how likely none of them has some value.
//!
//! Records show known values exactly, and each is in a group whose values are published without saying which is whose. A person
//! has `m` rows with some known values, of the `M` records that show these: the attacker takes every choice of `m` of them for
//! equally likely, and every way to give the values of a group to its records. Where `n` of the `N` records of a group are the
//! person's, none of them has a value that `c` members have with probability
//!
//! ```text
//! C(N - c, n) / C(N, n) = product over i < n of (N - c - i) / (N - i)
//! ```
//!
//! and groups are dealt independently of each other, so that these multiply. Where `m = M` it is certain which records are the
//! person's. Else the records are drawn group by group: what is left to be drawn of each known values is the state of a chain,
//! whose steps are hypergeometric.

use std::ops::Range;

/// The records that could be those of one person, group by group, all of them connected by known values.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct OwnRecords {
    /// For known values of which more records than the person's show them: the person's rows, and all records.
    pub(super) drawn: Vec<(u32, u32)>,
    pub(super) groups: Vec<OwnGroup>,
}

/// One of the groups.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct OwnGroup {
    pub(super) group: u32,
    /// Members of the group.
    pub(super) size: u32,
    /// Records that are the person's for certain.
    pub(super) certain: u32,
    /// For known values of `drawn`, by their position there, the records of the group that show them.
    pub(super) records: Vec<(usize, u32)>,
}

impl OwnRecords {
    /// How many steps it takes to go through all groups, at most.
    pub(super) fn steps(&self) -> u128 {
        let states: u128 = self.drawn.iter().map(|&(own, _)| u128::from(own) + 1).product();
        let of_group = |group: &OwnGroup| -> u128 {
            group.records.iter().map(|&(at, n)| u128::from(self.drawn[at].0.min(n)) + 1).product()
        };
        self.groups.iter().map(|group| if group.records.is_empty() { 1 } else { states * of_group(group) }).sum()
    }

    /// The probability that none of the person's records has a value that `with` members of a group have. Groups in which
    /// nobody has it need not be looked at.
    pub(super) fn none_has(&self, with: impl Fn(&OwnGroup) -> u32) -> f64 {
        let mut certain = 1.0;
        // What is left to be drawn, in mixed radix, with the probability that none has the value so far.
        let mut states = vec![0.0; self.drawn.iter().map(|&(own, _)| own as usize + 1).product::<usize>().max(1)];
        if let Some(last) = states.last_mut() {
            *last = 1.0;
        }
        let mut left: Vec<u32> = self.drawn.iter().map(|&(_, all)| all).collect();
        for group in &self.groups {
            let have = with(group);
            if have == 0 {
                continue;
            }
            if group.records.is_empty() {
                certain *= none_of(group.size, have, group.certain);
                continue;
            }
            let mut next = vec![0.0; states.len()];
            for (state, &probability) in states.iter().enumerate() {
                if probability > 0.0 {
                    self.draw(group, have, &left, (state, group.certain, probability), 0, &mut next);
                }
            }
            states = next;
            group.records.iter().for_each(|&(at, n)| left[at] -= n);
        }
        (certain * states.iter().sum::<f64>()).clamp(0.0, 1.0)
    }

    /// Draws from the known values of a group, from the one at `at` on.
    fn draw(
        &self,
        group: &OwnGroup,
        have: u32,
        left: &[u32],
        (state, own, probability): (usize, u32, f64),
        at: usize,
        next: &mut [f64],
    ) {
        let Some(&(known, records)) = group.records.get(at) else {
            next[state] += probability * none_of(group.size, have, own);
            return;
        };
        let stride: usize = self.drawn[..known].iter().map(|&(own, _)| own as usize + 1).product();
        let open = (state / stride % (self.drawn[known].0 as usize + 1)) as u32;
        for n in possible(left[known], records, open) {
            let here = probability * hypergeometric(left[known], records, open, n);
            self.draw(group, have, left, (state - n as usize * stride, own + n, here), at + 1, next);
        }
    }
}

/// The probability that none of `own` members of a group of `size` is among the `have` who have a value.
fn none_of(size: u32, have: u32, own: u32) -> f64 {
    let without = size.saturating_sub(have);
    if own > without {
        return 0.0;
    }
    (0..own).map(|i| f64::from(without - i) / f64::from(size - i)).product()
}

/// How many of `drawn` records can be among `marked` of `all`.
fn possible(all: u32, marked: u32, drawn: u32) -> Range<u32> {
    (drawn + marked).saturating_sub(all)..drawn.min(marked) + 1
}

/// The probability that `n` of `drawn` records are among `marked` of `all`.
fn hypergeometric(all: u32, marked: u32, drawn: u32, n: u32) -> f64 {
    let other = all - marked;
    // C(drawn, n) ways to order draws, each with the same product; factors alternate, so that nothing grows beyond bounds.
    let mut probability = 1.0;
    for i in 0..n {
        probability *= f64::from(marked - i) / f64::from(all - i) * (f64::from(drawn - i) / f64::from(n - i));
    }
    for i in 0..drawn - n {
        probability *= f64::from(other - i) / f64::from(all - n - i);
    }
    probability
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All subsets of a size.
    fn subsets(n: u32, size: u32) -> Vec<u32> {
        (0u32..1 << n).filter(|set| set.count_ones() == size).collect()
    }

    /// Every choice of records for every known values, and every way to give values to the members of every group.
    fn by_enumeration(own: &OwnRecords, have: &[u32]) -> f64 {
        // Members of all groups in a row: first those of each known values, then the certain ones.
        let (mut starts, mut total) = (Vec::new(), 0);
        for group in &own.groups {
            starts.push(total);
            total += group.size;
        }
        let mut choices: Vec<u32> = vec![0];
        for (known, &(rows, _)) in own.drawn.iter().enumerate() {
            let mut places = Vec::new();
            for (group, start) in own.groups.iter().zip(&starts) {
                let mut at = *start;
                for &(of, n) in &group.records {
                    if of == known {
                        places.extend(at..at + n);
                    }
                    at += n;
                }
            }
            let sets: Vec<u32> = subsets(places.len() as u32, rows)
                .into_iter()
                .map(|set| places.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, p)| 1 << p).sum())
                .collect();
            choices = choices.iter().flat_map(|before| sets.iter().map(move |set| before | set)).collect();
        }
        for (group, start) in own.groups.iter().zip(&starts) {
            let first = start + group.records.iter().map(|record| record.1).sum::<u32>();
            let certain: u32 = (first..first + group.certain).map(|place| 1 << place).sum();
            choices.iter_mut().for_each(|choice| *choice |= certain);
        }
        let mut values: Vec<u32> = vec![0];
        for ((group, start), &have) in own.groups.iter().zip(&starts).zip(have) {
            let sets = subsets(group.size, have);
            values = values.iter().flat_map(|before| sets.iter().map(move |set| before | set << start)).collect();
        }
        let none = choices.iter().map(|c| values.iter().filter(|v| **v & c == 0).count()).sum::<usize>();
        none as f64 / (choices.len() * values.len()) as f64
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn every_choice_of_records_and_values_is_counted(
            groups in prop::collection::vec((0u32..3, 0u32..3, 0u32..2, 0u32..2, 0u32..4), 1..4),
            rows in (0u32..3, 0u32..3),
        ) {
            let mut own = OwnRecords::default();
            let mut all = [0u32, 0];
            let mut have = Vec::new();
            for (at, &(one, other, certain, more, with)) in groups.iter().enumerate() {
                let size = one + other + certain + more;
                if size == 0 {
                    continue;
                }
                let records: Vec<(usize, u32)> =
                    [(0, one), (1, other)].into_iter().filter(|record| record.1 > 0).collect();
                all[0] += one;
                all[1] += other;
                own.groups.push(OwnGroup { group: at as u32, size, certain, records });
                have.push(with.min(size));
            }
            own.drawn = vec![(rows.0.min(all[0]), all[0]), (rows.1.min(all[1]), all[1])];
            let found = own.none_has(|group| {
                have[own.groups.iter().position(|other| other.group == group.group).unwrap()]
            });
            prop_assert!((found - by_enumeration(&own, &have)).abs() < 1e-12, "{own:?} {have:?}");
        }
    }

    #[test]
    fn who_has_more_rows_than_others_have_values_is_known() {
        // Two of the three members of a group are one person's, and two have the value.
        let group = OwnGroup { group: 0, size: 3, certain: 2, records: Vec::new() };
        let own = OwnRecords { drawn: Vec::new(), groups: vec![group] };
        assert_eq!(own.none_has(|_| 2), 0.0);
        assert!((own.none_has(|_| 1) - 1.0 / 3.0).abs() < 1e-15);
        assert_eq!((own.none_has(|_| 0), own.steps()), (1.0, 1));
    }

    #[test]
    fn many_rows_among_very_many_records_keep_their_digits() {
        let groups = (0..1000).map(|group| OwnGroup { group, size: 400, certain: 0, records: vec![(0, 300)] });
        let own = OwnRecords { drawn: vec![(120, 300_000)], groups: groups.collect() };
        // Everybody has the value in every group: certain. Nobody has it: nothing is known.
        assert_eq!((own.none_has(|_| 400), own.none_has(|_| 0)), (0.0, 1.0));
        // Half of every group: each of the 120 rows is without it with nearly the same chance.
        let half = own.none_has(|_| 200);
        assert!(half > 0.5f64.powi(121) && half < 0.5f64.powi(119), "{half}");
    }
}
