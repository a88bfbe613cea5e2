//! Which boxes cover whom, for many boxes and many people: a bit for each box and value.

use super::cell::Cell;
use super::people::{Column, People};

const BITS: usize = u64::BITS as usize;

/// For each value of each quasi-identifier the boxes that cover it.
pub struct Cover<'a> {
    columns: &'a [Column],
    /// By column and code, a bit for each box.
    of_code: Vec<Vec<Vec<u64>>>,
}

impl<'a> Cover<'a> {
    /// Looks every value up in every box.
    pub fn new(boxes: &[Vec<Cell>], people: &'a People) -> Self {
        let of_column = |(at, column): (usize, &Column)| {
            let of_value = |code| {
                let mut bits = vec![0; boxes.len().div_ceil(BITS)];
                for (number, cells) in boxes.iter().enumerate() {
                    if cells[at].covers(code, column) {
                        bits[number / BITS] |= 1 << (number % BITS);
                    }
                }
                bits
            };
            (0..column.n_values() as u32).map(of_value).collect()
        };
        Cover { columns: &people.quasi, of_code: people.quasi.iter().enumerate().map(of_column).collect() }
    }

    /// The boxes that cover a person, rising.
    pub fn boxes(&self, person: usize) -> impl Iterator<Item = u32> + use<'_> {
        let of_person: Vec<&[u64]> = (self.columns.iter().zip(&self.of_code))
            .map(|(column, of_code)| &of_code[column.codes[person] as usize][..])
            .collect();
        let words = of_person.first().map_or(0, |bits| bits.len());
        (0..words).flat_map(move |at| {
            let word = of_person.iter().fold(u64::MAX, |all, bits| all & bits[at]);
            (0..BITS).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (at * BITS + bit) as u32)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::cell::covers;
    use crate::attacks::dice::Dice;

    #[test]
    fn the_boxes_of_a_person_are_those_that_cover_the_person() {
        let mut dice = Dice::new(4, 4);
        let column = |dice: &mut Dice, is_number| {
            let texts: Vec<String> = (0..60).map(|_| dice.below(9).to_string()).collect();
            Column::new("c", is_number, texts.iter().map(String::as_str)).unwrap()
        };
        let quasi = vec![column(&mut dice, true), column(&mut dice, false)];
        let people = People { quasi, secrets: Vec::new(), inside: 60 };
        let boxes: Vec<Vec<Cell>> = (0..150)
            .map(|_| {
                let low = dice.below(7) as f64;
                let labels = (0..9).filter(|_| dice.below(2) == 0).collect();
                vec![Cell::Range(low, low + 2.0), Cell::Labels(labels)]
            })
            .collect();
        let cover = Cover::new(&boxes, &people);
        for person in 0..60 {
            let plain = (0..150).filter(|&at| covers(&boxes[at as usize], &people.quasi, person));
            assert!(cover.boxes(person).eq(plain), "{person}");
        }
    }
}
