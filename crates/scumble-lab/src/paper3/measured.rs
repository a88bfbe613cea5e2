//! All that is measured, before anything is judged.

use super::maps::{Grid, Spread};
use super::people::{People, numbers};
use super::releases::{Cut, CutRelease, Releases};
use super::{DOMAINS, SHARE, maps};
use crate::runner::Runner;
use scumble::{HierarchyRequest, Result, Table, build_hierarchies};

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
    pub(super) cuts: Vec<CutRelease>,
    /// One in how many records a domain stands for where there are about as many as the paper lists; none where there
    /// never are.
    pub(super) fine: Option<u64>,
}

impl Numbers {
    /// The cut by the paper's algorithm that claims are judged by.
    pub(super) fn deciding(&self) -> Cut {
        Cut::Paper(self.fine.unwrap_or(SHARE))
    }
}

/// Measures everything.
pub(super) fn measure(people: &People, quick: bool, runner: &Runner) -> Result<Numbers> {
    let table = people.encoded()?;
    let (few, others) = strengths(people, &table, runner)?;
    let heights = people.table.column(&people.height)?;
    let by_few =
        people.few.iter().map(|name| Ok(Grid::new(people.table.column(name)?, heights))).collect::<Result<_>>();
    let first = people.table.column(&people.few[0])?;
    let tall = numbers(heights)?;
    let releases = Releases { people, table: &table, runner };
    let fine = releases.as_many_domains()?;
    let judged = fine.unwrap_or(SHARE);
    let mut cuts = vec![Cut::Conventional, Cut::Paper(SHARE)];
    cuts.extend(fine.filter(|&share| share != SHARE).map(Cut::Paper));
    cuts.extend([Cut::PaperTwoBirths(judged), Cut::Blind(DOMAINS as u64), Cut::Ours(SHARE)]);
    if !quick {
        cuts.extend([Cut::Ours(SHARE * 2), Cut::Ours(SHARE * 4)]);
    }
    let cuts = runner.in_parallel(&cuts, |cut| cut.name(people), |cut| releases.cut(*cut))?;
    Ok(Numbers {
        records: people.table.n_rows() as u64,
        measured: people.measured().map(String::clone),
        few,
        others,
        by_few: by_few?,
        by_weight: Grid::new(people.table.column(&people.weight)?, heights),
        commonest: maps::commonest(heights),
        larger_is_taller: maps::larger_is_taller(first, &tall),
        spread: Spread::of_ends(&tall, &numbers(people.table.column(&people.weight)?)?),
        cuts,
        fine,
    })
}

/// Attributes of a few values with how strongly height goes with each, and the same for birth and weight.
type Strengths = (Vec<(String, f64)>, [f64; 2]);

/// How strongly height goes with every other attribute.
fn strengths(people: &People, table: &Table, runner: &Runner) -> Result<Strengths> {
    let others = [&people.birth, &people.weight];
    let request = HierarchyRequest::new([&people.height]).given(&people.few).given(others);
    let built = build_hierarchies(table, &request, runner.silent())?;
    let strength = |name: &String| {
        let found = built.hierarchies[0].correlations.iter().find(|found| found.column == *name);
        found.and_then(|found| found.value).unwrap_or(0.0)
    };
    Ok((people.few.iter().map(|name| (name.clone(), strength(name))).collect(), others.map(strength)))
}
