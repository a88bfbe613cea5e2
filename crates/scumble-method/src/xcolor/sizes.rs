//! How large classes are.
//!
//! The paper makes as many classes as there can be: floor(n / k), of k or k + 1 rows. Groups must
//! have at least k rows, and may have more; and what a class allows does not grow smoothly with its size. With k = 10 and
//! delta = 0.9 a class of 10 allows a row floor(0.1 * 9) = 0 near others, and one of 11 allows it one: it can hold twice
//! as many rows of a clique. So the sizes that are tried are k and the size from k on whose classes hold the greatest
//! share of a clique. Classes are equitable in either case: their number is chosen first, and sizes differ by at most
//! one.

use super::context::SearchContext;
use scumble_principle::dissimilarity::theory::{Classes, allowed};
use scumble_table::Decimal;

/// Steps of t beyond that of k that are looked at; the gain falls with each.
const STEPS: u64 = 3;

/// A roomier size that is at most this many times as large as k is taken without a look at k itself.
const LITTLE_MORE: f64 = 1.25;

/// Least sizes of classes to try, the most promising first. `all` also tries those that promise less.
pub(crate) fn least_sizes(context: &SearchContext<'_>, all: bool) -> Vec<u64> {
    let (k, n) = (context.least, context.n() as u64);
    let steps = roomier(k, context.delta()).into_iter().filter(|&size| size <= n);
    let mut sizes: Vec<u64> = steps.collect();
    let share = |size: u64| (allowed(size, context.delta()) + 1) as f64 / size as f64;
    sizes.sort_by(|a, b| share(*b).total_cmp(&share(*a)).then(a.cmp(b)));
    sizes.retain(|&size| share(size) > share(k));
    if !all {
        sizes.truncate(1);
    }
    if all || sizes.first().is_none_or(|&size| size as f64 > LITTLE_MORE * k as f64) {
        sizes.push(k);
    }
    sizes
}

/// The least sizes above k at which one more near other is allowed.
fn roomier(k: u64, delta: Decimal) -> Vec<u64> {
    let mut sizes = Vec::new();
    let mut size = k;
    for _ in 0..STEPS {
        let t = allowed(size, delta);
        // Twice the size always allows more, unless delta is 1.
        let (mut low, mut high) = (size + 1, size.saturating_mul(2).max(size + 2));
        if allowed(high, delta) <= t {
            break;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if allowed(middle, delta) > t { high = middle } else { low = middle + 1 }
        }
        sizes.push(low);
        size = low;
    }
    sizes
}

/// Sizes of the classes in the order in which they are cut off a line, the larger ones spread evenly.
pub(crate) fn along(classes: Classes, n: usize) -> Vec<usize> {
    let (n, m) = (n as u128, u128::from(classes.count));
    let end = |class: u128| (class * n / m) as usize;
    (0..m).map(|class| end(class + 1) - end(class)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_more_allows_one_neighbour_more() {
        let delta = |text: &str| Decimal::parse(text).unwrap();
        assert_eq!(roomier(10, delta("0.9")), [11, 21, 31]);
        assert_eq!(roomier(10, delta("0.8")), [11, 16, 21]);
        assert_eq!(roomier(5, delta("0.8")), [6, 11, 16]);
        assert_eq!(roomier(7, delta("0")), [8, 9, 10]);
        assert!(roomier(7, delta("1")).is_empty());
    }

    #[test]
    fn sizes_are_equitable_and_add_up() {
        for (n, k) in [(11, 6), (11, 2), (100, 7), (7, 7), (23, 5), (5, 2)] {
            let classes = Classes::new(n, k).unwrap();
            let mut sizes = along(classes, n as usize);
            assert_eq!(sizes.iter().sum::<usize>(), n as usize);
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(sizes, classes.sizes().map(|size| size as usize).collect::<Vec<_>>());
            assert!(sizes.iter().all(|&size| size as u64 >= k));
        }
        assert_eq!(along(Classes::new(11, 6).unwrap(), 11), [11]);
    }
}
