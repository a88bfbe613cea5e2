//! SQL over releases: aggregates answered with honest bounds, rewritten statements, and export to databases.
//!
//! ```text
//! SQL --question--> Question --people | boxes | angel--> hits or shares --scumble_answer--> QueryAnswer
//!                       \--rewrite--> statements over the published tables, for other engines
//! ```
//!
//! DataFusion judges conditions; what a judgement means for an aggregate is the business of
//! [`scumble_answer`], which knows no SQL. Only this crate and the program depend on DataFusion.

mod angel;
mod answer;
mod boxes;
mod columns;
mod condition_tree;
mod context;
mod engine;
mod export;
mod functions;
mod people;
mod question;
mod rewrite;
mod session;
mod sql_names;
mod value;

pub use answer::{AggregateAnswer, AnswerRow, QueryAnswer};
pub use export::{Destination, ExportOptions, ExportSummary, ExportedTable, export};
pub use rewrite::Dialect;
pub use scumble_answer::{Confidence, Interval};
pub use scumble_table::date_text;
pub use session::Session;
pub use value::{Bound, Value};
