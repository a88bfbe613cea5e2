//! Hierarchies for generalization: steps of numbers, and taxonomies of the labels of the Adult table.
//!
//! The paper takes "the same generalization hierarchies" as the work on l-diversity, which tells their heights: ages in
//! steps of 5, 10 and 20 years, education in three levels, marital status, work class, occupation and country in two,
//! race and sex in one. Which label lies under which it does not tell, so these trees have the same heights and are
//! otherwise our own.

use scumble_method::automatic_levels::{Automatic, automatic};
use scumble_table::{Attribute, Hierarchy, Kind, Monitor, Result};
use std::sync::Arc;

/// How many steps a range is cut into at the finest level, at most: ages in steps of five years.
const STEPS: f64 = 15.0;

/// Steps double from level to level.
pub(super) const LEVELS: usize = 3;

/// The trees, each known by its labels: a branch a line, with the labels under it.
const TAXONOMIES: [&str; 6] = [
    "for somebody: Private\n\
     for oneself: Self-emp-inc, Self-emp-not-inc\n\
     for the public: Federal-gov, Local-gov, State-gov\n\
     without pay: Never-worked, Without-pay",
    "with a spouse: Married-AF-spouse, Married-civ-spouse, Married-spouse-absent\n\
     without a spouse: Divorced, Never-married, Separated, Widowed",
    "office: Adm-clerical, Exec-managerial, Prof-specialty, Sales, Tech-support\n\
     trade: Craft-repair, Farming-fishing, Handlers-cleaners, Machine-op-inspct, Transport-moving\n\
     service: Armed-Forces, Other-service, Priv-house-serv, Protective-serv",
    "*: Amer-Indian-Eskimo, Asian-Pac-Islander, Black, Other, White",
    "*: Female, Male",
    "north of America: Canada, Outlying-US(Guam-USVI-etc), Puerto-Rico, United-States\n\
     middle and south of America: Columbia, Cuba, Dominican-Republic, Ecuador, El-Salvador, Guatemala, Haiti, \
     Honduras, Jamaica, Mexico, Nicaragua, Peru, Trinadad&Tobago\n\
     Europe: England, France, Germany, Greece, Holand-Netherlands, Hungary, Ireland, Italy, Poland, Portugal, \
     Scotland, Yugoslavia\n\
     Asia: Cambodia, China, Hong, India, Iran, Japan, Laos, Philippines, South, Taiwan, Thailand, Vietnam",
];

/// Education, which has one level more: what each stage is made of, and where it lies.
const EDUCATION: [(&str, &str, &[&str]); 5] = [
    ("at school", "before high school", &["1st-4th", "5th-6th", "7th-8th", "Preschool"]),
    ("at school", "at high school", &["10th", "11th", "12th", "9th", "HS-grad"]),
    ("beyond school", "at college", &["Assoc-acdm", "Assoc-voc", "Some-college"]),
    ("beyond school", "with a degree", &["Bachelors"]),
    ("beyond school", "with a higher degree", &["Doctorate", "Masters", "Prof-school"]),
];

/// The hierarchy of a column; none where its values and `*` are all there is.
pub(super) fn tree(attribute: &Attribute, histogram: &[u64]) -> Result<Option<Arc<Hierarchy>>> {
    let domain = &attribute.domain;
    if domain.kind() == Kind::Number {
        return Ok(Some(Arc::new(steps_tree(attribute)?)));
    }
    let labels: Vec<String> = domain.codes().map(|code| domain.text(code).into_owned()).collect();
    if let Some(rows) = taxonomy(&labels) {
        return Ok(Some(Arc::new(Hierarchy::from_rows("the taxonomy", &rows, &[])?)));
    }
    Ok(match automatic(attribute, histogram, Monitor::silent())? {
        Automatic::Tree(tree) if tree.height() > 1 => Some(Arc::new(tree)),
        _ => None,
    })
}

/// The length of the finest step over a range: a fifteenth of it, made round upwards.
pub(super) fn step(range: f64) -> f64 {
    if range <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf((range / STEPS).log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|step| step * STEPS >= range * (1.0 - 1e-12));
    round.unwrap_or(10.0 * power)
}

