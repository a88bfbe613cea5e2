//! The distance that a release states: whether it reads, says all, and fits what is shown.

use super::census::Census;
use super::judge::concerned_censuses;
use super::verdict::Verdict;
use scumble_principle::{Dissimilarity, JointColumns, LoadedDistance, Measure, Requirement};
use scumble_release::{ReleaseReader, problems};
use scumble_table::{Error, Result};

/// The check of the distance.
pub(super) const DISTANCE: &str = "distance";

/// Whether values must be apart by some distance.
pub(super) fn needs_distance(requirement: &Requirement) -> bool {
    requirement.is::<Dissimilarity>()
}

/// The distance that the manifest states, with its matrices. Notes what is wrong with it, and gives nothing then or
/// where there is none.
pub(super) fn stated(
    release: &ReleaseReader,
    requirements: &[Requirement],
    censuses: &[Census],
    verdict: &mut Verdict,
) -> Result<Option<LoadedDistance>> {
    let required: Vec<&Requirement> = requirements.iter().filter(|requirement| needs_distance(requirement)).collect();
    let found = match (&release.manifest().distance, required.first()) {
        (None, None) => return Ok(None),
        (None, Some(requirement)) => {
            Err(format!("`{requirement}` is required, and how far apart two values are is not stated"))
        }
        (Some(_), None) => Err("a distance is stated that no requirement asks for".into()),
        (Some(_), Some(_)) => refused(read(release, &required, censuses))?,
    };
    verdict.note(DISTANCE, found.as_ref().map(|loaded| loaded.distance().to_string()).map_err(String::clone));
    Ok(found.ok())
}

/// What is wrong with a release is no error, but what a check finds.
pub(super) fn refused<T>(found: Result<T>) -> Result<Result<T, String>> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(error @ (Error::Request { .. } | Error::Data { .. })) => Ok(Err(error.to_string())),
        Err(Error::Unverified { reason }) => Ok(Err(reason)),
        Err(error) => Err(error),
    }
}

fn read(release: &ReleaseReader, required: &[&Requirement], censuses: &[Census]) -> Result<LoadedDistance> {
    let Some(distance) = release.distance()? else { return Err(Error::bug("a distance that is stated is not there")) };
    let mut wrong = Vec::new();
    for requirement in required {
        for at in concerned_censuses(censuses, requirement)? {
            wrong.extend(unfit(&censuses[at], requirement, &distance)?);
        }
    }
    wrong.dedup();
    problems(wrong, String::new).map(|_| distance).map_err(|reason| Error::Unverified { reason })
}

/// Where a distance does not say all that the contract asks for, or more.
fn unfit(census: &Census, requirement: &Requirement, distance: &LoadedDistance) -> Result<Vec<String>> {
    let Some(together) = census.joint_columns(requirement, Some(distance))? else { return Ok(Vec::new()) };
    let schema = census.schema();
    // That every column has a part, every part a column, and every matrix the pairs that are shown.
    let metric = together.bound_distance(schema)?;
    let columns = JointColumns::columns(std::slice::from_ref(requirement), schema)?.unwrap_or_default();
    let mut wrong = Vec::new();
    for ((part, whole), &at) in distance.distance().parts().iter().zip(metric.distance().parts()).zip(metric.columns())
    {
        let attribute = &schema.attributes()[columns[at]];
        if part.measure != whole.measure {
            wrong.push(format!("the bounds of `{part}` are not written out"));
        }
        if let Measure::Named(_) = part.measure {
            wrong.push(format!("`{part}` is not written down in a matrix"));
        }
        let Measure::Matrix(file) = &part.measure else { continue };
        let Some(matrix) = distance.matrix(file) else { continue };
        let mut shown: Vec<_> = attribute.domain.codes().map(|code| attribute.domain.text(code)).collect();
        shown.sort_unstable();
        if matrix.labels().any(|label| shown.binary_search_by(|text| (**text).cmp(label)).is_err()) {
            wrong.push(format!("`{file}` speaks of a value that `{}` does not show", attribute.name));
        }
    }
    Ok(wrong)
}

/// The refusal of a composite over columns that have groups of their own: it is not known which values
/// a person has together.
pub(super) fn apart(requirement: &Requirement) -> Error {
    let reason = "it takes all sensitive columns as one value, and here each of them has groups of its own";
    Error::request("requirement", requirement.to_string(), reason)
        .hint("name one column, such as \"COLUMN: dissimilarity(...)\", with a distance of that column alone")
}
