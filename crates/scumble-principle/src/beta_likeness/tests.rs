use super::*;

fn bind(text: &str, whole: &[u64]) -> Box<dyn Test> {
    let requirement: crate::Requirement = text.parse().unwrap();
    let domain = Domain::nominal((1..whole.len()).map(|i| format!("v{i}").into()).collect());
    requirement.bind(&domain, &Bag::from_histogram(whole)).unwrap()
}

fn counts(counts: &[u64]) -> Bag {
    Bag::from_histogram(counts)
}

fn beta(text: &str, whole: &[u64], group: &[u64]) -> String {
    bind(text, whole).attained(&counts(group)).figure("beta").unwrap().to_string()
}

#[test]
fn parameters_have_their_range() {
    for (text, read) in [
        ("beta-likeness(0)", "beta-likeness(0)"),
        ("beta-likeness(2, basic)", "beta-likeness(2)"),
        ("basic-beta-likeness(0.50)", "beta-likeness(0.5)"),
        ("ill: beta-likeness(1e3, enhanced)", "ill: beta-likeness(1000, enhanced)"),
        ("beta-likeness(2, two-sided)", "beta-likeness(2, two-sided)"),
        ("beta-likeness(2,enhanced-two-sided)", "beta-likeness(2, enhanced-two-sided)"),
    ] {
        assert_eq!(text.parse::<crate::Requirement>().unwrap().to_string(), read);
    }
    for text in ["beta-likeness(-0.1)", "beta-likeness()", "beta-likeness(2, twosided)", "beta-likeness(2, basic, 3)"] {
        assert_eq!(text.parse::<crate::Requirement>().unwrap_err().exit_code(), 2, "{text}");
    }
    assert!(BetaLikeness::new(Decimal::from(-1), Gain::Basic).is_err());
}

/// Section 1 of the paper: the same distance of 0.1, and gains of a quarter and of ten times.
#[test]
fn cao_karras_section1_gains() {
    assert_eq!(beta("beta-likeness(1)", &[0, 400, 600], &[0, 50, 50]), "0.25");
    assert_eq!(beta("beta-likeness(1)", &[0, 10, 990], &[0, 11, 89]), "10");
}

#[test]
fn the_boundary_itself_passes() {
    // A third of the whole, all of the group: a gain of 2.
    let (whole, group) = ([0, 5, 10], counts(&[0, 4, 0]));
    assert!(bind("beta-likeness(2)", &whole).holds(&group));
    assert!(!bind("beta-likeness(1.999999999999999999999999999999)", &whole).holds(&group));
    // A tenth of the whole and 13/100 of the group: a gain of 3/10.
    let (whole, group) = ([0, 100, 900], counts(&[0, 13, 87]));
    assert!(bind("beta-likeness(0.3)", &whole).holds(&group));
    assert!(!bind("beta-likeness(0.299999999999999999999999999999)", &whole).holds(&group));
    // A loss of 1/4 and a gain of 1/12.
    let (whole, group) = ([0, 25, 75], counts(&[0, 3, 13]));
    assert_eq!(beta("beta-likeness(1, two-sided)", &whole, &[0, 3, 13]), "0.25");
    assert!(bind("beta-likeness(0.25, two-sided)", &whole).holds(&group));
    assert!(!bind("beta-likeness(0.249999999999999999999999999999, two-sided)", &whole).holds(&group));
    assert!(bind("beta-likeness(0.1)", &whole).holds(&group));
}

#[test]
fn enhanced_gains_stay_below_the_logarithm() {
    // p = 1/2: a gain is at most ln 2 = 0.6931471805599453094..., a share at most 0.84657359027997265470861606072908828.
    let whole = [0, 500_000_000, 500_000_000];
    let test = bind("beta-likeness(9, enhanced)", &whole);
    assert!(test.holds(&counts(&[0, 846_573_590, 153_426_410])));
    assert!(!test.holds(&counts(&[0, 846_573_591, 153_426_409])));
    assert!(bind("beta-likeness(9)", &whole).holds(&counts(&[0, 1, 0])) && !test.holds(&counts(&[0, 1, 0])));
    // p = 1: the gain is 0, and so is the bound.
    assert!(bind("beta-likeness(0, enhanced)", &[0, 7]).holds(&counts(&[0, 3])));
    let attained = test.attained(&counts(&[0, 3, 1]));
    assert_eq!((attained.figure("beta"), attained.figure("above_ln")), (Some("0.5"), Some("0")));
    let attained = test.attained(&counts(&[0, 1, 0]));
    assert_eq!((attained.figure("beta"), attained.figure("above_ln")), (Some("1"), Some("0.3069")));
    let principle: crate::Requirement = "beta-likeness(0.2, enhanced)".parse().unwrap();
    assert_eq!(principle.principle().nearest(&attained).as_deref(), Some("beta-likeness(1)"));
}

#[test]
fn edges() {
    for gain in Gain::NAMES {
        let test = bind(&format!("beta-likeness(0.5, {gain})"), &[2, 4, 4]);
        assert!(!test.holds(&Bag::default()), "{gain}");
        assert!(test.holds(&counts(&[1, 2, 2])) && test.holds(&counts(&[2, 4, 4])), "{gain}");
        // Null is a value: three of eight where two of ten are missing.
        assert!(!test.holds(&counts(&[3, 3, 2])), "{gain}");
        // A value that the whole lacks is no part of it.
        assert!(!test.holds(&Bag::from_codes([0, 1, 2, 9])), "{gain}");
        assert!(!test.holds(&counts(&[1])));
    }
    let alone = bind("beta-likeness(0)", &[5]);
    assert!(alone.holds(&counts(&[3])) && alone.least_size() == 1);
    // Without a bound below 1 on losses a value may be missing, with one it may not.
    let whole = [0, 1, 9];
    assert!(bind("beta-likeness(1, two-sided)", &whole).holds(&counts(&[0, 0, 9])));
    assert!(!bind("beta-likeness(0.999, two-sided)", &whole).holds(&counts(&[0, 0, 9])));
    assert_eq!(bind("beta-likeness(0.999, two-sided)", &whole).least_size(), 5);
    assert_eq!(bind("beta-likeness(1e37, enhanced-two-sided)", &whole).least_size(), 1);
    assert_eq!(bind("beta-likeness(1)", &[0, 1, 1, 1, 1, 1]).least_size(), 3);
    let message = "beta-likeness(1)".parse::<crate::Requirement>().unwrap();
    assert!(message.principle().bind(&Domain::nominal(vec![]), &Bag::from_codes([4])).is_err());
}
