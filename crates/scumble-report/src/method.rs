//! The forms of a release, as far as their readers must be told different things.

/// How a release was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// Quasi-identifiers made coarser, sensitive values exact.
    Generalize,
    /// Quasi-identifiers exact, sensitive values shuffled within groups.
    Permute,
    /// Quasi-identifiers exact in one table, sensitive values counted per group in another.
    Anatomy,
    /// Sensitive values counted per batch, quasi-identifiers generalized, with the batch.
    Angel,
    /// A method that this crate does not know; only what holds for all is said of it.
    Other,
}

impl Method {
    /// The method of that name.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "generalize" => Self::Generalize,
            "permute" => Self::Permute,
            "anatomy" => Self::Anatomy,
            "angel" => Self::Angel,
            _ => Self::Other,
        }
    }

    /// What one of the sets of people is called, and several of them.
    pub(crate) fn group(self) -> (&'static str, &'static str) {
        match self {
            Self::Angel => ("batch", "batches"),
            _ => ("group", "groups"),
        }
    }

    /// Whether the quasi-identifiers of each person are published as they are.
    pub(crate) fn exact(self) -> bool {
        matches!(self, Self::Permute | Self::Anatomy)
    }
}
