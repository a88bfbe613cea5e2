//! Hierarchies by hand, shown on the data: how many rows each band or prefix stands for.

use super::{HierarchyFacts, HierarchyRequest, MOST_FILLED};
use scumble_table::{
    BandWidth, Decimal, Domain, Edge, Error, HierarchyRule, Kind, Monitor, NULL, Result, RuleLevels, Table,
};
use scumble_table::{month_span, quoted_list};
use std::sync::Arc;

/// The hierarchy that a rule makes of a column.
pub(super) fn by_hand(
    request: &HierarchyRequest,
    rule: &HierarchyRule,
    table: &Table,
    focused: usize,
    monitor: Monitor<'_>,
) -> Result<HierarchyFacts> {
    let attribute = table.attribute(focused);
    let (name, domain) = (&attribute.name, &attribute.domain);
    let histogram = table.column(focused).histogram(domain.n_codes());
    if domain.is_empty() {
        return Err(Error::request("for", name, "the column has no value at all"));
    }
    if let Some(digits) = rule.digits_beyond(domain) {
        return Err(Error::request(rule.kind(), name, rule.too_fine(digits))
            .hint(format!("say how many there can be, «digits» {digits} or more")));
    }
    let bind = |domain: Domain| rule.bind("the rule", name, domain).map_err(|error| of_request(rule, name, error));
    let bound = bind(filled(rule, domain)?)?;
    monitor.check()?;
    let tree = bound.hierarchy().ok_or_else(|| Error::bug("a rule made no tree of values"))?;
    let missing = histogram[NULL as usize];
    let mut facts = HierarchyFacts::new(attribute, rule.kind(), table.n_rows() as u64, missing, tree.as_ref().clone());
    facts.by_hand = Some(Arc::new(rule.clone()));
    facts.listed = request.list;
    facts.levels_of_tree(domain, &histogram, monitor)?;
    let alone: Vec<String> =
        (1..).zip(&facts.levels).filter(|(_, level)| level.groups < 2).map(|(nth, _)| format!("{nth}")).collect();
    if !alone.is_empty() {
        let levels = quoted_list(&alone, 8);
        facts.notes.push(format!("all values of `{name}` are together at level {levels} already"));
    }
    Ok(facts)
}

/// The error of a rule that does not suit a column, under the field that the rule came with.
fn of_request(rule: &HierarchyRule, column: &str, error: Error) -> Error {
    match error {
        Error::Data { reason, hint, .. } => {
            let error = Error::request(rule.kind(), column, reason);
            if let Some(hint) = hint { error.hint(hint) } else { error }
        }
        other => other,
    }
}

/// The domain with all whole numbers or days of the coarsest bands that it reaches into, where these are not too many: a list then tells
/// neither which values occur nor which is the least or the greatest. Open bands end with the data.
fn filled(rule: &HierarchyRule, domain: &Domain) -> Result<Domain> {
    let ends = domain.amount(1).zip(domain.amount(domain.len() as u32));
    let Some((first, last)) = ends.filter(|_| domain.scale() == 0) else { return Ok(domain.clone()) };
    let (low, high) = match rule.levels() {
        RuleLevels::Bands(widths) => match widths.last() {
            Some(BandWidth::Number(width)) if width.is_integer() => {
                let width = width.mantissa();
                let below = |amount: i128| amount.div_euclid(width).checked_mul(width);
                (below(first), below(last).and_then(|low| low.checked_add(width - 1)))
            }
            Some(BandWidth::Months(months)) => {
                let span = |day: i128| i32::try_from(day).ok().map(|day| month_span(day, *months));
                (span(first).map(|(low, _)| low.into()), span(last).map(|(_, high)| high.into()))
            }
            _ => (None, None),
        },
        RuleLevels::Cuts { range: Some((least, greatest)), .. } => (whole(*least), whole(*greatest)),
        _ => (None, None),
    };
    let (low, high) = (low.unwrap_or(first).min(first), high.unwrap_or(last).max(last));
    if high.checked_sub(low).is_none_or(|range| range >= MOST_FILLED) {
        return Ok(domain.clone());
    }
    match domain.kind() {
        Kind::Date => Ok(Domain::dates((low..=high).map(|day| day as i32).collect())),
        _ => Domain::numbers((low..=high).map(|number| Decimal::new(number, 0)).collect()),
    }
}

/// A whole number, or a day.
fn whole(edge: Edge) -> Option<i128> {
    match edge {
        Edge::Number(number) => number.at_scale(0),
        Edge::Day(day) => Some(day.into()),
    }
}
