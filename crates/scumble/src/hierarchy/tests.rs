//! Hierarchies of small tables: what is built, said, written and refused.

use super::{BuiltHierarchies, HierarchyRequest, build_hierarchies, check_hierarchy_dir};
use crate::{Cancellation, Context, Job, LevelRule, Source};
use scumble_io::{AnyHierarchy, parse_conditional, parse_hierarchy, write_conditional, write_hierarchy};
use scumble_method::correlation::{Algorithm, Measure};
use scumble_sample::{Sample, write_csv};
use scumble_table::{Error, Result, Table};
use std::fs;
use std::io::Cursor;
use std::path::Path;

/// A table whose columns are all quasi-identifying.
fn read(csv: &str) -> Table {
    let job = Job::new().quasi(csv.lines().next().unwrap().split(','));
    Source::reader(Cursor::new(csv.to_string())).read(&job, &Context::new()).unwrap()
}

fn health(rows: u64) -> Table {
    let mut csv = Vec::new();
    write_csv(Sample::Health, rows, 1, &mut csv, &mut |_| ()).unwrap();
    read(&String::from_utf8(csv).unwrap())
}

fn built(table: &Table, request: &HierarchyRequest) -> Result<BuiltHierarchies> {
    build_hierarchies(table, request, &Context::new())
}

fn files(built: &BuiltHierarchies) -> Vec<&str> {
    built.hierarchies.iter().flat_map(|hierarchy| hierarchy.files.iter().map(String::as_str)).collect()
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
    let given = ["medical_history", "smoking", "alcohol", "sex", "weight", "birth_year"];
    let request = HierarchyRequest { min_count: Some(2_000), ..HierarchyRequest::new(["height"]).given(given) };
    let built = built(&health(20_708), &request).unwrap();
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
    let AnyHierarchy::Conditional(conditional) = height.hierarchy() else { panic!("there were given columns") };
    let sizes = (conditional.column.as_str(), conditional.contexts.len(), conditional.common.len());
    assert_eq!(sizes, ("height", 2, 1));
    // What all contexts share is the plain hierarchy; it lists all heights between the least and the greatest.
    let plain = &height.tree;
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
    let table = health(3_000);
    let mut request = HierarchyRequest::new(["height", "weight"]).given(["sex"]);
    let first = built(&table, &request).unwrap();
    assert_eq!((first.min_count, first.min_count_given), (Some(300), false));
    assert_eq!(files(&first), ["height.csv", "height.toml", "weight.csv", "weight.toml"]);
    (request.algorithm, request.measure) = (Algorithm::Paper, Measure::CramersV);
    let paper = built(&table, &request).unwrap();
    assert_eq!((paper.algorithm, paper.correlation), (Some("paper"), Some("cramers-v")));
    assert!(paper.hierarchies.iter().all(|hierarchy| hierarchy.contexts.len() == 2));
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
    let built = built(&read(PEOPLE), &HierarchyRequest::new(["age", "born", "zip", "city"])).unwrap();
    let kinds: Vec<&str> = built.hierarchies.iter().map(|hierarchy| hierarchy.kind).collect();
    assert_eq!(kinds, ["optimal", "calendar", "prefix", "frequency"]);
    assert_eq!(files(&built), ["age.csv", "born.csv", "zip.csv", "city.csv"]);
    let line = |at: usize, value: &str| {
        let rows = built.hierarchies[at].tree.rows();
        rows.iter().find(|row| row[0] == value).map(|row| row.join(";")).unwrap()
    };
    assert!(line(2, "02138").starts_with("02138;0213*;"));
    assert_eq!(line(1, "1999-12-31"), "1999-12-31;1999-12;1999 Q4;1999;1990s;*");
    // Ages between the least and the greatest are all in the tree, whether they occur or not.
    assert_eq!(built.hierarchies[0].tree.leaves().len(), 41);
    assert!(built.min_count.is_none() && built.correlation.is_none());
    assert!(built.page().contains("The hierarchy of zip"));
}

#[test]
fn asked_for_kinds_rows_and_groups() {
    let table = read(PEOPLE);
    let mut request = HierarchyRequest::new(["age"]);
    (request.rule, request.min_count) = (Some(LevelRule::EqualFrequency), Some(4));
    let halves = built(&table, &request).unwrap();
    assert_eq!(halves.hierarchies[0].levels.iter().map(|level| level.groups).collect::<Vec<_>>(), [2]);
    assert_eq!(halves.hierarchies[0].levels[0].least_rows, 4);
    request.min_count = Some(5);
    let none = built(&table, &request).unwrap();
    assert!(none.hierarchies[0].notes[0].contains("cannot be divided into groups of 5 rows"), "{none:?}");
    (request.min_count, request.rule) = (None, Some(LevelRule::Prefix));
    let prefix = built(&table, &request).unwrap();
    assert!(prefix.hierarchies[0].tree.rows().contains(&vec!["31", "3*", "*"]));
}

