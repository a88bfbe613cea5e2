//! Releases made by hand, measured alone and next to their sources.

#[path = "../../../scumble-verify/tests/judged/common/mod.rs"]
mod common;
mod evaluate;
mod evaluate_several;
mod losses;
mod vulnerability;
