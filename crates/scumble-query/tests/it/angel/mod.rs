//! Angel releases: answers against all worlds, rewritten statements, the paper's example, export.

mod answers;
mod carried;
mod maker;
mod paper;
mod statements;
