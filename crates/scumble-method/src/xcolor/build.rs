//! BUILD: classes are filled one after the other along the line, each with rows that suit it.
//!
//! Rows that suit few classes, because many around them are near, are passed over and offered to every class that
//! follows: so they spread over as many classes as it takes. That is why the line is walked in one go and not in
//! pieces. What keeps it fast: rows of one value are asked about together, and a value that a growing class does not
//! admit it will never admit, so each class asks of each waiting value once.

use super::backlog::Backlog;
use super::class::Class;
use super::context::SearchContext;
use crate::coins::Stream;
use crate::epsilon_m::reach::LeastBox;

/// How rows are chosen for a class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowChoice {
    /// A row is drawn among this many.
    pub(crate) draw: usize,
    /// This many rows that suit are looked at, and the draw is among those that make the box grow least; among the first
    /// that come where it is no more than `draw`.
    pub(crate) seen: usize,
}

/// Rows of the line that a class lets wait before it gives up.
const REACH: usize = 1 << 16;

/// What was built.
pub(crate) struct BuiltClasses {
    /// Classes without a row that has too many near others.
    pub(crate) classes: Vec<Class>,
    /// Rows that are left, in the order of the line, and the sizes of the classes that they must fill.
    pub(crate) left: Vec<u32>,
    pub(crate) sizes: Vec<usize>,
}

/// Fills classes of the given sizes from a line of as many rows.
pub(crate) fn build(
    context: &SearchContext<'_>,
    line: &[u32],
    sizes: &[usize],
    picking: RowChoice,
    coins: &mut Stream,
) -> BuiltClasses {
    let n_values = context.neighbours().len();
    let mut filling = ClassFilling {
        context,
        line,
        picking,
        backlog: Backlog::new(line, &context.value, n_values),
        refused: vec![0; n_values],
        turn: 0,
        pool: Vec::new(),
        ranked: Vec::new(),
    };
    let mut built = BuiltClasses { classes: Vec::with_capacity(sizes.len()), left: Vec::new(), sizes: Vec::new() };
    let mut places: Vec<u32> = Vec::new();
    let mut n_waiting = line.len();
    for &size in sizes {
        let is_over = n_waiting < size || context.is_late();
        let (class, taken) = if is_over { Default::default() } else { filling.fill(size, coins) };
        n_waiting -= class.len();
        if class.len() == size {
            context.task.monitor.advance(size as u64);
            built.classes.push(class);
        } else {
            built.sizes.push(size);
            places.extend(taken);
        }
    }
    places.extend(filling.backlog.rest());
    places.sort_unstable();
    built.left = places.into_iter().map(|place| line[place as usize]).collect();
    built
}

/// What is kept from class to class.
struct ClassFilling<'a> {
    context: &'a SearchContext<'a>,
    line: &'a [u32],
    picking: RowChoice,
    backlog: Backlog<'a>,
    /// The last class, by its turn, that did not admit a value.
    refused: Vec<u32>,
    turn: u32,
    /// Waiting values that have not been refused, in the order in which they came.
    pool: Vec<u32>,
    ranked: Vec<(f64, usize)>,
}

impl ClassFilling<'_> {
    /// A class of `size` rows and their places on the line; fewer where no more suit.
    fn fill(&mut self, size: usize, coins: &mut Stream) -> (Class, Vec<u32>) {
        let (context, t) = (self.context, self.context.allowed(size));
        let mut class = Class::default();
        let mut taken = Vec::with_capacity(size);
        let mut reach: Option<LeastBox<'_>> = None;
        self.turn += 1;
        self.pool.clear();
        let (mut cursor, mut passed) = (self.backlog.oldest(), 0);
        while class.len() < size {
            // The first row is one of those that wait longest.
            let wanted = if class.len() == 0 { self.picking.draw } else { self.picking.seen };
            let mut pool = std::mem::take(&mut self.pool);
            pool.retain(|&value| self.suits(value, &class, t));
            while pool.len() < wanted {
                let value = match cursor {
                    Some(value) => {
                        cursor = self.backlog.following(value);
                        value
                    }
                    None if passed < REACH => {
                        passed += 1;
                        let Some(value) = self.backlog.pass() else { break };
                        // A value that was waiting already has been looked at.
                        if self.refused[value as usize] == self.turn || pool.contains(&value) {
                            continue;
                        }
                        value
                    }
                    None => break,
                };
                if self.suits(value, &class, t) {
                    pool.push(value);
                }
            }
            self.pool = pool;
            if self.pool.is_empty() {
                break;
            }
            let at = self.choose(reach.as_ref(), coins);
            let value = self.pool[at];
            let place = self.backlog.head(value);
            // The cursor must stay among the values that wait; what lies behind it has been looked at.
            if cursor == Some(value) {
                cursor = self.backlog.following(value);
            }
            self.backlog.take(value);
            let row = self.line[place as usize];
            match &mut reach {
                Some(reach) => reach.add(context.at(row)),
                None => reach = Some(LeastBox::around(&context.axes, context.at(row))),
            }
            class.push(row, context);
            taken.push(place);
            if !self.backlog.has(value) {
                self.pool.remove(at);
            }
        }
        (class, taken)
    }

    /// Whether the class admits a value. What it does not admit it never will: members and their near others only grow.
    #[inline]
    fn suits(&mut self, value: u32, class: &Class, t: u32) -> bool {
        if self.refused[value as usize] == self.turn {
            return false;
        }
        // Of a value only the row that waits longest is offered, and it must not be of somebody whom the class has.
        let suits = class.admits_value(value, t, self.context)
            && !class.has_person_of(self.line[self.backlog.head(value) as usize], self.context);
        if !suits {
            self.refused[value as usize] = self.turn;
        }
        suits
    }

    /// A place in the pool, drawn among the values whose rows suit the box best.
    fn choose(&mut self, reach: Option<&LeastBox<'_>>, coins: &mut Stream) -> usize {
        let draw = self.picking.draw.min(self.pool.len());
        let Some(reach) = reach.filter(|_| self.pool.len() > draw) else { return coins.below(draw as u64) as usize };
        let row = |value: u32| self.line[self.backlog.head(value) as usize];
        self.ranked.clear();
        self.ranked.extend(self.pool.iter().map(|&value| reach.strain(self.context.at(row(value)))).zip(0..));
        // Of rows that suit equally those that wait longest.
        let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        self.ranked.select_nth_unstable_by(draw - 1, order);
        self.ranked[..draw].sort_unstable_by(order);
        self.ranked[coins.below(draw as u64) as usize].1
    }
}
