//! Classes of records that show the same in all known columns.
//!
//! Records are compared by tuples of codes. Joining the texts, as the paper's second algorithm does, would take `1`, `23`
//! and `12`, `3` for the same. Null is a value and matches only null.

use crate::Matches;
use crate::matches::SizeCounts;
use rayon::prelude::*;
use scumble_table::{Codes, Monitor, Result, RowClasses, with_codes};

/// A column that the attacker knows.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Code of each record.
    pub codes: &'a Codes,
    /// Every code is below this.
    pub n_codes: usize,
}

/// More counters than this are not laid out, however many records there are: half a gigabyte.
const MOST_COUNTERS: u64 = 1 << 27;

/// How many records match each record.
///
/// # Errors
/// If the work was cancelled.
pub fn class_sizes(columns: &[Known<'_>], n_rows: usize, monitor: Monitor<'_>) -> Result<Matches> {
    let (mut keys, room) = row_classes(columns, n_rows, monitor)?.into_numbers();
    let mut tally = SizeCounts::default();
    // Counters that are not many more than the records cost less than sorting.
    if room <= (4 * n_rows as u64).max(1 << 16) && room <= MOST_COUNTERS {
        let mut counts = vec![0u32; room as usize];
        keys.iter().for_each(|&key| counts[key as usize] += 1);
        counts.into_iter().filter(|&n| n > 0).for_each(|n| tally.add(n));
    } else {
        keys.par_sort_unstable();
        keys.chunk_by(|a, b| a == b).for_each(|class| tally.add(class.len() as u32));
    }
    Ok(tally.finish())
}

/// The tuples that records show in some columns. A cancellation is seen before every column and after the last.
pub(crate) fn row_classes(columns: &[Known<'_>], n_rows: usize, monitor: Monitor<'_>) -> Result<RowClasses> {
    let mut classes = RowClasses::new(n_rows);
    for column in columns {
        monitor.check()?;
        with_codes!(column.codes, |codes| classes.push(column.n_codes, |row| codes[row] as usize as u32));
    }
    monitor.check()?;
    Ok(classes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Counters and sorting agree with a map of tuples, for domains of any pretended size.
        #[test]
        fn classes_are_equal_tuples(
            rows in prop::collection::vec(prop::array::uniform3(0u32..5), 0..200),
            widths in prop::array::uniform3(prop::sample::select(vec![5usize, 300, 1 << 20, 1 << 31])),
        ) {
            let columns: Vec<Codes> = (0..3).map(|at| rows.iter().map(|row| row[at]).collect()).collect();
            let known: Vec<Known<'_>> =
                columns.iter().zip(widths).map(|(codes, n_codes)| Known { codes, n_codes }).collect();
            let mut naive: BTreeMap<[u32; 3], u64> = BTreeMap::new();
            rows.iter().for_each(|row| *naive.entry(*row).or_default() += 1);
            let wanted = Matches::from_classes(naive.values().map(|&n| (n, n)));
            prop_assert_eq!(class_sizes(&known, rows.len(), Monitor::silent()).unwrap(), wanted);
        }
    }

    #[test]
    fn without_known_columns_all_records_match() {
        assert_eq!(class_sizes(&[], 3, Monitor::silent()).unwrap(), Matches::from_classes([(3, 3)]));
        assert_eq!(class_sizes(&[], 0, Monitor::silent()).unwrap(), Matches::default());
    }
}
