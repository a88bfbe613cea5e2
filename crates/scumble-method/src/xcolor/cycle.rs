//! Exchanges along cycles of three classes, which the paper proposes in its section VIII: a row of the first goes to the
//! second, one of the second to the third, and one of the third to the first. They are sought where no exchange of two
//! rows lowers the excess.

use super::repair::Colouring;
use crate::coins::Stream;

/// Classes that are drawn for the second and third place.
const DRAWN: usize = 256;

/// This many of the best of each side are tried against each other.
const TRIED: usize = 48;

/// Failed searches for a cycle in a row, after which the search is given up.
const IN_VAIN: usize = 24;

/// A row of a class, and what the excess of that class would change by if another row took its place.
#[derive(Clone, Copy)]
struct Place {
    class: usize,
    at: usize,
    change: i64,
}

impl Colouring<'_> {
    /// Moves rows along cycles as long as that lowers the excess.
    pub(crate) fn cycles(&mut self, coins: &mut Stream) {
        let mut in_vain = 0;
        while in_vain < IN_VAIN && !self.context.is_late() {
            let violating = self.violating();
            if violating.is_empty() {
                return;
            }
            let class = violating[coins.below(violating.len() as u64) as usize];
            in_vain = if self.cycle(class, coins) { 0 } else { in_vain + 1 };
        }
    }

    /// Finds one cycle through a class and moves along it.
    fn cycle(&mut self, first: usize, coins: &mut Stream) -> bool {
        let context = self.context;
        let n = self.classes.len() as u64;
        let mut drawn: Vec<usize> = (0..DRAWN).map(|_| coins.below(n) as usize).filter(|&c| c != first).collect();
        drawn.sort_unstable();
        drawn.dedup();
        for out in self.offered(first) {
            let row = self.classes[first].rows()[out];
            let (mut second, mut third): (Vec<Place>, Vec<Place>) = (Vec::new(), Vec::new());
            for &class in &drawn {
                if context.task.monitor.is_cancelled() {
                    return false;
                }
                let (members, excess) = (&self.classes[class], i64::from(self.excess[class]));
                for (at, &other) in members.rows().iter().enumerate() {
                    let change = i64::from(members.excess_with(at, row, context)) - excess;
                    second.push(Place { class, at, change });
                    let change =
                        i64::from(self.classes[first].excess_with(out, other, context)) - i64::from(self.excess[first]);
                    third.push(Place { class, at, change });
                }
            }
            for side in [&mut second, &mut third] {
                side.sort_by_key(|place| (place.change, place.class, place.at));
                side.truncate(TRIED);
            }
            for two in second.iter().take_while(|_| !context.task.monitor.is_cancelled()) {
                for three in third.iter().filter(|three| three.class != two.class) {
                    let moved = self.classes[two.class].rows()[two.at];
                    let members = &self.classes[three.class];
                    let change =
                        i64::from(members.excess_with(three.at, moved, context)) - i64::from(self.excess[three.class]);
                    if two.change + three.change + change < 0 {
                        let last = members.rows()[three.at];
                        self.classes[first].replace(out, last, context);
                        self.classes[two.class].replace(two.at, row, context);
                        self.classes[three.class].replace(three.at, moved, context);
                        for class in [first, two.class, three.class] {
                            self.excess[class] = self.classes[class].excess(context);
                        }
                        return true;
                    }
                }
            }
        }
        false
    }
}
