//! What a run is known by when it is finished: whatever could change a figure.

use scumble::{Digest, Error, PublishRequest, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Raised when figures are worked out differently, so that those kept before are not taken for new ones.
const FIGURES: u32 = 1;

/// Checksums of files, each worked out once.
#[derive(Default)]
pub(super) struct Files(BTreeMap<PathBuf, String>);

impl Files {
    /// The checksum of a file's bytes.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn digest(&mut self, path: &Path) -> Result<String> {
        if let Some(known) = self.0.get(path) {
            return Ok(known.clone());
        }
        let found = file_digest(path)?;
        self.0.insert(path.to_path_buf(), found.clone());
        Ok(found)
    }
}

/// The key of a request, with the questions that its release answers.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn key(request: &PublishRequest, questions: &Value, files: &mut Files) -> Result<String> {
    let mut columns = Vec::new();
    for column in &request.columns {
        let hierarchy = column.hierarchy.as_ref().map(|path| files.digest(path)).transpose()?;
        let order = column.order.as_ref().map(|path| files.digest(path)).transpose()?;
        columns.push(json!({
            "name": column.name, "role": column.role.flag(), "type": column.kind.map(|kind| kind.name()),
            "level": column.level, "hierarchy": hierarchy, "order": order,
        }));
    }
    let rules = request.rules.iter().map(|rule| {
        let when = rule.when.as_ref().map(ToString::to_string);
        json!({ "name": rule.name, "when": when, "actions": format!("{:?}", rule.actions) })
    });
    let distance = request.distance.as_ref().map(|ruler| ruler.distance());
    let matrices = distance.map_or(Vec::new(), |distance| distance.files());
    let matrices: Vec<String> =
        matrices.into_iter().map(|file| files.digest(Path::new(file))).collect::<Result<_>>()?;
    let requirements: Vec<String> = request.requirements.iter().map(ToString::to_string).collect();
    let document = json!({
        "scumble": env!("CARGO_PKG_VERSION"),
        "figures": FIGURES,
        "data": files.digest(&request.input.path)?,
        "format": format!("{:?}", request.input.format),
        "delimiter": request.input.delimiter,
        "nulls": request.input.nulls,
        "columns": columns,
        "drop_rest": request.drop_rest,
        "rules": rules.collect::<Vec<_>>(),
        "require": requirements,
        "method": request.chosen_method().name(),
        "algorithm": request.chosen_algorithm().name(),
        "profile": request.profile.name(),
        "aim": request.aim.map(|aim| aim.name()),
        "boxes": request.chosen_boxes().name(),
        "mixtures": request.mixtures.name(),
        "together": request.together,
        "angel_k": request.angel_k,
        "marginal": request.marginals,
        "join_k": request.join_k,
        "distance": distance.map(ToString::to_string),
        "matrices": matrices,
        "time_limit": request.time_limit.as_secs(),
        "max_suppressed": request.max_suppressed.to_string(),
        "seed": request.seed,
        "questions": questions,
    });
    let mut digest = Digest::default();
    digest.update(document.to_string().as_bytes());
    Ok(digest.hex())
}

fn file_digest(path: &Path) -> Result<String> {
    let fail = |error: std::io::Error| Error::io("read", path.display(), &error);
    let mut file = File::open(path).map_err(fail)?;
    let (mut digest, mut block) = (Digest::default(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut block).map_err(fail)? {
            0 => return Ok(digest.hex()),
            n => digest.update(&block[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble::{ColumnRequest, ColumnRole, Input};

    #[test]
    fn whatever_changes_a_figure_changes_the_key() {
        let home = tempfile::tempdir().unwrap();
        let (data, tree) = (home.path().join("data.csv"), home.path().join("tree.csv"));
        std::fs::write(&data, "age,pay\n1,2\n").unwrap();
        std::fs::write(&tree, "1;*\n").unwrap();
        let of = |request: &PublishRequest, queries: u32| key(request, &json!(queries), &mut Files::default()).unwrap();
        let plain = PublishRequest {
            columns: vec![
                ColumnRequest::new("age", ColumnRole::Quasi),
                ColumnRequest::new("pay", ColumnRole::Sensitive),
            ],
            requirements: vec!["k-anonymity(2)".parse().unwrap()],
            seed: Some(1),
            ..PublishRequest::new(Input::file(&data))
        };
        let first = of(&plain, 10);
        assert_eq!((first.len(), of(&plain, 10)), (64, first.clone()));
        let mut others = vec![of(&plain, 11)];
        others.push(of(&PublishRequest { seed: Some(2), ..plain.clone() }, 10));
        others.push(of(&PublishRequest { requirements: vec!["k-anonymity(3)".parse().unwrap()], ..plain.clone() }, 10));
        others.push(of(&PublishRequest { method: Some("anatomy".parse().unwrap()), ..plain.clone() }, 10));
        let mut treed = plain.clone();
        treed.columns[0].hierarchy = Some(tree.clone());
        others.push(of(&treed, 10));
        std::fs::write(&tree, "1;a;*\n").unwrap();
        others.push(of(&treed, 10));
        // The same data elsewhere is the same data.
        let moved = home.path().join("moved.csv");
        std::fs::copy(&data, &moved).unwrap();
        assert_eq!(of(&PublishRequest { input: Input::file(&moved), ..plain.clone() }, 10), first);
        std::fs::write(&data, "age,pay\n1,3\n").unwrap();
        others.push(of(&plain, 10));
        others.push(first);
        others.sort();
        let n = others.len();
        others.dedup();
        assert_eq!(others.len(), n);
    }
}
