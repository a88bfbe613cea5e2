//! Curves from which weights are made.
//!
//! Only operations that are rounded the same everywhere are used, so a table
//! has the same bytes on every platform; a system's `exp` differs in its last
//! bit from one to the next.

/// e to the power of minus `x`, to within a few parts in a thousand where it
/// matters, as (1 - x / 4096) multiplied by itself 4096 times.
pub(crate) fn decay(x: f64) -> f64 {
    let mut power = (1.0 - x / 4096.0).max(0.0);
    for _ in 0..12 {
        power *= power;
    }
    power
}

/// The bell curve, 1 at its middle, for a distance in standard deviations.
pub(crate) fn bell(distance: f64) -> f64 {
    decay(distance * distance / 2.0)
}

/// The height at `x` of the line through `knots`, which ascend; level beyond
/// the first and the last.
pub(crate) fn line(knots: &[(f64, f64)], x: f64) -> f64 {
    for pair in knots.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        if x <= x1 {
            return y0 + (y1 - y0) * ((x - x0).max(0.0) / (x1 - x0));
        }
    }
    knots.last().map_or(0.0, |last| last.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decay_is_close_to_the_exponential() {
        for x in [0.0, 0.1, 1.0, 3.0, 5.0_f64] {
            assert!((decay(x) / (-x).exp() - 1.0).abs() < 0.004, "{x}");
        }
        assert_eq!(decay(1e9), 0.0);
    }

    #[test]
    fn bell_is_even_and_falls() {
        assert_eq!(bell(0.0), 1.0);
        assert_eq!(bell(-1.5), bell(1.5));
        assert!(bell(1.0) > bell(1.1));
    }

    #[test]
    fn line_goes_through_its_knots() {
        let knots = [(1.0, 10.0), (3.0, 20.0), (4.0, 0.0)];
        let heights = [0.0, 1.0, 2.0, 3.0, 3.5, 4.0, 9.0].map(|x| line(&knots, x));
        assert_eq!(heights, [10.0, 10.0, 15.0, 20.0, 10.0, 0.0, 0.0]);
    }
}
