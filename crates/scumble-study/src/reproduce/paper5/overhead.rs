//! Figures 15 and 16: what it takes to answer from a permuted table and its help table.
//!
//! The paper times a database. Here both ways are plain loops over arrays: what each must read is counted, which claims
//! are judged by, and the loops are timed, which is shown and never judged.

use super::super::draw::Draw;
use super::super::judge::{Answer, Trend, all, rises};
use super::super::{Claim, Exhibit, Findings, Line};
use super::people::{Demand, People};
use super::sources::random;
use super::trade_off::MADE_UP;
use super::ways::by_rule;
use super::{Scale, lines_of};
use scumble_method::ke_permutation::Rule;
use scumble_report::grouped;
use scumble_table::{Error, Partition, Result};
use std::hint::black_box;
use std::time::Instant;

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
    let spans = [10.0, 20.0, 30.0, 40.0, 50.0];
    let from = people.axis().lo;
    let inside = |span: f64| permuted.ages.iter().map(|&age| age >= from + 10.0 && age <= from + 10.0 + span).collect();
    let ranges: Vec<(f64, Vec<bool>)> = spans.iter().map(|&span| (span, inside(span))).collect();
    let setting = format!(
        "{} made-up people in {} groups that min sum forms for k = 20 and e = 0; averages.",
        grouped(people.n() as u64),
        partition.n_groups()
    );
    findings.claims.push(Claim::of_its_data(
        "section 7.2",
        "The synthetic table of 10,000 people falls into 38 groups.",
        "as many groups; not judged, for the losses of that table are not told",
        format!("{} groups", partition.n_groups()),
        partition.n_groups() == 38,
        false,
    ));
    for (number, title, x, queries) in [
        ("Figure 15", "constrained queries", "part of the groups touched (%)", &constrained),
        ("Figure 16", "range queries", "span of age", &ranges),
    ] {
        let read: Vec<(f64, Read)> = queries.iter().map(|(x, selected)| (*x, permuted.read(selected))).collect();
        findings.exhibits.push(counted(number, title, x, &setting, &read));
        let times: Vec<(f64, Times)> =
            queries.iter().map(|(x, selected)| (*x, permuted.times(selected, scale.repeats))).collect();
        findings.exhibits.push(timed(number, title, x, &setting, &times));
        claims(number, (people.n(), partition.n_groups()), &read, findings);
    }
    Ok(())
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
        let fastest = |work: &dyn Fn()| {
            let once = |_| {
                let start = Instant::now();
                work();
                start.elapsed().as_secs_f64() * 1e6
            };
            (0..repeats).map(once).fold(f64::INFINITY, f64::min)
        };
        [
            fastest(&|| {
                black_box(self.original(black_box(selected)));
            }),
            fastest(&|| {
                black_box(self.hits(black_box(selected)));
            }),
            fastest(&|| {
                black_box(self.bounds(black_box(&hits)));
            }),
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

fn counted(number: &str, title: &str, x: &str, setting: &str, read: &[(f64, Read)]) -> Exhibit {
    let line = |name: &str, of: &dyn Fn(&Read) -> usize| {
        Line::through(name, read.iter().map(|(x, read)| (*x, of(read) as f64)))
    };
    let series = vec![
        line("step 1: people in the mapping table", &|read| read.people),
        line("step 2: groups in the help table", &|read| read.groups),
    ];
    let setting = format!("{setting} Counts, the same on every machine.");
    lines_of(number, &format!("what {title} look up"), &setting, x.into(), "lookups", true, series)
}

fn timed(number: &str, title: &str, x: &str, setting: &str, times: &[(f64, Times)]) -> Exhibit {
    let line =
        |name: &str, of: &dyn Fn(&Times) -> f64| Line::through(name, times.iter().map(|(x, times)| (*x, of(times))));
    let series = vec![
        line("original query", &|times| times[0]),
        line("step 1", &|times| times[1]),
        line("step 2", &|times| times[2]),
        line("both steps", &|times| times[1] + times[2]),
    ];
    let setting =
        format!("{setting} Loops over arrays on this machine, the fastest of some runs; no claim is judged by them.");
    lines_of(number, &format!("time of {title}"), &setting, x.into(), super::TIME, false, series)
}

fn claims(number: &str, (n, whole): (usize, usize), read: &[(f64, Read)], findings: &mut Findings) {
    let rise = |counts: &[f64]| rises(Trend::of(counts.iter().copied()));
    let place = format!("section 7.2, {}", number.to_lowercase());
    let of = |part: &dyn Fn(&Read) -> usize| read.iter().map(|(_, read)| part(read) as f64).collect::<Vec<_>>();
    let (people, groups) = (of(&|read| read.people), of(&|read| read.groups));
    let ends = |counts: &[f64]| match (counts.first(), counts.last()) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "none".into(),
    };
    let constrained = number == "Figure 15";
    let says = if constrained {
        "As more groups are involved, both steps of the rewritten query take longer: the first selects more people, the second \
         joins more groups with the help table."
    } else {
        "The wider the range, the more people and groups are selected, as with constrained queries."
    };
    findings.claims.push(Claim::of_any_data(
        &place,
        says,
        "lookups in the mapping table rise, and those in the help table rise too unless all groups are touched already",
        format!("people {}, groups {}", ends(&people), ends(&groups)),
        all([
            rise(&people),
            if groups.iter().all(|&touched| touched == whole as f64) { Answer::Yes } else { rise(&groups) },
        ]),
    ));
    if constrained {
        let touched = |read: &Read| (n + read.people + read.groups) as f64 / n as f64;
        let most = read.iter().map(|(_, read)| touched(read)).fold(0.0, f64::max);
        findings.claims.push(Claim::of_its_data(
            &place,
            "The rewritten query takes about four times as long as the original.",
            "not judged: it is the time of a database of its day",
            format!("it reads and looks up {most:.2} times as many rows at most; times are in the figure"),
            false,
            false,
        ));
    }
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
        let standing = |counts: [usize; 3], groups: usize| {
            let read = counts.map(|people| (people as f64, Read { people, groups }));
            let mut findings = Findings::default();
            claims("Figure 16", (100, 3), &read, &mut findings);
            findings.claims[0].standing
        };
        use super::super::super::Standing;
        assert_eq!((standing([1, 2, 3], 3), standing([3, 2, 1], 3)), (Standing::Held, Standing::NotHeld));
        assert_eq!(standing([1, 2, 3], 2), Standing::NotHeld);
    }
}
