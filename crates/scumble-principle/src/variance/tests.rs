use super::*;

fn bound(t: &str, numbers: &[&str]) -> (Box<dyn Test>, Bag) {
    let values: Vec<Decimal> = numbers.iter().filter_map(|text| Decimal::parse(text)).collect();
    let domain = Domain::numbers(values).unwrap();
    let bag = Bag::from_codes(numbers.iter().map(|text| domain.code_of(text).unwrap()));
    (Variance::new(Decimal::parse(t).unwrap()).unwrap().bind(&domain, &bag).unwrap(), bag)
}

fn passes(t: &str, numbers: &[&str]) -> bool {
    let (test, bag) = bound(t, numbers);
    test.holds(&bag)
}

fn figure(numbers: &[&str]) -> String {
    let (test, bag) = bound("0", numbers);
    test.attained(&bag).figure("variance").unwrap().to_string()
}

#[test]
fn the_boundary_itself_passes() {
    // Paper 1, Table 1b, groups two and three.
    assert!(passes("16000000", &["16000", "24000"]) && !passes("16000000.0001", &["16000", "24000"]));
    assert!(passes("1000000", &["33000", "31000"]) && !passes("1000001", &["33000", "31000"]));
    assert!(passes("66.6666666666666666666666666666", &["10", "20", "30"]));
    assert!(!passes("66.6666666666666666666666666667", &["10", "20", "30"]));
    assert_eq!(figure(&["10", "20", "30"]), "66.6666");
    assert_eq!(figure(&["0.1", "0.3"]), "0.01");
}

#[test]
fn nulls_have_no_place_among_the_numbers() {
    assert!(passes("1", &["", "", "1", "3"]) && !passes("1.01", &["", "1", "3"]));
    assert!(passes("0", &["", ""]) && !passes("0.1", &["", ""]) && !passes("0", &[]));
    assert!(passes("0", &["7"]) && !passes("0.000000000000000000000000000000000001", &["7", "7"]));
}

#[test]
fn huge_and_fine_numbers_stay_exact() {
    // Two numbers 2d apart have variance d^2.
    assert!(passes("4", &["-99999999999999999999999999999999", "-99999999999999999999999999999995"]));
    assert!(!passes("4.01", &["-99999999999999999999999999999999", "-99999999999999999999999999999995"]));
    let fine = ["0.000000000000000000000000000000000001", "0.000000000000000000000000000000000003"];
    assert!(!passes("0.000000000000000000000000000000000001", &fine) && passes("0", &fine));
    let far = ["-100000000000000000000000000000000000000", "100000000000000000000000000000000000000"];
    assert!(passes("99999999999999999999999999999999999999", &far));
    assert_eq!(figure(&far).len(), 77);
    let (test, bag) = bound("99999999999999999999999999999999999999", &far);
    let nearest = Variance::new(Decimal::from(5)).unwrap().nearest(&test.attained(&bag));
    assert_eq!(nearest.as_deref(), Some("variance(5)"));
}

#[test]
fn many_rows_of_fifteen_digits_leave_128_bits_and_stay_exact() {
    let domain = Domain::numbers(vec![Decimal::from(1), Decimal::from(999_999_999_999_999)]).unwrap();
    let mut bag = Bag::default();
    bag.refill_sorted([(1, 5_000_000), (2, 5_000_000)]);
    let test = |t: &str| Variance::new(Decimal::parse(t).unwrap()).unwrap().bind(&domain, &Bag::default()).unwrap();
    assert!(test("249999999999999000000000000001").holds(&bag));
    assert!(!test("249999999999999000000000000001.0001").holds(&bag));
    assert_eq!(test("1").attained(&bag).figure("variance"), Some("249999999999999000000000000001"));
    bag.refill_sorted([(1, u32::MAX), (2, u32::MAX)]);
    assert!(test("249999999999999000000000000001").holds(&bag));
    assert!(!test("249999999999999000000000000001.0001").holds(&bag));
}

#[test]
fn only_numbers_and_dates_have_a_variance() {
    let variance = Variance::new(Decimal::from(1)).unwrap();
    let days = variance.bind(&Domain::dates(vec![0, 2]), &Bag::default()).unwrap();
    assert!(days.holds(&Bag::from_codes([1, 2])));
    for domain in [Domain::nominal(vec!["a".into()]), Domain::ordinal(vec!["a".into()])] {
        let error = variance.bind(&domain, &Bag::default()).unwrap_err().to_string();
        assert!(error.contains("a variance needs numbers or dates, and the column is"), "{error}");
    }
}

#[test]
fn a_division_needs_two_numbers_on_both_sides() {
    let (test, _) = bound("1", &["1", "2", "3"]);
    assert!(!test.divisible(&Bag::from_codes([0, 0, 1, 2, 3])) && test.divisible(&Bag::from_codes([1, 1, 2, 3])));
    assert!(!test.divisible(&Bag::from_codes([1, 1, 1, 1])));
}

#[test]
fn parts_of_the_variance_have_two_digits() {
    assert_eq!([0.0123, 1.26, 12.4, 123456.0].map(two_digits), ["0.012", "1.3", "12", "120000"]);
    // Where nothing is known, 4 is shared out.
    assert_eq!(shares_of_variance(&ColumnFacts::default()), ["0.2", "0.4", "1", "2", "3"]);
}
