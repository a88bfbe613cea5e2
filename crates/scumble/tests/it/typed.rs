//! The types of published tables, suppressed rows that are left out, and intervals by their ends.

use crate::dice::Dice;
use crate::steps::{Say, failures, job, load, publish, refusal, verify, verify_alone};
use arrow_array::types::Decimal128Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float32Array, Float64Array, Int8Array, Int64Array, PrimitiveArray,
    RecordBatch, StringArray, TimestampMicrosecondArray,
};
use arrow_schema::{DataType, TimeUnit};
use scumble::{
    Context, Decimal, EvaluateRequest, ExtendRequest, Intervals, Job, Method, Release, Source, SuppressedRows,
    TableFormat, anonymize,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// People in columns of all types.
fn batch() -> RecordBatch {
    let n = 200i64;
    let amounts: PrimitiveArray<Decimal128Type> = (0..n).map(|i| Some(i128::from(1000 + i * 37 % 90))).collect();
    let column = |name: &str, array: ArrayRef| (name.to_string(), array);
    RecordBatch::try_from_iter([
        column(
            "age",
            Arc::new((0..n).map(|i| (i % 19 != 3).then_some((20 + i * 7 % 45) as i8)).collect::<Int8Array>()),
        ),
        column("height", Arc::new((0..n).map(|i| Some(1.5 + (i * 13 % 40) as f32 / 100.0)).collect::<Float32Array>())),
        column("born", Arc::new((0..n).map(|i| Some((i * 31 % 9000) as i32)).collect::<Date32Array>())),
        column("town", Arc::new((0..n).map(|i| Some(["Ghent", "Porto"][(i % 2) as usize])).collect::<StringArray>())),
        column("smoker", Arc::new((0..n).map(|i| Some(i % 3 == 0)).collect::<BooleanArray>())),
        column(
            "seen",
            Arc::new(
                (0..n)
                    .map(|i| (i % 17 != 2).then_some(1_700_000_000_000_000 + (i % 7) * 1_234_567))
                    .collect::<TimestampMicrosecondArray>(),
            ),
        ),
        column("pay", Arc::new(amounts.with_precision_and_scale(12, 2).unwrap())),
        column("dose", Arc::new((0..n).map(|i| Some((i % 5) as f64 / 10.0)).collect::<Float64Array>())),
    ])
    .unwrap()
}

fn asked(out: &Path, method: Method) -> Job {
    let job = job("people.parquet", out).quasi(["age", "height", "born", "town"]).sensitive(["pay", "seen"]);
    job.keep(["smoker", "dose"]).vouched().requiring(&["k-anonymity(4)"]).but(|job| {
        job.input.path = None;
        (job.publish.seed, job.publish.insecure_seed, job.publish.method) = (Some(5), true, Some(method));
        if method == Method::Angel {
            job.publish.marginal = vec![vec!["age".into(), "town".into()]];
        }
        if matches!(method, Method::Generalize | Method::Anatomy) {
            job.publish.max_suppressed = Decimal::parse("0.1");
        }
    })
}

/// The type of each column, table by table.
fn types(release: &Release) -> BTreeMap<String, BTreeMap<String, DataType>> {
    let tables = release.tables(&Context::new()).unwrap();
    let of = |table: &scumble::ArrowTable| {
        let fields = table.schema.fields().iter().map(|field| (field.name().clone(), field.data_type().clone()));
        (table.name.clone(), fields.collect())
    };
    tables.iter().map(of).collect()
}

#[test]
fn exact_columns_keep_the_type_of_their_source_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let moment = DataType::Timestamp(TimeUnit::Microsecond, None);
    for method in [Method::Generalize, Method::Permute, Method::Anatomy, Method::Angel] {
        let job = asked(&folder.path().join("unused"), method).but(|job| job.output.intervals = None);
        let job = match method.is_exact() {
            true => job,
            false => job.but(|job| job.output.intervals = Some(Intervals::Columns)),
        };
        let loaded = Source::arrow(batch().schema(), [batch()]).load(&job, &Context::new()).unwrap();
        let release = anonymize(&loaded.table, &job, &Context::new()).unwrap();
        let found = types(&release);
        let place = |name: &str| found.values().find_map(|columns| columns.get(name)).cloned();
        let mut expected = vec![
            ("pay", DataType::Decimal128(12, 2)),
            ("seen", moment.clone()),
            ("smoker", DataType::Boolean),
            ("dose", DataType::Float64),
            ("town", DataType::Utf8),
        ];
        match method.is_exact() {
            true => {
                expected.extend([("age", DataType::Int8), ("height", DataType::Float32), ("born", DataType::Date32)])
            }
            false => expected.extend([
                ("age_lower", DataType::Int8),
                ("age_upper", DataType::Int8),
                ("height_lower", DataType::Float32),
                ("born_upper", DataType::Date32),
            ]),
        }
        for (name, data_type) in &expected {
            assert_eq!(place(name).as_ref(), Some(data_type), "{method}: {name} in {found:?}");
        }
        if method == Method::Permute {
            assert_eq!(found["help-pay"]["min_lower"], DataType::Decimal128(12, 2));
            assert_eq!(found["help-pay"]["sum_upper"], DataType::Decimal128(38, 2));
        }
        // The same comes back from Parquet, and what CSV can tell of it.
        for format in TableFormat::ALL {
            let out = folder.path().join(format!("{method}-{}", format.name()));
            release.write_as(&out, format, false, &Context::new()).unwrap();
            let again = Release::open(&out).unwrap();
            let verdict = verify_alone(&out);
            assert!(verdict.ok, "{method}: {:?}", failures(&verdict));
            if format == TableFormat::Parquet {
                assert_eq!(types(&again), found, "{method}");
            } else {
                let place = |name: &str| types(&again).values().find_map(|columns| columns.get(name)).cloned();
                let age = if method.is_exact() { "age" } else { "age_upper" };
                assert_eq!((place(age), place("pay")), (Some(DataType::Int64), Some(DataType::Float64)), "{method}");
            }
        }
    }
}

