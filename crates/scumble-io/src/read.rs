//! The front door: what to read, how, and from where.
//!
//! A file says what it is by its first bytes, not by its name: gzip and Parquet have their marks,
//! and everything else is CSV.

use crate::csv::{Tuning, read_csv};
use crate::{RawTable, columnar, open_plain};
use bytes::Bytes;
use scumble_table::{Error, Monitor, Result};
use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// What a column is to be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Not at all.
    Skip,
    /// Distinct texts and codes.
    Text,
    /// Plain whole numbers below `u32::MAX`, for the numbered columns of a release.
    Integer,
}

/// The form of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Told by the first bytes.
    #[default]
    Auto,
    /// CSV, perhaps in gzip.
    Csv,
    /// Parquet.
    Parquet,
}

impl Format {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Auto => "auto",
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }
}

type Choose<'a> = dyn Fn(&[String]) -> Result<Vec<Want>> + Send + Sync + 'a;
type Secret<'a> = dyn Fn(&str) -> bool + Send + Sync + 'a;

/// How to read.
pub struct ReadOptions<'a> {
    format: Format,
    pub(crate) delimiter: Option<u8>,
    pub(crate) nulls: Vec<String>,
    choose: Box<Choose<'a>>,
    secret: Box<Secret<'a>>,
    plain: bool,
    pub(crate) pass_over: bool,
}

impl Default for ReadOptions<'_> {
    /// Every column as text, nothing secret.
    fn default() -> Self {
        ReadOptions {
            format: Format::Auto,
            delimiter: None,
            nulls: Vec::new(),
            choose: Box::new(|names| Ok(vec![Want::Text; names.len()])),
            secret: Box::new(|_| false),
            plain: false,
            pass_over: false,
        }
    }
}

impl fmt::Debug for ReadOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadOptions")
            .field("format", &self.format)
            .field("delimiter", &self.delimiter)
            .field("nulls", &self.nulls)
            .finish_non_exhaustive()
    }
}

impl<'a> ReadOptions<'a> {
    /// The form of the input.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// The delimiter of a CSV file; without one, the file's header decides.
    #[must_use]
    pub fn delimiter(mut self, delimiter: Option<u8>) -> Self {
        self.delimiter = delimiter;
        self
    }

    /// Texts that mean a missing value, besides the empty one. They have no meaning in integer columns.
    #[must_use]
    pub fn nulls(mut self, nulls: Vec<String>) -> Self {
        self.nulls = nulls;
        self
    }

    /// Decides what to read from a column's name.
    #[must_use]
    pub fn columns(self, want: impl Fn(&str) -> Want + Send + Sync + 'a) -> Self {
        self.header(move |names| Ok(names.iter().map(|name| want(name)).collect()))
    }

    /// Decides what to read from all names at once, before a row is read; may refuse the file. The
    /// answer must hold one entry per name.
    #[must_use]
    pub fn header(mut self, choose: impl Fn(&[String]) -> Result<Vec<Want>> + Send + Sync + 'a) -> Self {
        self.choose = Box::new(choose);
        self
    }

    /// Says which columns hold secrets, whose values stay out of messages.
    #[must_use]
    pub fn secret(mut self, secret: impl Fn(&str) -> bool + Send + Sync + 'a) -> Self {
        self.secret = Box::new(secret);
        self
    }

