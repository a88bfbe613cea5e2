//! From a request to the partitioner that serves it.

use crate::choice::{Aim, Algorithm, Profile};
use crate::observer::{Observer, Stage};
use crate::publish::bind_published;
use crate::request::PublishRequest;
use scumble_method::epsilon_m::{self, Dealing, EpsilonM};
use scumble_method::mondrian::{Choice, CutRule, Mondrian, Task};
use scumble_method::{Coins, KePermutation};
use scumble_principle::BoundRequirements;
use scumble_table::{Decimal, Partition, Result, Table};

/// Groups, and a remark about them.
pub(crate) struct Divided {
    pub(crate) partition: Partition,
    /// What publisher and readers should know about the groups, without a capital and a full stop. Whoever knows the
    /// algorithm can work out from the published numbers which groups would be the best and see that these are not, so
    /// it tells nothing that the release does not.
    pub(crate) remark: Option<&'static str>,
}

/// Divides the table into groups that meet the requirements.
pub(crate) fn partition(
    table: &Table,
    bound: &BoundRequirements,
    request: &PublishRequest,
    coins: &Coins,
    observer: &dyn Observer,
) -> Result<Divided> {
    observer.begin(Stage::Partition, Some(table.n_rows() as u64));
    let task = Task {
        table,
        bound,
        rebind: &|rows| bind_published(table, request, rows),
        most_suppressed: share_of(request.max_suppressed, table.n_rows()),
        coins,
        tick: &|rows| observer.advance(rows),
    };
    let algorithm = request.chosen_algorithm();
    if let Some(rule) = algorithm.ke_rule() {
        let grouped = KePermutation { rule }.partition(&task)?;
        return Ok(Divided { partition: grouped.partition, remark: grouped.note });
    }
    if algorithm == Algorithm::Proximity || request.about_proximity() {
        if !epsilon_m::is_constructed(bound, table) {
            observer.warn(
                "these requirements together cannot be guaranteed by construction: groups are found by search, each of \
                 them is checked, and the search may find none although there are some",
            );
        }
        return Ok(Divided { partition: epsilon_m(request, algorithm).partition(&task)?, remark: None });
    }
    let mondrian = Mondrian {
        cuts: if algorithm == Algorithm::Paper { CutRule::WidestMedian } else { CutRule::LeastLoss },
        relaxed: algorithm == Algorithm::MondrianRelaxed,
        choice: match request.profile {
            Profile::Standard => Choice::NearTies,
            Profile::Hardened => Choice::AnyOfThree,
            Profile::MaxUtility => Choice::Best,
        },
    };
    Ok(Divided { partition: mondrian.partition(&task)?, remark: None })
}

fn epsilon_m(request: &PublishRequest, algorithm: Algorithm) -> EpsilonM {
    EpsilonM {
        dealing: match (algorithm, request.profile) {
            (Algorithm::Paper, _) => Dealing::Paper,
            (_, Profile::Standard) => Dealing::Drawn,
            (_, Profile::Hardened) => Dealing::Lanes,
            (_, Profile::MaxUtility) => Dealing::Best,
        },
        aim: match request.aim {
            None | Some(Aim::Answers) => epsilon_m::Aim::Answers,
            Some(Aim::Loss) => epsilon_m::Aim::Loss,
        },
    }
}

/// The greatest number of rows whose share is at most `share`.
fn share_of(share: Decimal, rows: usize) -> usize {
    let unit = 10i128.pow(u32::from(share.scale()));
    usize::try_from(share.mantissa() * rows as i128 / unit).unwrap_or(0)
}
