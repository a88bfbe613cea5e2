//! The job file: a request to publish, in TOML, with the same names as the flags.
//!
//! ```toml
//! [input]
//! path = "adult.csv"            # relative to the job file; "-" is standard input
//! null = ["?", "NA"]
//!
//! [columns]
//! age = "quasi"
//! zipcode = { role = "quasi", type = "ordinal", hierarchy = "zipcode.csv" }
//! salary = "sensitive"
//!
//! [rules]                       # in the order in which they stand
//! minors = { when = "age < 18", delete = true }
//!
//! [publish]
//! require = ["proximity-absolute(4500, 5)"]
//!
//! [output]
//! dir = "release"
//! ```
//!
//! Fields are read one by one from the document tree rather than derived, so that every message can
//! name the line, and a mistyped field the one that was meant.

mod rules;
pub(crate) mod section;
mod sweep;
#[cfg(test)]
mod sweep_tests;
mod template;
#[cfg(test)]
mod tests;

use crate::Format;
use crate::record::read_text;
pub use rules::{JobRule, RuleAction};
use scumble_table::{Decimal, Error, Kind, Result, nearest, quoted_list};
use section::{Section, line_of};
use std::path::{Path, PathBuf};
pub use sweep::{Compare, MOST_POINTS, Sweep, SweepFault, SweepPoint, SweepRun, Values};
use toml::Spanned;
use toml::de::DeTable;

/// A request to publish, as far as the file states it; what it does not state is left to the caller.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Job {
    /// The job file, for messages.
    pub file: String,
    /// Where the data is.
    pub input: Input,
    /// What the columns are, in the order of the file.
    pub columns: Vec<JobColumn>,
    /// What is done to records before anything else, in the order of the file.
    pub rules: Vec<JobRule>,
    /// What to publish and how.
    pub publish: Publish,
    /// Where to put it.
    pub output: Output,
}

/// The section `[input]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Input {
    /// `path`: the data; `-` is standard input.
    pub path: Option<PathBuf>,
    /// `format`: `csv` or `parquet`.
    pub format: Format,
    /// `delimiter`: one character, or `tab`.
    pub delimiter: Option<u8>,
    /// `null`: texts that mean a missing value.
    pub nulls: Vec<String>,
}

/// An entry of the section `[columns]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobColumn {
    /// Name in the data.
    pub name: String,
    /// `role`.
    pub role: JobRole,
    /// `type`.
    pub kind: Option<Kind>,
    /// `hierarchy`: a file.
    pub hierarchy: Option<PathBuf>,
    /// `order`: a file.
    pub order: Option<PathBuf>,
    /// `level`: of its hierarchy, that a full-domain release shows.
    pub level: Option<u64>,
    /// Line of the job file.
    pub line: u64,
}

/// What a job file may say a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobRole {
    /// Could point at a person together with others.
    Quasi,
    /// Must not be learned about a person.
    Sensitive,
    /// Points at a person by itself; dropped.
    Identifying,
    /// Published as it is.
    Kept,
    /// Left out for any other reason.
    Drop,
}

impl JobRole {
    const WORDS: [(&'static str, JobRole); 6] = [
        ("quasi", JobRole::Quasi),
        ("sensitive", JobRole::Sensitive),
        ("identifying", JobRole::Identifying),
        ("keep", JobRole::Kept),
        ("drop", JobRole::Drop),
        ("kept", JobRole::Kept),
    ];
}

/// The section `[publish]`, in the words of the flags of the same names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Publish {
    /// `require`: requirements in their notation.
    pub require: Vec<String>,
    /// `method`.
    pub method: Option<String>,
    /// `algorithm`.
    pub algorithm: Option<String>,
    /// `max_suppressed`: a share of the rows, exactly as written.
    pub max_suppressed: Option<Decimal>,
    /// `profile`.
    pub profile: Option<String>,
    /// `aim`.
    pub aim: Option<String>,
    /// `boxes`.
    pub boxes: Option<String>,
    /// `mixtures`.
    pub mixtures: Option<String>,
    /// `seed`.
    pub seed: Option<u64>,
    /// `insecure_seed`: the seed is taken where coins alone hide people.
    pub insecure_seed: bool,
    /// `distance`: in its notation, with files named from the folder of the job file.
    pub distance: Option<String>,
    /// `time_limit`: seconds that groups may be sought under `dissimilarity`.
    pub time_limit: Option<u64>,
    /// `marginal`: lists of columns.
    pub marginal: Vec<Vec<String>>,
    /// `angel_k`.
    pub angel_k: Option<u64>,
    /// `join_k`.
    pub join_k: Option<u64>,
    /// `drop_rest`: columns without a role are dropped.
    pub drop_rest: bool,
    /// `together`: sensitive columns are permuted as one.
    pub together: bool,
}

/// The section `[output]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// `dir`: the release.
    pub dir: Option<PathBuf>,
    /// `format`: `csv` or `parquet`; [`Format::Auto`] when not stated.
    pub format: Format,
    /// `replace`: an existing release may be replaced.
    pub replace: bool,
}

