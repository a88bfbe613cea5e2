//! Figures 10 and 11: the bounds under different ways to form groups.

use super::approaches::{Approach, Generalized, Measured, line_of, measured, of_groups, optima};
use super::sources::Investors;
use super::{ERROR, MUCH, SIGNIFICANTLY, Scale};
use crate::claim::Passage;
use crate::decision::{Decision, all, joined, passes};
use crate::runner::Runner;
use crate::series::{below, mean, pairs, ratios, times_below};
use crate::{Figure, Findings, Series};
use scumble_report::grouped;
use scumble_table::Result;

/// Both figures and what the paper says about them; `four` are the groups of 4-diversity.
pub(super) fn figures(
    investors: &Investors,
    four: &Generalized,
    scale: &Scale,
    runner: &Runner,
    findings: &mut Findings,
) -> Result<()> {
    let people = &investors.younger;
    let demand = people.demand(4, 100);
    let questions = scale.questions(people.spans(&scale.spans));
    let found = runner.in_parallel(
        &Approach::all(),
        |approach| approach.name().into(),
        |approach| match approach {
            Approach::Generalization => of_groups(people, &four.partition, &questions).map(Some),
            _ => measured(people, *approach, demand, &questions, &scale.seeds),
        },
    )?;
    let n_sizes = questions.sizes.len();
    let x = |at: usize| match at {
        _ if at < n_sizes => 100.0 * questions.sizes[at],
        _ => questions.spans[at - n_sizes],
    };
    let lines = |from: usize, to: usize| -> Vec<Series> {
        let width = |found: &Option<Measured>, at: usize| found.as_ref().and_then(|found| found.widths[at]);
        let of = |(approach, found): (&Approach, &Option<Measured>)| {
            Series::new(approach.name(), (from..to).map(|at| (x(at), width(found, at))).collect())
        };
        Approach::all().iter().zip(&found).map(of).collect()
    };
    let groups = Approach::all().into_iter().zip(&found);
    let groups = joined(
        groups.filter_map(|(approach, found)| Some(format!("{} {:.0}", approach.name(), found.as_ref()?.groups?))),
    );
    let setting = format!(
        "{} people; k = 4 and e = {} for all but the groups of generalization, which have 4 different losses each and a range \
         that is as it comes. {} questions of each size or span, averages; means over {} draws of how equal losses are \
         divided. Groups: {groups}.",
        grouped(people.n() as u64),
        people.e_text(demand),
        grouped(questions.questions as u64),
        scale.seeds.len()
    );
    let arbitrary = lines(0, n_sizes);
    let ranges = lines(n_sizes, n_sizes + questions.spans.len());
    let span = format!("span of {}", people.range().name);
    for (number, kind, x, lines) in [
        ("Figure 10", "arbitrary", "part of the people selected (%)", &arbitrary),
        ("Figure 11", "range", &span, &ranges),
    ] {
        let title = format!("relative errors of {kind} queries, by the way groups are formed");
        let body = Figure::lines(x, ERROR, lines.iter().map(Series::in_percent).collect());
        findings.figures.push(Figure::new(number, title, &setting, body));
    }
    claims(&arbitrary, findings);
    Ok(())
}

fn claims(lines: &[Series], findings: &mut Findings) {
    let at = Passage::new("section 7.1, figure 10", false);
    let optima = || optima(lines);
    let [general, random, swapped] =
        [Approach::Generalization, Approach::Random, Approach::RankSwap].map(|approach| line_of(lines, approach));
    let least = |other: &Series| optima().map(|optimum| ratios(other, optimum).0).fold(f64::INFINITY, f64::min);
    let far = |other: &Series| all(optima().map(|optimum| times_below(optimum, other, SIGNIFICANTLY)));
    let means = |one: &Series, other: &Series| mean(one) / mean(other);
    let claims = &mut findings.claims;
    claims.push(at.any(
        "For arbitrary queries the three optimization algorithms err significantly less than random groups and the groups of generalization.",
        "at every size and for each of the three, both others err at least 1.5 times as much",
        format!("random at least {:.2} times as much, generalization {:.2} times", least(random), least(general)),
        all([far(random), far(general)])));
    let worse = pairs(random, general).iter().filter(|(random, general)| general > random).count();
    let n = pairs(random, general).len();
    claims.push(at.any(
        "For arbitrary queries the groups of generalization are worse even than random ones.",
        "their error is the higher on average over all sizes, and at three of four sizes",
        format!("{:.2} times on average, higher at {worse} of {n} sizes", means(general, random)),
        all([passes(means(general, random), |times| times > 1.0), Decision::from((n > 0).then(|| 4 * worse >= 3 * n))]),
    ));
    claims.push(at.any(
        "Rank swapping is more exact than the groups of generalization.",
        "its error is the lower on average over all sizes",
        format!("{:.2} times the error of the groups of generalization", means(swapped, general)),
        passes(means(swapped, general), |times| times < 1.0),
    ));
    let on_average = optima().map(|optimum| means(swapped, optimum)).fold(f64::INFINITY, f64::min);
    claims.push(at.any(
        "Rank swapping errs much more than the three optimization algorithms.",
        "for each of the three its error is at least twice as large on average over all sizes, and larger at every size",
        format!("at least {on_average:.2} times as much on average, and {:.2} times at any size", least(swapped)),
        all([
            all(optima().map(|optimum| passes(means(swapped, optimum), |times| times >= MUCH))),
            all(optima().map(|optimum| below(optimum, swapped))),
        ])));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing::{self, Held, NotHeld};

    fn standings(errors: [f64; 7]) -> Vec<Standing> {
        let lines: Vec<Series> = Approach::all()
            .into_iter()
            .zip(errors)
            .map(|(approach, error)| Series::new(approach.name(), vec![(1.0, Some(error)), (2.0, Some(error / 2.0))]))
            .collect();
        let mut findings = Findings::default();
        claims(&lines, &mut findings);
        findings.claims.iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn claims_follow_the_lines() {
        // Generalization, the three optima, random, swapped, ours.
        assert_eq!(standings([0.9, 0.1, 0.1, 0.1, 0.5, 0.2, 0.1]), [Held; 4]);
        assert_eq!(standings([0.9, 0.1, 0.4, 0.1, 0.5, 0.2, 0.1]), [NotHeld, Held, Held, NotHeld]);
        assert_eq!(standings([0.14, 0.1, 0.1, 0.1, 0.5, 0.25, 0.1]), [NotHeld, NotHeld, NotHeld, Held]);
    }
}
