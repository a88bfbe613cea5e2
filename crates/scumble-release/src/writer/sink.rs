//! Blocks of bytes into a file: made on all cores, hashed and written in order by one more thread.

use crate::digest::Digest;
use rayon::prelude::*;
use scumble_table::{Error, Monitor, Result};
use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{channel, sync_channel};

/// Writes `n_blocks` blocks to `file` and returns the checksum of all. `render` appends a block to
/// an empty buffer and returns its number of rows; at most a few blocks per core exist at a time.
pub(super) fn write_blocks(
    mut file: File,
    shown: &str,
    n_blocks: usize,
    render: impl Fn(usize, &mut Vec<u8>) -> u64 + Sync,
    monitor: Monitor<'_>,
) -> Result<(File, String)> {
    let width = rayon::current_num_threads().max(1);
    std::thread::scope(|scope| {
        let (send_full, full) = sync_channel::<Vec<u8>>(width);
        let (send_empty, empty) = channel::<Vec<u8>>();
        let sink = scope.spawn(move || -> io::Result<(File, String)> {
            let mut digest = Digest::default();
            for mut block in full {
                digest.update(&block);
                file.write_all(&block)?;
                block.clear();
                // The other side may have finished already, and then the buffer is not needed.
                let _ = send_empty.send(block);
            }
            Ok((file, digest.hex()))
        });
        let mut first = 0;
        'blocks: while first < n_blocks && !monitor.is_cancelled() {
            let n = width.min(n_blocks - first);
            let mut batch: Vec<(Vec<u8>, u64)> = (0..n).map(|_| (empty.try_recv().unwrap_or_default(), 0)).collect();
            batch.par_iter_mut().enumerate().for_each(|(at, (block, rows))| *rows = render(first + at, block));
            for (block, rows) in batch {
                if send_full.send(block).is_err() {
                    // The sink has met an error, which it is about to return.
                    break 'blocks;
                }
                monitor.advance(rows);
            }
            first += n;
        }
        drop(send_full);
        let written = match sink.join() {
            Ok(done) => done.map_err(|error| Error::io("write", shown, &error)),
            Err(_) => Err(Error::bug("the thread that writes a table panicked")),
        };
        monitor.check().and(written)
    })
}
