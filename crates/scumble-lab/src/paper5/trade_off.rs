//! Figures 13 and 14: what more privacy costs.

use super::approaches::{Approach, Measured, line_of, measured, optima};
use super::correlation::SPAN;
use super::people::Demand;
use super::sources::{PEOPLE, random};
use super::{ERROR, SIGNIFICANTLY, Scale};
use crate::claim::Passage;
use crate::decision::{Decision, Reason, Trend, all, extremes, passes, percent, short};
use crate::runner::Runner;
use crate::series::{ratios, times_below};
use crate::{Claim, Figure, Findings, Series};
use scumble_report::grouped;
use scumble_table::Result;

/// The lines of both figures: the original l-diversity knows no e, says the paper, so generalization is none of them.
const APPROACHES: [Approach; 6] = [
    Approach::MinMax,
    Approach::MinSum,
    Approach::MaxGroups,
    Approach::Random,
    Approach::RankSwap,
    Approach::ExpectedWidth,
];

/// How many people the synthetic table of section 7.2 has, the only one whose size the paper tells.
pub(super) const MADE_UP: usize = 10_000;

/// Why these numbers of people.
const FEW_PEOPLE: &str =
    "The paper does not tell how many people its table has: these are as many as have a loss in the Adult table.";
const MANY_PEOPLE: &str =
    "The same with as many people as the table of section 7.2, which is told next to the claims and decides none.";

/// Errors over k and over e.
struct TradeOff {
    with_k: Vec<Series>,
    with_e: Vec<Series>,
    /// Numbers of groups over both, where an approach has groups.
    groups_with_k: Vec<Series>,
    groups_with_e: Vec<Series>,
}

/// Both figures and what the paper says about them.
pub(super) fn figures(scale: &Scale, runner: &Runner, findings: &mut Findings) -> Result<()> {
    let few = asked(PEOPLE, scale, runner)?;
    let many = asked(MADE_UP, scale, runner)?;
    for (number, title, x, fixed, of_few, of_many) in [
        ("Figure 13", "relative errors of range queries over k", "k", "e = 50", &few.with_k, &many.with_k),
        ("Figure 14", "relative errors of range queries over e", "e", "k = 10", &few.with_e, &many.with_e),
    ] {
        for (n, lines, more, remark) in [
            (PEOPLE, of_few, String::new(), FEW_PEOPLE),
            (MADE_UP, of_many, format!(", {} people", grouped(MADE_UP as u64)), MANY_PEOPLE),
        ] {
            let setting = format!(
                "{} made-up people, ages from 17 to 90 and losses from 155 to 3900, all equally likely; {fixed}; all ranges of \
                 age with a span of {SPAN}, averages; means over {} draws of how equal losses are divided. {remark}",
                grouped(n as u64),
                scale.seeds.len()
            );
            let body = Figure::lines(x, ERROR, lines.iter().map(Series::in_percent).collect());
            findings.figures.push(Figure::new(number, format!("{title}{more}"), setting, body));
        }
    }
    findings.claims.extend(claims(&few, &many));
    Ok(())
}

/// All lines for `n` people.
fn asked(n: usize, scale: &Scale, runner: &Runner) -> Result<TradeOff> {
    let by_k = scale.ks.iter().map(|&k| (k as f64, Demand { k, e: 50 }));
    let by_e = scale.es.iter().map(|&e| (e as f64, Demand { k: 10, e }));
    let all: Vec<(f64, Demand)> = by_k.chain(by_e).collect();
    let people = random(n, scale.seed)?;
    let questions = scale.ranges(vec![SPAN]);
    let found = runner.in_parallel(
        &all,
        |(_, demand)| format!("{n} people, k = {}, e = {}", demand.k, demand.e),
        |(_, demand)| {
            let figures = |approach: &Approach| -> Result<[Option<f64>; 2]> {
                let found: Option<Measured> = measured(&people, *approach, *demand, &questions, &scale.seeds)?;
                Ok(found.map_or([None; 2], |found| [found.widths.first().copied().flatten(), found.groups]))
            };
            APPROACHES.iter().map(figures).collect::<Result<Vec<_>>>()
        },
    )?;
    let lines = |jobs: std::ops::Range<usize>, figure: usize| -> Vec<Series> {
        let of = |(at, approach): (usize, &Approach)| {
            Series::new(approach.name(), jobs.clone().map(|job| (all[job].0, found[job][at][figure])).collect())
        };
        APPROACHES.iter().enumerate().map(of).collect()
    };
    let (ks, es) = (0..scale.ks.len(), scale.ks.len()..all.len());
    Ok(TradeOff {
        with_k: lines(ks.clone(), 0),
        with_e: lines(es.clone(), 0),
        groups_with_k: lines(ks, 1),
        groups_with_e: lines(es, 1),
    })
}

