//! The common-value attack on a release in the making, with the private assignment of values to people; and batches that
//! withstand it.
//!
//! Batches dealt by chance claim what is true of people whose values do not go with their quasi-identifiers. In the world they do, and
//! where a box has many people with one value, batches of different values keep these apart, so that all batches of
//! the box hold it. Larger batches share more values, and claim less of each: the smallest ones are sought on which the guess is right
//! no more often than chance allows.

use crate::grouping::{GroupingResult, grouped};
use crate::job::Plan;
use crate::job::{Algorithm, Method, Profile};
use scumble_method::Coins;
use scumble_principle::Requirement;
use scumble_release::Angel;
use scumble_risk::{CommonValue, GuessedBoxes};
use scumble_table::Monitor;
use scumble_table::{Error, Partition, Result, Role, Table};
use serde::Serialize;

/// The sizes that are tried where the guess tells too much, in halves of the smallest batch. The first stands for one person more.
const HALVES: [u64; 8] = [0, 3, 4, 5, 6, 8, 12, 16];

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
    /// How many people every batch was given, where smaller ones, which the requirements allow, would have told too much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_batch: Option<u64>,
}

impl CommonValueFacts {
    /// Whether the guess is right more often than chance allows, over all boxes or over those whose people are apart.
    fn exceeds(&self) -> bool {
        self.all.exceeds() || self.apart.exceeds()
    }

    /// Whether larger batches are worth while.
    fn should_be_less(&self) -> bool {
        self.exceeds() || self.all.may_tell()
    }

    /// Whether it then is by so much that a release must not stand.
    fn tells(&self) -> bool {
        self.all.tells() || self.apart.tells()
    }

    fn refusal(&self, hint: &str) -> Error {
        Error::Unverified { reason: format!("{}; hint: {hint}", self.summary()) }
    }

    /// What the guess is and how often it is right.
    pub fn summary(&self) -> String {
        let guessed = self.worse();
        let percent = |part: f64| 100.0 * part / guessed.people as f64;
        format!(
            "guessing the value of `{}` that {} share is right for {:.1} % of {} rows where {:.1} % is claimed",
            self.column,
            self.sharing(),
            percent(guessed.hits as f64),
            guessed.people,
            percent(guessed.claimed),
        )
    }

