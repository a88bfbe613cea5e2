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

mod anonymize;
mod binding;
mod common_value;
mod context;
mod evaluate;
mod extend;
mod grouping;
mod inspect;
mod job;
mod ladders;
mod marginals;
mod methods;
mod mixtures;
mod orders;
mod partition;
mod private;
mod release;
mod report;
mod risk;
mod ruler;
mod source;
mod verify;

pub use anonymize::{ChosenLevel, Facts, anonymize};
pub use common_value::CommonValueFacts;
pub use context::Context;
pub use evaluate::{
    Baseline, BaselineFacts, BoundLine, BoundsFacts, BoundsRequest, BucketFacts, EvaluateRequest, Evaluation,
    VulnerabilityRequest, WorkloadFacts, evaluate, evaluation_page,
};
pub use extend::ExtendRequest;
pub use inspect::{ColumnProfile, Inspection, SetProfile, inspect};
pub use job::*;
pub use methods::{AlgorithmEntry, MethodEntry, algorithms, comparisons, methods};
pub use mixtures::{MixtureWay, TriedWay};
pub use release::{Published, Release, check, publish};
pub use risk::{
    AttackFacts, AttributeFacts, RiskFacts, RiskPopulation, RiskRequest, RiskTarget, SubsetFacts, risk, risk_page,
};
pub use ruler::read_distance;
pub use scumble_answer::Aggregate;
pub use scumble_io::RawTable;
pub use scumble_measure::{AskedWidths, Errors, Grid, Reconstruction, SizeSummary, Vulnerability, Widths};
pub use scumble_risk::{Inference, Profile as RiskProfile, Threshold};
pub use scumble_table::{
    Cancellation, Decimal, Error, Kind, Matrix, Monitor, Progress, Result, Silent, Stage, Table, did_you_mean, nearest,
    quoted_list,
};
pub use source::{Loaded, Source};
pub use verify::{VerifyRequest, read_foreign_table, verify_release, verify_table};
