//! Which values are within epsilon of which: the abstract graph of paper 2, Definition 8, on distinct values.
//!
//! How it is kept depends on the number V of distinct values:
//!
//! | V | kept as | memory |
//! |---|---|---|
//! | up to 16,384 | one bit per pair | up to 32 MiB |
//! | up to 131,072, with up to 2^26 neighbours in all | a rising list per value | up to 256 MiB, and 128 more while they are made |
//! | above | nothing: the distance is asked each time | that of the columns |
//!
//! Bits and lists are worked out once per pair, rows in parallel. Bits are made at once, as a search asks for single pairs
//! millions of times. Lists serve those who walk over the whole graph and are made when a caller first does; a sample of
//! the values tells beforehand whether they are likely to fit, and a count stops the work when they do not. A hundred
//! thousand values have ten billion pairs: their bits would take 1.2 GiB, and to judge groups asks for few of them, which
//! is as fast as to fetch a bit from so far away.

mod bits;
mod lists;

use crate::distance::{BoundDistance, Memory, Terms, Values};
use bits::{Bits, is_set};
use lists::Lists;
use rayon::prelude::*;
use scumble_table::{Cancellation, Code, Composite, Decimal, Error, Result};
use std::fmt;
use std::sync::OnceLock;

/// How much may be kept.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// The most values whose pairs are kept as bits.
    bits: usize,
    /// The most values, and the most neighbours of all together, that are kept as lists.
    listed: usize,
    ids: usize,
}

const LIMITS: Limits = Limits { bits: 1 << 14, listed: 1 << 17, ids: 1 << 26 };

/// Values whose neighbours are counted before the lists of all are made.
const SAMPLE: usize = 256;

/// Which distinct values are near which. Nearness is mutual, and a value is near itself.
pub struct Neighbours {
    n: usize,
    source: Source,
    limits: Limits,
    bits: Option<Bits>,
    /// Nothing until a caller walks over the graph; then nothing where lists do not fit.
    lists: OnceLock<Option<Lists>>,
    cancellation: Cancellation,
}

enum Source {
    /// A distance over columns of codes.
    Distance { terms: Terms, values: Values },
    /// Any function of two values.
    Function(Box<dyn Fn(Code, Code) -> bool + Send + Sync>),
}

impl Neighbours {
    /// The neighbours within `epsilon` among the combinations of a composite whose columns are those that the metric was
    /// tied to.
    ///
    /// # Errors
    /// If the composite has other columns.
    pub fn within(metric: &BoundDistance, composite: &Composite, epsilon: Decimal) -> Result<Self> {
        Neighbours::within_cancellable(metric, composite, epsilon, &Cancellation::default())
    }

    /// The same under a flag that stops the comparison of values, now and whenever these neighbours are asked later: pairs
    /// that were not compared by then count as not near, so that after a cancellation nothing that they tell may be used.
    ///
    /// # Errors
    /// As [`Neighbours::within`], and if the work was cancelled.
    pub fn within_cancellable(
        metric: &BoundDistance,
        composite: &Composite,
        epsilon: Decimal,
        cancellation: &Cancellation,
    ) -> Result<Self> {
        let values = Values::new(composite);
        if !metric.suits(values.widths()) {
            return Err(Error::bug("a distance was tied to other columns than those it is to measure"));
        }
        let terms = metric.within(epsilon)?;
        let source = Source::Distance { terms, values };
        let neighbours = Neighbours::keep(composite.len(), source, LIMITS, cancellation.clone());
        if neighbours.is_cancelled() { Err(Error::Cancelled) } else { Ok(neighbours) }
    }

