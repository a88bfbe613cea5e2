//! Mean and deviation of an average over a random number of rows.
//!
//! Rows come in independent strata: of a stratum of `a` values a random number `c` match, and then any `c` of them, all
//! equally likely. With `C` the number of matching rows and `S` their sum, what is wanted is the mean and
//! the variance of `S / C` over the outcomes with `C >= 1`.
//!
//! Exactly: stratum by stratum, for every count `c`, the probability `P(C = c)` and the parts `E[S; C = c]` and
//! `E[S^2; C = c]` of the moments are folded together; then the mean is the sum of `E[S; C = c] / c`. Where that would
//! take too long, `S / C` is expanded around the mean count (the delta method): with `S` measured from
//! `E[S] / E[C]`, the mean is `-Cov(S, C) / E[C]^2` from there and the variance `Var(S) / E[C]^2`. What is left out is
//! of the order of `1 / E[C]^2` of the spread of the values, and `E[C]` is then large.

use super::Moments;

/// Steps that an exact answer may take: some tenths of a second.
const MOST_STEPS: usize = 20_000_000;

/// Counts less likely than this are left out. A result that holds at least one row has at least the probability
/// of one row of one stratum, which is far above; see [`SINGLE`] for where it is not.
const NEGLIGIBLE: f64 = 1e-30;

/// Below this mean count, two rows at once are too rare to be felt.
const SINGLE: f64 = 1e-12;

/// Values of which a random number match.
#[derive(Debug, Clone)]
pub(super) struct Stratum {
    /// How many there are.
    pub(super) n: u64,
    pub(super) mean: f64,
    /// Population variance.
    pub(super) variance: f64,
    pub(super) count: MatchCount,
}

/// How many of the values of a stratum match.
#[derive(Debug, Clone)]
pub(super) enum MatchCount {
    /// Those among `hits` of `size` places.
    Hypergeometric { size: u64, hits: u64 },
    /// Each with this probability, independently.
    Binomial { p: f64 },
    /// `first` and upwards with these probabilities, which are left out where they would take too long to work out.
    Mixed { moments: Moments, first: u64, probabilities: Vec<f64> },
}

impl Stratum {
    /// Least and greatest count.
    fn range(&self) -> (u64, u64) {
        match self.count {
            MatchCount::Hypergeometric { size, hits } => ((hits + self.n).saturating_sub(size), hits.min(self.n)),
            MatchCount::Binomial { p } => (if p >= 1.0 { self.n } else { 0 }, if p > 0.0 { self.n } else { 0 }),
            MatchCount::Mixed { first, ref probabilities, .. } => {
                (first, first + probabilities.len().max(1) as u64 - 1)
            }
        }
    }

    fn mean_count(&self) -> f64 {
        let n = self.n as f64;
        match self.count {
            MatchCount::Hypergeometric { size, hits } => n * (hits as f64 / size as f64),
            MatchCount::Binomial { p } => n * p,
            MatchCount::Mixed { moments, .. } => moments.mean,
        }
    }

    /// Variance of the count, and what the variance of one value counts for in the variance of the sum.
    fn spread(&self) -> (f64, f64) {
        let a = self.n as f64;
        match self.count {
            MatchCount::Hypergeometric { size, .. } if size < 2 => (0.0, 0.0),
            MatchCount::Hypergeometric { size, hits } => {
                let n = size as f64;
                let draws = hits as f64 * (size - hits) as f64 / (n - 1.0);
                (draws * (a / n) * ((n - a) / n), draws * (a / n))
            }
            MatchCount::Binomial { p } => (a * p * (1.0 - p), a * p * (1.0 - p)),
            // E[c (a - c)] / (a - 1), as the variance of a sum of c of a values has it, on the average over c.
            MatchCount::Mixed { moments: Moments { mean, variance }, .. } if self.n > 1 => {
                (variance, (mean * (a - mean) - variance).max(0.0) / (a - 1.0))
            }
            MatchCount::Mixed { moments, .. } => (moments.variance, 0.0),
        }
    }

