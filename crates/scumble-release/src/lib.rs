//! What leaves the house: the forms of a release, how it is written, and how it is read.
//!
//! ```text
//! Draft (as it was made) --stage--> hidden directory --(the verifier)--> Staged::commit
//!        |                                                                    |
//!        +--ReleaseReader::in_memory--> ReleaseReader <--ReleaseReader::open--+
//!                                             |
//!                                       PublishedTables: the one read model
//! ```
//!
//! * A [`Draft`] and its [`Form`]s own their data: nothing borrows from the table they came from.
//! * [`stage`] writes a draft to a hidden place. The verifier reads those bytes and commits them.
//! * [`PublishedTables`] is what verifier, measures, attacks and queries read.
//! * [`notation`] is how generalized values are written and read.
//!
//! No crate that makes or judges releases is known here.

mod arrow;
mod coarse;
mod column_file;
mod digest;
mod findings;
mod folder;
mod form;
mod intervals;
mod manifest;
mod matrices;
pub mod notation;
mod published_column;
mod published_domain;
mod published_tables;
mod reader;
mod release_data;
mod staging_dir;
mod target;
mod typed;
mod writer;

pub use arrow::ArrowTable;
pub use coarse::Coarse;
pub use digest::Digest;
pub use findings::{Check, Findings, problems};
pub use folder::write_folder;
pub use form::{
    Anatomy, Angel, BATCH, BucketTable, COUNT, Draft, Extremes, Form, GROUP, Generalized, Grouping, HITS, Help,
    IntervalEnds, Permuted, PermutedTables, QuasiColumn, STAR, SUPPRESSED, SensitiveCounts, Sums, TUPLE, ValueColumn,
};
pub use intervals::{end_names, show_ends, show_ends_of_added, shown_ends};
pub use manifest::{
    ACCEPT_OVERLAP, AttainedEntry, BoxKind, CoarseColumn, Coins, ConditionalColumn, ContextShown, CountedWord,
    FileEntry, LedgerWord, MANIFEST, Manifest, ManifestColumn, Method, MissingColumn, Mixtures, PopulationWord, REPORT,
    ROWS_ARE_PEOPLE, TableEntry, VERSION, accept_keep, accepted_column, allow_sets, register_algorithm_name,
    serialize_figures, unexpected_words,
};
pub use matrices::{MatrixFile, published_matrices};
pub use published_column::{Extent, PublishedColumn, number_place};
pub use published_tables::{
    Angelized, BoxColumn, BoxTable, Boxed, CountedValues, Exact, GroupedValues, PlacedValues, PublishedTables,
    ShownColumn, UNPUBLISHED, value_map,
};
pub use reader::{ReleaseReader, manifest_text};
pub use release_data::ReleaseData;
pub use staging_dir::sweep;
pub use target::{check_target, in_release};
pub use writer::{Addition, Staged, TableFormat, WriteOptions, stage, stage_extension};
