//! Times writing, verifying and the comparison with the source on a large made-up release.
//!
//! `cargo run --release -p scumble-verify --example speed -- ROWS K [csv|parquet] [DIR]`
#![allow(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use scumble_io::{ReadOptions, Want, read};
use scumble_principle::{Attained, BoundRequirements, Group};
use scumble_release::notation::{Cover, text};
use scumble_release::{
    Draft, Extent, Form, Generalized, Manifest, ManifestColumn, Method, QuasiColumn, ReleaseData, ReleaseReader,
    TableFormat, ValueColumn, WriteOptions,
};
use scumble_table::{
    Attribute, Bag, Cancellation, Code, Decimal, Domain, Kind, Monitor, Progress, Result, Role, Schema, Stage, Stored,
};
use scumble_verify::{Promise, Source, VerifyOptions, attained_entries, verify_dir, write};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

const QUASI: [(&str, u32); 7] =
    [("age", 74), ("sex", 2), ("school", 24), ("marital", 5), ("race", 9), ("class", 8), ("state", 49)];
const PAY: u32 = 20_000;

/// Rows in groups of `k` neighbours along a made-up order, with boxes that overlap.
struct Made {
    quasi: Vec<Vec<Code>>,
    pay: Vec<Code>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |at: usize, default: usize| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n_rows, k) = (number(1, 1_000_000), number(2, 10));
    let format =
        if arguments.get(3).is_some_and(|word| word == "parquet") { TableFormat::Parquet } else { TableFormat::Csv };
    let dir = arguments.get(4).map_or(std::env::temp_dir(), PathBuf::from);
    let made = make(n_rows);
    let draft = draft(&made, k)?;
    let out = dir.join("speed-release");
    let options = WriteOptions { format, replace: true };
    let clock = Clock { start: Instant::now() };
    let cancellation = Cancellation::default();
    let written = write(&draft, &out, &options, Promise::default(), Monitor::new(&clock, &cancellation))?;
    clock.tell("placed");
    println!("{} MB in all files, peak memory {} MB", written.bytes >> 20, peak());
    let start = Instant::now();
    let data = ReleaseData::read(ReleaseReader::open(&out)?, Monitor::silent())?;
    println!("open and read {:.2?}: {} groups", start.elapsed(), data.tables().sizes()[0].len());
    if n_rows <= 3_000_000 {
        let path = dir.join("speed-source.csv");
        source(&made, &path).map_err(|error| scumble_table::Error::io("write", path.display(), &error))?;
        let start = Instant::now();
        let table = read(&path, &ReadOptions::default().columns(|_| Want::Text), Monitor::silent())?;
        let source = Some(Source { table: &table, identifying: Vec::new(), persons: None, rules_applied: false });
        let verdict = verify_dir(&out, &VerifyOptions { source, ..VerifyOptions::default() })?;
        println!("verify with source {:.2?}, peak memory {} MB", start.elapsed(), peak());
        for check in verdict.checks {
            println!("{} {}: {}", if check.ok { "ok  " } else { "FAIL" }, check.name, check.detail);
        }
    }
    Ok(())
}

struct Clock {
    start: Instant,
}

impl Clock {
    fn tell(&self, what: &str) {
        println!("{:>8.2?} {what}", self.start.elapsed());
    }
}

impl Progress for Clock {
    fn begin(&self, stage: Stage, _total: Option<u64>) {
        self.tell(stage.name());
    }
}

fn make(n_rows: usize) -> Made {
    let mut state = 1u64;
    let mut below = |n: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(n)) as u32
    };
    let mut rows: Vec<(u32, u32)> =
        (0..n_rows as u32).map(|row| (below(QUASI[6].1) * 1000 + below(QUASI[0].1), row)).collect();
    rows.sort_unstable();
    let mut quasi: Vec<Vec<Code>> = QUASI.iter().map(|(_, n)| (0..n_rows).map(|_| below(*n) + 1).collect()).collect();
    for (place, (key, _)) in rows.iter().enumerate() {
        quasi[6][place] = key / 1000 + 1;
        quasi[0][place] = key % 1000 + 1;
    }
    // Pay is heaped on round figures, as people tell it.
    let pay = (0..n_rows).map(|_| if below(3) == 0 { below(PAY) + 1 } else { below(PAY / 100) * 100 + 1 }).collect();
    Made { quasi, pay }
}

fn domain(n: u32) -> Result<Domain> {
    Domain::numbers((0..n).map(|value| Decimal::from(i64::from(value) * 5)).collect())
}

