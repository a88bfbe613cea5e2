//! Windows by every place they can stand at, and what they imply.

use crate::monotone::runner;
use crate::naive;
use crate::world::{window, world};
use proptest::prelude::*;
use scumble_principle::{BoundRequirements, Group, ProximityInterval, ProximityWindow, Requirement};
use scumble_table::{Attribute, Bag, Decimal, Domain, Error, NULL, Role, Schema};
use std::cell::Cell;

/// Digits after the point at which the numbers and lengths of these tests are whole.
const FINE: u8 = 6;

/// The most rows in a closed window, by all places where that number can change: a window that starts or ends at a
/// number, or one fine unit beside it.
fn fullest(domain: &Domain, group: &Bag, window: &ProximityWindow) -> u64 {
    let length = window.e1().at_scale(FINE).unwrap() + window.e2().at_scale(FINE).unwrap();
    let unit = 10i128.pow((FINE - domain.scale()).into());
    let rows: Vec<(i128, u64)> = group
        .counts()
        .iter()
        .filter(|pair| pair.0 != NULL)
        .map(|&(code, count)| (domain.number(code).unwrap() * unit, u64::from(count)))
        .collect();
    let starts = rows.iter().flat_map(|&(x, _)| [x, x - length]).flat_map(|start| [start - 1, start, start + 1]);
    let inside =
        |start: i128| rows.iter().filter(|row| start <= row.0 && row.0 <= start + length).map(|row| row.1).sum();
    starts.map(inside).max().unwrap_or(0)
}

/// The interval principle with the same parameters.
fn interval(window: &ProximityWindow) -> Requirement {
    Requirement::new(ProximityInterval::new(window.e1(), window.e2(), window.m()).unwrap())
}

#[test]
fn windows_are_those_of_the_definition_and_imply_intervals() {
    const CASES: u32 = 8000;
    let (passing, stricter) = (Cell::new(0), Cell::new(0));
    // Sides in half units of the column, of which two may make a whole one.
    let strategy = (world(1, 14), 0i128..20, 0i128..20, 2u64..5);
    let result = runner(CASES).run(&strategy, |(world, e1, e2, m)| {
        let half = |e: i128| Decimal::new(5 * e, world.domain.scale() + 1);
        let window = ProximityWindow::new(half(e1), half(e2), m).unwrap();
        let (requirement, group) = (Requirement::new(window), &world.groups[0]);
        let most = fullest(&world.domain, group, &window).max(group.count(NULL).into());
        let holds = world.bind(&requirement).holds(group);
        prop_assert_eq!(holds, most * m <= group.size(), "{}", requirement);
        let interval = interval(&window);
        let near = world.bind(&interval).holds(group);
        prop_assert_eq!(near, naive::holds(&interval, &world.domain, &world.whole, group));
        prop_assert!(near || !holds, "{}", requirement);
        passing.set(passing.get() + u32::from(holds));
        stricter.set(stricter.get() + u32::from(near && !holds));
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.unwrap_err());
    let (passing, stricter) = (passing.get(), stricter.get());
    assert!(passing >= 1000 && stricter >= 100, "{passing} passed, {stricter} passed the interval only");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// With nulls, which other proximity principles refuse to publish.
    #[test]
    fn ways_out_of_the_infeasible_are_feasible_and_nearest(world in world(1, 14), text in window()) {
        let (domain, whole) = (&world.domain, &world.groups[0]);
        let column = Attribute { name: "pay".into(), role: Role::Sensitive, domain: domain.clone() };
        let schema = Schema::new(vec![column]).unwrap();
        let check = |requirement: &Requirement| {
            let bound = BoundRequirements::bind(std::slice::from_ref(requirement), &schema, |_| whole.clone()).unwrap();
            bound.feasible(Group { size: whole.size(), bags: std::slice::from_ref(whole) })
        };
        let asked: Requirement = text.parse().unwrap();
        prop_assert_eq!(check(&asked).is_ok(), naive::holds(&asked, domain, whole, whole));
        let Err(Error::Infeasible { reason, allows, .. }) = check(&asked) else { return Ok(()) };
        let ways: Vec<Requirement> = allows.split('`').skip(1).step_by(2).map(|t| t.parse().unwrap()).collect();
        for way in &ways {
            prop_assert_eq!(check(way), Ok(()), "{} -> {}", asked, way);
            let (found, wanted) = (way.get::<ProximityWindow>().unwrap(), asked.get::<ProximityWindow>().unwrap());
            prop_assert!(found.e1() <= wanted.e1() && found.e2() <= wanted.e2() && found.m() <= wanted.m());
            // One more in m, or a window longer by one unit of the column.
            let unit = Decimal::new(1, domain.scale());
            let scale = found.e1().scale().max(domain.scale());
            let longer = Decimal::new(found.e1().at_scale(scale).unwrap() + unit.at_scale(scale).unwrap(), scale);
            let stricter = match found.m() < wanted.m() {
                true => ProximityWindow::new(found.e1(), found.e2(), found.m() + 1),
                false => ProximityWindow::new(longer, found.e2(), found.m()),
            };
            prop_assert!(check(&Requirement::new(stricter.unwrap())).is_err(), "{} -> {}", asked, way);
        }
        let none = reason.contains("no window is short enough");
        prop_assert_eq!(ways.len(), if none { 1 } else { 2 }, "{} {}", reason, allows);
    }
}
