//! Releases that no other beats.

use super::{Compared, Figures};

/// A trade-off: two quantities of which less is better.
type TradeOff = fn(&Figures) -> Option<(f64, f64)>;

/// What can be believed about somebody against the error of counts.
pub(super) const BELIEF: TradeOff = |figures| Some((rounded(figures.belief?), rounded(figures.count_error_median?)));

/// Who can be found against what was lost of the quasi-identifiers.
pub(super) const RISK: TradeOff = |figures| Some((rounded(figures.marketer), rounded(figures.ncp)));

/// A figure as far as it tells anything: sums in different orders differ in their last digits, and these must not decide.
fn rounded(figure: f64) -> f64 {
    (figure * 1e9).round() / 1e9
}

/// Marks the runs on the fronts: those that no other run equals in one quantity and beats in the other, or beats in both.
pub(super) fn mark_fronts(runs: &mut [Compared]) {
    let places = |of: TradeOff| -> Vec<Option<(f64, f64)>> {
        runs.iter().map(|run| run.outcome.figures.as_ref().and_then(of)).collect()
    };
    let (belief, risk) = (places(BELIEF), places(RISK));
    for (at, run) in runs.iter_mut().enumerate() {
        (run.on_belief_front, run.on_risk_front) = (unbeaten(&belief, at), unbeaten(&risk, at));
    }
}

fn unbeaten(places: &[Option<(f64, f64)>], at: usize) -> bool {
    let Some((x, y)) = places[at] else { return false };
    let beats = |&(a, b): &(f64, f64)| a <= x && b <= y && (a < x || b < y);
    x.is_finite() && y.is_finite() && !places.iter().flatten().any(beats)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beaten_is_not_on_the_front() {
        let places = [Some((1.0, 5.0)), Some((1.0, 6.0)), Some((2.0, 2.0)), None, Some((2.0, 2.0)), Some((3.0, 3.0))];
        let front: Vec<bool> = (0..places.len()).map(|at| unbeaten(&places, at)).collect();
        assert_eq!(front, [true, false, true, false, true, false]);
        assert!(!unbeaten(&[Some((f64::NAN, 0.0))], 0));
    }

    #[test]
    fn last_digits_do_not_decide() {
        assert_eq!(rounded(0.4), rounded(0.400_000_000_000_017_06));
        assert!(rounded(0.4) < rounded(0.400_001));
    }
}
