//! The whole job: read, encode, bind, partition, give it a form, write beside, verify, put in place.

use crate::choice::Method;
use crate::common_value::{CommonValueFacts, grouped_beyond_guessing};
use crate::grouping::Found;
use crate::ladders::{published_trees, with_trees};
use crate::load::{Loaded, load_batches, load_ruled};
use crate::mixtures::TriedWay;
use crate::observer::{Observer, Stage};
use crate::orders::complete_orders;
use crate::private;
use crate::report;
use crate::request::{ColumnRole, PublishRequest};
use crate::rules::RuleCount;
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use scumble_method::Coins;
use scumble_method::publish::{
    Angelization, Buckets, Outline, Permutation, Recoding, anatomize, angelize, generalize, permute, recode,
};
use scumble_release::mixture::MixtureFigure;
use scumble_release::{
    Angel, AttainedEntry, BoxKind, Coins as CoinsWord, ConditionalColumn, Extent, Form, GroupSizes, Joined, Loss,
    Manifest, ManifestColumn, Mixtures as MixturesWord, Release, Verdict, Watch, WriteOptions, Written, check_target,
    release_loss, release_loss_on, write,
};
use scumble_table::{Error, Kind, Monitor, Result, Role, Table};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A release that stands in its place, verified.
#[derive(Debug, Clone, Serialize)]
pub struct Published {
    /// The release directory.
    pub release: PathBuf,
    /// Its report.
    pub report: PathBuf,
    /// The form of the release.
    pub method: &'static str,
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
    /// The level of each quasi-identifier of a full-domain release; for the publisher.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<ChosenLevel>,
    /// What boxes tell about their ends, where that is not what least boxes tell.
    #[serde(skip_serializing_if = "BoxKind::is_minimal")]
    pub boxes: BoxKind,
    /// What is believed of people whose quasi-identifiers are known, but not their group; for the publisher only, never in
    /// the release.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mixture: Vec<MixtureFigure>,
    /// The ways that were tried to hold mixtures; for the publisher only, never in the release.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mixture_ways: Vec<TriedWay>,
    /// Seconds spent on finding the groups; for the publisher only, never in the release.
    pub partition_seconds: f64,
    /// What each rule did, in their order; for the publisher only, never in the release.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleCount>,
    /// How far several tables of boxes narrow people down together, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined: Option<Joined>,
    /// How far guessing the value that the batches of a box share got, where values are tied to batches; for the publisher
    /// only, never in the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common_value: Option<CommonValueFacts>,
    /// The file beside the release that ties rows to batches; for the publisher only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<PathBuf>,
    /// What the verifier found on the written bytes.
    #[serde(skip)]
    pub verdict: Verdict,
}

/// The level that a quasi-identifier shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChosenLevel {
    /// The column.
    pub column: String,
    /// 0 for its values, `top` for `*`.
    pub level: usize,
    /// The level that shows `*`.
    pub top: usize,
    /// Whether what it shows depends on other columns.
    pub conditional: bool,
}

/// Publishes the data that a request names.
///
/// # Errors
/// Bad data or a bad request, an infeasible requirement, a refusal of the operating system. In every
/// case nothing is left behind at the target.
pub fn publish(request: &PublishRequest, observer: &dyn Observer) -> Result<Published> {
    request.check()?;
    check_places(request, Some(&request.input.path))?;
    let Loaded { table, rules } =
        load_ruled(&request.input, &request.columns, request.drop_rest, &request.rules, observer)?;
    Ok(Published { rules, ..publish_table(&table, request, observer)? })
}

/// A source that can be read as a request says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SourceFacts {
    /// Rows that the rules left.
    pub rows: u64,
    /// Whether the first sensitive column holds numbers, of which sums and averages can be asked.
    pub numbers: bool,
}

/// Reads the source of a request with its hierarchies, orders and rules, and lets go of it: for those who publish it many
/// times and want to hear of its faults once.
///
/// # Errors
/// If the data cannot be read as the request says.
pub fn check_source(request: &PublishRequest, observer: &dyn Observer) -> Result<SourceFacts> {
    request.check_roles()?;
    let Loaded { table, .. } =
        load_ruled(&request.input, &request.columns, request.drop_rest, &request.rules, observer)?;
    let sensitive = table.schema().of_role(Role::Sensitive).first().map(|&at| table.attribute(at).domain.kind());
    Ok(SourceFacts { rows: table.n_rows() as u64, numbers: sensitive == Some(Kind::Number) })
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
    check_places(request, None)?;
    let Loaded { table, rules } = load_batches(schema, batches, request, observer)?;
    Ok(Published { rules, ..publish_table(&table, request, observer)? })
}

