//! Theorem 1 of paper 4: whatever rational weights an attacker gives to batches that pass, the mixture of their
//! distributions passes, for every monotone principle.

use crate::monotone::{met, runner};
use crate::world::{kinds, world};
use proptest::prelude::*;
use scumble_principle::{Requirement, entry};
use scumble_table::{Bag, Code, Decimal, Domain};

/// A weight in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weight {
    alpha: u64,
    beta: u64,
}

/// Weights in these proportions that sum to 1; one of the proportions is above 0.
pub(crate) fn weights(proportions: &[u64]) -> Vec<Weight> {
    let sum: u64 = proportions.iter().sum();
    let reduced = |part: u64| Weight { alpha: part / gcd(part, sum), beta: sum / gcd(part, sum) };
    proportions.iter().map(|&part| reduced(part)).collect()
}

/// The multiset of the theorem's proof: `alpha_i * (beta / beta_i) * (c / |S_i|)` copies of batch i, where beta is the
/// least common multiple of the `beta_i` and c that of the sizes. Its distribution is the mixture.
pub(crate) fn mixture(weights: &[Weight], batches: &[Bag]) -> Bag {
    let beta = weights.iter().fold(1, |all, weight| lcm(all, weight.beta));
    let c = batches.iter().fold(1, |all, batch| lcm(all, batch.size()));
    let copies = |weight: &Weight, batch: &Bag| weight.alpha * (beta / weight.beta) * (c / batch.size());
    let mixed = weights.iter().zip(batches).fold(Bag::default(), |all, (weight, batch)| {
        all.union(&times(batch, u32::try_from(copies(weight, batch)).unwrap()))
    });
    assert_eq!(mixed.size(), beta * c, "weights sum to 1");
    mixed
}

/// A number of copies of a bag together.
fn times(bag: &Bag, copies: u32) -> Bag {
    let mut many = Bag::default();
    many.refill_sorted(bag.counts().iter().map(|&(code, count)| (code, count * copies)));
    many
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: u64, b: u64) -> u64 {
    a / gcd(a, b) * b
}

#[test]
fn mixtures_of_passing_batches_pass() {
    for kind in kinds().into_iter().filter(|kind| entry(kind.principle).unwrap().monotone) {
        let proportions = proptest::collection::vec(0u64..6, 3).prop_filter("a weight", |p| p[..2] != [0, 0]);
        let strategy = (world(4, 8), 2usize..=3, proportions, kind.requirements);
        let result = runner(2000).run(&strategy, |(world, n_batches, proportions, asked)| {
            let (batches, proportions) = (&world.groups[..n_batches], &proportions[..n_batches]);
            let requirement = met(&asked, &world, batches, &world.groups[3]);
            prop_assume!(requirement.is_some());
            let requirement = requirement.unwrap();
            let test = world.bind(&requirement);
            prop_assert!(batches.iter().all(|batch| test.holds(batch)), "{}", requirement);
            let mixed = mixture(&weights(proportions), batches);
            // Closeness is to a distribution, and takes no group with more rows than there are: that many copies of the
            // whole have the same one, and room for the mixture.
            let whole = times(&world.whole, mixed.size() as u32);
            let test = requirement.principle().bind(&world.domain, &whole).unwrap();
            prop_assert!(batches.iter().all(|batch| test.holds(batch)), "{}", requirement);
            prop_assert!(test.holds(&mixed), "{} {:?}", requirement, proportions);
            // Equation 6, computed the short way.
            let sum: u64 = proportions.iter().sum();
            for code in 0..world.domain.n_codes() as Code {
                let share = |bag: &Bag| f64::from(bag.count(code)) / bag.size() as f64;
                let parts = batches.iter().zip(proportions).map(|(batch, &part)| part as f64 * share(batch));
                prop_assert!((share(&mixed) - parts.sum::<f64>() / sum as f64).abs() < 1e-12);
            }
            Ok(())
        });
        assert!(result.is_ok(), "{}: {}", kind.principle, result.unwrap_err());
    }
}

#[test]
fn without_monotonicity_a_mixture_may_fail() {
    let domain = Domain::numbers([40, 50, 60, 80].map(Decimal::from).to_vec()).unwrap();
    let batches = [Bag::from_codes([1, 3]), Bag::from_codes([2, 4])];
    let mixed = mixture(&weights(&[1, 1]), &batches);
    let requirement: Requirement = "proximity-absolute(15, 2)".parse().unwrap();
    let test = requirement.principle().bind(&domain, &mixed).unwrap();
    assert!(batches.iter().all(|batch| test.holds(batch)) && !test.holds(&mixed));
}

/// Thirds and halves of batches of 2 and 3 rows: 6 is the least number of rows that shows both.
#[test]
fn copies_are_those_of_the_proof() {
    assert_eq!(weights(&[2, 4, 0]), [(1, 3), (2, 3), (0, 1)].map(|(alpha, beta)| Weight { alpha, beta }));
    let mixed = mixture(&weights(&[1, 2]), &[Bag::from_codes([1, 2]), Bag::from_codes([2, 2, 3])]);
    // 1 * (3 / 3) * (6 / 2) = 3 copies of the first and 2 * (3 / 3) * (6 / 3) = 4 of the second.
    assert_eq!(mixed.counts(), [(1, 3), (2, 11), (3, 4)]);
}
