//! What is found, beside what there is: every partition of tables of up to seven rows.

use super::{Method, World};
use crate::dice::Dice;
use scumble_method::ke_permutation::Rule;
use scumble_method::{Angel, Profile, Variant};
use std::collections::BTreeMap;

/// Calls `each` with every partition of `n` rows, until one will do.
fn some_partition(n: usize, each: &mut dyn FnMut(&[Vec<u32>]) -> bool) -> bool {
    fn place(row: usize, n: usize, groups: &mut Vec<Vec<u32>>, each: &mut dyn FnMut(&[Vec<u32>]) -> bool) -> bool {
        if row == n {
            return each(groups);
        }
        for at in 0..groups.len() {
            groups[at].push(row as u32);
            if place(row + 1, n, groups, each) {
                return true;
            }
            groups[at].pop();
        }
        groups.push(vec![row as u32]);
        let found = place(row + 1, n, groups, each);
        groups.pop();
        found
    }
    place(0, n, &mut Vec::new(), each)
}

/// How many tables can be divided, and how many of those a method divides.
fn found_of_possible(method: Method, texts: &[&str], tables: u64, seed: u64) -> (u32, u32) {
    let mut dice = Dice::new(seed);
    let (mut possible, mut found) = (0, 0);
    for table in 0..tables {
        let n = dice.between(2, 7);
        let world = World::random(&mut dice, n, false);
        if !world.table.persons().unwrap().repeat() {
            continue;
        }
        let all: Vec<u32> = (0..n as u32).collect();
        let made = world.partition(texts, method, table, 0).is_ok();
        let exists =
            made || some_partition(n, &mut |groups| groups.iter().all(|group| world.passes(texts, group, &all)));
        possible += u32::from(exists);
        found += u32::from(made);
    }
    (possible, found)
}

#[test]
fn runs_of_numbers_are_found_wherever_there_is_a_partition() {
    for rule in Rule::ALL {
        for texts in [&["ke-anonymity(2, 2)"][..], &["ke-anonymity(3, 1)"], &["ke-anonymity(2, 0)", "k-anonymity(3)"]] {
            let (possible, found) = found_of_possible(Method::Ke(rule), texts, 400, 5);
            assert!(possible > 40, "{possible}");
            assert_eq!(found, possible, "{rule} {texts:?}");
        }
    }
}

/// Batches into which nobody comes twice are found exactly where nobody and no value has too many rows; other batches are
/// sought, and most are found.
#[test]
fn batches_are_found_wherever_nobody_has_too_many_rows() {
    let mut dice = Dice::new(8);
    let mut guaranteed = 0;
    for round in 0..1500 {
        let n = dice.between(2, 30);
        let world = World::random(&mut dice, n, true);
        let l = dice.between(2, 4);
        let most = |labels: &mut dyn Iterator<Item = i64>| {
            let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
            labels.for_each(|label| *counts.entry(label).or_default() += 1);
            counts.into_values().max().unwrap_or(0)
        };
        let fullest = most(&mut world.rows.iter().map(|row| i64::from(row.0)))
            .max(most(&mut world.rows.iter().map(|row| row.1.unwrap_or(-1))));
        for profile in super::PROFILES {
            let angel = Method::Angel(Angel { k: 1, variant: Variant::Ours, profile });
            for text in [format!("frequency-l-diversity({l})"), format!("distinct-l-diversity({l})")] {
                let made = world.partition(&[&text], angel, round, 0);
                if fullest * l <= n {
                    assert!(made.is_ok(), "{text} {:?}: {}", world.rows, made.unwrap_err());
                    guaranteed += 1;
                }
            }
        }
    }
    assert!(guaranteed > 300, "{guaranteed}");
}

/// Searches may miss what there is. This bounds by how much, so that nobody makes them worse unseen.
#[test]
#[allow(clippy::print_stdout, reason = "tells how many are missed")]
fn searches_find_most_of_what_there_is() {
    let angel = |profile| Method::Angel(Angel { k: 1, variant: Variant::Ours, profile });
    let proximity = |profile| Method::Proximity(Variant::Ours, profile);
    let xcolor = |profile| Method::XColor(Variant::Ours, profile);
    let (standard, hardened, best) = (Profile::Standard, Profile::Hardened, Profile::MaxUtility);
    let mut missed = Vec::new();
    for (method, texts, least) in [
        (angel(standard), &["frequency-l-diversity(2)"][..], 85),
        (angel(best), &["frequency-l-diversity(2)"], 85),
        (angel(hardened), &["distinct-l-diversity(2)"], 85),
        (angel(standard), &["entropy-l-diversity(2)"], 90),
        (proximity(standard), &["proximity-absolute(1, 2)"], 75),
        (proximity(hardened), &["proximity-absolute(1, 2)"], 75),
        (proximity(best), &["proximity-relative(0.3, 2)"], 75),
        (xcolor(standard), &["dissimilarity(0.2, 0.5, 2)"], 75),
        (xcolor(best), &["dissimilarity(0.2, 0.5, 2)"], 75),
    ] {
        let (possible, found) = found_of_possible(method, texts, 500, 9);
        println!("{method:?} {texts:?}: {found} of {possible}");
        if possible < 30 || 100 * found < least * possible {
            missed.push(format!("{method:?} {texts:?}: {found} of {possible}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
