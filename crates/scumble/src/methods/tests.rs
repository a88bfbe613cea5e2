use super::*;
use crate::{Context, Source, anonymize};
use std::fmt::Write as _;

fn named(name: &str) -> AlgorithmEntry {
    algorithms().unwrap().into_iter().find(|one| one.name == name).unwrap()
}

fn principles(name: &str) -> Vec<&'static str> {
    named(name).principles.iter().map(|one| one.name).collect()
}

#[test]
fn every_method_and_algorithm_is_listed_once_with_words_of_its_own() {
    let listed: Vec<Method> = methods().iter().map(|one| one.method).collect();
    assert_eq!(listed.len(), Method::ALL.len());
    assert!(Method::ALL.iter().all(|one| listed.contains(one)));
    let all = algorithms().unwrap();
    assert_eq!(all.len(), Algorithm::ALL.len());
    for (at, one) in all.iter().enumerate() {
        assert!(one.help.chars().next().is_some_and(char::is_lowercase) && !one.help.ends_with('.'), "{}", one.name);
        assert!(all[..at].iter().all(|other| other.help != one.help), "{}", one.name);
        assert!(!one.reference.is_empty());
    }
}

#[test]
fn algorithms_serve_what_their_papers_are_about() {
    assert_eq!(principles("xcolor"), ["dissimilarity"]);
    assert_eq!(principles("proximity"), ["proximity-absolute", "proximity-relative", "proximity-interval"]);
    assert_eq!(principles("min-sum"), ["ke-anonymity"]);
    // Boxes around groups leave people of a population out, so only levels can give everybody a least chance.
    let all: Vec<&str> = catalogue().iter().map(|one| one.name).filter(|name| *name != "delta-presence").collect();
    assert_eq!(principles("paper"), all);
    let monotone: Vec<&str> = catalogue().iter().filter(|one| one.monotone).map(|one| one.name).collect();
    assert_eq!(principles("mondrian"), monotone);
    assert_eq!(principles("full-domain"), [&monotone[..], &["delta-presence"]].concat());
    assert_eq!(named("full-domain").methods, [Method::FullDomain, Method::Anatomy, Method::Permute]);
    assert_eq!(named("angel").methods, [Method::Anatomy, Method::Angel]);
    assert_eq!(named("rank-swap").methods, []);
}

/// What is listed works: every method, algorithm and principle that the list joins publishes a table on which the
/// example of the principle can be met.
#[test]
fn whatever_is_listed_together_publishes() {
    let mut text = String::from("age,pay\n");
    for i in 0..240u32 {
        writeln!(text, "{},{}", 20 + i * 37 % 61, 1000 + i * 7919 % 240 * 5000).unwrap();
    }
    let context = Context::new();
    let job = Job::new().quasi(["age"]).sensitive(["pay"]);
    let table = Source::reader(std::io::Cursor::new(text.clone())).read(&job, &context).unwrap();
    // Everybody has a double who is not in the data.
    let everybody = format!("{text}{}", text.split_once('\n').unwrap().1);
    let everybody = Source::reader(std::io::Cursor::new(everybody)).read_population(&["age"], &[], &context).unwrap();
    let table = table.with_population(std::sync::Arc::new(everybody));
    let mut tried = 0;
    for &algorithm in Algorithm::ALL {
        let entry = entry(algorithm).unwrap();
        for &method in &entry.methods {
            for principle in &entry.principles {
                if !serves(method, algorithm, principle).unwrap() {
                    continue;
                }
                tried += 1;
                let mut job = example(method, algorithm, principle).unwrap();
                (job.publish.seed, job.publish.insecure_seed) = (Some(1), true);
                if let Err(error) = anonymize(&table, &job, &context) {
                    panic!("{method}, {algorithm}, {}: {error}", principle.example);
                }
            }
        }
    }
    assert!(tried > 100, "{tried}");
}
