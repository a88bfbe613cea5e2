//! Cutting a stream into blocks that end where a record ends.
//!
//! This is the one part of reading that cannot be shared out: whether a line end closes a record
//! depends on all quotes before it. It does nothing else, and where there are no quotes it looks at
//! each byte once, at memory speed.

use super::marks::{STEP, marks};
use super::scan::PADDING;
use memchr::{memchr, memchr_iter, memrchr};
use std::io::{ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whole records; the last line end is there even if the file lacks it.
#[derive(Debug)]
pub(crate) struct Block {
    /// The records and [`super::scan::PADDING`] bytes more.
    pub(crate) data: Vec<u8>,
    /// Where the records end.
    pub(crate) end: usize,
    /// Bytes taken from the file when the block was cut.
    pub(crate) taken: u64,
}

/// Why there is no next block.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The stream failed.
    Io(std::io::Error),
    /// A record does not end; the line is counted from the start of the block.
    LongRecord { line: u32, quoted: bool },
}

/// The stream and what has been read of the next record.
#[derive(Debug)]
pub(crate) struct Cutter<R> {
    input: R,
    /// Counts the bytes taken from the file, which are fewer than those read if it is compressed.
    taken: Arc<AtomicU64>,
    /// Read but not yet given out.
    rest: Vec<u8>,
    at_end: bool,
    block_bytes: usize,
    most_bytes: usize,
}

impl<R: Read> Cutter<R> {
    /// Blocks of about `block_bytes`, more only for a record that is longer; none longer than
    /// `most_bytes`.
    pub(crate) fn new(input: R, taken: Arc<AtomicU64>, block_bytes: usize, most_bytes: usize) -> Self {
        Cutter { input, taken, rest: Vec::new(), at_end: false, block_bytes: block_bytes.max(1), most_bytes }
    }

    /// The start of the stream, up to the first place for which `found` gives an answer; the bytes
    /// before that place are given out. At the end of the stream everything is.
    pub(crate) fn head(&mut self, found: impl Fn(&[u8]) -> Option<usize>) -> Result<Vec<u8>, Stop> {
        let mut filled = 0;
        let mut target = self.block_bytes;
        loop {
            let mut data = std::mem::take(&mut self.rest);
            filled = fill(&mut self.input, &mut data, filled, target, &mut self.at_end).map_err(Stop::Io)?;
            data.truncate(filled);
            if let Some(end) = found(&data) {
                self.rest = data.split_off(end);
                return Ok(data);
            }
            if self.at_end {
                return Ok(data);
            }
            if filled >= self.most_bytes {
                return Err(Stop::LongRecord { line: 0, quoted: false });
            }
            self.rest = data;
            target = filled * 2;
        }
    }

    /// The next block, in the room of a used one; `None` at the end.
    pub(crate) fn next_block(&mut self, room: Vec<u8>, delimiter: u8) -> Result<Option<Block>, Stop> {
        let mut data = room;
        let mut filled = self.rest.len();
        if data.len() < filled {
            data.resize(filled, 0);
        }
        data[..filled].copy_from_slice(&self.rest);
        let mut target = self.block_bytes.max(filled);
        loop {
            filled = fill(&mut self.input, &mut data, filled, target, &mut self.at_end).map_err(Stop::Io)?;
            if self.at_end {
                self.rest.clear();
                return Ok((filled > 0).then(|| self.close(data, filled)));
            }
            let cut = last_record_end(&data, filled, delimiter);
            if let Some(end) = cut.end {
                self.rest.clear();
                self.rest.extend_from_slice(&data[end..filled]);
                return Ok(Some(self.close(data, end)));
            }
            if filled >= self.most_bytes {
                let before = cut.open_quote.unwrap_or(0);
                let line = memchr_iter(b'\n', &data[..before]).count() as u32;
                return Err(Stop::LongRecord { line, quoted: cut.open_quote.is_some() });
            }
            target = filled * 2;
        }
    }

    /// Adds the last line end if it is missing, and the padding.
    fn close(&self, mut data: Vec<u8>, mut end: usize) -> Block {
        if data.len() < end + 1 + PADDING {
            data.resize(end + 1 + PADDING, 0);
        }
        if data[end - 1] != b'\n' {
            data[end] = b'\n';
            end += 1;
        }
        data[end..end + PADDING].fill(0);
        Block { data, end, taken: self.taken.load(Ordering::Relaxed) }
    }
}

