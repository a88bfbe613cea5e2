//! How much detail was given up.

use super::ReleaseFacts;
use crate::chart::{Axis, Bar, bars};
use crate::method::Method;
use crate::page::Page;
use crate::text::Text;
use scumble_table::figures::measure;

pub(super) fn write(page: &mut Page, facts: &ReleaseFacts, method: Method) {
    let ncp = columns(facts, |column| column.generalized.map(|ncp| ncp * 100.0));
    let loss = columns(facts, |column| column.loss);
    if method.exact() {
        page.section("How much detail was lost").paragraph(
            "The quasi-identifiers are exact and have lost nothing. What was given up is the tie between a person and the \
             sensitive value, which is known up to the group.",
        );
        return;
    }
    if ncp.is_empty() && loss.is_empty() && facts.loss.is_none() && facts.ncp.is_none() {
        return;
    }
    // One rule for the table and for its columns, so that these add up.
    let suppressed =
        if facts.suppressed > 0 { " A suppressed row counts 1 in every column, there and here." } else { "" };
    page.section("How much detail was lost").paragraph(format!(
        "The loss of a cell is the share of all values of its column that it covers. NCP measures the same from 0, for an \
         exact value, to 1, for a cell that could be anything. The figures of the whole table are means over its rows of \
         the sum over the quasi-identifiers.{suppressed}"
    ));
    page.definitions(
        [("Loss of the table", facts.loss), ("NCP of the table", facts.ncp)]
            .into_iter()
            .filter_map(|(name, value)| Some((Text::from(name), Text::from(measure(value?))))),
    );
    if !ncp.is_empty() {
        page.chart(&bars(
            "Detail lost in each quasi-identifier",
            &Axis::new("Mean NCP: 0% is exact, 100% is hidden").unit("%"),
            &ncp,
        ));
    } else if !loss.is_empty() {
        page.chart(&bars(
            "Loss of each quasi-identifier",
            &Axis::new("Mean share of the domain that a cell covers"),
            &loss,
        ));
    }
}

fn columns(facts: &ReleaseFacts, figure: impl Fn(&super::ColumnFacts) -> Option<f64>) -> Vec<Bar> {
    facts
        .columns
        .iter()
        .filter(|column| column.role == "quasi")
        .filter_map(|column| Some(Bar { label: column.name.clone(), value: figure(column)? }))
        .collect()
}
