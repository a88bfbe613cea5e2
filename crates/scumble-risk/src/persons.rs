//! People who have several rows, each counted once.
//!
//! Who knows some values of a person finds the records that show them, and with them the people whose records these are: what
//! hides somebody is the number of these people, not of their rows. A person with different known values in several rows is
//! as safe as in the row that leaves the fewest.

use crate::classes::row_classes;
use crate::{Known, Matches};
use rayon::prelude::*;
use scumble_table::{Monitor, Persons, Result};

/// How many people have records that match each person of a table.
///
/// # Errors
/// If the work was cancelled.
pub fn class_sizes_by_person(columns: &[Known<'_>], persons: &Persons, monitor: Monitor<'_>) -> Result<Matches> {
    let (class_of_row, n) = row_classes(columns, persons.of_rows().len(), monitor)?.finish();
    let pairs = distinct_pairs(&class_of_row, persons);
    monitor.check()?;
    let mut people = vec![0u64; n];
    pairs.iter().for_each(|pair| people[pair.0 as usize] += 1);
    Ok(matches_of(&people, &pairs, persons.n()))
}

/// The persons of each class of rows: pairs of a class and a person, each once, by rising class.
pub(crate) fn distinct_pairs(class_of_row: &[u32], persons: &Persons) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = class_of_row.iter().copied().zip(persons.of_rows().iter().copied()).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

/// What is left of people, given pairs of a person and a class of known values, and the number of candidates of each class.
pub(crate) fn matches_of(candidates: &[u64], pairs: &[(u32, u32)], n_persons: usize) -> Matches {
    let mut least = vec![0u64; n_persons];
    for &(class, person) in pairs {
        let (here, least) = (candidates[class as usize], &mut least[person as usize]);
        // Known values that match nothing tell nothing, unless a person has no others.
        if here > 0 && (*least == 0 || here < *least) {
            *least = here;
        }
    }
    Matches::from_people(candidates.iter().copied(), least)
}

/// The fewest people that are left of some rows when a number of them is taken away, whichever these are.
pub(crate) fn fewest_left(mut persons: Vec<u32>, taken: usize) -> u64 {
    persons.sort_unstable();
    let mut rows: Vec<usize> = persons.chunk_by(|a, b| a == b).map(<[u32]>::len).collect();
    rows.sort_unstable();
    let (mut left, mut gone) = (rows.len() as u64, 0);
    for n in rows {
        gone += n;
        if gone > taken {
            break;
        }
        left -= 1;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::Codes;

    #[test]
    fn rows_of_one_person_hide_nobody() {
        let codes: Codes = [1u32, 1, 1, 2, 2, 3].into_iter().collect();
        let key: Codes = [1u32, 1, 2, 1, 1, 3].into_iter().collect();
        let persons = Persons::from_keys(6, &[(&key, 4)]);
        let known = [Known { codes: &codes, n_codes: 4 }];
        let found = class_sizes_by_person(&known, &persons, Monitor::silent()).unwrap();
        // The first person is alone by the second value, the second is among two, the third is alone.
        assert_eq!(found, Matches::from_people([2, 1, 1], [1, 2, 1]));
        assert_eq!((found.records(), found.unique(), found.classes()), (3, 2, 3));
    }

    #[test]
    fn those_with_fewest_rows_go_first() {
        assert_eq!([0, 1, 2, 3, 5, 6].map(|taken| fewest_left(vec![7, 8, 8, 9, 9, 9], taken)), [3, 2, 2, 1, 1, 0]);
    }
}
