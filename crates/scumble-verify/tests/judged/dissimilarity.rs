//! Releases that promise `dissimilarity`: with their distance and their matrices they verify, without they do not.

use crate::common::case::{Case, detail, failed, set_cell};
use crate::common::ills::{L1, maker, ruler};
use crate::common::{Maker, edit_file, edit_manifest, reseal, write};
use scumble_principle::Requirement;
use scumble_release::{Draft, WriteOptions};
use scumble_table::{Kind, Role};
use scumble_verify::{VerifyOptions, verify_dir};
use serde_json::json;
use std::fs;

fn case(make: fn(&Maker) -> Draft, distance: &str) -> Case {
    let maker = maker(distance);
    Case::write(&make(&maker), &maker)
}

#[test]
fn a_release_carries_its_matrix() {
    for make in [Maker::release as fn(&Maker) -> Draft, Maker::anatomized] {
        let case = case(make, L1);
        let verdict = case.against_source();
        assert_eq!(failed(&verdict), Vec::<&str>::new(), "{:#?}", verdict.checks);
        let stated = "l1(illness \\(now\\):matrix:distance-illness _now_.csv*0.5, pay:range(1000, 3000.5)*0.5)";
        assert_eq!(detail(&verdict, "distance"), stated);
        let manifest: serde_json::Value =
            serde_json::from_slice(&fs::read(case.dir().join("manifest.json")).unwrap()).unwrap();
        assert_eq!(manifest["distance"], json!(stated));
        assert_eq!(manifest["attained"][0], json!({"requirement": "dissimilarity(0.2, 1, 4)", "delta": 1, "k": 4}));
        // Only what is shown, and in its order.
        assert_eq!(
            fs::read_to_string(case.dir().join("distance-illness _now_.csv")).unwrap(),
            "\"cancer, lung\",\"cancer, lung\",0\n\"cancer, lung\",flu,0.9\n\"cancer, lung\",gout,0.7\nflu,flu,0\nflu,gout,1\n\
             gout,gout,0\n"
        );
    }
    let mut together = maker(L1);
    together.groups[8..12].fill(Some(2));
    let case = Case::write(&together.permuted(), &together);
    assert_eq!(failed(&case.against_source()), Vec::<&str>::new());
}

#[test]
fn every_matrix_has_a_file_of_its_own() {
    let mut maker = maker(L1);
    maker.columns[5] = ("illness _now_".into(), Role::Sensitive, Kind::Nominal);
    maker.rows.iter_mut().for_each(|row| row[5] = "flu".into());
    let distance =
        "max(illness \\(now\\):matrix:a.csv, illness _now_:matrix:a.csv, illness \\(now\\):matrix:b.csv*0.5)";
    maker.ruler = Some(ruler(distance));
    let release = maker.release();
    let files: Vec<&str> = release.matrices.iter().map(|matrix| matrix.file.as_str()).collect();
    assert_eq!(files, ["distance-illness _now_.csv", "distance-illness _now_-2.csv", "distance-illness _now_-3.csv"]);
    assert_eq!(release.matrices[1].pairs, [("flu".to_string(), "flu".to_string(), scumble_table::Decimal::ZERO)]);
    assert_eq!(failed(&Case::write(&release, &maker).verdict()), Vec::<&str>::new());
}

