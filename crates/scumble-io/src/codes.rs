//! Codes whose width grows with the dictionary behind them.
//!
//! While a file is being read it is not known how many distinct texts a column will have; a column
//! starts with one byte a row and is widened at most twice.

use scumble_table::{Code, Codes, Width, with_codes};

/// Codes of one column, in the narrowest integers that have been enough so far.
#[derive(Debug)]
pub(crate) struct GrowingCodes(Codes);

impl Default for GrowingCodes {
    fn default() -> Self {
        GrowingCodes(Codes::U8(Vec::new()))
    }
}

impl GrowingCodes {
    /// Appends codes, none of which is above `greatest`.
    pub(crate) fn append(&mut self, codes: &[Code], greatest: Code) {
        self.widen(greatest);
        match &mut self.0 {
            Codes::U8(out) => out.extend(codes.iter().map(|&c| c as u8)),
            Codes::U16(out) => out.extend(codes.iter().map(|&c| c as u16)),
            Codes::U32(out) => out.extend_from_slice(codes),
        }
    }

    /// Appends `map[code]` for each code; no entry of `map` is above `greatest`.
    pub(crate) fn append_mapped(&mut self, codes: &Codes, map: &[Code], greatest: Code) {
        self.widen(greatest);
        match &mut self.0 {
            Codes::U8(out) => with_codes!(codes, |s| out.extend(s.iter().map(|&c| map[c as usize] as u8))),
            Codes::U16(out) => with_codes!(codes, |s| out.extend(s.iter().map(|&c| map[c as usize] as u16))),
            Codes::U32(out) => with_codes!(codes, |s| out.extend(s.iter().map(|&c| map[c as usize]))),
        }
    }

    fn widen(&mut self, greatest: Code) {
        let wide = match (&self.0, Width::for_greatest(greatest)) {
            (Codes::U8(s), Width::Two) => Codes::U16(widened(s)),
            (Codes::U8(s), Width::Four) => Codes::U32(widened(s)),
            (Codes::U16(s), Width::Four) => Codes::U32(widened(s)),
            _ => return,
        };
        self.0 = wide;
    }

    /// Makes room for `n_rows` rows in all. Room that is never used is never touched, and growing
    /// step by step would leave holes of the former sizes behind.
    pub(crate) fn reserve(&mut self, n_rows: usize) {
        let more = n_rows.saturating_sub(self.0.len());
        with_codes!(&mut self.0, |s| s.reserve_exact(more));
    }

    /// Forgets the codes but keeps the room and the width, for the next block of the same column.
    pub(crate) fn clear(&mut self) {
        with_codes!(&mut self.0, |s| s.clear());
    }

    pub(crate) fn codes(&self) -> &Codes {
        &self.0
    }

    pub(crate) fn finish(self) -> Codes {
        self.0
    }
}

fn widened<N: Copy, W: From<N>>(narrow: &Vec<N>) -> Vec<W> {
    let mut wide = Vec::with_capacity(narrow.capacity());
    wide.extend(narrow.iter().map(|&code| W::from(code)));
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_grow_and_values_stay() {
        let mut codes = GrowingCodes::default();
        codes.append(&[0, 255], 255);
        assert!(matches!(codes.codes(), Codes::U8(_)));
        codes.append(&[256], 256);
        assert!(matches!(codes.codes(), Codes::U16(_)));
        codes.append_mapped(&Codes::U8(vec![1, 0, 1]), &[0, 70_000], 70_000);
        assert_eq!(codes.codes().iter().collect::<Vec<_>>(), [0, 255, 256, 70_000, 0, 70_000]);
        assert!(matches!(codes.finish(), Codes::U32(_)));
    }
}
