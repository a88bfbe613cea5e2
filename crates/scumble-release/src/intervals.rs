//! Generalized numbers, dates and ordered labels as two columns of their type, both ways.
//!
//! ```text
//! age          age_lower  age_upper
//! [17,24]      17         24
//! 17           17         17
//! *            17         90         the ends of the manifest's domain
//! (empty)      (empty)    (empty)
//! ```
//!
//! The two ends of the domain are always read as `*`: an interval that covers the whole domain and one behind which a missing
//! value may be look the same, so that the columns tell no more than texts do. The texts of such a release say `*` for both
//! from the start. A column that shows `*` and has no two ends to show for it stays text, as do labels without an order and
//! those of a hierarchy.
//!
//! This is the only place that knows of the two columns: writers ask for the ends of a text, and readers get the text back.

use crate::form::{BucketTable, Form, IntervalEnds, QuasiColumn, STAR};
use crate::manifest::{ConditionalColumn, ManifestColumn};
use crate::notation::{Region, escape_end, escape_plain, parse};
use crate::published_column::{Extent, PublishedColumn};
use crate::{BATCH, GROUP};
use scumble_io::{Dictionary, NULL_INTEGER, RawColumn, RawTable};
use scumble_table::{Code, Codes, Error, NULL, Result, Role, Stored, date_text};
use std::collections::HashMap;

/// The names of the two columns that stand in the place of one.
pub fn end_names(column: &str) -> [String; 2] {
    [format!("{column}_lower"), format!("{column}_upper")]
}

/// Whether a column may show its ends in two columns, whatever its cells are.
pub(crate) fn may_show_ends(role: Role, kind: scumble_table::Kind, has_hierarchy: bool) -> bool {
    role == Role::Quasi && kind.is_ordered() && !has_hierarchy
}

/// The ends of a domain as texts, without escapes; nothing where it shows no value.
fn ends_of_extent(extent: &Extent) -> Option<[String; 2]> {
    Some(match extent {
        Extent::Numbers(bounds) => bounds.map(|(lo, hi)| [lo.to_string(), hi.to_string()])?,
        Extent::Days(bounds) => bounds.map(|(first, last)| [date_text(first), date_text(last)])?,
        Extent::Labels(labels) => [labels.first()?.clone(), labels.last()?.clone()],
    })
}

/// Makes a release show the ends of its intervals in columns of their own, where that tells no more than texts: numbers,
/// dates and ordered labels without a hierarchy. `stored` says what the source stored a column as.
///
/// # Errors
/// If another column has the name that one of these needs.
pub fn show_ends(
    columns: &mut [ManifestColumn],
    form: &mut Form,
    conditional: &mut [ConditionalColumn],
    hierarchies: &[String],
    stored: impl Fn(&str) -> Stored,
) -> Result<()> {
    let mut boxed: Vec<&mut QuasiColumn> = match form {
        Form::Generalized(form) => form.quasi.iter_mut().collect(),
        Form::Angel(form) => form.tables.iter_mut().flat_map(|table| &mut table.quasi).collect(),
        Form::Anatomy(_) | Form::Permuted(_) => return Ok(()),
    };
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    for column in columns.iter_mut() {
        if !may_show_ends(column.role, column.kind, hierarchies.contains(&column.name)) {
            continue;
        }
        let here = || boxed.iter().filter(|boxes| boxes.name == column.name);
        let ends = ends_of_extent(&column.domain);
        let starred = here().any(|boxes| boxes.texts.iter().any(|text| text == STAR));
        let apart = ends.as_ref().is_some_and(|[lower, upper]| lower != upper);
        if starred && !apart {
            continue;
        }
        let own = end_names(&column.name);
        // Databases do not tell apart what differs by capitals only.
        let lowered = own.each_ref().map(|name| name.to_lowercase());
        if let Some(taken) = names.iter().find(|name| lowered.contains(&name.to_lowercase())) {
            let reason = format!("the ends of `{}` need the name of another column, `{taken}`", column.name);
            return Err(
                Error::request("intervals", "columns", reason).hint("rename that column, or use «intervals» text")
            );
        }
        let published = column.published(None)?;
        let stored = match stored(&column.name) {
            // Numerals in texts are numbers here.
            Stored::Text => Stored::Unstated,
            stored => stored,
        };
        for boxes in boxed.iter_mut().filter(|boxes| boxes.name == column.name) {
            split(boxes, &published, ends.as_ref(), stored.clone())?;
        }
        if let (Some(ends), true) = (&ends, apart) {
            let whole = format!("[{},{}]", escape_end(&ends[0]), escape_end(&ends[1]));
            widen_contexts(conditional, &column.name, &whole);
        }
        column.published = true;
    }
    Ok(())
}

