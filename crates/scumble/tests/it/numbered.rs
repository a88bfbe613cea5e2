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
