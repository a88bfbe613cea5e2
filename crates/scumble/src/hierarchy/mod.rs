//! `hierarchy`: hierarchies for columns, from how they go with others or from their own values alone.
//!
//! The cuts come from the data, so a hierarchy tells a little about it; what is printed beside, and the page, tell more
//! and are for the publisher's eyes.

mod check;
mod facts;
mod files;
mod page;
#[cfg(test)]
mod tests;
mod words;

pub use facts::{
    BuiltHierarchies, ConditionFacts, ContextFacts, CorrelationFacts, DivisionFacts, HierarchyFacts, LevelFacts,
};

use crate::load::load;
use scumble_table::{Monitor, Stage};
use scumble_method::correlation::{Algorithm, DEFAULT_GROUPS, Measure, Task};
use scumble_table::{Error, Monitor, NULL, Result, Table};
use std::path::PathBuf;

/// An interval stands for at least this share of the rows where nothing is said: the paper takes 2,000 of 20,708.
const SHARE: u64 = 10;

/// What is wanted.
#[derive(Debug, Clone)]
pub struct HierarchyRequest {
    /// The data.
    pub input: Input,
    /// The columns that get a hierarchy, one after the other.
    pub focused: Vec<ColumnRequest>,
    /// The columns that contexts may ask about; none for plain hierarchies.
    pub given: Vec<ColumnRequest>,
    /// Rows that an interval must stand for: a tenth of all where it is not given and there are contexts to find.
    pub min_count: Option<u64>,
    /// How correlation is measured.
    pub measure: Measure,
    /// How contexts are found.
    pub algorithm: Algorithm,
    /// Intervals of the finest common level, about; without contexts of the finest level of all.
    pub groups: Option<u64>,
    /// How a plain hierarchy is made; by what suits the column when not given.
    pub rule: Option<LevelRule>,
    /// The directory for the files: new, or empty.
    pub out: PathBuf,
}

impl HierarchyRequest {
    /// Asks for plain hierarchies of some columns.
    pub fn new(input: Input, focused: Vec<ColumnRequest>, out: impl Into<PathBuf>) -> Self {
        HierarchyRequest {
            input,
            focused,
            given: Vec::new(),
            min_count: None,
            measure: Measure::Nmi,
            algorithm: Algorithm::Mdl,
            groups: None,
            rule: None,
            out: out.into(),
        }
    }
}

/// Builds the hierarchies and writes them: `<column>.csv` in the common form and, where there are given columns,
/// `<column>.toml` with the contexts. The directory appears whole or not at all.
///
/// # Errors
/// If the request contradicts itself or the data, the data cannot be read, or the directory cannot be written.
pub fn build_hierarchies(request: &HierarchyRequest, monitor: Monitor<'_>) -> Result<BuiltHierarchies> {
    check::check(request)?;
    files::check(&request.out, &request.input.path)?;
    let columns: Vec<ColumnRequest> = request.focused.iter().chain(&request.given).cloned().collect();
    let table = load(&request.input, &columns, true, monitor).map_err(|error| check::named(error, request))?;
    monitor.begin(Stage::Partition, None)?;
    let n_focused = request.focused.len();
    let given: Vec<usize> = (n_focused..columns.len()).collect();
    let conditional = !given.is_empty();
    let min_count = request.min_count.or(conditional.then(|| (table.n_rows() as u64 / SHARE).max(1)));
    let mut hierarchies = Vec::with_capacity(n_focused);
    let mut names = files::Names::default();
    for focused in 0..n_focused {
        let hierarchy = match conditional {
            true => correlated(request, &table, focused, &given, min_count.unwrap_or(1), &mut names)?,
            false => plain(request, &table, focused, &mut names)?,
        };
        for note in &hierarchy.notes {
            monitor.warn(note);
        }
        hierarchies.push(hierarchy);
    }
    files::write(&request.out, &request.input.path, &hierarchies)?;
    Ok(BuiltHierarchies {
        rows: table.n_rows() as u64,
        min_count,
        min_count_given: request.min_count.is_some(),
        correlation: conditional.then(|| request.measure.name()),
        algorithm: conditional.then(|| algorithm_name(request.algorithm)),
        out: request.out.display().to_string(),
        hierarchies,
    })
}

/// The word for an algorithm.
pub(crate) fn algorithm_name(algorithm: Algorithm) -> &'static str {
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
    names: &mut files::Names,
) -> Result<HierarchyFacts> {
    let task = Task {
        table,
        focused,
        given,
        least,
        groups: request.groups.unwrap_or(DEFAULT_GROUPS),
        measure: request.measure,
        algorithm: request.algorithm,
        monitor: Monitor::silent(),
    };
    let built = task.build()?;
    let (attribute, missing) = (table.attribute(focused), missing(table, focused));
    let tree = plain_tree(&built.hierarchy, &files::filled(&attribute.domain)?)?;
    let mut facts = HierarchyFacts::new(attribute, table.n_rows() as u64, missing);
    facts.kind = "conditional";
    facts.correlated(&built, table, &attribute.domain);
    facts.notes = words::notes(&built, table, &task);
    files::add_tree(&mut facts, names, &tree);
    files::add_conditional(&mut facts, &built.hierarchy);
    Ok(facts)
}

fn plain(
    request: &HierarchyRequest,
    table: &Table,
    focused: usize,
    names: &mut files::Names,
) -> Result<HierarchyFacts> {
    let attribute = table.attribute(focused);
    let histogram = table.column(focused).histogram(attribute.domain.n_codes());
    let rule = request.rule.unwrap_or_else(|| LevelRule::for_column(attribute));
    let fineness = Fineness { least: request.min_count, groups: request.groups };
    let mut facts = HierarchyFacts::new(attribute, table.n_rows() as u64, missing(table, focused));
    facts.kind = rule.name();
    let tree = match build(attribute, &histogram, rule, fineness, Monitor::silent())? {
        Automatic::Intervals(ladder) => plain_tree(&ladder, &files::filled(&attribute.domain)?)?,
        Automatic::Tree(tree) => tree,
    };
    if tree.height() < 2 {
        facts.notes.push(match request.min_count {
            Some(least) => format!(
                "`{}` cannot be divided into groups of {least} rows or more: its hierarchy has no level but `*`",
                attribute.name
            ),
            None => format!("`{}` has too few values for a level between them and `*`", attribute.name),
        });
    }
    facts.levels_of(&tree, &attribute.domain, &histogram);
    files::add_tree(&mut facts, names, &tree);
    Ok(facts)
}

fn missing(table: &Table, column: usize) -> u64 {
    table.column(column).iter().filter(|code| *code == NULL).count() as u64
}

/// A request that cannot be met, by the flag that made it.
fn refused(flag: &str, value: impl Into<String>, reason: impl Into<String>) -> Error {
    Error::request(flag, value, reason)
}
