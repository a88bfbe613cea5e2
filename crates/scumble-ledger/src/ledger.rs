//! An open ledger.

use crate::format::{Fault, Layout, Line, end_line, json, start};
use crate::keys::{Bytes32, Hex, LedgerKey, random};
use crate::people::{Block, Fingerprints, checksums, common, encrypted_part};
use crate::place::{folder_of, lock, open, refusal, unreadable};
use crate::record::{Entry, EntryFields, KnownBy, Record, SameKey, State};
use crate::wrapping::{Head, OpensWith, Secrets, WrappedKeys};
use rayon::prelude::*;
use scumble_platform::{Lock, PendingFile, Readers, sync_dir};
use scumble_table::{Error, Monitor, Result};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A ledger that is locked for this process, with the records that were found in it.
pub struct Ledger {
    path: PathBuf,
    key: LedgerKey,
    head: Head,
    opens_with: OpensWith,
    /// What a file of version 2 is written again under.
    secrets: Secrets,
    lines: Vec<Line>,
    /// Records that are known and not written yet.
    unwritten: Vec<Record>,
    /// Whether there is a file.
    exists: bool,
    _lock: Lock,
}

/// A release that is about to be put in its place.
pub struct NewEntry<'a> {
    /// What is known of it.
    pub fields: EntryFields,
    /// Its people.
    pub people: NewPeople<'a>,
}

/// The people of a new entry.
#[derive(Clone, Copy)]
pub enum NewPeople<'a> {
    /// These.
    Own(&'a Fingerprints),
    /// Those of the release of this number.
    SameAs(u64),
}

/// People who are about to be published and are in an earlier release already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    /// Number of that release.
    pub release: u64,
    /// How many of the people.
    pub people: u64,
}

/// What a ledger knows of people in an earlier release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// Number of that release.
    pub release: u64,
    /// Whether its people are known by the same.
    pub same_key: SameKey,
    /// How many of the people are in it; nothing where that is not known, since people are known by something else there, or
    /// nobody is named.
    pub people: Option<u64>,
    /// Rows of it that did not say whose they were. They may be anybody's.
    pub unnamed: u64,
}

/// How many people two releases share, if that is known. Of two releases whose keys have other names nothing is known if nobody
/// is found: they may be about the same people under other keys. Nor is it where nobody is named.
fn in_both(same_key: SameKey, found: u64, are_named: bool) -> Option<u64> {
    match same_key {
        SameKey::No => None,
        _ if found > 0 => Some(found),
        SameKey::Yes if are_named => Some(0),
        _ => None,
    }
}

impl Ledger {
    /// Opens a ledger, waiting until no other run uses it.
    ///
    /// # Errors
    /// If there is none, it is not private or not what was written, or what opens it is missing or another one.
    pub fn open(path: &Path, secrets: &Secrets, monitor: Monitor<'_>) -> Result<Ledger> {
        if open(path)?.is_none() {
            return Err(refusal(path, "there is no such file").hint("`scumble publish` makes it with «ledger»"));
        }
        Ledger::open_or_new(path, secrets, monitor)
    }

    /// The same, and a new ledger where there is none. Its file appears when the first release is entered; the key file of its
    /// owner is made at once, where one is wanted and there is none.
    ///
    /// # Errors
    /// As [`Ledger::open`].
    pub fn open_or_new(path: &Path, secrets: &Secrets, monitor: Monitor<'_>) -> Result<Ledger> {
        let locked = lock(path, monitor)?;
        let (found, secrets) = (open(path)?, secrets.clone());
        let Some(file) = found else {
            let (keys, key) = WrappedKeys::create(path, &secrets, None, monitor)?;
            let (path, lines, unwritten) = (path.to_path_buf(), Vec::new(), Vec::new());
            let (opens_with, head) = (keys.opens_with(), Head::Current(keys));
            return Ok(Ledger { path, key, head, opens_with, secrets, lines, unwritten, exists: false, _lock: locked });
        };
        let layout = Layout::read(&file).map_err(|fault| unreadable(path, fault))?;
        let (key, opens_with) = layout.head.unwrap(path, &secrets, monitor)?;
        if !layout.is_sealed(&key) {
            return Err(unreadable(path, Fault::Broken("its records are not those that were written")));
        }
        let mut ledger = Ledger {
            path: path.to_path_buf(),
            key,
            head: layout.head,
            opens_with,
            secrets,
            lines: layout.lines,
            unwritten: Vec::new(),
            exists: true,
            _lock: locked,
        };
        ledger.resolve();
        Ok(ledger)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is a file already.
    pub fn exists(&self) -> bool {
        self.exists
    }

    /// What opens it.
    pub fn opens_with(&self) -> &OpensWith {
        &self.opens_with
    }

    /// The releases, by number.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> + '_ {
        self.lines
            .iter()
            .filter_map(|line| if let Record::Release(entry) = &line.record { Some(&**entry) } else { None })
    }

