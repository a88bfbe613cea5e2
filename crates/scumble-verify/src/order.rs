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
use super::shared_order;
use rayon::prelude::*;
use scumble_io::{Dictionary, NULL_INTEGER, RawColumn, RawTable};
use scumble_release::{Anatomy, Angel, BATCH, GROUP, Generalized, Permuted, TUPLE, problems};
use scumble_table::{Code, Decimal, with_codes};
use std::cmp::Ordering;

/// Tests of each column.
const TESTS: usize = 3;

/// What a group is looked at by.
#[derive(Clone, Copy)]
enum Figure {
    Least,
    Middle,
    Greatest,
    Mean,
    Size,
}

impl Figure {
    /// Those that depend on values.
    const OF_VALUES: [Figure; 4] = [Figure::Least, Figure::Middle, Figure::Greatest, Figure::Mean];

    /// The figure of a group whose ranks rise.
    fn take(self, ranks: &[(u32, u32)]) -> u32 {
        match self {
            Figure::Least => ranks[0].1,
            Figure::Middle => ranks[(ranks.len() - 1) / 2].1,
            Figure::Greatest => ranks[ranks.len() - 1].1,
            Figure::Mean => (ranks.iter().map(|pair| u64::from(pair.1)).sum::<u64>() / ranks.len() as u64) as u32,
            Figure::Size => ranks.len() as u32,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Figure::Least => "least value",
            Figure::Middle => "middle value",
            Figure::Greatest => "greatest value",
            Figure::Mean => "mean value",
            Figure::Size => "size",
        }
    }
}

/// An order that rows or groups have in a table.
#[derive(Clone, Copy)]
enum By<'a> {
    /// As the rows stand.
    Place,
    /// By the numbers of their tuples.
    Tuple(&'a [u32]),
    /// Groups or batches by their numbers.
    Group(&'a [u32], Figure),
}

impl By<'_> {
    /// The ranks in this order, one for each row or group.
    fn arranged(self, ranks: Vec<u32>) -> Vec<u32> {
        match self {
            By::Place => ranks,
            By::Tuple(numbers) => numbered(numbers, &ranks).into_iter().map(|pair| pair.1).collect(),
            By::Group(numbers, figure) => of_groups(numbers, &ranks, figure),
        }
    }

    fn complaint(self, table: &str, column: &str, sorted: &str) -> String {
        match self {
            By::Place => format!("the rows of `{table}` {sorted} by `{column}`: they were not shuffled"),
            By::Tuple(_) => {
                format!("the rows of `{table}`, in the order of `{TUPLE}`, {sorted} by `{column}`: the numbers tell it")
            }
            By::Group(_, figure) => {
                let of_column = if matches!(figure, Figure::Size) { String::new() } else { format!(" of `{column}`") };
                let figure = figure.name();
                format!(
                    "the groups of `{table}`, in the order of their numbers, {sorted} by {figure}{of_column}: \
                     the numbers tell it"
                )
            }
        }
    }
}

/// Numbers and ranks, by rising number. Suppressed rows have no number.
fn numbered(numbers: &[u32], ranks: &[u32]) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> =
        numbers.iter().copied().zip(ranks.iter().copied()).filter(|pair| pair.0 != NULL_INTEGER).collect();
    pairs.par_sort_unstable();
    pairs
}

fn of_groups(numbers: &[u32], ranks: &[u32], figure: Figure) -> Vec<u32> {
    numbered(numbers, ranks).chunk_by(|a, b| a.0 == b.0).map(|group| figure.take(group)).collect()
}

