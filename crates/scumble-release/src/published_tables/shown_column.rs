//! Columns published value by value: what their texts mean.

use crate::findings::{Findings, problems};
use crate::form::{STAR, SUPPRESSED};
use crate::published_column::{Extent, PublishedColumn, plain_decimal};
use scumble_io::Dictionary;
use scumble_table::{Attribute, Code, Codes, Domain, Kind, NULL, number_of, parse_date, with_codes};
use std::borrow::Cow;

/// A column with one value per row.
pub struct ShownColumn {
    /// The column as the manifest has it.
    pub column: PublishedColumn,
    /// The values that occur in rows that are not suppressed.
    pub domain: Domain,
    /// Code of each row in that domain; null where the row is suppressed.
    pub codes: Codes,
}

impl ShownColumn {
    /// The column as the principles know columns.
    pub fn attribute(&self) -> Attribute {
        Attribute { name: self.column.name().into(), role: self.column.role(), domain: self.domain.clone() }
    }
}

/// A column of values as it was read, with what is wrong with it.
pub(super) struct CheckedColumn {
    pub(super) column: PublishedColumn,
    /// A suppressed row that shows something, from 0.
    pub(super) unveiled: Option<usize>,
    /// The values that occur in rows that are not suppressed, and the code of each row; or why a
    /// text does not read.
    pub(super) read: Result<(Domain, Codes), String>,
}

impl CheckedColumn {
    pub(super) fn read(column: &PublishedColumn, dictionary: &Dictionary, codes: Codes, row_group: &[u32]) -> Self {
        let mut veil = Veil::new(dictionary);
        let mut used = vec![false; dictionary.len() + 1];
        let mut unveiled = None;
        with_codes!(&codes, |codes| for (row, (&code, &group)) in codes.iter().zip(row_group).enumerate() {
            if group != SUPPRESSED {
                used[code as usize] = true;
            } else if !veil.is_over(code as usize as Code) {
                unveiled = unveiled.or(Some(row));
            }
        });
        let occurs = (1..used.len() as Code).filter(|&code| used[code as usize]);
        let texts: Vec<(Code, &str)> = occurs.map(|code| (code, dictionary.text(code))).collect();
        let read = match domain_of(column, &texts) {
            Ok((domain, pairs)) => {
                let mut map = vec![NULL; used.len()];
                for (from, to) in pairs {
                    map[from as usize] = to;
                }
                Ok((domain, codes.mapped(&map)))
            }
            Err((at, reason)) => {
                let line = at.and_then(|code| dictionary.line(code));
                let line = line.map_or(String::new(), |line| format!(", line {line}"));
                Err(format!("column `{}`{line}: {reason}", column.name()))
            }
        };
        CheckedColumn { column: column.clone(), unveiled, read }
    }

    /// Why the manifest's domain is not that of the column; nothing where it is, or where texts do not read.
    pub(super) fn off_domain(&self) -> Option<String> {
        let (domain, _) = self.read.as_ref().ok()?;
        let is_off = Extent::from_codes(domain, domain.codes()) != *self.column.extent();
        is_off.then(|| format!("`{}`: the domain is not what the column shows", self.column.name()))
    }

    /// The column itself, if it reads.
    pub(super) fn values(self) -> Option<ShownColumn> {
        let (domain, codes) = self.read.ok()?;
        Some(ShownColumn { column: self.column, domain, codes })
    }
}

/// What the suppressed rows of a column show: stars in a file of texts; nothing in one of types, and where they are left out.
/// One column has one of them throughout, so that no row is marked by its choice.
pub(super) struct Veil {
    star: Option<Code>,
    first: Option<Code>,
}

impl Veil {
    pub(super) fn new(dictionary: &Dictionary) -> Veil {
        Veil { star: code_of(dictionary, STAR), first: None }
    }

    /// Whether a code of a suppressed row tells nothing.
    pub(super) fn is_over(&mut self, code: Code) -> bool {
        let hides = code == NULL || Some(code) == self.star;
        hides && *self.first.get_or_insert(code) == code
    }
}

