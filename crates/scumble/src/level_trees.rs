//! The levels of each quasi-identifier for full-domain generalization: its hierarchy, a conditional one, or one made
//! from its values.

use crate::job::Plan;
use crate::partition::Levels;
use scumble_io::AnyHierarchy;
use scumble_method::automatic_levels::{Automatic, LevelRule, automatic};
use scumble_method::full_domain::LevelStack;
use scumble_release::notation::{self, Cover};
use scumble_release::{CoarseColumn, Form, QuasiColumn};
use scumble_table::{
    Attribute, Code, Codes, Error, Hierarchy, Kind, Monitor, NodeId, OTHERS, Partition, Result, Role, Schema, Table,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The table with a tree over every quasi-identifier whose labels have none: rare ones together, or codes by their first
/// characters. Nothing where there is no such column.
pub(crate) fn with_trees(table: &Table) -> Result<Option<Table>> {
    let mut made = Vec::new();
    for column in table.schema().of_role(Role::Quasi) {
        // A tree with nothing between values and `*` tells readers nothing.
        if let Some(Automatic::Tree(tree)) = made_for(table, column)?
            && tree.height() > 1
        {
            made.push((column, tree));
        }
    }
    if made.is_empty() {
        return Ok(None);
    }
    replaced(
        table,
        made.into_iter().map(|(column, tree)| {
            let attribute = table.attribute(column).clone();
            let domain = attribute.domain.with_hierarchy("made from the labels", &attribute.name, Arc::new(tree))?;
            Ok((column, Attribute { domain, ..attribute }, table.column(column).clone()))
        }),
    )
    .map(Some)
}

/// What a release carries of a tree that was made from the labels of a column: the labels that it shows.
pub(crate) struct PublishedTree {
    pub(crate) column: String,
    /// The tree over those labels; nothing where they are values, or the column shows `*` alone.
    pub(crate) tree: Option<Arc<Hierarchy>>,
    /// The labels, in the order of the column.
    pub(crate) labels: Vec<String>,
    /// How they stand for values, where they are no values themselves.
    pub(crate) coarse: Option<CoarseColumn>,
}

/// The trees of a full-domain release that were made from the data, and not given by the publisher, as it carries them:
/// a tree that lists the values tells which ones occur, those of suppressed rows too, and so do the levels above those that are shown,
/// which were made of all values.
pub(crate) fn published_trees(
    table: &Table,
    plan: &Plan,
    partition: &Partition,
    levels: &Levels,
) -> Result<Vec<PublishedTree>> {
    let given = |name: &str| plan.column(name).is_some_and(|column| column.hierarchy.is_some());
    let mut trees = Vec::new();
    for (ladder, &level) in levels.stacks.iter().zip(&levels.levels) {
        let attribute = table.attribute(ladder.column());
        if let Some(tree) = attribute.domain.hierarchy().filter(|_| !given(&attribute.name)) {
            let mut present = vec![false; attribute.domain.n_codes()];
            let codes = table.column(ladder.column());
            partition.rows().iter().for_each(|&row| present[codes.get(row as usize) as usize] = true);
            let shown = attribute.domain.codes().filter(|&code| present[code as usize]);
            trees.push(cut(attribute, tree, shown, level)?);
        }
    }
    Ok(trees)
}

/// A level of a tree, over these values: its labels with `*` above them.
fn cut(
    attribute: &Attribute,
    tree: &Hierarchy,
    shown: impl Iterator<Item = Code>,
    level: usize,
) -> Result<PublishedTree> {
    let column = attribute.name.clone();
    if level >= tree.height() as usize {
        return Ok(PublishedTree { column, tree: None, labels: Vec::new(), coarse: None });
    }
    let paths = tree.rows();
    let mut labels: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    for leaf in shown.filter_map(|code| attribute.domain.leaf(code)) {
        let label = paths[leaf as usize][level];
        if known.insert(label) {
            labels.push(label.into());
        }
    }
    if attribute.domain.kind() == Kind::Nominal {
        labels.sort_unstable();
    }
    // Values are read without a tree.
    if level == 0 || labels.is_empty() {
        return Ok(PublishedTree { column, tree: None, labels, coarse: None });
    }
    let coarse = match LevelRule::for_column(attribute) {
        LevelRule::Prefix => Some(CoarseColumn { column: column.clone(), rest: None }),
        _ => {
            let rest = labels.iter().find(|label| tree.leaf_of(label).is_none());
            rest.map(|rest| CoarseColumn { column: column.clone(), rest: Some(rest.clone()) })
        }
    };
    let rows: Vec<Vec<String>> = labels.iter().map(|label| vec![label.clone(), "*".into()]).collect();
    let tree = Hierarchy::from_rows("made from the labels", &rows, &[])?;
    Ok(PublishedTree { column, tree: Some(Arc::new(tree)), labels, coarse })
}

/// What a release carries of the trees that rules made of codes: the labels that some box shows and what is above them. A label that is shown
/// beside labels below it gets a leaf for the other codes that begin like it, whether there are any or not, so that nothing tells which codes occur.
pub(crate) fn trees_of_beginnings(table: &Table, form: &Form) -> Result<Vec<PublishedTree>> {
    let boxed: Vec<&QuasiColumn> = match form {
        Form::Generalized(form) => form.quasi.iter().collect(),
        Form::Angel(form) => form.tables.iter().flat_map(|table| &table.quasi).collect(),
        Form::Anatomy(_) | Form::Permuted(_) => return Ok(Vec::new()),
    };
    let mut trees = Vec::new();
    for column in table.schema().of_role(Role::Quasi) {
        let attribute = table.attribute(column);
        let domain = &attribute.domain;
        let Some(tree) = domain.hierarchy().filter(|_| domain.has_tree_by_rule() && domain.bands().is_none()) else {
            continue;
        };
        let own = boxed.iter().filter(|boxes| boxes.name == attribute.name);
        let texts: BTreeSet<&str> = own.flat_map(|boxes| &boxes.texts).map(String::as_str).collect();
        let nodes = (0..tree.nodes().len() as NodeId).filter(|&node| node != tree.root());
        let shown: BTreeSet<&str> = nodes
            .filter(|&node| texts.contains(notation::text(&Cover::Node(node), domain).as_str()))
            .map(|node| &*tree.node(node).label)
            .collect();
        trees.push(above_shown(&attribute.name, tree, &shown)?);
    }
    Ok(trees)
}

/// The part of a tree that these labels and those above them make.
fn above_shown(column: &str, tree: &Hierarchy, shown: &BTreeSet<&str>) -> Result<PublishedTree> {
    // A code that is shorter than what is kept of it stands at several levels, and is known by the lowest.
    let lowest = |path: &[&str]| (0..path.len() - 1).find(|&level| shown.contains(path[level]));
    let row = |leaf: &str, path: &[&str], level: usize| -> Vec<String> {
        std::iter::repeat_n(leaf, level).chain(path[level..].iter().copied()).map(String::from).collect()
    };
    let paths = tree.rows();
    // By leaf, so that neither the order nor the number of the values below a label enters.
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut divided: BTreeSet<&str> = BTreeSet::new();
    for path in &paths {
        let Some(least) = lowest(path) else { continue };
        for level in
            (least + 1..path.len() - 1).filter(|&level| shown.contains(path[level]) && path[level] != path[least])
        {
            let others = format!("{}{OTHERS}", path[level]);
            divided.insert(path[level]);
            rows.insert(others.clone(), row(&others, path, level));
        }
    }
    for path in &paths {
        if let Some(level) = lowest(path).filter(|&level| !divided.contains(path[level])) {
            rows.entry(path[level].into()).or_insert_with(|| row(path[level], path, level));
        }
    }
    let labels: Vec<String> = rows.keys().cloned().collect();
    let is_coarse = labels.iter().any(|label| tree.leaf_of(label).is_none());
    let coarse = is_coarse.then(|| CoarseColumn { column: column.into(), rest: None });
    let rows: Vec<Vec<String>> = rows.into_values().collect();
    let tree = match rows.is_empty() {
        true => None,
        false => Some(Arc::new(Hierarchy::from_rows("the beginnings that are shown", &rows, &[])?)),
    };
    Ok(PublishedTree { column: column.into(), tree, labels, coarse })
}

fn replaced(table: &Table, columns: impl Iterator<Item = Result<(usize, Attribute, Codes)>>) -> Result<Table> {
    let mut attributes = table.schema().attributes().to_vec();
    let mut codes: Vec<Codes> = (0..attributes.len()).map(|column| table.column(column).clone()).collect();
    for replaced in columns {
        let (column, attribute, new) = replaced?;
        (attributes[column], codes[column]) = (attribute, new);
    }
    same_persons(table, Table::new(Schema::new(attributes)?, codes, table.n_rows())?)
}

/// The persons and the population of a table go with another of the same rows.
pub(crate) fn same_persons(table: &Table, other: Table) -> Result<Table> {
    let other = match table.population() {
        Some(population) => other.with_population(population.clone()),
        None => other,
    };
    match table.persons() {
        Some(persons) => other.with_persons(persons.clone()),
        None => Ok(other),
    }
}

/// What can be made from the values of a column that has no tree.
fn made_for(table: &Table, column: usize) -> Result<Option<Automatic>> {
    let attribute = table.attribute(column);
    if attribute.domain.hierarchy().is_some() || attribute.domain.is_empty() {
        return Ok(None);
    }
    automatic(attribute, &table.column(column).histogram(attribute.domain.n_codes()), Monitor::silent()).map(Some)
}

/// The ladder of a column that no conditional hierarchy was given for.
fn of_own(table: &Table, column: usize) -> Result<LevelStack> {
    Ok(match made_for(table, column)? {
        Some(Automatic::Intervals(tree)) => {
            LevelStack::from_intervals(table, tree.bind("made from the values", table.schema())?)
        }
        _ => LevelStack::for_column(table, column),
    })
}

/// The ladders of all quasi-identifiers, in the order of the table.
pub(crate) fn ladders(table: &Table, plan: &Plan) -> Result<Vec<LevelStack>> {
    let mut ladders = Vec::new();
    for column in table.schema().of_role(Role::Quasi) {
        let name = &table.attribute(column).name;
        let file = plan.conditional().find(|(asked, ..)| asked == name).map(|(_, _, file)| file);
        ladders.push(match file {
            Some(file) => {
                let shown = file.shown();
                let AnyHierarchy::Conditional(tree) = &**file.get()? else {
                    return Err(Error::bug("a conditional hierarchy is a tree"));
                };
                if tree.column != *name {
                    return Err(Error::request("hierarchy", &shown, format!("it is a hierarchy of `{}`", tree.column))
                        .hint(format!("write «hierarchy» {}={shown}", tree.column)));
                }
                let asked = tree.contexts.iter().flat_map(|context| &context.when).map(|condition| &condition.column);
                let mut absent = asked.filter(|given| !table.schema().attributes().iter().any(|a| a.name == **given));
                if let Some(given) = absent.next() {
                    let reason = format!("its intervals depend on `{given}`, which is not published");
                    return Err(Error::request("hierarchy", shown, reason)
                        .hint(format!("name `{given}` in «quasi», or use another hierarchy")));
                }
                let bound = tree.bind(&shown, table.schema())?;
                for &given in bound.given() {
                    let attribute = table.attribute(given);
                    if attribute.role != Role::Quasi {
                        let reason = format!(
                            "its intervals depend on `{}`, which is {}: they would tell it, and k would not count it",
                            attribute.name, attribute.role
                        );
                        return Err(Error::request("hierarchy", shown, reason)
                            .hint(format!("name `{}` in «quasi», or use another hierarchy", attribute.name)));
                    }
                }
                LevelStack::from_intervals(table, bound)
            }
            None => of_own(table, column)?,
        });
    }
    Ok(ladders)
}

/// The levels that were asked for, in the order of the ladders.
pub(crate) fn fixed(table: &Table, plan: &Plan, ladders: &[LevelStack]) -> Result<Vec<Option<usize>>> {
    let level = |ladder: &LevelStack| {
        let name = &table.attribute(ladder.column()).name;
        let level = plan.column(name).and_then(|column| column.level);
        let level = level.map(|level| usize::try_from(level).unwrap_or(usize::MAX));
        match level {
            Some(level) if level > ladder.top() => {
                let reason = format!("the column has the levels 0, its values, to {}, which shows `*`", ladder.top());
                Err(Error::request("level", format!("{name}={level}"), reason))
            }
            level => Ok(level),
        }
    };
    ladders.iter().map(level).collect()
}
