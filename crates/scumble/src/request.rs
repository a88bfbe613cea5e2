//! What a publisher asks for, and the questions that can be settled before any data is read.

use crate::choice::{Aim, Algorithm, Method, Profile};
use scumble_io::Format;
use scumble_principle::{Requirement, Spec};
use scumble_table::{Decimal, Error, Kind, Result};
use std::path::PathBuf;

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

/// The files a release is made of.
pub use scumble_release::TableFormat;

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
    /// The form of the release; chosen by the requirements when not given.
    pub method: Option<Method>,
    /// Whether several sensitive columns are permuted as one, in the same groups, instead of each in groups of its own.
    pub together: bool,
    /// How groups are found; chosen by the requirements when not given.
    pub algorithm: Option<Algorithm>,
    /// What groups are to be good for, under a proximity requirement; answers when not given.
    pub aim: Option<Aim>,
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
            method: None,
            together: false,
            algorithm: None,
            aim: None,
            max_suppressed: Decimal::ZERO,
            profile: Profile::default(),
            seed: None,
            out: PathBuf::new(),
            format: TableFormat::Csv,
            replace: false,
        }
    }

    /// True if a requirement is about proximity.
    pub fn about_proximity(&self) -> bool {
        let proximity = |spec: &Spec| {
            matches!(spec, Spec::ProximityAbsolute(_) | Spec::ProximityRelative(_) | Spec::ProximityInterval(_))
        };
        self.requirements.iter().any(|requirement| proximity(&requirement.spec))
    }

    /// The form of the release, as asked for or as the requirements choose it: (k, e)-anonymity alone is about numbers
    /// that are permuted.
    pub fn chosen_method(&self) -> Method {
        let ke = |requirement: &Requirement| matches!(requirement.spec, Spec::KeAnonymity(_));
        let only_ke = !self.requirements.is_empty() && self.requirements.iter().all(ke);
        self.method.unwrap_or(if only_ke { Method::Permute } else { Method::Generalize })
    }

    /// Names of the sensitive columns.
    fn sensitive(&self) -> Vec<&str> {
        let sensitive = self.columns.iter().filter(|column| column.role == ColumnRole::Sensitive);
        sensitive.map(|column| column.name.as_str()).collect()
    }

    /// True if each sensitive column is to have groups of its own.
    pub fn is_apart(&self) -> bool {
        self.chosen_method() == Method::Permute && !self.together && self.sensitive().len() > 1
    }

    /// The algorithm, as asked for or as the requirements choose it.
    pub fn chosen_algorithm(&self) -> Algorithm {
        let about_ke = |requirement: &Requirement| matches!(requirement.spec, Spec::KeAnonymity(_));
        // Boxes of groups along the sensitive numbers would be as wide as the table.
        let exact = self.chosen_method() != Method::Generalize && self.max_suppressed == Decimal::ZERO;
        let by_requirement = if self.about_proximity() {
            Algorithm::Proximity
        } else if exact && self.requirements.iter().any(about_ke) {
            Algorithm::ExpectedWidth
        } else {
            Algorithm::Mondrian
        };
        self.algorithm.unwrap_or(by_requirement)
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
        if self.requirements.is_empty() {
            return Err(Error::request("--require", "", "nothing is required, so nothing would be protected")
                .hint("for example --require \"k-anonymity(5)\""));
        }
        for (i, requirement) in self.requirements.iter().enumerate() {
            if self.requirements[..i].contains(requirement) {
                return Err(Error::request("--require", requirement.to_string(), "this is required twice"));
            }
        }
        self.check_method()?;
        self.check_algorithm()?;
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

    /// A method must have what it works on, and nothing that it has no use for.
    fn check_method(&self) -> Result<()> {
        let method = self.chosen_method();
        let sensitive = self.sensitive();
        if method.is_exact() && sensitive.is_empty() {
            let reason = format!("{method} hides whose sensitive values are whose, and no such column is named");
            return Err(Error::request("--sensitive", "", reason).hint(
                "name what nobody may learn about a person, such as --sensitive disease, or use --method generalize",
            ));
        }
        if self.together && method != Method::Permute {
            let reason = "only --method permute can hold sensitive columns together or apart";
            return Err(Error::request("--together", "", reason).hint("leave --together out, or use --method permute"));
        }
        if method == Method::Permute && self.max_suppressed > Decimal::ZERO {
            return Err(Error::request(
                "--max-suppressed",
                self.max_suppressed.to_string(),
                "a permuted release has exact quasi-identifiers, which suppression could not make any more precise",
            )
            .hint("leave --max-suppressed out, or use --method generalize"));
        }
        if self.is_apart() {
            let spoken = |at: usize| {
                let mut all = self.requirements.iter();
                all.any(|requirement| requirement.column.is_none() || requirement.named_in(&sensitive) == Some(at))
            };
            if let Some(at) = (0..sensitive.len()).find(|&at| !spoken(at)) {
                let reason = format!("nothing is required of the groups of `{}`", sensitive[at]);
                return Err(Error::request("--require", "", reason).hint(format!(
                    "each sensitive column has groups of its own: require something of all, such as \"k-anonymity(5)\", \
                     or of this one, \"{}: distinct-l-diversity(3)\", or permute them --together",
                    sensitive[at]
                )));
            }
        }
        Ok(())
    }

    /// An algorithm must be able to meet the requirements, and an aim must have somebody to follow it.
    pub(crate) fn check_algorithm(&self) -> Result<()> {
        let algorithm = self.chosen_algorithm();
        let proximity = self.about_proximity();
        self.check_ke(algorithm)?;
        match algorithm {
            Algorithm::Proximity if !proximity => {
                return Err(Error::request("--algorithm", algorithm.name(), "no requirement is about proximity")
                    .hint("leave --algorithm out, and the requirements choose it"));
            }
            Algorithm::Mondrian | Algorithm::MondrianRelaxed if proximity => {
                return Err(Error::request(
                    "--algorithm",
                    algorithm.name(),
                    "groups that meet a proximity requirement may fail it together, which this algorithm cannot handle",
                )
                .hint("leave --algorithm out, or use `proximity` or `paper`"));
            }
            Algorithm::Paper if proximity && self.profile != Profile::Standard => {
                return Err(Error::request(
                    "--profile",
                    self.profile.name(),
                    "the paper's algorithm has no profiles under a proximity requirement",
                )
                .hint("leave --profile out, or --algorithm"));
            }
            Algorithm::Proximity => {}
            other => {
                if let Some(aim) = self.aim {
                    let reason = format!("the algorithm `{}` follows no aim", other.name());
                    return Err(Error::request("--aim", aim.name(), reason)
                        .hint("an aim is for proximity requirements with the algorithm `proximity`"));
                }
            }
        }
        if proximity && self.max_suppressed > Decimal::ZERO {
            return Err(Error::request(
                "--max-suppressed",
                self.max_suppressed.to_string(),
                "under a proximity requirement all rows are published, and none is suppressed",
            )
            .hint("leave --max-suppressed out"));
        }
        Ok(())
    }

    /// Groups along the order of a number are made for (k, e)-anonymity and hold all rows.
    fn check_ke(&self, algorithm: Algorithm) -> Result<()> {
        let refused = |reason: &str| Error::request("--algorithm", algorithm.name(), reason);
        if algorithm == Algorithm::RankSwap {
            return Err(refused("rank swapping guarantees nothing that a release could be checked for")
                .hint("`scumble evaluate` measures it beside the others"));
        }
        if algorithm.ke_rule().is_none() {
            return Ok(());
        }
        if !self.requirements.iter().any(|requirement| matches!(requirement.spec, Spec::KeAnonymity(_))) {
            return Err(refused("no requirement is `ke-anonymity(k, e)`, and these groups are made for it")
                .hint("require for example \"ke-anonymity(4, 100)\" of a sensitive number, or leave --algorithm out"));
        }
        if self.max_suppressed > Decimal::ZERO {
            let reason = format!("the algorithm `{}` publishes all rows, and none is suppressed", algorithm.name());
            return Err(Error::request("--max-suppressed", self.max_suppressed.to_string(), reason)
                .hint("leave --max-suppressed out, or use `mondrian`"));
        }
        Ok(())
    }
}
