//! Reading CSV in parallel.
//!
//! ```text
//! one thread           workers of the rayon pool             workers, one column each
//! cut into blocks ---> find fields, code with a dictionary --> join dictionaries in block order
//! ```
//!
//! A batch of blocks is parsed while the batch before it is joined. Blocks and batches have a greatest
//! size, so memory does not grow with the file beyond the result, and the result is the same for any
//! number of workers.

mod cut;
mod header;
mod local;
mod marks;
mod parse;
mod scan;
mod short;
mod source;
#[cfg(test)]
mod tests;

use crate::fault::{Fault, FaultKind};
use crate::inflation::grows_too_far;
use crate::merged_column::MergedColumn;
use crate::read::{PATIENCE, interruptible};
use crate::{RawTable, ReadOptions};
use cut::{Block, Cutter, Stop};
use parse::{Layout, Parsed, Workspace};
use rayon::prelude::*;
use scumble_table::{Error, Monitor, Result};
use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};

/// Sizes that decide speed and memory but never the result; tests make them tiny.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tuning {
    /// Bytes of a block: several times what a worker needs to get going, few enough to stay in its
    /// cache.
    pub(crate) block_bytes: usize,
    /// Fields of a stripe, whose positions should stay in the first-level cache.
    pub(crate) stripe_fields: usize,
    /// The longest record; beyond it a quote has surely been left open.
    pub(crate) most_bytes: usize,
    /// Blocks per worker and batch: enough that workers seldom wait for each other.
    pub(crate) blocks_per_worker: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { block_bytes: 1 << 19, stripe_fields: 1 << 14, most_bytes: 1 << 26, blocks_per_worker: 8 }
    }
}

/// FaultKind the cutting thread says.
enum Message {
    Block(Block),
    Stopped(Stop),
}

/// Reads a CSV stream, gzipped or not, of `total_bytes` if that is known.
pub(crate) fn read_csv(
    input: impl Read + Send + 'static,
    source: &str,
    total_bytes: Option<u64>,
    options: &ReadOptions<'_>,
    monitor: Monitor<'_>,
    tuning: Tuning,
) -> Result<RawTable> {
    header::check_delimiter(options.delimiter)?;
    monitor.begin_reading(total_bytes)?;
    let delimiter = options.delimiter;
    let read_head = move || {
        let (input, zipped, taken) = source::open(input)?;
        let mut cutter = Cutter::new(input, taken, tuning.block_bytes, tuning.most_bytes);
        let head = cutter.head(|data| header::header_end(data, delimiter));
        Ok((cutter, zipped, head))
    };
    let opened = interruptible(monitor, read_head)?;
    let (cutter, zipped, head) = opened.map_err(|error| Error::io("read", source, &error))?;
    let head = head.map_err(|stop| stop_error(stop, source, 1, zipped, tuning))?;
    let header = header::parse_header(&head, source, options)?;
    let wants = options.choose(&header.names)?;
    let nulls: Arc<[String]> = options.nulls.clone().into();
    let layout = Layout::new(header.delimiter, wants.clone(), tuning);
    let mut whole = MergedTable {
        columns: wants.iter().map(|want| MergedColumn::new(*want, &nulls)).collect(),
        n_rows: 0,
        line: header.n_lines + 1,
        taken: 0,
        total_bytes,
    };

    let (blocks, used) = start_cutting(cutter, header.delimiter);
    let batch_blocks = rayon::current_num_threads() * tuning.blocks_per_worker;
    let spare: Mutex<Vec<Workspace>> = Mutex::new(Vec::new());
    let mut before: Vec<Parsed> = Vec::new();
    loop {
        let (batch, stopped) = receive(&blocks, batch_blocks, monitor)?;
        let last = batch.is_empty();
        let (parsed, joined) = rayon::join(
            || parse_all(batch, &layout, &spare),
            || whole.append(std::mem::take(&mut before), &spare, &used),
        );
        let error = |(fault, line): (Fault, u64)| fault.error(source, &header.names, line, options);
        let (bytes, rows) = joined.map_err(error)?;
        if bytes + rows > 0 {
            monitor.advance_reading(bytes, rows)?;
        }
        before = parsed;
        if let Some(stop) = stopped {
            whole.append(before, &spare, &used).map_err(error)?;
            return Err(stop_error(stop, source, whole.line, zipped, tuning));
        }
        if last {
            break;
        }
    }
    if whole.n_rows == 0 {
        return Err(Error::data(source, "there are no rows below the header"));
    }
    let columns = whole.columns.into_iter().map(MergedColumn::finish).collect();
    Ok(RawTable { names: header.names, columns, n_rows: whole.n_rows, source: source.to_string() })
}

/// Starts the thread that cuts. It ends when the receiver of its blocks is gone; it is not waited for,
/// since it may hang on a pipe that is never closed.
fn start_cutting(mut cutter: Cutter<Box<dyn Read + Send>>, delimiter: u8) -> (Receiver<Message>, Sender<Vec<u8>>) {
    // Two blocks ahead of the workers are enough: what they take, they take at once.
    let (send, blocks) = sync_channel(2 * rayon::current_num_threads());
    let (used, reuse) = channel::<Vec<u8>>();
    std::thread::spawn(move || {
        loop {
            let message = match cutter.next_block(reuse.try_recv().unwrap_or_default(), delimiter) {
                Ok(Some(block)) => Message::Block(block),
                Ok(None) => return,
                Err(stop) => Message::Stopped(stop),
            };
            let stopped = matches!(message, Message::Stopped(_));
            if send.send(message).is_err() || stopped {
                return;
            }
        }
    });
    (blocks, used)
}

