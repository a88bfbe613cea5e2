//! The people of a table as a ledger knows them, and their rows.

use crate::job::{ColumnRole, Job};
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_ledger::{KnownBy, tuple_digest};
use scumble_table::{
    Code, Error, Monitor, NULL, PersonDigests, Persons, Result, Role, RowClasses, Schema, Table, class_members,
};
use std::sync::Arc;

/// The people of a table that is published.
pub(crate) struct PublishedPeople<'t> {
    table: &'t Table,
    pub(super) known_by: KnownBy,
    /// What stands for each of them, or for each combination of quasi-identifiers.
    pub(super) digests: Arc<PersonDigests>,
    /// Rows whose person is not named.
    pub(super) unnamed: u64,
    /// Number of the digest of each row.
    of_row: Vec<u32>,
}

/// Rows of people who are in an earlier release.
pub(super) struct OverlappingRows {
    rows: Vec<u32>,
    /// Whose each of them is, numbered from 0.
    pub(super) person_of_row: Vec<u32>,
}

impl<'t> PublishedPeople<'t> {
    /// People by their keys where columns say whose rows are whose, and by exact quasi-identifiers otherwise.
    ///
    /// # Errors
    /// If the table was read without a ledger, and does not know its people, or the work was cancelled.
    pub(super) fn new(table: &'t Table, job: &Job, monitor: Monitor<'_>) -> Result<PublishedPeople<'t>> {
        let mut keys: Vec<String> = job.named(ColumnRole::Person).map(String::from).collect();
        if keys.is_empty() {
            return PublishedPeople::by_quasi(table, monitor);
        }
        keys.sort_unstable();
        let persons = table.persons();
        let Some((persons, digests)) = persons.and_then(|persons| Some((persons, persons.digests()?))) else {
            let reason = "the table was read by a job without a ledger, and does not know its people any more";
            return Err(Error::request("ledger", "", reason).hint("read the data with the same job that publishes it"));
        };
        Ok(PublishedPeople {
            table,
            known_by: KnownBy::Person(keys),
            digests: digests.clone(),
            unnamed: Persons::n_unnamed(persons) as u64,
            of_row: persons.of_rows().to_vec(),
        })
    }

    fn by_quasi(table: &'t Table, monitor: Monitor<'_>) -> Result<PublishedPeople<'t>> {
        let mut quasi = table.schema().of_role(Role::Quasi);
        quasi.sort_unstable_by_key(|&at| &table.attribute(at).name);
        let mut classes = RowClasses::new(table.n_rows());
        for &at in &quasi {
            monitor.check()?;
            classes.push(table.attribute(at).domain.n_codes(), |row| table.column(at).get(row));
        }
        let (of_row, n) = classes.finish();
        monitor.check()?;
        let digest = |&(row, _): &(u32, u32)| {
            tuple_digest(quasi.iter().map(|&at| {
                let attribute = table.attribute(at);
                let code: Code = table.column(at).get(row as usize);
                (attribute.name.as_str(), (code != NULL).then(|| attribute.domain.text(code)))
            }))
        };
        let people = class_members(&of_row, n).par_iter().map(digest).collect();
        let digests = PersonDigests { people, ..PersonDigests::default() };
        let names = quasi.iter().map(|&at| table.attribute(at).name.clone()).collect();
        Ok(PublishedPeople { table, known_by: KnownBy::Quasi(names), digests: Arc::new(digests), unnamed: 0, of_row })
    }

    /// Whether the table has a column of this role.
    pub(super) fn has(&self, name: &str, role: &str) -> bool {
        self.table.schema().attributes().iter().any(|known| known.name == name && known.role.name() == role)
    }

    /// The rows of some of the people. Where they are known by quasi-identifiers alone, every row is taken for a person.
    pub(super) fn rows_of(&self, members: &[u32]) -> OverlappingRows {
        let mut number = vec![u32::MAX; self.digests.people.len()];
        (0..).zip(members).for_each(|(at, &member)| number[member as usize] = at);
        let all = (0..).zip(&self.of_row);
        let rows: Vec<u32> = all.filter(|(_, own)| number[**own as usize] != u32::MAX).map(|(row, _)| row).collect();
        let by_person = matches!(self.known_by, KnownBy::Person(_));
        let person = |(at, &row): (u32, &u32)| if by_person { number[self.of_row[row as usize] as usize] } else { at };
        let person_of_row = (0..).zip(&rows).map(person).collect();
        OverlappingRows { rows, person_of_row }
    }

    /// Rows, or people where they are known by keys.
    pub(super) fn n(&self) -> u64 {
        match self.known_by {
            KnownBy::Person(_) => self.digests.people.len() as u64,
            KnownBy::Quasi(_) => self.table.n_rows() as u64,
        }
    }

    /// For each sensitive column whether people of some rows have several values in it.
    pub(super) fn varying(&self, rows: &OverlappingRows) -> Vec<(String, Vec<bool>)> {
        let sensitive = self.table.schema().of_role(Role::Sensitive).into_iter();
        let varying = sensitive.map(|at| {
            let mut first: Vec<Option<Code>> = vec![None; rows.n() as usize];
            let mut varies = vec![false; first.len()];
            for (&row, &person) in rows.rows.iter().zip(&rows.person_of_row) {
                let code = self.table.column(at).get(row as usize);
                varies[person as usize] |= *first[person as usize].get_or_insert(code) != code;
            }
            (self.table.attribute(at).name.clone(), varies)
        });
        varying.collect()
    }

    /// The quasi-identifiers of some rows, as texts.
    pub(super) fn quasi_of(&self, rows: &OverlappingRows) -> Result<RawTable> {
        let quasi = self.table.schema().of_role(Role::Quasi);
        let attributes = quasi.iter().map(|&at| self.table.attribute(at).clone()).collect();
        let columns = quasi.iter().map(|&at| self.table.column(at).gather(&rows.rows)).collect();
        RawTable::from_table(Table::new(Schema::new(attributes)?, columns, rows.rows.len())?, "the data")
    }
}

impl OverlappingRows {
    /// How many they are: rows, or persons.
    pub(super) fn n(&self) -> u64 {
        self.person_of_row.iter().max().map_or(0, |&last| u64::from(last) + 1)
    }
}
