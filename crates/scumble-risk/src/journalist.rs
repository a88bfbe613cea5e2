//! The chance to find a person of a population in a sample of it.
//!
//! *Definition.* Of `f` records of the sample that match, `F` people of the population do; who takes one of these people
//! for the person behind a record is right with probability `1/F`. Where the population is at hand `F` is counted. Where
//! only its size `N` is known, the model of Benedetti and Franconi takes the sample of `n` for drawn with probability
//! `p = n/N`, so that `F` given `f` is negative binomial, and the risk of a record is the expectation of `1/F`.
//!
//! *Does not guarantee.* The expectation is that of a typical record of its class size. A record that is alone in the
//! population has a risk of 1 whatever the model says, and a sample that was not drawn at random may be off altogether.
//!
//! *Derivation.* With `q = 1 - p`, `E[s^F] = (p s / (1 - q s))^f`, and `E[1/F]` is the integral of `E[s^F]/s` over `s` from
//! 0 to 1. Substituting `t = p s / (1 - q s)` it becomes `I(f)`, the integral of `p t^(f-1) / (p + q t)` over `t` from 0 to 1.
//! Two ways lead to it. Writing `p + q t = 1 - q (1 - t)` as a geometric series gives positive terms,
//! `p * sum over k of q^k k! (f-1)! / (k+f)!`, which shrink at least like `q^k` and quickly for large `f`. And
//! `p I(f) + q I(f+1) = p/f` gives `I(f+1) = (p/q) (1/f - I(f))` from `I(1) = (p/q) ln(1/p)`, in which errors shrink as long
//! as `p < q`. Each is taken where it is quick and exact.
//!
//! *Reference.* Benedetti, Franconi, Statistical and technological solutions for controlled data dissemination, 1998.

use crate::Matches;
use crate::matches::share_of;
use scumble_table::{Error, Result};

/// The risk of the records of a sample to be found by somebody who looks for people of the population.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Journalist {
    /// That of the record that is easiest to find.
    pub largest: f64,
    /// The mean over records.
    pub mean: f64,
}

/// From this number of matching records on the series is short whatever the sampling fraction.
const SERIES_FROM: u64 = 50;

/// The expectation of `1/F` where `f` records of a sample of `n` match and the population has `population` people, at
/// least `n`.
pub fn individual_risk(f: u64, n: u64, population: u64) -> f64 {
    if f == 0 || n == 0 || population < n {
        return 0.0;
    }
    let p = n as f64 / population as f64;
    let q = (population - n) as f64 / population as f64;
    if p >= 0.5 || f >= SERIES_FROM {
        return series(f as f64, p, q);
    }
    let mut risk = p / q * -p.ln();
    for below in 1..f {
        risk = p / q * (1.0 / below as f64 - risk);
    }
    risk
}

fn series(f: f64, p: f64, q: f64) -> f64 {
    let (mut sum, mut term, mut k) = (0.0, 1.0 / f, 0.0);
    while term > sum * 1e-17 {
        sum += term;
        k += 1.0;
        term *= q * k / (k + f);
    }
    p * sum
}

impl Journalist {
    /// By the size of the population alone.
    ///
    /// # Errors
    /// If the population is smaller than the sample.
    pub fn by_size(matches: &Matches, population: u64) -> Result<Self> {
        let n: u64 = matches.found().map(|line| line.records).sum();
        if population < n {
            let reason = format!("the data has {n} records, so its population has no fewer");
            return Err(Error::request("population", population.to_string(), reason)
                .hint("give the number of people that the data was drawn from"));
        }
        let risks = matches.found().map(|line| (individual_risk(line.k, n, population), line.records));
        Ok(Journalist::from_risks(risks))
    }

