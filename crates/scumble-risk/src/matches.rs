//! How many records an attacker is left with: the one figure that every risk follows from.

/// For each number of matching records, how many classes and how many people have that number.
///
/// In a table the people are its records: a class of `k` records is matched by all `k` of them. Where the boxes of a
/// release are compared with people, a person may match any number of rows, or none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matches {
    lines: Vec<Matched>,
}

/// Those who match one number of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matched {
    /// Records that match; 0 where a person is not in the release.
    pub k: u64,
    /// Different known values among these people.
    pub classes: u64,
    /// People; none where all with these known values have others that leave fewer candidates.
    pub records: u64,
}

impl Matches {
    /// From classes of people, each with the number of records that match and the number of people.
    pub fn from_classes(classes: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut all: Vec<(u64, u64)> = classes.into_iter().collect();
        all.sort_unstable();
        let lines = all.chunk_by(|a, b| a.0 == b.0).map(|run| Matched {
            k: run[0].0,
            classes: run.len() as u64,
            records: run.iter().map(|class| class.1).sum(),
        });
        Matches { lines: lines.collect() }
    }

    /// From people, each with the fewest candidates that any of their known values leave, and from the candidates of all
    /// different known values. Somebody with several rows is one person, and may have several known values.
    pub fn from_people(classes: impl IntoIterator<Item = u64>, people: impl IntoIterator<Item = u64>) -> Self {
        let mut all: Vec<(u64, u64, u64)> = classes.into_iter().map(|k| (k, 1, 0)).collect();
        all.extend(people.into_iter().map(|k| (k, 0, 1)));
        all.sort_unstable();
        let lines = all.chunk_by(|a, b| a.0 == b.0).map(|run| Matched {
            k: run[0].0,
            classes: run.iter().map(|one| one.1).sum(),
            records: run.iter().map(|one| one.2).sum(),
        });
        Matches { lines: lines.collect() }
    }

    /// By rising number of matching records.
    pub fn lines(&self) -> &[Matched] {
        &self.lines
    }

    /// Those who match anything.
    pub fn found(&self) -> impl Iterator<Item = &Matched> + Clone {
        self.lines.iter().filter(|line| line.k > 0)
    }

    /// All people.
    pub fn records(&self) -> u64 {
        self.lines.iter().map(|line| line.records).sum()
    }

    /// Classes that match anything.
    pub fn classes(&self) -> u64 {
        self.found().map(|line| line.classes).sum()
    }

    /// People who match only one record.
    pub fn unique(&self) -> u64 {
        self.found().find(|line| line.k == 1).map_or(0, |line| line.records)
    }

    /// The expected share of people that an attacker names rightly who takes one matching record for each.
    pub fn marketer(&self) -> f64 {
        // In a table every class adds exactly 1, so whole numbers are kept apart from what is left over.
        let whole: u64 = self.found().map(|line| line.records / line.k).sum();
        let rest: f64 = self.found().map(|line| (line.records % line.k) as f64 / line.k as f64).sum();
        share_of(whole as f64 + rest, self.records())
    }
}

/// The share that `part` is of `whole`; 0 where `whole` is 0.
pub(super) fn share_of(part: f64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}

/// Counts classes of a table by their size, many small ones quickly.
pub(super) struct SizeCounts {
    small: [u64; SMALL],
    large: Vec<u32>,
}

/// Sizes below this have a counter each; there cannot be many classes of others.
const SMALL: usize = 256;

impl Default for SizeCounts {
    fn default() -> Self {
        SizeCounts { small: [0; SMALL], large: Vec::new() }
    }
}

impl SizeCounts {
    /// One class of this size; 0 is no class.
    #[inline]
    pub(super) fn add(&mut self, size: u32) {
        match self.small.get_mut(size as usize) {
            Some(count) => *count += 1,
            None => self.large.push(size),
        }
    }

    /// `n` classes of one record each.
    pub(super) fn add_unique(&mut self, n: u64) {
        self.small[1] += n;
    }

    pub(super) fn finish(mut self) -> Matches {
        self.large.sort_unstable();
        let small = (1u64..).zip(&self.small[1..]).filter(|(_, classes)| **classes > 0);
        let small = small.map(|(k, &classes)| Matched { k, classes, records: k * classes });
        let large = self.large.chunk_by(|a, b| a == b).map(|run| {
            let (k, classes) = (u64::from(run[0]), run.len() as u64);
            Matched { k, classes, records: k * classes }
        });
        Matches { lines: small.chain(large).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_the_list_of_its_classes() {
        let sizes = [1u32, 1, 3, 255, 256, 300, 256, 1];
        let mut tally = SizeCounts::default();
        sizes.into_iter().chain([0]).for_each(|size| tally.add(size));
        tally.add_unique(2);
        let all = sizes.into_iter().chain([1, 1]).map(|size| (u64::from(size), u64::from(size)));
        let matches = Matches::from_classes(all);
        assert_eq!(tally.finish(), matches);
        assert_eq!((matches.records(), matches.classes(), matches.unique()), (1075, 10, 5));
        assert_eq!(matches.marketer(), 10.0 / 1075.0);
        assert_eq!(SizeCounts::default().finish(), Matches::default());
    }

    #[test]
    fn people_who_match_nothing_count_as_people_only() {
        let matches = Matches::from_classes([(0, 4), (3, 2), (1, 1), (3, 3)]);
        assert_eq!((matches.records(), matches.classes(), matches.unique()), (10, 3, 1));
        assert!((matches.marketer() - (5.0 / 3.0 + 1.0) / 10.0).abs() < 1e-15);
        assert_eq!(Matches::default().marketer(), 0.0);
    }
}
