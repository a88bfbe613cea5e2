//! Reading exact values off rounded boxes with the help of their neighbours.
//!
//! Groups that come from cuts do not overlap. An attacker who knows the rule of rounding lists, for every published interval, the least
//! intervals that it may stand for. Where two groups can be apart in one column only, those of them are struck out that would
//! overlap whatever the other stands for, again and again until nothing changes. A value is known if it is an end of everything that is
//! left. `[24,26]` next to a group that shows `24` and is equal in all else stands for 25 and 26.
//!
//! Somebody may know besides which is the least and which the greatest value of a column, as of any list of codes: `[0,2]` of
//! codes from 1 on stands for 1 and 2.

use super::cell::Cell;
use super::dice::Dice;
use super::people::{Column, People};
use super::refined::somebody;
use super::seen::Seen;
use scumble_method::rounding::{NumberUnit, round_numbers};
use std::collections::HashMap;

/// What the attack comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Deduced {
    /// Cells that show less than a value.
    pub generalized: usize,
    /// Those of them that are known, and rightly.
    pub known: usize,
    /// Those that the attacker would be wrong about. There are none, if groups do not overlap.
    pub wrong: usize,
    /// Right guesses in the control, where people were drawn anew inside the boxes.
    pub control: usize,
}

/// What a cell may stand for.
#[derive(Clone, PartialEq)]
enum Behind {
    /// One of these intervals of numbers.
    Intervals(Vec<(i64, i64)>),
    /// One label.
    Label(u32),
    /// It cannot be told.
    Anything,
}

impl Behind {
    /// Whether two groups may be apart in this column.
    fn may_be_apart(&self, other: &Behind) -> bool {
        match (self, other) {
            (Behind::Intervals(ours), Behind::Intervals(theirs)) => {
                let (our, their) = (Reach::new(ours), Reach::new(theirs));
                our.first_end < their.last_start || their.first_end < our.last_start
            }
            (Behind::Label(ours), Behind::Label(theirs)) => ours != theirs,
            _ => true,
        }
    }
}

/// The latest start and the earliest end of some intervals.
struct Reach {
    last_start: i64,
    first_end: i64,
}

impl Reach {
    fn new(intervals: &[(i64, i64)]) -> Reach {
        Reach {
            last_start: intervals.iter().map(|pair| pair.0).max().unwrap_or(i64::MIN),
            first_end: intervals.iter().map(|pair| pair.1).min().unwrap_or(i64::MAX),
        }
    }
}

/// Deduces values of the groups of a release with rounded boxes.
pub fn attack(seen: &Seen, people: &People, knows_ends: bool, dice: &mut Dice) -> Deduced {
    let mut behind = behind(seen, people, knows_ends);
    let pairs = pairs(seen, people, &behind);
    let mut changed = true;
    while changed {
        changed = false;
        for &(a, b, column) in &pairs {
            let (Behind::Intervals(ours), Behind::Intervals(theirs)) = (&behind[a][column], &behind[b][column]) else {
                continue;
            };
            let (left, right) = (apart(ours, theirs), apart(theirs, ours));
            // Groups that overlap after all tell nothing that could be trusted.
            if left.is_empty() || right.is_empty() {
                continue;
            }
            changed |= left.len() < ours.len() || right.len() < theirs.len();
            (behind[a][column], behind[b][column]) = (Behind::Intervals(left), Behind::Intervals(right));
        }
    }
    let mut found = Deduced::default();
    for ((rows, cells), behind) in seen.box_rows().iter().zip(&seen.boxes).zip(&behind) {
        for ((cell, column), behind) in cells.iter().zip(&people.quasi).zip(behind) {
            if !cell.is_generalized() {
                continue;
            }
            found.generalized += rows.len();
            let certain = certain(behind);
            let has =
                |value: i64, codes: &[u32]| codes.iter().any(|&code| column.places[code as usize] == value as f64);
            let codes: Vec<u32> = rows.iter().map(|&row| column.codes[seen.person[row as usize] as usize]).collect();
            let right = certain.iter().filter(|&&value| has(value, &codes)).count();
            found.known += right;
            found.wrong += certain.len() - right;
            if !certain.is_empty() {
                let drawn: Vec<u32> = rows.iter().map(|_| somebody(cell, column, people.inside, dice)).collect();
                found.control += certain.iter().filter(|&&value| has(value, &drawn)).count();
            }
        }
    }
    found
}

/// Values that are an end of all that a cell may stand for.
fn certain(behind: &Behind) -> Vec<i64> {
    let Behind::Intervals(intervals) = behind else { return Vec::new() };
    let Some(&(low, high)) = intervals.first() else { return Vec::new() };
    let always = |value: &i64| intervals.iter().all(|pair| pair.0 == *value || pair.1 == *value);
    [low, high].into_iter().filter(always).collect()
}

/// Those of our intervals that some of theirs do not touch.
fn apart(ours: &[(i64, i64)], theirs: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let reach = Reach::new(theirs);
    ours.iter().copied().filter(|pair| pair.1 < reach.last_start || reach.first_end < pair.0).collect()
}

