//! Whatever is changed in a permuted release, the verifier names it.

use crate::common::case::{Case, detail, failed, set_cell_of};
use crate::common::{Coins, Maker, edit_file, edit_manifest, reseal, write};
use scumble_release::{Check, Form, ReleaseReader, TableFormat, WriteOptions};
use scumble_table::{Kind, Monitor, Role};
use scumble_verify::{VerifyOptions, verify_dir};
use serde_json::json;
use std::fs;

#[test]
fn an_honest_release_passes() {
    let case = Case::permuted(|maker| maker.requirements.push("distinct-l-diversity(1)".into()));
    let verdict = case.against_source();
    assert_eq!(failed(&verdict), Vec::<&str>::new(), "{:#?}", verdict.checks);
    assert_eq!((verdict.rows, verdict.suppressed, verdict.groups), (48, 0, 12));
    assert_eq!(verdict.group_sizes.histogram, [(4, 12)]);
    assert_eq!(detail(&verdict, "tables-intact"), "3 tables, sha256 agrees");
    assert_eq!(case.lines("permuted.csv")[0], ["tuple", "age", "zip", "sex", "note", "pay"]);
    assert_eq!(case.lines("mapping.csv")[0], ["tuple", "group"]);
    let bounds = ["sum_lower", "sum_upper", "min_lower", "min_upper", "max_lower", "max_upper"];
    assert_eq!(case.lines("help.csv")[0], [&["group", "hits"], &bounds[..]].concat());
    let open = ReleaseReader::open(&case.dir()).unwrap();
    assert_eq!(open.table("help", Monitor::silent()).unwrap().n_rows, 48);
}

#[test]
fn the_levels_are_those_of_anatomy() {
    let mut maker = Maker::people(48);
    maker.pay();
    maker.requirements = vec!["k-anonymity(4)".into(), "entropy-l-diversity(1)".into()];
    let (anatomy, permuted) = (Case::write(&maker.anatomized(), &maker), Case::write(&maker.permuted(), &maker));
    assert_eq!(anatomy.verdict().levels, permuted.verdict().levels);
    assert_eq!(anatomy.verdict().attained, permuted.verdict().attained);
    assert_eq!(anatomy.verdict().group_sizes, permuted.verdict().group_sizes);
}

