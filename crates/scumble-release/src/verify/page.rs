//! A generalized table, read from its bytes and checked as it is taken in.

use super::values::{self, ValuesIn};
use super::verdict::{Verdict, problems};
use crate::form::{GROUP, STAR, SUPPRESSED};
use crate::notation::{Region, parse};
use crate::published::PublishedColumn;
use crate::reader::ReleaseDir;
use crate::shown;
use rayon::prelude::*;
use scumble_io::{Dictionary, NO_INTEGER, RawColumn, RawTable};
use scumble_table::{Attribute, Code, Codes, Domain, NULL, Role, quoted_list, with_codes};

/// A generalized table in the terms of its manifest.
pub(crate) struct Page {
    /// Group of each row from 0, or [`SUPPRESSED`].
    pub(crate) row_group: Vec<u32>,
    /// Rows of each group.
    pub(crate) sizes: Vec<u32>,
    /// Quasi-identifiers.
    pub(crate) quasi: Vec<Boxes>,
    /// Sensitive and kept columns.
    pub(crate) values: Vec<Values>,
}

/// A quasi-identifier: one text per group.
pub(crate) struct Boxes {
    pub(crate) column: PublishedColumn,
    /// What each text covers, by its code in the file; nothing for texts that no group shows.
    pub(crate) regions: Vec<Option<Region>>,
    /// Code of the text of each group.
    pub(crate) of_group: Vec<u32>,
}

/// A column with one value per row.
pub(crate) struct Values {
    pub(crate) column: PublishedColumn,
    /// The values that occur in rows that are not suppressed.
    pub(crate) domain: Domain,
    /// Code of each row in that domain; null where the row is suppressed.
    pub(crate) codes: Codes,
}

impl Values {
    /// The column as the principles know columns.
    pub(crate) fn attribute(&self) -> Attribute {
        Attribute { name: self.column.name().into(), role: self.column.role(), domain: self.domain.clone() }
    }
}

impl Page {
    /// Takes a raw table in; notes every check on the way, and gives nothing where one of them
    /// leaves too little sense in the table to go on.
    pub(crate) fn read(release: &ReleaseDir, mut raw: RawTable, verdict: &mut Verdict) -> Option<Page> {
        if !verdict.note("columns", columns(release, &raw)) {
            return None;
        }
        let mut take = |name: &str| {
            let at = raw.names.iter().position(|known| known == name)?;
            Some(std::mem::replace(&mut raw.columns[at], RawColumn::Skipped))
        };
        let Some(RawColumn::Integer(numbers)) = take(GROUP) else {
            verdict.note("groups-numbered", Err(format!("`{GROUP}` is not the column of group numbers")));
            return None;
        };
        let (row_group, sizes) = match groups(numbers) {
            Ok(found) => found,
            Err(reason) => {
                verdict.note("groups-numbered", Err(reason));
                return None;
            }
        };
        let n_suppressed = row_group.iter().filter(|&&group| group == SUPPRESSED).count() as u64;
        verdict.rows = row_group.len() as u64 - n_suppressed;
        verdict.groups = sizes.len() as u64;
        verdict.suppressed = n_suppressed;
        verdict.note("groups-numbered", numbered(&sizes));
        verdict.note("rows-add-up", add_up(release, verdict));
        let (mut quasi_in, mut values_in) = (Vec::new(), Vec::new());
        for column in release.columns() {
            let Some(RawColumn::Text { dictionary, codes }) = take(column.name()) else { return None };
            let side = if column.role() == Role::Quasi { &mut quasi_in } else { &mut values_in };
            side.push((column, dictionary, codes));
        }
        let quasi: Vec<QuasiIn> = quasi_in
            .into_par_iter()
            .map(|(column, dictionary, codes)| QuasiIn::read(column, dictionary, codes, &row_group, sizes.len()))
            .collect();
        let values: Vec<ValuesIn> = values_in
            .into_par_iter()
            .map(|(column, dictionary, codes)| ValuesIn::read(column, &dictionary, codes, &row_group))
            .collect();
        note_all(verdict, &quasi, &values);
        if quasi.iter().any(|column| !column.wrong.is_empty() || column.mixed.is_some()) {
            return None;
        }
        let values = values.into_iter().map(|ValuesIn { column, read, .. }| {
            let (domain, codes) = read.ok()?;
            Some(Values { column, domain, codes })
        });
        let values = values.collect::<Option<Vec<Values>>>()?;
        Some(Page { row_group, sizes, quasi: quasi.into_iter().map(|column| column.boxes).collect(), values })
    }

