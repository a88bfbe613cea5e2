//! The common-value attack on a release in the making, with the private assignment of values to people.

use crate::choice::{Algorithm, Method, Profile};
use crate::grouping::Found;
use crate::observer::Observer;
use scumble_release::Angel;
use scumble_release::risk::{Boxes, CommonValue};
use scumble_table::{Error, Partition, Result, Role, Table};
use serde::Serialize;

/// How far the attack got where it got furthest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommonValueFacts {
    /// The table whose boxes were attacked.
    pub table: String,
    /// The sensitive column that was guessed.
    pub column: String,
    /// In all boxes of several batches that share exactly one value.
    #[serde(flatten)]
    pub all: CommonValue,
    /// In those of them whose people are all in different batches.
    pub apart: CommonValue,
}

impl CommonValueFacts {
    /// Refuses a release in which the guess is right more often than claimed, by so much that it matters, over all boxes; warns where
    /// it is right more often than chance allows, over all boxes or over those whose people are apart. Batches that the publisher
    /// asked to have formed by who is near whom are warned about only.
    ///
    /// # Errors
    /// That the release does not verify.
    pub(crate) fn judge(&self, profile: Profile, algorithm: Algorithm, observer: &dyn Observer) -> Result<()> {
        if profile != Profile::MaxUtility && algorithm != Algorithm::Paper && self.all.tells() {
            let hint = match profile {
                Profile::Hardened => {
                    "ask for a greater l, for larger boxes (--angel-k), or for --profile standard, whose batches are of nearer people"
                }
                _ => "ask for a greater l or for larger boxes (--angel-k)",
            };
            return Err(Error::Unverified { reason: format!("{}; hint: {hint}", self.words(&self.all)) });
        }
        let worse = self.worse();
        if worse.exceeds() {
            let why = match profile {
                Profile::MaxUtility => "max-utility forms batches by who is near whom, and that tells",
                _ => "near people share values more often than the release claims",
            };
            observer.warn(&format!("{}: {why}", self.words(worse)));
        }
        Ok(())
    }

    fn words(&self, guessed: &CommonValue) -> String {
        let percent = |part: f64| 100.0 * part / guessed.people as f64;
        format!(
            "guessing the value of `{}` that all batches of a box share is right for {:.1} % of {} people where {:.1} % is claimed",
            self.column,
            percent(guessed.hits as f64),
            guessed.people,
            percent(guessed.claimed),
        )
    }

    /// Whichever boxes were guessed further beyond what is claimed.
    pub fn worse(&self) -> &CommonValue {
        if rank(&self.apart) > rank(&self.all) { &self.apart } else { &self.all }
    }
}

/// By this figures are compared.
fn rank(guessed: &CommonValue) -> (bool, f64) {
    (guessed.tells(), guessed.excess())
}

/// Attacks the batches of an angel release in every table, or the groups of an anatomy release: there a box is
/// one combination of quasi-identifiers. Other forms tie values to people or to boxes, and there is nothing to guess.
pub(crate) fn attack(table: &Table, found: &Found, method: Method) -> Result<Option<CommonValueFacts>> {
    let ([grouping], Method::Angel | Method::Anatomy) = (&found.groupings[..], method) else { return Ok(None) };
    let batches = numbers(&grouping.partition);
    // People in no batch have no value that could be guessed.
    let people: Vec<usize> = (0..table.n_rows()).filter(|&row| batches[row] != NOWHERE).collect();
    let of = |numbers: &[u32]| people.iter().map(|&row| numbers[row]).collect::<Vec<u32>>();
    let mut boxes: Vec<(String, Vec<u32>)> = Vec::new();
    let quasi = table.schema().of_role(Role::Quasi);
    match method {
        Method::Anatomy => boxes.push(("qit".into(), of(&tuples(table, &quasi)))),
        _ => {
            let names: Vec<&str> = quasi.iter().map(|&column| table.attribute(column).name.as_str()).collect();
            for (at, one) in found.buckets.iter().enumerate() {
                let chosen: Vec<usize> =
                    one.columns.iter().filter_map(|column| quasi.iter().position(|known| known == column)).collect();
                let name = if at == 0 { Angel::GENERALIZED.into() } else { Angel::marginal_name(&names, &chosen) };
                boxes.push((name, of(&numbers(&one.partition))));
            }
        }
    }
    let batches = of(&batches);
    let mut worst: Option<CommonValueFacts> = None;
    for column in table.schema().of_role(Role::Sensitive) {
        let values: Vec<u32> = people.iter().map(|&row| table.column(column).get(row)).collect();
        for (name, boxes) in &boxes {
            let guessed = |which| CommonValue::of(which, boxes, &batches, &values);
            let facts = CommonValueFacts {
                table: name.clone(),
                column: table.attribute(column).name.clone(),
                all: guessed(Boxes::All),
                apart: guessed(Boxes::Apart),
            };
            if worst.as_ref().is_none_or(|known| rank(facts.worse()) > rank(known.worse())) {
                worst = Some(facts);
            }
        }
    }
    Ok(worst)
}

