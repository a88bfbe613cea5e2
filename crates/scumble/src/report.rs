//! The page that goes with a release, filled from what the release itself shows.

use crate::job::Algorithm;
use crate::report_accepted;
use scumble_io::parse_matrix;
use scumble_measure::{Loss, loss};
use scumble_principle::{GroupForm, Requirement, Subject};
use scumble_release::{
    Angel, AttainedEntry, BoxKind, BucketTable, Coins, ConditionalColumn, Draft, Form, Manifest,
    Method as ReleaseMethod, Mixtures, PermutedTables, PublishedTables, ReleaseReader, TableFormat,
};
use scumble_report::{ColumnFacts, Guards, Meaning, Noun, ReleaseFacts, RequirementFacts, release_page};
use scumble_table::{Counted, Hierarchy, Result, Role};
use scumble_verify::{GroupSizes, Verdict};

/// A file of a release: its name, its rows, and what it holds.
pub(crate) type FileFacts = (String, u64, String);

/// `report.html` of a release with these files. Loss is what boxes have lost; exact values have lost nothing, and
/// figures that say so of every column would only be noise. `trees` are the hierarchies that go with it, by column.
pub(crate) fn page(
    manifest: &Manifest,
    files: Vec<FileFacts>,
    loss: Option<&Loss>,
    sizes: &GroupSizes,
    n_groups: &[u64],
    trees: &[(&str, &Hierarchy)],
) -> String {
    let fixed_boxes = has_fixed_boxes(manifest, trees);
    let shown = loss.filter(|_| matches!(manifest.method, ReleaseMethod::Generalize | ReleaseMethod::Angel));
    // Where labels stand for values that are not listed, the release does not tell their loss.
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
    let requirements = manifest.attained.iter().map(|entry| requirement_facts(manifest, fixed_boxes, entry)).collect();
    let mut notes = notes(manifest, n_groups);
    if let Some(k) = manifest.angel_k {
        notes.push(format!(
            "Every box of every table is shared by at least {k} {}. That holds for each table by itself: read together, \
             by batch, several tables leave fewer.",
            manifest.row().many()
        ));
    }
    notes.extend(report_accepted::missing(manifest));
    notes.extend(report_accepted::earlier_releases(manifest));
    notes.extend(boxes(manifest.boxes).map(String::from));
    if manifest.algorithm == Algorithm::FullDomain.name() {
        notes.push(
            "Every column shows the same degree of detail in all rows. The degrees are those that lose least; they were not \
             drawn by lot."
                .into(),
        );
    }
    notes.extend(manifest.mixtures.map(|mixtures| match mixtures {
        Mixtures::Hold if manifest.people_repeat() => "What is allowed in a group holds for groups taken together too.".into(),
        Mixtures::Claimed if manifest.people_repeat() => {
            "A box claims the mixture of its batches, which counts every row of a batch as equally likely to have each of its \
             values. Who knows what goes with what in the world, or how many rows somebody has, may believe otherwise."
                .into()
        }
        Mixtures::Hold => {
            "What is allowed in a group holds for groups taken together too: whoever knows somebody's quasi-identifiers, but \
             not the group, believes no more."
                .into()
        }
        Mixtures::Claimed => {
            "A box claims the mixture of its batches, which counts everybody in a batch as equally likely to have each of its \
             values. Who knows what goes with what in the world may believe otherwise."
                .into()
        }
    }));
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
        stars: manifest.shows_stars(),
        ends: manifest.columns.iter().any(|column| column.published),
        counted: match manifest.counted() {
            Counted::People => Noun::PERSON,
            Counted::Rows => Noun::ROW,
        },
        persons: manifest.persons,
        unnamed: manifest.unnamed,
        households: manifest.counted.is_some(),
        missing_ignored: manifest.missing.iter().map(|entry| entry.column.clone()).collect(),
        accepted: report_accepted::accepted(manifest),
        groups: manifest.groups,
        group_sizes: sizes.histogram.clone(),
        loss: whole.map(|loss| loss.loss),
        ncp: whole.map(|loss| loss.ncp),
        files,
        notes,
    })
}

