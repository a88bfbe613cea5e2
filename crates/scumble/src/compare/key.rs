//! What a run is known by when it is finished: whatever could change a figure.

use super::measure::ReleaseQuestions;
use crate::job::Job;
use scumble_io::{FromFile, ReadFile};
use scumble_release::Digest;
use scumble_table::{Error, Matrix, Result, Table};
use serde_json::json;
use std::fmt::Debug;
use std::path::Path;

/// Raised when figures are worked out differently, so that those kept before are not taken for new ones.
const FIGURES: u32 = 3;

/// The checksum of a table: its columns by name, their values, which row has which, whose the rows are, and the population that it is judged
/// against.
pub(super) fn of_table(table: &Table) -> String {
    let mut digest = Digest::default();
    for (at, attribute) in table.schema().attributes().iter().enumerate() {
        digest.update(format!("{:?} {:?} {:?}\n", attribute.name, attribute.role, attribute.domain.kind()).as_bytes());
        for code in attribute.domain.codes() {
            digest.update(format!("{:?}\n", attribute.domain.text(code)).as_bytes());
        }
        update_numbers(&mut digest, table.column(at).iter());
    }
    if let Some(persons) = table.persons() {
        digest.update(b"persons\n");
        update_numbers(&mut digest, (0..table.n_rows() as u32).map(|row| persons.of(row)));
    }
    if let Some(population) = table.population() {
        digest.update(b"population\n");
        for column in population.columns() {
            digest.update(format!("{:?} {:?}\n", column.name, column.texts).as_bytes());
            update_numbers(&mut digest, column.codes.iter());
        }
        digest.update(format!("{}\n", population.counted().name()).as_bytes());
        update_numbers(
            &mut digest,
            population.persons().into_iter().flat_map(|persons| persons.of_rows().iter().copied()),
        );
    }
    digest.hex()
}

/// Adds numbers block by block.
fn update_numbers(digest: &mut Digest, numbers: impl Iterator<Item = u32>) {
    let mut block = Vec::with_capacity(1 << 16);
    for number in numbers {
        block.extend_from_slice(&number.to_le_bytes());
        if block.len() >= 1 << 16 {
            digest.update(&block);
            block.clear();
        }
    }
    digest.update(&block);
}

/// The key of a job on a table of this checksum, with the questions that its release answers.
///
/// # Errors
/// If a file that the job names cannot be read.
pub(super) fn of_run(job: &Job, questions: &ReleaseQuestions, table: &str) -> Result<String> {
    // Files count by what they hold, and where the data lies does not matter.
    let mut named = job.clone();
    named.input = Default::default();
    let mut files = Vec::new();
    for (_, column) in &mut named.columns {
        files.push(column.hierarchy.take().map(|tree| digest(&tree)).transpose()?);
        files.push(column.order.take().map(|order| digest(&order)).transpose()?);
    }
    for name in job.publish.distance.iter().flat_map(|distance| distance.files()) {
        files.push(Some(
            job.matrices.given(name).map_or_else(|| file_digest(Path::new(name)), |given| Ok(of_matrix(given)))?,
        ));
    }
    let document = json!({
        "scumble": env!("CARGO_PKG_VERSION"),
        "figures": FIGURES,
        "table": table,
        "job": named,
        "files": files,
        "questions": questions,
    });
    let mut digest = Digest::default();
    digest.update(document.to_string().as_bytes());
    Ok(digest.hex())
}

/// The checksum of a value as it was read, or as it was given in memory.
fn digest<T: ReadFile + Debug>(value: &FromFile<T>) -> Result<String> {
    let mut digest = Digest::default();
    digest.update(format!("{:?}", value.get()?).as_bytes());
    Ok(digest.hex())
}

/// The checksum of a matrix that was given in memory.
fn of_matrix(matrix: &Matrix) -> String {
    let mut digest = Digest::default();
    matrix.entries().for_each(|entry| digest.update(format!("{entry:?}\n").as_bytes()));
    digest.hex()
}

/// The checksum of a file.
fn file_digest(path: &Path) -> Result<String> {
    let mut digest = Digest::default();
    digest.update(&std::fs::read(path).map_err(|error| Error::io("read", path.display(), &error))?);
    Ok(digest.hex())
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_io::{AnyHierarchy, parse_matrix};
    use scumble_table::{
        Attribute, Codes, Decimal, Domain, Hierarchy, Persons, Population, PopulationColumn, Role, Schema,
    };
    use std::sync::Arc;

    fn table() -> Table {
        let domain = Domain::numbers((0..3).map(Decimal::from).collect()).unwrap();
        let schema = Schema::new(vec![Attribute { name: "age".into(), role: Role::Quasi, domain }]).unwrap();
        Table::new(schema, vec![[1u32, 2, 3].into_iter().collect::<Codes>()], 3).unwrap()
    }

    #[test]
    fn other_persons_and_another_population_give_another_key() {
        let with_persons = |keys: [u32; 3]| {
            let keys: Codes = keys.into_iter().collect();
            of_table(&table().with_persons(Arc::new(Persons::from_keys(3, &[(&keys, 4)]))).unwrap())
        };
        assert_eq!(with_persons([1, 1, 2]), with_persons([1, 1, 2]));
        assert_ne!(with_persons([1, 1, 2]), with_persons([1, 2, 2]));
        assert_ne!(with_persons([1, 2, 3]), of_table(&table()));
        let with_population = |codes: [u32; 2]| {
            let texts = vec!["0".into(), "1".into()];
            let column = PopulationColumn { name: "age".into(), texts, codes: codes.into_iter().collect() };
            of_table(&table().with_population(Arc::new(Population::new(vec![column], 2).unwrap())))
        };
        assert_eq!(with_population([1, 1]), with_population([1, 1]));
        assert_ne!(with_population([1, 1]), with_population([1, 2]));
    }

    #[test]
    fn matrices_of_one_name_are_told_apart() {
        let matrix = |text: &[u8]| of_matrix(&parse_matrix("m", text).unwrap());
        assert_eq!(matrix(b"flu,cold,0.5\n"), matrix(b"flu,cold,0.5\n"));
        assert_ne!(matrix(b"flu,cold,0.5\n"), matrix(b"flu,cold,0.6\n"));
        assert_ne!(matrix(b"flu,cold,0.5\n"), matrix(b"flu,colds,0.5\n"));
    }

    #[test]
    fn trees_of_one_name_are_told_apart() {
        let tree = |label: &str| {
            let rows = vec![vec!["0".into(), label.into(), "*".into()], vec!["1".into(), "b".into(), "*".into()]];
            let tree = Hierarchy::from_rows("tree", &rows, &[1, 2]).unwrap();
            digest(&FromFile::value("tree", AnyHierarchy::Tree(Arc::new(tree)))).unwrap()
        };
        assert_eq!(tree("a"), tree("a"));
        assert_ne!(tree("a"), tree("b"));
    }
}
