//! Whose rows are dealt, where some people have several.

use crate::task::Task;
use scumble_principle::BoundRequirements;
use scumble_table::{Persons, Table};

/// The people of rows that are named by their place in the order of the buckets.
pub(super) struct PeopleByPlace<'a> {
    table: &'a Table,
    bound: &'a BoundRequirements,
    persons: &'a Persons,
    /// The row of each place.
    sequence: &'a [u32],
}

impl<'a> PeopleByPlace<'a> {
    /// Nothing where everybody has one row.
    pub(super) fn along(task: &Task<'a>, sequence: &'a [u32]) -> Option<PeopleByPlace<'a>> {
        let persons = task.bound.by_person()?.persons();
        Some(PeopleByPlace { table: task.table, bound: task.bound, persons, sequence })
    }

    /// The person of a place.
    pub(super) fn of(&self, place: u32) -> u32 {
        self.persons.of(self.sequence[place as usize])
    }

    /// How many of some places each of their persons has, in the order of the places.
    pub(super) fn rows_of(&self, places: &[u32]) -> Vec<u32> {
        let mut by_person: Vec<(u32, u32)> = places.iter().map(|&place| self.of(place)).zip(0..).collect();
        by_person.sort_unstable();
        let mut rows = vec![0; places.len()];
        for same in by_person.chunk_by(|a, b| a.0 == b.0) {
            same.iter().for_each(|&(_, at)| rows[at as usize] = same.len() as u32);
        }
        rows
    }

    /// The most places that somebody has among some.
    pub(super) fn most_rows(&self, places: impl Iterator<Item = u32>) -> usize {
        let mut persons: Vec<u32> = places.map(|place| self.of(place)).collect();
        persons.sort_unstable();
        persons.chunk_by(|a, b| a == b).map(<[u32]>::len).max().unwrap_or(0)
    }

    /// True if some places may be a batch, as rows and as people.
    pub(super) fn hold(&self, places: &[u32]) -> bool {
        let rows: Vec<u32> = places.iter().map(|&place| self.sequence[place as usize]).collect();
        self.bound.rows_hold(self.table, &rows)
    }
}
