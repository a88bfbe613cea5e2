//! Whatever is changed in an anatomy release, the verifier names it.

use crate::common::case::{Case, detail, failed, set_cell_of};
use crate::common::{Maker, edit_file, edit_manifest, reseal, write};
use scumble_release::{Form, ReleaseReader, WriteOptions};
use scumble_table::Monitor;
use serde_json::json;
use std::fs;

#[test]
fn an_honest_release_passes() {
    let case = Case::anatomy(|maker| {
        maker.groups[40..48].fill(None);
        maker.requirements.push("distinct-l-diversity(1)".into());
    });
    let verdict = case.against_source();
    assert_eq!(failed(&verdict), Vec::<&str>::new(), "{:#?}", verdict.checks);
    assert_eq!((verdict.rows, verdict.suppressed, verdict.groups), (40, 8, 10));
    assert_eq!(verdict.group_sizes.histogram, [(4, 10)]);
    assert_eq!(verdict.levels[0].requirement.as_deref(), Some("k-anonymity(4)"));
    assert_eq!(detail(&verdict, "tables-intact"), "2 tables, sha256 agrees");
    let open = ReleaseReader::open(&case.dir()).unwrap();
    assert_eq!(open.table("qit", Monitor::silent()).unwrap().n_rows, 48);
    assert_eq!(case.lines("qit.csv")[0], ["group", "age", "zip", "sex", "note"]);
    assert_eq!(case.lines("st.csv")[0], ["group", "illness", "count"]);
    assert_eq!(case.lines("qit.csv").iter().filter(|row| row[..] == ["", "*", "*", "*", "*"]).count(), 8);
}

#[test]
fn the_levels_are_those_of_the_generalized_table() {
    let mut maker = Maker::people(48);
    maker.requirements = vec!["k-anonymity(4)".into(), "entropy-l-diversity(1)".into()];
    let (boxes, anatomy) = (Case::write(&maker.release(), &maker), Case::write(&maker.anatomized(), &maker));
    assert_eq!(boxes.verdict().levels, anatomy.verdict().levels);
    assert_eq!(boxes.verdict().attained, anatomy.verdict().attained);
}

#[test]
fn people_and_values_must_agree_group_by_group() {
    let case = Case::anatomy(|_| ());
    // A person moves to the next group, counts and all else as before.
    let group: u32 = case.lines("qit.csv")[1][0].parse().unwrap();
    set_cell_of(&case.dir(), "qit.csv", 1, 0, &(group % 12 + 1).to_string());
    assert!(failed(&case.verdict()).contains(&"tables-intact"));
    reseal(&case.dir());
    let verdict = case.verdict();
    assert_eq!(failed(&verdict), ["groups-agree"]);
    assert!(detail(&verdict, "groups-agree").contains("3 rows and 4 values"), "{verdict:?}");
}

#[test]
fn counts_are_positive_and_of_groups_with_people() {
    for (column, text, check) in [
        (0, "99", "counts"),
        (0, "0", "counts"),
        (0, "", "counts"),
        (2, "0", "counts"),
        (2, "", "counts"),
        (2, "-1", "tables-readable"),
        (2, "x", "tables-readable"),
        (2, "4000000000", "groups-agree"),
    ] {
        let case = Case::anatomy(|_| ());
        set_cell_of(&case.dir(), "st.csv", 1, column, text);
        reseal(&case.dir());
        let verdict = case.verdict();
        assert_eq!(failed(&verdict), [check], "{text}: {verdict:?}");
        assert!(!detail(&verdict, check).contains("flu"));
    }
}

#[test]
fn sensitive_values_stand_once_and_in_order() {
    let case = Case::anatomy(|_| ());
    edit_file(&case.dir().join("st.csv"), |lines| lines.swap(1, 2));
    reseal(&case.dir());
    let verdict = case.verdict();
    assert_eq!(failed(&verdict), ["counts-sorted"]);
    assert!(detail(&verdict, "counts-sorted").contains("row 2"), "{verdict:?}");
    let case = Case::anatomy(|_| ());
    let twice = case.lines("st.csv").iter().position(|row| row[2] == "2").unwrap();
    edit_file(&case.dir().join("st.csv"), |lines| {
        lines[twice] = lines[twice].strip_suffix('2').unwrap().to_string() + "1";
        lines.insert(twice, lines[twice].clone());
    });
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), ["counts-sorted"]);
}

