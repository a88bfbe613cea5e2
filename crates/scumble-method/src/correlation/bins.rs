//! Few bins for many values, so that a table of two attributes has rows enough in every field.

use scumble_table::{Code, Domain, NULL};

/// Bins of the focused attribute.
pub(crate) const FOCUSED_BINS: usize = 20;

/// Bins of an attribute that is given; one with at most this many values is taken as it is.
pub(crate) const GIVEN_BINS: usize = 10;

/// What a bin holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// These values; code 0 is the missing one.
    Codes(Vec<Code>),
    /// All values of an ordered attribute from one to another, both included; an end that is not given is open.
    Range {
        /// The least value.
        from: Option<Code>,
        /// The greatest value.
        to: Option<Code>,
    },
}

impl Part {
    /// True if the value is in the bin. A missing value is in no range.
    pub fn holds(&self, code: Code) -> bool {
        match self {
            Part::Codes(codes) => codes.contains(&code),
            Part::Range { from, to } => {
                code != NULL && from.is_none_or(|from| from <= code) && to.is_none_or(|to| code <= to)
            }
        }
    }

    /// True for the bin of missing values.
    pub(crate) fn is_missing(&self) -> bool {
        *self == Part::Codes(vec![NULL])
    }
}

/// A bin for every code that occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bins {
    /// Bin of each code; of no meaning for one that does not occur.
    bin_of: Vec<u8>,
    parts: Vec<Part>,
}

impl Bins {
    /// About `most` bins of equally many rows along the order of the values: a value goes where the middle of its rows
    /// lies, so the bins are the same when the order is turned round. A missing value has a bin of its own, the last.
    pub(crate) fn equal_frequency(histogram: &[u64], most: usize) -> Self {
        let rows: u64 = histogram[1..].iter().sum();
        let mut bins = Bins { bin_of: vec![0; histogram.len()], parts: Vec::new() };
        let (mut before, mut open) = (0, usize::MAX);
        for (code, &count) in histogram.iter().enumerate().skip(1).filter(|(_, count)| **count > 0) {
            let middle = 2 * u128::from(before) + u128::from(count);
            let bin = (middle * most as u128 / (2 * u128::from(rows))) as usize;
            before += count;
            let code = code as Code;
            if bin != open {
                // Ranges leave no gap: a value that occurs elsewhere only belongs to the bin above it.
                let from = bins.parts.last().and_then(|part| match part {
                    Part::Range { to, .. } => to.map(|to| to + 1),
                    Part::Codes(_) => None,
                });
                bins.parts.push(Part::Range { from, to: None });
                open = bin;
            }
            if let Some(Part::Range { to, .. }) = bins.parts.last_mut() {
                *to = Some(code);
            }
            bins.bin_of[code as usize] = bins.parts.len() as u8 - 1;
        }
        if let Some(Part::Range { to, .. }) = bins.parts.last_mut() {
            *to = None;
        }
        bins.add_missing(histogram);
        bins
    }

    /// The values as they are if there are at most [`GIVEN_BINS`] of them, else bins: of equally many rows along the
    /// order, and where there is no order the most frequent labels each by itself with all others together.
    pub(crate) fn given(domain: &Domain, histogram: &[u64]) -> Self {
        let mut codes: Vec<Code> = domain.codes().filter(|&code| histogram[code as usize] > 0).collect();
        if codes.len() > GIVEN_BINS && domain.kind().is_ordered() {
            return Bins::equal_frequency(histogram, GIVEN_BINS);
        }
        let mut rest = Vec::new();
        if codes.len() > GIVEN_BINS {
            codes.sort_by_key(|&code| (std::cmp::Reverse(histogram[code as usize]), code));
            rest = codes.split_off(GIVEN_BINS - 1);
            rest.sort_unstable();
            codes.sort_unstable();
        }
        let groups = codes.into_iter().map(|code| vec![code]).chain(Some(rest).filter(|rest| !rest.is_empty()));
        let mut bins = Bins { bin_of: vec![0; histogram.len()], parts: Vec::new() };
        for group in groups {
            for &code in &group {
                bins.bin_of[code as usize] = bins.parts.len() as u8;
            }
            bins.parts.push(Part::Codes(group));
        }
        bins.add_missing(histogram);
        bins
    }

    fn add_missing(&mut self, histogram: &[u64]) {
        if histogram[NULL as usize] > 0 {
            self.bin_of[NULL as usize] = self.parts.len() as u8;
            self.parts.push(Part::Codes(vec![NULL]));
        }
    }

    /// How many bins there are; each has a row.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The bin of each code.
    pub(crate) fn bin_of(&self) -> &[u8] {
        &self.bin_of
    }

    /// What each bin holds.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: Option<Code>, to: Option<Code>) -> Part {
        Part::Range { from, to }
    }

    #[test]
    fn equal_values_stay_together_and_ends_are_open() {
        let bins = Bins::equal_frequency(&[0, 5, 5, 5, 5], 2);
        assert_eq!(bins.parts(), [range(None, Some(2)), range(Some(3), None)]);
        assert_eq!(bins.bin_of(), [0, 0, 0, 1, 1]);
        // Code 3 does not occur: it would belong to the bin above.
        let bins = Bins::equal_frequency(&[2, 5, 5, 0, 9, 1], 2);
        assert_eq!(bins.parts(), [range(None, Some(2)), range(Some(3), None), Part::Codes(vec![NULL])]);
        assert!(bins.parts()[1].holds(3) && !bins.parts()[1].holds(NULL) && bins.parts()[2].is_missing());
        let one = Bins::equal_frequency(&[0, 100], 20);
        assert_eq!((one.len(), one.parts()), (1, &[range(None, None)][..]));
        assert_eq!(Bins::equal_frequency(&[3, 0], 20).parts(), [Part::Codes(vec![NULL])]);
        assert_eq!(Bins::equal_frequency(&[0], 20).len(), 0);
    }

    #[test]
    fn bins_hold_about_equally_many() {
        let histogram: Vec<u64> = std::iter::once(0).chain((0..1000).map(|i| 1 + i % 7)).collect();
        let bins = Bins::equal_frequency(&histogram, 20);
        let mut rows = vec![0; bins.len()];
        for code in 1..histogram.len() {
            rows[bins.bin_of()[code] as usize] += histogram[code];
        }
        let mean = rows.iter().sum::<u64>() / 20;
        assert_eq!(rows.len(), 20);
        assert!(rows.iter().all(|&n| n.abs_diff(mean) <= 7), "{rows:?}");
    }

    #[test]
    fn few_values_stay_as_they_are_and_rare_labels_are_taken_together() {
        let labels = |n: u32| Domain::nominal((0..n).map(|i| format!("{i:02}").into()).collect());
        let bins = Bins::given(&labels(3), &[1, 4, 0, 4]);
        assert_eq!(bins.parts(), [Part::Codes(vec![1]), Part::Codes(vec![3]), Part::Codes(vec![NULL])]);
        let histogram: Vec<u64> = std::iter::once(0).chain((0..12).map(|i| 20 - i)).collect();
        let bins = Bins::given(&labels(12), &histogram);
        assert_eq!((bins.len(), &bins.parts()[9]), (10, &Part::Codes(vec![10, 11, 12])));
        let ordinal = Domain::ordinal((0..12).map(|i| format!("{i:02}").into()).collect());
        assert!(matches!(Bins::given(&ordinal, &histogram).parts()[0], Part::Range { .. }));
    }
}
