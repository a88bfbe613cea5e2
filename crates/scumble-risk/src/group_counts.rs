//! How often each value occurs in each group or batch.

use scumble_release::SUPPRESSED;
use scumble_table::Code;

/// The values of groups with their counts.
pub(crate) struct GroupCounts {
    starts: Vec<u32>,
    /// Values with their counts, groups end to end, values rising in each.
    values: Vec<(Code, u32)>,
    /// Members of each group.
    pub(crate) sizes: Vec<u32>,
}

impl GroupCounts {
    /// From the group of each member, or [`SUPPRESSED`], and its value.
    pub(crate) fn new(member_group: &[u32], values: impl Iterator<Item = Code>, n_groups: usize) -> Self {
        let members = member_group.iter().copied().zip(values);
        let mut members: Vec<(u32, Code)> = members.filter(|(group, _)| *group != SUPPRESSED).collect();
        members.sort_unstable();
        let mut groups = GroupCounts { starts: vec![0], values: Vec::new(), sizes: vec![0; n_groups] };
        for run in members.chunk_by(|a, b| a == b) {
            let (group, code) = run[0];
            groups.starts.resize(group as usize + 1, groups.values.len() as u32);
            groups.values.push((code, run.len() as u32));
            groups.sizes[group as usize] += run.len() as u32;
        }
        groups.starts.resize(n_groups + 1, groups.values.len() as u32);
        groups
    }

    /// The values of a group with their counts.
    pub(crate) fn values(&self, group: u32) -> &[(Code, u32)] {
        let group = group as usize;
        &self.values[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// How often a value occurs in a group.
    pub(crate) fn count(&self, group: u32, value: Code) -> u32 {
        let values = self.values(group);
        values.binary_search_by_key(&value, |pair| pair.0).map_or(0, |at| values[at].1)
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
    use scumble_table::Codes;

    #[test]
    fn values_are_counted_group_by_group() {
        let codes: Codes = [2u32, 1, 2, 0, 1, 9].into_iter().collect();
        let groups = GroupCounts::new(&[0, 2, 0, 2, 2, SUPPRESSED], codes.iter(), 4);
        assert_eq!(groups.sizes, [2, 0, 3, 0]);
        assert_eq!(groups.values(0), [(2, 2)]);
        assert!(groups.values(1).is_empty() && groups.values(3).is_empty());
        assert_eq!(groups.values(2), [(0, 1), (1, 2)]);
        assert_eq!(groups.histogram(3), [1, 2, 2]);
    }
}
