//! Each action on each type, worked by hand.

use super::*;

/// A column of a kind through a rule, value by value.
fn through(column: &TestColumn, rule: &str, before: &[&str]) -> Vec<String> {
    let (left, _) = apply_rules(std::slice::from_ref(column), &records(before), &rules(rule)).unwrap();
    left.into_iter().map(|record| if record[0].is_empty() { ".".into() } else { record[0].clone() }).collect()
}

#[test]
fn numbers() {
    let n = TestColumn::new("n", Kind::Number);
    let before = ["-7.5", "-5", "0", "4.99", "5", "12", "."];
    for (rule, after) in [
        ("r = { blank = [\"n\"] }", ["."; 7]),
        ("r = { top_code = { n = 4.5 } }", ["-7.5", "-5", "0", "4.5", "4.5", "4.5", "."]),
        ("r = { bottom_code = { n = -1e0 } }", ["-1", "-1", "0", "4.99", "5", "12", "."]),
        ("r = { generalize = { n = 5 } }", ["-10", "-5", "0", "0", "5", "10", "."]),
        ("r = { generalize = { n = 0.25 } }", ["-7.5", "-5", "0", "4.75", "5", "12", "."]),
        ("r = { generalize = { n = \"2.5\" }, top_code = { n = 6 } }", ["-7.5", "-5", "0", "2.5", "5", "5", "."]),
        ("r = { top_code = { n = 3 }, bottom_code = { n = 3 } }", ["3", "3", "3", "3", "3", "3", "."]),
    ] {
        assert_eq!(through(&n, rule, &before), after, "{rule}");
    }
    // The last digit of 37 stays exact.
    let long = "1234567890123456789012345678901234567";
    assert_eq!(through(&n, "r = { generalize = { n = 10 } }", &[long]), ["1234567890123456789012345678901234560"]);
}

#[test]
fn dates() {
    let d = TestColumn::new("d", Kind::Date);
    let before = ["0001-01-03", "1969-12-31", "2000-02-29", "2024-08-15", "."];
    for (rule, after) in [
        ("r = { blank = \"d\" }", ["."; 5]),
        ("r = { top_code = { d = 2000-01-01 } }", ["0001-01-03", "1969-12-31", "2000-01-01", "2000-01-01", "."]),
        ("r = { bottom_code = { d = \"1970-01-01\" } }", ["1970-01-01", "1970-01-01", "2000-02-29", "2024-08-15", "."]),
        ("r = { generalize = { d = \"month\" } }", ["0001-01-01", "1969-12-01", "2000-02-01", "2024-08-01", "."]),
        ("r = { generalize = { d = \"quarter\" } }", ["0001-01-01", "1969-10-01", "2000-01-01", "2024-07-01", "."]),
        ("r = { generalize = { d = \"year\" } }", ["0001-01-01", "1969-01-01", "2000-01-01", "2024-01-01", "."]),
        // Weeks begin on Mondays.
        ("r = { generalize = { d = 7 } }", ["0001-01-01", "1969-12-29", "2000-02-28", "2024-08-12", "."]),
        ("r = { generalize = { d = 3652059 } }", ["0001-01-01", "0001-01-01", "0001-01-01", "0001-01-01", "."]),
    ] {
        assert_eq!(through(&d, rule, &before), after, "{rule}");
    }
}

#[test]
fn ordinals() {
    let o = &COLUMNS[2];
    // `mid` and `top` need not occur.
    let before = ["low", "high", "."];
    for (rule, after) in [
        ("r = { blank = \"o\" }", [".", ".", "."]),
        ("r = { top_code = { o = \"mid\" } }", ["low", "mid", "."]),
        ("r = { bottom_code = { o = \"top\" } }", ["top", "top", "."]),
        ("r = { generalize = { o = \"mid\" } }", ["mid", "mid", "."]),
    ] {
        assert_eq!(through(o, rule, &before), after, "{rule}");
    }
    let z = &COLUMNS[3];
    let before = ["02139", "10001", "90210", "."];
    for (rule, after) in [
        ("r = { top_code = { z = \"20000\" } }", ["02139", "10001", "20000", "."]),
        ("r = { bottom_code = { z = \"02140\" } }", ["02140", "10001", "90210", "."]),
        ("r = { when = \"z < '09999'\", generalize = { z = \"02000\" } }", ["02000", "10001", "90210", "."]),
    ] {
        assert_eq!(through(z, rule, &before), after, "{rule}");
    }
}

