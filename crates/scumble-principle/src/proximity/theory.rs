//! Which m goes with which epsilon on a column, whatever the grouping (paper 1, section 4).
//!
//! Sort the rows by their number. `maxsize` is the most rows in a run whose two ends conflict.
//! Theorem 1: the rows can be divided into passing groups exactly if `n >= m * maxsize`. One way:
//! the group that has the greatest `maxsize` relative to its size holds a row with too many near
//! ones. Other way: deal the sorted rows in turn to `maxsize` groups; two rows of one group are
//! `maxsize` places apart or more, so they do not conflict, and each group has at least m rows.
//!
//! Theorem 2 turns that around. `n >= m * maxsize` means that no run of `h + 1` rows has
//! conflicting ends, where `h = floor(n / m)`. Each such run has a least epsilon at which its ends
//! conflict, so the epsilons that can be had with m are those *strictly below* the least of these:
//! an exclusive supremum. The same argument serves absolute, interval (with the greater of e1 and
//! e2 in place of epsilon, Lemma 3) and relative neighbourhoods, without logarithms.
//!
//! Everything here takes one pass over a sorted histogram. These figures tell gaps between
//! sensitive numbers, so they are for the publisher and not for publication.

use super::neighbourhood::units;
use super::{Near, Neighbourhood};
use crate::exact::{Fraction, Round, compare_products, rounded};
use crate::test::numbers;
use scumble_table::{Bag, Code, Decimal, Domain, Kind, NULL, Ratio};

/// The most rows in a run of the sorted group whose two ends conflict (paper 1, Definition 11 and
/// Figure 1); 0 for an empty group. Nulls are a run of their own.
pub fn maxsize(group: &Bag, near: &Neighbourhood) -> u64 {
    longest_run(group.counts(), |x, y| y <= near.reach(x))
}

/// The same straight from the numbers, for callers that try many epsilons and want nothing else of
/// their neighbourhoods; nulls are left out. 0 where the column is not of numbers.
pub fn maxsize_at(domain: &Domain, whole: &Bag, near: Near) -> u64 {
    let number = |code: Code| domain.number(code).unwrap_or(0);
    match near {
        _ if domain.kind() != Kind::Number => 0,
        Near::Interval { below, above } => {
            let reach = units(below.max(above), domain);
            longest_run(numbers(whole), |x, y| number(y).abs_diff(number(x)) <= reach)
        }
        Near::Relative(epsilon) => {
            let (numer, denom) = Fraction::new(epsilon).parts();
            longest_run(numbers(whole), |x, y| {
                let (x, y) = (number(x), number(y));
                let greater = x.unsigned_abs().max(y.unsigned_abs());
                compare_products(denom, y.abs_diff(x), numer, greater).is_le()
            })
        }
    }
}

/// The most rows in a run whose two ends conflict.
fn longest_run(counts: &[(Code, u32)], conflict: impl Fn(Code, Code) -> bool) -> u64 {
    let (mut high, mut run, mut most) = (0, 0u64, 0u64);
    for &(code, count) in counts {
        while high < counts.len() && conflict(code, counts[high].0) {
            run += u64::from(counts[high].1);
            high += 1;
        }
        most = most.max(run);
        run -= u64::from(count);
    }
    most
}

/// The greatest m for which the rows can be divided into passing groups (Theorem 1); 0 where there
/// are no rows.
pub fn largest_m(whole: &Bag, near: &Neighbourhood) -> u64 {
    whole.size().checked_div(maxsize(whole, near)).unwrap_or(0)
}

/// The exclusive supremum of the absolute epsilons that can be had with `m` (Theorem 2): every
/// epsilon below it can, none from it on. `None` where every epsilon can be had, which is so for
/// m = 1; 0 where not even epsilon 0 can, as with fewer than m rows. Nulls are left out.
///
/// For `proximity-interval` it bounds the greater of e1 and e2.
pub fn epsilon_supremum(domain: &Domain, whole: &Bag, m: u64) -> Option<Decimal> {
    shortest(domain, spans(whole, longest_allowed(whole, m)))
}

/// The exclusive supremum of the lengths of windows for which all rows together pass
/// `proximity-window` with `m`, read as [`epsilon_supremum`] is. Since the principle is monotone,
/// they pass if any division of them does. Nulls are rows like others here: they count towards n, and where they
/// alone are more than n / m not even the length 0 will do.
pub fn window_supremum(domain: &Domain, whole: &Bag, m: u64) -> Option<Decimal> {
    let h = whole.size().checked_div(m).unwrap_or(whole.size());
    if u64::from(whole.count(NULL)) > h {
        return Some(Decimal::ZERO);
    }
    shortest(domain, spans(whole, h))
}

