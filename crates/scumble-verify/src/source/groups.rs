//! Exact people, and sensitive values that could be those of their groups, for every grouping.
//!
//! The people of the release must be those of the source. Whose value is whose is not published, so
//! what remains is whether the source's own rows can be assigned to the groups: a group must get the
//! people that it names, and the values that it counts.
//!
//! Where all people who are alike are in one group there is nothing to choose, and the answer is exact.
//! Where they are spread over groups, or some of them suppressed, the assignment is a three-way table with
//! given two-way margins, for which no fast algorithm is known. What is decided then is a flow, which is a
//! necessary condition: every counted value gets a source row that has it and whose person is named in the
//! group. A release that fails it is wrong.

use super::matching::{Answer, MatchingProblem, SearchLimits, Span, answer};
use super::{histogram, same, text_column};
use crate::verdict::Verdict;
use scumble_io::RawTable;
use scumble_release::{CountedValues, Exact, GroupedValues, SUPPRESSED, ShownColumn, UNPUBLISHED, value_map};
use scumble_table::{Code, Codes, Monitor, Result, RowClasses, class_members};

/// A column of the release, its codes in the source, and what they are in the release.
pub(super) type ColumnPair<'a> = (&'a ShownColumn, &'a Codes, Vec<Code>);

/// Notes whether the tables could have come from the source.
pub(super) fn check(tables: &Exact, raw: &RawTable, monitor: Monitor<'_>, verdict: &mut Verdict) -> Result<()> {
    let people = column_pairs(&tables.people, raw)?;
    for (at, grouping) in tables.groupings.iter().enumerate() {
        monitor.check()?;
        let counted = &grouping.sensitive;
        let sensitive = column_pairs(&counted.values, raw)?;
        note_values(counted, &sensitive, verdict);
        let published = |row: &u32| grouping.row_group[*row as usize] != SUPPRESSED;
        let shown: Vec<u32> = (0..grouping.row_group.len() as u32).filter(published).collect();
        let who = Classes::new(&people, &shown, raw.n_rows);
        let (ours, theirs) = (counted_in(&who.ours, who.n), counted_in(&who.theirs, who.n));
        if at == 0 {
            verdict.note("source-people", same("rows", &ours, &theirs, who.unknown(), verdict.suppressed));
        }
        let rows: Vec<u32> = (0..counted.counts.len() as u32).collect();
        monitor.check()?;
        let what = Classes::new(&sensitive, &rows, raw.n_rows);
        let apart: Vec<bool> = ours.iter().zip(&theirs).map(|(ours, theirs)| ours != theirs).collect();
        let (problem, n_apart) = problem(grouping, &shown, &who, &what, apart);
        let name = match (tables.groupings.len(), counted.values.first()) {
            (2.., Some(values)) => format!("source-groups[{}]", values.column.name()),
            _ => "source-groups".into(),
        };
        let answer = answer(&problem, SearchLimits::under(monitor));
        monitor.check()?;
        verdict.note(name, outcome(counted, answer, n_apart));
    }
    Ok(())
}

/// Notes whether counted values are those of the source.
pub(super) fn note_values(counted: &CountedValues, sensitive: &[ColumnPair<'_>], verdict: &mut Verdict) {
    for (values, codes, map) in sensitive {
        let mut ours = vec![0u64; values.domain.n_codes()];
        for (row, &count) in counted.counts.iter().enumerate() {
            ours[values.codes.get(row) as usize] += u64::from(count);
        }
        let (theirs, unknown) = histogram(codes, map, ours.len());
        let name = format!("source-values[{}]", values.column.name());
        verdict.note(name, same("values", &ours, &theirs, unknown, verdict.suppressed));
    }
}

/// Columns of the release with those of the source.
pub(super) fn column_pairs<'a>(columns: &'a [ShownColumn], raw: &'a RawTable) -> Result<Vec<ColumnPair<'a>>> {
    let pair = |values: &'a ShownColumn| {
        let (dictionary, codes) = text_column(raw, values.column.name())?;
        Ok((values, codes, value_map(&values.domain, dictionary)))
    };
    columns.iter().map(pair).collect()
}

/// A class that no published row is of.
pub(super) const NONE: u32 = u32::MAX;

/// Rows on both sides by what they show in some columns.
pub(super) struct Classes {
    /// Class of each published row that was asked for.
    pub(super) ours: Vec<u32>,
    /// Class of each source row, or [`NONE`] where it has a value that is not published.
    pub(super) theirs: Vec<u32>,
    /// Classes are below this.
    pub(super) n: usize,
}

