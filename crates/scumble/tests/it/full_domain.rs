//! Full-domain releases from the request to the verdict: conditional hierarchies on random tables, what is refused,
//! and contexts that a manifest tells wrongly.

use crate::steps::{Say, failures, job, publish, publish_in, refusal, verify, verify_alone};
use proptest::prelude::*;
use scumble::{Algorithm, Column, ColumnRole, Context, Decimal, Digest, Error, FromFile, Job, Method, Profile};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const HEIGHT: &str = r#"
column = "height"
common = [[155, 170]]

[[context]]
when = { sex = "F" }
levels = [[150, 155, 160, 165, 170], [155, 160, 170]]

[[context]]
when = { sex = "M" }
levels = [[155, 165, 170, 175, 180], [155, 170, 180]]
"#;

const BORN: &str = r#"
column = "born"
common = [["1969-12-31"]]

[[context]]
when = { height = { to = 165 }, sex = ["F", ""] }
levels = [["1959-12-31", "1969-12-31", "1979-12-31"]]
"#;

fn asked(folder: &Path, text: &str, require: &str) -> Job {
    fs::write(folder.join("data.csv"), text).unwrap();
    fs::write(folder.join("height.toml"), HEIGHT).unwrap();
    let job = job(folder.join("data.csv"), folder.join("release")).quasi(["sex", "height", "zip"]);
    job.sensitive(["illness"]).drop_rest().requiring(&[require]).but(|job| {
        job.column_mut("height").hierarchy = Some(FromFile::file(folder.join("height.toml")));
        job.publish.max_suppressed = Decimal::parse("0.3");
    })
}

fn people() -> impl Strategy<Value = String> {
    let row = (0..4usize, 140..190u32, any::<bool>(), 0..3u32, 0..4usize, 0..4u32);
    prop::collection::vec(row, 4..80).prop_map(|rows| {
        let mut text = String::from("sex,height,zip,illness,born\n");
        for (sex, height, there, zip, illness, decade) in rows {
            let sex = ["F", "M", "X", ""][sex];
            let height = if there || height % 3 > 0 { height.to_string() } else { String::new() };
            let illness = ["flu", "gout", "lupus", ""][illness];
            text += &format!("{sex},{height},z{zip},{illness},19{}0-0{}-11\n", decade + 5, zip + 1);
        }
        text
    })
}

/// Sixty people whose heights fill every interval.
fn crowd() -> String {
    let mut text = String::from("sex,height,zip,illness\n");
    for at in 0..60 {
        let (sex, height) = if at % 2 == 0 { ("F", 146 + at / 2) } else { ("M", 152 + at / 2) };
        text += &format!("{sex},{height},z{},{}\n", at % 2, ["flu", "gout", "lupus"][at % 3]);
    }
    text
}

/// The files about columns of a release at these levels of codes, where one more person is suppressed.
fn made_files(folder: &Path, level: u64, suppressed: &str) -> (u64, Vec<(String, String)>) {
    let mut text = String::from("age,code,illness\n");
    for at in 0..200 {
        let code = ["13001", "13002", "13011", "14100"][at % 4];
        text += &format!("{},{code},{}\n", 20 + at % 3, ["flu", "gout", "lupus"][at % 3]);
    }
    text += &format!("900,{suppressed},flu\n");
    fs::write(folder.join("data.csv"), text).unwrap();
    let out = folder.join(format!("release-{level}-{suppressed}"));
    let job = job(folder.join("data.csv"), &out).quasi(["age", "code"]).sensitive(["illness"]).vouched();
    let job = job.requiring(&["k-anonymity(4)"]).but(|job| {
        job.publish.method = Some(Method::FullDomain);
        job.publish.max_suppressed = Decimal::parse("0.1");
        job.column_mut("age").level = Some(0);
        job.column_mut("code").level = Some(level);
        job.column_mut("code").kind = Some(scumble::Kind::Nominal);
    });
    publish(&job).unwrap();
    let verdict = verify(&job);
    assert!(verdict.ok, "{level} {suppressed}: {:?}", failures(&verdict));
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let mut files: Vec<(String, String)> = fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("hierarchy-"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), fs::read_to_string(path).unwrap()))
        .collect();
    files.push(("columns".into(), manifest["columns"].to_string()));
    (manifest["suppressed"].as_u64().unwrap(), files)
}