/// The least distance between the ends of a run; 0 without rows enough, `None` where no run is long enough.
fn shortest(domain: &Domain, spans: Spans<impl Iterator<Item = (Code, Code)>>) -> Option<Decimal> {
    let number = |code: Code| domain.number(code).unwrap_or(0);
    let units = match spans {
        Spans::None => 0,
        Spans::Every => return None,
        Spans::Of(spans) => spans.map(|(low, high)| number(high).abs_diff(number(low))).min()?,
    };
    // Beyond 38 digits the nearest number below that can be written.
    Some(Decimal::new(i128::try_from(units).unwrap_or(i128::MAX), domain.scale()))
}

/// The greatest epsilon below a supremum at the resolution of a column with `scale` digits after
/// the point; `None` if there is none, since 0 is not below 0. Epsilons between it and the supremum
/// ask for the same.
pub fn epsilon_largest(supremum: Decimal, scale: u8) -> Option<Decimal> {
    let units = supremum.at_scale(scale).filter(|units| *units > 0)?;
    Some(Decimal::new(units - 1, scale))
}

/// The exclusive supremum of the relative epsilons that can be had with `m`, as an exact fraction
/// of at most 1, read as [`epsilon_supremum`] is. A relative epsilon is below 1, so 1 means that
/// every one of them will do.
///
/// The ends x < y of a run conflict from the epsilon `(y - x) / max(|x|, |y|)` on. Two numbers on
/// different sides of 0, or 0 and any other, give 1 or more: they never conflict. Two zeros
/// conflict always.
pub fn relative_supremum(domain: &Domain, whole: &Bag, m: u64) -> Option<Ratio> {
    let number = |code: Code| domain.number(code).unwrap_or(0);
    let spans = match spans(whole, longest_allowed(whole, m)) {
        Spans::None => return Some(Ratio::from(0)),
        Spans::Every => return None,
        Spans::Of(spans) => spans,
    };
    let (mut numer, mut denom) = (1u128, 1u128);
    for (low, high) in spans {
        let (x, y) = (number(low), number(high));
        let (apart, greater) = (y.abs_diff(x), x.unsigned_abs().max(y.unsigned_abs()).max(1));
        if compare_products(apart, denom, numer, greater).is_lt() {
            (numer, denom) = (apart, greater);
        }
    }
    let signed = |part: u128| i128::try_from(part).unwrap_or(i128::MAX);
    Some(Ratio::new(signed(numer), signed(denom)))
}

/// A relative epsilon just below a supremum, with about four digits; `None` if the supremum
/// is 0. A relative epsilon has no resolution of its own, so this is a usable figure and not the
/// greatest one.
pub fn relative_largest(supremum: Ratio) -> Option<Decimal> {
    let (numer, denom) = (supremum.numer().max(0) as u128, supremum.denom() as u128);
    if numer == 0 {
        return None;
    }
    let down = Decimal::parse(&rounded(numer, denom, Round::Down))?;
    if Ratio::from(down) < supremum {
        return Some(down);
    }
    // The supremum has a short decimal itself: one unit less of the last of its four digits.
    let digits = |scale| Some((down.at_scale(scale)?, scale)).filter(|(digits, _)| *digits >= 1000);
    (down.scale().max(4)..=36).find_map(digits).map(|(digits, scale)| Decimal::new(digits - 1, scale))
}

/// The most rows with a number that may be near one another: `h = floor(n / m)`.
fn longest_allowed(whole: &Bag, m: u64) -> u64 {
    let n = whole.size() - u64::from(whole.count(NULL));
    n.checked_div(m).unwrap_or(n)
}

/// The first and the last number of each run of h + 1 sorted rows.
enum Spans<I> {
    /// h is 0: there are fewer than m rows.
    None,
    /// No run is that long.
    Every,
    /// One run for each different number, the one that starts with its first row. Those that start
    /// with a later row of the same number end no earlier, and never have a smaller span.
    Of(I),
}

fn spans(whole: &Bag, h: u64) -> Spans<impl Iterator<Item = (Code, Code)>> {
    let counts = numbers(whole);
    let n = whole.size() - u64::from(whole.count(NULL));
    if h == 0 {
        return Spans::None;
    }
    if h >= n {
        return Spans::Every;
    }
    let (mut start, mut end_at, mut end) = (0u64, 0usize, 0u64);
    Spans::Of(counts.iter().map_while(move |&(code, count)| {
        // `end` counts the rows of the numbers before position `end_at`.
        while end <= start + h {
            end += u64::from(counts.get(end_at)?.1);
            end_at += 1;
        }
        start += u64::from(count);
        Some((code, counts[end_at - 1].0))
    }))
}
