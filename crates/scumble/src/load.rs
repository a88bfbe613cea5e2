//! From a request to a coded table: roles settled on the header, files read, columns encoded.

use crate::observer::{Observer, Reading};
use crate::request::{ColumnRequest, ColumnRole, Input, PublishRequest};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use scumble_io::{
    ColumnPlan, EncodeOptions, Order, RawTable, ReadOptions, Want, encode, is_conditional, read, read_hierarchy,
    read_order,
};
use scumble_release::{Extent, PublishedColumn};
use scumble_table::{Error, Kind, Result, Role, Table, nearest, quoted_list};
use std::sync::Arc;

/// Reads and encodes the columns that are to be published.
pub(crate) fn load(
    input: &Input,
    columns: &[ColumnRequest],
    drop_rest: bool,
    observer: &dyn Observer,
) -> Result<Table> {
    // Small files first: a bad hierarchy should not cost a long read.
    let plans = plans(columns)?;
    check_there(input)?;
    let raw = read(&input.path, &options(input, columns, drop_rest), &Reading(observer))?;
    encode(raw, &plans, &EncodeOptions::default())
}

/// Reads the columns that are planned and no others. What they hold is known to suit the plans, so no value is shown.
pub(crate) fn load_planned(input: &Input, plans: &[ColumnPlan], observer: &dyn Observer) -> Result<Table> {
    let planned = |name: &str| plans.iter().any(|plan| plan.name == name);
    let options = ReadOptions::default()
        .format(input.format)
        .delimiter(input.delimiter)
        .nulls(input.nulls.clone())
        .columns(|name| if planned(name) { Want::Text } else { Want::Skip })
        .secret(|_| true);
    let raw = read(&input.path, &options, &Reading(observer))?;
    encode(raw, plans, &EncodeOptions::default())
}

/// How a column of the source is to be read: as the release says.
pub(crate) fn plan_as(column: &PublishedColumn) -> ColumnPlan {
    let file = format!("the hierarchy of `{}`", column.name());
    let order = match column.extent() {
        Extent::Labels(labels) if column.kind() == Kind::Ordinal => {
            Some(Order { file: "manifest.json".into(), labels: labels.clone() })
        }
        _ => None,
    };
    ColumnPlan {
        kind: Some(column.kind()),
        order,
        hierarchy: column.hierarchy().map(|tree| (file, tree.clone())),
        ..ColumnPlan::new(column.name(), column.role())
    }
}

/// As [`load`], from Arrow record batches.
pub(crate) fn load_batches(
    schema: &Schema,
    batches: impl IntoIterator<Item = RecordBatch>,
    request: &PublishRequest,
    observer: &dyn Observer,
) -> Result<Table> {
    let plans = plans(&request.columns)?;
    let options = options(&request.input, &request.columns, request.drop_rest);
    let raw = RawTable::from_batches(schema, batches, "record batches", &options, &Reading(observer))?;
    encode(raw, &plans, &EncodeOptions::default())
}

/// A file that is not there is a slip of the request, not of the machine.
pub(crate) fn check_there(input: &Input) -> Result<()> {
    if input.path.as_os_str() != "-" && !input.path.exists() {
        return Err(Error::request("DATA", input.path.display().to_string(), "there is no such file"));
    }
    Ok(())
}

fn options<'a>(input: &Input, columns: &'a [ColumnRequest], drop_rest: bool) -> ReadOptions<'a> {
    ReadOptions::default()
        .format(input.format)
        .delimiter(input.delimiter)
        .nulls(input.nulls.clone())
        .header(move |names| wants(names, columns, drop_rest))
        .secret(|name| columns.iter().any(|column| column.name == name && is_secret(column.role)))
}

fn is_secret(role: ColumnRole) -> bool {
    matches!(role, ColumnRole::Sensitive | ColumnRole::Identifying)
}

/// What to read of a header. Every column must have a role, unless the rest is dropped.
fn wants(names: &[String], columns: &[ColumnRequest], drop_rest: bool) -> Result<Vec<Want>> {
    for column in columns {
        if !names.contains(&column.name) {
            let hint = match nearest(&column.name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the columns are {}", quoted_list(names, 30)),
            };
            return Err(Error::request(column.role.flag(), &column.name, "there is no such column").hint(hint));
        }
    }
    let rest: Vec<&String> = names.iter().filter(|name| !columns.iter().any(|c| c.name == **name)).collect();
    if !rest.is_empty() && !drop_rest {
        return Err(Error::request("columns", "", format!("no role is given for {}", quoted_list(&rest, 30)))
            .hint("name each in --quasi, --sensitive, --identifying or --keep, or drop them all with --drop-rest"));
    }
    let role = |name: &String| columns.iter().find(|c| c.name == *name).and_then(|c| published_role(c.role));
    Ok(names.iter().map(|name| if role(name).is_some() { Want::Text } else { Want::Skip }).collect())
}

fn published_role(role: ColumnRole) -> Option<Role> {
    match role {
        ColumnRole::Quasi => Some(Role::Quasi),
        ColumnRole::Sensitive => Some(Role::Sensitive),
        ColumnRole::Kept => Some(Role::Kept),
        ColumnRole::Identifying | ColumnRole::Dropped => None,
    }
}

fn plans(columns: &[ColumnRequest]) -> Result<Vec<ColumnPlan>> {
    let mut plans = Vec::new();
    for column in columns {
        let Some(role) = published_role(column.role) else {
            if let Some(extra) = column.hierarchy.as_ref().or(column.order.as_ref()) {
                return Err(Error::request(
                    "--hierarchy",
                    extra.display().to_string(),
                    format!("the column `{}` is not published", column.name),
                ));
            }
            continue;
        };
        let hierarchy = match &column.hierarchy {
            // Levels that depend on other columns are no tree over this one.
            Some(path) if is_conditional(path) => None,
            Some(path) => Some((path.display().to_string(), Arc::new(read_hierarchy(path)?))),
            None => None,
        };
        let order = column.order.as_ref().map(|path| read_order(path)).transpose()?;
        plans.push(ColumnPlan { name: column.name.clone(), role, kind: column.kind, order, hierarchy });
    }
    Ok(plans)
}
