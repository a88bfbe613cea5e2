//! The tables of a release, whatever its method: one place where every form is told apart.

use super::angel::{self, Angelized};
use super::census::Census;
use super::exact::{Counted, Exact, Grouping};
use super::page::Page;
use super::values::Values;
use super::verdict::Verdict;
use super::{anatomy, files, permuted};
use crate::form::{Generalized, PermutedTables};
use crate::manifest::{Manifest, Method};
use crate::reader::ReleaseDir;
use scumble_io::{Progress, RawTable};
use scumble_table::{Codes, CodesBuilder, Error, Result, Role, Schema};

/// The tables of a release that can be judged.
pub(crate) enum Tables {
    /// One table of boxes.
    Generalized(Page),
    /// Exact people, and sensitive values known by group: anatomy and permuted releases.
    Exact(Exact),
    /// Batches of sensitive values, and tables of boxes.
    Angel(Angelized),
}

impl Tables {
    /// The tables that a release has by its manifest; nothing for methods that cannot be judged yet.
    pub(crate) fn names(manifest: &Manifest) -> Option<Vec<String>> {
        match manifest.method {
            Method::Generalize => Some(vec![Generalized::TABLE.into()]),
            Method::Anatomy => Some(anatomy::TABLES.map(String::from).to_vec()),
            Method::Permute => Some(PermutedTables::of(manifest).names()),
            Method::Angel => Some(angel::names(manifest)),
        }
    }

    /// Reads the tables while their checksums are taken. Notes every check on the way, and gives nothing
    /// where there is too little sense in the tables to go on.
    pub(super) fn read(
        release: &ReleaseDir,
        progress: &dyn Progress,
        look: files::Look,
        verdict: &mut Verdict,
    ) -> Result<Option<Tables>> {
        let Some(names) = Tables::names(release.manifest()) else { return Ok(None) };
        let Some(raw) = files::read_tables(release, &names, progress, look, verdict)? else { return Ok(None) };
        Ok(Tables::take_in(release, raw, verdict))
    }

    /// The tables of a release that has been verified before: whatever is wrong with them is an error. The
    /// verdict counts rows and groups.
    pub(crate) fn of(release: &ReleaseDir, progress: &dyn Progress) -> Result<(Tables, Verdict)> {
        let Some(names) = Tables::names(release.manifest()) else {
            let method = release.manifest().method;
            return Err(Error::request("release", method.name(), "releases of this method cannot be measured yet"));
        };
        let raw = names.iter().map(|name| release.table(name, progress)).collect::<Result<Vec<_>>>()?;
        let mut verdict = Verdict::empty();
        match Tables::take_in(release, raw, &mut verdict) {
            Some(tables) => Ok((tables, verdict)),
            None => {
                let reason = verdict.failures().next().map_or("unreadable".into(), |check| check.detail.clone());
                Err(Error::Unverified { reason })
            }
        }
    }

    /// Makes sense of tables that were read, in the order of [`Tables::names`].
    pub(crate) fn take_in(release: &ReleaseDir, raw: Vec<RawTable>, verdict: &mut Verdict) -> Option<Tables> {
        match release.manifest().method {
            Method::Generalize => {
                let [table] = raw.try_into().ok()?;
                Page::read(release, table, verdict).map(Tables::Generalized)
            }
            Method::Anatomy => anatomy::read(release, raw.try_into().ok()?, verdict).map(Tables::Exact),
            Method::Permute => permuted::read(release, raw, verdict).map(Tables::Exact),
            Method::Angel => angel::read(release, raw, verdict).map(Tables::Angel),
        }
    }

    /// People of each group, grouping by grouping.
    pub(crate) fn sizes(&self) -> Vec<&[u32]> {
        match self {
            Tables::Generalized(page) => vec![&page.sizes],
            Tables::Exact(tables) => tables.groupings.iter().map(|grouping| grouping.sizes.as_slice()).collect(),
            Tables::Angel(tables) => vec![&tables.sizes],
        }
    }

    /// The sensitive values, group by group and for each grouping; those of a person stay `together` only where that is
    /// asked for, since it costs memory.
    pub(crate) fn censuses(&self, together: bool) -> Result<Vec<Census>> {
        match self {
            Tables::Generalized(page) => {
                let sensitive = page.values.iter().filter(|values| values.column.role() == Role::Sensitive);
                let sensitive: Vec<&Values> = sensitive.collect();
                let codes: Vec<&Codes> = sensitive.iter().map(|values| &values.codes).collect();
                Ok(vec![census(&page.row_group, page.sizes.len(), schema(&sensitive)?, &codes, together)])
            }
            Tables::Exact(tables) => {
                let counted = |Grouping { sizes, sensitive, .. }: &Grouping| counted(sensitive, sizes.len(), together);
                tables.groupings.iter().map(counted).collect()
            }
            Tables::Angel(tables) => Ok(vec![counted(&tables.batches, tables.sizes.len(), together)?]),
        }
    }
}

/// The columns as the principles know them.
fn schema(values: &[&Values]) -> Result<Schema> {
    Schema::new(values.iter().map(|column| column.attribute()).collect())
}

fn census(row_group: &[u32], n_groups: usize, schema: Schema, codes: &[&Codes], together: bool) -> Census {
    let census = Census::new(row_group, n_groups, schema, codes);
    if together { census.with_tuples(row_group, codes) } else { census }
}

/// Counted values as a census. The counts add up to the number of people, so there are no more rows than in a table
/// of people.
fn counted(sensitive: &Counted, n_groups: usize, together: bool) -> Result<Census> {
    let row_group: Vec<u32> = sensitive.expanded().map(|row| sensitive.row_group[row]).collect();
    let columns: Vec<&Values> = sensitive.values.iter().collect();
    let codes: Vec<Codes> = columns.iter().map(|v| expanded(v, sensitive.expanded())).collect();
    Ok(census(&row_group, n_groups, schema(&columns)?, &codes.iter().collect::<Vec<_>>(), together))
}

fn expanded(values: &Values, rows: impl Iterator<Item = usize> + Clone) -> Codes {
    let mut codes = CodesBuilder::new(values.domain.n_codes() as u32 - 1, rows.clone().count());
    codes.extend(rows.map(|row| values.codes.get(row)));
    codes.finish()
}
