//! What a release can carry beside its cells, and where its cells can stand: the verifier sees it.

use crate::common::case::{Case, cells, detail, failed, set_cell};
use crate::common::{Maker, edit_file, edit_manifest, edit_table, read_source, reseal, write};
use scumble_release::{Draft, PublishedTables, ReleaseReader, TableFormat, WriteOptions};
use scumble_table::{Kind, Monitor, Result, Role};
use scumble_verify::{Promise, Source, Verdict, VerifyOptions, verify_dir};
use serde_json::json;
use std::fs;
use std::path::Path;

/// People in groups of four, enough for chance to have no say.
fn many(change: impl FnOnce(&mut Maker)) -> Maker {
    let mut maker = Maker::people(240);
    change(&mut maker);
    maker
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn against(dir: &Path, source: &Path) -> Verdict {
    let table = read_source(source);
    let source = Some(Source { table: &table, identifying: Vec::new(), persons: None, rules_applied: false });
    verify_dir(dir, &VerifyOptions { source, ..VerifyOptions::default() }).unwrap()
}

#[test]
fn labels_that_look_alike_are_one_value() {
    let spellings = ["flu", "Flu", "FLU ", "f\u{200b}lu", "ｆｌｕ"];
    let maker = many(|maker| {
        for (at, row) in maker.rows.iter_mut().enumerate() {
            row[3] = if at < 4 { spellings[at % 5].into() } else { ["gout", "flu"][at % 2].into() };
        }
        maker.requirements = vec!["k-anonymity(4)".into(), "distinct-l-diversity(2)".into()];
    });
    let home = tempfile::tempdir().unwrap();
    let error = write(&maker.release(), &home.path().join("r"), &WriteOptions::default()).unwrap_err();
    assert!(error.to_string().contains("require[distinct-l-diversity(2)]: 1 of 60 groups fails"), "{error}");
    // The same release that promises less is told of, without a label.
    let maker = Maker { requirements: vec!["k-anonymity(4)".into()], ..maker };
    let verdict = Case::write(&maker.release(), &maker).verdict();
    assert_eq!(failed(&verdict), Vec::<&str>::new());
    let words = detail(&verdict, "look-alikes");
    assert!(words.starts_with("4 labels of `illness` differ") && words.contains("1 value"), "{words}");
    assert!(!words.to_lowercase().contains("flu"));
    let level = |name: &str| verdict.levels.iter().find(|level| level.principle == name).unwrap().requirement.clone();
    assert_eq!(level("distinct-l-diversity").as_deref(), Some("distinct-l-diversity(1)"));
    assert_eq!(level("frequency-l-diversity").as_deref(), Some("frequency-l-diversity(1)"));
}

#[test]
fn an_attacker_who_respells_a_value_gains_nothing() {
    let case = Case::new(|maker| {
        maker.rows.iter_mut().for_each(|row| row[3] = "flu".into());
        maker.requirements.push("distinct-l-diversity(1)".into());
    });
    let lines = fs::read_to_string(case.dir().join("table.csv")).unwrap();
    for row in (1..lines.lines().count()).filter(|row| row % 2 == 0) {
        set_cell(&case.dir(), row, 4, "Flu");
    }
    reseal(&case.dir());
    edit_manifest(&case.dir(), |m| {
        m["columns"][3]["domain"] = json!(["Flu", "flu"]);
        m["requirements"][1] = json!("distinct-l-diversity(2)");
        m["attained"][1] = json!({"requirement": "distinct-l-diversity(2)", "l": 2});
    });
    let verdict = case.verdict();
    assert_eq!(failed(&verdict), ["require[distinct-l-diversity(2)]", "attained"], "{:#?}", verdict.checks);
}

#[test]
fn words_that_are_not_ours_are_refused_by_their_field() {
    type Change = fn(&mut serde_json::Value);
    let refused: [(&str, Change); 12] = [
        ("`algorithm`", |m| m["algorithm"] = json!("Bob has flu")),
        ("`algorithm`", |m| m["algorithm"] = json!("mondrian, Bob has flu")),
        ("`profile`", |m| m["profile"] = json!("Bob")),
        ("`method`", |m| m["method"] = json!("Bob")),
        ("`coins`", |m| m["coins"] = json!("Bob")),
        ("`columns[0].role`", |m| m["columns"][0]["role"] = json!("Bob")),
        ("`columns[0].type`", |m| m["columns"][0]["type"] = json!("Bob")),
        ("`remark`", |m| m["remark"] = json!("Bob has flu")),
        ("`columns[1].remark`", |m| m["columns"][1]["remark"] = json!("Bob")),
        ("`tables[0].remark`", |m| m["tables"][0]["remark"] = json!("Bob")),
        ("`files[0].remark`", |m| m["files"][0]["remark"] = json!("Bob")),
        ("`scumble 0.01.0`", |m| m["scumble"] = json!("0.01.0")),
    ];
    let with_tree = || Case::new(|maker| maker.hierarchies.push(("sex".into(), crate::common::tree("F;*\nM;*"))));
    for (field, change) in refused {
        let case = with_tree();
        edit_manifest(&case.dir(), change);
        let said = match verify_dir(&case.dir(), &VerifyOptions::default()) {
            Ok(verdict) => {
                assert_eq!(failed(&verdict), ["manifest"], "{field}");
                detail(&verdict, "manifest").to_string()
            }
            Err(error) => error.to_string(),
        };
        assert!(said.contains(field), "{field}: {said}");
        assert!(ReleaseReader::open(&case.dir()).is_err(), "{field}");
    }
    let strange: [(&str, Change); 3] = [
        ("`requirements[0]`", |m| m["requirements"] = json!(["k-anonymity(  4 )"])),
        ("`table.csv`", |m| m["tables"][0]["sha256"] = json!("the salary of Bob")),
        ("`hierarchy-sex.csv`", |m| m["files"][0]["sha256"] = json!("the salary of Bob")),
    ];
    for (field, change) in strange {
        let case = with_tree();
        edit_manifest(&case.dir(), change);
        let verdict = case.verdict();
        assert!(failed(&verdict).contains(&"manifest-words"), "{field}: {:?}", failed(&verdict));
        assert!(detail(&verdict, "manifest-words").contains(field), "{}", detail(&verdict, "manifest-words"));
    }
    // A file may not be named as somebody likes.
    let case = with_tree();
    fs::rename(case.dir().join("hierarchy-sex.csv"), case.dir().join("hierarchy-Bob.csv")).unwrap();
    edit_manifest(&case.dir(), |m| {
        m["hierarchies"]["sex"] = json!("hierarchy-Bob.csv");
        m["files"][0]["file"] = json!("hierarchy-Bob.csv");
    });
    assert_eq!(failed(&case.verdict()), ["manifest-words"]);
}

#[test]
fn hierarchies_have_checksums() {
    let case = Case::new(|maker| maker.hierarchies.push(("sex".into(), crate::common::tree("F;*\nM;*"))));
    assert_eq!(failed(&case.verdict()), Vec::<&str>::new());
    let tree = case.dir().join("hierarchy-sex.csv");
    let text = fs::read_to_string(&tree).unwrap();
    fs::write(&tree, format!("{text}X;*\n")).unwrap();
    assert_eq!(failed(&case.verdict()), ["files-intact"]);
    assert!(ReleaseReader::open(&case.dir()).unwrap_err().to_string().contains("hierarchy-sex.csv"));
    fs::write(&tree, text).unwrap();
    edit_manifest(&case.dir(), |m| drop(m.as_object_mut().unwrap().remove("files")));
    assert_eq!(failed(&case.verdict()), ["files-intact"]);
    edit_manifest(&case.dir(), |m| m["files"] = json!([{"file": "table.csv", "sha256": "0".repeat(64)}]));
    assert_eq!(failed(&case.verdict()), ["files-intact"]);
}

/// Replaces a file of the release by something that is none.
#[cfg(unix)]
fn replaced(file: &str, put: impl Fn(&Path)) -> Vec<String> {
    let case = Case::new(|maker| maker.hierarchies.push(("sex".into(), crate::common::tree("F;*\nM;*"))));
    let path = case.dir().join(file);
    fs::rename(&path, case.home.path().join("aside")).unwrap();
    put(&path);
    match verify_dir(&case.dir(), &VerifyOptions::default()) {
        Ok(verdict) => failed(&verdict).into_iter().map(String::from).collect(),
        Err(error) => {
            assert_eq!(error.exit_code(), 2, "{error}");
            vec![error.to_string()]
        }
    }
}

#[cfg(unix)]
#[test]
fn only_plain_files_are_opened() {
    let files = ["manifest.json", "table.csv", "report.html", "hierarchy-sex.csv"];
    for file in files {
        let link = replaced(file, |path| {
            let aside = path.parent().unwrap().parent().unwrap().join("aside");
            std::os::unix::fs::symlink(aside, path).unwrap();
        });
        assert!(!link.is_empty(), "{file}");
        // A pipe that nobody writes to would block whoever opens it.
        let pipe = replaced(file, make_pipe);
        assert!(!pipe.is_empty(), "{file}");
        let folder = replaced(file, |path| fs::create_dir(path).unwrap());
        assert!(!folder.is_empty(), "{file}");
        let device = replaced(file, |path| std::os::unix::fs::symlink("/dev/zero", path).unwrap());
        assert!(!device.is_empty(), "{file}");
    }
    // What the manifest does not name is told, and not opened.
    let case = Case::new(|_| ());
    make_pipe(&case.dir().join("pipe"));
    assert_eq!(failed(&case.verdict()), ["files"]);
}

#[test]
fn sorted_rows_are_found() {
    for column in 0..5 {
        let maker = many(|_| ());
        let case = Case::write(&maker.release(), &maker);
        assert_eq!(failed(&case.verdict()), Vec::<&str>::new());
        edit_table(&case.dir(), |lines| {
            lines[1..].sort_by_key(|line| {
                let text = cells(line)[column].clone();
                (text.parse::<u32>().unwrap_or(0), text)
            })
        });
        reseal(&case.dir());
        let verdict = case.verdict();
        assert_eq!(failed(&verdict), ["rows-shuffled"], "{column}");
    }
    // Group by group, in whatever order the groups are.
    let maker = many(|_| ());
    let case = Case::write(&maker.release(), &maker);
    edit_table(&case.dir(), |lines| {
        lines[1..].sort_by_key(|line| cells(line)[0].parse::<u64>().unwrap().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20)
    });
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), ["rows-shuffled"]);
    let anatomy = Case::write(&maker.anatomized(), &maker);
    edit_file(&anatomy.dir().join("qit.csv"), |lines| lines[1..].sort());
    reseal(&anatomy.dir());
    assert_eq!(failed(&anatomy.verdict()), ["rows-shuffled"]);
}

