//! Files of conditional hierarchies, in TOML.
//!
//! ```toml
//! column = "height"
//! common = [[155, 170]]           # up to 155, 156 to 170, above 170; shared by all contexts
//!
//! [[context]]
//! when = { sex = "F" }            # a value, a list of values ("" is a missing one), or { from = 20, to = 29 }
//! levels = [
//!   [152, 155, 158, 161, 170],    # the last value of every interval but the highest, fine levels first
//!   [155, 161, 170],
//! ]
//! ```

use crate::read_small_text;
use crate::{Data, Fault, Value};
use scumble_table::{ConditionalHierarchy, ContextCondition, Cuts, HierarchyContext, Is, Result, did_you_mean};
use std::fmt::Write as _;
use std::path::Path;

/// True if a file of this name is in TOML: a conditional hierarchy or a rule, and not of the form `value;level1;...;*`.
pub fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Reads a conditional hierarchy.
///
/// # Errors
/// If there is no such file, or it has not the form above. Whether it suits a table is found out when it is bound.
pub fn read_conditional(path: &Path) -> Result<ConditionalHierarchy> {
    parse_conditional(&path.display().to_string(), &read_small_text(path)?)
}

/// Reads the text of such a file; `file` stands for it in messages.
///
/// # Errors
/// As [`read_conditional`].
pub fn parse_conditional(file: &str, text: &str) -> Result<ConditionalHierarchy> {
    Value::from_toml(text).and_then(|top| hierarchy(&top)).map_err(|fault| fault.in_file(file))
}

pub(crate) fn hierarchy(top: &Value) -> Result<ConditionalHierarchy, Fault> {
    let top = fields(top, &["column", "common", "context"])?;
    let column = field(top, "column").ok_or_else(|| {
        Fault::new(0, "`column` is missing").hint("say which column is cut, such as `column = \"height\"`")
    })?;
    let name = column.as_text().filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| Fault::new(column.line, "`column` must be the name of a column"))?;
    let common = field(top, "common").map_or(Ok(Vec::new()), |value| levels("common", value))?;
    let contexts = match field(top, "context") {
        None => Vec::new(),
        Some(Value { data: Data::List(items), .. }) => items.iter().map(context).collect::<Result<_, _>>()?,
        Some(other) => return Err(no_context(other)),
    };
    Ok(ConditionalHierarchy { column: name.into(), common, contexts })
}

fn context(value: &Value) -> Result<HierarchyContext, Fault> {
    let wrong = |reason: &str| Fault::new(value.line, reason);
    let table = match &value.data {
        Data::Table(_) => fields(value, &["when", "levels"])?,
        _ => return Err(no_context(value)),
    };
    let when = match field(table, "when").map(|when| &when.data) {
        Some(Data::Table(when)) if !when.is_empty() => when,
        _ => return Err(wrong("a context needs a condition").hint("such as `when = { sex = \"F\" }`")),
    };
    let condition =
        |(column, value): &(String, Value)| Ok(ContextCondition { column: column.clone(), is: is(column, value)? });
    let when = when.iter().map(condition).collect::<Result<_, Fault>>()?;
    let levels = levels("levels", field(table, "levels").ok_or_else(|| wrong("a context needs `levels`"))?)?;
    if levels.is_empty() {
        return Err(wrong("a context needs a level at least"));
    }
    Ok(HierarchyContext { when, levels })
}

fn no_context(value: &Value) -> Fault {
    Fault::new(value.line, "write each context as `[[context]]`")
}

fn is(column: &str, value: &Value) -> Result<Is, Fault> {
    match &value.data {
        Data::List(items) if !items.is_empty() => {
            Ok(Is::OneOf(items.iter().map(|item| cell(column, item)).collect::<Result<_, _>>()?))
        }
        Data::Table(_) => {
            let ends = fields(value, &["from", "to"])?;
            let end = |name| field(ends, name).map(|value| cell(name, value)).transpose();
            match (end("from")?, end("to")?) {
                (None, None) => Err(Fault::new(value.line, format!("`{column}` needs `from` or `to`"))),
                (from, to) => Ok(Is::Between(from, to)),
            }
        }
        _ => Ok(Is::OneOf(vec![cell(column, value)?])),
    }
}

