//! People whose quasi-identifiers are known, but not their group, under requirements that groups may fail together: what is
//! believed of them, and groups of which no mixture tells more than is allowed in one. The definition, the criterion and its
//! proof are those of [`scumble_release::mixture`].

mod hold;
mod stricter;

pub(crate) use hold::{Held, hold};

use crate::job::Plan;
use crate::job::words;
use scumble_method::Coins;
use scumble_method::publish::{Outline, group_boxes};
use scumble_principle::{BoundRequirements, BoundTest};
use scumble_release::BoxKind;
use scumble_table::{Code, Codes, Error, Partition, Result, Role, Table};
use scumble_table::{Monitor, Stage};
use scumble_verify::mixture::{GroupValues, GroupedPeople, MixtureFigure, Nearness, Places, figure};
use serde::Serialize;

words! {
    /// How groups are sought of which mixtures hold, in the order in which these are tried.
    pub enum MixtureStrategy: "mixture_way", "way to hold mixtures" {
        /// The groups that are made anyway, where they happen to do.
        Usual = "usual",
        /// Half the share in every group: a neighbourhood is covered by those of two of its members.
        Doubled = "doubled",
        /// Members so far apart that no neighbourhood of any value holds two of them.
        Wider = "wider",
        /// Groups whose boxes do not overlap.
        Disjoint = "disjoint",
        /// Groups that meet the window principle, which survives joining.
        Window = "window",
        /// The usual groups, of which those that break the criterion are dealt again by the wider way.
        Repair = "repair",
    }
}

/// A strategy that was tried, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MixtureAttempt {
    /// `usual`, `doubled`, `wider`, `disjoint`, `window` or `repair`.
    pub way: &'static str,
    /// The sensitive column, where each has groups of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// NCP of its groups as boxes; nothing where it found none.
    pub ncp: Option<f64>,
    /// Whether mixtures of its groups hold.
    pub holds: bool,
    /// Whether its groups are published.
    pub chosen: bool,
}

/// Where the groups of a partition lie in the release that is asked for, with boxes as these coins draw them.
fn places(table: &Table, partition: &Partition, plan: &Plan, coins: &Coins) -> Result<Places> {
    if plan.method.is_exact() {
        return Ok(Places::from_exact(table, partition));
    }
    let outline = match plan.boxes {
        BoxKind::Minimal => Outline::Minimal,
        BoxKind::Rounded => Outline::Rounded,
        BoxKind::Cells => return Err(Error::bug("groups under these requirements are no cells")),
    };
    let (quasi, columns) = group_boxes(table, partition, &outline, coins, Monitor::silent())?;
    Places::from_boxes(&quasi, &columns, table)
}

/// The column of codes that a test looks at.
fn codes<'a>(table: &'a Table, bound: &'a BoundRequirements, test: &BoundTest) -> Result<&'a Codes> {
    match (test.column(), bound.joint()) {
        (Some(column), _) => Ok(table.column(table.schema().of_role(Role::Sensitive)[column])),
        (None, Some(together)) => Ok(together.composite().rows()),
        (None, None) => Err(Error::bug("a requirement about near values looks at no value")),
    }
}

/// The values of all groups that a test looks at.
fn values(codes: &Codes, partition: &Partition) -> GroupValues {
    GroupValues::read(partition.n_groups(), |group, bag| {
        let mut members: Vec<Code> = partition.group(group).iter().map(|&row| codes.get(row as usize)).collect();
        bag.refill(&mut members);
    })
}

/// What is believed of the people of a table whose quasi-identifiers are known, but not their group, requirement by
/// requirement; nothing under requirements that survive joining.
pub(crate) fn figures(
    table: &Table,
    partition: &Partition,
    bound: &BoundRequirements,
    plan: &Plan,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<Vec<MixtureFigure>> {
    let concerned: Vec<(&BoundTest, Nearness<'_>)> =
        bound.tests().iter().filter_map(|test| Some((test, Nearness::from_test(test.test())?))).collect();
    if concerned.is_empty() {
        return Ok(Vec::new());
    }
    monitor.begin(Stage::Attack, Some((concerned.len() * partition.rows().len()) as u64))?;
    let places = places(table, partition, plan, coins)?;
    let sensitive = table.schema().of_role(Role::Sensitive);
    let mut found = Vec::new();
    for (test, nearness) in concerned {
        let codes = codes(table, bound, test)?;
        let people =
            GroupedPeople { partition, value: &|row| codes.get(row as usize), tick: &|people| monitor.advance(people) };
        let figure = figure(&places, &values(codes, partition), nearness, &people)?;
        let requirement = &bound.requirements()[test.requirement()];
        let several = requirement.column.is_none() && sensitive.len() > 1;
        let column = test.column().filter(|_| several).map(|at| table.attribute(sensitive[at]).name.clone());
        found.push(MixtureFigure { requirement: requirement.to_string(), column, ..figure });
    }
    Ok(found)
}
