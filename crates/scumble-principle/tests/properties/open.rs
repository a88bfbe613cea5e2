//! A principle and a distance from outside of the crate: registered by name, read, bound, judged and printed back.

use scumble_principle::{
    Arguments, Attained, BoundRequirements, ColumnDistance, Entry, Group, JointColumns, LoadedDistance, Parameter,
    PlainWords, Principle, Range, Requirement, Search, Subject, Test, catalogue, entry, register, register_distance,
};
use scumble_table::{
    Attribute, Bag, Codes, Decimal, Domain, Error, Matrix, MatrixEntry, Result, Role, Schema, quoted_list,
};
use std::sync::{Arc, Once};

/// No value occurs more than `c` times in a group.
#[derive(Debug, Clone, Copy)]
struct AtMost {
    c: u64,
}

static AT_MOST: Entry = Entry {
    name: "at-most",
    aliases: &["no-more-than"],
    parameters: &[Parameter::new("c", Range::Whole(1))],
    help: "no sensitive value occurs more than c times in a group",
    example: "at-most(3)",
    reference: "a test",
    strictest: |_| Ok(vec![Arc::new(AtMost { c: 1 })]),
    ..Entry::parsed_by(read)
};

fn read(arguments: &Arguments<'_>) -> Result<Arc<dyn Principle>> {
    Ok(Arc::new(AtMost { c: arguments.whole(0)? }))
}

impl Principle for AtMost {
    fn entry(&self) -> &'static Entry {
        &AT_MOST
    }

    fn notation(&self) -> String {
        format!("at-most({})", self.c)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(*self))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let c: u64 = attained.figure("c")?.parse().ok()?;
        Some(AtMost { c: c.max(self.c) }.notation())
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        Some(PlainWords {
            family: "At most",
            demands: format!("no value of {} occurs more than {} times in a group", subject.name(), self.c),
            hides: "Little.".into(),
            leaves: "Much.".into(),
            guards_values: true,
        })
    }

    fn counts_values(&self) -> bool {
        true
    }
}

impl Test for AtMost {
    fn holds(&self, group: &Bag) -> bool {
        group.size() > 0 && u64::from(group.top()) <= self.c
    }

    fn attained(&self, group: &Bag) -> Attained {
        Attained::new(u64::MAX - u64::from(group.top()), vec![("c", group.top().to_string())])
    }
}

fn registered() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| register(&AT_MOST).unwrap());
}

fn labels(texts: &[&str]) -> Domain {
    Domain::nominal(texts.iter().map(|text| (*text).into()).collect())
}

fn schema(domain: Domain) -> Schema {
    Schema::new(vec![Attribute { name: "illness".into(), role: Role::Sensitive, domain }]).unwrap()
}

