//! Each requirement in words.

use scumble_report::plain_words;

use crate::sample::REQUIREMENTS;

#[test]
fn every_principle_has_its_words() {
    let words = [
        ("k-anonymity(10)", "every group holds at least 10 people"),
        ("distinct-l-diversity(3)", "every group holds at least 3 different values of the sensitive column"),
        (
            "frequency-l-diversity(3)",
            "in every group the most common value of the sensitive column belongs to at most one third of the people",
        ),
        (
            "entropy-l-diversity(3)",
            "in every group the values of the sensitive column are mixed at least as well, measured by their entropy, as 3 \
             equally common values are",
        ),
        (
            "recursive-l-diversity(2.0, 3)",
            "in every group the most common value of the sensitive column occurs less than 2.0 times as often as all the \
             others without the most common of them together",
        ),
        (
            "t-closeness(0.2)",
            "in every group the values of the sensitive column are distributed nearly as in the whole release: the \
             distance is at most 0.2 on a scale from 0 (the same) to 1 (nothing in common), all values being equally far \
             apart",
        ),
        (
            "alpha-k-anonymity(0.3, 5)",
            "every group holds at least 5 people, and no value of the sensitive column belongs to more than 30% of a group",
        ),
        (
            "proximity-absolute(4500, 5)",
            "in every group and for each person in it, at most one fifth of the group, the person included, has a value \
             of the sensitive column within 4500 of that person’s",
        ),
        (
            "proximity-window(20, 10000, 2)",
            "in every group at most half of the people have values of the sensitive column that lie within 10020 of one \
             another",
        ),
        (
            "dissimilarity(0.1, 0.8, 10)",
            "every group holds at least 10 people, and each of them differs from at least 80% of the others by a distance \
             of more than 0.1 in the sensitive values, taken together",
        ),
        (
            "ke-anonymity(4, 100)",
            "every group holds at least 4 different values of the sensitive column, the least and the greatest of them at \
             least 100 apart",
        ),
        (
            "variance(2500)",
            "in every group the values of the sensitive column spread with a variance of at least 2500, which is a \
             standard deviation of at least 50",
        ),
    ];
    for (notation, expected) in words {
        assert_eq!(plain_words(notation), expected);
    }
    for (notation, part) in [
        ("t-closeness(0.2, ordered)", "in their order"),
        ("t-closeness(0.2, hierarchical)", "in their hierarchy"),
        ("proximity-relative(0.125, 5)", "within 12.5% of that person’s"),
        ("proximity-interval(20, 10000, 2)", "half of the group, the person included"),
        ("proximity-window(0.5, 10, 2)", "within 0.5 + 10 of one another"),
        ("proximity-interval(20, 10000, 2)", "from 20 below to 10000 above that person’s"),
    ] {
        assert!(plain_words(notation).contains(part), "{}", plain_words(notation));
    }
}

#[test]
fn none_of_the_notation_is_unknown() {
    for notation in REQUIREMENTS {
        assert!(!plain_words(notation).contains("meets the requirement"), "{notation}");
    }
}

#[test]
fn a_named_column_is_named() {
    assert_eq!(
        plain_words("salary: frequency-l-diversity(2)"),
        "in every group the most common value of “salary” belongs to at most half of the people"
    );
    assert!(plain_words("salary: dissimilarity(0.1, 0.8, 10)").ends_with("in the value of “salary”"));
}

#[test]
fn what_cannot_be_read_is_shown_as_it_stands() {
    for notation in
        ["", "k-anonymity", "k-anonymity(x)", "k-anonymity(1, 2)", "frequency-l-diversity(0)", "new(1)", "((("]
    {
        assert_eq!(plain_words(notation), format!("every group meets the requirement {notation}"));
    }
}
