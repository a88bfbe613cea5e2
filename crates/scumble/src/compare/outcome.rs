//! How a run came out.

use serde::{Deserialize, Serialize};

/// How a run came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether there are figures.
    pub status: Status,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// What the run took. No figure depends on it, and it depends on the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// Whether a run has figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It has.
    Done,
    /// No release of this data can meet the requirements, or none was found.
    Infeasible,
    /// The settings do not go together.
    Refused,
    /// The run broke off; another comparison tries it again.
    Failed,
}

impl Status {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Done => "done",
            Status::Infeasible => "infeasible",
            Status::Refused => "refused",
            Status::Failed => "failed",
        }
    }
}

impl Outcome {
    /// A run without figures.
    pub fn without(status: Status, reason: impl Into<String>) -> Self {
        Outcome { status, reason: Some(reason.into()), figures: None, cost: None }
    }
}

/// What was measured of a release. The same request on the same data gives the same figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Who is counted where people are spoken of: `persons`, or `rows` where it is not known whose these are.
    #[serde(default)]
    pub counted: String,
    /// Persons who were looked for, where these are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// The fewest candidates that anybody has: people where these are counted, else rows.
    #[serde(default)]
    pub k_least: u64,
    /// People whom several tables of an angel release, joined by batch, leave among fewer rows than every box has, where people
    /// are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joined_people: Option<u64>,
    /// Rows that they leave among fewer, where rows are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joined_rows: Option<u64>,
    /// The fewest rows among which these tables leave anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joined_least: Option<u64>,
    /// Rows published with values.
    pub rows: u64,
    /// Rows published as stars.
    pub suppressed: u64,
    /// Groups, or batches.
    pub groups: u64,
    /// The least group.
    pub group_min: u64,
    /// The greatest group.
    pub group_max: u64,
    /// What each requirement reached, in words.
    pub attained: Vec<String>,
    /// Loss: mean over rows of the sum over quasi-identifiers of covered/domain.
    pub loss: f64,
    /// The same on the scale where a single value costs 0 and the whole domain 1.
    pub ncp: f64,
    /// Mean relative error of count queries.
    pub count_error_mean: Option<f64>,
    /// Median relative error of count queries.
    pub count_error_median: Option<f64>,
    /// Mean relative width of the bounds of an average over random people; nothing where the form has no such bounds.
    pub bound_width: Option<f64>,
    /// How far the distribution that the release tells lies from the true one, in nats; nothing where it has no value.
    pub kl_nats: Option<f64>,
    /// The greatest belief that an attacker comes to in a value of somebody.
    pub belief: Option<f64>,
    /// The sensitive column that it is about.
    pub belief_column: Option<String>,
    /// The mean over people of the belief in their own value, on the column where it is greatest.
    pub belief_mean: Option<f64>,
    /// The greatest probability to name a person's record rightly.
    pub prosecutor: f64,
    /// The expected share of people whose records are named rightly.
    pub marketer: f64,
    /// People whom exactly one record matches.
    pub unique_records: u64,
}

/// What a run took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds to group and verify.
    pub seconds: f64,
    /// Seconds to measure and attack.
    pub measuring_seconds: f64,
    /// Greatest resident memory of the process up to the verified release, in bytes; nothing where the system does not
    /// tell.
    pub peak_memory: Option<u64>,
    /// The same up to the end of the measuring.
    pub measuring_peak_memory: Option<u64>,
    /// Threads that the run had.
    pub threads: usize,
}
