//! Boxes that hide their ends: `boxes = "rounded"`.
//!
//! A least box tells which values occur: the ends of its interval are values of members, and so is every label of its set
//! (A. Cohen, Attacks on Deidentification's Defenses, USENIX Security 2022, calls reading them *downcoding*). A rounded box
//! holds the least one, and reaches outward to a grid whose step depends on how wide the least box is and on nothing else.
//!
//! **What is hidden.** A reader who sees a rounded box and knows the rule can work out all least boxes that it may stand for.
//! Steps and the widths at which they change are chosen such that no value is an end of all of them, so no value is known to
//! occur; the tests enumerate them. `numbers.rs` has the argument. What remains known: that a member lies near each end.
//!
//! **What is not hidden.** A cell that shows one value is exact and stays so. In a column with two labels `*` tells that both
//! occur, and null among values tells that the value of a member is missing: there is nothing wider to show.

mod dates;
mod nodes;
mod numbers;
mod positions;
mod sets;

pub use dates::{DateUnit, round_days};
pub use nodes::node_above;
pub use numbers::{NumberUnit, round_numbers};
pub use positions::round_positions;
pub(crate) use sets::pad;
pub use sets::padded_size;
