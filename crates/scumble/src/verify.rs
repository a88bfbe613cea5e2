//! Verification, of releases and of tables made by other tools.

use crate::context::Context;
use crate::job::{ColumnRole, Columns, Job};
use crate::release::Release;
use crate::report;
use crate::source::Source;
use scumble_io::RawTable;
use scumble_principle::{LoadedDistance, Requirement};
use scumble_rules::Rules;
use scumble_table::{Error, Kind, Persons, Population, Result, Table};
use scumble_verify::{Verdict, VerifyOptions, verify_and_read};
use std::sync::Arc;

/// What is asked of a release besides what it promises.
#[derive(Debug, Clone, Default)]
pub struct VerifyRequest {
    /// What its groups must satisfy as well.
    pub requirements: Vec<Requirement>,
    /// What its groups need not satisfy: how many do not is told.
    pub against: Vec<Requirement>,
    /// How far apart values are, for `requirements` and `against`; what the manifest says where nothing is given.
    pub distance: Option<LoadedDistance>,
    /// How many people the tables of an angel release must leave everybody among, taken together.
    pub join_k: Option<u64>,
    /// Columns of the source that together say whose row each row is: requirements are then judged by persons too.
    pub person: Vec<String>,
    /// The population that its people come from, for requirements about boxes: `k-map` and `delta-presence`.
    pub population: Option<Arc<Population>>,
}

impl VerifyRequest {
    fn options<'a>(
        &'a self,
        source: Option<(&'a RawTable, Option<Persons>, bool)>,
        context: &'a Context,
    ) -> VerifyOptions<'a> {
        VerifyOptions {
            requirements: self.requirements.clone(),
            against: self.against.clone(),
            distance: self.distance.clone(),
            source: source.map(|(table, persons, ruled)| scumble_verify::Source {
                table,
                identifying: Vec::new(),
                persons,
                rules_applied: ruled,
            }),
            population: self.population.as_deref(),
            join_k: self.join_k,
            report: Some(report::remade),
            monitor: context.monitor(),
        }
    }
}

impl Release {
    /// Verifies the release from its bytes, or from its Arrow tables where it is in memory; with a source, also that
    /// nothing was lost, invented or wrongly covered. The tables of a release that holds are not read again by what comes after.
    ///
    /// # Errors
    /// If a file cannot be read. A release that breaks its promises is no error: the verdict says so.
    pub fn verify(&self, source: Option<&Table>, context: &Context) -> Result<Verdict> {
        self.verify_asking(&VerifyRequest::default(), source, context)
    }

    /// The same, and tells how it stands against requirements that it does not promise.
    ///
    /// # Errors
    /// As [`Release::verify`], and if a requirement cannot be put to the release.
    pub fn verify_asking(&self, asked: &VerifyRequest, source: Option<&Table>, context: &Context) -> Result<Verdict> {
        let persons = source.and_then(|table| table.persons()).map(|persons| (**persons).clone());
        let source = source.map(|table| RawTable::from_table(table.clone(), "the source")).transpose()?;
        self.judge(asked, source.as_ref().map(|table| (table, persons, true)), context)
    }

    /// The same against a source whose columns are read as the release shows them. `rules` is the job whose rules the release was
    /// made with.
    ///
    /// # Errors
    /// As [`Release::verify_asking`], and if the source cannot be read.
    pub fn verify_from(
        &self,
        source: Option<&Source>,
        rules: Option<&Job>,
        asked: &VerifyRequest,
        context: &Context,
    ) -> Result<Verdict> {
        if source.is_none() && rules.is_some() {
            return Err(Error::request("rules", "", "rules are applied to the source, and none is named")
                .hint("name the data that the release was made from with «source»"));
        }
        let read = |source: &Source| source.read_persons(self.columns(), &asked.person, rules, context.monitor());
        let source = context.run(|| source.map(read).transpose())?;
        self.judge(asked, source.as_ref().map(|(table, persons)| (table, persons.clone(), rules.is_some())), context)
    }

    fn judge(
        &self,
        asked: &VerifyRequest,
        source: Option<(&RawTable, Option<Persons>, bool)>,
        context: &Context,
    ) -> Result<Verdict> {
        let mut options = asked.options(source, context);
        options.join_k = options.join_k.or(self.join_k());
        options.population = options.population.or(self.population().map(|population| &**population));
        let (verdict, data) = context.run(|| verify_and_read(self.reader(), &options))?;
        if let Some(data) = data.filter(|_| verdict.ok) {
            self.keep_data(data);
        }
        Ok(verdict)
    }
}

/// Verifies a table whose equal quasi-identifiers form the groups. Read it with [`read_foreign_table`].
///
/// # Errors
/// If a requirement cannot be put to it.
pub fn verify_table(table: &Table, asked: &VerifyRequest, context: &Context) -> Result<Verdict> {
    context.run(|| scumble_verify::verify_table(table, &asked.options(None, context)))
}

/// Reads a table made by another tool; columns without a role are not looked at.
///
/// # Errors
/// If it cannot be read or a column is missing.
pub fn read_foreign_table(source: &Source, columns: &Columns, context: &Context) -> Result<Table> {
    let mut columns = columns.clone();
    for (i, (name, column)) in columns.iter().enumerate() {
        if columns[..i].iter().any(|(other, _)| other == name) {
            let field = column.role.map_or("columns", ColumnRole::name);
            return Err(Error::request(field, name, "the column is named twice").hint("a column has one role"));
        }
    }
    // A generalized value is a text like another: rows are alike if they show the same.
    for (_, column) in columns.iter_mut().filter(|(_, column)| column.role == Some(ColumnRole::Quasi)) {
        (column.kind, column.hierarchy, column.order) = (Some(Kind::Nominal), None, None);
    }
    let loaded = context.run(|| source.load_columns(&columns, true, &Rules::default(), context.monitor()))?;
    Ok(loaded.table)
}
