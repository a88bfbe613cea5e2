//! Requirements put to every group.

use super::census::Census;
use super::distance::{apart, needs_distance};
use rayon::prelude::*;
use scumble_principle::dissimilarity::theory;
use scumble_principle::{
    Attained, BoundRequirements, DissimilarityTest, Distance, Group, LoadedDistance, Requirement, no_population,
};
use scumble_release::AttainedEntry;
use scumble_table::{Bag, Decimal, Result, Role, Schema};

/// Groups judged together by one core.
const RUN: usize = 1 << 11;

/// The result of judging all groups by one requirement.
pub(crate) struct Judgement {
    /// What each of its tests attains, for the manifest.
    pub(crate) attained: Vec<AttainedEntry>,
    /// Groups that were judged.
    pub(crate) n_groups: usize,
    /// Groups that do not meet it.
    pub(crate) failing: u64,
    /// Rows of these groups.
    pub(crate) rows_failing: u64,
    /// Groups below the least size that it allows.
    pub(crate) small: u64,
    /// Where values must be apart: groups with a value that too many others are near.
    pub(crate) breached: Option<u64>,
    /// Where values must be apart: by what distance, with its bounds written out.
    pub(crate) distance: Option<Distance>,
    /// What all groups attain together by all tests; nothing where there is no group.
    pub(crate) common: Option<Attained>,
    /// For each test the worst group, as the positions of its census and of the group in it, and what that group attains.
    pub(crate) worst: Vec<((usize, usize), Attained)>,
}

/// Partial results of a run of groups.
#[derive(Default)]
struct Tally {
    failing: u64,
    rows_failing: u64,
    small: u64,
    breached: u64,
    /// What all groups attain together, and the worst one.
    tests: Vec<(Attained, (usize, Attained))>,
}