    /// Rows that show each text of a quasi-identifier, by its code.
    pub(crate) fn rows_of_texts(&self, at: usize) -> Vec<u64> {
        let boxes = &self.quasi[at];
        let mut rows = vec![0u64; boxes.regions.len()];
        for (&text, &size) in boxes.of_group.iter().zip(&self.sizes) {
            rows[text as usize] += u64::from(size);
        }
        rows
    }
}

/// The columns must be those of the manifest and the group, in any order.
fn columns(release: &ReleaseDir, raw: &RawTable) -> Result<String, String> {
    let wanted = || std::iter::once(GROUP).chain(release.columns().iter().map(PublishedColumn::name));
    let missing: Vec<&str> = wanted().filter(|name| !raw.names.iter().any(|known| known == name)).collect();
    let extra: Vec<&String> = raw.names.iter().filter(|name| !wanted().any(|known| known == *name)).collect();
    let mut list = Vec::new();
    if !missing.is_empty() {
        list.push(format!("the table lacks {}", quoted_list(&missing, 8)));
    }
    if !extra.is_empty() {
        list.push(format!("the table has {} besides", quoted_list(&extra, 8)));
    }
    problems(list, || format!("{} columns, as the manifest says", raw.names.len()))
}

/// Groups from 0 with their sizes.
fn groups(mut numbers: Vec<u32>) -> Result<(Vec<u32>, Vec<u32>), String> {
    let n_rows = numbers.len();
    let last = numbers.iter().copied().filter(|&number| number != NO_INTEGER).max().unwrap_or(0) as usize;
    if last > n_rows {
        return Err(format!("there is a group {last} but there are only {n_rows} rows"));
    }
    let mut sizes = vec![0u32; last];
    for number in &mut numbers {
        match *number {
            NO_INTEGER => *number = SUPPRESSED,
            0 => return Err("there is a group 0; groups are numbered from 1".into()),
            group => {
                *number = group - 1;
                sizes[group as usize - 1] += 1;
            }
        }
    }
    Ok((numbers, sizes))
}

fn numbered(sizes: &[u32]) -> Result<String, String> {
    match sizes.iter().position(|&size| size == 0) {
        Some(group) => Err(format!("no row is in group {}, though there is a group {}", group + 1, sizes.len())),
        None => Ok(format!("1 to {}, all in use", sizes.len())),
    }
}

fn add_up(release: &ReleaseDir, verdict: &Verdict) -> Result<String, String> {
    let manifest = release.manifest();
    let mut list = Vec::new();
    for (what, found, stated) in [
        ("rows with values", verdict.rows, manifest.rows),
        ("suppressed rows", verdict.suppressed, manifest.suppressed),
        ("groups", verdict.groups, manifest.groups),
    ] {
        if found != stated {
            list.push(format!("{found} {what}, and the manifest says {stated}"));
        }
    }
    problems(list, || format!("{} rows, {} suppressed, {} groups", verdict.rows, verdict.suppressed, verdict.groups))
}

/// A quasi-identifier with what is wrong with it.
struct QuasiIn {
    boxes: Boxes,
    /// A group that shows two texts.
    mixed: Option<u32>,
    /// A suppressed row that shows something, from 0.
    unveiled: Option<usize>,
    /// Texts that do not read.
    wrong: Vec<String>,
}

