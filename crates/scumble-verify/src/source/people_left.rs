//! How many people may be behind the rows that several tables of boxes leave of somebody.
//!
//! A reader sees rows, and whose they are does not follow across tables. So it is worked out what the source says: the rows that lie in
//! a bucket around somebody in every table, and the fewest people who could have as many of them as the tables leave. That bounds the
//! people from below, whichever of these rows the candidates are.

use super::located::RowsInBuckets;
use rayon::prelude::*;
use scumble_table::{GroupedRows, Monitor, Persons, Result, RowClasses, class_members, rows_by_group};

/// The fewest people behind the candidates of each point of the first table, which are given in rows.
///
/// # Errors
/// If the work was cancelled.
pub(super) fn people_left(
    located: &[RowsInBuckets],
    candidates: &[(u64, u64)],
    persons: &Persons,
    monitor: Monitor<'_>,
) -> Result<Vec<u64>> {
    let Some(first) = located.first() else { return Ok(Vec::new()) };
    let n_rows = first.point.len();
    // Rows that are alike in every table have the same buckets everywhere.
    let mut alike = RowClasses::new(n_rows);
    for table in located {
        alike.push(table.rows.len(), |row| table.point[row]);
    }
    let (class, n_classes) = alike.finish();
    let a_row: Vec<u32> = class_members(&class, n_classes).into_iter().map(|(row, _)| row).collect();
    let rows_of_class = rows_by_group(&class, n_classes);
    let around = |table: &RowsInBuckets, class: u32| {
        let row = a_row[class as usize] as usize;
        table.buckets(table.point[row]).to_vec()
    };
    let pairs: Vec<(u32, u32)> = (0..n_classes as u32)
        .flat_map(|class| around(first, class).into_iter().map(move |bucket| (bucket, class)))
        .collect();
    let buckets: Vec<u32> = pairs.iter().map(|pair| pair.0).collect();
    let n_buckets = buckets.iter().max().map_or(0, |&last| last as usize + 1);
    let of_bucket = rows_by_group(&buckets, n_buckets);
    monitor.check()?;
    let of_class = |class: u32| -> u64 {
        let row = a_row[class as usize];
        let left = candidates[first.point[row as usize] as usize].0;
        if left == 0 || monitor.is_cancelled() {
            return 0;
        }
        let own: Vec<Vec<u32>> = located.iter().map(|table| around(table, class)).collect();
        let mut near: Vec<u32> = own[0]
            .iter()
            .flat_map(|&bucket| of_bucket.group(bucket as usize))
            .map(|&pair| pairs[pair as usize].1)
            .collect();
        near.sort_unstable();
        near.dedup();
        near.retain(|&other| {
            let row = a_row[other as usize] as usize;
            let shares = |(table, own): (&RowsInBuckets, &Vec<u32>)| {
                table.buckets(table.point[row]).iter().any(|bucket| own.contains(bucket))
            };
            located.iter().zip(&own).skip(1).all(shares)
        });
        fewest(&near, &rows_of_class, persons, left)
    };
    let of_class: Vec<u64> = (0..n_classes as u32).into_par_iter().map(of_class).collect();
    monitor.check()?;
    // Rows that the first table does not tell apart differ in no other, whose columns are among its own; the fewest is safe if they do.
    let mut people = vec![u64::MAX; first.rows.len()];
    for (class, &fewest) in of_class.iter().enumerate() {
        let point = &mut people[first.point[a_row[class] as usize] as usize];
        *point = (*point).min(fewest);
    }
    Ok(people)
}

/// The fewest people who have a number of the rows of some classes: those with most rows there.
fn fewest(classes: &[u32], rows_of_class: &GroupedRows, persons: &Persons, mut left: u64) -> u64 {
    let rows = classes.iter().flat_map(|&class| rows_of_class.group(class as usize));
    let mut who: Vec<u32> = rows.map(|&row| persons.of(row)).collect();
    who.sort_unstable();
    let mut counts: Vec<u64> = who.chunk_by(|a, b| a == b).map(|own| own.len() as u64).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let mut people = 0;
    for count in counts {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(count);
        people += 1;
    }
    people.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::Codes;

    #[test]
    fn the_fewest_are_those_with_most_rows() {
        let keys: Codes = [1u32, 1, 1, 2, 2, 3, 4].into_iter().collect();
        let persons = Persons::from_keys(7, &[(&keys, 5)]);
        let classes = rows_by_group(&[0, 0, 0, 0, 0, 0, 1], 2);
        let found = [1, 3, 4, 5, 6, 9].map(|left| fewest(&[0], &classes, &persons, left));
        assert_eq!(found, [1, 1, 2, 2, 3, 3]);
        assert_eq!(fewest(&[0, 1], &classes, &persons, 7), 4);
    }
}
