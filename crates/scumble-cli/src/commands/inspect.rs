//! `scumble inspect`.

use crate::args::Inspect;
use crate::commands::reading;
use crate::output::{Output, aligned, counted, grouped, percent};
use crate::whole_file::{check_page, write_whole};
use scumble::{ColumnRole, Error, Inspection, Result};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Inspect, output: &Output) -> Result<bool> {
    if let Some(job) = &args.job_out {
        check_page("job_out", job, &args.data, args.replace)?;
    }
    let table = reading::source(&args.data, &args.options)?.read_all(&output.context)?;
    let inspection = scumble::inspect_people(&table, args.options.named(ColumnRole::Person), &output.context)?;
    drop(table);
    if let Some(job) = &args.job_out {
        let mut proposed = inspection.job();
        args.options.apply_section("input", &mut proposed)?;
        proposed.input.path = Some(path_for_job(&args.data, job));
        proposed.output.dir = Some("release".into());
        let text = inspection.job_text(&proposed);
        write_whole(job, |out| out.write_all(text.as_bytes())).map_err(|e| Error::io("write", job.display(), &e))?;
    }
    let document = serde_json::to_value(&inspection).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || summary(&inspection, args.job_out.as_deref()))?;
    Ok(true)
}

/// Paths in a job file are read from its own directory.
fn path_for_job(data: &Path, job: &Path) -> PathBuf {
    if data == Path::new("-") {
        return data.into();
    }
    let full = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match job.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => full(parent),
        _ => full(Path::new(".")),
    };
    let data = full(data);
    data.strip_prefix(&folder).map(Path::to_path_buf).unwrap_or(data)
}

/// How to say that texts among numbers mean a missing value.
fn missing_texts(inspection: &Inspection) -> String {
    let found = inspection.columns.iter().filter(|column| !column.maybe_missing.is_empty());
    let rows: Vec<Vec<String>> =
        found.map(|column| vec![column.name.clone(), column.maybe_missing.join(", ")]).collect();
    if rows.is_empty() {
        return String::new();
    }
    let (texts, _) = inspection.maybe_missing();
    let flags: Vec<String> = texts
        .iter()
        .map(|text| {
            if text.starts_with('-') {
                format!("--null={}", shell_word(text))
            } else {
                format!("--null {}", shell_word(text))
            }
        })
        .collect();
    let quoted: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
    format!(
        "\nColumns that are numbers but for a few texts, or for numbers out of range:\n\n{}\nIf these mean a missing value, say so: {}, or in a job file null = [{}]\n",
        aligned(&rows, &[]),
        flags.join(" "),
        quoted.join(", ")
    )
}

/// How to say that numbers are labels.
fn possible_labels(inspection: &Inspection) -> String {
    let names: Vec<&str> =
        inspection.columns.iter().filter(|column| column.maybe_labels).map(|column| column.name.as_str()).collect();
    if names.is_empty() {
        return String::new();
    }
    let flags: Vec<String> =
        names.iter().map(|name| format!("--type {}", shell_word(&format!("{name}=nominal")))).collect();
    format!(
        "\nColumns of few whole numbers, which may be codes of classes:{}\nIf they are, intervals of them say nothing; tell publish:{}{}or in a \
         job file type = \"nominal\"\n",
        listed(names.iter().map(ToString::to_string), ",", ""),
        listed(flags.iter().cloned(), "", " \\"),
        if is_long(&flags, "") { "\n" } else { ", " },
    )
}

/// Letters that stand on a line of a list, beyond the words before it.
const LINE: usize = 100;

fn is_long(items: &[String], mark: &str) -> bool {
    items.iter().map(|item| item.chars().count() + mark.len() + 1).sum::<usize>() > LINE
}

/// Items on the line that they follow, or on lines of their own where they are many. A mark stands between two of them, and another
/// at the end of a line that goes on.
fn listed(items: impl Iterator<Item = String>, mark: &str, goes_on: &str) -> String {
    let items: Vec<String> = items.collect();
    if !is_long(&items, mark) {
        return format!(" {}", items.join(&format!("{mark} ")));
    }
    let (mut text, mut line) = (String::new(), String::new());
    for (at, item) in items.iter().enumerate() {
        if !line.is_empty() && line.chars().count() + item.chars().count() > LINE {
            text.push_str(&format!("\n {line}{goes_on}"));
            line.clear();
        }
        line.push_str(&format!(" {item}{}", if at + 1 < items.len() { mark } else { "" }));
    }
    format!("{text}\n {line}")
}

