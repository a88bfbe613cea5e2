//! Worked tables of the papers.

use scumble_principle::Requirement;
use scumble_table::{Bag, Decimal, Domain};

fn verdict(text: &str, domain: &Domain, groups: &[Bag]) -> bool {
    let whole = groups.iter().fold(Bag::default(), |all, group| all.union(group));
    let requirement: Requirement = text.parse().unwrap();
    let test = requirement.principle().bind(domain, &whole).unwrap();
    groups.iter().all(|group| test.holds(group))
}

fn numbers(groups: &[&[i64]]) -> (Domain, Vec<Bag>) {
    let domain = Domain::numbers(groups.iter().flat_map(|g| g.iter().copied()).map(Decimal::from).collect()).unwrap();
    let bags =
        groups.iter().map(|g| Bag::from_codes(g.iter().map(|x| domain.code_of(&x.to_string()).unwrap()))).collect();
    (domain, bags)
}

#[test]
fn paper1_table1b() {
    let (domain, groups) = numbers(&[&[1000, 1010, 1020, 50000], &[16000, 24000], &[33000, 31000]]);
    for (text, passes) in [
        ("k-anonymity(2)", true),
        ("k-anonymity(3)", false),
        ("distinct-l-diversity(2)", true),
        ("frequency-l-diversity(2)", true),
        ("frequency-l-diversity(2.01)", false),
        ("entropy-l-diversity(2)", true),
        ("recursive-l-diversity(1, 2)", false),
        ("recursive-l-diversity(1.1, 2)", true),
        ("alpha-k-anonymity(0.5, 2)", true),
        ("variance(1000000)", true),
        ("variance(1000001)", false),
        ("ke-anonymity(2, 2000)", true),
        ("ke-anonymity(2, 2001)", false),
        ("proximity-absolute(0, 2)", true),
        ("proximity-absolute(9, 2)", true),
        // What all the above let through: three of the four salaries lie within 20 of one another.
        ("proximity-absolute(10, 2)", false),
        ("proximity-relative(0.02, 2)", false),
        ("proximity-interval(0, 20, 2)", false),
        ("proximity-absolute(100, 1)", true),
    ] {
        assert_eq!(verdict(text, &domain, &groups), passes, "{text}");
    }
}

/// Section 3.1.2: closeness cannot tell the two groups apart, and proximity can.
#[test]
fn paper1_section3_earth_mover_distance() {
    let (domain, groups) = numbers(&[&[1, 3, 5000], &[2, 4000, 6000]]);
    assert!(verdict("t-closeness(0.1, ordered)", &domain, &groups));
    assert!((0..2).all(|at| {
        let whole = groups[0].union(&groups[1]);
        let test = "t-closeness(0.0999, ordered)".parse::<Requirement>().unwrap();
        !test.principle().bind(&domain, &whole).unwrap().holds(&groups[at])
    }));
    let near = |at: usize| verdict("proximity-absolute(2, 3)", &domain, &groups[at..=at]);
    assert!(!near(0) && near(1));
}

#[test]
fn paper4_table1b() {
    // Two groups of four: pneumonia and bronchitis twice each in both.
    let domain = Domain::nominal(vec!["bronchitis".into(), "pneumonia".into()]);
    let groups = [Bag::from_codes([1, 1, 2, 2]), Bag::from_codes([2, 1, 2, 1])];
    assert!(verdict("t-closeness(0)", &domain, &groups) && verdict("frequency-l-diversity(2)", &domain, &groups));
    assert!(!verdict("frequency-l-diversity(2.1)", &domain, &groups));
}

#[test]
fn paper5_figure1() {
    let (domain, groups) = numbers(&[&[54000, 55000, 56000], &[65000, 70000, 75000], &[75000, 80000, 85000]]);
    // The variance of three numbers d apart is 2/3 d^2; the first group is the narrowest.
    assert!(verdict("variance(666666.6666)", &domain, &groups) && !verdict("variance(666666.6667)", &domain, &groups));
    assert!(verdict("distinct-l-diversity(3)", &domain, &groups));
}
