//! Figure 6: errors over the volume of queries.

use super::measured::{Form, Results};
use super::panel::{Panel, PanelPoint, RELEASE};
use super::{Grid, M};
use crate::Findings;
use crate::decision::{all, falls, joined, percent};

pub(super) fn add(findings: &mut Findings, results: &Results, grid: &Grid, own: bool) {
    for form in Form::ALL {
        let parameters = form.usual();
        let places = grid.volumes.iter().map(|&s| PanelPoint { x: 100.0 * s, parameters, s }).collect();
        let panel = Panel { results, form, number: 6, places, own };
        let requirement = format!("({}, {M})", parameters.epsilon);
        panel.add_figures(findings, "volume in percent", &requirement, grid.queries, "");
        let (trends, lowest) = (panel.trends(RELEASE), panel.first_errors());
        let words = joined(lowest.iter().map(|(w, error)| format!("w = {w}: {}", percent(*error))));
        findings.claims.extend([
            panel.at().any(
                "The error of a release falls as queries cover more.",
                "for every w it ends lower than it begins, and no step up is larger than a tenth",
                trends.told(false),
                trends.all(falls),
            ),
            panel.at().its(
                "The error stays small even for the queries that cover least.",
                "at the least volume it is below 15% for every w, which is the bound of figure 4",
                words,
                all(lowest.iter().map(|(_, error)| *error < 0.15)),
            ),
            panel.perturbation_is_worse("volume"),
        ]);
    }
}
