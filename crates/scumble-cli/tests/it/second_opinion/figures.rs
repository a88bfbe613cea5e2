//! Where the definitions of pycanon and ours meet, figure by figure, and how far a figure may differ.

use serde_json::Value;

/// Two checkers that do not say the same.
#[derive(Debug)]
pub(super) struct Disagreement {
    /// The release, the classes and the column that are at issue.
    pub(super) place: String,
    pub(super) ours: String,
    pub(super) theirs: String,
    /// The definition, and how it reads on both sides.
    pub(super) definition: &'static str,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Disagreement { place, ours, theirs, definition } = self;
        write!(f, "{place}: verify says {ours}, pycanon says {theirs}\n  the definition at issue: {definition}")
    }
}

/// Our figures have four digits after the point, or more, and are rounded to the unsafe side.
const STEP: f64 = 1e-4;

/// pycanon adds up floats: so much of a share may be lost on the way.
const DUST: f64 = 1e-9;

/// How a figure of ours and one of pycanon's stand to each other.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Meeting {
    /// pycanon's classes are our groups: the figures are the same.
    Same,
    /// pycanon's classes may be several groups with equal cells taken together, which are at least as safe.
    Safer,
}

/// A principle as both sides know it.
pub(super) struct Definition {
    pub(super) principle: &'static str,
    /// The figure of ours, and what the script calls pycanon's.
    ours: &'static str,
    theirs: &'static str,
    words: &'static str,
    meet: fn(f64, f64, Meeting) -> bool,
    /// What the first parameter of a requirement bounds the figure by.
    bound: fn(f64) -> f64,
}

/// Every definition that both sides have, recursive (c, l)-diversity apart.
pub(super) static DEFINITIONS: [Definition; 7] = [
    Definition {
        principle: "k-anonymity",
        ours: "k",
        theirs: "k",
        words: "k is the number of rows of the smallest group. A missing value is a value and matches only itself; \
                suppressed rows are in no group. pycanon groups rows with equal cells, and is handed missing cells as a \
                text and no suppressed rows",
        meet: whole,
        bound: itself,
    },
    Definition {
        principle: "distinct-l-diversity",
        ours: "l",
        theirs: "l",
        words: "l is the least number of different sensitive values in a group, a missing value counting as one; \
                pycanon counts the different texts of a class",
        meet: whole,
        bound: itself,
    },
    Definition {
        principle: "frequency-l-diversity",
        ours: "share",
        theirs: "alpha",
        words: "the greatest share of a sensitive value in a group is at most one in l; pycanon has no such principle, \
                but this share is its alpha",
        meet: share,
        bound: f64::recip,
    },
    Definition {
        principle: "alpha-k-anonymity",
        ours: "alpha",
        theirs: "alpha",
        words: "alpha is the greatest share of a sensitive value in a group, over all values; \
                pycanon computes the same share in floats, we round it up in the fourth digit",
        meet: share,
        bound: itself,
    },
    Definition {
        principle: "entropy-l-diversity",
        ours: "l",
        theirs: "entropy",
        words: "l is e to the least entropy of a group; pycanon rounds it down to a whole number, in floats, \
                so that an l that is whole may come out one less",
        meet: entropy,
        bound: itself,
    },
    Definition {
        principle: "t-closeness",
        ours: "t",
        theirs: "t",
        words: "t is the greatest distance between the shares of a group and those of all published rows, by the equal \
                distance half the sum of their differences; pycanon measures so what it is handed as texts",
        meet: share,
        bound: itself,
    },
    Definition {
        principle: "t-closeness ordered",
        ours: "t",
        theirs: "t-ordered",
        words: "t by the ordered distance is the mean over the gaps between neighbouring published values of the \
                difference of cumulated shares, the missing value first; pycanon measures so what it is handed as numbers, \
                here the ranks of the values",
        meet: share,
        bound: itself,
    },
];

/// Why only some tables can be compared by recursive (c, l)-diversity.
const RECURSIVE: &str = "c is the least factor with r_1 < c (r_l + ... + r_m), the counts of a group falling from r_1; pycanon's c \
                         is the least whole one, but it takes the counts rising, so that both mean the same only where all values \
                         of a group are equally frequent";

