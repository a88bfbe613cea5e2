//! The rows that requirements are tried on: all of a small table, and those of people drawn by lot from a large one.

use super::SampleFacts;
use scumble_measure::Draw;
use scumble_table::{Codes, Result, Table};
use std::sync::Arc;

/// A table to try requirements on.
pub(super) struct Sample {
    pub(super) table: Table,
    pub(super) facts: SampleFacts,
}

impl Sample {
    /// All rows where there are at most `most`; else those of people drawn without replacement until there are as many.
    pub(super) fn draw(table: &Table, most: u64, seed: u64) -> Result<Sample> {
        let whole = table.n_rows() as u64 <= most;
        let part = if whole { table.clone() } else { rows_of(table, &drawn(table, most as usize, seed))? };
        let persons = part.persons().map(|persons| persons.n() as u64);
        let facts = SampleFacts { rows: part.n_rows() as u64, persons, whole, seed: (!whole).then_some(seed) };
        Ok(Sample { table: part, facts })
    }
}

/// The rows of people in the order of a lot, put back into the order of the table. Every person is as likely to be among them
/// as any other.
fn drawn(table: &Table, most: usize, seed: u64) -> Vec<u32> {
    let n_rows = table.n_rows();
    let each: Vec<u32>;
    let (of_row, n) = match table.persons() {
        Some(persons) => (persons.of_rows(), persons.n()),
        None => {
            each = (0..n_rows as u32).collect();
            (&each[..], n_rows)
        }
    };
    let mut rows_of_person = vec![0u32; n];
    of_row.iter().for_each(|&person| rows_of_person[person as usize] += 1);
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut draw = Draw::new(seed, b"sample of advice", 0);
    let (mut chosen, mut rows) = (vec![false; n], 0);
    for at in 0..n {
        if rows >= most {
            break;
        }
        order.swap(at, at + draw.below((n - at) as u64) as usize);
        let person = order[at] as usize;
        chosen[person] = true;
        rows += rows_of_person[person] as usize;
    }
    (0..n_rows as u32).filter(|&row| chosen[of_row[row as usize] as usize]).collect()
}

/// Some rows of a table, with its domains, its people and its population.
fn rows_of(table: &Table, rows: &[u32]) -> Result<Table> {
    let columns: Vec<Codes> =
        (0..table.schema().attributes().len()).map(|column| table.column(column).gather(rows)).collect();
    let mut part = Table::new(table.schema().clone(), columns, rows.len())?;
    if let Some(persons) = table.persons() {
        part = part.with_persons(Arc::new(persons.gather(rows)))?;
    }
    Ok(match table.population() {
        Some(population) => part.with_population(population.clone()),
        None => part,
    })
}
