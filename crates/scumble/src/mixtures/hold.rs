//! Groups of which mixtures hold: every way that suits the requirements is tried, and of those that do the one that loses
//! least is taken.

use super::stricter::stricter;
use super::{MixtureAttempt, MixtureStrategy, codes, places, values};
use crate::binding::{bind_published, together_of};
use crate::grouping::divide;
use crate::job::Algorithm;
use crate::job::Plan;
use crate::partition::{apart, share_of};
use rayon::prelude::*;
use scumble_measure::Partitioned;
use scumble_method::{Coins, Task};
use scumble_principle::BoundRequirements;
use scumble_table::{Codes, Error, Partition, Result, Table};
use scumble_table::{Monitor, Stage};
use scumble_verify::mixture::{Nearness, breaching, overlap};
use std::sync::Arc;

/// Groups of which mixtures hold.
pub(crate) struct Held {
    pub(crate) partition: Partition,
    pub(crate) bound: BoundRequirements,
    /// The word for the algorithm that found them.
    pub(crate) algorithm: &'static str,
    pub(crate) ways: Vec<MixtureAttempt>,
}

/// How many times groups that break the criterion are dealt again at most. Every round draws in the groups that the new ones
/// meet; where that does not come to an end soon, nearly all rows are drawn in, and the wider way serves them better.
const ROUNDS: usize = 6;

/// The groups of least loss among those of all ways of which mixtures hold.
///
/// # Errors
/// If the requirements cannot be met, or no way leads to groups of which mixtures hold.
pub(crate) fn hold(table: &Table, plan: &Plan, coins: &Coins, monitor: Monitor<'_>) -> Result<Held> {
    let search = Search { table, plan, coins, monitor };
    let (usual, _) = divide(table, plan, coins, monitor)?;
    let usual = usual.partition;
    let (mut ways, mut best): (Vec<MixtureAttempt>, Option<(f64, Held)>) = (Vec::new(), None);
    for way in MixtureStrategy::ALL.iter().copied().filter(|way| plan.mixture_way.is_none_or(|only| only == *way)) {
        monitor.begin(Stage::Partition, None)?;
        monitor.note(way.name());
        let found = match way {
            MixtureStrategy::Usual => Ok(Some((usual.clone(), plan.algorithm))),
            _ => search.by(way, &usual),
        };
        let (partition, algorithm) = match found {
            Ok(Some(found)) => found,
            // The way has no answer to these requirements.
            Ok(None) => continue,
            Err(Error::Infeasible { .. } | Error::NotFound { .. }) => {
                ways.push(MixtureAttempt { way: way.name(), column: None, ncp: None, holds: false, chosen: false });
                continue;
            }
            Err(error) => return Err(error),
        };
        let bound = search.bind(&partition)?;
        let holds = search.holds(&partition, &bound)?;
        let ncp = Partitioned::by_all(table, &partition)?.loss().ncp;
        ways.push(MixtureAttempt { way: way.name(), column: None, ncp: Some(ncp), holds, chosen: false });
        if holds && best.as_ref().is_none_or(|(least, _)| ncp < *least) {
            ways.iter_mut().for_each(|tried| tried.chosen = tried.way == way.name());
            best = Some((ncp, Held { partition, bound, algorithm: algorithm.name(), ways: Vec::new() }));
        }
    }
    match best {
        Some((_, held)) => Ok(Held { ways, ..held }),
        None => Err(not_found(plan, &ways)),
    }
}

struct Search<'a> {
    table: &'a Table,
    plan: &'a Plan,
    coins: &'a Coins,
    monitor: Monitor<'a>,
}

