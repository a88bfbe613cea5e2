use super::*;
use proptest::prelude::*;
use scumble_rules::{Rule, RuleAction};

const FULL: &str = r#"
[input]
path = "data/adult.csv"
format = "csv"
delimiter = ";"
null = ["?", "NA"]
population = "all.parquet"

[columns]
zipcode = { role = "quasi", type = "ordinal", level = 2, hierarchy = "zip.csv", order = "/abs/zip.txt" }
age = "quasi"
"marital status" = "keep"
ssn = "identifying"
note = "drop"
kind = "keep"

[columns.salary]
role = "sensitive"
type = "number"

[rules]
minors = { when = "age < 18", delete = true }
zone = { when = "zipcode is missing", blank = ["age", "kind"], top-code = { salary = 1e5, age = 9_9.50 } }
"always é" = { generalize = { age = "year", born = 7 }, bottom_code = { born = 1970-01-01 }, blank = "kind" }

[rules.last]
generalize = { age = 5 }
when = "salary > 3"

[publish]
require = ["proximity-absolute(4500, 5)", "k-anonymity(10)"]
method = "angel"
algorithm = "mondrian"
max_suppressed = 0.02
profile = "hardened"
aim = "loss"
boxes = "rounded"
mixtures = "hold"
seed = 7
insecure_seed = true
distance = "l1(salary:range)"
time_limit = 60
marginal = ["age, zipcode", ["age", "sex"]]
angel-k = 10
join_k = 3
mixture-way = "doubled"
drop_rest = true
together = true

[output]
dir = "release"
format = "parquet"
replace = true
"#;

fn parse(text: &str) -> Result<Job> {
    Job::from_toml_in("job.toml", text).map(|job| job.in_folder(Path::new("/jobs")))
}

