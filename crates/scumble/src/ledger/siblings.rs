//! Without a ledger: releases of the same columns that lie next to the target.

use scumble_release::{ACCEPT_OVERLAP, Manifest, manifest_text};
use scumble_table::{Monitor, quoted_list};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Entries of a folder that are looked at.
const MOST: usize = 10_000;

/// Warns of releases next to the target that show the same columns: if the same people are in both, readers can intersect
/// them.
pub(crate) fn warn_of_siblings(target: &Path, manifest: &Manifest, monitor: Monitor<'_>) {
    if manifest.accepted.iter().any(|word| word == ACCEPT_OVERLAP) {
        return;
    }
    let found = siblings(target, manifest);
    if !found.is_empty() {
        monitor.warn(&format!(
            "{} next to it {} the same columns: whoever lays releases over each other learns more about people who are in \
             several than any of them tells; with «ledger» that is noticed and computed",
            quoted_list(&found, 5),
            if found.len() == 1 { "shows" } else { "show" }
        ));
    }
}

fn siblings(target: &Path, manifest: &Manifest) -> Vec<String> {
    let columns = |manifest: &Manifest| -> BTreeSet<String> {
        manifest.columns.iter().map(|column| column.name.clone()).collect()
    };
    let own = columns(manifest);
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = target.file_name();
    let entries = fs::read_dir(folder).into_iter().flatten().take(MOST).flatten();
    let mut found: Vec<String> = entries
        .filter(|entry| Some(entry.file_name().as_os_str()) != name)
        // Hidden ones are still being written.
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| {
            let read = manifest_text(&entry.path()).and_then(|text| Manifest::parse(&text));
            read.is_ok_and(|other| columns(&other) == own)
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    found.sort_unstable();
    found
}
