//! What is told: principle by principle, point by point.

use super::{UsedThreshold, page};
use serde::Serialize;

/// What the principles allow on a table, and what they cost.
#[derive(Debug, Clone, Serialize)]
pub struct Choices {
    /// Rows of the table.
    pub rows: u64,
    /// Persons of these rows, where it is known whose rows are whose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Who is counted: `persons`, or `rows` where it is not known whose they are.
    pub counted: &'static str,
    /// Quasi-identifiers.
    pub quasi: Vec<String>,
    /// Sensitive columns.
    pub sensitive: Vec<String>,
    /// What the costs were measured on.
    pub sample: SampleFacts,
    /// Principle by principle and column by column.
    pub advice: Vec<PrincipleChoice>,
    /// Principles that cannot be put to a column, and why.
    pub without_advice: Vec<WithoutAdvice>,
    /// Thresholds in wide use, where the size of groups is advised on.
    #[serde(skip_serializing_if = "<[UsedThreshold]>::is_empty")]
    pub thresholds: &'static [UsedThreshold],
}

/// What requirements were tried on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SampleFacts {
    /// Its rows.
    pub rows: u64,
    /// Persons of these rows, where it is known whose rows are whose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Whether these are all rows of the table.
    pub whole: bool,
    /// The seed that they were drawn with, where they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// The grid of a principle on a column.
#[derive(Debug, Clone, Serialize)]
pub struct PrincipleChoice {
    /// Its name.
    pub principle: &'static str,
    /// The column that it is about; nothing where only the size of groups matters, or all sensitive columns are one value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// What it asks, in one line.
    pub asks: &'static str,
    /// Names of its parameters.
    pub parameters: Vec<&'static str>,
    /// Whether it asks for the size of groups and nothing else.
    #[serde(skip)]
    pub sizes_only: bool,
    /// The most that can be asked: everybody as one group meets it, and no grouping meets more. Where people have several rows
    /// nothing says that no grouping meets more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strictest: Option<String>,
    /// Whether the sample is not what the costs were measured on, but the whole table: chances to be in a release change with it.
    pub whole_table: bool,
    /// The points, the values of the first parameter rising slowest.
    pub points: Vec<Choice>,
}

/// One requirement: whether it can be met, and what it costs.
#[derive(Debug, Clone, Serialize)]
pub struct Choice {
    /// As a requirement, ready to be asked for.
    pub requirement: String,
    /// The values of its parameters, in their order; empty for one that was left out.
    pub values: Vec<String>,
    /// Whether some grouping of all rows meets it; nothing where only a search can tell.
    pub can_be_met: Option<bool>,
    /// Why not, where it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The nearest that can be met, as requirements, where it cannot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<String>,
    /// The `n` of the greatest chance, 1/n, of finding somebody that it allows, where it bounds that chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_of: Option<u64>,
    /// The release of the sample; nothing where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<TrialFigures>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_tried: Option<String>,
    /// Why `publish` refuses it as long as nothing more is said, with what to do there; the figures are of a release in which that was
    /// accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publish_refuses: Option<String>,
    /// The best groups of the whole table, where they lie along the order of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widths: Option<Widths>,
}

/// A release that was made of the sample, verified and thrown away. People are counted where rows are known to be theirs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrialFigures {
    /// Its groups.
    pub groups: u64,
    /// The size n of the smallest group: the chance of finding somebody in it is 1/n.
    pub smallest: u64,
    /// Members of all groups together; somebody who is in several counts in each.
    pub members: u64,
    /// The largest group.
    pub largest: u64,
    /// What the groups reach, figure by figure; people are counted where rows are known to be theirs.
    pub attained: Vec<(String, String)>,
    /// NCP, summed over quasi-identifiers: 0 for one whose values are published, 1 for one that shows nothing.
    pub ncp: f64,
    /// The same for each of them on average.
    pub ncp_per_attribute: f64,
}

/// The best groups along the order of numbers, in the column's own unit, for the whole table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Widths {
    /// Groups that `permute` makes, whose bounds of sums are the narrowest.
    pub groups: u64,
    /// The mean, over rows, of the range of their group: how wide the bounds of one person's number are.
    pub mean_range: f64,
    /// The greatest range of these groups.
    pub greatest_range: String,
    /// The most groups that runs of sorted numbers can be cut into (algorithm `max-groups`).
    pub most_groups: u64,
    /// The least greatest range of such runs (algorithm `min-max`).
    pub least_greatest_range: String,
    /// Whether these are the optima; not so where a requirement on people or on missing numbers has changed the groups.
    pub optimal: bool,
}

/// A principle that cannot be put to a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WithoutAdvice {
    /// Its name.
    pub principle: &'static str,
    /// The column, where it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Why, with what to do about it.
    pub reason: String,
}

impl Choices {
    /// A page with tables and charts, for the publisher's eyes.
    pub fn page(&self) -> String {
        page::page(self)
    }

    /// The principle that [`Choices::thresholds`] stand beside: the first that bounds chances by the size of groups alone.
    pub fn beside_thresholds(&self) -> Option<&PrincipleChoice> {
        let bounds_chances = |one: &&PrincipleChoice| one.points.iter().any(|point| point.one_of.is_some());
        self.advice.iter().filter(|one| one.sizes_only).find(bounds_chances).filter(|_| !self.thresholds.is_empty())
    }

    /// True if something can be met, or if that is open.
    pub fn any_can_be_met(&self) -> bool {
        self.advice.iter().flat_map(|one| &one.points).any(|point| point.can_be_met != Some(false))
    }
}
