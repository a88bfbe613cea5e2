//! The tables of a release as sheets, from its own bytes.

use super::sheet::{Cell, Cells, ExportColumn, ExportTable, SqlType};
use scumble_io::{NULL_INTEGER, RawColumn, RawTable};
use scumble_release::notation::parse;
use scumble_release::{
    Anatomy, Angel, BATCH, COUNT, GROUP, Generalized, HITS, Method, Permuted, PermutedTables, PublishedColumn,
    ReleaseReader, TUPLE, end_names, shown_ends,
};
use scumble_table::{Codes, Decimal, Error, Kind, Monitor, NULL, Result, Role, parse_date};

/// All tables of a release, in the order of its manifest.
pub(crate) fn sheets(release: &ReleaseReader, monitor: Monitor<'_>) -> Result<Vec<ExportTable>> {
    let plan = PermutedTables::from_manifest(release.manifest());
    let sensitive: Vec<&PublishedColumn> =
        release.columns().iter().filter(|column| column.role() == Role::Sensitive).collect();
    let mut sheets = Vec::new();
    for entry in &release.manifest().tables {
        let raw = release.table(&entry.name, monitor)?;
        let helped = match release.manifest().method {
            Method::Permute => plan.helps.iter().find(|(name, _)| *name == entry.name).map(|&(_, at)| sensitive[at]),
            _ => None,
        };
        sheets.push(match helped {
            Some(column) => help(&entry.name, raw, column)?,
            None => published(release, &entry.name, raw)?,
        });
    }
    Ok(sheets)
}

/// A table of people, groups or values.
fn published(release: &ReleaseReader, name: &str, raw: RawTable) -> Result<ExportTable> {
    let generalized = matches!(release.manifest().method, Method::Generalize | Method::Angel);
    let n_rows = raw.n_rows;
    let mut columns = Vec::new();
    let has_groups = raw.names.iter().any(|name| name == GROUP || name == BATCH) && name != Permuted::MAPPING;
    for (title, column) in raw.names.into_iter().zip(raw.columns) {
        let known = release.columns().iter().find(|column| column.name() == title);
        if let (RawColumn::Text { dictionary, codes }, Some(known)) = (&column, known)
            && known.shows_ends()
        {
            let texts: Vec<&str> = std::iter::once("").chain(dictionary.iter()).collect();
            columns.extend(ends(known, &texts, codes)?);
        }
        columns.push(match (column, known) {
            (RawColumn::Integer(numbers), _) => whole(&title, numbers)?,
            (RawColumn::Text { dictionary, codes }, Some(known)) => {
                let boxed = generalized && known.role() == Role::Quasi;
                let kind = if boxed { Kind::Nominal } else { known.kind() };
                let about = match (known.role(), boxed) {
                    (Role::Quasi, true) => "quasi-identifier, generalized".to_string(),
                    (Role::Sensitive, _) if name == Permuted::PEOPLE => {
                        "sensitive, shuffled inside the groups: not the value of this person".to_string()
                    }
                    (role, _) => format!("{role}, exact"),
                };
                let texts: Vec<&str> = std::iter::once("").chain(dictionary.iter()).collect();
                let (cells, sql, not_null) = typed(&title, kind, (&texts, codes), 0, has_groups && !boxed)?;
                ExportColumn::new(&title, about, sql, not_null, cells)
            }
            (_, None) | (RawColumn::Skipped, _) => {
                return Err(Error::bug(format!("table {name} has a column {title} that nobody knows")));
            }
        });
    }
    let mut sheet = ExportTable::new(name, about(release.manifest().method, name), columns, n_rows);
    if sheet.columns.iter().any(|column| column.is_group() && !column.not_null) {
        // Rows without a group show nothing but the stars of boxes.
        for column in &mut sheet.columns {
            column.not_null &= !matches!(column.cells, Cells::Coded { veiled: true, .. });
        }
    }
    let tupled = sheet.columns.iter().any(|column| column.name == TUPLE && matches!(column.cells, Cells::Whole(_)));
    if tupled {
        sheet.key = vec![TUPLE.into()];
        sheet.tuples_of = (name != Permuted::PEOPLE).then(|| Permuted::PEOPLE.into());
    }
    let looked_up = |column: &&ExportColumn| {
        let quasi = release.columns().iter().any(|known| known.name() == column.name && known.role() == Role::Quasi);
        column.is_indexable() && (quasi || column.is_group())
    };
    sheet.indexes = sheet.columns.iter().filter(looked_up).map(|column| column.name.clone()).collect();
    Ok(sheet)
}

