//! Made-up microdata for demonstrations, tests and benchmarks.
//!
//! The tables the papers experiment on (SAL, OCC, a medical examination) may
//! not be passed on, so this crate makes tables of the same shape: the same
//! columns and domain sizes, skew where the originals are skewed, and columns
//! that depend on each other, because a method that breaks correlations must
//! be seen to break them. No row describes a real person.
//!
//! A table is a function of the sample, the seed and the row number only. The
//! first rows are the same however many are asked for, on however many
//! threads, and on every platform: weights are built from operations that
//! IEEE 754 rounds exactly, never from a system's `exp` or `ln`.
//!
//! # Example
//!
//! ```
//! use scumble_sample::{Sample, write_csv};
//!
//! let sample = Sample::from_name("health").ok_or("no such sample")?;
//! let mut csv = Vec::new();
//! write_csv(sample, 100, 7, &mut csv, &mut |_rows_so_far| {})?;
//! let text = String::from_utf8(csv)?;
//! assert_eq!(text.lines().count(), 101);
//! assert_eq!(text.lines().next(), Some(sample.columns().join(",").as_str()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alias;
mod birthplace;
mod census;
mod date;
mod demography;
mod field;
mod health;
mod income;
mod job;
mod name;
mod occupation;
mod rng;
mod salaries;
mod shape;
mod stream;
#[cfg(test)]
mod test_table;
mod visits;

use std::io::{self, Write};

/// A kind of table this crate can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sample {
    /// People with an income, after the SAL table of the (epsilon, m)-anonymity paper.
    Census,
    /// People with an occupation, after the OCC table of the ANGEL paper.
    Occupation,
    /// A medical examination, after the table of the correlation hierarchy paper.
    Health,
    /// A payroll with names and numbers that identify people outright.
    Salaries,
    /// A register of visits, in which people have several rows.
    Visits,
}

impl Sample {
    /// Every sample, in the order of [`Sample::NAMES`].
    pub const ALL: [Sample; 5] = [Sample::Census, Sample::Occupation, Sample::Health, Sample::Salaries, Sample::Visits];

    /// The names [`Sample::from_name`] knows.
    pub const NAMES: [&'static str; 5] = ["census", "occupation", "health", "salaries", "visits"];

    /// The sample of that name, spelled exactly as in [`Sample::NAMES`].
    pub fn from_name(name: &str) -> Option<Sample> {
        Sample::ALL.into_iter().find(|sample| sample.name() == name)
    }

    /// The name by which [`Sample::from_name`] finds this sample again.
    pub fn name(&self) -> &'static str {
        Sample::NAMES[*self as usize]
    }

    /// One line on what the table holds, for a list of samples.
    pub fn description(&self) -> &'static str {
        match self {
            Sample::Census => {
                "census records with a heaped numeric income, after SAL of the (epsilon, m)-anonymity paper"
            }
            Sample::Occupation => "census records with one of 50 occupations, after OCC of the ANGEL paper",
            Sample::Health => "medical examinations with height and weight, after the correlation hierarchy paper",
            Sample::Salaries => {
                "a payroll with names and numbers to drop, dates, decimal pay and a diagnosis with gaps"
            }
            Sample::Visits => {
                "visits to a hospital: several rows a patient, households, codes of illnesses, costs and weights"
            }
        }
    }

    /// The columns in the order they are written.
    pub fn columns(&self) -> &'static [&'static str] {
        match self {
            Sample::Census => &census::COLUMNS,
            Sample::Occupation => &occupation::COLUMNS,
            Sample::Health => &health::COLUMNS,
            Sample::Salaries => &salaries::COLUMNS,
            Sample::Visits => &visits::COLUMNS,
        }
    }

    /// Keeps samples made with the same seed from sharing their coins, which
    /// would make an age in one table predict a height in another. The bytes
    /// of every table depend on it.
    fn salt(self) -> u64 {
        self as u64 + 1
    }
}

