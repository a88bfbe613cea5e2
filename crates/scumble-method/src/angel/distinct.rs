//! Batches of pairwise different values: which requirements they serve, and, for `max-utility`, batches of such values
//! that lie near each other.
//!
//! Rows of which no value has more than one in `m` can be divided into batches of `m` to `2m - 1` different values:
//! with `n` rows left a value is tight if it has `q = n / m` of them, rounded down. A batch takes a row of every
//! tight value and then others up to `m`, so afterwards no value has more than `q - 1`, which is what the remaining
//! rows allow; and when fewer than `2m` are left, all of them differ.

use scumble_principle::{BoundRequirements, Group, Principle};
use scumble_table::{Bag, Code, Monitor};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many sizes of batches are tried above the least.
const TRIES: u64 = 1 << 10;

/// Which values must differ in a batch, and how many rows it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Distinct {
    /// The sensitive column, by its place among them.
    pub(super) column: usize,
    /// The least size of a batch.
    pub(super) m: usize,
}

impl Distinct {
    /// The least batches of different values that meet the requirements, where these look at one column and at nothing
    /// but how often values occur; then any batch of at least as many different values meets them too.
    pub(super) fn serving(bound: &BoundRequirements) -> Option<Distinct> {
        let counts_only = |principle: &dyn Principle| principle.counts_values() || !principle.needs_values();
        // A batch of as many different values, one of them null, has too few where null does not count.
        if bound.tests().iter().any(|bound| bound.test().ignores_missing()) {
            return None;
        }
        let &[column] = bound.sensitive_needed().as_slice() else { return None };
        if !bound.requirements().iter().all(|requirement| counts_only(requirement.principle())) {
            return None;
        }
        let holds = |size: u64| {
            let mut bags = vec![Bag::default(); column + 1];
            bags[column] = Bag::from_codes(1..=size as Code);
            bound.holds(Group { size, bags: &bags })
        };
        let least = bound.least_size();
        // Beyond this no table has rows enough, and no bag of the size should be built.
        let sizes = least..least.saturating_add(TRIES).min(u64::from(u32::MAX) / 1024);
        let m = sizes.into_iter().find(|&size| holds(size))?;
        Some(Distinct { column, m: usize::try_from(m).ok()? })
    }
}

/// Puts the rows of a bucket in the order in which batches of different values should take them: values with many rows
/// before those with few, and even after each row, since what is left in the end is what has to go to batches of other
/// buckets. Rows for which that is the same keep their order.
pub(super) fn evenly<T: Copy>(rows: &mut [T], code: impl Fn(T) -> Code) {
    let mut by_code: Vec<(Code, u32)> = rows.iter().map(|&row| code(row)).zip(0..).collect();
    by_code.sort_unstable();
    let mut order: Vec<(Reverse<usize>, u32)> = Vec::with_capacity(rows.len());
    for same in by_code.chunk_by(|a, b| a.0 == b.0) {
        order.extend(same.iter().enumerate().map(|(i, &(_, at))| (Reverse(same.len() - i), at)));
    }
    order.sort_unstable();
    let old = rows.to_vec();
    for (row, (_, at)) in rows.iter_mut().zip(order) {
        *row = old[at as usize];
    }
}

/// The values of some rows, and which rows of each are left.
struct Values {
    /// Rows, value by value, rising within each.
    rows: Vec<u32>,
    /// Where the rows of each value that are left start in `rows`.
    next: Vec<u32>,
    /// Where they end.
    end: Vec<u32>,
}

impl Values {
    fn new(codes: &[Code]) -> Self {
        let mut rows: Vec<u32> = (0..codes.len() as u32).collect();
        rows.sort_unstable_by_key(|&row| (codes[row as usize], row));
        let (mut next, mut end) = (Vec::new(), Vec::new());
        for (at, &row) in rows.iter().enumerate() {
            if at == 0 || codes[row as usize] != codes[rows[at - 1] as usize] {
                next.push(at as u32);
                end.push(at as u32);
            }
            if let Some(last) = end.last_mut() {
                *last += 1;
            }
        }
        Values { rows, next, end }
    }

    /// How many values there were at first.
    fn len(&self) -> usize {
        self.next.len()
    }

    /// How many rows of a value are left.
    fn count(&self, value: usize) -> usize {
        (self.end[value] - self.next[value]) as usize
    }

    /// The first row of a value that is left.
    fn first(&self, value: usize) -> Option<u32> {
        (self.count(value) > 0).then(|| self.rows[self.next[value] as usize])
    }

    /// Takes the first row of a value.
    fn take(&mut self, value: usize) -> u32 {
        let at = self.next[value] as usize;
        self.next[value] += 1;
        self.rows[at]
    }
}

