//! Verification, of releases and of tables made by other tools.

use crate::load::load;
use scumble_table::{Monitor, Stage};
use crate::report;
use crate::job::ColumnRole;
use crate::ruler::ruler;
use crate::source_rules::SourceRules;
use scumble_principle::{Distance, Requirement};
use scumble_release::{ReleaseReader, SourceData, Stage as ReleaseStage, Watch};
use scumble_verify::{Source, Verdict, VerifyOptions};
use scumble_table::{Error, Kind, Result};
use std::path::{Path, PathBuf};

/// Verifies a release from its bytes alone; with a source, also that nothing was lost, invented or
/// wrongly covered. The tables of an angel release, joined by batch, must leave everybody among `join_k` people, where
/// that is given. [`verify_release`] asks for more.
///
/// # Errors
/// If there is no release to judge or a file cannot be read. A release that breaks its promises is
/// no error: the verdict says so.
pub fn verify(
    release: &Path,
    requirements: &[Requirement],
    source: Option<&Input>,
    join_k: Option<u64>,
    monitor: Monitor<'_>,
) -> Result<Verdict> {
    let (requirements, source) = (requirements.to_vec(), source.cloned());
    verify_release(&ReleaseToVerify { requirements, source, join_k, ..ReleaseToVerify::new(release) }, monitor)
}

/// A release, and what is asked of it beside its promises.
#[derive(Debug, Clone)]
pub struct ReleaseToVerify {
    /// The directory.
    pub release: PathBuf,
    /// What its groups must satisfy as well.
    pub requirements: Vec<Requirement>,
    /// What its groups need not satisfy: how many do not is told.
    pub against: Vec<Requirement>,
    /// How far apart values are, for `requirements` and `against`; what the manifest says where nothing is given.
    pub distance: Option<Distance>,
    /// Hierarchy files of sensitive columns, for distances by `tree` that the release itself does not know.
    pub trees: Vec<(String, PathBuf)>,
    /// The data that the release was made from.
    pub source: Option<Input>,
    /// The rules that it was made with, which are applied to the source first.
    pub rules: Option<SourceRules>,
    /// How many people the tables of an angel release must leave everybody among, taken together.
    pub join_k: Option<u64>,
}

impl ReleaseToVerify {
    /// A release of which nothing is asked but what it promises.
    pub fn new(release: impl Into<PathBuf>) -> Self {
        ReleaseToVerify {
            release: release.into(),
            requirements: Vec::new(),
            against: Vec::new(),
            distance: None,
            trees: Vec::new(),
            source: None,
            rules: None,
            join_k: None,
        }
    }
}

/// Verifies a release, and tells how it stands against requirements that it does not promise.
///
/// # Errors
/// As [`verify`], and if a requirement cannot be put to the release.
pub fn verify_release(asked: &ReleaseToVerify, monitor: Monitor<'_>) -> Result<Verdict> {
    let ruled;
    let data = match (&asked.source, &asked.rules) {
        (None, Some(_)) => {
            return Err(Error::request("rules", "", "rules are applied to the source, and none is named")
                .hint("name the data that the release was made from with «source»"));
        }
        (None, None) => None,
        (Some(input), None) => Some(file(input)),
        (Some(input), Some(rules)) => match ReleaseReader::open(&asked.release) {
            Ok(release) => {
                ruled = rules.read(input, release.columns(), monitor)?;
                Some(SourceData::Raw(&ruled))
            }
            // Why it cannot be opened is for the verdict to say.
            Err(_) => None,
        },
    };
    let source = data.map(|data| Source { data, identifying: Vec::new() });
    let watch = Auditing(monitor);
    let options = VerifyOptions {
        requirements: asked.requirements.clone(),
        against: asked.against.clone(),
        ruler: ruler(asked.distance.as_ref(), &asked.trees)?,
        source,
        join_k: asked.join_k,
        report: Some(report::remade),
        watch: &watch,
    };
    scumble_release::verify(&asked.release, &options)
}

/// A source that is compared as it lies.
pub(crate) fn file(input: &Input) -> SourceData<'static> {
    SourceData::File {
        path: input.path.clone(),
        format: input.format,
        delimiter: input.delimiter,
        nulls: input.nulls.clone(),
    }
}

/// A table made by another tool.
#[derive(Debug, Clone)]
pub struct TableToVerify {
    /// The table.
    pub input: Input,
    /// Its quasi-identifying and sensitive columns; others are not looked at.
    pub columns: Vec<ColumnRequest>,
    /// What its groups must satisfy.
    pub requirements: Vec<Requirement>,
    /// What its groups need not satisfy: how many do not is told.
    pub against: Vec<Requirement>,
    /// How far apart sensitive values are.
    pub distance: Option<Distance>,
}

/// Verifies a table whose equal quasi-identifiers form the groups.
///
/// # Errors
/// If the table cannot be read or a column is missing.
pub fn verify_table(table: &TableToVerify, monitor: Monitor<'_>) -> Result<Verdict> {
    let mut columns = table.columns.clone();
    for (i, column) in columns.iter().enumerate() {
        if columns[..i].iter().any(|other| other.name == column.name) {
            return Err(Error::request(column.role.flag(), &column.name, "the column is named twice")
                .hint("a column has one role"));
        }
    }
    // A generalized value is a text like another: rows are alike if they show the same.
    for column in columns.iter_mut().filter(|column| column.role == ColumnRole::Quasi) {
        (column.kind, column.hierarchy, column.order) = (Some(Kind::Nominal), None, None);
    }
    let ruler = ruler(table.distance.as_ref(), &[])?;
    let loaded = load(&table.input, &columns, true, monitor)?;
    let (requirements, against) = (table.requirements.clone(), table.against.clone());
    scumble_release::verify_table(&loaded, &VerifyOptions { requirements, against, ruler, ..VerifyOptions::default() })
}

/// Listens to a verification on behalf of an monitor.
pub struct Auditing<'a>(pub &'a dyn Observer);

impl scumble_io::Progress for Auditing<'_> {
    fn start(&self, total_bytes: Option<u64>) {
        self.0.begin(Stage::Read, total_bytes);
    }

    fn advance(&self, bytes: u64, _rows: u64) {
        self.0.advance(bytes);
    }
}

impl Watch for Auditing<'_> {
    fn stage(&self, _stage: ReleaseStage) {}
}
