//! The directory of hierarchies.

use super::{HierarchyFacts, refused};
use scumble_io::{write_conditional, write_hierarchy};
use scumble_release::{check_target, write_folder};
use scumble_table::{ConditionalHierarchy, Decimal, Domain, Error, Hierarchy, Kind, Result};
use std::fs;
use std::path::Path;

/// Whole numbers and days are listed from the least to the greatest if there are no more than so many.
const MOST_FILLED: i128 = 10_000;

/// Refuses a directory that could not be written, before the work.
pub(super) fn check(out: &Path, input: &Path) -> Result<()> {
    match fs::symlink_metadata(out) {
        Ok(found) if found.is_dir() => match fs::read_dir(out).map(|mut entries| entries.next().is_none()) {
            Ok(true) => check_target(&out.join("hierarchy"), false, Some(input)),
            Ok(false) => Err(refused("out", out.display().to_string(), "it exists and is not empty")
                .hint("name a directory that does not exist yet, or an empty one")),
            Err(error) => Err(Error::io("look into", out.display(), &error)),
        },
        _ => check_target(out, false, Some(input)),
    }
}

/// Writes all files, or none. An empty directory gives way to the new one.
pub(super) fn write(out: &Path, input: &Path, hierarchies: &[HierarchyFacts]) -> Result<()> {
    let was_there = fs::symlink_metadata(out).is_ok_and(|found| found.is_dir());
    if was_there {
        fs::remove_dir(out).map_err(|error| Error::io("replace", out.display(), &error))?;
    }
    let written = write_folder(out, input, "out", |folder| {
        for (name, bytes) in hierarchies.iter().flat_map(|hierarchy| &hierarchy.contents) {
            fs::write(folder.join(name), bytes).map_err(|error| Error::io("write", name, &error))?;
        }
        Ok(())
    });
    if written.is_err() && was_there {
        // What was there is put back; if that fails, the error of the write still tells why.
        let _ = fs::create_dir(out);
    }
    written
}

/// Names of files that are taken.
#[derive(Debug, Default)]
pub(super) struct Names(Vec<String>);

impl Names {
    /// The name of a column without what would lead out of the directory or break a name; those that differ in nothing
    /// else get a number.
    fn stem(&mut self, column: &str) -> String {
        // Most systems allow 255 bytes in a name.
        const LONGEST: usize = 200;
        let mut stem = String::new();
        for c in column.chars() {
            let c = if c.is_control() || matches!(c, '/' | '\\' | ':') { '_' } else { c };
            if stem.len() + c.len_utf8() > LONGEST {
                break;
            }
            stem.push(c);
        }
        let (base, mut n) = (stem.clone(), 2);
        // Some systems do not tell capitals from small letters.
        while self.0.contains(&stem.to_lowercase()) {
            stem = format!("{base}-{n}");
            n += 1;
        }
        self.0.push(stem.to_lowercase());
        stem
    }
}

/// Adds the file of the common form.
pub(super) fn add_tree(facts: &mut HierarchyFacts, names: &mut Names, tree: &Hierarchy) {
    let stem = names.stem(&facts.column);
    let mut bytes = Vec::new();
    write_hierarchy(&mut bytes, tree);
    facts.contents.push((format!("{stem}.csv"), bytes));
    facts.files.push(format!("{stem}.csv"));
    facts.stem = stem;
}

/// Adds the file with the contexts, beside the first.
pub(super) fn add_conditional(facts: &mut HierarchyFacts, hierarchy: &ConditionalHierarchy) {
    let name = format!("{}.toml", facts.stem);
    facts.contents.push((name.clone(), write_conditional(hierarchy).into_bytes()));
    facts.files.push(name);
}

/// The domain with all whole numbers or days between its ends, where these are not too many: a file that lists every
/// value then does not tell which of them occur.
pub(super) fn filled(domain: &Domain) -> Result<Domain> {
    let (first, last) = (domain.amount(1), domain.amount(domain.len() as u32));
    let (Some(first), Some(last)) = (first, last) else { return Ok(domain.clone()) };
    if domain.scale() > 0 || last.checked_sub(first).is_none_or(|range| range >= MOST_FILLED) {
        return Ok(domain.clone());
    }
    match domain.kind() {
        Kind::Number => Domain::numbers((first..=last).map(|number| Decimal::new(number, 0)).collect()),
        Kind::Date => Ok(Domain::dates((first..=last).map(|day| day as i32).collect())),
        Kind::Ordinal | Kind::Nominal => Ok(domain.clone()),
    }
}
