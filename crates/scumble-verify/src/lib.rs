//! Does a release keep what it promises? Judged from what it shows alone.
//!
//! ```text
//! manifest -> files, checksums -> tables -> boxes, values, domains -> groups -> requirements
//!                                                                 \-> source, where it is given
//! ```
//!
//! Nothing here knows how a release was made. A check that fails is noted and the rest goes on as
//! far as it makes sense, so that a verdict names every broken promise; an error is returned only
//! where there is no release to judge, or where the machine failed.
//!
//! A release on disk is judged from its bytes, one in memory from the Arrow tables that its caller gets. [`write()`] is the
//! one way to a release on disk: it writes to a hidden place, reads the bytes again, and puts them in place only if every
//! check holds.

mod against;
mod aligned;
mod angel;
mod census;
mod chance;
mod conditional;
mod distance;
mod files;
mod foreign;
mod foreign_boxes;
mod judge;
mod kept;
mod leaks;
mod levels;
mod look_alikes;
mod markup;
mod missing;
pub mod mixture;
mod mixtures;
mod numbered;
mod order;
mod population;
mod requirements;
mod shared_order;
mod source;
mod verdict;
mod write;

pub use against::Against;
pub use angel::{Joined, Synthesis};
pub use census::Census;
pub use foreign::verify_table;
pub use judge::{attained_entries, attained_per_column, concerned_censuses, is_breached};
pub use kept::Kept;
pub use levels::LevelEntry;
pub use population::attained_by_boxes;
pub use source::{
    JoinCandidates, MatchingProblem, Membership, PersonsJudged, PlacedColumn, PointTree, Source, Span, TreeSearch,
    UNCERTAIN, join, join_candidates, members_of_boxes, members_of_groups, narrowness, place_column, refuse_few_joined,
};
pub use verdict::{GroupSizes, Verdict};
pub use write::{Gate, Promise, Written, extend, extend_through, refuse_failures, write, write_through};

use distance::{DISTANCE, needs_distance};
use leaks::find_leaks;
use requirements::{DistanceUsed, RequestedBy, RequirementCheck, same_attained};
use scumble_principle::{LoadedDistance, Requirement, no_population};
use scumble_release::{
    AttainedEntry, Coins, Findings, Manifest, Method, PermutedTables, PublishedTables, ReleaseData, ReleaseReader,
    TableFormat, manifest_text, problems, unexpected_words,
};
use scumble_table::{Counted, Error, Monitor, Population, Result, Role, quoted_list};
use std::path::Path;

/// Makes `report.html` from what a release shows. The verifier knows nothing about pages, so its caller passes this
/// function; the verifier compares the result with the page that is there.
pub type MakeReport = fn(&ReleaseReader, &PublishedTables, &Verdict) -> Result<String>;

/// What to verify beyond the manifest's own promises.
pub struct VerifyOptions<'a> {
    /// Requirements that must hold as well.
    pub requirements: Vec<Requirement>,
    /// Requirements that need not hold: the verdict says how many groups would break them.
    pub against: Vec<Requirement>,
    /// The distance between values, for all these requirements; without it the one that the manifest states.
    pub distance: Option<LoadedDistance>,
    /// The table that the release is said to come from.
    pub source: Option<Source<'a>>,
    /// The population that its people come from, for requirements about boxes.
    pub population: Option<&'a Population>,
    /// The least number of people among whom several tables of boxes, taken together, must hide everybody.
    pub join_k: Option<u64>,
    /// How the release's page is made again, to be compared with the one that is there.
    pub report: Option<MakeReport>,
    /// Is told about progress, and may cancel the work.
    pub monitor: Monitor<'a>,
}

