//! The salaries sample: a payroll as it leaves the office, with columns that
//! name people outright and must be dropped, dates, codes with leading zeros,
//! decimal pay and a sensitive diagnosis that is sometimes missing.

use crate::alias::Alias;
use crate::date::{first_of, push_date};
use crate::field::{push_digits, push_last, push_number, push_text};
use crate::name::{FAMILY, GIVEN};
use crate::rng::{Rng, mix};
use crate::shape::{bell, line};
use crate::stream::Rows;

pub(crate) const COLUMNS: [&str; 10] =
    ["name", "ssn", "email", "birth_date", "zipcode", "sex", "department", "hire_date", "salary", "diagnosis"];

/// The payroll is of 2025-12-31; a fixed day keeps the table the same forever.
const PAYROLL_DAY: u32 = first_of(2026, 1) - 1;

const BIRTH_YEARS: std::ops::RangeInclusive<u32> = 1958..=2006;

/// People are hired from this age in days on, which is 18 years or a day more.
const DAYS_TO_HIRE: u32 = 6_575;

const SEXES: [&str; 2] = ["M", "F"];

/// Name, weight, part of women, and monthly pay at entry.
const DEPARTMENTS: [(&str, f64, f64, u64); 10] = [
    ("engineering", 18.0, 0.24, 6_200),
    ("operations", 16.0, 0.38, 3_700),
    ("sales", 15.0, 0.46, 4_300),
    ("support", 13.0, 0.55, 3_400),
    ("facilities", 8.0, 0.30, 2_900),
    ("finance", 8.0, 0.52, 5_200),
    ("marketing", 7.0, 0.60, 4_600),
    ("research", 7.0, 0.42, 6_600),
    ("human resources", 5.0, 0.72, 4_100),
    ("legal", 3.0, 0.50, 7_100),
];

/// The first three digits of the zip codes; several begin with a zero, which a
/// reader that takes the column for numbers would lose.
const ZIP_AREAS: [u32; 20] =
    [21, 606, 100, 941, 770, 10, 981, 303, 68, 191, 850, 554, 48, 331, 802, 5, 482, 972, 705, 631];

/// Name, weight among the young and among the old, and part of women.
const DIAGNOSES: [(&str, f64, f64, f64); 18] = [
    ("flu", 10.0, 6.0, 0.5),
    ("hypertension", 2.0, 12.0, 0.47),
    ("back pain", 7.0, 9.0, 0.5),
    ("allergy", 9.0, 4.0, 0.52),
    ("migraine", 7.0, 4.0, 0.74),
    ("bronchitis", 6.0, 6.0, 0.5),
    ("gastritis", 6.0, 6.0, 0.48),
    ("diabetes", 2.0, 9.0, 0.45),
    ("asthma", 6.0, 4.0, 0.55),
    ("anxiety", 7.0, 4.0, 0.62),
    ("depression", 6.0, 5.0, 0.62),
    ("arthritis", 1.0, 8.0, 0.58),
    ("heart disease", 0.5, 7.0, 0.35),
    ("anemia", 4.0, 2.0, 0.8),
    ("thyroid disorder", 2.0, 4.0, 0.78),
    ("pneumonia", 2.0, 2.5, 0.46),
    ("ulcer", 1.5, 2.5, 0.42),
    ("gout", 0.5, 3.0, 0.2),
];

/// How many in a thousand have no diagnosis on file.
const MISSING_PERMILLE: u32 = 20;

/// Numbers with area 900 to 999 are never issued; groups 50 to 99 of those
/// areas do serve as taxpayer numbers, so only groups 1 to 49 are used, with
/// serials 1 to 9999.
const N_SSN: u64 = 100 * 49 * 9_999;

/// A prime near the golden section of [`N_SSN`], to which it is coprime: its
/// multiples visit every number once before one returns.
const SSN_STEP: u64 = 30_280_637;

/// The distribution of rows.
pub(crate) struct Salaries {
    ssn_start: u64,
    sex: Alias,
    given: Alias,
    family: Alias,
    birth_year: Alias,
    zip_area: Alias,
    zip_rest: Alias,
    department: [Alias; 2],
    merit: Alias,
    /// By decade of age, then sex.
    diagnosis: Vec<[Alias; 2]>,
}