#[test]
fn honest_releases_raise_no_alarm() {
    for seed in 0..40 {
        for n in [8, 48, 120] {
            let mut maker = Maker::people(n);
            maker.seed = seed * 31 + 1;
            let mut paid = maker.clone();
            paid.pay();
            for (release, maker) in [(maker.release(), &maker), (maker.anatomized(), &maker), (paid.permuted(), &paid)]
            {
                let case = Case::write(&release, maker);
                assert_eq!(failed(&against(&case.dir(), &case.home.path().join("source.csv"))), Vec::<&str>::new());
            }
        }
    }
}

/// The lines of a permuted table by the order of the source, with the values of their owners where `own` says so.
fn put_back(case: &Case, maker: &Maker, own: impl Fn(usize) -> bool, in_order: bool) {
    edit_file(&case.dir().join("permuted.csv"), |lines| {
        let source: Vec<&Vec<String>> = maker.rows.iter().collect();
        let header = cells(&lines[0]);
        let at = |name: &str| header.iter().position(|known| known == name).unwrap();
        let columns: Vec<usize> = ["age", "zip", "sex", "pay"].map(at).to_vec();
        let place = |line: &str| {
            let row = cells(line);
            source.iter().position(|person| (0..3).all(|i| person[i] == row[columns[i]])).unwrap()
        };
        for (nth, line) in lines.iter_mut().enumerate().skip(1) {
            if own(nth) {
                let mut row = cells(line);
                row[columns[3]] = source[place(line)][3].clone();
                *line = row.join(",");
            }
        }
        if in_order {
            // Tuples keep their numbers, which the mapping knows.
            lines[1..].sort_by_key(|line| place(line));
        }
    });
    reseal(&case.dir());
}

