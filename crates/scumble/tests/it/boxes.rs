//! Kinds of boxes from the request to the verdict: every release verifies, holds the least boxes, and tells no more than it should.

use crate::steps::{Say, failures, job, publish, refusal, verify};
use proptest::prelude::*;
use scumble::{Algorithm, BoxKind, Decimal, FromFile, Job, Kind, Method, Plan, Profile, TableFormat};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A random table: a decimal, a date, an ordinal, a label, a code under a hierarchy, and a sensitive column; with nulls.
fn tables() -> impl Strategy<Value = String> {
    let row = (0..13i32, 0..30u32, 0..6usize, 0..6usize, 0..8u32, 0..4usize);
    prop::collection::vec(row, 6..80).prop_map(|rows| {
        let mut text = String::from("n,d,o,l,z,s\n");
        for (n, d, o, l, z, s) in rows {
            let blank = |null: bool, text: String| if null { String::new() } else { text };
            let _ = writeln!(
                text,
                "{},{},{},{},c{z},{}",
                blank(n == 12, format!("{}", f64::from(n * n) / 4.0 - 3.0)),
                blank(d == 29, format!("20{}-0{}-1{}", 10 + d % 7, 1 + d % 9, d % 10)),
                ["", "1", "2", "3", "7", "9"][o],
                ["", "a|b", "{c}", "*", "plain", "e"][l],
                ["w", "x", "y", "z"][s],
            );
        }
        text
    })
}

fn asked(folder: &Path, text: &str) -> Job {
    fs::write(folder.join("data.csv"), text).unwrap();
    let tree: String = (0..8).map(|z| format!("c{z};{};*\n", if z < 2 { "low" } else { "high" })).collect();
    fs::write(folder.join("z.csv"), tree).unwrap();
    let job = job(folder.join("data.csv"), folder.join("release"));
    job.quasi(["n", "d", "o", "l", "z"]).sensitive(["s"]).vouched().requiring(&["k-anonymity(2)"]).but(|job| {
        job.column_mut("o").kind = Some(Kind::Ordinal);
        job.column_mut("l").kind = Some(Kind::Nominal);
        job.column_mut("z").hierarchy = Some(FromFile::file(folder.join("z.csv")));
        (job.output.replace, job.publish.seed) = (true, Some(1));
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn every_kind_of_boxes_verifies_beside_its_source(
        text in tables(),
        boxes in prop::sample::select(BoxKind::ALL.to_vec()),
        algorithm in prop::sample::select(vec![Algorithm::Mondrian, Algorithm::MondrianRelaxed, Algorithm::Paper]),
        wanted in prop::sample::select(vec!["k-anonymity(2)", "k-anonymity(4)", "distinct-l-diversity(2)"]),
        profile in prop::sample::select(Profile::ALL.to_vec()),
        parquet in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let job = asked(folder.path(), &text).requiring(&[wanted]).but(|job| {
            (job.publish.boxes, job.publish.algorithm, job.publish.profile) = (Some(boxes), Some(algorithm), Some(profile));
            job.output.format = parquet.then_some(TableFormat::Parquet);
        });
        if boxes == BoxKind::Cells && algorithm == Algorithm::MondrianRelaxed {
            let error = refusal(publish(&job));
            prop_assert!(error.contains("not the cells of cuts"), "{}", error);
            return Ok(());
        }
        let Ok(published) = publish(&job) else { return Ok(()) };
        prop_assert!(published.facts.ncp <= 5.0 + 1e-9);
        let verdict = verify(&job);
        prop_assert!(verdict.ok, "{:?}\n{}", failures(&verdict), text);
        let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
        let stated = format!("\"boxes\": \"{boxes}\"");
        prop_assert_eq!(manifest.contains(&stated), boxes != BoxKind::Minimal);
        prop_assert_eq!(manifest.contains("\"boxes\""), boxes != BoxKind::Minimal);
        // Groups do not depend on how they are drawn, and what is drawn larger loses no less.
        let least = job.but(|job| {
            job.publish.boxes = Some(BoxKind::Minimal);
            job.output.dir = Some(folder.path().join("least"));
        });
        let least = publish(&least).unwrap();
        prop_assert_eq!(least.facts.groups, published.facts.groups);
        prop_assert!(published.facts.ncp >= least.facts.ncp - 1e-9, "{} {}", published.facts.ncp, least.facts.ncp);
    }
}

/// The texts of a column of a published table, without its header.
fn shown(job: &Job, column: usize) -> Vec<String> {
    let table = fs::read_to_string(job.out().join("table.csv")).unwrap();
    let cells = |line: &str| -> Vec<String> {
        let (mut cells, mut quoted, mut cell) = (Vec::new(), false, String::new());
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(std::mem::take(&mut cell)),
                c => cell.push(c),
            }
        }
        cells.push(cell);
        cells
    };
    let mut texts: Vec<String> = table.lines().skip(1).map(|line| cells(line)[column].clone()).collect();
    texts.sort();
    texts.dedup();
    texts
}