impl Salaries {
    pub(crate) fn new(seed: u64) -> Salaries {
        let births: Vec<f64> =
            BIRTH_YEARS.map(|year| line(&[(1958.0, 0.3), (1985.0, 1.5), (2006.0, 0.5)], f64::from(year))).collect();
        let departments = DEPARTMENTS.map(|(_, weight, women, _)| [weight * (1.0 - women), weight * women]);
        // Merit is in percent of the pay others have, from 60 to 160.
        let merit: Vec<f64> = (60..=160).map(|percent| bell((f64::from(percent) - 100.0) / 16.0)).collect();
        Salaries {
            ssn_start: mix(seed) % N_SSN,
            sex: Alias::coin(0.45),
            given: zipf(GIVEN[0].len(), 12),
            family: zipf(FAMILY.len(), 8),
            birth_year: Alias::new(&births),
            zip_area: zipf(ZIP_AREAS.len(), 2),
            zip_rest: zipf(100, 10),
            department: [0, 1].map(|sex| Alias::new(&departments.map(|by_sex| by_sex[sex]))),
            merit: Alias::new(&merit),
            diagnosis: (0..=6).map(|decade| [0, 1].map(|sex| diagnosis_at(decade, sex))).collect(),
        }
    }
}

/// Zipf's law with its first `flat` ranks levelled off.
fn zipf(n: usize, flat: usize) -> Alias {
    let weights: Vec<f64> = (0..n).map(|rank| 1.0 / (rank + flat) as f64).collect();
    Alias::new(&weights)
}

/// Diagnoses between the young of 20 and the old of 65.
fn diagnosis_at(decade: u32, sex: usize) -> Alias {
    let age = f64::from(decade * 10 + 5);
    Alias::new(
        &DIAGNOSES.map(|(_, young, old, women)| line(&[(20.0, young), (65.0, old)], age) * [1.0 - women, women][sex]),
    )
}

impl Rows for Salaries {
    fn push_row(&self, row: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let sex = self.sex.draw(rng);
        let given = GIVEN[sex][self.given.draw(rng)];
        let family = FAMILY[self.family.draw(rng)];
        out.extend_from_slice(given.as_bytes());
        out.push(b' ');
        push_text(out, family);
        self.push_ssn(row, out);
        push_email(given, family, row, out);

        let year = BIRTH_YEARS.start() + self.birth_year.draw(rng) as u32;
        let first = first_of(year, 1);
        let birth = first + rng.below(first_of(year + 1, 1) - first);
        push_date(out, birth);
        out.push(b',');
        push_digits::<3>(out, ZIP_AREAS[self.zip_area.draw(rng)]);
        push_digits::<2>(out, self.zip_rest.draw(rng) as u32);
        out.push(b',');
        push_text(out, SEXES[sex]);
        let department = self.department[sex].draw(rng);
        push_text(out, DEPARTMENTS[department].0);

        // Most were hired in recent years: the larger of two draws.
        let hirable = birth + DAYS_TO_HIRE;
        let span = PAYROLL_DAY - hirable + 1;
        let hired = hirable + rng.below(span).max(rng.below(span));
        push_date(out, hired);
        out.push(b',');
        self.push_salary(department, sex, PAYROLL_DAY - hired, rng, out);

        let age = (PAYROLL_DAY - birth) / 365;
        let found = self.diagnosis[(age / 10) as usize][sex].draw(rng);
        let missing = rng.chance(MISSING_PERMILLE);
        push_last(out, if missing { "" } else { DIAGNOSES[found].0 });
    }
}

impl Salaries {
    /// A number that no other row has within the first 48,995,100 rows.
    fn push_ssn(&self, row: u64, out: &mut Vec<u8>) {
        let number = (self.ssn_start + row % N_SSN * SSN_STEP) % N_SSN;
        push_digits::<3>(out, 900 + (number / (49 * 9_999)) as u32);
        out.push(b'-');
        push_digits::<2>(out, 1 + (number / 9_999 % 49) as u32);
        out.push(b'-');
        push_digits::<4>(out, 1 + (number % 9_999) as u32);
        out.push(b',');
    }

    /// Monthly pay: by department, two percent more for each year of service,
    /// a little less for women, as payrolls show, and by merit.
    fn push_salary(&self, department: usize, sex: usize, days: u32, rng: &mut Rng, out: &mut Vec<u8>) {
        let service = 100 + 2 * u64::from(days / 365);
        let merit = 60 + self.merit.draw(rng) as u64;
        let pay = DEPARTMENTS[department].3 * service * merit * [100, 94][sex] / 1_000_000;
        push_number(out, pay);
        out.push(b'.');
        // Pay is agreed in whole or half units more often than not.
        let cents = match rng.below(10) {
            0..5 => 0,
            5..7 => 50,
            _ => rng.below(100),
        };
        push_digits::<2>(out, cents);
        out.push(b',');
    }
}

/// An address under a domain reserved for examples; the number of the row
/// keeps namesakes apart.
fn push_email(given: &str, family: &str, row: u64, out: &mut Vec<u8>) {
    let from = out.len();
    out.extend_from_slice(given.as_bytes());
    out.push(b'.');
    out.extend_from_slice(family.as_bytes());
    out[from..].make_ascii_lowercase();
    push_number(out, row);
    push_text(out, "@example.com");
}

#[cfg(test)]
#[path = "salaries_tests.rs"]
mod tests;
