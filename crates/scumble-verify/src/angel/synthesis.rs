//! Which batches the people of a bucket are in (paper 4, Figure 2), and what follows for what a reader can infer.

use crate::census::Census;
use crate::distance::needs_distance;
use crate::judge::in_words;
use crate::verdict::Verdict;
use rayon::prelude::*;
use scumble_principle::{Attained, BoundRequirements, Group, Requirement};
use scumble_release::{BoxTable, SUPPRESSED};
use scumble_table::{Bag, Code, Result, number_of};

/// Buckets of a table, each with its batches and how many of its people are in each.
#[derive(Debug, Clone)]
pub struct Synthesis {
    /// Bucket `c` is at `starts[c]..starts[c + 1]` of `parts`.
    starts: Vec<u32>,
    /// (batch, people), by rising batch.
    parts: Vec<(u32, u32)>,
}

impl Synthesis {
    /// Of a table of boxes.
    pub fn from_table(view: &BoxTable) -> Synthesis {
        Synthesis::new(view.boxed.sizes.len(), &view.boxed.row_group, &view.row_batch)
    }

    /// From the bucket and the batch of each person; suppressed people have none of them. With both exchanged it tells the
    /// buckets of each batch, and given classes and groups it tells the groups of each class.
    pub fn new(n_buckets: usize, row_bucket: &[u32], row_batch: &[u32]) -> Synthesis {
        let mut pairs: Vec<(u32, u32)> = row_bucket
            .iter()
            .zip(row_batch)
            .filter(|(bucket, batch)| **bucket != SUPPRESSED && **batch != SUPPRESSED)
            .map(|(&bucket, &batch)| (bucket, batch))
            .collect();
        pairs.par_sort_unstable();
        let mut starts = vec![0u32; n_buckets + 1];
        let mut parts = Vec::new();
        for alike in pairs.chunk_by(|a, b| a == b) {
            parts.push((alike[0].1, alike.len() as u32));
            starts[alike[0].0 as usize + 1] = parts.len() as u32;
        }
        // A bucket without people ends where the one before it does.
        for at in 1..starts.len() {
            starts[at] = starts[at].max(starts[at - 1]);
        }
        Synthesis { starts, parts }
    }

    /// Number of buckets.
    pub fn n_buckets(&self) -> usize {
        self.starts.len() - 1
    }

