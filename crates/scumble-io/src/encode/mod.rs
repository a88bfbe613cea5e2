//! From distinct texts to typed domains.
//!
//! Everything that depends on a type happens here, once per distinct text: the texts are read as
//! what they denote, put into domain order, and the codes of the rows are renumbered. A column is
//! taken out of the raw table as it is encoded, so at no time do two copies of the table exist.

mod detect;
mod label;
#[cfg(test)]
mod tests;
mod value;

use crate::{Dictionary, Order, RawColumn, RawTable};
pub use detect::{detect, looks_numeric, strays};
use rayon::prelude::*;
use scumble_table::{
    Attribute, Code, Codes, Domain, Error, Hierarchy, Kind, Monitor, NULL, Result, Role, Schema, Table, Width,
    with_codes,
};
use std::sync::Arc;

/// What a column of the raw table is to become.
#[derive(Debug, Clone)]
pub struct ColumnPlan {
    /// Name in the raw table.
    pub name: String,
    /// What it is to the release.
    pub role: Role,
    /// Its type; detected from its texts if not given.
    pub kind: Option<Kind>,
    /// The order of its labels, which makes it ordinal.
    pub order: Option<Order>,
    /// The hierarchy over its values, and the file it came from.
    pub hierarchy: Option<(String, Arc<Hierarchy>)>,
    /// Keeps its values out of messages, as those of sensitive columns always are.
    pub secret: bool,
}

impl ColumnPlan {
    /// A column whose type follows from its texts.
    pub fn new(name: impl Into<String>, role: Role) -> Self {
        ColumnPlan { name: name.into(), role, kind: None, order: None, hierarchy: None, secret: false }
    }
}

/// Encodes the planned columns, in the order of the plans; columns without a plan are dropped.
///
/// # Errors
/// If a column is missing or does not have the type, the order or the hierarchy of its plan, and [`Error::Cancelled`].
pub fn encode(raw: RawTable, plans: &[ColumnPlan], monitor: Monitor<'_>) -> Result<Table> {
    let RawTable { names, mut columns, n_rows, source } = raw;
    let mut work = Vec::with_capacity(plans.len());
    for plan in plans {
        let at = crate::raw::position(&names, "column", &plan.name)?;
        match std::mem::replace(&mut columns[at], RawColumn::Skipped) {
            RawColumn::Text { dictionary, codes } => work.push((plan, dictionary, codes)),
            _ => return Err(Error::bug(format!("column `{}` was not read as text or is planned twice", plan.name))),
        }
    }
    drop(columns);
    let encoded: Vec<Result<(Attribute, Codes)>> = work
        .into_par_iter()
        .with_max_len(1)
        .map(|(plan, dictionary, codes)| {
            monitor.check()?;
            let secret = plan.role == Role::Sensitive || plan.secret;
            let column = Column { source: &source, plan, dictionary: &dictionary, secret, monitor };
            let (domain, map) = column.domain()?;
            let domain = domain.with_stored(dictionary.stored().clone());
            drop(dictionary);
            monitor.check()?;
            Ok((Attribute { name: plan.name.clone(), role: plan.role, domain }, renumbered(codes, &map)))
        })
        .collect();
    let (attributes, codes) = encoded.into_iter().collect::<Result<(Vec<_>, Vec<_>)>>()?;
    Table::new(Schema::new(attributes)?, codes, n_rows)
}

/// A column on its way from texts to values.
struct Column<'a> {
    source: &'a str,
    plan: &'a ColumnPlan,
    dictionary: &'a Dictionary,
    secret: bool,
    monitor: Monitor<'a>,
}

impl Column<'_> {
    /// The values in domain order, and for each code of the dictionary its code in the domain.
    fn domain(&self) -> Result<(Domain, Vec<Code>)> {
        let kind = self.kind()?;
        self.monitor.check()?;
        let (domain, map) = match kind {
            Kind::Number => self.numbers()?,
            Kind::Date => self.dates()?,
            Kind::Ordinal => self.ordinal()?,
            Kind::Nominal => self.nominal()?,
        };
        let Some((file, tree)) = &self.plan.hierarchy else {
            return Ok((domain, map));
        };
        let n_values = domain.len();
        let domain = domain.with_hierarchy(file, &self.plan.name, tree.clone()).map_err(|error| match self.secret {
            false => error,
            true => Error::data(file, format!("the hierarchy lacks some of the column's {n_values} values"))
                .at(None, Some(&self.plan.name))
                .hint("add a line for each of them"),
        })?;
        Ok((domain, map))
    }

    fn kind(&self) -> Result<Kind> {
        match (self.plan.kind, &self.plan.order) {
            (Some(kind), Some(order)) if kind != Kind::Ordinal => Err(Error::request(
                "order",
                format!("{}={}", self.plan.name, order.file),
                format!("a {kind} column takes no order"),
            )
            .hint(format!("leave it out, or use «type» {}=ordinal", self.plan.name))),
            (Some(kind), _) => Ok(kind),
            (None, Some(_)) => Ok(Kind::Ordinal),
            (None, None) => {
                let kind = detect(self.dictionary);
                if kind == Kind::Nominal {
                    self.check_strays()?;
                }
                Ok(kind)
            }
        }
    }

    /// A column of numbers with a few texts that are none is hardly meant to be a set of labels; what
    /// is meant, only the publisher knows.
    fn check_strays(&self) -> Result<()> {
        let strays = strays(self.dictionary);
        let Some(&first) = strays.first() else { return Ok(()) };
        let numbers = self.dictionary.len() - strays.len();
        let name = &self.plan.name;
        let reason = format!("this is no number, but {numbers} of the column's {} values are", self.dictionary.len());
        Err(self.fault(first, reason).hint(format!(
            "mend it, let it mean a missing value with «null» TEXT, or take all values as labels with «type» {name}=nominal"
        )))
    }

    /// A fault of the text behind a code, with the line where it first stood.
    fn fault(&self, code: Code, reason: impl Into<String>) -> Error {
        let error = Error::data(self.source, reason).at(self.dictionary.line(code), Some(&self.plan.name));
        if self.secret { error } else { error.shows(self.dictionary.text(code)) }
    }

    /// Every text read as what it denotes; `fault` makes the error about a text that denotes nothing.
    fn parsed<T>(&self, parse: impl Fn(&str) -> Option<T>, fault: impl Fn(Code) -> Error) -> Result<Vec<T>> {
        /// Texts read between two looks at the monitor, some milliseconds.
        const STEP: Code = 1 << 16;
        let value = |code: Code| {
            if code.is_multiple_of(STEP) {
                self.monitor.check()?;
            }
            parse(self.dictionary.text(code)).ok_or_else(|| fault(code))
        };
        self.codes().map(value).collect()
    }

    fn codes(&self) -> std::ops::RangeInclusive<Code> {
        1..=self.dictionary.len() as Code
    }
}

/// Every code replaced by `map[code]`: in place where the width stays, which it nearly always does.
fn renumbered(mut codes: Codes, map: &[Code]) -> Codes {
    /// Rows per task; a task should take some hundred microseconds.
    const ROWS: usize = 1 << 17;
    if codes.width() != Width::for_greatest(map.iter().copied().max().unwrap_or(NULL)) {
        return codes.mapped(map);
    }
    with_codes!(&mut codes, |s| s.par_chunks_mut(ROWS).for_each(|part| {
        part.iter_mut().for_each(|code| *code = map[*code as usize] as _);
    }));
    codes
}
