//! What an attacker believes about sensitive values who knows some columns about people.
//!
//! Every reader of the release knows how often each value is published: the *prior* belief. An attacker who knows a person's
//! values in the known columns looks only at the records that match. Each of them tells a value, or a group or batch, one
//! of whose values it has; the attacker takes all records for equally likely and, in a group, all its values:
//!
//! ```text
//! belief in x = mean over matching records r of  1 if r shows x            (generalize)
//!                                                share of x in r's group   (permute, anatomy)
//!                                                share of x in r's batch   (angel: the mixture of the bucket's batches)
//! ```
//!
//! Where it is known whose rows are whose, people are counted, and where records show groups the attacker also knows how many
//! rows a person has: `by_person.rs` and `by_group.rs` say what is believed then.
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

mod belief;
mod beliefs;
mod by_group;
mod by_person;
mod own_records;
mod shares;
mod value_order;

pub use belief::Inference;

use crate::Attack;
use crate::attack::{Candidates, Disclosure, DistinctRows, Matching, PeopleTable, SensitiveColumn};
use belief::BeliefSums;
use beliefs::Beliefs;
use scumble_table::{Code, Decimal, Error, Monitor, Ratio, Result, rows_by_group};
use shares::Shares;
use value_order::ValueOrder;

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
            for column in &table.sensitive {
                found.extend(self.about((at, table), column, options, monitor)?);
            }
        }
        Ok(found)
    }

    fn about(
        &self,
        (at, table): (usize, &PeopleTable),
        column: &SensitiveColumn,
        options: InferenceOptions,
        monitor: Monitor<'_>,
    ) -> Result<Vec<Inference>> {
        let chosen: Vec<usize> = (0..table.columns.len()).collect();
        let own = match &self.people {
            None => None,
            Some(people) => Some((&people.indexes[at], people.column(&column.name)?, people.raw.source.as_str())),
        };
        let texts = own.map(|(_, texts, source)| (texts.0, source));
        let order = ValueOrder::new(column, texts, options.epsilon, monitor)?;
        let asked = ColumnAttack { table, column, order: &order, options, monitor };
        let shares = |records: &DistinctRows| Shares::new(column, records, &order, monitor);
        let Some((index, (_, codes), _)) = own else {
            // Records themselves are the people, and what they tell is what is true of them.
            let shares = shares(&DistinctRows::new(&table.known(&chosen), table.n_rows, monitor)?)?;
            let people: Vec<Person> =
                shares.entries.iter().map(|&(class, code, units)| (class, code, units as u64)).collect();
            return asked.figures(&Beliefs::of_equal_records(&shares, &people, &order, monitor)?, people, shares.unit);
        };
        let own_code = |row: usize| order.source[codes.get(row) as usize];
        let matching = Matching { table, index, chosen: &chosen, monitor };
        if let Some(own) = self.people.as_ref().and_then(|people| people.persons.as_ref()) {
            let found = match &column.disclosure {
                Disclosure::Value(_) => {
                    let candidates = Candidates::new(matching, own.boxes.get(at).and_then(Option::as_ref))?;
                    asked.by_person(own, at, &candidates, own_code)?
                }
                Disclosure::Group { of_row, groups } if matching.is_exact() => {
                    asked.by_group(own, matching, (of_row, groups), own_code)?
                }
                // Which records lie around somebody is not enough to tell how many of them are theirs.
                Disclosure::Group { .. } => None,
            };
            if let Some(found) = found {
                return Ok(found);
            }
        }
        if matching.is_exact() {
            let (records, of_people) = matching.records_with_people()?;
            let (shares, people) = (shares(&records)?, counted(&of_people, records.len(), own_code, monitor)?);
            return asked.figures(&Beliefs::of_equal_records(&shares, &people, &order, monitor)?, people, 1);
        }
        let cover = matching.cover()?;
        let people = counted(&cover.points.of_row, cover.points.len(), own_code, monitor)?;
        let shares = shares(&cover.boxes)?;
        asked.figures(&Beliefs::of_boxes_around(&cover, &shares, &people, &order, monitor)?, people, 1)
    }
}

/// People by the number of their known values, below `n_known`, and the code of their own value, sorted and counted. People
/// with other known values match no record, and are left out.
fn counted(known: &[u32], n_known: usize, code: impl Fn(usize) -> Code, monitor: Monitor<'_>) -> Result<Vec<Person>> {
    let (mut people, mut codes) = (Vec::new(), Vec::new());
    for (known, rows) in (0..).zip(rows_by_group(known, n_known).groups()) {
        monitor.check()?;
        codes.clear();
        codes.extend(rows.iter().map(|&row| code(row as usize)));
        codes.sort_unstable();
        people.extend(codes.chunk_by(|a, b| a == b).map(|same| (known, same[0], same.len() as u64)));
    }
    Ok(people)
}

/// An attack on one sensitive column from one table.
struct ColumnAttack<'a> {
    table: &'a PeopleTable,
    column: &'a SensitiveColumn,
    order: &'a ValueOrder,
    options: InferenceOptions,
    monitor: Monitor<'a>,
}

impl ColumnAttack<'_> {
    /// The figures over people, of whom `unit` count as one.
    fn figures(&self, beliefs: &Beliefs, people: Vec<Person>, unit: u64) -> Result<Vec<Inference>> {
        let prior = &self.order.prior;
        let sums = || BeliefSums::new(Ratio::from(self.options.belief), prior.total());
        let (mut homogeneity, mut truth, mut proximity) = (sums(), sums(), sums());
        for (&(known, code, n), &(own, near)) in people.iter().zip(&beliefs.people) {
            self.monitor.check()?;
            let (all, most) = beliefs.known[known as usize];
            // Nothing is learned of a person whom no record matches.
            if all == 0 {
                continue;
            }
            homogeneity.add(n, (most, all), prior.most);
            truth.add(n, (own, all), prior.count(code));
            if self.order.is_measured() {
                proximity.add(n, (near, all), prior.within(self.order.near(code)));
            }
        }
        let mut found = vec![("homogeneity", None, homogeneity), ("truth", None, truth)];
        if let (true, Some(epsilon)) = (self.order.is_measured(), self.options.epsilon) {
            found.push(("proximity", Some(epsilon), proximity));
        }
        let finished = |(attack, epsilon, sums): (&'static str, Option<Decimal>, BeliefSums)| {
            sums.finish(&self.column.name, self.table.name.clone(), attack, epsilon, unit)
        };
        Ok(found.into_iter().map(finished).collect())
    }
}
