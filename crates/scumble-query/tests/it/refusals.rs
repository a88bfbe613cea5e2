//! What cannot be asked, and what cannot be read.

use crate::release::{Person, publish, session};
use scumble::Method;
use scumble_query::Session;
use scumble_table::Monitor;
use std::fs;

#[test]
fn questions_that_a_release_cannot_answer_say_why() {
    let people: Vec<Person> = (0..12).map(|i| (Some(i), Some("a".into()), Some(10 * (i % 5)))).collect();
    let release = publish(&people, Method::Permute, "ke-anonymity(2, 10)").unwrap();
    let session = session(&release.path());
    for (sql, reason) in [
        ("", "one SELECT"),
        ("SELECT", "not SQL"),
        ("DROP TABLE release", "can only be read"),
        ("SELECT COUNT(*) FROM release; DROP TABLE release", "one SELECT"),
        ("SELECT COUNT(*) FROM release; SELECT COUNT(*) FROM release", "one SELECT"),
        ("INSERT INTO release VALUES (1)", "can only be read"),
        ("SELECT pay FROM release", "does not tell whose value is whose"),
        ("SELECT * FROM release", "does not list people"),
        ("SELECT age FROM release", "not in GROUP BY"),
        ("SELECT age FROM release GROUP BY age", "no aggregate"),
        ("SELECT COUNT(*)", "no FROM"),
        ("SELECT COUNT(*) FROM people", "no table"),
        ("SELECT COUNT(*) FROM release JOIN release r ON 1 = 1", "join"),
        ("SELECT COUNT(*) FROM release, release r", "join"),
        ("SELECT COUNT(*) FROM (SELECT * FROM release) r", "subquery"),
        ("SELECT COUNT(*) FROM release WHERE age IN (SELECT age FROM release)", "query inside"),
        ("SELECT COUNT(*) FROM release WHERE agee > 3", "no such column"),
        ("SELECT SUM(salary) FROM release", "no such column"),
        ("SELECT SUM(age) FROM release", "is not sensitive"),
        ("SELECT MEDIAN(pay) FROM release", "not an aggregate that a release can bound"),
        ("SELECT COUNT(DISTINCT pay) FROM release", "DISTINCT"),
        ("SELECT SUM(pay * 2) FROM release", "neither a column"),
        ("SELECT COUNT(*) FROM release GROUP BY pay", "does not tell whose value is whose"),
        ("SELECT COUNT(*) FROM release WHERE age > 3 OR pay > 3", "ties sensitive values"),
        ("SELECT COUNT(*) FROM release WHERE age > pay", "ties sensitive values"),
        ("SELECT COUNT(*) FROM release ORDER BY 1", "ORDER BY"),
        ("SELECT COUNT(*) FROM release LIMIT 1", "LIMIT"),
        ("SELECT COUNT(*) FROM release HAVING COUNT(*) > 1", "HAVING"),
        ("SELECT DISTINCT COUNT(*) FROM release", "DISTINCT"),
        ("SELECT COUNT(*) OVER () FROM release", "windows"),
        ("SELECT COUNT(*) FROM release UNION SELECT COUNT(*) FROM release", "UNION"),
        ("WITH r AS (SELECT 1) SELECT COUNT(*) FROM release", "WITH"),
        ("SELECT COUNT(*) FROM release TABLESAMPLE (10 PERCENT)", "cannot be answered"),
        ("SELECT COUNT(*) FROM release WHERE age > 'x'", "holds numbers"),
        ("SELECT COUNT(*) FROM release WHERE age", "neither true nor false"),
        ("SELECT COUNT(*) FROM release WHERE age > random()", "same answer twice"),
        ("SELECT COUNT(*) FROM release WHERE now() > '2020-01-01'", "same answer twice"),
        ("SELECT COUNT(*) FROM release WHERE lpad(city, 2000000000, 'x') = 'x'", "long texts"),
        ("SELECT COUNT(*) FROM release WHERE nosuch(age) > 1", "nosuch"),
        ("SELECT COUNT(*) FROM release WHERE age > AVG(age)", ""),
    ] {
        let error = session.ask(sql, None).err().unwrap_or_else(|| panic!("{sql} was answered"));
        assert!(error.to_string().contains(reason), "{sql}: {error}");
        assert_eq!(error.exit_code(), 2, "{sql}: {error}");
    }
    for sql in ["random() < 0.5", "nosuch(age) = 3", "pg_sleep(10) IS NULL", "now() > '2020-01-01'"] {
        let sql = format!("SELECT COUNT(*) FROM release WHERE {sql}");
        assert!(session.rewrite(&sql, scumble_query::Dialect::Postgres).is_err(), "{sql}");
    }
    let divided = "SELECT COUNT(*) FROM release WHERE age / 10 = 1";
    assert!(session.rewrite(divided, scumble_query::Dialect::DuckDb).is_err());
    assert!(session.rewrite(divided, scumble_query::Dialect::Postgres).is_ok());
    assert!(session.ask("SELECT COUNT(*) FROM release WHERE COALESCE(city, 'x') = 'a'", None).is_ok());
    for chain in ["-1".repeat(5000), " || 'x'".repeat(3000)] {
        let sql = format!("SELECT COUNT(*) FROM release WHERE age > 1{chain}");
        let error = session.ask(&sql, None).unwrap_err().to_string();
        assert!(error.contains("nested"), "{error}");
    }
    let long = format!("SELECT COUNT(*) FROM release WHERE age = 1{}", " OR age = 1".repeat(10_000));
    assert!(session.ask(&long, None).unwrap_err().to_string().contains("bytes"));
    let deep = format!("SELECT COUNT(*) FROM release WHERE {}age = 1{}", "(".repeat(2000), ")".repeat(2000));
    assert!(session.ask(&deep, None).is_err());
}

