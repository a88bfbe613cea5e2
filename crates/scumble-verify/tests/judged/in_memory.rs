//! A release in memory is judged like the same release on disk, and shows the same cells.

use crate::common::Maker;
use crate::common::angel::{Table, small};
use crate::common::case::failed;
use scumble_io::{RawColumn, RawTable, ReadOptions, Want, read};
use scumble_release::{
    ArrowTable, BATCH, Check, Draft, Form, GROUP, ReleaseReader, STAR, TableFormat, WriteOptions, stage,
};
use scumble_table::{Code, Kind, Monitor, NULL};
use scumble_verify::{Source, Verdict, VerifyOptions, verify, verify_dir};
use std::sync::Arc;

/// Drafts of all forms, with suppressed rows, nulls, hierarchies, distances and tables of several groupings.
fn drafts() -> Vec<(&'static str, Maker, Draft)> {
    let mut people = Maker::people(48);
    people.groups[40..].fill(None);
    people.hierarchies.push(("sex".into(), crate::common::tree("F;*\nM;*")));
    let mut paid = Maker::people(48);
    paid.pay();
    let mut several = paid.clone();
    several.debt(Kind::Number);
    let sixes: Vec<Option<u32>> = (0..48).map(|row| Some(row / 6)).collect();
    let ills = crate::common::ills::maker(crate::common::ills::L1);
    let (angel, tables) = batches();
    let mixed = Maker::mixed(40);
    vec![
        ("generalized", people.clone(), people.release()),
        ("every kind of column", mixed.clone(), mixed.release()),
        ("distances", ills.clone(), ills.release()),
        ("anatomy", people.clone(), people.anatomized()),
        ("permuted", paid.clone(), paid.permuted()),
        ("permuted apart", several.clone(), several.permuted_apart(&[&several.groups, &sixes])),
        ("angel", angel.clone(), angel.angelized(1, &tables)),
    ]
}

/// People in batches, with three tables of boxes. Every bucket has somebody who is not suppressed.
fn batches() -> (Maker, Vec<Table>) {
    let (maker, tables) = small(5, 30);
    for (_, buckets) in &tables {
        let live: Vec<u32> = (0..30).filter(|&row| maker.groups[row].is_some()).map(|row| buckets[row]).collect();
        assert!(buckets.iter().all(|bucket| live.contains(bucket)));
    }
    (maker, tables)
}

/// The verdict over a draft in memory, over its CSV files and over its Parquet files, none of which is put in place.
fn verdicts(draft: &Draft, options: &VerifyOptions<'_>) -> [Verdict; 3] {
    let home = tempfile::tempdir().unwrap();
    let written = |format| {
        let options_of_files = WriteOptions { format, replace: false };
        let staged = stage(draft, &home.path().join("release"), &options_of_files, Monitor::silent()).unwrap();
        verify_dir(staged.path(), options).unwrap()
    };
    let memory = ReleaseReader::in_memory(Arc::new(draft.clone())).unwrap();
    [verify(&memory, options).unwrap(), written(TableFormat::Csv), written(TableFormat::Parquet)]
}

/// All verdicts say the same of what is published. Gives the checks that fail.
fn agreed(what: &str, draft: &Draft, options: &VerifyOptions<'_>) -> Vec<String> {
    let [memory, csv, parquet] = verdicts(draft, options);
    // Files have checks of their own, and these checks tell how they were made.
    let of_files = ["files", "files-intact", "report", "csv-silent", "parquet-silent", "tables-intact"];
    let told = |verdict: &Verdict| {
        let checks = verdict.checks.iter().filter(|check| !of_files.contains(&check.name.as_str()));
        checks.cloned().collect::<Vec<_>>()
    };
    // Only a CSV file has lines to name where a text does not read.
    let named = |checks: Vec<Check>| checks.into_iter().map(|check| (check.name, check.ok)).collect::<Vec<_>>();
    assert_eq!(told(&memory), told(&parquet), "{what}");
    assert_eq!(named(told(&memory)), named(told(&csv)), "{what}");
    for written in [&csv, &parquet] {
        assert_eq!(memory.ok, written.ok, "{what}");
        assert_eq!(memory.attained, written.attained, "{what}");
        assert_eq!(memory.levels, written.levels, "{what}");
        assert_eq!(
            (memory.rows, memory.groups, memory.suppressed),
            (written.rows, written.groups, written.suppressed),
            "{what}"
        );
        assert_eq!(memory.group_sizes, written.group_sizes, "{what}");
        assert_eq!((&memory.joined, &memory.kept), (&written.joined, &written.kept), "{what}");
        assert_eq!(failed(&memory), failed(written), "{what}");
    }
    failed(&memory).into_iter().map(String::from).collect()
}

