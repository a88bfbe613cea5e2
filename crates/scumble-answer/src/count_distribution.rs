//! How many of some people are chosen, each with a probability of its own.

/// Counts that are so much less likely than the likeliest count above 0 are left out.
const NEGLIGIBLE: f64 = 1e-30;

/// From this variance on, which takes four thousand people, a normal distribution stands for the exact one: it has the
/// same mean and variance, and the skewness that it lacks is below a thirtieth.
const WIDE: f64 = 1000.0;

/// Points of the normal distribution on each side, and how many deviations they reach.
const POINTS: i32 = 40;
const REACH: f64 = 8.0;

/// The first count that is not negligible, and the probabilities from there on; nothing where there are too many counts.
/// Person by person: `P(n)` becomes `P(n) (1 - p) + P(n - 1) p`.
pub(super) fn exact(open: &[f64]) -> Option<(u64, Vec<f64>)> {
    if variance(open) > WIDE {
        return None;
    }
    let (mut first, mut weights) = (0usize, vec![1.0f64]);
    for &p in open {
        weights.push(0.0);
        for at in (0..weights.len()).rev() {
            let before = if at > 0 { weights[at - 1] } else { 0.0 };
            weights[at] = weights[at] * (1.0 - p) + before * p;
        }
        let above = weights.iter().skip(usize::from(first == 0)).copied().fold(0.0, f64::max);
        let likely = |weight: &f64| *weight > NEGLIGIBLE * above;
        let to = weights.iter().rposition(likely).map_or(weights.len(), |last| last + 1);
        let from = weights.iter().position(likely).unwrap_or(0);
        weights.truncate(to);
        weights.drain(..from);
        first += from;
    }
    Some((first as u64, weights))
}

/// Counts with weights that add up to 1: all that are not negligible, or points of a normal distribution.
pub(super) fn weighted(open: &[f64]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = match exact(open) {
        Some((first, weights)) => (first..).zip(weights).map(|(n, weight)| (n as f64, weight)).collect(),
        None => {
            let (mean, deviation) = (open.iter().sum::<f64>(), variance(open).sqrt());
            let point = |at: i32| {
                let z = REACH * f64::from(at) / f64::from(POINTS);
                ((mean + z * deviation).clamp(0.0, open.len() as f64), (-0.5 * z * z).exp())
            };
            (-POINTS..=POINTS).map(point).collect()
        }
    };
    let total: f64 = points.iter().map(|(_, weight)| weight).sum();
    points.iter_mut().for_each(|(_, weight)| *weight /= total);
    points
}

fn variance(open: &[f64]) -> f64 {
    open.iter().map(|p| p * (1.0 - p)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(points: &[(f64, f64)]) -> (f64, f64) {
        let mean: f64 = points.iter().map(|(n, weight)| n * weight).sum();
        (mean, points.iter().map(|(n, weight)| (n - mean).powi(2) * weight).sum())
    }

    #[test]
    fn counts_of_few_people_are_exact() {
        assert_eq!(exact(&[]), Some((0, vec![1.0])));
        assert_eq!(exact(&[0.5, 0.25]), Some((0, vec![0.375, 0.5, 0.125])));
        assert_eq!(exact(&[1.0, 1.0, 0.5]), Some((2, vec![0.5, 0.5])));
        // A count that is all but impossible is still there if nothing above 0 is likelier.
        assert_eq!(exact(&[1e-150]), Some((0, vec![1.0, 1e-150])));
    }

    #[test]
    fn counts_of_many_people_have_their_mean_and_variance() {
        for n in [300usize, 3000, 40_000] {
            let open: Vec<f64> = (0..n).map(|i| 0.1 + 0.8 * (i as f64 / n as f64)).collect();
            let (mean, spread) = moments(&weighted(&open));
            assert!((mean / open.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{n}: {mean}");
            assert!((spread / variance(&open) - 1.0).abs() < 1e-6, "{n}: {spread}");
            assert_eq!(exact(&open).is_none(), variance(&open) > WIDE);
        }
    }
}
