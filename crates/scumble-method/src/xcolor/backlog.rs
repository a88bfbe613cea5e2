//! Rows that wait for a class: those that classes have passed over, value by value, and the line behind them.
//!
//! Rows of one value suit the same classes, so of each value only the one that waits longest is looked at, and a class
//! looks at no more places than there are values, however many rows wait.

/// No row, no value.
const NONE: u32 = u32::MAX;

/// The rows that classes have passed over, and the part of the line that no class has looked at yet.
pub(crate) struct Backlog<'a> {
    line: &'a [u32],
    /// Value of each row of the table.
    value: &'a [u32],
    /// The first place of the line that no class has looked at.
    front: usize,
    /// First and last place of the line that waits, by value; the place after each that has the same value.
    first: Vec<u32>,
    last: Vec<u32>,
    after: Vec<u32>,
    /// A ring of the values that have rows waiting, in the order in which they came; the last entry holds its ends.
    next: Vec<u32>,
    before: Vec<u32>,
}

impl<'a> Backlog<'a> {
    /// All rows of a line; `value` has that of every row of the table, below `n_values`.
    pub(crate) fn new(line: &'a [u32], value: &'a [u32], n_values: usize) -> Self {
        let ring = |n: usize| vec![n as u32; n + 1];
        Backlog {
            line,
            value,
            front: 0,
            first: vec![NONE; n_values],
            last: vec![NONE; n_values],
            after: vec![NONE; line.len()],
            next: ring(n_values),
            before: ring(n_values),
        }
    }

    /// The value that waits longest; nothing where none has been passed over.
    pub(crate) fn oldest(&self) -> Option<u32> {
        self.following(self.first.len() as u32)
    }

    /// The value that came after another.
    #[inline]
    pub(crate) fn following(&self, value: u32) -> Option<u32> {
        Some(self.next[value as usize]).filter(|&next| (next as usize) < self.first.len())
    }

    /// True if a row of this value waits.
    #[inline]
    pub(crate) fn has(&self, value: u32) -> bool {
        self.first[value as usize] != NONE
    }

    /// The place on the line of the row that waits longest of a value that has some.
    #[inline]
    pub(crate) fn head(&self, value: u32) -> u32 {
        self.first[value as usize]
    }

    /// Takes the row that waits longest of a value.
    pub(crate) fn take(&mut self, value: u32) {
        let v = value as usize;
        self.first[v] = self.after[self.first[v] as usize];
        if self.first[v] == NONE {
            let (before, next) = (self.before[v], self.next[v]);
            self.next[before as usize] = next;
            self.before[next as usize] = before;
        }
    }

    /// Lets the next row of the line wait and tells its value; nothing at the end of the line.
    pub(crate) fn pass(&mut self) -> Option<u32> {
        let value = self.value[*self.line.get(self.front)? as usize];
        let (v, place) = (value as usize, self.front as u32);
        if self.first[v] == NONE {
            let end = self.first.len();
            let last = self.before[end];
            (self.next[last as usize], self.before[v]) = (value, last);
            (self.next[v], self.before[end]) = (end as u32, value);
            self.first[v] = place;
        } else {
            self.after[self.last[v] as usize] = place;
        }
        self.last[v] = place;
        self.front += 1;
        Some(value)
    }

    /// Places of the line that are still waiting, in its order.
    pub(crate) fn rest(&self) -> Vec<u32> {
        let mut places: Vec<u32> = (self.front as u32..self.line.len() as u32).collect();
        let mut value = self.oldest();
        while let Some(v) = value {
            let mut place = self.head(v);
            while place != NONE {
                places.push(place);
                place = self.after[place as usize];
            }
            value = self.following(v);
        }
        places.sort_unstable();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compared with a plain list of (value, place) pairs.
        #[test]
        fn values_wait_in_the_order_in_which_they_came(
            value in prop::collection::vec(0u32..5, 1..60), steps in prop::collection::vec((0u8..3, 0usize..5), 0..90),
        ) {
            let line: Vec<u32> = (0..value.len() as u32).rev().collect();
            let mut backlog = Backlog::new(&line, &value, 5);
            let mut naive: Vec<(u32, Vec<u32>)> = Vec::new();
            let mut front = 0;
            for (step, which) in steps {
                if step < 2 {
                    let passed = backlog.pass();
                    prop_assert_eq!(passed, line.get(front).map(|&row| value[row as usize]));
                    let Some(v) = passed else { continue };
                    match naive.iter_mut().find(|(known, _)| *known == v) {
                        Some((_, places)) => places.push(front as u32),
                        None => naive.push((v, vec![front as u32])),
                    }
                    front += 1;
                } else if let Some((v, places)) = naive.get_mut(which) {
                    prop_assert_eq!(backlog.head(*v), places[0]);
                    backlog.take(*v);
                    places.remove(0);
                    naive.retain(|(_, places)| !places.is_empty());
                }
                let order: Vec<u32> = std::iter::successors(backlog.oldest(), |&v| backlog.following(v)).collect();
                prop_assert_eq!(order, naive.iter().map(|(v, _)| *v).collect::<Vec<_>>());
            }
            let mut rest: Vec<u32> = naive.iter().flat_map(|(_, places)| places.clone()).collect();
            rest.extend(front as u32..line.len() as u32);
            rest.sort_unstable();
            prop_assert_eq!(backlog.rest(), rest);
        }
    }
}
