//! The visits sample: a hospital's register, in which people have several rows.
//!
//! Forty rows in a row belong to twelve patients, one of whom comes ten times, so that ten million rows are of three million
//! patients. What is known of a patient (household, birth, sex, place) is the same in all their rows; date, code and cost are
//! those of the visit. Some illnesses stay with a patient, others come and go.

use crate::alias::Alias;
use crate::date::{first_of, push_date};
use crate::field::{push_digits, push_number, push_text};
use crate::rng::{Coins, Rng};
use crate::shape::line;
use crate::stream::Rows;

pub(crate) const COLUMNS: [&str; 9] =
    ["patient", "household", "visit_date", "birth_year", "sex", "zipcode", "code", "cost", "weight"];

/// Visits of each of the patients of a block.
const VISITS: [u64; 12] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 7, 10];

/// Rows of a block.
const BLOCK: u64 = 40;

/// Coprime to [`BLOCK`]: rows of a patient do not lie together.
const STEP: u64 = 27;

const BIRTH_YEARS: std::ops::RangeInclusive<u32> = 1930..=2024;

/// Codes of illnesses in the manner of the international classification, how common each is with the young and with the old,
/// what a visit costs, and whether it stays.
const CODES: [(&str, f64, f64, u64, bool); 24] = [
    ("A09", 4.0, 2.0, 180, false),
    ("B34", 5.0, 2.0, 120, false),
    ("C50", 0.2, 2.0, 4_800, true),
    ("C61", 0.1, 2.2, 4_100, true),
    ("D50", 2.0, 2.5, 260, false),
    ("E10", 0.8, 0.9, 640, true),
    ("E11", 0.4, 7.0, 520, true),
    ("E66", 2.0, 3.0, 310, true),
    ("F20", 0.5, 0.5, 1_900, true),
    ("F32", 3.0, 4.0, 760, true),
    ("G40", 0.8, 0.9, 880, true),
    ("G43", 2.5, 1.5, 210, true),
    ("H25", 0.1, 5.0, 1_700, false),
    ("I10", 0.5, 12.0, 230, true),
    ("I25", 0.1, 6.0, 2_900, true),
    ("I48", 0.1, 4.0, 1_600, true),
    ("J06", 9.0, 4.0, 90, false),
    ("J18", 1.5, 3.5, 2_400, false),
    ("J45", 3.5, 2.0, 340, true),
    ("K35", 1.6, 0.5, 3_700, false),
    ("M54", 4.0, 8.0, 280, false),
    ("N39", 2.0, 4.0, 190, false),
    ("S52", 2.5, 2.5, 1_300, false),
    ("Z00", 8.0, 5.0, 70, false),
];

/// The distribution of rows.
pub(crate) struct Visits {
    /// Coins of what belongs to patients and households, apart from those of rows.
    coins: Coins,
    birth_year: Alias,
    sex: Alias,
    zip_area: Alias,
    zip_rest: Alias,
    /// By decade of birth.
    code: Vec<Alias>,
    /// Percent of the usual cost.
    cost: Alias,
    day: Alias,
}

/// What is the same in all rows of a patient.
struct Patient {
    household: u64,
    birth_year: usize,
    sex: usize,
    zipcode: u32,
    /// The illness that stays.
    lasting: usize,
}

impl Visits {
    pub(crate) fn new(seed: u64) -> Visits {
        let births: Vec<f64> = BIRTH_YEARS
            .map(|year| {
                line(&[(1930.0, 0.4), (1950.0, 1.4), (1975.0, 1.6), (2000.0, 1.0), (2024.0, 0.8)], f64::from(year))
            })
            .collect();
        let decades = (1930..=2020).step_by(10).map(|year| {
            Alias::new(&CODES.map(|(_, young, old, ..)| line(&[(1940.0, old), (2010.0, young)], f64::from(year))))
        });
        Visits {
            coins: Coins::new(seed, u64::MAX),
            birth_year: Alias::new(&births),
            sex: Alias::coin(0.54),
            zip_area: Alias::new(&[5.0, 4.0, 3.0, 2.0, 2.0, 1.0]),
            zip_rest: Alias::new(&(0..60).map(|rank| 1.0 / f64::from(rank + 8)).collect::<Vec<f64>>()),
            code: decades.collect(),
            cost: Alias::new(
                &(40..=260)
                    .map(|percent| line(&[(40.0, 0.2), (95.0, 2.0), (260.0, 0.05)], f64::from(percent)))
                    .collect::<Vec<f64>>(),
            ),
            day: Alias::new(&[1.0; 365]),
        }
    }

