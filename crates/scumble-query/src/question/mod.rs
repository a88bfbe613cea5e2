//! A question that a release can answer, read from SQL and nothing else.
//!
//! ```text
//! SELECT [QI columns,] AGG(...) [, ...] FROM release
//! [WHERE <predicate over QI columns> [AND <predicate over sensitive columns>]] [GROUP BY QI columns]
//! ```

mod literals;
mod predicate;
mod select;

pub(crate) use predicate::{both, columns_of, conjuncts};
pub(crate) use select::read;

use datafusion_sql::sqlparser::ast::Expr;
use scumble_answer::Aggregate;

/// A question about a release. Columns are known by their place in the manifest; predicates name them exactly, in
/// double quotes, and mean what they say on every engine.
pub(crate) struct Question {
    /// GROUP BY.
    pub(crate) keys: Vec<usize>,
    /// What is asked for, in the order of the statement.
    pub(crate) aggregates: Vec<AskedAggregate>,
    /// The part of WHERE that chooses people.
    pub(crate) people: Option<Expr>,
    /// The part of WHERE that looks at sensitive values.
    pub(crate) sensitive: Option<Expr>,
}

/// An aggregate that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskedAggregate {
    pub(crate) aggregate: Aggregate,
    /// The sensitive column; none for COUNT(*).
    pub(crate) column: Option<usize>,
    /// As in `avg(salary)`.
    pub(crate) label: String,
    /// The heading that the statement gives it, if it does.
    pub(crate) alias: Option<String>,
}

impl Question {
    /// Places of the sensitive columns that an aggregate looks at, its predicate included.
    pub(crate) fn sensitive_columns(&self, asked: &AskedAggregate, columns: &crate::columns::Columns) -> Vec<usize> {
        let mut used = self.sensitive.as_ref().map_or(Vec::new(), |expr| columns_of(expr, columns));
        used.extend(asked.column);
        used.sort_unstable();
        used.dedup();
        used
    }
}
