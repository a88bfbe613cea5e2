//! Whose row each row is, where people may have several.

use crate::{Codes, NULL, RowClasses};
use std::sync::Arc;

/// The person of every row. Persons are numbered from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Persons {
    of_row: Vec<u32>,
    n: usize,
    /// Whether the person of each row is not named; empty where all are.
    unnamed: Vec<bool>,
    /// What tells each person again elsewhere, where somebody asked for it; 0 where that is not known.
    digests: Option<Arc<PersonDigests>>,
}

/// What tells persons again in other data, by number; 0 for those whose row does not say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PersonDigests {
    /// Of each person.
    pub people: Vec<u128>,
    /// Of each person's key letter by letter where that is another one, by which earlier versions know the person; 0 where it is
    /// not. Empty where it is so for nobody.
    pub as_written: Vec<u128>,
    /// Of keys that some of the persons would have with other leading zeros, and nobody here has. In other data they may be the
    /// same people.
    pub other_zeros: Vec<u128>,
}

impl Persons {
    /// Rows with the same values in all key columns are one person. A row with a missing key is a person of its own: nothing
    /// says whose it is. Given are the codes of each key column and how many codes it has.
    pub fn from_keys(n_rows: usize, keys: &[(&Codes, usize)]) -> Persons {
        let mut classes = RowClasses::new(n_rows);
        for (codes, n_codes) in keys {
            classes.push(*n_codes, |row| codes.get(row));
        }
        let (mut of_row, mut n) = classes.finish();
        let mut unnamed = vec![false; n_rows];
        for (row, person) in of_row.iter_mut().enumerate() {
            if keys.iter().any(|(codes, _)| codes.get(row) == NULL) {
                *person = n as u32;
                (n, unnamed[row]) = (n + 1, true);
            }
        }
        Persons::numbered(of_row, unnamed)
    }

    /// Every row is a person of its own.
    pub fn each_row(n_rows: usize) -> Persons {
        Persons { of_row: (0..n_rows as u32).collect(), n: n_rows, unnamed: Vec::new(), digests: None }
    }

    /// Numbers persons anew, by their first rows.
    fn numbered(of_row: Vec<u32>, mut unnamed: Vec<bool>) -> Persons {
        let n_numbers = of_row.iter().max().map_or(0, |&last| last as usize + 1);
        let mut classes = RowClasses::new(of_row.len());
        classes.push(n_numbers, |row| of_row[row]);
        let (of_row, n) = classes.finish();
        if !unnamed.contains(&true) {
            unnamed = Vec::new();
        }
        Persons { of_row, n, unnamed, digests: None }
    }

    /// The same persons with what tells each of them again elsewhere, by number; 0 for those whose row does not say.
    #[must_use]
    pub fn with_digests(self, digests: PersonDigests) -> Persons {
        Persons { digests: Some(Arc::new(digests)), ..self }
    }

    /// What tells each person again elsewhere, where that was asked for.
    pub fn digests(&self) -> Option<&Arc<PersonDigests>> {
        self.digests.as_ref()
    }

    /// The persons of some of the rows, in the order in which these are given.
    #[must_use]
    pub fn gather(&self, rows: &[u32]) -> Persons {
        let unnamed = match self.unnamed.as_slice() {
            [] => Vec::new(),
            all => rows.iter().map(|&row| all[row as usize]).collect(),
        };
        Persons::numbered(rows.iter().map(|&row| self.of_row[row as usize]).collect(), unnamed)
    }

    /// The person of a row.
    pub fn of(&self, row: u32) -> u32 {
        self.of_row[row as usize]
    }

    /// The persons, row by row.
    pub fn of_rows(&self) -> &[u32] {
        &self.of_row
    }

    /// Number of persons.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Rows whose person is not named, each of which counts as a person of its own.
    pub fn n_unnamed(&self) -> usize {
        self.unnamed.iter().filter(|unnamed| **unnamed).count()
    }

    /// True if somebody has several rows.
    pub fn repeat(&self) -> bool {
        self.n < self.of_row.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_one_person_and_missing_ones_are_not() {
        let key: Codes = [3, 1, 3, NULL, NULL, 1].into_iter().collect();
        let persons = Persons::from_keys(6, &[(&key, 4)]);
        assert_eq!((persons.n(), persons.n_unnamed(), persons.repeat()), (4, 2, true));
        assert_eq!(persons.of_rows(), [0, 1, 0, 2, 3, 1]);
        assert_eq!(persons.gather(&[5, 2, 0]).of_rows(), [0, 1, 1]);
        // Some of the rows remember which of them name nobody.
        assert_eq!([&[5, 4, 0][..], &[5, 2, 0]].map(|rows| persons.gather(rows).n_unnamed()), [1, 0]);
        // Two columns make one key.
        let house: Codes = [1, 1, 2, 1, 1, 1].into_iter().collect();
        let both = Persons::from_keys(6, &[(&key, 4), (&house, 3)]);
        assert_eq!((both.n(), both.of(1), both.of(5)), (5, 1, 1));
        assert!(!Persons::from_keys(0, &[]).repeat());
    }
}
