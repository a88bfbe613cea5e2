use super::*;
use proptest::prelude::*;

fn entry(line: u64, text: &str) -> MatrixEntry {
    let [row, column, distance] = text.split(',').collect::<Vec<_>>()[..] else { panic!("three texts") };
    MatrixEntry { line, row: row.into(), column: column.into(), distance: distance.into() }
}

fn read(lines: &[&str]) -> Result<Matrix> {
    Matrix::from_entries("m.csv", &(1..).zip(lines).map(|(i, line)| entry(i, line)).collect::<Vec<_>>())
}

#[test]
fn pairs_are_mutual() {
    let matrix = read(&["a,b,0.5", "b,c,1", "c,b,1.0", "c,c,0"]).unwrap();
    assert_eq!(matrix.distance("b", "a"), Decimal::parse("0.5"));
    assert_eq!((matrix.distance("a", "a"), matrix.distance("a", "c")), (Some(Decimal::ZERO), None));
    assert_eq!((matrix.distance("a", "x"), matrix.labels().len()), (None, 3));
    assert_eq!(matrix.pairs("m.csv", &["b", "a"]).unwrap().len(), 3);
    let error = matrix.pairs("m.csv", &["a", "b", "c"]).unwrap_err().to_string();
    assert!(error.contains("row `a`, column `c`"), "{error}");
}

#[test]
fn what_is_no_distance_is_refused_with_row_and_column() {
    for (lines, said) in [
        (&["a,b,NaN"][..], "line 1: row `a`, column `b`: the distance `NaN` is not an exact decimal"),
        (&["a,b,inf"], "not an exact decimal"),
        (&["a,b,"], "not an exact decimal"),
        (&["a,b,0.5", "b,a,-0.5"], "line 2: row `b`, column `a`: the distance -0.5 is negative"),
        (&["a,b,0.5", "b,a,0.4"], "line 2: row `b`, column `a`: the distance is 0.4 here and 0.5 in another line"),
        (&["a,a,0.1"], "row `a`, column `a`: a label is at distance 0 from itself, not 0.1"),
    ] {
        let error = read(lines).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(error.exit_code(), 2);
    }
}

#[test]
fn a_function_becomes_a_matrix() {
    let matrix = Matrix::tabulate(&["1", "4", "9"], |a, b| {
        Decimal::from((a.parse::<i64>().unwrap() - b.parse::<i64>().unwrap()).abs())
    })
    .unwrap();
    assert_eq!(matrix.distance("9", "4"), Some(Decimal::from(5)));
    let error = Matrix::tabulate(&["a", "b"], |_, _| Decimal::from(-1)).unwrap_err().to_string();
    assert_eq!(
        error,
        "distance function: row `b`, column `a`: the distance -1 is negative; hint: distances are at least 0"
    );
    let mut asked = Vec::new();
    let twice = Matrix::tabulate(&["a", "b", "a", "c"], |a, b| {
        asked.push(format!("{a}{b}"));
        Decimal::from(1)
    });
    assert_eq!((asked.join(" "), twice.unwrap().labels().len()), ("ba ca cb".into(), 3));
    assert_eq!(Matrix::tabulate(&[], |_, _| Decimal::ZERO).unwrap().labels().len(), 0);
}

#[test]
fn a_label_is_at_no_distance_from_itself_even_if_the_file_lacks_it() {
    let matrix = read(&["a,b,0.5"]).unwrap();
    assert_eq!(matrix.pairs("m.csv", &["x"]).unwrap(), [("x".to_string(), "x".to_string(), Decimal::ZERO)]);
    let error = matrix.pairs("m.csv", &["a", "x"]).unwrap_err();
    assert!(
        error.to_string().contains("`a` and a value of the data that the file does not have: there is no distance"),
        "{error}"
    );
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn many_labels_with_few_pairs_take_little_memory() {
    let lines: Vec<String> = (0..MOST_LABELS / 2).map(|i| format!("a{i},b{i},0.{i}")).collect();
    let matrix = read(&lines.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    assert_eq!((matrix.distances.len(), matrix.labels().len()), (MOST_LABELS / 2, MOST_LABELS));
    assert_eq!((matrix.distance("b77", "a77"), matrix.distance("b77", "a78")), (Decimal::parse("0.77"), None));
    let more: Vec<String> = (0..=MOST_LABELS).map(|i| format!("{i},0,0")).collect();
    let error = read(&more.iter().map(String::as_str).collect::<Vec<_>>()).unwrap_err().to_string();
    assert!(error.contains("the matrix has 10001 labels, and at most 10000 are taken"), "{error}");
}

proptest! {
    #[test]
    fn lookups_find_what_was_given(
        given in prop::collection::btree_map((0u8..12, 0u8..12), 0u32..100, 0..80), shuffled in any::<u64>(),
    ) {
        let name = |label: u8| format!("l{label}");
        let mut entries: Vec<MatrixEntry> = given
            .iter()
            .filter(|((a, b), _)| a < b)
            .map(|(&(a, b), d)| MatrixEntry { line: 1, row: name(a), column: name(b), distance: format!("0.{d}") })
            .collect();
        // Some in the other order, some both ways, and all in any order.
        for (at, entry) in entries.clone().into_iter().enumerate() {
            let (row, column) = (entry.column.clone(), entry.row.clone());
            match shuffled >> (at % 64) & 3 {
                0 => entries[at] = MatrixEntry { row, column, ..entry },
                1 => entries.push(MatrixEntry { row, column, ..entry }),
                _ => {}
            }
        }
        entries.sort_by_key(|entry| (entry.row.len() as u64 + entry.distance.len() as u64).wrapping_mul(shuffled));
        let matrix = Matrix::from_entries("m.csv", &entries).unwrap();
        for (a, b) in (0u8..12).flat_map(|a| (0..12).map(move |b| (a, b))) {
            let known = given.get(&(a.min(b), a.max(b))).filter(|_| a != b);
            let expected = known.map(|d| Decimal::parse(&format!("0.{d}")).unwrap());
            let has = |label: u8| entries.iter().any(|e| e.row == name(label) || e.column == name(label));
            let expected = if a == b && has(a) { Some(Decimal::ZERO) } else { expected };
            prop_assert_eq!(matrix.distance(&name(a), &name(b)), expected);
        }
    }
}
