//! What is suggested instead of the impossible is possible, and no message shows a sensitive value.

use proptest::prelude::*;
use scumble_principle::{BoundRequirements, Group, Requirement};
use scumble_table::{Attribute, Bag, Code, Decimal, Domain, Error, Role, Schema};

/// Two sensitive columns, of secret numbers and of secret labels.
fn schema() -> Schema {
    let numbers = (0..6).map(|i| Decimal::from(770_001 + 13 * i)).collect();
    let labels = (0..6).map(|i| format!("secret{i}").into()).collect();
    let column = |name: &str, domain| Attribute { name: name.into(), role: Role::Sensitive, domain };
    Schema::new(vec![column("pay", Domain::numbers(numbers).unwrap()), column("ill", Domain::nominal(labels))]).unwrap()
}

fn check(requirement: &Requirement, bags: &[Bag; 2]) -> Result<(), Error> {
    let bound = BoundRequirements::bind(std::slice::from_ref(requirement), &schema(), |at| bags[at].clone())?;
    bound.feasible(Group { size: bags[0].size(), bags })
}

fn strict() -> impl Strategy<Value = String> {
    let principle = prop_oneof![
        (1u64..40).prop_map(|k| format!("k-anonymity({k})")),
        (1u64..9).prop_map(|l| format!("distinct-l-diversity({l})")),
        (100u32..900).prop_map(|l| format!("frequency-l-diversity({})", f64::from(l) / 100.0)),
        (100u32..900).prop_map(|l| format!("entropy-l-diversity({})", f64::from(l) / 100.0)),
        (1u32..300, 2u64..8).prop_map(|(c, l)| format!("recursive-l-diversity({}, {l})", f64::from(c) / 100.0)),
        (1u32..=100, 1u64..40).prop_map(|(alpha, k)| format!("alpha-k-anonymity({}, {k})", f64::from(alpha) / 100.0)),
        (0u32..=100).prop_map(|t| format!("t-closeness({})", f64::from(t) / 100.0)),
        (0u32..=100).prop_map(|b| format!("beta-likeness({}, enhanced-two-sided)", f64::from(b) / 100.0)),
        (1u32..=100).prop_map(|d| format!("delta-disclosure({})", f64::from(d) / 100.0)),
    ];
    let on_pay = prop_oneof![
        (0u32..4000).prop_map(|t| format!("pay: variance({})", f64::from(t) / 2.0)),
        (1u64..9, 0u32..140).prop_map(|(k, e)| format!("pay: ke-anonymity({k}, {})", f64::from(e) / 2.0)),
        (0u32..=100).prop_map(|t| format!("pay: t-closeness({}, ordered)", f64::from(t) / 100.0)),
        (0u32..70, 0u32..70, 1u64..9).prop_map(|(a, b, m)| format!(
            "pay: proximity-window({}, {}, {m})",
            f64::from(a) / 2.0,
            f64::from(b) / 2.0
        )),
    ];
    prop_oneof![8 => (prop_oneof![Just(""), Just("pay: "), Just("ill: ")], principle).prop_map(|(c, p)| format!("{c}{p}")), 2 => on_pay]
}

fn columns() -> impl Strategy<Value = [Bag; 2]> {
    // Skewed picks, so that frequent values and missing ones both occur.
    let code = || (0u32..7, 0u32..7).prop_map(|(a, b)| (a.min(b)) as Code);
    proptest::collection::vec((code(), code()), 1..30)
        .prop_map(|rows| [Bag::from_codes(rows.iter().map(|r| r.0)), Bag::from_codes(rows.iter().map(|r| r.1))])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn suggestions_are_feasible(bags in columns(), text in strict()) {
        let requirement: Requirement = text.parse().unwrap();
        match check(&requirement, &bags) {
            Ok(()) => {}
            Err(error @ Error::Infeasible { .. }) => {
                let message = error.to_string();
                prop_assert!(!message.contains("secret") && !message.contains("7700"), "{}", message);
                let Error::Infeasible { allows, .. } = error else { unreachable!() };
                if allows.contains("allows no") {
                    prop_assert!(text.contains("recursive") && bags.iter().any(|bag| bag.distinct() == 1), "{}", message);
                } else {
                    let suggested = allows.split('`').nth(1).unwrap();
                    let suggested: Requirement = suggested.parse().unwrap();
                    prop_assert_eq!(&suggested.column, &requirement.column);
                    prop_assert_eq!(suggested.name(), requirement.name());
                    prop_assert_eq!(check(&suggested, &bags), Ok(()), "{}", message);
                    prop_assert_eq!(&suggested.to_string().parse::<Requirement>().unwrap(), &suggested);
                    prop_assert!(is_nearest(&suggested, &bags), "{}", message);
                }
            }
            Err(other) => prop_assert!(false, "{}: {}", text, other),
        }
    }
}

/// One step beyond the suggestion is impossible, where there is a single parameter to step.
fn is_nearest(suggested: &Requirement, bags: &[Bag; 2]) -> bool {
    let text = suggested.to_string();
    let (head, tail) = text.rsplit_once('(').unwrap();
    let beyond = match suggested.name() {
        "k-anonymity" | "distinct-l-diversity" => tail.trim_end_matches(')').parse::<u64>().unwrap() as f64 + 1.0,
        "frequency-l-diversity" | "entropy-l-diversity" | "variance" => {
            tail.trim_end_matches(')').parse::<f64>().unwrap() + 0.0002
        }
        _ => return true,
    };
    check(&format!("{head}({beyond})").parse().unwrap(), bags).is_err()
}
