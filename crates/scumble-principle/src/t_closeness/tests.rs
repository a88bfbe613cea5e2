use super::*;
use scumble_table::Hierarchy;
use std::sync::Arc;

fn test(t: &str, ground: Ground, domain: &Domain, whole: &Bag) -> Box<dyn Test> {
    TCloseness::new(Decimal::parse(t).unwrap(), ground).unwrap().bind(domain, whole).unwrap()
}

fn bag(codes: &[u32]) -> Bag {
    Bag::from_codes(codes.iter().copied())
}

fn figure(ground: Ground, domain: &Domain, whole: &Bag, group: &Bag) -> String {
    test("1", ground, domain, whole).attained(group).figure("t").unwrap().to_string()
}

fn salaries() -> (Domain, Bag) {
    (Domain::numbers((3..=11).map(Decimal::from).collect()).unwrap(), Bag::from_codes(1..=9))
}

fn diseases() -> Domain {
    let rows: Vec<Vec<String>> = ["flu;lungs;*", "cold;lungs;*", "ulcer;stomach;*", "gastritis;stomach;*"]
        .iter()
        .map(|line| line.split(';').map(String::from).collect())
        .collect();
    let tree = Arc::new(Hierarchy::from_rows("d.csv", &rows, &[1, 2, 3, 4]).unwrap());
    // Codes by text: cold 1, flu 2, gastritis 3, ulcer 4.
    Domain::nominal(rows.iter().map(|row| row[0].as_str().into()).collect())
        .with_hierarchy("d.csv", "disease", tree)
        .unwrap()
}

#[test]
fn salaries_of_the_paper() {
    let (domain, whole) = salaries();
    let (low, spread) = (bag(&[1, 2, 3]), bag(&[4, 6, 9]));
    assert_eq!(figure(Ground::Ordered, &domain, &whole, &low), "0.375");
    assert_eq!(figure(Ground::Ordered, &domain, &whole, &spread), "0.1667");
    assert_eq!(figure(Ground::Equal, &domain, &whole, &low), "0.6667");
    assert!(test("0.375", Ground::Ordered, &domain, &whole).holds(&low));
    assert!(!test("0.3749999999999999999999999999999999", Ground::Ordered, &domain, &whole).holds(&low));
    assert!(test("0.1666666666666666666666666666666667", Ground::Ordered, &domain, &whole).holds(&spread));
    assert!(!test("0.1666666666666666666666666666666666", Ground::Ordered, &domain, &whole).holds(&spread));
}

#[test]
fn diseases_under_a_tree() {
    let domain = diseases();
    let whole = bag(&[1, 2, 3, 4]);
    // Half of the earth moves within one branch (1/2), or all of the other branch's across (1).
    assert_eq!(figure(Ground::Hierarchical, &domain, &whole, &bag(&[1, 3])), "0.25");
    assert_eq!(figure(Ground::Hierarchical, &domain, &whole, &bag(&[1, 2])), "0.5");
    assert_eq!(figure(Ground::Hierarchical, &domain, &whole, &bag(&[1])), "0.625");
    assert_eq!(figure(Ground::Hierarchical, &domain, &whole, &whole), "0");
    let with_null = bag(&[0, 1, 2, 3]);
    // Null is as far from everything as the branches are from each other.
    assert_eq!(figure(Ground::Hierarchical, &domain, &with_null, &bag(&[0])), "0.75");
    assert_eq!(figure(Ground::Hierarchical, &domain, &with_null, &bag(&[1, 2, 3])), "0.25");
}

#[test]
fn the_whole_is_at_no_distance_from_itself() {
    let domain = diseases();
    for codes in [&[1][..], &[0], &[0, 0, 2], &[1, 2, 2, 4]] {
        let whole = bag(codes);
        for ground in [Ground::Equal, Ground::Hierarchical] {
            assert!(test("0", ground, &domain, &whole).holds(&whole));
        }
    }
    let (domain, _) = salaries();
    for codes in [&[4][..], &[0], &[0, 9, 9], &[1, 2, 2, 4]] {
        assert!(test("0", Ground::Ordered, &domain, &bag(codes)).holds(&bag(codes)));
    }
}

#[test]
fn ranks_count_only_values_that_occur() {
    let (domain, _) = salaries();
    // 3k and 11k are neighbours in a table of these two; null ranks first.
    assert_eq!(figure(Ground::Ordered, &domain, &bag(&[1, 9]), &bag(&[1])), "0.5");
    assert_eq!(figure(Ground::Ordered, &domain, &bag(&[0, 1, 9]), &bag(&[0])), "0.5");
    assert_eq!(figure(Ground::Ordered, &domain, &bag(&[0, 1, 9]), &bag(&[1])), "0.3334");
}

