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

use crate::document::line_of;
use crate::record::read_small;
use scumble_table::{ConditionalHierarchy, ContextCondition, Cuts, Error, HierarchyContext, Is, Result, nearest};
use std::fmt::Write as _;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// True if a file of this name holds a conditional hierarchy and not one of the form `value;level1;...;*`.
pub fn is_conditional(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Reads a conditional hierarchy.
///
/// # Errors
/// If there is no such file, or it has not the form above. Whether it suits a table is found out when it is bound.
pub fn read_conditional(path: &Path) -> Result<ConditionalHierarchy> {
    let file = path.display().to_string();
    let text = String::from_utf8(read_small(path)?).map_err(|_| Error::data(&file, "the text is not UTF-8"))?;
    parse_conditional(&file, &text)
}

/// Reads the text of such a file; `file` stands for it in messages.
///
/// # Errors
/// As [`read_conditional`].
pub fn parse_conditional(file: &str, text: &str) -> Result<ConditionalHierarchy> {
    let document = DeTable::parse(text).map_err(|error| {
        let line = error.span().map(|span| line_of(text, span.start));
        let reason = error.message().lines().next().unwrap_or("this is not TOML").to_string();
        Error::data(file, reason).at(line, None)
    })?;
    Reader { file, text }.hierarchy(document.get_ref())
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl Reader<'_> {
    fn wrong(&self, at: usize, reason: impl Into<String>) -> Error {
        Error::data(self.file, reason).at(Some(line_of(self.text, at)), None)
    }

    fn hierarchy(&self, top: &DeTable<'_>) -> Result<ConditionalHierarchy> {
        self.only(top, &["column", "common", "context"])?;
        let column = match field(top, "column").map(|value| (value, value.get_ref().as_str())) {
            Some((_, Some(name))) if !name.is_empty() => name.to_string(),
            Some((value, _)) => return Err(self.wrong(value.span().start, "`column` must be the name of a column")),
            None => {
                return Err(Error::data(self.file, "`column` is missing")
                    .hint("say which column is cut, such as `column = \"height\"`"));
            }
        };
        let common = field(top, "common").map_or(Ok(Vec::new()), |value| self.levels("common", value))?;
        let mut contexts = Vec::new();
        if let Some(list) = field(top, "context") {
            let items = list.get_ref().as_array();
            let items = items.ok_or_else(|| self.wrong(list.span().start, "write each context as `[[context]]`"))?;
            for item in items {
                contexts.push(self.context(item)?);
            }
        }
        Ok(ConditionalHierarchy { column, common, contexts })
    }

    fn context(&self, value: &Value<'_>) -> Result<HierarchyContext> {
        let at = value.span().start;
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(at, "write each context as `[[context]]`"))?;
        self.only(table, &["when", "levels"])?;
        let when = field(table, "when").and_then(|when| when.get_ref().as_table()).filter(|when| !when.is_empty());
        let when =
            when.ok_or_else(|| self.wrong(at, "a context needs a condition").hint("such as `when = { sex = \"F\" }`"))?;
        let mut conditions: Vec<(usize, ContextCondition)> = Vec::new();
        for (key, value) in when {
            let is = self.is(key.get_ref(), value)?;
            conditions.push((key.span().start, ContextCondition { column: key.get_ref().to_string(), is }));
        }
        conditions.sort_by_key(|(at, _)| *at);
        let levels = field(table, "levels").ok_or_else(|| self.wrong(at, "a context needs `levels`"))?;
        let levels = self.levels("levels", levels)?;
        if levels.is_empty() {
            return Err(self.wrong(at, "a context needs a level at least"));
        }
        Ok(HierarchyContext { when: conditions.into_iter().map(|(_, condition)| condition).collect(), levels })
    }

    fn is(&self, column: &str, value: &Value<'_>) -> Result<Is> {
        match value.get_ref() {
            DeValue::Array(items) if !items.is_empty() => {
                Ok(Is::OneOf(items.iter().map(|item| self.value(column, item)).collect::<Result<_>>()?))
            }
            DeValue::Table(ends) => {
                self.only(ends, &["from", "to"])?;
                let end = |name| field(ends, name).map(|value| self.value(name, value)).transpose();
                let (from, to) = (end("from")?, end("to")?);
                if from.is_none() && to.is_none() {
                    return Err(self.wrong(value.span().start, format!("`{column}` needs `from` or `to`")));
                }
                Ok(Is::Between(from, to))
            }
            _ => Ok(Is::OneOf(vec![self.value(column, value)?])),
        }
    }

    fn levels(&self, name: &str, value: &Value<'_>) -> Result<Vec<Cuts>> {
        let mut levels = Vec::new();
        for level in self.list(name, value)? {
            let cuts = self.list(name, level)?.iter().map(|item| self.value(name, item));
            levels.push(cuts.collect::<Result<Cuts>>()?);
        }
        Ok(levels)
    }

    fn list<'v, 'i>(&self, name: &str, value: &'v Value<'i>) -> Result<&'v DeArray<'i>> {
        value.get_ref().as_array().ok_or_else(|| {
            let wanted = format!("`{name}` must be a list of levels, each a list of the last values of its intervals");
            self.wrong(value.span().start, wanted).hint("such as `[[155, 170], [170]]`")
        })
    }

    /// A value as the text that denotes it.
    fn value(&self, name: &str, value: &Value<'_>) -> Result<Box<str>> {
        match value.get_ref() {
            DeValue::String(text) => Ok((&**text).into()),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().into()),
            DeValue::Float(number) => Ok(number.as_str().into()),
            DeValue::Datetime(date) => Ok(date.to_string().into()),
            _ => Err(self
                .wrong(value.span().start, format!("`{name}` holds something that is no value"))
                .hint("values are numbers, dates, or texts in quotes")),
        }
    }

    fn only(&self, table: &DeTable<'_>, known: &[&str]) -> Result<()> {
        let other = table.keys().filter(|key| !known.contains(&&**key.get_ref())).min_by_key(|key| key.span().start);
        let Some(key) = other else { return Ok(()) };
        let error = self.wrong(key.span().start, format!("there is no field `{}` here", key.get_ref()));
        Err(match nearest(key.get_ref(), known.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("the fields are {}", known.join(", "))),
        })
    }
}

fn field<'a, 'i>(table: &'a DeTable<'i>, name: &str) -> Option<&'a Value<'i>> {
    table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
}

/// The file form of a conditional hierarchy.
pub fn write_conditional(tree: &ConditionalHierarchy) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# Every level lists the last value of each of its intervals but the highest.");
    let _ = writeln!(out, "column = {}", quoted(&tree.column));
    out.push_str("common = ");
    levels(&mut out, &tree.common);
    for context in &tree.contexts {
        let when: Vec<String> = context.when.iter().map(condition).collect();
        let _ = write!(out, "\n[[context]]\nwhen = {{ {} }}\nlevels = ", when.join(", "));
        levels(&mut out, &context.levels);
    }
    out
}

fn levels(out: &mut String, levels: &[Cuts]) {
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
