//! What cliques prove, against every partition there is.

use super::graph::{Graph, rows};
use crate::dice::Dice;
use scumble_principle::dissimilarity::theory::{
    Classes, Clique, allowed, clique_share, heaviest_clique, smallest_ruled_out,
};
use scumble_principle::{Dissimilarity, Neighbours, Test};
use scumble_table::{Bag, Code, Decimal, Ratio};
use std::sync::Arc;

const DELTAS: [&str; 11] =
    ["0", "0.0001", "0.2", "0.3333", "0.34", "0.5", "0.6667", "0.8", "0.9", "0.999999999999999999999999999999", "1"];

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

/// Values with rows, and the graph of these rows: rows of one value are near each other.
fn weighted(dice: &mut Dice, n: usize) -> (Neighbours, Vec<u32>, Graph) {
    let mut value: Vec<usize> = vec![0];
    while value.len() < n {
        let last = value[value.len() - 1];
        value.push(last + usize::from(!dice.once_in(3)));
    }
    let n_values = value[n - 1] + 1;
    let most = dice.between(0, n_values);
    let values = Graph::random(dice, n_values, most);
    let near = |a: usize, b: usize| value[a] == value[b] || values.near[value[a]] >> value[b] & 1 == 1;
    let edges: Vec<(usize, usize)> =
        (0..n).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| near(a, b)).collect();
    let weights = (0..n_values).map(|v| value.iter().filter(|&&of| of == v).count() as u32).collect();
    (values.neighbours(), weights, Graph::new(n, &edges))
}

#[test]
fn what_is_ruled_out_no_partition_meets() {
    let (mut ruled_out, mut infeasible, mut feasible) = (0, 0, 0);
    for seed in 0..2500 {
        let mut dice = Dice::new(seed);
        let n = dice.between(2, 8);
        let (neighbours, weights, graph) = weighted(&mut dice, n);
        let degrees = neighbours.degrees(&weights);
        assert_eq!(degrees.iter().copied().max(), Some(graph.max_degree()));
        let clique = heaviest_clique(&neighbours, &weights, &degrees);
        let pairs = clique.values.iter().flat_map(|&a| clique.values.iter().map(move |&b| (a, b)));
        assert!(clique.is_clique(&neighbours) && pairs.clone().all(|(a, b)| neighbours.near(a, b)));
        assert_eq!(clique.rows, clique.values.iter().map(|&value| u64::from(weights[value as usize])).sum::<u64>());
        let largest = Clique { values: Vec::new(), rows: graph.largest_clique().count_ones().into() };
        assert!(clique.rows <= largest.rows && clique.rows > 0);
        let (neighbours, whole) = (Arc::new(neighbours), (0..).zip(weights.iter().copied()));
        let whole = Bag::from_codes(whole.flat_map(|(value, rows)| std::iter::repeat_n(value, rows as usize)));
        for delta in DELTAS.map(decimal) {
            let k = dice.between(1, 5) as u64;
            let possible = graph.is_feasible(k, delta);
            let ruled = largest.rules_out(n as u64, k, delta);
            assert!(!(possible && ruled), "seed {seed}: k {k}, delta {delta}, {graph:?}");
            let test =
                Dissimilarity::new(Decimal::ZERO, delta, k).unwrap().with_neighbours(neighbours.clone(), &weights);
            // Not said of all that is impossible, but of nothing that is possible.
            assert!(!possible || test.generalizable(&whole), "seed {seed}: k {k}, delta {delta}, {graph:?}");
            if 2 * k.max(2) > n as u64 {
                assert_eq!(test.generalizable(&whole), possible, "seed {seed}: one group, k {k}, delta {delta}");
            }
            ruled_out += usize::from(!test.generalizable(&whole));
            *(if possible { &mut feasible } else { &mut infeasible }) += 1;
        }
    }
    // The clique is no strong argument on small graphs, but a sound one.
    assert!(ruled_out * 3 > infeasible && feasible > 5000, "{ruled_out} of {infeasible}, {feasible}");
}

