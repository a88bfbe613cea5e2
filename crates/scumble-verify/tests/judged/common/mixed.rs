//! People with columns of every kind.

use super::{Coins, Maker};
use scumble_table::{Kind, Role};

impl Maker {
    /// Dates, ordered labels, decimals, nulls and two sensitive columns.
    pub fn mixed(n: usize) -> Maker {
        let mut maker = Maker::people(n);
        let mut coins = Coins(5);
        let column = |name: &str, role, kind| (name.to_string(), role, kind);
        maker.columns.push(column("born", Role::Quasi, Kind::Date));
        maker.columns.push(column("school", Role::Quasi, Kind::Ordinal));
        maker.columns.push(column("weight", Role::Quasi, Kind::Number));
        maker.columns.push(column("pay, net", Role::Sensitive, Kind::Number));
        let levels = ["none", "some", "much", "all"];
        maker.orders.push(("school".into(), levels.map(String::from).to_vec()));
        for (at, row) in maker.rows.iter_mut().enumerate() {
            // A row that has a null has one in all the columns of its group, so that boxes stay tight.
            let null = at / 4 % 9 == 0;
            row.push(format!("19{:02}-0{}-1{}", 40 + coins.below(50), 1 + coins.below(9), coins.below(10)));
            row.push(levels[coins.below(4) as usize].into());
            row.push(if null { String::new() } else { format!("{}.5", 40 + coins.below(60)) });
            row.push(if coins.below(20) == 0 { String::new() } else { (10 * coins.below(500)).to_string() });
        }
        maker.requirements = vec![
            "k-anonymity(4)".into(),
            "illness: distinct-l-diversity(1)".into(),
            "t-closeness(1)".into(),
            "pay, net: variance(0)".into(),
        ];
        maker
    }
}
