//! Full-domain generalization on thousands of small random tables, against every combination of levels tried one by
//! one from the definitions.

use proptest::prelude::*;
use scumble_method::Coins;
use scumble_method::Task;
use scumble_method::full_domain::{FullDomain, LevelStack, Recoded};
use scumble_method::publish::recode;
use scumble_principle::{BoundRequirements, Group, Requirement};
use scumble_table::{
    Attribute, Bag, Code, Codes, ConditionalHierarchy, ContextCondition, Cuts, Decimal, Domain, Error, Hierarchy,
    HierarchyContext, Is, Monitor, Result, Role, Schema, Table,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const SEXES: [&str; 3] = ["f", "m", "x"];

fn cuts(ends: impl IntoIterator<Item = i64>) -> Cuts {
    ends.into_iter().map(|end| end.to_string().into()).collect()
}

/// Heights 0 to 7 with null, cut apart for `f` and `m`; `x` and the missing are in no context.
fn heights() -> ConditionalHierarchy {
    let context = |sex: &str, levels: Vec<Cuts>| HierarchyContext {
        when: vec![ContextCondition { column: "sex".into(), is: Is::OneOf(vec![sex.into()]) }],
        levels,
    };
    ConditionalHierarchy {
        column: "height".into(),
        common: vec![cuts([3])],
        contexts: vec![
            context("f", vec![cuts([0, 1, 3, 5]), cuts([1, 3])]),
            context("m", vec![cuts([2, 3, 4, 6]), cuts([3, 6])]),
        ],
    }
}

fn ages() -> ConditionalHierarchy {
    ConditionalHierarchy::plain("age", vec![cuts([0, 1, 3]), cuts([1])])
}

fn zips() -> Hierarchy {
    let rows: Vec<Vec<String>> = (0..4).map(|i| vec![format!("z{i}"), format!("z{}*", i / 2), "*".into()]).collect();
    Hierarchy::from_rows("h", &rows, &[1, 2, 3, 4]).unwrap()
}

fn numbers(n: i64) -> Domain {
    Domain::numbers((0..n).map(Decimal::from).collect()).unwrap()
}

fn labels(labels: &[&str]) -> Domain {
    Domain::nominal(labels.iter().map(|&label| label.into()).collect())
}

fn tables() -> impl Strategy<Value = Table> {
    (2usize..24).prop_flat_map(|n| {
        let column = |size: Code| prop::collection::vec(prop_oneof![9 => 1..=size, 1 => Just(0)], n);
        (column(3), column(8), column(5), column(4), column(3)).prop_map(move |(sex, height, age, zip, illness)| {
            let z = labels(&["z0", "z1", "z2", "z3"]).with_hierarchy("h", "zip", Arc::new(zips())).unwrap();
            let attribute = |name: &str, role, domain| Attribute { name: name.into(), role, domain };
            let schema = Schema::new(vec![
                attribute("sex", Role::Quasi, labels(&SEXES)),
                attribute("height", Role::Quasi, numbers(8)),
                attribute("age", Role::Quasi, numbers(5)),
                attribute("zip", Role::Quasi, z),
                attribute("illness", Role::Sensitive, labels(&["a", "b", "c"])),
            ]);
            let codes = [sex, height, age, zip, illness].map(|codes| codes.into_iter().collect::<Codes>());
            Table::new(schema.unwrap(), codes.to_vec(), n).unwrap()
        })
    })
}

/// What a row shows at a level, worked out from the values, with what it costs. `None` stands for `*`.
type Shown = Option<String>;

fn value(table: &Table, column: usize, row: usize) -> Option<i64> {
    table.attribute(column).domain.number(table.column(column).get(row)).map(|v| v as i64)
}

fn interval(ends: &Cuts, value: i64) -> String {
    let ends: Vec<i64> = ends.iter().map(|end| end.parse().unwrap()).collect();
    format!("#{}", ends.iter().filter(|&&end| end < value).count())
}

fn shown(table: &Table, node: &[usize; 4], row: usize) -> [Shown; 4] {
    let text = |column: usize| table.attribute(column).domain.text(table.column(column).get(row)).into_owned();
    let sex = (node[0] == 0).then(|| text(0));
    let tree = heights();
    let context = SEXES[..2].iter().position(|name| *name == text(0));
    let height = match (node[1], value(table, 1, row)) {
        (4, _) => None,
        (_, None) => Some(String::new()),
        (0, Some(height)) => Some(height.to_string()),
        (3, Some(height)) => Some(interval(&tree.common[0], height)),
        (level, Some(height)) => Some(match context {
            Some(at) => format!("{} of {}", interval(&tree.contexts[at].levels[level - 1], height), SEXES[at]),
            None => format!("{} of nobody", interval(&tree.common[0], height)),
        }),
    };
    let age = match (node[2], value(table, 2, row)) {
        (3, _) => None,
        (_, None) => Some(String::new()),
        (0, Some(age)) => Some(age.to_string()),
        (level, Some(age)) => Some(interval(&ages().common[level - 1], age)),
    };
    let zip = match (node[3], text(3)) {
        (2, _) => None,
        (_, zip) if zip.is_empty() => Some(zip),
        (0, zip) => Some(zip),
        (_, zip) => Some(if zip.as_str() < "z2" { "z0*".into() } else { "z1*".into() }),
    };
    [sex, height, age, zip]
}

/// Cost of each row, by the definition: the share of the domain between the least and the greatest value that a row
/// shows so, or of the labels below the same one.
fn costs(table: &Table, node: &[usize; 4]) -> Vec<f64> {
    let n = table.n_rows();
    let all: Vec<[Shown; 4]> = (0..n).map(|row| shown(table, node, row)).collect();
    let numeric = |column: usize, length: f64, row: usize| match &all[row][column] {
        None => 1.0,
        Some(_) if node[column] == 0 => 0.0,
        Some(cell) if cell.is_empty() => 0.0,
        cell => {
            let same: Vec<i64> = (0..n)
                .filter(|&other| all[other][column] == *cell)
                .filter_map(|other| value(table, column, other))
                .collect();
            (same.iter().max().unwrap() - same.iter().min().unwrap()) as f64 / length
        }
    };
    let zip = |row: usize| match &all[row][3] {
        None => 1.0,
        Some(cell) if cell.ends_with('*') => 1.0 / 3.0,
        Some(_) => 0.0,
    };
    let sex = |row: usize| if all[row][0].is_none() { 1.0 } else { 0.0 };
    (0..n).map(|row| sex(row) + numeric(1, 7.0, row) + numeric(2, 4.0, row) + zip(row)).collect()
}

fn bind(table: &Table, requirements: &[Requirement], rows: &[u32]) -> BoundRequirements {
    let bag = |c| Bag::from_codes(rows.iter().map(|&row| table.column(c).get(row as usize)));
    BoundRequirements::bind(requirements, table.schema(), bag).unwrap()
}

/// Loss of a node with failing classes suppressed, if no more rows than `most` are.
fn judged(table: &Table, requirements: &[Requirement], most: usize, node: &[usize; 4]) -> Option<f64> {
    // Intervals that depend on the sex need the sex beside them.
    if (1..=2).contains(&node[1]) && node[0] > 0 {
        return None;
    }
    let mut classes: BTreeMap<[Shown; 4], Vec<u32>> = BTreeMap::new();
    for row in 0..table.n_rows() {
        classes.entry(shown(table, node, row)).or_default().push(row as u32);
    }
    let mut kept: Vec<Vec<u32>> = classes.into_values().collect();
    loop {
        let rows: Vec<u32> = kept.iter().flatten().copied().collect();
        if table.n_rows() - rows.len() > most || rows.is_empty() {
            return None;
        }
        let bound = bind(table, requirements, &rows);
        let holds = |rows: &Vec<u32>| bound.holds(Group { size: rows.len() as u64, bags: &bound.bags(table, rows) });
        let passing: Vec<Vec<u32>> = kept.iter().filter(|rows| holds(rows)).cloned().collect();
        if passing.len() == kept.len() {
            break;
        }
        kept = passing;
    }
    let published: BTreeSet<u32> = kept.into_iter().flatten().collect();
    let costs = costs(table, node);
    let cost = |row: usize| if published.contains(&(row as u32)) { costs[row] } else { 4.0 };
    Some((0..table.n_rows()).map(cost).sum::<f64>() / table.n_rows() as f64)
}

fn every_node() -> Vec<[usize; 4]> {
    let mut nodes = Vec::new();
    for sex in 0..2 {
        for height in 0..5 {
            for age in 0..4 {
                nodes.extend((0..3).map(|zip| [sex, height, age, zip]));
            }
        }
    }
    nodes
}

fn stacks(table: &Table) -> Vec<LevelStack> {
    vec![
        LevelStack::for_column(table, 0),
        LevelStack::from_intervals(table, heights().bind("h", table.schema()).unwrap()),
        LevelStack::from_intervals(table, ages().bind("h", table.schema()).unwrap()),
        LevelStack::for_column(table, 3),
    ]
}

fn found(
    table: &Table,
    requirements: &[Requirement],
    most: usize,
    fixed: [Option<usize>; 4],
) -> Option<(Result<Recoded>, Vec<LevelStack>)> {
    let all: Vec<u32> = (0..table.n_rows() as u32).collect();
    let bound = bind(table, requirements, &all);
    if !bound.holds(Group { size: all.len() as u64, bags: &bound.bags(table, &all) }) {
        return None;
    }
    let search = FullDomain { stacks: stacks(table), fixed: fixed.to_vec() };
    let task = Task {
        table,
        bound: &bound,
        rebind: &|rows| Ok(bind(table, requirements, rows)),
        most_suppressed: most,
        coins: &Coins::from_seed(3),
        monitor: Monitor::silent(),
    };
    Some((search.partition(&task), search.stacks))
}

fn requirements() -> impl Strategy<Value = Vec<Requirement>> {
    prop::sample::select(vec![
        vec!["k-anonymity(2)"],
        vec!["k-anonymity(3)"],
        vec!["k-anonymity(2)", "distinct-l-diversity(2)"],
        vec!["frequency-l-diversity(2)"],
        vec!["t-closeness(0.4)"],
        vec!["beta-likeness(1)"],
        vec!["delta-disclosure(1.2)"],
    ])
    .prop_map(|texts| texts.iter().map(|text| text.parse().unwrap()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_other_levels_lose_less(
        table in tables(),
        requirements in requirements(),
        most in 0usize..5,
        node in prop::sample::select(every_node()),
        asked in prop::array::uniform4(prop::bool::weighted(0.15)),
    ) {
        let fixed: [Option<usize>; 4] = std::array::from_fn(|at| asked[at].then_some(node[at]));
        let Some((recoded, _)) = found(&table, &requirements, most, fixed) else { return Ok(()) };
        let suits = |node: &[usize; 4]| fixed.iter().zip(node).all(|(fixed, level)| fixed.is_none_or(|f| f == *level));
        let all = every_node().into_iter().filter(suits);
        let least = all.filter_map(|node| judged(&table, &requirements, most, &node)).fold(f64::INFINITY, f64::min);
        let recoded = match recoded {
            Err(Error::Infeasible { .. }) => {
                prop_assert!(least.is_infinite(), "levels {fixed:?} can be met");
                return Ok(());
            }
            other => other.unwrap(),
        };
        let levels: [usize; 4] = recoded.levels.clone().try_into().unwrap();
        let ours = judged(&table, &requirements, most, &levels);
        prop_assert!(ours.is_some(), "levels {levels:?} do not pass");
        prop_assert!(suits(&levels));
        prop_assert!(ours.unwrap() <= least + 1e-9, "{levels:?} lose {ours:?}, others {least}");
        prop_assert!(recoded.partition.n_suppressed() <= most);
    }

    #[test]
    fn groups_are_what_is_shown_and_contexts_are_declared(table in tables(), most in 0usize..3) {
        let requirements = ["k-anonymity(2)".parse().unwrap()];
        let Some((recoded, stacks)) = found(&table, &requirements, most, [None; 4]) else { return Ok(()) };
        let recoded = recoded.unwrap();
        let levels: [usize; 4] = recoded.levels.clone().try_into().unwrap();
        let mut seen = BTreeSet::new();
        for rows in recoded.partition.groups() {
            let texts: BTreeSet<[Shown; 4]> = rows.iter().map(|&row| shown(&table, &levels, row as usize)).collect();
            prop_assert_eq!(texts.len(), 1, "a group shows one text in each column");
            prop_assert!(seen.insert(texts.into_iter().next().unwrap()), "two groups show the same");
        }
        let coins = Coins::from_seed(5);
        let recoding = recode(&table, &recoded.partition, &levels, &stacks, &coins, Monitor::silent()).unwrap();
        prop_assert_eq!(recoding.conditional.len(), usize::from((1..=2).contains(&levels[1])));
        for column in &recoding.conditional {
            prop_assert_eq!(&column.column, "height");
            let shows: usize = column.contexts.iter().map(|context| context.shows.len()).sum();
            prop_assert!(shows >= column.contexts.len());
        }
        let shown_groups: BTreeSet<Vec<&String>> = (0..recoding.form.n_groups as usize)
            .map(|group| recoding.form.quasi.iter().map(|q| &q.texts[q.of_group[group] as usize]).collect())
            .collect();
        prop_assert_eq!(shown_groups.len(), recoded.partition.n_groups(), "published rows tell the groups apart");
        for quasi in &recoding.form.quasi {
            prop_assert!(quasi.of_group.iter().all(|&text| (text as usize) < quasi.texts.len()));
        }
    }
}
