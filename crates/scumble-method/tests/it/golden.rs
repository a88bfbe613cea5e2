//! What every partitioner and publisher makes of fixed tables and seeds, as digests: a change of the code that is not
//! meant to change a result shows here.

use crate::dice::Dice;
use crate::xcolor::threads::large;
use crate::xcolor::world::{HARDENED, MAX_UTILITY, PAPER, STANDARD, Way, World};
use scumble_method::Coins;
use scumble_method::angel::Angel;
use scumble_method::automatic_levels::automatic;
use scumble_method::correlation::{self, DEFAULT_GROUPS, Measure};
use scumble_method::epsilon_m::{Aim, EpsilonM};
use scumble_method::full_domain::{FullDomain, LevelStack};
use scumble_method::ke_permutation::{KePermutation, Rule};
use scumble_method::mondrian::{CutRule, Mondrian};
use scumble_method::publish::{
    Buckets, Outline, Permutation, anatomize, angelize, generalize, group_boxes, permute, recode,
};
use scumble_method::{Profile, Task, Variant};
use scumble_principle::{BoundRequirements, Requirement};
use scumble_table::{
    Attribute, Bag, Code, Codes, Decimal, Domain, Hierarchy, Monitor, Partition, Result, Role, Schema, Table,
};
use std::fmt::{Debug, Write};
use std::sync::Arc;