impl Search<'_> {
    /// Groups by a way, and the algorithm that found them; nothing where it has no answer to the requirements.
    fn by(&self, way: MixtureStrategy, usual: &Partition) -> Result<Option<(Partition, Algorithm)>> {
        match way {
            MixtureStrategy::Usual => Ok(Some((usual.clone(), self.plan.algorithm))),
            MixtureStrategy::Disjoint => Ok(self.disjoint()?.map(|partition| (partition, Algorithm::Mondrian))),
            MixtureStrategy::Repair => self.repaired(usual),
            MixtureStrategy::Doubled | MixtureStrategy::Wider | MixtureStrategy::Window => {
                let Some(asked) = stricter(self.plan, way) else { return Ok(None) };
                let (divided, _) =
                    divide(self.table, &asked, self.coins, self.monitor.inside_stage().without_warnings())?;
                Ok(Some((divided.partition, asked.algorithm)))
            }
        }
    }

    /// Groups on different sides of cuts, of all rows.
    fn disjoint(&self) -> Result<Option<Partition>> {
        let together = together_of(self.table, self.plan, self.monitor)?;
        let bound = bind_published(self.table, self.plan, together.as_ref(), None)?;
        let task = Task {
            table: self.table,
            bound: &bound,
            rebind: &|rows| bind_published(self.table, self.plan, bound.joint(), Some(rows)),
            most_suppressed: 0,
            coins: self.coins,
            monitor: self.monitor,
        };
        apart(self.plan.profile).partition_disjoint_boxes(&task)
    }

    /// The usual groups, those that break the criterion dealt again as the wider way deals all, as long as some do.
    fn repaired(&self, usual: &Partition) -> Result<Option<(Partition, Algorithm)>> {
        // How far apart values are may depend on all that are published, which a part of the rows does not know.
        if self.plan.about_dissimilarity() || usual.n_suppressed() > 0 {
            return Ok(None);
        }
        let Some(asked) = stricter(self.plan, MixtureStrategy::Repair) else { return Ok(None) };
        let bound = self.bind(usual)?;
        let mut partition = usual.clone();
        // Whether each group was dealt the wider way.
        let mut wider = vec![false; partition.n_groups()];
        for round in 0..ROUNDS {
            let broken = self.breaching(&partition, &bound)?;
            if broken.iter().all(|broken| !broken) {
                return Ok(Some((partition, asked.algorithm)));
            }
            // Those that were dealt again before take part, so that rows have others near them.
            let again = |group: usize| broken[group] || wider[group];
            let rows: Vec<u32> =
                (0..partition.n_groups()).filter(|&g| again(g)).flat_map(|g| partition.group(g)).copied().collect();
            let part = part_of(self.table, &rows)?;
            let (divided, _) =
                divide(&part, &asked, &self.coins.for_round(round), self.monitor.inside_stage().without_warnings())?;
            let stay: Vec<&[u32]> =
                (0..partition.n_groups()).filter(|&group| !again(group)).map(|group| partition.group(group)).collect();
            let dealt = divided.partition.groups().map(|group| group.iter().map(|&at| rows[at as usize]).collect());
            let groups: Vec<Vec<u32>> = stay.iter().map(|group| group.to_vec()).chain(dealt).collect();
            wider = (0..groups.len()).map(|group| group >= stay.len()).collect();
            partition = laid_out(&groups, self.table.n_rows())?;
        }
        Err(Error::NotFound {
            requirement: "«mixtures» hold".into(),
            reason: "dealing failing groups again leaves others that fail".into(),
            hint: "try another way".into(),
            report: Vec::new(),
        })
    }

    /// Whether each group breaks the criterion for some requirement.
    fn breaching(&self, partition: &Partition, bound: &BoundRequirements) -> Result<Vec<bool>> {
        let places = places(self.table, partition, self.plan, self.coins)?;
        let mut broken = vec![false; partition.n_groups()];
        for test in bound.tests() {
            let Some(nearness) = Nearness::from_test(test.test()) else { continue };
            let values = values(codes(self.table, bound, test)?, partition);
            breaching(&places, &values, nearness).into_iter().for_each(|group| broken[group as usize] = true);
        }
        Ok(broken)
    }

    /// The requirements tied to what is published.
    fn bind(&self, partition: &Partition) -> Result<BoundRequirements> {
        let together = together_of(self.table, self.plan, self.monitor)?;
        let rows = (partition.n_suppressed() > 0).then(|| partition.rows());
        bind_published(self.table, self.plan, together.as_ref(), rows)
    }

    /// Whether every group meets the requirements, and mixtures do.
    fn holds(&self, partition: &Partition, bound: &BoundRequirements) -> Result<bool> {
        let alone = (0..partition.n_groups()).into_par_iter().all(|group| {
            let rows = partition.group(group);
            bound.rows_hold(self.table, rows)
        });
        let few = partition.n_suppressed() <= share_of(self.plan.max_suppressed, self.table.n_rows());
        if !alone || !few {
            return Ok(false);
        }
        let places = places(self.table, partition, self.plan, self.coins)?;
        for test in bound.tests() {
            let Some(nearness) = Nearness::from_test(test.test()) else { continue };
            let values = values(codes(self.table, bound, test)?, partition);
            if overlap(&places, &values, nearness).is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Some rows of a table.
fn part_of(table: &Table, rows: &[u32]) -> Result<Table> {
    let columns: Vec<Codes> =
        (0..table.schema().attributes().len()).map(|column| table.column(column).gather(rows)).collect();
    let part = Table::new(table.schema().clone(), columns, rows.len())?;
    match table.persons() {
        Some(persons) => part.with_persons(Arc::new(persons.gather(rows))),
        None => Ok(part),
    }
}

fn laid_out(groups: &[Vec<u32>], n_rows: usize) -> Result<Partition> {
    let mut starts = vec![0u32];
    for group in groups {
        starts.push(starts[starts.len() - 1] + group.len() as u32);
    }
    Partition::new(groups.concat(), starts, n_rows)
}

fn not_found(plan: &Plan, ways: &[MixtureAttempt]) -> Error {
    let named: Vec<String> = plan.requirements.iter().map(ToString::to_string).collect();
    let word = |tried: &MixtureAttempt| match tried.ncp {
        None => format!("{}: no groups", tried.way),
        Some(_) => format!("{}: groups that tell more together than is allowed in one", tried.way),
    };
    let tried: Vec<String> = ways.iter().map(word).collect();
    Error::NotFound {
        requirement: format!("{} with «mixtures» hold", named.join(" and ")),
        reason: format!("no way of grouping that was tried holds wherever groups overlap ({})", tried.join("; ")),
        hint: "ask for a smaller epsilon or m, or a smaller delta; or weigh what `«mixtures» report` tells, and leave \
               «mixtures» out"
            .into(),
        report: Vec::new(),
    }
}
