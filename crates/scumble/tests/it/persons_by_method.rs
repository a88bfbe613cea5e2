//! Every method where people have several rows, and where everybody has one.

use crate::steps::{Heard, Say, failures, job, publish, publish_in, refusal};
use scumble::{Algorithm, Context, Error, ExtendRequest, FromFile, Job, Method, Profile, Release, anonymize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A visit: patient, age, town, illness and cost.
type Visit = (u32, u32, u32, u32, u32);

fn write(folder: &Path, visits: &[Visit]) {
    let line = |(patient, age, town, illness, cost): &Visit| format!("p{patient},{age},t{town},i{illness},{cost}\n");
    let lines: String = visits.iter().map(line).collect();
    fs::write(folder.join("visits.csv"), format!("patient,age,town,illness,cost\n{lines}")).unwrap();
}

/// A method with an algorithm and what is required of one column.
type Way = (Method, Option<Algorithm>, &'static str, &'static str);

const WAYS: [Way; 17] = [
    (Method::Generalize, Some(Algorithm::Mondrian), "illness", "frequency-l-diversity(2)"),
    (Method::Generalize, Some(Algorithm::MondrianRelaxed), "illness", "distinct-l-diversity(3)"),
    (Method::Generalize, Some(Algorithm::Paper), "illness", "k-anonymity(4)"),
    (Method::FullDomain, None, "illness", "k-anonymity(3)"),
    (Method::Generalize, Some(Algorithm::Proximity), "cost", "proximity-absolute(40, 2)"),
    (Method::Generalize, Some(Algorithm::Paper), "cost", "proximity-relative(0.1, 2)"),
    (Method::Generalize, Some(Algorithm::Xcolor), "cost", "dissimilarity(0.1, 0.6, 4)"),
    (Method::Anatomy, None, "illness", "frequency-l-diversity(3)"),
    (Method::Anatomy, None, "illness", "entropy-l-diversity(2)"),
    (Method::Angel, None, "illness", "frequency-l-diversity(3)"),
    (Method::Angel, None, "illness", "t-closeness(0.4)"),
    (Method::Permute, Some(Algorithm::ExpectedWidth), "cost", "ke-anonymity(3, 30)"),
    (Method::Permute, Some(Algorithm::MinSum), "cost", "ke-anonymity(3, 30)"),
    (Method::Permute, Some(Algorithm::MinMax), "cost", "ke-anonymity(3, 30)"),
    (Method::Permute, Some(Algorithm::MinMaxOverlap), "cost", "ke-anonymity(3, 30)"),
    (Method::Permute, Some(Algorithm::MaxGroups), "cost", "ke-anonymity(3, 30)"),
    (Method::Permute, Some(Algorithm::Random), "cost", "ke-anonymity(3, 30)"),
];

fn job_of(folder: &Path, (method, algorithm, sensitive, require): Way, person: bool) -> Job {
    let job = job(folder.join("visits.csv"), folder.join("release")).quasi(["age", "town"]).sensitive([sensitive]);
    let job = if person { job.person(["patient"]) } else { job.identifying(["patient"]) };
    job.requiring(&[require]).but(|job| {
        job.publish.method = Some(method);
        job.publish.algorithm = algorithm;
        job.publish.angel_k = (method == Method::Angel).then_some(3);
        job.publish.seed = Some(7);
        job.publish.insecure_seed = true;
        job.publish.drop_rest = true;
        job.output.replace = true;
        if require.starts_with("dissimilarity") {
            job.publish.distance = Some("cost:range".parse().unwrap());
        }
    })
}

/// 90 patients with up to four visits each.
fn clinic() -> Vec<Visit> {
    let visits = |patient: u32| {
        (0..=patient % 4).map(move |visit| {
            let illness = (patient * 7 + visit * 3) % 8;
            (patient, 20 + patient * 5 % 40, patient % 3, illness, 10 + (patient * 37 + visit * 91) % 600)
        })
    };
    (0..90).flat_map(visits).collect()
}

#[test]
fn every_method_counts_people() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &clinic());
    for way in WAYS {
        let job = job_of(folder.path(), way, true);
        let (heard, context) = Heard::listen();
        let published = publish_in(&job, &context);
        let error = published.err().map(|error| error.to_string());
        assert_eq!(error, None, "{way:?}");
        let release = Release::open(job.out()).unwrap();
        assert_eq!(release.manifest().persons, Some(90), "{way:?}");
        let table = job.source().read(&job, &Context::new()).unwrap();
        let found = release.verify(Some(&table), &Context::new()).unwrap();
        assert!(found.ok, "{way:?}: {:?}", failures(&found));
        // Nothing had to be cut that was not asked to be cut, and where groups were sought the publisher was told.
        let warnings = heard.warnings();
        assert!(!warnings.iter().any(|warning| warning.contains("by cutting instead")), "{way:?}: {warnings:?}");
        let searched = warnings.iter().any(|warning| warning.contains("found by search"));
        assert_eq!(searched, way.3.starts_with("proximity") || way.3.starts_with("dissimilarity"), "{way:?}");
    }
}

