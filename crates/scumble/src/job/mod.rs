//! A job: all that is said about what is to be published, and how.
//!
//! This is the only place that lists options. Flags, job files, JSON, sweeps and their keys are ways to write a [`Job`].
//! [`Plan`] is the same with every default decided.
//!
//! ```
//! use scumble::Job;
//! let job = Job::new().quasi(["age", "zipcode"]).sensitive(["disease"]).require("k-anonymity(5)")?;
//! let same = Job::from_toml(&job.to_toml())?;
//! assert_eq!(job, same);
//! # Ok::<(), scumble::Error>(())
//! ```

mod check;
mod check_accepted;
mod flags;
mod option;
mod plan;
mod sweep;
#[cfg(test)]
mod sweep_tests;
mod template;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use check::{check_named_once, check_seed};
pub use option::{Flag, JobOption, OptionValue, Section, ValueForm, split_names};
pub use plan::Plan;
pub use sweep::{MOST_POINTS, Sweep, SweepFault, SweepPoint, SweepRun, Values};
pub use words::{Aim, Algorithm, ColumnRole, Intervals, Method, Mixtures, Profile, SuppressedRows, Word};
pub(crate) use words::{read_word, words};

use crate::matrices::Matrices;
use crate::mixtures::MixtureStrategy;
use option::section;
use scumble_io::{
    AnyHierarchy, Data, Fault, Format, FromFile, Order, Value, field_name, read_small_text, unknown_field,
};
use scumble_principle::{Distance, Requirement};
use scumble_release::{BoxKind, TableFormat};
use scumble_rules::Rules;
use scumble_table::{Decimal, Error, Kind, Matrix, Missing, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::{Path, PathBuf};

/// All that is said about what is to be published, and how. Jobs are equal that say the same, wherever they were read.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// The file that it was read from, for messages; empty where there is none.
    pub file: String,
    /// Where the data is.
    pub input: Input,
    /// What the columns are, in the order in which they are published.
    pub columns: Columns,
    /// What is done to records before anything else.
    pub rules: Rules,
    /// What to publish and how.
    pub publish: Publish,
    /// Where to put it.
    pub output: Output,
    /// The matrices that its distance names. The same name means the same matrix.
    pub matrices: Matrices,
}

impl PartialEq for Job {
    fn eq(&self, other: &Job) -> bool {
        (&self.input, &self.columns, &self.rules) == (&other.input, &other.columns, &other.rules)
            && (&self.publish, &self.output) == (&other.publish, &other.output)
    }
}

/// Columns by name, in the order in which they are published.
pub type Columns = Vec<(String, Column)>;

section! {
    /// Where the data is, and how it is written.
    pub struct Input in "input" {
        /// CSV (also .gz) or Parquet file, or `-` for standard input
        pub path as "path": Option<PathBuf>,
        /// Format of the data: csv or parquet [default: told by its first bytes]
        pub format as "format": Option<Format>,
        /// Delimiter of a CSV file: one character, or `tab` [default: found in the header]
        #[flag("delimiter", "CHAR", "Input")]
        pub delimiter as "delimiter": Option<Delimiter>,
        /// A text that means a missing value, as the empty cell does (repeatable)
        #[flag("null", "TEXT", "Input")]
        pub null as "null": Vec<String>,
        /// The people who could be in the data, one a row with all quasi-identifiers, for k-map and delta-presence: CSV or
        /// Parquet
        #[flag("population", "FILE", "Input")]
        pub population as "population": Option<PathBuf>,
    }
}

