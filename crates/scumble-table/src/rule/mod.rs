//! Hierarchies by rule, which know values that no table has shown yet.
//!
//! A list of values fits the table that it was made for, and the next one may hold a value that it lacks. A rule says what belongs
//! together without naming values, so it covers them all:
//!
//! | rule | for | a level |
//! |---|---|---|
//! | bands | numbers, dates | bands of one width that begin at its multiples: 0 to 4, 5 to 9 |
//! | cuts | numbers, dates | bands between cuts; the first and the last are open: below 18, 18 to 24, 65 and more |
//! | prefix | labels without order | the first characters of a code: `J45*` is whatever begins with `J45` |
//!
//! Bound to a domain, a rule is a tree over its values, so that every search takes it as any other hierarchy. What a release shows
//! follows from the rule and not from the values: a band is shown as an interval from its first to its last possible
//! value. How many digits after the point these have is fixed by the rule as well, and finer values are refused.
//!
//! # Why the levels nest
//!
//! Of bands, every width is a multiple of the one before and all begin at multiples, so each edge of a level is an edge of the finer
//! one. Of cuts, each level has some of the cuts of the finer one. Of prefixes, codes that agree in their first n
//! characters agree in fewer; a code that is shorter than n stays as it is, and is joined by no other before its own length
//! is reached, when all codes that begin with it join it under one label.

mod bands;
mod bind;
mod edge;
#[cfg(test)]
mod tests;
mod width;

pub use bands::Bands;
pub use bind::OTHERS;
pub use edge::Edge;
pub use width::BandWidth;

use crate::decimal::MAX_SCALE;
use crate::{Decimal, Domain};

/// A rule that says which values belong together at each level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyRule {
    levels: RuleLevels,
    /// Digits after the point, where they are said.
    digits: Option<u8>,
}

/// The levels of a rule, fine to coarse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleLevels {
    /// Bands of these widths.
    Bands(Vec<BandWidth>),
    /// Bands that begin at these values.
    Cuts {
        /// The first value of every band but the lowest, level by level.
        levels: Vec<Vec<Edge>>,
        /// The least and the greatest value that there can be; without them the outer bands are open.
        range: Option<(Edge, Edge)>,
    },
    /// So many first characters.
    Prefix(Vec<usize>),
}

/// Why something is no rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFault {
    /// What is wrong.
    pub reason: String,
    /// What would be accepted.
    pub hint: String,
}

impl RuleFault {
    fn new(reason: impl Into<String>, hint: impl Into<String>) -> Self {
        RuleFault { reason: reason.into(), hint: hint.into() }
    }
}

impl HierarchyRule {
    /// Bands of some widths, fine to coarse.
    ///
    /// # Errors
    /// If there is no width, or one is no multiple of the one before.
    pub fn bands(widths: Vec<BandWidth>) -> Result<Self, RuleFault> {
        if widths.is_empty() {
            return Err(RuleFault::new("there is no width", "name one, such as 5, or month for dates"));
        }
        for pair in widths.windows(2) {
            let (finer, coarser) = (pair[0], pair[1]);
            match finer.divides(coarser) {
                Some(true) => {}
                Some(false) => {
                    return Err(RuleFault::new(
                        format!(
                            "{coarser} is no multiple of {finer}, so bands of the one would cut bands of the other"
                        ),
                        "each width must be two, three or more times the one before, such as 5, 10, 20",
                    ));
                }
                None => {
                    return Err(RuleFault::new(
                        format!("{finer} and {coarser} do not measure the same"),
                        "widths are all numbers, or all spans of the calendar, such as month, quarter, year, 10y",
                    ));
                }
            }
        }
        Ok(HierarchyRule { levels: RuleLevels::Bands(widths), digits: None })
    }

    /// Bands of one width, with two coarser levels that suit it: twice and four times a number; for the calendar months, quarters,
    /// years and decades.
    ///
    /// # Errors
    /// If the width is too large to be doubled.
    pub fn bands_from(width: BandWidth) -> Result<Self, RuleFault> {
        HierarchyRule::bands(width.and_coarser())
    }

