//! How far an attacker gets with data or with a release: an attack is run and its success is counted. For the publisher's
//! eyes.

mod facts;
mod load;
mod page;
mod page_charts;
mod page_inference;
mod page_subsets;
mod request;
#[cfg(test)]
mod tests;

pub use facts::{AttackFacts, AttributeFacts, RiskFacts, SubsetFacts};
pub use page::risk_page;
pub use request::{RiskPopulation, RiskRequest};

use crate::context::Context;
use crate::release::Release;
use scumble_risk::{Attack, AttackOutcome, Inference, Matches, added_risks, gains_over_parts, n_subsets};
use scumble_table::{Counted, Decimal, Error, Monitor, Result, Stage, Table};
use scumble_verify::join;

/// What is attacked.
#[derive(Clone, Copy)]
pub enum RiskTarget<'a> {
    /// Data, with at least the known columns.
    Data(&'a Table),
    /// A release.
    Release(&'a Release),
}

impl Release {
    /// Attacks the release.
    ///
    /// # Errors
    /// As [`risk()`].
    pub fn risk(&self, request: &RiskRequest<'_>, context: &Context) -> Result<RiskFacts> {
        risk(RiskTarget::Release(self), request, context)
    }
}

/// Attacks data or a release.
///
/// # Errors
/// If the request makes no sense, a release is not the one that was published, the source is not that of the release, the
/// population cannot be that of the data, or the work is cancelled.
pub fn risk(target: RiskTarget<'_>, request: &RiskRequest<'_>, context: &Context) -> Result<RiskFacts> {
    request.check(matches!(target, RiskTarget::Release(_)))?;
    context.run(|| attacked(target, request, context))
}

fn attacked(target: RiskTarget<'_>, request: &RiskRequest<'_>, context: &Context) -> Result<RiskFacts> {
    let monitor = context.monitor();
    let (mut attack, release) = match target {
        RiskTarget::Data(table) => (Attack::on_data(table, &request.known)?, None),
        RiskTarget::Release(release) => {
            (Attack::on_release(release.data(context)?, &request.known, monitor)?, Some(release))
        }
    };
    request.check_subsets(attack.known().len())?;
    if let Some(source) = request.source {
        attack = attack.looking_for(source, monitor)?;
        if let Some(persons) = request.persons {
            attack = attack.counting(persons, monitor)?;
        }
    }
    let counted = counted(&attack, target, request);
    if let Some(manifest) = release.map(Release::manifest)
        && let (Some(n), Counted::Rows) = (manifest.persons, counted)
    {
        monitor.warn(&format!(
            "the rows of this release are those of {n} persons, and rows are counted here: name the data that it was made from \
             with «source», and the columns that say whose rows are whose with «person»"
        ));
    }
    let (attack, population) = among(attack, request, monitor)?;
    let (thresholds, known) = (request.thresholds(), attack.known().to_vec());
    let all = attack.with_all(monitor)?;
    let subsets = request.up_to.map(|up_to| with_subsets(&attack, up_to, monitor)).transpose()?;
    let nothing = nothing_known(&attack, &all);
    let attributes = subsets.as_ref().map(|found| {
        added_risks(known.len(), &nothing, found).iter().map(|one| AttributeFacts::new(one, &known)).collect()
    });
    let subsets = subsets.map(|found| ranked(found, &nothing, &known, &thresholds));
    let inference = release.map(|_| attack.inference(request.inference(), monitor)).transpose()?;
    let measured = |found: &Vec<Inference>| found.iter().any(|one| one.epsilon.is_some());
    if request.epsilon.is_some() && !inference.as_ref().is_some_and(measured) {
        monitor.warn("no sensitive column holds numbers or dates, so «epsilon» measures nothing");
    }
    let joined = match (attack.angel(), release) {
        (Some(tables), Some(release)) => join(tables, release.manifest(), request.source, request.persons, monitor)?,
        _ => None,
    };
    let own_name = release.and_then(Release::path).filter(|_| request.name.is_empty());
    Ok(RiskFacts {
        target: own_name.map_or_else(|| request.name.clone(), |path| path.display().to_string()),
        suppressed: release.map(|_| attack.suppressed()),
        method: release.map(|release| release.manifest().method),
        rules: request.rules.clone(),
        by_source: request.source.is_some(),
        persons: (counted == Counted::People).then(|| attack.everybody().0),
        several_rows: attack.counted() == Counted::People,
        counted,
        joined,
        population,
        journalist_by: request.population.as_ref().map(|population| match population {
            RiskPopulation::Size(_) => "expected",
            RiskPopulation::People(_) => "counted",
        }),
        attack: AttackFacts::new(all, &known, &thresholds),
        up_to: request.up_to,
        subsets,
        attributes,
        belief: inference.as_ref().map(|_| request.inference().belief),
        inference,
    })
}

/// Who is counted: people where it is known that every row is a person of its own, or whose rows are whose.
fn counted(attack: &Attack<'_>, target: RiskTarget<'_>, request: &RiskRequest<'_>) -> Counted {
    let by_rows = match target {
        RiskTarget::Data(table) => table.persons().is_some(),
        RiskTarget::Release(release) => {
            let manifest = release.manifest();
            let known = manifest.counted() == Counted::People && manifest.persons.is_none_or(|n| n == manifest.rows);
            known || request.persons.is_some_and(|persons| !persons.repeat())
        }
    };
    Counted::people_if(by_rows || attack.counted() == Counted::People)
}

/// The attack with the population that the records are a sample of, and its size.
fn among<'a>(attack: Attack<'a>, request: &RiskRequest<'_>, monitor: Monitor<'_>) -> Result<(Attack<'a>, Option<u64>)> {
    let (least, what) = match attack.counted() {
        Counted::People => (attack.everybody().0, "persons"),
        Counted::Rows => (attack.records(), "records"),
    };
    match request.population {
        None => Ok((attack, None)),
        Some(RiskPopulation::Size(size)) if size < least => {
            let reason = format!("there are {least} {what}, and the population has no fewer people");
            Err(Error::request("population", size.to_string(), reason)
                .hint("give the number of people that the data was drawn from, or their file"))
        }
        Some(RiskPopulation::Size(size)) => Ok((attack.among(size), Some(size))),
        Some(RiskPopulation::People(people)) => {
            let size = people.n_rows as u64;
            Ok((attack.among_people(people, monitor)?, Some(size)))
        }
    }
}

