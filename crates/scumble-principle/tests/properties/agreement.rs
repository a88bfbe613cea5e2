//! Fast tests against slow definitions.

use crate::naive;
use crate::world::{requirement, world};
use proptest::prelude::*;
use scumble_principle::{BetaLikeness, DeltaDisclosure, Ground, RecursiveLDiversity, Requirement, TCloseness};
use scumble_table::{Bag, Decimal, Domain};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn every_test_agrees_with_its_definition(world in world(1, 14), requirement in requirement()) {
        let (test, group) = (world.bind(&requirement), &world.groups[0]);
        let slow = naive::holds(&requirement, &world.domain, &world.whole, group);
        prop_assert_eq!(test.holds(group), slow, "{}", requirement);
        if slow {
            prop_assert!(group.size() >= test.least_size(), "{}", requirement);
        }
        prop_assert!(!test.holds(&Bag::default()));
        prop_assert_eq!(test.monotone(), requirement.entry().monotone);
        if test.monotone() {
            prop_assert_eq!(test.generalizable(group), slow, "{}", requirement);
        }
    }

    #[test]
    fn figures_are_attained_and_next_to_the_truth(world in world(1, 14), requirement in requirement()) {
        let (test, group) = (world.bind(&requirement), &world.groups[0]);
        let attained = test.attained(group);
        match requirement.principle().nearest(&attained) {
            Some(notation) => {
                let nearest: Requirement = notation.parse().unwrap();
                prop_assert!(naive::holds(&nearest, &world.domain, &world.whole, group), "{} -> {}", requirement, nearest);
                // Asking for no more than the data has changes nothing but the rounding.
                if !naive::holds(&requirement, &world.domain, &world.whole, group) {
                    prop_assert_ne!(nearest, requirement);
                }
            }
            // A value that does not occur is infinitely far from its share.
            None => prop_assert!(requirement.is::<RecursiveLDiversity>() || requirement.is::<DeltaDisclosure>()),
        }
    }

    #[test]
    fn a_better_score_never_fails_where_a_worse_one_passes(world in world(2, 10), requirement in requirement()) {
        // Two independent measures do not order groups, and the score of the entropy is a float's.
        let two_measures = requirement.get::<BetaLikeness>().is_some_and(|asked| asked.gain().is_enhanced());
        if two_measures || matches!(requirement.name(), "alpha-k-anonymity" | "ke-anonymity" | "entropy-l-diversity") {
            return Ok(());
        }
        let test = world.bind(&requirement);
        let (a, b) = (&world.groups[0], &world.groups[1]);
        let (score_a, score_b) = (test.attained(a).score, test.attained(b).score);
        if score_a <= score_b && test.holds(a) {
            prop_assert!(test.holds(b), "{}", requirement);
        }
        if score_b <= score_a && test.holds(b) {
            prop_assert!(test.holds(a), "{}", requirement);
        }
    }

    #[test]
    fn large_numbers_vary_as_small_ones_do(
        numbers in proptest::collection::vec((any::<i64>(), 1u32..2_000_000_000), 1..6), shift in any::<u64>(), widen in 0u32..60,
    ) {
        let domain = Domain::numbers(
            numbers.iter().map(|&(x, _)| Decimal::new((i128::from(x) + i128::from(shift)) << widen, 0)).collect()
        ).unwrap();
        let mut counts = vec![0u64; domain.n_codes()];
        for (&(_, count), code) in numbers.iter().zip(domain.codes()) {
            counts[code as usize] = u64::from(count);
        }
        let bag = Bag::from_histogram(&counts);
        let requirement: Requirement = "variance(1e37)".parse().unwrap();
        let test = requirement.principle().bind(&domain, &bag).unwrap();
        let figure = test.attained(&bag).figure("variance").unwrap().to_string();
        // The same by the textbook formula in whole numbers of any length.
        let pairs: Vec<(num_bigint::BigInt, u64)> =
            domain.codes().map(|c| (domain.amount(c).unwrap().into(), counts[c as usize])).filter(|p| p.1 > 0).collect();
        let n: u64 = bag.size();
        let sum: num_bigint::BigInt = pairs.iter().map(|(x, c)| x * c).sum();
        let squares: num_bigint::BigInt = pairs.iter().map(|(x, c)| x * x * c).sum();
        let numer = squares * n - &sum * &sum;
        let floor = &numer / (num_bigint::BigInt::from(n) * n);
        prop_assert_eq!(figure.split('.').next().unwrap(), floor.to_string());
        let asked = num_bigint::BigInt::from(10).pow(37);
        prop_assert_eq!(test.holds(&bag), numer >= asked * n * n);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_distance_is_that_of_the_transport_problem(world in world(1, 12), at in 0usize..3) {
        let ground = Ground::ALL[at];
        let naive::Exact(numer, denom) = naive::earth_mover(&world.domain, &world.whole, &world.groups[0], ground);
        let test = TCloseness::new(Decimal::from(1), ground).unwrap();
        let bound = world.bind(&Requirement::new(test));
        let figure = Decimal::parse(bound.attained(&world.groups[0]).figure("t").unwrap()).unwrap();
        // The figure is rounded up by less than one unit of its last place.
        let unit = num_bigint::BigInt::from(10).pow(30);
        let shown = num_bigint::BigInt::from(figure.at_scale(30).unwrap());
        prop_assert!(&shown * &denom >= &numer * &unit);
        prop_assert!((shown - num_bigint::BigInt::from(10).pow(26)) * denom < numer * unit);
    }

    #[test]
    fn ordered_agrees_on_long_columns(
        whole in proptest::collection::vec(0u64..4, 1..400), picks in proptest::collection::vec((0usize..400, 1u32..4), 1..12),
    ) {
        let domain = Domain::numbers((0..whole.len() as i64 - 1).map(Decimal::from).collect()).unwrap();
        let whole = Bag::from_histogram(&whole);
        prop_assume!(whole.size() > 0);
        let mut histogram = vec![0u64; domain.n_codes()];
        for (at, count) in picks {
            let (code, most) = whole.counts()[at % whole.distinct()];
            histogram[code as usize] = u64::from(count.min(most));
        }
        let group = Bag::from_histogram(&histogram);
        let test: Requirement = "t-closeness(1, ordered)".parse().unwrap();
        let attained = test.principle().bind(&domain, &whole).unwrap().attained(&group);
        // The definition: cumulated differences, place by place.
        let (n, total) = (group.size() as f64, whole.size() as f64);
        let (mut have, mut all, mut sum) = (0.0, 0.0, 0.0);
        for &(code, count) in whole.counts() {
            have += f64::from(group.count(code)) / n;
            all += f64::from(count) / total;
            sum += f64::abs(have - all);
        }
        let distance = sum / (whole.distinct() as f64 - 1.0).max(1.0);
        let figure: f64 = attained.figure("t").unwrap().parse().unwrap();
        prop_assert!(figure >= distance - 1e-9 && figure <= distance + 1.01e-4, "{figure} {distance}");
    }
}
