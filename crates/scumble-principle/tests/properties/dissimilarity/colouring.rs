//! Lemma 2 and Theorem 3 of paper 2 on random graphs, with the exchange as it is printed.

use super::graph::{Graph, rows};
use crate::dice::Dice;
use scumble_principle::dissimilarity::theory::{Classes, allowed};
use scumble_table::{Decimal, Ratio};

const DELTAS: [&str; 12] = ["0", "0.1", "0.3", "0.34", "0.5", "0.6", "0.66", "0.75", "0.8", "0.9", "0.99", "1"];

/// Classes of given sizes, filled at random.
fn random_classes(dice: &mut Dice, classes: Classes) -> Vec<u32> {
    let n = classes.sizes().sum::<u64>() as usize;
    let mut order: Vec<usize> = (0..n).collect();
    (1..n).rev().for_each(|at| order.swap(at, dice.below(at + 1)));
    let mut order = order.into_iter();
    classes.sizes().map(|size| order.by_ref().take(size as usize).fold(0, |class, row| class | 1 << row)).collect()
}

/// Every exchange of a row with another that Definition 15 allows: the other's class is movable (it has at most t
/// neighbours of the row), and the number of edges within classes falls.
fn exchanges(graph: &Graph, classes: &[u32], at: usize, row: usize, t: impl Fn(u32) -> u64) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let movable = classes.iter().enumerate().filter(|&(to, &class)| to != at && graph.within(row, class) <= t(class));
    for (to, &class) in movable {
        for other in rows(class) {
            let within = |row: usize, class: u32| graph.within(row, class) as i64;
            let adjacent = i64::from(graph.near[row] >> other & 1);
            let change = within(row, class) - within(row, classes[at]) + within(other, classes[at])
                - within(other, class)
                - 2 * adjacent;
            if change < 0 {
                found.push((to, other));
            }
        }
    }
    found
}

/// Exchanges until no row has more neighbours than its class allows; the rows that have too many and cannot be exchanged,
/// where there are some.
fn exchange(dice: &mut Dice, graph: &Graph, classes: &mut [u32], t: impl Fn(u32) -> u64) -> Result<(), Vec<usize>> {
    loop {
        let mut open = Vec::new();
        for at in 0..classes.len() {
            let violations = rows(classes[at]).filter(|&row| graph.within(row, classes[at]) > t(classes[at]));
            open.extend(violations.map(|row| (at, row, exchanges(graph, classes, at, row, &t))));
        }
        if open.is_empty() {
            return Ok(());
        }
        let stuck: Vec<usize> = open.iter().filter(|one| one.2.is_empty()).map(|one| one.1).collect();
        if !stuck.is_empty() {
            return Err(stuck);
        }
        let (at, row, possible) = dice.pick(&open);
        let &(to, other) = dice.pick(possible);
        let pair = 1 << row | 1 << other;
        classes[*at] ^= pair;
        classes[to] ^= pair;
    }
}

/// A table's size, its classes and a delta.
fn draw(dice: &mut Dice) -> (usize, Classes, Decimal) {
    loop {
        let (n, k) = (dice.between(2, 24), dice.between(1, 7) as u64);
        if let Some(classes) = Classes::new(n as u64, k) {
            return (n, classes, Decimal::parse(DELTAS[dice.below(DELTAS.len())]).unwrap());
        }
    }
}

