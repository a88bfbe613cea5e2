//! Measures compared with formulas written independently, over pairs of values instead of tables of counts.

use super::{Dice, labels, numbers};
use crate::correlation::Crosstab;
use crate::correlation::measures::{
    Measure, cramers_v, dependency, entropy, gain, mutual_information, nmi, pearson, spearman,
};
use std::collections::BTreeMap;

type Pairs = Vec<(usize, usize)>;

fn crosstab(pairs: &Pairs, down: usize, across: usize) -> Crosstab {
    let mut counts = vec![0; down * across];
    for &(a, b) in pairs {
        counts[a * across + b] += 1;
    }
    Crosstab::new(across, counts)
}

fn share<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, f64> {
    let keys: Vec<K> = keys.collect();
    let n = keys.len() as f64;
    let mut shares = BTreeMap::new();
    for key in keys {
        *shares.entry(key).or_insert(0.0) += 1.0 / n;
    }
    shares
}

fn naive_entropy<K: Ord>(keys: impl Iterator<Item = K>) -> f64 {
    share(keys).values().map(|p| -p * p.ln()).sum()
}

/// H(F) + H(Q) - H(F, Q).
fn naive_information(pairs: &Pairs) -> f64 {
    naive_entropy(pairs.iter().map(|p| p.0)) + naive_entropy(pairs.iter().map(|p| p.1)) - naive_entropy(pairs.iter())
}

fn naive_chi_squared(pairs: &Pairs) -> f64 {
    let (f, q, both) = (share(pairs.iter().map(|p| p.0)), share(pairs.iter().map(|p| p.1)), share(pairs.iter()));
    let n = pairs.len() as f64;
    let mut chi = 0.0;
    for (a, x) in &f {
        for (b, y) in &q {
            let expected = n * x * y;
            let seen = n * both.get(&(*a, *b)).copied().unwrap_or(0.0);
            chi += (seen - expected).powi(2) / expected;
        }
    }
    chi
}

fn random(seed: u64) -> (Pairs, usize, usize) {
    let mut dice = Dice::new(seed);
    let (down, across) = (1 + dice.below(6) as usize, 1 + dice.below(5) as usize);
    let tied = dice.below(3) > 0;
    let pairs = (0..2 + dice.below(200))
        .map(|_| {
            let a = dice.below(down as u64) as usize;
            (a, if tied && dice.below(2) == 0 { a % across } else { dice.below(across as u64) as usize })
        })
        .collect();
    (pairs, down, across)
}

fn near(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() < 1e-9, "{what}: {a} against {b}");
}

#[test]
fn tables_agree_with_naive_formulas() {
    for seed in 0..2_000 {
        let (pairs, down, across) = random(seed);
        let table = crosstab(&pairs, down, across);
        let n = pairs.len() as f64;
        let information = naive_information(&pairs).max(0.0);
        let (a, b) = (share(pairs.iter().map(|p| p.0)).len() as f64, share(pairs.iter().map(|p| p.1)).len() as f64);
        let whole = naive_entropy(pairs.iter().map(|p| p.0));
        near(entropy(&table.down_totals()), whole, "entropy");
        near(mutual_information(&table), information, "mutual information");
        near(gain(&table), n * information - 0.5 * (a - 1.0) * (b - 1.0) * n.ln(), "gain");
        let corrected = (information - (a - 1.0) * (b - 1.0) / (2.0 * n)).max(0.0);
        near(nmi(&table), if whole > 1e-12 { corrected / whole } else { 0.0 }, "nmi");
        // The g3 error: rows left when each given value keeps its most frequent bin.
        let mut most: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
        for &(f, q) in &pairs {
            *most.entry(q).or_default().entry(f).or_default() += 1;
        }
        let kept: usize = most.values().map(|bins| bins.values().max().unwrap()).sum();
        let alone = share(pairs.iter().map(|p| p.0)).into_values().fold(0.0, f64::max);
        let lambda = if alone < 1.0 - 1e-12 { (kept as f64 / n - alone) / (1.0 - alone) } else { 0.0 };
        near(dependency(&table), lambda, "dependency");
        let phi = naive_chi_squared(&pairs) / n;
        let (phi, shorter) = (
            (phi - (a - 1.0) * (b - 1.0) / (n - 1.0)).max(0.0),
            (a - (a - 1.0).powi(2) / (n - 1.0)).min(b - (b - 1.0).powi(2) / (n - 1.0)),
        );
        let v = if a < 2.0 || b < 2.0 || shorter <= 1.0 { 0.0 } else { (phi / (shorter - 1.0)).sqrt().min(1.0) };
        // Near 0 a square root magnifies rounding.
        assert!((cramers_v(&table) - v).abs() < 1e-6, "Cramer's V: {} against {v}", cramers_v(&table));
    }
}

