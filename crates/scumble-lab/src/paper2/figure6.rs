//! Figure 6: how long the groups are sought, over the size of the table.

use super::Grid;
use super::people::People;
use super::releases::{Panel, Parameters, attempt_within, judged_by};
use crate::attempt::partition_seconds;
use crate::claim::Passage;
use crate::decision::{Trend, all, extremes, falls, joined, passes, rises, short, timed};
use crate::figure::YAxis;
use crate::runner::Runner;
use crate::series::exponent;
use crate::study_table::Encoded;
use crate::variant::Variant;
use crate::{Claim, Figure, Findings, Series};
use scumble::{Decimal, Result};
use scumble_report::counted;
use std::collections::BTreeMap;

const PLACE: &str = "section VI-B, figure 6";

/// How often ours is timed; the least time counts, for whatever else a machine does only adds to it.
const TIMED: usize = 3;

/// The rows of the paper's largest table, and the longest time that is still minutes.
const ROWS: usize = 50_000;
const MINUTES: f64 = 600.0;

/// Seconds by parameters, rows and variant; what was not found is not there.
#[derive(Debug, Clone)]
pub(super) struct Times {
    pub(super) usual: Parameters,
    pub(super) grid: Grid,
    pub(super) sizes: Vec<usize>,
    pub(super) seconds: BTreeMap<(Parameters, usize, Variant), f64>,
}

/// The panels of the figure, by the parameter that their lines differ in.
const PANELS: [Panel; 3] = [Panel::Epsilon, Panel::Delta, Panel::K];

/// The paper's parameters where others vary.
fn papers() -> Parameters {
    Parameters { epsilon: Decimal::new(15, 2), delta: Decimal::new(9, 1), k: 20 }
}

impl Times {
    pub(super) fn measure(people: &People, grid: &Grid, runner: &Runner) -> Result<Self> {
        let whole = people.table.n_rows() as f64;
        let sizes: Vec<usize> = grid.sizes.iter().map(|share| (share * whole).round() as usize).collect();
        let encoded = |&n: &usize| people.some(n).encoded(&people.job());
        let tables: Vec<Encoded> = sizes.iter().map(encoded).collect::<Result<_>>()?;
        let timed = |(parameters, variant): (Parameters, Variant), table: &Encoded| -> Result<Option<f64>> {
            let mut least: Option<f64> = None;
            for _ in 0..if variant == Variant::Ours { TIMED } else { 1 } {
                let seconds = grid.patience(variant);
                let Ok(release) = attempt_within(seconds, people, table, (parameters, variant), runner)? else {
                    return Ok(None);
                };
                let seconds = partition_seconds(&release);
                least = Some(least.map_or(seconds, |before| before.min(seconds)));
            }
            Ok(least)
        };
        let mut usual = papers();
        // Other people than the paper's may not allow so large an epsilon.
        for &epsilon in grid.timed.epsilons.iter().rev() {
            usual = Parameters { epsilon, ..papers() };
            let largest = tables.last();
            let found = runner.one_by_one(
                &[usual],
                |one| format!("trying {one}"),
                |&one| largest.map_or(Ok(None), |table| timed((one, Variant::Ours), table)),
            )?;
            if found.iter().any(Option::is_some) {
                break;
            }
        }
        let runs = Variant::with_each(&grid.timed.around(usual));
        let name = |(one, variant): &(Parameters, Variant)| format!("timing {one}, {}", variant.name());
        let lines = runner.one_by_one(&runs, name, |&(parameters, variant)| {
            let mut line = Vec::new();
            for (&n, table) in sizes.iter().zip(&tables) {
                // What is not found among fewer people is not looked for among more.
                let Some(seconds) = timed((parameters, variant), table)? else { break };
                line.push(((parameters, n, variant), seconds));
            }
            Ok(line)
        })?;
        Ok(Times { usual, grid: grid.clone(), sizes, seconds: lines.into_iter().flatten().collect() })
    }

    /// The lines of a panel, as the value of its parameter and all parameters.
    fn lines(&self, panel: Panel) -> Vec<(f64, Parameters)> {
        self.grid.timed.along(panel, self.usual)
    }

    fn time(&self, parameters: Parameters, n: usize, variant: Variant) -> Option<f64> {
        self.seconds.get(&(parameters, n, variant)).copied()
    }

    /// The times of a requirement over the sizes; none if one is missing.
    fn whole(&self, parameters: Parameters, variant: Variant) -> Option<Vec<f64>> {
        self.sizes.iter().map(|&n| self.time(parameters, n, variant)).collect()
    }

    /// By whose times the claims about a panel are judged.
    fn judged_by(&self, panel: Panel) -> (Variant, String) {
        let lines = self.lines(panel);
        let count = |variant| lines.iter().filter(|(_, one)| self.whole(*one, variant).is_some()).count();
        judged_by(count, |paper, ours| {
            let n = lines.len();
            format!("by ours, which has {ours} of {n} lines whole where the paper's algorithm has {paper}")
        })
    }

