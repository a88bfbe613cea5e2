//! What the tables of an angel release tell together that each by itself does not.
//!
//! Every table hides a person among the at least k people of a bucket. But the quasi-identifiers
//! of a person give away the bucket in every table, and only people of the same batch can be the same
//! person: joined through the batch number, the buckets leave fewer candidates. The requirements
//! survive this, whatever the mixture of batches (theorem 1); that one is hidden among k people does not.

use super::synthesis::Synthesis;
use rayon::prelude::*;
use scumble_release::notation::Region;
use scumble_release::{Angelized, BoxColumn, BoxTable, SUPPRESSED};
use scumble_table::{Counted, Hierarchy, Persons, number_of};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// How far the tables of a release narrow people down who are known by their quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined {
    /// Tables of boxes.
    pub tables: usize,
    /// How many rows share every box, or how many people where these are counted.
    pub k: u64,
    /// Who is counted by `narrowed`: people, each once, where it is known whose rows are whose; else rows.
    pub counted: Counted,
    /// Rows that are left with fewer than `k` candidates, or people who have a row that is. In documents its name says which:
    /// `people` or `rows`.
    pub narrowed: u64,
    /// Whether `narrowed` is their exact number. Otherwise it is an upper bound, which is all that a release tells by itself.
    pub exact: bool,
    /// The fewest candidates that anybody is left with: rows, or the fewest people who can be behind them, as `counted` says.
    pub least: u64,
}

impl Serialize for Joined {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct("Joined", 6)?;
        document.serialize_field("tables", &self.tables)?;
        document.serialize_field("k", &self.k)?;
        document.serialize_field("counted", self.counted.name())?;
        document.serialize_field(self.counted.many(), &self.narrowed)?;
        document.serialize_field("exact", &self.exact)?;
        document.serialize_field("least", &self.least)?;
        document.end()
    }
}

impl Joined {
    /// In words.
    pub fn summary(&self) -> String {
        let Joined { tables, k, counted, narrowed, exact, least } = self;
        let (most, all) = (if *exact { "" } else { "at most " }, counted.everybody());
        let left = number_of(*least, counted.one(), counted.many());
        match narrowed {
            0 if *tables == 1 => format!("the table leaves {all} among at least {left}"),
            0 => format!("{tables} tables together leave {all} among at least {left}"),
            _ => format!(
                "{tables} tables together leave {most}{narrowed} {} among fewer than {k} {}, the least among {least}",
                counted.noun(*narrowed),
                counted.many()
            ),
        }
    }

    /// Counts those who are left with fewer than `k` candidates, rows or people. Given are the known values of every source row by a
    /// number, and for each number the candidates and how many rows are left with them. A row without any candidate is not in the
    /// release: it was suppressed. Where it is known whose the rows are, people are counted who have such a row.
    pub(crate) fn count(&mut self, known: &[u32], candidates: &[(u64, u64)], persons: Option<&Persons>) {
        let found = || candidates.iter().filter(|(left, _)| *left > 0);
        let is_narrow = |left: u64| left > 0 && left < self.k;
        self.narrowed = match persons {
            None => found().filter(|(left, _)| is_narrow(*left)).map(|(_, rows)| rows).sum(),
            Some(persons) => {
                let mut narrowed = vec![false; persons.n()];
                for (number, &person) in known.iter().zip(persons.of_rows()) {
                    narrowed[person as usize] |= is_narrow(candidates[*number as usize].0);
                }
                narrowed.iter().filter(|narrowed| **narrowed).count() as u64
            }
        };
        self.least = found().map(|(left, _)| *left).min().unwrap_or(0);
        if persons.is_some() {
            self.counted = Counted::People;
        }
    }
}

/// Combinations of buckets that are looked at; beyond it nothing is ruled out.
const MOST_WORK: u64 = 4_000_000_000;

/// Combinations looked at from one bucket of the first table.
const MOST_COMBINATIONS: u64 = 200_000;

/// People by the buckets of the first table.
#[derive(Clone, Copy)]
struct NarrowedPeople {
    people: u64,
    least: u64,
}

