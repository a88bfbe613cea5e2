//! Angel releases: the paper's tables, and whatever is changed in one, the verifier names it.

use crate::common::angel::{Table, small};
use crate::common::case::{Case, cells, detail, failed, set_cell_of};
use crate::common::{Maker, edit_file, edit_manifest, reseal};
use proptest::prelude::*;
use scumble_release::{PublishedTables, ReleaseData, ReleaseReader, WriteOptions};
use scumble_table::{Error, Monitor};
use scumble_verify::{Promise, Verdict, VerifyOptions, verify_dir};
use serde_json::json;
use std::fs;

/// Table 3: buckets of the same sex and nearly the same age.
fn table_3() -> (Maker, Vec<Table>) {
    (Maker::table_1a(), vec![(vec![0, 1], vec![0, 0, 1, 1, 2, 2, 3, 3])])
}

/// Table 7: the second table is over the zipcode alone, in thousands here.
fn table_7() -> (Maker, Vec<Table>) {
    let first = (vec![0, 1, 2], vec![0, 0, 1, 1, 2, 2]);
    (Maker::table_2a(), vec![first, (vec![2], vec![0, 1, 0, 1, 2, 2])])
}

fn case((maker, tables): (Maker, Vec<Table>)) -> Case {
    Case::write(&maker.angelized(2, &tables), &maker)
}

fn sorted_lines(case: &Case, file: &str) -> Vec<String> {
    let text = fs::read_to_string(case.dir().join(file)).unwrap();
    let mut lines: Vec<String> = text.lines().skip(1).map(String::from).collect();
    lines.sort();
    lines
}

#[test]
fn table_3_is_two_diverse_bucket_by_bucket() {
    let case = case(table_3());
    let verdict = case.against_source();
    assert_eq!(failed(&verdict), Vec::<&str>::new(), "{:#?}", verdict.checks);
    assert_eq!((verdict.rows, verdict.groups, verdict.joined), (8, 4, None));
    assert_eq!(case.lines("generalized.csv")[0], ["age", "sex", "batch"]);
    assert_eq!(case.lines("batches.csv")[0], ["batch", "disease", "count"]);
    let counts: Vec<String> =
        (1..=4).flat_map(|batch| [format!("{batch},bronchitis,1"), format!("{batch},pneumonia,1")]).collect();
    assert_eq!(sorted_lines(&case, "batches.csv"), counts);
    let boxes: Vec<String> = sorted_lines(&case, "generalized.csv")
        .iter()
        .map(|line| line.rsplit_once(',').unwrap().0.to_string())
        .collect();
    let twice = |text: &str| [text.to_string(), text.to_string()];
    let expected = ["\"[21,23]\",M", "\"[38,40]\",F", "\"[41,43]\",M", "\"[58,60]\",F"].map(twice).concat();
    assert_eq!(boxes, expected);
    // Example 2: whoever is in a bucket has either disease with probability one half.
    assert_eq!(detail(&verdict, "claimed[generalized: frequency-l-diversity(2)]"), "4 buckets claim l 2, share 0.5");
}

#[test]
fn table_7_keeps_two_diversity_and_loses_anonymity_when_joined() {
    let case = case(table_7());
    let verdict = case.verdict();
    assert_eq!(failed(&verdict), Vec::<&str>::new(), "{:#?}", verdict.checks);
    assert_eq!(detail(&verdict, "batches-agree[marginal-zip]"), "every batch of 3 has as many values as rows");
    // Joined by batch, (21 to 23, zip 10 to 12) is one person; only 70 to 72 with 78 to 80 are two.
    let joined = verdict.joined.unwrap();
    assert_eq!((joined.tables, joined.k, joined.narrowed, joined.exact, joined.least), (2, 2, 4, false, 1));
    let joined = case.against_source().joined.unwrap();
    assert_eq!((joined.narrowed, joined.exact, joined.least), (4, true, 1));
    let strict = verify_dir(&case.dir(), &VerifyOptions { join_k: Some(2), ..VerifyOptions::default() }).unwrap();
    assert_eq!(failed(&strict), ["joined"]);
    let loose = verify_dir(&case.dir(), &VerifyOptions { join_k: Some(1), ..VerifyOptions::default() }).unwrap();
    assert!(loose.ok);
    // Carrie's bucket of the second table mixes batches 1 and 2: pneumonia one half, the others a quarter each.
    assert!(detail(&verdict, "claimed[marginal-zip: frequency-l-diversity(2)]").contains("share 0.5"));
}

