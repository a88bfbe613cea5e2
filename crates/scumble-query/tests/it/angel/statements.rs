//! Rewritten statements give the bounds of `ask`, and the estimates of counts and sums.

use super::answers::releases;
use super::release_builder::ReleaseBuilder;
use crate::elsewhere::{Cells, Elsewhere};
use crate::release::session;
use crate::rewritten::{ALL, compare};
use proptest::prelude::*;
use scumble_query::{Bound, Dialect};
use scumble_table::{Kind, Role};

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn statements_give_the_same_bounds_and_estimates(builder in releases(30)) {
        let release = builder.publish();
        let Some(elsewhere) = Elsewhere::datafusion(&release) else { return Ok(()) };
        let session = session(&release.path());
        for condition in [
            "",
            "WHERE age < 3 OR city = 'b'",
            "WHERE age BETWEEN 2 AND 4",
            "WHERE age > 1 AND city = 'a' AND pay <= 20",
            "WHERE (age > 1 OR city = 'a') AND age < 5 AND job = 'x'",
            "WHERE city IS NULL AND pay > 0",
            "WHERE age > 99",
        ] {
            compare(&session, &elsewhere, &format!("SELECT {ALL} FROM release {condition}"));
        }
    }
}

fn eight() -> ReleaseBuilder {
    let columns = [
        ("age", Role::Quasi, Kind::Number),
        ("zip", Role::Quasi, Kind::Number),
        ("pay", Role::Sensitive, Kind::Number),
    ];
    let cells = |i: i64| vec![(20 + i).to_string(), (1000 + 7 * i % 50).to_string(), (10 * i).to_string()];
    let mut builder = ReleaseBuilder::new(&columns, (0..8).map(cells).collect());
    builder.batches = vec![0, 1, 0, 1, 2, 2, 2, 2];
    builder.tables = vec![
        (vec!["age".into(), "zip".into()], vec![0, 0, 0, 0, 1, 1, 1, 1]),
        (vec!["zip".into()], vec![0, 0, 1, 1, 2, 2, 3, 3]),
    ];
    builder
}

#[test]
fn statements_name_the_table_that_is_asked() {
    let release = eight().publish();
    let session = session(&release.path());
    for dialect in Dialect::ALL {
        let sql = session.rewrite("SELECT COUNT(*), AVG(pay) FROM release WHERE zip < 1020", dialect).unwrap();
        assert_eq!(sql.len(), 2);
        // Files have their own names, and tables of a database those of the export.
        let is_file = matches!(dialect, Dialect::DataFusion | Dialect::DuckDb);
        let table = if is_file { "FROM \"marginal-zip\"" } else { "FROM \"marginal_zip\"" };
        assert!(sql[0].contains(table) && !sql[0].contains("\"batches\""), "{}", sql[0]);
        assert!(sql[1].contains(table) && sql[1].contains("\"batches\""), "{}", sql[1]);
        assert!(sql[0].contains("\"count(*) estimate\"") && !sql[1].contains("estimate"), "{}", sql[0]);
        let sql = session.rewrite("SELECT COUNT(*) FROM release WHERE zip < 1020 AND age > 21", dialect).unwrap();
        assert!(sql[0].contains("FROM \"generalized\""), "{}", sql[0]);
    }
}

#[test]
fn what_no_statement_can_tell_is_refused() {
    let release = eight().publish();
    let session = session(&release.path());
    let refused = |sql: &str| session.rewrite(sql, Dialect::Postgres).unwrap_err().to_string();
    let keys = refused("SELECT age, COUNT(*) FROM release GROUP BY age");
    assert!(keys.contains("GROUP BY") && keys.contains("several keys"), "{keys}");
    // Boxes have no number, so a condition over two columns lists them: too many are refused.
    let columns = [
        ("age", Role::Quasi, Kind::Number),
        ("zip", Role::Quasi, Kind::Number),
        ("pay", Role::Sensitive, Kind::Number),
    ];
    let n = 2100u32;
    let cells = |i: u32| vec![i.to_string(), (i * 7 % n).to_string(), (i % 9).to_string()];
    let mut builder = ReleaseBuilder::new(&columns, (0..n).map(cells).collect());
    builder.batches = (0..n).map(|i| i / 10).collect();
    builder.tables = vec![(vec!["age".into(), "zip".into()], (0..n).collect())];
    let release = builder.publish();
    let many = crate::release::session(&release.path());
    let sql = "SELECT COUNT(*) FROM release WHERE age < 30 OR zip < 50";
    let error = many.rewrite(sql, Dialect::Postgres).unwrap_err().to_string();
    assert!(error.contains("2100 boxes") && error.contains("single columns"), "{error}");
    assert!(many.ask(sql, None).is_ok());
    assert!(many.rewrite("SELECT COUNT(*) FROM release WHERE age < 30 AND zip < 50", Dialect::Postgres).is_ok());
}

#[test]
fn duckdb_gives_the_same_bounds_and_estimates() {
    let release = eight().publish();
    let Some(elsewhere) = Elsewhere::duckdb(&release) else { return };
    let session = session(&release.path());
    for condition in [
        "",
        "WHERE zip < 1020",
        "WHERE age > 21 AND zip BETWEEN 1005 AND 1030 AND pay > 10",
        "WHERE age < 22 OR zip > 1030",
    ] {
        let sql = format!("SELECT {ALL} FROM release {condition}");
        let statements = session.rewrite(&sql, Dialect::DuckDb).unwrap();
        let cells: Cells = statements.iter().flat_map(|statement| elsewhere.run(statement)).flatten().collect();
        for figure in &session.ask(&sql, None).unwrap().rows[0].answers {
            let bound = |bound: &Option<Bound>| bound.as_ref().and_then(Bound::to_f64);
            for (end, wanted) in
                [("lower", bound(&figure.lower)), ("upper", bound(&figure.upper)), ("estimate", figure.estimate)]
            {
                let Some(got) = cells.get(&format!("{} {end}", figure.aggregate)) else {
                    assert!(end == "estimate" && !figure.aggregate.starts_with("count"), "{sql} {figure:?}");
                    continue;
                };
                let number = got.as_str().and_then(|text| text.parse::<f64>().ok());
                let same = number.zip(wanted).is_some_and(|(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1.0));
                assert!(same, "{sql}: {} {end}: {got}, {wanted:?} wanted", figure.aggregate);
            }
        }
    }
}
