//! The whole job: read, encode, bind, partition, give it a form, write beside, verify, put in place.

use crate::choice::Method;
use crate::load::{load, load_batches};
use crate::observer::{Observer, Stage};
use crate::partition::partition;
use crate::report;
use crate::request::PublishRequest;
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use rayon::prelude::*;
use scumble_method::Coins;
use scumble_method::publish::{anatomize, generalize};
use scumble_principle::{Attained, BoundRequirements, Group};
use scumble_release::{
    AttainedEntry, Coins as CoinsWord, Extent, Form, GroupSizes, Loss, Manifest, ManifestColumn, Release, Verdict,
    Watch, WriteOptions, check_target, release_loss, write,
};
use scumble_table::{Bag, Decimal, Error, Partition, Result, Role, Table};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// A release that stands in its place, verified.
#[derive(Debug, Clone, Serialize)]
pub struct Published {
    /// The release directory.
    pub release: PathBuf,
    /// Its report.
    pub report: PathBuf,
    /// Rows published with values.
    pub rows: u64,
    /// Rows published as stars.
    pub suppressed: u64,
    /// Number of groups.
    pub groups: u64,
    /// How large the groups are.
    pub group_sizes: GroupSizes,
    /// What each requirement reached.
    pub attained: Vec<AttainedEntry>,
    /// Loss: mean over rows of the sum over quasi-identifiers of covered/domain, on the source's domains.
    pub loss: f64,
    /// The same on the scale where a single value costs 0 and the whole domain 1.
    pub ncp: f64,
    /// NCP of each quasi-identifier.
    pub ncp_by_attribute: Vec<(String, f64)>,
    /// Seconds spent on finding the groups; for the publisher only, never in the release.
    pub partition_seconds: f64,
    /// What the verifier found on the written bytes.
    #[serde(skip)]
    pub verdict: Verdict,
}

/// Publishes the data that a request names.
///
/// # Errors
/// Bad data or a bad request, an infeasible requirement, a refusal of the operating system. In every
/// case nothing is left behind at the target.
pub fn publish(request: &PublishRequest, observer: &dyn Observer) -> Result<Published> {
    request.check()?;
    check_target(&request.out, request.replace, Some(&request.input.path))?;
    let table = load(&request.input, &request.columns, request.drop_rest, observer)?;
    publish_table(&table, request, observer)
}

/// Publishes Arrow record batches; of the request's input only the null texts are looked at.
///
/// # Errors
/// As [`publish`].
pub fn publish_batches(
    schema: &Schema,
    batches: impl IntoIterator<Item = RecordBatch>,
    request: &PublishRequest,
    observer: &dyn Observer,
) -> Result<Published> {
    request.check()?;
    check_target(&request.out, request.replace, None)?;
    let table = load_batches(schema, batches, request, observer)?;
    publish_table(&table, request, observer)
}

fn publish_table(table: &Table, request: &PublishRequest, observer: &dyn Observer) -> Result<Published> {
    if table.n_rows() == 1 {
        return Err(Error::data(
            request.input.path.display().to_string(),
            "the table has one row, and a release of one person hides nobody",
        ));
    }
    let coins = match request.seed {
        None => Coins::from_system()?,
        Some(seed) => {
            observer.warn("with --seed the random choices are not secret: whoever knows the seed can repeat them, and the manifest says so");
            Coins::from_seed(seed)
        }
    };
    let bound = BoundRequirements::bind(&request.requirements, table.schema(), |column| table.whole(column))?;
    feasible(table, &bound).map_err(|error| beside_suppression(error, request))?;
    let start = Instant::now();
    let partition = partition(table, &bound, request, &coins, observer)?;
    let partition_seconds = start.elapsed().as_secs_f64();

    let (form, columns) = form(table, &partition, request.method, &coins);
    let bound = bind_published(table, request, partition.rows())?;
    let mut manifest = Manifest::new(form.method(), request.chosen_algorithm().name());
    manifest.requirements = request.requirements.iter().map(ToString::to_string).collect();
    manifest.columns = columns;
    manifest.rows = partition.rows().len() as u64;
    manifest.suppressed = partition.n_suppressed() as u64;
    manifest.groups = partition.n_groups() as u64;
    manifest.attained = attained(table, &partition, &bound);
    manifest.profile = request.profile.name().into();
    manifest.coins = if coins.is_secret() { CoinsWord::Secret } else { CoinsWord::Seeded };
    // Exact values can be read without the tree that helped to group them.
    let exact = |role: Role| role == Role::Quasi && request.method == Method::Anatomy;
    let hierarchies = table
        .schema()
        .attributes()
        .iter()
        .filter(|attribute| !exact(attribute.role))
        .filter_map(|attribute| Some((attribute.name.clone(), attribute.domain.hierarchy()?.clone())))
        .collect();
    let mut release = Release { manifest, form, hierarchies, report: String::new() };
    let shown = release_loss(&release)?;
    let loss = on_source_domains(table, &mut release)?;
    let sizes = GroupSizes::of(partition.groups().map(|group| group.len() as u32));
    if sizes.min == 1 {
        observer.warn("some groups have one row: whoever finds that person's group reads the person's values");
    }
    release.report = report::page(&release, request.format, &shown, &sizes);

    let options = WriteOptions { format: request.format, replace: request.replace };
    let rows = release.form.tables().map(|(_, rows)| rows).sum();
    let written = write(&release, &request.out, &options, &Writing { observer, rows })?;
    Ok(summary(request, &release.manifest, sizes, loss, partition_seconds, written.verdict))
}

