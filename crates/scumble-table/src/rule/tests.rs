//! Every value is in one band per level, bands nest, and what a release shows covers what it stands for.

use super::{BandWidth, Edge, HierarchyRule};
use crate::{Decimal, Domain, Hierarchy, date_text, parse_date};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn widths(texts: &[&str]) -> Result<HierarchyRule, String> {
    let widths = texts.iter().map(|text| text.parse::<BandWidth>()).collect::<Result<_, _>>().map_err(|f| f.reason)?;
    HierarchyRule::bands(widths).map_err(|fault| fault.reason)
}

fn cuts(levels: &[&[&str]], range: Option<(&str, &str)>) -> Result<HierarchyRule, String> {
    let edge = |text: &str| Edge::parse(text).unwrap();
    let levels = levels.iter().map(|level| level.iter().map(|text| edge(text)).collect()).collect();
    HierarchyRule::cuts(levels, range.map(|(a, b)| (edge(a), edge(b)))).map_err(|fault| fault.reason)
}

fn numbers(texts: &[&str]) -> Domain {
    Domain::numbers(texts.iter().map(|text| Decimal::parse(text).unwrap()).collect()).unwrap()
}

fn dates(texts: &[&str]) -> Domain {
    Domain::dates(texts.iter().map(|text| parse_date(text).unwrap()).collect())
}

fn labels(texts: &[&str]) -> Domain {
    Domain::nominal(texts.iter().map(|&text| text.into()).collect())
}

/// The labels above each value, by its text.
fn paths(rule: &HierarchyRule, domain: Domain) -> BTreeMap<String, Vec<String>> {
    let domain = rule.bind("rule.toml", "c", domain).unwrap();
    let tree = domain.hierarchy().unwrap();
    let path = |row: Vec<&str>| row[1..row.len() - 1].iter().map(ToString::to_string).collect();
    tree.rows().into_iter().map(|row| (row[0].to_string(), path(row))).collect()
}

#[test]
fn bands_begin_at_multiples() {
    let of = |texts: &[&str], domain: Domain, value: &str| paths(&widths(texts).unwrap(), domain)[value].join(" | ");
    let ages = || numbers(&["-7", "-5", "0", "4", "5", "23", "100"]);
    assert_eq!(of(&["5", "10", "20"], ages(), "23"), "20 to 24 | 20 to 29 | 20 to 39");
    assert_eq!(of(&["5", "10"], ages(), "4"), "0 to 4 | 0 to 9");
    assert_eq!(of(&["5", "10"], ages(), "5"), "5 to 9 | 0 to 9");
    assert_eq!(of(&["5", "10"], ages(), "-5"), "-5 to -1 | -10 to -1");
    assert_eq!(of(&["5", "10"], ages(), "-7"), "-10 to -6 | -10 to -1");
    assert_eq!(of(&["2.5", "5"], ages(), "4"), "2.5 to 4.9 | 0 to 4.9");
    let fine = |value: &str| {
        let rule = widths(&["0.1", "0.5"]).unwrap().with_digits(2).unwrap();
        paths(&rule, numbers(&["0.25", "0.3", "-0.01"]))[value].join(" | ")
    };
    assert_eq!(fine("0.3"), "0.3 to 0.39 | 0 to 0.49");
    assert_eq!(fine("-0.01"), "-0.1 to -0.01 | -0.5 to -0.01");
    assert_eq!(of(&["1e30"], numbers(&["7"]), "7"), "0 to 999999999999999999999999999999");
    // A band as wide as the last digit of the rule holds one value, and is called by it.
    assert_eq!(of(&["0.5", "5"], numbers(&["3", "4"]), "3"), "3 to 3.4 | 0 to 4.9");
    assert_eq!(of(&["1", "5"], numbers(&["3", "4"]), "3"), "3 | 0 to 4");
}

