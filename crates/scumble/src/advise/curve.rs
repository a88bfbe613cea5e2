//! The trade-off between epsilon and m, over grids of both.

use super::Bounds;
use rayon::prelude::*;
use scumble_principle::Near;
use scumble_principle::proximity::theory::{
    epsilon_largest, epsilon_supremum, maxsize_at, relative_largest, relative_supremum,
};
use scumble_table::{Bag, Code, Decimal, Domain, Monitor, NULL, Ratio, Result};
use serde::Serialize;

/// The trade-off between epsilon and m.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Curve {
    /// The largest m for absolute epsilons.
    pub absolute: Vec<AtEpsilon>,
    /// The largest m for relative epsilons.
    pub relative: Vec<AtEpsilon>,
    /// The epsilons for values of m.
    pub by_m: Vec<Bounds>,
}

/// The largest m for one epsilon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AtEpsilon {
    /// The epsilon.
    pub epsilon: String,
    /// The most rows in a run of sorted numbers whose ends are near each other.
    pub maxsize: u64,
    /// The largest m.
    pub m_max: u64,
}

/// `maxsize` and the largest m, of the rows that have a number.
pub(super) fn largest_m(domain: &Domain, whole: &Bag, near: Near) -> (u64, u64) {
    let maxsize = maxsize_at(domain, whole, near);
    (maxsize, n_numbers(whole).checked_div(maxsize).unwrap_or(0))
}

/// The epsilons that go with an m.
pub(super) fn bounds(domain: &Domain, whole: &Bag, m: u64) -> Bounds {
    let absolute = epsilon_supremum(domain, whole, m);
    let relative = relative_supremum(domain, whole, m);
    let rounded = relative.map(rounded_down);
    let is_rounded = rounded.as_ref().is_some_and(|(_, is_exact)| !is_exact);
    let text = |decimal: Decimal| decimal.to_string();
    Bounds {
        m,
        epsilon_supremum: absolute.map(text),
        epsilon_largest: absolute.and_then(|supremum| epsilon_largest(supremum, domain.scale())).map(text),
        relative_supremum: rounded.map(|(text, _)| text),
        relative_supremum_exact: relative
            .filter(|_| is_rounded)
            .map(|exact| format!("{}/{}", exact.numer(), exact.denom())),
        relative_largest: relative.and_then(relative_largest).map(text),
    }
}

/// Relative epsilons that people ask for.
const RELATIVE: [&str; 15] = [
    "0", "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.125", "0.2", "0.25", "0.3", "0.4", "0.5", "0.75",
];

/// Values of m that people ask for; beyond them 1, 2, 5 and so on.
const M: [u64; 13] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30];

/// Absolute epsilons of the grid span this many powers of ten below the range of the numbers.
const DECADES: u32 = 5;

/// The trade-off. Each point takes one pass over the distinct numbers, and points are independent.
pub(super) fn curve(domain: &Domain, whole: &Bag, monitor: Monitor<'_>) -> Result<Curve> {
    let at = |epsilon: String, near: Near| {
        monitor.check()?;
        let (maxsize, m_max) = largest_m(domain, whole, near);
        Ok(AtEpsilon { epsilon, maxsize, m_max })
    };
    let absolute = absolute_grid(domain, whole).into_par_iter();
    let absolute = absolute.map(|epsilon| at(epsilon.to_string(), Near::absolute(epsilon)));
    let mut absolute: Vec<AtEpsilon> = absolute.collect::<Result<_>>()?;
    // Once only m = 1 is left, larger epsilons tell nothing more.
    let last = absolute.iter().position(|point| point.m_max <= 1).map_or(absolute.len(), |first| first + 1);
    absolute.truncate(last);
    let relative = RELATIVE.par_iter().filter_map(|text| Some((text, Decimal::parse(text)?)));
    let relative = relative.map(|(text, epsilon)| at(text.to_string(), Near::Relative(epsilon)));
    let relative: Vec<AtEpsilon> = relative.collect::<Result<_>>()?;
    let most = absolute.first().map_or(1, |point| point.m_max);
    let by_m = m_grid(most).into_par_iter().map(|m| monitor.check().map(|()| bounds(domain, whole, m)));
    Ok(Curve { absolute, relative, by_m: by_m.collect::<Result<_>>()? })
}

/// 0, and 1, 2, 5, 10, ... times the unit of the grid up to the range of the numbers.
fn absolute_grid(domain: &Domain, whole: &Bag) -> Vec<Decimal> {
    let numbers = whole.counts().iter().filter(|pair| pair.0 != NULL).map(|pair| pair.0);
    let number = |code: Option<Code>| code.and_then(|code| domain.number(code)).unwrap_or(0);
    let range = number(numbers.clone().next_back()).abs_diff(number(numbers.clone().next()));
    let range = i128::try_from(range).unwrap_or(i128::MAX);
    let mut unit: i128 = 10i128.pow(range.max(1).ilog10().saturating_sub(DECADES));
    let mut grid = vec![0];
    'grid: loop {
        for step in [1, 2, 5] {
            match unit.checked_mul(step) {
                Some(epsilon) if epsilon < range => grid.push(epsilon),
                _ => break 'grid,
            }
        }
        match unit.checked_mul(10) {
            Some(next) => unit = next,
            None => break,
        }
    }
    if range > 0 {
        grid.push(range);
    }
    grid.into_iter().map(|units| Decimal::new(units, domain.scale())).collect()
}

