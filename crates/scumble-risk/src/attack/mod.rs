//! An attack on a table or on a release by somebody who knows some columns about people.
//!
//! ```text
//! data, or an opened release -> PeopleTable: what records show in the known columns -> classes, all subsets
//! source, population         -> PeopleIndex: where people lie among that            -> records around each person
//! ```
//!
//! Without a source, records match that show the same in the known columns. With one, a record matches everybody whose
//! known values its boxes cover. Where a release has several tables, the attacker takes the one that tells most, or all of them
//! joined by batch. Where it is known whose rows are whose, the people behind records are counted, each once.

mod candidates;
mod cover;
mod distinct_rows;
mod matching;
mod people_index;
mod people_table;

pub(crate) use candidates::{Candidates, PeopleLeft, SourcePersons};
pub(crate) use cover::BoxCover;
pub(crate) use distinct_rows::DistinctRows;
pub(crate) use matching::Matching;
pub(crate) use people_index::PeopleIndex;
pub(crate) use people_table::{Disclosure, PeopleTable, SensitiveColumn};

use crate::lattice::subsets;
use crate::{Journalist, Matches, class_sizes, class_sizes_by_person, lattice};
use people_table::known_columns;
use scumble_io::{Dictionary, RawColumn, RawTable};
use scumble_release::{Angelized, PublishedTables, ReleaseData};
use scumble_table::{Codes, Counted, Error, Monitor, Persons, Result, Table};
use scumble_verify::{join_candidates, members_of_boxes, members_of_groups};
use std::sync::Arc;

/// A table or a release under attack.
pub struct Attack<'a> {
    known: Vec<String>,
    pub(crate) tables: Vec<PeopleTable>,
    /// People who are looked for.
    pub(crate) people: Option<People<'a>>,
    population: Population,
    /// Whose records these are, where data under attack says so.
    persons: Option<Arc<Persons>>,
    release: Option<&'a ReleaseData>,
}

/// What stands for all tables of a release, joined by batch.
pub const JOINED_TABLES: &str = "joined";

