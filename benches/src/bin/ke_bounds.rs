//! (k, e)-anonymity: how wide the bounds of averages are for every partition algorithm, as in section 7.1 of Zhang,
//! Koudas, Srivastava, Yu (ICDE 2007).
//!
//!     cargo run -p scumble-bench --bin ke_bounds [-- adult|synthetic]
//!
//! `adult`: the 1,427 capital losses of the paper under (4, 100), arbitrary questions and ranges of age with span 30.
//! `synthetic`: made-up people with ages and losses from the same ranges, k from 4 to 40 with e = 50 and e from 40 to
//! 200 with k = 10, ranges only (Figures 13 and 14). Widths are relative to the true answer. Every figure but those of
//! rank swapping is a mean over seeds, for equal numbers are divided between groups by coins, and all algorithms are
//! asked the same questions.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble::Kind;
use scumble_bench::ke_widths::{by_chance, expected_width, numbers};
use scumble_bench::{Outcome, data, job, load, with_task};
use scumble_measure::{AskedWidths, BoundQuestions, bounds_of_partition, bounds_of_rank_swap};
use scumble_method::Mondrian;
use scumble_method::ke_permutation::{Grouped, KePermutation, Objective, Rule};
use scumble_table::{Attribute, Codes, Decimal, Domain, Monitor, Partition, Role, Schema, Table};

/// The quasi-identifiers of the paper's Adult table.
const QUASI: [&str; 8] =
    ["age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country"];

const SENSITIVE: &str = "capital_loss";

/// Seeds of the groups on the capital-loss table, and on each synthetic one.
const SEEDS: u64 = 20;
const SEEDS_SYNTHETIC: u64 = 5;

/// A way to meet (k, e).
#[derive(Clone, Copy, PartialEq)]
enum Variant {
    Rule(Rule),
    Mondrian,
    RankSwap,
}

impl Variant {
    fn all() -> impl Iterator<Item = Variant> {
        Rule::ALL.into_iter().map(Variant::Rule).chain([Variant::Mondrian, Variant::RankSwap])
    }

    fn name(self) -> &'static str {
        match self {
            Variant::Rule(rule) => rule.name(),
            Variant::Mondrian => "mondrian",
            Variant::RankSwap => "rank-swap",
        }
    }

    /// Swapping moves values between ranks and keeps no group that could be checked.
    fn guarantees(self) -> bool {
        self != Variant::RankSwap
    }
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => {
            adult()?;
            synthetic()?;
        }
        ["adult"] => adult()?,
        ["synthetic"] => synthetic()?,
        _ => return Err("usage: ke_bounds [adult|synthetic]".into()),
    }
    Ok(())
}

/// What is measured of one way: groups, the expected width of its objective, and mean widths question by question.
struct Measured {
    groups: f64,
    expected: f64,
    means: Vec<f64>,
    /// Least and greatest mean of the last question over the seeds.
    ends: (f64, f64),
}

fn measured(
    table: &Table,
    way: Variant,
    (k, e): (u64, i128),
    questions: &BoundQuestions,
    seeds: u64,
) -> Outcome<Measured> {
    // Swapping takes its coins from the seed of the questions, which must stay the same for all.
    let seeds = if way == Variant::RankSwap { 1 } else { seeds };
    let mut found = Measured { groups: 0.0, expected: 0.0, means: Vec::new(), ends: (f64::INFINITY, 0.0) };
    for seed in 1..=seeds {
        let asked = match way {
            Variant::RankSwap => {
                bounds_of_rank_swap(table, (k, e), SENSITIVE, Some("age"), questions, Monitor::silent())?
            }
            _ => {
                let partition = groups(table, way, (k, e), seed)?;
                found.groups += partition.n_groups() as f64 / seeds as f64;
                found.expected += expected_width(table, &partition) / seeds as f64;
                bounds_of_partition(table, &partition, SENSITIVE, Some("age"), questions, Monitor::silent())?.exact
            }
        };
        let mean = |asked: &AskedWidths| asked.widths.mean.unwrap_or(f64::NAN);
        found.means.resize(asked.len(), 0.0);
        found.means.iter_mut().zip(&asked).for_each(|(sum, asked)| *sum += mean(asked) / seeds as f64);
        let last = asked.last().map_or(f64::NAN, mean);
        found.ends = (found.ends.0.min(last), found.ends.1.max(last));
    }
    Ok(found)
}