/// What the release tells by itself: every combination of buckets that meet and share batches is taken for one that
/// somebody may be in. `row` says what a row is: a person where nobody has several.
pub(crate) fn joined(tables: &Angelized, k: u64, row: Counted) -> Option<Joined> {
    let (first, marginals) = tables.views.split_first()?;
    let synthesis = Synthesis::from_table(first);
    let others: Vec<Marginal<'_>> =
        marginals.iter().map(|view| Marginal::new(first, view, tables.sizes.len())).collect();
    let between: SharedColumns<'_> = marginals
        .iter()
        .enumerate()
        .map(|(at, view)| marginals[..at].iter().map(|before| shared(before, view)).collect())
        .collect();
    let work: u64 = first
        .row_batch
        .iter()
        .filter(|&&batch| batch != SUPPRESSED)
        .map(|&batch| others.iter().map(|other| other.of_batch(batch).len() as u64).sum::<u64>())
        .sum();
    let nobody = NarrowedPeople { people: 0, least: u64::MAX };
    let all = first.row_batch.iter().filter(|&&batch| batch != SUPPRESSED).count() as u64;
    let NarrowedPeople { people, least } = match work > MOST_WORK {
        true => NarrowedPeople { people: all, least: 1 },
        false => (0..synthesis.n_buckets())
            .into_par_iter()
            .map(|bucket| from_bucket(bucket, synthesis.of_bucket(bucket), &others, &between, k))
            .reduce(|| nobody, |a, b| NarrowedPeople { people: a.people + b.people, least: a.least.min(b.least) }),
    };
    let least = if least == u64::MAX { 0 } else { least };
    Some(Joined { tables: tables.views.len(), k, counted: row, narrowed: people, exact: false, least })
}

/// The columns that each marginal has in common with each one before it.
type SharedColumns<'a> = Vec<Vec<Vec<(&'a BoxColumn, &'a BoxColumn)>>>;

/// A table over some of the quasi-identifiers, compared with the one over all.
struct Marginal<'a> {
    /// The buckets of each batch.
    of_batch: Synthesis,
    /// Which columns of the table over all quasi-identifiers its columns are.
    columns: Vec<(&'a BoxColumn, &'a BoxColumn)>,
}

impl<'a> Marginal<'a> {
    fn new(first: &'a BoxTable, view: &'a BoxTable, n_batches: usize) -> Self {
        let of_batch = Synthesis::new(n_batches, &view.row_batch, &view.boxed.row_group);
        Marginal { of_batch, columns: shared(first, view) }
    }

    fn of_batch(&self, batch: u32) -> &[(u32, u32)] {
        self.of_batch.of_bucket(batch as usize)
    }

    /// The buckets that meet a bucket of the first table and share batches with it, each with the most people that
    /// both can have in common of every batch.
    fn beside(&self, bucket: usize, batches: &[(u32, u32)]) -> Vec<(u32, Vec<u32>)> {
        let mut found: Vec<(u32, usize, u32)> = Vec::new();
        for (at, &(batch, people)) in batches.iter().enumerate() {
            found.extend(self.of_batch(batch).iter().map(|&(other, n)| (other, at, n.min(people))));
        }
        found.sort_unstable();
        let runs = found.chunk_by(|a, b| a.0 == b.0).filter(|run| meet(&self.columns, bucket, run[0].0 as usize));
        runs.map(|run| {
            let mut common = vec![0; batches.len()];
            run.iter().for_each(|&(_, at, people)| common[at] = people);
            (run[0].0, common)
        })
        .collect()
    }
}

/// Columns that both tables have.
fn shared<'a>(a: &'a BoxTable, b: &'a BoxTable) -> Vec<(&'a BoxColumn, &'a BoxColumn)> {
    let same = |one: &'a BoxColumn| {
        let other = b.boxed.quasi.iter().find(|other| other.column.name() == one.column.name())?;
        Some((one, other))
    };
    a.boxed.quasi.iter().filter_map(same).collect()
}

