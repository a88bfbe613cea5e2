//! A new directory of any files, as atomic as a release.

use crate::staging_dir::StagingDir;
use crate::target::resolve;
use scumble_table::{Error, Result};
use std::path::Path;

/// Makes a directory that appears whole or not at all: `fill` writes into a hidden sibling, which becomes `out` once it
/// is done. `input` must survive, so it may neither be `out` nor lie in it. `field` is what named `out`, for messages.
///
/// # Errors
/// If `out` exists or cannot be written, or if `fill` fails.
pub fn write_folder(out: &Path, input: &Path, field: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let named = |error: Error| match error {
        Error::Request { value, reason, .. } => {
            Error::request(field, value, reason).hint("name a directory that does not exist yet, in one that does")
        }
        other => other,
    };
    let target = resolve(out, false, Some(input)).map_err(named)?;
    let staging = StagingDir::create(&target)?;
    fill(staging.path())?;
    staging.commit(&target, || ()).map_err(named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let home = tempfile::tempdir().unwrap();
        let (input, out) = (home.path().join("release"), home.path().join("out"));
        fs::create_dir(&input).unwrap();
        let failed = write_folder(&out, &input, "to", |dir| {
            fs::write(dir.join("a"), "x").unwrap();
            Err(Error::bug("no"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
        let write = |out: &Path| {
            write_folder(out, &input, "to", |dir| {
                fs::write(dir.join("a"), "x").unwrap();
                Ok(())
            })
        };
        write(&out).unwrap();
        assert_eq!(fs::read_to_string(out.join("a")).unwrap(), "x");
        let again = write(&out).unwrap_err();
        assert!(again.to_string().starts_with("to") && again.to_string().contains("exists already"), "{again}");
        assert!(write(&input.join("inside")).is_err());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
    }
}
