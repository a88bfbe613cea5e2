//! A test that leaves missing values out.

use crate::{Attained, Test};
use scumble_table::Bag;

/// A test put to bags without null: members of a group who have no other value are not counted. It was bound to such a bag of
/// all rows.
#[derive(Debug)]
pub(crate) struct IgnoresMissing {
    test: Box<dyn Test>,
}

impl IgnoresMissing {
    pub(crate) fn new(test: Box<dyn Test>) -> Self {
        IgnoresMissing { test }
    }

    /// What is left of a group, where it has members enough: nobody's several values stand in for people who have none.
    fn left_of(&self, group: &Bag) -> Option<Bag> {
        Some(group.without_missing()).filter(|left| left.size() >= self.test.least_size())
    }
}

/// Leaving out goes with union: what is left of two groups together is what is left of each. A group of which nothing is left
/// fails, as an empty one does, so that the union of passing groups passes wherever that is so for the test inside. How
/// narrowly a group passes cannot be told: one more value changes what is counted and of how many.
impl Test for IgnoresMissing {
    fn holds(&self, group: &Bag) -> bool {
        self.left_of(group).is_some_and(|left| self.test.holds(&left))
    }

    fn attained(&self, group: &Bag) -> Attained {
        self.test.attained(&group.without_missing())
    }

    fn divisible(&self, group: &Bag) -> bool {
        self.test.divisible(&group.without_missing())
    }

    fn monotone(&self) -> bool {
        self.test.monotone()
    }

    fn superset_closed(&self) -> bool {
        self.test.superset_closed()
    }

    fn least_size(&self) -> u64 {
        self.test.least_size()
    }

    fn generalizable(&self, group: &Bag) -> bool {
        self.left_of(group).is_some_and(|left| self.test.generalizable(&left))
    }

    fn best(&self, whole: &Bag) -> Attained {
        self.test.best(&whole.without_missing())
    }

    fn needs_values(&self) -> bool {
        self.test.needs_values()
    }

