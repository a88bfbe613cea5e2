//! Tests that numbers pass or fail, for claims to be judged by.

/// How far a step may go against a trend and still be noise, as a share of the value before it: random questions are not
/// answered more exactly than that.
pub(crate) const NOISE: f64 = 0.1;

/// How a quantity moves along a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Trend {
    /// The value at the least x.
    pub(crate) first: f64,
    /// The value at the greatest x.
    pub(crate) last: f64,
    /// The largest step down, as a share of the greatest value before it.
    pub(crate) down: f64,
    /// The largest step up, as a share of the least value before it.
    pub(crate) up: f64,
}

impl Trend {
    /// The trend of some values; none of fewer than two.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Trend> {
        let values: Vec<f64> = values.into_iter().collect();
        let (&first, &last) = (values.first()?, values.last()?);
        if values.len() < 2 {
            return None;
        }
        let (mut high, mut low) = (first, first);
        let (mut down, mut up) = (0.0f64, 0.0f64);
        for &value in &values[1..] {
            down = down.max(share(high - value, high));
            up = up.max(share(value - low, low));
            high = high.max(value);
            low = low.min(value);
        }
        Some(Trend { first, last, down, up })
    }

    /// True if it ends higher than it began and never falls by more than noise.
    pub(crate) fn rises(&self) -> bool {
        self.last > self.first && self.down <= NOISE
    }

    /// True if it ends lower than it began and never rises by more than noise.
    pub(crate) fn falls(&self) -> bool {
        self.last < self.first && self.up <= NOISE
    }
}

/// True if all are true and there is one: nothing measured proves nothing.
pub(crate) fn all(tests: impl IntoIterator<Item = bool>) -> bool {
    let mut some = false;
    tests.into_iter().all(|one| {
        some = true;
        one
    }) && some
}

/// `x / whole`; nothing of nothing is 0, something of nothing more than any share.
fn share(x: f64, whole: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { x / whole }
}

/// A share as a percentage with three figures that count.
pub(crate) fn percent(share: f64) -> String {
    format!("{}%", short(100.0 * share))
}

/// A number with three figures that count.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let digits = (2 - x.abs().log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trends_forgive_noise_and_no_more() {
        let trend = |values: &[f64]| Trend::of(values.iter().copied()).unwrap();
        assert!(trend(&[1.0, 2.0, 1.9, 3.0]).rises());
        assert!(!trend(&[1.0, 2.0, 1.7, 3.0]).rises());
        assert!(!trend(&[1.0, 1.0]).rises() && !trend(&[1.0, 1.0]).falls());
        assert!(trend(&[3.0, 2.0, 2.1, 1.0]).falls());
        assert!(!trend(&[3.0, 2.0, 2.3, 1.0]).falls());
        // Small steps in the wrong direction add up.
        assert!(!trend(&[2.0, 1.9, 1.8, 1.7, 2.5]).rises());
        assert!(trend(&[0.0, 0.0, 1.0]).rises() && !trend(&[0.0, 0.0, 1.0]).falls());
        assert_eq!(Trend::of([1.0]), None);
        assert_eq!(Trend::of([]), None);
    }

    #[test]
    fn nothing_proves_nothing() {
        assert!(!all([]));
        assert!(all([true, true]) && !all([true, false]));
    }

    #[test]
    fn numbers_are_short() {
        let cases = [(0.0, "0"), (1234.5, "1234"), (12.34, "12.3"), (0.5, "0.5"), (0.01234, "0.0123"), (100.0, "100")];
        for (x, text) in cases {
            assert_eq!(short(x), text);
        }
        assert_eq!(percent(0.12345), "12.3%");
        assert_eq!(percent(-0.5), "-50%");
    }
}
