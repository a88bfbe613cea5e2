//! Tests of the flow from data to figures.

use super::*;
use crate::Source;
use scumble_io::RawTable;
use scumble_table::{Kind, Progress};
use std::sync::Arc;

fn source(text: &str) -> Source {
    Source::reader(std::io::Cursor::new(text.as_bytes().to_vec()))
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(String::from).collect()
}

fn table(text: &str, known: &str) -> Table {
    source(text).read_known(&names(known), &[], &[], None, &Context::new()).unwrap().0
}

fn run(text: &str, known: &str) -> RiskFacts {
    risk(RiskTarget::Data(&table(text, known)), &RiskRequest::new(names(known)), &Context::new()).unwrap()
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
    let both = run(&paper3_people(), "height,age");
    let profile = &both.attack.profile;
    assert_eq!((profile.records, profile.classes, profile.unique_records), (150, 20, 5));
    assert_eq!((profile.k_min, profile.k_max), (1, 23));
    // The sum of the squares of all counts of the table.
    let squares = [1, 1, 4, 1, 11, 2, 23, 2, 2, 9, 7, 1, 2, 9, 12, 1, 20, 17, 10, 15].map(|n: u64| n * n);
    assert_eq!(profile.k_mean_record, squares.iter().sum::<u64>() as f64 / 150.0);
    assert_eq!((profile.k_mean_class, profile.marketer, profile.prosecutor), (7.5, 20.0 / 150.0, 1.0));
    // Each age has 50 people.
    let ages = run(&paper3_people(), "age").attack.profile;
    assert_eq!((ages.classes, ages.k_min, ages.k_max, ages.unique_records), (3, 50, 50, 0));
    assert_eq!(ages.cdf, [(0.02, 1.0)]);
}

/// The first table counts the same people by height alone, but for 140 cm, where it has one person less.
#[test]
fn paper3_table1() {
    let profile = run(&paper3_people().replacen("140,20\n", "", 1), "height").attack.profile;
    let table: [u64; 8] = [1, 5, 13, 27, 17, 23, 38, 25];
    assert_eq!((profile.records, profile.classes, profile.unique_records), (table.iter().sum(), 8, 1));
    assert_eq!((profile.k_min, profile.k_max), (1, 38));
    assert_eq!(profile.k_mean_record, table.iter().map(|n| n * n).sum::<u64>() as f64 / 149.0);
    let shares: Vec<f64> = profile.cdf.iter().map(|point| point.1 * 149.0).map(f64::round).collect();
    assert_eq!(shares, [38.0, 65.0, 90.0, 113.0, 130.0, 143.0, 148.0, 149.0]);
}

#[test]
fn texts_are_never_joined() {
    let profile = run("a,b\n1,23\n12,3\nx,yz\nxy,z\n,ab\nab,\n", "a,b").attack.profile;
    assert_eq!((profile.classes, profile.unique_records), (6, 6));
}

#[test]
fn null_matches_null_alone_and_texts_of_one_value_match() {
    let input = crate::Input { null: vec!["?".into()], ..crate::Input::default() };
    let data = || source("a,b\n1,x\n1.0,x\n,x\n,x\n?,x\n2,\n2,x\n").with(&input);
    let profile = |types: &[(String, Kind)]| {
        let (table, _) = data().read_known(&names("a,b"), types, &[], None, &Context::new()).unwrap();
        risk(RiskTarget::Data(&table), &RiskRequest::new(names("a,b")), &Context::new()).unwrap().attack.profile
    };
    let found = profile(&[]);
    assert_eq!((found.records, found.classes, found.unique_records, found.k_max), (7, 4, 2, 3));
    assert_eq!(profile(&[("a".into(), Kind::Nominal)]).classes, 5);
}

#[test]
fn populations_by_size_and_by_people() {
    let data = table("a,b\n1,x\n1,x\n2,y\n", "a,b");
    let people = |text: &str, known: &str| -> Result<RawTable> {
        source(text).read_columns(&names(known), "population", &Context::new())
    };
    let with = |population: RiskPopulation<'_>| {
        let request = RiskRequest { population: Some(population), up_to: Some(2), ..RiskRequest::new(names("a,b")) };
        risk(RiskTarget::Data(&data), &request, &Context::new())
    };
    let all = people("b,name,a\nx,A,1\nx,B,1.0\nx,C,1\nx,D,1\ny,E,2\ny,F,2\nz,G,9\n", "a,b").unwrap();
    let counted = with(RiskPopulation::People(&all)).unwrap();
    assert_eq!(
        (counted.attack.journalist, counted.attack.journalist_mean),
        (Some(0.5), Some((2.0 / 4.0 + 1.0 / 2.0) / 3.0))
    );
    assert_eq!((counted.population, counted.journalist_by), (Some(7), Some("counted")));
    assert!(counted.subsets.unwrap().iter().all(|one| one.attack.journalist == Some(0.5)));
    let by_size = with(RiskPopulation::Size(6)).unwrap();
    // One of a class of 1 and a half of the population: p/q ln(1/p) = ln 2.
    assert!((by_size.attack.journalist.unwrap() - 2f64.ln()).abs() < 1e-12);
    assert!(by_size.journalist_by == Some("expected") && risk_page(&by_size).contains("expectations of a model"));
    assert!(with(RiskPopulation::Size(2)).unwrap_err().to_string().starts_with("population `2`"));
    let few = people("a,b\n1,x\n2,y\n", "a,b").unwrap();
    let error = with(RiskPopulation::People(&few)).unwrap_err().to_string();
    assert!(error.contains("1 of 2 combinations of known values are fewer"), "{error}");
    // A column that was not read is told when people are compared, and one that is not there when they are read.
    for error in [
        people("a,c\n1,x\n", "a,b").unwrap_err(),
        with(RiskPopulation::People(&people("a,c\n1,x\n", "a,c").unwrap())).unwrap_err(),
    ] {
        assert!(error.to_string().starts_with("population `b`"), "{error}");
    }
}

