//! Batches satisfy every monotone principle, and others are refused.

use super::*;

/// Sets of monotone requirements.
const MONOTONE: [&[&str]; 19] = [
    &["k-anonymity(3)"],
    &["s: distinct-l-diversity(2)"],
    &["s: distinct-l-diversity(3)", "k-anonymity(5)"],
    &["s: frequency-l-diversity(2)"],
    &["s: frequency-l-diversity(3)"],
    &["s: frequency-l-diversity(2.5)"],
    &["frequency-l-diversity(2)"],
    &["s: entropy-l-diversity(1.5)"],
    &["s: entropy-l-diversity(2.5)", "s: frequency-l-diversity(2)"],
    &["s: recursive-l-diversity(2, 2)"],
    &["s: recursive-l-diversity(0.5, 2)"],
    &["s: alpha-k-anonymity(0.6, 3)"],
    &["s: t-closeness(0.3)"],
    &["s: beta-likeness(0.7)"],
    &["s: delta-disclosure(0.9)"],
    &["t: t-closeness(0.2, ordered)", "s: distinct-l-diversity(2)"],
    &["t: ke-anonymity(2, 3)"],
    &["t: variance(2)"],
    &["t: ke-anonymity(3, 1)", "s: frequency-l-diversity(2)"],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_batch_passes_and_no_row_is_lost(
        table in tables(true), angel in angels(), texts in prop::sample::select(MONOTONE.to_vec()),
    ) {
        let bound = bound(&table, texts);
        let angel = Angel { k: angel.k.min(table.n_rows() as u64), ..angel };
        let buckets = buckets(&angel, &table, 1);
        let all: Vec<u32> = (0..table.n_rows() as u32).collect();
        match batches(&angel, &table, &bound, &buckets, 1) {
            Ok(batches) => {
                prop_assert_eq!(batches.n_suppressed(), 0);
                for rows in batches.groups() {
                    prop_assert!(holds(&table, &bound, rows));
                }
            }
            Err(error) => prop_assert!(!holds(&table, &bound, &all), "{error}"),
        }
    }

    /// As long as the whole passes, batches of an l-diversity have fewer than 2l rows.
    #[test]
    fn diverse_batches_are_small(table in tables(true), angel in angels(), l in 1u64..5) {
        let bound = bound(&table, &[&format!("s: frequency-l-diversity({l})")]);
        let angel = Angel { k: 1, variant: Variant::Ours, ..angel };
        let buckets = buckets(&angel, &table, 1);
        if let Ok(batches) = batches(&angel, &table, &bound, &buckets, 1) {
            for rows in batches.groups() {
                prop_assert!((l..2 * l).contains(&(rows.len() as u64)));
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_batches(table in tables(true), angel in angels()) {
        let bound = bound(&table, &["s: frequency-l-diversity(2)"]);
        let angel = Angel { k: angel.k.min(table.n_rows() as u64), ..angel };
        let once = buckets(&angel, &table, 7);
        prop_assert_eq!(&once, &buckets(&angel, &table, 7));
        if let Ok(first) = batches(&angel, &table, &bound, &once, 7) {
            prop_assert_eq!(first, batches(&angel, &table, &bound, &once, 7).unwrap());
        }
    }
}

#[test]
fn requirements_that_joined_batches_may_fail_are_refused() {
    let attribute = |name: &str, role| Attribute { name: name.into(), role, domain: domain(0, 4) };
    let schema = Schema::new(vec![attribute("q", Role::Quasi), attribute("t", Role::Sensitive)]).unwrap();
    let codes: Codes = [1, 2, 3, 4].into_iter().collect();
    let table = Table::new(schema, vec![codes.clone(), codes], 4).unwrap();
    for variant in [Variant::Ours, Variant::Paper] {
        let angel = Angel { k: 1, variant, profile: Profile::Standard };
        let buckets = buckets(&angel, &table, 1);
        let refused =
            |texts: &[&str]| batches(&angel, &table, &bound(&table, texts), &buckets, 1).unwrap_err().to_string();
        let error = refused(&["k-anonymity(2)", "proximity-absolute(1, 2)"]);
        assert!(error.contains("proximity-absolute(1, 2)") && error.contains("proximity-window(e1, e2, m)"), "{error}");
        let infeasible = refused(&["frequency-l-diversity(5)"]);
        assert!(infeasible.contains("frequency-l-diversity(5)"), "{infeasible}");
    }
}
