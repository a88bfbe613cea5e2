//! What classes of records tell about sensitive values, in whole units.

use super::value_order::ValueOrder;
use crate::attack::{Disclosure, DistinctRows, SensitiveColumn};
use scumble_table::{Code, Monitor, Result, rows_by_group};

/// Number of the class, code of the value, units.
type Entry = (u32, Code, i64);

/// For each class of records the units of each value.
pub(super) struct Shares {
    /// By rising class, then code.
    pub(super) entries: Vec<Entry>,
    pub(super) n_classes: usize,
    /// Units of one record.
    pub(super) unit: u64,
}

/// Sums of units over all records stay below this power of two.
const MOST_BITS: u32 = 62;

impl Shares {
    /// What the records of each class tell.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(super) fn new(
        column: &SensitiveColumn,
        records: &DistinctRows,
        order: &ValueOrder,
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        monitor.check()?;
        let unit = match &column.disclosure {
            Disclosure::Value(_) => 1,
            Disclosure::Group { of_row, groups } => {
                unit(of_row.iter().map(|&group| u64::from(groups.sizes[group as usize])), of_row.len() as u64)
            }
        };
        let mut shares = Shares { entries: Vec::new(), n_classes: records.len(), unit };
        let (mut of_class, mut groups_here) = (Vec::new(), Vec::new());
        // One class at a time: a group may have many values and be part of many classes.
        for (class, rows) in (0..).zip(rows_by_group(&records.of_row, records.len()).groups()) {
            monitor.check()?;
            match &column.disclosure {
                Disclosure::Value(codes) => {
                    let shown = |&row: &u32| (class, order.published[codes.get(row as usize) as usize], 1);
                    of_class.extend(rows.iter().map(shown));
                }
                Disclosure::Group { of_row, groups } => {
                    groups_here.clear();
                    groups_here.extend(rows.iter().map(|&row| of_row[row as usize]));
                    groups_here.sort_unstable();
                    for same in groups_here.chunk_by(|a, b| a == b) {
                        let size = u128::from(groups.sizes[same[0] as usize]);
                        of_class.extend(groups.values(same[0]).iter().map(|&(code, count)| {
                            // Rounded to the nearest unit; exact where the unit is a multiple of the size.
                            let part = (u128::from(count) * u128::from(unit) + size / 2) / size;
                            (class, order.published[code as usize], part as i64 * same.len() as i64)
                        }));
                    }
                }
            }
            shares.add_sums(&mut of_class);
        }
        Ok(shares)
    }

    /// Adds the units of each value of a class, and takes them out of the list. Classes come by rising number.
    fn add_sums(&mut self, of_class: &mut Vec<Entry>) {
        of_class.sort_unstable_by_key(|&(_, code, _)| code);
        let sum = |run: &[Entry]| (run[0].0, run[0].1, run.iter().map(|entry| entry.2).sum());
        self.entries.extend(of_class.chunk_by(|a, b| a.1 == b.1).map(sum));
        of_class.clear();
    }

    /// Where the entries of each class begin; closed by their number.
    pub(super) fn starts(&self) -> Vec<u32> {
        let mut starts = vec![0u32; self.n_classes + 1];
        self.entries.iter().for_each(|entry| starts[entry.0 as usize + 1] += 1);
        (0..self.n_classes).for_each(|class| starts[class + 1] += starts[class]);
        starts
    }
}

/// The least number that all sizes divide, or a power of two where that is too large.
pub(super) fn unit(sizes: impl Iterator<Item = u64>, n_rows: u64) -> u64 {
    let bits = MOST_BITS - (64 - n_rows.leading_zeros());
    let mut sizes: Vec<u64> = sizes.filter(|&size| size > 0).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let common = |all: u64, size: u64| (all / gcd(all, size)).checked_mul(size).filter(|&unit| unit <= 1 << bits);
    sizes.into_iter().try_fold(1, common).unwrap_or(1 << bits)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_divide_evenly_while_they_fit() {
        assert_eq!(unit([4, 6, 0, 4].into_iter(), 14), 12);
        assert_eq!(unit(std::iter::empty(), 0), 1);
        let primes = [2u64, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53];
        assert_eq!(unit(primes.into_iter(), 1 << 20), 1 << 41);
        assert_eq!(unit([3].into_iter(), u64::from(u32::MAX)), 3);
        assert_eq!(unit(primes.into_iter(), u64::from(u32::MAX)), 1 << 30);
    }
}
