//! Requirements tied to tables: what is refused as infeasible and what is suggested instead, and the ends of the ranges of
//! epsilon, delta and k.

use super::graph::Graph;
use super::{Release, codes, schema};
use crate::dice::Dice;
use crate::distance::Table;
use scumble_principle::{BoundRequirements, Dissimilarity, Group, JointColumns, LoadedDistance, Requirement};
use scumble_table::{Attribute, Bag, Cancellation, Code, Codes, Decimal, Domain, Error, Role, Schema};

fn ruler(text: &str) -> LoadedDistance {
    LoadedDistance::new(text.parse().unwrap(), |_| Err(Error::bug("no files"))).unwrap()
}

/// One column of numbers from 0 to 10, all of which its domain has, under `range(0, 10)`.
fn numbers(rows: &[i64], text: &str) -> Release {
    let domain = Domain::numbers((0..=10).map(Decimal::from).collect()).unwrap();
    let codes: Codes = rows.iter().map(|&number| number as Code + 1).collect();
    let schema = Schema::new(vec![Attribute { name: "pay".into(), role: Role::Sensitive, domain }]).unwrap();
    let all: Vec<u32> = (0..rows.len() as u32).collect();
    Release::new(&schema, vec![codes], &ruler("range(0, 10)"), &[text], &all).unwrap()
}

fn feasible(rows: &[i64], text: &str) -> Result<(), Error> {
    let release = numbers(rows, text);
    let bags = release.bags(&(0..rows.len() as u32).collect::<Vec<_>>());
    release.bound.feasible(Group { size: rows.len() as u64, bags: &bags })
}

#[test]
fn refusals_say_why_and_what_is_left() {
    let rows: Vec<i64> = vec![1, 1, 1, 1, 2, 2, 2, 9, 5, 7];
    for (text, said) in [
        (
            "dissimilarity(0.1, 0.5, 3)",
            "no release of this data can meet `dissimilarity(0.1, 0.5, 3)`: 7 of 10 rows have values within 0.1 of one \
             another, pair by pair, and groups of at least 3 rows that meet a delta of 0.5 cannot hold so many; \
             hint: `dissimilarity(0.1, 0.3333, 3)` is not ruled out in this way, but may be out of reach too",
        ),
        (
            "pay: dissimilarity(0.1, 1, 6)",
            "10 rows have no room for two groups of at least 6, and all together they attain a delta of 0.3333; \
             hint: the data allows at most `pay: dissimilarity(0.1, 0.3333, 6)`",
        ),
        (
            "dissimilarity(0.1, 0.2, 11)",
            "the table has 10 rows; hint: the data allows at most `dissimilarity(0.1, 0.2, 10)`",
        ),
        (
            "dissimilarity(0.1, 0.9, 11)",
            "the table has 10 rows; hint: the data allows at most `dissimilarity(0.1, 0.3333, 10)`",
        ),
    ] {
        let error = feasible(&rows, text).unwrap_err();
        assert!(error.to_string().contains(said), "{error}\n{said}");
        assert_eq!(error.exit_code(), 1);
    }
    assert_eq!(feasible(&rows, "dissimilarity(0.1, 0.3333, 3)"), Ok(()));
    assert_eq!(feasible(&rows, "dissimilarity(0.1, 0.3333, 6)"), Ok(()));
    let one = feasible(&[3], "dissimilarity(0.1, 0, 1)").unwrap_err().to_string();
    assert!(one.contains("the table has 1 row; hint: the data allows no `dissimilarity`"), "{one}");
    let none = feasible(&[], "dissimilarity(0.1, 0, 1)").unwrap_err().to_string();
    assert!(none.contains("the table has no rows"), "{none}");
}

