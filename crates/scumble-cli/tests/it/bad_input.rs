//! Everything a user can get wrong: a clear message, the right exit code, nothing left behind.

use crate::support::{TestDir, patients};

const PUBLISH: &str = "publish data.csv --quasi age,city --sensitive disease --identifying name --keep cost --accept-keep cost --require k-anonymity(3) --out release";

/// Publishes `content` as it is, expects a refusal, and nothing but the input in the folder.
fn refused(content: impl AsRef<[u8]>, extra: &str, code: i32, words: &[&str]) {
    let dir = TestDir::new();
    dir.file("data.csv", content);
    dir.run(&format!("{PUBLISH} {extra}")).refused(code, words);
    assert_eq!(dir.entries(), ["data.csv"]);
}

#[test]
fn files_that_are_no_tables() {
    refused("", "", 2, &["data.csv", "empty"]);
    refused("name,age,city,disease,cost\n", "", 2, &["data.csv", "no rows"]);
    refused("name,age,city,disease,cost\nA,1,Ghent,flu\n", "", 2, &["data.csv, line 2", "4", "5"]);
    refused("name,age,city,disease,cost\nA,1,Ghent,flu,1,9\n", "", 2, &["data.csv, line 2", "6", "5"]);
    refused(b"name,age,city,disease,cost\nA,1,Gh\xffent,flu,1\n", "", 2, &["data.csv, line 2", "city", "UTF-8"]);
    refused("name,age,city,disease,cost\nA,1,\"Ghent,flu,1\n", "", 2, &["data.csv, line 2", "quote"]);
    refused("name,age,city,disease,age\nA,1,Ghent,flu,1\n", "", 2, &["same name"]);
    refused("name,age,,disease,cost\nA,1,Ghent,flu,1\n", "", 2, &["has no name"]);
}

#[test]
fn one_row_cannot_hide() {
    refused("name,age,city,disease,cost\nA,1,Ghent,flu,1\n", "", 2, &["data.csv", "one row"]);
}

#[test]
fn text_in_a_number_column_far_down() {
    let mut text = String::from("name,age,city,disease,cost\n");
    for i in 0..900_000 {
        let age = if i == 899_998 { "old" } else { "40" };
        text.push_str(&format!("{i},{age},Ghent,flu,1\n"));
    }
    refused(text, "--type age=number", 2, &["data.csv, line 900000, column `age`, value `old`", "--type age=nominal"]);
}

#[test]
fn a_stray_text_among_numbers_is_not_taken_for_a_label() {
    let text = patients(60).replace(",27,", ",n/a,");
    refused(&text, "", 2, &["data.csv, line 3, column `age`, value `n/a`", "--null", "--type age=nominal"]);
}

#[test]
fn secrets_stay_out_of_messages() {
    let dir = TestDir::new();
    dir.file("data.csv", "age,pay\n1,unspeakable\n2,5\n3,6\n");
    let said = dir
        .run("publish data.csv --quasi age --sensitive pay --type pay=number --require k-anonymity(2) --out release");
    let said = said.refused(2, &["data.csv, line 2, column `pay`"]);
    assert!(!said.stderr.contains("unspeakable"), "{}", said.stderr);
}

#[test]
fn numbers_that_are_none() {
    for value in ["NaN", "inf", "1e400"] {
        let text = patients(9).replace(",20,", &format!(",{value},"));
        refused(&text, "--type age=number", 2, &["line 2", "column `age`", value]);
    }
    // Decimals that floats would confuse stay apart and are published as they were written.
    let dir = TestDir::new();
    let rows: String =
        (0..20).map(|i| format!("{},{}\n", if i % 2 == 0 { "0.30000000000000004" } else { "0.3" }, i % 4)).collect();
    dir.file("data.csv", format!("x,s\n{rows}"));
    dir.run("publish data.csv --quasi x --sensitive s --require k-anonymity(10) --out release").done();
    let table = std::fs::read_to_string(dir.path().join("release/table.csv")).unwrap();
    assert_eq!(table.matches(",0.30000000000000004,").count(), 10, "{table}");
    assert_eq!(table.matches(",0.3,").count(), 10, "{table}");
}

#[test]
fn hierarchies_that_are_no_trees_or_do_not_cover() {
    let with = |tree: &str, words: &[&str]| {
        let dir = TestDir::new();
        dir.file("data.csv", patients(30));
        dir.file("city.csv", tree);
        dir.run(&format!("{PUBLISH} --hierarchy city=city.csv")).refused(2, words);
        assert_eq!(dir.entries(), ["city.csv", "data.csv"]);
    };
    with("Ghent;Porto;*\nPorto;Ghent;*\nTurku;Ghent;*\n", &["city.csv", "cycle"]);
    with("Ghent;West;*\nTurku;North;*\n", &["city.csv", "lacks 1", "`Porto`"]);
    with("Ghent;West;*\nPorto;*\nTurku;North;*\n", &["city.csv, line 2", "levels"]);
    with("Ghent;West;*\nGhent;North;*\nPorto;West;*\nTurku;North;*\n", &["city.csv, line 2", "not a tree"]);
    with("", &["city.csv", "empty"]);
}

