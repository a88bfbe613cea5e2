//! An attack on a table or on a release by somebody who knows some columns about people.
//!
//! ```text
//! data, or an opened release -> PeopleTable: what records show in the known columns -> classes, all subsets
//! source, population         -> PeopleIndex: where people lie among that            -> records around each person
//! ```
//!
//! Without a source, records match that show the same in the known columns. With one, a record matches everybody whose
//! known values its boxes cover. Where a release has several tables, the attacker takes the one that tells most.

mod cover;
mod distinct_rows;
mod matching;
mod people_index;
mod people_table;

pub(crate) use cover::Cover;
pub(crate) use distinct_rows::DistinctRows;
pub(crate) use matching::Matching;
pub(crate) use people_index::PeopleIndex;
pub(crate) use people_table::{Disclosure, PeopleTable, SensitiveColumn};

use crate::lattice::subsets;
use crate::{Journalist, Matches, class_sizes, lattice};
use people_table::known_columns;
use scumble_io::{Dictionary, RawColumn, RawTable};
use scumble_release::ReleaseData;
use scumble_table::{Codes, Error, Monitor, Result, Table};

/// A table or a release under attack.
pub struct Attack<'a> {
    known: Vec<String>,
    pub(crate) tables: Vec<PeopleTable>,
    /// People who are looked for.
    pub(crate) people: Option<People<'a>>,
    population: Population,
}

/// The people of a source.
pub(crate) struct People<'a> {
    /// One for each table.
    pub(crate) indexes: Vec<PeopleIndex>,
    /// The source itself, with the sensitive columns.
    pub(crate) raw: &'a RawTable,
}

enum Population {
    Unknown,
    Size(u64),
    /// One for each table, and the name of the file.
    People(Vec<PeopleIndex>, String),
}

/// What an attack with some of the known columns achieves.
#[derive(Debug, Clone, PartialEq)]
pub struct AttackOutcome {
    /// The columns, by their position among all known ones.
    pub known: Vec<usize>,
    /// The table that told most, where there are several.
    pub table: Option<String>,
    /// How many records match each person.
    pub matches: Matches,
    /// The risk within the population, where that is known.
    pub journalist: Option<Journalist>,
}

impl<'a> Attack<'a> {
    /// An attack on data.
    ///
    /// # Errors
    /// If the table has no column of a name, or a column is known twice.
    pub fn on_data(table: &Table, known: &[String]) -> Result<Self> {
        check_twice(known)?;
        let tables = vec![PeopleTable::from_data(table, known)?];
        Ok(Attack { known: known.to_vec(), tables, people: None, population: Population::Unknown })
    }

    /// An attack on a release; with all quasi-identifiers where no column is named.
    ///
    /// # Errors
    /// If the release has no column of a name, or it is sensitive, or a column is known twice, or the work was cancelled.
    pub fn on_release(release: &ReleaseData, known: &[String], monitor: Monitor<'_>) -> Result<Self> {
        check_twice(known)?;
        let known = known_columns(release.reader().columns(), known)?;
        let tables = PeopleTable::from_release(release, &known, monitor)?;
        Ok(Attack { known, tables, people: None, population: Population::Unknown })
    }

    /// The known columns.
    pub fn known(&self) -> &[String] {
        &self.known
    }

    /// Sensitive columns that the release tells of.
    pub fn sensitive(&self) -> Vec<&str> {
        self.tables.first().map_or(Vec::new(), |table| table.sensitive.iter().map(|s| s.name.as_str()).collect())
    }

    /// Records that are not suppressed.
    pub fn records(&self) -> u64 {
        self.tables.first().map_or(0, |table| table.n_rows as u64)
    }

    /// Records that are suppressed.
    pub fn suppressed(&self) -> u64 {
        self.tables.first().map_or(0, |table| table.n_suppressed as u64)
    }

    /// Looks for the people of the source, which has been read with the known and the sensitive columns as text.
    ///
    /// # Errors
    /// If it has not as many people as the release has records, suppressed ones too; if a column is not there, or a value
    /// is not of the type that the release states; if the work was cancelled.
    pub fn looking_for(mut self, source: &'a RawTable, monitor: Monitor<'_>) -> Result<Self> {
        let (rows, suppressed) = (self.records(), self.suppressed());
        if source.n_rows as u64 != rows + suppressed {
            let reason = format!("it has {} rows, and the release {rows} and {suppressed} suppressed", source.n_rows);
            return Err(Error::request("source", &source.source, reason).hint(
                "name the data that the release was made from, and with «rules» its job file if that has rules",
            ));
        }
        self.people = Some(People { indexes: self.indexes(source, "source", monitor)?, raw: source });
        Ok(self)
    }

    /// Takes the records for a sample of a population of this size.
    #[must_use]
    pub fn among(mut self, population: u64) -> Self {
        self.population = Population::Size(population);
        self
    }

