//! Rows on their way into a table, by COPY in PostgreSQL's binary form: values need no quotes and lose no digit.

use super::connection::Connection;
use crate::export::sheet::{Cell, ExportTable, SqlType};
use crate::rewrite::quoted_names;
use bytes::{BufMut, BytesMut};
use scumble_table::{Error, Monitor, Result};
use std::borrow::Cow;
use std::error::Error as Cause;
use std::pin::pin;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// Days from 1970 to 2000, where PostgreSQL begins to count.
const EPOCH: i32 = 10_957;

/// Loads a table.
///
/// # Errors
/// If the server refuses or is gone, counts other rows than were sent, or the work is cancelled. The transaction around it
/// then comes to nothing.
pub(super) async fn load(db: &mut Connection, table: &str, sheet: &ExportTable, monitor: Monitor<'_>) -> Result<()> {
    let names = quoted_names(sheet.columns.iter().map(|column| &column.name));
    let statement = format!("COPY {table} ({names}) FROM STDIN (FORMAT binary)");
    let types: Vec<Type> = sheet.columns.iter().map(|column| wire_type(column.sql)).collect();
    let scales: Vec<u8> = sheet.columns.iter().map(|column| column.sql.scale()).collect();
    let sent = async {
        let mut writer = pin!(BinaryCopyInWriter::new(db.client().copy_in(&statement).await?, &types));
        // A COPY that is not finished is undone.
        for row in sheet.rows().take_while(|_| !monitor.is_cancelled()) {
            let sent: Vec<WireCell<'_>> =
                row.into_iter().zip(&scales).map(|(cell, &scale)| WireCell { cell, scale }).collect();
            writer.as_mut().write_raw(sent.iter().map(|sent| sent as &(dyn ToSql + Sync))).await?;
        }
        if monitor.is_cancelled() { Ok(0) } else { writer.finish().await }
    };
    let sent = sent.await;
    monitor.check()?;
    let n_rows = db.checked(sent).await?;
    if n_rows != sheet.n_rows as u64 {
        return Err(Error::bug(format!("{n_rows} rows arrived in {}, and {} were sent", sheet.name, sheet.n_rows)));
    }
    Ok(())
}

fn wire_type(sql: SqlType) -> Type {
    match sql {
        SqlType::Integer => Type::INT4,
        SqlType::BigInt => Type::INT8,
        SqlType::Numeric { .. } | SqlType::NumericEnd { .. } => Type::NUMERIC,
        SqlType::Date => Type::DATE,
        SqlType::Text { .. } => Type::TEXT,
    }
}

/// A cell with the digits of its column.
#[derive(Debug)]
struct WireCell<'a> {
    cell: Cow<'a, Cell>,
    scale: u8,
}

impl ToSql for WireCell<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Box<dyn Cause + Sync + Send>> {
        let is_date = *ty == Type::DATE;
        match self.cell.as_ref() {
            Cell::Null => return Ok(IsNull::Yes),
            Cell::Whole(number) => out.put_i32(i32::try_from(*number)?),
            Cell::Number(units) if *ty == Type::INT8 => out.put_i64(i64::try_from(*units)?),
            Cell::Number(units) => put_numeric(*units, self.scale, out),
            Cell::Day(day) => out.put_i32(day - EPOCH),
            Cell::Text(text) => out.put_slice(text.as_bytes()),
            Cell::Below if is_date => out.put_i32(i32::MIN),
            Cell::Above if is_date => out.put_i32(i32::MAX),
            Cell::Below => put_special(0xF000, out),
            Cell::Above => put_special(0xD000, out),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// An infinity: no digits and a sign of its own.
fn put_special(sign: u16, out: &mut BytesMut) {
    out.put_i16(0);
    out.put_i16(0);
    out.put_u16(sign);
    out.put_i16(0);
}

/// A decimal as digits of base 10,000, aligned at the point.
fn put_numeric(units: i128, scale: u8, out: &mut BytesMut) {
    const BASE: u128 = 10_000;
    // Zeros up to a whole digit after the point; they are no part of the scale.
    let padding = (4 - u32::from(scale) % 4) % 4;
    let after = (u32::from(scale) + padding) / 4;
    let mut digits: Vec<i16> = Vec::new();
    let mut rest = units.unsigned_abs();
    if padding > 0 {
        let low = 10u128.pow(4 - padding);
        digits.push(((rest % low) * 10u128.pow(padding)) as i16);
        rest /= low;
    }
    while rest > 0 {
        digits.push((rest % BASE) as i16);
        rest /= BASE;
    }
    while digits.last() == Some(&0) {
        digits.pop();
    }
    let last = digits.iter().position(|&digit| digit != 0).unwrap_or(0);
    let kept = &digits[last..];
    // The weight is the place of the first digit, counted from the one before the point.
    let weight = if kept.is_empty() { 0 } else { digits.len() as i16 - 1 - after as i16 };
    out.put_i16(kept.len() as i16);
    out.put_i16(weight);
    out.put_u16(if units < 0 { 0x4000 } else { 0 });
    out.put_i16(i16::from(scale));
    kept.iter().rev().for_each(|&digit| out.put_i16(digit));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_in_binary() {
        let words = |units: i128, scale: u8| {
            let mut out = BytesMut::new();
            put_numeric(units, scale, &mut out);
            out.chunks(2).map(|pair| i16::from_be_bytes([pair[0], pair[1]])).collect::<Vec<_>>()
        };
        assert_eq!(words(0, 2), [0, 0, 0, 2]);
        assert_eq!(words(12_345, 0), [2, 1, 0, 0, 1, 2345]);
        assert_eq!(words(-150, 2), [2, 0, 0x4000, 2, 1, 5000]);
        assert_eq!(words(5, 4), [1, -1, 0, 4, 5]);
        assert_eq!(words(5, 6), [1, -2, 0, 6, 500]);
        assert_eq!(words(20_000, 0), [1, 1, 0, 0, 2]);
    }
}
