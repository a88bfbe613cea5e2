//! Figure 4: errors over epsilon, beside perturbation.

use super::super::judge::{Answer, Trend, all, passes, percent, rises};
use super::super::{Claim, Findings};
use super::lines::{Place, errors, largest, of_paper, of_perturbation, ratios, times, told};
use super::measured::{Form, Results, Way};
use super::{DIMENSIONS, Grid, M, MUCH, VOLUME};

pub(super) fn add(findings: &mut Findings, results: &Results, grid: &Grid, own: bool) {
    for form in Form::ALL {
        let settings = grid.over_epsilon(form);
        let places: Vec<Place> =
            settings.iter().map(|&setting| Place { x: setting.epsilon.to_f64(), setting, s: VOLUME }).collect();
        for w in DIMENSIONS {
            let number = format!("Figure 4{}, w = {w}", form.letter());
            let title = format!("Error over epsilon, {}", form.name());
            let made = format!(
                "Requirement: {} (epsilon, {M})-anonymity; {} count queries about {w} columns, volume {VOLUME}.",
                form.name(),
                grid.queries
            );
            findings.exhibits.push(errors(number, &title, made, "epsilon", results, &places, w));
        }
        claims(findings, results, form, &places, own);
    }
}

fn claims(findings: &mut Findings, results: &Results, form: Form, places: &[Place], own: bool) {
    let place = &format!("section 6, figure 4{}", form.letter());
    let claims = &mut findings.claims;

    let better = ratios(results, places, &DIMENSIONS);
    claims.push(Claim::of_any_data(
        place,
        "A release answers count queries much better than a table perturbed under the same requirement.",
        "at every epsilon and w where both have one, the error of perturbation is at least twice that of the paper's algorithm",
        times(&better),
        all(better.iter().map(|&ratio| ratio >= MUCH)),
    ));

    let trends = DIMENSIONS.map(|w| (w, Trend::of(of_paper(results, places, w))));
    claims.push(Claim::of_any_data(
        place,
        "The error of a release grows with epsilon.",
        "for every w it ends higher than it begins, and no step down is larger than a tenth",
        told(&trends, true),
        all(trends.iter().map(|(_, trend)| rises(*trend))),
    ));
    let trends = DIMENSIONS.map(|w| (w, Trend::of(of_perturbation(results, places, w))));
    claims.push(Claim::of_any_data(
        place,
        "The error of perturbation grows with epsilon.",
        "for every w it ends higher than it begins, and no step down is larger than a tenth",
        told(&trends, true),
        all(trends.iter().map(|(_, trend)| rises(*trend))),
    ));

    let (most, words) = largest(DIMENSIONS.iter().flat_map(|&w| of_paper(results, places, w)));
    claims.push(Claim::of_its_data(
        place,
        "The error of a release is always below 15%.",
        "the largest error of the paper's algorithm is below 15%",
        words,
        passes(most, |most| most < 0.15),
        own,
    ));

    let reach = Reach::of(results, places);
    claims.push(Claim::of_any_data(
        place,
        "Releases exist for requirements that perturbation cannot meet however little it keeps.",
        "at some epsilon there is a release and perturbation may keep nothing",
        reach.words(),
        reach.releases.map(|releases| reach.perturbation.is_none_or(|epsilon| releases > epsilon)),
    ));
    let limit = if form == Form::Absolute { 4_000.0 } else { 0.15 };
    claims.push(Claim::of_its_data(
        place,
        &format!("Perturbation meets the requirement up to an epsilon of {limit} and no further."),
        &format!("the largest epsilon at which perturbation may keep anything is {limit}"),
        reach.words(),
        reach.releases.map(|_| reach.perturbation == Some(limit)),
        own,
    ));

    let falls = reach.first_retention.zip(reach.last_retention);
    claims.push(Claim::of_any_data(
        place,
        "Near its limit perturbation must keep exceedingly little, and its answers become useless.",
        "at the largest epsilon that it can serve, perturbation keeps at most a tenth of what it keeps at the least, and \
         its error is at least twice as large, for every w",
        match falls {
            Some((first, last)) => format!("keeps {} of incomes at first and {} at last; error {}", percent(first), percent(last), told(&trends, true)),
            None => "perturbation has too few figures".into(),
        },
        all([
            Answer::from(falls.map(|(first, last)| last <= 0.1 * first)),
            all(trends.iter().map(|(_, trend)| trend.map(|trend| trend.last >= MUCH * trend.first))),
        ]),
    ));
}

/// How far epsilon can be raised.
struct Reach {
    /// The largest epsilon with a release.
    releases: Option<f64>,
    /// The largest that perturbation can serve.
    perturbation: Option<f64>,
    first_retention: Option<f64>,
    last_retention: Option<f64>,
}

impl Reach {
    fn of(results: &Results, places: &[Place]) -> Self {
        let made = |place: &Place| Some((place.x, results.of(place.setting, Way::Paper)?.retention));
        let made: Vec<(f64, f64)> = places.iter().filter_map(made).collect();
        let served = || made.iter().filter(|(_, retention)| *retention > 0.0);
        Reach {
            releases: made.last().map(|one| one.0),
            perturbation: served().next_back().map(|one| one.0),
            first_retention: served().next().map(|one| one.1),
            last_retention: served().next_back().map(|one| one.1),
        }
    }

    fn words(&self) -> String {
        let up_to = |epsilon: Option<f64>| epsilon.map_or("nowhere".into(), |epsilon| format!("up to {epsilon}"));
        format!("releases {}, perturbation {}", up_to(self.releases), up_to(self.perturbation))
    }
}
