//! A rule bound to the values of a domain: a tree over them.

use super::bands::{Band, band_levels};
use super::{BandWidth, Bands, Edge, HierarchyRule, RuleLevels, TreeRule};
use crate::{Code, Decimal, Domain, Error, Hierarchy, Kind, Result, date_text, number_of, quoted_list};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a level calls the codes that begin alike.
const MARK: char = '*';

/// What follows the label of a beginning, such as `J45*`, in the leaf for those of its codes that no other leaf of a release stands for.
pub const OTHERS: &str = " (others)";

impl HierarchyRule {
    /// The domain with the tree of this rule over its values; a domain without values stays as it is. `file` names the rule in
    /// messages.
    ///
    /// # Errors
    /// If the rule does not suit the kind of the domain, or a value.
    pub fn bind(&self, file: &str, column: &str, domain: Domain) -> Result<Domain> {
        self.check_kind(file, column, &domain)?;
        if domain.is_empty() {
            return Ok(domain);
        }
        match &self.levels {
            RuleLevels::Prefix(lengths) => prefixes(file, column, lengths, domain),
            levels => bands(file, column, levels, self.at_own_scale(file, column, domain)?),
        }
    }

    /// The domain in the digits of the rule.
    fn at_own_scale(&self, file: &str, column: &str, domain: Domain) -> Result<Domain> {
        if let Some(digits) = self.digits_beyond(&domain) {
            return Err(Error::data(file, self.too_fine(digits))
                .at(None, Some(column))
                .hint(format!("write `digits = {digits}` into the file, or the most that there can ever be")));
        }
        match domain.kind() {
            Kind::Number => domain.at_scale(self.scale()).ok_or_else(|| too_long(file, column)),
            _ => Ok(domain),
        }
    }

    /// Why values with that many digits after the point are refused.
    pub fn too_fine(&self, digits: u8) -> String {
        format!(
            "its values have up to {} after the point, and the rule has bands for {}: ends as fine as the values would tell \
             this of them",
            number_of(digits.into(), "digit", "digits"),
            self.scale()
        )
    }

    /// Refuses a column whose values the rule cannot group.
    fn check_kind(&self, file: &str, column: &str, domain: &Domain) -> Result<()> {
        let kind = domain.kind();
        let of_days = match &self.levels {
            RuleLevels::Bands(widths) => matches!(widths.first(), Some(BandWidth::Months(_))),
            RuleLevels::Cuts { levels, .. } => levels.iter().flatten().next().is_some_and(|edge| edge.is_day()),
            RuleLevels::Prefix(_) if kind == Kind::Nominal => return Ok(()),
            RuleLevels::Prefix(_) => {
                return Err(Error::data(
                    file,
                    format!("a prefix is the beginning of a label, and the column is {kind}"),
                )
                .at(None, Some(column))
                .hint(format!("take its values as labels with «type» {column}=nominal")));
            }
        };
        let (what, numbers, days) = match &self.levels {
            RuleLevels::Bands(_) => ("widths", "5", "month or 5y"),
            _ => ("cuts", "18", "1950-01-01"),
        };
        let (are, fits, example) = match of_days {
            true => ("days", kind == Kind::Date, numbers),
            false => ("numbers", kind == Kind::Number, days),
        };
        if fits {
            return Ok(());
        }
        let are = if of_days && what == "widths" { "spans of the calendar" } else { are };
        let error = Error::data(file, format!("its {what} are {are}, and the column is {kind}")).at(None, Some(column));
        Err(match kind {
            Kind::Number | Kind::Date => error.hint(format!("write {what} such as {example}")),
            _ => error.hint(format!(
                "say what its values are with «type» {column}=number or {column}=date, or use a prefix, or a list `value;level1;...;*`"
            )),
        })
    }
}

