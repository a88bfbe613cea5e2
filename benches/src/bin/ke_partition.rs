//! (k, e)-anonymity: how the time of every partition algorithm grows, and how it compares with the
//! quadratic program of the paper.
//!
//!     cargo run --release -p scumble-bench --bin ke_partition [-- sorted|growth|paper]
//!
//! `sorted`: the algorithms on numbers in order. `growth`: the whole partition of 1, 3 and 10 million rows, sort and check of every group included, each in
//! a process of its own; figures are nanoseconds per row, and the last column is what ten million rows cost per
//! row in terms of one million. `paper`: 2,000 sorted numbers, once as the paper has it (Algorithm 1 with its
//! table of distinct counts, corrected, and the same with other costs) and once by ours.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble_bench::{Outcome, child, number, peak_memory, with_task};
use scumble_method::ke_permutation::{KePermutation, Rule, partition_sorted};
use scumble_table::{Attribute, Codes, Decimal, Domain, Monitor, Role, Schema, Table};
use serde_json::json;
use std::hint::black_box;
use std::time::Instant;

const SIZES: [usize; 3] = [1_000_000, 3_000_000, 10_000_000];

/// Runs of each measurement; the fastest counts.
const RUNS: usize = 3;

/// How the numbers are spread.
const SPREADS: [&str; 2] = ["different", "coarse"];

const K: u64 = 8;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["one", spread, rule, n] => one(spread, rule, n.parse()?)?,
        [] => {
            sorted()?;
            growth()?;
            paper()?;
        }
        ["sorted"] => sorted()?,
        ["growth"] => growth()?,
        ["paper"] => paper()?,
        _ => return Err("usage: ke_partition [sorted|growth|paper]".into()),
    }
    Ok(())
}

fn rule(name: &str) -> Result<Rule, String> {
    Rule::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| format!("no rule `{name}`"))
}

/// A sequence of numbers that looks random and is the same in every run.
fn numbers(n: usize, spread: &str) -> Vec<i64> {
    let mut state = 7u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let one = |_| match spread {
        // As long as the table is: nearly all different, and as dense in a large table as in a small one.
        "different" => (next() % (n as u64 * 100)) as i64,
        // A thousand amounts, small ones more often.
        _ => ((next() % 1000) * (next() % 1000) / 1000 * 50) as i64,
    };
    (0..n).map(one).collect()
}

fn table(numbers: &[i64]) -> Outcome<Table> {
    let mut distinct = numbers.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let codes: Codes = numbers.iter().map(|x| distinct.partition_point(|y| y < x) as u32 + 1).collect();
    let domain = Domain::numbers(distinct.iter().map(|&x| Decimal::from(x)).collect())?;
    let attribute = |name: &str, role, domain| Attribute { name: name.into(), role, domain };
    let schema = Schema::new(vec![
        attribute("q", Role::Quasi, Domain::nominal(vec!["a".into()])),
        attribute("x", Role::Sensitive, domain),
    ])?;
    Ok(Table::new(schema, vec![Codes::U8(vec![1; numbers.len()]), codes], numbers.len())?)
}

/// One partition, in a process of its own.
fn one(spread: &str, name: &str, n: usize) -> Outcome<()> {
    let table = table(&numbers(n, spread))?;
    let (rule, wanted) = (rule(name)?, [format!("ke-anonymity({K}, 500)").parse()?]);
    let (mut before, mut groups, mut seconds) = (0, 0, f64::INFINITY);
    with_task(&table, &wanted, 1, |task| {
        before = peak_memory();
        for _ in 0..RUNS {
            let start = Instant::now();
            let grouped = KePermutation { rule }.partition(task)?;
            seconds = seconds.min(start.elapsed().as_secs_f64());
            groups = grouped.partition.n_groups();
        }
        Ok(())
    })?;
    println!("{}", json!({"seconds": seconds, "groups": groups, "before_mib": before, "peak_mib": peak_memory()}));
    Ok(())
}

