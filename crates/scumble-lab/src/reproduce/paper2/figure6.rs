//! Figure 6: how long the groups are sought, over the size of the table.

use super::super::judge::{Trend, all, falls, passes, rises, short, timed};
use super::super::lines::exponent;
use super::super::trial::Trial;
use super::super::workshop::Workshop;
use super::super::{Body, Claim, Exhibit, Findings, Line};
use super::Grid;
use super::figure5::around;
use super::people::People;
use super::releases::{Setting, Way, attempt};
use scumble::{Decimal, Result};
use scumble_report::counted;
use std::collections::BTreeMap;

const PLACE: &str = "section VI-B, figure 6";

/// How often ours is timed; the least time counts, for whatever else a machine does only adds to it.
const TIMED: usize = 3;

/// The rows of the paper's largest table, and the longest time that is still minutes.
const ROWS: usize = 50_000;
const MINUTES: f64 = 600.0;

/// Seconds by requirement, rows and way; what was not found is not there.
#[derive(Debug, Clone)]
pub(super) struct Times {
    pub(super) usual: Setting,
    pub(super) grid: Grid,
    pub(super) sizes: Vec<usize>,
    pub(super) seconds: BTreeMap<(Setting, usize, Way), f64>,
}

/// A panel of the figure, by the parameter that its lines differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Panel {
    Epsilon,
    Delta,
    K,
}

impl Panel {
    const ALL: [Panel; 3] = [Panel::Epsilon, Panel::Delta, Panel::K];

    fn name(self) -> &'static str {
        match self {
            Panel::Epsilon => "epsilon",
            Panel::Delta => "delta",
            Panel::K => "k",
        }
    }
}

/// The paper's requirement where others vary.
fn papers() -> Setting {
    Setting { epsilon: Decimal::new(15, 2), delta: Decimal::new(9, 1), k: 20 }
}

impl Times {
    pub(super) fn measure(people: &People, grid: &Grid, workshop: &Workshop<'_>) -> Result<Self> {
        let whole = people.table.n_rows();
        let sizes: Vec<usize> = grid.sizes.iter().map(|share| (share * whole as f64).round() as usize).collect();
        let tables: Vec<People> = sizes.iter().map(|&n| people.some(n)).collect();
        let inputs = tables.iter().map(|people| people.table.write(workshop)).collect::<Result<Vec<_>>>()?;
        let timed = |setting: Setting, way: Way, at: usize| -> Result<Option<f64>> {
            let mut least: Option<f64> = None;
            for _ in 0..if way == Way::Ours { TIMED } else { 1 } {
                let found = attempt(&tables[at], &inputs[at], &setting, way, grid.patience(way), workshop)?;
                let Trial::Made(made) = found else { return Ok(None) };
                let seconds = made.published.partition_seconds;
                least = Some(least.map_or(seconds, |before| before.min(seconds)));
            }
            Ok(least)
        };
        let mut usual = papers();
        // Other people than the paper's may not allow so large an epsilon.
        for &epsilon in grid.timed.epsilons.iter().rev() {
            usual = Setting { epsilon, ..papers() };
            let last = sizes.len().saturating_sub(1);
            let found = workshop.one_by_one(
                &[usual],
                |one| format!("trying {}", one.words()),
                |&one| timed(one, Way::Ours, last),
            )?;
            if found.iter().any(Option::is_some) {
                break;
            }
        }
        let settings = around(usual, &grid.timed);
        let jobs: Vec<(Setting, Way)> =
            settings.iter().flat_map(|&setting| Way::ALL.map(|way| (setting, way))).collect();
        let name = |(setting, way): &(Setting, Way)| format!("timing {}, {}", setting.words(), way.name());
        let lines = workshop.one_by_one(&jobs, name, |&(setting, way)| {
            let mut line = Vec::new();
            for (at, &n) in sizes.iter().enumerate() {
                // What is not found among fewer people is not looked for among more.
                let Some(seconds) = timed(setting, way, at)? else { break };
                line.push(((setting, n, way), seconds));
            }
            Ok(line)
        })?;
        Ok(Times { usual, grid: grid.clone(), sizes, seconds: lines.into_iter().flatten().collect() })
    }

    /// The lines of a panel, as the value of its parameter and the requirement.
    fn lines(&self, panel: Panel) -> Vec<(f64, Setting)> {
        let (timed, usual) = (&self.grid.timed, self.usual);
        match panel {
            Panel::Epsilon => timed.epsilons.iter().map(|&e| (e.to_f64(), Setting { epsilon: e, ..usual })).collect(),
            Panel::Delta => timed.deltas.iter().map(|&d| (d.to_f64(), Setting { delta: d, ..usual })).collect(),
            Panel::K => timed.ks.iter().map(|&k| (k as f64, Setting { k, ..usual })).collect(),
        }
    }

    /// The times of a requirement over the sizes; none if one is missing.
    fn whole(&self, setting: Setting, way: Way) -> Option<Vec<f64>> {
        self.sizes.iter().map(|&n| self.seconds.get(&(setting, n, way)).copied()).collect()
    }

