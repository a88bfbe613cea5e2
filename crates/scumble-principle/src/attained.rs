//! How safe a group is, as a level rather than yes or no.

use num_bigint::{BigInt, BigUint};
use scumble_table::Ratio;
use std::cmp::Ordering;

/// What a group attains: a score to find the worst group by, and figures to show.
///
/// Figures are rounded towards the unsafe side (a share up, an l down), so that a requirement
/// written with them is really met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attained {
    /// Larger is safer. Scores of different principles do not compare.
    pub score: Score,
    /// Names and values to show, such as `("l", "3.5")`.
    pub figures: Vec<(&'static str, String)>,
}

impl Attained {
    /// A level with one measure of safety, whatever the number of figures that express it.
    pub fn new(score: impl Into<Exact>, figures: Vec<(&'static str, String)>) -> Self {
        Attained { score: Score(vec![score.into()]), figures }
    }

    /// A level with several independent measures: `parts[i]` is what `figures[i]` expresses.
    pub fn from_parts(parts: Vec<Exact>, figures: Vec<(&'static str, String)>) -> Self {
        debug_assert_eq!(parts.len(), figures.len());
        Attained { score: Score(parts), figures }
    }

    /// A figure by name.
    pub fn figure(&self, name: &str) -> Option<&str> {
        self.figures.iter().find(|(known, _)| *known == name).map(|(_, text)| text.as_str())
    }

    /// What both groups attain: figure by figure the less safe one. It differs from [`worse`] where
    /// a principle has two measures, for one group may be the worst by its share and another by
    /// its size.
    #[must_use]
    pub fn common(mut self, mut other: Attained) -> Attained {
        if self.score.0.len() == 1 || self.score.0.len() != other.score.0.len() {
            return worse(self, other);
        }
        for i in 0..self.score.0.len() {
            if other.score.0[i] < self.score.0[i] {
                std::mem::swap(&mut self.score.0[i], &mut other.score.0[i]);
                std::mem::swap(&mut self.figures[i], &mut other.figures[i]);
            }
        }
        self
    }
}

/// The less safe of two groups; the first where they are equal.
#[must_use]
pub fn worse(a: Attained, b: Attained) -> Attained {
    if b.score < a.score { b } else { a }
}

/// An exact measure of safety: the parts in order of importance, larger is safer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(Vec<Exact>);

/// An exact number that may outgrow 128 bits (a variance of large numbers does).
#[derive(Debug, Clone)]
pub struct Exact(Form);

#[derive(Debug, Clone)]
enum Form {
    Narrow(Ratio),
    Wide { numer: BigInt, denom: BigUint },
}

impl Exact {
    /// `numer / denom` of any length; `denom` must not be 0.
    pub(crate) fn wide(numer: BigUint, denom: BigUint) -> Self {
        Exact(Form::Wide { numer: numer.into(), denom })
    }

    /// The same below 0.
    pub(crate) fn wide_negative(numer: BigUint, denom: BigUint) -> Self {
        Exact(Form::Wide { numer: -BigInt::from(numer), denom })
    }

    fn cross(&self) -> (BigInt, BigInt) {
        match &self.0 {
            Form::Narrow(ratio) => (ratio.numer().into(), ratio.denom().into()),
            Form::Wide { numer, denom } => (numer.clone(), denom.clone().into()),
        }
    }
}

impl From<Ratio> for Exact {
    fn from(value: Ratio) -> Self {
        Exact(Form::Narrow(value))
    }
}

impl From<u64> for Exact {
    fn from(value: u64) -> Self {
        Exact(Form::Narrow(value.into()))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Form::Narrow(a), Form::Narrow(b)) = (&self.0, &other.0) {
            return a.cmp(b);
        }
        let ((a, b), (c, d)) = (self.cross(), other.cross());
        (a * d).cmp(&(c * b))
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Exact {}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(alpha: i128, k: u64) -> Attained {
        Attained::from_parts(
            vec![Ratio::new(alpha, 10).into(), k.into()],
            vec![("alpha", alpha.to_string()), ("k", k.to_string())],
        )
    }

    #[test]
    fn the_worst_group_and_the_common_level_differ() {
        let (a, b) = (two(3, 9), two(5, 4));
        assert_eq!(worse(a.clone(), b.clone()), a);
        let common = a.clone().common(b.clone());
        assert_eq!((common.figure("alpha"), common.figure("k"), common.figure("l")), (Some("3"), Some("4"), None));
        assert_eq!(b.common(a).figures, common.figures);
    }

    #[test]
    fn narrow_and_wide_scores_compare() {
        let wide = |n: u32, d: u32| Exact::wide(n.into(), d.into());
        assert!(Exact::from(Ratio::new(1, 2)) == wide(2, 4));
        assert!(wide(1, 3) < Ratio::new(1, 2).into() && Exact::from(1) > wide(1, 2));
        assert!(Exact::from(Ratio::new(-1, 2)) < wide(0, 1));
    }
}
