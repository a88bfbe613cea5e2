//! Finds rows in an order that gives something away: sorted by a column, group by group, or numbered by a secret.
//!
//! Shuffled rows are in any order with equal probability, and so are random numbers. Every column of a table of people is
//! looked at in three orders: as its rows stand, by tuple number, and group by group by group number, where a group counts
//! as its least, middle, greatest and mean value, and once as its size. In each order three statistics are taken whose
//! distribution is then known:
//!
//! 1. the number of runs when values are divided into low and high ones,
//! 2. the number of runs when values are divided into those of odd and of even rank,
//! 3. how often the first value is the greater one in the pairs of rows 1 and 2, 3 and 4, and so on.
//!
//! The divisions depend on which values occur, not on where they stand. Tables of boxes that show the same people must
//! moreover stand in orders of their own, or rows could be joined by their places.

use super::chance::{FALSE_ALARM, is_beyond, ln_few_runs, ln_uneven};
use super::numbered::{Figures, RowsByNumber};
use super::shared_order;
use rayon::prelude::*;
use scumble_io::{Dictionary, NULL_INTEGER, RawColumn, RawTable};
use scumble_release::{Anatomy, Angel, BATCH, GROUP, Generalized, Permuted, TUPLE, problems};
use scumble_table::{Code, Decimal, Monitor, with_codes};
use std::cmp::Ordering;

/// Tests of each column.
const TESTS: usize = 3;

/// The orders in which the columns of a table are looked at.
struct ColumnOrders {
    /// As the rows stand.
    place: bool,
    /// By the numbers of their tuples.
    tuple: Option<RowsByNumber>,
    /// Groups or batches by their numbers.
    groups: Vec<RowsByNumber>,
}

impl ColumnOrders {
    fn new(table: &str, raw: &RawTable, mapped: &[Vec<u32>]) -> ColumnOrders {
        let place = is_of_people(table);
        let tuple = if place { raw.integers(TUPLE).map(RowsByNumber::new) } else { None };
        let own = if has_groups(table) { raw.integers(GROUP).or(raw.integers(BATCH)) } else { None };
        let of_mappings = mapped.iter().filter(|_| table == Permuted::PEOPLE).map(Vec::as_slice);
        ColumnOrders { place, tuple, groups: own.into_iter().chain(of_mappings).map(RowsByNumber::new).collect() }
    }

    /// How many orders there are for a column, which may be one of numbers of groups.
    fn n(&self, is_number: bool) -> usize {
        let of_groups = if is_number { 0 } else { self.groups.len() * Figures::N };
        usize::from(self.place) + usize::from(self.tuple.is_some()) + of_groups
    }

    /// Every way in which a column is sorted beyond what chance explains in this number of tests.
    fn complaints(
        &self,
        table: &str,
        (column, cells): (&str, &RawColumn),
        tests: usize,
        monitor: Monitor<'_>,
    ) -> Vec<String> {
        let is_number = is_number(column);
        let mut found = Vec::new();
        if self.n(is_number) == 0 {
            return found;
        }
        let ranks = ranks(cells);
        let goes_on = || !monitor.is_cancelled();
        if let Some(sorted) = Some(&ranks).filter(|_| self.place).and_then(|ranks| sorted(ranks, tests)) {
            found.push(format!("the rows of `{table}` {sorted} by `{column}`: they were not shuffled"));
        }
        if let Some(sorted) = self.tuple.as_ref().filter(|_| goes_on()).and_then(|by| sorted(&by.ranks(&ranks), tests))
        {
            let order = format!("the rows of `{table}`, in the order of `{TUPLE}`,");
            found.push(format!("{order} {sorted} by `{column}`: the numbers tell it"));
        }
        for groups in self.groups.iter().filter(|_| !is_number && goes_on()) {
            for (figure, ranks) in groups.figures(|row| Some(ranks[row as usize])).different().filter(|_| goes_on()) {
                if let Some(sorted) = sorted(ranks, tests) {
                    found.push(numbers_tell(table, sorted, &format!("{figure} of `{column}`")));
                }
            }
        }
        found
    }