#[test]
fn made_levels_do_not_tell_the_codes_of_suppressed_people() {
    let folder = tempfile::tempdir().unwrap();
    for level in 0..3 {
        let known = made_files(folder.path(), level, "13001");
        assert_eq!(known.0, 1);
        for other in ["93011", "13999", "13003"] {
            assert_eq!(made_files(folder.path(), level, other), known, "{level}: {other}");
        }
        let tree = known.1.iter().find(|(name, _)| name == "hierarchy-code.csv");
        assert_eq!(tree.is_some(), level > 0, "{level}");
        assert!(tree.is_none_or(|(_, text)| text.lines().all(|line| line.split(';').count() == 2)), "{tree:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_published_verifies_against_its_source(text in people(), k in 2..4u32, twice in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let mut job = asked(folder.path(), &text, &format!("k-anonymity({k})"));
        if twice {
            fs::write(folder.path().join("born.toml"), BORN).unwrap();
            let hierarchy = Some(FromFile::file(folder.path().join("born.toml")));
            job.columns.push(("born".into(), Column { hierarchy, ..Column::new(ColumnRole::Quasi) }));
        }
        let published = match publish(&job) {
            Err(Error::Infeasible { .. }) => return Ok(()),
            other => other.unwrap(),
        };
        prop_assert!(published.verdict.ok);
        prop_assert!(published.facts.group_sizes.min >= u64::from(k));
        let checks: Vec<&str> = published.verdict.checks.iter().map(|check| check.name.as_str()).collect();
        let conditional = published.facts.levels.iter().any(|level| level.conditional);
        prop_assert_eq!(checks.contains(&"contexts"), conditional);
        // The sex stands beside heights that depend on it, where people of several contexts are left after suppression.
        let level = |name: &str| published.facts.levels.iter().find(|level| level.column == name).unwrap();
        let sexes: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        let is_left = |context: &dyn Fn(&str) -> bool| {
            10 * sexes.iter().filter(|sex| context(sex)).count() > 3 * sexes.len()
        };
        let left = [is_left(&|sex| sex == "F"), is_left(&|sex| sex == "M"), is_left(&|sex| matches!(sex, "X" | ""))];
        if level("height").conditional && left.iter().filter(|left| **left).count() > 1 {
            prop_assert_eq!(level("sex").level, 0);
        }
        // The third level of heights shows 156 to 170 as one: where people are on both sides of 165, it does not tell the context.
        let heights: Vec<u32> = text.lines().filter_map(|line| line.split(',').nth(1)?.parse().ok()).collect();
        let occurs = |from: u32, to: u32| heights.iter().any(|height| (from..=to).contains(height));
        if twice && level("born").conditional && occurs(156, 165) && occurs(166, 170) {
            prop_assert!(level("height").level <= 2, "165 must be told apart");
        }
        let again = verify(&job);
        prop_assert!(again.ok, "{:?}", failures(&again));
    }
}

fn refused(change: impl Fn(&mut Job), part: &str) {
    let folder = tempfile::tempdir().unwrap();
    let job = asked(folder.path(), &crowd(), "k-anonymity(2)").but(change);
    let error = refusal(publish(&job));
    assert!(error.contains(part), "{error}");
    assert!(!job.out().exists());
}

#[test]
fn what_does_not_go_together_is_refused() {
    let role = |name: &'static str, role| move |job: &mut Job| job.column_mut(name).role = Some(role);
    refused(|job| job.publish.method = Some(Method::Anatomy), "need levels that are the same for all rows");
    refused(|job| job.publish.algorithm = Some(Algorithm::Mondrian), "forms groups of its own");
    refused(|job| job.publish.profile = Some(Profile::Hardened), "nothing to draw");
    refused(role("height", ColumnRole::Kept), "only a quasi-identifier");
    refused(role("sex", ColumnRole::Sensitive), "depend on `sex`, which is sensitive");
    refused(
        |job| {
            job.column_mut("sex").role = Some(ColumnRole::Kept);
            job.publish.accept_keep = vec!["sex".into()];
        },
        "depend on `sex`, which is kept",
    );
    refused(|job| drop(job.columns.remove(0)), "depend on `sex`, which is not published");
    refused(
        |job| {
            let file = job.column_mut("height").hierarchy.take();
            job.column_mut("zip").hierarchy = file;
        },
        "it is a hierarchy of `height`",
    );
    refused(
        |job| job.publish.require = vec!["illness: proximity-absolute(1, 2)".parse().unwrap()],
        "coarser levels join classes",
    );
}

/// Changes the manifest of a release and verifies it.
fn tampered(change: impl Fn(&mut Value), part: &str) {
    let folder = tempfile::tempdir().unwrap();
    let job = asked(folder.path(), &crowd(), "k-anonymity(2)");
    let published = publish(&job).unwrap();
    assert!(published.facts.levels.iter().any(|level| level.conditional), "{:?}", published.facts.levels);
    let file = job.out().join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(&file, serde_json::to_vec(&manifest).unwrap()).unwrap();
    let verdict = verify_alone(job.out());
    let found = failures(&verdict);
    assert!(found.iter().any(|failure| failure.contains(part)), "{found:?}");
}

#[test]
fn contexts_that_are_told_wrongly_are_found() {
    let contexts = |manifest: &mut Value| manifest["conditional"][0]["contexts"].take();
    tampered(
        |manifest| {
            let mut list = contexts(manifest);
            list.as_array_mut().unwrap().remove(0);
            manifest["conditional"][0]["contexts"] = list;
        },
        "is in no context",
    );
    tampered(
        |manifest| manifest["conditional"][0]["contexts"][0]["when"]["sex"] = json!(["F", "M"]),
        "does not tell its context",
    );
    tampered(
        |manifest| manifest["conditional"][0]["contexts"][0]["shows"][0] = json!("[1,2]"),
        "does not show the intervals",
    );
    tampered(
        |manifest| manifest["conditional"][0]["contexts"][0]["when"] = json!({"height": ["151"]}),
        "told by the column itself",
    );
    tampered(
        |manifest| manifest["conditional"][0]["contexts"][0]["when"] = json!({"illness": ["flu"]}),
        "is no quasi-identifier",
    );
    tampered(
        |manifest| manifest["conditional"][0]["contexts"][0]["when"] = json!(3),
        "conditional[0].contexts[0].when",
    );
    tampered(|manifest| manifest["conditional"][0]["extra"] = json!(3), "a manifest has no such field");
}

#[test]
fn intervals_that_overlap_within_a_context_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let job = asked(folder.path(), &crowd(), "k-anonymity(2)");
    publish(&job).unwrap();
    let file = job.out().join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let shows: Vec<String> =
        serde_json::from_value(manifest["conditional"][0]["contexts"][0]["shows"].clone()).unwrap();
    let ends = |text: &str| -> Option<(u32, u32)> {
        let (low, high) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(',')?;
        Some((low.parse().ok()?, high.parse().ok()?))
    };
    let mut spans: Vec<(u32, u32)> = shows.iter().filter_map(|text| ends(text)).collect();
    spans.sort_unstable();
    let (old, new) = (format!("[{},{}]", spans[0].0, spans[0].1), format!("[{},{}]", spans[0].0, spans[1].0));
    let table = fs::read_to_string(job.out().join("table.csv")).unwrap().replace(&old, &new);
    fs::write(job.out().join("table.csv"), &table).unwrap();
    let text = serde_json::to_string(&manifest["conditional"]).unwrap().replace(&old, &new);
    manifest["conditional"] = serde_json::from_str(&text).unwrap();
    let mut digest = Digest::default();
    digest.update(table.as_bytes());
    manifest["tables"][0]["sha256"] = json!(digest.hex());
    fs::write(&file, serde_json::to_vec(&manifest).unwrap()).unwrap();
    let verdict = verify_alone(job.out());
    let found: Vec<String> = verdict.failures().map(|check| check.detail.clone()).collect();
    assert!(found.iter().any(|failure| failure.contains("two of its intervals overlap")), "{found:?}");
}

#[test]
fn a_seed_and_any_number_of_threads_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |threads: usize, out: &str| {
        let job = asked(folder.path(), &crowd(), "k-anonymity(3)").but(|job| {
            (job.publish.seed, job.output.dir) = (Some(7), Some(folder.path().join(out)));
        });
        publish_in(&job, &Context::new().with_threads(threads).unwrap()).unwrap();
        (fs::read(job.out().join("table.csv")).unwrap(), fs::read(job.out().join("manifest.json")).unwrap())
    };
    assert_eq!(bytes(1, "one"), bytes(2, "two"));
}
