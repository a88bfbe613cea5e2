//! The values behind the codes of a column.

use crate::look_alike::LookAlikes;
use crate::rule::TreeRule;
use crate::{
    Bands, Code, Decimal, Error, Hierarchy, Missing, NULL, Result, Stored, date_text, did_you_mean, parse_date,
    quoted_list,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

/// How the values of a column compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Exact decimals.
    Number,
    /// Calendar days.
    Date,
    /// Labels with an order.
    Ordinal,
    /// Labels without an order.
    Nominal,
}

impl Kind {
    /// All kinds, in the order they are offered to users.
    pub const ALL: [Kind; 4] = [Kind::Number, Kind::Date, Kind::Ordinal, Kind::Nominal];

    /// The word for it in flags, job files and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Date => "date",
            Kind::Ordinal => "ordinal",
            Kind::Nominal => "nominal",
        }
    }

    /// True where a closed interval of values makes sense.
    pub fn is_ordered(self) -> bool {
        self != Kind::Nominal
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Kind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            let hint = did_you_mean(text, &Kind::ALL.map(Kind::name), "one of");
            Error::request("type", text, "there is no such type").hint(hint)
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Values {
    /// Mantissas at one scale, ascending.
    Numbers { scale: u8, mantissas: Vec<i128> },
    /// Days since 1970-01-01, ascending.
    Days(Vec<i32>),
    /// Labels in domain order.
    Labels(Vec<Box<str>>),
}

/// The values of a column in domain order: ascending for numbers and dates, the given order for
/// ordinals, the order of the text for nominals. Code 0 is null, code `i` is the `i`-th value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    kind: Kind,
    values: Values,
    hierarchy: Option<Arc<Hierarchy>>,
    /// Leaf position of each value, when there is a hierarchy.
    leaves: Vec<u32>,
    /// The rule that made the hierarchy, where one did.
    tree_rule: Option<TreeRule>,
    look_alikes: LookAlikesCell,
    missing: Missing,
    stored: StoredCell,
}

/// What the source stored the values as. It says nothing about the values, so it does not make domains differ.
#[derive(Debug, Clone, Default)]
struct StoredCell(Stored);

impl PartialEq for StoredCell {
    fn eq(&self, _other: &StoredCell) -> bool {
        true
    }
}

impl Eq for StoredCell {}

/// The labels that look alike, found on the first request. It follows from the labels, so it does not make domains differ.
#[derive(Debug, Clone, Default)]
struct LookAlikesCell(OnceLock<Option<Arc<LookAlikes>>>);

impl PartialEq for LookAlikesCell {
    fn eq(&self, _other: &LookAlikesCell) -> bool {
        true
    }
}

impl Eq for LookAlikesCell {}

impl Domain {
    /// A domain of numbers; `values` in any order, equal ones merged. Fails when they cannot share
    /// one 128-bit scale.
    pub fn numbers(mut values: Vec<Decimal>) -> Result<Self> {
        values.sort_unstable();
        values.dedup();
        let scale = values.iter().map(|v| v.scale()).max().unwrap_or(0);
        let mantissas: Option<Vec<i128>> = values.iter().map(|v| v.at_scale(scale)).collect();
        let mantissas = mantissas.ok_or_else(|| {
            Error::request(
                "type",
                "number",
                "the column mixes numbers too large and too fine for exact arithmetic (more than 38 digits together)",
            )
        })?;
        Ok(Domain::from_values(Kind::Number, Values::Numbers { scale, mantissas }))
    }

    /// The same numbers as multiples of `10^-scale`; `None` for a scale that is too coarse for them, or too fine for 128 bits. Other kinds
    /// stay as they are.
    pub(crate) fn at_scale(mut self, scale: u8) -> Option<Self> {
        if let Values::Numbers { scale: own, mantissas } = &mut self.values {
            let times = 10i128.checked_pow(scale.checked_sub(*own)?.into())?;
            for mantissa in mantissas.iter_mut() {
                *mantissa = mantissa.checked_mul(times)?;
            }
            *own = scale;
        }
        Some(self)
    }

    /// A domain of dates, as days since 1970-01-01 in any order.
    pub fn dates(mut days: Vec<i32>) -> Self {
        days.sort_unstable();
        days.dedup();
        Domain::from_values(Kind::Date, Values::Days(days))
    }

    /// A domain of ordered labels, in their order; labels must be distinct.
    pub fn ordinal(labels: Vec<Box<str>>) -> Self {
        Domain::from_values(Kind::Ordinal, Values::Labels(labels))
    }

    /// A domain of unordered labels, which are sorted by their text.
    pub fn nominal(mut labels: Vec<Box<str>>) -> Self {
        labels.sort_unstable();
        labels.dedup();
        Domain::from_values(Kind::Nominal, Values::Labels(labels))
    }

