//! (epsilon, m)-anonymity: groups whose sensitive numbers keep apart. See `paper.md` in this folder.

mod greedy;
mod index;
mod lanes;
mod leaf;
mod reach;
mod remaining;
mod search;
mod swap;
mod windows;

use crate::axis::Axis;
use crate::coins::Purpose;
use crate::mondrian::judge::Ask;
use crate::mondrian::{Choice, CutRule, Growth, Mondrian, Task, axes, laid_end_to_end};
use crate::shuffle::random_order;
use leaf::Leaf;
use rayon::prelude::*;
use scumble_principle::Neighbourhood;
use scumble_table::{Codes, Error, Partition, Result, Role, Table};
use search::Search;
use swap::Member;

/// How the rows of a leaf are divided into groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dealing {
    /// As in the paper: a leaf that satisfies the principle is a group, others are dealt into as many
    /// lanes as the fullest window has rows.
    Paper,
    /// Into as many lanes as can be, turned at random (profile `hardened`): blind to quasi-identifiers.
    Lanes,
    /// By the guarded greedy, each member drawn among the best three (profile `standard`).
    Drawn,
    /// By the guarded greedy, always the best, and swaps afterwards (profile `max-utility`).
    Best,
}

/// What the groups are to be good for, where the two pull apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aim {
    /// Small errors of counts estimated from the release.
    #[default]
    Answers,
    /// Small boxes.
    Loss,
}

/// The partitioner for proximity requirements, alone or among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpsilonM {
    /// How leaves are divided.
    pub dealing: Dealing,
    /// What the groups are to be good for.
    pub aim: Aim,
}

/// Members are drawn among this many (ALGORITHMS.md T1).
const CHOICES: usize = 3;

/// Bins on one axis. On half a million rows of the American Community Survey, with occupations in 529
/// codes, 128 lose 1.3 % less than 32 at m = 5, and 256 no less than 128.
const MOST_BINS: usize = 128;

/// For answers, leaves of at most this many groups are not cut further: among more rows the greedy
/// finds groups that fill their boxes more evenly. Pairs fill any box, so with m below
/// [`ANSWERS_FROM`] leaves are cut as long as can be.
const ANSWERS_GROUPS: usize = 40;
const ANSWERS_FROM: usize = 4;

/// Draws of the greedy before a leaf under several requirements falls back on lanes.
const TRIES: u64 = 4;

/// What all leaves share.
struct Making<'a> {
    task: &'a Task<'a>,
    axes: Vec<Axis>,
    /// Columns of the quasi-identifiers.
    quasi: Vec<&'a Codes>,
    /// The sensitive column whose values are kept apart.
    codes: &'a Codes,
    near: &'a Neighbourhood,
    /// The m of the requirement.
    m: usize,
    /// The least size of a group.
    least: usize,
    /// Secret ranks that order rows of equal value (ALGORITHMS.md R3).
    ties: Vec<u32>,
    /// True if keeping values apart meets all requirements; else groups are tried against them.
    constructed: bool,
}

