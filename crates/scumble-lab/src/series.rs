//! The lines of figures, and how one lies next to another: the tests that claims about figures are judged by.

use crate::decision::{Decision, extremes};
use scumble_report::chart::{self, Shape};
use serde::{Deserialize, Serialize};

/// One line of a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What it stands for.
    pub name: String,
    /// Pairs of x and y, by rising x; y is none where there is no figure, such as for an infeasible parameter.
    pub points: Vec<(f64, Option<f64>)>,
    /// Whether it is a distribution, which is drawn in steps.
    pub steps: bool,
}

impl Series {
    /// A line through points of which some are unknown.
    pub(crate) fn new(name: impl Into<String>, points: Vec<(f64, Option<f64>)>) -> Self {
        Series { name: name.into(), points, steps: false }
    }

    /// A line through points that are all known.
    pub fn through(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().map(|(x, y)| (x, Some(y))).collect();
        Series::new(name, points)
    }

    /// The known values, by rising x.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.points.iter().filter_map(|point| point.1)
    }

    /// The value at a place that was asked for.
    pub fn at(&self, x: f64) -> Option<f64> {
        self.points.iter().find(|point| point.0 == x)?.1
    }

    /// The same over some of its places.
    pub(crate) fn within(&self, kept: impl Fn(f64) -> bool) -> Series {
        Series { points: self.points.iter().copied().filter(|point| kept(point.0)).collect(), ..self.clone() }
    }

    /// The same with shares as percentages.
    pub(crate) fn in_percent(&self) -> Series {
        let points = self.points.iter().map(|&(x, y)| (x, y.map(|y| 100.0 * y))).collect();
        Series { points, ..self.clone() }
    }

    /// The first and the last known value, which are no numbers where there is none.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.values().next().unwrap_or(f64::NAN), self.values().last().unwrap_or(f64::NAN))
    }

    pub(crate) fn drawn(&self) -> chart::Series {
        chart::Series {
            name: self.name.clone(),
            points: self.points.iter().map(|&(x, y)| (x, y.unwrap_or(f64::NAN))).collect(),
            shape: if self.steps { Shape::Steps } else { Shape::Straight },
        }
    }
}

/// Pairs of the figures of two lines at the places where both are known.
pub(crate) fn pairs(one: &Series, other: &Series) -> Vec<(f64, f64)> {
    let both = |&(x, y): &(f64, Option<f64>)| y.zip(other.at(x));
    one.points.iter().filter_map(both).collect()
}

/// Whether one line lies below another everywhere; one place tells nothing.
pub(crate) fn below(one: &Series, other: &Series) -> Decision {
    times_below(one, other, 1.0)
}

/// Whether the figures of a line, multiplied, lie below those of another everywhere.
pub(crate) fn times_below(one: &Series, other: &Series, times: f64) -> Decision {
    let pairs = pairs(one, other);
    Decision::from((pairs.len() > 1).then(|| pairs.iter().all(|(low, high)| low * times < *high)))
}

/// The least and the greatest of what one line is in terms of another: 0.5 where it is half as high.
pub(crate) fn ratios(one: &Series, other: &Series) -> (f64, f64) {
    extremes(pairs(one, other).into_iter().map(|(a, b)| a / b))
}

