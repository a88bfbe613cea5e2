//! Whether a release stands where it went.

use crate::record::Entry;
use scumble_platform::open_plain_file;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The file of a release that says what it is.
const MANIFEST: &str = "manifest.json";

/// What is found where a release went. Only its manifest is compared: whether the tables are those that it names is told by
/// verifying the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The release.
    There,
    /// The release with more tables of the same batches.
    Extended,
    /// Another release, or something else.
    Another,
    /// Nothing.
    Gone,
    /// Something that cannot be read.
    Unreadable,
}

impl Standing {
    /// What is found, in words.
    pub fn words(self) -> &'static str {
        match self {
            Standing::There => "its manifest stands where it went",
            Standing::Extended => "its manifest stands where it went, with more tables",
            Standing::Another => "something else stands where it went",
            Standing::Gone => "is not where it went",
            Standing::Unreadable => "cannot be read where it went",
        }
    }

    /// Why the earlier release cannot be laid over another, as a sentence.
    pub fn obstacle(self) -> &'static str {
        match self {
            Standing::There | Standing::Extended => "the earlier release stands where it went",
            Standing::Another => "something else stands where the earlier release went",
            Standing::Gone => "the earlier release is not where it went",
            Standing::Unreadable => "the earlier release cannot be read where it went",
        }
    }

    /// Whether the release can be read there.
    pub fn is_there(self) -> bool {
        matches!(self, Standing::There | Standing::Extended)
    }
}

impl Entry {
    /// Looks where the release went.
    pub fn standing(&self) -> Standing {
        let bytes = match manifest(Path::new(&self.place)) {
            Ok(bytes) => bytes,
            Err(ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return match Path::new(&self.place).symlink_metadata().is_ok() {
                    true => Standing::Another,
                    false => Standing::Gone,
                };
            }
            Err(ErrorKind::InvalidInput) => return Standing::Another,
            Err(_) => return Standing::Unreadable,
        };
        match (digest(&bytes) == self.manifest, &self.batches) {
            (true, _) => Standing::There,
            (false, Some(batches)) if table_digests(&bytes).contains(batches) => Standing::Extended,
            (false, _) => Standing::Another,
        }
    }

    /// Whether the release is still where it was written, so that it cannot have been put in its place.
    pub(crate) fn is_still_staged(&self) -> bool {
        manifest(Path::new(&self.staged)).is_ok_and(|bytes| digest(&bytes) == self.manifest)
    }
}

/// The SHA-256 of the manifest of a release directory, in hexadecimal.
///
/// # Errors
/// Whatever the system says.
pub fn manifest_digest(release: &Path) -> std::io::Result<String> {
    Ok(digest(&manifest(release)?))
}

fn manifest(release: &Path) -> Result<Vec<u8>, ErrorKind> {
    let mut bytes = Vec::new();
    let mut file = open_plain_file(&release.join(MANIFEST)).map_err(|error| error.kind())?;
    file.read_to_end(&mut bytes).map_err(|error| error.kind())?;
    Ok(bytes)
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checksums of the tables that a manifest names.
fn table_digests(manifest: &[u8]) -> Vec<String> {
    let document: serde_json::Value = serde_json::from_slice(manifest).unwrap_or_default();
    let tables = document["tables"].as_array().into_iter().flatten();
    tables.filter_map(|table| table["sha256"].as_str().map(String::from)).collect()
}