#[test]
fn what_is_refused() {
    let table = read(PEOPLE);
    let refused = |focused: &[&str], given: &[&str], change: &dyn Fn(&mut HierarchyRequest), part: &str| {
        let mut request = HierarchyRequest::new(focused.iter().copied()).given(given.iter().copied());
        change(&mut request);
        let said = message(built(&table, &request));
        assert!(said.contains(part), "{said}");
    };
    let as_is = |_: &mut HierarchyRequest| ();
    refused(&[], &[], &as_is, "for: no column is named");
    refused(&["age", "age"], &[], &as_is, "for `age`: this column is named twice");
    refused(&["age"], &["city", "city"], &as_is, "given `city`: this column is named twice");
    refused(&["age"], &["city", "age"], &as_is, "given `age`: its own hierarchy cannot depend");
    refused(&["agee"], &[], &as_is, "for `agee`: there is no such column; hint: did you mean `age`?");
    refused(&["age"], &["cty"], &as_is, "given `cty`: there is no such column; hint: did you mean `city`?");
    refused(&["city"], &["age"], &as_is, "for `city`: its values are nominal, and intervals need an order");
    refused(&["note"], &[], &as_is, "for `note`: the column has no value at all");
    let too_few = "`3`: the 8 rows with a value of `age` are too few";
    refused(&["age"], &["city"], &|r| r.min_count = Some(3), too_few);
    let plain_only = "kind `optimal`: it is for plain hierarchies";
    refused(&["age"], &["city"], &|r| r.rule = Some(LevelRule::Optimal), plain_only);
    refused(&["age"], &[], &|r| r.rule = Some(LevelRule::Calendar), "kind `calendar`: it is for dates");
    refused(&["age"], &[], &|r| r.groups = Some(0), "groups `0`");
    refused(&["age"], &[], &|r| r.min_count = Some(0), "min_count `0`");
}

#[test]
fn cancelled_work_gives_nothing() {
    let cancellation = Cancellation::default();
    cancellation.cancel();
    let context = Context::new().with_cancellation(cancellation);
    let built = build_hierarchies(&read(PEOPLE), &HierarchyRequest::new(["age"]), &context);
    assert_eq!(built, Err(Error::Cancelled));
}

/// The files are what the values say, and read as the same values.
#[test]
fn files_read_as_what_was_built() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("out");
    let built = built(&health(3_000), &HierarchyRequest::new(["height"]).given(["sex"])).unwrap();
    let written = built.write(&dir).unwrap();
    assert_eq!((written.out.as_str(), written.built), (dir.to_str().unwrap(), &built));
    assert_eq!(names(&dir), ["height.csv", "height.toml"]);
    let height = &built.hierarchies[0];
    let text = |name: &str| fs::read_to_string(dir.join(name)).unwrap();
    let mut lines = Vec::new();
    write_hierarchy(&mut lines, &height.tree);
    assert_eq!(text("height.csv").into_bytes(), lines);
    assert_eq!(text("height.toml"), write_conditional(height.conditional.as_ref().unwrap()));
    assert_eq!(parse_hierarchy("height.csv", &lines).unwrap(), *height.tree);
    let read = parse_conditional("height.toml", &text("height.toml")).unwrap();
    assert_eq!(read, **height.conditional.as_ref().unwrap());
}

#[test]
fn the_directory_is_new_or_empty() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("out");
    let built = built(&read(PEOPLE), &HierarchyRequest::new(["age"])).unwrap();
    fs::create_dir(&dir).unwrap();
    check_hierarchy_dir(&dir, None).unwrap();
    built.write(&dir).unwrap();
    assert_eq!(names(&dir), ["age.csv"]);
    for said in [message(built.write(&dir)), message(check_hierarchy_dir(&dir, None))] {
        assert!(said.contains("it exists and is not empty"), "{said}");
    }
    let data = folder.path().join("data.csv");
    fs::write(&data, PEOPLE).unwrap();
    assert!(check_hierarchy_dir(&data, Some(&data)).is_err() && built.write(&data).is_err());
    assert_eq!(fs::read_to_string(&data).unwrap(), PEOPLE);
}

#[test]
fn names_of_files_stay_in_the_directory() {
    let folder = tempfile::tempdir().unwrap();
    let table = read("../a,..:a,x y\n1,1,1\n2,2,2\n3,3,3\n4,4,4\n");
    built(&table, &HierarchyRequest::new(["../a", "..:a", "x y"])).unwrap().write(&folder.path().join("out")).unwrap();
    assert_eq!(names(&folder.path().join("out")), [".._a-2.csv", ".._a.csv", "x y.csv"]);
    assert_eq!(names(folder.path()), ["out"]);
}
