//! A table more for an angel release that stands already: the same batches, so that what readers can infer about
//! anybody's sensitive values stays what it was (paper 4, theorem 1).

use crate::anonymize::{Facts, coins, refuse_few_people};
use crate::common_value::{attack_added, numbers};
use crate::context::Context;
use crate::job::{Algorithm, Job, Method, Profile, check_seed};
use crate::ledger::{Entering, LedgerFiles, enter_extension, settle_ledger};
use crate::marginals;
use crate::partition::{angel_of, marginal};
use crate::private;
use crate::release::{Published, Release, told_together};
use crate::report::{self, FileFacts};
use crate::source::{Source, plan_as};
use scumble_io::{ColumnPlan, encode};
use scumble_measure::loss;
use scumble_method::publish::{Buckets, Outline, ShownBoxes, bucket_table};
use scumble_release::notation::Region;
use scumble_release::{
    Addition, Angel, BoxKind, BucketTable, Coins as CoinsWord, Manifest, PublishedColumn, PublishedTables, REPORT,
    ReleaseData, ReleaseReader, show_ends_of_added,
};
use scumble_table::{Error, Persons, Result, Role, Stage};
use scumble_verify::{GroupSizes, Promise, extend_through};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What to add to a release.
#[derive(Debug, Clone, Default)]
pub struct ExtendRequest {
    /// Sets of quasi-identifiers that get a table of their own.
    pub marginals: Vec<Vec<String>>,
    /// How many people all tables must leave everybody among, joined by batch.
    pub join_k: Option<u64>,
    /// Coins that can be tossed again; secret ones when not given.
    pub seed: Option<u64>,
    /// Take the seed although a reader who guesses it can undo what it draws.
    pub insecure_seed: bool,
    /// The ledger that remembers the release.
    pub ledger: Option<PathBuf>,
    /// The files that open the ledger, where the context has nothing that does.
    pub ledger_files: LedgerFiles,
    /// The columns of the source that say whose row each row is, where the release counts people: boxes of the new tables then
    /// hold as many different people as its boxes must.
    pub person: Vec<String>,
}

impl Release {
    /// Adds tables to an angel release on disk. `source` is the data that it was made from, and `rules` the job whose rules
    /// it was made with. This value goes on to speak of the release as it was; open the directory to see it as it is.
    ///
    /// # Errors
    /// If the release is none of method angel, the private file next to it is missing or belongs to other data, or a table
    /// cannot be added. The release stays as it was.
    pub fn extend(
        &self,
        source: &Source,
        rules: Option<&Job>,
        request: &ExtendRequest,
        context: &Context,
    ) -> Result<Published> {
        context.run(|| extend(self, source, rules, request, context))
    }
}

/// Refuses to count rows where the release counts people.
fn check_persons(manifest: &Manifest, persons: Option<&Persons>) -> Result<()> {
    match (manifest.persons, persons) {
        (Some(counted), None) if counted < manifest.rows => {
            let reason = format!(
                "the release has rows of {counted} people, of whom some have several, and boxes of a table that is added must \
                 hold enough people"
            );
            Err(Error::request("person", "", reason)
                .hint("name in «person» the columns that say whose row each row is"))
        }
        (Some(counted), Some(persons)) if counted != persons.n() as u64 => {
            let reason =
                format!("by these columns the source is of {} people, and the release of {counted}", persons.n());
            Err(Error::request("person", "", reason).hint("name the columns that the release was made with"))
        }
        _ => Ok(()),
    }
}