/// Values of m from 2 to the most there can be, that one included.
fn m_grid(most: u64) -> Vec<u64> {
    let beyond = (1..19).flat_map(|power| [5u64, 10, 20].map(|step| step.saturating_mul(10u64.saturating_pow(power))));
    let mut grid: Vec<u64> = M.into_iter().chain(beyond.filter(|m| *m > 30)).take_while(|m| *m < most).collect();
    grid.extend((most >= 2).then_some(most));
    grid
}

/// A fraction from 0 to 1 as the text of a decimal that is not greater, with twelve digits after the point, or as many
/// sixes of them as it takes until one is not 0: only 0 is written as 0. The flag is true if nothing was cut off.
fn rounded_down(share: Ratio) -> (String, bool) {
    let (numer, denom) = (share.numer().unsigned_abs(), share.denom().unsigned_abs());
    let (whole, mut rest) = (numer / denom, numer % denom);
    let mut digits = String::new();
    while rest > 0
        && (digits.len() < 12 || !digits.len().is_multiple_of(6) || digits.bytes().all(|digit| digit == b'0'))
    {
        // Ten times the rest may not fit, but added up and taken off in turn it does: both are below 2^127.
        let (mut digit, mut tenfold) = (0, 0);
        for _ in 0..10 {
            tenfold += rest;
            if tenfold >= denom {
                tenfold -= denom;
                digit += 1;
            }
        }
        rest = tenfold;
        digits.push(char::from(b'0' + digit));
    }
    let digits = digits.trim_end_matches('0');
    (if digits.is_empty() { whole.to_string() } else { format!("{whole}.{digits}") }, rest == 0)
}

fn n_numbers(whole: &Bag) -> u64 {
    whole.size() - u64::from(whole.count(NULL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_cover_the_range_and_end_with_it() {
        let numbers = |texts: &[&str]| {
            let values: Vec<Decimal> = texts.iter().map(|text| Decimal::parse(text).unwrap()).collect();
            let domain = Domain::numbers(values).unwrap();
            let whole = Bag::from_codes(domain.codes());
            let shown: Vec<String> = absolute_grid(&domain, &whole).iter().map(Decimal::to_string).collect();
            shown.join(" ")
        };
        assert_eq!(numbers(&["7"]), "0");
        assert_eq!(numbers(&["0.1", "0.2"]), "0 0.1");
        assert_eq!(numbers(&["-3", "100"]), "0 1 2 5 10 20 50 100 103");
        let wide = numbers(&["1", "999999999999999"]);
        assert!(
            wide.starts_with("0 1000000000 2000000000 ") && wide.ends_with(" 500000000000000 999999999999998"),
            "{wide}"
        );
        assert!(
            numbers(&["-100000000000000000000000000000000000000", "100000000000000000000000000000000000000"]).len()
                < 1000
        );
        assert!(m_grid(1).is_empty());
        assert_eq!((m_grid(2), m_grid(12)), (vec![2], vec![2, 3, 4, 5, 6, 7, 8, 9, 10, 12]));
        assert_eq!(m_grid(1234)[12..], [30, 50, 100, 200, 500, 1000, 1234]);
        assert!(m_grid(u64::MAX).windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn shares_round_down_and_stay_above_nothing() {
        let rounded = |n, d| rounded_down(Ratio::new(n, d));
        let exact = |text: &str| (text.to_string(), true);
        assert_eq!(rounded(1, 51), ("0.019607843137".into(), false));
        assert_eq!((rounded(1, 8), rounded(0, 1), rounded(1, 1)), (exact("0.125"), exact("0"), exact("1")));
        assert_eq!(rounded(1, 10i128.pow(12)), exact("0.000000000001"));
        assert_eq!(rounded(2, 3 * 10i128.pow(14)), ("0.000000000000006666".into(), false));
        assert_eq!(rounded(1, 10i128.pow(13)), exact("0.0000000000001"));
        // Neither a giant above nor one below the line takes digits away.
        let giant = 10i128.pow(37);
        assert_eq!(rounded(giant - 1, giant), ("0.999999999999".into(), false));
        assert_eq!(rounded(10i128.pow(27) + 1, 16 * giant), ("0.000000000006".into(), false));
        let (text, is_exact) = rounded(1, i128::MAX);
        assert_eq!((text.as_str(), is_exact), ("0.000000000000000000000000000000000000005877", false));
        let (text, is_exact) = rounded(i128::MAX - 1, i128::MAX);
        assert_eq!((text.as_str(), is_exact), ("0.999999999999", false));
    }
}
