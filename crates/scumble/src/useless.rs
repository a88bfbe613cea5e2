//! Releases of which hardly anything is left, and what they are lost to.
//!
//! Where quasi-identifiers are nearly all `*`, the requirements hold and nobody has any use for the table. Its publisher should hear so,
//! and which requirement to ask less of. That is found by trial: the release is made again in memory without each
//! requirement in turn, with everything else as it was, and the one without which most is left costs most. What is made so
//! is measured and thrown away.

use crate::anonymize::make_whatever_it_costs;
use crate::context::Context;
use crate::job::{ColumnRole, Plan};
use scumble_table::{Error, Result, Role, Table};

/// The share of all that could be lost from which on a release is called useless.
const NEARLY_ALL: f64 = 0.9;

/// Warns of a release whose quasi-identifiers are nearly all lost.
///
/// # Errors
/// If the work is cancelled.
pub(crate) fn warn(table: &Table, plan: &Plan, ncp: f64, context: &Context) -> Result<()> {
    let Some(lost) = share_lost(table, ncp).filter(|&share| share > NEARLY_ALL) else { return Ok(()) };
    let costs = costs(table, plan, context)?;
    let begin = format!(
        "{:.0} % of all that the quasi-identifiers could lose is lost (NCP {ncp:.4}), and the release is of little use",
        100.0 * lost
    );
    let dearest = costs.iter().filter_map(|(text, without)| Some((text, (*without)?)));
    let dearest = dearest.min_by(|a, b| a.1.total_cmp(&b.1));
    let told = match (&plan.requirements[..], dearest) {
        ([only], _) => format!("`{only}` is all that is required, and costs that much"),
        (_, Some((text, without))) if without < ncp => format!(
            "`{text}` costs most: without it, all else being the same, {:.0} % would be lost (NCP {without:.4})",
            100.0 * share_lost(table, without).unwrap_or(0.0)
        ),
        (_, Some(_)) => "no requirement costs most: without any one of them as much would be lost".into(),
        (_, None) => {
            "which requirement costs most cannot be told, since without any one of them nothing can be published".into()
        }
    };
    let fewer = match plan.named(ColumnRole::Quasi).count() {
        1 => "",
        _ => "; fewer quasi-identifiers, or hierarchies, leave more too",
    };
    context.monitor().warn(&format!("{begin}; {told}{fewer}"));
    Ok(())
}

/// The share of what could be lost; nothing where there is nothing to lose.
fn share_lost(table: &Table, ncp: f64) -> Option<f64> {
    let quasi = table.schema().of_role(Role::Quasi);
    // A column with one value has nothing to lose.
    let possible = quasi.iter().filter(|&&at| table.attribute(at).domain.len() > 1).count();
    (possible > 0).then(|| ncp / possible as f64)
}

/// Each requirement, and the NCP without it, where the rest can be published at all.
fn costs(table: &Table, plan: &Plan, context: &Context) -> Result<Vec<(String, Option<f64>)>> {
    if plan.requirements.len() < 2 {
        return Ok(Vec::new());
    }
    let quiet = context.clone().without_progress();
    let mut costs = Vec::new();
    for (at, requirement) in plan.requirements.iter().enumerate() {
        let without = plan.without_requirement(at);
        let made = without.check().and_then(|()| make_whatever_it_costs(table, &without, &quiet));
        costs.push((
            requirement.to_string(),
            match made {
                Ok(made) => Some(made.facts.ncp),
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(_) => None,
            },
        ));
    }
    Ok(costs)
}