#[test]
fn a_distance_is_stated_where_it_is_promised_and_nowhere_else() {
    let promise = "require[dissimilarity(0.2, 1, 4)]";
    let spoilt = case(Maker::release, L1);
    edit_manifest(&spoilt.dir(), |m| drop(m.as_object_mut().unwrap().remove("distance")));
    let verdict = spoilt.verdict();
    // Nobody knows what the matrix is for.
    assert_eq!(failed(&verdict), ["files", "files-intact", "distance", promise, "attained"]);
    assert!(detail(&verdict, "distance").contains("is not stated"));
    assert!(detail(&verdict, promise).contains("cannot be judged"));

    let plain = Case::new(|_| ());
    edit_manifest(&plain.dir(), |m| m["distance"] = json!("illness:equal"));
    assert_eq!(failed(&plain.verdict()), ["distance"]);

    for (text, said) in [
        ("l3(pay:range)", "there is no combination `l3`"),
        ("pay:range(0, 5000)", "it says nothing of the sensitive column `illness (now)`"),
        ("l1(pay:range(0, 1), age:range(0, 1), illness \\(now\\):equal)", "`age` is not a sensitive column"),
        ("l1(pay:range, illness \\(now\\):equal)", "the bounds of `pay:range` are not written out"),
        ("l1(pay:tree, illness \\(now\\):equal)", "`tree` needs a hierarchy of `pay`"),
        ("l1(pay:range(0, 1), illness \\(now\\):rank)", "`rank` needs an order"),
        ("l1(pay:rank, illness \\(now\\):range(0, 1))", "`range` measures numbers"),
        ("l1(pay:rank, illness \\(now\\):matrix:other.csv)", "other.csv: this matrix of the release is missing"),
        ("", "there is nothing to read"),
    ] {
        let spoilt = case(Maker::release, L1);
        edit_manifest(&spoilt.dir(), |m| m["distance"] = json!(text));
        let verdict = spoilt.verdict();
        assert!(failed(&verdict).contains(&"distance") && failed(&verdict).contains(&promise), "{text}");
        assert!(detail(&verdict, "distance").contains(said), "{text}: {}", detail(&verdict, "distance"));
    }
    // Whatever stands there, nothing breaks, and without sense the verdict is no.
    let nines = "9".repeat(37);
    let long = [
        format!("l2(pay:range(-{nines}, {nines})*1e-30, illness \\(now\\):equal*{nines})"),
        format!("l1(pay:range(0, 1e-30)*{nines}, illness \\(now\\):equal*1e-37)"),
    ];
    let senseless = [
        "min(pay:rank, pay:equal, illness \\(now\\):matrix:manifest.json)".into(),
        "max(pay:rank, illness \\(now\\):matrix:report.html)".into(),
        "matrix:".into(),
        "\\".into(),
        "l1(".repeat(2000),
        "\u{0}".into(),
    ];
    for (at, text) in senseless.into_iter().chain(long).enumerate() {
        let spoilt = case(Maker::release, L1);
        edit_manifest(&spoilt.dir(), |m| m["distance"] = json!(text));
        let verdict = spoilt.verdict();
        assert!(at >= 6 || failed(&verdict).contains(&"distance"), "{text}");
        assert!(!verdict.ok, "the matrix is no longer named: {text}");
    }
    // Out of the directory it does not lead at all.
    let spoilt = case(Maker::release, L1);
    edit_manifest(&spoilt.dir(), |m| m["distance"] = json!("l1(pay:rank, illness \\(now\\):matrix:../source.csv)"));
    assert_eq!(failed(&spoilt.verdict()), ["manifest"]);
}

#[test]
fn bounds_may_be_left_out_where_there_is_one_value() {
    let mut maker = maker(L1);
    maker.rows.iter_mut().for_each(|row| row[5] = "7".into());
    maker.requirements = vec!["dissimilarity(0.2, 1, 4)".into()];
    let case = Case::write(&maker.release(), &maker);
    assert_eq!(failed(&case.verdict()), Vec::<&str>::new());
    assert!(detail(&case.verdict(), "distance").ends_with("pay:range*0.5)"));
}

#[test]
fn a_spoilt_matrix_is_found() {
    const FILE: &str = "distance-illness _now_.csv";
    let promise = "require[dissimilarity(0.2, 1, 4)]";
    // Gone.
    let spoilt = case(Maker::release, L1);
    fs::remove_file(spoilt.dir().join(FILE)).unwrap();
    let verdict = spoilt.verdict();
    assert_eq!(failed(&verdict), ["files", "files-intact", "distance", promise, "attained"]);
    assert!(detail(&verdict, "distance").contains("is missing"));
    // A pair that is shown is lacking, one that is not is told.
    for (line, said) in [
        ("", "there is no distance for this pair"),
        ("\"cancer, lung\",flu,0.9\nflu,unseen,1", "speaks of a value that `illness (now)` does not show"),
        ("\"cancer, lung\",flu,near", "line 2: row `cancer, lung`, column `flu`: the distance `near` is not"),
        ("\"cancer, lung\",flu,-1", "is negative"),
        ("\"cancer, lung\",flu", "this line has 2 fields"),
    ] {
        let spoilt = case(Maker::release, L1);
        edit_file(&spoilt.dir().join(FILE), |lines| lines[1] = line.into());
        reseal(&spoilt.dir());
        let verdict = spoilt.verdict();
        assert_eq!(failed(&verdict), ["distance", promise, "attained"], "{line}");
        assert!(detail(&verdict, "distance").contains(said), "{line}: {}", detail(&verdict, "distance"));
    }
    // One distance that is shorter than it was, and near is too near.
    let spoilt = case(Maker::release, "min(illness \\(now\\):matrix:my.csv, pay:range)");
    assert_eq!(failed(&spoilt.verdict()), Vec::<&str>::new());
    edit_file(&spoilt.dir().join(FILE), |lines| lines[4] = "flu,gout,0.2".into());
    reseal(&spoilt.dir());
    let verdict = spoilt.verdict();
    assert_eq!(failed(&verdict), [promise, "attained"]);
    assert!(detail(&verdict, promise).contains("2 of 2 groups fail; group 1 has delta 0.6666"), "{:?}", verdict.checks);
    // Illnesses are moved together: with pay 1000 apart of 2000.5 the pair is at (0.1 + 0.49988) / 2, which is far
    // enough; of a domain ten times as wide it is not.
    let spoilt = case(Maker::anatomized, L1);
    edit_file(&spoilt.dir().join(FILE), |lines| lines[4] = "flu,gout,0.1".into());
    reseal(&spoilt.dir());
    assert_eq!(failed(&spoilt.verdict()), Vec::<&str>::new());
    edit_manifest(&spoilt.dir(), |m| {
        let stated = m["distance"].as_str().unwrap().replace("range(1000, 3000.5)", "range(1000, 21005)");
        m["distance"] = json!(stated);
    });
    let verdict = spoilt.verdict();
    assert_eq!(failed(&verdict), [promise, "attained"]);
    assert!(detail(&verdict, promise).contains("2 of 2 groups fail; group 1 has delta 0.6666"), "{:?}", verdict.checks);
}