#[test]
fn with_one_row_each_every_method_makes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let visits: Vec<Visit> =
        (0..120).map(|row| (row, 20 + row * 7 % 31, row % 3, row * 5 % 7, 10 + row * 53 % 400)).collect();
    write(folder.path(), &visits);
    for way in WAYS {
        let files = |person: bool| {
            let job = job_of(folder.path(), way, person);
            publish(&job).unwrap_or_else(|error| panic!("{way:?}: {error}"));
            let read = |entry: fs::DirEntry| (entry.file_name(), fs::read(entry.path()).unwrap());
            fs::read_dir(job.out()).unwrap().map(|entry| read(entry.unwrap())).collect::<BTreeMap<_, _>>()
        };
        assert!(files(true) == files(false), "{way:?}");
    }
}

/// On tables where much is out of reach: what is made verifies, what is refused is refused in words.
#[test]
fn tables_that_are_hard_are_published_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut made = 0;
    for table in 0..14u32 {
        let step = |row: u32, by: u32, below: u32| (row * by + row * row * (table + 3) + table) % below;
        let visits: Vec<Visit> = (0..10 + 3 * table)
            .map(|row| {
                let patient = if step(row, 5, 4) == 0 { 0 } else { step(row, 7, 6 + table) };
                (patient, 20 + step(row, 3, 9), step(row, 2, 3), step(row, 11, 4), step(row, 13, 90))
            })
            .collect();
        write(folder.path(), &visits);
        for way in WAYS {
            let profile = [Profile::Standard, Profile::Hardened, Profile::MaxUtility][table as usize % 3];
            let job = job_of(folder.path(), way, true).but(|job| job.publish.profile = Some(profile));
            let source = job.source().read(&job, &Context::new()).unwrap();
            match anonymize(&source, &job, &Context::new()) {
                Ok(release) => {
                    let found = release.verify(Some(&source), &Context::new()).unwrap();
                    assert!(found.ok, "{way:?}: {:?}", failures(&found));
                    made += 1;
                }
                Err(Error::Bug { what }) => panic!("{way:?}: {what}"),
                Err(_) => {}
            }
        }
    }
    assert!(made > 60, "{made}");
}

#[test]
fn somebody_with_most_of_the_rows_is_one_person_of_every_batch() {
    let folder = tempfile::tempdir().unwrap();
    let mut visits = clinic();
    visits.extend((0..400).map(|visit| (999, 24, 1, visit % 3, 10 + visit)));
    write(folder.path(), &visits);
    for (method, require) in [
        (Method::Anatomy, "frequency-l-diversity(3)"),
        (Method::Anatomy, "distinct-l-diversity(3)"),
        (Method::Angel, "frequency-l-diversity(3)"),
        (Method::Angel, "k-anonymity(3)"),
    ] {
        let job = job_of(folder.path(), (method, None, "illness", require), true);
        publish(&job).unwrap_or_else(|error| panic!("{method} {require}: {error}"));
        let release = Release::open(job.out()).unwrap();
        let table = job.source().read(&job, &Context::new()).unwrap();
        let found = release.verify(Some(&table), &Context::new()).unwrap();
        assert!(found.ok && release.manifest().persons == Some(91), "{method}: {:?}", failures(&found));
    }
}

