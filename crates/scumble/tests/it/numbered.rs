//! Numbers of people and of groups that tell something: a forger numbers them, and sees to it that checksums agree.

use crate::steps::{Say, job, publish, verify, verify_alone};
use scumble::{Digest, Job, Method};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const PEOPLE: usize = 400;

/// A person's age, code and pay. Nobody is like another.
fn people() -> Vec<[String; 3]> {
    let person = |i: usize| [20 + i * 7 % 61, 1000 + i, 10_000 + (i * i * 31 + i * 17) % 7919];
    (0..PEOPLE).map(|i| person(i).map(|number| number.to_string())).collect()
}

fn published(folder: &Path, method: Method, require: &str) -> Job {
    let lines: Vec<String> = people().iter().map(|person| person.join(",") + "\n").collect();
    fs::write(folder.join("people.csv"), format!("age,code,pay\n{}", lines.concat())).unwrap();
    let job = job(folder.join("people.csv"), folder.join("release")).quasi(["age", "code"]).sensitive(["pay"]);
    let job = job.requiring(&[require]).but(|job| (job.publish.method, job.output.replace) = (Some(method), true));
    publish(&job).unwrap();
    job
}

/// The lines of a table without its header.
fn lines(release: &Path, file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(release.join(file)).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(String::from).collect()).collect()
}

fn put(release: &Path, file: &str, header: &str, lines: &[Vec<String>]) {
    let text: String = lines.iter().map(|line| line.join(",") + "\n").collect();
    let text = format!("{header}\n{text}");
    fs::write(release.join(file), &text).unwrap();
    let mut digest = Digest::default();
    digest.update(text.as_bytes());
    let place = release.join("manifest.json");
    let mut manifest: Value = serde_json::from_str(&fs::read_to_string(&place).unwrap()).unwrap();
    let tables = manifest["tables"].as_array_mut().unwrap();
    tables.iter_mut().find(|table| table["file"] == file).unwrap()["sha256"] = json!(digest.hex());
    fs::write(place, serde_json::to_string_pretty(&manifest).unwrap() + "\n").unwrap();
}

/// What fails without and with the source.
fn failures(job: &Job) -> [Vec<String>; 2] {
    [verify_alone(job.out()), verify(job)].map(|verdict| verdict.failures().map(|check| check.name.clone()).collect())
}

/// Numbers the people of a permuted release anew, by something that is known of each.
fn numbered_by(job: &Job, key: impl Fn(&[String; 3], usize) -> u64) {
    let owners: BTreeMap<String, (usize, [String; 3])> =
        people().into_iter().enumerate().map(|(at, person)| (person[1].clone(), (at, person))).collect();
    let release = job.out();
    let mut rows = lines(release, "permuted.csv");
    let mut order: Vec<(u64, String)> = rows
        .iter()
        .map(|row| {
            let (at, person) = &owners[&row[2]];
            (key(person, *at), row[0].clone())
        })
        .collect();
    order.sort();
    let new: BTreeMap<&str, String> =
        order.iter().enumerate().map(|(at, (_, old))| (old.as_str(), (at + 1).to_string())).collect();
    rows.iter_mut().for_each(|row| row[0] = new[row[0].as_str()].clone());
    let mut mapping = lines(release, "mapping.csv");
    mapping.iter_mut().for_each(|row| row[0] = new[row[0].as_str()].clone());
    mapping.sort_by_key(|row| row[0].parse::<u64>().unwrap());
    put(release, "permuted.csv", "tuple,age,code,pay", &rows);
    put(release, "mapping.csv", "tuple,group", &mapping);
}

#[test]
fn tuple_numbers_that_follow_people_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |require| published(folder.path(), Method::Permute, require);
    let number = |text: &str| text.parse::<u64>().unwrap();
    let job = asked("ke-anonymity(4, 10)");
    assert_eq!(failures(&job), [Vec::<String>::new(), Vec::new()]);
    numbered_by(&job, |person, _| number(&person[0]));
    assert_eq!(failures(&job)[0], ["rows-shuffled"], "by age");
    let job = asked("ke-anonymity(4, 10)");
    numbered_by(&job, |person, _| number(&person[2]));
    assert!(failures(&job)[1].contains(&"source-told".to_string()), "by everybody's own pay");
    let job = asked("k-anonymity(4)");
    numbered_by(&job, |person, at| at as u64 + number(&person[2]) % 40);
    assert!(failures(&job)[1].contains(&"source-told".to_string()), "by the source's rows, in stretches");
}

