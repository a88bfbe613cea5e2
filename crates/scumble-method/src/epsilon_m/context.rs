//! What the leaves of one partition share, and when keeping values apart is enough.

use super::leaf::Leaf;
use crate::axis::Axis;
use crate::coins::Purpose;
use crate::mondrian::axes;
use crate::shuffle::random_order;
use crate::task::{Task, least_size};
use scumble_principle::proximity::theory;
use scumble_principle::{BoundRequirements, Neighbourhood};
use scumble_table::{Bag, Codes, Persons, Role, Table};

/// What all leaves share.
pub(super) struct SearchContext<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) axes: Vec<Axis>,
    /// Columns of the quasi-identifiers.
    pub(super) quasi: Vec<&'a Codes>,
    /// The sensitive column whose values are kept apart.
    pub(super) codes: &'a Codes,
    pub(super) near: &'a Neighbourhood,
    /// The m of the requirement.
    pub(super) m: usize,
    /// The least size of a group.
    pub(super) least: usize,
    /// Secret ranks that order rows of equal value.
    pub(super) ties: Vec<u32>,
    /// True if keeping values apart meets all requirements; else groups are tried against them.
    pub(super) constructed: bool,
    /// Whose rows they are, where some people have several: then groups are tried against all requirements.
    pub(super) persons: Option<&'a Persons>,
    /// True if keeping values and people apart meets all requirements.
    pub(super) apart_suffices: bool,
}

impl<'a> SearchContext<'a> {
    pub(super) fn new(task: &'a Task<'a>, column: usize, near: &'a Neighbourhood, m: u64) -> Self {
        let table = task.table;
        let persons = task.bound.by_person().map(|people| people.persons());
        let apart_suffices = is_constructed(task.bound, table);
        SearchContext {
            task,
            axes: axes(table),
            quasi: table.schema().of_role(Role::Quasi).into_iter().map(|column| table.column(column)).collect(),
            codes: table.column(sensitive(table, column)),
            near,
            m: usize::try_from(m).unwrap_or(usize::MAX).max(1),
            least: least_size(task.bound),
            ties: random_order(table.n_rows(), task.coins, Purpose::Ties),
            constructed: apart_suffices && persons.is_none(),
            persons,
            apart_suffices,
        }
    }

    /// A leaf with its rows in order.
    pub(super) fn leaf(&self, rows: &[u32]) -> Leaf {
        let (code, tie) = (|row: u32| self.codes.get(row as usize), |row: u32| self.ties[row as usize]);
        Leaf::new(rows.to_vec(), self.axes.len(), self.near, code, tie, |row, at| at.extend(self.positions(row)))
    }

    /// The person of each place of a leaf, where some people have several rows.
    pub(super) fn people(&self, leaf: &Leaf) -> Option<Vec<u32>> {
        self.persons.map(|persons| leaf.rows.iter().map(|&row| persons.of(row)).collect())
    }

    /// The positions of a row on the axes.
    pub(super) fn positions(&self, row: u32) -> impl Iterator<Item = u32> {
        self.axes.iter().zip(&self.quasi).map(move |(axis, codes)| axis.position(codes.get(row as usize)))
    }

    /// The sensitive values of some rows.
    pub(super) fn bag(&self, rows: &[u32]) -> Bag {
        Bag::from_codes(rows.iter().map(|&row| self.codes.get(row as usize)))
    }

    /// True if rows can be divided into groups of the least size that keep values apart.
    pub(super) fn eligible(&self, rows: &[u32]) -> bool {
        let maxsize = theory::maxsize(&self.bag(rows), self.near);
        !rows.is_empty() && (rows.len() as u64) >= maxsize.saturating_mul(self.least as u64)
    }
}

/// True if keeping near values apart meets all requirements, so that groups are sure to be found: one proximity
/// requirement, and no other but k-anonymity, with enough rows to keep k of them apart.
pub fn is_constructed(bound: &BoundRequirements, table: &Table) -> bool {
    let mut looking = bound.tests().iter().filter_map(|test| Some((test.column()?, test.test())));
    let (Some((column, test)), None) = (looking.next(), looking.next()) else { return false };
    let Some((near, _)) = test.neighbourhood() else { return false };
    let rows = table.column_bag(sensitive(table, column));
    rows.size() > 0 && rows.size() >= theory::maxsize(&rows, near).saturating_mul(bound.least_size())
}

/// A column by its place among the sensitive ones, as requirements name it.
fn sensitive(table: &Table, place: usize) -> usize {
    table.schema().of_role(Role::Sensitive)[place]
}
