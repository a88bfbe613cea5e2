//! Figures 15 and 16: what it takes to answer from a permuted table and its help table.
//!
//! The paper times a database. Here both ways are plain loops over arrays: what each must read is counted, which claims
//! are judged by, and the loops are timed, which is shown and never judged.

use super::approaches::by_rule;
use super::people::{Demand, People};
use super::sources::{Losses, correlated, random};
use super::trade_off::MADE_UP;
use super::{Scale, TIME, fastest};
use crate::claim::Passage;
use crate::decision::{Decision, Reason, Trend, all, passes};
use crate::draw::Draw;
use crate::figure::YAxis;
use crate::series::rising;
use crate::{Claim, Figure, Findings, Series};
use scumble_method::ke_permutation::Rule;
use scumble_report::grouped;
use scumble_table::{Error, Partition, Result};
use std::hint::black_box;

/// What is selected of every group that a constrained query touches, in parts of a hundred.
const OF_A_GROUP: usize = 30;

/// The permuted table, the mapping of people to groups and the help table of sums.
struct Permuted {
    ages: Vec<f64>,
    losses: Vec<f64>,
    group: Vec<u32>,
    /// For each group the sums of its 0, 1, ... least numbers and of its greatest.
    help: Vec<(Vec<f64>, Vec<f64>)>,
}

/// What a query reads.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Read {
    /// People selected, each of which step 1 looks up in the mapping.
    people: usize,
    /// Groups touched, each of which step 2 looks up in the help table.
    groups: usize,
}

/// Microseconds of the original query, of step 1 and of step 2.
type Times = [f64; 3];

/// Both figures and what the paper says about them.
pub(super) fn figures(scale: &Scale, findings: &mut Findings) -> Result<()> {
    let people = random(MADE_UP, scale.seed)?;
    let partition = by_rule(&people, Rule::MinSum, Demand { k: 20, e: 0 }, scale.seed)?;
    let partition = partition.ok_or_else(|| Error::bug("the made-up people have 20 different losses"))?;
    let permuted = Permuted::new(&people, &partition);
    let mut draw = Draw::new(scale.seed, "constrained queries");
    let parts: Vec<f64> = (1..=10).map(|tenth| 10.0 * f64::from(tenth)).collect();
    let constrained: Vec<(f64, Vec<bool>)> =
        parts.iter().map(|&part| (part, some_groups(&partition, part, people.n(), &mut draw))).collect();
    let setting = format!(
        "{} made-up people in {} groups that min sum forms for k = 20 and e = 0; averages.",
        grouped(people.n() as u64),
        partition.n_groups()
    );
    findings.claims.push(Passage::new("section 7.2", false).its(
        "The synthetic table of 10,000 people falls into 38 groups.",
        "as many groups; not judged, for the losses of that table are not told",
        format!("{} groups", partition.n_groups()),
        partition.n_groups() == 38,
    ));
    let of_groups = show("Figure 15", "constrained queries", &setting, &permuted, &constrained, scale, findings);
    let ranges = show("Figure 16", "range queries", &setting, &permuted, &permuted.ranges(&people), scale, findings);
    // Where losses have nothing to do with ages every range touches all groups; where they follow ages, the groups do too.
    let followers = correlated(MADE_UP, Losses::Whole, NOISE_OF_LOSSES, scale.seed)?;
    let partition = by_rule(&followers, Rule::MinSum, Demand { k: 20, e: 0 }, scale.seed)?;
    let partition = partition.ok_or_else(|| Error::bug("people whose losses follow ages have 20 different ones"))?;
    let of_followers = Permuted::new(&followers, &partition);
    let setting = format!(
        "{} made-up people whose losses follow their ages (standard deviation of the noise {NOISE_OF_LOSSES}) in {} groups that \
         min sum forms for k = 20 and e = 0; averages.",
        grouped(followers.n() as u64),
        partition.n_groups()
    );
    let title = "range queries about losses that follow ages";
    let queries = of_followers.ranges(&followers);
    let following = show("Figure 16", title, &setting, &of_followers, &queries, scale, findings);
    findings.claims.extend(claims(people.n(), &of_groups, &ranges, &following));
    Ok(())
}

