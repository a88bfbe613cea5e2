//! Variance: the sensitive numbers of every group are spread widely.

use crate::attained::Exact;
use crate::exact::{Fraction, Round, rounded, rounded_big};
use crate::parameter::{Parameter, Range, largest};
use crate::plain_words::ONCE_FOR_EACH;
use crate::principle::{shared, wrong_kind};
use crate::test::numbers;
use crate::{Attained, ColumnFacts, Entry, PlainWords, Principle, Subject, Test};
use num_bigint::BigUint;
use scumble_table::figures::measure;
use scumble_table::{Bag, Code, Decimal, Domain, Kind, NULL, Ratio, Result};

/// Parts of the variance of all rows, with two digits that count.
fn shares_of_variance(facts: &ColumnFacts) -> Vec<String> {
    let whole = facts.variance().unwrap_or(4.0);
    [0.05, 0.1, 0.25, 0.5, 0.75].into_iter().map(|part| two_digits(whole * part)).collect()
}

/// A positive number with two digits that count, as a decimal.
fn two_digits(value: f64) -> String {
    let power = value.log10().floor() as i32 - 1;
    let digits = (value / 10f64.powi(power)).round();
    match power >= 0 {
        true => format!("{:.0}", digits * 10f64.powi(power)),
        false => Decimal::parse(&format!("{:.*}", power.unsigned_abs() as usize, digits * 10f64.powi(power)))
            .map_or_else(|| "1".into(), |value| value.to_string()),
    }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "variance",
    parameters: &[Parameter::new("t", Range::AtLeast(0))],
    help: "in every group the variance of the sensitive numbers is at least t",
    example: "variance(2500)",
    reference: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Workload-aware anonymization. KDD 2006",
    monotone: true,
    larger_is_stricter: true,
    strictest: |_| Ok(vec![shared(Variance::new(largest()))?]),
    usual: |facts| Some(vec![shares_of_variance(facts)]),
    ..Entry::parsed_by(|arguments| shared(Variance::new(arguments.number(0)?)))
};

/// In every group the variance of the sensitive numbers is at least `t`.
///
/// # Guarantees
/// Someone who finds the group of a person and takes the mean of its numbers as a guess is off by at
/// least the square root of `t` in the root mean square.
///
/// # Definition
/// For the numbers x1, ..., xn of a group, the mean of their squares less the square of their mean
/// (the population variance) is at least `t`. Nulls are left out, for they have no place among the
/// numbers; a group without numbers has variance 0. Dates count in days.
///
/// # Does not guarantee
/// Anything about single numbers: nine of ten may be equal if the tenth is far away.
///
/// # Cost
/// One pass over the counts of the group in 128-bit whole numbers, measured from the group's
/// least number; where those are too narrow, in whole numbers of any length.
///
/// # Example
/// The numbers 10, 20, 30 have variance 200/3: they pass `variance(66)` and fail `variance(67)`.
///
/// # Reference
/// K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Workload-aware anonymization. KDD 2006, where it is
/// called variance diversity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variance {
    t: Decimal,
}

impl Variance {
    /// `t` must be at least 0.
    pub fn new(t: Decimal) -> Result<Self> {
        Ok(Variance { t: ENTRY.check(0, t)? })
    }

    /// The least variance.
    pub fn t(&self) -> Decimal {
        self.t
    }
}

