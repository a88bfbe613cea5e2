//! Mondrian: multidimensional cuts for any monotone principle. See `paper.md` in this folder.

pub(crate) mod bins;
mod cells;
mod cuts;
pub(crate) mod judge;
pub(crate) mod rows;
pub(crate) mod split;
mod stops;
mod stratify;
mod suppress;

pub use cells::Cells;

use crate::axis::Axis;
use crate::coins::{Coins, Purpose};
use crate::draws::Source;
use crate::shuffle::random_order;
use judge::{Ask, Judge};
use rows::{Lane, pack};
use scumble_principle::{BoundRequirements, Group};
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
    /// Whether coins have a say where cuts depend on sensitive values.
    pub choice: Choice,
}

/// How far the choice of a cut is left to secret coins. Where requirements look at sensitive
/// values, which cuts fail tells something about them to a reader who knows the algorithm
/// (minimality); a draw blurs that. Under k-anonymity alone no cut depends on a
/// sensitive value and the best is always taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Always the best cut (profile `max-utility`).
    Best,
    /// A draw among up to three cuts that lose nearly as little as the best (profile `standard`).
    NearTies,
    /// Cuts are refused by lot, see `stops.rs`; where requirements cannot tell by how many rows they hold, a draw among the
    /// best three, whatever they lose (profile `hardened`).
    AnyOfThree,
}

/// What a partition is wanted of.
pub struct Task<'a> {
    /// The microdata.
    pub table: &'a Table,
    /// The requirements, tied to the whole table.
    pub bound: &'a BoundRequirements,
    /// Ties the requirements to some of the rows; asked when others are to be suppressed, since
    /// everything is judged on what is published.
    pub rebind: &'a (dyn Fn(&[u32]) -> Result<BoundRequirements> + Sync),
    /// The most rows that may be left out, where that lowers the loss.
    pub most_suppressed: usize,
    /// Coins for choices among cuts.
    pub coins: &'a Coins,
    /// Hears of rows that reached their group.
    pub tick: &'a (dyn Fn(u64) + Sync),
}

/// What cuts must pass, and how finely they are looked for.
#[derive(Clone, Copy)]
pub(crate) struct Growth<'a> {
    /// What both halves of a cut must pass.
    pub(crate) ask: Ask<'a>,
    /// The most bins on one axis, between which a node may be cut.
    pub(crate) most_bins: usize,
    /// The columns of the axes; all quasi-identifiers where none are named.
    pub(crate) along: Option<&'a [usize]>,
    /// Whether the cuts that lead to each leaf are remembered.
    pub(crate) trailed: bool,
    /// Where the draws of lots come from, if not from the coins of the task.
    pub(crate) lots: Option<&'a dyn Source>,
}

impl Default for Growth<'_> {
    /// Groups. More bins were measured on the adult table and bring nothing beyond
    /// noise.
    fn default() -> Self {
        Growth { ask: Ask::Holds, most_bins: 32, along: None, trailed: false, lots: None }
    }
}

/// The most quasi-identifiers a search takes; rows are packed into lanes of this many at most.
pub(crate) const MOST_QUASI: usize = 64;

impl Mondrian {
    /// True if where the search stops tells little about sensitive values: requirements do not look at them, or cuts are
    /// refused by lot and no row is left out.
    pub fn hides_stops(&self, task: &Task<'_>) -> bool {
        let judge = Judge::new(task.bound, task.table, Ask::Holds);
        !judge.needs_values() || self.stops_by_lot(&judge) && task.most_suppressed == 0
    }

    /// True if cuts are refused by lot. The median of the widest attribute is that of the paper, and tried as it says.
    fn stops_by_lot(&self, judge: &Judge<'_>) -> bool {
        self.choice == Choice::AnyOfThree && self.cuts == CutRule::LeastLoss && judge.has_slack()
    }

    /// How likely the search is to leave all rows of the task in one group, over all draws of its lots: what somebody who knows
    /// the program may work out for every way to give sensitive values to the people of a published group.
    ///
    /// # Errors
    /// If there are no quasi-identifiers, or too many.
    pub fn stop_probability(&self, task: &Task<'_>) -> Result<f64> {
        let columns = task.table.schema().of_role(Role::Quasi);
        let axes = axes_along(task.table, &columns);
        widest(&axes)?;
        let mut rows = pack::<u32, MOST_QUASI>(task.table, &columns, &axes);
        let ties: Vec<u32> = (0..rows.len() as u32).collect();
        let (judge, growth) = (Judge::new(task.bound, task.table, Ask::Holds), Growth::default());
        let search = Search { axes: &axes, judge, rule: self, coins: task.coins, ties: &ties, growth, tick: task.tick };
        Ok(search.stop_probability(&mut rows))
    }

