//! `manifest.json`: what a release says about itself, and nothing about how it came to be.

mod box_kind;
mod read;
mod vocabulary;
mod write;

pub use box_kind::BoxKind;
pub use vocabulary::{
    ACCEPT_OVERLAP, ROWS_ARE_PEOPLE, accept_keep, accepted_column, allow_sets, register_algorithm_name,
    unexpected_words,
};
pub use write::serialize_figures;

use crate::PublishedColumn;
use crate::coarse::Coarse;
use crate::form::{BATCH, COUNT, GROUP, HITS, TUPLE};
use crate::published_column::Extent;
use scumble_principle::Distance;
use scumble_table::{Counted, Hierarchy, Kind, Missing, Result, Role};
use serde::Serialize;
use std::sync::Arc;

/// The file that makes a directory a release.
pub const MANIFEST: &str = "manifest.json";

/// The page for human readers.
pub const REPORT: &str = "report.html";

/// The version written into manifests. A reader accepts its own major version up to its own minor one.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The fields of `manifest.json`, in their order.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Manifest {
    /// Version of the program that wrote it.
    pub scumble: String,
    /// The form of the release.
    pub method: Method,
    /// The algorithm that found the groups.
    pub algorithm: String,
    /// What was required, in canonical notation.
    pub requirements: Vec<String>,
    /// The published columns.
    pub columns: Vec<ManifestColumn>,
    /// The distance that `dissimilarity` was judged by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<String>,
    /// Whether what requirements allow in a group holds for mixtures of groups too, or is claimed by the boxes of an angel release;
    /// nothing where neither is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixtures: Option<Mixtures>,
    /// Hierarchy files by column; filled in by the writer.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "write::object")]
    pub hierarchies: Vec<(String, String)>,
    /// Columns whose intervals depend on other columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditional: Vec<ConditionalColumn>,
    /// Columns whose labels stand for values that the release does not list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coarse: Vec<CoarseColumn>,
    /// Sensitive columns whose missing values are left out of what requirements of diversity and closeness count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingColumn>,
    /// Least number of rows in a bucket of an angel release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angel_k: Option<u64>,
    /// What boxes tell about their ends; stated where they are not as small as their groups.
    #[serde(skip_serializing_if = "BoxKind::is_minimal")]
    pub boxes: BoxKind,
    /// Rows published with values.
    pub rows: u64,
    /// Rows left out, or published as stars.
    pub suppressed: u64,
    /// Persons of the rows published with values, where it is known whose rows are whose; requirements count persons then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Those of these rows that name no person, each of which was counted as a person of its own; all of them where no row names one, and
    /// rows are counted. Stated only where there are some.
    #[serde(skip_serializing_if = "is_zero")]
    pub unnamed: u64,
    /// What the persons are, where they are no people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<CountedWord>,
    /// What was counted in the population that boxes were judged against, where it was not people although persons are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationWord>,
    /// What the publisher took upon themselves: names of options that set a refusal aside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<String>,
    /// How far a ledger of earlier releases could look for the people of this one; nothing where none was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerWord>,
    /// Number of groups.
    pub groups: u64,
    /// The tables; filled in by the writer.
    pub tables: Vec<TableEntry>,
    /// Checksums of the hierarchies and matrices; filled in by the writer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileEntry>,
    /// What was really reached, one or more entries per requirement.
    pub attained: Vec<AttainedEntry>,
    /// `standard`, `hardened` or `max-utility`.
    pub profile: String,
    /// Whether the coins were secret.
    pub coins: Coins,
}

/// Numbers that are stated only where there is something to count.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The form of a release.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Boxes with exact sensitive values.
    #[default]
    Generalize,
    /// Exact quasi-identifiers with sensitive values permuted inside groups.
    Permute,
    /// Exact quasi-identifiers and counts of sensitive values per group.
    Anatomy,
    /// Boxes and batches of sensitive values.
    Angel,
}

impl Method {
    const ALL: [Method; 4] = [Method::Generalize, Method::Permute, Method::Anatomy, Method::Angel];

