//! Requirements put to a release, and the answers in words.

use super::census::Census;
use super::distance::needs_distance;
use super::judge::{Judgement, in_words, judge};
use super::verdict::Verdict;
use scumble_principle::{LoadedDistance, Requirement};
use scumble_release::AttainedEntry;
use scumble_table::{Error, Monitor, Result, number_of};

/// Who asked for a requirement: a promise that makes no sense is a broken one, a question that makes
/// no sense is a wrong question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestedBy {
    /// The release states it.
    Manifest,
    /// The caller of the verifier asks for it.
    User,
}

/// Judges groups by requirements.
pub(super) struct RequirementCheck<'a> {
    /// The groups of every grouping.
    pub(super) censuses: &'a [Census],
    /// The word for several of them.
    pub(super) groups: &'static str,
    /// The name of one.
    pub(super) name: &'a dyn Fn(&Census, usize) -> String,
    /// May stop the work between two requirements.
    pub(super) monitor: Monitor<'a>,
}

/// The distance that requirements are judged by.
#[derive(Clone, Copy)]
pub(super) enum DistanceUsed<'a> {
    /// The one that is given.
    Given(&'a LoadedDistance),
    /// No distance is given.
    None,
    /// The manifest states a distance that cannot be used.
    Broken,
}

impl<'a> From<Option<&'a LoadedDistance>> for DistanceUsed<'a> {
    fn from(distance: Option<&'a LoadedDistance>) -> Self {
        distance.map_or(DistanceUsed::None, DistanceUsed::Given)
    }
}

impl<'a> DistanceUsed<'a> {
    pub(super) fn distance(self) -> Option<&'a LoadedDistance> {
        match self {
            DistanceUsed::Given(distance) => Some(distance),
            DistanceUsed::None | DistanceUsed::Broken => None,
        }
    }
}

impl RequirementCheck<'_> {
    /// Puts requirements to the groups, and notes the answers.
    pub(super) fn note(
        &self,
        requirements: &[Requirement],
        by: DistanceUsed<'_>,
        asked: RequestedBy,
        verdict: &mut Verdict,
    ) -> Result<()> {
        for requirement in requirements {
            self.monitor.check()?;
            let mut check = format!("require[{requirement}]");
            if let (Some(distance), true) = (by.distance(), verdict.checks.iter().any(|known| known.name == check)) {
                // The manifest promises the same by another distance.
                check = format!("require[{requirement} by {}]", distance.distance());
            }
            if matches!(by, DistanceUsed::Broken) && needs_distance(requirement) {
                verdict.note(check, Err("it cannot be judged by the distance that is stated".into()));
                continue;
            }
            match judge(self.censuses, requirement, by.distance()) {
                Ok(judgement) => {
                    verdict.note(check, self.describe(&judgement));
                    verdict.attained.extend(judgement.attained);
                }
                Err(error @ (Error::Request { .. } | Error::Data { .. })) if asked == RequestedBy::Manifest => {
                    verdict.note(check, Err(error.to_string()));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// A judgement in words: what was reached, and the worst group by each test.
    fn describe(&self, judgement: &Judgement) -> Result<String, String> {
        let (n_groups, groups) = (judgement.n_groups, self.groups);
        let worst: Vec<String> = judgement
            .worst
            .iter()
            .map(|((census, group), attained)| {
                format!("{} has {}", (self.name)(&self.censuses[*census], *group), in_words(&attained.figures))
            })
            .collect();
        let reached: Vec<String> = judgement
            .attained
            .iter()
            .filter(|entry| !entry.figures.is_empty())
            .map(|entry| match &entry.column {
                Some(column) => format!("{} in `{column}`", in_words(&entry.figures)),
                None => in_words(&entry.figures),
            })
            .collect();
        match (judgement.failing, n_groups) {
            (_, 0) => Ok(format!("no {groups}")),
            (0, 1) => Ok(format!("1 {} attains {}", one_of(groups), reached.join("; "))),
            (0, _) => Ok(format!("{n_groups} {groups} attain {}", reached.join("; "))),
            (_, 1) => Err(format!("the only {} fails; {}", one_of(groups), worst.join("; "))),
            (1, _) => Err(format!("1 of {n_groups} {groups} fails; {}", worst.join("; "))),
            (failing, _) => Err(format!("{failing} of {n_groups} {groups} fail; {}", worst.join("; "))),
        }
    }
}

/// One of the groups.
fn one_of(groups: &str) -> &str {
    if groups == "batches" { "batch" } else { groups.strip_suffix('s').unwrap_or(groups) }
}

/// Compares what a manifest says was reached with what is.
pub(super) fn same_attained(stated: &[AttainedEntry], found: &[AttainedEntry]) -> Result<String, String> {
    let lost = found.iter().find(|entry| !stated.contains(entry));
    let invented = stated.iter().find(|entry| !found.contains(entry));
    match (lost, invented) {
        (None, None) => {
            let (n, them) =
                (number_of(found.len() as u64, "figure", "figures"), if found.len() == 1 { "it" } else { "them" });
            Ok(format!("{n} as the manifest states {them}"))
        }
        (Some(entry), _) => Err(format!(
            "`{}` attains {}, which the manifest does not say",
            entry.requirement,
            in_words(&entry.figures)
        )),
        (None, Some(entry)) => {
            Err(format!("the manifest says that `{}` attains {}", entry.requirement, in_words(&entry.figures)))
        }
    }
}
