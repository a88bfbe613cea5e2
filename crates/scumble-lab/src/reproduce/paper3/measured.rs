//! All that is measured, before anything is judged.

use super::super::workshop::Workshop;
use super::maps::{Grid, Spread};
use super::people::{People, numbers};
use super::releases::{Cut, Way, as_many_domains, cut, released};
use super::{DOMAINS, SHARE, maps};
use scumble::{ColumnRequest, ColumnRole, HierarchyRequest, Input, Kind, Result, Silent, build_hierarchies};

/// The numbers of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Numbers {
    /// Records.
    pub(super) records: u64,
    /// Names of the columns: height, birth, weight.
    pub(super) measured: [String; 3],
    /// How strongly height goes with each attribute of a few values, as a share of what there is to know about it.
    pub(super) few: Vec<(String, f64)>,
    /// The same for birth and weight.
    pub(super) others: [f64; 2],
    /// Height by each attribute of a few values.
    pub(super) by_few: Vec<Grid>,
    /// Height by weight.
    pub(super) by_weight: Grid,
    /// The height that most have.
    pub(super) commonest: f64,
    /// Whether the larger of the parts that the first attribute makes is the taller one, and its share.
    pub(super) larger_is_taller: (bool, f64),
    /// Weights of the shortest and of the tallest tenth.
    pub(super) spread: [Spread; 2],
    /// The releases, the conventional one first.
    pub(super) ways: Vec<Way>,
    /// One in how many records a domain stands for where there are about as many as the paper lists; none where there
    /// never are.
    pub(super) fine: Option<u64>,
}

impl Numbers {
    /// The way of the paper's algorithm that claims are judged by.
    pub(super) fn deciding(&self) -> Cut {
        Cut::Paper(self.fine.unwrap_or(SHARE))
    }
}

/// Measures everything.
pub(super) fn measure(people: &People, quick: bool, workshop: &Workshop<'_>) -> Result<Numbers> {
    let input = people.table.write(workshop)?;
    let (few, others) = strengths(people, &input, workshop)?;
    let heights = people.table.column(&people.height)?;
    let by_few = people.few.iter().map(|name| Ok(Grid::of(people.table.column(name)?, heights))).collect::<Result<_>>();
    let first = people.table.column(&people.few[0])?;
    let tall = numbers(heights)?;
    let fine = as_many_domains(people, &input, workshop)?;
    let judged = fine.unwrap_or(SHARE);
    let mut jobs = vec![Cut::Conventional, Cut::Paper(SHARE)];
    jobs.extend(fine.filter(|&share| share != SHARE).map(Cut::Paper));
    jobs.extend([Cut::PaperTwoBirths(judged), Cut::Blind(DOMAINS as u64), Cut::Ours(SHARE)]);
    if !quick {
        jobs.extend([Cut::Ours(SHARE * 2), Cut::Ours(SHARE * 4)]);
    }
    let plain = cut(people, &input, workshop)?;
    let ways =
        workshop.side_by_side(&jobs, |job| job.name(people), |job| released(*job, people, &plain, &input, workshop));
    Ok(Numbers {
        records: people.table.n_rows() as u64,
        measured: people.measured().map(String::clone),
        few,
        others,
        by_few: by_few?,
        by_weight: Grid::of(people.table.column(&people.weight)?, heights),
        commonest: maps::commonest(heights),
        larger_is_taller: maps::larger_is_taller(first, &tall),
        spread: Spread::of_ends(&tall, &numbers(people.table.column(&people.weight)?)?),
        ways: ways?,
        fine,
    })
}

/// Attributes of a few values with how strongly height goes with each, and the same for birth and weight.
type Strengths = (Vec<(String, f64)>, [f64; 2]);

/// How strongly height goes with every other attribute.
fn strengths(people: &People, input: &Input, workshop: &Workshop<'_>) -> Result<Strengths> {
    let mut request = asked(people, input, &[&people.height], workshop);
    request.given = people.few.iter().map(|name| ColumnRequest::new(name, ColumnRole::Quasi)).collect();
    request.given.extend([&people.birth, &people.weight].map(|name| number(name)));
    let built = build_hierarchies(&request, &Silent)?;
    let strength = |name: &String| {
        let found = built.hierarchies[0].correlations.iter().find(|found| found.column == *name);
        found.and_then(|found| found.value).unwrap_or(0.0)
    };
    let few = people.few.iter().map(|name| (name.clone(), strength(name))).collect();
    Ok((few, [&people.birth, &people.weight].map(strength)))
}

/// A request for hierarchies of some of the columns that are cut.
pub(super) fn asked(people: &People, input: &Input, names: &[&String], workshop: &Workshop<'_>) -> HierarchyRequest {
    debug_assert!(names.iter().all(|name| people.measured().contains(name)), "these are numbers");
    HierarchyRequest::new(input.clone(), names.iter().map(|name| number(name)).collect(), workshop.fresh("hierarchies"))
}

/// A column of numbers.
pub(super) fn number(name: &str) -> ColumnRequest {
    ColumnRequest { kind: Some(Kind::Number), ..ColumnRequest::new(name, ColumnRole::Quasi) }
}
