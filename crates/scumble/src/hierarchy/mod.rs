//! Hierarchies for columns, from how they go with others, from their own values alone, or by hand.
//!
//! Cuts that come from the data tell a little about it; a rule by hand tells nothing. The facts and the page tell more and are for
//! the publisher's eyes.

mod by_hand;
mod facts;
mod files;
mod page;
mod request;
#[cfg(test)]
mod tests;
mod words;

pub use facts::{
    BuiltHierarchies, ConditionFacts, ContextFacts, CorrelationFacts, DivisionFacts, HierarchyFacts, LevelFacts,
};
pub use files::{WrittenHierarchies, check_hierarchy_dir};
pub use request::HierarchyRequest;

use crate::context::Context;
use scumble_method::automatic_levels::{Automatic, Fineness, LevelRule, build, plain_tree};
use scumble_method::correlation::{Algorithm, DEFAULT_GROUPS, Task};
use scumble_table::{Decimal, Domain, Kind, Monitor, NULL, Result, Stage, Table};
use std::sync::Arc;

/// An interval stands for at least this share of the rows where nothing is said: the paper takes 2,000 of 20,708.
const SHARE: u64 = 10;

/// Whole numbers and days are all listed from the least to the greatest where these are at most this many.
const MOST_FILLED: i128 = 10_000;

/// Builds the hierarchies of some columns of a table. [`BuiltHierarchies::write`] puts them into files.
///
/// ```
/// use scumble::{Context, HierarchyRequest, Job, Source, build_hierarchies};
///
/// let data = "zipcode,disease\n10115,flu\n10117,cold\n20095,flu\n20097,ulcer\n";
/// let context = Context::new();
/// let table = Source::reader(data.as_bytes()).read(&Job::new().quasi(["zipcode"]).drop_rest(), &context)?;
/// let built = build_hierarchies(&table, &HierarchyRequest::new(["zipcode"]), &context)?;
/// assert!(built.hierarchies[0].tree.leaf_of("10115").is_some());
/// # Ok::<(), scumble::Error>(())
/// ```
///
/// # Errors
/// If the request contradicts itself or the data, or the work is cancelled.
pub fn build_hierarchies(table: &Table, request: &HierarchyRequest, context: &Context) -> Result<BuiltHierarchies> {
    request.check()?;
    let positions = |field: &str, names: &[String]| -> Result<Vec<usize>> {
        names.iter().map(|name| table.schema().position(field, name)).collect()
    };
    let (focused, given) = (positions("for", &request.focused)?, positions("given", &request.given)?);
    context.run(|| build_at(table, request, &focused, &given, context.monitor()))
}

fn build_at(
    table: &Table,
    request: &HierarchyRequest,
    focused: &[usize],
    given: &[usize],
    monitor: Monitor<'_>,
) -> Result<BuiltHierarchies> {
    monitor.begin(Stage::Partition, None)?;
    let conditional = !given.is_empty();
    let min_count = request.min_count.or(conditional.then(|| (table.n_rows() as u64 / SHARE).max(1)));
    let mut hierarchies = Vec::with_capacity(focused.len());
    for &column in focused {
        monitor.check()?;
        let hierarchy = match (&request.by_hand, conditional) {
            (Some(rule), _) => by_hand::by_hand(request, rule, table, column, monitor)?,
            (None, true) => correlated(request, table, column, given, min_count.unwrap_or(1), monitor)?,
            (None, false) => plain(request, table, column, monitor)?,
        };
        hierarchy.notes.iter().for_each(|note| monitor.warn(note));
        hierarchies.push(hierarchy);
    }
    files::name_files(&mut hierarchies);
    monitor.check()?;
    Ok(BuiltHierarchies {
        rows: table.n_rows() as u64,
        min_count,
        min_count_given: request.min_count.is_some(),
        correlation: conditional.then(|| request.measure.name()),
        algorithm: conditional.then(|| algorithm_name(request.algorithm)),
        hierarchies,
    })
}

/// The word for an algorithm.
fn algorithm_name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Mdl => "mdl",
        Algorithm::Paper => "paper",
    }
}

fn correlated(
    request: &HierarchyRequest,
    table: &Table,
    focused: usize,
    given: &[usize],
    least: u64,
    monitor: Monitor<'_>,
) -> Result<HierarchyFacts> {
    let task = Task {
        table,
        focused,
        given,
        least,
        groups: request.groups.unwrap_or(DEFAULT_GROUPS),
        measure: request.measure,
        algorithm: request.algorithm,
        monitor,
    };
    let built = task.build()?;
    let attribute = table.attribute(focused);
    let missing = table.column(focused).histogram(attribute.domain.n_codes())[NULL as usize];
    let tree = plain_tree(&built.hierarchy, &filled(&attribute.domain)?)?;
    let mut facts = HierarchyFacts::new(attribute, "conditional", table.n_rows() as u64, missing, tree);
    facts.correlated(&built, table, &attribute.domain);
    facts.notes = words::notes(&built, table, &task);
    facts.conditional = Some(Arc::new(built.hierarchy));
    Ok(facts)
}

fn plain(request: &HierarchyRequest, table: &Table, focused: usize, monitor: Monitor<'_>) -> Result<HierarchyFacts> {
    let attribute = table.attribute(focused);
    let histogram = table.column(focused).histogram(attribute.domain.n_codes());
    let rule = request.rule.unwrap_or_else(|| LevelRule::for_column(attribute));
    let fineness = Fineness { least: request.min_count, groups: request.groups };
    let tree = match build(attribute, &histogram, rule, fineness, monitor)? {
        Automatic::Intervals(ladder) => plain_tree(&ladder, &filled(&attribute.domain)?)?,
        Automatic::Tree(tree) => tree,
    };
    monitor.check()?;
    let missing = histogram[NULL as usize];
    let mut facts = HierarchyFacts::new(attribute, rule.name(), table.n_rows() as u64, missing, tree);
    if facts.tree.height() < 2 {
        facts.notes.push(match request.min_count {
            Some(least) => format!(
                "`{}` cannot be divided into groups of {least} rows or more: its hierarchy has no level but `*`",
                attribute.name
            ),
            None => format!("`{}` has too few values for a level between them and `*`", attribute.name),
        });
    }
    facts.levels_of_tree(&attribute.domain, &histogram, monitor)?;
    Ok(facts)
}

/// The domain with all whole numbers or days between its ends, where these are not too many: a file that lists every
/// value then does not tell which of them occur.
fn filled(domain: &Domain) -> Result<Domain> {
    let (first, last) = (domain.amount(1), domain.amount(domain.len() as u32));
    let (Some(first), Some(last)) = (first, last) else { return Ok(domain.clone()) };
    if domain.scale() > 0 || last.checked_sub(first).is_none_or(|range| range >= MOST_FILLED) {
        return Ok(domain.clone());
    }
    match domain.kind() {
        Kind::Number => Domain::numbers((first..=last).map(|number| Decimal::new(number, 0)).collect()),
        Kind::Date => Ok(Domain::dates((first..=last).map(|day| day as i32).collect())),
        Kind::Ordinal | Kind::Nominal => Ok(domain.clone()),
    }
}
