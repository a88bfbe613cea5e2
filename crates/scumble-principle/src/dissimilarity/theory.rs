//! What can be said about a table before any group is formed (paper 2, sections III to V,
//! corrected): how many neighbours a group allows, how many classes there are and of which sizes, which maximum degree
//! guarantees a colouring, and which clique rules one out.

mod clique;

pub use clique::{Clique, clique_share, heaviest_clique, smallest_ruled_out};
pub(crate) use clique::{DELTA_DIGITS, heavy_clique};

use crate::exact::{Fraction, unit};
use scumble_table::{Decimal, Ratio};

/// No group has fewer rows: one of a single row has a risk of 1 by Definition 6, whatever its value.
pub const LEAST_SIZE: u64 = 2;

/// The most neighbours that a row of a group of `size` rows may have: floor((1 - delta) (size - 1)), exactly.
pub fn allowed(size: u64, delta: Decimal) -> u64 {
    let (p, q) = Fraction::new(delta).parts();
    let others = u128::from(size.saturating_sub(1));
    // (q - p) / q with p <= q: the product has at most 64 bits more than q.
    let near = q.saturating_sub(p);
    match near.checked_mul(others) {
        Some(product) => u64::try_from(product / q).unwrap_or(u64::MAX),
        None => u64::try_from(num_bigint::BigUint::from(near) * others / q).unwrap_or(u64::MAX),
    }
}

/// The classes of an equitable colouring of n rows, at least k of them each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes {
    /// Number of classes: floor(n / k).
    pub count: u64,
    /// Rows of the smaller ones: floor(n / count).
    pub size: u64,
    /// How many classes have one row more.
    pub larger: u64,
}

impl Classes {
    /// As many classes of at least `k` rows as `n` rows allow, and of at least [`LEAST_SIZE`]; none where there are fewer
    /// rows.
    pub fn new(n: u64, k: u64) -> Option<Classes> {
        let count = Some(n / k.max(LEAST_SIZE)).filter(|&count| count > 0)?;
        Some(Classes { count, size: n / count, larger: n % count })
    }

    /// Sizes of all classes, the larger ones first.
    pub fn sizes(self) -> impl Iterator<Item = u64> {
        (0..self.count).map(move |class| self.size + u64::from(class < self.larger))
    }

    /// The most members of a clique that these classes hold together: one more than a member may have neighbours, each.
    pub fn capacity(self, delta: Decimal) -> u64 {
        let held = |size: u64| allowed(size, delta) + 1;
        self.larger * held(self.size + 1) + (self.count - self.larger) * held(self.size)
    }

    /// The greatest maximum degree for which a colouring is guaranteed, with the floor that Inequality 4 of the paper
    /// drops. With classes of one size it is the greatest Θ with 2Θ <= m(t + 1) or
    /// Θ(2s - 1) < ms(t + 1); with two sizes that with 2Θ < m(t + 1) for the t of the smaller. Two cases say more than
    /// the lemma: where no row has more than t neighbours any classes will do, and where t is all of a class any degree.
    pub fn guaranteed_degree(self, delta: Decimal) -> u64 {
        self.degree_for(allowed(self.size, delta))
    }

    fn degree_for(self, t: u64) -> u64 {
        if t + 1 >= self.size {
            return self.count * self.size + self.larger - 1;
        }
        let m = u128::from(self.count) * (u128::from(t) + 1);
        let degree = if self.larger > 0 {
            m.saturating_sub(1) / 2
        } else {
            let s = u128::from(self.size);
            (m / 2).max((m * s).saturating_sub(1) / (2 * s - 1))
        };
        // Less than rows there are.
        (degree as u64).max(t)
    }

    /// The greatest delta for which a colouring is guaranteed under a maximum degree; at least 0, which any classes meet.
    pub fn guaranteed_delta(self, max_degree: u64) -> Ratio {
        if self.size < LEAST_SIZE {
            return Ratio::new(0, 1);
        }
        // The least t that will do. All of a class near each other is t = size - 1, which is delta 0.
        let (mut low, mut high) = (0, self.size - 1);
        while low < high {
            let t = low + (high - low) / 2;
            if self.degree_for(t) >= max_degree { high = t } else { low = t + 1 }
        }
        Ratio::new(i128::from(self.size - 1 - low), i128::from(self.size - 1))
    }
}

/// A delta and a k such that a group of n >= k rows which meets them has at most a share 1 - delta of *all* its rows near a
/// member, that member included: floor((1 - delta') (n - 1)) + 1 <= (1 - delta) n. The value of another group stands for
/// one more row than the others of a member.
pub(super) fn spared(delta: Decimal, k: u64) -> Option<(Decimal, u64)> {
    const DIGITS: u8 = 4;
    let (unit, left) = (unit(delta)?, unit(delta)? - delta.mantissa());
    if left <= 0 {
        return None;
    }
    // A group in which one row may be near has 1 / (1 - delta) rows.
    let k = k.max(u64::try_from((unit + left - 1) / left).ok()?).max(LEAST_SIZE);
    let fits = |left_in: i128| {
        let delta = Decimal::new(10i128.pow(DIGITS.into()) - left_in, DIGITS);
        // Groups are near the least size; one that were larger than this would be found out by the criterion.
        (k..=k.saturating_mul(64)).all(|n| {
            let near = i128::from(allowed(n, delta)) + 1;
            near.checked_mul(unit).is_some_and(|near| near <= left * i128::from(n))
        })
    };
    // The largest share of four digits that fits.
    let most = left.checked_mul(10i128.pow(DIGITS.into()))? / unit;
    let left_in = (0..=most).rev().find(|&left_in| fits(left_in))?;
    Some((Decimal::new(10i128.pow(DIGITS.into()) - left_in, DIGITS), k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_spares_a_row_for_others() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        for (delta, k) in [("0.8", 6), ("0.8", 10), ("0.5", 2), ("0.9", 11), ("0.75", 40), ("0.35", 3), ("0.99", 7)] {
            let (stricter, least) = spared(decimal(delta), k).unwrap();
            assert!(least >= k && stricter >= decimal(delta), "{delta} {k}");
            for n in least..2000 {
                let near = (allowed(n, stricter) + 1) as f64;
                assert!(near <= (1.0 - decimal(delta).to_f64()) * n as f64 + 1e-9, "{delta} {k} {n}");
            }
        }
        // Two of ten may be near: the value itself, and one more.
        let (delta, k) = spared(decimal("0.8"), 10).unwrap();
        assert_eq!((allowed(10, delta), k), (1, 10));
        assert_eq!(spared(decimal("1"), 10), None);
    }
}
