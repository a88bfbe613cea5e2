//! Bounds, estimates and deviations against the enumeration of all worlds.

use crate::release::{Person, Published, publish, session};
use proptest::prelude::*;
use scumble::Method;
use scumble_query::{AggregateAnswer, Bound, Session};

/// Conditions on people in SQL, and what they mean. Unknown is not true.
pub(crate) type OfPerson = fn(Option<i64>, Option<&str>) -> bool;
pub(crate) const PEOPLE: [(&str, OfPerson); 11] = [
    ("", |_, _| true),
    ("age > 3", |age, _| age.is_some_and(|age| age > 3)),
    ("age BETWEEN 2 AND 4 AND city = 'a'", |age, city| age.is_some_and(|a| (2..=4).contains(&a)) && city == Some("a")),
    ("age < 3 OR city IN ('b', 'cc')", |age, city| age.is_some_and(|a| a < 3) || matches!(city, Some("b" | "cc"))),
    ("NOT (age = 2) AND city IS NOT NULL", |age, city| age.is_some_and(|a| a != 2) && city.is_some()),
    ("NOT (age > 2 AND city = 'a')", |age, city| age.is_some_and(|a| a <= 2) || city.is_some_and(|c| c != "a")),
    ("city LIKE 'c%'", |_, city| city.is_some_and(|c| c.starts_with('c'))),
    ("age % 2 = 0", |age, _| age.is_some_and(|a| a % 2 == 0)),
    ("city IS NULL", |_, city| city.is_none()),
    ("age > 100", |age, _| age.is_some_and(|a| a > 100)),
    ("length(city) + age > 3", |age, city| age.zip(city).is_some_and(|(a, c)| c.len() as i64 + a > 3)),
];

/// Conditions on pay.
pub(crate) type OfPay = fn(Option<i64>) -> bool;
pub(crate) const PAY: [(&str, OfPay); 6] = [
    ("", |_| true),
    ("pay > 20", |pay| pay.is_some_and(|p| p > 20)),
    ("pay BETWEEN -5 AND 30", |pay| pay.is_some_and(|p| (-5..=30).contains(&p))),
    ("pay <> 20", |pay| pay.is_some_and(|p| p != 20)),
    ("pay IS NULL OR pay < 0", |pay| pay.is_none_or(|p| p < 0)),
    ("pay > 1000", |_| false),
];

pub(crate) const AGGREGATES: [&str; 6] = ["COUNT(*)", "COUNT(pay)", "SUM(pay)", "AVG(pay)", "MIN(pay)", "MAX(pay)"];

/// One aggregate over the pay of those who match, as SQL has it; sums of nothing are 0.
fn aggregate(name: &str, pay: &[Option<i64>]) -> Option<f64> {
    let known: Vec<f64> = pay.iter().flatten().map(|&p| p as f64).collect();
    let any = |figure: f64| (!known.is_empty()).then_some(figure);
    match name {
        "COUNT(*)" => Some(pay.len() as f64),
        "COUNT(pay)" => Some(known.len() as f64),
        "SUM(pay)" => Some(known.iter().sum()),
        "AVG(pay)" => any(known.iter().sum::<f64>() / known.len() as f64),
        "MIN(pay)" => any(known.iter().copied().fold(f64::INFINITY, f64::min)),
        _ => any(known.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
    }
}

/// Worlds with their weights, as the pay of those who match.
pub(crate) type Worlds = Vec<(Vec<Option<i64>>, f64)>;

/// Every way in which the chosen of each group can have its values.
fn worlds_of_groups(groups: &[(usize, Vec<Option<i64>>)], keep: OfPay) -> Worlds {
    let mut worlds: Worlds = vec![(Vec::new(), 1.0)];
    for (hits, values) in groups {
        let mut next = Vec::new();
        for choice in 0u32..1 << values.len() {
            if choice.count_ones() as usize != *hits {
                continue;
            }
            let chosen = values.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1).map(|(_, pay)| *pay);
            let chosen: Vec<Option<i64>> = chosen.filter(|pay| keep(*pay)).collect();
            next.extend(worlds.iter().map(|(world, weight)| ([world.as_slice(), &chosen].concat(), *weight)));
        }
        worlds = next;
    }
    worlds
}

