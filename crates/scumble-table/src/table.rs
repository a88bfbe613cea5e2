//! A table of coded columns with its schema.

use crate::{Bag, Codes, Domain, Error, Persons, Population, Result, did_you_mean};
use std::fmt;
use std::sync::Arc;

/// What a column is to the release. Identifying columns have no role here: they are never loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Could point at a person together with others; generalized or unlinked.
    Quasi,
    /// What must not be learned about a person.
    Sensitive,
    /// Published as it is.
    Kept,
}

impl Role {
    /// The word for it in job files and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Role::Quasi => "quasi",
            Role::Sensitive => "sensitive",
            Role::Kept => "kept",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A column's name, role and values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Name in the header.
    pub name: String,
    /// What it is to the release.
    pub role: Role,
    /// The values behind its codes.
    pub domain: Domain,
}

/// The attributes of a table, in the order of its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    attributes: Vec<Attribute>,
}

impl Schema {
    /// Names must be distinct.
    pub fn new(attributes: Vec<Attribute>) -> Result<Self> {
        for (i, a) in attributes.iter().enumerate() {
            if attributes[..i].iter().any(|b| b.name == a.name) {
                return Err(Error::request("column", &a.name, "two columns have this name"));
            }
        }
        Ok(Schema { attributes })
    }

    /// All attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Positions of the columns of a role.
    pub fn of_role(&self, role: Role) -> Vec<usize> {
        (0..self.attributes.len()).filter(|&i| self.attributes[i].role == role).collect()
    }

    /// Position of a column, or an error that suggests the nearest name.
    pub fn position(&self, field: &str, name: &str) -> Result<usize> {
        self.attributes.iter().position(|a| a.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.attributes.iter().map(|a| a.name.as_str()).collect();
            Error::request(field, name, "there is no such column").hint(did_you_mean(name, &names, "the columns are"))
        })
    }
}

/// Microdata: one coded column per attribute. Immutable; never leaves the process.
#[derive(Debug, Clone)]
pub struct Table {
    schema: Schema,
    columns: Vec<Codes>,
    n_rows: usize,
    /// Whose row each row is, where that is known.
    persons: Option<Arc<Persons>>,
    /// The population that its people come from, where that is known.
    population: Option<Arc<Population>>,
}

impl Table {
    /// Checks that columns agree with the schema and with each other.
    pub fn new(schema: Schema, columns: Vec<Codes>, n_rows: usize) -> Result<Self> {
        if columns.len() != schema.attributes.len() || columns.iter().any(|c| c.len() != n_rows) {
            return Err(Error::bug("columns of different length"));
        }
        if u32::try_from(n_rows).is_err() {
            return Err(Error::request("rows", n_rows.to_string(), "a table holds at most 4294967295 rows"));
        }
        Ok(Table { schema, columns, n_rows, persons: None, population: None })
    }

    /// The same rows, of these persons.
    ///
    /// # Errors
    /// If there is not a person for each row.
    pub fn with_persons(mut self, persons: Arc<Persons>) -> Result<Self> {
        if persons.of_rows().len() != self.n_rows {
            return Err(Error::bug("persons of another table"));
        }
        self.persons = Some(persons);
        Ok(self)
    }

    /// Whose row each row is, where that is known.
    pub fn persons(&self) -> Option<&Arc<Persons>> {
        self.persons.as_ref()
    }

    /// The same rows, of people of this population.
    #[must_use]
    pub fn with_population(self, population: Arc<Population>) -> Self {
        Table { population: Some(population), ..self }
    }

    /// The population that its people come from, where that is known.
    pub fn population(&self) -> Option<&Arc<Population>> {
        self.population.as_ref()
    }

    /// Attributes.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// An attribute by position.
    pub fn attribute(&self, at: usize) -> &Attribute {
        &self.schema.attributes[at]
    }

    /// A column's codes by position.
    pub fn column(&self, at: usize) -> &Codes {
        &self.columns[at]
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The attributes and their columns, for those who make another table of them without a copy.
    pub fn into_columns(self) -> Vec<(Attribute, Codes)> {
        self.schema.attributes.into_iter().zip(self.columns).collect()
    }

    /// The same rows without the sensitive columns other than the one at `column`.
    #[must_use]
    pub fn with_one_sensitive(&self, column: usize) -> Table {
        let stays = |at: usize| at == column || self.schema.attributes[at].role != Role::Sensitive;
        let kept: Vec<usize> = (0..self.columns.len()).filter(|&at| stays(at)).collect();
        Table {
            schema: Schema { attributes: kept.iter().map(|&at| self.schema.attributes[at].clone()).collect() },
            columns: kept.iter().map(|&at| self.columns[at].clone()).collect(),
            n_rows: self.n_rows,
            persons: self.persons.clone(),
            population: self.population.clone(),
        }
    }

    /// The bag of a whole column.
    pub fn column_bag(&self, at: usize) -> Bag {
        Bag::from_histogram(&self.columns[at].histogram(self.attribute(at).domain.n_codes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sensitive_column_stays() {
        let domain = Domain::nominal(vec!["a".into(), "b".into()]);
        let attribute = |name: &str, role| Attribute { name: name.into(), role, domain: domain.clone() };
        let schema = Schema::new(vec![
            attribute("s", Role::Sensitive),
            attribute("q", Role::Quasi),
            attribute("t", Role::Sensitive),
            attribute("k", Role::Kept),
        ]);
        let codes = |code: u32| [code, 0].into_iter().collect::<Codes>();
        let table = Table::new(schema.unwrap(), vec![codes(1), codes(2), codes(2), codes(1)], 2).unwrap();
        let one = table.with_one_sensitive(2);
        let names: Vec<&str> = one.schema().attributes().iter().map(|a| a.name.as_str()).collect();
        assert_eq!((names, one.n_rows()), (vec!["q", "t", "k"], 2));
        assert_eq!(one.column(1).iter().collect::<Vec<_>>(), [2, 0]);
    }

    #[test]
    fn unknown_columns_get_a_suggestion() {
        let domain = Domain::nominal(vec!["a".into()]);
        let attribute = |name: &str| Attribute { name: name.into(), role: Role::Quasi, domain: domain.clone() };
        let schema = Schema::new(vec![attribute("zipcode"), attribute("age")]).unwrap();
        assert_eq!(schema.position("quasi", "age").unwrap(), 1);
        let error = schema.position("quasi", "zip").unwrap_err().to_string();
        assert_eq!(error, "quasi `zip`: there is no such column; hint: did you mean `zipcode`?");
        assert!(Schema::new(vec![attribute("age"), attribute("age")]).is_err());
        assert!(Table::new(schema, vec![Codes::U8(vec![1]), Codes::U8(vec![])], 1).is_err());
    }
}
