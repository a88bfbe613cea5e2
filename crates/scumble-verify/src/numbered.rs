//! Rows arranged by the number that each of them carries: tuple by tuple, or group by group.

use scumble_io::NULL_INTEGER;

/// Rows by rising number. Suppressed rows have no number.
pub(super) struct Numbered {
    /// Where the rows of each number that occurs begin, and where the last ones end.
    begin: Vec<u32>,
    rows: Vec<u32>,
}

impl Numbered {
    pub(super) fn new(numbers: &[u32]) -> Numbered {
        let greatest = numbers.iter().copied().filter(|&number| number != NULL_INTEGER).max();
        let Some(greatest) = greatest else { return Numbered { begin: vec![0], rows: Vec::new() } };
        // Numbers of a release of ours have no gaps; those of others may be any, and are counted if that is affordable.
        if greatest as usize > 4 * numbers.len() {
            return Numbered::sorted(numbers);
        }
        let mut begin = vec![0u32; greatest as usize + 2];
        let numbered = || (0..).zip(numbers.iter().copied()).filter(|&(_, number)| number != NULL_INTEGER);
        numbered().for_each(|(_, number): (u32, u32)| begin[number as usize + 1] += 1);
        for at in 1..begin.len() {
            begin[at] += begin[at - 1];
        }
        let mut rows = vec![0; begin[begin.len() - 1] as usize];
        let mut next = begin.clone();
        for (row, number) in numbered() {
            let place = &mut next[number as usize];
            rows[*place as usize] = row;
            *place += 1;
        }
        begin.dedup();
        Numbered { begin, rows }
    }

    fn sorted(numbers: &[u32]) -> Numbered {
        let mut pairs: Vec<(u32, u32)> =
            numbers.iter().copied().zip(0..).filter(|pair| pair.0 != NULL_INTEGER).collect();
        pairs.sort_unstable();
        let ends = pairs.chunk_by(|a, b| a.0 == b.0).scan(0, |end, group| {
            *end += group.len() as u32;
            Some(*end)
        });
        Numbered { begin: std::iter::once(0).chain(ends).collect(), rows: pairs.iter().map(|pair| pair.1).collect() }
    }

    /// What the rows rank by, in the order of their numbers.
    pub(super) fn ranks(&self, ranks: &[u32]) -> Vec<u32> {
        self.rows.iter().map(|&row| ranks[row as usize]).collect()
    }

    /// The size of each group.
    pub(super) fn sizes(&self) -> Vec<u32> {
        self.begin.windows(2).map(|ends| ends[1] - ends[0]).collect()
    }

    /// What the rows of each group rank by, as one number for each group.
    pub(super) fn figures(&self, ranks: &[u32]) -> Figures {
        let n = self.begin.len() - 1;
        let mut of = Figures { alike: true, ..Figures::default() };
        [&mut of.least, &mut of.middle, &mut of.greatest, &mut of.mean].into_iter().for_each(|of| of.reserve_exact(n));
        let mut own: Vec<u32> = Vec::new();
        for ends in self.begin.windows(2) {
            let rows = &self.rows[ends[0] as usize..ends[1] as usize];
            let first = ranks[rows[0] as usize];
            if rows.iter().all(|&row| ranks[row as usize] == first) {
                [&mut of.least, &mut of.middle, &mut of.greatest, &mut of.mean]
                    .into_iter()
                    .for_each(|of| of.push(first));
                continue;
            }
            of.alike = false;
            own.clear();
            own.extend(rows.iter().map(|&row| ranks[row as usize]));
            let middle = (own.len() - 1) / 2;
            let (below, &mut middle, above) = own.select_nth_unstable(middle);
            of.middle.push(middle);
            of.least.push(below.iter().copied().min().unwrap_or(middle));
            of.greatest.push(above.iter().copied().max().unwrap_or(middle));
            of.mean.push((own.iter().map(|&rank| u64::from(rank)).sum::<u64>() / own.len() as u64) as u32);
        }
        of
    }
}

/// One number for each group, by rising number of the group.
#[derive(Default)]
pub(super) struct Figures {
    pub(super) least: Vec<u32>,
    pub(super) middle: Vec<u32>,
    pub(super) greatest: Vec<u32>,
    pub(super) mean: Vec<u32>,
    /// True if the rows of every group are alike, so that all figures are the same.
    alike: bool,
}

impl Figures {
    /// How many there are.
    pub(super) const N: usize = 4;

    /// Those that differ, with their names.
    pub(super) fn different(&self) -> impl Iterator<Item = (&'static str, &[u32])> {
        let all = [
            ("least value", &self.least),
            ("middle value", &self.middle),
            ("greatest value", &self.greatest),
            ("mean value", &self.mean),
        ];
        let n = if self.alike { 1 } else { Figures::N };
        all.into_iter().take(n).map(|(name, figure)| (name, figure.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn figures_of_groups() {
        // A suppressed row is in no group.
        let groups = Numbered::new(&[2, 1, 2, NULL_INTEGER, 1, 2]);
        let of = groups.figures(&[5, 9, 3, 0, 8, 10]);
        assert_eq!((of.least.as_slice(), of.middle.as_slice()), (&[8, 3][..], &[8, 5][..]));
        assert_eq!((of.greatest.as_slice(), of.mean.as_slice()), (&[9, 10][..], &[8, 6][..]));
        assert_eq!((groups.sizes(), of.different().count()), (vec![2, 3], 4));
        assert_eq!(
            groups.figures(&[3, 9, 3, 0, 9, 3]).different().map(|of| of.1.to_vec()).collect::<Vec<_>>(),
            [[9, 3]]
        );
        for none in [&[][..], &[NULL_INTEGER; 3]] {
            let groups = Numbered::new(none);
            assert!(groups.sizes().is_empty() && groups.figures(&[1, 2, 3]).least.is_empty());
        }
    }

    proptest! {
        /// Numbers without gaps and any others are arranged as sorting arranges them.
        #[test]
        fn rows_are_arranged_by_number(
            numbers in prop::collection::vec(prop_oneof![0u32..6, 0u32..40, Just(NULL_INTEGER), Just(4_000_000_000)], 0..30),
        ) {
            let ranks: Vec<u32> = (0..numbers.len() as u32).map(|row| row * 7 % 11).collect();
            let mut pairs: Vec<(u32, u32)> =
                numbers.iter().copied().zip(0..).filter(|pair| pair.0 != NULL_INTEGER).collect();
            pairs.sort_unstable();
            let arranged = Numbered::new(&numbers);
            let expected: Vec<u32> = pairs.iter().map(|pair| ranks[pair.1 as usize]).collect();
            prop_assert_eq!(arranged.ranks(&ranks), expected);
            let sizes: Vec<u32> = pairs.chunk_by(|a, b| a.0 == b.0).map(|group| group.len() as u32).collect();
            prop_assert_eq!(arranged.sizes(), sizes);
            let least: Vec<u32> = pairs
                .chunk_by(|a, b| a.0 == b.0)
                .map(|group| group.iter().map(|pair| ranks[pair.1 as usize]).min().unwrap())
                .collect();
            prop_assert_eq!(arranged.figures(&ranks).least, least);
        }
    }
}
