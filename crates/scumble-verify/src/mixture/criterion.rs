//! Whether mixtures of groups are bounded, wherever groups meet.

use super::places::{Kind, Places};
use super::{GroupValues, Nearness};
use crate::mixture::nearness::CrowdedValues;
use rayon::prelude::*;
use scumble_table::{Bag, Code};

/// A group with too many rows near a value of a group that it meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// The group, from 0.
    pub group: u32,
    /// The group with the value; the group itself where it fails the principle.
    pub other: u32,
}

/// The first group that breaks the criterion; none where mixtures are bounded.
pub fn overlap(places: &Places, values: &GroupValues, nearness: Nearness<'_>) -> Option<Overlap> {
    let search = Search::new(places, values, nearness);
    (0..values.n_groups() as u32).into_par_iter().find_map_first(|group| search.broken(group))
}

/// All groups with too many rows near a value of a group that they meet.
pub fn breaching(places: &Places, values: &GroupValues, nearness: Nearness<'_>) -> Vec<u32> {
    let search = Search::new(places, values, nearness);
    (0..values.n_groups() as u32).into_par_iter().filter(|&group| search.broken(group).is_some()).collect()
}

struct Search<'a> {
    places: &'a Places,
    values: &'a GroupValues,
    nearness: Nearness<'a>,
    /// Where quasi-identifiers are exact: values of the groups of each class that is in several, rising, with their group.
    of_class: Vec<Vec<(Code, u32)>>,
}

impl<'a> Search<'a> {
    fn new(places: &'a Places, values: &'a GroupValues, nearness: Nearness<'a>) -> Self {
        let of_class = match &places.kind {
            Kind::Boxes { .. } => Vec::new(),
            Kind::Classes(classes) => (0..classes.len() as u32)
                .into_par_iter()
                .map(|class| match classes.groups(class) {
                    [] | [_] => Vec::new(),
                    groups => {
                        let of =
                            |&(group, _): &(u32, u32)| values.values(group).iter().map(move |pair| (pair.0, group));
                        let mut all: Vec<(Code, u32)> = groups.iter().flat_map(of).collect();
                        all.sort_unstable();
                        all
                    }
                })
                .collect(),
        };
        Search { places, values, nearness, of_class }
    }

    /// How a group breaks the criterion, if it does.
    fn broken(&self, group: u32) -> Option<Overlap> {
        let (own, size) = (self.values.values(group), self.values.size(group));
        let mut bag = Bag::default();
        bag.refill_sorted(own.iter().copied());
        if !self.nearness.holds_alone(&bag) {
            return Some(Overlap { group, other: group });
        }
        let crowded = self.nearness.crowded(own, size);
        if matches!(&crowded, CrowdedValues::Runs(runs) if runs.is_empty()) {
            return None;
        }
        match &self.places.kind {
            Kind::Boxes { index, .. } => {
                let mut found = None;
                index.meeting(group, |other| {
                    if other != group
                        && self.is_met(group, &crowded, self.values.values(other).iter().map(|pair| pair.0))
                    {
                        found = Some(Overlap { group, other });
                    }
                    found.is_none()
                });
                found
            }
            Kind::Classes(classes) => {
                let mut shared = classes.shared(group).iter();
                let other = shared.find_map(|&class| self.met_in(group, &crowded, &self.of_class[class as usize]))?;
                Some(Overlap { group, other })
            }
        }
    }

    /// Whether too many rows of a group are near one of some rising values.
    fn is_met(&self, group: u32, crowded: &CrowdedValues, mut values: impl Iterator<Item = Code>) -> bool {
        match crowded {
            CrowdedValues::Runs(runs) => {
                let mut at = 0;
                values.any(|value| {
                    while at < runs.len() && runs[at].1 < value {
                        at += 1;
                    }
                    at < runs.len() && runs[at].0 <= value
                })
            }
            CrowdedValues::Asked => values.any(|value| self.is_too_much(group, value)),
        }
    }

    /// A group of a class, other than this one, with a value that too many rows of this one are near.
    fn met_in(&self, group: u32, crowded: &CrowdedValues, of_class: &[(Code, u32)]) -> Option<u32> {
        let others = |pairs: &[(Code, u32)]| pairs.iter().find(|pair| pair.1 != group).map(|pair| pair.1);
        match crowded {
            CrowdedValues::Runs(runs) => runs.iter().find_map(|&(first, last)| {
                let from = of_class.partition_point(|pair| pair.0 < first);
                let to = of_class.partition_point(|pair| pair.0 <= last);
                others(&of_class[from..to])
            }),
            CrowdedValues::Asked => {
                let mut same = of_class.chunk_by(|a, b| a.0 == b.0);
                same.find_map(|same| others(same).filter(|_| self.is_too_much(group, same[0].0)))
            }
        }
    }

    fn is_too_much(&self, group: u32, value: Code) -> bool {
        !self.nearness.admits(self.nearness.rows_near(value, self.values.values(group)), self.values.size(group))
    }
}
