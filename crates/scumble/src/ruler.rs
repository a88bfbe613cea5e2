//! The distance that somebody asks by, with its matrices.

use scumble_io::{read_hierarchy, read_matrix};
use scumble_principle::{Distance, LoadedDistance, Measure};
use scumble_table::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the matrices that a distance names, and the hierarchies that `tree` measures columns by.
///
/// # Errors
/// If one of them cannot be read, or is no matrix of distances.
pub(crate) fn ruler(distance: Option<&Distance>, trees: &[(String, PathBuf)]) -> Result<Option<LoadedDistance>> {
    let Some(distance) = distance else { return Ok(None) };
    let mut ruler = read(distance)?;
    for (column, file) in trees {
        ruler = ruler.with_tree(column, Arc::new(read_hierarchy(file)?));
    }
    Ok(Some(ruler))
}

/// Reads a distance such as `l1(education:rank*0.3, disease:matrix:disease.csv*0.7)`, and the matrices that it names.
///
/// # Errors
/// If the text is no distance, or a matrix cannot be read.
pub fn read_ruler(distance: &str) -> Result<LoadedDistance> {
    read(&distance.parse()?)
}

/// The same with files that are named from a folder.
///
/// # Errors
/// As [`read_ruler`].
pub fn read_ruler_in(folder: &Path, distance: &str) -> Result<LoadedDistance> {
    LoadedDistance::new(distance.parse()?, |file| read_matrix(&folder.join(file)))
}

/// A distance whose files are named from a folder, written with names that lead to them from here.
///
/// # Errors
/// If the text is no distance.
pub fn distance_in(folder: &Path, distance: &str) -> Result<String> {
    let distance: Distance = distance.parse()?;
    let moved = distance.with_files(|part| match &part.measure {
        Measure::Matrix(file) => Some(folder.join(file).display().to_string()),
        _ => None,
    });
    Ok(moved.to_string())
}

fn read(distance: &Distance) -> Result<LoadedDistance> {
    LoadedDistance::new(distance.clone(), |file| read_matrix(Path::new(file)))
}
