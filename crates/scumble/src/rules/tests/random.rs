//! Random rules on random tables: the fast way and the slow one come to the same.

use super::super::condition::tests::{conditions, tests_of};
use super::super::condition::{Constant, Test};
use super::*;
use proptest::prelude::*;
use scumble_table::Decimal;

pub(super) const NUMBERS: [&str; 9] = ["-2.5", "-1", "0", "0.5", "1", "2", "2.25", "10", "11"];
pub(super) const DATES: [&str; 6] =
    ["1969-12-31", "1970-01-01", "2000-02-29", "2000-03-01", "2001-11-30", "2001-12-31"];
pub(super) const CODES: [&str; 5] = ["007", "07", "08", "10", "0100"];
pub(super) const LABELS: [&str; 5] = ["x", "it's", "\"q\"", "ünï", "東京"];

/// The texts that a column of [`COLUMNS`] can have in these tests.
pub(super) fn texts_of(column: &TestColumn) -> Vec<&'static str> {
    match (column.kind, column.order.or(column.leaves)) {
        (_, Some(labels)) => labels.to_vec(),
        (Kind::Number, _) => NUMBERS.to_vec(),
        (Kind::Date, _) => DATES.to_vec(),
        (Kind::Ordinal, _) => CODES.to_vec(),
        (Kind::Nominal, _) => LABELS.to_vec(),
    }
}

pub(super) fn any_record() -> impl Strategy<Value = Record> {
    let cell = |column: &TestColumn| {
        let mut texts = texts_of(column);
        texts.push("");
        prop::sample::select(texts).prop_map(String::from)
    };
    COLUMNS.each_ref().map(cell).to_vec()
}

/// Tests of the columns, whose constants need not occur.
pub(super) fn any_test() -> impl Strategy<Value = Test> {
    let number = prop::sample::select([&NUMBERS[..], &["-3", "0.75", "1.5", "100"]].concat())
        .prop_map(|text| Constant::Number(Decimal::parse(text).unwrap()));
    let mut strategies = vec![tests_of("n", number, true)];
    for column in &COLUMNS[1..] {
        let more: &[&str] = match column.name {
            "d" => &["0001-01-01", "2000-06-15", "9999-12-31"],
            "z" => &["7", "0", "99"],
            "größe l" => &["nobody"],
            _ => &[],
        };
        let texts = [&texts_of(column)[..], more].concat();
        let text = prop::sample::select(texts).prop_map(|text| Constant::Text(text.into()));
        strategies.push(tests_of(column.name, text, column.kind.is_ordered()));
    }
    prop::sample::select(strategies).prop_flat_map(|strategy| strategy)
}

