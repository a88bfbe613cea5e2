//! Rewritten statements, run by DataFusion on the published files, give the bounds of `ask`.

use crate::elsewhere::{Cells, Elsewhere};
use crate::release::{Person, publish, session};
use proptest::prelude::*;
use scumble::Method;
use scumble_query::{Bound, Dialect, QueryAnswer, Session};
use serde_json::Value;
use std::collections::BTreeMap;

/// All cells of the answer by key and heading.
fn found(rows: &[Cells], keys: &[String]) -> BTreeMap<(Vec<String>, String), Option<f64>> {
    let mut cells = BTreeMap::new();
    for row in rows {
        let text = |name: &String| row[name].as_str().unwrap_or_default().to_string();
        let key: Vec<String> = keys.iter().map(text).collect();
        for (name, cell) in row.iter().filter(|(name, _)| !keys.contains(name)) {
            let number = match cell {
                Value::String(text) => Some(text.parse().unwrap_or_else(|_| panic!("{name}: {text} is no number"))),
                _ => None,
            };
            cells.insert((key.clone(), name.clone()), number);
        }
    }
    cells
}

pub(crate) fn compare(session: &Session, elsewhere: &Elsewhere, sql: &str) {
    let answered: QueryAnswer = session.ask(sql, None).unwrap();
    let mut cells = BTreeMap::new();
    for statement in session.rewrite(sql, Dialect::DataFusion).unwrap() {
        cells.extend(found(&elsewhere.run(&statement), &answered.keys));
    }
    for row in &answered.rows {
        let key: Vec<String> = row.keys.iter().map(ToString::to_string).collect();
        for figure in &row.answers {
            for (end, bound) in [("lower", &figure.lower), ("upper", &figure.upper)] {
                let wanted = bound.as_ref().and_then(Bound::to_f64);
                // A key for which nothing can match has no row in a statement that joins values.
                let got = cells.get(&(key.clone(), format!("{} {end}", figure.aggregate))).copied().flatten();
                let same = match (wanted, got) {
                    (Some(wanted), Some(got)) => (wanted - got).abs() <= 1e-9 * wanted.abs().max(1.0),
                    (None, None) => true,
                    _ => false,
                };
                assert!(same, "{sql}\n{} {end} at {key:?}: {got:?}, {wanted:?} wanted", figure.aggregate);
            }
            // Statements over angel releases give the estimates of counts and sums.
            if let Some(Some(got)) = cells.get(&(key.clone(), format!("{} estimate", figure.aggregate))) {
                let wanted = figure.estimate.unwrap();
                let same = (wanted - got).abs() <= 1e-9 * wanted.abs().max(1.0);
                assert!(same, "{sql}\n{} estimate: {got}, {wanted} wanted", figure.aggregate);
            }
        }
    }
}

pub(crate) const ALL: &str = "COUNT(*), COUNT(pay), SUM(pay), AVG(pay), MIN(pay), MAX(pay)";

fn people() -> impl Strategy<Value = Vec<Person>> {
    let age = prop_oneof![9 => (0i64..8).prop_map(Some), 1 => Just(None)];
    let city = prop_oneof![
        8 => proptest::sample::select(vec!["a", "b", "cc"]).prop_map(|city| Some(city.to_string())),
        1 => Just(None)
    ];
    let pay = prop_oneof![12 => (-3i64..6).prop_map(|pay| Some(10 * pay)), 1 => Just(None)];
    proptest::collection::vec((age, city, pay), 6..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn statements_give_the_same_bounds(people in people()) {
        for (method, requirement) in [
            (Method::Permute, "ke-anonymity(2, 10)"),
            (Method::Anatomy, "distinct-l-diversity(2)"),
            (Method::Generalize, "k-anonymity(2)"),
        ] {
            let Some(release) = publish(&people, method, requirement) else { continue };
            let Some(elsewhere) = Elsewhere::datafusion(&release) else { break };
            let session = session(&release.path());
            for condition in ["WHERE age < 3 OR city = 'b'", "WHERE age > 2 AND pay <= 20", "WHERE age > 99"] {
                compare(&session, &elsewhere, &format!("SELECT {ALL} FROM release {condition}"));
            }
            if method == Method::Generalize {
                // A box may be cut by each of two conditions on a column and still not hold both.
                compare(&session, &elsewhere, "SELECT COUNT(*) FROM release WHERE (age > 4 OR city = 'a') AND age < 4");
            } else {
                for condition in ["", "WHERE age > 1 AND pay > 0"] {
                    compare(&session, &elsewhere, &format!("SELECT city, {ALL} FROM release {condition} GROUP BY city"));
                }
            }
        }
    }
}

#[test]
fn every_dialect_is_written() {
    let people: Vec<Person> = (0..12).map(|i| (Some(i), Some("a".into()), Some(10 * (i % 5)))).collect();
    let release = publish(&people, Method::Permute, "ke-anonymity(2, 10)").unwrap();
    let session = session(&release.path());
    for dialect in Dialect::ALL {
        let sql = session.rewrite("SELECT AVG(pay), SUM(pay) FROM release WHERE age > 3", dialect).unwrap();
        assert_eq!(sql.len(), 1);
        assert!(sql[0].contains("\"mapping\"") && sql[0].contains("\"help\""), "{}", sql[0]);
    }
    // Counts are whole numbers, whatever the statement.
    let count = session.rewrite("SELECT COUNT(*) FROM release", Dialect::DataFusion).unwrap();
    if let Some(elsewhere) = Elsewhere::datafusion(&release) {
        assert_eq!(elsewhere.run(&count[0])[0].values().next().unwrap(), "12");
    }
}