/// On small tables: nothing that some partition meets is refused, what is suggested is not refused in turn, and no
/// partition meets more than what is suggested.
#[test]
fn suggestions_are_upper_bounds() {
    let (mut bounds, mut exact) = (0, 0);
    for seed in 0..3000 {
        let mut dice = Dice::new(seed);
        let most = dice.between(1, 10);
        let rows: Vec<i64> = (0..dice.between(1, 8)).map(|_| dice.below(most + 1) as i64).collect();
        let (epsilon, k) = (dice.below(4) as i64, dice.between(1, 9) as u64);
        let n = rows.len();
        let pairs = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
        let near: Vec<(usize, usize)> = pairs.filter(|&(a, b)| (rows[a] - rows[b]).abs() <= epsilon).collect();
        let graph = Graph::new(n, &near);
        let delta = Decimal::new(dice.between(0, 20) as i128 * 5, 2);
        let text = format!("dissimilarity(0.{epsilon}, {delta}, {k})");
        let error = match feasible(&rows, &text) {
            Ok(()) => continue,
            Err(error) => error,
        };
        assert!(!graph.is_feasible(k, delta), "seed {seed}: {text} of {rows:?}");
        let Error::Infeasible { allows, .. } = &error else { panic!("seed {seed}: {error}") };
        let Some(suggested) = allows.split('`').nth(1).filter(|_| !allows.contains("allows no")) else {
            assert_eq!(n, 1, "seed {seed}: {error}");
            continue;
        };
        assert_eq!(feasible(&rows, suggested), Ok(()), "seed {seed}: {error}");
        let open = *suggested.parse::<Requirement>().unwrap().get::<Dissimilarity>().unwrap();
        assert!(
            open.k() <= k
                && open.delta() <= delta
                && open.epsilon().to_string() == format!("0.{epsilon}").replace(".0", "")
        );
        if allows.contains("may be out of reach") {
            // One unit more is ruled out, and out of reach.
            let more = Decimal::new(open.delta().at_scale(4).unwrap() + 1, 4);
            let text = format!("dissimilarity({}, {more}, {k})", open.epsilon());
            assert!(feasible(&rows, &text).is_err() && !graph.is_feasible(k, more), "seed {seed}: {text}");
            assert_eq!(open.k(), k);
            bounds += 1;
        } else {
            assert!(graph.is_feasible(open.k(), open.delta()), "seed {seed}: {error}");
            exact += 1;
        }
    }
    assert!(bounds > 200 && exact > 200, "{bounds} {exact}");
}

/// Random tables of several columns are bound and asked without a panic, and whatever is refused is refused in words that
/// show no value.
#[test]
fn every_table_is_feasible_or_refused_in_words() {
    for seed in 0..1000 {
        let mut dice = Dice::new(seed);
        let table = Table::random(&mut dice);
        let all: Vec<u32> = (0..table.rows.len() as u32).collect();
        let table = Table { published: vec![true; all.len()], ..table };
        let text = format!("dissimilarity(0.{}, 0.{}, {})", dice.below(10), dice.below(10), dice.between(1, 4));
        let release = Release::new(&schema(&table), codes(&table), &table.ruler(), &[&text], &all).unwrap();
        let bags = release.bags(&all);
        let group = Group { size: all.len() as u64, bags: &bags };
        if let Err(error) = release.bound.feasible(group) {
            assert_eq!(error.exit_code(), 1, "seed {seed}: {error}");
            assert!(!error.to_string().contains("v1"), "seed {seed}: {error}");
            assert!(!release.bound.holds(group), "seed {seed}: {error}");
        }
    }
}

/// With an epsilon of 0 only equal values are near: the commonest value may have a share of about 1 - delta.
#[test]
fn epsilon_0_is_frequency_control() {
    for seed in 0..3000 {
        let mut dice = Dice::new(seed);
        let rows: Vec<i64> = (0..dice.between(1, 12)).map(|_| dice.below(4) as i64).collect();
        let (delta, k) = (dice.between(0, 12) as i64, dice.between(1, 8) as u64);
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let release =
            numbers(&rows, &format!("dissimilarity(0, {}, {k})", Decimal::new((delta * 8).into(), 2).min(1.into())));
        let bag = Bag::from_codes(rows.iter().map(|&number| number as Code));
        let others = bag.size() as i64 - 1;
        let share = (100 - (delta * 8).min(100)) * others;
        let passes = bag.size() >= k.max(2) && 100 * (i64::from(bag.top()) - 1) <= share;
        assert_eq!(release.holds(&all), passes, "seed {seed}: {rows:?}, {delta}, {k}");
    }
}

