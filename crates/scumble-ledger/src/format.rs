//! The bytes of a ledger.
//!
//! ```text
//! scumble ledger 3: private; it tells who was in which release, never publish it
//! {"kdf":"argon2id",...}                      how its keys are wrapped
//! <tag> {"release":{"number":1,...}}          a record; the tag is an HMAC over it and the tag before it
//! <8 bytes a fingerprint, encrypted>          after a release that has fingerprints of its own
//! <tag> {"confirmed":{"release":1}}
//! <tag> end
//! ```
//!
//! A file that was cut has no end, and one that was altered or put together from parts of others has a wrong tag. A file is
//! never changed in place: a new one takes its place in one step.
//!
//! Version 2 differs in its first two lines only. It is read, and written again in this version before anything is added.

use crate::keys::{Bytes32, Hex, LedgerKey};
use crate::people::{Block, PART, WIDTH};
use crate::record::{Entry, Record};
use crate::wrapping::{Head, WrappedKey2, WrappedKeys};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// What the first line begins with, before the version.
const TITLE: &str = "scumble ledger ";

/// The version that is written and read.
pub(crate) const VERSION: &str = "3";

/// The version before it, which is read.
pub(crate) const VERSION_2: &str = "2";

/// What follows the version.
const WARNING: &str = ": private; it tells who was in which release, never publish it";

/// The last record.
const END: &[u8] = b"end";

/// No record is longer: columns, requirements and a checksum for every million people fit in it many times.
const LONGEST_LINE: u64 = 1 << 22;

/// A ledger whose form is right. Whether it is what was written is asked of the seals of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub(crate) head: Head,
    pub(crate) lines: Vec<Line>,
    end: Hex,
}

/// A record with its tag, and where its fingerprints are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) tag: Hex,
    pub(crate) text: String,
    pub(crate) record: Record,
    pub(crate) block: Option<Block>,
}

/// Why a file is no ledger that can be read.
#[derive(Debug)]
pub enum Fault {
    /// It is none.
    NoLedger,
    /// Another version of scumble wrote it.
    Version(String),
    /// It does not end where a ledger ends.
    Cut,
    /// Something in it is not as it is written.
    Broken(&'static str),
    /// The system refuses.
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Fault::Cut,
            _ => Fault::Io(error),
        }
    }
}

/// The first line of a version.
fn title(version: &str) -> String {
    format!("{TITLE}{version}{WARNING}")
}

impl Layout {
    /// Reads the form of a ledger, and passes over its fingerprints.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(file: impl Read + Seek) -> Result<Layout, Fault> {
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let length = reader.seek(SeekFrom::End(0))?;
        reader.rewind()?;
        let first = match line(&mut reader) {
            Err(Fault::Cut | Fault::Broken(_)) => return Err(Fault::NoLedger),
            read => read?,
        };
        let Some(rest) = first.strip_prefix(TITLE) else { return Err(Fault::NoLedger) };
        let version = rest.split(':').next().unwrap_or_default();
        if ![VERSION, VERSION_2].contains(&version) {
            return Err(Fault::Version(version.chars().take(20).collect()));
        }
        if first != title(version) {
            return Err(Fault::Broken("its first line is not that of a ledger"));
        }
        let second = line(&mut reader)?;
        let head = match version == VERSION {
            true => canonical::<WrappedKeys>(&second).map(Head::Current),
            false => canonical::<WrappedKey2>(&second).map(Head::Two),
        };
        let head = head.ok_or(Fault::Broken("its second line does not hold a key"))?;
        head.check_limits().map_err(Fault::Broken)?;
        let mut lines = Vec::new();
        loop {
            let text = line(&mut reader)?;
            let (tag, text) = text.split_once(' ').ok_or(Fault::Broken("a record has no tag"))?;
            let tag = Hex::parse(tag.as_bytes()).ok_or(Fault::Broken("the tag of a record is none"))?;
            if text.as_bytes() == END {
                return match reader.stream_position()? == length {
                    true => Ok(Layout { head, lines, end: tag }),
                    false => Err(Fault::Broken("something follows its end")),
                };
            }
            let record: Record = canonical(text).ok_or(Fault::Broken("a record does not read"))?;
            check(&record, &lines)?;
            let block = match &record {
                Record::Release(entry) if entry.same_people_as.is_none() => {
                    Some(block(entry, reader.stream_position()?, length)?)
                }
                _ => None,
            };
            if let Some(block) = &block {
                reader.seek_relative(block.len() as i64)?;
            }
            lines.push(Line { tag, text: text.to_string(), record, block });
        }
    }

    /// Whether all tags are those of this key.
    pub(crate) fn is_sealed(&self, key: &LedgerKey) -> bool {
        let mut before = start(key, &self.head);
        for line in &self.lines {
            before = key.seal(&before, line.text.as_bytes());
            if before != line.tag.0 {
                return false;
            }
        }
        key.seal(&before, END) == self.end.0
    }

    /// The bytes of a ledger of this form; `people` gives those of a block. For those who check that what was read is all
    /// there was.
    pub fn bytes(&self, people: impl Fn(u64, u64) -> Vec<u8>) -> Vec<u8> {
        let mut all = self.head.text().into_bytes();
        for line in &self.lines {
            all.extend_from_slice(format!("{} {}\n", line.tag, line.text).as_bytes());
            all.extend(line.block.as_ref().map_or(Vec::new(), |block| people(block.offset, block.len())));
        }
        all.extend_from_slice(format!("{} end\n", self.end).as_bytes());
        all
    }
}

