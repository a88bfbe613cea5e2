//! Who is counted: rows, or the people whose rows they are.

use std::fmt;

/// Who is counted. A row is a person only where somebody said so, or where it was seen: everything that is said of people
/// asks this type for its nouns, and speaks of rows where nothing is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Rows, whosever they are.
    #[default]
    Rows,
    /// People, each once.
    People,
}

impl Counted {
    /// People where that is known, else rows.
    pub fn people_if(known: bool) -> Counted {
        if known { Counted::People } else { Counted::Rows }
    }

    /// The word for it in documents.
    pub fn name(self) -> &'static str {
        match self {
            Counted::Rows => "rows",
            Counted::People => "persons",
        }
    }

    /// One of them.
    pub fn one(self) -> &'static str {
        match self {
            Counted::Rows => "row",
            Counted::People => "person",
        }
    }

    /// Several of them.
    pub fn many(self) -> &'static str {
        match self {
            Counted::Rows => "rows",
            Counted::People => "people",
        }
    }

    /// One or several.
    pub fn noun(self, n: u64) -> &'static str {
        if n == 1 { self.one() } else { self.many() }
    }

    /// Each of them, as the subject or object of a sentence.
    pub fn everybody(self) -> &'static str {
        match self {
            Counted::Rows => "every row",
            Counted::People => "everybody",
        }
    }
}

/// A number of things, with the word for one or for many.
///
/// ```
/// use scumble_table::number_of;
/// assert_eq!([0, 1, 2].map(|n| number_of(n, "row", "rows")), ["0 rows", "1 row", "2 rows"]);
/// ```
pub fn number_of(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_rows_until_somebody_says_otherwise() {
        assert_eq!((Counted::default(), Counted::people_if(true)), (Counted::Rows, Counted::People));
        assert_eq!([0, 1, 2].map(|n| Counted::People.noun(n)), ["people", "person", "people"]);
        assert_eq!([0, 1, 2].map(|n| Counted::Rows.noun(n)), ["rows", "row", "rows"]);
        assert_eq!((Counted::People.to_string(), Counted::Rows.everybody()), ("persons".into(), "every row"));
    }
}
