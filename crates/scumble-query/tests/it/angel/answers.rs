//! Bounds, estimates and deviations against every world that the chosen table and the batches allow.

use super::release_builder::ReleaseBuilder;
use crate::release::{Published, session};
use crate::worlds::{
    AGGREGATES, OfPerson, PAY, PEOPLE, Worlds, ages, check, check_sound, cities, is_beyond_stars, number,
};
use proptest::prelude::*;
use scumble_query::{QueryAnswer, Session};
use scumble_table::{Kind, Role};
use std::collections::BTreeMap;

/// The sensitive values of a person: pay and job.
type Pair = (Option<i64>, String);

/// Conditions on both.
type OfPair = fn(&Pair) -> bool;
const JOBS: [(&str, OfPair); 3] = [
    ("job = 'x'", |(_, job)| job == "x"),
    ("job <> 'x' AND pay > 0", |(pay, job)| job != "x" && pay.is_some_and(|p| p > 0)),
    ("job = 'x' OR pay = 20", |(pay, job)| job == "x" || *pay == Some(20)),
];

/// The share of a row's box that a condition covers, whether it may match and whether it must, by every point of the box.
pub(super) fn judged(release: &Published, row: &BTreeMap<String, String>, chosen: OfPerson) -> (f64, bool, bool) {
    let manifest = std::fs::read_to_string(release.path().join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let domain = |name: &str| {
        let columns = manifest["columns"].as_array().unwrap();
        columns.iter().find(|column| column["name"] == name).unwrap()["domain"].as_array().unwrap().clone()
    };
    let all_ages: Vec<i64> = domain("age").iter().filter_map(serde_json::Value::as_i64).collect();
    let all_cities: Vec<String> = domain("city").iter().map(|label| label.as_str().unwrap().to_string()).collect();
    // What a marginal does not show, the condition does not look at.
    let ages = row.get("age").map_or(vec![(None, 1.0)], |text| ages(text, &all_ages));
    let cities = row.get("city").map_or(vec![(None, 1.0)], |text| cities(text, &all_cities));
    let (mut share, mut may, mut must) = (0.0, false, true);
    for (age, of_age) in &ages {
        for (city, of_city) in &cities {
            if chosen(*age, city.as_deref()) {
                share += of_age * of_city;
                may = true;
            } else {
                must = false;
            }
        }
    }
    (share.min(1.0), may, may && must)
}

/// The rows of a batch, each with its share and whether it may match and must, and the values of the batch.
type Batch = (Vec<(f64, bool, bool)>, Vec<Pair>);

/// What a batch can give: the pay of those who match, with weights. Every set of rows that may match, and every assignment
/// of the values of the batch to its rows.
fn worlds_of_batch(rows: &[(f64, bool, bool)], values: &[Pair], keep: &dyn Fn(&Pair) -> bool) -> Worlds {
    let mut found: BTreeMap<Vec<Option<i64>>, f64> = BTreeMap::new();
    let mut order: Vec<usize> = (0..values.len()).collect();
    let mut orders = Vec::new();
    permute(&mut order, 0, &mut orders);
    for chosen in 0u32..1 << rows.len() {
        let mut weight = 1.0 / orders.len() as f64;
        let mut possible = true;
        for (at, &(share, may, must)) in rows.iter().enumerate() {
            let inside = chosen >> at & 1 == 1;
            possible &= if inside { may } else { !must };
            weight *= match (inside, must) {
                (_, true) => 1.0,
                (true, false) => share,
                (false, false) => 1.0 - share,
            };
        }
        if !possible {
            continue;
        }
        for order in &orders {
            let theirs = (0..rows.len()).filter(|at| chosen >> at & 1 == 1).map(|at| &values[order[at]]);
            let mut pay: Vec<Option<i64>> = theirs.filter(|pair| keep(pair)).map(|(pay, _)| *pay).collect();
            pay.sort_unstable();
            *found.entry(pay).or_insert(0.0) += weight;
        }
    }
    found.into_iter().collect()
}

fn permute(order: &mut Vec<usize>, from: usize, found: &mut Vec<Vec<usize>>) {
    if from == order.len() {
        return found.push(order.clone());
    }
    for at in from..order.len() {
        order.swap(from, at);
        permute(order, from + 1, found);
        order.swap(from, at);
    }
}

fn worlds(release: &Published, table: &str, chosen: OfPerson, keep: &dyn Fn(&Pair) -> bool) -> Worlds {
    let mut batches: BTreeMap<String, Batch> = BTreeMap::new();
    for row in release.table(table) {
        let batch = batches.entry(row["batch"].clone()).or_default();
        batch.0.push(judged(release, &row, chosen));
    }
    for row in release.table("batches") {
        let pair = (number(&row["pay"]), row["job"].clone());
        let batch = batches.get_mut(&row["batch"]).unwrap();
        batch.1.extend(std::iter::repeat_n(pair, row["count"].parse().unwrap()));
    }
    let mut worlds: Worlds = vec![(Vec::new(), 1.0)];
    for (rows, values) in batches.values() {
        let mut next: BTreeMap<Vec<Option<i64>>, f64> = BTreeMap::new();
        for (more, p) in worlds_of_batch(rows, values, keep) {
            for (world, weight) in &worlds {
                let mut both = [world.as_slice(), &more].concat();
                both.sort_unstable();
                *next.entry(both).or_insert(0.0) += weight * p;
            }
        }
        worlds = next.into_iter().collect();
    }
    worlds
}

fn ask(session: &Session, keys: &str, conditions: &[&str]) -> QueryAnswer {
    let conditions: Vec<&str> = conditions.iter().copied().filter(|condition| !condition.is_empty()).collect();
    let filter = if conditions.is_empty() { String::new() } else { format!(" WHERE ({})", conditions.join(") AND (")) };
    let sql = match keys {
        "" => format!("SELECT {} FROM release{filter}", AGGREGATES.join(", ")),
        keys => format!("SELECT {keys}, {} FROM release{filter} GROUP BY {keys}", AGGREGATES.join(", ")),
    };
    session.ask(&sql, None).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The tables of a release with the columns that each has, in the order of the release.
fn best(tables: &[Vec<String>], condition: &str) -> String {
    let named = |name: &&str| condition.contains(*name);
    let used: Vec<&str> = ["age", "city"].into_iter().filter(named).collect();
    let fits = |table: &&Vec<String>| used.iter().all(|name| table.iter().any(|known| known == name));
    let mut best: Option<&Vec<String>> = None;
    for table in tables.iter().filter(fits) {
        if best.is_none_or(|best| table.len() < best.len()) {
            best = Some(table);
        }
    }
    let best = best.unwrap();
    if best == &tables[0] { "generalized".into() } else { format!("marginal-{}", best.join("-")) }
}

fn compare(builder: &ReleaseBuilder) {
    let release = builder.publish();
    let session = session(&release.path());
    let tables: Vec<Vec<String>> = builder.tables.iter().map(|(names, _)| names.clone()).collect();
    for (condition, chosen) in PEOPLE {
        let table = best(&tables, condition);
        let checked = |on: &str, keep: &dyn Fn(&Pair) -> bool| {
            let answered = ask(&session, "", &[condition, on]);
            assert_eq!(answered.table.as_deref(), Some(table.as_str()), "{condition}");
            let worlds = worlds(&release, &table, chosen, keep);
            let cells = release.table(&table).into_iter().flat_map(BTreeMap::into_values);
            let check = if is_beyond_stars(condition, cells) { check_sound } else { check };
            for (name, figure) in AGGREGATES.iter().zip(&answered.rows[0].answers) {
                check(
                    figure,
                    name,
                    &worlds,
                    &format!("{table}: {name} WHERE {condition} AND {on}: {:?}", builder.rows),
                );
            }
        };
        PAY.iter().for_each(|(on, keep)| checked(on, &|(pay, _)| keep(*pay)));
        JOBS.iter().for_each(|(on, keep)| checked(on, keep));
    }
    keyed(&session);
}

/// An answer for a key is that to the same question with the key in WHERE.
fn keyed(session: &Session) {
    for on in ["", "age > 2", "pay > 0"] {
        let answered = ask(session, "city", &[on]);
        for row in &answered.rows {
            let key = match row.keys[0].to_string() {
                label if label.is_empty() => "city IS NULL".to_string(),
                label => format!("city = '{label}'"),
            };
            let alone = ask(session, "", &[&key, on]);
            for (found, wanted) in row.answers.iter().zip(&alone.rows[0].answers) {
                assert_eq!((&found.lower, &found.upper, found.certain), (&wanted.lower, &wanted.upper, wanted.certain));
                let near = |a: Option<f64>, b: Option<f64>| a.zip(b).map_or(a == b, |(a, b)| (a - b).abs() < 1e-9);
                assert!(near(found.estimate, wanted.estimate), "{key} {on}: {found:?} {wanted:?}");
                assert!(near(found.deviation, wanted.deviation), "{key} {on}: {found:?} {wanted:?}");
            }
        }
    }
}

/// A person as cells: age, city, pay and job.
fn person() -> impl Strategy<Value = Vec<String>> {
    let age = prop_oneof![9 => (0i64..8).prop_map(|age| age.to_string()), 1 => Just(String::new())];
    let city = prop_oneof![8 => proptest::sample::select(vec!["a", "b", "cc"]).prop_map(String::from), 1 => Just(String::new())];
    let pay = prop_oneof![9 => (-3i64..6).prop_map(|pay| (10 * pay).to_string()), 1 => Just(String::new())];
    let job = proptest::sample::select(vec!["x", "y"]).prop_map(String::from);
    (age, city, pay, job).prop_map(|(age, city, pay, job)| vec![age, city, pay, job])
}

/// People in random batches of at most four, and in random buckets for each of some tables.
pub(super) fn releases(most: usize) -> impl Strategy<Value = ReleaseBuilder> {
    (proptest::collection::vec(person(), 2..most), any::<bool>(), 0usize..4)
        .prop_flat_map(|(rows, tree, marginals)| {
            let n = rows.len();
            let buckets = || proptest::collection::vec(0u32..n as u32 / 2 + 1, n);
            let order = Just((0..n as u32).collect::<Vec<u32>>()).prop_shuffle();
            (Just((rows, tree, marginals)), order, buckets(), buckets(), buckets())
        })
        .prop_map(|((rows, tree, marginals), order, full, by_age, by_city)| {
            let columns = [
                ("age", Role::Quasi, Kind::Number),
                ("city", Role::Quasi, Kind::Nominal),
                ("pay", Role::Sensitive, Kind::Number),
                ("job", Role::Sensitive, Kind::Nominal),
            ];
            let mut builder = ReleaseBuilder::new(&columns, rows);
            if tree {
                let line = |cells: [&str; 3]| cells.map(String::from).to_vec();
                let lines = vec![line(["a", "south", "*"]), line(["b", "south", "*"]), line(["cc", "north", "*"])];
                builder.hierarchies.push(("city".into(), lines));
            }
            // Batches of one to four.
            builder.batches = order.iter().map(|at| at / 4 + if at % 5 == 0 { 100 } else { 0 }).collect();
            builder.tables.push((vec!["age".into(), "city".into()], full));
            if marginals & 1 > 0 {
                builder.tables.push((vec!["age".into()], by_age));
            }
            if marginals & 2 > 0 {
                builder.tables.push((vec!["city".into()], by_city));
            }
            builder
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    #[test]
    fn bounds_are_those_of_all_worlds(builder in releases(9)) {
        compare(&builder);
    }
}

#[test]
fn kept_columns_are_asked_of_the_first_table() {
    let columns = [
        ("age", Role::Quasi, Kind::Number),
        ("pay", Role::Sensitive, Kind::Number),
        ("note", Role::Kept, Kind::Nominal),
    ];
    let cells =
        |i: i64| vec![(20 + i).to_string(), (10 * (i % 3)).to_string(), if i % 2 == 0 { "n" } else { "m" }.into()];
    let mut builder = ReleaseBuilder::new(&columns, (0..8).map(cells).collect());
    builder.batches = vec![0, 0, 0, 0, 1, 1, 1, 1];
    builder.tables =
        vec![(vec!["age".into()], vec![0, 0, 1, 1, 2, 2, 3, 3]), (vec!["age".into()], vec![0, 1, 2, 3, 4, 5, 6, 7])];
    let release = builder.publish();
    let session = session(&release.path());
    // Both tables have the same columns: the earlier one is asked.
    let tie = session.ask("SELECT COUNT(*) FROM release WHERE age > 22", None).unwrap();
    assert_eq!(tie.table.as_deref(), Some("generalized"));
    let kept = session.ask("SELECT note, COUNT(*), SUM(pay) FROM release WHERE age < 24 GROUP BY note", None).unwrap();
    assert_eq!(kept.table.as_deref(), Some("generalized"));
    assert_eq!(kept.rows.len(), 2);
    for row in &kept.rows {
        assert_eq!((row.answers[0].estimate, row.answers[0].deviation), (Some(2.0), Some(0.0)), "{row:?}");
        // Two of the four values 0, 10, 20, 0.
        let ends = [&row.answers[1].lower, &row.answers[1].upper].map(|end| end.as_ref().unwrap().to_f64().unwrap());
        assert_eq!(ends, [0.0, 30.0], "{row:?}");
    }
    let level = scumble_query::Confidence::new(0.9).unwrap();
    let answered = session.ask("SELECT SUM(pay), MIN(pay) FROM release WHERE age < 23", Some(level)).unwrap();
    for figure in &answered.rows[0].answers {
        let interval = figure.interval.unwrap();
        assert!(interval.normal.is_some() && interval.guaranteed.is_none(), "{figure:?}");
    }
}
