//! The stop attack: what a published group tells by being undivided.
//!
//! The attacker knows everybody's quasi-identifiers, the groups with their sensitive values, and the program. For each way to
//! give a group's values to its people, the attacker works out how likely the search would have left the group
//! undivided, and weighs the ways by that (minimality: Wong, Fu, Wang, Pei, VLDB 2007).

use scumble_method::Coins;
use scumble_method::coins::Purpose;
use scumble_method::mondrian::{Mondrian, Task};
use scumble_principle::{BoundRequirements, Requirement};
use scumble_table::{Code, Codes, Partition, Result, Role, Table};

/// What the attacker believes of one person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopBelief {
    /// Row of the table.
    pub row: u32,
    /// The value that is believed most.
    pub value: Code,
    /// How much.
    pub belief: f64,
    /// The share of that value in the group: what is believed without the attack.
    pub share: f64,
    /// Whether the person has it.
    pub right: bool,
}

/// How thorough the attack is.
#[derive(Debug, Clone, Copy)]
pub struct StopAttack {
    /// Groups above this size are left out: their stops tell little and their worlds are many.
    pub most_people: usize,
    /// Every so many groups are attacked.
    pub every: usize,
    /// Ways to give the values to the people that are drawn for each group.
    pub worlds: usize,
}

impl StopAttack {
    /// What is believed of the people of the groups that are attacked, about the first sensitive column.
    ///
    /// # Errors
    /// If the requirements cannot be put to the table.
    pub fn beliefs(
        &self,
        table: &Table,
        requirements: &[Requirement],
        mondrian: &Mondrian,
        partition: &Partition,
    ) -> Result<Vec<StopBelief>> {
        let coins = Coins::from_seed(1);
        let sensitive = table.schema().of_role(Role::Sensitive)[0];
        let whole = BoundRequirements::bind(requirements, table.schema(), |column| table.whole(column))?;
        let mut found = Vec::new();
        for (number, rows) in partition.groups().enumerate() {
            let divisible = rows.len() as u64 >= 2 * whole.least_size() && rows.len() <= self.most_people;
            if !divisible || number % self.every != 0 {
                continue;
            }
            let values: Vec<Code> = rows.iter().map(|&row| table.column(sensitive).get(row as usize)).collect();
            let mut draws = coins.stream(Purpose::Groups, number as u64);
            // Weight of each value of each person.
            let mut weights: Vec<Vec<(Code, f64)>> = vec![Vec::new(); rows.len()];
            let mut total = 0.0;
            let mut world = values.clone();
            for round in 0..self.worlds {
                // The first world is the real one, so that at least one is possible.
                if round > 0 {
                    draws.shuffle(&mut world);
                }
                let likely = self.likelihood(table, rows, sensitive, &world, &whole, mondrian, &coins)?;
                total += likely;
                for (person, &value) in world.iter().enumerate() {
                    match weights[person].iter_mut().find(|(known, _)| *known == value) {
                        Some((_, weight)) => *weight += likely,
                        None => weights[person].push((value, likely)),
                    }
                }
            }
            for (person, weights) in weights.iter().enumerate() {
                let Some(&(value, weight)) = weights.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
                else {
                    continue;
                };
                let alike = values.iter().filter(|&&known| known == value).count();
                found.push(StopBelief {
                    row: rows[person],
                    value,
                    belief: weight / total,
                    share: alike as f64 / rows.len() as f64,
                    right: values[person] == value,
                });
            }
        }
        Ok(found)
    }

    /// How likely these people stay together if they have these values.
    #[allow(clippy::too_many_arguments, reason = "a group, a world, and what judges them")]
    fn likelihood(
        &self,
        table: &Table,
        rows: &[u32],
        sensitive: usize,
        world: &[Code],
        whole: &BoundRequirements,
        mondrian: &Mondrian,
        coins: &Coins,
    ) -> Result<f64> {
        let column = |at: usize| -> Codes {
            match at == sensitive {
                true => world.iter().copied().collect(),
                false => rows.iter().map(|&row| table.column(at).get(row as usize)).collect(),
            }
        };
        let columns = (0..table.schema().attributes().len()).map(column).collect();
        let group = Table::new(table.schema().clone(), columns, rows.len())?;
        let task = Task {
            table: &group,
            bound: whole,
            rebind: &|_| Err(scumble_table::Error::bug("no row is left out")),
            most_suppressed: 0,
            coins,
            tick: &|_| (),
        };
        mondrian.stop_probability(&task)
    }
}