/// The people of a source.
pub(crate) struct People<'a> {
    /// One for each table.
    pub(crate) indexes: Vec<PeopleIndex>,
    /// The source itself, with the sensitive columns.
    pub(crate) raw: &'a RawTable,
    /// Whose its rows are, where that is known and somebody has several.
    pub(crate) persons: Option<SourcePersons>,
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
    /// How many records match each person, or how many people have such records where these are counted.
    pub matches: Matches,
    /// Whether somebody may have more candidates, since it is not certain whose all records are.
    pub at_least: bool,
    /// Whether somebody may have fewer: the figure counts rows that all tables joined leave, and whose these are does not follow across
    /// tables.
    pub at_most: bool,
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
        let persons = table.persons().filter(|persons| persons.repeat()).cloned();
        let (known, population) = (known.to_vec(), Population::Unknown);
        Ok(Attack { known, tables, people: None, population, persons, release: None })
    }

    /// An attack on a release; with all quasi-identifiers where no column is named.
    ///
    /// # Errors
    /// If the release has no column of a name, or it is sensitive, or a column is known twice, or the work was cancelled.
    pub fn on_release(release: &'a ReleaseData, known: &[String], monitor: Monitor<'_>) -> Result<Self> {
        check_twice(known)?;
        let known = known_columns(release.reader().columns(), known)?;
        let tables = PeopleTable::from_release(release, &known, monitor)?;
        let population = Population::Unknown;
        Ok(Attack { known, tables, people: None, population, persons: None, release: Some(release) })
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
        let indexes = self.indexes(source, "source", monitor)?;
        self.people = Some(People { indexes, raw: source, persons: None });
        Ok(self)
    }

    /// Counts people, each once, where the rows of the source that is looked for are theirs. Which records are whose follows
    /// from what the release shows, as far as that is certain. Where too many groups are possible to look at, rows are counted
    /// as before, with a warning.
    ///
    /// # Errors
    /// If no source is looked for, the persons are those of other rows, or the work was cancelled.
    pub fn counting(mut self, persons: &Persons, monitor: Monitor<'_>) -> Result<Self> {
        let (Some(people), Some(release)) = (&mut self.people, self.release) else {
            return Err(Error::bug("persons of no source"));
        };
        if persons.of_rows().len() != people.raw.n_rows {
            return Err(Error::bug("persons of another source"));
        }
        if !persons.repeat() {
            return Ok(self);
        }
        let (mut boxes, mut groups) = (Vec::new(), Vec::new());
        match release.tables() {
            PublishedTables::Generalized(boxed) => boxes.push(members_of_boxes(boxed, people.raw, monitor)?),
            PublishedTables::Angel(tables) => {
                for view in &tables.views {
                    boxes.push(members_of_boxes(&view.boxed, people.raw, monitor)?);
                }
            }
            PublishedTables::Exact(exact) => {
                for grouping in &exact.groupings {
                    if let Some(members) = members_of_groups(exact, grouping, people.raw, monitor)? {
                        let names = grouping.sensitive.values.iter().map(|column| column.column.name().to_string());
                        groups.extend(names.map(|name| (name, members.clone())));
                    }
                }
            }
        }
        if boxes.iter().any(Option::is_none) {
            monitor.warn(
                "rows are counted and not persons: there are too many groups that rows of the source could be in",
            );
            return Ok(self);
        }
        people.persons = Some(SourcePersons { persons: persons.clone(), boxes, groups });
        Ok(self)
    }

    /// Who is counted.
    pub fn counted(&self) -> Counted {
        let of_source = self.people.as_ref().is_some_and(|people| people.persons.is_some());
        Counted::people_if(self.persons.is_some() || of_source)
    }

    /// Those who are looked for, and the candidates that somebody has of whom nothing is known.
    pub fn everybody(&self) -> (u64, u64) {
        match (&self.persons, self.people.as_ref().map(|people| (&people.persons, people.raw.n_rows as u64))) {
            (Some(persons), _) => (persons.n() as u64, persons.n() as u64),
            (None, Some((Some(own), _))) => (own.persons.n() as u64, own.persons.n() as u64),
            (None, Some((None, rows))) => (rows, self.records()),
            (None, None) => (self.records(), self.records()),
        }
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
        let (mut best, mut left): (Option<TableFindings>, Vec<PeopleLeft>) = (None, Vec::new());
        for (at, table) in self.tables.iter().enumerate() {
            monitor.check()?;
            let chosen = table.having(subset);
            if at > 0 && chosen.is_empty() {
                continue;
            }
            let (matches, exact): (Matches, bool) = match &self.people {
                Some(People { indexes, persons, .. }) => {
                    let matching = Matching { table, index: &indexes[at], chosen: &chosen, monitor };
                    match persons {
                        None => (matching.around_people()?, true),
                        Some(own) => {
                            let members = own.boxes.get(at).and_then(Option::as_ref);
                            let here = Candidates::new(matching, members)?.people(&own.persons, monitor)?;
                            let found = here.matches(&own.persons);
                            left.push(here);
                            found
                        }
                    }
                }
                None => match &self.persons {
                    Some(persons) => (class_sizes_by_person(&table.known(&chosen), persons, monitor)?, true),
                    None => (class_sizes(&table.known(&chosen), table.n_rows, monitor)?, true),
                },
            };
            if best.as_ref().is_none_or(|told| tells_more(&matches, &told.matches)) {
                best = Some(TableFindings { at, name: table.name.clone(), matches, at_least: !exact, at_most: false });
            }
        }
        if let Some(told) = self.joined(subset, &left, monitor)?
            && best.as_ref().is_none_or(|best| tells_more(&told.matches, &best.matches))
        {
            best = Some(told);
        }
        let told = best.ok_or_else(|| Error::bug("a release without a table of people"))?;
        self.found(subset.to_vec(), told, monitor)
    }

    /// The attack with all tables of boxes, joined by batch, on the people of a source; nothing where fewer than two have a
    /// known column. Whose a record is cannot be told across tables: people are as many as may be behind the rows that are left,
    /// and at most as many as any table leaves by itself.
    fn joined(&self, subset: &[usize], left: &[PeopleLeft], monitor: Monitor<'_>) -> Result<Option<TableFindings>> {
        let (Some(people), Some(tables)) = (&self.people, self.angel()) else { return Ok(None) };
        let telling = self.tables.iter().filter(|table| !table.having(subset).is_empty()).count();
        if telling < 2 {
            return Ok(None);
        }
        let is_known = |name: &str| subset.iter().any(|&at| self.known[at] == name);
        let own = people.persons.as_ref().map(|own| &own.persons);
        let Some(found) = join_candidates(tables, people.raw, is_known, own, monitor)? else { return Ok(None) };
        let told = |matches, at_least, at_most| {
            Some(TableFindings { at: 0, name: Some(JOINED_TABLES.into()), matches, at_least, at_most })
        };
        Ok(match &people.persons {
            None => told(Matches::from_classes(found.candidates), false, false),
            Some(own) => {
                let joined = PeopleLeft::joined(left, &found, &own.persons);
                joined.and_then(|(matches, uncertain)| told(matches, uncertain, true))
            }
        })
    }

    /// The tables of an angel release.
    pub fn angel(&self) -> Option<&'a Angelized> {
        match self.release.map(ReleaseData::tables) {
            Some(PublishedTables::Angel(tables)) => Some(tables),
            _ => None,
        }
    }

    /// Attacks with every subset of the known columns up to a size, smaller ones first. Each subset advances the stage
    /// by all records.
    ///
    /// # Errors
    /// As [`Attack::with_all`].
    pub fn with_subsets(&self, up_to: usize, monitor: Monitor<'_>) -> Result<Vec<AttackOutcome>> {
        if let ([table], None, None) = (self.tables.as_slice(), &self.people, &self.persons) {
            let columns = table.known(&(0..table.columns.len()).collect::<Vec<_>>());
            let all = lattice(&columns, table.n_rows, up_to, monitor)?;
            let told = |matches: Matches| TableFindings {
                at: 0,
                name: table.name.clone(),
                matches,
                at_least: false,
                at_most: false,
            };
            return all.into_iter().map(|(subset, matches)| self.found(subset, told(matches), monitor)).collect();
        }
        let one = |subset: Vec<usize>| {
            let found = self.with(&subset, monitor)?;
            monitor.advance(self.records());
            Ok(found)
        };
        subsets(self.known.len(), up_to).into_iter().map(one).collect()
    }

    fn found(&self, known: Vec<usize>, told: TableFindings, monitor: Monitor<'_>) -> Result<AttackOutcome> {
        monitor.check()?;
        let TableFindings { at, name, matches, at_least, at_most } = told;
        let table = &self.tables[at];
        let chosen = || table.having(&known);
        let journalist = match &self.population {
            Population::Unknown => None,
            // The records are the sample, whether or not a source was given.
            Population::Size(size) if self.people.is_none() || self.counted() == Counted::People => {
                Some(Journalist::by_size(&matches, *size)?)
            }
            Population::Size(size) => {
                let sample = class_sizes(&table.known(&chosen()), table.n_rows, monitor)?;
                Some(Journalist::by_size(&sample, *size)?)
            }
            Population::People(indexes, file) => {
                let matching = Matching { table, index: &indexes[at], chosen: &chosen(), monitor };
                let classes = match &self.persons {
                    Some(persons) => matching.persons_and_people(persons)?,
                    None => matching.records_and_people()?,
                };
                Some(Journalist::by_classes(&classes, file)?)
            }
        };
        Ok(AttackOutcome { known, table: name, matches, at_least, at_most, journalist })
    }
}

/// What one table tells, or all of them joined.
struct TableFindings {
    /// The table, or the first of several.
    at: usize,
    name: Option<String>,
    matches: Matches,
    at_least: bool,
    at_most: bool,
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
