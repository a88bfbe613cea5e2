//! Answers in the database are those of `ask`, by rewritten statements and by the functions.

use super::database::{Database, people, publish, same, text};
use scumble::Method;
use scumble_query::Session;

/// Conditions on people.
const WHO: [&str; 9] = [
    "1 = 1",
    "\"select\" > 40",
    "\"select\" BETWEEN 30 AND 45 OR \"the \"\"city\"\"\" = '\"a|b\\\"'",
    "\"the \"\"city\"\"\" IS NULL",
    "NOT (\"the \"\"city\"\"\" IN ('Ærø', '''s-Gravenhage'))",
    "\"né le\" >= DATE '1970-05-01'",
    "\"height\" < 1.7",
    "\"the \"\"city\"\"\" LIKE '%a%' AND \"select\" % 2 = 0",
    "\"select\" > 900",
];

fn aggregates(column: &str) -> String {
    ["COUNT", "SUM", "AVG", "MIN", "MAX"].map(|name| format!("{name}(\"{column}\")")).join(", ")
}

pub(crate) fn statements_agree(database: &Database, session: &Session, columns: &[&str], keys: bool) {
    for column in columns {
        let all = aggregates(column);
        for who in WHO {
            database.compare(session, &format!("SELECT COUNT(*), {all} FROM release WHERE {who}"));
            database.compare(session, &format!("SELECT {all} FROM release WHERE ({who}) AND \"{column}\" > 0"));
        }
        if keys {
            for key in ["\"the \"\"city\"\"\"", "\"note\"", "\"note\", \"select\""] {
                database.compare(
                    session,
                    &format!("SELECT {key}, {all} FROM release WHERE \"select\" > 30 GROUP BY {key}"),
                );
            }
        }
    }
}

/// A row of a function against the answer to the same question.
pub(crate) fn row_agrees(row: &[(String, Option<String>)], session: &Session, column: &str, who: &str) {
    let sql = format!(
        "SELECT COUNT(*), SUM(\"{column}\"), AVG(\"{column}\"), MIN(\"{column}\"), MAX(\"{column}\") FROM release WHERE {who}"
    );
    let answered = session.ask(&sql, None).unwrap();
    let found = |name: &str| row.iter().find(|(heading, _)| heading == name).map(|(_, value)| value.clone());
    for (figure, name) in answered.rows[0].answers.iter().zip(["people", "sum", "avg", "min", "max"]) {
        for (end, bound) in [("lower", &figure.lower), ("upper", &figure.upper)] {
            let got = found(&format!("{name}_{end}")).or_else(|| found(name)).unwrap();
            let wanted = text(bound);
            assert!(
                same(got.as_deref(), wanted.as_deref()),
                "{column}, {who}: {name}_{end} {got:?}, {wanted:?} wanted"
            );
        }
    }
}

fn functions_agree(database: &Database, session: &Session, columns: &[(&str, &str)]) {
    for (column, group) in columns {
        for who in WHO {
            let sql = format!("SELECT * FROM \"{column}_bounds\"(ARRAY(SELECT \"{group}\" FROM people WHERE {who}))");
            row_agrees(&database.run(&sql).unwrap()[0], session, column, who);
        }
        let sql = format!(
            "SELECT note, b.* FROM (SELECT note, array_agg(\"{group}\") AS g FROM people GROUP BY note) q, LATERAL \"{column}_bounds\"(q.g) b"
        );
        let rows = database.run(&sql).unwrap();
        assert_eq!(rows.len(), 4);
        for row in rows {
            let note = row[0].1.clone().unwrap();
            row_agrees(&row, session, column, &format!("note = '{note}'"));
        }
        // More hits than the group has people, and a group that is not there.
        let all = database.run(&format!("SELECT * FROM \"{column}_bounds\"(ARRAY(SELECT \"{group}\" FROM people UNION ALL SELECT \"{group}\" FROM people))"));
        assert_eq!(all.unwrap()[0][1].1, None);
        let none = database.run(&format!("SELECT * FROM \"{column}_bounds\"(ARRAY[1000000])")).unwrap();
        assert_eq!((none[0][0].1.as_deref(), &none[0][1].1), (Some("1"), &None));
    }
}

