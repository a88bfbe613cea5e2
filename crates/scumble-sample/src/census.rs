//! The census sample, after the SAL table on which the (epsilon, m)-anonymity
//! paper (section 6) experiments: ages 16 to 93 and a numeric sensitive income
//! from 1,000 to 100,000. Birthplace and occupation are grouped, into 83 and
//! 50, and more columns of the same census are kept.

use crate::birthplace::Origins;
use crate::demography::{Demography, EDUCATIONS, GENDERS, MARITALS};
use crate::field::{push_number, push_text};
use crate::income::Incomes;
use crate::job::{JOBS, WORKCLASSES};
use crate::rng::Rng;
use crate::stream::Rows;

pub(crate) const COLUMNS: [&str; 9] =
    ["age", "gender", "education", "marital", "race", "workclass", "birthplace", "occupation", "income"];

/// The distribution of rows.
pub(crate) struct Census {
    people: Demography,
    origins: Origins,
    incomes: Incomes,
}

impl Census {
    pub(crate) fn new() -> Census {
        Census { people: Demography::new(), origins: Origins::new(), incomes: Incomes::new() }
    }
}

impl Rows for Census {
    #[inline]
    fn push_row(&self, _row: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let person = self.people.draw(rng);
        let origin = self.origins.draw(rng);
        let income = self.incomes.draw(&person, rng);
        push_number(out, u64::from(person.age));
        out.push(b',');
        push_text(out, GENDERS[person.gender]);
        push_text(out, EDUCATIONS[person.education]);
        push_text(out, MARITALS[person.marital]);
        push_text(out, origin.race);
        push_text(out, WORKCLASSES[person.workclass]);
        push_text(out, origin.birthplace);
        push_text(out, JOBS[person.job].label);
        push_number(out, u64::from(income));
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use crate::Sample;
    use crate::test_table::{Table, mean};

    #[test]
    fn domains_have_their_sizes() {
        let table = Table::generate(Sample::Census, 200_000, 1);
        for (column, size) in [
            ("age", 78),
            ("gender", 2),
            ("education", 17),
            ("marital", 6),
            ("race", 9),
            ("workclass", 10),
            ("birthplace", 83),
            ("occupation", 50),
        ] {
            assert_eq!(table.domain(column).len(), size, "{column}");
        }
        assert_eq!(table.domain("age")[0], "16");
        assert_eq!(table.domain("age")[77], "93");
    }

    #[test]
    fn age_has_the_quartiles_of_sal() {
        for seed in 0..3 {
            let table = Table::generate(Sample::Census, 100_000, seed);
            let mut ages: Vec<i64> = table.numbers("age").collect();
            ages.sort_unstable();
            assert_eq!([25_000, 50_000, 75_000].map(|at| ages[at]), [34, 43, 53]);
        }
    }

    #[test]
    fn gender_is_52_to_48() {
        let table = Table::generate(Sample::Census, 100_000, 2);
        let male = table.share("gender", "male");
        assert!((male - 0.52).abs() < 0.01, "{male}");
    }

    #[test]
    fn education_depends_on_age_and_gender() {
        let table = Table::generate(Sample::Census, 100_000, 3);
        let bachelor = |age| table.share_given("education", "bachelor", ("age", age));
        assert_eq!(bachelor("17"), 0.0);
        assert!(bachelor("30") > bachelor("70") + 0.04);
        let doctorate = |gender| table.share_given("education", "doctorate", ("gender", gender));
        assert!(doctorate("male") > 1.5 * doctorate("female"));
    }

    #[test]
    fn occupation_depends_on_education() {
        let table = Table::generate(Sample::Census, 100_000, 4);
        let given = |job, level| table.share_given("occupation", job, ("education", level));
        assert!(given("physician", "professional") > 0.1);
        assert_eq!(given("physician", "high school"), 0.0);
        assert!(given("mechanic", "high school") > 10.0 * given("mechanic", "master"));
    }

    #[test]
    fn the_widowed_are_old() {
        let table = Table::generate(Sample::Census, 100_000, 5);
        let age = |marital| table.mean_given("age", ("marital", marital));
        let all = mean(table.numbers("age").map(|age| age as f64));
        assert!(age("widowed") > all + 8.0);
        assert!(age("never married") < all - 5.0);
    }
}
