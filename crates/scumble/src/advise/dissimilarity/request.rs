//! What is asked under a distance, and what of it can be refused without data.

use crate::advise::in_range;
use crate::job::ColumnRole;
use scumble_principle::{Dissimilarity, Part, LoadedDistance};
use scumble_table::{Decimal, Error, Result, nearest, quoted_list};

/// What is asked of some sensitive columns.
#[derive(Debug, Clone)]
pub struct DissimilarityRequest {
    /// The data.
    pub input: Input,
    /// The sensitive columns, and how their values are to be read. They are taken as one value.
    pub columns: Vec<ColumnRequest>,
    /// How far apart two such values are.
    pub ruler: LoadedDistance,
    /// How near is near.
    pub epsilon: Decimal,
    /// The least number of rows of a group.
    pub k: u64,
    /// The least share of others that are not near, if it is known already.
    pub delta: Option<Decimal>,
    /// Tell the trade-off beside the answer to a question about a delta.
    pub trade_off: bool,
}

impl DissimilarityRequest {
    /// Asks which deltas go with an epsilon and a k, and for the trade-off.
    pub fn new(
        input: Input,
        sensitive: impl IntoIterator<Item = impl Into<String>>,
        ruler: LoadedDistance,
        epsilon: Decimal,
        k: u64,
    ) -> Self {
        let column = |name| ColumnRequest::new(name, ColumnRole::Sensitive);
        let columns = sensitive.into_iter().map(column).collect();
        DissimilarityRequest { input, columns, ruler, epsilon, k, delta: None, trade_off: false }
    }

    /// Refuses what can be refused without data.
    pub(super) fn check(&self) -> Result<()> {
        in_range("epsilon", "dissimilarity", 0, Some(self.epsilon))?;
        in_range("delta", "dissimilarity", 1, self.delta)?;
        in_range("k", "dissimilarity", 2, Some(Decimal::new(self.k.into(), 0)))?;
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        for (i, column) in self.columns.iter().enumerate() {
            if names[..i].contains(&names[i]) {
                return Err(Error::request("sensitive", names[i], "the column is named twice"));
            }
            if column.role != ColumnRole::Sensitive {
                return Err(Error::request(column.role.flag(), names[i], "advice is about sensitive columns"));
            }
        }
        if names.is_empty() {
            return Err(Error::request("sensitive", "", "no sensitive column is named"));
        }
        self.check_parts(&names)
    }

    /// Every column must have a part in the distance, and every part a column.
    fn check_parts(&self, names: &[&str]) -> Result<()> {
        let distance = self.ruler.distance();
        let refused = |reason: String| Error::request("distance", distance.to_string(), reason);
        let about = |part| column_of(part, names);
        for part in distance.parts() {
            match about(part) {
                Some(name) if names.contains(&name) => {}
                Some(name) => {
                    let hint = match nearest(name, names.iter().copied()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("add it to «sensitive», which has {}", quoted_list(names, 30)),
                    };
                    return Err(refused(format!("`{name}` is none of the sensitive columns")).hint(hint));
                }
                None => {
                    return Err(refused(format!("`{part}` does not say which sensitive column it is about"))
                        .hint(format!("such as `{}:{part}`", names[0])));
                }
            }
        }
        let measured = |name: &&&str| distance.parts().iter().any(|part| about(part) == Some(name));
        match names.iter().find(|name| !measured(name)) {
            Some(name) => Err(refused(format!("it says nothing of the sensitive column `{name}`"))
                .hint(format!("add a part for it, such as `{name}:equal`, or leave it out of «sensitive»"))),
            None => Ok(()),
        }
    }

    /// The requirement, with delta 0 where none is asked about.
    pub(super) fn principle(&self) -> Result<Dissimilarity> {
        Dissimilarity::new(self.epsilon, self.delta.unwrap_or(Decimal::ZERO), self.k)
    }
}

/// The column that a part is about; it need not say so where there is one only.
fn column_of<'a>(part: &'a Part, names: &[&'a str]) -> Option<&'a str> {
    part.column.as_deref().or((names.len() == 1).then(|| names[0]))
}
