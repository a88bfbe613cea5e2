//! The people that partitions and bounds are about, as a table in memory.

use super::taxonomy::{LEVELS, step, tree};
use crate::study_table::{StudyColumn, StudyTable};
use scumble::{Column, ColumnRole, Columns, Kind};
use scumble_measure::{Axis, Positions, Truth};
use scumble_table::{Attribute, Codes, Decimal, Result, Role, Schema, Table};

/// People with quasi-identifiers, of which ranges are taken by the first, and a sensitive number.
#[derive(Debug, Clone)]
pub(super) struct People {
    pub(super) table: Table,
}

/// What every group must have: k different numbers that span e, in units of the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Demand {
    pub(super) k: u64,
    pub(super) e: i128,
}

/// The range of the paper's capital losses, which its values of e were chosen for.
const RANGE_OF_LOSSES: f64 = 3745.0;

impl People {
    /// From columns, the sensitive one last; the first must be numbers, and so must the last.
    pub(super) fn new(columns: &[StudyColumn]) -> Result<Self> {
        let said = |(at, column): (usize, &StudyColumn)| {
            let role = if at + 1 == columns.len() { ColumnRole::Sensitive } else { ColumnRole::Quasi };
            let numbers = column.texts.iter().all(|text| Decimal::parse(text).is_some());
            let kind = Some(if numbers { Kind::Number } else { Kind::Nominal });
            (column.name.clone(), Column { kind, ..Column::new(role) })
        };
        let said: Columns = columns.iter().enumerate().map(said).collect();
        let table = StudyTable::new(columns.to_vec()).encoded(&said)?.table;
        let n_rows = table.n_rows();
        let (mut attributes, mut codes) = (Vec::new(), Vec::new());
        for (attribute, own) in table.into_columns() {
            attributes.push(if attribute.role == Role::Quasi { with_tree(attribute, &own)? } else { attribute });
            codes.push(own);
        }
        Ok(People { table: Table::new(Schema::new(attributes)?, codes, n_rows)? })
    }

    pub(super) fn n(&self) -> usize {
        self.table.n_rows()
    }

    /// The column that ranges are taken of.
    pub(super) fn range(&self) -> &Attribute {
        self.table.attribute(0)
    }

    pub(super) fn sensitive(&self) -> &Attribute {
        self.table.attribute(self.sensitive_at())
    }

    pub(super) fn sensitive_at(&self) -> usize {
        self.table.schema().attributes().len() - 1
    }

    /// Number of each code of the sensitive column, in its units.
    pub(super) fn numbers(&self) -> Vec<Option<i128>> {
        let domain = &self.sensitive().domain;
        (0..domain.n_codes() as u32).map(|code| domain.number(code)).collect()
    }

    /// The sensitive numbers in rising order.
    pub(super) fn rising(&self) -> Vec<i128> {
        let numbers = self.numbers();
        let of = |code: u32| numbers.get(code as usize).copied().flatten();
        let mut rising: Vec<i128> = self.table.column(self.sensitive_at()).iter().filter_map(of).collect();
        rising.sort_unstable();
        rising
    }

    /// The same people with the first quasi-identifier alone.
    pub(super) fn by_range_only(&self) -> Result<People> {
        let last = self.sensitive_at();
        let attributes = vec![self.range().clone(), self.sensitive().clone()];
        let codes = vec![self.table.column(0).clone(), self.table.column(last).clone()];
        Ok(People { table: Table::new(Schema::new(attributes)?, codes, self.n())? })
    }

    /// A demand with an e of the paper, which is taken as the same part of the range that it is of the paper's.
    pub(super) fn demand(&self, k: u64, e: u32) -> Demand {
        let rising = self.rising();
        let range = rising.first().zip(rising.last()).map_or(0, |(first, last)| last - first);
        let unit = 10f64.powi(i32::from(self.sensitive().domain.scale()));
        // What is as wide as the paper's within a fifth is asked in the paper's own numbers.
        let likeness = range as f64 / unit / RANGE_OF_LOSSES;
        let e = if (0.8..1.25).contains(&likeness) { f64::from(e) * unit } else { f64::from(e) * unit * likeness };
        Demand { k, e: e.round() as i128 }
    }

    /// An e as people write it.
    pub(super) fn e_text(&self, demand: Demand) -> String {
        Decimal::new(demand.e, self.sensitive().domain.scale()).to_string()
    }

    /// Spans of the paper in years, as the same parts of the range where that is not one of ages.
    pub(super) fn spans(&self, years: &[f64]) -> Vec<f64> {
        const AGES: f64 = 73.0;
        let range = self.axis().hi - self.axis().lo;
        if (0.5 * AGES..2.0 * AGES).contains(&range) {
            return years.to_vec();
        }
        let whole = |span: f64| if self.axis().discrete { span.round().max(1.0) } else { span };
        let mut spans: Vec<f64> = years.iter().map(|span| whole(span * range / AGES)).collect();
        spans.dedup();
        spans
    }