/// True if what every box covers was fixed before the data were looked at: at levels of hierarchies that were given. Intervals that were made
/// from the values end at some of them, and labels that stand for the rest depend on what is rare in the data. A tree that was made from labels
/// and is not coarse shows these labels themselves.
fn has_fixed_boxes(manifest: &Manifest, trees: &[(&str, &Hierarchy)]) -> bool {
    let is_fixed = |name: &str| {
        trees.iter().any(|(column, tree)| *column == name && is_even(tree))
            && !manifest.coarse.iter().any(|entry| entry.column == name)
    };
    manifest.algorithm == Algorithm::FullDomain.name()
        && manifest.conditional.is_empty()
        && manifest.of_role(Role::Quasi).all(|column| is_fixed(&column.name))
}

/// True if the root's label stands for everybody alone. A branch that is filled with it shows it for few, who are known by the hierarchy,
/// where it seems to cover all.
pub(crate) fn is_even(tree: &Hierarchy) -> bool {
    let root = &tree.node(tree.root()).label;
    tree.nodes().iter().filter(|node| node.label == *root).count() == 1
}

/// A requirement in words. Where it names no column, the given one counts, or else the only sensitive column that
/// there is.
fn requirement_facts(manifest: &Manifest, fixed_boxes: bool, entry: &AttainedEntry) -> RequirementFacts {
    let read: Option<Requirement> = entry.requirement.parse().ok();
    let named = read.as_ref().and_then(|requirement| requirement.column.as_deref());
    let sensitive: Vec<&str> = manifest.of_role(Role::Sensitive).map(|column| column.name.as_str()).collect();
    let only = if let [only] = sensitive[..] { Some(only) } else { None };
    let subject = Subject {
        column: named.or(entry.column.as_deref()).or(only),
        several: sensitive.len() > 1,
        groups: match manifest.method {
            ReleaseMethod::Generalize => GroupForm::Alike,
            ReleaseMethod::Permute | ReleaseMethod::Anatomy => GroupForm::Exact,
            ReleaseMethod::Angel => GroupForm::Batch,
        },
        counted: manifest.counted(),
        repeat: manifest.counted() == Counted::People && manifest.people_repeat(),
        fixed_boxes,
        population_by_rows: manifest.population_counted() == Counted::Rows,
    };
    let words = read.as_ref().and_then(|requirement| requirement.principle().plain_words(&subject));
    let guards = match entry.column.as_deref().or(named) {
        _ if words.as_ref().is_some_and(|words| !words.guards_values) => Guards::Sizes,
        Some(column) => Guards::Column(column.into()),
        None => Guards::Everything,
    };
    RequirementFacts {
        notation: entry.requirement.clone(),
        meaning: words.map(|words| Meaning {
            family: words.family.into(),
            demands: words.demands,
            hides: words.hides,
            leaves: words.leaves,
        }),
        guards,
        attained: entry.figures.clone(),
        column: entry.column.clone(),
    }
}

