use super::*;
use crate::*;
use proptest::prelude::*;

fn refusal(text: &str) -> String {
    let error = text.parse::<Requirement>().unwrap_err();
    assert_eq!(error.exit_code(), 2, "{text}");
    error.to_string()
}

#[test]
fn canonical_forms() {
    for (text, canonical) in [
        ("k-anonymity(10)", "k-anonymity(10)"),
        (" k-anonymity ( 1e1 ) ", "k-anonymity(10)"),
        ("k-anonymity(10.0)", "k-anonymity(10)"),
        ("distinct-l-diversity(+3)", "distinct-l-diversity(3)"),
        ("frequency-l-diversity(3)", "frequency-l-diversity(3)"),
        ("frequency-l-diversity(2.50)", "frequency-l-diversity(2.5)"),
        ("entropy-l-diversity(1)", "entropy-l-diversity(1)"),
        ("recursive-l-diversity(2.0,3)", "recursive-l-diversity(2, 3)"),
        ("t-closeness(.2)", "t-closeness(0.2)"),
        ("t-closeness(0.2, equal)", "t-closeness(0.2)"),
        ("t-closeness(0.2,ordered)", "t-closeness(0.2, ordered)"),
        ("t-closeness(1, hierarchical)", "t-closeness(1, hierarchical)"),
        ("alpha-k-anonymity(0.3, 5)", "alpha-k-anonymity(0.3, 5)"),
        ("salary:proximity-absolute(4500,5)", "salary: proximity-absolute(4500, 5)"),
        ("proximity-relative(0.125, 5)", "proximity-relative(0.125, 5)"),
        ("proximity-interval(20, 10000, 2)", "proximity-interval(20, 10000, 2)"),
        ("pay: proximity-window(.5,1e4,2)", "pay: proximity-window(0.5, 10000, 2)"),
        ("dissimilarity(0.1, 0.8, 10)", "dissimilarity(0.1, 0.8, 10)"),
        ("ke-anonymity(4, 100)", "ke-anonymity(4, 100)"),
        ("variance(2500)", "variance(2500)"),
        ("hourly pay : net : variance(0)", "hourly pay : net: variance(0)"),
        ("income (usd): variance(1)", "income (usd): variance(1)"),
        ("größe ✓: k-anonymity(2)", "größe ✓: k-anonymity(2)"),
        ("k-anonymity(3): variance(1)", "k-anonymity(3): variance(1)"),
        ("epsilon-m-anonymity(4500, 5)", "proximity-absolute(4500, 5)"),
        ("pay: em-anonymity(4500, 5)", "pay: proximity-absolute(4500, 5)"),
        ("proximity(5, 2)", "proximity-absolute(5, 2)"),
        ("xcolor(.1, .8, 10)", "dissimilarity(0.1, 0.8, 10)"),
        ("k-e-anonymity(4, 100)", "ke-anonymity(4, 100)"),
        ("(k,e)-anonymity(4, 100)", "ke-anonymity(4, 100)"),
        ("net pay: ( k, e )-anonymity (4, 100)", "net pay: ke-anonymity(4, 100)"),
        ("(epsilon, delta)^k-dissimilarity(0, 0.5, 2)", "dissimilarity(0, 0.5, 2)"),
    ] {
        let requirement: Requirement = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(requirement.to_string(), canonical, "{text}");
        assert_eq!(canonical.parse::<Requirement>().unwrap(), requirement);
    }
    let named: Requirement = "a:b : variance(1)".parse().unwrap();
    assert_eq!(named.column.as_deref(), Some("a:b"));
    assert_eq!(Requirement::new(*named.get::<Variance>().unwrap()).on(" a:b "), named);
}