fn draft(made: &Made, k: usize) -> Result<Draft> {
    let n_rows = made.pay.len();
    let n_groups = (n_rows / k).max(1);
    let group_of = |row: usize| (row / k).min(n_groups - 1);
    let mut order: Vec<u32> = (0..n_rows as u32).collect();
    let mut state = 99u64;
    for at in (1..n_rows).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, ((state >> 20) % (at as u64 + 1)) as usize);
    }
    let mut manifest = Manifest::new(Method::Generalize, "mondrian");
    let mut quasi = Vec::new();
    for ((name, n), codes) in QUASI.iter().zip(&made.quasi) {
        let domain = domain(*n)?;
        let (mut texts, mut known, mut of_group) = (Vec::new(), std::collections::BTreeMap::new(), Vec::new());
        for group in 0..n_groups {
            let to = if group + 1 == n_groups { n_rows } else { (group + 1) * k };
            let members = &codes[group * k..to];
            let cover = Cover::Interval(*members.iter().min().unwrap_or(&1), *members.iter().max().unwrap_or(&1));
            of_group.push(*known.entry(cover).or_insert_with_key(|cover| {
                texts.push(text(cover, &domain));
                texts.len() as u32 - 1
            }));
        }
        let extent = Extent::from_covers(&domain, known.keys());
        manifest.columns.push(ManifestColumn {
            name: (*name).into(),
            role: Role::Quasi,
            kind: Kind::Number,
            domain: extent,
            published: false,
        });
        quasi.push(QuasiColumn { name: (*name).into(), texts, of_group, ends: None });
    }
    let pay = domain(PAY)?;
    let mut used = vec![false; pay.n_codes()];
    made.pay.iter().for_each(|&code| used[code as usize] = true);
    let extent = Extent::from_codes(&pay, pay.codes().filter(|&code| used[code as usize]));
    manifest.columns.push(ManifestColumn {
        name: "pay".into(),
        role: Role::Sensitive,
        kind: Kind::Number,
        domain: extent,
        published: false,
    });
    let values = ValueColumn {
        name: "pay".into(),
        role: Role::Sensitive,
        texts: (0..pay.n_codes() as Code).map(|code| pay.text(code).into_owned()).collect(),
        codes: order.iter().map(|&row| made.pay[row as usize]).collect(),
        kind: Kind::Number,
        stored: Stored::default(),
    };
    let schema = Schema::new(vec![Attribute { name: "pay".into(), role: Role::Sensitive, domain: pay }])?;
    let requirements = [format!("k-anonymity({k})").parse()?, "distinct-l-diversity(1)".parse()?];
    let whole = Bag::from_codes(made.pay.iter().copied());
    let bound = BoundRequirements::bind(&requirements, &schema, |_| whole.clone())?;
    let mut common: Option<Vec<Attained>> = None;
    for group in 0..n_groups {
        let to = if group + 1 == n_groups { n_rows } else { (group + 1) * k };
        let bag = Bag::from_codes(made.pay[group * k..to].iter().copied());
        let found = bound.attained(Group { size: bag.size(), bags: &[bag] });
        common = Some(match common {
            Some(known) => known.into_iter().zip(found).map(|(a, b)| a.common(b)).collect(),
            None => found,
        });
    }
    manifest.requirements = requirements.iter().map(ToString::to_string).collect();
    manifest.attained = attained_entries(&bound, &schema, common.unwrap_or_default());
    (manifest.rows, manifest.groups) = (n_rows as u64, n_groups as u64);
    let row_group = order.iter().map(|&row| group_of(row as usize) as u32).collect();
    let form = Generalized { n_groups: n_groups as u32, row_group, quasi, values: vec![values] };
    Ok(Draft {
        manifest,
        form: Form::Generalized(form),
        hierarchies: Vec::new(),
        matrices: Vec::new(),
        report: "<p>speed</p>".into(),
    })
}

fn source(made: &Made, path: &Path) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    let names: Vec<&str> = QUASI.iter().map(|(name, _)| *name).chain(["pay"]).collect();
    writeln!(out, "{}", names.join(","))?;
    for row in 0..made.pay.len() {
        for column in &made.quasi {
            write!(out, "{},", (column[row] - 1) * 5)?;
        }
        writeln!(out, "{}", (made.pay[row] - 1) * 5)?;
    }
    out.flush()
}

/// The most memory this process has held, in megabytes, where the system tells it.
fn peak() -> u64 {
    scumble_platform::peak_memory().unwrap_or(0) >> 20
}
