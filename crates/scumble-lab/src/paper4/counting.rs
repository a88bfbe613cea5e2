//! Figure 5: how well counts are estimated.

use super::releases::{Approach, MIDDLE, Principle, Run, Runs, VOLUME};
use super::{Scale, thousandths};
use crate::claim::Passage;
use crate::decision::{Trend, all, percent};
use crate::figure::YAxis;
use crate::series::below;
use crate::{Claim, Figure, Findings, Series};
use scumble_report::grouped;

/// An error of angelization up to this is what the paper calls fairly high accuracy.
const ACCURATE: f64 = 0.1;

/// All four figures and what the paper says about them.
pub(super) fn figures(runs: &Runs, scale: &Scale, setting: &str, findings: &mut Findings) {
    let setting = format!(
        "{setting} {} queries with a condition on every column; those that nobody meets have no relative error and are left \
         out. Conditions are intervals of every quasi-identifier, and sets of occupations.",
        grouped(scale.queries as u64)
    );
    let mut add = |number: &str, title: String, x: &str, lines: &[Series]| {
        let series = lines.iter().map(Series::in_percent).collect();
        findings.figures.push(Figure::new(number, title, &setting, Figure::lines(x, YAxis::ERROR, series)));
    };
    let mut claims = Vec::new();
    for (letter, x, principle, principles) in scale.panels() {
        let number = &format!("Figure 5{letter}");
        let lines = Approach::ALL.map(|approach| over_principles(runs, approach, &principles));
        add(number, format!("error of counts under {principle}, volume {}", percent(VOLUME)), x, &lines);
        claims.extend(claims_of_parameters(number, &lines));
    }
    for (number, principle) in ["Figure 5c", "Figure 5d"].into_iter().zip(MIDDLE) {
        let lines = Approach::ALL.map(|approach| over_volumes(runs, approach, principle));
        let title = format!("error of counts under {} over the volume", principle.requirement());
        add(number, title, "volume (%)", &lines);
        claims.extend(claims_of_volumes(number, &lines));
    }
    findings.claims.extend(claims);
}

fn errors(run: Option<&Run>) -> &[(f64, Option<f64>)] {
    run.map_or(&[], |run| &run.errors)
}

fn over_principles(runs: &Runs, approach: Approach, principles: &[Principle]) -> Series {
    let error = |principle: &Principle| {
        let found = errors(runs.find(*principle, approach, false)).iter().find(|(volume, _)| *volume == VOLUME);
        (principle.parameter(), found.and_then(|error| error.1))
    };
    Series::new(approach.name(), principles.iter().map(error).collect())
}

fn over_volumes(runs: &Runs, approach: Approach, principle: Principle) -> Series {
    let points = errors(runs.find(principle, approach, false)).iter().map(|(volume, error)| (100.0 * volume, *error));
    Series::new(approach.name(), points.collect())
}

fn claims_of_parameters(number: &str, lines: &[Series]) -> Vec<Claim> {
    let [general, paper, ..] = lines else { return Vec::new() };
    let at = Passage::new(format!("section 6, {}", number.to_lowercase()), false);
    let worst = paper.values().fold(0.0, f64::max);
    let diversity = number == "Figure 5a";
    let says = if diversity {
        "The error of generalization grows sharply with l."
    } else {
        "The error of generalization grows sharply as t gets more stringent. (The text says with t; it can only mean a smaller one.)"
    };
    let (first, last) = general.ends();
    let (loose, strict) = if diversity { (first, last) } else { (last, first) };
    vec![
        at.any(
            "Angelization counts fairly accurately in all cases.",
            "its mean relative error is at most 10 % at every parameter",
            format!("at most {}", percent(worst)),
            (paper.values().count() > 1).then_some(worst <= ACCURATE),
        ),
        at.any(
            says,
            "its error at the most stringent parameter is at least twice that at the loosest",
            format!("{} at the loosest, {} at the most stringent", percent(loose), percent(strict)),
            (general.values().count() > 1).then_some(strict >= 2.0 * loose),
        ),
        at.any(
            "The errors of counts confirm figure 4: angelization is the more accurate.",
            "its error is the lower at every parameter",
            format!("{} against {}", thousandths(paper.values()), thousandths(general.values())),
            below(paper, general),
        ),
    ]
}

fn claims_of_volumes(number: &str, lines: &[Series]) -> Vec<Claim> {
    let [general, paper, ..] = lines else { return Vec::new() };
    let at = Passage::new(format!("section 6, {}", number.to_lowercase()), false);
    let ends = |line: &Series| format!("from {} to {}", percent(line.ends().0), percent(line.ends().1));
    vec![
        at.any(
            "Both methods count better at a higher volume.",
            "the error of each at the largest volume is below that at the smallest",
            format!("generalization {}, angelization {}", ends(general), ends(paper)),
            all([general, paper].map(|line| Trend::new(line.values()).map(|trend| trend.last < trend.first))),
        ),
        at.any(
            "Angelization is consistently more accurate than generalization.",
            "its error is the lower at every volume",
            format!("{} against {}", thousandths(paper.values()), thousandths(general.values())),
            below(paper, general),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing::{self, Held, NotHeld};

    fn lines(general: [f64; 3], paper: [f64; 3]) -> Vec<Series> {
        let line = |name: &str, values: [f64; 3]| Series::through(name, [4.0, 6.0, 8.0].into_iter().zip(values));
        vec![line("g", general), line("a", paper)]
    }

    fn standings(judge: fn(&str, &[Series]) -> Vec<Claim>, number: &str, lines: &[Series]) -> Vec<Standing> {
        judge(number, lines).iter().map(|claim| claim.standing).collect()
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