impl Principle for Variance {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({})", ENTRY.name, self.t)
    }

    fn bind(&self, domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        if !matches!(domain.kind(), Kind::Number | Kind::Date) {
            let needs = "a variance needs numbers or dates";
            return Err(wrong_kind(self.notation(), needs, domain, "for labels ask for a diversity"));
        }
        Ok(Box::new(Bound::new(self.t, domain)))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        // A variance too long to be written as a parameter is certainly above this.
        let longest = Decimal::new(10i128.pow(37), 0);
        let t = Decimal::parse(attained.figure("variance")?).unwrap_or(longest).min(self.t);
        Variance::new(t).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        format!("the variance of `{column}` is {}", attained.figure("variance").unwrap_or("0"))
    }

    /// A variance of 0 promises nothing that could be put into words.
    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (v, many, repeat, subject) = (self.t, subject.counted.many(), subject.repeat, subject.name());
        let deviation = measure(v.to_f64().sqrt());
        (v > Decimal::ZERO).then(|| PlainWords {
            family: "Variance",
            demands: format!(
                "in every group the values of {subject} spread with a variance of at least {v}, which is a standard \
                 deviation of at least {deviation}"
            ),
            hides: match repeat {
                true => format!(
                    "The values of {subject} in each group, {ONCE_FOR_EACH}, spread around their mean with a standard deviation of at \
                     least {deviation}. The further they spread, the less the mean of a group says about one of its rows."
                ),
                false => format!(
                    "The values of {subject} in each group spread around their mean with a standard deviation of at least \
                     {deviation}. The further they spread, the less the mean of a group says about one of its {many}."
                ),
            },
            leaves:
                "A single far value can make the variance large while all other members of the group share one value, \
                     which is then known for nearly all of them. Variance bounds no chance of a right guess."
                    .into(),
            guards_values: true,
        })
    }
}

/// How far each value lies above the least of its column, by code. Variance does not change when
/// all numbers move together, and small numbers keep the arithmetic narrow.
#[derive(Debug)]
enum Offsets {
    Narrow(Box<[u64]>),
    Wide(Box<[u128]>),
}

impl Offsets {
    fn new(domain: &Domain) -> Self {
        let least = domain.amount(1).unwrap_or(0);
        // The difference of two 128-bit numbers in order always fits the unsigned ones.
        let above = |code: Code| domain.amount(code).map_or(0, |amount| amount.wrapping_sub(least) as u128);
        let codes = 0..=domain.len() as Code;
        match codes.clone().map(|code| u64::try_from(above(code)).ok()).collect::<Option<Box<[u64]>>>() {
            Some(narrow) => Offsets::Narrow(narrow),
            None => Offsets::Wide(codes.map(above).collect()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Offsets::Narrow(values) => values.len(),
            Offsets::Wide(values) => values.len(),
        }
    }

    fn get(&self, code: Code) -> u128 {
        match self {
            Offsets::Narrow(values) => u128::from(values[code as usize]),
            Offsets::Wide(values) => values[code as usize],
        }
    }
}

#[derive(Debug)]
struct Bound {
    offsets: Offsets,
    /// t in squares of the column's unit, as a fraction; `None` where it is too long for one.
    narrow: Option<Fraction>,
    /// The same, of any length.
    wide: (BigUint, BigUint),
    /// The square of `10^scale`: how many squares of the column's unit make one square.
    unit: BigUint,
    positive: bool,
}

/// n * sum(x^2) - sum(x)^2, which is n^2 times the variance in squares of the column's unit.
enum Spread {
    Narrow(u128),
    Wide(BigUint),
}

impl Bound {
    fn new(t: Decimal, domain: &Domain) -> Self {
        let ten = BigUint::from(10u32);
        let scale = 2 * u32::from(domain.scale());
        let up = scale.saturating_sub(t.scale().into());
        let down = u32::from(t.scale()).saturating_sub(scale);
        let mantissa = t.mantissa().unsigned_abs();
        let narrow = 10u128
            .checked_pow(up)
            .and_then(|factor| mantissa.checked_mul(factor))
            .zip(10u128.checked_pow(down))
            .map(|(numer, denom)| Fraction::ratio(numer, denom));
        Bound {
            offsets: Offsets::new(domain),
            narrow,
            wide: (ten.pow(up) * mantissa, ten.pow(down)),
            unit: ten.pow(scale),
            positive: mantissa > 0,
        }
    }

