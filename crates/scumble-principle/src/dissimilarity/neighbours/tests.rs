use super::*;
use crate::dissimilarity::theory::{heaviest_clique, heavy_clique};
use crate::distance::{Distance, LoadedDistance, MeasuredColumn};
use crate::{Dissimilarity, Test};
use scumble_table::{Bag, Codes, Domain};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Limits under which `n` values are kept in each of the three ways.
fn ways(n: usize) -> [(Limits, &'static str); 3] {
    [
        (Limits { bits: n, listed: 0, ids: 0 }, "bits"),
        (Limits { bits: 0, listed: n, ids: usize::MAX }, "lists"),
        (Limits { bits: 0, listed: 0, ids: 0 }, "asked"),
    ]
}

fn keep(n: usize, source: Source, limits: Limits) -> Neighbours {
    Neighbours::keep(n, source, limits, Cancellation::default())
}

/// Pseudo-random and mutual.
fn coin(a: Code, b: Code, seed: u64) -> u64 {
    let (low, high) = (u64::from(a.min(b)), u64::from(a.max(b)));
    let mut z = (low << 32 | high).wrapping_add(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^ (z >> 32)
}

/// Everything that can be asked of neighbours equals what a function says.
fn agree(neighbours: &Neighbours, weights: &[u32], near: impl Fn(Code, Code) -> bool) {
    let n = weights.len() as Code;
    assert_eq!(neighbours.len(), weights.len());
    for a in 0..n {
        let expected: Vec<Code> = (0..n).filter(|&b| near(a, b)).collect();
        let mut found = Vec::new();
        neighbours.each_near(a, |b| found.push(b));
        assert_eq!(found, expected, "{} of {n}", neighbours.kept());
        assert!((0..n).all(|b| neighbours.near(a, b) == expected.contains(&b)));
    }
    let rows = |a: Code| (0..n).filter(|&b| near(a, b)).map(|b| u64::from(weights[b as usize])).sum::<u64>();
    let degrees: Vec<u64> = (0..n).map(|a| if weights[a as usize] == 0 { 0 } else { rows(a) - 1 }).collect();
    assert_eq!(neighbours.degrees(weights), degrees);
}

#[test]
fn all_ways_to_keep_a_function_agree() {
    for (seed, n) in [0usize, 1, 2, 5, 63, 64, 65, 129, 300].into_iter().enumerate() {
        for share in [0, 1, 3, 10] {
            let near = move |a: Code, b: Code| a == b || coin(a, b, seed as u64) % 10 < share;
            let weights: Vec<u32> = (0..n as Code).map(|a| coin(a, a, 9) as u32 % 4).collect();
            for (limits, kept) in ways(n) {
                let one_way = move |a: Code, b: Code| {
                    assert!(a < b, "asked once, the lesser first, and never of a value and itself");
                    near(a, b)
                };
                let neighbours = keep(n, Source::Function(Box::new(one_way)), limits);
                agree(&neighbours, &weights, near);
                assert_eq!(neighbours.kept(), if n == 0 { "bits" } else { kept });
                // Lists are there now, and answer the same.
                agree(&neighbours, &weights, near);
                if n > 0 {
                    let order: Vec<Code> = (0..n as Code).rev().collect();
                    let gathered = neighbours.gather(n as Code / 2, &order, usize::MAX);
                    let plain = order.iter().fold(vec![n as Code / 2], |mut clique, &value| {
                        if !clique.contains(&value) && clique.iter().all(|&member| near(member, value)) {
                            clique.push(value);
                        }
                        clique
                    });
                    assert_eq!(gathered, plain, "{kept}");
                }
            }
        }
    }
}

/// Three columns of numbers under a distance; `digits` makes the sums as wide as wanted.
fn metric(text: &str, rows: &[[Code; 3]], digits: usize) -> (BoundDistance, Composite) {
    let number = |code: i128| Decimal::parse(&format!("{}{:0digits$}", code, code * code % 97)).unwrap();
    let domains: Vec<Domain> = (0..3).map(|c| Domain::numbers((1..40 + c).map(number).collect()).unwrap()).collect();
    let columns: Vec<Codes> = (0..3).map(|c| rows.iter().map(|row| row[c]).collect()).collect();
    let n_codes: Vec<usize> = domains.iter().map(Domain::n_codes).collect();
    let composite = Composite::new(&columns.iter().collect::<Vec<_>>(), &n_codes);
    let occurs: Vec<Vec<bool>> = n_codes.iter().map(|&n| vec![true; n]).collect();
    let measured: Vec<MeasuredColumn<'_>> = ["a", "b", "c"]
        .into_iter()
        .zip(domains.iter().zip(&occurs))
        .map(|(name, (domain, occurs))| MeasuredColumn { name, domain, occurs })
        .collect();
    let ruler = LoadedDistance::new(text.parse::<Distance>().unwrap(), |_| Err(Error::bug("no files"))).unwrap();
    (ruler.bind(&measured).unwrap(), composite)
}

#[test]
fn all_ways_to_keep_a_distance_agree_in_every_width() {
    let rows: Vec<[Code; 3]> =
        (0..250u32).map(|row| [0, 1, 2].map(|c| (coin(row, c, 3) % (if c == 0 { 5 } else { 40 })) as Code)).collect();
    let mut widths = Vec::new();
    for (text, digits, epsilon) in [
        ("l1(a:range*0.3, b:rank*0.2, c:equal*0.5)", 2, "0.2"),
        ("l1(a:range, b:range*0.2, c:range*0.33)", 7, "0.25"),
        ("l2(a:range, b:range*0.2, c:range*0.33)", 12, "0.3"),
        ("max(a:range, b:range*0.2, c:range*0.33)", 12, "0.2"),
        ("min(a:range, b:rank, c:equal)", 2, "0.05"),
        // The first column, by which values are passed over, comes last or twice.
        ("l1(c:range*0.1, b:equal*0.1, a:equal*3)", 2, "0.1"),
        ("l2(a:range, b:rank, c:rank, a:equal*0.1)", 2, "0.4"),
    ] {
        let (metric, composite) = metric(text, &rows, digits);
        let near = Neighbours::within(&metric, &composite, Decimal::parse(epsilon).unwrap()).unwrap();
        let pairs: usize = near.degrees(&vec![1; near.len()]).iter().map(|&degree| degree as usize).sum();
        assert!(pairs > 0 && pairs < near.len() * (near.len() - 1), "{text}: {pairs}");
        for (limits, kept) in ways(composite.len()) {
            let terms = metric.within(Decimal::parse(epsilon).unwrap()).unwrap();
            widths.push(match terms {
                Terms::Narrow(_) => "narrow",
                Terms::Wide(_) => "wide",
                Terms::Long(_) => "long",
            });
            let asked = Source::Distance { terms, values: Values::new(&composite) };
            let neighbours = keep(composite.len(), asked, limits);
            agree(&neighbours, composite.weights(), |a, b| near.near(a, b));
            assert_eq!(neighbours.kept(), kept);
        }
    }
    assert!(["narrow", "wide", "long"].iter().all(|width| widths.contains(width)), "{widths:?}");
}

#[test]
fn limits_are_kept() {
    // Blocks of ten values: every list has ten ids.
    let near = |a: Code, b: Code| a / 10 == b / 10;
    let kept = |bits, listed, ids| {
        let neighbours = keep(1000, Source::Function(Box::new(near)), Limits { bits, listed, ids });
        neighbours.degrees(&[1; 1000]);
        neighbours.kept()
    };
    assert_eq!((kept(1000, 0, 0), kept(999, 1000, 10_000), kept(999, 999, 10_000)), ("bits", "lists", "asked"));
    assert_eq!(kept(0, 1000, 9_999), "asked");
}

/// The values of the sample have no neighbours, and all others have each other.
#[test]
fn a_sample_that_deceives_does_not_fill_the_memory() {
    let (n, asked) = (SAMPLE * 40, Arc::new(AtomicUsize::new(0)));
    let counted = asked.clone();
    let near = move |a: Code, b: Code| {
        counted.fetch_add(1, Relaxed);
        !a.is_multiple_of(40) && !b.is_multiple_of(40)
    };
    let neighbours = keep(n, Source::Function(Box::new(near)), Limits { bits: 0, listed: n, ids: 4 * n });
    assert!(neighbours.seem_few() && neighbours.lists().is_none());
    assert_eq!(neighbours.kept(), "asked");
    assert!(asked.load(Relaxed) < SAMPLE * n + n * n / 4, "the work stops when it is in vain");
}

/// What is bound and asked about a few groups must not walk over all pairs.
#[test]
fn a_hundred_thousand_values_are_bound_without_looking_at_their_pairs() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let neighbours = Neighbours::from_fn(100_000, move |a, b| {
        counted.fetch_add(1, Relaxed);
        a.abs_diff(b) < 3
    });
    assert_eq!((asked.load(Relaxed), neighbours.kept()), (0, "asked"));
    assert!(neighbours.near(7, 9) && !neighbours.near(7, 10) && asked.load(Relaxed) == 2);

    let (metric, composite) = many();
    assert_eq!(composite.len(), 100_000);
    let neighbours = Neighbours::within(&metric, &composite, Decimal::parse("0.001").unwrap()).unwrap();
    assert_eq!(neighbours.kept(), "asked");
    let mut found = 0;
    neighbours.each_near(50_000, |other| {
        assert!(neighbours.near(other, 50_000));
        found += 1;
    });
    assert!(found > 1 && found < 1000, "{found}");
}

/// A hundred thousand combinations of two columns.
fn many() -> (BoundDistance, Composite) {
    let codes: Vec<Codes> =
        vec![(0..100_000u32).map(|row| row / 100 + 1).collect(), (0..100_000u32).map(|row| row % 100 + 1).collect()];
    let domains: Vec<Domain> =
        [1000, 100].map(|n| Domain::numbers((0..n).map(Decimal::from).collect()).unwrap()).to_vec();
    let composite = Composite::new(&codes.iter().collect::<Vec<_>>(), &[1001, 101]);
    let occurs = [vec![true; 1001], vec![true; 101]];
    let measured: Vec<MeasuredColumn<'_>> =
        (0..2).map(|c| MeasuredColumn { name: ["a", "b"][c], domain: &domains[c], occurs: &occurs[c] }).collect();
    let ruler =
        LoadedDistance::new("l1(a:range, b:range)".parse::<Distance>().unwrap(), |_| Err(Error::bug("no files")));
    (ruler.unwrap().bind(&measured).unwrap(), composite)
}

/// Where neighbours are not kept cliques are grown from a few seeds, and found all the same.
#[test]
fn cliques_of_graphs_that_are_not_kept() {
    let n = 900;
    // Two towns of 100 and 60 values that are all near, and villages of three.
    let town = |value: Code| match value {
        0..100 => 0,
        400..460 => 1,
        other => 2 + other / 3,
    };
    let near = move |a: Code, b: Code| town(a) == town(b);
    let weights: Vec<u32> = (0..n as Code).map(|value| 1 + 3 * u32::from(town(value) == 1)).collect();
    for (limits, kept) in ways(n) {
        let neighbours = keep(n, Source::Function(Box::new(near)), limits);
        let degrees = neighbours.degrees(&weights);
        for clique in [heaviest_clique(&neighbours, &weights, &degrees), heavy_clique(&neighbours, &weights)] {
            assert_eq!((clique.rows, clique.values[0], clique.values.len()), (240, 400, 60), "{kept}");
            assert!(clique.is_clique(&neighbours));
        }
    }
    let nothing = keep(n, Source::Function(Box::new(near)), ways(n)[2].0);
    assert_eq!(heavy_clique(&nothing, &vec![0; n]).rows, 0);
    // Questions come to an end, and what there is by then is a clique.
    let all = keep(n, Source::Function(Box::new(|_, _| true)), ways(n)[2].0);
    let some = all.gather(0, &(0..n as Code).collect::<Vec<_>>(), 1000);
    assert!(some.len() > 40 && some.len() < 50, "{}", some.len());
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let n = 700;
    let near = |a: Code, b: Code| coin(a, b, 5) % 10 < 6;
    let weights: Vec<u32> = (0..n as Code).map(|a| coin(a, a, 9) as u32 % 4).collect();
    for (limits, kept) in ways(n) {
        let found = [1, 2, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let neighbours = keep(n, Source::Function(Box::new(near)), limits);
                let degrees = neighbours.degrees(&weights);
                let clique = heaviest_clique(&neighbours, &weights, &degrees);
                (degrees, clique, heavy_clique(&neighbours, &weights), neighbours.kept())
            })
        });
        assert!(found.iter().all(|one| *one == found[0] && one.3 == kept), "{kept}");
    }
}

/// To say whether all rows can be grouped takes a look at some values and their neighbours.
#[test]
fn feasibility_of_very_many_values_does_not_look_at_all_pairs() {
    let n = LIMITS.listed + 5;
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let neighbours = Neighbours::from_fn(n, move |a, b| {
        counted.fetch_add(1, Relaxed);
        a.abs_diff(b) < 20
    });
    let principle = Dissimilarity::new(Decimal::ZERO, Decimal::from(1), 2).unwrap();
    let test = principle.with_neighbours(Arc::new(neighbours), &vec![1; n]);
    assert!(test.generalizable(&Bag::from_codes(0..n as Code)));
    assert_eq!((test.clique().rows, test.neighbours().kept()), (20, "asked"));
    assert!(asked.load(Relaxed) < 200 * n, "{}", asked.load(Relaxed));
}

#[test]
fn other_columns_are_a_mistake_of_ours() {
    let (metric, _) = metric("l1(a:range, b:range, c:range)", &[[1, 2, 3]], 1);
    let (_, other) = many();
    let error = Neighbours::within(&metric, &other, Decimal::ZERO).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(format!("{:?}", Neighbours::from_fn(3, |_, _| true)).contains("values: 3, kept: \"bits\""));
}
