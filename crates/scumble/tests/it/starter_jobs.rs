//! The job that `inspect` proposes is one that `publish` accepts, word for word.

use crate::steps::{Say, failures, job, refusal, verify_alone};
use scumble::{ColumnRole, Context, Inspection, Job, Sample, Source, generate, inspect, publish};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

fn inspected(file: &Path) -> Inspection {
    let context = Context::new();
    inspect(&Source::file(file).read_all(&context).unwrap(), &context).unwrap()
}

/// Inspects a file, writes the job down, reads it back and publishes by it.
fn publishes_its_starter_job(file: &Path) -> (Inspection, Job) {
    let found = inspected(file);
    let folder = tempfile::tempdir().unwrap();
    let mut proposed = found.job();
    proposed.input.path = Some(file.to_path_buf());
    proposed.output.dir = Some(folder.path().join("release"));
    let written = folder.path().join("job.toml");
    fs::write(&written, found.job_text(&proposed)).unwrap();
    let job = Job::read(&written).unwrap();
    assert_eq!(job, proposed);
    let context = Context::new();
    let name = file.display();
    scumble::check(&job).unwrap_or_else(|error| panic!("{name}: {error}"));
    let table = job.source().read(&job, &context).unwrap_or_else(|error| panic!("{name}: {error}"));
    publish(&table, &job, &context).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(failures(&verify_alone(job.out())), Vec::<String>::new(), "{name}");
    (found, job)
}

fn role(found: &Inspection, name: &str) -> (ColumnRole, String) {
    let column = found.columns.iter().find(|column| column.name == name).unwrap_or_else(|| panic!("no column {name}"));
    (column.proposal, column.because.to_string())
}

#[test]
fn of_every_sample() {
    let folder = tempfile::tempdir().unwrap();
    for sample in Sample::ALL {
        let file = folder.path().join("sample.csv");
        let mut out = fs::File::create(&file).unwrap();
        generate(sample, 3000, 7, &mut out, &mut |_| ()).unwrap();
        let (found, _) = publishes_its_starter_job(&file);
        if sample == Sample::Visits {
            assert_eq!(role(&found, "patient").0, ColumnRole::Person);
            assert_eq!(role(&found, "household").0, ColumnRole::Identifying);
            assert_eq!(role(&found, "code").0, ColumnRole::Sensitive);
            let (weight, because) = role(&found, "weight");
            assert!(weight == ColumnRole::Dropped && because.contains("survey weight"), "{because}");
            assert!(found.persons.is_some_and(|persons| persons < 3000));
        }
    }
}

/// The first rows of a data set, in a file of their own.
fn first_rows(file: &Path, folder: &Path, rows: usize) -> PathBuf {
    let bytes = fs::read(file).unwrap();
    let mut text = Vec::new();
    match file.extension().is_some_and(|end| end == "gz") {
        true => drop(flate2::read::MultiGzDecoder::new(&bytes[..]).take(64 << 20).read_to_end(&mut text).unwrap()),
        false => text = bytes,
    }
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').take(rows + 1).collect();
    let cut = folder.join("data.csv");
    fs::write(&cut, lines.concat()).unwrap();
    cut
}

