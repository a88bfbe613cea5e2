//! Whether the rows of a node may stay together: as a group that satisfies every requirement, or, for
//! searches with a second stage, as rows that such groups can be made of.

use super::rows::{Position, Row};
use crate::task::least_size;
use scumble_principle::{BoundRequirements, Group, PersonMemory};
use scumble_table::{Bag, Code, Codes, Role, Table};

/// What is asked of the rows of a node.
#[derive(Clone, Copy)]
pub(crate) enum Criterion<'a> {
    /// That they pass as one group.
    Holds,
    /// That each requirement by itself allows to divide them into groups that pass.
    Generalizable,
    /// That this way of dividing them, which is given their row numbers, succeeds.
    Divides(&'a (dyn Fn(&[u32]) -> bool + Sync)),
    /// That they pass as one group by this judge, which is given their row numbers: for requirements that take several
    /// columns together.
    Judged(&'a (dyn Fn(&[u32]) -> bool + Sync)),
}

/// The requirements together with the sensitive columns they look at.
pub(crate) struct RequirementJudge<'a> {
    bound: &'a BoundRequirements,
    table: &'a Table,
    criterion: Criterion<'a>,
    /// Codes and number of codes of each sensitive column that a requirement looks at, by its
    /// place among the sensitive columns.
    looked_at: Vec<Option<(&'a Codes, usize)>>,
    least: usize,
}

impl<'a> RequirementJudge<'a> {
    pub(crate) fn new(bound: &'a BoundRequirements, table: &'a Table, criterion: Criterion<'a>) -> Self {
        let needed = bound.sensitive_needed();
        let look = |(place, column): (usize, usize)| {
            needed.contains(&place).then(|| (table.column(column), table.attribute(column).domain.n_codes()))
        };
        let looked_at = table.schema().of_role(Role::Sensitive).into_iter().enumerate().map(look).collect();
        RequirementJudge { bound, table, criterion, looked_at, least: least_size(bound) }
    }

    /// No group of fewer rows can pass.
    pub(crate) fn least_size(&self) -> usize {
        self.least
    }

    /// True where values, people or boxes matter, not only the number of rows.
    pub(crate) fn needs_values(&self) -> bool {
        self.bound.needs_values() || self.bound.by_person().is_some() || self.bound.population().is_some()
    }

    /// True if these rows pass.
    pub(crate) fn passes<L: Position, const D: usize>(&self, rows: &[Row<L, D>], memory: &mut BagMemory) -> bool {
        self.passes_rows(rows.iter().map(|row| row.row), rows.len(), memory)
    }

    /// The same for row numbers.
    pub(crate) fn passes_rows(
        &self,
        rows: impl Iterator<Item = u32> + Clone,
        n: usize,
        memory: &mut BagMemory,
    ) -> bool {
        if n < self.least {
            return false;
        }
        // The least box around the rows is the one that is published, or lies in it.
        let boxes = self.bound.population();
        if !boxes.is_none_or(|boxes| boxes.holds_rows(self.table, rows.clone(), n)) {
            return false;
        }
        let people = self.bound.by_person();
        match self.criterion {
            Criterion::Holds => {
                self.bound.holds(self.group(rows.clone(), n, memory))
                    && people.is_none_or(|people| people.holds(rows, &mut memory.people))
            }
            Criterion::Generalizable => {
                self.bound.generalizable(self.group(rows.clone(), n, memory))
                    && people.is_none_or(|people| people.generalizable(rows, &mut memory.people))
            }
            Criterion::Divides(divides) => {
                self.bound.generalizable(self.group(rows.clone(), n, memory)) && divides(&rows.collect::<Vec<u32>>())
            }
            Criterion::Judged(judged) => judged(&rows.collect::<Vec<u32>>()),
        }
    }

    /// By how many rows these pass, where every requirement can tell; a whole number that changes by at most one when two
    /// people exchange their values, and is negative if they fail.
    pub(crate) fn slack<L: Position, const D: usize>(&self, rows: &[Row<L, D>], memory: &mut BagMemory) -> Option<i64> {
        if rows.len() < self.least {
            return Some(-1);
        }
        self.bound.slack(self.group(rows.iter().map(|row| row.row), rows.len(), memory))
    }

    /// The share of the most frequent sensitive value among the rows that were looked at last.
    pub(crate) fn top_share(&self, memory: &BagMemory) -> f64 {
        let share = |bag: &Bag| f64::from(bag.top()) / (bag.size().max(1) as f64);
        memory.bags.iter().map(share).fold(0.0, f64::max)
    }

    /// True if rows are asked to pass as one group, and every requirement that looks at values can tell by how much.
    pub(crate) fn has_slack(&self) -> bool {
        let bags = vec![Bag::default(); self.looked_at.len()];
        let empty = Group { size: 0, bags: &bags };
        matches!(self.criterion, Criterion::Holds)
            && self.bound.needs_values()
            && self.bound.by_person().is_none()
            && self.bound.population().is_none()
            && self.bound.slack(empty).is_some()
    }

    /// Puts rows in the order of the sensitive values that matter, equal ones by their secret rank.
    pub(crate) fn sort_by_values<L: Position, const D: usize>(&self, rows: &mut [Row<L, D>], ties: &[u32]) {
        let columns: Vec<&Codes> = self.looked_at.iter().flatten().map(|(codes, _)| *codes).collect();
        let key = |row: &Row<L, D>| columns.iter().map(|codes| codes.get(row.row as usize)).collect::<Vec<Code>>();
        match columns.as_slice() {
            [one] => rows.sort_unstable_by_key(|row| (one.get(row.row as usize), ties[row.row as usize])),
            _ => rows.sort_by_cached_key(|row| (key(row), ties[row.row as usize])),
        }
    }

    /// Some rows as the tests see them: one bag per sensitive column, empty where no requirement looks at the column.
    fn group<'m>(&self, rows: impl Iterator<Item = u32> + Clone, n: usize, memory: &'m mut BagMemory) -> Group<'m> {
        memory.bags.resize_with(self.looked_at.len(), Bag::default);
        for (bag, column) in memory.bags.iter_mut().zip(&self.looked_at) {
            let Some((codes, n_codes)) = column else { continue };
            if *n_codes <= n * 2 {
                memory.histogram.clear();
                memory.histogram.resize(*n_codes, 0);
                for row in rows.clone() {
                    memory.histogram[codes.get(row as usize) as usize] += 1;
                }
                bag.refill_sorted(memory.histogram.iter().enumerate().map(|(code, &n)| (code as Code, n)));
            } else {
                memory.codes.clear();
                memory.codes.extend(rows.clone().map(|row| codes.get(row as usize)));
                bag.refill(&mut memory.codes);
            }
        }
        Group { size: n as u64, bags: &memory.bags }
    }
}

/// Working memory of a [`RequirementJudge`].
#[derive(Default)]
pub(crate) struct BagMemory {
    bags: Vec<Bag>,
    histogram: Vec<u32>,
    codes: Vec<Code>,
    people: PersonMemory,
}
