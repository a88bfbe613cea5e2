//! Plain hierarchies of every kind of column.

use super::{Automatic, Fineness, LevelRule, automatic, build, plain_tree};
use proptest::prelude::*;
use scumble_table::{
    Attribute, ConditionalHierarchy, Decimal, Domain, Hierarchy, Monitor, Role, Schema, date_text, parse_date,
};

fn attribute(domain: Domain) -> Attribute {
    Attribute { name: "c".into(), role: Role::Quasi, domain }
}

fn integers(from: i64, to: i64) -> Attribute {
    attribute(Domain::numbers((from..=to).map(Decimal::from).collect()).unwrap())
}

fn labels(texts: &[&str]) -> Attribute {
    attribute(Domain::nominal(texts.iter().map(|&text| text.into()).collect()))
}

fn intervals(found: Automatic) -> ConditionalHierarchy {
    match found {
        Automatic::Intervals(ladder) => ladder,
        Automatic::Tree(tree) => panic!("{tree:?}"),
    }
}

fn tree(found: Automatic) -> Hierarchy {
    match found {
        Automatic::Tree(tree) => tree,
        Automatic::Intervals(ladder) => panic!("{ladder:?}"),
    }
}

fn lines(tree: &Hierarchy) -> Vec<String> {
    tree.rows().iter().map(|row| row.join(";")).collect()
}

fn even(attribute: &Attribute, each: u64) -> Vec<u64> {
    std::iter::once(3).chain(std::iter::repeat_n(each, attribute.domain.len())).collect()
}

#[test]
fn numbers_get_levels_that_halve() {
    let ages = integers(0, 95);
    for rule in [LevelRule::Optimal, LevelRule::EqualFrequency] {
        let found = build(&ages, &even(&ages, 10), rule, Fineness::default(), Monitor::silent()).unwrap();
        let ladder = intervals(found);
        let counts: Vec<usize> = ladder.common.iter().map(|cuts| cuts.len() + 1).collect();
        assert_eq!(counts, [16, 8, 4, 2], "{rule}");
        assert_eq!(&*ladder.common[3][0], "47");
        let schema = Schema::new(vec![ages.clone()]).unwrap();
        assert_eq!(ladder.bind("c", &schema).unwrap().n_levels(), 4);
        let tree = plain_tree(&ladder, &ages.domain).unwrap();
        assert_eq!(tree.height(), 5);
        assert_eq!(lines(&tree)[7], "7;6 to 11;0 to 11;0 to 23;0 to 47;*");
    }
    assert_eq!(LevelRule::for_column(&ages), LevelRule::Optimal);
    assert_eq!(intervals(automatic(&ages, &even(&ages, 1), Monitor::silent()).unwrap()).common.len(), 4);
}

#[test]
fn small_columns_get_few_levels() {
    for (last, counts) in [(1, vec![1]), (3, vec![1]), (4, vec![2]), (8, vec![4, 2]), (20, vec![6, 3, 2])] {
        let column = integers(1, last);
        let ladder = intervals(automatic(&column, &even(&column, 5), Monitor::silent()).unwrap());
        assert_eq!(ladder.common.iter().map(|cuts| cuts.len() + 1).collect::<Vec<_>>(), counts, "{last} values");
        let tree = plain_tree(&ladder, &column.domain).unwrap();
        assert_eq!(tree.height() as usize, 1 + counts.iter().filter(|count| **count > 1).count());
    }
}

#[test]
fn rows_and_groups_can_be_asked_for() {
    let ages = integers(0, 99);
    let rows = even(&ages, 1);
    for rule in [LevelRule::Optimal, LevelRule::EqualFrequency] {
        let count = |fineness| {
            let ladder = intervals(build(&ages, &rows, rule, fineness, Monitor::silent()).unwrap());
            ladder.common.iter().map(|cuts| cuts.len() + 1).collect::<Vec<_>>()
        };
        assert_eq!(count(Fineness { least: Some(25), groups: None })[0], 4, "{rule}");
        assert_eq!(count(Fineness { least: None, groups: Some(5) }), [5, 2], "{rule}");
        assert_eq!(count(Fineness { least: Some(1000), groups: None }), [1], "{rule}");
        assert_eq!(count(Fineness { least: None, groups: Some(1) }), [1], "{rule}");
    }
}

