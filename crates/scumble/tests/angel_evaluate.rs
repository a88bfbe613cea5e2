//! Angel releases beside their source: divergences, estimates and figures, and as an independent program finds them.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use scumble::{
    ColumnRequest, ColumnRole, EvaluateRequest, Evaluation, Input, PublishRequest, Silent, evaluate, evaluation_page,
};
use scumble_io::{ColumnPlan, EncodeOptions, Format, NoProgress, ReadOptions, encode, read};
use scumble_method::Coins;
use scumble_method::publish::{Buckets, angelize};
use scumble_principle::{Attained, BoundRequirements, Group, Requirement};
use scumble_release::{
    Answers, Comparison, Form, Manifest, MeasuredForm, Method, Predicate, Predicates, Release, ReleaseDir, Scratch,
    SourceData, Workload, WriteOptions, attained_entries, write,
};
use scumble_table::{Bag, Decimal, Hierarchy, Partition, Role, Table};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Numbers that look random and never change.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 ^ (self.0 >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % n
    }

    /// All rows in runs of `least` to `2 least - 1` of them, rows in any order.
    fn partition(&mut self, n: usize, least: u64, sorted: Option<&dyn Fn(u32) -> u64>) -> Partition {
        let mut rows: Vec<u32> = (0..n as u32).collect();
        match sorted {
            Some(key) => rows.sort_by_key(|&row| key(row)),
            None => (1..n).rev().for_each(|at| rows.swap(at, self.below(at as u64 + 1) as usize)),
        }
        let mut starts = vec![0u32];
        loop {
            let from = starts[starts.len() - 1];
            let next = from + (least + self.below(least)) as u32;
            if next + least as u32 > n as u32 {
                break;
            }
            starts.push(next);
        }
        starts.push(n as u32);
        Partition::new(rows, starts, n).unwrap()
    }
}

/// A source of random people, and releases of it.
struct Desk {
    folder: tempfile::TempDir,
    table: Table,
}

const QUASI: [&str; 5] = ["age", "city", "job", "born", "height"];
const TREE: &str = "baker;food;*\ncook;food;*\nsmith;metal;*\nwelder;metal;*\nclerk;office;*\n";

