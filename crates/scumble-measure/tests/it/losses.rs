//! What a release has lost, from its files, from its draft, and as an independent program counts it.

use crate::common::case::Case;
use crate::common::oracle::oracle;
use crate::common::{Maker, write};
use scumble_measure::{Loss, draft_loss, loss};
use scumble_release::{Draft, ReleaseData, ReleaseReader, TableFormat, WriteOptions};
use scumble_table::Monitor;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn loss_of(dir: &Path) -> Loss {
    let data = ReleaseData::read(ReleaseReader::open(dir).unwrap(), Monitor::silent()).unwrap();
    loss(data.manifest(), data.tables())
}

#[test]
fn exact_values_have_lost_nothing() {
    let case = Case::anatomy(|_| ());
    let found = loss_of(&case.dir());
    assert_eq!(found, draft_loss(&Maker::people(48).anatomized()).unwrap());
    assert_eq!((found.ncp, found.by_attribute.len()), (0.0, 3));
    // Sex is one of two, age and zip one of many.
    assert!(found.by_attribute[2].loss == 0.5 && found.loss < 0.6, "{found:?}");
    let case = Case::anatomy(|maker| maker.groups[36..].fill(None));
    assert_eq!(loss_of(&case.dir()).ncp_per_attribute, 0.25);
    assert_eq!(loss_of(&Case::permuted(|_| ()).dir()).ncp, 0.0);
}

#[test]
fn a_draft_has_lost_what_its_files_have() {
    // Table 3 of the paper on angel releases: buckets of the same sex and nearly the same age.
    let maker = Maker::table_1a();
    let draft = maker.angelized(2, &[(vec![0, 1], vec![0, 0, 1, 1, 2, 2, 3, 3])]);
    assert_eq!(loss_of(&Case::write(&draft, &maker).dir()), draft_loss(&draft).unwrap());
}

/// Compares the losses of a table of boxes, written in both formats, with those that the oracle counts.
fn compare(maker: &Maker) {
    let Some((folder, python)) = oracle() else { return };
    let (home, draft) = (tempfile::tempdir().unwrap(), maker.release());
    let source = home.path().join("people_0815.csv");
    fs::write(&source, maker.source()).unwrap();
    for format in [TableFormat::Csv, TableFormat::Parquet] {
        let out = home.path().join(format!("{format:?}"));
        write(&draft, &out, &WriteOptions { format, replace: false }).unwrap();
        same_loss(&folder, &python, &out, &source, &draft);
    }
}

fn same_loss(folder: &Path, python: &Path, out: &Path, source: &Path, release: &Draft) {
    let output = Command::new(python)
        .arg(folder.join("utility.py"))
        .arg(out)
        .arg("--source")
        .arg(source)
        .args(["--queries", "0", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ours = loss_of(out);
    assert_eq!(ours, draft_loss(release).unwrap());
    let near = |ours: f64, theirs: &Value| (ours - theirs.as_f64().unwrap()).abs() < 1e-9;
    assert!(near(ours.loss, &theirs["loss"]), "{ours:?} {theirs}");
    assert!(near(ours.ncp, &theirs["ncp"]), "{ours:?} {theirs}");
    assert!(near(ours.ncp_per_attribute, &theirs["ncp_per_attribute"]));
    // The oracle tells columns by the rows that are published; ours count suppressed rows as the table does.
    let (rows, gone) = (release.manifest.rows as f64, release.manifest.suppressed as f64);
    for attribute in &ours.by_attribute {
        let published = theirs["ncp_by_attribute"][&attribute.name].as_f64().unwrap();
        let all = (published * rows + gone) / (rows + gone);
        assert!((attribute.ncp - all).abs() < 1e-9, "{ours:?} {theirs}");
    }
}

#[test]
fn losses_over_numbers_and_sets_are_the_oracles() {
    compare(&Maker::people(400));
}

#[test]
fn losses_over_dates_orders_decimals_and_nulls_are_the_oracles() {
    compare(&Maker::mixed(400));
}