/// Notes whether suppressed rows show nothing. Given are columns with a row that does not, from 0.
pub(super) fn note_suppressed<'a>(
    findings: &mut Findings,
    unveiled: impl Iterator<Item = (&'a PublishedColumn, Option<usize>)>,
) {
    let shows = |name: &str, row: usize| format!("row {} is suppressed and shows something in `{name}`", row + 1);
    let list = unveiled.filter_map(|(column, row)| row.map(|row| shows(column.name(), row))).collect();
    let nothing = if findings.suppressed == 0 { "" } else { ", of which nothing is shown" };
    findings.note("suppressed", problems(list, || number_of(findings.suppressed, "row", "rows") + nothing));
}

/// The code of a text in the dictionary of a column.
pub(super) fn code_of(dictionary: &Dictionary, text: &str) -> Option<Code> {
    dictionary.iter().zip(1..).find(|(known, _)| *known == text).map(|(_, code)| code)
}

/// What is wrong with a text: its code in the file's dictionary and the reason, but never the text
/// itself, which may be somebody's secret.
pub(super) type Fault = (Option<Code>, String);

/// The domain of the texts that occur, and the code of each text in it. Texts are given with their
/// code in the file's dictionary.
pub(super) fn domain_of(
    column: &PublishedColumn,
    texts: &[(Code, &str)],
) -> Result<(Domain, Vec<(Code, Code)>), Fault> {
    let of_all = |reason: String| (None, reason);
    let domain = match column.kind() {
        Kind::Number => {
            let numbers = read_all(texts, plain_decimal, "this is not a plain decimal")?;
            Domain::numbers(numbers).map_err(|error| of_all(error.to_string()))?
        }
        Kind::Date => Domain::dates(read_all(texts, parse_date, "this is not an ISO date")?),
        Kind::Nominal => Domain::nominal(texts.iter().map(|&(_, text)| text.into()).collect()),
        Kind::Ordinal => {
            let place = |text| Some((column.position(text)?, text));
            let mut places = read_all(texts, place, "this label is not in the manifest's domain")?;
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
    let domain = domain.with_missing(column.missing());
    let codes = codes_of(&domain, texts).ok_or_else(|| of_all("two texts mean the same value".into()))?;
    Ok((domain, codes))
}

/// What every text denotes, or the first that denotes nothing.
fn read_all<'a, T>(
    texts: &[(Code, &'a str)],
    read: impl Fn(&'a str) -> Option<T>,
    otherwise: &str,
) -> Result<Vec<T>, Fault> {
    texts.iter().map(|&(at, text)| read(text).ok_or_else(|| (Some(at), otherwise.to_string()))).collect()
}

/// `None` unless every text has a code of its own.
fn codes_of(domain: &Domain, texts: &[(Code, &str)]) -> Option<Vec<(Code, Code)>> {
    if domain.len() != texts.len() {
        return None;
    }
    let find = code_finder(domain);
    texts.iter().map(|&(at, text)| find(text).map(|code| (at, code))).collect()
}

/// Finds the codes of texts. Looking ordinal labels up one by one would be quadratic.
fn code_finder(domain: &Domain) -> impl Fn(&str) -> Option<Code> {
    let mut by_label: Vec<(Cow<'_, str>, Code)> = Vec::new();
    if domain.kind() == Kind::Ordinal {
        by_label.extend(domain.codes().map(|code| (domain.text(code), code)));
        by_label.sort_unstable();
    }
    move |text| match domain.kind() {
        Kind::Ordinal => by_label.binary_search_by(|(label, _)| (**label).cmp(text)).ok().map(|at| by_label[at].1),
        _ => domain.code_of(text),
    }
}

/// A value that no published row shows.
pub const UNPUBLISHED: Code = Code::MAX;

/// The published code of each text of another table, [`UNPUBLISHED`] for texts that denote none.
pub fn value_map(domain: &Domain, dictionary: &Dictionary) -> Vec<Code> {
    let find = code_finder(domain);
    std::iter::once(NULL).chain(dictionary.iter().map(|text| find(text).unwrap_or(UNPUBLISHED))).collect()
}