    /// Divides the table into groups that each satisfy the requirements, which must be monotone
    /// and hold for the whole table.
    pub fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        if !task.bound.monotone() {
            return Err(Error::request(
                "--algorithm",
                "mondrian",
                "this search needs requirements that stay true when groups are joined",
            )
            .hint("leave --algorithm out, and the requirements choose it"));
        }
        self.partition_along(task, &task.table.schema().of_role(Role::Quasi))
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
        let partition = laid_end_to_end(rows, leaves.iter().map(|leaf| leaf.size), task.table.n_rows())?;
        let trails = leaves.into_iter().map(|leaf| leaf.trail).collect();
        Ok((partition, Cells::new(&columns, axes, trails, task.coins)))
    }

    /// Cuts as long as both halves pass as one group, whether or not the union of passing groups passes: boxes of groups on
    /// different sides of a cut have no point in common, as long as values are ordered or groups show sets of them. Nothing
    /// where all rows do not pass as one group. A requirement that is not monotone may hold below a node that fails; such
    /// nodes are not looked into.
    pub fn partition_apart(&self, task: &Task<'_>) -> Result<Option<Partition>> {
        let holds = |rows: &[u32]| {
            let bags = task.bound.bags(task.table, rows);
            task.bound.holds(Group { size: rows.len() as u64, bags: &bags })
        };
        if !holds(&(0..task.table.n_rows() as u32).collect::<Vec<u32>>()) {
            return Ok(None);
        }
        let ask = if task.bound.joint().is_some() { Ask::Judged(&holds) } else { Ask::Holds };
        let (rows, sizes) = self.leaves(task, &axes(task.table), Growth { ask, ..Growth::default() })?;
        laid_end_to_end(rows, sizes, task.table.n_rows()).map(Some)
    }

    /// The same with cuts along some of the columns only.
    pub(crate) fn partition_along(&self, task: &Task<'_>, columns: &[usize]) -> Result<Partition> {
        let growth = Growth { along: Some(columns), ..Growth::default() };
        let (rows, sizes) = self.leaves(task, &axes_along(task.table, columns), growth)?;
        laid_end_to_end(rows, sizes, task.table.n_rows())
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

    fn run<L: Lane, const D: usize>(
        &self,
        task: &Task<'_>,
        axes: &[Axis],
        growth: Growth<'_>,
    ) -> Result<(Vec<u32>, Vec<Leaf>)> {
        let quasi = growth.along.map_or_else(|| task.table.schema().of_role(Role::Quasi), <[usize]>::to_vec);
        let mut rows = pack::<L, D>(task.table, &quasi, axes);
        // Relaxed cuts divide equal rows, and who goes where must not follow the order of the source.
        let ties = if self.relaxed { random_order(rows.len(), task.coins, Purpose::Ties) } else { Vec::new() };
        let judge = Judge::new(task.bound, task.table, growth.ask);
        let search = Search { axes, judge, rule: self, coins: task.coins, ties: &ties, growth, tick: task.tick };
        let mut leaves = search.grow(&mut rows, growth.trailed);
        if task.most_suppressed > 0 {
            let mut sizes = leaves.iter().map(|leaf| leaf.size).collect();
            suppress::improve(self, task, axes, &ties, &mut rows, &mut sizes)?;
            leaves = sizes.into_iter().map(|size| Leaf { size, trail: None }).collect();
        }
        Ok((rows.iter().map(|row| row.row).collect(), leaves))
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

/// The size of the widest axis, which says how rows are packed; refused is what no search takes.
pub(crate) fn widest(axes: &[Axis]) -> Result<usize> {
    match axes.len() {
        0 => Err(Error::request("--quasi", "", "at least one quasi-identifying column is needed")),
        d if d > MOST_QUASI => Err(Error::request(
            "--quasi",
            d.to_string(),
            format!("at most {MOST_QUASI} quasi-identifying columns are supported"),
        )),
        _ => Ok(axes.iter().map(Axis::size).max().unwrap_or(0)),
    }
}

/// The partition of rows that lie group by group.
pub(crate) fn laid_end_to_end(
    rows: Vec<u32>,
    sizes: impl IntoIterator<Item = u32>,
    n_rows: usize,
) -> Result<Partition> {
    let mut starts = vec![0u32];
    let mut end = 0u32;
    for size in sizes {
        end += size;
        starts.push(end);
    }
    Partition::new(rows, starts, n_rows)
}
