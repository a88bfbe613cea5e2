//! A generalized table, read from its bytes and checked as it is taken in.

use super::group_numbers::{self, GroupNumbers};
use super::shown_column::{CheckedColumn, ShownColumn, Veil, note_suppressed};
use crate::findings::{Findings, problems};
use crate::form::GROUP;
use crate::notation::{Region, parse};
use crate::published_column::PublishedColumn;
use crate::published_domain;
use crate::reader::ReleaseReader;
use rayon::prelude::*;
use scumble_io::{Dictionary, RawTable};
use scumble_table::{Code, Codes, NULL, Role, with_codes};

/// A generalized table in the terms of its manifest.
pub struct Boxed {
    /// Group of each row from 0, or [`SUPPRESSED`](crate::SUPPRESSED).
    pub row_group: Vec<u32>,
    /// Rows of each group.
    pub sizes: Vec<u32>,
    /// Quasi-identifiers.
    pub quasi: Vec<BoxColumn>,
    /// Sensitive and kept columns.
    pub values: Vec<ShownColumn>,
}

/// A quasi-identifier: one text per group.
pub struct BoxColumn {
    /// The column as the manifest has it.
    pub column: PublishedColumn,
    /// What each text covers, by its code in the file; nothing for texts that no group shows.
    pub regions: Vec<Option<Region>>,
    /// The texts themselves, by the same code.
    pub texts: Dictionary,
    /// Code of the text of each group.
    pub of_group: Vec<u32>,
}

impl Boxed {
    /// Takes a raw table in; notes every check on the way, and gives nothing where one of them
    /// leaves too little sense in the table to go on.
    pub fn read(release: &ReleaseReader, mut raw: RawTable, findings: &mut Findings) -> Option<Boxed> {
        let wanted = std::iter::once(GROUP).chain(release.columns().iter().map(PublishedColumn::name)).collect();
        if !findings.note("columns", group_numbers::columns(&[("the table", &raw, wanted)])) {
            return None;
        }
        let GroupNumbers { of_row: row_group, sizes } = GroupNumbers::read(release, &mut raw, findings)?;
        let (mut quasi_in, mut values_in) = (Vec::new(), Vec::new());
        for taken in group_numbers::take_texts(release.columns().iter(), &mut raw)? {
            let side = if taken.0.role() == Role::Quasi { &mut quasi_in } else { &mut values_in };
            side.push(taken);
        }
        let quasi: Vec<CheckedBoxColumn> = quasi_in
            .into_par_iter()
            .map(|(column, dictionary, codes)| {
                CheckedBoxColumn::read(column, dictionary, codes, &row_group, sizes.len())
            })
            .collect();
        let values: Vec<CheckedColumn> = values_in
            .into_par_iter()
            .map(|(column, dictionary, codes)| CheckedColumn::read(column, &dictionary, codes, &row_group))
            .collect();
        let unveiled = quasi.iter().map(|column| (&column.boxes.column, column.unveiled));
        note_suppressed(findings, unveiled.chain(values.iter().map(|column| (&column.column, column.unveiled))));
        let mixed = quasi.iter().filter_map(|column| {
            let name = column.boxes.column.name();
            column.mixed.map(|group| format!("group {} shows several values of `{name}`", group + 1))
        });
        findings.note("groups-uniform", problems(mixed.collect(), || "one box per group".into()));
        note_texts(findings, &quasi, values.iter());
        if quasi.iter().any(|column| !column.wrong.is_empty() || column.mixed.is_some()) {
            return None;
        }
        let values = values.into_iter().map(CheckedColumn::values).collect::<Option<Vec<ShownColumn>>>()?;
        Some(Boxed { row_group, sizes, quasi: quasi.into_iter().map(|column| column.boxes).collect(), values })
    }

    /// Rows that show each text of a quasi-identifier, by its code.
    pub fn rows_of_texts(&self, at: usize) -> Vec<u64> {
        let boxes = &self.quasi[at];
        let mut rows = vec![0u64; boxes.regions.len()];
        for (&text, &size) in boxes.of_group.iter().zip(&self.sizes) {
            rows[text as usize] += u64::from(size);
        }
        rows
    }
}

/// A quasi-identifier with what is wrong with it.
pub(super) struct CheckedBoxColumn {
    pub(super) boxes: BoxColumn,
    /// A group that shows two texts.
    pub(super) mixed: Option<u32>,
    /// A suppressed row that shows something, from 0.
    pub(super) unveiled: Option<usize>,
    /// Texts that do not read.
    pub(super) wrong: Vec<String>,
}

impl CheckedBoxColumn {
    pub(super) fn read(
        column: &PublishedColumn,
        dictionary: Dictionary,
        codes: Codes,
        row_group: &[u32],
        n_groups: usize,
    ) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let mut veil = Veil::new(&dictionary);
        let mut of_group = vec![UNSEEN; n_groups];
        let (mut mixed, mut unveiled) = (None, None);
        with_codes!(&codes, |codes| for (row, (&code, &group)) in codes.iter().zip(row_group).enumerate() {
            let code = code as usize as Code;
            match of_group.get_mut(group as usize) {
                Some(text) if *text == UNSEEN => *text = code,
                Some(text) if *text != code => mixed = mixed.or(Some(group)),
                Some(_) => {}
                None if !veil.is_over(code) => unveiled = unveiled.or(Some(row)),
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
        let boxes = BoxColumn { column: column.clone(), regions, texts: dictionary, of_group };
        CheckedBoxColumn { boxes, mixed, unveiled, wrong }
    }
}

/// Notes which texts do not read, and which domains of the manifest are not what is shown. A column of boxes may be in
/// several tables, which show its domain together.
pub(super) fn note_texts<'a>(
    findings: &mut Findings,
    quasi: impl IntoIterator<Item = &'a CheckedBoxColumn>,
    values: impl Iterator<Item = &'a CheckedColumn> + Clone,
) {
    let quasi: Vec<&CheckedBoxColumn> = quasi.into_iter().collect();
    let unread = quasi.iter().flat_map(|column| column.wrong.iter().cloned());
    let unread = unread.chain(values.clone().filter_map(|column| column.read.as_ref().err().cloned()));
    findings.note("notation", problems(unread.collect(), || "every text reads as the contract says".into()));
    let mut columns: Vec<&PublishedColumn> = Vec::new();
    for CheckedBoxColumn { boxes, .. } in &quasi {
        if !columns.iter().any(|known| known.name() == boxes.column.name()) {
            columns.push(&boxes.column);
        }
    }
    let off = columns.into_iter().filter_map(|column| {
        let here = || quasi.iter().filter(|known| known.boxes.column.name() == column.name());
        if here().any(|known| !known.wrong.is_empty()) {
            return None;
        }
        let shown = published_domain::check(column, here().flat_map(|known| known.boxes.regions.iter().flatten()));
        shown.err().map(|reason| format!("`{}`: {reason}", column.name()))
    });
    let off = off.chain(values.filter_map(CheckedColumn::off_domain));
    findings.note("domains", problems(off.collect(), || "the manifest's domains are what the table shows".into()));
}
