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

/// Four hundred people, forty of whom have hiv; a drug that only these take, a copy of the illness with one error in thirty, and two columns
/// that tell of the illness together only.
fn patients(folder: &Path) -> Job {
    let mut dice = Dice(5);
    let lines: String = (0..400u64)
        .map(|n| {
            let illness = if n % 10 == 3 { 9 } else { n * 7 % 5 };
            let drug = if illness == 9 { "antiretroviral".into() } else { format!("d{}", dice.below(3)) };
            let noisy = if n % 30 == 0 { dice.below(5) } else { illness };
            let half = dice.below(2);
            let other = if illness == 9 { half } else { 1 - half };
            format!("{},{},i{illness},{drug},n{noisy},a{half},b{other},c{}\n", n % 40, n * 13 % 9, dice.below(2))
        })
        .collect();
    fs::write(folder.join("data.csv"), format!("age,zip,illness,drug,noisy,half,other,chance\n{lines}")).unwrap();
    let job = job(folder.join("data.csv"), folder.join("release")).quasi(["age", "zip"]).sensitive(["illness"]);
    job.requiring(&["k-anonymity(2)"]).but(|job| {
        (job.publish.drop_rest, job.output.replace) = (true, true);
        job.publish.method = Some(Method::Anatomy);
    })
}

#[test]
fn a_label_that_tells_one_value_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let base = patients(folder.path());
    for method in [Method::Permute, Method::Anatomy, Method::Generalize] {
        let job = base.clone().keep(["drug"]).but(|job| job.publish.method = Some(method));
        let told = refusal(publish(&job));
        for part in ["keep `drug`", "in 40 of 400 rows the label tells a value", "`illness`", "`accept_keep` drug"] {
            assert!(told.contains(part), "{method}: {part}: {told}");
        }
        assert!(!told.contains("antiretroviral") && !told.contains("i9"), "{told}");
    }
    let told = refusal(publish(&base.clone().keep(["noisy"])));
    assert!(told.contains("keep `noisy`") && told.contains("tells a value"), "{told}");
    publish(&base.clone().keep(["chance"])).unwrap();
    // What it tells of the illness, half tells with another only; both must be accepted.
    publish(&base.clone().keep(["half", "chance"])).unwrap();
    let both = base.clone().keep(["half", "chance", "other"]);
    let accepting = |names: &[&str]| {
        both.clone().but(|job| job.publish.accept_keep = names.iter().map(ToString::to_string).collect())
    };
    for names in [&[][..], &["half"], &["other"], &["chance", "half"]] {
        let told = refusal(publish(&accepting(names)));
        assert!(told.contains("keep `half,other`") && told.contains("together tell a value"), "{names:?}: {told}");
    }
    publish(&accepting(&["half", "other"])).unwrap();
    // A drug that was accepted tells what it tells beside others too.
    let drug = base.keep(["drug", "chance"]).but(|job| job.publish.accept_keep = vec!["drug".into()]);
    publish(&drug).unwrap();
    let manifest = fs::read_to_string(drug.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"accept-keep drug\""), "{manifest}");
}

#[test]
fn columns_that_determine_together_are_all_to_be_accepted() {
    let folder = tempfile::tempdir().unwrap();
    // The illness is the sum of two columns that tell nothing one by one.
    let lines: String =
        (0..240).map(|n| format!("{},k{},m{},i{}\n", n % 41, n % 3, n / 3 % 3, (n % 3 + n / 3 % 3) % 3)).collect();
    fs::write(folder.path().join("data.csv"), format!("age,ka,kb,illness\n{lines}")).unwrap();
    let base = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["age"]).sensitive(["illness"]);
    let base = base.keep(["ka", "kb"]).requiring(&["k-anonymity(2)"]).but(|job| {
        (job.publish.method, job.output.replace) = (Some(Method::Permute), true);
    });
    for names in [&[][..], &["ka"], &["kb"]] {
        let job = base.clone().but(|job| job.publish.accept_keep = names.iter().map(ToString::to_string).collect());
        let told = refusal(publish(&job));
        assert!(told.contains("keep `ka,kb`") && told.contains("together determine"), "{names:?}: {told}");
        assert!(told.contains("`accept_keep` ka,kb"), "{told}");
    }
    let job = base.but(|job| job.publish.accept_keep = vec!["ka".into(), "kb".into()]);
    publish(&job).unwrap();
    let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"accept-keep ka\"") && manifest.contains("\"accept-keep kb\""), "{manifest}");
}

