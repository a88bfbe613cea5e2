//! A conditional hierarchy bound to the columns of a table.

use super::{ConditionalHierarchy, ContextCondition, Cuts, HierarchyContext, Is};
use crate::{Code, Decimal, Domain, Error, Kind, NULL, Result, Schema, parse_date, quoted_list};

/// A conditional hierarchy in the codes of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundConditional {
    column: usize,
    given: Vec<usize>,
    n_context_levels: usize,
    /// By context: for each given column the codes that it allows; `None` if it has no condition on it.
    allowed: Vec<Vec<Option<Vec<bool>>>>,
    /// By ladder (0 for people in no context, then the contexts), then level: last code of every interval.
    ladders: Vec<Vec<Vec<Code>>>,
}

impl ConditionalHierarchy {
    /// Binds the hierarchy to a schema; `file` names it in messages.
    ///
    /// # Errors
    /// If a column is not there or has no order, a value does not read as the column's type, levels are not nested,
    /// or a person could be in two contexts.
    pub fn bind(&self, file: &str, schema: &Schema) -> Result<BoundConditional> {
        let wrong = |reason: String| Error::data(file, reason);
        let column = schema.position("hierarchy", &self.column)?;
        let domain = &schema.attributes()[column].domain;
        if !domain.kind().is_ordered() {
            return Err(wrong(format!("`{}` is nominal, and intervals need an order", self.column))
                .hint("a nominal column takes a hierarchy file of the form `value;level1;...;*`"));
        }
        let names = self.given();
        if names.contains(&self.column.as_str()) {
            return Err(wrong(format!("a context of `{}` asks about that column itself", self.column)));
        }
        let given = names.iter().map(|name| schema.position("hierarchy", name)).collect::<Result<Vec<usize>>>()?;
        let uneven = self.contexts.iter().find(|context| context.levels.len() != self.n_context_levels());
        if let Some(context) = uneven {
            let (here, first) = (context.levels.len(), self.n_context_levels());
            return Err(wrong(format!("{} has {here} levels and the first context {first}", describe(context)))
                .hint("give every context the same number of levels; repeat a level to fill a gap"));
        }
        if self.n_levels() == 0 {
            return Err(wrong(format!("the hierarchy of `{}` has no level", self.column)));
        }
        if self.n_context_levels() > 0 && self.common.is_empty() {
            return Err(wrong("the contexts have no common level".into())
                .hint("`common = [[]]` joins all contexts in a single interval"));
        }
        let mut allowed: Vec<Vec<Option<Vec<bool>>>> = Vec::with_capacity(self.contexts.len());
        for context in &self.contexts {
            let mut asks = vec![None; given.len()];
            for condition in &context.when {
                let at = names.iter().position(|name| *name == condition.column).unwrap_or(0);
                if asks[at].is_some() {
                    return Err(wrong(format!("{} asks about `{}` twice", describe(context), condition.column)));
                }
                asks[at] = Some(matching_codes(condition, &schema.attributes()[given[at]].domain).map_err(wrong)?);
            }
            allowed.push(asks);
        }
        for (at, one) in allowed.iter().enumerate() {
            if let Some(other) = allowed[..at].iter().position(|other| meet(one, other)) {
                let (one, other) = (describe(&self.contexts[at]), describe(&self.contexts[other]));
                return Err(wrong(format!("somebody could be in two contexts: {one}, and {other}"))
                    .hint("contexts must not overlap"));
            }
        }
        let ladders = std::iter::once(None)
            .chain((0..self.contexts.len()).map(Some))
            .map(|context| {
                let name = || context.map_or("the common part".into(), |at| describe(&self.contexts[at]));
                level_ends(&self.ladder(context), domain).map_err(|reason| wrong(format!("{}: {reason}", name())))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(BoundConditional { column, given, n_context_levels: self.n_context_levels(), allowed, ladders })
    }
}

/// A context in words.
fn describe(context: &HierarchyContext) -> String {
    let words = context.when.iter().map(|condition| {
        let name = &condition.column;
        match &condition.is {
            Is::OneOf(values) if values.len() == 1 && values[0].is_empty() => format!("{name} is missing"),
            Is::OneOf(values) => format!("{name} is {}", quoted_list(values, 4)),
            Is::Between(Some(from), Some(to)) => format!("{name} is from {from} to {to}"),
            Is::Between(Some(from), None) => format!("{name} is from {from} on"),
            Is::Between(None, Some(to)) => format!("{name} is up to {to}"),
            Is::Between(None, None) => format!("{name} is there"),
        }
    });
    format!("the context where {}", words.collect::<Vec<_>>().join(" and "))
}

/// Which codes meet a condition. A condition on a value that does not occur is no mistake: a hierarchy may serve several
/// tables.
fn matching_codes(condition: &ContextCondition, domain: &Domain) -> Result<Vec<bool>, String> {
    let mut codes = vec![false; domain.n_codes()];
    match &condition.is {
        Is::OneOf(values) => {
            for value in values {
                if matches!(domain.kind(), Kind::Number | Kind::Date) && !value.is_empty() {
                    amount(value, domain).ok_or_else(|| misread(value, domain, &condition.column))?;
                }
                if let Some(code) = domain.code_of(value) {
                    codes[code as usize] = true;
                }
            }
        }
        Is::Between(from, to) => {
            if !domain.kind().is_ordered() {
                return Err(format!("`{}` is nominal, so nothing lies between two of its values", condition.column));
            }
            let end = |text: &Option<Box<str>>| match text {
                None => Ok(None),
                Some(text) => amount(text, domain).map(Some).ok_or_else(|| misread(text, domain, &condition.column)),
            };
            let (from, to) = (end(from)?, end(to)?);
            if let (Some(from), Some(to)) = (from, to)
                && from > to
            {
                return Err(format!("a condition on `{}` runs backwards", condition.column));
            }
            for code in domain.codes() {
                let Some(value) = amount_at(code, domain) else { continue };
                codes[code as usize] = from.is_none_or(|from| from <= value) && to.is_none_or(|to| value <= to);
            }
        }
    }
    Ok(codes)
}

fn misread(text: &str, domain: &Domain, column: &str) -> String {
    match domain.kind() {
        Kind::Ordinal => format!("`{text}` is no label of `{column}`"),
        kind => format!("`{text}` is no {kind}, as the values of `{column}` are"),
    }
}

/// A value as a number that compares as values of the domain do: the number, the day, the place of the label.
fn amount(text: &str, domain: &Domain) -> Option<Decimal> {
    match domain.kind() {
        Kind::Number => Decimal::parse(text),
        Kind::Date => parse_date(text).map(|day| Decimal::from(i64::from(day))),
        Kind::Ordinal => domain.code_of(text).filter(|&code| code != NULL).map(|c| Decimal::from(i64::from(c))),
        Kind::Nominal => None,
    }
}

fn amount_at(code: Code, domain: &Domain) -> Option<Decimal> {
    match domain.kind() {
        Kind::Number | Kind::Date => domain.amount(code).map(|amount| Decimal::new(amount, domain.scale())),
        Kind::Ordinal => Some(Decimal::from(i64::from(code))),
        Kind::Nominal => None,
    }
}

/// True if one row could meet both.
fn meet(one: &[Option<Vec<bool>>], other: &[Option<Vec<bool>>]) -> bool {
    one.iter().zip(other).all(|pair| match pair {
        (Some(one), Some(other)) => one.iter().zip(other).any(|(a, b)| *a && *b),
        _ => true,
    })
}

/// Levels as the last code of every interval, checked for order and nesting as values, not as codes: a hierarchy must
/// be sound whatever the table.
fn level_ends(levels: &[&Cuts], domain: &Domain) -> Result<Vec<Vec<Code>>, String> {
    let values: Vec<Decimal> = domain.codes().filter_map(|code| amount_at(code, domain)).collect();
    let mut finer: Option<Vec<Decimal>> = None;
    let mut rungs = Vec::with_capacity(levels.len());
    for cuts in levels {
        let mut ends = Vec::with_capacity(cuts.len());
        for text in *cuts {
            ends.push(amount(text, domain).ok_or_else(|| match domain.kind() {
                Kind::Ordinal => format!("`{text}` is no label of the column"),
                kind => format!("`{text}` is no {kind}"),
            })?);
        }
        if let Some(at) = ends.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(format!("`{}` stands before `{}`, and the ends of a level must rise", cuts[at], cuts[at + 1]));
        }
        if let Some(finer) = &finer
            && let Some(at) = ends.iter().position(|end| finer.binary_search(end).is_err())
        {
            let end = &cuts[at];
            return Err(format!("a level is cut after `{end}` and the finer one is not, so they are not nested"));
        }
        let mut last: Vec<Code> = ends.iter().map(|end| values.partition_point(|value| value <= end) as Code).collect();
        last.push(domain.len() as Code);
        rungs.push(last);
        finer = Some(ends);
    }
    Ok(rungs)
}

impl BoundConditional {
    /// Position of the column that is cut.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Positions of the columns that contexts ask about.
    pub fn given(&self) -> &[usize] {
        &self.given
    }

