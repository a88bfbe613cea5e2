//! Nothing in a release names what no published cell shows: every form, method and option is published from people whose
//! values are marked, and all bytes of the release are searched for those that stay hidden.

mod people;
mod search;
mod tampered;

use crate::steps::{Say, job, publish};
use people::{People, QUASI};
use scumble::{
    Algorithm, BoxKind, Context, Decimal, ExtendRequest, FromFile, Job, Method, Mixtures, Profile, TableFormat,
};
use search::Files;
use std::path::Path;

/// A job over some quasi-identifiers; hierarchies and orders that the publisher gives belong to `region` and `rank`.
fn asked(folder: &Path, quasi: &[&str], sensitive: &[&str], require: &[&str]) -> Job {
    let job = job(folder.join("people.csv"), folder.join("release")).identifying(["name"]);
    let job = job.quasi(quasi.iter().copied()).sensitive(sensitive.iter().copied()).drop_rest();
    let job = job.requiring(require).but(|job| {
        for (name, column) in &mut job.columns {
            match name.as_str() {
                "region" => column.hierarchy = Some(FromFile::file(folder.join("region.csv"))),
                "rank" => column.order = Some(FromFile::file(folder.join("rank.txt"))),
                _ => {}
            }
        }
    });
    job.vouched()
}

/// Publishes in both formats, searches all bytes, and gives the last release.
fn searched(what: &str, people: &People, job: Job) -> Files {
    let mut last = None;
    for format in [TableFormat::Parquet, TableFormat::Csv] {
        let job = job.clone().but(|job| job.output.format = Some(format));
        let what = format!("{what}, {format:?}");
        let _ = std::fs::remove_dir_all(job.out());
        let _ = std::fs::remove_file(job.out().with_extension("private-batches"));
        publish(&job).unwrap_or_else(|error| panic!("{what}: {error}"));
        let release = Files::read(job.out());
        release.hides(&what, people, &job);
        last = Some(release);
    }
    last.unwrap()
}

#[test]
fn generalized_releases() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let with = |quasi: &[&str], change: &dyn Fn(&mut Job)| {
        asked(folder.path(), quasi, &["illness"], &["k-anonymity(4)"]).but(change)
    };
    for quasi in [&QUASI[..], &["code", "height"], &["grade", "town"], &["rank", "region", "born"]] {
        searched("mondrian", &people, with(quasi, &|_| ()));
        for algorithm in [Algorithm::MondrianRelaxed, Algorithm::Paper] {
            searched(algorithm.name(), &people, with(quasi, &|job| job.publish.algorithm = Some(algorithm)));
        }
        for profile in [Profile::Hardened, Profile::MaxUtility] {
            searched(profile.name(), &people, with(quasi, &|job| job.publish.profile = Some(profile)));
        }
        for kind in BoxKind::ALL {
            searched(kind.name(), &people, with(quasi, &|job| job.publish.boxes = Some(kind)));
        }
        searched("suppressed", &people, with(quasi, &|job| job.publish.max_suppressed = Decimal::parse("0.1")));
    }
    searched("kept", &people, with(&["height", "region"], &|_| ()).keep(["kept"]).vouched());
}

#[test]
fn releases_by_what_values_are_near() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let pay = |require: &str| asked(folder.path(), &["height", "grade", "rank", "town"], &["pay"], &[require]);
    searched("proximity", &people, pay("proximity-absolute(1000, 3)"));
    let printed = pay("proximity-absolute(1000, 3)").but(|job| job.publish.algorithm = Some(Algorithm::Paper));
    searched("proximity as printed", &people, printed);
    let held = pay("proximity-absolute(200, 3)").but(|job| job.publish.mixtures = Some(Mixtures::Hold));
    searched("mixtures that hold", &people, held);
    let apart = asked(folder.path(), &["height", "region", "code"], &["illness"], &["dissimilarity(0.1, 0.5, 4)"]);
    let apart = apart.but(|job| job.publish.distance = Some("illness:matrix:illness.csv".parse().unwrap()));
    let apart = apart.in_folder(folder.path());
    for method in [None, Some(Method::Anatomy), Some(Method::Permute)] {
        let release = searched("matrix", &people, apart.clone().but(|job| job.publish.method = method));
        assert!(release.text("distance-illness.csv").contains(&people.values("illness")[0]));
    }
}

