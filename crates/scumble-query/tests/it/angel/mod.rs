//! Angel releases: answers against all worlds, rewritten statements, the paper's example, export.

mod answers;
mod exported;
mod paper;
mod release_builder;
mod statements;
