//! What a verification found.

use super::{Against, Joined, Kept, LevelEntry, PersonsJudged};
use scumble_principle::Requirement;
use scumble_release::{AttainedEntry, Check, Findings};
use scumble_table::{Error, Result};
use serde::Serialize;

/// The answer to "does this release keep what it promises?", with all that was looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// True if every check holds and nothing was left unjudged.
    pub ok: bool,
    /// Everything that was checked, in order.
    pub checks: Vec<Check>,
    /// What each requirement really reaches.
    pub attained: Vec<AttainedEntry>,
    /// The level reached for every principle that applies, required or not.
    pub levels: Vec<LevelEntry>,
    /// Rows published with values.
    pub rows: u64,
    /// Number of groups.
    pub groups: u64,
    /// Rows published as stars.
    pub suppressed: u64,
    /// How large the groups are.
    pub group_sizes: GroupSizes,
    /// What a reader must know although no check fails for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Requirements that nobody could judge without the population that they are about: without it nothing is verified.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unjudged: Vec<String>,
    /// What requirements that need not hold would find.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Against>,
    /// How far several tables of boxes narrow people down together, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined: Option<Joined>,
    /// How far requirements were judged by persons, where a source says whose rows are whose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<PersonsJudged>,
    /// How far kept columns single people out of their groups, where there are some and quasi-identifiers are boxes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Kept>,
}

/// How large the groups are.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct GroupSizes {
    /// Rows in the smallest group; 0 where there is none.
    pub min: u64,
    /// Mean number of rows.
    pub mean: f64,
    /// Rows in the largest group.
    pub max: u64,
    /// Pairs of a size and the number of groups of that size, by rising size.
    pub histogram: Vec<(u64, u64)>,
}

impl GroupSizes {
    /// From the number of rows of each group.
    pub fn from_sizes(sizes: impl Iterator<Item = u32>) -> Self {
        let mut sizes: Vec<u32> = sizes.collect();
        sizes.sort_unstable();
        let total: u64 = sizes.iter().map(|&n| u64::from(n)).sum();
        GroupSizes {
            min: sizes.first().map_or(0, |&n| n.into()),
            mean: if sizes.is_empty() { 0.0 } else { total as f64 / sizes.len() as f64 },
            max: sizes.last().map_or(0, |&n| n.into()),
            histogram: sizes.chunk_by(|a, b| a == b).map(|run| (u64::from(run[0]), run.len() as u64)).collect(),
        }
    }
}

impl Verdict {
    /// The checks that do not hold.
    pub fn failures(&self) -> impl Iterator<Item = &Check> + '_ {
        self.checks.iter().filter(|check| !check.ok)
    }

    /// A verdict in the making.
    pub(crate) fn empty() -> Self {
        Verdict { ok: true, ..Verdict::default() }
    }

    /// The verdict on a release that cannot be opened, since its manifest makes no sense.
    ///
    /// # Errors
    /// Any other fault: it says nothing about a release.
    pub fn of_unreadable(error: Error) -> Result<Verdict> {
        match error {
            Error::Data { .. } => {
                let mut verdict = Verdict::empty();
                verdict.note("manifest", Err(error.to_string()));
                Ok(verdict)
            }
            other => Err(other),
        }
    }

    /// Notes a check and returns whether it holds.
    pub(crate) fn note(&mut self, name: impl Into<String>, found: Result<String, String>) -> bool {
        let check = Check::new(name, found);
        let ok = check.ok;
        self.checks.push(check);
        self.ok &= ok;
        ok
    }

    /// Notes a requirement that cannot be judged.
    pub(crate) fn note_unjudged(&mut self, requirement: &Requirement) {
        self.unjudged.push(requirement.to_string());
        self.ok = false;
    }

    /// Takes over what was found while tables were read.
    pub(crate) fn absorb(&mut self, findings: Findings) {
        self.ok &= findings.failures().next().is_none();
        self.checks.extend(findings.checks);
        (self.rows, self.groups, self.suppressed) = (findings.rows, findings.groups, findings.suppressed);
    }
}
