//! Buckets are large enough, lose no row, and their boxes have no point in common.

use super::*;

/// True if the boxes of two groups share a point.
fn overlap(table: &Table, one: &[u32], two: &[u32]) -> bool {
    quasi(table).into_iter().all(|column| {
        let other = points(table, column, two);
        points(table, column, one).iter().any(|point| other.contains(point))
    })
}

/// True if a box shows `*` for null among values.
fn has_star(table: &Table, rows: &[u32]) -> bool {
    quasi(table).into_iter().any(|column| {
        let held = codes(table, column, rows);
        held.clone().any(|code| code == 0) && held.clone().any(|code| code > 0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn buckets_are_disjoint_boxes(table in tables(true), angel in angels()) {
        let Ok(partition) = angel.buckets(&table, &quasi(&table), &Coins::from_seed(1), Monitor::silent()) else {
            prop_assert!((table.n_rows() as u64) < angel.k);
            return Ok(());
        };
        prop_assert_eq!(partition.n_suppressed(), 0);
        prop_assert!(partition.groups().all(|rows| rows.len() as u64 >= angel.k));
        if angel.variant == Variant::Ours {
            let groups: Vec<&[u32]> = partition.groups().filter(|rows| !has_star(&table, rows)).collect();
            for (i, one) in groups.iter().enumerate() {
                prop_assert!(groups[..i].iter().all(|two| !overlap(&table, one, two)));
            }
        }
    }

    #[test]
    fn buckets_over_some_columns_follow_these_alone(table in tables(true), angel in angels()) {
        let columns = &quasi(&table)[..1];
        if let Ok(partition) = angel.buckets(&table, columns, &Coins::from_seed(1), Monitor::silent()) {
            prop_assert!(partition.groups().all(|rows| rows.len() as u64 >= angel.k));
            // Rows that agree in them stay together.
            let mut home = std::collections::BTreeMap::new();
            for (bucket, rows) in partition.groups().enumerate() {
                for code in codes(&table, columns[0], rows) {
                    prop_assert_eq!(*home.entry(code).or_insert(bucket), bucket);
                }
            }
        }
    }

    #[test]
    fn with_one_row_a_bucket_has_no_gaps(table in tables(true), profile in angels()) {
        let angel = Angel { k: 1, variant: Variant::Ours, ..profile };
        for rows in buckets(&angel, &table, 1).groups() {
            // A cut at a gap leaves both parts with fewer points, and so gains. Children of a hierarchy's node that are not
            // held cannot be left out, and null among values is a star whatever else is held.
            let cut_freely = |column: &usize| table.attribute(*column).domain.hierarchy().is_none();
            for column in quasi(&table).into_iter().filter(cut_freely) {
                let held = codes(&table, column, rows).collect::<std::collections::BTreeSet<_>>();
                if !held.contains(&0) {
                    prop_assert_eq!(points(&table, column, rows).len(), held.len());
                }
            }
        }
    }
}

#[test]
fn too_few_rows_for_a_bucket_are_refused() {
    let attribute = Attribute { name: "q".into(), role: Role::Quasi, domain: domain(0, 3) };
    let table = Table::new(Schema::new(vec![attribute]).unwrap(), vec![[1, 2, 3].into_iter().collect()], 3).unwrap();
    for variant in [Variant::Ours, Variant::Paper] {
        let angel = Angel { k: 4, variant, profile: Profile::Standard };
        let error = angel.buckets(&table, &[0], &Coins::from_seed(1), Monitor::silent()).unwrap_err().to_string();
        assert!(error.contains("angel_k") && error.contains("the table has 3"), "{error}");
        let none = Angel { k: 1, ..angel }.buckets(&table, &[], &Coins::from_seed(1), Monitor::silent()).unwrap_err();
        assert!(none.to_string().contains("quasi"), "{none}");
    }
}
