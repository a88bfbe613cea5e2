//! The boxes of a table made by another tool, read in the notation of our releases.
//!
//! Such a table says nothing of its columns. One whose texts are all numbers or intervals of numbers is a column of numbers, and so with dates; all others
//! are labels and sets of labels, each standing for itself. `*` is everything, and an empty cell is null.

use crate::population::GroupBoxes;
use scumble_release::notation::{Region, parse};
use scumble_release::{Extent, PublishedColumn};
use scumble_table::{Code, Decimal, Domain, Error, Kind, Result, Role, Table, parse_date};
use std::collections::BTreeSet;

/// The boxes of groups, each known by its first row.
pub(super) struct ForeignBoxes {
    columns: Vec<(PublishedColumn, Vec<Option<Region>>, Vec<u32>)>,
    sizes: Vec<u32>,
}

impl ForeignBoxes {
    /// Reads the quasi-identifiers of a table. `groups` are a row of each group and its size.
    ///
    /// # Errors
    /// If a text is no value of the notation.
    pub(super) fn read(table: &Table, groups: &[(u32, u32)]) -> Result<ForeignBoxes> {
        let mut columns = Vec::new();
        for at in table.schema().of_role(Role::Quasi) {
            let attribute = table.attribute(at);
            let column = described(&attribute.name, &attribute.domain)?;
            let region = |code: Code| parse(&attribute.domain.text(code), &column).map(Some);
            let regions = (0..attribute.domain.n_codes() as Code).map(region).collect::<Result<Vec<_>>>()?;
            let of_group = groups.iter().map(|&(row, _)| table.column(at).get(row as usize)).collect();
            columns.push((column, regions, of_group));
        }
        Ok(ForeignBoxes { columns, sizes: groups.iter().map(|&(_, size)| size).collect() })
    }

    pub(super) fn boxes(&self) -> GroupBoxes<'_> {
        let columns = self.columns.iter().map(|(column, regions, of_group)| (column, &regions[..], &of_group[..]));
        // Rows of stars are boxes here.
        GroupBoxes { columns: columns.collect(), sizes: &self.sizes, suppressed: 0 }
    }
}

/// A column as its texts describe it.
fn described(name: &str, domain: &Domain) -> Result<PublishedColumn> {
    let texts: Vec<String> =
        domain.codes().map(|code| domain.text(code).into_owned()).filter(|text| text != "*").collect();
    let ends = |text: &str| -> Vec<String> {
        let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let parts = inside.and_then(|inside| inside.split_once(','));
        parts.map_or_else(|| vec![text.into()], |(lo, hi)| vec![lo.into(), hi.into()])
    };
    let all: Vec<String> = texts.iter().flat_map(|text| ends(text)).collect();
    let numbers: Option<Vec<Decimal>> = all.iter().map(|text| Decimal::parse(text)).collect();
    let days: Option<Vec<i32>> = all.iter().map(|text| parse_date(text)).collect();
    let (kind, extent) = match (numbers.filter(|found| !found.is_empty()), days.filter(|found| !found.is_empty())) {
        (Some(numbers), _) => {
            let bounds = numbers.iter().min().copied().zip(numbers.iter().max().copied());
            (Kind::Number, Extent::Numbers(bounds))
        }
        (None, Some(days)) => (Kind::Date, Extent::Days(days.iter().min().copied().zip(days.iter().max().copied()))),
        (None, None) => {
            let members = |text: &String| -> Vec<String> {
                let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
                inside.map_or_else(|| vec![text.clone()], |inside| inside.split('|').map(String::from).collect())
            };
            let labels: BTreeSet<String> = texts.iter().flat_map(members).collect();
            (Kind::Nominal, Extent::Labels(labels.into_iter().collect()))
        }
    };
    PublishedColumn::new(name, Role::Quasi, kind, extent, None)
        .map_err(|_| Error::request("quasi", name, "its texts cannot be read as boxes"))
}
