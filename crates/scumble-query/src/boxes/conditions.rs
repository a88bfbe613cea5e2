//! Conditions put to the texts of a generalized table, for engines that see nothing else.

use super::Rows;
use super::classes::Space;
use crate::columns::Columns;
use crate::engine::Engine;
use crate::question::{Question, both, columns_of, parts};
use crate::rewrite::{BoxConditions, quoted, text};
use datafusion::sql::sqlparser::ast::Expr;
use scumble_release::BoxColumn;
use scumble_table::{Error, NULL, Result, Role};

/// What is true of every row, and of none.
const ALWAYS: &str = "1 = 1";
const NEVER: &str = "1 = 0";

impl Rows {
    /// Which rows may match a question, and which do for certain.
    ///
    /// # Errors
    /// If a condition ties kept columns to generalized ones.
    pub(crate) fn conditions(&self, question: &Question, columns: &Columns, engine: &Engine) -> Result<BoxConditions> {
        let (mut possible, mut certain) = (Vec::new(), Vec::new());
        for (part, used) in by_column(question.people.iter().flat_map(parts), columns) {
            let quasi = used.iter().filter(|&&at| columns.get(at).role() == Role::Quasi).count();
            if quasi == 0 {
                possible.push(format!("({part})"));
                certain.push(format!("({part})"));
                continue;
            }
            if quasi < used.len() {
                return Err(Error::request(
                    "condition",
                    part.to_string(),
                    "no statement ties kept columns to generalized ones",
                )
                .hint("join their conditions by AND"));
            }
            let (may, must) = self.judged(part, &used, columns, engine)?;
            possible.push(may);
            certain.push(must);
        }
        let all = |list: Vec<String>| if list.is_empty() { ALWAYS.into() } else { list.join(" AND ") };
        Ok(BoxConditions { possible: all(possible), certain: all(certain) })
    }

    fn judged(&self, part: Expr, used: &[usize], columns: &Columns, engine: &Engine) -> Result<(String, String)> {
        let question = Question { keys: Vec::new(), aggregates: Vec::new(), people: Some(part), sensitive: None };
        let space = Space::new(&question, columns, &self.boxed, engine)?;
        // What holds of a text holds of every group that shows it.
        let column = match used {
            [one] => self.boxed.quasi.iter().find(|column| column.column.name() == columns.name(*one)),
            _ => None,
        };
        let n_things = column.map_or(self.members.len(), |column| column.regions.len());
        let mut judged: Vec<Option<(bool, bool)>> = vec![None; n_things];
        for group in 0..self.members.len() {
            let thing = column.map_or(group, |column| column.of_group[group] as usize);
            if judged[thing].is_none() {
                let shares = space.shares(group, None)?;
                judged[thing] = Some((!shares.is_empty(), shares.iter().any(|share| share.certain)));
            }
        }
        let those = |wanted: &dyn Fn((bool, bool)) -> bool| -> Vec<usize> {
            (0..n_things).filter(|&thing| judged[thing].is_some_and(wanted)).collect()
        };
        let shown = |things: Vec<usize>| match column {
            Some(column) => of_texts(column, &things),
            None => of_groups(&things),
        };
        Ok((shown(those(&|(may, _)| may)), shown(those(&|(_, must)| must))))
    }
}

/// Conditions on one column are judged as one: a box may be cut by each of two and still not hold both.
fn by_column(parts: impl Iterator<Item = Expr>, columns: &Columns) -> Vec<(Expr, Vec<usize>)> {
    let mut found: Vec<(Expr, Vec<usize>)> = Vec::new();
    for part in parts {
        let used = columns_of(&part, columns);
        match found.iter_mut().find(|(_, other)| used.len() == 1 && *other == used) {
            Some((before, _)) => *before = both(before.clone(), part),
            None => found.push((part, used)),
        }
    }
    found
}

fn of_texts(column: &BoxColumn, codes: &[usize]) -> String {
    let name = quoted(column.column.name());
    let texts: Vec<String> =
        codes.iter().filter(|&&code| code != NULL as usize).map(|&code| text(column.texts.text(code as u32))).collect();
    let null = codes.contains(&(NULL as usize)).then(|| format!("{name} IS NULL"));
    let listed = (!texts.is_empty()).then(|| format!("{name} IN ({})", texts.join(", ")));
    match (listed, null) {
        (Some(listed), Some(null)) => format!("({listed} OR {null})"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => NEVER.into(),
    }
}

fn of_groups(groups: &[usize]) -> String {
    let numbers: Vec<String> = groups.iter().map(|group| (group + 1).to_string()).collect();
    if numbers.is_empty() { NEVER.into() } else { format!("\"group\" IN ({})", numbers.join(", ")) }
}