/// Whether the release, and what is kept beside it, can be put where they belong.
fn check_places(request: &PublishRequest, input: Option<&Path>) -> Result<()> {
    check_target(&request.out, request.replace, input)?;
    if request.chosen_method() == Method::Angel {
        private::check_place(&request.out, request.replace)?;
    }
    Ok(())
}

fn publish_table(table: &Table, request: &PublishRequest, observer: &dyn Observer) -> Result<Published> {
    let exact = request.chosen_method().is_exact();
    if exact && request.columns.iter().any(|c| c.role == ColumnRole::Quasi && c.hierarchy.is_some()) {
        observer.warn(
            "a release with exact quasi-identifiers carries no hierarchies: questions over it cannot name their labels",
        );
    }
    warn_of_listed_values(table, request, observer);
    if table.n_rows() == 1 {
        let left = if request.rules.is_empty() { "the table has one row" } else { "the rules leave one record" };
        let reason = format!("{left}, and a release of one person hides nobody");
        return Err(Error::data(request.input.path.display().to_string(), reason));
    }
    let coins = coins(request.seed, request.chosen_method(), observer)?;
    let leveled = if request.chosen_method() == Method::FullDomain { with_trees(table)? } else { None };
    let table = leveled.as_ref().unwrap_or(table);
    let (found, common_value) = grouped_beyond_guessing(table, request, &coins, observer)?;
    let made = match &found.levels {
        Some(levels) => published_trees(table, request, &found.groupings[0].partition, levels)?,
        None => Vec::new(),
    };
    let Formed { form, mut columns, conditional, batch_of_row } = form(table, &found, request, &coins)?;
    for tree in &made {
        if let Some(column) = columns.iter_mut().find(|column| column.name == tree.column) {
            column.domain = Extent::Labels(tree.labels.clone());
        }
    }
    complete_orders(&mut columns, &form, request)?;
    let mut manifest = Manifest::new(form.method(), found.algorithm);
    manifest.angel_k = request.bucket_size().filter(|_| request.chosen_method() == Method::Angel);
    manifest.boxes = request.chosen_boxes();
    manifest.requirements = request.requirements.iter().map(ToString::to_string).collect();
    manifest.distance = found.distance.as_ref().map(ToString::to_string);
    if request.holds_mixtures() {
        manifest.mixtures = Some(MixturesWord::Hold);
    }
    manifest.columns = columns;
    manifest.conditional = conditional;
    manifest.coarse = made.iter().filter_map(|tree| tree.coarse.clone()).collect();
    manifest.suppressed = form.n_suppressed() as u64;
    manifest.rows = form.n_rows() as u64 - manifest.suppressed;
    manifest.groups = form.n_groups();
    manifest.attained = found.attained;
    manifest.profile = request.profile.name().into();
    manifest.coins = if coins.is_secret() { CoinsWord::Secret } else { CoinsWord::Seeded };
    // Exact values can be read without the tree that helped to group them.
    let exact = |role: Role| role == Role::Quasi && request.chosen_method().is_exact();
    let hierarchies = table
        .schema()
        .attributes()
        .iter()
        .filter(|attribute| !exact(attribute.role))
        .filter_map(|attribute| {
            let tree = match made.iter().find(|tree| tree.column == attribute.name) {
                Some(made) => made.tree.as_ref(),
                None => attribute.domain.hierarchy(),
            };
            Some((attribute.name.clone(), tree?.clone()))
        })
        .collect();
    let mut release = Release { manifest, form, hierarchies, matrices: found.matrices, report: String::new() };
    let shown = release_loss(&release)?;
    let loss = on_source_domains(table, &mut release)?;
    let groups = found.groupings.iter().flat_map(|grouping| grouping.partition.groups());
    let sizes = GroupSizes::of(groups.map(|group| group.len() as u32));
    if sizes.min == 1 {
        observer.warn("some groups have one row: whoever finds that person's group reads the person's values");
    }
    let n_groups: Vec<u64> = found.groupings.iter().map(|grouping| grouping.partition.n_groups() as u64).collect();
    let tables = report::tables(&release, request.format);
    release.report = report::page(&release.manifest, tables, Some(&shown), &sizes, &n_groups);

    let options = WriteOptions {
        format: request.format,
        replace: request.replace,
        join_k: request.join_k,
        report: Some(report::remade),
    };
    let rows = release.form.tables().map(|(_, rows)| rows).sum();
    let written = write(&release, &request.out, &options, &Writing { observer, rows })?;
    if let Some(kept) = written.verdict.kept.as_ref().filter(|kept| kept.singles_out()) {
        observer.warn(kept.words().trim_start_matches("warning: "));
    }
    let private = match batch_of_row {
        None => {
            if let Some(stale) = private::stale(&request.out) {
                observer.warn(&format!(
                    "`{}` is the private file of a release that stood here before: keep it with that release, or remove it",
                    stale.display()
                ));
            }
            None
        }
        Some(batch_of_row) => match keep_private(table, &written, &batch_of_row, request) {
            Ok(path) => Some(path),
            Err(error) => {
                observer.warn(&format!("the release stands, but no table can be added to it later: {error}"));
                None
            }
        },
    };
    let levels = found.levels.as_ref().map_or(Vec::new(), |found| found.chosen(table));
    Ok(Published {
        private,
        levels,
        common_value,
        mixture: found.mixture,
        mixture_ways: found.ways,
        ..summary(&request.out, &written.manifest, sizes, loss, found.seconds, written.verdict)
    })
}

