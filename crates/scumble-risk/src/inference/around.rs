//! Beliefs where the boxes of records lie around people: the mixture over all of them.

use super::super::attack::Cover;
use super::line::Line;
use super::units::Shares;
use super::{Beliefs, Person};
use scumble_table::{Code, Monitor, Result};

/// Units of everything around people.
pub(super) struct Around {
    /// All, and those of the value that has most, by known values.
    known: Vec<(i64, i64)>,
    /// Those of the own value, and of values near it, by person.
    people: Vec<(i64, i64)>,
}

impl Around {
    /// `cover` are the known values of people and the boxes that `shares` tell of; people come by rising known values.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(super) fn new(
        cover: &Cover<'_>,
        n_known: usize,
        shares: &Shares,
        people: &[Person],
        line: &Line,
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        let starts = shares.starts();
        let room = || Room { units: vec![0; line.n_codes()], ..Room::default() };
        let tell = |room: &mut Room, point: u32, boxes: &[u32]| {
            for &a_box in boxes {
                let entries = starts[a_box as usize] as usize..starts[a_box as usize + 1] as usize;
                shares.entries[entries].iter().for_each(|&(_, code, units)| room.add(code, units));
            }
            room.tell(point, people, line);
        };
        let parts = cover.visit(room, tell, monitor)?;
        let mut around = Around { known: vec![(0, 0); n_known], people: vec![(0, 0); people.len()] };
        for part in parts {
            part.known.into_iter().for_each(|(point, told)| around.known[point as usize] = told);
            part.people.into_iter().for_each(|(at, told)| around.people[at as usize] = told);
        }
        Ok(around)
    }
}

/// Values around one point after the other, and what was told of those before.
#[derive(Default)]
struct Room {
    /// Units of each value around the point.
    units: Vec<i64>,
    /// Values that have some.
    met: Vec<Code>,
    /// Sums of units before each of these.
    before: Vec<i64>,
    known: Vec<(u32, (i64, i64))>,
    people: Vec<(u32, (i64, i64))>,
}

impl Room {
    #[inline]
    fn add(&mut self, code: Code, units: i64) {
        let all = &mut self.units[code as usize];
        if *all == 0 {
            self.met.push(code);
        }
        *all += units;
    }

    /// Tells what is believed of the people at a point, and makes room for the next.
    fn tell(&mut self, point: u32, people: &[Person], line: &Line) {
        let first = people.partition_point(|person| person.0 < point);
        let here = people[first..].iter().take_while(|person| person.0 == point);
        if line.is_measured() {
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
            let near = match line.is_measured() {
                true => {
                    let (from, to) = line.near(code);
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

impl Beliefs for Around {
    fn all(&self, known: u32) -> i64 {
        self.known[known as usize].0
    }

    fn most(&self, known: u32) -> i64 {
        self.known[known as usize].1
    }

    fn own(&self, at: usize, _person: &Person) -> i64 {
        self.people[at].0
    }

    fn near(&self, at: usize, _person: &Person) -> i64 {
        self.people[at].1
    }
}
