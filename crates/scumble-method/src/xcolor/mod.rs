//! XColor: groups whose sensitive values are unlike each other under any distance. See `paper.md` in this folder.

mod build;
mod class;
mod cycle;
mod exchange;
mod initialize;
mod making;
mod merge;
mod order;
mod plateau;
mod polish;
mod repair;
mod sizes;
mod suppress;
mod unsolved;
mod waiting;

use crate::coins::Purpose;
use crate::mondrian::{Task, laid_end_to_end};
use build::{Picking, build};
use class::Class;
use making::{Making, Others};
use repair::Colouring;
use scumble_principle::dissimilarity::theory::Classes;
use scumble_table::{Error, Partition, Result};
use std::time::{Duration, Instant};
use suppress::{Failure, Outcome};

/// How classes are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As in the paper: INITIALIZE, then exchanges of the printed kind.
    Paper,
    /// Blind to quasi-identifiers inside a leaf (profile `hardened`).
    Blind,
    /// Rows drawn among the best three (profile `standard`).
    Drawn,
    /// Always the best, and exchanges that make boxes smaller afterwards (profile `max-utility`).
    Best,
}

/// The partitioner for dissimilarity requirements, alone or among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct XColor {
    /// How classes are coloured.
    pub way: Way,
    /// How long it may take; as long as it does where nothing is said.
    pub time_limit: Option<Duration>,
    /// Whether classes may be larger than k where that leaves more room for near values.
    pub roomy: bool,
    /// Whether rows may move along cycles of three classes.
    pub cycles: bool,
}

/// Rows that suit are looked at for each place of a class, so many at most. On half a million rows of the American
/// Community Survey more change the loss by less than a hundredth, and where the requirement is hard to meet they leave
/// more rows without a class.
const SEEN: usize = 6;

/// Rows and exchanges are drawn among so many.
const DRAW: usize = 3;

/// Under the profile `hardened` leaves of the line are so many classes long.
const BLIND_LEAF: u64 = 32;

impl XColor {
    /// All that helps, within a time limit.
    pub fn new(way: Way, time_limit: Option<Duration>) -> Self {
        XColor { way, time_limit, roomy: true, cycles: true }
    }