    /// The first count that is not negligible, and the probabilities from there on. They are made from the likeliest
    /// count outwards by their ratios, so that no factorial is needed and nothing cancels.
    pub(super) fn probabilities(&self) -> (u64, Vec<f64>) {
        if let MatchCount::Mixed { first, probabilities, .. } = &self.count {
            return (*first, probabilities.clone());
        }
        let (least, most) = self.range();
        let a = self.n as f64;
        // P(c + 1) / P(c).
        let ratio = |c: u64| {
            let c = c as f64;
            match self.count {
                MatchCount::Hypergeometric { size, hits } => {
                    let misses = size as f64 - a - hits as f64 + c + 1.0;
                    (a - c) * (hits as f64 - c) / ((c + 1.0) * misses)
                }
                MatchCount::Binomial { p } => (a - c) * p / ((c + 1.0) * (1.0 - p)),
                MatchCount::Mixed { .. } => 0.0,
            }
        };
        let top = (self.mean_count().round() as u64).clamp(least, most);
        let likely = |p: &f64| *p >= NEGLIGIBLE;
        let down = (least..top).rev().scan(1.0, |p, c| {
            *p /= ratio(c);
            Some(*p)
        });
        let up = (top..most).scan(1.0, |p, c| {
            *p *= ratio(c);
            Some(*p)
        });
        let mut probabilities: Vec<f64> = down.take_while(likely).collect();
        let first = top - probabilities.len() as u64;
        probabilities.reverse();
        probabilities.push(1.0);
        probabilities.extend(up.take_while(likely));
        let sum: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|p| *p /= sum);
        (first, probabilities)
    }
}

/// Mean and variance of the average over the outcomes with at least one row.
pub(super) fn moments(strata: &[Stratum]) -> Moments {
    // Values are measured from their likely average, so that what is folded together stays small.
    let count: f64 = strata.iter().map(Stratum::mean_count).sum();
    if count <= 0.0 {
        return Moments::default();
    }
    let centre = strata.iter().map(|stratum| stratum.mean * (stratum.mean_count() / count)).sum::<f64>();
    let moments = if count < SINGLE {
        single(strata, centre, count)
    } else {
        exact(strata, centre, MOST_STEPS).unwrap_or_else(|| delta(strata, centre, count))
    };
    Moments { mean: centre + moments.mean, variance: moments.variance }
}

/// For each count from `first` on: probability, and the parts of the first two moments of the sum.
struct Folded {
    first: u64,
    parts: Vec<[f64; 3]>,
}

fn exact(strata: &[Stratum], centre: f64, most_steps: usize) -> Option<Moments> {
    let mut folded = Folded { first: 0, parts: vec![[1.0, 0.0, 0.0]] };
    let mut steps = 0usize;
    for stratum in strata {
        let (least, most) = stratum.range();
        // Before the probabilities are made, they must be known not to be too many.
        steps = steps.checked_add(usize::try_from(most - least).ok()?)?;
        if steps > most_steps {
            return None;
        }
        let (first, probabilities) = stratum.probabilities();
        if probabilities.is_empty() {
            return None;
        }
        steps = steps.checked_add(probabilities.len().checked_mul(folded.parts.len())?)?;
        if steps > most_steps {
            return None;
        }
        folded = folded.with(stratum, centre, first, &probabilities);
    }
    let (mut any, mut first, mut second) = (0.0, 0.0, 0.0);
    for (c, part) in (folded.first..).zip(&folded.parts).filter(|(c, _)| *c > 0) {
        let n = c as f64;
        any += part[0];
        first += part[1] / n;
        second += part[2] / (n * n);
    }
    if any <= 0.0 {
        return None;
    }
    let mean = first / any;
    Some(Moments { mean, variance: second / any - mean * mean })
}

impl Folded {
    fn with(&self, stratum: &Stratum, centre: f64, first: u64, probabilities: &[f64]) -> Self {
        let mean = stratum.mean - centre;
        let mut parts = vec![[0.0; 3]; self.parts.len() + probabilities.len() - 1];
        for (at, &p) in probabilities.iter().enumerate() {
            // Of c values drawn from n without replacement: mean c m, variance c (n - c) / (n - 1) times that of one.
            let c = (first + at as u64) as f64;
            let rest = stratum.n as f64 - c;
            let sum = c * mean;
            let variance = if stratum.n > 1 { c * rest / (stratum.n - 1) as f64 * stratum.variance } else { 0.0 };
            let own = [p, p * sum, p * (variance + sum * sum)];
            for (to, from) in parts[at..].iter_mut().zip(&self.parts) {
                to[0] += from[0] * own[0];
                to[1] += from[1] * own[0] + from[0] * own[1];
                to[2] += from[2] * own[0] + 2.0 * from[1] * own[1] + from[0] * own[2];
            }
        }
        let likely = |part: &[f64; 3]| part[0] >= NEGLIGIBLE;
        let from = parts.iter().position(likely).unwrap_or(0);
        let to = parts.iter().rposition(likely).map_or(parts.len(), |last| last + 1);
        Folded { first: self.first + first + from as u64, parts: parts[from..to].to_vec() }
    }
}

