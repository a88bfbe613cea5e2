//! A whole measurement: make each release a few times, attack it, keep the means.

use super::data::Case;
use super::dice::Dice;
use super::outcome::{Mean, Outcome};
use super::people::People;
use super::plan::{Attack, EPSILON, L, M, Plan, STOPS_L};
use super::seen::Seen;
use super::stops::{ABOVE, Search};
use super::{Failure, absent, common_value, cost::Cost, learning, lots::Lots, mixture, neighbours, refined, stops};
use scumble::{BoxKind, Context, Profile, anonymize};
use scumble_release::PublishedTables;
use serde_json::{Value, json};

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Data sets with the people of each, in and out.
    pub cases: Vec<(Case, (usize, usize))>,
    /// Attacks.
    pub attacks: Vec<Attack>,
    /// Words for methods.
    pub methods: Vec<String>,
    /// Words for profiles.
    pub profiles: Vec<String>,
    /// Releases of each kind.
    pub releases: usize,
    /// Seed of everything but the coins of releases.
    pub seed: u64,
}

/// Measures, and tells on the way what is done. The document has a part for each data set.
///
/// # Errors
/// If data cannot be read or a release cannot be made.
pub fn run(wanted: &Wanted, tell: &dyn Fn(&str)) -> Result<Value, Failure> {
    let mut parts = Vec::new();
    for (case, rows) in &wanted.cases {
        let Some(people) = case.load(*rows, wanted.seed)? else {
            tell(&format!("{}: skipped, the data is not there", case.name));
            continue;
        };
        let shuffled = people.shuffled(wanted.seed);
        let (mut lines, mut refused) = (Vec::new(), Vec::new());
        for mut plan in Plan::all(case) {
            plan.attacks.retain(|attack| wanted.attacks.contains(attack));
            let named = |names: &[String], name: &str| names.iter().any(|wanted| wanted == name);
            if plan.attacks.is_empty()
                || !named(&wanted.profiles, plan.profile.name())
                || !named(&wanted.methods, plan.method.name())
            {
                continue;
            }
            let boxes = plan.boxes.map_or("", |kind| kind.name());
            tell(&format!("{}: {}, {} {boxes}", case.name, plan.release(), plan.profile.name()));
            let people = if plan.shuffled { &shuffled } else { &people };
            match measured(case, &plan, people, wanted) {
                // To publish nothing rather than what tells too much is what was asked for, and a result.
                Err(error) if plan.may_be_refused() => {
                    tell(&format!("nothing is published: {error}"));
                    let error = error.to_string();
                    let reason = error.split("; hint").next().unwrap_or_default().lines().next().unwrap_or_default();
                    refused.push(format!("{}, {}: {reason}", plan.release(), plan.profile.name()));
                }
                measured => lines.extend(measured?),
            }
        }
        parts
            .push(json!({"data": case.name, "inside": rows.0, "held_out": rows.1, "lines": lines, "refused": refused}));
    }
    let attacks: Vec<&str> = wanted.attacks.iter().map(|attack| attack.name()).collect();
    let run = json!({
        "attacks": attacks,
        "methods": wanted.methods,
        "profiles": wanted.profiles,
        "releases": wanted.releases,
        "seed": wanted.seed,
    });
    Ok(json!({"runs": [run], "parts": parts}))
}

/// The lines of one kind of release.
fn measured(case: &Case, plan: &Plan, people: &People, wanted: &Wanted) -> Result<Vec<Value>, Failure> {
    let context = Context::new();
    let (job, table) = plan.prepared(case, people)?;
    let mut found: Vec<Vec<(Attack, Outcome)>> = Vec::new();
    let mut cost = None;
    for number in 0..wanted.releases {
        let release = anonymize(&table, &job, &context)?;
        // Costs hardly change from release to release.
        if cost.is_none() {
            cost = Some(Cost::measure(&release, &table, &context)?);
        }
        let seed = wanted.seed.wrapping_add(number as u64);
        found.push(attacked(plan, people, release.data(&context)?.tables(), seed)?);
    }
    let n_lines = found.first().map_or(0, Vec::len);
    let of_line = |at: usize| Mean::new(&found.iter().map(|lines| lines[at].1.clone()).collect::<Vec<_>>());
    Ok((0..n_lines)
        .map(|at| {
            let mut line = of_line(at).json();
            line["of"] = json!(found[0][at].0.name());
            line["release"] = json!(plan.release());
            line["profile"] = json!(plan.profile.name());
            line["boxes"] = json!(plan.boxes.map(|kind| kind.name()));
            line["releases"] = json!(wanted.releases);
            line["ncp"] = json!(cost.map(|cost| cost.ncp));
            line["kl"] = json!(cost.and_then(|cost| cost.kl));
            line["count_error"] = json!(cost.and_then(|cost| cost.error));
            line
        })
        .collect())
}

