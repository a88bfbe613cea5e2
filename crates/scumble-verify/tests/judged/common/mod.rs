//! Small releases made by hand, and ways to spoil them.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    reason = "several test programs share this, and each uses its own part"
)]

mod anatomy;
pub mod angel;
pub mod apart;
pub mod case;
pub mod ills;
mod judged;
mod mixed;
pub mod oracle;
mod permuted;

use scumble_io::{RawTable, ReadOptions, Want, read};
use scumble_principle::LoadedDistance;
use scumble_release::notation::{Cover, text};
use scumble_release::{
    Draft, Extent, Form, Generalized, Manifest, ManifestColumn, Method, QuasiColumn, SUPPRESSED, ValueColumn,
    WriteOptions, published_matrices,
};
use scumble_table::{Code, Decimal, Domain, Hierarchy, Kind, Monitor, NULL, Result, Role, Stored, parse_date};
use scumble_verify::{Promise, Written, attained_entries};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Writes a release that promises nothing but what its manifest states.
pub fn write(draft: &Draft, out: &Path, options: &WriteOptions) -> Result<Written> {
    scumble_verify::write(draft, out, options, Promise::default(), Monitor::silent())
}

/// A source with all its columns as text.
pub fn read_source(path: &Path) -> RawTable {
    read(path, &ReadOptions::default().columns(|_| Want::Text).secret(|_| true), Monitor::silent()).unwrap()
}

/// A source with its groups.
#[derive(Clone)]
pub struct Maker {
    pub columns: Vec<(String, Role, Kind)>,
    /// The labels of ordinal columns, in their order.
    pub orders: Vec<(String, Vec<String>)>,
    pub hierarchies: Vec<(String, Arc<Hierarchy>)>,
    pub rows: Vec<Vec<String>>,
    /// Group of each row; none means suppressed.
    pub groups: Vec<Option<u32>>,
    pub requirements: Vec<String>,
    /// How far apart sensitive values are.
    pub ruler: Option<LoadedDistance>,
    pub seed: u64,
}

impl Maker {
    /// Groups of four consecutive rows, by age, zip and sex, with an illness and a note.
    pub fn people(n: usize) -> Maker {
        let mut coins = Coins(7);
        let mut rows: Vec<Vec<String>> = (0..n)
            .map(|_| {
                let one_of =
                    |coins: &mut Coins, labels: &[&str]| labels[coins.below(labels.len() as u64) as usize].to_string();
                vec![
                    (18 + coins.below(60)).to_string(),
                    (1000 + coins.below(900)).to_string(),
                    one_of(&mut coins, &["F", "M"]),
                    one_of(&mut coins, &["flu", "gout", "mumps, mild", "\"cold\"", "angina"]),
                    one_of(&mut coins, &["a", "b"]),
                ]
            })
            .collect();
        rows.sort_by_key(|row| row[0].parse::<u32>().unwrap() / 8);
        let groups = (0..n).map(|row| Some((row / 4) as u32)).collect();
        let column = |name: &str, role, kind| (name.to_string(), role, kind);
        Maker {
            columns: vec![
                column("age", Role::Quasi, Kind::Number),
                column("zip", Role::Quasi, Kind::Number),
                column("sex", Role::Quasi, Kind::Nominal),
                column("illness", Role::Sensitive, Kind::Nominal),
                column("note", Role::Kept, Kind::Nominal),
            ],
            orders: Vec::new(),
            hierarchies: Vec::new(),
            rows,
            groups,
            requirements: vec!["k-anonymity(4)".into()],
            ruler: None,
            seed: 3,
        }
    }

    pub fn n_groups(&self) -> u32 {
        self.groups.iter().flatten().max().map_or(0, |last| last + 1)
    }