#[test]
fn one_person_is_no_crowd() {
    let folder = tempfile::tempdir().unwrap();
    let visits: Vec<Visit> = (0..20).map(|row| (5, 20 + row, row % 3, row % 5, row * 10)).collect();
    write(folder.path(), &visits);
    for way in WAYS {
        let error = refusal(publish(&job_of(folder.path(), way, true)));
        assert!(error.starts_with("person `patient`: all 20 rows are of one person"), "{way:?}: {error}");
        assert!(error.contains("tell people apart"), "{way:?}: {error}");
    }
    // Fewer people than k, however many rows.
    let visits: Vec<Visit> = (0..40).map(|row| (row % 3, 20 + row, row % 3, row % 5, row * 10)).collect();
    write(folder.path(), &visits);
    for method in [Method::Generalize, Method::FullDomain, Method::Anatomy, Method::Permute] {
        let error = refusal(publish(&job_of(folder.path(), (method, None, "illness", "k-anonymity(4)"), true)));
        assert!(error.contains("counting each of 3 people once, not their 40 rows"), "{method}: {error}");
    }
    let boxes = job_of(folder.path(), (Method::Angel, None, "illness", "k-anonymity(2)"), true);
    let error = refusal(publish(&boxes.but(|job| job.publish.angel_k = Some(4))));
    assert!(error.contains("a bucket needs as many people, and the rows of the table are of 3"), "{error}");
}

#[test]
fn rows_of_nobody_are_told_of_in_every_method() {
    let folder = tempfile::tempdir().unwrap();
    let mut visits = clinic();
    visits.truncate(200);
    write(folder.path(), &visits);
    let text = fs::read_to_string(folder.path().join("visits.csv")).unwrap().replace("\np1,", "\n,");
    fs::write(folder.path().join("visits.csv"), text).unwrap();
    for way in [WAYS[0], WAYS[4], WAYS[7], WAYS[11]] {
        let (heard, context) = Heard::listen();
        publish_in(&job_of(folder.path(), way, true), &context).unwrap();
        let told = heard.warnings().iter().any(|warning| warning.contains("2 of 200 rows do not say whose they are"));
        assert!(told, "{way:?}: {:?}", heard.warnings());
    }
}

#[test]
fn a_person_column_has_no_other_role() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &clinic());
    let base = || job_of(folder.path(), WAYS[0], true);
    for job in [base().quasi(["patient"]), base().sensitive(["patient"]), base().keep(["patient"])] {
        let error = refusal(publish(&job));
        assert!(error.contains("patient") && error.contains("also named in"), "{error}");
    }
}

/// Somebody may stand in several branches of a hierarchy, having moved: in each group they are one of its people.
#[test]
fn people_who_move_count_in_every_group_that_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let visits: Vec<Visit> =
        (0..160).map(|row| (row % 40, 20 + row % 40, row * 7 % 4, row * 3 % 8, 10 + row * 13 % 500)).collect();
    write(folder.path(), &visits);
    fs::write(folder.path().join("towns.csv"), "t0;north;*\nt1;north;*\nt2;south;*\nt3;south;*\n").unwrap();
    for way in [WAYS[0], WAYS[3], WAYS[4], WAYS[9]] {
        let job = job_of(folder.path(), way, true).but(|job| {
            job.column_mut("town").hierarchy = Some(FromFile::file(folder.path().join("towns.csv")));
        });
        publish(&job).unwrap_or_else(|error| panic!("{way:?}: {error}"));
        let release = Release::open(job.out()).unwrap();
        let table = job.source().read(&job, &Context::new()).unwrap();
        let found = release.verify(Some(&table), &Context::new()).unwrap();
        assert!(found.ok && release.manifest().persons == Some(40), "{way:?}: {:?}", failures(&found));
    }
}

