//! Where more is required than (k, e)-anonymity, groups of the optimum may fail. They are then taken
//! together with their neighbours until the whole window can be divided again: dealt in the order of the
//! numbers into lanes, as many as pass, and in one lane at last. For monotone requirements that always
//! ends, with all rows at the latest; for proximity it is a search that may find nothing.
//!
//! A window is put to the requirements when it has grown by an eighth, so that all windows together
//! cost a few passes over the rows even where nothing passes but the whole table.

use super::check::{Check, Memory};
use super::groups::PlaceGroups;
use crate::epsilon_m::lanes;

/// A window that failed is asked again when it has grown by this part.
const GROWTH: usize = 8;

/// Steps between a number of lanes that passed and one that failed: the rest could gain a sixteenth.
const STEPS: usize = 4;

/// Groups that all pass, made from `groups`, of which `passing` tells which do; nothing if none were found.
pub(super) fn repaired(groups: &PlaceGroups, passing: &[bool], check: &Check<'_>) -> Option<PlaceGroups> {
    let mut repair = Repair { groups, check, memory: Memory::default() };
    let mut done: Vec<RepairedGroup> = Vec::new();
    let mut open = 0;
    let mut next = 0;
    for (at, &passes) in passing.iter().enumerate() {
        if open == at && passes {
            done.push(RepairedGroup { from: at, parts: None });
            open = at + 1;
            continue;
        }
        if let Some(parts) = repair.try_window(open, at + 1, &mut next) {
            done.push(RepairedGroup { from: open, parts: Some(parts) });
            (open, next) = (at + 1, 0);
        }
    }
    // What is left over takes in what was done before it.
    let end = groups.len();
    next = 0;
    while open < end {
        let back = done.pop();
        open = back.as_ref().map_or(0, |window| window.from);
        if open == 0 {
            next = 0;
        }
        if let Some(parts) = repair.try_window(open, end, &mut next) {
            done.push(RepairedGroup { from: open, parts: Some(parts) });
            open = end;
        } else if open == 0 || check.is_cancelled() {
            return None;
        }
    }
    let parts =
        done.into_iter().flat_map(|window| window.parts.unwrap_or_else(|| vec![groups.group(window.from).to_vec()]));
    Some(PlaceGroups::from_lists(&parts.collect::<Vec<_>>()))
}

/// Groups that have become others.
struct RepairedGroup {
    /// The first of the old groups.
    from: usize,
    /// The new ones; none where the old one stays.
    parts: Option<Vec<Vec<u32>>>,
}

struct Repair<'a> {
    groups: &'a PlaceGroups,
    check: &'a Check<'a>,
    memory: Memory,
}

impl Repair<'_> {
    /// Divides neighbouring groups again, unless they have fewer rows than `next`, which is raised if
    /// they cannot be divided.
    fn try_window(&mut self, from: usize, to: usize, next: &mut usize) -> Option<Vec<Vec<u32>>> {
        let size = self.groups.size(from, to);
        if size < *next {
            return None;
        }
        let parts = self.divided(&self.groups.together(from, to));
        if parts.is_none() {
            *next = size + size / GROWTH;
        }
        parts
    }

    /// Many lanes that pass: from as many as there can be down by halves to one, and then a few steps
    /// towards the last number that failed.
    fn divided(&mut self, places: &[u32]) -> Option<Vec<Vec<u32>>> {
        if self.check.is_cancelled() || !self.check.generalizable(places, &mut self.memory) {
            return None;
        }
        let mut failed = (places.len() / self.check.least_size()).max(1) + 1;
        let mut passed = failed - 1;
        let mut found = loop {
            match self.lanes(places, passed) {
                Some(found) => break found,
                None if passed == 1 => return None,
                None => (failed, passed) = (passed, passed / 2),
            }
        };
        for _ in 0..STEPS {
            let between = passed + (failed - passed) / 2;
            if between == passed {
                break;
            }
            match self.lanes(places, between) {
                Some(more) => (found, passed) = (more, between),
                None => failed = between,
            }
        }
        Some(found)
    }

    /// The places dealt into `n_lanes` lanes, if all of them pass.
    fn lanes(&mut self, places: &[u32], n_lanes: usize) -> Option<Vec<Vec<u32>>> {
        let dealt = lanes::deal(places, n_lanes, 1);
        dealt.iter().all(|lane| self.check.passes(lane, &mut self.memory)).then_some(dealt)
    }
}
