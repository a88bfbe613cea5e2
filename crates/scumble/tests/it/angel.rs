//! Angel releases from the request to the verdict: random tables, the private file, and tables that are added later.

use crate::steps::{Say, failures, job, publish, refusal, verify, verify_alone};
use proptest::prelude::*;
use scumble::{
    Algorithm, ColumnRole, Context, Decimal, Error, ExtendRequest, FromFile, Job, Kind, Method, Profile, Published,
    Release, Source, TableFormat,
};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A random table: a number, a date, a label and a code under a hierarchy, two sensitive columns, one kept; with nulls.
fn tables() -> impl Strategy<Value = String> {
    let row = (0..12i32, 0..9u32, 0..5usize, 0..8u32, 0..6u32, 0..4usize, 0..3u32);
    prop::collection::vec(row, 4..90).prop_map(|rows| {
        let mut text = String::from("n,d,l,z,s,t,k\n");
        for (n, d, l, z, s, t, k) in rows {
            let blank = |null: bool, text: String| if null { String::new() } else { text };
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{k}",
                blank(n == 11, format!("{}", f64::from(n * n) / 4.0 - 3.0)),
                blank(d == 8, format!("2020-0{}-1{d}", d + 1)),
                ["", "a|b", "{c}", "*", "plain"][l],
                format_args!("c{z}"),
                blank(s == 5, format!("{}", s * 100)),
                ["", "x", "y", "z"][t],
            );
        }
        text
    })
}

fn asked(folder: &Path, text: &str) -> Job {
    fs::write(folder.join("data.csv"), text).unwrap();
    let tree: String = (0..8).map(|z| format!("c{z};{};*\n", if z < 3 { "low" } else { "high" })).collect();
    fs::write(folder.join("z.csv"), tree).unwrap();
    let job = job(folder.join("data.csv"), folder.join("release"));
    let job = job.quasi(["n", "d", "l", "z"]).sensitive(["s", "t"]).keep(["k"]).vouched();
    job.but(|job| {
        job.column_mut("z").hierarchy = Some(FromFile::file(folder.join("z.csv")));
        job.column_mut("s").kind = Some(Kind::Number);
        (job.publish.method, job.publish.angel_k) = (Some(Method::Angel), Some(2));
        job.publish.marginal = vec![vec!["z".into(), "n".into()], vec!["l".into()]];
    })
}

/// The same about rows that everything can be asked of, with different values in every batch.
fn diverse(folder: &Path) -> Job {
    asked(folder, &plain()).requiring(&["t: frequency-l-diversity(2)"])
}

/// Tables of these columns, with secret coins.
fn adding(marginals: &[&[&str]]) -> ExtendRequest {
    let names = |names: &&[&str]| names.iter().map(|name| name.to_string()).collect();
    ExtendRequest { marginals: marginals.iter().map(names).collect(), ..ExtendRequest::default() }
}

/// Adds tables to the release of a job.
fn extend(job: &Job, request: &ExtendRequest) -> scumble::Result<Published> {
    Release::open(job.out())?.extend(&job.source(), None, request, &Context::new())
}