/// What a line is at its end in terms of its beginning.
fn growth(line: &Series) -> f64 {
    Trend::new(line.values()).map_or(f64::NAN, |trend| trend.last / trend.first)
}

/// By how much it is more at its end than at its beginning.
fn rise(line: &Series) -> f64 {
    Trend::new(line.values()).map_or(f64::NAN, |trend| trend.last - trend.first)
}

/// Whether a line changes by no more than some points of the error, or by a tenth of itself.
fn stays(line: &Series, points: f64) -> Decision {
    passes(rise(line).abs(), |rise| rise <= points || (0.9..=1.1).contains(&growth(line)))
}

fn growths(lines: &[Series]) -> String {
    let one = |line: &Series| {
        let words = Trend::new(line.values()).map(|trend| {
            format!("{} to {}, {} times", percent(trend.first), percent(trend.last), short(trend.last / trend.first))
        });
        format!("{} {}", line.name, words.unwrap_or("unknown".into()))
    };
    optima(lines).map(one).collect::<Vec<_>>().join("; ")
}

/// The greatest and the least error of the optimization algorithms at each place.
fn ends(lines: &[Series]) -> Vec<(f64, f64)> {
    let n = optima(lines).map(|line| line.points.len()).min().unwrap_or(0);
    let at = |at: usize| {
        let values: Option<Vec<f64>> = optima(lines).map(|line| line.points[at].1).collect();
        values.map(extremes)
    };
    (0..n).filter_map(at).collect()
}

fn apart(lines: &[Series]) -> f64 {
    ends(lines).iter().map(|(low, high)| high - low).fold(0.0, f64::max)
}

/// Whether k has anything to do with the groups: not where e alone makes them, of many people.
fn k_binds(lines: &TradeOff) -> bool {
    optima(&lines.groups_with_k).any(|groups| !(0.95..=1.05).contains(&growth(groups)))
}

