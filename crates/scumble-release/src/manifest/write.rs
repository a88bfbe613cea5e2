//! Manifests as text.

use super::{Manifest, ManifestColumn};
use crate::intervals::end_names;
use crate::published_column::{Extent, plain_decimal};
use scumble_table::{Error, Result, date_text};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

pub(super) fn json(manifest: &Manifest) -> Result<String> {
    let mut text = serde_json::to_string_pretty(manifest)
        .map_err(|error| Error::bug(format!("the manifest cannot be written as JSON: {error}")))?;
    text.push('\n');
    Ok(text)
}

/// Pairs as an object, in their order.
pub(super) fn object<T: Serialize, S: Serializer>(pairs: &[(String, T)], to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(pairs.len()))?;
    for (key, value) in pairs {
        map.serialize_entry(key, value)?;
    }
    map.end()
}

impl Serialize for ManifestColumn {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut out = to.serialize_struct("ManifestColumn", 4 + usize::from(self.published))?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("role", self.role.name())?;
        out.serialize_field("type", self.kind.name())?;
        out.serialize_field("domain", &self.domain)?;
        if self.published {
            out.serialize_field("published", &end_names(&self.name))?;
        }
        out.end()
    }
}

/// Figures as an object, or as fields of one: plain decimals as numbers with all their digits, others as text.
///
/// # Errors
/// If the serializer fails.
pub fn serialize_figures<S: Serializer>(figures: &[(String, String)], to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    for (name, text) in figures {
        match plain_decimal(text) {
            Some(_) => map.serialize_entry(name, &exact::<S::Error>(text.clone())?)?,
            None => map.serialize_entry(name, text)?,
        }
    }
    map.end()
}

/// A number that is written as it stands.
fn exact<E: serde::ser::Error>(text: String) -> Result<Box<RawValue>, E> {
    RawValue::from_string(text).map_err(E::custom)
}

impl Serialize for Extent {
    /// Numbers keep every digit: they are written from their decimal text, not through a float.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Extent::Numbers(None) | Extent::Days(None) => to.collect_seq([(); 0]),
            Extent::Numbers(Some((lo, hi))) => to.collect_seq([exact(lo.to_string())?, exact(hi.to_string())?]),
            Extent::Days(Some((first, last))) => to.collect_seq([date_text(*first), date_text(*last)]),
            Extent::Labels(labels) => to.collect_seq(labels),
        }
    }
}
