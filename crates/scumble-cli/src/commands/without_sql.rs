//! What stands for the commands that need SQL in a program that was built without it.

use scumble::{Error, Result};

/// The refusal of `query` and `export`.
pub(crate) fn refuse(command: &str) -> Result<bool> {
    Err(Error::request("command", command, "this program was built without SQL, so it cannot do that").hint(
        "build it with its usual features: `cargo build -p scumble-cli`, or `cargo install --path crates/scumble-cli`",
    ))
}
