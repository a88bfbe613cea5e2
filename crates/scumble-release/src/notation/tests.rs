use super::*;
use crate::published_column::{Extent, PublishedColumn};
use proptest::prelude::*;
use scumble_table::{Decimal, Hierarchy, Kind, Role};
use std::sync::Arc;

fn published(domain: &Domain) -> PublishedColumn {
    let texts = || domain.codes().map(|code| domain.text(code).into_owned()).collect::<Vec<_>>();
    let extent = match domain.kind() {
        Kind::Number => {
            let numbers: Vec<Decimal> = texts().iter().filter_map(|text| Decimal::parse(text)).collect();
            Extent::Numbers(numbers.first().copied().zip(numbers.last().copied()))
        }
        Kind::Date => {
            let days: Vec<i32> = texts().iter().filter_map(|text| scumble_table::parse_date(text)).collect();
            Extent::Days(days.first().copied().zip(days.last().copied()))
        }
        _ => Extent::Labels(texts()),
    };
    PublishedColumn::new("c", Role::Quasi, domain.kind(), extent, domain.hierarchy().cloned()).unwrap()
}

fn labels(texts: &[&str]) -> Vec<Box<str>> {
    texts.iter().map(|&text| text.into()).collect()
}

fn read_back(cover: Cover, domain: &Domain) -> (String, Region) {
    let shown = text(&cover, domain);
    let region = parse(&shown, &published(domain)).unwrap();
    (shown, region)
}

#[test]
fn numbers_and_dates_are_intervals() {
    let numbers = Domain::numbers(["-1", "2.5", "10"].map(|t| Decimal::parse(t).unwrap()).to_vec()).unwrap();
    let number = |text: &str| Decimal::parse(text).unwrap();
    assert_eq!(
        read_back(Cover::Interval(1, 2), &numbers),
        ("[-1,2.5]".into(), Region::Numbers(number("-1"), number("2.5")))
    );
    assert_eq!(read_back(Cover::One(3), &numbers), ("10".into(), Region::Numbers(number("10"), number("10"))));
    assert_eq!(read_back(Cover::Interval(3, 3), &numbers).0, "10");
    assert_eq!(read_back(Cover::All, &numbers), ("*".into(), Region::All));
    assert_eq!(read_back(Cover::Null, &numbers), (String::new(), Region::Null));
    let dates = Domain::dates(vec![0, 31]);
    assert_eq!(read_back(Cover::Interval(1, 2), &dates), ("[1970-01-01,1970-02-01]".into(), Region::Days(0, 31)));
}

#[test]
fn labels_are_sets_or_runs() {
    let nominal = Domain::nominal(labels(&["a", "b, c", "*", "{x|y}", "\\n", "p|q"]));
    for (code, shown) in [(1, "\\*"), (2, "\\\\n"), (3, "a"), (4, "b, c"), (5, "p|q"), (6, "\\{x|y}")] {
        assert_eq!(read_back(Cover::One(code), &nominal), (shown.into(), Region::Labels(vec![code - 1])));
    }
    assert_eq!(read_back(Cover::Set(vec![1, 2, 4, 5, 6]), &nominal).0, "{*|\\\\n|b, c|p\\|q|\\{x\\|y\\}}");
    let ordinal = Domain::ordinal(labels(&["low", "mid, or so", "[high]"]));
    assert_eq!(read_back(Cover::Interval(1, 3), &ordinal), ("[low,\\[high\\]]".into(), Region::Positions(0, 2)));
    assert_eq!(read_back(Cover::Interval(2, 3), &ordinal).0, "[mid\\, or so,\\[high\\]]");
}

#[test]
fn hierarchies_show_their_labels() {
    let rows: Vec<Vec<String>> = ["1;[0, 2[;*", "2.0;[2, 4[;*", "3;[2, 4[;*"]
        .iter()
        .map(|line| line.split(';').map(String::from).collect())
        .collect();
    let tree = Arc::new(Hierarchy::from_rows("h", &rows, &[1, 2, 3]).unwrap());
    let numbers = ["1", "2", "3"].map(|t| Decimal::parse(t).unwrap()).to_vec();
    let domain = Domain::numbers(numbers).unwrap().with_hierarchy("h", "c", tree.clone()).unwrap();
    let node = tree.find("[2, 4[").unwrap();
    assert_eq!(read_back(Cover::Node(node), &domain), ("\\[2, 4[".into(), Region::Node(node)));
    assert_eq!(parse("[2, 4[", &published(&domain)).unwrap(), Region::Node(node));
    assert_eq!(read_back(Cover::Node(tree.root()), &domain), ("*".into(), Region::All));
    assert_eq!(read_back(Cover::One(2), &domain), ("2".into(), Region::Node(tree.leaves()[1])));
    assert!(Cover::Node(node).covers(3, &domain) && !Cover::Node(node).covers(1, &domain));
    assert!(parse("[1,3]", &published(&domain)).is_err());
}

