//! A release in memory is the release on disk: the same manifest, the same cells, the same verdict, the same bytes.

use crate::steps::{Say, failures, job, load};
use scumble::{
    ArrowTable, Context, Decimal, ExtendRequest, FromFile, Job, Manifest, Method, Release, Source, TableFormat,
    Verdict, anonymize, publish,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// People with a number, a label under a hierarchy and a date, two sensitive columns and one that is kept; with nulls.
fn people(folder: &Path) -> Job {
    let mut text = String::from("age,town,born,illness,pay,kept\n");
    for i in 0..180u32 {
        let age = if i % 23 == 4 { String::new() } else { (20 + i * 7 % 45).to_string() };
        let town = ["Ghent", "Bruges", "Porto", "Braga"][(i * i % 4) as usize];
        let illness = if i % 31 == 7 { "" } else { ["flu", "gout", "mumps", "angina", "\"a, b\""][(i % 5) as usize] };
        let born = format!("19{}-0{}-1{}", 50 + i % 40, 1 + i % 9, i % 9);
        text += &format!("{age},{town},{born},{illness},{}.5,k{}\n", 1000 + i * 37 % 191, i % 2);
    }
    fs::write(folder.join("people.csv"), text).unwrap();
    fs::write(folder.join("towns.csv"), "Ghent;BE;*\nBruges;BE;*\nPorto;PT;*\nBraga;PT;*\n").unwrap();
    let job = job(folder.join("people.csv"), folder.join("release")).quasi(["age", "town", "born"]);
    job.sensitive(["illness", "pay"]).keep(["kept"]).vouched().requiring(&["k-anonymity(3)"]).but(|job| {
        (job.publish.seed, job.publish.insecure_seed) = (Some(11), true);
        job.column_mut("town").hierarchy = Some(FromFile::file(folder.join("towns.csv")));
    })
}

/// One job for every form, and some with files of their own beside the tables.
fn jobs(folder: &Path) -> Vec<(String, Job)> {
    let base = people(folder);
    let mut jobs = Vec::new();
    for &method in Method::ALL {
        let job = base.clone().but(|job| {
            job.publish.method = Some(method);
            if method == Method::Angel {
                job.publish.marginal = vec![vec!["age".into()], vec!["town".into(), "born".into()]];
            }
            if matches!(method, Method::Generalize | Method::FullDomain | Method::Anatomy) {
                job.publish.max_suppressed = Decimal::parse("0.1");
            }
        });
        jobs.push((method.to_string(), job));
    }
    let plain = |requirement: &str| base.clone().requiring(&[requirement]);
    jobs.push((
        "together".into(),
        base.clone().but(|job| (job.publish.method, job.publish.together) = (Some(Method::Permute), true)),
    ));
    jobs.push((
        "ke".into(),
        plain("pay: ke-anonymity(3, 10)").but(|job| job.columns.retain(|(name, _)| name != "illness")).drop_rest(),
    ));
    jobs.push((
        "apart".into(),
        plain("dissimilarity(0.1, 0.5, 4)")
            .but(|job| job.publish.distance = "l1(pay:range, illness:equal)".parse().ok()),
    ));
    jobs
}

/// The files of a folder, and of the folders in it.
fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())).collect()
}

