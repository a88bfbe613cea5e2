//! A release taken in whole, for those who answer questions over it or carry it elsewhere.

use crate::manifest::Method;
use crate::notation::Region;
use crate::verify::{Grouping, Page, Tables, Values, View as PublishedView, intact};
use crate::{Manifest, PublishedColumn, ReleaseDir, Watch};
use scumble_io::Dictionary;
use scumble_table::{Code, Codes, Domain, Result};
use std::path::Path;

/// A release whose files are those that its manifest names and whose tables make sense. Whatever is missing, cut or
/// altered has been refused; whether its requirements hold is the verifier's business.
pub struct Opened {
    release: ReleaseDir,
    data: OpenedData,
}

/// The tables of a release, in the terms of its manifest.
pub enum OpenedData {
    /// People with exact quasi-identifiers, and sensitive values known group by group.
    People(People),
    /// Rows with exact sensitive values, and quasi-identifiers known to lie in the box of their group.
    Boxed(Boxed),
    /// Sensitive values known batch by batch, and tables of boxes beside batch numbers.
    Angel(Angelized),
}

/// A column that shows one value per row.
pub struct ShownColumn {
    /// The column as the manifest has it.
    pub column: PublishedColumn,
    /// The values that occur in rows that are not suppressed.
    pub domain: Domain,
    /// Code of each row; null where the row is suppressed.
    pub codes: Codes,
}

/// What `permute` and `anatomy` publish.
pub struct People {
    /// Quasi-identifying and kept columns, one value per person.
    pub columns: Vec<ShownColumn>,
    /// Sensitive columns that move together, with the groups that they move in. Every set has groups of its own.
    pub sets: Vec<SensitiveSet>,
}

/// Sensitive columns whose values stay together, known group by group.
pub struct SensitiveSet {
    /// Number of groups.
    pub n_groups: usize,
    /// Group of each person, or [`SUPPRESSED`](crate::SUPPRESSED).
    pub row_group: Vec<u32>,
    /// Group of each place: the sensitive values of a group have as many places as it has people. Suppressed
    /// people have a place of group [`SUPPRESSED`](crate::SUPPRESSED), or none.
    pub place_group: Vec<u32>,
    /// The sensitive columns, one value per place.
    pub columns: Vec<ShownColumn>,
}

/// What `generalize` publishes.
pub struct Boxed {
    /// Group of each row, or [`SUPPRESSED`](crate::SUPPRESSED).
    pub row_group: Vec<u32>,
    /// Rows of each group.
    pub sizes: Vec<u32>,
    /// Quasi-identifiers.
    pub quasi: Vec<BoxColumn>,
    /// Sensitive and kept columns, one value per row.
    pub values: Vec<ShownColumn>,
}

/// What `angel` publishes.
pub struct Angelized {
    /// The sensitive columns, in batches for groups; people stand in it as in the first of `views`.
    pub batches: SensitiveSet,
    /// The tables of boxes: the one over all quasi-identifiers first, then the marginals.
    pub views: Vec<View>,
}

/// A table of boxes beside batch numbers.
pub struct View {
    /// Name of the table.
    pub name: String,
    /// Its people in buckets, in place of groups; rows of equal boxes are one bucket. Of values it has the kept
    /// columns, and those only in the first table.
    pub boxed: Boxed,
    /// Batch of each person, or [`SUPPRESSED`](crate::SUPPRESSED).
    pub row_batch: Vec<u32>,
}

/// A quasi-identifier that shows one text per group.
pub struct BoxColumn {
    /// The column as the manifest has it.
    pub column: PublishedColumn,
    /// What each text covers, by its code; nothing for texts that no group shows.
    pub regions: Vec<Option<Region>>,
    /// The texts themselves, by the same code; code 0 is the empty one.
    pub texts: Dictionary,
    /// Code of the text of each group.
    pub of_group: Vec<Code>,
}

impl Opened {
    /// Takes a release in.
    ///
    /// # Errors
    /// If there is no release, or if it is not the one that was published.
    pub fn read(dir: &Path, watch: &dyn Watch) -> Result<Opened> {
        let (release, tables) = intact(dir, watch)?;
        let data = match tables {
            Tables::Generalized(page) => OpenedData::Boxed(boxed(page)),
            Tables::Exact(tables) => OpenedData::People(People {
                columns: shown(tables.people),
                sets: tables.groupings.into_iter().map(set).collect(),
            }),
            Tables::Angel(tables) => {
                let row_group = tables.views.first().map_or(Vec::new(), |view| view.row_batch.clone());
                let batches = Grouping { row_group, sizes: tables.sizes, sensitive: tables.batches };
                let view = |v: PublishedView| View { name: v.name, boxed: boxed(v.page), row_batch: v.row_batch };
                OpenedData::Angel(Angelized {
                    batches: set(batches),
                    views: tables.views.into_iter().map(view).collect(),
                })
            }
        };
        Ok(Opened { release, data })
    }

    /// What the release says about itself.
    pub fn manifest(&self) -> &Manifest {
        self.release.manifest()
    }

    /// The directory, with its columns as the manifest has them.
    pub fn release(&self) -> &ReleaseDir {
        &self.release
    }

    /// How it was published.
    pub fn method(&self) -> Method {
        self.manifest().method
    }

    /// Its tables.
    pub fn data(&self) -> &OpenedData {
        &self.data
    }

    /// The directory and the tables.
    pub fn into_parts(self) -> (ReleaseDir, OpenedData) {
        (self.release, self.data)
    }
}

fn boxed(page: Page) -> Boxed {
    let quasi = page.quasi.into_iter().map(|boxes| BoxColumn {
        column: boxes.column,
        regions: boxes.regions,
        texts: boxes.texts,
        of_group: boxes.of_group,
    });
    Boxed { row_group: page.row_group, sizes: page.sizes, quasi: quasi.collect(), values: shown(page.values) }
}

fn shown(values: Vec<Values>) -> Vec<ShownColumn> {
    values.into_iter().map(|v| ShownColumn { column: v.column, domain: v.domain, codes: v.codes }).collect()
}

fn set(grouping: Grouping) -> SensitiveSet {
    let counted = grouping.sensitive;
    let places: Vec<u32> = counted.expanded().map(|row| row as u32).collect();
    let columns = counted.values.into_iter().map(|values| ShownColumn {
        codes: values.codes.gather(&places),
        domain: values.domain,
        column: values.column,
    });
    SensitiveSet {
        n_groups: grouping.sizes.len(),
        row_group: grouping.row_group,
        columns: columns.collect(),
        place_group: places.iter().map(|&row| counted.row_group[row as usize]).collect(),
    }
}
