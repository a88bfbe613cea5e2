//! Tables that are 2-anonymous, cut by rule of thumb and by correlation, with everything else equal.

use super::super::Rank;
use super::super::trial::{Trial, trial};
use super::super::workshop::Workshop;
use super::measured::{asked, number};
use super::people::People;
use super::{ABOUT, DOMAINS, SHARE};
use scumble::{
    ColumnRequest, ColumnRole, ContextAlgorithm, Decimal, Error, HierarchyFacts, Input, LevelFacts, LevelRule, Method,
    PublishRequest, Result, Silent, build_hierarchies, risk,
};
use std::path::PathBuf;

/// The paper deletes as many records as it takes; half of them are more than any of its releases needs.
const MOST_DELETED: &str = "0.5";

/// As fine as domains are tried: one in so many records.
const MOST_SHARES: u64 = 100;

/// How height is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// In three parts, with birth and weight in two: section 5.1.
    Conventional,
    /// In so many parts of equal numbers, without looking at anything else, with birth in three.
    Blind(u64),
    /// As `Paper`, with birth in two as in the conventional split.
    PaperTwoBirths(u64),
    /// By algorithm 4 as we read it, in domains of one in so many records, with birth in three parts as
    /// section 5.2 ends.
    Paper(u64),
    /// The same by our own algorithm.
    Ours(u64),
}

impl Cut {
    /// What to call it.
    pub(super) fn name(self, people: &People) -> String {
        match self {
            Cut::Conventional => format!("{} in 3", people.height),
            Cut::Blind(parts) => format!("{} in {parts}, without correlation", people.height),
            Cut::PaperTwoBirths(share) => {
                format!("algorithm 4, {} records a domain, {} in 2", people.least(share), people.birth)
            }
            Cut::Paper(share) => format!("algorithm 4, {} records a domain", people.least(share)),
            Cut::Ours(share) => format!("our own algorithm, {} records a domain", people.least(share)),
        }
    }
}

/// One way to cut, and the release it made.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Way {
    pub(super) cut: Cut,
    pub(super) name: String,
    /// The domains of height in each context; one line of everybody where there is no context.
    pub(super) domains: Vec<Domains>,
    /// What the risk tool tells of the release; none where there is none.
    pub(super) release: Option<Released>,
}

/// The domains of a context.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Domains {
    pub(super) context: String,
    pub(super) records: u64,
    /// The finest level first.
    pub(super) levels: Vec<Rank>,
}

impl Domains {
    /// The finest.
    fn finest(&self) -> &[(String, u64)] {
        self.levels.first().map_or(&[], |level| level.parts.as_slice())
    }

    /// How many there are.
    pub(super) fn n(&self) -> usize {
        self.finest().len()
    }

    /// Records of the smallest.
    pub(super) fn least(&self) -> u64 {
        self.finest().iter().map(|domain| domain.1).min().unwrap_or(0)
    }
}

/// A release through the eyes of the risk tool.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Released {
    pub(super) records: u64,
    pub(super) deleted: u64,
    pub(super) classes: u64,
    pub(super) k_min: u64,
    pub(super) k_max: u64,
    /// Mean k over records.
    pub(super) by_record: f64,
    /// Mean k over classes.
    pub(super) by_class: f64,
    /// How many records are in classes of each size, by rising size.
    pub(super) sizes: Vec<(u64, u64)>,
    /// What height lost, from 0 for nothing to 1 for all.
    pub(super) height_loss: f64,
}

impl Released {
    /// The share of records in classes of at most each size.
    pub(super) fn curve(&self) -> Vec<(f64, f64)> {
        let mut below = 0;
        let points = self.sizes.iter().map(|&(k, records)| {
            below += records;
            (k as f64, below as f64 / self.records as f64)
        });
        std::iter::once((0.0, 0.0)).chain(points).collect()
    }

    /// The share of records in classes of more than k.
    pub(super) fn above(&self, k: u64) -> f64 {
        let above: u64 = self.sizes.iter().filter(|(size, _)| *size > k).map(|(_, records)| records).sum();
        above as f64 / self.records as f64
    }

