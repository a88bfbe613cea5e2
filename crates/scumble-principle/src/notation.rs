//! Reads the notation of requirements.
//!
//! ```text
//! requirement = [ column ":" ] principle "(" parameter { "," parameter } ")"
//! ```
//!
//! A column name may hold anything, so the text is read from its end: the last `(` opens the
//! parameters, and the last `:` before it ends the column. What a principle makes of its parameters is
//! told by its [`Entry`].

use crate::{Entry, Parameter, Requirement, catalogue};
use scumble_table::{Decimal, Error, Result, nearest, suggestion};

/// Reads one requirement.
pub(crate) fn read(text: &str) -> Result<Requirement> {
    read_among(&catalogue(), text)
}

/// Reads one requirement whose principle is one of `entries`, which are not empty.
pub(crate) fn read_among(entries: &[&'static Entry], text: &str) -> Result<Requirement> {
    let wrong = |reason: String, hint: String| Error::request("requirement", text.trim(), reason).hint(hint);
    if text.trim().is_empty() {
        return Err(wrong("there is nothing to read".into(), format!("for example `{}`", entries[0].example)));
    }
    let Some((head, tail)) = text.rsplit_once('(') else {
        let example = guess(entries, text).unwrap_or(entries[0]).example;
        return Err(wrong("the parameters in parentheses are missing".into(), format!("for example `{example}`")));
    };
    let (column, name) = match head.rsplit_once(':') {
        Some((column, name)) => (Some(column.trim()), name.trim()),
        None => (None, head.trim()),
    };
    let Some(entry) = named(entries, name) else {
        return Err(match name.contains(['(', ')']) {
            true => wrong(
                "the parentheses do not match, or there is more than one requirement".into(),
                "give each requirement by itself, and write `column: ` before it where the column's name has parentheses"
                    .into(),
            ),
            false => wrong(format!("there is no principle `{name}`"), name_hint(entries, name)),
        });
    };
    if column == Some("") {
        return Err(wrong(
            "the name of the column before `:` is empty".into(),
            "leave out the `:` to ask it of each sensitive column".into(),
        ));
    }
    let Some((inside, after)) = tail.split_once(')') else {
        return Err(wrong("the closing `)` is missing".into(), format!("for example `{}`", entry.example)));
    };
    if !after.trim().is_empty() {
        return Err(wrong(
            format!("there is text after the closing `)`: `{}`", after.trim()),
            "give each requirement by itself; a column is named before the principle, as in `salary: variance(2500)`"
                .into(),
        ));
    }
    let parsed = Arguments::new(entry, inside).and_then(|arguments| (entry.parse)(&arguments));
    let principle = parsed.map_err(|error| match error {
        // The parts of the text do not know the whole, which is what the user wrote.
        Error::Request { reason, hint, .. } => Error::Request {
            field: "requirement".into(),
            value: text.trim().into(),
            reason,
            hint: hint.or_else(|| Some(format!("for example `{}`", entry.example))),
        },
        other => other,
    })?;
    let requirement = Requirement::from(principle);
    Ok(match column {
        Some(column) => requirement.on(column),
        None => requirement,
    })
}

/// The entry of that name. The papers write blanks in some names, as in `(k, e)-anonymity`.
fn named(entries: &[&'static Entry], name: &str) -> Option<&'static Entry> {
    let dense: String = match name.starts_with('(') {
        true => name.split_whitespace().collect(),
        false => name.into(),
    };
    entries.iter().copied().find(|entry| entry.names().any(|known| known == dense))
}

/// The principle most likely meant by a text without parentheses, such as `k-anonymity 10`.
fn guess(entries: &[&'static Entry], text: &str) -> Option<&'static Entry> {
    let after_column = text.rsplit_once(':').map_or(text, |(_, after)| after);
    let word = after_column.trim().split(|c: char| !(c.is_alphabetic() || c == '-')).next()?;
    named(entries, nearest(word, entries.iter().flat_map(|entry| entry.names()))?)
}

/// What to write instead of an unknown name: the nearest one, those that contain it, or all.
fn name_hint(entries: &[&'static Entry], name: &str) -> String {
    // Names in parentheses are left out: `l-diversity` is close to `(c,l)-diversity`, and is not meant by it.
    let words = entries.iter().flat_map(|entry| entry.names()).filter(|known| !known.starts_with('('));
    if let Some(near) = suggestion(name, words) {
        return near;
    }
    let names = || entries.iter().map(|entry| entry.name);
    let lower = name.to_lowercase();
    let mut fitting: Vec<&str> = names().filter(|known| lower.len() > 2 && known.contains(&lower)).collect();
    if fitting.is_empty() {
        fitting = names().collect();
    }
    format!("one of {}", fitting.join(", "))
}

/// The texts between the parentheses, as many as the principle takes.
#[derive(Debug)]
pub struct Arguments<'a> {
    entry: &'static Entry,
    texts: Vec<&'a str>,
}

impl<'a> Arguments<'a> {
    fn new(entry: &'static Entry, inside: &'a str) -> Result<Self> {
        let texts: Vec<&str> =
            if inside.trim().is_empty() { Vec::new() } else { inside.split(',').map(str::trim).collect() };
        let most = entry.parameters.len();
        let least = entry.parameters.iter().filter(|p| !p.optional).count();
        if texts.len() < least || texts.len() > most {
            let names: Vec<&str> = entry.parameters.iter().map(|p| p.name).collect();
            let wanted = if least == most { most.to_string() } else { format!("{least} or {most}") };
            let noun = if most == 1 { "parameter" } else { "parameters" };
            let reason = format!("{} takes {wanted} {noun} ({}), not {}", entry.name, names.join(", "), texts.len());
            return Err(Error::request(entry.name, inside, reason));
        }
        Ok(Arguments { entry, texts })
    }

    /// The parameter at a position and its text, which is empty where an optional one was left out.
    fn at(&self, at: usize) -> Result<(&'static Parameter, &'a str)> {
        Ok((self.entry.parameter(at)?, self.texts.get(at).copied().unwrap_or("")))
    }

    /// The parameter at a position, as an exact decimal in its range.
    ///
    /// # Errors
    /// If it is no number, or out of range.
    pub fn number(&self, at: usize) -> Result<Decimal> {
        let (parameter, text) = self.at(at)?;
        let number = Decimal::parse(text).ok_or_else(|| {
            let reason = match text {
                "" => format!("{} is missing", parameter.name),
                _ => format!("{} must be {}, and `{text}` is not an exact decimal", parameter.name, parameter.range),
            };
            Error::request(self.entry.name, text, reason)
                .hint(format!("write it with a point and at most 37 digits, as in `{}`", self.entry.example))
        })?;
        parameter.check(self.entry.name, number)
    }

    /// The parameter at a position, as a whole number in its range.
    ///
    /// # Errors
    /// If it is no whole number, or out of range.
    pub fn whole(&self, at: usize) -> Result<u64> {
        let ((parameter, _), number) = (self.at(at)?, self.number(at)?);
        match u64::try_from(number.mantissa()).ok().filter(|_| number.is_integer()) {
            Some(whole) => Ok(whole),
            None if number.is_integer() => {
                let reason = format!("{} is larger than any table", parameter.name);
                Err(Error::request(self.entry.name, number.to_string(), reason))
            }
            None => Err(parameter.refusal(self.entry.name, number)),
        }
    }

    /// Which of some words the parameter at a position is; the first where it was left out.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn word<'w>(&self, at: usize, words: &[&'w str]) -> Result<&'w str> {
        let (parameter, text) = self.at(at)?;
        let given = if self.texts.len() > at { Some(text) } else { words.first().copied() };
        words.iter().copied().find(|word| Some(*word) == given).ok_or_else(|| {
            let refusal = parameter.refusal(self.entry.name, text);
            match suggestion(text, words.iter().copied()) {
                _ if Decimal::parse(text).is_some() => refusal.hint("decimals are written with a point, as in 0.2"),
                Some(near) => refusal.hint(near),
                None => refusal,
            }
        })
    }
}

#[cfg(test)]
mod tests;