#[test]
fn columns_that_are_confused() {
    let text = patients(30);
    let dir = TestDir::new();
    dir.file("data.csv", &text);
    let run = |rest: &str| dir.run(&format!("publish data.csv --require k-anonymity(3) --out release {rest}"));
    run("--quasi age,city --sensitive city,disease --drop-rest").refused(2, &["`city`", "also named in --quasi"]);
    run("--quasi age,cty --drop-rest").refused(2, &["`cty`", "did you mean `city`?"]);
    run("--quasi age,city").refused(2, &["no role is given for `name`, `disease`, `cost`", "--drop-rest"]);
    run("--sensitive disease --drop-rest").refused(2, &["no quasi-identifying column"]);
    run("--quasi age --type age=numbr --drop-rest").refused(2, &["`numbr`", "did you mean `number`?"]);
    run("--quasi age,city --type city=ordinal --drop-rest").refused(2, &["city", "--order"]);
    run("--quasi age --hierarchy city --drop-rest").refused(2, &["COLUMN=FILE"]);
    assert_eq!(dir.entries(), ["data.csv"]);
}

#[test]
fn requirements_that_cannot_be() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(30));
    let run = |require: &str| {
        dir.run(&format!(
            "publish data.csv --quasi age,city --sensitive disease --drop-rest --out release --require \"{require}\""
        ))
    };
    run("k-anonymity(31)").refused(1, &["k-anonymity(31)", "30"]);
    run("distinct-l-diversity(7)").refused(1, &["at most `distinct-l-diversity(6)`"]);
    run("k-anonymty(5)").refused(2, &["did you mean `k-anonymity`?"]);
    run("k-anonymity(0)").refused(2, &["k-anonymity"]);
    run("k-anonymity(5").refused(2, &["k-anonymity(5"]);
    run("cost: distinct-l-diversity(2)").refused(2, &["cost"]);
    run("dissimilarity(0.1, 0.8, 10)").refused(2, &["how far apart are two values?", "--distance"]);
    run("proximity-absolute(4500, 5)").refused(2, &["disease: proximity-absolute", "proximity needs numbers"]);
    run("t-closeness(0.2, hierarchical)").refused(2, &["hierarchy"]);
    assert_eq!(dir.entries(), ["data.csv"]);
}

/// One value holds 30 % of the rows, so no group can keep every value below a fifth.
#[test]
fn the_number_the_data_allows_is_named() {
    let rows: String = (0..100)
        .map(|i| format!("{},{}\n", i % 10, if i < 30 { "common".into() } else { format!("d{}", i % 20) }))
        .collect();
    let dir = TestDir::new();
    dir.file("data.csv", format!("age,disease\n{rows}"));
    let said =
        dir.run("publish data.csv --quasi age --sensitive disease --require frequency-l-diversity(5) --out release");
    let said = said.refused(1, &["30 %", "at most `frequency-l-diversity(3.33"]);
    assert!(!said.stderr.contains("common"), "{}", said.stderr);
    assert_eq!(dir.entries(), ["data.csv"]);
}

#[test]
fn places_that_will_not_do() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(30));
    dir.file("file", "");
    std::fs::create_dir(dir.path().join("full")).unwrap();
    std::fs::write(dir.path().join("full/precious"), "x").unwrap();
    let to = |out: &str| {
        dir.run(&format!(
            "publish data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(3) --out {out}"
        ))
    };
    to("full").refused(2, &["`full`", "exists already", "--replace"]);
    to("full --replace").refused(2, &["not a release"]);
    to("file").refused(2, &["`file`", "it is a file"]);
    to("no/where").refused(2, &["does not exist"]);
    to("data.csv").refused(2, &["data.csv"]);
    to("data.csv/release").refused(2, &["data.csv"]);
    to("mine").done();
    std::fs::write(dir.path().join("mine/notes"), "x").unwrap();
    to("mine --replace").refused(2, &["`notes`"]);
    assert_eq!(dir.entries(), ["data.csv", "file", "full", "mine"]);
    assert!(dir.path().join("full/precious").exists());
}