#[test]
fn bands_of_the_calendar() {
    let rule = widths(&["month", "quarter", "year", "5y", "10y"]).unwrap();
    let days = ["2023-02-28", "2024-02-29", "2024-03-01", "2024-12-31", "2019-12-31", "0001-01-01", "9999-12-31"];
    let of = |day: &str| paths(&rule, dates(&days))[day].clone();
    assert_eq!(
        of("2024-02-29"),
        [
            "2024-02-01 to 2024-02-29",
            "2024-01-01 to 2024-03-31",
            "2024-01-01 to 2024-12-31",
            "2020-01-01 to 2024-12-31",
            "2020-01-01 to 2029-12-31"
        ]
    );
    assert_eq!(of("2023-02-28")[0], "2023-02-01 to 2023-02-28");
    assert_eq!(of("2024-12-31")[0], "2024-12-01 to 2024-12-31");
    assert_eq!(of("2019-12-31")[3..], ["2015-01-01 to 2019-12-31", "2010-01-01 to 2019-12-31"]);
    // The calendar of four digits has no year 0 and none after 9999.
    assert_eq!(of("0001-01-01")[4], "0001-01-01 to 0009-12-31");
    assert_eq!(of("9999-12-31")[4], "9990-01-01 to 9999-12-31");
    let far = paths(&widths(&["9999y"]).unwrap(), dates(&["2024-02-29"]));
    assert_eq!(far["2024-02-29"], ["0001-01-01 to 9998-12-31"]);
}

#[test]
fn cuts_have_open_ends() {
    let rule = cuts(&[&["18", "25", "65"], &["18", "65"]], None).unwrap();
    let of = paths(&rule, numbers(&["17", "18", "24", "25", "64", "65", "97"]));
    assert_eq!(of["17"], ["<18", "<18"]);
    assert_eq!(of["18"], ["18 to 24", "18 to 64"]);
    assert_eq!(of["24"], ["18 to 24", "18 to 64"]);
    assert_eq!(of["25"], ["25 to 64", "18 to 64"]);
    assert_eq!(of["65"], ["65+", "65+"]);
    let closed = cuts(&[&["18", "65"]], Some(("0", "120"))).unwrap();
    assert_eq!(paths(&closed, numbers(&["3", "70"]))["70"], ["65 to 120"]);
    assert_eq!(paths(&closed.clone().with_digits(1).unwrap(), numbers(&["3", "70.5"]))["3"], ["0 to 17.9"]);
    let error = closed.bind("r.toml", "age", numbers(&["3", "130"])).unwrap_err().to_string();
    assert!(error.starts_with("r.toml, column `age`: 1 of the column's values lie outside 0 to 120: `130`"), "{error}");
    let born = paths(&cuts(&[&["1950-01-01"]], None).unwrap(), dates(&["1949-12-31", "1950-01-01"]));
    assert_eq!((&born["1949-12-31"][0], &born["1950-01-01"][0]), (&"<1950-01-01".into(), &"1950-01-01+".into()));
}

#[test]
fn open_ends_are_moved_far_outward() {
    let shown = |rule: &HierarchyRule, domain: Domain, value: &str| {
        let domain = rule.bind("r", "c", domain).unwrap();
        let (first, last) = (domain.amount(1).unwrap(), domain.amount(domain.len() as u32).unwrap());
        let (tree, leaf) = (domain.hierarchy().unwrap(), domain.leaf(domain.code_of(value).unwrap()).unwrap());
        let node = tree.node(tree.leaves()[leaf as usize]).parent.unwrap();
        let (low, high) = domain.bands().unwrap().shown(node, first, last).unwrap();
        let text = |amount| Decimal::new(amount, domain.scale()).to_string();
        match parse_date(value) {
            Some(_) => (date_text(low as i32), date_text(high as i32)),
            None => (text(low), text(high)),
        }
    };
    let pair = |low: &str, high: &str| (low.to_string(), high.to_string());
    let ages = cuts(&[&["18", "25", "65"]], None).unwrap();
    for greatest in ["65", "66", "90", "97", "99"] {
        assert_eq!(shown(&ages, numbers(&["3", greatest]), greatest), pair("65", "99"));
    }
    assert_eq!(shown(&ages, numbers(&["3", "101"]), "101"), pair("65", "199"));
    for least in ["0", "3", "17"] {
        assert_eq!(shown(&ages, numbers(&[least, "97"]), least), pair("0", "17"));
    }
    assert_eq!(shown(&ages, numbers(&["-3", "97"]), "-3"), pair("-100", "17"));
    let tenths = ages.clone().with_digits(1).unwrap();
    assert_eq!(shown(&tenths, numbers(&["64.5", "97.5"]), "97.5"), pair("65", "99.9"));
    assert_eq!(shown(&tenths, numbers(&["64", "97"]), "97"), pair("65", "99.9"));
    let pay = cuts(&[&["20000", "50000"]], None).unwrap();
    assert_eq!(shown(&pay, numbers(&["1", "1234567"]), "1234567"), pair("50000", "9999999"));
    let born = cuts(&[&["1950-01-01", "2000-01-01"]], None).unwrap();
    assert_eq!(shown(&born, dates(&["1921-05-06", "2001-01-01"]), "1921-05-06"), pair("1900-01-01", "1949-12-31"));
    assert_eq!(shown(&born, dates(&["1921-05-06", "2024-02-29"]), "2024-02-29"), pair("2000-01-01", "2099-12-31"));
}

