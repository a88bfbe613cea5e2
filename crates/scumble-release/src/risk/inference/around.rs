//! Beliefs where the boxes of records lie around people: the mixture over all of them.

use super::super::attack::{self, Cover, Crowd, Distinct, PeopleTable};
use super::line::Line;
use super::units::Shares;
use super::{Beliefs, Person};
use crate::verify::{Question, Span};
use scumble_table::Code;

/// Units of everything around people.
pub(super) struct Around {
    /// By known values.
    all: Vec<i64>,
    most: Vec<i64>,
    /// By person.
    own: Vec<i64>,
    near: Vec<i64>,
}

impl Around {
    /// `points` are the known values of people, `records` the boxes that `shares` tell of.
    #[allow(clippy::too_many_arguments, reason = "two sides of a comparison, each with its columns and its values")]
    pub(super) fn new(
        table: &PeopleTable,
        crowd: &Crowd,
        chosen: &[usize],
        points: &Distinct,
        records: &Distinct,
        shares: &Shares,
        people: &[Person],
        line: &Line,
    ) -> Self {
        let cover = attack::cover(table, crowd, chosen, points, records);
        let all = cover.around(&shares.totals());
        let mut by_value: Vec<(Code, u32, i64)> =
            shares.entries.iter().map(|&(class, code, n)| (code, class, n)).collect();
        by_value.sort_unstable();
        let boxes: Vec<(u32, i64)> = by_value.iter().map(|&(_, class, n)| (class, n)).collect();
        let mut lists = Vec::new();
        let mut from = 0;
        for run in by_value.chunk_by(|a, b| a.0 == b.0) {
            lists.push(&boxes[from..from + run.len()]);
            from += run.len();
        }
        let most = cover.greatest(&lists);
        drop(cover);
        // One column more, that of the sensitive value, tells how much of what is around a person is the own value.
        let rank = |row: u32| chosen.iter().map(move |&at| crowd.columns[at].ranks.get(row as usize));
        let text = |row: u32| chosen.iter().map(move |&at| table.columns[at].codes.get(row as usize));
        let mut spans: Vec<Vec<Span>> = chosen.iter().map(|&at| crowd.columns[at].spans.clone()).collect();
        let codes = || 0..line.n_codes() as Code;
        spans.push(codes().map(|code| Span::run(code, code + 1)).collect());
        let point = |&(known, code, _): &Person| rank(points.rows[known as usize].0).chain([code]);
        let a_box = |&(class, code, _): &(u32, Code, i64)| text(records.rows[class as usize].0).chain([code]);
        let mut cover = Cover::new(Question {
            n_dims: chosen.len() + 1,
            points: people.iter().flat_map(point).collect(),
            have: people.iter().map(|_| (0, 1)).collect(),
            boxes: shares.entries.iter().flat_map(a_box).collect(),
            want: shares.entries.iter().map(|_| (0, 1)).collect(),
            spans,
            n_keys: 1,
        });
        let weights: Vec<i64> = shares.entries.iter().map(|entry| entry.2).collect();
        let own = cover.around(&weights);
        let near = match line.is_measured() {
            true => {
                // Whoever has a value near another's is near it: the same runs, seen from the records.
                let run = |code: Code| line.near(code);
                cover.with_last(codes().map(run).map(|(from, to)| Span::run(from, to)).collect());
                cover.around(&weights)
            }
            false => Vec::new(),
        };
        Around { all, most, own, near }
    }
}

impl Beliefs for Around {
    fn all(&self, known: u32) -> i64 {
        self.all[known as usize]
    }

    fn most(&self, known: u32) -> i64 {
        self.most[known as usize]
    }

    fn own(&self, at: usize, _person: &Person) -> i64 {
        self.own[at]
    }

    fn near(&self, at: usize, _person: &Person) -> i64 {
        self.near.get(at).copied().unwrap_or(0)
    }
}
