//! Tests of the flow from files to figures.

use super::*;
use std::fs;
use std::path::{Path, PathBuf};
use scumble_table::Monitor;

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(String::from).collect()
}

fn run(path: &Path, known: &str) -> RiskFacts {
    risk(&RiskRequest::new(Input::file(path), names(known)), Monitor::silent()).unwrap()
}

/// Height and age as the paper's second table counts them.
fn paper3_people() -> String {
    let rows = [
        (140, [0, 1, 1]),
        (145, [4, 1, 0]),
        (150, [11, 0, 2]),
        (155, [23, 2, 2]),
        (160, [9, 7, 1]),
        (165, [2, 9, 12]),
        (170, [1, 20, 17]),
        (175, [0, 10, 15]),
    ];
    let mut text = String::from("height,age\n");
    for (height, counts) in rows {
        for (age, n) in [12, 15, 20].into_iter().zip(counts) {
            (0..n).for_each(|_| text.push_str(&format!("{height},{age}\n")));
        }
    }
    text
}

#[test]
fn paper3_table2() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "people.csv", &paper3_people());
    let both = run(&path, "height,age");
    let profile = &both.attack.profile;
    assert_eq!((profile.records, profile.classes, profile.unique_records), (150, 20, 5));
    assert_eq!((profile.k_min, profile.k_max), (1, 23));
    // The sum of the squares of all counts of the table.
    let squares = [1, 1, 4, 1, 11, 2, 23, 2, 2, 9, 7, 1, 2, 9, 12, 1, 20, 17, 10, 15].map(|n: u64| n * n);
    assert_eq!(profile.k_mean_record, squares.iter().sum::<u64>() as f64 / 150.0);
    assert_eq!((profile.k_mean_class, profile.marketer, profile.prosecutor), (7.5, 20.0 / 150.0, 1.0));
    // Each age has 50 people.
    let ages = run(&path, "age").attack.profile;
    assert_eq!((ages.classes, ages.k_min, ages.k_max, ages.unique_records), (3, 50, 50, 0));
    assert_eq!(ages.cdf, [(0.02, 1.0)]);
}

/// The first table counts the same people by height alone, but for 140 cm, where it has one person less.
#[test]
fn paper3_table1() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = paper3_people().replacen("140,20\n", "", 1);
    let profile = run(&file(folder.path(), "people.csv", &text), "height").attack.profile;
    let table: [u64; 8] = [1, 5, 13, 27, 17, 23, 38, 25];
    assert_eq!((profile.records, profile.classes, profile.unique_records), (table.iter().sum(), 8, 1));
    assert_eq!((profile.k_min, profile.k_max), (1, 38));
    assert_eq!(profile.k_mean_record, table.iter().map(|n| n * n).sum::<u64>() as f64 / 149.0);
    let shares: Vec<f64> = profile.cdf.iter().map(|point| point.1 * 149.0).map(f64::round).collect();
    assert_eq!(shares, [38.0, 65.0, 90.0, 113.0, 130.0, 143.0, 148.0, 149.0]);
}

#[test]
fn texts_are_never_joined() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "a.csv", "a,b\n1,23\n12,3\nx,yz\nxy,z\n,ab\nab,\n");
    let profile = run(&path, "a,b").attack.profile;
    assert_eq!((profile.classes, profile.unique_records), (6, 6));
}

#[test]
fn null_matches_null_alone_and_texts_of_one_value_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "a.csv", "a,b\n1,x\n1.0,x\n,x\n,x\n?,x\n2,\n2,x\n");
    let mut request = RiskRequest::new(Input::file(&path), names("a,b"));
    request.target.nulls = vec!["?".into()];
    let profile = risk(&request, Monitor::silent()).unwrap().attack.profile;
    assert_eq!((profile.records, profile.classes, profile.unique_records, profile.k_max), (7, 4, 2, 3));
    request.types = vec![("a".into(), scumble_table::Kind::Nominal)];
    assert_eq!(risk(&request, Monitor::silent()).unwrap().attack.profile.classes, 5);
}

