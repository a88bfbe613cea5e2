//! Manifests from text: field by field, so that every error can name its place.

use super::{
    AttainedEntry, BoxKind, CoarseColumn, Coins, ConditionalColumn, ContextShown, CountedWord, FileEntry, LedgerWord,
    MANIFEST, Manifest, ManifestColumn, Method, MissingColumn, Mixtures, PopulationWord, TableEntry, VERSION,
    vocabulary,
};
use crate::intervals::end_names;
use crate::published_column::Extent;
use scumble_table::{Decimal, Error, Kind, Result, Role, did_you_mean, parse_date};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

pub(super) fn manifest(json: &str) -> Result<Manifest> {
    let mut all = Object::read("", json)?;
    let scumble: String = all.need("scumble")?;
    if !is_known(&scumble) {
        // A release of another version is not a broken one, so this is no fault of the data.
        return Err(Error::request(
            "release",
            format!("scumble {scumble}"),
            "releases of this version are not known here",
        )
        .hint(format!("this is scumble {VERSION}; use the version that wrote the release, or a later one")));
    }
    let made = Manifest {
        scumble,
        method: all.need_word("method", Method::ALL.map(|method| (method.name(), method)))?,
        algorithm: all.need("algorithm")?,
        requirements: all.need("requirements")?,
        columns: all.need_list("columns", column)?,
        distance: all.may("distance")?,
        mixtures: all.may_word("mixtures", [("hold", Mixtures::Hold), ("claimed", Mixtures::Claimed)])?,
        hierarchies: match all.take("hierarchies") {
            Some(raw) => Object::read("hierarchies", raw.get())?.all()?,
            None => Vec::new(),
        },
        conditional: all.may_list("conditional", conditional)?,
        coarse: all
            .may_list("coarse", |entry| Ok(CoarseColumn { column: entry.need("column")?, rest: entry.may("rest")? }))?,
        missing: all.may_list("missing", |entry| {
            Ok(MissingColumn { column: entry.need("column")?, ignored: entry.need("ignored")? })
        })?,
        angel_k: all.may("angel_k")?,
        boxes: all.may_word("boxes", BoxKind::ALL.map(|kind| (kind.name(), kind)))?.unwrap_or_default(),
        rows: all.need("rows")?,
        suppressed: all.need("suppressed")?,
        persons: all.may("persons")?,
        unnamed: all.may("unnamed")?.unwrap_or_default(),
        counted: all.may_word("counted", [("households", CountedWord::Households)])?,
        population: all.may_word("population", [("rows", PopulationWord::Rows)])?,
        accepted: all.may("accepted")?.unwrap_or_default(),
        ledger: all.may_word("ledger", [("compared", LedgerWord::Compared), ("partly", LedgerWord::Partly)])?,
        groups: all.need("groups")?,
        tables: all.need_list("tables", table)?,
        files: all
            .may_list("files", |entry| Ok(FileEntry { file: entry.need("file")?, sha256: entry.need("sha256")? }))?,
        attained: all.need_list("attained", attained)?,
        profile: all.need("profile")?,
        coins: all.need_word("coins", [("secret", Coins::Secret), ("seeded", Coins::Seeded)])?,
    };
    all.end()?;
    for word in vocabulary::algorithms(&made.algorithm).filter(|word| !vocabulary::is_registered_algorithm(word)) {
        one_of("algorithm", word, vocabulary::ALGORITHMS.map(|name| (name, ())))?;
    }
    for word in made.accepted.iter().filter(|entry| !vocabulary::is_accepted_of_column(entry, &made)) {
        one_of("accepted", word, vocabulary::ACCEPTED.map(|name| (name, ())))?;
    }
    one_of("profile", &made.profile, vocabulary::PROFILES.map(|name| (name, ())))?;
    for (at, column) in made.columns.iter().enumerate() {
        if made.columns[..at].iter().any(|other| other.name == column.name) {
            return Err(wrong("columns", "two columns have this name").shows(&column.name));
        }
        let taken = |name: &String| made.columns.iter().any(|other| other.name == *name);
        if let Some(name) = end_names(&column.name).iter().find(|name| column.published && taken(name)) {
            return Err(wrong("columns", "two columns have this name").shows(name));
        }
        if column.published && !matches!(made.method, Method::Generalize | Method::Angel) {
            return Err(wrong("columns", "only generalized values have ends").shows(&column.name));
        }
    }
    Ok(made)
}