/// The algorithms alone, on numbers that stand in order.
fn sorted() -> Outcome<()> {
    println!("\n## Time per number after the sort: ke-anonymity({K}, 500)\n");
    println!("| numbers | algorithm | 1 M: ns | 3 M: ns | 10 M: ns | 10 M / 1 M |\n|---|---|---|---|---|---|");
    let mut worst: f64 = 0.0;
    for spread in SPREADS {
        let tables: Vec<Vec<i128>> = SIZES
            .iter()
            .map(|&n| {
                let mut numbers: Vec<i128> = numbers(n, spread).into_iter().map(i128::from).collect();
                numbers.sort_unstable();
                numbers
            })
            .collect();
        for rule in Rule::ALL.into_iter().filter(|rule| rule.name() != "random") {
            let mut each = Vec::with_capacity(SIZES.len());
            for numbers in &tables {
                let mut seconds = f64::INFINITY;
                for _ in 0..RUNS {
                    let start = Instant::now();
                    black_box(partition_sorted(rule, numbers, K, 500, Monitor::silent())?);
                    seconds = seconds.min(start.elapsed().as_secs_f64());
                }
                each.push(seconds / numbers.len() as f64 * 1e9);
            }
            let ratio = each[2] / each[0];
            worst = worst.max(ratio);
            println!("| {spread} | {} | {:.1} | {:.1} | {:.1} | {ratio:.2} |", rule.name(), each[0], each[1], each[2]);
        }
    }
    println!("\nworst growth {worst:.2} (at most 1.5 is wanted)");
    Ok(())
}

