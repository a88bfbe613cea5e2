use super::*;
use crate::{BoundRequirements, Group, Requirement};
use scumble_table::{Attribute, Error, Role, Schema};

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

/// A column of numbers (empty for null) and the bag of all its rows.
fn column(numbers: &[&str]) -> (Domain, Bag) {
    let domain = Domain::numbers(numbers.iter().filter_map(|text| Decimal::parse(text)).collect()).unwrap();
    let bag = Bag::from_codes(numbers.iter().map(|text| domain.code_of(text).unwrap()));
    (domain, bag)
}

fn bound(notation: &str, domain: &Domain, whole: &Bag) -> Box<dyn Test> {
    let requirement: Requirement = notation.parse().unwrap();
    requirement.principle().bind(domain, whole).unwrap()
}

fn passes(notation: &str, numbers: &[&str]) -> bool {
    let (domain, whole) = column(numbers);
    bound(notation, &domain, &whole).holds(&whole)
}

#[test]
fn parameters_are_checked() {
    let new = |e1: &str, e2: &str, m| ProximityWindow::new(decimal(e1), decimal(e2), m);
    assert_eq!(new("20", "1e4", 2).unwrap().notation(), "proximity-window(20, 10000, 2)");
    assert!(new("0", "0", 1).is_ok() && new("-1", "0", 1).is_err() && new("0", "-1", 1).is_err());
    assert!(new("0", "0", 0).is_err());
    let window = new("1.5", "2", 3).unwrap();
    assert_eq!((window.e1(), window.e2(), window.m()), (decimal("1.5"), decimal("2"), 3));
}

#[test]
fn windows_are_closed_and_as_long_as_both_sides_together() {
    for (notation, holds) in [
        ("proximity-window(0, 1000, 2)", false),
        ("proximity-window(1000, 0, 2)", false),
        ("proximity-window(500, 500, 2)", false),
        ("proximity-window(499, 500.9999999999999999999999999999999999, 2)", true),
        ("proximity-window(999.5, 0.5, 2)", false),
        // Each side is rounded to no unit of the column by itself.
        ("proximity-window(499.3, 500.7, 2)", false),
        ("proximity-window(499.3, 500.69, 2)", true),
        ("proximity-window(499.3, 500.69, 3)", false),
        ("proximity-window(1e36, 1e36, 1)", true),
    ] {
        assert_eq!(passes(notation, &["1000", "2000"]), holds, "{notation}");
    }
    assert!(!passes("proximity-window(0.1, 0.2, 2)", &["0.1", "0.4"]));
    assert!(passes("proximity-window(0.1, 0.1999, 2)", &["0.1", "0.4"]));
    assert!(!passes("proximity-window(2, 3, 2)", &["-2", "3"]) && passes("proximity-window(2, 2, 2)", &["-2", "3"]));
}

#[test]
fn numbers_that_fill_128_bits_stay_exact() {
    let far = ["-100000000000000000000000000000000000000", "100000000000000000000000000000000000000"];
    let window = |e: &str| ProximityWindow::new(decimal(e), decimal(e), 2).unwrap();
    let half = "9999999999999999999999999999999999999";
    assert_eq!(window(half).units(0), 2 * half.parse::<u128>().unwrap());
    assert!(passes(&window(half).notation(), &far));
    assert_eq!(window("1e37").units(36), u128::MAX);
    assert_eq!(window("0.05").units(1), 1);
    let fine = ["0.000000000000000000000000000000000001", "0.000000000000000000000000000000000003"];
    let step = "0.000000000000000000000000000000000001";
    assert!(!passes(&window(step).notation(), &fine));
    assert!(passes(&format!("proximity-window(0, {step}, 2)"), &fine));
    assert!(!passes("proximity-window(0, 0, 18446744073709551615)", &far));
}

#[test]
fn empty_groups_equal_numbers_and_nulls() {
    let (domain, whole) = column(&["7"]);
    let test = bound("proximity-window(0, 0, 1)", &domain, &whole);
    assert!(test.holds(&whole) && !test.holds(&Bag::default()));
    assert_eq!(test.attained(&Bag::default()).figure("m"), Some("0"));
    assert_eq!(test.best(&Bag::default()).figure("m"), Some("0"));
    assert!(passes("proximity-window(9, 9, 1)", &["7"; 4]) && !passes("proximity-window(0, 0, 2)", &["7"; 4]));
    // Null is near only to null, and as many nulls as numbers of a window are allowed.
    assert!(passes("proximity-window(1000, 1000, 2)", &["", "7"]) && !passes("proximity-window(0, 0, 2)", &["", ""]));
    assert!(!passes("proximity-window(0, 0, 2)", &["", "", "7"]));
    assert!(passes("proximity-window(1, 0, 2)", &["", "", "7", "8"]));
}

