//! Requirements judged by people, which only the source can tell apart.
//!
//! The bytes of a release show rows. Whose they are is told by the source, as far as it is certain which of its rows are in which
//! group. Groups all of whose members are certain are judged by the definition. Of the others it is known who may be in them,
//! which bounds how many people they have: that is enough for requirements on the number of people. Where it is not
//! enough nobody can tell what the publisher counted, and the check says of how many groups that is so.
//!
//! Where quasi-identifiers are exact, readers see which rows of a group are one person's, and no value may be certain to be
//! somebody's for that alone.

use super::located::RowsInBuckets;
use super::membership::{Membership, members_located, members_of_batches, members_of_groups};
use crate::angel::bucket_size;
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_principle::{BoundRequirements, CertainValues, JointColumns, LoadedDistance, PersonMemory, Requirement};
use scumble_release::{Method, PublishedTables, ReleaseReader, SUPPRESSED, ShownColumn, problems};
use scumble_table::{Codes, GroupedRows, Monitor, Persons, Result, Role, Schema, Table, number_of};
use serde::Serialize;
use std::sync::Arc;

/// How far a release was judged by people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PersonsJudged {
    /// Persons of the source whose rows are published for certain.
    pub persons: u64,
    /// Groups, or batches.
    pub groups: u64,
    /// Of these, groups that could be judged by every requirement.
    pub judged: u64,
    /// Of these, groups that fail one.
    pub failing: u64,
    /// The fewest persons that a group has, or could have where its members are not certain.
    pub least: u64,
}

impl PersonsJudged {
    /// What is said where groups could not be judged: the check passed on the others alone.
    pub(super) fn unjudged(&self) -> Option<String> {
        let PersonsJudged { groups, judged, .. } = *self;
        let open = groups.checked_sub(judged).filter(|open| *open > 0)?;
        let most = if 2 * judged < groups { "most groups were not" } else { "not all groups were" };
        let (others, stands) = if open == 1 { ("the other one", "for it") } else { ("the others", "for them") };
        Some(format!(
            "{most} judged by people: {judged} of {groups} were. Who is in {others} cannot be told from the release and its source; \
             {stands} the word of the publisher stands, who counted people when the groups were made"
        ))
    }
}

/// What is judged.
pub(super) struct ByPeople<'a> {
    pub(super) release: &'a ReleaseReader,
    pub(super) raw: &'a RawTable,
    pub(super) persons: &'a Persons,
    /// Requirements, each with the distance that it is judged by.
    pub(super) requirements: &'a [(Requirement, Option<&'a LoadedDistance>)],
    pub(super) monitor: Monitor<'a>,
}

/// What was found, in words and in figures.
pub(super) type PersonsFinding = (Result<String, String>, Option<PersonsJudged>);