#[test]
fn groups_from_elsewhere_fail() {
    let (domain, _) = salaries();
    let whole = bag(&[1, 2, 2]);
    let diseases = diseases();
    for foreign in [bag(&[]), bag(&[3]), bag(&[1, 77])] {
        assert!(!test("1", Ground::Equal, &domain, &whole).holds(&foreign));
        assert!(!test("1", Ground::Ordered, &domain, &whole).holds(&foreign));
        assert!(!test("1", Ground::Hierarchical, &diseases, &whole).holds(&foreign));
    }
    assert!(!test("1", Ground::Equal, &domain, &bag(&[])).holds(&bag(&[1])));
    assert!(!test("1", Ground::Ordered, &domain, &bag(&[])).holds(&bag(&[1])));
}

#[test]
fn copies_of_a_group_are_as_close_as_the_group() {
    let (domain, _) = salaries();
    let (whole, diseases) = (bag(&[1, 2, 2]), diseases());
    for (ground, domain) in [(Ground::Equal, &domain), (Ground::Ordered, &domain), (Ground::Hierarchical, &diseases)] {
        let once = figure(ground, domain, &whole, &bag(&[1, 2]));
        assert_eq!(figure(ground, domain, &whole, &bag(&[1, 1, 1, 2, 2, 2])), once);
    }
}

#[test]
fn columns_that_do_not_suit_are_refused_with_a_way_out() {
    let bind = |ground, domain: &Domain, whole: &Bag| {
        TCloseness::new(Decimal::from(1), ground).unwrap().bind(domain, whole).unwrap_err().to_string()
    };
    let nominal = Domain::nominal(vec!["a".into()]);
    let error = bind(Ground::Hierarchical, &nominal, &bag(&[1]));
    assert!(error.contains("needs a hierarchy") && error.contains("`hierarchy` COLUMN=FILE"), "{error}");
    let error = bind(Ground::Ordered, &nominal, &bag(&[1]));
    assert!(error.contains("and the column is nominal") && error.contains("`order` COLUMN=FILE"), "{error}");
    let mut crowd = Bag::default();
    crowd.refill_sorted([(0, u32::MAX), (1, 1)]);
    assert!(bind(Ground::Equal, &nominal, &crowd).contains("at most 4294967295 rows"));
    assert!(bind(Ground::Equal, &nominal, &bag(&[2])).contains("fault of scumble"));
}

#[test]
fn the_largest_tables_do_not_overflow() {
    let domain = Domain::numbers((0..4).map(Decimal::from).collect()).unwrap();
    let mut whole = Bag::default();
    whole.refill_sorted([(1, u32::MAX - 3), (2, 1), (3, 1), (4, 1)]);
    let one = "0.000000000000000000000000000000000001";
    for ground in [Ground::Equal, Ground::Ordered] {
        assert!(test("0", ground, &domain, &whole).holds(&whole));
        assert!(test("1", ground, &domain, &whole).holds(&bag(&[4])));
        assert!(!test(one, ground, &domain, &whole).holds(&bag(&[4])));
    }
}

#[test]
fn least_sizes_are_those_of_the_closest_groups() {
    let (domain, whole) = salaries();
    // The median alone is 20/9/8 = 0.2778 from the whole.
    assert_eq!(test("0.2778", Ground::Ordered, &domain, &whole).least_size(), 1);
    assert_eq!(test("0.2777", Ground::Ordered, &domain, &whole).least_size(), 2);
    assert_eq!(test("0", Ground::Ordered, &domain, &whole).least_size(), 9);
    assert_eq!(test("0", Ground::Equal, &domain, &whole).least_size(), 9);
    assert_eq!(test("0.5", Ground::Equal, &domain, &whole).least_size(), 5);
    assert_eq!(test("1", Ground::Equal, &domain, &whole).least_size(), 1);
    let tree = test("0.25", Ground::Hierarchical, &diseases(), &bag(&[1, 2, 3, 4]));
    assert_eq!(tree.least_size(), 2);
}

#[test]
fn groups_of_many_values_under_a_tree() {
    let rows: Vec<Vec<String>> =
        (0..100).map(|i| vec![format!("v{i:02}"), format!("branch{}", i % 10), "*".to_string()]).collect();
    let tree = Arc::new(Hierarchy::from_rows("v.csv", &rows, &[]).unwrap());
    let domain = Domain::nominal(rows.iter().map(|row| row[0].as_str().into()).collect());
    let domain = domain.with_hierarchy("v.csv", "v", tree).unwrap();
    let whole = Bag::from_codes((1..=100).chain(1..=100));
    assert_eq!(figure(Ground::Hierarchical, &domain, &whole, &Bag::from_codes(1..=100)), "0");
    // Seven of ten branches: three tenths of the earth cross the root.
    let seven = Bag::from_codes((1..=100).filter(|code| (code - 1) % 10 < 7));
    assert_eq!(seven.distinct(), 70);
    assert_eq!(figure(Ground::Hierarchical, &domain, &whole, &seven), "0.3");
}
