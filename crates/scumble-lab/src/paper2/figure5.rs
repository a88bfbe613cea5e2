//! Figure 5: errors of count queries over epsilon, delta, k and volume.

use super::Grid;
use super::people::People;
use super::releases::{Panel, Parameters, attempt_within, judged_by};
use crate::decision::{Trend, all, falls, passes, percent, rises};
use crate::figure::YAxis;
use crate::runner::Runner;
use crate::variant::{Variant, mean_error};
use crate::{Claim, Figure, Findings, Series};
use scumble::{Decimal, EvaluateRequest, Result};
use std::collections::BTreeMap;

/// The paper's volume where others vary.
const VOLUME: f64 = 0.1;

/// Numbers of quasi-identifiers in a query, beside two sensitive columns.
const DIMENSIONS: [usize; 3] = [1, 2, 3];
const SENSITIVE: usize = 2;

const PLACE: &str = "section VI-B, figure 5";

/// The mean relative error of a workload.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answered {
    pub(super) qd: usize,
    pub(super) s: f64,
    pub(super) error: Option<f64>,
}

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
            let mut answered = Vec::new();
            for &s in volumes {
                let asked = EvaluateRequest {
                    qs: SENSITIVE,
                    w: DIMENSIONS.map(|qd| qd + SENSITIVE).to_vec(),
                    s,
                    queries: grid.queries,
                    seed: people.seed,
                    ..EvaluateRequest::new()
                };
                let workloads = runner.evaluate(&release, &encoded.texts, &asked)?.workloads;
                answered.extend(workloads.iter().map(|workload| Answered {
                    qd: workload.w - SENSITIVE,
                    s,
                    error: mean_error(workload, "uniform"),
                }));
            }
            Ok(Some(answered))
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
        self.results.get(&(parameters, variant))?.iter().find(|one| one.qd == qd && one.s == s)?.error
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
        findings.claims.extend(self.claims(own));
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

    fn claims(&self, own: bool) -> Vec<Claim> {
        let trends = |panel: Panel| {
            let (variant, by) = self.judged_by(panel);
            let trends = DIMENSIONS.map(|qd| Trend::of(self.known(panel, variant, qd).iter().map(|one| one.1)));
            let told: Vec<String> = DIMENSIONS
                .iter()
                .zip(trends)
                .map(|(qd, trend)| match trend {
                    Some(trend) => format!("qd = {qd}: {}", trend.words(panel != Panel::Volume, percent)),
                    None => format!("qd = {qd}: too few figures"),
                })
                .collect();
            (trends, format!("{}; {by}", told.join(", ")))
        };
        let rising = "for every qd it ends higher than it begins, and no step down is larger than a tenth";
        let falling = "for every qd it ends lower than it begins, and no step up is larger than a tenth";
        let (over_epsilon, told_epsilon) = trends(Panel::Epsilon);
        let (over_delta, told_delta) = trends(Panel::Delta);
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
            Claim::of_any_data(
                PLACE,
                "The error grows with epsilon.",
                rising,
                told_epsilon,
                all(over_epsilon.map(rises)),
            ),
            Claim::of_any_data(PLACE, "The error grows with delta.", rising, told_delta, all(over_delta.map(rises))),
            self.sharp(),
            Claim::of_its_data(
                PLACE,
                "Over epsilon and delta the error is always below 15%, even of queries about three quasi-identifiers.",
                "the largest error in both panels is below 15%",
                format!("largest error {}", percent(most)),
                passes(most, |most| most < 0.15),
                own,
            ),
        ];
        claims.extend(self.over_k(own));
        claims.push(Claim::of_any_data(
            PLACE,
            "The error falls as queries cover more.",
            falling,
            told_volume,
            all(over_volume.map(falls)),
        ));
        claims.push(Claim::of_its_data(
            PLACE,
            "Even for a volume of 0.05 the error is below 5%.",
            "the largest error at the least volume is below 5%",
            format!("largest error {} at volume {least_volume}; {by}", percent(at_least)),
            passes(at_least, |most| most < 0.05),
            own,
        ));
        claims
    }

    /// The error leaps between two deltas.
    fn sharp(&self) -> Claim {
        let (variant, by) = self.judged_by(Panel::Delta);
        let steps = |qd| -> Vec<(f64, f64)> {
            let known = self.known(Panel::Delta, variant, qd);
            known.windows(2).map(|pair| (pair[1].0, (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0))).collect()
        };
        let steepest = DIMENSIONS.map(|qd| {
            steps(qd).into_iter().filter(|step| step.1 > 0.0).max_by(|a, b| a.1.total_cmp(&b.1)).map(|one| one.0)
        });
        let told: Vec<String> = DIMENSIONS
            .iter()
            .zip(steepest)
            .map(|(qd, at)| format!("qd = {qd}: {}", at.map_or("none rises".into(), |at| format!("up to {at}"))))
            .collect();
        Claim::of_any_data(
            PLACE,
            "Over delta the error rises most sharply from 0.8 to 0.9.",
            "for every qd the error rises, most steeply in the step that ends at 0.9",
            format!("steepest step {}; {by}", told.join(", ")),
            all(DIMENSIONS.iter().zip(steepest).map(|(&qd, at)| (!steps(qd).is_empty()).then_some(at == Some(0.9)))),
        )
    }

    fn over_k(&self, own: bool) -> [Claim; 2] {
        let (variant, by) = self.judged_by(Panel::K);
        let least = DIMENSIONS.map(|qd| {
            let known = self.known(Panel::K, variant, qd);
            let least = known.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|one| one.0);
            (qd, least, known.first().map(|one| one.0), known.last().map(|one| one.0))
        });
        let told: Vec<String> = least
            .iter()
            .map(|(qd, least, ..)| format!("qd = {qd}: {}", least.map_or("no figure".into(), |k| k.to_string())))
            .collect();
        let found = format!("least error at k {}; {by}", told.join(", "));
        [
            Claim::of_any_data(
                PLACE,
                "As k grows, the error first falls and then grows again.",
                "for every qd the least error is neither at the least nor at the greatest k",
                found.clone(),
                all(least
                    .iter()
                    .map(|(_, least, first, last)| (last > first).then(|| least != first && least != last))),
            ),
            Claim::of_its_data(
                PLACE,
                "The error is least at k = 15.",
                "for every qd the least error is at 15",
                found,
                all(least.iter().map(|(_, least, ..)| least.map(|least| least == 15.0))),
                own,
            ),
        ]
    }
}