    /// Bands that begin at cuts, level by level, fine to coarse. `range` closes the outer bands.
    ///
    /// # Errors
    /// If a level has no cuts or they do not rise, if a level has a cut that the finer one lacks, or if a cut lies outside the range.
    pub fn cuts(levels: Vec<Vec<Edge>>, range: Option<(Edge, Edge)>) -> Result<Self, RuleFault> {
        let all: Vec<Edge> =
            levels.iter().flatten().copied().chain(range.into_iter().flat_map(|(a, b)| [a, b])).collect();
        if let Some(other) = all.iter().find(|edge| edge.is_day() != all[0].is_day()) {
            return Err(RuleFault::new(
                format!("{} and {other} do not measure the same", all[0]),
                "cuts are all numbers, or all dates such as 1950-01-01",
            ));
        }
        if levels.is_empty() || levels.iter().any(Vec::is_empty) {
            return Err(RuleFault::new("a level has no cut", "a cut is the first value of a band, such as 18,25,65"));
        }
        for level in &levels {
            if let Some(pair) = level.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(RuleFault::new(format!("{} stands before {}", pair[0], pair[1]), "cuts must rise"));
            }
        }
        for pair in levels.windows(2) {
            if let Some(cut) = pair[1].iter().find(|cut| !pair[0].contains(cut)) {
                return Err(RuleFault::new(
                    format!("a level is cut at {cut} and the finer one is not, so they are not nested"),
                    "fine levels come first, and each further one has some of the cuts of the one before",
                ));
            }
            if pair[0] == pair[1] {
                return Err(RuleFault::new("two levels have the same cuts", "leave a cut out of the coarser one"));
            }
        }
        if let Some((least, greatest)) = range {
            let outside = levels[0].iter().find(|cut| **cut <= least || **cut > greatest);
            if let Some(cut) = outside {
                return Err(RuleFault::new(
                    format!("the cut {cut} leaves nothing on one side of it between {least} and {greatest}"),
                    "the range goes from the least to the greatest value that there can be",
                ));
            }
        }
        Ok(HierarchyRule { levels: RuleLevels::Cuts { levels, range }, digits: None })
    }

    /// The first characters of codes, many to few.
    ///
    /// # Errors
    /// If there is no length, or they do not fall.
    pub fn prefix(lengths: Vec<usize>) -> Result<Self, RuleFault> {
        const HINT: &str = "numbers of characters that are kept, many to few, such as 3,1";
        if lengths.is_empty() {
            return Err(RuleFault::new("there is no length", HINT));
        }
        if lengths.contains(&0) {
            return Err(RuleFault::new("nothing is left of 0 characters, which the level `*` shows anyway", HINT));
        }
        if let Some(pair) = lengths.windows(2).find(|pair| pair[0] <= pair[1]) {
            return Err(RuleFault::new(format!("{} stands before {}", pair[0], pair[1]), HINT));
        }
        Ok(HierarchyRule { levels: RuleLevels::Prefix(lengths), digits: None })
    }

    /// The same rule for numbers with at most this many digits after the point. Without it these are as many as its widths, cuts and range
    /// have.
    ///
    /// # Errors
    /// If the rule is not about numbers, or has more digits itself.
    pub fn with_digits(self, digits: u8) -> Result<Self, RuleFault> {
        let Some(own) = self.own_digits() else {
            return Err(RuleFault::new("only numbers have digits after the point", "leave it out"));
        };
        if digits < own {
            return Err(RuleFault::new(
                format!("the rule itself has {own} digits after the point"),
                format!("{own} or more, or leave it out"),
            ));
        }
        if digits > MAX_SCALE {
            return Err(RuleFault::new(
                format!("{digits} digits after the point are too many for exact arithmetic"),
                format!("up to {MAX_SCALE}"),
            ));
        }
        Ok(HierarchyRule { digits: Some(digits), ..self })
    }

    /// Digits after the point that were said.
    pub fn digits(&self) -> Option<u8> {
        self.digits
    }

    /// Digits after the point of the ends of bands. They come from the rule alone: ends with the digits of the data would tell how
    /// many of these the finest value has, even one that is suppressed.
    pub(crate) fn scale(&self) -> u8 {
        self.digits.or(self.own_digits()).unwrap_or(0)
    }

    /// The digits after the point that a domain has, if they are more than the rule knows.
    pub fn digits_beyond(&self, domain: &Domain) -> Option<u8> {
        Some(domain.scale()).filter(|&digits| self.own_digits().is_some() && digits > self.scale())
    }

    /// Digits after the point of the widths, or of the cuts and the range; `None` where these are no numbers.
    fn own_digits(&self) -> Option<u8> {
        let of_edge = |edge: &Edge| match edge {
            Edge::Number(number) => Some(number.scale()),
            Edge::Day(_) => None,
        };
        match &self.levels {
            RuleLevels::Bands(widths) => {
                let of_width = |width: &BandWidth| match width {
                    BandWidth::Number(width) => Some(width.scale()),
                    BandWidth::Months(_) => None,
                };
                widths.iter().filter_map(of_width).max()
            }
            RuleLevels::Cuts { levels, range } => {
                let ends = range.iter().flat_map(|(least, greatest)| [least, greatest]);
                levels.iter().flatten().chain(ends).filter_map(of_edge).max()
            }
            RuleLevels::Prefix(_) => None,
        }
    }

    /// The levels, fine to coarse.
    pub fn levels(&self) -> &RuleLevels {
        &self.levels
    }

    /// The word for the kind of rule.
    pub fn kind(&self) -> &'static str {
        match &self.levels {
            RuleLevels::Bands(_) => "bands",
            RuleLevels::Cuts { .. } => "cuts",
            RuleLevels::Prefix(_) => "prefix",
        }
    }
}

/// Where the tree of a domain comes from, if a rule made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TreeRule {
    /// Bands: the intervals of its nodes.
    Bands(std::sync::Arc<Bands>),
    /// Beginnings of codes.
    Prefix,
}

/// A power of ten as a whole number; `None` where it does not fit.
fn ten_to(power: u8) -> Option<i128> {
    10i128.checked_pow(u32::from(power))
}

/// The least whole number that is not below a fraction with a positive denominator.
fn ceil_div(number: i128, by: i128) -> Option<i128> {
    number.checked_neg()?.div_euclid(by).checked_neg()
}

/// The least multiple of `10^-scale` that is not below a number, as such a multiple.
fn amount_from(number: Decimal, scale: u8) -> Option<i128> {
    let common = scale.max(number.scale());
    ceil_div(number.at_scale(common)?, ten_to(common - scale)?)
}
