//! Groups along the order of a sensitive number through the whole flow: what is published verifies, and
//! what cannot be published is refused before any data is read.

use scumble::{Algorithm, ColumnRequest, ColumnRole, Decimal, Input, Method, PublishRequest, Silent};
use std::fmt::Write;
use std::path::Path;

fn request(file: &Path, out: &str, requirements: &[&str]) -> PublishRequest {
    let mut age = ColumnRequest::new("age", ColumnRole::Quasi);
    age.kind = Some(scumble::Kind::Number);
    PublishRequest {
        columns: vec![age, ColumnRequest::new("loss", ColumnRole::Sensitive)],
        requirements: requirements.iter().map(|text| text.parse().unwrap()).collect(),
        out: file.with_file_name(out),
        ..PublishRequest::new(Input::file(file))
    }
}

const RULES: [Algorithm; 6] = [
    Algorithm::ExpectedWidth,
    Algorithm::MinSum,
    Algorithm::MinMax,
    Algorithm::MinMaxOverlap,
    Algorithm::MaxGroups,
    Algorithm::Random,
];

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
        for method in [Method::Generalize, Method::Anatomy] {
            for algorithm in RULES.map(Some).into_iter().chain([None]) {
                let name = format!("{method}-{algorithm:?}-{}", wanted.len());
                let request = PublishRequest { method, algorithm, ..request(&file, &name, &wanted) };
                scumble::publish(&request, &Silent).unwrap();
                let verdict =
                    scumble::verify(&request.out, &request.requirements, Some(&request.input), &Silent).unwrap();
                assert!(verdict.ok, "{name}: {:?}", verdict.failures().collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn the_requirements_choose() {
    let chosen = |method, requirements: &[&str]| {
        PublishRequest { method, ..request(Path::new("data.csv"), "r", requirements) }.chosen_algorithm()
    };
    assert_eq!(chosen(Method::Anatomy, &["ke-anonymity(4, 100)"]), Algorithm::ExpectedWidth);
    assert_eq!(chosen(Method::Generalize, &["ke-anonymity(4, 100)"]), Algorithm::Mondrian);
    assert_eq!(chosen(Method::Anatomy, &["ke-anonymity(4, 100)", "k-anonymity(5)"]), Algorithm::Mondrian);
    assert_eq!(chosen(Method::Anatomy, &["k-anonymity(5)"]), Algorithm::Mondrian);
    assert_eq!(chosen(Method::Anatomy, &["proximity-absolute(1, 2)"]), Algorithm::Proximity);
    let suppressing = PublishRequest {
        method: Method::Anatomy,
        max_suppressed: Decimal::new(1, 2),
        ..request(Path::new("data.csv"), "r", &["ke-anonymity(4, 100)"])
    };
    assert_eq!(suppressing.chosen_algorithm(), Algorithm::Mondrian);
}

#[test]
fn what_cannot_be_served_is_refused() {
    let check = |algorithm, requirements: &[&str], max_suppressed| {
        let request = request(Path::new("data.csv"), "r", requirements);
        PublishRequest { algorithm: Some(algorithm), max_suppressed, ..request }.check().unwrap_err().to_string()
    };
    let text = check(Algorithm::RankSwap, &["ke-anonymity(4, 100)"], Decimal::ZERO);
    assert_eq!(
        text,
        "--algorithm `rank-swap`: rank swapping guarantees nothing that a release could be checked for; hint: `scumble \
         evaluate` measures it beside the others"
    );
    for algorithm in RULES {
        let text = check(algorithm, &["k-anonymity(5)"], Decimal::ZERO);
        assert!(text.contains("no requirement is `ke-anonymity(k, e)`"), "{text}");
        let text = check(algorithm, &["ke-anonymity(4, 100)"], Decimal::new(1, 2));
        assert!(text.starts_with("--max-suppressed `0.01`") && text.contains("none is suppressed"), "{text}");
    }
}
