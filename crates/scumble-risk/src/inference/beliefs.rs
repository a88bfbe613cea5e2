//! What is believed of people, from the records that match.

use super::Person;
use super::shares::Shares;
use super::value_order::ValueOrder;
use crate::attack::BoxCover;
use scumble_table::{Code, Monitor, Result};

/// Units of the records that match people.
pub(super) struct Beliefs {
    /// All units, and those of the value that has most, by known values.
    pub(super) known: Vec<(i64, i64)>,
    /// Units of the own value, and of values near it, by person.
    pub(super) people: Vec<(i64, i64)>,
}

impl Beliefs {
    /// Where those records match that show the same values. The known values of people are the classes of `shares`.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(super) fn of_equal_records(
        shares: &Shares,
        people: &[Person],
        order: &ValueOrder,
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        monitor.check()?;
        // Sums of units before each entry.
        let mut before = vec![0];
        shares.entries.iter().for_each(|entry| before.push(before[before.len() - 1] + entry.2));
        let starts = shares.starts();
        let ends = |class: usize| (starts[class] as usize, starts[class + 1] as usize);
        let known = (0..shares.n_classes).map(|class| {
            let (first, end) = ends(class);
            let most = shares.entries[first..end].iter().map(|entry| entry.2).max();
            (before[end] - before[first], most.unwrap_or(0))
        });
        let person = |&(class, code, _): &Person| {
            monitor.check()?;
            let (first, end) = ends(class as usize);
            let entries = &shares.entries[first..end];
            let place = |code: Code| first + entries.partition_point(|entry| entry.1 < code);
            let within = |(from, to): (Code, Code)| before[place(to)] - before[place(from)];
            Ok((within((code, code + 1)), if order.is_measured() { within(order.near(code)) } else { 0 }))
        };
        Ok(Beliefs { known: known.collect(), people: people.iter().map(person).collect::<Result<_>>()? })
    }

    /// Where the boxes of records lie around people: the mixture over all of these boxes. `cover` has the known values of
    /// people and the boxes that `shares` tell of; people come by rising known values.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(super) fn of_boxes_around(
        cover: &BoxCover<'_>,
        shares: &Shares,
        people: &[Person],
        order: &ValueOrder,
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        let starts = shares.starts();
        let room = || Scratch { units: vec![0; order.n_codes], ..Scratch::default() };
        let tell = |room: &mut Scratch, point: u32, boxes: &[u32]| {
            for &a_box in boxes {
                let entries = starts[a_box as usize] as usize..starts[a_box as usize + 1] as usize;
                shares.entries[entries].iter().for_each(|&(_, code, units)| room.add(code, units));
            }
            room.tell(point, people, order);
        };
        let parts = cover.visit(room, tell, monitor)?;
        let mut beliefs = Beliefs { known: vec![(0, 0); cover.points.len()], people: vec![(0, 0); people.len()] };
        for part in parts {
            part.known.into_iter().for_each(|(point, units)| beliefs.known[point as usize] = units);
            part.people.into_iter().for_each(|(at, units)| beliefs.people[at as usize] = units);
        }
        Ok(beliefs)
    }
}

/// Values around one point after the other, and what was found at those before.
#[derive(Default)]
struct Scratch {
    /// Units of each value around the point.
    units: Vec<i64>,
    /// Values that have some.
    met: Vec<Code>,
    /// Sums of units before each of these.
    before: Vec<i64>,
    known: Vec<(u32, (i64, i64))>,
    people: Vec<(u32, (i64, i64))>,
}

impl Scratch {
    #[inline]
    fn add(&mut self, code: Code, units: i64) {
        let all = &mut self.units[code as usize];
        if *all == 0 {
            self.met.push(code);
        }
        *all += units;
    }

    /// Keeps what is believed of the people at a point, and makes room for the next.
    fn tell(&mut self, point: u32, people: &[Person], order: &ValueOrder) {
        let first = people.partition_point(|person| person.0 < point);
        let here = people[first..].iter().take_while(|person| person.0 == point);
        if order.is_measured() {
            self.met.sort_unstable();
            self.before.clear();
            let mut sum = 0;
            for &code in &self.met {
                self.before.push(sum);
                sum += self.units[code as usize];
            }
            self.before.push(sum);
        }
        for (at, &(_, code, _)) in (first as u32..).zip(here) {
            let near = match order.is_measured() {
                true => {
                    let (from, to) = order.near(code);
                    let place = |code: Code| self.met.partition_point(|&met| met < code);
                    self.before[place(to)] - self.before[place(from)]
                }
                false => 0,
            };
            self.people.push((at, (self.units[code as usize], near)));
        }
        let (mut all, mut most) = (0, 0);
        for code in self.met.drain(..) {
            let units = std::mem::take(&mut self.units[code as usize]);
            all += units;
            most = units.max(most);
        }
        self.known.push((point, (all, most)));
    }
}