/// Changes of columns that go together.
fn any_changes() -> impl Strategy<Value = Vec<RuleAction>> {
    let pick = |texts: &[&'static str]| prop::sample::select(texts.to_vec()).prop_map(String::from);
    let top = |column: &'static str| move |bound| vec![RuleAction::TopCode { column: column.into(), bound }];
    let bottom = |column: &'static str| move |bound| vec![RuleAction::BottomCode { column: column.into(), bound }];
    let coarser = |column: &'static str| move |to| vec![RuleAction::Generalize { column: column.into(), to }];
    let one = prop_oneof![
        prop::sample::select(COLUMNS.map(|column| column.name).to_vec())
            .prop_map(|column| vec![RuleAction::Blank { column: column.into() }]),
        pick(&["-1.5", "0", "2", "3.125"]).prop_map(top("n")),
        pick(&["-1.5", "0", "2", "3.125"]).prop_map(bottom("n")),
        pick(&["1", "5", "0.5", "0.3", "3.7"]).prop_map(coarser("n")),
        (pick(&["1", "4"]), pick(&["-2", "1"]), pick(&["0.4", "2"])).prop_map(|(top, bottom, to)| {
            let column = || "n".to_string();
            vec![
                RuleAction::Generalize { column: column(), to },
                RuleAction::BottomCode { column: column(), bound: bottom },
                RuleAction::TopCode { column: column(), bound: top },
            ]
        }),
        pick(&["2000-03-01", "1999-09-09"]).prop_map(top("d")),
        pick(&["2000-03-01", "1999-09-09"]).prop_map(bottom("d")),
        pick(&["month", "quarter", "year", "1", "7", "365"]).prop_map(coarser("d")),
        pick(&["low", "mid", "top"]).prop_map(top("o")),
        pick(&["mid", "top"]).prop_map(bottom("o")),
        pick(&["low", "high"]).prop_map(coarser("o")),
        pick(&["07", "09", "7"]).prop_map(top("z")),
        pick(&["09", "000"]).prop_map(coarser("z")),
        pick(&["x", "wide, \"open\"", "é"]).prop_map(coarser("größe l")),
        pick(&["a", "d"]).prop_map(coarser("h")),
    ];
    prop::collection::vec(one, 1..3).prop_map(|lists| {
        let mut actions: Vec<RuleAction> = Vec::new();
        for list in lists {
            // A second set of actions on a column could contradict the first.
            if !actions.iter().any(|known| known.column() == list[0].column()) {
                actions.extend(list);
            }
        }
        actions
    })
}

pub(super) fn any_rule(deletes: u32) -> impl Strategy<Value = Rule> {
    let actions = prop_oneof![deletes => Just(vec![RuleAction::Delete]), 3 => any_changes()];
    let when = prop::option::weighted(0.9, conditions(any_test()));
    (actions, when).prop_map(|(actions, when)| Rule { when, ..Rule::new("", actions) })
}

pub(super) fn any_rules(deletes: u32) -> impl Strategy<Value = Vec<Rule>> {
    prop::collection::vec(any_rule(deletes), 1..6).prop_map(|mut rules| {
        rules.iter_mut().enumerate().for_each(|(at, rule)| rule.name = format!("r{at}"));
        rules
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_fast_way_does_what_the_definition_says(
        people in prop::collection::vec(any_record(), 1..40),
        rules in any_rules(1),
    ) {
        let (left, counts) = naive::applied(&COLUMNS, &people, &rules);
        match ruled(&COLUMNS, &people, &Rules::new(rules.clone())) {
            Ok(found) => prop_assert_eq!(found, (left, counts)),
            // Rules that nobody can reach are refused, and so is a table without records.
            Err(error) => {
                let text = error.to_string();
                let unreached = counts.iter().any(|count| count.matched == 0);
                let known = text.contains("no record can meet") || text.contains("is deleted before");
                prop_assert!(known && unreached || text.contains("delete all") && left.is_empty(), "{}", text);
            }
        }
    }
}

/// More rows than a block has, values of two bytes, and any number of threads.
#[test]
fn large_tables_are_changed_alike_by_any_number_of_threads() {
    let columns = [TestColumn::new("n", Kind::Number), TestColumn::new("l", Kind::Nominal)];
    let people: Vec<Record> = (0..20_000u32)
        .map(|i| vec![(i * 7919 % 700).to_string(), format!("l{}", i.wrapping_mul(2_654_435_761) >> 24)])
        .collect();
    let wanted = rules(
        "a = { when = \"n between 100 and 150 and not l = 'l3' or l in ('l7', 'l200')\", delete = true }\n\
         b = { when = \"n >= 300\", generalize = { n = 0.7 }, blank = [\"l\"] }\n\
         c = { when = \"n < 300 and l != 'l9'\", generalize = { l = \"new\" } }\n\
         d = { when = \"n > 690 or l = 'new'\", top_code = { n = 650.5 } }",
    );
    let slow = naive::applied(&columns, &people, &wanted.rules);
    assert!(slow.1.iter().all(|count| count.matched > 100) && slow.0.len() < people.len());
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let fast = pool.install(|| ruled(&columns, &people, &wanted)).unwrap();
        assert!(fast == slow, "{threads} threads");
    }
}

/// Two hundred values fit one byte, and with those that a rule adds they no longer do.
#[test]
fn codes_grow_where_rules_bring_in_values() {
    let columns = [TestColumn::new("n", Kind::Number)];
    let people: Vec<Record> = (0..250).map(|i| vec![format!("{i}.5")]).collect();
    let wanted = rules("a = { when = \"n < 100\", generalize = { n = 1 } }");
    let table = table(&columns, &people);
    assert!(matches!(table.column(0), Codes::U8(_)) && table.column(0).iter().all(|code| code != NULL));
    let (left, counts) = ruled(&columns, &people, &wanted).unwrap();
    assert_eq!((left[99][0].as_str(), left[100][0].as_str()), ("99", "100.5"));
    assert_eq!((counts[0].matched, counts[0].changed, counts[0].cells), (100, 100, 100));
}