/// How loosely losses follow ages in the second table of figure 16.
const NOISE_OF_LOSSES: f64 = 50.0;

/// Adds what some queries look up and how long that takes; gives back the former.
fn show(
    number: &str,
    title: &str,
    setting: &str,
    permuted: &Permuted,
    queries: &[(f64, Vec<bool>)],
    scale: &Scale,
    findings: &mut Findings,
) -> Vec<(f64, Read)> {
    let x = if number == "Figure 15" { "part of the groups touched (%)" } else { "span of age" };
    let read: Vec<(f64, Read)> = queries.iter().map(|(x, selected)| (*x, permuted.read(selected))).collect();
    let line = |name: &str, of: Lookups| Series::through(name, read.iter().map(|(x, read)| (*x, of(read) as f64)));
    let lookups = vec![
        line("step 1: people in the mapping table", |read| read.people),
        line("step 2: groups in the help table", |read| read.groups),
    ];
    let times: Vec<(f64, Times)> =
        queries.iter().map(|(x, selected)| (*x, permuted.times(selected, scale.repeats))).collect();
    let line = |name: &str, of: fn(&Times) -> f64| Series::through(name, times.iter().map(|(x, one)| (*x, of(one))));
    let times = vec![
        line("original query", |times| times[0]),
        line("step 1", |times| times[1]),
        line("step 2", |times| times[2]),
        line("both steps", |times| times[1] + times[2]),
    ];
    let counted = "Counts, the same on every machine.";
    let timed = "Loops over arrays on this machine, the fastest of some runs; no claim is judged by them.";
    let by_powers = YAxis { by_powers: true, ..YAxis::plain("lookups") };
    for (title, remark, y, lines) in [
        (format!("what {title} look up"), counted, by_powers, lookups),
        (format!("time of {title}"), timed, YAxis::plain(TIME), times),
    ] {
        findings.figures.push(Figure::new(number, title, format!("{setting} {remark}"), Figure::lines(x, y, lines)));
    }
    read
}

impl Permuted {
    fn new(people: &People, partition: &Partition) -> Self {
        let domain = &people.sensitive().domain;
        let losses: Vec<f64> =
            people.table.column(people.sensitive_at()).iter().map(|code| domain.place(code)).collect();
        let places = people.places();
        let mut group = vec![0u32; people.n()];
        let mut help = Vec::new();
        for (at, rows) in (0..).zip(partition.groups()) {
            rows.iter().for_each(|&row| group[row as usize] = at);
            let mut numbers: Vec<f64> = rows.iter().map(|&row| losses[row as usize]).collect();
            numbers.sort_by(f64::total_cmp);
            let sums = |numbers: &mut dyn Iterator<Item = &f64>| {
                let mut sums = vec![0.0];
                for number in numbers {
                    sums.push(sums[sums.len() - 1] + number);
                }
                sums
            };
            help.push((sums(&mut numbers.iter()), sums(&mut numbers.iter().rev())));
        }
        Permuted { ages: (0..people.n()).map(|row| places.place(row)).collect(), losses, group, help }
    }

    /// Ranges of rising span, from ten years above the least age.
    fn ranges(&self, people: &People) -> Vec<(f64, Vec<bool>)> {
        let from = people.axis().lo + 10.0;
        let inside = |span: f64| self.ages.iter().map(|&age| age >= from && age <= from + span).collect();
        [10.0, 20.0, 30.0, 40.0, 50.0].map(|span| (span, inside(span))).to_vec()
    }

    /// The query as it is asked of the microdata.
    fn original(&self, selected: &[bool]) -> Option<f64> {
        let chosen = self.losses.iter().zip(selected).filter(|(_, selected)| **selected);
        let (sum, n) = chosen.fold((0.0, 0usize), |(sum, n), (loss, _)| (sum + loss, n + 1));
        (n > 0).then(|| sum / n as f64)
    }

