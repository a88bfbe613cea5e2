//! People whose quasi-identifiers are known, but not their group: what the publisher is told, and what `mixtures = "hold"`
//! guarantees, found out from the published files alone by plain definitions.

use crate::dice::Dice;
use crate::steps::{Say, job, publish, refusal, verify_alone};
use scumble::{Job, Kind, Method, MixtureStrategy, Mixtures, Plan, Published};
use std::fmt::Write;
use std::path::Path;

fn asked(file: &Path, out: &str, requirement: &str) -> Job {
    let job = job(file, file.with_file_name(out)).quasi(["age", "town"]).sensitive(["pay"]).requiring(&[requirement]);
    job.but(|job| {
        job.column_mut("age").kind = Some(Kind::Number);
        job.column_mut("pay").kind = Some(Kind::Number);
        (job.publish.seed, job.publish.insecure_seed) = (Some(5), true);
    })
}

fn hold(job: &mut Job) {
    job.publish.mixtures = Some(Mixtures::Hold);
}

/// Staff whose pay rises with age, with many a hundred apart from somebody else.
fn staff(file: &Path, n: u64) {
    let (mut numbers, mut text) = (Dice(3), String::from("age,town,pay\n"));
    for _ in 0..n {
        let age = 20 + numbers.below(45);
        let spread: u64 = (0..4).map(|_| numbers.below(8000)).sum();
        let _ = writeln!(text, "{age},t{},{}", numbers.below(6), 9000 + age * 250 + spread);
    }
    std::fs::write(file, text).unwrap();
}

fn manifest(published: &Published) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(published.release.join("manifest.json")).unwrap()).unwrap()
}

#[test]
fn groups_that_overlap_tell_more_than_one_does_unless_they_are_held() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("staff.csv");
    staff(&file, 3000);
    for (method, least) in [(Method::Generalize, 100), (Method::Anatomy, 100), (Method::Permute, 100)] {
        let ask = |out: &str| {
            asked(&file, &format!("{method}-{out}"), "proximity-absolute(1000, 5)")
                .but(|job| job.publish.method = Some(method))
        };
        let told = publish(&ask("told")).unwrap();
        let [figure] = &told.facts.mixture[..] else { panic!("{:?}", told.facts.mixture) };
        assert_eq!((figure.people, figure.requirement.as_str()), (3000, "proximity-absolute(1000, 5)"));
        assert!(figure.above > least && figure.greatest > 0.22 && figure.allowed == 0.2, "{method}: {figure:?}");
        assert!(manifest(&told).get("mixtures").is_none() && told.facts.mixture_ways.is_empty());

        let held = publish(&ask("held").but(hold)).unwrap();
        let [figure] = &held.facts.mixture[..] else { panic!("{:?}", held.facts.mixture) };
        assert!(figure.above == 0 && figure.greatest <= figure.allowed, "{method}: {figure:?}");
        assert_eq!(manifest(&held)["mixtures"], "hold");
        let chosen: Vec<_> = held.facts.mixture_ways.iter().filter(|way| way.chosen).collect();
        let least =
            held.facts.mixture_ways.iter().filter(|way| way.holds).filter_map(|way| way.ncp).fold(f64::MAX, f64::min);
        assert!(chosen.len() == 1 && chosen[0].holds && chosen[0].ncp == Some(least), "{:?}", held.facts.mixture_ways);
        let check = |name: &str| held.verdict.checks.iter().any(|check| check.ok && check.name == name);
        assert!(held.verdict.ok && check("mixtures[proximity-absolute(1000, 5)]"));

        // Whoever says so of the others is found out.
        let mut stated = manifest(&told);
        stated["mixtures"] = "hold".into();
        std::fs::write(told.release.join("manifest.json"), stated.to_string()).unwrap();
        let verdict = verify_alone(&told.release);
        // Its page, made from the manifest that was published, gives it away too.
        let failed: Vec<_> = verdict.failures().map(|check| check.name.as_str()).collect();
        assert!(failed.contains(&"mixtures[proximity-absolute(1000, 5)]"), "{method}: {failed:?}");
        assert!(
            failed.iter().all(|name| name.starts_with("mixtures") || *name == "report-own"),
            "{method}: {failed:?}"
        );
    }
}

#[test]
fn a_manifest_promises_nothing_else_of_mixtures() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("staff.csv");
    staff(&file, 100);
    let published = publish(&asked(&file, "release", "proximity-window(10, 10, 2)")).unwrap();
    assert!(published.facts.mixture.is_empty());
    let mut stated = manifest(&published);
    for (word, fails) in [("hold", "mixtures"), ("claimed", "mixtures"), ("perhaps", "manifest")] {
        stated["mixtures"] = word.into();
        std::fs::write(published.release.join("manifest.json"), stated.to_string()).unwrap();
        let verdict = verify_alone(&published.release);
        assert!(verdict.failures().any(|check| check.name == fails), "{word}");
    }
}