/// Groups of one value, or of values that are all near, meet no delta above 0.
#[test]
fn all_values_near_one_another() {
    for (n_values, rows) in [(1usize, 12u32), (4, 3), (12, 1)] {
        let neighbours = Arc::new(Neighbours::from_fn(n_values, |_, _| true));
        let weights = vec![rows; n_values];
        let whole = Bag::from_codes((0..n_values as Code).flat_map(|v| std::iter::repeat_n(v, rows as usize)));
        for k in [1, 2, 5, 12] {
            let test = |delta: &str| {
                Dissimilarity::new(Decimal::ZERO, decimal(delta), k)
                    .unwrap()
                    .with_neighbours(neighbours.clone(), &weights)
            };
            assert!(test("0").holds(&whole) && test("0").generalizable(&whole));
            for delta in ["0.0001", "0.5", "1"] {
                assert!(!test(delta).holds(&whole) && !test(delta).generalizable(&whole), "k {k}, delta {delta}");
            }
            assert_eq!((test("1").clique().rows, smallest_ruled_out(12, 12, k)), (12, Some(decimal("0.0001"))));
            assert_eq!(test("1").best(&whole).figure("delta"), Some("0"));
        }
    }
}

/// No values near one another but equal ones: every delta is met by groups of different values.
#[test]
fn no_values_near_one_another() {
    let neighbours = Arc::new(Neighbours::from_fn(8, |_, _| false));
    let whole = Bag::from_codes(0..8);
    let test = Dissimilarity::new(Decimal::ZERO, Decimal::from(1), 3).unwrap().with_neighbours(neighbours, &[1; 8]);
    assert!(test.holds(&whole) && test.generalizable(&whole) && test.divisible(&whole));
    assert_eq!((test.clique().rows, test.best(&whole).figure("delta")), (1, Some("1")));
    assert_eq!(smallest_ruled_out(1, 8, 3), None);
    // Values without rows take no part.
    let near = Arc::new(Neighbours::from_fn(4, |_, _| true));
    let test =
        Dissimilarity::new(Decimal::ZERO, Decimal::from(1), 2).unwrap().with_neighbours(near.clone(), &[3, 0, 0, 2]);
    assert_eq!((test.clique().values.as_slice(), test.clique().rows), ([0, 3].as_slice(), 5));
    assert_eq!(near.degrees(&[3, 0, 0, 2]), [4, 0, 0, 4]);
    assert_eq!(heaviest_clique(&near, &[0; 4], &[0; 4]), Clique::default());
}

/// The greatest share of a clique that groups of at least k hold, by looking at all sizes.
fn plain_share(k: u64, delta: Decimal, most: u64) -> Ratio {
    let share = |size: u64| Ratio::new(i128::from(allowed(size, delta)) + 1, size.into());
    (k.max(2)..=k + most).map(share).max().unwrap()
}

#[test]
fn the_share_of_a_clique_is_that_of_the_best_size() {
    let deltas = (0..=1000).map(|units| Decimal::new(units, 3));
    for delta in deltas.step_by(7).chain(DELTAS.map(decimal)).chain([decimal("0.001"), decimal("0.999")]) {
        for k in [1, 2, 3, 6, 7, 10, 11, 20, 21, 31, 100, 999] {
            let (share, plain) = (clique_share(k, delta), plain_share(k, delta, 2000));
            // Of deltas of four and more digits the best size may be beyond.
            match delta.scale() <= 3 {
                true => assert_eq!(share, plain, "k {k}, delta {delta}"),
                false => assert!(share >= plain, "k {k}, delta {delta}"),
            }
            // No more than groups of that size allow: 1 - delta (1 - 1 / k).
            let simple = 1.0 - delta.to_f64() * (1.0 - 1.0 / k.max(2) as f64);
            assert!(share.to_f64() <= simple + 1e-12, "k {k}, delta {delta}");
        }
    }
    for (k, delta) in [(2, "0.0001"), (7, "0.0003"), (10, "0.1234"), (50, "0.8001"), (10, "0.9999")] {
        assert_eq!(clique_share(k, decimal(delta)), plain_share(k, decimal(delta), 20_000), "{delta}");
    }
    // More digits than can be looked at: the simple bound, or nothing.
    let fine = decimal("0.000000000000000000000000000001");
    assert!(clique_share(2, fine) < Ratio::new(1, 1) && clique_share(u64::MAX, fine) <= Ratio::new(1, 1));
    assert_eq!(
        (clique_share(0, Decimal::from(1)), clique_share(9, Decimal::ZERO)),
        (Ratio::new(1, 2), Ratio::new(1, 1))
    );
}

