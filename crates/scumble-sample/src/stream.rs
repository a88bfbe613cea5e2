//! Rows in blocks: made on all threads, written in order by one.
//!
//! A fixed number of blocks is always under way. The caller waits for the
//! oldest, writes it and sends its memory out again with the next rows, so
//! neither the threads nor a slow disk ever wait for a whole batch:
//!
//! ```text
//!   written ... 5 | 6  7  8  9 | 10 ...
//!                   ^ waited for
//!                      ^ made or being made
//! ```

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, TryRecvError};

use rayon::{Scope, Yield};

use crate::rng::{Coins, Rng};

/// Rows per block. Large enough that handing out a block costs nothing next to
/// making it, small enough (under half a megabyte of text) that it stays in a
/// core's own cache. The bytes of every table depend on it.
pub(crate) const BLOCK: u64 = 4096;

/// Blocks under way for each thread: some milliseconds of work, so that a
/// thread is not put to sleep while the caller writes.
const PER_THREAD: usize = 8;

/// A kind of row.
pub(crate) trait Rows: Sync {
    /// Appends the row with its line end. It may depend on the number of the
    /// row and on the coins, and on nothing else.
    fn push_row(&self, row: u64, rng: &mut Rng, out: &mut Vec<u8>);
}

/// A run of consecutive rows, the last block of a table being cut short.
struct Block {
    first: u64,
    n_rows: u64,
    text: Vec<u8>,
}

impl Block {
    /// The block that starts at a row, if the table goes that far, in memory
    /// that another needs no more.
    fn starting_at(first: u64, rows: u64, mut text: Vec<u8>) -> Option<Block> {
        text.clear();
        (first < rows).then(|| Block { first, n_rows: BLOCK.min(rows - first), text })
    }

    fn make(&mut self, recipe: &impl Rows, coins: Coins) {
        let mut rng = coins.for_block(self.first / BLOCK);
        for row in self.first..self.first + self.n_rows {
            recipe.push_row(row, &mut rng, &mut self.text);
        }
    }
}

/// Writes rows `0..rows`, calling `progress` with the number written so far.
pub(crate) fn write(
    recipe: &impl Rows,
    rows: u64,
    coins: Coins,
    out: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> io::Result<()> {
    let width = rayon::current_num_threads().max(1) * PER_THREAD;
    rayon::in_place_scope(|scope| {
        let mut under_way = VecDeque::with_capacity(width);
        let mut next = 0;
        let mut start = |text, under_way: &mut VecDeque<_>| {
            if let Some(block) = Block::starting_at(next, rows, text) {
                next += block.n_rows;
                under_way.push_back(spawn(scope, block, recipe, coins));
            }
        };
        for _ in 0..width {
            start(Vec::new(), &mut under_way);
        }
        while let Some(oldest) = under_way.pop_front() {
            // A block that never comes has panicked, and the scope says so.
            let Some(block) = wait(&oldest) else { break };
            out.write_all(&block.text)?;
            progress(block.first + block.n_rows);
            start(block.text, &mut under_way);
        }
        Ok(())
    })
}

/// Has the pool make a block, and tells where it will arrive.
fn spawn<'scope>(scope: &Scope<'scope>, mut block: Block, recipe: &'scope impl Rows, coins: Coins) -> Receiver<Block> {
    let (sender, receiver) = mpsc::channel();
    scope.spawn(move |_| {
        block.make(recipe, coins);
        // The receiver is gone once writing has failed.
        let _ = sender.send(block);
    });
    receiver
}

/// Waits for a block. A thread of the pool makes blocks meanwhile, since the
/// pool may have no other thread; once none is left to make, other threads
/// are making the missing ones and it can sleep.
fn wait(block: &Receiver<Block>) -> Option<Block> {
    loop {
        match block.try_recv() {
            Ok(block) => return Some(block),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        if rayon::yield_now() != Some(Yield::Executed) {
            return block.recv().ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::BLOCK;
    use crate::test_table::bytes;
    use crate::{Sample, write_csv};

    #[test]
    fn fewer_rows_are_a_prefix_of_more() {
        for sample in Sample::ALL {
            let all = bytes(sample, 40 * BLOCK + 3, 77);
            for rows in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 4 * BLOCK, 40 * BLOCK] {
                let part = bytes(sample, rows, 77);
                assert!(part.len() < all.len() && all.starts_with(&part), "{rows}");
                let lines = part.iter().filter(|byte| **byte == b'\n').count();
                assert_eq!(lines as u64, rows + 1);
            }
        }
    }

    #[test]
    fn threads_do_not_change_the_bytes() {
        for sample in Sample::ALL {
            let [one, two, eight] = [1, 2, 8].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                let pool = pool.build().unwrap();
                pool.install(|| bytes(sample, 35 * BLOCK + 5, u64::MAX))
            });
            assert!(one == two && one == eight, "{}", sample.name());
        }
    }

    #[test]
    fn blocks_differ() {
        let text = String::from_utf8(bytes(Sample::Census, 2 * BLOCK, 1)).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let (first, second) = lines.split_at(BLOCK as usize);
        let same = first.iter().zip(second).filter(|(a, b)| a == b).count();
        assert!(same < 10, "{same}");
    }

    #[test]
    fn progress_counts_up_to_the_rows() {
        let mut seen = Vec::new();
        let rows = 3 * BLOCK + 1;
        write_csv(Sample::Health, rows, 0, &mut io::sink(), &mut |done| {
            seen.push(done);
        })
        .unwrap();
        assert_eq!(seen, [BLOCK, 2 * BLOCK, 3 * BLOCK, rows]);
        let mut calls = 0;
        write_csv(Sample::Health, 0, 0, &mut io::sink(), &mut |_| calls += 1).unwrap();
        assert_eq!(calls, 0);
    }

    /// Takes a number of bytes and then fails, like a full disk.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The number of rows asked for is beyond anything that could be made, so
    /// this also shows that nothing is sized by it.
    #[test]
    fn an_error_of_the_file_ends_the_work() {
        for room in [0, 5, 2_000_000] {
            let result = write_csv(Sample::Census, u64::MAX, 0, &mut Full(room), &mut |_| {});
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}
