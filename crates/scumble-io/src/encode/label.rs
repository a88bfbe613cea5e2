//! Ordinal and nominal columns: texts that are labels.

use super::Column;
use rayon::prelude::*;
use scumble_table::{Code, Decimal, Domain, Error, NULL, Result, quoted_list};
use std::collections::BTreeMap;

impl Column<'_> {
    /// Labels in the order of their text.
    pub(super) fn nominal(&self) -> Result<(Domain, Vec<Code>)> {
        let sorted = self.by_text();
        self.monitor.check()?;
        Ok((Domain::nominal(self.labels(&sorted)), ranks_by_code(&sorted)))
    }

    /// Texts are compared by the eight bytes after what all of them begin with, and in full only where
    /// those are equal: the texts themselves lie far apart.
    fn by_text(&self) -> Vec<Code> {
        let first = self.dictionary.text(self.dictionary.len().min(1) as Code).as_bytes();
        let shared = self.dictionary.iter().fold(first.len(), |shared, text| {
            first[..shared].iter().zip(text.bytes()).take_while(|(a, b)| **a == *b).count()
        });
        let prefix = |text: &str| {
            let mut word = [0; 8];
            let rest = &text.as_bytes()[shared..];
            let len = rest.len().min(8);
            word[..len].copy_from_slice(&rest[..len]);
            u64::from_be_bytes(word)
        };
        let mut sorted: Vec<(u64, Code)> = self.dictionary.iter().map(prefix).zip(1..).collect();
        let text = |code: Code| self.dictionary.text(code);
        sorted.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| text(a.1).cmp(text(b.1))));
        sorted.into_iter().map(|(_, code)| code).collect()
    }

    /// Labels in the given order; without one, numbers in the order of their value.
    pub(super) fn ordinal(&self) -> Result<(Domain, Vec<Code>)> {
        let sorted = if self.plan.order.is_some() { self.by_list()? } else { self.by_value()? };
        Ok((Domain::ordinal(self.labels(&sorted)), ranks_by_code(&sorted)))
    }

    /// Numbers of equal value, such as `1` and `01`, stay two labels, in the order of their text.
    fn by_value(&self) -> Result<Vec<Code>> {
        let values: Option<Vec<Decimal>> = self.dictionary.iter().map(Decimal::parse).collect();
        let Some(values) = values else {
            let name = &self.plan.name;
            return Err(Error::data(self.source, "the labels have no order of their own")
                .at(None, Some(name))
                .hint(format!("give one with «order» {name}=FILE, one label per line from least to greatest")));
        };
        let mut sorted: Vec<Code> = self.codes().collect();
        sorted.par_sort_unstable_by_key(|&code| (values[code as usize - 1], self.dictionary.text(code)));
        Ok(sorted)
    }

    /// Labels of the list that do not occur are left out, as in every other domain.
    fn by_list(&self) -> Result<Vec<Code>> {
        let Some(order) = &self.plan.order else { return Ok(Vec::new()) };
        let mut place: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, label) in order.labels.iter().enumerate() {
            if place.insert(label, at).is_some() {
                let error = Error::data(&order.file, "a label is listed twice").at(None, Some(&self.plan.name));
                return Err(if self.secret { error } else { error.shows(label) });
            }
        }
        let mut placed: Vec<(usize, Code)> = Vec::with_capacity(self.dictionary.len());
        let mut missing: Vec<Code> = Vec::new();
        for code in self.codes() {
            match place.get(self.dictionary.text(code)) {
                Some(&at) => placed.push((at, code)),
                None => missing.push(code),
            }
        }
        if let Some(&first) = missing.first() {
            let n_labels = format!(
                "the order in {} lacks {} of the column's {} labels",
                order.file,
                missing.len(),
                self.dictionary.len()
            );
            let texts: Vec<&str> = missing.iter().map(|&code| self.dictionary.text(code)).collect();
            let reason = if self.secret { n_labels } else { format!("{n_labels}: {}", quoted_list(&texts, 8)) };
            return Err(Error::data(self.source, reason)
                .at(self.dictionary.line(first), Some(&self.plan.name))
                .hint("add a line for each of them"));
        }
        placed.sort_unstable();
        Ok(placed.into_iter().map(|(_, code)| code).collect())
    }

    fn labels(&self, sorted: &[Code]) -> Vec<Box<str>> {
        sorted.iter().map(|&code| self.dictionary.text(code).into()).collect()
    }
}

/// For each code its position among the sorted ones, from 1.
fn ranks_by_code(sorted: &[Code]) -> Vec<Code> {
    let mut map = vec![NULL; sorted.len() + 1];
    for (&code, rank) in sorted.iter().zip(1..) {
        map[code as usize] = rank;
    }
    map
}
