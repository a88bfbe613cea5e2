//! Reading what is attacked, and those who are looked for.

use super::request::check_known;
use crate::context::Context;
use crate::job::{Column, ColumnRole, Columns, Job};
use crate::source::{Source, persons_of, rules_of};
use scumble_io::{ColumnPlan, RawColumn, RawTable, Want, detect, encode};
use scumble_rules::RuleCount;
use scumble_table::{Error, Kind, Result, Role, Table, did_you_mean};
use std::sync::Arc;

impl Source {
    /// Reads some columns as texts: the people of a source or of a population. `field` of the request named them, or the
    /// data. They have no role, so that their values stay out of messages.
    ///
    /// # Errors
    /// If the data cannot be read, or lacks a column.
    pub fn read_columns(&self, names: &[String], field: &str, context: &Context) -> Result<RawTable> {
        let of_target = field == "known";
        let wants = |header: &[String]| {
            if let Some(name) = names.iter().find(|name| !header.contains(name)) {
                let reason = match of_target {
                    true => "there is no such column".into(),
                    false => format!("{} has no such column", self.name()),
                };
                return Err(Error::request(field, name, reason).hint(did_you_mean(name, header, "the columns are")));
            }
            Ok(header.iter().map(|name| if names.contains(name) { Want::Text } else { Want::Skip }).collect())
        };
        let options = self.options().header(wants).secret(|_| true);
        context.run(|| self.raw(&options, context.monitor())).map_err(|error| match error {
            Error::Request { field: named, value, reason, hint } if named == "data" && !of_target => {
                Error::Request { field: field.into(), value, reason, hint }
            }
            other => other,
        })
    }

    /// Reads the columns that an attacker knows; with the job whose rules are applied first, also what each rule did.
    ///
    /// `person` names the columns that say whose row each row is, which are not among the known ones; people are counted then.
    ///
    /// Texts that mean the same value are the same: `1.0` is `1` in a column of numbers. A column that mixes numbers and
    /// other texts, as tables of other tools do, is one of labels. `types` says otherwise.
    ///
    /// # Errors
    /// If the data cannot be read, lacks a column, or holds what is not of its type; if the job has no rules.
    pub fn read_known(
        &self,
        known: &[String],
        types: &[(String, Kind)],
        person: &[String],
        job: Option<&Job>,
        context: &Context,
    ) -> Result<(Table, Vec<RuleCount>)> {
        check_known(known)?;
        check_person(known, person)?;
        if let Some((name, _)) = types.iter().find(|(name, _)| !known.contains(name)) {
            return Err(Error::request("type", name, "no known column has this name").hint(did_you_mean(
                name,
                known,
                "name it in «known», where now stand",
            )));
        }
        let typed = |name: &str| types.iter().find(|(typed, _)| typed == name).map(|(_, kind)| *kind);
        match job {
            Some(job) => self.read_ruled_known(known, typed, person, job, context),
            None => {
                let names: Vec<String> = known.iter().chain(person).cloned().collect();
                let raw = self.read_columns(&names, "known", context).map_err(|error| of_person(error, person))?;
                let persons = persons_of(&raw, person)?;
                let plans: Vec<ColumnPlan> = known.iter().map(|name| plan(&raw, name, typed(name))).collect();
                let table = context.run(|| encode(raw, &plans, context.monitor()))?;
                let table = match persons {
                    Some(persons) => table.with_persons(Arc::new(persons))?,
                    None => table,
                };
                Ok((table, Vec::new()))
            }
        }
    }

    /// The known columns as the rules of a job leave them. Hierarchies of the job do not matter to what rules do.
    fn read_ruled_known(
        &self,
        known: &[String],
        typed: impl Fn(&str) -> Option<Kind>,
        person: &[String],
        job: &Job,
        context: &Context,
    ) -> Result<(Table, Vec<RuleCount>)> {
        let rules = rules_of(job)?;
        let plain = |(name, column): &(String, Column)| {
            (name.clone(), Column { hierarchy: None, level: None, ..column.clone() })
        };
        let mut columns: Columns = job.columns.iter().map(plain).collect();
        if !person.is_empty() {
            // The request says whose rows are whose, whatever the job says.
            columns.retain(|(name, column)| column.role != Some(ColumnRole::Person) || known.contains(name));
            columns.retain(|(name, _)| !person.contains(name));
            let key = || Column { role: Some(ColumnRole::Person), ..Column::default() };
            columns.extend(person.iter().map(|name| (name.clone(), key())));
        }
        for name in known {
            let at = columns.iter().position(|(other, _)| other == name).unwrap_or_else(|| {
                columns.push((name.clone(), Column::default()));
                columns.len() - 1
            });
            let column = &mut columns[at].1;
            // What the attacker knows is there to be compared, whatever the job would do with it afterwards.
            if !matches!(column.role, Some(ColumnRole::Quasi | ColumnRole::Sensitive | ColumnRole::Kept)) {
                column.role = Some(ColumnRole::Kept);
            }
            column.kind = typed(name).or(column.kind);
        }
        let loaded = context.run(|| self.load_columns(&columns, true, rules, context.monitor()));
        let loaded = loaded.map_err(|error| match error {
            Error::Request { value, reason, hint, .. } if known.contains(&value) => {
                Error::Request { field: "known".into(), value, reason, hint }
            }
            other => of_person(other, person),
        })?;
        Ok((loaded.table, loaded.rules))
    }
}

/// Refuses columns that say whose rows are whose and are known to the attacker, or are named twice.
pub(crate) fn check_person(known: &[String], person: &[String]) -> Result<()> {
    if let Some(name) = person.iter().find(|name| known.contains(name)) {
        return Err(Error::request("person", name, "the column is known to the attacker as well")
            .hint("a column that says whose rows are whose names people; who knows it needs no other"));
    }
    match person.iter().enumerate().find(|(at, name)| person[..*at].contains(name)) {
        Some((_, name)) => Err(Error::request("person", name, "the column is named twice")),
        None => Ok(()),
    }
}

/// An error about a column that says whose rows are whose names the field that named it.
fn of_person(error: Error, person: &[String]) -> Error {
    match error {
        Error::Request { value, reason, hint, .. } if person.contains(&value) => {
            Error::Request { field: "person".into(), value, reason, hint }
        }
        other => other,
    }
}

/// How a known column is coded: as it is said, or as its texts look.
fn plan(raw: &RawTable, name: &str, given: Option<Kind>) -> ColumnPlan {
    let kind = match (given, raw.names.iter().position(|known| known == name).map(|at| &raw.columns[at])) {
        // Whether labels have an order makes no difference to who is equal.
        (Some(Kind::Ordinal), _) => Kind::Nominal,
        (Some(kind), _) => kind,
        (None, Some(RawColumn::Text { dictionary, .. })) => detect(dictionary),
        (None, _) => Kind::Nominal,
    };
    ColumnPlan { kind: Some(kind), secret: true, ..ColumnPlan::new(name, Role::Quasi) }
}
