//! What a reader of an angel release can infer about somebody whose quasi-identifiers are known.

use super::join::{Joined, joined};
use super::synthesis::{Synthesis, note_mixtures};
use crate::census::Census;
use crate::verdict::Verdict;
use scumble_principle::Requirement;
use scumble_release::{Angelized, Manifest, PublishedTables};
use scumble_table::{Counted, Error, Result, number_of};

/// The check of what several tables of boxes tell together.
pub(crate) const JOINED: &str = "joined";

/// Notes what a reader of an angel release can infer who knows somebody's bucket.
pub(crate) fn infer(
    tables: &Angelized,
    censuses: &[Census],
    manifest: &Manifest,
    stated: &[Requirement],
    join_k: Option<u64>,
    verdict: &mut Verdict,
) -> Result<()> {
    let k = bucket_size(manifest, stated);
    note_bucket_sizes(tables, k, verdict);
    if tables.views.len() > 1 {
        verdict.joined = joined(tables, join_k.unwrap_or(k), manifest.row());
    }
    for view in &tables.views {
        let synthesis = Synthesis::from_table(view);
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

/// Notes how far several tables narrow people down, which is a fault where they must not beyond `join_k`. It comes last,
/// since a source says more about it. `row` says what a row is: a person where nobody has several.
pub(crate) fn note_joined(
    tables: &PublishedTables,
    row: Counted,
    join_k: Option<u64>,
    verdict: &mut Verdict,
) -> Result<()> {
    if join_k == Some(0) {
        return Err(Error::request("join_k", "0", "everybody is among at least one person").hint("such as «join_k» 2"));
    }
    match (tables, join_k) {
        (PublishedTables::Angel(tables), Some(_)) if verdict.joined.is_none() => {
            // One table alone leaves everybody among the people of a bucket.
            let sizes = tables.views.iter().flat_map(|view| &view.boxed.sizes);
            let least = sizes.min().copied().unwrap_or(0).into();
            verdict.joined = Some(Joined { tables: 1, k: least, counted: row, narrowed: 0, exact: true, least });
        }
        (PublishedTables::Angel(_), _) | (_, None) => {}
        (_, Some(k)) => {
            let reason = "only an angel release has tables that can be joined";
            return Err(Error::request("join_k", k.to_string(), reason));
        }
    }
    if let Some(joined) = verdict.joined {
        let enough = join_k.is_none_or(|k| joined.least >= k);
        let words = joined.summary();
        verdict.note(JOINED, if enough { Ok(words) } else { Err(words) });
    }
    Ok(())
}

/// How many people share each box of an angel release: what it states, and what k-anonymity asks of groups.
pub(crate) fn bucket_size(manifest: &Manifest, stated: &[Requirement]) -> u64 {
    let required = stated.iter().filter_map(|requirement| requirement.principle().least_people());
    required.chain(manifest.angel_k).max().unwrap_or(1)
}

/// Notes whether every bucket of every table has its rows.
fn note_bucket_sizes(tables: &Angelized, k: u64, verdict: &mut Verdict) {
    for view in &tables.views {
        let small = view.boxed.sizes.iter().filter(|&&size| u64::from(size) < k).count();
        let least = view.boxed.sizes.iter().min().copied().unwrap_or(0);
        let n = view.boxed.sizes.len();
        let found = match small {
            0 if n == 1 => Ok(format!("1 bucket of {}", number_of(least.into(), "row", "rows"))),
            0 => Ok(format!("{n} buckets of at least {}", number_of(least.into(), "row", "rows"))),
            1 => Err(format!("1 of {n} buckets has fewer than {k} rows, {least}")),
            _ => Err(format!("{small} of {n} buckets have fewer than {k} rows, the least {least}")),
        };
        verdict.note(format!("boxes-k[{}]", view.name), found);
    }
}
