//! Missing values that the publisher says are nothing to requirements of diversity and closeness.

use crate::job::Plan;
use crate::level_trees::same_persons;
use scumble_release::MissingColumn;
use scumble_table::{Attribute, Missing, Monitor, NULL, Partition, Result, Role, Schema, Table};

/// The table with what its plan says of missing values; nothing where it says nothing.
pub(crate) fn marked(table: &Table, plan: &Plan) -> Result<Option<Table>> {
    let ignored = |attribute: &Attribute| {
        attribute.role == Role::Sensitive
            && plan.column(&attribute.name).and_then(|column| column.missing) == Some(Missing::Ignore)
    };
    let attributes = table.schema().attributes();
    if !attributes.iter().any(ignored) {
        return Ok(None);
    }
    let marked = attributes.iter().map(|attribute| match ignored(attribute) {
        true => Attribute { domain: attribute.domain.clone().with_missing(Missing::Ignore), ..attribute.clone() },
        false => attribute.clone(),
    });
    let schema = Schema::new(marked.collect())?;
    let columns = (0..attributes.len()).map(|at| table.column(at).clone()).collect();
    same_persons(table, Table::new(schema, columns, table.n_rows())?).map(Some)
}

/// The columns whose missing values are ignored, with how many of the published rows have none, for the manifest; and the publisher
/// hears what that gives away.
pub(crate) fn ignored(table: &Table, partition: Option<&Partition>, monitor: Monitor<'_>) -> Vec<MissingColumn> {
    let mut found = Vec::new();
    for column in table.schema().of_role(Role::Sensitive) {
        let attribute = table.attribute(column);
        let Some(partition) = partition.filter(|_| attribute.domain.missing() == Missing::Ignore) else { continue };
        let codes = table.column(column);
        let missing = partition.rows().iter().filter(|&&row| codes.get(row as usize) == NULL).count();
        if missing > 0 {
            monitor.warn(&format!(
                "{missing} of {} rows have no value of `{}`, and requirements do not count them: that somebody has none may be learnt",
                partition.rows().len(),
                attribute.name
            ));
        }
        found.push(MissingColumn { column: attribute.name.clone(), ignored: missing as u64 });
    }
    found
}
