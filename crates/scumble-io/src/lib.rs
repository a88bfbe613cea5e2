//! How data is read and how tables are written.
//!
//! ```text
//! CSV, .csv.gz, Parquet, Arrow batches --read--> RawTable --encode--> scumble_table::Table
//! ```
//!
//! Reading turns every column into a dictionary of distinct texts and one narrow code per row;
//! encoding looks at the distinct texts only, decides what they mean, and renumbers the codes. So
//! the work that depends on types is done once per distinct value, not once per row, and a table of
//! ten million rows never exists as text in memory.
//!
//! Besides the data there are the small files a publisher writes by hand: hierarchies, orders of
//! labels, matrices of distances between them, and job files. The writers at the end serve the release.
//!
//! Nothing here knows about privacy beyond one rule: a value of a column marked secret is never put
//! into a message.

mod codes;
mod columnar;
mod conditional_file;
mod csv;
mod csv_extras;
mod dictionary;
mod document;
mod encode;
mod fault;
mod from_file;
mod hierarchy_file;
mod inflation;
mod integer;
mod matrix_file;
mod merged_column;
mod order_file;
mod plain_file;
mod raw;
mod read;
mod record;
mod rule_file;
#[cfg(test)]
mod test_data;
mod write_csv;
mod write_parquet;

pub use columnar::{parquet_extras, typed_amounts, typed_values};
pub use conditional_file::{is_toml, parse_conditional, read_conditional, write_conditional};
pub use csv_extras::csv_extra;
pub use dictionary::Dictionary;
pub use document::{Data, Fault, Value, field_name, unknown_field};
pub use encode::{ColumnPlan, detect, encode, looks_numeric, strays};
pub use from_file::{AnyHierarchy, FromFile, ReadFile};
pub use hierarchy_file::{parse_hierarchy, read_hierarchy, write_hierarchy};
pub use matrix_file::{parse_matrix, read_matrix, write_matrix};
pub use order_file::{Order, parse_order, read_order};
pub use plain_file::{open_plain, read_plain};
pub use raw::{NULL_INTEGER, RawColumn, RawTable};
pub use read::{Format, ReadOptions, Want, read, read_stream};
pub use record::read_small_text;
pub use rule_file::{parse_rule, write_rule};
pub use write_csv::{write_csv_field, write_delimited_field};
pub use write_parquet::{OutColumn, Shared, record_batches, write_parquet};
