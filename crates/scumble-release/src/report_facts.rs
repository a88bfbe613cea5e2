//! What a report may be made of: the manifest, and what the tables themselves show. So anybody who has the release can
//! make its page again.

use crate::form::PermutedTables;
use crate::manifest::{Manifest, Method};
use crate::measure::{Loss, loss_of_tables};
use crate::published::PublishedColumn;
use crate::reader::ReleaseDir;
use crate::verify::{GroupSizes, Tables, Verdict};
use scumble_io::parse_matrix;
use scumble_table::Result;

/// Makes `report.html` from what a release shows. The verifier is given it by whoever knows how pages are made, and
/// compares.
pub type MakeReport = fn(&ReportFacts<'_>) -> Result<String>;

/// A release as its report sees it.
#[derive(Debug)]
pub struct ReportFacts<'a> {
    /// What the release says about itself.
    pub manifest: &'a Manifest,
    /// The published columns with their hierarchies.
    pub columns: &'a [PublishedColumn],
    /// What the boxes have lost.
    pub loss: Loss,
    /// How large the groups are.
    pub sizes: &'a GroupSizes,
    /// Number of groups of each grouping.
    pub n_groups: Vec<u64>,
    /// The tables over some quasi-identifiers of an angel release, with the columns of each.
    pub marginals: Vec<(String, Vec<String>)>,
    /// The sensitive columns that have tables of bounds, as positions among the sensitive ones.
    pub helps: Vec<usize>,
    /// The matrices, with the number of pairs in each.
    pub matrices: Vec<(String, u64)>,
}

impl<'a> ReportFacts<'a> {
    /// From tables that make sense, and what was counted in them.
    pub(crate) fn of(release: &'a ReleaseDir, tables: &Tables, verdict: &'a Verdict) -> Result<Self> {
        let manifest = release.manifest();
        let views = if let Tables::Angel(tables) = tables { tables.views.get(1..).unwrap_or_default() } else { &[] };
        let marginals = views.iter().map(|view| {
            let names = view.page.quasi.iter().map(|boxes| boxes.column.name().to_string());
            (view.name.clone(), names.collect())
        });
        let helps = match manifest.method {
            Method::Permute => PermutedTables::of(manifest).helps.iter().map(|(_, column)| *column).collect(),
            _ => Vec::new(),
        };
        let matrices = manifest.matrix_files().into_iter().map(|file| {
            let matrix = parse_matrix(&file, &release.bytes(&file, "matrix")?)?;
            let labels: Vec<&str> = matrix.labels().collect();
            let pairs = matrix.pairs(&file, &labels)?.len() as u64;
            Ok((file, pairs))
        });
        Ok(ReportFacts {
            manifest,
            columns: release.columns(),
            loss: loss_of_tables(tables, verdict),
            sizes: &verdict.group_sizes,
            n_groups: tables.sizes().iter().map(|sizes| sizes.len() as u64).collect(),
            marginals: marginals.collect(),
            helps,
            matrices: matrices.collect::<Result<_>>()?,
        })
    }
}
