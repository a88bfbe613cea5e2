use super::*;

fn bind(text: &str, whole: &[u64]) -> Box<dyn Test> {
    let requirement: crate::Requirement = text.parse().unwrap();
    let domain = Domain::nominal((1..whole.len()).map(|i| format!("v{i}").into()).collect());
    requirement.bind(&domain, &Bag::from_histogram(whole)).unwrap()
}

fn counts(counts: &[u64]) -> Bag {
    Bag::from_histogram(counts)
}

#[test]
fn parameters_have_their_range() {
    let read = |text: &str| text.parse::<crate::Requirement>().map(|requirement| requirement.to_string());
    assert_eq!(read("delta-disclosure-privacy( 1.50 )").unwrap(), "delta-disclosure(1.5)");
    assert_eq!(read("delta-disclosure(1e-36)").unwrap(), "delta-disclosure(0.000000000000000000000000000000000001)");
    for text in ["delta-disclosure(0)", "delta-disclosure(-1)", "delta-disclosure()", "delta-disclosure(1, 2)"] {
        assert_eq!(read(text).unwrap_err().exit_code(), 2, "{text}");
    }
}

#[test]
fn the_boundary_is_decided_by_digits() {
    // Twice the share: ln 2 = 0.693147180559945309417232121458176568...
    let (whole, group) = ([0, 25, 75], counts(&[0, 50, 50]));
    assert!(bind("delta-disclosure(0.693147180559945309417232121458176569)", &whole).holds(&group));
    assert!(!bind("delta-disclosure(0.693147180559945309417232121458176568)", &whole).holds(&group));
    assert!(
        !bind("delta-disclosure(0.69)", &whole).holds(&group) && bind("delta-disclosure(0.7)", &whole).holds(&group)
    );
    // Half the share.
    let (whole, group) = ([0, 50, 50, 100], counts(&[0, 25, 75, 100]));
    assert!(bind("delta-disclosure(0.693147180559945309417232121458176569)", &whole).holds(&group));
    assert!(!bind("delta-disclosure(0.693147180559945309417232121458176568)", &whole).holds(&group));
    assert_eq!(bind("delta-disclosure(9)", &whole).attained(&group).figure("delta"), Some("0.6932"));
}

#[test]
fn edges() {
    let test = bind("delta-disclosure(0.4)", &[2, 4, 4]);
    assert!(!test.holds(&Bag::default()) && test.holds(&counts(&[1, 2, 2])) && test.holds(&counts(&[2, 4, 4])));
    // Null is a value: it must occur, and not too often.
    assert!(!test.holds(&counts(&[0, 2, 2])) && !test.holds(&counts(&[3, 3, 2])));
    assert!(!test.holds(&Bag::from_codes([0, 1, 2, 9])) && !test.holds(&counts(&[1])));
    assert_eq!(test.attained(&counts(&[0, 1, 1])).figure("delta"), Some("none"));
    assert_eq!(test.attained(&Bag::default()).figure("delta"), Some("none"));
    assert_eq!(test.attained(&counts(&[2, 4, 4])).figure("delta"), Some("0.0001"));
    assert!(bind("delta-disclosure(1e-36)", &[0, 3, 6]).holds(&counts(&[0, 1, 2])));
    assert!(
        !bind("delta-disclosure(0.0000000001)", &[0, 1_000_000, 2_000_000]).holds(&counts(&[0, 1_000_001, 2_000_000]))
    );
    // However large delta is, every value must occur.
    let any = bind("delta-disclosure(1e37)", &[0, 1, 4_000_000_000]);
    assert!(any.holds(&counts(&[0, 1, 1])) && !any.holds(&counts(&[0, 0, 1])) && any.least_size() == 2);
    assert_eq!(bind("delta-disclosure(0.5)", &[0, 1, 99]).least_size(), 60);
    assert!(bind("delta-disclosure(1)", &[5]).holds(&counts(&[3])));
    let principle: crate::Requirement = "delta-disclosure(0.1)".parse().unwrap();
    assert_eq!(principle.principle().nearest(&test.attained(&counts(&[0, 1, 1]))), None);
}
