//! Small sets of columns: how many people each tells apart from all others.
//!
//! **Which are looked at.** Pairs and triples of the columns that could be quasi-identifying. A column that tells most people apart by
//! itself is kept out and named: whatever stands beside it, a set with it tells at least as many.
//!
//! **Which are listed.** The twelve that tell most people apart. A set is left out where a part of it tells nearly as many, at
//! least ninety-nine in a hundred: so no set is listed that holds one that tells everybody apart.
//!
//! **How they are found.** A set tells no more people apart than its columns have combinations of values. Sets are taken by this
//! bound, and those that cannot come among the twelve are not counted. Where a table is so large that not all others can be counted either,
//! triples that hold a telling pair are counted first.

use super::ColumnProfile;
use super::alone::{Alone, Coded, Counting};
use super::unfit::coded;
use crate::job::ColumnRole;
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_table::{Monitor, Persons, Result, Stage};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rows visited in all before the search of larger sets is narrowed: about two seconds of work.
const BUDGET: usize = 600_000_000;

/// Sets looked at, whatever the rows: more would fill the memory where a small table has a thousand columns.
const MOST_SETS: usize = 1_000_000;

/// Sets shown, the most telling first.
const SHOWN: usize = 12;

/// Sets that are counted between two looks at which others could still be listed, and rows that this should be worth.
const ROUND: std::ops::RangeInclusive<usize> = 64..=1 << 14;
const ROUND_ROWS: usize = 1 << 22;

/// A set of columns and how far it singles people out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetProfile {
    /// The columns.
    pub columns: Vec<String>,
    /// Rows whose combination of values occurs once.
    pub unique_rows: u64,
    /// People who have a combination of values that nobody else has, where it is known whose rows are whose and somebody has
    /// several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique_people: Option<u64>,
    /// Distinct combinations.
    pub classes: u64,
}

/// What was found of the sets of columns of a table.
pub(super) struct Sets {
    /// The most telling first.
    pub(super) listed: Vec<SetProfile>,
    /// How many were counted.
    pub(super) examined: usize,
    /// Columns that tell most people apart by themselves.
    pub(super) near_unique: Vec<String>,
}

/// Looks at pairs and triples of the columns that could be quasi-identifying. Where people have several rows, those sets are most
/// telling that most people are alone in.
pub(super) fn profile(
    raw: &RawTable,
    columns: &[ColumnProfile],
    persons: Option<&Persons>,
    monitor: Monitor<'_>,
) -> Result<Sets> {
    let quasi = columns.iter().filter(|column| column.proposal == ColumnRole::Quasi);
    let (names, candidates): (Vec<&str>, Vec<Coded<'_>>) =
        quasi.filter_map(|column| Some((column.name.as_str(), coded(raw, &column.name)?))).unzip();
    let counting = Counting { columns: &candidates, n_rows: raw.n_rows, persons, monitor };
    // To count people rows are visited two times more.
    let visits = if persons.is_some() { 3 * raw.n_rows } else { raw.n_rows };
    let found = search(&counting, (BUDGET / visits.max(1)).clamp(1, MOST_SETS))?;
    let named = |set: &[usize]| set.iter().map(|&at| names[at].to_string()).collect();
    let listed = found.listed.iter().map(|(set, alone)| SetProfile {
        columns: named(set),
        unique_rows: alone.rows,
        unique_people: alone.people,
        classes: alone.classes,
    });
    Ok(Sets { listed: listed.collect(), examined: found.examined, near_unique: named(&found.near_unique) })
}

/// The same by positions of columns.
struct Found {
    listed: Vec<(Vec<usize>, Alone)>,
    examined: usize,
    near_unique: Vec<usize>,
}

/// Finds the sets to list. At most `most` sets are counted, beyond those that are needed to judge another.
fn search(counting: &Counting<'_>, most: usize) -> Result<Found> {
    let all: Vec<usize> = (0..counting.columns.len()).collect();
    // By one column nobody is counted twice, and that is quick: it is no part of what takes its time.
    let quiet = Counting { monitor: counting.monitor.without_progress(), ..*counting };
    let alone = all.par_iter().map(|&at| Ok(quiet.extended(&[], &[at])?[0])).collect::<Result<Vec<Alone>>>()?;
    let everybody = counting.everybody();
    let (near_unique, wide): (Vec<usize>, Vec<usize>) =
        all.into_iter().partition(|&at| alone[at].told() * 2 > everybody);
    let n = wide.len();
    let n_pairs = n * n.saturating_sub(1) / 2;
    let total = most.min(n_pairs + n_pairs * n.saturating_sub(2) / 3);
    counting.monitor.begin(Stage::Compare, Some((total * counting.n_rows) as u64))?;
    let mut search =
        Search { counting, alone, everybody, most, pairs: HashMap::new(), listed: Vec::new(), examined: 0 };
    search.count_pairs(&wide)?;
    search.count_triples(&wide)?;
    // What was not counted because it could not be listed is done too.
    counting.monitor.advance((total.saturating_sub(search.examined) * counting.n_rows) as u64);
    Ok(Found { listed: search.listed, examined: search.examined, near_unique })
}

struct Search<'a> {
    counting: &'a Counting<'a>,
    /// Who is alone by each column.
    alone: Vec<Alone>,
    everybody: u64,
    most: usize,
    pairs: HashMap<(usize, usize), Alone>,
    /// The most telling first.
    listed: Vec<(Vec<usize>, Alone)>,
    examined: usize,
}

