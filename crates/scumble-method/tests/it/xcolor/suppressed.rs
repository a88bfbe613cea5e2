//! Rows may be left out where they stand in the way; everything is judged on what is left.

use super::initialize::labels;
use super::world::{HARDENED, MAX_UTILITY, STANDARD, WAYS, World, passes, report};
use crate::dice::Dice;

/// Four of nine rows have one value, and a group holds a third of one at most: 30 of 180 must go.
#[test]
fn no_more_rows_go_than_stand_in_the_way() {
    let counts: Vec<usize> = [80].into_iter().chain([5; 20]).collect();
    let world = labels(&counts);
    let texts = ["dissimilarity(0, 0.8, 5)".to_string()];
    for way in [HARDENED, STANDARD, MAX_UTILITY] {
        for seed in 0..3 {
            let partition = world.partition(&texts, way, seed, 36, None).unwrap_or_else(|error| panic!("{error}"));
            assert!((30..=36).contains(&partition.n_suppressed()), "{way:?} {}", partition.n_suppressed());
            assert!(world.partition(&texts, way, seed, 29, None).is_err());
        }
    }
}

#[test]
fn what_is_left_passes_by_its_own_ranks() {
    let (mut helped, mut left_out, mut failed) = (0, 0, 0);
    for seed in 0..1000 {
        let mut dice = Dice::new(seed ^ 0x5E);
        let n = dice.between(3, 30);
        let mut world = World::random(&mut dice, n);
        let asked = world.asked(&mut dice);
        if asked.least() > n as u64 {
            continue;
        }
        let mut texts = vec![asked.text()];
        if dice.once_in(4) {
            texts.push(["k-anonymity(3)", "distinct-l-diversity(2)", "t-closeness(0.6)"][dice.below(3)].into());
        }
        if world.bind(&texts, None).unwrap().least_size() > n as u64 {
            continue;
        }
        let most = dice.between(1, n);
        for way in WAYS {
            world.measured.published = vec![true; n];
            let about = |world: &World| format!("seed {seed}, {way:?}, n {n}, {texts:?}, {most}: {:?}", world.measured);
            let partition = match world.partition(&texts, way, seed, most, None) {
                Ok(partition) => partition,
                Err(error) => {
                    report(&error);
                    failed += 1;
                    continue;
                }
            };
            let mut rows: Vec<u32> = partition.groups().flatten().copied().collect();
            rows.sort_unstable();
            let count = rows.len();
            rows.dedup();
            assert!(rows.len() == count && count > 0, "{}", about(&world));
            assert_eq!(n - count, partition.n_suppressed());
            assert!(n - count <= most, "{}", about(&world));
            let bound = world.bind(&texts, Some(&rows)).unwrap();
            (0..n).for_each(|row| world.measured.published[row] = rows.contains(&(row as u32)));
            let near = world.near(asked.epsilon);
            for group in partition.groups() {
                assert!(world.holds(&bound, group) && passes(&near, asked, group), "{}", about(&world));
            }
            left_out += usize::from(count < n);
            // No row is left out in vain.
            world.measured.published = vec![true; n];
            let all = world.partition(&texts, way, seed, 0, None);
            assert!(all.is_err() || count == n, "{}", about(&world));
            helped += usize::from(all.is_err() && way == STANDARD);
        }
    }
    assert!(helped > 40 && left_out > 120 && failed > 120, "{helped} {left_out} {failed}");
}