/// Every set of rows that the boxes allow to match.
fn worlds_of_rows(rows: &[(Option<i64>, f64, bool, bool)]) -> Worlds {
    let mut worlds: Worlds = vec![(Vec::new(), 1.0)];
    for &(pay, share, may, must) in rows {
        if must {
            worlds.iter_mut().for_each(|(world, _)| world.push(pay));
        } else if may {
            let with = worlds.iter().map(|(world, weight)| ([world.as_slice(), &[pay]].concat(), weight * share));
            let without = worlds.iter().map(|(world, weight)| (world.clone(), weight * (1.0 - share)));
            worlds = with.chain(without).collect();
        }
    }
    worlds
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

pub(crate) fn check(figure: &AggregateAnswer, name: &str, worlds: &Worlds, what: &str) {
    let answers: Vec<(f64, f64)> =
        worlds.iter().filter_map(|(world, weight)| Some((aggregate(name, world)?, *weight))).collect();
    let bound = |bound: &Option<Bound>| bound.as_ref().and_then(Bound::to_f64);
    if answers.is_empty() {
        assert!(figure.lower.is_none() && figure.upper.is_none() && figure.estimate.is_none(), "{what}: {figure:?}");
        return;
    }
    let least = answers.iter().map(|(answer, _)| *answer).fold(f64::INFINITY, f64::min);
    let most = answers.iter().map(|(answer, _)| *answer).fold(f64::NEG_INFINITY, f64::max);
    let (lower, upper) = (bound(&figure.lower).unwrap(), bound(&figure.upper).unwrap());
    assert!(close(lower, least) && lower <= least, "{what}: lower {lower}, {least} wanted");
    assert!(close(upper, most) && upper >= most, "{what}: upper {upper}, {most} wanted");
    assert_eq!(figure.certain, answers.len() == worlds.len(), "{what}: certain");
    let total: f64 = answers.iter().map(|(_, weight)| weight).sum();
    if total > 0.0 {
        let mean = answers.iter().map(|(answer, weight)| answer * weight).sum::<f64>() / total;
        let variance = answers.iter().map(|(answer, weight)| (answer - mean).powi(2) * weight).sum::<f64>() / total;
        let (estimate, deviation) = (figure.estimate.unwrap(), figure.deviation.unwrap());
        assert!((estimate - mean).abs() < 1e-6, "{what}: estimate {estimate}, {mean} wanted");
        assert!(
            (deviation - variance.sqrt()).abs() < 1e-5,
            "{what}: deviation {deviation}, {} wanted",
            variance.sqrt()
        );
    }
}

/// A condition over two columns at once that meets a star is judged without looking for the values behind it: bounds hold the
/// answers of all worlds, and may be wider.
pub(crate) fn is_beyond_stars(condition: &str, cells: impl IntoIterator<Item = String>) -> bool {
    condition.contains("age") && condition.contains("city") && cells.into_iter().any(|cell| cell == "*")
}

/// Bounds that hold the answers of all worlds.
pub(crate) fn check_sound(figure: &AggregateAnswer, name: &str, worlds: &Worlds, what: &str) {
    let bound = |bound: &Option<Bound>| bound.as_ref().and_then(Bound::to_f64);
    let (lower, upper) = (bound(&figure.lower), bound(&figure.upper));
    for answer in worlds.iter().filter_map(|(world, _)| aggregate(name, world)) {
        let inside = lower.is_some_and(|lower| lower <= answer) && upper.is_some_and(|upper| upper >= answer);
        assert!(inside, "{what}: {lower:?} to {upper:?}, {answer} possible");
    }
    let all = worlds.iter().all(|(world, _)| aggregate(name, world).is_some());
    assert!(all || !figure.certain, "{what}: certain");
}

pub(crate) fn number(text: &str) -> Option<i64> {
    (!text.is_empty()).then(|| text.parse().unwrap())
}

fn label(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// Groups of an exact release with the hits of a condition and its values.
fn groups(release: &Published, method: Method, chosen: OfPerson) -> Vec<(usize, Vec<Option<i64>>)> {
    let mut groups: std::collections::BTreeMap<String, (usize, Vec<Option<i64>>)> = Default::default();
    let (people, group_of): (Vec<_>, Vec<String>) = if method == Method::Permute {
        let mapping = release.table("mapping");
        let of = |tuple: &str| mapping.iter().find(|row| row["tuple"] == tuple).unwrap()["group"].clone();
        let people = release.table("permuted");
        let group_of: Vec<String> = people.iter().map(|row| of(&row["tuple"])).collect();
        for (row, group) in people.iter().zip(&group_of) {
            groups.entry(group.clone()).or_default().1.push(number(&row["pay"]));
        }
        (people, group_of)
    } else {
        for row in release.table("st") {
            let entry = groups.entry(row["group"].clone()).or_default();
            entry.1.extend(std::iter::repeat_n(number(&row["pay"]), row["count"].parse().unwrap()));
        }
        let people = release.table("qit");
        let group_of = people.iter().map(|row| row["group"].clone()).collect();
        (people, group_of)
    };
    for (row, group) in people.iter().zip(&group_of) {
        if chosen(number(&row["age"]), label(&row["city"])) {
            groups.get_mut(group).unwrap().0 += 1;
        }
    }
    groups.into_values().collect()
}

/// The values of a box: (value, weight); the last is null with no weight where it is merely possible.
pub(crate) fn ages(text: &str, all: &[i64]) -> Vec<(Option<i64>, f64)> {
    let even = |values: Vec<i64>| {
        let weight = 1.0 / values.len() as f64;
        values.into_iter().map(|value| (Some(value), weight)).collect::<Vec<_>>()
    };
    match text {
        "" => vec![(None, 1.0)],
        "*" => {
            let (low, high) = (all.iter().min(), all.iter().max());
            let mut values = low.zip(high).map_or(Vec::new(), |(low, high)| even((*low..=*high).collect()));
            let weight = if values.is_empty() { 1.0 } else { 0.0 };
            values.push((None, weight));
            // Behind a star there may be what no other cell shows.
            values.extend((-1..9).chain([-1000, 1000]).map(|age| (Some(age), 0.0)));
            values
        }
        _ => match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(ends) => {
                let (low, high) = ends.split_once(',').unwrap();
                even((low.parse().unwrap()..=high.parse().unwrap()).collect())
            }
            None => even(vec![text.parse().unwrap()]),
        },
    }
}

pub(crate) fn cities(text: &str, all: &[String]) -> Vec<(Option<String>, f64)> {
    let even = |values: Vec<String>| {
        let weight = 1.0 / values.len() as f64;
        values.into_iter().map(|value| (Some(value), weight)).collect::<Vec<_>>()
    };
    match text {
        "" => vec![(None, 1.0)],
        "*" => {
            let mut values = even(all.to_vec());
            let weight = if values.is_empty() { 1.0 } else { 0.0 };
            values.push((None, weight));
            values.extend(["a", "b", "cc", "elsewhere"].map(|city| (Some(city.to_string()), 0.0)));
            values
        }
        _ => match text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(list) => even(list.split('|').map(String::from).collect()),
            // A label of the tree that some tests have; it covers the values of the release alone.
            None if text == "south" => even(all.iter().filter(|city| *city != "cc").cloned().collect()),
            None if text == "north" => even(vec!["cc".to_string()]),
            None => even(vec![text.to_string()]),
        },
    }
}

