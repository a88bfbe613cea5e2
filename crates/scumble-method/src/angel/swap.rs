//! Slot swaps, profile `max-utility` only: two rows with equal sensitive values in different buckets
//! exchange their batches where that brings the mixtures of the two buckets nearer to what they hold. Every batch
//! keeps its values, so whatever holds for the batches still does.
//!
//! A reader takes from a bucket C the mixture `f_C` of its batches (paper 4, equation 2). The sum of `-ln f_C(x)` over
//! the rows of C, x being their values, is its part of KL(D || D*), and falls with every swap.

use rayon::prelude::*;
use scumble_table::{Monitor, rows_by_group};

/// Rows that a row is compared with: the next ones of its value in the order of the buckets.
const NEAREST: usize = 12;

/// Passes over all rows, unless one finds nothing to do before. On 300,000 rows of the American Community Survey under
/// frequency-l-diversity(8) two bring nine tenths of what eight do, four nearly all.
const PASSES: usize = 4;

/// Rows of a block. Blocks are worked on at the same time; every other pass they start half a block later, so that
/// no border lasts.
const BLOCK: usize = 1 << 15;

/// A swap must save this many nats to be more than rounding.
const LEAST_GAIN: f64 = 1e-9;

/// A bucket and a batch that both have more values than this are not compared: it would take too long.
const MOST_VALUES: usize = 1 << 9;

/// Rows by their place in the order of the buckets.
pub(super) struct Places<'a> {
    /// The value of each place; equal numbers stand for equal values in all sensitive columns.
    pub(super) values: &'a [u32],
    /// Where each bucket starts, closed by the number of places.
    pub(super) buckets: &'a [u32],
}

/// How often each value occurs in some groups, group by group, as a share or a number.
struct Shares {
    starts: Vec<usize>,
    values: Vec<u32>,
    shares: Vec<f64>,
}

impl Shares {
    /// Counts the values of groups; each number is multiplied by what `scale` says of the group's size.
    fn count<'a>(groups: impl Iterator<Item = Vec<u32>> + 'a, scale: impl Fn(usize) -> f64) -> Self {
        let mut counted = Shares { starts: vec![0], values: Vec::new(), shares: Vec::new() };
        for mut group in groups {
            group.sort_unstable();
            for same in group.chunk_by(|a, b| a == b) {
                counted.values.push(same[0]);
                counted.shares.push(same.len() as f64 * scale(group.len()));
            }
            counted.starts.push(counted.values.len());
        }
        counted
    }

    fn group(&self, at: usize) -> (&[u32], &[f64]) {
        let range = self.starts[at]..self.starts[at + 1];
        (&self.values[range.clone()], &self.shares[range])
    }

    /// The share of a value in a group.
    fn share(&self, at: usize, value: u32) -> f64 {
        let (values, shares) = self.group(at);
        values.binary_search(&value).map_or(0.0, |place| shares[place])
    }
}

/// Improves the batches of places, which are given by their number; they keep their values.
pub(super) fn improve(places: &Places<'_>, batch_of: &mut [u32], n_batches: usize, monitor: Monitor<'_>) {
    let members = rows_by_group(batch_of, n_batches);
    let values = |batch: &[u32]| batch.iter().map(|&place| places.values[place as usize]).collect();
    let batches = Shares::count(members.groups().map(values), |size| 1.0 / size as f64);
    for pass in 0..PASSES {
        // Blocks begin where buckets do.
        let mut blocks = Vec::new();
        let mut rest = &mut *batch_of;
        let (mut first, mut wanted) = (0, if pass % 2 == 0 { BLOCK } else { BLOCK / 2 });
        for bucket in 1..places.buckets.len() {
            let size = (places.buckets[bucket] - places.buckets[first]) as usize;
            if size >= wanted || bucket + 1 == places.buckets.len() {
                let (block, after) = rest.split_at_mut(size);
                blocks.push((first..bucket, block));
                (rest, first, wanted) = (after, bucket, BLOCK);
            }
        }
        let swaps = |(buckets, batch_of): (std::ops::Range<usize>, &mut [u32])| match monitor.is_cancelled() {
            true => 0,
            false => Block::new(places, buckets, &batches, batch_of, monitor).improve(monitor),
        };
        if blocks.into_par_iter().map(swaps).sum::<usize>() == 0 {
            break;
        }
    }
}