#[test]
fn dates_follow_the_calendar() {
    let days = |from: &str, to: &str, step: usize| {
        attribute(Domain::dates((parse_date(from).unwrap()..=parse_date(to).unwrap()).step_by(step).collect()))
    };
    let born = days("1989-11-20", "2001-02-03", 1);
    let ladder = intervals(automatic(&born, &even(&born, 1), Monitor::silent()).unwrap());
    let counts: Vec<usize> = ladder.common.iter().map(|cuts| cuts.len() + 1).collect();
    assert_eq!(counts, [136, 46, 13, 3]);
    assert_eq!(&*ladder.common[0][0], "1989-11-30");
    assert_eq!(ladder.common[3].iter().map(|cut| &**cut).collect::<Vec<_>>(), ["1989-12-31", "1999-12-31"]);
    let tree = plain_tree(&ladder, &born.domain).unwrap();
    assert_eq!(lines(&tree)[0], "1989-11-20;1989-11;1989 Q4;1989;1980s;*");
    assert!(lines(&tree).contains(&"2000-02-29;2000-02;2000 Q1;2000;2000s;*".to_string()));
    // Dates on the first of a month are months already, and within one year there is no year.
    let months =
        attribute(Domain::dates((1..=9).map(|month| parse_date(&format!("2001-{month:02}-01")).unwrap()).collect()));
    let ladder = intervals(automatic(&months, &even(&months, 1), Monitor::silent()).unwrap());
    assert_eq!(ladder.common.len(), 1);
    assert_eq!(lines(&plain_tree(&ladder, &months.domain).unwrap())[3], "2001-04-01;2001 Q2;*");
    // Gaps do not matter, and the ends of the calendar do no harm.
    let far = attribute(Domain::dates(
        ["0001-01-01", "1990-05-05", "1990-05-06", "9999-12-31"].map(|d| parse_date(d).unwrap()).to_vec(),
    ));
    let ladder = intervals(automatic(&far, &even(&far, 1), Monitor::silent()).unwrap());
    let tree = plain_tree(&ladder, &far.domain).unwrap();
    assert!(lines(&tree)[1].contains("1990"), "{:?}", lines(&tree));
    assert_eq!(date_text(parse_date("9999-12-31").unwrap()), lines(&tree)[3].split(';').next().unwrap());
    // Other cuts have no name in the calendar.
    let odd = ConditionalHierarchy::plain("c", vec![vec!["1990-01-15".into()]]);
    let tree = plain_tree(&odd, &days("1990-01-01", "1990-02-01", 1).domain).unwrap();
    assert_eq!(lines(&tree)[0], "1990-01-01;1990-01-01 to 1990-01-15;*");
}

