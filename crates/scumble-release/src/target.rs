//! Where a release may be written: every refusal comes before the work, not after it.

use crate::manifest::{MANIFEST, REPORT};
use scumble_io::read_plain;
use scumble_table::{Error, Result};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// A place that has been found fit for a release.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// The directory above, without symbolic links.
    pub(crate) parent: PathBuf,
    /// The name of the release in it.
    pub(crate) name: OsString,
    /// What the user wrote, for messages.
    pub(crate) shown: String,
    /// Whether a release that is already there may be swapped out.
    pub(crate) replace: bool,
}

impl Target {
    /// The release itself.
    pub(crate) fn path(&self) -> PathBuf {
        self.parent.join(&self.name)
    }

    pub(crate) fn exists_already(&self) -> Error {
        refusal(&self.shown, "it exists already").hint("name another directory, or use «replace» to swap it")
    }
}

/// Refuses a target that could not or should not be written: one that exists (unless `replace` is
/// set and it is a release), one without a writable parent, and one that holds the input, lies in
/// it or is it.
pub fn check_target(out: &Path, replace: bool, input: Option<&Path>) -> Result<()> {
    resolve(out, replace, input).map(|_| ())
}

pub(crate) fn resolve(out: &Path, replace: bool, input: Option<&Path>) -> Result<Target> {
    let shown = out.display().to_string();
    if out.as_os_str().is_empty() {
        return Err(refusal(&shown, "a release needs a directory").hint("for example «out» release"));
    }
    let Some(Component::Normal(name)) = out.components().next_back() else {
        return Err(refusal(&shown, "a release needs a directory of its own").hint("for example «out» release"));
    };
    let above = match out.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let parent = fs::canonicalize(above).map_err(|error| {
        let above = above.display();
        match error.kind() {
            ErrorKind::NotFound => {
                refusal(&shown, format!("its parent directory `{above}` does not exist")).hint("create it first")
            }
            ErrorKind::NotADirectory => refusal(&shown, format!("`{above}` is not a directory")),
            _ => Error::io("look into", above, &error),
        }
    })?;
    if !parent.is_dir() {
        return Err(refusal(&shown, format!("`{}` is not a directory", above.display())));
    }
    // A release holds what its manifest names and nothing else, so another one may not be written into it.
    if let Some(release) = parent.ancestors().find(|folder| is_release(folder)) {
        let reason = format!("it would lie in the release `{}`", release.display());
        return Err(refusal(&shown, reason).hint("name a directory outside of any release"));
    }
    let target = Target { parent, name: name.to_os_string(), shown, replace };
    if let Some(input) = input {
        check_input(&target, input)?;
    }
    check_replaceable(&target)?;
    scumble_platform::check_writable(&target.parent).map_err(|error| {
        let reason = format!("its parent directory `{}` is not writable ({error})", above.display());
        refusal(&target.shown, reason).hint("a release is written beside its final place first")
    })?;
    Ok(target)
}

/// What stands at the target now must be nothing, or a release that may be replaced.
pub(crate) fn check_replaceable(target: &Target) -> Result<()> {
    let path = target.path();
    let found = match fs::symlink_metadata(&path) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io("look at", &target.shown, &error)),
    };
    if found.is_symlink() {
        return Err(refusal(&target.shown, "it is a symbolic link").hint("name the directory itself"));
    }
    if !found.is_dir() {
        return Err(refusal(&target.shown, "it is a file").hint("name a directory that does not exist yet"));
    }
    if !target.replace {
        return Err(target.exists_already());
    }
    if let Some(other) = unnamed_file(&path) {
        return Err(refusal(&target.shown, format!("it also holds `{other}`, which is no part of the release"))
            .hint("move it elsewhere: «replace» removes the whole directory"));
    }
    if !is_release(&path) {
        return Err(refusal(&target.shown, "it is not a release, so it is not replaced")
            .hint("«replace» swaps a directory whose manifest.json was written by scumble; remove others yourself"));
    }
    Ok(())
}

/// The input must survive, so it must neither be the target nor lie in it.
fn check_input(target: &Target, input: &Path) -> Result<()> {
    // Standard input and files that do not exist cannot lie in the target.
    let Ok(input) = fs::canonicalize(input) else { return Ok(()) };
    let path = target.path();
    let path = fs::canonicalize(&path).unwrap_or(path);
    if path == input {
        return Err(refusal(&target.shown, "this is the input").hint("name another directory"));
    }
    if input.starts_with(&path) {
        return Err(refusal(&target.shown, "the input lies in it").hint("name a directory beside the input"));
    }
    if path.starts_with(&input) {
        return Err(refusal(&target.shown, "it would lie in the input").hint("name a directory beside the input"));
    }
    Ok(())
}

/// True if a path lies in a release, or is one.
pub fn in_release(path: &Path) -> bool {
    let existing = path.ancestors().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let place = existing.filter_map(|folder| fs::canonicalize(folder).ok()).next();
    place.is_some_and(|place| place.ancestors().any(is_release))
}

/// True for a directory whose manifest says which version of scumble wrote it.
pub(crate) fn is_release(path: &Path) -> bool {
    let Ok(text) = read_plain(&path.join(MANIFEST)) else { return false };
    serde_json::from_slice::<serde_json::Value>(&text).is_ok_and(|manifest| manifest["scumble"].is_string())
}

/// A file in a release directory that its manifest does not name.
fn unnamed_file(path: &Path) -> Option<String> {
    let text = String::from_utf8(read_plain(&path.join(MANIFEST)).ok()?).ok()?;
    let manifest = crate::Manifest::parse(&text).ok()?;
    let entries = fs::read_dir(path).ok()?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let files = manifest.named_files();
    names.into_iter().find(|name| name != MANIFEST && name != REPORT && !files.contains(name))
}

fn refusal(shown: &str, reason: impl Into<String>) -> Error {
    Error::request("out", shown, reason)
}
