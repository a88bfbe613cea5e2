//! How likely the library's search is to leave a group undivided, where its stops are drawn by lot.

use super::Failure;
use super::people::{Column, People};
use scumble_method::{Coins, Mondrian, Profile, Task};
use scumble_principle::{BoundRequirements, Requirement};
use scumble_table::{Attribute, Codes, Decimal, Domain, Monitor, Result, Role, Schema, Table};

/// The search of profile `hardened`, as somebody knows it who has the program.
pub struct Lots {
    schema: Schema,
    bound: BoundRequirements,
    mondrian: Mondrian,
    /// Nothing is drawn when probabilities are asked for.
    coins: Coins,
}

impl Lots {
    /// The search under a requirement that looks at a sensitive column.
    ///
    /// # Errors
    /// If the requirement cannot be put to the people.
    pub fn new(people: &People, secret: &Column, requirement: &str) -> std::result::Result<Lots, Failure> {
        let columns = || people.quasi.iter().map(|column| (column, Role::Quasi)).chain([(secret, Role::Sensitive)]);
        let attribute = |(column, role): (&Column, Role)| -> Result<Attribute> {
            let domain = match column.is_number {
                true => Domain::numbers(column.labels.iter().filter_map(|text| Decimal::parse(text)).collect())?,
                false => Domain::nominal(column.labels.iter().map(|text| text.as_str().into()).collect()),
            };
            Ok(Attribute { name: column.name.clone(), role, domain })
        };
        let schema = Schema::new(columns().map(attribute).collect::<Result<_>>()?)?;
        let codes = columns().map(|(column, _)| column.codes[..people.inside].iter().map(|code| code + 1).collect());
        let whole = Table::new(schema.clone(), codes.collect(), people.inside)?;
        let requirements: Vec<Requirement> = vec![requirement.parse()?];
        let bound = BoundRequirements::bind(&requirements, &schema, |at| whole.column_bag(at))?;
        let mondrian = Mondrian { profile: Profile::Hardened, ..Mondrian::default() };
        Ok(Lots { schema, bound, mondrian, coins: Coins::from_seed(1) })
    }

    /// How likely these people stay together if they have these values, given as codes of the sensitive column. What
    /// refusals further up have cost is not known to the attacker, and nothing is taken off for it.
    ///
    /// # Errors
    /// If there are too many quasi-identifiers.
    pub fn stop(&self, people: &People, persons: &[usize], values: &[u32]) -> Result<f64> {
        let mut columns: Vec<Codes> = people
            .quasi
            .iter()
            .map(|column| persons.iter().map(|&person| column.codes[person] + 1).collect())
            .collect();
        columns.push(values.iter().map(|code| code + 1).collect());
        let group = Table::new(self.schema.clone(), columns, persons.len())?;
        self.mondrian.stop_probability(&Task {
            table: &group,
            bound: &self.bound,
            rebind: &|_| Err(scumble_table::Error::bug("no row is left out")),
            most_suppressed: 0,
            coins: &self.coins,
            monitor: Monitor::silent(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::people::tests::people;

    #[test]
    fn a_cut_that_fails_stops_for_certain_and_one_that_passes_by_lot() {
        let rows: [(&[&str], &str); 4] = [(&["1"], "a"), (&["1"], "b"), (&["2"], "a"), (&["2"], "b")];
        let people = people(&rows, 4);
        let lots = Lots::new(&people, &people.secrets[0], "frequency-l-diversity(2)").unwrap();
        let stop = |values: [u32; 4]| lots.stop(&people, &[0, 1, 2, 3], &values).unwrap();
        assert_eq!(stop([0, 0, 1, 1]), 1.0);
        // The odds of the two ways are within the factor that the profile allows.
        let passing = stop([0, 1, 0, 1]);
        assert!(passing < 1.0 && passing > 1.0 / 2.9, "{passing}");
    }
}
