//! Does a release keep what it promises? Judged from its bytes alone.
//!
//! ```text
//! manifest -> files, checksums -> tables -> boxes, values, domains -> groups -> requirements
//!                                                                 \-> source, where it is given
//! ```
//!
//! Nothing here knows how a release was made. A check that fails is noted and the rest goes on as
//! far as it makes sense, so that a verdict names every broken promise; an error is returned only
//! where there is no release to judge, or where the machine failed.

mod against;
mod aligned;
mod anatomy;
mod angel;
mod census;
mod chance;
mod classes;
mod conditional;
mod distance;
mod exact;
mod files;
mod foreign;
mod groups;
mod help;
mod judge;
mod kept;
mod levels;
mod look_alikes;
mod markup;
mod mixtures;
mod order;
mod page;
mod permuted;
mod put;
mod source;
mod tables;
mod values;
mod verdict;

pub use against::Against;
pub use angel::Joined;
pub use foreign::verify_table;
pub use kept::Kept;
pub use levels::LevelEntry;
pub use source::{Source, SourceData};
pub use verdict::{Check, GroupSizes, Verdict};

pub use judge::{attained_apart, attained_entries};

pub(crate) use angel::{Angelized, JOINED, Synthesis, View};
pub(crate) use census::Census;
pub(crate) use classes::{Keys, members};
pub(crate) use exact::{Exact, Grouping};
pub(crate) use judge::{asked, is_breached};
pub(crate) use page::{Boxes as PublishedBoxes, Page};
pub(crate) use source::{Question, Search, Span, Tree, narrowness, place};
pub(crate) use tables::Tables;
pub(crate) use values::{UNPUBLISHED, Values, value_map};

use crate::form::PermutedTables;
use crate::manifest::{Coins, Manifest, Method, indiscretions, strange_words};
use crate::reader::{ReleaseDir, manifest_text};
use crate::{MakeReport, Stage, TableEntry, TableFormat, Watch};
use distance::{DISTANCE, needs_distance};
use files::Look;
use put::{Asked, By, Questions, same_attained};
use scumble_io::NoProgress;
use scumble_principle::{LoadedDistance, Requirement};
use scumble_table::{Error, Result, Role, quoted_list};
use std::path::Path;
use verdict::problems;

/// What to verify beyond the manifest's own promises.
pub struct VerifyOptions<'a> {
    /// Requirements that must hold as well.
    pub requirements: Vec<Requirement>,
    /// Requirements that need not hold: how many groups would break them is told.
    pub against: Vec<Requirement>,
    /// How far apart values are, for all these requirements; what the manifest says where nothing is given.
    pub ruler: Option<LoadedDistance>,
    /// The table that the release is said to come from.
    pub source: Option<Source<'a>>,
    /// How many people several tables of boxes must leave everybody among, taken together.
    pub join_k: Option<u64>,
    /// How the release's page is made again, to be compared with the one that is there.
    pub report: Option<MakeReport>,
    /// Who wants to know how far it is.
    pub watch: &'a dyn Watch,
}

impl Default for VerifyOptions<'_> {
    fn default() -> Self {
        VerifyOptions {
            requirements: Vec::new(),
            against: Vec::new(),
            ruler: None,
            source: None,
            join_k: None,
            report: None,
            watch: &NoProgress,
        }
    }
}

/// What coins that were derived from a seed give away.
fn seeded(method: Method) -> String {
    let undone = match method {
        Method::Permute => "undo the shuffling and read everybody's values",
        Method::Anatomy | Method::Angel => "repeat them and test guesses of people's values",
        Method::Generalize => "repeat the draws among cuts and the order of rows",
    };
    format!(
        "the random choices were made with a seed: whoever guesses it can {undone}; this release is not for real people"
    )
}

