//! Who a question selects, where for some people there is only a probability.

use scumble_table::{Error, Result};
use std::ops::Range;

/// People of groups that a question selects for certain, or each with a probability of its own.
///
/// This is what a question finds in a table of boxes with the numbers of groups: a person whose box lies inside
/// the question is selected, one whose box it cuts is selected with the share of the box that it covers, independently of
/// all others.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    parts: Vec<Part>,
    /// Probabilities of the open people, group by group, rising inside each.
    open: Vec<f64>,
}

#[derive(Debug, Clone)]
struct Part {
    group: u32,
    certain: u32,
    /// Where the open people of the group are.
    open: Range<usize>,
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
            let open = start..selection.open.len();
            selection.parts.push(Part { group: same[0].0, certain: certain as u32, open });
        }
        Ok(selection)
    }

    /// The groups, each with the number of its people who are certain and the probabilities of the open ones.
    pub(super) fn groups(&self) -> impl Iterator<Item = (u32, u32, &[f64])> {
        self.parts.iter().map(|part| (part.group, part.certain, &self.open[part.open.clone()]))
    }
}