#[test]
fn tables_that_are_added_count_people_too() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &clinic());
    let job = job_of(folder.path(), WAYS[9], true);
    publish(&job).unwrap();
    let extend = |person: &[&str]| {
        let request = ExtendRequest {
            marginals: vec![vec!["age".into()]],
            person: person.iter().map(ToString::to_string).collect(),
            seed: Some(3),
            insecure_seed: true,
            ..ExtendRequest::default()
        };
        Release::open(job.out()).unwrap().extend(&job.source(), None, &request, &Context::new())
    };
    let error = refusal(extend(&[]));
    assert!(error.contains("rows of 90 people") && error.contains("name in `person`"), "{error}");
    let error = refusal(extend(&["cost"]));
    assert!(error.contains("and the release of 90"), "{error}");
    extend(&["patient"]).unwrap();
}

/// Ten groups of three patients of one age, of whom one has half of the rows and, with another, an illness that most of the group's rows have.
fn certain() -> Vec<Visit> {
    let mut visits = Vec::new();
    for group in 0..10 {
        let (age, often) = (20 + group, group * 3);
        visits.extend((0..3).map(|visit| (often, age, 0, group % 4, visit)));
        visits.extend([(often + 1, age, 0, group % 4, 3), (often + 1, age, 0, 5, 4), (often + 2, age, 0, 6, 5)]);
    }
    visits
}

#[test]
fn people_with_several_rows_are_not_certain_of_a_value() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &certain());
    let way = |method| (method, Some(Algorithm::Mondrian), "illness", "k-anonymity(3)");
    for method in [Method::Permute, Method::Anatomy] {
        let job = job_of(folder.path(), way(method), true);
        let (heard, context) = Heard::listen();
        publish_in(&job, &context).unwrap();
        let told: Vec<String> = heard.warnings().into_iter().filter(|text| text.contains("were merged into")).collect();
        assert_eq!(told.len(), 1, "{method}: {:?}", heard.warnings());
        let release = Release::open(job.out()).unwrap();
        let table = job.source().read(&job, &Context::new()).unwrap();
        let found = release.verify(Some(&table), &Context::new()).unwrap();
        assert!(found.ok, "{method}: {:?}", failures(&found));
    }
    // Made of rows, the groups are those that give people away, and a check that knows the people says so.
    let rows = job_of(folder.path(), way(Method::Anatomy), true);
    let rows = rows.but(|job| job.column_mut("patient").role = Some(scumble::ColumnRole::Dropped));
    let rows = rows.requiring(&["k-anonymity(6)"]);
    publish(&rows).unwrap();
    let people = job_of(folder.path(), way(Method::Anatomy), true);
    let table = people.source().read(&people, &Context::new()).unwrap();
    let found = Release::open(rows.out()).unwrap().verify(Some(&table), &Context::new()).unwrap();
    let told = failures(&found).join("; ");
    assert!(told.contains("that it is certain to be theirs"), "{told}");
}

#[test]
fn what_no_groups_can_hide_is_refused_in_exact_forms() {
    let folder = tempfile::tempdir().unwrap();
    // One patient has most rows, and one illness occurs in most.
    let visits: Vec<Visit> =
        (0..30).map(|row| (if row < 18 { 0 } else { row }, 20 + row, 0, u32::from(row % 3 == 0), row)).collect();
    write(folder.path(), &visits);
    for method in [Method::Permute, Method::Anatomy] {
        let error = refusal(publish(&job_of(folder.path(), (method, None, "illness", "k-anonymity(2)"), true)));
        for part in ["18 of 30 rows of one person", "`illness` in 20", "one row of each person"] {
            assert!(error.contains(part), "{method}: {part}: {error}");
        }
    }
    publish(&job_of(folder.path(), (Method::Generalize, None, "illness", "k-anonymity(2)"), true)).unwrap();
}