#[test]
fn a_moved_value_breaks_the_promise() {
    let spoilt = case(Maker::release, L1);
    let table = spoilt.lines("table.csv");
    let rows: Vec<usize> = (1..table.len()).filter(|&row| table[row][0] == "1").collect();
    let (pay, illness) = (table[rows[0]][6].clone(), table[rows[0]][4].clone());
    set_cell(&spoilt.dir(), rows[1], 6, &pay);
    set_cell(&spoilt.dir(), rows[1], 4, &illness);
    reseal(&spoilt.dir());
    assert!(failed(&spoilt.verdict()).contains(&"require[dissimilarity(0.2, 1, 4)]"));
}

#[test]
fn one_column_may_be_named() {
    let mut maker = maker(L1);
    maker.requirements = vec!["pay: dissimilarity(0.4, 1, 3)".into(), "k-anonymity(4)".into()];
    maker.ruler = Some(ruler("range"));
    maker.groups[8..12].fill(Some(2));
    maker.rows[8][5] = "500".into();
    for make in [Maker::release as fn(&Maker) -> Draft, Maker::anatomized, Maker::permuted] {
        maker.requirements[0] = "pay: dissimilarity(0.28, 1, 3)".into();
        let case = Case::write(&make(&maker), &maker);
        assert_eq!(failed(&case.verdict()), Vec::<&str>::new(), "{:#?}", case.verdict().checks);
        assert_eq!(detail(&case.verdict(), "distance"), "range(500, 3000.5)");
    }
    // Columns with groups of their own.
    let pairs: Vec<Option<u32>> = (0..12).map(|row| Some(row / 6)).collect();
    let apart = maker.permuted_apart(&[&pairs, &maker.groups]);
    let case = Case::write(&apart, &maker);
    assert_eq!(failed(&case.verdict()), Vec::<&str>::new(), "{:#?}", case.verdict().checks);
    // Values that move apart are no composite.
    edit_manifest(&case.dir(), |m| {
        m["requirements"] = json!(["dissimilarity(0.1, 0.5, 2)", "k-anonymity(4)"]);
        m["distance"] = json!("l1(pay:rank, illness \\(now\\):equal)");
    });
    let verdict = case.verdict();
    let said = "each of them has groups of its own";
    assert!(detail(&verdict, "distance").contains(said), "{:?}", verdict.checks);
    assert!(failed(&verdict).contains(&"require[dissimilarity(0.1, 0.5, 2)]"));
    let ruler = Some(ruler("l1(pay:rank, illness \\(now\\):equal)"));
    let requirements = vec!["dissimilarity(0.1, 0.5, 3)".parse().unwrap()];
    let error = verify_dir(&case.dir(), &VerifyOptions { requirements, distance: ruler, ..VerifyOptions::default() })
        .unwrap_err();
    assert!(error.to_string().contains(said) && error.exit_code() == 2, "{error}");
}

