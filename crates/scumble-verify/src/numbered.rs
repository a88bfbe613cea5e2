//! Rows arranged by the number that each of them carries: tuple by tuple, or group by group.

use rayon::prelude::*;
use scumble_io::NULL_INTEGER;

/// Rows by rising number. Suppressed rows have no number.
pub(super) struct RowsByNumber {
    /// Where the rows of each number that occurs begin, and where the last ones end.
    begin: Vec<u32>,
    rows: Vec<u32>,
}

/// Groups that one thread looks at before it takes more.
const AT_ONCE: usize = 1 << 12;

impl RowsByNumber {
    /// The rows that have these numbers.
    pub(super) fn new(numbers: &[u32]) -> RowsByNumber {
        RowsByNumber::by(numbers.len(), |row| numbers[row], |row| row as u32)
    }

    /// Rows by the number of each; `what` says what each of them shows.
    pub(super) fn by(n: usize, number: impl Fn(usize) -> u32, what: impl Fn(usize) -> u32) -> RowsByNumber {
        let numbered = || (0..n).map(|row| (row, number(row))).filter(|pair| pair.1 != NULL_INTEGER);
        let Some(greatest) = numbered().map(|pair| pair.1).max() else {
            return RowsByNumber { begin: vec![0], rows: Vec::new() };
        };
        // Numbers of a release of ours have no gaps; those of others may be any, and are counted if that is affordable.
        if greatest as usize > 4 * n {
            return RowsByNumber::sorted(numbered().map(|(row, number)| (number, what(row))).collect());
        }
        let mut next = vec![0u32; greatest as usize + 2];
        numbered().for_each(|(_, number)| next[number as usize + 1] += 1);
        for at in 1..next.len() {
            next[at] += next[at - 1];
        }
        let mut begin = next.clone();
        begin.dedup();
        let mut rows = vec![0; begin[begin.len() - 1] as usize];
        for (row, number) in numbered() {
            let place = &mut next[number as usize];
            rows[*place as usize] = what(row);
            *place += 1;
        }
        RowsByNumber { begin, rows }
    }

    fn sorted(mut pairs: Vec<(u32, u32)>) -> RowsByNumber {
        pairs.sort_unstable();
        let ends = pairs.chunk_by(|a, b| a.0 == b.0).scan(0, |end, group| {
            *end += group.len() as u32;
            Some(*end)
        });
        RowsByNumber {
            begin: std::iter::once(0).chain(ends).collect(),
            rows: pairs.iter().map(|pair| pair.1).collect(),
        }
    }

    /// What the rows rank by, in the order of their numbers.
    pub(super) fn ranks(&self, ranks: &[u32]) -> Vec<u32> {
        self.rows.iter().map(|&row| ranks[row as usize]).collect()
    }

    /// The size of each group.
    pub(super) fn sizes(&self) -> Vec<u32> {
        self.begin.windows(2).map(|ends| ends[1] - ends[0]).collect()
    }

    /// What the rows of each group rank by, as one number for each group. Rows without a rank are left out, and so are groups
    /// that have only such rows.
    pub(super) fn figures(&self, rank: impl Fn(u32) -> Option<u32> + Sync) -> Figures {
        let groups = self.begin.len() - 1;
        let parts: Vec<Figures> = (0..groups.div_ceil(AT_ONCE))
            .into_par_iter()
            .map(|part| {
                let ends = &self.begin[part * AT_ONCE..=((part + 1) * AT_ONCE).min(groups)];
                let (mut of, mut own) = (Figures::default(), Vec::new());
                for ends in ends.windows(2) {
                    own.clear();
                    own.extend(self.rows[ends[0] as usize..ends[1] as usize].iter().filter_map(|&row| rank(row)));
                    of.add(&mut own);
                }
                of
            })
            .collect();
        let mut of = Figures::default();
        parts.iter().for_each(|part| of.append(part));
        of
    }
}