#[test]
fn a_registered_principle_is_read_and_printed_back() {
    registered();
    let requirement: Requirement = " illness : no-more-than( 2.0 )".parse().unwrap();
    assert_eq!(requirement.to_string(), "illness: at-most(2)");
    assert_eq!((requirement.name(), requirement.get::<AtMost>().map(|principle| principle.c)), ("at-most", Some(2)));
    assert_eq!("illness: at-most(2)".parse::<Requirement>().unwrap(), requirement);
    assert_eq!(entry("no-more-than"), Some(&AT_MOST));
    assert!(catalogue().last().is_some_and(|last| std::ptr::eq(*last, &AT_MOST)));
    let subject = Subject { column: Some("illness"), ..Subject::default() };
    let words = requirement.principle().plain_words(&subject).unwrap();
    assert_eq!(words.demands, "no value of “illness” occurs more than 2 times in a group");
    for (text, reason) in [
        ("at-most(0)", "c must be a whole number, 1 or more"),
        ("at-most()", "at-most takes 1 parameter (c), not 0; hint: for example `at-most(3)`"),
        ("at-mots(2)", "did you mean `at-most`?"),
    ] {
        let error = text.parse::<Requirement>().unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_registered_principle_judges_groups() {
    registered();
    let requirements = ["at-most(2)", "k-anonymity(3)"].map(|text| text.parse::<Requirement>().unwrap());
    let domain = labels(&["flu", "gout", "Flu"]);
    let [flu, gout, other_flu] = ["flu", "gout", "Flu"].map(|text| domain.code_of(text).unwrap());
    let whole = Bag::from_codes([flu, flu, flu, gout, gout, gout, other_flu]);
    let bound = BoundRequirements::bind(&requirements, &schema(domain.clone()), |_| whole.clone()).unwrap();
    // Nothing is said of unions, so that no search may prune by it.
    assert!(!bound.monotone() && requirements[0].principle().search() == Search::General);
    let judge = |codes: &[u32]| {
        let bags = [Bag::from_codes(codes.iter().copied())];
        bound.holds(Group { size: codes.len() as u64, bags: &bags })
    };
    assert!(judge(&[flu, flu, gout, gout]) && !judge(&[flu, flu]) && !judge(&[flu, gout, gout, gout]));
    // Labels that look alike are one value, as it says that it counts values.
    assert!(!judge(&[flu, flu, gout, other_flu]));
    // All rows as one group fail, and that does not settle whether they can be divided.
    let bags = [whole.clone()];
    assert_eq!(bound.feasible(Group { size: whole.size(), bags: &bags }), Ok(()));
    let groups = [Bag::from_codes([1, 2]), Bag::from_codes([1, 1, 2, 2])];
    let levels = scumble_principle::levels(&labels(&["flu", "gout"]), &whole, groups.iter());
    let level = levels.iter().find(|level| level.principle == "at-most").unwrap();
    assert_eq!(level.requirement.as_ref().map(ToString::to_string).as_deref(), Some("at-most(2)"));
}

#[test]
fn names_that_exist_are_refused() {
    registered();
    // The same entry again changes nothing.
    assert_eq!(register(&AT_MOST), Ok(()));
    static TAKEN: Entry = Entry { aliases: &["k-anonymity"], name: "own", ..AT_MOST_COPY };
    static ALIAS: Entry = Entry { name: "xcolor", ..AT_MOST_COPY };
    static AGAIN: Entry = AT_MOST_COPY;
    static UNREADABLE: Entry = Entry { name: "At most", ..AT_MOST_COPY };
    static WRONG_EXAMPLE: Entry = Entry { name: "own", example: "own(3.0)", ..AT_MOST_COPY };
    for (taken, said) in [
        (&TAKEN, "principle `k-anonymity`: a principle of this name exists"),
        (&ALIAS, "principle `xcolor`: a principle of this name exists"),
        (&AGAIN, "principle `at-most`: a principle of this name exists"),
        (&UNREADABLE, "a name is made of lower-case letters, digits and hyphens"),
        (&WRONG_EXAMPLE, "its example is not printed back as it is written"),
    ] {
        let error = register(taken).unwrap_err();
        assert!(error.to_string().contains(said), "{said}: {error}");
    }
    assert_eq!(catalogue().iter().filter(|entry| entry.reference == "a test").count(), 1);
}

/// An entry like that above, under whatever name.
const AT_MOST_COPY: Entry = Entry {
    name: "at-most",
    parameters: &[Parameter::new("c", Range::Whole(1))],
    help: "the same",
    example: "at-most(3)",
    reference: "a test",
    ..Entry::parsed_by(read)
};

/// Illnesses are the nearer the longer the beginning that their codes share.
#[derive(Debug)]
struct Prefix;

impl ColumnDistance for Prefix {
    fn between(&self, a: &str, b: &str) -> Result<Decimal> {
        let shared = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        if a == "?" || b == "?" {
            return Err(Error::request("distance", "prefix", "an unknown illness has no distance"));
        }
        Ok(Decimal::new(4 - shared.min(4) as i128, 1))
    }
}

const ILLNESSES: [&str; 5] = ["J45.0", "J45.9", "J30.1", "I51.4", "J30.2"];

/// Which of the illnesses, twice each, are near which by some distance.
fn near(distance: &LoadedDistance, epsilon: &str) -> Vec<Vec<bool>> {
    let requirement: Requirement = format!("dissimilarity({epsilon}, 0.5, 2)").parse().unwrap();
    let requirements = [requirement];
    let domain = labels(&ILLNESSES);
    let codes: Vec<u32> = domain.codes().chain(domain.codes()).collect();
    let (schema, column) = (schema(domain), codes.iter().copied().collect::<Codes>());
    let joint = JointColumns::new(&requirements, &schema, Some(distance), |_| &column).unwrap().unwrap();
    let whole = |_: usize| Bag::from_codes(codes.iter().copied());
    let bound = BoundRequirements::bind_joint(&requirements, &schema, whole, Some(&joint)).unwrap();
    let neighbours = bound.dissimilarities().next().unwrap().neighbours().clone();
    let all = 0..neighbours.len() as u32;
    all.clone().map(|a| all.clone().map(|b| neighbours.near(a, b)).collect()).collect()
}

#[test]
fn a_registered_distance_is_the_same_as_its_matrix() {
    register_distance("icd-prefix", Arc::new(Prefix)).unwrap();
    let named = LoadedDistance::new("illness: icd-prefix".parse().unwrap(), |file| {
        Err(Error::bug(format!("{file} is no file of this distance")))
    });
    let named = named.unwrap();
    assert_eq!(named.distance().to_string(), "illness:icd-prefix");
    let pairs = ILLNESSES.iter().flat_map(|a| ILLNESSES.iter().map(move |b| (*a, *b))).filter(|(a, b)| a < b);
    let entry = |(a, b): (&str, &str)| MatrixEntry {
        line: 1,
        row: a.into(),
        column: b.into(),
        distance: Prefix.between(a, b).unwrap().to_string(),
    };
    let entries: Vec<MatrixEntry> = pairs.map(entry).collect();
    let written = "illness:matrix:m.csv".parse().unwrap();
    let written = LoadedDistance::new(written, |file| Matrix::from_entries(file, &entries)).unwrap();
    for epsilon in ["0", "0.1", "0.2", "0.3", "0.4"] {
        let found = near(&named, epsilon);
        assert_eq!(found, near(&written, epsilon), "{epsilon}");
        assert!(
            found.iter().flatten().any(|near| *near) && (epsilon == "0.4" || found.iter().flatten().any(|near| !near))
        );
    }
    // It has a weight and a place among the parts like every other.
    let both: scumble_principle::Distance = "l1(a:icd-prefix*0.70, b:rank*0.3)".parse().unwrap();
    assert_eq!(both.to_string(), "l1(a:icd-prefix*0.7, b:rank*0.3)");
    assert_eq!(both.to_string().parse(), Ok(both.clone()));
    let file = both.with_files(|_| Some("m.csv".into())).to_string();
    assert_eq!(file, "l1(a:matrix:m.csv*0.7, b:rank*0.3)");
    // What it cannot measure is its own message.
    let part = &named.distance().parts()[0];
    let error = named.matrix_of(part, &["J45.0", "?"]).unwrap_err().to_string();
    assert!(error.contains("an unknown illness has no distance"), "{error}");
}

#[test]
fn names_of_distances_are_checked() {
    for name in ["range", "rank", "equal", "tree", "matrix", "l1", "min"] {
        let error = register_distance(name, Arc::new(Prefix)).unwrap_err().to_string();
        assert!(error.contains("a distance of this name exists"), "{error}");
    }
    for name in ["", "ICD", "two words", "a:b", "a*2", "2x"] {
        assert!(register_distance(name, Arc::new(Prefix)).is_err(), "{name}");
    }
    register_distance("own", Arc::new(Prefix)).unwrap();
    assert!(register_distance("own", Arc::new(Prefix)).is_err());
    let error = "illness:icd-chapters".parse::<scumble_principle::Distance>().unwrap_err().to_string();
    let known = quoted_list(&["own"], 1).replace('`', "");
    assert!(error.contains("there is no measure `icd-chapters`") && error.contains(&known), "{error}");
}