    fn from_values(kind: Kind, values: Values) -> Self {
        Domain {
            kind,
            values,
            hierarchy: None,
            leaves: Vec::new(),
            tree_rule: None,
            look_alikes: LookAlikesCell::default(),
            missing: Missing::Value,
            stored: StoredCell::default(),
        }
    }

    /// The same domain with a hierarchy over it; every value must be a leaf.
    pub fn with_hierarchy(mut self, file: &str, column: &str, tree: Arc<Hierarchy>) -> Result<Self> {
        // A number's leaf may be written `1.0` or `01`; compare what the texts denote.
        let meaning = |text| match self.kind {
            Kind::Number => Decimal::parse(text).map_or(Cow::Borrowed(text), |number| Cow::Owned(number.to_string())),
            _ => Cow::Borrowed(text),
        };
        let leaves = 0..tree.leaves().len() as u32;
        let by_meaning: BTreeMap<Cow<'_, str>, u32> = leaves.map(|leaf| (meaning(tree.value(leaf)), leaf)).collect();
        let mut missing = Vec::new();
        let mut leaves = Vec::with_capacity(self.len());
        for text in self.codes().map(|code| self.text(code)) {
            match by_meaning.get(&text) {
                Some(&leaf) => leaves.push(leaf),
                None => missing.push(text),
            }
        }
        if !missing.is_empty() {
            let (n_missing, shown) = (missing.len(), quoted_list(&missing, 8));
            let reason = format!("the hierarchy lacks {n_missing} of the column's {} values: {shown}", self.len());
            let hint = "add a line for each of them; a rule (`kind = \"bands\"`, \"cuts\" or \"prefix\" in a file .toml) covers values that \
                        no list has";
            return Err(Error::data(file, reason).at(None, Some(column)).hint(hint));
        }
        self.hierarchy = Some(tree);
        self.leaves = leaves;
        self.tree_rule = None;
        Ok(self)
    }

    /// The same domain, whose hierarchy was made by a rule.
    pub(crate) fn with_tree_rule(self, rule: TreeRule) -> Self {
        Domain { tree_rule: Some(rule), ..self }
    }

    /// The intervals behind the nodes of the hierarchy, if it was made of bands. A release shows these intervals, and
    /// does not carry the tree.
    pub fn bands(&self) -> Option<&Bands> {
        match &self.tree_rule {
            Some(TreeRule::Bands(bands)) => Some(bands),
            _ => None,
        }
    }

    /// True if a rule made the hierarchy of the values that occur, which a release therefore must not list.
    pub fn has_tree_by_rule(&self) -> bool {
        self.tree_rule.is_some()
    }

    /// The same domain, whose missing values are this to requirements.
    #[must_use]
    pub fn with_missing(self, missing: Missing) -> Self {
        Domain { missing, ..self }
    }

    /// The same domain, whose source stored its values as this.
    #[must_use]
    pub fn with_stored(self, stored: Stored) -> Self {
        Domain { stored: StoredCell(stored), ..self }
    }

    /// What the source stored the values as.
    pub fn stored(&self) -> &Stored {
        &self.stored.0
    }

