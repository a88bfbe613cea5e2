//! A help table, worked out anew from the values of the groups and compared cell by cell.
//!
//! For a group and a number of hits `h`, any `h` people of the group may be those that a question is about, and any
//! assignment of the group's values to its people may be the true one. The bounds are the least and the greatest that
//! a sum, a minimum or a maximum can then come to; each is reached by some assignment. A missing value adds nothing to
//! a sum, and is passed over by minimum and maximum, whose bounds are over the assignments that leave them a value.

use super::exact::GroupedValues;
use super::group_numbers::{numbers, take};
use super::shown_column::{ShownColumn, UNPUBLISHED, value_map};
use crate::form::{GROUP, HITS, Permuted};
use crate::published_column::plain_decimal;
use rayon::prelude::*;
use scumble_io::{RawColumn, RawTable};
use scumble_table::{Code, Codes, Domain, Kind, NULL, number_of};

/// Groups compared together by one core.
const BLOCK: usize = 1 << 10;

/// Compares the help table of a column, given as a position among the grouping's.
pub(super) fn check(raw: &mut RawTable, grouping: &GroupedValues, column: usize) -> Result<String, String> {
    let (groups, hits) = (numbers(raw, GROUP)?, numbers(raw, HITS)?);
    let counted = &grouping.sensitive;
    let values = &counted.values[column];
    let n_rows: usize = grouping.sizes.iter().map(|&size| size as usize).sum();
    if groups.len() != n_rows {
        return Err(format!("there are {} rows, and {n_rows} pairs of a group and a number of hits", groups.len()));
    }
    let stated: Vec<Stated> =
        Permuted::BOUNDS.iter().map(|name| Stated::take(raw, name, values)).collect::<Result<_, String>>()?;
    // Where each group begins among the rows of both tables.
    let (mut row, mut from) = (0, 0);
    let mut begins = Vec::with_capacity(grouping.sizes.len());
    for (group, &size) in grouping.sizes.iter().enumerate() {
        let to = from + counted.row_group[from..].iter().take_while(|&&of_row| of_row as usize == group).count();
        begins.push((group, row, from..to));
        row += size as usize;
        from = to;
    }
    let wrong = begins.par_chunks(BLOCK).find_map_first(|block| {
        let mut bounds = Bounds::default();
        block.iter().find_map(|(group, row, of_group)| {
            let (group, row, size) = (*group, *row, grouping.sizes[*group] as usize);
            let pairs = of_group.clone().map(|at| (values.codes.get(at), counted.counts[at]));
            if let Err(reason) = bounds.fill(&values.domain, pairs) {
                return Some(format!("group {}: {reason}", group + 1));
            }
            (0..size).find_map(|at| {
                if (groups[row + at], hits[row + at]) != (group as u32 + 1, at as u32 + 1) {
                    let wanted = format!("group {}, hits {}", group + 1, at + 1);
                    return Some(format!("row {} is not that of {wanted}, which comes next", row + at + 1));
                }
                let expected = bounds.for_hits(at + 1);
                let off = stated.iter().zip(expected).position(|(stated, expected)| !stated.is(row + at, expected))?;
                Some(format!("group {}, hits {}: `{}` is not the bound", group + 1, at + 1, Permuted::BOUNDS[off]))
            })
        })
    });
    wrong.map_or_else(|| Ok(number_of(n_rows as u64, "row", "rows") + ", every bound as tight as it can be"), Err)
}

/// A bound as a table states it, by the codes of its texts.
struct Stated {
    codes: Codes,
    /// What each text states: an amount, the code of a value, or no bound where it is empty. Nothing for a text that
    /// makes no sense.
    means: Vec<Option<Option<i128>>>,
}

impl Stated {
    fn take(raw: &mut RawTable, name: &str, values: &ShownColumn) -> Result<Stated, String> {
        let Some(RawColumn::Text { dictionary, codes }) = take(raw, name) else {
            return Err(format!("`{name}` is not a column of texts"));
        };
        let texts = std::iter::once("").chain(dictionary.iter());
        let found: Vec<Option<i128>> = if name.starts_with("sum") {
            let amount = |text: &str| plain_decimal(text)?.at_scale(values.domain.scale());
            texts.clone().map(amount).collect()
        } else {
            let code = |(text, code): (&str, Code)| {
                let known = code != UNPUBLISHED && code != NULL && values.domain.text(code) == text;
                known.then_some(i128::from(code))
            };
            texts.clone().zip(value_map(&values.domain, &dictionary)).map(code).collect()
        };
        let meant = |(text, found): (&str, Option<i128>)| if text.is_empty() { Some(None) } else { found.map(Some) };
        let means = texts.zip(found).map(meant).collect();
        Ok(Stated { codes, means })
    }

    fn is(&self, row: usize, expected: Option<i128>) -> bool {
        self.means[self.codes.get(row) as usize] == Some(expected)
    }
}