/// Verifies the release in a directory.
pub fn verify(dir: &Path, options: &VerifyOptions<'_>) -> Result<Verdict> {
    options.watch.stage(Stage::Verify);
    let mut verdict = Verdict::empty();
    let Some(release) = open(dir, &mut verdict)? else { return Ok(verdict) };
    if Tables::names(release.manifest()).is_none() {
        let method = release.manifest().method;
        return Err(Error::request("release", method.name(), "releases of this method cannot be verified yet"));
    }
    if release.manifest().coins == Coins::Seeded {
        verdict.warnings.push(seeded(release.manifest().method));
    }
    files::check(&release, &mut verdict)?;
    let Some(tables) = Tables::read(&release, options.watch, Look::Closely, &mut verdict)? else {
        if verdict.ok {
            return Err(Error::bug("a table that cannot be judged has not been found at fault"));
        }
        return Ok(verdict);
    };
    let page = if let Tables::Generalized(page) = &tables { Some(page) } else { None };
    conditional::check(release.manifest(), page, &mut verdict);
    let stated: Vec<Requirement> =
        release.manifest().requirements.iter().filter_map(|text| text.parse().ok()).collect();
    let together = stated.iter().chain(&options.requirements).chain(&options.against).any(needs_distance);
    let censuses = tables.censuses(together)?;
    look_alikes::note(&censuses, &mut verdict);
    kept::note(&tables, &mut verdict);
    verdict.group_sizes = GroupSizes::of(tables.sizes().into_iter().flatten().copied());
    if let Some(make) = options.report {
        files::check_own_page(&release, &tables, make, &mut verdict)?;
    }
    let nouns = if matches!(tables, Tables::Angel(_)) { ("batch", "batches") } else { ("group", "groups") };
    let name = |census: &Census, group: usize| match (censuses.len(), census.schema().attributes()) {
        (2.., [column]) => format!("{} {} of `{}`", nouns.0, group + 1, column.name),
        _ => format!("{} {}", nouns.0, group + 1),
    };
    let questions = Questions { censuses: &censuses, groups: nouns.1, name: &name };
    let ruler = distance::stated(&release, &stated, &censuses, &mut verdict)?;
    let by = match &ruler {
        None if verdict.failures().any(|check| check.name == DISTANCE) => By::Broken,
        ruler => By::of(ruler.as_ref()),
    };
    questions.put(&stated, by, Asked::ByManifest, &mut verdict)?;
    verdict.note("attained", same_attained(&release.manifest().attained, &verdict.attained));
    mixtures::check(release.manifest(), &tables, &censuses, &stated, by, &mut verdict)?;
    if let Tables::Angel(tables) = &tables {
        angel::infer(tables, &censuses, release.manifest(), &stated, options.join_k, &mut verdict)?;
    }
    // What was judged already need not be asked again, unless by another distance.
    let another = options.ruler.is_some() && options.ruler != ruler;
    let is_new = |asked: &&Requirement| !stated.contains(asked) || (another && needs_distance(asked));
    let extra: Vec<Requirement> = options.requirements.iter().filter(is_new).cloned().collect();
    let by = options.ruler.as_ref().map_or(by, By::Ruler);
    questions.put(&extra, by, Asked::ByUser, &mut verdict)?;
    verdict.against = against::judged(&questions, &options.against, by)?;
    verdict.levels = levels::all(&censuses);
    if let Some(source) = &options.source {
        options.watch.stage(Stage::Source);
        source::check(&release, &tables, source, options.watch, &mut verdict)?;
    }
    angel::note_joined(&tables, options.join_k, &mut verdict)?;
    Ok(verdict)
}

/// The tables of a release that is the one that was published: whatever is missing, cut or altered is an error.
pub(crate) fn intact(dir: &Path, watch: &dyn Watch) -> Result<(ReleaseDir, Tables)> {
    watch.stage(Stage::Verify);
    let mut verdict = Verdict::empty();
    let release = open(dir, &mut verdict)?;
    let tables = match &release {
        Some(release) if Tables::names(release.manifest()).is_none() => {
            let method = release.manifest().method.name();
            return Err(Error::request("release", method, "releases of this method cannot be read yet"));
        }
        Some(release) => Tables::read(release, watch, Look::Plainly, &mut verdict)?,
        None => None,
    };
    let broken: Vec<String> = verdict.failures().map(|check| format!("{}: {}", check.name, check.detail)).collect();
    match (release, tables) {
        (Some(release), Some(tables)) if broken.is_empty() => Ok((release, tables)),
        _ if broken.is_empty() => Err(Error::bug("a table that cannot be read has not been found at fault")),
        _ => Err(Error::Unverified { reason: broken.join("; ") }),
    }
}

