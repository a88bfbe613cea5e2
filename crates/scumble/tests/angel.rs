//! Angel releases from the request to the verdict: random tables, the private file, and tables that are added later.

use proptest::prelude::*;
use scumble::{
    Algorithm, ColumnRequest, ColumnRole, Error, ExtendRequest, Input, Method, Profile, PublishRequest, Silent,
    TableFormat,
};
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::PermissionsExt;
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

fn request(folder: &Path, text: &str) -> PublishRequest {
    let file = folder.join("data.csv");
    fs::write(&file, text).unwrap();
    let tree: String = (0..8).map(|z| format!("c{z};{};*\n", if z < 3 { "low" } else { "high" })).collect();
    fs::write(folder.join("z.csv"), tree).unwrap();
    let mut columns = ["n", "d", "l", "z"].map(|name| ColumnRequest::new(name, ColumnRole::Quasi)).to_vec();
    columns[3].hierarchy = Some(folder.join("z.csv"));
    columns.extend(["s", "t"].map(|name| ColumnRequest::new(name, ColumnRole::Sensitive)));
    columns[4].kind = Some(scumble::Kind::Number);
    columns.push(ColumnRequest::new("k", ColumnRole::Kept));
    PublishRequest {
        columns,
        method: Some(Method::Angel),
        angel_k: Some(2),
        marginals: vec![vec!["z".into(), "n".into()], vec!["l".into()]],
        out: folder.join("release"),
        ..PublishRequest::new(Input::file(&file))
    }
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
        let request = PublishRequest {
            requirements: wanted.iter().map(|text| text.parse().unwrap()).collect(),
            angel_k: Some(k.max(required)),
            algorithm,
            profile,
            format: if parquet { TableFormat::Parquet } else { TableFormat::Csv },
            ..request(folder.path(), &text)
        };
        let checked = || {
            let verdict = scumble::verify(&request.out, &request.requirements, Some(&request.input), None, &Silent).unwrap();
            (verdict.ok, verdict.failures().map(|check| format!("{}: {}", check.name, check.detail)).collect::<Vec<_>>(), verdict.rows)
        };
        match scumble::publish(&request, &Silent) {
            Ok(published) => {
                let (ok, failures, rows) = checked();
                prop_assert!(ok, "{failures:?}\n{text}");
                prop_assert_eq!(rows, published.rows);
                prop_assert!(published.joined.is_some() && published.private.is_some());
                let extension = ExtendRequest {
                    release: request.out.clone(),
                    source: request.input.clone(),
                    rules: None,
                    marginals: vec![vec!["d".into(), "z".into()]],
                    join_k: None,
                    seed: None,
                    insecure_seed: false,
                };
                let before = fs::read(private_file(folder.path())).unwrap();
                let extended = scumble::extend(&extension, &Silent).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
                prop_assert_eq!(extended.joined.unwrap().tables, 4);
                let (ok, failures, _) = checked();
                prop_assert!(ok, "{failures:?}\n{text}");
                prop_assert_eq!(fs::read(private_file(folder.path())).unwrap(), before);
            }
            Err(Error::Infeasible { .. }) => prop_assert!(!request.out.exists() && !private_file(folder.path()).exists()),
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
    let request = PublishRequest {
        requirements: vec!["t: frequency-l-diversity(2)".parse().unwrap()],
        seed: Some(1),
        insecure_seed: true,
        ..request(folder.path(), &plain())
    };
    let published = scumble::publish(&request, &Silent).unwrap();
    let file = private_file(folder.path());
    assert_eq!(published.private, Some(file.clone()));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("scumble private batches 1: ") && text.lines().next().unwrap().contains("never publish"));
    assert!(
        fs::read_dir(&request.out).unwrap().all(|entry| !entry
            .unwrap()
            .file_name()
            .to_string_lossy()
            .contains("private"))
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
    let table = fs::read_to_string(request.out.join("batches.csv")).unwrap();
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
    let base = PublishRequest {
        requirements: vec!["t: frequency-l-diversity(2)".parse().unwrap()],
        ..request(folder.path(), &plain())
    };
    scumble::publish(&base, &Silent).unwrap();
    let extension = ExtendRequest {
        release: base.out.clone(),
        source: base.input.clone(),
        rules: None,
        marginals: vec![vec!["d".into()]],
        join_k: None,
        seed: None,
        insecure_seed: false,
    };
    let file = private_file(folder.path());
    let (kept, tables) = (fs::read_to_string(&file).unwrap(), fs::read_dir(&base.out).unwrap().count());
    let refused = |request: &ExtendRequest| {
        let message = scumble::extend(request, &Silent).unwrap_err().to_string();
        assert_eq!(fs::read_dir(&base.out).unwrap().count(), tables, "{message}");
        message
    };
    fs::remove_file(&file).unwrap();
    assert!(refused(&extension).contains("private-batches"));
    fs::write(&file, kept.replacen("\n1\n", "\n2\n", 1)).unwrap();
    assert!(refused(&extension).contains("checksum"));
    fs::write(&file, &kept).unwrap();
    // Two rows of the source change places.
    let mut lines: Vec<String> = plain().lines().map(String::from).collect();
    lines.swap(3, 9);
    fs::write(folder.path().join("other.csv"), lines.join("\n") + "\n").unwrap();
    let other = ExtendRequest { source: Input::file(folder.path().join("other.csv")), ..extension.clone() };
    assert!(refused(&other).contains("not the data"));
    // Another release's file, moved here.
    let second = PublishRequest { out: folder.path().join("second"), ..base.clone() };
    scumble::publish(&second, &Silent).unwrap();
    fs::copy(folder.path().join("second.private-batches"), &file).unwrap();
    assert!(refused(&extension).contains("another release"));
    fs::write(&file, &kept).unwrap();
    for (marginals, word) in [
        (vec![], "which table"),
        (vec![vec!["t"]], "no quasi-identifier"),
        (vec![vec!["n", "z"]], "have a table already"),
        (vec![vec!["n", "d", "l", "z"]], "all quasi-identifiers"),
        (vec![vec!["d", "d"]], "twice"),
        (vec![vec!["d"], vec!["d"]], "have a table already"),
    ] {
        let marginals = marginals.iter().map(|m| m.iter().map(|name| name.to_string()).collect()).collect();
        let message = refused(&ExtendRequest { marginals, ..extension.clone() });
        assert!(message.contains(word), "{message}");
    }
    assert!(refused(&ExtendRequest { join_k: Some(50), ..extension.clone() }).contains("--join-k"));
    let before: Vec<Vec<u8>> = ["batches.csv", "generalized.csv", "marginal-z-n.csv"]
        .iter()
        .map(|f| fs::read(base.out.join(f)).unwrap())
        .collect();
    scumble::extend(&extension, &Silent).unwrap();
    assert!(base.out.join("marginal-d.csv").is_file());
    let after: Vec<Vec<u8>> = ["batches.csv", "generalized.csv", "marginal-z-n.csv"]
        .iter()
        .map(|f| fs::read(base.out.join(f)).unwrap())
        .collect();
    assert_eq!(before, after);
    let plain = PublishRequest {
        method: Some(Method::Generalize),
        angel_k: None,
        marginals: Vec::new(),
        out: folder.path().join("boxes"),
        ..base
    };
    scumble::publish(&plain, &Silent).unwrap();
    let message = scumble::extend(&ExtendRequest { release: plain.out, ..extension }, &Silent).unwrap_err().to_string();
    assert!(message.contains("only angel"), "{message}");
}

#[test]
fn what_cannot_be_an_angel_release_is_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let base = PublishRequest {
        requirements: vec!["t: frequency-l-diversity(2)".parse().unwrap()],
        ..request(folder.path(), &plain())
    };
    let refused = |request: PublishRequest, word: &str| {
        let error = scumble::publish(&request, &Silent).unwrap_err();
        assert!(matches!(error, Error::Request { .. }) && error.to_string().contains(word), "{error}");
        assert!(!request.out.exists());
    };
    let requiring = |text: &str| PublishRequest { requirements: vec![text.parse().unwrap()], ..base.clone() };
    refused(requiring("s: proximity-absolute(10, 2)"), "proximity-window(10, 10, 2)");
    refused(requiring("s: proximity-interval(1, 2, 2)"), "s: proximity-window(1, 2, 2)");
    refused(requiring("s: proximity-relative(0.1, 2)"), "generalize or anatomy");
    refused(PublishRequest { angel_k: None, ..base.clone() }, "how many people");
    refused(PublishRequest { angel_k: Some(0), ..base.clone() }, "at least one person");
    refused(PublishRequest { angel_k: Some(100), ..base.clone() }, "60");
    refused(PublishRequest { angel_k: Some(2), ..requiring("k-anonymity(3)") }, "at least 3");
    refused(PublishRequest { angel_k: Some(2), ..requiring("t: alpha-k-anonymity(0.9, 5)") }, "at least 5");
    refused(PublishRequest { join_k: Some(0), ..base.clone() }, "--join-k");
    refused(PublishRequest { algorithm: Some(Algorithm::Mondrian), ..base.clone() }, "not made by it");
    refused(PublishRequest { max_suppressed: scumble::Decimal::parse("0.1").unwrap(), ..base.clone() }, "all rows");
    refused(PublishRequest { marginals: vec![vec!["nn".into()]], ..base.clone() }, "no quasi-identifier");
    refused(PublishRequest { marginals: vec![vec!["s".into()]], ..base.clone() }, "table of batches");
    refused(PublishRequest { method: Some(Method::Generalize), ..base.clone() }, "only --method angel");
    refused(
        PublishRequest {
            method: Some(Method::Generalize),
            angel_k: None,
            marginals: Vec::new(),
            algorithm: Some(Algorithm::Angel),
            ..base.clone()
        },
        "generalize",
    );
    refused(
        PublishRequest {
            columns: base.columns.iter().filter(|c| c.role != ColumnRole::Sensitive).cloned().collect(),
            drop_rest: true,
            ..base
        },
        "hides whose sensitive values",
    );
}

