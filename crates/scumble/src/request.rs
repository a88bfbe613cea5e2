//! What a publisher asks for.

mod check;
mod distance;

pub(crate) use check::check_seed;

use crate::choice::{Aim, Algorithm, Method, Mixtures, Profile};
use crate::mixtures::MixtureWay;
use crate::rules::Rules;
use scumble_io::{Format, JobColumn, JobRole, is_conditional};
use scumble_principle::{Dissimilarity, LoadedDistance, Requirement, Search};
use scumble_release::BoxKind;
use scumble_table::{Decimal, Kind};
use std::path::PathBuf;
use std::time::Duration;

/// Where the data comes from and how it is written.
#[derive(Debug, Clone)]
pub struct Input {
    /// A file, or `-` for standard input.
    pub path: PathBuf,
    /// CSV, Parquet, or told by the first bytes.
    pub format: Format,
    /// Delimiter of a CSV file; found in its header when not given.
    pub delimiter: Option<u8>,
    /// Texts that mean a missing value, beside the empty one.
    pub nulls: Vec<String>,
}

impl Input {
    /// A file whose form is told by its bytes.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Input { path: path.into(), format: Format::Auto, delimiter: None, nulls: Vec::new() }
    }
}

/// What a column is to the publisher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnRole {
    /// Generalized.
    Quasi,
    /// Protected.
    Sensitive,
    /// Published as it is.
    Kept,
    /// Names people; dropped.
    Identifying,
    /// Of no use here; dropped.
    Dropped,
}

impl ColumnRole {
    /// The flag that gives this role.
    pub fn flag(self) -> &'static str {
        match self {
            ColumnRole::Quasi => "--quasi",
            ColumnRole::Sensitive => "--sensitive",
            ColumnRole::Kept => "--keep",
            ColumnRole::Identifying => "--identifying",
            ColumnRole::Dropped => "drop",
        }
    }
}

/// A column and what to do with it.
#[derive(Debug, Clone)]
pub struct ColumnRequest {
    /// Name in the header.
    pub name: String,
    /// What it is to the publisher.
    pub role: ColumnRole,
    /// How its values compare; told by the values when not given.
    pub kind: Option<Kind>,
    /// A hierarchy file; one that ends in `.toml` is conditional.
    pub hierarchy: Option<PathBuf>,
    /// A file with the labels of an ordinal column in order.
    pub order: Option<PathBuf>,
    /// The level of its hierarchy that a full-domain release shows; chosen when not given.
    pub level: Option<usize>,
}

impl ColumnRequest {
    /// A column with a role and nothing else said.
    pub fn new(name: impl Into<String>, role: ColumnRole) -> Self {
        ColumnRequest { name: name.into(), role, kind: None, hierarchy: None, order: None, level: None }
    }
}

impl From<&JobColumn> for ColumnRequest {
    /// A column as a job file has it.
    fn from(column: &JobColumn) -> Self {
        ColumnRequest {
            name: column.name.clone(),
            role: match column.role {
                JobRole::Quasi => ColumnRole::Quasi,
                JobRole::Sensitive => ColumnRole::Sensitive,
                JobRole::Kept => ColumnRole::Kept,
                JobRole::Identifying => ColumnRole::Identifying,
                JobRole::Drop => ColumnRole::Dropped,
            },
            kind: column.kind,
            hierarchy: column.hierarchy.clone(),
            order: column.order.clone(),
            level: column.level.map(|level| usize::try_from(level).unwrap_or(usize::MAX)),
        }
    }
}

/// The files a release is made of.
pub use scumble_release::TableFormat;

/// How long groups are sought under `dissimilarity` where nothing is said. Half a million rows take seconds; what is
/// not found in a quarter of an hour has little hope.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(15 * 60);

/// A whole publishing job.
#[derive(Debug, Clone)]
pub struct PublishRequest {
    /// The data.
    pub input: Input,
    /// Columns with a role, in the order they are published.
    pub columns: Vec<ColumnRequest>,
    /// Drop columns without a role instead of refusing.
    pub drop_rest: bool,
    /// What is done to records before anything else.
    pub rules: Rules,
    /// What every group must satisfy.
    pub requirements: Vec<Requirement>,
    /// The form of the release; chosen by the requirements when not given.
    pub method: Option<Method>,
    /// Whether several sensitive columns are permuted as one, in the same groups, instead of each in groups of its own.
    pub together: bool,
    /// How many people share every box of an angel release.
    pub angel_k: Option<u64>,
    /// Sets of quasi-identifiers that get a table of their own in an angel release.
    pub marginals: Vec<Vec<String>>,
    /// How many people the tables of an angel release must leave everybody among, joined by batch.
    pub join_k: Option<u64>,
    /// How groups are found; chosen by the requirements when not given.
    pub algorithm: Option<Algorithm>,
    /// What groups are to be good for, under a proximity requirement; answers when not given.
    pub aim: Option<Aim>,
    /// What is done about people whose quasi-identifiers are known, but not their group.
    pub mixtures: Mixtures,
    /// The only way that is tried to hold mixtures; all of them when not given. For measuring.
    pub mixture_way: Option<MixtureWay>,
    /// How far apart sensitive values are, for `dissimilarity`.
    pub distance: Option<LoadedDistance>,
    /// What boxes tell about their ends; chosen by the profile when not given.
    pub boxes: Option<BoxKind>,
    /// How long groups may be sought under `dissimilarity`.
    pub time_limit: Duration,
    /// The greatest share of rows that may be suppressed.
    pub max_suppressed: Decimal,
    /// How much chance protects the choices.
    pub profile: Profile,
    /// Coins that can be tossed again; secret ones when not given.
    pub seed: Option<u64>,
    /// Take the seed even where coins are all that hides whose values are whose, so that whoever guesses it undoes the
    /// release: for made-up people, and for releases that are measured and thrown away.
    pub insecure_seed: bool,
    /// The release directory.
    pub out: PathBuf,
    /// CSV or Parquet tables.
    pub format: TableFormat,
    /// Swap a release that is already there.
    pub replace: bool,
}

