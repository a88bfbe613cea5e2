//! Requirements about boxes, put to the boxes that a release shows and to the population that its people come from.
//!
//! How many people a box covers, and how likely each of them is to be in the release, is told by texts and population alone. Boxes with equal
//! texts are one box with all their rows.

use crate::judge::{in_words, owned};
use crate::source::{MatchingProblem, PlacedColumn, PointTree, TreeSearch, narrowness, place_column};
use rayon::prelude::*;
use scumble_principle::{
    Attained, PopulationDemand, Requirement, SEVERAL_ROWS, no_population, people_attained, shares_attained,
};
use scumble_release::notation::Region;
use scumble_release::{AttainedEntry, Boxed, PublishedColumn, PublishedTables};
use scumble_table::{Codes, Counted, Error, Monitor, Population, Result, RowClasses, class_members, rows_by_group};

/// Pairs of a person and a box around them that are written down where boxes share people; beyond it nothing can be judged.
const MOST_PAIRS: usize = 30_000_000;

/// One, in the units in which chances are added up, each rounded up.
const ONE: u128 = 1 << 60;

/// A quasi-identifier, what its texts cover, and the text of each group.
pub(super) type ColumnBoxes<'a> = (&'a PublishedColumn, &'a [Option<Region>], &'a [u32]);

/// The boxes of groups.
pub(super) struct GroupBoxes<'a> {
    /// The quasi-identifiers.
    pub(super) columns: Vec<ColumnBoxes<'a>>,
    /// Rows of each group.
    pub(super) sizes: &'a [u32],
    /// Suppressed rows, which have no group.
    pub(super) suppressed: u64,
}

impl<'a> GroupBoxes<'a> {
    pub(super) fn of(boxed: &'a Boxed) -> Self {
        let column = |boxes: &'a scumble_release::BoxColumn| (&boxes.column, &boxes.regions[..], &boxes.of_group[..]);
        let grouped: u64 = boxed.sizes.iter().map(|&size| u64::from(size)).sum();
        let suppressed = (boxed.row_group.len() as u64).saturating_sub(grouped);
        GroupBoxes { columns: boxed.quasi.iter().map(column).collect(), sizes: &boxed.sizes, suppressed }
    }
}

/// What was found of one requirement.
pub(super) struct BoxFindings {
    pub(super) attained: AttainedEntry,
    pub(super) verdict: Result<String, String>,
}

/// What the boxes of a release in memory or on disk attain of requirements about them, for its manifest; or why they do not meet one.
///
/// # Errors
/// If the release has no boxes, a population that does not suit them, or the work is cancelled.
pub fn attained_by_boxes(
    tables: &PublishedTables,
    requirements: &[Requirement],
    population: &Population,
    monitor: Monitor<'_>,
) -> Result<Vec<Result<AttainedEntry, String>>> {
    let PublishedTables::Generalized(boxed) = tables else { return Err(no_boxes(&requirements[0])) };
    let found = judged(&GroupBoxes::of(boxed), requirements, population, monitor)?;
    Ok(found.into_iter().map(|found| found.verdict.map(|_| found.attained)).collect())
}

/// The refusal of a release that shows no boxes.
pub(super) fn no_boxes(requirement: &Requirement) -> Error {
    let reason = "it is about boxes of quasi-identifiers, and this release shows none";
    Error::request("requirement", requirement.to_string(), reason).hint("use «method» generalize or full-domain")
}

/// Judges boxes by requirements that all are about them.
pub(super) fn judged(
    boxes: &GroupBoxes<'_>,
    requirements: &[Requirement],
    population: &Population,
    monitor: Monitor<'_>,
) -> Result<Vec<BoxFindings>> {
    let covered = Covered::new(boxes, population, monitor)?;
    requirements
        .iter()
        .map(|requirement| {
            let demand = requirement.principle().population().ok_or_else(|| no_population(requirement))?;
            let (attained, verdict) = match demand {
                PopulationDemand::Share(..) if population.persons().is_some() => {
                    (shares_attained((0, 1), (1, 1)), Err(SEVERAL_ROWS.into()))
                }
                PopulationDemand::AtLeast(k) => covered.at_least(k),
                _ => covered.shares(demand)?,
            };
            let figures = if boxes.sizes.is_empty() { Vec::new() } else { owned(&attained.figures) };
            let attained = AttainedEntry { requirement: requirement.to_string(), column: None, figures };
            Ok(BoxFindings { attained, verdict })
        })
        .collect()
}

/// Who is in which box.
struct Covered {
    /// The box of each group.
    of_group: Vec<u32>,
    /// Rows of each box.
    rows: Vec<u64>,
    /// People that each box covers.
    people: Vec<u64>,
    /// Suppressed rows.
    suppressed: u64,
    /// The boxes around each different person, as runs of `around`, and how many people there are like that, where each has one row.
    starts: Option<Vec<u32>>,
    around: Vec<u32>,
    alike: Vec<u32>,
    /// Who is counted: people, or rows where it is not known whose they are.
    counted: Counted,
}

