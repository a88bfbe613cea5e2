//! What can be refused of a request before any data is read.

use super::{ColumnRole, PublishRequest};
use crate::choice::{Algorithm, Method, Profile};
use scumble_principle::Spec;
use scumble_table::{Decimal, Error, Result};

impl PublishRequest {
    /// What can be refused before the data is touched.
    pub fn check(&self) -> Result<()> {
        for (i, column) in self.columns.iter().enumerate() {
            if let Some(other) = self.columns[..i].iter().find(|other| other.name == column.name) {
                let reason = if other.role == column.role {
                    format!("the column is named twice in {}", column.role.flag())
                } else {
                    format!("the column is also named in {}", other.role.flag())
                };
                return Err(Error::request(column.role.flag(), &column.name, reason).hint("a column has one role"));
            }
        }
        if !self.columns.iter().any(|column| column.role == ColumnRole::Quasi) {
            return Err(Error::request("--quasi", "", "no quasi-identifying column is named")
                .hint("name the columns an attacker may know of a person, such as --quasi age,sex,zipcode"));
        }
        if self.requirements.is_empty() {
            return Err(Error::request("--require", "", "nothing is required, so nothing would be protected")
                .hint("for example --require \"k-anonymity(5)\""));
        }
        for (i, requirement) in self.requirements.iter().enumerate() {
            if self.requirements[..i].contains(requirement) {
                return Err(Error::request("--require", requirement.to_string(), "this is required twice"));
            }
        }
        self.check_method()?;
        self.check_algorithm()?;
        if self.max_suppressed < Decimal::ZERO || self.max_suppressed >= Decimal::from(1) {
            return Err(Error::request(
                "--max-suppressed",
                self.max_suppressed.to_string(),
                "a share of at least 0 and below 1 is wanted",
            )
            .hint("0.02 lets at most one row in fifty be suppressed"));
        }
        Ok(())
    }

    /// A method must have what it works on, and nothing that it has no use for.
    fn check_method(&self) -> Result<()> {
        let method = self.chosen_method();
        let sensitive = self.sensitive();
        if method.is_exact() && sensitive.is_empty() {
            let reason = format!("{method} hides whose sensitive values are whose, and no such column is named");
            return Err(Error::request("--sensitive", "", reason).hint(
                "name what nobody may learn about a person, such as --sensitive disease, or use --method generalize",
            ));
        }
        if self.together && method != Method::Permute {
            let reason = "only --method permute can hold sensitive columns together or apart";
            return Err(Error::request("--together", "", reason).hint("leave --together out, or use --method permute"));
        }
        if method == Method::Permute && self.max_suppressed > Decimal::ZERO {
            return Err(Error::request(
                "--max-suppressed",
                self.max_suppressed.to_string(),
                "a permuted release has exact quasi-identifiers, which suppression could not make any more precise",
            )
            .hint("leave --max-suppressed out, or use --method generalize"));
        }
        if self.is_apart() {
            let spoken = |at: usize| {
                let mut all = self.requirements.iter();
                all.any(|requirement| requirement.column.is_none() || requirement.named_in(&sensitive) == Some(at))
            };
            if let Some(at) = (0..sensitive.len()).find(|&at| !spoken(at)) {
                let reason = format!("nothing is required of the groups of `{}`", sensitive[at]);
                return Err(Error::request("--require", "", reason).hint(format!(
                    "each sensitive column has groups of its own: require something of all, such as \"k-anonymity(5)\", \
                     or of this one, \"{}: distinct-l-diversity(3)\", or permute them --together",
                    sensitive[at]
                )));
            }
        }
        Ok(())
    }

    /// An algorithm must be able to meet the requirements, and an aim must have somebody to follow it.
    pub(crate) fn check_algorithm(&self) -> Result<()> {
        let algorithm = self.chosen_algorithm();
        let proximity = self.about_proximity();
        self.check_ke(algorithm)?;
        match algorithm {
            Algorithm::Proximity if !proximity => {
                return Err(Error::request("--algorithm", algorithm.name(), "no requirement is about proximity")
                    .hint("leave --algorithm out, and the requirements choose it"));
            }
            Algorithm::Mondrian | Algorithm::MondrianRelaxed if proximity => {
                return Err(Error::request(
                    "--algorithm",
                    algorithm.name(),
                    "groups that meet a proximity requirement may fail it together, which this algorithm cannot handle",
                )
                .hint("leave --algorithm out, or use `proximity` or `paper`; or ask for `proximity-window(e1, e2, m)`, which is stricter and holds for groups together too"));
            }
            Algorithm::Paper if proximity && self.profile != Profile::Standard => {
                return Err(Error::request(
                    "--profile",
                    self.profile.name(),
                    "the paper's algorithm has no profiles under a proximity requirement",
                )
                .hint("leave --profile out, or --algorithm"));
            }
            Algorithm::Proximity => {}
            other => {
                if let Some(aim) = self.aim {
                    let reason = format!("the algorithm `{}` follows no aim", other.name());
                    return Err(Error::request("--aim", aim.name(), reason)
                        .hint("an aim is for proximity requirements with the algorithm `proximity`"));
                }
            }
        }
        if proximity && self.max_suppressed > Decimal::ZERO {
            return Err(Error::request(
                "--max-suppressed",
                self.max_suppressed.to_string(),
                "under a proximity requirement all rows are published, and none is suppressed",
            )
            .hint("leave --max-suppressed out"));
        }
        Ok(())
    }

    /// Groups along the order of a number are made for (k, e)-anonymity and hold all rows.
    fn check_ke(&self, algorithm: Algorithm) -> Result<()> {
        let refused = |reason: &str| Error::request("--algorithm", algorithm.name(), reason);
        if algorithm == Algorithm::RankSwap {
            return Err(refused("rank swapping guarantees nothing that a release could be checked for")
                .hint("`scumble evaluate` measures it beside the others"));
        }
        if algorithm.ke_rule().is_none() {
            return Ok(());
        }
        if !self.requirements.iter().any(|requirement| matches!(requirement.spec, Spec::KeAnonymity(_))) {
            return Err(refused("no requirement is `ke-anonymity(k, e)`, and these groups are made for it")
                .hint("require for example \"ke-anonymity(4, 100)\" of a sensitive number, or leave --algorithm out"));
        }
        if self.max_suppressed > Decimal::ZERO {
            let reason = format!("the algorithm `{}` publishes all rows, and none is suppressed", algorithm.name());
            return Err(Error::request("--max-suppressed", self.max_suppressed.to_string(), reason)
                .hint("leave --max-suppressed out, or use `mondrian`"));
        }
        Ok(())
    }
}
