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
    distance.map(|distance| Ruler::new(distance.clone(), |file| read_matrix(Path::new(file)))).transpose()
}
