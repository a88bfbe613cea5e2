//! The help table: for each group and each number of hits, between which values a sum, a minimum or a maximum over that
//! many members lies (Zhang et al., section 5.2). It holds nothing that the permuted table and
//! its mapping do not: a reader who has these can work it out.
//!
//! A group's values rise from `x_1` to `x_N`. Of `h` members,
//!
//! ```text
//! sum   x_1 + .. + x_h      to  x_(N-h+1) + .. + x_N
//! min   x_1                 to  x_(N-h+1)
//! max   x_h                 to  x_N
//! ```
//!
//! A missing value counts as nothing in a sum. Minimum and maximum pass over it, so that of `z` missing ones as many as
//! possible are chosen where a bound is to be far from the others: `h` is then `max(h - z, 1)` among the values there are.

use super::people::in_blocks;
use scumble_release::{Extremes, Help, Sums};
use scumble_table::{Code, Domain, Error, Kind, Monitor, NULL, Partition, Result, Table};

/// Sums are exact up to this many digits.
const DIGITS: u32 = 38;

/// The help table of a column of `table`; `place` is its position among the sensitive ones. Groups come as they are
/// published.
///
/// # Errors
/// If a sum has too many digits. Once the work is cancelled, the rest of the groups is left out.
pub(super) fn help(
    table: &Table,
    column: usize,
    place: usize,
    partition: &Partition,
    groups: &[u32],
    monitor: Monitor<'_>,
) -> Result<Help> {
    let attribute = table.attribute(column);
    let (domain, codes) = (&attribute.domain, table.column(column));
    let blocks = in_blocks(partition, groups, monitor, |number, members, out: &mut Block| {
        members.iter_mut().for_each(|member| *member = codes.get(*member as usize));
        members.sort_unstable();
        let added = out.group(number, domain, members);
        out.too_long |= added.is_none();
    });
    let mut all = Block::default();
    blocks.into_iter().for_each(|block| all.append(block));
    let Block { row_group, hits, lower, upper, ends, too_long } = all;
    if too_long {
        let reason = format!("sums of the column `{}` have more than {DIGITS} digits", attribute.name);
        return Err(Error::request("method", "permute", reason).hint("use «method» anatomy, which publishes no sums"));
    }
    let sums = (domain.kind() == Kind::Number).then(|| Sums { scale: domain.scale(), lower, upper });
    let texts = std::iter::once(NULL).chain(domain.codes()).map(|code| domain.text(code).into_owned());
    let ends = domain.kind().is_ordered().then(|| Extremes {
        texts: texts.collect(),
        kind: domain.kind(),
        stored: domain.stored().clone(),
        codes: ends.map(|codes| codes.into_iter().collect()),
    });
    Ok(Help { column: place, row_group, hits, sums, ends })
}

/// Rows of some groups.
#[derive(Default)]
struct Block {
    row_group: Vec<u32>,
    hits: Vec<u32>,
    lower: Vec<i128>,
    upper: Vec<i128>,
    /// Least and greatest minimum, least and greatest maximum.
    ends: [Vec<Code>; 4],
    /// True if a sum has too many digits; the rows of its group are then incomplete.
    too_long: bool,
}

impl Block {
    /// Adds the rows of a group whose codes rise; nothing where a sum has too many digits.
    fn group(&mut self, number: u32, domain: &Domain, codes: &[Code]) -> Option<()> {
        let n = codes.len();
        self.row_group.extend(std::iter::repeat_n(number, n));
        self.hits.extend(1..=n as u32);
        if domain.kind() == Kind::Number {
            let mut amounts: Vec<i128> = codes.iter().map(|&code| domain.number(code).unwrap_or(0)).collect();
            amounts.sort_unstable();
            let (mut least, mut greatest) = (0i128, 0i128);
            for (low, high) in amounts.iter().zip(amounts.iter().rev()) {
                least = least.checked_add(*low).filter(fits)?;
                greatest = greatest.checked_add(*high).filter(fits)?;
                self.lower.push(least);
                self.upper.push(greatest);
            }
        }
        if domain.kind().is_ordered() {
            let missing = codes.partition_point(|&code| code == NULL);
            let present = &codes[missing..];
            for hits in 1..=n {
                // Null in all four where no member has a value.
                let [first, .., last] = present else {
                    let only = present.first().copied().unwrap_or(NULL);
                    self.ends.iter_mut().for_each(|end| end.push(only));
                    continue;
                };
                let chosen = hits.saturating_sub(missing).max(1);
                let bounds = [*first, present[present.len() - chosen], present[chosen - 1], *last];
                self.ends.iter_mut().zip(bounds).for_each(|(end, bound)| end.push(bound));
            }
        }
        Some(())
    }