/// Salaries of people who all differ, in the order of no column.
fn paid(n: usize) -> Maker {
    let mut maker = Maker::people(n);
    maker.pay();
    for (at, row) in maker.rows.iter_mut().enumerate() {
        row[1] = (10_000 + (at * 7919) % 9973).to_string();
        row[3] = ((at * 37) % 101).to_string();
    }
    maker
}

#[test]
fn values_beside_their_owners_are_found() {
    for n in [48, 240] {
        let maker = paid(n);
        let case = Case::write(&maker.permuted(), &maker);
        let source = case.home.path().join("source.csv");
        let honest = against(&case.dir(), &source);
        assert_eq!(failed(&honest), Vec::<&str>::new(), "{:#?}", honest.checks);
        assert!(detail(&honest, "source-shuffled").contains("as shuffling leaves"));
        put_back(&case, &maker, |_| true, false);
        let verdict = against(&case.dir(), &source);
        assert_eq!(failed(&verdict), ["source-shuffled"], "{:#?}", verdict.checks);
        let words = detail(&verdict, "source-shuffled");
        assert!(words.starts_with(&format!("{n} of {n} values of `pay` stand beside their owners")), "{words}");
    }
}

#[test]
fn the_order_of_the_source_is_found() {
    let maker = paid(240);
    let case = Case::write(&maker.permuted(), &maker);
    let source = case.home.path().join("source.csv");
    put_back(&case, &maker, |_| false, true);
    let verdict = against(&case.dir(), &source);
    assert!(failed(&verdict).contains(&"source-order"), "{:#?}", verdict.checks);
    assert!(
        detail(&verdict, "source-order").contains("rank correlation 1.000"),
        "{}",
        detail(&verdict, "source-order")
    );
    // A generalized table in the source's order, of which only sensitive and kept values can be compared.
    let maker = many(|_| ());
    let case = Case::write(&maker.release(), &maker);
    let mut order: Vec<usize> = (0..240).collect();
    let released = fs::read_to_string(case.dir().join("table.csv")).unwrap();
    let lines: Vec<Vec<String>> = released.lines().skip(1).map(cells).collect();
    let shuffled = crate::common::Coins(maker.seed).shuffled(240);
    order.sort_by_key(|&at| shuffled[at]);
    let sorted: Vec<String> = order.iter().map(|&at| lines[at].join(",")).collect();
    edit_table(&case.dir(), |lines| lines.splice(1.., sorted).for_each(drop));
    reseal(&case.dir());
    let verdict = against(&case.dir(), &case.home.path().join("source.csv"));
    assert!(failed(&verdict).contains(&"source-order"), "{:#?}", verdict.checks);
    assert!(detail(&verdict, "source-order").contains("240 of 240"), "{}", detail(&verdict, "source-order"));
}

