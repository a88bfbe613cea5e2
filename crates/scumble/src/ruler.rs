//! The distance that somebody asks by, with its matrices.

use scumble_io::read_matrix;
use scumble_principle::{Distance, Ruler};
use scumble_table::Result;
use std::path::Path;

/// Reads the matrices that a distance names.
///
/// # Errors
/// If one of them cannot be read, or is no matrix of distances.
pub(crate) fn ruler(distance: Option<&Distance>) -> Result<Option<Ruler>> {
    distance.map(read).transpose()
}

/// Reads a distance such as `l1(education:rank*0.3, disease:matrix:disease.csv*0.7)`, and the matrices that it names.
///
/// # Errors
/// If the text is no distance, or a matrix cannot be read.
pub fn read_ruler(distance: &str) -> Result<Ruler> {
    read(&distance.parse()?)
}

/// The same with files that are named from a folder.
///
/// # Errors
/// As [`read_ruler`].
pub fn read_ruler_in(folder: &Path, distance: &str) -> Result<Ruler> {
    Ruler::new(distance.parse()?, |file| read_matrix(&folder.join(file)))
}

fn read(distance: &Distance) -> Result<Ruler> {
    Ruler::new(distance.clone(), |file| read_matrix(Path::new(file)))
}
