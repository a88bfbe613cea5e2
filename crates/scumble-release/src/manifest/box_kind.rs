//! What the boxes of a release tell about their ends.

use scumble_table::{Error, Result, did_you_mean};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// How the generalized values of a release are drawn around their groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoxKind {
    /// As small as the group: somebody lies at each end, and each label of a set occurs.
    #[default]
    Minimal,
    /// Moved outward to round values, so that no box by itself tells a value that occurs.
    Rounded,
    /// The cells of cuts, which tile the whole domain.
    Cells,
}

impl BoxKind {
    /// All kinds.
    pub const ALL: [BoxKind; 3] = [BoxKind::Minimal, BoxKind::Rounded, BoxKind::Cells];

    /// The word for it in flags and manifests.
    pub fn name(self) -> &'static str {
        match self {
            BoxKind::Minimal => "minimal",
            BoxKind::Rounded => "rounded",
            BoxKind::Cells => "cells",
        }
    }

    /// True if boxes are as small as their groups, which a manifest does not state.
    pub fn is_minimal(&self) -> bool {
        *self == BoxKind::Minimal
    }
}

impl fmt::Display for BoxKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for BoxKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        BoxKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            let hint = did_you_mean(text, &BoxKind::ALL.map(BoxKind::name), "one of");
            Error::request("boxes", text, "there is no such kind of boxes").hint(hint)
        })
    }
}