fn private_file(folder: &Path) -> PathBuf {
    folder.join("release.private-batches")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_angel_release_verifies_and_can_be_extended(
        text in tables(),
        wanted in prop::sample::select(vec![
            vec!["k-anonymity(1)"],
            vec!["k-anonymity(3)"],
            vec!["t: distinct-l-diversity(2)"],
            vec!["t: frequency-l-diversity(2)"],
            vec!["s: frequency-l-diversity(3)", "t: entropy-l-diversity(1.3)"],
            vec!["t: recursive-l-diversity(4, 2)", "k-anonymity(2)"],
            vec!["t-closeness(0.4)"],
            vec!["t: beta-likeness(1, enhanced-two-sided)"],
            vec!["t: delta-disclosure(1.5)"],
            vec!["s: t-closeness(0.25, ordered)"],
            vec!["s: variance(100)", "alpha-k-anonymity(0.9, 2)"],
            vec!["s: ke-anonymity(2, 100)"],
        ]),
        k in 1u64..5,
        algorithm in prop::sample::select(vec![None, Some(Algorithm::Angel), Some(Algorithm::Paper)]),
        profile in prop::sample::select(Profile::ALL.to_vec()),
        parquet in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let required = if wanted.contains(&"k-anonymity(3)") { 3 } else { 2 };
        let job = asked(folder.path(), &text).requiring(&wanted).but(|job| {
            job.publish.angel_k = Some(k.max(required));
            (job.publish.algorithm, job.publish.profile) = (algorithm, Some(profile));
            job.output.format = parquet.then_some(TableFormat::Parquet);
        });
        match publish(&job) {
            Ok(published) => {
                let verdict = verify(&job);
                prop_assert!(verdict.ok, "{:?}\n{text}", failures(&verdict));
                prop_assert_eq!(verdict.rows, published.facts.rows);
                prop_assert!(published.facts.joined.is_some() && published.private.is_some());
                let before = fs::read(private_file(folder.path())).unwrap();
                match extend(&job, &adding(&[&["d", "z"]])) {
                    Ok(extended) => prop_assert_eq!(extended.facts.joined.unwrap().tables, 4),
                    // A star stands as the two ends that the release shows, and the new table would show others.
                    Err(Error::Request { field, value, .. }) => {
                        prop_assert!(parquet && field == "marginal" && value == "d", "{field} {value}\n{text}");
                    }
                    Err(error) => prop_assert!(false, "{error}\n{text}"),
                }
                let verdict = verify(&job);
                prop_assert!(verdict.ok, "{:?}\n{text}", failures(&verdict));
                prop_assert_eq!(fs::read(private_file(folder.path())).unwrap(), before);
            }
            Err(Error::Infeasible { .. }) => prop_assert!(!job.out().exists() && !private_file(folder.path()).exists()),
            Err(other) => prop_assert!(false, "{other}\n{text}"),
        }
    }
}

/// Sixty rows that everything can be asked of.
fn plain() -> String {
    let mut text = String::from("n,d,l,z,s,t,k\n");
    for i in 0..60 {
        let _ = writeln!(
            text,
            "{},2020-01-{:02},plain,c{},{},{},{}",
            i % 17,
            i % 28 + 1,
            i % 8,
            i * 7 % 31,
            ["x", "y", "z"][i % 3],
            i % 3
        );
    }
    text
}

#[test]
fn the_private_file_is_private_and_ties_rows_to_batches() {
    let folder = tempfile::tempdir().unwrap();
    let job = diverse(folder.path()).but(|job| (job.publish.seed, job.publish.insecure_seed) = (Some(1), true));
    let published = publish(&job).unwrap();
    let file = private_file(folder.path());
    assert_eq!(published.private, Some(file.clone()));
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file).unwrap().permissions()) & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("scumble private batches 1: ") && text.lines().next().unwrap().contains("never publish"));
    assert!(
        fs::read_dir(job.out()).unwrap().all(|entry| !entry.unwrap().file_name().to_string_lossy().contains("private"))
    );
    // Rows of the source with their batches count what the release counts.
    let batch_of_row: Vec<&str> = text.lines().skip(4).take(60).collect();
    let source = plain();
    let mut counted: Vec<String> = Vec::new();
    for (batch, line) in batch_of_row.iter().zip(source.lines().skip(1)) {
        let cells: Vec<&str> = line.split(',').collect();
        counted.push(format!("{batch},{},{}", cells[4], cells[5]));
    }
    counted.sort();
    let table = fs::read_to_string(job.out().join("batches.csv")).unwrap();
    let mut published: Vec<String> = Vec::new();
    for line in table.lines().skip(1) {
        let (values, count) = line.rsplit_once(',').unwrap();
        published.extend(std::iter::repeat_n(values.to_string(), count.parse().unwrap()));
    }
    published.sort();
    assert_eq!(counted, published);
}

