//! The whole flow on random tables: what is published verifies, against its source too.

use crate::steps::{Say, failures, job, publish, publish_in, refusal, verify, verify_alone};
use proptest::prelude::*;
use scumble::{Algorithm, Context, Decimal, Error, Job, Kind, Method, Plan, Profile, Requirement, Source, TableFormat};
use std::fmt::Write;
use std::path::Path;

/// A random table as CSV text: a number, a date, a label and a zip-like code as quasi-identifiers,
/// two sensitive columns, one kept; nulls in all of them.
fn tables() -> impl Strategy<Value = String> {
    let row = (0..12i32, 0..9u32, 0..5usize, 0..30u32, 0..6u32, 0..4usize, 0..3u32);
    prop::collection::vec(row, 2..70).prop_map(|rows| {
        let mut text = String::from("n,d,l,z,s,t,k\n");
        for (n, d, l, z, s, t, k) in rows {
            let blank = |null: bool, text: String| if null { String::new() } else { text };
            let label = ["", "a|b", "{c}", "*", "plain \"quoted\""][l];
            let _ = writeln!(
                text,
                "{},{},\"{}\",{},{},{},{k}",
                blank(n == 11, format!("{}", f64::from(n * n) / 4.0 - 3.0)),
                blank(d == 8, format!("2020-0{}-1{d}", d + 1)),
                label.replace('"', "\"\""),
                blank(z == 29, format!("0{}", 1000 + z)),
                blank(s == 5, format!("{}", s * 100)),
                ["", "x", "y", "z"][t],
            );
        }
        text
    })
}

/// A job on such a table in a folder, with its release next to it.
fn asked(folder: &Path) -> Job {
    let job = job(folder.join("data.csv"), folder.join("release"));
    let job = job.quasi(["n", "d", "l", "z"]).sensitive(["s", "t"]).keep(["k"]).vouched();
    // A column of nulls only has no type of its own.
    job.but(|job| job.column_mut("s").kind = Some(Kind::Number))
}

fn requirements() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::select(vec![
        vec!["k-anonymity(1)"],
        vec!["k-anonymity(3)"],
        vec!["k-anonymity(2)", "s: distinct-l-diversity(2)"],
        vec!["t: frequency-l-diversity(1.5)"],
        vec!["entropy-l-diversity(1.3)"],
        vec!["k-anonymity(2)", "t-closeness(0.4)"],
        vec!["s: t-closeness(0.25, ordered)"],
        vec!["t: beta-likeness(0.8)"],
        vec!["t: beta-likeness(2, enhanced)", "s: beta-likeness(0.9, two-sided)"],
        vec!["t: delta-disclosure(1.5)"],
        vec!["s: variance(100)", "alpha-k-anonymity(0.9, 2)"],
        vec!["t: recursive-l-diversity(4, 2)"],
        vec!["s: proximity-window(0, 0, 2)"],
        vec!["s: proximity-window(50, 50, 2)", "k-anonymity(3)"],
    ])
}

/// Forms of a release, with sensitive columns together or apart where that makes a difference.
fn forms() -> impl Strategy<Value = (Method, bool)> {
    let apart = [Method::Generalize, Method::Permute, Method::Anatomy].map(|method| (method, false)).to_vec();
    prop::sample::select([apart, vec![(Method::Permute, true)]].concat())
}

/// Columns that are permuted apart must each have something required of them.
fn required(wanted: &[&str], method: Method, together: bool) -> Vec<Requirement> {
    let apart = method == Method::Permute && !together && wanted.iter().all(|text| text.contains(':'));
    let all = wanted.iter().copied().chain(apart.then_some("k-anonymity(1)"));
    all.map(|text| text.parse().unwrap()).collect()
}

