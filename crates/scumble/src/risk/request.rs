//! Who the attacker is.

use scumble_io::RawTable;
use scumble_risk::{InferenceOptions, n_subsets};
use scumble_rules::RuleCount;
use scumble_table::{Decimal, Error, Persons, Result};

/// Probabilities at which people are counted where none are asked for: from one in twenty to certainty.
const THRESHOLDS: [&str; 6] = ["0.05", "0.1", "0.2", "0.33", "0.5", "1"];

/// More subsets than this are hardly what anybody wants to wait for, or to read.
const MOST_SUBSETS: u64 = 100_000;

/// What the attacker knows, and what counts as success.
#[derive(Debug, Clone, Default)]
pub struct RiskRequest<'a> {
    /// Columns that the attacker knows about people; all quasi-identifiers of a release where none are named.
    pub known: Vec<String>,
    /// Attack with every subset of the known columns up to this size as well.
    pub up_to: Option<usize>,
    /// The data that a release was made from, with the known and the sensitive columns as texts: the people who are looked
    /// for.
    pub source: Option<&'a RawTable>,
    /// Whose row each row of the source is: people are counted then, each once. Data under attack says so itself.
    pub persons: Option<&'a Persons>,
    /// The population that the data is a sample of.
    pub population: Option<RiskPopulation<'a>>,
    /// Probabilities at or above which people are counted; some usual ones where none are given.
    pub thresholds: Vec<Decimal>,
    /// Beliefs about sensitive values above this count as an attack that succeeds; 0.5 where not given.
    pub belief: Option<Decimal>,
    /// How near a sensitive number is as good as the number itself.
    pub epsilon: Option<Decimal>,
    /// What rules did to data before, which the facts tell.
    pub rules: Vec<RuleCount>,
    /// What stands for the target in the facts; the directory of a release where nothing is given.
    pub name: String,
}

/// The population that data is a sample of.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum RiskPopulation<'a> {
    /// A number of people, of whom no more is known.
    Size(u64),
    /// These people, with the known columns as texts.
    People(&'a RawTable),
}

impl RiskRequest<'_> {
    /// An attacker who knows some columns about people.
    pub fn new(known: Vec<String>) -> Self {
        RiskRequest { known, ..RiskRequest::default() }
    }

    /// Refuses what can be refused before any data is read.
    ///
    /// # Errors
    /// Names the field, the value and what would be accepted.
    pub fn check(&self, of_release: bool) -> Result<()> {
        if !of_release {
            check_known(&self.known)?;
            let given = [
                ("source", self.source.is_some()),
                ("belief", self.belief.is_some()),
                ("epsilon", self.epsilon.is_some()),
            ];
            if let Some((field, _)) = given.into_iter().find(|(_, given)| *given) {
                return Err(Error::request(field, "", "this is about releases, and the target is data")
                    .hint("attack a release, or leave it out"));
            }
        }
        let outside = |p: &&Decimal| **p <= Decimal::ZERO || **p > Decimal::from(1);
        if let Some(p) = self.thresholds.iter().find(outside) {
            return Err(Error::request("threshold", p.to_string(), "this is no probability that anybody could have")
                .hint("above 0 and up to 1, such as 0.2"));
        }
        if self.persons.is_some() && self.source.is_none() {
            return Err(Error::request("person", "", "whose rows are whose is told by the source, and none is named")
                .hint("name the data that the release was made from with «source»"));
        }
        if let (Some(_), Some(RiskPopulation::People(file))) = (self.persons, self.population) {
            let reason = "whose records of a release are whose is not known for those of a population";
            return Err(Error::request("population", &file.source, reason)
                .hint("give the number of people that the data was drawn from, or leave «person» out"));
        }
        self.inference().checked()?;
        check_twice(&self.known)?;
        match self.known.len() {
            0 => Ok(()),
            n => self.check_subsets(n),
        }
    }

    /// Refuses subsets that there are none or too many of.
    pub(super) fn check_subsets(&self, known: usize) -> Result<()> {
        let Some(up_to) = self.up_to else { return Ok(()) };
        let refused = |reason: String| Error::request("up_to", up_to.to_string(), reason);
        if up_to == 0 || up_to > known {
            let reason = match known {
                1 => "there is one known column".into(),
                n => format!("there are {n} known columns"),
            };
            return Err(refused(reason).hint(format!("from 1 to {known}")));
        }
        if n_subsets(known, up_to) > MOST_SUBSETS {
            return Err(refused(format!("{known} columns have more than {MOST_SUBSETS} such subsets"))
                .hint("ask for smaller subsets, or name fewer columns"));
        }
        Ok(())
    }

    pub(super) fn thresholds(&self) -> Vec<Decimal> {
        match self.thresholds.as_slice() {
            [] => THRESHOLDS.iter().filter_map(|text| Decimal::parse(text)).collect(),
            given => {
                let mut sorted = given.to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                sorted
            }
        }
    }

    pub(super) fn inference(&self) -> InferenceOptions {
        let usual = InferenceOptions::default();
        InferenceOptions { belief: self.belief.unwrap_or(usual.belief), epsilon: self.epsilon }
    }
}

/// Refuses known columns of data that are none, or twice the same.
pub(super) fn check_known(known: &[String]) -> Result<()> {
    match known.is_empty() {
        true => Err(Error::request("known", "", "which columns does the attacker know?")
            .hint("name them, such as birth_year,sex,height")),
        false => check_twice(known),
    }
}

fn check_twice(known: &[String]) -> Result<()> {
    match known.iter().enumerate().find(|(at, name)| known[..*at].contains(name)) {
        Some((_, name)) => Err(Error::request("known", name, "the column is named twice")),
        None => Ok(()),
    }
}
