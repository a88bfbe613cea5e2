//! Figure 5: how well counts are estimated.

use super::super::judge::{Trend, all, percent};
use super::super::lines::below;
use super::super::{Claim, Findings, Line};
use super::runs::{MIDDLE, Principle, Runs, VOLUME, Way};
use super::{Scale, errors, listed};
use scumble_report::grouped;

/// An error of angelization up to this is what the paper calls fairly high accuracy.
const ACCURATE: f64 = 0.1;

/// All four figures and what the paper says about them.
pub(super) fn figures(runs: &Runs, scale: &Scale, setting: &str, findings: &mut Findings) {
    let diversities: Vec<Principle> = scale.ls.iter().map(|&l| Principle::Diversity(l)).collect();
    let closenesses: Vec<Principle> = scale.ts.iter().map(|&t| Principle::Closeness(t)).collect();
    let setting = format!(
        "{setting} {} queries with a condition on every column; those that nobody meets have no relative error and are left \
         out. Conditions are intervals of every quasi-identifier, and sets of occupations.",
        grouped(scale.queries as u64)
    );
    for (number, x, principles) in [("Figure 5a", "l", &diversities), ("Figure 5b", "t", &closenesses)] {
        let lines: Vec<Line> = Way::ALL.iter().map(|&way| over_principles(runs, way, principles)).collect();
        let principle = if x == "l" { "l-diversity" } else { "t-closeness" };
        let title = format!("error of counts under {principle}, volume {}", percent(VOLUME));
        findings.exhibits.push(errors(number, &title, &setting, x, &lines));
        claims_of_parameters(number, &lines, findings);
    }
    for (number, principle) in [("Figure 5c", MIDDLE[0]), ("Figure 5d", MIDDLE[1])] {
        let lines: Vec<Line> = Way::ALL.iter().map(|&way| over_volumes(runs, way, principle)).collect();
        let title = format!("error of counts under {} over the volume", principle.requirement());
        findings.exhibits.push(errors(number, &title, &setting, "volume (%)", &lines));
        claims_of_volumes(number, &lines, findings);
    }
}

fn over_principles(runs: &Runs, way: Way, principles: &[Principle]) -> Line {
    let error = |principle: &Principle| {
        let errors = runs.of(*principle, way, false).map(|run| run.errors.as_slice()).unwrap_or_default();
        (principle.parameter(), errors.iter().find(|(volume, _)| *volume == VOLUME).and_then(|error| error.1))
    };
    Line { name: way.name().into(), points: principles.iter().map(error).collect(), steps: false }
}

fn over_volumes(runs: &Runs, way: Way, principle: Principle) -> Line {
    let errors = runs.of(principle, way, false).map(|run| run.errors.as_slice()).unwrap_or_default();
    let points = errors.iter().map(|(volume, error)| (100.0 * volume, *error)).collect();
    Line { name: way.name().into(), points, steps: false }
}

fn claims_of_parameters(number: &str, lines: &[Line], findings: &mut Findings) {
    let [general, paper, ..] = lines else { return };
    let place = format!("section 6, {}", number.to_lowercase());
    let errors: Vec<f64> = paper.values().collect();
    let worst = errors.iter().copied().fold(0.0, f64::max);
    findings.claims.push(Claim::of_any_data(
        &place,
        "Angelization counts fairly accurately in all cases.",
        "its mean relative error is at most 10 % at every parameter",
        format!("at most {}", percent(worst)),
        (errors.len() > 1).then_some(worst <= ACCURATE),
    ));
    let mut errors: Vec<f64> = general.values().collect();
    let diversity = number == "Figure 5a";
    if !diversity {
        errors.reverse();
    }
    let says = if diversity {
        "The error of generalization grows sharply with l."
    } else {
        "The error of generalization grows sharply as t gets more stringent. (The text says with t; it can only mean a smaller one.)"
    };
    let ends = errors.first().copied().zip(errors.last().copied()).unwrap_or((f64::NAN, f64::NAN));
    findings.claims.push(Claim::of_any_data(
        &place,
        says,
        "its error at the most stringent parameter is at least twice that at the loosest",
        format!("{} at the loosest, {} at the most stringent", percent(ends.0), percent(ends.1)),
        (errors.len() > 1).then_some(ends.1 >= 2.0 * ends.0),
    ));
    findings.claims.push(Claim::of_any_data(
        &place,
        "The errors of counts confirm figure 4: angelization is the more accurate.",
        "its error is the lower at every parameter",
        format!("{} against {}", listed(paper.values()), listed(general.values())),
        below(paper, general),
    ));
}

fn claims_of_volumes(number: &str, lines: &[Line], findings: &mut Findings) {
    let [general, paper, ..] = lines else { return };
    let place = format!("section 6, {}", number.to_lowercase());
    let ends = |line: &Line| {
        let values: Vec<f64> = line.values().collect();
        values.first().copied().zip(values.last().copied()).unwrap_or((f64::NAN, f64::NAN))
    };
    let (general_ends, paper_ends) = (ends(general), ends(paper));
    findings.claims.push(Claim::of_any_data(
        &place,
        "Both methods count better at a higher volume.",
        "the error of each at the largest volume is below that at the smallest",
        format!(
            "generalization from {} to {}, angelization from {} to {}",
            percent(general_ends.0),
            percent(general_ends.1),
            percent(paper_ends.0),
            percent(paper_ends.1)
        ),
        all([general, paper].map(|line| Trend::of(line.values()).map(|trend| trend.last < trend.first))),
    ));
    findings.claims.push(Claim::of_any_data(
        &place,
        "Angelization is consistently more accurate than generalization.",
        "its error is the lower at every volume",
        format!("{} against {}", listed(paper.values()), listed(general.values())),
        below(paper, general),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Standing::{self, Held, NotHeld};

    fn lines(general: [f64; 3], paper: [f64; 3]) -> Vec<Line> {
        let line = |name: &str, values: [f64; 3]| Line::through(name, [4.0, 6.0, 8.0].into_iter().zip(values));
        vec![line("g", general), line("a", paper)]
    }

    fn standings(judge: fn(&str, &[Line], &mut Findings), number: &str, lines: &[Line]) -> Vec<Standing> {
        let mut findings = Findings::default();
        judge(number, lines, &mut findings);
        findings.claims.iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn claims_follow_the_errors() {
        let good = lines([0.1, 0.3, 0.9], [0.02, 0.03, 0.04]);
        assert_eq!(standings(claims_of_parameters, "Figure 5a", &good), [Held, Held, Held]);
        assert_eq!(standings(claims_of_parameters, "Figure 5b", &good), [Held, NotHeld, Held]);
        let bad = lines([0.1, 0.1, 0.1], [0.02, 0.03, 0.14]);
        assert_eq!(standings(claims_of_parameters, "Figure 5a", &bad), [NotHeld, NotHeld, NotHeld]);
    }

    #[test]
    fn claims_follow_the_volumes() {
        let good = lines([0.9, 0.3, 0.2], [0.04, 0.05, 0.02]);
        assert_eq!(standings(claims_of_volumes, "Figure 5c", &good), [Held, Held]);
        let bad = lines([0.9, 0.01, 0.2], [0.04, 0.05, 0.06]);
        assert_eq!(standings(claims_of_volumes, "Figure 5c", &bad), [NotHeld, NotHeld]);
    }
}