#[test]
#[allow(clippy::print_stdout, reason = "says which data sets are not there")]
fn of_public_data_sets() {
    let data = std::env::var_os("SCUMBLE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    for (file, rows) in [
        ("adult/adult_all_48842.csv.gz", 48_842),
        ("adult/adult_capital_loss_1427.csv", 1_427),
        ("acs2024/acs2024_sal_like_500000.csv.gz", 20_000),
        ("acsincome2018/ACSIncome_665800.csv.gz", 20_000),
        ("nhanes/NHANESraw_20293.csv.gz", 4_000),
    ] {
        let path = data.join(file);
        if !path.exists() {
            println!("skipped: {file} is not there");
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let (found, job) = publishes_its_starter_job(&first_rows(&path, folder.path(), rows));
        assert!(job.named(ColumnRole::Quasi).next().is_some(), "{file}");
        if file.starts_with("adult/adult_all") {
            let copies = found.copies.iter().any(|copy| copy.column.starts_with("education") && copy.one_to_one);
            let names: Vec<&str> = found.columns.iter().map(|column| column.name.as_str()).collect();
            assert!(copies || !names.contains(&"education-num"), "{names:?} {:?}", found.copies);
        }
        if file.starts_with("nhanes") {
            assert_eq!(role(&found, "WTMEC2YR").0, ColumnRole::Dropped);
            assert_eq!(role(&found, "Weight").0, ColumnRole::Quasi);
        }
    }
}

/// A register with everything that must not be called quasi-identifying.
fn register(folder: &Path) -> PathBuf {
    let file = folder.join("register.csv");
    let lines: String = (0..400u32)
        .map(|n| {
            let born = format!("{:02}.{:02}.{}", 1 + n % 28, 1 + n * 5 % 12, 1930 + n * 7 % 70);
            let note = format!("seen again after {n} days and feeling well in ward {} on arrival", n % 9);
            let time = format!("2024-{:02}-{:02} {:02}:{:02}", 1 + n % 12, 1 + n % 28, n % 24, n * 11 % 60);
            let (level, years) = (n * 13 % 5, 8 + 2 * (n * 13 % 5));
            format!(
                "{n},{born},{time},{note},{}.{:02},street {n},{},{years},l{level},{},c{}\n",
                100 + n % 83,
                n % 97,
                20 + n * 3 % 49,
                (20 + n * 3 % 49) / 10,
                n % 6
            )
        })
        .collect();
    let head = "record,born,arrived,note,pwgtp,corner,age,years,level,decade,diagnosis\n";
    fs::write(&file, format!("{head}{lines}")).unwrap();
    file
}

#[test]
fn what_would_give_people_away_is_not_proposed_as_quasi() {
    let folder = tempfile::tempdir().unwrap();
    let file = register(folder.path());
    let (found, job) = publishes_its_starter_job(&file);
    for (name, part) in [
        ("born", "dates in another notation"),
        ("arrived", "times of day"),
        ("note", "free text"),
        ("pwgtp", "survey weight"),
        ("level", "says the same as `years`"),
        ("decade", "says less than `age`"),
    ] {
        let (role, because) = role(&found, name);
        assert!(role == ColumnRole::Dropped && because.contains(part), "{name}: {role} {because}");
    }
    assert_eq!(role(&found, "record").0, ColumnRole::Identifying);
    let quasi: Vec<&str> = job.named(ColumnRole::Quasi).collect();
    assert_eq!(quasi, ["age", "years"]);
    let copies: Vec<_> =
        found.copies.iter().map(|copy| (copy.column.as_str(), copy.of.as_str(), copy.one_to_one)).collect();
    assert_eq!(copies, [("decade", "age", false), ("level", "years", true)]);
    // Called quasi all the same, they are refused.
    let told = refusal(scumble_publish_as_quasi(&file, folder.path(), "born"));
    assert!(told.contains("day first"), "{told}");
}

fn scumble_publish_as_quasi(file: &Path, folder: &Path, name: &str) -> scumble::Result<scumble::Published> {
    let job = job(file, folder.join("release")).quasi(["age", name]).requiring(&["k-anonymity(5)"]);
    let job = job.but(|job| job.publish.drop_rest = true);
    publish(&job.source().read(&job, &Context::new())?, &job, &Context::new())
}

#[test]
fn weights_of_bodies_are_known_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bodies.csv");
    let lines = |height: bool| -> String {
        (0..200u32)
            .map(|n| format!("{}.{},{},{}\n", 50 + n % 60, n % 10, if height { 150 + n % 50 } else { n % 2 }, n % 7))
            .collect()
    };
    for (second, height, wanted) in [("height", true, ColumnRole::Quasi), ("sex", false, ColumnRole::Dropped)] {
        fs::write(&file, format!("weight,{second},ward\n{}", lines(height))).unwrap();
        assert_eq!(role(&inspected(&file), "weight").0, wanted, "{second}");
    }
}

#[test]
fn near_unique_labels_of_people_with_several_rows_are_not_proposed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("visits.csv");
    // Towns of six rows each, all of one patient.
    let lines: String = (0..300u32).map(|n| format!("p{},town{},{}\n", n / 6, n / 6, 20 + n / 6 % 40)).collect();
    fs::write(&file, format!("patient,town,age\n{lines}")).unwrap();
    let (found, _) = publishes_its_starter_job(&file);
    assert_eq!(role(&found, "town").0, ColumnRole::Dropped);
    assert_eq!(role(&found, "patient").0, ColumnRole::Person);
}

#[test]
fn of_visits_whose_key_has_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let (sample, file) = (folder.path().join("sample.csv"), folder.path().join("renamed.csv"));
    generate(Sample::Visits, 3000, 5, &mut fs::File::create(&sample).unwrap(), &mut |_| ()).unwrap();
    let text = fs::read_to_string(&sample).unwrap();
    for name in ["code1", "tax_id", "pat_no"] {
        fs::write(&file, text.replacen("patient,", &format!("{name},"), 1)).unwrap();
        let (found, _) = publishes_its_starter_job(&file);
        assert_eq!(role(&found, name).0, ColumnRole::Person, "{name}");
        assert_eq!(role(&found, "household").0, ColumnRole::Identifying, "{name}");
    }
}
