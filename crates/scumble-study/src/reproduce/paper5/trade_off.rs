//! Figures 13 and 14: what more privacy costs.

use super::super::judge::{Trend, all, passes, percent};
use super::super::lines::{below, ratios};
use super::super::workshop::Workshop;
use super::super::{Claim, Findings, Line};
use super::correlation::SPAN;
use super::people::Demand;
use super::sources::{PEOPLE, random};
use super::ways::{Measured, Way, measured};
use super::{Scale, figure, line_of};
use scumble_report::grouped;
use scumble_table::Result;

/// The lines of both figures: the original l-diversity knows no e, says the paper, so generalization is none of them.
const WAYS: [Way; 6] = [Way::MinMax, Way::MinSum, Way::MaxGroups, Way::Random, Way::RankSwap, Way::ExpectedWidth];

/// How many people the synthetic table of section 7.2 has, the only one whose size the paper tells.
pub(super) const MADE_UP: usize = 10_000;

/// Errors over k and over e.
struct Lines {
    with_k: Vec<Line>,
    with_e: Vec<Line>,
}

/// Both figures and what the paper says about them.
pub(super) fn figures(scale: &Scale, workshop: &Workshop<'_>, findings: &mut Findings) -> Result<()> {
    let few = asked(PEOPLE, scale, workshop)?;
    let many = asked(MADE_UP, scale, workshop)?;
    for (number, title, x, fixed, of_few, of_many) in [
        ("Figure 13", "relative errors of range queries over k", "k", "e = 50", &few.with_k, &many.with_k),
        ("Figure 14", "relative errors of range queries over e", "e", "k = 10", &few.with_e, &many.with_e),
    ] {
        for (n, lines) in [(PEOPLE, of_few), (MADE_UP, of_many)] {
            let remark = match n {
                PEOPLE => {
                    "The paper does not tell how many people its table has: these are as many as have a loss in the Adult table."
                }
                _ => "The same with as many people as the table of section 7.2; no claim is judged by it.",
            };
            let setting = format!(
                "{} made-up people, ages from 17 to 90 and losses from 155 to 3900, all equally likely; {fixed}; all ranges of \
                 age with a span of {SPAN}, averages; means over {} draws of how equal losses are divided. {remark}",
                grouped(n as u64),
                scale.seeds.len()
            );
            let title = if n == PEOPLE { title.into() } else { format!("{title}, {} people", grouped(n as u64)) };
            findings.exhibits.push(figure(number, &title, &setting, x.into(), lines.clone()));
        }
    }
    claims(&few.with_k, &few.with_e, findings);
    Ok(())
}

/// All lines for so many people.
fn asked(n: usize, scale: &Scale, workshop: &Workshop<'_>) -> Result<Lines> {
    let by_k = scale.ks.iter().map(|&k| (k as f64, Demand { k, e: 50 }));
    let by_e = scale.es.iter().map(|&e| (e as f64, Demand { k: 10, e }));
    let all: Vec<(f64, Demand)> = by_k.chain(by_e).collect();
    let people = random(n, scale.seed)?;
    let questions = scale.ranges(vec![SPAN]);
    let found = workshop.side_by_side(
        &all,
        |(_, demand)| format!("{n} people, k = {}, e = {}", demand.k, demand.e),
        |(_, demand)| {
            let width = |way: &Way| -> Result<Option<f64>> {
                let found: Option<Measured> = measured(&people, *way, *demand, &questions, &scale.seeds)?;
                Ok(found.and_then(|found| found.widths.first().copied().flatten()))
            };
            WAYS.iter().map(width).collect::<Result<Vec<_>>>()
        },
    )?;
    let lines = |from: usize, to: usize| -> Vec<Line> {
        let of = |(at, way): (usize, &Way)| line_of(*way, (from..to).map(|job| (all[job].0, found[job][at])).collect());
        WAYS.iter().enumerate().map(of).collect()
    };
    Ok(Lines { with_k: lines(0, scale.ks.len()), with_e: lines(scale.ks.len(), all.len()) })
}

fn of(lines: &[Line], way: Way) -> Option<&Line> {
    WAYS.iter().position(|one| *one == way).and_then(|at| lines.get(at))
}

fn optima(lines: &[Line]) -> impl Iterator<Item = &Line> {
    Way::OPTIMA.into_iter().filter_map(|way| of(lines, way))
}

/// What a line is at its end in terms of its beginning.
fn growth(line: &Line) -> f64 {
    Trend::of(line.values()).map_or(f64::NAN, |trend| trend.last / trend.first)
}