    /// Takes the records for a sample of these people, read with the known columns as text.
    ///
    /// # Errors
    /// As [`Attack::looking_for`].
    pub fn among_people(mut self, population: &RawTable, monitor: Monitor<'_>) -> Result<Self> {
        let indexes = self.indexes(population, "population", monitor)?;
        self.population = Population::People(indexes, population.source.clone());
        Ok(self)
    }

    fn indexes(&self, people: &RawTable, field: &str, monitor: Monitor<'_>) -> Result<Vec<PeopleIndex>> {
        self.tables.iter().map(|table| PeopleIndex::new(table, people, field, monitor)).collect()
    }

    /// An attack with all known columns.
    ///
    /// # Errors
    /// If the population cannot be that of the records, or the work was cancelled.
    pub fn with_all(&self, monitor: Monitor<'_>) -> Result<AttackOutcome> {
        self.with(&(0..self.known.len()).collect::<Vec<_>>(), monitor)
    }

    /// An attack with some of the known columns, by rising positions.
    ///
    /// # Errors
    /// As [`Attack::with_all`].
    pub fn with(&self, subset: &[usize], monitor: Monitor<'_>) -> Result<AttackOutcome> {
        let mut best: Option<(usize, Matches)> = None;
        for (at, table) in self.tables.iter().enumerate() {
            monitor.check()?;
            let chosen = table.having(subset);
            if at > 0 && chosen.is_empty() {
                continue;
            }
            let matches = match &self.people {
                Some(People { indexes, .. }) => {
                    Matching { table, index: &indexes[at], chosen: &chosen, monitor }.around_people()?
                }
                None => class_sizes(&table.known(&chosen), table.n_rows, monitor)?,
            };
            if best.as_ref().is_none_or(|(_, known)| tells_more(&matches, known)) {
                best = Some((at, matches));
            }
        }
        let (at, matches) = best.ok_or_else(|| Error::bug("a release without a table of people"))?;
        self.found(subset.to_vec(), at, matches, monitor)
    }

    /// Attacks with every subset of the known columns up to a size, smaller ones first. Each subset advances the stage
    /// by all records.
    ///
    /// # Errors
    /// As [`Attack::with_all`].
    pub fn with_subsets(&self, up_to: usize, monitor: Monitor<'_>) -> Result<Vec<AttackOutcome>> {
        if let ([table], None) = (self.tables.as_slice(), &self.people) {
            let columns = table.known(&(0..table.columns.len()).collect::<Vec<_>>());
            let all = lattice(&columns, table.n_rows, up_to, monitor)?;
            return all.into_iter().map(|(subset, matches)| self.found(subset, 0, matches, monitor)).collect();
        }
        let one = |subset: Vec<usize>| {
            let found = self.with(&subset, monitor)?;
            monitor.advance(self.records());
            Ok(found)
        };
        subsets(self.known.len(), up_to).into_iter().map(one).collect()
    }

    fn found(&self, known: Vec<usize>, at: usize, matches: Matches, monitor: Monitor<'_>) -> Result<AttackOutcome> {
        monitor.check()?;
        let table = &self.tables[at];
        let chosen = || table.having(&known);
        let journalist = match &self.population {
            Population::Unknown => None,
            // The records are the sample, whether or not a source was given.
            Population::Size(size) if self.people.is_none() => Some(Journalist::by_size(&matches, *size)?),
            Population::Size(size) => {
                let sample = class_sizes(&table.known(&chosen()), table.n_rows, monitor)?;
                Some(Journalist::by_size(&sample, *size)?)
            }
            Population::People(indexes, file) => {
                let matching = Matching { table, index: &indexes[at], chosen: &chosen(), monitor };
                let classes = matching.records_and_people()?;
                Some(Journalist::by_classes(&classes, file)?)
            }
        };
        Ok(AttackOutcome { known, table: table.name.clone(), matches, journalist })
    }
}

impl People<'_> {
    /// The texts of a column.
    pub(crate) fn column(&self, name: &str) -> Result<(&Dictionary, &Codes)> {
        match &self.raw.columns[self.raw.position("source", name)?] {
            RawColumn::Text { dictionary, codes } => Ok((dictionary, codes)),
            _ => Err(Error::bug(format!("column `{name}` of the source was not read as text"))),
        }
    }
}

/// Which of two tables is the worse for people: by the mean probability, then by the greatest.
fn tells_more(one: &Matches, other: &Matches) -> bool {
    let least = |matches: &Matches| matches.found().next().map_or(u64::MAX, |line| line.k);
    let by_mean = one.marketer().total_cmp(&other.marketer());
    by_mean.then_with(|| least(other).cmp(&least(one))).is_gt()
}

fn check_twice(known: &[String]) -> Result<()> {
    match known.iter().enumerate().find(|(at, name)| known[..*at].contains(name)) {
        Some((_, name)) => Err(Error::request("known", name, "the column is named twice")),
        None => Ok(()),
    }
}