    /// The axis of ranges.
    pub(super) fn axis(&self) -> Axis {
        let Attribute { name, domain, .. } = self.range();
        let (low, high) = match domain.is_empty() {
            true => (0.0, 0.0),
            false => (domain.place(1), domain.place(domain.len() as u32)),
        };
        Axis::between(name, domain.is_discrete(), low, high)
    }

    /// The people on that axis.
    pub(super) fn places(&self) -> Positions {
        let domain = &self.range().domain;
        let places: Vec<f64> = (0..domain.n_codes() as u32).map(|code| domain.place(code)).collect();
        Positions::from_codes(self.axis(), &places, self.table.column(0).iter())
    }

    /// What part of the people a range of a span selects, on average over everywhere it can begin and somebody is.
    pub(super) fn share_of(&self, span: f64) -> f64 {
        const STARTS: u32 = 100;
        let (axis, places) = (self.axis(), self.places());
        let room = (axis.hi - axis.lo - span).max(0.0);
        let starts = if axis.discrete { room.floor() as u32 } else { STARTS };
        let step = if axis.discrete { 1.0 } else { room / f64::from(STARTS) };
        let selected = |start: u32| {
            let low = axis.lo + step * f64::from(start);
            (0..self.n()).filter(|&row| (low..=low + span).contains(&places.place(row))).count()
        };
        let counts: Vec<usize> = (0..=starts).map(selected).filter(|&n| n > 0).collect();
        counts.iter().sum::<usize>() as f64 / (counts.len() * self.n()) as f64
    }

    /// True answers.
    pub(super) fn truth(&self) -> Truth {
        let domain = &self.sensitive().domain;
        let numbers = || self.table.column(self.sensitive_at()).iter().map(|code| domain.place(code));
        Truth::new(numbers().collect()).with_range(&self.places(), numbers())
    }

    /// The interval of the axis that a place is shown as at a level of the range column's hierarchy.
    pub(super) fn shown(&self, place: f64, level: usize) -> (f64, f64) {
        let axis = self.axis();
        match level {
            0 => (place, place),
            _ if level > LEVELS => (axis.lo, axis.hi),
            _ => {
                let step = step(axis.hi - axis.lo) * f64::from(1u32 << (level - 1));
                let low = (place / step).floor() * step;
                let high = if axis.discrete { low + step - 1.0 } else { low + step };
                (low.max(axis.lo), high.min(axis.hi))
            }
        }
    }
}

fn with_tree(attribute: Attribute, codes: &Codes) -> Result<Attribute> {
    let histogram = codes.histogram(attribute.domain.n_codes());
    let Some(tree) = tree(&attribute, &histogram)? else { return Ok(attribute) };
    let domain = attribute.domain.clone().with_hierarchy("the hierarchy", &attribute.name, tree)?;
    Ok(Attribute { domain, ..attribute })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, cells: &[&str]) -> StudyColumn {
        StudyColumn::new(name, cells)
    }

    fn six() -> People {
        let age = column("age", &["20", "34", "35", "60", "61", "79"]);
        let sex = column("sex", &["Male", "Female", "Male", "Male", "Female", "Male"]);
        let loss = column("loss", &["155", "1902", "1902", "2415", "1977", "3900"]);
        People::new(&[age, sex, loss]).unwrap()
    }

    #[test]
    fn columns_become_a_table() {
        let people = six();
        assert_eq!((people.n(), people.range().name.as_str(), people.sensitive().name.as_str()), (6, "age", "loss"));
        assert_eq!(people.rising(), [155, 1902, 1902, 1977, 2415, 3900]);
        assert_eq!(people.by_range_only().unwrap().table.schema().attributes().len(), 2);
        assert_eq!(people.truth().n_people(), 6);
    }

    #[test]
    fn ages_are_shown_as_steps() {
        let people = six();
        assert_eq!(people.shown(37.0, 0), (37.0, 37.0));
        assert_eq!(people.shown(37.0, 1), (35.0, 39.0));
        assert_eq!(people.shown(37.0, 3), (20.0, 39.0));
        assert_eq!(people.shown(61.0, 3), (60.0, 79.0));
        assert_eq!(people.shown(61.0, 4), (20.0, 79.0));
    }

    #[test]
    fn demands_suit_other_ranges() {
        let people = six();
        assert_eq!(people.demand(4, 100), Demand { k: 4, e: 100 });
        assert_eq!(people.spans(&[5.0, 30.0]), [5.0, 30.0]);
        let small = People::new(&[column("x", &["0", "730"]), column("loss", &["1.0", "38.5"])]).unwrap();
        let demand = small.demand(4, 100);
        assert_eq!((demand.e, small.e_text(demand).as_str()), (10, "1"));
        assert_eq!(small.spans(&[5.0]), [50.0]);
    }
}
