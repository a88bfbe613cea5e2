//! What is refused, and in which words.

use super::*;

fn people() -> Vec<Record> {
    vec![["1", "2001-05-05", "low", "001", "x", "a"].map(String::from).to_vec()]
}

fn said(text: &str) -> String {
    refused(&COLUMNS, &people(), text)
}

#[test]
fn conditions_that_do_not_suit_their_columns() {
    for (condition, words) in [
        (
            "n < 'x'",
            "character 5 of its condition: column `n` holds numbers, and this is text; hint: write the number without quotes",
        ),
        (
            "d < 2001",
            "character 5 of its condition: column `d` holds dates, and this is a number; hint: write a date as '2001-12-31'",
        ),
        ("d = '31.12.2001'", "column `d` holds dates, and `31.12.2001` is none; hint: write a date as 2001-12-31"),
        (
            "d in ('2001-01-01', '2001-02-30')",
            "character 21 of its condition: column `d` holds dates, and `2001-02-30` is none",
        ),
        (
            "h < 'b'",
            "character 1 of its condition: column `h` is nominal: its labels have no order for `<`; hint: use `=`, `!=`, `in` or `not in`, or give the column an order",
        ),
        ("h between 'a' and 'b'", "no order for `between`"),
        (
            "h = 1",
            "character 5 of its condition: column `h` holds labels, and this is a number; hint: labels stand in single quotes: '1'",
        ),
        (
            "h = 'A'",
            "character 5 of its condition: `A` is no leaf of the hierarchy of column `h`; hint: did you mean `a`?",
        ),
        ("h = 'elsewhere'", "hint: values of the column are leaves of its hierarchy, which the rules cannot extend"),
        (
            "o >= 'hihg'",
            "character 6 of its condition: `hihg` is not in the order of column `o`; hint: did you mean `high`?",
        ),
        ("o >= 'unheard of'", "hint: name a label that the order lists"),
        ("z > 'abc'", "the labels of column `z` are numbers, and `abc` has no place among them"),
        ("z = 1", "labels stand in single quotes: '1'"),
        (
            "n = 1 and h = ''",
            "character 15 of its condition: '' means a missing value; hint: write `h is missing` or `h is not missing`",
        ),
        ("h in ('a', '?')", "character 12 of its condition: '?' means a missing value; hint: write `h is missing`"),
        (
            "n = 1 or größee = 2",
            "character 10 of its condition: there is no column `größee`; hint: did you mean `größe l`?",
        ),
        ("zzzzzz = 2", "hint: the columns are `n`, `d`, `o`, `z`, `größe l`, `h`"),
    ] {
        let error = said(&format!("ok = {{ blank = \"n\" }}\nbad = {{ when = \"{condition}\", delete = true }}"));
        assert!(error.starts_with("job.toml, line 3: rule `bad`, character"), "{error}");
        assert!(error.contains(words), "{condition}: {error}");
    }
    // The condition has a line of its own.
    let error = said("[rules.bad]\ndelete = true\n\nwhen = \"n <\"");
    assert!(
        error.starts_with("job.toml, line 5: rule `bad`, character 4 of its condition: a value is wanted"),
        "{error}"
    );
    let error = said("bad = { when = \"\", delete = true }");
    assert!(
        error.starts_with("job.toml, line 2: rule `bad`, character 1 of its condition: the condition is empty"),
        "{error}"
    );
}