#[test]
fn what_survives_joining_needs_no_care() {
    let held = asked(Path::new("data.csv"), "r", "proximity-window(10, 10, 2)").but(hold);
    let text = refusal(Plan::new(&held));
    assert!(text.starts_with("mixtures `hold`") && text.contains("hint: leave `mixtures` out"), "{text}");
}

#[test]
fn where_nothing_holds_nothing_is_published() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("staff.csv");
    // Two groups of two must overlap, and whichever way they are dealt, a value of one is near both of the other.
    std::fs::write(&file, "age,town,pay\n30,x,10\n30,x,20\n30,x,30\n30,x,40\n").unwrap();
    let job = asked(&file, "release", "proximity-absolute(10, 2)").but(hold);
    let job = job.but(|job| job.publish.mixture_way = Some(MixtureStrategy::Usual));
    let error = publish(&job).unwrap_err();
    assert_eq!(error.exit_code(), 1);
    assert!(error.to_string().contains("`mixtures` hold") && !job.out().exists(), "{error}");
}

/// A published group: what each quasi-identifier shows of it, or those of its people where they are exact; and its values.
#[derive(Default, Clone)]
struct Shown {
    boxes: Vec<String>,
    people: Vec<Vec<String>>,
    values: Vec<i64>,
}

impl Shown {
    /// Weight of each of its rows for somebody with these values, times 2520.
    fn weight(&self, point: &[String]) -> u64 {
        if !self.people.is_empty() {
            let there = self.people.iter().filter(|person| person.as_slice() == point).count() as u64;
            assert_eq!(2520 % self.values.len() as u64, 0, "sizes of small groups divide it");
            return there * 2520 / self.values.len() as u64;
        }
        if self.boxes.iter().zip(point).all(|(shown, value)| covers(shown, value)) { 2520 } else { 0 }
    }
}

/// Whether a generalized text covers a value.
fn covers(shown: &str, value: &str) -> bool {
    let inner = |open: char, close: char| shown.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    match (inner('[', ']'), inner('{', '}')) {
        _ if shown == "*" => true,
        (Some(ends), _) => {
            let (low, high) = ends.split_once(',').unwrap();
            let number = |text: &str| text.parse::<i64>().unwrap();
            !value.is_empty() && (number(low)..=number(high)).contains(&number(value))
        }
        (_, Some(labels)) => labels.split('|').any(|label| label == value),
        _ => shown == value,
    }
}

fn rows(release: &Path, table: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(release.join(table)).unwrap();
    // Intervals and sets are quoted, and no value has a quote.
    let cells = |line: &str| {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for letter in line.chars() {
            match letter {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                other => cells.last_mut().unwrap().push(other),
            }
        }
        cells
    };
    text.lines().map(cells).collect()
}

/// The group of a published number.
fn numbered<'a>(groups: &'a mut Vec<Shown>, group: &str) -> &'a mut Shown {
    let number: usize = group.parse().unwrap();
    groups.resize(groups.len().max(number), Shown::default());
    &mut groups[number - 1]
}

/// The groups of a release, read from its files by the names of columns.
fn shown(release: &Path, method: Method) -> Vec<Shown> {
    let mut groups: Vec<Shown> = Vec::new();
    let table = |name: &str| {
        let mut all = rows(release, name);
        let header = all.remove(0);
        let place = move |column: &str| header.iter().position(|known| known == column).unwrap();
        (all, place)
    };
    match method {
        Method::Generalize => {
            let (all, place) = table("table.csv");
            for row in all {
                let group = numbered(&mut groups, &row[place("group")]);
                group.boxes = ["age", "town"].map(|column| row[place(column)].clone()).to_vec();
                group.values.push(row[place("pay")].parse().unwrap());
            }
        }
        Method::Anatomy => {
            let (all, place) = table("qit.csv");
            for row in all {
                numbered(&mut groups, &row[place("group")])
                    .people
                    .push(["age", "town"].map(|column| row[place(column)].clone()).to_vec());
            }
            let (all, place) = table("st.csv");
            for row in all {
                let times = row[place("count")].parse().unwrap();
                let values = std::iter::repeat_n(row[place("pay")].parse::<i64>().unwrap(), times);
                numbered(&mut groups, &row[place("group")]).values.extend(values);
            }
        }
        _ => {
            let (mapping, to) = table("mapping.csv");
            let (all, place) = table("permuted.csv");
            for row in all {
                let tuple = &row[place("tuple")];
                let group = &mapping.iter().find(|pair| pair[to("tuple")] == *tuple).unwrap()[to("group")];
                let group = numbered(&mut groups, group);
                group.people.push(["age", "town"].map(|column| row[place(column)].clone()).to_vec());
                group.values.push(row[place("pay")].parse().unwrap());
            }
        }
    }
    groups
}