fn message(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn everything_a_job_can_say() {
    let job = parse(FULL).unwrap();
    assert_eq!(
        job.input,
        Input {
            path: Some("/jobs/data/adult.csv".into()),
            format: Some(Format::Csv),
            delimiter: Some(Delimiter(b';')),
            null: vec!["?".into(), "NA".into()],
            population: Some("/jobs/all.parquet".into()),
        }
    );
    let role = |column: &Column| column.role.unwrap();
    let names: Vec<(&str, ColumnRole)> = job.columns.iter().map(|(name, one)| (name.as_str(), role(one))).collect();
    assert_eq!(
        names,
        [
            ("zipcode", ColumnRole::Quasi),
            ("age", ColumnRole::Quasi),
            ("marital status", ColumnRole::Kept),
            ("ssn", ColumnRole::Identifying),
            ("note", ColumnRole::Dropped),
            ("kind", ColumnRole::Kept),
            ("salary", ColumnRole::Sensitive),
        ]
    );
    let zipcode = &job.columns[0].1;
    assert_eq!(zipcode.hierarchy, Some(FromFile::file("/jobs/zip.csv")));
    assert_eq!(zipcode.order, Some(FromFile::file("/abs/zip.txt")));
    assert_eq!((zipcode.kind, zipcode.level), (Some(Kind::Ordinal), Some(2)));
    assert_eq!(job.columns[6].1.kind, Some(Kind::Number));
    let rules: Vec<&Rule> = job.rules.iter().collect();
    assert_eq!(rules.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>(), ["minors", "zone", "always é", "last"]);
    let when = |at: usize| rules[at].when.as_ref().map(ToString::to_string);
    assert_eq!((when(0).as_deref(), when(2), when(3).as_deref()), (Some("age < 18"), None, Some("salary > 3")));
    assert_eq!(rules[0].actions, [RuleAction::Delete]);
    let shown = |rule: &Rule| {
        let one = |action: &RuleAction| {
            let bound = match action {
                RuleAction::TopCode { bound, .. } | RuleAction::BottomCode { bound, .. } => bound.as_str(),
                RuleAction::Generalize { to, .. } => to,
                RuleAction::Delete | RuleAction::Blank { .. } => "",
            };
            format!("{} {} {bound}", action.name(), action.column().unwrap_or_default())
        };
        rule.actions.iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(shown(rules[1]), ["blank age ", "blank kind ", "top_code salary 1e5", "top_code age 99.50"]);
    assert_eq!(
        shown(rules[2]),
        ["blank kind ", "bottom_code born 1970-01-01", "generalize age year", "generalize born 7"]
    );
    assert_eq!(
        job.publish,
        Publish {
            require: ["proximity-absolute(4500, 5)", "k-anonymity(10)"].map(|text| text.parse().unwrap()).to_vec(),
            method: Some(Method::Angel),
            algorithm: Some(Algorithm::Mondrian),
            max_suppressed: Decimal::parse("0.02"),
            profile: Some(Profile::Hardened),
            aim: Some(Aim::Loss),
            boxes: Some(BoxKind::Rounded),
            mixtures: Some(Mixtures::Hold),
            seed: Some(7),
            insecure_seed: true,
            distance: Some("l1(salary:range)".parse().unwrap()),
            time_limit: Some(60),
            marginal: vec![vec!["age".into(), "zipcode".into()], vec!["age".into(), "sex".into()]],
            angel_k: Some(10),
            drop_rest: true,
            together: true,
            join_k: Some(3),
            mixture_way: Some(MixtureStrategy::Doubled),
            ..Publish::default()
        }
    );
    assert_eq!(
        job.output,
        Output {
            dir: Some("/jobs/release".into()),
            format: Some(TableFormat::Parquet),
            replace: true,
            ..Output::default()
        }
    );
}

#[test]
fn what_is_not_stated_is_left_open() {
    let job = parse("").unwrap();
    assert_eq!((&job, job.file.as_str()), (&Job::new(), "job.toml"));
    let job =
        parse("[input]\npath = \"-\"\ndelimiter = \"tab\"\nnull = \"?\"\n[publish]\nrequire = \"k-anonymity(2)\"")
            .unwrap();
    assert_eq!((job.input.path, job.input.delimiter), (Some("-".into()), Some(Delimiter(b'\t'))));
    assert_eq!((job.input.null, job.publish.require), (vec!["?".into()], vec!["k-anonymity(2)".parse().unwrap()]));
    let job = parse("[publish]\nmax_suppressed = \"0.1\"").unwrap();
    assert_eq!(job.publish.max_suppressed, Decimal::parse("0.1"));
}

#[test]
fn mistakes_name_line_field_and_remedy() {
    for (text, expected) in [
        (
            "[publish]\nrequir = []",
            "job.toml, line 2: there is no field `requir` in `publish`; hint: did you mean `require`?",
        ),
        ("\n[publsh]\n", "job.toml, line 2: there is no section `publsh`; hint: did you mean `publish`?"),
        (
            "[output]\nxyz = 1",
            "job.toml, line 2: there is no field `xyz` in `output`; hint: the fields are `dir`, `replace`, `format`, `intervals`, `suppressed`, `ledger`, `ledger_passphrase`, `ledger_key`",
        ),
        (
            "[columns]\nage = { role = \"quasi\", typ = \"number\" }",
            "job.toml, line 2: there is no field `typ` in `age`; hint: did you mean `type`?",
        ),
        (
            "[columns]\na = \"quasi\"\nage = \"quassi\"",
            "job.toml, line 3: there is no role `quassi`; hint: did you mean `quasi`?",
        ),
        (
            "[columns]\nage = \"zzz\"",
            "job.toml, line 2: there is no role `zzz`; hint: one of `quasi`, `sensitive`, `identifying`, `person`, `keep`, `drop`",
        ),
        (
            "[columns]\nage = { type = \"number\" }",
            "job.toml, line 2: column `age` has no role; hint: for example `age = { role = \"quasi\" }`",
        ),
        (
            "[columns]\nage = { role = \"quasi\", type = \"numbr\" }",
            "job.toml, line 2: there is no type `numbr`; hint: did you mean `number`?",
        ),
        ("[columns]\nage = 3", "job.toml, line 2: `age` must be a role or a table with a role, not an integer"),
        (
            "columns = 3",
            "job.toml, line 1: `columns` must be a section, not an integer; hint: write `[columns]` on a line of its own",
        ),
        (
            "[rules]\nx = \"age < 18\"",
            "job.toml, line 2: `x` must be a rule such as `{ when = \"age < 18\", delete = true }`, not a string",
        ),
        (
            "[rules]\n\nx = { when = \"age < 18\", delete = false }",
            "job.toml, line 3: rule `x` does nothing; hint: give it `delete`, `blank`, `top_code`, `bottom_code` or `generalize`",
        ),
        (
            "[rules]\nx = { top_cod = { age = 3 } }",
            "job.toml, line 2: there is no field `top_cod` in `x`; hint: did you mean `top_code`?",
        ),
        (
            "[rules]\nx = { top_code = 3 }",
            "job.toml, line 2: `top_code` must be a table of columns and bounds, such as `{ height = 160 }`, not an integer",
        ),
        (
            "[rules]\nx = { generalize = { age = [5] } }",
            "job.toml, line 2: `age` must be a decimal number, a date or a string, not an array",
        ),
        ("[publish]\nseed = \"x\"", "job.toml, line 2: `seed` must be a whole number, not a string"),
        ("[publish]\nseed = -1", "job.toml, line 2: `seed` must be a whole number from 0 to 18446744073709551615"),
        ("[publish]\nmax_suppressed = nan", "job.toml, line 2: `max_suppressed` must be a decimal number"),
        (
            "[publish]\nrequire = [3]",
            "job.toml, line 2: `require` must be a string or a list of strings, not an integer",
        ),
        ("[publish]\nangel_k = 2\nangel-k = 2", "job.toml, line 3: `angel_k` is given twice"),
        ("[publish]\ndrop_rest = 1", "job.toml, line 2: `drop_rest` must be `true` or `false`, not an integer"),
        (
            "[input]\nformat = \"parket\"",
            "job.toml, line 2: there is no format `parket`; hint: did you mean `parquet`?",
        ),
        (
            "[input]\ndelimiter = \";;\"",
            "job.toml, line 2: a delimiter is one ASCII character other than a quote, or `tab`; hint: such as `;`, or `tab`",
        ),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
    for (text, line) in [("[input", 1), ("[input]\npath = \n", 2), ("[input]\npath = \"a\"\npath = \"b\"", 3)] {
        let error = message(text);
        assert!(error.starts_with(&format!("job.toml, line {line}: ")) && !error.contains('\n'), "{error:?}");
    }
}

#[test]
fn files_are_read_with_paths_from_where_they_lie() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("job.toml");
    std::fs::write(&path, FULL).unwrap();
    assert_eq!(Job::read(&path).unwrap().output.dir, Some(dir.path().join("release")));
    std::fs::write(&path, b"\xff").unwrap();
    assert!(Job::read(&path).unwrap_err().to_string().contains("not UTF-8"));
    assert!(Job::read(&dir.path().join("none")).unwrap_err().to_string().ends_with("there is no such file"));
}

proptest! {
    #[test]
    fn never_panics(text in "\\PC*") {
        let _ = parse(&text);
    }

    #[test]
    fn never_panics_on_what_is_nearly_right(
        cut in 0usize..FULL.len(),
        len in 0usize..20,
        with in "[\\[\\]{}=\",a-z0-9.\n -]{0,8}",
    ) {
        let mut text = FULL.as_bytes().to_vec();
        let end = (cut + len).min(text.len());
        text.splice(cut..end, with.bytes());
        let _ = parse(&String::from_utf8_lossy(&text));
    }
}