    /// Divides the table into groups that each satisfy the requirements, at least one of which is `dissimilarity`.
    ///
    /// # Errors
    /// If no groups were found within the time limit: the error reports what was reached. That is no proof that there
    /// are none, unless it says so.
    pub fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        let n_rows = task.table.n_rows();
        let deadline = self.deadline();
        match self.of_rows(task, all_rows(task), deadline)? {
            Outcome::Solved(groups) => laid_out(groups, n_rows),
            Outcome::Failed(failure) if task.most_suppressed == 0 => Err(failure.error),
            Outcome::Failed(failure) => laid_out(self.without_some(task, failure, deadline)?, n_rows),
        }
    }

    /// Groups of some rows, which the requirements of the task must be tied to.
    fn of_rows(&self, task: &Task<'_>, rows: Vec<u32>, deadline: Option<Instant>) -> Result<Outcome> {
        let making = Making::new(task, rows, deadline)?;
        let others = Others::new(&making)?;
        let (mut colouring, classes) = match self.way {
            _ if making.is_late() => (Colouring::new(&making, Vec::new(), 1), making.classes(making.least)?),
            Way::Paper => self.as_printed(&making)?,
            _ => self.coloured(&making, &others)?,
        };
        if !colouring.classes.is_empty() && colouring.failing(&others).is_empty() {
            return Ok(Outcome::Solved(colouring.into_groups()));
        }
        let error = unsolved::unsolved(&colouring, &others, classes, task.most_suppressed > 0);
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
        let making = Making::new(task, all_rows(task), None)?;
        let groups = initialize::initialize(&making, making.classes(making.least)?);
        laid_out(groups, making.n())
    }

    fn as_printed<'a>(&self, making: &'a Making<'a>) -> Result<(Colouring<'a>, Classes)> {
        let classes = making.classes(making.least)?;
        let rows = initialize::initialize(making, classes);
        let groups = rows.into_iter().map(|rows| Class::of(rows, making)).collect();
        let mut colouring = Colouring::new(making, groups, 1);
        colouring.exchange_as_printed();
        Ok((colouring, classes))
    }

    /// Classes of the size that promises least loss; of others where those cannot be had.
    fn coloured<'a>(&self, making: &'a Making<'a>, others: &Others<'_>) -> Result<(Colouring<'a>, Classes)> {
        let mut starts: Vec<(f64, Colouring<'a>, Classes)> = Vec::new();
        let sizes = if self.roomy { sizes::least_sizes(making, self.way == Way::Best) } else { vec![making.least] };
        let mut tried = sizes.into_iter().map(|least| making.classes(least)).collect::<Result<Vec<Classes>>>()?;
        tried.dedup();
        // Sizes that a clique rules out are tried only where it rules out all.
        let holds = |classes: &Classes| making.driver.clique().rows <= classes.capacity(making.delta());
        if tried.len() > 1 && tried.iter().any(holds) {
            tried.retain(holds);
        }
        for classes in tried {
            let (colouring, left) = self.built(making, classes)?;
            // A row that is left over will be put somewhere, at the cost of a whole domain on every axis at worst.
            starts.push((colouring.loss() + (left * making.axes.len()) as f64, colouring, classes));
        }
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let smallest = making.classes(making.least)?;
        let (n_starts, is_tried) = (starts.len() as u64, starts.iter().any(|(_, _, known)| *known == smallest));
        let mut best: Option<(Colouring<'a>, Classes)> = None;
        for (place, (_, mut colouring, classes)) in (0..).zip(starts) {
            if self.mended(&mut colouring, classes, place, others) {
                return Ok((colouring, classes));
            }
            if best.as_ref().is_none_or(|(known, _)| colouring.total() < known.total()) {
                best = Some((colouring, classes));
            }
        }
        // The paper's theorem is about classes of k rows: what it promises is kept where larger ones were tried in vain.
        if !is_tried && !making.is_late() && is_guaranteed(making, smallest) {
            let (mut colouring, _) = self.built(making, smallest)?;
            if self.mended(&mut colouring, smallest, n_starts, others) {
                return Ok((colouring, smallest));
            }
        }
        best.ok_or_else(|| Error::bug("no size of classes was tried"))
    }

    /// BUILD; the rows that are left fill classes as they come. Tells how many they are.
    fn built<'a>(&self, making: &'a Making<'a>, classes: Classes) -> Result<(Colouring<'a>, usize)> {
        let (draw, seen, leaf) = match self.way {
            Way::Blind => (1, 1, BLIND_LEAF * classes.size),
            Way::Drawn => (DRAW, SEEN, classes.size),
            Way::Best | Way::Paper => (1, SEEN, classes.size),
        };
        let line = order::line(making, leaf, self.way == Way::Blind)?;
        let mut place = vec![0u32; making.value.len()];
        (0..).zip(&line).for_each(|(at, &row)| place[row as usize] = at);
        let mut coins = making.task.coins.stream(Purpose::Groups, classes.size);
        let sizes = sizes::along(classes, making.n());
        let mut built = build(making, &line, &sizes, Picking { draw, seen }, &mut coins);
        let n_left = built.left.len();
        let mut rest = built.left.as_slice();
        for size in built.sizes {
            let (rows, after) = rest.split_at(size);
            built.classes.push(Class::of(rows.to_vec(), making));
            rest = after;
        }
        built.classes.sort_by_cached_key(|class| class.rows().iter().map(|&row| place[row as usize]).min());
        Ok((Colouring::new(making, built.classes, draw), n_left))
    }

    /// REPAIR, then cycles, then PLATEAU, then whatever else helps; POLISH at the end. Tells whether all classes pass.
    fn mended(&self, colouring: &mut Colouring<'_>, classes: Classes, place: u64, others: &Others<'_>) -> bool {
        let making = colouring.making;
        let mut coins = making.task.coins.stream(Purpose::Groups, 1 << 63 | place);
        colouring.repair(&mut coins);
        if colouring.total() > 0 && self.cycles {
            colouring.cycles(&mut coins);
            colouring.repair(&mut coins);
        }
        // Where a clique has more rows than these classes hold, no exchange leads to a colouring.
        if colouring.total() > 0 && making.driver.clique().rows <= classes.capacity(making.delta()) {
            colouring.walk(&mut coins);
        }
        if colouring.total() > 0 && is_guaranteed(making, classes) {
            colouring.exchange_as_printed();
        }
        colouring.suit(others);
        colouring.merge(others);
        let passes = colouring.failing(others).is_empty();
        if passes && self.way == Way::Best && !making.is_late() {
            let polished = polish::polished(std::mem::take(&mut colouring.classes), classes, making, others);
            *colouring = Colouring::new(making, polished, 1);
        }
        passes
    }
}

/// True if the paper's theorem promises a colouring.
fn is_guaranteed(making: &Making<'_>, classes: Classes) -> bool {
    making.max_degree() <= classes.guaranteed_degree(making.delta())
}

fn laid_out(mut groups: Vec<Vec<u32>>, n_rows: usize) -> Result<Partition> {
    groups.retain(|group| !group.is_empty());
    let sizes: Vec<u32> = groups.iter().map(|group| group.len() as u32).collect();
    laid_end_to_end(groups.concat(), sizes, n_rows)
}

fn all_rows(task: &Task<'_>) -> Vec<u32> {
    (0..task.table.n_rows() as u32).collect()
}