/// The values of a group, ready to be asked for bounds.
#[derive(Default)]
struct Bounds {
    /// Codes of the values that are not missing, rising; nothing where they have no order.
    present: Vec<Code>,
    missing: usize,
    /// Sums of the least values and of the greatest, by their number; nothing where they are no numbers.
    least: Vec<i128>,
    greatest: Vec<i128>,
}

impl Bounds {
    /// Takes a group's codes with their counts, in any order.
    fn fill(&mut self, domain: &Domain, pairs: impl Iterator<Item = (Code, u32)>) -> Result<(), String> {
        self.present.clear();
        for (code, count) in pairs {
            self.present.extend(std::iter::repeat_n(code, count as usize));
        }
        let mut amounts: Vec<i128> = Vec::new();
        if domain.kind() == Kind::Number {
            amounts.extend(self.present.iter().map(|&code| domain.number(code).unwrap_or(0)));
            amounts.sort_unstable();
        }
        self.least = running(amounts.iter())?;
        self.greatest = running(amounts.iter().rev())?;
        if domain.kind() == Kind::Nominal {
            self.present.clear();
        }
        self.present.sort_unstable();
        self.missing = self.present.partition_point(|&code| code == NULL);
        self.present.drain(..self.missing);
        Ok(())
    }

    /// The bounds for a number of hits, in the order of [`Permuted::BOUNDS`].
    fn for_hits(&self, hits: usize) -> [Option<i128>; 6] {
        let code = |at: usize| self.present.get(at).map(|&code| i128::from(code));
        // At least this many of the hits have a value: there are not enough missing ones for all.
        let last = self.present.len().saturating_sub(1);
        let with_value = hits.saturating_sub(self.missing).max(1);
        [
            self.least.get(hits - 1).copied(),
            self.greatest.get(hits - 1).copied(),
            code(0),
            code((last + 1).saturating_sub(with_value)),
            code(with_value - 1),
            code(last),
        ]
    }
}

/// Sums of the first amount, of the first two, and so on.
fn running<'a>(amounts: impl Iterator<Item = &'a i128>) -> Result<Vec<i128>, String> {
    let mut sum = 0i128;
    let mut add = |amount: &i128| {
        sum = sum.checked_add(*amount)?;
        Some(sum)
    };
    let sums: Option<Vec<i128>> = amounts.map(&mut add).collect();
    sums.ok_or_else(|| "a sum has too many digits to be exact".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use scumble_table::Decimal;

    proptest! {
        /// Every choice of that many members of a group stays within the bounds, and each bound is reached by one.
        #[test]
        fn bounds_are_those_of_all_choices(codes in prop::collection::vec(0u32..5, 1..8)) {
            let numbers = [-30i64, -5, 7, 20].map(Decimal::from).to_vec();
            let domain = Domain::numbers(numbers).unwrap();
            let mut bounds = Bounds::default();
            bounds.fill(&domain, codes.iter().map(|&code| (code, 1))).unwrap();
            for hits in 1..=codes.len() {
                let (mut sums, mut least, mut greatest) = (Vec::new(), Vec::new(), Vec::new());
                for chosen in (0u32..1 << codes.len()).filter(|chosen| chosen.count_ones() as usize == hits) {
                    let members = codes.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, code)| *code);
                    let values: Vec<u32> = members.filter(|&code| code != NULL).collect();
                    sums.push(values.iter().filter_map(|&code| domain.number(code)).sum::<i128>());
                    least.extend(values.iter().min().copied().map(i128::from));
                    greatest.extend(values.iter().max().copied().map(i128::from));
                }
                let ends = |of: &[i128]| [of.iter().min().copied(), of.iter().max().copied()];
                let all: Vec<Option<i128>> = [ends(&sums), ends(&least), ends(&greatest)].concat();
                prop_assert_eq!(bounds.for_hits(hits).to_vec(), all, "{} of {:?}", hits, codes);
            }
        }
    }

    #[test]
    fn labels_without_order_have_no_bounds_and_sums_must_fit() {
        let mut bounds = Bounds::default();
        bounds.fill(&Domain::nominal(vec!["a".into(), "b".into()]), [(1, 2), (2, 1)].into_iter()).unwrap();
        assert_eq!(bounds.for_hits(2), [None; 6]);
        bounds.fill(&Domain::ordinal(vec!["a".into(), "b".into()]), [(2, 1), (1, 2)].into_iter()).unwrap();
        assert_eq!(bounds.for_hits(2), [None, None, Some(1), Some(1), Some(1), Some(2)]);
        let huge = Domain::numbers(vec![Decimal::new(9 * 10i128.pow(37), 0)]).unwrap();
        assert!(bounds.fill(&huge, [(1, 2)].into_iter()).unwrap_err().contains("digits"));
    }
}