    /// What missing values are to requirements of diversity and closeness.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// How the values compare.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Number of values, null not counted.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Numbers { mantissas, .. } => mantissas.len(),
            Values::Days(days) => days.len(),
            Values::Labels(labels) => labels.len(),
        }
    }

    /// True when every cell is null.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of codes: the values and null.
    pub fn n_codes(&self) -> usize {
        self.len() + 1
    }

    /// The codes of the values, ascending, without null.
    pub fn codes(&self) -> std::ops::RangeInclusive<Code> {
        1..=self.len() as Code
    }

    /// The text a release shows for a code; null is empty.
    pub fn text(&self, code: Code) -> Cow<'_, str> {
        if code == NULL {
            return Cow::Borrowed("");
        }
        let at = code as usize - 1;
        match &self.values {
            Values::Numbers { scale, mantissas } => Cow::Owned(Decimal::new(mantissas[at], *scale).to_string()),
            Values::Days(days) => Cow::Owned(date_text(days[at])),
            Values::Labels(labels) => Cow::Borrowed(&labels[at]),
        }
    }

    /// The code of a text, read as this domain's kind; the empty text is null.
    pub fn code_of(&self, text: &str) -> Option<Code> {
        if text.is_empty() {
            return Some(NULL);
        }
        let at = match &self.values {
            Values::Numbers { scale, mantissas } => {
                mantissas.binary_search(&Decimal::parse(text)?.at_scale(*scale)?).ok()?
            }
            Values::Days(days) => days.binary_search(&parse_date(text)?).ok()?,
            Values::Labels(labels) if self.kind == Kind::Nominal => {
                labels.binary_search_by(|label| (**label).cmp(text)).ok()?
            }
            Values::Labels(labels) => labels.iter().position(|label| &**label == text)?,
        };
        Some(at as Code + 1)
    }

    /// A number as a whole multiple of `10^-scale`; `None` for null and for columns of other kinds.
    pub fn number(&self, code: Code) -> Option<i128> {
        if self.kind == Kind::Number { self.amount(code) } else { None }
    }

    /// A number or a date as a whole multiple of `10^-scale` (a date in days).
    pub fn amount(&self, code: Code) -> Option<i128> {
        let at = (code as usize).checked_sub(1)?;
        match &self.values {
            Values::Numbers { mantissas, .. } => mantissas.get(at).copied(),
            Values::Days(days) => days.get(at).map(|&day| i128::from(day)),
            Values::Labels(_) => None,
        }
    }

    /// Digits after the point shared by all numbers; 0 for other kinds.
    pub fn scale(&self) -> u8 {
        match &self.values {
            Values::Numbers { scale, .. } => *scale,
            _ => 0,
        }
    }

    /// Where a value lies on the line along which intervals are measured, for losses: the number
    /// itself, the day, or the position of a label. Null has no place (NaN).
    pub fn place(&self, code: Code) -> f64 {
        match &self.values {
            _ if code == NULL => f64::NAN,
            Values::Numbers { scale, mantissas } => mantissas[code as usize - 1] as f64 / 10f64.powi(i32::from(*scale)),
            Values::Days(days) => f64::from(days[code as usize - 1]),
            Values::Labels(_) => f64::from(code - 1),
        }
    }

    /// True where values can be counted one by one (whole numbers, days, labels), false for
    /// decimals, which are measured by length.
    pub fn is_discrete(&self) -> bool {
        self.scale() == 0
    }

    /// The labels that differ from another only by look; `None` if there are none, and for numbers and dates, which are
    /// compared by what they denote.
    pub fn look_alikes(&self) -> Option<&Arc<LookAlikes>> {
        let found = || match &self.values {
            Values::Labels(_) => LookAlikes::find(self).map(Arc::new),
            Values::Numbers { .. } | Values::Days(_) => None,
        };
        self.look_alikes.0.get_or_init(found).as_ref()
    }

    /// The hierarchy over the values, if one was given.
    pub fn hierarchy(&self) -> Option<&Arc<Hierarchy>> {
        self.hierarchy.as_ref()
    }

    /// Leaf position of a value in the hierarchy; `None` without a hierarchy and for null.
    pub fn leaf(&self, code: Code) -> Option<u32> {
        self.leaves.get((code as usize).checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimals(texts: &[&str]) -> Vec<Decimal> {
        texts.iter().map(|t| Decimal::parse(t).unwrap()).collect()
    }

    #[test]
    fn numbers_share_a_scale_and_an_order() {
        let d = Domain::numbers(decimals(&["10", "2.5", "-1", "2.50"])).unwrap();
        assert_eq!(d.codes().map(|c| d.text(c).into_owned()).collect::<Vec<_>>(), ["-1", "2.5", "10"]);
        assert_eq!((d.scale(), d.number(2), d.number(NULL)), (1, Some(25), None));
        assert_eq!(
            (d.code_of("2.500"), d.code_of(""), d.code_of("3"), d.code_of("x")),
            (Some(2), Some(NULL), None, None)
        );
        assert!(!d.is_discrete() && d.place(3) == 10.0 && d.place(NULL).is_nan());
    }

    #[test]
    fn numbers_too_far_apart_are_refused() {
        assert!(Domain::numbers(decimals(&["1e36", "0.0000000001"])).is_err());
    }

    #[test]
    fn labels_keep_or_find_their_order() {
        let ordinal = Domain::ordinal(vec!["low".into(), "high".into()]);
        assert_eq!(ordinal.code_of("high"), Some(2));
        let nominal = Domain::nominal(vec!["b".into(), "a".into(), "b".into()]);
        assert_eq!((nominal.len(), nominal.code_of("b"), nominal.code_of("c")), (2, Some(2), None));
        let dates = Domain::dates(vec![1, 0]);
        assert_eq!(dates.text(2), "1970-01-02");
        assert_eq!((dates.code_of("1970-01-01"), dates.amount(2)), (Some(1), Some(1)));
    }

    #[test]
    fn a_hierarchy_must_cover_the_values() {
        let rows = vec![vec!["1.0".to_string(), "*".into()], vec!["2".into(), "*".into()]];
        let tree = Arc::new(Hierarchy::from_rows("h", &rows, &[1, 2]).unwrap());
        let d = Domain::numbers(decimals(&["1", "2"])).unwrap().with_hierarchy("h", "age", tree.clone()).unwrap();
        assert_eq!((d.leaf(1), d.leaf(NULL)), (Some(0), None));
        let error =
            Domain::numbers(decimals(&["1", "3"])).unwrap().with_hierarchy("h", "age", tree).unwrap_err().to_string();
        assert!(error.contains("lacks 1 of the column's 2 values: `3`"), "{error}");
    }

    #[test]
    fn kinds_have_names() {
        assert_eq!("date".parse::<Kind>().unwrap(), Kind::Date);
        assert!("numbr".parse::<Kind>().unwrap_err().to_string().contains("did you mean `number`?"));
    }
}
