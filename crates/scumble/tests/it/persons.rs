//! Promises about people who have several rows.

use crate::steps::{Say, job, publish, verify_release};
use proptest::prelude::*;
use scumble::{ColumnRole, Context, Job, Method, Verdict, VerifyRequest, anonymize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A visit: patient, age, zip and illness.
pub(crate) type Visit = (u32, u32, u32, u32);

pub(crate) fn write(folder: &Path, visits: &[Visit]) {
    let line = |(patient, age, zip, illness): &Visit| format!("p{patient},{age},{zip},i{illness}\n");
    let lines: String = visits.iter().map(line).collect();
    fs::write(folder.join("visits.csv"), format!("patient,age,zip,illness\n{lines}")).unwrap();
}

pub(crate) fn visits_job(folder: &Path, require: &str, method: Method) -> Job {
    let job = job(folder.join("visits.csv"), folder.join("release")).quasi(["age", "zip"]).sensitive(["illness"]);
    job.person(["patient"]).requiring(&[require]).but(|job| {
        job.publish.method = Some(method);
        job.output.replace = true;
    })
}

/// The definition, put to the groups of a table of boxes: whoever could be in a group by box and value is in it, for boxes of
/// strict cuts do not overlap.
fn fails_by_definition(release: &Path, visits: &[Visit], require: &str) -> Option<String> {
    let text = fs::read_to_string(release.join("table.csv")).unwrap();
    let mut groups: BTreeMap<String, (Vec<String>, u64)> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells = cells(line);
        let entry = groups.entry(cells[0].clone()).or_insert((cells[1..3].to_vec(), 0));
        entry.1 += 1;
    }
    for (group, (boxes, rows)) in groups {
        let inside: Vec<&Visit> =
            visits.iter().filter(|visit| covers(&boxes[0], visit.1) && covers(&boxes[1], visit.2)).collect();
        assert_eq!(inside.len() as u64, rows, "boxes of strict cuts do not overlap");
        let persons = inside.iter().map(|visit| visit.0).collect::<BTreeSet<_>>().len();
        let pairs: BTreeSet<(u32, u32)> = inside.iter().map(|visit| (visit.0, visit.3)).collect();
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        pairs.iter().for_each(|pair| *counts.entry(pair.1).or_default() += 1);
        let top = counts.values().copied().max().unwrap_or(0);
        let holds = match require {
            "k-anonymity(3)" => persons >= 3,
            "frequency-l-diversity(2)" => persons >= 2 && 2 * top <= persons,
            "distinct-l-diversity(3)" => persons >= 3 && counts.len() >= 3,
            other => panic!("{other} is not written out"),
        };
        if !holds {
            return Some(format!("group {group}: {persons} persons, {counts:?}"));
        }
    }
    None
}

pub(crate) fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut open, mut cell) = (Vec::new(), false, String::new());
    for c in line.chars() {
        match c {
            '"' => open = !open,
            ',' if !open => cells.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    cells.push(cell);
    cells
}

pub(crate) fn covers(shown: &str, value: u32) -> bool {
    match shown.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(|ends| ends.split_once(',')) {
        Some((from, to)) => (from.parse().unwrap()..=to.parse().unwrap()).contains(&value),
        None => shown == "*" || shown == value.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, max_shrink_iters: 50, ..ProptestConfig::default() })]

    #[test]
    fn every_group_holds_by_people(
        visits in prop::collection::vec((0u32..12, 20u32..30, 0u32..6, 0u32..5), 4..60),
        which in 0usize..3,
    ) {
        let require = ["k-anonymity(3)", "frequency-l-diversity(2)", "distinct-l-diversity(3)"][which];
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &visits);
        let job = visits_job(folder.path(), require, Method::Generalize);
        // What cannot be met is refused, and that is fine.
        if publish(&job).is_ok() {
            prop_assert_eq!(fails_by_definition(job.out(), &visits, require), None, "{} {:?}", require, visits);
        }
    }
}

/// 30 patients with several visits each, and one who comes very often.
fn clinic() -> Vec<Visit> {
    let mut visits: Vec<Visit> = (0..30u32)
        .flat_map(|patient| {
            (0..=patient % 4).map(move |visit| (patient, 20 + patient % 25 + visit, patient % 6, (patient + visit) % 7))
        })
        .collect();
    visits.extend((0..40).map(|visit| (99, 24, 3, visit % 2)));
    visits
}