/// Rows of a generalized release: pay, share of the box that matches, whether it may and must.
fn rows(release: &Published, chosen: OfPerson) -> Vec<(Option<i64>, f64, bool, bool)> {
    let manifest: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(release.path().join("manifest.json")).unwrap()).unwrap();
    let domain = |name: &str| {
        let columns = manifest["columns"].as_array().unwrap();
        columns.iter().find(|column| column["name"] == name).unwrap()["domain"].as_array().unwrap().clone()
    };
    let all_ages: Vec<i64> = domain("age").iter().filter_map(serde_json::Value::as_i64).collect();
    let all_cities: Vec<String> = domain("city").iter().map(|label| label.as_str().unwrap().to_string()).collect();
    let row = |row: &std::collections::BTreeMap<String, String>| {
        let (mut share, mut may, mut must) = (0.0, false, true);
        for (age, of_age) in ages(&row["age"], &all_ages) {
            for (city, of_city) in cities(&row["city"], &all_cities) {
                if chosen(age, city.as_deref()) {
                    share += of_age * of_city;
                    may = true;
                } else {
                    must = false;
                }
            }
        }
        (number(&row["pay"]), share.min(1.0), may, may && must)
    };
    release.table("table").iter().map(row).collect()
}

fn ask(session: &Session, people: &str, pay: &str) -> Vec<AggregateAnswer> {
    let conditions: Vec<&str> = [people, pay].into_iter().filter(|condition| !condition.is_empty()).collect();
    let filter = if conditions.is_empty() { String::new() } else { format!(" WHERE ({})", conditions.join(") AND (")) };
    let sql = format!("SELECT {} FROM release{filter}", AGGREGATES.join(", "));
    session.ask(&sql, None).unwrap_or_else(|error| panic!("{sql}: {error}")).rows.remove(0).answers
}