impl Default for VerifyOptions<'_> {
    fn default() -> Self {
        VerifyOptions {
            requirements: Vec::new(),
            against: Vec::new(),
            distance: None,
            source: None,
            population: None,
            join_k: None,
            report: None,
            monitor: Monitor::silent(),
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

/// Verifies the release in a directory from its bytes.
///
/// # Errors
/// If there is no release to judge, or a file cannot be read. A broken promise is no error: the verdict says so.
pub fn verify_dir(dir: &Path, options: &VerifyOptions<'_>) -> Result<Verdict> {
    verify_dir_and_read(dir, options).map(|(verdict, _)| verdict)
}

/// The same, and gives the release with its tables, so that the caller need not read them again. There are none where the
/// tables make no sense.
///
/// # Errors
/// As [`verify_dir`].
fn verify_dir_and_read(dir: &Path, options: &VerifyOptions<'_>) -> Result<(Verdict, Option<ReleaseData>)> {
    options.monitor.check()?;
    let text = manifest_text(dir)?;
    let release = match Manifest::parse(&text).and_then(|manifest| ReleaseReader::with_manifest(dir, manifest)) {
        Ok(release) => release,
        Err(error) => return Verdict::of_unreadable(error).map(|verdict| (verdict, None)),
    };
    let (verdict, tables) = judge(&release, &text, Verdict::empty(), options)?;
    Ok((verdict, tables.map(|tables| ReleaseData::from_parts(release, tables))))
}

/// Verifies a release, on disk or in memory.
///
/// # Errors
/// As [`verify_dir`].
pub fn verify(release: &ReleaseReader, options: &VerifyOptions<'_>) -> Result<Verdict> {
    verify_and_read(release, options).map(|(verdict, _)| verdict)
}

/// The same, and gives the release with its tables, so that the caller need not read them again. There are none where the
/// tables make no sense.
///
/// # Errors
/// As [`verify_dir`].
pub fn verify_and_read(release: &ReleaseReader, options: &VerifyOptions<'_>) -> Result<(Verdict, Option<ReleaseData>)> {
    let Some(dir) = release.path() else {
        let (verdict, tables) = judge(release, &release.manifest().to_json()?, Verdict::empty(), options)?;
        return Ok((verdict, tables.map(|tables| ReleaseData::from_parts(release.clone(), tables))));
    };
    verify_dir_and_read(dir, options)
}

fn judge(
    release: &ReleaseReader,
    manifest: &str,
    mut verdict: Verdict,
    options: &VerifyOptions<'_>,
) -> Result<(Verdict, Option<PublishedTables>)> {
    verdict.note("manifest", promises(release.manifest()));
    verdict
        .note("manifest-words", problems(unexpected_words(release.manifest()), || "every word is one of ours".into()));
    let value = serde_json::from_str(manifest).unwrap_or_default();
    verdict.note("manifest-silent", problems(find_leaks(&value), || "no path, time, seed or host".into()));
    if release.manifest().coins == Coins::Seeded {
        verdict.warnings.push(seeded(release.manifest().method));
    }
    if let Some(dir) = release.path() {
        files::check(release, dir, &mut verdict)?;
    }
    let Some(tables) = read_tables(release, options.monitor, &mut verdict)? else {
        if verdict.ok {
            return Err(Error::bug("a table that cannot be judged has not been found at fault"));
        }
        return Ok((verdict, None));
    };
    conditional::check(release.manifest(), &tables, &mut verdict);
    let all_stated: Vec<Requirement> =
        release.manifest().requirements.iter().filter_map(|text| text.parse().ok()).collect();
    let (of_boxes, stated): (Vec<Requirement>, Vec<Requirement>) =
        all_stated.iter().cloned().partition(|one| one.principle().population().is_some());
    let together = stated.iter().chain(&options.requirements).chain(&options.against).any(needs_distance);
    let censuses = Census::from_tables(&tables, together)?;
    options.monitor.check()?;
    look_alikes::note(&censuses, &mut verdict);
    kept::note(&tables, &mut verdict);
    missing::note(release.manifest(), &censuses, &mut verdict);
    verdict.group_sizes = GroupSizes::from_sizes(tables.sizes().into_iter().flatten().copied());
    if let Some(make) = options.report {
        files::check_own_page(release, &tables, make, &mut verdict)?;
    }
    let nouns = if matches!(tables, PublishedTables::Angel(_)) { ("batch", "batches") } else { ("group", "groups") };
    let name = |census: &Census, group: usize| match (censuses.len(), census.schema().attributes()) {
        (2.., [column]) => format!("{} {} of `{}`", nouns.0, group + 1, column.name),
        _ => format!("{} {}", nouns.0, group + 1),
    };
    let check = RequirementCheck { censuses: &censuses, groups: nouns.1, name: &name, monitor: options.monitor };
    let own_distance = distance::stated(release, &stated, &censuses, &mut verdict)?;
    let by = match &own_distance {
        None if verdict.failures().any(|check| check.name == DISTANCE) => DistanceUsed::Broken,
        own_distance => DistanceUsed::from(own_distance.as_ref()),
    };
    check.note(&stated, by, RequestedBy::Manifest, &mut verdict)?;
    note_boxes(&tables, &of_boxes, RequestedBy::Manifest, options, &mut verdict)?;
    // Where others are counted in the population than its publisher counted, figures about it are not those that are stated.
    let counted = options.population.map_or(Counted::People, Population::counted);
    let others_counted = release.manifest().persons.is_some() && counted != release.manifest().population_counted();
    let is_other =
        |entry: &AttainedEntry| others_counted && of_boxes.iter().any(|one| one.to_string() == entry.requirement);
    let judged = |entry: &&AttainedEntry| !verdict.unjudged.contains(&entry.requirement) && !is_other(entry);
    let judged: Vec<AttainedEntry> = release.manifest().attained.iter().filter(judged).cloned().collect();
    let found: Vec<AttainedEntry> = verdict.attained.iter().filter(|entry| !is_other(entry)).cloned().collect();
    verdict.note("attained", same_attained(&judged, &found));
    if others_counted && counted == Counted::Rows && !of_boxes.is_empty() {
        verdict.warnings.push(
            "rows of the population were counted, and the publisher counted its people: the columns that say whose rows are whose \
             tell them apart"
                .into(),
        );
    }
    mixtures::check(release.manifest(), &tables, &censuses, &stated, by, &mut verdict)?;
    if let PublishedTables::Angel(tables) = &tables {
        angel::infer(tables, &censuses, release.manifest(), &stated, options.join_k, &mut verdict)?;
    }
    // What was judged already need not be asked again, unless by another distance.
    let another = options.distance.is_some() && options.distance != own_distance;
    let is_new = |asked: &&Requirement| !all_stated.contains(asked) || (another && needs_distance(asked));
    let extra = options.requirements.iter().filter(is_new).cloned();
    let (boxes, extra): (Vec<Requirement>, Vec<Requirement>) =
        extra.partition(|one| one.principle().population().is_some());
    note_boxes(&tables, &boxes, RequestedBy::User, options, &mut verdict)?;
    let by = options.distance.as_ref().map_or(by, DistanceUsed::Given);
    check.note(&extra, by, RequestedBy::User, &mut verdict)?;
    verdict.against = against::judged(&check, &options.against, by)?;
    verdict.levels = levels::all(&censuses);
    options.monitor.check()?;
    match (&options.source, release.manifest().persons) {
        (Some(source), _) => {
            let promised = stated.iter().map(|one| (one.clone(), own_distance.as_ref()));
            let asked = extra.iter().map(|one| (one.clone(), by.distance()));
            let requirements: Vec<_> = promised.chain(asked).collect();
            source::check(release, &tables, source, &requirements, options.monitor, &mut verdict)?;
        }
        (None, persons) => verdict.warnings.extend(source::rows_judged(persons, verdict.rows)),
    }
    angel::note_joined(&tables, release.manifest().row(), options.join_k, &mut verdict)?;
    options.monitor.check()?;
    Ok((verdict, Some(tables)))
}

/// Notes how boxes stand to requirements about them, or that nobody can tell without the population.
fn note_boxes(
    tables: &PublishedTables,
    requirements: &[Requirement],
    asked: RequestedBy,
    options: &VerifyOptions<'_>,
    verdict: &mut Verdict,
) -> Result<()> {
    let Some(first) = requirements.first() else { return Ok(()) };
    let Some(population) = options.population else {
        if asked == RequestedBy::User {
            return Err(no_population(first));
        }
        requirements.iter().for_each(|requirement| verdict.note_unjudged(requirement));
        return Ok(());
    };
    let PublishedTables::Generalized(boxed) = tables else {
        if asked == RequestedBy::User {
            return Err(population::no_boxes(first));
        }
        verdict.note(format!("require[{first}]"), Err(population::no_boxes(first).to_string()));
        return Ok(());
    };
    let boxes = population::GroupBoxes::of(boxed);
    for (found, requirement) in
        population::judged(&boxes, requirements, population, options.monitor)?.into_iter().zip(requirements)
    {
        verdict.note(format!("require[{requirement}]"), found.verdict);
        verdict.attained.push(found.attained);
    }
    Ok(())
}

/// Reads the tables, and looks at what files and the order of rows tell beyond the cells.
fn read_tables(
    release: &ReleaseReader,
    monitor: Monitor<'_>,
    verdict: &mut Verdict,
) -> Result<Option<PublishedTables>> {
    let mut findings = Findings::default();
    let raw = release.read_tables(monitor, &mut findings)?;
    verdict.absorb(findings);
    let Some(raw) = raw else { return Ok(None) };
    let names = PublishedTables::names(release.manifest());
    let named: Vec<_> = names.iter().map(String::as_str).zip(&raw).collect();
    let beyond_cells = |format: TableFormat| files::beyond_cells(release, &names, format);
    let (shuffled, csv) = rayon::join(|| order::check(&named, monitor), || beyond_cells(TableFormat::Csv));
    verdict.note("rows-shuffled", shuffled);
    for (name, found) in [("csv-silent", csv?), ("parquet-silent", beyond_cells(TableFormat::Parquet)?)] {
        if let Some(found) = found {
            verdict.note(name, found);
        }
    }
    monitor.check()?;
    let mut findings = Findings::default();
    let tables = PublishedTables::from_raw(release, raw, &mut findings);
    verdict.absorb(findings);
    Ok(tables)
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
    if manifest.persons.is_some_and(|persons| persons > manifest.rows) {
        list.push("it states more persons than rows".into());
    }
    let none_named = manifest.persons.is_none() && manifest.unnamed == manifest.rows;
    if manifest.unnamed > manifest.persons.unwrap_or(0) && !none_named {
        list.push("it states more rows that name no person than persons".into());
    }
    if manifest.counted.is_some() && manifest.persons.is_none() {
        list.push("it says what its persons are, and states none".into());
    }
    if manifest.population.is_some() && manifest.persons.is_none() {
        list.push("it counts rows of a population, and states no persons".into());
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
    let names = PublishedTables::names(manifest);
    let there = |name: &String| {
        let is_file = |file: &str| TableFormat::ALL.iter().any(|format| format.file(name) == file);
        manifest.tables.iter().filter(|table| table.name == *name && is_file(&table.file)).count() == 1
    };
    if manifest.tables.len() != names.len() || !names.iter().all(there) {
        let (method, files) = (manifest.method.name(), quoted_list(&names, names.len()));
        list.push(format!("the tables of a release of method {method} are {files}, .csv or .parquet"));
    }
    let counted = |n: usize, noun: &str| if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") };
    let (requirements, columns) = (manifest.requirements.len(), manifest.columns.len());
    problems(list, || format!("{} on {}", counted(requirements, "requirement"), counted(columns, "column")))
}

/// Columns with groups of their own that no requirement speaks of: anything could be in these groups.
fn unguarded(manifest: &Manifest) -> impl Iterator<Item = &str> + '_ {
    let names: Vec<&str> = manifest.of_role(Role::Sensitive).map(|column| column.name.as_str()).collect();
    let apart = manifest.method == Method::Permute && PermutedTables::from_manifest(manifest).mappings.len() > 1;
    let requirements: Vec<Requirement> = manifest.requirements.iter().filter_map(|text| text.parse().ok()).collect();
    let spoken = move |at: usize| requirements.iter().any(|r| r.column.is_none() || r.named_in(&names) == Some(at));
    let columns = manifest.of_role(Role::Sensitive).enumerate();
    columns.filter(move |(at, _)| apart && !spoken(*at)).map(|(_, column)| column.name.as_str())
}