/// Waits for one block and takes what else is there, up to `most`. A pipe may keep a read waiting for ever, so the wait
/// looks at the monitor several times a second.
fn receive(blocks: &Receiver<Message>, most: usize, monitor: Monitor<'_>) -> Result<(Vec<Block>, Option<Stop>)> {
    let mut batch = Vec::new();
    while batch.len() < most {
        let message = if batch.is_empty() {
            match blocks.recv_timeout(PATIENCE) {
                Err(RecvTimeoutError::Timeout) => {
                    monitor.check()?;
                    continue;
                }
                received => received.ok(),
            }
        } else {
            blocks.try_recv().ok()
        };
        match message {
            Some(Message::Block(block)) => batch.push(block),
            Some(Message::Stopped(stop)) => return Ok((batch, Some(stop))),
            None => break,
        }
    }
    Ok((batch, None))
}

fn parse_all(batch: Vec<Block>, layout: &Layout, spare: &Mutex<Vec<Workspace>>) -> Vec<Parsed> {
    let workspace = || spare.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_else(|| layout.workspace());
    batch.into_par_iter().with_max_len(1).map(|block| layout.parse(block, workspace())).collect()
}

/// The file as far as its blocks have been joined.
struct MergedTable {
    columns: Vec<MergedColumn>,
    n_rows: usize,
    /// The line on which the next block starts.
    line: u64,
    /// Bytes of the file behind the joined blocks.
    taken: u64,
    total_bytes: Option<u64>,
}

impl MergedTable {
    /// Joins blocks in order; gives the bytes and rows that are new, or the first fault with the line
    /// on which its block starts.
    fn append(
        &mut self,
        blocks: Vec<Parsed>,
        spare: &Mutex<Vec<Workspace>>,
        used: &Sender<Vec<u8>>,
    ) -> Result<(u64, u64), (Fault, u64)> {
        let first_lines: Vec<u64> = blocks
            .iter()
            .scan(self.line, |line, block| {
                let first = *line;
                *line += u64::from(block.n_lines);
                Some(first)
            })
            .collect();
        let mut faults =
            blocks.iter().zip(&first_lines).filter_map(|(block, line)| Some((block.fault.clone()?, *line)));
        if let Some(fault) = faults.next() {
            return Err(fault);
        }
        let rows: usize = blocks.iter().map(|block| block.n_rows).sum();
        let taken = blocks.last().map_or(self.taken, |block| block.taken);
        let expected = self.expected_rows(self.n_rows + rows, taken);
        let here = self.line;
        let fault = |column, kind| (Fault { line: 0, column, kind }, here);
        if self.n_rows + rows >= u32::MAX as usize {
            return Err(fault(None, FaultKind::ManyRows));
        }
        let join = |(at, whole): (usize, &mut MergedColumn)| {
            whole.reserve(expected);
            let mut lines = blocks.iter().zip(&first_lines);
            lines.try_for_each(|(block, line)| block.join(at, whole, *line)).map_err(|kind| fault(Some(at), kind))
        };
        let joined: Vec<Result<(), (Fault, u64)>> = self.columns.par_iter_mut().enumerate().map(join).collect();
        joined.into_iter().collect::<Result<(), _>>()?;
        self.n_rows += rows;
        self.line += blocks.iter().map(|block| u64::from(block.n_lines)).sum::<u64>();
        for block in blocks {
            let (workspace, data) = block.recycle();
            // The cutting thread may be gone already; then the room is not needed.
            let _ = used.send(data);
            if let Ok(mut spare) = spare.lock() {
                spare.push(workspace);
            }
        }
        let bytes = taken.saturating_sub(std::mem::replace(&mut self.taken, taken));
        Ok((bytes, rows as u64))
    }

    /// The rows of the whole file, if it goes on as it began; a little more, since room for too few
    /// rows costs more than room for too many.
    fn expected_rows(&self, n_rows: usize, taken: u64) -> usize {
        let Some(total) = self.total_bytes.filter(|_| taken > 0) else { return n_rows };
        let expected = n_rows as u128 * u128::from(total.max(taken)) / u128::from(taken);
        (expected + expected / 64).min(u128::from(u32::MAX)) as usize
    }
}

fn stop_error(stop: Stop, source: &str, first_line: u64, zipped: bool, tuning: Tuning) -> Error {
    use std::io::ErrorKind::{FileTooLarge, InvalidData, InvalidInput, UnexpectedEof};
    match stop {
        Stop::Io(error) if zipped && error.kind() == FileTooLarge => grows_too_far(source),
        Stop::Io(error) if zipped && matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof) => {
            Error::data(source, format!("the gzip stream is damaged or cut short ({error})"))
        }
        Stop::Io(error) => Error::io("read", source, &error),
        Stop::LongRecord { line, quoted } => {
            let kind = if quoted { FaultKind::OpenQuote } else { FaultKind::LongRecord(tuning.most_bytes) };
            Fault { line, column: None, kind }.error(source, &[], first_line, &ReadOptions::default())
        }
    }
}
