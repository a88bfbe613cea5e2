//! What is left after all exchanges: classes that still fail are joined with others.

use super::class::Class;
use super::context::OtherRequirements;
use super::repair::Colouring;
use rayon::prelude::*;
use scumble_principle::Test;
use scumble_table::Bag;

/// How far along the line a class to join with is sought.
const RING: usize = 256;

/// How far a class is sought to exchange rows with for the sake of requirements other than dissimilarity.
const NEAR: usize = 16;

impl Colouring<'_> {
    /// The classes that fail a requirement.
    pub(crate) fn failing(&self, others: &OtherRequirements<'_>) -> Vec<usize> {
        let fails = |&class: &usize| !self.context.task.monitor.is_cancelled() && self.fails(class, others);
        (0..self.classes.len()).into_par_iter().filter(fails).collect()
    }

    fn fails(&self, class: usize, others: &OtherRequirements<'_>) -> bool {
        !self.passes(&self.classes[class], others)
    }

    /// True if a class may be published. Where people have several rows somebody may come twice, if it passes nevertheless.
    pub(super) fn passes(&self, class: &Class, others: &OtherRequirements<'_>) -> bool {
        let context = self.context;
        let driver_holds = match context.persons {
            None => class.excess(context) == 0,
            Some(_) => {
                context.driver.holds(&Bag::from_codes(class.rows().iter().map(|&row| context.value[row as usize])))
            }
        };
        driver_holds && others.hold(class.rows())
    }

    /// Makes classes meet the other requirements by exchanges with classes near by.
    pub(crate) fn suit(&mut self, others: &OtherRequirements<'_>) {
        if others.is_empty() {
            return;
        }
        for class in self.failing(others) {
            if self.context.is_late() {
                return;
            }
            if self.fails(class, others)
                && self.excess[class] == 0
                && let Some((out, other, at)) = self.suiting(class, others)
            {
                self.switch(class, out, other, at);
            }
        }
    }

    /// The exchange that loses least of those after which both classes meet everything.
    fn suiting(&self, class: usize, others: &OtherRequirements<'_>) -> Option<(usize, usize, usize)> {
        let one = &self.classes[class];
        let outs: Vec<usize> = (0..one.len()).collect();
        let mut best: Option<(f64, (usize, usize, usize))> = None;
        for other in self.ring(class, NEAR).filter(|&other| self.excess[other] == 0) {
            self.exchanges(class, &outs, other, |exchange| {
                if best.is_some_and(|(least, _)| least <= exchange.loss) {
                    return;
                }
                let with = |class: &Class, out: usize, row: u32| -> Vec<u32> {
                    class.rows().iter().enumerate().map(|(at, &known)| if at == out { row } else { known }).collect()
                };
                let two = &self.classes[other];
                let (leaving, coming) = (one.rows()[exchange.out], two.rows()[exchange.other]);
                if others.hold(&with(one, exchange.out, coming)) && others.hold(&with(two, exchange.other, leaving)) {
                    best = Some((exchange.loss, (exchange.out, other, exchange.other)));
                }
            });
        }
        best.map(|(_, exchange)| exchange)
    }

    /// Classes at most `ring` places from one along the line, nearest first.
    fn ring(&self, class: usize, ring: usize) -> impl Iterator<Item = usize> + '_ {
        let n = self.classes.len();
        (1..=ring).flat_map(move |apart| [class.checked_sub(apart), Some(class + apart).filter(|&c| c < n)]).flatten()
    }

    /// Joins classes that fail with classes near by, where both together pass: a larger class allows more near others,
    /// and requirements that survive a union come nearer with each.
    pub(crate) fn merge(&mut self, others: &OtherRequirements<'_>) {
        for class in self.failing(others) {
            if self.context.is_late() {
                break;
            }
            if self.classes[class].len() == 0 || !self.fails(class, others) {
                continue;
            }
            let suits = |&other: &usize| {
                let both = self.joined(class, other);
                !both.rows().is_empty() && self.passes(&both, others)
            };
            let found = self.ring(class, RING).filter(|&other| self.classes[other].len() > 0).find(suits);
            if let Some(other) = found {
                self.classes[other] = self.joined(class, other);
                self.classes[class] = Class::default();
                (self.excess[class], self.excess[other]) = (0, 0);
            }
        }
        let kept = self.classes.iter().map(|class| class.len() > 0).collect::<Vec<_>>();
        let mut at = 0..;
        self.excess.retain(|_| at.next().is_some_and(|class| kept[class]));
        self.classes.retain(|class| class.len() > 0);
    }

    fn joined(&self, class: usize, other: usize) -> Class {
        let rows = self.classes[class].rows().iter().chain(self.classes[other].rows()).copied().collect();
        Class::new(rows, self.context)
    }
}
