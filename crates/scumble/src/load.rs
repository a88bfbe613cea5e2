//! From a request to a coded table: roles settled on the header, files read, columns encoded.

use crate::observer::{Observer, Reading};
use crate::request::{ColumnRequest, ColumnRole, Input, PublishRequest};
use crate::rules::{Column, RuleCount, Rules, SourceRules, apply};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use scumble_io::{
    ColumnPlan, EncodeOptions, Order, RawTable, ReadOptions, Want, encode, is_conditional, read, read_conditional,
    read_hierarchy, read_order,
};
use scumble_release::{Extent, PublishedColumn};
use scumble_table::{Error, Kind, Result, Role, Table, nearest, quoted_list};
use std::sync::Arc;

/// A table as the rules left it.
pub(crate) struct Loaded {
    pub(crate) table: Table,
    /// What each rule did.
    pub(crate) rules: Vec<RuleCount>,
}

/// Reads and encodes the columns that are to be published.
pub(crate) fn load(
    input: &Input,
    columns: &[ColumnRequest],
    drop_rest: bool,
    observer: &dyn Observer,
) -> Result<Table> {
    load_ruled(input, columns, drop_rest, &Rules::default(), observer).map(|loaded| loaded.table)
}

/// As [`load`], and applies rules before anybody else sees the table.
pub(crate) fn load_ruled(
    input: &Input,
    columns: &[ColumnRequest],
    drop_rest: bool,
    rules: &Rules,
    observer: &dyn Observer,
) -> Result<Loaded> {
    // Small files first: a bad hierarchy should not cost a long read.
    let plans = plans(columns, rules)?;
    check_there(input)?;
    let raw = read(&input.path, &options(input, columns, drop_rest, rules), &Reading(observer))?;
    ruled(raw, &plans, rules, &input.nulls, observer)
}

/// Encodes the planned columns and applies the rules.
fn ruled(raw: RawTable, plans: &[Plan], rules: &Rules, nulls: &[String], observer: &dyn Observer) -> Result<Loaded> {
    let aside = |name: &str| plans.iter().any(|plan| plan.aside && plan.column.name == name);
    let wanted: Vec<ColumnPlan> = plans.iter().map(|plan| plan.column.clone()).collect();
    let table = encode(raw, &wanted, &EncodeOptions::default().secret(aside))?;
    let columns = plans.iter().map(|plan| Column { order: plan.column.order.as_ref(), nulls, aside: plan.aside });
    let (table, rules) = apply(rules, table, &columns.collect::<Vec<_>>())?;
    for rule in rules.iter().filter(|rule| rule.matched == 0) {
        observer.warn(&format!("no record met the condition of rule `{}` when its turn came", rule.name));
    }
    Ok(Loaded { table, rules })
}

/// Reads the columns that are planned and no others, of the release that `published` belongs to, as its rules left
/// them. What they hold is known to suit the plans, so no value is shown.
pub(crate) fn load_planned(
    input: &Input,
    plans: &[ColumnPlan],
    rules: Option<(&SourceRules, &[PublishedColumn])>,
    observer: &dyn Observer,
) -> Result<Table> {
    if let Some((rules, published)) = rules {
        let raw = rules.read(input, published, observer)?;
        return encode(raw, plans, &EncodeOptions::default().secret(|_| true));
    }
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
        Extent::Labels(labels) if column.kind() == Kind::Ordinal && !column.is_numbered() => {
            Some(Order { file: "manifest.json".into(), labels: labels.clone() })
        }
        _ => None,
    };
    ColumnPlan {
        kind: Some(column.kind()),
        order,
        hierarchy: column.hierarchy().filter(|_| column.coarse().is_none()).map(|tree| (file, tree.clone())),
        ..ColumnPlan::new(column.name(), column.role())
    }
}

/// As [`load_ruled`], from Arrow record batches.
pub(crate) fn load_batches(
    schema: &Schema,
    batches: impl IntoIterator<Item = RecordBatch>,
    request: &PublishRequest,
    observer: &dyn Observer,
) -> Result<Loaded> {
    let plans = plans(&request.columns, &request.rules)?;
    let options = options(&request.input, &request.columns, request.drop_rest, &request.rules);
    let raw = RawTable::from_batches(schema, batches, "record batches", &options, &Reading(observer))?;
    ruled(raw, &plans, &request.rules, &request.input.nulls, observer)
}

