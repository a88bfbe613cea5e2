//! Rewritten statements, run by DataFusion on the published files, give the bounds of `ask`.

use crate::release::{Person, Published, publish, session};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use datafusion::prelude::{CsvReadOptions, SessionContext};
use proptest::prelude::*;
use scumble::Method;
use scumble_query::{Bound, Dialect, QueryAnswer, Session};
use std::collections::BTreeMap;

/// The CSV files of a release in an engine that knows nothing of releases.
pub(crate) struct Elsewhere {
    runtime: tokio::runtime::Runtime,
    context: SessionContext,
}

impl Elsewhere {
    pub(crate) fn new(release: &Published) -> Elsewhere {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let context = SessionContext::new();
        for entry in std::fs::read_dir(release.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "csv") {
                let name = format!("\"{}\"", path.file_stem().unwrap().to_str().unwrap());
                let registered = context.register_csv(name, path.to_str().unwrap(), CsvReadOptions::new());
                runtime.block_on(registered).unwrap();
            }
        }
        Elsewhere { runtime, context }
    }

    fn run(&self, sql: &str) -> Vec<RecordBatch> {
        self.runtime.block_on(async {
            let frame = self.context.sql(sql).await.unwrap_or_else(|error| panic!("{sql}\n{error}"));
            frame.collect().await.unwrap_or_else(|error| panic!("{sql}\n{error}"))
        })
    }
}

fn number(array: &dyn Array, row: usize) -> Option<f64> {
    if array.is_null(row) {
        return None;
    }
    let float = arrow_cast(array);
    Some(float.as_primitive::<Float64Type>().value(row))
}

fn arrow_cast(array: &dyn Array) -> arrow_array::ArrayRef {
    datafusion::arrow::compute::cast(array, &arrow_schema::DataType::Float64).unwrap()
}

/// All cells of the answer by key and heading.
fn found(batches: &[RecordBatch], keys: &[String]) -> BTreeMap<(Vec<String>, String), Option<f64>> {
    let mut cells = BTreeMap::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let key: Vec<String> = keys
                .iter()
                .map(|name| {
                    let column = batch.column_by_name(name).unwrap();
                    let text = datafusion::arrow::util::display::array_value_to_string(column, row).unwrap();
                    if column.is_null(row) { String::new() } else { text }
                })
                .collect();
            for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
                if !keys.contains(field.name()) {
                    cells.insert((key.clone(), field.name().clone()), number(column, row));
                }
            }
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
            let (session, elsewhere) = (session(&release.path()), Elsewhere::new(&release));
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
    // Int64Type is what counts are, whatever the statement.
    let count = session.rewrite("SELECT COUNT(*) FROM release", Dialect::DataFusion).unwrap();
    let batches = Elsewhere::new(&release).run(&count[0]);
    assert_eq!(batches[0].column(0).as_primitive::<Int64Type>().value(0), 12);
}
