//! Tao, Chen, Xiao, Zhou, Zhang: figures 4 and 5, and table 9.
//!
//! Every point is a release that was made and verified, and is measured by what it shows.

mod counting;
mod marginals;
mod reconstruction;
mod releases;
mod source;
#[cfg(test)]
mod tests;

use crate::decision::joined;
use crate::runner::Runner;
use crate::{Findings, ReproduceRequest};
use releases::Principle;
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
    fn new(request: &ReproduceRequest) -> Self {
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

    /// The parameters that the panels a and b of a figure go over, with their letter and the name of their principle.
    fn panels(&self) -> [(&'static str, &'static str, &'static str, Vec<Principle>); 2] {
        let diversities = self.ls.iter().map(|&l| Principle::Diversity(l)).collect();
        let closenesses = self.ts.iter().map(|&t| Principle::Closeness(t)).collect();
        [("a", "l", "l-diversity", diversities), ("b", "t", "t-closeness", closenesses)]
    }
}

/// Does the experiments again.
pub(super) fn run(request: &ReproduceRequest, runner: &Runner) -> Result<Findings> {
    let scale = Scale::new(request);
    let table = source::occupations(request, runner)?;
    let runs = releases::runs(&table, &scale, runner)?;
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

/// Figures one after another, with three digits after the point.
fn thousandths(figures: impl Iterator<Item = f64>) -> String {
    joined(figures.map(|figure| format!("{figure:.3}")))
}