    /// Whether the numbers of groups follow their sizes.
    fn complaints_of_sizes(&self, table: &str, tests: usize) -> Vec<String> {
        let of = |groups: &RowsByNumber| Some(numbers_tell(table, sorted(&groups.sizes(), tests)?, "size"));
        self.groups.iter().filter_map(of).collect()
    }
}

fn numbers_tell(table: &str, sorted: &str, by: &str) -> String {
    format!("the groups of `{table}`, in the order of their numbers, {sorted} by {by}: the numbers tell it")
}

fn is_number(column: &str) -> bool {
    [GROUP, BATCH].contains(&column)
}

/// Whether the numbers of groups follow what their rows rank by: the least, middle, greatest or mean rank.
pub(super) fn numbers_follow(groups: &RowsByNumber, rank: impl Fn(u32) -> Option<u32> + Sync, tests: usize) -> bool {
    groups.figures(rank).different().any(|(_, figures)| follows(figures, tests * Figures::N))
}

/// A table, its orders, and the column that they are held against; without one, the sizes of its groups.
type OrderTest<'a> = (&'a str, &'a ColumnOrders, Option<(&'a str, &'a RawColumn)>);

/// Whether the rows of a table of people are sorted by some column, the numbers of tuples, groups or batches follow one, or
/// several tables of the same people stand in one order. The rows of other tables are sorted by contract.
pub(super) fn check(tables: &[(&str, &RawTable)], monitor: Monitor<'_>) -> Result<String, String> {
    let mapped = mapped_groups(tables);
    let orders: Vec<ColumnOrders> =
        tables.par_iter().map(|(table, raw)| ColumnOrders::new(table, raw, &mapped)).collect();
    let mut all: Vec<OrderTest<'_>> = Vec::new();
    let mut n = 0;
    for ((table, raw), orders) in tables.iter().zip(&orders) {
        for (name, cells) in raw.names.iter().zip(&raw.columns).filter(|(name, _)| *name != TUPLE) {
            n += orders.n(is_number(name));
            all.push((table, orders, Some((name, cells))));
        }
        if is_of_people(table) {
            n += orders.groups.len();
            all.push((table, orders, None));
        }
    }
    let joined = shared_order::pairs(tables);
    let tests = n * TESTS + joined.len() * shared_order::TESTS;
    let mut found: Vec<String> = all
        .par_iter()
        .filter(|_| !monitor.is_cancelled())
        .flat_map_iter(|(table, orders, column)| match column {
            Some(column) => orders.complaints(table, *column, tests, monitor),
            None => orders.complaints_of_sizes(table, tests),
        })
        .collect();
    found.extend(joined.iter().filter_map(|pair| pair.complaint(tests)));
    problems(found, || format!("no order by any of {n} columns and numbers; false alarms below {FALSE_ALARM:e}"))
}

/// The groups of permuted people, row by row, as each mapping has them. What does not read as a mapping is told elsewhere.
fn mapped_groups(tables: &[(&str, &RawTable)]) -> Vec<Vec<u32>> {
    let people = tables.iter().find(|(name, _)| *name == Permuted::PEOPLE);
    let Some(tuples) = people.and_then(|(_, raw)| raw.integers(TUPLE)) else { return Vec::new() };
    let mappings = tables.iter().filter(|(name, _)| name.starts_with(Permuted::MAPPING));
    mappings
        .filter_map(|(_, raw)| {
            let mut group_of = vec![NULL_INTEGER; tuples.len() + 1];
            for (&tuple, &group) in raw.integers(TUPLE)?.iter().zip(raw.integers(GROUP)?) {
                *group_of.get_mut(tuple as usize)? = group;
            }
            tuples.iter().map(|&tuple| group_of.get(tuple as usize).copied()).collect()
        })
        .collect()
}

/// Whether a table has a row for each person, or for each value of a group.
fn has_groups(table: &str) -> bool {
    is_of_people(table) || [Anatomy::SENSITIVE, Angel::BATCHES].contains(&table)
}

fn is_of_people(table: &str) -> bool {
    let angel = table == Angel::GENERALIZED || table.starts_with(Angel::MARGINAL);
    angel || [Generalized::TABLE, Permuted::PEOPLE, Anatomy::PEOPLE].contains(&table)
}