#[test]
fn k_anonymity_gives_boxes_their_size_where_nothing_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let base = PublishRequest {
        requirements: vec!["k-anonymity(4)".parse().unwrap()],
        angel_k: None,
        ..request(folder.path(), &plain())
    };
    scumble::publish(&base, &Silent).unwrap();
    let manifest = fs::read_to_string(base.out.join("manifest.json")).unwrap();
    assert!(manifest.contains("\"angel_k\": 4"), "{manifest}");
}

#[test]
fn boxes_of_one_are_exact_values() {
    let folder = tempfile::tempdir().unwrap();
    let base = PublishRequest {
        requirements: vec!["t: frequency-l-diversity(2)".parse().unwrap()],
        angel_k: Some(1),
        ..request(folder.path(), &plain())
    };
    scumble::publish(&base, &Silent).unwrap();
    for file in ["generalized.csv", "marginal-z-n.csv", "marginal-l.csv"] {
        let text = fs::read_to_string(base.out.join(file)).unwrap();
        assert!(!text.contains(['[', '{', '*']), "{text}");
    }
}

#[test]
fn two_extensions_at_once_both_come_through() {
    let folder = tempfile::tempdir().unwrap();
    let base = PublishRequest {
        requirements: vec!["t: frequency-l-diversity(2)".parse().unwrap()],
        ..request(folder.path(), &plain())
    };
    scumble::publish(&base, &Silent).unwrap();
    let extend = |names: &[&str]| {
        let extension = ExtendRequest {
            release: base.out.clone(),
            source: base.input.clone(),
            rules: None,
            marginals: vec![names.iter().map(|name| name.to_string()).collect()],
            join_k: None,
            seed: Some(4),
            insecure_seed: true,
        };
        scumble::extend(&extension, &Silent).unwrap();
    };
    std::thread::scope(|scope| {
        for names in [&["d"][..], &["n"], &["z"], &["d", "l"]] {
            scope.spawn(move || extend(names));
        }
    });
    for file in ["marginal-d.csv", "marginal-n.csv", "marginal-z.csv", "marginal-d-l.csv"] {
        assert!(base.out.join(file).is_file(), "{file}");
    }
    assert!(scumble::verify(&base.out, &[], Some(&base.input), None, &Silent).unwrap().ok);
    // Seeded coins of an added table are no secret.
    assert!(fs::read_to_string(base.out.join("manifest.json")).unwrap().contains("\"coins\": \"seeded\""));
}

