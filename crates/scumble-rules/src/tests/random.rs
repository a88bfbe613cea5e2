//! Random rules on random tables: the fast implementation and the slow one agree.

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

/// Tests of some columns, whose constants need not occur.
fn any_test(names: &[&str]) -> impl Strategy<Value = Test> + use<> {
    let strategy = |column: &TestColumn| {
        let more: &[&str] = match column.name {
            "n" => &["-3", "0.75", "1.5", "100"],
            "d" => &["0001-01-01", "2000-06-15", "9999-12-31"],
            "z" => &["7", "0", "99"],
            "größe l" => &["nobody"],
            _ => &[],
        };
        let is_number = column.kind == Kind::Number;
        let constant =
            prop::sample::select([&texts_of(column)[..], more].concat()).prop_map(move |text| match is_number {
                true => Constant::Number(Decimal::parse(text).unwrap()),
                false => Constant::Text(text.into()),
            });
        tests_of(column.name, constant, column.kind.is_ordered())
    };
    let chosen = COLUMNS.iter().filter(|column| names.contains(&column.name)).map(strategy);
    prop::sample::select(chosen.collect::<Vec<_>>()).prop_flat_map(|strategy| strategy)
}

/// Changes of one column that go together.
fn any_change(column: &'static str) -> BoxedStrategy<Vec<RuleAction>> {
    let pick = |texts: &[&'static str]| prop::sample::select(texts.to_vec()).prop_map(String::from);
    let (top, bottom, coarser): (&[&str], &[&str], &[&str]) = match column {
        "n" => (&["0.5", "2", "3.125"], &["-1.5", "0"], &["1", "5", "0.5", "0.3", "3.7"]),
        "d" => (
            &["2000-03-01", "2000-12-31"],
            &["1970-01-01", "1999-09-09"],
            &["month", "quarter", "year", "1", "7", "365"],
        ),
        "o" => (&["mid", "top"], &["low", "mid"], &["low", "high"]),
        "z" => (&["09", "7"], &["007", "07"], &["09", "000"]),
        "größe l" => (&[], &[], &["x", "wide, \"open\"", "é"]),
        _ => (&[], &[], &["a", "d"]),
    };
    let blank = Just(vec![RuleAction::Blank { column: column.into() }]);
    let generalize = pick(coarser).prop_map(move |to| RuleAction::Generalize { column: column.into(), to });
    if top.is_empty() {
        return prop_oneof![blank, generalize.prop_map(|action| vec![action])].boxed();
    }
    let top = pick(top).prop_map(move |bound| RuleAction::TopCode { column: column.into(), bound });
    let bottom = pick(bottom).prop_map(move |bound| RuleAction::BottomCode { column: column.into(), bound });
    let several = (prop::option::of(generalize), prop::option::of(bottom), prop::option::of(top));
    let several = several.prop_map(|(a, b, c)| a.into_iter().chain(b).chain(c).collect::<Vec<_>>());
    prop_oneof![1 => blank, 5 => several.prop_filter("something to do", |actions| !actions.is_empty())].boxed()
}

/// Several rules about at most `n_columns` columns; the greater `deletes`, the more of them delete.
pub(super) fn any_rules(n_columns: usize, deletes: u32) -> impl Strategy<Value = Vec<Rule>> {
    let names = COLUMNS.map(|column| column.name).to_vec();
    prop::sample::subsequence(names, 1..=n_columns).prop_flat_map(move |names| {
        let change = prop::sample::subsequence(names.clone(), 1..=names.len().min(2));
        let change = change.prop_flat_map(|names| names.into_iter().map(any_change).collect::<Vec<_>>());
        let actions = prop_oneof![deletes => Just(vec![RuleAction::Delete]), 3 => change.prop_map(|all| all.concat())];
        let when = prop::option::weighted(0.9, conditions(any_test(&names)));
        let rule = (actions, when).prop_map(|(actions, when)| Rule { when, ..Rule::new("", actions) });
        prop::collection::vec(rule, 1..6).prop_map(|mut rules| {
            rules.iter_mut().enumerate().for_each(|(at, rule)| rule.name = format!("r{at}"));
            rules
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_fast_way_does_what_the_definition_says(
        people in prop::collection::vec(any_record(), 1..40),
        rules in any_rules(6, 1),
    ) {
        let (left, counts) = naive::applied(&COLUMNS, &people, &rules);
        match apply_rules(&COLUMNS, &people, &Rules::new(rules.clone())) {
            Ok(found) => prop_assert_eq!(found, (left, counts)),
            // Rules that no record can reach are refused, and so is a table without records.
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
        let fast = pool.install(|| apply_rules(&columns, &people, &wanted)).unwrap();
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
    let (left, counts) = apply_rules(&columns, &people, &wanted).unwrap();
    assert_eq!((left[99][0].as_str(), left[100][0].as_str()), ("99", "100.5"));
    assert_eq!((counts[0].matched, counts[0].changed, counts[0].cells), (100, 100, 100));
}