fn bands(file: &str, column: &str, levels: &RuleLevels, domain: Domain) -> Result<Domain> {
    let too_long = || too_long(file, column);
    let scale = domain.scale();
    if let RuleLevels::Cuts { range: Some((least, greatest)), .. } = levels {
        check_range(file, column, *least, *greatest, &domain)?;
    }
    let rungs = band_levels(levels, scale).ok_or_else(too_long)?;
    let mut known: BTreeMap<String, Band> = BTreeMap::new();
    let mut rows = Vec::with_capacity(domain.len());
    for code in domain.codes() {
        let amount = domain.amount(code).ok_or_else(|| Error::bug("a number or a date has no amount"))?;
        let mut row = vec![domain.text(code).into_owned()];
        for rung in &rungs {
            let band = rung.band(amount).ok_or_else(too_long)?;
            let label = label(band, domain.kind(), scale);
            row.push(label.clone());
            known.insert(label, band);
        }
        row.push("*".into());
        rows.push(row);
    }
    let tree = Hierarchy::from_rows(file, &rows, &[])?;
    let nodes = tree.nodes().iter().map(|node| match node.level {
        0 => domain
            .code_of(&node.label)
            .and_then(|code| domain.amount(code))
            .map(|at| Band { low: Some(at), high: Some(at) }),
        _ => known.get(&*node.label).copied(),
    });
    let firsts = match levels {
        RuleLevels::Cuts { levels, range: None } => {
            band_levels(&RuleLevels::Cuts { levels: levels.iter().take(1).cloned().collect(), range: None }, scale)
        }
        _ => None,
    };
    let cuts = firsts.as_deref().and_then(|levels| match levels {
        [super::bands::BandLevel::Cuts { firsts, .. }] => Some((*firsts.first()?, *firsts.last()?)),
        _ => None,
    });
    let bands = Bands { nodes: nodes.collect(), kind: domain.kind(), cuts };
    let domain = domain.with_hierarchy(file, column, Arc::new(tree))?;
    Ok(domain.with_tree_rule(TreeRule::Bands(Arc::new(bands))))
}

fn too_long(file: &str, column: &str) -> Error {
    Error::data(file, "the rule and the values have more than 38 digits together, too many for exact arithmetic")
        .at(None, Some(column))
}

fn check_range(file: &str, column: &str, least: Edge, greatest: Edge, domain: &Domain) -> Result<()> {
    let edge = |code: Code| match domain.kind() {
        Kind::Date => domain.amount(code).and_then(|day| i32::try_from(day).ok()).map(Edge::Day),
        _ => domain.amount(code).map(|amount| Edge::Number(Decimal::new(amount, domain.scale()))),
    };
    let outside: Vec<_> = domain
        .codes()
        .filter(|&code| edge(code).is_some_and(|value| value < least || greatest < value))
        .map(|code| domain.text(code))
        .collect();
    if outside.is_empty() {
        return Ok(());
    }
    let reason = format!(
        "{} of the column's values lie outside {least} to {greatest}: {}",
        outside.len(),
        quoted_list(&outside, 8)
    );
    Err(Error::data(file, reason)
        .at(None, Some(column))
        .hint("mend the data, widen `range`, or leave it out so that the outer bands are open"))
}

/// What a band is called in lists for other tools. A release shows it as an interval.
fn label(band: Band, kind: Kind, scale: u8) -> String {
    let text = |amount: i128| match (kind, i32::try_from(amount)) {
        (Kind::Date, Ok(day)) => date_text(day),
        _ => Decimal::new(amount, scale).to_string(),
    };
    match (band.low, band.high) {
        (Some(low), Some(high)) if low == high => text(low),
        (Some(low), Some(high)) => format!("{} to {}", text(low), text(high)),
        (None, Some(high)) => format!("<{}", text(high + 1)),
        (Some(low), None) => format!("{}+", text(low)),
        (None, None) => "*".into(),
    }
}

/// Whether a code reads like the label of those that begin alike, or like that of the others among them.
fn is_marked(text: &str) -> bool {
    text.strip_suffix(OTHERS).unwrap_or(text).ends_with(MARK)
}

fn prefixes(file: &str, column: &str, lengths: &[usize], domain: Domain) -> Result<Domain> {
    // `J45*` is the label of all codes that begin with `J45`, so no code may read like it. A release adds
    // `J45* (others)` where it shows some of them apart.
    let marked: Vec<_> = domain.codes().map(|code| domain.text(code)).filter(|text| is_marked(text)).collect();
    if !marked.is_empty() {
        let reason = format!(
            "{} of its values end with `{MARK}` or `{MARK}{OTHERS}`, which stand for the rest of a code: {}",
            marked.len(),
            quoted_list(&marked, 8)
        );
        return Err(Error::data(file, reason)
            .at(None, Some(column))
            .hint("take the mark off these codes, or give a list of values `value;level1;...;*`"));
    }
    let row = |code: Code| {
        let text = domain.text(code);
        let prefix = |&length: &usize| match text.char_indices().nth(length) {
            Some((end, _)) => format!("{}{MARK}", &text[..end]),
            // A code of just this length joins those that go on; a shorter one stays as it is.
            None if text.chars().count() == length => format!("{text}{MARK}"),
            None => text.to_string(),
        };
        let mut row = vec![text.to_string()];
        row.extend(lengths.iter().map(prefix));
        row.push("*".into());
        row
    };
    let rows: Vec<Vec<String>> = domain.codes().map(row).collect();
    let tree = Hierarchy::from_rows(file, &rows, &[])?;
    let domain = domain.with_hierarchy(file, column, Arc::new(tree))?;
    Ok(domain.with_tree_rule(TreeRule::Prefix))
}
