//! The method on six people who do not exist.
//!
//! The example is fixed: it is the same in every report and gives no real person away.

use crate::method::Method;
use crate::page::{Note, Page};
use crate::table::Table;
use crate::text::Text;

struct Person {
    name: &'static str,
    age: &'static str,
    postcode: &'static str,
    illness: &'static str,
    pay: &'static str,
}

/// Two groups of three: the first three people and the last three.
const PEOPLE: [Person; 6] = [
    Person { name: "Ada Quill", age: "23", postcode: "5017", illness: "asthma", pay: "2100" },
    Person { name: "Bruno Marsh", age: "27", postcode: "5013", illness: "flu", pay: "3400" },
    Person { name: "Cleo Finch", age: "25", postcode: "5019", illness: "ulcer", pay: "2700" },
    Person { name: "Dario Stone", age: "58", postcode: "5104", illness: "flu", pay: "4200" },
    Person { name: "Edda Lake", age: "51", postcode: "5108", illness: "migraine", pay: "2900" },
    Person { name: "Falk Reed", age: "54", postcode: "5102", illness: "asthma", pay: "3600" },
];

const BY_AGE: [usize; 6] = [0, 0, 0, 1, 1, 1];

pub(super) fn write(page: &mut Page, method: Method) {
    page.section("An invented example").note(
        Note::Remark,
        "These people do not exist",
        "The six rows below are made up and the same in every report. They are not from the data of this release and \
         only show what the method does.",
    );
    match method {
        Method::Generalize | Method::Other => generalized(page),
        Method::Permute => permuted(page),
        Method::Anatomy => anatomy(page),
        Method::Angel => angel(page),
    }
}

/// The table that is never published. Rows of one group have one tint, given for each of the people.
fn before(sensitive: &str, tints: [usize; 6], value: impl Fn(&Person) -> &'static str) -> Table {
    let mut table = Table::new("Before (invented)", &["Name", "Age", "Postcode", sensitive]).named_rows();
    for (person, tint) in PEOPLE.iter().zip(tints) {
        table.row_in_band(tint, [person.name.into(), person.age.into(), person.postcode.into(), value(person).into()]);
    }
    table
}

fn coded<const N: usize>(cells: [&str; N]) -> [Text; N] {
    cells.map(|cell| Text::new().code(cell))
}

fn generalized(page: &mut Page) {
    page.table(&before("Illness", BY_AGE, |person| person.illness));
    let mut after = Table::new("After (invented)", &["Group", "Age", "Postcode", "Illness"]);
    for illness in ["flu", "asthma", "migraine"] {
        after.row_in_band(1, coded(["1", "[51,58]", "[5102,5108]", illness]));
    }
    for illness in ["ulcer", "asthma", "flu"] {
        after.row_in_band(0, coded(["2", "[23,27]", "[5013,5019]", illness]));
    }
    page.table(&after).paragraph(
        "Names are left out. Ages and postcodes of each group became the range that covers them all. Somebody who knows \
         that Ada is 23 and lives in 5017 finds group 2 and in it three illnesses; which of them is hers the table does \
         not say. (The rows of a group stand together here to be seen together; in a release their order is random.)",
    );
}

fn permuted(page: &mut Page) {
    page.table(&before("Pay", BY_AGE, |person| person.pay));
    let mut after =
        Table::new("After, two files side by side (invented)", &["Tuple", "Age", "Postcode", "Pay", "Group"]);
    for (tuple, i, pay) in
        [("4", 4, "3600"), ("1", 5, "4200"), ("6", 3, "2900"), ("2", 2, "2100"), ("5", 0, "3400"), ("3", 1, "2700")]
    {
        let person: &Person = &PEOPLE[i];
        let group = if i < 3 { "2" } else { "1" };
        after.row_in_band(i / 3, coded([tuple, person.age, person.postcode, pay, group]));
    }
    page.table(&after).paragraph(
        "Names are left out; ages and postcodes are exact. Inside each group the figures of pay were shuffled. Somebody \
         who knows that Ada is 23 and lives in 5017 finds her row, and with it that she is in the data; but her pay may be \
         any of the three in group 2, between 2100 and 3400. Sums and means over whole groups are still exact.",
    );
}

fn anatomy(page: &mut Page) {
    page.table(&before("Illness", BY_AGE, |person| person.illness));
    let mut people = Table::new("After, the first table (invented)", &["Group", "Age", "Postcode"]);
    for i in [4, 5, 3, 2, 0, 1] {
        let person: &Person = &PEOPLE[i];
        people.row_in_band(i / 3, coded([if i < 3 { "2" } else { "1" }, person.age, person.postcode]));
    }
    page.table(&people)
        .table(&counts("Group", [("1", 1, ["asthma", "flu", "migraine"]), ("2", 0, ["asthma", "flu", "ulcer"])]));
    page.paragraph(
        "Names are left out; ages and postcodes are exact. Somebody who knows that Ada is 23 and lives in 5017 finds her \
         row, and with it that she is in the data; but her illness may be any of the three that group 2 has in the second \
         table.",
    );
}

fn angel(page: &mut Page) {
    page.table(&before("Illness", [0, 0, 1, 1, 0, 1], |person| person.illness));
    let mut people = Table::new("After, the first table (invented)", &["Age", "Postcode", "Batch"]);
    for (band, age, postcode, batch) in [
        (0, "[51,58]", "[5102,5108]", "1"),
        (1, "[51,58]", "[5102,5108]", "2"),
        (1, "[51,58]", "[5102,5108]", "2"),
        (1, "[23,27]", "[5013,5019]", "2"),
        (0, "[23,27]", "[5013,5019]", "1"),
        (0, "[23,27]", "[5013,5019]", "1"),
    ] {
        people.row_in_band(band, coded([age, postcode, batch]));
    }
    page.table(&people)
        .table(&counts("Batch", [("1", 0, ["asthma", "flu", "migraine"]), ("2", 1, ["asthma", "flu", "ulcer"])]));
    page.paragraph(
        "Names are left out. Ages and postcodes became ranges, and each row names a batch; the batches cut across the \
         ranges. Somebody who knows that Ada is 23 and lives in 5017 finds three rows that fit, two of batch 1 and one of \
         batch 2, and in these batches four different illnesses.",
    );
}

fn counts(group: &str, groups: [(&str, usize, [&str; 3]); 2]) -> Table {
    let mut table = Table::new("After, the second table (invented)", &[group, "Illness", "Count"]).figures_in(&[2]);
    for (number, band, illnesses) in groups {
        for illness in illnesses {
            table.row_in_band(band, coded([number, illness, "1"]));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_cover_the_people() {
        for (group, ages, postcodes) in [(0, 23..=27, 5013..=5019), (1, 51..=58, 5102..=5108)] {
            for person in &PEOPLE[group * 3..group * 3 + 3] {
                assert!(person.age.parse().is_ok_and(|age: u32| ages.contains(&age)));
                assert!(person.postcode.parse().is_ok_and(|postcode: u32| postcodes.contains(&postcode)));
            }
        }
    }

    #[test]
    fn every_method_has_its_example() {
        for method in [Method::Generalize, Method::Permute, Method::Anatomy, Method::Angel, Method::Other] {
            let mut page = Page::new("t");
            write(&mut page, method);
            let html = page.finish();
            assert!(html.contains("These people do not exist") && html.contains("Before (invented)"));
            assert!(html.contains("After"));
        }
    }
}
