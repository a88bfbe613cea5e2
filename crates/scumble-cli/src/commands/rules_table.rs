//! What rules did to records.

use crate::output::{aligned, grouped};
use scumble::RuleCount;

/// A table of what each rule did, for the publisher's eyes, under a heading; nothing where there are no rules.
pub(crate) fn rules_table(rules: &[RuleCount], heading: &str) -> String {
    if rules.is_empty() {
        return String::new();
    }
    let mut rows = vec![["rule", "matched", "changed", "deleted", "cells"].map(String::from).to_vec()];
    for rule in rules {
        let counts = [rule.matched, rule.changed, rule.deleted, rule.cells].map(grouped);
        rows.push(std::iter::once(rule.name.clone()).chain(counts).collect());
    }
    format!("\n{heading}:\n\n{}", aligned(&rows, &[1, 2, 3, 4]))
}
