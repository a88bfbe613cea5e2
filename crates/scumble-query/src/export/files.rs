//! A release as standard SQL and CSV files, for databases that the program cannot connect to.

use super::people_view::PEOPLE;
use super::plan::Plan;
use super::sheet::{Cell, ExportTable, SqlType};
use super::{ExportOptions, ExportSummary};
use crate::rewrite::{quoted, quoted_names, text};
use scumble_io::write_csv_field;
use scumble_release::{GROUP, HITS, MANIFEST, ReleaseReader, TUPLE, write_folder};
use scumble_table::{Error, Monitor, Result};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// The statements.
const SQL: &str = "release.sql";

/// Digits that every database can hold.
const DIGITS: u8 = 38;

const HOW_TO_LOAD: &str = "\
-- A release as tables: they are created, loaded from the CSV files beside this one, and views are put over them.
-- Every file has a header, and an empty cell is null. How the statements that begin with COPY are run:
--   DuckDB       as they are, in this directory: duckdb release.db < release.sql
--   PostgreSQL   with psql, in this directory: sed 's/^COPY/\\\\copy/' release.sql | psql
--   SQLite       .import --csv --skip 1 FILE TABLE in place of each; then turn empty cells into null
--   MySQL        SET sql_mode = 'ANSI_QUOTES'; and in place of each LOAD DATA LOCAL INFILE 'FILE' INTO TABLE \"TABLE\"
--                FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' IGNORE 1 LINES
";

/// Writes a directory.
pub(super) fn export(
    release: &ReleaseReader,
    dir: &Path,
    options: &ExportOptions,
    monitor: Monitor<'_>,
) -> Result<ExportSummary> {
    if options.replace {
        return Err(Error::request("replace", "", "a directory is never replaced").hint("name another with «to»"));
    }
    // A directory that is in the way is found before the work.
    let mut tables = Vec::new();
    write_folder(dir, release.path().unwrap_or(Path::new("")), "to", |folder| {
        let plan = Plan::read(release, monitor)?;
        write(&folder.join(SQL), |out| out.write_all(statements(&plan).as_bytes()))?;
        write(&folder.join(MANIFEST), |out| out.write_all(plan.manifest.as_bytes()))?;
        for (at, sheet) in plan.sheets.iter().enumerate() {
            write(&folder.join(file_of(at, sheet)), |out| csv(sheet, out, monitor))?;
            monitor.check()?;
        }
        tables = plan.tables();
        Ok(())
    })?;
    let place = dir.display().to_string();
    Ok(ExportSummary { place, schema: None, tables, functions: Vec::new(), already: false })
}

fn write(path: &Path, content: impl FnOnce(&mut std::io::BufWriter<File>) -> std::io::Result<()>) -> Result<()> {
    let name = path.file_name().unwrap_or_default().display().to_string();
    let done = File::create(path).and_then(|file| {
        let mut out = std::io::BufWriter::new(file);
        content(&mut out)?;
        out.into_inner()?.sync_all()
    });
    done.map_err(|error| Error::io("write", name, &error))
}

/// The file of a table. A name that could not be that of a file everywhere becomes a number.
fn file_of(at: usize, sheet: &ExportTable) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if sheet.file.chars().all(plain) { format!("{}.csv", sheet.file) } else { format!("table-{}.csv", at + 1) }
}

/// Writes a table, or as far as the work is not cancelled.
fn csv(sheet: &ExportTable, out: &mut impl Write, monitor: Monitor<'_>) -> std::io::Result<()> {
    let mut line = Vec::new();
    let mut end_line = |line: &mut Vec<u8>| {
        // The comma after the last field gives way to the end of the line.
        line.pop();
        line.push(b'\n');
        let written = out.write_all(line);
        line.clear();
        written
    };
    for column in &sheet.columns {
        write_csv_field(&mut line, &column.name);
        line.push(b',');
    }
    end_line(&mut line)?;
    for row in sheet.rows().take_while(|_| !monitor.is_cancelled()) {
        for (cell, column) in row.iter().zip(&sheet.columns) {
            match (cell.as_ref(), column.sql) {
                (Cell::Below, sql) => line.extend(outermost(sql, false).bytes()),
                (Cell::Above, sql) => line.extend(outermost(sql, true).bytes()),
                (cell, sql) => write_csv_field(&mut line, &sql.text(cell).unwrap_or_default()),
            }
            line.push(b',');
        }
        end_line(&mut line)?;
    }
    Ok(())
}

