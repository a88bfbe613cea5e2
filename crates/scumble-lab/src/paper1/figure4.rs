//! Figure 4: errors over epsilon, next to those of perturbation.

use super::measured::{Form, Results};
use super::panel::{PERTURBATION, Panel, PanelPoint, RELEASE, times};
use super::{Grid, M, MUCH, VOLUME};
use crate::decision::{Decision, all, passes, percent};
use crate::{Claim, Findings};

pub(super) fn add(findings: &mut Findings, results: &Results, grid: &Grid, own: bool) {
    for form in Form::ALL {
        let place =
            |parameters: super::Parameters| PanelPoint { x: parameters.epsilon.to_f64(), parameters, s: VOLUME };
        let places = grid.over_epsilon(form).into_iter().map(place).collect();
        let panel = Panel { results, form, number: 4, places, own };
        let rest = format!(", volume {VOLUME}");
        panel.add_figures(findings, "epsilon", &format!("(epsilon, {M})"), grid.queries, &rest);
        findings.claims.extend(claims(&panel));
    }
}

fn claims(panel: &Panel<'_>) -> Vec<Claim> {
    let at = panel.at();
    let better = panel.ratios();
    let (most, largest) = panel.largest();
    let reach = EpsilonReach::new(panel);
    let limit = if panel.form == Form::Absolute { 4_000.0 } else { 0.15 };
    let falls = reach.first_retention.zip(reach.last_retention);
    let trends = panel.trends(PERTURBATION);
    vec![
        at.any(
            "A release answers count queries much better than a table perturbed under the same requirement.",
            "at every epsilon and w where both have one, the error of perturbation is at least twice that of the paper's algorithm",
            times(&better),
            all(better.iter().map(|&ratio| ratio >= MUCH))),
        panel.grow("The error of a release grows with epsilon.", RELEASE),
        panel.grow("The error of perturbation grows with epsilon.", PERTURBATION),
        at.its(
            "The error of a release is always below 15%.",
            "the largest error of the paper's algorithm is below 15%",
            largest,
            passes(most, |most| most < 0.15)),
        at.any(
            "Releases exist for requirements that perturbation cannot meet however little it keeps.",
            "at some epsilon there is a release and perturbation may keep nothing",
            reach.describe(),
            reach.releases.map(|releases| reach.perturbation.is_none_or(|epsilon| releases > epsilon))),
        at.its(
            &format!("Perturbation meets the requirement up to an epsilon of {limit} and no further."),
            &format!("the largest epsilon at which perturbation may keep anything is {limit}"),
            reach.describe(),
            reach.releases.map(|_| reach.perturbation == Some(limit))),
        at.any(
            "Near its limit perturbation must keep exceedingly little, and its answers become useless.",
            "at the largest epsilon that it can serve, perturbation keeps at most a tenth of what it keeps at the least, and \
             its error is at least twice as large, for every w",
            match falls {
                Some((first, last)) => format!(
                    "keeps {} of incomes at first and {} at last; error {}",
                    percent(first),
                    percent(last),
                    trends.told(true)
                ),
                None => "perturbation has too few figures".into(),
            },
            all([
                Decision::from(falls.map(|(first, last)| last <= 0.1 * first)),
                trends.all(|trend| trend.map(|trend| trend.last >= MUCH * trend.first)),
            ])),
    ]
}

/// How far epsilon can be raised.
struct EpsilonReach {
    /// The largest epsilon with a release.
    releases: Option<f64>,
    /// The largest that perturbation can serve.
    perturbation: Option<f64>,
    first_retention: Option<f64>,
    last_retention: Option<f64>,
}

impl EpsilonReach {
    fn new(panel: &Panel<'_>) -> Self {
        let made = |place: &PanelPoint| Some((place.x, panel.measured(place)?.retention));
        let made: Vec<(f64, f64)> = panel.places.iter().filter_map(made).collect();
        let served = || made.iter().filter(|(_, retention)| *retention > 0.0);
        EpsilonReach {
            releases: made.last().map(|one| one.0),
            perturbation: served().next_back().map(|one| one.0),
            first_retention: served().next().map(|one| one.1),
            last_retention: served().next_back().map(|one| one.1),
        }
    }

    fn describe(&self) -> String {
        let up_to = |epsilon: Option<f64>| epsilon.map_or("nowhere".into(), |epsilon| format!("up to {epsilon}"));
        format!("releases {}, perturbation {}", up_to(self.releases), up_to(self.perturbation))
    }
}