impl Search<'_> {
    fn count_pairs(&mut self, columns: &[usize]) -> Result<()> {
        let mut pairs: Vec<(u64, usize, usize)> = Vec::new();
        for (at, &a) in columns.iter().enumerate() {
            pairs.extend(columns[at + 1..].iter().map(|&b| (self.bound(&[a, b]), a, b)));
        }
        pairs.sort_unstable_by(|one, other| other.0.cmp(&one.0).then_with(|| one.cmp(other)));
        for round in pairs.chunks(self.round()) {
            let room = self.most.saturating_sub(self.examined);
            let mut by_base: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for &(_, a, b) in round.iter().filter(|pair| self.could_be_listed(pair.0)).take(room) {
                // Most pairs that are counted have a column of many values: its classes are shared.
                let wider = self.counting.columns[b].1 > self.counting.columns[a].1;
                let (base, last) = if wider { (b, a) } else { (a, b) };
                by_base.entry(base).or_default().push(last);
            }
            if by_base.is_empty() {
                break;
            }
            self.count(by_base.into_iter().map(|(base, more)| (vec![base], more)).collect())?;
        }
        Ok(())
    }

    /// Triples that hold the most telling pairs come first.
    fn count_triples(&mut self, columns: &[usize]) -> Result<()> {
        let mut pairs: Vec<(u64, [usize; 2])> = Vec::new();
        for (at, &a) in columns.iter().enumerate() {
            for &b in &columns[at + 1..] {
                let told = self.pairs.get(&(a, b)).map_or(0, |alone| alone.told());
                pairs.push((told, [a, b]));
            }
        }
        pairs.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        let widest = columns.iter().map(|&at| self.counting.columns[at].1 as u64).max().unwrap_or(0);
        let mut met: BTreeSet<[usize; 3]> = BTreeSet::new();
        let mut round: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        let mut in_round = 0;
        for (_, pair) in pairs {
            let room = self.most.saturating_sub(self.examined + in_round);
            if room == 0 {
                break;
            }
            if self.tells_all(&pair) || !self.could_be_listed(self.combinations(&pair).saturating_mul(widest)) {
                continue;
            }
            let mut more = Vec::new();
            for &next in columns.iter().filter(|next| !pair.contains(next)) {
                let mut triple = [pair[0], pair[1], next];
                triple.sort_unstable();
                let could = self.could_be_listed(self.combinations(&pair).saturating_mul(self.n_codes(next)));
                if more.len() < room && could && !self.holds_one_that_tells_all(triple) && met.insert(triple) {
                    more.push(next);
                }
            }
            in_round += more.len();
            if !more.is_empty() {
                round.push((pair.to_vec(), more));
            }
            if in_round >= self.round() {
                self.count(std::mem::take(&mut round))?;
                in_round = 0;
            }
        }
        self.count(round)
    }

    fn round(&self) -> usize {
        (ROUND_ROWS / self.counting.n_rows.max(1)).clamp(*ROUND.start(), *ROUND.end())
    }

    /// Counts sets, each some columns and one more.
    fn count(&mut self, sets: Vec<(Vec<usize>, Vec<usize>)>) -> Result<()> {
        let counted = sets.par_iter().map(|(base, more)| self.counting.extended(base, more));
        let counted: Vec<Vec<Alone>> = counted.collect::<Result<_>>()?;
        let mut found = Vec::new();
        for ((base, more), alone) in sets.iter().zip(counted) {
            for (&last, alone) in more.iter().zip(alone) {
                let mut set = [base.as_slice(), &[last]].concat();
                set.sort_unstable();
                if let [a, b] = *set {
                    self.pairs.insert((a, b), alone);
                }
                found.push((set, alone));
            }
        }
        self.examined += found.len();
        found.into_iter().try_for_each(|(set, alone)| self.list(set, alone))
    }

    /// Puts a set into the list where it belongs there.
    fn list(&mut self, set: Vec<usize>, alone: Alone) -> Result<()> {
        if !self.could_be_listed(alone.told()) || set.iter().any(|&at| tells_nearly_as_many(self.alone[at], alone)) {
            return Ok(());
        }
        if let [a, b, c] = *set {
            for pair in [(a, b), (a, c), (b, c)] {
                if tells_nearly_as_many(self.pair(pair, alone)?, alone) {
                    return Ok(());
                }
            }
        }
        let rank = |(set, alone): &(Vec<usize>, Alone)| {
            use std::cmp::Reverse;
            (Reverse(alone.told()), set.len(), Reverse(alone.rows), Reverse(alone.classes), set.clone())
        };
        self.listed.push((set, alone));
        self.listed.sort_by_cached_key(rank);
        self.listed.truncate(SHOWN);
        Ok(())
    }

    /// A pair, counted now if it was not and could tell nearly as many as a set that holds it.
    fn pair(&mut self, (a, b): (usize, usize), set: Alone) -> Result<Alone> {
        if let Some(known) = self.pairs.get(&(a, b)) {
            return Ok(*known);
        }
        let bound = self.bound(&[a, b]);
        let most = Alone { rows: bound, people: set.people.map(|_| bound), classes: bound };
        if !tells_nearly_as_many(most, set) {
            return Ok(most);
        }
        let counting = Counting { monitor: self.counting.monitor.without_progress(), ..*self.counting };
        let alone = counting.extended(&[a], &[b])?[0];
        self.examined += 1;
        self.pairs.insert((a, b), alone);
        Ok(alone)
    }

    fn n_codes(&self, column: usize) -> u64 {
        self.counting.columns[column].1 as u64
    }

    /// How many people a set could tell apart by the number of its values.
    fn bound(&self, set: &[usize]) -> u64 {
        set.iter().fold(1u64, |product, &at| product.saturating_mul(self.n_codes(at))).min(self.everybody)
    }

    /// The combinations of a pair, or how many there could be.
    fn combinations(&self, pair: &[usize; 2]) -> u64 {
        match self.pairs.get(&(pair[0], pair[1])) {
            Some(alone) => alone.classes,
            None => self.n_codes(pair[0]).saturating_mul(self.n_codes(pair[1])),
        }
    }

    fn could_be_listed(&self, told: u64) -> bool {
        told > 0 && (self.listed.len() < SHOWN || self.listed.last().is_none_or(|(_, last)| told >= last.told()))
    }

    /// True if a pair tells nearly everybody apart, so that no larger set with it is listed.
    fn tells_all(&self, pair: &[usize; 2]) -> bool {
        let all = Alone { rows: self.everybody, people: Some(self.everybody), classes: self.everybody };
        self.pairs.get(&(pair[0], pair[1])).is_some_and(|alone| tells_nearly_as_many(*alone, all))
    }

    fn holds_one_that_tells_all(&self, [a, b, c]: [usize; 3]) -> bool {
        [[a, b], [a, c], [b, c]].iter().any(|pair| self.tells_all(pair))
    }
}

