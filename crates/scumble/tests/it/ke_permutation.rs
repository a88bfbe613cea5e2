//! Groups along the order of a sensitive number through the whole flow: what is published verifies, and
//! what cannot be published is refused before any data is read.

use crate::steps::{Heard, Say, failures, job, publish, publish_in, refusal, verify};
use scumble::{Algorithm, Decimal, Job, Kind, Method, Plan};
use std::fmt::Write;
use std::path::Path;

fn asked(file: &Path, out: &str, requirements: &[&str]) -> Job {
    let job = job(file, file.with_file_name(out)).quasi(["age"]).sensitive(["loss"]);
    job.requiring(requirements).but(|job| job.column_mut("age").kind = Some(Kind::Number))
}

/// The algorithms along the order of the numbers.
fn rules() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.iter().copied().filter(|algorithm| algorithm.ke_rule().is_some())
}

#[test]
fn every_rule_publishes_and_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data.csv");
    let mut text = String::from("age,loss\n");
    for i in 0..300u32 {
        let loss = if i % 17 == 0 { String::new() } else { format!("{}.5", i * i % 97) };
        let _ = writeln!(text, "{},{loss}", 20 + i % 50);
    }
    std::fs::write(&file, text).unwrap();
    for wanted in [vec!["ke-anonymity(4, 10.5)"], vec!["ke-anonymity(3, 5)", "frequency-l-diversity(4)"]] {
        for method in [Method::Generalize, Method::Permute, Method::Anatomy] {
            for algorithm in rules().map(Some).chain([None]) {
                let name = format!("{method}-{algorithm:?}-{}", wanted.len());
                let job = asked(&file, &name, &wanted)
                    .but(|job| (job.publish.method, job.publish.algorithm) = (Some(method), algorithm));
                publish(&job).unwrap();
                let verdict = verify(&job);
                assert!(verdict.ok, "{name}: {:?}", failures(&verdict));
            }
        }
    }
}

#[test]
fn the_requirements_choose() {
    let with = |method, requirements: &[&str]| {
        asked(Path::new("data.csv"), "r", requirements).but(|job| job.publish.method = Some(method))
    };
    let chosen = |method, requirements: &[&str]| Plan::new(&with(method, requirements)).unwrap().algorithm;
    assert_eq!(chosen(Method::Anatomy, &["ke-anonymity(4, 100)"]), Algorithm::ExpectedWidth);
    assert_eq!(chosen(Method::Generalize, &["ke-anonymity(4, 100)"]), Algorithm::Mondrian);
    assert_eq!(chosen(Method::Anatomy, &["ke-anonymity(4, 100)", "k-anonymity(5)"]), Algorithm::ExpectedWidth);
    assert_eq!(chosen(Method::Permute, &["ke-anonymity(4, 100)"]), Algorithm::ExpectedWidth);
    assert_eq!(chosen(Method::Anatomy, &["k-anonymity(5)"]), Algorithm::Angel);
    let angel = with(Method::Angel, &["ke-anonymity(4, 100)"]).but(|job| job.publish.angel_k = Some(4));
    assert_eq!(Plan::new(&angel).unwrap().algorithm, Algorithm::Angel);
    assert_eq!(chosen(Method::Anatomy, &["proximity-absolute(1, 2)"]), Algorithm::Proximity);
    let suppressing = with(Method::Anatomy, &["ke-anonymity(4, 100)"]);
    let suppressing = suppressing.but(|job| job.publish.max_suppressed = Decimal::parse("0.01"));
    assert_eq!(Plan::new(&suppressing).unwrap().algorithm, Algorithm::Mondrian);
}

