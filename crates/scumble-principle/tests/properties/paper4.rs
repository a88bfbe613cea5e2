//! Worked tables of paper 4: what the groups of an angelization tell about a person, by Equation 2.

use crate::mixture::{mixture, weights};
use scumble_principle::Requirement;
use scumble_table::{Bag, Code, Domain, Ratio};

const PNEUMONIA: Code = 3;
const BRONCHITIS: Code = 1;
const FLU: Code = 2;

fn diseases() -> Domain {
    Domain::nominal(["bronchitis", "flu", "pneumonia"].map(Into::into).to_vec())
}

/// A microdata table, its batches and the batch of each person.
struct Angelization {
    people: &'static [(&'static str, Code)],
    batches: &'static [&'static [&'static str]],
}

impl Angelization {
    /// The values of some people.
    fn values(&self, names: &[&str]) -> Bag {
        let value = |name: &&str| self.people.iter().find(|person| person.0 == *name).unwrap().1;
        Bag::from_codes(names.iter().map(value))
    }

    /// The rows of the batch table, batch by batch.
    fn batch_table(&self) -> Vec<Bag> {
        self.batches.iter().map(|names| self.values(names)).collect()
    }

    /// The batch numbers of the rows that a bucket has in its generalized table.
    fn batch_ids(&self, bucket: &[&str]) -> Vec<usize> {
        let id = |name: &&str| self.batches.iter().position(|batch| batch.contains(name)).unwrap() + 1;
        bucket.iter().map(id).collect()
    }

    /// n(I, 1), ..., n(I, b) for the rows I of a bucket.
    fn rows_in(&self, bucket: &[&str]) -> Vec<u64> {
        let ids = self.batch_ids(bucket);
        (1..=self.batches.len()).map(|batch| ids.iter().filter(|&&id| id == batch).count() as u64).collect()
    }

    /// A multiset with the distribution of Equation 2.
    fn told(&self, bucket: &[&str]) -> Bag {
        mixture(&weights(&self.rows_in(bucket)), &self.batch_table())
    }

    fn holds(&self, text: &str, group: &Bag) -> bool {
        let whole = Bag::from_codes(self.people.iter().map(|person| person.1));
        let requirement: Requirement = text.parse().unwrap();
        requirement.principle().bind(&diseases(), &whole).unwrap().holds(group)
    }
}

/// The shares of pneumonia, flu and bronchitis.
fn shares(bag: &Bag) -> [Ratio; 3] {
    [PNEUMONIA, FLU, BRONCHITIS].map(|code| Ratio::new(bag.count(code).into(), bag.size().into()))
}

const TABLE_1A: Angelization = Angelization {
    people: &[
        ("Alan", PNEUMONIA),
        ("Bob", PNEUMONIA),
        ("Carrie", BRONCHITIS),
        ("Daisy", BRONCHITIS),
        ("Eddy", PNEUMONIA),
        ("Frank", PNEUMONIA),
        ("Gloria", BRONCHITIS),
        ("Helena", BRONCHITIS),
    ],
    batches: &[&["Alan", "Carrie"], &["Bob", "Daisy"], &["Eddy", "Gloria"], &["Frank", "Helena"]],
};

const TABLE_2A: Angelization = Angelization {
    people: &[
        ("Alan", PNEUMONIA),
        ("Bob", FLU),
        ("Carrie", BRONCHITIS),
        ("Daisy", PNEUMONIA),
        ("Eddy", FLU),
        ("Frank", BRONCHITIS),
    ],
    batches: &[&["Alan", "Bob"], &["Carrie", "Daisy"], &["Eddy", "Frank"]],
};

