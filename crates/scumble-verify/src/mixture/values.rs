//! The sensitive values of groups, side by side.

use rayon::prelude::*;
use scumble_table::{Bag, Code};

/// Groups read together by one core.
const RUN: usize = 1 << 11;

/// How often each value occurs in each group, for one test.
#[derive(Debug)]
pub struct GroupValues {
    /// The values of group `g` are `values[starts[g]..starts[g + 1]]`, rising.
    starts: Vec<usize>,
    values: Vec<(Code, u32)>,
    sizes: Vec<u32>,
}

impl GroupValues {
    /// Reads every group into a bag.
    pub fn read(n_groups: usize, fill: impl Fn(usize, &mut Bag) + Sync) -> Self {
        type Part = (Vec<usize>, Vec<(Code, u32)>, Vec<u32>);
        let parts: Vec<Part> = (0..n_groups)
            .into_par_iter()
            .step_by(RUN)
            .map(|from| {
                let (mut bag, mut part) = (Bag::default(), Part::default());
                for group in from..(from + RUN).min(n_groups) {
                    fill(group, &mut bag);
                    part.0.push(bag.distinct());
                    part.1.extend_from_slice(bag.counts());
                    part.2.push(bag.size() as u32);
                }
                part
            })
            .collect();
        let mut all = GroupValues { starts: vec![0], values: Vec::new(), sizes: Vec::with_capacity(n_groups) };
        for (distinct, values, sizes) in parts {
            for n in distinct {
                all.starts.push(all.starts[all.starts.len() - 1] + n);
            }
            all.values.extend(values);
            all.sizes.extend(sizes);
        }
        all
    }

    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.sizes.len()
    }

    /// The values of a group with their counts, rising.
    #[inline]
    pub(super) fn values(&self, group: u32) -> &[(Code, u32)] {
        &self.values[self.starts[group as usize]..self.starts[group as usize + 1]]
    }

    /// Rows of a group.
    #[inline]
    pub(super) fn size(&self, group: u32) -> u32 {
        self.sizes[group as usize]
    }
}