/// Permuted and angel releases suppress nothing.
fn allowed(suppressed: &str, method: Method) -> Option<Decimal> {
    Decimal::parse(if matches!(method, Method::Permute | Method::Angel) { "0" } else { suppressed })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_published_table_verifies(
        text in tables(),
        wanted in requirements(),
        (method, together) in prop_oneof![4 => forms(), 1 => Just((Method::FullDomain, false))],
        algorithm in prop::sample::select(vec![
            None, Some(Algorithm::Mondrian), Some(Algorithm::MondrianRelaxed), Some(Algorithm::Paper),
        ]),
        profile in prop::sample::select(Profile::ALL.to_vec()),
        parquet in any::<bool>(),
        suppressed in prop::sample::select(vec!["0", "0.05", "0.3"]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data.csv");
        std::fs::write(&file, &text).unwrap();
        let job = asked(folder.path()).but(|job| {
            job.publish.require = required(&wanted, method, together);
            (job.publish.method, job.publish.together) = (Some(method), together);
            // Levels have a search of their own, which draws nothing.
            job.publish.algorithm = algorithm.filter(|_| method != Method::FullDomain);
            job.publish.profile = (method != Method::FullDomain).then_some(profile);
            job.publish.max_suppressed = allowed(suppressed, method);
            job.output.format = parquet.then_some(TableFormat::Parquet);
        });
        match publish(&job) {
            Ok(published) => {
                let verdict = verify(&job);
                prop_assert!(verdict.ok, "{:?}\n{text}", failures(&verdict));
                prop_assert_eq!(verdict.rows, published.facts.rows);
                let share = published.facts.suppressed as f64 / (published.facts.rows + published.facts.suppressed) as f64;
                prop_assert!(share <= suppressed.parse::<f64>().unwrap());
                // Exact values lose nothing, and a suppressed row all of its four.
                prop_assert!(matches!(method, Method::Generalize | Method::FullDomain) || (published.facts.ncp - 4.0 * share).abs() < 1e-9);
            }
            // The whole table itself does not pass: then nothing may be there.
            Err(Error::Infeasible { .. }) => prop_assert!(!job.out().exists()),
            Err(other) => prop_assert!(false, "{other}\n{text}"),
        }
    }
}

/// A window is kept by unions of groups, so that the usual searches serve it and not the one that keeps neighbours apart.
#[test]
fn windows_are_for_the_usual_searches() {
    let with = |wanted: &[&str], algorithm| {
        asked(Path::new("")).requiring(wanted).but(|job| job.publish.algorithm = algorithm)
    };
    let window = Plan::new(&with(&["s: proximity-window(100, 200, 2)"], None)).unwrap();
    assert!(!window.about_proximity() && window.algorithm == Algorithm::Mondrian);
    let wanted = ["s: proximity-window(100, 200, 2)", "s: proximity-interval(100, 200, 2)"];
    let both = Plan::new(&with(&wanted, None)).unwrap();
    assert!(both.about_proximity() && both.algorithm == Algorithm::Proximity);
    let message = |wanted: &[&str], algorithm| refusal(publish(&with(wanted, Some(algorithm))));
    let refused = message(&["s: proximity-window(100, 200, 2)"], Algorithm::Proximity);
    assert!(refused.contains("no requirement is about proximity"), "{refused}");
    let refused = message(&["s: proximity-interval(100, 200, 2)"], Algorithm::Mondrian);
    assert!(refused.contains("or ask for `proximity-window(e1, e2, m)`"), "{refused}");
}

/// Requirements about proximity, alone and beside others.
fn proximity() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::select(vec![
        vec!["s: proximity-absolute(0, 2)"],
        vec!["s: proximity-absolute(100, 2)"],
        vec!["s: proximity-relative(0.5, 2)"],
        vec!["s: proximity-interval(100, 200, 2)", "k-anonymity(3)"],
        vec!["s: proximity-absolute(0, 2)", "t: distinct-l-diversity(2)"],
        vec!["s: proximity-relative(0.1, 3)", "t: t-closeness(0.5)", "k-anonymity(2)"],
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn proximity_releases_verify(
        text in tables(),
        wanted in proximity(),
        (method, together) in forms(),
        algorithm in prop::sample::select(vec![None, Some(Algorithm::Proximity), Some(Algorithm::Paper)]),
        profile in prop::sample::select(Profile::ALL.to_vec()),
    ) {
        // The first of two sensitive columns has nulls, which proximity refuses: leave those rows out.
        let (known, missing): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| !line.rsplit(',').nth(2).is_some_and(str::is_empty));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data.csv");
        let job = asked(folder.path()).but(|job| {
            job.publish.require = required(&wanted, method, together);
            (job.publish.method, job.publish.together) = (Some(method), together);
            job.publish.algorithm = algorithm;
            job.publish.profile = (algorithm != Some(Algorithm::Paper)).then_some(profile);
        });
        if !missing.is_empty() {
            std::fs::write(&file, &text).unwrap();
            let message = refusal(publish(&job));
            prop_assert!(message.contains("`s`") && !job.out().exists(), "{message}");
        }
        prop_assume!(known.len() > 2);
        std::fs::write(&file, known.join("\n")).unwrap();
        let job = job.but(|job| job.column_mut("l").kind = Some(Kind::Nominal));
        match publish(&job) {
            Ok(_) => {
                let verdict = verify(&job);
                prop_assert!(verdict.ok, "{:?}\n{text}", failures(&verdict));
            }
            Err(Error::Infeasible { .. } | Error::NotFound { .. }) => prop_assert!(!job.out().exists()),
            Err(other) => prop_assert!(false, "{other}\n{text}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn a_seed_repeats_bytes_on_any_number_of_threads(
        text in tables(),
        (method, together) in prop_oneof![
            4 => forms(), 1 => Just((Method::Angel, false)), 1 => Just((Method::FullDomain, false)),
        ],
        suppressed in prop::sample::select(vec!["0", "0.3"]),
        seed in any::<u64>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data.csv");
        std::fs::write(&file, &text).unwrap();
        let bytes = |threads: usize| {
            let job = asked(folder.path()).requiring(&["k-anonymity(2)"]).but(|job| {
                (job.publish.method, job.publish.together) = (Some(method), together);
                job.publish.max_suppressed = allowed(suppressed, method);
                (job.publish.seed, job.publish.insecure_seed) = (Some(seed), true);
                job.output.dir = Some(folder.path().join(threads.to_string()));
            });
            publish_in(&job, &Context::new().with_threads(threads).unwrap()).unwrap();
            let mut files: Vec<_> = std::fs::read_dir(job.out()).unwrap().map(|entry| entry.unwrap().path()).collect();
            files.sort();
            files.iter().map(|path| (path.file_name().unwrap().to_owned(), std::fs::read(path).unwrap())).collect::<Vec<_>>()
        };
        let one = bytes(1);
        let trees = one.iter().filter(|(name, _)| name.to_string_lossy().starts_with("hierarchy-")).count();
        let wanted = match method {
            Method::Generalize => 3,
            Method::FullDomain => 3 + trees,
            Method::Anatomy | Method::Angel => 4,
            Method::Permute => if together { 5 } else { 6 },
            other => unreachable!("{other}"),
        };
        prop_assert_eq!(one.len(), wanted);
        prop_assert!(one == bytes(2) && one == bytes(8));
    }
}

#[test]
fn arrow_batches_are_published_too() {
    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use std::sync::Arc;
    let ages: ArrayRef =
        Arc::new(Int64Array::from((0..50).map(|i| (i != 7).then_some(20 + i % 9)).collect::<Vec<_>>()));
    let diseases: ArrayRef =
        Arc::new(StringArray::from((0..50).map(|i| ["flu", "cold", "gout"][i % 3]).collect::<Vec<_>>()));
    let batch = RecordBatch::try_from_iter([("age", ages), ("disease", diseases)]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let job = Job::new().quasi(["age"]).sensitive(["disease"]).require("k-anonymity(4)").unwrap();
    let job = job.but(|job| job.output.dir = Some(folder.path().join("release")));
    let context = Context::new();
    let source = Source::arrow(batch.schema(), [batch.slice(0, 20), batch.slice(20, 30)]);
    let table = source.read(&job, &context).unwrap();
    let published = scumble::publish(&table, &job, &context).unwrap();
    assert_eq!(published.facts.rows, 50);
    assert!(published.facts.group_sizes.min >= 4);
    assert!(verify_alone(job.out()).ok);
}