#[test]
fn populations_by_size_and_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "a.csv", "a,b\n1,x\n1,x\n2,y\n");
    let people = file(folder.path(), "p.csv", "b,name,a\nx,A,1\nx,B,1.0\nx,C,1\nx,D,1\ny,E,2\ny,F,2\nz,G,9\n");
    let with = |population: RiskPopulation| {
        let population = Some(population);
        risk(&RiskRequest { population, up_to: Some(2), ..RiskRequest::new(Input::file(&path), names("a,b")) }, Monitor::silent())
    };
    let by_file = with(RiskPopulation::File(Input::file(&people))).unwrap();
    assert_eq!(
        (by_file.attack.journalist, by_file.attack.journalist_mean),
        (Some(0.5), Some((2.0 / 4.0 + 1.0 / 2.0) / 3.0))
    );
    assert_eq!((by_file.population, by_file.journalist_by), (Some(7), Some("counted")));
    assert!(by_file.subsets.unwrap().iter().all(|one| one.attack.journalist == Some(0.5)));
    let by_size = with(RiskPopulation::Size(6)).unwrap();
    // One of a class of 1 and a half of the population: p/q ln(1/p) = ln 2.
    assert!((by_size.attack.journalist.unwrap() - 2f64.ln()).abs() < 1e-12);
    assert!(by_size.journalist_by == Some("expected") && risk_page(&by_size).contains("expectations of a model"));
    assert!(with(RiskPopulation::Size(2)).unwrap_err().to_string().contains("«population» `2`"));
    let few = file(folder.path(), "few.csv", "a,b\n1,x\n2,y\n");
    let error = with(RiskPopulation::File(Input::file(few))).unwrap_err().to_string();
    assert!(error.contains("1 of 2 combinations of known values are fewer"), "{error}");
    let lacks = file(folder.path(), "lacks.csv", "a,c\n1,x\n");
    let error = with(RiskPopulation::File(Input::file(lacks))).unwrap_err().to_string();
    assert!(error.starts_with("«population» `b`"), "{error}");
}

#[test]
fn subsets_are_ranked_and_columns_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "a.csv", "id,sex,city\n1,f,x\n2,m,x\n3,f,y\n4,m,y\n");
    let request = RiskRequest { up_to: Some(2), ..RiskRequest::new(Input::file(&path), names("city,id,sex")) };
    let facts = risk(&request, Monitor::silent()).unwrap();
    let subsets = facts.subsets.as_ref().unwrap();
    assert_eq!(subsets.len(), 6);
    assert_eq!((subsets[0].attack.known.clone(), subsets[0].adds), (vec!["id".to_string()], 0.75));
    assert!(subsets.windows(2).all(|pair| pair[0].attack.profile.marketer >= pair[1].attack.profile.marketer));
    let pair = subsets.iter().find(|one| one.attack.known == ["city", "sex"]).unwrap();
    assert_eq!((pair.adds, pair.attack.profile.unique_records), (0.5, 4));
    let attributes = facts.attributes.as_ref().unwrap();
    assert_eq!((attributes[0].column.as_str(), attributes[0].subsets), ("id", 3));
    let page = risk_page(&facts);
    for words in ["Prosecutor", "Journalist", "Marketer", "Do not publish", "Which columns tell most"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "a.csv", "age,sex\n1,f\n");
    let base = || RiskRequest::new(Input::file(&path), names("age,sex"));
    let decimal = |text: &str| scumble_table::Decimal::parse(text).unwrap();
    let refused: Vec<(RiskRequest, &str)> = vec![
        (RiskRequest { known: vec![], ..base() }, "which columns does the attacker know"),
        (RiskRequest { known: names("ages"), ..base() }, "did you mean `age`?"),
        (RiskRequest { known: names("age,age"), ..base() }, "named twice"),
        (RiskRequest { up_to: Some(3), ..base() }, "there are 2 known columns; hint: from 1 to 2"),
        (RiskRequest { up_to: Some(0), ..base() }, "hint: from 1 to 2"),
        (RiskRequest { thresholds: vec![decimal("1.5")], ..base() }, "above 0 and up to 1"),
        (RiskRequest { thresholds: vec![decimal("0")], ..base() }, "above 0 and up to 1"),
        (RiskRequest { source: Some(Input::file(&path)), ..base() }, "«source»: this is about releases"),
        (RiskRequest { epsilon: Some(decimal("1")), ..base() }, "«epsilon»: this is about releases"),
        (RiskRequest { belief: Some(decimal("0.4")), ..base() }, "«belief»: this is about releases"),
        (RiskRequest { types: vec![("sx".into(), scumble_table::Kind::Date)], ..base() }, "did you mean `sex`?"),
        (RiskRequest { target: Input::file(folder.path()), ..base() }, "this is not a release"),
        (RiskRequest { target: Input::file(folder.path().join("b.csv")), ..base() }, "no such file or directory"),
        (RiskRequest { population: Some(RiskPopulation::File(Input::file("none.csv"))), ..base() }, "no such file"),
    ];
    for (request, words) in refused {
        let error = risk(&request, Monitor::silent()).unwrap_err();
        assert!(error.to_string().contains(words) && error.exit_code() == 2, "{error}");
    }
}
