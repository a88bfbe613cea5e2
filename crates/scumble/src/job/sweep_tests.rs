use super::*;
use proptest::prelude::*;

const SWEEP: &str = r#"
[input]
path = "data.csv"

[columns]
age = "quasi"
pay = "sensitive"

[publish]
drop_rest = true

[compare]
dir = "out"
seed = 3
queries = 200

[[run]]
method = ["generalize", "anatomy"]
require = ["k-anonymity({k})", "t-closeness({t}, ordered)"]
k = [2, 5, 10]
t = [0.10, 0.2]

[[run]]
method = "angel"
angel-k = "{k}"
marginal = ["age, zip", ["age"]]
require = "pay: frequency-l-diversity({l})"
k = 10
l = [2, "3"]
max_suppressed = [0, 0.02]
"#;

fn parse(text: &str) -> Result<Sweep> {
    Sweep::parse("sweep.toml", text)
}

fn refused(text: &str) -> String {
    parse(text).and_then(|sweep| sweep.points()).unwrap_err().to_string()
}

#[test]
fn lists_are_combined_and_the_last_varies_fastest() {
    let sweep = parse(SWEEP).unwrap();
    let stated = (sweep.compare.dir.as_deref(), sweep.compare.seed, sweep.compare.queries);
    assert_eq!(stated, (Some(Path::new("out")), Some(3), Some(200)));
    assert_eq!(sweep.job, Job::from_toml(SWEEP).unwrap());
    let points = sweep.points().unwrap();
    assert_eq!(points.len(), 12 + 4);
    let varied = |at: usize| {
        let pairs = points[at].varied.iter();
        pairs.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(varied(0), "method=generalize k=2 t=0.10");
    assert_eq!(varied(1), "method=generalize k=2 t=0.2");
    assert_eq!(varied(11), "method=anatomy k=10 t=0.2");
    let require = |at: usize| points[at].job.publish.require.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(require(1), ["k-anonymity(2)", "t-closeness(0.2, ordered)"]);
    assert_eq!(require(15), ["pay: frequency-l-diversity(3)"]);
    let last = &points[15].job.publish;
    let suppressed = Decimal::parse("0.02");
    assert_eq!((last.method, last.angel_k, last.max_suppressed), (Some(Method::Angel), Some(10), suppressed));
    assert!(last.drop_rest);
    assert_eq!(last.marginal, [vec!["age".to_string(), "zip".into()], vec!["age".into()]]);
    assert_eq!(varied(15), "max_suppressed=0.02 k=10 l=3");
}

#[test]
fn mistakes_are_told_with_line_field_and_value() {
    let run = |body: &str| format!("[[run]]\nmethod = \"anatomy\"\n{body}\n");
    for (body, words) in [
        (
            "require = \"k-anonymity({k})\"",
            &["line 3", "`require`", "k-anonymity({k})", "`{k}` stands for nothing"][..],
        ),
        ("require = \"k-anonymity({sise})\"\nsize = [2]", &["line 3", "did you mean `size`?"]),
        ("require = \"k-anonymity(2)\"\nk = [2, 3]", &["line 4", "`k`", "2, 3", "no place `{k}`"]),
        ("require = \"k-anonymity(2)\"\nprofil = \"hardened\"", &["line 4", "did you mean `profile`?"]),
        ("require = \"k-anonymity({k})\"\nk = []", &["line 4", "`k`", "has no values"]),
        ("require = \"k-anonymity({k})\"\nk = [2, 2]", &["line 4", "`k`", "twice"]),
        ("require = \"k-anonymity({k\"", &["line 3", "a brace has no partner"]),
        ("require = \"k-anonymity({k})\"\nk = [[2]]", &["line 4", "`k` must be"]),
        ("require = \"k-anonymity({k})\"\nk = true", &["line 4", "`k` must be"]),
        ("require = 3", &["line 3", "`require`: this must be a string or a list of strings, not an integer"]),
        ("require = \"k-anonymity(2)\"\nmethod = \"x\"", &["line 4"]),
        ("require = \"k-anonimity(2)\"", &["line 3", "did you mean `k-anonymity`?"]),
        ("require = \"k-anonymity(2)\"\nalgorithm = \"mondrain\"", &["line 4", "did you mean `mondrian`?"]),
    ] {
        let error = refused(&run(body));
        for word in words.iter().chain(&["sweep.toml"]) {
            assert!(error.contains(word), "`{word}` is not in: {error}");
        }
    }
    assert!(refused("[input]\npath = \"x\"").contains("there is no run"));
    assert!(refused("run = 3").contains("`run` must be a list of sections"));
    assert!(refused("[run]\nmethod = \"x\"").contains("write `[[run]]`"));
    assert!(refused("[compare]\nsed = 1\n[[run]]").contains("did you mean `seed`?"));
}

#[test]
fn a_sweep_of_too_many_points_is_refused_without_making_them() {
    let list: Vec<String> = (0..1000).map(|i| i.to_string()).collect();
    let list = list.join(", ");
    let text =
        format!("[[run]]\nrequire = \"ke-anonymity({{a}}, {{b}}, {{c}})\"\na = [{list}]\nb = [{list}]\nc = [{list}]\n");
    let error = refused(&text);
    assert!(error.contains("1000 x 1000 x 1000") && error.contains("more than 100000"), "{error}");
}

#[test]
fn a_run_without_lists_is_one_point() {
    let points = parse("[[run]]\n").unwrap().points().unwrap();
    assert_eq!(points, [SweepPoint { job: Job::new(), varied: Vec::new(), line: 1 }]);
}

#[test]
fn files_are_meant_from_where_the_sweep_lies() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sweep.toml");
    let text = "[publish]\ndistance = \"ill:matrix:a.csv\"\n[compare]\ndir = \"out\"\n[[run]]\n[[run]]\n\
                distance = [\"ill:matrix:b.csv\", \"ill:rank\"]\n";
    std::fs::write(&file, text).unwrap();
    let sweep = Sweep::read(&file).unwrap();
    assert_eq!(sweep.compare.dir, Some(folder.path().join("out")));
    let distances = sweep.points().unwrap().into_iter().map(|point| point.job.publish.distance.unwrap().to_string());
    let matrix = |name: &str| format!("ill:matrix:{}", folder.path().join(name).display());
    assert_eq!(distances.collect::<Vec<_>>(), [matrix("a.csv"), matrix("b.csv"), "ill:rank".into()]);
}

proptest! {
    #[test]
    fn never_panics(text in "(\\[\\[run\\]\\]\n|require = |\"k\\(\\{k\\}\\)\"|k = |\\[1, 2\\]|\\{|\\}|\"|\n|=|[a-z]{1,3}|[0-9.])*") {
        let _ = parse(&text).and_then(|sweep| sweep.points());
    }

    #[test]
    fn there_are_as_many_points_as_combinations(lengths in proptest::collection::vec(1_usize..5, 1..5)) {
        let names = ["a", "b", "c", "d"];
        let parameters: Vec<Values> = lengths.iter().zip(names).map(|(&n, name)| {
            Values::new(name, (0..n).map(|i| i.to_string()).collect())
        }).collect();
        let require = names[..lengths.len()].iter().map(|name| Value::text(format!("k-anonymity(1{{{name}}})")));
        let fixed = vec![("require".to_string(), Value::list(require))];
        let points = SweepRun { fixed, parameters, ..SweepRun::default() }.points(&Job::new()).unwrap();
        prop_assert_eq!(points.len(), lengths.iter().product::<usize>());
        let texts = |point: &SweepPoint| point.job.publish.require.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut distinct: Vec<Vec<String>> = points.iter().map(texts).collect();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), points.len());
    }
}
