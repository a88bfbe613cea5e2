//! REPAIR: rows with too many near others change places with rows of other classes, as long as that
//! lowers the excess: the sum over all rows of near others beyond what the size of their class allows.

use super::class::Class;
use super::context::SearchContext;
use crate::coins::Stream;
use rayon::prelude::*;
use std::collections::VecDeque;

/// How far along the line classes are looked at for an exchange, widening as long as nothing helps.
const RINGS: [usize; 5] = [16, 64, 256, 2048, usize::MAX];

/// Classes that are looked at together; the search ends with the first chunk that has something to offer.
const CHUNK: usize = 512;

/// Rows of a class that are offered in exchange, those with the most near others.
const OFFERED: usize = 4;

/// An exchange of two rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exchange {
    /// Place of the row in its class.
    pub(crate) out: usize,
    /// The other class, and the place of the other row in it.
    pub(crate) class: usize,
    pub(crate) other: usize,
    /// By how much the excess of both classes changes, and by how much their loss.
    pub(crate) excess: i64,
    pub(crate) loss: f64,
}

impl Exchange {
    /// What it costs to save one of the excess; better is less.
    fn price(&self) -> f64 {
        self.loss / self.excess.unsigned_abs().max(1) as f64
    }
}

/// Classes along the line, some of them with rows that have too many near others.
pub(crate) struct Colouring<'a> {
    pub(crate) context: &'a SearchContext<'a>,
    pub(crate) classes: Vec<Class>,
    /// Excess of each class.
    pub(crate) excess: Vec<u32>,
    /// Exchanges are drawn among this many.
    pub(crate) draw: usize,
}

impl<'a> Colouring<'a> {
    /// Classes in the order in which they stand along the line.
    pub(crate) fn new(context: &'a SearchContext<'a>, classes: Vec<Class>, draw: usize) -> Self {
        let excess = classes.par_iter().map(|class| class.excess(context)).collect();
        Colouring { context, classes, excess, draw }
    }

    /// The classes with an excess.
    pub(crate) fn violating(&self) -> Vec<usize> {
        (0..self.classes.len()).filter(|&class| self.excess[class] > 0).collect()
    }

    /// The excess of all classes.
    pub(crate) fn total(&self) -> u64 {
        self.excess.iter().map(|&excess| u64::from(excess)).sum()
    }

    /// Rows times NCP of all classes.
    pub(crate) fn loss(&self) -> f64 {
        let losses: Vec<f64> = self.classes.par_iter().map(|class| class.loss(self.context)).collect();
        losses.iter().sum()
    }

    /// Exchanges rows as long as that lowers the excess: with the nearest classes first, with farther ones where those
    /// do not help.
    pub(crate) fn repair(&mut self, coins: &mut Stream) {
        let mut queue: VecDeque<usize> = self.violating().into();
        while let Some(class) = queue.pop_front() {
            while self.excess[class] > 0 && !self.context.is_late() {
                let Some(exchange) = self.nearest_improving(class, coins) else { break };
                self.switch(class, exchange.out, exchange.class, exchange.other);
                // What is saved here may be owed there.
                if self.excess[exchange.class] > 0 && !queue.contains(&exchange.class) {
                    queue.push_back(exchange.class);
                }
            }
        }
    }

    fn nearest_improving(&self, class: usize, coins: &mut Stream) -> Option<Exchange> {
        let mut inner = 0;
        for ring in RINGS {
            if let Some(exchange) = self.improving(class, inner, ring, coins) {
                return Some(exchange);
            }
            if ring >= self.classes.len() {
                break;
            }
            inner = ring;
        }
        None
    }

    /// An exchange that lowers the excess, drawn among the cheapest; between classes more than `inner` and at most
    /// `ring` apart.
    fn improving(&self, class: usize, inner: usize, ring: usize, coins: &mut Stream) -> Option<Exchange> {
        let (low, high) = (class.saturating_sub(ring), class.saturating_add(ring).min(self.classes.len() - 1));
        let others: Vec<usize> = (low..=high).filter(|&other| class.abs_diff(other) > inner).collect();
        let outs = self.offered(class);
        let found = |others: &[usize]| {
            let mut best: Vec<Exchange> = Vec::new();
            for &other in others {
                self.exchanges(class, &outs, other, |exchange| {
                    if exchange.excess < 0 {
                        keep_best(&mut best, exchange, self.draw);
                    }
                });
            }
            best
        };
        for chunk in others.chunks(CHUNK).take_while(|_| !self.context.task.monitor.is_cancelled()) {
            let runs: Vec<Vec<Exchange>> =
                if chunk.len() <= 64 { vec![found(chunk)] } else { chunk.par_chunks(64).map(found).collect() };
            let mut best: Vec<Exchange> = Vec::new();
            runs.into_iter().flatten().for_each(|exchange| keep_best(&mut best, exchange, self.draw));
            if !best.is_empty() {
                return Some(best[coins.below(best.len() as u64) as usize]);
            }
        }
        None
    }

    /// Places of the rows that a class should give away first.
    pub(crate) fn offered(&self, class: usize) -> Vec<usize> {
        let class = &self.classes[class];
        let mut outs = class.violators(self.context);
        outs.sort_by_key(|&at| std::cmp::Reverse(class.degrees()[at]));
        outs.truncate(OFFERED);
        outs
    }

    /// Gives `found` the exchanges of a row at one of `outs` with a row of another class that do not add to the excess.
    pub(crate) fn exchanges(&self, class: usize, outs: &[usize], other: usize, mut found: impl FnMut(Exchange)) {
        let (one, two, context) = (&self.classes[class], &self.classes[other], self.context);
        let before = i64::from(self.excess[class]) + i64::from(self.excess[other]);
        let t = context.allowed(two.len());
        let mut losses = None;
        for &out in outs {
            let leaving = one.rows()[out];
            // A row that would have too many near others there, no matter who leaves, gains nothing by moving.
            let near: u32 = two.rows().iter().map(|&row| context.weight(row, leaving)).sum();
            if near > t + 1 {
                continue;
            }
            for (at, &row) in two.rows().iter().enumerate().take_while(|_| !context.task.monitor.is_cancelled()) {
                let left = i64::from(one.excess_with(out, row, context));
                if left > before {
                    continue;
                }
                let excess = left + i64::from(two.excess_with(at, leaving, context)) - before;
                if excess > 0 {
                    continue;
                }
                let (loss_one, loss_two) = *losses.get_or_insert_with(|| (one.loss(context), two.loss(context)));
                let loss = one.loss_with(out, row, context) + two.loss_with(at, leaving, context);
                found(Exchange { out, class: other, other: at, excess, loss: loss - loss_one - loss_two });
            }
        }
    }

    /// Exchanges the row at `out` of a class with the row at `at` of another.
    pub(crate) fn switch(&mut self, class: usize, out: usize, other: usize, at: usize) {
        let row = self.classes[other].rows()[at];
        let leaving = self.classes[class].replace(out, row, self.context);
        self.classes[other].replace(at, leaving, self.context);
        for changed in [class, other] {
            self.excess[changed] = self.classes[changed].excess(self.context);
        }
    }
}

/// Keeps the cheapest, at most `most`; of equals those that came first.
fn keep_best(best: &mut Vec<Exchange>, exchange: Exchange, most: usize) {
    let place = best.partition_point(|known| known.price() <= exchange.price());
    if place < most {
        best.insert(place, exchange);
        best.truncate(most);
    }
}
