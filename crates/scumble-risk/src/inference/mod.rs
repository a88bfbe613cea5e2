//! What an attacker believes about sensitive values who knows some columns about people.
//!
//! Everybody who reads the release knows how often each value is published: the *prior* belief. Whoever knows somebody's
//! values in the known columns looks at the records that match alone. Each of them tells a value, or a group or batch, one
//! of whose values it has; the attacker takes all records for equally likely and, in a group, all its values:
//!
//! ```text
//! belief in x = mean over matching records r of  1 if r shows x            (generalize)
//!                                                share of x in r's group   (permute, anatomy)
//!                                                share of x in r's batch   (angel: the mixture of the bucket's batches)
//! ```
//!
//! * *homogeneity*: the belief in the value that occurs most, whether it is true or not;
//! * *truth*: the belief in the person's own value;
//! * *proximity*: the belief in all values within epsilon of the person's own.
//!
//! The person's own value is known from the source. Without one it is known where records show values; where they show a
//! group, each of its values counts for the share that it has in the group, so that figures are expectations.
//!
//! Shares are counted in whole units, a record being as many as let every group divide it evenly, as long as these numbers
//! fit; beyond that a value's share of its group is rounded to a part of 2^30 or finer.

mod alike;
mod around;
mod belief;
mod line;
mod units;

pub use belief::Inference;

use super::attack::{Attack, PeopleTable, Secret, boxes};
use crate::attack;
use alike::Alike;
use around::Around;
use belief::Sums;
use line::Line;
use scumble_table::{Code, Decimal, Error, Monitor, Ratio, Result};
use units::Shares;

/// What to ask of an attack on sensitive values.
#[derive(Debug, Clone, Copy)]
pub struct InferenceOptions {
    /// Beliefs above this count as an attack that succeeds.
    pub belief: Decimal,
    /// How near a number is as good as the number itself; for dates in days.
    pub epsilon: Option<Decimal>,
}

impl Default for InferenceOptions {
    fn default() -> Self {
        InferenceOptions { belief: Decimal::new(5, 1), epsilon: None }
    }
}

impl InferenceOptions {
    /// The options if they make sense.
    ///
    /// # Errors
    /// If the belief is not below 1, or a figure is negative.
    pub fn checked(self) -> Result<Self> {
        if self.belief < Decimal::ZERO || self.belief >= Decimal::from(1) {
            let reason = "no belief is above 1, and all are above a number below 0";
            return Err(
                Error::request("belief", self.belief.to_string(), reason).hint("from 0 to below 1, such as 0.5")
            );
        }
        match self.epsilon {
            Some(epsilon) if epsilon < Decimal::ZERO => {
                Err(Error::request("epsilon", epsilon.to_string(), "a distance is not negative"))
            }
            _ => Ok(self),
        }
    }
}

/// People and classes that are gone through between two looks at the monitor.
const CHECKED: usize = 1 << 16;

/// People with the same known values and the same sensitive value: number of the known values, code, how many.
type Person = (u32, Code, u64);