#[test]
fn words_that_set_nothing_aside_are_not_listed() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path()).quasi(["age", "half"]).keep(["rare"]).but(|job| {
        job.publish.allow_sets = vec!["half".into()];
        job.publish.accept_keep = vec!["rare".into()];
        job.publish.accept_overlap = true;
    });
    let (heard, context) = Heard::listen();
    publish_in(&job, &context).unwrap();
    let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"accepted\": [\n    \"accept-keep rare\"\n  ]"), "{manifest}");
    for field in ["`allow_sets` half", "`accept_overlap`"] {
        let told = |text: &&String| text.starts_with(&format!("{field} sets nothing aside"));
        assert_eq!(heard.warnings().iter().filter(told).count(), 1, "{field}: {:?}", heard.warnings());
    }
    let page = fs::read_to_string(job.out().join("report.html")).unwrap();
    assert!(page.contains("rare is published as it is") && !page.contains("Sets of half"));
    assert!(!page.contains("accepts what all of them tell together"));
    // Either of two that narrow groups together could do without the other's word, and both gave theirs.
    let lines: String = (0..16).map(|n| format!("{},{},{}\n", n % 2, n / 2 % 2, 7)).collect();
    fs::write(folder.path().join("both.csv"), format!("a,b,age\n{lines}")).unwrap();
    let both = crate::steps::job(folder.path().join("both.csv"), folder.path().join("both")).quasi(["age"]);
    let both = both.keep(["a", "b"]).requiring(&["k-anonymity(5)"]).vouched();
    publish(&both).unwrap();
    let manifest = fs::read_to_string(both.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"accept-keep a\"") && manifest.contains("\"accept-keep b\""), "{manifest}");
}

#[test]
fn rows_are_not_people_where_a_column_says_whose_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path()).quasi(["age"]).person(["town"]).but(|job| job.publish.rows_are_people = true);
    let told = refusal(publish(&job));
    assert!(told.starts_with("person `town`") && told.contains("leave `rows_are_people` out"), "{told}");
    let told = refusal(Job::from_toml(&job.to_toml()).and_then(|job| publish(&job)));
    assert!(told.starts_with("person `town`"), "{told}");
}

#[test]
fn keys_that_differ_in_spelling_only_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["Ann Lee", "ann lee", "Ann Lee ", "ANN LEE", "Ann  Lee", "Bo", "Cy", "Di"];
    let lines: String =
        names.iter().enumerate().map(|(at, name)| format!("{name},{},i{}\n", 30 + at % 2, at % 3)).collect();
    fs::write(folder.path().join("data.csv"), format!("patient,age,illness\n{lines}")).unwrap();
    let job = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["age"]).sensitive(["illness"]);
    let job = job.person(["patient"]).requiring(&["k-anonymity(4)"]).but(|job| job.output.replace = true);
    let told = |heard: &Heard| {
        heard.warnings().into_iter().filter(|text| text.contains("keys of `person`")).collect::<Vec<_>>()
    };
    let ledger = folder.path().join("people.ledger");
    let keys = tempfile::tempdir().unwrap();
    for ledger in [None, Some(ledger)] {
        let (heard, context) = Heard::listen();
        let context = context.with_ledger_key(keys.path().join("ledger.key"));
        publish_in(&job.clone().but(|job| job.output.ledger = ledger), &context).unwrap();
        let told = told(&heard);
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("5 of 8 keys of `person`") && told[0].contains("there are 4 people"), "{told:?}");
        assert!(!told[0].to_lowercase().contains("lee"), "{told:?}");
    }
    let (heard, context) = Heard::listen();
    scumble::inspect(&job.source().read_all(&context).unwrap(), &context).unwrap();
    assert_eq!(told(&heard).len(), 1, "{:?}", heard.warnings());
}
