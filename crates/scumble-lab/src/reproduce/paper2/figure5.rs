//! Figure 5: errors of count queries over epsilon, delta, k and volume.

use super::super::judge::{Trend, all, falls, passes, percent, rises};
use super::super::trial::Trial;
use super::super::workshop::Workshop;
use super::super::{Body, Claim, Exhibit, Findings, Line};
use super::people::People;
use super::releases::{Setting, Way, attempt};
use super::{Grid, Timed};
use scumble::{Decimal, EvaluateRequest, Result, Silent, evaluate};
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

/// Errors by requirement and way; what cannot be met, or was not, is not there.
#[derive(Debug, Clone)]
pub(super) struct Quality {
    pub(super) usual: Setting,
    pub(super) grid: Grid,
    pub(super) results: BTreeMap<(Setting, Way), Vec<Answered>>,
}

/// A panel of the figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Panel {
    Epsilon,
    Delta,
    K,
    Volume,
}

impl Panel {
    const ALL: [Panel; 4] = [Panel::Epsilon, Panel::Delta, Panel::K, Panel::Volume];

    fn name(self) -> &'static str {
        match self {
            Panel::Epsilon => "epsilon",
            Panel::Delta => "delta",
            Panel::K => "k",
            Panel::Volume => "volume",
        }
    }
}

/// The paper's requirement where others vary.
pub(super) fn usual() -> Setting {
    Setting { epsilon: Decimal::new(1, 1), delta: Decimal::new(8, 1), k: 10 }
}

/// All settings that differ from one in one parameter.
pub(super) fn around(usual: Setting, Timed { epsilons, deltas, ks }: &Timed) -> Vec<Setting> {
    let mut all: Vec<Setting> = epsilons.iter().map(|&epsilon| Setting { epsilon, ..usual }).collect();
    all.extend(deltas.iter().map(|&delta| Setting { delta, ..usual }));
    all.extend(ks.iter().map(|&k| Setting { k, ..usual }));
    all.push(usual);
    all.sort();
    all.dedup();
    all
}

impl Quality {
    pub(super) fn measure(people: &People, grid: &Grid, workshop: &Workshop<'_>) -> Result<Self> {
        let input = people.table.write(workshop)?;
        let usual = usual();
        let varied = Timed { epsilons: grid.epsilons.clone(), deltas: grid.deltas.clone(), ks: grid.ks.clone() };
        let settings = around(usual, &varied);
        let jobs: Vec<(Setting, Way)> =
            settings.iter().flat_map(|&setting| Way::ALL.map(|way| (setting, way))).collect();
        let name = |(setting, way): &(Setting, Way)| format!("asking {}, {}", setting.words(), way.name());
        let found = workshop.side_by_side(&jobs, name, |&(setting, way)| {
            let Trial::Made(made) = attempt(people, &input, &setting, way, grid.patience(way), workshop)? else {
                return Ok(None);
            };
            let volumes: &[f64] = if setting == usual { &grid.volumes } else { &[VOLUME] };
            let mut answered = Vec::new();
            for &s in volumes {
                let asked = EvaluateRequest {
                    qs: SENSITIVE,
                    w: DIMENSIONS.map(|qd| qd + SENSITIVE).to_vec(),
                    s,
                    queries: grid.queries,
                    seed: people.seed,
                    ..made.to_evaluate()
                };
                answered.extend(evaluate(&asked, &Silent)?.workloads.iter().map(|workload| {
                    let uniform = workload.estimators.iter().find(|(name, _)| *name == "uniform");
                    let error = uniform.and_then(|(_, errors)| errors.map(|errors| errors.mean));
                    Answered { qd: workload.w - SENSITIVE, s, error }
                }));
            }
            Ok(Some(answered))
        })?;
        let results = jobs.into_iter().zip(found).filter_map(|(job, found)| Some((job, found?))).collect();
        Ok(Quality { usual, grid: grid.clone(), results })
    }

