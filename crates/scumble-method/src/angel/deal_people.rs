//! Batches by chance where some people have several rows: nobody comes twice into a batch, as far as that can be had.
//!
//! In a batch of rows of different people rows, people and pairs of a person and a value are the same thing, so that what
//! holds of the rows holds of the people. If also all values differ, and there are m of them, the requirements that
//! [`Distinct`](super::distinct::Distinct) serves hold. Rows can be dealt so into `b = n / m` batches exactly if nobody and no value has more than
//! b of them (see `spread.rs`). Values are put in classes of similar frequency first, as in `chance.rs`; a class in which
//! somebody has too many rows is joined with the next, and all together will do if the leaf does.
//!
//! Where somebody has more rows than that, or the requirements look at more than how often values occur, batches are tried:
//! everything is spread evenly over b of them, from as many as there can be to one, until all batches pass, as rows and as
//! people.
//!
//! *What is left to chance.* How the batches look depends on the rows of people who have several of them in the class, and
//! on how often each value occurs among the others. Then the others who have a value take its places in a uniformly random order. So
//! somebody who knows all about people with several rows still finds all assignments of values to the others that fit
//! the batches equally likely, by the same count as in `chance.rs`. Nothing is claimed about people with several rows: that
//! no two of their rows share a batch is known to everybody, and ties their rows to each other.

use super::chance::{ChanceDealer, in_turn};
use super::spread::spread;
use super::whose::PeopleByPlace;
use crate::draws::{Draws, shuffle};
use crate::task::least_size;

/// Places of batches laid end to end, and their sizes.
pub(super) type DealtBatches = (Vec<u32>, Vec<u32>);

impl ChanceDealer<'_> {
    /// Batches of at least this many rows of different people, and of different values where these matter, pass.
    pub(super) fn least_apart(&self) -> Option<usize> {
        match self.distinct {
            Some(distinct) => Some(distinct.m),
            None => (!self.bound.needs_values()).then(|| least_size(self.bound)),
        }
    }

    /// Deals a line of places, which is in the order of their values; nothing where no batches were found that pass.
    pub(super) fn deal_people(
        &self,
        whose: &PeopleByPlace<'_>,
        line: &[u32],
        draws: &mut dyn Draws,
    ) -> Option<DealtBatches> {
        let fits = |places: &[u32], m: usize| whose.most_rows(places.iter().copied()) <= places.len() / m;
        let m = self.least_apart().filter(|&m| fits(line, m));
        let classes = match (m, self.distinct) {
            (None, _) => None,
            (Some(m), None) => Some((vec![line.to_vec()], m)),
            (Some(_), Some(_)) => self.classes(line),
        };
        let Some((classes, m)) = classes else { return self.try_batches(whose, line, draws) };
        let mut dealt = (Vec::with_capacity(line.len()), Vec::new());
        for class in joined(classes, |class| fits(class, m)) {
            let n_batches = class.len() / m;
            match whose.most_rows(class.iter().copied()) <= 1 {
                true => in_turn(&class, n_batches, &mut dealt),
                false => self.deal_apart(whose, &class, n_batches, draws, &mut dealt)?,
            }
        }
        Some(dealt)
    }

    /// Everything spread evenly over fewer and fewer batches, until all of them pass.
    fn try_batches(&self, whose: &PeopleByPlace<'_>, line: &[u32], draws: &mut dyn Draws) -> Option<DealtBatches> {
        let mut n_batches = (line.len() / least_size(self.bound)).max(1);
        loop {
            let mut dealt = (Vec::with_capacity(line.len()), Vec::new());
            self.deal_apart(whose, line, n_batches, draws, &mut dealt)?;
            let mut rest = dealt.0.as_slice();
            let passes = |&size: &u32| {
                let (batch, after) = rest.split_at(size as usize);
                rest = after;
                !self.monitor.is_cancelled() && whose.hold(batch)
            };
            if dealt.1.iter().all(passes) {
                return Some(dealt);
            }
            if n_batches == 1 || self.monitor.is_cancelled() {
                return None;
            }
            n_batches = (2 * n_batches / 3).max(1);
        }
    }

    /// Spreads places evenly, and lets people with one row among them take the places of their value at random.
    fn deal_apart(
        &self,
        whose: &PeopleByPlace<'_>,
        line: &[u32],
        n_batches: usize,
        draws: &mut dyn Draws,
        (places, sizes): &mut DealtBatches,
    ) -> Option<()> {
        let persons: Vec<u32> = line.iter().map(|&place| whose.of(place)).collect();
        let value = |place: u32| match self.distinct {
            Some(distinct) => self.sensitive.column(distinct.column).get(place as usize),
            None => self.values[place as usize],
        };
        let values: Vec<u32> = line.iter().map(|&place| value(place)).collect();
        let mut batch_of = spread(&persons, &values, n_batches, draws, self.monitor)?;
        let rows_of = whose.rows_of(line);
        let mut alone: Vec<usize> = (0..line.len()).filter(|&at| rows_of[at] == 1).collect();
        alone.sort_by_key(|&at| self.values[line[at] as usize]);
        for same in alone.chunk_by(|&a, &b| self.values[line[a] as usize] == self.values[line[b] as usize]) {
            let mut batches: Vec<u32> = same.iter().map(|&at| batch_of[at]).collect();
            shuffle(&mut batches, draws);
            same.iter().zip(batches).for_each(|(&at, batch)| batch_of[at] = batch);
        }
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); n_batches];
        batch_of.iter().zip(line).for_each(|(&batch, &place)| members[batch as usize].push(place));
        for mut batch in members.into_iter().filter(|batch| !batch.is_empty()) {
            sizes.push(batch.len() as u32);
            places.append(&mut batch);
        }
        Some(())
    }
}

/// Classes joined with their neighbours until each of them fits; all of them together, where nothing less does.
fn joined(classes: Vec<Vec<u32>>, fits: impl Fn(&[u32]) -> bool) -> Vec<Vec<u32>> {
    let (mut done, mut open): (Vec<Vec<u32>>, Vec<u32>) = (Vec::new(), Vec::new());
    for mut class in classes {
        open.append(&mut class);
        if fits(&open) {
            done.push(std::mem::take(&mut open));
        }
    }
    while !open.is_empty() {
        let Some(mut last) = done.pop() else {
            done.push(open);
            break;
        };
        last.append(&mut open);
        open = last;
        if fits(&open) {
            done.push(std::mem::take(&mut open));
        }
    }
    done
}