section! {
    /// What a column is.
    pub struct Column in "columns" {
        /// What the column is to the publisher: quasi, sensitive, identifying, person, keep or drop
        pub role as "role": Option<ColumnRole>,
        /// Type of a column: number, date, ordinal or nominal [default: told by its values] (repeatable)
        #[flag("type", "COLUMN=TYPE", "Input")]
        pub kind as "type": Option<Kind>,
        /// File with the labels of an ordinal column in order, one a line (repeatable)
        #[flag("order", "COLUMN=FILE", "Input")]
        pub order as "order": Option<FromFile<Order>>,
        /// Generalization hierarchy of a column, `value;level1;...;*` a line, or in TOML a rule or a conditional one (repeatable)
        #[flag("hierarchy", "COLUMN=FILE", "Input")]
        pub hierarchy as "hierarchy": Option<FromFile<AnyHierarchy>>,
        /// With method full-domain, the level that a quasi-identifier shows: 0 its values, then the levels of its hierarchy
        /// (repeatable) [default: the levels of least loss]
        #[flag("level", "COLUMN=N", "Protection")]
        pub level as "level" for Quasi: Option<u64>,
        /// What missing values of a sensitive column are to requirements of diversity and closeness: value (counted and hidden
        /// as the others are) or ignore (not counted, and not hidden: who has none may be learnt) [default: value] (repeatable)
        #[flag("missing", "COLUMN=WORD", "Protection")]
        pub missing as "missing" for Sensitive: Option<Missing>,
    }
}

