//! The section `[rules]` of a job file.
//!
//! ```toml
//! [rules]
//! minors = { when = "age < 18", delete = true }
//! tall   = { when = "age <= 12 and height > 160", top_code = { height = 160 } }
//! birth  = { generalize = { birth = "year" } }
//! ```

use crate::{Condition, Rule, RuleAction, Rules, condition, error};
use scumble_io::{Data, Fault, Value, field_name, unknown_field};
use scumble_table::Result;

const FIELDS: [&str; 6] = ["when", "delete", "blank", "top_code", "bottom_code", "generalize"];

impl Rules {
    /// Reads the section; `file` stands for its file in messages.
    ///
    /// # Errors
    /// If it has another form, or a condition cannot be read.
    pub fn from_value(file: &str, value: &Value) -> Result<Rules> {
        let fault = |fault: Fault| fault.in_file(file);
        let entries = value.entries("a section of rules").map_err(fault)?;
        let rules = entries.iter().map(|(name, value)| read(file, name, value)).collect::<Result<_>>()?;
        Ok(Rules { file: file.to_string(), rules })
    }

    /// The section; `None` if there are no rules.
    pub fn to_value(&self) -> Option<Value> {
        let rules = self.rules.iter().map(|rule| (rule.name.clone(), written(rule)));
        (!self.is_empty()).then(|| Data::Table(rules.collect()).into())
    }
}

fn read(file: &str, name: &str, value: &Value) -> Result<Rule> {
    let (when, actions, when_line) = fields(name, value).map_err(|fault| fault.in_file(file))?;
    let lines = (value.line > 0).then_some((value.line, when_line));
    let when = when.map(Condition::parse).transpose().map_err(|fault| {
        error(file, name, lines, condition::Fault { at: fault.at.or(Some(condition::CharPosition(1))), ..fault })
    })?;
    Ok(Rule { name: name.to_string(), when, actions, lines })
}

/// The condition, the actions and the line of the condition.
fn fields<'v>(name: &str, value: &'v Value) -> Result<(Option<&'v str>, Vec<RuleAction>, u64), Fault> {
    let form = "a rule such as `{ when = \"age < 18\", delete = true }`";
    let entries = value.entries(form).map_err(|fault| fault.about(name))?;
    let unknown = entries.iter().find(|(key, _)| !FIELDS.contains(&field_name(key).as_str()));
    if let Some((key, value)) = unknown {
        return Err(unknown_field(value.line, "field", key, name, &FIELDS));
    }
    let field = |wanted: &str| entries.iter().find(|(key, _)| field_name(key) == wanted).map(|(_, value)| value);
    let when =
        field("when").map(|when| when.as_text().ok_or_else(|| when.wrong("a string").about("when"))).transpose()?;
    let mut actions = Vec::new();
    match field("delete").map(|delete| (&delete.data, delete)) {
        Some((Data::Bool(true), _)) => actions.push(RuleAction::Delete),
        Some((Data::Bool(false), _)) | None => {}
        Some((_, other)) => return Err(other.wrong("`true` or `false`").about("delete")),
    }
    let blanks =
        field("blank").map(Value::texts).transpose().map_err(|fault| fault.about("blank"))?.unwrap_or_default();
    actions.extend(blanks.into_iter().map(|column| RuleAction::Blank { column }));
    let bounds = "a table of columns and bounds, such as `{ height = 160 }`";
    let steps = "a table of columns and steps, such as `{ age = 5, birth = \"year\" }`";
    for (column, bound) in pairs("top_code", field("top_code"), bounds)? {
        actions.push(RuleAction::TopCode { column, bound });
    }
    for (column, bound) in pairs("bottom_code", field("bottom_code"), bounds)? {
        actions.push(RuleAction::BottomCode { column, bound });
    }
    for (column, to) in pairs("generalize", field("generalize"), steps)? {
        actions.push(RuleAction::Generalize { column, to });
    }
    if actions.is_empty() {
        return Err(Fault::new(value.line, format!("rule `{name}` does nothing"))
            .hint("give it `delete`, `blank`, `top_code`, `bottom_code` or `generalize`"));
    }
    Ok((when, actions, field("when").map_or(value.line, |when| when.line)))
}

/// Columns with one value each, as they are written.
fn pairs(name: &str, value: Option<&Value>, wanted: &str) -> Result<Vec<(String, String)>, Fault> {
    let pair = |(column, value): &(String, Value)| {
        let text = value.written().ok_or_else(|| value.wrong("a decimal number, a date or a string").about(column))?;
        Ok((column.clone(), text.to_string()))
    };
    let entries = value.map_or(Ok(&[][..]), |value| value.entries(wanted));
    entries.map_err(|fault| fault.about(name))?.iter().map(pair).collect()
}

fn written(rule: &Rule) -> Value {
    let mut entries: Vec<(String, Value)> = Vec::new();
    entries.extend(rule.when.as_ref().map(|when| ("when".into(), Value::text(when.to_string()))));
    for action in &rule.actions {
        let name = action.name();
        match action {
            RuleAction::Delete => entries.push((name.into(), Data::Bool(true).into())),
            RuleAction::Blank { column } => match entries.iter_mut().find(|(known, _)| known == name) {
                Some((_, Value { data: Data::List(columns), .. })) => columns.push(Value::text(column)),
                _ => entries.push((name.into(), Value::list([Value::text(column)]))),
            },
            RuleAction::TopCode { column, bound: text }
            | RuleAction::BottomCode { column, bound: text }
            | RuleAction::Generalize { column, to: text } => {
                let pair = (column.clone(), Value::text(text));
                match entries.iter_mut().find(|(known, _)| known == name) {
                    Some((_, Value { data: Data::Table(pairs), .. })) => pairs.push(pair),
                    _ => entries.push((name.into(), Data::Table(vec![pair]).into())),
                }
            }
        }
    }
    Data::Table(entries).into()
}