fn with_subsets(attack: &Attack<'_>, up_to: usize, monitor: Monitor<'_>) -> Result<Vec<AttackOutcome>> {
    let rows = attack.records();
    monitor.begin(Stage::Attack, Some(rows.saturating_mul(n_subsets(attack.known().len(), up_to))))?;
    attack.with_subsets(up_to, monitor)
}

/// The attack of somebody who knows nothing: every record matches everybody.
fn nothing_known(attack: &Attack<'_>, all: &AttackOutcome) -> Matches {
    let people = all.matches.records();
    Matches::from_classes((people > 0).then_some((attack.everybody().1, people)))
}

/// The subsets, the most successful first; of equal ones the smaller.
fn ranked(found: Vec<AttackOutcome>, nothing: &Matches, known: &[String], thresholds: &[Decimal]) -> Vec<SubsetFacts> {
    let adds = gains_over_parts(nothing, &found);
    let facts = |(one, adds)| SubsetFacts { attack: AttackFacts::new(one, known, thresholds), adds };
    let mut all: Vec<SubsetFacts> = found.into_iter().zip(adds).map(facts).collect();
    // The sort is stable, and subsets come by rising size and columns.
    all.sort_by(|a, b| b.attack.profile.marketer.total_cmp(&a.attack.profile.marketer));
    all
}
