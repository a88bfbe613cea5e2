//! Sums of whole numbers that decide whether two rows are near.

use super::amounts::Amounts;
use super::whole::Whole;
use num_bigint::BigUint;
use scumble_table::{Code, Composite, NULL};

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

    fn of(&self, amount: u128) -> BigUint {
        match (self.narrow(amount), self) {
            (Some(term), _) => term.into(),
            (None, Scale::Linear(factor)) => &factor.whole * amount,
            (None, Scale::Square { units, weight }) => (&units.whole * amount).pow(2) * &weight.whole,
            (None, Scale::Beyond(_)) => BigUint::ZERO,
        }
    }

    fn term<S: Whole>(&self, amount: u128) -> Option<S> {
        match self.narrow(amount) {
            Some(term) => S::fit_narrow(term),
            None => S::fit(&self.of(amount)),
        }
    }
}

/// Sums in the narrowest width that holds them. Most fit 64 bits; squares of several fine columns need more than 128.
#[derive(Debug)]
pub(crate) enum Terms {
    Narrow(Sums<u64>),
    Wide(Sums<u128>),
    Long(Sums<BigUint>),
}

/// Runs a block with the sums of whichever width there is.
macro_rules! with_sums {
    ($terms:expr, |$sums:ident| $body:expr) => {
        match $terms {
            $crate::distance::Terms::Narrow($sums) => $body,
            $crate::distance::Terms::Wide($sums) => $body,
            $crate::distance::Terms::Long($sums) => $body,
        }
    };
}
pub(crate) use with_sums;

impl Terms {
    /// Sums over parts, each of a column, and how large they may be. There is always a width in which they fit.
    pub(super) fn new(columns: &[usize], amounts: &[Amounts], scales: &[Scale], bound: &BigUint) -> Option<Terms> {
        let most: BigUint = amounts.iter().zip(scales).map(|(amounts, scale)| scale.of(amounts.most())).sum();
        // A bound above every sum is met by all.
        let bound = bound.min(&most);
        if most <= u64::MAX.into() {
            Sums::new(columns, amounts, scales, bound).map(Terms::Narrow)
        } else if most <= u128::MAX.into() {
            Sums::new(columns, amounts, scales, bound).map(Terms::Wide)
        } else {
            Sums::new(columns, amounts, scales, bound).map(Terms::Long)
        }
    }
}

/// Values by the codes of their columns, as sums see them.
#[derive(Debug)]
pub(crate) struct Values {
    /// For each column the code of every value; values rise by the code of the first.
    columns: Vec<Vec<Code>>,
    /// Number of codes of each column.
    widths: Vec<usize>,
    /// Where the values of each code of the first column start, and where the last ones end.
    runs: Vec<usize>,
}

impl Values {
    pub(crate) fn new(composite: &Composite) -> Self {
        let columns: Vec<Vec<Code>> = (0..composite.n_columns()).map(|at| composite.column(at).to_vec()).collect();
        let widths = columns.iter().map(|codes| codes.iter().max().map_or(0, |most| *most as usize + 1)).collect();
        let mut runs = vec![0];
        if let Some(first) = columns.first() {
            runs.extend((1..first.len()).filter(|&at| first[at] != first[at - 1]));
        }
        runs.push(composite.len());
        Values { columns, widths, runs }
    }

    /// Number of codes of a column.
    pub(crate) fn width(&self, column: usize) -> usize {
        self.widths[column]
    }
}

/// Terms of several parts, and how large their sum may be.
#[derive(Debug)]
pub(crate) struct Sums<S> {
    /// Each with its column; those of the first column come first.
    parts: Vec<(usize, Kernel<S>)>,
    bound: S,
}

/// Columns of up to this many codes have their terms in a table.
const TABLE: usize = 512;

#[derive(Debug)]
enum Kernel<S> {
    /// By pairs of `width` codes.
    Table { terms: Vec<S>, width: usize },
    /// A line on which a unit counts for 1: `missing` between null and values.
    Line { places: Vec<S>, missing: S },
    /// Worked out each time.
    Asked { amounts: Amounts, scale: Scale, most: S },
    /// One term for all that differ.
    Equal(S),
}

