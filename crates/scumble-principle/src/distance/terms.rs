//! Sums of whole numbers that decide whether two rows are near.

use super::amounts::Amounts;
use scumble_table::{Code, NULL};
use std::ops::{Add, Mul, Sub};

/// A whole number of one width.
pub(crate) trait Whole:
    Copy + Ord + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Send + Sync
{
    const ZERO: Self;
    fn fit(value: u128) -> Option<Self>;
}

impl Whole for u64 {
    const ZERO: u64 = 0;
    fn fit(value: u128) -> Option<u64> {
        u64::try_from(value).ok()
    }
}

impl Whole for u128 {
    const ZERO: u128 = 0;
    fn fit(value: u128) -> Option<u128> {
        Some(value)
    }
}

/// What an amount counts for in the sum. It never falls as the amount rises.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scale {
    /// So much per unit.
    Linear(u128),
    /// `weight * (units * amount)^2`.
    Square { units: u128, weight: u128 },
    /// 1 above a limit, else 0.
    Beyond(u128),
}

impl Scale {
    fn of(self, amount: u128) -> Option<u128> {
        match self {
            Scale::Linear(factor) => amount.checked_mul(factor),
            Scale::Square { units, weight } => {
                let long = amount.checked_mul(units)?;
                long.checked_mul(long)?.checked_mul(weight)
            }
            Scale::Beyond(limit) => Some(u128::from(amount > limit)),
        }
    }
}

/// Sums in the narrowest width that holds them.
#[derive(Debug)]
pub(crate) enum Terms {
    Narrow(Sums<u64>),
    Wide(Sums<u128>),
}

/// Runs a block with the sums of whichever width there is.
macro_rules! with_sums {
    ($terms:expr, |$sums:ident| $body:expr) => {
        match $terms {
            $crate::distance::Terms::Narrow($sums) => $body,
            $crate::distance::Terms::Wide($sums) => $body,
        }
    };
}
pub(crate) use with_sums;

impl Terms {
    /// Sums over parts, each of a column; `None` where one could have more than 128 bits.
    pub(super) fn new(columns: &[usize], amounts: &[Amounts], scales: &[Scale], bound: u128) -> Option<Terms> {
        let mut most = 0u128;
        for (amounts, scale) in amounts.iter().zip(scales) {
            most = most.checked_add(scale.of(amounts.most()?)?)?;
        }
        // A bound above every sum is met by all.
        let bound = bound.min(most);
        match u64::try_from(most) {
            Ok(_) => Sums::new(columns, amounts, scales, bound).map(Terms::Narrow),
            Err(_) => Sums::new(columns, amounts, scales, bound).map(Terms::Wide),
        }
    }
}

/// Terms of several parts, and how large their sum may be.
#[derive(Debug)]
pub(crate) struct Sums<S> {
    parts: Vec<Kernel<S>>,
    columns: Vec<usize>,
    bound: S,
}

/// Columns of up to this many codes have their terms in a table.
const TABLE: usize = 512;

#[derive(Debug)]
enum Kernel<S> {
    /// By pairs of `width` codes.
    Table { terms: Vec<S>, width: usize },
    /// A line on which a unit counts for 1: `missing` between null and values, whose place is 0.
    Line { places: Vec<S>, missing: S },
    /// Worked out each time.
    Asked { amounts: Amounts, scale: Scale, most: S },
    /// One term for all that differ.
    Equal(S),
}

impl<S: Whole> Kernel<S> {
    fn new(amounts: &Amounts, scale: Scale) -> Option<Kernel<S>> {
        let missing = S::fit(scale.of(amounts.denominator())?)?;
        match (amounts, scale, amounts.n_codes()) {
            (Amounts::Equal, ..) | (_, _, None) => Some(Kernel::Equal(S::fit(scale.of(1)?)?)),
            (_, _, Some(width)) if width <= TABLE => {
                let mut terms = Vec::with_capacity(width * width);
                for a in 0..width as Code {
                    for b in 0..width as Code {
                        terms.push(S::fit(scale.of(amounts.amount(a, b)?)?)?);
                    }
                }
                Some(Kernel::Table { terms, width })
            }
            (Amounts::Line { places, steps, .. }, Scale::Linear(factor), _) => {
                let low = places.iter().flatten().min().copied().unwrap_or(0);
                let unit = steps.checked_mul(factor)?;
                let at = |place: &Option<i128>| S::fit(place.map_or(0, |p| p.abs_diff(low)).checked_mul(unit)?);
                Some(Kernel::Line { places: places.iter().map(at).collect::<Option<_>>()?, missing })
            }
            _ => Some(Kernel::Asked { amounts: amounts.clone(), scale, most: S::fit(scale.of(amounts.most()?)?)? }),
        }
    }

    #[inline]
    fn term(&self, a: Code, b: Code) -> S {
        match self {
            Kernel::Table { terms, width } => terms[a as usize * width + b as usize],
            Kernel::Line { places, missing } => {
                if (a == NULL) != (b == NULL) {
                    return *missing;
                }
                let (x, y) = (places[a as usize], places[b as usize]);
                if x < y { y - x } else { x - y }
            }
            // That every term fits was seen when the sums were made.
            Kernel::Asked { amounts, scale, most } => {
                amounts.amount(a, b).and_then(|amount| S::fit(scale.of(amount)?)).unwrap_or(*most)
            }
            Kernel::Equal(term) => {
                if a == b {
                    S::ZERO
                } else {
                    *term
                }
            }
        }
    }
}

impl<S: Whole> Sums<S> {
    fn new(columns: &[usize], amounts: &[Amounts], scales: &[Scale], bound: u128) -> Option<Self> {
        let parts = amounts.iter().zip(scales).map(|(amounts, &scale)| Kernel::new(amounts, scale));
        Some(Sums { parts: parts.collect::<Option<_>>()?, columns: columns.to_vec(), bound: S::fit(bound)? })
    }

    /// Whether two rows are near, each given as the code of a column.
    #[inline]
    pub(crate) fn near(&self, a: impl Fn(usize) -> Code, b: impl Fn(usize) -> Code) -> bool {
        let mut sum = S::ZERO;
        for (part, &column) in self.parts.iter().zip(&self.columns) {
            sum = sum + part.term(a(column), b(column));
        }
        sum <= self.bound
    }

    /// Tells for many rows at once whether they are near one; given are the codes of each column, row by row.
    pub(crate) fn row(
        &self,
        a: usize,
        columns: &[Vec<Code>],
        memory: &mut Vec<Vec<S>>,
        mut found: impl FnMut(usize, bool),
    ) {
        let n = columns.first().map_or(0, Vec::len);
        memory.resize_with(self.parts.len(), Vec::new);
        for ((part, &column), terms) in self.parts.iter().zip(&self.columns).zip(memory.iter_mut()) {
            let from = columns[column][a];
            let width = columns[column].iter().max().map_or(0, |most| *most as usize + 1);
            terms.clear();
            terms.extend((0..width as Code).map(|to| part.term(from, to)));
        }
        for b in 0..n {
            let mut sum = S::ZERO;
            for (terms, &column) in memory.iter().zip(&self.columns) {
                sum = sum + terms[columns[column][b] as usize];
            }
            found(b, sum <= self.bound);
        }
    }
}