impl Classes {
    pub(super) fn new(columns: &[ColumnPair<'_>], published: &[u32], n_source: usize) -> Classes {
        let known = |row: usize| columns.iter().all(|(_, codes, map)| map[codes.get(row) as usize] != UNPUBLISHED);
        let source: Vec<u32> = (0..n_source as u32).filter(|&row| known(row as usize)).collect();
        let mut keys = RowClasses::new(published.len() + source.len());
        for (values, codes, map) in columns {
            keys.push(values.domain.n_codes(), |at| match at.checked_sub(published.len()) {
                None => values.codes.get(published[at] as usize),
                Some(at) => map[codes.get(source[at] as usize) as usize],
            });
        }
        let (mut ours, n) = keys.finish();
        let found = ours.split_off(published.len());
        let mut theirs = vec![NONE; n_source];
        for (&row, class) in source.iter().zip(found) {
            theirs[row as usize] = class;
        }
        Classes { ours, theirs, n }
    }

    /// Source rows with a value that is not published.
    fn unknown(&self) -> u64 {
        self.theirs.iter().filter(|&&class| class == NONE).count() as u64
    }
}

fn counted_in(classes: &[u32], n: usize) -> Vec<u64> {
    let mut counts = vec![0u64; n];
    classes.iter().filter(|&&class| class != NONE).for_each(|&class| counts[class as usize] += 1);
    counts
}

/// Source rows as points along one line of people, counted values as boxes over the people of their group,
/// and the values as keys. Also gives the number of people whose like are in several places. `apart` says of
/// which classes of people some are known to be suppressed.
fn problem(
    grouping: &GroupedValues,
    shown: &[u32],
    who: &Classes,
    what: &Classes,
    mut apart: Vec<bool>,
) -> (MatchingProblem, u64) {
    // People in the order of their groups, so that most groups are runs of the line.
    let mut named: Vec<(u32, u32)> =
        shown.iter().zip(&who.ours).map(|(&row, &class)| (grouping.row_group[row as usize], class)).collect();
    named.sort_unstable();
    let mut rank = vec![NONE; who.n];
    let mut home: Vec<u32> = vec![NONE; who.n];
    let mut next = 0;
    for &(group, class) in &named {
        let class = class as usize;
        if rank[class] == NONE {
            (rank[class], home[class]) = (next, group);
            next += 1;
        }
        apart[class] |= home[class] != group;
    }
    let n_apart = named.iter().filter(|(_, class)| apart[*class as usize]).count() as u64;
    let mut spans = vec![Span::run(0, 0); grouping.sizes.len()];
    for of_group in named.chunk_by(|a, b| a.0 == b.0) {
        let mut ranks: Vec<u32> = of_group.iter().map(|(_, class)| rank[*class as usize]).collect();
        ranks.sort_unstable();
        ranks.dedup();
        spans[of_group[0].0 as usize] = Span::from_ranks(ranks);
    }
    // A source row whose person or value is not published can only be a suppressed one.
    let both = who.theirs.iter().zip(&what.theirs);
    let source: Vec<(u32, u32)> = both
        .filter(|(who, what)| **who != NONE && **what != NONE)
        .map(|(who, what)| (rank[*who as usize], *what))
        .filter(|(rank, _)| *rank != NONE)
        .collect();
    let mut classes = RowClasses::new(source.len());
    classes.push(next as usize, |at| source[at].0);
    classes.push(what.n, |at| source[at].1);
    let (class, n_classes) = classes.finish();
    let points = class_members(&class, n_classes);
    let counts = what.ours.iter().zip(&grouping.sensitive.counts);
    let problem = MatchingProblem {
        n_dims: 1,
        points: points.iter().map(|(first, _)| source[*first as usize].0).collect(),
        have: points.iter().map(|(first, n)| (source[*first as usize].1, *n)).collect(),
        boxes: grouping.sensitive.row_group.clone(),
        want: counts.map(|(&what, &count)| (what, count)).collect(),
        spans: vec![spans],
        n_keys: what.n,
    };
    (problem, n_apart)
}

/// The answer in words. Groups are named by their number; their values may be secrets.
fn outcome(counted: &CountedValues, answer: Answer, n_apart: u64) -> Result<String, String> {
    let rest = match n_apart {
        0 => String::new(),
        n => format!("; for {n} rows whose like are also elsewhere only one value at a time was tried"),
    };
    match answer {
        Answer::Yes => Ok(format!("the values of each group can be those of its rows{rest}")),
        Answer::NoPoint(at) => {
            let group = counted.row_group[at] + 1;
            Err(format!("group {group} counts a value more often than its rows can have it"))
        }
        Answer::NoBox(_) => Err("a row of the source has a value that no group of such rows has left".into()),
        Answer::Undecided { rows } => Ok(format!(
            "only partly checked: for {rows} values there are too many possible rows to decide whether one \
             assignment suits all{rest}"
        )),
    }
}
