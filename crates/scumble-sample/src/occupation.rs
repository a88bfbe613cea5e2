//! The occupation sample, after the OCC table on which the ANGEL paper
//! (section 6) experiments: the same six columns in the same order with the
//! same domain sizes, 6, 10, 17, 2, 78 and 50, occupation being sensitive.

use crate::demography::{Demography, EDUCATIONS, GENDERS, MARITALS};
use crate::field::{push_last, push_number, push_text};
use crate::job::{JOBS, WORKCLASSES};
use crate::rng::Rng;
use crate::stream::Rows;

pub(crate) const COLUMNS: [&str; 6] = ["marital", "workclass", "education", "gender", "age", "occupation"];

/// The distribution of rows.
pub(crate) struct Occupation {
    people: Demography,
}

impl Occupation {
    pub(crate) fn new() -> Occupation {
        Occupation { people: Demography::new() }
    }
}

impl Rows for Occupation {
    #[inline]
    fn push_row(&self, _row: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let person = self.people.draw(rng);
        push_text(out, MARITALS[person.marital]);
        push_text(out, WORKCLASSES[person.workclass]);
        push_text(out, EDUCATIONS[person.education]);
        push_text(out, GENDERS[person.gender]);
        push_number(out, u64::from(person.age));
        out.push(b',');
        push_last(out, JOBS[person.job].label);
    }
}

#[cfg(test)]
mod tests {
    use crate::Sample;
    use crate::test_table::Table;

    #[test]
    fn domains_have_the_sizes_of_occ() {
        let table = Table::generate(Sample::Occupation, 300_000, 1);
        let sizes: Vec<usize> = Sample::Occupation.columns().iter().map(|column| table.domain(column).len()).collect();
        assert_eq!(sizes, [6, 10, 17, 2, 78, 50]);
    }

    /// The ANGEL paper publishes with 10-diversity, which no table allows
    /// where one value takes more than a tenth.
    #[test]
    fn no_occupation_is_too_common_for_10_diversity() {
        let table = Table::generate(Sample::Occupation, 100_000, 2);
        let largest = table.largest_share("occupation");
        assert!(largest < 0.08, "{largest}");
    }

    #[test]
    fn occupation_depends_on_every_other_column() {
        let table = Table::generate(Sample::Occupation, 100_000, 3);
        let given = |job, column, cell| table.share_given("occupation", job, (column, cell));
        assert!(given("secretary", "gender", "female") > 10.0 * given("secretary", "gender", "male"));
        assert!(given("manager", "education", "master") > 3.0 * given("manager", "education", "grade 9"));
        assert!(given("cashier", "age", "19") > 1.8 * given("cashier", "age", "50"));
        assert!(given("soldier", "workclass", "armed forces") > 0.99);
        let waiter = |marital| given("waiter", "marital", marital);
        assert!(waiter("never married") > 1.15 * waiter("married"));
    }
}