    /// Standard deviation of k over records.
    pub(super) fn deviation(&self) -> f64 {
        let mean = self.mean(|k| k);
        self.mean(|k| (k - mean) * (k - mean)).sqrt()
    }

    /// How far k of the record at 95 per cent lies from that at 5 per cent.
    pub(super) fn middle(&self) -> u64 {
        let at = |percent: u64| {
            let wanted = (percent * self.records).div_ceil(100).max(1);
            let mut below = 0;
            let reached = self.sizes.iter().find(|(_, records)| {
                below += records;
                below >= wanted
            });
            reached.map_or(self.k_max, |(k, _)| *k)
        };
        at(95) - at(5)
    }

    /// The Gini coefficient of k over records: 0 where all are in classes of one size.
    pub(super) fn gini(&self) -> f64 {
        let mean = self.mean(|k| k);
        self.mean(|k| self.mean(|other| (k - other).abs())) / (2.0 * mean)
    }

    /// A mean over records.
    fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.sizes.iter().map(|&(k, records)| of(k as f64) * records as f64).sum::<f64>() / self.records as f64
    }
}

/// Plain hierarchies that all ways share.
pub(super) struct Plain {
    height: PathBuf,
    halves: [PathBuf; 2],
    births: PathBuf,
    /// The parts of height.
    facts: HierarchyFacts,
}

/// Cuts height in three parts, birth and weight in two, and birth in three.
pub(super) fn cut(people: &People, input: &Input, workshop: &Workshop<'_>) -> Result<Plain> {
    let ([height, births], mut facts) = two(parts(people, &[&people.height, &people.birth], 3, input, workshop)?)?;
    let (halves, _) = two(parts(people, &[&people.birth, &people.weight], 2, input, workshop)?)?;
    Ok(Plain { height, halves, births, facts: facts.swap_remove(0) })
}

/// Cuts some columns in so many parts of equal numbers.
fn parts(
    people: &People,
    names: &[&String],
    groups: u64,
    input: &Input,
    workshop: &Workshop<'_>,
) -> Result<(Vec<PathBuf>, Vec<HierarchyFacts>)> {
    let mut request = asked(people, input, names, workshop);
    (request.groups, request.rule) = (Some(groups), Some(LevelRule::EqualFrequency));
    let built = build_hierarchies(&request, &Silent)?;
    let file = |facts: &HierarchyFacts| facts.files.first().map(|file| request.out.join(file));
    let files = built.hierarchies.iter().map(file).collect::<Option<Vec<PathBuf>>>();
    Ok((files.ok_or_else(without_file)?, built.hierarchies))
}

/// One in how many records a domain of algorithm 4 shall stand for so that there are about as many domains as the paper
/// lists: the nearest number, the larger domains of equally near ones; nothing where none is about as many.
pub(super) fn as_many_domains(people: &People, input: &Input, workshop: &Workshop<'_>) -> Result<Option<u64>> {
    let mut best: Option<(usize, u64)> = None;
    for share in SHARE..=MOST_SHARES {
        let (_, facts) = conditional(people, ContextAlgorithm::Paper, share, input, workshop)?;
        let n: usize = domains(&facts).iter().map(Domains::n).sum();
        let away = n.abs_diff(DOMAINS);
        if ABOUT.contains(&n) && best.is_none_or(|(nearest, _)| away < nearest) {
            best = Some((away, share));
        }
        // Finer intervals are more; those of a step further may be fewer again, but not by so many.
        if n > 2 * DOMAINS {
            break;
        }
    }
    Ok(best.map(|(_, share)| share))
}

fn two<T>((files, facts): (Vec<PathBuf>, T)) -> Result<([PathBuf; 2], T)> {
    Ok((files.try_into().map_err(|_| without_file())?, facts))
}

fn without_file() -> Error {
    Error::bug("a hierarchy was built and has no file")
}

