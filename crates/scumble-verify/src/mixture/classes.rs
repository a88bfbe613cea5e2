//! People of equal exact quasi-identifiers, and the groups that they are in.

use crate::Synthesis;
use scumble_table::{GroupedRows, rows_by_group};

/// Classes of people who cannot be told apart, with their groups.
pub(super) struct Classes {
    /// The groups of each class with how many of its people are in them, rising.
    groups: Synthesis,
    /// Classes of group `g` that are in other groups too: `shared[shared_starts[g]..shared_starts[g + 1]]`.
    shared_starts: Vec<u32>,
    shared: Vec<u32>,
}

impl Classes {
    /// From the class and the group of each person.
    pub(super) fn new(class_of: &[u32], n_classes: usize, group_of: &[u32], n_groups: usize) -> Self {
        let groups = Synthesis::new(n_classes, class_of, group_of);
        let (mut group_of_pair, mut class_of_pair) = (Vec::new(), Vec::new());
        for (class, parts) in (0..).zip((0..n_classes).map(|class| groups.of_bucket(class))) {
            if parts.len() > 1 {
                group_of_pair.extend(parts.iter().map(|(group, _)| *group));
                class_of_pair.resize(group_of_pair.len(), class);
            }
        }
        let GroupedRows { starts: shared_starts, rows } = rows_by_group(&group_of_pair, n_groups);
        let shared = rows.into_iter().map(|pair| class_of_pair[pair as usize]).collect();
        Classes { groups, shared_starts, shared }
    }

    pub(super) fn len(&self) -> usize {
        self.groups.n_buckets()
    }

    /// The groups of a class, with how many of its people are in each.
    pub(super) fn groups(&self, class: u32) -> &[(u32, u32)] {
        self.groups.of_bucket(class as usize)
    }

    /// The classes of a group that are in other groups too.
    pub(super) fn shared(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.shared[self.shared_starts[group] as usize..self.shared_starts[group + 1] as usize]
    }
}
