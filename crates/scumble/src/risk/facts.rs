//! What an attack achieves, as figures.

use scumble_release::Method;
use scumble_risk::{AddedRisk, AttackOutcome, Inference, Matches, Profile};
use scumble_rules::RuleCount;
use scumble_table::{Counted, Decimal};
use scumble_verify::Joined;
use serde::Serialize;

/// How far an attacker gets.
#[derive(Debug, Clone, Serialize)]
pub struct RiskFacts {
    /// The data or the release.
    pub target: String,
    /// The form of a release; nothing for data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Records that the release shows as stars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// What rules did to data before the attack.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleCount>,
    /// Whether the people of the source were looked for; else records that show the same match.
    pub by_source: bool,
    /// Who is counted: `persons`, each once, where it is known whose rows are whose; else `rows`.
    #[serde(serialize_with = "as_word")]
    pub counted: Counted,
    /// Persons who are looked for, where these are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    #[serde(skip)]
    pub(super) several_rows: bool,
    /// What several tables of an angel release tell together, joined by batch, of somebody all of whose quasi-identifiers are
    /// known. Candidates are rows; those who are left among few of them are people where it is known whose rows are whose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined: Option<Joined>,
    /// The number of people that the data is a sample of, where that is known.
    pub population: Option<u64>,
    /// How `journalist` was found: `counted` in the population, or `expected` from its size alone. An expectation is that of
    /// a typical record; a record that is alone in the population may be worse off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journalist_by: Option<&'static str>,
    /// The attack with all known columns.
    #[serde(flatten)]
    pub attack: AttackFacts,
    /// The size up to which all subsets were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to: Option<usize>,
    /// Attacks with subsets of the known columns, the most successful first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subsets: Option<Vec<SubsetFacts>>,
    /// The known columns by what each adds to the risk, the most harmful first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<Vec<AttributeFacts>>,
    /// Beliefs above this count as an attack that succeeds.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_number")]
    pub belief: Option<Decimal>,
    /// What is believed about sensitive values of a release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inference: Option<Vec<Inference>>,
}

/// One attack.
#[derive(Debug, Clone, Serialize)]
pub struct AttackFacts {
    /// What the attacker knows.
    pub known: Vec<String>,
    /// The table that told most, where a release has several; `joined` where all of them told more, joined by batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// True where people have at least as many candidates as is said, since it is not certain whose all records are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
    /// True where people may have fewer candidates than is said: the figure counts rows that all tables joined leave, and whose these are does
    /// not follow across tables.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_most: bool,
    /// How many records match, or people where these are counted, and what follows.
    #[serde(flatten)]
    pub profile: Profile,
    /// The greatest risk of a record within the population.
    pub journalist: Option<f64>,
    /// The mean of that risk over records.
    pub journalist_mean: Option<f64>,
    /// How many records match how many people.
    #[serde(skip)]
    pub matches: Matches,
}

/// An attack with some of the known columns.
#[derive(Debug, Clone, Serialize)]
pub struct SubsetFacts {
    /// The attack.
    #[serde(flatten)]
    pub attack: AttackFacts,
    /// How much more of the people are named rightly than with the best of the subsets that lack one of the columns.
    pub adds: f64,
}

/// What a column adds when an attacker learns it in addition to others, on average over the subsets that lack it.
#[derive(Debug, Clone, Serialize)]
pub struct AttributeFacts {
    /// The column.
    pub column: String,
    /// Mean rise of the expected share of people who are named rightly.
    pub adds_marketer: f64,
    /// Mean rise of the number of people whom one record alone matches.
    pub adds_unique_records: f64,
    /// Subsets to which it was added.
    pub subsets: u64,
}

impl RiskFacts {
    /// Whether some of the people who are counted have several rows.
    pub fn by_person(&self) -> bool {
        self.several_rows
    }
}

impl AttackFacts {
    pub(super) fn new(found: AttackOutcome, known: &[String], thresholds: &[Decimal]) -> Self {
        AttackFacts {
            known: found.known.iter().map(|&at| known[at].clone()).collect(),
            table: found.table,
            at_least: found.at_least,
            at_most: found.at_most,
            profile: Profile::new(&found.matches, thresholds),
            journalist: found.journalist.map(|risk| risk.largest),
            journalist_mean: found.journalist.map(|risk| risk.mean),
            matches: found.matches,
        }
    }
}

impl AttributeFacts {
    pub(super) fn new(added: &AddedRisk, known: &[String]) -> Self {
        AttributeFacts {
            column: known[added.column].clone(),
            adds_marketer: added.marketer,
            adds_unique_records: added.unique_records,
            subsets: added.subsets,
        }
    }
}

fn as_word<S: serde::Serializer>(counted: &Counted, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(counted.name())
}

fn as_number<S: serde::Serializer>(value: &Option<Decimal>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_f64(value.to_f64()),
        None => serializer.serialize_none(),
    }
}