    /// The word for it in flags and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Method::Generalize => "generalize",
            Method::Permute => "permute",
            Method::Anatomy => "anatomy",
            Method::Angel => "angel",
        }
    }

    /// The columns that its tables have besides those of the data, and what they show; only those that no column
    /// of the data may be named after, since readers tell them apart by name.
    pub fn reserved(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Method::Generalize => &[(GROUP, "group numbers")],
            Method::Angel => &[(BATCH, "batch numbers"), (COUNT, "counts")],
            Method::Anatomy => &[(GROUP, "group numbers"), (COUNT, "counts")],
            Method::Permute => &[(GROUP, "group numbers"), (TUPLE, "tuple numbers"), (HITS, "hits")],
        }
    }
}

/// Whether the random choices behind a release can be repeated by somebody else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Coins {
    /// Drawn from the operating system and forgotten.
    Secret,
    /// Derived from a seed that somebody chose: for tests and reproduction only.
    #[default]
    Seeded,
}

/// What persons are that are no people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CountedWord {
    /// Households, by the name of the column that tells them apart.
    Households,
}

/// What was counted in a population.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PopulationWord {
    /// Rows, for nothing said whose they are.
    Rows,
}

/// What a release says of mixtures of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mixtures {
    /// An attacker who knows a person's quasi-identifiers but not the group believes no more than is allowed in a group.
    Hold,
    /// A box of an angel release claims the mixture of its batches: it counts every person of a batch as equally likely to have
    /// each of its values.
    Claimed,
}

/// How far the people of a release were looked for in earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LedgerWord {
    /// In every earlier release that the ledger knows, by the same key, which every row has.
    Compared,
    /// Not everywhere, or not everybody: people of some releases are known by another key, or rows do not say by a key whose they are.
    Partly,
}

/// A published column in the manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct ManifestColumn {
    /// Name in the header.
    pub name: String,
    /// What it is to the release.
    pub role: Role,
    /// How its values compare (`type` in the file).
    pub kind: Kind,
    /// The values as the release itself shows them.
    pub domain: Extent,
    /// Whether the ends of its values stand in two columns of their own; `published` in the file names them.
    pub published: bool,
}

impl ManifestColumn {
    /// The column with its hierarchy, ready to read texts by.
    pub fn published(&self, hierarchy: Option<Arc<Hierarchy>>) -> Result<PublishedColumn> {
        PublishedColumn::new(&self.name, self.role, self.kind, self.domain.clone(), hierarchy)?
            .with_ends(self.published)
    }
}

/// A column whose intervals depend on the context, which other columns show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConditionalColumn {
    /// The column.
    pub column: String,
    /// The contexts that occur.
    pub contexts: Vec<ContextShown>,
}

/// A context as the table shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContextShown {
    /// What its rows show in the columns that it depends on; nothing for rows that are in no other context.
    #[serde(serialize_with = "write::object")]
    pub when: Vec<(String, Vec<String>)>,
    /// What its rows show in the column itself.
    pub shows: Vec<String>,
}

/// A column whose labels stand for values that the release does not list: its hierarchy begins with the labels that the
/// table shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CoarseColumn {
    /// The column.
    pub column: String,
    /// The label of all values that have no label of their own; without it labels are masks, such as `130**`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
}

impl CoarseColumn {
    /// How the labels are to be understood.
    pub fn meaning(&self) -> Coarse {
        self.rest.clone().map_or(Coarse::Masks, Coarse::Rest)
    }
}

/// A sensitive column whose missing values are left out of what requirements count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissingColumn {
    /// The column.
    pub column: String,
    /// Rows published with values of which this one is missing.
    pub ignored: u64,
}

/// A table file in the manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableEntry {
    /// Name of the table, such as `table`.
    pub name: String,
    /// File in the same directory.
    pub file: String,
    /// Rows in the file, those published as stars too.
    pub rows: u64,
    /// Checksum of the file, in hexadecimal; empty where the table is in memory.
    pub sha256: String,
}

/// A file of the manifest that is no table: a hierarchy or a matrix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileEntry {
    /// File in the same directory.
    pub file: String,
    /// Checksum of the file, in hexadecimal.
    pub sha256: String,
}

