//! All that a database gets of a release, whatever the database.

use super::functions::{Function, functions};
use super::names::{check, derived};
use super::people_view::{PEOPLE, PeopleView};
use super::sheet::ExportTable;
use super::{ExportedTable, counted_help, ranges, tables};
use crate::sql_names::{SqlNames, plain};
use scumble_release::{
    Anatomy, BoxColumn, Boxed, GROUP, MANIFEST, Manifest, Method, PermutedTables, PublishedTables, ReleaseData,
    ReleaseReader,
};
use scumble_table::{Error, Kind, Monitor, Result, Role};
use sha2::{Digest, Sha256};
use std::path::Path;

/// Tables, views and functions.
pub(crate) struct Plan {
    /// The tables of the release, then those that were worked out from them.
    pub(crate) sheets: Vec<ExportTable>,
    /// The views; the first is that of all people.
    pub(crate) people: Vec<PeopleView>,
    pub(crate) functions: Vec<Function>,
    /// The text of the manifest.
    pub(crate) manifest: String,
    /// Its checksum, by which a release is known.
    pub(crate) sha256: String,
    /// Help tables by column.
    pub(crate) helps: Vec<(String, String)>,
}

impl Plan {
    /// Reads a release.
    ///
    /// # Errors
    /// If there is none, or if a table is missing, cut or altered.
    pub(crate) fn read(release: &ReleaseReader, monitor: Monitor<'_>) -> Result<Plan> {
        let opened = ReleaseData::read(release.clone(), monitor)?;
        let mut taken = vec![PEOPLE.to_string()];
        let sql_names = SqlNames::exported(opened.manifest());
        taken.extend(sql_names.all().cloned());
        let ranged = ranged(opened.tables(), &mut taken)?;
        let shown = shown(opened.tables());
        let (release, data) = opened.into_parts();
        drop(data);
        let mut sheets = tables::sheets(&release, monitor)?;
        let manifest = manifest_text(&release)?;
        // The tables were read once more: they must still be those that were found intact.
        if let Some(dir) = release.path()
            && ReleaseReader::open(dir)?.manifest() != release.manifest()
        {
            return Err(changed(dir));
        }
        let helps = helps(&release, &mut sheets, &sql_names, &mut taken)?;
        for sheet in &mut sheets {
            sheet.name = sql_names.of(&sheet.name);
        }
        let names: Vec<(String, String)> = ranged.iter().map(|(of, sheet)| (of.clone(), sheet.name.clone())).collect();
        sheets.extend(ranged.into_iter().map(|(_, sheet)| sheet));
        let people = PeopleView::for_release(&release, &names, &shown, &sql_names, &mut taken);
        let functions = functions(&release, &sheets, &helps, &people, &sql_names);
        let sha256 = Sha256::digest(manifest.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Plan { sheets, people, functions, manifest, sha256, helps })
    }

    /// The tables with their numbers of rows.
    pub(crate) fn tables(&self) -> Vec<ExportedTable> {
        self.sheets.iter().map(|sheet| ExportedTable { name: sheet.name.clone(), rows: sheet.n_rows as u64 }).collect()
    }

    /// Refuses names that a database would cut.
    pub(crate) fn check_names(&self) -> Result<()> {
        for sheet in &self.sheets {
            check("table", &sheet.name)?;
            sheet.columns.iter().try_for_each(|column| check("column", &column.name))?;
        }
        Ok(())
    }

    /// The column of the group that a sensitive column's values are in.
    pub(crate) fn group_of(&self, column: &str) -> &str {
        let groups = self.people.iter().flat_map(|people| &people.group_of);
        groups.into_iter().find(|(of, _)| of == column).map_or(GROUP, |(_, group)| group)
    }
}

/// The tables of ends, each with its column.
fn ranged(data: &PublishedTables, taken: &mut Vec<String>) -> Result<Vec<(String, ExportTable)>> {
    let tables: Vec<&Boxed> = match data {
        PublishedTables::Generalized(boxed) => vec![boxed],
        PublishedTables::Angel(angel) => angel.views.iter().map(|view| &view.boxed).collect(),
        PublishedTables::Exact(_) => Vec::new(),
    };
    let mut ranged = Vec::new();
    // The first table has all quasi-identifiers.
    for BoxColumn { column, .. } in tables.first().map_or(&[][..], |boxed| &boxed.quasi) {
        if matches!(column.kind(), Kind::Number | Kind::Date) {
            let of = column.name();
            let shown = tables.iter().flat_map(|boxed| &boxed.quasi).filter(|other| other.column.name() == of);
            ranged.push((of.to_string(), ranges::sheet(&derived("range_", of, "", taken), column, shown)?));
        }
    }
    Ok(ranged)
}

/// The tables of boxes of an angel release, each with its columns.
fn shown(data: &PublishedTables) -> Vec<(String, Vec<String>)> {
    let PublishedTables::Angel(angel) = data else { return Vec::new() };
    let columns = |boxed: &Boxed| {
        let quasi = boxed.quasi.iter().map(|column| &column.column);
        quasi.chain(boxed.values.iter().map(|column| &column.column)).map(|column| column.name().to_string()).collect()
    };
    angel.views.iter().map(|view| (view.name.clone(), columns(&view.boxed))).collect()
}

/// The manifest that the release was read by.
fn manifest_text(release: &ReleaseReader) -> Result<String> {
    let Some(dir) = release.path() else { return release.manifest().to_json() };
    let text = scumble_release::manifest_text(dir)?;
    if Manifest::parse(&text)? == *release.manifest() { Ok(text) } else { Err(changed(dir)) }
}

fn changed(dir: &Path) -> Error {
    Error::data(dir.join(MANIFEST).display().to_string(), "the release changed while it was read")
}

/// The help table of each sensitive column of numbers; those of an anatomy release are worked out here.
fn helps(
    release: &ReleaseReader,
    sheets: &mut Vec<ExportTable>,
    sql_names: &SqlNames,
    taken: &mut Vec<String>,
) -> Result<Vec<(String, String)>> {
    let columns: Vec<(&str, Kind)> =
        release.manifest().of_role(Role::Sensitive).map(|column| (column.name.as_str(), column.kind)).collect();
    let plan = match release.manifest().method {
        Method::Permute => PermutedTables::from_manifest(release.manifest()),
        Method::Anatomy => PermutedTables::new(&columns, true),
        Method::Generalize | Method::Angel => return Ok(Vec::new()),
    };
    let mut helps = Vec::new();
    for (name, at) in plan.helps {
        let (of, kind) = columns[at];
        if kind != Kind::Number {
            continue;
        }
        if release.manifest().method != Method::Anatomy {
            helps.push((of.to_string(), sql_names.of(&name)));
        } else {
            let Some(values) = sheets.iter().find(|sheet| sheet.name == Anatomy::SENSITIVE) else {
                return Err(Error::bug("an anatomy release lacks its sensitive values"));
            };
            let name = derived("", &plain(&name), "", taken);
            let sheet = counted_help::help(&name, values, of)?;
            sheets.push(sheet);
            helps.push((of.to_string(), name));
        }
    }
    Ok(helps)
}