/// Same major version, and a minor one no later than ours.
fn is_known(version: &str) -> bool {
    let parts = |text: &str| -> Option<[u64; 3]> {
        let number = |part: &str| part.parse::<u64>().ok().filter(|number| number.to_string() == part);
        let numbers: Option<Vec<u64>> = text.split('.').map(number).collect();
        numbers?.try_into().ok()
    };
    match (parts(version), parts(VERSION)) {
        (Some(theirs), Some(ours)) => theirs[0] == ours[0] && theirs[1] <= ours[1],
        _ => false,
    }
}

fn column(fields: &mut Object<'_>) -> Result<ManifestColumn> {
    let name: String = fields.need("name")?;
    let roles = [Role::Quasi, Role::Sensitive, Role::Kept];
    let role = fields.need_word("role", roles.map(|role| (role.name(), role)))?;
    let kind = fields.need_word("type", Kind::ALL.map(|kind| (kind.name(), kind)))?;
    let domain = extent(&fields.path("domain"), kind, fields.need_raw("domain")?)?;
    let published: Option<Vec<String>> = fields.may("published")?;
    let own = end_names(&name);
    if published.as_ref().is_some_and(|names| *names != own) {
        let at = fields.path("published");
        return Err(wrong(&at, format!("the ends of `{name}` stand in `{}` and `{}`", own[0], own[1])));
    }
    Ok(ManifestColumn { name, role, kind, domain, published: published.is_some() })
}

/// Bounds may also be written as strings; anything else would lose digits on the way.
fn extent(at: &str, kind: Kind, raw: &RawValue) -> Result<Extent> {
    if !matches!(kind, Kind::Number | Kind::Date) {
        return Ok(Extent::Labels(from(at, raw)?));
    }
    let ends: Vec<Box<RawValue>> = from(at, raw)?;
    let texts: Vec<String> = ends.iter().map(|end| text(end)).collect();
    let bad = || wrong(at, "this is not the least and the greatest value");
    match (kind, texts.as_slice()) {
        (_, []) => Ok(Extent::empty(kind)),
        (Kind::Number, [lo, hi]) => {
            let pair = Decimal::parse(lo).zip(Decimal::parse(hi)).filter(|(lo, hi)| lo <= hi);
            Ok(Extent::Numbers(Some(pair.ok_or_else(bad)?)))
        }
        (_, [first, last]) => {
            let pair = parse_date(first).zip(parse_date(last)).filter(|(first, last)| first <= last);
            Ok(Extent::Days(Some(pair.ok_or_else(bad)?)))
        }
        _ => Err(bad()),
    }
}

fn table(fields: &mut Object<'_>) -> Result<TableEntry> {
    let (name, file) = (fields.need("name")?, fields.need("file")?);
    Ok(TableEntry { name, file, rows: fields.need("rows")?, sha256: fields.need("sha256")? })
}

fn conditional(fields: &mut Object<'_>) -> Result<ConditionalColumn> {
    let column = fields.need("column")?;
    let contexts = fields.need_list("contexts", |context| {
        let when = Object::read(&context.path("when"), context.need_raw("when")?.get())?;
        Ok(ContextShown { when: when.all()?, shows: context.need("shows")? })
    })?;
    Ok(ConditionalColumn { column, contexts })
}

/// All fields but two are figures.
fn attained(fields: &mut Object<'_>) -> Result<AttainedEntry> {
    let (requirement, column) = (fields.need("requirement")?, fields.may("column")?);
    let figures = std::mem::take(&mut fields.pairs).into_iter().map(|(name, raw)| (name, text(raw))).collect();
    Ok(AttainedEntry { requirement, column, figures })
}

/// A string, or anything else as it is written.
fn text(raw: &RawValue) -> String {
    serde_json::from_str::<String>(raw.get()).unwrap_or_else(|_| raw.get().to_string())
}

/// An object whose fields are taken one by one; what is left at the end should not be there.
struct Object<'a> {
    at: String,
    pairs: Vec<(String, &'a RawValue)>,
}

impl<'a> Object<'a> {
    fn read(at: &str, json: &'a str) -> Result<Self> {
        let Pairs(pairs) = serde_json::from_str(json).map_err(|error| {
            let reason = if error.is_data() {
                "this is not an object, or a field stands twice".to_string()
            } else {
                format!("this is not JSON: {error}")
            };
            wrong(at, reason)
        })?;
        Ok(Object { at: at.into(), pairs })
    }

