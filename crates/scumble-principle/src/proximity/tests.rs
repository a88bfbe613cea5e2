use super::theory::*;
use super::*;
use crate::{Requirement, Test};
use scumble_table::{Bag, Decimal, Domain, Ratio};

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

/// A column of numbers (empty for null) and the bag of all its rows.
fn column(numbers: &[&str]) -> (Domain, Bag) {
    let domain = Domain::numbers(numbers.iter().filter_map(|text| Decimal::parse(text)).collect()).unwrap();
    let bag = bag(&domain, numbers);
    (domain, bag)
}

fn bag(domain: &Domain, numbers: &[&str]) -> Bag {
    Bag::from_codes(numbers.iter().map(|text| domain.code_of(text).unwrap()))
}

fn test(notation: &str, domain: &Domain, whole: &Bag) -> Box<dyn Test> {
    let requirement: Requirement = notation.parse().unwrap();
    requirement.principle().bind(domain, whole).unwrap()
}

fn passes(notation: &str, numbers: &[&str]) -> bool {
    let (domain, whole) = column(numbers);
    test(notation, &domain, &whole).holds(&whole)
}

fn generalizable(notation: &str, numbers: &[&str]) -> bool {
    let (domain, whole) = column(numbers);
    test(notation, &domain, &whole).generalizable(&whole)
}

const TABLE_1: [&str; 8] = ["1000", "1010", "1020", "16000", "24000", "31000", "33000", "50000"];

fn interval(below: &str, above: &str) -> Near {
    Near::Interval { below: decimal(below), above: decimal(above) }
}

#[test]
fn paper1_running_example() {
    let (domain, whole) = column(&TABLE_1);
    for near in [interval("20", "10000"), interval("10000", "20")] {
        let near = Neighbourhood::new(&domain, near).unwrap();
        assert_eq!((maxsize(&whole, &near), largest_m(&whole, &near)), (3, 2));
        let (g1, g2) = (Bag::from_codes([1, 2]), Bag::from_codes(3..=8));
        assert_eq!((maxsize(&g1, &near), maxsize(&g2, &near)), (2, 3));
        assert_eq!(maxsize(&Bag::default(), &near), 0);
        assert_eq!(largest_m(&Bag::default(), &near), 0);
    }
    assert_eq!(epsilon_supremum(&domain, &whole, 3), Some(decimal("20")));
    assert_eq!(epsilon_largest(decimal("20"), domain.scale()), Some(decimal("19")));
    assert_eq!(relative_supremum(&domain, &whole, 3), Some(Ratio::new(1, 51)));
    assert_eq!(relative_largest(Ratio::new(1, 51)), Some(decimal("0.0196")));
    for (notation, feasible) in [
        ("proximity-interval(20, 10000, 2)", true),
        ("proximity-interval(20, 10000, 3)", false),
        ("proximity-interval(19, 19.99, 3)", true),
        ("proximity-absolute(19.999999, 3)", true),
        ("proximity-absolute(20, 3)", false),
        ("proximity-relative(0.0196, 3)", true),
        ("proximity-relative(0.01961, 3)", false),
    ] {
        assert_eq!(generalizable(notation, &TABLE_1), feasible, "{notation}");
    }
}

/// Lemma 2 on the division of the running example into {t1, t2} and the rest.
#[test]
fn paper1_lemma2() {
    let numbers = ["1000", "1010", "1020", "16000", "24000", "31000", "33000", "50000"];
    let (domain, whole) = column(&numbers);
    let near = Neighbourhood::new(&domain, interval("20", "10000")).unwrap();
    let (first, rest) = (bag(&domain, &numbers[..2]), bag(&domain, &numbers[2..]));
    let maxsize = |group: &Bag| theory::maxsize(group, &near);
    assert_eq!((maxsize(&first), maxsize(&rest), maxsize(&whole)), (2, 3, 3));
    // 3/8 is at most the greater of 2/2 and 3/6.
    assert!(maxsize(&whole) * first.size() <= maxsize(&first) * whole.size());
}

/// Section 4.1 turns the relative form into an interval of logarithms: for 0.2 from 0.3219 below to 0.2630
/// above. Away from the edges, where logarithms round, both say the same.
#[test]
fn paper1_reduction_by_logarithms() {
    let (below, above) = ((1.0f64 / 0.8).log2(), 1.2f64.log2());
    assert!((below - 0.3219).abs() < 5e-5 && (above - 0.2630).abs() < 5e-5);
    let domain = Domain::numbers((1..=600).map(Decimal::from).collect()).unwrap();
    let near = Neighbourhood::new(&domain, Near::Relative(decimal("0.2"))).unwrap();
    for x in domain.codes() {
        for y in domain.codes() {
            let apart = f64::from(y).log2() - f64::from(x).log2();
            let on_edge = (apart + below).abs() < 1e-9 || (apart - above).abs() < 1e-9;
            let is_near = near.first(x) <= y && y <= near.last(x);
            assert!(on_edge && is_near || !on_edge && is_near == (-below <= apart && apart <= above), "{x} {y}");
        }
    }
}

