//! Sums of whole numbers that decide whether two rows are near.

use super::amounts::Amounts;
use super::kernel::{Kernel, Scale};
use super::whole_number::WholeNumber;
use num_bigint::BigUint;
use scumble_table::{Code, Composite};

/// Sums in the narrowest width that holds them. Most fit 64 bits; squares of several fine columns need more than 128.
#[derive(Debug)]
pub(crate) enum Terms {
    Narrow(Sums<u64>),
    Wide(Sums<u128>),
    Long(Sums<BigUint>),
}

/// Terms of one value by part and code, kept from one row to the next.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    narrow: Vec<Vec<u64>>,
    wide: Vec<Vec<u128>>,
    long: Vec<Vec<BigUint>>,
}

impl Terms {
    /// Sums over parts, each of a column, and how large they may be. There is always a width in which they fit.
    pub(super) fn new(columns: &[usize], amounts: &[Amounts], scales: &[Scale], bound: &BigUint) -> Option<Terms> {
        let most: BigUint = amounts.iter().zip(scales).map(|(amounts, scale)| scale.exact_term(amounts.most())).sum();
        // A bound above every sum is met by all.
        let bound = bound.min(&most);
        if most <= u64::MAX.into() {
            Sums::new(columns, amounts, scales, bound).map(Terms::Narrow)
        } else if most <= u128::MAX.into() {
            Sums::new(columns, amounts, scales, bound).map(Terms::Wide)
        } else {
            let sums: Sums<BigUint> = Sums::new(columns, amounts, scales, bound)?;
            Some(Terms::Long(Sums { shift: most.bits() - ROUGH_BITS, ..sums }))
        }
    }

    /// Whether two of some values are near.
    #[inline]
    pub(crate) fn near(&self, a: usize, b: usize, values: &Values) -> bool {
        match self {
            Terms::Narrow(sums) => sums.near(a, b, values),
            Terms::Wide(sums) => sums.near(a, b, values),
            Terms::Long(sums) => sums.near(a, b, values),
        }
    }

    /// Gives `found` every value from `from` on that is near one, in rising order.
    pub(crate) fn row(
        &self,
        a: usize,
        from: usize,
        values: &Values,
        memory: &mut Memory,
        found: &mut dyn FnMut(usize),
    ) {
        match self {
            Terms::Narrow(sums) => {
                sums.fill(a, values, &mut memory.narrow);
                walk(&sums.columns, &memory.narrow, &sums.bound, from, values, |b, _| found(b));
            }
            Terms::Wide(sums) => {
                sums.fill(a, values, &mut memory.wide);
                walk(&sums.columns, &memory.wide, &sums.bound, from, values, |b, _| found(b));
            }
            Terms::Long(sums) => sums.row(a, from, values, memory, found),
        }
    }
}

/// Values by the codes of their columns, as sums see them.
#[derive(Debug)]
pub(crate) struct Values {
    /// For each column the code of every value; values rise by the code of the first.
    columns: Vec<Vec<Code>>,
    /// Number of codes of each column.
    widths: Vec<usize>,
    /// Where the values of each code of the first column start, and where the last ones end.
    runs: Vec<usize>,
}

impl Values {
    pub(crate) fn new(composite: &Composite) -> Self {
        let columns: Vec<Vec<Code>> = (0..composite.n_columns()).map(|at| composite.column(at).to_vec()).collect();
        let widths = columns.iter().map(|codes| codes.iter().max().map_or(0, |most| *most as usize + 1)).collect();
        let mut runs = vec![0];
        if let Some(first) = columns.first() {
            runs.extend((1..first.len()).filter(|&at| first[at] != first[at - 1]));
        }
        runs.push(composite.len());
        Values { columns, widths, runs }
    }

    /// Number of codes of each column.
    pub(crate) fn widths(&self) -> &[usize] {
        &self.widths
    }
}

/// Terms of several parts, and how large their sum may be.
#[derive(Debug)]
pub(crate) struct Sums<S> {
    parts: Vec<Kernel<S>>,
    /// The column of each part, rising.
    columns: Vec<usize>,
    bound: S,
    /// Bits that rough sums leave out.
    shift: u64,
}

