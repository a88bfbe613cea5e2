//! Either groups of which every one passes, or a failure with its report.

use super::world::{HARDENED, PAPER, STANDARD, WAYS, World, is_whole, passes, report};
use crate::dice::Dice;
use scumble_principle::dissimilarity::theory::Classes;
use scumble_table::Partition;

/// Sizes of the groups, rising.
fn sizes(partition: &Partition) -> Vec<u64> {
    let mut sizes: Vec<u64> = partition.groups().map(|group| group.len() as u64).collect();
    sizes.sort_unstable();
    sizes
}

/// True if classes of an equitable colouring, some of them joined, have these sizes.
fn are_joined(sizes: &[u64], n: u64, least: u64) -> bool {
    (1..=n / least).any(|count| {
        let size = n / count;
        let larger = u64::from(!n.is_multiple_of(count));
        sizes.iter().all(|&joined| joined / size * (size + larger) >= joined && joined >= size)
    })
}

#[test]
fn every_group_passes_or_the_failure_says_what_was_reached() {
    let (mut solved, mut unsolved) = ([0; 4], [0; 4]);
    for seed in 0..2500 {
        let mut dice = Dice::new(seed);
        let n = if dice.once_in(10) { dice.between(20, 60) } else { dice.between(2, 20) };
        let world = World::random(&mut dice, n);
        let asked = world.asked(&mut dice);
        if asked.least() > n as u64 {
            continue;
        }
        let (texts, near) = ([asked.text()], world.near(asked.epsilon));
        let bound = world.bind(&texts, None).unwrap();
        for (at, way) in WAYS.into_iter().enumerate() {
            let about = || format!("seed {seed}, {way:?}, n {n}, {asked:?}: {:?}", world.measured);
            let partition = match world.partition(&texts, way, seed, 0, None) {
                Ok(partition) => partition,
                Err(error) => {
                    report(&error);
                    unsolved[at] += 1;
                    continue;
                }
            };
            solved[at] += 1;
            assert!(is_whole(&partition, n) && partition.n_suppressed() == 0, "{}", about());
            for group in partition.groups() {
                assert!(world.holds(&bound, group) && passes(&near, asked, group), "{}", about());
            }
            let sizes = sizes(&partition);
            assert!(sizes[0] >= asked.least(), "{}", about());
            match way {
                PAPER => {
                    let mut expected: Vec<u64> = Classes::new(n as u64, asked.k).unwrap().sizes().collect();
                    expected.reverse();
                    assert_eq!(sizes, expected, "{}", about());
                }
                HARDENED | STANDARD => {
                    assert!(are_joined(&sizes, n as u64, asked.least()), "{sizes:?} {}", about());
                }
                // Joined classes may have given rows away.
                _ => assert!(sizes.len() as u64 <= n as u64 / asked.least()),
            }
        }
    }
    assert!(solved.iter().all(|&n| n > 1000) && unsolved.iter().all(|&n| n > 200), "{solved:?} {unsolved:?}");
}
