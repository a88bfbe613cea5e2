//! What a report of a release is told.

use crate::noun::Noun;

/// Everything that the report of a release shows.
///
/// It has no field for anything that readers of a release must not learn. Its caller fills it from the
/// manifest and the published tables alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReleaseFacts {
    /// `generalize`, `permute`, `anatomy` or `angel`.
    pub method: String,
    /// The algorithm that found the groups.
    pub algorithm: String,
    /// `standard`, `hardened` or `max-utility`.
    pub profile: String,
    /// Whether the random choices came from the operating system and were forgotten; false where they came from a seed.
    pub coins_secret: bool,
    /// What was required, each with what was reached.
    pub requirements: Vec<RequirementFacts>,
    /// The columns of the release.
    pub columns: Vec<ColumnFacts>,
    /// Rows published with values.
    pub rows: u64,
    /// Rows left out, or published as stars.
    pub suppressed: u64,
    /// Whether suppressed rows are published as stars.
    pub stars: bool,
    /// Whether generalized values show their ends in two columns.
    pub ends: bool,
    /// Who the requirements count.
    pub counted: Noun,
    /// Persons of the published rows, where it is known whose rows are whose.
    pub persons: Option<u64>,
    /// Those of the published rows that name no person, each of which was counted as a person of its own.
    pub unnamed: u64,
    /// Whether the persons are households.
    pub households: bool,
    /// Sensitive columns whose missing values requirements of diversity and closeness do not count.
    pub missing_ignored: Vec<String>,
    /// What the publisher took upon themselves, as sentences.
    pub accepted: Vec<String>,
    /// Groups; batches for `angel`.
    pub groups: u64,
    /// Pairs of a size and the number of groups of that size.
    pub group_sizes: Vec<(u64, u64)>,
    /// The loss of the whole table: the mean over its rows of the sum over the quasi-identifiers.
    pub loss: Option<f64>,
    /// The same on the scale of NCP.
    pub ncp: Option<f64>,
    /// The files: name, number of rows, what is in it.
    pub files: Vec<(String, u64, String)>,
    /// Further remarks for the readers of the release.
    pub notes: Vec<String>,
}

/// A requirement and what was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequirementFacts {
    /// The requirement as it was written, such as `k-anonymity(10)`.
    pub notation: String,
    /// The same in words; without them it is shown as it stands.
    pub meaning: Option<Meaning>,
    /// Which sensitive values it speaks of.
    pub guards: Guards,
    /// The figures reached: what was measured, and its value.
    pub attained: Vec<(String, String)>,
    /// The sensitive column whose figures these are, where it is said next to the requirement.
    pub column: Option<String>,
}

/// What a requirement promises, and what it does not. The last is never left out: a reader who takes a guarantee for more than
/// it is will be hurt by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// The name of the principle, as a heading.
    pub family: String,
    /// What is demanded: a clause, which becomes a sentence.
    pub demands: String,
    /// What stays hidden under these parameters: whole sentences.
    pub hides: String,
    /// What stays open under this principle: whole sentences.
    pub leaves: String,
}

/// Which sensitive values a requirement speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Guards {
    /// Those of every sensitive column. A principle of which nothing is known has the benefit of the doubt, since the warning
    /// that it guards nothing must be true.
    #[default]
    Everything,
    /// Those of this column.
    Column(String),
    /// None: it is about the sizes of groups.
    Sizes,
}

/// A column of the release.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnFacts {
    /// Its name.
    pub name: String,
    /// `quasi`, `sensitive` or `kept`.
    pub role: String,
    /// `number`, `date`, `ordinal` or `nominal`.
    pub kind: String,
    /// How much it was generalized: the mean NCP of its cells, 0 where all are exact, 1 where all cover
    /// everything.
    pub generalized: Option<f64>,
    /// The mean loss of its cells: the share of the domain that a cell covers.
    pub loss: Option<f64>,
}

impl ReleaseFacts {
    /// The names of the columns of a role.
    pub(super) fn names(&self, role: &str) -> Vec<&str> {
        self.columns.iter().filter(|column| column.role == role).map(|column| column.name.as_str()).collect()
    }

    /// What a row is: a person where nobody has several rows and that is known, else a row.
    pub(super) fn row(&self) -> Noun {
        if self.people_repeat() { Noun::ROW } else { self.counted }
    }

    /// True if some people have several rows, or may have: rows that name nobody may be of one person.
    pub(super) fn people_repeat(&self) -> bool {
        self.persons.is_some_and(|persons| persons != self.rows || self.unnamed > 0)
    }

    /// One and several of those whom persons are.
    pub(super) fn person_nouns(&self) -> (&'static str, &'static str) {
        if self.households { ("household", "households") } else { ("person", "persons") }
    }

    /// The size of the smallest group.
    pub(super) fn smallest_group(&self) -> Option<u64> {
        self.group_sizes.iter().filter(|(_, groups)| *groups > 0).map(|(size, _)| *size).min()
    }
}