#[test]
fn a_join_that_narrows_too_far_is_refused_before_anything_stands() {
    let (maker, tables) = table_7();
    let home = tempfile::tempdir().unwrap();
    let promise = Promise { join_k: Some(2), ..Promise::default() };
    let (out, options) = (home.path().join("r"), WriteOptions::default());
    let refused = scumble_verify::write(&maker.angelized(2, &tables), &out, &options, promise, Monitor::silent());
    let refused = refused.unwrap_err();
    assert!(matches!(refused, Error::NotFound { .. }), "{refused}");
    assert!(refused.to_string().contains("`join_k` 2") && refused.exit_code() == 1, "{refused}");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    let generalized = Maker::people(8);
    let boxes = Case::write(&generalized.release(), &generalized);
    assert!(verify_dir(&boxes.dir(), &VerifyOptions { join_k: Some(2), ..VerifyOptions::default() }).is_err());
    // A single table has its boxes, and nothing to be joined with.
    let single = case(table_3());
    let asked = |k| verify_dir(&single.dir(), &VerifyOptions { join_k: Some(k), ..VerifyOptions::default() }).unwrap();
    assert!(asked(2).ok);
    assert_eq!(failed(&asked(3)), ["joined"]);
}

/// Changes a release, makes its checksums right again, and says which checks fail.
fn spoilt(change: impl FnOnce(&Case)) -> Verdict {
    let case = case(table_7());
    change(&case);
    reseal(&case.dir());
    case.verdict()
}

#[test]
fn a_bucket_of_fewer_than_k_is_found() {
    let verdict = spoilt(|case| edit_manifest(&case.dir(), |m| m["angel_k"] = json!(3)));
    assert_eq!(failed(&verdict), ["boxes-k[generalized]", "boxes-k[marginal-zip]"]);
    // One person's box drawn apart leaves a bucket of one, and the one she left.
    let verdict = spoilt(|case| {
        let row = case.lines("marginal-zip.csv").iter().position(|row| row[0] == "\"[78,80]\"").unwrap();
        set_cell_of(&case.dir(), "marginal-zip.csv", row, 0, "78");
    });
    assert_eq!(failed(&verdict), ["boxes-k[marginal-zip]"]);
    assert!(detail(&verdict, "boxes-k[marginal-zip]").starts_with("2 of 4 buckets have fewer than 2 rows"));
    // The k of k-anonymity counts as well.
    let verdict = spoilt(|case| {
        edit_manifest(&case.dir(), |m| {
            m["requirements"] = json!(["frequency-l-diversity(2)", "k-anonymity(4)"]);
        });
    });
    assert!(failed(&verdict).contains(&"boxes-k[generalized]"), "{:?}", failed(&verdict));
}

#[test]
fn a_batch_that_fails_is_found() {
    let verdict = spoilt(|case| {
        // Both people of a batch have the flu.
        edit_file(&case.dir().join("batches.csv"), |lines| {
            let of_batch = |batch: &str| lines.iter().filter(|line| cells(line)[0] == batch).count();
            assert_eq!(of_batch("1"), 2);
            lines.retain(|line| cells(line)[0] != "1");
            lines.insert(1, "1,flu,2".into());
        });
    });
    let failed = failed(&verdict);
    assert!(failed.contains(&"require[frequency-l-diversity(2)]"), "{failed:?}");
    assert!(failed.contains(&"claimed[generalized: frequency-l-diversity(2)]"), "{failed:?}");
}

#[test]
fn a_moved_batch_number_and_a_changed_count_are_found() {
    for file in ["generalized.csv", "marginal-zip.csv"] {
        let verdict = spoilt(|case| {
            let (row, column) = (1, case.lines(file)[0].len() - 1);
            let batch: u32 = case.lines(file)[row][column].parse().unwrap();
            set_cell_of(&case.dir(), file, row, column, &(batch % 3 + 1).to_string());
        });
        let failed = failed(&verdict);
        assert!(failed.contains(&format!("batches-agree[{}]", file.trim_end_matches(".csv")).as_str()), "{failed:?}");
    }
    let verdict = spoilt(|case| set_cell_of(&case.dir(), "batches.csv", 1, 2, "2"));
    assert_eq!(failed(&verdict), ["batches-agree[generalized]", "batches-agree[marginal-zip]"]);
    let verdict = spoilt(|case| set_cell_of(&case.dir(), "batches.csv", 1, 2, "0"));
    assert_eq!(failed(&verdict), ["counts"]);
    let verdict = spoilt(|case| set_cell_of(&case.dir(), "batches.csv", 1, 0, "9"));
    assert_eq!(failed(&verdict), ["counts"]);
    // Swapped batches leave every count right, and here even the source allows them.
    let case = case(table_3());
    edit_file(&case.dir().join("generalized.csv"), |lines| {
        let of = |age: &str, lines: &[String]| lines.iter().position(|line| line.contains(age)).unwrap();
        let (young, old) = (of("[21,23]", lines), of("[58,60]", lines));
        let cut = |line: &str| line.rsplit_once(',').map(|(a, b)| (a.to_string(), b.to_string())).unwrap();
        let ((a, x), (b, y)) = (cut(&lines[young]), cut(&lines[old]));
        (lines[young], lines[old]) = (format!("{a},{y}"), format!("{b},{x}"));
    });
    reseal(&case.dir());
    assert!(case.verdict().ok);
    assert!(case.against_source().ok, "a batch has both diseases, so that anybody may be in it");
}

