//! beta-likeness tied to a column.

use super::{BetaLikeness, Gain};
use crate::exact::{Fraction, Round, rounded, rounded_big};
use crate::logarithm::{compare_with_ln, error_of_ratio, ln_ratio};
use crate::test::rows_between;
use crate::whole_counts::{WholeCounts, greatest_admitted};
use crate::{Attained, Exact, Test};
use num_bigint::{BigInt, BigUint};
use scumble_table::{Bag, Domain, Ratio, Result};

/// A float decides whether a gain is within -ln p where the two differ by more than this share: the conversions, the logarithm and the sum
/// are each off by a few 2^-53, and no -ln p is above 23.
const MARGIN: f64 = 1e-12;

/// Digits after the point, in bits, of the amount by which a gain exceeds -ln p.
const EXCESS_BITS: u32 = 256;

#[derive(Debug)]
pub(super) struct Bound {
    gain: Gain,
    /// 1 + beta: the most that a share may grow by.
    growth: Fraction,
    /// 1 - beta, the least that must be left of a share, where losses are bounded and that is above 0.
    left: Option<Fraction>,
    whole: WholeCounts,
    least: u64,
}

impl Bound {
    pub(super) fn new(principle: &BetaLikeness, domain: &Domain, whole: &Bag) -> Result<Self> {
        let whole = WholeCounts::new(domain, whole)?;
        let (numer, denom) = Fraction::new(principle.beta).parts();
        // A parameter has at most 38 digits above its fraction line and a power of ten up to 10^36 below it.
        let growth = Fraction::ratio(numer.saturating_add(denom), denom);
        let left = (principle.gain.is_two_sided() && numer < denom).then(|| Fraction::ratio(denom - numer, denom));
        let least = least_size(&whole, growth, left.is_some());
        Ok(Bound { gain: principle.gain, growth, left, whole, least })
    }

    /// Whether c of n members may have a value that C of the N of the whole have: `x` is c N and `y` is C n.
    fn is_within_growth(&self, x: u128, y: u128) -> bool {
        self.growth.times_cmp(y, x).is_ge()
    }

    fn is_within_ln(&self, x: u128, y: u128, in_whole: u32) -> bool {
        x <= y || is_within_ln(x, y, self.whole.members(), in_whole)
    }

    fn is_upper_met(&self, x: u128, y: u128, in_whole: u32) -> bool {
        self.is_within_growth(x, y) && (!self.gain.is_enhanced() || self.is_within_ln(x, y, in_whole))
    }

    fn is_lower_met(&self, x: u128, y: u128) -> bool {
        self.left.is_none_or(|left| left.times_cmp(y, x).is_le())
    }

    /// The most members of a group of n that may have a value that C of the whole have.
    fn most(&self, n: u64, in_whole: u32) -> u64 {
        let share = f64::from(in_whole) / self.whole.members() as f64;
        let growth = match self.gain.is_enhanced() {
            true => self.growth.to_f64().min(1.0 - share.ln()),
            false => self.growth.to_f64(),
        };
        let (members, y) = (u128::from(self.whole.members()), u128::from(in_whole) * u128::from(n));
        // More than all have it never; the guess stays small where beta is huge.
        let guess = (growth * share * n as f64).min(n as f64);
        greatest_admitted(guess, |count| count <= n && self.is_upper_met(u128::from(count) * members, y, in_whole))
    }

    /// The fewest that must have it.
    fn fewest(&self, n: u64, in_whole: u32) -> u64 {
        let Some(left) = self.left else { return 0 };
        let members = u128::from(self.whole.members());
        let y = u128::from(in_whole) * u128::from(n);
        let guess = left.to_f64() * f64::from(in_whole) / members as f64 * n as f64;
        // One more than the greatest number that is too few.
        let is_too_few = |count: u64| !self.is_lower_met(u128::from(count) * members, y);
        if is_too_few(0) { greatest_admitted(guess, is_too_few) + 1 } else { 0 }
    }

    /// By how much the gain of a value exceeds -ln p, in units of 2^-EXCESS_BITS; 0 exactly where it does not.
    fn excess(&self, x: u128, y: u128, in_whole: u32) -> BigUint {
        if self.is_within_ln(x, y, in_whole) {
            return BigUint::ZERO;
        }
        let gain = (BigInt::from(x - y) << EXCESS_BITS) / y + 1;
        let bound = ln_ratio(self.whole.members().into(), in_whole.into(), EXCESS_BITS);
        let excess: BigInt = gain - bound + error_of_ratio(EXCESS_BITS);
        excess.magnitude().clone()
    }
}

