//! What can be refused without data, and what the data refuses in the words of this command.

use super::{HierarchyRequest, refused};
use scumble_table::{Error, Result};

/// Refuses what contradicts itself.
pub(super) fn check(request: &HierarchyRequest) -> Result<()> {
    if request.focused.is_empty() {
        return Err(refused("for", "", "no column is named").hint("such as «for» height"));
    }
    for (nth, column) in request.focused.iter().enumerate() {
        if request.focused[..nth].iter().any(|other| other.name == column.name) {
            return Err(refused("for", &column.name, "this column is named twice"));
        }
        if request.given.iter().any(|other| other.name == column.name) {
            return Err(refused("given", &column.name, "its own hierarchy cannot depend on this column")
                .hint("name it in «for» or in «given»; several runs can build one after the other"));
        }
    }
    for (nth, column) in request.given.iter().enumerate() {
        if request.given[..nth].iter().any(|other| other.name == column.name) {
            return Err(refused("given", &column.name, "this column is named twice"));
        }
    }
    if request.min_count == Some(0) {
        return Err(refused("min_count", "0", "an interval must stand for at least one row"));
    }
    if request.groups == Some(0) {
        return Err(refused("groups", "0", "there is at least one interval"));
    }
    match request.rule {
        Some(rule) if !request.given.is_empty() => {
            Err(refused("kind", rule.name(), "it is for plain hierarchies, and «given» asks for contexts")
                .hint("leave one of them away"))
        }
        _ => Ok(()),
    }
}

/// The error of a read, with the flag that named the column.
pub(super) fn named(error: Error, request: &HierarchyRequest) -> Error {
    match error {
        Error::Request { field, value, reason, hint } if field == "quasi" => {
            let focused = request.focused.iter().any(|column| column.name == value);
            Error::Request { field: if focused { "for" } else { "given" }.into(), value, reason, hint }
        }
        other => other,
    }
}
