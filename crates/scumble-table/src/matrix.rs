//! Distances between labels, pair by pair, as a file gives them.

use crate::{Decimal, Error, Result};
use std::collections::HashMap;

/// One line of a matrix file: two labels and how far they are apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixEntry {
    /// Line in the file, from 1.
    pub line: u64,
    /// The row.
    pub row: String,
    /// The column.
    pub column: String,
    /// The distance as it is written.
    pub distance: String,
}

/// Distances between labels: mutual, not negative, and 0 from a label to itself. They need not obey the triangle
/// inequality, which nothing here relies on (ALGORITHMS.md E14).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    labels: Vec<Box<str>>,
    place: HashMap<Box<str>, u32>,
    /// Row by row; `None` where the file is silent.
    distances: Vec<Option<Decimal>>,
}

/// The most labels: a file of all their pairs has a hundred million lines.
const MOST_LABELS: usize = 10_000;

impl Matrix {
    /// From the lines of a file. A pair may be given in either order, or in both if they agree.
    ///
    /// # Errors
    /// A distance that is no decimal, negative, not 0 from a label to itself, or given twice and differently: the
    /// error names the line, the row and the column.
    pub fn from_entries(file: &str, entries: &[MatrixEntry]) -> Result<Self> {
        let mut matrix = Matrix { labels: Vec::new(), place: HashMap::new(), distances: Vec::new() };
        for text in entries.iter().flat_map(|entry| [&entry.row, &entry.column]) {
            if !matrix.place.contains_key(text.as_str()) {
                matrix.place.insert(text.as_str().into(), matrix.labels.len() as u32);
                matrix.labels.push(text.as_str().into());
            }
        }
        let n = matrix.labels.len();
        if n > MOST_LABELS {
            return Err(Error::data(file, format!("the matrix has {n} labels, and at most {MOST_LABELS} are taken")));
        }
        matrix.distances = vec![None; n * n];
        for entry in entries {
            let fault = |reason: String| {
                let place = format!("row `{}`, column `{}`: {reason}", entry.row, entry.column);
                Error::data(file, place).at(Some(entry.line), None)
            };
            let Some(distance) = Decimal::parse(entry.distance.trim()) else {
                return Err(fault(format!("the distance `{}` is not an exact decimal", entry.distance))
                    .hint("a plain number of at least 0, such as 0.25"));
            };
            if distance < Decimal::ZERO {
                return Err(fault(format!("the distance {distance} is negative")).hint("distances are at least 0"));
            }
            let (a, b) = (matrix.place[entry.row.as_str()] as usize, matrix.place[entry.column.as_str()] as usize);
            if a == b && distance != Decimal::ZERO {
                return Err(fault(format!("a label is at distance 0 from itself, not {distance}")));
            }
            if let Some(other) = matrix.distances[a * n + b].filter(|other| *other != distance) {
                return Err(fault(format!("the distance is {distance} here and {other} in another line"))
                    .hint("a distance is the same both ways; give each pair once"));
            }
            matrix.distances[a * n + b] = Some(distance);
            matrix.distances[b * n + a] = Some(distance);
        }
        for a in 0..n {
            matrix.distances[a * n + a] = Some(Decimal::ZERO);
        }
        Ok(matrix)
    }

    /// Writes down what a function of two labels says, so that a release can carry it and everybody can verify it.
    ///
    /// # Errors
    /// As [`Matrix::from_entries`]; the function is asked once per pair.
    pub fn tabulate(labels: &[&str], mut distance: impl FnMut(&str, &str) -> Decimal) -> Result<Self> {
        let mut entries = Vec::new();
        for (i, a) in labels.iter().enumerate() {
            entries.push(MatrixEntry { line: 0, row: a.to_string(), column: a.to_string(), distance: "0".into() });
            for b in &labels[..i] {
                let distance = distance(a, b).to_string();
                entries.push(MatrixEntry { line: 0, row: a.to_string(), column: b.to_string(), distance });
            }
        }
        Matrix::from_entries("function", &entries)
    }

