//! Whatever a method makes passes by the definition, for every principle that it takes.

use super::{Method, PRINCIPLES, World, methods};
use crate::dice::Dice;
use scumble_method::Coins;
use scumble_method::{Angel, Profile, Variant};
use scumble_table::{Error, Monitor};
use std::collections::{BTreeMap, BTreeSet};

/// Puts every method to random tables, each under one principle in turn, and tells how often each found groups for a principle.
fn judged(tables: u64, sizes: std::ops::RangeInclusive<usize>, seed: u64) -> BTreeMap<(String, usize), u32> {
    let mut found: BTreeMap<(String, usize), u32> = BTreeMap::new();
    let mut dice = Dice::new(seed);
    for table in 0..tables {
        let at = table as usize % PRINCIPLES.len();
        let (texts, round) = (PRINCIPLES[at], table / PRINCIPLES.len() as u64);
        let n = dice.between(*sizes.start(), *sizes.end());
        // Distances of missing values are a matter of their own.
        let world = World::random(&mut dice, n, round % 5 == 0 && !texts[0].starts_with("dissimilarity"));
        for method in methods() {
            // Walks on plateaus take long where there is no colouring.
            if matches!(method, Method::XColor(..)) && round % 8 != 0 {
                continue;
            }
            let most_suppressed = match method {
                Method::Mondrian(..) | Method::FullDomain | Method::XColor(..) if round % 3 == 0 => 2,
                _ => 0,
            };
            match world.partition(texts, method, seed + table, most_suppressed) {
                Ok(partition) => {
                    let fault = world.fault(texts, &partition, most_suppressed);
                    assert_eq!(fault, None, "{method:?}");
                    *found.entry((format!("{method:?}"), at)).or_default() += 1;
                }
                Err(Error::Bug { what }) => panic!("{method:?} {texts:?} {:?}: {what}", world.rows),
                Err(_) => {}
            }
        }
    }
    found
}

#[test]
fn what_is_made_of_small_tables_passes_by_definition() {
    let found = judged(4000, 3..=12, 1);
    // Every method is seen at work under each principle that it takes.
    for method in methods() {
        let name = format!("{method:?}");
        let served = (0..PRINCIPLES.len()).filter(|&at| found.contains_key(&(name.clone(), at))).count();
        let least = match method {
            Method::Proximity(..) => 4,
            Method::XColor(..) => 1,
            Method::Ke(_) => 2,
            _ => 12,
        };
        assert!(served >= least, "{name} found groups under {served} principles");
    }
}

#[test]
fn what_is_made_of_larger_tables_passes_by_definition() {
    let found = judged(150, 30..=80, 2);
    assert!(found.len() > 100, "{}", found.len());
}

#[test]
fn buckets_have_enough_people() {
    let mut dice = Dice::new(3);
    for _ in 0..600 {
        let n = dice.between(3, 60);
        let world = World::random(&mut dice, n, true);
        for variant in [Variant::Ours, Variant::Paper] {
            let k = dice.between(2, 5) as u64;
            let angel = Angel { k, variant, profile: Profile::Standard };
            let persons = world.rows.iter().map(|row| row.0).collect::<BTreeSet<u32>>().len() as u64;
            let coins = Coins::from_seed(dice.next());
            match angel.buckets(&world.table, &[0, 1], &coins, Monitor::silent()) {
                Ok(buckets) => {
                    for bucket in buckets.groups() {
                        let people: BTreeSet<u32> = bucket.iter().map(|&row| world.rows[row as usize].0).collect();
                        assert!(people.len() as u64 >= k, "{variant:?} {k} {:?}", world.rows);
                    }
                    assert_eq!(buckets.rows().len(), n);
                }
                Err(error) => assert!(persons < k || (n as u64) < k, "{variant:?}: {error}"),
            }
        }
    }
}