/// The mean of a line, which is no number where it has no figure.
pub(crate) fn mean(line: &Series) -> f64 {
    let values: Vec<f64> = line.values().collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// How surely values rise with their place: 1 if each is above the one before, -1 if below (Spearman's coefficient). It is
/// no number for fewer than three values, and where all are equal.
pub(crate) fn rising(values: &[f64]) -> f64 {
    if values.len() < 3 {
        return f64::NAN;
    }
    // Equal values share the mean of their ranks.
    let rank = |x: f64| {
        let below = values.iter().filter(|other| **other < x).count();
        let equal = values.iter().filter(|other| **other == x).count();
        below as f64 + (equal as f64 - 1.0) / 2.0
    };
    correlation(&(0..).map(f64::from).zip(values.iter().map(|&x| rank(x))).collect::<Vec<_>>()).unwrap_or(f64::NAN)
}

/// How far the two sides of pairs go together (Pearson's coefficient); none where one side is flat.
pub(crate) fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let (xx, xy, yy) = moments(pairs);
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

/// Sums over pairs of the squares of the first, of products, and of squares of the second, each less its mean.
fn moments(pairs: &[(f64, f64)]) -> (f64, f64, f64) {
    let n = pairs.len() as f64;
    let x = pairs.iter().map(|pair| pair.0).sum::<f64>() / n;
    let y = pairs.iter().map(|pair| pair.1).sum::<f64>() / n;
    let add = |(xx, xy, yy): (f64, f64, f64), (a, b): &(f64, f64)| {
        (xx + (a - x) * (a - x), xy + (a - x) * (b - y), yy + (b - y) * (b - y))
    };
    pairs.iter().fold((0.0, 0.0, 0.0), add)
}

/// The figure of a line at a place between two of its own, on the straight line between them; at the nearest end outside.
pub(crate) fn between(line: &Series, x: f64) -> Option<f64> {
    let known: Vec<(f64, f64)> = line.points.iter().filter_map(|&(x, y)| Some((x, y?))).collect();
    let (first, last) = (known.first()?, known.last()?);
    let around = known.windows(2).find(|pair| (pair[0].0..=pair[1].0).contains(&x));
    Some(match around {
        Some([(x0, y0), (x1, y1)]) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
        _ if x < first.0 => first.1,
        _ => last.1,
    })
}

/// The slope of the straight line that lies nearest to the logarithms of both: the exponent by which y grows with x.
pub(crate) fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let (xx, xy, _) = moments(&logs);
    xy / xx
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Reason;

    #[test]
    fn lines_are_compared_where_both_are_known() {
        let low = Series::through("low", [(1.0, 1.0), (2.0, 2.0), (3.0, 9.0)]);
        let mut high = Series::through("high", [(1.0, 3.0), (2.0, 4.0), (3.0, 5.0)]);
        assert_eq!(below(&low, &high), Decision::Fails);
        high.points[2].1 = None;
        assert_eq!((below(&low, &high), below(&high, &low)), (Decision::Holds, Decision::Fails));
        assert_eq!((times_below(&low, &high, 1.9), times_below(&low, &high, 2.0)), (Decision::Holds, Decision::Fails));
        assert_eq!(ratios(&low, &high), (1.0 / 3.0, 0.5));
        high.points[1].1 = None;
        assert_eq!(below(&low, &high), Decision::Undecided(Reason::TooFewFigures));
    }

    #[test]
    fn ranks_tell_how_surely_values_rise() {
        assert_eq!((rising(&[1.0, 5.0, 6.0, 90.0]), rising(&[3.0, 2.0, 1.0])), (1.0, -1.0));
        assert!((rising(&[1.0, 3.0, 2.0, 4.0]) - 0.8).abs() < 1e-12);
        assert!((rising(&[1.0, 2.0, 2.0, 3.0]) - 0.9486832980505138).abs() < 1e-12);
        assert!(rising(&[1.0, 2.0]).is_nan() && rising(&[2.0; 4]).is_nan());
    }

    #[test]
    fn places_between_are_on_the_straight_line() {
        let line = Series::through("l", [(1.0, 10.0), (3.0, 20.0)]);
        assert_eq!([0.0, 1.0, 2.0, 3.0, 9.0].map(|x| between(&line, x)), [10.0, 10.0, 15.0, 20.0, 20.0].map(Some));
        assert!((mean(&line) - 15.0).abs() < 1e-12 && mean(&Series::through("l", [])).is_nan());
        assert_eq!(between(&Series::through("l", []), 1.0), None);
    }

    #[test]
    fn exponents_are_those_of_powers() {
        let squares: Vec<(f64, f64)> = (1..9).map(|x| (f64::from(x), 3.0 * f64::from(x * x))).collect();
        assert!((exponent(&squares) - 2.0).abs() < 1e-12);
    }
}
