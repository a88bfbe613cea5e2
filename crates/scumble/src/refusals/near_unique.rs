//! Nominal quasi-identifiers most of whose labels are nearly unique.
//!
//! A nominal value without hierarchy is generalized to a set of labels. Where most people have a label of their own, the set of
//! a group lists exactly the labels of its people: nothing is hidden but the order. Intervals, nodes of a hierarchy and the
//! levels of a full-domain release say less than that; and where quasi-identifiers are published as they are (permute,
//! anatomy, angel with boxes of one), no set is published at all.

use super::notation::Notation;
use super::{least_people, others};
use crate::job::{Method, Plan};
use scumble_table::{Error, Kind, Monitor, Persons, Result, Role, RowClasses, Table, class_members};

/// Refuses such columns, unless the publisher allows their sets.
pub(super) fn refuse(table: &Table, plan: &Plan, monitor: Monitor<'_>) -> Result<()> {
    let in_sets = plan.method != Method::FullDomain && !plan.shows_exact_rows();
    let listed = |at: &usize| {
        let domain = &table.attribute(*at).domain;
        domain.kind() == Kind::Nominal && domain.hierarchy().is_none()
    };
    let columns: Vec<usize> = others(table, Role::Quasi, &plan.allow_sets).into_iter().filter(listed).collect();
    if !in_sets || columns.is_empty() {
        return Ok(());
    }
    let k = least_people(table, plan);
    // Where there are fewer people than a group needs nothing is published, and that is told elsewhere.
    if k > table.persons().map_or(table.n_rows(), |persons| persons.n()) as u64 {
        return Ok(());
    }
    for column in columns {
        monitor.check()?;
        let rare = rows_of_rare_labels(table, column, k);
        if is_near_unique(rare, table.n_rows() as u64) {
            return Err(refusal(table, plan, column, rare, k));
        }
    }
    Ok(())
}

/// True if most of some rows have a rare label.
pub(crate) fn is_near_unique(rare_rows: u64, rows: u64) -> bool {
    rare_rows * 2 > rows
}

/// The rows whose label fewer than `k` people have, or fewer than `k` rows where nothing says whose rows are whose. Null is a
/// label like another.
fn rows_of_rare_labels(table: &Table, column: usize, k: u64) -> u64 {
    let n_codes = table.attribute(column).domain.n_codes();
    let rows = table.column(column).histogram(n_codes);
    let people = match table.persons().filter(|persons| persons.repeat()) {
        Some(persons) => people_of_labels(table, column, persons),
        None => rows.clone(),
    };
    rows.iter().zip(people).filter(|(_, people)| *people < k).map(|(rows, _)| rows).sum()
}

/// The people of each label.
fn people_of_labels(table: &Table, column: usize, persons: &Persons) -> Vec<u64> {
    let (codes, n_codes) = (table.column(column), table.attribute(column).domain.n_codes());
    let mut pairs = RowClasses::new(table.n_rows());
    pairs.push(persons.n(), |row| persons.of_rows()[row]);
    pairs.push(n_codes, |row| codes.get(row));
    let (of_row, n) = pairs.finish();
    let mut people = vec![0u64; n_codes];
    for (first, _) in class_members(&of_row, n) {
        people[codes.get(first as usize) as usize] += 1;
    }
    people
}

fn refusal(table: &Table, plan: &Plan, column: usize, rare: u64, k: u64) -> Error {
    let attribute = table.attribute(column);
    let (name, n) = (&attribute.name, table.n_rows());
    let few = match table.persons().is_some_and(|persons| persons.repeat()) {
        true => format!("that fewer than {k} people have"),
        false => format!("that occurs fewer than {k} times"),
    };
    let texts: Vec<_> = attribute.domain.codes().map(|code| attribute.domain.text(code)).collect();
    let notation = Notation::of(texts.iter().map(|text| &**text));
    let looks = notation.map_or(String::new(), |notation| format!("; the labels look like {}", notation.looks()));
    let reason =
        format!("{rare} of {n} rows have a label {few}, and sets of such labels list people's exact values{looks}");
    let mend = notation.map_or(String::new(), |notation| format!("{}; or ", notation.mend()));
    let levels = if plan.method == Method::Generalize { ", use «method» full-domain" } else { "" };
    Error::request("quasi", name, reason).hint(format!(
        "{mend}give it a hierarchy with «hierarchy»{levels}, name it in «identifying», or leave it out; «allow_sets» {name} publishes \
         the sets all the same"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use scumble_table::{Attribute, Codes, Domain, Schema};
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    fn table(rows: &[(u32, u32)], by_person: bool) -> Table {
        let labels = ["a", "b", "c", "d", "e", "f"].map(Into::into).to_vec();
        let domain = Domain::nominal(labels);
        let schema = Schema::new(vec![Attribute { name: "town".into(), role: Role::Quasi, domain }]).unwrap();
        let codes: Codes = rows.iter().map(|row| row.1).collect();
        let table = Table::new(schema, vec![codes], rows.len()).unwrap();
        if !by_person {
            return table;
        }
        let keys: Codes = rows.iter().map(|row| row.0 + 1).collect();
        table.with_persons(Arc::new(Persons::from_keys(rows.len(), &[(&keys, 20)]))).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn rare_labels_are_counted_as_defined(
            rows in prop::collection::vec((0u32..8, 0u32..7), 1..20),
            k in 2u64..6,
            by_person: bool,
        ) {
            let mut who: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
            for (row, (person, label)) in rows.iter().enumerate() {
                who.entry(*label).or_default().insert(if by_person { *person as usize } else { row });
            }
            let defined = rows.iter().filter(|(_, label)| (who[label].len() as u64) < k).count() as u64;
            prop_assert_eq!(rows_of_rare_labels(&table(&rows, by_person), 0, k), defined);
        }
    }

    #[test]
    fn half_of_the_rows_is_not_most() {
        assert!(!is_near_unique(0, 0) && !is_near_unique(5, 10) && is_near_unique(6, 10) && is_near_unique(1, 1));
    }
}
