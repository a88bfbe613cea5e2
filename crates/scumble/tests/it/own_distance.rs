//! A distance that a program registers: what is published by it verifies without it.

use crate::steps::{Say, failures, job, publish, verify};
use scumble::{ColumnDistance, Decimal, Result, register_distance};
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
    let job = job(folder.path().join("people.csv"), folder.path().join("release")).quasi(["age"]);
    let job = job.sensitive(["illness"]).requiring(&["xcolor(0.2, 0.5, 4)"]);
    let job = job.but(|job| job.publish.distance = Some("illness:icd-chapter".parse().unwrap()));
    publish(&job).unwrap();
    let manifest = std::fs::read_to_string(job.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("illness:matrix:distance-illness.csv"), "{manifest}");
    assert!(manifest.contains("dissimilarity(0.2, 0.5, 4)"), "{manifest}");
    assert!(!manifest.contains("icd-chapter") && !manifest.contains("xcolor("), "{manifest}");
    let matrix = std::fs::read_to_string(job.out().join("distance-illness.csv")).unwrap();
    assert!(matrix.lines().any(|line| line.contains("A0") && line.contains("A1") && line.ends_with("0.1")), "{matrix}");
    let verdict = verify(&job);
    assert!(verdict.ok, "{:?}", failures(&verdict));
}
