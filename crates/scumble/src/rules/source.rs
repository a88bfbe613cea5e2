//! The source of a release as its rules left it, for those who compare both.

use super::{Column, Rules, apply};
use crate::observer::{Observer, Reading};
use crate::request::{ColumnRequest, Input};
use scumble_io::{ColumnPlan, EncodeOptions, Job, RawTable, ReadOptions, Want, encode, read, read_order};
use scumble_release::PublishedColumn;
use scumble_table::{Error, Result, Role};

/// The rules that a release was made with, and what the job file says about columns.
#[derive(Debug, Clone)]
pub struct SourceRules {
    /// The rules.
    pub rules: Rules,
    /// The columns of the job: types of those that are not published, and orders of labels.
    pub columns: Vec<ColumnRequest>,
}

impl SourceRules {
    /// The rules and columns of a job file.
    ///
    /// # Errors
    /// If a condition cannot be read, or if there are no rules.
    pub fn from_job(job: &Job) -> Result<Self> {
        let rules = Rules::from_job(job)?;
        if rules.is_empty() {
            return Err(Error::request("--rules", &job.file, "this job file has no rules")
                .hint("leave --rules out, or name the job file that the release was made with"));
        }
        Ok(SourceRules { rules, columns: job.columns.iter().map(ColumnRequest::from).collect() })
    }

    /// Reads the columns of a source that are published, as the rules leave them.
    pub(crate) fn read(
        &self,
        input: &Input,
        published: &[PublishedColumn],
        observer: &dyn Observer,
    ) -> Result<RawTable> {
        let plans = self.plans(published)?;
        let is_published = |name: &str| published.iter().any(|column| column.name() == name);
        let planned = |name: &str| plans.iter().any(|plan| plan.name == name);
        let options = ReadOptions::default()
            .format(input.format)
            .delimiter(input.delimiter)
            .nulls(input.nulls.clone())
            .header(|names| {
                self.rules.check_columns(names, is_published)?;
                Ok(names.iter().map(|name| if planned(name) { Want::Text } else { Want::Skip }).collect())
            })
            .secret(|_| true);
        let raw = read(&input.path, &options, &Reading(observer))?;
        let source = raw.source.clone();
        // A column that the source lacks is for those to tell who compare.
        let there = plans.iter().filter(|plan| raw.names.contains(&plan.name));
        let plans: Vec<ColumnPlan> = there.cloned().collect();
        let table = encode(raw, &plans, &EncodeOptions::default().secret(|_| true))?;
        let columns = plans.iter().map(|plan| {
            let (order, nulls) = (plan.order.as_ref(), input.nulls.as_slice());
            Column { order, nulls, aside: !is_published(&plan.name) }
        });
        let (table, _) = apply(&self.rules, table, &columns.collect::<Vec<_>>())?;
        RawTable::from_table(table, source)
    }

    /// How the published columns, and those that conditions ask about, are read. The release knows the types that it was
    /// made with; its orders lack the labels that the rules took away, and the job's do not. Hierarchies do not matter
    /// to what rules do.
    fn plans(&self, published: &[PublishedColumn]) -> Result<Vec<ColumnPlan>> {
        let asked = self.rules.asked();
        let others = asked.iter().filter(|name| !published.iter().any(|column| column.name() == **name));
        let names = published.iter().map(|column| (column.name(), Some(column)));
        let mut plans = Vec::new();
        for (name, release) in names.chain(others.map(|name| (*name, None))) {
            let job = self.columns.iter().find(|column| column.name == name);
            let order = job.and_then(|column| column.order.as_ref()).map(|path| read_order(path)).transpose()?;
            let kind = release.map(PublishedColumn::kind).or(job.and_then(|column| column.kind));
            let role = release.map_or(Role::Kept, PublishedColumn::role);
            plans.push(ColumnPlan { kind, order, ..ColumnPlan::new(name, role) });
        }
        Ok(plans)
    }
}
