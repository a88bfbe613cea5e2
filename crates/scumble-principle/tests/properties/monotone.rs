//! The union of two passing groups passes, where a principle says so; and can be divided again anyway. Where it does
//! not say so, there are groups that show why.

use crate::world::{World, kinds, requirement, world};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use scumble_principle::{
    Attained, BoundRequirements, Dissimilarity, Group, Neighbours, Requirement, Test, catalogue, entry,
};
use scumble_table::{Attribute, Bag, Decimal, Domain, Role, Schema};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What was asked, or, where one of these groups does not meet that, the nearest that all of them meet, which some of
/// them meet just so. `None` where nothing is asked by that, as another group of the world meets it too.
pub(crate) fn met(asked: &Requirement, world: &World, groups: &[Bag], other: &Bag) -> Option<Requirement> {
    let test = world.bind(asked);
    let common = groups.iter().map(|group| test.attained(group)).reduce(Attained::common)?;
    let met = match groups.iter().all(|group| test.holds(group)) {
        true => asked.clone(),
        false => asked.principle().nearest(&common)?.parse().unwrap(),
    };
    (!world.bind(&met).holds(other)).then_some(met)
}

/// A runner of this many cases, not counting those that are rejected.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let config = ProptestConfig::with_cases(cases);
    TestRunner::new(ProptestConfig { failure_persistence: None, max_global_rejects: 200 * cases, ..config })
}

#[test]
fn every_principle_is_tried_here() {
    for entry in catalogue() {
        assert_eq!(
            !["dissimilarity", "k-map", "delta-presence"].contains(&entry.name),
            kinds().iter().any(|kind| kind.principle == entry.name),
            "{}",
            entry.name
        );
    }
}

/// For each monotone principle by itself, on pairs that pass what another group fails.
#[test]
fn the_union_of_passing_groups_passes() {
    for kind in kinds().into_iter().filter(|kind| entry(kind.principle).unwrap().monotone) {
        let result = runner(2000).run(&(world(3, 8), kind.requirements), |(world, asked)| {
            let [a, b, other] = &world.groups[..] else { unreachable!() };
            let requirement = met(&asked, &world, &world.groups[..2], other);
            prop_assume!(requirement.is_some());
            let requirement = requirement.unwrap();
            let test = world.bind(&requirement);
            prop_assert!(test.monotone() && test.holds(a) && test.holds(b), "{} -> {}", asked, requirement);
            prop_assert!(test.holds(&a.union(b)), "{}", requirement);
            Ok(())
        });
        assert!(result.is_ok(), "{}: {}", kind.principle, result.unwrap_err());
    }
}

/// With any rows added, and as rows of a table that has no others.
#[test]
fn some_groups_pass_with_whatever_is_added() {
    let kept = RefCell::new(BTreeSet::new());
    for kind in kinds() {
        let result = runner(2000).run(&(world(3, 8), kind.requirements), |(world, asked)| {
            let [a, other, fails] = &world.groups[..] else { unreachable!() };
            let requirement = met(&asked, &world, &world.groups[..1], fails);
            prop_assume!(requirement.is_some());
            let requirement = requirement.unwrap();
            if world.bind(&requirement).superset_closed() {
                let more = a.union(other);
                let elsewhere = requirement.principle().bind(&world.domain, &more).unwrap();
                prop_assert!(world.bind(&requirement).holds(&more) && elsewhere.holds(&more), "{}", requirement);
                kept.borrow_mut().insert(kind.principle);
            }
            Ok(())
        });
        assert!(result.is_ok(), "{}: {}", kind.principle, result.unwrap_err());
    }
    assert_eq!(
        kept.into_inner().into_iter().collect::<Vec<_>>(),
        ["distinct-l-diversity", "k-anonymity", "ke-anonymity"]
    );
}

/// 40 and 60, 50 and 80 are far enough apart, and among all four 50 lies near 40 and 60.
#[test]
fn proximity_and_dissimilarity_do_not_survive_a_union() {
    let domain = Domain::numbers([40, 50, 60, 80].map(Decimal::from).to_vec()).unwrap();
    let (a, b) = (Bag::from_codes([1, 3]), Bag::from_codes([2, 4]));
    let union = a.union(&b);
    let mut shown = vec!["dissimilarity"];
    for text in ["proximity-absolute(15, 2)", "proximity-relative(0.3, 2)", "proximity-interval(10, 15, 2)"] {
        let requirement: Requirement = text.parse().unwrap();
        let test = requirement.principle().bind(&domain, &union).unwrap();
        assert!(test.holds(&a) && test.holds(&b) && !test.holds(&union) && !test.monotone(), "{text}");
        shown.push(requirement.name());
    }
    // Dissimilarity takes a distance, here the difference.
    let numbers = [40u32, 50, 60, 80];
    let neighbours =
        Neighbours::from_fn(5, move |x, y| x > 0 && numbers[y as usize - 1].abs_diff(numbers[x as usize - 1]) <= 15);
    let asked = Dissimilarity::new(Decimal::from(15), Decimal::parse("0.5").unwrap(), 2).unwrap();
    let test = asked.with_neighbours(Arc::new(neighbours), &[0, 1, 1, 1, 1]);
    assert!(test.holds(&a) && test.holds(&b) && !test.holds(&union) && !test.monotone());
    // Boxes against a population are tried in `population`.
    let others = catalogue().into_iter().filter(|entry| !entry.monotone && entry.name != "delta-presence");
    assert!(others.map(|entry| entry.name).all(|name| shown.contains(&name)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8000))]

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
