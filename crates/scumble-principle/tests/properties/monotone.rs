//! The union of two passing groups passes, where a principle says so; and can be divided again anyway.

use crate::world::{requirement, world};
use proptest::prelude::*;
use scumble_principle::{BoundRequirements, Group};
use scumble_table::{Attribute, Bag, Role, Schema};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8000))]

    #[test]
    fn union_keeps_every_monotone_principle(world in world(2, 8), requirement in requirement()) {
        let test = world.bind(&requirement);
        let [a, b] = &world.groups[..] else { unreachable!() };
        if test.monotone() && test.holds(a) && test.holds(b) {
            prop_assert!(test.holds(&a.union(b)), "{}", requirement);
        }
    }

    #[test]
    fn union_keeps_them_together(world in world(2, 8), requirements in proptest::collection::vec(requirement(), 1..4)) {
        let column = Attribute { name: "x".into(), role: Role::Sensitive, domain: world.domain.clone() };
        let schema = Schema::new(vec![column]).unwrap();
        let bound = BoundRequirements::bind(&requirements, &schema, |_| world.whole.clone()).unwrap();
        let [a, b] = &world.groups[..] else { unreachable!() };
        let holds = |bag: &Bag| bound.holds(Group { size: bag.size(), bags: std::slice::from_ref(bag) });
        let one_by_one = requirements.iter().all(|requirement| world.bind(requirement).holds(a));
        prop_assert_eq!(holds(a), one_by_one);
        if holds(a) && holds(b) {
            let union = a.union(b);
            prop_assert!(holds(&union) || !bound.monotone());
            let group = Group { size: union.size(), bags: std::slice::from_ref(&union) };
            prop_assert!(bound.divisible(group) && bound.generalizable(group));
        }
    }
}
