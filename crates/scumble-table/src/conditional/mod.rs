//! Conditional hierarchies: ladders of intervals that differ from context to context.
//!
//! Tall is another height for women than for men. A conditional hierarchy cuts a column into intervals that suit
//! the people of a *context*, a condition on other columns, and joins them upwards into intervals that all contexts
//! share (paper 3, section 5.2):
//!
//! ```text
//! value -> levels of the context, fine to coarse -> common levels, fine to coarse -> *
//! ```
//!
//! A level is written as the last value of each of its intervals but the highest, so that intervals neither overlap
//! nor leave a gap, cover every value whatever, and do not tell the least and the greatest one. Levels are nested
//! where the cuts of each are among those of the finer one.

mod bound;
#[cfg(test)]
mod tests;

pub use bound::BoundConditional;

/// The last values of all intervals but the highest, ascending.
pub type Cuts = Vec<Box<str>>;

/// A ladder of intervals for one column, with rungs that differ by context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionalHierarchy {
    /// The column that is cut.
    pub column: String,
    /// The levels of all contexts, fine to coarse.
    pub common: Vec<Cuts>,
    /// The contexts; no row may be in two of them, and a row in none shows its common interval.
    pub contexts: Vec<HierarchyContext>,
}

/// The people that a condition singles out, and the intervals that suit them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyContext {
    /// All of these must hold.
    pub when: Vec<ContextCondition>,
    /// Levels below the common ones, fine to coarse; as many as every other context has.
    pub levels: Vec<Cuts>,
}

/// What a context asks of one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextCondition {
    /// The column.
    pub column: String,
    /// What its value must be.
    pub is: Is,
}

/// What a value must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Is {
    /// One of these; the empty text is a missing value.
    OneOf(Vec<Box<str>>),
    /// At least the first and at most the second, where they are given; never missing.
    Between(Option<Box<str>>, Option<Box<str>>),
}

impl ConditionalHierarchy {
    /// A ladder without contexts.
    pub fn plain(column: impl Into<String>, levels: Vec<Cuts>) -> Self {
        ConditionalHierarchy { column: column.into(), common: levels, contexts: Vec::new() }
    }

    /// Levels that depend on the context.
    pub fn n_context_levels(&self) -> usize {
        self.contexts.first().map_or(0, |context| context.levels.len())
    }

    /// Levels of intervals, between the value and `*`.
    pub fn n_levels(&self) -> usize {
        self.n_context_levels() + self.common.len()
    }

    /// The columns that contexts ask about, each once, in the order they are first asked about.
    pub fn given(&self) -> Vec<&str> {
        let mut given: Vec<&str> = Vec::new();
        for condition in self.contexts.iter().flat_map(|context| &context.when) {
            if !given.contains(&condition.column.as_str()) {
                given.push(&condition.column);
            }
        }
        given
    }

    /// The levels that people of a context see, fine to coarse; of people in none, where no context is named.
    pub fn ladder(&self, context: Option<usize>) -> Vec<&Cuts> {
        let own: Vec<&Cuts> = match context {
            Some(at) => self.contexts[at].levels.iter().collect(),
            // A person in no context shows the finest common interval already at the levels below.
            None => match self.common.first() {
                Some(first) => vec![first; self.n_context_levels()],
                None => Vec::new(),
            },
        };
        own.into_iter().chain(&self.common).collect()
    }
}