section! {
    /// What to publish and how.
    pub struct Publish in "publish" {
        /// Drop columns without a role instead of refusing
        #[flag("drop-rest", "", "Columns")]
        pub drop_rest as "drop_rest": bool,
        /// Say that every row is a person of its own although an identifying column repeats: requirements then count rows
        #[flag("rows-are-people", "", "Columns")]
        pub rows_are_people as "rows_are_people": bool,
        /// Publish the labels of these nominal quasi-identifiers in sets, although most rows have a label that fewer than k have:
        /// such sets list people's exact values (repeatable)
        #[flag("allow-sets", "COLUMNS", "Columns")]
        pub allow_sets as "allow_sets": Vec<String>,
        /// Keep these columns, although they tell people of a group apart, determine a quasi-identifier or sensitive column or
        /// tell a sensitive value: you vouch that they are harmless (repeatable)
        #[flag("accept-keep", "COLUMNS", "Columns")]
        pub accept_keep as "accept_keep": Vec<String>,
        /// Publish people although they are in releases that the ledger remembers; the manifest says so
        #[flag("accept-overlap", "", "Output")]
        pub accept_overlap as "accept_overlap": bool,
        /// What every group must satisfy, such as "k-anonymity(5)" (repeatable; all must hold)
        #[flag("require", "REQUIREMENT", "Protection")]
        pub require as "require", swept: Vec<Requirement>,
        /// The form of the release: generalize (coarser quasi-identifiers), permute (exact ones next to sensitive values
        /// shuffled inside groups), anatomy (exact ones, with the sensitive values counted per group in a table of their
        /// own), angel (coarser ones next to batch numbers, with the sensitive values counted per batch in a table of
        /// their own) or full-domain (as generalize, with one level of its hierarchy for each quasi-identifier, the best
        /// of all combinations) [default: permute for ke-anonymity alone, full-domain where a hierarchy is conditional,
        /// else generalize]
        #[flag("method", "METHOD", "Protection")]
        pub method as "method", swept: Option<Method>,
        /// With method permute, move all sensitive values of a person as one, in the same groups; otherwise each sensitive
        /// column is shuffled by itself, in groups of its own
        #[flag("together", "", "Protection")]
        pub together as "together", swept: bool,
        /// With method angel, how many people share every box [default: the k of k-anonymity, where it is required]
        #[flag("angel-k", "K", "Protection")]
        pub angel_k as "angel_k", swept: Option<u64>,
        /// With method angel, quasi-identifiers that get a table of their own, finer than the one over all (repeatable)
        #[flag("marginal", "COLUMNS", "Protection")]
        pub marginal as "marginal", swept: Vec<Vec<String>>,
        /// With method angel, refuse where the tables, joined by batch, could leave somebody among fewer people
        #[flag("join-k", "K", "Protection")]
        pub join_k as "join_k", swept: Option<u64>,
        /// How groups are found: mondrian, mondrian-relaxed, proximity, xcolor, angel, full-domain or paper; along the order
        /// of the numbers under ke-anonymity: expected-width, min-sum, min-max, min-max-overlap, max-groups or random
        /// [default: proximity where a requirement is about proximity, xcolor under dissimilarity, expected-width under
        /// ke-anonymity with exact quasi-identifiers, angel for angel and anatomy, else mondrian]
        #[flag("algorithm", "NAME", "Protection")]
        pub algorithm as "algorithm", swept: Option<Algorithm>,
        /// What groups are to be good for under a proximity requirement: answers (small errors of estimated counts) or loss
        /// (small boxes) [default: answers]
        #[flag("aim", "AIM", "Protection")]
        pub aim as "aim", swept: Option<Aim>,
        /// What boxes tell about their ends: minimal (as small as the group: somebody lies at each end), rounded (moved
        /// outward to round values, so that no box by itself tells a value that occurs) or cells (those of mondrian's cuts,
        /// which tile the whole domain, so that nobody with all values is absent for certain) [default: rounded in profile
        /// hardened, else minimal]
        #[flag("boxes", "KIND", "Protection")]
        pub boxes as "boxes", swept: Option<BoxKind>,
        /// Under proximity and dissimilarity, what is done about people whose quasi-identifiers are known, but not their
        /// group: report (tell the publisher what is believed of them) or hold (no more than is allowed in a group, checked
        /// by verify, or nothing is published) [default: report]
        #[flag("mixtures", "WORD", "Protection")]
        pub mixtures as "mixtures", swept: Option<Mixtures>,
        /// The only way that is tried to hold mixtures, for measuring [default: all of them]
        pub mixture_way as "mixture_way": Option<MixtureStrategy>,
        /// How far apart sensitive values are, for dissimilarity: each column by range, rank, equal, tree or matrix:FILE,
        /// combined by l1, l2, max or min, such as "l1(education:rank*0.3, income:range*0.7)"
        #[flag("distance", "DISTANCE", "Protection")]
        pub distance as "distance", swept: Option<Distance>,
        /// How many seconds groups may be sought under dissimilarity; then nothing is published, and what was reached is told
        /// [default: 900]
        #[flag("time-limit", "SECONDS", "Protection")]
        pub time_limit as "time_limit", swept: Option<u64>,
        /// Greatest share of outlying rows that may be suppressed where that lowers the loss, or, under dissimilarity and
        /// with method full-domain, where they stand in the way [default: 0]
        #[flag("max-suppressed", "SHARE", "Protection")]
        pub max_suppressed as "max_suppressed", swept: Option<Decimal>,
        /// How far chance hides the choices of the search: standard, hardened or max-utility [default: standard]
        #[flag("profile", "NAME", "Protection")]
        pub profile as "profile", swept: Option<Profile>,
        /// Make the random choices repeatable; for tests only, since whoever knows the seed can repeat them too
        #[flag("seed", "N", "Protection")]
        pub seed as "seed": Option<u64>,
        /// Take the seed where coins hide whose values are whose (anatomy, permute, angel): whoever tries seeds can then undo
        /// them and, of a permuted release, read every value; never with real people
        #[flag("insecure-seed", "", "Protection")]
        pub insecure_seed as "insecure_seed": bool,
    }
}