#[test]
fn other_flags() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(30));
    let run = |rest: &str| {
        dir.run(&format!("publish data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(3) --out release {rest}"))
    };
    run("--max-suppressed 1").refused(2, &["--max-suppressed"]);
    run("--max-suppressed -0.1").refused(2, &["--max-suppressed"]);
    run("--max-suppressed x").refused(2, &["--max-suppressed"]);
    run("--algorithm mondrain").refused(2, &["did you mean `mondrian`?"]);
    run("--profile fast").refused(2, &["`standard`, `hardened`, `max-utility`"]);
    run("--method angle").refused(2, &["did you mean `angel`?"]);
    run("--method angel --angel-k 2").refused(2, &["--angel-k", "at least 3"]);
    run("--angel-k 3").refused(2, &["--angel-k", "--method angel"]);
    run("--method anatomie").refused(2, &["did you mean `anatomy`?"]);
    run("--format xml").refused(2, &["`csv`, `parquet`"]);
    run("--delimiter ;;").refused(2, &["one ASCII character"]);
    run("--threads 0").refused(2, &["--threads"]);
    dir.run("publish missing.csv --quasi age --require k-anonymity(3) --out release")
        .refused(2, &["missing.csv", "no such file"]);
    dir.run("publish data.csv --quasi age --drop-rest --require k-anonymity(3)").refused(2, &["--out"]);
    assert_eq!(dir.entries(), ["data.csv"]);
}

#[test]
fn errors_are_documents_too() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(3));
    let said = dir
        .run("publish data.csv --json --quasi age --drop-rest --require k-anonymity(9) --out release")
        .refused(1, &["k-anonymity(9)"]);
    assert_eq!(said.json()["error"]["kind"], "infeasible");
}

#[test]
fn words_that_the_parser_refuses_are_a_document_too() {
    let dir = TestDir::new();
    for line in ["publish --json --nope", "--json", "inspect data.csv --threads 0 --json", "nothing --json"] {
        let said = dir.run(line).refused(2, &["error: "]);
        let error = &said.json()["error"];
        assert_eq!(error["kind"], "request", "{line}");
        let message = error["message"].as_str().unwrap();
        assert!(!message.is_empty() && !message.starts_with("error") && !message.contains('\n'), "{message}");
    }
    assert!(dir.run("publish --nope").refused(2, &["--nope"]).stdout.is_empty());
    assert!(!dir.run("--json --version").done().stdout.contains("error"));
}

#[test]
fn mistakes_in_a_job_file_are_told_by_line_and_key() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(60));
    let job = "[input]\npath = \"data.csv\"\n\n[columns]\nage = \"quasi\"\ncty = \"quasi\"\ndisease = \"sensitive\"\n\n\
               [publish]\ndrop_rest = true\nrequire = \"k-anonymity(3)\"\nmax_suppressed = 2\nseed = 1\nmethod = \"anatomy\"\n";
    let told = |job: &str, extra: &str, words: &[&str]| {
        dir.file("job.toml", job);
        let said = dir.run(&format!("publish --job job.toml --out release {extra}")).refused(2, words);
        assert!(!extra.is_empty() || !said.stderr.contains("--"), "{}", said.stderr);
    };
    told(job, "", &["job.toml, line 13", "`seed`", "add `insecure_seed`"]);
    let job = job.replace("seed = 1\n", "");
    told(&job, "", &["job.toml, line 12", "`max_suppressed`"]);
    // What a flag said is told by its name.
    told(&job, "--max-suppressed 3", &["--max-suppressed `3`"]);
    let job = job.replace("max_suppressed = 2\n", "");
    told(&job, "", &["job.toml, line 6", "`cty`", "did you mean `city`?"]);
    told(&job.replace("data.csv", "none.csv"), "", &["job.toml, line 2", "`path`", "there is no such file"]);
    dir.run("publish --job job.toml").refused(2, &["job.toml: `dir`"]);
}

#[test]
fn values_of_columns_without_a_role_stay_out_of_messages() {
    let dir = TestDir::new();
    dir.file("data.csv", "age,note\n1,unspeakable\n2,5\n3,6\n");
    dir.file("order.txt", "unspeakable\n5\nunspeakable\n");
    dir.file("short.txt", "5\n6\n");
    for (line, words) in [
        ("hierarchy data.csv --for note --type note=number --out trees", "data.csv, line 2, column `note`"),
        ("hierarchy data.csv --for note --order note=short.txt --out trees", "data.csv, line 2, column `note`"),
        ("hierarchy data.csv --for note --order note=order.txt --out trees", "order.txt, line 3"),
        ("risk data.csv --known note --type note=number", "data.csv, line 2, column `note`"),
        (
            "publish data.csv --quasi age --keep note --type note=number --require k-anonymity(2) --out release",
            "line 2",
        ),
    ] {
        let said = dir.run(line).refused(2, &[words]);
        assert!(!said.stderr.contains("unspeakable"), "{}", said.stderr);
    }
}

