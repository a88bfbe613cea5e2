//! PLATEAU: where no exchange lowers the excess, exchanges that leave it as it is may open a way.

use super::repair::{Colouring, Exchange};
use crate::coins::Stream;
use rayon::prelude::*;
use std::collections::VecDeque;

/// Steps, unless the excess is gone before.
const STEPS: usize = 20_000;

/// In small tables fewer: of tables of up to eight rows, where all partitions can be looked at, more steps solve no more.
const STEPS_OF_A_ROW: usize = 100;

/// Classes that a row is offered to in a step.
const CLASSES: usize = 400;

/// A row that has moved stays where it is for this many steps.
const TABU: usize = 20;

impl Colouring<'_> {
    /// Walks until nothing is left to repair, the steps are used up or the time is over.
    pub(crate) fn walk(&mut self, coins: &mut Stream) {
        if self.classes.len() < 2 {
            return;
        }
        let mut tabu: VecDeque<u32> = VecDeque::new();
        for step in 0..STEPS.min(STEPS_OF_A_ROW * self.context.n()) {
            if self.context.task.monitor.is_cancelled() || step % 64 == 0 && self.context.is_late() {
                return;
            }
            let Some((class, outs)) = self.stuck(&tabu, coins) else { return };
            let n = self.classes.len();
            let others: Vec<usize> = match n <= CLASSES {
                true => (0..n).filter(|&other| other != class).collect(),
                false => (0..CLASSES).map(|_| coins.below(n as u64) as usize).filter(|&c| c != class).collect(),
            };
            let best = others
                .par_chunks(16)
                .map(|others| {
                    let mut best: Option<Exchange> = None;
                    for &other in others {
                        self.exchanges(class, &outs, other, |exchange| {
                            let row = self.classes[other].rows()[exchange.other];
                            if !tabu.contains(&row) && best.is_none_or(|best| better(&exchange, &best)) {
                                best = Some(exchange);
                            }
                        });
                    }
                    best
                })
                .collect::<Vec<_>>()
                .into_iter()
                .flatten()
                .reduce(|a, b| if better(&b, &a) { b } else { a });
            let Some(exchange) = best else { continue };
            let rows = [self.classes[class].rows()[exchange.out], self.classes[exchange.class].rows()[exchange.other]];
            self.switch(class, exchange.out, exchange.class, exchange.other);
            tabu.extend(rows);
            while tabu.len() > 2 * TABU {
                tabu.pop_front();
            }
        }
    }

    /// A class with an excess, drawn, and one of its rows that has too many near others and may move.
    fn stuck(&self, tabu: &VecDeque<u32>, coins: &mut Stream) -> Option<(usize, Vec<usize>)> {
        let violating = self.violating();
        let class = *violating.get(coins.below(violating.len().max(1) as u64) as usize)?;
        let all = self.classes[class].violators(self.context);
        let free: Vec<usize> =
            all.iter().copied().filter(|&at| !tabu.contains(&self.classes[class].rows()[at])).collect();
        let among = if free.is_empty() { &all } else { &free };
        Some((class, vec![among[coins.below(among.len() as u64) as usize]]))
    }
}

/// Less excess, then less loss.
fn better(a: &Exchange, b: &Exchange) -> bool {
    (a.excess, a.loss) < (b.excess, b.loss)
}
