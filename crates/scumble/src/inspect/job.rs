//! A job to start from, and its file with comments.

use super::{Inspection, unfit};
use crate::job::{Column, ColumnRole, Job, Method, Section};
use scumble_io::{Data, Value};
use scumble_release::TableFormat;
use std::collections::HashMap;

impl Inspection {
    /// The job that publishes the table with the proposed roles. What the data is called and where the release goes are
    /// for the caller to add.
    pub fn job(&self) -> Job {
        let mut job = Job::new();
        job.columns = self.columns.iter().map(|found| (found.name.clone(), Column::new(found.proposal))).collect();
        // k-anonymity of 1 or more is always a requirement.
        job.publish.require.extend(format!("k-anonymity({})", self.k()).parse());
        job.publish.method = Some(Method::Generalize);
        job.output.format = Some(TableFormat::Csv);
        job
    }

    /// The k of the proposed job: fewer people than there are share a group.
    fn k(&self) -> u64 {
        unfit::proposed_k(self.persons.unwrap_or(self.rows))
    }

    /// A job as a job file, with comments on what was found and on what else could be said.
    pub fn job_text(&self, job: &Job) -> String {
        let mut text = JobText(HEAD.to_string());
        text.section("input", &job.input.entries(), INPUT);
        let (texts, columns) = self.maybe_missing();
        if !texts.is_empty() {
            let names: Vec<String> = columns.iter().map(|name| inline(&Value::text(*name))).collect();
            text.push_wrapped(&format!(
                "Numbers but for a few texts, or for numbers out of range: {}. Where these mean a missing value, say so:",
                names.join(", ")
            ));
            text.push_line(&format!("# {}", toml("null", &Value::list(texts.into_iter().map(Value::text)))));
        }
        if !self.too_many.is_empty() {
            text.push_line("# More columns could be known of a person than a search takes. Those beyond are called drop: for each of them that");
            text.push_line("# you call quasi, call another one drop, sensitive or keep.");
        }
        text.0.push_str(ROLES);
        self.columns_text(job, &mut text);
        if let Some(rules) = job.rules.to_value() {
            text.0.push_str(&format!("\n{}\n", toml("rules", &rules)));
        }
        let is_sensitive = job.named(ColumnRole::Sensitive).next().is_some();
        text.section("publish", &job.publish.entries(), if is_sensitive { PUBLISH } else { PUBLISH_WITHOUT_SENSITIVE });
        text.section("output", &job.output.entries(), OUTPUT);
        text.0
    }

    fn columns_text(&self, job: &Job, text: &mut JobText) {
        let found: HashMap<&str, _> = self.columns.iter().map(|column| (column.name.as_str(), column)).collect();
        let lines: Vec<(String, String, &str)> = job
            .columns
            .iter()
            .map(|(name, column)| {
                let key = toml(name, &Value::text("")).trim_end_matches(" = \"\"").to_string();
                (key, inline(&column.to_value()), name.as_str())
            })
            .collect();
        let width = lines.iter().map(|(key, ..)| key.chars().count()).max().unwrap_or(0);
        for (key, value, name) in &lines {
            let remark = found.get(name).map_or(String::new(), |column| {
                let nulls = if column.nulls > 0 { format!(", {} missing", column.nulls) } else { String::new() };
                let labels = if column.maybe_labels {
                    format!(
                        "; if its numbers are codes of classes: {{ role = \"{}\", type = \"nominal\" }}",
                        column.proposal.name()
                    )
                } else {
                    String::new()
                };
                format!(" # {}, {} distinct{nulls}: {}{labels}", column.type_name(), column.distinct, column.because)
            });
            text.push_line(format!("{key:width$} = {value:13}{remark}").trim_end());
        }
    }
}

const HEAD: &str = "\
# A job for `scumble publish --job`. Check every role: what is proposed here is a guess from
# names and counts. This file names your data, so keep it to yourself.
";

const ROLES: &str = "
# Roles: identifying and drop (never published), person (says whose row it is; never published),
# quasi (generalized), sensitive (protected), keep (published as it is). With more to say: age = { role = \"quasi\", type = \"number\",
# hierarchy = \"age.csv\" }; types are number, date, ordinal and nominal.
[columns]
";