/// The page of a release from what it shows: the same as when it was published.
pub(crate) fn remade(release: &ReleaseReader, tables: &PublishedTables, verdict: &Verdict) -> Result<String> {
    let manifest = release.manifest();
    let names: Vec<&str> = manifest.of_role(Role::Sensitive).map(|column| column.name.as_str()).collect();
    let n_groups: Vec<u64> = tables.sizes().iter().map(|sizes| sizes.len() as u64).collect();
    let views =
        if let PublishedTables::Angel(tables) = tables { tables.views.get(1..).unwrap_or_default() } else { &[] };
    let row = manifest.row();
    let words = match manifest.method {
        ReleaseMethod::Generalize => vec![in_boxes(row)],
        ReleaseMethod::Anatomy => vec![exact_rows(row), counts(row)],
        ReleaseMethod::Permute => {
            let helps = PermutedTables::from_manifest(manifest).helps;
            permuted(&names, n_groups.len(), helps.iter().map(|(_, column)| *column), row)
        }
        ReleaseMethod::Angel => {
            let marginals = views.iter().map(|view| {
                marginal(&view.boxed.quasi.iter().map(|boxes| boxes.column.name()).collect::<Vec<_>>(), row)
            });
            [batches(row), generalized(row)].into_iter().chain(marginals).collect()
        }
    };
    let files = manifest.tables.iter().zip(words).map(|(table, words)| (table.file.clone(), table.rows, words));
    let trees = manifest.hierarchies.iter().filter_map(|(column, file)| {
        let tree = release.columns().iter().find(|known| known.name() == column)?.hierarchy()?;
        Some(hierarchy(column, file, tree.leaves().len()))
    });
    let mut files: Vec<FileFacts> = files.chain(trees).collect();
    for file in manifest.matrix_files() {
        let matrix = parse_matrix(&file, &release.bytes(&file, "matrix")?)?;
        let labels: Vec<&str> = matrix.labels().collect();
        let pairs = matrix.pairs(&file, &labels)?.len() as u64;
        files.push((file, pairs, MATRIX.to_string()));
    }
    let trees = release.columns().iter().filter_map(|column| Some((column.name(), column.hierarchy()?)));
    let trees: Vec<(&str, &Hierarchy)> = trees.map(|(name, tree)| (name, &**tree)).collect();
    Ok(page(manifest, files, Some(&loss(manifest, tables)), &verdict.group_sizes, &n_groups, &trees))
}

/// What readers should know about distances and about several sensitive columns.
fn notes(manifest: &Manifest, n_groups: &[u64]) -> Vec<String> {
    let names: Vec<&str> = manifest.of_role(Role::Sensitive).map(|column| column.name.as_str()).collect();
    let measured = manifest.distance.as_ref().map(|distance| {
        format!("How far apart two values are is told by {distance}, on a scale from 0, the same, to 1.")
    });
    let several = manifest.method == ReleaseMethod::Permute && names.len() > 1;
    let shuffled = several.then(|| match n_groups.len() {
        1 => format!(
            "The sensitive columns were shuffled together: their values in a row are those of one {} of the group.",
            manifest.row().one()
        ),
        _ => of_each(&names, n_groups, manifest.row()),
    });
    measured.into_iter().chain(shuffled).collect()
}

/// How many groups each column has.
fn of_each(names: &[&str], n_groups: &[u64], row: Counted) -> String {
    let counts: Vec<String> =
        names.iter().zip(n_groups).map(|(name, groups)| format!("{name} in {groups} groups")).collect();
    format!(
        "Each sensitive column was shuffled by itself, in groups of its own: {}. The sensitive values of a row are those \
         of different {}.",
        counts.join(", "),
        row.many()
    )
}

/// What readers should know about boxes that are not as small as their groups.
fn boxes(kind: BoxKind) -> Option<&'static str> {
    match kind {
        BoxKind::Minimal => None,
        BoxKind::Rounded => Some(
            "Intervals end at round values and sets of labels show some that do not occur in their group, so that no \
             value is known to occur. Nobody need lie at an end.",
        ),
        BoxKind::Cells => Some(
            "Boxes are the cells into which the whole domain was cut, whoever lies in them: everybody has a box, whether \
             published or not.",
        ),
    }
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
pub(crate) fn files(release: &Draft, format: TableFormat) -> Vec<FileFacts> {
    let tables = release.form.tables().zip(table_descriptions(release));
    let mut files: Vec<FileFacts> = tables.map(|((name, rows), words)| (format.file(&name), rows, words)).collect();
    let named = release.hierarchy_files();
    let trees = release.hierarchies.iter().zip(&named);
    files.extend(trees.map(|((column, tree), (_, file))| hierarchy(column, file, tree.leaves().len())));
    let matrices = release.matrices.iter();
    files.extend(matrices.map(|matrix| (matrix.file.clone(), matrix.pairs.len() as u64, MATRIX.to_string())));
    files
}