/// Some buckets, with what readers take from them.
struct Block<'a> {
    batches: &'a Shares,
    batch_of: &'a mut [u32],
    /// The places of the block by value, then by place.
    by_value: Vec<(u32, u32)>,
    bucket_of: Vec<u32>,
    /// How often each value occurs in each bucket.
    held: Shares,
    /// For each of these values the sum of its shares in the batches of the bucket's rows: |C| times the mixture.
    mixed: Vec<f64>,
}

impl<'a> Block<'a> {
    /// Unfinished once the work is cancelled: nothing is swapped then.
    fn new(
        places: &Places<'a>,
        buckets: std::ops::Range<usize>,
        batches: &'a Shares,
        batch_of: &'a mut [u32],
        monitor: Monitor<'_>,
    ) -> Self {
        let first = places.buckets[buckets.start] as usize;
        let ranges = || buckets.clone().map(|at| places.buckets[at] as usize..places.buckets[at + 1] as usize);
        let held = Shares::count(ranges().map(|range| places.values[range].to_vec()), |_| 1.0);
        let (mut mixed, mut bucket_of) = (vec![0.0; held.values.len()], Vec::with_capacity(batch_of.len()));
        for (bucket, range) in ranges().enumerate() {
            for place in range.take_while(|_| !monitor.is_cancelled()) {
                bucket_of.push(bucket as u32);
                let batch = batch_of[place - first] as usize;
                let slots = held.starts[bucket]..held.starts[bucket + 1];
                for (mixed, &value) in mixed[slots.clone()].iter_mut().zip(&held.values[slots]) {
                    *mixed += batches.share(batch, value);
                }
            }
        }
        let values = &places.values[first..first + batch_of.len()];
        let mut by_value: Vec<(u32, u32)> = values.iter().copied().zip(0..).collect();
        by_value.sort_unstable();
        Block { batches, batch_of, by_value, bucket_of, held, mixed }
    }

    /// Swaps where that helps, and tells how often.
    fn improve(&mut self, monitor: Monitor<'_>) -> usize {
        let mut swaps = 0;
        for i in (0..self.by_value.len()).take_while(|_| !monitor.is_cancelled()) {
            let (value, one) = self.by_value[i];
            for j in i + 1..(i + 1 + NEAREST).min(self.by_value.len()) {
                let (other, two) = self.by_value[j];
                if other != value {
                    break;
                }
                swaps += usize::from(self.swap(one as usize, two as usize));
            }
        }
        swaps
    }

    /// Exchanges the batches of two places if that helps.
    fn swap(&mut self, one: usize, two: usize) -> bool {
        let (left, right) = (self.bucket_of[one] as usize, self.bucket_of[two] as usize);
        let (gives, takes) = (self.batch_of[one] as usize, self.batch_of[two] as usize);
        if left == right || gives == takes {
            return false;
        }
        let (Some(at_left), Some(at_right)) = (self.gain(left, gives, takes), self.gain(right, takes, gives)) else {
            return false;
        };
        if at_left + at_right <= LEAST_GAIN {
            return false;
        }
        self.exchange(left, gives, takes);
        self.exchange(right, takes, gives);
        self.batch_of.swap(one, two);
        true
    }

