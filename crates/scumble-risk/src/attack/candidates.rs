//! The rows of a source behind the records that match, for everybody who is looked for.

use super::cover::BoxCover;
use super::matching::Matching;
use crate::Matches;
use crate::persons::{distinct_pairs, fewest_left, matches_of};
use rayon::prelude::*;
use scumble_table::{Error, GroupedRows, Monitor, Persons, Result, rows_by_group};
use scumble_verify::{JoinCandidates, Membership};

/// Whose the records of a release are, as far as its source tells for certain.
pub(crate) struct SourcePersons {
    pub(crate) persons: Persons,
    /// Groups of the source's rows in each table of boxes; nothing for tables of exact values.
    pub(crate) boxes: Vec<Option<Membership>>,
    /// Groups of the source's rows by sensitive column, where records show groups instead of values.
    pub(crate) groups: Vec<(String, Membership)>,
}

/// Source rows by their known values, with the rows behind the records that match.
pub(crate) struct Candidates<'a> {
    /// Number of the known values of each source row.
    pub(crate) known: Vec<u32>,
    pub(crate) n_known: usize,
    behind: MatchedRows<'a>,
}

enum MatchedRows<'a> {
    /// Records that show values are those of the rows with the same values.
    Equal { rows: GroupedRows, records: Vec<u64> },
    /// Records that show boxes are those of rows whose group is certain.
    Around { cover: BoxCover<'a>, rows_of_box: GroupedRows },
}

impl<'a> Candidates<'a> {
    /// The candidates of everybody by the chosen columns of a table; `members` are those of its boxes.
    pub(crate) fn new(matching: Matching<'a>, members: Option<&Membership>) -> Result<Self> {
        if matching.is_exact() {
            let (known, records) = matching.equal_values()?;
            let n_known = records.len();
            let rows = rows_by_group(&known, n_known);
            return Ok(Candidates { known, n_known, behind: MatchedRows::Equal { rows, records } });
        }
        let members = members.ok_or_else(|| Error::bug("nothing is known of the groups of boxes"))?;
        let cover = matching.cover()?;
        let groups_of_boxes = Candidates::groups_of_boxes(&cover, &matching.table.group_of_row);
        let rows = rows_by_group(&cover.points.of_row, cover.points.len());
        let find = |found: &mut Vec<(u32, u32)>, point: u32, around: &[u32]| {
            for &row in rows.group(point as usize) {
                let group = members.group_of_row[row as usize];
                let own = around.iter().find(|&&a_box| groups_of_boxes.binary_search(&(a_box, group)).is_ok());
                found.extend(own.map(|&a_box| (a_box, row)));
            }
        };
        let found = cover.visit(Vec::new, find, matching.monitor)?.concat();
        let mut box_of_row = vec![u32::MAX; matching.index.n];
        found.iter().for_each(|&(a_box, row)| box_of_row[row as usize] = a_box);
        let rows_of_box = rows_by_group(&box_of_row, cover.boxes.len());
        let (known, n_known) = (cover.points.of_row.clone(), cover.points.len());
        Ok(Candidates { known, n_known, behind: MatchedRows::Around { cover, rows_of_box } })
    }

