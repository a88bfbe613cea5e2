//! The directory of hierarchies.

use super::{BuiltHierarchies, HierarchyFacts};
use scumble_io::{write_conditional, write_hierarchy, write_rule};
use scumble_release::{check_target, write_folder};
use scumble_table::{Error, Result};
use serde::Serialize;
use std::fs;
use std::path::Path;

/// Hierarchies that were written to a directory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WrittenHierarchies<'a> {
    /// The hierarchies.
    #[serde(flatten)]
    pub built: &'a BuiltHierarchies,
    /// The directory.
    pub out: String,
}

/// Refuses a directory that hierarchies could not be written to, before the work. `input` is the file that the data comes
/// from, which must survive.
///
/// # Errors
/// If the directory exists and is not empty, or cannot be made.
pub fn check_hierarchy_dir(dir: &Path, input: Option<&Path>) -> Result<()> {
    match fs::symlink_metadata(dir) {
        Ok(found) if found.is_dir() => match fs::read_dir(dir).map(|mut entries| entries.next().is_none()) {
            Ok(true) => check_target(&dir.join("hierarchy"), false, input),
            Ok(false) => Err(Error::request("out", dir.display().to_string(), "it exists and is not empty")
                .hint("name a directory that does not exist yet, or an empty one")),
            Err(error) => Err(Error::io("look into", dir.display(), &error)),
        },
        _ => check_target(dir, false, input),
    }
}

impl BuiltHierarchies {
    /// Writes the hierarchies to a directory that is new or empty: `<column>.csv` in the common form and, where there are
    /// given columns, `<column>.toml` with the contexts. By hand it is `<column>.toml` with the rule, and the list only if asked for. The directory appears whole or not at all.
    ///
    /// # Errors
    /// If the directory is there and not empty, or cannot be written.
    pub fn write(&self, dir: &Path) -> Result<WrittenHierarchies<'_>> {
        check_hierarchy_dir(dir, None)?;
        // An empty directory gives way to the new one.
        let was_there = fs::symlink_metadata(dir).is_ok_and(|found| found.is_dir());
        if was_there {
            fs::remove_dir(dir).map_err(|error| Error::io("replace", dir.display(), &error))?;
        }
        // No input can lie in a directory that is not there yet.
        let written = write_folder(dir, Path::new(""), "out", |folder| {
            self.hierarchies.iter().try_for_each(|hierarchy| hierarchy.write(folder))
        });
        if written.is_err() && was_there {
            // What was there is put back; if that fails, the error of the write still tells why.
            let _ = fs::create_dir(dir);
        }
        written.map(|()| WrittenHierarchies { built: self, out: dir.display().to_string() })
    }
}

impl HierarchyFacts {
    fn write(&self, folder: &Path) -> Result<()> {
        let tree = self.listed.then(|| {
            let mut tree = Vec::new();
            write_hierarchy(&mut tree, &self.tree);
            tree
        });
        let conditional = self.conditional.as_ref().map(|hierarchy| write_conditional(hierarchy).into_bytes());
        let rule = self.by_hand.as_ref().map(|rule| write_rule(rule).into_bytes());
        for (name, bytes) in self.files.iter().zip(tree.into_iter().chain(conditional).chain(rule)) {
            fs::write(folder.join(name), bytes).map_err(|error| Error::io("write", name, &error))?;
        }
        Ok(())
    }
}

/// Gives every hierarchy the names of its files: the list of values first, then the one with contexts or the rule.
pub(super) fn name_files(hierarchies: &mut [HierarchyFacts]) {
    let mut taken = Vec::new();
    for hierarchy in hierarchies {
        let stem = stem(&hierarchy.column, &mut taken);
        hierarchy.files = Vec::from_iter(hierarchy.listed.then(|| format!("{stem}.csv")));
        let in_toml = hierarchy.conditional.is_some() || hierarchy.by_hand.is_some();
        hierarchy.files.extend(in_toml.then(|| format!("{stem}.toml")));
    }
}

/// The name of a column without what would lead out of the directory or break a name; those that differ in nothing else
/// get a number.
fn stem(column: &str, taken: &mut Vec<String>) -> String {
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
    while taken.contains(&stem.to_lowercase()) {
        stem = format!("{base}-{n}");
        n += 1;
    }
    taken.push(stem.to_lowercase());
    stem
}
