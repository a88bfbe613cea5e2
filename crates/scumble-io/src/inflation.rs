//! How far compressed data may grow: a small file that unpacks to more than memory holds is an attack, or a mistake.

use scumble_table::Error;

/// Bytes that any stream or page may unpack to: what every machine has room for.
const FREE: u64 = 1 << 26;

/// How many times its size a stream or page may grow beyond that. Tables of text shrink to a tenth, very regular ones to a
/// hundredth; the bombs that are about grow a thousandfold.
const MOST_TIMES: u64 = 300;

/// Whether this many unpacked bytes are acceptable for this many packed ones.
pub(crate) fn may_grow(packed: u64, unpacked: u64) -> bool {
    unpacked <= FREE || unpacked / MOST_TIMES <= packed
}

/// The error for data that grows further.
pub(crate) fn grows_too_far(source: &str) -> Error {
    let reason = format!("it unpacks to more than {MOST_TIMES} times its size, and to more than {} MiB", FREE >> 20);
    Error::data(source, reason)
        .hint("unpack it yourself if you trust it: a file that is not compressed has no such limit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_things_may_grow_and_large_ones_by_their_size() {
        assert!(may_grow(1, FREE) && !may_grow(1, FREE + MOST_TIMES));
        assert!(may_grow(1 << 30, 200 << 30) && !may_grow(1 << 30, 301 << 30));
        assert!(may_grow(0, 0) && may_grow(u64::MAX, u64::MAX));
    }
}
