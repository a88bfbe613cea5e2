//! Intervals of numbers, moved outward to round ones.
//!
//! Numbers are whole multiples of the column's unit `u`; a least interval `[lo, hi]` is `w >= 1` units wide. Its step is
//! `g` units, from the ladder 2, 5, 10, 20, 50, ..., and the ends move outward to multiples of `g u`.
//!
//! **Which widths share a step.** `g` serves the widths from `a` to `b`. Behind a published interval of `m` steps stand the
//! least intervals with `lo` moved by `i` and `hi` by `j` units, `0 <= i, j < g`, whose width `m g - i - j` lies between `a` and
//! `b`. Every sum `i + j` from 1 to `2g - 3` is reached by two pairs at least, `(i, j)` and `(j, i)` or a neighbour, and
//! so leaves both ends open. Only the sums 0 and `2g - 2` are reached by one pair. An end is certain only where one of these is
//! the only sum that is left: where `a` is a multiple of `g`, or `b` is `2 - g` short of one, that is `b = 2 (mod g)`. With
//! `a = 4g + 1` and `b = 4g'`, `g'` being the next step, neither happens for `g >= 5`: `a = 1 (mod g)` and `b = 0 (mod g)`, since
//! `4g'` is 8 or 10 times `g`. The step 2 serves up to 31, since narrow intervals grow most by a coarser one: `b` is odd then, and the
//! step 5 begins at 32, which is no multiple of it. The least step serves all widths from 1, and `[0, 1]`, `[1, 2]`, `[0, 2]` have no value in
//! common.
//!
//! **What it costs.** An end moves by `(g - 1)/2` units on average, both by `g - 1`, with `w > 4g` for all but the least step: less
//! than a quarter of the width, and never more than half of it. Under the least step, one unit becomes two and two at most four.

/// The least width that has a step of its own is more than this many steps.
const STEPS: i128 = 4;

/// The greatest width, in units, that the step 2 serves.
const WIDEST_OF_LEAST: i128 = 31;

/// A unit is taken for the column's own if this part of its values, in tenths, are multiples of it. A few odd values do not
/// make the others less round.
const TENTHS: usize = 9;

/// What the numbers of a column are multiples of, in units of its last digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberUnit(i128);

impl NumberUnit {
    /// The greatest number that all distinct values are multiples of, or the greatest of 1, 2, 5, 10, 20, 50, ... that nine tenths of those
    /// other than 0 are, the greater of the two: between multiples of 4 the steps of 2 would leave one value only.
    pub fn for_values(values: &[i128]) -> NumberUnit {
        let mut values: Vec<u128> =
            values.iter().map(|value| value.unsigned_abs()).filter(|&value| value != 0).collect();
        values.sort_unstable();
        values.dedup();
        let Some(&greatest) = values.last() else { return NumberUnit(1) };
        let common = values.iter().fold(0, |common, &value| greatest_divisor(common, value));
        let (mut best, mut unit) = (i128::try_from(common).unwrap_or(1), 1i128);
        while let Some(next) = next(unit).filter(|next| next.unsigned_abs() <= greatest) {
            unit = next;
            let multiples = values.iter().filter(|&&value| value % unit.unsigned_abs() == 0).count();
            if multiples * 10 >= values.len() * TENTHS {
                best = best.max(unit);
            }
        }
        NumberUnit(best)
    }

    /// The unit as a number.
    pub fn amount(self) -> i128 {
        self.0
    }
}

/// The interval that is shown for a least interval `lo < hi`; `None` where a round number does not fit.
pub fn round_numbers(lo: i128, hi: i128, unit: NumberUnit) -> Option<(i128, i128)> {
    let width = hi.checked_sub(lo)?;
    let units = width / unit.0 + i128::from(width % unit.0 != 0);
    let step = step(units)?.checked_mul(unit.0)?;
    let down = lo.div_euclid(step).checked_mul(step)?;
    let up = match hi.rem_euclid(step) {
        0 => hi,
        rest => hi.checked_add(step - rest)?,
    };
    Some((down, up))
}

/// The step, in units, for a width in units.
pub(super) fn step(units: i128) -> Option<i128> {
    let mut step = 2;
    loop {
        let coarser = next(step)?;
        let widest = if step == 2 { WIDEST_OF_LEAST } else { coarser.checked_mul(STEPS)? };
        if units <= widest {
            return Some(step);
        }
        step = coarser;
    }
}

