//! The experiments of the papers, done again.
//!
//! Each paper has a module that knows the experiments of its evaluation section: it makes or reads a table, makes, verifies
//! and measures releases in memory, and returns [`Figure`]s (figures and tables) and [`Claim`]s. What becomes of a claim is
//! worked out from the numbers, never typed in.
//!
//! A study calls the library as a steward would. Nothing that it writes is a release.

mod attempt;
mod claim;
mod columns;
mod data;
mod decision;
mod draw;
mod figure;
mod page;
mod paper1;
mod paper2;
mod paper3;
mod paper4;
mod paper5;
mod runner;
mod series;
mod study_table;
mod variant;

pub use claim::{Claim, Standing};
pub use data::DataFacts;
pub use figure::{Branch, Figure, FigureBody, TreeLevel};
pub use page::reproduction_page;
pub use series::Series;

use runner::Runner;
use scumble::{Context, Error, Input, Result};
use serde::Serialize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;

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
        ["paper1", "paper2", "paper3", "paper4", "paper5"][self as usize]
    }

    /// Who wrote what, where.
    pub fn reference(self) -> &'static str {
        REFERENCES[self as usize]
    }
}

const REFERENCES: [&str; 5] = [
    "Li, Tao, Xiao: Preservation of Proximity Privacy in Publishing Numerical Sensitive Data, SIGMOD 2008",
    "Wang, Liu: XColor: Protecting General Proximity Privacy, ICDE 2010",
    "Mimoto, Basu, Kiyomoto: Towards Practical k-Anonymization: Correlation-based Construction of Generalization Hierarchy, SciTePress 2016",
    "Tao, Chen, Xiao, Zhou, Zhang: ANGEL: Enhancing the Utility of Generalization for Privacy Preserving Publication, TKDE",
    "Zhang, Koudas, Srivastava, Yu: Aggregate Query Answering on Anonymized Tables, ICDE 2007",
];

impl FromStr for Paper {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Paper::ALL.into_iter().find(|paper| paper.name() == text);
        found.ok_or_else(|| {
            Error::request("paper", text, "there is no such paper").hint("paper1, paper2, paper3, paper4 or paper5")
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

impl ReproduceRequest {
    /// The whole experiments of a paper on generated data.
    pub fn new(paper: Paper) -> Self {
        ReproduceRequest { paper, data: None, quasi: Vec::new(), sensitive: Vec::new(), quick: false, seed: 1 }
    }

    /// The same on a file.
    #[must_use]
    pub fn on(self, path: impl Into<PathBuf>) -> Self {
        ReproduceRequest { data: Some(Input { path: Some(path.into()), ..Input::default() }), ..self }
    }
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
    #[serde(rename = "exhibits")]
    pub figures: Vec<Figure>,
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
    pub(crate) figures: Vec<Figure>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) left_out: Vec<String>,
}

/// Does the experiments of a paper again.
///
/// # Errors
/// If the data cannot be read, lacks the columns that the experiments need, or a release that the experiments rest on
/// cannot be made. Parameters of a figure that no release can meet are points without a figure, not errors.
pub fn reproduce(request: &ReproduceRequest, context: &Context) -> Result<Reproduction> {
    let started = Instant::now();
    let runner = Runner::new(context);
    let run = match request.paper {
        Paper::Paper1 => paper1::run,
        Paper::Paper2 => paper2::run,
        Paper::Paper3 => paper3::run,
        Paper::Paper4 => paper4::run,
        Paper::Paper5 => paper5::run,
    };
    let Findings { data, figures, claims, left_out } = run(request, &runner)?;
    Ok(Reproduction {
        paper: request.paper,
        reference: request.paper.reference(),
        quick: request.quick,
        seed: request.seed,
        from_file: request.data.is_some(),
        data,
        figures,
        claims,
        left_out,
        seconds: started.elapsed().as_secs_f64(),
    })
}