/// Every attack that a release has to bear.
fn attacked(
    plan: &Plan,
    people: &People,
    tables: &PublishedTables,
    seed: u64,
) -> Result<Vec<(Attack, Outcome)>, Failure> {
    let secret = people.secret(plan.secret)?;
    let seen = Seen::new(tables, people, plan.secret)?;
    let truth = seen.truth(secret);
    let control = seen.shuffled(&mut Dice::new(seed, 1));
    let share = |part: usize, whole: usize| Some(part as f64 / whole as f64);
    let mut all = Vec::new();
    for &attack in &plan.attacks {
        let mut found = Vec::new();
        match attack {
            Attack::CommonValue => {
                let guessed = common_value::attack(&seen, people, &truth, &control);
                let source = if plan.shuffled { ", source shuffled" } else { "" };
                for (name, guessed) in ["common value", "common value, apart"].iter().zip(guessed) {
                    found.push(Outcome::new(format!("{name}{source}"), guessed.people, guessed.shares().map(Some)));
                }
            }
            Attack::Learning => {
                let learned = learning::attack(&seen, people, &truth, secret);
                let n = seen.person.len();
                let surest = (n as f64 * learning::SUREST).ceil() as usize;
                let nominal = Some(1.0 / L as f64);
                found.push(Outcome::new("learning", n, [Some(learned.accuracy), nominal, Some(learned.control)]));
                let shares = [Some(learned.surest), nominal, Some(learned.control_surest)];
                found.push(Outcome::new("learning, surest 1 %", surest, shares));
            }
            Attack::Stops => {
                let lots = Lots::new(people, secret, &plan.requirement)?;
                let search = match plan.profile {
                    Profile::Hardened => Search::ByLot(STOPS_L, &lots),
                    Profile::Standard | Profile::MaxUtility => Search::Certain(plan.diversity()),
                };
                let told = stops::attack(&seen, people, search, &truth, &control, seed);
                for (at, above) in ABOVE.iter().enumerate() {
                    let n = told.people[at];
                    let shares =
                        [share(told.right[at], n), Some(told.claimed[at] / n as f64), share(told.control[at], n)];
                    found.push(Outcome::new(format!("stop told above {above}"), n, shares));
                }
            }
            Attack::Refined => {
                let told = refined::attack(&seen, people, &mut Dice::new(seed, 2));
                let n = told.generalized;
                found.push(Outcome::new("cells known", n, [share(told.known, n), None, share(told.control, n)]));
                if plan.boxes == Some(BoxKind::Rounded) {
                    for (name, knows_ends) in [("neighbours", false), ("neighbours and ends", true)] {
                        let told = neighbours::attack(&seen, people, knows_ends, &mut Dice::new(seed, 3));
                        let shares = [share(told.known, n), None, share(told.control, n)];
                        found.push(Outcome::new(format!("cells known, {name}"), n, shares));
                    }
                }
                found.push(Outcome::new("rows isolated", told.rows, [share(told.isolated, told.rows), None, None]));
            }
            Attack::Absent => {
                let told = absent::attack(&seen, people);
                let shares = [share(told.absent, told.strangers), None, share(told.control, people.inside)];
                found.push(Outcome::new("strangers absent", told.strangers, shares));
            }
            Attack::Mixture => {
                let told = mixture::attack(&seen, people, secret, EPSILON, M);
                let n = told.people;
                found.push(Outcome::new(
                    "believed above 1/m",
                    n,
                    [share(told.above, n), Some(0.0), share(told.control, n)],
                ));
                found.push(Outcome::new(
                    "own value above 1/m",
                    n,
                    [share(told.own, n), Some(0.0), share(told.control, n)],
                ));
                found.push(Outcome::new("greatest belief", n, [Some(told.greatest), Some(1.0 / M as f64), None]));
            }
        }
        all.extend(found.into_iter().map(|outcome| (attack, outcome)));
    }
    Ok(all)
}
