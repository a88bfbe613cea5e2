//! One requirement: tried on the sample, and judged on the whole table.

use super::grid::GridPoint;
use super::reach::{self, Reach, reach};
use super::sample::Sample;
use super::widths::widths;
use super::{Choice, TrialFigures};
use crate::anonymize::anonymize;
use crate::binding::{bind_published, together_of};
use crate::context::Context;
use crate::job::{ColumnRole, Job, Plan};
use crate::missing;
use crate::refusals::before_grouping;
use scumble_principle::{BoundRequirements, Dissimilarity, Entry, Requirement, Search};
use scumble_table::{Error, Kind, Monitor, Result, Role, Table};
use std::borrow::Cow;

/// Seconds that groups are sought under `dissimilarity`, which are hard to find where they are few.
const SECONDS: u64 = 20;

/// What requirements are tried on.
pub(super) struct Trials<'a> {
    pub(super) table: &'a Table,
    /// What is said of a release beside its requirements.
    pub(super) job: Job,
    pub(super) sample: &'a Sample,
    pub(super) context: &'a Context,
    /// What fields of the job are called.
    pub(super) field_name: fn(&str) -> String,
}

impl Trials<'_> {
    /// What can be said of a requirement; an error inside where it cannot be put to the columns.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub(super) fn choice(&self, requirement: &Requirement, point: &GridPoint) -> Result<Result<Choice, Error>> {
        let quiet = self.context.clone().without_progress();
        let job = self.job_of(requirement);
        let table = self.table_of(requirement);
        let judged = Plan::new(&job).and_then(|plan| {
            let table = marked(&table, &plan)?;
            let bound = bound(&table, &plan, quiet.monitor())?;
            let reached = reach(&table, &bound)?;
            let driven =
                requirement.principle().search() == Search::KeAnonymity && !matches!(reached, Reach::Ruled { .. });
            let widths = if driven { Some(widths(&table, &plan, &bound, self.seed(), quiet.monitor())?) } else { None };
            Ok((reached, widths))
        });
        let (reached, widths) = match judged {
            Ok(judged) => judged,
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error) => return Ok(Err(error)),
        };
        let mut choice = Choice { widths, ..Choice::open(requirement, point) };
        match reached {
            Reach::Met => choice.can_be_met = Some(true),
            Reach::Open => {}
            Reach::Ruled { reason, nearest } => {
                (choice.can_be_met, choice.reason, choice.nearest) = (Some(false), Some(reason), nearest);
                return Ok(Ok(choice));
            }
        }
        // A chance to be in the release depends on how many rows there are.
        let whole = requirement.principle().population().is_some() || self.sample.facts.whole;
        let part = self.part_of(requirement, whole);
        choice.publish_refuses = self.refused_sets(&table, &job, quiet.monitor())?;
        let mut job = job;
        // What a point costs is asked here, and whether `publish` lists such labels is the publisher's word. In a sample labels
        // are rarer than in the table besides.
        job.publish.allow_sets = labels_in_sets(&part);
        match anonymize(&part, &job, &quiet) {
            Ok(release) => {
                let facts = release.facts().ok_or_else(|| Error::bug("a release that was made here has no facts"))?;
                choice.sample = Some(TrialFigures::new(facts, &part));
                if whole {
                    choice.can_be_met = Some(true);
                }
            }
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error) => choice.not_tried = Some(error.with_fields(self.field_name)),
        }
        Ok(Ok(choice))
    }

    /// What `publish` would say of labels that it does not list in sets unless it is told to; nothing where it has nothing to say.
    fn refused_sets(&self, table: &Table, job: &Job, monitor: Monitor<'_>) -> Result<Option<String>> {
        match Plan::new(job).and_then(|plan| before_grouping(table, &plan, monitor)) {
            Err(Error::Request { field, value, .. }) if field == "quasi" => {
                let [allow_sets, hierarchy] = ["allow_sets", "hierarchy"].map(self.field_name);
                Ok(Some(format!(
                    "`publish` lists hardly shared labels of `{value}` in sets only with {allow_sets} {value}; better give it a hierarchy with \
                     {hierarchy}, or leave it out"
                )))
            }
            Err(Error::Cancelled) => Err(Error::Cancelled),
            // Whatever else is refused is refused in the trial too.
            _ => Ok(None),
        }
    }

    /// The strictest form of a principle that everybody as one group meets.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub(super) fn strictest(&self, entry: &Entry, column: Option<&str>) -> Result<Option<Requirement>> {
        let quiet = self.context.clone().without_progress();
        reach::strictest(entry, self.table, column, |requirement| {
            let plan = Plan::new(&self.job_of(requirement))?;
            let table = marked(self.table, &plan)?;
            bound(&table, &plan, quiet.monitor())
        })
    }

    fn seed(&self) -> u64 {
        self.job.publish.seed.unwrap_or_default()
    }

    /// The job that requires this and nothing else. Of the sensitive columns it has the one that the requirement names, so that the others
    /// take no part.
    fn job_of(&self, requirement: &Requirement) -> Job {
        let mut job = self.job.clone();
        if let Some(named) = &requirement.column {
            job.columns.retain(|(name, column)| column.role != Some(ColumnRole::Sensitive) || name == named);
        }
        if !requirement.principle().can_ignore_missing() {
            job.columns.iter_mut().for_each(|(_, column)| column.missing = None);
        }
        if requirement.is::<Dissimilarity>() {
            job.publish.time_limit = Some(job.publish.time_limit.unwrap_or(SECONDS));
        } else {
            (job.publish.time_limit, job.publish.distance) = (None, None);
        }
        if requirement.principle().population().is_none() {
            job.input.population = None;
        }
        job.publish.require = vec![requirement.clone()];
        job
    }

    fn table_of(&self, requirement: &Requirement) -> Cow<'_, Table> {
        one_sensitive(self.table, requirement)
    }

    fn part_of(&self, requirement: &Requirement, whole: bool) -> Cow<'_, Table> {
        one_sensitive(if whole { self.table } else { &self.sample.table }, requirement)
    }
}