fn groups(table: &Table, way: Variant, (k, e): (u64, i128), seed: u64) -> Outcome<Partition> {
    let wanted = [format!("ke-anonymity({k}, {e})").parse()?];
    let Variant::Rule(rule) = way else {
        return Ok(with_task(table, &wanted, seed, |task| Mondrian::default().partition(task))?);
    };
    let found = with_task(table, &wanted, seed, |task| KePermutation { rule }.partition(task))?;
    let Grouped { partition, objective, .. } = found;
    if let Some(Objective::ExpectedWidth(width)) = objective {
        let again = expected_width(table, &partition);
        if (width - again).abs() > 1e-6 * again.max(1.0) {
            return Err(format!("the objective says {width}, the groups {again}").into());
        }
    }
    Ok(partition)
}

/// Which of the ways that guarantee (k, e) is the narrowest at a question, of all and of those that form groups by the
/// numbers alone: a way that cuts quasi-identifiers may cut where the ranges of the questions end. The sums of expected
/// widths tell why: the objective of `expected-width` is that sum, over groups that do not overlap.
fn verdict(lines: &[(Variant, Measured)], question: usize, words: &str) {
    let width = |line: &&(Variant, Measured)| line.1.means[question];
    let least = |of: &dyn Fn(Variant) -> bool| {
        let some = lines.iter().filter(|line| line.0.guarantees() && of(line.0));
        some.min_by(|a, b| width(a).total_cmp(&width(b)))
    };
    let ours = lines.iter().find(|line| line.0 == Variant::Rule(Rule::ExpectedWidth));
    let (Some(ours), Some(all), Some(by_numbers)) = (ours, least(&|_| true), least(&|way| way != Variant::Mondrian))
    else {
        return;
    };
    let said = |least: &(Variant, Measured), of: &str| {
        if width(&ours) <= width(&least) {
            return format!("`expected-width` is the lowest of {of}");
        }
        format!(
            "of {of} `{}` is lower: {:.4} against {:.4}, sum of expected widths {:.0} against {:.0}, groups {:.1} against {:.1}",
            least.0.name(),
            width(&least),
            width(&ours),
            least.1.expected,
            ours.1.expected,
            least.1.groups,
            ours.1.groups
        )
    };
    print!("- {words}: {}", said(all, "those that guarantee (k, e)"));
    if all.0 == Variant::Mondrian {
        print!("; {}", said(by_numbers, "those by the numbers alone"));
    }
    println!();
}

fn adult() -> Outcome<()> {
    let path = data().join("adult/adult_capital_loss_1427.csv");
    if !path.exists() {
        println!("the capital losses are not there ({}): skipped", path.display());
        return Ok(());
    }
    let kind = |name| if name == "age" { Kind::Number } else { Kind::Nominal };
    let quasi = QUASI.map(|name| (name, kind(name)));
    let table = load(&path, &job(&quasi, &[(SENSITIVE, Kind::Number)], &["ke-anonymity(4, 100)"])?)?;
    let questions = BoundQuestions { spans: vec![30.0], questions: 200, ..BoundQuestions::default() };
    println!(
        "\n## {} capital losses, (4, 100), mean relative width of the bounds of averages, {SEEDS} seeds\n",
        table.n_rows()
    );
    let sizes: Vec<String> = questions.sizes.iter().map(|size| format!("{} % of the people", 100.0 * size)).collect();
    println!(
        "| algorithm | groups | sum of expected widths | {} | age, span 30 (least to greatest) |",
        sizes.join(" | ")
    );
    println!("|---|---|---|{}---|", "---|".repeat(sizes.len()));
    let mut lines = Vec::new();
    for way in Variant::all() {
        let found = measured(&table, way, (4, 100), &questions, SEEDS)?;
        let means: Vec<String> = found.means.iter().map(|mean| format!("{mean:.4}")).collect();
        let groups = match way {
            Variant::RankSwap => "- | -".into(),
            _ => format!("{:.1} | {:.0}", found.groups, found.expected),
        };
        println!("| {} | {groups} | {} ({:.4} to {:.4}) |", way.name(), means.join(" | "), found.ends.0, found.ends.1);
        lines.push((way, found));
    }
    println!();
    for (at, size) in sizes.iter().enumerate() {
        verdict(&lines, at, size);
    }
    verdict(&lines, sizes.len(), "age, span 30");
    chances(&table)
}