#[test]
fn a_type_that_shown_values_do_not_fit_gives_way() {
    let folder = tempfile::tempdir().unwrap();
    let ages: Int8Array = (0..60).map(|i| Some(100 + (i % 28) as i8)).collect();
    let pay: Int64Array = (0..60).map(i64::from).collect();
    let columns = [("age".to_string(), Arc::new(ages) as ArrayRef), ("pay".to_string(), Arc::new(pay) as ArrayRef)];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let job = job("x", folder.path().join("r")).quasi(["age"]).sensitive(["pay"]).requiring(&["k-anonymity(20)"]).but(
        |job| {
            job.input.path = None;
            (job.publish.boxes, job.output.intervals) = (Some(scumble::BoxKind::Rounded), Some(Intervals::Columns));
        },
    );
    let loaded = Source::arrow(batch.schema(), [batch]).load(&job, &Context::new()).unwrap();
    let release = anonymize(&loaded.table, &job, &Context::new()).unwrap();
    let Value::Array(domain) = serde_json::to_value(&release.manifest().columns[0].domain).unwrap() else { panic!() };
    let kept = domain[1].as_i64().unwrap() <= 127;
    let expected = if kept { DataType::Int8 } else { DataType::Int64 };
    assert_eq!(types(&release)["table"]["age_upper"], expected, "{domain:?}");
}

/// A table with numbers, dates and ordered labels of which some are missing.
fn random_table(dice: &mut Dice, path: &Path) {
    let mut text = String::from("age,born,size,town,ill\n");
    let n = 20 + dice.below(60);
    let nulls = dice.below(4);
    for _ in 0..n {
        let missing = |dice: &mut Dice| dice.below(10) < nulls;
        let age = if missing(dice) { String::new() } else { (20 + dice.below(9)).to_string() };
        let born = if missing(dice) { String::new() } else { format!("1980-01-{:02}", 1 + dice.below(20)) };
        let size = if missing(dice) { "" } else { ["S", "M", "L"][dice.below(3) as usize] };
        let town = ["Ghent", "Porto"][dice.below(2) as usize];
        text += &format!("{age},{born},{size},{town},i{}\n", dice.below(5));
    }
    fs::write(path, text).unwrap();
}

/// The cells of a CSV file by column.
fn cells(path: &Path) -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    let split = |line: &str| {
        let (mut fields, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(String::new()),
                c => fields.last_mut().unwrap().push(c),
            }
        }
        fields
    };
    let mut lines = text.lines().map(split);
    let names = lines.next().unwrap();
    let rows: Vec<Vec<String>> = lines.collect();
    names.into_iter().enumerate().map(|(at, name)| (name, rows.iter().map(|row| row[at].clone()).collect())).collect()
}