/// A line of a section.
enum JobLine {
    /// A comment.
    Comment(&'static str),
    /// A field with a remark; the first text is what stands there, as a comment, where the job does not say the field.
    Field(&'static str, &'static str, &'static str),
}
use JobLine::{Comment, Field};

const INPUT: &[JobLine] = &[
    Field("path", "", ""),
    Field("delimiter", "\";\"      # found in the header by default", ""),
    Field("null", "[\"?\"]          # texts that mean a missing value, as the empty cell does", ""),
];

const REQUIRE: &str = "`scumble principles` lists all that can be required; all of them must hold together.";

const PUBLISH: &[JobLine] = &[
    Comment(REQUIRE),
    Field("require", "", ""),
    Comment("require = [\"k-anonymity(5)\", \"frequency-l-diversity(3)\", \"t-closeness(0.2, ordered)\"]"),
    METHOD,
    ALGORITHM,
    SUPPRESSED,
    PROFILE,
    BOXES,
];

const PUBLISH_WITHOUT_SENSITIVE: &[JobLine] = &[
    Comment(REQUIRE),
    Field("require", "", ""),
    Comment("No sensitive column was recognised; with one, values can be protected too, for example"),
    Comment("require = [\"k-anonymity(5)\", \"distinct-l-diversity(3)\"]"),
    METHOD,
    ALGORITHM,
    SUPPRESSED,
    PROFILE,
    BOXES,
];

const METHOD: JobLine = Field("method", "", "");
const ALGORITHM: JobLine = Field("algorithm", "\"mondrian\"      # or mondrian-relaxed, proximity, paper", "");
const SUPPRESSED: JobLine =
    Field("max_suppressed", "0.02        # greatest share of outlying rows that may be left out", "");
const PROFILE: JobLine = Field("profile", "\"standard\"         # or hardened, max-utility", "");
const BOXES: JobLine =
    Field("boxes", "\"minimal\"            # or rounded, cells: what boxes tell about their ends", "");

const OUTPUT: &[JobLine] = &[
    Field("dir", "", ""),
    Field("format", "", "                # or parquet"),
    Comment("A private file that remembers who was in which release, so that nobody is published twice unnoticed."),
    Comment(
        "Its passphrase is taken from SCUMBLE_LEDGER_PASSPHRASE, or from a file that only you can read. Without one it is",
    ),
    Comment("opened by a key that is made for you in your folder for settings, or in a file that you name (not both)."),
    Field("ledger", "\"people.ledger\"", ""),
    Field("ledger_passphrase", "\"passphrase\"", ""),
    Field("ledger_key", "\"../private/ledger.key\"", ""),
];

/// Letters of a line of comments that are made of names.
const LINE: usize = 120;

/// The text of a job file as it grows.
struct JobText(String);

impl JobText {
    fn push_line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// A comment of as many lines as it takes.
    fn push_wrapped(&mut self, comment: &str) {
        let mut line = String::from("#");
        for word in comment.split(' ') {
            if line.chars().count() > 1 && line.chars().count() + word.chars().count() >= LINE {
                self.push_line(&line);
                line = String::from("#");
            }
            line.push(' ');
            line.push_str(word);
        }
        self.push_line(&line);
    }

    /// A section: its lines in this order, then whatever else the job says.
    fn section(&mut self, name: &str, entries: &[(&'static str, Value)], lines: &[JobLine]) {
        self.push_line(&format!("\n[{name}]"));
        for line in lines {
            match line {
                Comment(comment) => self.push_line(&format!("# {comment}")),
                Field(field, instead, remark) => match entries.iter().find(|(known, _)| known == field) {
                    Some((_, value)) => self.push_line(&format!("{}{remark}", toml(field, value))),
                    None if instead.is_empty() => {}
                    None => self.push_line(&format!("# {field} = {instead}")),
                },
            }
        }
        let is_shown = |name: &str| lines.iter().any(|line| matches!(line, Field(field, ..) if *field == name));
        for (field, value) in entries.iter().filter(|(name, _)| !is_shown(name)) {
            self.push_line(&toml(field, value));
        }
    }
}

/// A value in TOML, on one line.
fn inline(value: &Value) -> String {
    match &value.data {
        Data::Table(entries) => {
            let entries: Vec<String> = entries.iter().map(|(name, value)| toml(name, value)).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        _ => toml("value", value).trim_start_matches("value = ").to_string(),
    }
}

/// A field in TOML.
fn toml(name: &str, value: &Value) -> String {
    let entry: Value = Data::Table(vec![(name.to_string(), value.clone())]).into();
    // Names and values of jobs all have a form in TOML.
    toml::to_string(&entry).unwrap_or_default().trim_end().to_string()
}