/// The form that a method gives a partition, and its columns as the manifest states them.
fn form(table: &Table, partition: &Partition, method: Method, coins: &Coins) -> (Form, Vec<ManifestColumn>) {
    match method {
        Method::Generalize => {
            let (form, columns) = generalize(table, partition, coins);
            (Form::Generalized(form), columns)
        }
        Method::Anatomy => {
            let (form, columns) = anatomize(table, partition, coins);
            (Form::Anatomy(form), columns)
        }
    }
}

fn summary(
    request: &PublishRequest,
    manifest: &Manifest,
    group_sizes: GroupSizes,
    loss: Loss,
    partition_seconds: f64,
    verdict: Verdict,
) -> Published {
    Published {
        release: request.out.clone(),
        report: request.out.join(scumble_release::REPORT),
        rows: manifest.rows,
        suppressed: manifest.suppressed,
        groups: manifest.groups,
        group_sizes,
        attained: manifest.attained.clone(),
        loss: loss.loss,
        ncp: loss.ncp,
        ncp_by_attribute: loss.by_attribute.iter().map(|a| (a.name.clone(), a.ncp)).collect(),
        partition_seconds,
        verdict,
    }
}

/// The loss measured on the domains of the source, for the publisher's eyes: suppressed rows take
/// their values out of the published domains, so only on the source's own can a release that
/// suppresses be compared with one that does not.
fn on_source_domains(table: &Table, release: &mut Release) -> Result<Loss> {
    let published = release.manifest.columns.clone();
    for column in &mut release.manifest.columns {
        let position = table.schema().position("column", &column.name)?;
        let domain = &table.attribute(position).domain;
        if domain.hierarchy().is_none() {
            column.domain = Extent::of_codes(domain, domain.codes());
        }
    }
    let loss = release_loss(release);
    release.manifest.columns = published;
    loss
}

/// Rows are suppressed to lower the loss, never to reach a requirement; whoever allowed suppression
/// should hear so.
fn beside_suppression(error: Error, request: &PublishRequest) -> Error {
    match error {
        Error::Infeasible { requirement, reason, allows } if request.max_suppressed > Decimal::ZERO => {
            Error::Infeasible {
                requirement,
                reason: format!("{reason} with all rows published, and rows are suppressed only to lower the loss"),
                allows,
            }
        }
        other => other,
    }
}

/// Refuses what no partition can reach, before any work.
fn feasible(table: &Table, bound: &BoundRequirements) -> Result<()> {
    let bags: Vec<Bag> =
        table.schema().of_role(Role::Sensitive).into_iter().map(|column| table.whole(column)).collect();
    bound.feasible(Group { size: table.n_rows() as u64, bags: &bags })
}

/// The requirements tied to the rows that are published, by which everything is judged.
pub(crate) fn bind_published(table: &Table, request: &PublishRequest, rows: &[u32]) -> Result<BoundRequirements> {
    if rows.len() == table.n_rows() {
        return BoundRequirements::bind(&request.requirements, table.schema(), |column| table.whole(column));
    }
    BoundRequirements::bind(&request.requirements, table.schema(), |column| {
        Bag::from_histogram(&table.column(column).gather(rows).histogram(table.attribute(column).domain.n_codes()))
    })
}

/// What the groups reach, test by test: the worst of all groups.
fn attained(table: &Table, partition: &Partition, bound: &BoundRequirements) -> Vec<AttainedEntry> {
    let sensitive = table.schema().of_role(Role::Sensitive);
    let worst: Option<Vec<Attained>> = (0..partition.n_groups())
        .into_par_iter()
        .map(|g| {
            let rows = partition.group(g);
            let bags: Vec<Bag> = sensitive
                .iter()
                .map(|&c| Bag::from_codes(rows.iter().map(|&row| table.column(c).get(row as usize))))
                .collect();
            bound.attained(Group { size: rows.len() as u64, bags: &bags })
        })
        .reduce_with(|a, b| a.into_iter().zip(b).map(|(a, b)| Attained::common(a, b)).collect());
    scumble_release::attained_entries(bound, table.schema(), worst.unwrap_or_default())
}

/// Listens to the writer on behalf of an observer.
struct Writing<'a> {
    observer: &'a dyn Observer,
    rows: u64,
}

impl scumble_io::Progress for Writing<'_> {
    fn start(&self, _total_bytes: Option<u64>) {}

    fn advance(&self, _bytes: u64, rows: u64) {
        self.observer.advance(rows);
    }
}

impl Watch for Writing<'_> {
    fn stage(&self, stage: scumble_release::Stage) {
        match stage {
            scumble_release::Stage::Write => self.observer.begin(Stage::Write, Some(self.rows)),
            scumble_release::Stage::Verify => self.observer.begin(Stage::Verify, Some(self.rows)),
            _ => {}
        }
    }
}