fn levels(name: &str, value: &Value) -> Result<Vec<Cuts>, Fault> {
    let cuts = |level| list(name, level)?.iter().map(|item| cell(name, item)).collect();
    list(name, value)?.iter().map(cuts).collect()
}

fn list<'v>(name: &str, value: &'v Value) -> Result<&'v [Value], Fault> {
    match &value.data {
        Data::List(items) => Ok(items),
        _ => {
            let wanted = format!("`{name}` must be a list of levels, each a list of the last values of its intervals");
            Err(Fault::new(value.line, wanted).hint("such as `[[155, 170], [170]]`"))
        }
    }
}

/// A value as the text that denotes it.
fn cell(name: &str, value: &Value) -> Result<Box<str>, Fault> {
    value.written().map(Box::from).ok_or_else(|| {
        Fault::new(value.line, format!("`{name}` holds something that is no value"))
            .hint("values are numbers, dates, or texts in quotes")
    })
}

/// The entries of a table that has no fields but these.
fn fields<'v>(table: &'v Value, known: &[&str]) -> Result<&'v [(String, Value)], Fault> {
    let entries = table.entries("a table")?;
    let Some((name, value)) = entries.iter().find(|(name, _)| !known.contains(&name.as_str())) else {
        return Ok(entries);
    };
    let hint = did_you_mean(name, known, "the fields are");
    Err(Fault::new(value.line, format!("there is no field `{name}` here")).hint(hint))
}

fn field<'v>(entries: &'v [(String, Value)], name: &str) -> Option<&'v Value> {
    entries.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// The file form of a conditional hierarchy.
pub fn write_conditional(tree: &ConditionalHierarchy) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# Every level lists the last value of each of its intervals but the highest.");
    let _ = writeln!(out, "column = {}", quoted(&tree.column));
    out.push_str("common = ");
    write_levels(&mut out, &tree.common);
    for context in &tree.contexts {
        let when: Vec<String> = context.when.iter().map(condition).collect();
        let _ = write!(out, "\n[[context]]\nwhen = {{ {} }}\nlevels = ", when.join(", "));
        write_levels(&mut out, &context.levels);
    }
    out
}

fn write_levels(out: &mut String, levels: &[Cuts]) {
    out.push_str("[\n");
    for cuts in levels {
        let ends: Vec<String> = cuts.iter().map(|end| bare_or_quoted(end)).collect();
        let _ = writeln!(out, "  [{}],", ends.join(", "));
    }
    out.push_str("]\n");
}

fn condition(condition: &ContextCondition) -> String {
    let is = match &condition.is {
        Is::OneOf(values) if values.len() == 1 => quoted(&values[0]),
        Is::OneOf(values) => {
            format!("[{}]", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", "))
        }
        Is::Between(from, to) => {
            let end = |name: &str, end: &Option<Box<str>>| {
                end.as_ref().map(|end| format!("{name} = {}", bare_or_quoted(end)))
            };
            let ends: Vec<String> = [end("from", from), end("to", to)].into_iter().flatten().collect();
            format!("{{ {} }}", ends.join(", "))
        }
    };
    format!("{} = {is}", quoted(&condition.column))
}

/// Whole numbers stand bare, all other values in quotes, so that no reader rounds them.
fn bare_or_quoted(text: &str) -> String {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let whole = !digits.is_empty() && digits.len() < 18 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let leading = digits.len() > 1 && digits.starts_with('0');
    if whole && !leading && text != "-0" { text.into() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.into()).to_string()
}

#[cfg(test)]
mod tests;