#[test]
fn honest_drafts_verify_as_their_files_do() {
    for (what, maker, draft) in drafts() {
        assert_eq!(agreed(what, &draft, &VerifyOptions::default()), Vec::<String>::new(), "{what}");
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("source.csv");
        std::fs::write(&path, maker.source()).unwrap();
        let table = crate::common::read_source(&path);
        let source =
            Some(Source { table: &table, identifying: vec!["name".into()], persons: None, rules_applied: false });
        let options = VerifyOptions { source, ..VerifyOptions::default() };
        assert_eq!(agreed(what, &draft, &options), Vec::<String>::new(), "{what}");
    }
}

/// Every draft, spoilt in one way. Gives the checks that fail, form by form.
fn spoilt(change: impl Fn(&mut Draft)) -> Vec<Vec<String>> {
    let spoil = |(what, _, mut draft): (&'static str, Maker, Draft)| {
        change(&mut draft);
        agreed(what, &draft, &VerifyOptions::default())
    };
    drafts().into_iter().map(spoil).collect()
}

#[test]
fn what_is_wrong_with_a_manifest_is_found_in_memory() {
    let figures = spoilt(|draft| draft.manifest.attained.clear());
    assert!(figures.iter().all(|failed| failed.contains(&"attained".to_string())), "{figures:?}");
    let promises = spoilt(|draft| draft.manifest.requirements.clear());
    assert!(promises.iter().all(|failed| failed.contains(&"manifest".to_string())), "{promises:?}");
    let words = spoilt(|draft| draft.manifest.requirements[0].insert(0, ' '));
    assert!(words.iter().all(|failed| failed.contains(&"manifest-words".to_string())), "{words:?}");
    let greater = spoilt(|draft| draft.manifest.requirements.push("k-anonymity(100)".into()));
    for failed in greater {
        assert!(failed.contains(&"require[k-anonymity(100)]".to_string()), "{failed:?}");
    }
    let columns = spoilt(|draft| drop(draft.manifest.columns.remove(0)));
    assert!(columns.iter().all(|failed| failed.contains(&"columns".to_string())), "{columns:?}");
    let domains = spoilt(|draft| {
        let other = draft.manifest.columns[0].clone();
        let same = |kind: Kind| kind == other.kind;
        let at = draft.manifest.columns.iter().rposition(|column| same(column.kind)).unwrap();
        assert_ne!(at, 0);
        let taken = draft.manifest.columns[at].domain.clone();
        draft.manifest.columns[0].domain = taken;
    });
    assert!(domains.iter().all(|failed| !failed.is_empty()), "{domains:?}");
}

#[test]
fn what_is_wrong_with_the_cells_is_found_in_memory() {
    let texts = spoilt(|draft| match &mut draft.form {
        Form::Generalized(form) => form.quasi[0].texts[0] = "[nothing".into(),
        Form::Anatomy(form) => form.people[0].texts[1] = "nothing".into(),
        Form::Permuted(form) => form.values[0].texts[1] = "nothing".into(),
        Form::Angel(form) => form.tables[0].quasi[0].texts[0] = "[nothing".into(),
    });
    assert!(texts.iter().all(|failed| failed.contains(&"notation".to_string())), "{texts:?}");
    let values = spoilt(|draft| match &mut draft.form {
        Form::Generalized(form) => form.values[0].texts[1] = "a new label, \"quoted\"".into(),
        Form::Anatomy(form) => form.sensitive.values[0].texts[1] = "a new label".into(),
        Form::Permuted(form) => form.values.last_mut().unwrap().texts[1] = "777".into(),
        Form::Angel(form) => form.sensitive.values[0].texts[1] = "a new label".into(),
    });
    assert!(values.iter().all(|failed| !failed.is_empty()), "{values:?}");
    let groups = spoilt(|draft| match &mut draft.form {
        Form::Generalized(form) => {
            let (first, other) = (form.row_group[0], form.row_group.iter().position(|&g| g != form.row_group[0]));
            form.row_group[other.unwrap()] = first;
        }
        Form::Anatomy(form) => form.sensitive.counts[0] += 1,
        Form::Permuted(form) => form.helps[0].hits[0] += 1,
        Form::Angel(form) => form.sensitive.counts[0] += 1,
    });
    assert!(groups.iter().all(|failed| !failed.is_empty()), "{groups:?}");
}