fn growths(lines: &[Line]) -> String {
    let one = |line: &Line| {
        let values: Vec<f64> = line.values().collect();
        let ends =
            values.first().zip(values.last()).map(|(first, last)| format!("{} to {}", percent(*first), percent(*last)));
        format!("{} {}", line.name, ends.unwrap_or("unknown".into()))
    };
    optima(lines).map(one).collect::<Vec<_>>().join(", ")
}

/// The greatest difference between the optimization algorithms at one place.
fn apart(lines: &[Line]) -> f64 {
    let n = optima(lines).map(|line| line.points.len()).min().unwrap_or(0);
    let at = |at: usize| {
        let values: Vec<f64> = optima(lines).filter_map(|line| line.points[at].1).collect();
        let ends = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        ends.1 - ends.0
    };
    (0..n).map(at).fold(0.0, f64::max)
}

fn claims(with_k: &[Line], with_e: &[Line], findings: &mut Findings) {
    let claims = &mut findings.claims;
    let (by_k, by_e) = ("section 7.1, figure 13", "section 7.1, figure 14");
    claims.push(Claim::of_any_data(
        by_k,
        "The optimization algorithms are essentially equally accurate for every k.",
        "at every k their errors lie within one percentage point",
        format!("{} apart at most", percent(apart(with_k))),
        optima(with_k).all(|line| line.values().count() > 1).then(|| apart(with_k) <= 0.01),
    ));
    claims.push(Claim::of_any_data(
        by_k,
        "Their accuracy does not deteriorate much as k rises.",
        "the error of each at the greatest k is at most twice that at the least",
        growths(with_k),
        all(optima(with_k).map(|line| passes(growth(line), |times| times <= 2.0))),
    ));
    if let Some(swapped) = of(with_k, Way::RankSwap) {
        claims.push(Claim::of_any_data(
            by_k,
            "The accuracy of rank swapping deteriorates significantly as k rises.",
            "its error at the greatest k is at least 1.5 times that at the least",
            format!("{:.2} times", growth(swapped)),
            passes(growth(swapped), |times| times >= 1.5),
        ));
    }
    claims.push(Claim::of_any_data(
        by_e,
        "A much larger e does not impact the accuracy of the optimization algorithms.",
        "the error of each at the greatest e is at most twice that at the least",
        growths(with_e),
        all(optima(with_e).map(|line| passes(growth(line), |times| times <= 2.0))),
    ));
    if let Some(random) = of(with_e, Way::Random) {
        claims.push(Claim::of_any_data(
            by_e,
            "Random groups are hardly affected by e, for they span more in any case.",
            "their error at the greatest e is within a tenth of that at the least",
            format!("{:.3} times", growth(random)),
            passes(growth(random), |times| (0.9..=1.1).contains(&times)),
        ));
    }
    if let Some(swapped) = of(with_e, Way::RankSwap) {
        let least = optima(with_e).map(|optimum| ratios(swapped, optimum).0).fold(f64::INFINITY, f64::min);
        claims.push(Claim::of_any_data(
            by_e,
            "Rank swapping does not do well for any e.",
            "at every e its error is above that of each optimization algorithm",
            format!("at least {least:.2} times as much"),
            all(optima(with_e).map(|optimum| below(optimum, swapped))),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Standing::{self, Held, NotHeld};

    /// Errors at the least and at the greatest parameter.
    fn lines(optimum: (f64, f64), other: (f64, f64), random: (f64, f64), swapped: (f64, f64)) -> Vec<Line> {
        let line = |(way, ends): (Way, (f64, f64))| line_of(way, vec![(1.0, Some(ends.0)), (2.0, Some(ends.1))]);
        WAYS.into_iter().zip([optimum, other, optimum, random, swapped, optimum]).map(line).collect()
    }

    fn standings(with_k: &[Line], with_e: &[Line]) -> Vec<Standing> {
        let mut findings = Findings::default();
        claims(with_k, with_e, &mut findings);
        findings.claims.iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn claims_follow_the_lines() {
        let good = lines((0.01, 0.015), (0.012, 0.02), (0.9, 0.9), (0.02, 0.05));
        assert_eq!(standings(&good, &good), [Held; 6]);
        let bad = lines((0.01, 0.015), (0.012, 0.04), (0.9, 1.2), (0.02, 0.02));
        assert_eq!(standings(&bad, &bad), [NotHeld; 6]);
    }
}