impl Desk {
    fn new(n: usize, seed: u64) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let dice = &mut Dice(seed);
        let mut text = "age,city,job,born,height,illness\n".to_string();
        for _ in 0..n {
            let mut pick = |values: &[&str]| match dice.below(12) {
                0 => String::new(),
                _ => values[dice.below(values.len() as u64) as usize].to_string(),
            };
            let city = pick(&["Ghent", "Porto", "Turku", "Lyon", "Graz"]);
            let job = pick(&["baker", "cook", "smith", "welder", "clerk"]);
            let illness = pick(&["flu", "gout", "mumps", "angina"]);
            let age = if dice.below(15) == 0 { String::new() } else { (20 + dice.below(12)).to_string() };
            let born = format!("1990-01-{:02}", 1 + dice.below(9));
            let height = format!("1.{}", 5 + dice.below(4));
            text.push_str(&format!("{age},{city},{job},{born},{height},{illness}\n"));
        }
        std::fs::write(folder.path().join("data.csv"), text).unwrap();
        std::fs::write(folder.path().join("job.csv"), TREE).unwrap();
        let raw = read(&folder.path().join("data.csv"), &ReadOptions::default(), &NoProgress).unwrap();
        let rows: Vec<Vec<String>> = TREE.lines().map(|line| line.split(';').map(String::from).collect()).collect();
        let lines: Vec<u64> = (1..=rows.len() as u64).collect();
        let tree = Arc::new(Hierarchy::from_rows("job.csv", &rows, &lines).unwrap());
        let mut plans: Vec<ColumnPlan> = QUASI.iter().map(|name| ColumnPlan::new(*name, Role::Quasi)).collect();
        plans[2].hierarchy = Some(("job.csv".into(), tree));
        plans.push(ColumnPlan::new("illness", Role::Sensitive));
        let table = encode(raw, &plans, &EncodeOptions::default()).unwrap();
        Desk { folder, table }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An angel release over some columns, with random batches, buckets along two columns, and two marginals.
    fn angel(&self, columns: &[usize], seed: u64) -> Table {
        let dice = &mut Dice(seed);
        let dropped: Vec<usize> = (0..QUASI.len()).filter(|at| !columns.contains(at)).collect();
        let table = dropped.into_iter().rev().fold(self.table.clone(), |table, at| without(&table, at));
        let n = table.n_rows();
        let quasi = table.schema().of_role(Role::Quasi);
        let along = |a: usize, b: usize| {
            let (a, b) = (table.column(a).clone(), table.column(b).clone());
            move |row: u32| u64::from(a.get(row as usize)) << 32 | u64::from(b.get(row as usize))
        };
        let batches = dice.partition(n, 3, None);
        let full = dice.partition(n, 2, Some(&along(0, 1)));
        let some = dice.partition(n, 4, Some(&along(1, 0)));
        let last = *quasi.last().unwrap();
        let one = dice.partition(n, 6, Some(&along(last, last)));
        let buckets = [
            Buckets { columns: quasi.clone(), partition: &full },
            Buckets { columns: vec![quasi[0], quasi[1]], partition: &some },
            Buckets { columns: vec![last], partition: &one },
        ];
        let made = angelize(&table, &batches, &buckets, &Coins::from_seed(seed)).unwrap();
        let requirements: Vec<Requirement> = vec!["k-anonymity(2)".parse().unwrap()];
        let bound = BoundRequirements::bind(&requirements, table.schema(), |column| table.whole(column)).unwrap();
        let sensitive = table.schema().of_role(Role::Sensitive);
        let attained = batches.groups().map(|rows| {
            let bag = |&at: &usize| Bag::from_codes(rows.iter().map(|&row| table.column(at).get(row as usize)));
            let bags: Vec<Bag> = sensitive.iter().map(bag).collect();
            bound.attained(Group { size: rows.len() as u64, bags: &bags })
        });
        let common = attained.reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| Attained::common(a, b)).collect());
        let mut manifest = Manifest::new(Method::Angel, "by-hand");
        manifest.requirements = vec!["k-anonymity(2)".into()];
        manifest.attained = attained_entries(&bound, table.schema(), common.unwrap());
        manifest.columns = made.columns;
        manifest.rows = n as u64;
        manifest.groups = batches.n_groups() as u64;
        manifest.angel_k = Some(2);
        let trees = table.schema().attributes().iter();
        let trees = trees.filter_map(|one| Some((one.name.clone(), one.domain.hierarchy()?.clone())));
        let release = Release {
            manifest,
            form: Form::Angel(made.form),
            hierarchies: trees.collect(),
            report: "<!doctype html><title>report</title>".into(),
        };
        write(&release, &self.path("angel"), &WriteOptions { replace: true, ..WriteOptions::default() }, &NoProgress)
            .unwrap();
        table
    }

    fn evaluate(&self, release: &str, change: impl Fn(&mut EvaluateRequest)) -> Evaluation {
        let mut request = EvaluateRequest::new(self.path(release), Input::file(self.path("data.csv")));
        change(&mut request);
        evaluate(&request, &Silent).unwrap()
    }

    fn compare(&self, release: &str) -> Comparison {
        let source =
            SourceData::File { path: self.path("data.csv"), format: Format::Auto, delimiter: None, nulls: Vec::new() };
        let release = ReleaseDir::open(&self.path(release)).unwrap();
        Comparison::read(&release, &source, None, &NoProgress).unwrap()
    }

    /// What the independent program says; nothing where it is not there.
    fn oracle(&self, release: &str, queries: &Value) -> Option<Value> {
        let (Some(folder), Some(python)) = (std::env::var_os("SCUMBLE_ORACLE"), std::env::var_os("SCUMBLE_PYTHON"))
        else {
            eprintln!("skipped: SCUMBLE_ORACLE and SCUMBLE_PYTHON are not set");
            return None;
        };
        let mut child = Command::new(python)
            .args([Path::new("-c"), Path::new(ORACLE), Path::new(&folder), &self.path(release), &self.path("data.csv")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(queries.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        Some(serde_json::from_slice(&output.stdout).unwrap())
    }
}

/// The divergence by the oracle's own function, and its estimates of queries from the tables that the queries name.
const ORACLE: &str = r#"
import json, math, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from check_release import Report, box_key, check_notation, load_source, view_of
from release import Release, read_hierarchy
from utility import Axis, divergence
files = json.load(open(sys.argv[2] + "/manifest.json")).get("hierarchies", {})
rel = Release(sys.argv[2], {n: read_hierarchy(sys.argv[2] + "/" + f) for n, f in files.items()})
v = view_of(rel, Report())
check_notation(rel, Report(), v)
src = load_source(rel, sys.argv[3], ",")
axes = {n: Axis(rel, src, n) for n in rel.quasi}
shapes = {(s, n): axes[n].boxes(v.parsed[s, n], len(t[n].labels)) for s, (t, g) in v.boxes.items() for n in rel.quasi if n in t.columns}
field = next(f for f in v.bag.fields if f.name == rel.sensitive[0])
sa = Axis(rel, src, field.name)
pub = np.array([sa.position(x) for x in field.values] + [np.nan])[field.codes]
answers = []
for stem, cuts, (a, b) in json.load(sys.stdin):
    t, g = v.boxes[stem]
    wanted = (pub >= a) & (pub <= b)
    share = (np.bincount(v.bag.group[wanted], minlength=len(v.bag.labels)) / v.bag.size)[g]
    for n, (lo, hi) in cuts:
        share = share * axes[n].overlap(shapes[stem, n], lo, hi)[t[n].codes]
    answers.append(float(share.sum()))
kl = divergence(rel, v, src, axes, shapes, field, sa)
print(json.dumps({"answers": answers, "kl": None if math.isinf(kl) else kl}))
"#;

/// The table without a column.
fn without(table: &Table, column: usize) -> Table {
    let keep = (0..table.schema().attributes().len()).filter(|&at| at != column);
    let (attributes, columns): (Vec<_>, Vec<_>) =
        keep.map(|at| (table.attribute(at).clone(), table.column(at).clone())).unzip();
    Table::new(scumble_table::Schema::new(attributes).unwrap(), columns, table.n_rows()).unwrap()
}

fn near(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() < 1e-9 * theirs.abs().max(1.0)
}

#[test]
fn every_figure_of_an_angel_release() {
    let desk = Desk::new(90, 4);
    desk.angel(&[0, 1, 2], 5);
    let found = desk.evaluate("angel", |request| {
        request.queries = 200;
        request.w = vec![2, 3];
        request.volumes = vec![0.05, 0.1];
        request.reconstruct = [&["age"][..], &["city", "age"], &["job"], &["job", "age"]]
            .map(|names| names.iter().map(ToString::to_string).collect())
            .to_vec();
    });
    let tables: Vec<(&str, String)> =
        found.buckets.iter().map(|one| (one.table.as_str(), one.columns.join(","))).collect();
    assert_eq!(
        tables,
        [
            ("generalized", "age,city,job".into()),
            ("marginal-age-city", "age,city".into()),
            ("marginal-job", "job".into())
        ]
    );
    for one in &found.buckets {
        let people: u64 = one.sizes.histogram.iter().map(|(size, n)| size * n).sum();
        assert_eq!((people, one.buckets), (90, one.sizes.histogram.iter().map(|(_, n)| n).sum()));
    }
    let squares: u64 = found.buckets[0].sizes.histogram.iter().map(|(size, n)| size * size * n).sum();
    assert_eq!((found.discernibility, found.group_sizes.min), (squares, 3));
    assert!(found.loss > 0.0 && found.ncp < 3.0 && found.ncp_by_attribute.len() == 3);
    let workloads: Vec<(usize, f64, &str)> =
        found.workloads.iter().map(|facts| (facts.w, facts.s, facts.predicates)).collect();
    assert_eq!(workloads, [(2, 0.1, "intervals"), (3, 0.1, "intervals"), (4, 0.05, "sets"), (4, 0.1, "sets")]);
    for facts in &found.workloads {
        assert_eq!(facts.estimators.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["uniform", "ends"]);
        assert!(facts.estimators.iter().all(|(_, errors)| errors.is_some_and(|errors| errors.mean > 0.0)));
    }
    let document = serde_json::to_value(&found).unwrap();
    let shown: Vec<(String, &Value)> = document["reconstruction"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["attributes"].as_array().unwrap().len().to_string(), &one["table"]))
        .collect();
    let tables = ["generalized", "marginal-age-city", "marginal-age-city", "marginal-job", "generalized"];
    assert_eq!(shown.iter().map(|(_, table)| table.as_str().unwrap()).collect::<Vec<_>>(), tables);
    assert_eq!(document["reconstruction"][2]["attributes"], json!(["age", "city"]));
    assert!(found.reconstruction.iter().all(|one| one.kl.is_some_and(|kl| kl > 0.0)), "{:?}", found.reconstruction);
    // Fewer columns lose less.
    assert!(found.reconstruction[1].kl < found.reconstruction[0].kl);
    let page = evaluation_page(&found);
    for words in ["Batches and buckets", "KL (nats)", "marginal-age-city", "Counts over every column", "</html>"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn what_cannot_be_reconstructed() {
    let desk = Desk::new(40, 6);
    desk.angel(&[0, 1], 7);
    let refused = |names: &[&str], volume: f64| {
        let mut request = EvaluateRequest::new(desk.path("angel"), Input::file(desk.path("data.csv")));
        request.reconstruct = vec![names.iter().map(ToString::to_string).collect()];
        request.volumes = vec![volume];
        evaluate(&request, &Silent).unwrap_err().to_string()
    };
    assert!(refused(&["aeg"], 0.1).contains("did you mean `age`"));
    assert!(refused(&["illness"], 0.1).contains("no quasi-identifier"));
    assert!(refused(&["age", "city", "age"], 0.1).contains("`age` twice"));
    for volume in [0.0, -1.0, 1.5, f64::NAN] {
        assert!(refused(&["age"], volume).contains("--volume"));
    }
}

/// Divergences and estimates of angel releases are the oracle's: nulls, sets, hierarchies, dates, decimals.
#[test]
fn angel_releases_as_the_oracle_finds_them() {
    for (seed, columns) in [(1, &[0, 1, 2][..]), (2, &[0, 1, 2, 3]), (3, &[1, 2]), (4, &[0, 1, 4]), (5, &[3, 0, 1])] {
        let desk = Desk::new(120, seed);
        let mut columns = columns.to_vec();
        columns.sort_unstable();
        desk.angel(&columns, seed + 10);
        let comparison = desk.compare("angel");
        let source = &comparison.source.as_ref().unwrap().microdata;
        let MeasuredForm::Angel(tables) = &comparison.form else { panic!("another form") };
        let names: Vec<&str> = source.quasi().iter().map(|column| column.axis().name.as_str()).collect();
        let answers = Answers::of(Workload { s: 0.3, queries: 100, ..Workload::new(2) }, source).unwrap();
        let more = Answers::of(Workload { s: 0.3, queries: 100, ..Workload::new(3) }, source).unwrap();
        let queries: Vec<_> = answers.queries.iter().chain(&more.queries).collect();
        let ends = |wanted: &Predicate, zero: f64| match wanted {
            Predicate::Between(a, b) => json!([zero + a, zero + b]),
            Predicate::OneOf(_) => panic!("{wanted:?}"),
        };
        // The oracle counts days from the year 1.
        let origin = |name: &str| if name == "born" { 719_163.0 } else { 0.0 };
        let asked = queries.iter().map(|query| {
            let cuts = query.quasi.iter().map(|(at, wanted)| json!([names[*at], ends(wanted, origin(names[*at]))]));
            let table = tables.best(query.quasi.iter().map(|(at, _)| *at)).name();
            json!([table, cuts.collect::<Vec<Value>>(), ends(&query.sensitive, 0.0)])
        });
        let Some(theirs) = desk.oracle("angel", &asked.collect()) else { return };
        for (query, theirs) in queries.iter().zip(theirs["answers"].as_array().unwrap()) {
            let ours = tables.estimate(query, &mut Scratch::default()).uniform;
            assert!(near(ours, theirs.as_f64().unwrap()), "{query:?} {ours} {theirs}");
        }
        let ours = comparison.reconstruct(&[]).unwrap();
        assert_eq!(ours.table, "generalized");
        assert!(near(ours.kl.unwrap(), theirs["kl"].as_f64().unwrap()), "{ours:?} {}", theirs["kl"]);
    }
}

/// Generalized releases too, with suppressed rows that lie in boxes of others or nowhere.
#[test]
fn generalized_releases_as_the_oracle_finds_them() {
    let (mut finite, mut infinite) = (0, 0);
    for seed in 0..8 {
        let desk = Desk::new(200, 20 + seed);
        let mut columns: Vec<ColumnRequest> =
            QUASI[..3].iter().map(|name| ColumnRequest::new(*name, ColumnRole::Quasi)).collect();
        columns.push(ColumnRequest::new("illness", ColumnRole::Sensitive));
        let request = PublishRequest {
            columns,
            drop_rest: true,
            requirements: vec!["k-anonymity(3)".parse().unwrap()],
            max_suppressed: Decimal::parse(if seed % 2 == 0 { "0" } else { "0.1" }).unwrap(),
            out: desk.path("table"),
            seed: Some(seed),
            ..PublishRequest::new(Input::file(desk.path("data.csv")))
        };
        scumble::publish(&request, &Silent).unwrap();
        let ours = desk.compare("table").reconstruct(&[]).unwrap();
        assert_eq!((ours.table.as_str(), ours.attributes.len()), ("table", 3));
        let Some(theirs) = desk.oracle("table", &json!([])) else { return };
        match ours.kl {
            Some(kl) => {
                finite += 1;
                assert!(near(kl, theirs["kl"].as_f64().unwrap()), "{kl} {}", theirs["kl"]);
            }
            None => {
                infinite += 1;
                assert_eq!((&theirs["kl"], ours.unreached > 0), (&Value::Null, true));
            }
        }
    }
    assert!(finite >= 4, "{finite} {infinite}");
}

/// The same questions for every form: sets where a column has no order.
#[test]
fn queries_on_every_column() {
    let desk = Desk::new(60, 9);
    desk.angel(&[0, 1], 3);
    let comparison = desk.compare("angel");
    let source = &comparison.source.as_ref().unwrap().microdata;
    let workload = Workload { s: 0.05, predicates: Predicates::Sets, queries: 50, ..Workload::new(3) };
    let answers = Answers::of(workload, source).unwrap();
    for query in &answers.queries {
        let mut columns: Vec<usize> = query.quasi.iter().map(|(at, _)| *at).collect();
        columns.sort_unstable();
        assert_eq!(columns, [0, 1]);
        for (at, wanted) in &query.quasi {
            // 0.05^(1/3) is 0.368: 5 of 12 ages, 2 of 5 cities, 2 of 4 illnesses.
            match (at, wanted) {
                (0, Predicate::Between(a, b)) => assert_eq!(b - a + 1.0, 5.0),
                (1, Predicate::OneOf(places)) => assert_eq!(places.len(), 2),
                _ => panic!("{query:?}"),
            }
        }
        assert!(matches!(&query.sensitive, Predicate::OneOf(places) if places.len() == 2), "{query:?}");
    }
    let counted = answers.actual.iter().sum::<u64>();
    assert!(counted > 0 && answers.without_answer() < 50);
}