    /// A release by its number.
    pub fn entry(&self, number: u64) -> Option<&Entry> {
        self.entries().nth(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// Whether a release was put in its place.
    pub fn state(&self, number: u64) -> State {
        let mut state = State::InDoubt;
        for record in self.lines.iter().map(|line| &line.record).chain(&self.unwritten) {
            match record {
                Record::Confirmed { release } if *release == number => state = State::Published,
                Record::Withdrawn { release, .. } if *release == number => state = State::Withdrawn,
                _ => {}
            }
        }
        state
    }

    /// Why a release was withdrawn, where it was.
    pub fn withdrawn_because(&self, number: u64) -> Option<&str> {
        self.lines.iter().map(|line| &line.record).chain(&self.unwritten).find_map(|record| match record {
            Record::Withdrawn { release, because } if *release == number => Some(because.as_str()),
            _ => None,
        })
    }

    /// Settles entries that a killed run left: what is at its place was published, and what is still where it was written
    /// was not. Whatever else there may be counts as published. Nobody else is at work on them, since the ledger is locked.
    fn resolve(&mut self) {
        let open: Vec<&Entry> = self.entries().filter(|entry| self.state(entry.number) == State::InDoubt).collect();
        let settled = open.into_iter().filter_map(|entry| {
            let release = entry.number;
            if entry.standing().is_there() {
                Some(Record::Confirmed { release })
            } else if entry.is_still_staged() {
                Some(Record::Withdrawn { release, because: KILLED.into() })
            } else {
                None
            }
        });
        self.unwritten = settled.collect();
    }

    /// Writes down what was found out about entries that a killed run left. The next run sweeps what proves that a release
    /// was not put in its place, so this comes before anything is written next to it. A ledger of version 2 is written again in
    /// this version first, under the secrets that were given, which a warning says.
    ///
    /// # Errors
    /// If the ledger cannot be written; then it is as it was. If there is nothing that it could be put under.
    pub fn settle(&mut self, monitor: Monitor<'_>) -> Result<()> {
        self.renew(monitor)?;
        if self.unwritten.is_empty() { Ok(()) } else { self.add(None, None) }
    }

    /// Writes a ledger of version 2 again in this version, under keys that no copy of the old file holds: all but the one that
    /// makes fingerprints, which cannot be made again. Whoever opens an old copy can test people there, and not in what is
    /// encrypted here.
    fn renew(&mut self, monitor: Monitor<'_>) -> Result<()> {
        if let Head::Current(_) = self.head {
            return Ok(());
        }
        let (keys, key) = WrappedKeys::create(&self.path, &self.secrets, Some(self.key.people_key()), monitor)?;
        let now = match keys.opens_with() {
            OpensWith::Key(id) => format!("under the key {id}"),
            _ => "under the passphrase".into(),
        };
        let before = self.opens_with.clone();
        self.rewrite(keys, key)?;
        let words = match before {
            OpensWith::Nothing => format!(
                "the ledger was made by an earlier version without a passphrase, so that whoever had the file could test who was in \
                 it; it was written again {now}. Copies of the old file still open to everybody, for the releases that are in them: \
                 remove them"
            ),
            _ => format!(
                "the ledger was made by an earlier version, which does not read it any more: it was written again {now}"
            ),
        };
        monitor.warn(&words);
        Ok(())
    }

    /// Writes all records and fingerprints again under other keys.
    fn rewrite(&mut self, keys: WrappedKeys, key: LedgerKey) -> Result<()> {
        let (opens_with, head) = (keys.opens_with(), Head::Current(keys));
        let mut before = start(&key, &head);
        let (mut lines, mut failure, mut old) = (Vec::new(), None, self.file());
        let written = self.replace(|out| {
            out.write_all(head.text().as_bytes())?;
            let mut at = head.text().len() as u64;
            for line in &self.lines {
                let mut record = line.record.clone();
                let mut people = Vec::new();
                if let (Record::Release(entry), Some(block)) = (&mut record, &line.block) {
                    let salt = Hex(random().map_err(io::Error::other)?);
                    let cipher = key.cipher(&salt);
                    for part in 0..block.parts.len() {
                        match self.part(&mut old, block, part) {
                            Ok(values) => people.push(encrypted_part(&values, part, &cipher)),
                            Err(error) => {
                                failure = Some(error);
                                return Err(io::ErrorKind::InvalidData.into());
                            }
                        }
                    }
                    (entry.salt, entry.parts) = (Some(salt), checksums(&people));
                }
                let text = json(&record);
                before = key.seal(&before, text.as_bytes());
                let mut line = Line { tag: Hex(before), text, record, block: None };
                at += put_line(out, &line.tag, &line.text)?;
                line.block = put_block(out, &line.record, &people, &mut at)?;
                lines.push(line);
            }
            out.write_all(end_line(&key, &before).as_bytes())
        });
        written.map_err(|error| failure.unwrap_or_else(|| self.not_written(&error)))?;
        (self.key, self.head, self.opens_with, self.lines) = (key, head, opens_with, lines);
        Ok(())
    }

    /// The fingerprints of people under the key of this ledger.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn fingerprints(&self, digests: &[u128], monitor: Monitor<'_>) -> Result<Fingerprints> {
        Fingerprints::new(&self.key, digests, monitor)
    }

    /// The fingerprints under which people are looked for: those of their digests, and those of further digests that stand for the
    /// same people by position, 0 for none.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn known_fingerprints(&self, digests: &[u128], others: &[u128], monitor: Monitor<'_>) -> Result<Fingerprints> {
        Fingerprints::for_looking(&self.key, digests, others, monitor)
    }

