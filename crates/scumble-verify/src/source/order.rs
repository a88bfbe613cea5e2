//! Rows that stand as in the source, and values that were never shuffled.
//!
//! Where a person differs from all others, on both sides, the published row of that person is known. Such rows tell whether
//! the release keeps the order of the source, and in a permuted release whether values still stand in their owners' rows.

use super::groups::{Classes, NONE, column_pairs};
use super::located::RowsInBuckets;
use super::{people_order, text_column};
use crate::aligned::ln_aligned;
use crate::chance::{FALSE_ALARM, MOST_WATCHED, RandomGroup, is_beyond, ln_few_hits, ln_many_hits};
use crate::numbered::RowsByNumber;
use crate::order::{follows, numbers_follow};
use crate::verdict::Verdict;
use scumble_io::RawTable;
use scumble_release::{
    Boxed, Exact, GroupedValues, Method, Permuted, PublishedTables, ReleaseReader, SUPPRESSED, ShownColumn, TUPLE,
    problems, value_map,
};
use scumble_table::{Monitor, Result};
use std::rc::Rc;

/// Tests of the order of one table by one kind of classes.
const TESTS: usize = 7;

/// Tests of the numbers of groups: by the first and by the mean source row of what is alike, two statistics each.
const TESTS_OF_NUMBERS: usize = 4;

/// Rows of a table that are looked at by what they show.
struct ShownRows<'a> {
    table: &'a str,
    /// Rows that are published with values.
    rows: Rc<Vec<u32>>,
    /// All rows of the table, suppressed ones too.
    n_rows: usize,
    by: ToldApartBy<'a>,
    /// Numbers of groups or batches, from 0, of all rows of the table.
    numbers: Vec<&'a [u32]>,
}

/// What tells rows apart.
#[derive(Clone, Copy)]
enum ToldApartBy<'a> {
    Values(&'a [ShownColumn]),
    Boxes(&'a Boxed, &'a RowsInBuckets),
}

/// Notes whether rows stand in the order of the source, and whether permuted values stand in the rows of their owners.
pub(super) fn check(
    release: &ReleaseReader,
    tables: &PublishedTables,
    raw: &RawTable,
    located: &[RowsInBuckets],
    monitor: Monitor<'_>,
    verdict: &mut Verdict,
) -> Result<()> {
    let shown = match tables {
        PublishedTables::Generalized(boxed) => rows_of_boxes("table", boxed, &boxed.row_group, located.first()),
        PublishedTables::Exact(tables) => rows_of_people("people", tables).into_iter().collect(),
        PublishedTables::Angel(tables) => {
            let mut shown = Vec::new();
            for (at, view) in tables.views.iter().enumerate() {
                shown.extend(rows_of_boxes(&view.name, &view.boxed, &view.row_batch, located.get(at)));
            }
            shown
        }
    };
    let tests = shown.iter().map(|shown| TESTS + shown.numbers.len() * TESTS_OF_NUMBERS).sum();
    let (mut found, mut linked, mut watched) = (Vec::new(), 0, 0);
    for shown in &shown {
        monitor.check()?;
        let classes = shown.classes(raw)?;
        let places: Vec<u32> = links(&classes).iter().map(|link| link.1).collect();
        linked += places.len();
        watched += watched_rows(&classes, tests);
        if let Some(words) = shown.in_order(&places, &classes, tests) {
            found.push(format!("the rows of `{}` {words}", shown.table));
        }
        if shown.numbers_follow(&classes, tests) {
            found.push(format!("the numbers of the groups of `{}` follow the order of the source", shown.table));
        }
    }
    let words = || match (watched, linked) {
        (0, _) => {
            "nothing could be checked: rows are too few, or too much alike, to tell the source's order from others"
                .into()
        }
        (n, 0) => format!("no trace of the source's order in {n} rows looked at; false alarms below {FALSE_ALARM:e}"),
        (_, n) => format!(
            "no trace of the source's order in {n} rows that can be found again; false alarms below {FALSE_ALARM:e}"
        ),
    };
    verdict.note("source-order", problems(found, words));
    let PublishedTables::Exact(tables) = tables else { return Ok(()) };
    let n_people = tables.people.first().map_or(0, |values| values.codes.len());
    let people = Classes::new(&column_pairs(&tables.people, raw)?, &published(n_people, None), raw.n_rows);
    let links = links(&people);
    if release.manifest().method != Method::Permute {
        verdict.note("source-told", people_order::check(tables, &links, None, raw)?);
        return Ok(());
    }
    let people = release.table(Permuted::PEOPLE, monitor)?;
    verdict.note("source-shuffled", shuffled(tables, &links, &people, raw)?);
    verdict.note("source-told", people_order::check(tables, &links, people.integers(TUPLE), raw)?);
    Ok(())
}