    /// Pairs of a box and a group that has records in it, sorted.
    fn groups_of_boxes(cover: &BoxCover<'_>, group_of_record: &[u32]) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> =
            cover.boxes.of_row.iter().copied().zip(group_of_record.iter().copied()).collect();
        pairs.par_sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Calls `each` with every number of known values, the rows behind the records that match, and how many records these are.
    /// Parts are worked on in parallel, each with room of its own, and given back in a fixed order.
    pub(crate) fn visit<T: Send>(
        &self,
        room: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, u32, &[u32], u64) + Sync,
        monitor: Monitor<'_>,
    ) -> Result<Vec<T>> {
        match &self.behind {
            MatchedRows::Equal { rows, records } => {
                const RUN: usize = 1 << 12;
                let part = |from: usize| {
                    monitor.check()?;
                    let mut room = room();
                    for (class, &records) in records.iter().enumerate().skip(from).take(RUN) {
                        each(&mut room, class as u32, rows.group(class), records);
                    }
                    Ok(room)
                };
                (0..records.len()).into_par_iter().step_by(RUN).map(part).collect()
            }
            MatchedRows::Around { cover, rows_of_box } => {
                let rooms = || (room(), Vec::new());
                let visit = |(room, behind): &mut (T, Vec<u32>), point: u32, around: &[u32]| {
                    behind.clear();
                    around.iter().for_each(|&a_box| behind.extend_from_slice(rows_of_box.group(a_box as usize)));
                    let records = around.iter().map(|&a_box| u64::from(cover.boxes.rows[a_box as usize].1)).sum();
                    each(room, point, behind, records);
                };
                let found = cover.visit(rooms, visit, monitor)?;
                Ok(found.into_iter().map(|(room, _)| room).collect())
            }
        }
    }

    /// How many people are behind the records that match, by known values.
    pub(crate) fn people(self, persons: &Persons, monitor: Monitor<'_>) -> Result<PeopleLeft> {
        let is_equal = matches!(self.behind, MatchedRows::Equal { .. });
        let count = |found: &mut Vec<(u32, u64, bool)>, point: u32, rows: &[u32], records: u64| {
            let own: Vec<u32> = rows.iter().map(|&row| persons.of(row)).collect();
            // Rows that are not published are no candidates; which of those with equal values these are is not known.
            let taken = if is_equal { rows.len().saturating_sub(records as usize) } else { 0 };
            let all_known = taken == 0 && rows.len() as u64 == records;
            let people = if records == 0 { 0 } else { fewest_left(own, taken).max(1) };
            found.push((point, people, records == 0 || all_known));
        };
        let (mut candidates, mut exact) = (vec![0u64; self.n_known], vec![true; self.n_known]);
        for (point, people, is_exact) in self.visit(Vec::new, count, monitor)?.into_iter().flatten() {
            (candidates[point as usize], exact[point as usize]) = (people, is_exact);
        }
        Ok(PeopleLeft { known: self.known, candidates, exact })
    }
}

/// How many people a table leaves somebody among, of whom some values are known.
pub(crate) struct PeopleLeft {
    /// Number of the known values of each source row.
    known: Vec<u32>,
    /// People by known values, at least; 0 where these match nothing.
    candidates: Vec<u64>,
    /// Whether these are their exact numbers.
    exact: Vec<bool>,
}

impl PeopleLeft {
    /// What is left of everybody, and whether all of it is exact.
    pub(crate) fn matches(&self, persons: &Persons) -> (Matches, bool) {
        let pairs = distinct_pairs(&self.known, persons);
        (matches_of(&self.candidates, &pairs, persons.n()), self.exact.iter().all(|exact| *exact))
    }

    /// What is left of everybody where also the tables together are looked at, which leave `joined` people, and no
    /// more than any table leaves by itself. Also whether a table's number decided somewhere
    /// that is none of certainty. The first of the tables has all known columns.
    pub(crate) fn joined(tables: &[PeopleLeft], joined: &JoinCandidates, persons: &Persons) -> Option<(Matches, bool)> {
        let first = tables.first()?;
        let (mut left, mut uncertain) = (vec![0u64; first.candidates.len()], false);
        for (row, &number) in first.known.iter().enumerate() {
            // A row of which the tables together show nothing is not in the release.
            let mut fewest = joined.candidates[joined.known[row] as usize].0;
            for table in tables {
                let here = table.known[row] as usize;
                if table.candidates[here] < fewest {
                    fewest = table.candidates[here];
                    uncertain |= !table.exact[here];
                }
            }
            left[number as usize] = fewest;
        }
        Some((matches_of(&left, &distinct_pairs(&first.known, persons), persons.n()), uncertain))
    }
}