/// A file that is not there is a slip of the request, not of the machine.
pub(crate) fn check_there(input: &Input) -> Result<()> {
    if input.path.as_os_str() != "-" && !input.path.exists() {
        return Err(Error::request("DATA", input.path.display().to_string(), "there is no such file"));
    }
    Ok(())
}

fn options<'a>(input: &Input, columns: &'a [ColumnRequest], drop_rest: bool, rules: &'a Rules) -> ReadOptions<'a> {
    ReadOptions::default()
        .format(input.format)
        .delimiter(input.delimiter)
        .nulls(input.nulls.clone())
        .header(move |names| wants(names, columns, drop_rest, rules))
        .secret(|name| match columns.iter().find(|column| column.name == name) {
            Some(column) => is_secret(column.role),
            // Of a column without a role nobody knows what it tells.
            None => true,
        })
}

fn is_secret(role: ColumnRole) -> bool {
    matches!(role, ColumnRole::Sensitive | ColumnRole::Identifying | ColumnRole::Dropped)
}

/// What to read of a header. Every column must have a role, unless the rest is dropped. What is not published is read
/// only if a rule asks about it.
fn wants(names: &[String], columns: &[ColumnRequest], drop_rest: bool, rules: &Rules) -> Result<Vec<Want>> {
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
    let role = |name: &str| columns.iter().find(|c| c.name == name).and_then(|c| published_role(c.role));
    rules.check_columns(names, |name| role(name).is_some())?;
    let wanted = |name: &String| role(name).is_some() || rules.ask_about(name);
    Ok(names.iter().map(|name| if wanted(name) { Want::Text } else { Want::Skip }).collect())
}

fn published_role(role: ColumnRole) -> Option<Role> {
    match role {
        ColumnRole::Quasi => Some(Role::Quasi),
        ColumnRole::Sensitive => Some(Role::Sensitive),
        ColumnRole::Kept => Some(Role::Kept),
        ColumnRole::Identifying | ColumnRole::Dropped => None,
    }
}

/// A column to be encoded.
struct Plan {
    column: ColumnPlan,
    /// For the rules alone: it is let go before anything else happens.
    aside: bool,
}

/// The columns that are published, then those that only conditions of rules ask about.
fn plans(columns: &[ColumnRequest], rules: &Rules) -> Result<Vec<Plan>> {
    let (mut plans, mut aside) = (Vec::new(), Vec::new());
    for column in columns {
        let role = published_role(column.role);
        let asked = role.is_none() && rules.ask_about(&column.name);
        let unused = if asked { None } else { column.order.as_ref() };
        if let (None, Some(extra)) = (role, column.hierarchy.as_ref().or(unused)) {
            return Err(Error::request(
                "--hierarchy",
                extra.display().to_string(),
                format!("the column `{}` is not published", column.name),
            ));
        }
        if role.is_none() && !asked {
            continue;
        }
        let hierarchy = match &column.hierarchy {
            // Levels that depend on other columns are no tree over this one; they are bound when groups are sought.
            Some(path) if is_conditional(path) => read_conditional(path).map(|_| None)?,
            Some(path) => Some((path.display().to_string(), Arc::new(read_hierarchy(path)?))),
            None => None,
        };
        let order = column.order.as_ref().map(|path| read_order(path)).transpose()?;
        let (name, kind) = (column.name.clone(), column.kind);
        // A role stands in for none: the column is gone before roles matter.
        let plan = ColumnPlan { name, role: role.unwrap_or(Role::Kept), kind, order, hierarchy };
        if asked { &mut aside } else { &mut plans }.push(Plan { column: plan, aside: asked });
    }
    let known = |name: &str| columns.iter().any(|column| column.name == name);
    let rest = rules.asked().into_iter().filter(|name| !known(name));
    aside.extend(rest.map(|name| Plan { column: ColumnPlan::new(name, Role::Kept), aside: true }));
    plans.extend(aside);
    Ok(plans)
}