    /// How many of these people are in each earlier release that counts, where there are some.
    ///
    /// # Errors
    /// As [`Ledger::compare`].
    pub fn overlaps(&self, people: &Fingerprints, known_by: &KnownBy, monitor: Monitor<'_>) -> Result<Vec<Overlap>> {
        let all = self.compare(people, known_by, monitor)?.into_iter();
        let found = all.filter_map(|one| Some(Overlap { release: one.release, people: one.people? }));
        Ok(found.filter(|overlap| overlap.people > 0).collect())
    }

    /// What is known of these people in each earlier release that counts.
    ///
    /// # Errors
    /// If the fingerprints in the ledger are not those that were written, or the work was cancelled.
    pub fn compare(&self, people: &Fingerprints, known_by: &KnownBy, monitor: Monitor<'_>) -> Result<Vec<Compared>> {
        let entries: Vec<(&Entry, SameKey)> =
            self.counting().map(|entry| (entry, known_by.same_key(&entry.known_by))).collect();
        let blocks: Vec<Option<&Block>> = entries
            .iter()
            .map(|(entry, same_key)| if *same_key == SameKey::No { None } else { self.block(entry) })
            .collect();
        let parts = blocks.iter().enumerate().filter_map(|(at, block)| Some((at, block.as_ref()?)));
        let parts = parts.flat_map(|(at, block)| (0..block.parts.len()).map(move |part| (at, *block, part)));
        let parts: Vec<(usize, &Block, usize)> = parts.collect();
        let found: Vec<(usize, u64)> = parts
            .into_par_iter()
            .map_init(
                || self.file(),
                |file, (at, block, part)| {
                    monitor.check()?;
                    let values = self.part(file, block, part)?;
                    Ok((at, common(people.values(), &values).len() as u64))
                },
            )
            .collect::<Result<_>>()?;
        let mut counts = vec![0u64; entries.len()];
        found.into_iter().for_each(|(at, n)| counts[at] += n);
        let told = |((entry, same_key), n): ((&Entry, SameKey), u64)| Compared {
            release: entry.number,
            same_key,
            people: in_both(same_key, n, !people.is_empty() && entry.people > 0),
            unnamed: entry.unnamed,
        };
        Ok(entries.into_iter().zip(counts).map(told).collect())
    }

