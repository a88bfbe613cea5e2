//! Tao, Chen, Xiao, Zhou, Zhang: figures 4 and 5, and table 9.
//!
//! Every point is a release that was published and verified, and is measured from what is on disk.

mod counting;
mod marginals;
mod reconstruction;
mod runs;
mod source;
#[cfg(test)]
mod tests;

use super::workshop::Workshop;
use super::{Body, Exhibit, Findings, Line, ReproduceRequest};
use scumble::Result;
use scumble_report::grouped;

/// How much of everything.
struct Scale {
    seed: u64,
    ls: Vec<u32>,
    ts: Vec<f64>,
    volumes: Vec<f64>,
    queries: usize,
}

impl Scale {
    fn of(request: &ReproduceRequest) -> Self {
        let seed = request.seed;
        if request.quick {
            let (ls, ts, volumes) = (vec![2, 6, 10], vec![0.1, 0.2, 0.3], vec![0.03, 0.05, 0.1]);
            return Scale { seed, ls, ts, volumes, queries: 300 };
        }
        Scale {
            seed,
            ls: vec![2, 4, 6, 8, 10],
            ts: vec![0.1, 0.15, 0.2, 0.25, 0.3],
            volumes: (3..=10).map(|percent| f64::from(percent) / 100.0).collect(),
            queries: 1000,
        }
    }
}

/// Does the experiments again.
pub(super) fn run(request: &ReproduceRequest, workshop: &Workshop<'_>) -> Result<Findings> {
    let scale = Scale::of(request);
    let table = source::occupations(request, workshop)?;
    let runs = runs::runs(&table, &scale, workshop)?;
    let setting = format!(
        "{} people; every bucket of an angel release holds at least 10 of them, and shows an interval of each \
         quasi-identifier.{}",
        grouped(table.facts.rows),
        table.remark.as_ref().map(|remark| format!(" {remark}")).unwrap_or_default()
    );
    let mut findings = Findings::default();
    reconstruction::figures(&runs, &scale, &setting, &mut findings);
    counting::figures(&runs, &scale, &setting, &mut findings);
    marginals::tables(&runs, &table, &setting, &mut findings);
    findings.data = vec![table.facts];
    findings.left_out = vec![
        "The printed curves of figures 4 and 5: the text gives no figures for them, nor the values of l and t. They are judged by \
         what the text says, over values on both sides of the 10-diversity and 0.2-closeness that it names."
            .into(),
        "Sets of marital statuses, work classes and genders as conditions of count queries: columns are ordered codes here, as \
         the paper's intervals need them, and are asked for intervals."
            .into(),
    ];
    findings.left_out.extend(runs.impossible());
    Ok(findings)
}

/// A figure of plain numbers.
fn figure(number: &str, title: &str, setting: &str, x: &str, y: &str, series: Vec<Line>) -> Exhibit {
    let body = Body::Lines { x: x.into(), y: y.into(), unit: String::new(), by_powers: false, series };
    Exhibit { number: number.into(), title: title.into(), setting: setting.into(), body }
}

/// A figure of relative errors, which differ by powers of ten.
fn errors(number: &str, title: &str, setting: &str, x: &str, series: &[Line]) -> Exhibit {
    let hundred = |line: &Line| Line {
        points: line.points.iter().map(|&(x, y)| (x, y.map(|y| 100.0 * y))).collect(),
        ..line.clone()
    };
    let series = series.iter().map(hundred).collect();
    let body = Body::Lines { x: x.into(), y: "mean relative error".into(), unit: "%".into(), by_powers: true, series };
    Exhibit { number: number.into(), title: title.into(), setting: setting.into(), body }
}

/// Figures one after another.
fn listed(figures: impl Iterator<Item = f64>) -> String {
    figures.map(|figure| format!("{figure:.3}")).collect::<Vec<_>>().join(", ")
}
