//! What is refused although every requirement could be met, and what is said of releases that hardly anything is left of.

use crate::dice::Dice;
use crate::steps::{Heard, Say, failures, job, publish, publish_in, refusal, verify, verify_alone};
use scumble::{Context, Job, Method};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Forty people: towns of their own, something that one of them has, something that half of them have, an illness.
fn people(folder: &Path) -> Job {
    let lines: String =
        (0..40).map(|n| format!("town{n},{},{},{},i{}\n", 20 + n % 20, u32::from(n == 7), n % 2, n * 7 % 5)).collect();
    fs::write(folder.join("data.csv"), format!("town,age,rare,half,illness\n{lines}")).unwrap();
    let job = job(folder.join("data.csv"), folder.join("release")).sensitive(["illness"]);
    job.requiring(&["k-anonymity(4)"]).but(|job| job.publish.drop_rest = true)
}

fn with_method(job: Job, method: Method) -> Job {
    job.but(|job| {
        job.publish.method = Some(method);
        job.publish.angel_k = (method == Method::Angel).then_some(4);
        if method == Method::Angel || method == Method::Anatomy {
            job.publish.require = vec!["distinct-l-diversity(3)".parse().unwrap()];
        }
    })
}

#[test]
fn labels_that_hardly_anybody_shares_are_refused_in_sets() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path()).quasi(["age", "town"]);
    let told = refusal(publish(&job));
    for part in
        ["quasi `town`", "40 of 40 rows", "fewer than 4 times", "`hierarchy`", "`allow_sets` town", "full-domain"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!folder.path().join("release").exists());
    assert!(refusal(publish(&with_method(job.clone(), Method::Angel))).contains("quasi `town`"));
    // Levels and exact values are no sets.
    for method in [Method::FullDomain, Method::Anatomy] {
        let job = with_method(job.clone(), method).but(|job| job.output.replace = true);
        publish(&job).unwrap_or_else(|error| panic!("{method}: {error}"));
    }
    let job = with_method(job, Method::Generalize).but(|job| {
        job.publish.allow_sets = vec!["town".into()];
        job.publish.require = vec!["k-anonymity(4)".parse().unwrap()];
        job.output.replace = true;
    });
    publish(&job).unwrap();
    let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"allow-sets town\""), "{manifest}");
    let page = fs::read_to_string(job.out().join("report.html")).unwrap();
    assert!(page.contains("Sets of town may list the exact values"));
    assert_eq!(failures(&verify(&job)), Vec::<String>::new());
}

#[test]
fn the_boundary_is_more_than_half_of_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    // Of twenty rows `rare` have a label that three have.
    let with_rare = |rare: usize| {
        let label = |n: usize| if n < rare { format!("l{}", n / 3) } else { "common".into() };
        let lines: String = (0..20).map(|n| format!("{},{}\n", label(n), n % 7)).collect();
        fs::write(folder.path().join("data.csv"), format!("town,age\n{lines}")).unwrap();
        let job = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["town", "age"]);
        publish(&job.requiring(&["k-anonymity(4)"]).but(|job| job.output.replace = true)).map(|_| ())
    };
    assert!(with_rare(9).is_ok() && with_rare(10).is_ok());
    assert!(refusal(with_rare(12)).contains("12 of 20 rows"));
}

#[test]
fn dates_and_numbers_in_another_notation_are_named() {
    let folder = tempfile::tempdir().unwrap();
    type Notation<'a> = (&'a dyn Fn(u32) -> String, &'a str, &'a str);
    let notations: [Notation<'_>; 4] = [
        (&|n| format!("{}.{:02}.19{}", 1 + n % 28, 1 + n % 12, 50 + n), "day first", "1999-12-31"),
        (&|n| format!("{}/{}/19{}", 1 + n % 12, 13 + n % 15, 50 + n), "month first", "1999-12-31"),
        (&|n| format!("\"{},{:02}\"", n, n), "decimal comma", "1234.5"),
        (&|n| format!("2024-01-{:02} {:02}:15", 1 + n % 28, n % 24), "time of day", "1999-12-31"),
    ];
    for (cell, looks, mend) in notations {
        let lines: String = (0..30).map(|n| format!("{},{}\n", cell(n), n % 7)).collect();
        fs::write(folder.path().join("data.csv"), format!("when,age\n{lines}")).unwrap();
        let job = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["when", "age"]);
        let told = refusal(publish(&job.requiring(&["k-anonymity(3)"])));
        assert!(told.contains(looks) && told.contains(mend), "{told}");
    }
}