/// What a requirement says, by its definition.
#[derive(Clone, Copy)]
enum Rule {
    Within(i64, i64, u64),
    Percent(i64, u64),
    /// Near where pay differs by at most so much, and delta in percent.
    Unlike(i64, u64),
}

impl Rule {
    fn near(self, x: i64, y: i64) -> bool {
        match self {
            Rule::Within(below, above, _) => (x - below..=x + above).contains(&y),
            Rule::Percent(share, _) => 100 * (x - y).abs() <= share * x.abs(),
            Rule::Unlike(far, _) => (x - y).abs() <= far,
        }
    }

    /// Whether more is believed of somebody than is allowed. Weights are times 2520.
    fn exceeded(self, around: &[(&Shown, u64)], value: i64, own: u64) -> bool {
        let (mut near, mut all) = (0, 0);
        for (group, weight) in around {
            all += weight * group.values.len() as u64;
            near += weight * group.values.iter().filter(|&&other| self.near(value, other)).count() as u64;
        }
        match self {
            Rule::Within(_, _, m) | Rule::Percent(_, m) => near * m > all,
            Rule::Unlike(_, delta) => (near - own) * 100 > (all - own) * (100 - delta),
        }
    }
}

/// Whether no belief exceeds what is allowed at any of the points.
fn holds(groups: &[Shown], points: &[Vec<String>], rule: Rule) -> bool {
    points.iter().all(|point| {
        let around: Vec<(&Shown, u64)> =
            groups.iter().map(|group| (group, group.weight(point))).filter(|pair| pair.1 > 0).collect();
        around.iter().all(|(group, own)| group.values.iter().all(|&value| !rule.exceeded(&around, value, *own)))
    })
}

#[test]
fn what_is_published_as_held_holds_at_every_point() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.csv");
    let (mut published, mut usual_fails, mut ways) = (0, 0, std::collections::BTreeMap::new());
    for seed in 0..150u64 {
        let mut numbers = Dice(seed);
        let n = 12 + numbers.below(28);
        let mut text = String::from("age,town,pay\n");
        for _ in 0..n {
            let _ = writeln!(
                text,
                "{},{},{}",
                1 + numbers.below(4),
                ["x", "y", "z"][numbers.below(3) as usize],
                1 + numbers.below(60)
            );
        }
        // The ends of the scale, so that a share of the range is a number of units.
        text.push_str("1,x,0\n4,y,100\n");
        std::fs::write(&file, text).unwrap();
        let (e, m) = (1 + numbers.below(4), 2 + numbers.below(2));
        let (requirement, rule) = match seed % 4 {
            0 => (format!("proximity-absolute({e}, {m})"), Rule::Within(e as i64, e as i64, m)),
            1 => (format!("proximity-interval({e}, 1, {m})"), Rule::Within(e as i64, 1, m)),
            2 => (format!("proximity-relative(0.0{e}, {m})"), Rule::Percent(e as i64, m)),
            _ => (format!("dissimilarity(0.0{e}, 0.6, {})", m + 1), Rule::Unlike(e as i64, 60)),
        };
        let points: Vec<Vec<String>> =
            (1..=4).flat_map(|age| ["x", "y", "z"].map(|town| vec![age.to_string(), town.to_string()])).collect();
        for method in [Method::Generalize, Method::Anatomy, Method::Permute] {
            for &mixtures in Mixtures::ALL {
                let job = asked(&file, "release", &requirement).but(|job| {
                    (job.publish.method, job.publish.mixtures) = (Some(method), Some(mixtures));
                    (job.output.replace, job.publish.seed) = (true, Some(seed));
                    job.publish.distance = (seed % 4 == 3).then(|| "l1(pay:range)".parse().unwrap());
                });
                let Ok(done) = publish(&job) else { continue };
                let groups = shown(&done.release, method);
                if groups.iter().any(|group| 2520 % group.values.len() != 0) {
                    continue;
                }
                let held = holds(&groups, &points, rule);
                assert!(held || mixtures == Mixtures::Report, "seed {seed}, {method}, {requirement}");
                if mixtures == Mixtures::Hold {
                    published += 1;
                    assert!(done.facts.mixture.iter().all(|figure| figure.above == 0));
                    let way = done.facts.mixture_ways.iter().find(|way| way.chosen).unwrap().way;
                    *ways.entry(way).or_insert(0) += 1;
                } else {
                    usual_fails += u32::from(!held);
                    assert!(held || done.facts.mixture[0].people == done.facts.rows);
                }
            }
        }
    }
    assert!(published > 150 && usual_fails > 20 && ways.len() > 1, "{published} {usual_fails} {ways:?}");
}