section! {
    /// Where to put a release.
    pub struct Output in "output" {
        /// Directory of the release; must not exist
        #[flag("out", "DIR", "Output")]
        pub dir as "dir": Option<PathBuf>,
        /// Swap a release that is already there, in one step
        #[flag("replace", "", "Output")]
        pub replace as "replace": bool,
        /// Format of the tables: csv or parquet [default: csv]
        #[flag("format", "FORMAT", "Output")]
        pub format as "format": Option<TableFormat>,
        /// What generalized numbers, dates and ordered labels without a hierarchy are in the tables: text, such as `[17,24]`, or
        /// columns, two of their type, such as age_lower and age_upper [default: columns in parquet, text in csv]
        #[flag("intervals", "WORD", "Output")]
        pub intervals as "intervals": Option<Intervals>,
        /// What becomes of suppressed rows: left-out (the manifest says how many they are) or stars (rows of `*` in csv, of nulls
        /// in parquet) [default: left-out]
        #[flag("suppressed", "WORD", "Output")]
        pub suppressed as "suppressed": Option<SuppressedRows>,
        /// Private file that remembers who was in which release, made where it is missing: people who are in it already are not
        /// published again
        #[flag("ledger", "FILE", "Output")]
        pub ledger as "ledger": Option<PathBuf>,
        /// File with the passphrase of the ledger [default: the environment variable SCUMBLE_LEDGER_PASSPHRASE]
        #[flag("ledger-passphrase", "FILE", "Output")]
        pub ledger_passphrase as "ledger_passphrase": Option<PathBuf>,
        /// File with the key that opens ledgers without a passphrase, made where it is missing [default: the environment variable
        /// SCUMBLE_LEDGER_KEY, or scumble/ledger.key in your folder for settings]
        #[flag("ledger-key", "FILE", "Output")]
        pub ledger_key as "ledger_key": Option<PathBuf>,
    }
}

/// What stands between the cells of a CSV file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delimiter(pub u8);

impl OptionValue for Option<Delimiter> {
    const FORM: ValueForm = ValueForm::Text;

    fn read(value: &Value) -> Result<Self, Fault> {
        match value.as_text().map(str::as_bytes) {
            Some(b"tab" | b"\\t") => Ok(Some(Delimiter(b'\t'))),
            Some([byte]) if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(Some(Delimiter(*byte))),
            Some(_) => Err(Fault::new(value.line, "a delimiter is one ASCII character other than a quote, or `tab`")
                .hint("such as `;`, or `tab`")),
            None => Err(value.wrong("a string")),
        }
    }

    fn write(&self) -> Option<Value> {
        self.map(|Delimiter(byte)| Value::text(if byte == b'\t' { "tab".into() } else { char::from(byte).to_string() }))
    }
}

const SECTIONS: [&str; 5] = ["input", "columns", "rules", "publish", "output"];

impl Job {
    /// A job of which nothing is said.
    pub fn new() -> Job {
        Job::default()
    }

