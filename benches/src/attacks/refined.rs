//! Reading exact values off minimal boxes (downcoding; Cohen, USENIX Security 2022).
//!
//! The ends of a minimal interval are somebody's, so two cells of its group are known, and every label of a minimal list is
//! somebody's, so as many cells are known as it has labels. Which row has which is told where every row differs: in an
//! interval of two rows, or a list of as many labels as rows, each row is the only one in the table with its value in its
//! box, found without knowing anything about a person.
//!
//! Boxes whose ends were moved are attacked in the same way, and the guesses are wrong where no person has the values of the ends. Guesses
//! count as known where the attacker can be certain: all guesses of a column and a width or length were right, in at least
//! `CERTAIN` groups or in all groups of the release.

use super::cell::Cell;
use super::dice::Dice;
use super::people::{Column, People};
use super::seen::Seen;
use std::collections::BTreeMap;

/// Fewer groups of a width may be guessed right by luck.
const CERTAIN: usize = 10;

/// What the boxes of a release tell.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Refined {
    /// Cells that show less than a value.
    pub generalized: usize,
    /// Those of them that were guessed.
    pub guessed: usize,
    /// Right guesses.
    pub right: usize,
    /// Right guesses that are certain.
    pub known: usize,
    /// Right guesses in the control, where people were drawn anew inside the boxes.
    pub control: usize,
    /// Rows of the release.
    pub rows: usize,
    /// Rows that are alone in the table with a value that is known for certain.
    pub isolated: usize,
}

/// Guesses that stand or fall together: column, kind of cell, and width or length.
type Class = (usize, u8, u64);

/// A guess at one column of one group.
struct Guess {
    group: usize,
    class: Class,
    guessed: usize,
    right: usize,
    /// Whether every row of the group would differ.
    tells_apart: bool,
}

/// Guesses at the cells of all groups.
pub fn attack(seen: &Seen, people: &People, dice: &mut Dice) -> Refined {
    let groups = seen.box_rows();
    let mut found = Refined { rows: seen.person.len(), ..Refined::default() };
    let mut guesses: Vec<Guess> = Vec::new();
    for (group, (rows, cells)) in groups.iter().zip(&seen.boxes).enumerate() {
        for (at, (cell, column)) in cells.iter().zip(&people.quasi).enumerate() {
            if !cell.is_generalized() {
                continue;
            }
            found.generalized += rows.len();
            let codes = rows.iter().map(|&row| column.codes[seen.person[row as usize] as usize]);
            let Some((guessed, right)) = guess(cell, column, &codes.collect::<Vec<u32>>()) else { continue };
            let drawn: Vec<u32> = rows.iter().map(|_| somebody(cell, column, people.inside, dice)).collect();
            found.control += guess(cell, column, &drawn).map_or(0, |guess| guess.1);
            let class = match cell {
                Cell::Range(low, high) => (at, 0, (high - low).to_bits()),
                Cell::Labels(labels) => (at, 1, labels.len() as u64),
                Cell::One(_) | Cell::Node(_) | Cell::Any => (at, 2, 0),
            };
            guesses.push(Guess { group, class, guessed, right, tells_apart: guessed == rows.len() });
        }
    }
    let mut classes: BTreeMap<Class, (usize, bool)> = BTreeMap::new();
    for guess in &guesses {
        found.guessed += guess.guessed;
        found.right += guess.right;
        let class = classes.entry(guess.class).or_insert((0, true));
        *class = (class.0 + 1, class.1 && guess.right == guess.guessed);
    }
    let all = found.right == found.guessed;
    let mut isolated = vec![false; groups.len()];
    for guess in &guesses {
        let (n, right) = classes[&guess.class];
        if all || right && n >= CERTAIN {
            found.known += guess.guessed;
            isolated[guess.group] |= guess.tells_apart;
        }
    }
    found.isolated = groups.iter().zip(isolated).filter(|(_, alone)| *alone).map(|(rows, _)| rows.len()).sum();
    found
}

/// How many cells of a group are guessed, and how many rightly; `codes` are the true values.
fn guess(cell: &Cell, column: &Column, codes: &[u32]) -> Option<(usize, usize)> {
    match cell {
        Cell::Range(low, high) => {
            let has = |end: &f64| codes.iter().any(|&code| column.places[code as usize] == *end);
            Some((2.min(codes.len()), usize::from(has(low)) + usize::from(has(high))))
        }
        // A list that is longer than its group has labels that no person has, and it is not told which.
        Cell::Labels(labels) if labels.len() <= codes.len() => {
            Some((labels.len(), labels.iter().filter(|label| codes.contains(label)).count()))
        }
        // Where a column has two labels both must occur; where it has more they may.
        Cell::Any if !column.is_number && column.n_values() <= codes.len() => {
            Some((column.n_values(), (0..column.n_values() as u32).filter(|label| codes.contains(label)).count()))
        }
        Cell::One(_) | Cell::Labels(_) | Cell::Node(_) | Cell::Any => None,
    }
}