#[test]
fn texts_and_columns_say_the_same() {
    let (mut starred, mut banded) = (0, 0);
    for seed in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        random_table(&mut Dice(seed), &path("people.csv"));
        fs::write(path("sizes.txt"), "S\nM\nL\n").unwrap();
        let method = [Method::Generalize, Method::FullDomain, Method::Angel][seed as usize % 3];
        let base = job(path("people.csv"), path("text")).quasi(["age", "born", "size", "town"]).sensitive(["ill"]);
        let base = base.vouched().requiring(&["k-anonymity(3)"]).but(|job| {
            (job.publish.seed, job.publish.insecure_seed, job.publish.method) = (Some(seed), true, Some(method));
            job.column_mut("size").order = Some(scumble::FromFile::file(path("sizes.txt")));
            if method != Method::Angel {
                job.publish.max_suppressed = Decimal::parse("0.2");
            }
            // Bands and cuts are intervals as well, of the method too that shows levels.
            if seed % 2 == 1 {
                fs::write(
                    path("age.toml"),
                    ["kind = 'bands'\nwidths = [2, 4]", "kind = 'cuts'\nlevels = [[23, 26]]"][seed as usize / 2 % 2],
                )
                .unwrap();
                fs::write(path("born.toml"), "kind = 'bands'\nwidths = ['month', 'year']").unwrap();
                job.column_mut("age").hierarchy = Some(scumble::FromFile::file(path("age.toml")));
                job.column_mut("born").hierarchy = Some(scumble::FromFile::file(path("born.toml")));
            }
        });
        let columns = base.clone().but(|job| {
            (job.output.dir, job.output.intervals) = (Some(path("columns")), Some(Intervals::Columns));
        });
        publish(&base).unwrap();
        publish(&columns).unwrap();
        for job in [&base, &columns] {
            let verdict = verify(job);
            assert!(verdict.ok, "{seed}: {:?}", failures(&verdict));
        }
        let table = if method == Method::Angel { "generalized.csv" } else { "table.csv" };
        let (texts, ends) = (cells(&path("text").join(table)), cells(&path("columns").join(table)));
        let manifest: Value =
            serde_json::from_slice(&fs::read(path("columns").join("manifest.json")).unwrap()).unwrap();
        for column in manifest["columns"].as_array().unwrap().iter().filter(|column| column["role"] == "quasi") {
            let name = column["name"].as_str().unwrap();
            if column.get("published").is_none() {
                assert_eq!(texts[name], ends[name], "{seed}: {name}");
                let apart = column["domain"].as_array().unwrap().first() != column["domain"].as_array().unwrap().last();
                assert!(
                    !apart || column["type"] == "nominal" || column["type"] == "ordinal",
                    "{seed}: {name} shows no ends"
                );
                continue;
            }
            banded += usize::from(seed % 2 == 1 && name == "age");
            let (lower, upper) = (format!("{name}_lower"), format!("{name}_upper"));
            assert_eq!(column["published"], json!([lower, upper]));
            assert!(!ends.contains_key(name));
            let domain = column["domain"].as_array().unwrap();
            let plain = |end: &Value| end.as_str().map_or_else(|| end.to_string(), String::from);
            let whole = domain.first().zip(domain.last()).map(|(first, last)| (plain(first), plain(last)));
            for (text, pair) in texts[name].iter().zip(ends[&lower].iter().zip(&ends[&upper])) {
                let pair = (pair.0.clone(), pair.1.clone());
                let said = match text.trim_start_matches('[').trim_end_matches(']').split_once(',') {
                    Some((lo, hi)) => (lo.to_string(), hi.to_string()),
                    None if text == "*" => {
                        starred += 1;
                        whole.clone().unwrap()
                    }
                    None => (text.clone(), text.clone()),
                };
                assert_eq!(pair, said, "{seed}: {name} `{text}`");
            }
        }
    }
    assert!(starred > 0 && banded > 10, "{starred} {banded}");
}