    /// Step 1: how many of each group are selected.
    fn hits(&self, selected: &[bool]) -> Vec<u32> {
        let mut hits = vec![0u32; self.help.len()];
        let chosen = self.group.iter().zip(selected).filter(|(_, selected)| **selected);
        chosen.for_each(|(group, _)| hits[*group as usize] += 1);
        hits
    }

    /// Step 2: bounds from the help table.
    fn bounds(&self, hits: &[u32]) -> Option<(f64, f64)> {
        let touched = hits.iter().zip(&self.help).filter(|(hits, _)| **hits > 0);
        let add = |sums: (f64, f64, u32), (&hits, help): (&u32, &(Vec<f64>, Vec<f64>))| {
            (sums.0 + help.0[hits as usize], sums.1 + help.1[hits as usize], sums.2 + hits)
        };
        let (low, high, n) = touched.fold((0.0, 0.0, 0), add);
        (n > 0).then(|| (low / f64::from(n), high / f64::from(n)))
    }

    fn read(&self, selected: &[bool]) -> Read {
        let hits = self.hits(selected);
        Read {
            people: selected.iter().filter(|selected| **selected).count(),
            groups: hits.iter().filter(|hits| **hits > 0).count(),
        }
    }

    /// The fastest of some runs.
    fn times(&self, selected: &[bool], repeats: usize) -> Times {
        let hits = self.hits(selected);
        [
            fastest(repeats, || self.original(black_box(selected))),
            fastest(repeats, || self.hits(black_box(selected))),
            fastest(repeats, || self.bounds(black_box(&hits))),
        ]
    }
}

/// A random part of the groups, and of each of them its share of people.
fn some_groups(partition: &Partition, part: f64, n: usize, draw: &mut Draw) -> Vec<bool> {
    let mut selected = vec![false; n];
    let wanted = ((part / 100.0 * partition.n_groups() as f64).round() as usize).max(1);
    for group in draw.chosen(wanted, partition.n_groups()) {
        let rows = partition.group(group);
        let n = (rows.len() * OF_A_GROUP).div_ceil(100);
        draw.chosen(n, rows.len()).into_iter().for_each(|at| selected[rows[at] as usize] = true);
    }
    selected
}

/// Lookups of one step.
type Lookups = fn(&Read) -> usize;

/// Whether lookups rise, surely and from first to last.
fn rise(read: &[(f64, Read)], of: Lookups) -> Decision {
    let counts: Vec<f64> = read.iter().map(|(_, read)| of(read) as f64).collect();
    all([
        Decision::from(Trend::new(counts.iter().copied()).map(|trend| trend.last > trend.first)),
        passes(rising(&counts), |surely| surely >= 0.9),
    ])
}

fn ends(read: &[(f64, Read)], of: Lookups) -> String {
    match (read.first(), read.last()) {
        (Some((_, first)), Some((_, last))) => format!("{} to {}", of(first), of(last)),
        _ => "none".into(),
    }
}

