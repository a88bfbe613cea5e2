//! Whether some grouping of all rows meets a requirement.

use scumble_method::epsilon_m;
use scumble_principle::{Attained, BoundRequirements, Entry, Group, Requirement};
use scumble_table::{Error, Result, Table};

/// What can be said of all groupings.
pub(super) enum Reach {
    /// Some grouping meets it: everybody as one group, or one that a theorem promises.
    Met,
    /// No grouping does; why not, and what is nearest.
    Ruled { reason: String, nearest: Vec<String> },
    /// Only a search can tell.
    Open,
}

/// What can be said before a search.
///
/// # Errors
/// If the requirement cannot be put to the rows.
pub(super) fn reach(table: &Table, bound: &BoundRequirements) -> Result<Reach> {
    let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
    let bags = bound.bags(table, &rows);
    let of_people = bound.by_person().map_or(Ok(()), |people| people.feasible(&rows));
    let feasible = of_people.and_then(|()| bound.feasible(Group { size: rows.len() as u64, bags: &bags }));
    match feasible {
        Err(Error::Infeasible { reason, allows, nearest, .. }) => {
            return Ok(Reach::Ruled { reason: format!("{reason}; {allows}"), nearest });
        }
        Err(other) => return Err(other),
        Ok(()) => {}
    }
    if bound.rows_hold(table, &rows) {
        return Ok(Reach::Met);
    }
    if bound.by_person().is_none() && bound.population().is_none() && epsilon_m::is_constructed(bound, table) {
        return Ok(Reach::Met);
    }
    // What groups meet by themselves they meet together, so everybody as one group would.
    if bound.by_person().is_none() && bound.monotone() {
        return Ok(Reach::Ruled { reason: "everybody as one group does not meet it".into(), nearest: Vec::new() });
    }
    Ok(Reach::Open)
}

/// The strictest form of a principle that everybody as one group meets, where larger parameters ask for more. `bind` ties a
/// requirement to the whole table, or says that it cannot be.
///
/// # Errors
/// If the work is cancelled.
pub(super) fn strictest(
    entry: &Entry,
    table: &Table,
    column: Option<&str>,
    bind: impl Fn(&Requirement) -> Result<BoundRequirements>,
) -> Result<Option<Requirement>> {
    if !entry.larger_is_stricter || !entry.monotone {
        return Ok(None);
    }
    // Parameters that no group meets are asked, and the nearest that is met is the answer.
    let Ok(forms) = (entry.strictest)(1) else { return Ok(None) };
    let Some(principle) = forms.into_iter().next() else { return Ok(None) };
    let asked = Requirement::from(principle).with_column(column.map(String::from));
    let bound = match bind(&asked) {
        Ok(bound) => bound,
        Err(Error::Cancelled) => return Err(Error::Cancelled),
        // Why it cannot be put to the column is told where its points are tried.
        Err(_) => return Ok(None),
    };
    let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
    let bags = bound.bags(table, &rows);
    let by_rows = bound.attained(Group { size: rows.len() as u64, bags: &bags });
    let by_people = bound.by_person().map(|people| people.with_group(&rows, BoundRequirements::attained));
    let all = by_rows.into_iter().chain(by_people.into_iter().flatten());
    let Some(common) = all.reduce(Attained::common) else { return Ok(None) };
    let nearest = asked.principle().nearest(&common).and_then(|notation| notation.parse::<Requirement>().ok());
    Ok(nearest.map(|found| found.with_column(asked.column.clone())))
}
