//! A release under attack, and everything that its figures must be.

use super::naive::{Belief, Judged, check_matches, mixture, most, near, same, truth};
use super::published::{Shown, covers};
use super::world::{COLUMNS, Row};
use scumble::{AttackFacts, Inference};
use std::collections::BTreeMap;

/// How near a number is as good as the number.
pub(crate) const EPSILON: &str = "0.5";

/// What a table tells: the records that match everybody, and what follows.
struct Told {
    name: String,
    all: Vec<(String, usize)>,
    marketer: f64,
    least: usize,
}

/// What was asked, and what it was asked of.
pub(crate) struct Case<'a> {
    pub(crate) tables: &'a [Shown],
    pub(crate) rows: &'a [Row],
    pub(crate) by_source: bool,
}

impl Case<'_> {
    /// The known columns that a table has.
    fn known<'k>(&self, table: &Shown, known: &'k [String]) -> Vec<&'k String> {
        known.iter().filter(|name| table.column(name).is_some()).collect()
    }

    /// Whether a row of a table matches a person, or another row where there is no source.
    fn matches(&self, table: &Shown, known: &[&String], row: &Row, person: &Row) -> bool {
        known.iter().all(|name| {
            let shown = &row[table.column(name).unwrap()];
            match self.by_source {
                true => {
                    let own = &person[COLUMNS.iter().position(|column| column == name).unwrap()];
                    covers(name, shown, own)
                }
                false => *shown == person[table.column(name).unwrap()],
            }
        })
    }

    /// Everybody with known values and the records that match.
    fn attacked(&self, table: &Shown, known: &[String]) -> Vec<(String, usize)> {
        let known = self.known(table, known);
        let people = if self.by_source { self.rows } else { &table.rows };
        let one = |person: &Row| {
            let own: Vec<&String> = known
                .iter()
                .map(|name| match self.by_source {
                    true => &person[COLUMNS.iter().position(|column| column == name).unwrap()],
                    false => &person[table.column(name).unwrap()],
                })
                .collect();
            let n = table.rows.iter().filter(|row| self.matches(table, &known, row, person)).count();
            (format!("{own:?}"), n)
        };
        people.iter().map(one).collect()
    }

    /// Everybody with known values and the candidates that all tables leave together: of each batch at most as many rows as every
    /// table has of it around a person. Kept columns are not joined by.
    fn joined(&self, known: &[String]) -> Option<Vec<(String, usize)>> {
        let telling = self.tables.iter().filter(|table| !self.known(table, known).is_empty()).count();
        if !self.by_source || telling < 2 {
            return None;
        }
        let quasi: Vec<String> = known.iter().filter(|name| *name != "k").cloned().collect();
        let left = |person: &Row| {
            let mut common: Option<BTreeMap<&str, usize>> = None;
            for (at, table) in self.tables.iter().enumerate() {
                let here = self.known(table, &quasi);
                if at > 0 && here.is_empty() {
                    continue;
                }
                let batch = table.column("batch").unwrap();
                let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
                let around = table.rows.iter().filter(|row| self.matches(table, &here, row, person));
                around.for_each(|row| *counts.entry(row[batch].as_str()).or_default() += 1);
                common = Some(match common {
                    None => counts,
                    Some(before) => {
                        let both = |(batch, n): (&'_ str, usize)| (batch.to_string(), n);
                        let before: BTreeMap<String, usize> = before.into_iter().map(both).collect();
                        counts.into_iter().filter_map(|(b, n)| Some((b, n.min(*before.get(b)?)))).collect()
                    }
                });
            }
            common.unwrap().values().sum::<usize>()
        };
        let own = |person: &Row| {
            let values = quasi.iter().map(|name| &person[COLUMNS.iter().position(|column| column == name).unwrap()]);
            format!("{:?}", values.collect::<Vec<_>>())
        };
        Some(self.rows.iter().map(|person| (own(person), left(person))).collect())
    }

    /// The table that tells most, or all of them joined, and what it tells.
    pub(crate) fn check_attack(&self, facts: &AttackFacts) {
        let mut best: Option<Told> = None;
        let mut attacks = Vec::new();
        for (at, table) in self.tables.iter().enumerate() {
            if at > 0 && self.known(table, &facts.known).is_empty() {
                continue;
            }
            attacks.push((table.name.clone(), self.attacked(table, &facts.known)));
        }
        attacks.extend(self.joined(&facts.known).map(|all| ("joined".to_string(), all)));
        for (name, all) in attacks {
            let found = || all.iter().map(|person| person.1).filter(|&n| n > 0);
            let marketer = found().map(|n| 1.0 / n as f64).sum::<f64>() / all.len() as f64;
            let least = found().min().unwrap_or(usize::MAX);
            let more = match &best {
                None => true,
                Some(known) if !same(known.marketer, marketer) => marketer > known.marketer,
                Some(known) => least < known.least,
            };
            if more {
                best = Some(Told { name, all, marketer, least });
            }
        }
        let Told { name, all, .. } = best.unwrap();
        if self.tables.len() > 1 {
            assert_eq!(facts.table.as_ref(), Some(&name));
        }
        check_matches(facts, &all);
    }

    /// Everything that is believed, from every table.
    pub(crate) fn check_inference(&self, known: &[String], found: &[Inference], threshold: f64) {
        let mut found = found.iter();
        for (at, table) in self.tables.iter().enumerate() {
            let here = self.known(table, known);
            if at > 0 && here.is_empty() {
                continue;
            }
            for secret in table.tells.keys() {
                let tells = &table.tells[secret];
                let prior = mixture(&tells.iter().collect::<Vec<_>>());
                let judged = Judged { people: self.believed(table, &here, secret), prior: &prior, threshold };
                let mut next = |attack: &str| {
                    let facts = found.next().unwrap();
                    assert_eq!((facts.attack, &facts.column), (attack, secret));
                    assert_eq!(facts.table.as_ref(), (self.tables.len() > 1).then_some(&table.name));
                    facts
                };
                judged.check(next("homogeneity"), most);
                judged.check(next("truth"), truth);
                if secret == "s" {
                    let epsilon = EPSILON.parse().unwrap();
                    judged.check(next("proximity"), |belief, own| near(belief, own, epsilon));
                }
            }
        }
        assert!(found.next().is_none());
    }

    /// What is believed of everybody whom some record matches. A row that shows a group stands for each of its values with
    /// the share that it has there.
    fn believed(&self, table: &Shown, known: &[&String], secret: &str) -> Vec<(f64, Belief, String)> {
        let tells = &table.tells[secret];
        let around = |person: &Row| -> Vec<&Belief> {
            let rows = table.rows.iter().zip(tells);
            rows.filter(|(row, _)| self.matches(table, known, row, person)).map(|(_, belief)| belief).collect()
        };
        let mut out = Vec::new();
        if self.by_source {
            let at = COLUMNS.iter().position(|column| *column == secret).unwrap();
            for person in self.rows {
                let beliefs = around(person);
                if !beliefs.is_empty() {
                    out.push((1.0, mixture(&beliefs), person[at].clone()));
                }
            }
        } else {
            for (row, belief) in table.rows.iter().zip(tells) {
                let mixed = mixture(&around(row));
                belief.iter().for_each(|(value, share)| out.push((*share, mixed.clone(), value.clone())));
            }
        }
        out
    }

    /// The risk of each record within the population, by counting who is inside its box.
    pub(crate) fn check_journalist(&self, facts: &AttackFacts, population: &[Row]) {
        let table = self.tables.iter().find(|table| facts.table.as_ref().is_none_or(|name| *name == table.name));
        let table = table.unwrap_or(&self.tables[0]);
        let known = self.known(table, &facts.known);
        let inside = |row: &Row| {
            let covered = |person: &&Row| {
                known.iter().all(|name| {
                    let own = &person[COLUMNS.iter().position(|column| column == name).unwrap()];
                    covers(name, &row[table.column(name).unwrap()], own)
                })
            };
            1.0 / population.iter().filter(covered).count() as f64
        };
        let risks: Vec<f64> = table.rows.iter().map(inside).collect();
        assert!(same(facts.journalist.unwrap(), risks.iter().copied().fold(0.0, f64::max)));
        assert!(same(facts.journalist_mean.unwrap(), risks.iter().sum::<f64>() / risks.len().max(1) as f64));
    }
}