/// Gives the columns of a table that is added to a release their ends, as the release has them.
///
/// # Errors
/// If the release shows `*` by the ends of a domain that the new table changes, or by none.
pub fn show_ends_of_added(
    columns: &[ManifestColumn],
    before: &[ManifestColumn],
    starred: &[String],
    added: &mut [BucketTable],
    stored: impl Fn(&str) -> Stored,
) -> Result<()> {
    for (column, before) in columns.iter().zip(before).filter(|(column, _)| column.published) {
        let mut boxed = added.iter_mut().flat_map(|table| &mut table.quasi).filter(|boxes| boxes.name == column.name);
        let Some(first) = boxed.next() else { continue };
        let boxed: Vec<&mut QuasiColumn> = std::iter::once(first).chain(boxed).collect();
        let ends = ends_of_extent(&column.domain);
        let shows_star = starred.contains(&column.name);
        let new_star = boxed.iter().any(|boxes| boxes.texts.iter().any(|text| text == STAR));
        let apart = ends.as_ref().is_some_and(|[lower, upper]| lower != upper);
        if (shows_star && ends != ends_of_extent(&before.domain)) || (new_star && !apart) {
            let reason = format!(
                "the new table shows other ends of `{}`, and the release shows `*` by the ends that it has",
                column.name
            );
            return Err(Error::request("marginal", &column.name, reason)
                .hint("leave the column out, or publish with «intervals» text"));
        }
        let published = column.published(None)?;
        let stored = match stored(&column.name) {
            Stored::Text => Stored::Unstated,
            stored => stored,
        };
        for boxes in boxed {
            split(boxes, &published, ends.as_ref(), stored.clone())?;
        }
    }
    Ok(())
}

/// The ends of a region, without escapes, as two columns show them; nothing for a missing value, and where there are none.
pub fn shown_ends(region: &Region, column: &PublishedColumn) -> Option<[String; 2]> {
    match region {
        Region::All => ends_of_extent(column.extent()),
        region => ends_of_region(region, column).ok().flatten(),
    }
}

/// Gives a column of boxes its ends. A text that covers the whole domain becomes `*`.
fn split(boxes: &mut QuasiColumn, column: &PublishedColumn, whole: Option<&[String; 2]>, stored: Stored) -> Result<()> {
    let mut texts: Vec<String> = Vec::new();
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    let mut places: HashMap<String, u32> = HashMap::new();
    let mut map = Vec::with_capacity(boxes.texts.len());
    for text in &boxes.texts {
        let mut ends = ends_of_region(&parse(text, column)?, column)?;
        let is_whole =
            |ends: &Option<[String; 2]>| ends.as_ref().is_some_and(|[lo, hi]| lo != hi) && ends.as_ref() == whole;
        let text = if text == STAR || is_whole(&ends) {
            ends = whole.cloned();
            STAR
        } else {
            text.as_str()
        };
        let place = *places.entry(text.to_string()).or_insert(texts.len() as u32);
        if place as usize == texts.len() {
            texts.push(text.to_string());
            let [lo, hi] = ends.unwrap_or_default();
            lower.push(lo);
            upper.push(hi);
        }
        map.push(place);
    }
    for text in &mut boxes.of_group {
        *text = map[*text as usize];
    }
    boxes.texts = texts;
    boxes.ends = Some(IntervalEnds { kind: column.kind(), stored, lower, upper });
    Ok(())
}

/// The ends of a region, without escapes; nothing for a missing value and for `*`.
fn ends_of_region(region: &Region, column: &PublishedColumn) -> Result<Option<[String; 2]>> {
    Ok(match (region, column.extent()) {
        (Region::Null | Region::All, _) => None,
        (Region::Numbers(lo, hi), _) => Some([lo.to_string(), hi.to_string()]),
        (Region::Days(first, last), _) => Some([date_text(*first), date_text(*last)]),
        (Region::Positions(lo, hi), Extent::Labels(labels)) => {
            Some([labels[*lo as usize].clone(), labels[*hi as usize].clone()])
        }
        _ => return Err(Error::bug(format!("a text of column `{}` has no ends", column.name()))),
    })
}

