//! Manifests from text: field by field, so that every error can name its place.

use super::{
    AttainedEntry, BoxKind, CoarseColumn, Coins, ConditionalColumn, ContextShown, FileEntry, MANIFEST, Manifest,
    ManifestColumn, Method, Mixtures, TableEntry, VERSION, words,
};
use crate::published_column::Extent;
use scumble_table::{Decimal, Error, Kind, Result, Role, nearest, parse_date};
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
    let method: String = all.need("method")?;
    let coins: String = all.need("coins")?;
    let made = Manifest {
        scumble,
        method: one_of("method", &method, Method::ALL.map(|m| (m.name(), m)))?,
        algorithm: all.need("algorithm")?,
        requirements: all.need("requirements")?,
        columns: all.list("columns")?.into_iter().map(column).collect::<Result<_>>()?,
        distance: all.may("distance")?,
        mixtures: match all.may::<String>("mixtures")? {
            Some(word) => Some(one_of("mixtures", &word, [("hold", Mixtures::Hold), ("claimed", Mixtures::Claimed)])?),
            None => None,
        },
        hierarchies: match all.take("hierarchies") {
            Some(raw) => Object::read("hierarchies", raw.get())?.all()?,
            None => Vec::new(),
        },
        conditional: match all.has("conditional") {
            true => all.list("conditional")?.into_iter().map(conditional).collect::<Result<_>>()?,
            false => Vec::new(),
        },
        coarse: match all.has("coarse") {
            true => all.list("coarse")?.into_iter().map(coarse).collect::<Result<_>>()?,
            false => Vec::new(),
        },
        angel_k: all.may("angel_k")?,
        boxes: match all.may::<String>("boxes")? {
            Some(word) => one_of("boxes", &word, BoxKind::ALL.map(|kind| (kind.name(), kind)))?,
            None => BoxKind::Minimal,
        },
        rows: all.need("rows")?,
        suppressed: all.need("suppressed")?,
        groups: all.need("groups")?,
        tables: all.list("tables")?.into_iter().map(table).collect::<Result<_>>()?,
        files: match all.has("files") {
            true => all.list("files")?.into_iter().map(file).collect::<Result<_>>()?,
            false => Vec::new(),
        },
        attained: all.list("attained")?.into_iter().map(attained).collect::<Result<_>>()?,
        profile: all.need("profile")?,
        coins: one_of("coins", &coins, [("secret", Coins::Secret), ("seeded", Coins::Seeded)])?,
    };
    all.end()?;
    for word in words::algorithms(&made.algorithm).filter(|word| !words::is_registered_algorithm(word)) {
        one_of("algorithm", word, words::ALGORITHMS.map(|name| (name, ())))?;
    }
    one_of("profile", &made.profile, words::PROFILES.map(|name| (name, ())))?;
    for (at, column) in made.columns.iter().enumerate() {
        if made.columns[..at].iter().any(|other| other.name == column.name) {
            return Err(wrong("columns", "two columns have this name").shows(&column.name));
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

fn column(mut fields: Object<'_>) -> Result<ManifestColumn> {
    let name: String = fields.need("name")?;
    let role: String = fields.need("role")?;
    let kind: String = fields.need("type")?;
    let at = fields.path("role");
    let role = one_of(&at, &role, [Role::Quasi, Role::Sensitive, Role::Kept].map(|role| (role.name(), role)))?;
    let kind = one_of(&fields.path("type"), &kind, Kind::ALL.map(|kind| (kind.name(), kind)))?;
    let at = fields.path("domain");
    let raw = fields.take("domain").ok_or_else(|| wrong(&at, "this field is missing"))?;
    let domain = extent(&at, kind, raw)?;
    fields.end()?;
    Ok(ManifestColumn { name, role, kind, domain })
}

/// Bounds may also be written as strings; anything else would lose digits on the way.
fn extent(at: &str, kind: Kind, raw: &RawValue) -> Result<Extent> {
    if !matches!(kind, Kind::Number | Kind::Date) {
        return Ok(Extent::Labels(from(at, raw)?));
    }
    let ends: Vec<Box<RawValue>> = from(at, raw)?;
    let texts: Vec<String> = ends
        .iter()
        .map(|end| serde_json::from_str::<String>(end.get()).unwrap_or_else(|_| end.get().to_string()))
        .collect();
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

fn table(mut fields: Object<'_>) -> Result<TableEntry> {
    let entry = TableEntry {
        name: fields.need("name")?,
        file: fields.need("file")?,
        rows: fields.need("rows")?,
        sha256: fields.need("sha256")?,
    };
    fields.end()?;
    Ok(entry)
}

fn file(mut fields: Object<'_>) -> Result<FileEntry> {
    let entry = FileEntry { file: fields.need("file")?, sha256: fields.need("sha256")? };
    fields.end()?;
    Ok(entry)
}

fn conditional(mut fields: Object<'_>) -> Result<ConditionalColumn> {
    let column = fields.need("column")?;
    let contexts = fields.list("contexts")?.into_iter().map(|mut context| {
        let at = context.path("when");
        let when = context.take("when").ok_or_else(|| wrong(&at, "this field is missing"))?;
        let found = ContextShown { when: Object::read(&at, when.get())?.all()?, shows: context.need("shows")? };
        context.end()?;
        Ok(found)
    });
    let found = ConditionalColumn { column, contexts: contexts.collect::<Result<_>>()? };
    fields.end()?;
    Ok(found)
}

fn coarse(mut fields: Object<'_>) -> Result<CoarseColumn> {
    let found = CoarseColumn { column: fields.need("column")?, rest: fields.may("rest")? };
    fields.end()?;
    Ok(found)
}

fn attained(mut fields: Object<'_>) -> Result<AttainedEntry> {
    let requirement = fields.need("requirement")?;
    let column = fields.may("column")?;
    let text = |raw: &RawValue| serde_json::from_str::<String>(raw.get()).unwrap_or_else(|_| raw.get().to_string());
    let figures = fields.pairs.iter().map(|(name, raw)| (name.clone(), text(raw))).collect();
    Ok(AttainedEntry { requirement, column, figures })
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

    fn has(&self, field: &str) -> bool {
        self.pairs.iter().any(|(name, _)| name == field)
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

    fn list(&mut self, field: &str) -> Result<Vec<Object<'a>>> {
        let path = self.path(field);
        let raw = self.take(field).ok_or_else(|| wrong(&path, "this field is missing"))?;
        let items: Vec<&'a RawValue> =
            serde_json::from_str(raw.get()).map_err(|_| wrong(&path, "this is not a list"))?;
        items.iter().enumerate().map(|(i, item)| Object::read(&format!("{path}[{i}]"), item.get())).collect()
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
        // The position inside the field is of no use to anybody; the rest of the message is.
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or_default();
        wrong(at, format!("wrong type: {}", reason.trim_start_matches("invalid type: ")))
    })
}

fn one_of<T: Copy, const N: usize>(at: &str, text: &str, known: [(&str, T); N]) -> Result<T> {
    known.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
        let names = known.map(|(name, _)| name);
        let hint = match nearest(text, names) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("one of {}", names.join(", ")),
        };
        wrong(at, "this word is not known here").shows(text).hint(hint)
    })
}

fn wrong(field: &str, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    Error::data(MANIFEST, if field.is_empty() { reason } else { format!("field `{field}`: {reason}") })
}
