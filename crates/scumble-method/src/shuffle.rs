//! A uniformly random order of many things, drawn on all cores.
//!
//! Every item draws a bucket, and each bucket is shuffled by itself: the same as sorting by random
//! keys, so every order is equally likely, but with memory touched bucket by bucket. Streams of
//! coins belong to blocks and buckets, not to threads, so the order is the same for any number of
//! threads.

use crate::coins::{Coins, Purpose};
use crate::pieces::starts;
use rayon::prelude::*;

/// Items that draw their buckets from one stream.
const BLOCK: usize = 1 << 16;

/// Buckets of a large shuffle; one byte of coins chooses among them without bias.
const BUCKETS: usize = 256;

/// The numbers 0..n in a random order.
pub(crate) fn random_order(n: usize, coins: &Coins, purpose: Purpose) -> Vec<u32> {
    shuffled((0..n as u32).collect(), coins, purpose)
}

/// Some things in a random order.
pub(crate) fn shuffled<T: Copy + Default + Send + Sync>(mut items: Vec<T>, coins: &Coins, purpose: Purpose) -> Vec<T> {
    let n = items.len();
    if n <= BLOCK {
        coins.stream(purpose, 0).shuffle(&mut items);
        return items;
    }
    // Blocks first: the items of a block, gathered by bucket.
    let blocks: Vec<(Vec<T>, Vec<u32>)> = items
        .par_chunks(BLOCK)
        .enumerate()
        .map(|(block, items)| {
            let mut drawn = vec![0u8; items.len()];
            coins.stream(purpose, 1 + block as u64).fill(&mut drawn);
            let mut sizes = [0u32; BUCKETS];
            drawn.iter().for_each(|&bucket| sizes[usize::from(bucket)] += 1);
            let starts = starts(sizes);
            let (mut at, mut gathered) = (starts.clone(), vec![T::default(); items.len()]);
            for (&item, &bucket) in items.iter().zip(&drawn) {
                let place = &mut at[usize::from(bucket)];
                gathered[*place as usize] = item;
                *place += 1;
            }
            (gathered, starts)
        })
        .collect();
    drop(items);
    let buckets: Vec<Vec<T>> = (0..BUCKETS)
        .into_par_iter()
        .map(|bucket| {
            let mut items: Vec<T> = Vec::with_capacity(n / BUCKETS + n / BUCKETS / 8);
            for (gathered, starts) in &blocks {
                items.extend_from_slice(&gathered[starts[bucket] as usize..starts[bucket + 1] as usize]);
            }
            coins.stream(purpose, u64::MAX - bucket as u64).shuffle(&mut items);
            items
        })
        .collect();
    drop(blocks);
    buckets.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_once_and_no_trace_of_the_old_order() {
        for n in [0, 1, 2, BLOCK, BLOCK + 1, 300_000] {
            let order = random_order(n, &Coins::from_seed(5), Purpose::RowOrder);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..n as u32));
            if n > 1000 {
                // Rank correlation of a fair shuffle has deviation 1/sqrt(n); allow six.
                let mean = (n as f64 - 1.0) / 2.0;
                let cov: f64 = order.iter().enumerate().map(|(i, &x)| (i as f64 - mean) * (f64::from(x) - mean)).sum();
                let var: f64 = (0..n).map(|i| (i as f64 - mean).powi(2)).sum();
                assert!((cov / var).abs() < 6.0 / (n as f64).sqrt(), "{}", cov / var);
            }
        }
    }

    #[test]
    fn same_order_for_any_number_of_threads() {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| random_order(200_000, &Coins::from_seed(9), Purpose::RowOrder))
        };
        assert_eq!(with(1), with(2));
        assert_eq!(with(1), with(8));
    }
}