impl Definition {
    pub(super) fn named(principle: &str) -> Option<&'static Definition> {
        DEFINITIONS.iter().find(|definition| definition.principle == principle)
    }

    /// Compares a figure; nothing to say where one side does not have it.
    pub(super) fn compare(&self, ours: &Value, theirs: &Value, meeting: Meeting) -> Option<(String, String)> {
        let (mine, other) = (&ours[self.ours], &theirs[self.theirs]);
        let (Some(a), Some(b)) = (mine.as_f64(), other.as_f64()) else { return None };
        (!(self.meet)(a, b, meeting)).then(|| (format!("{} {mine}", self.ours), format!("{} {other}", self.theirs)))
    }

    /// Whether pycanon's figure keeps a requirement, whose first parameter it is about.
    pub(super) fn kept(&self, parameter: f64, theirs: &Value) -> bool {
        // The parameter is taken as a figure of ours that theirs must be as safe as.
        let bound = (self.bound)(parameter);
        theirs[self.theirs].as_f64().is_some_and(|figure| (self.meet)(bound, figure, Meeting::Safer))
    }

    /// Whether both sides have the figure.
    pub(super) fn known(&self, ours: &Value, theirs: &Value) -> bool {
        ours[self.ours].is_number() && theirs[self.theirs].is_number()
    }

    pub(super) fn words(&self) -> &'static str {
        self.words
    }
}

/// Compares recursive (c, l)-diversity where the definitions meet.
pub(super) fn recursive(ours: &Value, theirs: &Value) -> Option<Result<(), Disagreement>> {
    let found = &theirs["recursive"];
    let (Some(c), Some(whole)) = (ours["c"].as_f64(), found["c"].as_f64()) else { return None };
    if theirs["even"] != true || ours["l"] != found["l"] {
        return None;
    }
    // Ours lies above r_1 / tail by at most a step.
    let least = (c - STEP + DUST).max(0.0).floor() + 1.0;
    Some(if least == whole {
        Ok(())
    } else {
        Err(Disagreement {
            place: String::new(),
            ours: format!("c {c}"),
            theirs: format!("c {whole}"),
            definition: RECURSIVE,
        })
    })
}

fn itself(parameter: f64) -> f64 {
    parameter
}

fn whole(ours: f64, theirs: f64, meeting: Meeting) -> bool {
    if meeting == Meeting::Same { ours == theirs } else { theirs >= ours }
}

/// A share or a distance: ours is rounded up, smaller is safer.
fn share(ours: f64, theirs: f64, meeting: Meeting) -> bool {
    theirs <= ours + DUST && (meeting == Meeting::Safer || theirs > ours - STEP - DUST)
}

fn entropy(ours: f64, theirs: f64, meeting: Meeting) -> bool {
    let floor = ours.floor();
    let least = if ours == floor { floor - 1.0 } else { floor };
    theirs >= least && (meeting == Meeting::Safer || theirs <= floor)
}

#[test]
fn figures_meet_as_far_as_their_definitions_do() {
    use Meeting::{Safer, Same};
    assert!(whole(5.0, 5.0, Same) && !whole(5.0, 6.0, Same) && whole(5.0, 6.0, Safer) && !whole(5.0, 4.0, Safer));
    assert!(share(0.3334, 1.0 / 3.0, Same) && !share(0.3334, 0.334, Same) && !share(0.3334, 0.33, Same));
    assert!(share(0.3334, 0.2, Safer) && !share(0.3334, 0.4, Safer));
    assert!(entropy(3.2, 3.0, Same) && entropy(3.0, 2.0, Same) && !entropy(3.2, 2.0, Same) && !entropy(3.2, 4.0, Same));
    assert!(entropy(3.2, 4.0, Safer));
    let even = |c: f64| serde_json::json!({"recursive": {"c": c, "l": 2}, "even": true});
    let ours = serde_json::json!({"c": 0.3334, "l": 2});
    assert!(recursive(&ours, &even(1.0)).unwrap().is_ok());
    assert!(recursive(&ours, &even(2.0)).unwrap().unwrap_err().to_string().contains("equally frequent"));
    assert!(recursive(&ours, &serde_json::json!({"recursive": {"c": 9, "l": 2}, "even": false})).is_none());
}
