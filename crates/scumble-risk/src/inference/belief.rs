//! Beliefs of an attacker, added up over people.

use scumble_table::{Counted, Decimal, Ratio};
use serde::{Serialize, Serializer};

/// What an attack on a sensitive column achieves, against what everybody believed before.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inference {
    /// The sensitive column.
    pub column: String,
    /// The table that was looked at, where the release has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// `homogeneity`, `truth` or `proximity`.
    pub attack: &'static str,
    /// How near is near, for proximity.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_number")]
    pub epsilon: Option<Decimal>,
    /// Who is counted: `persons`, each once, where it is known whose rows are whose and in which groups; else `rows`.
    #[serde(serialize_with = "as_word")]
    pub counted: Counted,
    /// People whom some record matches.
    pub people: u64,
    /// Mean belief before the attack.
    pub prior: f64,
    /// Greatest belief before the attack.
    pub prior_largest: f64,
    /// Mean belief.
    pub mean: f64,
    /// Greatest belief.
    pub largest: f64,
    /// People of whom more is believed than the threshold; an expectation, rounded, where a person's own value is not known.
    pub above: u64,
    /// Their share.
    pub above_share: f64,
    /// Of these, people of whom that was not believed before.
    pub newly_above: u64,
    /// Their share of all.
    pub newly_above_share: f64,
}

fn as_number<S: Serializer>(value: &Option<Decimal>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_f64(value.to_f64()),
        None => serializer.serialize_none(),
    }
}

fn as_word<S: Serializer>(counted: &Counted, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(counted.name())
}

/// More than beliefs that are products of many shares err in floats.
pub(super) const FLOAT_ERROR: f64 = 1e-11;

/// Beliefs being added up.
pub(super) struct BeliefSums {
    threshold: Ratio,
    prior_total: u64,
    people: u128,
    prior: f64,
    prior_largest: f64,
    mean: f64,
    largest: f64,
    above: u128,
    newly: u128,
}

impl BeliefSums {
    pub(super) fn new(threshold: Ratio, prior_total: u64) -> Self {
        let (people, above, newly) = (0, 0, 0);
        let (prior, prior_largest, mean, largest) = (0.0, 0.0, 0.0, 0.0);
        BeliefSums { threshold, prior_total, people, prior, prior_largest, mean, largest, above, newly }
    }

    /// Adds people of whom `part` of `whole` is believed, and `prior` of all that is published was.
    pub(super) fn add(&mut self, people: u64, (part, whole): (i64, i64), prior: u64) {
        let belief = part as f64 / whole as f64;
        let before = prior as f64 / self.prior_total.max(1) as f64;
        self.people += u128::from(people);
        self.mean += people as f64 * belief;
        self.prior += people as f64 * before;
        self.largest = self.largest.max(belief);
        self.prior_largest = self.prior_largest.max(before);
        if Ratio::new(part.into(), whole.into()) > self.threshold {
            self.above += u128::from(people);
            if Ratio::new(prior.into(), self.prior_total.max(1).into()) <= self.threshold {
                self.newly += u128::from(people);
            }
        }
    }

    /// Adds a person of whom so much is believed, and of whom `prior` of all people have it. Beliefs are worked out in floats:
    /// those that differ from the threshold by no more than these err are not above it.
    pub(super) fn add_belief(&mut self, belief: f64, prior: u64) {
        let before = prior as f64 / self.prior_total.max(1) as f64;
        self.people += 1;
        self.mean += belief;
        self.prior += before;
        self.largest = self.largest.max(belief);
        self.prior_largest = self.prior_largest.max(before);
        if belief > self.threshold.to_f64() + FLOAT_ERROR {
            self.above += 1;
            self.newly += u128::from(Ratio::new(prior.into(), self.prior_total.max(1).into()) <= self.threshold);
        }
    }

    /// The figures of people who were added one by one.
    pub(super) fn finish_people(
        self,
        column: &str,
        table: Option<String>,
        attack: &'static str,
        epsilon: Option<Decimal>,
    ) -> Inference {
        Inference { counted: Counted::People, ..self.finish(column, table, attack, epsilon, 1) }
    }

    /// The figures, where `unit` of the people that were added are one person.
    pub(super) fn finish(
        self,
        column: &str,
        table: Option<String>,
        attack: &'static str,
        epsilon: Option<Decimal>,
        unit: u64,
    ) -> Inference {
        let unit = u128::from(unit.max(1));
        let share = |part: f64| if self.people == 0 { 0.0 } else { part / self.people as f64 };
        let rounded = |part: u128| ((part + unit / 2) / unit) as u64;
        Inference {
            column: column.into(),
            table,
            attack,
            epsilon,
            counted: Counted::Rows,
            people: rounded(self.people),
            // A mean is no greater than the greatest, whatever rounding makes of the sum.
            prior: share(self.prior).min(self.prior_largest),
            prior_largest: self.prior_largest,
            mean: share(self.mean).min(self.largest),
            largest: self.largest,
            above: rounded(self.above),
            above_share: share(self.above as f64),
            newly_above: rounded(self.newly),
            newly_above_share: share(self.newly as f64),
        }
    }
}
