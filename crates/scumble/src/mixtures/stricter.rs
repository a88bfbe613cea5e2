//! Requirements that ask so much of every group that mixtures need no care.

use super::MixtureStrategy;
use crate::job::{Algorithm, Plan};
use scumble_principle::{Requirement, Stricter};

/// The request with what a way asks instead of the requirements that groups may fail together; nothing where the way has no
/// answer to one of them.
pub(super) fn stricter(plan: &Plan, way: MixtureStrategy) -> Option<Plan> {
    let form = match way {
        MixtureStrategy::Doubled => Stricter::HalfShare,
        MixtureStrategy::Wider | MixtureStrategy::Repair => Stricter::Wider,
        MixtureStrategy::Window => Stricter::Monotone,
        MixtureStrategy::Usual | MixtureStrategy::Disjoint => return None,
    };
    let mut requirements: Vec<Requirement> = Vec::new();
    for requirement in &plan.requirements {
        let stricter = match requirement.entry().monotone {
            true => requirement.clone(),
            false => requirement.with_principle(requirement.principle().stricter(form)?),
        };
        if !requirements.contains(&stricter) {
            requirements.push(stricter);
        }
    }
    if way == MixtureStrategy::Window {
        // Batches of the angel algorithm are formed without regard to boxes.
        let algorithm = (!plan.method.is_exact()).then_some(Algorithm::Mondrian);
        return Some(plan.with_requirements(requirements, algorithm).without_aim());
    }
    Some(plan.with_requirements(requirements, plan.named_algorithm))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Publish};

    fn asked(way: MixtureStrategy, text: &str) -> Option<String> {
        let job = Job::new().quasi(["age"]).sensitive(["pay"]).require(text).unwrap();
        let job = match text.starts_with("dissimilarity") {
            true => Job { publish: Publish { distance: "pay:rank".parse().ok(), ..job.publish }, ..job },
            false => job,
        };
        Some(stricter(&Plan::new(&job).unwrap(), way)?.requirements[0].to_string())
    }

    #[test]
    fn every_way_asks_for_more() {
        let doubled = |text: &str| asked(MixtureStrategy::Doubled, text).unwrap();
        assert_eq!(doubled("pay: proximity-absolute(3000, 5)"), "pay: proximity-absolute(3000, 10)");
        assert_eq!(doubled("proximity-relative(0.1, 3)"), "proximity-relative(0.1, 6)");
        assert_eq!(doubled("dissimilarity(0.05, 0.8, 6)"), "dissimilarity(0.05, 0.9, 12)");
        assert_eq!(doubled("k-anonymity(4)"), "k-anonymity(4)");
        let wider = |text: &str| asked(MixtureStrategy::Wider, text).unwrap();
        assert_eq!(wider("proximity-absolute(1.5, 5)"), "proximity-absolute(3, 5)");
        assert_eq!(wider("proximity-interval(1, 0.25, 5)"), "proximity-absolute(1.25, 5)");
        // 0.2 / 1.1, rounded up.
        assert_eq!(wider("proximity-relative(0.1, 5)"), "proximity-relative(0.181818182, 5)");
        assert_eq!(asked(MixtureStrategy::Window, "proximity-interval(1, 2, 5)").unwrap(), "proximity-window(1, 2, 5)");
        assert_eq!(asked(MixtureStrategy::Window, "proximity-relative(0.1, 5)"), None);
        assert_eq!(asked(MixtureStrategy::Usual, "proximity-absolute(1, 5)"), None);
    }
}
