//! The page that goes with a release, filled from what the release itself shows.

use scumble_release::{Coins, GroupSizes, Loss, Release, TableFormat};
use scumble_report::{ColumnFacts, ReleaseFacts, RequirementFacts, release_page};
use scumble_table::Role;

/// `report.html` of a release.
pub(crate) fn page(release: &Release, format: TableFormat, loss: &Loss, sizes: &GroupSizes) -> String {
    let manifest = &release.manifest;
    let of = |name: &str| loss.by_attribute.iter().find(|a| a.name == name);
    let columns = manifest
        .columns
        .iter()
        .map(|column| ColumnFacts {
            name: column.name.clone(),
            role: column.role.name().into(),
            kind: column.kind.name().into(),
            generalized: of(&column.name).map(|a| a.ncp),
            loss: of(&column.name).map(|a| a.loss),
        })
        .collect();
    let requirements = manifest
        .attained
        .iter()
        .map(|entry| RequirementFacts {
            notation: entry.requirement.clone(),
            plain_words: String::new(),
            attained: entry.figures.clone(),
            column: entry.column.clone(),
        })
        .collect();
    let table = if format == TableFormat::Parquet { "table.parquet" } else { "table.csv" };
    let mut files = vec![(
        table.into(),
        manifest.rows + manifest.suppressed,
        "one row per person, with the number of its group".into(),
    )];
    for (column, tree) in &release.hierarchies {
        files.push((
            format!("hierarchy-{column}.csv"),
            tree.leaves().len() as u64,
            format!("what the labels of {column} stand for"),
        ));
    }
    let mut notes = Vec::new();
    if !manifest.columns.iter().any(|column| column.role == Role::Sensitive) {
        notes.push("The release has no sensitive column: it protects only who is in it.".into());
    }
    release_page(&ReleaseFacts {
        method: manifest.method.name().into(),
        algorithm: manifest.algorithm.clone(),
        profile: manifest.profile.clone(),
        coins_secret: manifest.coins == Coins::Secret,
        requirements,
        columns,
        rows: manifest.rows,
        suppressed: manifest.suppressed,
        groups: manifest.groups,
        group_sizes: sizes.histogram.clone(),
        loss: Some(loss.loss),
        ncp: Some(loss.ncp),
        files,
        notes,
    })
}
