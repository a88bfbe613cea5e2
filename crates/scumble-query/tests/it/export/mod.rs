//! Releases in a real PostgreSQL, whose address is in SCUMBLE_POSTGRES, and in files.

mod answers;
mod database;
mod files;
mod kinds;
mod whole;
