//! What a column allows where people have several rows in it.
//!
//! A group is judged by its rows and by its people: of its distinct (person, number) pairs at most one in m persons may be near
//! any number. The theory tells exactly how far rows can be spread over groups, and no grouping goes further. Judged by people it
//! is not exact: rows of one person may help to fill several groups, and near numbers of one person count against the group
//! twice. What is certain is what everybody together, as one group, meets. In between only a search can tell.

use scumble_principle::{BoundRequirements, Group, Requirement};
use scumble_table::{Bag, NULL, Persons, Result, Table};

/// The numbers of people in a column.
pub(super) struct PeopleNumbers {
    /// Distinct pairs of a person and a number; its size is the number of persons who have one.
    pub(super) bag: Bag,
}

impl PeopleNumbers {
    /// Nothing where everybody has one row.
    pub(super) fn new(table: &Table, at: usize) -> Option<PeopleNumbers> {
        let persons: &Persons = table.persons().filter(|persons| persons.repeat())?;
        let codes = table.column(at);
        let mut pairs: Vec<(u32, u32)> = (0..table.n_rows())
            .filter(|&row| codes.get(row) != NULL)
            .map(|row| (persons.of(row as u32), codes.get(row)))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let people = pairs.chunk_by(|a, b| a.0 == b.0).count() as u64;
        let mut codes: Vec<u32> = pairs.into_iter().map(|pair| pair.1).collect();
        let mut bag = Bag::default();
        bag.refill(&mut codes);
        bag.set_size(people);
        Some(PeopleNumbers { bag })
    }

    /// Persons who have a number.
    pub(super) fn people(&self) -> u64 {
        self.bag.size()
    }

    /// The largest m, up to a bound, that everybody together meets as one group, by people and by rows. `requirement` writes it
    /// with an m.
    pub(super) fn guaranteed(
        &self,
        table: &Table,
        at: usize,
        most: u64,
        requirement: impl Fn(u64) -> String,
    ) -> Result<u64> {
        let rows = without_null(&table.column_bag(at));
        let schema = scumble_table::Schema::new(vec![scumble_table::Attribute {
            role: scumble_table::Role::Sensitive,
            ..table.attribute(at).clone()
        }])?;
        let meets = |m: u64| -> Result<bool> {
            let requirement: Requirement = requirement(m).parse()?;
            let bound = BoundRequirements::bind(&[requirement], &schema, |_| rows.clone())?;
            let holds = |bag: &Bag| bound.holds(Group { size: bag.size(), bags: std::slice::from_ref(bag) });
            Ok(holds(&rows) && holds(&self.bag))
        };
        // What holds for an m holds for all smaller ones.
        let (mut met, mut beyond) = (0, most.saturating_add(1));
        while beyond - met > 1 {
            let middle = met + (beyond - met) / 2;
            if meets(middle)? { met = middle } else { beyond = middle }
        }
        Ok(met)
    }
}

fn without_null(bag: &Bag) -> Bag {
    let mut rows = Bag::default();
    rows.refill_sorted(bag.counts().iter().copied().filter(|pair| pair.0 != NULL));
    rows
}