#[test]
fn persons_are_counted_for_each_label() {
    let folder = tempfile::tempdir().unwrap();
    // Every label has four rows, of one person each.
    let lines: String = (0..40).map(|n| format!("p{},town{},{}\n", n / 4, n / 4, n % 7)).collect();
    fs::write(folder.path().join("data.csv"), format!("who,town,age\n{lines}")).unwrap();
    let job = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["town", "age"]);
    let job = job.requiring(&["k-anonymity(3)"]).but(|job| job.output.replace = true);
    publish(&job.clone().but(|job| job.publish.drop_rest = true)).unwrap();
    assert!(refusal(publish(&job.person(["who"]))).contains("fewer than 3 people have"));
}

#[test]
fn kept_columns_that_narrow_groups_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path()).quasi(["age"]).keep(["rare"]);
    let told = refusal(publish(&job));
    for part in ["keep `rare`", "where the requirements ask for 4", "`accept_keep`"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!folder.path().join("release").exists());
    let accepted = job.clone().but(|job| job.publish.accept_keep = vec!["rare".into()]);
    publish(&accepted).unwrap();
    let manifest = fs::read_to_string(accepted.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"accept-keep rare\""), "{manifest}");
    assert!(fs::read_to_string(accepted.out().join("report.html")).unwrap().contains("rare is published as it is"));
    assert_eq!(failures(&verify_alone(accepted.out())), Vec::<String>::new());
    // Exact quasi-identifiers tell who is who anyway; boxes of an angel release do not.
    let replace = |job: Job| job.but(|job| job.output.replace = true);
    publish(&replace(with_method(job.clone(), Method::Anatomy))).unwrap();
    assert!(refusal(publish(&replace(with_method(job, Method::Angel)))).contains("keep `rare`"));
}

#[test]
fn several_kept_columns_count_together() {
    let folder = tempfile::tempdir().unwrap();
    // One group of sixteen: each of two kept columns halves it, both quarter it.
    let lines: String = (0..16).map(|n| format!("{},{},{}\n", n % 2, n / 2 % 2, 7)).collect();
    fs::write(folder.path().join("data.csv"), format!("a,b,age\n{lines}")).unwrap();
    let job = |k: u32| {
        let job = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["age"]).keep(["a", "b"]);
        job.requiring(&[&format!("k-anonymity({k})")]).but(|job| job.output.replace = true)
    };
    publish(&job(4)).unwrap();
    let told = refusal(publish(&job(5)));
    assert!(told.contains("`a,b`") && told.contains("among 4 where the requirements ask for 5"), "{told}");
    publish(&job(5).but(|job| job.publish.accept_keep = vec!["b".into()])).unwrap();
    // Alone it is too much already.
    assert!(refusal(publish(&job(9))).contains("keep `a`"));
}

#[test]
fn kept_columns_that_determine_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    // A code of the illness, a year of birth beside the age, and a column with nothing to say.
    let lines: String =
        (0..200).map(|n| format!("{},{},i{},c{},x\n", 20 + n % 41, 2004 - n % 41, n * 7 % 5, n * 7 % 5)).collect();
    fs::write(folder.path().join("data.csv"), format!("age,born,illness,code,same\n{lines}")).unwrap();
    let base = || {
        let job = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["age"]);
        let job = job.sensitive(["illness"]).requiring(&["k-anonymity(3)"]);
        job.but(|job| (job.publish.drop_rest, job.output.replace) = (true, true))
    };
    let told = refusal(publish(&base().keep(["code"])));
    assert!(told.contains("keep `code`") && told.contains("determines the sensitive column `illness`"), "{told}");
    let told = refusal(publish(&base().keep(["born"])));
    assert!(told.contains("keep `born`") && told.contains("quasi-identifying column `age`"), "{told}");
    publish(&base().keep(["same"])).unwrap();
    for method in [Method::Permute, Method::Anatomy] {
        let told = refusal(publish(&with_method(base().keep(["code"]), method)));
        assert!(told.contains("determines the sensitive"), "{method}: {told}");
        // An exact age is there for all to see.
        publish(&with_method(base().keep(["born"]), method)).unwrap();
    }
    publish(&base().keep(["code"]).but(|job| job.publish.accept_keep = vec!["code".into()])).unwrap();
}

#[test]
fn only_columns_of_the_role_can_be_vouched_for() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path()).quasi(["age", "town"]).keep(["half"]);
    type Change<'a> = (&'a dyn Fn(&mut Job), &'a str);
    let changes: [Change<'_>; 6] = [
        (&|job| job.publish.allow_sets = vec!["half".into()], "allow_sets `half`"),
        (&|job| job.publish.accept_keep = vec!["town".into()], "accept_keep `town`"),
        (&|job| job.publish.accept_keep = vec!["hlf".into()], "did you mean `half`?"),
        (&|job| job.publish.allow_sets = vec!["town".into(), "town".into()], "named twice"),
        (
            &|job| job.column_mut("age").missing = Some(scumble::Missing::Ignore),
            "only missing values of a sensitive column",
        ),
        (&|job| job.column_mut("illness").missing = Some(scumble::Missing::Ignore), "no requirement on this column"),
    ];
    for (change, part) in changes {
        let told = refusal(publish(&job.clone().but(change)));
        assert!(told.contains(part), "{part}: {told}");
    }
}