    /// By whose times the claims about a panel are judged: the paper's algorithm's if it found every release that ours
    /// did, else ours.
    fn judged_by(&self, panel: Panel) -> (Way, String) {
        let count = |way| self.lines(panel).iter().filter(|(_, setting)| self.whole(*setting, way).is_some()).count();
        let (paper, ours) = (count(Way::Paper), count(Way::Ours));
        if paper > 1 && paper >= ours {
            return (Way::Paper, "by the paper's algorithm".into());
        }
        (
            Way::Ours,
            format!(
                "by ours, which has {ours} of {} lines whole where the paper's algorithm has {paper}",
                self.lines(panel).len()
            ),
        )
    }

    pub(super) fn add(&self, findings: &mut Findings) {
        for panel in Panel::ALL {
            findings.exhibits.push(self.exhibit(panel));
        }
        findings.claims.extend(self.claims());
    }

    fn exhibit(&self, panel: Panel) -> Exhibit {
        let line = |(way, value, setting): (Way, f64, Setting)| Line {
            name: format!("{}, {} {value}", way.name(), panel.name()),
            points: self.sizes.iter().map(|&n| (n as f64, self.seconds.get(&(setting, n, way)).copied())).collect(),
            steps: false,
        };
        let lines = Way::ALL
            .iter()
            .flat_map(|&way| self.lines(panel).into_iter().map(move |(value, setting)| (way, value, setting)));
        // A line without a point only takes room.
        let series: Vec<Line> = lines.map(line).filter(|line| line.values().next().is_some()).collect();
        let patience = self.grid.patience(Way::Paper).as_secs();
        Exhibit {
            number: format!("Figure 6, {}", panel.name()),
            title: format!("Time over the number of rows, by {}", panel.name()),
            setting: format!(
                "Where it does not vary: {} (the paper: {}). Time to find the groups, on all cores, without reading, writing and \
                 verifying. The paper's exchanges were given up after {patience} s. What was not found has no point, and what was not \
                 found among fewer people was not looked for among more.",
                self.usual.words(),
                papers().words()
            ),
            body: Body::Lines { x: "rows".into(), y: "time".into(), unit: "s".into(), by_powers: true, series },
        }
    }

    fn claims(&self) -> Vec<Claim> {
        let mut claims = vec![self.linear(), self.within_minutes()];
        for (panel, says, up) in [
            (Panel::Epsilon, "The time grows with epsilon.", true),
            (Panel::Delta, "The time grows with delta.", true),
            (Panel::K, "The time falls as k grows.", false),
        ] {
            let (way, by) = self.judged_by(panel);
            let lines = self.lines(panel);
            let sums: Vec<(f64, f64)> = lines
                .iter()
                .filter_map(|(value, setting)| Some((*value, self.whole(*setting, way)?.iter().sum())))
                .collect();
            let trend = Trend::of(sums.iter().map(|one| one.1));
            let told: Vec<String> = sums.iter().map(|(value, sum)| format!("{} s at {value}", short(*sum))).collect();
            let test = if up {
                "the time of all sizes together ends higher than it begins, and no step down is larger than a tenth"
            } else {
                "the time of all sizes together ends lower than it begins, and no step up is larger than a tenth"
            };
            let holds = timed(sums.iter().map(|one| one.1), if up { rises(trend) } else { falls(trend) });
            claims.push(Claim::of_any_data(PLACE, says, test, format!("{}; {by}", told.join(", ")), holds));
        }
        claims
    }

    fn linear(&self) -> Claim {
        let powers: Vec<f64> = Panel::ALL
            .iter()
            .flat_map(|&panel| {
                let way = self.judged_by(panel).0;
                self.lines(panel).into_iter().filter_map(move |(_, setting)| self.whole(setting, way))
            })
            .map(|seconds| self.sizes.iter().map(|&n| n as f64).zip(seconds).collect::<Vec<_>>())
            .filter(|points| points.len() > 1 && points.iter().all(|(_, seconds)| *seconds > 0.0))
            .map(|points| exponent(&points))
            .collect();
        let longest = self.seconds.values().copied();
        let (least, most) = powers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
        let found = match powers.len() {
            0 => "no whole line".into(),
            n => format!("powers from {} to {} in {}", short(least), short(most), counted(n as u64, "line", "lines")),
        };
        Claim::of_any_data(
            PLACE,
            "In all panels the time grows about linearly with the number of rows.",
            "the power of the number of rows that fits each line best lies between 0.5 and 1.5",
            found,
            timed(longest, all(powers.iter().map(|power| (0.5..=1.5).contains(power)))),
        )
    }

    fn within_minutes(&self) -> Claim {
        let most = self.seconds.iter().filter(|((_, _, way), _)| *way == Way::Ours).map(|(_, seconds)| *seconds);
        let most = most.fold(f64::NAN, f64::max);
        let paper = self.seconds.iter().filter(|((_, _, way), _)| *way == Way::Paper);
        let paper = paper.map(|(_, seconds)| *seconds).fold(f64::NAN, f64::max);
        let told =
            if paper.is_nan() { "no release".into() } else { format!("at most {} s where it found one", short(paper)) };
        let rows = self.sizes.iter().copied().max().unwrap_or(0);
        Claim::of_its_data(
            PLACE,
            "All experiments end within minutes, on up to 50,000 people.",
            "ours ends within ten minutes wherever there is a release, on at least as many rows",
            format!("ours at most {} s, the paper's algorithm {told}; {rows} rows", short(most)),
            passes(most, |most| most < MINUTES),
            rows >= ROWS,
        )
    }
}