#[test]
fn subsets_are_ranked_and_columns_too() {
    let data = table("id,sex,city\n1,f,x\n2,m,x\n3,f,y\n4,m,y\n", "city,id,sex");
    let request = RiskRequest { up_to: Some(2), ..RiskRequest::new(names("city,id,sex")) };
    let facts = risk(RiskTarget::Data(&data), &request, &Context::new()).unwrap();
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
    let text = "age,sex\n1,f\n";
    let data = table(text, "age,sex");
    let raw = source(text).read_columns(&names("age,sex"), "source", &Context::new()).unwrap();
    let base = || RiskRequest::new(names("age,sex"));
    let decimal = |text: &str| Decimal::parse(text).unwrap();
    let refused: Vec<(RiskRequest<'_>, &str)> = vec![
        (RiskRequest { known: vec![], ..base() }, "which columns does the attacker know"),
        (RiskRequest { known: names("ages"), ..base() }, "did you mean `age`?"),
        (RiskRequest { known: names("age,age"), ..base() }, "named twice"),
        (RiskRequest { up_to: Some(3), ..base() }, "there are 2 known columns; hint: from 1 to 2"),
        (RiskRequest { up_to: Some(0), ..base() }, "hint: from 1 to 2"),
        (RiskRequest { thresholds: vec![decimal("1.5")], ..base() }, "above 0 and up to 1"),
        (RiskRequest { thresholds: vec![decimal("0")], ..base() }, "above 0 and up to 1"),
        (RiskRequest { source: Some(&raw), ..base() }, "source: this is about releases"),
        (RiskRequest { epsilon: Some(decimal("1")), ..base() }, "epsilon: this is about releases"),
        (RiskRequest { belief: Some(decimal("0.4")), ..base() }, "belief: this is about releases"),
    ];
    for (request, words) in refused {
        let error = risk(RiskTarget::Data(&data), &request, &Context::new()).unwrap_err();
        assert!(error.to_string().contains(words) && error.exit_code() == 2, "{error}");
    }
}

#[test]
fn what_cannot_be_read_is_refused() {
    let read = |source: Source, known: &str, types: &[(String, Kind)]| {
        source.read_known(&names(known), types, &[], None, &Context::new()).map(|_| ()).unwrap_err().to_string()
    };
    let data = || source("age,sex\n1,f\n");
    assert!(read(data(), "ages", &[]).starts_with("known `ages`: there is no such column; hint: did you mean `age`?"));
    assert!(read(data(), "age,age", &[]).contains("named twice"));
    assert!(read(data(), "age,sex", &[("sx".into(), Kind::Date)]).contains("did you mean `sex`?"));
    assert!(read(Source::file("none.csv"), "age", &[]).starts_with("data `none.csv`: there is no such file"));
    let population = Source::file("none.csv").read_columns(&names("age"), "population", &Context::new());
    assert!(population.unwrap_err().to_string().starts_with("population `none.csv`: there is no such file"));
    let without = Source::read_known(&data(), &names("age"), &[], &[], Some(&crate::Job::new()), &Context::new());
    assert!(without.map(|_| ()).unwrap_err().to_string().contains("this job file has no rules"));
}

#[test]
fn rules_are_applied_before_the_attack() {
    let job = crate::Job::from_toml(
        "[columns]\nage = \"identifying\"\n\n[rules]\nchildren = { when = \"age < 18\", delete = true }\n",
    )
    .unwrap();
    let data = source("age,sex\n1,f\n30,f\n31,m\n31,m\n");
    let (table, rules) = data.read_known(&names("age,sex"), &[], &[], Some(&job), &Context::new()).unwrap();
    let request = RiskRequest { rules, name: "people.csv".into(), ..RiskRequest::new(names("age,sex")) };
    let facts = risk(RiskTarget::Data(&table), &request, &Context::new()).unwrap();
    assert_eq!((facts.attack.profile.records, facts.attack.profile.unique_records), (3, 1));
    assert_eq!((facts.rules[0].deleted, facts.target.as_str()), (1, "people.csv"));
}

/// Cancels the work as soon as it begins to attack.
struct Stop(scumble_table::Cancellation);

impl Progress for Stop {
    fn begin(&self, stage: Stage, _total: Option<u64>) {
        if stage == Stage::Attack {
            self.0.cancel();
        }
    }
}

#[test]
fn an_attack_is_cancelled() {
    let data = table(&paper3_people(), "height,age");
    let cancellation = scumble_table::Cancellation::default();
    let stop = Arc::new(Stop(cancellation.clone()));
    let context = Context::new().with_cancellation(cancellation).with_progress(stop);
    let request = RiskRequest { up_to: Some(2), ..RiskRequest::new(names("height,age")) };
    assert_eq!(risk(RiskTarget::Data(&data), &request, &context).map(|_| ()), Err(Error::Cancelled));
}
