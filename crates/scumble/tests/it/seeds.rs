//! What a seed gives away: whoever has a permuted release and the program tries one seed after the other, and reads every
//! sensitive value. With secret coins the same attack does no better than guessing.

use crate::steps::{self, Say, job, refusal, verify_alone};
use scumble::{Context, Error, ExtendRequest, Job, Method, Release};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

const PEOPLE: usize = 120;

/// A person's quasi-identifiers and sensitive value.
type Person = ([String; 2], String);

/// People who are all different, and whose pay cannot be told from anything else.
fn people() -> Vec<Person> {
    let person = |i: usize| {
        let quasi = [(20 + i * 7 % 61).to_string(), format!("c{:03}", i * 53 % 997)];
        (quasi, (10_000 + (i * i * 31 + i * 17) % 7919 * 10 + i).to_string())
    };
    (0..PEOPLE).map(person).collect()
}

fn write(file: &Path, people: &[Person]) {
    let mut text = String::from("age,code,pay\n");
    for ([age, code], pay) in people {
        let _ = writeln!(text, "{age},{code},{pay}");
    }
    fs::write(file, text).unwrap();
}

fn asked(folder: &Path, data: &str, seed: Option<u64>) -> Job {
    let job = job(folder.join(data), folder.join(format!("{data}-release")))
        .quasi(["age", "code"])
        .sensitive(["pay"])
        .vouched();
    job.requiring(&["k-anonymity(5)"]).but(|job| {
        job.publish.method = Some(Method::Permute);
        (job.publish.seed, job.publish.insecure_seed) = (seed, seed.is_some());
        job.output.replace = true;
    })
}

/// What anybody can read of a permuted release: the people in their published order, and the group of each.
struct Seen {
    people: Vec<Person>,
    groups: Vec<String>,
}

fn publish(folder: &Path, data: &str, people: &[Person], seed: Option<u64>) -> Seen {
    write(&folder.join(data), people);
    let job = asked(folder, data, seed);
    steps::publish(&job).unwrap();
    read(job.out())
}

fn read(release: &Path) -> Seen {
    let lines = |file: &str| -> Vec<Vec<String>> {
        let text = fs::read_to_string(release.join(file)).unwrap();
        text.lines().skip(1).map(|line| line.split(',').map(String::from).collect()).collect()
    };
    let group_of: BTreeMap<String, String> =
        lines("mapping.csv").into_iter().map(|line| (line[0].clone(), line[1].clone())).collect();
    let permuted = lines("permuted.csv");
    Seen {
        groups: permuted.iter().map(|line| group_of[&line[0]].clone()).collect(),
        people: permuted.into_iter().map(|line| ([line[1].clone(), line[2].clone()], line[3].clone())).collect(),
    }
}

/// Tries a seed by running the program. A first release of numbered people shows which line of a source goes where; the
/// published people, put into that order with numbers for values, are then published a second time. Gives the value of
/// each person that the release would follow from, and whether it has the groups of the release under attack.
fn tried(folder: &Path, seen: &Seen, seed: u64) -> (Vec<Person>, bool) {
    let numbered: Vec<Person> =
        (0..PEOPLE).map(|at| ([(20 + at % 50).to_string(), format!("p{at:04}")], at.to_string())).collect();
    let order = publish(folder, "order.csv", &numbered, Some(seed));
    let mut source: Vec<Person> = vec![Default::default(); PEOPLE];
    for (place, ([_, line], _)) in order.people.iter().enumerate() {
        let line: usize = line[1..].parse().unwrap();
        source[line] = (seen.people[place].0.clone(), line.to_string());
    }
    let again = publish(folder, "again.csv", &source, Some(seed));
    let quasi = |seen: &Seen| seen.people.iter().map(|person| person.0.clone()).collect::<Vec<_>>();
    let same = again.groups == seen.groups && quasi(&again) == quasi(seen);
    // The value that is shown in a place is that of the person whose number the second release shows there.
    let found = again.people.iter().zip(&seen.people).map(|((_, line), (_, pay))| {
        let owner: usize = line.parse().unwrap();
        (source[owner].0.clone(), pay.clone())
    });
    (found.collect(), same)
}