#[test]
fn equal_requirements_hash_alike() {
    let set: std::collections::HashSet<Requirement> =
        ["k-anonymity(3)", "k-anonymity(3.0)", "t-closeness(0.20)", "t-closeness(0.2, equal)"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
    assert_eq!(set.len(), 2);
}

#[test]
fn refusals_say_what_to_write() {
    for (text, said) in [
        ("", "there is nothing to read; hint: for example `k-anonymity(10)`"),
        ("  ", "there is nothing to read"),
        ("k-anonimity(3)", "there is no principle `k-anonimity`; hint: did you mean `k-anonymity`?"),
        ("K-Anonymity(3)", "hint: did you mean `k-anonymity`?"),
        (
            "l-diversity(3)",
            "hint: one of distinct-l-diversity, frequency-l-diversity, entropy-l-diversity, recursive-l-diversity",
        ),
        ("em-anonimity(1, 2)", "did you mean `em-anonymity`?"),
        ("differential privacy(1)", "hint: one of k-anonymity, distinct-l-diversity,"),
        ("(3)", "there is no principle ``"),
        ("salary: varience(3)", "did you mean `variance`?"),
        ("k-anonymity", "the parameters in parentheses are missing; hint: for example `k-anonymity(10)`"),
        ("t-closeness 0.2", "missing; hint: for example `t-closeness(0.2, ordered)`"),
        ("salary: variance=3", "missing; hint: for example `variance(2500)`"),
        ("k-anonymity(10", "the closing `)` is missing"),
        ("k-anonymity 10)", "the parameters in parentheses are missing"),
        ("k-anonymity((10)", "the parentheses do not match"),
        ("k-anonymity(10))", "there is text after the closing `)`: `)`"),
        ("k-anonymity(10) please", "there is text after the closing `)`: `please`"),
        ("k-anonymity(10), variance(3)", "more than one requirement; hint: give each requirement by itself"),
        (": variance(3)", "the name of the column before `:` is empty"),
        ("k-anonymity()", "k-anonymity takes 1 parameter (k), not 0; hint: for example `k-anonymity(10)`"),
        ("k-anonymity(1, 2)", "takes 1 parameter (k), not 2"),
        (
            "recursive-l-diversity(2)",
            "takes 2 parameters (c, l), not 1; hint: for example `recursive-l-diversity(2, 3)`",
        ),
        ("t-closeness()", "takes 1 or 2 parameters (t, ground distance), not 0"),
        ("proximity-interval(1, 2)", "takes 3 parameters (e1, e2, m), not 2"),
        ("ke-anonymity(4,)", "e is missing"),
        ("k-anonymity(ten)", "k must be a whole number, 1 or more, and `ten` is not an exact decimal"),
        ("t-closeness(NaN)", "`NaN` is not an exact decimal"),
        ("t-closeness(inf)", "`inf` is not an exact decimal"),
        ("variance(1e400)", "`1e400` is not an exact decimal"),
        ("k-anonymity(1e30)", "k is larger than any table"),
        ("k-anonymity(0)", "requirement `k-anonymity(0)`: k must be a whole number, 1 or more; hint: for example"),
        ("k-anonymity(-1)", "k must be a whole number, 1 or more"),
        ("k-anonymity(2.5)", "k must be a whole number, 1 or more"),
        ("distinct-l-diversity(2.5)", "l must be a whole number, 1 or more"),
        ("frequency-l-diversity(0.9)", "l must be a number, 1 or more"),
        ("entropy-l-diversity(0)", "l must be a number, 1 or more"),
        ("recursive-l-diversity(0, 3)", "c must be a number above 0"),
        ("recursive-l-diversity(1, 1)", "l must be a whole number, 2 or more"),
        ("t-closeness(1.1)", "t must be a number from 0 to 1"),
        ("t-closeness(-0.1)", "t must be a number from 0 to 1"),
        ("t-closeness(0.2, order)", "must be `equal`, `ordered` or `hierarchical`; hint: did you mean `ordered`?"),
        ("t-closeness(0,2)", "hint: decimals are written with a point, as in 0.2"),
        ("alpha-k-anonymity(0, 5)", "alpha must be a number above 0 and at most 1"),
        ("alpha-k-anonymity(1.5, 5)", "alpha must be a number above 0 and at most 1"),
        ("alpha-k-anonymity(0.5, 0)", "k must be a whole number, 1 or more"),
        ("proximity-absolute(-1, 5)", "epsilon must be a number, 0 or more"),
        ("proximity-absolute(1, 0)", "m must be a whole number, 1 or more"),
        ("proximity-relative(1, 5)", "epsilon must be a number from 0 to below 1"),
        ("proximity-interval(1, -2, 5)", "e2 must be a number, 0 or more"),
        ("proximity-window(-1, 2, 5)", "e1 must be a number, 0 or more"),
        ("proximity-window(1, 2, 0.5)", "m must be a whole number, 1 or more"),
        ("proximity-windows(1, 2, 3)", "did you mean `proximity-window`?"),
        ("dissimilarity(0.1, 1.1, 5)", "delta must be a number from 0 to 1"),
        ("ke-anonymity(0, 5)", "k must be a whole number, 1 or more"),
        ("ke-anonymity(3, -5)", "e must be a number, 0 or more"),
        ("variance(-1)", "t must be a number, 0 or more"),
    ] {
        let error = refusal(text);
        assert!(error.starts_with("requirement") && error.contains(said), "{text}: {error}");
    }
}

fn decimal(least: i64, most: i64) -> impl Strategy<Value = Decimal> {
    (0u8..9).prop_flat_map(move |scale| {
        let unit = 10i64.pow(scale.into());
        (least * unit..=most * unit).prop_map(move |mantissa| Decimal::new(mantissa.into(), scale))
    })
}

fn any_requirement() -> impl Strategy<Value = Requirement> {
    let whole = || 2u64..;
    let any = || decimal(0, 1_000_000);
    let share = || decimal(0, 1);
    prop_oneof![
        whole().prop_map(|k| Requirement::new(KAnonymity::new(k).unwrap())),
        whole().prop_map(|l| Requirement::new(DistinctLDiversity::new(l).unwrap())),
        decimal(1, 1000).prop_map(|l| Requirement::new(FrequencyLDiversity::new(l).unwrap())),
        decimal(1, 1000).prop_map(|l| Requirement::new(EntropyLDiversity::new(l).unwrap())),
        (decimal(1, 9), whole()).prop_map(|(c, l)| Requirement::new(RecursiveLDiversity::new(c, l).unwrap())),
        (share(), 0usize..3).prop_map(|(t, i)| Requirement::new(TCloseness::new(t, Ground::ALL[i]).unwrap())),
        (1i64..=1000, whole()).prop_map(|(alpha, k)| {
            Requirement::new(AlphaKAnonymity::new(Decimal::new(alpha.into(), 3), k).unwrap())
        }),
        (any(), whole()).prop_map(|(e, m)| Requirement::new(ProximityAbsolute::new(e, m).unwrap())),
        (0i64..1000, whole())
            .prop_map(|(e, m)| { Requirement::new(ProximityRelative::new(Decimal::new(e.into(), 3), m).unwrap()) }),
        (any(), any(), whole()).prop_map(|(a, b, m)| Requirement::new(ProximityInterval::new(a, b, m).unwrap())),
        (any(), any(), whole()).prop_map(|(a, b, m)| Requirement::new(ProximityWindow::new(a, b, m).unwrap())),
        (any(), share(), whole()).prop_map(|(e, d, k)| Requirement::new(Dissimilarity::new(e, d, k).unwrap())),
        (whole(), any()).prop_map(|(k, e)| Requirement::new(KeAnonymity::new(k, e).unwrap())),
        any().prop_map(|t| Requirement::new(Variance::new(t).unwrap())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn printing_and_reading_gives_the_same(mut requirement in any_requirement(), column in proptest::option::of("\\PC{0,12}")) {
        requirement.column = column.map(|name| name.trim().to_string()).filter(|name| !name.is_empty());
        prop_assert_eq!(requirement.to_string().parse::<Requirement>(), Ok(requirement));
    }

    #[test]
    fn what_is_read_prints_to_something_that_reads_the_same(
        column in "([a(): ]{0,4}:)?", name in "(k-anonymity|t-closeness|variance|ke-anonymity)", inside in "[-+0-9.e, ordequal]{0,8}",
    ) {
        let text = format!("{column}{name}({inside})");
        if let Ok(requirement) = text.parse::<Requirement>() {
            prop_assert_eq!(requirement.to_string().parse::<Requirement>(), Ok(requirement));
        }
    }

    #[test]
    fn never_panics(text in any::<String>()) {
        let _ = text.parse::<Requirement>();
    }

    #[test]
    fn never_panics_on_what_looks_right(text in "[a-z: -]{0,9}(k-anonymity|t-closeness|variance)?[(),0-9.eE:+-]{0,12}") {
        let _ = text.parse::<Requirement>();
    }
}
