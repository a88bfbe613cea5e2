//! Rows packed for the search: the positions of all quasi-identifiers side by side, and the row
//! number. A node of the tree is a slice of such rows, so every pass over a node runs through
//! memory once, and the least and greatest of all attributes are taken in a few vector
//! instructions.

use crate::axis::Axis;
use rayon::prelude::*;
use scumble_table::{Table, with_codes};

/// An unsigned integer wide enough for every position of a table's axes.
pub(crate) trait Position: Copy + Ord + Send + Sync + Into<u32> {
    /// The greatest value.
    const MAX: Self;
    /// Zero.
    const MIN: Self;
    /// From a position known to fit.
    fn from_position(position: u32) -> Self;
}

macro_rules! lane {
    ($($t:ty),*) => {$(
        impl Position for $t {
            const MAX: Self = <$t>::MAX;
            const MIN: Self = <$t>::MIN;
            #[inline]
            fn from_position(position: u32) -> Self {
                position as $t
            }
        }
    )*};
}
lane!(u8, u16, u32);

/// A row: positions on up to `D` axes (the rest zero) and its number in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<L, const D: usize> {
    /// Position on each axis.
    pub(crate) at: [L; D],
    /// Row number in the table.
    pub(crate) row: u32,
}

/// Packs the quasi-identifiers of all rows of a table.
pub(crate) fn pack<L: Position, const D: usize>(table: &Table, quasi: &[usize], axes: &[Axis]) -> Vec<Row<L, D>> {
    const BLOCK: usize = 1 << 14;
    let mut rows = vec![Row { at: [L::MIN; D], row: 0 }; table.n_rows()];
    rows.par_chunks_mut(BLOCK).enumerate().for_each(|(block, rows)| {
        let first = block * BLOCK;
        for (i, row) in rows.iter_mut().enumerate() {
            row.row = (first + i) as u32;
        }
        for (a, (&column, axis)) in quasi.iter().zip(axes).enumerate() {
            with_codes!(table.column(column), |codes| {
                for (row, &code) in rows.iter_mut().zip(&codes[first..]) {
                    #[allow(clippy::unnecessary_cast, reason = "the code is u32 in one of the three widths")]
                    let code = code as u32;
                    row.at[a] = L::from_position(axis.position(code));
                }
            });
        }
    });
    rows
}

/// The least box around some rows: least and greatest position on each axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span<L, const D: usize> {
    pub(crate) low: [L; D],
    pub(crate) high: [L; D],
}

impl<L: Position, const D: usize> Span<L, D> {
    /// The box around nothing.
    pub(crate) const EMPTY: Self = Span { low: [L::MAX; D], high: [L::MIN; D] };

    /// Grows to hold a row. Written so that the compiler turns it into vector minima and maxima.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: &[L; D]) {
        for ((low, high), at) in self.low.iter_mut().zip(&mut self.high).zip(at) {
            *low = (*low).min(*at);
            *high = (*high).max(*at);
        }
    }

    /// Grows to hold another box.
    #[inline(always)]
    pub(crate) fn join(&mut self, other: &Self) {
        for i in 0..D {
            self.low[i] = self.low[i].min(other.low[i]);
            self.high[i] = self.high[i].max(other.high[i]);
        }
    }
}
