//! Releases next to their sources: every query answered as an independent program answers it, and what
//! is wrong with a source is said.

use crate::common::oracle::oracle;
use crate::common::{Coins, Maker, read_source, tree, write};
use scumble_measure::{
    Answers, Comparison, Estimator, Predicate, Query, Scratch, SizeSummary, Workload, discernibility,
};
use scumble_release::{Draft, ReleaseData, ReleaseReader, WriteOptions};
use scumble_sample::{Sample, write_csv};
use scumble_table::{Kind, Monitor, Role};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Answers the queries on its standard input with the oracle's own axes, boxes and overlaps.
const ORACLE: &str = r#"
import json, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from check_release import Report, check_notation, load_source, view_of
from release import Release, read_hierarchy
from utility import Axis
files = json.load(open(sys.argv[2] + "/manifest.json")).get("hierarchies", {})
rel = Release(sys.argv[2], {n: read_hierarchy(sys.argv[2] + "/" + f) for n, f in files.items()})
v = view_of(rel, Report())
check_notation(rel, Report(), v)
src = load_source(rel, sys.argv[3], ",")
asked = json.load(sys.stdin)
axes = {n: Axis(rel, src, n) for n in rel.quasi}
if rel.method == "generalize":
    t, g = v.boxes["table"]
    shapes = {n: axes[n].boxes(v.parsed["table", n], len(t[n].labels)) for n in rel.quasi}
else:
    t = v.qi
    place = lambda n, l: np.nan if l in (None, "*") else axes[n].position(rel.kinds[n].value(l))
    exact = {n: np.array([place(n, l) for l in t[n].labels])[t[n].codes] for n in rel.quasi}
field = next(f for f in v.bag.fields if f.name == asked["sensitive"])
sa = Axis(rel, src, asked["sensitive"])
pub = np.array([sa.position(x) for x in field.values] + [np.nan])[field.codes]
answers = []
for cuts, (a, b) in asked["queries"]:
    hit, wanted = (sa.source >= a) & (sa.source <= b), (pub >= a) & (pub <= b)
    if rel.method == "generalize":
        share = wanted.astype(float)
    else:
        share = (np.bincount(v.bag.group[wanted], minlength=len(v.bag.labels)) / v.bag.size)[v.qi_group]
    for n, (lo, hi) in cuts:
        hit &= (axes[n].source >= lo) & (axes[n].source <= hi)
        share *= axes[n].overlap(shapes[n], lo, hi)[t[n].codes] if rel.method == "generalize" else (exact[n] >= lo) & (exact[n] <= hi)
    answers.append([int(hit.sum()), float(share.sum())])
axes[sa.name] = sa
print(json.dumps({"answers": answers, "axes": {n: [bool(x.discrete), x.lo, x.hi, x.size] for n, x in axes.items()}}))
"#;

/// A release and its source in a folder.
struct Case {
    home: tempfile::TempDir,
}

impl Case {
    fn new(maker: &Maker) -> Self {
        Case::of(maker, &maker.release())
    }

    fn of(maker: &Maker, release: &Draft) -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("source.csv"), maker.source()).unwrap();
        write(release, &home.path().join("release"), &WriteOptions::default()).unwrap();
        Case { home }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn compare(&self, source: &str, sensitive: Option<&str>) -> scumble_table::Result<Comparison> {
        let release = ReleaseReader::open(&self.path("release")).unwrap();
        let release = ReleaseData::read(release, Monitor::silent()).unwrap();
        Comparison::read(&release, &read_source(&self.path(source)), sensitive, Monitor::silent())
    }
}

/// Every true answer and every estimate from boxes and from anatomy must be the oracle's.
fn agree(maker: &Maker, sensitive: &str) {
    for release in [maker.release(), maker.anatomized()] {
        agree_on(&Case::of(maker, &release), sensitive);
    }
}