#[test]
fn rows_that_follow_peoples_own_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let job = published(folder.path(), Method::Anatomy, "distinct-l-diversity(3)");
    assert_eq!(failures(&job), [Vec::<String>::new(), Vec::new()]);
    let pay: BTreeMap<String, u64> =
        people().into_iter().map(|person| (person[1].clone(), person[2].parse().unwrap())).collect();
    let mut rows = lines(job.out(), "qit.csv");
    rows.sort_by_key(|row| pay[&row[2]]);
    put(job.out(), "qit.csv", "group,age,code", &rows);
    assert_eq!(failures(&job), [Vec::new(), vec!["source-told".to_string()]]);
}

#[test]
fn group_numbers_that_follow_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let job = published(folder.path(), Method::Anatomy, "distinct-l-diversity(3)");
    let least = |rows: &[Vec<String>], at: usize| {
        let mut least: BTreeMap<String, u64> = BTreeMap::new();
        for row in rows {
            let value: u64 = row[at].parse().unwrap();
            let known = least.entry(row[0].clone()).or_insert(value);
            *known = value.min(*known);
        }
        least
    };
    let (mut people, mut values) = (lines(job.out(), "qit.csv"), lines(job.out(), "st.csv"));
    let mut order: Vec<(u64, String)> = least(&values, 1).into_iter().map(|(group, pay)| (pay, group)).collect();
    order.sort();
    let new: BTreeMap<String, usize> = order.into_iter().enumerate().map(|(at, (_, old))| (old, at + 1)).collect();
    for row in people.iter_mut().chain(&mut values) {
        row[0] = new[&row[0]].to_string();
    }
    values.sort_by_key(|row| (row[0].parse::<u64>().unwrap(), row[1].parse::<u64>().unwrap()));
    put(job.out(), "qit.csv", "group,age,code", &people);
    put(job.out(), "st.csv", "group,pay,count", &values);
    assert_eq!(failures(&job)[0], ["rows-shuffled"]);
}

/// Numbers the groups of an anatomy release anew, by what `figure` makes of the people and values of each.
fn regrouped_by(job: &Job, figure: impl Fn(&[&Vec<String>], &[u64]) -> u64) {
    let (mut people, mut values) = (lines(job.out(), "qit.csv"), lines(job.out(), "st.csv"));
    let mut groups: BTreeMap<String, (Vec<&Vec<String>>, Vec<u64>)> = BTreeMap::new();
    people.iter().for_each(|row| groups.entry(row[0].clone()).or_default().0.push(row));
    values.iter().for_each(|row| groups.entry(row[0].clone()).or_default().1.push(row[1].parse().unwrap()));
    let mut order: Vec<(u64, String)> =
        groups.iter().map(|(group, (people, values))| (figure(people, values), group.clone())).collect();
    order.sort();
    let new: BTreeMap<String, usize> = order.into_iter().enumerate().map(|(at, (_, old))| (old, at + 1)).collect();
    for row in people.iter_mut().chain(&mut values) {
        row[0] = new[&row[0]].to_string();
    }
    values.sort_by_key(|row| (row[0].parse::<u64>().unwrap(), row[1].parse::<u64>().unwrap()));
    put(job.out(), "qit.csv", "group,age,code", &people);
    put(job.out(), "st.csv", "group,pay,count", &values);
}

#[test]
fn group_numbers_that_follow_any_figure_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let asked = || published(folder.path(), Method::Anatomy, "distinct-l-diversity(3)");
    let mean = |values: &[u64]| values.iter().sum::<u64>() / values.len() as u64;
    type OfGroup<'a> = &'a dyn Fn(&[&Vec<String>], &[u64]) -> u64;
    let figures: [(&str, OfGroup<'_>); 3] = [
        ("mean", &|_, values| mean(values)),
        ("greatest", &|_, values| *values.iter().max().unwrap()),
        ("median age", &|people, _| {
            let mut ages: Vec<u64> = people.iter().map(|row| row[1].parse().unwrap()).collect();
            ages.sort_unstable();
            ages[(ages.len() - 1) / 2]
        }),
    ];
    for (name, figure) in figures {
        let job = asked();
        regrouped_by(&job, figure);
        assert_eq!(failures(&job)[0], ["rows-shuffled"], "{name}");
    }
    // Codes rise with the rows of the source here, so they are told by the release itself; the source tells it too.
    let job = asked();
    regrouped_by(&job, |people, _| people.iter().map(|row| row[2].parse().unwrap()).min().unwrap());
    assert!(failures(&job)[1].contains(&"source-order".to_string()), "first row of the source");
}

