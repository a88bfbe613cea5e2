//! All that a database gets of a release, whatever the database.

use super::functions::{Function, functions};
use super::names::{check, derived};
use super::people::{PEOPLE, People};
use super::sheet::Sheet;
use super::{counted_help, ranges, tables};
use scumble_release::{Anatomy, MANIFEST, Manifest, Method, Opened, OpenedData, PermutedTables, ReleaseDir, Watch};
use scumble_table::{Error, Kind, Result, Role};
use sha2::{Digest, Sha256};
use std::path::Path;

/// Tables, the view and the functions.
pub(crate) struct Plan {
    /// The tables of the release, then those that were worked out from them.
    pub(crate) sheets: Vec<Sheet>,
    pub(crate) people: People,
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
    pub(crate) fn read(dir: &Path, watch: &dyn Watch) -> Result<Plan> {
        let opened = Opened::read(dir, watch)?;
        let mut ranged = Vec::new();
        if let OpenedData::Boxed(boxed) = opened.data() {
            let mut taken = vec![PEOPLE.to_string()];
            taken.extend(opened.manifest().tables.iter().map(|table| table.name.clone()));
            for column in &boxed.quasi {
                let name = derived("range-", column.column.name(), "", &mut taken);
                if let Some(sheet) = ranges::sheet(&name, column)? {
                    ranged.push((column.column.name().to_string(), sheet));
                }
            }
        }
        let (release, data) = opened.into_parts();
        drop(data);
        let mut sheets = tables::sheets(&release, watch)?;
        let manifest = manifest_text(&release)?;
        // The tables were read once more: they must still be those that were found intact.
        if ReleaseDir::open(dir)?.manifest() != release.manifest() {
            return Err(Error::data(dir.join(MANIFEST).display().to_string(), "the release changed while it was read"));
        }
        let helps = helps(&release, &mut sheets)?;
        let names: Vec<(String, String)> = ranged.iter().map(|(of, sheet)| (of.clone(), sheet.name.clone())).collect();
        sheets.extend(ranged.into_iter().map(|(_, sheet)| sheet));
        let people = People::of(&release, &names);
        let functions = functions(&release, &sheets, &helps, &people);
        let sha256 = Sha256::digest(manifest.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Plan { sheets, people, functions, manifest, sha256, helps })
    }

    /// Refuses names that a database would cut.
    pub(crate) fn check_names(&self) -> Result<()> {
        for sheet in &self.sheets {
            check("table", &sheet.name)?;
            sheet.columns.iter().try_for_each(|column| check("column", &column.name))?;
        }
        Ok(())
    }
}

/// The manifest that the release was read by.
fn manifest_text(release: &ReleaseDir) -> Result<String> {
    let path = release.path().join(MANIFEST);
    let text = std::fs::read_to_string(&path).map_err(|error| Error::io("read", path.display(), &error))?;
    if Manifest::parse(&text)? != *release.manifest() {
        return Err(Error::data(path.display().to_string(), "the release changed while it was read"));
    }
    Ok(text)
}

/// The help table of each sensitive column of numbers; those of an anatomy release are worked out here.
fn helps(release: &ReleaseDir, sheets: &mut Vec<Sheet>) -> Result<Vec<(String, String)>> {
    let columns: Vec<(&str, Kind)> =
        release.manifest().of_role(Role::Sensitive).map(|column| (column.name.as_str(), column.kind)).collect();
    let plan = match release.manifest().method {
        Method::Permute => PermutedTables::of(release.manifest()),
        Method::Anatomy => PermutedTables::new(&columns, true),
        Method::Generalize | Method::Angel => return Ok(Vec::new()),
    };
    let mut helps = Vec::new();
    for (name, at) in plan.helps {
        let (of, kind) = columns[at];
        if kind != Kind::Number {
            continue;
        }
        if release.manifest().method == Method::Anatomy {
            let Some(values) = sheets.iter().find(|sheet| sheet.name == Anatomy::SENSITIVE) else {
                return Err(Error::bug("an anatomy release lacks its sensitive values"));
            };
            let sheet = counted_help::help(&name, values, of)?;
            sheets.push(sheet);
        }
        helps.push((of.to_string(), name));
    }
    Ok(helps)
}
