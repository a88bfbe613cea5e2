//! One column of dictionary codes in the narrowest integers that hold them.
//!
//! Ten million rows of nine columns must fit in memory with room to spare, so a column of at most
//! 255 values costs one byte a row.

/// A value of one column: 0 is null, 1..=len index the domain's values.
pub type Code = u32;

/// The code of a missing value in every column.
pub const NULL: Code = 0;

/// The integer width of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// Codes up to 255.
    One,
    /// Codes up to 65,535.
    Two,
    /// Any code.
    Four,
}

impl Width {
    /// The narrowest width that holds every code up to `greatest`.
    pub fn for_greatest(greatest: Code) -> Width {
        match greatest {
            0..=0xff => Width::One,
            0x100..=0xffff => Width::Two,
            _ => Width::Four,
        }
    }
}

/// The codes of one column, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// One byte a row.
    U8(Vec<u8>),
    /// Two bytes a row.
    U16(Vec<u16>),
    /// Four bytes a row.
    U32(Vec<u32>),
}

/// Runs a block with the slice of whichever width a [`Codes`] has, so that hot loops are compiled
/// once per width and never branch on it.
#[macro_export]
macro_rules! with_codes {
    ($codes:expr, |$slice:ident| $body:expr) => {
        match $codes {
            $crate::Codes::U8($slice) => $body,
            $crate::Codes::U16($slice) => $body,
            $crate::Codes::U32($slice) => $body,
        }
    };
}

impl Codes {
    /// The width of its integers.
    pub fn width(&self) -> Width {
        match self {
            Codes::U8(_) => Width::One,
            Codes::U16(_) => Width::Two,
            Codes::U32(_) => Width::Four,
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        with_codes!(self, |s| s.len())
    }

    /// True when there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a row.
    ///
    /// # Panics
    /// If `row` is not below [`Codes::len`].
    #[inline]
    pub fn get(&self, row: usize) -> Code {
        with_codes!(self, |s| s[row] as Code)
    }

    /// All codes in row order.
    pub fn iter(&self) -> impl Iterator<Item = Code> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    /// How often each code below `n_codes` occurs.
    ///
    /// # Panics
    /// If a code is not below `n_codes`.
    pub fn histogram(&self, n_codes: usize) -> Vec<u64> {
        let mut counts = vec![0u64; n_codes];
        with_codes!(self, |s| for &code in s {
            counts[code as usize] += 1;
        });
        counts
    }

    /// The codes of `rows`, in that order.
    #[must_use]
    pub fn gather(&self, rows: &[u32]) -> Codes {
        match self {
            Codes::U8(s) => Codes::U8(rows.iter().map(|&r| s[r as usize]).collect()),
            Codes::U16(s) => Codes::U16(rows.iter().map(|&r| s[r as usize]).collect()),
            Codes::U32(s) => Codes::U32(rows.iter().map(|&r| s[r as usize]).collect()),
        }
    }

    /// Every code replaced by `map[code]`, in the width that `map` needs.
    ///
    /// # Panics
    /// If a code has no entry in `map`.
    #[must_use]
    pub fn mapped(&self, map: &[Code]) -> Codes {
        let mut out = CodesBuilder::new(map.iter().copied().max().unwrap_or(0), self.len());
        with_codes!(self, |s| out.extend(s.iter().map(|&code| map[code as usize])));
        out.finish()
    }
}

impl FromIterator<Code> for Codes {
    fn from_iter<I: IntoIterator<Item = Code>>(codes: I) -> Self {
        let wide: Vec<Code> = codes.into_iter().collect();
        let mut out = CodesBuilder::new(wide.iter().copied().max().unwrap_or(0), wide.len());
        out.extend(wide);
        out.finish()
    }
}

/// Builds [`Codes`] of a width fixed at the start.
#[derive(Debug)]
pub struct CodesBuilder(Codes);

impl CodesBuilder {
    /// A builder for codes up to `greatest`.
    pub fn new(greatest: Code, capacity: usize) -> Self {
        CodesBuilder(match Width::for_greatest(greatest) {
            Width::One => Codes::U8(Vec::with_capacity(capacity)),
            Width::Two => Codes::U16(Vec::with_capacity(capacity)),
            Width::Four => Codes::U32(Vec::with_capacity(capacity)),
        })
    }

    /// Appends codes; each must be at most the `greatest` given to [`CodesBuilder::new`].
    pub fn extend(&mut self, codes: impl IntoIterator<Item = Code>) {
        match &mut self.0 {
            Codes::U8(s) => s.extend(codes.into_iter().map(|c| c as u8)),
            Codes::U16(s) => s.extend(codes.into_iter().map(|c| c as u16)),
            Codes::U32(s) => s.extend(codes),
        }
    }

    /// The finished column.
    pub fn finish(self) -> Codes {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_follows_the_greatest_code() {
        assert!(matches!([1, 255].into_iter().collect::<Codes>(), Codes::U8(_)));
        assert!(matches!([1, 256].into_iter().collect::<Codes>(), Codes::U16(_)));
        assert!(matches!([1, 65_536].into_iter().collect::<Codes>(), Codes::U32(_)));
    }

    #[test]
    fn mapping_and_gathering_keep_rows() {
        let codes: Codes = [2, 0, 1, 2].into_iter().collect();
        assert_eq!(codes.histogram(3), [1, 1, 2]);
        assert_eq!(codes.gather(&[3, 1]).iter().collect::<Vec<_>>(), [2, 0]);
        assert_eq!(codes.mapped(&[0, 7, 300]).iter().collect::<Vec<_>>(), [300, 0, 7, 300]);
    }
}
