//! The page that goes with a release, filled from what the release itself shows.

use scumble_release::{Angel, Coins, Form, GroupSizes, Loss, Permuted, Release, TableFormat};
use scumble_report::{ColumnFacts, ReleaseFacts, RequirementFacts, release_page};
use scumble_table::Role;

/// `report.html` of a release.
pub(crate) fn page(
    release: &Release,
    format: TableFormat,
    loss: &Loss,
    sizes: &GroupSizes,
    remarks: &[String],
) -> String {
    let manifest = &release.manifest;
    // Exact values have lost nothing, and figures that say so of every column would only be noise.
    let shown = match &release.form {
        Form::Generalized(_) | Form::Angel(_) => Some(loss),
        Form::Anatomy(_) | Form::Permuted(_) => None,
    };
    let of = |name: &str| shown.and_then(|loss| loss.by_attribute.iter().find(|a| a.name == name));
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
    let mut files: Vec<(String, u64, String)> = release
        .form
        .tables()
        .zip(tables(release))
        .map(|((name, rows), words)| (format.file(&name), rows, words))
        .collect();
    for (column, tree) in &release.hierarchies {
        files.push((
            format!("hierarchy-{column}.csv"),
            tree.leaves().len() as u64,
            format!("what the labels of {column} stand for"),
        ));
    }
    let mut notes = remarks.to_vec();
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
        loss: shown.map(|loss| loss.loss),
        ncp: shown.map(|loss| loss.ncp),
        files,
        notes,
    })
}

/// What each table holds, in the order in which they are written.
fn tables(release: &Release) -> Vec<String> {
    let words = match &release.form {
        Form::Generalized(_) => vec!["one row per person, with the number of its group"],
        Form::Anatomy(_) => vec![
            "one row per person, with exact quasi-identifiers and the number of the group",
            "how many people of each group have which sensitive values",
        ],
        Form::Permuted(form) => return permuted(release, form),
        Form::Angel(form) => return angel(form),
    };
    words.into_iter().map(String::from).collect()
}

fn angel(form: &Angel) -> Vec<String> {
    let boxes = form.tables.iter().enumerate().map(|(at, table)| match at {
        0 => "one row per person, with generalized quasi-identifiers and the number of the batch".into(),
        _ => {
            let names: Vec<&str> = table.quasi.iter().map(|column| column.name.as_str()).collect();
            format!("the same people by {} alone, with the number of the batch", names.join(" and "))
        }
    });
    std::iter::once("how many people of each batch have which sensitive values".into()).chain(boxes).collect()
}

fn permuted(release: &Release, form: &Permuted) -> Vec<String> {
    let names: Vec<&str> = release.manifest.of_role(Role::Sensitive).map(|column| column.name.as_str()).collect();
    let mut words = vec![
        "one row per person, with exact quasi-identifiers beside a sensitive value of somebody in the group".into(),
    ];
    match form.groupings.len() {
        1 => words.push("which tuple is in which group".into()),
        _ => words.extend(names.iter().map(|name| format!("which tuple is in which group of {name}"))),
    }
    words.extend(form.helps.iter().map(|help| {
        let of = if names.len() > 1 { format!(" of {}", names[help.column]) } else { String::new() };
        format!("between which values a sum, a minimum or a maximum{of} lies, for any number of people of a group")
    }));
    words
}