impl ByPeople<'_> {
    /// Says whether every group holds by people, where it can be told who is in it.
    pub(super) fn check(&self, tables: &PublishedTables, located: &[RowsInBuckets]) -> Result<PersonsFinding> {
        let (raw, monitor) = (self.raw, self.monitor);
        let mut groupings: Vec<(Option<Membership>, Vec<&ShownColumn>)> = Vec::new();
        let mut buckets = Vec::new();
        match tables {
            PublishedTables::Generalized(boxed) => {
                let members = located.first().map(|located| members_located(boxed, located, raw, monitor));
                groupings.push((members.transpose()?.flatten(), sensitive(&boxed.values)));
            }
            PublishedTables::Exact(exact) => {
                for grouping in &exact.groupings {
                    let members = members_of_groups(exact, grouping, raw, monitor)?;
                    groupings.push((members, grouping.sensitive.values.iter().collect()));
                }
            }
            PublishedTables::Angel(tables) => {
                let members = members_of_batches(tables, located, raw, monitor)?;
                groupings.push((members, tables.batches.values.iter().collect()));
                for (view, located) in tables.views.iter().zip(located) {
                    buckets.push((&view.name, members_located(&view.boxed, located, raw, monitor)?));
                }
            }
        }
        let mut all = PersonsJudged { persons: 0, groups: 0, judged: 0, failing: 0, least: u64::MAX };
        let (mut wrong, mut all_known) = (Vec::new(), true);
        for (members, values) in groupings {
            let Some(members) = members else {
                all_known = false;
                continue;
            };
            monitor.check()?;
            let judged = self.grouping(&members, &values, &mut wrong)?;
            all.groups += judged.groups;
            all.judged += judged.judged;
            all.failing += judged.failing;
            all.persons = all.persons.max(judged.persons);
            all.least = all.least.min(judged.least);
        }
        let k = bucket_size(self.release.manifest(), &self.stated());
        for (name, members) in buckets {
            let Some(members) = members else { continue };
            let sizes = self.least_persons(&members);
            let few = sizes.iter().filter(|bounds| bounds.1 < k).count();
            if few > 0 {
                let have = if few == 1 { "has" } else { "have" };
                wrong.push(format!("{few} of {} boxes of `{name}` {have} fewer than {k} persons", sizes.len()));
            }
        }
        if !all_known {
            return Ok((problems(wrong, || UNKNOWN.into()), None));
        }
        if all.least == u64::MAX {
            all.least = 0;
        }
        let words = match (all.groups - all.judged, all.judged) {
            (0, 1) => "counting each person once, the only group meets every requirement".into(),
            (0, _) => format!("counting each person once, {} groups meet every requirement", all.groups),
            (open, 0) => {
                let open = number_of(open, "group", "groups");
                format!("nothing could be judged: who is in {open} is not certain")
            }
            (open, judged) => format!(
                "counting each person once, {judged} of {} groups were judged and meet every requirement; who is in the other \
                 {open} is not certain",
                all.groups
            ),
        };
        Ok((problems(wrong, || words), Some(all)))
    }

    fn stated(&self) -> Vec<Requirement> {
        self.requirements.iter().map(|(requirement, _)| requirement.clone()).collect()
    }

    /// Judges the groups of one grouping.
    fn grouping(
        &self,
        members: &Membership,
        values: &[&ShownColumn],
        wrong: &mut Vec<String>,
    ) -> Result<PersonsJudged> {
        let n = members.open.len();
        // All rows that are, or may be, published.
        let rows: Vec<u32> =
            (0..).zip(&members.group_of_row).filter(|(_, g)| **g != SUPPRESSED).map(|(r, _)| r).collect();
        let certain: Vec<u32> =
            rows.iter().copied().filter(|&row| (members.group_of_row[row as usize] as usize) < n).collect();
        let (most, least) = (self.persons.gather(&rows).n() as u64, self.persons.gather(&certain).n() as u64);
        let n_published = self.release.manifest().rows;
        let all_known = rows.len() as u64 == n_published;
        let least = if all_known { most } else { least };
        if let Some(stated) = self.release.manifest().persons
            && !(least..=most).contains(&stated)
        {
            let found = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            wrong.push(format!("the source has {found} persons in published rows, and the manifest says {stated}"));
        }
        let table = judged_table(values, self.raw, &rows, self.persons.gather(&rows))?;
        let place: Vec<u32> = rows.iter().map(|&row| members.group_of_row[row as usize]).collect();
        let of_group = scumble_table::rows_by_group(&place, n);
        let bounds = self.least_persons(members);
        let mut failing = vec![false; n];
        let mut judged = vec![true; n];
        for (requirement, distance) in self.requirements {
            self.monitor.check()?;
            let verdicts = self.verdicts(requirement, *distance, &table, &of_group, members, &bounds, all_known)?;
            let Some(verdicts) = verdicts else { continue };
            let n_failing = verdicts.iter().filter(|holds| **holds == Some(false)).count();
            if n_failing > 0 {
                let fail = if n_failing == 1 { "fails" } else { "fail" };
                wrong.push(format!("counting each person once, {n_failing} of {n} groups {fail} `{requirement}`"));
            }
            for (group, holds) in verdicts.into_iter().enumerate() {
                failing[group] |= holds == Some(false);
                judged[group] &= holds.is_some();
            }
        }
        if let Some(certain) = CertainValues::new(&table).filter(|_| self.shows_rows_of_people()) {
            let told = |memory: &mut Vec<u32>, group: usize| {
                members.open[group] == 0 && certain.find(of_group.group(group), memory).is_some()
            };
            let told: Vec<bool> = (0..n).into_par_iter().map_init(Vec::new, told).collect();
            let n_told = told.iter().filter(|told| **told).count();
            if n_told > 0 {
                wrong.push(format!(
                    "in {n_told} of {n} groups somebody has so many rows, and a value occurs so often, that it is certain to be theirs"
                ));
            }
            failing.iter_mut().zip(told).for_each(|(failing, told)| *failing |= told);
        }
        let count = |flags: &[bool]| flags.iter().filter(|flag| **flag).count() as u64;
        let judged: Vec<bool> = judged.iter().zip(&failing).map(|(judged, failing)| *judged || *failing).collect();
        Ok(PersonsJudged {
            persons: least,
            groups: n as u64,
            judged: count(&judged),
            failing: count(&failing),
            least: bounds.iter().map(|bounds| bounds.0).min().unwrap_or(0),
        })
    }

    /// Whether every row shows its exact quasi-identifiers next to the number of its group.
    fn shows_rows_of_people(&self) -> bool {
        let manifest = self.release.manifest();
        matches!(manifest.method, Method::Permute | Method::Anatomy) || manifest.angel_k == Some(1)
    }

    /// Whether each group meets a requirement; nothing for groups of which it is not certain, and nothing at all where the
    /// requirement is not about these columns, or was judged on rows, of which everybody has one.
    #[expect(clippy::too_many_arguments, reason = "one question, put to everything that is known of the groups")]
    fn verdicts(
        &self,
        requirement: &Requirement,
        distance: Option<&LoadedDistance>,
        table: &Table,
        of_group: &GroupedRows,
        members: &Membership,
        bounds: &[(u64, u64)],
        all_known: bool,
    ) -> Result<Option<Vec<Option<bool>>>> {
        let names: Vec<&str> = table.schema().attributes().iter().map(|attribute| attribute.name.as_str()).collect();
        if requirement.column.is_some() && requirement.named_in(&names).is_none() {
            return Ok(None);
        }
        let requirements = std::slice::from_ref(requirement);
        let joint = JointColumns::new(requirements, table.schema(), distance, |at| table.column(at));
        let whole = |column: usize| table.column_bag(column);
        let bound = joint.and_then(|joint| {
            BoundRequirements::bind_joint(requirements, table.schema(), whole, joint.as_ref())?.with_people(table, None)
        });
        // What makes no sense was noted when rows were judged.
        let Ok(bound) = bound else { return Ok(None) };
        let Some(people) = bound.by_person() else { return Ok(None) };
        let by_number = !bound.needs_values();
        let least = people.bound().least_size();
        let one = |memory: &mut PersonMemory, group: usize| match members.open[group] {
            // A principle may compare with the whole release, which must be known then.
            0 if by_number || all_known => Some(people.holds(of_group.group(group).iter().copied(), memory)),
            _ if bounds[group].1 < least => Some(false),
            _ if by_number && bounds[group].0 >= least => Some(true),
            _ => None,
        };
        Ok(Some((0..members.open.len()).into_par_iter().map_init(PersonMemory::default, one).collect()))
    }

    /// The fewest and the most persons that each group can have.
    fn least_persons(&self, members: &Membership) -> Vec<(u64, u64)> {
        let certain = members.members();
        let bounds = |group: usize| {
            let mut known: Vec<u32> = certain.group(group).iter().map(|&row| self.persons.of(row)).collect();
            known.sort_unstable();
            known.dedup();
            let n = known.len() as u64;
            let mut missing = u64::from(members.open[group]);
            if missing == 0 {
                return (n, n);
            }
            let possible = members.possible(group as u32).iter().map(|&(_, row)| self.persons.of(row));
            let mut others: Vec<u32> = possible.filter(|person| known.binary_search(person).is_err()).collect();
            let again = members.possible(group as u32).len() - others.len();
            others.sort_unstable();
            let mut counts: Vec<u64> = others.chunk_by(|a, b| a == b).map(|alike| alike.len() as u64).collect();
            let most = n + (counts.len() as u64).min(missing);
            // Few people fill the places if those who are there already do, and then those with most rows.
            missing = missing.saturating_sub(again as u64);
            counts.sort_unstable_by(|a, b| b.cmp(a));
            let mut new = 0;
            for count in counts {
                if missing == 0 {
                    break;
                }
                missing = missing.saturating_sub(count);
                new += 1;
            }
            (n + new, most)
        };
        (0..members.open.len()).into_par_iter().map(bounds).collect()
    }
}

const UNKNOWN: &str = "nothing could be judged: there are too many groups that rows of the source could be in";

fn sensitive(values: &[ShownColumn]) -> Vec<&ShownColumn> {
    values.iter().filter(|values| values.column.role() == Role::Sensitive).collect()
}

/// The sensitive values of the published rows, in the terms of the release, with whose they are.
fn judged_table(values: &[&ShownColumn], raw: &RawTable, rows: &[u32], persons: Persons) -> Result<Table> {
    let schema = Schema::new(values.iter().map(|column| column.attribute()).collect())?;
    let columns = values.iter().map(|column| {
        let (dictionary, codes) = super::text_column(raw, column.column.name())?;
        let map = scumble_release::value_map(&column.domain, dictionary);
        Ok(rows.iter().map(|&row| map[codes.get(row as usize) as usize]).collect::<Codes>())
    });
    let columns = columns.collect::<Result<Vec<Codes>>>()?;
    Table::new(schema, columns, rows.len())?.with_persons(Arc::new(persons))
}
