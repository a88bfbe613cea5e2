//! Whatever is changed in a release, the verifier names it.

use crate::common::case::{Case, cells, detail, failed, set_cell};
use crate::common::{Maker, edit_manifest, edit_table, reseal, write};
use scumble_release::{ReleaseReader, WriteOptions};
use scumble_table::Monitor;
use scumble_verify::{VerifyOptions, verify_dir};
use serde_json::json;
use std::fs;

#[test]
fn an_honest_release_passes() {
    let case = Case::new(|maker| {
        maker.groups[40..48].fill(None);
        maker.requirements.push("distinct-l-diversity(1)".into());
    });
    let verdict = case.against_source();
    assert_eq!(failed(&verdict), Vec::<&str>::new(), "{:#?}", verdict.checks);
    assert_eq!((verdict.rows, verdict.suppressed, verdict.groups), (40, 8, 10));
    assert_eq!((verdict.group_sizes.min, verdict.group_sizes.max, verdict.group_sizes.mean), (4, 4, 4.0));
    assert_eq!(verdict.group_sizes.histogram, [(4, 10)]);
    assert_eq!(verdict.levels[0].requirement.as_deref(), Some("k-anonymity(4)"));
    assert_eq!(verdict.attained.len(), 2);
    let json = serde_json::to_value(&verdict).unwrap();
    assert_eq!(json["attained"][0], json!({"requirement": "k-anonymity(4)", "k": 4}));
    let open = ReleaseReader::open(&case.dir()).unwrap();
    assert_eq!(open.table("table", Monitor::silent()).unwrap().n_rows, 48);
}

#[test]
fn a_changed_cell_breaks_the_seal() {
    let case = Case::new(|_| ());
    set_cell(&case.dir(), 3, 4, "angina");
    set_cell(&case.dir(), 4, 4, "flu");
    set_cell(&case.dir(), 5, 4, "gout");
    let verdict = case.verdict();
    assert!(failed(&verdict).contains(&"tables-intact"), "{:?}", failed(&verdict));
    let error = ReleaseReader::open(&case.dir()).unwrap_err().to_string();
    assert!(error.contains("table.csv") && error.contains("checksum"), "{error}");
}

#[test]
fn a_wrong_checksum_is_named() {
    let case = Case::new(|_| ());
    edit_manifest(&case.dir(), |manifest| manifest["tables"][0]["sha256"] = json!("0".repeat(64)));
    assert_eq!(failed(&case.verdict()), ["tables-intact"]);
}

#[test]
fn a_dropped_row_is_missed() {
    let case = Case::new(|_| ());
    edit_table(&case.dir(), |lines| drop(lines.remove(7)));
    let verdict = case.verdict();
    assert!(failed(&verdict).contains(&"tables-intact"));
    assert!(detail(&verdict, "tables-intact").contains("47 rows"), "{}", detail(&verdict, "tables-intact"));
    reseal(&case.dir());
    let verdict = case.against_source();
    for check in ["rows-add-up", "require[k-anonymity(4)]", "attained", "source-rows"] {
        assert!(failed(&verdict).contains(&check), "{check}: {:?}", failed(&verdict));
    }
}

#[test]
fn a_moved_group_number_shows() {
    let case = Case::new(|_| ());
    let group = cells(fs::read_to_string(case.dir().join("table.csv")).unwrap().lines().nth(1).unwrap())[0].clone();
    let other = if group == "1" { "2" } else { "1" };
    set_cell(&case.dir(), 1, 0, other);
    reseal(&case.dir());
    let verdict = case.verdict();
    assert!(failed(&verdict).contains(&"groups-uniform"), "{:?}", failed(&verdict));
}

#[test]
fn numbers_of_groups_have_no_gaps() {
    for (number, part) in
        [("99", "there is a group 99"), ("0", "group 0"), ("13", "rows-add-up"), ("x", "tables-readable")]
    {
        let case = Case::new(|_| ());
        set_cell(&case.dir(), 1, 0, number);
        reseal(&case.dir());
        let verdict = case.verdict();
        let shown = format!("{:?}", verdict.failures().collect::<Vec<_>>());
        assert!(!verdict.ok && shown.contains(part), "{number}: {shown}");
    }
}

