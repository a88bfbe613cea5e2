//! What is believed about the people of a table, for the publisher.

use super::belief::Belief;
use super::classes::Classes;
use super::index::BoxIndex;
use super::places::{Kind, Places};
use super::{GroupValues, Nearness};
use num_bigint::BigUint;
use rayon::prelude::*;
use scumble_table::{Code, Error, Partition, Result};
use serde::Serialize;

/// Beliefs of somebody who knows people's quasi-identifiers and not their groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MixtureFigure {
    /// The requirement in canonical notation.
    pub requirement: String,
    /// The sensitive column, where the requirement speaks of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// People published with values.
    pub people: u64,
    /// People of whom more is believed than the requirement allows in a group.
    pub above: u64,
    /// The greatest belief.
    pub greatest: f64,
    /// What the requirement allows in a group.
    pub allowed: f64,
}

/// The people of a table in their groups.
pub struct GroupedPeople<'a> {
    /// Groups of rows.
    pub partition: &'a Partition,
    /// The value of a row, in the codes of the test.
    pub value: &'a (dyn Fn(u32) -> Code + Sync),
    /// Is told how many more people were looked at.
    pub tick: &'a (dyn Fn(u64) + Sync),
}

/// Groups around more people than this are merged before each of them is asked about.
const MERGED: usize = 8;

/// A person: point, value and own group.
type Person = (u32, Code, u32);

/// The beliefs about all people of a table that places were made with.
///
/// # Errors
/// If a person is not where their own group lies, which is a mistake of the caller.
pub fn figure(
    places: &Places,
    values: &GroupValues,
    nearness: Nearness<'_>,
    grouped: &GroupedPeople<'_>,
) -> Result<MixtureFigure> {
    let groups = grouped.partition.groups().enumerate();
    let mut people: Vec<Person> = groups
        .flat_map(|(group, rows)| {
            let person = move |&row: &u32| (places.point_of_row[row as usize], (grouped.value)(row), group as u32);
            rows.iter().map(person)
        })
        .collect();
    people.par_sort_unstable();
    let points: Vec<&[Person]> = people.chunk_by(|a, b| a.0 == b.0).collect();
    let beliefs = Beliefs { values, nearness };
    let tally = points
        .par_iter()
        .try_fold(Tally::default, |mut tally: Tally, people| {
            match &places.kind {
                Kind::Boxes { index, n_columns, ranks } => {
                    let from = people[0].0 as usize * n_columns;
                    beliefs.in_boxes(index, &ranks[from..from + n_columns], people, &mut tally)?;
                }
                Kind::Classes(classes) => beliefs.in_classes(classes, people, &mut tally)?,
            }
            (grouped.tick)(people.len() as u64);
            Ok::<Tally, Error>(tally)
        })
        .try_reduce(Tally::default, |a, b| Ok(a.add(b)))?;
    let (part, whole) = nearness.allowed();
    Ok(MixtureFigure {
        requirement: String::new(),
        column: None,
        people: people.len() as u64,
        above: tally.above,
        greatest: tally.greatest.map_or(0.0, |belief| belief.to_f64()),
        allowed: part as f64 / whole as f64,
    })
}

#[derive(Default)]
struct Tally {
    above: u64,
    greatest: Option<Belief>,
    /// Groups around the point at hand.
    around: Vec<u32>,
    /// Their values with the rows up to each.
    merged: Vec<(Code, u64)>,
}

impl Tally {
    fn note(&mut self, people: u64, belief: Belief, allowed: (u128, u128)) {
        if belief.exceeds(allowed) {
            self.above += people;
        }
        if self.greatest.as_ref().is_none_or(|greatest| belief > *greatest) {
            self.greatest = Some(belief);
        }
    }

    fn add(mut self, other: Tally) -> Tally {
        self.above += other.above;
        self.greatest = self.greatest.max(other.greatest);
        self
    }
}

struct Beliefs<'a> {
    values: &'a GroupValues,
    nearness: Nearness<'a>,
}

impl Beliefs<'_> {
    /// People at a point, each row of the boxes around it being as likely as any other.
    fn in_boxes(&self, index: &BoxIndex, point: &[u32], people: &[Person], tally: &mut Tally) -> Result<()> {
        let mut around = std::mem::take(&mut tally.around);
        around.clear();
        index.around(point, |group| around.push(group));
        around.sort_unstable();
        if people.iter().any(|person| around.binary_search(&person.2).is_err()) {
            return Err(Error::bug("somebody is not in the box of the own group"));
        }
        let all: u64 = around.iter().map(|&group| u64::from(self.values.size(group))).sum();
        let others = u64::from(self.nearness.is_about_others());
        let window = match self.nearness {
            Nearness::Proximity { near, .. } if people.len() > MERGED => Some(near),
            _ => None,
        };
        let mut merged = std::mem::take(&mut tally.merged);
        merged.clear();
        if window.is_some() {
            let of = |&group: &u32| self.values.values(group).iter().map(|&(code, n)| (code, u64::from(n)));
            merged.extend(around.iter().flat_map(of));
            merged.sort_unstable();
            let mut rows = 0;
            for pair in &mut merged {
                rows += pair.1;
                pair.1 = rows;
            }
        }
        for same in people.chunk_by(|a, b| a.1 == b.1) {
            let value = same[0].1;
            let near = match window {
                Some(window) => {
                    let (first, last) = (window.first(value), window.last(value));
                    let before = |end: usize| end.checked_sub(1).map_or(0, |at| merged[at].1);
                    before(merged.partition_point(|pair| pair.0 <= last))
                        - before(merged.partition_point(|pair| pair.0 < first))
                }
                None => around.iter().map(|&group| self.nearness.rows_near(value, self.values.values(group))).sum(),
            };
            tally.note(same.len() as u64, Belief::new(near - others, all - others), self.nearness.allowed());
        }
        (tally.around, tally.merged) = (around, merged);
        Ok(())
    }

    /// People of equal exact quasi-identifiers: each of those with them is as likely, and has any value of the group.
    fn in_classes(&self, classes: &Classes, people: &[Person], tally: &mut Tally) -> Result<()> {
        let groups = classes.groups(people[0].0);
        let least = groups.iter().fold(BigUint::from(1u32), |least, &(group, _)| lcm(least, self.values.size(group)));
        let weights: Vec<BigUint> =
            groups.iter().map(|&(group, there)| &least / self.values.size(group) * there).collect();
        let there: u64 = groups.iter().map(|&(_, there)| u64::from(there)).sum();
        let all = &least * there;
        for same in people.chunk_by(|a, b| (a.1, a.2) == (b.1, b.2)) {
            let (_, value, own) = same[0];
            let rows = |group: u32| self.nearness.rows_near(value, self.values.values(group));
            let near: BigUint = groups.iter().zip(&weights).map(|(&(group, _), weight)| weight * rows(group)).sum();
            let belief = match self.nearness.is_about_others() {
                false => Belief::new(near, all.clone()),
                true => {
                    let at = groups.binary_search_by_key(&own, |pair| pair.0);
                    let at = at.map_err(|_| Error::bug("somebody is not among the people of the own group"))?;
                    Belief::new(near - &weights[at], &all - &weights[at])
                }
            };
            tally.note(same.len() as u64, belief, self.nearness.allowed());
        }
        Ok(())
    }
}

/// The least common multiple.
fn lcm(a: BigUint, b: u32) -> BigUint {
    let (mut x, mut y) = (u64::from(b), u64::try_from(&a % b).unwrap_or(0));
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a * (u64::from(b) / x.max(1)).max(1)
}
