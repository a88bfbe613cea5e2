//! What is to be divided into groups.

use crate::coins::Coins;
use scumble_principle::{BoundRequirements, Group, KAnonymity, Requirement};
use scumble_table::{Bag, Monitor, Result, Role, Table};

/// A table, what is required of its groups, and what a search for them may use.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The microdata.
    pub table: &'a Table,
    /// The requirements, tied to the whole table.
    pub bound: &'a BoundRequirements,
    /// Ties the requirements to some of the rows. It is called when others are suppressed, since everything is judged
    /// on what is published.
    pub rebind: &'a (dyn Fn(&[u32]) -> Result<BoundRequirements> + Sync),
    /// The most rows that may be suppressed, where that lowers the loss.
    pub most_suppressed: usize,
    /// Coins for choices.
    pub coins: &'a Coins,
    /// Hears of rows that reached their group, and stops the search.
    pub monitor: Monitor<'a>,
}

impl Task<'_> {
    /// All rows of the table.
    pub fn all_rows(&self) -> Vec<u32> {
        (0..self.table.n_rows() as u32).collect()
    }

    /// True if some rows pass as one group.
    pub fn holds(&self, rows: &[u32]) -> bool {
        holds(self.bound, self.table, rows)
    }

    /// Refuses what no partition can meet.
    pub(crate) fn feasible(&self) -> Result<()> {
        let needed = self.bound.sensitive_needed();
        let columns = self.table.schema().of_role(Role::Sensitive).into_iter().enumerate();
        let bags: Vec<Bag> = columns
            .map(|(place, column)| if needed.contains(&place) { self.table.column_bag(column) } else { Bag::default() })
            .collect();
        // People are fewer than their rows: what they allow is told at once.
        if let Some(people) = self.bound.by_person() {
            people.feasible(&self.all_rows())?;
        }
        self.bound.feasible(Group { size: self.table.n_rows() as u64, bags: &bags })
    }

    /// The requirements as one text.
    pub fn requirements(&self, between: &str) -> String {
        let named: Vec<String> = self.bound.requirements().iter().map(ToString::to_string).collect();
        named.join(between)
    }
}

impl std::fmt::Debug for Task<'_> {
    /// Shows nothing of the data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task")
            .field("n_rows", &self.table.n_rows())
            .field("requirements", &self.requirements(" and "))
            .field("most_suppressed", &self.most_suppressed)
            .finish_non_exhaustive()
    }
}

/// The least number of rows of a group, which is at least 1.
pub(crate) fn least_size(bound: &BoundRequirements) -> usize {
    usize::try_from(bound.least_size()).unwrap_or(usize::MAX).max(1)
}

/// True if some rows pass as one group.
pub(crate) fn holds(bound: &BoundRequirements, table: &Table, rows: &[u32]) -> bool {
    bound.rows_hold(table, rows)
}

/// Hands over a task that requires groups of at least `k` rows, or of as many people where some have several rows and
/// `by_people`, and nothing else: no choice under it looks at a sensitive value.
pub(crate) fn under_k_anonymity<T>(
    table: &Table,
    k: u64,
    by_people: bool,
    coins: &Coins,
    monitor: Monitor<'_>,
    run: impl FnOnce(&Task<'_>) -> Result<T>,
) -> Result<T> {
    let required = [Requirement::new(KAnonymity::new(k.max(1))?)];
    let bind = || {
        let bound = BoundRequirements::bind(&required, table.schema(), |_| Bag::default())?;
        if by_people { bound.with_people(table, None) } else { Ok(bound) }
    };
    run(&Task { table, bound: &bind()?, rebind: &|_| bind(), most_suppressed: 0, coins, monitor })
}
