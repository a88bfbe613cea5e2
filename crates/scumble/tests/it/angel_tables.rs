//! Random people, and angel releases of them.

use crate::dice::Dice;
use crate::steps::source_rows;
use scumble::{Context, EvaluateRequest, Evaluation, Release, Result, Source, evaluate};
use scumble_io::{ColumnPlan, ReadOptions, encode, read};
use scumble_measure::Comparison;
use scumble_method::Coins;
use scumble_method::publish::{Buckets, Outline, angelize};
use scumble_principle::{Attained, BoundRequirements, Group, Requirement};
use scumble_release::{Draft, Form, Manifest, Method, WriteOptions};
use scumble_table::{Bag, Hierarchy, Monitor, Partition, Role, Schema, Table};
use scumble_verify::{Promise, attained_entries, write};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

impl Dice {
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
pub(crate) struct TestDir {
    folder: tempfile::TempDir,
    table: Table,
}

pub(crate) const QUASI: [&str; 5] = ["age", "city", "job", "born", "height"];
const TREE: &str = "baker;food;*\ncook;food;*\nsmith;metal;*\nwelder;metal;*\nclerk;office;*\n";

impl TestDir {
    pub(crate) fn new(n: usize, seed: u64) -> TestDir {
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
        let raw = read(&folder.path().join("data.csv"), &ReadOptions::default(), Monitor::silent()).unwrap();
        let rows: Vec<Vec<String>> = TREE.lines().map(|line| line.split(';').map(String::from).collect()).collect();
        let lines: Vec<u64> = (1..=rows.len() as u64).collect();
        let tree = Arc::new(Hierarchy::from_rows("job.csv", &rows, &lines).unwrap());
        let mut plans: Vec<ColumnPlan> = QUASI.iter().map(|name| ColumnPlan::new(*name, Role::Quasi)).collect();
        plans[2].hierarchy = Some(("job.csv".into(), tree));
        plans.push(ColumnPlan::new("illness", Role::Sensitive));
        let table = encode(raw, &plans, Monitor::silent()).unwrap();
        TestDir { folder, table }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An angel release over some columns, with random batches, buckets along two columns, and two marginals.
    pub(crate) fn angel(&self, columns: &[usize], seed: u64) -> Table {
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
        let made = angelize(&table, &batches, &buckets, &Outline::Minimal, &Coins::from_seed(seed), Monitor::silent())
            .unwrap();
        let requirements: Vec<Requirement> = vec!["k-anonymity(2)".parse().unwrap()];
        let bound = BoundRequirements::bind(&requirements, table.schema(), |column| table.column_bag(column)).unwrap();
        let sensitive = table.schema().of_role(Role::Sensitive);
        let attained = batches.groups().map(|rows| {
            let bag = |&at: &usize| Bag::from_codes(rows.iter().map(|&row| table.column(at).get(row as usize)));
            let bags: Vec<Bag> = sensitive.iter().map(bag).collect();
            bound.attained(Group { size: rows.len() as u64, bags: &bags })
        });
        let common = attained.reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| Attained::common(a, b)).collect());
        let mut manifest = Manifest::new(Method::Angel, "mondrian");
        manifest.requirements = vec!["k-anonymity(2)".into()];
        manifest.attained = attained_entries(&bound, table.schema(), common.unwrap());
        manifest.columns = made.columns;
        manifest.rows = n as u64;
        manifest.groups = batches.n_groups() as u64;
        manifest.angel_k = Some(2);
        let trees = table.schema().attributes().iter();
        let trees = trees.filter_map(|one| Some((one.name.clone(), one.domain.hierarchy()?.clone())));
        let draft = Draft {
            manifest,
            form: Form::Angel(made.form),
            hierarchies: trees.collect(),
            matrices: Vec::new(),
            report: "<!doctype html><title>report</title>".into(),
        };
        let options = WriteOptions { replace: true, ..WriteOptions::default() };
        write(&draft, &self.path("angel"), &options, Promise::default(), Monitor::silent()).unwrap();
        table
    }

    pub(crate) fn evaluate(&self, release: &str, change: impl Fn(&mut EvaluateRequest)) -> Result<Evaluation> {
        let mut request = EvaluateRequest::new();
        change(&mut request);
        let release = Release::open(self.path(release))?;
        let rows = source_rows(&release, &Source::file(self.path("data.csv")), None)?;
        evaluate(&release, &rows, &request, &Context::new())
    }

    pub(crate) fn compare(&self, release: &str) -> Comparison {
        let release = Release::open(self.path(release)).unwrap();
        let rows = source_rows(&release, &Source::file(self.path("data.csv")), None).unwrap();
        Comparison::read(release.data(&Context::new()).unwrap(), &rows, None, Monitor::silent()).unwrap()
    }

    /// What the independent program says; nothing where it is not there.
    pub(crate) fn oracle(&self, release: &str, queries: &Value) -> Option<Value> {
        let (folder, python) = crate::oracle_place::oracle()?;
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
    Table::new(Schema::new(attributes).unwrap(), columns, table.n_rows()).unwrap()
}