#[test]
fn paper1_andy() {
    // I(Andy) = [900, 1100] in the first group of Table 1b: three of four.
    let (domain, group) = column(&["1000", "1010", "1020", "50000"]);
    let near = Neighbourhood::new(&domain, Near::absolute(decimal("100"))).unwrap();
    assert_eq!(near.most_near(&group), 3);
    let test = test("proximity-absolute(100, 2)", &domain, &group);
    assert!(!test.holds(&group));
    let attained = test.attained(&group);
    assert_eq!(attained.figures, [("m", "1".to_string()), ("near", "0.75".to_string())]);
}

#[test]
fn one_row_passes_only_m_of_one() {
    // Figure 3 of the paper returns true for a group of one row, whatever m.
    assert!(!passes("proximity-interval(0, 1, 5)", &["24"]) && passes("proximity-interval(0, 1, 1)", &["24"]));
    assert!(!generalizable("proximity-absolute(0, 2)", &["24"]));
    let (domain, whole) = column(&["24"]);
    for notation in ["proximity-absolute(3, 1)", "proximity-relative(0.5, 1)", "proximity-interval(1, 2, 1)"] {
        assert!(!test(notation, &domain, &whole).holds(&Bag::default()), "an empty group is no group");
        assert!(!test(notation, &domain, &whole).generalizable(&Bag::default()));
    }
    assert_eq!(epsilon_supremum(&domain, &whole, 2), Some(Decimal::ZERO));
    assert_eq!((epsilon_supremum(&domain, &whole, 1), relative_supremum(&domain, &whole, 1)), (None, None));
    assert_eq!(relative_supremum(&domain, &whole, 2), Some(Ratio::from(0)));
}

#[test]
fn the_boundary_is_near() {
    for (notation, numbers, holds) in [
        ("proximity-absolute(1000, 2)", ["1000", "2000"], false),
        ("proximity-absolute(999.9999, 2)", ["1000", "2000"], true),
        ("proximity-absolute(0.125, 2)", ["1234.56", "1234.685"], false),
        ("proximity-absolute(0.1249, 2)", ["1234.56", "1234.685"], true),
        ("proximity-absolute(0.1, 2)", ["0.2", "0.3"], false),
        // y is near x exactly at the upper and at the lower end.
        ("proximity-interval(0, 5, 2)", ["-2", "3"], false),
        ("proximity-interval(5, 0, 2)", ["-2", "3"], false),
        ("proximity-interval(4.9, 4.9, 2)", ["-2", "3"], true),
        ("proximity-relative(0.125, 2)", ["100905", "115320"], false),
        ("proximity-relative(0.1249999999, 2)", ["100905", "115320"], true),
        ("proximity-relative(0.125, 2)", ["-100905", "-115320"], false),
        ("proximity-relative(0.1249999999, 2)", ["-100905", "-115320"], true),
        ("proximity-relative(0.125, 2)", ["1234.56", "1080.24"], false),
        ("proximity-relative(0.125, 2)", ["1234.56", "1080.23"], true),
        ("proximity-relative(0.999999, 2)", ["0", "0.000001"], true),
        ("proximity-relative(0.999999, 2)", ["-0.000001", "0.000001"], true),
        ("proximity-relative(0, 2)", ["0", "0"], false),
        ("proximity-relative(0.1, 2)", ["999999999999999", "899999999999999.1"], false),
        ("proximity-relative(0.1, 2)", ["999999999999999", "899999999999999"], true),
        ("proximity-absolute(0.001, 2)", ["999999999999.998", "999999999999.999"], false),
        ("proximity-absolute(999999999999998, 2)", ["1", "999999999999999"], false),
        ("proximity-absolute(999999999999997.9, 2)", ["1", "999999999999999"], true),
    ] {
        assert_eq!(passes(notation, &numbers), holds, "{notation} {numbers:?}");
        assert_eq!(generalizable(notation, &numbers), holds, "{notation} {numbers:?}");
    }
}

#[test]
fn numbers_that_fill_128_bits_stay_exact() {
    let far = ["-100000000000000000000000000000000000000", "100000000000000000000000000000000000000"];
    assert!(passes("proximity-absolute(99999999999999999999999999999999999999, 2)", &far));
    let fine = ["0.000000000000000000000000000000000001", "0.000000000000000000000000000000000003"];
    assert!(!passes("proximity-absolute(0.000000000000000000000000000000000002, 2)", &fine));
    assert!(passes("proximity-absolute(0.000000000000000000000000000000000001, 2)", &fine));
    assert!(!passes("proximity-absolute(99999999999999999999999999999999999999, 2)", &fine));
    // 10^37 and 10^37 - 10: a share of exactly 10^-36.
    let close = ["10000000000000000000000000000000000000", "9999999999999999999999999999999999990"];
    assert!(!passes("proximity-relative(0.000000000000000000000000000000000001, 2)", &close));
    let closer = ["10000000000000000000000000000000000000", "9999999999999999999999999999999999989"];
    assert!(passes("proximity-relative(0.000000000000000000000000000000000001, 2)", &closer));
    let (domain, whole) = column(&close);
    assert_eq!(relative_supremum(&domain, &whole, 2), Some(Ratio::new(1, 10i128.pow(36))));
    assert!(!passes("proximity-absolute(0, 18446744073709551615)", &far));
}

