//! The page that goes with a release, filled from what the release itself shows.

use crate::choice::Algorithm;
use scumble_release::{
    Angel, Coins, ConditionalColumn, Form, GroupSizes, Loss, Manifest, Method, Permuted, Release, TableFormat,
};
use scumble_report::{ColumnFacts, ReleaseFacts, RequirementFacts, release_page};
use scumble_table::Role;

/// A file of a release: its name, its rows, and what it holds.
pub(crate) type FileFacts = (String, u64, String);

/// `report.html` of a release with these files. Loss is what boxes have lost; exact values have lost nothing, and
/// figures that say so of every column would only be noise.
pub(crate) fn page(
    manifest: &Manifest,
    files: Vec<FileFacts>,
    loss: Option<&Loss>,
    sizes: &GroupSizes,
    remarks: &[String],
) -> String {
    let shown = loss.filter(|_| matches!(manifest.method, Method::Generalize | Method::Angel));
    // What labels have lost that stand for values nobody lists, the release does not tell.
    let is_coarse = |name: &str| manifest.coarse.iter().any(|entry| entry.column == name);
    let measured = |name: &str| shown.filter(|_| !is_coarse(name));
    let of = |name: &str| measured(name).and_then(|loss| loss.by_attribute.iter().find(|a| a.name == name));
    let whole = shown.filter(|_| manifest.coarse.is_empty());
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
    let mut notes = remarks.to_vec();
    if let Some(k) = manifest.angel_k {
        notes.push(format!(
            "Every box of every table is shared by at least {k} people. That holds for each table by itself: read together, \
             by batch, several tables leave fewer."
        ));
    }
    if manifest.algorithm == Algorithm::FullDomain.name() {
        notes.push(
            "Every column shows the same degree of detail in all rows. The degrees are those that lose least; they were not \
             drawn by lot."
                .into(),
        );
    }
    notes.extend(manifest.conditional.iter().map(by_context));
    notes.extend(manifest.coarse.iter().map(|entry| {
        format!(
            "The labels of {} stand for values that are not listed anywhere in the release, so what is lost by them cannot be \
             told from it.",
            entry.column
        )
    }));
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
        loss: whole.map(|loss| loss.loss),
        ncp: whole.map(|loss| loss.ncp),
        files,
        notes,
    })
}

/// What readers should know about a column whose intervals depend on others.
fn by_context(entry: &ConditionalColumn) -> String {
    let mut given: Vec<&str> = Vec::new();
    for (name, _) in entry.contexts.iter().flat_map(|context| &context.when) {
        if !given.contains(&name.as_str()) {
            given.push(name);
        }
    }
    let own = &entry.column;
    format!(
        "How finely {own} is cut depends on {}, since the same intervals do not suit everybody. What they depend on is \
         published beside them, and groups are told apart by all columns together, so the intervals tell nothing more.",
        given.join(" and ")
    )
}

/// The files of a release that is about to be written.
pub(crate) fn tables(release: &Release, format: TableFormat) -> Vec<FileFacts> {
    let tables = release.form.tables().zip(words(release));
    let mut files: Vec<FileFacts> = tables.map(|((name, rows), words)| (format.file(&name), rows, words)).collect();
    let trees = release.hierarchies.iter().map(|(column, tree)| hierarchy(column, tree.leaves().len()));
    files.extend(trees);
    let matrices = release.matrices.iter();
    files.extend(matrices.map(|matrix| (matrix.file.clone(), matrix.pairs.len() as u64, MATRIX.to_string())));
    files
}

/// What a matrix holds.
const MATRIX: &str = "how far apart two values of a column are";

/// The file of a hierarchy.
pub(crate) fn hierarchy(column: &str, n_leaves: usize) -> FileFacts {
    (format!("hierarchy-{column}.csv"), n_leaves as u64, format!("what the labels of {column} stand for"))
}

/// What each table holds, in the order in which they are written.
fn words(release: &Release) -> Vec<String> {
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

/// What the table of batches holds.
pub(crate) const BATCHES: &str = "how many people of each batch have which sensitive values";

/// What the table over all quasi-identifiers holds.
pub(crate) const GENERALIZED: &str =
    "one row per person, with generalized quasi-identifiers and the number of the batch";

/// What a table over some quasi-identifiers holds.
pub(crate) fn marginal(names: &[&str]) -> String {
    format!("the same people by {} alone, with the number of the batch", names.join(" and "))
}

fn angel(form: &Angel) -> Vec<String> {
    let boxes = form.tables.iter().enumerate().map(|(at, table)| match at {
        0 => GENERALIZED.into(),
        _ => marginal(&table.quasi.iter().map(|column| column.name.as_str()).collect::<Vec<_>>()),
    });
    std::iter::once(BATCHES.into()).chain(boxes).collect()
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