/// The rows of a table of boxes by their values, and by their boxes where the source's rows could be located in it.
fn rows_of_boxes<'a>(
    table: &'a str,
    boxed: &'a Boxed,
    numbers: &'a [u32],
    located: Option<&'a RowsInBuckets>,
) -> Vec<ShownRows<'a>> {
    let n_rows = boxed.row_group.len();
    let rows = Rc::new(published(n_rows, Some(&boxed.row_group)));
    let values = Some(ToldApartBy::Values(&boxed.values)).filter(|_| !boxed.values.is_empty());
    let by = values.into_iter().chain(located.map(|located| ToldApartBy::Boxes(boxed, located)));
    by.map(|by| ShownRows { table, rows: rows.clone(), n_rows, by, numbers: vec![numbers] }).collect()
}

/// The rows of a table of exact quasi-identifiers by their values. A row is suppressed if the first grouping says so.
fn rows_of_people<'a>(table: &'a str, tables: &'a Exact) -> Option<ShownRows<'a>> {
    let n_rows = tables.people.first()?.codes.len();
    let numbers: Vec<&[u32]> = tables.groupings.iter().map(|grouping| grouping.row_group.as_slice()).collect();
    let rows = Rc::new(published(n_rows, numbers.first().copied()));
    Some(ShownRows { table, rows, n_rows, by: ToldApartBy::Values(&tables.people), numbers })
}

fn published(n_rows: usize, row_group: Option<&[u32]>) -> Vec<u32> {
    let shown = |row: &u32| row_group.is_none_or(|groups| groups[*row as usize] != SUPPRESSED);
    (0..n_rows as u32).filter(shown).collect()
}

/// Published rows and the source rows that they must be, by rising published row: all other rows differ from them.
fn links(classes: &Classes) -> Vec<(u32, u32)> {
    let n = classes.ours.iter().chain(classes.theirs.iter().filter(|class| **class != NONE)).max();
    let mut place: Vec<(u32, u32)> = vec![(0, 0); n.map_or(0, |&last| last as usize + 1)];
    for (row, &class) in (0..).zip(&classes.theirs) {
        if let Some((count, at)) = place.get_mut(class as usize) {
            (*count, *at) = (*count + 1, row);
        }
    }
    let mut ours = vec![0u32; place.len()];
    classes.ours.iter().for_each(|&class| ours[class as usize] += 1);
    let alone = |&(_, class): &(u32, u32)| ours[class as usize] == 1 && place[class as usize].0 == 1;
    let rows = (0..).zip(classes.ours.iter().copied());
    rows.filter(alone).map(|(row, class)| (row, place[class as usize].1)).collect()
}

