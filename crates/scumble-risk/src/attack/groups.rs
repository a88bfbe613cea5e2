//! The sensitive values of groups, or batches, whose people share them.

use scumble_release::SUPPRESSED;
use scumble_table::{Code, Codes};

/// How often each value occurs in each group.
pub(crate) struct Groups {
    starts: Vec<u32>,
    /// Values with their counts, groups end to end, values rising in each.
    values: Vec<(Code, u32)>,
    sizes: Vec<u32>,
}

impl Groups {
    /// From the group of each place and its value.
    pub(crate) fn of(place_group: &[u32], codes: &Codes, n_groups: usize) -> Self {
        let places = place_group.iter().enumerate().filter(|(_, group)| **group != SUPPRESSED);
        let mut places: Vec<(u32, Code)> = places.map(|(place, &group)| (group, codes.get(place))).collect();
        places.sort_unstable();
        let mut groups = Groups { starts: vec![0], values: Vec::new(), sizes: vec![0; n_groups] };
        for run in places.chunk_by(|a, b| a == b) {
            let (group, code) = run[0];
            groups.starts.resize(group as usize + 1, groups.values.len() as u32);
            groups.values.push((code, run.len() as u32));
            groups.sizes[group as usize] += run.len() as u32;
        }
        groups.starts.resize(n_groups + 1, groups.values.len() as u32);
        groups
    }

    /// People of each group.
    pub(crate) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The values of a group with their counts.
    pub(crate) fn values(&self, group: usize) -> &[(Code, u32)] {
        &self.values[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// How often each code occurs in all groups.
    pub(crate) fn histogram(&self, n_codes: usize) -> Vec<u64> {
        let mut counts = vec![0u64; n_codes];
        self.values.iter().for_each(|&(code, n)| counts[code as usize] += u64::from(n));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_group_by_group() {
        let codes: Codes = [2u32, 1, 2, 0, 1, 9].into_iter().collect();
        let groups = Groups::of(&[0, 2, 0, 2, 2, SUPPRESSED], &codes, 4);
        assert_eq!(groups.sizes(), [2, 0, 3, 0]);
        assert_eq!(groups.values(0), [(2, 2)]);
        assert!(groups.values(1).is_empty() && groups.values(3).is_empty());
        assert_eq!(groups.values(2), [(0, 1), (1, 2)]);
        assert_eq!(groups.histogram(3), [1, 2, 2]);
    }
}
