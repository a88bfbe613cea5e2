//! What another crate adds to Scumble: a principle, a distance between labels, and a way to find groups. Each is registered
//! under a name, and jobs, flags and Python use the name as they use our own.
//!
//! ```
//! use scumble::{Context, Job, Source, anonymize};
//!
//! scumble_example_own_parts::register()?;
//! let job = Job::from_toml(r#"
//!     [columns]
//!     age = "quasi"
//!     illness = "sensitive"
//!     [publish]
//!     require = ["at-most(2)", "k-anonymity(4)"]
//!     algorithm = "sorted-runs"
//! "#)?;
//! let people: String = (0..40).map(|row| format!("{},{}\n", 20 + row, ["flu", "gout", "ulcer"][row % 3])).collect();
//! let context = Context::new();
//! let table = Source::reader(std::io::Cursor::new(format!("age,illness\n{people}"))).read(&job, &context)?;
//! let release = anonymize(&table, &job, &context)?;
//! assert!(release.verify(Some(&table), &context)?.ok);
//! # Ok::<(), scumble::Error>(())
//! ```

mod at_most;
mod icd_chapter;
mod sorted_runs;

pub use at_most::AtMost;
pub use icd_chapter::IcdChapter;
pub use sorted_runs::SortedRuns;

use scumble::Result;
use std::sync::{Arc, OnceLock};

/// Makes all three known to this program. It may be called more than once.
///
/// # Errors
/// If a name is taken.
pub fn register() -> Result<()> {
    static DONE: OnceLock<Result<()>> = OnceLock::new();
    DONE.get_or_init(|| {
        scumble::register(&at_most::ENTRY)?;
        scumble::register_distance("icd-chapter", Arc::new(IcdChapter))?;
        scumble::register_partitioner(Arc::new(SortedRuns))
    })
    .clone()
}
