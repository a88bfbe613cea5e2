//! The answer in words, for the terminal and for the page.

use super::{ClassFacts, DissimilarityAdvice, Status};
use scumble_report::grouped;

/// The answer as names and values.
pub(super) fn facts(advice: &DissimilarityAdvice) -> Vec<(&'static str, String)> {
    let count = |n: u64| grouped(n);
    let mut facts = vec![
        ("epsilon", advice.epsilon.clone()),
        ("k", count(advice.k)),
        ("maximum degree (rows near one row)", count(advice.max_degree)),
        ("classes of equal sizes", classes(advice.classes)),
    ];
    if let (Some(delta), Some(allowed)) = (&advice.delta, advice.allowed) {
        facts.push(("delta", delta.clone()));
        facts.push(("near others that a row may have in a class", count(allowed)));
    }
    if let Some(degree) = advice.guaranteed_degree {
        facts.push(("maximum degree that would guarantee it", count(degree)));
    }
    let exact = advice.guaranteed_delta_exact.as_ref().map_or(String::new(), |exact| format!(" ({exact})"));
    facts.push(("delta that is guaranteed", format!("up to {}{exact}", advice.guaranteed_delta)));
    let disproved = advice.infeasible_delta.map_or("none".into(), |delta| format!("from {delta} on"));
    facts.push(("delta that is disproved", disproved));
    let clique = advice.clique;
    let values = if clique.values == 1 { "value" } else { "values" };
    facts.push((
        "heaviest clique found (near one another)",
        format!("{} rows with {} {values}", count(clique.rows), count(clique.values)),
    ));
    if let (Some(equitable), Some(any)) = (clique.equitable_capacity, clique.any_capacity) {
        facts.push(("rows of a clique that the classes can hold", count(equitable)));
        facts.push(("and groups of any sizes", count(any)));
    }
    facts
}

fn classes(classes: ClassFacts) -> String {
    let ClassFacts { count, size, larger } = classes;
    match (count, larger) {
        (1, _) => format!("one of all {} rows", grouped(size)),
        (_, 0) => format!("{} of {} rows", grouped(count), grouped(size)),
        _ => format!(
            "{} of {} rows, {} of {}",
            grouped(larger),
            grouped(size + 1),
            grouped(count - larger),
            grouped(size)
        ),
    }
}

/// The answer as a sentence, or a few.
pub(super) fn verdict(advice: &DissimilarityAdvice) -> String {
    let Some(requirement) = advice.requirement() else { return range(advice) };
    let (degree, clique) = (grouped(advice.max_degree), advice.clique);
    if let Some(persons) = advice.persons.filter(|&persons| persons < advice.k) {
        return format!(
            "{requirement} cannot be had: there are {} persons, and a group has at least {}.",
            grouped(persons),
            grouped(advice.k)
        );
    }
    match advice.status {
        Status::Guaranteed if advice.classes.count == 1 => {
            format!("{requirement} can be had: all rows as one group, the only grouping that k allows, meet it.")
        }
        Status::Guaranteed => {
            format!("{requirement} can be had: no row is near more than {degree} others, so some grouping meets it.")
        }
        Status::Infeasible if advice.classes.count == 1 => format!(
            "{requirement} cannot be had: k allows one group only, that of all rows, where some row is near {degree} others \
             and {} are allowed.",
            grouped(advice.allowed.unwrap_or(0))
        ),
        Status::Infeasible => format!(
            "{requirement} cannot be had, whatever the grouping: {} rows have values that are near one another, pair by \
             pair, and groups of at least {} rows can hold {} of these at most.",
            grouped(clique.rows),
            grouped(advice.k.max(2)),
            grouped(clique.any_capacity.unwrap_or(0))
        ),
        Status::Unknown => unknown(advice, &requirement),
    }
}

fn unknown(advice: &DissimilarityAdvice, requirement: &str) -> String {
    let mut text = match advice.guaranteed_degree {
        Some(degree) => format!(
            "{requirement} is neither guaranteed nor disproved: only a search can tell. Some row is near {} others, and up to {} \
             it would be guaranteed.",
            grouped(advice.max_degree),
            grouped(degree)
        ),
        None => format!(
            "{requirement} is not disproved: some people have several rows, and only a search can tell whether enough different \
             people can be in every group."
        ),
    };
    if let (Some(size), Some(capacity)) = (advice.better_size, advice.clique.equitable_capacity) {
        text.push_str(&format!(
            " Classes of equal sizes are ruled out: {} rows are near one another, pair by pair, and the classes can hold {} of \
             these. Groups of other sizes may still do: those of {} rows hold the most.",
            grouped(advice.clique.rows),
            grouped(capacity),
            grouped(size)
        ));
    }
    text
}

/// What is open where no delta was asked about.
fn range(advice: &DissimilarityAdvice) -> String {
    let asked = |delta: f64| format!("dissimilarity({}, {delta}, {})", advice.epsilon, advice.k);
    let guaranteed = match advice.guaranteed_delta {
        _ if advice.status == Status::Guaranteed => return format!("Every delta can be had, even {}.", asked(1.0)),
        0.0 => "No delta above 0 is guaranteed".to_string(),
        delta => format!("{} can be had", asked(delta)),
    };
    match advice.infeasible_delta {
        Some(disproved) if advice.reach.to <= advice.reach.from => {
            format!("{guaranteed}, and none from {disproved} on can be had, whatever the grouping.")
        }
        Some(disproved) => format!(
            "{guaranteed}, and none from {disproved} on can be had, whatever the grouping; between them only a search can tell."
        ),
        None => format!("{guaranteed}, and none is disproved: above it only a search can tell."),
    }
}
