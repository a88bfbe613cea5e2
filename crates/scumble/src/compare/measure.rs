//! One run: a release is made in memory, verified, evaluated and attacked.

use super::budget;
use super::run::Run;
use super::{CompareRequest, Cost, Figures, Outcome, Status};
use crate::anonymize::{Facts, anonymize};
use crate::context::Context;
use crate::evaluate::{BoundsRequest, EvaluateRequest, Evaluation, evaluate};
use crate::risk::{RiskFacts, RiskRequest, RiskTarget, risk};
use scumble_io::RawTable;
use scumble_platform::{peak_memory, reset_peak_memory};
use scumble_table::{Counted, Error, Result, Table};
use serde::Serialize;
use std::time::Instant;

/// Columns of a count query, the sensitive one included, or as many as the table has.
const W: usize = 3;

/// The share of the people whose average is bounded.
const SIZE: &str = "0.1";

/// What is asked of every release.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ReleaseQuestions {
    queries: usize,
    seed: u64,
    w: usize,
    /// Whether bounds of averages are asked for.
    pub(super) bounds: bool,
}

impl ReleaseQuestions {
    pub(super) fn new(queries: usize, seed: u64, n_quasi: usize, bounds: bool) -> Self {
        ReleaseQuestions { queries, seed, w: W.min(n_quasi + 1), bounds }
    }

    /// The flags of `evaluate` that ask the same.
    pub(super) fn flags(&self) -> Vec<String> {
        let mut flags: Vec<String> = Vec::new();
        for (flag, number) in [("--w", self.w as u64), ("--queries", self.queries as u64), ("--seed", self.seed)] {
            flags.extend([flag.into(), number.to_string()]);
        }
        if self.bounds {
            flags.extend(["--bounds", "avg", "--sizes", SIZE].map(String::from));
        }
        flags
    }
}

/// How a run comes out.
///
/// # Errors
/// Only if the work is cancelled.
pub(super) fn outcome(table: &Table, run: &Run, request: &CompareRequest, context: &Context) -> Result<Outcome> {
    reset_peak_memory();
    let without = |status: Status, error: &Error| Ok(Outcome::without(status, error.with_fields(request.field_name)));
    match budget::within(request.memory, context, |context| measured(table, run, context)) {
        Ok((figures, cost)) => {
            Ok(Outcome { status: Status::Done, reason: None, figures: Some(figures), cost: Some(cost) })
        }
        Err(Error::Cancelled) => Err(Error::Cancelled),
        Err(error @ (Error::Infeasible { .. } | Error::NotFound { .. })) => without(Status::Infeasible, &error),
        Err(error @ Error::Request { .. }) => without(Status::Refused, &error),
        Err(error) => without(Status::Failed, &error),
    }
}

fn measured(table: &Table, run: &Run, context: &Context) -> Result<(Figures, Cost)> {
    let quiet = context.clone().without_progress();
    let questions = &run.questions;
    let started = Instant::now();
    let release = anonymize(table, &run.job, &quiet)?;
    let (seconds, made_with) = (started.elapsed().as_secs_f64(), peak_memory());
    let measuring = Instant::now();
    let source = RawTable::from_table(table.clone(), "the source")?;
    let bounds =
        questions.bounds.then(|| BoundsRequest { sizes: vec![SIZE.parse().unwrap_or(0.1)], ..BoundsRequest::new() });
    let asked = EvaluateRequest {
        queries: questions.queries,
        w: vec![questions.w],
        seed: questions.seed,
        bounds,
        ..EvaluateRequest::new()
    };
    let evaluation = evaluate(&release, &source, &asked, &quiet)?;
    // Where people have several rows, the source says whose they are; several tables are joined around its rows.
    let persons = table.persons().filter(|persons| persons.repeat());
    let several = release.facts().is_some_and(|facts| facts.joined.is_some());
    let request = RiskRequest {
        source: (persons.is_some() || several).then_some(&source),
        persons: persons.map(|persons| &**persons),
        ..RiskRequest::new(Vec::new())
    };
    let attacked = risk(RiskTarget::Release(&release), &request, &quiet)?;
    drop(source);
    let cost = Cost {
        seconds,
        measuring_seconds: measuring.elapsed().as_secs_f64(),
        peak_memory: made_with,
        measuring_peak_memory: peak_memory(),
        threads: rayon::current_num_threads(),
    };
    let facts = release.facts().ok_or_else(|| Error::bug("a release that was made here has no facts"))?;
    Ok((figures(facts, &evaluation, &attacked), cost))
}

fn figures(published: &Facts, evaluation: &Evaluation, attacked: &RiskFacts) -> Figures {
    let errors = evaluation.workloads.first().and_then(|workload| workload.estimators.first()?.1);
    let bounds = evaluation.bounds.as_ref().and_then(|bounds| bounds.lines.first()?.arbitrary.first());
    let beliefs = attacked.inference.as_deref().unwrap_or_default();
    // Of equal beliefs the first is told, whichever order they are asked in.
    let greatest = beliefs.iter().rev().max_by(|a, b| a.largest.total_cmp(&b.largest));
    let own = beliefs.iter().filter(|one| one.attack == "truth").map(|one| one.mean);
    let attained = published.attained.iter().map(|entry| {
        let reached: Vec<String> = entry.figures.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let column = entry.column.as_ref().map_or(String::new(), |column| format!("{column}: "));
        format!("{column}{} reached {}", entry.requirement, reached.join(", "))
    });
    let profile = &attacked.attack.profile;
    let narrowed = |who: Counted| attacked.joined.filter(|joined| joined.counted == who).map(|joined| joined.narrowed);
    Figures {
        counted: attacked.counted.name().into(),
        persons: attacked.persons,
        k_least: profile.k_min,
        joined_people: narrowed(Counted::People),
        joined_rows: narrowed(Counted::Rows),
        joined_least: attacked.joined.map(|joined| joined.least),
        rows: published.rows,
        suppressed: published.suppressed,
        groups: published.groups,
        group_min: published.group_sizes.min,
        group_max: published.group_sizes.max,
        attained: attained.collect(),
        loss: published.loss,
        ncp: published.ncp,
        count_error_mean: errors.map(|errors| errors.mean),
        count_error_median: errors.map(|errors| errors.median),
        bound_width: bounds.and_then(|asked| asked.widths.mean),
        kl_nats: evaluation.reconstruction.first().and_then(|all| all.kl),
        belief: greatest.map(|one| one.largest),
        belief_column: greatest.map(|one| one.column.clone()),
        belief_mean: own.max_by(f64::total_cmp),
        prosecutor: profile.prosecutor,
        marketer: profile.marketer,
        unique_records: profile.unique_records,
    }
}
