//! Numbers and dates: texts that denote a value.

use super::Column;
use super::detect::looks_numeric;
use rayon::prelude::*;
use scumble_table::{Code, Decimal, Domain, Error, NULL, Result, parse_date};

/// Texts that people write for a value that is not there.
const MISSING: [&str; 14] =
    ["na", "n/a", "nan", "null", "none", "?", "-", "--", ".", "missing", "unknown", "nil", "#n/a", "*"];

impl Column<'_> {
    /// Exact decimals; `1.0` and `1` become one value.
    pub(super) fn numbers(&self) -> Result<(Domain, Vec<Code>)> {
        let values = self.parsed(Decimal::parse, |code| self.no_number(code))?;
        let scale = values.iter().map(|value| value.scale()).max().unwrap_or(0);
        // Comparing whole numbers is many times faster than comparing decimals of their own scale.
        let whole: Option<Vec<i128>> = values.iter().map(|value| value.at_scale(scale)).collect();
        let whole = whole.ok_or_else(|| self.too_many_digits(None))?;
        self.monitor.check()?;
        let small: Option<Vec<i64>> = whole.iter().map(|&value| i64::try_from(value).ok()).collect();
        let (order, map) = match small {
            Some(small) => {
                drop(whole);
                ranks(&small)
            }
            None => ranks(&whole),
        };
        let domain = Domain::numbers(order.into_iter().map(|at| values[at as usize]).collect());
        Ok((domain.map_err(|_| self.too_many_digits(None))?, map))
    }

    /// Calendar days.
    pub(super) fn dates(&self) -> Result<(Domain, Vec<Code>)> {
        let days = self.parsed(parse_date, |code| {
            let hint = format!("dates are written YYYY-MM-DD; {}", self.way_out(code));
            self.fault(code, "this is not a date").hint(hint)
        })?;
        let (order, map) = ranks(&days);
        Ok((Domain::dates(order.into_iter().map(|at| days[at as usize]).collect()), map))
    }

    fn no_number(&self, code: Code) -> Error {
        if looks_numeric(self.dictionary.text(code)) {
            return self.too_many_digits(Some(code));
        }
        self.fault(code, "this is not a number").hint(self.way_out(code))
    }

    fn too_many_digits(&self, code: Option<Code>) -> Error {
        let hint = format!("use «type» {}=nominal to treat the numbers as labels", self.plan.name);
        match code {
            Some(code) => self.fault(code, "the number has more digits than exact arithmetic holds (38)"),
            None => Error::data(
                self.source,
                "the column mixes numbers too large and too fine for exact arithmetic (more than 38 digits together)",
            )
            .at(None, Some(&self.plan.name)),
        }
        .hint(hint)
    }

    /// What to do about a text that does not fit the type.
    fn way_out(&self, code: Code) -> String {
        let (name, text) = (&self.plan.name, self.dictionary.text(code));
        if self.secret {
            format!("use «type» {name}=nominal, or name the text with «null» if it marks a missing value")
        } else if MISSING.contains(&text.trim().to_lowercase().as_str()) {
            format!("use «null» '{text}' if it marks a missing value")
        } else {
            format!("use «type» {name}=nominal to treat the values as labels")
        }
    }
}

/// The positions of the distinct values in ascending order, and for each code (null first) the rank
/// of its value, from 1. Of equal values the one that appeared first is taken.
fn ranks<T: Ord + Copy + Send + Sync>(values: &[T]) -> (Vec<u32>, Vec<Code>) {
    let mut sorted: Vec<(T, u32)> = values.iter().copied().zip(0..).collect();
    sorted.par_sort_unstable();
    let mut order = Vec::with_capacity(values.len());
    let mut map = vec![NULL; values.len() + 1];
    let mut last = None;
    for (value, at) in sorted {
        if last != Some(value) {
            order.push(at);
            last = Some(value);
        }
        map[at as usize + 1] = order.len() as Code;
    }
    (order, map)
}