/// Rows in no group.
const NOWHERE: u32 = u32::MAX;

/// The group of every row.
fn numbers(partition: &Partition) -> Vec<u32> {
    let mut numbers = vec![NOWHERE; partition.n_rows()];
    for (number, rows) in partition.groups().enumerate() {
        rows.iter().for_each(|&row| numbers[row as usize] = number as u32);
    }
    numbers
}

/// A number for every row; rows have the same one if they agree in all of these columns.
fn tuples(table: &Table, columns: &[usize]) -> Vec<u32> {
    let mut numbers = vec![0u32; table.n_rows()];
    for &column in columns {
        let pairs: Vec<(u32, u32)> = numbers.iter().copied().zip(table.column(column).iter()).collect();
        let mut distinct = pairs.clone();
        distinct.sort_unstable();
        distinct.dedup();
        numbers = pairs.iter().map(|pair| distinct.partition_point(|known| known < pair) as u32).collect();
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::Stage;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Warned(Mutex<Vec<String>>);

    impl Observer for Warned {
        fn begin(&self, _stage: Stage, _total: Option<u64>) {}
        fn advance(&self, _amount: u64) {}
        fn warn(&self, text: &str) {
            self.0.lock().unwrap().push(text.into());
        }
    }

    fn guessed(hits: u64) -> CommonValue {
        CommonValue { people: 1000, hits, claimed: 250.0, deviation: 13.7 }
    }

    fn facts(all: u64, apart: u64) -> CommonValueFacts {
        let (table, column) = ("generalized".into(), "ill".into());
        CommonValueFacts { table, column, all: guessed(all), apart: guessed(apart) }
    }

    /// What becomes of a release, and how many warnings there are.
    fn judged(facts: &CommonValueFacts, profile: Profile, algorithm: Algorithm) -> (Result<()>, usize) {
        let warned = Warned::default();
        let judged = facts.judge(profile, algorithm, &warned);
        (judged, warned.0.into_inner().unwrap().len())
    }

    #[test]
    fn a_guess_that_is_right_too_often_over_all_boxes_is_refused() {
        for profile in [Profile::Standard, Profile::Hardened] {
            let (refused, _) = judged(&facts(330, 250), profile, Algorithm::Angel);
            let message = refused.unwrap_err().to_string();
            assert!(message.contains("33.0 % of 1000 people where 25.0 % is claimed"), "{message}");
            assert!(message.contains("greater l"), "{message}");
        }
    }

    #[test]
    fn what_the_publisher_asked_for_and_people_who_are_apart_are_warned_about() {
        for (facts, profile, algorithm) in [
            (facts(330, 250), Profile::MaxUtility, Algorithm::Angel),
            (facts(330, 250), Profile::Standard, Algorithm::Paper),
            (facts(250, 330), Profile::Standard, Algorithm::Angel),
        ] {
            let (judged, warnings) = judged(&facts, profile, algorithm);
            assert!(judged.is_ok() && warnings == 1, "{facts:?}");
        }
        let (judged, warnings) = judged(&facts(300, 290), Profile::Standard, Algorithm::Angel);
        assert!(judged.is_ok() && warnings == 0);
    }
}
