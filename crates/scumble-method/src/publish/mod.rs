//! From a partition to the form that is published.

mod anatomize;
mod angelize;
mod counted;
mod generalize;
mod help;
mod outline;
mod people;
mod permute;
mod recode;

pub use anatomize::anatomize;
pub use angelize::{Angelization, Buckets, angelize, bucket_table};
pub use generalize::{generalize, group_boxes};
pub(crate) use outline::{BoxSide, round_whole};
pub use outline::{Outline, ShownBoxes};
pub use permute::{Permutation, permute};
pub use recode::{Recoding, recode};