/// Whether the numbers of groups follow what their rows rank by, be it the least, middle, greatest or mean rank.
pub(super) fn numbers_follow(numbers: &[u32], ranks: &[u32], tests: usize) -> bool {
    let pairs = numbered(numbers, ranks);
    let groups: Vec<&[(u32, u32)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
    Figure::OF_VALUES.iter().any(|figure| {
        let figures: Vec<u32> = groups.iter().map(|group| figure.take(group)).collect();
        follows(&figures, tests * Figure::OF_VALUES.len())
    })
}

/// Whether the rows of a table of people are sorted by some column, the numbers of tuples, groups or batches follow one, or
/// several tables of the same people stand in one order. The rows of other tables are sorted by contract.
pub(super) fn check(tables: &[(&str, &RawTable)]) -> Result<String, String> {
    let mapped = mapped_groups(tables);
    let mut all: Vec<(&str, &str, &RawColumn, By<'_>)> = Vec::new();
    for (table, raw) in tables {
        let mut orders: Vec<By<'_>> = Vec::new();
        if is_of_people(table) {
            orders.push(By::Place);
            orders.extend(raw.integers(TUPLE).map(By::Tuple));
        }
        let own = if has_groups(table) { raw.integers(GROUP).or(raw.integers(BATCH)) } else { None };
        let of_mappings = mapped.iter().filter(|_| *table == Permuted::PEOPLE).map(Vec::as_slice);
        let groups: Vec<&[u32]> = own.into_iter().chain(of_mappings).collect();
        orders.extend(groups.iter().flat_map(|groups| Figure::OF_VALUES.map(|figure| By::Group(groups, figure))));
        for (name, cells) in raw.names.iter().zip(&raw.columns).filter(|(name, _)| *name != TUPLE) {
            let is_number = [GROUP, BATCH].contains(&name.as_str());
            let told = orders.iter().filter(|by| !(is_number && matches!(by, By::Group(..))));
            all.extend(told.map(|by| (*table, name.as_str(), cells, *by)));
        }
        // The size of a group does not depend on a column; any will do.
        if let Some((name, cells)) = raw.names.iter().zip(&raw.columns).next().filter(|_| is_of_people(table)) {
            all.extend(groups.iter().map(|groups| (*table, name.as_str(), cells, By::Group(groups, Figure::Size))));
        }
    }
    let joined = shared_order::pairs(tables);
    let tests = all.len() * TESTS + joined.len() * shared_order::TESTS;
    let mut found: Vec<String> = all
        .par_iter()
        .filter_map(|(table, column, cells, by)| {
            Some(by.complaint(table, column, sorted(&by.arranged(ranks(cells)), tests)?))
        })
        .collect();
    found.extend(joined.iter().filter_map(|pair| pair.complaint(tests)));
    let n = all.len();
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
        assert_eq!(sorted(&By::Tuple(&rising).arranged(values.clone()), 300), Some("rise or fall"));
        assert_eq!(sorted(&By::Tuple(&drawn).arranged(values.clone()), 300), None);
        // Groups of four whose numbers follow the least of their values.
        let by_value = number(&|row| values[row] / 4);
        for figure in Figure::OF_VALUES {
            assert_eq!(sorted(&By::Group(&by_value, figure).arranged(values.clone()), 300), Some("rise or fall"));
        }
        let by_lot = shuffled(100, 7);
        let by_lot = number(&|row| by_lot[values[row] as usize / 4]);
        for figure in Figure::OF_VALUES {
            assert_eq!(sorted(&By::Group(&by_lot, figure).arranged(values.clone()), 300), None);
        }
        assert!(numbers_follow(&by_value, &values, 300) && !numbers_follow(&by_lot, &values, 300));
        // A suppressed row is in no group.
        let figures = |figure| By::Group(&[2, 1, 2, u32::MAX, 1, 2], figure).arranged(vec![5, 9, 3, 0, 8, 10]);
        assert_eq!((figures(Figure::Least), figures(Figure::Middle)), (vec![8, 3], vec![8, 5]));
        assert_eq!((figures(Figure::Greatest), figures(Figure::Mean)), (vec![9, 10], vec![8, 6]));
        assert_eq!(figures(Figure::Size), [2, 3]);
    }

    /// Groups whose numbers follow one figure are seen by that figure.
    #[test]
    fn every_figure_is_looked_at() {
        // 100 groups of 4, drawn at random.
        let values = shuffled(400, 11);
        let drawn: Vec<u32> = (0..400).map(|row| row / 4).collect();
        for figure in Figure::OF_VALUES {
            let mut order: Vec<(u32, u32)> = of_groups(&drawn, &values, figure).into_iter().zip(0..).collect();
            order.sort_unstable();
            let mut number = vec![0; 100];
            order.iter().zip(1..).for_each(|((_, group), new)| number[*group as usize] = new);
            let groups: Vec<u32> = drawn.iter().map(|&group| number[group as usize]).collect();
            assert!(sorted(&By::Group(&groups, figure).arranged(values.clone()), 300).is_some(), "{}", figure.name());
            assert!(numbers_follow(&groups, &values, 100), "{}", figure.name());
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
