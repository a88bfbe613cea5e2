//! A distance as a user writes it, with the files it names.

use scumble_io::read_matrix;
use scumble_principle::Ruler;
use scumble_table::Result;
use std::path::Path;

/// Reads a distance such as `l1(education:rank*0.3, disease:matrix:disease.csv*0.7)`, and the matrices that it names.
///
/// # Errors
/// If the text is no distance, or a matrix cannot be read.
pub fn read_ruler(distance: &str) -> Result<Ruler> {
    Ruler::new(distance.parse()?, |file| read_matrix(Path::new(file)))
}
