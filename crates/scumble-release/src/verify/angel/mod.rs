//! The tables of an angel release, read from their bytes and checked as they are taken in.

mod inference;
mod join;
mod synthesis;

pub(crate) use inference::JOINED;
pub(super) use inference::{infer, note_joined};
pub use join::Joined;
pub(crate) use synthesis::Synthesis;

use super::anatomy::{agree, counted, sorted};
use super::classes::Keys;
use super::exact::{Counted, texts};
use super::groups::{self, Groups};
use super::page::{Page, QuasiIn};
use super::values::{Values, ValuesIn, note_domains, note_notation, note_suppressed};
use super::verdict::Verdict;
use crate::form::{Angel, BATCH, COUNT, SUPPRESSED};
use crate::manifest::Manifest;
use crate::published::PublishedColumn;
use crate::reader::ReleaseDir;
use crate::shown;
use rayon::prelude::*;
use scumble_io::{RawColumn, RawTable};
use scumble_table::{Role, quoted_list};

/// An angel release in the terms of its manifest.
pub(crate) struct Angelized {
    /// People of each batch.
    pub(crate) sizes: Vec<u32>,
    /// The sensitive values of each batch, in place of a group.
    pub(crate) batches: Counted,
    /// The tables of boxes: the one over all quasi-identifiers first, then the marginals.
    pub(crate) views: Vec<View>,
}

/// A table of boxes with its batches.
pub(crate) struct View {
    /// Name of the table.
    pub(crate) name: String,
    /// Its people in buckets, in place of groups; its values are kept columns. Rows of equal boxes are one bucket.
    pub(crate) page: Page,
    /// Batch of each person, or [`SUPPRESSED`].
    pub(crate) row_batch: Vec<u32>,
}

/// Names of the tables that a manifest promises, in the order in which [`read`] takes them.
pub(super) fn names(manifest: &Manifest) -> Vec<String> {
    let marginals = manifest.tables.iter().map(|table| &table.name).filter(|name| name.starts_with(Angel::MARGINAL));
    [Angel::BATCHES, Angel::GENERALIZED].map(String::from).into_iter().chain(marginals.cloned()).collect()
}

/// Takes the tables in, in the order of [`names`]; notes every check on the way, and gives nothing where one of
/// them leaves too little sense in the tables to go on.
pub(super) fn read(release: &ReleaseDir, raw: Vec<RawTable>, verdict: &mut Verdict) -> Option<Angelized> {
    let names = names(release.manifest());
    let mut raw = raw.into_iter();
    let mut counts = raw.next()?;
    let mut tables: Vec<(String, RawTable)> = names.into_iter().skip(1).zip(raw).collect();
    if !verdict.note("columns", columns(release, &counts, &tables)) {
        return None;
    }
    let mut numbered = Vec::new();
    for (name, table) in &mut tables {
        match groups::numbers(table, BATCH).and_then(Groups::from_numbers) {
            Ok(found) => numbered.push(found),
            Err(reason) => {
                verdict.note(format!("batches-numbered[{name}]"), Err(reason));
                return None;
            }
        }
    }
    let sizes = numbered.first()?.sizes.clone();
    let stars = |batches: &Groups| batches.of_row.iter().filter(|&&batch| batch == SUPPRESSED).count() as u64;
    verdict.suppressed = stars(&numbered[0]);
    verdict.rows = numbered[0].of_row.len() as u64 - verdict.suppressed;
    verdict.groups = sizes.len() as u64;
    verdict.note("batches-numbered", groups::numbered(&sizes));
    verdict.note("rows-add-up", groups::add_up(release, verdict));
    let (row_batch, count) = match counted(&mut counts, BATCH, sizes.len()) {
        Ok(found) => found,
        Err(reason) => {
            verdict.note("counts", Err(reason));
            return None;
        }
    };
    verdict.note("counts", Ok(format!("{} rows that each count somebody", count.len())));
    // Where the tables disagree nobody can say which of them to judge.
    let mut agreeing = true;
    for ((name, _), batches) in tables.iter().zip(&numbered) {
        let found = match stars(batches) == verdict.suppressed {
            true => agree("batch", &batches.sizes, &row_batch, &count),
            false => Err(format!("it has {} suppressed rows, the first table {}", stars(batches), verdict.suppressed)),
        };
        agreeing &= verdict.note(format!("batches-agree[{name}]"), found);
    }
    if !agreeing {
        return None;
    }
    let sensitive = release.columns().iter().filter(|column| column.role() == Role::Sensitive);
    let values = texts(sensitive, &mut counts, &row_batch)?;
    let views = tables
        .into_iter()
        .zip(numbered)
        .map(|((name, table), batches)| ViewIn::read(release, name, table, batches.of_row))
        .collect::<Option<Vec<ViewIn>>>()?;
    note_all(release, &views, &values, verdict);
    if views.iter().flat_map(|view| &view.quasi).any(|column| !column.wrong.is_empty()) {
        return None;
    }
    let values = values.into_iter().map(ValuesIn::values).collect::<Option<Vec<Values>>>()?;
    verdict.note("counts-sorted", sorted(&row_batch, &values));
    let views = views.into_iter().map(ViewIn::view).collect::<Option<Vec<View>>>()?;
    Some(Angelized { sizes, batches: Counted { row_group: row_batch, values, counts: count }, views })
}

