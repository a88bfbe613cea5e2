//! What a reader of an angel release can infer about somebody whose quasi-identifiers are known.

use super::super::census::Census;
use super::super::verdict::{Verdict, problems};
use super::Angelized;
use super::synthesis::{Synthesis, note_mixtures};
use crate::manifest::Manifest;
use scumble_principle::{Requirement, Spec};
use scumble_table::{Error, Result};

/// Notes what a reader of an angel release can infer who knows somebody's bucket.
pub(in crate::verify) fn infer(
    tables: &Angelized,
    censuses: &[Census],
    manifest: &Manifest,
    stated: &[Requirement],
    verdict: &mut Verdict,
) -> Result<()> {
    note_bucket_sizes(tables, bucket_size(manifest, stated), verdict);
    for view in &tables.views {
        let synthesis = Synthesis::of(view);
        for (census, requirement) in censuses.iter().flat_map(|census| stated.iter().map(move |r| (census, r))) {
            let check = format!("require[{requirement}]");
            // Where it makes no sense at all that has been noted.
            let Some(on_batches) = verdict.checks.iter().find(|known| known.name == check).map(|known| known.ok) else {
                continue;
            };
            let noted = note_mixtures(view, &synthesis, census, requirement, on_batches, verdict);
            match noted {
                Err(Error::Request { .. } | Error::Data { .. }) => {}
                other => other?,
            }
        }
    }
    Ok(())
}

/// How many people share each box of an angel release: what it states, and what k-anonymity asks of groups.
pub(in crate::verify) fn bucket_size(manifest: &Manifest, stated: &[Requirement]) -> u64 {
    let required = stated.iter().map(|requirement| match &requirement.spec {
        Spec::KAnonymity(principle) => principle.k(),
        _ => 1,
    });
    required.chain(manifest.angel_k).max().unwrap_or(1)
}

/// Notes whether every bucket of every table has its people.
fn note_bucket_sizes(tables: &Angelized, k: u64, verdict: &mut Verdict) {
    for view in &tables.views {
        let small = view.page.sizes.iter().filter(|&&size| u64::from(size) < k).count();
        let least = view.page.sizes.iter().min().copied().unwrap_or(0);
        let n = view.page.sizes.len();
        let list = if small > 0 {
            vec![format!("{small} of {n} buckets have fewer than {k} people, the least {least}")]
        } else {
            Vec::new()
        };
        verdict.note(
            format!("boxes-k[{}]", view.name),
            problems(list, || format!("{n} buckets of at least {least} people")),
        );
    }
}