/// Leaves of a hierarchy from which on somebody may have listed the values of a column, and not the words for them.
const MANY_LEAVES: usize = 100;

/// A hierarchy that the publisher gives goes with the release as it is. If it was made from the data, it tells which
/// values occur.
fn warn_of_listed_values(table: &Table, request: &PublishRequest, observer: &dyn Observer) {
    if request.chosen_method().is_exact() {
        return;
    }
    for column in table.schema().of_role(Role::Quasi) {
        let attribute = table.attribute(column);
        let leaves = attribute.domain.hierarchy().map_or(0, |tree| tree.leaves().len());
        if leaves >= MANY_LEAVES && leaves == attribute.domain.len() {
            observer.warn(&format!(
                "the hierarchy of `{}` lists exactly the {leaves} values that occur, and the release carries it as it is: if it was \
                 made from the data, it tells them to everybody; list all values there could be, or leave it out and use \
                 --method full-domain",
                attribute.name
            ));
        }
    }
}

/// The coins of a release: secret ones, or those of a seed with a warning.
pub(crate) fn coins(seed: Option<u64>, method: Method, observer: &dyn Observer) -> Result<Coins> {
    let Some(seed) = seed else { return Coins::from_system() };
    observer.warn("with --seed the random choices are not secret: whoever knows the seed can repeat them, and the manifest says so");
    if method.is_unlinked() {
        let undone = match method {
            Method::Permute => "whoever tries seeds undoes the shuffling and reads every sensitive value",
            _ => "whoever tries seeds can test guesses of people's values against this release",
        };
        observer.warn(&format!("{undone}: never give it away if its people are real"));
    }
    Ok(Coins::from_seed(seed))
}

/// Keeps the batches of an angel release beside it, for tables that are added later.
fn keep_private(table: &Table, written: &Written, batch_of_row: &[u32], request: &PublishRequest) -> Result<PathBuf> {
    let batches = written.manifest.tables.iter().find(|entry| entry.name == Angel::BATCHES);
    let sha256 = batches.map_or("", |entry| entry.sha256.as_str());
    private::write(&request.out, sha256, table, batch_of_row)?.put()
}

/// A form, with its columns as the manifest states them.
struct Formed {
    form: Form,
    columns: Vec<ManifestColumn>,
    /// Columns whose intervals depend on others.
    conditional: Vec<ConditionalColumn>,
    /// Batch of each row of the table, where there are batches.
    batch_of_row: Option<Vec<u32>>,
}