#[test]
fn an_extra_column_is_refused() {
    let case = Case::new(|_| ());
    edit_table(&case.dir(), |lines| {
        lines.iter_mut().enumerate().for_each(|(at, line)| line.push_str(if at == 0 { ",name" } else { ",Bob" }));
    });
    reseal(&case.dir());
    let verdict = case.verdict();
    assert_eq!(failed(&verdict), ["columns"]);
    assert!(detail(&verdict, "columns").contains("`name`"));
}

#[test]
fn a_missing_column_is_refused() {
    let case = Case::new(|_| ());
    edit_table(&case.dir(), |lines| lines[0] = lines[0].replace("note", "nota"));
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), ["columns"]);
}

#[test]
fn columns_may_stand_in_any_order() {
    let case = Case::new(|_| ());
    edit_table(&case.dir(), |lines| {
        for line in lines {
            let mut row = cells(line);
            row.reverse();
            *line = row.join(",");
        }
    });
    reseal(&case.dir());
    assert_eq!(failed(&case.against_source()), Vec::<&str>::new());
}

#[test]
fn a_changed_domain_is_found() {
    type Change = fn(&mut serde_json::Value);
    let changes: [Change; 5] = [
        |m| m["columns"][0]["domain"] = json!([1, 99]),
        |m| m["columns"][0]["domain"] = json!([m["columns"][0]["domain"][0], 500]),
        |m| m["columns"][2]["domain"] = json!(["F", "M", "X"]),
        |m| m["columns"][3]["domain"].as_array_mut().unwrap().push(json!("zoster")),
        |m| drop(m["columns"][4]["domain"].as_array_mut().unwrap().pop()),
    ];
    for change in changes {
        let case = Case::new(|_| ());
        edit_manifest(&case.dir(), change);
        let verdict = case.verdict();
        assert_eq!(failed(&verdict)[0], "domains", "{:?}", failed(&verdict));
    }
    let case = Case::new(|_| ());
    edit_manifest(&case.dir(), |m| m["columns"][0]["domain"] = json!([30, 40]));
    assert!(failed(&case.verdict()).contains(&"notation"));
}

