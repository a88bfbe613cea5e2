//! Thresholds that are in wide use, with who uses them.
//!
//! They are rules of institutions for what these institutions publish, and no theorem: whoever cites one says for which table, for
//! which readers and against which knowledge it was made.

use serde::Serialize;

/// A size of groups that an institution asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct UsedThreshold {
    /// The least number of people in a group, or in a cell of a table.
    pub k: u64,
    /// The chance of finding somebody that it stands for, as its users write it.
    pub chance: &'static str,
    /// What it is used for.
    pub used_for: &'static str,
    /// Where that is said.
    pub source: &'static str,
}

/// The thresholds, by rising size.
pub const THRESHOLDS: &[UsedThreshold] = &[
    UsedThreshold {
        k: 3,
        chance: "0.33",
        used_for: "counts at some statistical agencies; among the precedents for health data",
        source: "Glossary of Statistical Disclosure Control, UNECE/Eurostat 2005, `threshold rule`; K. El Emam: Guide to the \
                 De-Identification of Personal Health Information, 2013, `Cell Size Precedents`",
    },
    UsedThreshold {
        k: 5,
        chance: "0.2",
        used_for: "counts at other statistical agencies; among the precedents for health data",
        source: "the same two",
    },
    UsedThreshold {
        k: 10,
        chance: "0.1",
        used_for: "counts that leave a research data centre",
        source: "Australian Bureau of Statistics: DataLab output rules, `rule of 10`",
    },
    UsedThreshold {
        k: 11,
        chance: "0.09",
        used_for: "clinical reports for the public; counts of Medicare and Medicaid beneficiaries",
        source: "European Medicines Agency: external guidance on Policy 0070, and Health Canada: Public Release of Clinical \
                 Information (both 0.09); Centers for Medicare & Medicaid Services: Cell Size Suppression Policy (no cell of 1 to 10)",
    },
    UsedThreshold {
        k: 20,
        chance: "0.05",
        used_for: "public data in Canada and the United States, the strictest health precedent",
        source: "K. El Emam: Guide to the De-Identification of Personal Health Information, 2013, `Cell Size Precedents`",
    },
];

/// What is to be known of chances that are written as decimals.
pub const OF_CHANCES: &str = "A chance of at most p needs groups of 1/p: 0.05 is exactly 20. 1/11 is 0.0909..., so 0.09 stands for 11 where it is \
                              used, and taken to the letter it needs 12.";
