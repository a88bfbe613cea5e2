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
/// inequality, which nothing here relies on. Memory is that of the pairs that are given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    labels: Vec<Box<str>>,
    place: HashMap<Box<str>, u32>,
    /// Of each label the pairs with labels before it are `columns[starts[i]..starts[i + 1]]`, rising.
    starts: Vec<usize>,
    columns: Vec<u32>,
    distances: Vec<Decimal>,
}

/// The most labels: a file of all their pairs has fifty million lines.
const MOST_LABELS: usize = 10_000;

/// A pair of places, the greater first, and how far apart they are.
struct Pair {
    places: (u32, u32),
    distance: Decimal,
    /// Position in what was given, for the message.
    entry: usize,
}

impl Matrix {
    /// From the lines of a file. A pair may be given in either order, or in both if they agree.
    ///
    /// # Errors
    /// A distance that is no decimal, negative, not 0 from a label to itself, or given twice and differently: the
    /// error names the line, the row and the column.
    pub fn from_entries(file: &str, entries: &[MatrixEntry]) -> Result<Self> {
        let mut matrix = Matrix::with_labels(file, entries.iter().flat_map(|entry| [&*entry.row, &*entry.column]))?;
        let fault = |at: usize, reason: String| {
            let MatrixEntry { line, row, column, .. } = &entries[at];
            Error::data(file, format!("row `{row}`, column `{column}`: {reason}")).at(Some(*line), None)
        };
        let mut pairs = Vec::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            let Some(distance) = Decimal::parse(entry.distance.trim()) else {
                return Err(fault(at, format!("the distance `{}` is not an exact decimal", entry.distance))
                    .hint("a plain number of at least 0, such as 0.25"));
            };
            let places = (matrix.place[entry.row.as_str()], matrix.place[entry.column.as_str()]);
            pairs.push(Pair { places, distance, entry: at });
        }
        matrix.fill(pairs, fault)?;
        Ok(matrix)
    }

    /// Tabulates a function of two labels, so that a release can carry it and every reader can verify it: any function
    /// becomes a distance of the notation, `matrix:FILE`, as a table of its values. It is called once per pair of
    /// different labels, and not for a label and itself.
    ///
    /// ```
    /// use scumble_table::{Decimal, Matrix};
    /// let tenth = |units: usize| Decimal::new(units as i128, 1);
    /// // Illnesses are the nearer the longer the beginning that their codes share.
    /// let matrix = Matrix::tabulate(&["J45.0", "J45.9", "J30.1", "I51.4"], |a, b| {
    ///     tenth(5 - a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count())
    /// })?;
    /// assert_eq!(matrix.distance("J45.9", "J45.0"), Some(tenth(1)));
    /// assert_eq!(matrix.distance("J45.9", "I51.4"), Some(tenth(5)));
    /// # Ok::<(), scumble_table::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the function says something negative of a pair; the error names its row and column.
    pub fn tabulate(labels: &[&str], mut distance: impl FnMut(&str, &str) -> Decimal) -> Result<Self> {
        const FUNCTION: &str = "distance function";
        let mut matrix = Matrix::with_labels(FUNCTION, labels.iter().copied())?;
        let mut pairs = Vec::new();
        for (a, row) in (0..).zip(&matrix.labels) {
            for (b, column) in (0..a).zip(&matrix.labels) {
                pairs.push(Pair { places: (a, b), distance: distance(row, column), entry: pairs.len() });
            }
        }
        let places: Vec<(u32, u32)> = pairs.iter().map(|pair| pair.places).collect();
        let names = matrix.labels.clone();
        matrix.fill(pairs, |at, reason| {
            let (row, column) = (&names[places[at].0 as usize], &names[places[at].1 as usize]);
            Error::data(FUNCTION, format!("row `{row}`, column `{column}`: {reason}"))
        })?;
        Ok(matrix)
    }

    /// Labels without distances.
    fn with_labels<'a>(file: &str, texts: impl Iterator<Item = &'a str>) -> Result<Self> {
        let (mut labels, mut place) = (Vec::new(), HashMap::new());
        for text in texts {
            if !place.contains_key(text) {
                place.insert(Box::<str>::from(text), labels.len() as u32);
                labels.push(Box::<str>::from(text));
            }
        }
        if labels.len() > MOST_LABELS {
            let reason = format!("the matrix has {} labels, and at most {MOST_LABELS} are taken", labels.len());
            return Err(Error::data(file, reason));
        }
        Ok(Matrix { labels, place, starts: Vec::new(), columns: Vec::new(), distances: Vec::new() })
    }

    /// Takes pairs in any order. `fault` makes an error about the entry at a position.
    fn fill(&mut self, mut pairs: Vec<Pair>, fault: impl Fn(usize, String) -> Error) -> Result<()> {
        for Pair { places: (a, b), distance, entry } in &pairs {
            if *distance < Decimal::ZERO {
                let reason = format!("the distance {distance} is negative");
                return Err(fault(*entry, reason).hint("distances are at least 0"));
            }
            if a == b && *distance != Decimal::ZERO {
                return Err(fault(*entry, format!("a label is at distance 0 from itself, not {distance}")));
            }
        }
        pairs.retain(|pair| pair.places.0 != pair.places.1);
        pairs.iter_mut().for_each(|pair| pair.places = ordered(pair.places));
        pairs.sort_by_key(|pair| (pair.places, pair.entry));
        let differs = |two: &&[Pair]| two[0].places == two[1].places && two[0].distance != two[1].distance;
        if let Some([one, two]) = pairs.windows(2).filter(differs).min_by_key(|two| two[1].entry) {
            let reason = format!("the distance is {} here and {} in another line", two.distance, one.distance);
            return Err(fault(two.entry, reason).hint("a distance is the same both ways; give each pair once"));
        }
        pairs.dedup_by_key(|pair| pair.places);
        let row = |label: usize| pairs.partition_point(|pair| (pair.places.0 as usize) < label);
        self.starts = (0..=self.labels.len()).map(row).collect();
        self.columns = pairs.iter().map(|pair| pair.places.1).collect();
        self.distances = pairs.iter().map(|pair| pair.distance).collect();
        Ok(())
    }

    /// The labels, in the order in which the file first names them.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.labels.iter().map(|label| &**label)
    }

    /// The pairs of different labels that it has, each once, with their distances.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str, Decimal)> + '_ {
        let row = |at: usize| self.starts[at]..self.starts[at + 1];
        let pair = move |at: usize, entry: usize| {
            (&*self.labels[at], &*self.labels[self.columns[entry] as usize], self.distances[entry])
        };
        (0..self.labels.len()).flat_map(move |at| row(at).map(move |entry| pair(at, entry)))
    }

    /// The distance between two labels; `None` if the matrix lacks the pair.
    pub fn distance(&self, a: &str, b: &str) -> Option<Decimal> {
        self.between(*self.place.get(a)?, *self.place.get(b)?)
    }

    fn between(&self, a: u32, b: u32) -> Option<Decimal> {
        if a == b {
            return Some(Decimal::ZERO);
        }
        let (row, column) = ordered((a, b));
        let (start, end) = (self.starts[row as usize], self.starts[row as usize + 1]);
        let at = self.columns[start..end].binary_search(&column).ok()?;
        Some(self.distances[start + at])
    }

    /// Gives `found` every two of some labels, as their positions: each label with itself and with those that follow it.
    ///
    /// # Errors
    /// If the matrix lacks one of them; the error names row and column, and `file`.
    pub fn each_pair(
        &self,
        file: &str,
        labels: &[impl AsRef<str>],
        mut found: impl FnMut(usize, usize, Decimal),
    ) -> Result<()> {
        let places: Vec<Option<u32>> = labels.iter().map(|label| self.place.get(label.as_ref()).copied()).collect();
        for (i, a) in places.iter().enumerate() {
            for (j, b) in places.iter().enumerate().skip(i) {
                let distance = a.zip(*b).and_then(|(a, b)| self.between(a, b));
                let known = |at: usize, place: &Option<u32>| place.map(|_| labels[at].as_ref().to_string());
                let lacks = || Matrix::lacks(file, known(i, a), known(j, b));
                // A label is at no distance from itself, whether or not the file has it.
                let distance = if i == j { Decimal::ZERO } else { distance.ok_or_else(lacks)? };
                found(i, j, distance);
            }
        }
        Ok(())
    }

    /// The pairs of some labels, each once and a label before those that follow it, for a file.
    ///
    /// # Errors
    /// If the matrix lacks one of them; the error names row and column, and `file`.
    pub fn pairs(&self, file: &str, labels: &[&str]) -> Result<Vec<(String, String, Decimal)>> {
        let mut pairs = Vec::with_capacity(labels.len() * (labels.len() + 1) / 2);
        self.each_pair(file, labels, |i, j, distance| {
            pairs.push((labels[i].to_string(), labels[j].to_string(), distance));
        })?;
        Ok(pairs)
    }

    /// The error for a pair that the matrix lacks. Labels of the file are named; others are values of a sensitive column, and
    /// are not.
    fn lacks(file: &str, a: Option<String>, b: Option<String>) -> Error {
        let pair = match (a, b) {
            (Some(a), Some(b)) => format!("row `{a}`, column `{b}`"),
            (Some(one), None) | (None, Some(one)) => {
                format!("`{one}` and a value of the data that the file does not have")
            }
            (None, None) => "two values of the data that the file does not have".into(),
        };
        Error::data(file, format!("{pair}: there is no distance for this pair"))
            .hint("the matrix must have every pair of values of the column, in either order")
    }
}

fn ordered((a, b): (u32, u32)) -> (u32, u32) {
    (a.max(b), a.min(b))
}

#[cfg(test)]
mod tests;
