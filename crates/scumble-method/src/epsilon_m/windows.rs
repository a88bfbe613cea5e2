//! How many of the rows that are left lie in each window of near values.
//!
//! The window of a value v holds the values from v up to the greatest one that conflicts with it.
//! All of them conflict with each other, so a group of rows that keep apart takes at most one row
//! from each window, and the fullest window tells how many groups the rows need (paper 1, Theorem 1).
//! Counts change by runs of windows and the fullest is asked for at every step: a tree of maxima
//! with pending additions does both in O(log values).

/// Row counts of windows, kept under removals.
#[derive(Debug)]
pub(crate) struct Windows {
    /// Leaves of the tree; a power of two.
    width: usize,
    /// Greatest count below each node, without what is pending above it.
    most: Vec<i32>,
    /// What is to be added to every window below a node.
    pending: Vec<i32>,
}

/// Stands where there is no window; no sum of pending additions brings it near a real count.
const NOTHING: i32 = i32::MIN / 2;

impl Windows {
    /// Windows with these counts.
    pub(crate) fn new(counts: &[i32]) -> Self {
        let width = counts.len().next_power_of_two();
        let mut most = vec![NOTHING; 2 * width];
        most[width..width + counts.len()].copy_from_slice(counts);
        for node in (1..width).rev() {
            most[node] = most[2 * node].max(most[2 * node + 1]);
        }
        Windows { width, most, pending: vec![0; 2 * width] }
    }

    /// The count of the fullest window.
    pub(crate) fn fullest(&self) -> i32 {
        self.most[1]
    }

    /// The first window with the greatest count.
    pub(crate) fn first_fullest(&self) -> usize {
        let (mut node, mut wanted) = (1, self.most[1]);
        while node < self.width {
            wanted -= self.pending[node];
            node = if self.most[2 * node] == wanted { 2 * node } else { 2 * node + 1 };
        }
        node - self.width
    }

    /// Adds to the counts of the windows `first..=last`.
    pub(crate) fn add(&mut self, first: usize, last: usize, change: i32) {
        // Bottom up: whole nodes inside the run take the change, and their parents are mended after.
        let (mut low, mut high) = (first + self.width, last + self.width + 1);
        let (from, to) = (low, high - 1);
        while low < high {
            if low & 1 == 1 {
                self.change(low, change);
                low += 1;
            }
            if high & 1 == 1 {
                high -= 1;
                self.change(high, change);
            }
            low /= 2;
            high /= 2;
        }
        self.mend(from);
        self.mend(to);
    }

    fn change(&mut self, node: usize, change: i32) {
        self.most[node] += change;
        if node < self.width {
            self.pending[node] += change;
        }
    }

    fn mend(&mut self, leaf: usize) {
        let mut node = leaf / 2;
        while node >= 1 {
            self.most[node] = self.most[2 * node].max(self.most[2 * node + 1]) + self.pending[node];
            node /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_tree_counts_like_a_list(
            counts in prop::collection::vec(0i32..9, 1..40),
            changes in prop::collection::vec((0usize..40, 0usize..40, -3i32..4), 0..60),
        ) {
            let mut list = counts.clone();
            let mut tree = Windows::new(&counts);
            for (a, b, change) in changes {
                let (a, b) = (a % list.len(), b % list.len());
                let (first, last) = (a.min(b), a.max(b));
                tree.add(first, last, change);
                list[first..=last].iter_mut().for_each(|count| *count += change);
                let most = list.iter().copied().max().unwrap();
                prop_assert_eq!(tree.fullest(), most);
                prop_assert_eq!(tree.first_fullest(), list.iter().position(|&count| count == most).unwrap());
            }
        }
    }
}
