//! The nouns of Scumble: what a table, a domain, a hierarchy, a bag and a partition are.
//!
//! Nothing here reads a file or draws a random number. Every other crate speaks in these types:
//!
//! ```text
//! Table = Schema (Attribute: name, Role, Domain) + one Codes column per attribute
//! Domain: code 0 is null, codes 1..=len are the values in ascending order
//! Bag:    how often each code occurs in a group, all that a principle may look at
//! ```

mod bag;
mod codes;
mod composite;
mod conditional;
mod counted;
mod date;
mod decimal;
mod domain;
mod error;
pub mod figures;
mod formula;
mod grouped;
mod hierarchy;
mod look_alike;
mod matrix;
mod missing;
mod partition;
mod persons;
mod population;
mod progress;
mod ratio;
mod row_classes;
mod row_mask;
mod rule;
mod stored;
mod table;
mod uniform;

pub use bag::Bag;
pub use codes::{Code, Codes, CodesBuilder, NULL, Width};
pub use composite::Composite;
pub use conditional::{BoundConditional, ConditionalHierarchy, ContextCondition, Cuts, HierarchyContext, Is};
pub use counted::{Counted, number_of};
pub use date::{date_text, first_of_months, first_of_years, month_span, parse_date};
pub use decimal::Decimal;
pub use domain::{Domain, Kind};
pub use error::{
    Error, Result, did_you_mean, field_in_backticks, nearest, quoted_list, replace_field_names, suggestion,
};
pub use formula::Formula;
pub use grouped::{GroupedRows, rows_by_group};
pub use hierarchy::{Hierarchy, Node, NodeId};
pub use look_alike::{LookAlikes, key_look, look};
pub use matrix::{Matrix, MatrixEntry};
pub use missing::Missing;
pub use partition::Partition;
pub use persons::{PersonDigests, Persons};
pub use population::{PeopleOfClasses, Population, PopulationColumn};
pub use progress::{Cancellation, Monitor, Progress, Silent, Stage};
pub use ratio::Ratio;
pub use row_classes::{RowClasses, class_members};
pub use row_mask::{BLOCK_ROWS, CodeBits, RowMask};
pub use rule::{BandWidth, Bands, Edge, HierarchyRule, OTHERS, RuleFault, RuleLevels};
pub use stored::Stored;
pub use table::{Attribute, Role, Schema, Table};
pub use uniform::uniform_below;
