//! What an attack came to on one release, and on several of the same kind.

use serde_json::{Value, json};

/// One line of figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The attack, and what of it is counted.
    pub attack: String,
    /// People, rows or cells that the share is of.
    pub people: usize,
    /// The attack's share: of right guesses, or of people found.
    pub share: Option<f64>,
    /// What the release claims, or its requirement allows.
    pub claimed: Option<f64>,
    /// The share in the control.
    pub control: Option<f64>,
}

impl Outcome {
    /// A line; it has no shares where there are no people.
    pub fn new(attack: impl Into<String>, people: usize, shares: [Option<f64>; 3]) -> Self {
        let [share, claimed, control] = shares.map(|share| share.filter(|share| share.is_finite()));
        Outcome { attack: attack.into(), people, share, claimed, control }
    }
}

/// The same line over several releases.
#[derive(Debug, Clone, PartialEq)]
pub struct Mean {
    /// The attack, and what of it is counted.
    pub attack: String,
    /// Mean number of people.
    pub people: f64,
    /// Mean share, weighed by people.
    pub share: Option<f64>,
    /// Standard deviation of the share from release to release.
    pub spread: Option<f64>,
    /// Mean claim.
    pub claimed: Option<f64>,
    /// Mean share in the control.
    pub control: Option<f64>,
}

impl Mean {
    /// The mean of lines about the same.
    pub fn new(outcomes: &[Outcome]) -> Mean {
        let weighed = |of: fn(&Outcome) -> Option<f64>| {
            let known = || outcomes.iter().filter_map(|one| Some((of(one)?, one.people as f64)));
            let people: f64 = known().map(|pair| pair.1).sum();
            (people > 0.0).then(|| known().map(|(share, people)| share * people).sum::<f64>() / people)
        };
        let shares: Vec<f64> = outcomes.iter().filter_map(|one| one.share).collect();
        let middle = shares.iter().sum::<f64>() / shares.len() as f64;
        let variance = shares.iter().map(|share| (share - middle).powi(2)).sum::<f64>() / (shares.len() as f64 - 1.0);
        Mean {
            attack: outcomes.first().map_or(String::new(), |one| one.attack.clone()),
            people: outcomes.iter().map(|one| one.people as f64).sum::<f64>() / outcomes.len() as f64,
            share: weighed(|one| one.share),
            spread: (shares.len() > 1).then(|| variance.sqrt()),
            claimed: weighed(|one| one.claimed),
            control: weighed(|one| one.control),
        }
    }

    /// The line as it is kept.
    pub fn json(&self) -> Value {
        json!({
            "attack": self.attack,
            "people": self.people,
            "share": self.share,
            "spread": self.spread,
            "claimed": self.claimed,
            "control": self.control,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_weighed_by_people_and_nobody_counts_for_nothing() {
        let one = |people, share: f64| Outcome::new("a", people, [Some(share), Some(0.25), None]);
        let mean = Mean::new(&[one(10, 0.5), one(30, 0.9), one(0, f64::NAN)]);
        assert_eq!((mean.people, mean.share, mean.claimed, mean.control), (40.0 / 3.0, Some(0.8), Some(0.25), None));
        assert!((mean.spread.unwrap() - 0.08f64.sqrt()).abs() < 1e-12);
        let nobody = Mean::new(&[one(0, f64::NAN)]);
        assert_eq!((nobody.share, nobody.spread), (None, None));
    }
}
