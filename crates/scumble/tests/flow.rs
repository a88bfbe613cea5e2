//! The whole flow on random tables: what is published verifies, against its source too.

use proptest::prelude::*;
use scumble::{
    Algorithm, ColumnRequest, ColumnRole, Decimal, Error, Input, Method, Profile, PublishRequest, Requirement, Silent,
    TableFormat,
};
use std::fmt::Write;

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

/// The columns of such a table with their roles.
fn columns() -> Vec<ColumnRequest> {
    let column = |name: &str, role| ColumnRequest::new(name, role);
    let mut columns = ["n", "d", "l", "z"].map(|name| column(name, ColumnRole::Quasi)).to_vec();
    columns.extend([
        column("s", ColumnRole::Sensitive),
        column("t", ColumnRole::Sensitive),
        column("k", ColumnRole::Kept),
    ]);
    // A column of nulls only has no type of its own.
    columns[4].kind = Some(scumble::Kind::Number);
    columns
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
fn allowed(suppressed: &str, method: Method) -> Decimal {
    Decimal::parse(if matches!(method, Method::Permute | Method::Angel) { "0" } else { suppressed }).unwrap()
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
        let request = PublishRequest {
            columns: columns(),
            requirements: required(&wanted, method, together),
            method: Some(method),
            together,
            // Levels have a search of their own, which draws nothing.
            algorithm: algorithm.filter(|_| method != Method::FullDomain),
            profile: if method == Method::FullDomain { Profile::Standard } else { profile },
            max_suppressed: allowed(suppressed, method),
            out: folder.path().join("release"),
            format: if parquet { TableFormat::Parquet } else { TableFormat::Csv },
            ..PublishRequest::new(Input::file(&file))
        };
        match scumble::publish(&request, &Silent) {
            Ok(published) => {
                let verdict = scumble::verify(&request.out, &request.requirements, Some(&request.input), None, &Silent).unwrap();
                let failures: Vec<_> = verdict.failures().collect();
                prop_assert!(verdict.ok, "{failures:?}\n{text}");
                prop_assert_eq!(verdict.rows, published.rows);
                let share = published.suppressed as f64 / (published.rows + published.suppressed) as f64;
                prop_assert!(share <= suppressed.parse::<f64>().unwrap());
                // Exact values lose nothing, and a suppressed row all of its four.
                prop_assert!(matches!(method, Method::Generalize | Method::FullDomain) || (published.ncp - 4.0 * share).abs() < 1e-9);
            }
            // The whole table itself does not pass: then nothing may be there.
            Err(Error::Infeasible { .. }) => prop_assert!(!request.out.exists()),
            Err(other) => prop_assert!(false, "{other}\n{text}"),
        }
    }
}

/// A window is kept by unions of groups, so that the usual searches serve it and not the one that keeps neighbours apart.
#[test]
fn windows_are_for_the_usual_searches() {
    let request = |wanted: &[&str], algorithm| PublishRequest {
        columns: columns(),
        requirements: wanted.iter().map(|text| text.parse().unwrap()).collect(),
        algorithm,
        ..PublishRequest::new(Input::file("data.csv"))
    };
    let window = request(&["s: proximity-window(100, 200, 2)"], None);
    assert!(!window.about_proximity() && window.chosen_algorithm() == Algorithm::Mondrian);
    let both = request(&["s: proximity-window(100, 200, 2)", "s: proximity-interval(100, 200, 2)"], None);
    assert!(both.about_proximity() && both.chosen_algorithm() == Algorithm::Proximity);
    let message = |wanted: &[&str], algorithm| {
        scumble::publish(&request(wanted, Some(algorithm)), &Silent).unwrap_err().to_string()
    };
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
        let mut request = PublishRequest {
            columns: columns(),
            requirements: required(&wanted, method, together),
            method: Some(method),
            together,
            algorithm,
            profile: if algorithm == Some(Algorithm::Paper) { Profile::Standard } else { profile },
            out: folder.path().join("release"),
            ..PublishRequest::new(Input::file(&file))
        };
        if !missing.is_empty() {
            std::fs::write(&file, &text).unwrap();
            let message = scumble::publish(&request, &Silent).unwrap_err().to_string();
            prop_assert!(message.contains("`s`") && !request.out.exists(), "{message}");
        }
        prop_assume!(known.len() > 2);
        std::fs::write(&file, known.join("\n")).unwrap();
        request.columns[2].kind = Some(scumble::Kind::Nominal);
        match scumble::publish(&request, &Silent) {
            Ok(_) => {
                let verdict = scumble::verify(&request.out, &request.requirements, Some(&request.input), None, &Silent).unwrap();
                let failures: Vec<_> = verdict.failures().collect();
                prop_assert!(verdict.ok, "{failures:?}\n{text}");
            }
            Err(Error::Infeasible { .. } | Error::NotFound { .. }) => prop_assert!(!request.out.exists()),
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
            let request = PublishRequest {
                columns: columns(),
                requirements: vec!["k-anonymity(2)".parse().unwrap()],
                method: Some(method),
                together,
                max_suppressed: allowed(suppressed, method),
                seed: Some(seed),
                insecure_seed: true,
                out: folder.path().join(threads.to_string()),
                ..PublishRequest::new(Input::file(&file))
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| scumble::publish(&request, &Silent)).unwrap();
            let mut files: Vec<_> = std::fs::read_dir(&request.out).unwrap().map(|entry| entry.unwrap().path()).collect();
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
    let request = PublishRequest {
        columns: vec![
            ColumnRequest::new("age", ColumnRole::Quasi),
            ColumnRequest::new("disease", ColumnRole::Sensitive),
        ],
        requirements: vec!["k-anonymity(4)".parse().unwrap()],
        out: folder.path().join("release"),
        ..PublishRequest::new(Input::file("-"))
    };
    let published =
        scumble::publish_batches(&batch.schema(), [batch.slice(0, 20), batch.slice(20, 30)], &request, &Silent)
            .unwrap();
    assert_eq!(published.rows, 50);
    assert!(published.group_sizes.min >= 4);
    assert!(scumble::verify(&request.out, &[], None, None, &Silent).unwrap().ok);
}
