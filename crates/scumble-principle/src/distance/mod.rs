//! Distances between sensitive values: their notation, and what becomes of it when it meets columns.
//!
//! ```text
//! text -> Distance -> LoadedDistance (with the matrices it names) --bind(columns)--> BoundDistance
//!                                                                                      |
//!                                                                    within(epsilon) -> near or not
//! ```
//!
//! The notation:
//!
//! ```text
//! distance = part | ("l1" | "l2" | "max" | "min") "(" part { "," part } ")"
//! part     = [ column ":" ] measure [ "*" weight ]
//! measure  = "range" [ "(" low "," high ")" ] | "rank" | "equal" | "tree" | "matrix:" file | name
//! ```
//!
//! A name is one that [`register_distance`] was given. In the names of columns and files a backslash escapes `, ( ) *` and itself; any other backslash
//! stands for itself. The last `:` before a measure ends the column, so columns may hold colons.

mod amounts;
mod bound;
mod column;
mod kernel;
mod loaded;
mod read;
mod terms;
mod whole_number;

pub use bound::{BoundDistance, MeasuredColumn};
pub use column::{ColumnDistance, distance_names, register_distance};
pub use loaded::LoadedDistance;
pub(crate) use terms::{Memory, Terms, Values};

use scumble_table::{Decimal, Error, Result};
use std::fmt;
use std::str::FromStr;

/// How far apart two rows are by their sensitive values: parts, one per column, combined.
///
/// ```
/// use scumble_principle::Distance;
/// let distance: Distance = "l1( education: rank*0.30, income :range(0,1e5)*.5 )".parse()?;
/// assert_eq!(distance.to_string(), "l1(education:rank*0.3, income:range(0, 100000)*0.5)");
/// # Ok::<(), scumble_table::Error>(())
/// ```
///
/// A single part is a distance by itself. However it is combined and weighted, scaling the weights
/// leaves the part alone, so `max(age:rank*3)` is read as `age:rank`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Distance {
    combine: Combine,
    parts: Vec<Part>,
}

/// How parts become one distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Combine {
    /// The weighted mean.
    L1,
    /// The root of the weighted mean of squares.
    L2,
    /// The greatest of weight times part.
    Max,
    /// The least of weight times part.
    Min,
}

impl Combine {
    /// All ways, in the order they are offered to users.
    pub const ALL: [Combine; 4] = [Combine::L1, Combine::L2, Combine::Max, Combine::Min];

    /// The word in the notation.
    pub fn name(self) -> &'static str {
        match self {
            Combine::L1 => "l1",
            Combine::L2 => "l2",
            Combine::Max => "max",
            Combine::Min => "min",
        }
    }
}

/// The distance within one column, and its weight.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Part {
    /// The column; `None` where there is only one sensitive column.
    pub column: Option<String>,
    /// How two of its values compare.
    pub measure: Measure,
    /// Above 0.
    pub weight: Decimal,
}

/// How two values of a column compare, as a distance that is 0 for equal values and in most cases at most 1: beyond
/// bounds of one's own it is more, and in a matrix whatever the file says. A missing value is at distance 0 from a
/// missing one and at distance 1 from any other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The difference of two numbers or dates divided by that of the least and the greatest published, or of these
    /// bounds; those of dates count days since 1970-01-01.
    Range(Option<(Decimal, Decimal)>),
    /// The difference of their positions among the distinct published values, divided by the greatest one.
    Rank,
    /// 0 for equal values, 1 for others.
    Equal,
    /// The height of the lowest common ancestor divided by that of the hierarchy. Where a line fills a short branch with
    /// the root's own label, that stands for the root.
    Tree,
    /// The distance that a file of `label,label,distance` gives.
    Matrix(String),
    /// One that another crate registered under this name. A release carries it as a matrix, so that anybody can
    /// verify the release.
    Named(String),
}

/// What a user may write, for hints.
const EXAMPLE: &str = "`l1(education:rank*0.3, income:range(0, 100000)*0.5)`";

impl Distance {
    /// Combines parts. Fails without parts, with a weight that is not above 0, and with a column or
    /// file name that the notation cannot carry (empty, with blanks at its ends, or a file named
    /// like the end of another part).
    pub fn new(combine: Combine, parts: Vec<Part>) -> Result<Self> {
        let distance = Distance { combine, parts }.normalized();
        let text = distance.to_string();
        match text.parse::<Distance>() {
            Ok(read) if read == distance => Ok(distance),
            Ok(_) => Err(Error::request("distance", text, "a name in it cannot be told from the notation")
                .hint("rename the column or the file")),
            Err(error) => Err(error),
        }
    }

    /// How the parts become one distance.
    pub fn combine(&self) -> Combine {
        self.combine
    }

    /// The parts, at least one.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn parts_mut(&mut self) -> &mut [Part] {
        &mut self.parts
    }

    /// The files that its matrices are in, each once.
    pub fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        for part in &self.parts {
            match &part.measure {
                Measure::Matrix(file) if !files.contains(&file.as_str()) => files.push(file),
                _ => {}
            }
        }
        files
    }

    /// The same distance with its matrices in other files, and with a file for a registered distance where `rename` gives one.
    #[must_use]
    pub fn with_files(mut self, rename: impl Fn(&Part) -> Option<String>) -> Self {
        for part in &mut self.parts {
            if let (Measure::Matrix(_) | Measure::Named(_), Some(file)) = (&part.measure, rename(part)) {
                part.measure = Measure::Matrix(file);
            }
        }
        self
    }

    fn normalized(mut self) -> Self {
        if let [only] = &mut self.parts[..]
            && only.weight > Decimal::ZERO
        {
            only.weight = Decimal::from(1);
            self.combine = Combine::L1;
        }
        self
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &self.parts[..] {
            return write!(f, "{only}");
        }
        write!(f, "{}(", self.combine.name())?;
        for (i, part) in self.parts.iter().enumerate() {
            write!(f, "{}{part}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(column) = &self.column {
            write!(f, "{}:", escaped(column))?;
        }
        match &self.measure {
            Measure::Range(None) => f.write_str("range")?,
            Measure::Range(Some((low, high))) => write!(f, "range({low}, {high})")?,
            Measure::Rank => f.write_str("rank")?,
            Measure::Equal => f.write_str("equal")?,
            Measure::Tree => f.write_str("tree")?,
            Measure::Matrix(file) => write!(f, "matrix:{}", escaped(file))?,
            Measure::Named(name) => f.write_str(name)?,
        }
        if self.weight == Decimal::from(1) { Ok(()) } else { write!(f, "*{}", self.weight) }
    }
}

impl FromStr for Distance {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let whole = |error: Error| match error {
            Error::Request { reason, hint, .. } => Error::Request {
                field: "distance".into(),
                value: text.into(),
                reason,
                hint: hint.or_else(|| Some(format!("for example {EXAMPLE}"))),
            },
            other => other,
        };
        read::read(text).map_err(whole)
    }
}

/// The signs that a backslash makes part of a name.
const ESCAPED: [char; 5] = ['\\', ',', '(', ')', '*'];

fn escaped(name: &str) -> String {
    name.chars().flat_map(|c| ESCAPED.contains(&c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests;
