//! Other ways to meet the (k, e)-anonymity of a release, measured on its source and never published.
//!
//! All of them are asked about the same people: the rows of the source in their order. The release itself is asked about
//! as many of its own rows, which cannot be matched with those of the source.

use crate::job::Algorithm;
use crate::source::plan_as;
use scumble_io::{ColumnPlan, RawColumn, RawTable, encode};
use scumble_measure::{AskedWidths, BoundQuestions, ComparedSource, Truth, bound_widths};
use scumble_method::{Coins, KePermutation, Mondrian, Task};
use scumble_principle::{BoundRequirements, KeAnonymity, Requirement};
use scumble_release::ReleaseReader;
use scumble_table::{Error, Kind, Monitor, Partition, Result, Role, Table, did_you_mean};

/// The algorithms that can be compared with.
fn rivals() -> impl Iterator<Item = Algorithm> {
    let along_numbers = Algorithm::ALL.iter().copied().filter(|algorithm| algorithm.ke_rule().is_some());
    along_numbers.chain([Algorithm::Mondrian, Algorithm::RankSwap])
}

/// The word for all of them.
const ALL: &str = "all";

/// An algorithm to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RivalRequest {
    pub(super) algorithm: Algorithm,
    /// Whether it was named itself: one that is only among all may be left out where the data does not suit it.
    pub(super) by_name: bool,
}

/// The algorithms that names stand for, each once, in the order of their first mention.
pub(super) fn parse_rivals(names: &[String]) -> Result<Vec<RivalRequest>> {
    let mut found: Vec<RivalRequest> = Vec::new();
    let mut add = |algorithm, by_name| match found.iter_mut().find(|one| one.algorithm == algorithm) {
        Some(one) => one.by_name |= by_name,
        None => found.push(RivalRequest { algorithm, by_name }),
    };
    for name in names {
        match rivals().find(|rival| rival.name() == name) {
            Some(rival) => add(rival, true),
            None if name == ALL => rivals().for_each(|rival| add(rival, false)),
            None => return Err(unknown(name)),
        }
    }
    Ok(found)
}

fn unknown(name: &str) -> Error {
    let names: Vec<&str> = rivals().map(Algorithm::name).chain([ALL]).collect();
    Error::request("algorithms", name, "there is no such algorithm to compare with")
        .hint(did_you_mean(name, &names, "one of"))
}

/// The source, and what all ways must meet on it.
pub(super) struct Rivals<'a> {
    release: &'a ReleaseReader,
    rows: &'a RawTable,
    source: &'a ComparedSource,
    requirement: Requirement,
    ke: KeAnonymity,
    range: Option<usize>,
    truth: Truth,
    seed: u64,
}

impl<'a> Rivals<'a> {
    /// The rows of the source as they are, and as they were compared with the release.
    ///
    /// # Errors
    /// If the release states no (k, e)-anonymity of the column.
    pub(super) fn new(
        (release, rows): (&'a ReleaseReader, &'a RawTable),
        source: &'a ComparedSource,
        range: Option<usize>,
        seed: u64,
    ) -> Result<Self> {
        let stated = release.manifest().requirements.iter().filter_map(|text| text.parse::<Requirement>().ok());
        let (column, ke) = strictest(stated, &source.sensitive)?;
        let requirement = Requirement::new(ke).with_column(column);
        Ok(Rivals { release, rows, source, requirement, ke, range, truth: source.truth(range), seed })
    }

    /// What all ways meet.
    pub(super) fn requirement(&self) -> String {
        self.requirement.to_string()
    }

    /// How wide the bounds of an algorithm are.
    pub(super) fn widths(
        &self,
        algorithm: Algorithm,
        questions: &BoundQuestions,
        monitor: Monitor<'_>,
    ) -> Result<Vec<AskedWidths>> {
        monitor.check()?;
        if algorithm == Algorithm::RankSwap {
            let too_long = || Error::request("algorithms", algorithm.name(), "e is too long for exact arithmetic");
            let e = self.source.scale().and_then(|scale| i128::try_from(self.ke.e_in_units(scale)).ok());
            let e = e.ok_or_else(too_long)?;
            let swapped = self.source.rank_swapped((self.ke.k(), e), self.seed, self.range, monitor)?;
            return bound_widths(&swapped, &self.truth, questions, monitor);
        }
        let partition = self.partition(algorithm, monitor).map_err(of_this_field)?;
        monitor.check()?;
        bound_widths(&self.source.grouped(&partition, self.range, monitor)?.exact(), &self.truth, questions, monitor)
    }

