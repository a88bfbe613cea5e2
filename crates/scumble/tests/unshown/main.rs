//! Nothing in a release names what no published cell shows: every form, method and option is published from people whose
//! values are marked, and all bytes of the release are searched for those that stay hidden.

mod people;
mod search;
mod tampered;

use people::{People, QUASI};
use scumble::{
    Algorithm, BoxKind, ColumnRequest, ColumnRole, Decimal, ExtendRequest, Input, Job, Method, Mixtures, Profile,
    PublishRequest, Rules, Silent, TableFormat,
};
use search::Release;
use std::path::Path;

/// A request over some quasi-identifiers; hierarchies and orders that the publisher gives belong to `region` and `rank`.
pub(crate) fn request(folder: &Path, quasi: &[&str], sensitive: &[&str], require: &[&str]) -> PublishRequest {
    let mut columns: Vec<ColumnRequest> = vec![ColumnRequest::new("name", ColumnRole::Identifying)];
    for name in quasi {
        let mut column = ColumnRequest::new(*name, ColumnRole::Quasi);
        match *name {
            "region" => column.hierarchy = Some(folder.join("region.csv")),
            "rank" => column.order = Some(folder.join("rank.txt")),
            _ => {}
        }
        columns.push(column);
    }
    columns.extend(sensitive.iter().map(|name| ColumnRequest::new(*name, ColumnRole::Sensitive)));
    PublishRequest {
        columns,
        drop_rest: true,
        requirements: require.iter().map(|text| text.parse().unwrap()).collect(),
        out: folder.join("release"),
        ..PublishRequest::new(Input::file(folder.join("people.csv")))
    }
}

/// Publishes in both formats, searches all bytes, and gives the last release.
fn searched(what: &str, people: &People, request: PublishRequest) -> Release {
    let mut last = None;
    for format in [TableFormat::Parquet, TableFormat::Csv] {
        let request = PublishRequest { format, ..request.clone() };
        let what = format!("{what}, {format:?}");
        let _ = std::fs::remove_dir_all(&request.out);
        let _ = std::fs::remove_file(request.out.with_extension("private-batches"));
        scumble::publish(&request, &Silent).unwrap_or_else(|error| panic!("{what}: {error}"));
        let release = Release::read(&request.out);
        release.hides(&what, people, &request);
        last = Some(release);
    }
    last.unwrap()
}

#[test]
fn generalized_releases() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let asked = |quasi: &[&str]| request(folder.path(), quasi, &["illness"], &["k-anonymity(4)"]);
    for quasi in [&QUASI[..], &["code", "height"], &["grade", "town"], &["rank", "region", "born"]] {
        searched("mondrian", &people, asked(quasi));
        for algorithm in [Algorithm::MondrianRelaxed, Algorithm::Paper] {
            searched(algorithm.name(), &people, PublishRequest { algorithm: Some(algorithm), ..asked(quasi) });
        }
        for profile in [Profile::Hardened, Profile::MaxUtility] {
            searched(profile.name(), &people, PublishRequest { profile, ..asked(quasi) });
        }
        for kind in BoxKind::ALL {
            searched(kind.name(), &people, PublishRequest { boxes: Some(kind), ..asked(quasi) });
        }
        let max_suppressed = Decimal::parse("0.1").unwrap();
        searched("suppressed", &people, PublishRequest { max_suppressed, ..asked(quasi) });
    }
    let mut kept = asked(&["height", "region"]);
    kept.columns.push(ColumnRequest::new("kept", ColumnRole::Kept));
    searched("kept", &people, kept);
}

#[test]
fn releases_by_what_values_are_near() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let pay = |require: &str| request(folder.path(), &["height", "grade", "rank", "town"], &["pay"], &[require]);
    searched("proximity", &people, pay("proximity-absolute(1000, 3)"));
    searched(
        "proximity as printed",
        &people,
        PublishRequest { algorithm: Some(Algorithm::Paper), ..pay("proximity-absolute(1000, 3)") },
    );
    let held = PublishRequest { mixtures: Mixtures::Hold, ..pay("proximity-absolute(200, 3)") };
    searched("mixtures that hold", &people, held);
    let distance = Some(scumble::read_ruler_in(folder.path(), "illness:matrix:illness.csv").unwrap());
    let apart = request(folder.path(), &["height", "region", "code"], &["illness"], &["dissimilarity(0.1, 0.5, 4)"]);
    for method in [None, Some(Method::Anatomy), Some(Method::Permute)] {
        let release =
            searched("matrix", &people, PublishRequest { distance: distance.clone(), method, ..apart.clone() });
        assert!(release.text("distance-illness.csv").contains(&people.values("illness")[0]));
    }
}