impl<S: Whole> Kernel<S> {
    /// `None` where a term does not fit.
    fn new(amounts: &Amounts, scale: &Scale) -> Option<Kernel<S>> {
        match (amounts, scale, amounts.n_codes()) {
            (_, _, None) => Some(Kernel::Equal(scale.term(1)?)),
            (_, _, Some(width)) if width <= TABLE => {
                let codes = 0..width as Code;
                let pairs = codes.clone().flat_map(|a| codes.clone().map(move |b| (a, b)));
                let terms = pairs.map(|(a, b)| scale.term(amounts.amount(a, b))).collect::<Option<_>>()?;
                Some(Kernel::Table { terms, width })
            }
            (Amounts::Line { places, .. }, Scale::Linear(_), _) => {
                let places = places.iter().map(|&place| scale.term(place)).collect::<Option<_>>()?;
                Some(Kernel::Line { places, missing: scale.term(amounts.denominator())? })
            }
            _ => {
                let most = scale.term(amounts.most())?;
                Some(Kernel::Asked { amounts: amounts.clone(), scale: scale.clone(), most })
            }
        }
    }

    #[inline]
    fn term(&self, a: Code, b: Code) -> S {
        match self {
            Kernel::Table { terms, width } => terms[a as usize * width + b as usize].clone(),
            Kernel::Line { missing, .. } if (a == NULL) != (b == NULL) => missing.clone(),
            Kernel::Line { places, .. } => places[a as usize].apart(&places[b as usize]),
            // That the greatest term fits was seen when the sums were made.
            Kernel::Asked { amounts, scale, most } => scale.term(amounts.amount(a, b)).unwrap_or_else(|| most.clone()),
            Kernel::Equal(_) if a == b => S::zero(),
            Kernel::Equal(term) => term.clone(),
        }
    }
}

impl<S: Whole> Sums<S> {
    fn new(columns: &[usize], amounts: &[Amounts], scales: &[Scale], bound: &BigUint) -> Option<Self> {
        let parts = columns.iter().zip(amounts.iter().zip(scales));
        let parts = parts.map(|(&column, (amounts, scale))| Some((column, Kernel::new(amounts, scale)?)));
        let mut parts: Vec<(usize, Kernel<S>)> = parts.collect::<Option<_>>()?;
        parts.sort_by_key(|part| part.0);
        Some(Sums { parts, bound: S::fit(bound)? })
    }

    /// Whether two of some values are near.
    #[inline]
    pub(crate) fn near(&self, a: usize, b: usize, values: &Values) -> bool {
        let mut sum = S::zero();
        for (column, part) in &self.parts {
            let codes = &values.columns[*column];
            sum.add(&part.term(codes[a], codes[b]));
        }
        sum <= self.bound
    }

    /// Gives `found` every value from `from` on that is near one, in rising order. What one code of a column counts for
    /// is worked out once, and values whose first column alone is too far away are passed over in one step.
    pub(crate) fn row(
        &self,
        a: usize,
        from: usize,
        values: &Values,
        memory: &mut Vec<Vec<S>>,
        mut found: impl FnMut(usize),
    ) {
        memory.resize_with(self.parts.len(), Vec::new);
        for ((column, part), terms) in self.parts.iter().zip(memory.iter_mut()) {
            let code = values.columns[*column][a];
            terms.clear();
            terms.extend((0..values.widths[*column] as Code).map(|to| part.term(code, to)));
        }
        let n_leading = self.parts.partition_point(|part| part.0 == 0);
        let (leading, others) = memory.split_at(n_leading);
        let others: Vec<(&[S], &[Code])> = others
            .iter()
            .zip(&self.parts[n_leading..])
            .map(|(terms, part)| (terms.as_slice(), values.columns[part.0].as_slice()))
            .collect();
        let first_run = values.runs.partition_point(|&start| start <= from).saturating_sub(1);
        for run in values.runs[first_run..].windows(2) {
            let (start, end) = (run[0].max(from), run[1]);
            if start >= end {
                continue;
            }
            let mut common = S::zero();
            leading.iter().for_each(|terms| common.add(&terms[values.columns[0][start] as usize]));
            if common > self.bound {
                continue;
            }
            for b in start..end {
                let mut sum = common.clone();
                others.iter().for_each(|(terms, codes)| sum.add(&terms[codes[b] as usize]));
                if sum <= self.bound {
                    found(b);
                }
            }
        }
    }
}
