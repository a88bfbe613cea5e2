//! Advice under a distance: which delta goes with which epsilon and k, before any group is formed (paper 2, sections III
//! to V, corrected).
//!
//! Two things are known beforehand. A small maximum degree guarantees that some grouping meets a delta; a heavy clique,
//! a set of values that are near one another pair by pair, proves that none does. Between the two only a search can tell,
//! for the question is NP-hard (Theorem 2).

mod facts;
mod page;
mod request;
mod standing;
mod trade_off;

pub use request::DissimilarityRequest;
pub use standing::Status;
pub use trade_off::{AtDistance, AtK};

use crate::context::Context;
use scumble_principle::{Dissimilarity, JointColumns, Neighbours, Requirement};
use scumble_table::{Decimal, Error, Persons, Result, Role, Stage, Table};
use serde::Serialize;
use standing::{GroupSizeOutlook, Nearness, exact, open_to, rounded_down};

/// What some sensitive columns allow.
///
/// Deltas that were worked out are rounded to four digits after the point: those that are guaranteed down, and those that
/// are disproved up, so that they can be asked for as they stand here.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DissimilarityAdvice {
    /// The columns, taken as one value.
    pub columns: Vec<String>,
    /// The distance between two such values, with the bounds of every `range` written out.
    pub distance: String,
    /// Rows.
    pub rows: u64,
    /// Persons whose rows these are, where it is known whose rows are whose: these are counted then. Where some have several rows,
    /// what is disproved for rows is disproved for people, and nothing is guaranteed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Distinct values among them.
    pub values: u64,
    /// How it is kept which values are near which: `bits`, `lists` or `asked`.
    pub neighbours: &'static str,
    /// The epsilon that was asked about.
    pub epsilon: String,
    /// The k that was asked about.
    pub k: u64,
    /// The delta that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<String>,
    /// The most other rows that are near one.
    pub max_degree: u64,
    /// Classes of equal sizes, as many as k allows.
    pub classes: ClassFacts,
    /// With a delta: the most near others that a row of a class may have; of the smaller classes where there are two sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<u64>,
    /// With a delta: the greatest maximum degree that would guarantee it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guaranteed_degree: Option<u64>,
    /// Some grouping meets every delta up to this one.
    pub guaranteed_delta: f64,
    /// The same as a fraction, where rounding changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guaranteed_delta_exact: Option<String>,
    /// No grouping meets this delta or a greater one; `None` where none is disproved.
    pub infeasible_delta: Option<f64>,
    /// The deltas from the greatest that is guaranteed to the greatest that is not disproved.
    pub reach: Reach,
    /// The heaviest set of values found that are near one another, pair by pair.
    pub clique: CliqueFacts,
    /// With a delta: true if classes of equal sizes are ruled out by the clique and groups of other sizes are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equitable_ruled_out: Option<bool>,
    /// Where that is true: the size of groups that would hold most of a clique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better_size: Option<u64>,
    /// Whether the delta can be had; without one, whether every delta can.
    pub status: Status,
    /// The trade-off between epsilon, delta and k over a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trade_off: Option<Vec<AtDistance>>,
}

/// Classes whose sizes differ by one row at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ClassFacts {
    /// How many there are.
    pub count: u64,
    /// Rows of the smaller ones.
    pub size: u64,
    /// How many have one row more.
    pub larger: u64,
}

/// Values that are near one another, pair by pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CliqueFacts {
    /// Rows that have one of them.
    pub rows: u64,
    /// How many values.
    pub values: u64,
    /// With a delta: the most of such rows that classes of equal sizes can hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equitable_capacity: Option<u64>,
    /// With a delta: the most of such rows that groups of any sizes can hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_capacity: Option<u64>,
}

/// The deltas that are not disproved, from the greatest that is guaranteed on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reach {
    /// The greatest that is guaranteed.
    pub from: f64,
    /// The greatest that is not disproved.
    pub to: f64,
}

