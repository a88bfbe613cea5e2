//! The sensitive columns that a dissimilarity requirement takes as one value, and the distance between such values.

use super::bind::{named_column, no_sensitive};
use crate::distance::{BoundDistance, LoadedDistance, MeasuredColumn};
use crate::{Dissimilarity, Requirement};
use scumble_table::{Bag, Cancellation, Codes, Composite, Error, Result, Role, Schema};
use std::sync::Arc;

/// Columns taken together, with what rows have in them. Requirements are tied to it by
/// [`BoundRequirements::bind_joint`](super::BoundRequirements::bind_joint).
#[derive(Debug, Clone)]
pub struct JointColumns {
    distance: LoadedDistance,
    /// Positions in the schema.
    columns: Vec<usize>,
    composite: Arc<Composite>,
    /// Rows of each combination that are published.
    weights: Vec<u32>,
    /// Stops the comparison of values.
    cancellation: Cancellation,
}

impl JointColumns {
    /// What the dissimilarity requirements among `requirements` look at; nothing where there are none. `codes` gives the
    /// column at a position of the schema.
    ///
    /// # Errors
    /// If there is no distance, or if requirements take different columns together.
    pub fn new<'a>(
        requirements: &[Requirement],
        schema: &Schema,
        distance: Option<&LoadedDistance>,
        codes: impl Fn(usize) -> &'a Codes,
    ) -> Result<Option<JointColumns>> {
        let Some(columns) = JointColumns::columns(requirements, schema)? else { return Ok(None) };
        let Some(distance) = distance else {
            let refused = requirements.iter().find_map(|one| Some(one.get::<Dissimilarity>()?.no_distance(one)));
            return Err(refused.unwrap_or_else(|| Error::bug("columns are taken together for no requirement")));
        };
        let parts: Vec<&Codes> = columns.iter().map(|&at| codes(at)).collect();
        let n_codes: Vec<usize> = columns.iter().map(|&at| schema.attributes()[at].domain.n_codes()).collect();
        let composite = Composite::new(&parts, &n_codes);
        let weights = composite.weights().to_vec();
        let (distance, composite) = (distance.clone(), Arc::new(composite));
        Ok(Some(JointColumns { distance, columns, composite, weights, cancellation: Cancellation::default() }))
    }

    /// The same under a flag that stops the comparison of values, in whatever is bound to these columns: after a
    /// cancellation nothing that it tells may be used.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> JointColumns {
        JointColumns { cancellation, ..self }
    }

    pub(super) fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// The columns that dissimilarity takes together, as positions in the schema; nothing where it is not required.
    ///
    /// # Errors
    /// If requirements take different columns together.
    pub fn columns(requirements: &[Requirement], schema: &Schema) -> Result<Option<Vec<usize>>> {
        let sensitive = schema.of_role(Role::Sensitive);
        let mut found: Option<Vec<usize>> = None;
        for requirement in requirements.iter().filter(|requirement| requirement.is::<Dissimilarity>()) {
            let columns = match named_column(requirement, schema, &sensitive)? {
                Some(at) => vec![sensitive[at]],
                None => sensitive.clone(),
            };
            if columns.is_empty() {
                return Err(no_sensitive(requirement));
            }
            if found.as_ref().is_some_and(|known| *known != columns) {
                let reason = "one distance cannot be about different columns";
                return Err(Error::request("requirement", requirement.to_string(), reason)
                    .hint("require `dissimilarity` of all sensitive columns together, or of one of them"));
            }
            found = Some(columns);
        }
        Ok(found)
    }

    /// The same where only some rows are published.
    #[must_use]
    pub fn restricted_to(&self, rows: &[u32]) -> JointColumns {
        let mut weights = vec![0u32; self.composite.len()];
        rows.iter().for_each(|&row| weights[self.composite.rows().get(row as usize) as usize] += 1);
        JointColumns { weights, ..self.clone() }
    }

    /// How far apart values are said to be.
    pub fn distance(&self) -> &LoadedDistance {
        &self.distance
    }

    /// The combinations.
    pub fn composite(&self) -> &Arc<Composite> {
        &self.composite
    }

    /// Rows of each combination that are published.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The bag of some rows.
    pub fn bag(&self, rows: &[u32]) -> Bag {
        Bag::from_codes(rows.iter().map(|&row| self.composite.rows().get(row as usize)))
    }

    /// The distance, tied to what is published.
    ///
    /// # Errors
    /// If a column cannot be measured as the distance says.
    pub fn bound_distance(&self, schema: &Schema) -> Result<BoundDistance> {
        let occurs = |at: usize, n_codes: usize| {
            let mut occurs = vec![false; n_codes];
            let published = self.composite.column(at).iter().zip(&self.weights).filter(|pair| *pair.1 > 0);
            published.for_each(|(&code, _)| occurs[code as usize] = true);
            occurs
        };
        let attributes = self.columns.iter().map(|&at| &schema.attributes()[at]);
        let occurs: Vec<Vec<bool>> =
            attributes.clone().enumerate().map(|(at, attribute)| occurs(at, attribute.domain.n_codes())).collect();
        let columns: Vec<MeasuredColumn<'_>> = attributes
            .zip(&occurs)
            .map(|(attribute, occurs)| MeasuredColumn { name: &attribute.name, domain: &attribute.domain, occurs })
            .collect();
        self.distance.bind(&columns)
    }
}