    /// The number of numbers in the group, and their spread.
    fn spread(&self, group: &Bag) -> (u64, Spread) {
        let numbers = numbers(group);
        let (Some(&(first, _)), Some(&(last, _))) = (numbers.first(), numbers.last()) else {
            return (0, Spread::Narrow(0));
        };
        if last as usize >= self.offsets.len() {
            // Codes of another column have no numbers here.
            return (0, Spread::Narrow(0));
        }
        let n = group.total() - u64::from(group.count(NULL));
        let base = self.offsets.get(first);
        let width = self.offsets.get(last) - base;
        let pairs = numbers.iter().map(|&(code, count)| (u128::from(count), self.offsets.get(code) - base));
        // With n * width below 2^64, each of n * sum(x^2), sum(x)^2 <= (n * width)^2 is below 2^128.
        if u128::from(n).checked_mul(width).is_some_and(|product| product >> 64 == 0) {
            let (sum, squares) = pairs.fold((0u128, 0u128), |(s, q), (count, x)| (s + count * x, q + count * x * x));
            return (n, Spread::Narrow(u128::from(n) * squares - sum * sum));
        }
        let (mut sum, mut squares) = (Sum::default(), Sum::default());
        for (count, x) in pairs {
            sum.add_product(count, x);
            match x.checked_mul(x) {
                Some(square) => squares.add_product(count, square),
                None => squares.big += BigUint::from(x) * x * count,
            }
        }
        (n, Spread::Wide(squares.total() * n - sum.total().pow(2)))
    }
}

/// A sum that spills into a longer number only when 128 bits are full.
#[derive(Default)]
struct Sum {
    small: u128,
    big: BigUint,
}

impl Sum {
    fn add_product(&mut self, a: u128, b: u128) {
        match a.checked_mul(b) {
            Some(product) => match self.small.checked_add(product) {
                Some(sum) => self.small = sum,
                None => self.big += std::mem::replace(&mut self.small, product),
            },
            None => self.big += BigUint::from(a) * b,
        }
    }

    fn total(self) -> BigUint {
        self.big + self.small
    }
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        if group.size() == 0 {
            return false;
        }
        let (n, spread) = self.spread(group);
        if n == 0 {
            return !self.positive;
        }
        let square = u128::from(n) * u128::from(n);
        match (&spread, self.narrow) {
            (Spread::Narrow(spread), Some(t)) => t.times_cmp(square, *spread).is_le(),
            (Spread::Narrow(spread), None) => &self.wide.1 * *spread >= &self.wide.0 * square,
            (Spread::Wide(spread), _) => &self.wide.1 * spread >= &self.wide.0 * square,
        }
    }

    /// With t above 0 both parts need two different numbers.
    fn divisible(&self, group: &Bag) -> bool {
        if !self.positive {
            return group.size() >= 2;
        }
        let numbers = numbers(group);
        numbers.len() >= 2 && numbers.iter().map(|pair| pair.1.min(2)).take(4).sum::<u32>() >= 4
    }

    fn monotone(&self) -> bool {
        true
    }

    fn attained(&self, group: &Bag) -> Attained {
        let (n, spread) = self.spread(group);
        if n == 0 {
            let score = if group.size() == 0 { Ratio::new(-1, 1) } else { Ratio::from(0) };
            return Attained::new(score, vec![("variance", "0".into())]);
        }
        let square = u128::from(n) * u128::from(n);
        let unit = u128::try_from(&self.unit).ok();
        let denom = unit.and_then(|unit| unit.checked_mul(square));
        if let (Spread::Narrow(spread), Some(denom)) = (&spread, denom)
            && let (Ok(a), Ok(b)) = (i128::try_from(*spread), i128::try_from(denom))
        {
            return Attained::new(Ratio::new(a, b), vec![("variance", rounded(*spread, denom, Round::Down))]);
        }
        let (spread, denom) = match spread {
            Spread::Narrow(spread) => (BigUint::from(spread), &self.unit * square),
            Spread::Wide(spread) => (spread, &self.unit * square),
        };
        let figure = rounded_big(&spread, &denom, Round::Down);
        Attained::new(Exact::wide(spread, denom), vec![("variance", figure)])
    }

    fn least_size(&self) -> u64 {
        if self.positive { 2 } else { 1 }
    }
}

#[cfg(test)]
mod tests;