#[test]
fn full_domain_releases() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let with = |quasi: &[&str], suppressed: &str| {
        asked(folder.path(), quasi, &["illness"], &["k-anonymity(3)"]).but(|job| {
            job.publish.method = Some(Method::FullDomain);
            job.publish.max_suppressed = Decimal::parse(suppressed);
        })
    };
    let mixed = ["code", "town", "grade", "height"];
    for quasi in [&mixed[..], &["code"], &["town"], &["grade", "rank"], &["region"], &["height", "born"]] {
        searched("levels", &people, with(quasi, "0"));
        searched("levels and suppression", &people, with(quasi, "0.3"));
    }
    // Codes at every level, under masks and as `*`.
    let mut shown = Vec::new();
    for level in 1..5 {
        let job = with(&["code", "region"], "0.9").requiring(&["k-anonymity(2)"]);
        let release = searched("a level", &people, job.but(|job| job.column_mut("code").level = Some(level)));
        shown.push(release.domain("code").len());
        assert_eq!(release.has("hierarchy-code.csv"), (1..4).contains(&level), "{level}");
    }
    assert!(shown.is_sorted_by(|a, b| a > b) && shown[3] == 0, "{shown:?}");
    let height = FromFile::file(folder.path().join("height.toml"));
    let conditional = with(&["sex", "height"], "0").but(|job| job.column_mut("height").hierarchy = Some(height));
    let release = searched("conditional", &people, conditional);
    assert!(release.text("manifest.json").contains("\"conditional\""));
}

#[test]
fn releases_with_exact_people() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let with = |sensitive: &[&str], require: &str, method| {
        asked(folder.path(), &QUASI, sensitive, &[require]).but(|job| job.publish.method = method)
    };
    searched("anatomy", &people, with(&["illness"], "distinct-l-diversity(3)", Some(Method::Anatomy)));
    let permuted = with(&["illness", "pay"], "k-anonymity(4)", Some(Method::Permute));
    searched("permuted apart", &people, permuted.clone());
    searched("permuted together", &people, permuted.but(|job| job.publish.together = true));
    searched("(k, e)", &people, with(&["pay"], "ke-anonymity(3, 1000)", None));
}

#[test]
fn angel_releases() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let names = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let asked =
        asked(folder.path(), &QUASI, &["illness"], &["distinct-l-diversity(3)"]).keep(["kept"]).vouched().but(|job| {
            (job.publish.method, job.publish.angel_k) = (Some(Method::Angel), Some(5));
            job.publish.marginal = vec![names(&["code", "grade"]), names(&["region", "rank"])];
        });
    for (profile, algorithm) in [
        (Profile::Hardened, Algorithm::Angel),
        (Profile::MaxUtility, Algorithm::Angel),
        (Profile::Standard, Algorithm::Paper),
        (Profile::Standard, Algorithm::Angel),
    ] {
        let job = asked.clone().but(|job| {
            (job.publish.profile, job.publish.algorithm) = (Some(profile), Some(algorithm));
        });
        searched(&format!("{profile} {algorithm}"), &people, job);
    }
    let added = ExtendRequest {
        marginals: vec![names(&["grade", "height"]), names(&["born", "town"])],
        ..ExtendRequest::default()
    };
    let release = scumble::Release::open(asked.out()).unwrap();
    release.extend(&asked.source(), None, &added, &Context::new()).unwrap();
    Files::read(asked.out()).hides("extended", &people, &asked);
}

#[test]
fn releases_after_rules() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let (town, height) = (&people.values("town")[0], &people.values("height")[7]);
    let rules = format!(
        "[rules]\nfirst = {{ when = \"town = '{town}'\", delete = true }}\nsecond = {{ when = \"height < {height}\", blank = [\"height\", \"code\"] }}\n"
    );
    let rules = Job::from_toml(&rules).unwrap().rules;
    for method in [Method::Generalize, Method::FullDomain, Method::Anatomy] {
        let quasi = ["town", "height", "code", "region"];
        let job = asked(folder.path(), &quasi, &["illness"], &["k-anonymity(3)"]).but(|job| {
            (job.publish.method, job.rules) = (Some(method), rules.clone());
        });
        let release = searched("rules", &people, job);
        assert!(!release.mentions(town), "{method}");
    }
}
