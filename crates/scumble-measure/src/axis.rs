//! An attribute as a line, and the rows of a table as places on it.

use crate::Draw;

/// The line along which an attribute is measured: whole numbers and days at their value, labels at
/// their position, decimals by length.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Name of the column.
    pub name: String,
    /// True where values are counted, false where they are measured by length.
    pub discrete: bool,
    /// The least place.
    pub lo: f64,
    /// The greatest place.
    pub hi: f64,
    /// True where values have an order, so that queries ask for intervals of them.
    pub ordered: bool,
}

impl Axis {
    /// The axis of numbers or days between two ends; whole ones are counted (paper 1: max - min + 1).
    pub fn between(name: impl Into<String>, discrete: bool, lo: f64, hi: f64) -> Self {
        Axis { name: name.into(), discrete, lo, hi, ordered: true }
    }

    /// The axis of `n_labels` labels, at the places 0, 1, ...
    pub fn labels(name: impl Into<String>, n_labels: usize) -> Self {
        Axis { name: name.into(), discrete: true, lo: 0.0, hi: n_labels as f64 - 1.0, ordered: true }
    }

    /// The axis of `n_labels` labels whose order means nothing.
    pub fn nominal(name: impl Into<String>, n_labels: usize) -> Self {
        Axis { ordered: false, ..Axis::labels(name, n_labels) }
    }

    /// Number of values, or length.
    pub fn size(&self) -> f64 {
        if self.discrete { (self.hi - self.lo + 1.0).max(0.0) } else { self.hi - self.lo }
    }

    /// How much of the axis a closed interval inside it holds, as a share.
    pub fn share(&self, (a, b): (f64, f64)) -> f64 {
        let held = if self.discrete { b - a + 1.0 } else { b - a };
        if self.size() > 0.0 { held / self.size() } else { 1.0 }
    }

    /// A random closed interval of `n` values, or a share `part` of the axis where it is measured by length.
    pub(super) fn interval(&self, n: f64, part: f64, draw: &mut Draw) -> (f64, f64) {
        if !self.discrete {
            let length = self.size() * part;
            let start = self.lo + draw.share() * (self.size() - length);
            return (start, start + length);
        }
        let start = self.lo + draw.below((self.size() - n).max(0.0) as u64 + 1) as f64;
        (start, start + n - 1.0)
    }
}

/// The rows of a column on its axis, as ranks among the places that occur: comparing ranks compares
/// places, four bytes a row.
#[derive(Debug, Clone)]
pub struct Positions {
    axis: Axis,
    /// The places that occur, rising.
    at: Vec<f64>,
    /// For each row 1 + its rank in `at`; 0 is null, which lies in no interval.
    ranks: Vec<u32>,
}

impl Positions {
    /// Rows by codes into a table of places; a code whose place is NaN is null.
    ///
    /// # Panics
    /// If a code has no place.
    pub fn from_codes(axis: Axis, places: &[f64], codes: impl Iterator<Item = u32>) -> Self {
        let mut order: Vec<u32> = (0..places.len() as u32).filter(|&code| !places[code as usize].is_nan()).collect();
        order.sort_by(|&a, &b| places[a as usize].total_cmp(&places[b as usize]));
        let mut at: Vec<f64> = Vec::with_capacity(order.len());
        let mut rank_of = vec![0u32; places.len()];
        for code in order {
            // Adding 0 makes one place of -0 and 0.
            let place = places[code as usize] + 0.0;
            if at.last() != Some(&place) {
                at.push(place);
            }
            rank_of[code as usize] = at.len() as u32;
        }
        let ranks = codes.map(|code| rank_of[code as usize]).collect();
        Positions { axis, at, ranks }
    }

    /// Rows by their place; NaN is null.
    pub fn from_places(axis: Axis, places: &[f64]) -> Self {
        Positions::from_codes(axis, places, 0..places.len() as u32)
    }

    /// Some rows in an order of their own.
    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let ranks = rows.iter().map(|&row| self.ranks[row as usize]).collect();
        Positions { axis: self.axis.clone(), at: self.at.clone(), ranks }
    }

    /// The axis.
    pub fn axis(&self) -> &Axis {
        &self.axis
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// True when there is no row.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The place of a row; NaN where it is null.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn place(&self, row: usize) -> f64 {
        (self.ranks[row] as usize).checked_sub(1).map_or(f64::NAN, |rank| self.at[rank])
    }

    pub(super) fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The places by rank, from the rank 1.
    pub(super) fn places(&self) -> &[f64] {
        &self.at
    }
}

/// The ranks whose places lie in a closed interval.
pub(super) fn ranks_between(places: &[f64], (a, b): (f64, f64)) -> Ranks {
    let first = places.partition_point(|&place| place < a) as u32;
    let end = places.partition_point(|&place| place <= b) as u32;
    Ranks { first: first + 1, n: end.saturating_sub(first) }
}

/// A run of ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ranks {
    pub(super) first: u32,
    pub(super) n: u32,
}

impl Ranks {
    /// True if a rank is in the run; one comparison, so that loops over rows stay narrow.
    #[inline]
    pub(super) fn holds(self, rank: u32) -> bool {
        rank.wrapping_sub(self.first) < self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_compare_as_places_do() {
        let axis = Axis::between("x", true, -1.0, 7.0);
        let positions = Positions::from_places(axis, &[3.0, f64::NAN, -1.0, 3.0, 0.0, -0.0, 7.0]);
        assert_eq!(positions.ranks(), [3, 0, 1, 3, 2, 2, 4]);
        assert!(positions.place(1).is_nan() && positions.place(6) == 7.0);
        let ranks = ranks_between(positions.places(), (0.0, 6.0));
        assert_eq!(positions.ranks().iter().filter(|&&rank| ranks.holds(rank)).count(), 4);
        assert!(!ranks_between(positions.places(), (4.0, 6.5)).holds(0));
        assert_eq!(ranks_between(&[], (0.0, 1.0)).n, 0);
    }

    #[test]
    fn sizes_count_or_measure() {
        assert_eq!(Axis::between("x", true, 3.0, 12.0).size(), 10.0);
        assert_eq!(Axis::between("x", false, 3.0, 12.0).size(), 9.0);
        assert_eq!((Axis::labels("x", 4).size(), Axis::labels("x", 0).size()), (4.0, 0.0));
        assert_eq!(Axis::labels("x", 4).share((1.0, 2.0)), 0.5);
    }
}