/// One number for each group, by rising number of the group.
#[derive(Default)]
pub(super) struct Figures {
    least: Vec<u32>,
    middle: Vec<u32>,
    greatest: Vec<u32>,
    mean: Vec<u32>,
    /// True if ranks differ inside a group; otherwise all figures are the same, and only the least ones are kept.
    differ: bool,
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
        let n = if self.differ { Figures::N } else { 1 };
        all.into_iter().take(n).map(|(name, figure)| (name, figure.as_slice()))
    }

    /// One more group, whose rows have these ranks.
    fn add(&mut self, ranks: &mut [u32]) {
        let Some((&first, rest)) = ranks.split_first() else { return };
        if rest.iter().all(|&rank| rank == first) {
            self.least.push(first);
            if self.differ {
                [&mut self.middle, &mut self.greatest, &mut self.mean].into_iter().for_each(|of| of.push(first));
            }
            return;
        }
        self.tell_apart();
        self.mean.push((ranks.iter().map(|&rank| u64::from(rank)).sum::<u64>() / ranks.len() as u64) as u32);
        let half = (ranks.len() - 1) / 2;
        let (below, &mut middle, above) = ranks.select_nth_unstable(half);
        self.middle.push(middle);
        self.least.push(below.iter().copied().min().unwrap_or(middle));
        self.greatest.push(above.iter().copied().max().unwrap_or(middle));
    }

    fn append(&mut self, more: &Figures) {
        if more.differ {
            self.tell_apart();
        }
        self.least.extend(&more.least);
        if self.differ {
            let of = |own: &'_ [u32]| if more.differ { own.to_vec() } else { more.least.clone() };
            self.middle.extend(of(&more.middle));
            self.greatest.extend(of(&more.greatest));
            self.mean.extend(of(&more.mean));
        }
    }

    /// From now on all figures are kept.
    fn tell_apart(&mut self) {
        if !self.differ {
            self.differ = true;
            [&mut self.middle, &mut self.greatest, &mut self.mean]
                .into_iter()
                .for_each(|of| of.clone_from(&self.least));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn figures(numbers: &[u32], ranks: &[u32]) -> Vec<Vec<u32>> {
        let of = RowsByNumber::new(numbers).figures(|row| Some(ranks[row as usize]));
        of.different().map(|(_, figure)| figure.to_vec()).collect()
    }

    #[test]
    fn figures_of_groups() {
        // A suppressed row is in no group.
        let numbers = [2, 1, 2, NULL_INTEGER, 1, 2];
        assert_eq!(figures(&numbers, &[5, 9, 3, 0, 8, 10]), [[8, 3], [8, 5], [9, 10], [8, 6]]);
        assert_eq!(figures(&numbers, &[5, 9, 3, 0, 9, 10]), [[9, 3], [9, 5], [9, 10], [9, 6]]);
        assert_eq!(figures(&numbers, &[3, 9, 3, 0, 8, 3]), [[8, 3], [8, 3], [9, 3], [8, 3]]);
        assert_eq!(figures(&numbers, &[3, 9, 3, 0, 9, 3]), [[9, 3]]);
        assert_eq!(RowsByNumber::new(&numbers).sizes(), [2, 3]);
        // Rows without a rank, and a group of nothing else.
        let of = RowsByNumber::new(&numbers).figures(|row| (row == 2).then_some(7));
        assert_eq!(of.different().map(|(_, figure)| figure.to_vec()).collect::<Vec<_>>(), [[7]]);
        for none in [&[][..], &[NULL_INTEGER; 3]] {
            assert!(RowsByNumber::new(none).sizes().is_empty() && figures(none, &[1, 2, 3]) == [Vec::<u32>::new()]);
        }
    }

    #[test]
    fn figures_of_many_groups() {
        let n = 3 * AT_ONCE as u32 + 5;
        let numbers: Vec<u32> = (0..2 * n).map(|row| row / 2).collect();
        // Ranks differ in one group only, in the second part.
        let odd = AT_ONCE as u32 + 3;
        let ranks: Vec<u32> = (0..2 * n).map(|row| if row == 2 * odd { 0 } else { row / 2 }).collect();
        let of = figures(&numbers, &ranks);
        assert_eq!((of.len(), of[0][odd as usize], of[2][odd as usize]), (4, 0, odd));
        assert!(of.iter().all(|figure| (0..n).all(|group| group == odd || figure[group as usize] == group)));
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
            let arranged = RowsByNumber::new(&numbers);
            let expected: Vec<u32> = pairs.iter().map(|pair| ranks[pair.1 as usize]).collect();
            prop_assert_eq!(arranged.ranks(&ranks), expected);
            let sizes: Vec<u32> = pairs.chunk_by(|a, b| a.0 == b.0).map(|group| group.len() as u32).collect();
            prop_assert_eq!(arranged.sizes(), sizes);
            let least: Vec<u32> = pairs
                .chunk_by(|a, b| a.0 == b.0)
                .map(|group| group.iter().map(|pair| ranks[pair.1 as usize]).min().unwrap())
                .collect();
            prop_assert_eq!(arranged.figures(|row| Some(ranks[row as usize])).least, least);
        }
    }
}
