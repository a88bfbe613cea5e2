//! Publish tables about people without giving any of them away.
//!
//! A data steward holds *microdata*: one row per person. [`publish`] turns it into a *release* that
//! anybody may see, whose guarantee has been checked on the bytes of the release itself before it
//! was put in place; [`verify`] checks it again, from the bytes alone.
//!
//! ```no_run
//! use scumble::{ColumnRequest, ColumnRole, Input, PublishRequest, Silent};
//!
//! let request = PublishRequest {
//!     columns: vec![
//!         ColumnRequest::new("age", ColumnRole::Quasi),
//!         ColumnRequest::new("zipcode", ColumnRole::Quasi),
//!         ColumnRequest::new("disease", ColumnRole::Sensitive),
//!     ],
//!     drop_rest: true,
//!     requirements: vec!["k-anonymity(5)".parse()?, "frequency-l-diversity(3)".parse()?],
//!     out: "release".into(),
//!     ..PublishRequest::new(Input::file("patients.csv"))
//! };
//! let published = scumble::publish(&request, &Silent)?;
//! println!("{} groups, least {} rows", published.groups, published.group_sizes.min);
//! # Ok::<(), scumble::Error>(())
//! ```

mod advise;
mod audit;
mod binding;
mod choice;
mod common_value;
mod evaluate;
mod extend;
mod grouping;
mod hierarchy;
mod inspect;
mod ladders;
mod load;
mod marginals;
mod methods;
mod mixtures;
mod observer;
mod orders;
mod partition;
mod private;
mod publish;
mod report;
mod request;
mod risk;
mod ruler;
mod rules;

pub use advise::{
    Advice, AdviseRequest, AtDistance, AtEpsilon, AtK, Bounds, ClassFacts, CliqueFacts, Curve, DissimilarityAdvice,
    DissimilarityRequest, Nearest, Reach, Status, advise, advise_dissimilarity,
};
pub use audit::{Auditing, ReleaseToVerify, TableToVerify, verify, verify_release, verify_table};
pub use choice::{Aim, Algorithm, Method, Mixtures, Profile};
pub use common_value::CommonValueFacts;
pub use evaluate::{
    Baseline, BaselineFacts, BoundLine, BoundsFacts, BoundsRequest, BucketFacts, EvaluateRequest, Evaluation,
    VulnerabilityRequest, WorkloadFacts, evaluate, evaluation_page,
};
pub use extend::{ExtendRequest, extend};
pub use hierarchy::{
    BuiltHierarchies, ConditionFacts, ContextFacts, CorrelationFacts, DivisionFacts, HierarchyFacts, HierarchyRequest,
    LevelFacts, build_hierarchies,
};
pub use inspect::{ColumnProfile, Inspection, Proposal, SetProfile, inspect, job_text};
pub use methods::{AlgorithmEntry, MethodEntry, algorithms, comparisons, methods};
pub use mixtures::{MixtureWay, TriedWay};
pub use observer::{Observer, Silent, Stage};
pub use publish::{ChosenLevel, Published, SourceFacts, check_source, publish, publish_batches};
pub use request::{ColumnRequest, ColumnRole, Input, PublishRequest, TableFormat};
pub use risk::{AttackFacts, AttributeFacts, RiskFacts, RiskPopulation, RiskRequest, SubsetFacts, risk, risk_page};
pub use ruler::{distance_in, read_ruler, read_ruler_in};
pub use rules::{Condition, Rule, RuleAction, RuleCount, Rules, SourceRules};
pub use scumble_io::{Format, Job, JobColumn, JobRole, Sweep, SweepFault, SweepPoint, SweepRun, Values};
pub use scumble_method::automatic_levels::LevelRule;
pub use scumble_method::correlation::{Algorithm as ContextAlgorithm, Measure};
pub use scumble_principle::{Distance, Entry, Requirement, Ruler, catalogue};
pub use scumble_release::mixture::MixtureFigure;
pub use scumble_release::risk::{CommonValue, Inference, Profile as RiskProfile, Threshold};
pub use scumble_release::{
    Against, BoxKind, Check, Digest, Errors, Grid, HiddenFolder, Joined, Kept, Reconstruction, SizeSummary, Verdict,
    Vulnerability,
};
pub use scumble_sample::{Sample, write_csv as generate};
pub use scumble_table::{Decimal, Error, Kind, Matrix, Result, nearest, quoted_list};
