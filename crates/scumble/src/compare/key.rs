//! What a run is known by when it is finished: whatever could change a figure.

use super::measure::ReleaseQuestions;
use crate::job::Job;
use scumble_release::Digest;
use scumble_table::{Error, Result, Table};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Raised when figures are worked out differently, so that those kept before are not taken for new ones.
const FIGURES: u32 = 2;

/// The checksum of a table: its columns by name, their values, and which row has which.
pub(super) fn of_table(table: &Table) -> String {
    let mut digest = Digest::default();
    for (at, attribute) in table.schema().attributes().iter().enumerate() {
        digest.update(format!("{:?} {:?} {:?}\n", attribute.name, attribute.role, attribute.domain.kind()).as_bytes());
        for code in attribute.domain.codes() {
            digest.update(format!("{:?}\n", attribute.domain.text(code)).as_bytes());
        }
        let mut block = Vec::with_capacity(1 << 16);
        for code in table.column(at).iter() {
            block.extend_from_slice(&code.to_le_bytes());
            if block.len() >= 1 << 16 {
                digest.update(&block);
                block.clear();
            }
        }
        digest.update(&block);
    }
    digest.hex()
}

/// The key of a job on a table of this checksum, with the questions that its release answers.
///
/// # Errors
/// If a file that the job names cannot be read.
pub(super) fn of_run(job: &Job, questions: &ReleaseQuestions, table: &str) -> Result<String> {
    // Files count by what they hold, and where the data lies does not matter.
    let mut named = job.clone();
    named.input = Default::default();
    let mut files = Vec::new();
    for (_, column) in &mut named.columns {
        let hierarchy = column.hierarchy.take().map(|file| file.path().to_path_buf());
        let order = column.order.take().map(|file| file.path().to_path_buf());
        for file in [hierarchy, order] {
            files.push(file.map(|file| digest(&file)).transpose()?);
        }
    }
    let matrices: Vec<PathBuf> =
        job.publish.distance.iter().flat_map(|distance| distance.files().into_iter().map(PathBuf::from)).collect();
    for matrix in &matrices {
        files.push(Some(digest(matrix)?));
    }
    let document = json!({
        "scumble": env!("CARGO_PKG_VERSION"),
        "figures": FIGURES,
        "table": table,
        "job": named,
        "files": files,
        "questions": questions,
    });
    let mut digest = Digest::default();
    digest.update(document.to_string().as_bytes());
    Ok(digest.hex())
}

/// The checksum of a file; of a value in memory, of its name.
fn digest(path: &Path) -> Result<String> {
    let mut digest = Digest::default();
    match path.exists() {
        true => digest.update(&std::fs::read(path).map_err(|error| Error::io("read", path.display(), &error))?),
        false => digest.update(path.display().to_string().as_bytes()),
    }
    Ok(digest.hex())
}
