//! Hierarchies of small files: what is written, said and refused.

use super::{HierarchyRequest, build_hierarchies};
use crate::job::ColumnRole;
use scumble_io::{read_conditional, read_hierarchy};
use scumble_method::automatic_levels::LevelRule;
use scumble_method::correlation::{Algorithm, Measure};
use scumble_sample::{Sample, write_csv};
use scumble_table::{Error, Kind, Monitor, Result};
use std::fs;
use std::path::{Path, PathBuf};

struct Desk(tempfile::TempDir);

impl Desk {
    fn new(csv: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("data.csv"), csv).unwrap();
        Desk(folder)
    }

    fn health(rows: u64) -> Self {
        let mut csv = Vec::new();
        write_csv(Sample::Health, rows, 1, &mut csv, &mut |_| ()).unwrap();
        Desk::new(&String::from_utf8(csv).unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn request(&self, focused: &[&str], given: &[&str]) -> HierarchyRequest {
        let columns = |names: &[&str]| names.iter().map(|name| ColumnRequest::new(*name, ColumnRole::Quasi)).collect();
        let mut request = HierarchyRequest::new(Input::file(self.path("data.csv")), columns(focused), self.path("out"));
        request.given = columns(given);
        request
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn message<T: std::fmt::Debug>(result: Result<T>) -> String {
    result.unwrap_err().to_string()
}

/// Other made-up health data gave about the same figures: mutual information of height with sex .111, with weight
/// .106, with a medical history .0002, and a gain of 6,728 nats for sex, which alone passes.
#[test]
fn paper3_health_examinations() {
    let desk = Desk::health(20_708);
    let mut request =
        desk.request(&["height"], &["medical_history", "smoking", "alcohol", "sex", "weight", "birth_year"]);
    request.min_count = Some(2_000);
    let built = build_hierarchies(&request, Monitor::silent()).unwrap();
    let height = &built.hierarchies[0];
    let of = |name: &str| height.correlations.iter().find(|found| found.column == name).unwrap();
    for (name, low, high) in [("sex", 0.10, 0.14), ("weight", 0.08, 0.12), ("medical_history", 0.0, 0.001)] {
        let value = of(name).value.unwrap();
        assert!((low..high).contains(&value), "{name}: {value}");
    }
    let gain = of("sex").division.unwrap().gain;
    assert!((6_000.0..8_500.0).contains(&gain), "{gain}");
    for found in &height.correlations {
        assert_eq!(found.division.unwrap().made, found.column == "sex", "{}", found.column);
    }
    assert_eq!(
        height.contexts.iter().map(|context| context.says.as_str()).collect::<Vec<_>>(),
        ["sex is F", "sex is M"]
    );
    assert_eq!(names(&request.out), ["height.csv", "height.toml"]);
    let read = read_conditional(&request.out.join("height.toml")).unwrap();
    assert_eq!((read.column.as_str(), read.contexts.len(), read.common.len()), ("height", 2, 1));
    // What all contexts share is the plain hierarchy; it lists all heights between the least and the greatest.
    let plain = read_hierarchy(&request.out.join("height.csv")).unwrap();
    assert_eq!(plain.height(), 2);
    let first: i64 = plain.value(0).parse().unwrap();
    assert_eq!(plain.value(plain.leaves().len() as u32 - 1), (first + plain.leaves().len() as i64 - 1).to_string());
    let page = built.page();
    for words in ["height by medical_history", "sex is F: ", "Correlation of height", "for the publisher&#39;s eyes"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn a_tenth_of_the_rows_by_default_and_several_columns() {
    let desk = Desk::health(3_000);
    let mut request = desk.request(&["height", "weight"], &["sex"]);
    let built = build_hierarchies(&request, Monitor::silent()).unwrap();
    assert_eq!((built.min_count, built.min_count_given), (Some(300), false));
    assert_eq!(names(&request.out), ["height.csv", "height.toml", "weight.csv", "weight.toml"]);
    request.out = desk.path("paper");
    request.algorithm = Algorithm::Paper;
    request.measure = Measure::CramersV;
    let built = build_hierarchies(&request, Monitor::silent()).unwrap();
    assert_eq!((built.algorithm, built.correlation), (Some("paper"), Some("cramers-v")));
    assert!(built.hierarchies.iter().all(|hierarchy| hierarchy.contexts.len() == 2));
}

const PEOPLE: &str = "age,born,zip,city,size,note\n\
    31,1990-05-05,02138,Ghent,S,\n\
    33,1990-05-17,02139,Porto,M,\n\
    35,1991-01-01,02140,Porto,L,\n\
    47,1999-12-31,10001,Porto,M,\n\
    48,2000-01-01,10002,Turku,S,\n\
    52,2001-07-07,10003,Porto,XL,\n\
    60,2003-03-03,20001,Ghent,L,\n\
    71,2004-04-04,20002,Ulm,S,\n";

#[test]
fn plain_hierarchies_of_every_kind() {
    let desk = Desk::new(PEOPLE);
    let request = desk.request(&["age", "born", "zip", "city"], &[]);
    let built = build_hierarchies(&request, Monitor::silent()).unwrap();
    let kinds: Vec<&str> = built.hierarchies.iter().map(|hierarchy| hierarchy.kind).collect();
    assert_eq!(kinds, ["optimal", "calendar", "prefix", "frequency"]);
    assert_eq!(names(&request.out), ["age.csv", "born.csv", "city.csv", "zip.csv"]);
    let lines = |name: &str| fs::read_to_string(request.out.join(name)).unwrap();
    assert!(lines("zip.csv").starts_with("02138;0213*;"), "{}", lines("zip.csv"));
    assert!(lines("born.csv").contains("1999-12-31;1999-12;1999 Q4;1999;1990s;*\n"), "{}", lines("born.csv"));
    // Ages between the least and the greatest are all in the file, whether they occur or not.
    assert_eq!(lines("age.csv").lines().count(), 41);
    for name in names(&request.out) {
        read_hierarchy(&request.out.join(name)).unwrap();
    }
    assert!(built.min_count.is_none() && built.correlation.is_none());
    assert!(built.page().contains("The hierarchy of zip"));
}

#[test]
fn asked_for_kinds_rows_and_groups() {
    let desk = Desk::new(PEOPLE);
    let mut request = desk.request(&["age"], &[]);
    (request.rule, request.min_count) = (Some(LadderRule::EqualFrequency), Some(4));
    let built = build_hierarchies(&request, Monitor::silent()).unwrap();
    assert_eq!(built.hierarchies[0].levels.iter().map(|level| level.groups).collect::<Vec<_>>(), [2]);
    assert_eq!(built.hierarchies[0].levels[0].least_rows, 4);
    (request.min_count, request.out) = (Some(5), desk.path("none"));
    let built = build_hierarchies(&request, Monitor::silent()).unwrap();
    assert!(built.hierarchies[0].notes[0].contains("cannot be divided into groups of 5 rows"), "{built:?}");
    (request.min_count, request.rule, request.out) = (None, Some(LadderRule::Prefix), desk.path("prefix"));
    build_hierarchies(&request, Monitor::silent()).unwrap();
    assert!(fs::read_to_string(desk.path("prefix/age.csv")).unwrap().contains("31;3*;*\n"));
}

#[test]
fn what_is_refused() {
    let desk = Desk::new(PEOPLE);
    let refused = |focused: &[&str], given: &[&str], change: &dyn Fn(&mut HierarchyRequest), part: &str| {
        let mut request = desk.request(focused, given);
        change(&mut request);
        let said = message(build_hierarchies(&request, Monitor::silent()));
        assert!(said.contains(part), "{said}");
        assert_eq!(names(desk.0.path()), ["data.csv"], "nothing is left behind");
    };
    let as_is = |_: &mut HierarchyRequest| ();
    refused(&[], &[], &as_is, "«for»: no column is named");
    refused(&["age", "age"], &[], &as_is, "«for» `age`: this column is named twice");
    refused(&["age"], &["city", "city"], &as_is, "«given» `city`: this column is named twice");
    refused(&["age"], &["city", "age"], &as_is, "«given» `age`: its own hierarchy cannot depend");
    refused(&["agee"], &[], &as_is, "«for» `agee`: there is no such column; hint: did you mean `age`?");
    refused(&["age"], &["cty"], &as_is, "«given» `cty`: there is no such column; hint: did you mean `city`?");
    refused(&["city"], &["age"], &as_is, "«for» `city`: its values are nominal, and intervals need an order");
    refused(&["note"], &[], &as_is, "«for» `note`: the column has no value at all");
    refused(
        &["age"],
        &["city"],
        &|r| r.min_count = Some(3),
        "«min_count» `3`: the 8 rows with a value of `age` are too few",
    );
    refused(
        &["age"],
        &["city"],
        &|r| r.rule = Some(LadderRule::Optimal),
        "«kind» `optimal`: it is for plain hierarchies",
    );
    refused(&["age"], &[], &|r| r.rule = Some(LadderRule::Calendar), "«kind» `calendar`: it is for dates");
    refused(&["age"], &[], &|r| r.groups = Some(0), "«groups» `0`");
    refused(&["age"], &[], &|r| r.min_count = Some(0), "«min_count» `0`");
    refused(&["age"], &[], &|r| r.out = r.input.path.clone(), "out");
    refused(&["age"], &[], &|r| r.input = Input::file("nowhere.csv"), "there is no such file");
    refused(&["size"], &["city"], &|r| r.focused[0].kind = Some(Kind::Ordinal), "size");
}

#[test]
fn the_directory_is_new_or_empty() {
    let desk = Desk::new(PEOPLE);
    let request = desk.request(&["age"], &[]);
    fs::create_dir(&request.out).unwrap();
    build_hierarchies(&request, Monitor::silent()).unwrap();
    assert_eq!(names(&request.out), ["age.csv"]);
    let said = message(build_hierarchies(&request, Monitor::silent()));
    assert!(said.contains("it exists and is not empty"), "{said}");
    // An empty directory survives a run that fails.
    let mut request = desk.request(&["city"], &["age"]);
    request.out = desk.path("empty");
    fs::create_dir(&request.out).unwrap();
    assert!(matches!(build_hierarchies(&request, Monitor::silent()), Err(Error::Request { .. })));
    assert!(names(&request.out).is_empty());
}

#[test]
fn names_of_files_stay_in_the_directory() {
    let desk = Desk::new("../a,..:a,x y\n1,1,1\n2,2,2\n3,3,3\n4,4,4\n");
    let request = desk.request(&["../a", "..:a", "x y"], &[]);
    build_hierarchies(&request, Monitor::silent()).unwrap();
    assert_eq!(names(&request.out), [".._a-2.csv", ".._a.csv", "x y.csv"]);
}