/// Lemma 2: up to the guaranteed degree every row with too many neighbours can be exchanged, from any colouring, so that
/// exchanges end in classes that all pass.
#[test]
fn paper2_lemma2_up_to_the_guaranteed_degree_exchanges_end_well() {
    let (mut exchanged, mut mixed) = (0, 0);
    for seed in 0..6000 {
        let mut dice = Dice::new(seed);
        let (n, classes, delta) = draw(&mut dice);
        let most = classes.guaranteed_degree(delta);
        let graph = Graph::random(&mut dice, n, most as usize);
        for _ in 0..3 {
            let mut colouring = random_classes(&mut dice, classes);
            exchanged += usize::from(colouring.iter().any(|&class| !graph.passes(class, classes.size, delta)));
            let end = exchange(&mut dice, &graph, &mut colouring, |class| allowed(class.count_ones().into(), delta));
            assert_eq!(end, Ok(()), "seed {seed}: {classes:?}, delta {delta}, {graph:?}, {colouring:?}");
            assert!(colouring.iter().all(|&class| graph.passes(class, classes.size, delta)), "seed {seed}");
        }
        mixed += usize::from(classes.larger > 0);
        if n <= 9 {
            let t = allowed(classes.size, delta);
            assert!(
                delta == Decimal::ZERO || graph.is_colourable(&classes.sizes().collect::<Vec<_>>(), t),
                "seed {seed}"
            );
            assert!(graph.is_feasible(classes.size, delta), "seed {seed}");
        }
    }
    assert!(exchanged > 4000 && mixed > 1500, "{exchanged} {mixed}");
}