#[test]
fn an_extension_needs_its_own_private_file_and_source() {
    let folder = tempfile::tempdir().unwrap();
    let base = diverse(folder.path());
    publish(&base).unwrap();
    let file = private_file(folder.path());
    let (kept, tables) = (fs::read_to_string(&file).unwrap(), fs::read_dir(base.out()).unwrap().count());
    let refused_from = |source: &Source, request: &ExtendRequest| {
        let release = Release::open(base.out()).unwrap();
        let message = refusal(release.extend(source, None, request, &Context::new()));
        assert_eq!(fs::read_dir(base.out()).unwrap().count(), tables, "{message}");
        message
    };
    let refused = |request: &ExtendRequest| refused_from(&base.source(), request);
    let extension = adding(&[&["d"]]);
    fs::remove_file(&file).unwrap();
    assert!(refused(&extension).contains("private-batches"));
    fs::write(&file, kept.replacen("\n1\n", "\n2\n", 1)).unwrap();
    assert!(refused(&extension).contains("checksum"));
    fs::write(&file, &kept).unwrap();
    // Two rows of the source change places.
    let mut lines: Vec<String> = plain().lines().map(String::from).collect();
    lines.swap(3, 9);
    fs::write(folder.path().join("other.csv"), lines.join("\n") + "\n").unwrap();
    assert!(refused_from(&Source::file(folder.path().join("other.csv")), &extension).contains("not the data"));
    // Another release's file, moved here.
    publish(&base.clone().but(|job| job.output.dir = Some(folder.path().join("second")))).unwrap();
    fs::copy(folder.path().join("second.private-batches"), &file).unwrap();
    assert!(refused(&extension).contains("another release"));
    fs::write(&file, &kept).unwrap();
    let wrong: [(&[&[&str]], &str); 6] = [
        (&[], "which table"),
        (&[&["t"]], "no quasi-identifier"),
        (&[&["n", "z"]], "have a table already"),
        (&[&["n", "d", "l", "z"]], "all quasi-identifiers"),
        (&[&["d", "d"]], "twice"),
        (&[&["d"], &["d"]], "have a table already"),
    ];
    for (marginals, word) in wrong {
        let message = refused(&adding(marginals));
        assert!(message.contains(word), "{message}");
    }
    let message = refused(&ExtendRequest { join_k: Some(50), ..extension.clone() });
    assert!(message.contains("meets `join_k` 50") && message.ends_with("leave `join_k` out"), "{message}");
    let tables = || {
        let files = ["batches.csv", "generalized.csv", "marginal-z-n.csv"];
        files.map(|file| fs::read(base.out().join(file)).unwrap())
    };
    let before = tables();
    extend(&base, &extension).unwrap();
    assert!(base.out().join("marginal-d.csv").is_file());
    assert_eq!(before, tables());
    let plain = base.but(|job| {
        (job.publish.method, job.publish.angel_k, job.publish.marginal) = (Some(Method::Generalize), None, Vec::new());
        job.output.dir = Some(folder.path().join("boxes"));
    });
    publish(&plain).unwrap();
    let message = refusal(extend(&plain, &extension));
    assert!(message.contains("only angel"), "{message}");
}

/// The request makes sense, and the answer is no.
#[test]
fn an_angel_k_above_the_number_of_rows_is_infeasible_and_not_a_wrong_request() {
    let folder = tempfile::tempdir().unwrap();
    let job = diverse(folder.path()).but(|job| job.publish.angel_k = Some(100));
    let error = publish(&job).unwrap_err();
    let Error::Infeasible { requirement, nearest, .. } = &error else { panic!("{error}") };
    assert_eq!((requirement.as_str(), nearest.as_slice()), ("«angel_k» 100", &["60".to_string()][..]));
    assert_eq!(error.exit_code(), 1);
    assert!(!job.out().exists());
}

