//! What is compared, from a sweep file or from flags.

use crate::args::Compare;
use crate::commands::publish::marginals;
use scumble::{Error, Result, Sweep, SweepFault, SweepPoint, SweepRun, Values, distance_in};
use scumble_study::compare::{CompareRequest, parse_bytes, usual_budget};
use std::path::{Path, PathBuf};

const QUERIES: usize = 1000;
const SEED: u64 = 1;
const OUT: &str = "comparison";

pub(super) fn request(args: &Compare) -> Result<CompareRequest> {
    let mut request = match &args.job {
        Some(path) => from_sweep(path)?,
        None => from_flags(args)?,
    };
    if let Some(out) = &args.out {
        request.out.clone_from(out);
    }
    request.seed = args.seed.unwrap_or(request.seed);
    request.queries = args.queries.map_or(request.queries, |queries| queries as usize);
    if let Some(memory) = &args.memory {
        request.memory = parse_bytes("--memory", memory)?;
    }
    Ok(request)
}

fn from_sweep(path: &Path) -> Result<CompareRequest> {
    let sweep = Sweep::read(path)?;
    let mut points = sweep.points()?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let job = &sweep.job;
    for point in &mut points {
        let known = point.settings.iter().position(|(name, _)| name == "distance");
        // A command names files from where it is given.
        let distance = match known {
            Some(at) => Some(point.settings.remove(at).1),
            None => job.publish.distance.clone(),
        };
        if let Some(distance) = distance {
            let moved = distance_in(folder, &distance).map_err(|error| match error {
                Error::Request { value, reason, .. } => {
                    Error::data(&job.file, format!("`distance`: {reason}")).at(Some(point.line), None).shows(value)
                }
                other => other,
            })?;
            point.settings.push(("distance".into(), moved));
        }
    }
    let queries = match sweep.compare.queries {
        None => QUERIES,
        Some(0) => return Err(Error::data(&job.file, "`queries`: a release that answers nothing cannot be compared")),
        Some(queries) => usize::try_from(queries).unwrap_or(usize::MAX),
    };
    Ok(CompareRequest {
        points,
        file: Some((job.file.clone(), sweep.runs.clone())),
        words: vec!["--job".into(), path.display().to_string()],
        rules: (!job.rules.is_empty()).then(|| path.to_path_buf()),
        out: sweep.compare.dir.clone().unwrap_or_else(|| OUT.into()),
        seed: sweep.compare.seed.unwrap_or(SEED),
        queries,
        ..usual()?
    })
}

fn from_flags(args: &Compare) -> Result<CompareRequest> {
    let mut parameters = Vec::new();
    for text in &args.grid {
        let (name, values) = text
            .split_once('=')
            .ok_or_else(|| Error::request("grid", text, "NAME=VALUES is wanted").hint("such as k=2,5,10"))?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_string()).collect();
        if values.iter().any(String::is_empty) {
            return Err(Error::request("grid", text, "a value is empty").hint("such as k=2,5,10"));
        }
        if parameters.iter().any(|known: &Values| known.name == name) {
            return Err(Error::request("grid", text, "this name has values already").hint("give them all at once"));
        }
        parameters.push(Values::new(name.trim(), values));
    }
    let distance: Vec<String> = args.distance.iter().cloned().collect();
    let given = [
        ("method", &args.method),
        ("algorithm", &args.algorithm),
        ("profile", &args.profile),
        ("aim", &args.aim),
        ("boxes", &args.boxes),
        ("mixtures", &args.mixtures),
        ("angel_k", &args.angel_k),
        ("distance", &distance),
        ("max_suppressed", &args.max_suppressed),
    ];
    let settings = given.into_iter().filter(|(_, values)| !values.is_empty());
    let run = SweepRun {
        require: args.require.clone(),
        settings: settings.map(|(name, values)| Values::new(name, values.clone())).collect(),
        marginal: marginals(&args.marginal),
        parameters,
        ..SweepRun::default()
    };
    let points: Vec<SweepPoint> = run.points().map_err(|fault| flagged(fault, &run))?;
    Ok(CompareRequest { points, words: words(args), ..usual()? })
}

/// A fault of the flags in their own terms.
fn flagged(fault: SweepFault, run: &SweepRun) -> Error {
    if fault.field == "run" {
        return Error::request("grid", fault.value, fault.reason).hint("give fewer values");
    }
    if run.parameters.iter().any(|known| known.name == fault.field) {
        let value = format!("{}={}", fault.field, fault.value);
        let (reason, hint) = match fault.reason.starts_with("there is no field") {
            true => (
                format!("no requirement has a place `{{{}}}` for it", fault.field),
                format!("write --require \"k-anonymity({{{}}})\", or leave it out", fault.field),
            ),
            false => (fault.reason, fault.hint),
        };
        return Error::request("grid", value, reason).hint(hint);
    }
    let hint = match fault.hint.strip_prefix("give its values, such as") {
        Some(_) => "give its values, such as --grid k=2,5,10".into(),
        None => fault.hint,
    };
    Error::request(format!("--{}", fault.field.replace('_', "-")), fault.value, fault.reason).hint(hint)
}

/// The words that all commands have in common.
fn words(args: &Compare) -> Vec<String> {
    let mut words: Vec<String> = args.data.iter().map(|path| path.display().to_string()).collect();
    let mut add = |flag: &str, value: &str| words.extend([flag.to_string(), value.to_string()]);
    for (flag, names) in [
        ("--quasi", &args.quasi),
        ("--sensitive", &args.sensitive),
        ("--identifying", &args.identifying),
        ("--keep", &args.keep),
    ] {
        if !names.is_empty() {
            add(flag, &names.join(","));
        }
    }
    if let Some(delimiter) = &args.reading.delimiter {
        add("--delimiter", delimiter);
    }
    for (flag, values) in [
        ("--null", &args.reading.nulls),
        ("--type", &args.typing.types),
        ("--order", &args.typing.orders),
        ("--hierarchy", &args.typing.hierarchies),
    ] {
        values.iter().for_each(|value| add(flag, value));
    }
    if args.drop_rest {
        words.push("--drop-rest".into());
    }
    words
}

/// A comparison of nothing, on this machine.
fn usual() -> Result<CompareRequest> {
    let program = std::env::current_exe().map_err(|error| Error::io("find", "this program", &error))?;
    Ok(CompareRequest {
        points: Vec::new(),
        file: None,
        words: Vec::new(),
        rules: None,
        out: PathBuf::from(OUT),
        seed: SEED,
        queries: QUERIES,
        memory: usual_budget(),
        threads: rayon::current_num_threads(),
        program: (program, ["compare", "--worker", "--quiet"].map(String::from).to_vec()),
    })
}
