//! A colour class: rows, and how many near others each has among them.

use super::context::SearchContext;

/// A class in the making. Degrees are kept up to date, so that an exchange costs as many questions as the class has rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Class {
    rows: Vec<u32>,
    degree: Vec<u32>,
}

impl Class {
    /// A class of some rows; of fewer once the work is cancelled.
    pub(crate) fn new(rows: Vec<u32>, context: &SearchContext<'_>) -> Self {
        let mut class = Class::default();
        let rows = rows.into_iter().take_while(|_| !context.task.monitor.is_cancelled());
        rows.for_each(|row| class.push(row, context));
        class
    }

    /// Its rows.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Its rows, taken.
    pub(crate) fn into_rows(self) -> Vec<u32> {
        self.rows
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Near others of each row.
    pub(crate) fn degrees(&self) -> &[u32] {
        &self.degree
    }

    /// Takes a row in.
    pub(crate) fn push(&mut self, row: u32, context: &SearchContext<'_>) {
        let mut near = 0;
        for (other, degree) in self.rows.iter().zip(&mut self.degree) {
            let is_near = context.weight(*other, row);
            *degree += is_near;
            near += is_near;
        }
        self.rows.push(row);
        self.degree.push(near);
    }

    /// True if somebody's row is of a person whom the class has already.
    pub(crate) fn has_person_of(&self, row: u32, context: &SearchContext<'_>) -> bool {
        context.persons.is_some() && self.rows.iter().any(|&other| context.is_same_person(other, row))
    }

    /// True if a row of this value could be taken in while no row has more than `t` near others.
    #[inline]
    pub(crate) fn admits_value(&self, value: u32, t: u32, context: &SearchContext<'_>) -> bool {
        let mut near = 0;
        for (&other, &degree) in self.rows.iter().zip(&self.degree) {
            if context.neighbours().near(context.value[other as usize], value) {
                near += 1;
                if near > t || degree >= t {
                    return false;
                }
            }
        }
        true
    }

    /// How much there is too much: the sum over rows of near others beyond what the size allows.
    pub(crate) fn excess(&self, context: &SearchContext<'_>) -> u32 {
        let t = context.allowed(self.len());
        self.degree.iter().fold(0u32, |excess, degree| excess.saturating_add(degree.saturating_sub(t)))
    }

    /// The excess if `row` replaced the row at `out`.
    pub(crate) fn excess_with(&self, out: usize, row: u32, context: &SearchContext<'_>) -> u32 {
        let t = context.allowed(self.len());
        let leaving = self.rows[out];
        let (mut excess, mut near) = (0, 0);
        for (at, (&other, &degree)) in self.rows.iter().zip(&self.degree).enumerate() {
            if at == out {
                continue;
            }
            let comes = context.weight(other, row);
            near += comes;
            let after = degree + comes - context.weight(other, leaving);
            excess = u32::saturating_add(excess, after.saturating_sub(t));
        }
        u32::saturating_add(excess, near.saturating_sub(t))
    }

    /// Lets `row` take the place of the row at `out`.
    pub(crate) fn replace(&mut self, out: usize, row: u32, context: &SearchContext<'_>) -> u32 {
        let leaving = std::mem::replace(&mut self.rows[out], row);
        let mut near = 0;
        for (at, (&other, degree)) in self.rows.iter().zip(&mut self.degree).enumerate() {
            if at == out {
                continue;
            }
            let comes = context.weight(other, row);
            near += comes;
            *degree = *degree + comes - context.weight(other, leaving);
        }
        self.degree[out] = near;
        leaving
    }

    /// The class without the row at `out`.
    pub(crate) fn without(&self, out: usize, context: &SearchContext<'_>) -> Class {
        Class::new(self.others(out).collect(), context)
    }

    /// The rows but the one at `out`.
    pub(crate) fn others(&self, out: usize) -> impl Iterator<Item = u32> + Clone {
        self.rows.iter().enumerate().filter(move |(at, _)| *at != out).map(|(_, &row)| row)
    }

    /// Rows times NCP.
    pub(crate) fn loss(&self, context: &SearchContext<'_>) -> f64 {
        self.len() as f64 * context.cost(self.rows.iter().copied())
    }

    /// Rows times NCP if `row` replaced the row at `out`.
    pub(crate) fn loss_with(&self, out: usize, row: u32, context: &SearchContext<'_>) -> f64 {
        let rows = self.rows.iter().enumerate().map(move |(at, &other)| if at == out { row } else { other });
        self.len() as f64 * context.cost(rows)
    }

    /// Places of the rows with too many near others.
    pub(crate) fn violators(&self, context: &SearchContext<'_>) -> Vec<usize> {
        let t = context.allowed(self.len());
        (0..self.len()).filter(|&at| self.degree[at] > t).collect()
    }
}
