//! A year's income as people report it: skewed to the right and heaped on
//! round figures.

use crate::alias::Alias;
use crate::demography::{FEMALE, Person};
use crate::job::JOBS;
use crate::rng::Rng;

/// The domain of SAL's income, in thousands.
const LEAST: u32 = 1;
const MOST: u32 = 100;

/// Typical income by level of education, in thousands, before the rest is
/// taken into account; it never falls from one level to the next.
const BY_EDUCATION: [u64; 17] = [20, 21, 22, 23, 24, 25, 26, 28, 33, 35, 37, 39, 40, 47, 54, 60, 62];

/// Parts of a hundred by age band.
const BY_AGE: [u64; 6] = [28, 52, 76, 100, 118, 98];

/// Parts of a hundred for women; men have a hundred.
const FEMALE_PAY: u64 = 78;

/// How many times likelier than its neighbours a round figure is.
const TEN_THOUSANDS: f64 = 4.0;
const FIVE_THOUSANDS: f64 = 2.2;

/// Mean incomes are told apart in steps of this many thousands.
const STEP: u64 = 2;

/// One distribution over whole thousands for each step of the mean.
pub(crate) struct Incomes {
    by_mean: Vec<Alias>,
}

impl Incomes {
    pub(crate) fn new() -> Incomes {
        let steps = u64::from(MOST) / STEP;
        Incomes { by_mean: (0..=steps).map(|step| Alias::new(&weights((step * STEP + 1) as f64))).collect() }
    }

    /// An income of a person like this one.
    #[inline]
    pub(crate) fn draw(&self, person: &Person, rng: &mut Rng) -> u32 {
        let gender = if person.gender == FEMALE { FEMALE_PAY } else { 100 };
        let mean = BY_EDUCATION[person.education] * gender * BY_AGE[person.band] * JOBS[person.job].pay / 1_000_000;
        let step = ((mean / STEP) as usize).min(self.by_mean.len() - 1);
        let thousands = LEAST + self.by_mean[step].draw(rng) as u32;
        // Most people name thousands, some hundreds, and a few know the figure.
        let income = match rng.below(100) {
            0..72 => thousands * 1000,
            72..90 => thousands * 1000 + 400 - 100 * rng.below(10),
            _ => thousands * 1000 + 499 - rng.below(1000),
        };
        income.clamp(LEAST * 1000, MOST * 1000)
    }
}

/// The gamma distribution of shape 2.5 with the given mean, over whole
/// thousands, with the heaps on top.
fn weights(mean: f64) -> Vec<f64> {
    (LEAST..=MOST)
        .map(|thousands| {
            let x = f64::from(thousands) / mean;
            let heap = match thousands {
                _ if thousands % 10 == 0 => TEN_THOUSANDS,
                _ if thousands % 5 == 0 => FIVE_THOUSANDS,
                _ => 1.0,
            };
            heap * x * x.sqrt() * crate::shape::decay(2.5 * x)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::Sample;
    use crate::test_table::{Table, mean};

    fn incomes(table: &Table) -> Vec<i64> {
        let mut incomes: Vec<i64> = table.numbers("income").collect();
        incomes.sort_unstable();
        incomes
    }

    #[test]
    fn lies_in_the_domain_of_sal_and_fills_it() {
        let table = Table::generate(Sample::Census, 100_000, 3);
        let incomes = incomes(&table);
        assert_eq!(incomes[0], 1_000);
        assert_eq!(incomes[incomes.len() - 1], 100_000);
        let mut distinct = incomes;
        distinct.dedup();
        assert!(distinct.len() > 5_000, "{}", distinct.len());
    }

    #[test]
    fn heaps_on_round_figures() {
        let table = Table::generate(Sample::Census, 100_000, 4);
        let incomes = incomes(&table);
        let part = |step| mean(incomes.iter().map(|income| f64::from(income % step == 0)));
        // Even spread would give 0.001, 0.2 and 0.1.
        assert!(part(1_000) > 0.7);
        assert!(part(5_000) > 0.3 * part(1_000));
        assert!(part(10_000) > 0.18 * part(1_000));
        let exactly = |income| incomes.iter().filter(|other| **other == income).count();
        assert!(exactly(30_000) > 3 * exactly(31_000));
        assert!(exactly(25_000) as f64 > 1.7 * exactly(24_000) as f64);
    }

    #[test]
    fn rises_with_education_and_age_and_differs_by_gender() {
        let table = Table::generate(Sample::Census, 100_000, 5);
        let by = |level| table.mean_given("income", ("education", level));
        let means = ["grade 5-6", "high school", "bachelor", "professional"].map(by);
        assert!(means.windows(2).all(|pair| pair[0] * 1.15 < pair[1]), "{means:?}");
        let [men, women] = ["male", "female"].map(|gender| table.mean_given("income", ("gender", gender)));
        assert!(men > 1.15 * women, "{men} {women}");
        let [young, grown] = ["20", "45"].map(|age| table.mean_given("income", ("age", age)));
        assert!(grown > 1.5 * young, "{young} {grown}");
    }

    /// The experiments of the (epsilon, m)-anonymity paper ask for absolute
    /// epsilon 4500 with m up to 7 and for relative epsilon 0.125. By its
    /// Theorem 1 a table allows that exactly if no window of such a length to
    /// either side of an income holds more than one in m of all.
    #[test]
    fn leaves_room_for_the_requirements_of_the_paper() {
        let table = Table::generate(Sample::Census, 100_000, 6);
        let incomes = incomes(&table);
        let fullest = |below: &dyn Fn(i64) -> i64, above: &dyn Fn(i64) -> i64| {
            let within = |from: i64, to: i64| {
                incomes.partition_point(|income| *income <= to) - incomes.partition_point(|income| *income < from)
            };
            (1_000..=100_000).step_by(100).map(|at| within(below(at), at).max(within(at, above(at)))).max()
        };
        let absolute = fullest(&|at| at - 4_500, &|at| at + 4_500).unwrap();
        assert!(absolute * 7 <= incomes.len(), "{absolute}");
        let relative = fullest(&|at| at - at / 8, &|at| at + at / 8).unwrap();
        assert!(relative * 7 <= incomes.len(), "{relative}");
    }
}
