//! A release on disk, ready to be spoilt.

use super::{Maker, edit_table, leftovers};
use scumble_io::{Format, NoProgress};
use scumble_release::{Source, SourceData, Verdict, VerifyOptions, WriteOptions, verify, write};
use std::fs;
use std::path::{Path, PathBuf};

/// A written release with its source beside it.
pub struct Case {
    pub home: tempfile::TempDir,
}

impl Case {
    pub fn new(change: impl FnOnce(&mut Maker)) -> Case {
        let mut maker = Maker::people(48);
        change(&mut maker);
        let home = tempfile::tempdir().unwrap();
        write(&maker.release(), &home.path().join("release"), &WriteOptions::default(), &NoProgress).unwrap();
        fs::write(home.path().join("source.csv"), maker.source()).unwrap();
        assert!(leftovers(home.path()).is_empty());
        Case { home }
    }

    pub fn dir(&self) -> PathBuf {
        self.home.path().join("release")
    }

    pub fn verdict(&self) -> Verdict {
        verify(&self.dir(), &VerifyOptions::default()).unwrap()
    }

    pub fn against_source(&self) -> Verdict {
        let data = SourceData::File {
            path: self.home.path().join("source.csv"),
            format: Format::Auto,
            delimiter: None,
            nulls: Vec::new(),
        };
        let source = Some(Source { data, identifying: vec!["name".into()] });
        verify(&self.dir(), &VerifyOptions { source, ..VerifyOptions::default() }).unwrap()
    }
}

pub fn failed(verdict: &Verdict) -> Vec<&str> {
    assert_eq!(verdict.ok, verdict.failures().next().is_none());
    verdict.failures().map(|check| check.name.as_str()).collect()
}

pub fn detail<'a>(verdict: &'a Verdict, name: &str) -> &'a str {
    &verdict.checks.iter().find(|check| check.name == name).unwrap().detail
}

/// The table's lines cut into cells; no cell of these tables has a comma but in quotes.
pub fn cells(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                out.last_mut().unwrap().push(c);
            }
            ',' if !quoted => out.push(String::new()),
            c => out.last_mut().unwrap().push(c),
        }
    }
    out
}

pub fn set_cell(dir: &Path, row: usize, column: usize, text: &str) {
    edit_table(dir, |lines| {
        let mut row_cells = cells(&lines[row]);
        row_cells[column] = text.into();
        lines[row] = row_cells.join(",");
    });
}