fn steps_tree(attribute: &Attribute) -> Result<Hierarchy> {
    let domain = &attribute.domain;
    let range = domain.place(domain.len() as u32) - domain.place(1);
    let step = step(range);
    let row = |code| {
        let place = domain.place(code);
        let above = (0..LEVELS).map(|level| {
            let step = step * f64::from(1u32 << level);
            let low = (place / step).floor() * step;
            format!("[{low}, {})", low + step)
        });
        std::iter::once(domain.text(code).into_owned()).chain(above).chain(["*".into()]).collect::<Vec<_>>()
    };
    Hierarchy::from_rows("steps", &domain.codes().map(row).collect::<Vec<_>>(), &[])
}

/// The rows of the tree that knows all labels.
fn taxonomy(labels: &[String]) -> Option<Vec<Vec<String>>> {
    let texts = |row: &[&str]| row.iter().map(|text| text.to_string()).collect::<Vec<_>>();
    let of_education = |label: &String| {
        let stage = EDUCATION.iter().find(|stage| stage.2.contains(&label.as_str()))?;
        Some(texts(&[label, stage.1, stage.0, "*"]))
    };
    if let Some(rows) = labels.iter().map(of_education).collect() {
        return Some(rows);
    }
    TAXONOMIES.iter().find_map(|tree| {
        let branches = branches(tree);
        let of_branch = |label: &String| {
            let (branch, _) = branches.iter().find(|(_, under)| under.contains(&label.as_str()))?;
            Some(if *branch == "*" { texts(&[label, "*"]) } else { texts(&[label, branch, "*"]) })
        };
        labels.iter().map(of_branch).collect()
    })
}

/// The branches of a tree and the labels under each.
fn branches(tree: &str) -> Vec<(&str, Vec<&str>)> {
    let branch = |line| str::split_once(line, ": ").map(|(name, labels)| (name, labels.split(", ").collect()));
    tree.lines().filter_map(branch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::{Decimal, Domain, Role};

    fn attribute(domain: Domain) -> Attribute {
        Attribute { name: "x".into(), role: Role::Quasi, domain }
    }

    #[test]
    fn ages_go_by_5_10_and_20_years() {
        assert_eq!((step(73.0), step(62.0), step(15.0), step(0.0)), (5.0, 5.0, 1.0, 1.0));
        assert_eq!((step(76.0), step(3745.0), step(1.5)), (10.0, 500.0, 0.1));
        let ages = Domain::numbers((17..=79).map(Decimal::from).collect()).unwrap();
        let tree = tree(&attribute(ages), &[]).unwrap().unwrap();
        let row = tree.rows().into_iter().find(|row| row[0] == "37").unwrap();
        assert_eq!(row, ["37", "[35, 40)", "[30, 40)", "[20, 40)", "*"]);
    }

    #[test]
    fn taxonomies_have_the_heights_that_are_known() {
        let height = |labels: &[&str]| {
            let labels: Vec<Box<str>> = labels.iter().map(|&label| label.into()).collect();
            let n = labels.len();
            tree(&attribute(Domain::nominal(labels)), &vec![10; n + 1]).unwrap().map(|tree| tree.height())
        };
        assert_eq!(height(&["Bachelors", "HS-grad", "Preschool"]), Some(3));
        assert_eq!(height(&["Private", "State-gov"]), Some(2));
        assert_eq!(height(&["Divorced", "Married-civ-spouse"]), Some(2));
        assert_eq!(height(&["Sales", "Craft-repair"]), Some(2));
        assert_eq!(height(&["United-States", "Peru", "Iran", "Italy"]), Some(2));
        assert_eq!(height(&["White", "Other"]), Some(1));
        assert_eq!(height(&["Male", "Female"]), Some(1));
    }

    #[test]
    fn no_label_is_in_two_places() {
        for (tree, wanted) in TAXONOMIES.iter().zip([8, 7, 14, 5, 2, 41]) {
            let mut labels: Vec<&str> = branches(tree).into_iter().flat_map(|branch| branch.1).collect();
            let n = labels.len();
            assert_eq!(n, wanted);
            labels.sort_unstable();
            labels.dedup();
            assert_eq!(labels.len(), n);
        }
    }
}
