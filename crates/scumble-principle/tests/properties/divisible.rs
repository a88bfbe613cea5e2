//! A group that can be divided is never called indivisible, and no group below the least size
//! passes.

use crate::world::{requirement, world};
use proptest::prelude::*;
use scumble_table::{Bag, Code};

/// All bags that are part of a bag.
fn parts(counts: &[(Code, u32)]) -> Vec<Vec<(Code, u32)>> {
    let Some((&(code, most), rest)) = counts.split_first() else { return vec![Vec::new()] };
    let smaller = parts(rest);
    (0..=most)
        .flat_map(|count| {
            smaller.iter().map(move |tail| std::iter::once((code, count)).chain(tail.iter().copied()).collect())
        })
        .collect()
}

fn bag(pairs: impl IntoIterator<Item = (Code, u32)>) -> Bag {
    let mut bag = Bag::default();
    bag.refill_sorted(pairs);
    bag
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_can_be_divided_is_divisible(world in world(1, 8), requirement in requirement()) {
        let test = world.bind(&requirement);
        let group = &world.groups[0];
        for part in parts(group.counts()) {
            let rest = bag(group.counts().iter().zip(&part).map(|(all, taken)| (all.0, all.1 - taken.1)));
            let part = bag(part);
            if test.holds(&part) {
                prop_assert!(part.size() >= test.least_size(), "{} passes {:?}", requirement, part);
                if test.holds(&rest) {
                    prop_assert!(test.divisible(group), "{} divides {:?}", requirement, group);
                }
            }
        }
    }
}