#[test]
fn what_cannot_be_an_angel_release_is_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let base = diverse(folder.path());
    let refused_job = |job: Job, word: &str| {
        let error = publish(&job).unwrap_err();
        assert!(matches!(error, Error::Request { .. }) && error.to_string().contains(word), "{error}");
        assert!(!job.out().exists());
    };
    let requiring = |text: &str, word: &str| refused_job(base.clone().requiring(&[text]), word);
    requiring("s: proximity-absolute(10, 2)", "proximity-window(10, 10, 2)");
    requiring("s: proximity-interval(1, 2, 2)", "s: proximity-window(1, 2, 2)");
    requiring("s: proximity-relative(0.1, 2)", "generalize or anatomy");
    requiring("k-anonymity(3)", "at least 3");
    requiring("t: alpha-k-anonymity(0.9, 5)", "at least 5");
    let refused = |change: &dyn Fn(&mut Job), word: &str| refused_job(base.clone().but(change), word);
    refused(&|job| job.publish.angel_k = None, "how many people");
    refused(&|job| job.publish.angel_k = Some(0), "at least one person");
    refused(&|job| job.publish.join_k = Some(0), "`join_k`");
    refused(&|job| job.publish.algorithm = Some(Algorithm::Mondrian), "not made by it");
    refused(&|job| job.publish.max_suppressed = Decimal::parse("0.1"), "all rows");
    refused(&|job| job.publish.marginal = vec![vec!["nn".into()]], "no quasi-identifier");
    refused(&|job| job.publish.marginal = vec![vec!["s".into()]], "table of batches");
    refused(&|job| job.publish.method = Some(Method::Generalize), "only `method` angel");
    refused(
        &|job| {
            let publish = &mut job.publish;
            (publish.method, publish.algorithm) = (Some(Method::Generalize), Some(Algorithm::Angel));
            (publish.angel_k, publish.marginal) = (None, Vec::new());
        },
        "generalize",
    );
    refused(
        &|job| {
            job.columns.retain(|(_, column)| column.role != Some(ColumnRole::Sensitive));
            job.publish.drop_rest = true;
        },
        "hides whose sensitive values",
    );
}

#[test]
fn k_anonymity_gives_boxes_their_size_where_nothing_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let job = asked(folder.path(), &plain()).requiring(&["k-anonymity(4)"]).but(|job| job.publish.angel_k = None);
    publish(&job).unwrap();
    let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"angel_k\": 4"), "{manifest}");
}

#[test]
fn boxes_of_one_are_exact_values() {
    let folder = tempfile::tempdir().unwrap();
    let job = diverse(folder.path()).but(|job| job.publish.angel_k = Some(1));
    publish(&job).unwrap();
    for file in ["generalized.csv", "marginal-z-n.csv", "marginal-l.csv"] {
        let text = fs::read_to_string(job.out().join(file)).unwrap();
        assert!(!text.contains(['[', '{', '*']), "{text}");
    }
}

#[test]
fn two_extensions_at_once_both_come_through() {
    let folder = tempfile::tempdir().unwrap();
    let base = diverse(folder.path());
    publish(&base).unwrap();
    let add = |names: &[&str]| {
        let request = ExtendRequest { seed: Some(4), insecure_seed: true, ..adding(&[names]) };
        extend(&base, &request).unwrap();
    };
    std::thread::scope(|scope| {
        for names in [&["d"][..], &["n"], &["z"], &["d", "l"]] {
            scope.spawn(move || add(names));
        }
    });
    for file in ["marginal-d.csv", "marginal-n.csv", "marginal-z.csv", "marginal-d-l.csv"] {
        assert!(base.out().join(file).is_file(), "{file}");
    }
    assert!(verify(&base).ok);
    // Seeded coins of an added table are no secret.
    assert!(fs::read_to_string(base.out().join("manifest.json")).unwrap().contains("\"coins\": \"seeded\""));
}

#[test]
fn nothing_private_is_written_over_or_into_a_release() {
    let folder = tempfile::tempdir().unwrap();
    let base = diverse(folder.path());
    let replacing = base.clone().but(|job| job.output.replace = true);
    let file = private_file(folder.path());
    let refused = |job: &Job, word: &str| {
        let message = refusal(publish(job));
        assert!(message.contains(word), "{message}");
    };
    fs::write(&file, "precious").unwrap();
    refused(&base, "stands where the private file");
    refused(&replacing, "stands where the private file");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    fs::remove_file(&file).unwrap();
    publish(&base).unwrap();
    refused(&base.clone().but(|job| job.output.dir = Some(base.out().join("sub"))), "would lie in the release");
    // The release has gone elsewhere, its private file has not.
    let kept = fs::read(&file).unwrap();
    fs::rename(base.out(), folder.path().join("published")).unwrap();
    refused(&base, "private file of another release");
    assert_eq!(fs::read(&file).unwrap(), kept);
    publish(&replacing).unwrap();
}