    fn append(&mut self, other: Block) {
        self.row_group.extend(other.row_group);
        self.hits.extend(other.hits);
        self.lower.extend(other.lower);
        self.upper.extend(other.upper);
        self.too_long |= other.too_long;
        for (end, others) in self.ends.iter_mut().zip(other.ends) {
            end.extend(others);
        }
    }
}

fn fits(sum: &i128) -> bool {
    sum.unsigned_abs() < 10u128.pow(DIGITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::{Attribute, Decimal, Role, Schema};

    fn help_of(domain: Domain, codes: &[Code], partition: &Partition) -> Result<Help> {
        let schema = Schema::new(vec![Attribute { name: "s".into(), role: Role::Sensitive, domain }])?;
        let table = Table::new(schema, vec![codes.iter().copied().collect()], codes.len())?;
        help(&table, 0, 0, partition, &(0..partition.n_groups() as u32).collect::<Vec<_>>(), Monitor::silent())
    }

    fn ends(help: &Help) -> Vec<[String; 4]> {
        let ends = help.ends.as_ref().unwrap();
        let row = |at: usize| ends.codes.each_ref().map(|codes| ends.texts[codes.get(at) as usize].clone());
        (0..help.hits.len()).map(row).collect()
    }

    /// The paper's help table, and the rows of MAX, which it leaves out.
    #[test]
    fn paper5_figure4() {
        let thousand = |n: i128| n * 1000;
        let salaries = [54, 55, 56, 65, 70, 75, 80, 85].map(|n| Decimal::new(thousand(n), 0));
        let partition = Partition::new((0..9).collect(), vec![0, 3, 6, 9], 9).unwrap();
        let found =
            help_of(Domain::numbers(salaries.to_vec()).unwrap(), &[1, 2, 3, 4, 6, 5, 7, 6, 8], &partition).unwrap();
        assert_eq!(found.row_group, [0, 0, 0, 1, 1, 1, 2, 2, 2]);
        assert_eq!(found.hits, [1, 2, 3, 1, 2, 3, 1, 2, 3]);
        let sums = found.sums.as_ref().unwrap();
        assert_eq!(sums.lower, [54, 109, 165, 65, 135, 210, 75, 155, 240].map(thousand));
        assert_eq!(sums.upper, [56, 111, 165, 75, 145, 210, 85, 165, 240].map(thousand));
        let column = |at: usize| ends(&found).into_iter().map(|row| row[at].parse().unwrap()).collect::<Vec<i128>>();
        assert_eq!(column(0), [54, 54, 54, 65, 65, 65, 75, 75, 75].map(thousand));
        assert_eq!(column(1), [56, 55, 54, 75, 70, 65, 85, 80, 75].map(thousand));
        assert_eq!(column(2), [54, 55, 56, 65, 70, 75, 75, 80, 85].map(thousand));
        assert_eq!(column(3), [56, 56, 56, 75, 75, 75, 85, 85, 85].map(thousand));
    }

    #[test]
    fn missing_values_add_nothing_and_are_passed_over() {
        let domain = Domain::numbers([-5, 7].map(Decimal::from).to_vec()).unwrap();
        let partition = Partition::new((0..6).collect(), vec![0, 3, 5, 6], 6).unwrap();
        let found = help_of(domain, &[2, NULL, 1, NULL, NULL, 1], &partition).unwrap();
        let sums = found.sums.as_ref().unwrap();
        assert_eq!(
            (sums.lower.as_slice(), sums.upper.as_slice()),
            (&[-5, -5, 2, 0, 0, -5][..], &[7, 7, 2, 0, 0, -5][..])
        );
        let row = |texts: [&str; 4]| texts.map(String::from);
        let none = row([""; 4]);
        let free = row(["-5", "7", "-5", "7"]);
        assert_eq!(ends(&found), [free.clone(), free, row(["-5", "-5", "7", "7"]), none.clone(), none, row(["-5"; 4])]);
    }

    #[test]
    fn kinds_decide_which_bounds_there_are() {
        let partition = Partition::new(vec![0, 1], vec![0, 2], 2).unwrap();
        let labels = || vec!["a".into(), "b".into()];
        let nominal = help_of(Domain::nominal(labels()), &[1, 2], &partition).unwrap();
        assert!(nominal.sums.is_none() && nominal.ends.is_none() && nominal.hits == [1, 2]);
        let ordinal = help_of(Domain::ordinal(labels()), &[1, 2], &partition).unwrap();
        assert!(ordinal.sums.is_none());
        assert_eq!(ends(&ordinal)[1], ["a", "a", "b", "b"].map(String::from));
        let huge = Domain::numbers(vec![Decimal::new(6 * 10i128.pow(37), 0)]).unwrap();
        let error = help_of(huge, &[1, 1], &partition).unwrap_err();
        assert!(error.exit_code() == 2 && error.to_string().contains("38 digits"), "{error}");
    }
}
