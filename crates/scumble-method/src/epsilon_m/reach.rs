//! The box around the members of a growing group, and what one more member would add to it.

use crate::axis::{Axis, Shape};

/// How much a candidate's distance from the middle of the box counts in addition to the growth of the box:
/// enough to order candidates that grow it equally, no more.
const MIDDLE: f64 = 1e-3;

/// The least box around some rows, axis by axis.
#[derive(Debug, Clone)]
pub(crate) struct LeastBox<'a> {
    axes: &'a [Axis],
    sides: Vec<Side>,
}

#[derive(Debug, Clone)]
struct Side {
    low: u32,
    high: u32,
    /// Positions of a set, null among them; empty on other axes.
    labels: Vec<u32>,
    cost: f64,
    middle: f64,
}

impl<'a> LeastBox<'a> {
    /// The box around one row.
    pub(crate) fn around(axes: &'a [Axis], at: &[u32]) -> Self {
        let side = |(axis, &position): (&Axis, &u32)| {
            let labels = if axis.shape() == Shape::Set { vec![position] } else { Vec::new() };
            let middle = if axis.shape() == Shape::Interval { axis.place(position) } else { 0.0 };
            Side { low: position, high: position, labels, cost: 0.0, middle }
        };
        LeastBox { axes, sides: axes.iter().zip(at).map(side).collect() }
    }

    /// Grows to hold a row.
    pub(crate) fn add(&mut self, at: &[u32]) {
        for ((axis, side), &position) in self.axes.iter().zip(&mut self.sides).zip(at) {
            side.cost += growth(axis, side, position);
            side.low = side.low.min(position);
            side.high = side.high.max(position);
            match axis.shape() {
                Shape::Set if !side.labels.contains(&position) => side.labels.push(position),
                Shape::Interval => side.middle = (axis.place(side.low) + axis.place(side.high)) / 2.0,
                _ => {}
            }
        }
    }

    /// NCP of the box, summed over the axes.
    pub(crate) fn cost(&self) -> f64 {
        self.sides.iter().map(|side| side.cost).sum()
    }

    /// How badly a row would fit: the growth of the box, then the distance from its middle.
    #[inline]
    pub(crate) fn strain(&self, at: &[u32]) -> f64 {
        let mut total = 0.0;
        for ((axis, side), &position) in self.axes.iter().zip(&self.sides).zip(at) {
            total += growth(axis, side, position);
            if axis.shape() == Shape::Interval {
                total += MIDDLE * (axis.place(position) - side.middle).abs();
            }
        }
        total
    }

    /// No row between `low` and `high` on every axis suits better than this.
    pub(crate) fn least_strain(&self, low: &[u32], high: &[u32]) -> f64 {
        let mut total = 0.0;
        for (a, (axis, side)) in self.axes.iter().zip(&self.sides).enumerate() {
            if axis.shape() == Shape::Set {
                if !side.labels.iter().any(|label| (low[a]..=high[a]).contains(label)) {
                    total += axis.least_growth(side.low, side.high, low[a], high[a], side.cost);
                }
                continue;
            }
            if high[a] < side.low {
                total += growth(axis, side, high[a]);
            } else if low[a] > side.high {
                total += growth(axis, side, low[a]);
            }
            if axis.shape() == Shape::Interval {
                let outside = (axis.place(low[a]) - side.middle).max(side.middle - axis.place(high[a]));
                total += MIDDLE * outside.max(0.0);
            }
        }
        total
    }
}

#[inline]
fn growth(axis: &Axis, side: &Side, position: u32) -> f64 {
    if axis.shape() == Shape::Set {
        if side.labels.contains(&position) {
            return 0.0;
        }
        let null = position == 0 || side.labels.contains(&0);
        let labels = side.labels.iter().filter(|&&label| label > 0).count() as u32 + u32::from(position > 0);
        return axis.set_cost(labels, null, side.low.min(position), side.high.max(position)) - side.cost;
    }
    if (side.low..=side.high).contains(&position) {
        return 0.0;
    }
    axis.span_cost(side.low.min(position), side.high.max(position)) - side.cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use scumble_table::{Decimal, Domain, Hierarchy};
    use std::sync::Arc;

    fn axes(uneven: f64) -> Vec<Axis> {
        let rows: Vec<Vec<String>> = ["a;x;*", "b;x;*", "c;y;*", "d;y;*", "e;y;*"]
            .iter()
            .map(|row| row.split(';').map(String::from).collect())
            .collect();
        let tree = Arc::new(Hierarchy::from_rows("h", &rows, &[1, 2, 3, 4, 5]).unwrap());
        let labels = || Domain::nominal(["a", "b", "c", "d", "e"].map(Box::from).to_vec());
        let numbers = Domain::numbers([1, 2, 4, 8, 16].map(Decimal::from).to_vec()).unwrap();
        [numbers, labels(), labels().with_hierarchy("h", "c", tree).unwrap()]
            .iter()
            .map(|domain| {
                let mut axis = Axis::new(domain, &[0, 9, 4, 3, 3, 1]);
                axis.weigh_unevenness(uneven);
                axis
            })
            .collect()
    }

    fn naive(axes: &[Axis], rows: &[[u32; 3]]) -> f64 {
        let cost = |(a, axis): (usize, &Axis)| {
            let mut at: Vec<u32> = rows.iter().map(|row| row[a]).collect();
            at.sort_unstable();
            at.dedup();
            match axis.shape() {
                Shape::Set => {
                    let labels = at.iter().filter(|&&p| p > 0).count() as u32;
                    axis.set_cost(labels, at[0] == 0, at[0], at[at.len() - 1])
                }
                _ => axis.span_cost(at[0], at[at.len() - 1]),
            }
        };
        axes.iter().enumerate().map(cost).sum()
    }

    proptest! {
        #[test]
        fn growth_adds_up_and_bounds_hold(rows in prop::collection::vec([0u32..6, 0u32..6, 0u32..6], 1..8), low in [0u32..6, 0u32..6, 0u32..6], more in [0u32..3, 0u32..3, 0u32..3], uneven in prop::sample::select(vec![0.0, 0.3])) {
            let axes = axes(uneven);
            let mut reach = LeastBox::around(&axes, &rows[0]);
            rows[1..].iter().for_each(|row| reach.add(row));
            prop_assert!((reach.cost() - naive(&axes, &rows)).abs() < 1e-9);
            let high: Vec<u32> = (0..3).map(|a| (low[a] + more[a]).min(5)).collect();
            let bound = reach.least_strain(&low, &high);
            for x in low[0]..=high[0] { for y in low[1]..=high[1] { for z in low[2]..=high[2] {
                prop_assert!(reach.strain(&[x, y, z]) >= bound - 1e-9);
            } } }
        }
    }
}
