//! A principle, a distance and a partitioner of this crate in jobs, by name.

use scumble::{
    ChoiceRequest, Choices, Context, Error, Job, Release, Source, Table, advise_choices, anonymize, choice_rows,
};
use std::io::Cursor;

/// Eighty people, four chapters of three illnesses each.
fn people() -> String {
    let row = |row: usize| format!("{},{}{}\n", 20 + row % 40, ["A", "B", "C", "D"][row % 4], row % 3);
    format!("age,illness\n{}", (0..80).map(row).collect::<String>())
}

fn table(job: &Job) -> Table {
    scumble_example_own_parts::register().unwrap();
    Source::reader(Cursor::new(people())).read(job, &Context::new()).unwrap()
}

fn job(publish: &str) -> Job {
    scumble_example_own_parts::register().unwrap();
    Job::from_toml(&format!("[columns]\nage = \"quasi\"\nillness = \"sensitive\"\n[publish]\n{publish}\n")).unwrap()
}

#[test]
fn a_release_by_a_principle_and_a_partitioner_of_ones_own() {
    let job = job("require = [\"no-more-than(2)\", \"k-anonymity(4)\"]\nalgorithm = \"sorted-runs\"");
    let (table, context) = (table(&job), Context::new());
    let release = anonymize(&table, &job, &context).unwrap();
    let manifest = release.manifest();
    assert_eq!(manifest.requirements, ["at-most(2)", "k-anonymity(4)"]);
    assert_eq!(manifest.algorithm, "sorted-runs");
    assert!(manifest.groups > 5, "{} groups", manifest.groups);
    let verdict = release.verify(Some(&table), &context).unwrap();
    assert!(verdict.ok, "{:?}", verdict.failures().collect::<Vec<_>>());
    assert!(verdict.checks.iter().any(|check| check.name == "require[at-most(2)]" && check.ok));
    let home = tempfile::tempdir().unwrap();
    release.write(home.path().join("release"), &context).unwrap();
    let again = Release::open(home.path().join("release")).unwrap();
    assert!(again.verify(Some(&table), &context).unwrap().ok);
}

#[test]
fn a_release_by_a_distance_of_ones_own_verifies_without_it() {
    let job = job("require = [\"xcolor(0.2, 0.5, 4)\"]\ndistance = \"illness:icd-chapter\"");
    let (table, context) = (table(&job), Context::new());
    let release = anonymize(&table, &job, &context).unwrap();
    let manifest = release.manifest();
    assert_eq!(manifest.requirements, ["dissimilarity(0.2, 0.5, 4)"]);
    assert_eq!(manifest.distance.as_deref(), Some("illness:matrix:distance-illness.csv"));
    assert!(release.verify(Some(&table), &context).unwrap().ok);
}

#[test]
fn what_a_partitioner_makes_is_not_trusted() {
    // There are twelve illnesses, so no thirty people have thirty different ones. The partitioner does not notice, and makes
    // one group of all rows.
    let job = job("require = [\"at-most(1)\", \"k-anonymity(30)\"]\nalgorithm = \"sorted-runs\"");
    let error = anonymize(&table(&job), &job, &Context::new()).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Request { .. }) && error.to_string().contains("1 of its 1 groups fail"), "{error}");
}

fn advise(principles: &[&str], values: &[&str], job: &Job) -> Choices {
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
    let request = ChoiceRequest { principles: texts(principles), values: texts(values), ..ChoiceRequest::new() };
    advise_choices(&table(job), job, &request, &Context::new()).unwrap()
}

#[test]
fn a_principle_of_ones_own_is_advised_on() {
    let job = job("algorithm = \"sorted-runs\"");
    let choices = advise(&["at-most", "k-anonymity"], &[], &job);
    let [own, sizes] = &choices.advice[..] else { panic!("{choices:?}") };
    // It tells no values to try, so its example is tried.
    let [point] = &own.points[..] else { panic!("{:?}", own.points) };
    assert_eq!((point.requirement.as_str(), point.one_of), ("illness: at-most(3)", None));
    assert!(point.sample.as_ref().is_some_and(|made| made.groups > 1), "{point:?}");
    assert!(!own.sizes_only && sizes.sizes_only);
    assert!(choices.beside_thresholds().is_some_and(|beside| beside.principle == "k-anonymity"));
    assert!(choice_rows(own, |part, whole| format!("{part}/{whole}"))[0].iter().any(|cell| cell.starts_with("c ")));
    assert!(choices.page().contains("at-most on illness"));

    let choices = advise(&["no-more-than"], &["c=1,2"], &job);
    let asked: Vec<&str> = choices.advice[0].points.iter().map(|point| point.requirement.as_str()).collect();
    assert_eq!(asked, ["illness: at-most(1)", "illness: at-most(2)"]);
}

#[test]
fn a_principle_that_no_algorithm_serves_has_no_figures_and_a_reason() {
    // It says nothing of unions, so the usual algorithms refuse it.
    let choices = advise(&["at-most", "k-anonymity"], &[], &job(""));
    let [own, sizes] = &choices.advice[..] else { panic!("{choices:?}") };
    assert!(sizes.points.iter().any(|point| point.sample.is_some()));
    for point in &own.points {
        assert!(point.sample.is_none(), "{point:?}");
        assert!(
            point.not_tried.as_ref().is_some_and(|reason| reason.contains("stay true when groups are joined")),
            "{point:?}"
        );
    }
}

#[test]
fn a_name_is_taken_once() {
    scumble_example_own_parts::register().unwrap();
    assert!(scumble::register_partitioner(std::sync::Arc::new(scumble_example_own_parts::SortedRuns)).is_err());
}
