//! Other requirements together with a dissimilarity: all of them hold for every group that is found.

use super::world::{Asked, MAX_UTILITY, STANDARD, WAYS, World, is_whole, passes, report};
use crate::dice::Dice;
use scumble_table::{Code, Decimal, NULL};
use std::collections::BTreeSet;

/// What may be asked together with it. Numbers are those of the first column, where it has some.
const OTHERS: [&[&str]; 11] = [
    &["k-anonymity(4)"],
    &["k-anonymity(7)", "distinct-l-diversity(2)"],
    &["distinct-l-diversity(2)"],
    &["c0: distinct-l-diversity(3)"],
    &["frequency-l-diversity(1.5)"],
    &["c0: frequency-l-diversity(2)", "k-anonymity(3)"],
    &["t-closeness(0.5)"],
    &["c0: t-closeness(0.3)", "distinct-l-diversity(2)"],
    &["dissimilarity(0.05, 0.6, 3)"],
    &["dissimilarity(0.5, 0.2, 2)", "dissimilarity(0, 0.7, 1)", "frequency-l-diversity(1.2)"],
    &["c0: proximity-absolute(1, 2)"],
];

/// Distinct values of a column in a group, and the rows of the most common one.
fn counted(world: &World, column: usize, rows: &[u32]) -> (usize, usize) {
    let codes: Vec<Code> = rows.iter().map(|&row| world.measured.rows[row as usize][column]).collect();
    let distinct: BTreeSet<Code> = codes.iter().copied().collect();
    let top = distinct.iter().map(|code| codes.iter().filter(|known| *known == code).count()).max();
    (distinct.len(), top.unwrap_or(0))
}

#[test]
fn all_requirements_hold() {
    let mut solved = [0; OTHERS.len()];
    for seed in 0..2000 {
        let mut dice = Dice::new(seed ^ 0xBE);
        let n = dice.between(6, 40);
        let world = World::random(&mut dice, n);
        let mut asked = world.asked(&mut dice);
        asked.k = asked.k.min(5);
        // Few tables have numbers that can be kept apart.
        let which = if dice.once_in(3) { OTHERS.len() - 1 } else { dice.below(OTHERS.len()) };
        let mut texts: Vec<String> = OTHERS[which].iter().map(|text| text.to_string()).collect();
        texts.insert(dice.below(texts.len() + 1), asked.text());
        // Proximity is about numbers, and not about missing ones; labels have no order.
        let proximity = texts.iter().any(|text| text.contains("proximity"));
        if proximity && world.measured.rows.iter().any(|row| row[0] == NULL) {
            continue;
        }
        let Ok(bound) = world.bind(&texts, None) else { continue };
        if bound.least_size() > n as u64 {
            continue;
        }
        let near = world.near(asked.epsilon);
        for way in WAYS {
            let about = || format!("seed {seed}, {way:?}, n {n}, {texts:?}: {:?}", world.measured);
            let partition = match world.partition(&texts, way, seed, 0, None) {
                Ok(partition) => partition,
                Err(error) => {
                    report(&error);
                    continue;
                }
            };
            solved[which] += usize::from(way == STANDARD);
            assert!(is_whole(&partition, n), "{}", about());
            for group in partition.groups() {
                assert!(world.holds(&bound, group) && passes(&near, asked, group), "{}", about());
                let (columns, size) = (0..world.measured.domains.len(), group.len());
                let each = |test: &dyn Fn(usize, usize) -> bool| {
                    columns.clone().all(|column| {
                        let (distinct, top) = counted(&world, column, group);
                        test(distinct, top)
                    })
                };
                let naive = match which {
                    0 => size >= 4,
                    1 => size >= 7 && each(&|distinct, _| distinct >= 2),
                    2 => each(&|distinct, _| distinct >= 2),
                    3 => counted(&world, 0, group).0 >= 3,
                    4 => each(&|_, top| top * 3 <= size * 2),
                    5 => size >= 3 && counted(&world, 0, group).1 * 2 <= size,
                    _ => true,
                };
                assert!(naive, "{}", about());
            }
        }
    }
    assert!(solved.iter().all(|&count| count > 3), "{solved:?}");
}

/// The second is stricter in one way and looser in the other, so neither follows from the one that classes are made for.
#[test]
fn two_dissimilarities_hold_by_definition() {
    let mut solved = 0;
    for seed in 0..1200 {
        let mut dice = Dice::new(seed ^ 0xD2);
        let n = dice.between(6, 30);
        let world = World::random(&mut dice, n);
        let one = Asked { k: dice.between(1, 4) as u64, ..world.asked(&mut dice) };
        let two = Asked { k: dice.between(1, 4) as u64, delta: Decimal::new(4, 1), ..world.asked(&mut dice) };
        let nears = [world.near(one.epsilon), world.near(two.epsilon)];
        for way in [STANDARD, MAX_UTILITY] {
            let Ok(partition) = world.partition(&[one.text(), two.text()], way, seed, 0, None) else { continue };
            solved += 1;
            for group in partition.groups() {
                assert!(passes(&nears[0], one, group) && passes(&nears[1], two, group), "seed {seed} {one:?} {two:?}");
            }
        }
    }
    assert!(solved > 300, "{solved}");
}
