//! Several sensitive columns, permuted as one or each in groups of its own.

use crate::common::case::{Case, detail, failed, set_cell_of};
use crate::common::{Maker, edit_manifest, reseal};
use scumble_table::Kind;
use scumble_verify::{VerifyOptions, verify_dir};
use serde_json::json;

/// Two sensitive columns, the second in groups of six that cut across those of the first.
fn apart(kind: Kind) -> (Maker, Case) {
    let mut maker = Maker::people(48);
    maker.pay();
    maker.debt(kind);
    maker.requirements =
        ["k-anonymity(4)", "distinct-l-diversity(1)", "debt: distinct-l-diversity(2)"].map(String::from).to_vec();
    let sixes: Vec<Option<u32>> = (0..48).map(|row| Some(row as u32 % 8)).collect();
    let case = Case::write(&maker.permuted_apart(&[&maker.groups, &sixes]), &maker);
    (maker, case)
}

#[test]
fn columns_have_groups_of_their_own() {
    let (_, case) = apart(Kind::Number);
    let verdict = case.against_source();
    assert_eq!(failed(&verdict), Vec::<&str>::new(), "{:#?}", verdict.checks);
    assert_eq!((verdict.rows, verdict.groups), (48, 20));
    assert_eq!(verdict.group_sizes.histogram, [(4, 12), (6, 8)]);
    let names = ["groups-numbered[mapping-pay]", "groups-numbered[mapping-debt]", "help[help-pay]", "help[help-debt]"];
    assert!(names.iter().all(|name| verdict.checks.iter().any(|check| check.name == *name)), "{:?}", verdict.checks);
    assert!(detail(&verdict, "require[k-anonymity(4)]").starts_with("20 groups attain k 4"));
    assert!(detail(&verdict, "require[debt: distinct-l-diversity(2)]").starts_with("8 groups"));
    let attained: Vec<(&str, Option<&str>)> =
        verdict.attained.iter().map(|entry| (entry.requirement.as_str(), entry.column.as_deref())).collect();
    assert_eq!(
        attained,
        [
            ("k-anonymity(4)", None),
            ("distinct-l-diversity(1)", Some("pay")),
            ("distinct-l-diversity(1)", Some("debt")),
            ("debt: distinct-l-diversity(2)", None)
        ]
    );
    assert_eq!(verdict.levels.iter().filter(|level| level.principle == "k-anonymity").count(), 1);
    // Of several columns only numbers have bounds.
    let (_, case) = apart(Kind::Nominal);
    assert_eq!(failed(&case.against_source()), Vec::<&str>::new());
    assert!(case.dir().join("help-pay.csv").is_file() && !case.dir().join("help-debt.csv").exists());
}

#[test]
fn each_grouping_is_judged_by_itself() {
    let (_, case) = apart(Kind::Number);
    let group: u32 = case.lines("mapping-debt.csv")[1][1].parse().unwrap();
    set_cell_of(&case.dir(), "mapping-debt.csv", 1, 1, &(group % 8 + 1).to_string());
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), ["help[help-debt]"]);
    let (_, case) = apart(Kind::Number);
    set_cell_of(&case.dir(), "help-pay.csv", 3, 2, "1");
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), ["help[help-pay]"]);
    // A promise that speaks of one column leaves the groups of the other open.
    let (_, case) = apart(Kind::Number);
    edit_manifest(&case.dir(), |m| m["requirements"] = json!(["debt: distinct-l-diversity(2)"]));
    let verdict = case.verdict();
    assert_eq!(failed(&verdict), ["manifest", "attained"]);
    assert!(detail(&verdict, "manifest").contains("no requirement is on the groups of `pay`"));
    // A requirement on a column that is not there is a broken promise, or a wrong question.
    edit_manifest(&case.dir(), |m| m["requirements"] = json!(["k-anonymity(2)", "dept: distinct-l-diversity(2)"]));
    assert!(detail(&case.verdict(), "require[dept: distinct-l-diversity(2)]").contains("did you mean `debt`?"));
    let asked = VerifyOptions { requirements: vec!["dept: variance(1)".parse().unwrap()], ..VerifyOptions::default() };
    assert!(verify_dir(&case.dir(), &asked).is_err());
}

#[test]
fn values_that_move_together_share_their_groups() {
    for kind in [Kind::Number, Kind::Nominal] {
        let mut maker = Maker::people(48);
        maker.pay();
        maker.debt(kind);
        let case = Case::write(&maker.permuted(), &maker);
        assert_eq!(failed(&case.against_source()), Vec::<&str>::new());
        assert!(case.dir().join("mapping.csv").is_file() && case.dir().join("help-pay.csv").is_file());
        assert_eq!(case.dir().join("help-debt.csv").is_file(), kind == Kind::Number);
        // Swapped between two people of a group, the values of one column are no longer those of one person.
        let (rows, groups) = (case.lines("permuted.csv"), case.lines("mapping.csv"));
        let pair = (1..49)
            .flat_map(|a| (1..a).map(move |b| (a, b)))
            .find(|&(a, b)| groups[a][1] == groups[b][1] && rows[a][5] != rows[b][5] && rows[a][6] != rows[b][6]);
        let (a, b) = pair.unwrap();
        set_cell_of(&case.dir(), "permuted.csv", a, 5, &rows[b][5]);
        set_cell_of(&case.dir(), "permuted.csv", b, 5, &rows[a][5]);
        reseal(&case.dir());
        assert_eq!(failed(&case.verdict()), Vec::<&str>::new());
        assert_eq!(failed(&case.against_source()), ["source-groups"]);
    }
}

#[test]
fn names_that_no_file_can_have_are_numbered() {
    let mut maker = Maker::people(48);
    maker.pay();
    maker.debt(Kind::Number);
    maker.columns[3].0 = "pay/€".into();
    let case = Case::write(&maker.permuted_apart(&[&maker.groups, &maker.groups]), &maker);
    assert_eq!(failed(&case.against_source()), Vec::<&str>::new());
    assert!(case.dir().join("help-column-1.csv").is_file() && case.dir().join("mapping-debt.csv").is_file());
}
