//! Reading what is attacked, and those who are looked for.

use crate::load::{check_there, load_ruled};
use crate::job::ColumnRole;
use scumble_rules::RuleCount;
use crate::source_rules::SourceRules;
use scumble_io::{ColumnPlan, EncodeOptions, RawColumn, RawTable, ReadOptions, Want, detect, encode, read};
use scumble_table::{Error, Kind, Monitor, Result, Role, Table, nearest, quoted_list};

/// Reads some columns of a file; `flag` names them, or the file, in messages.
pub(super) fn columns(
    input: &Input,
    names: &[String],
    flag: &str,
    secret: bool,
    monitor: Monitor<'_>,
) -> Result<RawTable> {
    let wants = |header: &[String]| {
        for name in names {
            if !header.contains(name) {
                let hint = match nearest(name, header.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the columns are {}", quoted_list(header, 30)),
                };
                let reason = match flag {
                    "known" => "there is no such column".to_string(),
                    _ => format!("{} has no such column", input.path.display()),
                };
                return Err(Error::request(flag, name, reason).hint(hint));
            }
        }
        Ok(header.iter().map(|name| if names.contains(name) { Want::Text } else { Want::Skip }).collect())
    };
    let options = ReadOptions::default()
        .format(input.format)
        .delimiter(input.delimiter)
        .nulls(input.nulls.clone())
        .header(wants)
        .secret(|_| secret);
    read(&input.path, &options, monitor)
}

/// Reads the known columns of data. Texts that mean the same value are the same: `1.0` is `1` in a column of numbers. A
/// column that mixes numbers and other texts, as tables of other tools do, is one of labels.
pub(super) fn data(
    input: &Input,
    known: &[String],
    types: &[(String, Kind)],
    monitor: Monitor<'_>,
) -> Result<Table> {
    check_there(input)?;
    check_types(known, types)?;
    let raw = columns(input, known, "known", false, monitor)?;
    let plan = |name: &String| {
        let given = types.iter().find(|(typed, _)| typed == name).map(|(_, kind)| *kind);
        let kind = match (given, raw.names.iter().position(|known| known == name).map(|at| &raw.columns[at])) {
            // Whether labels have an order makes no difference to who is equal.
            (Some(Kind::Ordinal), _) => Kind::Nominal,
            (Some(kind), _) => kind,
            (None, Some(RawColumn::Text { dictionary, .. })) => detect(dictionary),
            (None, _) => Kind::Nominal,
        };
        ColumnPlan { kind: Some(kind), ..ColumnPlan::new(name, Role::Quasi) }
    };
    let plans: Vec<ColumnPlan> = known.iter().map(plan).collect();
    encode(raw, &plans, &EncodeOptions::default())
}

/// Reads the known columns of data as the rules of a job file leave them, and tells what each rule did. Hierarchies of
/// the job do not matter to what rules do.
pub(super) fn ruled(
    input: &Input,
    known: &[String],
    types: &[(String, Kind)],
    rules: &SourceRules,
    monitor: Monitor<'_>,
) -> Result<(Table, Vec<RuleCount>)> {
    check_types(known, types)?;
    let plain = |column: &ColumnRequest| ColumnRequest { hierarchy: None, level: None, ..column.clone() };
    let mut columns: Vec<ColumnRequest> = rules.columns.iter().map(plain).collect();
    for name in known {
        let at = columns.iter().position(|column| column.name == *name).unwrap_or_else(|| {
            columns.push(ColumnRequest::new(name, ColumnRole::Kept));
            columns.len() - 1
        });
        // What the attacker knows is there to be compared, whatever the job would do with it afterwards.
        if matches!(columns[at].role, ColumnRole::Identifying | ColumnRole::Dropped) {
            columns[at].role = ColumnRole::Kept;
        }
        if let Some((_, kind)) = types.iter().find(|(typed, _)| typed == name) {
            columns[at].kind = Some(*kind);
        }
    }
    let loaded = load_ruled(input, &columns, true, &rules.rules, monitor).map_err(|error| match error {
        Error::Request { value, reason, hint, .. } if known.contains(&value) => {
            Error::Request { field: "known".into(), value, reason, hint }
        }
        other => other,
    })?;
    Ok((loaded.table, loaded.rules))
}

fn check_types(known: &[String], types: &[(String, Kind)]) -> Result<()> {
    let Some((name, _)) = types.iter().find(|(name, _)| !known.contains(name)) else { return Ok(()) };
    let hint = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "name it in «known»".into(),
    };
    Err(Error::request("type", name, "no known column has this name").hint(hint))
}