    /// By classes of records of which both are known: records in the sample, people in the population.
    ///
    /// # Errors
    /// If a class has fewer people in the population than records in the sample.
    pub fn by_classes(classes: &[(u64, u64)], file: &str) -> Result<Self> {
        let short = classes.iter().filter(|(f, of)| of < f).count();
        if short > 0 {
            let reason = format!(
                "{short} of {} combinations of known values are fewer in the population than in the data, which cannot be",
                classes.len()
            );
            return Err(Error::request("population", file, reason).hint(
                "the population must hold everybody who is in the data, with the same values and the same null texts",
            ));
        }
        // By rising risk, so that the sum does not depend on the order of classes.
        let mut classes = classes.to_vec();
        classes.sort_unstable_by_key(|&(f, of)| (std::cmp::Reverse(of), f));
        Ok(Journalist::from_risks(classes.iter().filter(|class| class.0 > 0).map(|&(f, of)| (1.0 / of as f64, f))))
    }

    fn from_risks(risks: impl Iterator<Item = (f64, u64)>) -> Self {
        let (mut largest, mut sum, mut records) = (0.0f64, 0.0, 0);
        for (risk, n) in risks {
            largest = largest.max(risk);
            sum += risk * n as f64;
            records += n;
        }
        Journalist { largest, mean: share_of(sum, records) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `E[1/F]` by adding up the negative binomial, term by term.
    fn summed(f: u64, p: f64) -> f64 {
        let (mut chance, mut sum, mut of) = (p.powi(f as i32), 0.0, f as f64);
        // Chances rise up to the mean and then fall for good.
        while of <= 2.0 * f as f64 / p || chance > 1e-18 * sum {
            sum += chance / of;
            chance *= (1.0 - p) * of / (of - f as f64 + 1.0);
            of += 1.0;
        }
        sum
    }

    #[test]
    fn the_model_is_the_sum_over_the_negative_binomial() {
        for population in [100u64, 101, 150, 199, 200, 201, 400, 1_000, 20_000] {
            let p = 100.0 / population as f64;
            for f in (1..=60).chain([99, 100]) {
                // Below, chances of the first terms are too small for the naive sum.
                if p.powi(f as i32) < 1e-200 {
                    continue;
                }
                let (ours, naive) = (individual_risk(f, 100, population), summed(f, p));
                assert!((ours - naive).abs() <= 1e-9 * naive, "{f} of 100 in {population}: {ours} and {naive}");
            }
        }
    }

    #[test]
    fn both_ways_meet_and_risk_falls_with_every_record() {
        for population in [101u64, 210, 1_000, 1_000_000, 10_000_000_000] {
            let p = 100.0 / population as f64;
            let (a, b) =
                (individual_risk(SERIES_FROM - 1, 100, population), individual_risk(SERIES_FROM, 100, population));
            let next = p / (1.0 - p) * (1.0 / (SERIES_FROM - 1) as f64 - a);
            assert!(population == 101 || (next - b).abs() < 1e-10 * b, "{population}: {next} and {b}");
            let risks: Vec<f64> = (1..300).map(|f| individual_risk(f, 100, population)).collect();
            assert!(risks.windows(2).all(|pair| pair[0] > pair[1]) && risks[0] <= 1.0, "{population}");
        }
        let one = individual_risk(1, 1, 1_000_000);
        assert!((one - 1e-6 / (1.0 - 1e-6) * 1e6f64.ln()).abs() < 1e-18);
        assert_eq!((individual_risk(1, 7, 7), individual_risk(4, 7, 7)), (1.0, 0.25));
    }

    #[test]
    fn a_population_is_no_smaller_than_its_sample() {
        let matches = Matches::from_classes([(1, 1), (2, 2)]);
        assert!(Journalist::by_size(&matches, 2).unwrap_err().to_string().contains("3 records"));
        let whole = Journalist::by_size(&matches, 3).unwrap();
        assert_eq!((whole.largest, whole.mean), (1.0, 2.0 / 3.0));
        let error = Journalist::by_classes(&[(2, 4), (2, 1)], "people.csv").unwrap_err().to_string();
        assert!(error.contains("1 of 2 combinations"), "{error}");
        let counted = Journalist::by_classes(&[(2, 4), (1, 1)], "people.csv").unwrap();
        assert_eq!((counted.largest, counted.mean), (1.0, 0.5));
    }
}
