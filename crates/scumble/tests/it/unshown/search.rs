//! A release as heaps of bytes, and as the cells that it shows.

use super::people::People;
use parquet::file::reader::{FileReader, SerializedFileReader};
use scumble::{Job, Monitor, Plan};
use scumble_io::{RawColumn, ReadOptions};
use scumble_table::Code;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What lies in the directory of a release.
pub(crate) struct Files {
    /// Bytes of every file, and of every page of a Parquet file as it is before it is packed.
    heaps: Vec<(String, Vec<u8>)>,
    /// The values that cells name: whole cells, ends of intervals, members of sets.
    shown: BTreeSet<String>,
    /// Cells of each column.
    cells: Vec<(String, BTreeSet<String>)>,
    /// The pairs of ends that a column shows in two columns.
    ends: Vec<(String, BTreeSet<[String; 2]>)>,
    manifest: Value,
}

impl Files {
    pub(crate) fn read(folder: &Path) -> Files {
        let mut release = Files {
            heaps: Vec::new(),
            shown: BTreeSet::new(),
            cells: Vec::new(),
            ends: Vec::new(),
            manifest: Value::Null,
        };
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".parquet") {
                pages(&path, &name, &mut release.heaps);
            }
            release.heaps.push((name, fs::read(&path).unwrap()));
        }
        release.manifest = serde_json::from_str(&release.text("manifest.json")).unwrap();
        for table in release.manifest["tables"].as_array().unwrap().clone() {
            let path = folder.join(table["file"].as_str().unwrap());
            let raw = scumble_io::read(&path, &ReadOptions::default(), Monitor::silent()).unwrap();
            for (name, column) in raw.names.iter().zip(&raw.columns) {
                let RawColumn::Text { dictionary, codes } = column else { continue };
                let used: BTreeSet<Code> = codes.iter().filter(|&code| code > 0).collect();
                let texts: BTreeSet<String> = used.iter().map(|&code| dictionary.text(code).to_string()).collect();
                for text in &texts {
                    release.shown.insert(text.clone());
                    release.shown.extend(text.split(['[', ']', '{', '}', ',', '|', '\\']).map(String::from));
                }
                release.cells.push((name.clone(), texts));
            }
            for (name, lower) in raw.names.iter().zip(&raw.columns) {
                let Some(column) = name.strip_suffix("_lower") else { continue };
                let upper = raw.names.iter().position(|known| *known == format!("{column}_upper")).unwrap();
                let (
                    RawColumn::Text { dictionary: lowest, codes: low },
                    RawColumn::Text { dictionary: highest, codes: high },
                ) = (lower, &raw.columns[upper])
                else {
                    continue;
                };
                let pairs = low.iter().zip(high.iter()).filter(|pair| *pair != (0, 0));
                let texts = pairs.map(|(lo, hi)| [lowest.text(lo).to_string(), highest.text(hi).to_string()]);
                release.ends.push((column.to_string(), texts.collect()));
            }
        }
        release
    }

    /// The text of a file.
    pub(crate) fn text(&self, file: &str) -> String {
        let heap = self.heaps.iter().find(|(name, _)| name == file).unwrap_or_else(|| panic!("no {file}"));
        String::from_utf8_lossy(&heap.1).into_owned()
    }

    pub(crate) fn has(&self, file: &str) -> bool {
        self.heaps.iter().any(|(name, _)| name == file)
    }

    pub(crate) fn mentions(&self, value: &str) -> bool {
        self.heaps.iter().any(|(_, bytes)| holds(bytes, value))
    }

    /// The labels of a column in the manifest.
    pub(crate) fn domain(&self, column: &str) -> Vec<String> {
        let columns = self.manifest["columns"].as_array().unwrap();
        let found = columns.iter().find(|one| one["name"] == column).unwrap();
        found["domain"].as_array().unwrap().iter().map(|label| label.as_str().unwrap_or_default().into()).collect()
    }

    /// Fails if a value of the source is anywhere in the release and in no cell of it.
    pub(crate) fn hides(&self, what: &str, people: &People, job: &Job) {
        assert!(self.cells.iter().any(|(_, texts)| !texts.is_empty()), "{what}: nothing is published");
        for &column in people.columns.keys() {
            let given = job.columns.iter().find(|(name, _)| name == column).map(|(_, asked)| asked);
            // Labels that the publisher gave may be listed, all of them.
            let listed = given.is_some_and(|asked| {
                let tree = asked.hierarchy.as_ref();
                asked.order.is_some() || tree.is_some_and(|file| file.path().ends_with("region.csv"))
            });
            for value in people.values(column) {
                if listed || self.shown.contains(&value) {
                    continue;
                }
                let file = self.heaps.iter().find(|(_, bytes)| holds(bytes, &value)).map(|(name, _)| name);
                assert!(file.is_none(), "{what}: {} tells `{value}` of {column}, and no cell shows it", file.unwrap());
            }
        }
        if Plan::new(job).unwrap().method.is_exact() {
            return;
        }
        if job.columns.iter().any(|(name, column)| name == "region" && column.hierarchy.is_some()) {
            self.lists_all_regions(what, people);
        }
        if job.columns.iter().any(|(name, column)| name == "rank" && column.order.is_some()) {
            self.lists_the_order(what, people);
        }
    }

    fn cells_of(&self, column: &str) -> BTreeSet<String> {
        self.cells.iter().filter(|(name, _)| name == column).flat_map(|(_, texts)| texts.clone()).collect()
    }

    /// The hierarchy is the one that was given, and the domain all that is under the labels that are shown.
    fn lists_all_regions(&self, what: &str, people: &People) {
        let lines: BTreeSet<String> = self.text("hierarchy-region.csv").lines().map(String::from).collect();
        let given: BTreeSet<String> = people.regions.iter().map(|[leaf, above]| format!("{leaf};{above};*")).collect();
        assert_eq!(lines, given, "{what}");
        let cells = self.cells_of("region");
        let shown = |[leaf, above]: &&[String; 2]| cells.contains(leaf) || cells.contains(above);
        let under: BTreeSet<String> = people.regions.iter().filter(shown).map(|[leaf, _]| leaf.clone()).collect();
        assert_eq!(self.domain("region").into_iter().collect::<BTreeSet<_>>(), under, "{what}");
    }

    /// The domain is all of the given order that lies between the ends that are shown.
    fn lists_the_order(&self, what: &str, people: &People) {
        let place = |label: &str| people.order.iter().position(|known| known == label).unwrap();
        let mut between = BTreeSet::new();
        for cell in self.cells_of("rank").iter().filter(|cell| *cell != "*") {
            let ends: Vec<usize> = cell.trim_matches(['[', ']']).split(',').map(place).collect();
            between.extend(ends[0]..=ends[ends.len() - 1]);
        }
        for [lower, upper] in self.ends.iter().filter(|(name, _)| name == "rank").flat_map(|(_, pairs)| pairs) {
            between.extend(place(lower)..=place(upper));
        }
        let expected: Vec<String> = between.into_iter().map(|at| people.order[at].clone()).collect();
        assert_eq!(self.domain("rank"), expected, "{what}");
    }
}

fn holds(bytes: &[u8], value: &str) -> bool {
    bytes.windows(value.len()).any(|window| window == value.as_bytes())
}

/// The pages of a Parquet file, dictionaries among them, unpacked.
fn pages(path: &Path, name: &str, heaps: &mut Vec<(String, Vec<u8>)>) {
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).unwrap();
        for column in 0..group.num_columns() {
            let mut pages = group.get_column_page_reader(column).unwrap();
            while let Some(page) = pages.get_next_page().unwrap() {
                heaps.push((format!("a page of {name}"), page.buffer().to_vec()));
            }
        }
    }
}