/// Writes a header and `rows` rows of comma-separated text to `out`.
///
/// The bytes depend on `sample`, `rows` and `seed` alone, and fewer rows of
/// the same seed are a prefix of more. Memory depends on the number of threads
/// of the current rayon pool, not on `rows`. Values hold no comma, quote or
/// line break, so nothing is quoted; a missing value is an empty cell.
///
/// `progress` is called from this thread, after each block of rows is handed
/// to `out`, with the number of rows written so far; it is not called when
/// there are no rows. `out` is flushed at the end.
///
/// # Errors
///
/// The first error of `out`; what was written before it stays written.
pub fn write_csv(
    sample: Sample,
    rows: u64,
    seed: u64,
    out: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> io::Result<()> {
    out.write_all(sample.columns().join(",").as_bytes())?;
    out.write_all(b"\n")?;
    let coins = rng::Coins::new(seed, sample.salt());
    match sample {
        Sample::Census => stream::write(&census::Census::new(), rows, coins, out, progress),
        Sample::Occupation => stream::write(&occupation::Occupation::new(), rows, coins, out, progress),
        Sample::Health => stream::write(&health::Health::new(), rows, coins, out, progress),
        Sample::Salaries => stream::write(&salaries::Salaries::new(seed), rows, coins, out, progress),
        Sample::Visits => stream::write(&visits::Visits::new(seed), rows, coins, out, progress),
    }?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_table::{Table, bytes};

    #[test]
    fn names_lead_back_to_their_sample() {
        assert_eq!(Sample::ALL.map(|sample| sample.name()), Sample::NAMES);
        for sample in Sample::ALL {
            assert_eq!(Sample::from_name(sample.name()), Some(sample));
            assert!(!sample.description().is_empty());
        }
        for wrong in ["", "Census", "census ", "sal"] {
            assert_eq!(Sample::from_name(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn no_rows_leave_the_header() {
        for sample in Sample::ALL {
            let header = sample.columns().join(",") + "\n";
            assert_eq!(bytes(sample, 0, 3), header.as_bytes());
        }
    }

    #[test]
    fn every_row_has_every_field_and_needs_no_quotes() {
        for sample in Sample::ALL {
            let text = String::from_utf8(bytes(sample, 20_000, 11)).unwrap();
            assert!(text.is_ascii() && text.ends_with('\n'));
            assert!(!text.contains(['"', '\r', '\t', ';']));
            assert_eq!(text.lines().count(), 20_001);
            for line in text.lines() {
                let fields: Vec<&str> = line.split(',').collect();
                assert_eq!(fields.len(), sample.columns().len(), "{line}");
                assert!(fields.iter().all(|field| field.trim() == *field), "{line}");
            }
        }
    }

    #[test]
    fn only_a_diagnosis_may_be_missing() {
        for sample in Sample::ALL {
            let table = Table::generate(sample, 20_000, 5);
            for column in sample.columns() {
                let gaps = table.column(column).filter(|cell| cell.is_empty()).count();
                assert_eq!(gaps > 0, *column == "diagnosis", "{column}: {gaps}");
            }
        }
    }

    #[test]
    fn same_seed_same_bytes_and_other_seed_other_bytes() {
        for sample in Sample::ALL {
            for seed in [0, 1, 1 << 63, u64::MAX] {
                assert_eq!(bytes(sample, 500, seed), bytes(sample, 500, seed));
                assert_ne!(bytes(sample, 500, seed), bytes(sample, 500, seed.wrapping_add(1)));
            }
        }
    }

    /// Both draw the age first, so only the first row can tell.
    #[test]
    fn samples_of_one_seed_do_not_share_their_coins() {
        let first_age = |sample, seed| Table::generate(sample, 1, seed).numbers("age").next();
        let same =
            (0..200).filter(|seed| first_age(Sample::Census, *seed) == first_age(Sample::Occupation, *seed)).count();
        assert!(same < 20, "{same} of 200 ages agree");
    }

    /// Tests and benchmarks elsewhere rest on the table of a seed, so a change
    /// of its bytes must be a decision; nor may a platform change them.
    #[test]
    fn bytes_stay_as_they_are() {
        let sums = Sample::ALL.map(|sample| fnv1a(&bytes(sample, 20_000, 42)));
        assert_eq!(
            sums,
            [
                11_499_875_573_619_468_812,
                9_554_250_497_885_777_719,
                418_462_905_916_226_277,
                14_752_007_431_488_573_083,
                10_481_615_712_803_278_477,
            ]
        );
    }

    fn fnv1a(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
    }
}