    /// Batches of a bucket, each with its people there.
    pub fn of_bucket(&self, bucket: usize) -> &[(u32, u32)] {
        &self.parts[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }

    /// The multiset that has the distribution of equation 2: as many copies of every batch as make all batches weigh
    /// by their people here (the construction of theorem 1's proof). Nothing where counts would not fit.
    fn mixture(&self, bucket: usize, census: &Census, column: usize, room: &mut Scratch) -> Option<()> {
        let parts = self.of_bucket(bucket);
        let mut common: u64 = 1;
        for &(batch, _) in parts {
            let size = u64::from(census.size(batch as usize)).max(1);
            common = common.checked_mul(size / gcd(common, size)).filter(|&common| common <= MOST)?;
        }
        let people: u64 = parts.iter().map(|&(_, n)| u64::from(n)).sum();
        people.checked_mul(common).filter(|&total| total <= MOST)?;
        room.pairs.clear();
        for &(batch, n) in parts {
            census.fill(batch as usize, column, &mut room.batch);
            let copies = u64::from(n) * (common / u64::from(census.size(batch as usize)).max(1));
            room.pairs
                .extend(room.batch.counts().iter().map(|&(code, count)| (code, (copies * u64::from(count)) as u32)));
        }
        room.pairs.sort_unstable_by_key(|(code, _)| *code);
        room.bags[column].refill_sorted(room.pairs.iter().copied());
        Some(())
    }
}

/// The most members of a multiset that is judged directly; a table has fewer rows.
const MOST: u64 = u32::MAX as u64;

/// What judging a bucket needs, kept from one to the next.
struct Scratch {
    batch: Bag,
    pairs: Vec<(Code, u32)>,
    bags: Vec<Bag>,
}

/// What the buckets of a table came to.
#[derive(Default)]
struct MixedBuckets {
    failing: u64,
    /// Buckets whose multiset is too large to write down; theorem 1 speaks for them.
    by_theorem: u64,
    attained: Option<Vec<Attained>>,
}

impl MixedBuckets {
    fn add(self, other: MixedBuckets) -> MixedBuckets {
        let attained = match (self.attained, other.attained) {
            (Some(a), Some(b)) => Some(a.into_iter().zip(b).map(|(a, b)| a.common(b)).collect()),
            (a, b) => a.or(b),
        };
        MixedBuckets { failing: self.failing + other.failing, by_theorem: self.by_theorem + other.by_theorem, attained }
    }
}

/// Notes whether the claim about every bucket, which is the distribution of equation 2, satisfies a requirement. Where its
/// multiset is too large to be written down, `batches_hold` decides: by theorem 1 any mixture of passing batches passes a
/// monotone principle.
pub(super) fn note_mixtures(
    view: &BoxTable,
    synthesis: &Synthesis,
    census: &Census,
    requirement: &Requirement,
    batches_hold: bool,
    verdict: &mut Verdict,
) -> Result<()> {
    let schema = census.schema();
    let name = format!("claimed[{}: {requirement}]", view.name);
    let bound = match needs_distance(requirement) {
        // It is not monotone by any distance.
        true => None,
        false => {
            let whole = |at: usize| census.whole(at).clone();
            Some(BoundRequirements::bind(std::slice::from_ref(requirement), schema, whole)?)
        }
    };
    let Some(bound) = bound.filter(BoundRequirements::monotone) else {
        let reason = "batches that meet it may fail it together, so that nothing follows for a bucket";
        verdict.note(name, Err(reason.into()));
        return Ok(());
    };
    let needed = bound.sensitive_needed();
    if needed.is_empty() {
        return Ok(());
    }
    let n_columns = schema.attributes().len();
    const RUN: usize = 1 << 9;
    let runs: Vec<MixedBuckets> = (0..synthesis.n_buckets())
        .into_par_iter()
        .step_by(RUN)
        .map(|from| {
            let mut room = Scratch { batch: Bag::default(), pairs: Vec::new(), bags: vec![Bag::default(); n_columns] };
            let mut mixed = MixedBuckets::default();
            for bucket in from..(from + RUN).min(synthesis.n_buckets()) {
                let written = needed.iter().all(|&at| synthesis.mixture(bucket, census, at, &mut room).is_some());
                mixed = mixed.add(match written {
                    false => MixedBuckets { failing: u64::from(!batches_hold), by_theorem: 1, attained: None },
                    true => {
                        let size = room.bags[needed[0]].size();
                        let group = Group { size, bags: &room.bags };
                        let attained = Some(bound.attained(group));
                        MixedBuckets { failing: u64::from(!bound.holds(group)), by_theorem: 0, attained }
                    }
                });
            }
            mixed
        })
        .collect();
    let MixedBuckets { failing, by_theorem, attained } =
        runs.into_iter().fold(MixedBuckets::default(), MixedBuckets::add);
    let n = synthesis.n_buckets();
    let reached: Vec<String> = attained
        .iter()
        .flatten()
        .map(|attained| {
            // The size of the multiset depends on the number of copies, so it says nothing about people.
            let figures: Vec<_> = attained.figures.iter().filter(|(name, _)| *name != "k").cloned().collect();
            in_words(&figures)
        })
        .collect();
    let mut words = match reached.is_empty() {
        true => number_of(n as u64, "bucket", "buckets"),
        false => format!("{} {}", number_of(n as u64, "bucket claims", "buckets claim"), reached.join("; ")),
    };
    if by_theorem > 0 {
        words += &format!(", {by_theorem} of them by theorem 1");
    }
    verdict.note(name, if failing == 0 { Ok(words) } else { Err(format!("{failing} of {words} fail")) });
    Ok(())
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
