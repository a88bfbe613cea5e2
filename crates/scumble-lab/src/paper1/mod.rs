//! (epsilon, m)-anonymity: section 6 of Li, Tao, Xiao, SIGMOD 2008.
//!
//! The paper publishes SAL, half a million people with age, birthplace, occupation and a sensitive income, asks each
//! release a thousand count queries, and compares the errors with those of perturbation under the same requirement. Its
//! figures are over epsilon (4), m (5), the volume of queries (6), and about time (7).

mod figure4;
mod figure5;
mod figure6;
mod figure7;
mod measured;
mod panel;
#[cfg(test)]
mod tests;

use crate::columns::{WantedColumn, WantedColumns};
use crate::data::{StudyData, StudySource};
use crate::runner::Runner;
use crate::{Findings, ReproduceRequest};
use measured::{Form, Parameters, Results, measure};
use scumble::{Decimal, Result, Sample};

/// The paper's table.
const SAL: &str = "SAL, 500,000 Americans of a census, with age, birthplace, occupation and income";

const COLUMNS: WantedColumns = WantedColumns {
    quasi: &[
        WantedColumn::any("age", &["age", "AGEP"]),
        WantedColumn::any("birthplace", &["birthplace", "POBP", "STATE", "native_country"]),
        WantedColumn::any("occupation", &["occupation", "OCCP"]),
    ],
    sensitive: &[WantedColumn::number("income", &["income", "PINCP", "salary", "HHIncomeMid"])],
};

const SOURCE: StudySource =
    StudySource { columns: COLUMNS, stand_in: Sample::Census, rows: 500_000, quick_rows: 30_000 };

/// The paper's m where epsilon or the volume varies.
const M: u64 = 5;

/// The paper's volume where others vary.
const VOLUME: f64 = 0.1;

/// Numbers of columns in a query.
const DIMENSIONS: [usize; 3] = [2, 3, 4];

/// What is much better is better by this factor.
const MUCH: f64 = 2.0;

/// What is varied.
#[derive(Debug, Clone)]
struct Grid {
    absolute: Vec<Decimal>,
    relative: Vec<Decimal>,
    ms: Vec<u64>,
    volumes: Vec<f64>,
    queries: usize,
}

impl Grid {
    /// The paper's ranges. Those of epsilon go on beyond the paper's, for its limits are those of its incomes, and other
    /// incomes have others.
    fn new(quick: bool) -> Self {
        let thousands = |all: &[i128]| all.iter().map(|&n| Decimal::new(n, 0)).collect();
        let thousandths = |all: &[i128]| all.iter().map(|&n| Decimal::new(n, 3)).collect();
        if quick {
            return Grid {
                absolute: thousands(&[1_000, 2_000, 4_000, 4_500, 8_000, 16_000]),
                relative: thousandths(&[25, 50, 100, 125, 150, 200, 400]),
                ms: vec![2, 3, 5, 7],
                volumes: vec![0.01, 0.05, 0.1, 0.2],
                queries: 200,
            };
        }
        Grid {
            absolute: thousands(&[
                1_000, 2_000, 3_000, 4_000, 4_500, 5_000, 6_000, 8_000, 12_000, 16_000, 20_000, 30_000,
            ]),
            relative: thousandths(&[25, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500]),
            ms: (2..=7).collect(),
            volumes: vec![0.01, 0.02, 0.05, 0.1, 0.15, 0.2],
            queries: 1000,
        }
    }

    fn epsilons(&self, form: Form) -> &[Decimal] {
        match form {
            Form::Absolute => &self.absolute,
            Form::Relative => &self.relative,
        }
    }

    /// Figures over epsilon.
    fn over_epsilon(&self, form: Form) -> Vec<Parameters> {
        self.epsilons(form).iter().map(|&epsilon| Parameters { form, epsilon, m: M }).collect()
    }

    /// Figures over m.
    fn over_m(&self, form: Form) -> Vec<Parameters> {
        self.ms.iter().map(|&m| Parameters { m, ..form.usual() }).collect()
    }

    /// All settings, each once.
    fn all(&self) -> Vec<Parameters> {
        let mut all: Vec<Parameters> =
            Form::ALL.iter().flat_map(|&form| [self.over_epsilon(form), self.over_m(form)].concat()).collect();
        all.sort();
        all.dedup();
        all
    }
}

/// Does the experiments of section 6.
pub(super) fn run(request: &ReproduceRequest, runner: &Runner) -> Result<Findings> {
    let data = SOURCE.sampled(request, runner)?;
    let own = is_sal(&data)?;
    let grid = Grid::new(request.quick);
    let results = measure(&data, request.seed, &grid, runner)?;
    let findings = judged(&results, &grid, own, data.table.n_rows() as u64);
    Ok(Findings { data: vec![data.facts(SAL, own)], ..findings })
}

/// Figures and claims from numbers.
fn judged(results: &Results, grid: &Grid, own: bool, rows: u64) -> Findings {
    let mut findings = Findings::default();
    figure4::add(&mut findings, results, grid, own);
    figure5::add(&mut findings, results, grid, own);
    figure6::add(&mut findings, results, grid, own);
    figure7::add(&mut findings, results, grid, rows);
    findings
}

/// Whether a table is the paper's, by all that section 6 says of it.
fn is_sal(data: &StudyData) -> Result<bool> {
    let within = |name: &str, low: f64, high: f64| Ok(data.table.column(name)?.whole_within(low, high));
    let [age, birthplace, occupation] = &data.columns.quasi[..] else { return Ok(false) };
    let [income] = &data.columns.sensitive[..] else { return Ok(false) };
    Ok(data.table.n_rows() == 500_000
        && data.table.column(age)?.range() == Some((16.0, 93.0))
        && within(birthplace, 1.0, 710.0)?
        && within(occupation, 1.0, 983.0)?
        && within(income, 1_000.0, 100_000.0)?)
}