#[test]
fn bands_in_two_columns_are_read_by_everybody() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text: String = (0..300).map(|i| format!("{},{},i{}\n", i * 7 % 60, ["m", "f"][i % 2], i % 5)).collect();
    fs::write(path("people.csv"), format!("age,sex,ill\n{text}")).unwrap();
    for (rule, method) in [
        ("kind = 'bands'\nwidths = [5, 20]", Method::Generalize),
        ("kind = 'cuts'\nlevels = [[18, 40]]", Method::Generalize),
        ("kind = 'bands'\nwidths = [20]", Method::FullDomain),
    ] {
        fs::write(path("age.toml"), rule).unwrap();
        let mut told = Vec::new();
        for intervals in [Intervals::Text, Intervals::Columns] {
            let out = path(&format!("{}-{method}-{intervals}", rule.len()));
            let job = job(path("people.csv"), &out).quasi(["age", "sex"]).sensitive(["ill"]).vouched();
            let job = job.requiring(&["k-anonymity(12)"]).but(|job| {
                job.column_mut("age").hierarchy = Some(scumble::FromFile::file(path("age.toml")));
                (job.publish.method, job.output.intervals) = (Some(method), Some(intervals));
                (job.publish.seed, job.publish.insecure_seed) = (Some(3), true);
                job.output.format = Some(TableFormat::Parquet);
            });
            publish(&job).unwrap();
            let verdict = verify(&job);
            assert!(verdict.ok, "{out:?}: {:?}", failures(&verdict));
            let release = Release::open(&out).unwrap();
            let found = types(&release);
            let shown = if intervals == Intervals::Columns { "age_upper" } else { "age" };
            let age = found["table"][shown].clone();
            assert_eq!(age == DataType::Int64, intervals == Intervals::Columns, "{out:?}: {age}");
            let source = load(&job).unwrap().table;
            let evaluation = release.evaluate(&source, &EvaluateRequest::new(), &Context::new()).unwrap();
            let mut evaluation = serde_json::to_value(evaluation).unwrap();
            evaluation.as_object_mut().unwrap().remove("release").unwrap();
            told.push(evaluation);
        }
        assert_eq!(told[0], told[1], "{rule}");
    }
}

