//! Example 6 of the paper.

use super::release_builder::{ReleaseBuilder, partition};
use crate::release::{Published, session};
use scumble_method::Coins;
use scumble_method::publish::{Outline, generalize};
use scumble_query::{AggregateAnswer, Bound, Session};
use scumble_release::{AttainedEntry, Draft, Form, Manifest, Method, WriteOptions};
use scumble_table::{Kind, Monitor, Role};
use scumble_verify::{Promise, write};

const QUESTION: &str = "SELECT COUNT(*) FROM release WHERE age BETWEEN 35 AND 45 AND disease = 'pneumonia'";

/// Table 1a, which has two people in the question.
fn table1a() -> ReleaseBuilder {
    let people = [
        (21, "M", "pneumonia"),
        (23, "M", "pneumonia"),
        (38, "F", "bronchitis"),
        (40, "F", "bronchitis"),
        (41, "M", "pneumonia"),
        (43, "M", "pneumonia"),
        (58, "F", "bronchitis"),
        (60, "F", "bronchitis"),
    ];
    let columns = [
        ("age", Role::Quasi, Kind::Number),
        ("sex", Role::Quasi, Kind::Nominal),
        ("disease", Role::Sensitive, Kind::Nominal),
    ];
    let rows = people.iter().map(|(age, sex, disease)| vec![age.to_string(), sex.to_string(), disease.to_string()]);
    ReleaseBuilder::new(&columns, rows.collect())
}

fn asked(session: &Session, sql: &str) -> AggregateAnswer {
    session.ask(sql, None).unwrap().rows.remove(0).answers.remove(0)
}

fn holds(figure: &AggregateAnswer, truth: f64) -> bool {
    let end = |bound: &Option<Bound>| bound.as_ref().and_then(Bound::to_f64).unwrap();
    end(&figure.lower) <= truth && truth <= end(&figure.upper)
}

#[test]
fn paper4_example6_table3() {
    let mut builder = table1a();
    builder.batches = vec![1, 2, 1, 2, 3, 4, 3, 4];
    builder.tables = vec![(vec!["age".into(), "sex".into()], vec![1, 1, 2, 2, 3, 3, 4, 4])];
    let release = builder.publish();
    let figure = asked(&session(&release.path()), QUESTION);
    assert!((figure.estimate.unwrap() - 2.0).abs() < 1e-12 && holds(&figure, 2.0), "{figure:?}");
    // One person of each batch is inside for certain, and one of its two values matches.
    assert_eq!(figure.deviation.map(|d| (d * d * 1e9).round() / 1e9), Some(1.0));
    assert!(holds(&figure, 0.0) && holds(&figure, 4.0));
}

#[test]
fn paper4_example6_table1b() {
    let builder = table1a();
    let groups = [1, 1, 1, 1, 2, 2, 2, 2];
    let (form, columns) =
        generalize(&builder.table(), &partition(&groups), &Outline::Minimal, &Coins::from_seed(1), Monitor::silent())
            .unwrap();
    let mut manifest = Manifest::new(Method::Generalize, "mondrian");
    manifest.requirements = vec!["k-anonymity(4)".into()];
    (manifest.columns, manifest.rows, manifest.groups) = (columns, 8, 2);
    let figures = vec![("k".to_string(), "4".to_string())];
    manifest.attained = vec![AttainedEntry { requirement: "k-anonymity(4)".into(), column: None, figures }];
    let report = "<!doctype html><title>report</title>".into();
    let draft =
        Draft { manifest, form: Form::Generalized(form), hierarchies: Vec::new(), matrices: Vec::new(), report };
    let published = Published { dir: tempfile::tempdir().unwrap() };
    write(&draft, &published.path(), &WriteOptions::default(), Promise::default(), Monitor::silent()).unwrap();
    let figure = asked(&session(&published.path()), QUESTION);
    assert!((figure.estimate.unwrap() - 1.1).abs() < 1e-12 && holds(&figure, 2.0), "{figure:?}");
    // Angelization with batches that are the buckets is that generalization.
    let mut builder = builder;
    builder.batches = groups.to_vec();
    builder.tables = vec![(vec!["age".into(), "sex".into()], groups.to_vec())];
    let figure = asked(&session(&builder.publish().path()), QUESTION);
    assert!((figure.estimate.unwrap() - 1.1).abs() < 1e-12 && holds(&figure, 2.0), "{figure:?}");
}

#[test]
fn a_marginal_is_asked_where_it_has_the_columns() {
    let mut builder = table1a();
    builder.batches = vec![1, 2, 1, 2, 3, 4, 3, 4];
    builder.tables = vec![
        (vec!["age".into(), "sex".into()], vec![1, 1, 1, 1, 2, 2, 2, 2]),
        (vec!["age".into()], vec![1, 1, 2, 2, 3, 3, 4, 4]),
        // Only here can readers see which sexes there are.
        (vec!["sex".into()], vec![1, 1, 2, 2, 1, 1, 2, 2]),
    ];
    let release = builder.publish();
    let session = session(&release.path());
    assert_eq!(session.table(QUESTION).unwrap().as_deref(), Some("marginal-age"));
    assert!((asked(&session, QUESTION).estimate.unwrap() - 2.0).abs() < 1e-12);
    let both = "SELECT COUNT(*) FROM release WHERE age BETWEEN 35 AND 45 AND sex = 'M' AND disease = 'pneumonia'";
    assert_eq!(session.table(both).unwrap().as_deref(), Some("generalized"));
    // Half of what the age alone would give: both sexes are in every box.
    assert!((asked(&session, both).estimate.unwrap() - 0.55).abs() < 1e-12);
}