/// Distances of the usual measures end at 1: with that as epsilon everything is near everything, nulls too.
#[test]
fn from_epsilon_1_on_only_delta_0_is_met() {
    let domain = Domain::ordinal(["low", "middle", "high"].map(Into::into).to_vec());
    let schema = Schema::new(vec![Attribute { name: "x".into(), role: Role::Sensitive, domain }]).unwrap();
    let all = [0u32, 1, 2, 3];
    let release = |distance: &str, text: &str| {
        let codes: Codes = [1, 2, 3, 0].into_iter().collect();
        Release::new(&schema, vec![codes], &ruler(distance), &[text], &all).unwrap()
    };
    for distance in ["rank", "equal"] {
        for epsilon in ["1", "1.5", "99999999999999999999999999999999999"] {
            assert!(release(distance, &format!("dissimilarity({epsilon}, 0, 4)")).holds(&all));
            assert!(!release(distance, &format!("dissimilarity({epsilon}, 0.0001, 4)")).holds(&all));
        }
        assert!(release(distance, "dissimilarity(0.4999, 1, 4)").holds(&all));
    }
    // Null is at distance 1 from all, and low from high.
    assert!(release("rank", "dissimilarity(0.999999999999, 1, 2)").holds(&[0, 2, 3]));
    assert!(!release("rank", "dissimilarity(0.5, 0.5, 2)").holds(&[0, 1, 2]));
}

/// A group of one row never passes, whatever k and delta.
#[test]
fn k_1_asks_for_two_rows() {
    let release = numbers(&[1, 1, 5], "dissimilarity(0.1, 0, 1)");
    assert_eq!(release.bound.least_size(), 2);
    assert!(!release.holds(&[2]) && !release.holds(&[]) && release.holds(&[0, 1]) && release.holds(&[0, 2]));
    let bags = release.bags(&[2]);
    let attained = &release.bound.attained(Group { size: 1, bags: &bags })[0];
    assert_eq!((attained.figure("delta"), attained.figure("k")), (Some("0"), Some("1")));
}

#[test]
fn distances_must_suit_the_columns() {
    let numbers = || Domain::numbers([1, 2, 3].map(Decimal::from).to_vec()).unwrap();
    let labels = || Domain::nominal(["a", "b", "c"].map(Into::into).to_vec());
    let column = |name: &str, domain| Attribute { name: name.into(), role: Role::Sensitive, domain };
    let schema = Schema::new(vec![column(" pay ", numbers()), column("ill", labels())]).unwrap();
    let bind = |distance: &str, requirements: &[&str]| {
        let columns = vec![[1, 2, 3].into_iter().collect(), [3, 1, 1].into_iter().collect()];
        Release::new(&schema, columns, &ruler(distance), requirements, &[0, 1, 2])
    };
    let both = ["dissimilarity(0.1, 0.5, 2)"];
    for (distance, requirements, said) in [
        (
            "pay:range",
            &both[..],
            "it says nothing of the sensitive column `ill`; hint: add a part for it, such as `ill:equal`",
        ),
        ("range", &both, "`range` does not say which sensitive column it is about; hint: such as `pay:range`"),
        (
            "l1(pay:range, ile:equal)",
            &both,
            "`ile` is not a sensitive column that the requirement is about; hint: it is about",
        ),
        ("l1(pay:range, ill:rank)", &both, "`rank` needs an order, and the labels of `ill` have none"),
        ("l1(pay:range, ill:range)", &both, "`range` measures numbers and dates, and `ill` is nominal"),
        (
            "l1(pay:range, ill:tree)",
            &both,
            "`tree` needs a hierarchy of `ill`; hint: give one with `hierarchy` ill=FILE",
        ),
        (
            "l1(pay:range, ill:equal)",
            &["pay: dissimilarity(0.1, 0.5, 2)"],
            "`ill` is not a sensitive column that the requirement is about",
        ),
        (
            "pay:range",
            &["pay: dissimilarity(0.1, 0.5, 2)", "ill: dissimilarity(0.1, 0.5, 2)"],
            "one distance cannot be about different columns",
        ),
        ("range(0, 0.000000000000000000000000000000000001)", &["pay: dissimilarity(0.1, 0.5, 2)"], "no error"),
    ] {
        match bind(distance, requirements) {
            Ok(_) => assert_eq!(said, "no error", "{distance}"),
            Err(error) => {
                assert!(error.to_string().contains(said), "{error}\n{said}");
                assert_eq!(error.exit_code(), 2);
            }
        }
    }
    // Blanks around a header do not hide the column, and the manifest's text is read the same.
    let release = bind("l1(pay:range*0.5, ill:equal*0.5)", &both).unwrap();
    let text = release.bound.distance().unwrap().to_string();
    let again = bind(&text, &both).unwrap();
    assert_eq!(again.bound.distance().unwrap(), &text.parse().unwrap());
    // Two requirements of one kind share the columns; each has its own epsilon.
    let two =
        bind("l1(pay:range*0.5, ill:equal*0.5)", &["dissimilarity(0.2, 0.5, 2)", "dissimilarity(0.9, 0, 3)"]).unwrap();
    assert_eq!(two.bound.dissimilarities().count(), 2);
    assert!(two.holds(&[0, 1, 2]) && !two.holds(&[0, 1]) && two.bound.sensitive_needed().is_empty());
}