/// The columns of each table: sensitive ones beside the counts, all others in the first table of boxes, and in a
/// marginal those that its name says.
fn columns(release: &ReleaseDir, counts: &RawTable, tables: &[(String, RawTable)]) -> Result<String, String> {
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
    groups::columns(&wanted)
}

/// A table of boxes with what is wrong with it.
struct ViewIn {
    name: String,
    row_bucket: Vec<u32>,
    row_batch: Vec<u32>,
    sizes: Vec<u32>,
    quasi: Vec<QuasiIn>,
    kept: Vec<ValuesIn>,
}

impl ViewIn {
    fn read(release: &ReleaseDir, name: String, mut table: RawTable, row_batch: Vec<u32>) -> Option<Self> {
        let here: Vec<&PublishedColumn> =
            release.columns().iter().filter(|column| table.names.iter().any(|name| name == column.name())).collect();
        let mut taken = Vec::new();
        for column in here.iter().filter(|column| column.role() == Role::Quasi) {
            let Some(RawColumn::Text { dictionary, codes }) = groups::take(&mut table, column.name()) else {
                return None;
            };
            taken.push((*column, dictionary, codes));
        }
        // Suppressed rows share a class of their own, whatever they show.
        let mut keys = Keys::new(row_batch.len());
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
            .map(|(column, dictionary, codes)| QuasiIn::read(column, dictionary, codes, &row_bucket, sizes.len()))
            .collect();
        Some(ViewIn { name, row_bucket, row_batch, sizes, quasi, kept })
    }

    fn view(self) -> Option<View> {
        let values = self.kept.into_iter().map(ValuesIn::values).collect::<Option<Vec<Values>>>()?;
        let quasi = self.quasi.into_iter().map(|column| column.boxes).collect();
        let page = Page { row_group: self.row_bucket, sizes: self.sizes, quasi, values };
        Some(View { name: self.name, page, row_batch: self.row_batch })
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

fn note_all(release: &ReleaseDir, views: &[ViewIn], values: &[ValuesIn], verdict: &mut Verdict) {
    let quasi = || views.iter().flat_map(|view| &view.quasi);
    let kept = || views.iter().flat_map(|view| &view.kept);
    let unveiled = quasi().map(|column| (&column.boxes.column, column.unveiled));
    note_suppressed(verdict, unveiled.chain(kept().map(|column| (&column.column, column.unveiled))));
    let wrong = quasi().flat_map(|column| column.wrong.iter().cloned());
    let unread = values.iter().chain(kept()).filter_map(|column| column.read.as_ref().err().cloned());
    note_notation(verdict, wrong.chain(unread));
    // All tables together show what the manifest says of a column.
    let off = release.columns().iter().filter(|column| column.role() == Role::Quasi).filter_map(|column| {
        let here = || quasi().filter(|known| known.boxes.column.name() == column.name());
        if here().any(|known| !known.wrong.is_empty()) {
            return None;
        }
        let shown = shown::check(column, here().flat_map(|known| known.boxes.regions.iter().flatten()));
        shown.err().map(|reason| format!("`{}`: {reason}", column.name()))
    });
    note_domains(verdict, off.chain(values.iter().chain(kept()).filter_map(ValuesIn::off_domain)));
}