/// What every cell may stand for by itself.
fn behind(seen: &Seen, people: &People, knows_ends: bool) -> Vec<Vec<Behind>> {
    let mut known: HashMap<(usize, i64, i64), Behind> = HashMap::new();
    let of = |at: usize, cell: &Cell, column: &Column, known: &mut HashMap<(usize, i64, i64), Behind>| match cell {
        Cell::One(code) if column.is_number => {
            let value = column.places[*code as usize] as i64;
            Behind::Intervals(vec![(value, value)])
        }
        Cell::One(code) => Behind::Label(*code),
        Cell::Range(low, high) => {
            let (low, high) = (*low as i64, *high as i64);
            known.entry((at, low, high)).or_insert_with(|| least(low, high, column, knows_ends)).clone()
        }
        Cell::Labels(_) | Cell::Node(_) | Cell::Any => Behind::Anything,
    };
    let cells = |cells: &Vec<Cell>, known: &mut _| {
        cells.iter().zip(&people.quasi).enumerate().map(|(at, (cell, column))| of(at, cell, column, known)).collect()
    };
    seen.boxes.iter().map(|one| cells(one, &mut known)).collect()
}

/// The least intervals that are rounded to this one.
fn least(low: i64, high: i64, column: &Column, knows_ends: bool) -> Behind {
    let values: Vec<i128> = column.places.iter().map(|&place| place as i128).collect();
    let unit = NumberUnit::for_values(&values);
    let (Some(first), Some(last)) = (values.iter().min(), values.iter().max()) else { return Behind::Anything };
    let inside = |lo: i64, hi: i64| !knows_ends || (*first <= lo.into() && i128::from(hi) <= *last);
    let step = unit.amount() as usize;
    let starts = (low..high).step_by(step);
    let pairs = starts.flat_map(|lo| (lo + step as i64..=high).step_by(step).map(move |hi| (lo, hi)));
    let shown = Some((low.into(), high.into()));
    let rounded = |&(lo, hi): &(i64, i64)| inside(lo, hi) && round_numbers(lo.into(), hi.into(), unit) == shown;
    let found: Vec<(i64, i64)> = pairs.filter(rounded).collect();
    if found.is_empty() { Behind::Anything } else { Behind::Intervals(found) }
}

/// Pairs of groups whose boxes meet, and the only column in which they may be apart.
fn pairs(seen: &Seen, people: &People, behind: &[Vec<Behind>]) -> Vec<(usize, usize, usize)> {
    let n_columns = people.quasi.len();
    let meet = |a: &[Cell], b: &[Cell]| {
        (0..n_columns).all(|at| match (&a[at], &b[at]) {
            (Cell::Range(low, high), Cell::Range(lower, higher)) => low <= higher && lower <= high,
            _ => true,
        })
    };
    let mut found = Vec::new();
    for a in 0..behind.len() {
        for b in a + 1..behind.len() {
            if !meet(&seen.boxes[a], &seen.boxes[b]) {
                continue;
            }
            let mut columns = (0..n_columns).filter(|&at| behind[a][at].may_be_apart(&behind[b][at]));
            if let (Some(only), None) = (columns.next(), columns.next()) {
                found.push((a, b, only));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deduced(ages: &[&str], groups: &[u32], boxes: &[Cell], knows_ends: bool) -> Deduced {
        let n = ages.len();
        let people = People {
            quasi: vec![Column::new("age", true, ages.iter().copied()).unwrap()],
            secrets: Vec::new(),
            inside: n,
        };
        let seen = Seen {
            person: (0..n as u32).collect(),
            box_of: groups.to_vec(),
            batch_of: groups.to_vec(),
            batches: Vec::new(),
            boxes: boxes.iter().map(|cell| vec![cell.clone()]).collect(),
        };
        attack(&seen, &people, knows_ends, &mut Dice::new(1, 1))
    }

    #[test]
    fn a_neighbour_that_is_exact_tells_both_ends() {
        let ages = ["24", "24", "25", "26", "31", "38"];
        let boxes = [Cell::One(0), Cell::Range(24.0, 26.0), Cell::Range(30.0, 38.0)];
        let found = deduced(&ages, &[0, 0, 1, 1, 2, 2], &boxes, false);
        assert_eq!((found.generalized, found.known, found.wrong), (4, 2, 0));
        // Alone nothing is told.
        let alone = deduced(&ages[2..4], &[0, 0], &boxes[1..2], false);
        assert_eq!((alone.known, alone.wrong), (0, 0));
    }

    #[test]
    fn the_least_code_of_a_list_is_told_to_whoever_knows_it() {
        let codes = ["1", "2", "5", "7"];
        let boxes = [Cell::Range(0.0, 2.0), Cell::Range(4.0, 8.0)];
        let told = deduced(&codes, &[0, 0, 1, 1], &boxes, true);
        assert_eq!((told.generalized, told.wrong), (4, 0));
        assert!(told.known >= 2, "{told:?}");
        assert_eq!(deduced(&codes, &[0, 0, 1, 1], &boxes, false).known, 0);
    }
}
