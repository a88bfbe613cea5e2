//! How many candidates several tables of an angel release, joined by batch, leave for every row of its source.

use super::located::RowsInBuckets;
use super::people_left::people_left;
use crate::angel::{Joined, Synthesis, bucket_size, joined};
use crate::write::refused_join;
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_principle::Requirement;
use scumble_release::{Angelized, Manifest};
use scumble_table::{Counted, Monitor, Persons, Result};

/// What the tables of an angel release tell together: counted for the rows of a source, or for the people whose rows these are,
/// or else bounded by the release alone. Where somebody has several rows, people are counted who may be behind the rows that are left.
/// Nothing where there is one table only.
///
/// # Errors
/// If the source lacks a column, or the work was cancelled.
pub fn join(
    tables: &Angelized,
    manifest: &Manifest,
    source: Option<&RawTable>,
    persons: Option<&Persons>,
    monitor: Monitor<'_>,
) -> Result<Option<Joined>> {
    match tables.views.len() {
        0 | 1 => Ok(None),
        _ => counted(tables, manifest, source, persons, monitor),
    }
}

/// Refuses a release whose tables, taken together, may leave somebody among fewer than `k` people: where people have several rows, that
/// is no more told by the release alone.
///
/// # Errors
/// As [`join`], and if they leave fewer people, or it cannot be told how many.
pub fn refuse_few_joined(
    tables: &Angelized,
    manifest: &Manifest,
    source: &RawTable,
    persons: &Persons,
    k: u64,
    monitor: Monitor<'_>,
) -> Result<()> {
    let found = counted(tables, manifest, Some(source), Some(persons), monitor)?;
    let few = match found {
        Some(joined) if joined.counted == Counted::People && joined.least >= k => return Ok(()),
        Some(joined) if joined.counted == Counted::People => joined.summary(),
        _ => "there are too many places to look at to count people".into(),
    };
    Err(refused_join(k, few))
}

fn counted(
    tables: &Angelized,
    manifest: &Manifest,
    source: Option<&RawTable>,
    persons: Option<&Persons>,
    monitor: Monitor<'_>,
) -> Result<Option<Joined>> {
    let stated: Vec<Requirement> = manifest.requirements.iter().filter_map(|text| text.parse().ok()).collect();
    let k = bucket_size(manifest, &stated);
    let located = source.map(|raw| located(tables, raw, |_| true, monitor)).transpose()?.flatten();
    monitor.check()?;
    let row = manifest.row();
    let Some((syntheses, located)) = located else { return Ok(joined(tables, k, row)) };
    let left = left_of(&syntheses, &located, persons, monitor)?;
    let known = located.into_iter().next().map_or(Vec::new(), |first| first.point);
    let (n_tables, exact) = (tables.views.len(), manifest.suppressed == 0);
    let mut found = Joined { tables: n_tables, k, counted: row, narrowed: 0, exact, least: 0 };
    found.count(&known, &left, persons);
    Ok(Some(found))
}

/// What all tables together leave of the rows of a source.
pub struct JoinCandidates {
    /// Number of the known values of each source row.
    pub known: Vec<u32>,
    /// For each number the candidates, in rows, or in people where somebody has several; 0 where they are not in the release, and how many source rows have it.
    pub candidates: Vec<(u64, u64)>,
}

/// For rows of a source, by what is known of them, the candidates that all tables together leave. Tables without a known
/// column tell nothing. Where somebody has several rows, people are counted who may be behind the rows that are left. Nothing where there are too many places to look at.
///
/// # Errors
/// As [`join`].
pub fn join_candidates(
    tables: &Angelized,
    raw: &RawTable,
    is_known: impl Fn(&str) -> bool,
    persons: Option<&Persons>,
    monitor: Monitor<'_>,
) -> Result<Option<JoinCandidates>> {
    let Some((syntheses, located)) = located(tables, raw, is_known, monitor)? else { return Ok(None) };
    let candidates = left_of(&syntheses, &located, persons, monitor)?;
    let known = located.into_iter().next().map_or(Vec::new(), |first| first.point);
    Ok(Some(JoinCandidates { known, candidates }))
}

/// The candidates of every point of the first table, in rows, or in people where somebody has several rows; and its rows.
pub(super) fn left_of(
    syntheses: &[Synthesis],
    located: &[RowsInBuckets],
    persons: Option<&Persons>,
    monitor: Monitor<'_>,
) -> Result<Vec<(u64, u64)>> {
    let mut left = candidates(syntheses, located);
    if let Some(persons) = persons.filter(|persons| persons.repeat()) {
        let people = people_left(located, &left, persons, monitor)?;
        left.iter_mut().zip(people).for_each(|(left, people)| left.0 = people);
    }
    Ok(left)
}

/// The buckets of each table with the rows of a source around which they are; the first table always, others where they have a
/// known column.
fn located(
    tables: &Angelized,
    raw: &RawTable,
    is_known: impl Fn(&str) -> bool,
    monitor: Monitor<'_>,
) -> Result<Option<(Vec<Synthesis>, Vec<RowsInBuckets>)>> {
    let (mut syntheses, mut located) = (Vec::new(), Vec::new());
    for (at, view) in tables.views.iter().enumerate() {
        if at > 0 && !view.boxed.quasi.iter().any(|boxes| is_known(boxes.column.name())) {
            continue;
        }
        let Some(here) = RowsInBuckets::by_columns(&view.boxed, raw, &is_known, monitor)? else { return Ok(None) };
        located.push(here);
        syntheses.push(Synthesis::from_table(view));
    }
    Ok(Some((syntheses, located)))
}

/// Counts the candidates of every source row: for each batch, at most as many people as every table has of it around the row.
fn candidates(syntheses: &[Synthesis], located: &[RowsInBuckets]) -> Vec<(u64, u64)> {
    let Some(first) = located.first() else { return Vec::new() };
    let candidates = |&(row, n): &(u32, u32)| -> (u64, u64) {
        let mut common: Vec<(u32, u32)> = Vec::new();
        for (at, (synthesis, located)) in syntheses.iter().zip(located).enumerate() {
            let buckets = located.buckets(located.point[row as usize]);
            let mut here: Vec<(u32, u32)> =
                buckets.iter().flat_map(|&bucket| synthesis.of_bucket(bucket as usize).iter().copied()).collect();
            here.sort_unstable();
            let here: Vec<(u32, u32)> = here
                .chunk_by(|a, b| a.0 == b.0)
                .map(|alike| (alike[0].0, alike.iter().map(|&(_, people)| people).sum()))
                .collect();
            common = if at == 0 { here } else { least_of(&common, &here) };
        }
        (common.iter().map(|&(_, people)| u64::from(people)).sum(), n.into())
    };
    first.rows.par_iter().map(candidates).collect()
}

/// The batches of both, each with the fewer people.
fn least_of(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let both = |&(batch, people): &(u32, u32)| {
        let at = b.binary_search_by_key(&batch, |&(batch, _)| batch).ok()?;
        Some((batch, people.min(b[at].1)))
    };
    a.iter().filter_map(both).collect()
}
