//! Tables that are 2-anonymous, cut by rule of thumb and by correlation, with everything else equal.

use super::people::People;
use super::{ABOUT, DOMAINS, SHARE};
use crate::TreeLevel;
use crate::attempt::attempt;
use crate::runner::Runner;
use scumble::{
    ContextAlgorithm, Decimal, Error, FromFile, HierarchyFacts, HierarchyRequest, LevelFacts, LevelRule, Method,
    Result, RiskRequest, Table, build_hierarchies,
};

/// The paper deletes as many records as it takes; half of them are more than any of its releases needs.
const MOST_DELETED_TENTHS: i128 = 5;

/// As fine as domains are tried: one in this many records.
const MOST_SHARES: u64 = 100;

/// How height is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// In three parts, with birth and weight in two: section 5.1.
    Conventional,
    /// In parts of equal numbers, without looking at anything else, with birth in three.
    Blind(u64),
    /// As `Paper`, with birth in two as in the conventional split.
    PaperTwoBirths(u64),
    /// By algorithm 4 as we read it, in domains of one in this many records, with birth in three parts as
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

/// A cut, and the release it made.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CutRelease {
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
    pub(super) levels: Vec<TreeLevel>,
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

/// Makes the releases of all cuts.
pub(super) struct Releases<'a> {
    pub(super) people: &'a People,
    pub(super) table: &'a Table,
    pub(super) runner: &'a Runner,
}

impl Releases<'_> {
    /// One in how many records a domain of algorithm 4 shall stand for so that there are about as many domains as the paper
    /// lists: the nearest number, the larger domains of equally near ones; nothing where none is about as many.
    pub(super) fn as_many_domains(&self) -> Result<Option<u64>> {
        let mut best: Option<(usize, u64)> = None;
        for share in SHARE..=MOST_SHARES {
            let facts = self.conditional(ContextAlgorithm::Paper, share)?;
            let n: usize = domains(&facts).iter().map(Domains::n).sum();
            let away = n.abs_diff(DOMAINS);
            if ABOUT.contains(&n) && best.is_none_or(|(nearest, _)| away < nearest) {
                best = Some((away, share));
            }
            // Finer intervals are more; those of a step further may be fewer again, but not by as many.
            if n > 2 * DOMAINS {
                break;
            }
        }
        Ok(best.map(|(_, share)| share))
    }

    /// A hierarchy of height by context.
    fn conditional(&self, algorithm: ContextAlgorithm, share: u64) -> Result<HierarchyFacts> {
        let mut request = HierarchyRequest::new([&self.people.height]).given(&self.people.few);
        (request.algorithm, request.min_count) = (algorithm, Some(self.people.least(share)));
        self.built(&request)
    }

    /// Cuts a column in parts of equal numbers.
    fn parts(&self, name: &str, groups: u64) -> Result<HierarchyFacts> {
        let mut request = HierarchyRequest::new([name]);
        (request.groups, request.rule) = (Some(groups), Some(LevelRule::EqualFrequency));
        self.built(&request)
    }

    fn built(&self, request: &HierarchyRequest) -> Result<HierarchyFacts> {
        Ok(build_hierarchies(self.table, request, self.runner.silent())?.hierarchies.swap_remove(0))
    }

    /// Cuts height, makes a release, and attacks it.
    pub(super) fn cut(&self, cut: Cut) -> Result<CutRelease> {
        let people = self.people;
        let heights = match cut {
            Cut::Conventional => self.parts(&people.height, 3)?,
            Cut::Blind(groups) => self.parts(&people.height, groups)?,
            Cut::Paper(share) | Cut::PaperTwoBirths(share) => self.conditional(ContextAlgorithm::Paper, share)?,
            Cut::Ours(share) => self.conditional(ContextAlgorithm::Mdl, share)?,
        };
        let two_births = matches!(cut, Cut::Conventional | Cut::PaperTwoBirths(_));
        let births = self.parts(&people.birth, if two_births { 2 } else { 3 })?;
        let mut job = people.job().require("k-anonymity(2)")?;
        job.columns.iter_mut().for_each(|(_, column)| column.level = Some(0));
        for facts in [&heights, &births, &self.parts(&people.weight, 2)?] {
            let column = job.column_mut(&facts.column);
            column.hierarchy = Some(FromFile::value(format!("the hierarchy of {}", facts.column), facts.hierarchy()));
            column.level = Some(1);
        }
        job.publish.method = Some(Method::FullDomain);
        job.publish.max_suppressed = Some(Decimal::new(MOST_DELETED_TENTHS, 1));
        let table = people.table.encoded(&job.columns)?.table;
        let release = match attempt(&table, job, self.runner)? {
            Err(_) => None,
            Ok(release) => {
                let attacked = release.risk(&RiskRequest::default(), self.runner.silent())?.attack;
                let facts = release.facts().ok_or_else(|| Error::bug("a release that was made here has no facts"))?;
                let loss = facts.ncp_by_attribute.iter().find(|(name, _)| *name == people.height);
                // Of the published records alone: deleted ones count 1 in the figure of a release.
                let (kept, deleted) = (facts.rows as f64, facts.suppressed as f64);
                let of_published = |ncp: f64| (ncp * (kept + deleted) - deleted) / kept;
                let profile = attacked.profile;
                Some(Released {
                    records: profile.records,
                    deleted: facts.suppressed,
                    classes: profile.classes,
                    k_min: profile.k_min,
                    k_max: profile.k_max,
                    by_record: profile.k_mean_record,
                    by_class: profile.k_mean_class,
                    sizes: attacked.matches.found().map(|line| (line.k, line.records)).collect(),
                    height_loss: loss.map_or(f64::NAN, |(_, loss)| of_published(*loss)),
                })
            }
        };
        Ok(CutRelease { cut, name: cut.name(people), domains: domains(&heights), release })
    }
}

/// The domains of every context.
fn domains(facts: &HierarchyFacts) -> Vec<Domains> {
    let of = |context: &str, records: u64, levels: &[LevelFacts]| {
        let level = |(nth, level): (usize, &LevelFacts)| TreeLevel {
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
