//! Tests of the flow from a release and its source to figures.

use super::*;
use crate::{Job, Source, anonymize};
use scumble_table::Error;

fn people() -> String {
    let mut text = String::from("age,city,pay\n");
    for row in 0..240u64 {
        text.push_str(&format!(
            "{},{},{}\n",
            20 + row * 7 % 45,
            ["x", "y", "z"][row as usize % 3],
            1000 + row * 37 % 800
        ));
    }
    text
}

fn job(method: &str, requirement: &str) -> Job {
    let text = format!("[publish]\nmethod = \"{method}\"\nrequire = [\"{requirement}\"]\n");
    Job::from_toml(&text).unwrap().quasi(["age", "city"]).sensitive(["pay"])
}

fn made(method: &str, requirement: &str) -> (Table, Release) {
    let (job, context) = (job(method, requirement), Context::new().with_seed(5));
    let source = Source::reader(std::io::Cursor::new(people().into_bytes()));
    let table = source.read(&job, &context).unwrap();
    let release = anonymize(&table, &job, &context).unwrap();
    (table, release)
}

#[test]
fn a_release_in_memory_is_measured_like_its_directory() {
    let (table, release) = made("generalize", "k-anonymity(6)");
    let request = EvaluateRequest { queries: 40, reconstruct: vec![vec!["age".into()]], ..EvaluateRequest::new() };
    let of = |release: &Release| release.evaluate(&table, &request, &Context::new()).unwrap();
    let in_memory = of(&release);
    assert!(in_memory.release.is_none() && in_memory.rows == 240 && in_memory.workloads.len() == 2);
    assert_eq!(in_memory.reconstruction.len(), 2);
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("release");
    release.write(&dir, &Context::new()).unwrap();
    let mut opened = of(&Release::open(&dir).unwrap());
    assert_eq!(opened.release.take(), Some(dir));
    let json = |evaluation: &Evaluation| serde_json::to_value(evaluation).unwrap();
    assert_eq!(json(&opened), json(&in_memory));
    assert!(json(&in_memory).get("release").is_none());
    assert!(evaluation_page(&in_memory).contains("How useful this release is"));
}

#[test]
fn rivals_are_measured_on_a_source_that_is_read_once() {
    let (table, release) = made("permute", "ke-anonymity(4, 100)");
    let bounds = BoundsRequest {
        algorithms: vec!["mondrian".into(), "rank-swap".into(), "min-sum".into()],
        sizes: vec![0.1, 0.4],
        ..BoundsRequest::new()
    };
    let request = EvaluateRequest { queries: 20, bounds: Some(bounds), ..EvaluateRequest::new() };
    let facts = release.evaluate(&table, &request, &Context::new()).unwrap().bounds.unwrap();
    let names: Vec<&str> = facts.lines.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["release", "generalized", "mondrian", "rank-swap", "min-sum"]);
    assert_eq!(facts.requirement.as_deref(), Some("ke-anonymity(4, 100)"));
    assert!(facts.lines.iter().all(|line| line.arbitrary.iter().all(|asked| asked.widths.outside == 0)));
}

#[test]
fn breaches_are_looked_for_by_ready_distances() {
    let (table, release) = made("permute", "ke-anonymity(4, 100)");
    let ask = |distances| {
        let vulnerability = Some(VulnerabilityRequest { distances, ..VulnerabilityRequest::default() });
        release.evaluate(
            &table,
            &EvaluateRequest { queries: 0, vulnerability, ..EvaluateRequest::new() },
            &Context::new(),
        )
    };
    let error = ask(Vec::new()).unwrap_err().to_string();
    assert!(error.contains("how far apart are two values?") && error.contains("say so with `distance`"), "{error}");
    let ruler = crate::read_distance(&"pay:range".parse().unwrap(), &[]).unwrap();
    let found = ask(vec![ruler]).unwrap().vulnerability;
    assert!(found.len() == 1 && found[0].groups > 1 && found[0].shares.iter().flatten().all(|share| *share <= 1.0));
}

#[test]
fn another_source_is_refused() {
    let (_, release) = made("generalize", "k-anonymity(6)");
    let job = job("generalize", "k-anonymity(6)");
    let other = Source::reader("age,city,pay\n1,x,2\n".as_bytes()).read(&job, &Context::new()).unwrap();
    let error = release.evaluate(&other, &EvaluateRequest::new(), &Context::new()).unwrap_err().to_string();
    assert!(error.starts_with("source") && error.contains("it has 1 rows"), "{error}");
    let volumes = EvaluateRequest { volumes: vec![2.0], ..EvaluateRequest::new() };
    assert!(release.evaluate(&other, &volumes, &Context::new()).unwrap_err().to_string().starts_with("volume `2`"));
}

#[test]
fn cancelled_work_has_no_figures() {
    let (table, release) = made("permute", "ke-anonymity(4, 100)");
    // The tables have been read, so that it is the measuring that stops.
    release.data(&Context::new()).unwrap();
    let cancelled = Context::new();
    cancelled.cancellation().cancel();
    let found = release.evaluate(&table, &EvaluateRequest::new(), &cancelled);
    assert_eq!(found.map(|_| ()), Err(Error::Cancelled));
}