#[test]
fn what_is_decided_and_what_is_independent() {
    let decided: Pairs = (0..400).map(|i| (i % 4, i % 4)).collect();
    let table = crosstab(&decided, 4, 4);
    assert_eq!((dependency(&table), gain(&table) > 0.0), (1.0, true));
    assert!(nmi(&table) > 0.98 && cramers_v(&table) > 0.99);
    let independent: Pairs = (0..400).map(|i| (i % 4, i / 4 % 4)).collect();
    let table = crosstab(&independent, 4, 4);
    assert_eq!((nmi(&table), cramers_v(&table), dependency(&table)), (0.0, 0.0, 0.0));
    assert!(gain(&table) < 0.0, "parameters cost, and nothing is told");
    for empty in [Crosstab::new(1, Vec::new()), crosstab(&vec![(0, 0); 5], 1, 1)] {
        assert_eq!((nmi(&empty), cramers_v(&empty), dependency(&empty), gain(&empty)), (0.0, 0.0, 0.0, 0.0));
    }
}

/// Pearson's coefficient as a textbook has it.
fn textbook(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for &(x, y) in pairs {
        xy += (x - mx) * (y - my);
        xx += (x - mx) * (x - mx);
        yy += (y - my) * (y - my);
    }
    xy / (xx * yy).sqrt()
}

/// The rank of a value among values: one more than there are smaller ones, and half the equal ones beside it.
fn rank(value: f64, among: &[f64]) -> f64 {
    let smaller = among.iter().filter(|other| **other < value).count() as f64;
    let equal = among.iter().filter(|other| **other == value).count() as f64;
    smaller + (equal + 1.0) / 2.0
}

#[test]
fn coefficients_agree_with_the_textbook() {
    let mut dice = Dice::new(3);
    for _ in 0..200 {
        let n = 3 + dice.below(60) as usize;
        let xs: Vec<Option<i64>> = (0..n).map(|_| (dice.below(6) > 0).then(|| dice.below(9) as i64 - 4)).collect();
        let ys: Vec<Option<i64>> =
            xs.iter().map(|x| (dice.below(6) > 0).then(|| x.unwrap_or(0) + dice.below(7) as i64)).collect();
        let (x, y) = (numbers("x", &xs), numbers("y", &ys));
        let both: Vec<(f64, f64)> =
            xs.iter().zip(&ys).filter_map(|(x, y)| Some(((*x)? as f64, (*y)? as f64))).collect();
        let (left, right): (Vec<f64>, Vec<f64>) = both.iter().copied().unzip();
        let ranked: Vec<(f64, f64)> = both.iter().map(|(x, y)| (rank(*x, &left), rank(*y, &right))).collect();
        for (found, wanted) in [
            (pearson((&x.1, &x.0.domain), (&y.1, &y.0.domain)), textbook(&both)),
            (spearman((&x.1, &x.0.domain), (&y.1, &y.0.domain)), textbook(&ranked)),
        ] {
            match found {
                Some(found) => near(found, wanted, "coefficient"),
                None => assert!(!wanted.is_finite(), "{wanted}"),
            }
        }
    }
}

#[test]
fn coefficients_need_an_order_and_two_values() {
    let x = numbers("x", &[Some(1), Some(2), Some(3), None]);
    let up = numbers("y", &[Some(10), Some(20), Some(30), Some(1)]);
    let one = numbers("z", &[Some(1), Some(1), Some(1), Some(2)]);
    let names = labels("n", &[Some("a"), Some("b"), Some("c"), None]);
    let of = |q: &(scumble_table::Attribute, scumble_table::Codes)| {
        (pearson((&x.1, &x.0.domain), (&q.1, &q.0.domain)), spearman((&x.1, &x.0.domain), (&q.1, &q.0.domain)))
    };
    let (r, s) = of(&up);
    near(r.unwrap(), 1.0, "pearson");
    near(s.unwrap(), 1.0, "spearman");
    assert_eq!((of(&one), of(&names)), ((None, None), (None, None)));
}

#[test]
fn measures_have_names() {
    for measure in Measure::ALL {
        assert_eq!(measure.name().parse::<Measure>().unwrap(), measure);
    }
    assert!("cramer".parse::<Measure>().unwrap_err().to_string().contains("did you mean `cramers-v`?"));
}