    fn ignores_missing(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::{BoundRequirements, Group, PersonMemory, Requirement};
    use proptest::prelude::*;
    use scumble_table::{Attribute, Bag, Codes, Decimal, Domain, Missing, NULL, Persons, Role, Schema, Table};
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    /// Persons and values; value 0 is missing.
    type Row = (u32, u32);

    fn table(rows: &[Row], missing: Missing) -> Table {
        let numbers = (1..=5).map(Decimal::from).collect();
        let domain = Domain::numbers(numbers).unwrap().with_missing(missing);
        let schema = Schema::new(vec![Attribute { name: "pay".into(), role: Role::Sensitive, domain }]).unwrap();
        let keys: Codes = rows.iter().map(|row| row.0 + 1).collect();
        let persons = Arc::new(Persons::from_keys(rows.len(), &[(&keys, 20)]));
        let column = rows.iter().map(|row| row.1).collect::<Codes>();
        Table::new(schema, vec![column], rows.len()).unwrap().with_persons(persons).unwrap()
    }

    /// The definition: rows without a value are not there, neither in the group nor in the whole. Members are persons, and their
    /// values a set of pairs.
    fn by_definition(text: &str, group: &[Row], whole: &[Row]) -> bool {
        let with_value = |rows: &[Row]| rows.iter().copied().filter(|row| row.1 != 0).collect::<BTreeSet<Row>>();
        let (pairs, all) = (with_value(group), with_value(whole));
        let members = pairs.iter().map(|row| row.0).collect::<BTreeSet<_>>().len() as i64;
        let mut counts: BTreeMap<u32, i64> = BTreeMap::new();
        pairs.iter().for_each(|row| *counts.entry(row.1).or_default() += 1);
        let mut by_size: Vec<i64> = counts.values().copied().collect();
        by_size.sort_unstable_by(|a, b| b.cmp(a));
        let top = by_size.first().copied().unwrap_or(0);
        if members == 0 {
            return false;
        }
        match text {
            "distinct-l-diversity(2)" => counts.len() >= 2 && members >= 2,
            "distinct-l-diversity(3)" => counts.len() >= 3 && members >= 3,
            "frequency-l-diversity(2)" => members >= 2 && 2 * top <= members,
            "recursive-l-diversity(2, 2)" => members >= 2 && top < 2 * by_size.iter().skip(1).sum::<i64>(),
            "entropy-l-diversity(2)" => {
                let n = pairs.len() as f64;
                let entropy: f64 = by_size.iter().map(|&count| count as f64 / n).map(|p| -p * p.ln()).sum();
                members >= 2 && entropy >= 2f64.ln() - 1e-9
            }
            "t-closeness(0.3)" => {
                let share = |pairs: &BTreeSet<Row>, value: u32| {
                    pairs.iter().filter(|row| row.1 == value).count() as f64 / pairs.len() as f64
                };
                (1..=5).map(|value| (share(&pairs, value) - share(&all, value)).max(0.0)).sum::<f64>() <= 0.3 + 1e-9
            }
            // Shares are of members, and every value of the whole is looked at, those that the group lacks too.
            "beta-likeness(1)" | "beta-likeness(0.5, two-sided)" | "delta-disclosure(0.7)" => {
                let everybody = all.iter().map(|row| row.0).collect::<BTreeSet<_>>().len() as f64;
                (1..=5).all(|value| {
                    let p = all.iter().filter(|row| row.1 == value).count() as f64 / everybody;
                    let q = counts.get(&value).copied().unwrap_or(0) as f64 / members as f64;
                    let within = match text {
                        "beta-likeness(1)" => q <= 2.0 * p + 1e-9,
                        "delta-disclosure(0.7)" => (q / p).ln().abs() < 0.7,
                        _ => q <= 1.5 * p + 1e-9 && q >= 0.5 * p - 1e-9,
                    };
                    p == 0.0 || within
                })
            }
            other => panic!("{other} is not written out"),
        }
    }

    const WRITTEN_OUT: [&str; 9] = [
        "distinct-l-diversity(2)",
        "distinct-l-diversity(3)",
        "frequency-l-diversity(2)",
        "recursive-l-diversity(2, 2)",
        "entropy-l-diversity(2)",
        "t-closeness(0.3)",
        "beta-likeness(1)",
        "beta-likeness(0.5, two-sided)",
        "delta-disclosure(0.7)",
    ];

    fn bound(table: &Table, text: &str) -> BoundRequirements {
        let requirement: Requirement = text.parse().unwrap();
        BoundRequirements::bind(&[requirement], table.schema(), |at| table.column_bag(at)).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        #[test]
        fn missing_values_are_left_out_as_defined(
            rows in prop::collection::vec((0u32..7, 0u32..6), 1..14),
            cut in 1usize..14,
        ) {
            // Everybody has one row.
            let alone: Vec<Row> = (0..).zip(rows.iter().map(|row| row.1)).collect();
            let n = cut.min(rows.len());
            for text in WRITTEN_OUT {
                let by_row = table(&alone, Missing::Ignore);
                let group = Bag::from_codes(alone[..n].iter().map(|row| row.1));
                let bound_rows = bound(&by_row, text);
                let holds = bound_rows.holds(Group { size: n as u64, bags: std::slice::from_ref(&group) });
                prop_assert_eq!(holds, by_definition(text, &alone[..n], &alone), "{} {:?} {}", text, alone, n);
                // Two groups that pass do so together.
                let rest = Bag::from_codes(alone[n..].iter().map(|row| row.1));
                let passes = |bag: &Bag| bound_rows.holds(Group { size: bag.size(), bags: std::slice::from_ref(bag) });
                prop_assert!(!passes(&group) || !passes(&rest) || passes(&group.union(&rest)));
                let whole = Group { size: alone.len() as u64, bags: &[group.union(&rest)] };
                prop_assert!(bound_rows.divisible(whole) || !passes(&group) || !passes(&rest));
                // Several rows each.
                let people = table(&rows, Missing::Ignore);
                let bound_people = bound(&people, text).with_people(&people, None).unwrap();
                let Some(by_person) = bound_people.by_person() else { continue };
                let holds = by_person.holds(0..n as u32, &mut PersonMemory::default());
                let defined = by_definition(text, &rows[..n], &rows);
                // Those of closeness ask for as many persons as the values that they need, which the definition does not.
                if !text.contains("diversity") {
                    prop_assert!(defined || !holds, "{text} {rows:?} {n}");
                } else {
                    prop_assert_eq!(holds, defined, "{} {:?} {}", text, rows, n);
                }
            }
        }

        #[test]
        fn who_is_there_counts_with_and_without_a_value(rows in prop::collection::vec(0u32..4, 1..12)) {
            let alone: Vec<Row> = (0..).zip(rows.iter().copied()).collect();
            let group = Bag::from_codes(rows.iter().copied());
            for text in ["k-anonymity(4)", "alpha-k-anonymity(0.5, 3)", "variance(1)"] {
                let held = [Missing::Value, Missing::Ignore].map(|missing| {
                    bound(&table(&alone, missing), text).holds(Group { size: rows.len() as u64, bags: std::slice::from_ref(&group) })
                });
                prop_assert_eq!(held[0], held[1], "{} {:?}", text, rows);
            }
        }
    }

    #[test]
    fn a_group_without_any_value_fails() {
        let rows: Vec<Row> = vec![(0, NULL), (1, NULL), (2, 1), (3, 2), (4, 3)];
        let table = table(&rows, Missing::Ignore);
        for text in WRITTEN_OUT {
            let bound = bound(&table, text);
            assert!(!bound.holds(Group { size: 2, bags: &[Bag::from_codes([NULL, NULL])] }), "{text}");
        }
        // A missing value is no third one, and is not suggested as one either.
        let pair = [Bag::from_codes([NULL, 1, 2])];
        let three = bound(&table, "distinct-l-diversity(3)");
        let error = three.feasible(Group { size: 3, bags: &pair }).unwrap_err().to_string();
        assert!(error.contains("`distinct-l-diversity(2)`"), "{error}");
    }
}
