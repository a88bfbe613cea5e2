//! How far apart two values of one column are, as a whole number of parts of a whole.

use crate::exact::greatest_common;
use scumble_table::{Code, Decimal, Domain, Error, Hierarchy, Matrix, NULL, Result};
use std::sync::Arc;

/// The distances within one column: an amount divided by a denominator that all share. Both are as small as they can be,
/// so that sums of several columns stay short.
#[derive(Debug, Clone)]
pub(crate) enum Amounts {
    /// Places on a line: the difference of two, of `length`.
    Positions {
        /// By code; that of null is not looked at.
        places: Arc<[u128]>,
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
        leaves: Arc<[Option<u32>]>,
    },
    /// What a file says.
    Matrix {
        /// The place of each code among those that occur.
        places: Arc<[Option<u32>]>,
        /// Of each place the amounts to those before it; see [`pair_index`].
        amounts: Arc<[u64]>,
        /// Amounts of a distance of 1.
        one: u128,
    },
}

/// Where the amount of two different places stands: rows of one more each.
fn pair_index(a: u32, b: u32) -> usize {
    let (high, low) = (a.max(b) as usize, a.min(b) as usize);
    high * (high - 1) / 2 + low
}

impl Amounts {
    /// Values at `places`, whose unit has a length of `steps`, on a line of a length in steps; `None` where a difference
    /// has more than 128 bits.
    pub(super) fn line(places: &[Option<i128>], steps: u128, length: u128) -> Option<Self> {
        let low = places.iter().flatten().min().copied().unwrap_or(0);
        let place = |place: &Option<i128>| place.map_or(Some(0), |at| at.abs_diff(low).checked_mul(steps));
        let mut places: Vec<u128> = places.iter().map(place).collect::<Option<_>>()?;
        let mut length = length.max(1);
        let unit = places.iter().fold(length, |unit, &place| if unit == 1 { 1 } else { greatest_common(unit, place) });
        places.iter_mut().for_each(|place| *place /= unit);
        length /= unit;
        Some(Amounts::Positions { places: places.into(), length })
    }

    /// A tree, with the leaf of each code.
    pub(super) fn tree(tree: &Arc<Hierarchy>, leaves: impl Iterator<Item = Option<u32>>) -> Self {
        Amounts::Tree { tree: tree.clone(), leaves: leaves.collect() }
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
        let mut places: Vec<Option<u32>> = vec![None; domain.n_codes()];
        let mut texts = Vec::new();
        for code in occurring {
            places[code as usize] = Some(texts.len() as u32);
            texts.push(domain.text(code));
        }
        let mut scale = 0;
        matrix.each_pair(file, &texts, |_, _, distance| scale = distance.scale().max(scale))?;
        let units = |distance: Decimal| u64::try_from(distance.at_scale(scale)?).ok();
        let mut amounts = vec![0u64; texts.len() * texts.len().saturating_sub(1) / 2];
        let mut fits = true;
        matrix.each_pair(file, &texts, |a, b, distance| {
            if a != b {
                let units = units(distance);
                fits &= units.is_some();
                amounts[pair_index(a as u32, b as u32)] = units.unwrap_or(0);
            }
        })?;
        let one = 10u128.checked_pow(scale.into()).filter(|_| fits).ok_or_else(|| {
            Error::data(file, "its distances have too many digits").hint("nine after the point will do")
        })?;
        let unit =
            amounts.iter().fold(one, |unit, &amount| if unit == 1 { 1 } else { greatest_common(unit, amount.into()) });
        amounts.iter_mut().for_each(|amount| *amount = (u128::from(*amount) / unit) as u64);
        Ok(Amounts::Matrix { places: places.into(), amounts: amounts.into(), one: one / unit })
    }

    /// What amounts are parts of; above 0.
    pub(crate) fn denominator(&self) -> u128 {
        match self {
            Amounts::Positions { length, .. } => *length,
            Amounts::Equal => 1,
            Amounts::Tree { tree, .. } => u128::from(tree.height().max(1)),
            Amounts::Matrix { one, .. } => *one,
        }
    }

    /// The amount between two codes; null is a whole away from values. Of codes that do not occur nothing is claimed.
    pub(crate) fn amount(&self, a: Code, b: Code) -> u128 {
        if (a == NULL) != (b == NULL) {
            return self.denominator();
        }
        if a == b {
            return 0;
        }
        match self {
            Amounts::Positions { places, .. } => places[a as usize].abs_diff(places[b as usize]),
            Amounts::Equal => 1,
            Amounts::Tree { tree, leaves } => {
                let (x, y) = (leaves[a as usize].unwrap_or(0), leaves[b as usize].unwrap_or(0));
                u128::from(tree.node(tree.lowest_over(x.min(y), x.max(y))).level)
            }
            Amounts::Matrix { places, amounts, .. } => match (places[a as usize], places[b as usize]) {
                (Some(x), Some(y)) => amounts[pair_index(x, y)].into(),
                _ => 0,
            },
        }
    }