    /// By how many nats the rows of a bucket become likelier if one of its slots goes from a batch to another.
    fn gain(&self, bucket: usize, from: usize, to: usize) -> Option<f64> {
        let start = self.held.starts[bucket];
        let (values, counts) = self.held.group(bucket);
        let (old, new) = (self.batches.group(from), self.batches.group(to));
        let likelier = |at: usize, change: f64| counts[at] * (change / self.mixed[start + at]).ln_1p();
        if values.len() <= old.0.len() + new.0.len() {
            if values.len() > MOST_VALUES {
                return None;
            }
            let change = |value: u32| self.batches.share(to, value) - self.batches.share(from, value);
            return Some(values.iter().enumerate().map(|(at, &value)| likelier(at, change(value))).sum());
        }
        if old.0.len() + new.0.len() > MOST_VALUES {
            return None;
        }
        // Fewer values in the batches than in the bucket: those of either, each once.
        let find = |value: &u32| values.binary_search(value).ok();
        let of_new =
            new.0.iter().zip(new.1).filter_map(|(value, share)| {
                find(value).map(|at| likelier(at, share - self.batches.share(from, *value)))
            });
        let of_old = old.0.iter().zip(old.1).filter(|(value, _)| new.0.binary_search(value).is_err());
        let gone = of_old.filter_map(|(value, share)| find(value).map(|at| likelier(at, -share)));
        Some(of_new.chain(gone).sum())
    }

    fn exchange(&mut self, bucket: usize, from: usize, to: usize) {
        for at in self.held.starts[bucket]..self.held.starts[bucket + 1] {
            let value = self.held.values[at];
            self.mixed[at] += self.batches.share(to, value) - self.batches.share(from, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The sum of -ln f_C over all rows, by the definition.
    fn divergence(places: &Places<'_>, batch_of: &[u32], n_batches: usize) -> f64 {
        let share = |batch: usize, value: u32| {
            let rows: Vec<usize> = (0..batch_of.len()).filter(|&row| batch_of[row] as usize == batch).collect();
            rows.iter().filter(|&&row| places.values[row] == value).count() as f64 / rows.len() as f64
        };
        let mut table = std::collections::BTreeMap::new();
        for batch in 0..n_batches {
            for &value in places.values {
                table.entry((batch as u32, value)).or_insert_with(|| share(batch, value));
            }
        }
        let mut sum = 0.0;
        for bucket in places.buckets.windows(2) {
            let rows = bucket[0] as usize..bucket[1] as usize;
            for row in rows.clone() {
                let mixed: f64 = rows.clone().map(|other| table[&(batch_of[other], places.values[row])]).sum();
                sum -= (mixed / rows.len() as f64).ln();
            }
        }
        sum
    }

    fn values_of_batches(places: &Places<'_>, batch_of: &[u32], n_batches: usize) -> Vec<Vec<u32>> {
        let of = |batch: usize| {
            let rows = (0..batch_of.len()).filter(|&row| batch_of[row] as usize == batch);
            let mut values: Vec<u32> = rows.map(|row| places.values[row]).collect();
            values.sort_unstable();
            values
        };
        (0..n_batches).map(of).collect()
    }

    #[test]
    fn two_rows_in_each_others_batches_change_places() {
        // Buckets {a, b} and {a, c}; batches {a, c} and {a, b} cross them.
        let places = Places { values: &[1, 2, 1, 3], buckets: &[0, 2, 4] };
        let mut batch_of = [0, 1, 1, 0];
        improve(&places, &mut batch_of, 2, Monitor::silent());
        assert_eq!(batch_of, [1, 1, 0, 0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn batches_keep_their_values_and_nothing_gets_worse(
            rows in prop::collection::vec((0u32..5, 0u32..6), 1..60), size in 1usize..9,
        ) {
            let values: Vec<u32> = rows.iter().map(|row| row.0).collect();
            let mut buckets: Vec<u32> = (0..rows.len() as u32).step_by(size).collect();
            buckets.push(rows.len() as u32);
            let places = Places { values: &values, buckets: &buckets };
            // Batches are numbered without gaps.
            let mut numbers: Vec<u32> = rows.iter().map(|row| row.1).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let number = |batch: u32| numbers.iter().position(|&n| n == batch).unwrap() as u32;
            let mut batch_of: Vec<u32> = rows.iter().map(|row| number(row.1)).collect();
            let before = (values_of_batches(&places, &batch_of, numbers.len()), divergence(&places, &batch_of, numbers.len()));
            improve(&places, &mut batch_of, numbers.len(), Monitor::silent());
            prop_assert_eq!(values_of_batches(&places, &batch_of, numbers.len()), before.0);
            prop_assert!(divergence(&places, &batch_of, numbers.len()) <= before.1 + 1e-9);
        }
    }
}