fn agree_on(case: &Case, sensitive: &str) {
    let comparison = case.compare("source.csv", Some(sensitive)).unwrap();
    let estimate = |query: &Query| match &comparison.estimator {
        Estimator::Generalized(table) => table.estimate(query, &mut Scratch::default()).uniform,
        Estimator::Anatomy(table) => table.estimate(query, &mut Vec::new()),
        Estimator::Angel(tables) => tables.estimate(query, &mut Scratch::default()).uniform,
    };
    let source = &comparison.source.as_ref().unwrap().microdata;
    let names: Vec<&str> = source.quasi().iter().map(|column| column.axis().name.as_str()).collect();
    for (w, s) in [(2, 0.1), (3, 0.3), (4, 0.5)] {
        let answers =
            Answers::new(Workload { s, queries: 120, ..Workload::new(w) }, source, Monitor::silent()).unwrap();
        // The oracle counts days from the year 1.
        let origin = |name: &str| if name == "born" { 719_163.0 } else { 0.0 };
        let queries = answers.queries.iter().map(|query| {
            let cuts = query.quasi.iter().map(|(at, wanted)| {
                let (at, (a, b)) = (*at, ends(wanted));
                let zero = origin(names[at]);
                json!([names[at], [zero + a, zero + b]])
            });
            json!([cuts.collect::<Vec<Value>>(), ends(&query.sensitive[0].1)])
        });
        let asked = json!({"sensitive": sensitive, "queries": queries.collect::<Vec<Value>>()});
        let Some(theirs) = ask(case, &asked) else { return };
        for column in source.quasi().iter().chain([source.sensitive()]) {
            let axis = column.axis();
            let zero = origin(&axis.name);
            let ours = json!([axis.discrete, zero + axis.lo, zero + axis.hi, axis.size()]);
            assert_eq!(theirs["axes"][&axis.name], ours, "{}", axis.name);
        }
        for (at, query) in answers.queries.iter().enumerate() {
            let [act, est] = [0, 1].map(|part| theirs["answers"][at][part].as_f64().unwrap());
            let ours = estimate(query);
            assert_eq!(answers.actual[at] as f64, act, "{query:?}");
            assert!((ours - est).abs() < 1e-9 * est.max(1.0), "{query:?}: {ours} {est}");
        }
    }
}

/// The ends of an interval.
fn ends(wanted: &Predicate) -> (f64, f64) {
    let Predicate::Between(a, b) = wanted else { panic!("{wanted:?}") };
    (*a, *b)
}

