//! Rows gathered by the number of their group.

/// Rows, group by group.
///
/// Group `g` has the rows `rows[starts[g]..starts[g + 1]]`, which rise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupedRows {
    /// Where each group starts in `rows`, closed by their number.
    pub starts: Vec<u32>,
    /// Row numbers.
    pub rows: Vec<u32>,
}

impl GroupedRows {
    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows of a group.
    pub fn group(&self, group_idx: usize) -> &[u32] {
        &self.rows[self.starts[group_idx] as usize..self.starts[group_idx + 1] as usize]
    }

    /// All groups in order.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &[u32]> + '_ {
        (0..self.n_groups()).map(|group| self.group(group))
    }
}

/// Gathers rows by group with a counting sort, in O(rows + groups). Rows whose group is `n_groups` or more are left
/// out: that is how a suppressed row is marked.
pub fn rows_by_group(row_group: &[u32], n_groups: usize) -> GroupedRows {
    let mut starts = vec![0u32; n_groups + 1];
    for &group in row_group {
        if (group as usize) < n_groups {
            starts[group as usize + 1] += 1;
        }
    }
    for group in 0..n_groups {
        starts[group + 1] += starts[group];
    }
    let mut next = starts.clone();
    let mut rows = vec![0u32; starts[n_groups] as usize];
    for (row, &group) in (0..).zip(row_group) {
        if (group as usize) < n_groups {
            rows[next[group as usize] as usize] = row;
            next[group as usize] += 1;
        }
    }
    GroupedRows { starts, rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_rise_inside_their_groups() {
        let grouped = rows_by_group(&[2, 0, 2, 1, 0, u32::MAX, 2], 4);
        assert_eq!(grouped.groups().collect::<Vec<_>>(), [&[1, 4][..], &[3], &[0, 2, 6], &[]]);
        assert_eq!((grouped.n_groups(), grouped.starts), (4, vec![0, 2, 3, 6, 6]));
    }

    #[test]
    fn nothing_is_in_no_group() {
        let empty = GroupedRows { starts: vec![0], rows: vec![] };
        assert_eq!(rows_by_group(&[], 0), empty);
        assert_eq!(rows_by_group(&[0, u32::MAX], 0), empty);
        assert_eq!(rows_by_group(&[], 2).groups().collect::<Vec<_>>(), [&[][..], &[]]);
    }
}