    /// The neighbours by any function of two of `n` values. It is asked with the lesser value first, and never of a value
    /// and itself, so that nearness is mutual whatever the function.
    ///
    /// ```
    /// use scumble_principle::{Dissimilarity, Neighbours, Test};
    /// use scumble_table::{Bag, Decimal};
    /// use std::sync::Arc;
    ///
    /// // Places on a map, and what is near on it: any function will do.
    /// let places = [(0, 0), (3, 4), (60, 80), (61, 80)];
    /// let near = Neighbours::from_fn(places.len(), move |a, b| {
    ///     let ((x, y), (u, v)) = (places[a as usize], places[b as usize]);
    ///     f64::hypot(f64::from(x - u), f64::from(y - v)) <= 5.0
    /// });
    /// assert!(near.near(1, 0) && near.near(2, 3) && !near.near(1, 2));
    ///
    /// // Ten people at each place; epsilon is in the function.
    /// let principle = Dissimilarity::new(Decimal::ZERO, Decimal::parse("0.5").unwrap(), 4)?;
    /// let test = principle.with_neighbours(Arc::new(near), &[10; 4]);
    /// assert!(test.holds(&Bag::from_codes([0, 1, 2, 3])));
    /// assert!(!test.holds(&Bag::from_codes([0, 0, 1, 3])));
    /// # Ok::<(), scumble_table::Error>(())
    /// ```
    pub fn from_fn(n: usize, near: impl Fn(Code, Code) -> bool + Send + Sync + 'static) -> Self {
        Neighbours::keep(n, Source::Function(Box::new(near)), LIMITS, Cancellation::default())
    }

    fn keep(n: usize, source: Source, limits: Limits, cancellation: Cancellation) -> Self {
        let mut neighbours = Neighbours { n, source, limits, bits: None, lists: OnceLock::new(), cancellation };
        if n <= limits.bits {
            neighbours.bits = Some(Bits::new(n, |value, memory: &mut Memory, found| {
                neighbours.ask(value, value + 1, memory, found);
            }));
        }
        neighbours
    }

    /// Lists, where they are few enough. They are made outside of the lock: a thread that waits for the others of its pool
    /// may be given work that asks for them too.
    fn lists(&self) -> Option<&Lists> {
        if self.bits.is_some() || self.n > self.limits.listed {
            return None;
        }
        if self.lists.get().is_none() {
            let after =
                |value, memory: &mut Memory, found: &mut dyn FnMut(usize)| self.ask(value, value + 1, memory, found);
            let lists = self.seem_few().then(|| Lists::new(self.n, self.limits.ids, after)).flatten();
            // If another thread was faster, it found the same.
            let _ = self.lists.set(lists);
        }
        self.lists.get()?.as_ref()
    }

    /// Whether the neighbours of a sample are as few as those of all may be.
    fn seem_few(&self) -> bool {
        let step = self.n.div_ceil(SAMPLE).max(1);
        let count = |memory: &mut Memory, value: usize| {
            let mut count = 0;
            self.ask(value, 0, memory, &mut |_| count += 1);
            (1, count)
        };
        let sampled = (0..self.n).into_par_iter().step_by(step).map_init(Memory::default, count);
        let (asked, found) = sampled.reduce(|| (0u128, 0u128), |a, b| (a.0 + b.0, a.1 + b.1));
        found * self.n as u128 <= self.limits.ids as u128 * asked
    }

    /// Tells of every value from `from` on whether it is near one, from the distance itself.
    fn ask(&self, value: usize, from: usize, memory: &mut Memory, found: &mut dyn FnMut(usize)) {
        if self.is_cancelled() {
            return;
        }
        match &self.source {
            Source::Distance { terms, values } => terms.row(value, from, values, memory, found),
            Source::Function(near) => {
                (from..self.n).filter(|&other| mutual(near, value as Code, other as Code)).for_each(found);
            }
        }
    }

