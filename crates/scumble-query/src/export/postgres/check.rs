//! What arrived, compared with what was sent: rows and a checksum that does not depend on their order.
//!
//! A row is written as one text, its cells joined by bars and null as `\N`; a backslash and a bar in a cell have a
//! backslash before them. The first and the second 64 bits of the SHA-256 of each text are added up over the table.

use super::connection::Connection;
use crate::export::sheet::{ExportTable, SqlType};
use crate::rewrite::quoted;
use scumble_table::Result;
use sha2::{Digest, Sha256};

/// Rows and checksum of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checksum {
    pub(super) rows: u64,
    sums: [i128; 2],
}

impl Checksum {
    /// That of the release.
    pub(super) fn of_sheet(sheet: &ExportTable) -> Checksum {
        let mut sum = Checksum { rows: 0, sums: [0; 2] };
        let mut line = String::new();
        for row in sheet.rows() {
            line.clear();
            for (at, (cell, column)) in row.iter().zip(&sheet.columns).enumerate() {
                if at > 0 {
                    line.push('|');
                }
                match column.sql.text(cell) {
                    None => line.push_str("\\N"),
                    Some(text) => text.chars().for_each(|c| {
                        if matches!(c, '\\' | '|') {
                            line.push('\\');
                        }
                        line.push(c);
                    }),
                }
            }
            let hash = Sha256::digest(line.as_bytes());
            for (sum, bytes) in sum.sums.iter_mut().zip(hash.chunks(8)) {
                let mut word = [0u8; 8];
                word.copy_from_slice(bytes);
                *sum += i128::from(i64::from_be_bytes(word));
            }
            sum.rows += 1;
        }
        sum
    }

    /// That of the database.
    ///
    /// # Errors
    /// If the server refuses or is gone.
    pub(super) async fn in_database(db: &mut Connection, table: &str, sheet: &ExportTable) -> Result<Checksum> {
        let cells: Vec<String> = sheet
            .columns
            .iter()
            .map(|column| {
                let cell = format!("t.{}::text", quoted(&column.name));
                let cell = match column.sql {
                    SqlType::Text { .. } => format!(r"replace(replace({cell}, '\', '\\'), '|', '\|')"),
                    _ => cell,
                };
                format!(r"COALESCE({cell}, '\N')")
            })
            .collect();
        let word = |from: usize| format!("('x' || substr(h, {from}, 16))::bit(64)::bigint");
        let sql = format!(
            "SELECT count(*), COALESCE(sum({}), 0)::text, COALESCE(sum({}), 0)::text \
             FROM (SELECT encode(sha256(convert_to({}, 'UTF8')), 'hex') AS h FROM {table} t) hashed",
            word(1),
            word(17),
            cells.join(" || '|' || ")
        );
        let row = db.row(&sql, &[]).await?;
        let sum = |at: usize| row.get::<_, &str>(at).parse::<i128>().unwrap_or(i128::MAX);
        Ok(Checksum { rows: row.get::<_, i64>(0) as u64, sums: [sum(1), sum(2)] })
    }
}
