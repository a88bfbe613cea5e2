//! Which numbers of a column are near which, in codes.

use crate::exact::{Fraction, Round, compare_products, whole_units};
use scumble_table::{Bag, Code, Decimal, Domain, Kind, NULL};

/// Which numbers are near a number x (paper 1, Definitions 6 and 8). Boundaries are closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Near {
    /// The numbers from `x - below` to `x + above`.
    Interval {
        /// The reach below x.
        below: Decimal,
        /// The reach above x.
        above: Decimal,
    },
    /// The numbers y with `|y - x| <= epsilon * |x|`, for an epsilon from 0 to below 1. The paper's
    /// interval `[x(1 - epsilon), x(1 + epsilon)]` is empty for negative x; this one is not.
    Relative(Decimal),
}

impl Near {
    /// The numbers y with `|y - x| <= epsilon`.
    pub fn absolute(epsilon: Decimal) -> Self {
        Near::Interval { below: epsilon, above: epsilon }
    }
}

/// For each number of a column the run of numbers that are near it, as codes.
///
/// Codes ascend with the numbers. For x < y the ends of the neighbourhood of y lie nowhere below
/// those of x: that is plain for intervals of fixed length, and holds for relative ones because
/// `x - epsilon * |x|` and `x + epsilon * |x|` both rise with x where epsilon is below 1, on either
/// side of 0 and across it. So all three bounds below rise with the code, and two pointers find
/// them in one pass over the column.
///
/// Two numbers *conflict* if one of them is near the other. A number and the greatest one it
/// conflicts with conflict with everything between them, so that conflicts too are runs of codes.
///
/// Null is near only to null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbourhood {
    first: Box<[Code]>,
    last: Box<[Code]>,
    reach: Box<[Code]>,
}

impl Neighbourhood {
    /// The neighbourhoods in a column of numbers; `None` for columns of other kinds.
    pub fn new(domain: &Domain, near: Near) -> Option<Self> {
        if domain.kind() != Kind::Number {
            return None;
        }
        let number = |code: Code| domain.number(code).unwrap_or(0);
        Some(match near {
            Near::Interval { below, above } => {
                let (below, above) = (units(below, domain), units(above, domain));
                Neighbourhood::from_predicate(domain.len(), |x, y| {
                    number(x).abs_diff(number(y)) <= if y < x { below } else { above }
                })
            }
            Near::Relative(epsilon) => {
                let (numer, denom) = Fraction::new(epsilon).parts();
                Neighbourhood::from_predicate(domain.len(), |x, y| {
                    let apart = number(x).abs_diff(number(y));
                    compare_products(denom, apart, numer, number(x).unsigned_abs()).is_le()
                })
            }
        })
    }

    /// The windows of a length that start at a number, as if what lies in them were near it: the most
    /// rows in any window are then [`Neighbourhood::most_near`]. The length is in units of the column;
    /// `None` for columns that are not of numbers.
    pub(crate) fn windows(domain: &Domain, length: u128) -> Option<Self> {
        let number = |code: Code| domain.number(code).unwrap_or(0);
        let inside = |x: Code, y: Code| y == x || y > x && number(x).abs_diff(number(y)) <= length;
        (domain.kind() == Kind::Number).then(|| Neighbourhood::from_predicate(domain.len(), inside))
    }

    /// `is_near(x, y)` tells whether the number with code y is near the one with code x.
    fn from_predicate(len: usize, is_near: impl Fn(Code, Code) -> bool) -> Self {
        let most = len as Code;
        let mut first = vec![NULL; len + 1].into_boxed_slice();
        let (mut last, mut reach) = (first.clone(), first.clone());
        let (mut low, mut high) = (1, 1);
        for code in 1..=most {
            while low < code && !is_near(code, low) {
                low += 1;
            }
            high = high.max(code);
            while high < most && is_near(code, high + 1) {
                high += 1;
            }
            (first[code as usize], last[code as usize]) = (low, high);
        }
        let mut far = 1;
        for code in 1..=most {
            far = far.max(last[code as usize]);
            while far < most && first[far as usize + 1] <= code {
                far += 1;
            }
            reach[code as usize] = far;
        }
        Neighbourhood { first, last, reach }
    }

    /// The least number near the number with this code.
    #[inline]
    pub fn first(&self, code: Code) -> Code {
        self.first.get(code as usize).copied().unwrap_or(code)
    }

    /// The greatest number near the number with this code.
    #[inline]
    pub fn last(&self, code: Code) -> Code {
        self.last.get(code as usize).copied().unwrap_or(code)
    }

    /// The greatest number that the number with this code conflicts with; at least the code itself.
    #[inline]
    pub fn reach(&self, code: Code) -> Code {
        self.reach.get(code as usize).copied().unwrap_or(code)
    }

    /// True if one of two numbers is near the other.
    #[inline]
    pub fn conflict(&self, a: Code, b: Code) -> bool {
        self.reach(a.min(b)) >= a.max(b)
    }

    /// The first and the last number whose neighbourhood this number lies in. Since the ends of neighbourhoods rise with
    /// the code, it lies in those of all numbers between too.
    pub fn holders(&self, code: Code) -> (Code, Code) {
        let first = self.last.partition_point(|&last| last < code);
        let end = self.first.partition_point(|&first| first <= code);
        if first < end { (first as Code, end as Code - 1) } else { (code, code) }
    }

    /// How many rows, given as rising values with their counts, are near the number with this code, which need not be
    /// among them.
    pub fn rows_near(&self, code: Code, counts: &[(Code, u32)]) -> u64 {
        let (first, last) = (self.first(code), self.last(code));
        let from = counts.partition_point(|pair| pair.0 < first);
        counts[from..].iter().take_while(|pair| pair.0 <= last).map(|pair| u64::from(pair.1)).sum()
    }

    /// The most rows of a group that are near one of its rows, that row included: the breach risk
    /// of Definition 5, times the size of the group. One pass with two pointers.
    pub fn most_near(&self, group: &Bag) -> u64 {
        let counts = group.counts();
        let (mut low, mut high) = (0, 0);
        let (mut near, mut most) = (0u64, 0u64);
        for &(code, _) in counts {
            let last = self.last(code);
            while high < counts.len() && counts[high].0 <= last {
                near += u64::from(counts[high].1);
                high += 1;
            }
            let first = self.first(code);
            while counts[low].0 < first {
                near -= u64::from(counts[low].1);
                low += 1;
            }
            most = most.max(near);
        }
        most
    }
}

/// A reach in units of a column. Its numbers are whole units apart, so what is left of the reach
/// beyond whole units does not matter.
pub(super) fn units(reach: Decimal, domain: &Domain) -> u128 {
    whole_units(reach, domain.scale(), Round::Down)
}
