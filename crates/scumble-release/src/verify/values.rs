//! Columns published value by value: what their texts mean.

use crate::published::{Extent, PublishedColumn};
use scumble_table::{Code, Decimal, Domain, Kind, parse_date};

/// What is wrong with a text: its code in the file's dictionary and the reason, but never the text
/// itself, which may be somebody's secret.
pub(crate) type Fault = (Option<Code>, String);

/// The domain of the texts that occur, and the code of each text in it. Texts are given with their
/// code in the file's dictionary.
pub(crate) fn domain_of(
    column: &PublishedColumn,
    texts: &[(Code, &str)],
) -> Result<(Domain, Vec<(Code, Code)>), Fault> {
    let of_all = |reason: String| (None, reason);
    let domain = match column.kind() {
        Kind::Number => {
            let mut numbers = Vec::with_capacity(texts.len());
            for &(at, text) in texts {
                // A decimal written in two ways would count as two values for a careless reader.
                let number = Decimal::parse(text).filter(|number| number.to_string() == text);
                numbers.push(number.ok_or((Some(at), "this is not a plain decimal".to_string()))?);
            }
            Domain::numbers(numbers).map_err(|error| of_all(error.to_string()))?
        }
        Kind::Date => {
            let mut days = Vec::with_capacity(texts.len());
            for &(at, text) in texts {
                days.push(parse_date(text).ok_or((Some(at), "this is not an ISO date".to_string()))?);
            }
            Domain::dates(days)
        }
        Kind::Nominal => Domain::nominal(texts.iter().map(|&(_, text)| text.into()).collect()),
        Kind::Ordinal => {
            let mut places = Vec::with_capacity(texts.len());
            for &(at, text) in texts {
                let lost = || (Some(at), "this label is not in the manifest's domain".to_string());
                places.push((column.position(text).ok_or_else(lost)?, text));
            }
            places.sort_unstable();
            Domain::ordinal(places.into_iter().map(|(_, text)| text.into()).collect())
        }
    };
    let domain = match column.hierarchy() {
        Some(tree) => domain
            .with_hierarchy("the release's hierarchy", column.name(), tree.clone())
            .map_err(|_| of_all("the hierarchy lacks a published value".into()))?,
        None => domain,
    };
    let codes = codes_of(&domain, texts).ok_or_else(|| of_all("two texts mean the same value".into()))?;
    Ok((domain, codes))
}

/// `None` unless every text has a code of its own.
fn codes_of(domain: &Domain, texts: &[(Code, &str)]) -> Option<Vec<(Code, Code)>> {
    if domain.kind() == Kind::Ordinal {
        // Looking labels up one by one would be quadratic.
        let mut sorted: Vec<(std::borrow::Cow<'_, str>, Code)> =
            domain.codes().map(|code| (domain.text(code), code)).collect();
        sorted.sort_unstable();
        let find = |text: &str| sorted.binary_search_by(|(label, _)| (**label).cmp(text)).ok().map(|at| sorted[at].1);
        return texts.iter().map(|&(at, text)| find(text).map(|code| (at, code))).collect();
    }
    if domain.len() != texts.len() {
        return None;
    }
    texts.iter().map(|&(at, text)| domain.code_of(text).map(|code| (at, code))).collect()
}

/// Whether the manifest states exactly the values that occur.
pub(crate) fn check_domain(column: &PublishedColumn, domain: &Domain) -> Result<(), String> {
    let shown = Extent::of_codes(domain, domain.codes());
    if shown == *column.extent() { Ok(()) } else { Err("the domain is not what the column shows".into()) }
}