impl Covered {
    fn new(boxes: &GroupBoxes<'_>, population: &Population, monitor: Monitor<'_>) -> Result<Covered> {
        let mut placed: Vec<(PlacedColumn, &Codes)> = Vec::with_capacity(boxes.columns.len());
        for (column, regions, _) in &boxes.columns {
            let known = population.column(column.name())?;
            let found = place_column(column, regions, known.texts.iter().map(|text| &**text)).map_err(|_| {
                let reason = format!("the population holds what is no {}", column.kind());
                Error::request("population", column.name(), reason).hint("mend the population, or name another file")
            })?;
            placed.push((found, &known.codes));
        }
        let (mut groups, mut people) = (RowClasses::new(boxes.sizes.len()), RowClasses::new(population.n_rows()));
        for ((_, regions, of_group), (column, codes)) in boxes.columns.iter().zip(&placed) {
            groups.push(regions.len(), |group| of_group[group]);
            people.push(column.n_ranks as usize, |row| column.ranks[codes.get(row) as usize]);
        }
        monitor.check()?;
        let ((of_group, n_boxes), (alike, n_alike)) = (groups.finish(), people.finish());
        let (firsts, people) = (class_members(&of_group, n_boxes), class_members(&alike, n_alike));
        // Those with rows of several kinds are counted one by one.
        let own = population.people_of_classes(&alike, n_alike);
        let kinds: Vec<u32> = own.spread.iter().map(|&(_, kind)| kind).collect();
        let spread = rows_by_group(&kinds, n_alike);
        let mut rows = vec![0u64; n_boxes];
        of_group.iter().zip(boxes.sizes).for_each(|(&at, &size)| rows[at as usize] += u64::from(size));
        let ranks = |row: u32| placed.iter().map(move |(column, codes)| column.ranks[codes.get(row as usize) as usize]);
        let problem = MatchingProblem {
            n_dims: placed.len(),
            points: people.iter().flat_map(|&(row, _)| ranks(row)).collect(),
            have: people.iter().map(|&(_, n)| (0, n)).collect(),
            boxes: firsts
                .iter()
                .flat_map(|&(group, _)| boxes.columns.iter().map(move |c| c.2[group as usize]))
                .collect(),
            want: vec![(0, 1); n_boxes],
            spans: placed.iter().map(|(column, _)| column.spans.clone()).collect(),
            n_keys: 1,
        };
        let points: Vec<u32> = (0..n_alike as u32).collect();
        let tree = PointTree::grow(&problem, &narrowness(&problem), &points, monitor);
        monitor.check()?;
        let alike: Vec<u32> = people.iter().map(|&(_, n)| n).collect();
        let inside: Vec<(u64, Vec<u32>)> = (0..n_boxes)
            .into_par_iter()
            .map_init(TreeSearch::default, |search, at| {
                let (mut covered, mut members, mut met) = (0u64, Vec::new(), Vec::new());
                if !monitor.is_cancelled() {
                    tree.inside(&problem, at, search, |from, to| {
                        for &point in &tree.order()[from..to] {
                            covered += u64::from(own.alone[point as usize]);
                            met.extend(spread.group(point as usize).iter().map(|&pair| own.spread[pair as usize].0));
                            members.push(point);
                        }
                        true
                    });
                }
                met.sort_unstable();
                met.dedup();
                (covered + met.len() as u64, members)
            })
            .collect();
        monitor.check()?;
        let n_pairs: usize = inside.iter().map(|(_, members)| members.len()).sum();
        let covered = inside.iter().map(|(covered, _)| *covered).collect();
        let (mut starts, mut around) = (None, Vec::new());
        if n_pairs <= MOST_PAIRS {
            let pairs: Vec<u32> = inside.iter().flat_map(|(_, members)| members.iter().copied()).collect();
            let box_of_pair: Vec<u32> =
                (0..).zip(&inside).flat_map(|(at, (_, members))| std::iter::repeat_n(at, members.len())).collect();
            let by_point = rows_by_group(&pairs, n_alike);
            around = by_point.rows.into_iter().map(|pair| box_of_pair[pair as usize]).collect();
            starts = Some(by_point.starts);
        }
        let (suppressed, counted) = (boxes.suppressed, population.counted());
        Ok(Covered { of_group, rows, people: covered, suppressed, starts, around, alike, counted })
    }

    fn at_least(&self, k: u64) -> (Attained, Result<String, String>) {
        let least = self.of_group.iter().map(|&at| self.people[at as usize]).min().unwrap_or(0);
        let failing = self.of_group.iter().filter(|&&at| self.people[at as usize] < k).count();
        let n = self.of_group.len();
        let attained = people_attained(least);
        let figures = in_words(&attained.figures);
        let population = match self.counted {
            Counted::People => "population",
            Counted::Rows => "rows of the population",
        };
        let verdict = match (failing, n) {
            (_, 0) => Ok("no groups".into()),
            (0, 1) => Ok(format!("1 group attains {figures} in the {population}")),
            (0, _) => Ok(format!("{n} groups attain {figures} in the {population}")),
            (1, 1) => Err(format!("the only group fails; it has {figures} in the {population}")),
            (1, _) => Err(format!("1 of {n} groups fails; it has {figures} in the {population}")),
            _ => Err(format!("{failing} of {n} groups fail; one of them has {figures} in the {population}")),
        };
        (attained, verdict)
    }

