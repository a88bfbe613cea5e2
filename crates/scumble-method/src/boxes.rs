//! The least box around some rows, and what it costs.

use crate::axis::{Axis, Shape};

/// NCP of the least box around rows, each given by its positions on the axes; 0 for no rows and for one.
pub(crate) fn cost<'a>(axes: &[Axis], rows: impl Iterator<Item = &'a [u32]> + Clone) -> f64 {
    axes.iter().enumerate().map(|(a, axis)| side(axis, rows.clone().map(|row| row[a]))).sum()
}

/// The same along one axis.
#[inline]
fn side(axis: &Axis, positions: impl Iterator<Item = u32> + Clone) -> f64 {
    let (low, high) = positions.clone().fold((u32::MAX, 0), |(low, high), p| (low.min(p), high.max(p)));
    if axis.shape() != Shape::Set {
        return axis.span_cost(low, high);
    }
    if low >= high {
        return 0.0;
    }
    let labels = if axis.size() <= 128 {
        let seen = positions.fold(0u128, |seen, position| seen | 1 << position);
        (seen >> 1).count_ones()
    } else {
        let is_new = |i: usize, position: u32| positions.clone().take(i).all(|earlier| earlier != position);
        positions.clone().enumerate().filter(|&(i, position)| position > 0 && is_new(i, position)).count() as u32
    };
    axis.set_cost(labels, low == 0, low, high)
}
