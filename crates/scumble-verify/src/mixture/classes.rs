//! People of equal exact quasi-identifiers, and the groups that they are in.

use scumble_release::SUPPRESSED;

/// Classes of people who cannot be told apart, with their groups.
pub(super) struct Classes {
    /// Groups of class `c` with how many of its people are in them: `groups[starts[c]..starts[c + 1]]`, rising.
    starts: Vec<usize>,
    groups: Vec<(u32, u32)>,
    /// Classes of group `g` that are in other groups too: `shared[shared_starts[g]..shared_starts[g + 1]]`.
    shared_starts: Vec<usize>,
    shared: Vec<u32>,
}

impl Classes {
    /// From the class and the group of each person.
    pub(super) fn new(class_of: &[u32], n_classes: usize, group_of: &[u32], n_groups: usize) -> Self {
        let people = class_of.iter().zip(group_of).filter(|pair| *pair.1 != SUPPRESSED);
        let mut pairs: Vec<(u32, u32)> = people.map(|(&class, &group)| (class, group)).collect();
        pairs.sort_unstable();
        let mut classes = Classes {
            starts: Vec::with_capacity(n_classes + 1),
            groups: Vec::new(),
            shared_starts: vec![0; n_groups + 1],
            shared: Vec::new(),
        };
        let mut of_class = pairs.chunk_by(|a, b| a == b).peekable();
        for class in 0..n_classes as u32 {
            classes.starts.push(classes.groups.len());
            while let Some(same) = of_class.next_if(|same| same[0].0 == class) {
                classes.groups.push((same[0].1, same.len() as u32));
            }
        }
        classes.starts.push(classes.groups.len());
        let mut shared: Vec<(u32, u32)> = Vec::new();
        for class in 0..n_classes as u32 {
            let groups = classes.groups(class);
            if groups.len() > 1 {
                shared.extend(groups.iter().map(|&(group, _)| (group, class)));
            }
        }
        shared.sort_unstable();
        for &(group, _) in &shared {
            classes.shared_starts[group as usize + 1] += 1;
        }
        for group in 0..n_groups {
            classes.shared_starts[group + 1] += classes.shared_starts[group];
        }
        classes.shared = shared.into_iter().map(|pair| pair.1).collect();
        classes
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The groups of a class, with how many of its people are in each.
    pub(super) fn groups(&self, class: u32) -> &[(u32, u32)] {
        &self.groups[self.starts[class as usize]..self.starts[class as usize + 1]]
    }

    /// The classes of a group that are in other groups too.
    pub(super) fn shared(&self, group: u32) -> &[u32] {
        &self.shared[self.shared_starts[group as usize]..self.shared_starts[group as usize + 1]]
    }
}
