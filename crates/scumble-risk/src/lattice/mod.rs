//! All subsets of the known columns up to a size, each from the one before it.
//!
//! ```text
//! {}  ->  {a}  ->  {a,b}  ->  {a,b,c}        classes of a subset are those of its parent, divided by one column more;
//!                         ->  {a,b,d}        the last step only counts
//!              ->  {a,c}  ->  {a,c,d}
//! ```
//!
//! Subsets are walked depth first, so that no more classes are held than a path is long, for each thread. Records that are
//! alone in their class stay alone whatever else is learned, and are not looked at again below.

mod grouped;
mod numbered;

use crate::{Known, Matches};
use grouped::ClassMembers;
use numbered::ClassNumbers;
use rayon::prelude::*;
use scumble_table::{Monitor, Result};
use std::sync::OnceLock;

/// A subset of the known columns, by rising positions, with the records that match.
pub type Subset = (Vec<usize>, Matches);

/// How many subsets of `n` columns have at least one and at most `up_to` of them.
pub fn n_subsets(n: usize, up_to: usize) -> u64 {
    let mut of_size = 1u64;
    (1..=up_to.min(n) as u64)
        .map(|size| {
            of_size = of_size.checked_mul(n as u64 - size + 1).map_or(u64::MAX, |n| n / size);
            of_size
        })
        .fold(0, u64::saturating_add)
}

/// All subsets of `n` columns with at least one and at most `up_to` of them, smaller ones first.
pub(super) fn subsets(n: usize, up_to: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut of_size: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..up_to.min(n) {
        let longer = |subset: &Vec<usize>| {
            let from = subset.last().map_or(0, |last| last + 1);
            (from..n).map(|next| [subset.as_slice(), &[next]].concat()).collect::<Vec<_>>()
        };
        of_size = of_size.iter().flat_map(longer).collect();
        all.extend(of_size.iter().cloned());
    }
    all
}

/// Attacks a table with every subset of the columns up to a size, smaller subsets of the same columns first. Each subset
/// advances the stage by all rows.
///
/// # Errors
/// If the work was cancelled.
pub fn lattice(columns: &[Known<'_>], n_rows: usize, up_to: usize, monitor: Monitor<'_>) -> Result<Vec<Subset>> {
    let walk = SubsetWalk { columns, n_rows: n_rows as u64, up_to, monitor };
    let mut found = Vec::new();
    // One first column after the other: its classes are shared by all that follow, and only these are held at once.
    for (first, column) in columns.iter().enumerate() {
        if up_to == 0 {
            break;
        }
        monitor.check()?;
        let (node, matches) = SubsetClasses::from_column(column, n_rows);
        monitor.advance(n_rows as u64);
        found.push((vec![first], matches));
        let below = (first + 1..columns.len()).into_par_iter().map(|second| walk.from(&node, first, second));
        found.extend(below.collect::<Result<Vec<_>>>()?.into_iter().flatten());
    }
    found.sort_by(|a, b| a.0.len().cmp(&b.0.len()).then_with(|| a.0.cmp(&b.0)));
    Ok(found)
}

/// Attacks a table with some columns and each of others beside them, in their order. The classes of the first are made once and
/// shared. Each of the others advances the stage by all rows.
///
/// # Errors
/// If the work was cancelled.
pub fn extended(base: &[Known<'_>], more: &[Known<'_>], n_rows: usize, monitor: Monitor<'_>) -> Result<Vec<Matches>> {
    monitor.check()?;
    let mut node = match base.first() {
        Some(column) => SubsetClasses::from_column(column, n_rows).0,
        None => SubsetClasses::ByMembers(ClassMembers::whole(n_rows)),
    };
    for column in base.iter().skip(1) {
        monitor.check()?;
        node = node.divided(column).0;
    }
    let one = |column: &Known<'_>| {
        monitor.check()?;
        let matches = node.count(column);
        monitor.advance(n_rows as u64);
        Ok(matches)
    };
    more.par_iter().map(one).collect()
}