/// How rows are sorted, if they are sorted more than chance explains.
fn sorted(ranks: &[u32], tests: usize) -> Option<&'static str> {
    let cut = median(ranks);
    let beyond = |ln: f64| is_beyond(ln, tests);
    if beyond(uneven_pairs(ranks)) {
        Some("rise or fall")
    } else if beyond(runs(ranks, |rank| rank < cut)) || beyond(runs(ranks, |rank| rank % 2 == 0)) {
        Some("lie together")
    } else {
        None
    }
}

/// Whether ranks rise or fall, or small and large ones lie together, beyond what chance explains.
pub(super) fn follows(ranks: &[u32], tests: usize) -> bool {
    let cut = median(ranks);
    is_beyond(uneven_pairs(ranks), tests) || is_beyond(runs(ranks, |rank| rank < cut), tests)
}

/// The probability of at most this many runs of neighbours that `is` says the same of.
fn runs(ranks: &[u32], is: impl Fn(u32) -> bool) -> f64 {
    let a = ranks.iter().filter(|&&rank| is(rank)).count() as u64;
    let runs = ranks.chunk_by(|x, y| is(*x) == is(*y)).count() as u64;
    ln_few_runs(a, ranks.len() as u64 - a, runs)
}

/// The probability that at least this many pairs of neighbours rise, or fall. Pairs share no row, so they are independent
/// coins; pairs of equal values are left out.
fn uneven_pairs(ranks: &[u32]) -> f64 {
    let (mut tosses, mut rising) = (0, 0);
    for pair in ranks.chunks_exact(2) {
        tosses += u64::from(pair[0] != pair[1]);
        rising += u64::from(pair[0] < pair[1]);
    }
    ln_uneven(tosses, rising)
}

/// A rank that leaves about half of the rows below it.
fn median(ranks: &[u32]) -> u32 {
    let mut ranks = ranks.to_vec();
    let half = ranks.len() / 2;
    if ranks.is_empty() {
        return 0;
    }
    let middle = *ranks.select_nth_unstable(half).1;
    let (below, through) = ranks.iter().fold((0usize, 0usize), |(below, through), &rank| {
        (below + usize::from(rank < middle), through + usize::from(rank <= middle))
    });
    if half - below <= through - half { middle } else { middle + 1 }
}

/// The rank of each row's value: numbers by value, other texts alphabetically, intervals by their lower end.
fn ranks(cells: &RawColumn) -> Vec<u32> {
    match cells {
        RawColumn::Skipped => Vec::new(),
        // An empty cell is the greatest integer, and the cut after it must not overflow.
        RawColumn::Integer(numbers) => numbers.iter().map(|&number| number.min(u32::MAX - 1)).collect(),
        RawColumn::Text { dictionary, codes } => {
            let of_code = ranks_of_texts(dictionary);
            with_codes!(codes, |codes| codes.iter().map(|&code| of_code[code as usize]).collect())
        }
    }
}

