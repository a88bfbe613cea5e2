//! The exchanges of Algorithm 2 of the paper, as printed but for its slips: a row with too many near
//! others changes places with a row of a class that it may move to, where that lowers the number of near pairs inside
//! classes; of all such rows the one that loses least. It ends when no row has too many near others, or when
//! none of those can be exchanged.
//!
//! Inside the bound of Lemma 2 there is always such an exchange, so this reaches a colouring whenever the maximum degree
//! guarantees one.

use super::class::Class;
use super::context::SearchContext;
use super::repair::Colouring;
use rayon::prelude::*;

/// Classes looked at by one core.
const RUN: usize = 64;

impl Colouring<'_> {
    /// Exchanges rows until no row has too many near others, none of them can be exchanged, or the time is over.
    pub(crate) fn exchange_as_printed(&mut self) {
        // For each class the row whose leaving saves most loss, of those that have too many near others and
        // for which no exchange has failed.
        let mut leaving: Vec<Option<(f64, usize)>> =
            (0..self.classes.len()).into_par_iter().map(|class| self.leaving(class, &[])).collect();
        let mut stuck: Vec<Vec<u32>> = vec![Vec::new(); self.classes.len()];
        while !self.context.is_late() {
            let least = leaving.iter().enumerate().filter_map(|(class, best)| Some((best.as_ref()?, class)));
            let Some((&(_, out), class)) = least.min_by(|(a, c), (b, d)| a.0.total_cmp(&b.0).then(c.cmp(d))) else {
                return;
            };
            match self.exchangeable(class, out) {
                Some((other, at)) => {
                    self.switch(class, out, other, at);
                    // What failed before may succeed now.
                    for known in 0..stuck.len() {
                        if known == class || known == other || !stuck[known].is_empty() {
                            stuck[known].clear();
                            leaving[known] = self.leaving(known, &[]);
                        }
                    }
                }
                None => {
                    stuck[class].push(self.classes[class].rows()[out]);
                    leaving[class] = self.leaving(class, &stuck[class]);
                }
            }
        }
    }

    /// The row with too many near others whose leaving saves most (line 6), and what it saves, as a negative number.
    fn leaving(&self, class: usize, stuck: &[u32]) -> Option<(f64, usize)> {
        if self.context.task.monitor.is_cancelled() {
            return None;
        }
        let (class, context) = (&self.classes[class], self.context);
        let free = class.violators(context).into_iter().filter(|&at| !stuck.contains(&class.rows()[at]));
        let whole = context.cost(class.rows().iter().copied());
        let saved = |out: usize| context.cost(class.others(out)) - whole;
        free.take_while(|_| !context.task.monitor.is_cancelled())
            .map(|out| (saved(out), out))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
    }

    /// The row of another class whose exchange with the row at `out` loses least (lines 7 and 8).
    fn exchangeable(&self, class: usize, out: usize) -> Option<(usize, usize)> {
        let (one, context) = (&self.classes[class], self.context);
        let row = one.rows()[out];
        let before = one.loss(context);
        let found = |(run, classes): (usize, &[Class])| {
            let mut best: Option<(f64, usize, usize)> = None;
            for (place, two) in classes.iter().enumerate() {
                let other = run * RUN + place;
                if context.task.monitor.is_cancelled() {
                    return None;
                }
                let moved = near_in(two, row, context);
                // Definition 13: the class must be one that the row may move to.
                if other == class || moved > context.allowed(two.len()) {
                    continue;
                }
                let loss = two.loss(context);
                for (at, &back) in two.rows().iter().enumerate() {
                    // Definition 15 written out: the change of the number of near pairs inside classes.
                    let adjacent = i64::from(context.weight(row, back));
                    let change = i64::from(moved) - i64::from(one.degrees()[out])
                        + i64::from(near_in(one, back, context))
                        - i64::from(two.degrees()[at])
                        - 2 * adjacent;
                    if change >= 0 {
                        continue;
                    }
                    let after = one.loss_with(out, back, context) + two.loss_with(at, row, context) - before - loss;
                    if best.is_none_or(|(least, ..)| after < least) {
                        best = Some((after, other, at));
                    }
                }
            }
            best
        };
        let runs: Vec<_> = self.classes.par_chunks(RUN).enumerate().map(found).collect();
        let best = runs.into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, other, at)| (other, at))
    }
}

/// Rows of a class that are near a row of another.
fn near_in(class: &Class, row: u32, context: &SearchContext<'_>) -> u32 {
    class.rows().iter().map(|&other| context.weight(other, row)).sum()
}
