//! Figure 4: how many groups of a 20-diverse release let near values through.

use super::people::People;
use crate::attempt::attempt;
use crate::claim::Passage;
use crate::decision::{all, percent, short};
use crate::runner::Runner;
use crate::series::correlation;
use crate::{Claim, Figure, FigureBody, Findings};
use scumble::{Algorithm, EvaluateRequest, Requirement, Result, Vulnerability, VulnerabilityRequest, read_distance};

/// The paper's l first; smaller ones for tables that have no 20-diverse release.
const DIVERSITIES: [u64; 4] = [20, 10, 5, 2];

/// Shares at which the tint changes.
const LEVELS: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

/// Shares of vulnerable groups, by norm.
pub(super) struct Vulnerable {
    l: u64,
    /// By the L1 norm and by the L2 norm; nothing where there is no diverse release at all.
    maps: Vec<Vulnerability>,
}

impl Vulnerable {
    /// Makes a release by Mondrian, and looks for groups with a breach.
    pub(super) fn measure(people: &People, runner: &Runner) -> Result<Self> {
        let (mut job, whole) = people.job_with_whole();
        job.publish.algorithm = Some(Algorithm::Paper);
        let encoded = people.encoded(&job)?;
        let loaded = |norm: &str| read_distance(&people.distance(norm)?, &[]);
        let distances = vec![loaded("l1")?, loaded("l2")?];
        let asked = EvaluateRequest {
            queries: 0,
            vulnerability: Some(VulnerabilityRequest { distances, ..Default::default() }),
            ..EvaluateRequest::new()
        };
        let name = |_: &()| "looking for breaches in a diverse release".into();
        let tried = runner.one_by_one(&[()], name, |()| {
            for l in DIVERSITIES {
                let diverse: Requirement = format!("frequency-l-diversity({l})").parse()?;
                let mut job = job.clone();
                job.publish.require = vec![diverse.on(whole)];
                if let Ok(release) = attempt(&encoded.table, job, runner)? {
                    let maps = runner.evaluate(&release, &encoded.texts, &asked)?.vulnerability;
                    return Ok(Vulnerable { l, maps });
                }
            }
            Ok(Vulnerable { l: 0, maps: Vec::new() })
        })?;
        Ok(tried.into_iter().next().unwrap_or(Vulnerable { l: 0, maps: Vec::new() }))
    }

    pub(super) fn add(&self, findings: &mut Findings, own: bool) {
        let [left, right] = &self.maps[..] else {
            findings.left_out.push("Figure 4: no two rows of this table can be published as a diverse release.".into());
            return;
        };
        for (map, side, norm) in [(left, "left", "L1"), (right, "right", "L2")] {
            findings.figures.push(Figure::new(
                format!("Figure 4, {side}"),
                format!("Share of vulnerable groups, {norm} norm"),
                format!(
                    "A release by Mondrian in which no sensitive value has more than 1 in {} rows of a group: {} groups. Distance \
                     {}. A group is vulnerable if more than 1 - delta of its other rows are within epsilon of some row.",
                    self.l, map.groups, map.distance
                ),
                FigureBody::Map {
                    x: "epsilon".into(),
                    y: "delta".into(),
                    quantity: "share of groups".into(),
                    xs: map.epsilons.clone(),
                    ys: map.deltas.clone(),
                    values: map.shares.iter().map(|row| row.iter().copied().map(Some).collect()).collect(),
                    levels: LEVELS.to_vec(),
                },
            ));
        }
        findings.claims.extend(claims(left, right, own));
    }
}

fn claims(left: &Vulnerability, right: &Vulnerability, own: bool) -> Vec<Claim> {
    let at = Passage::new("section VI-B, figure 4", own);
    let corners = |map: &Vulnerability| (lowest(map), highest(map));
    let told =
        |map: &Vulnerability, norm: &str| format!("{norm}: {} to {}", percent(lowest(map)), percent(highest(map)));
    let both = format!("{}, {}", told(left, "L1"), told(right, "L2"));
    let inner = inside(left, 0.18, 0.85);
    let (along_delta, along_epsilon) = (steps(&left.shares), steps(&turned(&left.shares)));
    let both_shares = left.shares.iter().flatten().copied().zip(right.shares.iter().flatten().copied());
    let alike = correlation(&both_shares.collect::<Vec<_>>());
    vec![
        at.any(
            "Even strong diversity does not keep groups from letting near values through.",
            "at some epsilon and delta more than half of the groups are vulnerable, by both norms",
            both.clone(),
            highest(left) > 0.5 && highest(right) > 0.5),
        at.any(
            "By both norms, vulnerability increases significantly as epsilon or delta grows.",
            "it falls nowhere, and at the largest epsilon and delta it is at least twice that at the least",
            both,
            all([left, right].map(|map| {
                let (low, high) = corners(map);
                never_falls(&map.shares) && never_falls(&turned(&map.shares)) && high > 0.0 && high >= 2.0 * low
            }))),
        at.its(
            "By the L1 norm, over half of the groups are vulnerable at any epsilon of at least 0.18 and delta of at least 0.85.",
            "the least share there is above one half",
            inner.map_or("no figure there".into(), |least| format!("at least {}", percent(least))),
            inner.map(|least| least > 0.5)),
        at.any(
            "Epsilon and delta reinforce each other: where one is large, a small step of the other does more.",
            "the largest step over delta is larger in the upper half of the epsilons than at the least epsilon, and the other \
             way round",
            format!(
                "largest step over delta {} at the least epsilon and {} above; over epsilon {} at the least delta and {} above",
                percent(along_delta.0),
                percent(along_delta.1),
                percent(along_epsilon.0),
                percent(along_epsilon.1)
            ),
            along_delta.1 > along_delta.0 && along_epsilon.1 > along_epsilon.0),
        at.any(
            "The two norms have similar characteristics.",
            "the correlation of the two maps is at least 0.9",
            alike.map_or("one map is flat".into(), |alike| format!("correlation {}", short(alike))),
            alike.map(|alike| alike >= 0.9)),
    ]
}

