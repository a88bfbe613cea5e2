//! Several requirements at once: whether some rows can be divided so that every group meets all.
//!
//! Keeping values apart meets one proximity requirement, and k-anonymity as far as k rows can be kept apart. Where there
//! are others (a diversity of a second column, a closeness, a second proximity) nothing says in advance which rows can be
//! divided. So lanes are dealt, from many small ones to few large ones, and every lane is put to
//! the requirements: a node of the tree passes only if some number of lanes does. What passes has been
//! found, not promised; what does not pass may still be divisible in another way.

use super::apart::{deal_apart, most_rows};
use super::leaf::Leaf;
use super::{SearchContext, lanes};
use crate::coins::Stream;
use crate::mondrian::judge::{BagMemory, Criterion, RequirementJudge};
use crate::task::Task;
use scumble_table::{Error, Result};

/// Numbers of lanes that are tried so that nobody comes twice into one.
const APART: usize = 8;

/// The search for lanes that meet every requirement.
pub(crate) struct Search<'a> {
    pub(super) context: &'a SearchContext<'a>,
    judge: RequirementJudge<'a>,
}

impl<'a> Search<'a> {
    /// Refuses a table whose rows cannot be divided this way.
    pub(crate) fn new(task: &'a Task<'a>, context: &'a SearchContext<'a>) -> Result<Self> {
        let search = Search { context, judge: RequirementJudge::new(task.bound, task.table, Criterion::Holds) };
        if context.constructed || search.divides(&task.all_rows()) {
            return Ok(search);
        }
        let is_one = task.bound.requirements().len() == 1;
        let (reason, hint) = match is_one {
            true => (
                "groups that meet it cannot be guaranteed by construction here, and the search for them found none",
                "ask for less; that nothing was found is no proof that nothing exists",
            ),
            false => (
                "each of them can be met by itself, but together they cannot be guaranteed by construction, and \
                 the search for groups that meet all of them found none",
                "ask for less in one of them; that nothing was found is no proof that nothing exists",
            ),
        };
        Err(Error::NotFound {
            requirement: task.requirements(" and "),
            reason: reason.into(),
            hint: hint.into(),
            report: Vec::new(),
        })
    }

    /// True if the rows can be divided.
    pub(crate) fn divides(&self, rows: &[u32]) -> bool {
        if self.context.constructed { self.context.eligible(rows) } else { self.lanes(rows).is_some() }
    }

    /// The most lanes that pass: groups of the least size, then twice as large, and so on up to one
    /// group of all rows. A group of s rows may hold s/m near ones, so rows are dealt one by one first
    /// and then in runs of s/m, which keeps runs of near values farther apart.
    pub(crate) fn lanes(&self, rows: &[u32]) -> Option<Vec<Vec<u32>>> {
        let leaf = self.context.leaf(rows);
        if let Some(found) = self.apart(&leaf, None) {
            return Some(found);
        }
        let mut n_lanes = leaf.len() / self.context.least;
        while n_lanes > 0 && !self.context.task.monitor.is_cancelled() {
            let widest = (leaf.len() / n_lanes / self.context.m).max(1);
            for width in [1, widest].into_iter().take(if widest > 1 { 2 } else { 1 }) {
                let dealt = lanes::deal(&leaf.rows, n_lanes, width);
                if self.all_hold(&dealt) {
                    return Some(dealt);
                }
            }
            n_lanes /= 2;
        }
        None
    }

    /// Lanes in which nobody comes twice, where some people have several rows: as many as succeed.
    pub(crate) fn apart(&self, leaf: &Leaf, mut coins: Option<&mut Stream>) -> Option<Vec<Vec<u32>>> {
        let person = self.context.people(leaf)?;
        let (apart, mut n_lanes) = (leaf.maxsize(), leaf.len() / self.context.least);
        let fullest = apart.max(most_rows(&person));
        for _ in 0..APART {
            if n_lanes < fullest.max(1) || self.context.task.monitor.is_cancelled() {
                return None;
            }
            let found = deal_apart(leaf, &person, n_lanes, apart, coins.as_deref_mut());
            if let Some(found) = found.filter(|found| self.context.apart_suffices || self.all_hold(found)) {
                return Some(found);
            }
            n_lanes = (4 * n_lanes / 5).min(n_lanes - 1);
        }
        None
    }

    /// True if every group meets every requirement.
    pub(crate) fn all_hold(&self, groups: &[Vec<u32>]) -> bool {
        let mut memory = BagMemory::default();
        let monitor = self.context.task.monitor;
        groups.iter().all(|group| {
            !monitor.is_cancelled() && self.judge.passes_rows(group.iter().copied(), group.len(), &mut memory)
        })
    }
}