#[test]
fn paper4_table3() {
    let half = Ratio::new(1, 2);
    let table = TABLE_1A;
    for batch in table.batch_table() {
        assert_eq!(batch.counts(), [(BRONCHITIS, 1), (PNEUMONIA, 1)]);
    }
    let buckets = [["Alan", "Bob"], ["Carrie", "Daisy"], ["Eddy", "Frank"], ["Gloria", "Helena"]];
    assert_eq!(buckets.map(|bucket| table.batch_ids(&bucket)), [vec![1, 2], vec![1, 2], vec![3, 4], vec![3, 4]]);
    for bucket in buckets {
        let told = table.told(&bucket);
        assert_eq!(shares(&told), [half, Ratio::from(0), half]);
        for text in ["frequency-l-diversity(2)", "distinct-l-diversity(2)", "entropy-l-diversity(2)", "t-closeness(0)"]
        {
            assert!(table.holds(text, &told), "{text}");
            // The bucket's own people have one disease, which no table shows.
            assert!(!table.holds(text, &table.values(&bucket)), "{text}");
        }
        assert!(!table.holds("frequency-l-diversity(2.0001)", &told));
    }
}

#[test]
fn paper4_example2() {
    let alan = ["Alan", "Bob"];
    assert_eq!(TABLE_1A.rows_in(&alan), [1, 1, 0, 0]);
    assert_eq!(shares(&TABLE_1A.told(&alan)), [Ratio::new(1, 2), Ratio::from(0), Ratio::new(1, 2)]);
}

#[test]
fn paper4_example3_table7() {
    let table = TABLE_2A;
    let (none, quarter, half) = (Ratio::from(0), Ratio::new(1, 4), Ratio::new(1, 2));
    let batches = table.batch_table();
    // Table 7a.
    assert_eq!(batches[0].counts(), [(FLU, 1), (PNEUMONIA, 1)]);
    assert_eq!(batches[1].counts(), [(BRONCHITIS, 1), (PNEUMONIA, 1)]);
    assert_eq!(batches[2].counts(), [(BRONCHITIS, 1), (FLU, 1)]);
    // Table 7b: the buckets of the first generalized table are the batches.
    for (at, bucket) in [["Alan", "Bob"], ["Carrie", "Daisy"], ["Eddy", "Frank"]].iter().enumerate() {
        assert_eq!(table.batch_ids(bucket), [at + 1, at + 1]);
        assert_eq!(shares(&table.told(bucket)), shares(&batches[at]));
    }
    // Table 7c.
    let buckets = [["Alan", "Carrie"], ["Bob", "Daisy"], ["Eddy", "Frank"]];
    assert_eq!(buckets.map(|bucket| table.batch_ids(&bucket)), [vec![1, 2], vec![1, 2], vec![3, 3]]);
    let told = buckets.map(|bucket| table.told(&bucket));
    assert_eq!(shares(&told[0]), [half, quarter, quarter]);
    assert_eq!(shares(&told[1]), [half, quarter, quarter]);
    assert_eq!(shares(&told[2]), [none, half, half]);
    assert!(told.iter().chain(&batches).all(|bag| table.holds("frequency-l-diversity(2)", bag)));
}

/// Tables 2b and 2c, generalized each by itself, have one disease in common for Alan; joined by the batch number, Tables
/// 7b and 7c leave his batch.
#[test]
fn paper4_table2_is_linked_and_table7_is_not() {
    let table = TABLE_2A;
    let (by_all, by_zip) = (table.values(&["Alan", "Bob"]), table.values(&["Alan", "Carrie"]));
    assert!([&by_all, &by_zip].iter().all(|group| table.holds("frequency-l-diversity(2)", group)));
    let common: Vec<Code> = by_all.counts().iter().map(|pair| pair.0).filter(|&code| by_zip.count(code) > 0).collect();
    assert_eq!(common, [PNEUMONIA]);
    let both = |bucket: &[&str]| table.batch_ids(bucket).into_iter().collect::<std::collections::BTreeSet<_>>();
    let left: Vec<usize> = both(&["Alan", "Bob"]).intersection(&both(&["Alan", "Carrie"])).copied().collect();
    assert_eq!(left, [1]);
    assert!(table.holds("frequency-l-diversity(2)", &table.batch_table()[0]));
}
