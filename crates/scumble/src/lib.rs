//! Publish tables about people without giving any of them away.
//!
//! A data steward holds *microdata*: one row per person. [`anonymize()`] turns it into a *release* that anybody may see,
//! whose guarantee has been checked on the release itself.
//!
//! ```
//! use scumble::{Context, Job, Source, anonymize};
//!
//! let job = Job::new().quasi(["age", "zipcode"]).sensitive(["disease"]).require("k-anonymity(2)")?;
//! let data = "age,zipcode,disease\n31,10115,flu\n34,10117,cold\n52,20095,flu\n58,20097,ulcer\n";
//! let context = Context::new();
//! let table = Source::reader(data.as_bytes()).read(&job, &context)?;
//! let release = anonymize(&table, &job, &context)?;
//! assert_eq!(release.manifest().rows, 4);
//! for table in release.tables(&context)? {
//!     println!("{}: {} batches", table.name, table.batches.len());
//! }
//! assert!(release.verify(Some(&table), &context)?.ok);
//! # Ok::<(), scumble::Error>(())
//! ```
//!
//! [`Release::write`] puts a release into a directory, in one step and verified from its bytes; [`Release::open`] gives the
//! same type back.

mod advise;
mod anonymize;
mod binding;
mod certain_values;
mod common_value;
mod compare;
mod context;
mod distance_files;
mod evaluate;
mod extend;
mod grouping;
mod hierarchy;
mod inspect;
mod job;
mod ledger;
mod level_trees;
mod marginals;
mod matrices;
mod methods;
mod missing;
mod mixtures;
mod orders;
mod partition;
mod partition_people;
mod person_keys;
mod population;
mod private;
#[cfg(feature = "sql")]
mod query;
mod refusals;
mod release;
mod report;
mod report_accepted;
mod risk;
mod source;
mod useless;
mod verify;

pub use advise::{
    Advice, AdviseRequest, AtDistance, AtEpsilon, AtK, Bounds, Choice, ChoiceRequest, Choices, ClassFacts, CliqueFacts,
    Curve, DissimilarityAdvice, DissimilarityRequest, Nearest, OF_CHANCES, PrincipleChoice, Reach, SampleFacts, Status,
    THRESHOLDS, TrialFigures, UsedThreshold, Widths, WithoutAdvice, advise, advise_choices, advise_dissimilarity,
    choice_heading, choice_rows,
};
pub use anonymize::{ChosenLevel, Facts, anonymize};
pub use common_value::CommonValueFacts;
pub use compare::{
    CompareRequest, Compared, Comparison, ComparisonFolder, Cost, DataCompared, Figures, Outcome, Status as RunStatus,
    compare, comparison_csv, comparison_page, parse_bytes,
};
pub use context::Context;
pub use distance_files::read_distance;
pub use evaluate::*;
pub use extend::ExtendRequest;
pub use hierarchy::{
    BuiltHierarchies, ConditionFacts, ContextFacts, CorrelationFacts, DivisionFacts, HierarchyFacts, HierarchyRequest,
    LevelFacts, WrittenHierarchies, build_hierarchies, check_hierarchy_dir,
};
pub use inspect::{ColumnProfile, CopyProfile, Inspection, Reason, SetProfile, inspect, inspect_people};
pub use job::*;
pub use ledger::{
    InCommon, LedgerFacts, LedgerFiles, LedgerListing, LedgerQuestion, LedgerRelease, OverlapFacts, check_ledger,
    read_ledger,
};
pub use matrices::Matrices;
pub use methods::{AlgorithmEntry, MethodEntry, algorithms, comparisons, methods};
pub use mixtures::{MixtureAttempt, MixtureStrategy};
pub use release::{Published, Release, check, publish};
pub use risk::*;
pub use scumble_io::{AnyHierarchy, Data, Fault, Format, FromFile, Order, RawTable, Value};
pub use scumble_ledger::{EntryColumn, KnownBy, OpensWith, Standing, State};
pub use scumble_measure::{Errors, Grid, Reconstruction, SizeSummary, Vulnerability};
pub use scumble_method::automatic_levels::LevelRule;
pub use scumble_method::correlation::{Algorithm as ContextAlgorithm, Measure};
pub use scumble_method::{Partitioner, Task, register_partitioner};
pub use scumble_principle::{
    Arguments, Attained, ColumnDistance, ColumnFacts, Distance, Entry, LoadedDistance, Parameter, PlainWords,
    Principle, Range, Requirement, Search, Subject, Test, catalogue, register, register_distance,
};
pub use scumble_release::{ArrowTable, BoxKind, Check, Digest, LedgerWord, Manifest, TableFormat, in_release};
pub use scumble_risk::{CommonValue, Inference, Intersection, JOINED_TABLES, Profile as RiskProfile, Threshold};
pub use scumble_rules::{Condition, Rule, RuleAction, RuleCount, Rules};
pub use scumble_sample::{Sample, write_csv as generate};
pub use scumble_table::{
    Bag, Cancellation, Counted, Decimal, Domain, Error, Kind, Matrix, Missing, Monitor, Partition, Persons, Population,
    PopulationColumn, Progress, Result, Role, Silent, Stage, Table, did_you_mean, field_in_backticks, figures, nearest,
    quoted_list, replace_field_names, suggestion,
};
pub use scumble_table::{BandWidth, Edge, HierarchyRule, RuleFault, RuleLevels};
pub use scumble_verify::mixture::MixtureFigure;
pub use scumble_verify::{Against, Joined, Kept, PersonsJudged, Verdict};
pub use source::{Loaded, Source};
pub use verify::{VerifyRequest, read_foreign_table, verify_table};

/// The blocks of Rust in the README and in the manual, compiled and run as tests of the documentation.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/manual/src/guides/rust.md")]
    struct Guide;
}
