//! The tables of an angel release, read from their bytes and checked as they are taken in.

use super::anatomy::{agree, counted, sorted};
use super::boxed::{Boxed, CheckedBoxColumn, note_texts};
use super::exact::{CountedValues, PlacedValues, texts};
use super::group_numbers::{self, GroupNumbers};
use super::shown_column::{CheckedColumn, ShownColumn, note_suppressed};
use crate::findings::Findings;
use crate::form::{Angel, BATCH, COUNT, SUPPRESSED};
use crate::manifest::Manifest;
use crate::published_column::PublishedColumn;
use crate::reader::ReleaseReader;
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_table::{Role, RowClasses, quoted_list};

/// An angel release in the terms of its manifest.
pub struct Angelized {
    /// People of each batch.
    pub sizes: Vec<u32>,
    /// The sensitive values of each batch, in place of a group.
    pub batches: CountedValues,
    /// The tables of boxes: the one over all quasi-identifiers first, then the marginals.
    pub views: Vec<BoxTable>,
}

/// A table of boxes with its batches.
pub struct BoxTable {
    /// Name of the table.
    pub name: String,
    /// Its people in buckets, in place of groups; its values are kept columns. Rows of equal boxes are one bucket.
    pub boxed: Boxed,
    /// Batch of each person, or [`SUPPRESSED`].
    pub row_batch: Vec<u32>,
}

impl Angelized {
    /// The sensitive values place by place, for the people of the first table in their batches.
    pub fn placed(&self) -> PlacedValues {
        let row_batch = self.views.first().map_or(Vec::new(), |view| view.row_batch.clone());
        self.batches.placed(row_batch, self.sizes.len())
    }
}

/// Names of the tables that a manifest promises, in the order in which [`read`] takes them.
pub(super) fn names(manifest: &Manifest) -> Vec<String> {
    let marginals = manifest.tables.iter().map(|table| &table.name).filter(|name| name.starts_with(Angel::MARGINAL));
    [Angel::BATCHES, Angel::GENERALIZED].map(String::from).into_iter().chain(marginals.cloned()).collect()
}

/// Takes the tables in, in the order of [`names`]; notes every check on the way, and gives nothing where one of
/// them leaves too little sense in the tables to go on.
pub(super) fn read(release: &ReleaseReader, raw: Vec<RawTable>, findings: &mut Findings) -> Option<Angelized> {
    let names = names(release.manifest());
    let mut raw = raw.into_iter();
    let mut counts = raw.next()?;
    let mut tables: Vec<(String, RawTable)> = names.into_iter().skip(1).zip(raw).collect();
    if !findings.note("columns", columns(release, &counts, &tables)) {
        return None;
    }
    let mut numbered = Vec::new();
    for (name, table) in &mut tables {
        let batches = group_numbers::numbers(table, BATCH).and_then(GroupNumbers::from_numbers);
        numbered.push(findings.require(format!("batches-numbered[{name}]"), batches)?);
    }
    let sizes = numbered.first()?.sizes.clone();
    numbered[0].note("batches-numbered", release, findings);
    let (row_batch, count) = counted(&mut counts, BATCH, sizes.len(), findings)?;
    // Where the tables disagree it is not known which of them to judge.
    let mut agreeing = true;
    for ((name, _), batches) in tables.iter().zip(&numbered) {
        let found = match batches.n_suppressed() {
            stars if stars == findings.suppressed => agree("batch", &batches.sizes, &row_batch, &count),
            stars => Err(format!("it has {stars} suppressed rows, the first table {}", findings.suppressed)),
        };
        agreeing &= findings.note(format!("batches-agree[{name}]"), found);
    }
    if !agreeing {
        return None;
    }
    let sensitive = release.columns().iter().filter(|column| column.role() == Role::Sensitive);
    let values = texts(sensitive, &mut counts, &row_batch)?;
    let views = tables
        .into_iter()
        .zip(numbered)
        .map(|((name, table), batches)| CheckedBoxTable::read(release, name, table, batches.of_row))
        .collect::<Option<Vec<CheckedBoxTable>>>()?;
    let quasi = || views.iter().flat_map(|view| &view.quasi);
    let kept = || views.iter().flat_map(|view| &view.kept);
    let unveiled = quasi().map(|column| (&column.boxes.column, column.unveiled));
    note_suppressed(findings, unveiled.chain(kept().map(|column| (&column.column, column.unveiled))));
    note_texts(findings, quasi(), values.iter().chain(kept()));
    if quasi().any(|column| !column.wrong.is_empty()) {
        return None;
    }
    let values = values.into_iter().map(CheckedColumn::values).collect::<Option<Vec<ShownColumn>>>()?;
    findings.note("counts-sorted", sorted(&row_batch, &values));
    let views = views.into_iter().map(CheckedBoxTable::view).collect::<Option<Vec<BoxTable>>>()?;
    Some(Angelized { sizes, batches: CountedValues { row_group: row_batch, values, counts: count }, views })
}

