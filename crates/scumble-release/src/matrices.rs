//! The matrices of a distance as a release carries them: readers need them to judge `dissimilarity`.

use crate::column_file::{NOTATION, column_file};
use scumble_principle::{BoundRequirements, Distance, JointColumns, Measure};
use scumble_table::{Code, Decimal, Error, Result, Schema};

/// A matrix of distances between the values of a column, as the release carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixFile {
    /// The file in the release, `distance-<column>.csv`, which the manifest's `distance` names.
    pub file: String,
    /// Pairs of the values that the release shows, in their order, with their distance.
    pub pairs: Vec<(String, String, Decimal)>,
}

/// The distance that requirements on published rows are judged by, as the manifest states it, and the matrices that it
/// names; nothing where no requirement is about distances.
///
/// A matrix is cut down to what the rows show, since its other labels, and their distances, are none of the readers'
/// business. Every column has a file of its own, even where one file served several. A distance that was registered by a
/// program becomes a matrix too, so that anybody can verify the release without that program.
///
/// # Errors
/// If a matrix lacks a pair, or a name cannot be written down in the notation of distances.
pub fn published_matrices(bound: &BoundRequirements, schema: &Schema) -> Result<(Option<Distance>, Vec<MatrixFile>)> {
    let (Some(together), Some(distance)) = (bound.joint(), bound.distance()) else { return Ok((None, Vec::new())) };
    let columns = JointColumns::columns(bound.requirements(), schema)?.unwrap_or_default();
    // For each matrix of the distance: its column, how it was measured, and its file in the release.
    let mut named: Vec<(usize, &Measure, String)> = Vec::new();
    let mut files = Vec::new();
    for part in distance.parts() {
        if !matches!(part.measure, Measure::Matrix(_) | Measure::Named(_)) {
            continue;
        }
        let names = |at: &usize| part.column.as_ref().is_none_or(|name| schema.attributes()[*at].name == *name);
        let Some(place) = columns.iter().position(names) else {
            return Err(Error::bug("a part of a bound distance names no column"));
        };
        if named.iter().any(|(known, old, _)| (*known, *old) == (place, &part.measure)) {
            continue;
        }
        let attribute = &schema.attributes()[columns[place]];
        let mut shown = vec![false; attribute.domain.n_codes()];
        let codes = together.composite().column(place).iter().zip(together.weights());
        codes.filter(|(_, rows)| **rows > 0).for_each(|(&code, _)| shown[code as usize] = true);
        let shown = attribute.domain.codes().filter(|&code: &Code| shown[code as usize]);
        let texts: Vec<_> = shown.map(|code| attribute.domain.text(code)).collect();
        let labels: Vec<&str> = texts.iter().map(|text| &**text).collect();
        let Some((file, matrix)) = together.distance().matrix_of(part, &labels)? else {
            return Err(Error::bug("a part by a matrix has none"));
        };
        let pairs = matrix.pairs(file, &labels)?;
        let name = column_file("distance", &attribute.name, NOTATION, |file| named.iter().any(|known| known.2 == file));
        files.push(MatrixFile { file: name.clone(), pairs });
        named.push((place, &part.measure, name));
    }
    let renamed = distance.clone().with_files(|part| {
        let is = |at: usize| part.column.as_ref().is_none_or(|name| schema.attributes()[columns[at]].name == *name);
        named.iter().find(|(place, old, _)| **old == part.measure && is(*place)).map(|(.., new)| new.clone())
    });
    // Read it as everybody will.
    let distance = Distance::new(renamed.combine(), renamed.parts().to_vec())?;
    Ok((Some(distance), files))
}