/// What a matrix holds.
const MATRIX: &str = "how far apart two values of a column are";

/// The file of a hierarchy.
pub(crate) fn hierarchy(column: &str, file: &str, n_leaves: usize) -> FileFacts {
    (file.to_string(), n_leaves as u64, format!("what the labels of {column} stand for"))
}

/// What each table holds, in the order in which they are written.
fn table_descriptions(release: &Draft) -> Vec<String> {
    let row = release.manifest.row();
    match &release.form {
        Form::Generalized(_) => vec![in_boxes(row)],
        Form::Anatomy(_) => vec![exact_rows(row), counts(row)],
        Form::Permuted(form) => {
            let sensitive = release.manifest.of_role(Role::Sensitive);
            let names: Vec<&str> = sensitive.map(|column| column.name.as_str()).collect();
            permuted(&names, form.groupings.len(), form.helps.iter().map(|help| help.column), row)
        }
        Form::Angel(form) => angel(form, row),
    }
}

/// What a row stands for.
fn one_per(row: Counted) -> &'static str {
    match row {
        Counted::People => "one row per person",
        Counted::Rows => "one row for each row of the source",
    }
}

/// What a generalized table holds.
fn in_boxes(row: Counted) -> String {
    format!("{}, with the number of its group", one_per(row))
}

/// What the table of people of an anatomy release holds.
fn exact_rows(row: Counted) -> String {
    format!("{}, with exact quasi-identifiers and the number of the group", one_per(row))
}

/// What its other table holds.
fn counts(row: Counted) -> String {
    format!("how many {} of each group have which sensitive values", row.many())
}

/// What the table of batches holds.
pub(crate) fn batches(row: Counted) -> String {
    format!("how many {} of each batch have which sensitive values", row.many())
}

/// What the table over all quasi-identifiers holds.
pub(crate) fn generalized(row: Counted) -> String {
    format!("{}, with generalized quasi-identifiers and the number of the batch", one_per(row))
}

/// What a table over some quasi-identifiers holds; these are named in the order of the table over all of them.
pub(crate) fn marginal(names: &[&str], row: Counted) -> String {
    format!("the same {} by {} alone, with the number of the batch", row.many(), names.join(" and "))
}

fn angel(form: &Angel, row: Counted) -> Vec<String> {
    let names = |table: &BucketTable| table.quasi.iter().map(|column| column.name.clone()).collect::<Vec<String>>();
    let all = form.tables.first().map(names).unwrap_or_default();
    let boxes = form.tables.iter().enumerate().map(|(at, table)| match at {
        0 => generalized(row),
        _ => {
            let own = names(table);
            marginal(&all.iter().filter(|name| own.contains(name)).map(String::as_str).collect::<Vec<_>>(), row)
        }
    });
    std::iter::once(batches(row)).chain(boxes).collect()
}

/// `helps` are the columns that have tables of bounds, as positions among the sensitive ones.
fn permuted(names: &[&str], n_groupings: usize, helps: impl Iterator<Item = usize>, row: Counted) -> Vec<String> {
    let mut words = vec![format!(
        "{}, with exact quasi-identifiers beside a sensitive value of some {} in the group",
        one_per(row),
        row.one()
    )];
    match n_groupings {
        1 => words.push("which tuple is in which group".into()),
        _ => words.extend(names.iter().map(|name| format!("which tuple is in which group of {name}"))),
    }
    words.extend(helps.map(|column| {
        let of = if names.len() > 1 { format!(" of {}", names[column]) } else { String::new() };
        format!(
            "between which values a sum, a minimum or a maximum{of} lies, for any number of {} of a group",
            row.many()
        )
    }));
    words
}
