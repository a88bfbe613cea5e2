//! Lines beside lines: the tests that claims about figures are judged by.

use super::Line;
use super::judge::Answer;

/// Pairs of the figures of two lines at the places where both are known.
pub(crate) fn pairs(one: &Line, other: &Line) -> Vec<(f64, f64)> {
    let both = |&(x, y): &(f64, Option<f64>)| y.zip(other.at(x));
    one.points.iter().filter_map(both).collect()
}

/// Whether one line lies below another everywhere; one place tells nothing.
pub(crate) fn below(one: &Line, other: &Line) -> Answer {
    times_below(one, other, 1.0)
}

/// Whether the figures of a line, taken so many times, lie below those of another everywhere.
pub(crate) fn times_below(one: &Line, other: &Line, times: f64) -> Answer {
    let pairs = pairs(one, other);
    Answer::from((pairs.len() > 1).then(|| pairs.iter().all(|(low, high)| low * times < *high)))
}

/// The least and the greatest of what one line is in terms of another: 0.5 where it is half as high.
pub(crate) fn ratios(one: &Line, other: &Line) -> (f64, f64) {
    let ratios = pairs(one, other).into_iter().map(|(a, b)| a / b);
    ratios.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), ratio| (least.min(ratio), most.max(ratio)))
}

/// The slope of the straight line that lies nearest to the logarithms of both: the exponent by which y grows with x.
pub(crate) fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|log| log.0), mean(&|log| log.1));
    let both: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    both / logs.iter().map(|log| (log.0 - x) * (log.0 - x)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::super::judge::Lack;
    use super::*;

    #[test]
    fn lines_are_compared_where_both_are_known() {
        let low = Line::through("low", [(1.0, 1.0), (2.0, 2.0), (3.0, 9.0)]);
        let mut high = Line::through("high", [(1.0, 3.0), (2.0, 4.0), (3.0, 5.0)]);
        assert_eq!(below(&low, &high), Answer::No);
        high.points[2].1 = None;
        assert_eq!((below(&low, &high), below(&high, &low)), (Answer::Yes, Answer::No));
        assert_eq!((times_below(&low, &high, 1.9), times_below(&low, &high, 2.0)), (Answer::Yes, Answer::No));
        assert_eq!(ratios(&low, &high), (1.0 / 3.0, 0.5));
        high.points[1].1 = None;
        assert_eq!(below(&low, &high), Answer::Unknown(Lack::Figures));
    }

    #[test]
    fn exponents_are_those_of_powers() {
        let squares: Vec<(f64, f64)> = (1..9).map(|x| (f64::from(x), 3.0 * f64::from(x * x))).collect();
        assert!((exponent(&squares) - 2.0).abs() < 1e-12);
    }
}
