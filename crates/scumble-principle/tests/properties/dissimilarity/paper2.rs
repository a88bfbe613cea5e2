//! The worked examples of paper 2, through the notation that users write.

use super::Release;
use scumble_principle::dissimilarity::theory::{Classes, allowed};
use scumble_principle::{Group, LoadedDistance};
use scumble_table::{Attribute, Code, Codes, Decimal, Domain, Error, Ratio, Role, Schema};

/// The syndromes of Table I: allergy, asthma and myocarditis of ten people, five in each group.
const TABLE_I: [[&str; 3]; 10] = [
    ["0.8", "0.0", "0.0"],
    ["0.6", "0.4", "0.4"],
    ["0.7", "0.1", "0.1"],
    ["1.0", "0.2", "0.2"],
    ["0.1", "0.9", "0.9"],
    ["0.2", "0.5", "0.2"],
    ["0.8", "0.1", "0.9"],
    ["0.4", "0.3", "0.5"],
    ["0.6", "0.9", "0.3"],
    ["1.0", "0.7", "0.7"],
];
const DISTANCE: &str = "min(allergy:range(0,1), asthma:range(0,1), myocarditis:range(0,1))";
const G1: [u32; 5] = [0, 1, 2, 3, 4];
const G2: [u32; 5] = [5, 6, 7, 8, 9];

fn table_i(requirements: &[&str]) -> Release {
    let names = ["allergy", "asthma", "myocarditis"];
    let numbers = |at: usize| TABLE_I.iter().map(|row| Decimal::parse(row[at]).unwrap()).collect();
    let domains: Vec<Domain> = (0..3).map(|at| Domain::numbers(numbers(at)).unwrap()).collect();
    let codes = |at: usize| TABLE_I.iter().map(|row| domains[at].code_of(row[at]).unwrap()).collect();
    let columns: Vec<Codes> = (0..3).map(codes).collect();
    let attributes = names.iter().zip(domains);
    let attributes = attributes.map(|(name, domain)| Attribute { name: (*name).into(), role: Role::Sensitive, domain });
    let schema = Schema::new(attributes.collect()).unwrap();
    let ruler = LoadedDistance::new(DISTANCE.parse().unwrap(), |_| Err(Error::bug("no files"))).unwrap();
    Release::new(&schema, columns, &ruler, requirements, &(0..10).collect::<Vec<_>>()).unwrap()
}

fn passes(text: &str, group: &[u32]) -> bool {
    table_i(&[text]).holds(group)
}

/// Figures 1 and 2: the neighbours of each syndrome of its group within 0.1, by the number of the person.
#[test]
fn paper2_table1_figure1() {
    let release = table_i(&["dissimilarity(0.1, 0.5, 2)"]);
    let test = release.bound.dissimilarities().next().unwrap();
    let value = |row: u32| release.together.composite().rows().get(row as usize);
    let near = |row: u32, group: &[u32]| -> Vec<u32> {
        let others = group.iter().filter(|&&other| other != row && test.neighbours().near(value(row), value(other)));
        others.map(|other| other + 1).collect()
    };
    assert_eq!(G1.map(|row| near(row, &G1)), [vec![3], vec![3], vec![1, 2, 4], vec![3], vec![]]);
    assert_eq!(G2.map(|row| near(row, &G2)), [vec![9], vec![], vec![], vec![6], vec![]]);
    assert_eq!(release.bound.distance().unwrap().to_string(), DISTANCE.replace(',', ", ").replace(",  ", ", "));

    // Definition 6: the risks are 3/4 and 1/4.
    assert_eq!(G1.map(|row| near(row, &G1).len()).into_iter().max(), Some(3));
    assert!(passes("dissimilarity(0.1, 0.25, 5)", &G1) && !passes("dissimilarity(0.1, 0.2501, 5)", &G1));
    assert!(passes("dissimilarity(0.1, 0.75, 5)", &G2) && !passes("dissimilarity(0.1, 0.7501, 5)", &G2));
    assert!(!passes("dissimilarity(0.1, 0.25, 6)", &G1));
    // 0.1 itself is near; a little less is not.
    assert!(passes("dissimilarity(0.0999999999999999999999, 1, 5)", &G1));
    let figures = |group: &[u32]| {
        let bags = release.bags(group);
        release.bound.attained(Group { size: 5, bags: &bags })[0].figure("delta").unwrap().to_string()
    };
    assert_eq!((figures(&G1), figures(&G2)), ("0.25".into(), "0.75".into()));
}

