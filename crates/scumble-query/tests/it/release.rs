//! Small releases, published by the library and read back by hand.

use scumble::{ColumnRole, Context, Job, Kind, Method, Source};
use scumble_table::Monitor;
use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// A person: age, city and pay, each perhaps missing.
pub(crate) type Person = (Option<i64>, Option<String>, Option<i64>);

/// A release in a directory that goes away with it.
pub(crate) struct Published {
    pub(crate) dir: tempfile::TempDir,
}

impl Published {
    pub(crate) fn path(&self) -> PathBuf {
        self.dir.path().join("release")
    }

    /// A table of the release: rows as cells by column name. The tests use no cell with a comma or a quote but sets
    /// and intervals, which are quoted.
    pub(crate) fn table(&self, name: &str) -> Vec<BTreeMap<String, String>> {
        let text = fs::read_to_string(self.path().join(format!("{name}.csv"))).unwrap();
        let mut lines = text.lines().map(cells);
        let header = lines.next().unwrap();
        lines.map(|line| header.iter().cloned().zip(line).collect()).collect()
    }
}

fn cells(line: &str) -> Vec<String> {
    let (mut found, mut cell, mut inside) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '"' => inside = !inside,
            ',' if !inside => found.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    found.push(cell);
    found
}

/// A job on columns, whose release goes into a folder by throws that anybody can repeat.
pub(crate) fn job(
    folder: &Path,
    columns: &[(&str, ColumnRole, Option<Kind>)],
    method: Method,
    requirement: &str,
    seed: u64,
) -> Job {
    let mut job = Job::new().require(requirement).unwrap();
    for (name, role, kind) in columns {
        job = job.with_role(*role, [*name]);
        job.column_mut(name).kind = *kind;
    }
    // The people are made up, and few: whatever a column tells of them may be told.
    let named = |role| job.named(role).map(String::from).collect::<Vec<_>>();
    let (allow_sets, accept_keep) = (named(ColumnRole::Quasi), named(ColumnRole::Kept));
    (job.publish.allow_sets, job.publish.accept_keep) = (allow_sets, accept_keep);
    job.publish.method = Some(method);
    (job.publish.seed, job.publish.insecure_seed) = (Some(seed), true);
    job.output.dir = Some(folder.join("release"));
    job
}

/// Publishes the rows of a text.
pub(crate) fn publish_text(csv: String, job: &Job) -> scumble::Result<()> {
    let context = Context::new();
    let table = Source::reader(Cursor::new(csv)).read(job, &context)?;
    scumble::publish(&table, job, &context).map(|_| ())
}

/// Publishes people by a method, under a requirement that any groups of the method meet.
pub(crate) fn publish(people: &[Person], method: Method, requirement: &str) -> Option<Published> {
    let dir = tempfile::tempdir().unwrap();
    let mut text = String::from("age,city,pay\n");
    let cell = |value: &Option<i64>| value.map_or(String::new(), |value| value.to_string());
    for (age, city, pay) in people {
        text.push_str(&format!("{},{},{}\n", cell(age), city.clone().unwrap_or_default(), cell(pay)));
    }
    let columns = [
        ("age", ColumnRole::Quasi, Some(Kind::Number)),
        ("city", ColumnRole::Quasi, Some(Kind::Nominal)),
        ("pay", ColumnRole::Sensitive, Some(Kind::Number)),
    ];
    publish_text(text, &job(dir.path(), &columns, method, requirement, 7)).ok()?;
    Some(Published { dir })
}

/// A session over a release.
pub(crate) fn session(path: &Path) -> scumble_query::Session {
    scumble_query::Session::open(path, Monitor::silent()).unwrap()
}
