//! What a seed gives away: whoever has a permuted release and the program tries one seed after the other, and reads every
//! sensitive value. With secret coins the same attack does no better than guessing.

use scumble::{ColumnRequest, ColumnRole, Error, ExtendRequest, Input, Method, PublishRequest, Silent};
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

fn request(folder: &Path, data: &str, seed: Option<u64>) -> PublishRequest {
    let mut columns = ["age", "code"].map(|name| ColumnRequest::new(name, ColumnRole::Quasi)).to_vec();
    columns.push(ColumnRequest::new("pay", ColumnRole::Sensitive));
    PublishRequest {
        columns,
        method: Some(Method::Permute),
        requirements: vec!["k-anonymity(5)".parse().unwrap()],
        seed,
        insecure_seed: seed.is_some(),
        out: folder.join(format!("{data}-release")),
        replace: true,
        ..PublishRequest::new(Input::file(folder.join(data)))
    }
}

/// What anybody can read of a permuted release: the people in their published order, and the group of each.
struct Seen {
    people: Vec<Person>,
    groups: Vec<String>,
}

fn publish(folder: &Path, data: &str, people: &[Person], seed: Option<u64>) -> Seen {
    write(&folder.join(data), people);
    let request = request(folder, data, seed);
    scumble::publish(&request, &Silent).unwrap();
    read(&request.out)
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
    let asked = request(folder.path(), "people.csv", Some(1));
    for method in [Method::Permute, Method::Anatomy, Method::Angel] {
        let mut asked = PublishRequest { method: Some(method), insecure_seed: false, ..asked.clone() };
        asked.angel_k = (method == Method::Angel).then_some(5);
        let error = scumble::publish(&asked, &Silent).unwrap_err();
        assert!(matches!(error, Error::Request { .. }), "{error}");
        let words = error.to_string();
        assert!(words.starts_with("--seed `1`") && words.contains("add --insecure-seed"), "{words}");
        assert!(!asked.out.exists());
        asked.insecure_seed = true;
        scumble::publish(&asked, &Silent).unwrap();
        let manifest = fs::read_to_string(asked.out.join("manifest.json")).unwrap();
        assert!(manifest.contains("\"coins\": \"seeded\""));
        let page = fs::read_to_string(asked.out.join("report.html")).unwrap();
        assert!(page.contains("made with a seed, not for real people"));
        let verdict = scumble::verify(&asked.out, &[], None, None, &Silent).unwrap();
        assert!(verdict.ok && verdict.warnings[0].contains("made with a seed"), "{:?}", verdict.warnings);
        fs::remove_dir_all(&asked.out).unwrap();
    }
    for method in [Method::Generalize, Method::FullDomain] {
        let asked = PublishRequest { method: Some(method), insecure_seed: false, ..asked.clone() };
        scumble::publish(&asked, &Silent).unwrap();
        let verdict = scumble::verify(&asked.out, &[], None, None, &Silent).unwrap();
        assert_eq!(verdict.warnings.len(), 1);
        fs::remove_dir_all(&asked.out).unwrap();
    }
    let no_seed = PublishRequest { seed: None, insecure_seed: true, ..asked.clone() };
    assert!(scumble::publish(&no_seed, &Silent).unwrap_err().to_string().contains("there is no seed"));
    let secret = PublishRequest { seed: None, insecure_seed: false, ..asked.clone() };
    scumble::publish(&secret, &Silent).unwrap();
    assert!(scumble::verify(&secret.out, &[], None, None, &Silent).unwrap().warnings.is_empty());
    // A table that is added to a release draws coins as well.
    let extend = ExtendRequest {
        release: secret.out.clone(),
        source: asked.input.clone(),
        rules: None,
        marginals: vec![vec!["age".into()]],
        join_k: None,
        seed: Some(1),
        insecure_seed: false,
    };
    assert!(scumble::extend(&extend, &Silent).unwrap_err().to_string().contains("add --insecure-seed"));
}
