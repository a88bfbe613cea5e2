//! Figure 12: losses that follow the age of people, closely or loosely.

use super::approaches::{Approach, Measured, generalized, line_of, measured, optima};
use super::sources::{Losses, PEOPLE, correlated};
use super::{COMPARABLE, ERROR, SIGNIFICANTLY, Scale};
use crate::claim::Passage;
use crate::decision::{Decision, Reason, all, passes, percent};
use crate::runner::Runner;
use crate::series::{ratios, rising, times_below};
use crate::{Claim, Figure, Findings, Series};
use scumble_report::grouped;
use scumble_table::Result;

/// The span of the ranges that are asked for.
pub(super) const SPAN: f64 = 30.0;

/// Noise from which on the paper's correlation is no longer the strongest.
const WEAKER: f64 = 10.0;

/// Both kinds of losses, for the paper tells neither: a claim is judged if they agree about it.
const KINDS: [Losses; 2] = [Losses::AsMany, Losses::Whole];

/// Errors over noise, under one kind of losses.
struct ErrorLines {
    /// In the order of [`Approach::all`].
    lines: Vec<Series>,
    /// Whether all tables from [`WEAKER`] on show ages at the same level.
    same_level: bool,
}

/// The figure and what the paper says about it.
pub(super) fn figures(scale: &Scale, runner: &Runner, findings: &mut Findings) -> Result<()> {
    let mut both = Vec::new();
    for kind in KINDS {
        let found = asked(kind, scale, runner)?;
        let losses = match kind {
            Losses::AsMany => "Losses are as many as the Adult table has, 89, and evenly apart.",
            Losses::Whole => "Every whole number is a loss.",
        };
        let setting = format!(
            "{} made-up people whose loss rises with their age over the range of the Adult table's, with normal noise. {losses} \
             The paper does not tell which losses there are, nor the unit of what it calls variance: here it is the standard \
             deviation of the noise. All ranges of age with a span of {SPAN}, averages; k = 4 and e = 100, and 4 different losses \
             for generalization. Means over {} such tables.",
            grouped(PEOPLE as u64),
            scale.seeds.len()
        );
        let title = match kind {
            Losses::AsMany => "relative errors of range queries, by how loosely losses follow ages",
            Losses::Whole => "relative errors of range queries, by how loosely losses follow ages, in whole numbers",
        };
        let series = found.lines.iter().map(Series::in_percent).collect();
        let body = Figure::lines("standard deviation of the noise", ERROR, series);
        findings.figures.push(Figure::new("Figure 12", title, setting, body));
        both.push(found);
    }
    findings.claims.extend(claims(&both));
    Ok(())
}

fn asked(kind: Losses, scale: &Scale, runner: &Runner) -> Result<ErrorLines> {
    let jobs: Vec<(f64, u64)> =
        scale.deviations.iter().flat_map(|&deviation| scale.seeds.iter().map(move |&seed| (deviation, seed))).collect();
    let questions = scale.ranges(vec![SPAN]);
    let found = runner.in_parallel(
        &jobs,
        |(deviation, seed)| format!("noise of {deviation}, table {seed}"),
        |&(deviation, seed)| {
            let people = correlated(PEOPLE, kind, deviation, seed)?;
            let demand = people.demand(4, 100);
            let width = |approach: &Approach| -> Result<Option<f64>> {
                let found: Option<Measured> = measured(&people, *approach, demand, &questions, &[seed])?;
                Ok(found.and_then(|found| found.widths.first().copied().flatten()))
            };
            let level = generalized(&people, demand.k)?.levels.first().map(|level| level.0);
            Ok((Approach::all().iter().map(width).collect::<Result<Vec<_>>>()?, level))
        },
    )?;
    let line = |at: usize| {
        let tables = found.chunks(scale.seeds.len());
        let mean = |tables: &[(Vec<Option<f64>>, Option<usize>)]| {
            let sum = tables.iter().map(|(widths, _)| widths[at]).sum::<Option<f64>>();
            sum.map(|sum| sum / tables.len() as f64)
        };
        Series::new(Approach::all()[at].name(), scale.deviations.iter().copied().zip(tables.map(mean)).collect())
    };
    let mut levels: Vec<Option<usize>> =
        jobs.iter().zip(&found).filter(|((noise, _), _)| *noise >= WEAKER).map(|(_, (_, level))| *level).collect();
    levels.dedup();
    Ok(ErrorLines { lines: (0..Approach::all().len()).map(line).collect(), same_level: levels.len() == 1 })
}

/// What becomes of a claim under one kind of losses.
struct JudgedClaim {
    says: &'static str,
    test: &'static str,
    found: String,
    answer: Decision,
}

/// The claims under both kinds of losses, which must agree.
fn claims(both: &[ErrorLines]) -> Vec<Claim> {
    let place = "section 7.1, figure 12";
    let mut judged = both.iter().map(judged);
    let Some(mut first) = judged.next() else { return Vec::new() };
    for other in judged {
        for (one, other) in first.iter_mut().zip(other) {
            one.found = format!("{}; in whole numbers {}", one.found, other.found);
            one.answer =
                if one.answer == other.answer { one.answer } else { Decision::Undecided(Reason::OpenSettings) };
        }
    }
    let claim = |JudgedClaim { says, test, found, answer }| {
        let test = format!("{test}; judged if both kinds of losses say the same");
        Passage::new(place, false).any(says, &test, found, answer)
    };
    first.into_iter().map(claim).collect()
}