    /// Reads plain files only: no links, pipes or devices. For files whose origin is not known.
    #[must_use]
    pub fn plain_files(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Skips columns whose values have no text, such as lists, instead of refusing the file.
    #[must_use]
    pub fn pass_over_nested(mut self) -> Self {
        self.pass_over = true;
        self
    }

    /// Opens a file as these options say.
    pub(crate) fn open(&self, path: &Path) -> std::io::Result<File> {
        if self.plain { open_plain(path) } else { File::open(path) }
    }

    pub(crate) fn choose(&self, names: &[String]) -> Result<Vec<Want>> {
        let wants = (self.choose)(names)?;
        if wants.len() != names.len() {
            return Err(Error::bug("the choice of columns has another length than the header"));
        }
        Ok(wants)
    }

    pub(crate) fn is_secret(&self, name: &str) -> bool {
        (self.secret)(name)
    }
}

/// Reads a file; the path `-` is standard input.
pub fn read(path: &Path, options: &ReadOptions<'_>, monitor: Monitor<'_>) -> Result<RawTable> {
    if path.as_os_str() == "-" {
        return read_stream(std::io::stdin(), "standard input", options, monitor);
    }
    let name = path.display().to_string();
    let fail = |error: std::io::Error| Error::io("read", &name, &error);
    let mut file = options.open(path).map_err(fail)?;
    let size = file.metadata().map_err(fail)?;
    if size.is_dir() {
        return Err(Error::data(name, "it is a directory, not a file"));
    }
    // A pipe has no size and cannot be read twice.
    if !size.is_file() {
        return read_stream(file, &name, options, monitor);
    }
    let parquet = match options.format {
        Format::Csv => false,
        Format::Parquet => true,
        Format::Auto => is_parquet(&mut file).map_err(fail)?,
    };
    if parquet {
        return columnar::read_parquet(columnar::ParquetInput::Path(path), &name, options, monitor);
    }
    file.rewind().map_err(fail)?;
    read_csv(file, &name, Some(size.len()), options, monitor, Tuning::default())
}

/// Reads anything that can be read, such as standard input; `name` stands for it in messages.
/// Parquet is gathered in memory first, since its directory is at its end.
pub fn read_stream(
    mut input: impl Read + Send + 'static,
    name: &str,
    options: &ReadOptions<'_>,
    monitor: Monitor<'_>,
) -> Result<RawTable> {
    let fail = |error: std::io::Error| Error::io("read", name, &error);
    let format = options.format;
    let read_head = move || {
        let mut head = Vec::new();
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut head)?;
        let may_be_parquet = format == Format::Parquet || format == Format::Auto && head == MAGIC;
        if may_be_parquet {
            input.read_to_end(&mut head)?;
        }
        Ok((head, may_be_parquet, input))
    };
    let (head, may_be_parquet, input) = interruptible(monitor, read_head)?.map_err(fail)?;
    if may_be_parquet {
        if options.format == Format::Parquet || head.ends_with(MAGIC) {
            return columnar::read_parquet(columnar::ParquetInput::Memory(Bytes::from(head)), name, options, monitor);
        }
        let size = head.len() as u64;
        return read_csv(Cursor::new(head), name, Some(size), options, monitor, Tuning::default());
    }
    read_csv(Cursor::new(head).chain(input), name, None, options, monitor, Tuning::default())
}

/// Runs work that may wait for a pipe for ever in a thread of its own. When the caller is cancelled, that thread is left to
/// itself.
pub(crate) fn interruptible<T: Send + 'static>(
    monitor: Monitor<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let (send, result) = channel();
    std::thread::spawn(move || send.send(work()));
    loop {
        match result.recv_timeout(PATIENCE) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => monitor.check()?,
            Err(RecvTimeoutError::Disconnected) => return Err(Error::bug("a thread that reads has ended early")),
        }
    }
}

/// How long a wait for input goes on before it looks whether it was cancelled.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// Parquet begins and ends with its mark; a CSV file whose first column is named `PAR1` only begins
/// with it.
const MAGIC: &[u8] = b"PAR1";

fn is_parquet(file: &mut File) -> std::io::Result<bool> {
    if file.seek(SeekFrom::End(0))? < 12 {
        return Ok(false);
    }
    let (mut head, mut tail) = ([0; 4], [0; 4]);
    file.rewind()?;
    file.read_exact(&mut head)?;
    file.seek(SeekFrom::End(-4))?;
    file.read_exact(&mut tail)?;
    Ok(head == MAGIC && tail == MAGIC)
}
