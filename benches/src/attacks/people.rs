//! The people of a data set as coded columns: those in the release first, then those held out.

use super::Failure;
use super::dice::Dice;
use super::seen::PERSON;
use std::collections::BTreeMap;

/// A column of people, coded in the order of its values.
#[derive(Debug, Clone)]
pub struct Column {
    /// Name in the header.
    pub name: String,
    /// Whether its values are numbers.
    pub is_number: bool,
    /// Text of each code.
    pub labels: Vec<String>,
    /// The number behind each code; its position where values are labels.
    pub places: Vec<f64>,
    /// Code of each person.
    pub codes: Vec<u32>,
}

impl Column {
    /// Codes the texts of a column.
    ///
    /// # Errors
    /// If a number is none.
    pub fn new<'a>(
        name: &str,
        is_number: bool,
        texts: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Column, Failure> {
        let mut distinct: Vec<&str> = texts.clone().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut valued: Vec<(f64, &str)> = Vec::with_capacity(distinct.len());
        for (at, text) in distinct.into_iter().enumerate() {
            let place =
                if is_number { text.parse().map_err(|_| format!("{name}: a number is wanted"))? } else { at as f64 };
            valued.push((place, text));
        }
        valued.sort_by(|a, b| a.0.total_cmp(&b.0));
        let code: BTreeMap<&str, u32> = valued.iter().enumerate().map(|(at, (_, text))| (*text, at as u32)).collect();
        Ok(Column {
            name: name.into(),
            is_number,
            codes: texts.map(|text| code[text]).collect(),
            labels: valued.iter().map(|(_, text)| (*text).to_string()).collect(),
            places: valued.iter().map(|(place, _)| *place).collect(),
        })
    }

    /// Number of distinct values.
    pub fn n_values(&self) -> usize {
        self.labels.len()
    }

    /// The code of each text.
    pub fn code_of(&self) -> BTreeMap<&str, u32> {
        self.labels.iter().enumerate().map(|(code, label)| (label.as_str(), code as u32)).collect()
    }
}

/// Everybody: people 0..`inside` are in the release, the others were held out and are never in it.
#[derive(Debug, Clone)]
pub struct People {
    /// Quasi-identifiers, known to every attacker.
    pub quasi: Vec<Column>,
    /// Sensitive columns, by name.
    pub secrets: Vec<Column>,
    /// How many people are in the release.
    pub inside: usize,
}

impl People {
    /// The same people with the values of others: each sensitive column is shuffled over everybody.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> People {
        let mut people = self.clone();
        for (at, secret) in people.secrets.iter_mut().enumerate() {
            Dice::new(seed, 19 + at as u64).shuffle(&mut secret.codes);
        }
        people
    }

    /// The people of the release as the table that a steward would publish, in CSV, with their numbers.
    pub fn text(&self) -> String {
        let columns: Vec<&Column> = self.quasi.iter().chain(&self.secrets).collect();
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let mut text = format!("{PERSON},{}\n", names.join(","));
        for person in 0..self.inside {
            text.push_str(&person.to_string());
            for column in &columns {
                text.push(',');
                text.push_str(&column.labels[column.codes[person] as usize]);
            }
            text.push('\n');
        }
        text
    }

    /// A sensitive column.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn secret(&self, name: &str) -> Result<&Column, Failure> {
        let found = self.secrets.iter().find(|column| column.name == name);
        found.ok_or_else(|| format!("there is no sensitive column {name}").into())
    }

    /// Everybody, in the release or not.
    pub fn n_people(&self) -> usize {
        self.quasi.first().map_or(0, |column| column.codes.len())
    }

    /// The quasi-identifiers of a person.
    pub fn tuple(&self, person: usize) -> Vec<u32> {
        self.quasi.iter().map(|column| column.codes[person]).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// People from rows of texts: quasi-identifiers, all numbers, and the sensitive value last.
    pub(crate) fn people(rows: &[(&[&str], &str)], inside: usize) -> People {
        let quasi = (0..rows[0].0.len())
            .map(|at| Column::new(&format!("q{at}"), true, rows.iter().map(|row| row.0[at])).unwrap())
            .collect();
        let secrets = vec![Column::new("secret", false, rows.iter().map(|row| row.1)).unwrap()];
        People { quasi, secrets, inside }
    }

    #[test]
    fn numbers_are_coded_by_size_and_labels_by_name() {
        let numbers = Column::new("n", true, ["10", "9", "10", "-1"].into_iter()).unwrap();
        assert_eq!(numbers.labels, ["-1", "9", "10"]);
        assert_eq!(numbers.codes, [2, 1, 2, 0]);
        assert_eq!(numbers.places, [-1.0, 9.0, 10.0]);
        let labels = Column::new("l", false, ["b", "a", "10"].into_iter()).unwrap();
        assert_eq!(labels.labels, ["10", "a", "b"]);
        assert_eq!(labels.code_of()["b"], 2);
        assert!(Column::new("n", true, ["x"].into_iter()).is_err());
    }
}
