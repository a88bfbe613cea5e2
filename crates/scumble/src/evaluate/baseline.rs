//! The rival that a release is compared with.

use scumble_measure::{Answers, ComparedSource, Errors, Perturbed, largest_retention};
use scumble_principle::Requirement;
use scumble_table::{Error, Monitor, Result};
use serde::Serialize;
use std::str::FromStr;

/// What to compare a release with. A closed set of one, so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Baseline {
    /// Sensitive values replaced by noise, as far as the release's proximity requirement demands.
    Perturbation,
}

impl FromStr for Baseline {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "perturbation" => Ok(Baseline::Perturbation),
            _ => Err(Error::request("baseline", text, "there is no such baseline").hint("perturbation")),
        }
    }
}

/// What the rival can do under the release's requirement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BaselineFacts {
    /// `perturbation`.
    pub method: &'static str,
    /// The requirement that it meets too.
    pub requirement: String,
    /// The largest share of sensitive values that it may keep; 0 where it cannot meet the requirement.
    pub retention: f64,
}

/// A perturbed table of the source.
pub(super) struct Rival {
    pub(super) facts: BaselineFacts,
    /// Nothing where all would be noise.
    table: Option<Perturbed>,
}

impl Rival {
    /// Perturbs the source as little as the release's proximity requirement allows; `stated` are all its requirements.
    pub(super) fn new(stated: &[String], source: Option<&ComparedSource>, seed: u64) -> Result<Self> {
        let refused = |reason: &str, hint: &str| Err(Error::request("baseline", "perturbation", reason).hint(hint));
        let Some(source) = source else {
            return refused("the release has no sensitive column", "leave «baseline» out");
        };
        let stated = stated.iter().filter_map(|text| text.parse().ok());
        let Some(requirement) = proximity(stated, &source.sensitive) else {
            return refused(
                &format!("the release states no proximity requirement on `{}`", source.sensitive),
                "perturbation is compared under the same requirement, such as \"proximity-absolute(4500, 5)\"; \
                 leave «baseline» out for other releases",
            );
        };
        let Some((domain, whole)) = &source.values else {
            return refused(&format!("the values of `{}` are no numbers", source.sensitive), "leave «baseline» out");
        };
        let retention = largest_retention(domain, whole, &requirement)?;
        let table = (retention > 0.0).then(|| Perturbed::new(&source.microdata, retention, seed));
        let facts = BaselineFacts { method: "perturbation", requirement: requirement.to_string(), retention };
        Ok(Rival { facts, table })
    }

    /// Its relative errors; nothing where it has no estimate.
    pub(super) fn errors(&self, answers: &Answers, monitor: Monitor<'_>) -> Result<Option<Errors>> {
        match &self.table {
            Some(table) => answers.perturbation_errors(table, monitor),
            None => Ok(None),
        }
    }
}

/// The first proximity requirement on a column.
fn proximity(mut stated: impl Iterator<Item = Requirement>, column: &str) -> Option<Requirement> {
    stated.find(|requirement| {
        let on_it = requirement.column.as_deref().is_none_or(|name| name == column);
        on_it && requirement.principle().proximity().is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requirement_is_the_columns_own() {
        let stated = ["k-anonymity(5)", "age: proximity-absolute(3, 2)", "proximity-relative(0.125, 5)"];
        let found = |column: &str| proximity(stated.iter().map(|text| text.parse().unwrap()), column);
        assert_eq!(found("age").map(|r| r.to_string()).as_deref(), Some("age: proximity-absolute(3, 2)"));
        assert_eq!(found("pay").map(|r| r.to_string()).as_deref(), Some("proximity-relative(0.125, 5)"));
        assert_eq!(proximity(["k-anonymity(5)".parse().unwrap()].into_iter(), "pay"), None);
        assert!("perturb".parse::<Baseline>().is_err() && "perturbation".parse::<Baseline>().is_ok());
    }
}