/// Example 3: the neighbourhood of the third syndrome holds four of five, so someone who finds the group of Alice knows with
/// a probability of 80 % that hers is near (0.7, 0.1, 0.1). All values of the group differ, in every column and as a
/// whole, so it is as diverse as five rows can be: diversity counts different values and never asks how different.
#[test]
fn paper2_example3_five_diversity_lets_it_through() {
    let release = table_i(&["distinct-l-diversity(5)", "dissimilarity(0.1, 0, 5)"]);
    let test = release.bound.dissimilarities().next().unwrap();
    let value = |row: u32| release.together.composite().rows().get(row as usize);
    let hood = G1.iter().filter(|&&row| test.neighbours().near(value(2), value(row)));
    assert_eq!(hood.copied().collect::<Vec<_>>(), [0, 1, 2, 3]);
    for group in [G1, G2] {
        assert!(release.holds(&group));
        assert!(release.bags(&group).iter().all(|bag| bag.distinct() == 5));
        let frequency = table_i(&["frequency-l-diversity(5)", "dissimilarity(0.1, 0, 5)"]);
        assert!(frequency.holds(&group));
    }
    assert!(!passes("dissimilarity(0.1, 0.5, 5)", &G1) && passes("dissimilarity(0.1, 0.5, 5)", &G2));
}

/// Example 4 and Figure 2: a proper colouring with two colours, in which no value has a neighbour of its colour.
#[test]
fn paper2_example4_figure2() {
    for class in [&[0u32, 1, 3][..], &[2, 4]] {
        assert!(passes("dissimilarity(0.1, 1, 2)", class));
    }
    assert!(!passes("dissimilarity(0.1, 1, 2)", &[0, 2]) && !passes("dissimilarity(0.1, 1, 2)", &G1));
    // k-anonymity is part of it: the second class has two rows.
    assert!(!passes("dissimilarity(0.1, 1, 3)", &[2, 4]));
    assert_eq!(Classes::new(5, 2).unwrap().sizes().collect::<Vec<_>>(), [3, 2]);
}

/// Example 5 assumes that rows are assigned independently; of groups of equal sizes the chances are 1/7 and 2/7.
#[test]
fn paper2_example5_of_groups_of_equal_sizes() {
    let delta = Decimal::parse("0.5").unwrap();
    // Row 0 is near rows 1 and 2. Its group is one of the sets of k rows with it in them, all equally likely.
    let chance = |k: u32| {
        let groups = (0u32..1 << 8).filter(|set| set & 1 == 1 && set.count_ones() == k);
        let violates = |set: &u32| u64::from((set & 0b110).count_ones()) > allowed(k.into(), delta);
        Ratio::new(groups.clone().filter(violates).count() as i128, groups.count() as i128)
    };
    assert_eq!((chance(4), chance(2)), (Ratio::new(1, 7), Ratio::new(2, 7)));
}

/// The products of which floats make one too few.
#[test]
fn t_is_exact_where_floats_are_not() {
    for (k, delta, t) in [
        (6, "0.8", 1),
        (11, "0.9", 1),
        (11, "0.8", 2),
        (21, "0.9", 2),
        (21, "0.8", 4),
        (31, "0.9", 3),
        (31, "0.8", 6),
        (10, "0.8", 1),
    ] {
        let decimal = Decimal::parse(delta).unwrap();
        assert_eq!(allowed(k, decimal), t, "k {k}, delta {delta}");
        let float = ((1.0 - decimal.to_f64()) * (k - 1) as f64).floor() as u64;
        assert_eq!(float == t, k == 10, "k {k}, delta {delta}: floats are wrong but for the last");
        // One row less, or a delta one unit of any size greater, allows less.
        let finer = Decimal::parse(&format!("{delta}00000000000000000000000000000001")).unwrap();
        let exact = (10 - decimal.at_scale(1).unwrap() as u64) * (k - 1) == 10 * t;
        assert_eq!(allowed(k, finer), t - u64::from(exact));
        assert_eq!(allowed(k - 1, decimal), t - u64::from(exact));
    }
    let (none, all) = (Decimal::ZERO, Decimal::from(1));
    assert_eq!((allowed(0, none), allowed(1, none), allowed(u64::MAX, none)), (0, 0, u64::MAX - 1));
    assert_eq!((allowed(u64::MAX, all), allowed(1, all)), (0, 0));
    let fine = Decimal::parse("0.000000000000000000000000000000000001").unwrap();
    assert_eq!(allowed(u64::MAX, fine), u64::MAX - 2);
}

/// Equal rows are values of their own: a group of one value repeated is one neighbourhood.
#[test]
fn one_value_repeated() {
    let release = table_i(&["dissimilarity(0, 0, 1)"]);
    let rows: [u32; 4] = [0; 4];
    let value: Vec<Code> = rows.iter().map(|&row| release.together.composite().rows().get(row as usize)).collect();
    assert_eq!(value, [value[0]; 4]);
    assert!(passes("dissimilarity(0, 0, 4)", &rows) && !passes("dissimilarity(0, 0.0001, 4)", &rows));
}