/// The rank of each code's text.
fn ranks_of_texts(dictionary: &Dictionary) -> Vec<u32> {
    let begin = |text: &str| Decimal::parse(text.trim_start_matches('[').split(',').next().unwrap_or_default());
    let mut order: Vec<(Option<Decimal>, &str, Code)> =
        dictionary.iter().zip(1..).map(|(text, code)| (begin(text), text, code)).collect();
    order.par_sort_unstable_by(|a, b| match (&a.0, &b.0) {
        (Some(x), Some(y)) => x.cmp(y).then(a.1.cmp(b.1)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.1.cmp(b.1),
    });
    let mut ranks = vec![0; dictionary.len() + 1];
    for (rank, (.., code)) in (1..).zip(&order) {
        ranks[*code as usize] = rank;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shuffled table: 0 to n in the order of a multiplicative generator.
    fn shuffled(n: u64, seed: u64) -> Vec<u32> {
        let mut all: Vec<u32> = (0..n as u32).collect();
        let mut state = seed * 2 + 1;
        for at in (1..n).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            all.swap(at as usize, ((state >> 33) % (at + 1)) as usize);
        }
        all
    }

    #[test]
    fn shuffled_rows_raise_no_alarm() {
        for seed in 0..200 {
            for n in [1, 2, 10, 100, 3000] {
                let rows = shuffled(n, seed);
                assert_eq!(sorted(&rows, 1), None, "{n} {seed}");
                let few: Vec<u32> = rows.iter().map(|rank| rank % 3).collect();
                assert_eq!(sorted(&few, 1), None, "{n} {seed}");
                let groups: Vec<u32> = rows.iter().map(|rank| rank / 4).collect();
                assert_eq!(sorted(&groups, 1), None, "{n} {seed}");
            }
        }
        assert_eq!(sorted(&[], 1), None);
        assert_eq!(sorted(&[5; 100], 1), None);
    }

    #[test]
    fn sorted_rows_do() {
        let rows = shuffled(400, 3);
        let mut up = rows.clone();
        up.sort_unstable();
        let down: Vec<u32> = up.iter().rev().copied().collect();
        assert_eq!((sorted(&up, 300), sorted(&down, 300)), (Some("rise or fall"), Some("rise or fall")));
        let two: Vec<u32> = up.iter().map(|rank| rank / 200).collect();
        assert_eq!(sorted(&two, 300), Some("lie together"));
        // Groups of eight, laid group by group in any order.
        let laid: Vec<u32> = shuffled(50, 9).iter().flat_map(|&group| [group; 8]).collect();
        assert_eq!(sorted(&laid, 300), Some("lie together"));
        // Sorted inside a few long stretches.
        let stretches: Vec<u32> = rows
            .chunks(50)
            .flat_map(|part| {
                let mut part = part.to_vec();
                part.sort_unstable();
                part
            })
            .collect();
        assert!(sorted(&stretches, 300).is_some());
    }

    #[test]
    fn numbers_that_tell_are_seen() {
        let values = shuffled(400, 5);
        let number = |by: &dyn Fn(usize) -> u32| (0..400).map(by).collect::<Vec<u32>>();
        let rising = number(&|row| values[row]);
        let drawn = shuffled(400, 6);
        assert_eq!(sorted(&values, 300), None);
        let by = |numbers: &[u32]| sorted(&RowsByNumber::new(numbers).ranks(&values), 300);
        assert_eq!((by(&rising), by(&drawn)), (Some("rise or fall"), None));
        // Groups of four whose numbers follow their values.
        let by_value = RowsByNumber::new(&number(&|row| values[row] / 4));
        let by_lot = shuffled(100, 7);
        let by_lot = RowsByNumber::new(&number(&|row| by_lot[values[row] as usize / 4]));
        for (groups, expected) in [(&by_value, Some("rise or fall")), (&by_lot, None)] {
            let rank = |row: u32| Some(values[row as usize]);
            let figures = groups.figures(rank);
            assert!(figures.different().all(|(_, figure)| sorted(figure, 300) == expected));
            assert_eq!(figures.different().count(), Figures::N);
            assert_eq!(numbers_follow(groups, rank, 300), expected.is_some());
        }
    }

    /// Groups whose numbers follow one figure are seen by that figure.
    #[test]
    fn every_figure_is_looked_at() {
        // 100 groups of 4, drawn at random.
        let values = shuffled(400, 11);
        let drawn: Vec<u32> = (0..400).map(|row| row / 4).collect();
        let rank = |row: u32| Some(values[row as usize]);
        for (at, (name, figure)) in RowsByNumber::new(&drawn).figures(rank).different().enumerate() {
            let mut order: Vec<(u32, u32)> = figure.iter().copied().zip(0..).collect();
            order.sort_unstable();
            let mut number = vec![0; 100];
            order.iter().zip(1..).for_each(|((_, group), new)| number[*group as usize] = new);
            let groups = RowsByNumber::new(&drawn.iter().map(|&group| number[group as usize]).collect::<Vec<u32>>());
            let seen = groups.figures(rank).different().nth(at).map(|(_, figure)| sorted(figure, 300).is_some());
            assert_eq!(seen, Some(true), "{name}");
            assert!(numbers_follow(&groups, rank, 100), "{name}");
        }
    }

    #[test]
    fn medians_halve_the_rows() {
        assert_eq!(median(&[1, 2, 3, 4]), 3);
        assert_eq!(median(&[1, 1, 1, 2]), 2);
        assert_eq!(median(&[1, 2, 2, 2]), 2);
        assert_eq!(median(&[7]), 7);
    }
}
