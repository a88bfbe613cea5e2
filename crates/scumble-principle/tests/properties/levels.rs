//! Every level that is reported holds for every group.

use crate::naive;
use crate::world::world;
use proptest::prelude::*;
use scumble_principle::{levels, worse};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn levels_hold_for_every_group(world in world(4, 9)) {
        let found = levels(&world.domain, &world.whole, world.groups.iter());
        prop_assert_eq!(found.len(), 13);
        for level in found {
            match level.requirement {
                Some(requirement) => {
                    prop_assert_eq!(requirement.name(), level.principle);
                    let test = world.bind(&requirement);
                    for group in &world.groups {
                        prop_assert!(test.holds(group), "{}", requirement);
                        prop_assert!(naive::holds(&requirement, &world.domain, &world.whole, group), "{}", requirement);
                    }
                    // The worst group attains no more than the level says, but for two measures at once.
                    let worst = world.groups.iter().map(|group| test.attained(group)).reduce(worse).unwrap();
                    if !matches!(level.principle, "alpha-k-anonymity" | "ke-anonymity") {
                        prop_assert_eq!(worst.figures, level.figures);
                    }
                }
                None => prop_assert!(matches!(level.principle, "recursive-l-diversity" | "delta-disclosure")),
            }
        }
    }
}
