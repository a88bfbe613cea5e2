//! What a publisher asks for, and the questions that can be settled before any data is read.

use scumble_io::Format;
use scumble_principle::Requirement;
use scumble_table::{Decimal, Error, Kind, Result, nearest, quoted_list};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

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
    /// A hierarchy file.
    pub hierarchy: Option<PathBuf>,
    /// A file with the labels of an ordinal column in order.
    pub order: Option<PathBuf>,
}

impl ColumnRequest {
    /// A column with a role and nothing else said.
    pub fn new(name: impl Into<String>, role: ColumnRole) -> Self {
        ColumnRequest { name: name.into(), role, kind: None, hierarchy: None, order: None }
    }
}

/// How much chance protects the choices of an algorithm (ALGORITHMS.md, profiles).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// A draw among nearly equal choices.
    #[default]
    Standard,
    /// A wider draw: more protection against readers who know the algorithm, more loss.
    Hardened,
    /// Always the best choice: least loss, not hardened.
    MaxUtility,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 3] = [Profile::Standard, Profile::Hardened, Profile::MaxUtility];

    /// The word for it in flags and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Standard => "standard",
            Profile::Hardened => "hardened",
            Profile::MaxUtility => "max-utility",
        }
    }
}

/// The form of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Quasi-identifiers made coarser until a group looks alike; exact sensitive values.
    #[default]
    Generalize,
    /// Exact quasi-identifiers in one table, sensitive values counted per group in another.
    Anatomy,
}

impl Method {
    /// The methods of this version.
    pub const ALL: [Method; 2] = [Method::Generalize, Method::Anatomy];

    /// The word for it in flags and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Method::Generalize => "generalize",
            Method::Anatomy => "anatomy",
        }
    }
}

/// The algorithm that finds the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// Mondrian; equal values stay on one side of a cut.
    #[default]
    Mondrian,
    /// Mondrian; equal values may go to both sides.
    MondrianRelaxed,
    /// Mondrian as first described: the median of the widest attribute.
    Paper,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Algorithm; 3] = [Algorithm::Mondrian, Algorithm::MondrianRelaxed, Algorithm::Paper];

    /// The word for it in flags and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Mondrian => "mondrian",
            Algorithm::MondrianRelaxed => "mondrian-relaxed",
            Algorithm::Paper => "paper",
        }
    }
}

/// The files a release is made of.
pub use scumble_release::TableFormat;

macro_rules! words {
    ($type:ty, $field:literal, $what:literal) => {
        impl FromStr for $type {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                let names: Vec<&str> = <$type>::ALL.iter().map(|one| one.name()).collect();
                <$type>::ALL.into_iter().find(|one| one.name() == text).ok_or_else(|| {
                    let hint = match nearest(text, names.iter().copied()) {
                        Some(name) => format!("did you mean `{name}`?"),
                        None => format!("one of {}", quoted_list(&names, 12)),
                    };
                    Error::request($field, text, concat!("there is no such ", $what)).hint(hint)
                })
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
words!(Method, "--method", "method in this version");
words!(Profile, "--profile", "profile");
words!(Algorithm, "--algorithm", "algorithm in this version");

/// A whole publishing job.
#[derive(Debug, Clone)]
pub struct PublishRequest {
    /// The data.
    pub input: Input,
    /// Columns with a role, in the order they are published.
    pub columns: Vec<ColumnRequest>,
    /// Drop columns without a role instead of refusing.
    pub drop_rest: bool,
    /// What every group must satisfy.
    pub requirements: Vec<Requirement>,
    /// The form of the release.
    pub method: Method,
    /// How groups are found.
    pub algorithm: Algorithm,
    /// The greatest share of rows that may be suppressed.
    pub max_suppressed: Decimal,
    /// How much chance protects the choices.
    pub profile: Profile,
    /// Coins that can be tossed again; secret ones when not given.
    pub seed: Option<u64>,
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
            requirements: Vec::new(),
            method: Method::default(),
            algorithm: Algorithm::default(),
            max_suppressed: Decimal::ZERO,
            profile: Profile::default(),
            seed: None,
            out: PathBuf::new(),
            format: TableFormat::Csv,
            replace: false,
        }
    }

    /// What can be refused before the data is touched.
    pub fn check(&self) -> Result<()> {
        for (i, column) in self.columns.iter().enumerate() {
            if let Some(other) = self.columns[..i].iter().find(|other| other.name == column.name) {
                let reason = if other.role == column.role {
                    format!("the column is named twice in {}", column.role.flag())
                } else {
                    format!("the column is also named in {}", other.role.flag())
                };
                return Err(Error::request(column.role.flag(), &column.name, reason).hint("a column has one role"));
            }
        }
        if !self.columns.iter().any(|column| column.role == ColumnRole::Quasi) {
            return Err(Error::request("--quasi", "", "no quasi-identifying column is named")
                .hint("name the columns an attacker may know of a person, such as --quasi age,sex,zipcode"));
        }
        if self.method == Method::Anatomy && !self.columns.iter().any(|column| column.role == ColumnRole::Sensitive) {
            return Err(Error::request(
                "--sensitive",
                "",
                "anatomy hides whose sensitive values are whose, and no such column is named",
            )
            .hint(
                "name what nobody may learn about a person, such as --sensitive disease, or use --method generalize",
            ));
        }
        if self.requirements.is_empty() {
            return Err(Error::request("--require", "", "nothing is required, so nothing would be protected")
                .hint("for example --require \"k-anonymity(5)\""));
        }
        for (i, requirement) in self.requirements.iter().enumerate() {
            if self.requirements[..i].contains(requirement) {
                return Err(Error::request("--require", requirement.to_string(), "this is required twice"));
            }
        }
        if self.max_suppressed < Decimal::ZERO || self.max_suppressed >= Decimal::from(1) {
            return Err(Error::request(
                "--max-suppressed",
                self.max_suppressed.to_string(),
                "a share of at least 0 and below 1 is wanted",
            )
            .hint("0.02 lets at most one row in fifty be suppressed"));
        }
        Ok(())
    }
}
