//! Requirements that ask so much of every group that mixtures need no care.

use super::MixtureWay;
use crate::job::Algorithm;
use crate::job::Plan;
use scumble_principle::dissimilarity::theory;
use scumble_principle::{
    Dissimilarity, ProximityAbsolute, ProximityInterval, ProximityRelative, ProximityWindow, Requirement, Spec,
};
use scumble_table::Decimal;

/// The plan with what a way asks instead of the requirements that groups may fail together; nothing where the way has no
/// answer to one of them.
pub(super) fn stricter(plan: &Plan, way: MixtureWay) -> Option<Plan> {
    let ask = match way {
        MixtureWay::Doubled => doubled,
        MixtureWay::Wider | MixtureWay::Repair => wider,
        MixtureWay::Window => window,
        MixtureWay::Usual | MixtureWay::Disjoint => return None,
    };
    let mut requirements: Vec<Requirement> = Vec::new();
    for requirement in &plan.requirements {
        let stricter = Requirement { column: requirement.column.clone(), spec: ask(&requirement.spec)? };
        if !requirements.contains(&stricter) {
            requirements.push(stricter);
        }
    }
    if way == MixtureWay::Window {
        // Batches of the angel algorithm are formed without regard to boxes.
        let algorithm = (!plan.method.is_exact()).then_some(Algorithm::Mondrian);
        return Some(Plan { aim: None, ..plan.with_requirements(requirements, algorithm) });
    }
    Some(plan.with_requirements(requirements, plan.named_algorithm))
}

/// Half the share.
///
/// What lies in the neighbourhood of v, v itself not being in the group, lies in that of the greatest member below v or in
/// that of the least above, since the ends of neighbourhoods rise with the number. So at most twice the share of a member is
/// near v. Under a distance that obeys the triangle inequality nothing of the kind holds, and it is only tried.
fn doubled(spec: &Spec) -> Option<Spec> {
    Some(match spec {
        Spec::ProximityAbsolute(p) => {
            Spec::ProximityAbsolute(ProximityAbsolute::new(p.epsilon(), p.m().checked_mul(2)?).ok()?)
        }
        Spec::ProximityRelative(p) => {
            Spec::ProximityRelative(ProximityRelative::new(p.epsilon(), p.m().checked_mul(2)?).ok()?)
        }
        Spec::ProximityInterval(p) => {
            Spec::ProximityInterval(ProximityInterval::new(p.e1(), p.e2(), p.m().checked_mul(2)?).ok()?)
        }
        Spec::Dissimilarity(p) => {
            // 1 - (1 - delta) / 2 = (1 + delta) / 2.
            let delta = Decimal::new(
                p.delta().mantissa().checked_add(unit(p.delta())?)?.checked_mul(5)?,
                p.delta().scale() + 1,
            );
            Spec::Dissimilarity(Dissimilarity::new(p.epsilon(), delta, p.k().checked_mul(2)?).ok()?)
        }
        other => other.clone(),
    })
}

/// Members so far apart that the neighbourhood of no value holds two of them: then it holds one row of m at most.
///
/// Numbers x < y lie in a common neighbourhood [v - e1, v + e2] only if y - x <= e1 + e2. Relative ones do if
/// v (1 - epsilon) <= x and y <= v (1 + epsilon), so that (y - x) / y <= 2 epsilon / (1 + epsilon). Under a distance that
/// obeys the triangle inequality values within epsilon of v are within 2 epsilon of each other.
fn wider(spec: &Spec) -> Option<Spec> {
    let apart = |length: Decimal, m: u64| Some(Spec::ProximityAbsolute(ProximityAbsolute::new(length, m).ok()?));
    match spec {
        Spec::ProximityAbsolute(p) => apart(sum(p.epsilon(), p.epsilon())?, p.m()),
        Spec::ProximityInterval(p) => apart(sum(p.e1(), p.e2())?, p.m()),
        Spec::ProximityRelative(p) => {
            const DIGITS: u8 = 9;
            let (part, unit) = (p.epsilon().mantissa(), unit(p.epsilon())?);
            let scaled = part.checked_mul(2)?.checked_mul(10i128.pow(DIGITS.into()))?;
            let least = scaled.checked_add(unit + part - 1)? / (unit + part);
            Some(Spec::ProximityRelative(ProximityRelative::new(Decimal::new(least, DIGITS), p.m()).ok()?))
        }
        Spec::Dissimilarity(p) => {
            let (delta, k) = spared(p.delta(), p.k())?;
            Some(Spec::Dissimilarity(Dissimilarity::new(sum(p.epsilon(), p.epsilon())?, delta, k).ok()?))
        }
        other => Some(other.clone()),
    }
}

