//! The data sets that are attacked: real people, real people with more values, and people who do not exist.

use super::Failure;
use super::dice::Dice;
use super::people::{Column, People};
use flate2::read::MultiGzDecoder;
use scumble::Sample;
use std::fs::File;
use std::io::Read;

/// A data set and the parts of its columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// The word for it in flags.
    pub name: &'static str,
    /// Quasi-identifiers; true for numbers, false for labels.
    pub quasi: &'static [(&'static str, bool)],
    /// The sensitive column that diversity is asked of.
    pub secret: &'static str,
    /// The sensitive column of numbers, where there is one.
    pub amount: Option<&'static str>,
    /// People in the release, and people held out.
    pub rows: (usize, usize),
}

/// All data sets.
pub const CASES: [Case; 3] = [
    Case {
        name: "adult",
        quasi: &[
            ("age", true),
            ("workclass", false),
            ("education", false),
            ("marital_status", false),
            ("race", false),
            ("sex", false),
            ("native_country", false),
        ],
        secret: "occupation",
        amount: None,
        rows: (30_000, 16_033),
    },
    Case {
        name: "acs",
        quasi: &[
            ("AGEP", true),
            ("SEX", false),
            ("SCHL", true),
            ("MAR", false),
            ("RAC1P", false),
            ("COW", false),
            ("STATE", false),
        ],
        secret: "OCC",
        amount: Some("PINCP"),
        rows: (30_000, 15_000),
    },
    Case {
        name: "occupation",
        quasi: &[("marital", false), ("workclass", false), ("education", false), ("gender", false), ("age", true)],
        secret: "occupation",
        amount: None,
        rows: (30_000, 15_000),
    },
];

impl Case {
    /// Draws the people of the release and those held out. Nothing if the data set is not there.
    ///
    /// # Errors
    /// If it cannot be read, or has too few people.
    pub fn load(&self, rows: (usize, usize), seed: u64) -> Result<Option<People>, Failure> {
        let Some(text) = self.text(rows, seed)? else { return Ok(None) };
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().ok_or("an empty file")?.split(',').collect();
        let wanted: Vec<&str> = self.quasi.iter().map(|pair| pair.0).chain([self.secret]).chain(self.amount).collect();
        let places: Vec<usize> = wanted
            .iter()
            .map(|name| {
                let there = if *name == "OCC" { "OCCP" } else { name };
                header.iter().position(|column| *column == there).ok_or_else(|| format!("no column {name}"))
            })
            .collect::<Result<_, _>>()?;
        let mut table: Vec<Vec<String>> = Vec::new();
        for line in lines {
            if line.contains('"') {
                return Err("this program reads no quoted cells".into());
            }
            let cells: Vec<&str> = line.split(',').collect();
            let row = places.iter().zip(&wanted).map(|(&at, name)| -> Result<String, Failure> {
                // Occupation codes by the two hundred: 50 groups of them.
                Ok(if *name == "OCC" { (cells[at].parse::<u32>()? / 200).to_string() } else { cells[at].to_string() })
            });
            let row: Vec<String> = row.collect::<Result<_, _>>()?;
            if row[self.quasi.len()] != "?" {
                table.push(row);
            }
        }
        let (inside, outside) = rows;
        if table.len() < inside + outside {
            return Err(
                format!("{}: {} people are there, {inside} and {outside} are wanted", self.name, table.len()).into()
            );
        }
        Dice::new(seed, 17).shuffle(&mut table);
        table.truncate(inside + outside);
        let column =
            |at: usize, is_number| Column::new(wanted[at], is_number, table.iter().map(move |row| row[at].as_str()));
        let n = self.quasi.len();
        let quasi = self.quasi.iter().enumerate().map(|(at, pair)| column(at, pair.1)).collect::<Result<_, _>>()?;
        let secrets = (n..wanted.len()).map(|at| column(at, at > n)).collect::<Result<_, _>>()?;
        Ok(Some(People { quasi, secrets, inside }))
    }

    fn text(&self, rows: (usize, usize), seed: u64) -> Result<Option<String>, Failure> {
        let packed = match self.name {
            "adult" => "adult/adult_all_48842.csv.gz",
            "acs" => "acs2024/acs2024_sal_like_500000.csv.gz",
            _ => {
                let mut made = Vec::new();
                scumble::generate(Sample::Occupation, (rows.0 + rows.1) as u64, seed, &mut made, &mut |_| ())?;
                return Ok(Some(String::from_utf8(made)?));
            }
        };
        let packed = crate::data().join(packed);
        if !packed.exists() {
            return Ok(None);
        }
        let mut text = String::new();
        MultiGzDecoder::new(File::open(packed)?).read_to_string(&mut text)?;
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_drawn_and_numbered_in_their_text() {
        let people = CASES[2].load((300, 100), 5).unwrap().unwrap();
        assert_eq!((people.inside, people.n_people()), (300, 400));
        let text = people.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "person,marital,workclass,education,gender,age,occupation");
        assert_eq!(lines.len(), 301);
        let shown = |column: &Column| column.labels[column.codes[7] as usize].clone();
        let cells: Vec<String> = people.quasi.iter().chain(&people.secrets).map(shown).collect();
        assert_eq!(lines[8], format!("7,{}", cells.join(",")));
    }

    #[test]
    fn shuffled_people_keep_all_but_their_values() {
        let people = CASES[2].load((300, 100), 5).unwrap().unwrap();
        let shuffled = people.shuffled(5);
        let tuples = |people: &People| (0..400).map(|person| people.tuple(person)).collect::<Vec<_>>();
        assert_eq!(tuples(&people), tuples(&shuffled));
        let (before, after) = (&people.secrets[0].codes, &shuffled.secrets[0].codes);
        assert_ne!(before, after);
        let sorted = |codes: &[u32]| {
            let mut codes = codes.to_vec();
            codes.sort_unstable();
            codes
        };
        assert_eq!(sorted(before), sorted(after));
        assert_ne!(people.text(), shuffled.text());
    }
}
