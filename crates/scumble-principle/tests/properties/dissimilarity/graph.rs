//! Small graphs as sets of bits, and every way to divide their vertices.

use crate::dice::Dice;
use scumble_principle::Neighbours;
use scumble_principle::dissimilarity::theory::allowed;
use scumble_table::Decimal;

/// Up to 32 rows, and which are near which.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) near: Vec<u32>,
}

impl Graph {
    pub(crate) fn new(n: usize, edges: &[(usize, usize)]) -> Self {
        let mut graph = Graph { near: vec![0; n] };
        edges.iter().for_each(|&(a, b)| graph.join(a, b));
        graph
    }

    /// Edges between random rows, of which none gets more than `most_degree`.
    pub(crate) fn random(dice: &mut Dice, n: usize, most_degree: usize) -> Self {
        let mut graph = Graph::new(n, &[]);
        let tries = if dice.once_in(2) { 4 * n * n } else { dice.below(n * n) };
        for _ in 0..tries {
            let (a, b) = (dice.below(n), dice.below(n));
            if a != b && graph.degree(a).max(graph.degree(b)) < most_degree as u32 {
                graph.join(a, b);
            }
        }
        graph
    }

    fn join(&mut self, a: usize, b: usize) {
        self.near[a] |= 1 << b;
        self.near[b] |= 1 << a;
    }

    pub(crate) fn n(&self) -> usize {
        self.near.len()
    }

    fn degree(&self, row: usize) -> u32 {
        self.near[row].count_ones()
    }

    pub(crate) fn max_degree(&self) -> u64 {
        self.near.iter().map(|near| u64::from(near.count_ones())).max().unwrap_or(0)
    }

    /// Neighbours of a row in a class.
    pub(crate) fn within(&self, row: usize, class: u32) -> u64 {
        (self.near[row] & class).count_ones().into()
    }

    pub(crate) fn neighbours(&self) -> Neighbours {
        let near = self.near.clone();
        Neighbours::from_fn(self.n(), move |a, b| near[a as usize] >> b & 1 == 1)
    }

    /// Whether the rows of a set pass as a group.
    pub(crate) fn passes(&self, group: u32, k: u64, delta: Decimal) -> bool {
        let size = u64::from(group.count_ones());
        let most = allowed(size, delta);
        size >= k.max(2) && rows(group).all(|row| self.within(row, group) <= most)
    }

    /// Whether some partition of all rows into groups passes: every partition is tried, by their sets of rows.
    pub(crate) fn is_feasible(&self, k: u64, delta: Decimal) -> bool {
        let all = (1u32 << self.n()) - 1;
        let passes: Vec<bool> = (0..=all).map(|set| self.passes(set, k, delta)).collect();
        let mut feasible = vec![false; passes.len()];
        feasible[0] = true;
        for set in 1..=all {
            let first = 1 << set.trailing_zeros();
            let rest = set ^ first;
            // The group of the first row is that row and some of the others.
            let mut some = rest;
            loop {
                if passes[(some | first) as usize] && feasible[(rest ^ some) as usize] {
                    feasible[set as usize] = true;
                    break;
                }
                if some == 0 {
                    break;
                }
                some = (some - 1) & rest;
            }
        }
        feasible[all as usize]
    }

    /// Whether the rows can be put into classes of these sizes, each row with at most `t` neighbours in its class.
    pub(crate) fn is_colourable(&self, sizes: &[u64], t: u64) -> bool {
        self.colour(0, &mut vec![0; sizes.len()], sizes, t)
    }

    fn colour(&self, row: usize, classes: &mut [u32], sizes: &[u64], t: u64) -> bool {
        if row == self.n() {
            return true;
        }
        for at in 0..classes.len() {
            let class = classes[at];
            // Classes of one size that are still empty are alike.
            let alike = classes[..at].iter().zip(sizes).any(|(other, size)| *other == 0 && *size == sizes[at]);
            let fits = u64::from(class.count_ones()) < sizes[at] && !(class == 0 && alike);
            let near = self.near[row] & class;
            if fits && u64::from(near.count_ones()) <= t && rows(near).all(|other| self.within(other, class) < t) {
                classes[at] |= 1 << row;
                if self.colour(row + 1, classes, sizes, t) {
                    return true;
                }
                classes[at] = class;
            }
        }
        false
    }

    /// The rows of the largest clique.
    pub(crate) fn largest_clique(&self) -> u32 {
        let is_clique = |set: &u32| rows(*set).all(|row| (self.near[row] | 1 << row) & set == *set);
        (0..1u32 << self.n()).filter(is_clique).max_by_key(|set| set.count_ones()).unwrap_or(0)
    }
}

/// The rows of a set.
pub(crate) fn rows(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |row| set >> row & 1 == 1)
}
