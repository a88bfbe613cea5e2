//! The words that a manifest may use: a field with room for any text has room for a message.

use super::Manifest;
use crate::column_file::{NOTATION, column_file};
use scumble_principle::{Distance, Measure, Requirement};
use scumble_table::Role;
use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

/// The algorithms that find groups.
pub(super) const ALGORITHMS: [&str; 14] = [
    "mondrian",
    "mondrian-relaxed",
    "proximity",
    "xcolor",
    "paper",
    "angel",
    "full-domain",
    "expected-width",
    "min-sum",
    "min-max",
    "min-max-overlap",
    "max-groups",
    "random",
    "rank-swap",
];

/// The names of partitioners of other crates that this process knows.
static REGISTERED: RwLock<BTreeSet<String>> = RwLock::new(BTreeSet::new());

/// Lets manifests name a partitioner of another crate, for this process. A program that does not know the name refuses a
/// release that has it, as it refuses a principle that it does not know.
pub fn register_algorithm_name(name: &str) {
    // A panic elsewhere leaves the names as they were.
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).insert(name.into());
}

/// True of a name that was registered.
pub(super) fn is_registered_algorithm(name: &str) -> bool {
    REGISTERED.read().unwrap_or_else(PoisonError::into_inner).contains(name)
}

/// The publisher says that every row is a person of its own.
pub const ROWS_ARE_PEOPLE: &str = "rows-are-people";

/// The publisher accepts that people of the release are in earlier ones too.
pub const ACCEPT_OVERLAP: &str = "accept-overlap";

/// What a publisher may take upon themselves of a whole release.
pub(super) const ACCEPTED: [&str; 2] = [ROWS_ARE_PEOPLE, ACCEPT_OVERLAP];

/// The publisher vouches that a kept column is harmless.
const ACCEPT_KEEP: &str = "accept-keep";

/// The publisher allows sets that list the labels of a quasi-identifier.
const ALLOW_SETS: &str = "allow-sets";

/// What a publisher may take upon themselves of one column, and the role of that column.
const ACCEPTED_OF_COLUMN: [(&str, Role); 2] = [(ACCEPT_KEEP, Role::Kept), (ALLOW_SETS, Role::Quasi)];

/// The entry of `accepted` for a kept column that the publisher vouches for.
pub fn accept_keep(column: &str) -> String {
    format!("{ACCEPT_KEEP} {column}")
}

/// The entry of `accepted` for a quasi-identifier whose labels may be listed in sets.
pub fn allow_sets(column: &str) -> String {
    format!("{ALLOW_SETS} {column}")
}

/// The word and the column of an entry of `accepted` that is about a column.
pub fn accepted_column(entry: &str) -> Option<(&str, &str)> {
    let (word, column) = entry.split_once(' ')?;
    ACCEPTED_OF_COLUMN.iter().any(|(known, _)| *known == word).then_some((word, column))
}

/// True of an entry of `accepted` about a column that could have been refused: one of the release, of the right role.
pub(super) fn is_accepted_of_column(entry: &str, manifest: &Manifest) -> bool {
    accepted_column(entry).is_some_and(|(word, name)| {
        let role = ACCEPTED_OF_COLUMN.iter().find(|(known, _)| *known == word).map(|(_, role)| *role);
        manifest.columns.iter().any(|column| column.name == name && Some(column.role) == role)
    })
}

/// How much is given up for safety against those who know the algorithm.
pub(super) const PROFILES: [&str; 3] = ["standard", "hardened", "max-utility"];

/// The words of `algorithm`: several where columns with groups of their own were worked on by different ones.
pub(super) fn algorithms(text: &str) -> impl Iterator<Item = &str> {
    text.split(", ")
}

/// What a manifest says in other words than ours, field by field; empty for one that we could have written. Words from a
/// closed list are looked at when it is read.
pub fn unexpected_words(manifest: &Manifest) -> Vec<String> {
    let mut found = Vec::new();
    for (at, text) in manifest.requirements.iter().enumerate() {
        // One that does not read at all is another fault.
        if text.parse::<Requirement>().is_ok_and(|read| read.to_string() != *text) {
            found.push(format!("`requirements[{at}]` is not in canonical notation"));
        }
    }
    let distance = manifest.distance.as_ref().and_then(|text| Some((text, text.parse::<Distance>().ok()?)));
    if distance.as_ref().is_some_and(|(text, read)| read.to_string() != **text) {
        found.push("`distance` is not in canonical notation".into());
    }
    let mut taken: Vec<String> = Vec::new();
    for (column, file) in &manifest.hierarchies {
        let ours = column_file("hierarchy", column, &[], |name| taken.iter().any(|known| known == name));
        if *file != ours {
            found.push(format!("`hierarchies` names another file than `{ours}`"));
        }
        taken.push(file.clone());
    }
    let mut taken: Vec<String> = Vec::new();
    let sensitive = || manifest.of_role(Role::Sensitive).map(|column| column.name.as_str());
    for part in distance.iter().flat_map(|(_, read)| read.parts()) {
        let Measure::Matrix(file) = &part.measure else { continue };
        let column = part.column.as_deref().or_else(|| sensitive().next()).unwrap_or_default();
        if taken.contains(file) {
            continue;
        }
        let ours = column_file("distance", column, NOTATION, |name| taken.iter().any(|known| known == name));
        if *file != ours {
            found.push(format!("`distance` names another file than `{ours}`"));
        }
        taken.push(file.clone());
    }
    for (at, entry) in manifest.accepted.iter().enumerate() {
        if manifest.accepted[..at].contains(entry) {
            found.push(format!("`accepted[{at}]` says again what was said before"));
        }
    }
    // A table in memory has no checksum. One on disk that lacks it is found when the checksums are compared.
    let sums = manifest.tables.iter().map(|table| (&table.file, &table.sha256)).filter(|(_, sum)| !sum.is_empty());
    for (file, sum) in sums.chain(manifest.files.iter().map(|entry| (&entry.file, &entry.sha256))) {
        if sum.len() != 64 || !sum.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            found.push(format!("the `sha256` of `{file}` is no checksum"));
        }
    }
    found
}
