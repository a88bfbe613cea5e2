//! The definitions, pair by pair.

use scumble::{AttackFacts, Inference};
use std::collections::BTreeMap;

/// What an attacker believes: values with their shares.
pub(crate) type Belief = BTreeMap<String, f64>;

/// Figures agree but for the last digits.
pub(crate) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// Compares figures with those of people, each given by the known values and the number of records that match.
pub(crate) fn check_matches(facts: &AttackFacts, people: &[(String, usize)]) {
    let profile = &facts.profile;
    let found: Vec<usize> = people.iter().map(|person| person.1).filter(|&n| n > 0).collect();
    let probability = |n: usize| if n == 0 { 0.0 } else { 1.0 / n as f64 };
    let all = people.len() as f64;
    assert_eq!(profile.records, people.len() as u64);
    assert_eq!(profile.unmatched, (people.len() - found.len()) as u64);
    assert_eq!(profile.unique_records, found.iter().filter(|&&n| n == 1).count() as u64);
    assert_eq!(profile.k_min, found.iter().copied().min().unwrap_or(0) as u64);
    assert_eq!(profile.k_max, found.iter().copied().max().unwrap_or(0) as u64);
    let classes: BTreeMap<&str, usize> =
        people.iter().filter(|person| person.1 > 0).map(|(known, n)| (known.as_str(), *n)).collect();
    assert_eq!(profile.classes, classes.len() as u64);
    let mean = |sum: usize, n: usize| if n == 0 { 0.0 } else { sum as f64 / n as f64 };
    assert!(same(profile.k_mean_record, mean(found.iter().sum(), found.len())));
    assert!(same(profile.k_mean_class, mean(classes.values().sum(), classes.len())));
    assert!(same(profile.prosecutor, people.iter().map(|p| probability(p.1)).fold(0.0, f64::max)));
    assert!(same(profile.marketer, people.iter().map(|p| probability(p.1)).sum::<f64>() / all));
    // The distribution rises, ends at everybody, and says of every probability who is at or below it.
    assert!(profile.cdf.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    assert_eq!(profile.cdf.last().map(|point| point.1), Some(1.0));
    for &(p, share) in &profile.cdf {
        let below = people.iter().filter(|person| probability(person.1) <= p + 1e-12).count();
        assert!(same(share, below as f64 / all));
    }
    for line in &profile.thresholds {
        let p = line.probability.to_f64();
        let above = people.iter().filter(|person| person.1 > 0 && probability(person.1) >= p - 1e-12).count();
        assert_eq!(line.records, above as u64, "at least {p}");
        assert!(same(line.share, above as f64 / all));
    }
}

/// People with the weight that each counts for, what is believed of them, their own value, and what everybody believes.
pub(crate) struct Judged<'a> {
    pub(crate) people: Vec<(f64, Belief, String)>,
    pub(crate) prior: &'a Belief,
    pub(crate) threshold: f64,
}

impl Judged<'_> {
    /// Compares figures with a belief in whatever `counts` picks for a person's own value.
    pub(crate) fn check(&self, facts: &Inference, counts: impl Fn(&Belief, &str) -> f64) {
        let total: f64 = self.people.iter().map(|person| person.0).sum();
        let (mut mean, mut prior, mut above, mut newly) = (0.0, 0.0, 0.0, 0.0);
        let (mut largest, mut prior_largest) = (0.0f64, 0.0f64);
        for (weight, belief, own) in &self.people {
            let (after, before) = (counts(belief, own), counts(self.prior, own));
            mean += weight * after;
            prior += weight * before;
            largest = largest.max(after);
            prior_largest = prior_largest.max(before);
            if after > self.threshold + 1e-9 {
                above += weight;
                newly += if before > self.threshold + 1e-9 { 0.0 } else { *weight };
            }
        }
        let part = |sum: f64| if total == 0.0 { 0.0 } else { sum / total };
        let what = format!("{} of {}, {:?}", facts.attack, facts.column, facts.table);
        assert_eq!(facts.people, total.round() as u64, "{what}");
        assert!(same(facts.mean, part(mean)) && same(facts.largest, largest), "{what}: {facts:?}");
        assert!(same(facts.prior, part(prior)) && same(facts.prior_largest, prior_largest), "{what}: {facts:?}");
        assert!(same(facts.above_share, part(above)), "{what}: {facts:?} and {above} of {total}");
        assert!(same(facts.newly_above_share, part(newly)), "{what}: {facts:?} and {newly} of {total}");
        assert!((facts.above as f64 - above).abs() <= 0.5 + 1e-9, "{what}");
    }
}

/// The belief in the value that has most.
pub(crate) fn most(belief: &Belief, _own: &str) -> f64 {
    belief.values().copied().fold(0.0, f64::max)
}

/// The belief in the own value.
pub(crate) fn truth(belief: &Belief, own: &str) -> f64 {
    belief.get(own).copied().unwrap_or(0.0)
}

/// The belief in numbers within epsilon of the own; null is near null.
pub(crate) fn near(belief: &Belief, own: &str, epsilon: f64) -> f64 {
    let within = |other: &str| match (own.parse::<f64>(), other.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= epsilon,
        _ => own == other,
    };
    belief.iter().filter(|(other, _)| within(other)).map(|(_, share)| share).sum()
}

/// The mean of several beliefs.
pub(crate) fn mixture(beliefs: &[&Belief]) -> Belief {
    let mut mixed = Belief::new();
    for belief in beliefs {
        for (value, share) in *belief {
            *mixed.entry(value.clone()).or_default() += share / beliefs.len() as f64;
        }
    }
    mixed
}