impl Head {
    /// The text before the first record.
    pub(crate) fn text(&self) -> String {
        let (version, key) = match self {
            Head::Current(keys) => (VERSION, json(keys)),
            Head::Two(key) => (VERSION_2, json(key)),
        };
        format!("{}\n{key}\n", title(version))
    }
}

/// The tag before the first record.
pub(crate) fn start(key: &LedgerKey, head: &Head) -> Bytes32 {
    key.seal(&[0; 32], head.text().as_bytes())
}

/// The line that ends a ledger after a tag.
pub(crate) fn end_line(key: &LedgerKey, before: &Bytes32) -> String {
    format!("{} end\n", Hex(key.seal(before, END)))
}

/// A record or a key as text.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    // Texts, numbers and lists all have a form in JSON.
    serde_json::to_string(value).unwrap_or_default()
}

/// A value whose text is the one that it is written as.
fn canonical<T: serde::Serialize + serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let value: T = serde_json::from_str(text).ok()?;
    (json(&value) == text).then_some(value)
}

/// Numbers follow each other, and records speak of releases that were entered before them.
fn check(record: &Record, before: &[Line]) -> Result<(), Fault> {
    let entered = before.iter().filter(|line| matches!(line.record, Record::Release(_))).count() as u64;
    let known = |number: u64| (1..=entered).contains(&number);
    let fits = match record {
        Record::Release(entry) => entry.number == entered + 1 && entry.same_people_as.is_none_or(known),
        Record::Confirmed { release } | Record::Withdrawn { release, .. } => known(*release),
    };
    if fits { Ok(()) } else { Err(Fault::Broken("a record speaks of a release that was not entered")) }
}

/// Where the fingerprints of a release are: at once after its record, and inside the file.
fn block(entry: &Entry, offset: u64, length: u64) -> Result<Block, Fault> {
    let n_parts = entry.people.div_ceil(PART as u64);
    if entry.parts.len() as u64 != n_parts {
        return Err(Fault::Broken("a release has not a checksum for each part of its fingerprints"));
    }
    let Some(salt) = entry.salt else { return Err(Fault::Broken("the fingerprints of a release have no key")) };
    let end = entry.people.checked_mul(WIDTH).and_then(|bytes| offset.checked_add(bytes));
    match end {
        Some(end) if end <= length => Ok(Block { offset, n: entry.people, salt, parts: entry.parts.clone() }),
        _ => Err(Fault::Cut),
    }
}

/// A line without its end.
fn line(reader: &mut impl BufRead) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    match bytes.pop() {
        Some(b'\n') => String::from_utf8(bytes).map_err(|_| Fault::Broken("a line is no text")),
        Some(_) if bytes.len() as u64 + 1 >= LONGEST_LINE => Err(Fault::Broken("a line is too long")),
        _ => Err(Fault::Cut),
    }
}
