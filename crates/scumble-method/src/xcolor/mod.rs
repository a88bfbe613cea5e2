//! XColor: groups whose sensitive values are unlike each other under any distance. See `paper.md` in this folder.

mod backlog;
mod build;
mod class;
mod context;
mod cycle;
mod exchange;
mod failure_report;
mod initialize;
mod merge;
mod order;
mod plateau;
mod polish;
mod repair;
mod sizes;
mod suppress;

use crate::coins::Purpose;
use crate::partitioner::Partitioner;
use crate::pieces::{partition_of_groups, pieces};
use crate::profile::{Profile, Variant};
use crate::task::Task;
use build::{RowChoice, build};
use class::Class;
use context::{OtherRequirements, SearchContext};
use repair::Colouring;
use scumble_principle::dissimilarity::theory::Classes;
use scumble_table::{Error, Partition, Result};
use std::time::{Duration, Instant};
use suppress::{Failure, Outcome};

/// The partitioner for dissimilarity requirements, alone or with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct XColor {
    /// The paper's variant is INITIALIZE, then exchanges of the printed kind.
    pub variant: Variant,
    /// How classes are coloured.
    ///
    /// | profile | classes |
    /// |---|---|
    /// | `standard` | rows drawn among the best three |
    /// | `hardened` | blind to quasi-identifiers inside a leaf |
    /// | `max-utility` | always the best, and exchanges that make boxes smaller afterwards |
    pub profile: Profile,
    /// How long it may take; without a limit where none is given.
    pub time_limit: Option<Duration>,
    /// Whether classes may be larger than k where that leaves more room for near values.
    pub roomy: bool,
    /// Whether rows may move along cycles of three classes.
    pub cycles: bool,
}

/// The most rows that suit which are looked at for each place of a class. On half a million rows of the American
/// Community Survey more change the loss by less than a hundredth, and where the requirement is hard to meet they leave
/// more rows without a class.
const SEEN: usize = 6;

/// Rows and exchanges are drawn among this many.
const DRAW: usize = 3;

/// Under the profile `hardened` leaves of the line are this many classes long.
const BLIND_LEAF: u64 = 32;

impl Default for XColor {
    fn default() -> Self {
        XColor::new(Variant::Ours, Profile::Standard, None)
    }
}

impl Partitioner for XColor {
    fn name(&self) -> &str {
        "xcolor"
    }

    fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        XColor::partition(self, task)
    }
}

impl XColor {
    /// All that helps, within a time limit.
    pub fn new(variant: Variant, profile: Profile, time_limit: Option<Duration>) -> Self {
        XColor { variant, profile, time_limit, roomy: true, cycles: true }
    }

