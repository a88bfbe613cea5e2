//! A distance tied to the columns of a release, in whole numbers.
//!
//! Whatever the parts and however they are combined, "is the distance at most epsilon?" becomes "is a sum of whole
//! numbers, one per part, at most another?":
//!
//! ```text
//! d_i = n_i / D_i, the distance of part i;  W_i, its weight as a whole number;  W, their sum;  D, a multiple of all D_i
//! l1:  sum W_i n_i (D / D_i)      <= floor(epsilon W D)
//! l2:  sum W_i (n_i D / D_i)^2    <= floor(epsilon^2 W D^2)
//! max: sum [w_i n_i > epsilon w_max D_i] <= 0
//! min: the same sum               <= parts - 1
//! ```
//!
//! A missing value is at distance 0 from a missing one and at distance 1 from any other.

use super::amounts::Amounts;
use super::kernel::Scale;
use super::terms::Terms;
use super::{Combine, Distance, LoadedDistance, Measure, Part};
use crate::exact::{Fraction, greatest_common};
use crate::requirement::position_of_name;
use num_bigint::BigUint;
use scumble_table::{Code, Decimal, Domain, Error, Kind, Result, quoted_list};

/// A sensitive column as a distance sees it.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its values. Distances by `rank`, and by `range` without bounds, are about the values that occur.
    pub domain: &'a Domain,
    /// For each code whether it occurs in the release.
    pub occurs: &'a [bool],
}

impl MeasuredColumn<'_> {
    /// The codes that occur in the release, rising; null is not one of them.
    fn occurring(&self) -> impl DoubleEndedIterator<Item = Code> {
        self.domain.codes().filter(|&code| self.has(code))
    }

    fn has(&self, code: Code) -> bool {
        self.occurs.get(code as usize).copied().unwrap_or(false)
    }

    /// The least and the greatest value that occur, as whole numbers of units of the column.
    fn ends(&self) -> Option<(i128, i128)> {
        let first = self.occurring().next()?;
        let last = self.occurring().next_back()?;
        self.domain.amount(first).zip(self.domain.amount(last))
    }
}

/// A distance between rows of some columns.
#[derive(Debug, Clone)]
pub struct BoundDistance {
    distance: Distance,
    /// Number of codes of each column that it was tied to.
    n_codes: Vec<usize>,
    /// The column of each part.
    columns: Vec<usize>,
    amounts: Vec<Amounts>,
    weights: Vec<Decimal>,
}