#[test]
fn full_domain_releases() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let asked = |quasi: &[&str]| PublishRequest {
        method: Some(Method::FullDomain),
        ..request(folder.path(), quasi, &["illness"], &["k-anonymity(3)"])
    };
    let max_suppressed = Decimal::parse("0.3").unwrap();
    let mixed = ["code", "town", "grade", "height"];
    for quasi in [&mixed[..], &["code"], &["town"], &["grade", "rank"], &["region"], &["height", "born"]] {
        searched("levels", &people, asked(quasi));
        searched("levels and suppression", &people, PublishRequest { max_suppressed, ..asked(quasi) });
    }
    // Codes at every level, under masks and as `*`.
    let mut shown = Vec::new();
    for level in 1..5 {
        let mut request = asked(&["code", "region"]);
        request.columns[1].level = Some(level);
        request.requirements = vec!["k-anonymity(2)".parse().unwrap()];
        request.max_suppressed = Decimal::parse("0.9").unwrap();
        let release = searched("a level", &people, request);
        shown.push(release.domain("code").len());
        assert_eq!(release.has("hierarchy-code.csv"), level < 4, "{level}");
    }
    assert!(shown.is_sorted_by(|a, b| a > b) && shown[3] == 0, "{shown:?}");
    let mut conditional = asked(&["sex", "height"]);
    conditional.columns[2].hierarchy = Some(folder.path().join("height.toml"));
    let release = searched("conditional", &people, conditional);
    assert!(release.text("manifest.json").contains("\"conditional\""));
}

#[test]
fn releases_with_exact_people() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let asked = |sensitive: &[&str], require: &str| request(folder.path(), &QUASI, sensitive, &[require]);
    let anatomy = PublishRequest { method: Some(Method::Anatomy), ..asked(&["illness"], "distinct-l-diversity(3)") };
    searched("anatomy", &people, anatomy);
    let permuted = PublishRequest { method: Some(Method::Permute), ..asked(&["illness", "pay"], "k-anonymity(4)") };
    searched("permuted apart", &people, permuted.clone());
    searched("permuted together", &people, PublishRequest { together: true, ..permuted });
    searched("(k, e)", &people, asked(&["pay"], "ke-anonymity(3, 1000)"));
}

#[test]
fn angel_releases() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let names = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut asked = PublishRequest {
        method: Some(Method::Angel),
        angel_k: Some(5),
        marginals: vec![names(&["code", "grade"]), names(&["region", "rank"])],
        ..request(folder.path(), &QUASI, &["illness"], &["distinct-l-diversity(3)"])
    };
    asked.columns.push(ColumnRequest::new("kept", ColumnRole::Kept));
    for (profile, algorithm) in [
        (Profile::Hardened, Algorithm::Angel),
        (Profile::MaxUtility, Algorithm::Angel),
        (Profile::Standard, Algorithm::Paper),
        (Profile::Standard, Algorithm::Angel),
    ] {
        let what = format!("{profile} {algorithm}");
        searched(&what, &people, PublishRequest { profile, algorithm: Some(algorithm), ..asked.clone() });
    }
    scumble::extend(
        &ExtendRequest {
            release: asked.out.clone(),
            source: asked.input.clone(),
            rules: None,
            marginals: vec![names(&["grade", "height"]), names(&["born", "town"])],
            join_k: None,
            seed: None,
            insecure_seed: false,
        },
        &Silent,
    )
    .unwrap();
    Release::read(&asked.out).hides("extended", &people, &asked);
}

#[test]
fn releases_after_rules() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let (town, height) = (&people.values("town")[0], &people.values("height")[7]);
    let rules = format!(
        "[rules]\nfirst = {{ when = \"town = '{town}'\", delete = true }}\nsecond = {{ when = \"height < {height}\", blank = [\"height\", \"code\"] }}\n"
    );
    let job = Job::parse("job.toml", &rules, Path::new("")).unwrap();
    for method in [Method::Generalize, Method::FullDomain, Method::Anatomy] {
        let asked = PublishRequest {
            method: Some(method),
            rules: Rules::from_job(&job).unwrap(),
            ..request(folder.path(), &["town", "height", "code", "region"], &["illness"], &["k-anonymity(3)"])
        };
        let release = searched("rules", &people, asked);
        assert!(!release.mentions(town), "{method}");
    }
}
