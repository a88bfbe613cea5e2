//! What rules do to records.

/// What a rule does to the records that it is for. Bounds and steps are held as they are written: what they mean
/// depends on the type of the column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleAction {
    /// `delete`: the record is left out.
    Delete,
    /// `blank`: the value becomes a missing one.
    Blank {
        /// The column.
        column: String,
    },
    /// `top_code`: a value above the bound becomes the bound.
    TopCode {
        /// The column.
        column: String,
        /// The bound.
        bound: String,
    },
    /// `bottom_code`: a value below the bound becomes the bound.
    BottomCode {
        /// The column.
        column: String,
        /// The bound.
        bound: String,
    },
    /// `generalize`: the value becomes a coarser one.
    Generalize {
        /// The column.
        column: String,
        /// A step for numbers; `month`, `quarter`, `year` or a number of days for dates; the label that replaces a label.
        to: String,
    },
}

impl RuleAction {
    /// The column that it changes; a deletion changes none.
    pub fn column(&self) -> Option<&str> {
        match self {
            RuleAction::Delete => None,
            RuleAction::Blank { column }
            | RuleAction::TopCode { column, .. }
            | RuleAction::BottomCode { column, .. }
            | RuleAction::Generalize { column, .. } => Some(column),
        }
    }

    /// The word for it in job files.
    pub fn name(&self) -> &'static str {
        match self {
            RuleAction::Delete => "delete",
            RuleAction::Blank { .. } => "blank",
            RuleAction::TopCode { .. } => "top_code",
            RuleAction::BottomCode { .. } => "bottom_code",
            RuleAction::Generalize { .. } => "generalize",
        }
    }
}
