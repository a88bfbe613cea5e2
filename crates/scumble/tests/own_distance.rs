//! A distance that a program registers: what is published by it verifies without it.

use scumble::{
    ColumnDistance, ColumnRequest, ColumnRole, Decimal, Input, PublishRequest, Result, Silent, read_ruler,
    register_distance,
};
use std::fmt::Write;
use std::sync::Arc;

/// Illnesses whose codes begin with the same letter are near.
#[derive(Debug)]
struct Chapter;

impl ColumnDistance for Chapter {
    fn between(&self, a: &str, b: &str) -> Result<Decimal> {
        Ok(if a[..1] == b[..1] { Decimal::new(1, 1) } else { Decimal::from(1) })
    }
}

#[test]
fn a_release_carries_it_as_a_matrix() {
    register_distance("icd-chapter", Arc::new(Chapter)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("age,illness\n");
    for row in 0..80 {
        let _ = writeln!(text, "{},{}{}", 20 + row % 40, ["A", "B", "C", "D"][row % 4], row % 3);
    }
    std::fs::write(folder.path().join("people.csv"), text).unwrap();
    let request = PublishRequest {
        columns: vec![
            ColumnRequest::new("age", ColumnRole::Quasi),
            ColumnRequest::new("illness", ColumnRole::Sensitive),
        ],
        requirements: vec!["xcolor(0.2, 0.5, 4)".parse().unwrap()],
        distance: Some(read_ruler("illness:icd-chapter").unwrap()),
        out: folder.path().join("release"),
        ..PublishRequest::new(Input::file(folder.path().join("people.csv")))
    };
    scumble::publish(&request, &Silent).unwrap();
    let manifest = std::fs::read_to_string(request.out.join("manifest.json")).unwrap();
    assert!(manifest.contains("illness:matrix:distance-illness.csv"), "{manifest}");
    assert!(manifest.contains("dissimilarity(0.2, 0.5, 4)"), "{manifest}");
    assert!(!manifest.contains("icd-chapter") && !manifest.contains("xcolor("), "{manifest}");
    let matrix = std::fs::read_to_string(request.out.join("distance-illness.csv")).unwrap();
    assert!(matrix.lines().any(|line| line.contains("A0") && line.contains("A1") && line.ends_with("0.1")), "{matrix}");
    let verdict = scumble::verify(&request.out, &[], Some(&request.input), None, &Silent).unwrap();
    assert!(verdict.ok, "{:?}", verdict.failures().map(|check| &check.detail).collect::<Vec<_>>());
}
