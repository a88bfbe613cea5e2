//! Groups along the order of a sensitive number through the whole flow: what is published verifies, and
//! what cannot be published is refused before any data is read.

use scumble::{Algorithm, ColumnRequest, ColumnRole, Decimal, Input, Method, Observer, PublishRequest, Silent, Stage};
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;

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

/// The algorithms along the order of the numbers.
fn rules() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.into_iter().filter(|algorithm| algorithm.ke_rule().is_some())
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
                let request = PublishRequest { method: Some(method), algorithm, ..request(&file, &name, &wanted) };
                scumble::publish(&request, &Silent).unwrap();
                let verdict =
                    scumble::verify(&request.out, &request.requirements, Some(&request.input), None, &Silent).unwrap();
                assert!(verdict.ok, "{name}: {:?}", verdict.failures().collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn the_requirements_choose() {
    let chosen = |method, requirements: &[&str]| {
        PublishRequest { method: Some(method), ..request(Path::new("data.csv"), "r", requirements) }.chosen_algorithm()
    };
    assert_eq!(chosen(Method::Anatomy, &["ke-anonymity(4, 100)"]), Algorithm::ExpectedWidth);
    assert_eq!(chosen(Method::Generalize, &["ke-anonymity(4, 100)"]), Algorithm::Mondrian);
    assert_eq!(chosen(Method::Anatomy, &["ke-anonymity(4, 100)", "k-anonymity(5)"]), Algorithm::ExpectedWidth);
    assert_eq!(chosen(Method::Permute, &["ke-anonymity(4, 100)"]), Algorithm::ExpectedWidth);
    assert_eq!(chosen(Method::Anatomy, &["k-anonymity(5)"]), Algorithm::Angel);
    assert_eq!(chosen(Method::Angel, &["ke-anonymity(4, 100)"]), Algorithm::Angel);
    assert_eq!(chosen(Method::Anatomy, &["proximity-absolute(1, 2)"]), Algorithm::Proximity);
    let suppressing = PublishRequest {
        method: Some(Method::Anatomy),
        max_suppressed: Decimal::new(1, 2),
        ..request(Path::new("data.csv"), "r", &["ke-anonymity(4, 100)"])
    };
    assert_eq!(suppressing.chosen_algorithm(), Algorithm::Mondrian);
}

#[test]
fn what_cannot_be_served_is_refused() {
    let check = |algorithm, requirements: &[&str], max_suppressed| {
        let request = request(Path::new("data.csv"), "r", requirements);
        let method = Some(Method::Anatomy);
        PublishRequest { method, algorithm: Some(algorithm), max_suppressed, ..request }
            .check()
            .unwrap_err()
            .to_string()
    };
    let text = check(Algorithm::RankSwap, &["ke-anonymity(4, 100)"], Decimal::ZERO);
    assert_eq!(
        text,
        "--algorithm `rank-swap`: rank swapping guarantees nothing that a release could be checked for; hint: `scumble \
         evaluate` measures it beside the others"
    );
    for algorithm in rules() {
        let text = check(algorithm, &["k-anonymity(5)"], Decimal::ZERO);
        assert!(text.contains("no requirement is `ke-anonymity(k, e)`"), "{text}");
        let text = check(algorithm, &["ke-anonymity(4, 100)"], Decimal::new(1, 2));
        assert!(text.starts_with("--max-suppressed `0.01`") && text.contains("none is suppressed"), "{text}");
    }
}

/// Remembers what the publisher is told.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Observer for Heard {
    fn begin(&self, _stage: Stage, _total: Option<u64>) {}
    fn advance(&self, _amount: u64) {}
    fn warn(&self, text: &str) {
        self.0.lock().unwrap().push(text.into());
    }
}

/// Warnings of a publication, and its page.
fn told(request: &PublishRequest) -> (Vec<String>, String) {
    let heard = Heard::default();
    let published = scumble::publish(request, &heard).unwrap();
    (heard.0.into_inner().unwrap(), std::fs::read_to_string(published.report).unwrap())
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
    let about = |file: &Path, out: &str, requirements: &[&str]| {
        told(&PublishRequest { drop_rest: true, ..request(file, out, requirements) })
    };
    // Three people in four have the same loss, which frequency-l-diversity must spread over wider groups.
    let (_folder, file) = people(200, |i| if i % 4 > 0 { "500".into() } else { (i * 3).to_string() });
    let (heard, page) = about(&file, "alone", &["ke-anonymity(2, 1)"]);
    assert_eq!(heard, [""; 0]);
    assert!(!page.contains("the best that the algorithm promises"));
    let (heard, page) = about(&file, "beside", &["ke-anonymity(2, 1)", "frequency-l-diversity(1.2)"]);
    assert_eq!(heard.len(), 0, "generalized, by Mondrian: {heard:?}");
    assert!(!page.contains("the best that the algorithm promises"));
    let permuted = PublishRequest {
        method: Some(Method::Permute),
        drop_rest: true,
        ..request(&file, "permuted", &["ke-anonymity(2, 1)", "frequency-l-diversity(1.2)"])
    };
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
    let mut request = request(&file, "apart", &["ke-anonymity(4, 10)"]);
    request.columns.push(ColumnRequest::new("debt", ColumnRole::Sensitive));
    let (heard, page) = told(&request);
    assert!(heard.len() == 1 && heard[0].starts_with("`loss`: the groups are the best for rows"), "{heard:?}");
    assert!(!page.contains("the groups are the best for rows that have a number"), "{page}");
}
