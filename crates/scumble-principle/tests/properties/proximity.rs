//! Theorems 1 and 2 of the paper on proximity against every division of small tables, and the
//! bounds that follow from them.

use crate::naive;
use crate::world::proximity;
use proptest::prelude::*;
use scumble_principle::proximity::theory;
use scumble_principle::{BoundRequirements, Group, Near, Neighbourhood, ProximityRelative, Requirement};
use scumble_table::{Attribute, Bag, Code, Decimal, Domain, Error, Ratio, Role, Schema};

/// Whether some division of the rows into groups passes in every group, by trying them all: each
/// row joins one of the groups so far or starts a new one.
fn divides(rows: &[Code], groups: &mut Vec<Vec<Code>>, passes: &dyn Fn(&[Code]) -> bool) -> bool {
    let Some((&row, rest)) = rows.split_first() else { return groups.iter().all(|group| passes(group)) };
    for at in 0..=groups.len() {
        if at == groups.len() {
            groups.push(Vec::new());
        }
        groups[at].push(row);
        let found = divides(rest, groups, passes);
        groups[at].pop();
        if groups[at].is_empty() {
            groups.pop();
        }
        if found {
            return true;
        }
    }
    false
}

fn brute_force(requirement: &Requirement, domain: &Domain, rows: &[Code]) -> bool {
    let whole = Bag::from_codes(rows.iter().copied());
    let passes = |group: &[Code]| naive::holds(requirement, domain, &whole, &Bag::from_codes(group.iter().copied()));
    divides(rows, &mut Vec::new(), &passes)
}

/// A small table of numbers: whole ones around 0, decimals, or numbers of 15 digits, with ties.
fn table(most: usize) -> impl Strategy<Value = (Domain, Vec<Code>)> {
    let steps = prop_oneof![Just(1i128), Just(125), Just(123_456)];
    let base = prop_oneof![3 => Just(0i128), 1 => Just(999_999_999_999_000), 1 => Just(-100_000_000_000_000)];
    (proptest::collection::vec(-12i128..24, 1..=most), steps, base, 0u8..4).prop_map(|(numbers, step, base, scale)| {
        let numbers: Vec<Decimal> = numbers.into_iter().map(|x| Decimal::new(base + x * step, scale)).collect();
        let domain = Domain::numbers(numbers.clone()).unwrap();
        let rows = numbers.iter().map(|x| domain.code_of(&x.to_string()).unwrap()).collect();
        (domain, rows)
    })
}