#[test]
fn the_union_of_passing_groups_may_fail() {
    let (domain, whole) = column(&["40", "50", "60", "80"]);
    let test = test("proximity-absolute(15, 2)", &domain, &whole);
    assert!(test.holds(&Bag::from_codes([1, 3])) && test.holds(&Bag::from_codes([2, 4])));
    assert!(!test.holds(&whole) && !test.monotone());
    assert!(test.generalizable(&whole) && test.divisible(&whole));
}

#[test]
fn ties_and_equal_numbers() {
    let equal = ["7"; 6];
    assert!(generalizable("proximity-absolute(5, 1)", &equal) && !generalizable("proximity-absolute(0, 2)", &equal));
    let (domain, whole) = column(&equal);
    assert_eq!((epsilon_supremum(&domain, &whole, 2), epsilon_largest(Decimal::ZERO, 0)), (Some(Decimal::ZERO), None));
    assert_eq!((relative_supremum(&domain, &whole, 2), relative_largest(Ratio::from(0))), (Some(Ratio::from(0)), None));
    // Three pairs: m = 3 with any epsilon below the gap, m = 6 = n never.
    let pairs = ["1", "1", "5", "5", "9", "9"];
    let (domain, whole) = column(&pairs);
    assert_eq!(epsilon_supremum(&domain, &whole, 3), Some(decimal("4")));
    assert!(generalizable("proximity-absolute(3.9, 3)", &pairs) && !generalizable("proximity-absolute(4, 3)", &pairs));
    assert_eq!(epsilon_supremum(&domain, &whole, 6), Some(Decimal::ZERO));
    assert_eq!(epsilon_supremum(&domain, &whole, 7), Some(Decimal::ZERO));
    // m = n: all rows in one group, and all apart.
    assert!(
        passes("proximity-absolute(3, 3)", &["1", "5", "9"]) && !passes("proximity-absolute(4, 3)", &["1", "5", "9"])
    );
    let (domain, whole) = column(&["1", "5", "9"]);
    assert_eq!(epsilon_supremum(&domain, &whole, 3), Some(decimal("4")));
}

#[test]
fn null_is_near_only_to_null() {
    assert!(!passes("proximity-absolute(0, 2)", &["", ""]) && passes("proximity-absolute(1000, 2)", &["", "5"]));
    assert!(!passes("proximity-absolute(0, 3)", &["", "5", ""]));
    let (domain, whole) = column(&["", "0", "1"]);
    let near = Neighbourhood::new(&domain, Near::absolute(decimal("1"))).unwrap();
    assert_eq!((near.first(0), near.last(0), near.reach(0)), (0, 0, 0));
    assert_eq!((near.first(1), near.last(1), near.reach(1)), (1, 2, 2));
    assert!(!near.conflict(0, 1) && near.conflict(2, 1) && near.conflict(0, 0));
    // The bounds are about the numbers: one row less.
    assert_eq!(epsilon_supremum(&domain, &whole, 2), Some(decimal("1")));
    assert_eq!(epsilon_supremum(&domain, &whole, 3), Some(Decimal::ZERO));
}

#[test]
fn usable_epsilons_lie_just_below_the_supremum() {
    for (supremum, scale, largest) in [("20", 0, "19"), ("0.5", 1, "0.4"), ("0.5", 3, "0.499"), ("1", 0, "0")] {
        assert_eq!(epsilon_largest(decimal(supremum), scale), Some(decimal(largest)));
    }
    for (numer, denom, largest) in [
        (1, 1, "0.9999"),
        (1, 2, "0.4999"),
        (1, 3, "0.3333"),
        (1, 50, "0.01999"),
        (1, 1000, "0.000999"),
        (999, 1000, "0.9989"),
    ] {
        assert_eq!(relative_largest(Ratio::new(numer, denom)), Some(decimal(largest)), "{numer}/{denom}");
    }
    assert_eq!(relative_largest(Ratio::new(1, i128::MAX)), Some(Decimal::ZERO));
}

#[test]
fn only_numbers_are_near_each_other() {
    let requirement: Requirement = "proximity-relative(0.1, 2)".parse().unwrap();
    for domain in [Domain::nominal(vec!["a".into()]), Domain::ordinal(vec!["a".into()]), Domain::dates(vec![0, 2])] {
        assert_eq!(Neighbourhood::new(&domain, Near::absolute(decimal("1"))), None);
        let error = requirement.principle().bind(&domain, &Bag::default()).unwrap_err().to_string();
        assert!(error.contains("proximity needs numbers, and the column is"), "{error}");
    }
}
