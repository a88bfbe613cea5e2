//! INITIALIZE, Algorithm 1 of the paper: rows by falling degree, each to the class with the least sum of degrees.

use super::context::SearchContext;
use crate::coins::Purpose;
use crate::shuffle::random_order;
use scumble_principle::dissimilarity::theory::Classes;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Classes of nearly equal sizes: all are filled to the smaller size first, then as many as there are rows
/// left take one more. Rows of equal degree stand in a random order.
pub(crate) fn initialize(context: &SearchContext<'_>, classes: Classes) -> Vec<Vec<u32>> {
    let degrees = context.degrees();
    let ties = random_order(context.value.len(), context.task.coins, Purpose::Ties);
    let degree = |row: u32| degrees[context.value[row as usize] as usize];
    let mut rows = context.rows.clone();
    rows.sort_unstable_by_key(|&row| (Reverse(degree(row)), ties[row as usize]));
    let (count, size) = (classes.count as usize, classes.size as usize);
    let mut classes: Vec<Vec<u32>> = vec![Vec::with_capacity(size + 1); count];
    let mut sums = vec![0u64; count];
    let (first, last) = rows.split_at(count * size);
    for (rows, most) in [(first, size), (last, size + 1)] {
        let mut open: BinaryHeap<Reverse<(u64, usize)>> =
            (0..count).map(|class| Reverse((sums[class], class))).collect();
        for &row in rows {
            let Some(Reverse((_, class))) = open.pop().filter(|_| !context.task.monitor.is_cancelled()) else { break };
            classes[class].push(row);
            sums[class] += degree(row);
            if classes[class].len() < most {
                open.push(Reverse((sums[class], class)));
            }
        }
    }
    classes
}
