//! A release on disk, ready to be spoilt.

use super::{Maker, edit_file, leftovers, read_source, write};
use scumble_release::{Draft, WriteOptions};
use scumble_verify::{Source, Verdict, VerifyOptions, verify_dir};
use std::fs;
use std::path::{Path, PathBuf};

/// A written release with its source beside it.
pub struct Case {
    pub home: tempfile::TempDir,
}

impl Case {
    pub fn new(change: impl FnOnce(&mut Maker)) -> Case {
        Case::of(Maker::release, change)
    }

    pub fn anatomy(change: impl FnOnce(&mut Maker)) -> Case {
        Case::of(Maker::anatomized, change)
    }

    /// Salaries in groups of four, permuted.
    pub fn permuted(change: impl FnOnce(&mut Maker)) -> Case {
        Case::of(Maker::permuted, |maker| {
            maker.pay();
            change(maker);
        })
    }

    fn of(make: impl FnOnce(&Maker) -> Draft, change: impl FnOnce(&mut Maker)) -> Case {
        let mut maker = Maker::people(48);
        change(&mut maker);
        Case::write(&make(&maker), &maker)
    }

    /// A release beside a source that need not be its own.
    pub fn write(release: &Draft, maker: &Maker) -> Case {
        let home = tempfile::tempdir().unwrap();
        write(release, &home.path().join("release"), &WriteOptions::default()).unwrap();
        fs::write(home.path().join("source.csv"), maker.source()).unwrap();
        assert!(leftovers(home.path()).is_empty());
        Case { home }
    }

    pub fn dir(&self) -> PathBuf {
        self.home.path().join("release")
    }

    /// The cells of a file, line by line.
    pub fn lines(&self, file: &str) -> Vec<Vec<String>> {
        fs::read_to_string(self.dir().join(file)).unwrap().lines().map(cells).collect()
    }

    pub fn verdict(&self) -> Verdict {
        verify_dir(&self.dir(), &VerifyOptions::default()).unwrap()
    }

    pub fn against_source(&self) -> Verdict {
        self.against(&["name"])
    }

    /// Against the source next to the release, of which some columns must not be published.
    pub fn against(&self, identifying: &[&str]) -> Verdict {
        let table = read_source(&self.home.path().join("source.csv"));
        let identifying = identifying.iter().map(|name| name.to_string()).collect();
        let source = Some(Source { table: &table, identifying, persons: None, rules_applied: false });
        verify_dir(&self.dir(), &VerifyOptions { source, ..VerifyOptions::default() }).unwrap()
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
    set_cell_of(dir, "table.csv", row, column, text);
}

pub fn set_cell_of(dir: &Path, file: &str, row: usize, column: usize, text: &str) {
    edit_file(&dir.join(file), |lines| {
        let mut row_cells = cells(&lines[row]);
        row_cells[column] = text.into();
        lines[row] = row_cells.join(",");
    });
}