    /// True if the comparison of values was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    /// Number of distinct values.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True where there is no value.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// How the neighbours are kept so far: `bits`, `lists` or, not at all, `asked`.
    pub fn kept(&self) -> &'static str {
        match (&self.bits, self.lists.get()) {
            (Some(_), _) => "bits",
            (None, Some(Some(_))) => "lists",
            _ => "asked",
        }
    }

    /// True if all neighbours are kept, from now on if not before.
    pub(crate) fn is_kept(&self) -> bool {
        self.bits.is_some() || self.lists().is_some()
    }

    /// Whether two values are near.
    #[inline]
    pub fn near(&self, a: Code, b: Code) -> bool {
        if let Some(bits) = &self.bits {
            return bits.near(a, b);
        }
        match &self.source {
            // Asking is faster than halving a list.
            Source::Distance { terms, values } => terms.near(a as usize, b as usize, values),
            Source::Function(near) => match self.lists.get() {
                Some(Some(lists)) => lists.neighbours(a).binary_search(&b).is_ok(),
                _ => mutual(near, a, b),
            },
        }
    }

    /// Gives `found` every value that is near one, itself among them, in rising order.
    pub fn each_near(&self, value: Code, found: impl FnMut(Code)) {
        self.each_near_with(value, &mut Memory::default(), found);
    }

    fn each_near_with(&self, value: Code, memory: &mut Memory, mut found: impl FnMut(Code)) {
        match (&self.bits, self.lists.get()) {
            (Some(bits), _) => bits.each_near(value, found),
            (None, Some(Some(lists))) => lists.neighbours(value).iter().for_each(|&other| found(other)),
            _ => self.ask(value as usize, 0, memory, &mut |other| found(other as Code)),
        }
    }

    /// For each value the number of other rows that are near a row of it; `weights` has the rows of each value, and a value
    /// without rows has no neighbours.
    ///
    /// # Panics
    /// If there is not one weight per value.
    pub fn degrees(&self, weights: &[u32]) -> Vec<u64> {
        assert_eq!(weights.len(), self.n, "one weight per value");
        self.lists();
        let rows = |memory: &mut Memory, value: usize| {
            let mut rows = 0u64;
            if weights[value] > 0 {
                self.each_near_with(value as Code, memory, |other| rows += u64::from(weights[other as usize]));
            }
            rows.saturating_sub(1)
        };
        (0..self.n).into_par_iter().map_init(Memory::default, rows).collect()
    }

    /// A clique with `seed` in it: of the values in the given order each that is near all before it. After `most_asked`
    /// questions to a distance it ends as it is.
    pub(crate) fn gather(&self, seed: Code, order: &[Code], most_asked: usize) -> Vec<Code> {
        let mut members = vec![seed];
        if let Some(bits) = &self.bits {
            let mut open = bits.row(seed).to_vec();
            for &value in order.iter().filter(|&&value| value != seed) {
                if is_set(&open, value) {
                    members.push(value);
                    open.iter_mut().zip(bits.row(value)).for_each(|(open, near)| *open &= near);
                }
            }
        } else if let Some(Some(lists)) = self.lists.get() {
            // How many members each value is near.
            let mut near = vec![0usize; self.n];
            lists.neighbours(seed).iter().for_each(|&other| near[other as usize] += 1);
            for &value in order.iter().filter(|&&value| value != seed) {
                if near[value as usize] == members.len() {
                    members.push(value);
                    lists.neighbours(value).iter().for_each(|&other| near[other as usize] += 1);
                }
            }
        } else {
            let mut asked = 0;
            for &value in order.iter().filter(|&&value| value != seed) {
                if asked >= most_asked || self.is_cancelled() {
                    break;
                }
                let stranger = members.iter().position(|&member| !self.near(member, value));
                asked += stranger.map_or(members.len(), |at| at + 1);
                if stranger.is_none() {
                    members.push(value);
                }
            }
        }
        members
    }
}

/// A function of two values, asked with the lesser one first.
fn mutual(near: &(impl Fn(Code, Code) -> bool + ?Sized), a: Code, b: Code) -> bool {
    a == b || near(a.min(b), a.max(b))
}

impl fmt::Debug for Neighbours {
    /// All pairs would fill pages, so only their number is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neighbours").field("values", &self.n).field("kept", &self.kept()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