impl EpsilonM {
    /// Divides the table into groups that each satisfy the requirements, at least one of which is
    /// about proximity.
    ///
    /// A single proximity requirement, also beside k-anonymity, is met by construction whenever it can
    /// be met at all (k up to m, or as long as k rows can be kept apart). Any other combination is
    /// reached by search, and refused where the search finds nothing, which does not prove that there
    /// is nothing.
    pub fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        let driver =
            task.bound.tests().iter().filter_map(|bound| Some((bound.column()?, bound.test().neighbourhood()?)));
        let Some((column, (near, m))) = driver.max_by_key(|(column, (_, m))| (*m, std::cmp::Reverse(*column))) else {
            return Err(Error::request("--algorithm", "proximity", "no requirement is about proximity")
                .hint("leave --algorithm out, and the requirements choose it"));
        };
        if task.most_suppressed > 0 {
            return Err(Error::request(
                "--max-suppressed",
                "",
                "under a proximity requirement all rows are published, and none is suppressed",
            )
            .hint("leave --max-suppressed out"));
        }
        let making = Making::new(task, column, near, m);
        let search = Search::new(task, &making)?;
        let silent = Task { tick: &|_| (), ..*task };
        let divides = |rows: &[u32]| search.divides(rows);
        let ask =
            if making.constructed && making.least == making.m { Ask::Generalizable } else { Ask::Divides(&divides) };
        let growth = Growth { ask, stop: self.stop(making.least), most_bins: MOST_BINS };
        let (rows, sizes) = self.tree().leaves(&silent, &making.axes, growth)?;
        let mut leaves = Vec::with_capacity(sizes.len());
        let mut rest = rows.as_slice();
        for size in sizes {
            let (leaf, after) = rest.split_at(size as usize);
            leaves.push(leaf);
            rest = after;
        }
        let mut groups: Vec<Vec<u32>> = leaves
            .par_iter()
            .enumerate()
            .flat_map_iter(|(place, leaf)| self.divide(leaf, place as u64, &making, &search))
            .collect();
        if self.dealing == Dealing::Best && making.constructed {
            groups = improved(groups, &making);
        }
        let sizes: Vec<u32> = groups.iter().map(|group| group.len() as u32).collect();
        laid_end_to_end(groups.concat(), sizes, task.table.n_rows())
    }

    /// The first stage: cuts as long as both halves can be divided.
    fn tree(&self) -> Mondrian {
        let (cuts, choice) = match self.dealing {
            Dealing::Paper => (CutRule::Median, Choice::Best),
            Dealing::Lanes => (CutRule::LeastLoss, Choice::AnyOfThree),
            Dealing::Drawn => (CutRule::LeastLoss, Choice::NearTies),
            Dealing::Best => (CutRule::LeastLoss, Choice::Best),
        };
        Mondrian { cuts, relaxed: false, choice }
    }

    fn stop(&self, least: usize) -> usize {
        match (self.dealing, self.aim) {
            (Dealing::Drawn | Dealing::Best, Aim::Answers) if least >= ANSWERS_FROM => ANSWERS_GROUPS * least,
            _ => 0,
        }
    }

    /// The second stage, for one leaf.
    fn divide(&self, rows: &[u32], place: u64, making: &Making<'_>, search: &Search<'_>) -> Vec<Vec<u32>> {
        let groups = if making.constructed {
            self.construct(&making.leaf(rows), place, making)
        } else {
            self.attempt(rows, place, making, search)
        };
        (making.task.tick)(rows.len() as u64);
        groups
    }

    /// Groups that keep values apart and have the least size.
    fn construct(&self, leaf: &Leaf, place: u64, making: &Making<'_>) -> Vec<Vec<u32>> {
        let least = making.least;
        let mut coins = making.task.coins.stream(Purpose::Groups, place);
        match self.dealing {
            Dealing::Paper if making.near.most_near(&making.bag(&leaf.rows)) * making.m as u64 <= leaf.len() as u64 => {
                vec![leaf.rows.clone()]
            }
            Dealing::Paper => lanes::deal(&leaf.rows, leaf.maxsize()),
            Dealing::Lanes => lanes::deal_turning(&leaf.rows, leaf.len() / least, leaf.maxsize(), &mut coins),
            Dealing::Drawn | Dealing::Best => {
                let choices = if self.dealing == Dealing::Best { 1 } else { CHOICES };
                let groups = greedy::groups(leaf, &making.axes, least, choices, &mut coins);
                let rows = |group: Vec<u32>| group.iter().map(|&item| leaf.rows[item as usize]).collect();
                groups.into_iter().map(rows).collect()
            }
        }
    }

    /// Groups that are tried against all requirements; lanes that are known to pass where they fail.
    fn attempt(&self, rows: &[u32], place: u64, making: &Making<'_>, search: &Search<'_>) -> Vec<Vec<u32>> {
        let tries = if self.dealing == Dealing::Paper { 1 } else { TRIES };
        let leaf = making.leaf(rows);
        if leaf.maxsize() * making.least <= leaf.len() {
            for attempt in 0..tries {
                let groups = self.construct(&leaf, place * TRIES + attempt, making);
                if search.all_hold(&groups) {
                    return groups;
                }
            }
        }
        // The tree asked this of every leaf before it was cut off.
        search.lanes(rows).unwrap_or_else(|| vec![rows.to_vec()])
    }
}

impl<'a> Making<'a> {
    fn new(task: &'a Task<'a>, column: usize, near: &'a Neighbourhood, m: u64) -> Self {
        let table = task.table;
        let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).max(1);
        let mut making = Making {
            task,
            axes: axes(table),
            quasi: table.schema().of_role(Role::Quasi).into_iter().map(|column| table.column(column)).collect(),
            codes: sensitive(table, column),
            near,
            m: size(m),
            least: size(task.bound.least_size()),
            ties: random_order(table.n_rows(), task.coins, Purpose::Ties),
            constructed: false,
        };
        let looking = task.bound.tests().iter().filter(|bound| bound.column().is_some()).count();
        let all: Vec<u32> = (0..table.n_rows() as u32).collect();
        making.constructed = looking == 1 && making.eligible(&all);
        making
    }

    /// A leaf with its rows in order.
    fn leaf(&self, rows: &[u32]) -> Leaf {
        Leaf::new(
            rows.to_vec(),
            &self.axes,
            self.near,
            |row| self.codes.get(row as usize),
            |row| self.ties[row as usize],
            |a, row| self.axes[a].position(self.quasi[a].get(row as usize)),
        )
    }

    /// The sensitive values of some rows.
    fn bag(&self, rows: &[u32]) -> scumble_table::Bag {
        scumble_table::Bag::from_codes(rows.iter().map(|&row| self.codes.get(row as usize)))
    }

    /// True if rows can be divided into groups of the least size that keep values apart.
    fn eligible(&self, rows: &[u32]) -> bool {
        let maxsize = scumble_principle::proximity::theory::maxsize(&self.bag(rows), self.near);
        !rows.is_empty() && (rows.len() as u64) >= maxsize.saturating_mul(self.least as u64)
    }
}

/// A sensitive column by its place among the sensitive ones.
fn sensitive(table: &Table, place: usize) -> &Codes {
    table.column(table.schema().of_role(Role::Sensitive)[place])
}

/// The third stage.
fn improved(groups: Vec<Vec<u32>>, making: &Making<'_>) -> Vec<Vec<u32>> {
    let member = |&row: &u32| Member {
        row,
        code: making.codes.get(row as usize),
        at: making.axes.iter().zip(&making.quasi).map(|(axis, codes)| axis.position(codes.get(row as usize))).collect(),
    };
    let mut members: Vec<Vec<Member>> = groups.par_iter().map(|group| group.iter().map(member).collect()).collect();
    swap::improve(&mut members, &making.axes, making.near);
    members.into_iter().map(|group| group.into_iter().map(|member| member.row).collect()).collect()
}

impl std::fmt::Debug for Making<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Making").field("m", &self.m).field("least", &self.least).finish_non_exhaustive()
    }
}