    /// Divides the table into groups that each satisfy the requirements, at least one of which is `dissimilarity`.
    ///
    /// # Errors
    /// If no groups were found within the time limit: the error reports what was reached. That is no proof that there
    /// are none, unless it says so.
    pub fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        task.monitor.check()?;
        let deadline = self.deadline();
        let groups = self.color_rows(task, task.all_rows(), deadline).and_then(|outcome| match outcome {
            Outcome::Solved(groups) => Ok(groups),
            Outcome::Failed(failure) if task.most_suppressed == 0 => Err(failure.error),
            Outcome::Failed(failure) => self.without_some(task, failure, deadline),
        });
        partition_of_groups(task.monitor.conclude(groups)?, task.table.n_rows())
    }

    /// Groups of some rows, which the requirements of the task must be tied to.
    fn color_rows(&self, task: &Task<'_>, rows: Vec<u32>, deadline: Option<Instant>) -> Result<Outcome> {
        let context = SearchContext::new(task, rows, deadline)?;
        let others = OtherRequirements::new(&context)?;
        let (mut colouring, classes) = match self.variant {
            _ if context.is_late() => (Colouring::new(&context, Vec::new(), 1), context.classes(context.least)?),
            Variant::Paper => self.as_printed(&context)?,
            Variant::Ours => self.coloured(&context, &others)?,
        };
        task.monitor.check()?;
        if !colouring.classes.is_empty() && colouring.failing(&others).is_empty() {
            return Ok(Outcome::Solved(colouring.into_groups()));
        }
        let error = failure_report::not_found(&colouring, &others, classes, task.most_suppressed > 0);
        let (mut relieved, mut passing) = (Vec::new(), Vec::new());
        if task.most_suppressed > 0 {
            relieved = colouring.relieved(&others);
            colouring.leave_out(&others);
            passing = colouring.into_groups();
        }
        Ok(Outcome::Failed(Failure { error, relieved, passing }))
    }

    /// When the time will be over; nothing where a limit is beyond what clocks can tell.
    fn deadline(&self) -> Option<Instant> {
        self.time_limit.and_then(|limit| Instant::now().checked_add(limit))
    }

    /// The paper's classes before any exchange, for comparison.
    pub fn initial(task: &Task<'_>) -> Result<Partition> {
        let context = SearchContext::new(task, task.all_rows(), None)?;
        let groups = initialize::initialize(&context, context.classes(context.least)?);
        partition_of_groups(task.monitor.conclude(Ok(groups))?, context.n())
    }

    fn as_printed<'a>(&self, context: &'a SearchContext<'a>) -> Result<(Colouring<'a>, Classes)> {
        let classes = context.classes(context.least)?;
        let rows = initialize::initialize(context, classes);
        context.task.monitor.check()?;
        let groups = rows.into_iter().map(|rows| Class::new(rows, context)).collect();
        let mut colouring = Colouring::new(context, groups, 1);
        colouring.exchange_as_printed();
        Ok((colouring, classes))
    }

    /// Classes of the size that promises least loss; of others where those cannot be had.
    fn coloured<'a>(
        &self,
        context: &'a SearchContext<'a>,
        others: &OtherRequirements<'_>,
    ) -> Result<(Colouring<'a>, Classes)> {
        let mut starts: Vec<(f64, Colouring<'a>, Classes)> = Vec::new();
        let sizes = if self.roomy {
            sizes::least_sizes(context, self.profile == Profile::MaxUtility)
        } else {
            vec![context.least]
        };
        let mut tried = sizes.into_iter().map(|least| context.classes(least)).collect::<Result<Vec<Classes>>>()?;
        tried.dedup();
        // Sizes that a clique rules out are tried only where it rules out all.
        let holds = |classes: &Classes| context.driver.clique().rows <= classes.capacity(context.delta());
        if tried.len() > 1 && tried.iter().any(holds) {
            tried.retain(holds);
        }
        for classes in tried {
            let (colouring, left) = self.built(context, classes)?;
            // A row that is left over will be put somewhere, at the cost of a whole domain on every axis at worst.
            starts.push((colouring.loss() + (left * context.axes.len()) as f64, colouring, classes));
        }
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let smallest = context.classes(context.least)?;
        let (n_starts, is_tried) = (starts.len() as u64, starts.iter().any(|(_, _, known)| *known == smallest));
        let mut best: Option<(Colouring<'a>, Classes)> = None;
        for (place, (_, mut colouring, classes)) in (0..).zip(starts) {
            if self.mended(&mut colouring, classes, place, others) {
                return Ok((colouring, classes));
            }
            context.task.monitor.check()?;
            if best.as_ref().is_none_or(|(known, _)| colouring.total() < known.total()) {
                best = Some((colouring, classes));
            }
        }
        // The paper's theorem is about classes of k rows: what it promises is kept where larger ones have failed.
        if !is_tried && !context.is_late() && is_guaranteed(context, smallest) {
            let (mut colouring, _) = self.built(context, smallest)?;
            if self.mended(&mut colouring, smallest, n_starts, others) {
                return Ok((colouring, smallest));
            }
        }
        best.ok_or_else(|| Error::bug("no size of classes was tried"))
    }

    /// BUILD; the rows that are left fill classes as they come. Tells how many they are.
    fn built<'a>(&self, context: &'a SearchContext<'a>, classes: Classes) -> Result<(Colouring<'a>, usize)> {
        let (draw, seen, leaf) = match self.profile {
            Profile::Hardened => (1, 1, BLIND_LEAF * classes.size),
            Profile::Standard => (DRAW, SEEN, classes.size),
            Profile::MaxUtility => (1, SEEN, classes.size),
        };
        let line = order::line(context, leaf, self.profile == Profile::Hardened)?;
        let mut place = vec![0u32; context.value.len()];
        (0..).zip(&line).for_each(|(at, &row)| place[row as usize] = at);
        let mut coins = context.task.coins.stream(Purpose::Groups, classes.size);
        let sizes = sizes::along(classes, context.n());
        let mut built = build(context, &line, &sizes, RowChoice { draw, seen }, &mut coins);
        context.task.monitor.check()?;
        let n_left = built.left.len();
        let rest = pieces(&built.left, built.sizes).into_iter().map(|rows| Class::new(rows.to_vec(), context));
        built.classes.extend(rest);
        built.classes.sort_by_cached_key(|class| class.rows().iter().map(|&row| place[row as usize]).min());
        Ok((Colouring::new(context, built.classes, draw), n_left))
    }

    /// REPAIR, then cycles, then PLATEAU, then whatever else helps; POLISH at the end. Tells whether all classes pass.
    fn mended(
        &self,
        colouring: &mut Colouring<'_>,
        classes: Classes,
        place: u64,
        others: &OtherRequirements<'_>,
    ) -> bool {
        let context = colouring.context;
        let mut coins = context.task.coins.stream(Purpose::Groups, 1 << 63 | place);
        colouring.repair(&mut coins);
        if colouring.total() > 0 && self.cycles {
            colouring.cycles(&mut coins);
            colouring.repair(&mut coins);
        }
        // Where a clique has more rows than these classes hold, no exchange leads to a colouring.
        if colouring.total() > 0 && context.driver.clique().rows <= classes.capacity(context.delta()) {
            colouring.walk(&mut coins);
        }
        if colouring.total() > 0 && is_guaranteed(context, classes) {
            colouring.exchange_as_printed();
        }
        colouring.suit(others);
        colouring.merge(others);
        let passes = colouring.failing(others).is_empty();
        // Exchanges for smaller boxes look at values alone.
        if passes && self.profile == Profile::MaxUtility && context.persons.is_none() && !context.is_late() {
            let polished = polish::polished(std::mem::take(&mut colouring.classes), classes, context, others);
            *colouring = Colouring::new(context, polished, 1);
        }
        passes
    }
}

/// True if the paper's theorem promises a colouring.
fn is_guaranteed(context: &SearchContext<'_>, classes: Classes) -> bool {
    context.max_degree() <= classes.guaranteed_degree(context.delta())
}