fn right(found: &[Person], truth: &BTreeSet<Person>) -> usize {
    found.iter().filter(|person| truth.contains(*person)).count()
}

#[test]
fn a_permuted_release_with_a_seed_is_undone_by_trying_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let people = people();
    let truth: BTreeSet<Person> = people.iter().cloned().collect();
    let seen = publish(folder.path(), "people.csv", &people, Some(137));
    assert!(right(&seen.people, &truth) < PEOPLE / 2, "the values were not shuffled");
    let hit = (0..200).find_map(|seed| {
        let (found, same) = tried(folder.path(), &seen, seed);
        same.then_some((seed, found))
    });
    let (seed, found) = hit.expect("no seed below 200 gives the release");
    assert_eq!((seed, right(&found, &truth)), (137, PEOPLE));
}

#[test]
fn secret_coins_withstand_the_same_attack() {
    let folder = tempfile::tempdir().unwrap();
    let people = people();
    let truth: BTreeSet<Person> = people.iter().cloned().collect();
    let seen = publish(folder.path(), "people.csv", &people, None);
    let other = publish(folder.path(), "people.csv", &people, None);
    assert_ne!((&seen.people, &seen.groups), (&other.people, &other.groups));
    let mut hits = 0;
    for seed in 0..200 {
        let (found, same) = tried(folder.path(), &seen, seed);
        assert!(!same, "seed {seed} gives the release");
        hits += right(&found, &truth);
    }
    // A guess among the whole table is right once in 120 times, and one among a group of five once in five times.
    assert!(hits < 200 * PEOPLE / 5, "{hits}");
}

#[test]
fn where_coins_hide_people_a_seed_must_be_called_insecure() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("people.csv"), &people());
    let base = asked(folder.path(), "people.csv", Some(1)).vouched();
    let secure = |method| {
        base.clone().but(|job| {
            (job.publish.method, job.publish.insecure_seed) = (Some(method), false);
            job.publish.angel_k = (method == Method::Angel).then_some(5);
        })
    };
    for method in [Method::Permute, Method::Anatomy, Method::Angel] {
        let job = secure(method);
        let error = steps::publish(&job).unwrap_err();
        assert!(matches!(error, Error::Request { .. }), "{error}");
        let words = error.to_string();
        assert!(words.starts_with("seed `1`") && words.contains("add `insecure_seed`"), "{words}");
        assert!(!job.out().exists());
        let job = job.but(|job| job.publish.insecure_seed = true);
        steps::publish(&job).unwrap();
        let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
        assert!(manifest.contains("\"coins\": \"seeded\""));
        let page = fs::read_to_string(job.out().join("report.html")).unwrap();
        assert!(page.contains("made with a seed, not for real people"));
        let verdict = verify_alone(job.out());
        assert!(verdict.ok && verdict.warnings[0].contains("made with a seed"), "{:?}", verdict.warnings);
        fs::remove_dir_all(job.out()).unwrap();
    }
    for method in [Method::Generalize, Method::FullDomain] {
        let job = secure(method);
        steps::publish(&job).unwrap();
        assert_eq!(verify_alone(job.out()).warnings.len(), 1);
        fs::remove_dir_all(job.out()).unwrap();
    }
    let no_seed = base.clone().but(|job| job.publish.seed = None);
    assert!(refusal(steps::publish(&no_seed)).contains("there is no seed"));
    let secret = no_seed.but(|job| job.publish.insecure_seed = false);
    steps::publish(&secret).unwrap();
    assert!(verify_alone(secret.out()).warnings.is_empty());
    // A table that is added to a release draws coins as well.
    let request = ExtendRequest { marginals: vec![vec!["age".into()]], seed: Some(1), ..ExtendRequest::default() };
    let release = Release::open(secret.out()).unwrap();
    let message = refusal(release.extend(&secret.source(), None, &request, &Context::new()));
    assert!(message.contains("add `insecure_seed`"), "{message}");
}