/// A digest of what something is shown as (FNV-1a, 64 bits). Names of types and fields do not count.
fn digest(value: &impl Debug) -> u64 {
    let (text, mut quoted, mut hash) = (format!("{value:?}"), false, 0xcbf2_9ce4_8422_2325u64);
    for byte in text.bytes() {
        quoted ^= byte == b'"';
        if quoted || !(byte.is_ascii_alphabetic() || byte == b'_') {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// Three quasi-identifiers of different shapes, nulls among them, two sensitive columns and a kept one.
pub(crate) fn people(n: usize) -> Table {
    let mut dice = Dice::new(n as u64);
    let labels = |n: usize| Domain::nominal((0..n).map(|i| format!("l{i:02}").into()).collect());
    let lines: Vec<Vec<String>> =
        (0..16).map(|i| vec![format!("l{i:02}"), format!("g{}", i / 2), format!("h{}", i / 4), "*".into()]).collect();
    let tree = Arc::new(Hierarchy::from_rows("h", &lines, &[]).unwrap());
    let ages = Domain::numbers((0..70).map(|i| Decimal::from(i + 15)).collect()).unwrap();
    let pay = Domain::numbers((0..400).map(|i| Decimal::new(i * i + 5, 1)).collect()).unwrap();
    let columns: Vec<(&str, Role, Domain, usize)> = vec![
        ("age", Role::Quasi, ages, 40),
        ("city", Role::Quasi, labels(9), 0),
        ("job", Role::Quasi, labels(16).with_hierarchy("h", "job", tree).unwrap(), 50),
        ("pay", Role::Sensitive, pay, 0),
        ("ill", Role::Sensitive, labels(8), 90),
        ("note", Role::Kept, labels(3), 10),
    ];
    let (mut attributes, mut codes) = (Vec::new(), Vec::new());
    for (name, role, domain, nulls) in columns {
        let size = domain.len();
        // Common values are smaller than rare ones, and one in `nulls` is missing.
        let column: Codes = (0..n)
            .map(|_| match nulls > 0 && dice.once_in(nulls) {
                true => 0,
                false => 1 + if size > 100 { dice.below(size) } else { dice.below(size).min(dice.below(size)) } as Code,
            })
            .collect();
        attributes.push(Attribute { name: name.into(), role, domain });
        codes.push(column);
    }
    Table::new(Schema::new(attributes).unwrap(), codes, n).unwrap()
}

pub(crate) fn bind(table: &Table, texts: &[&str], rows: Option<&[u32]>) -> Result<BoundRequirements> {
    let requirements: Vec<Requirement> = texts.iter().map(|text| text.parse().unwrap()).collect();
    let whole = |column: usize| match rows {
        Some(rows) => Bag::from_codes(rows.iter().map(|&row| table.column(column).get(row as usize))),
        None => table.column_bag(column),
    };
    BoundRequirements::bind(&requirements, table.schema(), whole)
}

/// Hands a task over the table to `run`.
fn with_task<T>(table: &Table, texts: &[&str], most_suppressed: usize, run: impl FnOnce(&Task<'_>) -> T) -> T {
    let bound = bind(table, texts, None).unwrap();
    run(&Task {
        table,
        bound: &bound,
        rebind: &|rows| bind(table, texts, Some(rows)),
        most_suppressed,
        coins: &Coins::from_seed(11),
        monitor: Monitor::silent(),
    })
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, name: &str, value: &impl Debug) {
        writeln!(self.0, "{:016x} {name}", digest(value)).unwrap();
    }
}

const WAYS: [(&str, Way); 4] =
    [("paper", PAPER), ("hardened", HARDENED), ("standard", STANDARD), ("max-utility", MAX_UTILITY)];

fn mondrian(lines: &mut Lines) {
    let (small, large) = (people(1500), people(60_000));
    let cuts = [("least-loss", CutRule::LeastLoss), ("widest", CutRule::WidestMedian), ("median", CutRule::Median)];
    let asked: [&[&str]; 4] = [
        &["k-anonymity(5)"],
        &["ill: frequency-l-diversity(3)"],
        &["k-anonymity(4)", "ill: t-closeness(0.35)"],
        &["ill: entropy-l-diversity(2.5)"],
    ];
    for (cut, cuts) in cuts {
        for relaxed in [false, true] {
            for profile in Profile::ALL {
                let search = Mondrian { cuts, relaxed, profile };
                for texts in asked {
                    for most in [0, 40] {
                        let name = format!("mondrian {cut} {relaxed} {profile} {texts:?} {most}");
                        lines.add(&name, &with_task(&small, texts, most, |task| search.partition(task)));
                    }
                }
                let found = with_task(&large, asked[1], 0, |task| search.partition(task));
                lines.add(&format!("mondrian {cut} {relaxed} {profile} of many rows"), &found);
            }
        }
    }
    for profile in Profile::ALL {
        let search = Mondrian { cuts: CutRule::LeastLoss, relaxed: false, profile };
        let texts: &[&str] = &["pay: proximity-absolute(100, 2)"];
        lines.add(
            &format!("apart {profile}"),
            &with_task(&small, texts, 0, |task| search.partition_disjoint_boxes(task)),
        );
        let cells = with_task(&small, asked[1], 0, |task| {
            let (partition, cells) = search.partition_with_cells(task).unwrap();
            generalize(task.table, &partition, &Outline::Cells(&cells), task.coins, Monitor::silent()).unwrap()
        });
        lines.add(&format!("cells {profile}"), &cells);
        let stop = with_task(&people(12), &["ill: distinct-l-diversity(2)"], 0, |task| search.stop_probability(task));
        lines.add(&format!("stop {profile}"), &stop);
    }
}

fn epsilon_m(lines: &mut Lines) {
    let asked: [&[&str]; 4] = [
        &["pay: proximity-absolute(300, 4)"],
        &["pay: proximity-relative(0.1, 3)", "k-anonymity(7)"],
        &["pay: proximity-interval(200, 100, 3)", "ill: distinct-l-diversity(3)"],
        &["pay: proximity-absolute(9000, 4)", "ill: frequency-l-diversity(4)"],
    ];
    let (small, large) = (people(900), people(20_000));
    for (way, (variant, profile)) in WAYS {
        for aim in [Aim::Answers, Aim::Loss] {
            for (table, texts) in asked.iter().map(|texts| (&small, texts)).chain([(&large, &asked[0])]) {
                let name = format!("epsilon-m {way} {aim:?} {texts:?} {}", table.n_rows());
                let found = with_task(table, texts, 0, |task| EpsilonM { variant, profile, aim }.partition(task));
                lines.add(&name, &found);
            }
        }
    }
}

fn xcolor(lines: &mut Lines) {
    let world = large(700);
    let mut dice = Dice::new(3);
    for (name, way) in WAYS {
        for (text, most) in [("0.1, 0.8, 6", 0), ("0.2, 0.85, 7", 0), ("0.3, 0.9, 5", 0), ("0.3, 0.9, 5", 200)] {
            let asked = [format!("dissimilarity({text})")];
            let found = world.partition(&asked, way, 3, most, None);
            lines.add(&format!("xcolor {name} {text} {most}"), &found);
        }
        let beside = ["dissimilarity(0.1, 0.5, 4)".to_string(), "c1: distinct-l-diversity(3)".to_string()];
        lines.add(&format!("xcolor {name} beside"), &world.partition(&beside, way, 5, 0, None));
    }
    for at in 0..40 {
        let world = World::random(&mut dice, 30);
        let asked = [world.asked(&mut dice).text()];
        for (name, way) in WAYS {
            lines.add(&format!("xcolor {name} small {at}"), &world.partition(&asked, way, at, at as usize % 7, None));
        }
    }
}

fn ke_permutation(lines: &mut Lines) {
    let table = people(2500);
    let asked: [&[&str]; 3] = [
        &["pay: ke-anonymity(5, 120)"],
        &["pay: ke-anonymity(3, 400)", "ill: distinct-l-diversity(4)"],
        &["pay: ke-anonymity(2, 10)", "k-anonymity(9)"],
    ];
    for rule in Rule::ALL {
        for texts in asked {
            let found = with_task(&table, texts, 0, |task| KePermutation { rule }.partition(task));
            lines.add(&format!("{} {texts:?}", rule.name()), &found);
        }
    }
}

fn full_domain(lines: &mut Lines) {
    let table = people(2500);
    for texts in
        [&["k-anonymity(5)"][..], &["ill: frequency-l-diversity(2)"], &["k-anonymity(3)", "ill: t-closeness(0.3)"]]
    {
        for most in [0, 100] {
            let stacks: Vec<LevelStack> = (0..3).map(|column| LevelStack::for_column(&table, column)).collect();
            let search = FullDomain { stacks, fixed: vec![None; 3] };
            let found = with_task(&table, texts, most, |task| search.partition(task)).unwrap();
            lines.add(&format!("full-domain {texts:?} {most}"), &found);
            let coins = Coins::from_seed(5);
            let made =
                recode(&table, &found.partition, &found.levels, &search.stacks, &coins, Monitor::silent()).unwrap();
            lines.add(&format!("recode {texts:?} {most}"), &(made.form, made.columns, made.conditional));
        }
    }
}

fn angel(lines: &mut Lines) {
    for (n, k) in [(1500, 1), (1500, 6), (40_000, 8)] {
        let table = people(n);
        let quasi = table.schema().of_role(Role::Quasi);
        for (name, variant) in [("ours", Variant::Ours), ("paper", Variant::Paper)] {
            for profile in Profile::ALL {
                let angel = Angel { k, variant, profile };
                let coins = Coins::from_seed(9);
                let buckets = angel.buckets(&table, &quasi, &coins, Monitor::silent()).unwrap();
                lines.add(&format!("buckets {name} {profile} {k} {n}"), &buckets);
                for texts in [&["ill: frequency-l-diversity(3)"][..], &["k-anonymity(5)"], &["ill: t-closeness(0.3)"]] {
                    let batches = with_task(&table, texts, 0, |task| angel.batches(task, &buckets)).unwrap();
                    lines.add(&format!("batches {name} {profile} {k} {n} {texts:?}"), &batches);
                    if n == 1500 {
                        let marginal = angel.buckets(&table, &quasi[..2], &coins, Monitor::silent()).unwrap();
                        let tables = [
                            Buckets { columns: quasi.clone(), partition: &buckets },
                            Buckets { columns: quasi[..2].to_vec(), partition: &marginal },
                        ];
                        let made =
                            angelize(&table, &batches, &tables, &Outline::Rounded, &coins, Monitor::silent()).unwrap();
                        let made = (made.form, made.columns, made.batch_of_row);
                        lines.add(&format!("angelize {name} {profile} {k} {texts:?}"), &made);
                    }
                }
            }
        }
    }
}

fn publishers(lines: &mut Lines) {
    let table = people(1500);
    let search = Mondrian { cuts: CutRule::LeastLoss, relaxed: false, profile: Profile::Standard };
    let of = |most: usize| -> Partition {
        with_task(&table, &["ill: frequency-l-diversity(3)"], most, |task| search.partition(task)).unwrap()
    };
    let coins = Coins::from_seed(21);
    for most in [0, 40] {
        let partition = of(most);
        for (name, outline) in [("minimal", Outline::Minimal), ("rounded", Outline::Rounded)] {
            lines.add(
                &format!("generalize {name} {most}"),
                &generalize(&table, &partition, &outline, &coins, Monitor::silent()).unwrap(),
            );
            lines.add(
                &format!("boxes {name} {most}"),
                &group_boxes(&table, &partition, &outline, &coins, Monitor::silent()).unwrap(),
            );
        }
        lines.add(&format!("anatomize {most}"), &anatomize(&table, &partition, &coins, Monitor::silent()).unwrap());
    }
    let partition = of(0);
    let own = [coins.for_column(0), coins.for_column(1)];
    let apart = [0, 1].map(|at| Permutation { partition: &partition, coins: &own[at] });
    lines.add("permute apart", &permute(&table, &apart, &coins, Monitor::silent()));
    lines.add("permute together", &permute(&table, &apart[..1], &coins, Monitor::silent()));
}

fn hierarchies(lines: &mut Lines) {
    let table = people(4000);
    for algorithm in [correlation::Algorithm::Mdl, correlation::Algorithm::Paper] {
        for measure in Measure::ALL {
            let task = correlation::Task {
                table: &table,
                focused: 0,
                given: &[1, 3, 4],
                least: 40,
                groups: DEFAULT_GROUPS,
                measure,
                algorithm,
                monitor: Monitor::silent(),
            };
            lines.add(&format!("correlation {algorithm:?} {measure}"), &task.build());
        }
    }
    for column in [0, 1, 3, 4] {
        let attribute = table.attribute(column);
        let histogram = table.column(column).histogram(attribute.domain.n_codes());
        lines.add(&format!("automatic {}", attribute.name), &automatic(attribute, &histogram, Monitor::silent()));
    }
}

#[test]
fn results_are_those_of_before() {
    let mut lines = Lines::default();
    for part in [mondrian, epsilon_m, xcolor, ke_permutation, full_domain, angel, publishers, hierarchies] {
        part(&mut lines);
    }
    let expected = include_str!("golden.txt");
    let other: Vec<String> = lines
        .0
        .lines()
        .zip(expected.lines().map(Some).chain(std::iter::repeat(None)))
        .filter(|(now, before)| Some(*now) != *before)
        .map(|(now, before)| format!("{now}, before {}", before.unwrap_or("nothing")))
        .collect();
    assert!(other.is_empty() && lines.0 == expected, "{} results are others:\n{}", other.len(), other.join("\n"));
}