/// The definition put to the bytes: no group has a set of kept values that fewer than k rows share, unless it is refused.
#[test]
fn what_is_published_beside_kept_columns_leaves_k() {
    let (mut refused, mut published) = (0, 0);
    for seed in 0..120u64 {
        let mut dice = Dice(seed);
        let folder = tempfile::tempdir().unwrap();
        let n = 12 + dice.below(60);
        let skew = 1 + dice.below(60);
        let lines: String = (0..n)
            .map(|_| {
                let kept = if dice.below(skew + 1) == 0 { dice.below(3) } else { 0 };
                format!("{},{kept},{}\n", dice.below(30), dice.below(4))
            })
            .collect();
        fs::write(folder.path().join("data.csv"), format!("age,kept,pay\n{lines}")).unwrap();
        let job = job(folder.path().join("data.csv"), folder.path().join("release"));
        let job = job.quasi(["age"]).keep(["kept"]).sensitive(["pay"]).requiring(&["k-anonymity(3)"]);
        match publish(&job) {
            Err(error) => {
                let told = error.to_string();
                assert!(told.starts_with("keep `kept`"), "{told}");
                refused += 1;
            }
            Ok(_) => {
                let text = fs::read_to_string(job.out().join("table.csv")).unwrap();
                let head: Vec<&str> = text.lines().next().unwrap().split(',').collect();
                let at = head.iter().position(|name| *name == "kept").unwrap() as isize - head.len() as isize;
                let mut cells: BTreeMap<(String, String), u32> = BTreeMap::new();
                for line in text.lines().skip(1) {
                    // Boxes have commas of their own, so that cells are counted from both ends.
                    let parts: Vec<&str> = line.split(',').collect();
                    let kept = parts[(parts.len() as isize + at) as usize].to_string();
                    *cells.entry((parts[0].to_string(), kept)).or_default() += 1;
                }
                assert!(cells.values().all(|&rows| rows >= 3), "{cells:?}");
                published += 1;
            }
        }
    }
    assert!(refused > 10 && published > 10, "{refused} {published}");
}

#[test]
fn a_useless_release_names_what_costs_most() {
    let folder = tempfile::tempdir().unwrap();
    // Illnesses go with ages, so that only the whole table is diverse.
    let lines: String = (0..60).map(|n| format!("{},{},i{}\n", n, n * 7 % 60, n / 15)).collect();
    fs::write(folder.path().join("data.csv"), format!("age,zip,illness\n{lines}")).unwrap();
    let base = |requirements: &[&str]| {
        let job = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["age", "zip"]);
        job.sensitive(["illness"]).requiring(requirements).but(|job| job.output.replace = true)
    };
    let warnings = |job: &Job| {
        let (heard, context) = Heard::listen();
        publish_in(job, &context).unwrap();
        heard.warnings().into_iter().filter(|text| text.contains("of little use")).collect::<Vec<_>>()
    };
    let told = warnings(&base(&["k-anonymity(3)", "t-closeness(0.01)"]));
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("`t-closeness(0.01)` costs most: without it") && told[0].contains("NCP"), "{told:?}");
    let told = warnings(&base(&["k-anonymity(60)"]));
    assert!(told[0].contains("`k-anonymity(60)` is all that is required"), "{told:?}");
    let told = warnings(&base(&["k-anonymity(60)", "distinct-l-diversity(4)"]));
    assert!(told[0].contains("`k-anonymity(60)` costs most"), "{told:?}");
    let told = warnings(&base(&["k-anonymity(59)", "k-anonymity(60)"]));
    assert!(told[0].contains("no requirement costs most"), "{told:?}");
    assert_eq!(warnings(&base(&["k-anonymity(3)"])), Vec::<String>::new());
    let exact = base(&["k-anonymity(60)"]).but(|job| job.publish.method = Some(Method::Permute));
    assert_eq!(warnings(&exact), Vec::<String>::new());
}

#[test]
fn refusals_stop_when_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path()).quasi(["age", "town"]).keep(["half"]);
    let table = job.source().read(&job, &Context::new()).unwrap();
    let context = Context::new();
    context.cancellation().cancel();
    assert!(matches!(scumble::publish(&table, &job, &context), Err(scumble::Error::Cancelled)));
}