#[test]
fn a_group_too_small_is_counted() {
    let home = tempfile::tempdir().unwrap();
    let mut maker = Maker::people(48);
    maker.groups[47] = Some(0);
    let error = write(&maker.release(), &home.path().join("r"), &WriteOptions::default()).unwrap_err();
    assert!(error.to_string().contains("require[k-anonymity(4)]: 1 of 12 groups fails"), "{error}");
    assert_eq!(error.exit_code(), 1);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn stated_figures_must_be_right() {
    let case = Case::new(|_| ());
    edit_manifest(&case.dir(), |m| m["attained"][0]["k"] = json!(5));
    assert_eq!(failed(&case.verdict()), ["attained"]);
    edit_manifest(&case.dir(), |m| m["attained"] = json!([]));
    assert_eq!(failed(&case.verdict()), ["attained"]);
}

#[test]
fn more_can_be_required_than_was_stated() {
    let case = Case::new(|_| ());
    let requirements = vec!["k-anonymity(5)".parse().unwrap(), "k-anonymity(4)".parse().unwrap()];
    let verdict = verify_dir(&case.dir(), &VerifyOptions { requirements, ..VerifyOptions::default() }).unwrap();
    assert_eq!(failed(&verdict), ["require[k-anonymity(5)]"]);
    assert!(detail(&verdict, "require[k-anonymity(5)]").contains("12 of 12 groups fail; group 1 has k 4"));
    edit_manifest(&case.dir(), |m| m["requirements"] = json!(["illness: variance(3)"]));
    assert!(failed(&case.verdict()).contains(&"require[illness: variance(3)]"));
    edit_manifest(&case.dir(), |m| m["requirements"] = json!(["k-anonimity(3)"]));
    assert!(failed(&case.verdict()).contains(&"manifest"));
}

#[test]
fn suppressed_rows_show_nothing() {
    for column in 1..6 {
        let case = Case::new(|maker| maker.groups[44..].fill(None));
        let text = fs::read_to_string(case.dir().join("table.csv")).unwrap();
        let row = text.lines().position(|line| line.starts_with(',')).unwrap();
        set_cell(&case.dir(), row, column, ["", "20", "1000", "F", "flu", "a"][column]);
        reseal(&case.dir());
        let verdict = case.verdict();
        assert_eq!(failed(&verdict), ["suppressed"], "{column}");
        assert!(!detail(&verdict, "suppressed").contains("flu"));
    }
}

#[test]
fn files_are_those_of_the_manifest() {
    let case = Case::new(|_| ());
    fs::write(case.dir().join("notes.txt"), "x").unwrap();
    assert_eq!(failed(&case.verdict()), ["files"]);
    fs::remove_file(case.dir().join("notes.txt")).unwrap();
    fs::write(case.dir().join("report.html"), "<img src='https://x/y.png'>").unwrap();
    assert_eq!(failed(&case.verdict()), ["report"]);
    fs::remove_file(case.dir().join("report.html")).unwrap();
    assert_eq!(failed(&case.verdict()), ["files", "report"]);
    fs::remove_file(case.dir().join("table.csv")).unwrap();
    let verdict = case.verdict();
    assert!(failed(&verdict).contains(&"files") && failed(&verdict).contains(&"tables-intact"));
    assert!(detail(&verdict, "files").contains("`table.csv` is missing"));
    let error = ReleaseReader::open(&case.dir()).unwrap_err().to_string();
    assert!(error.contains("table.csv") && error.contains("missing"), "{error}");
}

#[test]
fn a_talking_manifest_is_found() {
    let case = Case::new(|_| ());
    edit_manifest(&case.dir(), |m| m["tables"][0]["sha256"] = json!("/home/me/secret"));
    assert_eq!(failed(&case.verdict()), ["manifest-words", "manifest-silent", "tables-intact"]);
    edit_manifest(&case.dir(), |m| m["seed"] = json!(7));
    assert_eq!(failed(&case.verdict()), ["manifest"]);
    edit_manifest(&case.dir(), |m| m["scumble"] = json!("7.0.0"));
    assert_eq!(verify_dir(&case.dir(), &VerifyOptions::default()).unwrap_err().exit_code(), 2);
    fs::write(case.dir().join("manifest.json"), "{").unwrap();
    assert_eq!(failed(&case.verdict()), ["manifest"]);
    fs::remove_file(case.dir().join("manifest.json")).unwrap();
    assert_eq!(verify_dir(&case.dir(), &VerifyOptions::default()).unwrap_err().exit_code(), 2);
    assert_eq!(verify_dir(&case.dir().join("nowhere"), &VerifyOptions::default()).unwrap_err().exit_code(), 2);
}

#[test]
fn an_escaping_file_name_is_refused() {
    let case = Case::new(|_| ());
    edit_manifest(&case.dir(), |m| m["tables"][0]["file"] = json!("../source.csv"));
    assert_eq!(failed(&case.verdict()), ["manifest"]);
}

#[test]
fn cells_out_of_notation_are_named() {
    for (column, text) in [(1, "\"[40,20]\""), (1, "x"), (3, "{M|F}"), (3, "Q"), (4, "")] {
        let case = Case::new(|_| ());
        let table = fs::read_to_string(case.dir().join("table.csv")).unwrap();
        let first = cells(table.lines().nth(1).unwrap())[0].clone();
        edit_table(&case.dir(), |lines| {
            for line in lines.iter_mut().skip(1) {
                let mut row = cells(line);
                if row[0] == first {
                    row[column] = text.into();
                    *line = row.join(",");
                }
            }
        });
        reseal(&case.dir());
        let verdict = case.verdict();
        // An emptied sensitive cell is a null: it reads, but the figures and the domain may change.
        assert!(text.is_empty() || failed(&verdict).contains(&"notation"), "{text}: {:?}", failed(&verdict));
    }
}

#[test]
fn a_column_cannot_pose_as_the_group() {
    let case = Case::new(|_| ());
    edit_manifest(&case.dir(), |m| m["columns"][4]["name"] = json!("group"));
    edit_table(&case.dir(), |lines| {
        for line in lines {
            let mut row = cells(line);
            row.pop();
            *line = row.join(",");
        }
    });
    reseal(&case.dir());
    let verdict = case.verdict();
    assert_eq!(failed(&verdict), ["manifest", "groups-numbered"], "{:?}", verdict.checks);
}

#[test]
fn all_that_can_be_judged_is_judged() {
    let case = Case::new(|maker| maker.groups[44..].fill(None));
    edit_manifest(&case.dir(), |m| m["columns"][3]["domain"] = json!(["flu"]));
    edit_manifest(&case.dir(), |m| m["requirements"] = json!(["k-anonymity(5)"]));
    assert_eq!(failed(&case.verdict()), ["domains", "require[k-anonymity(5)]", "attained"]);
}
