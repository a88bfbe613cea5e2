//! The common-value attack on a release in the making, with the private assignment of values to people.

use crate::choice::Method;
use crate::grouping::Found;
use crate::observer::Observer;
use scumble_release::Angel;
use scumble_release::risk::CommonValue;
use scumble_table::{Error, Partition, Result, Role, Table};
use serde::Serialize;

/// How far the attack got where it got furthest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommonValueFacts {
    /// The table whose boxes were attacked.
    pub table: String,
    /// The sensitive column that was guessed.
    pub column: String,
    /// People in boxes of several batches that share exactly one value.
    pub people: u64,
    /// Those of them who have the value.
    pub hits: u64,
    /// How many would, by the shares of the value in their batches.
    pub claimed: f64,
    /// The standard deviation of that number.
    pub deviation: f64,
    #[serde(skip)]
    exceeds: bool,
    #[serde(skip)]
    tells: bool,
}

impl CommonValueFacts {
    /// Refuses a release in which the guess is right far more often than claimed, unless the publisher chose to have it
    /// so, and warns where it is right more often than chance allows.
    ///
    /// # Errors
    /// That the release does not verify.
    pub(crate) fn judge(&self, max_utility: bool, observer: &dyn Observer) -> Result<()> {
        if !self.exceeds {
            return Ok(());
        }
        let percent = |part: f64| 100.0 * part / self.people as f64;
        let found = format!(
            "guessing the value of `{}` that all batches of a box share is right for {:.1} % of {} people where {:.1} % is claimed",
            self.column,
            percent(self.hits as f64),
            self.people,
            percent(self.claimed),
        );
        if max_utility {
            observer.warn(&format!("{found}: max-utility forms batches by who is near whom, and that tells"));
        } else if self.tells {
            return Err(Error::Unverified {
                reason: format!("{found}; hint: ask for larger boxes (--angel-k), a greater l, or another profile"),
            });
        } else {
            observer.warn(&format!("{found}: near people share values more often than the release claims"));
        }
        Ok(())
    }
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
    let mut worst: Option<(CommonValueFacts, f64)> = None;
    for column in table.schema().of_role(Role::Sensitive) {
        let values: Vec<u32> = people.iter().map(|&row| table.column(column).get(row)).collect();
        for (name, boxes) in &boxes {
            let guessed = CommonValue::of(boxes, &batches, &values);
            let (tells, excess) = (guessed.tells(), guessed.excess());
            let exceeds = guessed.exceeds();
            if worst.as_ref().is_none_or(|(known, least)| (tells, excess) > (known.tells, *least)) {
                let CommonValue { people, hits, claimed, deviation } = guessed;
                let column = table.attribute(column).name.clone();
                let facts = CommonValueFacts { table: name.clone(), column, people, hits, claimed, deviation, exceeds, tells };
                worst = Some((facts, excess));
            }
        }
    }
    Ok(worst.map(|(facts, _)| facts))
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