#[test]
fn what_cannot_be_served_is_refused() {
    let check = |algorithm, requirements: &[&str], max_suppressed: Option<Decimal>| {
        refusal(Plan::new(&asked(Path::new("data.csv"), "r", requirements).but(|job| {
            (job.publish.method, job.publish.algorithm) = (Some(Method::Anatomy), Some(algorithm));
            job.publish.max_suppressed = max_suppressed;
        })))
    };
    let text = check(Algorithm::RankSwap, &["ke-anonymity(4, 100)"], None);
    assert_eq!(
        text,
        "algorithm `rank-swap`: rank swapping guarantees nothing that a release could be checked for; hint: `scumble \
         evaluate` measures it beside the others"
    );
    for algorithm in rules() {
        let text = check(algorithm, &["k-anonymity(5)"], None);
        assert!(text.contains("no requirement is `ke-anonymity(k, e)`"), "{text}");
        let text = check(algorithm, &["ke-anonymity(4, 100)"], Decimal::parse("0.01"));
        assert!(text.starts_with("max_suppressed `0.01`") && text.contains("none is suppressed"), "{text}");
    }
}

/// Warnings of a publication, and its page.
fn told(job: &Job) -> (Vec<String>, String) {
    let (heard, context) = Heard::listen();
    let published = publish_in(job, &context).unwrap();
    // Releases of the same table next to each other are another matter.
    let warnings = heard.warnings().into_iter().filter(|warning| !warning.contains("next to it show")).collect();
    (warnings, std::fs::read_to_string(published.report).unwrap())
}

/// A table of so many people with an age, a loss and a debt.
fn people(n: u32, loss: impl Fn(u32) -> String) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data.csv");
    let lines = (0..n).map(|i| format!("{},{},{}\n", 20 + i % 50, loss(i), i * 7 % 101));
    std::fs::write(&file, std::iter::once("age,loss,debt\n".into()).chain(lines).collect::<String>()).unwrap();
    (folder, file)
}

#[test]
fn publisher_and_readers_hear_when_the_optimum_no_longer_applies() {
    let about = |file: &Path, out: &str, requirements: &[&str]| told(&asked(file, out, requirements).drop_rest());
    // Three people in four have the same loss, which frequency-l-diversity must spread over wider groups.
    let (_folder, file) = people(200, |i| if i % 4 > 0 { "500".into() } else { (i * 3).to_string() });
    let (heard, page) = about(&file, "alone", &["ke-anonymity(2, 1)"]);
    assert_eq!(heard, [""; 0]);
    assert!(!page.contains("the best that the algorithm promises"));
    let (heard, page) = about(&file, "beside", &["ke-anonymity(2, 1)", "frequency-l-diversity(1.2)"]);
    assert_eq!(heard.len(), 0, "generalized, by Mondrian: {heard:?}");
    assert!(!page.contains("the best that the algorithm promises"));
    let permuted = asked(&file, "permuted", &["ke-anonymity(2, 1)", "frequency-l-diversity(1.2)"]).drop_rest();
    let permuted = permuted.but(|job| job.publish.method = Some(Method::Permute));
    let (heard, page) = told(&permuted);
    assert!(heard.len() == 1 && heard[0].starts_with("the best groups for (k, e)-anonymity fail"), "{heard:?}");
    // What the search met is for the publisher alone.
    assert!(!page.contains("fail another requirement") && !page.contains("the best that the algorithm promises"));

    let (_folder, file) = people(200, |i| if i % 9 == 0 { String::new() } else { (i * i % 97).to_string() });
    let (heard, page) = about(&file, "spread", &["ke-anonymity(4, 10)"]);
    assert!(heard.len() == 1 && heard[0].contains("those without one were spread over them"), "{heard:?}");
    assert!(!page.contains("those without one were spread"));
    let (_folder, file) = people(60, |i| if i % 3 == 0 { String::new() } else { (i % 3).to_string() });
    let (heard, page) = about(&file, "needed", &["ke-anonymity(3, 1)"]);
    assert!(heard.len() == 1 && heard[0].contains("every group needs a row without a number"), "{heard:?}");
    assert!(!page.contains("fewer than k different values"));
}

#[test]
fn a_remark_names_its_column_where_columns_have_groups_of_their_own() {
    let (_folder, file) = people(200, |i| if i % 9 == 0 { String::new() } else { (i * i % 97).to_string() });
    let (heard, page) = told(&asked(&file, "apart", &["ke-anonymity(4, 10)"]).sensitive(["debt"]));
    assert!(heard.len() == 1 && heard[0].starts_with("`loss`: the groups are the best for rows"), "{heard:?}");
    assert!(!page.contains("the groups are the best for rows that have a number"), "{page}");
}
