//! What `permute` draws: every assignment of a group's values as likely as any other, and nothing that ties it to the
//! order of rows, the numbers of groups, or the draws of another column.

use scumble_method::Coins;
use scumble_method::publish::{Permutation, permute};
use scumble_release::Permuted;
use scumble_table::{Attribute, Codes, Decimal, Domain, Monitor, Partition, Role, Schema, Table};
use std::collections::BTreeMap;

/// People 1 to n, each with a number of their own in the quasi-identifier, the kept and two sensitive columns.
fn table(n: u32) -> Table {
    let domain = || Domain::numbers((1..=i64::from(n)).map(Decimal::from).collect()).unwrap();
    let attribute = |name: &str, role| Attribute { name: name.into(), role, domain: domain() };
    let schema = Schema::new(vec![
        attribute("q", Role::Quasi),
        attribute("s", Role::Sensitive),
        attribute("t", Role::Sensitive),
        attribute("k", Role::Kept),
    ]);
    let codes = || (1..=n).collect::<Codes>();
    Table::new(schema.unwrap(), vec![codes(), codes(), codes(), codes()], n as usize).unwrap()
}

fn partition(n: u32, size: u32) -> Partition {
    Partition::new((0..n).collect(), (0..=n).step_by(size as usize).collect(), n as usize).unwrap()
}

fn column<'a>(form: &'a Permuted, name: &str) -> &'a Codes {
    &form.values.iter().find(|column| column.name == name).unwrap().codes
}

fn apart(table: &Table, partitions: [&Partition; 2], seed: u64) -> Permuted {
    let coins = Coins::from_seed(seed);
    let own = [coins.for_column(0), coins.for_column(1)];
    let permutations = [0, 1].map(|at| Permutation { partition: partitions[at], coins: &own[at] });
    permute(table, &permutations, &coins, Monitor::silent()).unwrap().0
}

/// Counts must lie within six deviations of what chance gives each of `n` outcomes.
fn assert_even<K: std::fmt::Debug + Ord>(seen: &BTreeMap<K, u32>, n: usize) {
    let total: u32 = seen.values().sum();
    let (expected, share) = (f64::from(total) / n as f64, 1.0 / n as f64);
    let deviation = (f64::from(total) * share * (1.0 - share)).sqrt();
    assert_eq!(seen.len(), n, "{seen:?}");
    assert!(seen.values().all(|&count| (f64::from(count) - expected).abs() < 6.0 * deviation), "{seen:?}");
}

#[test]
fn every_assignment_is_as_likely() {
    let (table, groups) = (table(3), partition(3, 3));
    let (mut assignments, mut places, mut both) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for seed in 0..7200 {
        let coins = Coins::from_seed(seed);
        let (form, _) =
            permute(&table, &[Permutation { partition: &groups, coins: &coins }], &coins, Monitor::silent()).unwrap();
        let (who, what) = (column(&form, "q"), column(&form, "s"));
        let mut shown = [0; 3];
        who.iter().zip(what.iter()).for_each(|(who, what)| shown[who as usize - 1] = what);
        let order: Vec<u32> = who.iter().collect();
        *assignments.entry(shown).or_insert(0) += 1;
        *places.entry(order.clone()).or_insert(0) += 1;
        *both.entry((shown, order)).or_insert(0) += 1;
        // What is kept goes with the person, what is sensitive moves as one.
        assert_eq!(who, column(&form, "k"));
        assert_eq!(what, column(&form, "t"));
    }
    assert_even(&assignments, 6);
    assert_even(&places, 6);
    // The order of rows says nothing about who shows whose values.
    assert_even(&both, 36);
}

#[test]
fn columns_apart_are_drawn_apart() {
    let (table, groups) = (table(4), partition(4, 2));
    let (mut numbers, mut swaps) = (BTreeMap::new(), BTreeMap::new());
    for seed in 0..4000 {
        let form = apart(&table, [&groups, &groups], seed);
        let first = column(&form, "q").iter().position(|code| code == 1).unwrap();
        let number = |at: usize| form.groupings[at].row_group[first];
        *numbers.entry((number(0), number(1))).or_insert(0) += 1;
        let own = |name: &str| column(&form, name).get(first) == 1;
        *swaps.entry((own("s"), own("t"))).or_insert(0) += 1;
    }
    assert_even(&numbers, 4);
    assert_even(&swaps, 4);
}

#[test]
fn values_stay_in_their_groups() {
    let (table, fives, sevens) = (table(70), partition(70, 5), partition(70, 7));
    let form = apart(&table, [&fives, &sevens], 3);
    for (at, (name, size)) in [("s", 5), ("t", 7)].into_iter().enumerate() {
        let mut of_number = BTreeMap::new();
        for (row, (who, what)) in column(&form, "q").iter().zip(column(&form, name).iter()).enumerate() {
            let group = (who - 1) / size;
            assert_eq!(group, (what - 1) / size);
            assert_eq!(*of_number.entry(form.groupings[at].row_group[row]).or_insert(group), group);
        }
        assert_eq!(of_number.len() as u32, 70 / size);
    }
    assert_eq!(form.helps.iter().map(|help| help.row_group.len()).collect::<Vec<_>>(), [70, 70]);
}

#[test]
fn what_cannot_be_permuted_is_our_own_mistake() {
    let table = table(4);
    let coins = Coins::from_seed(1);
    let some = Partition::new(vec![0, 1], vec![0, 2], 4).unwrap();
    let all = partition(4, 2);
    let one = |partition| Permutation { partition, coins: &coins };
    assert!(permute(&table, &[one(&some)], &coins, Monitor::silent()).is_err());
    assert!(permute(&table, &[], &coins, Monitor::silent()).is_err());
    assert!(permute(&table, &[one(&all), one(&all), one(&all)], &coins, Monitor::silent()).is_err());
}
