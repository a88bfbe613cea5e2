//! Mondrian: multidimensional cuts for any monotone principle. See `paper.md` in this folder.

pub(crate) mod bins;
mod cells;
mod cuts;
pub(crate) mod judge;
pub(crate) mod node_bins;
pub(crate) mod rows;
pub(crate) mod split;
mod stops;
mod stratify;
mod suppress;

pub use cells::Cells;

use crate::axis::Axis;
use crate::coins::Purpose;
use crate::draws::Source;
use crate::partitioner::Partitioner;
use crate::people::checked_if_one;
use crate::pieces::partition_of_sizes;
use crate::profile::Profile;
use crate::shuffle::random_order;
use crate::task::Task;
use judge::{Criterion, RequirementJudge};
use rows::{Position, pack};
use scumble_table::{Error, Partition, Result, Role, Table};
use split::{Leaf, Search};

/// How a node chooses among its cuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutRule {
    /// The cut whose two halves lose least, over all attributes and cut points.
    LeastLoss,
    /// The median of the widest attribute, as in the original paper.
    WidestMedian,
    /// The median of the attribute where that loses least, as in paper 1, section 5.2.
    Median,
}

/// The Mondrian partitioner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mondrian {
    /// How cuts are chosen.
    pub cuts: CutRule,
    /// Equal values may go to both sides.
    pub relaxed: bool,
    /// How far the choice of a cut is left to coins, where requirements look at sensitive values: under k-anonymity
    /// alone the best cut is always taken.
    ///
    /// | profile | cut |
    /// |---|---|
    /// | `standard` | a draw among up to three cuts that lose nearly as little as the best |
    /// | `hardened` | cuts are refused by lot, see `stops.rs`; where requirements cannot tell by how many rows they hold, a draw among the best three, whatever they lose |
    /// | `max-utility` | always the best |
    pub profile: Profile,
}

impl Default for Mondrian {
    /// Strict cuts that lose least, profile `standard`.
    fn default() -> Self {
        Mondrian { cuts: CutRule::LeastLoss, relaxed: false, profile: Profile::Standard }
    }
}

/// What cuts must pass, and how finely they are looked for.
#[derive(Clone, Copy)]
pub(crate) struct Growth<'a> {
    /// What both halves of a cut must pass.
    pub(crate) criterion: Criterion<'a>,
    /// The most bins on one axis, between which a node may be cut.
    pub(crate) most_bins: usize,
    /// The columns of the axes; all quasi-identifiers where none are named.
    pub(crate) along: Option<&'a [usize]>,
    /// Whether the cuts that lead to each leaf are remembered.
    pub(crate) trailed: bool,
    /// Where the draws that refuse cuts come from, if not from the coins of the task.
    pub(crate) draws: Option<&'a dyn Source>,
}

impl Default for Growth<'_> {
    /// Groups. More bins were measured on the adult table and bring nothing beyond
    /// noise.
    fn default() -> Self {
        Growth { criterion: Criterion::Holds, most_bins: 32, along: None, trailed: false, draws: None }
    }
}

/// The most quasi-identifiers a search takes; rows are packed into lanes of this many at most.
pub(crate) const MOST_QUASI: usize = 64;

impl Mondrian {
    /// True if where the search stops tells little about sensitive values: requirements do not look at them, or cuts are
    /// refused by lot and no row is left out.
    pub fn hides_stops(&self, task: &Task<'_>) -> bool {
        let judge = RequirementJudge::new(task.bound, task.table, Criterion::Holds);
        !judge.needs_values() || self.stops_by_lot(&judge) && task.most_suppressed == 0
    }

    /// True if cuts are refused by lot. The median of the widest attribute is that of the paper, and tried as it says.
    fn stops_by_lot(&self, judge: &RequirementJudge<'_>) -> bool {
        self.profile == Profile::Hardened && self.cuts == CutRule::LeastLoss && judge.has_slack()
    }