#[test]
fn ambiguous_numbers_in_a_hierarchy_are_refused() {
    let rows: Vec<Vec<String>> =
        ["20.0;20;*", "21;20;*"].iter().map(|line| line.split(';').map(String::from).collect()).collect();
    let tree = Arc::new(Hierarchy::from_rows("h", &rows, &[1, 2]).unwrap());
    let made = PublishedColumn::new("c", Role::Quasi, Kind::Number, Extent::Numbers(None), Some(tree));
    assert!(made.unwrap_err().to_string().contains("ambiguous"));
}

#[test]
fn other_spellings_are_refused() {
    let numbers = Domain::numbers(vec![Decimal::from(1), Decimal::from(9)]).unwrap();
    for text in ["01", "1.0", "[1,1]", "[9,1]", "[1,10]", "[1;9]", "[1,2,3]", "[1,9", "x", "{1|9}", " 1", "1e0", "**"] {
        assert!(parse(text, &published(&numbers)).is_err(), "{text}");
    }
    let nominal = Domain::nominal(labels(&["a", "b", "c"]));
    for text in ["{a}", "{b|a}", "{a|a}", "{a|x}", "{a|b", "\\a", "d", "[a,b]", "{}", "{a||b}", "\\", "{a\\x|b}"] {
        assert!(parse(text, &published(&nominal)).is_err(), "{text}");
    }
    assert_eq!(
        parse("{\\*|a}", &published(&Domain::nominal(labels(&["*", "a"])))).unwrap(),
        Region::Labels(vec![0, 1])
    );
    let error = parse("[1,10]", &published(&numbers)).unwrap_err().to_string();
    assert_eq!(error, "release, column `c`, value `[1,10]`: this leaves the manifest's domain");
}

fn nasty() -> impl Strategy<Value = String> {
    "[\\\\,{}|\\[\\]*ab \"\n;é]{1,6}"
}

proptest! {
    #[test]
    fn nasty_sets_come_back(texts in prop::collection::btree_set(nasty(), 1..8), pick in any::<u16>()) {
        let domain = Domain::nominal(texts.iter().map(|t| t.as_str().into()).collect());
        let codes: Vec<Code> = domain.codes().filter(|code| pick >> code & 1 == 1).collect();
        let cover = match codes.as_slice() { [] => Cover::All, [one] => Cover::One(*one), _ => Cover::Set(codes.clone()) };
        let expected = if codes.is_empty() { Region::All } else { Region::Labels(codes.iter().map(|c| c - 1).collect()) };
        prop_assert_eq!(read_back(cover, &domain).1, expected);
    }

    #[test]
    fn nasty_runs_come_back(texts in prop::collection::btree_set(nasty(), 1..8), a in any::<u32>(), b in any::<u32>()) {
        let domain = Domain::ordinal(texts.iter().rev().map(|t| t.as_str().into()).collect());
        let n = domain.len() as u32;
        let (lo, hi) = ((a % n).min(b % n), (a % n).max(b % n));
        prop_assert_eq!(read_back(Cover::Interval(lo + 1, hi + 1), &domain).1, Region::Positions(lo, hi));
    }

    #[test]
    fn distinct_covers_have_distinct_texts(texts in prop::collection::btree_set(nasty(), 2..5)) {
        let domain = Domain::nominal(texts.iter().map(|t| t.as_str().into()).collect());
        let mut shown = std::collections::BTreeSet::new();
        for pick in 0u32..1 << domain.len() {
            let codes: Vec<Code> = domain.codes().filter(|code| pick >> (code - 1) & 1 == 1).collect();
            prop_assert!(shown.insert(text(&Cover::Set(codes), &domain)));
        }
        prop_assert!(shown.insert(text(&Cover::All, &domain)));
    }

    #[test]
    fn no_text_panics(shown in "\\PC*", odd in "[\\[{\\\\|,\\]}*a1-]{0,9}") {
        let numbers = Domain::numbers(vec![Decimal::from(-1), Decimal::from(11)]).unwrap();
        for domain in [numbers, Domain::nominal(labels(&["a", "*", "|"])), Domain::ordinal(labels(&["a", ",", "1"]))] {
            for text in [&shown, &odd] {
                let _ = parse(text, &published(&domain));
            }
        }
    }
}
