//! How far estimates lie from true answers.

use serde::Serialize;

/// Relative errors `|act - est| / act` over the queries whose true answer is not 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Errors {
    /// Mean.
    pub mean: f64,
    /// Median.
    pub median: f64,
    /// 95th percentile.
    pub p95: f64,
    /// Mean of `(est - act) / act`: below 0 where estimates are too low on the whole.
    pub signed_mean: f64,
}

impl Errors {
    /// From true answers and estimates, query by query; nothing where no true answer is above 0.
    pub fn from_answers(pairs: impl Iterator<Item = (u64, f64)>) -> Option<Self> {
        let signed: Vec<f64> =
            pairs.filter(|(act, _)| *act > 0).map(|(act, est)| (est - act as f64) / act as f64).collect();
        if signed.is_empty() {
            return None;
        }
        let mut sizes: Vec<f64> = signed.iter().map(|error| error.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let n = signed.len() as f64;
        Some(Errors {
            mean: sizes.iter().sum::<f64>() / n,
            median: quantile(&sizes, 0.5),
            p95: quantile(&sizes, 0.95),
            signed_mean: signed.iter().sum::<f64>() / n,
        })
    }
}

/// A quantile of rising values, on the straight line between the two nearest.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    below + (above - below) * at.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_relative_and_zeros_stay_out() {
        let errors = Errors::from_answers([(10, 12.0), (0, 5.0), (4, 3.0), (2, 2.0)].into_iter()).unwrap();
        assert!((errors.mean - 0.15).abs() < 1e-12 && (errors.median - 0.2).abs() < 1e-12);
        assert!((errors.p95 - 0.245).abs() < 1e-12 && (errors.signed_mean + 0.05 / 3.0).abs() < 1e-12);
        assert_eq!(Errors::from_answers([(0, 1.0)].into_iter()), None);
        assert_eq!(Errors::from_answers([(1, 3.0)].into_iter()).map(|errors| errors.p95), Some(2.0));
    }
}