/// A manifest without its checksums.
fn told(manifest: &Manifest) -> Value {
    fn without(value: &mut Value) {
        match value {
            Value::Object(fields) => fields.iter_mut().for_each(|(name, field)| match name.as_str() {
                "sha256" => *field = json!(""),
                _ => without(field),
            }),
            Value::Array(items) => items.iter_mut().for_each(without),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(manifest).unwrap();
    without(&mut value);
    value
}

/// The names of a table's columns, and its cells as texts, null apart from the empty text.
type Cells = (String, Vec<String>, Vec<Vec<Option<String>>>);

fn cells(tables: &[ArrowTable]) -> Vec<Cells> {
    let one = |table: &ArrowTable| {
        let raw = Source::arrow(table.schema.clone(), table.batches.clone()).read_all(&Context::new()).unwrap();
        let column = |column: &scumble_io::RawColumn| {
            let scumble_io::RawColumn::Text { dictionary, codes } = column else { panic!("a column was not read") };
            codes.iter().map(|code| (code > 0).then(|| dictionary.text(code).to_string())).collect::<Vec<_>>()
        };
        (table.name.clone(), raw.names.clone(), raw.columns.iter().map(column).collect())
    };
    tables.iter().map(one).collect()
}

/// A verdict without the checks that only files can be put to.
fn judged(verdict: &Verdict) -> Value {
    let mut value = serde_json::to_value(verdict).unwrap();
    value.as_object_mut().unwrap().remove("checks");
    value
}

#[test]
fn every_method_gives_the_same_release_in_memory_and_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let context = Context::new();
    for (name, job) in jobs(folder.path()) {
        let table = load(&job).unwrap().table;
        for format in [TableFormat::Csv, TableFormat::Parquet] {
            let what = format!("{name}, {format:?}");
            let job = job.clone().but(|job| {
                job.output.dir = Some(folder.path().join(format!("{name}-{}", format.name())));
                job.output.format = Some(format);
            });
            let release = anonymize(&table, &job, &context).unwrap();
            let published = publish(&table, &job, &context).unwrap();
            let opened = Release::open(job.out()).unwrap();
            assert_eq!(told(release.manifest()), told(opened.manifest()), "{what}");
            let (own, read) = (release.tables(&context).unwrap(), opened.tables(&context).unwrap());
            assert_eq!(cells(&own), cells(&read), "{what}");
            let schemas = |tables: &[ArrowTable]| tables.iter().map(|table| table.schema.clone()).collect::<Vec<_>>();
            assert_eq!(schemas(&own), schemas(&read), "{what}");
            assert_eq!(release.report().unwrap(), opened.report().unwrap(), "{what}");

            let verdict = release.verdict().unwrap();
            assert!(verdict.ok, "{what}: {:?}", failures(verdict));
            assert_eq!(judged(verdict), judged(&published.verdict), "{what}");
            let again = opened.verify(None, &context).unwrap();
            assert_eq!(
                serde_json::to_value(&again).unwrap(),
                serde_json::to_value(&published.verdict).unwrap(),
                "{what}"
            );
            for release in [&release, &opened] {
                let against = release.verify(Some(&table), &context).unwrap();
                assert!(against.ok, "{what}: {:?}", failures(&against));
                assert!(against.checks.iter().any(|check| check.name == "source-rows"), "{what}");
            }
            let (mut own, mut read) = (release.facts().unwrap().clone(), published.facts.clone());
            (own.partition_seconds, read.partition_seconds) = (0.0, 0.0);
            assert_eq!(serde_json::to_value(&own).unwrap(), serde_json::to_value(&read).unwrap(), "{what}");

            let dir = folder.path().join(format!("{name}-{}-later", format.name()));
            let written = release.write_as(&dir, format, false, &context).unwrap();
            assert_eq!(bytes(&dir), bytes(job.out()), "{what}");
            assert_eq!(written.private.is_some(), job.publish.method == Some(Method::Angel));
            let private = |dir: &Path| fs::read(dir.with_extension("private-batches")).ok();
            assert_eq!(private(&dir), private(job.out()), "{what}");
        }
    }
}

#[test]
fn what_was_verified_or_asked_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let context = Context::new();
    let job = people(folder.path());
    let table = load(&job).unwrap().table;
    publish(&table, &job, &context).unwrap();
    let [verified, unread] = [(); 2].map(|()| Release::open(job.out()).unwrap());
    assert!(verified.verify(None, &context).unwrap().ok);
    #[cfg(feature = "sql")]
    let count = || verified.query("SELECT COUNT(*) FROM release", &context).map(|answer| answer.rows.len());
    #[cfg(feature = "sql")]
    assert_eq!(count().unwrap(), 1);
    fs::remove_file(job.out().join("table.csv")).unwrap();
    assert!(verified.data(&context).is_ok() && unread.data(&context).is_err());
    #[cfg(feature = "sql")]
    assert_eq!(count().unwrap(), 1);
    // What is verified again is read again.
    assert!(!verified.verify(None, &context).is_ok_and(|verdict| verdict.ok));
}

#[test]
fn a_release_is_written_in_whatever_format_and_place_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let context = Context::new();
    let job = people(folder.path());
    let table = load(&job).unwrap().table;
    let release = anonymize(&table, &job, &context).unwrap();
    // Borrowing nothing, the release outlives its table.
    drop(table);
    let dir = folder.path().join("csv");
    release.write(&dir, &context).unwrap();
    assert!(dir.join("table.csv").is_file() && release.path().is_none());
    let error = release.write(&dir, &context).unwrap_err().to_string();
    assert!(error.contains("csv"), "{error}");
    release.write_as(&dir, TableFormat::Parquet, true, &context).unwrap();
    assert!(dir.join("table.parquet").is_file() && !dir.join("table.csv").exists());
    let opened = Release::open(&dir).unwrap();
    assert_eq!(cells(&opened.tables(&context).unwrap()), cells(&release.tables(&context).unwrap()));
    assert!(opened.facts().is_none() && opened.verdict().is_none());
    let error = opened.write(folder.path().join("copy"), &context).unwrap_err().to_string();
    assert!(error.contains("on disk already"), "{error}");
    let request = ExtendRequest { marginals: vec![vec!["age".into()]], ..ExtendRequest::default() };
    let error = release.extend(&job.source(), None, &request, &context).unwrap_err().to_string();
    assert!(error.contains("only a release on disk"), "{error}");
}

#[test]
fn the_seed_of_a_context_is_as_good_as_that_of_a_job() {
    let folder = tempfile::tempdir().unwrap();
    let seeded = people(folder.path());
    let open = seeded.clone().but(|job| (job.publish.seed, job.publish.insecure_seed) = (None, false));
    let table = load(&seeded).unwrap().table;
    let shown =
        |job: &Job, context: &Context| cells(&anonymize(&table, job, context).unwrap().tables(context).unwrap());
    let own = shown(&seeded, &Context::new());
    assert_eq!(own, shown(&open, &Context::new().with_seed(11)));
    assert_eq!(own, shown(&seeded, &Context::new().with_seed(12)), "the seed of the job comes first");
    assert_ne!(own, shown(&open, &Context::new()));
}

#[test]
fn altered_files_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path());
    publish(&load(&job).unwrap().table, &job, &Context::new()).unwrap();
    let table = job.out().join("table.csv");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen("flu", "mumps", 1)).unwrap();
    let opened = Release::open(job.out()).and_then(|release| release.data(&Context::new()).map(|_| ()));
    let error = opened.unwrap_err().to_string();
    assert!(error.contains("table.csv"), "{error}");
    assert!(!crate::steps::verify_alone(job.out()).ok);
    fs::remove_file(&table).unwrap();
    assert!(Release::open(job.out()).and_then(|release| release.data(&Context::new()).map(|_| ())).is_err());
}