fn claims(n: usize, of_groups: &[(f64, Read)], ranges: &[(f64, Read)], following: &[(f64, Read)]) -> Vec<Claim> {
    let [fifteen, sixteen] = [15, 16].map(|n| Passage::new(format!("section 7.2, figure {n}"), false));
    let (people, groups): (Lookups, Lookups) = (|read| read.people, |read| read.groups);
    let surely = "they are more at the end than at the beginning, with a rank correlation of 0.9 at least";
    // More groups are what the paper explains step 2 by: without them there is nothing to explain.
    let more_groups = |read: &[(f64, Read)]| match (read.first(), read.last()) {
        (Some(first), Some(last)) if 2 * last.1.groups >= 3 * first.1.groups => rise(read, groups),
        _ => Decision::Undecided(Reason::DidNotOccur),
    };
    let touched = |read: &Read| (n + read.people + read.groups) as f64 / n as f64;
    let mean = of_groups.iter().map(|(_, read)| touched(read)).sum::<f64>() / of_groups.len() as f64;
    vec![
        fifteen.any(
            "As more groups are involved, step 1 of the rewritten query takes longer, for it selects more people.",
            &format!("lookups in the mapping table: {surely}"),
            ends(of_groups, people),
            rise(of_groups, people)),
        fifteen.any(
            "So does step 2, for it joins more groups with the help table.",
            &format!("lookups in the help table: {surely}"),
            ends(of_groups, groups),
            rise(of_groups, groups)),
        fifteen.any(
            "The rewritten query takes longer than the original.",
            "it reads and looks up more rows, on average over all parts of the groups",
            format!("{mean:.2} times as many rows as the original"),
            passes(mean, |times| times > 1.0)),
        fifteen.its(
            "It takes about four times as long.",
            "not judged: it is the time of a database of its day",
            format!("it reads and looks up {mean:.2} times as many rows; times are in the figure"),
            false),
        sixteen.any(
            "The wider a range, the more people are selected, and the longer step 1 takes, as with constrained queries.",
            &format!("lookups in the mapping table, on both tables: {surely}"),
            format!("{}; where losses follow ages {}", ends(ranges, people), ends(following, people)),
            all([rise(ranges, people), rise(following, people)])),
        sixteen.any(
            "The wider a range, the more groups are involved, and the longer step 2 takes, as with constrained queries.",
            &format!("lookups in the help table where losses follow ages: {surely}; judged if they grow to 1.5 times"),
            format!("{}; where losses have nothing to do with ages {}", ends(following, groups), ends(ranges, groups)),
            more_groups(following)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_the_original_answer() {
        let people = random(300, 5).unwrap();
        let partition = by_rule(&people, Rule::MinSum, Demand { k: 5, e: 0 }, 1).unwrap().unwrap();
        let permuted = Permuted::new(&people, &partition);
        let mut draw = Draw::new(1, "test");
        for part in [10.0, 50.0, 100.0] {
            let selected = some_groups(&partition, part, 300, &mut draw);
            let (low, high) = permuted.bounds(&permuted.hits(&selected)).unwrap();
            let truth = permuted.original(&selected).unwrap();
            assert!(low <= truth && truth <= high, "{low} {truth} {high}");
            let read = permuted.read(&selected);
            assert_eq!(read.groups, ((part / 100.0 * partition.n_groups() as f64).round() as usize).max(1));
            assert!(permuted.times(&selected, 2).iter().all(|time| time.is_finite()));
        }
        assert_eq!(permuted.bounds(&permuted.hits(&[false; 300])), None);
    }

    #[test]
    fn claims_follow_the_counts() {
        use crate::Standing::{self, Held, NotComparable, NotHeld};
        let read = |people: [usize; 4], groups: [usize; 4]| -> Vec<(f64, Read)> {
            let one = |at: usize| (at as f64, Read { people: people[at], groups: groups[at] });
            (0..4).map(one).collect()
        };
        let standings = |of_groups: &[(f64, Read)], ranges: &[(f64, Read)]| -> Vec<Standing> {
            claims(100, of_groups, ranges, ranges).iter().map(|claim| claim.standing).collect()
        };
        let rising = read([10, 20, 30, 40], [1, 2, 3, 4]);
        assert_eq!(standings(&rising, &rising), [Held, Held, Held, NotComparable, Held, Held]);
        let falling = read([40, 30, 20, 10], [4, 3, 2, 1]);
        assert_eq!(standings(&falling, &falling)[..2], [NotHeld; 2]);
        // All groups are touched by any range.
        let all = read([10, 20, 30, 40], [9, 9, 9, 9]);
        assert_eq!(standings(&rising, &all)[4..], [Held, NotComparable]);
        let back = read([10, 20, 15, 40], [2, 9, 1, 4]);
        assert_eq!(standings(&rising, &back)[4..], [NotHeld, NotHeld]);
    }
}
