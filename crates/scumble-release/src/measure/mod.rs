//! How much a release has lost.

mod loss;

pub use loss::{AttributeLoss, Loss, loss, release_loss};
