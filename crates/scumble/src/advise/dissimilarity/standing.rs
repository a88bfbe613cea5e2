//! What the theory says of one epsilon, and of one k under it.

use scumble_principle::Neighbours;
use scumble_principle::dissimilarity::theory::{
    Classes, Clique, LEAST_SIZE, allowed, clique_share, heaviest_clique, smallest_ruled_out,
};
use scumble_table::{Decimal, Ratio};
use serde::Serialize;

/// Whether a delta can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Some grouping meets it, by the maximum degree.
    Guaranteed,
    /// Neither of the others: only a search can tell.
    Unknown,
    /// No grouping meets it, by a clique.
    Infeasible,
}

impl Status {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Guaranteed => "guaranteed",
            Status::Unknown => "unknown",
            Status::Infeasible => "infeasible",
        }
    }
}

/// The figures that a table has at one epsilon.
#[derive(Debug, Clone)]
pub(super) struct Nearness {
    pub(super) rows: u64,
    pub(super) kept: &'static str,
    /// The most other rows that are near one.
    pub(super) max_degree: u64,
    pub(super) clique: Clique,
}

impl Nearness {
    /// Counts neighbours and looks for a heavy clique.
    pub(super) fn count(neighbours: &Neighbours, weights: &[u32]) -> Self {
        let degrees = neighbours.degrees(weights);
        let clique = heaviest_clique(neighbours, weights, &degrees);
        Nearness {
            rows: weights.iter().map(|&rows| u64::from(rows)).sum(),
            kept: neighbours.kept(),
            max_degree: degrees.into_iter().max().unwrap_or(0),
            clique,
        }
    }

    /// What holds for groups of at least `k` rows; nothing where there are fewer rows than that, or only one.
    pub(super) fn at(&self, k: u64) -> Option<GroupSizeOutlook<'_>> {
        let least = k.max(LEAST_SIZE);
        Classes::new(self.rows, least).map(|classes| GroupSizeOutlook { near: self, least, classes })
    }
}

/// What holds at one epsilon and k.
///
/// Where there is room for one group only, there is nothing to search: all rows together meet a delta or do not, which
/// the maximum degree tells. Otherwise the degree guarantees some deltas and the clique disproves others.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupSizeOutlook<'a> {
    near: &'a Nearness,
    /// No group has fewer rows.
    least: u64,
    pub(super) classes: Classes,
}

impl GroupSizeOutlook<'_> {
    /// True if all rows must be in one group.
    pub(super) fn is_one_group(&self) -> bool {
        self.classes.count == 1
    }

    /// The greatest delta that some grouping is known to meet.
    pub(super) fn guaranteed(&self) -> Ratio {
        self.classes.guaranteed_delta(self.near.max_degree)
    }

    /// The greatest maximum degree with which some grouping is known to meet delta.
    pub(super) fn guaranteed_degree(&self, delta: Decimal) -> u64 {
        self.classes.guaranteed_degree(delta)
    }

    /// The most near others of a row in a class; where classes have two sizes, in the smaller.
    pub(super) fn allowed(&self, delta: Decimal) -> u64 {
        allowed(self.classes.size, delta)
    }

    /// True if no grouping meets delta, whatever the sizes of its groups.
    pub(super) fn rules_out(&self, delta: Decimal) -> bool {
        if self.is_one_group() {
            return self.near.max_degree > self.allowed(delta);
        }
        self.near.clique.rules_out(self.near.rows, self.least, delta)
    }

    /// The smallest delta of four digits after the point for which that is true.
    pub(super) fn smallest_ruled_out(&self) -> Option<Decimal> {
        if !self.is_one_group() {
            return smallest_ruled_out(self.near.clique.rows, self.near.rows, self.least);
        }
        let above = Decimal::new(units_below(self.guaranteed()) + 1, DIGITS);
        (above <= Decimal::from(1)).then_some(above)
    }

    /// Whether a delta can be had; without one, whether every delta can.
    pub(super) fn status(&self, delta: Option<Decimal>) -> Status {
        let asked = delta.unwrap_or(Decimal::from(1));
        match delta {
            _ if Ratio::from(asked) <= self.guaranteed() => Status::Guaranteed,
            Some(delta) if self.rules_out(delta) => Status::Infeasible,
            _ => Status::Unknown,
        }
    }

    /// The most rows of a clique that classes of equal sizes hold.
    pub(super) fn equitable_capacity(&self, delta: Decimal) -> u64 {
        self.classes.capacity(delta)
    }

    /// The most rows of a clique that groups of any sizes hold.
    pub(super) fn any_capacity(&self, delta: Decimal) -> u64 {
        let share = match self.is_one_group() {
            true => Ratio::new(i128::from(self.equitable_capacity(delta)), i128::from(self.near.rows)),
            false => clique_share(self.least, delta),
        };
        // Where delta has too many digits for the product to fit, the answer is all rows, which claims nothing.
        let product = i128::from(self.near.rows).checked_mul(share.numer());
        product.map_or(self.near.rows, |product| u64::try_from(product / share.denom()).unwrap_or(self.near.rows))
    }

    /// The size of groups that hold the greatest share of a clique, the smallest of these.
    pub(super) fn best_size(&self, delta: Decimal) -> u64 {
        let held = |size: u64| Ratio::new(i128::from((allowed(size, delta) + 1).min(size)), i128::from(size));
        let most = self.near.rows.min(self.least.saturating_add(MOST_SIZES));
        let best = (self.least..=most).max_by(|&a, &b| held(a).cmp(&held(b)).then(b.cmp(&a)));
        best.unwrap_or(self.least)
    }
}

/// Sizes beyond the least that are tried. One more neighbour takes 1 / (1 - delta) more rows, which is no more than this
/// for deltas of four digits.
const MOST_SIZES: u64 = 10_000;

/// Digits after the point of a delta that is told.
const DIGITS: u8 = 4;

/// A share from 0 to 1 in units of its last digit, rounded down.
pub(super) fn units_below(share: Ratio) -> i128 {
    let unit = 10i128.pow(u32::from(DIGITS));
    share.numer().checked_mul(unit).map_or(0, |units| units / share.denom())
}

/// A share with four digits after the point, no greater than it is.
pub(super) fn rounded_down(share: Ratio) -> f64 {
    Decimal::new(units_below(share), DIGITS).to_f64()
}

/// A share as a fraction, where rounding changes it.
pub(super) fn exact(share: Ratio) -> Option<String> {
    let rounded = Ratio::from(Decimal::new(units_below(share), DIGITS));
    (rounded != share).then(|| format!("{}/{}", share.numer(), share.denom()))
}

/// The greatest delta of four digits that is not disproved.
pub(super) fn open_to(ruled_out: Option<Decimal>) -> f64 {
    ruled_out.map_or(1.0, |ruled_out| {
        // Disproved deltas come in four digits, with trailing zeros dropped.
        let units = units_below(Ratio::from(ruled_out)) - 1;
        Decimal::new(units.max(0), DIGITS).to_f64()
    })
}