    /// Which of the people are in a release, as positions of their digests, rising.
    ///
    /// # Errors
    /// As [`Ledger::overlaps`].
    pub fn members(&self, release: u64, people: &Fingerprints, monitor: Monitor<'_>) -> Result<Vec<u32>> {
        let Some(block) = self.entry(release).and_then(|entry| self.block(entry)) else { return Ok(Vec::new()) };
        let mut file = self.file();
        let mut found = Vec::new();
        for part in 0..block.parts.len() {
            monitor.check()?;
            let values = self.part(&mut file, block, part)?;
            found.extend(common(people.values(), &values).into_iter().map(|at| people.digest_of(at)));
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// How many people two releases have in common; nothing where that is not known.
    ///
    /// # Errors
    /// As [`Ledger::overlaps`].
    pub fn in_common(&self, one: u64, other: u64, monitor: Monitor<'_>) -> Result<Option<u64>> {
        let (Some(a), Some(b)) = (self.entry(one), self.entry(other)) else { return Ok(None) };
        let same_key = a.known_by.same_key(&b.known_by);
        if same_key == SameKey::No {
            return Ok(None);
        }
        let (Some(block), mut file) = (self.block(a), self.file()) else { return Ok(None) };
        let mut values = Vec::new();
        for part in 0..block.parts.len() {
            monitor.check()?;
            values.extend(self.part(&mut file, block, part)?);
        }
        let found = self.members(other, &Fingerprints::from_values(values), monitor)?.len() as u64;
        Ok(in_both(same_key, found, a.people > 0 && b.people > 0))
    }

    /// The release with this manifest, where one was entered that was not withdrawn.
    pub fn same_release(&self, manifest: &str) -> Option<&Entry> {
        self.counting().find(|entry| entry.manifest == manifest)
    }

    /// Reads all fingerprints, and compares them with their checksums.
    ///
    /// # Errors
    /// If they are not those that were written, or the work was cancelled.
    pub fn check_people(&self, monitor: Monitor<'_>) -> Result<()> {
        let everybody = Fingerprints::from_values(Vec::new());
        for entry in self.entries() {
            self.members(entry.number, &everybody, monitor)?;
        }
        Ok(())
    }

    /// Enters a release that is about to be put in its place, and gives its number. It is on the disk when this returns.
    ///
    /// # Errors
    /// If the ledger cannot be written; then it is as it was.
    pub fn enter(&mut self, entry: NewEntry<'_>) -> Result<u64> {
        self.renew(Monitor::silent())?;
        let number = self.entries().count() as u64 + 1;
        let (own, same) = match entry.people {
            NewPeople::Own(people) => (Some(people), None),
            NewPeople::SameAs(number) => (None, Some(self.holder(number))),
        };
        let n_same = same.and_then(|number| self.entry(number)).map_or(0, |entry| entry.people);
        let salt = own.map(|_| random().map(Hex)).transpose()?;
        let stored = own.zip(salt).map(|(people, salt)| people.encrypted(&self.key.cipher(&salt)));
        let record = Entry {
            number,
            when: now(),
            release: entry.fields,
            people: own.map_or(n_same, |people| people.len() as u64),
            same_people_as: same,
            salt,
            parts: stored.as_deref().map_or(Vec::new(), checksums),
        };
        self.add(Some(Record::Release(Box::new(record))), stored.as_deref())?;
        Ok(number)
    }

    /// Notes that a release stands in its place.
    ///
    /// # Errors
    /// If the ledger cannot be written. The entry stays, and counts as published.
    pub fn confirm(&mut self, release: u64) -> Result<()> {
        self.add(Some(Record::Confirmed { release }), None)
    }

    /// Notes that a release was not put in its place.
    ///
    /// # Errors
    /// If the ledger cannot be written. The entry stays, and counts as published.
    pub fn withdraw(&mut self, release: u64, because: &str) -> Result<()> {
        self.add(Some(Record::Withdrawn { release, because: because.into() }), None)
    }

    /// The entry that holds the fingerprints of a release.
    fn holder(&self, number: u64) -> u64 {
        self.entry(number).and_then(|entry| entry.same_people_as).unwrap_or(number)
    }

    fn counting(&self) -> impl Iterator<Item = &Entry> + '_ {
        self.entries().filter(|entry| self.state(entry.number) != State::Withdrawn)
    }

    /// The fingerprints of a release, which may be those of another one.
    fn block(&self, entry: &Entry) -> Option<&Block> {
        let holder = self.holder(entry.number);
        let is_holder = |line: &&Line| matches!(&line.record, Record::Release(known) if known.number == holder);
        self.lines.iter().find(is_holder)?.block.as_ref()
    }

    fn file(&self) -> io::Result<File> {
        scumble_platform::open_plain_file(&self.path)
    }

    fn part(&self, file: &mut io::Result<File>, block: &Block, at: usize) -> Result<Vec<u64>> {
        let failed = |error: &io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => unreadable(&self.path, Fault::Cut),
            _ => Error::io("read", self.path.display(), error),
        };
        let file = file.as_mut().map_err(|error| failed(error))?;
        let read = block.read_part(file, at, &self.key.cipher(&block.salt)).map_err(|error| failed(&error))?;
        read.map_err(|_| unreadable(&self.path, Fault::Broken("its fingerprints are not those that were written")))
    }

