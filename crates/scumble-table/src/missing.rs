//! What missing values are to requirements.

use std::fmt;

/// What the missing values of a sensitive column are to requirements of diversity and closeness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// A value like another: it is counted, and hidden as the others are.
    #[default]
    Value,
    /// Nothing: members of a group without a value are not counted, neither as a value nor as a part of the whole. That
    /// somebody's value is missing is then not hidden.
    Ignore,
}

impl Missing {
    /// All of them.
    pub const ALL: [Missing; 2] = [Missing::Value, Missing::Ignore];

    /// The word for it in job files and flags.
    pub fn name(self) -> &'static str {
        match self {
            Missing::Value => "value",
            Missing::Ignore => "ignore",
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
