//! Bounds and moments of answers against every assignment that a small release allows.

mod groups;
mod likely;
mod paper;
mod perhaps;
mod size;
mod worlds;