#[test]
fn batches_promise_nothing_about_distances() {
    let mut maker = maker("l1(illness \\(now\\):equal, pay:rank)");
    maker.requirements = vec!["dissimilarity(0.2, 0.5, 2)".into()];
    maker.groups[8..12].fill(Some(2));
    let all: Vec<usize> = (0..3).collect();
    let release = maker.angelized(4, &[(all, (0..12).map(|row| row / 4).collect())]);
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("release");
    let error = write(&release, &out, &WriteOptions::default()).unwrap_err();
    assert!(error.to_string().contains("claimed[generalized: dissimilarity(0.2, 0.5, 2)]"), "{error}");
    // Asked by somebody, the batches answer.
    maker.requirements = vec!["k-anonymity(4)".into()];
    let all: Vec<usize> = (0..3).collect();
    let case = Case::write(&maker.angelized(4, &[(all, (0..12).map(|row| row / 4).collect())]), &maker);
    let against: Vec<Requirement> = vec!["dissimilarity(0.2, 0.5, 5)".parse().unwrap()];
    let verdict =
        verify_dir(&case.dir(), &VerifyOptions { against, distance: maker.ruler.clone(), ..VerifyOptions::default() })
            .unwrap();
    assert!(verdict.ok);
    assert_eq!(
        (verdict.against[0].judged, verdict.against[0].breached, verdict.against[0].small),
        ("batches", Some(0), 3)
    );
}

#[test]
fn others_may_ask_by_their_own_distance() {
    let case = case(Maker::release, L1);
    let ask = |text: &str, distance: Option<&str>| {
        let requirements = vec![text.parse().unwrap()];
        let ruler = distance.map(ruler);
        verify_dir(&case.dir(), &VerifyOptions { requirements, distance: ruler, ..VerifyOptions::default() })
    };
    // By the manifest's: the same once, and another.
    let verdict = ask("dissimilarity(0.2, 1, 4)", None).unwrap();
    assert_eq!(verdict.checks.iter().filter(|check| check.name.starts_with("require")).count(), 1);
    assert_eq!(failed(&ask("dissimilarity(0.7, 1, 4)", None).unwrap()), ["require[dissimilarity(0.7, 1, 4)]"]);
    // The same requirement by another distance is another question.
    let own = "l1(illness \\(now\\):equal*0.01, pay:range(0, 100000))";
    let verdict = ask("dissimilarity(0.2, 1, 4)", Some(own)).unwrap();
    assert_eq!(failed(&verdict), [format!("require[dissimilarity(0.2, 1, 4) by {own}]")]);
    assert_eq!(ask("dissimilarity(0.2, 1, 4)", Some("pay:equal")).unwrap_err().exit_code(), 2);
    let plain = Case::new(|_| ());
    let requirements = vec!["dissimilarity(0.2, 1, 4)".parse().unwrap()];
    let error = verify_dir(&plain.dir(), &VerifyOptions { requirements, ..VerifyOptions::default() }).unwrap_err();
    assert!(error.to_string().contains("distance"), "{error}");
}

#[test]
fn against_tells_and_changes_nothing() {
    let case = case(Maker::release, L1);
    let against: Vec<Requirement> =
        ["dissimilarity(0.7, 0.9, 5)", "dissimilarity(0.2, 1, 2)", "k-anonymity(5)", "distinct-l-diversity(4)"]
            .map(|text| text.parse().unwrap())
            .to_vec();
    let verdict = verify_dir(&case.dir(), &VerifyOptions { against, ..VerifyOptions::default() }).unwrap();
    assert!(verdict.ok);
    let json = serde_json::to_value(&verdict).unwrap();
    assert_eq!(
        json["against"][0],
        json!({
            "requirement": "dissimilarity(0.7, 0.9, 5)",
            "distance": "l1(illness \\(now\\):matrix:distance-illness _now_.csv*0.5, pay:range(1000, 3000.5)*0.5)",
            "judged": "groups", "groups": 2, "failing": 2, "share": 1.0, "breached": 2, "small": 2,
            "rows_failing": 8, "worst": {"delta": 0.6666, "k": 4},
        })
    );
    assert_eq!((&json["against"][1]["failing"], &json["against"][1]["small"]), (&json!(0), &json!(0)));
    assert_eq!(json["against"][2]["worst"], json!({"k": 4}));
    assert!(json["against"][2].get("breached").is_none() && json["against"][2].get("distance").is_none());
    assert_eq!((&json["against"][3]["failing"], &json["against"][3]["worst"]), (&json!(0), &json!({"l": 4})));
}
