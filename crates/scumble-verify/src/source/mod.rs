//! Against the source: nothing lost, nothing invented, every box around its own row.

mod batches;
mod boxes;
mod groups;
mod joined;
mod located;
mod matching;
mod membership;
mod order;
mod people_left;
mod people_order;
mod persons;
mod quasi;
mod rows;

pub use joined::{JoinCandidates, join, join_candidates, refuse_few_joined};
pub use matching::{MatchingProblem, PointTree, Span, TreeSearch, narrowness};
pub use membership::{Membership, UNCERTAIN, members_of_boxes, members_of_groups};
pub use persons::PersonsJudged;
pub use quasi::{PlacedColumn, place_column};

use super::PublishedTables;
use super::verdict::Verdict;
use located::RowsInBuckets;
use persons::ByPeople;
use scumble_io::{Dictionary, RawColumn, RawTable};
use scumble_principle::{LoadedDistance, Requirement};
use scumble_release::ReleaseReader;
use scumble_table::{Code, Codes, Error, Monitor, Persons, Result, quoted_list};

/// Up to this number of rows, boxes that show values are looked up in the source too.
const LOCATED: usize = 1 << 16;

/// The table that a release is said to come from.
#[derive(Debug, Clone)]
pub struct Source<'a> {
    /// The table, with at least the published columns read as text.
    pub table: &'a RawTable,
    /// Columns that must not be in the release.
    pub identifying: Vec<String>,
    /// Whose row each row of it is, where that is known.
    pub persons: Option<Persons>,
    /// Whether rules were applied to it, as they were before the release was made.
    pub rules_applied: bool,
}

/// Notes how tables compare with their source. Requirements, each with its distance, are judged by persons where the source
/// says whose rows are whose.
pub(super) fn check(
    release: &ReleaseReader,
    tables: &PublishedTables,
    source: &Source<'_>,
    requirements: &[(Requirement, Option<&LoadedDistance>)],
    monitor: Monitor<'_>,
    verdict: &mut Verdict,
) -> Result<()> {
    let published = |name: &str| release.columns().iter().any(|column| column.name() == name);
    let named: Vec<&String> = source.identifying.iter().filter(|name| published(name)).collect();
    let found = match named.is_empty() {
        true => Ok(format!("none of the {} identifying columns is published", source.identifying.len())),
        false => Err(format!("{} is published", quoted_list(&named, 8))),
    };
    if !source.identifying.is_empty() {
        verdict.note("identifying-absent", found);
    }
    let raw = source.table;
    let missing: Vec<&str> =
        release.columns().iter().map(|column| column.name()).filter(|name| text_column(raw, name).is_err()).collect();
    if !missing.is_empty() {
        verdict.note("source-columns", Err(format!("the source lacks {}", quoted_list(&missing, 8))));
        return Ok(());
    }
    let (n_published, n_suppressed, n_source) = (verdict.rows, verdict.suppressed, raw.n_rows as u64);
    let counts = format!("{n_source} in the source, {n_published} published and {n_suppressed} suppressed");
    let enough = n_source == n_published + n_suppressed;
    // Rules that delete records before anything else leave a source that is larger.
    let unruled = !source.rules_applied && n_source > n_published + n_suppressed;
    let hint = if unruled { "; rules of its job file must be applied to it first" } else { "" };
    verdict.note("source-rows", if enough { Ok(counts) } else { Err(format!("{counts}{hint}")) });
    let located = match tables {
        PublishedTables::Generalized(boxed) => {
            boxes::check(boxed, raw, "source-matching", monitor, verdict)?;
            // Rows of large tables that show values are known by these, which costs less.
            let bare = boxed.values.is_empty() || raw.n_rows <= LOCATED || source.persons.is_some();
            if bare { RowsInBuckets::new(boxed, raw, monitor)?.into_iter().collect() } else { Vec::new() }
        }
        PublishedTables::Exact(tables) => {
            groups::check(tables, raw, monitor, verdict)?;
            Vec::new()
        }
        PublishedTables::Angel(tables) => batches::check(tables, raw, source.persons.as_ref(), monitor, verdict)?,
    };
    match (&source.persons, release.manifest().persons) {
        (Some(persons), _) => {
            let by_people = ByPeople { release, raw, persons, requirements, monitor };
            let (found, judged) = by_people.check(tables, &located)?;
            verdict.note("persons", found);
            verdict.warnings.extend(judged.as_ref().and_then(PersonsJudged::unjudged));
            verdict.persons = judged;
        }
        (None, stated) => verdict.warnings.extend(rows_judged(stated, verdict.rows)),
    }
    order::check(release, tables, raw, &located, monitor, verdict)
}

/// What is not judged of a release whose people have several rows.
pub(super) fn rows_judged(persons: Option<u64>, rows: u64) -> Option<String> {
    let persons = persons.filter(|&persons| persons < rows)?;
    Some(format!(
        "requirements were judged on rows; the manifest says that these are of {persons} persons, and only a check against \
         the source, with the columns that say whose rows they are, can tell whether requirements hold for persons"
    ))
}

/// The texts of a column of the source.
fn text_column<'a>(raw: &'a RawTable, name: &str) -> Result<(&'a Dictionary, &'a Codes)> {
    let at = raw.position("source", name)?;
    match &raw.columns[at] {
        RawColumn::Text { dictionary, codes } => Ok((dictionary, codes)),
        _ => Err(Error::bug(format!("column `{name}` of the source was not read as text"))),
    }
}

/// How often each code occurs in the source, and how many of its values no published row shows.
fn histogram(source: &Codes, map: &[Code], n_codes: usize) -> (Vec<u64>, u64) {
    let (mut counts, mut lost) = (vec![0u64; n_codes], 0);
    for code in source.iter() {
        match counts.get_mut(map[code as usize] as usize) {
            Some(count) => *count += 1,
            None => lost += 1,
        }
    }
    (counts, lost)
}

/// What is published must be the source's own, each as often, less the suppressed. Given is how often each
/// `what` is published and how often it occurs in the source, and how many of the source's are not known
/// to the release at all.
fn same(what: &str, ours: &[u64], theirs: &[u64], unknown: u64, suppressed: u64) -> Result<String, String> {
    let (mut invented, mut lost) = (0, unknown);
    for (ours, theirs) in ours.iter().zip(theirs) {
        invented += ours.saturating_sub(*theirs);
        lost += theirs.saturating_sub(*ours);
    }
    if invented == 0 && lost == suppressed {
        return Ok(format!("the source's own {what}"));
    }
    Err(format!(
        "{invented} {what} are not the source's, {lost} of the source's are missing, {suppressed} are suppressed"
    ))
}
