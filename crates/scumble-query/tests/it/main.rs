//! Questions over small releases, compared with every table that could have given them.

mod questions;
mod refusals;
mod release;
mod rewritten;
mod worlds;
