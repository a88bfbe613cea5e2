//! Missing values, quotes, columns for the rules alone, and what domains keep.

use super::*;
use scumble_table::{Cancellation, Silent};

fn which(column: &TestColumn, before: &[&str], condition: &str) -> Vec<String> {
    let text = format!("r = {{ when = '''{condition}''', delete = true }}");
    match apply_rules(std::slice::from_ref(column), &records(before), &rules(&text)) {
        Ok((left, _)) => left.into_iter().map(|record| record[0].clone()).collect(),
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn a_missing_value_meets_no_test_but_that_for_missing_values() {
    let n = TestColumn::new("n", Kind::Number);
    let before = ["1", "2", "."];
    for (condition, left) in [
        ("n = 1", ["2", ""].as_slice()),
        ("n != 1", &["1", ""]),
        ("n < 2", &["2", ""]),
        ("n in (1)", &["2", ""]),
        ("n not in (1)", &["1", ""]),
        ("n between 0 and 1", &["2", ""]),
        ("n not between 0 and 1", &["1", ""]),
        ("n is missing", &["1", "2"]),
        ("n is not missing", &[""]),
        ("not n = 1", &["1"]),
        ("not n in (1)", &["1"]),
        ("not n is missing", &[""]),
        ("not (n = 1 or n = 2)", &["1", "2"]),
    ] {
        assert_eq!(which(&n, &before, condition), left, "{condition}");
    }
}

#[test]
fn quotes_and_unicode_are_matched_as_they_stand() {
    let l = TestColumn::new("größe \"x\"", Kind::Nominal);
    let before = ["it's", "\"q\"", "東京", "Ünï", "ünï"];
    for (condition, left) in [
        ("\"größe \"\"x\"\"\" = 'it''s'", ["\"q\"", "東京", "Ünï", "ünï"].as_slice()),
        ("`größe \"x\"` in ('\"q\"', '東京')", &["it's", "Ünï", "ünï"]),
        ("`größe \"x\"` = 'ünï'", &["it's", "\"q\"", "東京", "Ünï"]),
        ("`größe \"x\"` = 'nobody'", &["it's", "\"q\"", "東京", "Ünï", "ünï"]),
    ] {
        assert_eq!(which(&l, &before, condition), left, "{condition}");
    }
}

#[test]
fn numbers_compare_exactly() {
    let n = TestColumn::new("n", Kind::Number);
    assert_eq!(which(&n, &["0.1", "0.30000000000000004", "0.3"], "n > 0.3"), ["0.1", "0.3"]);
    assert_eq!(which(&n, &["1e3", "999.999"], "n >= 1000.0"), ["999.999"]);
}

#[test]
fn columns_for_the_rules_alone_are_gone_afterwards() {
    let columns = [
        TestColumn { unpublished: true, ..TestColumn::new("ssn", Kind::Nominal) },
        TestColumn::new("age", Kind::Number),
        TestColumn { unpublished: true, ..TestColumn::new("note", Kind::Number) },
    ];
    let people = records(&["111 30 1", "222 40 2", "333 50 3"]);
    let (left, counts) =
        apply_rules(&columns, &people, &rules("r = { when = \"ssn = '222' or note = 3\", top_code = { age = 45 } }"))
            .unwrap();
    assert_eq!(left, records(&["30", "40", "45"]));
    assert_eq!((counts[0].matched, counts[0].changed), (2, 1));
    let error = refused(&columns, &people, "r = { blank = [\"ssn\"] }");
    assert_eq!(
        error,
        "job.toml, line 2: rule `r`: column `ssn` is not published, so that there is nothing to `blank`; hint: rules \
         change quasi, sensitive and kept columns; conditions may ask about others"
    );
}

#[test]
fn no_domain_keeps_what_only_deleted_or_changed_records_had() {
    let people = [
        ["1.25", "2001-05-05", "low", "001", "secret-x", "a"],
        ["2", "2002-05-05", "top", "002", "secret-y", "b"],
        ["3", "2003-05-05", "mid", "003", "plain", "c"],
    ];
    let people: Vec<Record> = people.map(|record| record.map(String::from).to_vec()).to_vec();
    let wanted = rules(
        "a = { when = \"n = 1.25\", delete = true }\n\
         b = { when = \"n = 2\", blank = [\"größe l\", \"d\"], generalize = { o = \"mid\" } }",
    );
    let plans: Vec<ColumnPlan> = COLUMNS.iter().map(TestColumn::plan).collect();
    let nulls = ["?".to_string()];
    let known: Vec<RuleColumn<'_>> =
        plans.iter().map(|plan| RuleColumn { order: plan.order.as_ref(), nulls: &nulls, unpublished: false }).collect();
    let (left, _) = apply(&wanted, table(&COLUMNS, &people), &known, Monitor::silent()).unwrap();
    let all = |at: usize| {
        let domain = &left.attribute(at).domain;
        domain.codes().map(|code| domain.text(code).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (0..6).map(all).collect::<Vec<_>>(),
        [vec!["2", "3"], vec!["2003-05-05"], vec!["mid"], vec!["002", "003"], vec!["plain"], vec!["b", "c"],]
    );
    // The digits of a number that is gone are gone too.
    assert_eq!(left.attribute(0).domain.scale(), 0);
}

#[test]
fn rules_without_records_and_without_effect() {
    let columns = [TestColumn::new("n", Kind::Number)];
    let people = records(&["1", "2"]);
    assert_eq!(apply_rules(&columns, &people, &Rules::default()).unwrap(), (people.clone(), vec![]));
    let error = refused(&columns, &people, "r = { when = \"n > 0\", delete = true }");
    assert_eq!(
        error,
        "job.toml: the rules delete all 2 records, and nothing is left to publish; hint: let fewer records meet the \
         conditions of `delete`"
    );
    assert!(refused(&columns, &people, "r = { delete = true }").contains("delete all 2 records"));
    // All values missing.
    let (left, _) = apply_rules(&columns, &people, &rules("r = { blank = \"n\" }")).unwrap();
    assert_eq!(left, records(&[".", "."]));
}

#[test]
fn cancelled_rules_leave_no_table() {
    let cancellation = Cancellation::default();
    let nulls = [];
    let columns =
        COLUMNS.each_ref().map(|column| RuleColumn { order: None, nulls: &nulls, unpublished: column.unpublished });
    let table = table(&COLUMNS, &records(&["1 . . . x a"]));
    let wanted = rules("r = { when = \"n > 1\", delete = true }");
    let run =
        |table| apply(&wanted, table, &columns, Monitor::new(&Silent, &cancellation)).map(|(left, _)| left.n_rows());
    assert_eq!(run(table.clone()), Ok(1));
    cancellation.cancel();
    assert_eq!(run(table), Err(Error::Cancelled));
}