/// What a requirement really reached. In the file the figures are fields of the same object as the requirement, as
/// numbers where they are plain decimals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttainedEntry {
    /// The requirement in canonical notation.
    pub requirement: String,
    /// The sensitive column, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Names and values of the figures reached.
    #[serde(flatten, serialize_with = "serialize_figures")]
    pub figures: Vec<(String, String)>,
}

impl Manifest {
    /// A manifest that states nothing yet.
    pub fn new(method: Method, algorithm: impl Into<String>) -> Self {
        Manifest {
            scumble: VERSION.into(),
            method,
            algorithm: algorithm.into(),
            mixtures: (method == Method::Angel).then_some(Mixtures::Claimed),
            profile: "standard".into(),
            coins: Coins::Secret,
            ..Manifest::default()
        }
    }

    /// Reads a manifest; errors name `manifest.json` and the field.
    pub fn parse(json: &str) -> Result<Self> {
        read::manifest(json)
    }

    /// The text of the file.
    pub fn to_json(&self) -> Result<String> {
        write::json(self)
    }

    /// Who is counted: people where it is known whose rows are whose, of some of them at least, or where the publisher says that
    /// every row is a person of its own; else rows.
    pub fn counted(&self) -> Counted {
        let named = self.persons.is_some() && (self.unnamed == 0 || self.unnamed < self.rows);
        Counted::people_if(named || self.accepted.iter().any(|word| word == ROWS_ARE_PEOPLE))
    }

    /// What a row is: a person where it is known that nobody has several, else a row.
    pub fn row(&self) -> Counted {
        Counted::people_if(self.counted() == Counted::People && !self.people_repeat())
    }

    /// True if people are told apart and some of them have several rows, or may have: rows that name nobody may be of one person.
    pub fn people_repeat(&self) -> bool {
        self.persons.is_some_and(|persons| persons != self.rows || self.unnamed > 0)
    }

    /// Whether suppressed rows are published as stars, rather than left out.
    pub fn shows_stars(&self) -> bool {
        self.suppressed > 0 && self.tables.first().is_some_and(|table| table.rows != self.rows)
    }

    /// Who was counted in the population that boxes were judged against.
    pub fn population_counted(&self) -> Counted {
        Counted::people_if(self.population.is_none())
    }

    /// One and several of those whom persons are: people, or households.
    pub fn person_nouns(&self) -> (&'static str, &'static str) {
        match self.counted {
            Some(CountedWord::Households) => ("household", "households"),
            None => ("person", "persons"),
        }
    }

    /// The columns of a role, in order.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = &ManifestColumn> + '_ {
        self.columns.iter().filter(move |column| column.role == role)
    }

    /// The files of matrices that the distance names, each once; none where the distance does not read.
    pub fn matrix_files(&self) -> Vec<String> {
        let distance = self.distance.as_ref().and_then(|text| text.parse::<Distance>().ok());
        distance.map_or(Vec::new(), |distance| distance.files().into_iter().map(String::from).collect())
    }

    /// All files that it names: tables, hierarchies and matrices.
    pub fn named_files(&self) -> Vec<String> {
        self.tables.iter().map(|table| table.file.clone()).chain(self.side_files()).collect()
    }

    /// The hierarchies and matrices that it names, each once.
    pub fn side_files(&self) -> Vec<String> {
        let mut files: Vec<String> = self.hierarchies.iter().map(|(_, file)| file.clone()).collect();
        files.extend(self.matrix_files());
        files
    }

    /// How the labels of a column stand for values that are not listed, where they do.
    pub fn coarse_meaning(&self, column: &str) -> Option<Coarse> {
        self.coarse.iter().find(|entry| entry.column == column).map(CoarseColumn::meaning)
    }

    /// What missing values of a column are to requirements of diversity and closeness.
    pub fn missing_of(&self, column: &str) -> Missing {
        let is_ignored = self.missing.iter().any(|entry| entry.column == column);
        if is_ignored { Missing::Ignore } else { Missing::Value }
    }

    /// The file that holds the hierarchy of a column.
    pub fn hierarchy_file(&self, column: &str) -> Option<&str> {
        self.hierarchies.iter().find(|(name, _)| name == column).map(|(_, file)| file.as_str())
    }
}

#[cfg(test)]
mod tests;
