//! Figure 5: errors of count queries over epsilon, delta, k and volume.

use super::Grid;
use super::people::People;
use super::releases::{Panel, Parameters, attempt_within, judged_by};
use crate::claim::Passage;
use crate::decision::{Trend, Trends, all, falls, joined, passes, percent, rises};
use crate::figure::YAxis;
use crate::runner::Runner;
use crate::variant::{Answered, Variant, ask};
use crate::{Claim, Figure, Findings, Series};
use scumble::{Decimal, EvaluateRequest, Result};
use std::collections::BTreeMap;

/// The paper's volume where others vary.
const VOLUME: f64 = 0.1;

/// Numbers of quasi-identifiers in a query, which asks about two sensitive columns as well.
const DIMENSIONS: [usize; 3] = [1, 2, 3];
const SENSITIVE: usize = 2;

/// Errors by parameters and variant; what cannot be met, or was not, is not there.
#[derive(Debug, Clone)]
pub(super) struct Quality {
    pub(super) usual: Parameters,
    pub(super) grid: Grid,
    pub(super) results: BTreeMap<(Parameters, Variant), Vec<Answered>>,
}

/// The paper's parameters where others vary.
pub(super) fn usual() -> Parameters {
    Parameters { epsilon: Decimal::new(1, 1), delta: Decimal::new(8, 1), k: 10 }
}

impl Quality {
    pub(super) fn measure(people: &People, grid: &Grid, runner: &Runner) -> Result<Self> {
        let (usual, encoded) = (usual(), people.encoded(&people.job())?);
        let runs = Variant::with_each(&grid.varied.around(usual));
        let name = |(one, variant): &(Parameters, Variant)| format!("asking {one}, {}", variant.name());
        let found = runner.in_parallel(&runs, name, |&(parameters, variant)| {
            let seconds = grid.patience(variant);
            let Ok(release) = attempt_within(seconds, people, &encoded, (parameters, variant), runner)? else {
                return Ok(None);
            };
            let volumes: &[f64] = if parameters == usual { &grid.volumes } else { &[VOLUME] };
            let request = EvaluateRequest {
                qs: SENSITIVE,
                w: DIMENSIONS.map(|qd| qd + SENSITIVE).to_vec(),
                queries: grid.queries,
                seed: people.seed,
                ..EvaluateRequest::new()
            };
            Ok(Some(ask(&release, &encoded.texts, &request, volumes, runner)?.0))
        })?;
        let results = runs.into_iter().zip(found).filter_map(|(run, found)| Some((run, found?))).collect();
        Ok(Quality { usual, grid: grid.clone(), results })
    }

    /// The places of a panel, as x, parameters and volume.
    fn places(&self, panel: Panel) -> Vec<(f64, Parameters, f64)> {
        match panel {
            Panel::Volume => self.grid.volumes.iter().map(|&s| (s, self.usual, s)).collect(),
            _ => self.grid.varied.along(panel, self.usual).into_iter().map(|(x, one)| (x, one, VOLUME)).collect(),
        }
    }

    fn error(&self, parameters: Parameters, variant: Variant, qd: usize, s: f64) -> Option<f64> {
        self.results.get(&(parameters, variant))?.iter().find(|one| one.w == qd + SENSITIVE && one.s == s)?.uniform
    }

    /// The errors of a line, with their x, where there are any.
    fn known(&self, panel: Panel, variant: Variant, qd: usize) -> Vec<(f64, f64)> {
        let one = |&(x, parameters, s): &(f64, Parameters, f64)| Some((x, self.error(parameters, variant, qd, s)?));
        self.places(panel).iter().filter_map(one).collect()
    }

    /// By whose releases the claims about a panel are judged.
    fn judged_by(&self, panel: Panel) -> (Variant, String) {
        let count = |variant| self.known(panel, variant, DIMENSIONS[0]).len();
        judged_by(count, |paper, ours| {
            format!("by ours, for the paper's algorithm found {paper} of these releases and ours {ours}")
        })
    }

    pub(super) fn add(&self, findings: &mut Findings, own: bool) {
        let panels = [Panel::Epsilon, Panel::Delta, Panel::K, Panel::Volume];
        findings.figures.extend(panels.map(|panel| self.figure(panel)));
        findings.claims.extend(self.claims(&Passage::new("section VI-B, figure 5", own)));
    }

    fn figure(&self, panel: Panel) -> Figure {
        let line = |(qd, variant): (usize, Variant)| {
            let point = |&(x, parameters, s): &(f64, Parameters, f64)| (x, self.error(parameters, variant, qd, s));
            let points = self.places(panel).iter().map(point).collect();
            Series::new(format!("{}, qd = {qd}", variant.name()), points).in_percent()
        };
        let series = Variant::ALL.iter().flat_map(|&variant| DIMENSIONS.map(|qd| line((qd, variant)))).collect();
        Figure::new(
            format!("Figure 5, {}", panel.name()),
            format!("Error over {}", panel.name()),
            format!(
                "Where it does not vary: {}, volume {VOLUME}. {} count queries about qd quasi-identifiers and {SENSITIVE} sensitive \
                 columns. The paper's exchanges were given up after {} s; where a line has no point, no release was found.",
                self.usual,
                self.grid.queries,
                self.grid.patience(Variant::Paper)
            ),
            Figure::lines(panel.name(), YAxis::ERROR, series),
        )
    }

