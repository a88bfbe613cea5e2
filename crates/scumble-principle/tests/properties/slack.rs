//! By how many rows a group passes: the sign says whether it does, and a row counts for one at most.

use crate::monotone::runner;
use crate::world::{kinds, world};
use proptest::prelude::*;
use scumble_table::{Bag, Code};
use std::cell::RefCell;
use std::collections::BTreeSet;

fn rows(bag: &Bag) -> Vec<Code> {
    bag.counts().iter().flat_map(|&(code, count)| std::iter::repeat_n(code, count as usize)).collect()
}

#[test]
fn slack_tells_whether_a_group_passes_and_moves_by_one_row() {
    let known = RefCell::new(BTreeSet::new());
    for kind in kinds() {
        let result =
            runner(3000).run(&(world(2, 8), kind.requirements, 0usize..8, 0usize..8), |(world, asked, i, j)| {
                let test = world.bind(&asked);
                let (one, two) = (rows(&world.groups[0]), rows(&world.groups[1]));
                let Some(slack) = test.slack(&world.groups[0]) else { return Ok(()) };
                known.borrow_mut().insert(kind.principle);
                prop_assert_eq!(slack >= 0, test.holds(&world.groups[0]), "{}: {}", asked, slack);
                // One of the rows exchanges its value with a row outside.
                let mut other = one.clone();
                other[i % one.len()] = two[j % two.len()];
                let other = Bag::from_codes(other);
                let moved = test.slack(&other).unwrap();
                prop_assert_eq!(moved >= 0, test.holds(&other), "{}: {}", asked, moved);
                prop_assert!(moved.max(-1).abs_diff(slack.max(-1)) <= 1, "{}: {} and {}", asked, slack, moved);
                Ok(())
            });
        assert!(result.is_ok(), "{}: {}", kind.principle, result.unwrap_err());
    }
    assert_eq!(
        known.into_inner().into_iter().collect::<Vec<_>>(),
        [
            "alpha-k-anonymity",
            "beta-likeness",
            "delta-disclosure",
            "distinct-l-diversity",
            "frequency-l-diversity",
            "ke-anonymity",
            "proximity-window",
            "t-closeness"
        ]
    );
}