    /// The chance of everybody to be in the release, bounded from both sides; see the definition of delta-presence.
    fn shares(&self, demand: PopulationDemand) -> Result<(Attained, Result<String, String>)> {
        let Some(starts) = &self.starts else {
            let reason = "too many boxes share people of the population to be judged";
            return Ok((shares_attained((0, 1), (1, 1)), Err(reason.into())));
        };
        let taken = self.taken(starts);
        let left = self.left_over(starts);
        let (mut least, mut most) = ((1u128, 1u128), (0u128, 1u128));
        let (mut outside, mut everybody) = (0u64, 0u64);
        for (point, &alike) in self.alike.iter().enumerate() {
            let around = &self.around[starts[point] as usize..starts[point + 1] as usize];
            let (lower, upper) = self.chance(around, &taken);
            let upper = self.with_suppressed(upper, around.is_empty(), left);
            everybody += u64::from(alike);
            if lower.0 * least.1 < least.0 * lower.1 {
                least = lower;
            }
            if upper.0 * most.1 > most.0 * upper.1 {
                most = upper;
            }
            if !demand.holds_chance(lower, upper) {
                outside += u64::from(alike);
            }
        }
        // Rows whose box covers nobody are of people whom the population lacks: nothing can be said of them.
        let strangers = self.people.iter().filter(|&&people| people == 0).count();
        let attained = shares_attained(least, most);
        let figures = in_words(&attained.figures);
        let people = self.counted.many();
        let verdict = match (outside, strangers) {
            (0, 0) => Ok(format!("{everybody} {people} of the population attain {figures}")),
            (0, 1) => Err("1 box covers nobody of the population".into()),
            (0, n) => Err(format!("{n} boxes cover nobody of the population")),
            (1, _) => Err(format!(
                "1 of {everybody} {people} of the population has another chance to be in the release: {figures}"
            )),
            (n, _) => Err(format!(
                "{n} of {everybody} {people} of the population have another chance to be in the release: {figures}"
            )),
        };
        Ok((attained, verdict))
    }

    /// For each box the rows of other boxes that share people with it.
    fn taken(&self, starts: &[u32]) -> Vec<u64> {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for run in starts.windows(2) {
            let around = &self.around[run[0] as usize..run[1] as usize];
            for &one in around {
                pairs.extend(around.iter().filter(|&&other| other != one).map(|&other| (one, other)));
            }
            if pairs.len() > MOST_PAIRS {
                pairs.sort_unstable();
                pairs.dedup();
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut taken = vec![0u64; self.rows.len()];
        pairs.into_iter().for_each(|(one, other)| taken[one as usize] += self.rows[other as usize]);
        taken
    }

    /// How many people no box covers, and how many are left when every row with a box has its person.
    fn left_over(&self, starts: &[u32]) -> (u128, u128) {
        let outside = starts.windows(2).zip(&self.alike).filter(|(run, _)| run[0] == run[1]);
        let everybody: u128 = self.alike.iter().map(|&alike| u128::from(alike)).sum();
        let rows: u128 = self.rows.iter().map(|&rows| u128::from(rows)).sum();
        (outside.map(|(_, &alike)| u128::from(alike)).sum(), everybody.saturating_sub(rows))
    }

    /// An upper bound of a chance with that of a suppressed row added. These rows are of some of the people who are left; where groups are
    /// published or suppressed as a whole, of people whom no box covers.
    fn with_suppressed(&self, upper: (u128, u128), is_outside: bool, left: (u128, u128)) -> (u128, u128) {
        if self.suppressed == 0 {
            return upper;
        }
        let (suppressed, left) = (u128::from(self.suppressed), if is_outside { left.0 } else { left.1 });
        let added = if left < suppressed { ONE } else { (suppressed * ONE).div_ceil(left) };
        ((upper.0 * ONE).div_ceil(upper.1).saturating_add(added).min(ONE), ONE)
    }

    /// Lower and upper bound of the chance of somebody with these boxes around.
    fn chance(&self, around: &[u32], taken: &[u64]) -> ((u128, u128), (u128, u128)) {
        let share = |&at: &u32| (u128::from(self.rows[at as usize]), u128::from(self.people[at as usize]).max(1));
        let lower = around.iter().map(share).fold((0, 1), |a, b| if b.0 * a.1 > a.0 * b.1 { b } else { a });
        match around {
            [] => ((0, 1), (0, 1)),
            [only] if taken[*only as usize] == 0 => (lower, lower),
            several => {
                let upper: u128 = several
                    .iter()
                    .map(|at| {
                        let (rows, people) = share(at);
                        let left = people.saturating_sub(taken[*at as usize].into());
                        if left < rows { ONE } else { (rows * ONE).div_ceil(left) }
                    })
                    .sum();
                (lower, (upper.min(ONE), ONE))
            }
        }
    }
}