/// People in no order, some of whom are suppressed, with buckets of six; only some show a note that is kept.
fn mixed(n: usize, suppressed: usize, seed: u64, kept: bool) -> (Maker, Vec<crate::common::angel::Table>) {
    let sorted = Maker::people(n + suppressed);
    let order = crate::common::Coins(seed).shuffled(n + suppressed);
    let mut maker = Maker { seed, ..sorted.clone() };
    maker.rows = order.iter().map(|&at| sorted.rows[at].clone()).collect();
    maker.groups = order.iter().map(|&at| (at < n).then_some(at as u32 / 4)).collect();
    if !kept {
        maker.columns.pop();
        maker.rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    let buckets = order.iter().map(|&at| at.min(n - 1) as u32 / 6).collect();
    (maker, vec![(vec![0, 1, 2], buckets)])
}

/// Where rows of stars are put.
#[derive(Debug, Clone, Copy)]
enum Stars {
    InPlace,
    First,
    Last,
}

/// Puts the lines of a table back into the order of the source. The line at `i` is that of source row `order[i]`.
fn laid_as_in_source(case: &Case, file: &str, maker: &Maker, order: &[usize], stars: Stars) {
    edit_file(&case.dir().join(file), |lines| {
        let mut numbered: Vec<(usize, String)> = order.iter().copied().zip(lines.drain(1..)).collect();
        numbered.sort_by_key(|&(row, _)| match stars {
            Stars::InPlace => (false, row),
            Stars::First => (maker.groups[row].is_some(), row),
            Stars::Last => (maker.groups[row].is_none(), row),
        });
        lines.extend(numbered.into_iter().map(|(_, line)| line));
    });
    reseal(&case.dir());
}

#[test]
fn the_order_of_the_source_is_found_beside_rows_that_are_suppressed() {
    for suppressed in [1, 2, 30] {
        for stars in [Stars::InPlace, Stars::First, Stars::Last] {
            let (maker, _) = mixed(240, suppressed, 11, true);
            let order = crate::common::Coins(maker.seed).shuffled(240 + suppressed);
            for (release, file) in [(maker.release(), "table.csv"), (maker.anatomized(), "qit.csv")] {
                let case = Case::write(&release, &maker);
                let source = case.home.path().join("source.csv");
                assert_eq!(failed(&against(&case.dir(), &source)), Vec::<&str>::new());
                laid_as_in_source(&case, file, &maker, &order, stars);
                let verdict = against(&case.dir(), &source);
                assert!(failed(&verdict).contains(&"source-order"), "{suppressed} {stars:?} {:#?}", verdict.checks);
            }
        }
    }
}

#[test]
fn the_order_of_the_source_is_found_in_tables_of_boxes() {
    for (suppressed, kept) in [(0, false), (0, true), (1, false), (30, false), (30, true)] {
        for stars in [Stars::InPlace, Stars::First, Stars::Last] {
            let (maker, tables) = mixed(240, suppressed, 12, kept);
            let case = Case::write(&maker.angelized(4, &tables), &maker);
            let source = case.home.path().join("source.csv");
            let honest = against(&case.dir(), &source);
            assert_eq!(failed(&honest), Vec::<&str>::new());
            assert!(detail(&honest, "source-order").starts_with("no trace of the source's order in "));
            let mut coins = crate::common::Coins(maker.seed);
            let _ = (coins.shuffled(240 + suppressed), coins.shuffled(60));
            let order = coins.shuffled(240 + suppressed);
            laid_as_in_source(&case, "generalized.csv", &maker, &order, stars);
            let verdict = against(&case.dir(), &source);
            assert!(failed(&verdict).contains(&"source-order"), "{suppressed} {stars:?} {:#?}", verdict.checks);
            assert!(detail(&verdict, "source-order").starts_with("the rows of `generalized` "));
        }
    }
    // Boxes are looked at where a generalized table has no values.
    let (mut maker, _) = mixed(240, 1, 13, false);
    maker.columns.pop();
    maker.rows.iter_mut().for_each(|row| drop(row.pop()));
    let case = Case::write(&maker.release(), &maker);
    let source = case.home.path().join("source.csv");
    assert_eq!(failed(&against(&case.dir(), &source)), Vec::<&str>::new());
    laid_as_in_source(&case, "table.csv", &maker, &crate::common::Coins(maker.seed).shuffled(241), Stars::Last);
    assert!(failed(&against(&case.dir(), &source)).contains(&"source-order"));
}

#[test]
fn where_no_order_could_be_told_nothing_is_said_of_it() {
    let (maker, tables) = mixed(12, 0, 14, false);
    for release in [maker.release(), maker.angelized(4, &tables)] {
        let case = Case::write(&release, &maker);
        let verdict = against(&case.dir(), &case.home.path().join("source.csv"));
        assert_eq!(failed(&verdict), Vec::<&str>::new());
        assert!(detail(&verdict, "source-order").starts_with("nothing could be checked"));
    }
}

#[test]
fn honest_releases_with_suppressed_rows_raise_no_alarm() {
    for seed in 0..60 {
        for (n, suppressed) in [(48, 0), (48, 1), (120, 7), (120, 60)] {
            let (maker, tables) = mixed(n, suppressed, seed * 37 + 5, seed % 2 == 0);
            for release in [maker.release(), maker.anatomized(), maker.angelized(4, &tables)] {
                let case = Case::write(&release, &maker);
                let verdict = against(&case.dir(), &case.home.path().join("source.csv"));
                assert_eq!(failed(&verdict), Vec::<&str>::new(), "{n} {suppressed} {seed}");
            }
        }
    }
}

#[test]
fn a_page_with_comments_or_scripts_is_refused() {
    for page in ["<p>fine</p><!-- Bob has flu -->", "<p>fine</p><script>1</script>", "<form action=x></form>"] {
        let case = Case::new(|_| ());
        fs::write(case.dir().join("report.html"), page).unwrap();
        assert_eq!(failed(&case.verdict()), ["report"], "{page}");
    }
}

#[test]
fn a_page_that_is_not_the_releases_own_is_refused() {
    fn make(release: &ReleaseReader, tables: &PublishedTables, verdict: &Verdict) -> Result<String> {
        let (rows, least, groups) = (release.manifest().rows, verdict.group_sizes.min, tables.sizes()[0].len());
        Ok(format!("<!doctype html><p>{rows} rows, groups of {least}, {groups} of them</p>"))
    }
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("r");
    let promise = Promise { report: Some(make), ..Promise::default() };
    let put =
        |release: &Draft| scumble_verify::write(release, &dir, &WriteOptions::default(), promise, Monitor::silent());
    let mut release = Maker::people(48).release();
    let error = put(&release).unwrap_err().to_string();
    assert!(error.contains("report-own"), "{error}");
    release.report = "<!doctype html><p>48 rows, groups of 4, 12 of them</p>".into();
    put(&release).unwrap();
    let asked = || verify_dir(&dir, &VerifyOptions { report: Some(make), ..VerifyOptions::default() }).unwrap();
    assert_eq!(failed(&asked()), Vec::<&str>::new());
    fs::write(dir.join("report.html"), format!("{}<p>Bob has flu</p>", release.report)).unwrap();
    assert_eq!(failed(&asked()), ["report-own"]);
    fs::remove_file(dir.join("report.html")).unwrap();
    assert_eq!(failed(&asked()), ["files", "report", "report-own"]);
}

#[test]
fn bytes_that_no_cell_shows_are_found_in_parquet() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("r");
    let options = WriteOptions { format: TableFormat::Parquet, ..WriteOptions::default() };
    write(&Maker::people(48).release(), &dir, &options).unwrap();
    let path = dir.join("table.parquet");
    let good = fs::read(&path).unwrap();
    let directory = u32::from_le_bytes(good[good.len() - 8..good.len() - 4].try_into().unwrap()) as usize;
    let cut = good.len() - 8 - directory;
    fs::write(&path, [&good[..cut], b"the salary of Bob", &good[cut..]].concat()).unwrap();
    reseal(&dir);
    let verdict = verify_dir(&dir, &VerifyOptions::default()).unwrap();
    assert_eq!(failed(&verdict), ["parquet-silent"]);
    assert!(!detail(&verdict, "parquet-silent").contains("Bob"));
}