#[test]
fn nothing_private_is_written_over_or_into_a_release() {
    let folder = tempfile::tempdir().unwrap();
    let base = PublishRequest {
        requirements: vec!["t: frequency-l-diversity(2)".parse().unwrap()],
        ..request(folder.path(), &plain())
    };
    let file = private_file(folder.path());
    let refused = |request: &PublishRequest, word: &str| {
        let message = scumble::publish(request, &Silent).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    fs::write(&file, "precious").unwrap();
    refused(&base, "stands where the private file");
    refused(&PublishRequest { replace: true, ..base.clone() }, "stands where the private file");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    fs::remove_file(&file).unwrap();
    scumble::publish(&base, &Silent).unwrap();
    refused(&PublishRequest { out: base.out.join("sub"), ..base.clone() }, "would lie in the release");
    // The release has gone elsewhere, its private file has not.
    let kept = fs::read(&file).unwrap();
    fs::rename(&base.out, folder.path().join("published")).unwrap();
    refused(&base, "private file of another release");
    assert_eq!(fs::read(&file).unwrap(), kept);
    scumble::publish(&PublishRequest { replace: true, ..base }, &Silent).unwrap();
}

#[test]
fn names_of_tables_do_not_collide() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..40).map(|i| format!("{},{},{},{},{}\n", i % 3, i % 5, i % 4, i % 2, i % 3)).collect();
    let file = folder.path().join("data.csv");
    fs::write(&file, format!("a-b,c,a,b-c,s\n{text}")).unwrap();
    let mut columns = ["a-b", "c", "a", "b-c"].map(|name| ColumnRequest::new(name, ColumnRole::Quasi)).to_vec();
    columns.push(ColumnRequest::new("s", ColumnRole::Sensitive));
    let marginals = [["a-b", "c"], ["a", "b-c"]].map(|names| names.map(String::from).to_vec()).to_vec();
    let request = PublishRequest {
        columns,
        requirements: vec!["distinct-l-diversity(2)".parse().unwrap()],
        method: Some(Method::Angel),
        angel_k: Some(3),
        marginals,
        out: folder.path().join("release"),
        ..PublishRequest::new(Input::file(&file))
    };
    let message = scumble::publish(&request, &Silent).unwrap_err().to_string();
    assert!(message.contains("marginal-a-b-c") && message.contains("`a-b,c`"), "{message}");
}