fn lowest(map: &Vulnerability) -> f64 {
    map.shares.first().and_then(|row| row.first()).copied().unwrap_or(0.0)
}

fn highest(map: &Vulnerability) -> f64 {
    map.shares.last().and_then(|row| row.last()).copied().unwrap_or(0.0)
}

fn turned(shares: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let width = shares.first().map_or(0, Vec::len);
    (0..width).map(|at| shares.iter().map(|row| row[at]).collect()).collect()
}

fn never_falls(shares: &[Vec<f64>]) -> bool {
    shares.iter().all(|row| row.windows(2).all(|pair| pair[0] <= pair[1]))
}

/// The least share at epsilons and deltas from some on.
fn inside(map: &Vulnerability, epsilon: f64, delta: f64) -> Option<f64> {
    let rows = map.epsilons.iter().zip(&map.shares).filter(|(at, _)| **at >= epsilon);
    let cells =
        rows.flat_map(|(_, row)| map.deltas.iter().zip(row).filter(|(at, _)| **at >= delta).map(|(_, share)| *share));
    cells.min_by(f64::total_cmp)
}

/// The largest step within the first row, and within any row of the upper half.
fn steps(rows: &[Vec<f64>]) -> (f64, f64) {
    let largest = |row: &Vec<f64>| row.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    let upper = rows.iter().skip(rows.len() / 2).map(largest).fold(0.0, f64::max);
    (rows.first().map_or(0.0, largest), upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing;

    /// A map that behaves as the paper says.
    fn map(power: f64) -> Vulnerability {
        let epsilons: Vec<f64> = (1..=15).map(|n| 0.02 * f64::from(n)).collect();
        let deltas: Vec<f64> = (10..=19).map(|n| 0.05 * f64::from(n)).collect();
        let share = |e: f64, d: f64| (e / 0.17).powf(power) * (d / 0.84).powf(2.0 * power) * 0.52;
        let shares = epsilons.iter().map(|&e| deltas.iter().map(|&d| share(e, d).min(1.0)).collect()).collect();
        Vulnerability { distance: "l1".into(), judged: "groups", groups: 10, epsilons, deltas, shares }
    }

    fn standings(left: &Vulnerability, right: &Vulnerability) -> Vec<Standing> {
        claims(left, right, true).iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn maps_as_in_the_paper_hold_every_claim() {
        assert_eq!(standings(&map(1.0), &map(1.2)), [Standing::Held; 5]);
        assert_eq!(claims(&map(1.0), &map(1.2), false)[2].standing, Standing::NotComparable);
    }

    #[test]
    fn other_maps_turn_claims_over() {
        let scaled = |by: f64| {
            let mut map = map(1.0);
            map.shares.iter_mut().flatten().for_each(|share| *share *= by);
            map
        };
        let half = scaled(0.5);
        assert_eq!(standings(&half, &half)[0], Standing::NotHeld);
        assert_eq!(standings(&half, &half)[2], Standing::NotHeld);
        let mut dent = map(1.0);
        dent.shares[7][5] = 0.0;
        assert_eq!(standings(&dent, &map(1.2))[1], Standing::NotHeld);
        let mut even = map(1.0);
        let width = even.deltas.len();
        for (at, share) in even.shares.iter_mut().flatten().enumerate() {
            *share = 0.03 * (at / width + at % width) as f64;
        }
        assert_eq!(standings(&even, &even)[3], Standing::NotHeld);
        let mut upside_down = map(1.0);
        upside_down.shares.reverse();
        assert_eq!(standings(&map(1.0), &upside_down)[4], Standing::NotHeld);
    }
}
