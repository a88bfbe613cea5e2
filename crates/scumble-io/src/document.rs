//! Values of job files and of whatever else states options: a tree with the line of every value.
//!
//! TOML, JSON and flags all become a [`Value`], so that there is one reader of options and one kind of fault.

use scumble_table::{Error, Result, did_you_mean};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its place.
#[derive(Debug, Clone)]
pub struct Value {
    /// Line of the file, from 1; 0 where there is none.
    pub line: u64,
    /// What it is.
    pub data: Data,
}

/// What a value is. Numbers are held as they are written, so that none loses a digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// A string.
    Text(String),
    /// A whole number in decimal digits.
    Integer(String),
    /// A decimal number.
    Decimal(String),
    /// A day.
    Date(String),
    /// True or false.
    Bool(bool),
    /// A list.
    List(Vec<Value>),
    /// Names with values, in the order of the file.
    Table(Vec<(String, Value)>),
}

impl PartialEq for Value {
    /// Equal values may stand on different lines.
    fn eq(&self, other: &Value) -> bool {
        self.data == other.data
    }
}

impl Eq for Value {}

impl From<Data> for Value {
    fn from(data: Data) -> Self {
        Value { line: 0, data }
    }
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its line; 0 where there is none.
    pub line: u64,
    /// What is wrong.
    pub reason: String,
    /// What would be accepted; empty where the reason says it.
    pub hint: String,
}

impl Fault {
    /// A fault without a hint.
    pub fn new(line: u64, reason: impl Into<String>) -> Self {
        Fault { line, reason: reason.into(), hint: String::new() }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The same fault, with the name of the value in its reason.
    #[must_use]
    pub fn about(mut self, name: &str) -> Self {
        self.reason = self.reason.replacen("this must", &format!("`{name}` must"), 1);
        self
    }

    /// As a fault of a file.
    pub fn in_file(self, file: &str) -> Error {
        let error = Error::data(file, self.reason).at((self.line > 0).then_some(self.line), None);
        if self.hint.is_empty() { error } else { error.hint(self.hint) }
    }

    /// As a fault of a request.
    pub fn in_field(self, field: &str, value: &str) -> Error {
        let error = Error::request(field, value, self.reason);
        if self.hint.is_empty() { error } else { error.hint(self.hint) }
    }
}

impl Value {
    /// A string.
    pub fn text(text: impl Into<String>) -> Value {
        Data::Text(text.into()).into()
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
        Data::List(items.into_iter().collect()).into()
    }

    /// A whole number.
    pub fn integer(number: u64) -> Value {
        Data::Integer(number.to_string()).into()
    }

    /// Reads a TOML text.
    ///
    /// # Errors
    /// Where it is no TOML.
    pub fn from_toml(text: &str) -> Result<Value, Fault> {
        let lines = LineEnds::new(text);
        let document = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(0, |span| lines.line(span.start));
            Fault::new(line, error.message().lines().next().unwrap_or("this is not TOML"))
        })?;
        table(&lines, document.get_ref(), 0)
    }

    /// A table of sections as a TOML text: every entry of a section on a line of its own, in the order of the table. Serde
    /// would move tables behind all other entries, and the order of columns is part of what a job says.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        for (section, value) in self.entries("sections").unwrap_or_default() {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}[{}]\n", toml_key(section)));
            for (key, value) in value.entries("a section").unwrap_or_default() {
                text.push_str(&format!("{} = ", toml_key(key)));
                // Every value has a form in TOML.
                let _ = value.serialize(toml::ser::ValueSerializer::new(&mut text));
                text.push('\n');
            }
        }
        text
    }

    /// The fault of a value that is not what is wanted.
    pub fn wrong(&self, wanted: &str) -> Fault {
        let found = match &self.data {
            Data::Text(_) => "a string",
            Data::Integer(_) => "an integer",
            Data::Decimal(_) => "a float",
            Data::Date(_) => "a date",
            Data::Bool(_) => "a boolean",
            Data::List(_) => "an array",
            Data::Table(_) => "a table",
        };
        Fault::new(self.line, format!("this must be {wanted}, not {found}"))
    }

    /// The string; `None` for all else.
    pub fn as_text(&self) -> Option<&str> {
        if let Data::Text(text) = &self.data { Some(text) } else { None }
    }

    /// A string, number or date as it is written.
    pub fn written(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) | Data::Integer(text) | Data::Decimal(text) | Data::Date(text) => Some(text),
            Data::Bool(_) | Data::List(_) | Data::Table(_) => None,
        }
    }

    /// The entries of a table.
    ///
    /// # Errors
    /// If it is none; `wanted` says what it should be.
    pub fn entries(&self, wanted: &str) -> Result<&[(String, Value)], Fault> {
        if let Data::Table(entries) = &self.data { Ok(entries) } else { Err(self.wrong(wanted)) }
    }

    /// The strings of a list, or a string alone.
    ///
    /// # Errors
    /// If it is neither.
    pub fn texts(&self) -> Result<Vec<String>, Fault> {
        let one = |value: &Value| {
            value.as_text().map(String::from).ok_or_else(|| value.wrong("a string or a list of strings"))
        };
        match &self.data {
            Data::List(items) => items.iter().map(one).collect(),
            _ => Ok(vec![one(self)?]),
        }
    }
}

/// The name of a field as we write it: `max-suppressed` is the same field as `max_suppressed`.
pub fn field_name(key: &str) -> String {
    key.replace('-', "_")
}

/// The fault of a name that is not among those known.
pub fn unknown_field(line: u64, what: &str, name: &str, section: &str, known: &[&str]) -> Fault {
    let place = if section.is_empty() { String::new() } else { format!(" in `{section}`") };
    let hint = did_you_mean(name, known, &format!("the {what}s are"));
    Fault::new(line, format!("there is no {what} `{name}`{place}")).hint(hint)
}

