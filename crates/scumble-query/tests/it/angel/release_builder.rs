//! Angel releases from any partitions, so that tests do not depend on how these are found.

use crate::release::Published;
use scumble_method::Coins;
use scumble_method::publish::{Buckets, Outline, angelize};
use scumble_release::{AttainedEntry, Coins as CoinsWord, Draft, Form, Manifest, Method, WriteOptions};
use scumble_table::{
    Attribute, Code, CodesBuilder, Decimal, Domain, Hierarchy, Kind, Monitor, Partition, Role, Schema, Table,
    parse_date,
};
use scumble_verify::{Promise, write};
use std::sync::Arc;

/// A source with its batches and with buckets for each table.
#[derive(Debug)]
pub(crate) struct ReleaseBuilder {
    pub(crate) columns: Vec<(String, Role, Kind)>,
    /// Trees by column, as lines of labels from the value upwards.
    pub(crate) hierarchies: Vec<(String, Vec<Vec<String>>)>,
    pub(crate) rows: Vec<Vec<String>>,
    /// Batch of each row.
    pub(crate) batches: Vec<u32>,
    /// Columns of each table, that of all quasi-identifiers first, with the bucket of each row.
    pub(crate) tables: Vec<(Vec<String>, Vec<u32>)>,
}

impl ReleaseBuilder {
    pub(crate) fn new(columns: &[(&str, Role, Kind)], rows: Vec<Vec<String>>) -> ReleaseBuilder {
        let columns = columns.iter().map(|(name, role, kind)| (name.to_string(), *role, *kind)).collect();
        ReleaseBuilder { columns, hierarchies: Vec::new(), rows, batches: Vec::new(), tables: Vec::new() }
    }

    fn tree(&self, name: &str) -> Option<Arc<Hierarchy>> {
        let (_, lines) = self.hierarchies.iter().find(|(known, _)| known == name)?;
        let numbers: Vec<u64> = (1..=lines.len() as u64).collect();
        Some(Arc::new(Hierarchy::from_rows("h.csv", lines, &numbers).unwrap()))
    }

    fn domain(&self, at: usize) -> Domain {
        let (name, _, kind) = &self.columns[at];
        let texts = || self.rows.iter().map(|row| row[at].as_str()).filter(|text| !text.is_empty());
        let domain = match kind {
            Kind::Number => Domain::numbers(texts().map(|t| Decimal::parse(t).unwrap()).collect()).unwrap(),
            Kind::Date => Domain::dates(texts().map(|t| parse_date(t).unwrap()).collect()),
            Kind::Ordinal | Kind::Nominal => Domain::nominal(texts().map(Into::into).collect()),
        };
        match self.tree(name) {
            Some(tree) => domain.with_hierarchy("h.csv", name, tree).unwrap(),
            None => domain,
        }
    }

    pub(crate) fn table(&self) -> Table {
        let (mut attributes, mut columns) = (Vec::new(), Vec::new());
        for (at, (name, role, _)) in self.columns.iter().enumerate() {
            let domain = self.domain(at);
            let mut codes = CodesBuilder::new(domain.n_codes() as Code, self.rows.len());
            codes.extend(self.rows.iter().map(|row| domain.code_of(&row[at]).unwrap()));
            attributes.push(Attribute { name: name.clone(), role: *role, domain });
            columns.push(codes.finish());
        }
        Table::new(Schema::new(attributes).unwrap(), columns, self.rows.len()).unwrap()
    }

    /// Writes the release, which is verified on the way.
    pub(crate) fn publish(&self) -> Published {
        let table = self.table();
        let place = |name: &String| self.columns.iter().position(|(known, ..)| known == name).unwrap();
        let partitions: Vec<Partition> = self.tables.iter().map(|(_, buckets)| partition(buckets)).collect();
        let buckets: Vec<Buckets<'_>> = self
            .tables
            .iter()
            .zip(&partitions)
            .map(|((names, _), partition)| Buckets { columns: names.iter().map(place).collect(), partition })
            .collect();
        let batches = partition(&self.batches);
        let made =
            angelize(&table, &batches, &buckets, &Outline::Minimal, &Coins::from_seed(5), Monitor::silent()).unwrap();
        let mut manifest = Manifest::new(Method::Angel, "mondrian");
        manifest.requirements = vec!["k-anonymity(1)".into()];
        manifest.angel_k = Some(1);
        manifest.columns = made.columns;
        manifest.rows = self.rows.len() as u64;
        manifest.groups = batches.n_groups() as u64;
        manifest.coins = CoinsWord::Seeded;
        let least = batches.groups().map(<[u32]>::len).min().unwrap();
        let figures = vec![("k".to_string(), least.to_string())];
        manifest.attained = vec![AttainedEntry { requirement: "k-anonymity(1)".into(), column: None, figures }];
        let trees = self.columns.iter().filter_map(|(name, ..)| Some((name.clone(), self.tree(name)?)));
        let hierarchies = trees.collect();
        let report = "<!doctype html><title>report</title>".into();
        let draft = Draft { manifest, form: Form::Angel(made.form), hierarchies, matrices: Vec::new(), report };
        let dir = tempfile::tempdir().unwrap();
        let published = Published { dir };
        write(&draft, &published.path(), &WriteOptions::default(), Promise::default(), Monitor::silent()).unwrap();
        published
    }
}

/// The partition in which rows have these groups, whatever their numbers.
pub(crate) fn partition(groups: &[u32]) -> Partition {
    let mut numbers = groups.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let (mut rows, mut starts) = (Vec::new(), vec![0u32]);
    for number in numbers {
        rows.extend((0u32..).zip(groups).filter(|(_, group)| **group == number).map(|(row, _)| row));
        starts.push(rows.len() as u32);
    }
    Partition::new(rows, starts, groups.len()).unwrap()
}