    /// Levels that depend on the context.
    pub fn n_context_levels(&self) -> usize {
        self.n_context_levels
    }

    /// Levels of intervals, between the value and `*`.
    pub fn n_levels(&self) -> usize {
        self.ladders[0].len()
    }

    /// Number of contexts.
    pub fn n_contexts(&self) -> usize {
        self.allowed.len()
    }

    /// The context of a row, by the codes of its given columns in the order of [`Self::given`]: 0 for none, else one
    /// more than its position.
    pub fn context(&self, given: &[Code]) -> usize {
        let meets = |asks: &Vec<Option<Vec<bool>>>| {
            asks.iter().zip(given).all(|(codes, &code)| codes.as_ref().is_none_or(|codes| codes[code as usize]))
        };
        self.allowed.iter().position(meets).map_or(0, |at| at + 1)
    }

    /// The codes of a given column that a context (from 1) allows; `None` if it has no condition on it.
    pub fn allowed(&self, context: usize, given: usize) -> Option<&[bool]> {
        self.allowed[context - 1][given].as_deref()
    }

    /// True if no context distinguishes two values of a given column.
    pub fn in_same_contexts(&self, given: usize, one: Code, other: Code) -> bool {
        self.allowed
            .iter()
            .all(|asks| asks[given].as_ref().is_none_or(|codes| codes[one as usize] == codes[other as usize]))
    }

    /// The interval of a value, from 0, at a level of intervals (from 0, fine to coarse) in a context (0 for none).
    pub fn interval(&self, context: usize, level: usize, code: Code) -> usize {
        self.ladders[context][level].partition_point(|&last| last < code)
    }

    /// Number of intervals of a level in a context.
    pub fn n_intervals(&self, context: usize, level: usize) -> usize {
        self.ladders[context][level].len()
    }
}