/// One more than the guaranteed degree may be too many: of two triangles no two colours make proper classes of three.
#[test]
fn beyond_the_guaranteed_degree_there_may_be_no_colouring() {
    let triangles = Graph::new(6, &[(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]);
    let classes = Classes::new(6, 3).unwrap();
    assert_eq!((classes.guaranteed_degree(Decimal::from(1)), triangles.max_degree()), (1, 2));
    assert!(!triangles.is_colourable(&[3, 3], 0) && triangles.is_colourable(&[3, 3], 1));
    let stuck = exchange(&mut Dice::new(1), &triangles, &mut [0b001_011, 0b110_100], |_| 0);
    assert!(stuck.is_err());
}

/// Where classes have two sizes, 2Θ < m(t + 1) is what is guaranteed. There is no counterexample to
/// 2Θ = m(t + 1): if v has more than t neighbours in V and no exchange, then the rows of all movable classes together
/// have at least s(m(t + 1) - Θ) edges into V without v, which are at most s rows for classes of s and s + 1; and these
/// have t + 1 more edges to v itself. So sΘ >= s(m(t + 1) - Θ) + t + 1, so 2Θ > m(t + 1).
#[test]
fn two_sizes_have_no_counterexample_where_the_strict_bound_ends() {
    let (mut tried, mut seed) = (0, 0);
    while tried < 4000 {
        seed += 1;
        let mut dice = Dice::new(seed);
        let (n, classes, delta) = draw(&mut dice);
        let t = allowed(classes.size, delta);
        let twice = classes.count * (t + 1);
        if delta == Decimal::ZERO || classes.larger == 0 || classes.count < 2 || !twice.is_multiple_of(2) {
            continue;
        }
        assert_eq!(classes.guaranteed_degree(delta), twice / 2 - 1);
        let graph = Graph::random(&mut dice, n, twice as usize / 2);
        if graph.max_degree() != twice / 2 {
            continue;
        }
        tried += 1;
        let mut colouring = random_classes(&mut dice, classes);
        assert_eq!(exchange(&mut dice, &graph, &mut colouring, |_| t), Ok(()), "seed {seed}: {classes:?}, {graph:?}");
    }
}

/// Theorem 3, with the ceiling it lacks: m classes of one size in which no row has more than ceil(2Θ / m) - 1 neighbours.
#[test]
fn paper2_theorem3_the_degree_of_classes() {
    for seed in 0..4000 {
        let mut dice = Dice::new(seed);
        let (size, m) = (dice.between(2, 6) as u64, dice.between(1, 4) as u64);
        let most = dice.between(1, 8);
        let graph = Graph::random(&mut dice, (size * m) as usize, most);
        let degree = graph.max_degree();
        if degree == 0 {
            continue;
        }
        let t = (2 * degree).div_ceil(m) - 1;
        let classes = Classes::new(size * m, size).unwrap();
        assert_eq!((classes.count, classes.size, classes.larger), (m, size, 0));
        let mut colouring = random_classes(&mut dice, classes);
        assert_eq!(exchange(&mut dice, &graph, &mut colouring, |_| t), Ok(()), "seed {seed}: {graph:?}");
        // The delta that goes with it is no more than what is told, which may use a finer bound.
        let far = (size - 1).saturating_sub(t);
        let told = classes.guaranteed_delta(degree);
        assert!(told >= Ratio::new(far.into(), i128::from(size - 1)), "seed {seed}: {told}");
        // And what is told is so: its t is reached too.
        let t = (size - 1) - (told.numer() * i128::from(size - 1) / told.denom()) as u64;
        let mut colouring = random_classes(&mut dice, classes);
        assert_eq!(exchange(&mut dice, &graph, &mut colouring, |_| t), Ok(()), "seed {seed}: {graph:?}, told {told}");
    }
}

/// The two ways to ask agree: a delta is guaranteed for a degree exactly if the degree is guaranteed for the delta.
#[test]
fn guaranteed_delta_and_degree_agree() {
    for seed in 0..3000 {
        let mut dice = Dice::new(seed);
        let (_, classes, _) = draw(&mut dice);
        let classes =
            if dice.once_in(2) { classes } else { Classes::new(dice.next() >> 30, 1 << dice.below(9)).unwrap() };
        let n: u64 = classes.count * classes.size + classes.larger;
        let degree = (dice.next() >> (20 + dice.below(44))).min(n - 1);
        let told = classes.guaranteed_delta(degree);
        assert!(told >= Ratio::new(0, 1) && told <= Ratio::new(1, 1));
        let units = told.numer() * 10_000 / told.denom();
        for units in [0, 1, units - 1, units, units + 1, units + 2, 9_999, 10_000] {
            let delta = Decimal::new(units.clamp(0, 10_000), 4);
            let guaranteed = classes.guaranteed_degree(delta) >= degree;
            assert_eq!(guaranteed, Ratio::from(delta) <= told, "seed {seed}: {classes:?}, {degree}, {delta}, {told}");
        }
    }
}

#[test]
fn classes_of_every_remainder() {
    for n in 0..60u64 {
        for k in 0..70 {
            let least = k.max(2);
            let Some(classes) = Classes::new(n, k) else {
                assert!(n < least);
                continue;
            };
            let sizes: Vec<u64> = classes.sizes().collect();
            assert_eq!((sizes.len() as u64, sizes.iter().sum::<u64>()), (n / least, n));
            assert!(sizes.iter().all(|&size| size >= least && (size == classes.size || size == classes.size + 1)));
            assert_eq!(sizes.iter().filter(|&&size| size > classes.size).count() as u64, classes.larger);
            // More than half of the rows in a group leave room for one.
            assert_eq!(classes.count == 1, 2 * least > n);
            for delta in DELTAS.map(|text| Decimal::parse(text).unwrap()) {
                let held: u64 = sizes.iter().map(|&size| allowed(size, delta) + 1).sum();
                assert_eq!(classes.capacity(delta), held);
            }
            assert_eq!((classes.capacity(Decimal::ZERO), classes.capacity(Decimal::from(1))), (n, classes.count));
        }
    }
    // Sizes of 6 and 7 do not make 11.
    assert_eq!(Classes::new(11, 6).unwrap().sizes().collect::<Vec<_>>(), [11]);
    // One class passes exactly if no row has more neighbours than it allows.
    let half = Decimal::parse("0.5").unwrap();
    assert_eq!((Classes::new(11, 6).unwrap().guaranteed_degree(half), allowed(11, half)), (5, 5));
    // Inequality 4 promises 0.14 n here.
    let classes = Classes::new(1000, 10).unwrap();
    assert_eq!(classes.guaranteed_degree(Decimal::parse("0.8").unwrap()), 105);
    // Where all of a class may be near one another there is no degree too many.
    assert_eq!(Classes::new(u64::MAX, 2).unwrap().guaranteed_degree(Decimal::ZERO), u64::MAX - 1);
    assert_eq!(Classes::new(u64::MAX, 3).unwrap().guaranteed_degree(Decimal::from(1)), (u64::MAX - 1) / 5);
}