fn judged(ErrorLines { lines, same_level }: &ErrorLines) -> Vec<JudgedClaim> {
    let optima = || optima(lines);
    let [general, random, swapped] =
        [Approach::Generalization, Approach::Random, Approach::RankSwap].map(|approach| line_of(lines, approach));
    let from = |line: &Series| line.within(|noise| noise >= WEAKER);
    let weaker = from(general);
    let errors: Vec<f64> = weaker.values().collect();
    let [strongest, next, last] = [general.values().next(), weaker.values().next(), weaker.values().last()]
        .map(|error| error.unwrap_or(f64::NAN));
    let least = |other: &Series| optima().map(|optimum| ratios(other, optimum).0).fold(f64::INFINITY, f64::min);
    let most = optima().map(|optimum| ratios(&weaker, &from(optimum)).1).fold(0.0, f64::max);
    let above = |other: &Series| all(optima().map(|optimum| times_below(optimum, other, SIGNIFICANTLY)));
    vec![
        JudgedClaim {
            says: "The groups of generalization err much where losses follow ages most closely, and much less at the next step.",
            test: "not judged, for levels hang on which losses there are; else the second error would be at most half the first",
            found: format!("{} and {}", percent(strongest), percent(next)),
            answer: Decision::Undecided(Reason::OpenSettings),
        },
        JudgedClaim {
            says: "From there on their error grows with the noise.",
            test: "the error at the last noise is above that at the second, and errors rise with a rank correlation above 0; \
                   judged if ages are shown at one level throughout",
            found: format!("{} and {}", percent(next), percent(last)),
            answer: match same_level {
                true => all([passes(last - next, |more| more > 0.0), passes(rising(&errors), |surely| surely > 0.0)]),
                false => Decision::Undecided(Reason::DidNotOccur),
            },
        },
        JudgedClaim {
            says: "Beyond the strongest correlation generalization comes to about the accuracy of the optimization algorithms.",
            test: "from the second noise on its error is at most 1.5 times that of each of the three",
            found: format!("{} at most", times(most)),
            answer: passes(if errors.is_empty() { f64::NAN } else { most }, |most| most <= COMPARABLE),
        },
        JudgedClaim {
            says: "Random groups do not use the correlation and err much.",
            test: "at every noise their error is at least 1.5 times that of each optimization algorithm, and from the second on \
                   that of generalization too",
            found: format!(
                "at least {} as much as the optimization algorithms, {} as much as generalization",
                times(least(random)),
                times(ratios(&from(random), &weaker).0)
            ),
            answer: all([above(random), times_below(&weaker, &from(random), SIGNIFICANTLY)]),
        },
        JudgedClaim {
            says: "Rank swapping does not do well.",
            test: "at every noise its error is at least 1.5 times that of each optimization algorithm",
            found: format!("at least {} as much", times(least(swapped))),
            answer: above(swapped),
        },
    ]
}

/// The ratio in words; it is infinite where the other error is 0.
fn times(ratio: f64) -> String {
    if ratio.is_finite() { format!("{ratio:.2} times") } else { "any number of times".into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing::{self, Held, NotComparable, NotHeld};

    /// Errors of generalization over noise, and of the three optima, random groups and rank swapping at any.
    fn found(general: [f64; 4], others: [f64; 5], same_level: bool) -> ErrorLines {
        let flat = |error: f64| [error; 4];
        let [optima @ .., random, swapped] = others;
        let all = [general, flat(optima[0]), flat(optima[1]), flat(optima[2]), flat(random), flat(swapped), flat(0.1)];
        let line = |(approach, errors): (Approach, [f64; 4])| {
            Series::new(approach.name(), [5.0, 10.0, 15.0, 20.0].into_iter().zip(errors.map(Some)).collect())
        };
        ErrorLines { lines: Approach::all().into_iter().zip(all).map(line).collect(), same_level }
    }

    fn standings(both: &[ErrorLines]) -> Vec<Standing> {
        claims(both).iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn claims_follow_the_lines() {
        let good = || found([0.9, 0.1, 0.12, 0.15], [0.1, 0.1, 0.1, 0.5, 0.2], true);
        assert_eq!(standings(&[good(), good()]), [NotComparable, Held, Held, Held, Held]);
        let bad = || found([0.9, 0.3, 0.2, 0.1], [0.1, 0.1, 0.1, 0.14, 0.12], true);
        assert_eq!(standings(&[bad(), bad()]), [NotComparable, NotHeld, NotHeld, NotHeld, NotHeld]);
    }

    #[test]
    fn what_is_not_told_decides_nothing() {
        let good = || found([0.9, 0.1, 0.12, 0.15], [0.1, 0.1, 0.1, 0.5, 0.2], true);
        let other = found([0.9, 0.1, 0.12, 0.15], [0.1, 0.1, 0.1, 0.5, 0.12], true);
        assert_eq!(standings(&[good(), other]), [NotComparable, Held, Held, Held, NotComparable]);
        let levels = || found([0.9, 0.1, 0.12, 0.15], [0.1, 0.1, 0.1, 0.5, 0.2], false);
        assert_eq!(standings(&[levels(), levels()])[1], NotComparable);
    }
}
