//! Figure 5: errors over m.

use super::super::judge::{Trend, all, passes, rises};
use super::super::{Claim, Findings};
use super::lines::{Place, errors, largest, of_paper, told, worse};
use super::measured::{Form, Results};
use super::{DIMENSIONS, Grid, VOLUME};

pub(super) fn add(findings: &mut Findings, results: &Results, grid: &Grid, own: bool) {
    for form in Form::ALL {
        let settings = grid.over_m(form);
        let places: Vec<Place> =
            settings.iter().map(|&setting| Place { x: setting.m as f64, setting, s: VOLUME }).collect();
        let epsilon = form.usual().epsilon;
        for w in DIMENSIONS {
            let number = format!("Figure 5{}, w = {w}", form.letter());
            let title = format!("Error over m, {}", form.name());
            let made = format!(
                "Requirement: {} ({epsilon}, m)-anonymity; {} count queries about {w} columns, volume {VOLUME}.",
                form.name(),
                grid.queries
            );
            findings.exhibits.push(errors(number, &title, made, "m", results, &places, w));
        }
        claims(findings, results, form, &places, own);
    }
}

fn claims(findings: &mut Findings, results: &Results, form: Form, places: &[Place], own: bool) {
    let place = &format!("section 6, figure 5{}", form.letter());
    let trends = DIMENSIONS.map(|w| (w, Trend::of(of_paper(results, places, w))));
    findings.claims.push(Claim::of_any_data(
        place,
        "The error of a release grows with m.",
        "for every w it ends higher than it begins, and no step down is larger than a tenth",
        told(&trends, true),
        all(trends.iter().map(|(_, trend)| rises(*trend))),
    ));
    let bound = if form == Form::Absolute { 0.2 } else { 0.08 };
    let (most, words) = largest(DIMENSIONS.iter().flat_map(|&w| of_paper(results, places, w)));
    findings.claims.push(Claim::of_its_data(
        place,
        &format!("Even for the greatest m the error is no more than {}%.", 100.0 * bound),
        &format!("the largest error of the paper's algorithm is at most {}%", 100.0 * bound),
        words,
        passes(most, |most| most <= bound),
        own,
    ));
    findings.claims.push(worse(place, "m", results, places));
}
