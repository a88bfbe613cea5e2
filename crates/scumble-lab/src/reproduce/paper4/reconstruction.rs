//! Figure 4: how far the distribution that a release tells lies from that of the microdata.

use super::super::judge::{Trend, rises};
use super::super::lines::{below, pairs};
use super::super::{Claim, Findings, Line};
use super::runs::{Principle, Runs, Way};
use super::{Scale, figure, listed};

/// Both figures and what the paper says about them.
pub(super) fn figures(runs: &Runs, scale: &Scale, setting: &str, findings: &mut Findings) {
    let diversities: Vec<Principle> = scale.ls.iter().map(|&l| Principle::Diversity(l)).collect();
    let closenesses: Vec<Principle> = scale.ts.iter().map(|&t| Principle::Closeness(t)).collect();
    for (number, x, principles) in [("Figure 4a", "l", &diversities), ("Figure 4b", "t", &closenesses)] {
        let lines: Vec<Line> = Way::ALL.iter().map(|&way| line(runs, way, principles)).collect();
        let principle = if x == "l" { "l-diversity" } else { "t-closeness" };
        let title = format!("error of the reconstructed distribution under {principle}");
        findings.exhibits.push(figure(number, &title, setting, x, "KL-divergence (nats)", lines.clone()));
        claims(number, &lines, findings);
    }
}

fn line(runs: &Runs, way: Way, principles: &[Principle]) -> Line {
    let error = |principle: &Principle| {
        let run = runs.of(*principle, way, false);
        (principle.parameter(), run.and_then(|run| run.divergences.first().copied().flatten()))
    };
    Line { name: way.name().into(), points: principles.iter().map(error).collect(), steps: false }
}

fn claims(number: &str, lines: &[Line], findings: &mut Findings) {
    let [general, paper, ..] = lines else { return };
    let place = format!("section 6, {}", number.to_lowercase());
    let both = pairs(general, paper);
    findings.claims.push(Claim::of_any_data(
        &place,
        "Angelization reconstructs the distribution with significantly less error than generalization.",
        "its divergence is the lower at every parameter",
        format!("{} against {}", listed(both.iter().map(|pair| pair.1)), listed(both.iter().map(|pair| pair.0))),
        below(paper, general),
    ));
    let gaps: Vec<f64> = both.iter().map(|(general, paper)| general - paper).collect();
    let strictness = if number == "Figure 4a" { "a larger l" } else { "a smaller t" };
    let mut stricter = gaps.clone();
    if number != "Figure 4a" {
        stricter.reverse();
    }
    findings.claims.push(Claim::of_any_data(
        &place,
        &format!("The gap between the two widens as privacy gets more stringent, with {strictness}."),
        "the difference of the divergences rises from the loosest to the most stringent parameter",
        format!("gaps of {}", listed(gaps.iter().copied())),
        rises(Trend::of(stricter)),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Standing;

    #[test]
    fn claims_follow_the_lines() {
        let standings = |general: [f64; 3], paper: [f64; 3]| {
            let line = |name: &str, values: [f64; 3]| Line::through(name, [0.1, 0.2, 0.3].into_iter().zip(values));
            let mut findings = Findings::default();
            claims("Figure 4b", &[line("g", general), line("a", paper)], &mut findings);
            findings.claims.iter().map(|claim| claim.standing).collect::<Vec<_>>()
        };
        use Standing::{Held, NotHeld};
        assert_eq!(standings([3.0, 2.0, 1.0], [1.0, 0.9, 0.8]), [Held, Held]);
        assert_eq!(standings([1.0, 2.0, 3.0], [0.9, 0.9, 0.8]), [Held, NotHeld]);
        assert_eq!(standings([3.0, 2.0, 0.5], [1.0, 0.9, 0.8]), [NotHeld, Held]);
    }
}
