//! The health sample, after the medical examinations on which the correlation
//! hierarchy paper (section 5, Table 3) experiments: the same quasi-identifiers
//! over the same domains, more men than women, height apart by sex, weight
//! spread wider among the tall, and height independent of the birth year.

use crate::alias::Alias;
use crate::field::{push_last, push_number, push_text};
use crate::rng::Rng;
use crate::shape::{bell, line};
use crate::stream::Rows;

pub(crate) const COLUMNS: [&str; 7] =
    ["birth_year", "sex", "height", "weight", "medical_history", "smoking", "alcohol"];

/// The domains of Table 3, in years, centimetres and kilograms.
const BIRTH_YEARS: std::ops::RangeInclusive<u32> = 1940..=1996;
const HEIGHTS: std::ops::RangeInclusive<u32> = 128..=196;
const WEIGHTS: std::ops::RangeInclusive<u32> = 30..=165;

const SEXES: [&str; 2] = ["M", "F"];
const MALE_SHARE: f64 = 0.6;
const NO_YES: [&str; 2] = ["no", "yes"];
const ALCOHOL: [&str; 3] = ["often", "sometimes", "seldom"];

/// Mean and standard deviation of height, by sex.
const HEIGHT: [(f64, f64); 2] = [(170.5, 6.0), (158.0, 5.5)];

/// The likeliest weight at the mean height, kilograms more per centimetre,
/// and the spread below and above it, by sex. The spread above is the larger,
/// as it is in people.
const WEIGHT: [(f64, f64, f64, f64); 2] = [(64.0, 0.75, 6.5, 11.5), (51.0, 0.55, 5.5, 9.5)];

/// People at work who are sent to an examination, by birth year.
const BIRTH_SHAPE: [(f64, f64); 6] =
    [(1940.0, 0.3), (1948.0, 1.6), (1960.0, 2.2), (1972.0, 2.4), (1988.0, 1.4), (1996.0, 0.2)];

/// The distribution of rows. Conditions on the year come first, then sex.
pub(crate) struct Health {
    year: Alias,
    sex: Alias,
    height: [Alias; 2],
    /// By sex and height.
    weight: [Vec<Alias>; 2],
    history: Vec<Alias>,
    smoking: Vec<[Alias; 2]>,
    /// By year, sex and smoking.
    alcohol: Vec<[[Alias; 2]; 2]>,
}

impl Health {
    pub(crate) fn new() -> Health {
        let years: Vec<f64> = BIRTH_YEARS.map(f64::from).collect();
        let year: Vec<f64> = years.iter().map(|year| line(&BIRTH_SHAPE, *year)).collect();
        Health {
            year: Alias::new(&year),
            sex: Alias::coin(1.0 - MALE_SHARE),
            height: HEIGHT.map(|(mean, deviation)| {
                let weights = HEIGHTS.map(|cm| bell((f64::from(cm) - mean) / deviation));
                Alias::new(&weights.collect::<Vec<f64>>())
            }),
            weight: [0, 1].map(|sex| HEIGHTS.map(|cm| weight_of(sex, cm)).collect()),
            history: years.iter().map(|year| Alias::coin(history(*year))).collect(),
            smoking: years.iter().map(|year| [0, 1].map(|sex| Alias::coin(smoking(*year, sex)))).collect(),
            alcohol: years
                .iter()
                .map(|year| [0, 1].map(|sex| [0, 1].map(|smokes| alcohol(*year, sex, smokes))))
                .collect(),
        }
    }
}

/// The distribution of weight at a height.
fn weight_of(sex: usize, height: u32) -> Alias {
    let (at_mean, per_cm, below, above) = WEIGHT[sex];
    let taller = f64::from(height) - HEIGHT[sex].0;
    let likeliest = at_mean + per_cm * taller;
    let spread = (1.0 + 0.015 * taller).max(0.6);
    let weights = WEIGHTS.map(|kg| {
        let off = f64::from(kg) - likeliest;
        bell(off / (spread * if off < 0.0 { below } else { above }))
    });
    Alias::new(&weights.collect::<Vec<f64>>())
}

/// The chance of a medical history: the older, the likelier.
fn history(year: f64) -> f64 {
    line(&[(1940.0, 0.62), (1960.0, 0.38), (1996.0, 0.10)], year)
}