struct SubsetWalk<'a> {
    columns: &'a [Known<'a>],
    n_rows: u64,
    up_to: usize,
    monitor: Monitor<'a>,
}

impl SubsetWalk<'_> {
    /// All subsets that begin with two columns.
    fn from(&self, node: &SubsetClasses, first: usize, second: usize) -> Result<Vec<Subset>> {
        let mut found = Vec::new();
        if self.up_to > 1 {
            self.step(node, &mut vec![first], second, &mut found)?;
        }
        Ok(found)
    }

    /// One column more, and all subsets that begin so.
    fn step(&self, node: &SubsetClasses, chosen: &mut Vec<usize>, next: usize, found: &mut Vec<Subset>) -> Result<()> {
        self.monitor.check()?;
        let column = &self.columns[next];
        chosen.push(next);
        if chosen.len() == self.up_to || next + 1 == self.columns.len() {
            found.push((chosen.clone(), node.count(column)));
            self.monitor.advance(self.n_rows);
        } else {
            let (child, matches) = node.divided(column);
            found.push((chosen.clone(), matches));
            self.monitor.advance(self.n_rows);
            (next + 1..self.columns.len()).try_for_each(|next| self.step(&child, chosen, next, found))?;
        }
        chosen.pop();
        Ok(())
    }
}

/// The classes of a subset: by number while these are few, else by their members.
enum SubsetClasses {
    ByNumber(ClassNumbers, OnceLock<ClassMembers>),
    ByMembers(ClassMembers),
}

impl SubsetClasses {
    fn from_column(column: &Known<'_>, n_rows: usize) -> (SubsetClasses, Matches) {
        match ClassNumbers::from_column(column) {
            Some(numbered) => {
                let matches = numbered.matches();
                (SubsetClasses::ByNumber(numbered, OnceLock::new()), matches)
            }
            None => {
                let (grouped, matches) = ClassMembers::whole(n_rows).divided(column);
                (SubsetClasses::ByMembers(grouped), matches)
            }
        }
    }

    /// Counts the classes that one column more makes.
    fn count(&self, column: &Known<'_>) -> Matches {
        match self {
            SubsetClasses::ByNumber(numbered, _) => {
                numbered.count(column).unwrap_or_else(|| self.grouped().count(column))
            }
            SubsetClasses::ByMembers(grouped) => grouped.count(column),
        }
    }

    /// The classes that one column more makes.
    fn divided(&self, column: &Known<'_>) -> (SubsetClasses, Matches) {
        if let SubsetClasses::ByNumber(numbered, _) = self
            && let Some(child) = numbered.divided(column)
        {
            let matches = child.matches();
            return (SubsetClasses::ByNumber(child, OnceLock::new()), matches);
        }
        let (child, matches) = self.grouped().divided(column);
        (SubsetClasses::ByMembers(child), matches)
    }