#[test]
fn permuted_one_column() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let (release, session) = publish(dir.path(), &people(90, false), Method::Permute, &["pay %"], |_| ());
    let exported = database.export(&release, false).unwrap();
    assert_eq!(exported.functions, ["pay %_bounds"]);
    assert_eq!(
        exported.tables.iter().map(|t| (t.name.as_str(), t.rows)).collect::<Vec<_>>(),
        [("permuted", 90), ("mapping", 90), ("help", 90)]
    );
    statements_agree(&database, &session, &["pay %"], true);
    functions_agree(&database, &session, &[("pay %", "group")]);
}

#[test]
fn permuted_together_and_apart() {
    for together in [true, false] {
        let Some(database) = Database::new() else { return };
        let dir = tempfile::tempdir().unwrap();
        let (release, session) = publish(dir.path(), &people(80, true), Method::Permute, &["pay %", "debt"], |job| {
            job.publish.together = together
        });
        database.export(&release, false).unwrap();
        statements_agree(&database, &session, &["pay %", "debt"], true);
        let (pay, debt) = if together { ("group", "group") } else { ("group_pay %", "group_debt") };
        functions_agree(&database, &session, &[("pay %", pay), ("debt", debt)]);
    }
}

#[test]
fn anatomy() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let (release, session) = publish(dir.path(), &people(80, true), Method::Anatomy, &["pay %", "debt"], |_| ());
    let exported = database.export(&release, false).unwrap();
    assert_eq!(
        exported.tables.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(),
        ["qit", "st", "help_column_1", "help_debt"]
    );
    statements_agree(&database, &session, &["pay %", "debt"], true);
    functions_agree(&database, &session, &[("pay %", "group"), ("debt", "group")]);
}

#[test]
fn generalized() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let (release, session) = publish(dir.path(), &people(80, true), Method::Generalize, &["pay %", "debt"], |_| ());
    database.export(&release, false).unwrap();
    statements_agree(&database, &session, &["pay %", "debt"], false);
    // Conditions on the ends of boxes, and the questions that they stand for.
    let ends = [
        ("true", "true", "1 = 1"),
        ("select_lower > 40", "select_upper > 40", "\"select\" > 40"),
        ("height_upper < 1.7", "height_lower < 1.7", "height < 1.7"),
        ("\"né le_lower\" >= '1970-05-01'", "\"né le_upper\" >= '1970-05-01'", "\"né le\" >= DATE '1970-05-01'"),
        (
            "select_lower >= 30 AND select_upper <= 45",
            "select_upper >= 30 AND select_lower <= 45",
            "\"select\" BETWEEN 30 AND 45",
        ),
    ];
    for column in ["pay %", "debt"] {
        for (certain, possible, who) in ends {
            let sql = format!(
                "SELECT * FROM \"{column}_bounds\"(ARRAY(SELECT \"{column}\" FROM people WHERE {certain}), ARRAY(SELECT \"{column}\" FROM people WHERE {possible}))"
            );
            row_agrees(&database.run(&sql).unwrap()[0], &session, column, who);
        }
        let wrong = database.run(&format!("SELECT * FROM \"{column}_bounds\"(ARRAY[1, 1], ARRAY[1])")).unwrap();
        assert_eq!(wrong[0][2].1, None);
    }
}

#[test]
fn suppressed_rows_show_nothing() {
    for method in [Method::Anatomy, Method::Generalize] {
        let Some(database) = Database::new() else { return };
        let dir = tempfile::tempdir().unwrap();
        let mut csv = people(60, false);
        csv.push_str("99,Nowhere,2001-01-01,2.1,5,5,n0\n");
        let (release, session) = publish(dir.path(), &csv, method, &["debt"], |job| {
            job.publish.require = vec!["k-anonymity(4)".parse().unwrap()];
            job.publish.max_suppressed = Some(scumble::Decimal::parse("0.1").unwrap());
        });
        database.export(&release, false).unwrap();
        let suppressed = session.release().manifest().suppressed;
        assert_eq!(database.value("SELECT count(*) FROM people"), Some((61 - suppressed).to_string()));
        statements_agree(&database, &session, &["debt"], false);
    }
}
