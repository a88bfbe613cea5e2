//! The report says what it must, and nothing that it must not.

use scumble_report::{Noun, ReleaseFacts, release_page};

use crate::sample::{METHODS, REQUIREMENTS, column, release, requirement};

/// The words of a page without its markup.
fn words(facts: &ReleaseFacts) -> String {
    let html = release_page(facts);
    let body = html.split("<body>").nth(1).unwrap_or("");
    let mut out = String::new();
    let mut inside = false;
    for c in body.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out.replace("&#47;", "/").replace("&#39;", "'").replace("&amp;", "&")
}

#[test]
fn seeded_coins_are_shouted() {
    let mut facts = release("permute");
    assert!(!words(&facts).contains("made with a seed"));
    facts.coins_secret = false;
    let text = words(&facts);
    assert!(text.contains("Warning: made with a seed, not for real people"));
    assert!(text.contains("can undo the shuffling of the sensitive values"));
    assert!(text.contains("Do not publish it if its people are real"));
    // Nothing of the release stands before it.
    assert!(text.find("made with a seed") < text.find("Rows published"));
    for method in ["generalize", "anatomy", "angel"] {
        let seeded = scumble_report::ReleaseFacts { coins_secret: false, ..release(method) };
        assert!(words(&seeded).contains("Anybody who guesses the seed"), "{method}");
    }
}

#[test]
fn a_permuted_release_says_how_to_ask_it() {
    let text = words(&release("permute"));
    assert!(text.contains("look these rows up in the help table"));
    assert!(text.contains("presence is not hidden"));
    assert!(!text.contains("suppressed, in a row without a group"));
    assert!(!words(&release("anatomy")).contains("help table"));
}

#[test]
fn max_utility_is_said_not_to_be_hardened() {
    let mut facts = release("generalize");
    assert!(!words(&facts).contains("not hardened"));
    facts.profile = "max-utility".into();
    let text = words(&facts);
    assert!(text.contains("max-utility, not minimality-hardened"));
    assert!(text.contains("not hardened against an attacker who knows the algorithm"));
}

#[test]
fn each_principle_says_what_it_does_not_cover() {
    let text = words(&release("generalize"));
    for (_, family) in REQUIREMENTS {
        assert!(text.contains(&format!("\n{family}\n")), "{family}");
        assert!(text.contains(&format!("What it does not cover. What {family} leaves open.")), "{family}");
    }
    assert_eq!(text.matches("What stays hidden.").count(), REQUIREMENTS.len());
}

#[test]
fn only_the_principles_asked_for_are_explained() {
    let mut facts = release("generalize");
    facts.requirements = vec![requirement(("k-anonymity(5)", "k-anonymity"))];
    let text = words(&facts);
    assert_eq!(text.matches("What it does not cover.").count(), 1);
    assert!(text.contains("What k-anonymity(5) hides."));
    assert!(!text.contains("t-closeness"));
    // Nothing guards the values, and that is said of the very columns.
    assert!(text.contains("Warning: no requirement speaks of some sensitive values"));
    assert!(text.contains("illness and pay:"));
}

#[test]
fn one_family_for_two_columns_is_explained_once() {
    let mut facts = release("generalize");
    let one = |notation| requirement((notation, "Frequency l-diversity"));
    facts.requirements = vec![one("pay: frequency-l-diversity(3)"), one("illness: frequency-l-diversity(4)")];
    let text = words(&facts);
    assert_eq!(text.matches("What stays hidden.").count(), 2);
    assert_eq!(text.matches("What it does not cover.").count(), 1);
    assert!(
        text.contains("What pay: frequency-l-diversity(3) hides.") && text.contains("frequency-l-diversity(4) hides.")
    );
}

#[test]
fn what_lies_beyond_every_requirement_is_always_said() {
    for method in METHODS {
        let text = words(&release(method));
        for head in ["Presence.", "Knowledge from elsewhere.", "Other releases.", "Columns kept as they are."] {
            assert!(text.contains(head), "{head} for {method}");
        }
        assert_eq!(text.contains("Several tables of quasi-identifiers."), method == "angel");
        let exact = matches!(method, "permute" | "anatomy");
        assert_eq!(text.contains("The quasi-identifiers are exact: anybody can see"), exact);
        assert_eq!(text.contains("Whoever knows them of a person can see whether that person is in"), exact);
        assert_eq!(text.contains("so that the others could be shown in more detail"), !exact);
        assert!(text.contains("A missing value counts as a value of its own"));
        assert_eq!(text.contains("where some miss it and others do not, the cell is *"), !exact);
    }
}

#[test]
fn the_example_is_labelled_as_invented() {
    for method in METHODS {
        let text = words(&release(method));
        assert!(text.contains("These people do not exist"));
        assert!(text.contains("They are not from the data of this release"));
    }
}

