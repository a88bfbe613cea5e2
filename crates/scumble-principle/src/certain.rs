//! Values that exact quasi-identifiers give away where people have several rows.
//!
//! Where every row shows its exact quasi-identifiers, a reader sees how many rows of a group are one person's. Take a group of N rows,
//! n of them one person's and c of them with one value. If c + n > N, the rows of the others are fewer than c, and however the
//! values are dealt out, the person gets this value at least once: it is certain. If c + n <= N, the others can have it c
//! times, and the person need not have it at all. So nothing is certain of anybody exactly if the most rows that a person has and the most rows
//! that a value has are together no more than N.
//!
//! Groups that pass also pass together: the most of both is at most the sum of the most of each. And whatever all rows
//! together fail, some group of every division fails, since c + n - N of all rows is the sum over the groups.

use scumble_table::{Code, Codes, LookAlikes, Missing, NULL, Persons, Role, Table};
use std::sync::Arc;

/// The rows of a table, looked at for people whose value is certain.
pub struct CertainValues<'a> {
    persons: &'a Persons,
    columns: Vec<SensitiveCodes<'a>>,
}

/// A sensitive column.
struct SensitiveCodes<'a> {
    /// Its place in the table.
    column: usize,
    codes: &'a Codes,
    alikes: Option<&'a Arc<LookAlikes>>,
    /// Whether it is no secret who has no value.
    ignores_missing: bool,
}

/// Why a value is certain: numbers of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Certainty {
    /// The sensitive column, among those of the table.
    pub column: usize,
    /// The most rows of a person.
    pub of_person: usize,
    /// The most rows of a value.
    pub of_value: usize,
    /// All rows of the group.
    pub rows: usize,
}

impl<'a> CertainValues<'a> {
    /// The sensitive columns of a table; nothing where nobody has several rows. Labels that look alike are one value.
    pub fn new(table: &'a Table) -> Option<Self> {
        let persons = table.persons().filter(|persons| persons.repeat())?;
        let column = |column: usize| {
            let domain = &table.attribute(column).domain;
            let ignores_missing = domain.missing() == Missing::Ignore;
            SensitiveCodes { column, codes: table.column(column), alikes: domain.look_alikes(), ignores_missing }
        };
        let columns: Vec<_> = table.schema().of_role(Role::Sensitive).into_iter().map(column).collect();
        (!columns.is_empty()).then_some(CertainValues { persons, columns })
    }

    /// Why a value of somebody is certain in a group of these rows; nothing where nobody's is.
    pub fn find(&self, rows: &[u32], memory: &mut Vec<u32>) -> Option<Certainty> {
        let of_person = most(memory, rows.iter().map(|&row| self.persons.of(row)));
        self.columns.iter().find_map(|one| {
            let code = |&row: &u32| -> Option<Code> {
                let code = one.codes.get(row as usize);
                let code = one.alikes.map_or(code, |alikes| alikes.representative(code));
                (code != NULL || !one.ignores_missing).then_some(code)
            };
            let of_value = most(memory, rows.iter().filter_map(code));
            let certain = of_value > 0 && of_person + of_value > rows.len();
            certain.then_some(Certainty { column: one.column, of_person, of_value, rows: rows.len() })
        })
    }
}

/// How often the commonest number occurs.
fn most(memory: &mut Vec<u32>, numbers: impl Iterator<Item = u32>) -> usize {
    memory.clear();
    memory.extend(numbers);
    memory.sort_unstable();
    memory.chunk_by(|a, b| a == b).map(<[u32]>::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use scumble_table::{Attribute, Domain, Schema};

    fn table(rows: &[(u32, u32)], missing: Missing) -> Table {
        let domain = Domain::nominal(["a", "b", "c", "d"].map(Into::into).to_vec()).with_missing(missing);
        let attribute = Attribute { name: "illness".into(), role: Role::Sensitive, domain };
        let codes: Codes = rows.iter().map(|row| row.1).collect();
        let keys: Codes = rows.iter().map(|row| row.0 + 1).collect();
        let persons = Arc::new(Persons::from_keys(rows.len(), &[(&keys, 20)]));
        let table = Table::new(Schema::new(vec![attribute]).unwrap(), vec![codes], rows.len()).unwrap();
        table.with_persons(persons).unwrap()
    }

    /// Calls `see` with every order of these codes.
    fn orders(codes: &mut Vec<Code>, from: usize, see: &mut dyn FnMut(&[Code])) {
        if from == codes.len() {
            return see(codes);
        }
        for at in from..codes.len() {
            codes.swap(from, at);
            orders(codes, from + 1, see);
            codes.swap(from, at);
        }
    }

    /// Whether somebody has one and the same value in every assignment of the values to the rows.
    fn is_certain(rows: &[(u32, u32)]) -> bool {
        let mut codes: Vec<Code> = rows.iter().map(|row| row.1).collect();
        // For each person the values that they have had in all assignments so far, as bits.
        let mut always = [u32::MAX; 8];
        orders(&mut codes, 0, &mut |codes| {
            let mut has = [0u32; 8];
            rows.iter().zip(codes).for_each(|(row, code)| has[row.0 as usize] |= 1 << code);
            rows.iter().for_each(|row| always[row.0 as usize] &= has[row.0 as usize]);
        });
        rows.iter().any(|row| always[row.0 as usize] != 0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn a_value_is_certain_if_it_is_in_every_assignment(
            rows in prop::collection::vec((0u32..4, 0u32..4), 1..7),
        ) {
            let table = table(&rows, Missing::Value);
            let all: Vec<u32> = (0..rows.len() as u32).collect();
            let Some(certain) = CertainValues::new(&table) else { return Ok(()) };
            prop_assert_eq!(certain.find(&all, &mut Vec::new()).is_some(), is_certain(&rows));
        }

        #[test]
        fn groups_that_pass_pass_together(
            rows in prop::collection::vec((0u32..6, 0u32..4), 2..16),
            at in 1usize..15,
        ) {
            let table = table(&rows, Missing::Value);
            let Some(certain) = CertainValues::new(&table) else { return Ok(()) };
            let all: Vec<u32> = (0..rows.len() as u32).collect();
            let (left, right) = all.split_at(at.min(rows.len() - 1));
            let fails = |rows: &[u32]| certain.find(rows, &mut Vec::new()).is_some();
            prop_assert!(!fails(&all) || fails(left) || fails(right));
        }
    }

    #[test]
    fn missing_values_that_are_no_secret_do_not_count() {
        let rows = [(0, NULL), (0, NULL), (1, NULL), (2, 1)];
        let all = [0, 1, 2, 3];
        let found = |missing| {
            let table = table(&rows, missing);
            CertainValues::new(&table).unwrap().find(&all, &mut Vec::new())
        };
        assert_eq!(found(Missing::Ignore), None);
        let told = Certainty { column: 0, of_person: 2, of_value: 3, rows: 4 };
        assert_eq!(found(Missing::Value), Some(told));
    }

    #[test]
    fn where_everybody_has_one_row_nothing_is_looked_at() {
        assert!(CertainValues::new(&table(&[(0, 1), (1, 1)], Missing::Value)).is_none());
    }
}