#[test]
fn actions_that_do_not_suit_their_columns() {
    for (actions, words) in [
        ("delete = true, blank = \"n\"", "a deleted record has nothing left to `blank`"),
        ("blank = \"m\"", "there is no column `m`; hint: "),
        ("blank = [\"n\", \"n\"]", "`blank` names column `n` twice"),
        ("blank = \"n\", top_code = { n = 3 }", "column `n` is to be blank, which leaves nothing to change in it"),
        ("top_code = { n = 3 }, bottom_code = { n = 4 }", "values of `n` should be at most 3 and at least 4"),
        ("top_code = { n = \"x\" }", "`top_code`: column `n` holds numbers, and `x` is none"),
        ("bottom_code = { d = 2001 }", "`bottom_code`: column `d` holds dates, and `2001` is none"),
        ("top_code = { h = \"a\" }", "column `h` is nominal: its labels have no order for a bound"),
        ("top_code = { o = \"middle\" }", "`top_code`: `middle` is not in the order of column `o`"),
        (
            "generalize = { n = 0 }",
            "column `n` holds numbers, and `0` is no step; hint: give a number above 0, such as 5",
        ),
        ("generalize = { n = -5 }", "`-5` is no step"),
        ("generalize = { n = inf }", "`inf` is no step"),
        (
            "generalize = { d = \"decade\" }",
            "`decade` is no step; hint: give \"month\", \"quarter\", \"year\" or a number of days",
        ),
        ("generalize = { d = 0 }", "`0` is no step"),
        ("generalize = { d = 3652060 }", "`3652060` is no step"),
        ("generalize = { h = \"e\" }", "`generalize`: `e` is no leaf of the hierarchy of column `h`"),
        ("generalize = { o = \"middle\" }", "`generalize`: `middle` is not in the order of column `o`"),
        ("generalize = { z = \"0xx\" }", "`0xx` has no place among them"),
        (
            "generalize = { \"größe l\" = \"\" }",
            "`generalize`: '' means a missing value; hint: to make values missing, use `blank`",
        ),
        ("generalize = { n = 0.00000000000000000000000000000000000001 }", "is no step"),
    ] {
        let error = said(&format!("bad = {{ {actions} }}"));
        assert!(error.starts_with("job.toml, line 2: rule `bad`: "), "{error}");
        assert!(error.contains(words), "{actions}: {error}");
    }
}

#[test]
fn steps_and_bounds_that_numbers_have_no_room_for() {
    let n = [TestColumn::new("n", Kind::Number)];
    let large = records(&["99999999999999999999999999999999999"]);
    let error = refused(&n, &large, "r = { generalize = { n = 0.0000007 } }");
    assert!(error.contains("a number of column `n` and the step have more than 38 digits together"), "{error}");
    let mixed = records(&["99999999999999999999999999999999999", "-1"]);
    let error = refused(&n, &mixed, "r = { bottom_code = { n = -0.0000001 } }");
    assert!(error.starts_with("job.toml, column `n`: after the rules, the column mixes numbers too large"), "{error}");
    let leaves = [TestColumn { leaves: Some(&["10", "12", "15.0"]), ..TestColumn::new("n", Kind::Number) }];
    let people = records(&["10", "12"]);
    let error = refused(&leaves, &people, "r = { generalize = { n = 7 } }");
    assert!(
        error.contains("`generalize`: a step of column `n` begins at a value that is no leaf of its hierarchy"),
        "{error}"
    );
    // What would become of others does not matter.
    assert!(apply_rules(&leaves, &people, &rules("r = { when = \"n = 12\", generalize = { n = 6 } }")).is_ok());
    assert!(refused(&leaves, &people, "r = { when = \"n = 10\", generalize = { n = 6 } }").contains("no leaf"));
    assert!(refused(&leaves, &people, "r = { top_code = { n = 11 } }").contains("`11` is no leaf"));
    let (left, _) =
        apply_rules(&leaves, &people, &rules("r = { generalize = { n = 5 }, bottom_code = { n = 15 } }")).unwrap();
    assert_eq!(left, records(&["15", "15"]));
}

#[test]
fn unknown_columns_are_found_in_the_header() {
    let wanted = rules("a = { when = \"age < 3\", delete = true }\nb = { when = \"age > 3\", blank = [\"zipcod\"] }");
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(wanted.check_columns(&names(&["age", "zipcod"]), |_| true).is_ok());
    let said = |known: &[&str]| wanted.check_columns(&names(known), |_| false).unwrap_err().to_string();
    assert_eq!(
        said(&["Age", "zipcode"]),
        "job.toml, line 2: rule `a`, character 1 of its condition: there is no column `age`; hint: did you mean `Age`?"
    );
    assert_eq!(
        said(&["age", "zipcode"]),
        "job.toml, line 3: rule `b`: there is no column `zipcod`; hint: did you mean `zipcode`?"
    );
    assert!(said(&["age", "zipcod"]).contains("rule `b`: column `zipcod` is not published"));
    assert_eq!(
        (wanted.asked_columns(), wanted.ask_about("age"), wanted.ask_about("zipcod")),
        (vec!["age"], true, false)
    );
}
