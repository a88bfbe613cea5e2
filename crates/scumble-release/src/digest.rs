//! SHA-256 of published files.

use scumble_io::open_plain;
use scumble_table::{Error, Result};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

/// A checksum in the making.
#[derive(Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Takes more bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The checksum in hexadecimal.
    pub fn hex(self) -> String {
        let mut out = String::with_capacity(64);
        for byte in self.0.finalize() {
            let _ = write!(out, "{byte:02x}");
        }
        out
    }
}

/// The checksum of a file's bytes; `shown` stands for it in messages.
pub(crate) fn file_digest(path: &Path, shown: &str) -> Result<String> {
    // Large enough that the system reads ahead while the last block is hashed.
    const BLOCK: usize = 1 << 20;
    let fail = |error: std::io::Error| Error::io("read", shown, &error);
    let mut file = open_plain(path).map_err(fail)?;
    let mut digest = Digest::default();
    let mut block = vec![0; BLOCK];
    loop {
        match file.read(&mut block).map_err(fail)? {
            0 => return Ok(digest.hex()),
            n => digest.update(&block[..n]),
        }
    }
}