impl Job {
    /// Reads a job file; relative paths in it are meant from where it lies.
    pub fn read(path: &Path) -> Result<Job> {
        let file = path.display().to_string();
        Job::parse(&file, &read_text(path)?, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads the text of a job file; `file` stands for it in messages, and relative paths are meant
    /// from `base`.
    pub fn parse(file: &str, text: &str, base: &Path) -> Result<Job> {
        let document = document(file, text)?;
        let mut top = Section::new(file, text, "", document.get_ref());
        let job = Job {
            file: file.to_string(),
            input: top.section("input")?.map_or_else(|| Ok(Input::default()), |section| input(section, base))?,
            columns: top.section("columns")?.map_or_else(|| Ok(Vec::new()), |section| columns(section, base))?,
            rules: top.section("rules")?.map_or_else(|| Ok(Vec::new()), rules::read)?,
            publish: top.section("publish")?.map_or_else(|| Ok(Publish::default()), publish)?,
            output: top.section("output")?.map_or_else(|| Ok(Output::default()), |section| output(section, base))?,
        };
        // What a comparison is told, which this job is a part of.
        top.skip("compare");
        top.skip("run");
        top.finish()?;
        Ok(job)
    }
}

/// The document of a text.
fn document<'t>(file: &str, text: &'t str) -> Result<Spanned<DeTable<'t>>> {
    DeTable::parse(text).map_err(|error| {
        let line = error.span().map(|span| line_of(text, span.start));
        let reason = error.message().lines().next().unwrap_or("this is not TOML").to_string();
        Error::data(file, reason).at(line, None)
    })
}

fn input(mut section: Section<'_, '_>, base: &Path) -> Result<Input> {
    let path = section.text("path")?.map(|path| if path == "-" { path.into() } else { base.join(path) });
    let format = format(&mut section)?;
    let delimiter = section.word("delimiter", |text| match text.as_bytes() {
        b"tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("a delimiter is one ASCII character other than a quote, or `tab`".into()),
    })?;
    let nulls = section.texts("null")?;
    section.finish()?;
    Ok(Input { path, format, delimiter, nulls })
}

fn columns(section: Section<'_, '_>, base: &Path) -> Result<Vec<JobColumn>> {
    let mut columns = Vec::new();
    for mut entry in section.columns()? {
        let (name, line) = (entry.name().to_string(), entry.line());
        let role = entry.word("role", |text| {
            JobRole::WORDS.iter().find(|(word, _)| *word == text).map(|(_, role)| *role).ok_or_else(|| {
                unknown("role", text, &JobRole::WORDS[..5].iter().map(|(word, _)| *word).collect::<Vec<_>>())
            })
        })?;
        let kind = entry
            .word("type", |text| text.parse::<Kind>().map_err(|_| unknown("type", text, &Kind::ALL.map(Kind::name))))?;
        let hierarchy = entry.text("hierarchy")?.map(|path| base.join(path));
        let order = entry.text("order")?.map(|path| base.join(path));
        let level = entry.integer("level")?;
        let Some(role) = role else {
            return Err(entry
                .error(format!("column `{name}` has no role"))
                .hint(format!("for example `{name} = {{ role = \"quasi\" }}`")));
        };
        entry.finish()?;
        columns.push(JobColumn { name, role, kind, hierarchy, order, level, line });
    }
    Ok(columns)
}

fn publish(mut section: Section<'_, '_>) -> Result<Publish> {
    let split = |text: &str| text.split(',').map(|name| name.trim().to_string()).collect::<Vec<_>>();
    let publish = Publish {
        require: section.texts("require")?,
        method: section.text("method")?,
        algorithm: section.text("algorithm")?,
        max_suppressed: section.decimal("max_suppressed")?,
        profile: section.text("profile")?,
        aim: section.text("aim")?,
        boxes: section.text("boxes")?,
        mixtures: section.text("mixtures")?,
        seed: section.integer("seed")?,
        insecure_seed: section.flag("insecure_seed")?,
        distance: section.text("distance")?,
        time_limit: section.integer("time_limit")?,
        marginal: section.lists("marginal", split)?,
        angel_k: section.integer("angel_k")?,
        join_k: section.integer("join_k")?,
        drop_rest: section.flag("drop_rest")?,
        together: section.flag("together")?,
    };
    section.finish()?;
    Ok(publish)
}

fn output(mut section: Section<'_, '_>, base: &Path) -> Result<Output> {
    let dir = section.text("dir")?.map(|dir| base.join(dir));
    let output = Output { dir, format: format(&mut section)?, replace: section.flag("replace")? };
    section.finish()?;
    Ok(output)
}

fn format(section: &mut Section<'_, '_>) -> Result<Format> {
    let format = section.word("format", |text| match text {
        "csv" => Ok(Format::Csv),
        "parquet" => Ok(Format::Parquet),
        _ => Err(unknown("format", text, &["csv", "parquet"])),
    })?;
    Ok(format.unwrap_or_default())
}

/// A word that is not one of those allowed.
fn unknown(what: &str, text: &str, words: &[&str]) -> String {
    match nearest(text, words.iter().copied()) {
        Some(word) => format!("there is no {what} `{text}`; did you mean `{word}`?"),
        None => format!("there is no {what} `{text}`, only {}", quoted_list(words, words.len())),
    }
}