/// The claims, judged by as many people as the Adult table has; what more people say is told with them.
fn claims(few: &TradeOff, many: &TradeOff) -> Vec<Claim> {
    let [by_k, by_e] = [13, 14].map(|n| Passage::new(format!("section 7.1, figure {n}"), false));
    let both = |told: &dyn Fn(&TradeOff) -> String| {
        format!("{}; among {} people {}", told(few), grouped(MADE_UP as u64), told(many))
    };
    let binds = k_binds(few);
    let of_k = |answer: Decision| if binds { answer } else { Decision::Undecided(Reason::DidNotOccur) };
    let of_k_told = |told: &dyn Fn(&TradeOff) -> String| {
        let words = both(told);
        if k_binds(many) { words } else { format!("{words}, where k changes no groups") }
    };
    let mut claims =
        vec![
        by_k.any(
            "The optimization algorithms are essentially equally accurate for every k.",
            "at every k their errors lie within one percentage point, or a tenth",
            of_k_told(&|lines| format!("{} apart at most", percent(apart(&lines.with_k)))),
            of_k(all(ends(&few.with_k).iter().map(|(low, high)| high - low <= 0.01 || *high <= 1.1 * low)))),
        by_k.any(
            "Their accuracy does not deteriorate much as k rises.",
            "from the least k to the greatest the error of each rises by at most five percentage points, or a tenth",
            of_k_told(&|lines| growths(&lines.with_k)),
            of_k(all(optima(&few.with_k).map(|line| stays(line, 0.05))))),
    ];
    let swapped = line_of(&few.with_k, Approach::RankSwap);
    let of_optima = optima(&few.with_k).map(rise).fold(f64::NEG_INFINITY, f64::max);
    claims.push(by_k.any(
        "The accuracy of rank swapping deteriorates significantly as k rises.",
        "from the least k to the greatest its error rises by at least ten percentage points, to at least 1.5 times, and by \
         more than that of each optimization algorithm",
        of_k_told(&|lines| {
            let swapped = line_of(&lines.with_k, Approach::RankSwap);
            format!("by {}, {} times", percent(rise(swapped)), short(growth(swapped)))
        }),
        of_k(all([
            passes(rise(swapped), |rise| rise >= 0.1 && rise > of_optima),
            passes(growth(swapped), |times| times >= SIGNIFICANTLY),
        ])),
    ));
    claims.push(by_e.any(
        "A much larger e does not impact the accuracy of the optimization algorithms.",
        "from the least e to the greatest the error of each changes by at most one percentage point, or a tenth",
        both(&|lines| growths(&lines.with_e)),
        all(optima(&few.with_e).map(|line| stays(line, 0.01))),
    ));
    let more_groups = |lines: &TradeOff| growth(line_of(&lines.groups_with_e, Approach::Random));
    claims.push(by_e.any(
        "Random groups are hardly affected by e, for they span more in any case.",
        "at the greatest e there are as many groups as at the least, within a tenth",
        both(&|lines| format!("{} times as many groups", short(more_groups(lines)))),
        passes(more_groups(few), |times| (0.9..=1.1).contains(&times)),
    ));
    let least = |lines: &TradeOff| {
        let swapped = line_of(&lines.with_e, Approach::RankSwap);
        optima(&lines.with_e).map(|optimum| ratios(swapped, optimum).0).min_by(f64::total_cmp)
    };
    let swapped = line_of(&few.with_e, Approach::RankSwap);
    claims.push(by_e.any(
        "Rank swapping does not do well for any e.",
        "at every e its error is at least 1.5 times that of each optimization algorithm",
        both(&|lines| {
            least(lines).map_or("unknown".into(), |least| format!("at least {} times as much", short(least)))
        }),
        all(optima(&few.with_e).map(|optimum| times_below(optimum, swapped, SIGNIFICANTLY))),
    ));
    claims
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing::{self, Held, NotComparable, NotHeld};

    /// Figures at the least and at the greatest parameter.
    fn lines(optimum: (f64, f64), other: (f64, f64), random: (f64, f64), swapped: (f64, f64)) -> Vec<Series> {
        let line = |(approach, ends): (Approach, (f64, f64))| {
            Series::new(approach.name(), vec![(1.0, Some(ends.0)), (2.0, Some(ends.1))])
        };
        APPROACHES.into_iter().zip([optimum, other, optimum, random, swapped, optimum]).map(line).collect()
    }

    fn standings(errors: &[Series], groups: &[Series]) -> Vec<Standing> {
        let found = || TradeOff {
            with_k: errors.to_vec(),
            with_e: errors.to_vec(),
            groups_with_k: groups.to_vec(),
            groups_with_e: groups.to_vec(),
        };
        claims(&found(), &found()).iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn claims_follow_the_lines() {
        let groups = lines((100.0, 30.0), (100.0, 30.0), (50.0, 50.0), (0.0, 0.0));
        let good = lines((0.01, 0.015), (0.012, 0.02), (0.9, 0.9), (0.2, 0.5));
        assert_eq!(standings(&good, &groups), [Held; 6]);
        let other = lines((100.0, 30.0), (100.0, 30.0), (50.0, 20.0), (0.0, 0.0));
        let bad = lines((0.01, 0.015), (0.012, 0.08), (0.9, 1.2), (0.02, 0.02));
        assert_eq!(standings(&bad, &other), [NotHeld; 6]);
    }

    #[test]
    fn a_k_that_changes_no_groups_is_not_judged() {
        let groups = lines((100.0, 100.0), (100.0, 100.0), (50.0, 50.0), (0.0, 0.0));
        let good = lines((0.01, 0.015), (0.012, 0.02), (0.9, 0.9), (0.2, 0.5));
        let found = standings(&good, &groups);
        assert_eq!((&found[..3], &found[3..]), (&[NotComparable; 3][..], &[Held; 3][..]));
    }

    #[test]
    fn small_errors_may_grow_by_a_tenth_only_where_points_do_not_do() {
        let line = |first, last| Series::new("line", vec![(1.0, Some(first)), (2.0, Some(last))]);
        assert_eq!(
            (stays(&line(0.01, 0.02), 0.01), stays(&line(0.01, 0.021), 0.01)),
            (Decision::Holds, Decision::Fails)
        );
        assert_eq!((stays(&line(0.9, 0.98), 0.01), stays(&line(0.9, 1.1), 0.01)), (Decision::Holds, Decision::Fails));
    }
}
