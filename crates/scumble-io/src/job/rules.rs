//! The section `[rules]`: what is done to records before anything else.
//!
//! ```toml
//! [rules]
//! minors = { when = "age < 18", delete = true }
//! tall   = { when = "age <= 12 and height > 160", top_code = { height = 160 } }
//! birth  = { generalize = { birth = "year" } }
//! ```
//!
//! Only the form is read here. What a condition says, and whether an action suits its column, is known to those who
//! know the columns.

use super::section::Section;
use scumble_table::Result;

/// An entry of the section `[rules]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRule {
    /// Its name.
    pub name: String,
    /// `when`: which records it is for, as written; all where it is not stated.
    pub when: Option<String>,
    /// What is done to them.
    pub actions: Vec<RuleAction>,
    /// Line of the job file.
    pub line: u64,
    /// Line of the condition, or of the rule where it has none.
    pub when_line: u64,
}

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

/// Reads the section.
pub(super) fn read(section: Section<'_, '_>) -> Result<Vec<JobRule>> {
    section.tables("a rule such as `{ when = \"age < 18\", delete = true }`")?.into_iter().map(rule).collect()
}

fn rule(mut entry: Section<'_, '_>) -> Result<JobRule> {
    let (name, line) = (entry.name().to_string(), entry.line());
    let when = entry.text("when")?;
    let when_line = entry.line_of("when")?;
    let mut actions = Vec::new();
    if entry.flag("delete")? {
        actions.push(RuleAction::Delete);
    }
    actions.extend(entry.texts("blank")?.into_iter().map(|column| RuleAction::Blank { column }));
    let bounds = "a table of columns and bounds, such as `{ height = 160 }`";
    let top = entry.values("top_code", bounds)?.into_iter();
    actions.extend(top.map(|(column, bound)| RuleAction::TopCode { column, bound }));
    let bottom = entry.values("bottom_code", bounds)?.into_iter();
    actions.extend(bottom.map(|(column, bound)| RuleAction::BottomCode { column, bound }));
    let steps = "a table of columns and steps, such as `{ age = 5, birth = \"year\" }`";
    let coarser = entry.values("generalize", steps)?.into_iter();
    actions.extend(coarser.map(|(column, to)| RuleAction::Generalize { column, to }));
    if actions.is_empty() {
        let fields = "`delete`, `blank`, `top_code`, `bottom_code` or `generalize`";
        let error = entry.error(format!("rule `{name}` does nothing")).hint(format!("give it {fields}"));
        // A mistyped action is the likelier cause.
        entry.finish()?;
        return Err(error);
    }
    entry.finish()?;
    Ok(JobRule { name, when, actions, line, when_line })
}
