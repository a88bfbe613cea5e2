//! Kinds of boxes from the request to the verdict: every release verifies, holds the least boxes, and tells no more than it should.

use proptest::prelude::*;
use scumble::{
    Algorithm, BoxKind, ColumnRequest, ColumnRole, Decimal, Input, Kind, Method, Profile, PublishRequest, Silent,
    TableFormat,
};
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

fn request(folder: &Path, text: &str) -> PublishRequest {
    let file = folder.join("data.csv");
    fs::write(&file, text).unwrap();
    let tree: String = (0..8).map(|z| format!("c{z};{};*\n", if z < 2 { "low" } else { "high" })).collect();
    fs::write(folder.join("z.csv"), tree).unwrap();
    let mut columns = ["n", "d", "o", "l", "z"].map(|name| ColumnRequest::new(name, ColumnRole::Quasi)).to_vec();
    columns[2].kind = Some(Kind::Ordinal);
    columns[3].kind = Some(Kind::Nominal);
    columns[4].hierarchy = Some(folder.join("z.csv"));
    columns.push(ColumnRequest::new("s", ColumnRole::Sensitive));
    PublishRequest {
        columns,
        requirements: vec!["k-anonymity(2)".parse().unwrap()],
        out: folder.join("release"),
        replace: true,
        seed: Some(1),
        ..PublishRequest::new(Input::file(&file))
    }
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
        let request = PublishRequest {
            boxes: Some(boxes),
            algorithm: Some(algorithm),
            requirements: vec![wanted.parse().unwrap()],
            profile,
            format: if parquet { TableFormat::Parquet } else { TableFormat::Csv },
            ..request(folder.path(), &text)
        };
        if boxes == BoxKind::Cells && algorithm == Algorithm::MondrianRelaxed {
            let error = scumble::publish(&request, &Silent).unwrap_err().to_string();
            prop_assert!(error.contains("not the cells of cuts"), "{}", error);
            return Ok(());
        }
        let Ok(published) = scumble::publish(&request, &Silent) else { return Ok(()) };
        prop_assert!(published.ncp <= 5.0 + 1e-9);
        let verdict = scumble::verify(&request.out, &request.requirements, Some(&request.input), None, &Silent).unwrap();
        let failures: Vec<String> = verdict.failures().map(|check| format!("{}: {}", check.name, check.detail)).collect();
        prop_assert!(verdict.ok, "{:?}\n{}", failures, text);
        let manifest = fs::read_to_string(request.out.join("manifest.json")).unwrap();
        let stated = format!("\"boxes\": \"{boxes}\"");
        prop_assert_eq!(manifest.contains(&stated), boxes != BoxKind::Minimal);
        prop_assert_eq!(manifest.contains("\"boxes\""), boxes != BoxKind::Minimal);
        // Groups do not depend on how they are drawn, and what is drawn larger loses no less.
        let least = PublishRequest { boxes: Some(BoxKind::Minimal), out: folder.path().join("least"), ..request.clone() };
        let least = scumble::publish(&least, &Silent).unwrap();
        prop_assert_eq!(least.groups, published.groups);
        prop_assert!(published.ncp >= least.ncp - 1e-9, "{} {}", published.ncp, least.ncp);
    }
}

/// The texts of a column of a published table, without its header.
fn shown(request: &PublishRequest, column: usize) -> Vec<String> {
    let table = fs::read_to_string(request.out.join("table.csv")).unwrap();
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

fn ages(folder: &Path, ages: &[u32]) -> PublishRequest {
    let rows: String = ages.iter().enumerate().map(|(i, age)| format!("{age},s{}\n", i % 3)).collect();
    let file = folder.join("ages.csv");
    fs::write(&file, format!("age,s\n{rows}")).unwrap();
    PublishRequest {
        columns: vec![ColumnRequest::new("age", ColumnRole::Quasi), ColumnRequest::new("s", ColumnRole::Sensitive)],
        requirements: vec!["k-anonymity(2)".parse().unwrap()],
        out: folder.join("release"),
        replace: true,
        ..PublishRequest::new(Input::file(&file))
    }
}

#[test]
fn ends_are_round_and_exact_cells_stay_exact() {
    let folder = tempfile::tempdir().unwrap();
    let request = PublishRequest { boxes: Some(BoxKind::Rounded), ..ages(folder.path(), &[23, 24, 45, 45, 91, 127]) };
    scumble::publish(&request, &Silent).unwrap();
    assert_eq!(shown(&request, 1), ["45", "[22,24]", "[90,130]"]);
    // The manifest's domain is what the boxes show.
    let manifest = fs::read_to_string(request.out.join("manifest.json")).unwrap();
    let manifest: String = manifest.split_whitespace().collect();
    assert!(manifest.contains("\"domain\":[22,130]"), "{manifest}");
}

#[test]
fn cells_tile_the_domain() {
    let folder = tempfile::tempdir().unwrap();
    let people: Vec<u32> = (0..60).map(|i| 18 + (i * i * 7) % 53).collect();
    let request = PublishRequest { boxes: Some(BoxKind::Cells), ..ages(folder.path(), &people) };
    scumble::publish(&request, &Silent).unwrap();
    let mut cells: Vec<(u32, u32)> = shown(&request, 1)
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
    let plain = ages(folder.path(), &[23, 24, 31, 37, 45, 45, 59, 81]);
    assert_eq!(plain.chosen_boxes(), BoxKind::Minimal);
    let hardened = PublishRequest { profile: Profile::Hardened, ..plain.clone() };
    assert_eq!(hardened.chosen_boxes(), BoxKind::Rounded);
    let refused = |request: PublishRequest, words: &str| {
        let error = request.check().unwrap_err().to_string();
        assert!(error.contains("--boxes") && error.contains(words), "{error}");
    };
    let asked = |boxes| PublishRequest { boxes: Some(boxes), ..plain.clone() };
    refused(PublishRequest { method: Some(Method::Anatomy), ..asked(BoxKind::Rounded) }, "no boxes");
    refused(PublishRequest { method: Some(Method::Permute), ..asked(BoxKind::Minimal) }, "no boxes");
    refused(PublishRequest { method: Some(Method::FullDomain), ..asked(BoxKind::Rounded) }, "same for all rows");
    refused(
        PublishRequest { method: Some(Method::Angel), angel_k: Some(2), ..asked(BoxKind::Cells) },
        "--boxes rounded",
    );
    refused(
        PublishRequest { max_suppressed: Decimal::parse("0.1").unwrap(), ..asked(BoxKind::Cells) },
        "all rows are published",
    );
    assert!(asked(BoxKind::Cells).check().is_ok());
    assert!("rounde".parse::<BoxKind>().unwrap_err().to_string().contains("did you mean `rounded`?"));
}
