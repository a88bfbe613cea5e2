//! The library as its callers see it: from data and a job to a release, and what can be asked of a release.
//!
//! One binary holds all of these tests, so that the library is linked once.

mod angel;
mod angel_evaluate;
mod angel_tables;
mod boxes;
mod cancel;
mod dice;
mod evaluate_bounds;
mod flow;
mod full_domain;
mod intersection;
mod ke_permutation;
mod ledger;
mod memory;
mod missing;
mod mixtures;
mod numbered;
// Where the independent checker is, as the tests of the verifier find it.
#[path = "../../../scumble-verify/tests/judged/common/oracle.rs"]
mod oracle_place;
mod own_distance;
mod persons;
mod persons_audit;
mod persons_by_method;
mod population;
mod presence;
mod refusals;
mod report_words;
mod risk;
mod rules;
mod seeds;
mod starter_jobs;
mod steps;
mod typed;
mod unshown;
mod verifier;
