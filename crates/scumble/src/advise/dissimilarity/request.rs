//! What is asked under a distance, and what of it can be refused without data.

use crate::advise::in_range;
use scumble_principle::{LoadedDistance, Part};
use scumble_table::{Decimal, Error, Result, did_you_mean};

/// What is asked of sensitive columns, which are taken as one value.
#[derive(Debug, Clone)]
pub struct DissimilarityRequest {
    /// How far apart two such values are.
    pub ruler: LoadedDistance,
    /// How near is near.
    pub epsilon: Decimal,
    /// The least number of rows of a group.
    pub k: u64,
    /// The least share of others that are not near, if it is known already.
    pub delta: Option<Decimal>,
    /// Tell the trade-off together with the answer to a question about a delta.
    pub trade_off: bool,
}

impl DissimilarityRequest {
    /// Asks which deltas go with an epsilon and a k, and for the trade-off.
    pub fn new(ruler: LoadedDistance, epsilon: Decimal, k: u64) -> Self {
        DissimilarityRequest { ruler, epsilon, k, delta: None, trade_off: false }
    }

    /// Refuses what can be refused of some sensitive columns without their data.
    /// [`advise_dissimilarity`](crate::advise_dissimilarity) does this too; who reads data for it may ask before.
    ///
    /// # Errors
    /// If something is out of range, or the distance is not about these columns.
    pub fn check(&self, sensitive: &[&str]) -> Result<()> {
        in_range("epsilon", "dissimilarity", 0, Some(self.epsilon))?;
        in_range("delta", "dissimilarity", 1, self.delta)?;
        in_range("k", "dissimilarity", 2, Some(Decimal::new(self.k.into(), 0)))?;
        if sensitive.is_empty() {
            return Err(Error::request("sensitive", "", "no sensitive column is named"));
        }
        if let Some((_, twice)) = sensitive.iter().enumerate().find(|(at, name)| sensitive[..*at].contains(name)) {
            return Err(Error::request("sensitive", *twice, "the column is named twice"));
        }
        self.check_parts(sensitive)
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
                    return Err(refused(format!("`{name}` is none of the sensitive columns")).hint(did_you_mean(
                        name,
                        names,
                        "add it to «sensitive», which has",
                    )));
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
}

/// The column that a part is about; it need not say so where there is one only.
fn column_of<'a>(part: &'a Part, names: &[&'a str]) -> Option<&'a str> {
    part.column.as_deref().or((names.len() == 1).then(|| names[0]))
}