impl ShownRows<'_> {
    /// The classes of these rows and of the rows of the source.
    fn classes(&self, raw: &RawTable) -> Result<Classes> {
        Ok(match self.by {
            ToldApartBy::Values(values) => Classes::new(&column_pairs(values, raw)?, &self.rows, raw.n_rows),
            ToldApartBy::Boxes(boxed, located) => located.classes(boxed, &self.rows),
        })
    }

    /// How rows follow the source, if they do more than chance explains. `places` are the source rows of published rows that
    /// can be found again, in published order.
    fn in_order(&self, places: &[u32], classes: &Classes, tests: usize) -> Option<String> {
        if follows(places, tests) {
            let correlation = rank_correlation(places);
            return Some(format!("follow the order of the source (rank correlation {correlation:.3})"));
        }
        let Classes { ours, theirs, .. } = classes;
        // Where no row is missing, rows may equal the source's row in the same place no more often than by chance. Rows of
        // stars keep their places.
        if self.n_rows == theirs.len() {
            let watched = places_of(ours.len());
            let there = |at: usize| theirs[self.rows[at] as usize];
            let hits = watched.iter().filter(|&&at| ours[at] == there(at)).count() as u64;
            if is_beyond(ln_many_hits(&[dealt_rows(classes, there)], hits), tests) {
                let n = watched.len();
                return Some(format!("show what the source has in the same place for {hits} of {n} rows looked at"));
            }
        }
        if ours.len() >= theirs.len() {
            return None;
        }
        is_beyond(self.ln_along(classes), tests).then(|| {
            let gaps = theirs.len() - ours.len();
            format!("follow the order of the source, less {gaps} rows that are not shown")
        })
    }

    /// The logarithm of a bound on the probability that the first or the last rows follow the source this closely, with gaps.
    /// Boxes overlap, so a row of the source may be in any of those around it.
    fn ln_along(&self, classes: &Classes) -> f64 {
        let Classes { ours, theirs, .. } = classes;
        let n = theirs.len();
        match self.by {
            ToldApartBy::Values(_) => {
                let of = |row: usize| std::slice::from_ref(&theirs[row]);
                ln_aligned(ours.iter().copied(), n, of)
                    .min(ln_aligned(ours.iter().rev().copied(), n, |row| of(n - 1 - row)))
            }
            ToldApartBy::Boxes(boxed, located) => {
                let of = |row: usize| located.buckets(located.point[row]);
                let shown = self.rows.iter().map(|&row| boxed.row_group[row as usize]);
                ln_aligned(shown.clone(), n, of).min(ln_aligned(shown.rev(), n, |row| of(n - 1 - row)))
            }
        }
    }

    /// Whether groups are numbered in the order in which what they show occurs in the source. Whatever is computed of the
    /// rows of a group is independent of its number, if numbers are drawn, so rows need not be found again for this.
    fn numbers_follow(&self, classes: &Classes, tests: usize) -> bool {
        let mut of_class = vec![(u32::MAX, 0u64, 0u64); classes.n];
        for (row, &class) in (0..).zip(&classes.theirs) {
            if let Some((first, sum, n)) = of_class.get_mut(class as usize) {
                (*first, *sum, *n) = (row.min(*first), *sum + u64::from(row), *n + 1);
            }
        }
        let of_class = |class: u32| of_class.get(class as usize).filter(|of| of.2 > 0);
        self.numbers.iter().any(|numbers| {
            let (rows, ours) = (&self.rows, &classes.ours);
            let groups = RowsByNumber::by(rows.len(), |at| numbers[rows[at] as usize], |at| ours[at]);
            numbers_follow(&groups, |class| Some(of_class(class)?.0), tests)
                || numbers_follow(&groups, |class| of_class(class).map(|&(_, sum, n)| (sum / n) as u32), tests)
        })
    }
}

/// The rows as they were dealt out, and what the source has `there` in the places that are watched.
fn dealt_rows(classes: &Classes, there: impl Fn(usize) -> u32) -> RandomGroup {
    let ours = &classes.ours;
    let mut values = vec![(0u64, 0u64); classes.n];
    ours.iter().for_each(|&class| values[class as usize].1 += 1);
    for class in places_of(ours.len()).into_iter().map(there) {
        if let Some((watched, _)) = values.get_mut(class as usize) {
            *watched += 1;
        }
    }
    RandomGroup { size: ours.len() as u64, values }
}

/// The number of watched rows, or 0 where they could all stand as in the source by chance.
fn watched_rows(classes: &Classes, tests: usize) -> usize {
    let ours = &classes.ours;
    let dealt = dealt_rows(classes, |at| ours[at]);
    let n: u64 = dealt.values.iter().map(|(watched, _)| watched).sum();
    if is_beyond(ln_many_hits(&[dealt], n), tests) { n as usize } else { 0 }
}

/// The places that are watched, spread evenly.
fn places_of(n: usize) -> Vec<usize> {
    let step = n.div_ceil(MOST_WATCHED).max(1);
    (0..n).step_by(step).collect()
}

