//! Distances with the files that they name.

use scumble_io::{AnyHierarchy, FromFile, read_matrix};
use scumble_principle::{Distance, LoadedDistance};
use scumble_table::{Error, Result};
use std::path::Path;

/// Reads the matrices that a distance names, and the hierarchies by which `tree` measures columns.
///
/// # Errors
/// If one of them cannot be read, or is no matrix of distances.
pub fn read_distance(distance: &Distance, trees: &[(String, FromFile<AnyHierarchy>)]) -> Result<LoadedDistance> {
    let mut loaded = LoadedDistance::new(distance.clone(), |file| read_matrix(Path::new(file)))?;
    for (column, file) in trees {
        let AnyHierarchy::Tree(tree) = &**file.get()? else {
            let reason = "a distance is measured on a tree whose values are listed, `value;level1;...;*`, and this file lists none";
            return Err(Error::request("hierarchy", file.shown(), reason));
        };
        loaded = loaded.with_tree(column, tree.clone());
    }
    Ok(loaded)
}
