//! Requirements put to every group.

use super::census::Census;
use crate::AttainedEntry;
use rayon::prelude::*;
use scumble_principle::{Attained, BoundRequirements, Group, Requirement};
use scumble_table::{Bag, Result, Role, Schema};

/// Groups judged together by one core.
const RUN: usize = 1 << 11;

/// What one requirement came to.
pub(crate) struct Judgement {
    /// What each of its tests attains, for the manifest.
    pub(crate) attained: Vec<AttainedEntry>,
    /// Groups that do not meet it.
    pub(crate) failing: u64,
    /// For each test, the group that is worst by it and what that group attains.
    pub(crate) worst: Vec<(usize, Attained)>,
}

/// Partial results of a run of groups.
struct Tally {
    failing: u64,
    /// What all groups attain together, and the worst one.
    tests: Vec<(Attained, (usize, Attained))>,
}

impl Tally {
    /// Runs come in order, so that the first of equally bad groups is named.
    fn add(mut self, other: Tally) -> Tally {
        self.failing += other.failing;
        if self.tests.is_empty() {
            self.tests = other.tests;
            return self;
        }
        let both = self.tests.into_iter().zip(other.tests);
        self.tests = both
            .map(|((common, worst), (other_common, other_worst))| {
                let worst = if other_worst.1.score < worst.1.score { other_worst } else { worst };
                (common.common(other_common), worst)
            })
            .collect();
        self
    }
}

/// Judges every group of a census by one requirement. Fails where the requirement cannot be put to
/// these columns at all.
pub(crate) fn judge(census: &Census, requirement: &Requirement) -> Result<Judgement> {
    let schema = census.schema();
    let bound = BoundRequirements::bind(std::slice::from_ref(requirement), schema, |at| census.whole(at).clone())?;
    let needed = bound.sensitive_needed();
    let n_columns = schema.attributes().len();
    let tallies: Vec<Tally> = (0..census.n_groups())
        .into_par_iter()
        .step_by(RUN)
        .map(|from| {
            let mut bags = vec![Bag::default(); n_columns];
            let mut tally = Tally { failing: 0, tests: Vec::new() };
            for group_idx in from..(from + RUN).min(census.n_groups()) {
                for &column in &needed {
                    census.fill(group_idx, column, &mut bags[column]);
                }
                let group = Group { size: census.size(group_idx).into(), bags: &bags };
                let failing = u64::from(!bound.holds(group));
                let tests = bound.attained(group).into_iter().map(|a| (a.clone(), (group_idx, a))).collect();
                tally = tally.add(Tally { failing, tests });
            }
            tally
        })
        .collect();
    let all = tallies.into_iter().reduce(Tally::add).unwrap_or(Tally { failing: 0, tests: Vec::new() });
    let (commons, worst): (Vec<Attained>, Vec<(usize, Attained)>) = all.tests.into_iter().unzip();
    Ok(Judgement { attained: attained_entries(&bound, schema, commons), failing: all.failing, worst })
}

/// What bound requirements attain, in the form in which a manifest states it. `common` holds what
/// all groups attain together (`Attained::common`), test by test; it is empty where there is no group.
pub fn attained_entries(bound: &BoundRequirements, schema: &Schema, common: Vec<Attained>) -> Vec<AttainedEntry> {
    let sensitive = schema.of_role(Role::Sensitive);
    let mut common = common.into_iter();
    let mut entries = Vec::with_capacity(bound.tests().len());
    for test in bound.tests() {
        let requirement = &bound.requirements()[test.requirement()];
        let several = sensitive.len() > 1 && requirement.column.is_none();
        let column = test.column().filter(|_| several).and_then(|at| sensitive.get(at));
        entries.push(AttainedEntry {
            requirement: requirement.to_string(),
            column: column.map(|&at| schema.attributes()[at].name.clone()),
            figures: common.next().map_or(Vec::new(), |attained| owned(&attained.figures)),
        });
    }
    entries
}

/// Figures that outlive the test.
pub(crate) fn owned(figures: &[(&'static str, String)]) -> Vec<(String, String)> {
    figures.iter().map(|(name, text)| (name.to_string(), text.clone())).collect()
}

/// `k 3, l 2`, for people.
pub(crate) fn in_words(figures: &[(impl AsRef<str>, String)]) -> String {
    let words: Vec<String> = figures.iter().map(|(name, text)| format!("{} {text}", name.as_ref())).collect();
    words.join(", ")
}
