//! The worked example of paper 4.

use super::*;

/// Table 1a: age, sex and disease of eight patients.
fn table1a() -> Table {
    let ages = [21, 23, 38, 40, 41, 43, 58, 60];
    let schema = Schema::new(vec![
        Attribute { name: "Age".into(), role: Role::Quasi, domain: numbers(ages.map(|age: i32| age.to_string())) },
        Attribute { name: "Sex".into(), role: Role::Quasi, domain: Domain::nominal(vec!["F".into(), "M".into()]) },
        Attribute {
            name: "Disease".into(),
            role: Role::Sensitive,
            domain: Domain::nominal(vec!["bronchitis".into(), "pneumonia".into()]),
        },
    ]);
    let pairs = |one: Code, two: Code| [one, one, two, two, one, one, two, two].into_iter().collect::<Codes>();
    Table::new(schema.unwrap(), vec![(1..=8).collect(), pairs(2, 1), pairs(2, 1)], 8).unwrap()
}

#[test]
fn paper4_table3() {
    let table = table1a();
    let bound = bound(&table, &["frequency-l-diversity(2)"]);
    for variant in [Variant::Ours, Variant::Paper] {
        for profile in [Profile::MaxUtility, Profile::Standard, Profile::Hardened] {
            let angel = Angel { k: 2, variant, profile };
            let buckets = buckets(&angel, &table, 5);
            let mut groups: Vec<Vec<u32>> = buckets.groups().map(<[u32]>::to_vec).collect();
            groups.iter_mut().for_each(|group| group.sort_unstable());
            groups.sort_unstable();
            assert_eq!(groups, [[0, 1], [2, 3], [4, 5], [6, 7]], "{angel:?}");
            let batches = batches(&angel, &table, &bound, &buckets, 5).unwrap();
            assert!(batches.groups().all(|rows| holds(&table, &bound, rows)));
            // The paper's four batches of two; cuts of attributes alone cannot reach them.
            let expected = if variant == Variant::Ours { 4 } else { 2 };
            assert_eq!(batches.n_groups(), expected, "{angel:?}");
        }
    }
}
