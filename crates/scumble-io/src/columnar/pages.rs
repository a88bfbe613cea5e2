//! The sizes of Parquet pages, read from their headers alone: a decoder makes room for a page before it unpacks it, so
//! what a header says must be believed or refused first.
//!
//! A header is a Thrift struct in the compact protocol; only its second and third field matter, the sizes.

use std::io::{self, BufRead, Error, ErrorKind, Seek, SeekFrom};

/// Whether every page between two places of a file satisfies `may`, which is given its size packed and unpacked.
pub(super) fn all_pages(
    file: &mut (impl BufRead + Seek),
    (start, length): (u64, u64),
    may: impl Fn(u64, u64) -> bool,
) -> io::Result<bool> {
    let end = start.checked_add(length).ok_or_else(|| damaged("a column without end"))?;
    let mut at = file.seek(SeekFrom::Start(start))?;
    while at < end {
        let (packed, unpacked) = sizes(file)?;
        if !may(packed, unpacked) {
            return Ok(false);
        }
        let skipped = i64::try_from(packed).map_err(|_| damaged("a page without end"))?;
        file.seek_relative(skipped)?;
        at = file.stream_position()?;
    }
    Ok(true)
}

/// The sizes of the page whose header begins here.
fn sizes(file: &mut impl BufRead) -> io::Result<(u64, u64)> {
    let (mut id, mut packed, mut unpacked) = (0i64, None, None);
    loop {
        let head = byte(file)?;
        if head == 0 {
            break;
        }
        id = match head >> 4 {
            0 => signed(file)?,
            step => id + i64::from(step),
        };
        match (id, head & 15) {
            (2, 5) => unpacked = u64::try_from(signed(file)?).ok(),
            (3, 5) => packed = u64::try_from(signed(file)?).ok(),
            (_, kind) => skip(file, kind, 0)?,
        }
    }
    packed.zip(unpacked).ok_or_else(|| damaged("a page without sizes"))
}

/// Passes over a value of a kind.
fn skip(file: &mut impl BufRead, kind: u8, depth: u32) -> io::Result<()> {
    // Headers are nested three deep.
    const DEEPEST: u32 = 8;
    if depth > DEEPEST {
        return Err(damaged("a page header without end"));
    }
    match kind {
        // The kind itself is the value of a boolean.
        1 | 2 => Ok(()),
        3 => byte(file).map(|_| ()),
        4..=6 => number(file).map(|_| ()),
        7 => bytes(file, 8),
        8 => {
            let length = number(file)?;
            bytes(file, length)
        }
        9 | 10 => {
            let head = byte(file)?;
            let length = if head >> 4 == 15 { number(file)? } else { u64::from(head >> 4) };
            (0..length).try_for_each(|_| match head & 15 {
                1 | 2 => byte(file).map(|_| ()),
                kind => skip(file, kind, depth + 1),
            })
        }
        12 => loop {
            let head = byte(file)?;
            if head == 0 {
                return Ok(());
            }
            if head >> 4 == 0 {
                number(file)?;
            }
            skip(file, head & 15, depth + 1)?;
        },
        _ => Err(damaged("a page header of an unknown kind")),
    }
}

fn byte(file: &mut impl BufRead) -> io::Result<u8> {
    let mut one = [0];
    file.read_exact(&mut one)?;
    Ok(one[0])
}

fn bytes(file: &mut impl BufRead, mut n: u64) -> io::Result<()> {
    while n > 0 {
        let there = file.fill_buf()?.len();
        if there == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let step = there.min(usize::try_from(n).unwrap_or(usize::MAX));
        file.consume(step);
        n -= step as u64;
    }
    Ok(())
}

/// A number in groups of seven bits, the lowest first.
fn number(file: &mut impl BufRead) -> io::Result<u64> {
    let mut found = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = byte(file)?;
        found |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(found);
        }
    }
    Err(damaged("a number without end"))
}

/// A number whose lowest bit is its sign.
fn signed(file: &mut impl BufRead) -> io::Result<i64> {
    let found = number(file)?;
    Ok((found >> 1) as i64 ^ -((found & 1) as i64))
}

fn damaged(what: &'static str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OutColumn, write_parquet};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use scumble_table::Monitor;
    use std::cell::RefCell;
    use std::io::Cursor;
    use std::sync::Arc;

    fn sums(n_rows: usize) -> OutColumn<'static> {
        let sums = (0..n_rows).map(|row| (row % 3 > 0).then_some(row as i64));
        OutColumn::Whole(Arc::new(sums.collect::<arrow_array::Int64Array>()))
    }

    #[test]
    fn sizes_of_our_own_pages_add_up() {
        let labels: Vec<String> = (0..4000).map(|i| format!("label {i}")).collect();
        let columns = [
            ("text".to_string(), OutColumn::Text { labels: &labels, code: Box::new(|row| Some(row as u32 % 4000)) }),
            ("sum".to_string(), sums(100_000)),
        ];
        let bytes = write_parquet(Vec::new(), "x", 100_000, &columns, Monitor::silent()).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes.clone())).unwrap();
        for chunk in reader.metadata().row_group(0).columns() {
            let seen = RefCell::new((0, 0));
            let may = |packed, unpacked| {
                let mut seen = seen.borrow_mut();
                *seen = (seen.0 + packed, seen.1 + unpacked);
                true
            };
            assert!(all_pages(&mut Cursor::new(&bytes), chunk.byte_range(), may).unwrap());
            let (packed, unpacked) = seen.into_inner();
            let (all_packed, all) = (chunk.compressed_size() as u64, chunk.uncompressed_size() as u64);
            // Headers are counted by the directory too.
            assert!(packed < all_packed && packed > all_packed / 2 && unpacked < all && unpacked > all / 2);
            assert!(!all_pages(&mut Cursor::new(&bytes), chunk.byte_range(), |_, unpacked| unpacked < 10).unwrap());
        }
    }

    #[test]
    fn damaged_headers_are_errors() {
        for bytes in [
            &b""[..],
            b"\x00",
            b"\x15\x00\x15",
            b"\x15\x04\x15\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            &[0x1c; 64],
        ] {
            assert!(all_pages(&mut Cursor::new(bytes), (0, 10), |_, _| true).is_err(), "{bytes:?}");
        }
    }
}