fn extend(
    release: &Release,
    source: &Source,
    rules: Option<&Job>,
    request: &ExtendRequest,
    context: &Context,
) -> Result<Published> {
    let monitor = context.monitor();
    let Some(dir) = release.path() else {
        return Err(Error::request("extend", "", "only a release on disk can be extended").hint("write it first"));
    };
    let shown = dir.display().to_string();
    if request.marginals.is_empty() {
        return Err(
            Error::request("extend", shown, "which table should be added?").hint("such as «marginal» age,zipcode")
        );
    }
    check_seed(request.seed, request.insecure_seed, Method::Angel)?;
    if let Some(ledger) = &request.ledger {
        settle_ledger(ledger, &request.ledger_files, context)?;
    }
    // Two extensions at once would each put the old tables and one of the new ones in place.
    let _one_at_a_time = private::lock(dir)?;
    // A run that waited for the lock builds on what was added meanwhile.
    let release = Release::open(dir)?;
    let data = release.data(context)?;
    let PublishedTables::Angel(tables) = data.tables() else {
        return Err(Error::request("extend", shown, "only angel releases can be extended")
            .hint("a second release of another kind would let readers intersect both"));
    };
    let (reader, manifest) = (data.reader(), data.manifest());
    let of_role = |role: Role| manifest.of_role(role).map(|column| column.name.as_str()).collect::<Vec<_>>();
    let taken = tables.views.iter().map(|view| view.boxed.quasi.iter().map(|b| b.column.name().into()).collect());
    marginals::check(&request.marginals, &of_role(Role::Quasi), &of_role(Role::Sensitive), taken)?;
    let plans: Vec<ColumnPlan> = reader.columns().iter().map(plan_as).collect();
    let (raw, persons) = source.read_persons(reader.columns(), &request.person, rules, monitor)?;
    check_persons(manifest, persons.as_ref())?;
    let mut table = encode(raw, &plans, monitor)?;
    if let Some(persons) = persons {
        table = table.with_persons(Arc::new(persons))?;
    }
    let batch_of_row = private::read(dir, manifest, &table)?;
    if private::is_open(dir) {
        let shown = private::file_of(dir).display().to_string();
        monitor.warn(&format!("others than you may read `{shown}`, which ties rows to batches: chmod 600 it"));
    }
    let coins = coins(request.seed, Method::Angel, context)?;
    monitor.begin(Stage::Partition, Some((table.n_rows() * request.marginals.len()) as u64))?;
    let start = std::time::Instant::now();
    let profile = manifest.profile.parse::<Profile>()?;
    let paper = manifest.algorithm == Algorithm::Paper.name();
    let angel = angel_of(profile, paper, manifest.angel_k.unwrap_or(1));
    let outline = match manifest.boxes {
        BoxKind::Minimal => Outline::Minimal,
        BoxKind::Rounded => Outline::Rounded,
        BoxKind::Cells => return Err(Error::bug("the boxes of an angel release are no cells")),
    };
    let (mut added, mut added_boxes): (Vec<BucketTable>, Vec<(String, ShownBoxes)>) = (Vec::new(), Vec::new());
    let mut boxes_of_rows: Vec<(String, Vec<u32>)> = Vec::new();
    for (at, names) in request.marginals.iter().enumerate() {
        // Numbered apart from the tables that a release is made with.
        let coins = coins.for_column(1_000_000 + tables.views.len() + at);
        let found = marginal(&table, names, &angel, &coins, monitor)?;
        let buckets = Buckets { columns: found.columns, partition: &found.partition };
        let (built, shown) = bucket_table(&table, &buckets, &batch_of_row, &outline, &coins, false, monitor)?;
        added_boxes.extend(names.iter().cloned().zip(shown));
        boxes_of_rows.push((built.name.clone(), numbers(&found.partition)));
        added.push(built);
    }
    let by_chance = profile != Profile::MaxUtility && !paper;
    let common_value = attack_added(&table, &batch_of_row, &boxes_of_rows, by_chance, monitor)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut columns = manifest.columns.clone();
    for column in columns.iter_mut().filter(|column| column.role == Role::Quasi) {
        let position = table.schema().position("source", &column.name)?;
        let domain = &table.attribute(position).domain;
        let new = added_boxes.iter().filter(|(name, _)| *name == column.name).map(|(_, shown)| shown);
        column.domain = column.domain.union(ShownBoxes::extent(new, domain), domain);
    }
    let starred: Vec<String> = tables
        .views
        .iter()
        .flat_map(|view| &view.boxed.quasi)
        .filter(|boxes| boxes.regions.contains(&Some(Region::All)))
        .map(|boxes| boxes.column.name().into())
        .collect();
    let stored = |name: &str| {
        let attributes = table.schema().attributes().iter();
        let known = attributes.clone().find(|attribute| attribute.name == name);
        known.map(|attribute| attribute.domain.stored().clone()).unwrap_or_default()
    };
    show_ends_of_added(&columns, &manifest.columns, &starred, &mut added, stored)?;
    // What boxes have lost is measured on the domains that old and new tables show together, as readers will.
    let extended = Manifest { columns: columns.clone(), ..manifest.clone() };
    let (together, _) = PublishedTables::read(&ReleaseReader::with_manifest(dir, extended)?, monitor)?;
    let lost = loss(manifest, &together);
    let sizes = GroupSizes::from_sizes(tables.sizes.iter().copied());
    let old = tables.views[1..].iter().map(|view| {
        (view.name.clone(), view.boxed.quasi.iter().map(|boxes| boxes.column.name()).collect::<Vec<&str>>())
    });
    let new = added.iter().map(|table| {
        let quasi = manifest.of_role(Role::Quasi).map(|column| column.name.as_str());
        (table.name.clone(), quasi.filter(|name| table.quasi.iter().any(|column| column.name == *name)).collect())
    });
    let marginals: Vec<(String, Vec<&str>)> = old.chain(new).collect();
    let report = |manifest: &Manifest| {
        report::page(manifest, files(reader, manifest, &marginals), Some(&lost), &sizes, &[manifest.groups], &[])
    };
    let word = if coins.is_secret() { CoinsWord::Secret } else { CoinsWord::Seeded };
    let addition = Addition { tables: &added, columns, report: &report, coins: word };
    let promise = Promise { join_k: request.join_k, report: Some(report::remade), ..Promise::default() };
    let mut entering = None;
    let mut gate = |staged: &Path, release: &ReleaseData| {
        refuse_few_people(release, request.join_k, &table, monitor)?;
        if let Some(ledger) = &request.ledger {
            let file = (ledger.as_path(), &request.ledger_files);
            entering = Some(enter_extension(file, (staged, dir), (manifest, release), context)?);
        }
        Ok(())
    };
    let written = extend_through(dir, &addition, promise, &mut gate, monitor);
    let ledger = entering.map(|entering: Entering| entering.settle(written.as_ref().err(), monitor));
    let written = written?;
    let facts = Facts::new(&written.manifest, sizes.clone(), &lost, seconds);
    let published = Published {
        release: dir.to_path_buf(),
        report: dir.join(REPORT),
        facts: Facts { common_value, joined: written.verdict.joined, ..facts },
        private: Some(private::file_of(dir)),
        ledger,
        verdict: written.verdict,
    };
    Ok(told_together(published, &written.data, &table, context))
}

/// The files of an extended release; `marginals` says of which columns each table is that is not over all of them.
fn files(release: &ReleaseReader, manifest: &Manifest, marginals: &[(String, Vec<&str>)]) -> Vec<FileFacts> {
    let words = |name: &str| match marginals.iter().find(|(known, _)| known == name) {
        Some((_, columns)) => report::marginal(columns, manifest.row()),
        None if name == Angel::BATCHES => report::batches(manifest.row()),
        None => report::generalized(manifest.row()),
    };
    let tables = manifest.tables.iter().map(|table| (table.file.clone(), table.rows, words(&table.name)));
    let tree = |column: &PublishedColumn| {
        let file = manifest.hierarchy_file(column.name())?;
        Some(report::hierarchy(column.name(), file, column.hierarchy()?.leaves().len()))
    };
    tables.chain(release.columns().iter().filter_map(tree)).collect()
}