/// Whether two boxes have a point in common, as far as the columns say that both tables have.
fn meet(columns: &[(&BoxColumn, &BoxColumn)], a: usize, b: usize) -> bool {
    columns.iter().all(|(one, other)| {
        let (a, b) = (&one.regions[one.of_group[a] as usize], &other.regions[other.of_group[b] as usize]);
        match (a, b) {
            (Some(a), Some(b)) => overlap(a, b, one.column.hierarchy().map(|tree| &**tree)),
            _ => true,
        }
    })
}

/// Whether some value may be in both regions.
fn overlap(a: &Region, b: &Region, tree: Option<&Hierarchy>) -> bool {
    match (a, b) {
        (Region::All, _) | (_, Region::All) => true,
        (Region::Null, Region::Null) => true,
        (Region::Numbers(lo, hi), Region::Numbers(from, to)) => lo <= to && from <= hi,
        (Region::Days(lo, hi), Region::Days(from, to)) => lo <= to && from <= hi,
        (Region::Positions(lo, hi), Region::Positions(from, to)) => lo <= to && from <= hi,
        (Region::Positions(lo, hi), Region::Labels(places)) | (Region::Labels(places), Region::Positions(lo, hi)) => {
            places.iter().any(|place| (lo..=hi).contains(&place))
        }
        (Region::Labels(ours), Region::Labels(theirs)) => ours.iter().any(|place| theirs.contains(place)),
        (Region::Node(a), Region::Node(b)) => tree.is_none_or(|tree| {
            let (a, b) = (tree.node(*a), tree.node(*b));
            a.first_leaf < b.end_leaf && b.first_leaf < a.end_leaf
        }),
        _ => false,
    }
}

/// Candidates of the people of one bucket, for every combination with buckets of the other tables.
fn from_bucket(
    bucket: usize,
    batches: &[(u32, u32)],
    others: &[Marginal<'_>],
    between: &SharedColumns<'_>,
    k: u64,
) -> NarrowedPeople {
    let beside: Vec<Vec<(u32, Vec<u32>)>> = others.iter().map(|other| other.beside(bucket, batches)).collect();
    let all: Vec<u32> = batches.iter().map(|&(_, people)| people).collect();
    let mut walk = BucketWalk {
        between,
        beside: &beside,
        k,
        narrowed: vec![0; batches.len()],
        least: u64::MAX,
        left: MOST_COMBINATIONS,
    };
    walk.down(&mut Vec::new(), &all);
    if walk.left == 0 {
        return NarrowedPeople { people: all.iter().map(|&n| u64::from(n)).sum(), least: 1 };
    }
    let people = all.iter().zip(&walk.narrowed).map(|(&n, &narrowed)| narrowed.min(n.into())).sum();
    NarrowedPeople { people, least: walk.least }
}

/// A walk through combinations of buckets, one table after another.
struct BucketWalk<'a> {
    between: &'a SharedColumns<'a>,
    beside: &'a [Vec<(u32, Vec<u32>)>],
    k: u64,
    /// People of each batch who may be narrowed down.
    narrowed: Vec<u64>,
    least: u64,
    /// Combinations that may still be looked at.
    left: u64,
}

impl BucketWalk<'_> {
    fn down(&mut self, chosen: &mut Vec<u32>, common: &[u32]) {
        let candidates: u64 = common.iter().map(|&n| u64::from(n)).sum();
        self.left = self.left.saturating_sub(1);
        if candidates == 0 || self.left == 0 {
            return;
        }
        let at = chosen.len();
        if at == self.beside.len() {
            self.least = self.least.min(candidates);
            if candidates < self.k {
                self.narrowed.iter_mut().zip(common).for_each(|(narrowed, &n)| *narrowed += u64::from(n));
            }
            return;
        }
        let beside = self.beside;
        for (bucket, theirs) in &beside[at] {
            let suits = chosen
                .iter()
                .enumerate()
                .all(|(before, &known)| meet(&self.between[at][before], known as usize, *bucket as usize));
            if !suits {
                continue;
            }
            let both: Vec<u32> = common.iter().zip(theirs).map(|(&a, &b)| a.min(b)).collect();
            chosen.push(*bucket);
            self.down(chosen, &both);
            chosen.pop();
        }
    }
}
