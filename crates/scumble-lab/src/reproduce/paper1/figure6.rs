//! Figure 6: errors over the volume of queries.

use super::super::judge::{Trend, all, falls, percent};
use super::super::{Claim, Findings};
use super::lines::{Place, errors, of_paper, told, worse};
use super::measured::{Form, Results, Way};
use super::{DIMENSIONS, Grid, M};

pub(super) fn add(findings: &mut Findings, results: &Results, grid: &Grid, own: bool) {
    for form in Form::ALL {
        let setting = form.usual();
        let places: Vec<Place> = grid.volumes.iter().map(|&s| Place { x: 100.0 * s, setting, s }).collect();
        for w in DIMENSIONS {
            let number = format!("Figure 6{}, w = {w}", form.letter());
            let title = format!("Error over volume, {}", form.name());
            let made = format!(
                "Requirement: {} ({}, {M})-anonymity; {} count queries about {w} columns.",
                form.name(),
                setting.epsilon,
                grid.queries
            );
            findings.exhibits.push(errors(number, &title, made, "volume in percent", results, &places, w));
        }
        claims(findings, results, form, &places, own);
    }
}

fn claims(findings: &mut Findings, results: &Results, form: Form, places: &[Place], own: bool) {
    let place = &format!("section 6, figure 6{}", form.letter());
    let trends = DIMENSIONS.map(|w| (w, Trend::of(of_paper(results, places, w))));
    findings.claims.push(Claim::of_any_data(
        place,
        "The error of a release falls as queries cover more.",
        "for every w it ends lower than it begins, and no step up is larger than a tenth",
        told(&trends, false),
        all(trends.iter().map(|(_, trend)| falls(*trend))),
    ));
    let lowest = places.first().map_or(Vec::new(), |first| {
        let error = |w| Some((w, results.answered(first.setting, Way::Paper, w, first.s)?.uniform?));
        DIMENSIONS.iter().filter_map(|&w| error(w)).collect()
    });
    let words: Vec<String> = lowest.iter().map(|(w, error)| format!("w = {w}: {}", percent(*error))).collect();
    findings.claims.push(Claim::of_its_data(
        place,
        "The error stays small even for the queries that cover least.",
        "at the least volume it is below 15% for every w, which is the bound of figure 4",
        words.join(", "),
        all(lowest.iter().map(|(_, error)| *error < 0.15)),
        own,
    ));
    findings.claims.push(worse(place, "volume", results, places));
}
