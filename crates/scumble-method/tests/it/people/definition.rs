//! What a group must be like when people are counted, written from the definition alone and as slowly as
//! can be: the bag of a group is the set of its different pairs of a person and a value, and `k` and what shares are shares
//! of is the number of different persons. No number of rows of one person helps, so there are at least as many persons as a
//! principle asks for members. Nothing of the program is used but the text of a requirement.

use crate::fraction::Fraction;
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// A row: whose it is, and its sensitive value, a whole number from 0 to 7 or missing.
pub(crate) type Row = (u32, Option<i64>);

/// A group as it is counted: its persons, and for each value the persons who have it.
struct Counted {
    persons: i64,
    having: BTreeMap<Option<i64>, i64>,
}

impl Counted {
    fn new(rows: &[Row]) -> Counted {
        let pairs: BTreeSet<Row> = rows.iter().copied().collect();
        let persons = pairs.iter().map(|pair| pair.0).collect::<BTreeSet<u32>>().len() as i64;
        let mut having = BTreeMap::new();
        pairs.iter().for_each(|pair| *having.entry(pair.1).or_insert(0) += 1);
        Counted { persons, having }
    }

    fn pairs(&self) -> i64 {
        self.having.values().sum()
    }

    fn top(&self) -> i64 {
        self.having.values().copied().max().unwrap_or(0)
    }

    /// The share of a value in the distribution of pairs.
    fn share(&self, value: Option<i64>) -> Fraction {
        Fraction::new(self.having.get(&value).copied().unwrap_or(0), self.pairs())
    }

    /// How many pairs have a value that is near another; a missing one is near only to missing ones.
    fn near(&self, value: Option<i64>, near: impl Fn(i64, i64) -> bool) -> i64 {
        let is_near = |other: Option<i64>| match (value, other) {
            (Some(x), Some(y)) => near(x, y),
            (x, y) => x == y,
        };
        self.having.iter().filter(|(other, _)| is_near(**other)).map(|(_, count)| count).sum()
    }
}

fn whole_number(n: i64) -> Fraction {
    Fraction::new(n, 1)
}

/// True if `part` is at most one in `m` of `all`.
fn at_most_one_in(part: i64, m: &Fraction, all: i64) -> bool {
    whole_number(part).times(m) <= whole_number(all)
}

