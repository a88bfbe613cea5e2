//! (k, e)-anonymity: enough different numbers over a wide enough range.

use crate::column_facts::texts;
use crate::exact::{Round, whole_units};
use crate::parameter::{Parameter, Range, largest};
use crate::plain_words::NO_CHANCE;
use crate::principle::{shared, wrong_kind};
use crate::test::{numbers, room_for_two, rows_between};
use crate::{Attained, Entry, PlainWords, Principle, Search, Subject, Test};
use scumble_table::figures::grouped;
use scumble_table::{Bag, Code, Decimal, Domain, Kind, Ratio, Result};
use std::iter::repeat_n;

pub(crate) static ENTRY: Entry = Entry {
    name: "ke-anonymity",
    aliases: &["k-e-anonymity", "(k,e)-anonymity"],
    parameters: &[Parameter::new("k", Range::Whole(1)), Parameter::new("e", Range::AtLeast(0))],
    help: "every group has at least k different sensitive numbers and they span at least e",
    example: "ke-anonymity(4, 100)",
    reference: "Q. Zhang, N. Koudas, D. Srivastava, T. Yu: Aggregate query answering on anonymized tables. ICDE 2007",
    monotone: true,
    larger_is_stricter: true,
    strictest: |_| Ok(vec![shared(KeAnonymity::new(u64::MAX, largest()))?]),
    usual: |facts| Some(vec![texts(&["2", "3", "5", "10"]), facts.shares_of_span(&[100, 40, 10, 4])]),
    ..Entry::parsed_by(|arguments| shared(KeAnonymity::new(arguments.whole(0)?, arguments.number(1)?)))
};

/// Every group has at least `k` different sensitive numbers and they span at least `e`.
///
/// # Guarantees
/// Someone who finds the group of a person cannot narrow the number down to fewer than `k` values, nor
/// to an interval shorter than `e`.
///
/// # Definition
/// A group passes if it has at least `k` different values, null among them, and its greatest number
/// less its least is at least `e`.
///
/// # Does not guarantee
/// A bound on the share of one number, nor that the numbers between least and greatest are spread.
///
/// # Cost
/// The number of different values and the two ends of the group: no pass over its rows.
///
/// # Example
/// The salaries 54000, 55000, 56000 pass `ke-anonymity(3, 2000)`.
///
/// # Reference
/// Q. Zhang, N. Koudas, D. Srivastava, T. Yu: Aggregate query answering on anonymized tables. ICDE
/// 2007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeAnonymity {
    k: u64,
    e: Decimal,
}

impl KeAnonymity {
    /// `k` must be at least 1 and `e` at least 0.
    pub fn new(k: u64, e: Decimal) -> Result<Self> {
        Ok(KeAnonymity { k: ENTRY.check_whole(0, k)?, e: ENTRY.check(1, e)? })
    }

    /// The least number of different numbers.
    pub fn k(&self) -> u64 {
        self.k
    }

    /// The least span.
    pub fn e(&self) -> Decimal {
        self.e
    }

    /// The least span in whole units of `10^-scale`, rounded up: the spans of a column of that scale
    /// are whole, so they reach this exactly if they reach [`KeAnonymity::e`].
    pub fn e_in_units(&self, scale: u8) -> u128 {
        whole_units(self.e, scale, Round::Up)
    }
}

impl Principle for KeAnonymity {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({}, {})", ENTRY.name, self.k, self.e)
    }

    fn bind(&self, domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        if domain.kind() != Kind::Number {
            let instead = "for dates ask for a variance, for labels for a diversity";
            return Err(wrong_kind(self.notation(), "(k, e)-anonymity needs numbers", domain, instead));
        }
        let numbers = (0..=domain.len() as Code).map(|code| domain.number(code).unwrap_or(0)).collect();
        let scale = domain.scale();
        Ok(Box::new(Bound { k: self.k, e: self.e_in_units(scale), numbers, scale }))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let k = attained.figure("k")?.parse::<u64>().ok()?.min(self.k);
        let e = Decimal::parse(attained.figure("e")?)?.min(self.e);
        KeAnonymity::new(k, e).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        match attained.figure("k").and_then(|k| k.parse::<u64>().ok()) {
            Some(k) if k < self.k => format!("`{column}` has {k} different values"),
            _ => format!("the numbers of `{column}` span {}", attained.figure("e").unwrap_or("0")),
        }
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (one, repeat, subject) = (subject.counted.one(), subject.repeat, subject.name());
        let (k, e) = (grouped(self.k), self.e);
        Some(PlainWords {
            family: "(k, e)-anonymity",
            demands: format!(
                "every group holds at least {k} different values of {subject}, the least and the greatest of them at least \
                 {e} apart"
            ),
            hides: match repeat {
                true => format!(
                    "Each group shows at least {k} different values of {subject}, over a range of at least {e}, and holds rows of as many \
                     different people as values are asked for. {NO_CHANCE}"
                ),
                false => format!(
                    "From the tables alone a {one}’s value of {subject} cannot be narrowed down for certain to fewer than {k} \
                     values, nor to a range shorter than {e}."
                ),
            },
            leaves: "It does not bound how often a value occurs: most of a group may share one value, or lie close together \
                     with a single value far away, and then a guess is right for most of the group."
                .into(),
            guards_values: true,
        })
    }

    fn search(&self) -> Search {
        Search::KeAnonymity
    }
}

