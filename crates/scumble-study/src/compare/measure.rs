//! One run: a release is published, verified, evaluated and attacked.

use super::memory::own_peak;
use super::worker::Questions;
use super::{Cost, Figures};
use scumble::{
    BoundsRequest, EvaluateRequest, Evaluation, Input, PublishRequest, Published, Result, RiskFacts, RiskRequest,
    Silent, SourceRules, evaluate, publish, risk,
};
use std::path::Path;
use std::time::Instant;

/// Makes the release of a request in a folder and measures it.
///
/// # Errors
/// As publishing, evaluating and attacking do.
pub(super) fn measure(request: &PublishRequest, questions: &Questions, folder: &Path) -> Result<(Figures, Cost)> {
    let out = folder.join("release");
    let started = Instant::now();
    let request = PublishRequest { out: out.clone(), replace: false, ..request.clone() };
    let published = publish(&request, &Silent)?;
    let (seconds, peak_memory) = (started.elapsed().as_secs_f64(), own_peak());
    let measuring = Instant::now();
    let rules = SourceRules { rules: request.rules.clone(), columns: request.columns.clone() };
    let evaluation = evaluate(
        &EvaluateRequest {
            rules: (!rules.rules.is_empty()).then_some(rules),
            queries: questions.queries,
            w: vec![questions.w],
            seed: questions.seed,
            bounds: questions.bounds.then(|| BoundsRequest { sizes: vec![Questions::size()], ..BoundsRequest::new() }),
            ..EvaluateRequest::new(&out, request.input.clone())
        },
        &Silent,
    )?;
    let attacked = risk(&RiskRequest::new(Input::file(&out), Vec::new()), &Silent)?;
    let cost = Cost {
        seconds,
        measuring_seconds: measuring.elapsed().as_secs_f64(),
        peak_memory,
        measuring_peak_memory: own_peak(),
        threads: rayon::current_num_threads(),
    };
    Ok((figures(&published, &evaluation, &attacked), cost))
}

fn figures(published: &Published, evaluation: &Evaluation, attacked: &RiskFacts) -> Figures {
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
    Figures {
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