/// Reads until `target` bytes are there or the stream ends; gives how many are there.
fn fill(
    input: &mut impl Read,
    data: &mut Vec<u8>,
    mut filled: usize,
    target: usize,
    at_end: &mut bool,
) -> std::io::Result<usize> {
    if data.len() < target + PADDING + 1 {
        data.resize(target + PADDING + 1, 0);
    }
    while filled < target && !*at_end {
        match input.read(&mut data[filled..target]) {
            Ok(0) => *at_end = true,
            Ok(n) => filled += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Where the last whole record ends.
struct Cut {
    end: Option<usize>,
    /// The quote that is open at the end of the data.
    open_quote: Option<usize>,
}

/// A quote opens a field only where a field begins, and closes it unless it is doubled; any other
/// quote is text. The records are `data[..end]`; what follows is there to be read in words.
fn last_record_end(data: &[u8], end: usize, delimiter: u8) -> Cut {
    // The end of the last record so far, and where the text outside quotes began last.
    let (mut cut, mut outside) = (None, 0);
    let (mut open_quote, mut skip) = (None, usize::MAX);
    let line_end = |from: usize, to: usize| memrchr(b'\n', &data[from..to]).map(|n| from + n + 1);
    if memchr(b'"', &data[..end]).is_none() {
        return Cut { end: line_end(0, end), open_quote };
    }
    'blocks: for base in (0..end).step_by(STEP) {
        let mut found = marks(data, base, [b'"'; 3]);
        while found != 0 {
            let quote = base + found.trailing_zeros() as usize;
            found &= found - 1;
            if quote >= end {
                break 'blocks;
            }
            if open_quote.is_none() {
                if quote == 0 || data[quote - 1] == delimiter || data[quote - 1] == b'\n' {
                    // Between two quoted fields there is one byte, which need not be searched.
                    let found = match quote - outside {
                        1 => (data[outside] == b'\n').then_some(quote),
                        _ => line_end(outside, quote),
                    };
                    cut = found.or(cut);
                    open_quote = Some(quote);
                }
            } else if quote == skip {
                // The second half of a doubled quote.
            } else if quote + 1 == end {
                // Perhaps the first half of one, so it closes nothing yet.
                break 'blocks;
            } else if data[quote + 1] == b'"' {
                skip = quote + 1;
            } else {
                open_quote = None;
                outside = quote + 1;
            }
        }
    }
    if open_quote.is_none() {
        cut = line_end(outside, end).or(cut);
    }
    Cut { end: cut, open_quote }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Option<usize> {
        let mut data = text.as_bytes().to_vec();
        // FaultKind follows may be left from an earlier block.
        data.extend([b'"'; PADDING]);
        last_record_end(&data, text.len(), b',').end
    }

    #[test]
    fn records_end_outside_quotes() {
        assert_eq!(end("a,b\nc"), Some(4));
        assert_eq!(end("a,\"b\nc"), None);
        assert_eq!(end("x\n\"b\nc\"\nd"), Some(8));
        assert_eq!(end("x\n\"b\"\"\nc\"\nd"), Some(10));
        assert_eq!(end("x\n\"b\""), Some(2));
        assert_eq!(end("5\" pipe\n6\" pipe"), Some(8));
        assert_eq!(end("a,\"\"\nb"), Some(5));
        assert_eq!(end(""), None);
    }

    #[test]
    fn blocks_put_together_are_the_stream() {
        let text = "a,1\n\"b\nb\",2\nccc,3\n\n\"d\"\"\n\",4";
        for block_bytes in 1..text.len() + 2 {
            let mut cutter = Cutter::new(text.as_bytes(), Arc::default(), block_bytes, 1 << 20);
            let mut all = String::new();
            while let Some(block) = cutter.next_block(Vec::new(), b',').unwrap() {
                let part = std::str::from_utf8(&block.data[..block.end]).unwrap();
                assert!(part.ends_with('\n') && part.matches('"').count().is_multiple_of(2), "{part:?}");
                assert!(block.data[block.end..].len() >= PADDING);
                all.push_str(part);
            }
            assert_eq!(all, format!("{text}\n"));
        }
    }

    #[test]
    fn a_record_without_end_is_given_up() {
        let mut cutter = Cutter::new("x\ny,\"abcdefghijklmnopqrstuvwxyz".as_bytes(), Arc::default(), 4, 8);
        assert!(cutter.next_block(Vec::new(), b',').unwrap().is_some());
        match cutter.next_block(Vec::new(), b',') {
            Err(Stop::LongRecord { line: 0, quoted: true }) => {}
            other => panic!("{other:?}"),
        }
    }
}
