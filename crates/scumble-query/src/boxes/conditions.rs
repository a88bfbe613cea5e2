//! Conditions put to the texts of a table of boxes, for engines that see nothing else.

use super::BoxIndex;
use super::classes::QuestionSpace;
use crate::columns::Columns;
use crate::context::QueryContext;
use crate::question::{Question, both, columns_of, conjuncts};
use crate::rewrite::{BoxConditions, IdentifiedBy, quoted, text};
use datafusion_sql::sqlparser::ast::Expr;
use scumble_release::{BoxColumn, end_names, shown_ends};
use scumble_table::{Code, Error, Kind, NULL, Result, Role};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What is true of every row, and of none.
const ALWAYS: &str = "1 = 1";
const NEVER: &str = "1 = 0";

/// Combinations of texts that a statement may list.
const MOST_BOXES: usize = 2000;

impl BoxIndex {
    /// Which rows may match a question, which do for certain and, where boxes are identified by their texts, what share of
    /// each does.
    ///
    /// # Errors
    /// If a condition ties kept columns to generalized ones, or looks at too many boxes that have no number.
    pub(crate) fn conditions(&self, context: QueryContext<'_>, identified_by: IdentifiedBy) -> Result<BoxConditions> {
        let columns = context.columns;
        let (mut possible, mut certain, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for (part, used) in by_column(context.question.people.iter().cloned().flat_map(conjuncts), columns) {
            let quasi = used.iter().filter(|&&at| columns.get(at).role() == Role::Quasi).count();
            if quasi == 0 {
                possible.push(format!("({part})"));
                certain.push(format!("({part})"));
                continue;
            }
            if quasi < used.len() {
                let reason = "no statement ties kept columns to generalized ones";
                return Err(Error::request("condition", part.to_string(), reason).hint("join their conditions by AND"));
            }
            let judged = self.judged(part, &used, context, identified_by)?;
            possible.push(judged.those(|judgement| judgement.may));
            certain.push(judged.those(|judgement| judgement.must));
            shares.extend(judged.share().filter(|_| identified_by == IdentifiedBy::Text));
        }
        let all = |list: Vec<String>| if list.is_empty() { ALWAYS.into() } else { list.join(" AND ") };
        Ok(BoxConditions { possible: all(possible), certain: all(certain), shares })
    }

    fn judged(
        &self,
        part: Expr,
        used: &[usize],
        context: QueryContext<'_>,
        identified_by: IdentifiedBy,
    ) -> Result<JudgedBoxes<'_>> {
        let condition = part.to_string();
        let question = Question { keys: Vec::new(), aggregates: Vec::new(), people: Some(part), sensitive: None };
        let space = QuestionSpace::new(QueryContext { question: &question, ..context }, &self.boxed)?;
        // What holds of a text holds of every group that shows it.
        let shown =
            |&at: &usize| self.boxed.quasi.iter().find(|column| column.column.name() == context.columns.name(at));
        let mut shown: Vec<&BoxColumn> = used.iter().filter_map(shown).collect();
        if shown.len() > 1 && identified_by == IdentifiedBy::Group {
            shown.clear();
        }
        let mut boxes = BTreeMap::new();
        for group in 0..self.members.n_groups() {
            let codes = match shown.as_slice() {
                [] => vec![group as Code],
                shown => shown.iter().map(|column| column.of_group[group]).collect(),
            };
            if let Entry::Vacant(new) = boxes.entry(codes) {
                let shares = space.shares(group, None)?;
                let must = shares.iter().any(|share| share.certain);
                let share = if must { 1.0 } else { shares.iter().map(|share| share.share).sum::<f64>().min(1.0) };
                new.insert(BoxTruth { may: !shares.is_empty(), must, share });
            }
        }
        if shown.len() > 1 && boxes.len() > MOST_BOXES {
            let reason = format!("a statement would have to list {} boxes", boxes.len());
            return Err(Error::request("condition", condition, reason)
                .hint("join conditions on single columns by AND, or ask without «explain»"));
        }
        Ok(JudgedBoxes { shown, boxes })
    }
}

/// What a condition comes to in a box.
#[derive(Clone, Copy)]
struct BoxTruth {
    may: bool,
    must: bool,
    /// The part of the box that satisfies it.
    share: f64,
}

/// A condition judged on all boxes that differ in its columns.
struct JudgedBoxes<'a> {
    /// The columns whose texts identify boxes; empty where the numbers of groups do.
    shown: Vec<&'a BoxColumn>,
    /// By the codes of those texts, or by number.
    boxes: BTreeMap<Vec<Code>, BoxTruth>,
}

