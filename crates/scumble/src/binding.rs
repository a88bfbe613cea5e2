//! The requirements of a plan, tied to its table.

use crate::job::Plan;
use scumble_principle::{BoundRequirements, JointColumns};
use scumble_table::{Bag, Monitor, Result, Table};

/// What a requirement about distances takes together. The monitor stops the comparison of values.
pub(crate) fn together_of(table: &Table, plan: &Plan, monitor: Monitor<'_>) -> Result<Option<JointColumns>> {
    let joint =
        JointColumns::new(&plan.requirements, table.schema(), plan.distance.as_ref(), |column| table.column(column))?;
    Ok(joint.map(|joint| joint.with_cancellation(monitor.cancellation())))
}

/// The requirements tied to the rows that are published, by which everything is judged; to all where none are named.
pub(crate) fn bind_published(
    table: &Table,
    plan: &Plan,
    together: Option<&JointColumns>,
    rows: Option<&[u32]>,
) -> Result<BoundRequirements> {
    let Some(rows) = rows.filter(|rows| rows.len() < table.n_rows()) else {
        let whole = |column| table.column_bag(column);
        return BoundRequirements::bind_joint(&plan.requirements, table.schema(), whole, together)?
            .with_people(table, None)?
            .with_population(table);
    };
    let published = |column: usize| {
        Bag::from_histogram(&table.column(column).gather(rows).histogram(table.attribute(column).domain.n_codes()))
    };
    let together = together.map(|together| together.restricted_to(rows));
    BoundRequirements::bind_joint(&plan.requirements, table.schema(), published, together.as_ref())?
        .with_people(table, Some(rows))
}
