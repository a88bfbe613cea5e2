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

use crate::audit::Auditing;
use scumble_table::{Monitor, Stage};
use scumble_rules::RuleCount;
use scumble_release::ReleaseData;
use scumble_risk::{Attack, Found, Matches, added, beyond, n_subsets};
use scumble_table::{Error, Result};

/// Attacks data or a release.
///
/// # Errors
/// If the request makes no sense, a file cannot be read, a release is not the one that was published, or the population
/// cannot be that of the data.
pub fn risk(request: &RiskRequest, monitor: Monitor<'_>) -> Result<RiskFacts> {
    request.check()?;
    let Target { attack, method, rules } = opened(request, monitor)?;
    request.check_subsets(attack.known().len())?;
    let (attack, population) = among(attack, request, monitor)?;
    let thresholds = request.thresholds();
    let known = attack.known().to_vec();
    let all = attack.with_all()?;
    let subsets = match request.up_to {
        Some(up_to) => Some(with_subsets(&attack, up_to, monitor)?),
        None => None,
    };
    let nothing = nothing_known(&attack, &all);
    let attributes = subsets
        .as_ref()
        .map(|found| added(known.len(), &nothing, found).iter().map(|one| AttributeFacts::of(one, &known)).collect());
    let subsets = subsets.map(|found| ranked(found, &nothing, &known, &thresholds));
    let inference = match method {
        Some(_) => Some(attack.inference(request.inference())?),
        None => None,
    };
    let measured = |found: &Vec<_>| found.iter().any(|one: &scumble_release::risk::Inference| one.epsilon.is_some());
    if request.epsilon.is_some() && !inference.as_ref().is_some_and(measured) {
        monitor.warn("no sensitive column holds numbers or dates, so «epsilon» measures nothing");
    }
    Ok(RiskFacts {
        target: request.target.path.clone(),
        suppressed: method.map(|_| attack.suppressed()),
        method,
        rules,
        by_source: request.source.is_some(),
        population,
        journalist_by: request.population.as_ref().map(|population| match population {
            RiskPopulation::Size(_) => "expected",
            RiskPopulation::File(_) => "counted",
        }),
        attack: AttackFacts::of(all, &known, &thresholds),
        up_to: request.up_to,
        subsets,
        attributes,
        belief: inference.as_ref().map(|_| request.inference().belief),
        inference,
    })
}

/// What is attacked.
struct Target {
    attack: Attack,
    /// The form of a release; nothing for data.
    method: Option<scumble_release::Method>,
    /// What rules did to data.
    rules: Vec<RuleCount>,
}

/// The target, and the people of the source where a release has one.
fn opened(request: &RiskRequest, monitor: Monitor<'_>) -> Result<Target> {
    if !request.is_release() {
        let (table, rules) = match &request.rules {
            None => (load::data(&request.target, &request.known, &request.types, monitor)?, Vec::new()),
            Some(rules) => load::ruled(&request.target, &request.known, &request.types, rules, monitor)?,
        };
        return Ok(Target { attack: Attack::on_data(&table, &request.known)?, method: None, rules });
    }
    let opened = ReleaseData::read(&request.target.path, monitor)?;
    let mut attack = Attack::on_release(&opened, &request.known)?;
    let method = opened.method();
    let columns = opened.release().columns().to_vec();
    drop(opened);
    if let Some(source) = &request.source {
        let people = match &request.rules {
            Some(rules) => rules.read(source, &columns, monitor)?,
            None => {
                let mut names = attack.known().to_vec();
                names.extend(attack.sensitive().into_iter().map(String::from));
                load::columns(source, &names, "source", true, monitor)?
            }
        };
        attack = attack.looking_for(people)?;
    }
    Ok(Target { attack, method: Some(method), rules: Vec::new() })
}

/// The attack with the population that the records are a sample of, and its size.
fn among(attack: Attack, request: &RiskRequest, monitor: Monitor<'_>) -> Result<(Attack, Option<u64>)> {
    match &request.population {
        None => Ok((attack, None)),
        Some(RiskPopulation::Size(size)) => {
            if *size < attack.records() {
                let reason = format!("there are {} records, and the population has no fewer people", attack.records());
                return Err(Error::request("population", size.to_string(), reason)
                    .hint("give the number of people that the data was drawn from, or their file"));
            }
            Ok((attack.among(*size), Some(*size)))
        }
        Some(RiskPopulation::File(input)) => {
            let people = load::columns(input, attack.known(), "population", false, monitor)?;
            let size = people.n_rows as u64;
            Ok((attack.among_people(&people)?, Some(size)))
        }
    }
}

fn with_subsets(attack: &Attack, up_to: usize, monitor: Monitor<'_>) -> Result<Vec<Found>> {
    let rows = attack.records();
    monitor.begin(Stage::Attack, Some(rows.saturating_mul(n_subsets(attack.known().len(), up_to))))?;
    attack.with_subsets(up_to, &|| monitor.advance(rows))
}

/// The attack of somebody who knows nothing: every record matches everybody.
fn nothing_known(attack: &Attack, all: &Found) -> Matches {
    let people = all.matches.records();
    Matches::from_classes((people > 0).then_some((attack.records(), people)))
}

/// The subsets, the most successful first; of equal ones the smaller.
fn ranked(
    found: Vec<Found>,
    nothing: &Matches,
    known: &[String],
    thresholds: &[scumble_table::Decimal],
) -> Vec<SubsetFacts> {
    let adds = beyond(nothing, &found);
    let facts = |(one, adds)| SubsetFacts { attack: AttackFacts::of(one, known, thresholds), adds };
    let mut all: Vec<SubsetFacts> = found.into_iter().zip(adds).map(facts).collect();
    // The sort is stable, and subsets come by rising size and columns.
    all.sort_by(|a, b| b.attack.profile.marketer.total_cmp(&a.attack.profile.marketer));
    all
}