#[test]
fn rows_in_order_are_found_in_memory() {
    let mut maker = Maker::people(240);
    maker.pay();
    let mut draft = maker.release();
    let Form::Generalized(form) = &mut draft.form else { panic!("a table of boxes") };
    let mut order: Vec<usize> = (0..240).collect();
    order.sort_by_key(|&row| form.row_group[row]);
    form.row_group = order.iter().map(|&row| form.row_group[row]).collect();
    for column in &mut form.values {
        column.codes = order.iter().map(|&row| column.codes.get(row)).collect();
    }
    assert_eq!(agreed("in order", &draft, &VerifyOptions::default()), ["rows-shuffled"]);
}

#[test]
fn a_draft_that_contradicts_itself_is_refused() {
    let refused: [fn(&mut Draft); 3] = [
        |draft| draft.manifest.rows += 1,
        |draft| draft.manifest.groups += 1,
        |draft| {
            let Form::Generalized(form) = &mut draft.form else { panic!("a table of boxes") };
            form.row_group[0] = 1000;
        },
    ];
    for change in refused {
        let mut draft = Maker::people(48).release();
        change(&mut draft);
        assert_eq!(ReleaseReader::in_memory(Arc::new(draft)).unwrap_err().exit_code(), 3);
    }
}

/// The cells of a table as texts; a null is nothing.
fn cells(table: &RawTable) -> Vec<Vec<Option<String>>> {
    let row = |codes: &dyn Fn(usize) -> Option<String>| (0..table.n_rows).map(codes).collect::<Vec<_>>();
    let column = |column: &RawColumn| match column {
        RawColumn::Text { dictionary, codes } => row(&|at| {
            let code: Code = codes.get(at);
            (code != NULL).then(|| dictionary.text(code).to_string())
        }),
        RawColumn::Integer(numbers) => {
            row(&|at| (numbers[at] != scumble_io::NULL_INTEGER).then(|| numbers[at].to_string()))
        }
        RawColumn::Skipped => panic!("all columns were asked for"),
    };
    table.columns.iter().map(column).collect()
}

/// The cells of a file as Arrow has them: a suppressed row, which is one without a group, is stars in the file, and nulls where
/// columns have types. Counts the stars that became nulls.
fn in_arrow(written: &RawTable, stars: &mut usize) -> Vec<Vec<Option<String>>> {
    let mut columns = cells(written);
    let Some(group) = written.names.iter().position(|name| name == GROUP || name == BATCH) else { return columns };
    let suppressed: Vec<bool> = columns[group].iter().map(Option::is_none).collect();
    for column in &mut columns {
        for (cell, _) in column.iter_mut().zip(&suppressed).filter(|(_, suppressed)| **suppressed) {
            assert!(cell.as_deref().is_none_or(|cell| cell == STAR), "a suppressed row shows {cell:?}");
            *stars += usize::from(cell.take().is_some());
        }
    }
    columns
}

#[test]
fn arrow_tables_have_the_cells_of_the_files() {
    for (what, _, draft) in drafts() {
        let home = tempfile::tempdir().unwrap();
        let options = WriteOptions::default();
        let staged = stage(&draft, &home.path().join("release"), &options, Monitor::silent()).unwrap();
        let text = || ReadOptions::default().delimiter(Some(b',')).columns(|_| Want::Text);
        let mut stars = 0;
        for (name, rows) in draft.form.tables() {
            let ArrowTable { name: named, schema, batches } = draft.arrow_table(&name).unwrap();
            assert_eq!(named, name);
            assert_eq!(batches.iter().map(|batch| batch.num_rows() as u64).sum::<u64>(), rows, "{what} {name}");
            let file = staged.path().join(TableFormat::Csv.file(&name));
            let written = read(&file, &text(), Monitor::silent()).unwrap();
            let back = RawTable::from_batches(&schema, batches, &name, &text(), Monitor::silent()).unwrap();
            assert_eq!((&back.names, back.n_rows), (&written.names, written.n_rows), "{what} {name}");
            let written = in_arrow(&written, &mut stars);
            assert_eq!(cells(&back), written, "{what} {name}");
        }
        assert_eq!(stars > 0, draft.manifest.suppressed > 0, "{what}");
        assert!(draft.arrow_table("nothing").is_err());
    }
}