/// A delta and a k such that a group of n >= k rows which meets them has at most a share 1 - delta of *all* its rows near a
/// member, that member included: floor((1 - delta') (n - 1)) + 1 <= (1 - delta) n. The value of another group stands for
/// one more row than the others of a member.
fn spared(delta: Decimal, k: u64) -> Option<(Decimal, u64)> {
    const DIGITS: u8 = 4;
    let (unit, left) = (unit(delta)?, unit(delta)? - delta.mantissa());
    if left <= 0 {
        return None;
    }
    // A group in which one row may be near has 1 / (1 - delta) rows.
    let k = k.max(u64::try_from((unit + left - 1) / left).ok()?).max(theory::LEAST_SIZE);
    let fits = |left_in: i128| {
        let delta = Decimal::new(10i128.pow(DIGITS.into()) - left_in, DIGITS);
        // Groups are near the least size; one that were larger than this would be found out by the criterion.
        (k..=k.saturating_mul(64)).all(|n| {
            let near = i128::from(theory::allowed(n, delta)) + 1;
            near.checked_mul(unit).is_some_and(|near| near <= left * i128::from(n))
        })
    };
    // The largest share of four digits that fits.
    let most = left.checked_mul(10i128.pow(DIGITS.into()))? / unit;
    let left_in = (0..=most).rev().find(|&left_in| fits(left_in))?;
    Some((Decimal::new(10i128.pow(DIGITS.into()) - left_in, DIGITS), k))
}

/// Windows, which survive joining; relative neighbourhoods and distances have none.
fn window(spec: &Spec) -> Option<Spec> {
    let window = |e1, e2, m| Some(Spec::ProximityWindow(ProximityWindow::new(e1, e2, m).ok()?));
    match spec {
        Spec::ProximityAbsolute(p) => window(p.epsilon(), p.epsilon(), p.m()),
        Spec::ProximityInterval(p) => window(p.e1(), p.e2(), p.m()),
        Spec::ProximityRelative(_) | Spec::Dissimilarity(_) => None,
        other => Some(other.clone()),
    }
}

fn unit(number: Decimal) -> Option<i128> {
    10i128.checked_pow(number.scale().into())
}

fn sum(a: Decimal, b: Decimal) -> Option<Decimal> {
    let scale = a.scale().max(b.scale());
    Some(Decimal::new(a.at_scale(scale)?.checked_add(b.at_scale(scale)?)?, scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(way: MixtureWay, text: &str) -> Option<String> {
        let plan = Plan { requirements: vec![text.parse().unwrap()], ..Plan::new(crate::plan::Input::file("x")) };
        Some(stricter(&plan, way)?.requirements[0].to_string())
    }

    #[test]
    fn every_way_asks_for_more() {
        let doubled = |text: &str| asked(MixtureWay::Doubled, text).unwrap();
        assert_eq!(doubled("pay: proximity-absolute(3000, 5)"), "pay: proximity-absolute(3000, 10)");
        assert_eq!(doubled("proximity-relative(0.1, 3)"), "proximity-relative(0.1, 6)");
        assert_eq!(doubled("dissimilarity(0.05, 0.8, 6)"), "dissimilarity(0.05, 0.9, 12)");
        assert_eq!(doubled("k-anonymity(4)"), "k-anonymity(4)");
        let wider = |text: &str| asked(MixtureWay::Wider, text).unwrap();
        assert_eq!(wider("proximity-absolute(1.5, 5)"), "proximity-absolute(3, 5)");
        assert_eq!(wider("proximity-interval(1, 0.25, 5)"), "proximity-absolute(1.25, 5)");
        // 0.2 / 1.1, rounded up.
        assert_eq!(wider("proximity-relative(0.1, 5)"), "proximity-relative(0.181818182, 5)");
        assert_eq!(asked(MixtureWay::Window, "proximity-interval(1, 2, 5)").unwrap(), "proximity-window(1, 2, 5)");
        assert_eq!(asked(MixtureWay::Window, "proximity-relative(0.1, 5)"), None);
        assert_eq!(asked(MixtureWay::Usual, "proximity-absolute(1, 5)"), None);
    }

    #[test]
    fn a_group_spares_a_row_for_others() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        for (delta, k) in [("0.8", 6), ("0.8", 10), ("0.5", 2), ("0.9", 11), ("0.75", 40), ("0.35", 3), ("0.99", 7)] {
            let (stricter, least) = spared(decimal(delta), k).unwrap();
            assert!(least >= k && stricter >= decimal(delta), "{delta} {k}");
            for n in least..2000 {
                let near = (theory::allowed(n, stricter) + 1) as f64;
                assert!(near <= (1.0 - decimal(delta).to_f64()) * n as f64 + 1e-9, "{delta} {k} {n}");
            }
        }
        // Two of ten may be near: the value itself, and one more.
        let (delta, k) = spared(decimal("0.8"), 10).unwrap();
        assert_eq!((theory::allowed(10, delta), k), (1, 10));
        assert_eq!(spared(decimal("1"), 10), None);
    }
}