/// Tells which deltas go with an epsilon and a k on the sensitive columns of a table, which are taken as one value,
/// whatever the grouping.
///
/// ```
/// use scumble::{Context, Decimal, DissimilarityRequest, Job, Matrix, LoadedDistance, Source, Status, advise_dissimilarity};
///
/// let data = "job,pay\nteacher,1\ntutor,2\nwelder,2\ntutor,3\nwelder,9\nteacher,8\n";
/// let context = Context::new();
/// let table = Source::reader(data.as_bytes()).read(&Job::new().sensitive(["job", "pay"]), &context)?;
///
/// // Any function of two labels becomes a matrix.
/// let labels = ["teacher", "tutor", "welder"];
/// let apart = |a: &str, b: &str| if a[..1] == b[..1] { Decimal::ZERO } else { Decimal::from(1) };
/// let matrix = |_: &str| Matrix::tabulate(&labels, apart);
/// let distance = LoadedDistance::new("l1(job:matrix:jobs*0.5, pay:rank*0.5)".parse()?, matrix)?;
///
/// let mut request = DissimilarityRequest::new(distance, Decimal::parse("0.2").unwrap(), 2);
/// request.delta = Decimal::parse("0.8");
/// let advice = advise_dissimilarity(&table, &request, &context)?;
/// if advice.status == Status::Infeasible {
///     println!("{} rows are near one another", advice.clique.rows);
/// }
/// # Ok::<(), scumble::Error>(())
/// ```
///
/// # Errors
/// If the request is out of range, the distance does not suit the columns, there are fewer rows than a group must have,
/// or the work is cancelled.
pub fn advise_dissimilarity(
    table: &Table,
    request: &DissimilarityRequest,
    context: &Context,
) -> Result<DissimilarityAdvice> {
    let sensitive = table.schema().of_role(Role::Sensitive);
    let names: Vec<&str> = sensitive.iter().map(|&at| table.attribute(at).name.as_str()).collect();
    request.check(&names)?;
    let advice = context.run(|| judge(request, table, context))?;
    let advice = match table.persons() {
        Some(persons) => by_people(advice, persons),
        None => advice,
    };
    Ok(DissimilarityAdvice { columns: names.into_iter().map(String::from).collect(), ..advice })
}

/// The same for people: a group of rows that passes may hold too few of them, so that only what is disproved stays.
fn by_people(advice: DissimilarityAdvice, persons: &Persons) -> DissimilarityAdvice {
    let advice = DissimilarityAdvice { persons: Some(persons.n() as u64), ..advice };
    if !persons.repeat() {
        return advice;
    }
    let status = match advice.status {
        Status::Infeasible => Status::Infeasible,
        _ if (persons.n() as u64) < advice.k => Status::Infeasible,
        _ => Status::Unknown,
    };
    DissimilarityAdvice {
        guaranteed_delta: 0.0,
        guaranteed_delta_exact: None,
        guaranteed_degree: None,
        reach: Reach { from: 0.0, to: advice.reach.to },
        status,
        ..advice
    }
}

/// The most distinct values whose trade-off is worked out unasked: all pairs of them take a second or so at each epsilon,
/// those of ten times as many minutes.
const MOST_COMPARED: u64 = 1 << 14;

fn left_out(values: u64) -> String {
    format!(
        "other epsilons are left out of the trade-off: the pairs of {values} distinct values take long to compare; a report \
         has them all, and so has the trade-off of coarser values"
    )
}

fn judge(request: &DissimilarityRequest, table: &Table, context: &Context) -> Result<DissimilarityAdvice> {
    let monitor = context.monitor();
    // With delta 0 where none is asked about.
    let principle = Dissimilarity::new(request.epsilon, request.delta.unwrap_or(Decimal::ZERO), request.k)?;
    let requirement = Requirement::new(principle);
    let rows = table.n_rows() as u64;
    enough_rows(request, &requirement, rows)?;
    let together = JointColumns::new(std::slice::from_ref(&requirement), table.schema(), Some(&request.ruler), |at| {
        table.column(at)
    })?;
    let together = together.ok_or_else(|| Error::bug("dissimilarity takes columns together"))?;
    let metric = together.bound_distance(table.schema())?;
    let values = together.composite().len() as u64;
    let epsilons = match (request.trade_off, request.delta) {
        (true, _) => trade_off::epsilons(request.epsilon),
        (false, None) if values <= MOST_COMPARED => trade_off::epsilons(request.epsilon),
        (false, None) => {
            monitor.warn(&left_out(values));
            vec![request.epsilon]
        }
        (false, Some(_)) => Vec::new(),
    };
    monitor.begin(Stage::Compare, Some(rows * (epsilons.len() as u64).max(1)))?;
    let measure = |epsilon: Decimal| {
        let neighbours =
            Neighbours::within_cancellable(&metric, together.composite(), epsilon, context.cancellation())?;
        let near = Nearness::count(&neighbours, together.weights());
        monitor.check()?;
        monitor.advance(rows);
        Ok(near)
    };
    let near = measure(request.epsilon)?;
    let ks = trade_off::ks(request.k, rows);
    let at = |&epsilon: &Decimal| match epsilon == request.epsilon {
        true => Ok(trade_off::at(epsilon, &near, &ks)),
        false => Ok(trade_off::at(epsilon, &measure(epsilon)?, &ks)),
    };
    let trade_off: Vec<AtDistance> = epsilons.iter().map(at).collect::<Result<_>>()?;
    let standing = near.at(request.k).ok_or_else(|| Error::bug("there are enough rows for a group"))?;
    Ok(DissimilarityAdvice {
        distance: metric.distance().to_string(),
        values,
        trade_off: (!trade_off.is_empty()).then_some(trade_off),
        ..answer(request, &near, standing)
    })
}