#[test]
fn names_of_tables_do_not_collide() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..40).map(|i| format!("{},{},{},{},{}\n", i % 3, i % 5, i % 4, i % 2, i % 3)).collect();
    let file = folder.path().join("data.csv");
    fs::write(&file, format!("a-b,c,a,b-c,s\n{text}")).unwrap();
    let job = job(&file, folder.path().join("release")).quasi(["a-b", "c", "a", "b-c"]).sensitive(["s"]);
    let job = job.requiring(&["distinct-l-diversity(2)"]).but(|job| {
        (job.publish.method, job.publish.angel_k) = (Some(Method::Angel), Some(3));
        job.publish.marginal = [["a-b", "c"], ["a", "b-c"]].map(|names| names.map(String::from).to_vec()).to_vec();
    });
    let message = refusal(publish(&job));
    assert!(message.contains("marginal-a-b-c") && message.contains("`a-b,c`"), "{message}");
}

/// Generated people with their own occupations, or with those of strangers, published as an angel release in a profile.
fn occupations(folder: &Path, profile: Profile, own: bool) -> scumble::Result<Published> {
    let file = folder.join("occupation.csv");
    let mut text = Vec::new();
    scumble::generate(scumble::Sample::Occupation, 20_000, 1, &mut text, &mut |_| ()).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (header, people) = text.split_once('\n').unwrap();
    let at = header.split(',').position(|name| name == "occupation").unwrap();
    let people: Vec<Vec<&str>> = people.lines().map(|line| line.split(',').collect()).collect();
    let mut lines = vec![header.to_string()];
    for (i, person) in people.iter().enumerate() {
        let mut fields = person.clone();
        fields[at] = people[if own { i } else { (i + 7919) % people.len() }][at];
        lines.push(fields.join(","));
    }
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let job = job(&file, folder.join(profile.name())).sensitive(["occupation"]);
    let job = job.quasi(["marital", "workclass", "education", "gender", "age"]);
    publish(&job.requiring(&["frequency-l-diversity(4)"]).but(|job| {
        (job.publish.method, job.publish.angel_k) = (Some(Method::Angel), Some(10));
        job.publish.profile = Some(profile);
        (job.publish.seed, job.publish.insecure_seed) = (Some(1), true);
    }))
}

/// Where values do not go with quasi-identifiers all that the guess can learn from is who was put in which batch: nothing, as
/// batches are dealt by chance.
#[test]
fn the_common_value_of_a_box_tells_no_more_than_claimed() {
    let folder = tempfile::tempdir().unwrap();
    for profile in [Profile::Standard, Profile::Hardened] {
        let dealt = occupations(folder.path(), profile, false).unwrap().facts.common_value.unwrap();
        assert!(dealt.all.people > 500, "{dealt:?}");
        let more = (dealt.all.hits as f64 - dealt.all.claimed) / dealt.all.people as f64;
        assert!(more.abs() < 0.03 && !dealt.worse().exceeds(), "{dealt:?}");
    }
}

/// Where nearly everybody of a box has the same value, batches of different values keep these people apart, whoever deals, and the guess
/// is right too often: batches are made larger until it is not, and the requirements and boxes stay what they were.
#[test]
fn people_of_a_box_who_share_a_value_get_larger_batches() {
    let folder = tempfile::tempdir().unwrap();
    for profile in [Profile::Standard, Profile::Hardened] {
        let published = occupations(folder.path(), profile, true).unwrap();
        let facts = published.facts.common_value.unwrap();
        assert!(!facts.all.exceeds() && !facts.apart.exceeds(), "{facts:?}");
        let least = facts.least_batch.expect("batches are larger than the requirement asks");
        assert!(least > 4 && published.facts.group_sizes.min >= least, "{least} {:?}", published.facts.group_sizes);
        let manifest = std::fs::read_to_string(published.release.join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["requirements"], serde_json::json!(["frequency-l-diversity(4)"]));
        assert_eq!((&manifest["attained"].as_array().unwrap().len(), &manifest["angel_k"]), (&1, &10.into()));
        assert_eq!(manifest["mixtures"], "claimed");
        assert_eq!(verify_alone(&published.release).failures().count(), 0);
    }
    let facts = occupations(folder.path(), Profile::MaxUtility, true).unwrap().facts.common_value.unwrap();
    assert!(facts.apart.tells() && facts.least_batch.is_none(), "{facts:?}");
}