/// The value of somebody in the table whom the cell covers.
pub(super) fn somebody(cell: &Cell, column: &Column, inside: usize, dice: &mut Dice) -> u32 {
    for _ in 0..10_000 {
        let code = column.codes[dice.below(inside)];
        if cell.covers(code, column) {
            return code;
        }
    }
    // A cell of values so rare is as good as one of equal chances.
    let covered: Vec<u32> = (0..column.n_values() as u32).filter(|&code| cell.covers(code, column)).collect();
    covered[dice.below(covered.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two groups of three and one of two.
    fn made(ages: [&str; 8], cities: [&str; 8], boxes: [[Cell; 2]; 3]) -> Refined {
        let people = People {
            quasi: vec![
                Column::new("age", true, ages.into_iter()).unwrap(),
                Column::new("city", false, cities.into_iter()).unwrap(),
            ],
            secrets: Vec::new(),
            inside: 8,
        };
        let groups = vec![0, 0, 0, 1, 1, 1, 2, 2];
        let seen = Seen {
            person: (0..8).collect(),
            box_of: groups.clone(),
            batch_of: groups,
            batches: Vec::new(),
            boxes: boxes.map(|cells| cells.to_vec()).to_vec(),
        };
        attack(&seen, &people, &mut Dice::new(1, 1))
    }

    const AGES: [&str; 8] = ["31", "33", "38", "41", "41", "49", "55", "57"];
    const CITIES: [&str; 8] = ["a", "b", "c", "a", "a", "b", "a", "a"];

    #[test]
    fn minimal_boxes_give_their_ends_and_lists_away() {
        let boxes = [
            [Cell::Range(31.0, 38.0), Cell::Labels(vec![0, 1, 2])],
            [Cell::Range(41.0, 49.0), Cell::Labels(vec![0, 1])],
            [Cell::Range(55.0, 57.0), Cell::One(0)],
        ];
        let found = made(AGES, CITIES, boxes);
        // Ages: 2 of 3, 2 of 3, 2 of 2. Cities: 3 of 3, 2 of 3; the last is no generalized cell.
        assert_eq!((found.generalized, found.guessed, found.right, found.known), (14, 11, 11, 11));
        // The first group is told apart by its cities, the last by its two ages.
        assert_eq!((found.rows, found.isolated), (8, 5));
        assert!(found.control < 11, "people drawn anew seldom stand at the ends");
    }

    #[test]
    fn moved_ends_and_nodes_give_nothing_away() {
        let boxes = [
            [Cell::Range(30.0, 40.0), Cell::Node(vec![0, 1, 2])],
            [Cell::Range(40.0, 50.0), Cell::Any],
            [Cell::Range(55.0, 60.0), Cell::One(0)],
        ];
        let found = made(AGES, CITIES, boxes);
        // Ages: one of six ends is somebody's. Cities behind `*`: two of three labels.
        assert_eq!((found.guessed, found.right, found.known, found.isolated), (9, 3, 0, 0));
    }

    #[test]
    fn everything_of_a_column_of_two_labels_is_known() {
        let boxes = [
            [Cell::Range(30.0, 40.0), Cell::Any],
            [Cell::Range(40.0, 50.0), Cell::Any],
            [Cell::Range(55.0, 60.0), Cell::Any],
        ];
        let people = People {
            quasi: vec![Column::new("sex", false, ["f", "m"].into_iter().cycle().take(80)).unwrap()],
            secrets: Vec::new(),
            inside: 80,
        };
        let groups: Vec<u32> = (0..80).map(|row| row / 2).collect();
        let seen = Seen {
            person: (0..80).collect(),
            box_of: groups.clone(),
            batch_of: groups,
            batches: Vec::new(),
            boxes: vec![vec![Cell::Any]; 40],
        };
        let found = attack(&seen, &people, &mut Dice::new(1, 1));
        assert_eq!((found.generalized, found.known, found.isolated), (80, 80, 80));
        // Three groups are too few to be certain, where other guesses are wrong.
        assert_eq!(made(AGES, ["a", "b", "a", "b", "a", "b", "a", "b"], boxes).known, 0);
    }

    #[test]
    fn lists_longer_than_their_group_give_nothing_away() {
        let boxes = [
            [Cell::One(0), Cell::Labels(vec![0, 1, 2])],
            [Cell::One(0), Cell::Labels(vec![0, 1])],
            [Cell::One(0), Cell::Labels(vec![0, 1, 2])],
        ];
        let found = made(["5"; 8], CITIES, boxes);
        assert_eq!((found.generalized, found.guessed, found.known, found.isolated), (8, 5, 5, 3));
    }

    #[test]
    fn groups_of_one_value_have_nothing_to_give() {
        let one = [Cell::One(0), Cell::One(0)];
        assert_eq!(made(["5"; 8], ["a"; 8], [one.clone(), one.clone(), one]).generalized, 0);
    }
}