fn enough_rows(request: &DissimilarityRequest, requirement: &Requirement, rows: u64) -> Result<()> {
    let infeasible = |reason: String, allows: String, nearest: Vec<String>| Error::Infeasible {
        requirement: requirement.to_string(),
        reason,
        allows,
        nearest,
    };
    match rows {
        1 => {
            let reason = "there is one row, and a group of one gives its row away";
            Err(infeasible(reason.into(), "publish nothing of it".into(), Vec::new()))
        }
        _ if rows < request.k => Err(infeasible(
            format!("there are {rows} rows"),
            format!("k can be {rows} at most"),
            vec![rows.to_string()],
        )),
        _ => Ok(()),
    }
}

/// What there is to say about one epsilon and k.
fn answer(request: &DissimilarityRequest, near: &Nearness, standing: GroupSizeOutlook<'_>) -> DissimilarityAdvice {
    let (guaranteed, delta) = (standing.guaranteed(), request.delta);
    let status = standing.status(delta);
    let ruled_out = standing.smallest_ruled_out();
    let capacity = delta.map(|delta| standing.equitable_capacity(delta));
    let equitable_ruled_out =
        capacity.map(|capacity| status == Status::Unknown && !standing.is_one_group() && near.clique.rows > capacity);
    DissimilarityAdvice {
        columns: Vec::new(),
        distance: String::new(),
        rows: near.rows,
        persons: None,
        values: 0,
        neighbours: near.kept,
        epsilon: request.epsilon.to_string(),
        k: request.k,
        delta: delta.map(|delta| delta.to_string()),
        max_degree: near.max_degree,
        classes: ClassFacts {
            count: standing.classes.count,
            size: standing.classes.size,
            larger: standing.classes.larger,
        },
        allowed: delta.map(|delta| standing.allowed(delta)),
        guaranteed_degree: delta.map(|delta| standing.guaranteed_degree(delta)),
        guaranteed_delta: rounded_down(guaranteed),
        guaranteed_delta_exact: exact(guaranteed),
        infeasible_delta: ruled_out.map(Decimal::to_f64),
        reach: Reach { from: rounded_down(guaranteed), to: open_to(ruled_out) },
        clique: CliqueFacts {
            rows: near.clique.rows,
            values: near.clique.values.len() as u64,
            equitable_capacity: capacity,
            any_capacity: delta.map(|delta| standing.any_capacity(delta)),
        },
        equitable_ruled_out,
        better_size: delta.filter(|_| equitable_ruled_out == Some(true)).map(|delta| standing.best_size(delta)),
        status,
        trade_off: None,
    }
}

impl DissimilarityAdvice {
    /// The requirement that was asked about; nothing without a delta.
    pub fn requirement(&self) -> Option<String> {
        self.delta.as_ref().map(|delta| format!("dissimilarity({}, {delta}, {})", self.epsilon, self.k))
    }

    /// The answer as names and values, for people.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        facts::facts(self)
    }

    /// The answer as a sentence, or a few.
    pub fn verdict(&self) -> String {
        facts::verdict(self)
    }

    /// A page with the answer and the trade-off, for the publisher's eyes.
    pub fn page(&self) -> String {
        page::page(self)
    }
}

#[cfg(test)]
mod tests;
