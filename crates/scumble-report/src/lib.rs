//! Self-contained HTML reports with inline SVG charts.
//!
//! A report is one file that anybody may open, mail or print. It asks the network for
//! nothing and says so to the browser by a content security policy, so that reading a report about
//! protected data leaves no trace on a server.
//!
//! ```text
//! escape -> Text, Table, Chart -> Page -> release_page
//! ```
//!
//! Everything that enters a page passes through [`escape()`]: names and labels come from data files and may
//! hold anything. The same input gives the same bytes, for a page knows neither the time nor the host.
//!
//! This crate depends on nothing, not even on the other crates of Scumble: a report shows facts that its
//! caller worked out and cannot look at a table by itself.

pub mod chart;
mod escape;
mod method;
mod noun;
mod number;
mod page;
mod release_page;
mod table;
mod text;

pub use escape::escape;
pub use noun::Noun;
pub use page::{Note, Page};
pub use release_page::{ColumnFacts, Guards, Meaning, ReleaseFacts, RequirementFacts, release_page};
pub use scumble_table::figures::{counted, fine_percent, grouped, measure, rounded};
pub use table::Table;
pub use text::Text;