/// Why the narrowest is not the same at every size: the objective of `expected-width` takes all numbers of hits in a group
/// as equally likely, and a random set of people hits every group by its share.
fn chances(table: &Table) -> Outcome<()> {
    const SHARES: [f64; 8] = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5];
    println!("\n## The same by the chances of every number of hits, over all sets of people, nothing drawn\n");
    let heads: Vec<String> = SHARES.iter().map(|share| format!("{} %", 100.0 * share)).collect();
    println!("| algorithm | {} |\n|---|{}", heads.join(" | "), "---|".repeat(SHARES.len()));
    for rule in [Rule::ExpectedWidth, Rule::MinSum, Rule::MinMax, Rule::MaxGroups] {
        let groups = numbers(table, &groups(table, Variant::Rule(rule), (4, 100), 1)?);
        let width = |share: &f64| by_chance(&groups, (share * table.n_rows() as f64).round() as usize);
        let cells: Vec<String> = SHARES.iter().map(|share| format!("{:.5}", width(share))).collect();
        println!("| {} | {} |", rule.name(), cells.join(" | "));
    }
    Ok(())
}

/// Made-up people, ages and losses even in the ranges of the real ones.
fn people(n: usize) -> Outcome<Table> {
    let mut state = 11u64;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut column = |name: &str, role, least: u64, greatest: u64| {
        let values: Vec<u64> = (0..n).map(|_| least + next(greatest - least + 1)).collect();
        let domain = Domain::numbers(values.iter().map(|&value| Decimal::from(value as i64)).collect())?;
        let code = |value: &u64| domain.code_of(&value.to_string()).ok_or("a value is missing from its domain");
        let codes: Codes = values.iter().map(code).collect::<Result<Vec<u32>, _>>()?.into_iter().collect();
        Outcome::Ok((Attribute { name: name.into(), role, domain }, codes))
    };
    let (age, ages) = column("age", Role::Quasi, 17, 90)?;
    let (loss, losses) = column(SENSITIVE, Role::Sensitive, 155, 3900)?;
    Ok(Table::new(Schema::new(vec![age, loss])?, vec![ages, losses], n)?)
}

fn synthetic() -> Outcome<()> {
    const N: usize = 2000;
    let table = people(N)?;
    let questions =
        BoundQuestions { sizes: Vec::new(), spans: vec![30.0], questions: 200, ..BoundQuestions::default() };
    let by_k: Vec<(u64, i128)> = (1..=10).map(|step| (4 * step, 50)).collect();
    let by_e: Vec<(u64, i128)> = (1..=5).map(|step| (10, 40 * i128::from(step))).collect();
    for (title, cases) in [("k from 4 to 40, e = 50", by_k), ("e from 40 to 200, k = 10", by_e)] {
        println!(
            "\n## {N} made-up people, {title}: mean relative width over ranges of age with span 30, {SEEDS_SYNTHETIC} seeds\n"
        );
        let names: Vec<&str> = Variant::all().map(Variant::name).collect();
        println!("| (k, e) | {} |", names.join(" | "));
        println!("|---|{}", "---|".repeat(names.len()));
        let mut all = Vec::new();
        for case in cases {
            let mut lines = Vec::new();
            for way in Variant::all() {
                lines.push((way, measured(&table, way, case, &questions, SEEDS_SYNTHETIC)?));
            }
            let cells: Vec<String> = lines.iter().map(|(_, found)| format!("{:.4}", found.means[0])).collect();
            println!("| ({}, {}) | {} |", case.0, case.1, cells.join(" | "));
            all.push((case, lines));
        }
        println!();
        for ((k, e), lines) in &all {
            verdict(lines, 0, &format!("({k}, {e})"));
        }
    }
    Ok(())
}