    /// Who shares the value that is guessed.
    pub fn sharing(&self) -> &'static str {
        match self.table == QIT {
            true => "all groups of rows that look the same",
            false => "all batches of a box",
        }
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

/// The groups of a release, and how far the attack gets on them. Where people are dealt by chance and the guess is right more often than
/// chance allows, batches are made larger until it is not. If none of the sizes that are tried will do, those on which it is hardly
/// right more often than claimed are taken, and the publisher is warned; else there is no release. Batches that the publisher asked to have
/// formed by who is near whom are warned about only.
///
/// # Errors
/// That the release does not verify, and whatever stands in the way of groups.
pub(crate) fn grouped_beyond_guessing(
    table: &Table,
    plan: &Plan,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<(GroupingResult, Option<CommonValueFacts>)> {
    let found = grouped(table, plan, coins, monitor)?;
    let method = plan.method;
    let Some(first) = attack(table, &found, method, monitor)? else { return Ok((found, None)) };
    if !first.should_be_less() {
        return Ok((found, Some(first)));
    }
    if plan.profile == Profile::MaxUtility || plan.algorithm == Algorithm::Paper {
        if first.exceeds() {
            monitor.warn(&format!("{}: batches are formed by who is near whom, and that tells", first.summary()));
        }
        return Ok((found, Some(first)));
    }
    let smallest = found.groupings[0].partition.groups().map(<[u32]>::len).min().unwrap_or(1) as u64;
    let mut second = (!first.tells()).then(|| (found, first.clone()));
    for halves in HALVES {
        let size = (smallest * halves).div_ceil(2).max(smallest + 1);
        let of_size = format!("k-anonymity({size})");
        let asked = with_batches(plan, &of_size)?;
        let mut larger = match grouped(table, &asked, coins, monitor.without_warnings()) {
            Err(Error::Infeasible { .. } | Error::NotFound { .. }) => break,
            larger => larger?,
        };
        let Some(facts) = attack(table, &larger, method, monitor)? else { break };
        let facts = CommonValueFacts { least_batch: Some(size), ..facts };
        // The publisher did not ask for that size, so the release does not state it.
        larger.attained.retain(|entry| entry.requirement != of_size);
        if !facts.should_be_less() {
            monitor.warn(&format!(
                "every {} has at least {size} rows, where {smallest} would meet the requirements: with fewer, {}",
                match method {
                    Method::Anatomy => "group",
                    _ => "batch",
                },
                first.summary()
            ));
            return Ok((larger, Some(facts)));
        }
        if second.is_none() && !facts.tells() {
            second = Some((larger, facts));
        }
    }
    let Some((found, facts)) = second else {
        let hint = "publish fewer or coarser quasi-identifiers, or take «method» generalize";
        return Err(first.refusal(&format!("neither larger groups nor larger batches help; {hint}")));
    };
    if facts.exceeds() {
        monitor.warn(&format!("{}: near rows share values more often than the release claims", facts.summary()));
    }
    Ok((found, Some(facts)))
}

/// A plan whose batches must also meet another requirement. The size of its boxes does not change.
fn with_batches(plan: &Plan, requirement: &str) -> Result<Plan> {
    let mut stricter = plan.clone();
    stricter.requirements.push(requirement.parse::<Requirement>()?);
    Ok(stricter)
}

/// The table of people of an anatomy release.
const QIT: &str = "qit";

/// Attacks the batches of an angel release in every table, or the groups of an anatomy release: there a box is
/// one combination of quasi-identifiers. Other forms tie values to people or to boxes, and there is nothing to guess.
fn attack(
    table: &Table,
    found: &GroupingResult,
    method: Method,
    monitor: Monitor<'_>,
) -> Result<Option<CommonValueFacts>> {
    let ([grouping], Method::Angel | Method::Anatomy) = (&found.groupings[..], method) else { return Ok(None) };
    let quasi = table.schema().of_role(Role::Quasi);
    let mut boxes: Vec<(String, Vec<u32>)> = Vec::new();
    match method {
        Method::Anatomy => boxes.push((QIT.into(), tuples(table, &quasi))),
        _ => {
            let names: Vec<&str> = quasi.iter().map(|&column| table.attribute(column).name.as_str()).collect();
            for (at, one) in found.buckets.iter().enumerate() {
                let chosen: Vec<usize> =
                    one.columns.iter().filter_map(|column| quasi.iter().position(|known| known == column)).collect();
                let name = if at == 0 { Angel::GENERALIZED.into() } else { Angel::marginal_name(&names, &chosen) };
                boxes.push((name, numbers(&one.partition)));
            }
        }
    }
    worst(table, &numbers(&grouping.partition), &boxes, monitor)
}

/// Attacks tables that are added to a release: the batch of every row is known, and the box of every row in each table. Batches cannot
/// be formed anew, so a table on which the guess tells too much is refused.
///
/// # Errors
/// That the release would not verify.
pub(crate) fn attack_added(
    table: &Table,
    batches: &[u32],
    added: &[(String, Vec<u32>)],
    by_chance: bool,
    monitor: Monitor<'_>,
) -> Result<Option<CommonValueFacts>> {
    let Some(facts) = worst(table, batches, added, monitor)? else { return Ok(None) };
    if by_chance && facts.tells() {
        return Err(
            facts.refusal("batches cannot be formed anew for a table that is added; add one over fewer columns")
        );
    }
    if facts.exceeds() {
        monitor.warn(&format!("{}: near rows share values more often than the release claims", facts.summary()));
    }
    Ok(Some(facts))
}

/// Where the guess gets furthest, over all tables of boxes and all sensitive columns.
fn worst(
    table: &Table,
    batches: &[u32],
    boxes: &[(String, Vec<u32>)],
    monitor: Monitor<'_>,
) -> Result<Option<CommonValueFacts>> {
    // People in no batch have no value that could be guessed.
    let people: Vec<usize> = (0..table.n_rows()).filter(|&row| batches[row] != NOWHERE).collect();
    let of = |numbers: &[u32]| people.iter().map(|&row| numbers[row]).collect::<Vec<u32>>();
    let batches = of(batches);
    let mut worst: Option<CommonValueFacts> = None;
    for column in table.schema().of_role(Role::Sensitive) {
        let values: Vec<u32> = people.iter().map(|&row| table.column(column).get(row)).collect();
        for (name, boxes) in boxes {
            let boxes = of(boxes);
            let guessed = |which| CommonValue::attack(which, &boxes, &batches, &values, monitor);
            let facts = CommonValueFacts {
                table: name.clone(),
                column: table.attribute(column).name.clone(),
                all: guessed(GuessedBoxes::All)?,
                apart: guessed(GuessedBoxes::Apart)?,
                least_batch: None,
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
pub(crate) fn numbers(partition: &Partition) -> Vec<u32> {
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
    use crate::job::Job;
    use scumble_table::{Cancellation, Progress};
    use std::sync::Mutex;

    #[derive(Default)]
    struct Warned(Mutex<Vec<String>>);

    impl Progress for Warned {
        fn warn(&self, text: &str) {
            self.0.lock().unwrap().push(text.into());
        }
    }

    fn guessed(hits: u64) -> CommonValue {
        CommonValue { people: 1000, hits, claimed: 250.0, deviation: 13.7 }
    }

    #[test]
    fn the_boxes_that_tell_more_decide() {
        let facts = |all: u64, apart: u64| CommonValueFacts {
            table: Angel::GENERALIZED.into(),
            column: "ill".into(),
            all: guessed(all),
            apart: guessed(apart),
            least_batch: None,
        };
        for (all, apart) in [(330, 250), (250, 330)] {
            let told = facts(all, apart);
            assert!(told.exceeds() && told.tells());
            let words = told.summary();
            assert!(words.contains("all batches of a box share is right for 33.0 % of 1000 rows"), "{words}");
            assert!(words.ends_with("where 25.0 % is claimed"), "{words}");
        }
        assert!(!facts(300, 290).exceeds());
        let anatomy = CommonValueFacts { table: QIT.into(), ..facts(330, 250) };
        assert!(anatomy.summary().contains("all groups of rows that look the same"), "{}", anatomy.summary());
    }

    #[test]
    fn larger_batches_keep_boxes_and_requirements() {
        let job = Job::new().quasi(["age"]).sensitive(["ill"]).require("frequency-l-diversity(3)");
        let mut job = job.and_then(|job| job.require("k-anonymity(4)")).unwrap();
        job.publish.method = Some(Method::Angel);
        let plan = Plan::new(&job).unwrap();
        let larger = with_batches(&plan, "k-anonymity(9)").unwrap();
        assert_eq!(larger.angel_k, Some(4));
        let texts: Vec<String> = larger.requirements.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["frequency-l-diversity(3)", "k-anonymity(4)", "k-anonymity(9)"]);
    }

    /// Two hundred boxes of two people who share a value, each in a batch with somebody of another box.
    #[test]
    fn tables_that_are_added_are_attacked() {
        use scumble_table::{Attribute, Codes, Domain, Schema};
        let numbers = |n: i64| Domain::numbers((1..=n).map(Into::into).collect()).unwrap();
        let attribute = |name: &str, role, n| Attribute { name: name.into(), role, domain: numbers(n) };
        let schema = Schema::new(vec![attribute("q", Role::Quasi, 400), attribute("s", Role::Sensitive, 400)]).unwrap();
        let n = 400u32;
        // Two people to a box have its value, and each is in a batch with somebody of another box.
        let boxes: Vec<u32> = (0..n).map(|row| row / 2).collect();
        let values: Codes = boxes.iter().map(|one| one + 1).collect();
        let codes: Codes = boxes.iter().map(|one| one + 1).collect();
        let table = Table::new(schema, vec![codes, values], n as usize).unwrap();
        let told: Vec<u32> = (0..n).map(|row| (row + 1) % n / 2).collect();
        let added = [("marginal-q".to_string(), boxes)];
        let (warned, cancellation) = (Warned::default(), Cancellation::default());
        let monitor = Monitor::new(&warned, &cancellation);
        let refused = attack_added(&table, &told, &added, true, monitor).unwrap_err().to_string();
        assert!(refused.contains("100.0 % of 400 rows where 50.0 % is claimed"), "{refused}");
        assert!(attack_added(&table, &told, &added, false, monitor).unwrap().is_some());
        assert_eq!(warned.0.lock().unwrap().len(), 1);
        let one = vec![0; n as usize];
        assert_eq!(attack_added(&table, &one, &added, true, monitor).unwrap().unwrap().all.people, 0);
    }
}