#[test]
fn somebody_with_many_rows_is_one_person() {
    let folder = tempfile::tempdir().unwrap();
    let visits = clinic();
    write(folder.path(), &visits);
    let by_rows = visits_job(folder.path(), "k-anonymity(3)", Method::Generalize).but(|job| {
        job.columns.retain(|(name, _)| name != "patient");
        job.publish.drop_rest = true;
    });
    publish(&by_rows).unwrap();
    assert!(fails_by_definition(by_rows.out(), &visits, "k-anonymity(3)").is_some(), "rows are not people");
    let by_people = visits_job(folder.path(), "k-anonymity(3)", Method::Generalize);
    publish(&by_people).unwrap();
    assert_eq!(fails_by_definition(by_people.out(), &visits, "k-anonymity(3)"), None);
    let manifest = fs::read_to_string(by_people.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"persons\": 31"), "{manifest}");
    assert!(!manifest.contains("patient") && !manifest.contains("p99"));
    for file in ["table.csv", "report.html"] {
        let text = fs::read_to_string(by_people.out().join(file)).unwrap();
        assert!(!text.contains("patient") && !text.contains("p99"), "{file}");
    }
}

#[test]
fn one_row_for_each_person_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let visits: Vec<Visit> = (0..60).map(|row| (row, 20 + row * 7 % 31, row % 6, row * 5 % 7)).collect();
    write(folder.path(), &visits);
    let seeded = |role: Option<ColumnRole>| {
        let mut job = visits_job(folder.path(), "frequency-l-diversity(2)", Method::Generalize);
        job.publish.seed = Some(5);
        let patient = job.columns.iter_mut().find(|(name, _)| name == "patient").unwrap();
        patient.1.role = Some(role.unwrap_or(ColumnRole::Dropped));
        publish(&job).unwrap();
        ["table.csv", "manifest.json", "report.html"].map(|file| fs::read_to_string(job.out().join(file)).unwrap())
    };
    let with = seeded(Some(ColumnRole::Person));
    // A column that names people and does not repeat says as much as a key.
    assert_eq!(with, seeded(Some(ColumnRole::Identifying)));
    assert!(with[1].contains("\"persons\": 60") && with[2].contains("of the people"), "{}", with[1]);
    // Where nothing is known of people the same table is published, and only rows are spoken of.
    let without = seeded(None);
    assert_eq!(with[0], without[0]);
    assert!(!without[1].contains("persons") && without[2].contains("of the rows"), "{}", without[1]);
}

#[test]
fn who_is_not_named_counts_alone_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("visits.csv"),
        "patient,age,zip,illness\n,20,1,a\n,20,1,b\np,20,1,a\np,21,1,b\nq,21,2,c\nr,22,2,a\n",
    )
    .unwrap();
    let job = visits_job(folder.path(), "k-anonymity(5)", Method::Generalize);
    publish(&job).unwrap();
    let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"persons\": 5"), "{manifest}");
    let six = visits_job(folder.path(), "k-anonymity(6)", Method::Generalize);
    let error = publish(&six).unwrap_err().to_string();
    assert!(error.contains("counting each of 5 people once, not their 6 rows"), "{error}");
}

#[test]
fn the_verifier_counts_people_with_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let visits = clinic();
    write(folder.path(), &visits);
    let asked = VerifyRequest { person: vec!["patient".into()], ..VerifyRequest::default() };
    let verdict = |job: &Job| verify_release(job.out(), &asked, Some(&job.source()), None, &Context::new()).unwrap();
    let detail = |verdict: &Verdict| {
        let check = verdict.checks.iter().find(|check| check.name == "persons").unwrap();
        (check.ok, check.detail.clone())
    };
    let honest = visits_job(folder.path(), "k-anonymity(3)", Method::Generalize);
    publish(&honest).unwrap();
    let found = verdict(&honest);
    assert!(found.ok, "{:?}", found.failures().collect::<Vec<_>>());
    assert!(detail(&found).1.contains("counting each person once"), "{:?}", detail(&found));
    // From the bytes alone nobody can tell, and the verifier says so.
    let alone = verify_release(honest.out(), &VerifyRequest::default(), None, None, &Context::new()).unwrap();
    assert!(alone.ok && alone.warnings.iter().any(|warning| warning.contains("of 31 persons")), "{:?}", alone.warnings);
    // Rows that were counted as people are found.
    let by_rows = visits_job(folder.path(), "k-anonymity(3)", Method::Generalize).but(|job| {
        job.columns.retain(|(name, _)| name != "patient");
        job.publish.drop_rest = true;
    });
    publish(&by_rows).unwrap();
    let (ok, words) = detail(&verdict(&by_rows));
    assert!(!ok && words.contains("groups fail `k-anonymity(3)`"), "{words}");
    // So are they in memory, and in a permuted release.
    for method in [Method::Generalize, Method::Permute] {
        let job = visits_job(folder.path(), "k-anonymity(3)", method);
        let table = job.source().read(&job, &Context::new()).unwrap();
        let release = anonymize(&table, &job, &Context::new()).unwrap();
        let found = release.verify(Some(&table), &Context::new()).unwrap();
        assert!(detail(&found).0 && found.ok, "{method}: {:?}", found.failures().collect::<Vec<_>>());
    }
}