/// Whether (x - y) / y is at most ln(N / C), for x above y: it is rational and positive, so the two are never equal where C < N, and where C
/// is N the bound is 0 and exceeded.
fn is_within_ln(x: u128, y: u128, members: u64, in_whole: u32) -> bool {
    let bound = (members as f64 / f64::from(in_whole)).ln();
    let gain = (x - y) as f64 / y as f64;
    if (gain - bound).abs() > MARGIN * (gain + bound + 1.0) {
        return gain < bound;
    }
    compare_with_ln(x - y, y, members.into(), in_whole.into()).is_le()
}

/// A group of n members has at most n values. Their shares in the group add up to at least 1 and are at most 1 + beta times those in the whole, so
/// the latter add up to at least 1 / (1 + beta). Where every value must occur, so must the rarest, and 1 / n is at most 1 + beta times its share.
fn least_size(whole: &WholeCounts, growth: Fraction, all: bool) -> u64 {
    let (members, mut covered, mut least) = (u128::from(whole.members()), 0u128, 0u64);
    for count in whole.falling() {
        if growth.times_cmp(covered, members).is_ge() {
            break;
        }
        covered += u128::from(count);
        least += 1;
    }
    if all && whole.rarest() > 0 {
        least = least.max(whole.distinct() as u64);
        // n (1 + beta) C >= N, and so n >= N / C / (1 + beta), rounded down on the way.
        least = least.max(growth.floor_under(whole.members() / u64::from(whole.rarest())));
    }
    least.max(1)
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        if group.size() == 0 || self.left.is_some() && group.distinct() < self.whole.distinct() {
            return false;
        }
        let ratios = self.whole.ratios(group);
        group.counts().iter().zip(ratios).all(|(&(code, _), (x, y))| {
            y > 0 && self.is_upper_met(x, y, self.whole.count(code)) && self.is_lower_met(x, y)
        })
    }

    /// Where every value must occur in every group, it must occur twice to occur in two.
    fn divisible(&self, group: &Bag) -> bool {
        group.size() / 2 >= self.least
            && (self.left.is_none()
                || group.distinct() >= self.whole.distinct() && group.counts().iter().all(|&(_, count)| count > 1))
    }

    fn monotone(&self) -> bool {
        true
    }

    fn least_size(&self) -> u64 {
        self.least
    }

    /// The rows that may still take, or give up, the value that is nearest to its bound. Of the values that a group lacks the rarest is the nearest
    /// to its upper bound, for the bound rises with the share: p (1 - ln p) does too.
    fn slack(&self, group: &Bag) -> Option<i64> {
        let n = group.size();
        if n == 0 || self.left.is_some() && group.distinct() < self.whole.distinct() {
            return Some(-1);
        }
        let mut slack = i64::MAX;
        for &(code, count) in group.counts() {
            let in_whole = self.whole.count(code);
            if in_whole == 0 {
                return Some(-1);
            }
            let count = u64::from(count);
            slack = slack.min(rows_between(count, self.most(n, in_whole)));
            if self.left.is_some() {
                slack = slack.min(rows_between(self.fewest(n, in_whole), count));
            }
        }
        let absent = self.whole.rarest_absent(group).map(|in_whole| rows_between(0, self.most(n, in_whole)));
        Some(absent.map_or(slack, |absent| slack.min(absent)))
    }

    /// The figure `beta` is the greatest gain, or loss where those are bounded. The enhanced forms have a second, `above_ln`: the most by
    /// which a gain exceeds -ln p.
    fn attained(&self, group: &Bag) -> Attained {
        let (mut gain, mut above) = ((0u128, 1u128), BigUint::ZERO);
        let mut take = |numer: u128, denom: u128| {
            if Fraction::ratio(numer, denom).times_cmp(gain.1, gain.0).is_gt() {
                gain = (numer, denom);
            }
        };
        if self.gain.is_two_sided() && group.distinct() < self.whole.distinct() {
            take(1, 1);
        }
        let mut foreign = false;
        for (&(code, _), (x, y)) in group.counts().iter().zip(self.whole.ratios(group)) {
            if y == 0 {
                foreign = true;
            } else if x > y {
                take(x - y, y);
                if self.gain.is_enhanced() {
                    above = above.max(self.excess(x, y, self.whole.count(code)));
                }
            } else if self.gain.is_two_sided() {
                take(y - x, y);
            }
        }
        if foreign || group.size() == 0 {
            // Beyond any gain of a table.
            gain = (1 << 100, 1);
        }
        let score = Ratio::new(-(gain.0 as i128), gain.1 as i128);
        let beta = ("beta", rounded(gain.0, gain.1, Round::Up));
        if !self.gain.is_enhanced() {
            return Attained::new(score, vec![beta]);
        }
        let unit = BigUint::from(1u32) << EXCESS_BITS;
        let text = rounded_big(&above, &unit, Round::Up);
        let part = Exact::wide_negative(above, unit);
        Attained::from_parts(vec![score.into(), part], vec![beta, ("above_ln", text)])
    }
}