impl Attack<'_> {
    /// Attacks every sensitive column of a release, from each of its tables.
    ///
    /// # Errors
    /// If the options make no sense, the source lacks a column or holds what is not of its type, or the work was
    /// cancelled.
    pub fn inference(&self, options: InferenceOptions, monitor: Monitor<'_>) -> Result<Vec<Inference>> {
        let options = options.checked()?;
        let mut found = Vec::new();
        for (at, table) in self.tables.iter().enumerate() {
            if at > 0 && table.columns.is_empty() {
                continue;
            }
            for secret in &table.secrets {
                found.extend(self.about((at, table), secret, options, monitor)?);
            }
        }
        Ok(found)
    }

    fn about(
        &self,
        (at, table): (usize, &PeopleTable),
        secret: &Secret,
        options: InferenceOptions,
        monitor: Monitor<'_>,
    ) -> Result<Vec<Inference>> {
        let chosen: Vec<usize> = (0..table.columns.len()).collect();
        let own = match &self.people {
            None => None,
            Some(people) => Some((&people.crowds[at], people.column(&secret.name)?, people.raw.source.as_str())),
        };
        let line = Line::of(secret, own.map(|(_, texts, source)| (texts.0, source)), options.epsilon)?;
        let asked = Asked { table, secret, line: &line, options, monitor };
        let Some((crowd, (_, codes), _)) = own else {
            // Records themselves are the people, and what they tell is what is true of them.
            let records = boxes(table, &chosen);
            let shares = Shares::of(secret, &records, &line, monitor)?;
            let people = shares.entries.iter().map(|&(class, code, units)| (class, code, units as u64)).collect();
            return asked.of(&Alike::new(&shares, &line), people, shares.unit);
        };
        let person = |row: usize| line.source(codes.get(row));
        if attack::is_exact(crowd, &chosen) {
            let (records, of_people) = attack::with_people(table, crowd, &chosen);
            let shares = Shares::of(secret, &records, &line, monitor)?;
            let people = counted(of_people.iter().enumerate().map(|(row, &class)| (class, person(row))));
            return asked.of(&Alike::new(&shares, &line), people, 1);
        }
        let points = attack::points(crowd, &chosen);
        monitor.check()?;
        let records = boxes(table, &chosen);
        let shares = Shares::of(secret, &records, &line, monitor)?;
        let people = counted(points.of_row.iter().enumerate().map(|(row, &point)| (point, person(row))));
        let cover = attack::Cover::new(table, crowd, &chosen, &points, &records, monitor)?;
        let around = Around::new(&cover, points.len(), &shares, &people, &line, monitor)?;
        asked.of(&around, people, 1)
    }
}

/// Sorted and counted.
fn counted(people: impl Iterator<Item = (u32, Code)>) -> Vec<Person> {
    let mut all: Vec<(u32, Code)> = people.collect();
    all.sort_unstable();
    all.chunk_by(|a, b| a == b).map(|run| (run[0].0, run[0].1, run.len() as u64)).collect()
}

/// What the attacker can work out from the records that match. Numbers of known values and of people are positions in the
/// lists that it was made from.
trait Beliefs {
    /// Units of all records that match known values; 0 where there are none.
    fn all(&self, known: u32) -> i64;
    /// Of these, units of the value that has most.
    fn most(&self, known: u32) -> i64;
    /// Of these, units of a person's own value.
    fn own(&self, at: usize, person: &Person) -> i64;
    /// Of these, units of values near the person's own.
    fn near(&self, at: usize, person: &Person) -> i64;
}

/// An attack on one sensitive column from one table.
struct Asked<'a> {
    table: &'a PeopleTable,
    secret: &'a Secret,
    line: &'a Line,
    options: InferenceOptions,
    monitor: Monitor<'a>,
}

impl Asked<'_> {
    /// The figures over people, of whom `unit` count as one.
    fn of(&self, beliefs: &impl Beliefs, people: Vec<Person>, unit: u64) -> Result<Vec<Inference>> {
        let threshold = Ratio::from(self.options.belief);
        let prior = self.line.prior();
        let sums = || Sums::new(threshold, prior.total());
        let (mut homogeneity, mut truth, mut proximity) = (sums(), sums(), sums());
        for (at, person) in people.iter().enumerate() {
            if at % CHECKED == 0 {
                self.monitor.check()?;
            }
            let &(known, code, n) = person;
            let all = beliefs.all(known);
            // Whom no record matches is not in the release, and nothing is learned.
            if all == 0 {
                continue;
            }
            homogeneity.add(n, (beliefs.most(known), all), prior.most());
            truth.add(n, (beliefs.own(at, person), all), prior.of(code));
            if self.line.is_measured() {
                proximity.add(n, (beliefs.near(at, person), all), prior.within(self.line.near(code)));
            }
        }
        let mut found = vec![("homogeneity", None, homogeneity), ("truth", None, truth)];
        if let (true, Some(epsilon)) = (self.line.is_measured(), self.options.epsilon) {
            found.push(("proximity", Some(epsilon), proximity));
        }
        let said = |(attack, epsilon, sums): (&'static str, Option<Decimal>, Sums)| {
            sums.finish(&self.secret.name, self.table.name.clone(), attack, epsilon, unit)
        };
        Ok(found.into_iter().map(said).collect())
    }
}
