//! People and the records that could be theirs.

use super::cover::BoxCover;
use super::distinct_rows::DistinctRows;
use super::people_index::PeopleIndex;
use super::people_table::PeopleTable;
use crate::Matches;
use crate::persons::distinct_pairs;
use scumble_table::{Monitor, Persons, Result, RowClasses, class_members, with_codes};

/// The chosen columns of a table and of people. Everything that is worked out from them fails if the work was cancelled.
#[derive(Clone, Copy)]
pub(crate) struct Matching<'a> {
    pub(crate) table: &'a PeopleTable,
    pub(crate) index: &'a PeopleIndex,
    pub(crate) chosen: &'a [usize],
    pub(crate) monitor: Monitor<'a>,
}

impl<'a> Matching<'a> {
    /// How many records cover each person's values.
    pub(crate) fn around_people(self) -> Result<Matches> {
        if self.is_exact() {
            return Ok(Matches::from_classes(self.equal_counts()?.into_iter().filter(|class| class.1 > 0)));
        }
        let cover = self.cover()?;
        let count = |classes: &mut Vec<(u64, u64)>, point: u32, around: &[u32]| {
            let records: u64 = around.iter().map(|&a_box| u64::from(cover.boxes.rows[a_box as usize].1)).sum();
            classes.push((records, u64::from(cover.points.rows[point as usize].1)));
        };
        let classes = cover.visit(Vec::new, count, self.monitor)?;
        Ok(Matches::from_classes(classes.into_iter().flatten()))
    }

    /// For each class of records how many there are, and how many people they cover.
    pub(crate) fn records_and_people(self) -> Result<Vec<(u64, u64)>> {
        if self.is_exact() {
            return Ok(self.equal_counts()?.into_iter().filter(|class| class.0 > 0).collect());
        }
        let cover = self.cover()?;
        let boxes = &cover.boxes;
        let count = |people: &mut Vec<u64>, point: u32, around: &[u32]| {
            let n = u64::from(cover.points.rows[point as usize].1);
            around.iter().for_each(|&a_box| people[a_box as usize] += n);
        };
        let inside = cover.visit(|| vec![0u64; boxes.len()], count, self.monitor)?;
        let people = |a_box: usize| inside.iter().map(|part| part[a_box]).sum();
        Ok(boxes.rows.iter().enumerate().map(|(a_box, &(_, n))| (u64::from(n), people(a_box))).collect())
    }

    /// Whether records show values in all columns.
    pub(crate) fn is_exact(self) -> bool {
        self.chosen.iter().all(|&at| self.index.columns[at].exact)
    }

    /// The boxes of records around the known values of people.
    pub(crate) fn cover(self) -> Result<BoxCover<'a>> {
        BoxCover::new(self.table, self.index, self.chosen, self.monitor)
    }

    /// Records by their values, and for each person the class of records with the same values, or a number beyond all
    /// classes.
    pub(crate) fn records_with_people(self) -> Result<(DistinctRows, Vec<u32>)> {
        let (mut of_row, n) = self.classes()?;
        let people = of_row.split_off(self.table.n_rows);
        // Classes are numbered as they first appear, so those of records come first.
        let n_records = of_row.iter().max().map_or(0, |&last| last as usize + 1);
        debug_assert!(n_records <= n, "classes of records are some of all");
        Ok((DistinctRows { rows: class_members(&of_row, n_records), of_row }, people))
    }

    /// For each person the number of the values, and for each number how many records show them, in columns that show values.
    pub(crate) fn equal_values(self) -> Result<(Vec<u32>, Vec<u64>)> {
        let (mut of_row, n) = self.classes()?;
        let people = of_row.split_off(self.table.n_rows);
        let mut records = vec![0u64; n];
        of_row.iter().for_each(|&class| records[class as usize] += 1);
        Ok((people, records))
    }

    /// For each class of records, which are those of the persons given, how many persons there are, and how many people have
    /// the same values.
    pub(crate) fn persons_and_people(self, persons: &Persons) -> Result<Vec<(u64, u64)>> {
        let (mut of_row, n) = self.classes()?;
        let mut counts = vec![(0u64, 0u64); n];
        of_row.split_off(self.table.n_rows).iter().for_each(|&class| counts[class as usize].1 += 1);
        distinct_pairs(&of_row, persons).iter().for_each(|pair| counts[pair.0 as usize].0 += 1);
        Ok(counts.into_iter().filter(|class| class.0 > 0).collect())
    }

    /// How many records and how many people have each combination of values, in columns that show values.
    fn equal_counts(self) -> Result<Vec<(u64, u64)>> {
        let (classes, n) = self.classes()?;
        let mut counts = vec![(0u64, 0u64); n];
        let (records, people) = classes.split_at(self.table.n_rows);
        records.iter().for_each(|&class| counts[class as usize].0 += 1);
        people.iter().for_each(|&class| counts[class as usize].1 += 1);
        Ok(counts)
    }

    /// The class of each record, then of each person, by values; and the number of classes.
    fn classes(self) -> Result<(Vec<u32>, usize)> {
        let n = self.table.n_rows;
        let mut classes = RowClasses::new(n + self.index.n);
        for &at in self.chosen {
            self.monitor.check()?;
            let (column, placed) = (&self.table.columns[at], &self.index.columns[at]);
            with_codes!(&column.codes, |shown| with_codes!(&placed.ranks, |ranks| {
                classes.push(placed.n_ranks, |row| match row.checked_sub(n) {
                    None => shown[row] as usize as u32,
                    Some(person) => ranks[person] as usize as u32,
                });
            }));
        }
        self.monitor.check()?;
        Ok(classes.finish())
    }
}
