//! Who a question selects, where of some people it is only likely that it does.

use super::MatchingValues;
use super::matching_values::Urn;
use super::runs::Run;
use scumble_table::{Error, Result};

/// People of groups that a question selects for certain, or each with a probability of its own.
///
/// This is what a question finds in a table of boxes beside the numbers of groups: a person whose box lies inside
/// the question is selected, one whose box it cuts is selected with the share of the box that it covers, independently of
/// all others.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    parts: Vec<Part>,
    /// Probabilities of the open people, group by group, rising inside each.
    open: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    group: u32,
    certain: u32,
    /// Where the open people of the group begin and end.
    start: usize,
    end: usize,
}

impl Selection {
    /// From people in any order: the group of each, and a probability where the person is selected only perhaps. A
    /// probability that was rounded to 0 or 1 leaves the person open.
    ///
    /// # Errors
    /// If a probability is not one.
    pub fn new(mut people: Vec<(u32, Option<f64>)>) -> Result<Self> {
        if people.iter().any(|(_, p)| p.is_some_and(|p| !(0.0..=1.0).contains(&p))) {
            return Err(Error::bug("the share of a box that a question covers is not between 0 and 1"));
        }
        // Those who are certain have no probability and come first in their group.
        let key = |p: Option<f64>| p.unwrap_or(-1.0);
        people.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(key(a.1).total_cmp(&key(b.1))));
        let mut selection = Selection::default();
        for same in people.chunk_by(|a, b| a.0 == b.0) {
            let certain = same.iter().take_while(|(_, p)| p.is_none()).count();
            let start = selection.open.len();
            // What is open has some weight, so that a question that only such people may match has an estimate.
            selection.open.extend(same[certain..].iter().filter_map(|(_, p)| p.map(|p| p.max(1e-150))));
            let end = selection.open.len();
            selection.parts.push(Part { group: same[0].0, certain: certain as u32, start, end });
        }
        Ok(selection)
    }

    /// Triples of group, and the least and the greatest number of its people that are selected.
    pub fn spans(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        self.parts.iter().map(|part| (part.group, part.certain, part.certain + (part.end - part.start) as u32))
    }

    /// The groups with the values that match.
    pub(super) fn chances<'a>(&'a self, matching: &'a MatchingValues<'_>) -> impl Iterator<Item = Chance<'a>> {
        self.parts.iter().map(|part| Chance {
            run: matching.run(part.group),
            size: matching.pool().size(part.group),
            certain: u64::from(part.certain),
            open: &self.open[part.start..part.end],
        })
    }
}

/// One group of a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chance<'a> {
    /// Its values that match.
    pub(super) run: Run<'a>,
    /// Its people.
    pub(super) size: u64,
    /// Those who are selected for certain.
    pub(super) certain: u64,
    /// Probabilities of those who may be selected.
    pub(super) open: &'a [f64],
}

impl Chance<'_> {
    /// Mean number of people selected.
    pub(super) fn hits(&self) -> f64 {
        self.certain as f64 + self.open.iter().sum::<f64>()
    }

    /// Variance of that number.
    pub(super) fn variance(&self) -> f64 {
        self.open.iter().map(|p| p * (1.0 - p)).sum()
    }

    /// Mean and variance of a sum over the people selected, of numbers of all places that have this mean and population
    /// variance. With `h` people selected, any `h` of the `N` numbers are theirs:
    ///
    /// ```text
    /// mean      E[h] m
    /// variance  E[h (N - h)] / (N - 1) s^2 + Var(h) m^2
    /// ```
    ///
    /// where `E[h (N - h)] = E[h] (N - E[h]) - Var(h)`.
    pub(super) fn sum(&self, mean: f64, variance: f64) -> (f64, f64) {
        let (hits, spread) = (self.hits(), self.variance());
        let size = self.size as f64;
        let draws = if self.size < 2 { 0.0 } else { (hits * (size - hits) - spread).max(0.0) / (size - 1.0) };
        (hits * mean, draws * variance + spread * mean * mean)
    }

    /// Selected people who must have a matching value that is not null.
    pub(super) fn least(&self) -> u64 {
        (self.certain + self.run.len()).saturating_sub(self.size)
    }

    /// Selected people who may have one.
    pub(super) fn most(&self) -> u64 {
        (self.certain + self.open.len() as u64).min(self.run.len())
    }
}

/// The places of a group that are walked one after the other.
pub(super) struct OpenUrn<'a> {
    run: Run<'a>,
    places: f64,
    /// Numbers of people selected, with weights that add up to 1 and are those that are left once no place passed
    /// so far belongs to any of them.
    hits: Vec<(f64, f64)>,
}

impl<'a> OpenUrn<'a> {
    pub(super) fn of(chance: &Chance<'a>) -> Self {
        let certain = chance.certain as f64;
        let hits = super::count_distribution::likely(chance.open)
            .into_iter()
            .map(|(n, weight)| (certain + n, weight))
            .collect();
        OpenUrn { run: chance.run, places: chance.size as f64, hits }
    }
}

impl Urn for OpenUrn<'_> {
    fn run(&self) -> Run<'_> {
        self.run
    }

    fn draw(&mut self) -> (f64, f64) {
        let places = self.places;
        let mut hit = 0.0;
        let mut pass = 0.0;
        for (n, weight) in &mut self.hits {
            hit += *weight * (*n / places).min(1.0);
            *weight *= ((places - *n) / places).max(0.0);
            pass += *weight;
        }
        self.hits.iter_mut().for_each(|(_, weight)| *weight /= pass);
        self.places -= 1.0;
        (hit, pass)
    }
}
