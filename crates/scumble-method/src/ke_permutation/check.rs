//! Every group is put to all requirements before it is published.

use super::groups::PlaceGroups;
use super::sorted::Sorted;
use crate::mondrian::judge::{BagMemory, Criterion, RequirementJudge};
use crate::task::Task;
use rayon::prelude::*;
use scumble_principle::{BoundRequirements, Group, PersonMemory};
use scumble_table::{Bag, Monitor};

/// The requirements, asked of places among the sorted rows.
pub(super) struct Check<'a> {
    bound: &'a BoundRequirements,
    pub(super) sorted: &'a Sorted,
    judge: RequirementJudge<'a>,
    divider: RequirementJudge<'a>,
    /// The column that rows are sorted by, among the sensitive ones.
    place: usize,
    n_sensitive: usize,
    /// True if no requirement looks at another column.
    alone: bool,
    monitor: Monitor<'a>,
}

/// Working memory of a [`Check`].
#[derive(Default)]
pub(super) struct Memory {
    bags: Vec<Bag>,
    others: BagMemory,
    people: PersonMemory,
}

impl<'a> Check<'a> {
    pub(super) fn new(task: &Task<'a>, sorted: &'a Sorted, place: usize, n_sensitive: usize) -> Self {
        let (bound, table) = (task.bound, task.table);
        let alone = bound.sensitive_needed().iter().all(|&needed| needed == place);
        let judge = RequirementJudge::new(bound, table, Criterion::Holds);
        let divider = RequirementJudge::new(bound, table, Criterion::Generalizable);
        Check { bound, sorted, judge, divider, place, n_sensitive, alone, monitor: task.monitor }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.monitor.is_cancelled()
    }

    /// No group of fewer rows can pass.
    pub(super) fn least_size(&self) -> usize {
        self.judge.least_size()
    }

    /// True if these places, which must rise, may be published as a group.
    pub(super) fn passes(&self, places: &[u32], memory: &mut Memory) -> bool {
        if self.monitor.is_cancelled() {
            return false;
        }
        if !self.alone {
            return self.judge.passes_rows(self.rows(places), places.len(), &mut memory.others);
        }
        // In the order of the codes already: nothing to look up, nothing to sort.
        memory.bags.resize_with(self.n_sensitive, Bag::default);
        memory.bags[self.place].refill_sorted(places.iter().map(|&place| (self.sorted.code(place), 1)));
        self.bound.holds(Group { size: places.len() as u64, bags: &memory.bags })
            && self.bound.by_person().is_none_or(|people| people.holds(self.rows(places), &mut memory.people))
    }

    /// False if they cannot be divided into groups that pass.
    pub(super) fn generalizable(&self, places: &[u32], memory: &mut Memory) -> bool {
        self.divider.passes_rows(self.rows(places), places.len(), &mut memory.others)
    }

    /// Which groups pass. All rows are in one, and this is where they are heard of.
    pub(super) fn passing(&self, groups: &PlaceGroups) -> Vec<bool> {
        (0..groups.len())
            .into_par_iter()
            .with_min_len(1 << 10)
            .map_init(Memory::default, |memory, at| {
                if self.is_cancelled() {
                    return false;
                }
                self.monitor.advance(groups.group(at).len() as u64);
                self.passes(groups.group(at), memory)
            })
            .collect()
    }

    fn rows<'b>(&'b self, places: &'b [u32]) -> impl Iterator<Item = u32> + Clone + 'b {
        places.iter().map(|&place| self.sorted.row(place))
    }
}