/// The form that a method gives the groups.
fn form(table: &Table, found: &Found, request: &PublishRequest, coins: &Coins) -> Result<Formed> {
    let only = || match &found.groupings[..] {
        [only] => Ok(&only.partition),
        _ => Err(Error::bug("only a permuted release can have several groupings")),
    };
    let outline = match (request.chosen_boxes(), &found.cells) {
        (BoxKind::Minimal, _) => Outline::Minimal,
        (BoxKind::Rounded, _) => Outline::Rounded,
        (BoxKind::Cells, Some(cells)) => Outline::Cells(cells),
        (BoxKind::Cells, None) => return Err(Error::bug("the groups have no cells")),
    };
    let (form, columns) = match request.chosen_method() {
        Method::Generalize => {
            let (form, columns) = generalize(table, only()?, &outline, coins, Monitor::silent())?;
            (Form::Generalized(form), columns)
        }
        Method::FullDomain => {
            let levels = found.levels.as_ref().ok_or_else(|| Error::bug("a full-domain release has no levels"))?;
            let Recoding { form, columns, conditional } =
                recode(table, only()?, &levels.levels, &levels.stacks, coins, Monitor::silent())?;
            return Ok(Formed { form: Form::Generalized(form), columns, conditional, batch_of_row: None });
        }
        Method::Anatomy => {
            let (form, columns) = anatomize(table, only()?, coins, Monitor::silent())?;
            (Form::Anatomy(form), columns)
        }
        Method::Permute => {
            let own = found.groupings.iter().map(|grouping| Permutation {
                partition: &grouping.partition,
                coins: grouping.coins.as_ref().unwrap_or(coins),
            });
            let permutations: Vec<Permutation<'_>> = own.collect();
            let (form, columns) = permute(table, &permutations, coins, Monitor::silent())?;
            (Form::Permuted(form), columns)
        }
        Method::Angel => {
            let buckets = found.buckets.iter();
            let buckets: Vec<Buckets<'_>> =
                buckets.map(|one| Buckets { columns: one.columns.clone(), partition: &one.partition }).collect();
            let Angelization { form, columns, batch_of_row } =
                angelize(table, only()?, &buckets, &outline, coins, Monitor::silent())?;
            let batch_of_row = Some(batch_of_row);
            return Ok(Formed { form: Form::Angel(form), columns, conditional: Vec::new(), batch_of_row });
        }
    };
    Ok(Formed { form, columns, conditional: Vec::new(), batch_of_row: None })
}

pub(crate) fn summary(
    out: &Path,
    manifest: &Manifest,
    group_sizes: GroupSizes,
    loss: Loss,
    partition_seconds: f64,
    verdict: Verdict,
) -> Published {
    Published {
        release: out.to_path_buf(),
        report: out.join(scumble_release::REPORT),
        method: manifest.method.name(),
        rows: manifest.rows,
        suppressed: manifest.suppressed,
        groups: manifest.groups,
        group_sizes,
        attained: manifest.attained.clone(),
        loss: loss.loss,
        ncp: loss.ncp,
        boxes: manifest.boxes,
        ncp_by_attribute: loss.by_attribute.iter().map(|a| (a.name.clone(), a.ncp)).collect(),
        partition_seconds,
        levels: Vec::new(),
        mixture: Vec::new(),
        mixture_ways: Vec::new(),
        rules: Vec::new(),
        joined: verdict.joined,
        common_value: None,
        private: None,
        verdict,
    }
}

/// The loss measured on the domains of the source, for the publisher's eyes: suppressed rows and `*` take values out of
/// the published domains, and labels above the values take away what they stand for, so only on the source's own can
/// releases be compared.
fn on_source_domains(table: &Table, release: &mut Release) -> Result<Loss> {
    let published = (release.manifest.columns.clone(), release.hierarchies.clone());
    let boxed = matches!(release.form, Form::Generalized(_) | Form::Angel(_));
    release.hierarchies.clear();
    let mut lines = Vec::new();
    for column in &mut release.manifest.columns {
        let position = table.schema().position("column", &column.name)?;
        let domain = &table.attribute(position).domain;
        match domain.hierarchy().filter(|_| boxed && column.role == Role::Quasi) {
            Some(tree) => {
                release.hierarchies.push((column.name.clone(), tree.clone()));
                column.domain = Extent::of_tree(domain, tree);
            }
            None => {
                let whole = Extent::of_codes(domain, domain.codes());
                // Boxes that were moved outward may reach beyond the source; what lies there costs nothing.
                column.domain = column.domain.with(whole.clone(), domain);
                lines.push((column.name.clone(), whole));
            }
        }
    }
    let loss = release_loss_on(release, &lines);
    (release.manifest.columns, release.hierarchies) = published;
    loss
}

/// Listens to the writer on behalf of an observer.
pub(crate) struct Writing<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) rows: u64,
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