#[test]
fn the_smallest_delta_ruled_out_is_the_smallest() {
    for seed in 0..1500 {
        let mut dice = Dice::new(seed);
        let most = if dice.once_in(2) { 50 } else { 500_000 };
        let n = dice.between(2, most) as u64;
        let (rows, k) = (1 + dice.below(n as usize) as u64, dice.between(1, 30) as u64);
        let clique = Clique { values: Vec::new(), rows };
        let Some(delta) = smallest_ruled_out(rows, n, k) else {
            assert!(!clique.rules_out(n, k, Decimal::from(1)), "seed {seed}");
            continue;
        };
        assert!(clique.rules_out(n, k, delta) && delta > Decimal::ZERO, "seed {seed}: {delta}");
        let units = delta.at_scale(4).unwrap();
        assert!(!clique.rules_out(n, k, Decimal::new(units - 1, 4)), "seed {seed}: {delta}");
        // What is ruled out stays so for greater deltas, and what is not for smaller ones.
        for _ in 0..20 {
            let other = dice.between(0, 10_000) as i128;
            assert_eq!(clique.rules_out(n, k, Decimal::new(other, 4)), other >= units, "seed {seed}: {other}");
        }
    }
    // Classes of ten hold 5,000 rows of a clique at a delta of 0.9, and groups of eleven 9,090.
    let (clique, delta) = (Clique { values: Vec::new(), rows: 7533 }, decimal("0.9"));
    assert!(clique.rows > Classes::new(50_000, 10).unwrap().capacity(delta) && !clique.rules_out(50_000, 10, delta));
    assert!(Clique { rows: 9091, ..clique }.rules_out(50_000, 10, delta));
    assert_eq!((smallest_ruled_out(0, 10, 2), smallest_ruled_out(0, 0, 2)), (None, None));
}

/// A graph with more values than bits are kept for: a clique of the same rows is found among lists.
#[test]
fn cliques_among_many_values() {
    let n = 20_000;
    // Windows of a hundred, on which values from 7,000 to 7,300 lie closer together.
    let place = |value: Code| match value {
        0..7000 => u64::from(value) * 10,
        7000..7300 => 70_000 + u64::from(value - 7000),
        _ => 70_300 + u64::from(value - 7300) * 10,
    };
    let neighbours = Neighbours::from_fn(n, move |a, b| place(a).abs_diff(place(b)) <= 100);
    let weights = vec![1u32; n];
    let degrees = neighbours.degrees(&weights);
    assert_eq!(neighbours.kept(), "lists");
    let clique = heaviest_clique(&neighbours, &weights, &degrees);
    assert!(clique.is_clique(&neighbours));
    let window = |from: Code| (from..n as Code).take_while(|&to| place(to) - place(from) <= 100).count() as u64;
    assert_eq!(clique.rows, (0..n as Code).map(window).max().unwrap());
}

#[test]
fn rows_of_a_set() {
    assert_eq!(rows(0b1011).collect::<Vec<_>>(), [0, 1, 3]);
    let square = Graph::new(4, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]);
    assert_eq!((square.largest_clique().count_ones(), square.max_degree()), (3, 3));
    assert!(square.is_feasible(2, Decimal::ZERO) && !square.is_feasible(2, Decimal::from(1)));
}