fn ages(folder: &Path, ages: &[u32], boxes: Option<BoxKind>) -> Job {
    let rows: String = ages.iter().enumerate().map(|(i, age)| format!("{age},s{}\n", i % 3)).collect();
    let file = folder.join("ages.csv");
    fs::write(&file, format!("age,s\n{rows}")).unwrap();
    job(&file, folder.join("release")).quasi(["age"]).sensitive(["s"]).requiring(&["k-anonymity(2)"]).but(|job| {
        (job.output.replace, job.publish.boxes) = (true, boxes);
    })
}

#[test]
fn ends_are_round_and_exact_cells_stay_exact() {
    let folder = tempfile::tempdir().unwrap();
    let job = ages(folder.path(), &[23, 24, 45, 45, 91, 127], Some(BoxKind::Rounded));
    publish(&job).unwrap();
    assert_eq!(shown(&job, 1), ["45", "[22,24]", "[90,130]"]);
    // The manifest's domain is what the boxes show.
    let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
    let manifest: String = manifest.split_whitespace().collect();
    assert!(manifest.contains("\"domain\":[22,130]"), "{manifest}");
}

#[test]
fn cells_tile_the_domain() {
    let folder = tempfile::tempdir().unwrap();
    let people: Vec<u32> = (0..60).map(|i| 18 + (i * i * 7) % 53).collect();
    let job = ages(folder.path(), &people, Some(BoxKind::Cells));
    publish(&job).unwrap();
    let mut cells: Vec<(u32, u32)> = shown(&job, 1)
        .iter()
        .map(|text| match text.trim_matches(['[', ']']).split_once(',') {
            Some((lo, hi)) => (lo.parse().unwrap(), hi.parse().unwrap()),
            None => (text.parse().unwrap(), text.parse().unwrap()),
        })
        .collect();
    cells.sort_unstable();
    assert!(cells.len() > 8, "{cells:?}");
    assert_eq!((cells[0].0, cells[cells.len() - 1].1), (10, 70));
    assert!(cells.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0), "{cells:?}");
}

#[test]
fn the_profile_chooses_and_methods_without_boxes_refuse() {
    let folder = tempfile::tempdir().unwrap();
    let plain = ages(folder.path(), &[23, 24, 31, 37, 45, 45, 59, 81], None);
    assert_eq!(Plan::new(&plain).unwrap().boxes, BoxKind::Minimal);
    let hardened = plain.clone().but(|job| job.publish.profile = Some(Profile::Hardened));
    assert_eq!(Plan::new(&hardened).unwrap().boxes, BoxKind::Rounded);
    let asked = |boxes, change: &dyn Fn(&mut Job)| {
        Plan::new(&plain.clone().but(|job| job.publish.boxes = Some(boxes)).but(change))
    };
    let refused = |boxes, change: &dyn Fn(&mut Job), words: &str| {
        let error = refusal(asked(boxes, change));
        assert!(error.starts_with("boxes `") && error.contains(words), "{error}");
    };
    refused(BoxKind::Rounded, &|job| job.publish.method = Some(Method::Anatomy), "no boxes");
    refused(BoxKind::Minimal, &|job| job.publish.method = Some(Method::Permute), "no boxes");
    refused(BoxKind::Rounded, &|job| job.publish.method = Some(Method::FullDomain), "same for all rows");
    let angel = |job: &mut Job| (job.publish.method, job.publish.angel_k) = (Some(Method::Angel), Some(2));
    refused(BoxKind::Cells, &angel, "use `boxes` rounded");
    refused(BoxKind::Cells, &|job| job.publish.max_suppressed = Decimal::parse("0.1"), "all rows are published");
    assert!(asked(BoxKind::Cells, &|_| ()).is_ok());
    assert!("rounde".parse::<BoxKind>().unwrap_err().to_string().contains("did you mean `rounded`?"));
}
