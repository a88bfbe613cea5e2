//! What two codes of one part count for in a sum.

use super::amounts::Amounts;
use super::whole_number::WholeNumber;
use num_bigint::BigUint;
use scumble_table::{Code, NULL};

/// What an amount counts for in the sum. It never falls as the amount rises.
#[derive(Debug, Clone)]
pub(super) enum Scale {
    /// So much per unit.
    Linear(Factor),
    /// `weight * (units * amount)^2`.
    Square { units: Factor, weight: Factor },
    /// 1 above a limit, else 0.
    Beyond(u128),
}

/// A whole number of any length, and itself in 128 bits if it has no more.
#[derive(Debug, Clone)]
pub(super) struct Factor {
    whole: BigUint,
    narrow: Option<u128>,
}

impl From<BigUint> for Factor {
    fn from(whole: BigUint) -> Self {
        Factor { narrow: u128::try_from(&whole).ok(), whole }
    }
}

impl Scale {
    fn narrow(&self, amount: u128) -> Option<u128> {
        match self {
            Scale::Linear(factor) => amount.checked_mul(factor.narrow?),
            Scale::Square { units, weight } => {
                let long = amount.checked_mul(units.narrow?)?;
                long.checked_mul(long)?.checked_mul(weight.narrow?)
            }
            Scale::Beyond(limit) => Some(u128::from(amount > *limit)),
        }
    }

    pub(super) fn exact_term(&self, amount: u128) -> BigUint {
        match (self.narrow(amount), self) {
            (Some(term), _) => term.into(),
            (None, Scale::Linear(factor)) => &factor.whole * amount,
            (None, Scale::Square { units, weight }) => (&units.whole * amount).pow(2) * &weight.whole,
            (None, Scale::Beyond(_)) => BigUint::ZERO,
        }
    }

    fn term<S: WholeNumber>(&self, amount: u128) -> Option<S> {
        match self.narrow(amount) {
            Some(term) => S::fit_narrow(term),
            None => S::fit(&self.exact_term(amount)),
        }
    }
}

/// Columns of up to this many codes have their terms in a table.
const TABLE: usize = 512;

/// The terms of one part.
#[derive(Debug)]
pub(super) enum Kernel<S> {
    /// By pairs of `width` codes.
    Table { terms: Vec<S>, width: usize },
    /// A line on which a unit counts for 1: `missing` between null and values.
    Positions { places: Vec<S>, missing: S },
    /// Worked out each time.
    Computed { amounts: Amounts, scale: Scale, most: S },
    /// One term for all that differ.
    Equal(S),
}

impl<S: WholeNumber> Kernel<S> {
    /// `None` where a term does not fit.
    pub(super) fn new(amounts: &Amounts, scale: &Scale) -> Option<Kernel<S>> {
        match (amounts, scale, amounts.n_codes()) {
            (_, _, None) => Some(Kernel::Equal(scale.term(1)?)),
            (_, _, Some(width)) if width <= TABLE => {
                let codes = 0..width as Code;
                let pairs = codes.clone().flat_map(|a| codes.clone().map(move |b| (a, b)));
                let terms = pairs.map(|(a, b)| scale.term(amounts.amount(a, b))).collect::<Option<_>>()?;
                Some(Kernel::Table { terms, width })
            }
            (Amounts::Positions { places, .. }, Scale::Linear(_), _) => {
                let places = places.iter().map(|&place| scale.term(place)).collect::<Option<_>>()?;
                Some(Kernel::Positions { places, missing: scale.term(amounts.denominator())? })
            }
            _ => {
                let most = scale.term(amounts.most())?;
                Some(Kernel::Computed { amounts: amounts.clone(), scale: scale.clone(), most })
            }
        }
    }

    #[inline]
    pub(super) fn term(&self, a: Code, b: Code) -> S {
        match self {
            Kernel::Table { terms, width } => terms[a as usize * width + b as usize].clone(),
            Kernel::Positions { missing, .. } if (a == NULL) != (b == NULL) => missing.clone(),
            Kernel::Positions { places, .. } => places[a as usize].apart(&places[b as usize]),
            // That the greatest term fits was seen when the sums were made.
            Kernel::Computed { amounts, scale, most } => {
                scale.term(amounts.amount(a, b)).unwrap_or_else(|| most.clone())
            }
            Kernel::Equal(_) if a == b => S::zero(),
            Kernel::Equal(term) => term.clone(),
        }
    }
}