/// The ends of generalized values, which the release shows in two columns, and statements over it ask for.
fn ends(column: &PublishedColumn, texts: &[&str], codes: &Codes) -> Result<[ExportColumn; 2]> {
    let ends = |text: &&str| -> Result<[String; 2]> {
        // The star of a suppressed row has the ends of the domain too, and nobody asks for it.
        Ok(shown_ends(&parse(text, column)?, column).unwrap_or_default())
    };
    let ends = texts.iter().map(ends).collect::<Result<Vec<[String; 2]>>>()?;
    let [lower, upper] = end_names(column.name());
    let one = |name: &str, at: usize| -> Result<ExportColumn> {
        let texts: Vec<&str> = ends.iter().map(|pair| pair[at].as_str()).collect();
        let (cells, sql, _) = typed(name, column.kind(), (&texts, codes.clone()), 0, false)?;
        let which = if at == 0 { "least" } else { "greatest" };
        Ok(ExportColumn::new(name, format!("the {which} value of {} behind the row", column.name()), sql, false, cells))
    };
    Ok([one(&lower, 0)?, one(&upper, 1)?])
}

fn about(method: Method, name: &str) -> &'static str {
    match name {
        Permuted::PEOPLE => {
            "people with exact quasi-identifiers beside sensitive values that were shuffled inside groups"
        }
        Anatomy::PEOPLE => "people with exact quasi-identifiers and the group that their sensitive values are in",
        Anatomy::SENSITIVE => "how often each sensitive value occurs in each group",
        Generalized::TABLE => "rows with generalized quasi-identifiers and exact sensitive values",
        Angel::BATCHES => "how often each sensitive value occurs in each batch",
        Angel::GENERALIZED => {
            "people with generalized quasi-identifiers and the batch that their sensitive values are in"
        }
        _ if method == Method::Angel => {
            "the same people, in another order, with some quasi-identifiers generalized less, and their batches"
        }
        _ => "the group of each tuple",
    }
}

/// A help table: bounds for every group and number of hits.
fn help(name: &str, raw: RawTable, of: &PublishedColumn) -> Result<ExportTable> {
    let n_rows = raw.n_rows;
    // All bounds have the digits of the column, as its values have.
    let texts = raw.columns.iter().flat_map(|column| match column {
        RawColumn::Text { dictionary, .. } => Some(dictionary.iter()),
        _ => None,
    });
    let scale = texts.flatten().filter_map(Decimal::parse).map(Decimal::scale).max().unwrap_or(0);
    let mut columns = Vec::new();
    for (title, column) in raw.names.into_iter().zip(raw.columns) {
        columns.push(match column {
            RawColumn::Integer(numbers) => whole(&title, numbers)?,
            RawColumn::Text { dictionary, codes } => {
                let texts: Vec<&str> = std::iter::once("").chain(dictionary.iter()).collect();
                let kind = if title.starts_with("sum") { Kind::Number } else { of.kind() };
                let (cells, sql, not_null) = typed(&title, kind, (&texts, codes), scale, false)?;
                bound_column(&title, of.name(), sql, not_null, cells)
            }
            RawColumn::Skipped => return Err(Error::bug(format!("a column of table {name} was not read"))),
        });
    }
    Ok(help_sheet(name, of.name(), columns, n_rows))
}

/// A help table of these columns.
pub(super) fn help_sheet(name: &str, of: &str, columns: Vec<ExportColumn>, n_rows: usize) -> ExportTable {
    let about = format!(
        "for every group and number of hits, the least and the greatest that so many people of the group can come to in {of}"
    );
    ExportTable { key: vec![GROUP.into(), HITS.into()], ..ExportTable::new(name, about, columns, n_rows) }
}

