//! Values group by group, rising inside each group, with sums of any run of them.

use super::exact::Total;
use std::ops::Range;

/// Whole numbers, in eight bytes each where all of them fit.
#[derive(Debug, Clone)]
enum Numbers {
    Narrow(Vec<i64>),
    Wide(Vec<i128>),
}

impl Numbers {
    /// `narrow` says that all numbers fit 64 bits.
    fn collect(narrow: bool, numbers: impl Iterator<Item = i128>) -> Self {
        if narrow { Numbers::Narrow(numbers.map(|n| n as i64).collect()) } else { Numbers::Wide(numbers.collect()) }
    }

    fn get(&self, at: usize) -> i128 {
        match self {
            Numbers::Narrow(numbers) => i128::from(numbers[at]),
            Numbers::Wide(numbers) => numbers[at],
        }
    }

    /// How many of these numbers, which rise, are at most `limit`.
    fn at_most(&self, limit: i128, places: Range<usize>) -> usize {
        match self {
            Numbers::Narrow(numbers) => numbers[places].partition_point(|&number| i128::from(number) <= limit),
            Numbers::Wide(numbers) => numbers[places].partition_point(|&number| number <= limit),
        }
    }
}

/// The values that can match, group by group.
///
/// ```text
/// first   0         3    4          group g has values[first[g]..first[g + 1]], rising
/// values  54 55 56 | 65 | 75 80     values that are not null
/// rows    3          2    2         places that match, null or not
/// ```
#[derive(Debug, Clone)]
pub(super) struct Runs {
    first: Vec<u32>,
    rows: Vec<u32>,
    values: Numbers,
    /// Sum of all values before a place, modulo 2^128 (see [`Runs::sum`]).
    sums: Numbers,
    /// Population variance of the values of each group.
    variance: Vec<f64>,
}

impl Runs {
    /// From the matching places of each group: values, which rise, and then nulls. There are about `n_places` of them.
    pub(super) fn from_groups(
        groups: impl Iterator<Item = impl Iterator<Item = Option<i128>>>,
        n_places: usize,
    ) -> Self {
        let (mut first, mut rows, mut values) = (vec![0], Vec::new(), Vec::with_capacity(n_places));
        for group in groups {
            let mut n_rows = 0;
            values.extend(group.inspect(|_| n_rows += 1).flatten());
            first.push(values.len() as u32);
            rows.push(n_rows);
        }
        Runs::new(first, rows, values)
    }

    /// From values that rise inside each group.
    fn new(first: Vec<u32>, rows: Vec<u32>, values: Vec<i128>) -> Self {
        let most = values.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0);
        let narrow_sums = most.checked_mul(values.len() as u128).is_some_and(|most| most <= i64::MAX as u128);
        let mut sum = 0i128;
        let sums = std::iter::once(0).chain(values.iter().map(|&value| {
            sum = sum.wrapping_add(value);
            sum
        }));
        let sums = Numbers::collect(narrow_sums, sums);
        let variance = first.windows(2).map(|w| variance(&values[w[0] as usize..w[1] as usize])).collect();
        let narrow = most <= i64::MAX as u128;
        let values = Numbers::collect(narrow, values.into_iter());
        Runs { first, rows, values, sums, variance }
    }

    pub(super) fn group(&self, group: u32) -> Run<'_> {
        let group = group as usize;
        Run { runs: self, start: self.first[group] as usize, end: self.first[group + 1] as usize, group }
    }

    /// Differences of sums modulo 2^128 are exact where the true sum fits 128 bits, and it does where the
    /// number of values times the largest of them does. Else the values are added one by one.
    fn sum(&self, places: Range<usize>) -> Total {
        let mut total = Total::default();
        if places.is_empty() {
            return total;
        }
        let (least, greatest) = (self.values.get(places.start), self.values.get(places.end - 1));
        let most = least.unsigned_abs().max(greatest.unsigned_abs());
        if most.checked_mul(places.len() as u128).is_some_and(|most| most <= i128::MAX as u128) {
            total.add(self.sums.get(places.end).wrapping_sub(self.sums.get(places.start)));
        } else {
            places.for_each(|place| total.add(self.values.get(place)));
        }
        total
    }
}

