//! How requirements are tied to the columns of a table.

use super::{BoundRequirements, BoundTest, ByPerson, JointColumns};
use crate::{BoundPopulation, Dissimilarity, Neighbours, Requirement};
use scumble_table::{Attribute, Bag, Counted, Decimal, Domain, Error, Result, Role, Schema, Table, did_you_mean};
use std::sync::Arc;

impl BoundRequirements {
    /// Binds requirements to the sensitive columns of a schema. `whole` gives the bag of all rows
    /// of the column at a position of the schema; it is asked at most once per sensitive column.
    ///
    /// A requirement that names no column holds for each sensitive column. One that looks at the
    /// size of a group alone is bound once, and needs no sensitive column.
    ///
    /// # Errors
    /// If a requirement cannot be put to the columns. `dissimilarity` takes [`BoundRequirements::bind_joint`].
    pub fn bind(
        requirements: &[Requirement],
        schema: &Schema,
        whole: impl FnMut(usize) -> Bag,
    ) -> Result<BoundRequirements> {
        BoundRequirements::bind_joint(requirements, schema, whole, None)
    }

    /// The same where `dissimilarity` may be among the requirements: it is put to columns taken together.
    ///
    /// # Errors
    /// As [`BoundRequirements::bind`], and if the distance does not suit the columns.
    pub fn bind_joint(
        requirements: &[Requirement],
        schema: &Schema,
        mut whole: impl FnMut(usize) -> Bag,
        joint: Option<&JointColumns>,
    ) -> Result<BoundRequirements> {
        let sensitive = schema.of_role(Role::Sensitive);
        let mut distance = None;
        // Requirements with the same epsilon share their neighbours.
        let mut near: Vec<(Decimal, Arc<Neighbours>)> = Vec::new();
        let mut wholes: Vec<Option<Bag>> = vec![None; sensitive.len()];
        let mut tests = Vec::new();
        for (requirement_idx, requirement) in requirements.iter().enumerate() {
            let named = named_column(requirement, schema, &sensitive)?;
            if !requirement.principle().needs_values() {
                let test = requirement.principle().bind(&Domain::nominal(Vec::new()), &Bag::default())?;
                let (bag, is_joint, name) = (None, false, String::new());
                tests.push(BoundTest { requirement: requirement_idx, bag, is_joint, name, test });
                continue;
            }
            if sensitive.is_empty() {
                return Err(no_sensitive(requirement));
            }
            if let Some(principle) = requirement.get::<Dissimilarity>() {
                let Some(joint) = joint else { return Err(principle.no_distance(requirement)) };
                let measured = joint.bound_distance(schema)?;
                let epsilon = principle.epsilon();
                let at = match near.iter().position(|(known, _)| *known == epsilon) {
                    Some(at) => at,
                    None => {
                        let (composite, cancellation) = (joint.composite(), joint.cancellation());
                        let neighbours = Neighbours::within_cancellable(&measured, composite, epsilon, cancellation)?;
                        near.push((epsilon, Arc::new(neighbours)));
                        near.len() - 1
                    }
                };
                let test = Box::new(principle.with_neighbours(near[at].1.clone(), joint.weights()));
                distance = Some(measured.distance().clone());
                let (bag, name) = (Some(sensitive.len()), String::new());
                tests.push(BoundTest { requirement: requirement_idx, bag, is_joint: true, name, test });
                continue;
            }
            let columns = named.map_or(0..sensitive.len(), |at| at..at + 1);
            for at in columns {
                let attribute = &schema.attributes()[sensitive[at]];
                let rows = wholes[at].get_or_insert_with(|| whole(sensitive[at]));
                let test = requirement.bind(&attribute.domain, rows);
                let test = test.map_err(|error| about(error, requirement, attribute))?;
                let (bag, name) = (Some(at), attribute.name.clone());
                tests.push(BoundTest { requirement: requirement_idx, bag, is_joint: false, name, test });
            }
        }
        let least_size = tests.iter().map(|bound| bound.test.least_size()).max().unwrap_or(1).max(1);
        let joint = joint.filter(|_| distance.is_some()).cloned();
        Ok(BoundRequirements {
            requirements: requirements.to_vec(),
            tests,
            least_size,
            counted: Counted::Rows,
            joint,
            distance,
            by_person: None,
            population: None,
        })
    }

    /// The same, with what is asked of boxes against the population of a table, where something is.
    ///
    /// # Errors
    /// As [`BoundPopulation::bind`].
    pub fn with_population(mut self, table: &Table) -> Result<BoundRequirements> {
        self.population = BoundPopulation::bind(&self.requirements, table)?.map(Arc::new);
        Ok(self)
    }

    /// The same, with what other requirements know of the population.
    #[must_use]
    pub fn with_population_of(mut self, other: &BoundRequirements) -> BoundRequirements {
        self.population = other.population.clone();
        self
    }

    /// The same, judged by people too, where some of those of the table have several rows. `rows` are those that are
    /// published; all where none are named.
    ///
    /// # Errors
    /// As [`BoundRequirements::bind`].
    pub fn with_people(mut self, table: &Table, rows: Option<&[u32]>) -> Result<BoundRequirements> {
        if let Some(persons) = table.persons().filter(|persons| persons.repeat()) {
            self.by_person = Some(Box::new(ByPerson::bind(&self, table, persons.clone(), rows)?));
        }
        Ok(self)
    }
}

pub(super) fn no_sensitive(requirement: &Requirement) -> Error {
    let reason = format!("`{}` looks at sensitive values, and no column is sensitive", requirement.name());
    Error::request("requirement", requirement.to_string(), reason)
        .hint("name one with «sensitive», or ask for `k-anonymity` alone")
}

/// The position, among the sensitive columns, of the column that a requirement names.
pub(super) fn named_column(requirement: &Requirement, schema: &Schema, sensitive: &[usize]) -> Result<Option<usize>> {
    let Some(name) = &requirement.column else { return Ok(None) };
    let position = requirement.named_in(&schema.attributes().iter().map(|a| a.name.as_str()).collect::<Vec<_>>());
    if let Some(at) = position.and_then(|position| sensitive.iter().position(|&column| column == position)) {
        return Ok(Some(at));
    }
    let names: Vec<&str> = sensitive.iter().map(|&at| schema.attributes()[at].name.as_str()).collect();
    let reason = match position {
        Some(position) => {
            let role = schema.attributes()[position].role;
            format!("the column `{name}` is {role}, and requirements are about sensitive columns")
        }
        None => format!("there is no column `{name}`"),
    };
    let hint = match names.is_empty() {
        true => "name a sensitive column with «sensitive»".into(),
        false => did_you_mean(name, &names, "the sensitive columns are"),
    };
    Err(Error::request("requirement", requirement.to_string(), reason).hint(hint))
}

/// A principle does not know the name of the column it is bound to; here it is known.
fn about(error: Error, requirement: &Requirement, attribute: &Attribute) -> Error {
    match error {
        Error::Request { field, reason, hint, .. } if field == "requirement" => Error::Request {
            field,
            value: format!("{}: {}", attribute.name, requirement.principle().notation()),
            reason,
            hint: hint.map(|hint| hint.replace("COLUMN", &attribute.name)),
        },
        other => other,
    }
}