    pub(super) fn add(&self, findings: &mut Findings) {
        findings.figures.extend(PANELS.map(|panel| self.figure(panel)));
        findings.claims.extend(self.claims());
    }

    fn figure(&self, panel: Panel) -> Figure {
        let line = |variant: Variant, value: f64, parameters: Parameters| {
            let points = self.sizes.iter().map(|&n| (n as f64, self.time(parameters, n, variant))).collect();
            Series::new(format!("{}, {} {value}", variant.name(), panel.name()), points)
        };
        let lines = Variant::ALL.iter().flat_map(|&variant| {
            self.lines(panel).into_iter().map(move |(value, parameters)| line(variant, value, parameters))
        });
        Figure::new(
            format!("Figure 6, {}", panel.name()),
            format!("Time over the number of rows, by {}", panel.name()),
            format!(
                "Where it does not vary: {} (the paper: {}). Time to find the groups, on all cores, without reading, writing and \
                 verifying. The paper's exchanges were given up after {} s. What was not found has no point, and what was not \
                 found among fewer people was not looked for among more.",
                self.usual,
                papers(),
                self.grid.patience(Variant::Paper)
            ),
            // A line without a point only takes room.
            Figure::lines(
                "rows",
                YAxis { label: "time", unit: "s", by_powers: true },
                lines.filter(|line| line.values().next().is_some()).collect(),
            ),
        )
    }

    fn claims(&self) -> Vec<Claim> {
        let mut claims = vec![self.linear(), self.within_minutes()];
        for (panel, says, up) in [
            (Panel::Epsilon, "The time grows with epsilon.", true),
            (Panel::Delta, "The time grows with delta.", true),
            (Panel::K, "The time falls as k grows.", false),
        ] {
            let (variant, by) = self.judged_by(panel);
            let sum = |(value, one): (f64, Parameters)| Some((value, self.whole(one, variant)?.iter().sum::<f64>()));
            let sums: Vec<(f64, f64)> = self.lines(panel).into_iter().filter_map(sum).collect();
            let trend = Trend::new(sums.iter().map(|one| one.1));
            let told = joined(sums.iter().map(|(value, sum)| format!("{} s at {value}", short(*sum))));
            let test = if up {
                "the time of all sizes together ends higher than it begins, and no step down is larger than a tenth"
            } else {
                "the time of all sizes together ends lower than it begins, and no step up is larger than a tenth"
            };
            let holds = timed(sums.iter().map(|one| one.1), if up { rises(trend) } else { falls(trend) });
            claims.push(Passage::new(PLACE, false).any(says, test, format!("{told}; {by}"), holds));
        }
        claims
    }

    fn linear(&self) -> Claim {
        let powers: Vec<f64> = PANELS
            .iter()
            .flat_map(|&panel| {
                let variant = self.judged_by(panel).0;
                self.lines(panel).into_iter().filter_map(move |(_, one)| self.whole(one, variant))
            })
            .map(|seconds| self.sizes.iter().map(|&n| n as f64).zip(seconds).collect::<Vec<_>>())
            .filter(|points| points.len() > 1 && points.iter().all(|(_, seconds)| *seconds > 0.0))
            .map(|points| exponent(&points))
            .collect();
        let longest = self.seconds.values().copied();
        let (least, most) = extremes(powers.iter().copied());
        let found = match powers.len() {
            0 => "no whole line".into(),
            n => format!("powers from {} to {} in {}", short(least), short(most), counted(n as u64, "line", "lines")),
        };
        Passage::new(PLACE, false).any(
            "In all panels the time grows about linearly with the number of rows.",
            "the power of the number of rows that fits each line best lies between 0.5 and 1.5",
            found,
            timed(longest, all(powers.iter().map(|power| (0.5..=1.5).contains(power)))),
        )
    }

    fn within_minutes(&self) -> Claim {
        let longest = |variant: Variant| {
            let seconds = self.seconds.iter().filter(|((_, _, one), _)| *one == variant).map(|(_, seconds)| *seconds);
            seconds.fold(f64::NAN, f64::max)
        };
        let (most, paper) = (longest(Variant::Ours), longest(Variant::Paper));
        let told =
            if paper.is_nan() { "no release".into() } else { format!("at most {} s where it found one", short(paper)) };
        let rows = self.sizes.iter().copied().max().unwrap_or(0);
        Passage::new(PLACE, rows >= ROWS).its(
            "All experiments end within minutes, on up to 50,000 people.",
            "ours ends within ten minutes wherever there is a release, on at least as many rows",
            format!("ours at most {} s, the paper's algorithm {told}; {rows} rows", short(most)),
            passes(most, |most| most < MINUTES),
        )
    }
}