#[test]
fn no_text_is_more_than_refused() {
    let people: Vec<Person> = (0..12).map(|i| (Some(i), Some("a".into()), Some(10 * (i % 5)))).collect();
    let words = [
        "SELECT", "COUNT(*)", "AVG(pay)", "pay", "age", "city", "FROM", "release", "WHERE", "AND", "OR", "NOT", "(",
        ")", "'a'", "3", "-1.5", "=", "<", ">", "BETWEEN", "IN", "IS", "NULL", "LIKE", "GROUP BY", ",", ";", "*", "\"",
        "'", "CASE", "--", "/*",
    ];
    for method in [Method::Permute, Method::Generalize] {
        let release = publish(&people, method, "k-anonymity(2)").unwrap();
        let session = session(&release.path());
        let mut state = 7u64;
        let mut next = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut answered = 0;
        for _ in 0..400 {
            let tail: Vec<&str> = (0..next(9)).map(|_| words[next(words.len())]).collect();
            let sql = match next(3) {
                0 => tail.join(" "),
                1 => format!("SELECT COUNT(*), AVG(pay) FROM release WHERE {}", tail.join(" ")),
                _ => format!("SELECT COUNT(*) FROM release WHERE age > 3 AND {}", tail.join(" ")),
            };
            if session.ask(&sql, None).is_ok() {
                answered += 1;
                let _ = session.rewrite(&sql, scumble_query::Dialect::Ansi);
            }
        }
        assert!(answered > 0 && answered < 400);
    }
}

#[test]
fn a_long_list_of_conditions_is_answered() {
    let people: Vec<Person> = (0..12).map(|i| (Some(i), Some("a".into()), Some(10 * (i % 5)))).collect();
    for method in [Method::Permute, Method::Generalize] {
        let release = publish(&people, method, "k-anonymity(2)").unwrap();
        let sql = format!("SELECT COUNT(*) FROM release WHERE age = 1{}", " OR age = 1".repeat(2000));
        let answered = session(&release.path()).ask(&sql, None).unwrap();
        assert_eq!(answered.rows.len(), 1);
    }
}

#[test]
fn a_release_that_was_altered_is_refused() {
    let people: Vec<Person> = (0..12).map(|i| (Some(i), Some("a".into()), Some(10 * (i % 5)))).collect();
    for (method, tables) in [
        (Method::Permute, &["permuted", "mapping", "help"][..]),
        (Method::Anatomy, &["qit", "st"]),
        (Method::Generalize, &["table"]),
    ] {
        for table in tables {
            for harm in ["missing", "cut", "altered"] {
                let release = publish(&people, method, "k-anonymity(2)").unwrap();
                let file = release.path().join(format!("{table}.csv"));
                let bytes = fs::read(&file).unwrap();
                match harm {
                    "missing" => fs::remove_file(&file).unwrap(),
                    "cut" => fs::write(&file, &bytes[..bytes.len() / 2]).unwrap(),
                    _ => fs::write(&file, [bytes.as_slice(), b"\n"].concat()).unwrap(),
                }
                let error = Session::open(&release.path(), Monitor::silent()).err();
                let error = error.unwrap_or_else(|| panic!("{method} with {table} {harm} was read"));
                assert!(error.to_string().contains(table), "{method} with {table} {harm}: {error}");
            }
        }
    }
}
