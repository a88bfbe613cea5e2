//! Releases in a real PostgreSQL, whose address is in SCUMBLE_POSTGRES, and in files.

pub(crate) mod answers;
pub(crate) mod database;
mod files;
mod kinds;
mod whole;