    /// Writes a new file with all records and this one, and puts it in the place of the old one. Encrypted fingerprints that are in
    /// the old one are copied as they are.
    fn add(&mut self, record: Option<Record>, people: Option<&[Vec<u8>]>) -> Result<()> {
        self.renew(Monitor::silent())?;
        let records: Vec<Record> = self.unwritten.iter().cloned().chain(record).collect();
        self.lines = self.write(&records, people).map_err(|error| self.not_written(&error))?;
        self.unwritten.clear();
        self.exists = true;
        Ok(())
    }

    fn not_written(&self, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => unreadable(&self.path, Fault::Cut),
            _ => Error::io("write", self.path.display(), error),
        }
    }

    /// Puts another file in the place of this one, in one step.
    fn replace(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        PendingFile::write(&self.path, Readers::Owner, fill)?.put()?;
        sync_dir(folder_of(&self.path))
    }

    fn write(&self, records: &[Record], people: Option<&[Vec<u8>]>) -> io::Result<Vec<Line>> {
        let mut before: Bytes32 = self.lines.last().map_or_else(|| start(&self.key, &self.head), |line| line.tag.0);
        let mut lines = self.lines.clone();
        let mut old = if lines.is_empty() { None } else { Some(self.file()?) };
        let head = self.head.text();
        self.replace(|out| {
            out.write_all(head.as_bytes())?;
            let mut at = head.len() as u64;
            for line in &mut lines {
                at += put_line(out, &line.tag, &line.text)?;
                if let (Some(block), Some(old)) = (&mut line.block, &mut old) {
                    old.seek(SeekFrom::Start(block.offset))?;
                    if io::copy(&mut Read::by_ref(old).take(block.len()), out)? != block.len() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                    block.offset = at;
                    at += block.len();
                }
            }
            for record in records {
                let text = json(record);
                before = self.key.seal(&before, text.as_bytes());
                at += put_line(out, &Hex(before), &text)?;
                let mut line = Line { tag: Hex(before), text, record: record.clone(), block: None };
                if let Some(people) = people {
                    line.block = put_block(out, &line.record, people, &mut at)?;
                }
                lines.push(line);
            }
            out.write_all(end_line(&self.key, &before).as_bytes())
        })?;
        Ok(lines)
    }
}

/// Why an entry that a killed run left is withdrawn.
const KILLED: &str = "the run was ended before it put the release in its place: it still lay where it was written";

fn put_line(out: &mut dyn Write, tag: &Hex, text: &str) -> io::Result<u64> {
    let line = format!("{tag} {text}\n");
    out.write_all(line.as_bytes())?;
    Ok(line.len() as u64)
}

/// Writes the encrypted fingerprints of a release that has some of its own, and moves on behind them.
fn put_block(out: &mut dyn Write, record: &Record, people: &[Vec<u8>], at: &mut u64) -> io::Result<Option<Block>> {
    let Record::Release(entry) = record else { return Ok(None) };
    let Some(salt) = entry.salt else { return Ok(None) };
    people.iter().try_for_each(|part| out.write_all(part))?;
    let block = Block { offset: *at, n: entry.people, salt, parts: entry.parts.clone() };
    *at += block.len();
    Ok(Some(block))
}

/// The time in UTC, to the second.
fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, of_day) = (i64::try_from(seconds / 86_400).unwrap_or(0), seconds % 86_400);
    let date = scumble_table::date_text(i32::try_from(days).unwrap_or(0));
    format!("{date}T{:02}:{:02}:{:02}Z", of_day / 3600, of_day / 60 % 60, of_day % 60)
}
