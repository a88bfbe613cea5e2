//! Tests that numbers pass or fail, for claims to be judged by.

/// How far a step may go against a trend and still be noise, as a share of the value before it: random questions are not
/// answered more exactly than that.
pub(crate) const NOISE: f64 = 0.1;

/// Times are judged if the longest is at least this many seconds: shorter ones tell what else the machine did.
pub(crate) const LEAST_TIME: f64 = 0.5;

/// What a test of numbers says about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The test is passed.
    Holds,
    /// The test is failed.
    Fails,
    /// The test cannot be made.
    Undecided(Reason),
}

/// Why a test cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// There are too few figures.
    TooFewFigures,
    /// All times are below [`LEAST_TIME`].
    TooFast,
    /// Settings that the paper leaves open decide it.
    OpenSettings,
    /// What the claim speaks of did not come about.
    DidNotOccur,
}

impl From<bool> for Decision {
    fn from(passed: bool) -> Self {
        if passed { Decision::Holds } else { Decision::Fails }
    }
}

impl From<Option<bool>> for Decision {
    fn from(passed: Option<bool>) -> Self {
        passed.map_or(Decision::Undecided(Reason::TooFewFigures), Decision::from)
    }
}

/// Whether a figure passes; what is no number is not there.
pub(crate) fn passes(x: f64, test: impl Fn(f64) -> bool) -> Decision {
    Decision::from((!x.is_nan()).then(|| test(x)))
}

/// What is true of times, if they are long enough to tell.
pub(crate) fn timed(times: impl IntoIterator<Item = f64>, answer: impl Into<Decision>) -> Decision {
    match times.into_iter().fold(f64::NAN, f64::max) {
        longest if longest < LEAST_TIME => Decision::Undecided(Reason::TooFast),
        _ => answer.into(),
    }
}

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
    pub(crate) fn new(values: impl IntoIterator<Item = f64>) -> Option<Trend> {
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

    /// From where to where it goes, and how far back on the way where that is more than noise.
    pub(crate) fn describe(&self, up: bool, figure: impl Fn(f64) -> String) -> String {
        let (back, step) = if up { ("down", self.down) } else { ("up", self.up) };
        let ends = format!("{} to {}", figure(self.first), figure(self.last));
        if step > NOISE { format!("{ends} with a step {back} of {}", percent(step)) } else { ends }
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

/// Trends that differ in one number of a question, such as `w`.
pub(crate) struct Trends {
    pub(crate) differ_in: &'static str,
    pub(crate) each: Vec<(usize, Option<Trend>)>,
}

impl Trends {
    /// Each trend as `w = 2: 0.5% to 3%`, with the step against its direction where that decides.
    pub(crate) fn told(&self, up: bool) -> String {
        let one = |(n, trend): &(usize, Option<Trend>)| {
            let words = trend.map_or("too few figures".into(), |trend| trend.describe(up, percent));
            format!("{} = {n}: {words}", self.differ_in)
        };
        joined(self.each.iter().map(one))
    }

    /// Whether all of them pass a test.
    pub(crate) fn all<D: Into<Decision>>(&self, test: impl Fn(Option<Trend>) -> D) -> Decision {
        all(self.each.iter().map(|(_, trend)| test(*trend)))
    }
}

/// Whether a line rises, if it has two figures.
pub(crate) fn rises(trend: Option<Trend>) -> Decision {
    Decision::from(trend.map(|trend| trend.rises()))
}

/// Whether a line falls, if it has two figures.
pub(crate) fn falls(trend: Option<Trend>) -> Decision {
    Decision::from(trend.map(|trend| trend.falls()))
}

/// Whether all tests are passed. One that is failed decides, and without one that is made there is no answer: nothing
/// measured proves nothing.
pub(crate) fn all<T: Into<Decision>>(tests: impl IntoIterator<Item = T>) -> Decision {
    let and = |one: Decision, other: Decision| match (one, other) {
        (Decision::Fails, _) | (_, Decision::Fails) => Decision::Fails,
        (Decision::Undecided(lack), _) | (_, Decision::Undecided(lack)) => Decision::Undecided(lack),
        _ => Decision::Holds,
    };
    tests.into_iter().map(Into::into).reduce(and).unwrap_or(Decision::Undecided(Reason::TooFewFigures))
}

/// `x / whole`; 0 where `x` is not above 0, and infinite where only `whole` is 0.
fn share(x: f64, whole: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { x / whole }
}

/// Texts one after another.
pub(crate) fn joined(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().collect::<Vec<_>>().join(", ")
}

/// The least and the greatest of some values; the least is infinite where there are none.
pub(crate) fn extremes(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// A share as a percentage with three significant figures.
pub(crate) fn percent(share: f64) -> String {
    format!("{}%", short(100.0 * share))
}

/// A number with three significant figures.
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
        let trend = |values: &[f64]| Trend::new(values.iter().copied()).unwrap();
        assert!(trend(&[1.0, 2.0, 1.9, 3.0]).rises());
        assert!(!trend(&[1.0, 2.0, 1.7, 3.0]).rises());
        assert!(!trend(&[1.0, 1.0]).rises() && !trend(&[1.0, 1.0]).falls());
        assert!(trend(&[3.0, 2.0, 2.1, 1.0]).falls());
        assert!(!trend(&[3.0, 2.0, 2.3, 1.0]).falls());
        // Small steps in the wrong direction add up.
        assert!(!trend(&[2.0, 1.9, 1.8, 1.7, 2.5]).rises());
        assert!(trend(&[0.0, 0.0, 1.0]).rises() && !trend(&[0.0, 0.0, 1.0]).falls());
        assert_eq!(Trend::new([1.0]), None);
        assert_eq!(Trend::new([]), None);
    }

    #[test]
    fn nothing_proves_nothing() {
        let lack = Decision::Undecided(Reason::TooFewFigures);
        assert_eq!(all(Vec::<bool>::new()), lack);
        assert_eq!((all([true, true]), all([true, false])), (Decision::Holds, Decision::Fails));
        assert_eq!((all([lack, Decision::Holds]), all([lack, Decision::Fails])), (lack, Decision::Fails));
        assert_eq!((rises(None), falls(Trend::new([2.0, 1.0]))), (lack, Decision::Holds));
        assert_eq!((passes(f64::NAN, |x| x > 1.0), passes(0.0, |x| x > 1.0)), (lack, Decision::Fails));
    }

    #[test]
    fn short_times_are_not_judged() {
        assert_eq!(timed([0.1, 0.4], true), Decision::Undecided(Reason::TooFast));
        assert_eq!((timed([0.1, 0.6], true), timed([0.1, 0.6], false)), (Decision::Holds, Decision::Fails));
        assert_eq!(timed([], None), Decision::Undecided(Reason::TooFewFigures));
    }

    #[test]
    fn steps_back_are_told_where_they_decide() {
        let words = |values: &[f64], up| Trend::new(values.iter().copied()).unwrap().describe(up, short);
        assert_eq!(words(&[1.0, 2.0, 1.9, 3.0], true), "1 to 3");
        assert_eq!(words(&[1.0, 2.0, 1.5, 3.0], true), "1 to 3 with a step down of 25%");
        assert_eq!(words(&[3.0, 1.0, 2.0], false), "3 to 2 with a step up of 100%");
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
