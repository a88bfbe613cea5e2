//! What is compared, from a sweep file or from flags.

use crate::args::Compare;
use crate::flag_names::option_flag;
use scumble::{CompareRequest, Error, Job, Result, Sweep, SweepFault, SweepRun, ValueForm, Values, parse_bytes};
use std::path::{Path, PathBuf};

const QUERIES: usize = 1000;
const SEED: u64 = 1;
const OUT: &str = "comparison";

/// What to compare, and the folder of the comparison.
pub(super) fn request(args: &Compare) -> Result<(CompareRequest, PathBuf)> {
    let (mut request, out) = match &args.job {
        Some(path) => from_sweep(path, args)?,
        None => (from_flags(args)?, None),
    };
    let out = args.out.clone().or(out).unwrap_or_else(|| OUT.into());
    request.memory = args.memory.as_deref().map(|text| parse_bytes("memory", text)).transpose()?;
    request.seed = args.seed.unwrap_or(request.seed);
    request.queries = args.queries.map_or(request.queries, |queries| queries as usize);
    if request.base.input.path.as_deref() == Some(Path::new("-")) {
        return Err(
            Error::request("data", "-", "the commands of a comparison name its data").hint("save it to a file first")
        );
    }
    Ok((request, out))
}

fn from_sweep(path: &Path, args: &Compare) -> Result<(CompareRequest, Option<PathBuf>)> {
    if let Some(field) = args.options.first_except(&[]) {
        return Err(Error::request(field, "", "a sweep file says this itself").hint("leave «job» out, or this flag"));
    }
    let sweep = Sweep::read(path)?;
    let points = sweep.points()?;
    let job = &sweep.job;
    let queries = match sweep.compare.queries {
        None => QUERIES,
        Some(0) => return Err(Error::data(&job.file, "`queries`: a release that answers nothing cannot be compared")),
        Some(queries) => usize::try_from(queries).unwrap_or(usize::MAX),
    };
    let request = CompareRequest {
        points,
        base: job.clone(),
        file: Some(path.to_path_buf()),
        seed: sweep.compare.seed.unwrap_or(SEED),
        queries,
        memory: None,
        field_name: option_flag,
    };
    Ok((request, sweep.compare.dir))
}

fn from_flags(args: &Compare) -> Result<CompareRequest> {
    let mut base = Job::new();
    base.input.path.clone_from(&args.data);
    args.options.apply(&mut base)?;
    let mut run = SweepRun { parameters: parameters(&args.grid)?, ..SweepRun::default() };
    for (option, texts) in args.options.given().filter(|(option, _)| option.swept) {
        match option.form {
            ValueForm::Texts | ValueForm::Lists | ValueForm::Switch => {
                run.fixed.push((option.name.into(), option.form.value(texts)));
            }
            _ => run.settings.push(Values::new(option.name, texts.to_vec())),
        }
    }
    let points = run.points(&base).map_err(|fault| flagged(fault, &run))?;
    Ok(CompareRequest { points, base, file: None, seed: SEED, queries: QUERIES, memory: None, field_name: option_flag })
}

/// The values of «grid».
fn parameters(grid: &[String]) -> Result<Vec<Values>> {
    let mut parameters: Vec<Values> = Vec::new();
    for text in grid {
        let (name, values) = text
            .split_once('=')
            .ok_or_else(|| Error::request("grid", text, "NAME=VALUES is wanted").hint("such as k=2,5,10"))?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_string()).collect();
        if values.iter().any(String::is_empty) {
            return Err(Error::request("grid", text, "a value is empty").hint("such as k=2,5,10"));
        }
        if parameters.iter().any(|known| known.name == name) {
            return Err(Error::request("grid", text, "this name has values already").hint("give them all at once"));
        }
        parameters.push(Values::new(name.trim(), values));
    }
    Ok(parameters)
}

/// A fault of the flags in their own terms.
fn flagged(fault: SweepFault, run: &SweepRun) -> Error {
    if fault.field == "run" {
        return Error::request("grid", fault.value, fault.reason).hint("give fewer values");
    }
    if run.parameters.iter().any(|known| known.name == fault.field) {
        let value = format!("{}={}", fault.field, fault.value);
        let (reason, hint) = match fault.unused {
            true => (
                format!("no requirement has a place `{{{}}}` for it", fault.field),
                format!("write «require» \"k-anonymity({{{}}})\", or leave it out", fault.field),
            ),
            false => (fault.reason, fault.hint),
        };
        return Error::request("grid", value, reason).hint(hint);
    }
    let hint = if fault.without_value { "give its values, such as «grid» k=2,5,10".into() } else { fault.hint };
    Error::request(fault.field, fault.value, fault.reason).hint(hint)
}
