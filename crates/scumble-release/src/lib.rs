//! The audit side of Scumble: what leaves the house, how it is written, and how it is judged.
//!
//! ```text
//! Release (in memory) --write--> directory --verify--> Verdict
//!                                    |
//!                                    +--ReleaseDir::open--> tables, --measure--> losses
//! ```
//!
//! * [`Release`] and its [`Form`]s own their data: nothing borrows from the table they came from.
//! * [`write()`] puts a release aside, lets [`verify()`] read the bytes again, and renames it into place
//!   only if every check holds.
//! * [`verify()`] needs a directory and nothing else; [`verify_table`] judges tables of other tools.
//! * [`answer`] bounds and estimates aggregates over values that are known group by group only.
//! * [`mixture`] tells what is believed of somebody whose quasi-identifiers are known, but not the group.
//! * [`notation`] is how generalized values are written and read.
//!
//! No crate that makes releases is known here, so a mistake there cannot hide itself.

pub mod answer;
mod atomic;
mod coarse;
mod column_file;
mod digest;
mod folder;
mod form;
mod hidden_folder;
mod manifest;
mod matrices;
mod measure;
pub mod mixture;
pub mod notation;
mod opened;
mod published;
mod reader;
mod report_facts;
pub mod risk;
mod shown;
mod target;
mod verify;
mod watch;
mod writer;

pub use coarse::Coarse;
pub use digest::Digest;
pub use folder::write_folder;
pub use form::{
    Anatomy, Angel, BATCH, BucketTable, COUNT, Extremes, Form, GROUP, Generalized, Grouping, HITS, Help, Permuted,
    PermutedTables, QuasiColumn, Release, STAR, SUPPRESSED, SensitiveCounts, Sums, TUPLE, ValueColumn,
};
pub use hidden_folder::HiddenFolder;
pub use manifest::{
    AttainedEntry, BoxKind, CoarseColumn, Coins, ConditionalColumn, ContextShown, FileEntry, MANIFEST, Manifest,
    ManifestColumn, Method, Mixtures, REPORT, TableEntry, VERSION,
};
pub use matrices::{MatrixFile, published_matrices};
pub use measure::{
    Anatomized, AngelTable, AngelTables, Answers, AskedWidths, AttributeLoss, Axis, BoundQuestions, Bounding, Boxes,
    ComparedSource, Comparison, Divergence, Draw, Ends, Errors, Estimate, Generalization, Grid, Grouped, Groups, Loss,
    MeasuredForm, Microdata, PartitionWidths, Partitioned, Perturbed, Positions, Predicate, Predicates, Query,
    RankSwapped, Reconstruction, Scratch, Selection, Shape, SizeSummary, Truth, Vulnerability, WORKLOAD_SEED, Widths,
    Workload, bound_widths, bounds_of_partition, bounds_of_rank_swap, discernibility, divergence, largest_retention,
    loss, loss_of_boxes, loss_of_exact, release_loss, release_loss_on, vulnerability,
};
pub use opened::{Angelized, BoxColumn, Boxed, Opened, OpenedData, People, SensitiveSet, ShownColumn, View};
pub use published::{Extent, PublishedColumn};
pub use reader::ReleaseDir;
pub use report_facts::{MakeReport, ReportFacts};
pub use target::check_target;
pub use verify::{
    Against, Check, GroupSizes, Joined, Kept, LevelEntry, Source, SourceData, Verdict, VerifyOptions, attained_apart,
    attained_entries, verify, verify_table,
};
pub use watch::{Stage, Watch};
pub use writer::{Addition, TableFormat, WriteOptions, Written, extend, write};
