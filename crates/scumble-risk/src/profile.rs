//! The figures of one attack, from the number of records that match each person.

use crate::Matches;
use crate::matches::share_of;
use scumble_table::{Decimal, Ratio};
use serde::{Serialize, Serializer};

/// What an attacker who knows some columns achieves. The probability to name a person's record is one in the number of
/// records that match; 0 for people who match none, who are not in a release.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Profile {
    /// People who are looked for: the records of a table, or the people of a source.
    pub records: u64,
    /// Of these, people whom no record of a release matches.
    #[serde(skip_serializing_if = "is_zero")]
    pub unmatched: u64,
    /// Different known values among those who match something.
    pub classes: u64,
    /// People whom exactly one record matches.
    pub unique_records: u64,
    /// The fewest records that match a person who is matched; 0 where none is.
    pub k_min: u64,
    /// The most.
    pub k_max: u64,
    /// The mean over people, in a table the sum of squared class sizes by the number of records.
    pub k_mean_record: f64,
    /// The mean over classes.
    pub k_mean_class: f64,
    /// The greatest probability: the target is known to be in the data.
    pub prosecutor: f64,
    /// The mean probability: the expected share of all people who are named rightly.
    pub marketer: f64,
    /// Probabilities with the share of people whose probability is at most that, rising to 1.
    pub cdf: Vec<(f64, f64)>,
    /// People at or above probabilities that were asked about.
    pub thresholds: Vec<Threshold>,
}

/// Those whose probability is at or above a threshold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Threshold {
    /// The threshold.
    #[serde(serialize_with = "as_number")]
    pub probability: Decimal,
    /// People at or above it.
    pub records: u64,
    /// Their share.
    pub share: f64,
    /// People below it, those whom nothing matches among them.
    pub below: u64,
}

impl Profile {
    /// The figures, with people at or above some probabilities, each above 0.
    pub fn new(matches: &Matches, thresholds: &[Decimal]) -> Self {
        let (records, classes) = (matches.records(), matches.classes());
        let sum = |of: fn(&super::Matched) -> u64| -> f64 {
            matches.found().map(|line| u128::from(line.k) * u128::from(of(line))).sum::<u128>() as f64
        };
        let found: u64 = matches.found().map(|line| line.records).sum();
        let k_min = matches.found().next().map_or(0, |line| line.k);
        Profile {
            records,
            unmatched: records - found,
            classes,
            unique_records: matches.unique(),
            k_min,
            k_max: matches.lines().iter().rev().find(|line| line.records > 0).map_or(0, |line| line.k),
            k_mean_record: share_of(sum(|line| line.records), found),
            k_mean_class: share_of(sum(|line| line.classes), classes),
            prosecutor: probability(k_min),
            marketer: matches.marketer(),
            cdf: cdf(matches),
            thresholds: thresholds.iter().map(|&asked| threshold(matches, asked)).collect(),
        }
    }
}

/// One in `k`; 0 where `k` is 0.
fn probability(k: u64) -> f64 {
    if k == 0 { 0.0 } else { 1.0 / k as f64 }
}

/// Least probabilities first: those who match no record, then the largest classes.
fn cdf(matches: &Matches) -> Vec<(f64, f64)> {
    let records = matches.records();
    let unmatched = matches.lines().iter().filter(|line| line.k == 0);
    let mut below = 0;
    let lines = unmatched.chain(matches.lines().iter().rev().filter(|line| line.k > 0));
    lines
        .filter(|line| line.records > 0)
        .map(|line| {
            below += line.records;
            (probability(line.k), share_of(below as f64, records))
        })
        .collect()
}

fn threshold(matches: &Matches, asked: Decimal) -> Threshold {
    // One in k is at least asked where k times asked is at most 1, compared exactly.
    let most = Ratio::from(asked);
    let at_least = |k: u64| i128::from(k).checked_mul(most.numer()).is_some_and(|product| product <= most.denom());
    let records = matches.found().filter(|line| at_least(line.k)).map(|line| line.records).sum();
    let all = matches.records();
    Threshold { probability: asked, records, share: share_of(records as f64, all), below: all - records }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn as_number<S: Serializer>(value: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(value.to_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimals(texts: &[&str]) -> Vec<Decimal> {
        texts.iter().map(|text| Decimal::parse(text).unwrap()).collect()
    }

    #[test]
    fn thresholds_are_exact() {
        let matches = Matches::from_classes([(1, 1), (3, 3), (10, 10), (0, 6)]);
        let asked = ["1", "0.34", "0.3333333333333333", "0.33333333333333334", "0.1", "0.10000000000000001", "0.05"];
        let profile = Profile::new(&matches, &decimals(&asked));
        let found: Vec<u64> = profile.thresholds.iter().map(|line| line.records).collect();
        assert_eq!(found, [1, 1, 4, 1, 14, 4, 14]);
        assert_eq!((profile.records, profile.unmatched, profile.thresholds[4].share), (20, 6, 0.7));
        assert!(profile.thresholds.iter().all(|line| line.records + line.below == 20));
    }

    #[test]
    fn figures_of_three_classes() {
        let profile = Profile::new(&Matches::from_classes([(1, 1), (1, 1), (4, 4)]), &[]);
        assert_eq!((profile.records, profile.classes, profile.unique_records), (6, 3, 2));
        assert_eq!((profile.k_min, profile.k_max, profile.k_mean_record, profile.k_mean_class), (1, 4, 3.0, 2.0));
        assert_eq!((profile.prosecutor, profile.marketer), (1.0, 0.5));
        assert_eq!(profile.cdf, [(0.25, 4.0 / 6.0), (1.0, 1.0)]);
        let nobody = Profile::new(&Matches::default(), &decimals(&["0.5"]));
        assert_eq!((nobody.k_min, nobody.prosecutor, nobody.marketer, nobody.k_mean_record), (0, 0.0, 0.0, 0.0));
        assert!(nobody.cdf.is_empty() && nobody.thresholds[0].share == 0.0);
    }

    #[test]
    fn those_who_are_not_there_come_first() {
        let profile = Profile::new(&Matches::from_classes([(0, 2), (2, 2)]), &[]);
        assert_eq!(profile.cdf, [(0.0, 0.5), (0.5, 1.0)]);
        assert_eq!((profile.k_min, profile.k_max, profile.marketer), (2, 2, 0.25));
        let all_gone = Profile::new(&Matches::from_classes([(0, 2)]), &[]);
        assert_eq!((all_gone.k_min, all_gone.k_max, all_gone.prosecutor, all_gone.cdf), (0, 0, 0.0, vec![(0.0, 1.0)]));
    }
}
