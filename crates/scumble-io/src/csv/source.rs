//! The bytes of a CSV stream: gzip is undone, and the bytes taken from the file are counted.

use crate::inflation::may_grow;
use flate2::bufread::MultiGzDecoder;
use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Room between the file and the decoder: large enough that system calls do not count.
const BUFFER: usize = 1 << 18;

/// Undoes gzip if the stream starts with its mark. Also gives whether it did, and a counter of the
/// bytes taken from the stream.
pub(crate) fn open<R: Read + Send + 'static>(
    input: R,
) -> std::io::Result<(Box<dyn Read + Send>, bool, Arc<AtomicU64>)> {
    let count = Arc::new(AtomicU64::new(0));
    let mut input = BufReader::with_capacity(BUFFER, Counted { input, count: count.clone() });
    let zipped = starts_with_gzip(&mut input)?;
    // Several members, one after the other, are one stream: block-wise compressors write such files.
    let input: Box<dyn Read + Send> = if zipped {
        Box::new(Inflated { input: MultiGzDecoder::new(input), taken: count.clone(), given: 0 })
    } else {
        Box::new(input)
    };
    Ok((input, zipped, count))
}

/// Callers pass a file, or a pipe whose first bytes they have read already, so the first read
/// gives both bytes of the mark.
fn starts_with_gzip(input: &mut impl BufRead) -> std::io::Result<bool> {
    loop {
        match input.fill_buf() {
            Ok(head) => return Ok(head.starts_with(&[0x1f, 0x8b])),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Bytes that are unpacked, as long as they do not outgrow what they come from.
struct Inflated<R> {
    input: R,
    /// Bytes taken from the file so far.
    taken: Arc<AtomicU64>,
    given: u64,
}

impl<R: Read> Read for Inflated<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = self.input.read(out)?;
        self.given += n as u64;
        match may_grow(self.taken.load(Ordering::Relaxed), self.given) {
            true => Ok(n),
            false => Err(std::io::ErrorKind::FileTooLarge.into()),
        }
    }
}

struct Counted<R> {
    input: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = self.input.read(out)?;
        self.count.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}
