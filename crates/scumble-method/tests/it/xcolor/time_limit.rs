//! A search ends when its time is over.

use super::threads::large;
use super::world::{WAYS, World, report};
use crate::dice::Dice;
use std::time::{Duration, Instant};

#[test]
fn no_time_finds_nothing_and_takes_none() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed ^ 0x71);
        let n = dice.between(2, 30);
        let world = World::random(&mut dice, n);
        let asked = world.asked(&mut dice);
        if asked.least() > n as u64 {
            continue;
        }
        for way in WAYS {
            let left_out = dice.below(n);
            let found = world.partition(&[asked.text()], way, seed, left_out, Some(Duration::ZERO));
            let error = found.expect_err("there was no time");
            report(&error);
            assert!(error.to_string().contains("the time was over"), "{error}");
        }
    }
}

#[test]
fn a_short_time_is_kept_on_a_large_table() {
    let world = large(30_000);
    let texts = ["dissimilarity(0.3, 0.95, 25)".to_string()];
    for way in WAYS {
        for limit in [0, 30] {
            let start = Instant::now();
            let found = world.partition(&texts, way, 1, 0, Some(Duration::from_millis(limit)));
            let error = found.expect_err("this takes longer");
            assert!(report(&error).len() > 5 && error.to_string().contains("the time was over"), "{way:?}: {error}");
            assert!(start.elapsed() < Duration::from_secs(20), "{way:?}: {:?}", start.elapsed());
        }
    }
}

#[test]
fn a_limit_beyond_all_clocks_is_none() {
    let world = World::random(&mut Dice::new(1), 8);
    assert!(world.partition(&["dissimilarity(0, 0, 2)".into()], WAYS[2], 1, 0, Some(Duration::MAX)).is_ok());
}