#[test]
fn ends_do_not_tell_the_digits_of_the_finest_value() {
    let rules = [widths(&["5", "20"]), cuts(&[&["10", "20"]], None), cuts(&[&["10"]], Some(("0", "60")))];
    for rule in rules.map(|rule| rule.unwrap().with_digits(4).unwrap()) {
        let of = |texts: &[&str]| paths(&rule, numbers(texts))["12"].clone();
        let known = of(&["12", "20"]);
        for other in ["20.5", "30.1234", "0.25"] {
            assert_eq!(of(&["12", other]), known, "{other}");
        }
        let error = rule.bind("r.toml", "c", numbers(&["12", "30.12345"])).unwrap_err().to_string();
        assert!(error.contains("up to 5 digits after the point"), "{error}");
    }
}

#[test]
fn codes_of_different_lengths_are_a_tree() {
    let rule = HierarchyRule::prefix(vec![3, 1]).unwrap();
    let of = paths(&rule, labels(&["J45", "J45.1", "J45.9", "J4", "J", "E11.9", "\u{e9}\u{e9}\u{e9}\u{e9}"]));
    assert_eq!(of["J45.1"], ["J45*", "J*"]);
    assert_eq!(of["J45"], ["J45*", "J*"]);
    assert_eq!(of["J4"], ["J4", "J*"]);
    assert_eq!(of["J"], ["J", "J*"]);
    assert_eq!(of["E11.9"], ["E11*", "E*"]);
    assert_eq!(of["\u{e9}\u{e9}\u{e9}\u{e9}"], ["\u{e9}\u{e9}\u{e9}*", "\u{e9}*"]);
    for like_a_label in ["G63.2*", "J45* (others)"] {
        let error = rule.bind("r.toml", "icd", labels(&[like_a_label, "A18.0"])).unwrap_err().to_string();
        assert!(error.contains("1 of its values end with `*` or `* (others)`"), "{error}");
    }
    assert!(rule.bind("r.toml", "icd", labels(&["J45 (others)"])).is_ok());
}

