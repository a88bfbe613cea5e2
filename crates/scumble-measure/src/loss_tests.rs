use super::*;
use scumble_table::{Kind, Role};

fn near(sums: &AttributeLoss, loss: f64, ncp: f64) -> bool {
    (sums.loss - loss).abs() < 1e-12 && (sums.ncp - ncp).abs() < 1e-12
}

#[test]
fn whole_numbers_are_counted_and_decimals_measured() {
    let number = |text: &str| Decimal::parse(text).unwrap();
    let column = |lo: &str, hi: &str| {
        let extent = Extent::Numbers(Some((number(lo), number(hi))));
        PublishedColumn::new("n", Role::Quasi, Kind::Number, extent, None).unwrap()
    };
    let interval = |lo: &str, hi: &str| Region::Numbers(number(lo), number(hi));
    let (half, one, null) = (interval("1", "5"), interval("1", "1"), Region::Null);
    // Ten values: five of them, one of them, null as one of them, and all.
    let texts = vec![(half, 2), (one, 1), (null.clone(), 1), (Region::All, 1)];
    assert!(near(&measured(&column("1", "10"), texts), 2.0 * 0.5 + 0.1 + 0.1 + 1.0, 2.0 * 4.0 / 9.0 + 1.0));
    let fine = interval("0", "2.5");
    assert!(near(&measured(&column("0", "10"), vec![(fine, 4), (null, 1)]), 1.0, 1.0));
    assert!(near(&measured(&column("3", "3"), vec![(interval("3", "3"), 5)]), 5.0, 0.0));
}

#[test]
fn exact_values_cost_no_more_than_themselves() {
    let extent = Extent::Numbers(Decimal::parse("1").zip(Decimal::parse("10")));
    let column = PublishedColumn::new("n", Role::Quasi, Kind::Number, extent, None).unwrap();
    assert!(near(&exact(&column, ["1", "10", "4"], 5), 0.5, 0.0));
    assert!(near(&exact(&column, ["1", "10", "2.5"], 5), 0.0, 0.0));
}

#[test]
fn exact_values_are_measured_on_any_axes() {
    let axes = [Axis::between("n", true, 1.0, 10.0), Axis::between("d", false, 0.0, 2.5), Axis::labels("l", 4)];
    let found = loss_of_exact(axes.iter(), 6, 2);
    // One of ten, a point, one of four; two rows of eight are all stars.
    for (attribute, loss) in found.by_attribute.iter().zip([0.1, 0.0, 0.25]) {
        assert!((attribute.loss - (6.0 * loss + 2.0) / 8.0).abs() < 1e-12 && attribute.ncp == 0.25, "{attribute:?}");
    }
    assert_eq!((found.ncp, found.ncp_per_attribute), (0.75, 0.25));
    assert!((found.loss - (6.0 * 0.35 + 2.0 * 3.0) / 8.0).abs() < 1e-12);
}

#[test]
fn labels_are_counted() {
    let extent = Extent::Labels(["a", "b", "c", "d"].map(String::from).to_vec());
    let nominal = PublishedColumn::new("l", Role::Quasi, Kind::Nominal, extent.clone(), None).unwrap();
    let pair = Region::Labels(vec![0, 2]);
    assert!(near(&measured(&nominal, vec![(pair, 3)]), 1.5, 1.0));
    let ordinal = PublishedColumn::new("o", Role::Quasi, Kind::Ordinal, extent, None).unwrap();
    assert!(near(&measured(&ordinal, vec![(Region::Positions(1, 3), 1)]), 0.75, 2.0 / 3.0));
}

#[test]
fn columns_did_not_add_up_to_the_table_where_rows_are_suppressed() {
    let sums = |name: &str, loss: f64, ncp: f64| AttributeLoss { name: name.into(), loss, ncp };
    for suppressed in [0, 1, 5] {
        let found = total(vec![sums("a", 2.0, 1.0), sums("b", 0.5, 0.25), sums("c", 4.0, 3.5)], 6, suppressed);
        let (loss, ncp) = found.by_attribute.iter().fold((0.0, 0.0), |sum, a| (sum.0 + a.loss, sum.1 + a.ncp));
        assert!((found.loss - loss).abs() < 1e-12 && (found.ncp - ncp).abs() < 1e-12, "{found:?}");
    }
}

#[test]
fn suppressed_rows_count_in_full() {
    let sums = |name: &str| AttributeLoss { name: name.into(), loss: 2.0, ncp: 1.0 };
    let found = total(vec![sums("a"), sums("b")], 6, 2);
    assert_eq!((found.loss, found.ncp, found.ncp_per_attribute), (1.0, 0.75, 0.375));
    assert_eq!(found.by_attribute[1], AttributeLoss { name: "b".into(), loss: 4.0 / 8.0, ncp: 3.0 / 8.0 });
    assert_eq!(total(Vec::new(), 0, 0), Loss::default());
}