    fn patient(&self, number: u64) -> Patient {
        // Of three patients in a row two share a household, and with it the place where they live.
        let household = number / 3 * 2 + u64::from(number % 3 == 2);
        let (mut at_home, mut own) = (self.coins.for_block(2 * household), self.coins.for_block(2 * number + 1));
        let zipcode =
            10_000 + 1_500 * self.zip_area.draw(&mut at_home) as u32 + self.zip_rest.draw(&mut at_home) as u32;
        let (birth_year, sex) = (self.birth_year.draw(&mut own), self.sex.draw(&mut own));
        Patient { household, birth_year, sex, zipcode, lasting: self.code[birth_year / 10].draw(&mut own) }
    }
}

/// The patient of a row.
fn patient_of(row: u64) -> u64 {
    let mut place = row % BLOCK * STEP % BLOCK;
    for (patient, visits) in (0..).zip(VISITS) {
        if place < visits {
            return row / BLOCK * VISITS.len() as u64 + patient;
        }
        place -= visits;
    }
    unreachable!("visits of a block add up to its rows")
}

impl Rows for Visits {
    fn push_row(&self, row: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let number = patient_of(row);
        let patient = self.patient(number);
        let drawn = self.code[patient.birth_year / 10].draw(rng);
        // Who has an illness that stays comes for it two times in three.
        let code = if CODES[patient.lasting].4 && rng.below(3) < 2 { patient.lasting } else { drawn };
        let cost = CODES[code].3 * (40 + self.cost.draw(rng) as u64) / 100;
        out.push(b'P');
        push_digits::<8>(out, (number + 1) as u32);
        out.extend_from_slice(b",H");
        push_digits::<8>(out, (patient.household + 1) as u32);
        out.push(b',');
        push_date(out, first_of(2025, 1) + self.day.draw(rng) as u32);
        out.push(b',');
        push_number(out, u64::from(*BIRTH_YEARS.start()) + patient.birth_year as u64);
        out.push(b',');
        push_text(out, ["M", "F"][patient.sex]);
        push_digits::<5>(out, patient.zipcode);
        out.push(b',');
        push_text(out, CODES[code].0);
        push_number(out, cost);
        // How many people of the country a row of the survey stands for.
        out.push(b',');
        push_number(out, 20 + u64::from(patient.zipcode % 7) * 5 + 3 * patient.sex as u64);
        out.push(b'.');
        push_digits::<2>(out, rng.below(100));
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sample;
    use crate::test_table::Table;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn ten_rows_are_of_three_patients() {
        assert_eq!(VISITS.iter().sum::<u64>(), BLOCK);
        let mut visits: BTreeMap<u64, u64> = BTreeMap::new();
        (0..400).for_each(|row| *visits.entry(patient_of(row)).or_default() += 1);
        assert_eq!((visits.len(), visits.values().max()), (120, Some(&10)));
        let apart = (0..399).filter(|&row| patient_of(row) != patient_of(row + 1)).count();
        assert!(apart > 300, "{apart}");
    }

    #[test]
    fn patients_stay_who_they_are_and_households_live_together() {
        let table = Table::generate(Sample::Visits, 20_000, 4);
        let of = |key: &str, column: &str| {
            let mut seen: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            table.column(key).zip(table.column(column)).for_each(|(key, cell)| {
                seen.entry(key).or_default().insert(cell);
            });
            seen
        };
        for column in ["household", "birth_year", "sex", "zipcode"] {
            assert!(of("patient", column).values().all(|cells| cells.len() == 1), "{column}");
        }
        assert!(of("household", "zipcode").values().all(|cells| cells.len() == 1));
        assert!(of("household", "patient").values().any(|cells| cells.len() == 2));
        assert!(of("patient", "code").values().any(|cells| cells.len() > 2));
        assert_eq!((of("patient", "sex").len(), of("code", "sex").len()), (6_000, CODES.len()));
    }

    #[test]
    fn the_old_have_other_illnesses() {
        let table = Table::generate(Sample::Visits, 100_000, 3);
        let given = |code, year| table.share_given("code", code, ("birth_year", year));
        assert!(given("I10", "1940") > 3.0 * given("I10", "2010"));
        assert!(given("J06", "2010") > 1.5 * given("J06", "1940"));
    }
}