/// A key as TOML writes it: bare where it can be, else quoted on one line.
fn toml_key(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !key.is_empty() && key.chars().all(bare) {
        return key.to_string();
    }
    let mut quoted = String::from("\"");
    for c in key.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Where the lines of a text end.
struct LineEnds(Vec<usize>);

impl LineEnds {
    fn new(text: &str) -> Self {
        LineEnds(memchr::memchr_iter(b'\n', text.as_bytes()).collect())
    }

    /// The line of a byte of the text, from 1.
    fn line(&self, at: usize) -> u64 {
        self.0.partition_point(|&end| end < at) as u64 + 1
    }
}

fn table(lines: &LineEnds, table: &DeTable<'_>, start: usize) -> Result<Value, Fault> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let entries = entries.into_iter().map(|(key, value)| {
        let mut value = read(lines, value)?;
        if matches!(value.data, Data::Table(_)) {
            value.line = lines.line(key.span().start);
        }
        Ok((key.get_ref().to_string(), value))
    });
    Ok(Value { line: lines.line(start), data: Data::Table(entries.collect::<Result<_, Fault>>()?) })
}

fn read(lines: &LineEnds, value: &Spanned<DeValue<'_>>) -> Result<Value, Fault> {
    let line = lines.line(value.span().start);
    let data = match value.get_ref() {
        DeValue::String(text) => Data::Text(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Data::Integer(number.as_str().to_string()),
        DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Data::Integer(number.to_string()),
            Err(_) => return Err(Fault::new(line, "this number has too many digits")),
        },
        DeValue::Float(number) => Data::Decimal(number.as_str().to_string()),
        DeValue::Boolean(is) => Data::Bool(*is),
        DeValue::Datetime(date) if date.time.is_none() && date.offset.is_none() => Data::Date(date.to_string()),
        DeValue::Datetime(_) => return Err(Fault::new(line, "a time of day has no meaning here")),
        DeValue::Array(items) => Data::List(items.iter().map(|item| read(lines, item)).collect::<Result<_, Fault>>()?),
        DeValue::Table(inner) => return table(lines, inner, value.span().start),
    };
    Ok(Value { line, data })
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.data {
            Data::Text(text) | Data::Date(text) => serializer.serialize_str(text),
            Data::Integer(digits) => match (digits.parse::<u64>(), digits.parse::<i64>()) {
                (Ok(number), _) => serializer.serialize_u64(number),
                (_, Ok(number)) => serializer.serialize_i64(number),
                _ => serializer.serialize_str(digits),
            },
            // A number that has no exact float of the same digits is written as a string, which reads as the same number.
            Data::Decimal(digits) => match digits.parse::<f64>() {
                Ok(number) if number.to_string() == *digits => serializer.serialize_f64(number),
                _ => serializer.serialize_str(digits),
            },
            Data::Bool(is) => serializer.serialize_bool(*is),
            Data::List(items) => serializer.collect_seq(items),
            Data::Table(entries) => serializer.collect_map(entries.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, a number, a boolean, a list or a table")
            }

            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(Value::text(text))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
                Ok(Value::integer(number))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
                Ok(Data::Integer(number.to_string()).into())
            }

            fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
                Ok(Data::Decimal(number.to_string()).into())
            }

            fn visit_bool<E>(self, is: bool) -> Result<Value, E> {
                Ok(Data::Bool(is).into())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Value::list(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Data::Table(entries).into())
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_digits_and_their_lines() {
        let value = Value::from_toml("a = 1.50\n\n[b]\nc = [\"x\", 0x10]\nd = 2024-01-02\n").unwrap();
        let entries = value.entries("a table").unwrap();
        assert_eq!((entries[0].0.as_str(), entries[0].1.written(), entries[0].1.line), ("a", Some("1.50"), 1));
        let inner = entries[1].1.entries("a table").unwrap();
        assert_eq!(entries[1].1.line, 3);
        assert_eq!(inner[0].1.data, Data::List(vec![Value::text("x"), Value::integer(16)]));
        assert_eq!(inner[1].1.data, Data::Date("2024-01-02".into()));
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(json, r#"{"a":"1.50","b":{"c":["x",16],"d":"2024-01-02"}}"#);
        let back: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(back.entries("a table").unwrap()[0].1.written(), Some("1.50"));
    }

    #[test]
    fn sections_come_back_in_their_order() {
        let keys = ["plain", "two words", "a.b", "", "q\"uote \\ back", "tab\t and\nline", "é"];
        let table = |at: usize| -> Value {
            let entries = [("x".to_string(), Value::integer(at as u64)), ("y z".into(), Value::text("1\n\"2\" '3'"))];
            Data::Table(entries.to_vec()).into()
        };
        let of = |(at, key): (usize, &&str)| (key.to_string(), if at % 2 == 0 { table(at) } else { Value::text("t") });
        let columns: Value = Data::Table(keys.iter().enumerate().map(of).collect()).into();
        let value: Value = Data::Table(vec![("columns".into(), columns), ("é b".into(), table(1))]).into();
        let text = value.to_toml();
        assert_eq!(Value::from_toml(&text).unwrap(), value, "{text}");
    }

    #[test]
    fn faults_name_line_and_what_is_known() {
        assert_eq!(Value::from_toml("a = \n").unwrap_err().line, 1);
        let fault = unknown_field(3, "field", "requires", "publish", &["require", "method"]);
        assert_eq!(
            fault.in_file("job.toml").to_string(),
            "job.toml, line 3: there is no field `requires` in `publish`; hint: did you mean `require`?"
        );
    }
}
