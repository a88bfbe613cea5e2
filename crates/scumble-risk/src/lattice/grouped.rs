//! Many classes: the members of each, but for records that are alone.

use super::super::classes::Known;
use super::super::matches::{Matches, SizeCounts};
use scumble_table::with_codes;

/// Classes of two records and more, members side by side.
pub(super) struct ClassMembers {
    rows: Vec<u32>,
    /// Where each class begins; closed by the number of `rows`.
    starts: Vec<u32>,
    /// Records that are alone in their class.
    alone: u64,
}

impl ClassMembers {
    /// All records in one class.
    pub(super) fn whole(n_rows: usize) -> Self {
        let rows = 0..n_rows as u32;
        match n_rows {
            0 | 1 => ClassMembers { rows: Vec::new(), starts: vec![0], alone: n_rows as u64 },
            _ => ClassMembers { starts: vec![0, rows.end], rows: rows.collect(), alone: 0 },
        }
    }

    /// From the class of every record, below `n`.
    pub(super) fn of_numbers(of_row: &[u16], n: usize) -> Self {
        let mut counts = vec![0u32; n];
        of_row.iter().for_each(|&class| counts[usize::from(class)] += 1);
        let (mut starts, mut alone, mut end) = (vec![0u32], 0, 0u32);
        // From here on, the place of the next member of a class; records that are alone have none.
        for count in &mut counts {
            match *count {
                0 => {}
                1 => {
                    alone += 1;
                    *count = u32::MAX;
                }
                size => {
                    *count = end;
                    end += size;
                    starts.push(end);
                }
            }
        }
        let mut rows = vec![0u32; end as usize];
        for (row, &class) in of_row.iter().enumerate() {
            let next = &mut counts[usize::from(class)];
            if *next != u32::MAX {
                rows[*next as usize] = row as u32;
                *next += 1;
            }
        }
        ClassMembers { rows, starts, alone }
    }

    fn classes(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.rows[ends[0] as usize..ends[1] as usize])
    }

    /// Counts the classes that one column more makes.
    pub(super) fn count(&self, column: &Known<'_>) -> Matches {
        let mut tally = SizeCounts::default();
        tally.add_unique(self.alone);
        let mut counts = vec![0u32; column.n_codes];
        let mut met: Vec<u32> = Vec::new();
        with_codes!(column.codes, |codes| for class in self.classes() {
            if let [a, b] = *class {
                match codes[a as usize] == codes[b as usize] {
                    true => tally.add(2),
                    false => tally.add_unique(2),
                }
                continue;
            }
            for &row in class {
                let code = codes[row as usize] as usize;
                if counts[code] == 0 {
                    met.push(code as u32);
                }
                counts[code] += 1;
            }
            for code in met.drain(..) {
                tally.add(std::mem::take(&mut counts[code as usize]));
            }
        });
        tally.finish()
    }

    /// The classes that one column more makes.
    pub(super) fn divided(&self, column: &Known<'_>) -> (ClassMembers, Matches) {
        let mut tally = SizeCounts::default();
        tally.add_unique(self.alone);
        let mut child = ClassMembers { rows: Vec::with_capacity(self.rows.len()), starts: vec![0], alone: self.alone };
        // While a class is divided: how many have a code, then where the next of them goes.
        let mut places = vec![0u32; column.n_codes];
        let mut met: Vec<u32> = Vec::new();
        with_codes!(column.codes, |codes| for class in self.classes() {
            for &row in class {
                let code = codes[row as usize] as usize;
                if places[code] == 0 {
                    met.push(code as u32);
                }
                places[code] += 1;
            }
            let mut end = child.rows.len() as u32;
            for &code in &met {
                let place = &mut places[code as usize];
                tally.add(*place);
                if *place == 1 {
                    child.alone += 1;
                    *place = u32::MAX;
                } else {
                    let size = *place;
                    *place = end;
                    end += size;
                    child.starts.push(end);
                }
            }
            child.rows.resize(end as usize, 0);
            for &row in class {
                let place = &mut places[codes[row as usize] as usize];
                if *place != u32::MAX {
                    child.rows[*place as usize] = row;
                    *place += 1;
                }
            }
            met.drain(..).for_each(|code| places[code as usize] = 0);
        });
        (child, tally.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::Codes;

    #[test]
    fn records_that_are_alone_are_let_go() {
        let codes: Codes = [3u32, 1, 3, 0, 1, 3].into_iter().collect();
        let column = Known { codes: &codes, n_codes: 4 };
        let (child, matches) = ClassMembers::whole(6).divided(&column);
        assert_eq!(
            (child.rows.as_slice(), child.starts.as_slice(), child.alone),
            (&[0, 2, 5, 1, 4][..], &[0, 3, 5][..], 1)
        );
        assert_eq!(matches, Matches::from_classes([(3, 3), (2, 2), (1, 1)]));
        let same = ClassMembers::of_numbers(&[3, 1, 3, 0, 1, 3], 4);
        assert_eq!(
            (same.rows.as_slice(), same.starts.as_slice(), same.alone),
            (&[1, 4, 0, 2, 5][..], &[0, 2, 5][..], 1)
        );
        assert_eq!(child.count(&column), matches);
        assert_eq!(ClassMembers::whole(1).count(&column), Matches::from_classes([(1, 1)]));
        assert_eq!(ClassMembers::whole(0).count(&column), Matches::default());
    }
}
