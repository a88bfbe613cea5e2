//! Kept columns, which are published as they are: do they single people out inside their groups?

use super::verdict::Verdict;
use scumble_release::{Boxed, PublishedTables, SUPPRESSED};
use scumble_table::{Role, RowClasses, class_members};
use serde::Serialize;

/// How far kept columns single people out of their groups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// The kept columns.
    pub columns: Vec<String>,
    /// Those that show a value of its own in more than half of the rows.
    pub identifying: Vec<String>,
    /// Rows of the smallest group, or of the smallest bucket of an angel release.
    pub groups: u64,
    /// The fewest rows of a group that agree in all kept columns too.
    pub least: u64,
    /// Rows that no other row of their group agrees with.
    pub alone: u64,
}

impl Kept {
    /// True if the kept values of a person narrow the group down to fewer people than the groups promise.
    pub fn singles_out(&self) -> bool {
        self.least < self.groups
    }

    /// What was found, in words.
    pub fn summary(&self) -> String {
        let list = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
        let columns = list(&self.columns);
        if !self.singles_out() {
            return format!("{columns} beside the groups leave every row among {} rows", self.least);
        }
        let identifying = match self.identifying.is_empty() {
            true => String::new(),
            false => format!("; {} nearly names people, with a value of its own in most rows", list(&self.identifying)),
        };
        let (rows, are) = if self.alone == 1 { ("row", "is") } else { ("rows", "are") };
        format!(
            "warning: whoever knows {columns} of a person is left with {} where groups have {}, and {} {rows} {are} \
             alone{identifying}",
            self.least, self.groups, self.alone
        )
    }
}

/// Notes what kept columns do to a release whose groups hide who is who. Where quasi-identifiers are exact, people are
/// found by them anyway, and only a group is known of their values.
pub(super) fn note(tables: &PublishedTables, verdict: &mut Verdict) {
    let boxed = match tables {
        PublishedTables::Generalized(boxed) => boxed,
        PublishedTables::Angel(tables) => match tables.views.first() {
            Some(view) => &view.boxed,
            None => return,
        },
        PublishedTables::Exact(_) => return,
    };
    if let Some(kept) = found(boxed) {
        verdict.note("kept", Ok(kept.summary()));
        verdict.kept = Some(kept);
    }
}

fn found(boxed: &Boxed) -> Option<Kept> {
    let columns: Vec<_> = boxed.values.iter().filter(|values| values.column.role() == Role::Kept).collect();
    let rows: Vec<usize> = (0..boxed.row_group.len()).filter(|&row| boxed.row_group[row] != SUPPRESSED).collect();
    let groups = boxed.sizes.iter().copied().filter(|&size| size > 0).min()?;
    if columns.is_empty() {
        return None;
    }
    let alike = |by_group: bool, by: &[&&scumble_release::ShownColumn]| {
        let mut keys = RowClasses::new(rows.len());
        if by_group {
            keys.push(boxed.sizes.len(), |at| boxed.row_group[rows[at]]);
        }
        for values in by {
            keys.push(values.domain.n_codes(), |at| values.codes.get(rows[at]));
        }
        let (class_of, n) = keys.finish();
        class_members(&class_of, n).into_iter().map(|(_, size)| size).collect::<Vec<u32>>()
    };
    let alone = |sizes: &[u32]| sizes.iter().filter(|&&size| size == 1).count() as u64;
    let together = alike(true, &columns.iter().collect::<Vec<_>>());
    let names = |values: &&&scumble_release::ShownColumn| values.column.name().to_string();
    let nearly_names =
        |values: &&&scumble_release::ShownColumn| alone(&alike(false, &[*values])) * 2 > rows.len() as u64;
    Some(Kept {
        columns: columns.iter().map(|values| names(&values)).collect(),
        identifying: columns.iter().filter(nearly_names).map(|values| names(&values)).collect(),
        groups: groups.into(),
        least: together.iter().min().copied().unwrap_or(0).into(),
        alone: alone(&together),
    })
}