/// True if the part of a set tells ninety-nine in a hundred of those apart that the set does.
fn tells_nearly_as_many(part: Alone, set: Alone) -> bool {
    part.told() * 100 >= set.told() * 99
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use scumble_table::{Cancellation, Codes, Error, Progress};

    const WIDTH: usize = 6;

    /// Columns with rows alone, people alone and combinations, as the test counts them.
    type DefinedSet = (Vec<usize>, u64, u64, u64);

    /// Everything by its definition: all pairs and triples, counted with a map of tuples.
    fn defined(rows: &[[u32; WIDTH]], people: Option<&[u32]>) -> (Vec<DefinedSet>, Vec<usize>) {
        let person = |row: usize| people.map_or(row as u32, |people| people[row]);
        let everybody = (0..rows.len()).map(person).collect::<BTreeSet<_>>().len() as u64;
        let count = |set: &[usize]| {
            let mut who: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
            for (at, row) in rows.iter().enumerate() {
                who.entry(set.iter().map(|&column| row[column]).collect()).or_default().push(at);
            }
            let unique = who.values().filter(|rows| rows.len() == 1).count() as u64;
            let owners = who.values().map(|rows| rows.iter().map(|&row| person(row)).collect::<BTreeSet<_>>());
            let told: BTreeSet<u32> = owners.filter(|owners| owners.len() == 1).flatten().collect();
            (told.len() as u64, unique, who.len() as u64)
        };
        let near_unique: Vec<usize> = (0..WIDTH).filter(|&at| count(&[at]).0 * 2 > everybody).collect();
        let mut sets = Vec::new();
        for mask in 1u32..1 << WIDTH {
            let set: Vec<usize> = (0..WIDTH).filter(|at| mask >> at & 1 == 1).collect();
            if !(2..=3).contains(&set.len()) || set.iter().any(|at| near_unique.contains(at)) {
                continue;
            }
            let (told, unique, classes) = count(&set);
            let parts = (1..(1u32 << set.len()) - 1).map(|part| {
                let part: Vec<usize> =
                    set.iter().enumerate().filter(|(at, _)| part >> at & 1 == 1).map(|(_, &column)| column).collect();
                count(&part).0
            });
            if parts.into_iter().all(|part| part * 100 < told * 99) {
                sets.push((set, told, unique, classes));
            }
        }
        sets.sort_by_key(|(set, told, unique, classes)| {
            use std::cmp::Reverse;
            (Reverse(*told), set.len(), Reverse(*unique), Reverse(*classes), set.clone())
        });
        sets.truncate(12);
        (sets, near_unique)
    }

    fn columns(rows: &[[u32; WIDTH]]) -> Vec<Codes> {
        (0..WIDTH).map(|at| rows.iter().map(|row| row[at]).collect()).collect()
    }

    fn persons(of_rows: &[u32]) -> Persons {
        let keys: Codes = of_rows.iter().map(|person| person + 1).collect();
        Persons::from_keys(of_rows.len(), &[(&keys, 1 << 10)])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// What is listed is what the definition lists, whatever was left uncounted. Code 0 is null.
        #[test]
        fn sets_are_those_of_the_definition(
            rows in prop::collection::vec((prop::array::uniform6(0u32..9), 0u32..12), 0..60),
            narrow in prop::array::uniform6(1u32..9),
            by_person: bool,
        ) {
            let people: Vec<u32> = rows.iter().map(|row| row.1).collect();
            let rows: Vec<[u32; WIDTH]> =
                rows.iter().map(|row| std::array::from_fn(|at| row.0[at] % narrow[at])).collect();
            let codes = columns(&rows);
            let candidates: Vec<Coded<'_>> = codes.iter().zip(narrow).map(|(codes, n)| (codes, n as usize)).collect();
            let persons = by_person.then(|| persons(&people));
            let counting = Counting {
                columns: &candidates,
                n_rows: rows.len(),
                persons: persons.as_ref(),
                monitor: Monitor::silent(),
            };
            let found = search(&counting, MOST_SETS).unwrap();
            let told: Vec<_> =
                found.listed.iter().map(|(set, alone)| (set.clone(), alone.told(), alone.rows, alone.classes)).collect();
            let (sets, near_unique) = defined(&rows, by_person.then_some(&people[..]));
            prop_assert_eq!(told, sets);
            prop_assert_eq!(found.near_unique, near_unique);
            // Where not all may be counted, what is listed is right all the same.
            for most in [1, 5, 17] {
                for (set, alone) in search(&counting, most).unwrap().listed {
                    let (base, last) = set.split_at(set.len() - 1);
                    prop_assert_eq!(alone, counting.extended(base, last).unwrap()[0], "{:?}", set);
                }
            }
        }
    }

    fn numbered(n: u32, of: impl Fn(u32) -> u32) -> Codes {
        (0..n).map(of).collect()
    }

    #[test]
    fn no_set_holds_one_that_tells_everybody_apart() {
        // Two columns are the digits of the row; a third tells four in five apart, together with either of them.
        let codes = [
            numbered(400, |row| 1 + row % 20),
            numbered(400, |row| 1 + row / 20),
            numbered(400, |row| 1 + row * 7 % 40),
            numbered(400, |row| 1 + row * row % 7),
            numbered(400, |row| 1 + row),
        ];
        let candidates: Vec<Coded<'_>> = codes.iter().zip([21, 21, 41, 8, 401]).collect();
        let counting = Counting { columns: &candidates, n_rows: 400, persons: None, monitor: Monitor::silent() };
        let found = search(&counting, MOST_SETS).unwrap();
        assert_eq!(found.near_unique, [4]);
        assert_eq!((found.listed[0].0.as_slice(), found.listed[0].1.rows), (&[0, 1][..], 400));
        let whole = |set: &[usize]| found.listed.iter().any(|(all, alone)| alone.rows == 400 && all == set);
        assert!(
            found.listed.iter().skip(1).all(|(set, _)| !(set.contains(&0) && set.contains(&1))),
            "{:?}",
            found.listed
        );
        assert!(found.listed.iter().all(|(set, _)| set.len() == 2 || !whole(&set[..2]) && !whole(&set[1..])));
    }

    /// Keeps what was begun, how far it came.
    #[derive(Default)]
    struct Meter(std::sync::Mutex<(u64, u64)>);

    impl Progress for Meter {
        fn begin(&self, _: Stage, total: Option<u64>) {
            *self.0.lock().unwrap() = (total.unwrap(), 0);
        }

        fn advance(&self, amount: u64) {
            self.0.lock().unwrap().1 += amount;
        }
    }

    #[test]
    fn sets_that_cannot_be_listed_are_not_counted_and_are_done_all_the_same() {
        let wide: Vec<Codes> = (0..5).map(|at| numbered(2000, |row| row * (2 * at + 3) * row % 997 % 300)).collect();
        let narrow: Vec<Codes> = (0..20).map(|at| numbered(2000, |row| row * (at + 2) % 3)).collect();
        let candidates: Vec<Coded<'_>> =
            wide.iter().map(|codes| (codes, 300)).chain(narrow.iter().map(|codes| (codes, 3))).collect();
        let (meter, cancellation) = (Meter::default(), Cancellation::default());
        let monitor = Monitor::new(&meter, &cancellation);
        let counting = Counting { columns: &candidates, n_rows: 2000, persons: None, monitor };
        let found = search(&counting, MOST_SETS).unwrap();
        // Of three narrow columns there are 27 combinations, and 1140 such triples.
        assert!(found.examined + 1140 <= 2600, "{} of 2600", found.examined);
        let (total, done) = *meter.0.lock().unwrap();
        assert_eq!((total, done), (2600 * 2000, total));
        cancellation.cancel();
        assert!(matches!(search(&counting, MOST_SETS), Err(Error::Cancelled)));
    }
}