/// One row of all, each stratum by how often it gives one.
fn single(strata: &[Stratum], centre: f64, count: f64) -> Moments {
    let variance = strata
        .iter()
        .map(|stratum| stratum.mean_count() / count * (stratum.variance + (stratum.mean - centre).powi(2)))
        .sum();
    Moments { mean: 0.0, variance }
}

fn delta(strata: &[Stratum], centre: f64, count: f64) -> Moments {
    let (mut variance, mut covariance) = (0.0, 0.0);
    for stratum in strata {
        let (counts, values) = stratum.spread();
        let mean = stratum.mean - centre;
        // Var(S) = E[Var(S | c)] + Var(c m); of the first, values that come and go together leave `values`.
        variance += values * stratum.variance + counts * mean * mean;
        covariance += counts * mean;
    }
    Moments { mean: -covariance / (count * count), variance: variance / (count * count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stratum(n: u64, mean: f64, variance: f64, count: MatchCount) -> Stratum {
        Stratum { n, mean, variance, count }
    }

    #[test]
    fn probabilities_are_those_of_the_urn() {
        let urn = stratum(3, 0.0, 0.0, MatchCount::Hypergeometric { size: 5, hits: 3 });
        let (first, p) = urn.probabilities();
        assert_eq!(first, 1);
        for (found, wanted) in p.iter().zip([0.3, 0.6, 0.1]) {
            assert!((found - wanted).abs() < 1e-15, "{p:?}");
        }
        let coins = stratum(2, 0.0, 0.0, MatchCount::Binomial { p: 0.25 });
        assert_eq!(coins.probabilities(), (0, vec![0.5625, 0.375, 0.0625]));
        for p in [0.0, 1.0] {
            let sure = stratum(4, 0.0, 0.0, MatchCount::Binomial { p });
            assert_eq!(sure.probabilities(), (4 * p as u64, vec![1.0]));
        }
        // Far larger than any factorial that f64 holds.
        let wide = stratum(400_000, 0.0, 0.0, MatchCount::Hypergeometric { size: 1_000_000, hits: 300_000 });
        let (first, p) = wide.probabilities();
        let mean: f64 = (first..).zip(&p).map(|(c, p)| c as f64 * p).sum();
        assert!((mean - 120_000.0).abs() < 1e-5 && p.len() < 10_000, "{mean} {}", p.len());
    }

    #[test]
    fn the_approximation_is_near_where_it_is_used() {
        let strata: Vec<Stratum> = (0..400)
            .map(|i| {
                let count = MatchCount::Hypergeometric { size: 10, hits: 3 + i % 5 };
                stratum(2 + i % 7, (i % 13) as f64, 2.0 + (i % 3) as f64, count)
            })
            .collect();
        let count: f64 = strata.iter().map(Stratum::mean_count).sum();
        let centre = strata.iter().map(|s| s.mean * s.mean_count() / count).sum::<f64>();
        let exact = exact(&strata, centre, MOST_STEPS).unwrap();
        let near = delta(&strata, centre, count);
        assert!((exact.mean - near.mean).abs() < 1e-4, "{exact:?} {near:?}");
        assert!((exact.variance / near.variance - 1.0).abs() < 0.01, "{exact:?} {near:?}");
        assert!(super::exact(&strata, centre, 1000).is_none());
    }

    #[test]
    fn rows_too_rare_for_pairs_are_alone() {
        let rare =
            |p| [stratum(2, 5.0, 1.0, MatchCount::Binomial { p }), stratum(1, 8.0, 0.0, MatchCount::Binomial { p })];
        for p in [1e-150, 1e-20, 1e-11] {
            let found = moments(&rare(p));
            assert!((found.mean - 6.0).abs() < 1e-9 && (found.variance - 8.0 / 3.0).abs() < 1e-9, "{found:?}");
        }
    }
}