/// The matching values of one group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    runs: &'a Runs,
    start: usize,
    end: usize,
    group: usize,
}

impl Run<'_> {
    /// Number of values that are not null.
    pub(super) fn len(&self) -> u64 {
        (self.end - self.start) as u64
    }

    /// Number of matching places, also those that are null.
    pub(super) fn rows(&self) -> u64 {
        u64::from(self.runs.rows[self.group])
    }

    /// The value at a place, counted upwards from 0.
    pub(super) fn value(&self, place: u64) -> i128 {
        self.runs.values.get(self.start + place as usize)
    }

    /// Sum of the `n` least values.
    pub(super) fn least(&self, n: u64) -> Total {
        self.runs.sum(self.start..self.start + n as usize)
    }

    /// Sum of the `n` greatest values.
    pub(super) fn greatest(&self, n: u64) -> Total {
        self.runs.sum(self.end - n as usize..self.end)
    }

    /// Number of values that are at most `limit`.
    pub(super) fn at_most(&self, limit: i128) -> u64 {
        // Most questions are settled by one of the ends.
        if self.start == self.end || self.runs.values.get(self.start) > limit {
            return 0;
        }
        if self.runs.values.get(self.end - 1) <= limit {
            return self.len();
        }
        self.runs.values.at_most(limit, self.start..self.end) as u64
    }

    /// Mean of the values; 0 where there is none.
    pub(super) fn mean(&self) -> f64 {
        if self.len() == 0 { 0.0 } else { self.least(self.len()).to_f64() / self.len() as f64 }
    }

    /// Population variance of the values.
    pub(super) fn variance(&self) -> f64 {
        self.runs.variance[self.group]
    }
}

/// Population variance of rising values. Differences from the least are exact before they are rounded, so that
/// near values far from 0 keep their digits.
fn variance(rising: &[i128]) -> f64 {
    let Some(&base) = rising.first() else { return 0.0 };
    let n = rising.len() as f64;
    let off = |value: &i128| value.wrapping_sub(base) as u128 as f64;
    let mean = rising.iter().map(off).sum::<f64>() / n;
    rising.iter().map(|value| (off(value) - mean).powi(2)).sum::<f64>() / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_add_up_at_any_width() {
        for unit in [1, 1 << 40, 10i128.pow(30), 2 * 10i128.pow(37)] {
            let values: Vec<i128> = [-3, 1, 2, 4, 4].iter().map(|n| n * unit).collect();
            let runs = Runs::new(vec![0, 3, 5, 5], vec![3, 2, 0], values);
            let (a, b, c) = (runs.group(0), runs.group(1), runs.group(2));
            assert_eq!((a.len(), b.len(), c.len()), (3, 2, 0));
            assert_eq!((a.least(2).finish().unwrap(), a.value(2)), (-2 * unit, 2 * unit));
            assert_eq!((a.at_most(-4 * unit), a.at_most(unit), a.at_most(5 * unit), c.at_most(0)), (0, 2, 3, 0));
            if unit < 10i128.pow(37) {
                assert_eq!(b.greatest(2).finish().unwrap(), 8 * unit);
            } else {
                assert!(b.greatest(2).finish().is_err() && b.greatest(1).finish().is_ok());
            }
            assert!((a.variance() / (unit as f64).powi(2) - 14.0 / 3.0).abs() < 1e-12);
            assert_eq!((b.variance(), c.variance(), c.mean()), (0.0, 0.0, 0.0));
        }
    }

    #[test]
    fn near_values_far_from_zero_keep_their_variance() {
        let base = 10i128.pow(20);
        let runs = Runs::new(vec![0, 2], vec![2], vec![base, base + 2]);
        assert_eq!(runs.group(0).variance(), 1.0);
    }
}
