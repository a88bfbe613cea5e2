//! What is special to angel releases: what boxes and batches tell together, and how far several tables narrow people
//! down.

mod inference;
mod join;
mod synthesis;

pub(crate) use inference::{JOINED, bucket_size, infer, note_joined};
pub use join::Joined;
pub(crate) use join::joined;
pub use synthesis::Synthesis;
