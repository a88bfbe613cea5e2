//! Tables that were read, between the types of their files and the texts that everybody here reads.

use crate::arrow::{ArrowTable, coded_column, values_of};
use crate::form::{BATCH, GROUP};
use scumble_io::{Dictionary, NULL_INTEGER, OutColumn, RawColumn, RawTable, Shared, record_batches};
use scumble_table::{Decimal, Error, Kind, Result, Stored};

/// Writes numbers as plain decimals where the file has them as floats or decimals, whose own texts have exponents and
/// needless zeros. `kind` says what the values of a column are.
///
/// # Errors
/// If a column writes a number in two ways, which could mark rows.
pub(crate) fn plain_numbers(table: &mut RawTable, kind: impl Fn(&str) -> Option<Kind>) -> Result<()> {
    for (name, column) in table.names.iter().zip(&mut table.columns) {
        let RawColumn::Text { dictionary, .. } = column else { continue };
        let free = matches!(dictionary.stored(), Stored::Float { .. } | Stored::Decimal { .. });
        if !free || kind(name) != Some(Kind::Number) {
            continue;
        }
        // What is no number is left for the check of its notation.
        let plain = |text: &str| Decimal::parse(text).map_or_else(|| text.to_string(), |number| number.to_string());
        let texts: Vec<String> = dictionary.iter().map(plain).collect();
        let mut sorted: Vec<&String> = texts.iter().collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            let reason = "a number is written in two ways";
            return Err(Error::data(&table.source, reason).at(None, Some(name)));
        }
        let stored = dictionary.stored().clone();
        let full = || Error::data(&table.source, "the texts are too long together").at(None, Some(name));
        *dictionary = Dictionary::from_distinct(texts.iter()).ok_or_else(full)?.with_stored(stored);
    }
    Ok(())
}

/// A table with the columns that its file has, in their types, or in those of their kinds where the file has none. Suppressed
/// rows are null throughout.
///
/// # Errors
/// If a code has no text.
pub(crate) fn batches(table: &RawTable, name: &str, kind: impl Fn(&str) -> Option<Kind>) -> Result<ArrowTable> {
    let groups = table.integers(GROUP).or(table.integers(BATCH));
    let suppressed = |row: usize| groups.is_some_and(|groups| groups[row] == NULL_INTEGER);
    let starred = (0..table.n_rows).any(suppressed);
    // The texts that rows with values show; the star of the others is no value.
    let shown = |column: &RawColumn| -> Vec<String> {
        let RawColumn::Text { dictionary, codes } = column else { return Vec::new() };
        let mut used = vec![!starred; dictionary.len() + 1];
        (0..table.n_rows)
            .filter(|&row| starred && !suppressed(row))
            .for_each(|row| used[codes.get(row) as usize] = true);
        let text = |(text, used): (&str, &bool)| if *used { text.to_string() } else { String::new() };
        dictionary.iter().zip(&used[1..]).map(text).collect()
    };
    let texts: Vec<Vec<String>> = table.columns.iter().map(shown).collect();
    let mut columns: Vec<(String, OutColumn<'_>)> = Vec::new();
    for (title, (column, labels)) in table.names.iter().zip(table.columns.iter().zip(&texts)) {
        let cells: OutColumn<'_> = match column {
            RawColumn::Skipped => continue,
            RawColumn::Text { dictionary, codes } => {
                let code = move |row: usize| if suppressed(row) { None } else { codes.get(row).checked_sub(1) };
                let values = |kind| values_of(labels.iter().map(String::as_str), kind, dictionary.stored());
                coded_column(labels, kind(title).and_then(values), Box::new(code))
            }
            RawColumn::Integer(numbers) => {
                OutColumn::Integer(Box::new(|row| Some(numbers[row]).filter(|&number| number != NULL_INTEGER)))
            }
        };
        columns.push((title.clone(), cells));
    }
    let (schema, batches) = record_batches(table.n_rows, &columns, Shared::Plain)?;
    Ok(ArrowTable { name: name.to_string(), schema, batches })
}