/// Spearman's correlation of the places of rows with their ranks among the source's rows; only for the message.
fn rank_correlation(places: &[u32]) -> f64 {
    let n = places.len() as f64;
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_unstable_by_key(|&at| places[at]);
    let squares: f64 = order.iter().enumerate().map(|(rank, &at)| (rank as f64 - at as f64).powi(2)).sum();
    1.0 - 6.0 * squares / (n * (n * n - 1.0)).max(1.0)
}

/// Whether values stand in the rows of their owners more often, or less often, than shuffling inside groups explains: values
/// that were all passed on to somebody else tell as much as values that were left.
fn shuffled(tables: &Exact, links: &[(u32, u32)], people: &RawTable, raw: &RawTable) -> Result<Result<String, String>> {
    let mut found = Vec::new();
    let mut words = Vec::new();
    for grouping in &tables.groupings {
        let Classes { ours, theirs, .. } = value_classes(grouping, people, raw)?;
        let (groups, watched, hits) = dealt(grouping, links, &ours, &theirs);
        let expected: f64 = groups
            .iter()
            .flat_map(|group| group.values.iter().map(|&(w, d)| w as f64 * d as f64 / group.size as f64))
            .sum();
        let names: Vec<String> =
            grouping.sensitive.values.iter().map(|values| format!("`{}`", values.column.name())).collect();
        let counts = format!("{hits} of {watched} values of {} stand beside their owners", names.join(" and "));
        let ln = ln_many_hits(&groups, hits).min(ln_few_hits(&groups, hits));
        match is_beyond(ln, 2 * tables.groupings.len()) {
            true => found.push(format!("{counts}, and shuffling would leave about {expected:.0} there")),
            false => words.push(format!("{counts}, as shuffling leaves about {expected:.0}")),
        }
    }
    Ok(problems(found, || format!("{}; false alarms below {FALSE_ALARM:e}", words.join("; "))))
}

/// Published rows and source rows by their sensitive values in one grouping, as the table of people shows them.
fn value_classes(grouping: &GroupedValues, people: &RawTable, raw: &RawTable) -> Result<Classes> {
    let shown = |values: &ShownColumn| {
        let (dictionary, codes) = text_column(people, values.column.name())?;
        let codes = codes.mapped(&value_map(&values.domain, dictionary));
        Ok(ShownColumn { column: values.column.clone(), domain: values.domain.clone(), codes })
    };
    let shown = grouping.sensitive.values.iter().map(shown).collect::<Result<Vec<_>>>()?;
    Ok(Classes::new(&column_pairs(&shown, raw)?, &published(people.n_rows, None), raw.n_rows))
}

/// The groups as they were dealt out, how many people are watched in them, and how many of these have their own value.
fn dealt(grouping: &GroupedValues, links: &[(u32, u32)], ours: &[u32], theirs: &[u32]) -> (Vec<RandomGroup>, u64, u64) {
    // (group, value, watched?) of every watched person and of every value dealt out.
    let mut marks: Vec<(u32, u32, bool)> = Vec::with_capacity(ours.len() + links.len());
    let placed = grouping.row_group.iter().zip(ours).filter(|(group, _)| **group != SUPPRESSED);
    marks.extend(placed.map(|(&group, &value)| (group, value, false)));
    let mut in_group = vec![0usize; grouping.sizes.len()];
    let (mut watched, mut hits) = (0, 0);
    for &(row, source) in links {
        let (group, own) = (grouping.row_group[row as usize], theirs[source as usize]);
        let Some(count) = in_group.get_mut(group as usize).filter(|count| **count < MOST_WATCHED) else { continue };
        if own == NONE {
            continue;
        }
        *count += 1;
        watched += 1;
        hits += u64::from(ours[row as usize] == own);
        marks.push((group, own, true));
    }
    marks.sort_unstable();
    let of_group = |marks: &[(u32, u32, bool)]| RandomGroup {
        size: marks.iter().filter(|(.., watched)| !watched).count() as u64,
        values: marks
            .chunk_by(|a, b| a.1 == b.1)
            .map(|alike| {
                let watched = alike.iter().filter(|(.., watched)| *watched).count();
                (watched as u64, (alike.len() - watched) as u64)
            })
            .filter(|(watched, _)| *watched > 0)
            .collect(),
    };
    (marks.chunk_by(|a, b| a.0 == b.0).map(of_group).collect(), watched, hits)
}