#[test]
fn nominals() {
    let l = TestColumn::new("l", Kind::Nominal);
    let before = ["9th", "10th", "HS-grad", "."];
    let school = "r = { when = \"l = '9th' or l = '10th'\", generalize = { l = \"Secondary\" } }";
    assert_eq!(through(&l, school, &before), ["Secondary", "Secondary", "HS-grad", "."]);
    assert_eq!(through(&l, "r = { when = \"l != '9th'\", blank = \"l\" }", &before), ["9th", ".", ".", "."]);
    let h = &COLUMNS[5];
    assert_eq!(
        through(h, "r = { when = \"h in ('a', 'b')\", generalize = { h = \"d\" } }", &["a", "b", "c"]),
        ["d", "d", "c"]
    );
}

#[test]
fn rules_see_what_the_rules_before_them_left() {
    let columns = [TestColumn::new("age", Kind::Number), TestColumn::new("height", Kind::Number)];
    let people = records(&["11 170", "12 165", "13 170", "17 150", ". 150", "40 190"]);
    let (left, counts) = apply_rules(
        &columns,
        &people,
        &rules(
            "tall = { when = \"age <= 12 and height > 160\", top_code = { height = 160 } }\n\
             short = { when = \"age > 15 and height < 160\", bottom_code = { height = 160 } }\n\
             same = { when = \"height = 160\", generalize = { age = 10 } }\n\
             old = { when = \"age >= 40\", delete = true }\n\
             nobody = { when = \"height = 190\", delete = true }",
        ),
    )
    .unwrap();
    assert_eq!(left, records(&["10 160", "10 160", "13 170", "10 160", ". 150"]));
    let counts: Vec<_> = counts.iter().map(|c| (c.name.as_str(), [c.matched, c.changed, c.deleted, c.cells])).collect();
    assert_eq!(
        counts,
        [
            ("tall", [2, 2, 0, 2]),
            ("short", [1, 1, 0, 1]),
            ("same", [3, 3, 0, 3]),
            ("old", [1, 0, 1, 0]),
            ("nobody", [0, 0, 0, 0])
        ]
    );
    // The other way round another table comes out: with the order, the meaning changes.
    let (left, _) = apply_rules(
        &columns,
        &people,
        &rules("b = { when = \"height = 160\", delete = true }\na = { top_code = { height = 160 } }"),
    )
    .unwrap();
    assert_eq!(left.len(), 6);
}

#[test]
fn a_matched_record_need_not_change() {
    let columns = [TestColumn::new("a", Kind::Number), TestColumn::new("b", Kind::Nominal)];
    let (left, counts) = apply_rules(
        &columns,
        &records(&["1 x", "9 .", "9 y"]),
        &rules("r = { when = \"a is not missing\", top_code = { a = 5 }, blank = [\"b\"] }"),
    )
    .unwrap();
    assert_eq!(left, records(&["1 .", "5 .", "5 ."]));
    let found = &counts[0];
    assert_eq!((found.matched, found.changed, found.deleted, found.cells), (3, 3, 0, 4));
}

/// The setting that section 4.2.1 of the paper gives as an example.
#[test]
fn paper3_construction() {
    let columns = ["A", "QI1", "QI2", "QI3"].map(|name| TestColumn::new(name, Kind::Nominal));
    let people = records(&["a X Y Z", "b X . Z", "c . Y Z", "d X Y W", "e V V W", "f V V ."]);
    let wanted = rules("G = { when = \"(QI1 = 'X') and (QI2 = 'Y') or (not QI3 = 'Z')\", blank = \"A\" }");
    let (left, counts) = apply_rules(&columns, &people, &wanted).unwrap();
    assert_eq!(left, records(&[". X Y Z", "b X . Z", "c . Y Z", ". X Y W", ". V V W", ". V V ."]));
    assert_eq!((counts[0].matched, counts[0].cells), (4, 4));
}

/// Heights that are only telling together with the age, as between tables 1 and 2 of the paper.
#[test]
fn paper3_heights_by_age() {
    let columns = [TestColumn::new("age", Kind::Number), TestColumn::new("height", Kind::Number)];
    let people = records(&["11 165", "12 161", "12 150", "13 165", "16 159", "16 160", "30 148"]);
    let wanted = rules(
        "short = { when = \"age > 15 and height < 160\", bottom_code = { height = 160 } }\n\
         tall = { when = \"age <= 12 and height > 160\", top_code = { height = 160 } }",
    );
    let (left, _) = apply_rules(&columns, &people, &wanted).unwrap();
    assert_eq!(left, records(&["11 160", "12 160", "12 150", "13 165", "16 160", "16 160", "30 160"]));
}