    /// How likely the search is to leave all rows of the task in one group, over all draws of its lottery: what a reader who
    /// knows the program may work out for every way to give sensitive values to the people of a published group.
    ///
    /// # Errors
    /// If there are no quasi-identifiers, or too many.
    pub fn stop_probability(&self, task: &Task<'_>) -> Result<f64> {
        let columns = task.table.schema().of_role(Role::Quasi);
        let axes = axes_along(task.table, &columns);
        widest(&axes)?;
        let mut rows = pack::<u32, MOST_QUASI>(task.table, &columns, &axes);
        let ties: Vec<u32> = (0..rows.len() as u32).collect();
        let judge = RequirementJudge::new(task.bound, task.table, Criterion::Holds);
        let search = Search::new(self, task, &axes, judge, &ties, Growth::default());
        Ok(search.stop_probability(&mut rows))
    }

    /// Divides the table into groups that each satisfy the requirements, which must be monotone
    /// and hold for the whole table.
    ///
    /// Where some people have several rows, the whole may fail although parts of it pass; then the search may find nothing.
    pub fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        if !task.bound.monotone() {
            let reason = "this search needs requirements that stay true when groups are joined";
            return Err(Error::request("algorithm", "mondrian", reason)
                .hint("leave «algorithm» out, and the requirements choose it"));
        }
        let found = self.partition_along(task, &task.table.schema().of_role(Role::Quasi))?;
        checked_if_one(task, found)
    }

    /// The same with the cell of every group. Cells are those of cuts that keep equal values together, and of all rows.
    pub fn partition_with_cells(&self, task: &Task<'_>) -> Result<(Partition, Cells)> {
        if self.relaxed || task.most_suppressed > 0 || !task.bound.monotone() {
            return Err(Error::bug("only strict cuts of all rows have cells"));
        }
        let columns = task.table.schema().of_role(Role::Quasi);
        let axes = axes_along(task.table, &columns);
        let growth = Growth { along: Some(&columns), trailed: true, ..Growth::default() };
        let (rows, leaves) = self.grown(task, &axes, growth)?;
        let partition = partition_of_sizes(rows, leaves.iter().map(|leaf| leaf.size), task.table.n_rows())?;
        let partition = checked_if_one(task, partition)?;
        let trails = leaves.into_iter().map(|leaf| leaf.trail).collect();
        Ok((partition, Cells::new(&columns, axes, trails, task.coins)))
    }

    /// Cuts as long as both halves pass as one group, whether or not the union of passing groups passes: boxes of groups on
    /// different sides of a cut have no point in common, as long as values are ordered or groups show sets of them. Nothing
    /// where all rows do not pass as one group. A requirement that is not monotone may hold below a node that fails; such
    /// nodes are not looked into.
    pub fn partition_disjoint_boxes(&self, task: &Task<'_>) -> Result<Option<Partition>> {
        task.monitor.check()?;
        let holds = |rows: &[u32]| task.holds(rows);
        if !holds(&task.all_rows()) {
            return Ok(None);
        }
        let criterion = if task.bound.joint().is_some() { Criterion::Judged(&holds) } else { Criterion::Holds };
        let (rows, sizes) = self.leaves(task, &axes(task.table), Growth { criterion, ..Growth::default() })?;
        partition_of_sizes(rows, sizes, task.table.n_rows()).map(Some)
    }

    /// The same with cuts along some of the columns only.
    pub(crate) fn partition_along(&self, task: &Task<'_>, columns: &[usize]) -> Result<Partition> {
        let growth = Growth { along: Some(columns), ..Growth::default() };
        let (rows, sizes) = self.leaves(task, &axes_along(task.table, columns), growth)?;
        partition_of_sizes(rows, sizes, task.table.n_rows())
    }

    /// Cuts the table as long as both halves pass; returns the rows of the leaves laid end to end, and the sizes of the leaves.
    pub(crate) fn leaves(&self, task: &Task<'_>, axes: &[Axis], growth: Growth<'_>) -> Result<(Vec<u32>, Vec<u32>)> {
        let (rows, leaves) = self.grown(task, axes, growth)?;
        Ok((rows, leaves.into_iter().map(|leaf| leaf.size).collect()))
    }

    fn grown(&self, task: &Task<'_>, axes: &[Axis], growth: Growth<'_>) -> Result<(Vec<u32>, Vec<Leaf>)> {
        match (widest(axes)?, axes.len()) {
            (0..=0x100, 1..=8) => self.run::<u8, 8>(task, axes, growth),
            (0..=0x100, 9..=16) => self.run::<u8, 16>(task, axes, growth),
            (0..=0x100, _) => self.run::<u8, MOST_QUASI>(task, axes, growth),
            (0x101..=0x1_0000, 1..=8) => self.run::<u16, 8>(task, axes, growth),
            (0x101..=0x1_0000, 9..=16) => self.run::<u16, 16>(task, axes, growth),
            (0x101..=0x1_0000, _) => self.run::<u16, MOST_QUASI>(task, axes, growth),
            (_, 1..=8) => self.run::<u32, 8>(task, axes, growth),
            (_, 9..=16) => self.run::<u32, 16>(task, axes, growth),
            _ => self.run::<u32, MOST_QUASI>(task, axes, growth),
        }
    }

    fn run<L: Position, const D: usize>(
        &self,
        task: &Task<'_>,
        axes: &[Axis],
        growth: Growth<'_>,
    ) -> Result<(Vec<u32>, Vec<Leaf>)> {
        task.monitor.check()?;
        let quasi = growth.along.map_or_else(|| task.table.schema().of_role(Role::Quasi), <[usize]>::to_vec);
        let mut rows = pack::<L, D>(task.table, &quasi, axes);
        // Relaxed cuts divide equal rows, and who goes where must not follow the order of the source.
        let ties = if self.relaxed { random_order(rows.len(), task.coins, Purpose::Ties) } else { Vec::new() };
        let judge = RequirementJudge::new(task.bound, task.table, growth.criterion);
        let search = Search::new(self, task, axes, judge, &ties, growth);
        let mut leaves = search.grow(&mut rows);
        if task.most_suppressed > 0 {
            let mut sizes = leaves.iter().map(|leaf| leaf.size).collect();
            suppress::improve(self, task, axes, &ties, &mut rows, &mut sizes)?;
            leaves = sizes.into_iter().map(|size| Leaf { size, trail: None }).collect();
        }
        task.monitor.check()?;
        Ok((rows.iter().map(|row| row.row).collect(), leaves))
    }
}

