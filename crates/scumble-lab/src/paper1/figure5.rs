//! Figure 5: errors over m.

use super::measured::{Form, Results};
use super::panel::{Panel, PanelPoint, RELEASE};
use super::{Grid, VOLUME};
use crate::Findings;
use crate::decision::passes;

pub(super) fn add(findings: &mut Findings, results: &Results, grid: &Grid, own: bool) {
    for form in Form::ALL {
        let place = |parameters: super::Parameters| PanelPoint { x: parameters.m as f64, parameters, s: VOLUME };
        let places = grid.over_m(form).into_iter().map(place).collect();
        let panel = Panel { results, form, number: 5, places, own };
        let requirement = format!("({}, m)", form.usual().epsilon);
        panel.add_figures(findings, "m", &requirement, grid.queries, &format!(", volume {VOLUME}"));
        let bound = if form == Form::Absolute { 0.2 } else { 0.08 };
        let (most, words) = panel.largest();
        findings.claims.extend([
            panel.grow("The error of a release grows with m.", RELEASE),
            panel.at().its(
                &format!("Even for the greatest m the error is no more than {}%.", 100.0 * bound),
                &format!("the largest error of the paper's algorithm is at most {}%", 100.0 * bound),
                words,
                passes(most, |most| most <= bound),
            ),
            panel.perturbation_is_worse("m"),
        ]);
    }
}
