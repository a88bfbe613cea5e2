//! The experiments of the papers, done again.
//!
//! Each paper has a module that knows the experiments of its evaluation section: it makes or reads a table, publishes,
//! verifies and measures, and returns [`Exhibit`]s (figures and tables) and [`Claim`]s. What becomes of a claim is
//! worked out from the numbers, never typed in.

mod cells;
mod claim;
mod columns;
mod data;
mod draw;
mod exhibit;
mod judge;
mod lines;
mod page;
mod paper1;
mod paper2;
mod paper3;
mod paper4;
mod paper5;
mod trial;
mod workshop;

pub use claim::{Claim, Standing};
pub use data::DataFacts;
pub use exhibit::{Body, Branch, Exhibit, Line, Rank};
pub use page::reproduction_page;

use scumble::{Error, Input, Observer, Result};
use serde::Serialize;
use std::str::FromStr;
use std::time::Instant;
use workshop::Workshop;

/// The papers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paper {
    /// (epsilon, m)-anonymity.
    Paper1,
    /// XColor.
    Paper2,
    /// Correlation-built hierarchies and the risk tool.
    Paper3,
    /// ANGEL.
    Paper4,
    /// (k, e)-anonymity by permutation.
    Paper5,
}

impl Paper {
    /// All of them.
    pub const ALL: [Paper; 5] = [Paper::Paper1, Paper::Paper2, Paper::Paper3, Paper::Paper4, Paper::Paper5];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Paper::Paper1 => "paper1",
            Paper::Paper2 => "paper2",
            Paper::Paper3 => "paper3",
            Paper::Paper4 => "paper4",
            Paper::Paper5 => "paper5",
        }
    }

    /// Who wrote what, where.
    pub fn reference(self) -> &'static str {
        match self {
            Paper::Paper1 => {
                "Li, Tao, Xiao: Preservation of Proximity Privacy in Publishing Numerical Sensitive Data, SIGMOD 2008"
            }
            Paper::Paper2 => "Wang, Liu: XColor: Protecting General Proximity Privacy, ICDE 2010",
            Paper::Paper3 => {
                "Mimoto, Basu, Kiyomoto: Towards Practical k-Anonymization: Correlation-based Construction of Generalization Hierarchy, SciTePress 2016"
            }
            Paper::Paper4 => {
                "Tao, Chen, Xiao, Zhou, Zhang: ANGEL: Enhancing the Utility of Generalization for Privacy Preserving Publication, TKDE"
            }
            Paper::Paper5 => "Zhang, Koudas, Srivastava, Yu: Aggregate Query Answering on Anonymized Tables, ICDE 2007",
        }
    }
}

impl FromStr for Paper {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Paper::ALL.into_iter().find(|paper| paper.name() == text);
        found.ok_or_else(|| {
            Error::request("PAPER", text, "there is no such paper").hint("paper1, paper2, paper3, paper4 or paper5")
        })
    }
}

/// What to do again, on which data.
#[derive(Debug, Clone)]
pub struct ReproduceRequest {
    /// Whose experiments.
    pub paper: Paper,
    /// A table to take instead of the generated stand-in.
    pub data: Option<Input>,
    /// Quasi-identifiers of that table, in the order in which the experiments take them; known by name where not given.
    pub quasi: Vec<String>,
    /// Sensitive columns of that table; known by name where not given.
    pub sensitive: Vec<String>,
    /// Fewer rows, parameters and queries, for a first look.
    pub quick: bool,
    /// Seed of generated data, questions and coins: a study can be repeated, and none of its releases is kept.
    pub seed: u64,
}

/// The experiments of one paper, as they came out.
#[derive(Debug, Clone, Serialize)]
pub struct Reproduction {
    /// Whose experiments.
    pub paper: Paper,
    /// Who wrote what, where.
    pub reference: &'static str,
    /// Whether this was a first look only.
    pub quick: bool,
    /// The seed.
    pub seed: u64,
    /// Whether a file was given: then figures tell of people who may not have been asked.
    pub from_file: bool,
    /// The tables that were used.
    pub data: Vec<DataFacts>,
    /// Figures and tables, in the paper's order.
    pub exhibits: Vec<Exhibit>,
    /// Claims, in the paper's order.
    pub claims: Vec<Claim>,
    /// What of the evaluation section cannot be computed again, and why.
    pub left_out: Vec<String>,
    /// How long it took.
    pub seconds: f64,
}

/// What a paper's module returns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    pub(crate) data: Vec<DataFacts>,
    pub(crate) exhibits: Vec<Exhibit>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) left_out: Vec<String>,
}

/// Does the experiments of a paper again.
///
/// # Errors
/// If the data cannot be read, lacks the columns that the experiments need, or a release that the experiments rest on
/// cannot be made. Parameters of a figure that no release can meet are points without a figure, not errors.
pub fn reproduce(request: &ReproduceRequest, observer: &dyn Observer) -> Result<Reproduction> {
    let started = Instant::now();
    let Findings { data, exhibits, claims, left_out } = experiments(request, observer)?;
    Ok(Reproduction {
        paper: request.paper,
        reference: request.paper.reference(),
        quick: request.quick,
        seed: request.seed,
        from_file: request.data.is_some(),
        data,
        exhibits,
        claims,
        left_out,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// The experiments themselves.
fn experiments(request: &ReproduceRequest, observer: &dyn Observer) -> Result<Findings> {
    let workshop = Workshop::new(observer)?;
    match request.paper {
        Paper::Paper1 => paper1::run(request, &workshop),
        Paper::Paper2 => paper2::run(request, &workshop),
        Paper::Paper3 => paper3::run(request, &workshop),
        Paper::Paper4 => paper4::run(request, &workshop),
        Paper::Paper5 => paper5::run(request, &workshop),
    }
}