fn ask(case: &Case, asked: &Value) -> Option<Value> {
    let (folder, python) = oracle()?;
    let mut child = Command::new(python)
        .args([Path::new("-c"), Path::new(ORACLE), Path::new(&folder), &case.path("release"), &case.path("source.csv")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(asked.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Adds days, ordered labels, decimals with nulls, and a pay with nulls.
fn mixed() -> Maker {
    let mut maker = Maker::people(400);
    let mut coins = Coins(11);
    let column = |name: &str, role, kind| (name.to_string(), role, kind);
    maker.columns.push(column("born", Role::Quasi, Kind::Date));
    maker.columns.push(column("school", Role::Quasi, Kind::Ordinal));
    maker.columns.push(column("weight", Role::Quasi, Kind::Number));
    maker.columns.push(column("pay", Role::Sensitive, Kind::Number));
    let levels = ["none", "some", "much", "all"];
    maker.orders.push(("school".into(), levels.map(String::from).to_vec()));
    for (at, row) in maker.rows.iter_mut().enumerate() {
        row.push(format!("19{:02}-0{}-1{}", 40 + coins.below(50), 1 + coins.below(9), coins.below(10)));
        row.push(levels[coins.below(4) as usize].into());
        row.push(if at / 4 % 9 == 0 { String::new() } else { format!("{}.5", 40 + coins.below(60)) });
        row.push(if coins.below(20) == 0 { String::new() } else { (10 * coins.below(50)).to_string() });
    }
    maker
}

#[test]
fn numbers_days_orders_decimals_sets_and_nulls() {
    agree(&mixed(), "pay");
    agree(&mixed(), "illness");
}

#[test]
fn hierarchies() {
    let mut maker = mixed();
    let ages: Vec<String> = (10..90).map(|age| format!("{age};{}-{};*", age / 10 * 10, age / 10 * 10 + 9)).collect();
    maker.hierarchies.push(("age".into(), tree(&ages.join("\n"))));
    maker.hierarchies.push(("sex".into(), tree("M;*\nF;*")));
    maker.hierarchies.push((
        "illness".into(),
        tree("flu;short;*\n\"cold\";short;*\nmumps, mild;short;*\ngout;long;*\nangina;long;*"),
    ));
    agree(&maker, "illness");
}

/// Stars answer nothing, and the people behind them are still asked about.
#[test]
fn suppressed_rows() {
    let mut maker = mixed();
    maker.groups[380..].fill(None);
    agree(&maker, "pay");
}

/// Sorted by age, people form groups of six.
#[test]
fn census() {
    let mut text = Vec::new();
    write_csv(Sample::Census, 3000, 5, &mut text, &mut |_| {}).unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(String::from).collect::<Vec<String>>());
    let names = lines.next().unwrap();
    let mut rows: Vec<Vec<String>> = lines.collect();
    rows.sort();
    let column = |name: String| match name.as_str() {
        "income" => (name, Role::Sensitive, Kind::Number),
        "age" => (name, Role::Quasi, Kind::Number),
        "birthplace" | "occupation" => (name, Role::Quasi, Kind::Nominal),
        _ => (name, Role::Kept, Kind::Nominal),
    };
    let maker = Maker {
        columns: names.into_iter().map(column).collect(),
        groups: (0..3000).map(|row| Some(row / 6)).collect(),
        rows,
        ..Maker::people(0)
    };
    agree(&maker, "income");
}

/// The same people with and without boxes: exact ones have lost only what is suppressed, and answer
/// what asks for no sensitive value as the source does.
#[test]
fn exact_people_have_lost_what_is_suppressed() {
    let mut maker = mixed();
    maker.groups[300..].fill(None);
    let case = Case::of(&maker, &maker.anatomized());
    let comparison = case.compare("source.csv", Some("pay")).unwrap();
    assert_eq!((comparison.rows, comparison.suppressed, comparison.sizes.len()), (300, 100, 75));
    let loss = comparison.loss();
    assert_eq!((loss.ncp_per_attribute, loss.by_attribute.len()), (0.25, 6));
    // A quarter of the people is lost in every column, and nothing of the others.
    assert!(loss.by_attribute.iter().all(|attribute| attribute.ncp == 0.25), "{loss:?}");
    let Estimator::Anatomy(table) = &comparison.estimator else { panic!("another form") };
    let axis = table.quasi()[0].axis();
    let everybody = (f64::NEG_INFINITY, f64::INFINITY);
    let ask = |interval: (f64, f64)| {
        let query = Query::new(vec![(0, interval.into())], everybody);
        table.estimate(&query, &mut Vec::new())
    };
    let paid = maker.rows[..300].iter().filter(|row| !row[8].is_empty()).count();
    assert!((ask((axis.lo, axis.hi)) - paid as f64).abs() < 1e-9);
    assert_eq!(ask((axis.hi + 1.0, axis.hi + 2.0)), 0.0);
}

/// A source of suppressed values has a wider domain than the release, and they keep their place in it.
#[test]
fn suppressed_values_belong_to_the_domain() {
    let mut maker = Maker::people(40);
    maker.rows[0][0] = "99".into();
    maker.rows[1][2] = "Divers".into();
    maker.groups[..4].fill(None);
    maker.groups[4..].iter_mut().for_each(|group| *group = group.map(|group| group - 1));
    let case = Case::new(&maker);
    let comparison = case.compare("source.csv", None).unwrap();
    assert_eq!((comparison.rows, comparison.suppressed, comparison.sizes.len()), (36, 4, 9));
    let source = comparison.source.as_ref().unwrap();
    assert_eq!((source.sensitive.as_str(), source.values.is_none()), ("illness", true));
    let axis = |at: usize| source.microdata.quasi()[at].axis();
    assert_eq!((axis(0).hi, axis(2).size()), (99.0, 3.0));
    // `Divers` comes first among the labels.
    assert_eq!(source.microdata.quasi()[2].place(1), 0.0);
    let summary = SizeSummary::new(&comparison.sizes);
    assert_eq!((summary.min, summary.median, summary.max), (4, 4.0, 4));
    assert_eq!(discernibility(&comparison.sizes, comparison.suppressed), 9 * 16 + 4 * 40);
    let loss = comparison.loss();
    assert!(loss.by_attribute.iter().all(|attribute| attribute.loss < 1.0) && loss.loss > 0.0);
}

#[test]
fn another_source_is_refused() {
    let maker = Maker::people(40);
    let case = Case::new(&maker);
    let source = maker.source();
    let spoilt = |change: &dyn Fn(&str) -> String| {
        fs::write(case.path("other.csv"), change(&source)).unwrap();
        case.compare("other.csv", None).err().unwrap().to_string()
    };
    let fewer = spoilt(&|text| text.lines().take(30).map(|line| format!("{line}\n")).collect());
    assert!(fewer.contains("has 29 rows, and the release 40 and 0 suppressed"), "{fewer}");
    let missing = spoilt(&|text| text.replacen("zip", "zap", 1));
    assert!(missing.contains("`zip`") && missing.contains("did you mean `zap`?"), "{missing}");
    let age = format!(",{},", maker.rows[0][0]);
    let text = spoilt(&|text| text.replace(&age, ",unspeakable,"));
    assert!(text.contains("column `age`") && text.contains("no number") && !text.contains("unspeakable"), "{text}");
    let column = case.compare("source.csv", Some("ilness")).err().unwrap().to_string();
    assert!(column.contains("did you mean `illness`?"), "{column}");
    assert!(case.compare("source.csv", Some("age")).is_err());
}