#[test]
fn codes_are_masked() {
    let zips = labels(&["13053", "13068", "13122", "14850", "14853"]);
    assert_eq!(LevelRule::for_column(&zips), LevelRule::Prefix);
    let found = tree(automatic(&zips, &even(&zips, 4), Monitor::silent()).unwrap());
    assert_eq!(
        lines(&found),
        [
            "13053;1305*;130**;13***;*",
            "13068;1306*;130**;13***;*",
            "13122;1312*;131**;13***;*",
            "14850;1485*;148**;14***;*",
            "14853;1485*;148**;14***;*",
        ]
    );
    let ordinal = attribute(Domain::ordinal(["02138", "02139", "10001"].map(Into::into).to_vec()));
    assert_eq!(LevelRule::for_column(&ordinal), LevelRule::Prefix);
    for words in [&["red", "tan", "sky"][..], &["a1", "b1"], &["13053", "130"], &["1 2", "1 3"], &["x1y", "z2w"]] {
        assert_ne!(LevelRule::for_column(&labels(words)), LevelRule::Prefix, "{words:?}");
    }
    // Asked for, anything can be masked that is not masked already.
    let mixed = labels(&["A1", "A12", "B7"]);
    let asked =
        |column: &Attribute| build(column, &even(column, 1), LevelRule::Prefix, Fineness::default(), Monitor::silent());
    assert_eq!(lines(&tree(asked(&mixed).unwrap())), ["A1;A1*;*", "A12;A1*;*", "B7;B7*;*"]);
    assert_eq!(lines(&tree(asked(&integers(13, 14)).unwrap())), ["13;*", "14;*"]);
    let error = asked(&labels(&["130", "131", "13*", "200"])).unwrap_err().to_string();
    assert!(error.starts_with("kind `prefix`: the values of `c` cannot be masked"), "{error}");
    // Of long codes some lengths are left out.
    let long: Vec<String> = (0..200u64).map(|i| format!("{:012}", i * 6_364_136_223)).collect();
    let long = labels(&long.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(tree(automatic(&long, &even(&long, 1), Monitor::silent()).unwrap()).height() <= 6);
}

#[test]
fn rare_labels_are_taken_together() {
    let column = labels(&["a", "b", "c", "d", "e"]);
    let found = tree(automatic(&column, &[9, 1, 60, 2, 30, 7], Monitor::silent()).unwrap());
    // Bounds of 2, 4, 8, 16, 32 rows out of 100; the group must reach them, too.
    let wanted = [
        "a;others 1;others 2;others 3;*",
        "c;others 1;others 2;others 3;*",
        "e;e;others 2;others 3;*",
        "d;d;d;others 3;*",
        "b;b;b;b;*",
    ];
    assert_eq!(lines(&found), wanted);
    let named = labels(&["others 1", "x", "y"]);
    let found = tree(automatic(&named, &[0, 50, 1, 1], Monitor::silent()).unwrap());
    assert!(lines(&found)[1].starts_with("x;others 1';"), "{:?}", lines(&found));
    for texts in [&["a"][..], &["a", "b"]] {
        let column = labels(texts);
        assert_eq!(tree(automatic(&column, &even(&column, 5), Monitor::silent()).unwrap()).height(), 1);
    }
}

#[test]
fn what_does_not_suit_is_refused() {
    let (ages, cities) = (integers(1, 9), labels(&["Ghent", "Porto"]));
    for (column, rule, part) in [
        (&ages, LevelRule::Calendar, "kind `calendar`: it is for dates, and `c` is number; hint: try optimal"),
        (&ages, LevelRule::Frequency, "it is for labels"),
        (&cities, LevelRule::Optimal, "it is for columns with an order, and `c` is nominal; hint: try frequency"),
        (&cities, LevelRule::EqualFrequency, "columns with an order"),
    ] {
        let error =
            build(column, &even(column, 1), rule, Fineness::default(), Monitor::silent()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    assert!(automatic(&labels(&[]), &[5], Monitor::silent()).unwrap_err().to_string().contains("no value at all"));
    for rule in LevelRule::ALL {
        assert_eq!(rule.name().parse::<LevelRule>().unwrap(), rule);
    }
    assert!("frequncy".parse::<LevelRule>().unwrap_err().to_string().contains("did you mean `frequency`?"));
}

/// Rows of every group of every level but the values and the root.
fn group_rows(tree: &Hierarchy, domain: &Domain, rows: &[u64]) -> Vec<(u32, u64)> {
    let inner = tree.nodes().iter().filter(|node| node.level > 0 && node.level < tree.height());
    let held =
        |first: u32, end: u32| (first..end).map(|leaf| rows[domain.code_of(tree.value(leaf)).unwrap() as usize]).sum();
    inner.map(|node| (node.level, held(node.first_leaf, node.end_leaf))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_group_has_the_rows_that_were_asked_for(
        counts in proptest::collection::vec(0u64..30, 2..60),
        least in 1u64..80,
        groups in proptest::option::of(1u64..20),
        equal in any::<bool>(),
    ) {
        let rows: Vec<u64> = std::iter::once(7).chain(counts.iter().copied()).collect();
        let fineness = Fineness { least: Some(least), groups };
        let rule = if equal { LevelRule::EqualFrequency } else { LevelRule::Optimal };
        let column = integers(1, counts.len() as i64);
        let ladder = intervals(build(&column, &rows, rule, fineness, Monitor::silent()).unwrap());
        let tree_of = plain_tree(&ladder, &column.domain).unwrap();
        for (level, held) in group_rows(&tree_of, &column.domain, &rows) {
            prop_assert!(held >= least, "a group of level {level} has {held} rows: {:?}", ladder.common);
        }
        let texts: Vec<String> = (0..counts.len()).map(|i| format!("label {i}")).collect();
        let column = labels(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let total: u64 = counts.iter().sum();
        let found = tree(build(&column, &rows, LevelRule::Frequency, fineness, Monitor::silent()).unwrap());
        for (level, held) in group_rows(&found, &column.domain, &rows) {
            prop_assert!(held >= least && held < total.max(1), "a group of level {level} has {held} rows of {total}");
        }
    }
}
