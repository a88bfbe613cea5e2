//! A table more for an angel release that stands already: the same batches, so that what readers can infer about
//! anybody's sensitive values stays what it was (paper 4, theorem 1).

use crate::choice::{Algorithm, Profile};
use crate::common_value::{attack_added, numbers};
use crate::load::{load_planned, plan_as};
use crate::marginals;
use crate::observer::{Heard, Observer, Stage};
use crate::partition::{angel, marginal};
use crate::private;
use crate::publish::{Published, Writing, coins, summary};
use crate::report::{self, FileFacts};
use crate::request::{Input, PublishRequest, check_seed};
use crate::rules::SourceRules;
use scumble_io::ColumnPlan;
use scumble_method::publish::{Buckets, Outline, Shown, bucket_table};
use scumble_release::{
    Addition, Angel, Angelized, BoxKind, BucketTable, Coins as CoinsWord, GroupSizes, MakeReport, Manifest, Opened,
    OpenedData, PublishedColumn, ReleaseDir, extend as write_extended, loss,
};
use scumble_table::{Cancellation, Error, Monitor, Result, Role};
use std::path::PathBuf;

/// A release and what to add to it.
#[derive(Debug, Clone)]
pub struct ExtendRequest {
    /// The release.
    pub release: PathBuf,
    /// The data that it was made from.
    pub source: Input,
    /// The rules that it was made with.
    pub rules: Option<SourceRules>,
    /// Sets of quasi-identifiers that get a table of their own.
    pub marginals: Vec<Vec<String>>,
    /// How many people all tables must leave everybody among, joined by batch.
    pub join_k: Option<u64>,
    /// Coins that can be tossed again; secret ones when not given.
    pub seed: Option<u64>,
    /// Take the seed although whoever guesses it can undo what it draws.
    pub insecure_seed: bool,
}