/// The columns of each table: sensitive ones beside the counts, all others in the first table of boxes, and in a
/// marginal those that its name says.
fn columns(release: &ReleaseReader, counts: &RawTable, tables: &[(String, RawTable)]) -> Result<String, String> {
    let of = |role: Role| release.columns().iter().filter(move |c| c.role() == role).map(PublishedColumn::name);
    let quasi: Vec<&str> = of(Role::Quasi).collect();
    let mut wanted =
        vec![("the table of batches", counts, [BATCH, COUNT].into_iter().chain(of(Role::Sensitive)).collect())];
    for (at, (name, table)) in tables.iter().enumerate() {
        if at == 0 {
            wanted.push((name, table, std::iter::once(BATCH).chain(of(Role::Quasi)).chain(of(Role::Kept)).collect()));
            continue;
        }
        let shown = table.names.iter().filter_map(|name| quasi.iter().position(|known| known == name));
        let chosen: Vec<usize> = shown.collect();
        if chosen.is_empty() || Angel::marginal_name(&quasi, &chosen) != *name {
            let columns: Vec<&String> = table.names.iter().filter(|name| *name != BATCH).collect();
            return Err(format!("`{name}` is not the name of a table over {}", quoted_list(&columns, 8)));
        }
        wanted.push((name, table, std::iter::once(BATCH).chain(chosen.iter().map(|&at| quasi[at])).collect()));
    }
    group_numbers::columns(&wanted)
}

/// A table of boxes with what is wrong with it.
struct CheckedBoxTable {
    name: String,
    row_bucket: Vec<u32>,
    row_batch: Vec<u32>,
    sizes: Vec<u32>,
    quasi: Vec<CheckedBoxColumn>,
    kept: Vec<CheckedColumn>,
}

impl CheckedBoxTable {
    fn read(release: &ReleaseReader, name: String, mut table: RawTable, row_batch: Vec<u32>) -> Option<Self> {
        let here: Vec<&PublishedColumn> =
            release.columns().iter().filter(|column| table.names.iter().any(|name| name == column.name())).collect();
        let quasi = here.iter().copied().filter(|column| column.role() == Role::Quasi);
        let taken = group_numbers::take_texts(quasi, &mut table)?;
        // Suppressed rows share a class of their own, whatever they show.
        let mut keys = RowClasses::new(row_batch.len());
        keys.push(2, |row| u32::from(row_batch[row] == SUPPRESSED));
        for (_, dictionary, codes) in &taken {
            let shown = |row: usize| if row_batch[row] == SUPPRESSED { 0 } else { codes.get(row) };
            keys.push(dictionary.len() + 1, shown);
        }
        let (mut row_bucket, _) = keys.finish();
        let sizes = renumber(&mut row_bucket, &row_batch);
        let kept = texts(here.into_iter().filter(|column| column.role() == Role::Kept), &mut table, &row_bucket)?;
        let quasi = taken
            .into_par_iter()
            .map(|(column, dictionary, codes)| {
                CheckedBoxColumn::read(column, dictionary, codes, &row_bucket, sizes.len())
            })
            .collect();
        Some(CheckedBoxTable { name, row_bucket, row_batch, sizes, quasi, kept })
    }

    fn view(self) -> Option<BoxTable> {
        let values = self.kept.into_iter().map(CheckedColumn::values).collect::<Option<Vec<ShownColumn>>>()?;
        let quasi = self.quasi.into_iter().map(|column| column.boxes).collect();
        let boxed = Boxed { row_group: self.row_bucket, sizes: self.sizes, quasi, values };
        Some(BoxTable { name: self.name, boxed, row_batch: self.row_batch })
    }
}

/// Numbers the classes of rows that are not suppressed from 0, and counts their rows.
fn renumber(classes: &mut [u32], row_batch: &[u32]) -> Vec<u32> {
    let mut known: Vec<u32> = Vec::new();
    let mut sizes = Vec::new();
    for (class, &batch) in classes.iter_mut().zip(row_batch) {
        if batch == SUPPRESSED {
            *class = SUPPRESSED;
            continue;
        }
        let at = *class as usize;
        if known.len() <= at {
            known.resize(at + 1, SUPPRESSED);
        }
        if known[at] == SUPPRESSED {
            known[at] = sizes.len() as u32;
            sizes.push(0);
        }
        *class = known[at];
        sizes[known[at] as usize] += 1;
    }
    sizes
}
