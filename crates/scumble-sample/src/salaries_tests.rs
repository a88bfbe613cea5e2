//! Tests of the salaries sample, in a file of their own for its length.

use super::*;
use crate::Sample;
use crate::test_table::{Table, mean};

#[test]
fn identifiers_differ_from_row_to_row() {
    let table = Table::generate(Sample::Salaries, 100_000, u64::MAX);
    assert_eq!(table.domain("ssn").len(), 100_000);
    assert_eq!(table.domain("email").len(), 100_000);
    let names = table.domain("name").len();
    assert!(names > 8_000 && names < 100_000, "{names}");
}

#[test]
fn ssn_step_visits_every_number() {
    let (mut a, mut b) = (N_SSN, SSN_STEP);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    assert_eq!(a, 1);
}

#[test]
fn ssn_was_never_issued() {
    let salaries = Salaries::new(0);
    let rows = [0, 1, 12_345, N_SSN - 1, N_SSN, u64::MAX];
    let table = Table::generate(Sample::Salaries, 50_000, 1);
    let mut cells: Vec<String> = table.column("ssn").map(str::to_owned).collect();
    for row in rows {
        let mut out = Vec::new();
        salaries.push_ssn(row, &mut out);
        cells.push(String::from_utf8(out).unwrap().replace(',', ""));
    }
    for cell in cells {
        let parts: Vec<&str> = cell.split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [3, 2, 4]);
        let parts: Vec<u32> = parts.iter().map(|part| part.parse().unwrap()).collect();
        assert!((900..=999).contains(&parts[0]), "{cell}");
        assert!((1..=49).contains(&parts[1]), "{cell}");
        assert!((1..=9_999).contains(&parts[2]), "{cell}");
    }
}

#[test]
fn dates_are_iso_and_in_order() {
    let table = Table::generate(Sample::Salaries, 50_000, 2);
    for (birth, hire) in table.column("birth_date").zip(table.column("hire_date")) {
        for date in [birth, hire] {
            assert_eq!(date.len(), 10, "{date}");
            assert_eq!((&date[4..5], &date[7..8]), ("-", "-"));
            let month: u32 = date[5..7].parse().unwrap();
            let day: u32 = date[8..].parse().unwrap();
            assert!((1..=12).contains(&month) && (1..=31).contains(&day), "{date}");
        }
        assert!(("1958-01-01"..="2006-12-31").contains(&birth), "{birth}");
        assert!(hire <= "2025-12-31", "{hire}");
        // ISO dates compare as text: hired on or after the 18th birthday.
        let grown = birth[..4].parse::<u32>().unwrap() + 18;
        assert!(hire >= format!("{grown}{}", &birth[4..]).as_str(), "{birth} {hire}");
    }
    let days = table.domain("birth_date").len();
    assert!(days > 15_000, "{days}");
}

#[test]
fn zip_codes_have_five_digits_and_some_lead_with_zero() {
    let table = Table::generate(Sample::Salaries, 20_000, 3);
    for zip in table.column("zipcode") {
        assert!(zip.len() == 5 && zip.bytes().all(|byte| byte.is_ascii_digit()), "{zip}");
    }
    let leading = mean(table.column("zipcode").map(|zip| f64::from(zip.starts_with('0'))));
    assert!(leading > 0.1 && leading < 0.5, "{leading}");
}

#[test]
fn salary_has_two_decimals_and_depends_on_department_and_service() {
    let table = Table::generate(Sample::Salaries, 50_000, 4);
    for cell in table.column("salary") {
        let (whole, cents) = cell.split_once('.').unwrap();
        assert_eq!(cents.len(), 2, "{cell}");
        assert!((1_000..40_000).contains(&whole.parse::<u32>().unwrap()), "{cell}");
    }
    let pay = |department| table.mean_given("salary", ("department", department));
    assert!(pay("legal") > 1.5 * pay("facilities"));
    let in_years = |years: std::ops::Range<i32>| {
        let rows = table.column("hire_date").zip(table.column("salary"));
        let rows = rows.filter(|(date, _)| years.contains(&date[..4].parse().unwrap()));
        mean(rows.map(|(_, cell)| cell.parse().unwrap()))
    };
    assert!(in_years(1985..2005) > 1.2 * in_years(2020..2026));
}

#[test]
fn diagnosis_is_missing_at_2_percent_and_depends_on_age_and_sex() {
    let table = Table::generate(Sample::Salaries, 100_000, 5);
    // One more than the list for the empty cell.
    assert_eq!(table.domain("diagnosis").len(), DIAGNOSES.len() + 1);
    let missing = table.share("diagnosis", "");
    assert!((missing - 0.02).abs() < 0.003, "{missing}");
    assert!(table.largest_share("diagnosis") < 0.12);
    let migraine = |sex| table.share_given("diagnosis", "migraine", ("sex", sex));
    assert!(migraine("F") > 2.0 * migraine("M"));
    let age_of = |found: &str| {
        let rows = table.column("birth_date").zip(table.column("diagnosis"));
        let rows = rows.filter(|(_, cell)| *cell == found);
        mean(rows.map(|(date, _)| 2025.0 - date[..4].parse::<f64>().unwrap()))
    };
    assert!(age_of("heart disease") > age_of("allergy") + 6.0);
}

#[test]
fn given_names_and_departments_depend_on_sex() {
    let table = Table::generate(Sample::Salaries, 50_000, 6);
    for (name, sex) in table.column("name").zip(table.column("sex")) {
        let given = name.split(' ').next().unwrap();
        assert!(GIVEN[usize::from(sex == "F")].contains(&given), "{name} {sex}");
    }
    let share = |sex| table.share_given("department", "engineering", ("sex", sex));
    assert!(share("M") > 1.8 * share("F"));
}