impl Partitioner for Mondrian {
    fn name(&self) -> &str {
        if self.relaxed { "mondrian-relaxed" } else { "mondrian" }
    }

    fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        Mondrian::partition(self, task)
    }
}

/// The quasi-identifiers of a table, prepared for a search.
pub(crate) fn axes(table: &Table) -> Vec<Axis> {
    axes_along(table, &table.schema().of_role(Role::Quasi))
}

/// The same for some columns.
pub(crate) fn axes_along(table: &Table, columns: &[usize]) -> Vec<Axis> {
    let axis = |&column: &usize| {
        let domain = &table.attribute(column).domain;
        Axis::new(domain, &table.column(column).histogram(domain.n_codes()))
    };
    columns.iter().map(axis).collect()
}

/// The size of the widest axis, which says how rows are packed.
///
/// # Errors
/// If there is no axis, or more than a search takes.
pub(crate) fn widest(axes: &[Axis]) -> Result<usize> {
    match axes.len() {
        0 => Err(Error::request("quasi", "", "at least one quasi-identifying column is needed")),
        d if d > MOST_QUASI => {
            let reason = format!("there are {d} quasi-identifying columns, and at most {MOST_QUASI} are supported");
            let hint = "name those that nobody can know of a person in «sensitive» or «keep», and leave out what nobody needs: `inspect` proposes which";
            Err(Error::request("quasi", "", reason).hint(hint))
        }
        _ => Ok(axes.iter().map(Axis::size).max().unwrap_or(0)),
    }
}
