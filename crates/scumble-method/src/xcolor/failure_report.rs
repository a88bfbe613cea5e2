//! What is said when no colouring was found.

use super::class::Class;
use super::context::{OtherRequirements, SearchContext};
use super::repair::Colouring;
use scumble_principle::dissimilarity::theory::Classes;
use scumble_table::{Decimal, Error, Ratio};

/// The failure as an error that names what was reached and what would help. For the publisher's eyes: nothing of it
/// goes into a release.
pub(crate) fn not_found(
    colouring: &Colouring<'_>,
    others: &OtherRequirements<'_>,
    classes: Classes,
    suppressing: bool,
) -> Error {
    let context: &SearchContext<'_> = colouring.context;
    let failing = colouring.failing(others);
    let violators: usize = failing.iter().map(|&class| colouring.classes[class].violators(context).len()).sum();
    let risk = colouring.classes.iter().filter(|class| class.len() > 1).map(|class| {
        let near = class.degrees().iter().copied().max().unwrap_or(0);
        Ratio::new(near.into(), class.len() as i128 - 1)
    });
    let risk = risk.max().unwrap_or(Ratio::new(1, 1));
    // Rounded down, so that these very groups meet it.
    let supports = Decimal::new((risk.denom() - risk.numer()) * 10_000 / risk.denom(), 4);
    let beside = failing.iter().filter(|&&class| colouring.excess[class] == 0).count();
    let max_degree = context.max_degree();
    let clique = context.driver.clique();
    let delta = context.delta();
    let capacity = classes.capacity(delta);
    // More than these classes hold may still fit into classes of other sizes: a proof is about all sizes.
    let is_proven =
        clique.rules_out(context.n() as u64, context.least, delta) && clique.is_clique(context.neighbours());
    let status = if is_proven { "proven_infeasible" } else { "unsolved" };
    let figure = |name: &str, value: String| (name.to_string(), value);
    let report = vec![
        figure("status", status.into()),
        figure("max_degree", max_degree.to_string()),
        figure("guaranteed_degree", classes.guaranteed_degree(delta).to_string()),
        figure("clique", clique.rows.to_string()),
        figure("clique_capacity", capacity.to_string()),
        figure("failing_classes", failing.len().to_string()),
        figure("failing_others", beside.to_string()),
        figure("violators", violators.to_string()),
        figure("max_risk", risk.to_string()),
        figure("delta_reached", supports.to_string()),
        figure("class_size", classes.size.to_string()),
        figure("k_reached", colouring.classes.iter().map(Class::len).min().unwrap_or(0).to_string()),
        figure("classes", colouring.classes.len().to_string()),
    ];
    let stopped = if context.is_late() { "the time was over with" } else { "the search ended with" };
    let classes_word = if failing.len() == 1 { "class" } else { "classes" };
    let (found, reached) = match colouring.classes.len() {
        0 => ("the time was over before any class was formed".into(), String::new()),
        n => (
            match beside {
                0 => format!(
                    "{stopped} {} {classes_word} of {n} failing: {violators} rows in them have too many near others",
                    failing.len()
                ),
                _ => format!(
                    "{stopped} {} {classes_word} of {n} failing: {violators} rows in them have too many near others, and {beside} of \
                     them fail another requirement",
                    failing.len()
                ),
            },
            format!("; the worst class reaches a delta of {supports}"),
        ),
    };
    let reason = format!(
        "{found}; {} rows are near one another, pair by pair, and classes of {} rows can hold {capacity} of such; one row is \
         near {max_degree} others, and up to {} are guaranteed to work{reached}",
        clique.rows,
        classes.size,
        classes.guaranteed_degree(delta),
    );
    let suppress =
        if suppressing { "a larger «max_suppressed»" } else { "«max_suppressed», to leave such rows out" };
    let first = if beside == failing.len() && beside > 0 {
        "less of the other requirements"
    } else {
        "a smaller delta or epsilon"
    };
    let hint = format!(
        "{first}, another k, more time with «time_limit», or {suppress}; `advise` under the same distance tells \
         what is within reach"
    );
    Error::NotFound { requirement: context.task.requirements(" and "), reason, hint, report }
}
