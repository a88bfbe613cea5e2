//! Who the attacker is.

use crate::source_rules::SourceRules;
use scumble_risk::{InferenceOptions, n_subsets};
use scumble_table::{Decimal, Error, Kind, Result};
use std::path::PathBuf;

/// Probabilities at which people are counted where none are asked for: from one in twenty to certainty.
const THRESHOLDS: [&str; 6] = ["0.05", "0.1", "0.2", "0.33", "0.5", "1"];

/// More subsets than this are hardly what anybody wants to wait for, or to read.
const MOST_SUBSETS: u64 = 100_000;

/// What is attacked, and what the attacker knows.
#[derive(Debug, Clone)]
pub struct RiskRequest {
    /// Data, or the directory of a release.
    pub target: Input,
    /// Columns that the attacker knows about people; all quasi-identifiers of a release where none are named.
    pub known: Vec<String>,
    /// Types of columns of data; told by the values where not given.
    pub types: Vec<(String, Kind)>,
    /// Attack with every subset of the known columns up to this size as well.
    pub up_to: Option<usize>,
    /// The data that a release was made from: the people who are looked for.
    pub source: Option<Input>,
    /// Rules of a job file that are applied first: to data, or to the source of a release that was made with them.
    pub rules: Option<SourceRules>,
    /// Whom the data is a sample of.
    pub population: Option<RiskPopulation>,
    /// Probabilities at or above which people are counted; some usual ones where none are given.
    pub thresholds: Vec<Decimal>,
    /// Beliefs about sensitive values above this count as an attack that succeeds; 0.5 where not given.
    pub belief: Option<Decimal>,
    /// How near a sensitive number is as good as the number itself.
    pub epsilon: Option<Decimal>,
}

/// Whom data is a sample of.
#[derive(Debug, Clone)]
pub enum RiskPopulation {
    /// So many people, of whom no more is known.
    Size(u64),
    /// These people.
    File(Input),
}

impl RiskRequest {
    /// An attacker who knows some columns about the people of a table or a release.
    pub fn new(target: Input, known: Vec<String>) -> Self {
        RiskRequest {
            target,
            known,
            types: Vec::new(),
            up_to: None,
            source: None,
            rules: None,
            population: None,
            thresholds: Vec::new(),
            belief: None,
            epsilon: None,
        }
    }

    /// True if a release is attacked: it is a directory.
    pub fn is_release(&self) -> bool {
        self.target.path.is_dir()
    }

    /// Refuses what can be refused before anything is read.
    pub(super) fn check(&self) -> Result<()> {
        let path = &self.target.path;
        let shown = path.display().to_string();
        if path != &PathBuf::from("-") && !path.exists() {
            return Err(Error::request("DATA|RELEASE", shown, "there is no such file or directory"));
        }
        for (flag, input) in self.files() {
            let path = &input.path;
            if path.as_os_str() != "-" && !path.is_file() {
                return Err(Error::request(flag, path.display().to_string(), "there is no such file"));
            }
        }
        if self.is_release() {
            if !self.types.is_empty() {
                return Err(Error::request("type", "", "a release states the types of its columns itself")
                    .hint("leave «type» out"));
            }
            if self.rules.is_some() && self.source.is_none() {
                return Err(Error::request("rules", "", "rules are applied to the source, and none is named")
                    .hint("name the data that the release was made from with «source»"));
            }
        } else {
            if self.known.is_empty() {
                return Err(Error::request("known", "", "which columns does the attacker know?")
                    .hint("name them, such as «known» birth_year,sex,height"));
            }
            let only_release = |flag: &str, given: bool| match given {
                true => Err(Error::request(flag, "", "this is about releases, and the target is a file")
                    .hint("name the directory of a release, or leave it out")),
                false => Ok(()),
            };
            only_release("source", self.source.is_some())?;
            only_release("belief", self.belief.is_some())?;
            only_release("epsilon", self.epsilon.is_some())?;
        }
        let outside = |p: &&Decimal| **p <= Decimal::ZERO || **p > Decimal::from(1);
        if let Some(p) = self.thresholds.iter().find(outside) {
            return Err(Error::request("threshold", p.to_string(), "this is no probability that anybody could have")
                .hint("above 0 and up to 1, such as 0.2"));
        }
        self.inference().checked()?;
        if let Some((_, name)) = self.known.iter().enumerate().find(|(at, name)| self.known[..*at].contains(name)) {
            return Err(Error::request("known", name, "the column is named twice"));
        }
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
        let n = n_subsets(known, up_to);
        if n > MOST_SUBSETS {
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

    fn files(&self) -> impl Iterator<Item = (&'static str, &Input)> {
        let population = match &self.population {
            Some(RiskPopulation::File(input)) => Some(("population", input)),
            _ => None,
        };
        self.source.iter().map(|input| ("source", input)).chain(population)
    }
}