#[test]
fn manifests_that_promise_the_impossible_are_refused() {
    let verdict = spoilt(|case| {
        edit_manifest(&case.dir(), |m| {
            m.as_object_mut().unwrap().remove("angel_k");
        });
    });
    assert_eq!(failed(&verdict), ["manifest"]);
    let verdict = spoilt(|case| {
        let dir = case.dir();
        fs::rename(dir.join("marginal-zip.csv"), dir.join("marginal-age.csv")).unwrap();
        edit_manifest(&dir, |m| {
            for table in m["tables"].as_array_mut().unwrap().iter_mut().filter(|t| t["name"] == "marginal-zip") {
                table["name"] = json!("marginal-age");
                table["file"] = json!("marginal-age.csv");
            }
        });
    });
    assert_eq!(failed(&verdict), ["columns"]);
}

#[test]
fn batches_of_other_people_are_found_against_the_source() {
    let case = case(table_7());
    // The flu of batch 1 and the bronchitis of batch 3 change places: nobody of 21 to 23 has bronchitis.
    let text = fs::read_to_string(case.dir().join("batches.csv")).unwrap();
    let without =
        |disease: &str| (1..=3).find(|batch| !text.contains(&format!("{batch},{disease},1"))).unwrap().to_string();
    let (first, last) = (without("bronchitis"), without("pneumonia"));
    edit_file(&case.dir().join("batches.csv"), |lines| {
        for line in lines.iter_mut() {
            if *line == format!("{first},flu,1") {
                *line = format!("{first},bronchitis,1");
            } else if *line == format!("{last},bronchitis,1") {
                *line = format!("{last},flu,2");
            }
        }
        lines.retain(|line| *line != format!("{last},flu,1"));
        lines[1..].sort();
    });
    edit_manifest(&case.dir(), |m| m["requirements"] = json!(["k-anonymity(1)"]));
    reseal(&case.dir());
    assert!(failed(&case.against_source()).contains(&"source-batches"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_release_of_this_form_verifies_against_its_source(seed in any::<u64>(), n in 1usize..14) {
        let (maker, tables) = small(seed, n);
        // A bucket of nobody but suppressed people is none.
        let live = |table: &Table| {
            let (columns, buckets) = table;
            let rows = (0..n).filter(|&row| maker.groups[row].is_some());
            let mut known: Vec<u32> = rows.map(|row| buckets[row]).collect();
            known.sort_unstable();
            known.dedup();
            let renumbered = buckets.iter().map(|b| known.binary_search(b).unwrap_or(0) as u32).collect();
            (columns.clone(), renumbered)
        };
        let tables: Vec<Table> = tables.iter().map(live).collect();
        let case = Case::write(&maker.angelized(1, &tables), &maker);
        let verdict = case.against_source();
        prop_assert!(verdict.ok, "{:#?}", verdict.failures().collect::<Vec<_>>());
        let alone = case.verdict();
        // What the release tells by itself is no less than what there is.
        let (open, joined) = (alone.joined.unwrap(), verdict.joined.unwrap());
        if verdict.suppressed == 0 {
            prop_assert!(open.least <= joined.least && joined.least > 0 && open.narrowed >= joined.narrowed);
        }
        let opened = ReleaseData::read(ReleaseReader::open(&case.dir()).unwrap(), Monitor::silent()).unwrap();
        let PublishedTables::Angel(data) = opened.tables() else { panic!() };
        prop_assert_eq!(data.views.len(), 3);
        prop_assert_eq!(data.placed().place_group.len() as u64, verdict.rows);
    }
}