/// The chance of smoking: mostly a matter of sex, a little of the year.
fn smoking(year: f64, sex: usize) -> f64 {
    let men = line(&[(1940.0, 0.32), (1965.0, 0.44), (1996.0, 0.34)], year);
    let women = line(&[(1940.0, 0.05), (1975.0, 0.13), (1996.0, 0.09)], year);
    [men, women][sex]
}

/// How often people drink: men and smokers more, the young less.
fn alcohol(year: f64, sex: usize, smokes: usize) -> Alias {
    let often = [0.40, 0.10][sex] * [1.0, 1.35][smokes];
    let often = often * line(&[(1940.0, 0.9), (1955.0, 1.15), (1996.0, 0.55)], year);
    let seldom = [0.24, 0.52][sex] * [1.0, 0.8][smokes];
    Alias::new(&[often, 1.0 - often - seldom, seldom])
}

impl Rows for Health {
    #[inline]
    fn push_row(&self, _row: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let year = self.year.draw(rng);
        let sex = self.sex.draw(rng);
        let height = self.height[sex].draw(rng);
        let weight = self.weight[sex][height].draw(rng);
        let smokes = self.smoking[year][sex].draw(rng);
        push_number(out, u64::from(*BIRTH_YEARS.start()) + year as u64);
        out.push(b',');
        push_text(out, SEXES[sex]);
        push_number(out, u64::from(*HEIGHTS.start()) + height as u64);
        out.push(b',');
        push_number(out, u64::from(*WEIGHTS.start()) + weight as u64);
        out.push(b',');
        push_text(out, NO_YES[self.history[year].draw(rng)]);
        push_text(out, NO_YES[smokes]);
        push_last(out, ALCOHOL[self.alcohol[year][sex][smokes].draw(rng)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sample;
    use crate::test_table::{Table, mean};

    #[test]
    fn domains_are_those_of_the_paper() {
        let table = Table::generate(Sample::Health, 100_000, 1);
        let years = table.domain("birth_year");
        assert_eq!((years.len(), years[0], years[56]), (57, "1940", "1996"));
        assert_eq!(table.domain("sex"), ["F", "M"]);
        assert_eq!(table.domain("medical_history"), ["no", "yes"]);
        assert_eq!(table.domain("smoking"), ["no", "yes"]);
        assert_eq!(table.domain("alcohol"), ["often", "seldom", "sometimes"]);
        for (column, range) in [("height", HEIGHTS), ("weight", WEIGHTS)] {
            let outside = table.numbers(column).find(|n| !range.contains(&(*n as u32)));
            assert_eq!(outside, None, "{column}");
        }
    }

    #[test]
    fn height_depends_on_sex() {
        let table = Table::generate(Sample::Health, 100_000, 2);
        for (sex, expected, deviation) in [("M", 170.5, 6.0), ("F", 158.0, 5.5)] {
            let average = table.mean_given("height", ("sex", sex));
            assert!((average - expected).abs() < 0.2, "{sex}: {average}");
            let squares = table.column("sex").zip(table.numbers("height"));
            let squares = squares.filter(|(other, _)| *other == sex);
            let variance = mean(squares.map(|(_, cm)| (cm as f64 - average).powi(2)));
            assert!((variance.sqrt() - deviation).abs() < 0.2, "{sex}: {variance}");
        }
    }

    #[test]
    fn weight_rises_with_height_within_a_sex() {
        let table = Table::generate(Sample::Health, 100_000, 3);
        let weight_at = |sex: &str, cm: i64| {
            let rows = table.column("sex").zip(table.numbers("height"));
            let rows = rows.zip(table.numbers("weight"));
            mean(rows.filter(|((other, height), _)| *other == sex && *height == cm).map(|(_, kg)| kg as f64))
        };
        assert!(weight_at("M", 180) > weight_at("M", 165) + 8.0);
        assert!(weight_at("F", 165) > weight_at("F", 152) + 5.0);
        assert!(weight_at("M", 165) > weight_at("F", 165) + 2.0);
    }

    #[test]
    fn habits_depend_on_sex_and_history_on_birth_year() {
        let table = Table::generate(Sample::Health, 100_000, 4);
        let smoking = |sex| table.share_given("smoking", "yes", ("sex", sex));
        assert!(smoking("M") > 3.0 * smoking("F"));
        let often = |sex| table.share_given("alcohol", "often", ("sex", sex));
        assert!(often("M") > 3.0 * often("F"));
        let history = |year| table.share_given("medical_history", "yes", ("birth_year", year));
        assert!(history("1950") > history("1970") + 0.1);
        assert!(history("1970") > history("1990") + 0.1);
    }
}