/// Whether a group passes a requirement when people are counted. `whole` are all rows that are published.
pub(crate) fn holds(requirement: &str, group: &[Row], whole: &[Row]) -> bool {
    let (name, rest) = requirement.split_once('(').expect("a name and arguments");
    let arguments: Vec<&str> = rest.trim_end_matches(')').split(',').map(str::trim).collect();
    let number = |at: usize| Fraction::text(arguments[at]);
    let counted = Counted::new(group);
    let persons = counted.persons;
    let enough = |members: Fraction| members <= whole_number(persons);
    if group.is_empty() {
        return false;
    }
    match name {
        "k-anonymity" => enough(number(0)),
        "distinct-l-diversity" => enough(number(0)) && number(0) <= whole_number(counted.having.len() as i64),
        "frequency-l-diversity" => at_most_one_in(counted.top(), &number(0), persons),
        "alpha-k-anonymity" => {
            enough(number(1)) && whole_number(counted.top()) <= number(0).times(&whole_number(persons))
        }
        "entropy-l-diversity" => enough(number(0)) && entropy_reaches(&counted, &number(0)),
        "recursive-l-diversity" => {
            let mut counts: Vec<i64> = counted.having.values().copied().collect();
            counts.sort_by_key(|count| -count);
            let l: usize = arguments[1].parse().expect("a whole l");
            let tail: i64 = counts.iter().skip(l - 1).sum();
            enough(number(1)) && whole_number(counts[0]) < number(0).times(&whole_number(tail))
        }
        "t-closeness" => distance(&counted, &Counted::new(whole), arguments[1]) <= number(0),
        "beta-likeness" => {
            let growth = number(0).plus(&whole_number(1));
            let whole = Counted::new(whole);
            counted.having.iter().all(|(value, count)| {
                // c / n <= (1 + beta) C / N, by cross-multiplication.
                let in_whole = whole.having.get(value).copied().unwrap_or(0);
                whole_number(count * whole.persons) <= growth.times(&whole_number(in_whole * persons))
            })
        }
        "delta-disclosure" => {
            // Shares are fractions of small numbers, and e to a fraction is none, so floats are never near the limit by chance.
            let delta: f64 = arguments[0].parse().expect("a number");
            let whole = Counted::new(whole);
            whole.having.iter().all(|(value, in_whole)| {
                let count = counted.having.get(value).copied().unwrap_or(0);
                let (q, p) = (count as f64 / persons as f64, *in_whole as f64 / whole.persons as f64);
                count > 0 && (q / p).ln().abs() < delta
            })
        }
        "proximity-absolute" => {
            let epsilon = number(0);
            keeps_apart(&counted, &number(1), |x, y| whole_number((x - y).abs()) <= epsilon)
        }
        "proximity-relative" => {
            let epsilon = number(0);
            keeps_apart(&counted, &number(1), |x, y| {
                whole_number((x - y).abs()) <= epsilon.times(&whole_number(x.abs()))
            })
        }
        "proximity-interval" => {
            let (below, above) = (number(0), number(1));
            keeps_apart(&counted, &number(2), |x, y| {
                if y < x { whole_number(x - y) <= below } else { whole_number(y - x) <= above }
            })
        }
        "proximity-window" => {
            // A window that holds the most can be moved up to its least value.
            let length = number(0).plus(&number(1));
            keeps_apart(&counted, &number(2), |x, y| y >= x && whole_number(y - x) <= length)
        }
        "dissimilarity" => {
            let numbers = || whole.iter().filter_map(|row| row.1);
            let length = numbers().max().unwrap_or(0) - numbers().min().unwrap_or(0);
            let (epsilon, delta) = (number(0), number(1));
            let near = |x: i64, y: i64| x == y || whole_number((x - y).abs()) <= epsilon.times(&whole_number(length));
            let others = whole_number(persons - 1);
            let within = |value: &Option<i64>| {
                let near_others = whole_number(counted.near(*value, near) - 1);
                near_others.plus(&delta.times(&others)) <= others
            };
            enough(number(2)) && persons >= 2 && counted.having.keys().all(within)
        }
        "ke-anonymity" => {
            let numbers = || counted.having.keys().flatten().copied();
            let range = numbers().max().unwrap_or(0) - numbers().min().unwrap_or(0);
            enough(number(0))
                && number(0) <= whole_number(counted.having.len() as i64)
                && number(1) <= whole_number(range)
        }
        "variance" => {
            let numbers: Vec<(i64, i64)> =
                counted.having.iter().filter_map(|(value, count)| Some(((*value)?, *count))).collect();
            let n: i64 = numbers.iter().map(|pair| pair.1).sum();
            let sum: i64 = numbers.iter().map(|(x, count)| x * count).sum();
            let squares: i64 = numbers.iter().map(|(x, count)| x * x * count).sum();
            let positive = number(0) > whole_number(0);
            n > 0 && !(positive && persons < 2) && number(0) <= Fraction::new(n * squares - sum * sum, n * n)
        }
        other => panic!("{other} is not written out"),
    }
}

/// Whether at most one in m persons have a value near any value of the group.
fn keeps_apart(counted: &Counted, m: &Fraction, near: impl Fn(i64, i64) -> bool) -> bool {
    counted.having.keys().all(|&value| at_most_one_in(counted.near(value, &near), m, counted.persons))
}

/// exp(entropy) >= l, which is n^n >= l^n * product of c^c over the counts c of the n pairs.
fn entropy_reaches(counted: &Counted, l: &Fraction) -> bool {
    let power = |base: &Fraction, exponent: i64| (0..exponent).fold(whole_number(1), |product, _| product.times(base));
    let n = counted.pairs();
    let products = counted.having.values().fold(BigInt::from(1), |product, &c| product * BigInt::from(c).pow(c as u32));
    power(l, n).times(&Fraction::new(products, 1)) <= power(&whole_number(n), n)
}