/// A bound of a help table. It is a decimal whatever its column is, so that sums of bounds are exact.
pub(super) fn bound_column(title: &str, of: &str, sql: SqlType, not_null: bool, cells: Cells) -> ExportColumn {
    let (what, end) = title.split_once('_').unwrap_or((title, ""));
    let end = if end == "lower" { "least" } else { "greatest" };
    let sql = if sql == SqlType::BigInt { SqlType::Numeric { digits: 19, scale: 0 } } else { sql };
    ExportColumn::new(title, format!("the {end} possible {what} of {of}"), sql, not_null, cells)
}

/// A column of numbers that the release itself gave.
pub(super) fn whole(title: &str, numbers: Vec<u32>) -> Result<ExportColumn> {
    if numbers.iter().any(|&number| number != NULL_INTEGER && i32::try_from(number).is_err()) {
        return Err(Error::request("column", title, "a number is too large for an INTEGER"));
    }
    let about = match title {
        TUPLE => "number of the person, in no order",
        GROUP => "number of the group, in no order",
        BATCH => "number of the batch, in no order",
        HITS => "people of the group that are asked about",
        COUNT => "people of the group or batch who have these values",
        _ => "a number",
    };
    let not_null = !numbers.contains(&NULL_INTEGER);
    Ok(ExportColumn::new(title, about, SqlType::Integer, not_null, Cells::Whole(numbers)))
}

/// The cells of texts that denote values of a kind, their type, and whether none is null; text 0 is null. Numbers have at
/// least `scale` digits after the point.
fn typed(
    title: &str,
    kind: Kind,
    (texts, codes): (&[&str], Codes),
    scale: u8,
    veiled: bool,
) -> Result<(Cells, SqlType, bool)> {
    let (values, sql) = match kind {
        Kind::Number => numbers(title, texts, scale)?,
        Kind::Date => {
            let day = |text: &&str| parse_date(text).map_or(Cell::Null, Cell::Day);
            (texts.iter().map(day).collect(), SqlType::Date)
        }
        Kind::Ordinal | Kind::Nominal => labels(title, texts)?,
    };
    let not_null = codes.iter().all(|code| code != NULL);
    Ok((Cells::Coded { values, codes, veiled }, sql, not_null))
}

fn labels(title: &str, texts: &[&str]) -> Result<(Vec<Cell>, SqlType)> {
    if texts.iter().any(|text| text.contains('\0')) {
        return Err(Error::request("column", title, "a label has a zero byte, which no database takes"));
    }
    let cell = |text: &&str| if text.is_empty() { Cell::Null } else { Cell::Text((*text).into()) };
    Ok((texts.iter().map(cell).collect(), SqlType::for_texts(texts.iter().copied())))
}

/// Numbers at the scale of all of them. The star of suppressed rows is no number.
fn numbers(title: &str, texts: &[&str], least: u8) -> Result<(Vec<Cell>, SqlType)> {
    let numbers: Vec<Option<Decimal>> = texts.iter().map(|text| Decimal::parse(text)).collect();
    let scale = numbers.iter().flatten().map(|number| number.scale()).max().unwrap_or(0).max(least);
    let wide = || Error::request("column", title, "its numbers have too many digits to be written at one scale");
    let units = |number: &Option<Decimal>| match number {
        None => Ok(Cell::Null),
        Some(number) => number.at_scale(scale).map(Cell::Number).ok_or_else(wide),
    };
    let cells = numbers.iter().map(units).collect::<Result<Vec<Cell>>>()?;
    let widest = cells.iter().map(magnitude).max().unwrap_or(0);
    Ok((cells, numeric(widest, scale)))
}

pub(super) fn magnitude(cell: &Cell) -> u128 {
    match cell {
        Cell::Number(units) => units.unsigned_abs(),
        _ => 0,
    }
}

/// The type that numbers of up to `widest` units fit in.
pub(super) fn numeric(widest: u128, scale: u8) -> SqlType {
    if scale == 0 && widest <= i64::MAX as u128 {
        return SqlType::BigInt;
    }
    let digits = widest.checked_ilog10().map_or(1, |log| log as u8 + 1);
    SqlType::Numeric { digits: digits.max(scale), scale }
}
