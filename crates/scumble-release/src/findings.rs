//! What was found while the tables of a release were read: checks by name, and what was counted.

use serde::Serialize;

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was checked, such as `groups-uniform` or `require[k-anonymity(5)]`.
    pub name: String,
    /// Whether it holds.
    pub ok: bool,
    /// What was found.
    pub detail: String,
}

impl Check {
    /// A check with what was found: the detail of a success, or of a failure.
    pub fn new(name: impl Into<String>, found: Result<String, String>) -> Self {
        let (ok, detail) = match found {
            Ok(detail) => (true, detail),
            Err(detail) => (false, detail),
        };
        Check { name: name.into(), ok, detail }
    }
}

/// The checks made while tables are read, and the counts that the manifest states too.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Everything that was checked, in order.
    pub checks: Vec<Check>,
    /// Rows published with values.
    pub rows: u64,
    /// Number of groups.
    pub groups: u64,
    /// Rows left out, or published as stars.
    pub suppressed: u64,
}

impl Findings {
    /// Notes a check and returns whether it holds.
    pub fn note(&mut self, name: impl Into<String>, found: Result<String, String>) -> bool {
        let check = Check::new(name, found);
        let ok = check.ok;
        self.checks.push(check);
        ok
    }

    /// What was found; nothing, and a check that fails, where it could not be.
    pub(crate) fn require<T>(&mut self, check: impl Into<String>, found: Result<T, String>) -> Option<T> {
        found.map_err(|reason| self.note(check, Err(reason))).ok()
    }

    /// The checks that do not hold.
    pub fn failures(&self) -> impl Iterator<Item = &Check> + '_ {
        self.checks.iter().filter(|check| !check.ok)
    }
}

/// Several problems as one detail. Without problems, the detail of a success.
///
/// # Errors
/// The first problems, and how many more there are.
pub fn problems(list: Vec<String>, otherwise: impl FnOnce() -> String) -> Result<String, String> {
    const MOST: usize = 4;
    if list.is_empty() {
        return Ok(otherwise());
    }
    let rest = list.len().saturating_sub(MOST);
    let shown = list[..list.len().min(MOST)].join("; ");
    Err(if rest == 0 { shown } else { format!("{shown}; and {rest} more") })
}