/// The window that holds the most need not be the neighbourhood of a number.
#[test]
fn a_guess_between_the_numbers_counts() {
    let numbers = ["40", "60", "100", "200"];
    assert!(passes("proximity-interval(15, 15, 4)", &numbers) && !passes("proximity-window(15, 15, 4)", &numbers));
    let (domain, whole) = column(&numbers);
    let test = bound("proximity-window(15, 15, 4)", &domain, &whole);
    assert_eq!(test.attained(&whole).figures, [("m", "2".to_string()), ("near", "0.5".to_string())]);
    assert!(test.monotone() && test.neighbourhood().is_none() && test.needs_values());
    assert_eq!(test.least_size(), 4);
    let principle = ProximityWindow::new(decimal("15"), decimal("15"), 4).unwrap();
    assert_eq!(principle.nearest(&test.attained(&whole)).as_deref(), Some("proximity-window(15, 15, 2)"));
}

#[test]
fn parts_need_m_values_each() {
    let (domain, whole) = column(&["1", "2", "3", "4"]);
    let test = bound("proximity-window(0, 0, 2)", &domain, &whole);
    assert!(test.divisible(&whole) && !test.divisible(&Bag::from_codes([1, 2, 3])));
    assert!(test.divisible(&Bag::from_codes([1, 1, 2, 2])) && !test.divisible(&Bag::from_codes([1, 1, 1, 2])));
}

#[test]
fn only_numbers_lie_in_windows() {
    let requirement: Requirement = "proximity-window(1, 1, 2)".parse().unwrap();
    for domain in [Domain::nominal(vec!["a".into()]), Domain::ordinal(vec!["a".into()]), Domain::dates(vec![0, 2])] {
        let error = requirement.principle().bind(&domain, &Bag::default()).unwrap_err().to_string();
        assert!(error.contains("proximity needs numbers, and the column is"), "{error}");
    }
}

/// What is said of a table that is infeasible.
fn refusal(notation: &str, numbers: &[&str]) -> String {
    let (domain, whole) = column(numbers);
    let pay = Attribute { name: "pay".into(), role: Role::Sensitive, domain };
    let schema = Schema::new(vec![pay]).unwrap();
    let bound = BoundRequirements::bind(&[notation.parse().unwrap()], &schema, |_| whole.clone()).unwrap();
    match bound.feasible(Group { size: whole.size(), bags: &[whole] }) {
        Err(Error::Infeasible { reason, allows, .. }) => format!("{reason}: {allows}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_infeasible_is_refused_with_two_ways_out() {
    let numbers = ["770", "780", "795", "900"];
    for (notation, said) in [
        (
            "proximity-window(5, 30, 2)",
            "75 % of the rows have numbers of `pay` within 35 of one another: the data allows at most \
             `proximity-window(5, 30, 1)` or `proximity-window(5, 19, 2)`",
        ),
        ("proximity-window(30, 5, 2)", "or `proximity-window(19, 5, 2)`"),
        // Where the shorter side alone is too long, both sides are halved.
        ("proximity-window(30, 31, 2)", "or `proximity-window(12, 12, 2)`"),
        ("proximity-window(5.5, 6, 4)", "`proximity-window(5.5, 6, 2)` or `proximity-window(4.5, 4.5, 4)`"),
        ("proximity-window(0.5, 20, 4)", "or `proximity-window(0.5, 8.5, 4)`"),
        (
            "proximity-window(0, 0, 5)",
            "25 % of the rows have numbers of `pay` within 0 of one another, and no window is short enough for m = 5: \
             the data allows at most `proximity-window(0, 0, 4)`",
        ),
    ] {
        let text = refusal(notation, &numbers);
        assert!(text.contains(said), "{notation}: {text}");
    }
    let text = refusal("proximity-window(1, 1, 2)", &["", "", "770"]);
    assert_eq!(
        text,
        "66.67 % of the rows have no number in `pay`, and no window is short enough for m = 2: the data allows at most \
         `proximity-window(1, 1, 1)`"
    );
    let long = "9999999999999999999999999999999999999";
    let text = refusal(&format!("proximity-window({long}, 0.001, 2)"), &["770", "780", "795"]);
    assert!(text.contains(&format!("within {long} + 0.001 of one another")), "{text}");
}