/// Divides rows with these values into batches of at least `m` different ones, as long as no value has more than one
/// row in `m`. Each member is the first row that would do. Returns the rows of the batches laid end to end, and their
/// sizes.
pub(super) fn deal(codes: &[Code], m: usize, monitor: Monitor<'_>) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut values = Values::new(codes);
    let mut left = codes.len();
    if left < m || (0..values.len()).any(|value| values.count(value) > left / m) {
        return None;
    }
    let (mut rows, mut sizes) = (Vec::with_capacity(left), Vec::with_capacity(left / m));
    // Values by the number of rows that they came to have left; those that have fewer by now are out of date.
    let mut with_count: Vec<Vec<u32>> = vec![Vec::new(); left / m + 1];
    // The first row of every value; out of date once another row of the value is the first.
    let mut firsts: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::with_capacity(values.len());
    for value in 0..values.len() {
        with_count[values.count(value)].push(value as u32);
        firsts.extend(values.first(value).map(|row| Reverse((row, value as u32))));
    }
    let mut used = Vec::<u32>::new();
    let mut is_used = vec![false; values.len()];
    while left >= 2 * m {
        if monitor.is_cancelled() {
            return None;
        }
        let q = left / m;
        let tight = std::mem::take(&mut with_count[q]);
        for value in tight {
            if values.count(value as usize) == q && !is_used[value as usize] {
                rows.push(values.take(value as usize));
                is_used[value as usize] = true;
                used.push(value);
            }
        }
        while used.len() < m {
            // There always is one: values that are not used have rows, or the invariant above would not hold.
            let Reverse((row, value)) = firsts.pop()?;
            if is_used[value as usize] || values.first(value as usize) != Some(row) {
                continue;
            }
            rows.push(values.take(value as usize));
            is_used[value as usize] = true;
            used.push(value);
        }
        sizes.push(used.len() as u32);
        left -= used.len();
        for value in used.drain(..) {
            is_used[value as usize] = false;
            with_count[values.count(value as usize)].push(value);
            firsts.extend(values.first(value as usize).map(|row| Reverse((row, value))));
        }
    }
    let rest =
        (0..values.len()).flat_map(|value| &values.rows[values.next[value] as usize..values.end[value] as usize]);
    rows.extend(rest);
    sizes.push(left as u32);
    Some((rows, sizes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use scumble_principle::Requirement;
    use scumble_table::{Attribute, Domain, Schema};

    fn serving(texts: &[&str]) -> Option<Distinct> {
        let requirements: Vec<Requirement> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let domain = Domain::numbers((0..9).map(Into::into).collect()).unwrap();
        let attribute =
            |name: &str| Attribute { name: name.into(), role: scumble_table::Role::Sensitive, domain: domain.clone() };
        let schema = Schema::new(vec![attribute("s"), attribute("t")]).unwrap();
        let bound = BoundRequirements::bind(&requirements, &schema, |_| Bag::from_codes(0..10)).unwrap();
        Distinct::serving(&bound)
    }

    #[test]
    fn requirements_on_counts_of_one_column_are_served() {
        let m = |texts: &[&str]| serving(texts).map(|distinct| (distinct.column, distinct.m));
        assert_eq!(m(&["t: frequency-l-diversity(4)"]), Some((1, 4)));
        assert_eq!(m(&["s: frequency-l-diversity(2.5)", "k-anonymity(7)"]), Some((0, 7)));
        assert_eq!(m(&["s: alpha-k-anonymity(0.3, 2)"]), Some((0, 4)));
        assert_eq!(m(&["s: entropy-l-diversity(3.2)", "s: distinct-l-diversity(3)"]), Some((0, 4)));
        // 1 < 0.5 (size - 3 + 1) from 5 on.
        assert_eq!(m(&["s: recursive-l-diversity(0.5, 3)"]), Some((0, 5)));
        for texts in [&["frequency-l-diversity(2)"][..], &["s: t-closeness(0.2)"], &["k-anonymity(5)"]] {
            assert_eq!(m(texts), None, "{texts:?}");
        }
    }

    #[test]
    fn the_first_rows_that_differ_are_taken_and_tight_values_before_them() {
        let (rows, sizes) = deal(&[1, 1, 2, 3, 3, 2], 2, Monitor::silent()).unwrap();
        assert_eq!((rows, sizes), (vec![0, 2, 3, 1, 5, 4], vec![2, 2, 2]));
        // The value 9 has three of six rows, so every batch holds one of them.
        let (rows, sizes) = deal(&[1, 2, 3, 9, 9, 9], 2, Monitor::silent()).unwrap();
        assert_eq!(sizes, [2, 2, 2]);
        assert!(rows.chunks(2).all(|batch| batch.iter().any(|&row| row > 2)));
        assert_eq!(deal(&[9, 9, 9, 1], 2, Monitor::silent()), None);
    }

    #[test]
    fn frequent_values_come_first_until_others_are_as_frequent() {
        let mut rows = ["a1", "b1", "b2", "a2", "b3", "c1"];
        evenly(&mut rows, |row| Code::from(row.as_bytes()[0]));
        assert_eq!(rows, ["b1", "a1", "b2", "a2", "b3", "c1"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn batches_differ_within_and_have_their_size(
            codes in prop::collection::vec(0u32..9, 1..80), m in 1usize..7,
        ) {
                let fullest = (0..9).map(|code| codes.iter().filter(|&&c| c == code).count()).max().unwrap();
            let dealt = deal(&codes, m, Monitor::silent());
            prop_assert_eq!(dealt.is_some(), fullest * m <= codes.len());
            if let Some((rows, sizes)) = dealt {
                let mut rest = rows.as_slice();
                for &size in &sizes {
                    let (batch, after) = rest.split_at(size as usize);
                    rest = after;
                    prop_assert!((m..2 * m).contains(&batch.len()));
                    let mut values: Vec<Code> = batch.iter().map(|&row| codes[row as usize]).collect();
                    values.sort_unstable();
                    values.dedup();
                    prop_assert_eq!(values.len(), batch.len());
                }
                prop_assert!(rest.is_empty());
                let mut sorted = rows;
                sorted.sort_unstable();
                prop_assert!(sorted.into_iter().eq(0..codes.len() as u32));
            }
        }
    }
}