    /// The places of a panel, as x, requirement and volume.
    fn places(&self, panel: Panel) -> Vec<(f64, Setting, f64)> {
        let usual = self.usual;
        match panel {
            Panel::Epsilon => {
                self.grid.epsilons.iter().map(|&e| (e.to_f64(), Setting { epsilon: e, ..usual }, VOLUME)).collect()
            }
            Panel::Delta => {
                self.grid.deltas.iter().map(|&d| (d.to_f64(), Setting { delta: d, ..usual }, VOLUME)).collect()
            }
            Panel::K => self.grid.ks.iter().map(|&k| (k as f64, Setting { k, ..usual }, VOLUME)).collect(),
            Panel::Volume => self.grid.volumes.iter().map(|&s| (s, usual, s)).collect(),
        }
    }

    fn error(&self, setting: Setting, way: Way, qd: usize, s: f64) -> Option<f64> {
        self.results.get(&(setting, way))?.iter().find(|one| one.qd == qd && one.s == s)?.error
    }

    /// The errors of a line, with their x, where there are any.
    fn known(&self, panel: Panel, way: Way, qd: usize) -> Vec<(f64, f64)> {
        let one = |&(x, setting, s): &(f64, Setting, f64)| Some((x, self.error(setting, way, qd, s)?));
        self.places(panel).iter().filter_map(one).collect()
    }

    /// By whose releases the claims about a panel are judged: those of the paper's algorithm if it found one wherever
    /// ours did, else ours, which finds the same kind of release.
    fn judged_by(&self, panel: Panel) -> (Way, String) {
        let count = |way| self.known(panel, way, DIMENSIONS[0]).len();
        let (paper, ours) = (count(Way::Paper), count(Way::Ours));
        if paper > 1 && paper >= ours {
            return (Way::Paper, "by the paper's algorithm".into());
        }
        (Way::Ours, format!("by ours, for the paper's algorithm found {paper} of these releases and ours {ours}"))
    }

    pub(super) fn add(&self, findings: &mut Findings, own: bool) {
        for panel in Panel::ALL {
            findings.exhibits.push(self.exhibit(panel));
        }
        findings.claims.extend(self.claims(own));
    }

    fn exhibit(&self, panel: Panel) -> Exhibit {
        let line = |(way, qd): (Way, usize)| Line {
            name: format!("{}, qd = {qd}", way.name()),
            points: self
                .places(panel)
                .iter()
                .map(|&(x, setting, s)| (x, self.error(setting, way, qd, s).map(|error| 100.0 * error)))
                .collect(),
            steps: false,
        };
        let series = Way::ALL.iter().flat_map(|&way| DIMENSIONS.map(|qd| (way, qd))).map(line).collect();
        let patience = self.grid.patience(Way::Paper).as_secs();
        Exhibit {
            number: format!("Figure 5, {}", panel.name()),
            title: format!("Error over {}", panel.name()),
            setting: format!(
                "Where it does not vary: {}, volume {VOLUME}. {} count queries about qd quasi-identifiers and {SENSITIVE} sensitive \
                 columns. The paper's exchanges were given up after {patience} s; where a line has no point, no release was found.",
                self.usual.words(),
                self.grid.queries
            ),
            body: Body::Lines {
                x: panel.name().into(),
                y: "mean relative error".into(),
                unit: "%".into(),
                by_powers: true,
                series,
            },
        }
    }

    fn claims(&self, own: bool) -> Vec<Claim> {
        let trends = |panel: Panel| {
            let (way, by) = self.judged_by(panel);
            let trends = DIMENSIONS.map(|qd| Trend::of(self.known(panel, way, qd).iter().map(|one| one.1)));
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
            let way = self.judged_by(panel).0;
            DIMENSIONS.into_iter().flat_map(move |qd| self.known(panel, way, qd)).map(|one| one.1)
        });
        let most = most.fold(f64::NAN, f64::max);
        let (way, by) = self.judged_by(Panel::Volume);
        let least_volume = self.grid.volumes.first().copied().unwrap_or(VOLUME);
        let at_least = DIMENSIONS.into_iter().filter_map(|qd| self.error(self.usual, way, qd, least_volume));
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
        let (way, by) = self.judged_by(Panel::Delta);
        let steps = |qd| -> Vec<(f64, f64)> {
            let known = self.known(Panel::Delta, way, qd);
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
        let (way, by) = self.judged_by(Panel::K);
        let least = DIMENSIONS.map(|qd| {
            let known = self.known(Panel::K, way, qd);
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
