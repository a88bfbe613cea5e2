//! Missing values that requirements do not count: the release says of which columns, and of how many rows.

use super::census::Census;
use super::verdict::Verdict;
use scumble_release::{Manifest, problems};
use scumble_table::{NULL, Role};

/// Notes whether the manifest says rightly how many values are missing where they are not counted.
pub(super) fn note(manifest: &Manifest, censuses: &[Census], verdict: &mut Verdict) {
    if manifest.missing.is_empty() {
        return;
    }
    let mut found = Vec::new();
    for (at, entry) in manifest.missing.iter().enumerate() {
        let name = &entry.column;
        if manifest.missing[..at].iter().any(|other| other.column == *name) {
            found.push(format!("`{name}` stands twice under `missing`"));
        }
        if !manifest.of_role(Role::Sensitive).any(|column| column.name == *name) {
            found.push(format!("`{name}` stands under `missing` and is no sensitive column"));
            continue;
        }
        let columns =
            censuses.iter().flat_map(|census| census.schema().attributes().iter().zip(0..).map(move |c| (census, c)));
        let counted = columns.filter(|(_, (attribute, _))| attribute.name == *name);
        for ignored in counted.map(|(census, (_, column))| u64::from(census.whole(column).count(NULL))) {
            if ignored != entry.ignored {
                found.push(format!("`{name}` is missing in {ignored} rows, and the manifest says {}", entry.ignored));
            }
        }
    }
    let told = || {
        let columns = manifest.missing.iter().map(|entry| format!("{} of `{}`", entry.ignored, entry.column));
        let columns: Vec<String> = columns.collect();
        format!("missing values are not counted, and not hidden: {}", columns.join(", "))
    };
    verdict.note("missing", problems(found, told));
}
