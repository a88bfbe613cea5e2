//! A cell of a generalized table that parses, in a column of any kind, is written as a text that parses to itself.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_release::notation::{Cover, Region, parse, text};
use scumble_release::{Extent, PublishedColumn};
use scumble_table::{Decimal, Domain, Kind, Role};
use std::sync::{Arc, OnceLock};

/// Labels with every character that the notation gives a meaning, in the order of a nominal domain.
const LABELS: [&str; 8] = ["*", "[a,b]", "\\", "a", "a,b", "b", "x|y", "{x|y}"];
const HIERARCHY: &[u8] = b"flu,[lungs],*\nasthma,[lungs],*\nulcer,belly\\,*\n";

struct Columns {
    numbers: PublishedColumn,
    days: PublishedColumn,
    labels: [(PublishedColumn, Domain); 3],
}

static COLUMNS: OnceLock<Columns> = OnceLock::new();

fn columns() -> Columns {
    let column =
        |extent, kind, tree| PublishedColumn::new("column", Role::Quasi, kind, extent, tree).expect("a column");
    let labels = || LABELS.map(Box::from).to_vec();
    let listed = || Extent::Labels(LABELS.map(String::from).to_vec());
    let tree = Arc::new(scumble_io::parse_hierarchy("hierarchy", HIERARCHY).expect("a hierarchy"));
    let leaves = ["flu", "asthma", "ulcer"].map(Box::from).to_vec();
    let under = Domain::nominal(leaves).with_hierarchy("hierarchy", "column", tree.clone()).expect("a domain");
    let bounds = (Decimal::parse("-1000000"), Decimal::parse("1000000"));
    Columns {
        numbers: column(Extent::Numbers(bounds.0.zip(bounds.1)), Kind::Number, None),
        days: column(Extent::Days(Some((-1_000_000, 1_000_000))), Kind::Date, None),
        labels: [
            (column(listed(), Kind::Nominal, None), Domain::nominal(labels())),
            (column(listed(), Kind::Ordinal, None), Domain::ordinal(labels())),
            (column(Extent::Labels(Vec::new()), Kind::Nominal, Some(tree)), under),
        ],
    }
}

/// What a region of labels covers, in the codes of a domain that lists the same labels in the same order.
fn cover(region: &Region) -> Cover {
    match region {
        Region::Null => Cover::Null,
        Region::All => Cover::All,
        Region::Labels(places) => Cover::Set(places.iter().map(|place| place + 1).collect()),
        Region::Positions(lo, hi) => Cover::Interval(lo + 1, hi + 1),
        Region::Node(id) => Cover::Node(*id),
        Region::Numbers(..) | Region::Days(..) => unreachable!("these are no labels"),
    }
}

fuzz_target!(|shown: &str| {
    let columns = COLUMNS.get_or_init(columns);
    if let Ok(region) = parse(shown, &columns.numbers) {
        let again = match &region {
            Region::Numbers(lo, hi) if lo == hi => lo.to_string(),
            Region::Numbers(lo, hi) => format!("[{lo},{hi}]"),
            other => text(&cover(other), &columns.labels[0].1),
        };
        assert_eq!(parse(&again, &columns.numbers).unwrap(), region);
    }
    if let Ok(Region::Days(lo, hi)) = parse(shown, &columns.days) {
        assert!(lo <= hi);
    }
    for (column, domain) in &columns.labels {
        if let Ok(region) = parse(shown, column) {
            let again = parse(&text(&cover(&region), domain), column).unwrap();
            // With a backslash, the star reads as the root of a hierarchy; it is written without one, which is everything.
            let is_root = region == Region::Node(domain.hierarchy().map_or(0, |tree| tree.root()));
            assert!(again == region || is_root && again == Region::All, "{region:?} became {again:?}");
        }
    }
});