#[test]
fn nothing_is_said_about_the_search() {
    for method in METHODS {
        let text = words(&release(method)).to_lowercase();
        for bad in [
            " seconds",
            "millisecond",
            " ms",
            "took",
            "failed",
            "stall",
            "repair",
            "retry",
            "cut ",
            "leaf",
            "iteration",
        ] {
            assert!(!text.contains(bad) || bad == "cut " && method == "angel", "{bad:?} for {method}");
        }
    }
}

#[test]
fn a_release_of_nothing_has_a_report() {
    let text = words(&ReleaseFacts::default());
    assert!(text.contains("nothing was required"));
    assert!(!text.contains("How large the groups are"));
}

#[test]
fn strange_figures_are_not_shown_as_numbers() {
    let mut facts = release("generalize");
    facts.loss = Some(f64::NAN);
    facts.ncp = Some(f64::INFINITY);
    facts.columns.push(column("odd", "quasi", Some(f64::NAN)));
    facts.columns.push(column("odder", "quasi", Some(-3.0)));
    facts.rows = u64::MAX;
    facts.suppressed = u64::MAX;
    facts.group_sizes = vec![(u64::MAX, u64::MAX), (0, 3)];
    let text = words(&facts);
    assert!(text.contains("not known"));
    assert!(!text.contains("NaN") && !text.split(|c: char| !c.is_alphabetic()).any(|word| word == "inf"));
}

/// People are spoken of where they are counted, and rows everywhere else.
#[test]
fn the_page_says_who_was_counted() {
    let page = |change: &dyn Fn(&mut ReleaseFacts)| {
        let mut facts = release("generalize");
        change(&mut facts);
        release_page(&facts)
    };
    let rows = page(&|_| ());
    assert!(rows.contains("rows: whose they are is not known") && rows.contains("hold between 10 and 500 rows"));
    assert!(rows.contains("Rows were put into groups") && !rows.contains("took upon themselves"));
    let said = page(&|facts| {
        facts.counted = Noun::PERSON;
        facts.accepted = vec!["Every row is a person of its own.".into()];
    });
    assert!(said.contains("the publisher says that every row is a person") && said.contains("and 500 people"));
    assert!(
        said.contains("What the publisher took upon themselves") && said.contains("Every row is a person of its own.")
    );
    let several = page(&|facts| (facts.counted, facts.persons) = (Noun::PERSON, Some(300)));
    assert!(several.contains("300 persons in 1,200 rows") && several.contains("hold between 10 and 500 rows"));
    assert!(several.contains("can only be checked against the source"));
    let each = page(&|facts| (facts.counted, facts.persons) = (Noun::PERSON, Some(1_200)));
    assert!(each.contains("every row is that of another person") && each.contains("hold between 10 and 500 people"));
}

/// Promises count each person once in a group: nothing more is said where one person may have most of its rows.
#[test]
fn the_page_says_what_several_rows_of_a_person_give_away() {
    for method in METHODS {
        let page = |persons, unnamed| {
            words(&ReleaseFacts { counted: Noun::PERSON, persons: Some(persons), unnamed, ..release(method) })
        };
        let note = "rows of one person may make up much of a group";
        assert!(page(300, 0).contains(note) && page(1_200, 1).contains(note), "{method}");
        assert!(!page(1_200, 0).contains(note) && !words(&release(method)).contains(note), "{method}");
        assert!(!page(300, 0).contains("nothing ties it to this person"), "{method}");
    }
    let hardened = ReleaseFacts { algorithm: "angel".into(), profile: "hardened".into(), ..release("angel") };
    assert!(words(&hardened).contains("by a factor of more than 2.9"));
    assert!(!words(&ReleaseFacts { persons: Some(300), ..hardened }).contains("2.9"));
}

#[test]
fn rows_that_name_no_person_are_not_called_people() {
    let page = |persons, unnamed, counted| {
        words(&ReleaseFacts { counted, persons: Some(persons), unnamed, ..release("generalize") })
    };
    let some = page(1_200, 17, Noun::PERSON);
    assert!(some.contains("17 rows name no person, and each of them was counted as a person of its own"));
    assert!(!some.contains("every row is that of another person") && some.contains("hold between 10 and 500 rows"));
    assert!(page(300, 1, Noun::PERSON).contains("1 row names no person and was counted as a person of its own"));
    let all = page(1_200, 1_200, Noun::ROW);
    assert!(
        all.contains("none of the 1,200 rows names a person") && !all.contains("every row is that of another person")
    );
}

#[test]
fn missing_values_that_are_not_counted_are_excepted() {
    let mut facts = release("generalize");
    let plain = "it counts like any other value when a group is judged.";
    assert!(words(&facts).contains(plain));
    facts.missing_ignored = vec!["illness".into()];
    let text = words(&facts);
    assert!(!text.contains(plain) && text.contains("when a group is judged, but for illness: what is required"));
}
