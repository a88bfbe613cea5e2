//! Bounds and moments of answers against every assignment that a small release allows.

mod groups;
mod paper;
mod size;
mod uncertain_rows;
mod uncertain_selection;
mod worlds;