#[test]
fn a_folder_that_is_not_there_is_a_mistake_of_the_request() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(60));
    for line in [
        "generate health --rows 5 --out no/where.csv",
        "inspect data.csv --job-out no/job.toml",
        "hierarchy data.csv --for age --out no/trees",
        "risk data.csv --known age --report no/page.html",
        "compare data.csv --quasi age --drop-rest --require k-anonymity(3) --out no/comparison",
        "publish data.csv --quasi age --drop-rest --require k-anonymity(3) --out no/release",
        "inspect none.csv",
        "verify none",
        "evaluate none --source data.csv",
    ] {
        dir.run(line).refused(2, &["error: "]);
    }
    assert_eq!(dir.entries(), ["data.csv"]);
}

#[test]
fn missing_small_files_were_not_named_by_their_flag() {
    let dir = TestDir::new();
    dir.file("people.csv", patients(30));
    let publish =
        "publish people.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(2) --out out";
    for (flag, message) in [
        ("--hierarchy city=none.csv", "--hierarchy `none.csv`: there is no such file"),
        ("--order city=none.txt", "--order `none.txt`: there is no such file"),
        ("--job none.toml", "--job `none.toml`: there is no such file"),
    ] {
        dir.run(&format!("{publish} {flag}")).refused(2, &[message]);
    }
}

#[test]
fn an_option_in_the_wrong_section_was_not_told_its_own() {
    let dir = TestDir::new();
    dir.file("job.toml", "[publish]\nintervals = \"columns\"\n");
    dir.run("publish --job job.toml")
        .refused(2, &["job.toml, line 2", "there is no field `intervals` in `publish`", "it belongs to [output]"]);
}

#[test]
fn a_comma_in_a_name_was_not_told_how_to_be_written() {
    let dir = TestDir::new();
    dir.file("people.csv", "\"age, years\",sex\n1,F\n2,M\n");
    dir.run("risk people.csv --known \"age, years\"")
        .refused(2, &[r"did you mean `age, years`? In a list of names it is written `age\, years`"]);
}

#[test]
fn the_number_of_columns_stood_where_a_name_stands() {
    let dir = TestDir::new();
    let names: Vec<String> = (0..70).map(|at| format!("c{at}")).collect();
    let rows: String = (0..8).map(|at| vec![at.to_string(); 70].join(",") + "\n").collect();
    dir.file("wide.csv", format!("{}\n{rows}", names.join(",")));
    let line = format!("publish wide.csv --quasi {} --require k-anonymity(2) --out out", names.join(","));
    let refused = dir.run(&line).refused(2, &["--quasi: there are 70 quasi-identifying columns, and at most 64"]);
    assert!(!refused.stderr.contains("`70`"), "{}", refused.stderr);
}

#[test]
fn people_of_a_plain_table_were_asked_for_a_source_that_is_refused() {
    let dir = TestDir::new();
    dir.file("people.csv", patients(30));
    for source in ["", " --source people.csv"] {
        dir.run(&format!("verify people.csv --quasi city --person name --require k-anonymity(2){source}"))
            .refused(2, &["--person `name`: people are counted only in a release with its source"]);
    }
}

#[test]
fn a_key_that_repeats_was_dropped_in_silence() {
    let dir = TestDir::new();
    let line = |at: usize, people: usize| format!("p{},{},i{}\n", at % people, 20 + at * 7 % 50, at * 5 % 7);
    for (name, people, warned) in [("repeats.csv", 20, true), ("unique.csv", 60, false)] {
        let rows: String = (0..60).map(|at| line(at, people)).collect();
        dir.file(name, format!("patient_id,age,illness\n{rows}"));
        let line = format!(
            "publish {name} --quasi age --sensitive illness --drop-rest --require k-anonymity(2) --out out --replace"
        );
        let done = dir.run(&line).done();
        let words = "the column `patient_id`, which is left out, repeats";
        assert_eq!(done.stderr.contains(words) && done.stderr.contains("--person"), warned, "{}", done.stderr);
    }
}

#[test]
fn rows_were_counted_first_where_people_allow_less() {
    let dir = TestDir::new();
    let rows: String =
        (0..10).map(|at| format!("p{at},{at},a\n")).chain((0..10).map(|at| format!("q,{at},b{at}\n"))).collect();
    dir.file("visits.csv", format!("who,age,ill\n{rows}"));
    dir.run("publish visits.csv --person who --quasi age --sensitive ill --require k-anonymity(30) --out out")
        .refused(1, &["k-anonymity(11)"]);
}
