//! A distance: codes of illnesses are near if they begin with the same letter.

use scumble::{ColumnDistance, Decimal, Result};

/// 0.1 between codes of one chapter, 1 between others.
#[derive(Debug)]
pub struct IcdChapter;

impl ColumnDistance for IcdChapter {
    fn between(&self, a: &str, b: &str) -> Result<Decimal> {
        let same = a.chars().next() == b.chars().next();
        Ok(if same { Decimal::new(1, 1) } else { Decimal::from(1) })
    }
}
