//! Zhang, Koudas, Srivastava, Yu: figures 6 to 17.
//!
//! Bounds of averages, as wide in terms of the answer as the paper's `error = (u - l) / r`. Groups are formed in memory and
//! each of them is looked at once more; nothing is published.

mod approaches;
mod correlation;
mod generalized;
mod overhead;
mod partitions;
mod people;
mod scalability;
mod sources;
mod taxonomy;
#[cfg(test)]
mod tests;
mod trade_off;

use crate::data::DataFacts;
use crate::figure::YAxis;
use crate::runner::Runner;
use crate::{Findings, ReproduceRequest};
use scumble::Result;
use scumble_measure::BoundQuestions;
use std::hint::black_box;
use std::time::Instant;

/// What an axis of times measures.
const TIME: &str = "microseconds";

/// Relative errors. Approaches differ by powers of ten, and what differs by less should be seen as well.
const ERROR: YAxis = YAxis { label: "relative error", unit: "%", by_powers: true };

/// What the paper's words come to as factors, the same wherever they stand.
const SIGNIFICANTLY: f64 = 1.5;
const MUCH: f64 = 2.0;
const COMPARABLE: f64 = 1.5;

/// How much of everything.
struct Scale {
    seed: u64,
    /// Seeds of groups and made-up tables.
    seeds: Vec<u64>,
    questions: usize,
    /// Parts of the people that arbitrary queries select.
    sizes: Vec<f64>,
    /// Spans of ranges, in years.
    spans: Vec<f64>,
    deviations: Vec<f64>,
    ks: Vec<u64>,
    es: Vec<i128>,
    sizes_of_tables: Vec<usize>,
    /// Runs of what is timed.
    repeats: usize,
}

impl Scale {
    fn new(request: &ReproduceRequest) -> Self {
        let quick = request.quick;
        let every = |quickly: usize| if quick { quickly } else { 1 };
        Scale {
            seed: request.seed,
            seeds: (0..if quick { 2 } else { 10 }).map(|at| request.seed.wrapping_add(at)).collect(),
            questions: if quick { 200 } else { 1000 },
            sizes: [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].into_iter().step_by(every(2)).collect(),
            spans: [5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0].into_iter().step_by(every(3)).collect(),
            deviations: (1..=10).map(|step| 5.0 * f64::from(step)).collect(),
            ks: (1..=10).map(|step| 4 * step).step_by(every(3)).collect(),
            es: (2..=10).map(|step| 20 * step).step_by(every(2)).collect(),
            sizes_of_tables: (1..=20).map(|step| 100 * step).step_by(every(4)).collect(),
            repeats: if quick { 20 } else { 200 },
        }
    }

    /// Arbitrary queries and ranges, about averages.
    fn questions(&self, spans: Vec<f64>) -> BoundQuestions {
        let (sizes, seed) = (self.sizes.clone(), self.seed);
        BoundQuestions { sizes, spans, questions: self.questions, seed, ..BoundQuestions::default() }
    }

    /// Ranges alone.
    fn ranges(&self, spans: Vec<f64>) -> BoundQuestions {
        BoundQuestions { sizes: Vec::new(), ..self.questions(spans) }
    }
}

/// Does the experiments again.
pub(super) fn run(request: &ReproduceRequest, runner: &Runner) -> Result<Findings> {
    let scale = Scale::new(request);
    let investors = sources::investors(request, runner)?;
    let mut findings = Findings::default();
    let four = approaches::generalized(&investors.younger, 4)?;
    generalized::figures(&investors, &four, &scale, &mut findings)?;
    partitions::figures(&investors, &four, &scale, runner, &mut findings)?;
    correlation::figures(&scale, runner, &mut findings)?;
    trade_off::figures(&scale, runner, &mut findings)?;
    overhead::figures(&scale, &mut findings)?;
    scalability::figures(&scale, &mut findings)?;
    let made_up = |name, rows, stands_for| DataFacts::made_up(name, rows, &["age", "capital_loss"], stands_for);
    findings.data = vec![
        investors.facts,
        made_up("made-up people whose loss follows their age", sources::PEOPLE, "the synthetic table of figure 12"),
        made_up("made-up people", sources::PEOPLE, "the synthetic table of figures 13 and 14"),
        made_up("more made-up people", trade_off::MADE_UP, "the synthetic table of figures 15 and 16"),
    ];
    findings.left_out = vec![
        "Seconds of the paper's database and machine (figures 15 to 17). What is read, looked up and stepped through is counted \
         instead, and our own times are shown without being judged. The benchmark `scumble-bench-query` times answers in SQL."
            .into(),
        "The trees of the hierarchies, and with them the exact groups of generalization: their heights are known from the work \
         on l-diversity, and which label lies under which is our reading."
            .into(),
        "The synthetic table of figure 12, of which neither the spread of losses nor the unit of the variance is told. It is \
         made in two ways, and a claim is judged where they agree."
            .into(),
        "That all optimization algorithms take about the same time (section 7.3): only the first is done again as it is printed, \
         and ours are quicker ones."
            .into(),
        "The printed curves: the text of the paper gives no figures for them, so that only what it says of them can be judged."
            .into(),
    ];
    Ok(findings)
}

/// Microseconds of the fastest of some runs.
fn fastest<R>(repeats: usize, work: impl Fn() -> R) -> f64 {
    let once = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..repeats).map(once).fold(f64::INFINITY, f64::min)
}