impl BoundDistance {
    /// Ties a distance to columns. Every column must have a part, and every part a column.
    ///
    /// # Errors
    /// If a part names no column, a column has no part, or a column cannot be measured as its part says.
    pub(super) fn new(loaded: &LoadedDistance, columns: &[MeasuredColumn<'_>]) -> Result<Self> {
        let mut distance = loaded.distance().clone();
        let whole = distance.to_string();
        let about = |error: Error| match error {
            Error::Request { field, reason, hint, .. } if field == "distance" => {
                Error::Request { field, value: whole.clone(), reason, hint }
            }
            other => other,
        };
        let mut bound = BoundDistance {
            n_codes: columns.iter().map(|column| column.domain.n_codes()).collect(),
            columns: Vec::new(),
            amounts: Vec::new(),
            weights: distance.parts().iter().map(|part| part.weight).collect(),
            distance: distance.clone(),
        };
        for part in distance.parts_mut() {
            let at = place(part, columns).map_err(about)?;
            let column = &columns[at];
            // The notation keeps no blanks around a name.
            part.column = (columns.len() > 1 || part.column.is_some()).then(|| column.name.trim().into());
            bound.amounts.push(amounts(part, column, loaded).map_err(about)?);
            write_bounds(part, column);
            bound.columns.push(at);
        }
        if let Some(left) = (0..columns.len()).find(|at| !bound.columns.contains(at)) {
            let reason = format!("it says nothing of the sensitive column `{}`", columns[left].name);
            return Err(about(refused(reason)).hint(format!(
                "add a part for it, such as `{}:equal`, or name the column that is required: \"COLUMN: dissimilarity(...)\"",
                columns[left].name
            )));
        }
        bound.distance = distance;
        Ok(bound)
    }

    /// The distance with the bounds of every `range` written out, as a manifest states it.
    pub fn distance(&self) -> &Distance {
        &self.distance
    }

    /// The column of each part, as a place among those the distance was tied to.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// True of columns with at most as many codes as those that the distance was tied to.
    pub(crate) fn suits(&self, n_codes: &[usize]) -> bool {
        self.n_codes.len() == n_codes.len() && n_codes.iter().zip(&self.n_codes).all(|(codes, known)| codes <= known)
    }

    /// The distance of two rows as a float, for pictures. `a` and `b` have one code per column.
    pub fn apart(&self, a: &[Code], b: &[Code]) -> f64 {
        let total: f64 = self.weights.iter().map(|w| w.to_f64()).sum();
        let most = self.weights.iter().map(|w| w.to_f64()).fold(0.0, f64::max);
        let parts = self.columns.iter().zip(&self.amounts).zip(&self.weights);
        let each = parts.map(|((&at, amounts), weight)| (amounts.apart(a[at], b[at]), weight.to_f64()));
        match self.distance.combine() {
            Combine::L1 => each.map(|(d, w)| d * w / total).sum(),
            Combine::L2 => each.map(|(d, w)| d * d * w / total).sum::<f64>().sqrt(),
            Combine::Max => each.map(|(d, w)| d * w / most).fold(0.0, f64::max),
            Combine::Min => each.map(|(d, w)| d * w / most).fold(f64::INFINITY, f64::min),
        }
    }

    /// The question whether two rows are within `epsilon`, as sums of whole numbers.
    ///
    /// # Errors
    /// Only those that are made here.
    pub(crate) fn within(&self, epsilon: Decimal) -> Result<Terms> {
        let (p, q) = Fraction::new(epsilon).parts();
        let (p, q) = (BigUint::from(p), BigUint::from(q));
        let weights = self.whole_weights();
        let combine = self.distance.combine();
        let (scales, bound): (Vec<Scale>, BigUint) = match combine {
            Combine::Max | Combine::Min => {
                // w n > epsilon w_max D, cross-multiplied: n is near up to floor(p w_max D / (q w)).
                let most = weights.iter().max().cloned().unwrap_or_default();
                let beyond = |(amounts, w): (&Amounts, &BigUint)| {
                    let limit = &p * &most * amounts.denominator() / (&q * w);
                    Scale::Beyond(u128::try_from(limit).unwrap_or(u128::MAX))
                };
                let bound = if combine == Combine::Max { 0 } else { self.amounts.len() - 1 };
                (self.amounts.iter().zip(&weights).map(beyond).collect(), bound.into())
            }
            Combine::L1 | Combine::L2 => {
                let squared = combine == Combine::L2;
                let whole = self.amounts.iter().map(Amounts::denominator).fold(BigUint::from(1u8), least_common);
                let total: BigUint = weights.iter().sum();
                let scale = |(amounts, weight): (&Amounts, &BigUint)| {
                    let units = &whole / amounts.denominator();
                    match squared {
                        true => Scale::Square { units: units.into(), weight: weight.clone().into() },
                        false => Scale::Linear((units * weight).into()),
                    }
                };
                let scales = self.amounts.iter().zip(&weights).map(scale).collect();
                let bound = if squared { (p * whole).pow(2) * total / q.pow(2) } else { p * total * whole / q };
                (scales, bound)
            }
        };
        Terms::new(&self.columns, &self.amounts, &scales, &bound)
            .ok_or_else(|| Error::bug("a sum of any length did not fit"))
    }

    /// Weights as whole numbers without a common divisor.
    fn whole_weights(&self) -> Vec<BigUint> {
        let scale = self.weights.iter().map(|weight| weight.scale()).max().unwrap_or(0);
        let whole = |weight: &Decimal| {
            BigUint::from(weight.mantissa().unsigned_abs()) * BigUint::from(10u8).pow((scale - weight.scale()).into())
        };
        let weights: Vec<BigUint> = self.weights.iter().map(whole).collect();
        let common = weights.iter().fold(BigUint::ZERO, |common, weight| greatest_common(common, weight.clone()));
        weights.into_iter().map(|weight| weight / &common).collect()
    }
}

fn refused(reason: impl Into<String>) -> Error {
    Error::request("distance", "", reason)
}

/// The column that a part is about.
fn place(part: &Part, columns: &[MeasuredColumn<'_>]) -> Result<usize> {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    match &part.column {
        Some(name) => position_of_name(name, &names).ok_or_else(|| {
            refused(format!("`{name}` is not a sensitive column that the requirement is about"))
                .hint(format!("it is about {}", quoted_list(&names, 30)))
        }),
        None if columns.len() == 1 => Ok(0),
        None => Err(refused(format!("`{part}` does not say which sensitive column it is about"))
            .hint(format!("such as `{}:{part}`", names.first().map_or("column", |name| name.trim())))),
    }
}

/// How a part measures its column.
fn amounts(part: &Part, column: &MeasuredColumn<'_>, loaded: &LoadedDistance) -> Result<Amounts> {
    let (domain, name) = (column.domain, column.name);
    match &part.measure {
        Measure::Equal => Ok(Amounts::Equal),
        Measure::Range(bounds) => {
            if !matches!(domain.kind(), Kind::Number | Kind::Date) {
                return Err(refused(format!("`range` measures numbers and dates, and `{name}` is {}", domain.kind()))
                    .hint("`rank` measures ordered labels, `equal`, `tree` and `matrix:FILE` any"));
            }
            let (length, steps) = match bounds {
                None => (Some(column.ends().map_or(0, |(low, high)| high.abs_diff(low))), Some(1)),
                Some((low, high)) => {
                    // Bounds may have more digits than the values: then a unit of these is several steps.
                    let scale = low.scale().max(high.scale()).max(domain.scale());
                    let length = high.at_scale(scale).zip(low.at_scale(scale)).map(|(high, low)| high.abs_diff(low));
                    (length, 10u128.checked_pow(u32::from(scale - domain.scale())))
                }
            };
            let places: Vec<Option<i128>> = (0..domain.n_codes() as Code).map(|code| domain.amount(code)).collect();
            let line = length.zip(steps).and_then(|(length, steps)| Amounts::line(&places, steps, length));
            line.ok_or_else(|| {
                refused(format!("its bounds have too many digits beside the values of `{name}`")).hint("round them")
            })
        }
        Measure::Rank => {
            if !domain.kind().is_ordered() {
                return Err(refused(format!("`rank` needs an order, and the labels of `{name}` have none"))
                    .hint(format!("give one with «order» {name}=FILE, or use `equal`, `tree` or `matrix:FILE`")));
            }
            let mut places: Vec<Option<i128>> = vec![None; domain.n_codes()];
            // Values that do not occur have no rank and are never asked about; they share that of the one before.
            let mut rank = -1;
            for code in domain.codes() {
                rank += i128::from(column.has(code));
                places[code as usize] = Some(rank.max(0));
            }
            Amounts::line(&places, 1, rank.max(1).unsigned_abs()).ok_or_else(|| Error::bug("ranks have 128 bits"))
        }
        Measure::Tree => match (domain.hierarchy(), loaded.tree(name)) {
            (Some(tree), _) => Ok(Amounts::tree(tree, (0..domain.n_codes() as Code).map(|code| domain.leaf(code)))),
            (None, Some(tree)) => {
                if column.occurring().any(|code| tree.leaf_of(&domain.text(code)).is_none()) {
                    return Err(refused(format!("the hierarchy of `{name}` lacks a value that the column shows")));
                }
                let leaf =
                    |code: Code| (code != scumble_table::NULL).then(|| tree.leaf_of(&domain.text(code))).flatten();
                Ok(Amounts::tree(tree, (0..domain.n_codes() as Code).map(leaf)))
            }
            (None, None) => Err(refused(format!("`tree` needs a hierarchy of `{name}`"))
                .hint(format!("give one with «hierarchy» {name}=FILE"))),
        },
        Measure::Matrix(_) | Measure::Named(_) => {
            let texts: Vec<_> = column.occurring().map(|code| domain.text(code)).collect();
            let labels: Vec<&str> = texts.iter().map(|text| &**text).collect();
            let (file, matrix) =
                loaded.matrix_of(part, &labels)?.ok_or_else(|| Error::bug("a part by a matrix has none"))?;
            Amounts::matrix(file, &matrix, domain, column.occurring())
        }
    }
}

/// Bounds are written out wherever the values have a range; a column of one value has none.
fn write_bounds(part: &mut Part, column: &MeasuredColumn<'_>) {
    let decimal = |amount: i128| Decimal::new(amount, column.domain.scale());
    if let (Measure::Range(None), Some((low, high))) = (&part.measure, column.ends().filter(|(low, high)| low < high)) {
        part.measure = Measure::Range(Some((decimal(low), decimal(high))));
    }
}

fn least_common(a: BigUint, b: u128) -> BigUint {
    let shared = greatest_common(a.clone(), b.into());
    a / shared * b
}
