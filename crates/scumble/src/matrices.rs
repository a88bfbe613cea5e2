//! The matrices that the distance of a job names: values, or files that are read once.

use scumble_io::read_matrix;
use scumble_principle::{Distance, LoadedDistance};
use scumble_table::{Matrix, Result};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Matrices by the names that a distance has for them. One that was not given is read from the file of its name when it is
/// needed, once for all clones.
#[derive(Clone, Default)]
pub struct Matrices {
    given: BTreeMap<String, Arc<Matrix>>,
    read: Arc<Mutex<BTreeMap<String, Arc<Matrix>>>>,
}

impl Matrices {
    /// Gives a matrix in the place of a file of this name.
    pub fn give(&mut self, name: impl Into<String>, matrix: Matrix) {
        self.given.insert(name.into(), Arc::new(matrix));
    }

    /// A matrix that was given.
    pub(crate) fn given(&self, name: &str) -> Option<&Arc<Matrix>> {
        self.given.get(name)
    }

    /// A distance with the matrices that it names.
    ///
    /// # Errors
    /// If a file cannot be read, or is no matrix of distances.
    pub(crate) fn of_distance(&self, distance: &Distance) -> Result<LoadedDistance> {
        LoadedDistance::sharing(distance.clone(), |name| self.get(name))
    }

    fn get(&self, name: &str) -> Result<Arc<Matrix>> {
        if let Some(matrix) = self.given(name) {
            return Ok(matrix.clone());
        }
        // Held while the file is read, so that no other thread reads it as well. What is in the map is whole.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(matrix) = read.get(name) {
            return Ok(matrix.clone());
        }
        let matrix = Arc::new(read_matrix(Path::new(name))?);
        read.insert(name.to_string(), matrix.clone());
        Ok(matrix)
    }

    /// The same where a distance names its matrices from a folder.
    #[must_use]
    pub(crate) fn in_folder(self, folder: &Path) -> Matrices {
        let moved = |(name, matrix)| (folder.join::<String>(name).display().to_string(), matrix);
        Matrices { given: self.given.into_iter().map(moved).collect(), read: self.read }
    }
}

/// The names of those that were given: what stands in them is much.
impl fmt::Debug for Matrices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.given.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Context, Job, Source, anonymize};
    use scumble_io::parse_matrix;
    use std::fs;
    use std::path::Path;

    const DATA: &str = "age,disease\n31,flu\n34,cold\n36,ulcer\n52,flu\n58,ulcer\n59,cold\n";
    const MATRIX: &str = "flu,cold,1\nflu,ulcer,1\ncold,ulcer,1\n";

    fn job(file: &str) -> Job {
        let mut job = Job::new().quasi(["age"]).sensitive(["disease"]).require("dissimilarity(0.1, 0.9, 2)").unwrap();
        job.publish.distance = Some(format!("disease:matrix:{file}").parse().unwrap());
        job
    }

    fn groups(job: &Job) -> u64 {
        let context = Context::new();
        let table = Source::reader(DATA.as_bytes()).read(job, &context).unwrap();
        anonymize(&table, job, &context).unwrap().manifest().groups
    }

    #[test]
    fn a_matrix_in_memory_takes_the_place_of_a_file() {
        let error = crate::check(&job("diseases")).unwrap_err().to_string();
        assert!(error.contains("there is no such file"), "{error}");
        let given = job("diseases").with_matrix("diseases", parse_matrix("diseases", MATRIX.as_bytes()).unwrap());
        assert_eq!(groups(&given), 3);
        assert_eq!(groups(&given.in_folder(Path::new("/jobs"))), 3);
        // Where flu and cold are alike, four of six people have the same, and no two groups keep them apart.
        let alike = "flu,cold,0\nflu,ulcer,1\ncold,ulcer,1\n";
        let given = job("diseases").with_matrix("diseases", parse_matrix("diseases", alike.as_bytes()).unwrap());
        let context = Context::new();
        let table = Source::reader(DATA.as_bytes()).read(&given, &context).unwrap();
        assert_eq!(anonymize(&table, &given, &context).err().map(|error| error.exit_code()), Some(1));
    }

    #[test]
    fn a_file_is_read_once_for_all_clones() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("diseases.csv");
        fs::write(&file, MATRIX).unwrap();
        let job = job(file.to_str().unwrap());
        let clone = job.clone();
        assert_eq!(groups(&clone), 3);
        fs::remove_file(&file).unwrap();
        assert_eq!(groups(&job), 3);
    }
}