/// The same requirement with an epsilon at, or one unit around, a distance that the table has.
fn at_a_distance(domain: &Domain, rows: &[Code], (a, b, kind, nudge): (usize, usize, u8, i128), m: u64) -> Requirement {
    let (x, y) = (domain.number(rows[a % rows.len()]).unwrap(), domain.number(rows[b % rows.len()]).unwrap());
    let apart = Decimal::new(((x - y).abs() + nudge).max(0), domain.scale());
    let text = match kind {
        0 => format!("proximity-absolute({apart}, {m})"),
        1 => format!("proximity-interval({apart}, {}, {m})", Decimal::new((x - y).abs() / 2, domain.scale())),
        2 => format!("proximity-interval(0, {apart}, {m})"),
        _ => {
            // 1/2, 1/4, ... as decimals; the exact flips are checked below.
            let share = [500, 250, 200, 125][a % 4] + if nudge < 0 { -1 } else { 0 };
            format!("proximity-relative({}, {m})", Decimal::new(share, 3))
        }
    };
    text.parse().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn theorem_1_says_what_all_divisions_say(
        (domain, rows) in table(8), text in proximity(), nulls in 0usize..3,
    ) {
        let requirement: Requirement = text.parse().unwrap();
        // Null is a value like another here, though publishing refuses it.
        let rows: Vec<Code> = rows.into_iter().skip(nulls).chain(std::iter::repeat_n(0, nulls)).collect();
        let whole = Bag::from_codes(rows.iter().copied());
        let test = requirement.principle().bind(&domain, &whole).unwrap();
        prop_assert_eq!(test.generalizable(&whole), brute_force(&requirement, &domain, &rows), "{} {:?}", requirement, rows);
    }

    #[test]
    fn theorem_1_holds_on_the_boundary(
        (domain, rows) in table(7), place in (0usize..7, 0usize..7, 0u8..4, -1i128..=1), m in 1u64..5,
    ) {
        let requirement = at_a_distance(&domain, &rows, place, m);
        let whole = Bag::from_codes(rows.iter().copied());
        let test = requirement.principle().bind(&domain, &whole).unwrap();
        prop_assert_eq!(test.generalizable(&whole), brute_force(&requirement, &domain, &rows), "{} {:?}", requirement, rows);
        prop_assert_eq!(test.holds(&whole), naive::holds(&requirement, &domain, &whole, &whole), "{}", requirement);
    }

    #[test]
    fn theorem_2_is_where_feasibility_flips((domain, rows) in table(7), m in 1u64..9) {
        let whole = Bag::from_codes(rows.iter().copied());
        let feasible = |text: String| brute_force(&text.parse().unwrap(), &domain, &rows);
        let absolute = |epsilon: Decimal| feasible(format!("proximity-absolute({epsilon}, {m})"));
        let lower = |epsilon: Decimal| feasible(format!("proximity-interval({epsilon}, 0, {m})"));
        let upper = |epsilon: Decimal| feasible(format!("proximity-interval(0, {epsilon}, {m})"));
        match theory::epsilon_supremum(&domain, &whole, m) {
            None => prop_assert!(m == 1 && absolute(Decimal::from(10i64.pow(17)))),
            Some(supremum) => {
                prop_assert!(!absolute(supremum) && !lower(supremum) && !upper(supremum));
                match theory::epsilon_largest(supremum, domain.scale()) {
                    Some(largest) => {
                        prop_assert!(largest < supremum && absolute(largest) && lower(largest) && upper(largest));
                    }
                    None => prop_assert!(supremum == Decimal::ZERO),
                }
            }
        }
    }

    #[test]
    fn the_relative_supremum_is_where_feasibility_flips((domain, rows) in table(7), m in 1u64..9) {
        let whole = Bag::from_codes(rows.iter().copied());
        // Parameters are decimals, so the flip is tried between neighbours of eighteen digits.
        let digits = |share: Ratio| share.numer() * 10i128.pow(18) / share.denom();
        let feasible = |digits: i128| {
            let spec = scumble_principle::ProximityRelative::new(Decimal::new(digits, 18), m).unwrap();
            brute_force(&Requirement::new(spec), &domain, &rows)
        };
        match theory::relative_supremum(&domain, &whole, m) {
            None => prop_assert!(m == 1 && feasible(10i128.pow(18) - 1)),
            Some(supremum) => {
                prop_assert!(supremum <= Ratio::from(1));
                let at = digits(supremum);
                let exact = Ratio::new(at, 10i128.pow(18)) == supremum;
                if supremum < Ratio::from(1) {
                    let beyond = if exact { at } else { at + 1 };
                    prop_assert!(!feasible(beyond));
                }
                if supremum > Ratio::from(0) {
                    let below = if exact { at - 1 } else { at };
                    prop_assert!(feasible(below));
                }
                match theory::relative_largest(supremum) {
                    Some(largest) => {
                        prop_assert!(Ratio::from(largest) < supremum && feasible(largest.at_scale(18).unwrap()));
                    }
                    None => prop_assert!(supremum == Ratio::from(0) && !feasible(0)),
                }
            }
        }
    }

    #[test]
    fn neighbourhoods_are_those_of_the_definition((domain, _) in table(12), text in proximity()) {
        let requirement: Requirement = text.parse().unwrap();
        let (near, _) = requirement.principle().proximity().unwrap();
        let found = Neighbourhood::new(&domain, near).unwrap();
        let is_near = |x: Code, y: Code| {
            let (x, y) = (Ratio::new(domain.number(x).unwrap(), 1), Ratio::new(domain.number(y).unwrap(), 1));
            let apart = Ratio::new((x.numer() - y.numer()).abs(), 10i128.pow(domain.scale().into()));
            match near {
                Near::Interval { below, above } => apart <= Ratio::from(if y < x { below } else { above }),
                Near::Relative(epsilon) => {
                    let (p, q) = (Ratio::from(epsilon).numer(), Ratio::from(epsilon).denom());
                    q * (x.numer() - y.numer()).abs() <= p * x.numer().abs()
                }
            }
        };
        for x in domain.codes() {
            let run: Vec<Code> = domain.codes().filter(|&y| is_near(x, y)).collect();
            prop_assert_eq!((found.first(x), found.last(x)), (run[0], run[run.len() - 1]));
            prop_assert_eq!(run.len() as u32, found.last(x) - found.first(x) + 1);
            let reach = domain.codes().filter(|&y| y >= x && (is_near(x, y) || is_near(y, x))).max();
            prop_assert_eq!(Some(found.reach(x)), reach);
            for y in domain.codes() {
                prop_assert_eq!(found.conflict(x, y), is_near(x, y) || is_near(y, x));
            }
        }
        let bag = Bag::from_codes(domain.codes().chain(domain.codes().step_by(2)));
        prop_assert_eq!(theory::maxsize_at(&domain, &bag, near), theory::maxsize(&bag, &found));
        prop_assert!(domain.codes().skip(1).all(|x| found.reach(x - 1) <= found.reach(x)));
    }

    #[test]
    fn ways_out_of_the_infeasible_are_feasible_and_nearest((domain, rows) in table(12), text in proximity()) {
        let requirement: Requirement = text.parse().unwrap();
        let whole = Bag::from_codes(rows.iter().copied());
        let column = Attribute { name: "pay".into(), role: Role::Sensitive, domain: domain.clone() };
        let schema = Schema::new(vec![column]).unwrap();
        let check = |requirement: &Requirement| {
            let bound = BoundRequirements::bind(std::slice::from_ref(requirement), &schema, |_| whole.clone()).unwrap();
            bound.feasible(Group { size: whole.size(), bags: std::slice::from_ref(&whole) })
        };
        match check(&requirement) {
            Ok(()) => {}
            Err(Error::Infeasible { allows, reason, .. }) => {
                let ways: Vec<Requirement> = allows.split('`').skip(1).step_by(2).map(|t| t.parse().unwrap()).collect();
                for way in &ways {
                    prop_assert_eq!(check(way), Ok(()), "{} -> {}", requirement, way);
                    prop_assert!(check(&stricter(way, &requirement, &domain)).is_err(), "{} -> {}", requirement, way);
                }
                let none = reason.contains("no epsilon is small enough");
                prop_assert_eq!(ways.len(), if none { 1 } else { 2 }, "{} {}", reason, allows);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

/// One step back from a way out towards what was asked: one more in m, or the next epsilon.
fn stricter(way: &Requirement, asked: &Requirement, domain: &Domain) -> Requirement {
    let unit = Decimal::new(1, domain.scale());
    let next = |e: Decimal| {
        let scale = e.scale().max(unit.scale());
        Decimal::new(e.at_scale(scale).unwrap() + unit.at_scale(scale).unwrap(), scale)
    };
    let (name, (near, m)) = (way.name(), way.principle().proximity().unwrap());
    assert_eq!(name, asked.name(), "a way out keeps the principle");
    let fewer = m < asked.principle().proximity().unwrap().1;
    let text = match near {
        Near::Interval { below, .. } if name == "proximity-absolute" => match fewer {
            true => format!("{name}({below}, {})", m + 1),
            false => format!("{name}({}, {m})", next(below)),
        },
        Near::Interval { below, above } if fewer => format!("{name}({below}, {above}, {})", m + 1),
        Near::Interval { below, above } => format!("{name}({}, {above}, {m})", next(below.max(above))),
        Near::Relative(epsilon) if fewer => format!("{name}({epsilon}, {})", m + 1),
        // A usable figure, not the greatest: four digits, so a step of one in a thousand goes too far.
        Near::Relative(epsilon) => {
            let up = Decimal::new(epsilon.mantissa() * 1002 + 200, epsilon.scale() + 3);
            let most = asked.get::<ProximityRelative>().unwrap().epsilon();
            format!("{name}({}, {m})", up.min(most))
        }
    };
    text.parse().unwrap()
}