#[test]
fn bytes_that_no_cell_shows_are_found_in_csv() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("r");
    write(&Maker::people(48).release(), &dir, &WriteOptions::default()).unwrap();
    let path = dir.join("table.csv");
    let good = fs::read_to_string(&path).unwrap();
    let first = good.lines().nth(1).unwrap();
    let (group, rest) = first.split_once(',').unwrap();
    for altered in [
        good.replacen(first, &format!("\"{group}\",{rest}"), 1),
        good.replacen('\n', "\r\n", 1),
        good.replacen('\n', "\n\n", 1),
        format!("\u{feff}{good}"),
        good.trim_end().to_string(),
    ] {
        fs::write(&path, altered).unwrap();
        reseal(&dir);
        assert!(failed(&verify_dir(&dir, &VerifyOptions::default()).unwrap()).contains(&"csv-silent"));
    }
}

#[test]
fn a_kept_column_that_singles_out_is_told() {
    let case = Case::new(|maker| {
        maker.columns[4] = ("ticket".into(), Role::Kept, Kind::Number);
        maker.rows.iter_mut().enumerate().for_each(|(at, row)| row[4] = at.to_string());
    });
    let verdict = case.verdict();
    assert_eq!(failed(&verdict), Vec::<&str>::new());
    let kept = verdict.kept.clone().unwrap();
    assert_eq!((kept.groups, kept.least, kept.alone), (4, 1, 48));
    assert_eq!(kept.identifying, ["ticket"]);
    assert!(kept.singles_out() && detail(&verdict, "kept").starts_with("warning: whoever knows `ticket`"));
    let json = serde_json::to_value(&verdict).unwrap();
    assert_eq!(json["kept"]["alone"], json!(48));
    // One value in all rows tells nothing; there is nothing to tell where nothing is kept.
    let same = Case::new(|maker| maker.rows.iter_mut().for_each(|row| row[4] = "a".into())).verdict();
    let kept = same.kept.clone().unwrap();
    assert!(!kept.singles_out() && kept.least == 4 && kept.identifying.is_empty() && kept.alone == 0);
    let none = Case::new(|maker| {
        maker.columns.pop();
        maker.rows.iter_mut().for_each(|row| drop(row.pop()));
    });
    assert_eq!(none.verdict().kept, None);
}