    /// The labels, in the order in which the file first names them.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.labels.iter().map(|label| &**label)
    }

    /// The distance between two labels; nothing where the matrix does not say.
    pub fn distance(&self, a: &str, b: &str) -> Option<Decimal> {
        let (a, b) = (*self.place.get(a)? as usize, *self.place.get(b)? as usize);
        self.distances[a * self.labels.len() + b]
    }

    /// The pairs of some labels, each once and a label before those that follow it, for a file.
    ///
    /// # Errors
    /// If the matrix lacks one of them; the error names row and column, and `file`.
    pub fn pairs(&self, file: &str, labels: &[&str]) -> Result<Vec<(String, String, Decimal)>> {
        let mut pairs = Vec::with_capacity(labels.len() * (labels.len() + 1) / 2);
        for (i, a) in labels.iter().enumerate() {
            for b in &labels[i..] {
                let distance = self.distance(a, b).ok_or_else(|| Matrix::lacks(file, a, b))?;
                pairs.push((a.to_string(), b.to_string(), distance));
            }
        }
        Ok(pairs)
    }

    /// The refusal of a matrix that says nothing of a pair that is needed.
    pub fn lacks(file: &str, a: &str, b: &str) -> Error {
        Error::data(file, format!("row `{a}`, column `{b}`: there is no distance for this pair"))
            .hint("the matrix must have every pair of values of the column, in either order")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(line: u64, text: &str) -> MatrixEntry {
        let [row, column, distance] = text.split(',').collect::<Vec<_>>()[..] else { panic!("three texts") };
        MatrixEntry { line, row: row.into(), column: column.into(), distance: distance.into() }
    }

    fn read(lines: &[&str]) -> Result<Matrix> {
        Matrix::from_entries("m.csv", &(1..).zip(lines).map(|(i, line)| entry(i, line)).collect::<Vec<_>>())
    }

    #[test]
    fn pairs_are_mutual() {
        let matrix = read(&["a,b,0.5", "b,c,1", "c,b,1.0", "c,c,0"]).unwrap();
        assert_eq!(matrix.distance("b", "a"), Decimal::parse("0.5"));
        assert_eq!((matrix.distance("a", "a"), matrix.distance("a", "c")), (Some(Decimal::ZERO), None));
        assert_eq!((matrix.distance("a", "x"), matrix.labels().len()), (None, 3));
        assert_eq!(matrix.pairs("m.csv", &["b", "a"]).unwrap().len(), 3);
        let error = matrix.pairs("m.csv", &["a", "b", "c"]).unwrap_err().to_string();
        assert!(error.contains("row `a`, column `c`"), "{error}");
    }

    #[test]
    fn what_is_no_distance_is_refused_with_row_and_column() {
        for (lines, said) in [
            (&["a,b,NaN"][..], "line 1: row `a`, column `b`: the distance `NaN` is not an exact decimal"),
            (&["a,b,inf"], "not an exact decimal"),
            (&["a,b,"], "not an exact decimal"),
            (&["a,b,0.5", "b,a,-0.5"], "line 2: row `b`, column `a`: the distance -0.5 is negative"),
            (&["a,b,0.5", "b,a,0.4"], "line 2: row `b`, column `a`: the distance is 0.4 here and 0.5 in another line"),
            (&["a,a,0.1"], "row `a`, column `a`: a label is at distance 0 from itself, not 0.1"),
        ] {
            let error = read(lines).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
            assert_eq!(error.exit_code(), 2);
        }
    }

    #[test]
    fn a_function_becomes_a_matrix() {
        let matrix = Matrix::tabulate(&["1", "4", "9"], |a, b| {
            Decimal::from((a.parse::<i64>().unwrap() - b.parse::<i64>().unwrap()).abs())
        })
        .unwrap();
        assert_eq!(matrix.distance("9", "4"), Some(Decimal::from(5)));
        assert!(Matrix::tabulate(&["a", "b"], |_, _| Decimal::from(-1)).is_err());
    }
}