    /// No amount is above this.
    pub(super) fn most(&self) -> u128 {
        let most = match self {
            Amounts::Positions { places, .. } => places.iter().copied().max().unwrap_or(0),
            Amounts::Matrix { amounts, .. } => amounts.iter().copied().max().unwrap_or(0).into(),
            Amounts::Equal | Amounts::Tree { .. } => 0,
        };
        most.max(self.denominator())
    }

    /// Number of codes; nothing where any code will do.
    pub(super) fn n_codes(&self) -> Option<usize> {
        match self {
            Amounts::Positions { places, .. } => Some(places.len()),
            Amounts::Equal => None,
            Amounts::Tree { leaves, .. } => Some(leaves.len()),
            Amounts::Matrix { places, .. } => Some(places.len()),
        }
    }

    /// The distance as a float, for pictures.
    pub(super) fn apart(&self, a: Code, b: Code) -> f64 {
        self.amount(a, b) as f64 / self.denominator() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_short_as_they_can_be() {
        let line = |places: &[i128], steps, length| {
            let places: Vec<Option<i128>> = [None].into_iter().chain(places.iter().copied().map(Some)).collect();
            Amounts::line(&places, steps, length)
        };
        let Some(Amounts::Positions { places, length }) = line(&[-2000, 1000, 7000], 1, 12_000) else { panic!("fits") };
        assert_eq!((&*places, length), ([0, 0, 1, 3].as_slice(), 4));
        let Some(Amounts::Positions { places, length }) = line(&[5, 6], 10, 25) else { panic!("fits") };
        assert_eq!((&*places, length), ([0, 0, 2].as_slice(), 5));
        // The widest range that 128 bits hold, and one step more for each unit.
        let Some(wide) = line(&[i128::MIN, i128::MAX], 1, u128::MAX) else { panic!("fits") };
        assert_eq!((wide.amount(1, 2), wide.denominator(), wide.amount(0, 2), wide.amount(0, 0)), (1, 1, 1, 0));
        assert!(line(&[i128::MIN, i128::MAX], 2, 1).is_none());
        // Without a length nothing is apart.
        let Some(one) = line(&[7], 1, 0) else { panic!("fits") };
        assert_eq!((one.denominator(), one.most()), (1, 1));
    }

    #[test]
    fn matrices_are_about_what_occurs() {
        let labels = Domain::nominal(["a", "b", "c", "x"].map(Into::into).to_vec());
        let given = Matrix::tabulate(&["a", "b", "c"], |a, b| match (a, b) {
            ("c", "a") => Decimal::parse("0.75").unwrap(),
            _ => Decimal::parse("2.5").unwrap(),
        });
        let given = given.unwrap();
        let amounts = Amounts::matrix("m.csv", &given, &labels, [1, 2, 3].into_iter()).unwrap();
        let (a, b, c, x) = (1, 2, 3, 4);
        assert_eq!((amounts.amount(a, c), amounts.amount(c, a), amounts.amount(b, c)), (3, 3, 10));
        assert_eq!((amounts.denominator(), amounts.most(), amounts.amount(0, b)), (4, 10, 4));
        assert_eq!((amounts.amount(x, a), amounts.amount(x, x), amounts.apart(a, b)), (0, 0, 2.5));
        let error = Amounts::matrix("m.csv", &given, &labels, labels.codes()).unwrap_err();
        let words = "`a` and a value of the data that the file does not have: there is no distance for this pair";
        assert!(error.to_string().contains(words), "a value of the data is not named: {error}");
        let fine = Matrix::tabulate(&["a", "b"], |_, _| Decimal::parse("0.00000000000000000000000005").unwrap());
        let fine = Amounts::matrix("m.csv", &fine.unwrap(), &labels, [1, 2].into_iter()).unwrap();
        assert_eq!((fine.amount(a, b), fine.denominator()), (1, 20_000_000_000_000_000_000_000_000));
        let long = Matrix::tabulate(&["a", "b"], |_, _| Decimal::parse("3.00000000000000000000000005").unwrap());
        let error = Amounts::matrix("m.csv", &long.unwrap(), &labels, [1, 2].into_iter()).unwrap_err().to_string();
        assert_eq!(error, "m.csv: its distances have too many digits; hint: nine after the point will do");
    }
}
