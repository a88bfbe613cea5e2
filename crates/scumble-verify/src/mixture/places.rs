//! Where groups lie: which of them meet, and which of them somebody may be in.

use super::classes::Classes;
use super::index::BoxIndex;
use crate::place_column;
use scumble_release::notation::{Region, parse};
use scumble_release::{Boxed, Exact, Extent, ManifestColumn, PublishedColumn, QuasiColumn};
use scumble_table::{Codes, Domain, Error, Partition, Result, Role, RowClasses, Table, date_text};

/// Where groups lie.
pub struct Places {
    pub(super) kind: Kind,
    /// Point of each row of the table, where there is a table: rows that no attacker can tell apart share one.
    pub(super) point_of_row: Vec<u32>,
}

pub(super) enum Kind {
    /// Boxes, and the ranks of each point of a table in their columns, point by point.
    Boxes { index: BoxIndex, n_columns: usize, ranks: Vec<u32> },
    /// Exact quasi-identifiers; a class is a point.
    Classes(Classes),
}

/// A column of boxes: what each text covers, and the text of each group.
struct Column<'a> {
    column: &'a PublishedColumn,
    regions: &'a [Option<Region>],
    of_group: &'a [u32],
}

impl Places {
    /// Boxes as they are published, with the columns as the manifest states them, and the people of the table that they
    /// were made from. Hierarchies are the table's.
    ///
    /// # Errors
    /// If a text cannot be read, or a column is missing.
    pub fn from_boxes(quasi: &[QuasiColumn], columns: &[ManifestColumn], table: &Table) -> Result<Self> {
        let (mut read, mut at) = (Vec::new(), Vec::new());
        for QuasiColumn { name, texts, of_group, .. } in quasi {
            let position = table.schema().position("column", name)?;
            let stated = columns.iter().find(|column| column.name == *name);
            let stated = stated.ok_or_else(|| Error::bug(format!("nothing is stated of column `{name}`")))?;
            // A manifest need not list the labels between the ends of intervals; people have them all the same.
            let own = &table.attribute(position).domain;
            let extent = match stated.domain {
                Extent::Labels(_) => Extent::from_codes(own, own.codes()),
                Extent::Numbers(_) | Extent::Days(_) => stated.domain.clone(),
            };
            let column = PublishedColumn::new(name, Role::Quasi, stated.kind, extent, own.hierarchy().cloned())?;
            let regions = texts.iter().map(|text| parse(text, &column).map(Some)).collect::<Result<Vec<_>>>()?;
            read.push((column, regions, of_group));
            at.push(position);
        }
        let columns: Vec<Column<'_>> =
            read.iter().map(|(column, regions, of_group)| Column { column, regions, of_group }).collect();
        Places::boxes(&columns, Some((table, &at)))
    }

    /// Exact quasi-identifiers of a table whose rows are in these groups.
    pub fn from_exact(table: &Table, partition: &Partition) -> Self {
        let mut group_of = vec![scumble_release::SUPPRESSED; table.n_rows()];
        for (group, rows) in partition.groups().enumerate() {
            rows.iter().for_each(|&row| group_of[row as usize] = group as u32);
        }
        let (point_of_row, n_classes) = points(table, &table.schema().of_role(Role::Quasi));
        let classes = Classes::new(&point_of_row, n_classes, &group_of, partition.n_groups());
        Places { kind: Kind::Classes(classes), point_of_row }
    }

    /// Boxes as they were read from a release.
    pub(crate) fn from_boxed_table(boxed: &Boxed) -> Result<Self> {
        let columns: Vec<Column<'_>> = boxed
            .quasi
            .iter()
            .map(|boxes| Column { column: &boxes.column, regions: &boxes.regions, of_group: &boxes.of_group })
            .collect();
        Places::boxes(&columns, None)
    }

    /// The groups of exact people as they were read from a release, one grouping after the other.
    pub(crate) fn from_exact_tables(tables: &Exact) -> Vec<Self> {
        let quasi = tables.people.iter().filter(|values| values.column.role() == Role::Quasi);
        let n_people = tables.groupings.first().map_or(0, |grouping| grouping.row_group.len());
        let columns = quasi.map(|values| (&values.domain, &values.codes));
        let (class_of, n_classes) = row_classes(n_people, columns);
        let places = tables.groupings.iter().map(|grouping| {
            let classes = Classes::new(&class_of, n_classes, &grouping.row_group, grouping.sizes.len());
            Places { kind: Kind::Classes(classes), point_of_row: Vec::new() }
        });
        places.collect()
    }

    /// Columns on lines of ranks that have the ends of every box, so that boxes meet exactly if their ranks do, and the
    /// values of a table, so that it is known which boxes lie around its rows. `at` are its columns.
    fn boxes(columns: &[Column<'_>], table: Option<(&Table, &[usize])>) -> Result<Self> {
        let (mut spans, mut lines) = (Vec::new(), Vec::new());
        for (i, Column { column, regions, .. }) in columns.iter().enumerate() {
            let mut texts: Vec<String> = match table {
                Some((table, at)) => {
                    let domain = &table.attribute(at[i]).domain;
                    domain.codes().map(|code| domain.text(code).into_owned()).collect()
                }
                None => Vec::new(),
            };
            // Labels and leaves have ranks of their own already.
            if column.hierarchy().is_none() {
                for region in regions.iter().flatten() {
                    match region {
                        Region::Numbers(lo, hi) => texts.extend([lo.to_string(), hi.to_string()]),
                        Region::Days(lo, hi) => texts.extend([date_text(*lo), date_text(*hi)]),
                        _ => {}
                    }
                }
            }
            let placed = place_column(column, regions, texts.iter().map(String::as_str))
                .map_err(|reason| Error::bug(format!("column `{}`: {reason}", column.name())))?;
            spans.push(placed.spans);
            lines.push(placed.ranks);
        }
        let n_groups = columns.first().map_or(0, |column| column.of_group.len());
        let texts = (0..n_groups).flat_map(|group| columns.iter().map(move |column| column.of_group[group]));
        let index = BoxIndex::new(spans, texts.collect());
        let n_columns = columns.len();
        let Some((table, at)) = table else {
            return Ok(Places { kind: Kind::Boxes { index, n_columns, ranks: Vec::new() }, point_of_row: Vec::new() });
        };
        let (point_of_row, n_points) = points(table, at);
        let mut ranks = vec![0u32; n_points * n_columns];
        let codes: Vec<&Codes> = at.iter().map(|&column| table.column(column)).collect();
        for (row, &point) in point_of_row.iter().enumerate() {
            let place = &mut ranks[point as usize * n_columns..(point as usize + 1) * n_columns];
            for ((rank, codes), line) in place.iter_mut().zip(&codes).zip(&lines) {
                *rank = line[codes.get(row) as usize];
            }
        }
        Ok(Places { kind: Kind::Boxes { index, n_columns, ranks }, point_of_row })
    }
}

/// Rows of a table by their values in some columns.
pub(crate) fn points(table: &Table, columns: &[usize]) -> (Vec<u32>, usize) {
    let columns = columns.iter().map(|&column| (&table.attribute(column).domain, table.column(column)));
    row_classes(table.n_rows(), columns)
}

/// Classes of rows that are equal in all columns, and their number.
fn row_classes<'a>(n_rows: usize, columns: impl Iterator<Item = (&'a Domain, &'a Codes)>) -> (Vec<u32>, usize) {
    let mut keys = RowClasses::new(n_rows);
    for (domain, codes) in columns {
        keys.push(domain.n_codes(), |row| codes.get(row));
    }
    keys.finish()
}
