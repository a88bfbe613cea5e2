//! Distances within one column that other crates add.

use super::{Combine, read};
use crate::catalogue::is_name;
use scumble_table::{Decimal, Error, Matrix, Result};
use std::fmt::Debug;
use std::sync::{Arc, PoisonError, RwLock};

/// How far apart two values of a column are, as any code at all may tell. [`register_distance`] gives it a name for the
/// notation, as in `l1(disease:icd-chapter*0.7, age:rank*0.3)`.
///
/// It is asked once for every pair of values that a release shows, and its answers are exact decimals. A release carries them
/// as a matrix: who verifies it needs no code of the distance.
///
/// ```
/// use scumble_principle::{ColumnDistance, Distance, register_distance};
/// use scumble_table::{Decimal, Result};
/// use std::sync::Arc;
///
/// /// Illnesses of one chapter are near.
/// #[derive(Debug)]
/// struct Chapter;
///
/// impl ColumnDistance for Chapter {
///     fn between(&self, a: &str, b: &str) -> Result<Decimal> {
///         Ok(Decimal::from(i64::from(a.chars().next() != b.chars().next())))
///     }
/// }
///
/// register_distance("icd-chapter", Arc::new(Chapter))?;
/// let distance: Distance = "l1(disease:icd-chapter * 0.70, age:rank*0.3)".parse()?;
/// assert_eq!(distance.to_string(), "l1(disease:icd-chapter*0.7, age:rank*0.3)");
/// # Ok::<(), scumble_table::Error>(())
/// ```
pub trait ColumnDistance: Debug + Send + Sync {
    /// The distance of two different values, as they are published: at least 0, and 1 where they could hardly differ more. It
    /// is asked of every pair once, in one order, so that it is the same both ways.
    ///
    /// # Errors
    /// If there is none between these values.
    fn between(&self, a: &str, b: &str) -> Result<Decimal>;
}

type Registered = Vec<(String, Arc<dyn ColumnDistance>)>;

static REGISTERED: RwLock<Registered> = RwLock::new(Vec::new());

/// Gives a distance of another crate a name in the notation, for this process.
///
/// # Errors
/// If the name is taken, or is not made of lower-case letters, digits and hyphens.
pub fn register_distance(name: &str, distance: Arc<dyn ColumnDistance>) -> Result<()> {
    let refused = |reason: &str| Err(Error::request("distance", name, reason));
    if !is_name(name) {
        return refused("a name is made of lower-case letters, digits and hyphens");
    }
    let words = read::MEASURES.into_iter().map(|word| word.split(':').next().unwrap_or(word));
    // A panic elsewhere leaves the list as it was.
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    if words.chain(Combine::ALL.map(Combine::name)).any(|word| word == name)
        || registered.iter().any(|(known, _)| known == name)
    {
        return refused("a distance of this name exists");
    }
    registered.push((name.into(), distance));
    Ok(())
}

/// The names that [`register_distance`] was given, in the order in which it was.
pub fn distance_names() -> Vec<String> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().map(|(name, _)| name.clone()).collect()
}

/// Writes down what a registered distance says of some labels.
///
/// # Errors
/// If there is no distance of that name, or it has an error or a negative answer for a pair.
pub(super) fn tabulate(name: &str, labels: &[&str]) -> Result<Matrix> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let found = registered.iter().find(|(known, _)| known == name).map(|(_, distance)| distance.clone());
    drop(registered);
    let Some(distance) = found else {
        return Err(Error::request("distance", name, "this program does not know a distance of this name"));
    };
    let mut failed = None;
    let matrix = Matrix::tabulate(labels, |a, b| match distance.between(a, b) {
        Ok(apart) => apart,
        Err(error) => {
            failed.get_or_insert(error);
            Decimal::ZERO
        }
    })?;
    failed.map_or(Ok(matrix), Err)
}
