//! Perturbation, the rival that section 3.2 of Li, Tao, Xiao (SIGMOD 2008) compares with: every row keeps
//! its sensitive value with probability p, and otherwise shows one drawn evenly from the domain.
//!
//! It is measured, never published. With P the share of rows whose value lies in the neighbourhood I of
//! a row and L the length of I, the domain having length 1, the risk of that row is by equation 3
//!
//! ```text
//! P (p + (1-p) L) / (P p + (1-p) L) <= 1/m   if and only if   p / (1-p) <= L (1 - m P) / (P (m - 1))
//! ```
//!
//! and the least such p over all rows is the largest that may be used. Where `m P > 1` for some row not even
//! pure noise reaches the requirement. L is the whole length of I, as in the paper, also where I reaches
//! beyond the domain: the rival is allowed more than it should be.

use crate::{Draw, Microdata, Positions, Query};
use scumble_principle::{Near, Requirement};
use scumble_table::{Bag, Domain, Error, NULL, Result};

/// The largest retention probability that meets a proximity requirement for all rows: 0 means that
/// perturbation cannot, 1 that it need not do anything. Missing values are left out.
///
/// # Errors
/// If the requirement is not one of proximity, or the values are no numbers.
pub fn largest_retention(domain: &Domain, whole: &Bag, requirement: &Requirement) -> Result<f64> {
    let values: Vec<(i128, u64)> = whole
        .counts()
        .iter()
        .filter(|(code, _)| *code != NULL)
        .map(|&(code, n)| domain.amount(code).map(|value| (value, u64::from(n))))
        .collect::<Option<_>>()
        .ok_or_else(|| Error::request("baseline", "perturbation", "the sensitive values are no numbers"))?;
    let too_long = || Error::request("baseline", "perturbation", "the numbers are too long for exact arithmetic");
    let (near, m) = requirement.principle().proximity().ok_or_else(|| {
        Error::request("baseline", requirement.to_string(), "perturbation is compared by a proximity requirement")
    })?;
    let reach = NeighbourhoodReach { near, m };
    let (Some(&(least, _)), Some(&(greatest, _))) = (values.first(), values.last()) else { return Ok(1.0) };
    if reach.m == 1 {
        return Ok(1.0);
    }
    // Everything in units so fine that values and reaches are whole.
    let fine = reach.scale(domain.scale());
    let unit = 10i128.checked_pow(u32::from(fine - domain.scale())).ok_or_else(too_long)?;
    let n_rows: u64 = values.iter().map(|(_, n)| n).sum();
    let length = greatest.checked_sub(least).and_then(|length| length.checked_mul(unit)).ok_or_else(too_long)?;
    let (mut first, mut end, mut inside) = (0, 0, 0u64);
    let mut best = 1.0f64;
    for &(value, _) in &values {
        let (below, above) = reach.around(value, unit, domain.scale(), fine).ok_or_else(too_long)?;
        // Both ends of the neighbourhood rise with the value, so the window only moves on.
        while end < values.len() && values[end].0.checked_mul(unit).ok_or_else(too_long)? <= above {
            inside += values[end].1;
            end += 1;
        }
        while values[first].0.checked_mul(unit).ok_or_else(too_long)? < below {
            inside -= values[first].1;
            first += 1;
        }
        // At m P = 1 nothing may be kept, and above not even that is enough.
        if u128::from(inside) * u128::from(reach.m) >= u128::from(n_rows) {
            return Ok(0.0);
        }
        let width = above.checked_sub(below).ok_or_else(too_long)? as f64 / length as f64;
        best = best.min(retention(inside as f64 / n_rows as f64, width, reach.m));
    }
    Ok(best)
}

/// The largest p of a row whose neighbourhood has the length `length` and holds a share `inside` of all rows.
fn retention(inside: f64, length: f64, m: u64) -> f64 {
    let m = m as f64;
    let odds = length * (1.0 - m * inside) / (inside * (m - 1.0));
    if odds > 0.0 { odds / (1.0 + odds) } else { 0.0 }
}

/// How far a neighbourhood reaches around a value.
struct NeighbourhoodReach {
    near: Near,
    m: u64,
}

impl NeighbourhoodReach {
    /// Digits after the point at which values of this many digits and their reaches are whole.
    fn scale(&self, values: u8) -> u8 {
        match &self.near {
            Near::Interval { below: e1, above: e2 } => values.max(e1.scale()).max(e2.scale()),
            Near::Relative(epsilon) => values + epsilon.scale(),
        }
    }

    /// The ends of the neighbourhood of a value, in the fine unit.
    fn around(&self, value: i128, unit: i128, scale: u8, fine: u8) -> Option<(i128, i128)> {
        let at = value.checked_mul(unit)?;
        let (below, above) = match &self.near {
            Near::Interval { below: e1, above: e2 } => (e1.at_scale(fine)?, e2.at_scale(fine)?),
            Near::Relative(epsilon) => {
                let reach = epsilon.at_scale(fine - scale)?.checked_mul(value.checked_abs()?)?;
                (reach, reach)
            }
        };
        Some((at.checked_sub(below)?, at.checked_add(above)?))
    }
}

/// A perturbed table, for comparison only.
#[derive(Debug, Clone)]
pub struct Perturbed {
    retention: f64,
    table: Microdata,
}

impl Perturbed {
    /// Perturbs the sensitive column of a source; quasi-identifiers stay exact and missing values missing.
    pub fn new(source: &Microdata, retention: f64, seed: u64) -> Self {
        let mut draw = Draw::new(seed, b"perturbation", 0);
        let axis = source.sensitive().axis();
        let places: Vec<f64> = (0..source.sensitive().len())
            .map(|row| {
                let place = source.sensitive().place(row);
                if place.is_nan() || draw.share() < retention {
                    place
                } else if axis.discrete {
                    axis.lo + draw.below(axis.size().max(1.0) as u64) as f64
                } else {
                    axis.lo + draw.share() * axis.size()
                }
            })
            .collect();
        let sensitive = Positions::from_places(axis.clone(), &places);
        Perturbed { retention, table: Microdata::new(source.quasi().to_vec(), sensitive) }
    }

    /// Estimates the answer to a query. Of the N rows that suit its quasi-identifiers, each shows by noise a
    /// wanted value with probability (1-p) b, where b is the share of the domain that the query wants:
    /// `(observed - (1-p) b N) / p`. Nothing where all is noise, or where it is not about the perturbed column alone.
    pub fn estimate(&self, query: &Query) -> Option<f64> {
        let [(0, wanted)] = &query.sensitive[..] else { return None };
        if self.retention <= 0.0 {
            return None;
        }
        let noise = (1.0 - self.retention) * wanted.share(self.table.sensitive().axis());
        let (observed, all) = (self.table.count(query) as f64, self.table.count_quasi(query) as f64);
        Some((observed - noise * all) / self.retention)
    }
}

#[cfg(test)]
#[path = "perturbation_tests.rs"]
mod tests;
