//! What is guaranteed or disproved, compared with what an exhaustive search finds on small random graphs.

use super::super::standing::{GroupSizeOutlook, Nearness, Status, units_below};
use proptest::prelude::*;
use scumble_principle::Neighbours;
use scumble_principle::dissimilarity::theory::allowed;
use scumble_table::Decimal;

/// Rows of a graph, each with its neighbours as bits.
struct Rows {
    n: usize,
    near: Vec<u32>,
}

impl Rows {
    /// Whether a set of rows, as bits, may be a group.
    fn passes(&self, set: u32, delta: Decimal) -> bool {
        let most = allowed(set.count_ones().into(), delta);
        (0..self.n).filter(|&row| set >> row & 1 == 1).all(|row| {
            let near = (self.near[row] & set & !(1 << row)).count_ones();
            u64::from(near) <= most
        })
    }

    /// For each set of rows the numbers of groups that it can be divided into, as bits.
    fn divisions(&self, delta: Decimal, size: impl Fn(u64) -> bool) -> Vec<u32> {
        let mut found = vec![0u32; 1 << self.n];
        found[0] = 1;
        for set in 1..1u32 << self.n {
            // The group of the first row is some subset that has it.
            let rest = set & (set - 1);
            let mut others = rest;
            loop {
                let group = set ^ others;
                if size(group.count_ones().into()) && found[others as usize] != 0 && self.passes(group, delta) {
                    found[set as usize] |= found[others as usize] << 1;
                }
                if others == 0 {
                    break;
                }
                others = (others - 1) & rest;
            }
        }
        found
    }
}

const DELTAS: [&str; 14] =
    ["0", "0.1", "0.2", "0.25", "0.3", "0.3333", "0.5", "0.6", "0.6667", "0.75", "0.8", "0.8333", "0.9", "1"];

fn check(n_values: usize, weights: &[u32], edges: u32) -> (usize, usize) {
    // One bit for each of at most 28 pairs.
    let place = |a: usize, b: usize| a.max(b) * (a.max(b) - 1) / 2 + a.min(b);
    let near_values = move |a: usize, b: usize| a == b || edges >> place(a, b) & 1 == 1;
    let neighbours = Neighbours::from_fn(n_values, move |a, b| near_values(a as usize, b as usize));
    let nearness = Nearness::count(&neighbours, weights);
    let of_row: Vec<usize> = (0..n_values).flat_map(|v| std::iter::repeat_n(v, weights[v] as usize)).collect();
    let n = of_row.len();
    let bits = |row: usize| (0..n).fold(0, |bits, o| bits | u32::from(near_values(of_row[row], of_row[o])) << o);
    let rows = Rows { n, near: (0..n).map(bits).collect() };
    let most = (0..n).map(|row| rows.near[row].count_ones() - 1).max().unwrap();
    assert_eq!(nearness.max_degree, u64::from(most));
    let (mut guaranteed, mut infeasible) = (0, 0);
    for k in 1..=n as u64 {
        let Some(standing) = nearness.at(k) else { continue };
        let told = [Some(standing.guaranteed_decimal()), standing.smallest_ruled_out()];
        for delta in DELTAS.iter().map(|text| Decimal::parse(text).unwrap()).chain(told.into_iter().flatten()) {
            let any = || rows.divisions(delta, |size| size >= k.max(2))[(1 << n) - 1] != 0;
            match standing.status(Some(delta)) {
                Status::Guaranteed => {
                    let (classes, size) = (standing.classes, standing.classes.size);
                    let sizes = |s: u64| s == size || s == size + 1 && classes.larger > 0;
                    let divisions = rows.divisions(delta, sizes)[(1 << n) - 1];
                    assert!(divisions >> classes.count & 1 == 1, "{weights:?} {edges:b} k {k} delta {delta}");
                    assert!(nearness.max_degree <= standing.guaranteed_degree(delta));
                    guaranteed += 1;
                }
                Status::Infeasible => {
                    assert!(!any(), "{weights:?} {edges:b} k {k} delta {delta}");
                    infeasible += 1;
                }
                Status::Unknown => {
                    let capacity = standing.equitable_capacity(delta);
                    assert!(standing.any_capacity(delta) >= nearness.clique.rows);
                    if nearness.clique.rows > capacity {
                        let size = standing.classes.size;
                        let sizes = |s: u64| s == size || s == size + 1;
                        let divisions = rows.divisions(delta, sizes)[(1 << n) - 1];
                        assert!(
                            divisions >> standing.classes.count & 1 == 0,
                            "{weights:?} {edges:b} k {k} delta {delta}"
                        );
                    }
                }
            }
        }
        // What is told as disproved is the least of four digits.
        if let Some(disproved) = standing.smallest_ruled_out() {
            assert_eq!(standing.status(Some(disproved)), Status::Infeasible);
            let before = Decimal::new(units_below(disproved.into()) - 1, 4);
            assert!(!standing.rules_out(before), "{disproved}");
        }
    }
    (guaranteed, infeasible)
}

impl GroupSizeOutlook<'_> {
    /// The greatest guaranteed delta of four digits.
    fn guaranteed_decimal(&self) -> Decimal {
        Decimal::new(units_below(self.guaranteed()), 4)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2500, ..ProptestConfig::default() })]

    #[test]
    fn no_answer_contradicts_an_exhaustive_search(
        weights in prop::collection::vec(1u32..=3, 1..=8), edges in any::<u32>(), sparse in any::<u32>(), thin in any::<bool>(),
    ) {
        let mut rows = 0;
        let fit: Vec<u32> = weights.iter().copied().take_while(|w| { rows += w; rows <= 8 }).collect();
        prop_assume!(fit.iter().sum::<u32>() >= 2);
        check(fit.len(), &fit, if thin { edges & sparse } else { edges });
    }
}

/// The search above would say nothing if every answer were "unknown".
#[test]
fn small_graphs_are_guaranteed_and_disproved() {
    let (guaranteed, infeasible) = check(8, &[1; 8], 0b1000_0000_0000_0001_0010_0000_0000);
    assert!(guaranteed > 20, "{guaranteed}");
    let (_, more) = check(3, &[3, 3, 2], 0b110);
    assert!(infeasible + more > 20, "{infeasible} {more}");
}