#[test]
fn rules_that_contradict_themselves_are_refused() {
    for (fault, part) in [
        (widths(&[]), "there is no width"),
        (widths(&["5", "12"]), "12 is no multiple of 5"),
        (widths(&["10", "5"]), "5 is no multiple of 10"),
        (widths(&["5", "5"]), "5 is no multiple of 5"),
        (widths(&["0.3", "1"]), "1 is no multiple of 0.3"),
        (widths(&["5", "year"]), "5 and year do not measure the same"),
        (widths(&["quarter", "4m"]), "4m is no multiple of quarter"),
        (widths(&["0"]), "a band cannot be 0 wide"),
        (widths(&["-5"]), "a band cannot be -5 wide"),
        (widths(&["5m"]), "bands of `5m` would not begin with years"),
        (widths(&["99999y"]), "bands of `99999y` would not begin with years"),
        (widths(&["wide"]), "`wide` is no width"),
        (cuts(&[], None), "a level has no cut"),
        (cuts(&[&["1"], &[]], None), "a level has no cut"),
        (cuts(&[&["25", "18"]], None), "25 stands before 18"),
        (cuts(&[&["18", "18"]], None), "18 stands before 18"),
        (cuts(&[&["18", "65"], &["30"]], None), "a level is cut at 30 and the finer one is not"),
        (cuts(&[&["18"], &["18"]], None), "two levels have the same cuts"),
        (cuts(&[&["18", "2000-01-01"]], None), "18 and 2000-01-01 do not measure the same"),
        (cuts(&[&["18", "65"]], Some(("18", "120"))), "the cut 18 leaves nothing on one side"),
        (cuts(&[&["18", "65"]], Some(("0", "60"))), "the cut 65 leaves nothing on one side"),
        (HierarchyRule::prefix(vec![]).map_err(|f| f.reason), "there is no length"),
        (HierarchyRule::prefix(vec![0]).map_err(|f| f.reason), "nothing is left of 0 characters"),
        (HierarchyRule::prefix(vec![1, 3]).map_err(|f| f.reason), "1 stands before 3"),
    ] {
        let reason = fault.unwrap_err();
        assert!(reason.contains(part), "{part}: {reason}");
    }
    assert_eq!("yaer".parse::<BandWidth>().unwrap_err().hint, "did you mean `year`?");
    for (width, levels) in [
        ("5", "5, 10, 20"),
        ("2.5", "2.5, 5, 10"),
        ("month", "month, quarter, year, 10y"),
        ("6m", "6m, year, 10y"),
        ("year", "year, 5y, 10y"),
        ("5y", "5y, 10y, 20y"),
    ] {
        let rule = HierarchyRule::bands_from(width.parse().unwrap()).unwrap();
        let super::RuleLevels::Bands(widths) = rule.levels() else { panic!("{rule:?}") };
        assert_eq!(widths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "), levels);
    }
}

#[test]
fn rules_name_the_column_that_they_do_not_suit() {
    for (rule, domain, part) in [
        (
            widths(&["year"]).unwrap(),
            numbers(&["1"]),
            "its widths are spans of the calendar, and the column is number; hint: write widths such as 5",
        ),
        (
            widths(&["5"]).unwrap(),
            dates(&["2024-01-01"]),
            "its widths are numbers, and the column is date; hint: write widths such as month or 5y",
        ),
        (
            cuts(&[&["5"]], None).unwrap(),
            labels(&["a"]),
            "its cuts are numbers, and the column is nominal; hint: say what its values are",
        ),
        (
            HierarchyRule::prefix(vec![1]).unwrap(),
            numbers(&["1"]),
            "a prefix is the beginning of a label, and the column is number",
        ),
        (widths(&["0.0001"]).unwrap(), numbers(&["1e37"]), "more than 38 digits"),
        (
            widths(&["5"]).unwrap(),
            numbers(&["1.25"]),
            "its values have up to 2 digits after the point, and the rule has bands for 0: ends as fine as the values would tell this of \
             them; hint: write `digits = 2`",
        ),
    ] {
        let error = rule.bind("r.toml", "c", domain).unwrap_err().to_string();
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(widths(&["5"]).unwrap().bind("r", "c", numbers(&[])).unwrap().hierarchy().is_none());
}

/// The label sets of a level, by brute force.
fn check_tree(tree: &Hierarchy) {
    let rows = tree.rows();
    for level in 0..tree.height() as usize {
        let mut above: BTreeMap<&str, &str> = BTreeMap::new();
        for row in &rows {
            assert_eq!(*above.entry(row[level]).or_insert(row[level + 1]), row[level + 1]);
        }
    }
}

proptest! {
    #[test]
    fn a_value_is_in_one_band_and_bands_nest(
        values in proptest::collection::btree_set(-100_000i128..100_000, 1..60),
        scale in 0u8..4, width in 1i128..500, width_scale in 0u8..4,
        factors in proptest::collection::vec(2i128..5, 0..3),
    ) {
        let mut wide = width;
        let mut all = vec![wide];
        for factor in factors {
            wide *= factor;
            all.push(wide);
        }
        let of = |mantissa| BandWidth::Number(Decimal::new(mantissa, width_scale));
        let rule = HierarchyRule::bands(all.iter().map(|&width| of(width)).collect()).unwrap().with_digits(4).unwrap();
        let values: Vec<Decimal> = values.into_iter().map(|value| Decimal::new(value, scale)).collect();
        let domain = rule.bind("r", "c", Domain::numbers(values).unwrap()).unwrap();
        let (tree, bands) = (domain.hierarchy().unwrap(), domain.bands().unwrap());
        check_tree(tree);
        for code in domain.codes() {
            let amount = domain.amount(code).unwrap();
            let mut node = tree.leaves()[domain.leaf(code).unwrap() as usize];
            let mut inner = (amount, amount);
            for &width in &all {
                node = tree.node(node).parent.unwrap();
                let (low, high) = bands.shown(node, amount, amount).unwrap();
                prop_assert!(low <= inner.0 && inner.1 <= high);
                // The band is the multiple of the width that the value lies above, counted by floor division of fractions.
                let (den, num) = (10i128.pow(u32::from(domain.scale())) * width, 10i128.pow(u32::from(width_scale)));
                let at = |amount: i128| (amount * num).div_euclid(den);
                prop_assert_eq!((at(low), at(high)), (at(amount), at(amount)));
                prop_assert!(at(low - 1) < at(amount) && at(high + 1) > at(amount));
                inner = (low, high);
            }
        }
    }

    #[test]
    fn days_are_in_one_band(
        days in proptest::collection::btree_set(-719_162i32..2_932_896, 1..40),
        texts in proptest::sample::select(vec![vec!["month", "quarter", "year", "5y", "10y", "100y"], vec!["2m", "4m", "year", "3y"], vec!["6m", "7y"]]),
    ) {
        let rule = widths(&texts).unwrap();
        let domain = rule.bind("r", "c", Domain::dates(days.into_iter().collect())).unwrap();
        let (tree, bands) = (domain.hierarchy().unwrap(), domain.bands().unwrap());
        check_tree(tree);
        for code in domain.codes() {
            let amount = domain.amount(code).unwrap();
            let mut node = tree.leaves()[domain.leaf(code).unwrap() as usize];
            let mut inner = (amount, amount);
            for _ in &texts {
                node = tree.node(node).parent.unwrap();
                let (low, high) = bands.shown(node, amount, amount).unwrap();
                prop_assert!(low <= inner.0 && inner.1 <= high);
                prop_assert!(date_text(low as i32).ends_with("-01"));
                let next = date_text(high as i32 + 1);
                prop_assert!(next.ends_with("-01") || next.starts_with("10000"), "{next}");
                inner = (low, high);
            }
        }
    }

    #[test]
    fn cuts_divide_all_values(
        values in proptest::collection::btree_set(-500i128..500, 1..40),
        cuts in proptest::collection::btree_set(-400i128..400, 1..8),
        scale in 0u8..2, cut_scale in 0u8..3,
    ) {
        let edges: Vec<Edge> = cuts.iter().map(|&cut| Edge::Number(Decimal::new(cut, cut_scale))).collect();
        let mut levels = vec![edges.clone()];
        if edges.len() > 1 {
            levels.push(edges[..1].to_vec());
        }
        let rule = HierarchyRule::cuts(levels.clone(), None).unwrap().with_digits(3).unwrap();
        let values: Vec<Decimal> = values.into_iter().map(|value| Decimal::new(value, scale)).collect();
        let domain = rule.bind("r", "c", Domain::numbers(values.clone()).unwrap()).unwrap();
        let (tree, bands) = (domain.hierarchy().unwrap(), domain.bands().unwrap());
        check_tree(tree);
        let (first, last) = (domain.amount(1).unwrap(), domain.amount(domain.len() as u32).unwrap());
        let value = |amount: i128| Decimal::new(amount, domain.scale());
        for code in domain.codes() {
            let own = value(domain.amount(code).unwrap());
            let mut node = tree.leaves()[domain.leaf(code).unwrap() as usize];
            for level in &levels {
                node = tree.node(node).parent.unwrap();
                let below = |of: Decimal| level.iter().filter(|cut| **cut <= Edge::Number(of)).count();
                let (low, high) = bands.shown(node, first, last).unwrap();
                prop_assert!(value(low) <= own && own <= value(high));
                // Both ends lie between the same two cuts as the value.
                prop_assert_eq!((below(value(low)), below(value(high))), (below(own), below(own)));
            }
        }
    }

    #[test]
    fn prefixes_are_a_tree(codes in proptest::collection::btree_set("[AJ4.\u{e9}]{1,6}", 1..40)) {
        let rule = HierarchyRule::prefix(vec![4, 3, 1]).unwrap();
        let texts: Vec<&str> = codes.iter().map(String::as_str).collect();
        let bound = rule.bind("r", "c", labels(&texts)).unwrap();
        check_tree(bound.hierarchy().unwrap());
        for (code, path) in paths(&rule, labels(&texts)) {
            for (label, n) in path.iter().zip([4, 3, 1]) {
                match label.strip_suffix('*') {
                    Some(kept) => prop_assert!(code.starts_with(kept) && kept.chars().count() == n),
                    None => prop_assert!(*label == code && code.chars().count() < n),
                }
            }
        }
    }
}