    pub fn domain(&self, at: usize) -> Domain {
        let (name, _, kind) = &self.columns[at];
        let texts = || self.rows.iter().map(|row| row[at].as_str()).filter(|text| !text.is_empty());
        let domain = match kind {
            Kind::Number => Domain::numbers(texts().map(|t| Decimal::parse(t).unwrap()).collect()).unwrap(),
            Kind::Date => Domain::dates(texts().map(|t| parse_date(t).unwrap()).collect()),
            Kind::Nominal => Domain::nominal(texts().map(Into::into).collect()),
            Kind::Ordinal => {
                let order = &self.orders.iter().find(|(known, _)| known == name).unwrap().1;
                Domain::ordinal(order.iter().map(|label| label.as_str().into()).collect())
            }
        };
        match self.hierarchies.iter().find(|(known, _)| known == name) {
            Some((_, tree)) => domain.with_hierarchy("h", name, tree.clone()).unwrap(),
            None => domain,
        }
    }

    /// The release, with rows and groups in an order of their own.
    pub fn release(&self) -> Draft {
        let mut coins = Coins(self.seed);
        let n_groups = self.n_groups();
        let order = coins.shuffled(self.rows.len());
        let number = coins.shuffled(n_groups as usize);
        let group_of = |row: usize| self.groups[row].map(|group| number[group as usize] as u32);
        let mut manifest = Manifest::new(Method::Generalize, "mondrian");
        let (mut quasi, mut values) = (Vec::new(), Vec::new());
        for (at, (name, role, kind)) in self.columns.iter().enumerate() {
            let domain = self.domain(at);
            let codes: Vec<Code> = self.rows.iter().map(|row| domain.code_of(&row[at]).unwrap()).collect();
            let mut present = vec![false; domain.n_codes()];
            for (row, &code) in codes.iter().enumerate() {
                present[code as usize] |= self.groups[row].is_some();
            }
            let domain_shown = if *role == Role::Quasi {
                let mut members = vec![Vec::new(); n_groups as usize];
                for (row, &code) in codes.iter().enumerate() {
                    if let Some(group) = group_of(row) {
                        members[group as usize].push(code);
                    }
                }
                let covers: Vec<Cover> = members.into_iter().map(|codes| cover(&domain, codes)).collect();
                let mut texts: Vec<String> = covers.iter().map(|cover| text(cover, &domain)).collect();
                let all = texts.clone();
                texts.sort();
                texts.dedup();
                let of_group = all.iter().map(|t| texts.binary_search(t).unwrap() as u32).collect();
                quasi.push(QuasiColumn { name: name.clone(), texts, of_group, ends: None });
                let within = |code: Code| {
                    covers.iter().any(|cover| match cover {
                        Cover::Interval(lo, hi) => (*lo..=*hi).contains(&code),
                        Cover::One(one) => *one == code,
                        _ => false,
                    })
                };
                match kind {
                    // Labels in an order that was given have their places between the ends of intervals.
                    Kind::Ordinal if domain.hierarchy().is_none() => {
                        let shown = domain.codes().filter(|&code| present[code as usize] && within(code));
                        Extent::from_codes(&domain, shown)
                    }
                    _ => Extent::from_covers(&domain, &covers),
                }
            } else {
                values.push(ValueColumn {
                    name: name.clone(),
                    role: *role,
                    texts: (0..domain.n_codes() as Code).map(|code| domain.text(code).into_owned()).collect(),
                    codes: order.iter().map(|&row| codes[row]).collect(),
                    kind: *kind,
                    stored: Stored::default(),
                });
                Extent::from_codes(&domain, domain.codes().filter(|&code| present[code as usize]))
            };
            manifest.columns.push(ManifestColumn {
                name: name.clone(),
                role: *role,
                kind: *kind,
                domain: domain_shown,
                published: false,
            });
        }
        manifest.requirements = self.requirements.clone();
        manifest.suppressed = self.groups.iter().filter(|group| group.is_none()).count() as u64;
        manifest.rows = self.rows.len() as u64 - manifest.suppressed;
        manifest.groups = n_groups.into();
        let at: Vec<usize> = (0..self.columns.len()).filter(|&at| self.columns[at].1 == Role::Sensitive).collect();
        let (bound, schema, common) = self.judged(&at, &self.groups);
        manifest.attained = attained_entries(&bound, &schema, common);
        let (distance, matrices) = published_matrices(&bound, &schema).unwrap();
        manifest.distance = distance.map(|distance| distance.to_string());
        let row_group = order.iter().map(|&row| group_of(row).unwrap_or(SUPPRESSED)).collect();
        Draft {
            manifest,
            form: Form::Generalized(Generalized { n_groups, row_group, quasi, values }),
            hierarchies: self.hierarchies.clone(),
            matrices,
            report: "<!doctype html><title>report</title>".into(),
        }
    }

