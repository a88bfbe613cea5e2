//! People and the records that could be theirs.

use super::super::matches::Matches;
use super::cover::Cover;
use super::crowd::Crowd;
use super::distinct::Distinct;
use super::people_table::PeopleTable;
use scumble_table::{Monitor, Result, RowClasses, class_members, with_codes};

/// How many records cover each person's values in the chosen columns.
///
/// # Errors
/// If the work was cancelled.
pub(crate) fn around_people(
    table: &PeopleTable,
    crowd: &Crowd,
    chosen: &[usize],
    monitor: Monitor<'_>,
) -> Result<Matches> {
    if is_exact(crowd, chosen) {
        return Ok(Matches::from_classes(alike(table, crowd, chosen).into_iter().filter(|class| class.1 > 0)));
    }
    let points = points(crowd, chosen);
    monitor.check()?;
    let boxes = boxes(table, chosen);
    let cover = Cover::new(table, crowd, chosen, &points, &boxes, monitor)?;
    let count = |classes: &mut Vec<(u64, u64)>, point: u32, around: &[u32]| {
        let records: u64 = around.iter().map(|&a_box| u64::from(boxes.rows[a_box as usize].1)).sum();
        classes.push((records, u64::from(points.rows[point as usize].1)));
    };
    let classes = cover.visit(Vec::new, count, monitor)?;
    Ok(Matches::from_classes(classes.into_iter().flatten()))
}

/// For each class of records how many there are, and how many people they cover.
///
/// # Errors
/// If the work was cancelled.
pub(crate) fn records_and_people(
    table: &PeopleTable,
    crowd: &Crowd,
    chosen: &[usize],
    monitor: Monitor<'_>,
) -> Result<Vec<(u64, u64)>> {
    if is_exact(crowd, chosen) {
        return Ok(alike(table, crowd, chosen).into_iter().filter(|class| class.0 > 0).collect());
    }
    let points = points(crowd, chosen);
    monitor.check()?;
    let boxes = boxes(table, chosen);
    let cover = Cover::new(table, crowd, chosen, &points, &boxes, monitor)?;
    let count = |people: &mut Vec<u64>, point: u32, around: &[u32]| {
        let n = u64::from(points.rows[point as usize].1);
        around.iter().for_each(|&a_box| people[a_box as usize] += n);
    };
    let inside = cover.visit(|| vec![0u64; boxes.len()], count, monitor)?;
    let people = |a_box: usize| inside.iter().map(|part| part[a_box]).sum();
    Ok(boxes.rows.iter().enumerate().map(|(a_box, &(_, n))| (u64::from(n), people(a_box))).collect())
}

/// Whether records show values in all chosen columns.
pub(crate) fn is_exact(crowd: &Crowd, chosen: &[usize]) -> bool {
    chosen.iter().all(|&at| crowd.columns[at].exact)
}

/// Distinct values of people.
pub(crate) fn points(crowd: &Crowd, chosen: &[usize]) -> Distinct {
    Distinct::of(chosen.iter().map(|&at| (&crowd.columns[at].ranks, crowd.columns[at].n_ranks)), crowd.n)
}

/// Distinct boxes of records.
pub(crate) fn boxes(table: &PeopleTable, chosen: &[usize]) -> Distinct {
    Distinct::of(chosen.iter().map(|&at| (&table.columns[at].codes, table.columns[at].n_codes)), table.n_rows)
}

/// Records and people of equal values in columns that show values: how many there are of both.
fn alike(table: &PeopleTable, crowd: &Crowd, chosen: &[usize]) -> Vec<(u64, u64)> {
    let (classes, n) = together(table, crowd, chosen);
    let mut counts = vec![(0u64, 0u64); n];
    let (records, people) = classes.split_at(table.n_rows);
    records.iter().for_each(|&class| counts[class as usize].0 += 1);
    people.iter().for_each(|&class| counts[class as usize].1 += 1);
    counts
}

/// Records by their values, and for each person the class of records with the same, or a number beyond all classes.
pub(crate) fn with_people(table: &PeopleTable, crowd: &Crowd, chosen: &[usize]) -> (Distinct, Vec<u32>) {
    let (mut classes, n) = together(table, crowd, chosen);
    let people = classes.split_off(table.n_rows);
    // Classes are numbered as they first appear, so those of records come first.
    let n_records = classes.iter().max().map_or(0, |&last| last as usize + 1);
    debug_assert!(n_records <= n, "classes of records are some of all");
    let rows = class_members(&classes, n_records);
    (Distinct { of_row: classes, rows }, people)
}

/// The class of each record, then of each person, by values; and the number of classes.
fn together(table: &PeopleTable, crowd: &Crowd, chosen: &[usize]) -> (Vec<u32>, usize) {
    let n = table.n_rows;
    let mut keys = RowClasses::new(n + crowd.n);
    for &at in chosen {
        let (column, placed) = (&table.columns[at], &crowd.columns[at]);
        with_codes!(&column.codes, |shown| with_codes!(&placed.ranks, |ranks| {
            keys.push(placed.n_ranks, |row| match row.checked_sub(n) {
                None => shown[row] as usize as u32,
                Some(person) => ranks[person] as usize as u32,
            });
        }));
    }
    keys.finish()
}
