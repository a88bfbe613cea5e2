//! Releases in a real PostgreSQL, whose address is in SCUMBLE_POSTGRES, and in files.

mod all_or_nothing;
pub(crate) mod answers;
pub(crate) mod database;
mod files;
mod kinds;