/// Sixty people with days as moments, of whom one, whose quasi-identifier is far out, has a time of day.
fn with_moment(micros: i64) -> RecordBatch {
    let day = |i: i64| 1_735_689_600_000_000 + i % 12 * 86_400_000_000;
    let ages: Int64Array = (0..61).map(|i| Some(if i == 60 { 900 } else { 20 + i % 3 })).collect();
    let seen =
        || (0..61).map(|i| Some(day(i) + if i == 60 { micros } else { 0 })).collect::<TimestampMicrosecondArray>();
    let ill: StringArray = (0..61).map(|i| Some(["flu", "gout", "lupus"][i % 3])).collect();
    let columns: [(&str, ArrayRef); 4] =
        [("age", Arc::new(ages)), ("seen", Arc::new(seen())), ("left", Arc::new(seen())), ("ill", Arc::new(ill))];
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn types_do_not_tell_that_a_suppressed_moment_has_a_time_of_day() {
    let folder = tempfile::tempdir().unwrap();
    for method in [Method::Generalize, Method::FullDomain] {
        let told = [0, 45_296_000_000].map(|micros| {
            let job = job("x", folder.path().join("r")).quasi(["age"]).sensitive(["ill", "left"]).keep(["seen"]);
            let job = job.vouched().requiring(&["k-anonymity(5)"]).but(|job| {
                job.input.path = None;
                (job.publish.method, job.publish.seed, job.publish.insecure_seed) = (Some(method), Some(1), true);
                job.publish.max_suppressed = Decimal::parse("0.1");
                job.publish.accept_keep = vec!["seen".into()];
            });
            let batch = with_moment(micros);
            let loaded = Source::arrow(batch.schema(), [batch]).load(&job, &Context::new()).unwrap();
            let release = anonymize(&loaded.table, &job, &Context::new()).unwrap();
            assert!(release.manifest().suppressed > 0);
            assert_eq!(
                types(&release).values().find_map(|t| t.get("left").cloned()),
                Some(DataType::Timestamp(TimeUnit::Microsecond, None))
            );
            serde_json::to_value(&release.manifest().columns).unwrap()
        });
        assert_eq!(told[0], told[1], "{method}");
        assert_eq!(told[0][2]["type"], json!("date"), "{method}");
    }
}

#[test]
fn ends_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text: String = (0..40).map(|i| format!("{},{}\n", 20 + i % 20, i % 7)).collect();
    fs::write(path("people.csv"), format!("age,ill\n{text}")).unwrap();
    let job = job(path("people.csv"), path("r")).quasi(["age"]).sensitive(["ill"]).requiring(&["k-anonymity(5)"]);
    let job = job.but(|job| job.output.intervals = Some(Intervals::Columns));
    publish(&job).unwrap();
    let (table, manifest) = (path("r").join("table.csv"), path("r").join("manifest.json"));
    let (good, stated) = (fs::read_to_string(&table).unwrap(), fs::read_to_string(&manifest).unwrap());
    let row: Vec<String> = good.lines().nth(1).unwrap().split(',').map(String::from).collect();
    let forged = |lower: &str, upper: &str| {
        // All rows of the first group, so that it stays uniform, and a checksum that agrees.
        let changed: Vec<String> = good
            .lines()
            .map(|line| {
                let cells: Vec<&str> = line.split(',').collect();
                if cells[0] == row[0] { [cells[0], lower, upper, cells[3]].join(",") } else { line.into() }
            })
            .collect();
        let bytes = changed.join("\n") + "\n";
        let mut digest = scumble::Digest::default();
        digest.update(bytes.as_bytes());
        let mut value: Value = serde_json::from_str(&stated).unwrap();
        value["tables"][0]["sha256"] = json!(digest.hex());
        fs::write(&table, bytes).unwrap();
        fs::write(&manifest, serde_json::to_string_pretty(&value).unwrap() + "\n").unwrap();
        failures(&verify_alone(&path("r"))).join("; ")
    };
    assert_eq!(forged(&row[1], &row[2]), "");
    for (lower, upper, words) in [
        (&*row[2], &*row[1], "runs backwards"),
        ("1", &*row[2], "leaves the manifest's domain"),
        (&*row[1], "", "one end of a value is missing"),
        ("*", "*", "plain decimal"),
        ("020", &*row[2], "plain decimal"),
        ("20.0", &*row[2], "plain decimal"),
    ] {
        let said = forged(lower, upper);
        assert!(said.contains(words), "{lower} {upper}: {said}");
    }
    // Names and columns of the manifest.
    fs::write(&table, &good).unwrap();
    let misnamed = stated.replacen("age_lower", "age_least", 1);
    fs::write(&manifest, misnamed).unwrap();
    assert!(failures(&verify_alone(&path("r"))).join("; ").contains("stand in `age_lower` and `age_upper`"));
}

#[test]
fn names_that_are_taken_and_forms_without_intervals_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text: String = (0..40).map(|i| format!("{},{},{}\n", 20 + i % 20, i % 3, i % 7)).collect();
    fs::write(path("people.csv"), format!("age,age_upper,ill\n{text}")).unwrap();
    let base = job(path("people.csv"), path("r")).quasi(["age"]).sensitive(["ill"]).keep(["age_upper"]).vouched();
    let base = base.requiring(&["k-anonymity(5)"]).but(|job| job.output.format = Some(TableFormat::Parquet));
    let said = refusal(publish(&base));
    assert!(said.contains("the ends of `age` need the name of another column, `age_upper`"), "{said}");
    assert!(said.contains("hint: rename that column"), "{said}");
    publish(&base.clone().but(|job| job.output.intervals = Some(Intervals::Text))).unwrap();
    // Databases take names that differ by capitals for one.
    fs::write(path("people.csv"), format!("age,Age_Upper,ill\n{text}")).unwrap();
    let capitals =
        job(path("people.csv"), path("capitals")).quasi(["age"]).sensitive(["ill"]).keep(["Age_Upper"]).vouched();
    let capitals = capitals.requiring(&["k-anonymity(5)"]).but(|job| job.output.format = Some(TableFormat::Parquet));
    assert!(refusal(publish(&capitals)).contains("need the name of another column, `Age_Upper`"));
    fs::write(path("people.csv"), format!("age,age_upper,ill\n{text}")).unwrap();
    let exact = base.but(|job| {
        (job.publish.method, job.output.intervals) = (Some(Method::Anatomy), Some(Intervals::Columns));
        job.output.dir = Some(path("exact"));
    });
    assert!(refusal(publish(&exact)).contains("publishes exact quasi-identifiers, and no intervals"));
}