    /// All options, section by section.
    pub fn options() -> impl Iterator<Item = &'static JobOption> {
        let sections = [Input::OPTIONS, Column::OPTIONS, Publish::OPTIONS, Output::OPTIONS];
        sections.into_iter().flatten()
    }

    /// Names quasi-identifying columns.
    #[must_use]
    pub fn quasi<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Job {
        self.with_role(ColumnRole::Quasi, names)
    }

    /// Names sensitive columns.
    #[must_use]
    pub fn sensitive<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Job {
        self.with_role(ColumnRole::Sensitive, names)
    }

    /// Names columns that are published as they are.
    #[must_use]
    pub fn keep<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Job {
        self.with_role(ColumnRole::Kept, names)
    }

    /// Names columns that point at people by themselves, and are dropped.
    #[must_use]
    pub fn identifying<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Job {
        self.with_role(ColumnRole::Identifying, names)
    }

    /// Names columns that together say whose row each row is, where people have several. They are dropped.
    #[must_use]
    pub fn person<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Job {
        self.with_role(ColumnRole::Person, names)
    }

    /// Gives columns a role.
    #[must_use]
    pub fn with_role<S: Into<String>>(mut self, role: ColumnRole, names: impl IntoIterator<Item = S>) -> Job {
        for name in names {
            self.columns.push((name.into(), Column::new(role)));
        }
        self
    }

    /// Drops columns without a role.
    #[must_use]
    pub fn drop_rest(mut self) -> Job {
        self.publish.drop_rest = true;
        self
    }

    /// Requires something of every group.
    ///
    /// # Errors
    /// If the text is no requirement.
    pub fn require(mut self, requirement: &str) -> Result<Job> {
        self.publish.require.push(requirement.parse()?);
        Ok(self)
    }

    /// Gives the matrix that the distance names as `matrix:NAME`, in the place of a file of this name.
    #[must_use]
    pub fn with_matrix(mut self, name: impl Into<String>, matrix: Matrix) -> Job {
        self.matrices.give(name, matrix);
        self
    }

    /// Sets an option by the name of its section and its own, or a column's: `publish.angel_k`, `columns.age.type`. The
    /// section `publish` need not be named.
    ///
    /// # Errors
    /// If there is no such option, or the value is not of its type.
    pub fn set(&mut self, field: &str, value: &Value) -> Result<()> {
        let shown = value.written().unwrap_or_default().to_string();
        let (section, name) = field.split_once('.').unwrap_or(("publish", field));
        let set = match section {
            "input" => self.input.set(name, value),
            "publish" => self.publish.set(name, value),
            "output" => self.output.set(name, value),
            "columns" => match name.rsplit_once('.') {
                Some((column, option)) => self.column_mut(column).set(option, value),
                None => Ok(false),
            },
            _ => Ok(false),
        };
        match set {
            Ok(true) => Ok(()),
            Ok(false) => Err(Error::request("field", field, "a job has no such field")),
            Err(fault) => Err(fault.in_field(field, &shown)),
        }
    }

    /// A column by name; a new one without a role where there is none.
    pub fn column_mut(&mut self, name: &str) -> &mut Column {
        let at = self.columns.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            self.columns.push((name.to_string(), Column::default()));
            self.columns.len() - 1
        });
        &mut self.columns[at].1
    }

    /// Names of the columns with a role, in their order.
    pub fn named(&self, role: ColumnRole) -> impl Iterator<Item = &str> + '_ {
        self.columns.iter().filter(move |(_, column)| column.role == Some(role)).map(|(name, _)| name.as_str())
    }

    /// Reads a job file; relative paths in it are meant from where it lies.
    ///
    /// # Errors
    /// Names file, line, field and what would be accepted.
    pub fn read(path: &Path) -> Result<Job> {
        let file = path.display().to_string();
        let job = Job::from_toml_in(&file, &read_small_text(path)?)?;
        Ok(job.in_folder(path.parent().unwrap_or(Path::new(""))))
    }

    /// Reads the text of a job file; paths in it are meant as they stand.
    ///
    /// # Errors
    /// As [`Job::read`].
    pub fn from_toml(text: &str) -> Result<Job> {
        Job::from_toml_in("job", text)
    }

    fn from_toml_in(file: &str, text: &str) -> Result<Job> {
        let value = Value::from_toml(text).map_err(|fault| fault.in_file(file))?;
        Job::from_value(file, &value)
    }

    /// The job as a job file.
    pub fn to_toml(&self) -> String {
        self.to_value().to_toml()
    }

    /// Reads a job from the tree of a document; `file` stands for it in messages. What a comparison is told besides the
    /// job that it is a part of is passed over.
    ///
    /// # Errors
    /// As [`Job::read`].
    pub fn from_value(file: &str, value: &Value) -> Result<Job> {
        let mut job = Job { file: file.to_string(), ..Job::default() };
        job.fill(file, value).map_err(|fault| match fault {
            Wrong::Here(fault) => fault.in_file(file),
            Wrong::Told(error) => error,
        })?;
        Ok(job)
    }

    fn fill(&mut self, file: &str, value: &Value) -> Result<(), Wrong> {
        let mut seen: Vec<String> = Vec::new();
        for (key, value) in value.entries("sections such as `[publish]`")? {
            let name = field_name(key);
            if seen.contains(&name) {
                return Err(Fault::new(value.line, format!("`{name}` is given twice")).into());
            }
            let entries = || {
                let wrong = |fault: Fault| fault.about(&name).hint(format!("write `[{name}]` on a line of its own"));
                value.entries("a section").map_err(wrong)
            };
            match name.as_str() {
                "input" => fill(&mut self.input, "input", entries()?)?,
                "publish" => fill(&mut self.publish, "publish", entries()?)?,
                "output" => fill(&mut self.output, "output", entries()?)?,
                "columns" => {
                    for (column, value) in entries()? {
                        let read = Column::from_value(column, value).map_err(|fault| fault.about(column))?;
                        self.columns.push((column.clone(), read));
                    }
                }
                "rules" => self.rules = Rules::from_value(file, value).map_err(Wrong::Told)?,
                "compare" | "run" => {}
                _ => return Err(unknown_field(value.line, "section", key, "", &SECTIONS).into()),
            }
            seen.push(name);
        }
        Ok(())
    }

    /// The job as the tree of a document.
    pub fn to_value(&self) -> Value {
        let table = |entries: Vec<(&'static str, Value)>| -> Option<Value> {
            let entries: Vec<(String, Value)> = entries.into_iter().map(|(name, value)| (name.into(), value)).collect();
            (!entries.is_empty()).then(|| Data::Table(entries).into())
        };
        let columns = self.columns.iter().map(|(name, column)| (name.clone(), column.to_value()));
        let columns: Option<Value> = (!self.columns.is_empty()).then(|| Data::Table(columns.collect()).into());
        let sections = [
            ("input", table(self.input.entries())),
            ("columns", columns),
            ("rules", self.rules.to_value()),
            ("publish", table(self.publish.entries())),
            ("output", table(self.output.entries())),
        ];
        let stated = sections.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?)));
        Data::Table(stated.collect()).into()
    }

    /// The same job with relative paths meant from a folder.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Job {
        (self.input, self.output) = (self.input.in_folder(folder), self.output.in_folder(folder));
        self.columns = self.columns.into_iter().map(|(name, column)| (name, column.in_folder(folder))).collect();
        (self.publish, self.matrices) = (self.publish.in_folder(folder), self.matrices.in_folder(folder));
        self
    }
}

