//! What the tests of every sample need: a made table, column by column.

use crate::{Sample, write_csv};

/// The text of a sample.
pub(crate) fn bytes(sample: Sample, rows: u64, seed: u64) -> Vec<u8> {
    let mut out = Vec::new();
    write_csv(sample, rows, seed, &mut out, &mut |_| {}).unwrap();
    out
}

/// A sample read back as text cells.
pub(crate) struct Table {
    columns: &'static [&'static str],
    text: String,
}

impl Table {
    pub(crate) fn generate(sample: Sample, rows: u64, seed: u64) -> Table {
        Table { columns: sample.columns(), text: String::from_utf8(bytes(sample, rows, seed)).unwrap() }
    }

    /// The cells of a column from the first row to the last.
    pub(crate) fn column(&self, name: &str) -> impl Iterator<Item = &str> {
        let at = self.columns.iter().position(|column| *column == name);
        let at = at.unwrap_or_else(|| panic!("no column {name}"));
        self.text.lines().skip(1).map(move |line| line.split(',').nth(at).unwrap())
    }

    /// The cells of a column of whole numbers.
    pub(crate) fn numbers(&self, name: &str) -> impl Iterator<Item = i64> {
        self.column(name).map(|cell| cell.parse().unwrap())
    }

    /// The distinct cells of a column, sorted.
    pub(crate) fn domain(&self, name: &str) -> Vec<&str> {
        let mut cells: Vec<&str> = self.column(name).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// The part of all rows that hold `cell` in a column.
    pub(crate) fn share(&self, name: &str, cell: &str) -> f64 {
        mean(self.column(name).map(|other| f64::from(other == cell)))
    }

    /// The part of the rows with `given` that hold `cell`.
    pub(crate) fn share_given(&self, name: &str, cell: &str, given: (&str, &str)) -> f64 {
        mean(
            self.column(name)
                .zip(self.column(given.0))
                .filter(|(_, condition)| *condition == given.1)
                .map(|(other, _)| f64::from(other == cell)),
        )
    }

    /// The mean of a numeric column over the rows with `given`.
    pub(crate) fn mean_given(&self, name: &str, given: (&str, &str)) -> f64 {
        mean(
            self.column(name)
                .zip(self.column(given.0))
                .filter(|(_, condition)| *condition == given.1)
                .map(|(cell, _)| cell.parse::<f64>().unwrap()),
        )
    }

    /// The largest part of all rows that any one cell of a column takes.
    pub(crate) fn largest_share(&self, name: &str) -> f64 {
        let mut cells: Vec<&str> = self.column(name).collect();
        cells.sort_unstable();
        let longest = cells.chunk_by(|a, b| a == b).map(<[&str]>::len).max();
        longest.unwrap() as f64 / cells.len() as f64
    }
}

/// The mean; not a number when there is nothing to take it of, so that every
/// comparison with it fails.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}
