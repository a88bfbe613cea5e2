//! Rows without a number. The optima are about numbers, so these rows come in afterwards: dealt over all
//! groups in proportion to their size, from a random point on, so that being without a number tells
//! nothing about the group. Another row never makes a group fail, since null counts as one more value.
//!
//! Where there are k - 1 different numbers only, null is the k-th value, and every group needs one: the
//! groups are then made for k - 1 and joined until there are no more of them than such rows.

use super::groups::PlaceGroups;
use crate::coins::Stream;

/// Joins neighbours until there are at most `most` groups, as even in their number as can be.
pub(super) fn joined(starts: &[u32], most: usize) -> Vec<u32> {
    let n = starts.len() - 1;
    if n <= most {
        return starts.to_vec();
    }
    (0..=most).map(|group| starts[group * n / most]).collect()
}

/// The groups with the first `n_null` places dealt to them, `each` to every group before the rest.
pub(super) fn dealt(groups: PlaceGroups, n_null: u32, each: u32, coins: &mut Stream) -> PlaceGroups {
    if n_null == 0 {
        return groups;
    }
    let numbers: u64 = (0..groups.len()).map(|at| groups.group(at).len() as u64).sum();
    let rest = u64::from(n_null).saturating_sub(u64::from(each) * groups.len() as u64);
    let offset = coins.below(numbers.max(1));
    let share = |rows: u64| (rows * rest + offset) / numbers.max(1);
    let mut items = Vec::with_capacity(n_null as usize + numbers as usize);
    let mut starts = vec![0];
    let (mut place, mut seen) = (0, 0u64);
    for at in 0..groups.len() {
        let group = groups.group(at);
        let until = seen + group.len() as u64;
        let more = place + each + (share(until) - share(seen)) as u32;
        items.extend(place..more);
        items.extend_from_slice(group);
        starts.push(items.len() as u32);
        (place, seen) = (more, until);
    }
    PlaceGroups::new(items, starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Coins, Purpose};

    #[test]
    fn shares_follow_sizes_and_nobody_is_forgotten() {
        let coins = Coins::from_seed(2);
        for n_null in [0, 1, 3, 10, 40] {
            for each in [0, 1] {
                if each * 3 > n_null {
                    continue;
                }
                let groups = PlaceGroups::contiguous(vec![0, 4, 5, 20], n_null);
                let dealt = dealt(groups, n_null, each, &mut coins.stream(Purpose::Groups, u64::from(n_null)));
                let mut all = dealt.together(0, 3);
                all.dedup();
                assert_eq!(all, (0..20 + n_null).collect::<Vec<_>>());
                let nulls = |at: usize| dealt.group(at).iter().filter(|&&place| place < n_null).count() as u32;
                for (at, size) in [4, 1, 15].into_iter().enumerate() {
                    let fair = each + (n_null - 3 * each) * size / 20;
                    assert!(nulls(at) >= fair.max(each) && nulls(at) <= fair + 1, "{n_null} {at} {}", nulls(at));
                }
            }
        }
    }

    #[test]
    fn neighbours_are_joined() {
        assert_eq!(joined(&[0, 2, 4, 6, 9, 12], 2), [0, 4, 12]);
        assert_eq!(joined(&[0, 2, 4], 5), [0, 2, 4]);
        assert_eq!(joined(&[0, 2, 4, 8], 1), [0, 8]);
    }
}