/// Contexts that name the text of the whole domain name `*` instead.
fn widen_contexts(conditional: &mut [ConditionalColumn], name: &str, whole: &str) {
    let widen = |texts: &mut Vec<String>| {
        for text in texts.iter_mut().filter(|text| *text == whole) {
            *text = STAR.into();
        }
        texts.sort_unstable();
        texts.dedup();
    };
    for entry in conditional {
        for context in &mut entry.contexts {
            if entry.column == name {
                widen(&mut context.shows);
            }
            context.when.iter_mut().filter(|(column, _)| column == name).for_each(|(_, texts)| widen(texts));
        }
    }
}

/// Puts the columns of a table together that stand for one. The text of a pair is the one that [`parse`] reads; whatever makes
/// no sense is left for it to refuse.
///
/// # Errors
/// If one of two columns is not there, or one end of a value is missing.
pub(crate) fn join_ends(raw: &mut RawTable, columns: &[PublishedColumn]) -> Result<()> {
    for column in columns.iter().filter(|column| column.shows_ends()) {
        let names = end_names(column.name());
        let at = names.each_ref().map(|name| raw.names.iter().position(|known| known == name));
        let wrong = |reason: &str| Err(Error::data(&raw.source, reason).at(None, Some(column.name())));
        let [lower, upper] = match at {
            // A marginal table has some of the columns only.
            [None, None] => continue,
            [Some(lower), Some(upper)] => [lower, upper],
            _ => return wrong("one of the two columns that show its ends is missing"),
        };
        if raw.names.iter().any(|known| known == column.name()) {
            return wrong("the column stands beside those that show its ends");
        }
        let groups = raw.integers(GROUP).or(raw.integers(BATCH));
        let suppressed = |row: usize| groups.is_some_and(|groups| groups[row] == NULL_INTEGER);
        let (RawColumn::Text { dictionary: lowest, codes: low }, RawColumn::Text { dictionary: highest, codes: high }) =
            (&raw.columns[lower], &raw.columns[upper])
        else {
            return Err(Error::bug("the ends of a column were not read as texts"));
        };
        let whole = ends_of_extent(column.extent());
        let mut known: HashMap<(Code, Code, bool), Code> = HashMap::new();
        let mut by_text: HashMap<String, Code> = HashMap::new();
        let mut texts: Vec<String> = Vec::new();
        let mut codes: Vec<Code> = Vec::with_capacity(raw.n_rows);
        for row in 0..raw.n_rows {
            let (lo, hi) = (low.get(row), high.get(row));
            let key = (lo, hi, suppressed(row));
            let code = match known.get(&key) {
                Some(&code) => code,
                None => {
                    if (lo == NULL) != (hi == NULL) {
                        return wrong("one end of a value is missing");
                    }
                    let text = text_of_ends(lowest.text(lo), highest.text(hi), whole.as_ref(), key.2);
                    let code = match by_text.get(&text) {
                        _ if text.is_empty() => NULL,
                        Some(&code) => code,
                        None => {
                            texts.push(text.clone());
                            by_text.insert(text, texts.len() as Code);
                            texts.len() as Code
                        }
                    };
                    known.insert(key, code);
                    code
                }
            };
            codes.push(code);
        }
        let dictionary = Dictionary::from_distinct(texts.iter())
            .ok_or_else(|| Error::data(&raw.source, "too many texts").at(None, Some(column.name())))?;
        raw.columns[lower] = RawColumn::Text { dictionary, codes: codes.into_iter().collect::<Codes>() };
        raw.names[lower] = column.name().into();
        raw.columns.remove(upper);
        raw.names.remove(upper);
    }
    Ok(())
}

/// The text that two ends stand for.
fn text_of_ends(lower: &str, upper: &str, whole: Option<&[String; 2]>, suppressed: bool) -> String {
    match (lower, upper) {
        ("", "") => String::new(),
        (STAR, STAR) if suppressed => STAR.into(),
        _ if lower == upper => escape_plain(lower),
        _ if whole.is_some_and(|[least, greatest]| lower == least && upper == greatest) => STAR.into(),
        _ => format!("[{},{}]", escape_end(lower), escape_end(upper)),
    }
}
