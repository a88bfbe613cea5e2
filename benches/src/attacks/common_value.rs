//! Guessing the value that all batches of a box share.
//!
//! Somebody in a box is in one of the batches of its members. Where these batches have exactly one value in common, it is a
//! natural guess, and its claimed probability is its mean share in them. A dealer who sends near people with different
//! values to the same batch sends near people with the same value to different ones, and the guess is right more often
//! than claimed. In an anatomy release the people of a box are those whose quasi-identifiers are the same.
//!
//! Where a batch has several members in the box, at most as many of them have the value as the batch has of it, and the guess
//! can hardly be better than claimed. What dealing tells is seen best in boxes whose people are all in different
//! batches, which are counted by themselves.

use super::people::People;
use super::seen::Seen;
use std::collections::BTreeMap;

/// What the guess came to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CommonValue {
    /// People who were guessed at.
    pub people: usize,
    /// Right guesses.
    pub right: usize,
    /// The probabilities that the release claims for the guesses, added up.
    pub claimed: f64,
    /// Right guesses in the control, where values were drawn inside batches.
    pub control: usize,
}

impl CommonValue {
    fn add(&mut self, one: &CommonValue) {
        self.people += one.people;
        self.right += one.right;
        self.claimed += one.claimed;
        self.control += one.control;
    }

    /// Share of right guesses, claimed share, share of right guesses in the control.
    pub fn shares(&self) -> [f64; 3] {
        [self.right as f64, self.claimed, self.control as f64].map(|sum| sum / self.people as f64)
    }
}

/// Guesses at everybody in a box whose batches share exactly one value; then the same for boxes whose people are all in
/// different batches. `truth` and `control` have a value for each row.
pub fn attack(seen: &Seen, people: &People, truth: &[u32], control: &[u32]) -> [CommonValue; 2] {
    let mut all = CommonValue::default();
    let mut apart = CommonValue::default();
    let boxes = if seen.boxes.is_empty() { alike(seen, people) } else { seen.box_rows() };
    for rows in boxes {
        let mut batches: Vec<u32> = rows.iter().map(|&row| seen.batch_of[row as usize]).collect();
        batches.sort_unstable();
        batches.dedup();
        let Some(value) = only_common(seen, &batches) else { continue };
        let mut one = CommonValue { people: rows.len(), ..CommonValue::default() };
        for &row in &rows {
            one.right += usize::from(truth[row as usize] == value);
            one.control += usize::from(control[row as usize] == value);
            one.claimed += seen.share(seen.batch_of[row as usize], value);
        }
        all.add(&one);
        if batches.len() == rows.len() {
            apart.add(&one);
        }
    }
    [all, apart]
}

/// Rows whose people have the same quasi-identifiers.
fn alike(seen: &Seen, people: &People) -> Vec<Vec<u32>> {
    let mut classes: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for (row, &person) in seen.person.iter().enumerate() {
        classes.entry(people.tuple(person as usize)).or_default().push(row as u32);
    }
    classes.into_values().collect()
}

/// The value that all these batches have, if there are several batches and only one such value.
fn only_common(seen: &Seen, batches: &[u32]) -> Option<u32> {
    let (first, others) = batches.split_first()?;
    if others.is_empty() {
        return None;
    }
    let has =
        |batch: &u32, value: u32| seen.batches[*batch as usize].binary_search_by_key(&value, |pair| pair.0).is_ok();
    let mut common = seen.batches[*first as usize]
        .iter()
        .map(|pair| pair.0)
        .filter(|&value| others.iter().all(|batch| has(batch, value)));
    let value = common.next()?;
    common.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::cell::Cell;
    use crate::attacks::dice::Dice;
    use crate::attacks::people::tests::people;

    /// Four boxes of two people, four batches {a, b}, {a, c}, {b, d}, {c, d} that hold one person of two boxes each.
    fn release(values: [u32; 8]) -> (Seen, Vec<u32>) {
        let seen = Seen {
            person: (0..8).collect(),
            box_of: vec![0, 0, 1, 1, 2, 2, 3, 3],
            batch_of: vec![0, 1, 0, 2, 1, 3, 2, 3],
            batches: vec![vec![(0, 1), (1, 1)], vec![(0, 1), (2, 1)], vec![(1, 1), (3, 1)], vec![(2, 1), (3, 1)]],
            boxes: vec![vec![Cell::Any]; 4],
        };
        (seen, values.to_vec())
    }

    fn somebody() -> People {
        people(&[(&["1"], "a"), (&["1"], "b"), (&["2"], "c"), (&["3"], "d")], 4)
    }

    #[test]
    fn boxes_of_like_people_are_found_out() {
        // Both people of each box have the value that its batches share.
        let (seen, truth) = release([0, 0, 1, 1, 2, 2, 3, 3]);
        let control = [0, 2, 1, 3, 0, 2, 1, 3];
        let [found, apart] = attack(&seen, &somebody(), &truth, &control);
        assert_eq!(found, apart);
        assert_eq!(found, CommonValue { people: 8, right: 8, claimed: 4.0, control: 4 });
        assert_eq!(found.shares(), [1.0, 0.5, 0.5]);
    }

    #[test]
    fn a_fair_release_is_guessed_as_claimed() {
        let (seen, _) = release([0; 8]);
        let mut dice = Dice::new(1, 1);
        let (mut people, mut right, mut claimed) = (0, 0, 0.0);
        for _ in 0..4_000 {
            let (truth, control) = (seen.shuffled(&mut dice), seen.shuffled(&mut dice));
            let [found, _] = attack(&seen, &somebody(), &truth, &control);
            (people, right, claimed) = (people + found.people, right + found.right, claimed + found.claimed);
        }
        let share = right as f64 / people as f64;
        assert!((share - claimed / people as f64).abs() < 0.02, "{share}");
    }

    #[test]
    fn one_batch_or_two_common_values_give_no_guess() {
        let (mut seen, truth) = release([0; 8]);
        seen.batch_of = vec![0, 0, 1, 1, 2, 2, 3, 3];
        assert_eq!(attack(&seen, &somebody(), &truth, &truth)[0].people, 0);
        seen.batch_of = vec![0, 1, 0, 1, 2, 3, 2, 3];
        seen.batches[1] = vec![(0, 1), (1, 1)];
        let [found, _] = attack(&seen, &somebody(), &truth, &truth);
        assert_eq!(found.people, 4, "only the boxes of batches 2 and 3 share one value");
    }

    #[test]
    fn boxes_with_two_of_a_batch_are_not_apart() {
        let (mut seen, truth) = release([0; 8]);
        seen.box_of = vec![0, 0, 0, 1, 0, 1, 1, 1];
        let [all, apart] = attack(&seen, &somebody(), &truth, &truth);
        // The first box has batches 0, 1, 0, 1, which share value 0, the second 2, 3, 2, 3, which share value 3.
        assert_eq!((all.people, apart.people), (8, 0));
    }

    #[test]
    fn exact_people_are_boxes_by_their_values() {
        let people = somebody();
        let seen = Seen {
            person: vec![0, 1, 2, 3],
            box_of: vec![0, 1, 0, 1],
            batch_of: vec![0, 1, 0, 1],
            batches: vec![vec![(0, 1), (2, 1)], vec![(0, 1), (3, 1)]],
            boxes: Vec::new(),
        };
        let [found, _] = attack(&seen, &people, &[0, 0, 2, 3], &[0, 3, 2, 0]);
        assert_eq!(found, CommonValue { people: 2, right: 2, claimed: 1.0, control: 1 });
    }
}
