//! Releases that are made and verified as any other, measured, and thrown away.

use crate::runner::Runner;
use scumble::{Error, Job, Release, Result, Table, anonymize};

/// A verified release, or why none meets the requirement or none was found, in the words of the library.
pub(crate) type Attempt = Result<Release, String>;

/// Tries to make a release in memory. It is never published, so that a seed gives nothing away.
///
/// # Errors
/// Whatever is not about what the data allows, such as a wrong job.
pub(crate) fn attempt(table: &Table, mut job: Job, runner: &Runner) -> Result<Attempt> {
    job.publish.insecure_seed = job.publish.seed.is_some();
    match anonymize(table, &job, runner.silent()) {
        Ok(release) => Ok(Ok(release)),
        Err(error @ (Error::Infeasible { .. } | Error::NotFound { .. })) => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    }
}

/// How long the groups of a release were sought, in seconds.
pub(crate) fn partition_seconds(release: &Release) -> f64 {
    release.facts().map_or(f64::NAN, |facts| facts.partition_seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble::{Context, EvaluateRequest, RiskRequest, Source};

    fn tried(requirement: &str) -> Result<Attempt> {
        let context = Context::new();
        let mut job = Job::new().quasi(["age"]).sensitive(["pay"]).require(requirement)?;
        job.publish.seed = Some(1);
        let table = Source::reader(&b"age,pay\n30,1\n31,2\n40,3\n41,4\n"[..]).read(&job, &context)?;
        let found = attempt(&table, job, &Runner::new(&context))?;
        if let Ok(release) = &found {
            let asked = EvaluateRequest { queries: 0, ..EvaluateRequest::new() };
            assert_eq!(release.evaluate(&table, &asked, &context)?.groups, 2);
            assert_eq!(release.risk(&RiskRequest::default(), &context)?.suppressed, Some(0));
            assert!(release.path().is_none() && partition_seconds(release) >= 0.0);
        }
        Ok(found)
    }

    #[test]
    fn a_release_is_made_and_measured_in_memory() {
        assert!(tried("k-anonymity(2)").unwrap().is_ok());
    }

    #[test]
    fn what_no_release_can_meet_is_no_error() {
        assert!(tried("k-anonymity(5)").unwrap().is_err_and(|reason| reason.contains("k-anonymity(5)")));
        assert!(tried("t-closeness(2)").is_err());
    }
}