#[test]
fn a_mapping_in_any_other_order_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let job = published(folder.path(), Method::Permute, "ke-anonymity(4, 10)");
    let pay: BTreeMap<String, u64> =
        people().into_iter().map(|person| (person[1].clone(), person[2].parse().unwrap())).collect();
    let own: BTreeMap<String, u64> =
        lines(job.out(), "permuted.csv").iter().map(|row| (row[0].clone(), pay[&row[2]])).collect();
    let mut mapping = lines(job.out(), "mapping.csv");
    mapping.sort_by_key(|row| own[&row[0]]);
    put(job.out(), "mapping.csv", "tuple,group", &mapping);
    assert_eq!(failures(&job)[0], ["groups-numbered"]);
}

#[test]
fn people_inside_groups_in_the_order_of_their_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let job = published(folder.path(), Method::Anatomy, "distinct-l-diversity(3)");
    let pay: BTreeMap<String, u64> =
        people().into_iter().map(|person| (person[1].clone(), person[2].parse().unwrap())).collect();
    let mut rows = lines(job.out(), "qit.csv");
    let mut groups: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    rows.iter().for_each(|row| groups.entry(row[0].clone()).or_default().push(row.clone()));
    for members in groups.values_mut() {
        members.sort_by_key(|row| std::cmp::Reverse(pay[&row[2]]));
    }
    rows.iter_mut().for_each(|row| *row = groups.get_mut(&row[0]).unwrap().pop().unwrap());
    put(job.out(), "qit.csv", "group,age,code", &rows);
    assert_eq!(failures(&job), [Vec::new(), vec!["source-told".to_string()]]);
}

#[test]
fn values_passed_on_to_the_next_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let job = published(folder.path(), Method::Permute, "ke-anonymity(4, 10)");
    let pay: BTreeMap<String, String> =
        people().into_iter().map(|person| (person[1].clone(), person[2].clone())).collect();
    let group_of: BTreeMap<String, String> =
        lines(job.out(), "mapping.csv").into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    let mut rows = lines(job.out(), "permuted.csv");
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    rows.iter().enumerate().for_each(|(at, row)| groups.entry(group_of[&row[0]].clone()).or_default().push(at));
    for members in groups.values() {
        for (nth, &at) in members.iter().enumerate() {
            let giver = members[(nth + 1) % members.len()];
            rows[at][3] = pay[&rows[giver][2]].clone();
        }
    }
    put(job.out(), "permuted.csv", "tuple,age,code,pay", &rows);
    assert_eq!(failures(&job), [Vec::new(), vec!["source-shuffled".to_string()]]);
}

#[test]
fn angel_tables_in_one_order_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let lines_of: Vec<String> = people().iter().map(|person| person.join(",") + "\n").collect();
    fs::write(folder.path().join("people.csv"), format!("age,code,pay\n{}", lines_of.concat())).unwrap();
    let job = job(folder.path().join("people.csv"), folder.path().join("release"));
    let job = job.quasi(["age", "code"]).sensitive(["pay"]).requiring(&["distinct-l-diversity(3)"]).but(|job| {
        job.publish.method = Some(Method::Angel);
        job.publish.angel_k = Some(1);
        job.publish.marginal = vec![vec!["age".into()]];
    });
    publish(&job).unwrap();
    assert_eq!(failures(&job), [Vec::<String>::new(), Vec::new()]);
    // The second table in the order of the first: who shares a batch stands in one of its places.
    let (first, second) = (lines(job.out(), "generalized.csv"), lines(job.out(), "marginal-age.csv"));
    let batch = |row: &Vec<String>| row.last().unwrap().clone();
    let mut batches: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    second.into_iter().for_each(|row| batches.entry(batch(&row)).or_default().push(row));
    let second: Vec<Vec<String>> =
        first.iter().map(|row| batches.get_mut(&batch(row)).unwrap().pop().unwrap()).collect();
    put(job.out(), "marginal-age.csv", "age,batch", &second);
    assert_eq!(failures(&job)[0], ["rows-shuffled"]);
}