/// Bits of the greatest rough sum, and room for what is lost by adding rough terms.
const ROUGH_BITS: u64 = 62;

impl<S: WholeNumber> Sums<S> {
    fn new(columns: &[usize], amounts: &[Amounts], scales: &[Scale], bound: &BigUint) -> Option<Self> {
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by_key(|&part| columns[part]);
        let parts = order.iter().map(|&part| Kernel::new(&amounts[part], &scales[part])).collect::<Option<_>>()?;
        let columns = order.iter().map(|&part| columns[part]).collect();
        Some(Sums { parts, columns, bound: S::fit(bound)?, shift: 0 })
    }

    #[inline]
    fn near(&self, a: usize, b: usize, values: &Values) -> bool {
        let mut sum = S::zero();
        for (part, &column) in self.parts.iter().zip(&self.columns) {
            let codes = &values.columns[column];
            sum.add(&part.term(codes[a], codes[b]));
        }
        sum <= self.bound
    }

    /// The term of every code against those of one value.
    fn fill(&self, a: usize, values: &Values, memory: &mut Vec<Vec<S>>) {
        memory.resize_with(self.parts.len(), Vec::new);
        for ((part, &column), terms) in self.parts.iter().zip(&self.columns).zip(memory) {
            let code = values.columns[column][a];
            terms.clear();
            terms.extend((0..values.widths[column] as Code).map(|to| part.term(code, to)));
        }
    }
}

impl Sums<BigUint> {
    /// Long numbers are slow to add. Their leading bits decide nearly always: a sum of terms that were cut short lies
    /// below the true one by less than their number, in units of the last bit that is left.
    fn row(&self, a: usize, from: usize, values: &Values, memory: &mut Memory, found: &mut dyn FnMut(usize)) {
        self.fill(a, values, &mut memory.long);
        // At most `ROUGH_BITS` are left, as of the sum of the greatest terms.
        let cut = |whole: &BigUint| u64::try_from(whole >> self.shift).unwrap_or(u64::MAX);
        memory.narrow.resize_with(self.parts.len(), Vec::new);
        for (rough, terms) in memory.narrow.iter_mut().zip(&memory.long) {
            rough.clear();
            rough.extend(terms.iter().map(cut));
        }
        let bound = cut(&self.bound);
        let sure = bound.checked_sub(self.parts.len() as u64);
        walk(&self.columns, &memory.narrow, &bound, from, values, |b, &sum| {
            if sure.is_some_and(|sure| sum <= sure) || self.near(a, b, values) {
                found(b);
            }
        });
    }
}

/// Gives `found` every value from `from` on whose sum is within a bound, with the sum, in rising order. `terms` are those
/// of one value, by part and code. Values whose first column alone is too far away are passed over in one step.
fn walk<S: WholeNumber>(
    columns: &[usize],
    terms: &[Vec<S>],
    bound: &S,
    from: usize,
    values: &Values,
    mut found: impl FnMut(usize, &S),
) {
    let (leading, others) = terms.split_at(columns.partition_point(|&column| column == 0));
    let others: Vec<(&[S], &[Code])> = others
        .iter()
        .zip(&columns[leading.len()..])
        .map(|(terms, &column)| (terms.as_slice(), values.columns[column].as_slice()))
        .collect();
    let first_run = values.runs.partition_point(|&start| start <= from).saturating_sub(1);
    for run in values.runs[first_run..].windows(2) {
        let (start, end) = (run[0].max(from), run[1]);
        if start >= end {
            continue;
        }
        let mut common = S::zero();
        leading.iter().for_each(|terms| common.add(&terms[values.columns[0][start] as usize]));
        if common > *bound {
            continue;
        }
        for b in start..end {
            let mut sum = common.clone();
            others.iter().for_each(|(terms, codes)| sum.add(&terms[codes[b] as usize]));
            if sum <= *bound {
                found(b, &sum);
            }
        }
    }
}