/// Cuts height in one way, publishes, and attacks.
pub(super) fn released(
    cut: Cut,
    people: &People,
    plain: &Plain,
    input: &Input,
    workshop: &Workshop<'_>,
) -> Result<Way> {
    let (height, births, domains) = match cut {
        Cut::Conventional => (plain.height.clone(), &plain.halves[0], domains(&plain.facts)),
        Cut::Blind(groups) => {
            let (mut files, facts) = parts(people, &[&people.height], groups, input, workshop)?;
            (files.pop().ok_or_else(without_file)?, &plain.births, facts.first().map_or(Vec::new(), domains))
        }
        Cut::Paper(share) | Cut::PaperTwoBirths(share) => {
            let (file, facts) = conditional(people, ContextAlgorithm::Paper, share, input, workshop)?;
            let births = if matches!(cut, Cut::Paper(_)) { &plain.births } else { &plain.halves[0] };
            (file, births, domains(&facts))
        }
        Cut::Ours(share) => {
            let (file, facts) = conditional(people, ContextAlgorithm::Mdl, share, input, workshop)?;
            (file, &plain.births, domains(&facts))
        }
    };
    let level = |mut column: ColumnRequest, level| {
        column.level = Some(level);
        column
    };
    let cut_by = |name: &str, file: &PathBuf| {
        let mut column = level(number(name), 1);
        column.hierarchy = Some(file.clone());
        column
    };
    let mut columns: Vec<ColumnRequest> =
        people.few.iter().map(|name| level(ColumnRequest::new(name, ColumnRole::Quasi), 0)).collect();
    let files = [(&people.height, &height), (&people.birth, births), (&people.weight, &plain.halves[1])];
    columns.extend(files.map(|(name, file)| cut_by(name, file)));
    let request = PublishRequest {
        columns,
        requirements: vec!["k-anonymity(2)".parse()?],
        method: Some(Method::FullDomain),
        max_suppressed: Decimal::parse(MOST_DELETED).unwrap_or(Decimal::ZERO),
        ..PublishRequest::new(input.clone())
    };
    let release = match trial(request, workshop)? {
        Trial::Impossible { .. } => None,
        Trial::Made(made) => {
            let attacked = risk(&made.to_attack(), &Silent)?.attack;
            let loss = made.published.ncp_by_attribute.iter().find(|(name, _)| *name == people.height);
            let profile = attacked.profile;
            Some(Released {
                records: profile.records,
                deleted: made.published.suppressed,
                classes: profile.classes,
                k_min: profile.k_min,
                k_max: profile.k_max,
                by_record: profile.k_mean_record,
                by_class: profile.k_mean_class,
                sizes: attacked.matches.found().map(|line| (line.k, line.records)).collect(),
                height_loss: loss.map_or(f64::NAN, |(_, loss)| *loss),
            })
        }
    };
    Ok(Way { cut, name: cut.name(people), domains, release })
}

/// A hierarchy of height by context.
fn conditional(
    people: &People,
    algorithm: ContextAlgorithm,
    share: u64,
    input: &Input,
    workshop: &Workshop<'_>,
) -> Result<(PathBuf, HierarchyFacts)> {
    let mut request = asked(people, input, &[&people.height], workshop);
    request.given = people.few.iter().map(|name| ColumnRequest::new(name, ColumnRole::Quasi)).collect();
    (request.algorithm, request.min_count) = (algorithm, Some(people.least(share)));
    let mut built = build_hierarchies(&request, &Silent)?;
    let facts = built.hierarchies.swap_remove(0);
    // The file with contexts comes after the plain one.
    let file = facts.files.last().ok_or_else(without_file)?;
    Ok((request.out.join(file), facts))
}

/// The domains of every context.
fn domains(facts: &HierarchyFacts) -> Vec<Domains> {
    let of = |context: &str, records: u64, levels: &[LevelFacts]| {
        let level = |(nth, level): (usize, &LevelFacts)| Rank {
            name: format!("level {}", nth + 1),
            parts: level.labels.iter().cloned().zip(level.rows.iter().copied()).collect(),
        };
        Domains { context: context.into(), records, levels: levels.iter().enumerate().map(level).collect() }
    };
    if facts.contexts.is_empty() {
        return vec![of("everybody", facts.rows, &facts.levels)];
    }
    facts.contexts.iter().map(|context| of(&context.says, context.rows, &context.levels)).collect()
}