#[test]
fn a_person_column_is_never_published() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &clinic());
    let twice = visits_job(folder.path(), "k-anonymity(3)", Method::Generalize).keep(["patient"]);
    assert!(publish(&twice).unwrap_err().to_string().contains("also named in"), "two roles");
    let asked = VerifyRequest { person: vec!["age".into()], ..VerifyRequest::default() };
    let honest = visits_job(folder.path(), "k-anonymity(3)", Method::Generalize);
    publish(&honest).unwrap();
    let error = verify_release(honest.out(), &asked, Some(&honest.source()), None, &Context::new()).unwrap_err();
    assert!(error.to_string().contains("the column is published"), "{error}");
}

#[test]
fn rules_apply_before_people_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &clinic());
    let job = visits_job(folder.path(), "k-anonymity(3)", Method::Generalize);
    let text = format!("{}\n[rules]\noften = {{ when = \"patient = 'p99'\", delete = true }}\n", job.to_toml());
    let job = Job::from_toml(&text).unwrap();
    publish(&job).unwrap();
    let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"persons\": 30"), "{manifest}");
}

#[test]
fn names_that_repeat_are_refused_unless_rows_are_people() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &clinic());
    let named = |change: &dyn Fn(&mut Job)| {
        let job = visits_job(folder.path(), "k-anonymity(3)", Method::Generalize).but(|job| {
            let patient = job.columns.iter_mut().find(|(name, _)| name == "patient").unwrap();
            patient.1.role = Some(scumble::ColumnRole::Identifying);
        });
        job.but(|job| change(job))
    };
    let error = publish(&named(&|_| ())).unwrap_err().to_string();
    assert!(
        error.starts_with("identifying `patient`: 113 rows have 31 different values, one of them in 40 rows"),
        "{error}"
    );
    assert!(!error.contains("p99"), "{error}");
    let job = named(&|job| job.publish.rows_are_people = true);
    publish(&job).unwrap();
    let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"accepted\": [\n    \"rows-are-people\"\n  ]"), "{manifest}");
    assert!(verify_release(job.out(), &VerifyRequest::default(), None, None, &Context::new()).unwrap().ok);
}

#[test]
fn inspect_proposes_whose_rows_are_whose() {
    let proposed = |header: &str, rows: &[&str]| {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("data.csv"), format!("{header}\n{lines}")).unwrap();
        let raw = scumble::Source::file(folder.path().join("data.csv")).read_all(&Context::new()).unwrap();
        let job = scumble::inspect(&raw, &Context::new()).unwrap().job();
        let named: Vec<String> = job.named(scumble::ColumnRole::Person).map(String::from).collect();
        let mut job = job.but(|job| job.output.dir = Some(folder.path().join("release")));
        job.input.path = Some(folder.path().join("data.csv"));
        job.publish.require = vec!["k-anonymity(2)".parse().unwrap()];
        publish(&job).unwrap();
        named
    };
    let visits = ["1,7,a,30,flu", "2,7,a,30,flu", "3,8,b,31,flu", "4,9,b,31,cold"];
    assert_eq!(proposed("visit_id,patient_id,name,age,disease", &visits), ["patient_id"]);
    let people = ["anna,lee,30,flu", "anna,lee,30,cold", "bob,ray,31,flu", "bob,kay,33,flu"];
    assert_eq!(proposed("firstname,lastname,age,disease", &people), ["firstname", "lastname"]);
    assert_eq!(proposed("name,age,disease", &["a,30,flu", "b,30,flu", "c,31,cold"]), Vec::<String>::new());
}