impl QuasiIn {
    fn read(
        column: &PublishedColumn,
        dictionary: Dictionary,
        codes: Codes,
        row_group: &[u32],
        n_groups: usize,
    ) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let star = code_of(&dictionary, STAR);
        let mut of_group = vec![UNSEEN; n_groups];
        let (mut mixed, mut unveiled) = (None, None);
        with_codes!(&codes, |codes| for (row, (&code, &group)) in codes.iter().zip(row_group).enumerate() {
            let code = code as usize as Code;
            match of_group.get_mut(group as usize) {
                Some(text) if *text == UNSEEN => *text = code,
                Some(text) if *text != code => mixed = mixed.or(Some(group)),
                Some(_) => {}
                None if Some(code) != star => unveiled = unveiled.or(Some(row)),
                None => {}
            }
        });
        drop(codes);
        let mut used = vec![false; dictionary.len() + 1];
        for text in &mut of_group {
            // A number that no row bears has been noted; null stands for its missing text.
            *text = if *text == UNSEEN { NULL } else { *text };
            used[*text as usize] = true;
        }
        let read: Vec<Option<Result<Region, String>>> = (0..used.len())
            .into_par_iter()
            .map(|code| {
                used[code].then(|| parse(dictionary.text(code as Code), column).map_err(|error| error.to_string()))
            })
            .collect();
        let mut wrong = Vec::new();
        let regions = read
            .into_iter()
            .map(|found| match found? {
                Ok(region) => Some(region),
                Err(reason) => {
                    wrong.push(reason);
                    None
                }
            })
            .collect();
        QuasiIn { boxes: Boxes { column: column.clone(), regions, of_group }, mixed, unveiled, wrong }
    }
}

fn note_all(verdict: &mut Verdict, quasi: &[QuasiIn], values: &[ValuesIn]) {
    let shows = |name: &str, row: usize| format!("row {} is suppressed and shows something in `{name}`", row + 1);
    let unveiled = quasi.iter().map(|column| (&column.boxes.column, column.unveiled));
    let unveiled = unveiled.chain(values.iter().map(|column| (&column.column, column.unveiled)));
    let unveiled = unveiled.filter_map(|(column, row)| row.map(|row| shows(column.name(), row)));
    verdict.note("suppressed", problems(unveiled.collect(), || format!("{} rows, all stars", verdict.suppressed)));
    let mixed = quasi.iter().filter_map(|column| {
        let name = column.boxes.column.name();
        column.mixed.map(|group| format!("group {} shows several values of `{name}`", group + 1))
    });
    verdict.note("groups-uniform", problems(mixed.collect(), || "one box per group".into()));
    let wrong = quasi.iter().flat_map(|column| column.wrong.iter().cloned());
    let wrong = wrong.chain(values.iter().filter_map(|column| column.read.as_ref().err().cloned()));
    verdict.note("notation", problems(wrong.collect(), || "every text reads as the contract says".into()));
    let off = quasi.iter().filter(|column| column.wrong.is_empty()).filter_map(|column| {
        let shown = shown::check(&column.boxes.column, column.boxes.regions.iter().flatten());
        shown.err().map(|reason| format!("`{}`: {reason}", column.boxes.column.name()))
    });
    let off = off.chain(values.iter().filter_map(|column| {
        let (domain, _) = column.read.as_ref().ok()?;
        let reason = values::check_domain(&column.column, domain).err()?;
        Some(format!("`{}`: {reason}", column.column.name()))
    }));
    verdict.note("domains", problems(off.collect(), || "the manifest's domains are what the table shows".into()));
}

/// The code of a text in the dictionary of a column.
pub(super) fn code_of(dictionary: &Dictionary, text: &str) -> Option<Code> {
    dictionary.iter().zip(1..).find(|(known, _)| *known == text).map(|(_, code)| code)
}
