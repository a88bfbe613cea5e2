//! Who is alone with a value, or with several: rows, and people where some have several rows. Their own other rows hide nobody.

use super::ColumnProfile;
use super::unfit::coded;
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_risk::{Known, Matches, extended};
use scumble_table::{Codes, Monitor, NULL, Persons, Result, RowClasses};

/// A column with the number of its codes.
pub(super) type Coded<'a> = (&'a Codes, usize);

/// Who is alone with their values in some columns. Null is a value and matches only null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Alone {
    /// Rows whose combination of values occurs once.
    pub(super) rows: u64,
    /// People who have a combination that nobody else has, where these are counted.
    pub(super) people: Option<u64>,
    /// Distinct combinations.
    pub(super) classes: u64,
}

impl Alone {
    /// How many the columns tell apart from all others: people where these are counted, else rows.
    pub(super) fn told(self) -> u64 {
        self.people.unwrap_or(self.rows)
    }
}

/// Columns whose sets are counted.
pub(super) struct Counting<'a> {
    pub(super) columns: &'a [Coded<'a>],
    pub(super) n_rows: usize,
    /// Whose rows they are, where somebody has several.
    pub(super) persons: Option<&'a Persons>,
    pub(super) monitor: Monitor<'a>,
}

impl Counting<'_> {
    /// All who could be told apart.
    pub(super) fn everybody(&self) -> u64 {
        self.persons.map_or(self.n_rows, Persons::n) as u64
    }

    /// Some columns, and each of others beside them.
    pub(super) fn extended(&self, base: &[usize], more: &[usize]) -> Result<Vec<Alone>> {
        let known = |&at: &usize| Known { codes: self.columns[at].0, n_codes: self.columns[at].1 };
        let (first, others): (Vec<_>, Vec<_>) = (base.iter().map(known).collect(), more.iter().map(known).collect());
        let counted = extended(&first, &others, self.n_rows, self.monitor)?;
        let one = |(matches, &last): (&Matches, &usize)| {
            let people = self.persons.map(|persons| {
                let chosen: Vec<Coded<'_>> = base.iter().chain([&last]).map(|&at| self.columns[at]).collect();
                people_alone(&chosen, persons, self.monitor)
            });
            Alone { rows: matches.unique(), people, classes: matches.classes() }
        };
        let alone = counted.par_iter().zip(more).map(one).collect();
        self.monitor.check()?;
        Ok(alone)
    }
}

/// Notes how many people have a value that nobody else has, column by column.
pub(super) fn count_alone(
    raw: &RawTable,
    columns: &mut [ColumnProfile],
    persons: &Persons,
    monitor: Monitor<'_>,
) -> Result<()> {
    columns.par_iter_mut().for_each(|column| {
        // A missing value tells nobody apart, as in the rows that are alone with a value.
        let alone = coded(raw, &column.name).map(|codes| people_alone(&[codes], persons, monitor));
        column.unique_people = match (alone, column.nulls) {
            (alone, 0) => alone,
            (_, _) => coded(raw, &column.name).map(|codes| people_alone_with_value(codes, persons)),
        };
    });
    monitor.check()
}

/// The person of a combination that several people have.
const SEVERAL: u32 = u32::MAX;

/// People who are alone with a value that is not missing.
fn people_alone_with_value((codes, n): Coded<'_>, persons: &Persons) -> u64 {
    let mut owner = vec![None; n];
    let rows = || persons.of_rows().iter().enumerate().filter(|(row, _)| codes.get(*row) != NULL);
    for (row, &person) in rows() {
        note(&mut owner[codes.get(row) as usize], person);
    }
    alone(persons.n(), rows().filter(|(row, _)| owner[codes.get(*row) as usize] != Some(SEVERAL)).map(|row| *row.1))
}

/// People who have a combination of codes, in one of their rows, that nobody else has. Their own other rows hide nobody.
fn people_alone(columns: &[Coded<'_>], persons: &Persons, monitor: Monitor<'_>) -> u64 {
    let n_rows = persons.of_rows().len();
    let mut classes = RowClasses::new(n_rows);
    for (codes, n) in columns {
        if monitor.is_cancelled() {
            return 0;
        }
        classes.push(*n, |row| codes.get(row));
    }
    let (class, n) = classes.finish();
    let mut owner = vec![None; n];
    class.iter().zip(persons.of_rows()).for_each(|(&class, &person)| note(&mut owner[class as usize], person));
    let own = class.iter().zip(persons.of_rows()).filter(|(class, _)| owner[**class as usize] != Some(SEVERAL));
    alone(persons.n(), own.map(|(_, &person)| person))
}

/// Notes who has a combination.
fn note(owner: &mut Option<u32>, person: u32) {
    *owner = match *owner {
        None => Some(person),
        Some(known) if known == person => Some(person),
        Some(_) => Some(SEVERAL),
    };
}

/// How many different people there are.
fn alone(n: usize, people: impl Iterator<Item = u32>) -> u64 {
    let mut met = vec![false; n];
    people.for_each(|person| met[person as usize] = true);
    met.iter().filter(|met| **met).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_other_rows_hide_nobody() {
        // Persons 0, 0, 1, 1, 2, 2: the first is alone with 1, the second and the third share 2, the third is alone with 3.
        let key: Codes = [1u32, 1, 2, 2, 3, 3].into_iter().collect();
        let persons = Persons::from_keys(6, &[(&key, 4)]);
        let values: Codes = [1u32, 1, 2, 2, 2, 3].into_iter().collect();
        let columns = [(&values, 4)];
        let counting = Counting { columns: &columns, n_rows: 6, persons: Some(&persons), monitor: Monitor::silent() };
        // By rows only the last is alone.
        assert_eq!(counting.extended(&[], &[0]).unwrap(), [Alone { rows: 1, people: Some(2), classes: 3 }]);
        assert_eq!(counting.everybody(), 3);
        let missing: Codes = [0u32, 0, 2, 2, 2, 3].into_iter().collect();
        assert_eq!(people_alone_with_value((&missing, 4), &persons), 1);
    }
}