/// What is wrong with a job, with or without its place.
enum Wrong {
    Here(Fault),
    Told(Error),
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Self {
        Wrong::Here(fault)
    }
}

/// Sets the options of a section.
fn fill<S: Section>(section: &mut S, name: &str, entries: &[(String, Value)]) -> Result<(), Fault> {
    let mut seen: Vec<String> = Vec::new();
    for (key, value) in entries {
        let option = field_name(key);
        if seen.contains(&option) {
            return Err(Fault::new(value.line, format!("`{option}` is given twice")));
        }
        if !section.set(&option, value).map_err(|fault| fault.about(&option))? {
            let known: Vec<&str> = S::OPTIONS.iter().map(|option| option.name).collect();
            let fault = unknown_field(value.line, "field", key, name, &known);
            return Err(match Job::options().find(|known| known.name == option && known.section != name) {
                Some(elsewhere) if elsewhere.section == "columns" => fault.hint(format!(
                    "it is said of a column, such as `age = {{ role = \"quasi\", {option} = ... }}` under [columns]"
                )),
                Some(elsewhere) => fault.hint(format!("it belongs to [{}]", elsewhere.section)),
                None => fault,
            });
        }
        seen.push(option);
    }
    Ok(())
}

impl Column {
    /// A column with a role and nothing else said.
    pub fn new(role: ColumnRole) -> Column {
        Column { role: Some(role), ..Column::default() }
    }

    /// Reads an entry of the section: a role alone, or a table with a role.
    fn from_value(name: &str, value: &Value) -> Result<Column, Fault> {
        let mut column = Column::default();
        match &value.data {
            Data::Text(_) => column.role = OptionValue::read(value)?,
            _ => fill(&mut column, name, value.entries("a role or a table with a role")?)?,
        }
        if column.role.is_none() {
            return Err(Fault::new(value.line, format!("column `{name}` has no role"))
                .hint(format!("for example `{name} = {{ role = \"quasi\" }}`")));
        }
        Ok(column)
    }

    /// The role alone, or a table where there is more to say.
    pub(crate) fn to_value(&self) -> Value {
        match &self.entries()[..] {
            [("role", role)] => role.clone(),
            entries => {
                let entries = entries.iter().map(|(name, value)| (name.to_string(), value.clone()));
                Data::Table(entries.collect()).into()
            }
        }
    }
}

impl Serialize for Job {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Job {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Job, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Job::from_value("job", &value).map_err(serde::de::Error::custom)
    }
}