/// Reads the manifest and notes what is wrong with it.
fn open(dir: &Path, verdict: &mut Verdict) -> Result<Option<ReleaseDir>> {
    let text = manifest_text(dir)?;
    let release = Manifest::parse(&text).and_then(|manifest| ReleaseDir::with_manifest(dir, manifest));
    let release = match release {
        Ok(release) => release,
        // A release of another version is not a broken one.
        Err(error @ Error::Data { .. }) if error.to_string().contains("field `scumble`") => return Err(error),
        Err(error @ Error::Data { .. }) => {
            verdict.note("manifest", Err(error.to_string()));
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    verdict.note("manifest", promises(release.manifest()));
    verdict.note("manifest-words", problems(strange_words(release.manifest()), || "every word is one of ours".into()));
    let value = serde_json::from_str(&text).unwrap_or_default();
    verdict.note("manifest-silent", problems(indiscretions(&value), || "no path, time, seed or host".into()));
    Ok(Some(release))
}

/// A manifest must promise something that can be understood.
fn promises(manifest: &Manifest) -> Result<String, String> {
    let mut list = Vec::new();
    if manifest.requirements.is_empty() {
        list.push("it states no requirement".to_string());
    }
    list.extend(
        manifest.requirements.iter().filter_map(|text| text.parse::<Requirement>().err()).map(|e| e.to_string()),
    );
    if manifest.of_role(Role::Quasi).next().is_none() {
        list.push("it has no quasi-identifier".into());
    }
    // Where sensitive values are tied to groups only, there must be some.
    let unlinked = matches!(manifest.method, Method::Anatomy | Method::Permute | Method::Angel);
    if unlinked && manifest.of_role(Role::Sensitive).next().is_none() {
        list.push("it has no sensitive column".into());
    }
    if (manifest.method == Method::Angel) != manifest.angel_k.is_some() {
        list.push("`angel_k` is stated by angel releases, and by no others".into());
    }
    if manifest.angel_k == Some(0) {
        list.push("`angel_k` is at least 1".into());
    }
    for (name, what) in manifest.method.reserved() {
        if manifest.columns.iter().any(|column| column.name == *name) {
            list.push(format!("a column of the data is named `{name}`, as the {what} are"));
        }
    }
    list.extend(unguarded(manifest).map(|name| format!("no requirement is on the groups of `{name}`")));
    if let Some(names) = Tables::names(manifest) {
        let formats = [TableFormat::Csv, TableFormat::Parquet];
        let there = |name: &String| {
            let named = |table: &&TableEntry| table.name == *name && formats.iter().any(|f| f.file(name) == table.file);
            manifest.tables.iter().filter(named).count() == 1
        };
        if manifest.tables.len() != names.len() || !names.iter().all(there) {
            let files = quoted_list(&names, names.len());
            list.push(format!(
                "the tables of a release of method {} are {files}, .csv or .parquet",
                manifest.method.name()
            ));
        }
    }
    let counted = |n: usize, noun: &str| if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") };
    let (requirements, columns) = (manifest.requirements.len(), manifest.columns.len());
    problems(list, || format!("{} on {}", counted(requirements, "requirement"), counted(columns, "column")))
}

/// Columns with groups of their own that no requirement speaks of: anything could be in these groups.
fn unguarded(manifest: &Manifest) -> impl Iterator<Item = &str> + '_ {
    let names: Vec<&str> = manifest.of_role(Role::Sensitive).map(|column| column.name.as_str()).collect();
    let apart = manifest.method == Method::Permute && PermutedTables::of(manifest).mappings.len() > 1;
    let requirements: Vec<Requirement> = manifest.requirements.iter().filter_map(|text| text.parse().ok()).collect();
    let spoken = move |at: usize| requirements.iter().any(|r| r.column.is_none() || r.named_in(&names) == Some(at));
    let columns = manifest.of_role(Role::Sensitive).enumerate();
    columns.filter(move |(at, _)| apart && !spoken(*at)).map(|(_, column)| column.name.as_str())
}