/// The earth mover's distance of two distributions of pairs.
fn distance(group: &Counted, whole: &Counted, ground: &str) -> Fraction {
    let values: Vec<Option<i64>> = whole.having.keys().copied().collect();
    // How much more the group has of what `among` says than the whole, without a sign.
    let moved = |among: &dyn Fn(Option<i64>) -> bool| {
        let total = |counted: &Counted| {
            let shares = values.iter().filter(|value| among(**value)).map(|value| counted.share(*value));
            shares.fold(whole_number(0), |sum, share| sum.plus(&share))
        };
        total(group).apart(&total(whole))
    };
    let half = Fraction::new(1, 2);
    let sum = |parts: Vec<Fraction>| parts.iter().fold(whole_number(0), |sum, part| sum.plus(part));
    match ground {
        "equal" => sum(values.iter().map(|&one| moved(&|value| value == one)).collect()).times(&half),
        // Values stand in a row, missing before all, and mass is carried over each step between two of them.
        "ordered" if values.len() == 1 => whole_number(0),
        "ordered" => {
            let steps = (1..values.len()).map(|step| moved(&|value| values[..step].contains(&value))).collect();
            sum(steps).over(&whole_number(values.len() as i64 - 1))
        }
        // Pairs below fours below the root: two values are as far apart as the level of their lowest common ancestor, and
        // half of that is carried up and half down. What is missing is as far from everything as the root is high.
        "hierarchical" => {
            let below = |width: i64| {
                let nodes = (0..8 / width).map(|node| moved(&|value| value.is_some_and(|value| value / width == node)));
                sum(nodes.collect())
            };
            let missing = moved(&|value| value.is_none()).times(&whole_number(3));
            sum(vec![below(1), below(2), below(4), missing]).times(&half).over(&whole_number(3))
        }
        other => panic!("no ground `{other}`"),
    }
}

#[test]
fn by_hand() {
    let (ann, bob, eve) = (1, 2, 3);
    let rows = |rows: &[(u32, i64)]| rows.iter().map(|&(person, value)| (person, Some(value))).collect::<Vec<Row>>();
    let alone = rows(&[(ann, 0), (ann, 5), (ann, 7)]);
    for requirement in [
        "k-anonymity(2)",
        "distinct-l-diversity(2)",
        "frequency-l-diversity(2)",
        "entropy-l-diversity(2)",
        "recursive-l-diversity(3, 2)",
        "alpha-k-anonymity(0.5, 2)",
        "proximity-absolute(1, 2)",
        "dissimilarity(0.1, 0.5, 2)",
        "ke-anonymity(2, 3)",
        "variance(1)",
    ] {
        assert!(!holds(requirement, &alone, &alone), "{requirement}: one person is no group");
    }
    // {a of Ann, b of Bob} and {b of Ann, a of Bob} pass, and together everybody has everything.
    let (one, two) = (rows(&[(ann, 0), (bob, 5)]), rows(&[(ann, 5), (bob, 0)]));
    let both = [one.clone(), two.clone()].concat();
    for requirement in ["frequency-l-diversity(2)", "proximity-absolute(1, 2)", "alpha-k-anonymity(0.5, 2)"] {
        assert!(holds(requirement, &one, &both) && holds(requirement, &two, &both), "{requirement}");
        assert!(!holds(requirement, &both, &both), "{requirement}");
    }
    // The same value of the same person counts once.
    let often = rows(&[(ann, 0), (ann, 0), (ann, 0), (bob, 5), (eve, 7)]);
    assert!(holds("frequency-l-diversity(3)", &often, &often) && holds("entropy-l-diversity(3)", &often, &often));
    let third = holds("t-closeness(0.3333333333, equal)", &rows(&[(bob, 5), (eve, 7)]), &often);
    assert!(!third && holds("t-closeness(0.3333333334, equal)", &rows(&[(bob, 5), (eve, 7)]), &often));
    // Ordered: a third goes one step and a sixth another, of two steps; 0 and 5, 7 lie in different halves of the tree.
    assert!(holds("t-closeness(0.25, ordered)", &rows(&[(bob, 5), (eve, 7)]), &often));
    assert!(!holds("t-closeness(0.2499, ordered)", &rows(&[(bob, 5), (eve, 7)]), &often));
    assert!(holds("t-closeness(0.3333333334, hierarchical)", &rows(&[(bob, 5), (eve, 7)]), &often));
    assert!(!holds("t-closeness(0.3333333333, hierarchical)", &rows(&[(bob, 5), (eve, 7)]), &often));
}
