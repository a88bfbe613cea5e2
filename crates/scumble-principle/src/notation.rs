//! Reads the notation of requirements.
//!
//! ```text
//! requirement = [ column ":" ] principle "(" parameter { "," parameter } ")"
//! ```
//!
//! A column name may hold anything, so the text is read from its end: the last `(` opens the
//! parameters, and the last `:` before it ends the column.

use crate::{
    AlphaKAnonymity, Dissimilarity, DistinctLDiversity, EntropyLDiversity, Entry, FrequencyLDiversity, Ground,
    KAnonymity, KeAnonymity, ProximityAbsolute, ProximityInterval, ProximityRelative, ProximityWindow,
    RecursiveLDiversity, Requirement, Spec, TCloseness, Variance, catalogue, entry,
};
use scumble_table::{Decimal, Error, Result, nearest};

/// Reads one requirement.
pub(crate) fn read(text: &str) -> Result<Requirement> {
    let wrong = |reason: String, hint: String| Error::request("requirement", text.trim(), reason).hint(hint);
    if text.trim().is_empty() {
        return Err(wrong("there is nothing to read".into(), format!("for example `{}`", catalogue()[0].example)));
    }
    let Some((head, tail)) = text.rsplit_once('(') else {
        let example = guess(text).unwrap_or(&catalogue()[0]).example;
        return Err(wrong("the parameters in parentheses are missing".into(), format!("for example `{example}`")));
    };
    let (column, name) = match head.rsplit_once(':') {
        Some((column, name)) => (Some(column.trim()), name.trim()),
        None => (None, head.trim()),
    };
    if name.contains(['(', ')']) {
        return Err(wrong(
            "the parentheses do not match, or there is more than one requirement".into(),
            "give each requirement by itself, and write `column: ` before it where the column's name has parentheses"
                .into(),
        ));
    }
    let Some(entry) = entry(name) else {
        return Err(wrong(format!("there is no principle `{name}`"), suggestion(name)));
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
    let spec = Arguments::new(entry, inside).and_then(|arguments| arguments.spec()).map_err(|error| match error {
        // The parts of the text do not know the whole, which is what the user wrote.
        Error::Request { reason, hint, .. } => Error::Request {
            field: "requirement".into(),
            value: text.trim().into(),
            reason,
            hint: hint.or_else(|| Some(format!("for example `{}`", entry.example))),
        },
        other => other,
    })?;
    Ok(Requirement { column: column.map(String::from), spec })
}

/// The principle most likely meant by a text without parentheses, such as `k-anonymity 10`.
fn guess(text: &str) -> Option<&'static Entry> {
    let after_column = text.rsplit_once(':').map_or(text, |(_, after)| after);
    let word = after_column.trim().split(|c: char| !(c.is_alphabetic() || c == '-')).next()?;
    nearest(word, catalogue().iter().map(|e| e.name)).and_then(entry)
}

/// What to write instead of an unknown name: the nearest one, those that contain it, or all.
fn suggestion(name: &str) -> String {
    let names = || catalogue().iter().map(|e| e.name);
    if let Some(near) = nearest(name, names()) {
        return format!("did you mean `{near}`?");
    }
    let lower = name.to_lowercase();
    let mut fitting: Vec<&str> = names().filter(|known| lower.len() > 2 && known.contains(&lower)).collect();
    if fitting.is_empty() {
        fitting = names().collect();
    }
    format!("one of {}", fitting.join(", "))
}

/// The texts between the parentheses, as many as the principle takes.
struct Arguments<'a> {
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
            return Err(Error::request(
                entry.name,
                inside,
                format!("{} takes {wanted} {noun} ({}), not {}", entry.name, names.join(", "), texts.len()),
            ));
        }
        Ok(Arguments { entry, texts })
    }

    fn spec(&self) -> Result<Spec> {
        Ok(match self.entry.name {
            "k-anonymity" => Spec::KAnonymity(KAnonymity::new(self.whole(0)?)?),
            "distinct-l-diversity" => Spec::DistinctLDiversity(DistinctLDiversity::new(self.whole(0)?)?),
            "frequency-l-diversity" => Spec::FrequencyLDiversity(FrequencyLDiversity::new(self.number(0)?)?),
            "entropy-l-diversity" => Spec::EntropyLDiversity(EntropyLDiversity::new(self.number(0)?)?),
            "recursive-l-diversity" => {
                Spec::RecursiveLDiversity(RecursiveLDiversity::new(self.number(0)?, self.whole(1)?)?)
            }
            "t-closeness" => Spec::TCloseness(TCloseness::new(self.number(0)?, self.ground(1)?)?),
            "alpha-k-anonymity" => Spec::AlphaKAnonymity(AlphaKAnonymity::new(self.number(0)?, self.whole(1)?)?),
            "proximity-absolute" => Spec::ProximityAbsolute(ProximityAbsolute::new(self.number(0)?, self.whole(1)?)?),
            "proximity-relative" => Spec::ProximityRelative(ProximityRelative::new(self.number(0)?, self.whole(1)?)?),
            "proximity-interval" => {
                Spec::ProximityInterval(ProximityInterval::new(self.number(0)?, self.number(1)?, self.whole(2)?)?)
            }
            "proximity-window" => {
                Spec::ProximityWindow(ProximityWindow::new(self.number(0)?, self.number(1)?, self.whole(2)?)?)
            }
            "dissimilarity" => {
                Spec::Dissimilarity(Dissimilarity::new(self.number(0)?, self.number(1)?, self.whole(2)?)?)
            }
            "ke-anonymity" => Spec::KeAnonymity(KeAnonymity::new(self.whole(0)?, self.number(1)?)?),
            "variance" => Spec::Variance(Variance::new(self.number(0)?)?),
            name => return Err(Error::bug(format!("the catalogue lists `{name}`, which the notation does not know"))),
        })
    }

    fn number(&self, at: usize) -> Result<Decimal> {
        let (parameter, text) = (&self.entry.parameters[at], self.texts[at]);
        Decimal::parse(text).ok_or_else(|| {
            let reason = match text {
                "" => format!("{} is missing", parameter.name),
                _ => format!("{} must be {}, and `{text}` is not an exact decimal", parameter.name, parameter.range),
            };
            Error::request(self.entry.name, text, reason)
                .hint(format!("write it with a point and at most 37 digits, as in `{}`", self.entry.example))
        })
    }

    fn whole(&self, at: usize) -> Result<u64> {
        let (parameter, number) = (&self.entry.parameters[at], self.number(at)?);
        if !parameter.range.admits(number) {
            return Err(parameter.refusal(self.entry.name, number));
        }
        u64::try_from(number.mantissa()).map_err(|_| {
            Error::request(self.entry.name, number.to_string(), format!("{} is larger than any table", parameter.name))
        })
    }

    fn ground(&self, at: usize) -> Result<Ground> {
        let Some(&word) = self.texts.get(at) else { return Ok(Ground::Equal) };
        let known = Ground::ALL.into_iter().find(|ground| ground.name() == word);
        known.ok_or_else(|| {
            let refusal = self.entry.parameters[at].refusal(self.entry.name, word);
            match nearest(word, Ground::ALL.map(Ground::name)) {
                _ if Decimal::parse(word).is_some() => refusal.hint("decimals are written with a point, as in 0.2"),
                Some(near) => refusal.hint(format!("did you mean `{near}`?")),
                None => refusal,
            }
        })
    }
}

#[cfg(test)]
mod tests;