/// Which columns are more than a search takes, and what to do.
fn too_many(inspection: &Inspection) -> String {
    match inspection.too_many.as_slice() {
        [] => String::new(),
        names => format!(
            "\nMore columns than a search takes could be known of a person; proposed as drop are:{}\nFor each of these that you call quasi, call another \
             one drop, sensitive or keep. Of so many quasi columns little is left in a release: drop what nobody needs.\n",
            listed(names.iter().cloned(), ",", "")
        ),
    }
}

/// Sets of columns that single people out, and columns that do so alone.
fn sets(inspection: &Inspection, share: impl Fn(u64, Option<u64>) -> String, by_person: bool) -> String {
    let (who, alike) = if by_person { ("people", "people whom") } else { ("rows", "rows that") };
    let mut text = String::new();
    if !inspection.near_unique.is_empty() {
        text.push_str(&format!(
            "\nColumns that tell most {who} apart by themselves; no set with them was looked at:\n\n"
        ));
        let is_one = |name: &String| inspection.columns.iter().find(|column| column.name == *name);
        let rows: Vec<Vec<String>> = inspection
            .near_unique
            .iter()
            .filter_map(is_one)
            .map(|column| vec![share(column.unique_rows, column.unique_people), column.name.clone()])
            .collect();
        text.push_str(&aligned(&rows, &[0]));
    }
    if inspection.sets.is_empty() && inspection.sets_examined > 0 {
        text.push_str(&format!(
            "\nSmall sets of columns looked at: {}; none tells more {who} apart than its columns do alone\n",
            grouped(inspection.sets_examined as u64)
        ));
    }
    if !inspection.sets.is_empty() {
        text.push_str(&format!(
            "\nMost telling of {} of columns ({alike} nobody else resembles):\n\n",
            counted(inspection.sets_examined as u64, "small set", "small sets"),
        ));
        let rows: Vec<Vec<String>> = inspection
            .sets
            .iter()
            .map(|set| vec![share(set.unique_rows, set.unique_people), set.columns.join(", ")])
            .collect();
        text.push_str(&aligned(&rows, &[0]));
    }
    text
}

/// A text as one word of a command line.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ',' | ':' | '%' | '+');
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn summary(inspection: &Inspection, job: Option<&Path>) -> String {
    // Where people have several rows, their own other rows are nobody else.
    let persons = inspection.persons.filter(|&persons| persons < inspection.rows);
    let share = |rows: u64, people: Option<u64>| match (people, persons) {
        (Some(people), Some(persons)) => percent(people, persons),
        _ => percent(rows, inspection.rows),
    };
    let of_people = persons.map_or(String::new(), |persons| format!(" of {}", counted(persons, "person", "people")));
    let mut text = format!(
        "{}{of_people}, {}\n\n",
        counted(inspection.rows, "row", "rows"),
        counted(inspection.columns.len() as u64, "column", "columns")
    );
    let unique = if persons.is_some() { "unique people" } else { "unique rows" };
    let mut rows =
        vec![["column", "type", "distinct", "missing", unique, "range", "proposed role"].map(String::from).to_vec()];
    for c in &inspection.columns {
        let range = match (&c.min, &c.max) {
            (Some(min), Some(max)) => format!("{min} .. {max}"),
            _ => String::new(),
        };
        let role = format!("{}: {}", c.proposal.name(), c.because);
        rows.push(vec![
            c.name.clone(),
            c.type_name().into(),
            grouped(c.distinct),
            grouped(c.nulls),
            share(c.unique_rows, c.unique_people),
            range,
            role,
        ]);
    }
    text.push_str(&aligned(&rows, &[2, 3, 4]));
    text.push_str(&missing_texts(inspection));
    text.push_str(&possible_labels(inspection));
    text.push_str(&too_many(inspection));
    if !inspection.copies.is_empty() {
        text.push_str("\nColumns that say what another says, of which one is enough:\n\n");
        let told = inspection.copies.iter().map(|copy| {
            let says = if copy.one_to_one { "says the same as" } else { "says less than" };
            vec![copy.column.clone(), says.into(), copy.of.clone()]
        });
        text.push_str(&aligned(&told.collect::<Vec<_>>(), &[]));
    }
    text.push_str(&sets(inspection, share, persons.is_some()));
    if let Some(job) = job {
        text.push_str(&format!(
            "\nA job file to start from is in {}: check the roles, then run\n  scumble publish --job {}\n",
            job.display(),
            job.display()
        ));
    }
    text
}