#[test]
fn parquet_is_read_and_judged_alike() {
    let mut maker = Maker::people(48);
    maker.pay();
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("release");
    let options = WriteOptions { format: TableFormat::Parquet, ..WriteOptions::default() };
    let written = write(&maker.permuted(), &out, &options).unwrap();
    let csv = Case::write(&maker.permuted(), &maker).verdict();
    assert_eq!(written.verdict.levels, csv.levels);
    let checks = verify_dir(&out, &VerifyOptions::default()).unwrap().checks;
    let common = |checks: &[Check]| {
        checks
            .iter()
            .filter(|check| !check.name.ends_with("-silent") || check.name == "manifest-silent")
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(common(&checks), common(&csv.checks));
    assert!(out.join("help.parquet").is_file());
}

#[test]
fn every_kind_of_value_has_its_bounds() {
    for (kind, texts, empty) in [
        (Kind::Nominal, ["a", "b", "c", ""], [true; 3]),
        (Kind::Ordinal, ["low", "mid", "high", ""], [true, false, false]),
        (Kind::Date, ["2020-02-29", "2021-01-01", "1999-12-31", ""], [true, false, false]),
        (Kind::Number, ["-0.25", "1000000000000000000000", "3", ""], [false; 3]),
    ] {
        let case = Case::permuted(|maker| {
            let mut coins = Coins(5);
            maker.columns[3].2 = kind;
            maker.orders.push(("pay".into(), ["low", "mid", "high"].map(String::from).to_vec()));
            maker.rows.iter_mut().for_each(|row| row[3] = texts[coins.below(4) as usize].into());
            maker.rows[..4].iter_mut().for_each(|row| row[3] = texts[0].into());
        });
        assert_eq!(failed(&case.against_source()), Vec::<&str>::new(), "{kind}");
        let rows = case.lines("help.csv");
        for (at, empty) in [2, 4, 6].into_iter().zip(empty) {
            assert_eq!(rows[1..].iter().all(|row| row[at].is_empty() && row[at + 1].is_empty()), empty, "{kind} {at}");
        }
    }
}

#[test]
fn tuples_and_groups_must_agree_one_to_one() {
    for (file, row, column, text, check, words) in [
        ("permuted.csv", 1, 0, "2", "tuples-numbered", "the number of another"),
        ("permuted.csv", 1, 0, "0", "tuples-numbered", "no number from 1 to 48"),
        ("permuted.csv", 1, 0, "49", "tuples-numbered", "no number from 1 to 48"),
        ("permuted.csv", 1, 0, "", "tuples-numbered", "no number"),
        ("permuted.csv", 1, 0, "x", "tables-readable", "permuted.csv"),
        ("mapping.csv", 1, 0, "2", "groups-numbered", "row 2 of the mapping maps a tuple that was mapped before"),
        ("mapping.csv", 1, 0, "49", "groups-numbered", "names a tuple that is not there"),
        ("mapping.csv", 1, 0, "", "groups-numbered", "names a tuple that is not there"),
        ("mapping.csv", 1, 1, "", "groups-numbered", "names no group"),
        ("mapping.csv", 1, 1, "0", "groups-numbered", "group 0"),
        ("mapping.csv", 1, 1, "4000", "groups-numbered", "group 4000"),
    ] {
        let case = Case::permuted(|_| ());
        set_cell_of(&case.dir(), file, row, column, text);
        assert!(failed(&case.verdict()).contains(&"tables-intact"));
        reseal(&case.dir());
        let verdict = case.verdict();
        assert_eq!(failed(&verdict), [check], "{file} {text}: {verdict:?}");
        assert!(detail(&verdict, check).contains(words), "{words}: {}", detail(&verdict, check));
    }
    let case = Case::permuted(|_| ());
    edit_file(&case.dir().join("mapping.csv"), |lines| drop(lines.pop()));
    reseal(&case.dir());
    assert!(detail(&case.verdict(), "groups-numbered").contains("47 tuples are mapped, and there are 48 rows"));
}

#[test]
fn somebody_in_another_group_is_seen() {
    let case = Case::permuted(|_| ());
    let group: u32 = case.lines("mapping.csv")[1][1].parse().unwrap();
    set_cell_of(&case.dir(), "mapping.csv", 1, 1, &(group % 12 + 1).to_string());
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), ["help", "require[k-anonymity(4)]", "attained"]);
}

#[test]
fn any_order_of_people_will_do() {
    let case = Case::permuted(|_| ());
    edit_file(&case.dir().join("permuted.csv"), |lines| lines[1..].reverse());
    reseal(&case.dir());
    assert_eq!(failed(&case.against_source()), Vec::<&str>::new());
    // The mapping has one order only: any other could be that of people.
    edit_file(&case.dir().join("mapping.csv"), |lines| lines[1..].rotate_left(7));
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), ["groups-numbered"]);
}

#[test]
fn every_bound_is_compared() {
    for column in 2..8 {
        for text in ["7", "", "x", "1e1", "-20.50", "*"] {
            let case = Case::permuted(|_| ());
            let row = 5;
            assert_ne!(case.lines("help.csv")[row][column], text);
            set_cell_of(&case.dir(), "help.csv", row, column, text);
            reseal(&case.dir());
            let verdict = case.verdict();
            assert_eq!(failed(&verdict), ["help"], "{column} {text}");
            let words = detail(&verdict, "help");
            assert!(words.starts_with("group 2, hits 1: `") && !words.contains("7"), "{words}");
        }
    }
    type Change = fn(&mut Vec<String>);
    let changes: [Change; 3] =
        [|lines| lines.swap(1, 2), |lines| drop(lines.pop()), |lines| lines.push(lines[lines.len() - 1].clone())];
    for change in changes {
        let case = Case::permuted(|_| ());
        edit_file(&case.dir().join("help.csv"), change);
        reseal(&case.dir());
        assert_eq!(failed(&case.verdict()), ["help"]);
    }
}