/// The greatest number that both are multiples of.
fn greatest_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

/// The next of 1, 2, 5, 10, 20, 50, ...
fn next(step: i128) -> Option<i128> {
    let mut leading = step;
    while leading % 10 == 0 {
        leading /= 10;
    }
    if leading == 2 { Some(step.checked_mul(5)? / 2) } else { step.checked_mul(2) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const ONE: NumberUnit = NumberUnit(1);

    #[test]
    fn people_like_round_numbers() {
        assert_eq!(round_numbers(31, 38, ONE), Some((30, 38)));
        assert_eq!(round_numbers(17, 61, ONE), Some((10, 70)));
        assert_eq!(round_numbers(31, 32, ONE), Some((30, 32)));
        assert_eq!(round_numbers(0, 1, ONE), Some((0, 2)));
        assert_eq!(round_numbers(-7, -3, ONE), Some((-8, -2)));
        assert_eq!(round_numbers(12_345, 17_891, ONE), Some((12_000, 18_000)));
        assert_eq!(round_numbers(i128::MAX - 1, i128::MAX, ONE), None);
    }

    #[test]
    fn steps_go_by_one_two_five() {
        let steps: Vec<i128> = [1, 31, 32, 40, 41, 80, 81, 200, 201].map(|width| step(width).unwrap()).to_vec();
        assert_eq!(steps, [2, 2, 5, 5, 10, 10, 20, 20, 50]);
    }

    #[test]
    fn the_unit_is_what_values_are_multiples_of() {
        assert_eq!(NumberUnit::for_values(&[0, 1000, 25_000, 31_000]).amount(), 1000);
        assert_eq!(NumberUnit::for_values(&[5, 10, 15, 40]).amount(), 5);
        assert_eq!(NumberUnit::for_values(&[3, 10]).amount(), 1);
        assert_eq!(NumberUnit::for_values(&[0, 4, 8, 20]).amount(), 4);
        assert_eq!(NumberUnit::for_values(&[-250, 500, 1750]).amount(), 250);
        assert_eq!(NumberUnit::for_values(&[0]).amount(), 1);
        let mut odd: Vec<i128> = (1..=19).map(|i| i * 100).collect();
        odd.push(99_999);
        assert_eq!(NumberUnit::for_values(&odd).amount(), 100);
    }

    /// Everything that a published interval may stand for, and what all of it has in common.
    #[test]
    fn no_end_is_certain_whatever_is_published() {
        let most = 700;
        let mut behind: BTreeMap<(i128, i128), Vec<(i128, i128)>> = BTreeMap::new();
        for lo in 0..=most {
            for hi in lo + 1..=most {
                behind.entry(round_numbers(lo, hi, ONE).unwrap()).or_default().push((lo, hi));
            }
        }
        for ((down, up), least) in &behind {
            // Intervals near the border of the enumeration stand for some that it has not seen.
            if *up >= most {
                continue;
            }
            let (lo, hi) = least[0];
            for certain in [lo, hi] {
                let always = least.iter().all(|&(lo, hi)| lo == certain || hi == certain);
                assert!(!always, "[{down},{up}] tells {certain}");
            }
        }
        assert!(behind.len() > 1000);
    }

    proptest! {
        #[test]
        fn rounded_intervals_hold_the_least_and_are_not_much_wider(lo in -1_000_000i128..1_000_000, width in 1i128..1_000_000, unit in 0u32..4) {
            let unit = NumberUnit(10i128.pow(unit));
            let (lo, hi) = (lo * unit.0, (lo + width) * unit.0);
            let (down, up) = round_numbers(lo, hi, unit).unwrap();
            prop_assert!(down <= lo && hi <= up);
            prop_assert!(up - down <= 2 * (hi - lo), "never more than twice as wide");
            if width > 31 {
                prop_assert!(2 * (up - down) <= 3 * (hi - lo), "beyond the least step, at most half as wide again");
            }
            // Moving the interval by a step moves what is shown by a step.
            let step = step(width).unwrap() * unit.0;
            prop_assert_eq!(round_numbers(lo + step, hi + step, unit), Some((down + step, up + step)));
            // What is never negative is not shown as if it could be.
            prop_assert!(lo < 0 || down >= 0);
        }
    }
}