    fn path(&self, field: &str) -> String {
        if self.at.is_empty() { field.into() } else { format!("{}.{field}", self.at) }
    }

    /// All fields, whatever their names.
    fn all<T: DeserializeOwned>(mut self) -> Result<Vec<(String, T)>> {
        let names: Vec<String> = self.pairs.iter().map(|(name, _)| name.clone()).collect();
        names.into_iter().map(|name| self.need(&name).map(|value| (name, value))).collect()
    }

    fn take(&mut self, field: &str) -> Option<&'a RawValue> {
        let at = self.pairs.iter().position(|(name, _)| name == field)?;
        Some(self.pairs.remove(at).1)
    }

    fn may<T: DeserializeOwned>(&mut self, field: &str) -> Result<Option<T>> {
        let path = self.path(field);
        self.take(field).map(|raw| from(&path, raw)).transpose()
    }

    fn need<T: DeserializeOwned>(&mut self, field: &str) -> Result<T> {
        let path = self.path(field);
        self.may(field)?.ok_or_else(|| wrong(&path, "this field is missing"))
    }

    fn need_raw(&mut self, field: &str) -> Result<&'a RawValue> {
        self.take(field).ok_or_else(|| wrong(&self.path(field), "this field is missing"))
    }

    /// A word of a closed list, if the field is there.
    fn may_word<T: Copy, const N: usize>(&mut self, field: &str, known: [(&str, T); N]) -> Result<Option<T>> {
        let path = self.path(field);
        self.may::<String>(field)?.map(|word| one_of(&path, &word, known)).transpose()
    }

    fn need_word<T: Copy, const N: usize>(&mut self, field: &str, known: [(&str, T); N]) -> Result<T> {
        let path = self.path(field);
        self.may_word(field, known)?.ok_or_else(|| wrong(&path, "this field is missing"))
    }

    /// A list of objects, each of which is read to its last field.
    fn need_list<T>(&mut self, field: &str, read: impl Fn(&mut Object<'a>) -> Result<T>) -> Result<Vec<T>> {
        let (path, raw) = (self.path(field), self.need_raw(field)?);
        let items: Vec<&'a RawValue> =
            serde_json::from_str(raw.get()).map_err(|_| wrong(&path, "this is not a list"))?;
        let read = |(i, item): (usize, &&'a RawValue)| {
            let mut fields = Object::read(&format!("{path}[{i}]"), item.get())?;
            let made = read(&mut fields)?;
            fields.end().map(|()| made)
        };
        items.iter().enumerate().map(read).collect()
    }

    /// The same where the field may be missing, which is an empty list.
    fn may_list<T>(&mut self, field: &str, read: impl Fn(&mut Object<'a>) -> Result<T>) -> Result<Vec<T>> {
        let is_there = self.pairs.iter().any(|(name, _)| name == field);
        if is_there { self.need_list(field, read) } else { Ok(Vec::new()) }
    }

    fn end(self) -> Result<()> {
        match self.pairs.first() {
            Some((name, _)) => Err(wrong(&self.path(name), "a manifest has no such field")),
            None => Ok(()),
        }
    }
}

struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Walk;
        impl<'de> Visitor<'de> for Walk {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(String, &'de RawValue)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    if pairs.iter().any(|(other, _)| *other == name) {
                        return Err(serde::de::Error::custom("a field stands twice"));
                    }
                    pairs.push((name, value));
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(Walk)
    }
}

fn from<T: DeserializeOwned>(at: &str, raw: &RawValue) -> Result<T> {
    serde_json::from_str(raw.get()).map_err(|error| {
        // The position is one inside the field, which does not help readers of the message.
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or_default();
        wrong(at, format!("wrong type: {}", reason.trim_start_matches("invalid type: ")))
    })
}

fn one_of<T: Copy, const N: usize>(at: &str, text: &str, known: [(&str, T); N]) -> Result<T> {
    known.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
        let hint = did_you_mean(text, &known.map(|(name, _)| name), "one of");
        wrong(at, "this word is not known here").shows(text).hint(hint)
    })
}

fn wrong(field: &str, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    Error::data(MANIFEST, if field.is_empty() { reason } else { format!("field `{field}`: {reason}") })
}
