//! Whose row each row is, as the columns that say it tell.

use crate::job::{Column, ColumnRole, Columns};
use crate::person_keys::{KeyColumn, warn_of_alike_keys};
use rayon::prelude::*;
use scumble_io::{RawColumn, RawTable};
use scumble_ledger::{other_zeros, person_digest, plain_key};
use scumble_table::{Attribute, Codes, Error, Monitor, NULL, PersonDigests, Persons, Result, Schema, Table};
use std::borrow::Cow;
use std::sync::Arc;

/// Whether a column says whose row it is.
pub(super) fn is_person(column: &Column) -> bool {
    column.role == Some(ColumnRole::Person)
}

/// Whose row each row is, by columns that were read as texts.
pub(crate) fn persons_of(raw: &RawTable, person: &[String]) -> Result<Option<Persons>> {
    if person.is_empty() {
        return Ok(None);
    }
    let mut keys = Vec::new();
    for name in person {
        let RawColumn::Text { dictionary, codes } = &raw.columns[raw.position("person", name)?] else {
            return Err(Error::bug(format!("column `{name}` was not read as text")));
        };
        keys.push((codes, dictionary.len() + 1));
    }
    Ok(Some(Persons::from_keys(raw.n_rows, &keys)))
}

/// The columns that say whose rows are whose, with their texts.
pub(crate) fn key_columns<'a>(raw: &'a RawTable, person: &[String]) -> Vec<KeyColumn<'a>> {
    let named = raw.names.iter().zip(&raw.columns).filter(|(name, _)| person.contains(name));
    let keys = named.filter_map(|(_, column)| match column {
        RawColumn::Text { dictionary, codes } => Some(KeyColumn {
            codes,
            n_codes: dictionary.len() + 1,
            text: Box::new(|code| dictionary.text(code).into()),
        }),
        RawColumn::Integer(_) | RawColumn::Skipped => None,
    });
    keys.collect()
}

/// Takes the columns that say whose rows are whose out of a table: what is left knows persons by numbers, and where a ledger
/// is to remember them by digests of their keys.
pub(super) fn with_persons(table: Table, columns: &Columns, remembered: bool, monitor: Monitor<'_>) -> Result<Table> {
    let keys: Vec<&str> = columns.iter().filter(|(_, column)| is_person(column)).map(|(name, _)| &**name).collect();
    if keys.is_empty() {
        return Ok(table);
    }
    let n_rows = table.n_rows();
    let (named, rest): (Vec<_>, Vec<_>) =
        table.into_columns().into_iter().partition(|(attribute, _)| keys.contains(&attribute.name.as_str()));
    let keys: Vec<(&Codes, usize)> =
        named.iter().map(|(attribute, codes)| (codes, attribute.domain.n_codes())).collect();
    let mut persons = Persons::from_keys(n_rows, &keys);
    monitor.check()?;
    let texts = named.iter().map(|(attribute, codes)| KeyColumn {
        codes,
        n_codes: attribute.domain.n_codes(),
        text: Box::new(|code| attribute.domain.text(code)),
    });
    warn_of_alike_keys(&persons, &texts.collect::<Vec<_>>(), monitor)?;
    if remembered {
        let digests = person_digests(&persons, &named);
        persons = persons.with_digests(digests);
        monitor.check()?;
    }
    let (attributes, codes): (Vec<Attribute>, Vec<Codes>) = rest.into_iter().unzip();
    of_persons(Table::new(Schema::new(attributes)?, codes, n_rows)?, persons, monitor)
}

/// A table with whose row each row is, and a warning where rows do not say so.
pub(super) fn of_persons(table: Table, persons: Persons, monitor: Monitor<'_>) -> Result<Table> {
    let n_rows = table.n_rows();
    if persons.n_unnamed() > 0 {
        monitor.warn(&match persons.n_unnamed() {
            1 => format!("1 of {n_rows} rows does not say whose it is: it counts as a person of its own"),
            n => format!(
                "{n} of {n_rows} rows do not say whose they are: each counts as a person of its own, and if somebody has \
                 several of them less is promised than it seems"
            ),
        });
    }
    table.with_persons(Arc::new(persons))
}

/// Persons whose keys are tried with other leading zeros.
const TRIED_WITH_ZEROS: usize = 1000;

/// Digits of such keys at most.
const MOST_DIGITS: usize = 12;

/// What tells each person again in other data: a digest of the key, whose columns come by rising names. 0 for those whose
/// key is missing.
fn person_digests(persons: &Persons, keys: &[(Attribute, Codes)]) -> PersonDigests {
    let mut keys: Vec<&(Attribute, Codes)> = keys.iter().collect();
    keys.sort_unstable_by_key(|(attribute, _)| &attribute.name);
    let mut first_row = vec![u32::MAX; persons.n()];
    for (row, &person) in (0..).zip(persons.of_rows()) {
        let first = &mut first_row[person as usize];
        *first = row.min(*first);
    }
    let texts = |row: u32| -> Option<Vec<Cow<'_, str>>> {
        let codes = || keys.iter().map(|(_, codes)| codes.get(row as usize));
        let text = || keys.iter().zip(codes()).map(|((attribute, _), code)| attribute.domain.text(code));
        codes().all(|code| code != NULL).then(|| text().collect())
    };
    let plain = |texts: &[Cow<'_, str>]| person_digest(texts.iter().map(|text| plain_key(text)));
    let digests = |&row: &u32| match texts(row) {
        None => (0, 0),
        Some(texts) => {
            let differs = texts.iter().any(|text| plain_key(text) != text);
            (plain(&texts), if differs { person_digest(&texts) } else { 0 })
        }
    };
    let (people, mut as_written): (Vec<u128>, Vec<u128>) = first_row.par_iter().map(digests).unzip();
    if as_written.iter().all(|digest| *digest == 0) {
        as_written = Vec::new();
    }
    // Keys of several columns are numbers of which nothing is guessed.
    let mut zeros: Vec<u128> = Vec::new();
    if let [_] = &keys[..] {
        let tried = first_row.iter().filter_map(|&row| texts(row)).take(TRIED_WITH_ZEROS);
        zeros = tried
            .flat_map(|texts| other_zeros(plain_key(&texts[0]), MOST_DIGITS))
            .map(|key| person_digest([key]))
            .collect();
        zeros.sort_unstable();
        zeros.dedup();
    }
    if !zeros.is_empty() {
        let mut own = people.clone();
        own.par_sort_unstable();
        zeros.retain(|digest| own.binary_search(digest).is_err());
    }
    PersonDigests { people, as_written, other_zeros: zeros }
}
