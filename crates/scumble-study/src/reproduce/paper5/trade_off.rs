//! Figures 13 and 14: what more privacy costs.

use super::super::judge::percent;
use super::super::lines::{below, ratios};
use super::super::workshop::Workshop;
use super::super::{Claim, Findings, Line};
use super::correlation::SPAN;
use super::people::Demand;
use super::sources::random;
use super::ways::{Measured, Way, measured};
use super::{Scale, figure, line_of};
use scumble_table::Result;

/// The lines of both figures: the original l-diversity knows no e, says the paper, so generalization is none of them.
const WAYS: [Way; 6] = [Way::MinMax, Way::MinSum, Way::MaxGroups, Way::Random, Way::RankSwap, Way::ExpectedWidth];

/// How many people are made up. The paper tells the size of one of its synthetic tables, that of section 7.2.
pub(super) const MADE_UP: usize = 10_000;

/// Both figures and what the paper says about them.
pub(super) fn figures(scale: &Scale, workshop: &Workshop<'_>, findings: &mut Findings) -> Result<()> {
    let by_k: Vec<(f64, Demand)> = scale.ks.iter().map(|&k| (k as f64, Demand { k, e: 50 })).collect();
    let by_e: Vec<(f64, Demand)> = scale.es.iter().map(|&e| (e as f64, Demand { k: 10, e })).collect();
    let people = random(MADE_UP, scale.seed)?;
    let questions = scale.ranges(vec![SPAN]);
    let all: Vec<(f64, Demand)> = by_k.iter().chain(&by_e).copied().collect();
    let found = workshop.side_by_side(
        &all,
        |(_, demand)| format!("k = {}, e = {}", demand.k, demand.e),
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
    let setting = format!(
        "{MADE_UP} made-up people, ages from 17 to 90 and losses from 155 to 3900, all equally likely; all ranges of age with \
         a span of {SPAN}, averages; means over {} draws of how equal losses are divided.",
        scale.seeds.len()
    );
    let (with_k, with_e) = (lines(0, by_k.len()), lines(by_k.len(), all.len()));
    for (number, title, x, series, fixed) in [
        ("Figure 13", "relative errors of range queries over k", "k", &with_k, "e = 50"),
        ("Figure 14", "relative errors of range queries over e", "e", &with_e, "k = 10"),
    ] {
        let setting = format!("{setting} {fixed}.");
        findings.exhibits.push(figure(number, title, &setting, x.into(), series.clone()));
    }
    claims(&with_k, &with_e, findings);
    Ok(())
}

fn of(lines: &[Line], way: Way) -> Option<&Line> {
    WAYS.iter().position(|one| *one == way).and_then(|at| lines.get(at))
}

fn optima(lines: &[Line]) -> impl Iterator<Item = &Line> {
    Way::OPTIMA.into_iter().filter_map(|way| of(lines, way))
}

/// What a line is at its end in terms of its beginning.
fn growth(line: &Line) -> f64 {
    let values: Vec<f64> = line.values().collect();
    values.first().zip(values.last()).map_or(f64::NAN, |(first, last)| last / first)
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
        apart(with_k) <= 0.01 && optima(with_k).all(|line| line.values().count() > 1),
    ));
    claims.push(Claim::of_any_data(
        by_k,
        "Their accuracy does not deteriorate much as k rises.",
        "the error of each at the greatest k is at most twice that at the least",
        growths(with_k),
        optima(with_k).all(|line| growth(line) <= 2.0),
    ));
    if let Some(swapped) = of(with_k, Way::RankSwap) {
        claims.push(Claim::of_any_data(
            by_k,
            "The accuracy of rank swapping deteriorates significantly as k rises.",
            "its error at the greatest k is at least 1.5 times that at the least",
            format!("{:.2} times", growth(swapped)),
            growth(swapped) >= 1.5,
        ));
    }
    claims.push(Claim::of_any_data(
        by_e,
        "A much larger e does not impact the accuracy of the optimization algorithms.",
        "the error of each at the greatest e is at most twice that at the least",
        growths(with_e),
        optima(with_e).all(|line| growth(line) <= 2.0),
    ));
    if let Some(random) = of(with_e, Way::Random) {
        claims.push(Claim::of_any_data(
            by_e,
            "Random groups are hardly affected by e, for they span more in any case.",
            "their error at the greatest e is within a tenth of that at the least",
            format!("{:.3} times", growth(random)),
            (0.9..=1.1).contains(&growth(random)),
        ));
    }
    if let Some(swapped) = of(with_e, Way::RankSwap) {
        let least = optima(with_e).map(|optimum| ratios(swapped, optimum).0).fold(f64::INFINITY, f64::min);
        claims.push(Claim::of_any_data(
            by_e,
            "Rank swapping does not do well for any e.",
            "at every e its error is above that of each optimization algorithm",
            format!("at least {least:.2} times as much"),
            optima(with_e).all(|optimum| below(optimum, swapped)),
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
