//! The levels of each quasi-identifier for full-domain generalization: its hierarchy, a conditional one, or one made
//! from its values.

use crate::request::PublishRequest;
use scumble_io::read_conditional;
use scumble_method::full_domain::Ladder;
use scumble_method::ladder::{Automatic, automatic};
use scumble_table::{
    Attribute, Code, Codes, Domain, Error, Hierarchy, Kind, NULL, Partition, Result, Role, Schema, Table,
};
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

/// The same table for publishing groups of it: trees that were made from its labels, and not given by the publisher,
/// are rid of labels that only suppressed rows have, since the release carries them.
pub(crate) fn without_suppressed(
    table: &Table,
    request: &PublishRequest,
    partition: &Partition,
) -> Result<Option<Table>> {
    let given = |name: &str| request.columns.iter().any(|column| column.name == name && column.hierarchy.is_some());
    let made = |column: &usize| {
        let attribute = table.attribute(*column);
        attribute.domain.hierarchy().is_some() && !given(&attribute.name)
    };
    let columns: Vec<usize> = table.schema().of_role(Role::Quasi).into_iter().filter(made).collect();
    if partition.n_suppressed() == 0 || columns.is_empty() {
        return Ok(None);
    }
    replaced(
        table,
        columns.into_iter().map(|column| {
            let (attribute, codes) = published_labels(table, column, partition)?;
            Ok((column, attribute, codes))
        }),
    )
    .map(Some)
}

/// A column of labels with those alone that published rows have.
fn published_labels(table: &Table, column: usize, partition: &Partition) -> Result<(Attribute, Codes)> {
    let (attribute, codes) = (table.attribute(column), table.column(column));
    let mut present = vec![false; attribute.domain.n_codes()];
    partition.rows().iter().for_each(|&row| present[codes.get(row as usize) as usize] = true);
    let mut map: Vec<Code> = vec![NULL; present.len()];
    let mut labels: Vec<Box<str>> = Vec::new();
    // Labels keep their order, so their places are their codes.
    for code in attribute.domain.codes().filter(|&code| present[code as usize]) {
        labels.push(attribute.domain.text(code).into());
        map[code as usize] = labels.len() as Code;
    }
    let domain = match attribute.domain.kind() {
        Kind::Ordinal => Domain::ordinal(labels),
        _ => Domain::nominal(labels),
    };
    let domain = match attribute.domain.hierarchy() {
        Some(tree) => {
            let shown = |row: &Vec<&str>| domain.code_of(row[0]).is_some();
            let rows: Vec<Vec<String>> =
                tree.rows().into_iter().filter(shown).map(|row| row.into_iter().map(String::from).collect()).collect();
            let tree = Hierarchy::from_rows("made from the labels", &rows, &[])?;
            domain.with_hierarchy("made from the labels", &attribute.name, Arc::new(tree))?
        }
        None => domain,
    };
    Ok((Attribute { domain, ..attribute.clone() }, codes.mapped(&map)))
}

fn replaced(table: &Table, columns: impl Iterator<Item = Result<(usize, Attribute, Codes)>>) -> Result<Table> {
    let mut attributes = table.schema().attributes().to_vec();
    let mut codes: Vec<Codes> = (0..attributes.len()).map(|column| table.column(column).clone()).collect();
    for replaced in columns {
        let (column, attribute, new) = replaced?;
        (attributes[column], codes[column]) = (attribute, new);
    }
    Table::new(Schema::new(attributes)?, codes, table.n_rows())
}

/// What can be made from the values of a column that has no tree.
fn made_for(table: &Table, column: usize) -> Result<Option<Automatic>> {
    let attribute = table.attribute(column);
    if attribute.domain.hierarchy().is_some() || attribute.domain.is_empty() {
        return Ok(None);
    }
    automatic(attribute, &table.column(column).histogram(attribute.domain.n_codes())).map(Some)
}

/// The ladder of a column that no conditional hierarchy was given for.
fn of_own(table: &Table, column: usize) -> Result<Ladder> {
    Ok(match made_for(table, column)? {
        Some(Automatic::Intervals(tree)) => {
            Ladder::of_intervals(table, tree.bind("made from the values", table.schema())?)
        }
        _ => Ladder::of_column(table, column),
    })
}

/// The ladders of all quasi-identifiers, in the order of the table.
pub(crate) fn ladders(table: &Table, request: &PublishRequest) -> Result<Vec<Ladder>> {
    let mut ladders = Vec::new();
    for column in table.schema().of_role(Role::Quasi) {
        let name = &table.attribute(column).name;
        let file = request.conditional().find(|(asked, _)| asked.name == *name).map(|(_, file)| file);
        ladders.push(match file {
            Some(file) => {
                let shown = file.display().to_string();
                let tree = read_conditional(file)?;
                if tree.column != *name {
                    return Err(Error::request(
                        "--hierarchy",
                        &shown,
                        format!("it is a hierarchy of `{}`", tree.column),
                    )
                    .hint(format!("write --hierarchy {}={shown}", tree.column)));
                }
                let asked = tree.contexts.iter().flat_map(|context| &context.when).map(|condition| &condition.column);
                let mut absent = asked.filter(|given| !table.schema().attributes().iter().any(|a| a.name == **given));
                if let Some(given) = absent.next() {
                    let reason = format!("its intervals depend on `{given}`, which is not published");
                    return Err(Error::request("--hierarchy", shown, reason)
                        .hint(format!("name `{given}` in --quasi, or use another hierarchy")));
                }
                let bound = tree.bind(&shown, table.schema())?;
                for &given in bound.given() {
                    let attribute = table.attribute(given);
                    if attribute.role != Role::Quasi {
                        let reason = format!(
                            "its intervals depend on `{}`, which is {}: they would tell it, and k would not count it",
                            attribute.name, attribute.role
                        );
                        return Err(Error::request("--hierarchy", shown, reason)
                            .hint(format!("name `{}` in --quasi, or use another hierarchy", attribute.name)));
                    }
                }
                Ladder::of_intervals(table, bound)
            }
            None => of_own(table, column)?,
        });
    }
    Ok(ladders)
}

/// The levels that were asked for, in the order of the ladders.
pub(crate) fn fixed(table: &Table, request: &PublishRequest, ladders: &[Ladder]) -> Result<Vec<Option<usize>>> {
    let level = |ladder: &Ladder| {
        let name = &table.attribute(ladder.column()).name;
        let level = request.columns.iter().find(|column| column.name == *name).and_then(|column| column.level);
        match level {
            Some(level) if level > ladder.top() => {
                let reason = format!("the column has the levels 0, its values, to {}, which shows `*`", ladder.top());
                Err(Error::request("--level", format!("{name}={level}"), reason))
            }
            level => Ok(level),
        }
    };
    ladders.iter().map(level).collect()
}