#[test]
fn columns_are_where_they_belong() {
    for (file, extra) in
        [("permuted.csv", "group"), ("mapping.csv", "age"), ("help.csv", "pay"), ("permuted.csv", "name")]
    {
        let case = Case::permuted(|_| ());
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
}

#[test]
fn a_manifest_must_name_what_the_form_has() {
    let case = Case::permuted(|_| ());
    edit_manifest(&case.dir(), |m| m["suppressed"] = json!(1));
    assert_eq!(failed(&case.verdict()), ["rows-add-up"]);
    let case = Case::permuted(|_| ());
    edit_manifest(&case.dir(), |m| drop(m["tables"].as_array_mut().unwrap().pop()));
    assert_eq!(failed(&case.verdict())[0], "manifest");
    for name in ["group", "tuple", "hits"] {
        let case = Case::permuted(|_| ());
        edit_manifest(&case.dir(), |m| m["columns"][4]["name"] = json!(name));
        assert_eq!(failed(&case.verdict())[0], "manifest");
        let mut maker = Maker::people(48);
        maker.pay();
        maker.columns[0].0 = name.into();
        let home = tempfile::tempdir().unwrap();
        let error = write(&maker.permuted(), &home.path().join("r"), &WriteOptions::default());
        let error = error.unwrap_err();
        assert!(error.exit_code() == 2 && error.to_string().contains(&format!("`{name}`")), "{error}");
    }
    let case = Case::permuted(|_| ());
    fs::remove_file(case.dir().join("help.csv")).unwrap();
    assert_eq!(failed(&case.verdict()), ["files", "tables-intact"]);
}

#[test]
fn people_and_values_must_be_the_sources() {
    // Two people of different groups swap their values, and all tables agree again.
    let mut maker = Maker::people(48);
    maker.pay();
    let honest = maker.permuted();
    let rows = &mut maker.rows;
    let other = (4..48).find(|&row| rows[row][3] != rows[0][3]).unwrap();
    let (first, second) = (rows[0][3].clone(), rows[other][3].clone());
    (rows[0][3], rows[other][3]) = (second, first);
    let case = Case::write(&honest, &maker);
    assert_eq!(failed(&case.verdict()), Vec::<&str>::new());
    let verdict = case.against_source();
    assert_eq!(failed(&verdict), ["source-groups"], "{verdict:?}");
    // Two people swap their ages.
    maker.pay();
    let other = (1..48).find(|&row| maker.rows[row][0] != maker.rows[0][0]).unwrap();
    let (first, second) = (maker.rows[0][0].clone(), maker.rows[other][0].clone());
    (maker.rows[0][0], maker.rows[other][0]) = (second, first);
    assert!(failed(&Case::write(&honest, &maker).against_source()).contains(&"source-people"));
}

#[test]
fn a_form_that_makes_no_sense_is_our_own_mistake() {
    let mut maker = Maker::people(48);
    maker.pay();
    type Change = fn(&mut scumble_release::Permuted);
    let changes: [Change; 5] = [
        |form| form.groupings.clear(),
        |form| form.groupings[0].row_group[3] = 99,
        |form| form.helps[0].hits.truncate(3),
        |form| form.helps[0].column = 1,
        |form| form.values.retain(|column| column.role != Role::Sensitive),
    ];
    for change in changes {
        let mut release = maker.permuted();
        let Form::Permuted(form) = &mut release.form else { panic!() };
        change(form);
        let home = tempfile::tempdir().unwrap();
        let error = write(&release, &home.path().join("r"), &WriteOptions::default()).unwrap_err();
        assert_eq!((error.exit_code(), fs::read_dir(home.path()).unwrap().count()), (3, 0), "{error}");
    }
}