    fn claims(&self, at: &Passage) -> Vec<Claim> {
        let trends = |panel: Panel| {
            let (variant, by) = self.judged_by(panel);
            let trend = |qd| Trend::new(self.known(panel, variant, qd).iter().map(|one| one.1));
            let trends = Trends { differ_in: "qd", each: DIMENSIONS.map(|qd| (qd, trend(qd))).to_vec() };
            let told = format!("{}; {by}", trends.told(panel != Panel::Volume));
            (trends, told)
        };
        let grows = |panel: Panel| {
            let (trends, told) = trends(panel);
            let test = "for every qd it ends higher than it begins, and no step down is larger than a tenth";
            at.any(&format!("The error grows with {}.", panel.name()), test, told, trends.all(rises))
        };
        let (over_volume, told_volume) = trends(Panel::Volume);
        let most = [Panel::Epsilon, Panel::Delta].into_iter().flat_map(|panel| {
            let variant = self.judged_by(panel).0;
            DIMENSIONS.into_iter().flat_map(move |qd| self.known(panel, variant, qd)).map(|one| one.1)
        });
        let most = most.fold(f64::NAN, f64::max);
        let (variant, by) = self.judged_by(Panel::Volume);
        let least_volume = self.grid.volumes.first().copied().unwrap_or(VOLUME);
        let at_least = DIMENSIONS.into_iter().filter_map(|qd| self.error(self.usual, variant, qd, least_volume));
        let at_least = at_least.fold(f64::NAN, f64::max);
        let mut claims = vec![
            grows(Panel::Epsilon),
            grows(Panel::Delta),
            self.sharp(at),
            at.its(
                "Over epsilon and delta the error is always below 15%, even of queries about three quasi-identifiers.",
                "the largest error in both panels is below 15%",
                format!("largest error {}", percent(most)),
                passes(most, |most| most < 0.15),
            ),
        ];
        claims.extend(self.over_k(at));
        claims.push(at.any(
            "The error falls as queries cover more.",
            "for every qd it ends lower than it begins, and no step up is larger than a tenth",
            told_volume,
            over_volume.all(falls),
        ));
        claims.push(at.its(
            "Even for a volume of 0.05 the error is below 5%.",
            "the largest error at the least volume is below 5%",
            format!("largest error {} at volume {least_volume}; {by}", percent(at_least)),
            passes(at_least, |most| most < 0.05),
        ));
        claims
    }

    /// The error leaps between two deltas.
    fn sharp(&self, at: &Passage) -> Claim {
        let (variant, by) = self.judged_by(Panel::Delta);
        let steps = |qd| -> Vec<(f64, f64)> {
            let known = self.known(Panel::Delta, variant, qd);
            known.windows(2).map(|pair| (pair[1].0, (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0))).collect()
        };
        let steepest = DIMENSIONS.map(|qd| {
            steps(qd).into_iter().filter(|step| step.1 > 0.0).max_by(|a, b| a.1.total_cmp(&b.1)).map(|one| one.0)
        });
        let told = joined(
            DIMENSIONS
                .iter()
                .zip(steepest)
                .map(|(qd, at)| format!("qd = {qd}: {}", at.map_or("none rises".into(), |at| format!("up to {at}")))),
        );
        at.any(
            "Over delta the error rises most sharply from 0.8 to 0.9.",
            "for every qd the error rises, most steeply in the step that ends at 0.9",
            format!("steepest step {told}; {by}"),
            all(DIMENSIONS.iter().zip(steepest).map(|(&qd, at)| (!steps(qd).is_empty()).then_some(at == Some(0.9)))),
        )
    }

    fn over_k(&self, at: &Passage) -> [Claim; 2] {
        let (variant, by) = self.judged_by(Panel::K);
        let least = DIMENSIONS.map(|qd| {
            let known = self.known(Panel::K, variant, qd);
            let least = known.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|one| one.0);
            (qd, least, known.first().map(|one| one.0), known.last().map(|one| one.0))
        });
        let told = joined(
            least
                .iter()
                .map(|(qd, least, ..)| format!("qd = {qd}: {}", least.map_or("no figure".into(), |k| k.to_string()))),
        );
        let found = format!("least error at k {told}; {by}");
        [
            at.any(
                "As k grows, the error first falls and then grows again.",
                "for every qd the least error is neither at the least nor at the greatest k",
                found.clone(),
                all(least
                    .iter()
                    .map(|(_, least, first, last)| (last > first).then(|| least != first && least != last))),
            ),
            at.its(
                "The error is least at k = 15.",
                "for every qd the least error is at 15",
                found,
                all(least.iter().map(|(_, least, ..)| least.map(|least| least == 15.0))),
            ),
        ]
    }
}