/// The table with the one sensitive column that a requirement names.
fn one_sensitive<'t>(table: &'t Table, requirement: &Requirement) -> Cow<'t, Table> {
    let sensitive = table.schema().of_role(Role::Sensitive);
    let named = |at: &&usize| requirement.column.as_deref() == Some(table.attribute(**at).name.trim());
    match sensitive.iter().find(named) {
        Some(&at) if sensitive.len() > 1 => Cow::Owned(table.with_one_sensitive(at)),
        _ => Cow::Borrowed(table),
    }
}

fn marked<'t>(table: &'t Table, plan: &Plan) -> Result<Cow<'t, Table>> {
    Ok(missing::marked(table, plan)?.map_or(Cow::Borrowed(table), Cow::Owned))
}

fn bound(table: &Table, plan: &Plan, monitor: Monitor<'_>) -> Result<BoundRequirements> {
    let together = together_of(table, plan, monitor)?;
    bind_published(table, plan, together.as_ref(), None)
}

/// Quasi-identifiers that are generalized to sets of labels.
fn labels_in_sets(table: &Table) -> Vec<String> {
    let quasi = table.schema().of_role(Role::Quasi).into_iter().map(|at| table.attribute(at));
    let labels = quasi.filter(|one| one.domain.kind() == Kind::Nominal && one.domain.hierarchy().is_none());
    labels.map(|one| one.name.clone()).collect()
}

impl Choice {
    /// Of which nothing is known yet.
    fn open(requirement: &Requirement, point: &GridPoint) -> Choice {
        Choice {
            requirement: requirement.to_string(),
            values: point.values.clone(),
            can_be_met: None,
            reason: None,
            nearest: Vec::new(),
            one_of: point.one_of,
            sample: None,
            not_tried: None,
            publish_refuses: None,
            widths: None,
        }
    }

    /// Which cannot be put to the column, and why.
    pub(super) fn refused(requirement: &Requirement, point: &GridPoint, reason: String) -> Choice {
        Choice { not_tried: Some(reason), ..Choice::open(requirement, point) }
    }
}

impl TrialFigures {
    fn new(facts: &crate::anonymize::Facts, table: &Table) -> TrialFigures {
        let sizes = facts.people_sizes.as_ref().unwrap_or(&facts.group_sizes);
        let attained = match &facts.attained_by_people[..] {
            [] => &facts.attained,
            by_people => by_people,
        };
        let attained = attained.iter().flat_map(|entry| &entry.figures);
        let quasi = table.schema().of_role(Role::Quasi).len();
        TrialFigures {
            groups: facts.groups,
            smallest: sizes.min,
            members: sizes.histogram.iter().map(|(size, groups)| size * groups).sum(),
            largest: sizes.max,
            attained: attained.map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            ncp: facts.ncp,
            ncp_per_attribute: facts.ncp / quasi as f64,
        }
    }
}
