//! A release on disk, ready to be spoilt.

use super::{Maker, edit_file, leftovers};
use scumble_io::{Format, NoProgress};
use scumble_release::{Release, Source, SourceData, Verdict, VerifyOptions, WriteOptions, verify, write};
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

    fn of(make: impl FnOnce(&Maker) -> Release, change: impl FnOnce(&mut Maker)) -> Case {
        let mut maker = Maker::people(48);
        change(&mut maker);
        Case::write(&make(&maker), &maker)
    }

    /// A release beside a source that need not be its own.
    pub fn write(release: &Release, maker: &Maker) -> Case {
        let home = tempfile::tempdir().unwrap();
        write(release, &home.path().join("release"), &WriteOptions::default(), &NoProgress).unwrap();
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
    set_cell_of(dir, "table.csv", row, column, text);
}

pub fn set_cell_of(dir: &Path, file: &str, row: usize, column: usize, text: &str) {
    edit_file(&dir.join(file), |lines| {
        let mut row_cells = cells(&lines[row]);
        row_cells[column] = text.into();
        lines[row] = row_cells.join(",");
    });
}
