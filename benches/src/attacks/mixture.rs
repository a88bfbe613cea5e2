//! What somebody believes who knows a person's quasi-identifiers but not the group.
//!
//! Groups under proximity and dissimilarity may overlap, and those who look for a person find all groups whose box covers
//! the person. Every row of these groups may be the person's. Each group holds at most a share of 1/m near any of its
//! values; the groups together may hold more.

use super::cover::Cover;
use super::people::{Column, People};
use super::seen::Seen;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// People about whom near numbers are believed with more than the share that a group may hold.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Mixture {
    /// Everybody in the release.
    pub people: usize,
    /// Those believed to be near some number with more than the share.
    pub above: usize,
    /// Those of whom the number is their own.
    pub own: usize,
    /// The greatest belief.
    pub greatest: f64,
    /// As `above`, for somebody who knows the group as well.
    pub control: usize,
}

/// Two numbers are near if they are no further apart than `epsilon`; a group may hold 1/m near each of its numbers.
pub fn attack(seen: &Seen, people: &People, amounts: &Column, epsilon: f64, m: usize) -> Mixture {
    let groups: Vec<Vec<f64>> = seen
        .batches
        .iter()
        .map(|values| {
            values.iter().flat_map(|&(v, n)| std::iter::repeat_n(amounts.places[v as usize], n as usize)).collect()
        })
        .collect();
    let exceeds = |belief: f64| belief * m as f64 > 1.0 + 1e-9;
    let alike = groups_alike(seen, people);
    let cover = Cover::new(&seen.boxes, people);
    let found: Vec<Mixture> = (0..seen.person.len())
        .into_par_iter()
        .map(|row| {
            let person = seen.person[row] as usize;
            let around: Vec<u32> = match &alike {
                Some(alike) => alike[&people.tuple(person)].clone(),
                None => cover.boxes(person).collect(),
            };
            let mut mixed: Vec<f64> = around.iter().flat_map(|&group| groups[group as usize].iter().copied()).collect();
            mixed.sort_by(f64::total_cmp);
            let belief = greatest(&mixed, epsilon);
            let own = amounts.places[amounts.codes[person] as usize];
            let near = mixed.iter().filter(|other| (*other - own).abs() <= epsilon).count() as f64 / mixed.len() as f64;
            let known = greatest(&groups[seen.box_of[row] as usize], epsilon);
            Mixture {
                people: 1,
                above: usize::from(exceeds(belief)),
                own: usize::from(exceeds(near)),
                greatest: belief,
                control: usize::from(exceeds(known)),
            }
        })
        .collect();
    found.iter().fold(Mixture::default(), |sum, one| Mixture {
        people: sum.people + one.people,
        above: sum.above + one.above,
        own: sum.own + one.own,
        greatest: sum.greatest.max(one.greatest),
        control: sum.control + one.control,
    })
}

/// The greatest share of rising numbers that is near one of them.
fn greatest(rising: &[f64], epsilon: f64) -> f64 {
    let (mut from, mut to, mut most) = (0, 0, 0);
    for &centre in rising {
        while centre - rising[from] > epsilon {
            from += 1;
        }
        while to < rising.len() && rising[to] - centre <= epsilon {
            to += 1;
        }
        most = most.max(to - from);
    }
    most as f64 / rising.len() as f64
}

/// The groups of people with the same quasi-identifiers, where these are published as they are.
fn groups_alike(seen: &Seen, people: &People) -> Option<BTreeMap<Vec<u32>, Vec<u32>>> {
    if !seen.boxes.is_empty() {
        return None;
    }
    let mut groups: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for (row, &person) in seen.person.iter().enumerate() {
        let of_tuple = groups.entry(people.tuple(person as usize)).or_default();
        if !of_tuple.contains(&seen.box_of[row]) {
            of_tuple.push(seen.box_of[row]);
        }
    }
    Some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::cell::Cell;

    #[test]
    fn windows_are_centred_on_a_number() {
        assert_eq!(greatest(&[0.0, 10.0, 20.0, 100.0], 10.0), 0.75);
        assert_eq!(greatest(&[0.0, 20.0], 10.0), 0.5, "no number lies between them");
        assert_eq!(greatest(&[5.0], 10.0), 1.0);
    }

    /// Two groups of two people, one with the numbers 0 and 100.
    fn made(second: [&str; 2], boxes: Vec<Vec<Cell>>) -> Mixture {
        let numbers = ["0", "100", second[0], second[1]];
        let people = People {
            quasi: vec![Column::new("age", true, ["1", "4", "3", "6"].into_iter()).unwrap()],
            secrets: vec![Column::new("wage", true, numbers.into_iter()).unwrap()],
            inside: 4,
        };
        let code = people.secrets[0].code_of();
        let batches = [["0", "100"], second].map(|two| {
            let mut values: Vec<(u32, u32)> = two.iter().map(|text| (code[text], 1)).collect();
            values.sort_unstable();
            values
        });
        let seen = Seen {
            person: vec![0, 1, 2, 3],
            box_of: vec![0, 0, 1, 1],
            batch_of: vec![0, 0, 1, 1],
            batches: batches.to_vec(),
            boxes,
        };
        attack(&seen, &people, &people.secrets[0], 50.0, 2)
    }

    #[test]
    fn people_in_two_boxes_are_believed_more_than_groups_allow() {
        let overlapping = vec![vec![Cell::Range(1.0, 4.0)], vec![Cell::Range(3.0, 6.0)]];
        // In both boxes are 0, 60, 100 and 160, of which 60 and 100 are near each other: one half.
        let found = made(["60", "160"], overlapping.clone());
        assert_eq!((found.above, found.control), (0, 0));
        // In both boxes are 0, 50, 100 and 200, and three of them are near 50, which is one person's own number.
        let found = made(["50", "200"], overlapping);
        assert_eq!((found.people, found.above, found.own, found.greatest), (4, 2, 1, 0.75));
        assert_eq!(found.control, 0);
        let apart = vec![vec![Cell::Range(1.0, 4.0)], vec![Cell::Range(5.0, 6.0)]];
        assert_eq!(made(["50", "200"], apart).above, 0, "boxes that do not overlap mix nothing");
    }

    #[test]
    fn a_group_that_breaks_its_promise_is_seen_by_the_control() {
        let boxes = vec![vec![Cell::Range(1.0, 4.0)], vec![Cell::Range(3.0, 6.0)]];
        assert_eq!(made(["110", "120"], boxes).control, 2);
    }
}