impl PublishRequest {
    /// A job on some data with nothing else said: it must be told columns, requirements and a place.
    pub fn new(input: Input) -> Self {
        PublishRequest {
            input,
            columns: Vec::new(),
            drop_rest: false,
            rules: Rules::default(),
            requirements: Vec::new(),
            method: None,
            together: false,
            angel_k: None,
            marginals: Vec::new(),
            join_k: None,
            algorithm: None,
            aim: None,
            mixtures: Mixtures::default(),
            mixture_way: None,
            distance: None,
            boxes: None,
            time_limit: TIME_LIMIT,
            max_suppressed: Decimal::ZERO,
            profile: Profile::default(),
            seed: None,
            insecure_seed: false,
            out: PathBuf::new(),
            format: TableFormat::Csv,
            replace: false,
        }
    }

    /// True if a requirement is about proximity that groups may fail together, which takes a search of its own. A
    /// `proximity-window` is none of them.
    pub fn about_proximity(&self) -> bool {
        self.is_searched_by(Search::Proximity)
    }

    /// True if a requirement is `dissimilarity`, which takes a distance and a search of its own.
    pub fn about_dissimilarity(&self) -> bool {
        self.is_searched_by(Search::Dissimilarity)
    }

    /// True if a requirement takes this kind of search.
    fn is_searched_by(&self, search: Search) -> bool {
        self.requirements.iter().any(|requirement| requirement.principle().search() == search)
    }

    /// True if mixtures of groups are to hold what some requirement allows in a group.
    pub(crate) fn holds_mixtures(&self) -> bool {
        self.mixtures == Mixtures::Hold && (self.about_proximity() || self.about_dissimilarity())
    }

    /// The form of the release, as asked for or as the requirements choose it: (k, e)-anonymity alone is about numbers
    /// that are permuted, and a conditional hierarchy about levels that are the same for all.
    pub fn chosen_method(&self) -> Method {
        let levels = self.algorithm == Some(Algorithm::FullDomain) || self.conditional().next().is_some();
        if levels && matches!(self.method, None | Some(Method::Generalize)) {
            return Method::FullDomain;
        }
        let ke = |requirement: &Requirement| requirement.principle().search() == Search::KeAnonymity;
        let only_ke = !self.requirements.is_empty() && self.requirements.iter().all(ke);
        self.method.unwrap_or(if only_ke { Method::Permute } else { Method::Generalize })
    }

    /// What boxes tell about their ends, as asked for or as the profile chooses it.
    pub fn chosen_boxes(&self) -> BoxKind {
        let boxed = matches!(self.chosen_method(), Method::Generalize | Method::Angel);
        match (self.boxes, self.profile) {
            _ if !boxed => BoxKind::Minimal,
            (Some(asked), _) => asked,
            (None, Profile::Hardened) => BoxKind::Rounded,
            (None, Profile::Standard | Profile::MaxUtility) => BoxKind::Minimal,
        }
    }

    /// Columns whose hierarchy is a conditional one, with its file.
    pub(crate) fn conditional(&self) -> impl Iterator<Item = (&ColumnRequest, &PathBuf)> + '_ {
        let files = self.columns.iter().filter_map(|column| Some((column, column.hierarchy.as_ref()?)));
        files.filter(|(_, file)| is_conditional(file))
    }

    /// Names of the sensitive columns.
    fn sensitive(&self) -> Vec<&str> {
        let sensitive = self.columns.iter().filter(|column| column.role == ColumnRole::Sensitive);
        sensitive.map(|column| column.name.as_str()).collect()
    }

    /// True if each sensitive column is to have groups of its own.
    pub fn is_apart(&self) -> bool {
        self.chosen_method() == Method::Permute
            && !self.together
            && !self.takes_together()
            && self.sensitive().len() > 1
    }

    /// True if a requirement takes the sensitive columns as one value, so that they must move as one.
    fn takes_together(&self) -> bool {
        let composite = |one: &Requirement| one.column.is_none() && one.is::<Dissimilarity>();
        self.requirements.iter().any(composite)
    }

    /// How many people share every box of an angel release: what was asked for, or what k-anonymity asks of groups.
    pub fn bucket_size(&self) -> Option<u64> {
        let required = self.requirements.iter().filter_map(|requirement| requirement.principle().least_people());
        self.angel_k.or(required.max())
    }

    /// The algorithm, as asked for or as the requirements choose it.
    pub fn chosen_algorithm(&self) -> Algorithm {
        // Boxes of groups along the sensitive numbers would be as wide as the table.
        let exact = self.chosen_method().is_exact() && self.max_suppressed == Decimal::ZERO;
        let by_requirement = if self.chosen_method() == Method::FullDomain {
            Algorithm::FullDomain
        } else if self.chosen_method() == Method::Angel {
            Algorithm::Angel
        } else if self.about_dissimilarity() {
            Algorithm::Xcolor
        } else if self.about_proximity() {
            Algorithm::Proximity
        } else if exact && self.is_searched_by(Search::KeAnonymity) {
            Algorithm::ExpectedWidth
        } else if exact && self.chosen_method() == Method::Anatomy {
            Algorithm::Angel
        } else {
            Algorithm::Mondrian
        };
        self.algorithm.unwrap_or(by_requirement)
    }
}