impl JudgedBoxes<'_> {
    /// The condition that holds of these boxes and no others.
    fn those(&self, wanted: impl Fn(BoxTruth) -> bool) -> String {
        let chosen: Vec<&[Code]> =
            self.boxes.iter().filter(|(_, judgement)| wanted(**judgement)).map(|(codes, _)| codes.as_slice()).collect();
        match self.shown.as_slice() {
            [] => of_groups(chosen.iter().map(|codes| codes[0])),
            [one] => of_texts(one, chosen.iter().map(|codes| codes[0])),
            [others @ .., last] => {
                // Boxes that differ in the last column alone come one after the other.
                let alike = chosen.chunk_by(|a, b| a[..others.len()] == b[..others.len()]).map(|alike| {
                    let first = others.iter().zip(alike[0]).map(|(column, &code)| of_texts(column, [code]));
                    let rest = of_texts(last, alike.iter().map(|codes| codes[others.len()]));
                    first.chain([rest]).collect::<Vec<_>>().join(" AND ")
                });
                let alike: Vec<String> = alike.collect();
                if alike.is_empty() { NEVER.into() } else { format!("({})", alike.join(" OR ")) }
            }
        }
    }

    /// The share of a row's box that satisfies the condition; nothing where it is all of every box that may.
    fn share(&self) -> Option<String> {
        let shares: BTreeMap<u64, f64> =
            self.boxes.values().filter(|one| one.may).map(|one| (one.share.to_bits(), one.share)).collect();
        if shares.values().all(|&share| share == 1.0) {
            return None;
        }
        let arm = |share: &f64| {
            format!("WHEN {} THEN {share:?}", self.those(|one| one.may && one.share.to_bits() == share.to_bits()))
        };
        let arms: Vec<String> = shares.values().map(arm).collect();
        Some(format!("CASE {} ELSE 0.0 END", arms.join(" ")))
    }
}

/// Conditions that share a column are judged as one: a box may be cut by each of two and still not hold both.
fn by_column(parts: impl Iterator<Item = Expr>, columns: &Columns) -> Vec<(Expr, Vec<usize>)> {
    let mut found: Vec<(Expr, Vec<usize>)> = Vec::new();
    for part in parts {
        let (mut whole, mut used) = (part.clone(), columns_of(&part, columns));
        // What shares a column with any part so far joins it where the first of them stands.
        let mut place = found.len();
        for at in (0..found.len()).rev() {
            if found[at].1.iter().any(|column| used.contains(column)) {
                let (before, more) = found.remove(at);
                used.extend(more);
                whole = both(before, whole);
                place = at;
            }
        }
        used.sort_unstable();
        used.dedup();
        found.insert(place.min(found.len()), (whole, used));
    }
    found
}

fn of_texts(column: &BoxColumn, codes: impl IntoIterator<Item = Code>) -> String {
    if column.column.shows_ends() {
        return of_ends(column, codes);
    }
    let name = quoted(column.column.name());
    let (mut texts, mut null) = (Vec::new(), None);
    for code in codes {
        match code {
            NULL => null = Some(format!("{name} IS NULL")),
            code => texts.push(text(column.texts.text(code))),
        }
    }
    let listed = (!texts.is_empty()).then(|| format!("{name} IN ({})", texts.join(", ")));
    match (listed, null) {
        (Some(listed), Some(null)) => format!("({listed} OR {null})"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => NEVER.into(),
    }
}

/// The same where boxes show their ends in two columns.
fn of_ends(column: &BoxColumn, codes: impl IntoIterator<Item = Code>) -> String {
    let [lower, upper] = end_names(column.column.name()).map(|name| quoted(&name));
    let literal = |end: &str| match column.column.kind() {
        Kind::Number => end.to_string(),
        Kind::Date => format!("DATE {}", text(end)),
        Kind::Ordinal | Kind::Nominal => text(end),
    };
    let pair = |code: Code| {
        let ends = column.regions[code as usize].as_ref().and_then(|region| shown_ends(region, &column.column));
        match ends {
            Some([lo, hi]) => format!("({lower} = {} AND {upper} = {})", literal(&lo), literal(&hi)),
            None => format!("{lower} IS NULL"),
        }
    };
    let pairs: Vec<String> = codes.into_iter().map(pair).collect();
    match pairs.as_slice() {
        [] => NEVER.into(),
        [one] => one.clone(),
        several => format!("({})", several.join(" OR ")),
    }
}

fn of_groups(groups: impl Iterator<Item = Code>) -> String {
    let numbers: Vec<String> = groups.map(|group| (group + 1).to_string()).collect();
    if numbers.is_empty() { NEVER.into() } else { format!("\"group\" IN ({})", numbers.join(", ")) }
}