fn growth() -> Outcome<()> {
    println!("\n## Time per row: ke-anonymity({K}, 500), sort and check included\n");
    println!("| numbers | algorithm | groups | 1 M: ns | 3 M: ns | 10 M: ns | 10 M: s | 10 M: peak MiB | 10 M / 1 M |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut worst: f64 = 0.0;
    for spread in SPREADS {
        for rule in Rule::ALL {
            let runs: Result<Vec<_>, _> =
                SIZES.iter().map(|n| child(&["one", spread, rule.name(), &n.to_string()])).collect();
            let runs = match runs {
                Ok(runs) => runs,
                Err(error) => {
                    println!("| {spread} | {} | refused: {error} |", rule.name());
                    continue;
                }
            };
            let seconds = |at: usize| number(&runs[at]["seconds"]);
            let each = |at: usize| seconds(at) / SIZES[at] as f64 * 1e9;
            let ratio = each(2) / each(0);
            worst = worst.max(ratio);
            println!(
                "| {spread} | {} | {} | {:.0} | {:.0} | {:.0} | {:.2} | {} (table {}) | {ratio:.2} |",
                rule.name(),
                runs[2]["groups"],
                each(0),
                each(1),
                each(2),
                seconds(2),
                runs[2]["peak_mib"],
                runs[2]["before_mib"],
            );
        }
    }
    println!("\nworst growth {worst:.2} (at most 1.5 is wanted)");
    Ok(())
}

/// Algorithm 1 with `f[0] = 0` and the cost of a group added to what is before it. `admissible` tells whether
/// the numbers from d to i, counted from 1, may be a group.
fn quadratic(
    n: usize,
    admissible: impl Fn(usize, usize) -> bool,
    cost: impl Fn(usize, usize) -> f64,
    joint: impl Fn(f64, f64) -> f64,
) -> (f64, Vec<u32>) {
    let mut f = vec![f64::INFINITY; n + 1];
    let mut partition = vec![0u32; n + 1];
    f[0] = 0.0;
    for i in 1..=n {
        for d in 1..=i {
            let error = if admissible(d, i) { cost(d, i) } else { f64::INFINITY };
            let temp = joint(f[d - 1], error);
            if temp < f[i] {
                f[i] = temp;
                partition[i] = d as u32;
            }
        }
    }
    (f[n], partition)
}

/// The paper's table of distinct counts, n by n.
fn distinct_table(x: &[i64]) -> Vec<u32> {
    let n = x.len();
    let mut distinct = vec![0u32; n * n];
    for d in 0..n {
        let mut count = 0;
        for i in d..n {
            count += u32::from(i == d || x[i] != x[i - 1]);
            distinct[d * n + i] = count;
        }
    }
    distinct
}

/// What the program compares: numbers, and for widths sums over the first of them, of themselves and of
/// themselves times their places.
struct Input {
    x: Vec<i64>,
    sums: Vec<i64>,
    placed: Vec<i64>,
}

impl Input {
    fn new(x: Vec<i64>) -> Self {
        let (mut sums, mut placed) = (vec![0], vec![0]);
        for (j, &value) in x.iter().enumerate() {
            sums.push(sums[j] + value);
            placed.push(placed[j] + value * (j as i64 + 1));
        }
        Input { x, sums, placed }
    }

    fn range(&self, d: usize, i: usize) -> f64 {
        (self.x[i - 1] - self.x[d - 1]) as f64
    }

    fn width(&self, d: usize, i: usize) -> f64 {
        let (rows, sum) = ((i - d + 1) as i64, self.sums[i] - self.sums[d - 1]);
        let pairs = 2 * (self.placed[i] - self.placed[d - 1] - (d as i64 - 1) * sum) - (rows + 1) * sum;
        pairs as f64 / (rows + 1) as f64
    }

    /// The program with the cost of a rule.
    fn program(&self, rule: Rule, distinct: impl Fn(usize, usize) -> u32) -> (f64, Vec<u32>) {
        let n = self.x.len();
        let admissible = |d, i| u64::from(distinct(d, i)) >= K && self.x[i - 1] - self.x[d - 1] >= 500;
        match rule {
            Rule::ExpectedWidth => quadratic(n, admissible, |d, i| self.width(d, i), |a, b| a + b),
            Rule::MinSum => quadratic(n, admissible, |d, i| self.range(d, i), |a, b| a + b),
            Rule::MaxGroups => quadratic(n, admissible, |_, _| -1.0, |a, b| a + b),
            _ => quadratic(n, admissible, |d, i| self.range(d, i), f64::max),
        }
    }
}

fn paper() -> Outcome<()> {
    const N: usize = 2000;
    println!("\n## {N} sorted numbers, ke-anonymity({K}, 500), beside the paper's quadratic program\n");
    println!(
        "| numbers | algorithm | paper, ms | without its table, ms | ours, ms | paper / ours | without table / ours |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut worst = f64::INFINITY;
    for spread in SPREADS {
        let mut x = numbers(N, spread);
        x.sort_unstable();
        let exact: Vec<i128> = x.iter().map(|&x| i128::from(x)).collect();
        let mut rank = vec![0u32];
        for pair in x.windows(2) {
            rank.push(rank[rank.len() - 1] + u32::from(pair[0] != pair[1]));
        }
        let input = Input::new(x);
        for rule in Rule::ALL.into_iter().filter(|rule| *rule != Rule::Random) {
            let with_table = fastest(3, || {
                let distinct = distinct_table(black_box(&input.x));
                input.program(rule, |d, i| distinct[(d - 1) * N + i - 1])
            });
            let without = fastest(3, || input.program(rule, |d, i| rank[i - 1] - rank[d - 1] + 1));
            let ours = fastest(50, || partition_sorted(rule, black_box(&exact), K, 500, Monitor::silent()));
            worst = worst.min(with_table / ours);
            println!(
                "| {spread} | {} | {:.2} | {:.2} | {:.4} | {:.0} | {:.0} |",
                rule.name(),
                with_table * 1e3,
                without * 1e3,
                ours * 1e3,
                with_table / ours,
                without / ours,
            );
        }
    }
    println!("\nleast ratio {worst:.0} (at least 100 is wanted)");
    Ok(())
}

/// Seconds of the fastest of some runs.
fn fastest<T>(runs: usize, work: impl Fn() -> T) -> f64 {
    let timed = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(timed).fold(f64::INFINITY, f64::min)
}