fn compare(people: &[Person], method: Method, requirement: &str) {
    let Some(release) = publish(people, method, requirement) else { return };
    let session = session(&release.path());
    for (condition, chosen) in PEOPLE {
        for (on_pay, keep) in PAY {
            let figures = ask(&session, condition, on_pay);
            let worlds = if method == Method::Generalize {
                let rows: Vec<_> = rows(&release, chosen).into_iter().filter(|(pay, ..)| keep(*pay)).collect();
                worlds_of_rows(&rows)
            } else {
                worlds_of_groups(&groups(&release, method, chosen), keep)
            };
            let cells = || release.table("table").into_iter().flat_map(std::collections::BTreeMap::into_values);
            let beyond = method == Method::Generalize && is_beyond_stars(condition, cells());
            let check = if beyond { check_sound } else { check };
            for (name, figure) in AGGREGATES.iter().zip(&figures) {
                check(figure, name, &worlds, &format!("{method} {name} WHERE {condition} AND {on_pay}: {people:?}"));
            }
        }
    }
}

fn people() -> impl Strategy<Value = Vec<Person>> {
    let age = prop_oneof![9 => (0i64..8).prop_map(Some), 1 => Just(None)];
    let city = prop_oneof![
        8 => proptest::sample::select(vec!["a", "b", "cc"]).prop_map(|city| Some(city.to_string())),
        1 => Just(None)
    ];
    let pay = prop_oneof![9 => (-3i64..6).prop_map(|pay| Some(10 * pay)), 1 => Just(None)];
    proptest::collection::vec((age, city, pay), 2..9)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn permuted_bounds_are_those_of_all_worlds(people in people()) {
        compare(&people, Method::Permute, "ke-anonymity(2, 10)");
        compare(&people, Method::Permute, "k-anonymity(2)");
    }

    #[test]
    fn anatomy_bounds_are_those_of_all_worlds(people in people()) {
        compare(&people, Method::Anatomy, "distinct-l-diversity(2)");
    }

    #[test]
    fn generalized_bounds_are_those_of_all_worlds(people in people()) {
        compare(&people, Method::Generalize, "k-anonymity(2)");
    }
}