    /// The groups of an algorithm, with coins of the evaluation's seed.
    fn partition(&self, algorithm: Algorithm, monitor: Monitor<'_>) -> Result<Partition> {
        let numbers = || self.source.table()?.ok_or_else(|| Error::bug("groups of numbers are wanted without any"));
        let table = if algorithm.ke_rule().is_some() { numbers()? } else { self.people(monitor)? };
        // There is one sensitive column, so it need not be named.
        let wanted = [Requirement::new(self.ke)];
        let bind = || BoundRequirements::bind(&wanted, table.schema(), |column| table.column_bag(column));
        let bound = bind()?;
        let coins = Coins::from_seed(self.seed);
        let task = Task {
            table: &table,
            bound: &bound,
            rebind: &|_| bind(),
            most_suppressed: 0,
            coins: &coins,
            monitor: monitor.without_progress(),
        };
        match algorithm.ke_rule() {
            Some(rule) => Ok(KePermutation { rule }.partition(&task)?.partition),
            None => Mondrian::default().partition(&task),
        }
    }

    /// The source with its quasi-identifiers, for an algorithm that looks at them.
    fn people(&self, monitor: Monitor<'_>) -> Result<Table> {
        let quasi = self.release.columns().iter().filter(|column| column.role() == Role::Quasi).map(plan_as);
        let sensitive =
            ColumnPlan { kind: Some(Kind::Number), ..ColumnPlan::new(&self.source.sensitive, Role::Sensitive) };
        let plans: Vec<ColumnPlan> = quasi.chain([sensitive]).collect();
        let RawTable { names, columns, n_rows, source } = self.rows;
        let planned = |name: &String| plans.iter().any(|plan| plan.name == *name);
        let column = |(name, column): (&String, &RawColumn)| match planned(name) {
            true => column.clone(),
            false => RawColumn::Skipped,
        };
        let columns = names.iter().zip(columns).map(column).collect();
        let rows = RawTable { names: names.clone(), columns, n_rows: *n_rows, source: source.clone() };
        encode(rows, &plans, monitor)
    }
}

/// An algorithm speaks of the field of the job that it is published with.
fn of_this_field(error: Error) -> Error {
    match error {
        Error::Request { field, value, reason, hint } if field == "algorithm" => {
            Error::Request { field: "algorithms".into(), value, reason, hint }
        }
        other => other,
    }
}

/// The (k, e)-anonymity that is required of a column, and the name by which it was: several are the same as one with the
/// greatest k and the greatest e.
fn strictest(stated: impl Iterator<Item = Requirement>, column: &str) -> Result<(Option<String>, KeAnonymity)> {
    let mut found: Option<(Option<String>, KeAnonymity)> = None;
    for requirement in stated.filter(|one| one.column.is_none() || one.named_in(&[column]).is_some()) {
        let Some(&ke) = requirement.get::<KeAnonymity>() else { continue };
        found = Some(match found {
            None => (requirement.column, ke),
            Some((name, other)) => {
                (name.or(requirement.column), KeAnonymity::new(ke.k().max(other.k()), ke.e().max(other.e()))?)
            }
        });
    }
    found.ok_or_else(|| {
        let reason = format!("the release states no (k, e)-anonymity on `{column}`, which all of them are compared by");
        Error::request("algorithms", "", reason).hint("leave «algorithms» out for other releases")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Result<Vec<RivalRequest>> {
        parse_rivals(&names.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn names_stand_for_algorithms_and_all_for_each_once() {
        let words = |names: &[&str]| named(names).unwrap().iter().map(|one| one.algorithm.name()).collect::<Vec<_>>();
        assert_eq!(words(&["min-sum", "rank-swap", "min-sum"]), ["min-sum", "rank-swap"]);
        let all = named(&["random", "all"]).unwrap();
        assert_eq!(all.len(), rivals().count());
        assert_eq!(all[0], RivalRequest { algorithm: Algorithm::Random, by_name: true });
        assert!(all[1..].iter().all(|one| !one.by_name));
        assert!(named(&["all", "mondrian"]).unwrap().iter().any(|one| one.by_name));
        assert_eq!(named(&[]).unwrap(), []);
        for (name, hint) in [("rank-swop", "did you mean `rank-swap`?"), ("proximity", "`rank-swap`, `all`")] {
            let text = named(&[name]).unwrap_err().to_string();
            assert!(text.contains("no such algorithm to compare with") && text.contains(hint), "{text}");
        }
    }

    #[test]
    fn several_requirements_of_a_column_are_one() {
        let found = |stated: &[&str]| {
            let stated = stated.iter().map(|text| text.parse().unwrap());
            strictest(stated, "loss").map(|(column, ke)| Requirement::new(ke).with_column(column).to_string())
        };
        assert_eq!(found(&["k-anonymity(3)", "ke-anonymity(4, 100)"]).unwrap(), "ke-anonymity(4, 100)");
        let both = ["ke-anonymity(4, 100)", "loss: ke-anonymity(9, 2.5)", "debt: ke-anonymity(50, 500)"];
        assert_eq!(found(&both).unwrap(), "loss: ke-anonymity(9, 100)");
        let error = found(&["debt: ke-anonymity(4, 100)", "loss: distinct-l-diversity(3)"]).unwrap_err().to_string();
        assert!(error.contains("states no (k, e)-anonymity on `loss`"), "{error}");
    }
}