#[test]
fn columns_are_where_they_belong() {
    for (file, extra) in [("qit.csv", "illness"), ("st.csv", "age"), ("qit.csv", "name")] {
        let case = Case::anatomy(|_| ());
        edit_file(&case.dir().join(file), |lines| {
            lines.iter_mut().enumerate().for_each(|(at, line)| {
                line.push(',');
                line.push_str(if at == 0 { extra } else { "1" });
            });
        });
        reseal(&case.dir());
        let verdict = case.verdict();
        assert_eq!(failed(&verdict), ["columns"]);
        assert!(detail(&verdict, "columns").contains(&format!("`{extra}`")));
    }
    let case = Case::anatomy(|_| ());
    edit_file(&case.dir().join("st.csv"), |lines| lines[0] = "group,illness,number".into());
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), ["columns"]);
}

#[test]
fn a_manifest_must_name_what_the_form_has() {
    let case = Case::anatomy(|_| ());
    edit_manifest(&case.dir(), |m| m["method"] = json!("generalize"));
    assert!(failed(&case.verdict()).contains(&"manifest"));
    edit_manifest(&case.dir(), |m| {
        m["method"] = json!("anatomy");
        m["tables"][1]["name"] = json!("values");
    });
    assert!(failed(&case.verdict()).contains(&"manifest"));
    edit_manifest(&case.dir(), |m| {
        m["tables"][1]["name"] = json!("st");
        m["tables"].as_array_mut().unwrap().reverse();
    });
    assert_eq!(failed(&case.verdict()), Vec::<&str>::new());
    fs::remove_file(case.dir().join("st.csv")).unwrap();
    let verdict = case.verdict();
    assert_eq!(failed(&verdict), ["files", "tables-intact"]);
    assert!(detail(&verdict, "tables-intact").contains("st.csv"));
}

#[test]
fn domains_and_texts_are_checked_in_both_tables() {
    type Change = fn(&mut serde_json::Value);
    let changes: [Change; 4] = [
        |m| m["columns"][0]["domain"] = json!([1, 99]),
        |m| m["columns"][2]["domain"] = json!(["F", "M", "X"]),
        |m| drop(m["columns"][3]["domain"].as_array_mut().unwrap().pop()),
        |m| m["columns"][4]["domain"] = json!(["a"]),
    ];
    for change in changes {
        let case = Case::anatomy(|_| ());
        edit_manifest(&case.dir(), change);
        assert_eq!(failed(&case.verdict()), ["domains"]);
    }
    for text in ["\"[20,30]\"", "*", "20.0", "x"] {
        let case = Case::anatomy(|_| ());
        set_cell_of(&case.dir(), "qit.csv", 1, 1, text);
        reseal(&case.dir());
        assert_eq!(failed(&case.verdict()), ["notation"], "{text}");
    }
}

#[test]
fn suppressed_people_show_nothing() {
    for column in 1..5 {
        let case = Case::anatomy(|maker| maker.groups[44..].fill(None));
        let row = case.lines("qit.csv").iter().position(|row| row[0].is_empty()).unwrap();
        set_cell_of(&case.dir(), "qit.csv", row, column, ["", "20", "1000", "F", "a"][column]);
        reseal(&case.dir());
        assert_eq!(failed(&case.verdict()), ["suppressed"], "{column}");
    }
}

#[test]
fn requirements_are_judged_by_the_counted_values() {
    let home = tempfile::tempdir().unwrap();
    let mut maker = Maker::people(48);
    maker.requirements = vec!["frequency-l-diversity(4)".into()];
    let error = write(&maker.anatomized(), &home.path().join("r"), &WriteOptions::default()).unwrap_err();
    assert!(error.to_string().contains("require[frequency-l-diversity(4)]: "), "{error}");
    assert_eq!((error.exit_code(), fs::read_dir(home.path()).unwrap().count()), (1, 0));
    let case = Case::anatomy(|_| ());
    edit_manifest(&case.dir(), |m| m["attained"][0]["k"] = json!(5));
    assert_eq!(failed(&case.verdict()), ["attained"]);
}

#[test]
fn a_column_cannot_pose_as_the_counts() {
    let home = tempfile::tempdir().unwrap();
    for at in [0, 3, 4] {
        let mut maker = Maker::people(48);
        maker.columns[at].0 = "count".into();
        let error = write(&maker.anatomized(), &home.path().join("r"), &WriteOptions::default());
        let error = error.unwrap_err();
        assert!(error.exit_code() == 2 && error.to_string().contains("`count`"), "{error}");
        // A generalized table counts nothing, and the name is free.
        write(&maker.release(), &home.path().join(at.to_string()), &WriteOptions::default()).unwrap();
    }
    let case = Case::anatomy(|_| ());
    edit_manifest(&case.dir(), |m| m["columns"][4]["name"] = json!("count"));
    assert_eq!(failed(&case.verdict())[0], "manifest");
    let mut release = Maker::people(48).anatomized();
    let Form::Anatomy(form) = &mut release.form else { panic!() };
    form.sensitive.counts.pop();
    assert_eq!(write(&release, &home.path().join("r"), &WriteOptions::default()).unwrap_err().exit_code(), 3);
}
