//! A belief as an exact fraction.

use num_bigint::BigUint;
use std::cmp::Ordering;

/// `near` out of `all`. Integers of any length, since the common denominator of groups of many sizes has no bound.
#[derive(Debug, Clone)]
pub(super) struct Belief {
    near: BigUint,
    all: BigUint,
}

impl Belief {
    /// `near` of `all`; certainty where there is nothing else to believe.
    pub(super) fn new(near: impl Into<BigUint>, all: impl Into<BigUint>) -> Self {
        let (near, all) = (near.into(), all.into());
        match all == BigUint::ZERO {
            true => Belief { near: 1u32.into(), all: 1u32.into() },
            false => Belief { near, all },
        }
    }

    /// Whether it exceeds a share.
    pub(super) fn exceeds(&self, (part, whole): (u128, u128)) -> bool {
        &self.near * whole > &self.all * part
    }

    pub(super) fn to_f64(&self) -> f64 {
        // Ten digits are enough to be read, and the parts may be beyond all floats.
        let digits = &self.near * 10_000_000_000u64 / &self.all;
        u64::try_from(digits).map_or(1.0, |digits| digits as f64 / 1e10)
    }
}

impl PartialEq for Belief {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Belief {}

impl PartialOrd for Belief {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Belief {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.near * &other.all).cmp(&(&other.near * &self.all))
    }
}
