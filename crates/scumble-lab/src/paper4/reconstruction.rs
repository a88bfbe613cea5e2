//! Figure 4: how far the distribution that a release tells lies from that of the microdata.

use super::releases::{Approach, Principle, Runs};
use super::{Scale, thousandths};
use crate::claim::Passage;
use crate::decision::{Trend, rises};
use crate::figure::YAxis;
use crate::series::{below, pairs};
use crate::{Claim, Figure, Findings, Series};

/// Both figures and what the paper says about them.
pub(super) fn figures(runs: &Runs, scale: &Scale, setting: &str, findings: &mut Findings) {
    for (letter, x, principle, principles) in scale.panels() {
        let number = &format!("Figure 4{letter}");
        let lines = Approach::ALL.map(|approach| line(runs, approach, &principles));
        findings.claims.extend(claims(number, &lines));
        let title = format!("error of the reconstructed distribution under {principle}");
        let body = Figure::lines(x, YAxis::plain("KL-divergence (nats)"), lines.to_vec());
        findings.figures.push(Figure::new(number, title, setting, body));
    }
}

fn line(runs: &Runs, approach: Approach, principles: &[Principle]) -> Series {
    let error = |principle: &Principle| {
        let run = runs.find(*principle, approach, false);
        (principle.parameter(), run.and_then(|run| run.divergences.first().copied().flatten()))
    };
    Series::new(approach.name(), principles.iter().map(error).collect())
}

fn claims(number: &str, lines: &[Series]) -> Vec<Claim> {
    let [general, paper, ..] = lines else { return Vec::new() };
    let at = Passage::new(format!("section 6, {}", number.to_lowercase()), false);
    let both = pairs(general, paper);
    let gaps: Vec<f64> = both.iter().map(|(general, paper)| general - paper).collect();
    let mut stricter = gaps.clone();
    let mut strictness = "a larger l";
    if number != "Figure 4a" {
        stricter.reverse();
        strictness = "a smaller t";
    }
    vec![
        at.any(
            "Angelization reconstructs the distribution with significantly less error than generalization.",
            "its divergence is the lower at every parameter",
            format!(
                "{} against {}",
                thousandths(both.iter().map(|pair| pair.1)),
                thousandths(both.iter().map(|pair| pair.0))
            ),
            below(paper, general),
        ),
        at.any(
            &format!("The gap between the two widens as privacy gets more stringent, with {strictness}."),
            "the difference of the divergences rises from the loosest to the most stringent parameter",
            format!("gaps of {}", thousandths(gaps.iter().copied())),
            rises(Trend::new(stricter)),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing;

    #[test]
    fn claims_follow_the_lines() {
        let standings = |general: [f64; 3], paper: [f64; 3]| {
            let line = |name: &str, values: [f64; 3]| Series::through(name, [0.1, 0.2, 0.3].into_iter().zip(values));
            let claims = claims("Figure 4b", &[line("g", general), line("a", paper)]);
            claims.iter().map(|claim| claim.standing).collect::<Vec<_>>()
        };
        use Standing::{Held, NotHeld};
        assert_eq!(standings([3.0, 2.0, 1.0], [1.0, 0.9, 0.8]), [Held, Held]);
        assert_eq!(standings([1.0, 2.0, 3.0], [0.9, 0.9, 0.8]), [Held, NotHeld]);
        assert_eq!(standings([3.0, 2.0, 0.5], [1.0, 0.9, 0.8]), [NotHeld, Held]);
    }
}