    fn grouped(&self) -> &ClassMembers {
        match self {
            SubsetClasses::ByNumber(numbered, grouped) => grouped.get_or_init(|| numbered.grouped()),
            SubsetClasses::ByMembers(grouped) => grouped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::classes::class_sizes;
    use super::*;
    use proptest::prelude::*;
    use scumble_table::{Cancellation, Codes, Error, Progress};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Counts the rows of all subsets.
    #[derive(Default)]
    struct RowCounter(AtomicU64);

    impl Progress for RowCounter {
        fn advance(&self, amount: u64) {
            self.0.fetch_add(amount, Ordering::Relaxed);
        }
    }

    fn checked(columns: &[Known<'_>], n_rows: usize, up_to: usize) {
        let (told, cancellation) = (RowCounter::default(), Cancellation::default());
        let found = lattice(columns, n_rows, up_to, Monitor::new(&told, &cancellation)).unwrap();
        let n = n_subsets(columns.len(), up_to);
        assert_eq!((found.len() as u64, told.0.into_inner()), (n, n * n_rows as u64));
        assert!(found.windows(2).all(|pair| (pair[0].0.len(), &pair[0].0) < (pair[1].0.len(), &pair[1].0)));
        for (subset, matches) in found {
            let chosen: Vec<Known<'_>> = subset.iter().map(|&at| columns[at]).collect();
            assert_eq!(matches, class_sizes(&chosen, n_rows, Monitor::silent()).unwrap(), "{subset:?}");
            let (last, base) = chosen.split_last().unwrap();
            assert_eq!(extended(base, &[*last], n_rows, Monitor::silent()).unwrap(), [matches], "{subset:?}");
        }
    }

    proptest! {
        /// Every subset is counted as if it were the only one, whichever way its domain sizes choose.
        #[test]
        fn subsets_are_counted_like_each_alone(
            rows in prop::collection::vec(prop::array::uniform5(0u32..4), 0..120),
            widths in prop::array::uniform5(prop::sample::select(vec![4usize, 200, 3_000, 70_000])),
            up_to in 0usize..7,
        ) {
            let columns: Vec<Codes> = (0..5).map(|at| rows.iter().map(|row| row[at]).collect()).collect();
            let known: Vec<Known<'_>> =
                columns.iter().zip(widths).map(|(codes, n_codes)| Known { codes, n_codes }).collect();
            checked(&known, rows.len(), up_to);
        }
    }

    #[test]
    fn many_rows_of_wide_and_narrow_columns() {
        let n = 30_000u64;
        let column = |modulus: u64, salt: u64| -> Codes {
            (0..n).map(|row| ((row * row + salt * row) % 1_000_003 % modulus) as u32).collect()
        };
        let columns = [column(2, 1), column(90_000, 5), column(57, 3), column(700, 11), column(3, 7)];
        let known: Vec<Known<'_>> = columns.iter().map(|codes| Known { codes, n_codes: 90_000 }).collect();
        checked(&known, n as usize, 3);
        let widths = [2, 90_000, 57, 700, 3];
        let known: Vec<Known<'_>> =
            columns.iter().zip(widths).map(|(codes, n_codes)| Known { codes, n_codes }).collect();
        checked(&known, n as usize, 5);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let three = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let run = || lattice(&known, n as usize, 3, Monitor::silent()).unwrap();
        assert_eq!(one.install(run), three.install(run));
        let cancellation = Cancellation::default();
        cancellation.cancel();
        let cancelled = lattice(&known, n as usize, 3, Monitor::new(&RowCounter::default(), &cancellation));
        assert_eq!(cancelled, Err(Error::Cancelled));
    }

    #[test]
    fn extensions_share_their_base_and_tell_how_far_they_are() {
        let column = |modulus: u32| -> Codes { (0..5_000u32).map(|row| row * row % 7_919 % modulus).collect() };
        let columns = [column(3), column(4_000), column(50)];
        let known: Vec<Known<'_>> = columns.iter().map(|codes| Known { codes, n_codes: 4_000 }).collect();
        let (told, cancellation) = (RowCounter::default(), Cancellation::default());
        let monitor = Monitor::new(&told, &cancellation);
        let found = extended(&known[..1], &known[1..], 5_000, monitor).unwrap();
        let alone = |more: usize| class_sizes(&[known[0], known[more]], 5_000, Monitor::silent()).unwrap();
        assert_eq!(found, [alone(1), alone(2)]);
        assert_eq!(told.0.load(Ordering::Relaxed), 10_000);
        cancellation.cancel();
        assert_eq!(extended(&known[..1], &known[1..], 5_000, monitor), Err(Error::Cancelled));
    }

    #[test]
    fn subsets_are_counted() {
        assert_eq!([n_subsets(20, 3), n_subsets(10, 3), n_subsets(3, 9), n_subsets(4, 0)], [1350, 175, 7, 0]);
        assert_eq!(n_subsets(200, 200), u64::MAX);
        for (n, up_to) in [(5, 3), (1, 4), (0, 2), (4, 0), (4, 4)] {
            let all = subsets(n, up_to);
            assert_eq!(all.len() as u64, n_subsets(n, up_to));
            assert!(all.windows(2).all(|pair| (pair[0].len(), &pair[0]) < (pair[1].len(), &pair[1])));
        }
    }
}