/// Generated people with their own occupations, or with those of strangers, published as an angel release in a profile.
fn occupations(folder: &Path, profile: Profile, own: bool) -> scumble::Result<scumble::Published> {
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
    let quasi = ["marital", "workclass", "education", "gender", "age"];
    let mut columns: Vec<ColumnRequest> = quasi.map(|name| ColumnRequest::new(name, ColumnRole::Quasi)).to_vec();
    columns.push(ColumnRequest::new("occupation", ColumnRole::Sensitive));
    let request = PublishRequest {
        columns,
        requirements: vec!["frequency-l-diversity(4)".parse().unwrap()],
        method: Some(Method::Angel),
        angel_k: Some(10),
        profile,
        seed: Some(1),
        insecure_seed: true,
        out: folder.join(profile.name()),
        ..PublishRequest::new(Input::file(&file))
    };
    scumble::publish(&request, &Silent)
}

/// Where values do not go with quasi-identifiers all that the guess can learn from is who was put in which batch: nothing, as
/// batches are dealt by chance.
#[test]
fn the_common_value_of_a_box_tells_no_more_than_claimed() {
    let folder = tempfile::tempdir().unwrap();
    for profile in [Profile::Standard, Profile::Hardened] {
        let dealt = occupations(folder.path(), profile, false).unwrap().common_value.unwrap();
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
        let facts = published.common_value.unwrap();
        assert!(!facts.all.exceeds() && !facts.apart.exceeds(), "{facts:?}");
        let least = facts.least_batch.expect("batches are larger than the requirement asks");
        assert!(least > 4 && published.group_sizes.min >= least, "{least} {:?}", published.group_sizes);
        let manifest = std::fs::read_to_string(published.release.join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["requirements"], serde_json::json!(["frequency-l-diversity(4)"]));
        assert_eq!((&manifest["attained"].as_array().unwrap().len(), &manifest["angel_k"]), (&1, &10.into()));
        assert_eq!(manifest["mixtures"], "claimed");
        assert_eq!(scumble::verify(&published.release, &[], None, None, &Silent).unwrap().failures().count(), 0);
    }
    let facts = occupations(folder.path(), Profile::MaxUtility, true).unwrap().common_value.unwrap();
    assert!(facts.apart.tells() && facts.least_batch.is_none(), "{facts:?}");
}