#[test]
fn columns_are_taken_together_only_where_they_must() {
    let domain = || Domain::nominal(["a", "b"].map(Into::into).to_vec());
    let column = |name: &str, role| Attribute { name: name.into(), role, domain: domain() };
    let schema = Schema::new(vec![column("age", Role::Quasi), column("ill", Role::Sensitive)]).unwrap();
    let codes: Codes = [1, 2, 2].into_iter().collect();
    let together = |text: &str, schema: &Schema, ruler: Option<&LoadedDistance>| {
        JointColumns::new(&[text.parse::<Requirement>().unwrap()], schema, ruler, |_| &codes)
    };
    assert!(together("distinct-l-diversity(2)", &schema, None).unwrap().is_none());
    let error = together("dissimilarity(0.1, 0.8, 2)", &schema, None).unwrap_err().to_string();
    assert!(error.contains("how far apart are two values?; hint: say so with `distance`"), "{error}");
    let error = together("age: dissimilarity(0.1, 0.8, 2)", &schema, Some(&ruler("equal"))).unwrap_err().to_string();
    assert!(error.contains("the column `age` is quasi"), "{error}");
    let nobody = Schema::new(vec![column("age", Role::Quasi)]).unwrap();
    let error = together("dissimilarity(0.1, 0.8, 2)", &nobody, Some(&ruler("equal"))).unwrap_err().to_string();
    assert!(error.contains("no column is sensitive"), "{error}");
    let all = together("dissimilarity(0.1, 0.8, 2)", &schema, Some(&ruler("equal"))).unwrap().unwrap();
    assert_eq!((all.weights(), all.restricted_to(&[2]).weights()), ([1, 2].as_slice(), [0, 1].as_slice()));
    assert_eq!(all.bag(&[0, 2, 1]).counts(), [(0, 1), (1, 2)]);
}

#[test]
fn comparing_values_can_be_cancelled() {
    let domain = Domain::nominal(["a", "b", "c"].map(Into::into).to_vec());
    let schema = Schema::new(vec![Attribute { name: "ill".into(), role: Role::Sensitive, domain }]).unwrap();
    let codes: Codes = [1, 2, 3].into_iter().collect();
    let requirements: [Requirement; 1] = ["dissimilarity(0.1, 0.5, 2)".parse().unwrap()];
    let cancellation = Cancellation::default();
    let joint = JointColumns::new(&requirements, &schema, Some(&ruler("equal")), |_| &codes).unwrap().unwrap();
    let joint = joint.with_cancellation(cancellation.clone());
    let bind = |joint: &JointColumns| {
        BoundRequirements::bind_joint(&requirements, &schema, |_| Bag::default(), Some(joint)).map(|_| ())
    };
    assert_eq!(bind(&joint), Ok(()));
    cancellation.cancel();
    assert_eq!(bind(&joint), Err(Error::Cancelled));
    assert_eq!(bind(&joint.restricted_to(&[0, 1])), Err(Error::Cancelled));
}