#[derive(Debug)]
struct Bound {
    k: u64,
    /// e in the unit of the column, rounded up: spans are whole.
    e: u128,
    /// The numbers by code, in that unit; null has none.
    numbers: Box<[i128]>,
    scale: u8,
}

impl Bound {
    fn number(&self, code: Code) -> i128 {
        self.numbers.get(code as usize).copied().unwrap_or(0)
    }

    /// The greatest number of the group less its least.
    fn span(&self, group: &Bag) -> u128 {
        match numbers(group) {
            [(first, _), .., (last, _)] => self.number(*last).abs_diff(self.number(*first)),
            _ => 0,
        }
    }
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        group.distinct() as u64 >= self.k && self.span(group) >= self.e
    }

    /// The values must offer 2k places. Of two parts that both span e, one has the least row of
    /// all and the other a row no lower than the second, and likewise at the upper end.
    fn divisible(&self, group: &Bag) -> bool {
        let room = room_for_two(group, self.k);
        if self.e == 0 || !room {
            return room;
        }
        let mut rising = numbers(group).iter().flat_map(|&(code, count)| repeat_n(code, count.min(2) as usize));
        let mut falling = numbers(group).iter().rev().flat_map(|&(code, count)| repeat_n(code, count.min(2) as usize));
        let ends = (rising.next(), rising.next(), falling.next(), falling.next());
        let (Some(least), Some(second), Some(greatest), Some(below)) = ends else { return false };
        let apart = |low: Code, high: Code| self.number(high).abs_diff(self.number(low));
        least < below && second < greatest && apart(least, below) >= self.e && apart(second, greatest) >= self.e
    }

    fn monotone(&self) -> bool {
        true
    }

    /// The values beyond k, and the numbers outside of the fullest window that is too short, less the one that is needed
    /// there: the fewer of the two.
    fn slack(&self, group: &Bag) -> Option<i64> {
        let values = rows_between(self.k, group.distinct() as u64);
        if self.e == 0 {
            return Some(values);
        }
        let numbers = numbers(group);
        let (mut low, mut inside, mut fullest, mut all) = (0, 0u64, 0u64, 0u64);
        for &(code, count) in numbers {
            (inside, all) = (inside + u64::from(count), all + u64::from(count));
            while self.number(code).abs_diff(self.number(numbers[low].0)) >= self.e {
                inside -= u64::from(numbers[low].1);
                low += 1;
            }
            fullest = fullest.max(inside);
        }
        Some(values.min(rows_between(fullest + 1, all)))
    }

    fn superset_closed(&self) -> bool {
        true
    }

    fn attained(&self, group: &Bag) -> Attained {
        // Beyond 38 digits the greatest number that can be written, which is no more than is there.
        let span = Decimal::new(i128::try_from(self.span(group)).unwrap_or(i128::MAX), self.scale);
        let k = group.distinct() as u64;
        Attained::from_parts(
            vec![k.into(), Ratio::from(span).into()],
            vec![("k", k.to_string()), ("e", span.to_string())],
        )
    }

    fn least_size(&self) -> u64 {
        self.k.max(if self.e > 0 { 2 } else { 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_checked() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        let new = |k, e: &str| KeAnonymity::new(k, decimal(e));
        assert_eq!(new(4, "100.0").unwrap().notation(), "ke-anonymity(4, 100)");
        assert!(new(1, "0").is_ok() && new(0, "0").is_err() && new(1, "-1").is_err());
        let units = |e, scale| new(1, e).unwrap().e_in_units(scale);
        assert_eq!((units("1.25", 2), units("1.25", 1), units("1.25", 0), units("3", 2)), (125, 13, 2, 300));
    }

    fn passes(notation: &str, numbers: &[&str]) -> bool {
        let domain = Domain::numbers(numbers.iter().filter_map(|text| Decimal::parse(text)).collect()).unwrap();
        let bag = Bag::from_codes(numbers.iter().map(|text| domain.code_of(text).unwrap()));
        let requirement: crate::Requirement = notation.parse().unwrap();
        requirement.principle().bind(&domain, &bag).unwrap().holds(&bag)
    }

    #[test]
    fn the_boundary_itself_passes() {
        assert!(passes("ke-anonymity(3, 2000)", &["54000", "55000", "56000"]));
        assert!(!passes("ke-anonymity(3, 2000.0001)", &["54000", "55000", "56000"]));
        assert!(!passes("ke-anonymity(4, 2000)", &["54000", "55000", "56000"]));
        assert!(
            passes("ke-anonymity(2, 0.3)", &["-0.1", "0.2", "0.2"])
                && !passes("ke-anonymity(2, 0.31)", &["-0.1", "0.2"])
        );
        assert!(passes("ke-anonymity(1, 0)", &["7"]) && !passes("ke-anonymity(1, 0.1)", &["7", "7"]));
        let far = ["-100000000000000000000000000000000000000", "100000000000000000000000000000000000000"];
        assert!(passes("ke-anonymity(2, 99999999999999999999999999999999999999)", &far));
    }

    #[test]
    fn null_is_a_value_and_no_number() {
        assert!(passes("ke-anonymity(3, 1)", &["", "1", "2"]) && !passes("ke-anonymity(1, 1)", &["", "1"]));
        assert!(passes("ke-anonymity(1, 0)", &[""]) && !passes("ke-anonymity(1, 0)", &[]));
        let error = KeAnonymity::new(1, Decimal::ZERO).unwrap().bind(&Domain::dates(vec![]), &Bag::default());
        assert!(error.unwrap_err().to_string().contains("(k, e)-anonymity needs numbers, and the column is date"));
    }
}