impl Tally {
    /// Runs come in order, so that the first of equally bad groups is named.
    fn add(mut self, other: Tally) -> Tally {
        self.failing += other.failing;
        self.rows_failing += other.rows_failing;
        self.small += other.small;
        self.breached += other.breached;
        if self.tests.is_empty() {
            self.tests = other.tests;
            return self;
        }
        if other.tests.is_empty() {
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

/// Judges every group by one requirement. Where columns have groups of their own, one that names a column is put to
/// the groups of that column, any other to those of each. Where values must be apart, `loaded` says how far they are.
/// Fails where the requirement cannot be put to these columns at all.
pub(crate) fn judge(
    censuses: &[Census],
    requirement: &Requirement,
    loaded: Option<&LoadedDistance>,
) -> Result<Judgement> {
    // What is asked of boxes cannot be told from the values in groups.
    if requirement.principle().population().is_some() {
        return Err(no_population(requirement));
    }
    let (mut all, mut n_groups, mut worst, mut parts) = (Tally::default(), 0, Vec::new(), Vec::new());
    let (mut distance, mut common) = (None, None);
    for at in concerned_censuses(censuses, requirement)? {
        let (bound, mut tally) = judged(&censuses[at], requirement, loaded)?;
        n_groups += censuses[at].n_groups();
        let (commons, of_tests): (Vec<Attained>, Vec<(usize, Attained)>) =
            std::mem::take(&mut tally.tests).into_iter().unzip();
        all = all.add(tally);
        worst.extend(of_tests.into_iter().map(|(group, attained)| ((at, group), attained)));
        let each = common.into_iter().chain(commons.iter().cloned());
        common = each.reduce(Attained::common);
        distance = distance.or_else(|| bound.distance().cloned());
        parts.push((bound, censuses[at].schema(), commons));
    }
    let attained = match censuses.len() {
        1 => parts.into_iter().flat_map(|(bound, schema, common)| attained_entries(&bound, schema, common)).collect(),
        _ => attained_per_column(parts.iter().map(|(bound, schema, common)| (bound, *schema, common.clone()))),
    };
    let Tally { failing, rows_failing, small, breached, .. } = all;
    let breached = needs_distance(requirement).then_some(breached);
    Ok(Judgement { attained, n_groups, failing, rows_failing, small, breached, distance, common, worst })
}

/// The censuses that a requirement speaks of.
pub fn concerned_censuses(censuses: &[Census], requirement: &Requirement) -> Result<Vec<usize>> {
    if censuses.len() > 1 && requirement.column.is_none() && needs_distance(requirement) {
        return Err(apart(requirement));
    }
    if censuses.len() == 1 || requirement.column.is_none() {
        return Ok((0..censuses.len()).collect());
    }
    let columns =
        || censuses.iter().enumerate().flat_map(|(at, c)| c.schema().attributes().iter().map(move |a| (at, a)));
    let names: Vec<&str> = columns().map(|(_, attribute)| attribute.name.as_str()).collect();
    if let Some((at, _)) = requirement.named_in(&names).and_then(|place| columns().nth(place)) {
        return Ok(vec![at]);
    }
    // No such column: binding to all columns gives the best message.
    let all = Schema::new(columns().map(|(_, attribute)| attribute.clone()).collect())?;
    BoundRequirements::bind(std::slice::from_ref(requirement), &all, |_| Bag::default())?;
    Ok(Vec::new())
}

/// Judges the groups of one census.
fn judged(
    census: &Census,
    requirement: &Requirement,
    loaded: Option<&LoadedDistance>,
) -> Result<(BoundRequirements, Tally)> {
    let (schema, whole) = (census.schema(), |at: usize| census.whole(at).clone());
    let together = census.joint_columns(requirement, loaded)?;
    let bound = BoundRequirements::bind_joint(std::slice::from_ref(requirement), schema, whole, together.as_ref())?;
    let needed = bound.sensitive_needed();
    let breached = |group: &Bag| {
        let near = |test: &DissimilarityTest| (test.most_near(group), test.principle().delta());
        bound.dissimilarities().map(near).any(|(near, delta)| is_breached(near, group.size(), delta))
    };
    let n_columns = schema.attributes().len();
    let tallies: Vec<Tally> = (0..census.n_groups())
        .into_par_iter()
        .step_by(RUN)
        .map(|from| {
            // The last bag is that of values taken together.
            let mut bags = vec![Bag::default(); n_columns + 1];
            let mut memory = Vec::new();
            let mut tally = Tally::default();
            for group_idx in from..(from + RUN).min(census.n_groups()) {
                for &column in &needed {
                    census.fill(group_idx, column, &mut bags[column]);
                }
                if let Some(together) = bound.joint() {
                    census.fill_joint(group_idx, together, &mut memory, &mut bags[n_columns]);
                }
                let group = Group { size: census.size(group_idx).into(), bags: &bags };
                let fails = !bound.holds(group);
                let tests = bound.attained(group).into_iter().map(|a| (a.clone(), (group_idx, a))).collect();
                tally = tally.add(Tally {
                    failing: fails.into(),
                    rows_failing: if fails { group.size } else { 0 },
                    small: u64::from(group.size < bound.least_size()),
                    breached: u64::from(breached(&bags[n_columns])),
                    tests,
                });
            }
            tally
        })
        .collect();
    Ok((bound, tallies.into_iter().reduce(Tally::add).unwrap_or_default()))
}

/// Whether a group is breached whose values have at most `most_near` others near one of them. A person alone in a group
/// is found, which is a risk of 1 (paper 2, Definition 6).
pub fn is_breached(most_near: u64, size: u64, delta: Decimal) -> bool {
    (size < 2 && delta > Decimal::ZERO) || most_near > theory::allowed(size, delta)
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

/// The same where columns have groups of their own: each part has a schema of one sensitive column. Tests of values have
/// an entry for each column, tests of the size of groups one for all.
pub fn attained_per_column<'a>(
    parts: impl IntoIterator<Item = (&'a BoundRequirements, &'a Schema, Vec<Attained>)>,
) -> Vec<AttainedEntry> {
    let mut entries: Vec<AttainedEntry> = Vec::new();
    let mut sizes: Vec<(String, Attained)> = Vec::new();
    for (bound, schema, common) in parts {
        let column = schema.of_role(Role::Sensitive).first().map(|&at| schema.attributes()[at].name.clone());
        let mut common = common.into_iter();
        for test in bound.tests() {
            let requirement = &bound.requirements()[test.requirement()];
            let (text, attained) = (requirement.to_string(), common.next());
            if let (true, Some(attained)) = (test.is_about_size(), &attained) {
                match sizes.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, least)) => *least = least.clone().common(attained.clone()),
                    None => sizes.push((text, attained.clone())),
                }
                continue;
            }
            let column = column.clone().filter(|_| requirement.column.is_none() && test.column().is_some());
            let figures = attained.map_or(Vec::new(), |attained| owned(&attained.figures));
            entries.push(AttainedEntry { requirement: text, column, figures });
        }
    }
    let sizes = sizes.into_iter().map(|(requirement, attained)| AttainedEntry {
        requirement,
        column: None,
        figures: owned(&attained.figures),
    });
    sizes.chain(entries).collect()
}

/// Figures with names of their own.
pub(crate) fn owned(figures: &[(&'static str, String)]) -> Vec<(String, String)> {
    figures.iter().map(|(name, text)| (name.to_string(), text.clone())).collect()
}

/// `k 3, l 2`, for people.
pub(crate) fn in_words(figures: &[(impl AsRef<str>, String)]) -> String {
    let words: Vec<String> = figures.iter().map(|(name, text)| format!("{} {text}", name.as_ref())).collect();
    words.join(", ")
}
