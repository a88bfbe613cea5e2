//! What the tables of an angel release tell together, in a sentence for its publisher.

use crate::output::{counted as number_of, grouped};
use scumble::Joined;

/// What the tables tell joined by batch.
pub(crate) fn joined_note(joined: &Joined) -> String {
    let Joined { tables, k, counted, narrowed, least, exact } = joined;
    let (all, left) = (counted.everybody(), number_of(*least, counted.one(), counted.many()));
    match narrowed {
        0 if *tables == 1 => format!("the table leaves {all} among at least {left}"),
        0 => format!("joined by batch, the {tables} tables leave {all} among at least {left}"),
        _ => {
            let leave = if *exact { "leave" } else { "may leave up to" };
            let how = if *exact { "" } else { "; verify --source counts exactly" };
            format!(
                "joined by batch, the {tables} tables {leave} {} {} among fewer than {k} {}, the least among {least}: the \
                 requirements hold, but who is in the release is hidden less (--join-k refuses this{how})",
                grouped(*narrowed),
                counted.noun(*narrowed),
                counted.many()
            )
        }
    }
}
