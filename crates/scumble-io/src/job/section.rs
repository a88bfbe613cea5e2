//! Typed access to the sections of a job file, with the line of every fault.

use scumble_table::{Decimal, Error, Result, nearest, quoted_list};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// A table of the document; remembers which fields have been asked for, so that in the end all
/// others are known to be mistakes.
#[derive(Debug)]
pub(super) struct Section<'a, 'i> {
    file: &'a str,
    text: &'a str,
    name: String,
    /// Where the section starts.
    start: usize,
    body: Body<'a, 'i>,
    asked: Vec<&'static str>,
}

/// A name and what stands behind it.
type Entry<'a, 'i> = (&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>);

#[derive(Debug)]
enum Body<'a, 'i> {
    Table(&'a DeTable<'i>),
    /// The short form `age = "quasi"` of a column, which states its role alone.
    Role(&'a Spanned<DeValue<'i>>),
}

/// The line of a byte of the text, from 1.
pub(crate) fn line_of(text: &str, at: usize) -> u64 {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() as u64 + 1
}

impl<'a, 'i> Section<'a, 'i> {
    pub(super) fn new(file: &'a str, text: &'a str, name: &str, table: &'a DeTable<'i>) -> Self {
        Section { file, text, name: name.into(), start: 0, body: Body::Table(table), asked: Vec::new() }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn line(&self) -> u64 {
        line_of(self.text, self.start)
    }

    /// A fault of the whole section.
    pub(super) fn error(&self, reason: impl Into<String>) -> Error {
        Error::data(self.file, reason).at(Some(self.line()), None)
    }

    fn error_at(&self, at: usize, reason: impl Into<String>) -> Error {
        Error::data(self.file, reason).at(Some(line_of(self.text, at)), None)
    }

    /// A field by name; `max-suppressed` is the same field as `max_suppressed`.
    fn get(&mut self, field: &'static str) -> Result<Option<&'a Spanned<DeValue<'i>>>> {
        self.asked.push(field);
        let table = match self.body {
            Body::Table(table) => table,
            Body::Role(value) => return Ok((field == "role").then_some(value)),
        };
        let mut found: Vec<_> = table.iter().filter(|(key, _)| same(key.get_ref(), field)).collect();
        found.sort_by_key(|(key, _)| key.span().start);
        match found[..] {
            [_, (second, _), ..] => Err(self.error_at(second.span().start, format!("`{field}` is given twice"))),
            [(_, value)] => Ok(Some(value)),
            [] => Ok(None),
        }
    }

    fn wrong(&self, field: &str, value: &Spanned<DeValue<'i>>, wanted: &str) -> Error {
        let found = value.get_ref().type_str();
        self.error_at(value.span().start, format!("`{field}` must be {wanted}, not {} {found}", article(found)))
    }

    /// A table inside this one.
    pub(super) fn section(&mut self, field: &'static str) -> Result<Option<Section<'a, 'i>>> {
        let Some(value) = self.get(field)? else { return Ok(None) };
        let table = value.get_ref().as_table().ok_or_else(|| {
            self.wrong(field, value, "a section").hint(format!("write `[{field}]` on a line of its own"))
        })?;
        let mut section = Section::new(self.file, self.text, field, table);
        section.start = value.span().start;
        Ok(Some(section))
    }

    /// Leaves a field to those who read the same file for another purpose.
    pub(super) fn skip(&mut self, field: &'static str) {
        self.asked.push(field);
    }

    /// Tables that follow each other under one name, as `[[run]]`.
    pub(super) fn sections(&mut self, field: &'static str) -> Result<Vec<Section<'a, 'i>>> {
        let Some(value) = self.get(field)? else { return Ok(Vec::new()) };
        let wrong = |value| {
            self.wrong(field, value, "a list of sections").hint(format!("write `[[{field}]]` on a line of its own"))
        };
        let DeValue::Array(items) = value.get_ref() else { return Err(wrong(value)) };
        let section = |item: &'a Spanned<DeValue<'i>>| {
            let table = item.get_ref().as_table().ok_or_else(|| wrong(item))?;
            let mut section = Section::new(self.file, self.text, field, table);
            section.start = item.span().start;
            Ok(section)
        };
        items.iter().map(section).collect()
    }

    /// A number or string as written, or a list of them, with its line.
    pub(super) fn scalars(&mut self, field: &'static str) -> Result<Option<(u64, Vec<String>)>> {
        match self.get(field)? {
            Some(value) => Ok(Some((line_of(self.text, value.span().start), self.written(field, value)?))),
            None => Ok(None),
        }
    }

    /// All fields that have not been asked for, with their lines: numbers and strings as written, or lists of them.
    pub(super) fn others(self) -> Result<Vec<(String, u64, Vec<String>)>> {
        let known = |key: &str| self.asked.iter().any(|field| same(key, field));
        let rest = self.in_order().into_iter().filter(|(key, _)| !known(key.get_ref()));
        let entry = |(key, value): Entry<'a, 'i>| {
            let name = key.get_ref().to_string();
            let values = self.written(&name, value)?;
            Ok((name, line_of(self.text, key.span().start), values))
        };
        rest.map(entry).collect()
    }

    fn written(&self, field: &str, value: &Spanned<DeValue<'i>>) -> Result<Vec<String>> {
        let one = |value: &Spanned<DeValue<'i>>| match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Float(number) => Ok(number.as_str().to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_string()),
            _ => Err(self.wrong(field, value, "a decimal number, a string or a list of them")),
        };
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(one).collect(),
            _ => Ok(vec![one(value)?]),
        }
    }

    /// All columns, whatever their names, in the order of the file: tables, or roles alone.
    pub(super) fn columns(self) -> Result<Vec<Section<'a, 'i>>> {
        self.entries("a role or a table with a role", |value| match value.get_ref() {
            DeValue::Table(table) => Some(Body::Table(table)),
            DeValue::String(_) => Some(Body::Role(value)),
            _ => None,
        })
    }

    /// All tables, whatever their names, in the order of the file; `wanted` says what they should be.
    pub(super) fn tables(self, wanted: &str) -> Result<Vec<Section<'a, 'i>>> {
        self.entries(wanted, |value| value.get_ref().as_table().map(Body::Table))
    }

    fn entries(
        self,
        wanted: &str,
        body: impl Fn(&'a Spanned<DeValue<'i>>) -> Option<Body<'a, 'i>>,
    ) -> Result<Vec<Section<'a, 'i>>> {
        let entry = |(key, value): (&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>)| {
            let body = body(value).ok_or_else(|| self.wrong(key.get_ref(), value, wanted))?;
            let (file, text, name) = (self.file, self.text, key.get_ref().to_string());
            Ok(Section { file, text, name, start: key.span().start, body, asked: Vec::new() })
        };
        self.in_order().into_iter().map(entry).collect()
    }

    /// Names and values as they follow each other in the file.
    fn in_order(&self) -> Vec<Entry<'a, 'i>> {
        let Body::Table(table) = self.body else { return Vec::new() };
        let mut entries: Vec<Entry<'a, 'i>> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    /// A table of columns and one value each, in the order of the file: numbers as they are written, dates, or strings.
    pub(super) fn values(&mut self, field: &'static str, wanted: &str) -> Result<Vec<(String, String)>> {
        let Some(value) = self.get(field)? else { return Ok(Vec::new()) };
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(field, value, wanted))?;
        let inner = Section::new(self.file, self.text, field, table);
        let text = |(key, value): Entry<'a, 'i>| {
            let name = key.get_ref().to_string();
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Float(number) => number.as_str().to_string(),
                DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_string(),
                DeValue::Datetime(date) if date.time.is_none() && date.offset.is_none() => date.to_string(),
                _ => return Err(self.wrong(&name, value, "a decimal number, a date or a string")),
            };
            Ok((name, text))
        };
        inner.in_order().into_iter().map(text).collect()
    }

    /// The line of a field, or of the whole section where it is not there.
    pub(super) fn line_of(&mut self, field: &'static str) -> Result<u64> {
        Ok(self.get(field)?.map_or_else(|| self.line(), |value| line_of(self.text, value.span().start)))
    }

    /// A string.
    pub(super) fn text(&mut self, field: &'static str) -> Result<Option<String>> {
        self.word(field, |text| Ok(text.to_string()))
    }

    /// A string with a meaning; `read` says what is wrong with it.
    pub(super) fn word<T>(
        &mut self,
        field: &'static str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>> {
        let Some(value) = self.get(field)? else { return Ok(None) };
        let text = value.get_ref().as_str().ok_or_else(|| self.wrong(field, value, "a string"))?;
        read(text).map(Some).map_err(|reason| self.error_at(value.span().start, reason))
    }

    /// Strings, or one of them.
    pub(super) fn texts(&mut self, field: &'static str) -> Result<Vec<String>> {
        let lists = self.lists(field, |text| vec![text.to_string()])?;
        Ok(lists.into_iter().flatten().collect())
    }

    /// Lists of strings, each given as a list or as one string to be split; or one string alone.
    pub(super) fn lists(
        &mut self,
        field: &'static str,
        split: impl Fn(&str) -> Vec<String>,
    ) -> Result<Vec<Vec<String>>> {
        let Some(value) = self.get(field)? else { return Ok(Vec::new()) };
        let strings = "a string or a list of strings";
        let inner = |value: &Spanned<DeValue<'i>>| match value.get_ref() {
            DeValue::String(text) => Ok(split(text)),
            DeValue::Array(items) => items
                .iter()
                .map(|item| item.get_ref().as_str().map(String::from).ok_or_else(|| self.wrong(field, item, strings)))
                .collect(),
            _ => Err(self.wrong(field, value, strings)),
        };
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(inner).collect(),
            _ => Ok(vec![inner(value)?]),
        }
    }

    /// A whole number that is not negative.
    pub(super) fn integer(&mut self, field: &'static str) -> Result<Option<u64>> {
        let Some(value) = self.get(field)? else { return Ok(None) };
        let number = value.get_ref().as_integer().ok_or_else(|| self.wrong(field, value, "a whole number"))?;
        u64::from_str_radix(number.as_str(), number.radix()).map(Some).map_err(|_| {
            let most = u64::MAX;
            self.error_at(value.span().start, format!("`{field}` must be a whole number from 0 to {most}"))
        })
    }

    /// A decimal number, exactly as it is written, as a number or as a string.
    pub(super) fn decimal(&mut self, field: &'static str) -> Result<Option<Decimal>> {
        let Some(value) = self.get(field)? else { return Ok(None) };
        let text = match value.get_ref() {
            DeValue::Float(number) => number.as_str(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            DeValue::String(text) => text,
            _ => return Err(self.wrong(field, value, "a number")),
        };
        Decimal::parse(text)
            .map(Some)
            .ok_or_else(|| self.error_at(value.span().start, format!("`{field}` must be a decimal number")))
    }

    /// True or false; false when not stated.
    pub(super) fn flag(&mut self, field: &'static str) -> Result<bool> {
        let Some(value) = self.get(field)? else { return Ok(false) };
        value.get_ref().as_bool().ok_or_else(|| self.wrong(field, value, "`true` or `false`"))
    }

    /// Fields that nobody asked for are mistakes.
    pub(super) fn finish(self) -> Result<()> {
        let Body::Table(table) = self.body else { return Ok(()) };
        let known = |key: &str| self.asked.iter().any(|field| same(key, field));
        let unknown = table.keys().filter(|key| !known(key.get_ref())).min_by_key(|key| key.span().start);
        let Some(key) = unknown else { return Ok(()) };
        let what = if self.name.is_empty() { "section" } else { "field" };
        let place = if self.name.is_empty() { String::new() } else { format!(" in `{}`", self.name) };
        let hint = match nearest(key.get_ref(), self.asked.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the {what}s are {}", quoted_list(&self.asked, 30)),
        };
        Err(self.error_at(key.span().start, format!("there is no {what} `{}`{place}", key.get_ref())).hint(hint))
    }
}

fn same(key: &str, field: &str) -> bool {
    key.len() == field.len() && key.bytes().zip(field.bytes()).all(|(a, b)| a == b || (a == b'-' && b == b'_'))
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