/// Adds tables to an angel release.
///
/// # Errors
/// If the release is none of method angel, the private file beside it is missing or belongs to other data, or a table
/// cannot be added. The release stays as it was.
pub fn extend(request: &ExtendRequest, observer: &dyn Observer) -> Result<Published> {
    let shown = request.release.display().to_string();
    if request.marginals.is_empty() {
        return Err(
            Error::request("--extend", shown, "which table should be added?").hint("such as --marginal age,zipcode")
        );
    }
    check_seed(request.seed, request.insecure_seed, crate::Method::Angel)?;
    // Two extensions at once would each put the old tables and one of the new ones in place.
    let _one_at_a_time = private::lock(&request.release)?;
    let opened = Opened::read(&request.release, &crate::Auditing(observer))?;
    let OpenedData::Angel(tables) = opened.data() else {
        return Err(Error::request("--extend", shown, "only angel releases can be extended")
            .hint("a second release of another kind would let readers intersect both"));
    };
    let (release, manifest) = (opened.release(), opened.manifest());
    let of_role = |role: Role| manifest.of_role(role).map(|column| column.name.as_str()).collect::<Vec<_>>();
    let taken = tables.views.iter().map(|view| view.boxed.quasi.iter().map(|b| b.column.name().into()).collect());
    marginals::check(&request.marginals, &of_role(Role::Quasi), &of_role(Role::Sensitive), taken)?;
    let rules = request.rules.as_ref().map(|rules| (rules, release.columns()));
    let plans: Vec<ColumnPlan> = release.columns().iter().map(plan_as).collect();
    let table = load_planned(&request.source, &plans, rules, observer)?;
    let batch_of_row = private::read(&request.release, manifest, &table)?;
    if private::is_open(&request.release) {
        let shown = private::file_of(&request.release).display().to_string();
        observer.warn(&format!("others than you may read `{shown}`, which ties rows to batches: chmod 600 it"));
    }
    let coins = coins(request.seed, crate::Method::Angel, observer)?;
    observer.begin(Stage::Partition, Some((table.n_rows() * request.marginals.len()) as u64));
    let start = std::time::Instant::now();
    let profile = manifest.profile.parse::<Profile>()?;
    let way = PublishRequest {
        method: Some(crate::Method::Angel),
        algorithm: (manifest.algorithm == Algorithm::Paper.name()).then_some(Algorithm::Paper),
        profile,
        ..PublishRequest::new(request.source.clone())
    };
    let way = angel(&way, manifest.angel_k.unwrap_or(1));
    let outline = match manifest.boxes {
        BoxKind::Minimal => Outline::Minimal,
        BoxKind::Rounded => Outline::Rounded,
        BoxKind::Cells => return Err(Error::bug("the boxes of an angel release are no cells")),
    };
    let (mut added, mut added_boxes): (Vec<BucketTable>, Vec<(String, Shown)>) = (Vec::new(), Vec::new());
    let mut boxes_of_rows: Vec<(String, Vec<u32>)> = Vec::new();
    for (at, names) in request.marginals.iter().enumerate() {
        // Numbered apart from the tables that a release is made with.
        let coins = coins.of_column(1_000_000 + tables.views.len() + at);
        let found = marginal(&table, names, &way, &coins, Monitor::new(&Heard(observer), &Cancellation::default()))?;
        let buckets = Buckets { columns: found.columns, partition: &found.partition };
        let (built, shown) = bucket_table(&table, &buckets, &batch_of_row, &outline, &coins, false, Monitor::silent())?;
        added_boxes.extend(names.iter().cloned().zip(shown));
        boxes_of_rows.push((built.name.clone(), numbers(&found.partition)));
        added.push(built);
    }
    let by_chance = profile != Profile::MaxUtility && manifest.algorithm != Algorithm::Paper.name();
    let common_value = attack_added(&table, &batch_of_row, &boxes_of_rows, by_chance, observer)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut columns = manifest.columns.clone();
    for column in columns.iter_mut().filter(|column| column.role == Role::Quasi) {
        let position = table.schema().position("--source", &column.name)?;
        let domain = &table.attribute(position).domain;
        let new = added_boxes.iter().filter(|(name, _)| *name == column.name).map(|(_, shown)| shown);
        column.domain = column.domain.with(Shown::extent(new, domain), domain);
    }
    // What boxes have lost is measured on the domains that old and new tables show together, as readers will.
    let extended = Manifest { columns: columns.clone(), ..manifest.clone() };
    let lost = loss(&ReleaseDir::with_manifest(&request.release, extended)?, &crate::Auditing(observer))?;
    let sizes = GroupSizes::of(batch_sizes(tables).into_iter());
    let old = tables.views[1..].iter().map(|view| {
        (view.name.clone(), view.boxed.quasi.iter().map(|boxes| boxes.column.name()).collect::<Vec<&str>>())
    });
    let new = added.iter().map(|table| {
        let quasi = manifest.of_role(Role::Quasi).map(|column| column.name.as_str());
        (table.name.clone(), quasi.filter(|name| table.quasi.iter().any(|column| column.name == *name)).collect())
    });
    let marginals: Vec<(String, Vec<&str>)> = old.chain(new).collect();
    let report = |manifest: &Manifest| {
        report::page(manifest, files(release, manifest, &marginals), Some(&lost), &sizes, &[manifest.groups])
    };
    let word = if coins.is_secret() { CoinsWord::Secret } else { CoinsWord::Seeded };
    let (join_k, remake) = (request.join_k, Some(report::remade as MakeReport));
    let addition = Addition { tables: &added, columns, report: &report, coins: word, join_k, remake };
    let rows = added.iter().map(|table| table.row_bucket.len() as u64).sum();
    let written = write_extended(&request.release, &addition, &Writing { observer, rows })?;
    let private = Some(private::file_of(&request.release));
    Ok(Published {
        private,
        common_value,
        ..summary(&request.release, &written.manifest, sizes.clone(), lost, seconds, written.verdict)
    })
}

/// People of each batch.
fn batch_sizes(tables: &Angelized) -> Vec<u32> {
    let mut sizes = vec![0; tables.batches.n_groups];
    for &batch in &tables.batches.place_group {
        if let Some(size) = sizes.get_mut(batch as usize) {
            *size += 1;
        }
    }
    sizes
}

/// The files of an extended release; `marginals` says of which columns each table is that is not over all of them.
fn files(release: &ReleaseDir, manifest: &Manifest, marginals: &[(String, Vec<&str>)]) -> Vec<FileFacts> {
    let words = |name: &str| match marginals.iter().find(|(known, _)| known == name) {
        Some((_, columns)) => report::marginal(columns),
        None if name == Angel::BATCHES => report::BATCHES.into(),
        None => report::GENERALIZED.into(),
    };
    let tables = manifest.tables.iter().map(|table| (table.file.clone(), table.rows, words(&table.name)));
    let tree = |column: &PublishedColumn| Some(report::hierarchy(column.name(), column.hierarchy()?.leaves().len()));
    tables.chain(release.columns().iter().filter_map(tree)).collect()
}
