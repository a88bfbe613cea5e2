//! How far apart two values of one column are, as a whole number of parts of a whole.

use scumble_table::{Code, Decimal, Domain, Hierarchy, Matrix, NULL, Result};
use std::sync::Arc;

/// The distances within one column: an amount divided by a denominator that all share.
#[derive(Debug, Clone)]
pub(crate) enum Amounts {
    /// Places on a line, null having none: the difference of two, times `steps`, of `length`.
    Line {
        /// By code.
        places: Vec<Option<i128>>,
        /// Amounts of a unit of places.
        steps: u128,
        /// The denominator.
        length: u128,
    },
    /// 0 for equal values, 1 for others.
    Equal,
    /// The level of the lowest common ancestor, of the height of the tree.
    Tree {
        /// The tree.
        tree: Arc<Hierarchy>,
        /// Position of each code's leaf.
        leaves: Vec<Option<u32>>,
    },
    /// What a file says, in units of its last digit.
    Matrix {
        /// By pairs of `width` codes; those that do not occur are 0.
        amounts: Vec<u64>,
        /// Number of codes.
        width: usize,
        /// Units of a distance of 1.
        one: u128,
    },
}

impl Amounts {
    pub(super) fn tree(domain: &Domain, tree: &Arc<Hierarchy>) -> Self {
        Amounts::Tree { tree: tree.clone(), leaves: (0..domain.n_codes() as Code).map(|c| domain.leaf(c)).collect() }
    }

    /// The distances of a file between the codes that occur.
    ///
    /// # Errors
    /// If the file lacks a pair, or its distances have too many digits.
    pub(super) fn matrix(
        file: &str,
        matrix: &Matrix,
        domain: &Domain,
        occurring: impl Iterator<Item = Code>,
    ) -> Result<Self> {
        let texts: Vec<(Code, String)> = occurring.map(|code| (code, domain.text(code).into_owned())).collect();
        let width = domain.n_codes();
        let mut found: Vec<(usize, Decimal)> = Vec::new();
        for (i, (a, row)) in texts.iter().enumerate() {
            for (b, column) in &texts[..i] {
                let distance = matrix.distance(row, column).ok_or_else(|| Matrix::lacks(file, row, column))?;
                found.push((*a as usize * width + *b as usize, distance));
                found.push((*b as usize * width + *a as usize, distance));
            }
        }
        let scale = found.iter().map(|(_, distance)| distance.scale()).max().unwrap_or(0);
        let one = 10u128.pow(u32::from(scale).min(38));
        let mut amounts = vec![0u64; width * width];
        for (at, distance) in found {
            let more = 10i128.pow(u32::from(scale - distance.scale()));
            let units = distance.mantissa().checked_mul(more).and_then(|units| u64::try_from(units).ok());
            amounts[at] = units.ok_or_else(|| {
                scumble_table::Error::data(file, "its distances have too many digits")
                    .hint("nine after the point will do")
            })?;
        }
        Ok(Amounts::Matrix { amounts, width, one })
    }

    /// What amounts are parts of; above 0.
    pub(crate) fn denominator(&self) -> u128 {
        match self {
            Amounts::Line { length, .. } => *length,
            Amounts::Equal => 1,
            Amounts::Tree { tree, .. } => u128::from(tree.height().max(1)),
            Amounts::Matrix { one, .. } => *one,
        }
    }

    /// The amount between two codes; null is a whole away from values. `None` where it has more than 128 bits.
    pub(crate) fn amount(&self, a: Code, b: Code) -> Option<u128> {
        if (a == NULL) != (b == NULL) {
            return Some(self.denominator());
        }
        if a == b {
            return Some(0);
        }
        match self {
            Amounts::Line { places, steps, .. } => {
                let (x, y) = (places[a as usize].unwrap_or(0), places[b as usize].unwrap_or(0));
                x.abs_diff(y).checked_mul(*steps)
            }
            Amounts::Equal => Some(1),
            Amounts::Tree { tree, leaves } => {
                let (x, y) = (leaves[a as usize].unwrap_or(0), leaves[b as usize].unwrap_or(0));
                Some(u128::from(tree.node(tree.lowest_over(x.min(y), x.max(y))).level))
            }
            Amounts::Matrix { amounts, width, .. } => Some(amounts[a as usize * width + b as usize].into()),
        }
    }

    /// No amount is above this; `None` where it has more than 128 bits.
    pub(super) fn most(&self) -> Option<u128> {
        let most = match self {
            Amounts::Line { places, steps, .. } => {
                let (low, high) = (places.iter().flatten().min(), places.iter().flatten().max());
                low.zip(high).map_or(Some(0), |(low, high)| high.abs_diff(*low).checked_mul(*steps))?
            }
            Amounts::Matrix { amounts, .. } => amounts.iter().copied().max().unwrap_or(0).into(),
            Amounts::Equal | Amounts::Tree { .. } => 0,
        };
        Some(most.max(self.denominator()))
    }

    /// Number of codes; nothing where any code will do.
    pub(super) fn n_codes(&self) -> Option<usize> {
        match self {
            Amounts::Line { places, .. } => Some(places.len()),
            Amounts::Equal => None,
            Amounts::Tree { leaves, .. } => Some(leaves.len()),
            Amounts::Matrix { width, .. } => Some(*width),
        }
    }

    /// The distance as a float, for pictures.
    pub(super) fn apart(&self, a: Code, b: Code) -> f64 {
        self.amount(a, b).map_or(f64::INFINITY, |amount| amount as f64 / self.denominator() as f64)
    }
}
