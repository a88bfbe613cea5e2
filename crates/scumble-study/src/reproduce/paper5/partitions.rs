//! Figures 10 and 11: the bounds under different ways to form groups.

use super::super::judge::all;
use super::super::lines::{below, ratios, times_below};
use super::super::workshop::Workshop;
use super::super::{Claim, Findings, Line};
use super::sources::Investors;
use super::ways::{Generalized, Measured, Way, measured, of_groups};
use super::{Scale, figure, line_of};
use scumble_report::grouped;
use scumble_table::Result;

/// Both figures and what the paper says about them; `four` are the groups of 4-diversity.
pub(super) fn figures(
    investors: &Investors,
    four: &Generalized,
    scale: &Scale,
    workshop: &Workshop<'_>,
    findings: &mut Findings,
) -> Result<()> {
    let people = &investors.younger;
    let demand = people.demand(4, 100);
    let questions = scale.questions(people.spans(&scale.spans));
    let found = workshop.side_by_side(
        &Way::ALL,
        |way| way.name().into(),
        |way| match way {
            Way::Generalization => of_groups(people, &four.partition, &questions).map(Some),
            _ => measured(people, *way, demand, &questions, &scale.seeds),
        },
    )?;
    let n_sizes = questions.sizes.len();
    let x = |at: usize| match at {
        _ if at < n_sizes => 100.0 * questions.sizes[at],
        _ => questions.spans[at - n_sizes],
    };
    let lines = |from: usize, to: usize| -> Vec<Line> {
        let width = |found: &Option<Measured>, at: usize| found.as_ref().and_then(|found| found.widths[at]);
        let of = |(way, found): (&Way, &Option<Measured>)| {
            line_of(*way, (from..to).map(|at| (x(at), width(found, at))).collect())
        };
        Way::ALL.iter().zip(&found).map(of).collect()
    };
    let groups: Vec<String> = Way::ALL
        .iter()
        .zip(&found)
        .filter_map(|(way, found)| Some(format!("{} {:.0}", way.name(), found.as_ref()?.groups?)))
        .collect();
    let setting = format!(
        "{} people; k = 4 and e = {} for all but the groups of generalization, which have 4 different losses each and a range \
         that is as it comes. {} questions of each size or span, averages; means over {} draws of how equal losses are \
         divided. Groups: {}.",
        grouped(people.n() as u64),
        people.e_text(demand),
        grouped(questions.questions as u64),
        scale.seeds.len(),
        groups.join(", ")
    );
    let arbitrary = lines(0, n_sizes);
    let ranges = lines(n_sizes, n_sizes + questions.spans.len());
    findings.exhibits.push(figure(
        "Figure 10",
        "relative errors of arbitrary queries, by the way groups are formed",
        &setting,
        "part of the people selected (%)".into(),
        arbitrary.clone(),
    ));
    findings.exhibits.push(figure(
        "Figure 11",
        "relative errors of range queries, by the way groups are formed",
        &setting,
        format!("span of {}", people.range().name),
        ranges,
    ));
    claims(&arbitrary, findings);
    Ok(())
}

fn claims(lines: &[Line], findings: &mut Findings) {
    let place = "section 7.1, figure 10";
    let of = |way: Way| Way::ALL.iter().position(|one| *one == way).and_then(|at| lines.get(at));
    let optima = || Way::OPTIMA.into_iter().filter_map(of);
    let (Some(general), Some(random), Some(swapped)) = (of(Way::Generalization), of(Way::Random), of(Way::RankSwap))
    else {
        return;
    };
    let times = |other: &Line| optima().map(|optimum| ratios(other, optimum).0).fold(f64::INFINITY, f64::min);
    let far = |other: &Line, times: f64| all(optima().map(|optimum| times_below(optimum, other, times)));
    let claims = &mut findings.claims;
    claims.push(Claim::of_any_data(
        place,
        "For arbitrary queries the three optimization algorithms err far less than random groups and the groups of generalization.",
        "at every size and for each of the three, both others err more than twice as much",
        format!("random at least {:.1} times as much, generalization {:.1} times", times(random), times(general)),
        all([far(random, 2.0), far(general, 2.0)]),
    ));
    let (least, most) = ratios(general, random);
    claims.push(Claim::of_any_data(
        place,
        "For arbitrary queries the groups of generalization are worse even than random ones.",
        "their error is the higher at every size",
        format!("{least:.2} to {most:.2} times the error of random groups"),
        below(random, general),
    ));
    let (least, most) = ratios(swapped, general);
    claims.push(Claim::of_any_data(
        place,
        "Rank swapping is more exact than the groups of generalization.",
        "its error is the lower at every size",
        format!("{least:.2} to {most:.2} times the error of the groups of generalization"),
        below(swapped, general),
    ));
    claims.push(Claim::of_any_data(
        place,
        "Rank swapping errs much more than the three optimization algorithms.",
        "at every size its error is more than 1.5 times that of each of the three",
        format!("at least {:.2} times as much", times(swapped)),
        far(swapped, 1.5),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Standing::{self, Held, NotHeld};

    fn standings(errors: [f64; 7]) -> Vec<Standing> {
        let lines: Vec<Line> = Way::ALL
            .into_iter()
            .zip(errors)
            .map(|(way, error)| line_of(way, vec![(1.0, Some(error)), (2.0, Some(error / 2.0))]))
            .collect();
        let mut findings = Findings::default();
        claims(&lines, &mut findings);
        findings.claims.iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn claims_follow_the_lines() {
        // Generalization, the three optima, random, swapped, ours.
        assert_eq!(standings([0.9, 0.1, 0.1, 0.1, 0.5, 0.2, 0.1]), [Held; 4]);
        assert_eq!(standings([0.9, 0.1, 0.3, 0.1, 0.5, 0.2, 0.1]), [NotHeld, Held, Held, NotHeld]);
        assert_eq!(standings([0.15, 0.1, 0.1, 0.1, 0.5, 0.2, 0.1]), [NotHeld, NotHeld, NotHeld, Held]);
    }
}
