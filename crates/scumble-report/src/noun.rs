//! The words for those who are counted.

/// The words for one and for many of those who are counted: rows, or people where it is known that these are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noun {
    /// One of them.
    pub one: &'static str,
    /// Several of them.
    pub many: &'static str,
}

impl Noun {
    /// Rows, whosever they are.
    pub const ROW: Noun = Noun { one: "row", many: "rows" };

    /// People, each once.
    pub const PERSON: Noun = Noun { one: "person", many: "people" };
}

impl Default for Noun {
    fn default() -> Noun {
        Noun::ROW
    }
}