#[test]
fn suppressed_rows_are_left_out_or_show_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut text = String::from("age,pay,ill\n");
    (0..60).for_each(|i| text += &format!("{},{}.5,i{}\n", 20 + i % 12, 1000 + i, i % 4));
    text += "99,5,i1\n97,6,i2\n";
    fs::write(path("people.csv"), text).unwrap();
    for method in [Method::Generalize, Method::Anatomy] {
        let mut figures = Vec::new();
        for (format, rows) in [
            (TableFormat::Csv, SuppressedRows::LeftOut),
            (TableFormat::Csv, SuppressedRows::Stars),
            (TableFormat::Parquet, SuppressedRows::LeftOut),
            (TableFormat::Parquet, SuppressedRows::Stars),
        ] {
            let out = path(&format!("{method}-{}-{rows}", format.name()));
            let job =
                job(path("people.csv"), &out).quasi(["age"]).sensitive(["pay", "ill"]).requiring(&["k-anonymity(4)"]);
            let job = job.but(|job| {
                (job.publish.method, job.publish.max_suppressed) = (Some(method), Decimal::parse("0.1"));
                (job.publish.seed, job.publish.insecure_seed) = (Some(3), true);
                (job.output.format, job.output.suppressed) = (Some(format), Some(rows));
                job.output.intervals = if method == Method::Generalize { Some(Intervals::Text) } else { None };
            });
            let published = publish(&job).unwrap();
            let verdict = verify(&job);
            assert!(verdict.ok, "{out:?}: {:?}", failures(&verdict));
            assert!(published.facts.suppressed > 0, "{out:?}");
            let release = Release::open(&out).unwrap();
            let (stated, table) = (release.manifest(), &release.tables(&Context::new()).unwrap()[0]);
            let n_rows: usize = table.batches.iter().map(|batch| batch.num_rows()).sum();
            let stars = if rows == SuppressedRows::Stars { stated.suppressed } else { 0 };
            assert_eq!(n_rows as u64, stated.rows + stars, "{out:?}");
            for (field, cells) in table.schema.fields().iter().zip(table.batches[0].columns()) {
                assert_eq!(cells.null_count() as u64, stars, "{out:?}: {}", field.name());
            }
            if method == Method::Generalize {
                assert_eq!(*table.schema.field_with_name("pay").unwrap().data_type(), DataType::Float64);
            }
            // Stars and rows that are left out are the same to everybody who reads the release.
            let source = load(&job).unwrap().table;
            let evaluation = release.evaluate(&source, &EvaluateRequest::new(), &Context::new()).unwrap();
            let mut evaluation = serde_json::to_value(evaluation).unwrap();
            evaluation.as_object_mut().unwrap().remove("release").unwrap();
            figures.push((verdict.rows, verdict.suppressed, verdict.groups, evaluation));
        }
        figures.windows(2).for_each(|pair| assert_eq!(pair[0], pair[1], "{method}"));
    }
}

#[test]
fn a_table_that_is_added_shows_ends_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text: String = (0..80).map(|i| format!("{},{},{},i{}\n", 20 + i % 23, i % 2, 100 + i % 31, i % 6)).collect();
    fs::write(path("people.csv"), format!("age,sex,size,ill\n{text}")).unwrap();
    let job = job(path("people.csv"), path("r")).quasi(["age", "sex", "size"]).sensitive(["ill"]).but(|job| {
        (job.publish.method, job.output.format) = (Some(Method::Angel), Some(TableFormat::Parquet));
    });
    let job = job.requiring(&["k-anonymity(4)", "distinct-l-diversity(3)"]);
    publish(&job).unwrap();
    let extension = ExtendRequest { marginals: vec![vec!["age".into(), "size".into()]], ..ExtendRequest::default() };
    let release = Release::open(path("r")).unwrap();
    release.extend(&job.source(), None, &extension, &Context::new()).unwrap();
    let verdict = verify(&job);
    assert!(verdict.ok, "{:?}", failures(&verdict));
    let found = types(&Release::open(path("r")).unwrap());
    let added = &found["marginal-age-size"];
    assert_eq!((&added["age_lower"], &added["size_upper"]), (&DataType::Int64, &DataType::Int64), "{found:?}");
}
