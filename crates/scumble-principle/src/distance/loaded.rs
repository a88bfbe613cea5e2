//! A distance with the files that it names.

use super::{BoundDistance, Distance, Measure, MeasuredColumn, Part, column};
use scumble_table::{Error, Hierarchy, Matrix, Result};
use std::sync::Arc;

/// A distance with the matrices that it names: all it takes to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedDistance {
    distance: Distance,
    matrices: Vec<(String, Arc<Matrix>)>,
    /// Hierarchies of columns that have none of their own.
    trees: Vec<(String, Arc<Hierarchy>)>,
}

impl LoadedDistance {
    /// A distance, with each of the files that [`Distance::files`] lists as `read` gives it.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn new(distance: Distance, mut read: impl FnMut(&str) -> Result<Matrix>) -> Result<Self> {
        LoadedDistance::sharing(distance, |file| read(file).map(Arc::new))
    }

    /// The same with matrices that others have as well.
    ///
    /// # Errors
    /// Those of `matrix`.
    pub fn sharing(distance: Distance, mut matrix: impl FnMut(&str) -> Result<Arc<Matrix>>) -> Result<Self> {
        let files = distance.files().into_iter();
        let matrices = files.map(|file| Ok((file.to_string(), matrix(file)?))).collect::<Result<_>>()?;
        Ok(LoadedDistance { distance, matrices, trees: Vec::new() })
    }

    /// The same with a hierarchy that `tree` measures a column by, where the column has none of its own.
    #[must_use]
    pub fn with_tree(mut self, column: impl Into<String>, tree: Arc<Hierarchy>) -> Self {
        self.trees.push((column.into(), tree));
        self
    }

    /// The hierarchy that was given for a column.
    pub(super) fn tree(&self, column: &str) -> Option<&Arc<Hierarchy>> {
        self.trees.iter().find(|(known, _)| known == column).map(|(_, tree)| tree)
    }

    /// The notation.
    pub fn distance(&self) -> &Distance {
        &self.distance
    }

    /// The matrix in a file.
    pub fn matrix(&self, file: &str) -> Option<&Arc<Matrix>> {
        self.matrices.iter().find(|(known, _)| known == file).map(|(_, matrix)| matrix)
    }

    /// The matrix by which a part measures these labels: that of its file, or one that a registered distance is written down
    /// in. Nothing where the part needs no matrix. The name with it is for messages.
    ///
    /// # Errors
    /// Those of a registered distance, and if there is none of that name.
    pub fn matrix_of<'a>(&'a self, part: &'a Part, labels: &[&str]) -> Result<Option<(&'a str, Arc<Matrix>)>> {
        match &part.measure {
            Measure::Matrix(file) => match self.matrix(file) {
                Some(matrix) => Ok(Some((file, matrix.clone()))),
                None => Err(Error::bug("a matrix file that was not read")),
            },
            Measure::Named(name) => Ok(Some((name, Arc::new(column::tabulate(name, labels)?)))),
            Measure::Range(_) | Measure::Rank | Measure::Equal | Measure::Tree => Ok(None),
        }
    }

    /// Ties the distance to the columns that a requirement takes together.
    ///
    /// # Errors
    /// If a part names no column, a column has no part, or a column cannot be measured as its part says.
    pub fn bind(&self, columns: &[MeasuredColumn<'_>]) -> Result<BoundDistance> {
        BoundDistance::new(self, columns)
    }
}