    /// The source as CSV, with a name in front of every row.
    pub fn source(&self) -> String {
        let quote = |text: &String| match text.contains([',', '"', '\n']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.clone(),
        };
        let mut out = String::from("name");
        self.columns.iter().for_each(|(name, _, _)| out.push_str(&format!(",{}", quote(name))));
        for (at, row) in self.rows.iter().enumerate() {
            out.push_str(&format!("\nPerson{at:05}"));
            row.iter().for_each(|cell| out.push_str(&format!(",{}", quote(cell))));
        }
        out.push('\n');
        out
    }
}

/// The least cover of some codes.
pub fn cover(domain: &Domain, mut codes: Vec<Code>) -> Cover {
    codes.sort_unstable();
    codes.dedup();
    match codes.as_slice() {
        [NULL] => Cover::Null,
        [NULL, ..] => Cover::All,
        [one] => Cover::One(*one),
        [first, .., last] => match domain.hierarchy() {
            Some(tree) => {
                let leaves = || codes.iter().filter_map(|&code| domain.leaf(code));
                Cover::Node(tree.lowest_over(leaves().min().unwrap(), leaves().max().unwrap()))
            }
            None if domain.kind().is_ordered() => Cover::Interval(*first, *last),
            None => Cover::Set(codes.clone()),
        },
        [] => Cover::Null,
    }
}

/// Numbers that look random and never change.
pub struct Coins(pub u64);

impl Coins {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) % n
    }

    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for at in (1..n).rev() {
            order.swap(at, self.below(at as u64 + 1) as usize);
        }
        order
    }
}

/// A tree from lines of `value;...;*`.
pub fn tree(text: &str) -> Arc<Hierarchy> {
    let rows: Vec<Vec<String>> = text.lines().map(|line| line.split(';').map(String::from).collect()).collect();
    let lines: Vec<u64> = (1..=rows.len() as u64).collect();
    Arc::new(Hierarchy::from_rows("tree", &rows, &lines).unwrap())
}

/// Rewrites lines of the table; the first is the header.
pub fn edit_table(dir: &Path, change: impl FnOnce(&mut Vec<String>)) {
    edit_file(&dir.join("table.csv"), change);
}

/// Rewrites lines of a file.
pub fn edit_file(path: &Path, change: impl FnOnce(&mut Vec<String>)) {
    let mut lines: Vec<String> = fs::read_to_string(path).unwrap().lines().map(String::from).collect();
    change(&mut lines);
    fs::write(path, lines.join("\n") + "\n").unwrap();
}

/// Rewrites the manifest.
pub fn edit_manifest(dir: &Path, change: impl FnOnce(&mut Value)) {
    let path = dir.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(path, serde_json::to_vec(&manifest).unwrap()).unwrap();
}

/// Makes all checksums right again, and the row counts of CSV tables.
pub fn reseal(dir: &Path) {
    edit_manifest(dir, |manifest| {
        let digest = |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        for table in manifest["tables"].as_array_mut().unwrap() {
            let file = table["file"].as_str().unwrap().to_string();
            let bytes = fs::read(dir.join(&file)).unwrap();
            table["sha256"] = json!(digest(&bytes));
            if file.ends_with(".csv") {
                table["rows"] = json!(bytes.iter().filter(|&&byte| byte == b'\n').count() - 1);
            }
        }
        for entry in manifest.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
            entry["sha256"] = json!(digest(&fs::read(dir.join(entry["file"].as_str().unwrap())).unwrap()));
        }
    });
}

/// The hidden directories next to a target.
pub fn leftovers(parent: &Path) -> Vec<String> {
    let names = fs::read_dir(parent).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.contains(".scumble-")).collect()
}