/// The last value of a type, where others than PostgreSQL know no infinity.
fn outermost(sql: SqlType, greatest: bool) -> String {
    match (sql, greatest) {
        (SqlType::Date, false) => "0001-01-01".into(),
        (SqlType::Date, true) => "9999-12-31".into(),
        (_, greatest) => {
            let digits = "9".repeat(usize::from(DIGITS - sql.scale().min(DIGITS)));
            format!("{}{digits}", if greatest { "" } else { "-" })
        }
    }
}

fn statements(plan: &Plan) -> String {
    let mut sql = String::from(HOW_TO_LOAD);
    for (at, sheet) in plan.sheets.iter().enumerate() {
        sql.push_str(&format!("\n-- {}: {}\n", file_of(at, sheet), in_a_line(&sheet.about)));
        let mut lines: Vec<String> = sheet.columns.iter().map(|column| column.declaration(standard_type)).collect();
        if !sheet.key.is_empty() {
            lines.push(format!("PRIMARY KEY ({})", quoted_names(&sheet.key)));
        }
        if let Some(people) = &sheet.tuples_of {
            lines.push(format!("FOREIGN KEY ({0}) REFERENCES {1} ({0})", quoted(TUPLE), quoted(people)));
        }
        sql.push_str(&format!("CREATE TABLE {} (\n    {}\n);\n", quoted(&sheet.name), lines.join(",\n    ")));
    }
    // In this order, since a table may refer to the tuples of one before it.
    sql.push_str("\n-- The data:\n");
    for (at, sheet) in plan.sheets.iter().enumerate() {
        let file = text(&file_of(at, sheet));
        sql.push_str(&format!("COPY {} FROM {file} (FORMAT csv, HEADER);\n", quoted(&sheet.name)));
    }
    sql.push_str("\n-- Once the tables are loaded:\n");
    for sheet in &plan.sheets {
        for column in sheet.indexes.iter().filter(|name| sheet.columns.iter().any(|c| c.is_group() && c.name == **name))
        {
            let name = quoted(&format!("{}_{column}_index", sheet.name));
            sql.push_str(&format!("CREATE INDEX {name} ON {} ({});\n", quoted(&sheet.name), quoted(column)));
        }
    }
    for people in &plan.people {
        sql.push_str(&format!(
            "\n-- {}\nCREATE VIEW {} AS\n{};\n",
            in_a_line(&people.about),
            quoted(&people.name),
            people.select(&|name| quoted(name))
        ));
    }
    for (column, help) in &plan.helps {
        let group = plan.group_of(column);
        sql.push_str(&format!(
            "\n-- Bounds of the sum of {}; add a condition where the dots are:\n\
             --   SELECT SUM(b.\"sum_lower\"), SUM(b.\"sum_upper\")\n\
             --   FROM (SELECT {group} AS g, COUNT(*) AS h FROM {PEOPLE} WHERE ... GROUP BY {group}) asked\n\
             --   JOIN {} b ON b.{} = asked.g AND b.{} = asked.h\n",
            in_a_line(column),
            in_a_line(&quoted(help)),
            quoted(GROUP),
            quoted(HITS),
            group = in_a_line(&quoted(group)),
        ));
    }
    sql.push_str(
        "\n-- Statements for other questions: scumble query RELEASE \"SELECT ...\" --explain --dialect ansi\n",
    );
    sql
}

/// Types that not every database can write without a length.
fn standard_type(sql: SqlType) -> Option<String> {
    match sql {
        SqlType::NumericEnd { scale } => Some(format!("NUMERIC({DIGITS}, {scale})")),
        SqlType::Text { chars, .. } => Some(format!("VARCHAR({})", chars.max(1))),
        _ => None,
    }
}

/// A text that cannot end its comment.
fn in_a_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{85}') { ' ' } else { c })
        .collect()
}
