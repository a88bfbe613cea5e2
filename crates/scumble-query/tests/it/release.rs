//! Small releases, published by the library and read back by hand.

use scumble::{ColumnRequest, ColumnRole, Input, Kind, Method, PublishRequest, Silent};
use std::collections::BTreeMap;
use std::fs;
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

/// Publishes people by a method, under a requirement that any groups of the method meet.
pub(crate) fn publish(people: &[Person], method: Method, requirement: &str) -> Option<Published> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("people.csv");
    let mut text = String::from("age,city,pay\n");
    let cell = |value: &Option<i64>| value.map_or(String::new(), |value| value.to_string());
    for (age, city, pay) in people {
        text.push_str(&format!("{},{},{}\n", cell(age), city.clone().unwrap_or_default(), cell(pay)));
    }
    fs::write(&file, text).unwrap();
    let column = |name: &str, role, kind| ColumnRequest { kind: Some(kind), ..ColumnRequest::new(name, role) };
    let request = PublishRequest {
        columns: vec![
            column("age", ColumnRole::Quasi, Kind::Number),
            column("city", ColumnRole::Quasi, Kind::Nominal),
            column("pay", ColumnRole::Sensitive, Kind::Number),
        ],
        requirements: vec![requirement.parse().unwrap()],
        method: Some(method),
        seed: Some(7),
        insecure_seed: true,
        out: dir.path().join("release"),
        ..PublishRequest::new(Input::file(&file))
    };
    scumble::publish(&request, &Silent).ok()?;
    Some(Published { dir })
}

/// A session over a release.
pub(crate) fn session(path: &Path) -> scumble_query::Session {
    scumble_query::Session::open(path, &scumble::Auditing(&Silent)).unwrap()
}
